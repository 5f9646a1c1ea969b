//! `--clients`: objects of tests as those of clients.

use crate::cli::kit::{compile, confirmed_report, findings, has_kit, java_files};
use crate::cli::support::temporary;
use serde_json::Value;
use std::fs;
use std::path::{Path, PathBuf};

/// The classes and their tests, with the annotations of JUnit that they use.
const SOURCES: &str = "tests/cli/tested";

/// Returns the confirmations of a class.
fn confirmations<'r>(report: &'r Value, class: &str) -> Vec<&'r Value> {
    findings(report, class).iter().map(|finding| &finding["confirmation"]).collect()
}

#[test]
fn objects_of_tests_confirm_findings() {
    if !has_kit() {
        return;
    }
    let sources = java_files(Path::new(SOURCES));
    let is_test = |file: &PathBuf| !file.ends_with("Register.java") && !file.ends_with("Till.java");
    let (tests, classes): (Vec<_>, Vec<_>) = sources.into_iter().partition(is_test);
    let classes = compile("tested-classes", Path::new("."), &classes);
    let tests = compile("tested-tests", &classes, &tests);
    let without = confirmed_report(&classes, &["--class", "shop.Register"]);
    assert!(confirmations(&without, "shop.Register").iter().all(|one| one["verdict"] == "not_tried"), "{without}");

    let folder = temporary("tested-programs");
    let _ = fs::remove_dir_all(&folder);
    let (given, programs) = (tests.display().to_string(), folder.display().to_string());
    let report = confirmed_report(&classes, &["--clients", &given, "--tests", &programs]);
    for class in ["shop.Register", "shop.Till"] {
        let all = confirmations(&report, class);
        let confirmed = all.iter().find(|one| one["verdict"] == "confirmed");
        let confirmed = confirmed.unwrap_or_else(|| panic!("{class} is not confirmed: {all:?}"));
        assert_eq!(confirmed["way"], "tests", "{confirmed}");
        let program =
            confirmed["demonstration"]["program"].as_str().unwrap_or_else(|| panic!("no program: {confirmed}"));
        assert!(fs::read_to_string(program).expect("a program").contains("tested(\"shop."), "{program}");
    }
    assert!(report["clients"]["ways"]["tests"].as_u64() >= Some(2), "{}", report["clients"]);
    let counts = &report["clients"]["tests"];
    assert_eq!(counts["found"], 7, "{counts}");
    // One of JUnit 4, and one of JUnit 5 with two arguments.
    assert_eq!(counts["giving"], 3, "{counts}");
    assert_eq!(counts["others"], 1, "a thread of the test lives: {counts}");
    for why in ["disabled", "more than a second", "would use a socket"] {
        assert_eq!(counts["left_out"][why], 1, "{why}: {counts}");
    }
}
