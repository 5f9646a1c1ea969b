//! `--clients`: objects of tests as those of clients.

use crate::cli::support::{command, temporary};
use serde_json::Value;
use std::env;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

/// The classes and their tests, with the annotations of JUnit that they use.
const SOURCES: &str = "tests/cli/tested";

/// Whether there is a Java development kit.
fn has_kit() -> bool {
    let answers = Command::new("javac").arg("-version").output().is_ok_and(|answer| answer.status.success());
    if !answers {
        eprintln!("skipped: there is no Java development kit");
    }
    answers
}

/// Returns the Java files in a folder.
fn java_files(folder: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder).expect("a folder").map(|entry| entry.expect("an entry").path());
    let (folders, files): (Vec<_>, Vec<_>) = entries.partition(|path| path.is_dir());
    files.into_iter().chain(folders.iter().flat_map(|folder| java_files(folder))).collect()
}

/// Compiles files into a new folder.
fn compile(name: &str, class_path: &Path, files: &[PathBuf]) -> PathBuf {
    let folder = temporary(name);
    let _ = fs::remove_dir_all(&folder);
    fs::create_dir_all(&folder).expect("a folder");
    let mut javac = Command::new("javac");
    javac.args(["-g", "-d"]).arg(&folder).arg("-cp").arg(class_path).args(files);
    assert!(javac.status().expect("a compiler").success());
    folder
}

/// Runs the analysis of the classes with confirmation.
fn report(classes: &Path, options: &[&str]) -> Value {
    let classes = classes.display().to_string();
    let asked = ["java", &classes, "--confirm=4m", "--format", "json"];
    let cache = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("cache");
    let output = command(&[&asked[..], options].concat()).env("XDG_CACHE_HOME", cache).output().expect("a run");
    serde_json::from_slice(&output.stdout).expect("JSON")
}

/// Returns the confirmations of a class.
fn confirmations<'r>(report: &'r Value, class: &str) -> Vec<&'r Value> {
    let subject = report["subjects"].as_array().expect("subjects").iter().find(|subject| subject["class"] == class);
    let findings = subject.unwrap_or_else(|| panic!("no {class}"))["findings"].as_array().expect("findings");
    findings.iter().map(|finding| &finding["confirmation"]).collect()
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
    let without = report(&classes, &["--class", "shop.Register"]);
    assert!(confirmations(&without, "shop.Register").iter().all(|one| one["verdict"] == "not_tried"), "{without}");

    let folder = temporary("tested-programs");
    let _ = fs::remove_dir_all(&folder);
    let (given, programs) = (tests.display().to_string(), folder.display().to_string());
    let report = report(&classes, &["--clients", &given, "--tests", &programs]);
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
