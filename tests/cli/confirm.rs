//! Findings on a real Java machine. Without a Java development kit, the tests that need one are skipped, with a line
//! that says so.

use crate::cli::support::{asercheck, command, temporary};
use serde_json::{Value, json};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

const CLASSES: &str = "models/java/confirm/classes";
const PROGRAMS: &str = "models/java/program/classes";

/// Whether there is a kit.
fn has_kit() -> bool {
    let answers = Command::new("javac").arg("-version").output().is_ok_and(|answer| answer.status.success());
    if !answers {
        eprintln!("skipped: there is no Java development kit");
    }
    answers
}

/// Runs `confirm` on a report, and gives the confirmation of each finding.
fn confirmed(name: &str, findings: &[(&str, &str, &str)], options: &[&str]) -> Vec<Value> {
    let report = temporary(&format!("{name}.json"));
    fs::write(&report, report_of(findings).to_string()).expect("a file");
    let report = report.display().to_string();
    let arguments = [&["confirm", report.as_str(), CLASSES, "--format", "json"], options].concat();
    let output = output_of(&arguments);
    assert!(matches!(output.status.code(), Some(0 | 1)), "{}", String::from_utf8_lossy(&output.stderr));
    let result: Value = serde_json::from_slice(&output.stdout).expect("JSON");
    let subjects = result["subjects"].as_array().expect("subjects").iter();
    subjects.map(|subject| subject["findings"][0]["confirmation"].clone()).collect()
}

/// Runs the program.
fn output_of(arguments: &[&str]) -> Output {
    command(arguments).env("XDG_CACHE_HOME", cache()).output().expect("the program can be started")
}

/// The classes of the controller are compiled once for all tests.
fn cache() -> PathBuf {
    PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("cache")
}

/// A report that claims findings: class, unit, and interfering call.
fn report_of(findings: &[(&str, &str, &str)]) -> Value {
    let subject = |(class, unit, by): &(&str, &str, &str)| {
        let class = format!("confirm.{class}");
        json!({
            "class": class, "kind": "object", "claim": "named", "entries": 1, "queries": 1, "subsumed": 0, "seconds": 0.0,
            "locations": [], "unknown": [], "assumptions": [],
            "findings": [{
                "fingerprint": "0", "patterns": [1], "locations": [], "other_locations": [],
                "unit": format!("{class}.{unit}"), "by": format!("{class}.{by}"), "other_by": [], "rank": 1.0,
                "group": "lost update", "at_fault": "unit", "violations": 1,
                "witness": { "threads": [], "steps": [] },
            }],
        })
    };
    let count = findings.len();
    json!({
        "version": 4, "paths": [], "mode": "client", "engine": "explicit", "units": "both",
        "summary": {
            "classes": count, "subjects": count, "violated": count, "proved": 0, "open": 0, "nothing_asked": 0, "findings": count,
            "queries": count, "subsumed": 0, "violation": count, "unknown": 0, "seconds": 0.0,
        },
        "subjects": findings.iter().map(subject).collect::<Vec<_>>(), "skipped": {}, "problems": [],
    })
}

#[test]
fn a_finding_is_confirmed_and_its_program_shows_it() {
    if !has_kit() {
        return;
    }
    let folder = temporary("confirm-programs");
    let _ = fs::remove_dir_all(&folder);
    let tests = folder.display().to_string();
    let asked = ["java", CLASSES, "--class", "confirm.CheckThenPop", "--confirm=60s", "--format", "json"];
    let arguments = [&asked[..], &["--tests", &tests, "--tests-style", "junit5"]].concat();
    let output = output_of(&arguments);
    assert_eq!(output.status.code(), Some(1), "{}", String::from_utf8_lossy(&output.stderr));
    let report: Value = serde_json::from_slice(&output.stdout).expect("JSON");
    let confirmation = &report["subjects"][0]["findings"][0]["confirmation"];
    assert_eq!(confirmation["verdict"], "confirmed", "{confirmation:#}");
    let program = confirmation["demonstration"]["program"].as_str().expect("a program");
    let run = Command::new("java").args(["-cp", CLASSES, program]).output().expect("java");
    let said = String::from_utf8_lossy(&run.stdout).into_owned();
    assert_eq!(run.status.code(), Some(1), "{said}");
    assert!(said.starts_with("not atomic"), "{said}");
    fails_as_a_test(&folder);
}

/// The test class compiles with the parts of JUnit that it uses, and fails because of the finding.
fn fails_as_a_test(folder: &Path) {
    let junit = folder.join("org/junit/jupiter/api");
    fs::create_dir_all(&junit).expect("a folder");
    let test = "package org.junit.jupiter.api; public @interface Test {}";
    let assertions = "package org.junit.jupiter.api; public class Assertions {
        public static void assertTrue(boolean is, String why) { if (!is) { throw new AssertionError(why); } }
        public static void assertEquals(int wanted, int seen, String why) { assertTrue(wanted == seen, why); } }";
    let main = "public class Main { public static void main(String[] given) throws Exception {
        new Reproduce1Test().isAtomic(); } }";
    for (name, text) in [("Test", test), ("Assertions", assertions)] {
        fs::write(junit.join(format!("{name}.java")), text).expect("a file");
    }
    fs::write(folder.join("Main.java"), main).expect("a file");
    let classes = folder.join("classes").display().to_string();
    let path = format!("{CLASSES}{}{classes}", if cfg!(windows) { ';' } else { ':' });
    let mut javac = Command::new("javac");
    javac.args(["-nowarn", "-d", &classes, "-cp", CLASSES, "-sourcepath"]).arg(folder).arg(folder.join("Main.java"));
    let compiled = javac.output().expect("javac");
    assert!(compiled.status.success(), "{}", String::from_utf8_lossy(&compiled.stderr));
    let property = format!("-Dreproduce.folder={}", folder.display());
    let run = Command::new("java").args([&property, "-cp", &path, "Main"]).output().expect("java");
    let said = String::from_utf8_lossy(&run.stderr).into_owned();
    assert!(said.contains("the outcome differs from every serial order"), "{said}");
}

/// The page marks confirmed findings, and can filter for them.
#[test]
fn the_page_marks_confirmed_findings() {
    if !has_kit() {
        return;
    }
    let page = temporary("confirmed.html");
    let file = page.to_str().expect("UTF-8");
    let classes = ["--class", "confirm.CheckThenPop", "--class", "client.Append"];
    let arguments =
        [&["java", CLASSES, "models/java/client/classes", "-q", "--confirm=1m", "--report", file], &classes[..]];
    let output = output_of(&arguments.concat());
    assert_eq!(output.status.code(), Some(1), "{}", String::from_utf8_lossy(&output.stderr));
    let text = fs::read_to_string(&page).expect("a page");
    assert!(text.contains("\"confirmation\":\"confirmed\""), "{text}");
    let values = text.matches("\"confirmation\":\"").count();
    let confirmed = text.matches("\"confirmation\":\"confirmed\"").count();
    // Where all are the same there is nothing to choose.
    let has_choice = text.contains("id=\"confirmation\"") && text.contains("value=\"=confirmed\"");
    assert_eq!(has_choice, confirmed < values, "{text}");
}

/// Calls that wait for each other are recognized as hanging, whatever other threads the machine has.
#[test]
fn a_deadlock_is_confirmed() {
    if !has_kit() {
        return;
    }
    let all = confirmed("deadlock", &[("Deadlocks", "a", "b")], &["--time", "90s"]);
    assert_eq!(all[0]["verdict"], "confirmed", "{:#}", all[0]);
    let differences = all[0]["demonstration"]["differences"].as_array().expect("differences");
    assert!(differences.iter().any(|one| one["seen"] == "hangs"), "{:#}", all[0]);
}

#[test]
fn a_repaired_class_is_not_confirmed() {
    if !has_kit() {
        return;
    }
    let twins = [("RangeRepaired", "setLower", "setUpper"), ("CounterRepaired", "increment", "increment")];
    for confirmation in confirmed("repaired", &twins, &["--time", "12s"]) {
        // On a busy machine nothing may have run in this time.
        let verdict = confirmation["verdict"].as_str();
        assert!(matches!(verdict, Some("not_confirmed" | "not_tried")), "{confirmation:#}");
    }
}

/// The finding of a program is run in the program itself; asked again, the answer is known.
#[test]
fn a_program_is_confirmed() {
    if !has_kit() {
        return;
    }
    let answers = temporary("confirm-answers");
    let _ = fs::remove_dir_all(&answers);
    let answers = answers.display().to_string();
    let program = ["java", PROGRAMS, "--main", "program.shared.Shared", "--confirm=90s", "--format", "json"];
    let confirmation = || {
        let arguments = [&program[..], &["--cache", answers.as_str()]].concat();
        let output = output_of(&arguments);
        assert_eq!(output.status.code(), Some(1), "{}", String::from_utf8_lossy(&output.stderr));
        let report: Value = serde_json::from_slice(&output.stdout).expect("JSON");
        report["subjects"][0]["findings"][0]["confirmation"].clone()
    };
    let first = confirmation();
    assert_eq!(first["verdict"], "confirmed", "{first:#}");
    let difference = &first["demonstration"]["differences"][0];
    assert_eq!((&difference["what"], &difference["serial"]), (&json!("output"), &json!(["\"10\""])), "{first:#}");
    // With the time that it took, and other members that no two runs share.
    assert_eq!(confirmation(), first);
}

/// No forced run of the repaired program confirms the claimed finding.
#[test]
fn a_repaired_program_is_not_confirmed() {
    if !has_kit() {
        return;
    }
    let step = |thread: usize, action: &str, line: usize, event: usize| {
        json!({
            "thread": thread, "action": action, "object": "count", "function": "SharedRepaired.add()",
            "file": "SharedRepaired.java", "line": line, "column": 1, "event": event,
        })
    };
    let steps = [
        step(0, "begin", 12, 1),
        step(0, "read", 12, 2),
        step(1, "begin", 12, 2),
        step(1, "write", 12, 3),
        step(0, "write", 12, 4),
    ];
    let mut report = report_of(&[("SharedRepaired", "run()V", "run()V")]);
    report["mode"] = json!("program");
    report["main"] = json!("program.shared.SharedRepaired");
    report["subjects"][0]["findings"][0]["witness"] = json!({ "threads": ["one", "two"], "steps": steps });
    let path = temporary("repaired-program.json");
    fs::write(&path, report.to_string()).expect("a file");
    let path = path.display().to_string();
    let output = output_of(&["confirm", &path, PROGRAMS, "--time", "40s", "--format", "json"]);
    let result: Value = serde_json::from_slice(&output.stdout).expect("JSON");
    let confirmation = &result["subjects"][0]["findings"][0]["confirmation"];
    // On a busy machine nothing may have run in this time.
    assert!(matches!(confirmation["verdict"].as_str(), Some("not_confirmed" | "not_tried")), "{confirmation:#}");
}

#[test]
fn nothing_outside_is_touched() {
    if !has_kit() {
        return;
    }
    let methods = ["delete", "exit", "start", "write"];
    let claims: Vec<_> = methods.iter().map(|method| ("Outside", *method, *method)).collect();
    let all = confirmed("outside", &claims, &["--time", "80s"]);
    let reasons: Vec<_> = all.iter().map(|one| one["reason"].as_str().unwrap_or_default().to_string()).collect();
    assert!(reasons[0].starts_with("it would delete a file"), "{reasons:?}");
    assert!(reasons[1].starts_with("it would end the program"), "{reasons:?}");
    assert!(reasons[2].starts_with("it would start a process"), "{reasons:?}");
    assert!(reasons[3].starts_with("it would write a file"), "{reasons:?}");
    assert!(all.iter().all(|one| one["verdict"] == "not_tried"), "{all:?}");
    let home = std::env::var_os("HOME").map(PathBuf::from).unwrap_or_default();
    assert!(!home.join("asercheck-must-not-write-this").exists());
    // On a busy machine a client that calls `write` before may be all that there is time for.
    let is_confirmed = |_| {
        let inside = confirmed("inside", &[("Outside", "writeInside", "writeInside")], &["--time", "60s"]);
        println!("{inside:?}");
        inside[0]["verdict"] == "confirmed"
    };
    assert!((0..4).any(is_confirmed));
}

#[test]
fn without_a_kit_it_says_so() {
    let arguments = ["java", CLASSES, "--class", "confirm.Range", "--confirm"];
    let output = command(&arguments).env("JAVA_HOME", "/nonexistent").env("PATH", "").output().expect("it starts");
    assert_eq!(output.status.code(), Some(2));
    assert!(String::from_utf8_lossy(&output.stderr).contains("development kit"));
}

#[test]
fn nothing_runs_unless_it_is_asked_for() {
    let run = asercheck(&["java", CLASSES, "--class", "confirm.Range", "--format", "json"]);
    assert!(!run.out.contains("confirmation"), "{}", run.out);
}
