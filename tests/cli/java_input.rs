//! `asercheck java`: input that cannot be read, is given twice, or is in archives inside of archives.

use crate::cli::support::{Run, asercheck, command, file, temporary};
use serde_json::Value;
use std::io::{Cursor, Write};
use std::path::Path;
use zip::write::SimpleFileOptions;

const CLASSES: &str = "models/java/client/classes";
const DAMAGED: [u8; 6] = [0xca, 0xfe, 0xba, 0xbe, 0, 0];

fn class(name: &str) -> Vec<u8> {
    let path = format!("{}/{CLASSES}/client/{name}.class", env!("CARGO_MANIFEST_DIR"));
    std::fs::read(path).expect("a class file")
}

fn archive(entries: &[(&str, &[u8])]) -> Vec<u8> {
    let mut writer = zip::ZipWriter::new(Cursor::new(Vec::new()));
    for (name, bytes) in entries {
        writer.start_file(*name, SimpleFileOptions::default()).expect("an entry");
        writer.write_all(bytes).expect("its content");
    }
    writer.finish().expect("an archive").into_inner()
}

fn json(run: &Run) -> Value {
    serde_json::from_str(&run.out.replace("TIME", "0.0")).unwrap_or_else(|error| panic!("{error}: {run:?}"))
}

/// Unread classes may be violated: the run is open then, in any format, also with `-q`.
#[test]
fn unreadable_input_leaves_the_run_undecided() {
    let damaged = file("Unread.class", DAMAGED);
    let repaired = ["java", CLASSES, &damaged, "--class", "client.VisitsRepaired"];
    let of = |more: &[&str]| asercheck(&[&repaired[..], more].concat());
    let run = of(&["-q"]);
    assert_eq!(run.code, Some(3), "{run:?}");
    assert!(run.out.contains("open: 1 file or entry could not be read in full: "), "{run:?}");
    assert!(run.out.lines().last().is_some_and(|line| line.starts_with("open: 0 findings")), "{run:?}");
    let run = of(&["--format", "json"]);
    assert_eq!(json(&run)["problems"].as_array().map(Vec::len), Some(1), "{run:?}");
    let run = of(&["--format", "sarif"]);
    let invocation = json(&run)["runs"][0]["invocations"][0].clone();
    assert_eq!((run.code, &invocation["executionSuccessful"]), (Some(3), &Value::Bool(false)));
    let notification = &invocation["toolExecutionNotifications"][0];
    assert_eq!(notification["level"], "error");
    assert!(notification["message"]["text"].as_str().is_some_and(|text| text.contains("Unread.class")));
    let run = of(&["--format", "github"]);
    assert!(run.out.contains("::error file=") && run.out.contains("asercheck%3A not read"), "{run:?}");
    let page = temporary("unread.html");
    let run = of(&["-q", "--report", page.to_str().expect("UTF-8")]);
    assert_eq!(run.code, Some(3), "{run:?}");
    assert!(std::fs::read_to_string(page).expect("a page").contains("<h2>Not read</h2>"));
    // A violation stays one, and who wants it goes on.
    assert_eq!(asercheck(&["java", CLASSES, &damaged, "--class", "client.Visits"]).code, Some(1));
    let run = of(&["-q", "--keep-going"]);
    assert_eq!(run.code, Some(0), "{run:?}");
    assert!(run.out.contains("could not be read") && run.out.contains("\nproved: "), "{run:?}");
}

#[test]
fn classes_that_are_given_twice_are_reported() {
    let other = archive(&[("client/Visits.class", &class("Visits")), ("Other.class", &class("VisitsRepaired"))]);
    let other = file("twice.jar", other);
    let given = ["java", CLASSES, &other, "--class", "client.VisitsRepaired"];
    let run = asercheck(&given);
    assert_eq!((run.code, run.errors.as_str()), (Some(0), ""), "the same content: {run:?}");
    // Another class of this name: here, the one without line numbers.
    let mut bytes = class("VisitsRepaired");
    let at = bytes.windows(10).position(|ten| ten == b"SourceFile").expect("the attribute");
    bytes[at] = b's';
    let other = file("other.jar", archive(&[("client/VisitsRepaired.class", &bytes)]));
    let run = asercheck(&["java", CLASSES, &other, "--class", "client.VisitsRepaired"]);
    assert_eq!(run.code, Some(0), "{run:?}");
    assert!(run.errors.contains("another class client.VisitsRepaired was found in models/java"), "{run:?}");
}

#[test]
fn archives_inside_of_archives_are_libraries_unless_they_are_named() {
    let inner = archive(&[("client/Visits.class", &class("Visits"))]);
    let entries: [(&str, &[u8]); 2] =
        [("WEB-INF/classes/client/CheckThenAct.class", &class("CheckThenAct")), ("WEB-INF/lib/visits.jar", &inner)];
    let war = file("app.war", archive(&entries));
    let run = asercheck(&["java", &war, "--summary"]);
    assert!(run.out.contains("1 in archives inside of archives (--class names them)"), "{run:?}");
    assert!(run.out.contains("client.CheckThenAct") && !run.out.contains("client.Visits"), "{run:?}");
    let run = asercheck(&["java", &war, "--class", "client.Visits", "--summary"]);
    assert_eq!(run.code, Some(1), "{run:?}");
    assert!(run.out.contains("lost update of count"), "{run:?}");
    // An archive of archives alone.
    let zip = file("all.zip", archive(&[("lib/visits.jar", &inner)]));
    let run = asercheck(&["java", &zip]);
    assert!(run.out.contains("0 of 1 class looked at; the others: 1 in archives inside"), "{run:?}");
}

#[test]
fn a_wrong_command_suggests_the_right_one() {
    let jar = file("app.jar", archive(&[("client/Visits.class", &class("Visits"))]));
    asercheck(&[&jar]).assert_refused(&format!("`asercheck java {jar}` reads it"));
    asercheck(&[CLASSES]).assert_refused(&format!("`asercheck java {CLASSES}` reads them"));
    let advice = "`javac -g -d classes models/java/races/Signals.java`";
    asercheck(&["models/java/races/Signals.java"]).assert_refused(advice);
    let run = asercheck(&["java", "models/java/races/Signals.java"]);
    assert!(run.code == Some(2) && run.errors.contains(advice), "{run:?}");
    let sources = temporary("sources");
    std::fs::create_dir_all(&sources).expect("a folder");
    std::fs::write(sources.join("A.java"), "class A {}").expect("a source");
    asercheck(&["java", sources.to_str().expect("UTF-8")]).assert_refused("compile first");
    let run = asercheck(&["java", "models/stack.eml"]);
    assert!(run.code == Some(2) && run.errors.contains("`asercheck models/stack.eml` reads models"), "{run:?}");
}

#[test]
fn where_no_class_appears_thread_safe_classes_can_be_named() {
    let plain = "models/java/original/classes/edited/Handlers$1.class";
    let run = asercheck(&["java", plain]);
    assert!(run.out.contains("help: --class analyses classes that claim nothing, for example --class '"), "{run:?}");
}

/// An interrupted run has only a part of the findings.
#[cfg(unix)]
#[test]
fn a_run_that_is_ended_writes_no_baseline() {
    let baseline = file("kept-baseline.json", "{\"version\": 1, \"findings\": []}");
    let run = asercheck(&["java", CLASSES, "--total-timeout", "0s", "--write-baseline", &baseline]);
    assert_eq!(run.code, Some(2), "{run:?}");
    assert!(run.errors.contains(&format!("error: {baseline} was not written: the run was ended (timeout)")), "{run:?}");
    // A limit of time for a class is enough.
    let run = asercheck(&["java", CLASSES, "--timeout", "0s", "--write-baseline", &baseline, "-q"]);
    assert_eq!(run.code, Some(2), "{run:?}");
    assert!(run.errors.contains("was not written: 87 classes met a limit of time or memory"), "{run:?}");
    let line = "\n87 classes met the limit of time, and a longer --timeout may decide more: ";
    assert!(run.out.contains(line) && !run.out.contains("timeout\n"), "it is told once: {run:?}");
    assert_eq!(std::fs::read_to_string(&baseline).expect("it is there"), "{\"version\": 1, \"findings\": []}");
    let new = temporary("new-baseline.json");
    let _ = std::fs::remove_file(&new);
    let name = new.to_str().expect("UTF-8");
    let mut child = command(&["java", CLASSES, "--jobs", "1", "--write-baseline", name, "-q"]);
    let child = child.stderr(std::process::Stdio::piped()).spawn().expect("it starts");
    std::thread::sleep(std::time::Duration::from_millis(150));
    interrupt(child.id());
    let output = child.wait_with_output().expect("it ends");
    // A machine that is fast enough is done before.
    let errors = String::from_utf8_lossy(&output.stderr);
    assert_ne!(Path::new(name).exists(), errors.contains("was not written"), "{errors}");
}

#[cfg(unix)]
fn interrupt(process: u32) {
    let status = std::process::Command::new("kill").args(["-INT", &process.to_string()]).status();
    assert!(status.is_ok_and(|status| status.success()));
}

fn fingerprints(classes: &str) -> Vec<(String, String)> {
    let report = json(&asercheck(&["java", classes, "--class", "edited.Handlers", "--format", "json"]));
    let subjects = report["subjects"].as_array().expect("subjects").iter();
    let findings = subjects.flat_map(|subject| subject["findings"].as_array().expect("findings"));
    let places = findings.flat_map(|finding| finding["cause"]["places"].as_array().expect("places"));
    let member = |place: &Value, name: &str| place[name].as_str().expect("a text").to_string();
    places.map(|place| (member(place, "fingerprint"), member(place, "unit"))).collect()
}

/// In the second version, a lambda and an anonymous class are inserted before the others, which get other numbers.
#[test]
fn fingerprints_do_not_depend_on_the_numbers_of_lambdas() {
    let [original, edited] = ["original", "edited"].map(|name| fingerprints(&format!("models/java/{name}/classes")));
    assert!(original.iter().any(|(_, unit)| unit.contains("lambda$counter$0")), "{original:?}");
    assert!(edited.iter().any(|(_, unit)| unit.contains("lambda$counter$") && !unit.contains("$0")), "{edited:?}");
    let report = json(&asercheck(&["java", "models/java/original/classes", "--format", "json"]));
    assert!(report.to_string().contains("[argument 2]"), "{report}");
    for (fingerprint, unit) in &original {
        assert!(edited.iter().any(|(other, _)| other == fingerprint), "{unit}: {original:?} {edited:?}");
    }
    for all in [original, edited] {
        let different: std::collections::BTreeSet<_> = all.iter().map(|(fingerprint, _)| fingerprint).collect();
        assert_eq!(different.len(), all.len(), "{all:?}");
    }
}

#[test]
fn volatile_fields_and_concurrent_objects_have_no_races() {
    let classes = "models/java/races/classes";
    let run = asercheck(&["java", classes, "--class", "races.Signals", "--races", "--format", "json"]);
    let report = json(&run);
    let findings = report["subjects"][0]["findings"].as_array().expect("findings");
    let locations: Vec<_> = findings.iter().flat_map(|one| one["locations"].as_array().expect("a list")).collect();
    assert!(!locations.is_empty() && locations.iter().all(|one| **one == "races.Signals.plain"), "{run:?}");
}
