//! The Java development kit for tests that run classes.

use crate::cli::support::{command, temporary};
use serde_json::Value;
use std::env;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

/// Whether there is a kit. If not, says that a test is skipped.
pub fn has_kit() -> bool {
    let answers = Command::new("javac").arg("-version").output().is_ok_and(|answer| answer.status.success());
    if !answers {
        eprintln!("skipped: there is no Java development kit");
    }
    answers
}

/// The folder in which the classes of the controller are compiled once for all tests.
pub fn cache() -> PathBuf {
    PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("cache")
}

/// Returns the Java files in a folder.
pub fn java_files(folder: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder).expect("a folder").map(|entry| entry.expect("an entry").path());
    let (folders, files): (Vec<_>, Vec<_>) = entries.partition(|path| path.is_dir());
    files.into_iter().chain(folders.iter().flat_map(|folder| java_files(folder))).collect()
}

/// Compiles files into a new folder.
pub fn compile(name: &str, class_path: &Path, files: &[PathBuf]) -> PathBuf {
    let folder = temporary(name);
    let _ = fs::remove_dir_all(&folder);
    fs::create_dir_all(&folder).expect("a folder");
    let mut javac = Command::new("javac");
    javac.args(["-g", "-d"]).arg(&folder).arg("-cp").arg(class_path).args(files);
    assert!(javac.status().expect("a compiler").success());
    folder
}

/// Runs the analysis of some classes with confirmation, and gives its report.
pub fn confirmed_report(classes: &Path, options: &[&str]) -> Value {
    let classes = classes.display().to_string();
    let asked = ["java", &classes, "--confirm=4m", "--format", "json"];
    let output = command(&[&asked[..], options].concat()).env("XDG_CACHE_HOME", cache()).output().expect("a run");
    serde_json::from_slice(&output.stdout).expect("JSON")
}

/// Returns the findings of a class.
pub fn findings<'r>(report: &'r Value, class: &str) -> &'r [Value] {
    let subject = report["subjects"].as_array().expect("subjects").iter().find(|subject| subject["class"] == class);
    subject.unwrap_or_else(|| panic!("no {class}"))["findings"].as_array().expect("findings")
}
