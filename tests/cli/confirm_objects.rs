//! Clients of `--confirm` whose objects need more than a constructor.

use crate::cli::kit::{cache, has_kit};
use crate::cli::support::{command, temporary};
use serde_json::Value;
use std::fs;

/// Runs the analysis of the objects with confirmation, and gives the class, the verdict with its reason, and the
/// program of each finding.
fn verdicts(options: &[&str]) -> Vec<(String, String, Option<String>)> {
    let asked = ["java", "models/java/objects/classes", "--confirm=5m", "--format", "json"];
    let output = command(&[&asked[..], options].concat()).env("XDG_CACHE_HOME", cache()).output().expect("a run");
    let report: Value = serde_json::from_slice(&output.stdout).expect("JSON");
    let subjects = report["subjects"].as_array().expect("subjects").iter();
    let findings = subjects.flat_map(|subject| {
        let class = subject["class"].as_str().expect("a class").to_string();
        let findings = subject["findings"].as_array().expect("findings").iter();
        findings.map(move |finding| {
            let confirmation = &finding["confirmation"];
            let program = confirmation["demonstration"]["program"].as_str().map(String::from);
            let text = |name: &str| confirmation[name].as_str().unwrap_or_default();
            let verdict = format!("{} {}", text("verdict"), text("reason")).trim_end().to_string();
            (class.clone(), verdict, program)
        })
    });
    findings.collect()
}

#[test]
fn builders_stubs_keys_folders_and_callers_make_objects() {
    if !has_kit() {
        return;
    }
    let folder = temporary("confirm-objects");
    let _ = fs::remove_dir_all(&folder);
    let tests = folder.display().to_string();
    let all = verdicts(&["--client", "models/java/objects/Words.java", "--tests", &tests]);
    for name in [
        "BuilderOnly",
        "NeedsSettings",
        "NeedsKeys",
        "NeedsSomeKeys",
        "NeedsFolder",
        "NeedsFile",
        "TornInside",
        "NeedsFilled",
        "VaryingAverage",
        "Behind$Cell",
        "NeedsUser",
    ] {
        let class = format!("objects.{name}");
        let found = all.iter().find(|(known, _, _)| *known == class);
        let (_, verdict, program) = found.unwrap_or_else(|| panic!("{class}: no finding in {all:?}"));
        assert_eq!(verdict, "confirmed", "{class}");
        assert!(program.is_some(), "{class} has no program");
    }
    assert!(all.iter().all(|(class, _, _)| !class.contains("Repaired")), "{all:?}");
}

#[test]
fn without_a_factory_the_reason_is_given() {
    if !has_kit() {
        return;
    }
    let all = verdicts(&["--class", "objects.NeedsUser"]);
    assert!(all.iter().all(|(_, verdict, _)| verdict.starts_with("not_tried")), "{all:?}");
    assert!(!all.is_empty());
}

#[test]
fn a_client_that_does_not_compile_is_an_error() {
    if !has_kit() {
        return;
    }
    let file = temporary("Broken.java");
    fs::write(&file, "class Broken {").expect("a file");
    let file = file.display().to_string();
    let asked = ["java", "models/java/objects/classes", "--confirm=20s", "--client", &file];
    let output = command(&asked).output().expect("a run");
    assert_eq!(output.status.code(), Some(2));
    assert!(String::from_utf8_lossy(&output.stderr).contains("does not compile"));
}
