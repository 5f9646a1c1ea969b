//! The page of `--report` in a browser, where there is one: it is opened, searched and sorted as a person does it.

use crate::cli::support::{asercheck, temporary};
use serde_json::Value;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// A browser that takes its instructions from the command line.
fn browser() -> Option<PathBuf> {
    let folders: Vec<_> = std::env::split_paths(&std::env::var_os("PATH")?).collect();
    let names = ["chromium", "chromium-browser", "google-chrome", "chrome"];
    names.iter().flat_map(|name| folders.iter().map(move |folder| folder.join(name))).find(|path| path.is_file())
}

/// Returns the observations of the script about a page, in a window of this width.
fn visit(browser: &Path, page: &Path, width: u32, scheme: u32) -> Value {
    // Browsers must not share a profile; one that was killed leaves a lock in it.
    let name = page.file_stem().and_then(|name| name.to_str()).expect("a name");
    let profile = temporary(&format!("profile-{name}-{width}-{scheme}"));
    let _ = std::fs::remove_dir_all(&profile);
    let output = Command::new(browser)
        .args([
            "--headless",
            "--no-sandbox",
            "--disable-gpu",
            "--disable-dev-shm-usage",
            "--disable-extensions",
            "--no-first-run",
        ])
        .args(["--virtual-time-budget=20000", "--timeout=60000", "--dump-dom"])
        .arg(format!("--window-size={width},900"))
        .arg(format!("--blink-settings=preferredColorScheme={scheme}"))
        .arg(format!("--user-data-dir={}", profile.display()))
        .arg(format!("file://{}", page.display()))
        .stdin(Stdio::null())
        .output()
        .expect("the browser can be started");
    let text = String::from_utf8_lossy(&output.stdout);
    let result = text.split_once("<pre id=\"result\">").and_then(|(_, rest)| rest.split_once("</pre>"));
    let Some((result, _)) = result else { panic!("no result: {}", String::from_utf8_lossy(&output.stderr)) };
    let result = result.replace("&lt;", "<").replace("&gt;", ">").replace("&amp;", "&");
    serde_json::from_str(&result).expect("the script writes JSON")
}

fn titles(look: &Value) -> Vec<&str> {
    look["titles"].as_array().expect("a list").iter().filter_map(Value::as_str).collect()
}

#[test]
fn the_page_can_be_used() {
    let Some(browser) = browser() else {
        // The harness does not capture this.
        writeln!(std::io::stderr(), "skipped: there is no browser").expect("standard error is there");
        return;
    };
    let path = temporary("used.html");
    let file = path.to_str().expect("UTF-8");
    let run = asercheck(&["check", "models/stack.eml", "models/bank.eml", "models/shop3.eml", "-q", "--report", file]);
    assert!(run.errors.is_empty(), "{run:?}");
    let page = std::fs::read_to_string(&path).expect("a page");
    std::fs::write(&path, format!("{page}<script>{}</script>", include_str!("browser.js"))).expect("it can be written");
    let [wide, phone, dark] =
        [(1200, 1), (500, 1), (1200, 0)].map(|(width, scheme)| visit(&browser, &path, width, scheme));
    for seen in [&wide, &phone, &dark] {
        assert_eq!(seen["error"], Value::Null, "{seen}");
        assert!(seen["overflow"].as_i64() <= Some(0) && seen["wide"].as_i64() <= Some(0), "{seen}");
        let all = titles(&seen["first"]);
        assert!(all.len() > 3, "{seen}");
        for look in ["opened", "second"] {
            let opened = &seen[look];
            let count = |what: &str| opened[what].as_u64().expect("a number");
            let marks = opened["marks"].as_array().expect("a list");
            assert!(count("lanes") >= 2 && count("steps") > marks.len() as u64 && marks.len() >= 3, "{seen}");
            assert!(count("units") >= 1 && count("arrows") >= 1 && count("sources") >= 1, "{seen}");
            assert_eq!((count("cut"), count("names")), (0, 0), "{seen}");
        }
        assert_eq!(seen["closed"]["steps"], 0);
        let mut sorted = all.clone();
        sorted.sort_by_key(|title| title.to_lowercase());
        assert_eq!(titles(&seen["sorted"]), sorted);
        assert!(titles(&seen["none"]).is_empty());
        let lost = all.iter().filter(|title| title.contains("lost update")).count();
        assert!((1..all.len()).contains(&lost), "{seen}");
        assert_eq!(titles(&seen["found"]).len(), lost);
        assert_eq!(seen["found"]["shown"], format!("{lost} of {} findings", all.len()));
        assert_eq!(titles(&seen["again"]).len(), all.len());
    }
    assert_eq!((wide["width"].as_u64(), phone["width"].as_u64()), (Some(1200), Some(500)));
    assert_eq!(wide["background"], phone["background"]);
    assert_ne!(wide["background"], dark["background"]);
}
