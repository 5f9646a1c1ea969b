//! The committed header is that of the code. `ASERCHECK_WRITE_HEADER=1 cargo test -p asercheck-header` writes it.

use std::path::Path;

#[test]
fn the_header_is_up_to_date() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).parent().expect("the folder of the library");
    let config = cbindgen::Config::from_file(folder.join("cbindgen.toml")).expect("the configuration");
    // With its modules; a module that is named besides would be declared twice.
    let builder = cbindgen::Builder::new().with_config(config).with_src(folder.join("src/lib.rs"));
    let mut generated = Vec::new();
    builder.generate().expect("a header").write(&mut generated);
    // Sections about safety are for Rust; the paragraphs before them say the same to users of C.
    let generated = without_safety(&String::from_utf8(generated).expect("text"));
    let path = folder.join("include/asercheck.h");
    if std::env::var_os("ASERCHECK_WRITE_HEADER").is_some() {
        std::fs::write(&path, &generated).expect("the header can be written");
    }
    let committed = std::fs::read_to_string(&path).unwrap_or_default();
    assert!(committed == generated, "{} is not up to date", path.display());
    for name in ["asercheck_check", "asercheck_audit", "asercheck_builder_build", "asercheck_error_free"] {
        assert_eq!(committed.matches(&format!("{name}(")).count(), 1, "{name}");
    }
}

/// Removes the sections `# Safety`, which are the last ones of comments.
fn without_safety(header: &str) -> String {
    let mut lines: Vec<&str> = Vec::new();
    let mut is_inside = false;
    for line in header.lines() {
        if line.trim() == "# Safety" {
            is_inside = true;
            if lines.last().is_some_and(|last| last.trim().is_empty()) {
                lines.pop();
            }
        }
        is_inside &= line.trim() != "*/";
        if !is_inside {
            lines.push(line);
        }
    }
    lines.join("\n") + "\n"
}
