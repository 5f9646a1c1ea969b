//! Texts that are no models, and the messages about them.
//!
//! Every file of the folder `malformed` is rendered and compared with a snapshot beside it. Texts that would be too
//! large for a file are generated here.

use asercheck::model::{self, Rejected, RejectedReason};
use asercheck::syntax::Source;
use std::path::Path;

/// Compares a rendering with the snapshot of this name.
fn assert_snapshot(name: &str, rendered: &str) {
    let mut settings = insta::Settings::clone_current();
    settings.set_snapshot_path(crate::common::test_path("malformed"));
    settings.set_prepend_module_to_snapshot(false);
    settings.set_omit_expression(true);
    settings.bind(|| insta::assert_snapshot!(name, rendered));
}

/// Returns the reason why a file is no model. The file has its name alone, wherever the tests run.
fn rejected(path: &Path) -> Box<Rejected> {
    let name = path.file_name().expect("it is a file").to_string_lossy();
    let bytes = std::fs::read(path).expect("the file can be read");
    let result = match Source::from_bytes(name, bytes) {
        Ok(source) => model::from_source(source),
        Err(error) => Err(Box::new(Rejected::from(error))),
    };
    result.expect_err(&format!("{} is a model", path.display()))
}

/// Checks that every message has a place and shows it.
fn check_form(rejected: &Rejected, rendered: &str) {
    let diagnostics = rejected.diagnostics();
    assert!(!diagnostics.is_empty());
    for diagnostic in &diagnostics {
        let start = diagnostic.primary().expect("it has a place").span.start;
        let place = format!("{}:{}:{}", rejected.source().name(), start.line, start.column);
        assert!(rendered.contains(&place), "no {place} in\n{rendered}");
        assert!(rendered.contains(&format!("{} |", start.line)), "no source line in\n{rendered}");
    }
    let is_harmless = |character: char| character == '\n' || !character.is_control();
    assert!(rendered.chars().all(is_harmless), "{rendered:?}");
}

#[test]
fn every_file_is_refused_with_located_messages() {
    let files = crate::common::eml_files("malformed");
    assert!(files.len() >= 45);
    let mut with_help = 0;
    for path in &files {
        let rejected = rejected(path);
        let rendered = rejected.render(false);
        check_form(&rejected, &rendered);
        with_help += usize::from(rendered.contains("= help: "));
        let name = path.file_stem().expect("it is a file").to_string_lossy();
        assert_snapshot(&name, &rendered);
    }
    assert!(with_help * 10 >= files.len() * 9, "{with_help} of {} have a hint", files.len());
}

/// Checks a generated text, under a name for its messages and its snapshot.
fn check_made(name: &str, text: &str) {
    let rejected = model::from_text(&format!("{name}.eml"), text).expect_err("it is no model");
    let rendered = rejected.render(false);
    check_form(&rejected, &rendered);
    assert!(rendered.len() < 100_000);
    assert_snapshot(&format!("made_{name}"), &rendered);
}

#[test]
fn a_huge_line_is_cut_around_the_caret() {
    let skips = "skip; ".repeat(400_000);
    check_made("huge_line", &format!("process P {{ {skips} wirte x; {skips} }}"));
}

#[test]
fn a_huge_name_is_cut() {
    let name = "n".repeat(1_000_000);
    check_made("huge_name", &format!("lock {name}; process P {{ acquire {name}x; }}"));
}

#[test]
fn deep_texts_are_refused() {
    check_made("deep_blocks", &format!("process P {{ {}", "loop {\n".repeat(100_000)));
    check_made("deep_parentheses", &format!("fn f{}", "(".repeat(1_000_000)));
}

#[test]
fn very_many_errors_are_counted() {
    let mut text = String::from("process P {\n");
    for index in 0..1000 {
        text.push_str(&format!("  read location{index};\n"));
    }
    text.push('}');
    let rejected = model::from_text("many.eml", &text).expect_err("it is no model");
    assert_eq!(rejected.diagnostics().len(), 1000);
    assert!(rejected.render(false).ends_with("... and 950 more\n"));
}

#[test]
fn nul_bytes_and_escape_sequences_are_shown_as_such() {
    check_made("control_characters", "lock a; \0\u{1b}[31m\u{7}\u{9b}\nlock b\u{202e};");
}

#[test]
fn a_missing_file_is_reported() {
    let rejected = model::load(Path::new("no/such/model.eml")).expect_err("there is no file");
    assert!(matches!(rejected.reason(), RejectedReason::Read(_)));
    assert!(rejected.to_string().starts_with("error: cannot read no/such/model.eml: "));
    assert!(model::load(&crate::common::test_path("malformed")).is_err());
}

#[test]
fn a_file_that_is_too_large_is_not_read() {
    let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join("too_large.eml");
    let file = std::fs::File::create(&path).expect("the file can be created");
    // Nothing is written: the file is one hole.
    file.set_len(1 << 32).expect("the file can be extended");
    let rejected = model::load(&path).expect_err("it is too large");
    std::fs::remove_file(&path).expect("the file can be removed");
    let message = rejected.to_string();
    assert!(message.ends_with("too_large.eml is too large: the limit is 4 GiB\n"), "{message}");
}

#[test]
fn colors_are_optional() {
    let rejected = model::from_text("m.eml", "loc a;").expect_err("it is no model");
    assert!(rejected.render(true).contains("\u{1b}["));
    assert!(!rejected.render(false).contains('\u{1b}'));
}

#[test]
fn models_that_cannot_be_violated_have_warnings() {
    let mut rendered = String::new();
    for text in [
        "",
        "process P { }",
        "shared x; process P { atomic { write x; } }",
        "shared x; process P * 2 { atomic { read x; } }",
        "shared x; process P * 2 { write x; }",
        "shared x;\nprocess P * 2 { write x; }\nprocess Q { start Q; atomic { read x; } }",
        "shared x, y;\natomicset S { x, y, x }\nprocess P * 2 { atomic { write x; } }",
    ] {
        let loaded = model::from_text("warned.eml", text).expect("it is a model");
        rendered.push_str(&loaded.render_warnings(false));
        rendered.push_str("----\n");
    }
    assert_snapshot("made_warnings", &rendered);
}
