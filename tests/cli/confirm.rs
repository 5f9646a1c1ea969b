//! Findings on a real Java machine. Without a Java development kit, the tests that need one are skipped, with a line
//! that says so.

use crate::cli::kit::{cache, has_kit};
use crate::cli::support::{asercheck, command, temporary};
use serde_json::{Value, json};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use std::time::{Duration, Instant};

const CLASSES: &str = "models/java/confirm/classes";
const PROGRAMS: &str = "models/java/program/classes";

/// A finding that is confirmed under no schedule.
const REPAIRED: [(&str, &str, &str); 1] = [("CounterRepaired", "increment", "increment")];

/// The time that a run may take beyond its limit, or after an interruption.
const GRACE: Duration = Duration::from_secs(2);

/// Writes a report that claims findings, and gives its path.
fn claims(name: &str, findings: &[(&str, &str, &str)]) -> String {
    let report = temporary(&format!("{name}.json"));
    fs::write(&report, report_of(findings).to_string()).expect("a file");
    report.display().to_string()
}

/// The findings of the first class of a result.
fn findings_of(output: &[u8]) -> Vec<Value> {
    let result: Value = serde_json::from_slice(output).expect("JSON");
    result["subjects"][0]["findings"].as_array().expect("findings").clone()
}

/// Runs `confirm` on a report, and gives the confirmation of each finding.
fn confirmed(name: &str, findings: &[(&str, &str, &str)], options: &[&str]) -> Vec<Value> {
    let report = claims(name, findings);
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

/// Hash codes differ from run to run; that two of one object differ is seen nevertheless.
#[test]
fn hash_codes_that_differ_are_seen() {
    if !has_kit() {
        return;
    }
    let asked = ["java", CLASSES, "--class", "confirm.CachedHash", "--confirm=60s", "--format", "json"];
    let finding = &findings_of(&output_of(&asked).stdout)[0];
    assert_eq!(finding["confirmation"]["verdict"], "confirmed", "{finding:#}");
    let says = finding["confirmation"]["demonstration"]["says"].as_str().expect("a sentence");
    assert!(says.starts_with("hashCode() and hashCode() differ"), "{says}");
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

#[test]
fn options_for_runs_need_runs() {
    for option in ["--client", "--clients", "--tests"] {
        let run = asercheck(&["java", CLASSES, "--class", "confirm.Range", option, "none"]);
        run.assert_refused(&format!("{option} has an effect only with --confirm"));
    }
}

/// The search for a finding that is never confirmed takes all the time, and no more.
#[test]
fn the_time_is_a_limit() {
    if !has_kit() {
        return;
    }
    let report = claims("limit", &REPAIRED);
    for seconds in [1, 5] {
        let time = format!("{seconds}s");
        let begin = Instant::now();
        let output = output_of(&["confirm", &report, CLASSES, "--format", "json", "--time", &time]);
        let elapsed = begin.elapsed();
        assert!(elapsed < Duration::from_secs(seconds) + GRACE, "{elapsed:?}");
        let confirmation = &findings_of(&output.stdout)[0]["confirmation"];
        let reason = confirmation["reason"].as_str().expect("a reason");
        match confirmation["verdict"].as_str() {
            Some("not_confirmed") => assert!(confirmation["schedules_tried"].as_u64() > Some(0), "{confirmation:#}"),
            Some("not_tried") => assert_eq!(confirmation["schedules_tried"], 0, "{confirmation:#}"),
            _ => panic!("{confirmation:#}"),
        }
        assert!(!reason.is_empty(), "{confirmation:#}");
    }
}

/// A finding for which there was no time has the reason; without a kit in the cache, too.
#[test]
fn without_time_nothing_is_tried() {
    if !has_kit() {
        return;
    }
    let report = claims("no-time", &[REPAIRED[0], ("CheckThenPop", "popOrNull", "pop")]);
    let cache = temporary("no-time-cache");
    let _ = fs::remove_dir_all(&cache);
    let arguments = ["confirm", &report, CLASSES, "--time", "1ms"];
    let output = command(&arguments).env("XDG_CACHE_HOME", &cache).output().expect("it starts");
    let text = String::from_utf8_lossy(&output.stdout);
    assert_eq!(text.matches("not tried: the time was over before a schedule ran").count(), 2, "{text}");
    assert!(text.contains("0 confirmed, 0 not confirmed, 2 not tried (0 schedules)"), "{text}");
}

/// After SIGINT, the report has an answer for each finding: the one that it had before, or that the run was
/// interrupted.
#[cfg(unix)]
#[test]
fn an_interruption_ends_the_run() {
    if !has_kit() {
        return;
    }
    let report = claims("interrupted", &[REPAIRED[0], ("RangeRepaired", "setLower", "setUpper")]);
    for seconds in [1, 6] {
        let mut child = command(&["confirm", &report, CLASSES, "--format", "json", "--time", "5m"]);
        child.env("XDG_CACHE_HOME", cache()).stdin(Stdio::null()).stdout(Stdio::piped());
        let child = child.spawn().expect("the program can be started");
        std::thread::sleep(Duration::from_secs(seconds));
        let begin = Instant::now();
        let killed = Command::new("kill").args(["-INT", &child.id().to_string()]).status().expect("kill");
        assert!(killed.success());
        let output = child.wait_with_output().expect("it ends");
        assert!(begin.elapsed() < GRACE, "{:?}", begin.elapsed());
        let result: Value = serde_json::from_slice(&output.stdout).expect("JSON");
        for subject in result["subjects"].as_array().expect("subjects") {
            let confirmation = &subject["findings"][0]["confirmation"];
            let reason = confirmation["reason"].as_str().unwrap_or_default();
            let is_over = reason == "no further client or schedule is known";
            assert!(is_over || reason.contains("the run was interrupted"), "{confirmation:#}");
        }
    }
}

/// A synchronized method cannot be torn by a method that is not. That one is, and it is named.
#[test]
fn a_difference_belongs_to_the_methods_that_ran() {
    if !has_kit() {
        return;
    }
    let report = claims("other-methods", &[("CheckThenPop", "pop", "popOrNull")]);
    let output = output_of(&["confirm", &report, CLASSES, "--format", "json", "--time", "40s"]);
    let findings = findings_of(&output.stdout);
    let of = |unit: &str| findings.iter().find(|finding| finding["unit"] == format!("confirm.CheckThenPop.{unit}"));
    let claimed = of("pop").expect("the claimed finding");
    assert_ne!(claimed["confirmation"]["verdict"], "confirmed", "{claimed:#}");
    let seen = of("popOrNull").expect("the methods that ran");
    assert_eq!((&seen["by"], &seen["group"]), (&json!("confirm.CheckThenPop.pop"), &json!("observed difference")));
    assert_eq!(seen["confirmation"]["verdict"], "confirmed", "{seen:#}");
    let says = seen["says"].as_str().unwrap_or_default();
    assert!(
        says.starts_with("popOrNull() threw ") && says.contains("pop() ran in the middle of popOrNull()"),
        "{says}"
    );
}

/// A difference outside of the torn section that a finding claims does not confirm it.
#[test]
fn a_switch_elsewhere_confirms_nothing() {
    if !has_kit() {
        return;
    }
    let step = |thread: usize, line: usize, event: usize| {
        json!({
            "thread": thread, "action": "write", "object": "items", "function": "f", "file": "confirm/CheckThenPop.java",
            "line": line, "column": 1, "event": event,
        })
    };
    // No thread writes in these lines.
    let steps = [step(0, 1, 1), step(1, 2, 2), step(0, 3, 3)];
    let mut report = report_of(&[("CheckThenPop", "popOrNull", "pop")]);
    report["subjects"][0]["findings"][0]["witness"] = json!({ "threads": ["one", "two"], "steps": steps });
    let path = temporary("elsewhere.json");
    fs::write(&path, report.to_string()).expect("a file");
    let path = path.display().to_string();
    let output = output_of(&["confirm", &path, CLASSES, "--format", "json", "--time", "30s"]);
    let findings = findings_of(&output.stdout);
    let claimed = findings.iter().find(|finding| finding["group"] == "lost update").expect("the claimed finding");
    assert_ne!(claimed["confirmation"]["verdict"], "confirmed", "{claimed:#}");
    // On a busy machine nothing may have run in this time.
    let reached = &claimed["confirmation"]["reached"];
    assert!(reached.is_null() || *reached == json!(0.0), "{claimed:#}");
    let seen = findings.iter().find(|finding| finding["group"] == "observed difference");
    let has_run = claimed["confirmation"]["schedules_tried"].as_u64() > Some(0);
    assert!(seen.is_some() || !has_run, "{findings:#?}");
}

/// Reports of shards whose findings were run are united, with the confirmed findings first.
#[test]
fn confirmed_shards_are_united() {
    if !has_kit() {
        return;
    }
    let asked = ["java", CLASSES, "--class", "confirm.CheckThenPop", "--class", "confirm.Counter", "--confirm=40s"];
    let mut arguments = vec!["merge".to_string()];
    for part in ["1/2", "2/2"] {
        let output = output_of(&[&asked[..], &["--format", "json", "--shard", part]].concat());
        let path = temporary(&format!("confirmed-{}.json", &part[..1]));
        fs::write(&path, output.stdout).expect("a file");
        arguments.push(path.display().to_string());
    }
    let whole = temporary("confirmed-whole.json");
    let _ = fs::remove_file(&whole);
    let whole = whole.display().to_string();
    arguments.extend(["-o".to_string(), whole.clone()]);
    let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
    assert_eq!(asercheck(&arguments).code, Some(0));
    let united: Value = serde_json::from_str(&fs::read_to_string(&whole).expect("a file")).expect("JSON");
    let findings: Vec<&Value> = united["subjects"].as_array().expect("subjects").iter().collect();
    let is_confirmed = |finding: &Value| finding["confirmation"]["verdict"] == "confirmed";
    let all = findings.iter().flat_map(|subject| subject["findings"].as_array().expect("findings"));
    let confirmed = all.filter(|finding| is_confirmed(finding)).count();
    assert_eq!(united["summary"]["confirmed"].as_u64().unwrap_or(0), confirmed as u64);
    assert!(confirmed == 0 || is_confirmed(&united["subjects"][0]["findings"][0]), "{united:#}");
}
