//! `asercheck java --repair`: the repairs are made in the sources, which are compiled and analysed again.

use crate::cli::support::{asercheck, temporary};
use serde_json::Value;
use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use std::process::Command;

const CLASSES: &str = "models/java/confirm/classes";
const SOURCES: &str = "models/java/confirm";

/// Sources whose changed lines declare a variable that is used after them.
const DECLARING: [&str; 2] = ["HashtableCache.java", "StaticRegistry.java"];

/// A change of a method.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Change {
    /// The name of the source file.
    file: String,
    /// The method without its class and parameters.
    method: String,
    lines: [usize; 2],
    is_whole: bool,
    lock: String,
    is_explicit: bool,
}

fn has_jdk() -> bool {
    let answers = Command::new("javac").arg("-version").output().is_ok_and(|answer| answer.status.success());
    if !answers {
        println!("skipped: no JDK");
    }
    answers
}

fn report(arguments: &[&str]) -> Value {
    let run = asercheck(&[arguments, &["--format", "json"]].concat());
    serde_json::from_str(&run.out.replace("TIME", "0.0")).unwrap_or_else(|error| panic!("{error}: {run:?}"))
}

/// The findings of a report with their fingerprints.
fn findings(report: &Value) -> Vec<(&str, &Value)> {
    let subjects = report["subjects"].as_array().expect("subjects");
    let all = subjects.iter().flat_map(|subject| subject["findings"].as_array().expect("findings"));
    all.map(|finding| (finding["fingerprint"].as_str().expect("a text"), finding)).collect()
}

fn change_of(change: &Value) -> Change {
    let text = |name: &str| change[name].as_str().expect("a text").to_string();
    let method = text("method");
    let method = method.split('(').next().and_then(|name| name.rsplit('.').next()).expect("a name");
    let line = |place: usize| usize::try_from(change["lines"][place].as_u64().expect("a line")).expect("a small one");
    let says = text("says");
    Change {
        file: text("file").rsplit('/').next().expect("a file").to_string(),
        method: method.to_string(),
        lines: [line(0), line(1)],
        is_whole: says.starts_with("declare") || says.contains("throughout"),
        lock: text("of"),
        is_explicit: says.contains("the lock"),
    }
}

/// Makes a change in the lines of a source.
fn apply(change: &Change, lines: &mut [String]) {
    let lock = &change.lock;
    let (begin, end) = match change.is_explicit {
        true => (format!("{lock}.lock(); try {{"), format!("}} finally {{ {lock}.unlock(); }}")),
        false => (format!("synchronized ({lock}) {{"), "}".to_string()),
    };
    let [mut first, mut last] = change.lines.map(|line| line - 1);
    let count = |line: &String, letters: [char; 2]| line.chars().filter(|letter| letters.contains(letter)).count();
    let open = |last: usize| {
        let of = |letters| lines[first..=last].iter().map(|line| count(line, letters)).sum::<usize>();
        of(['{', '(']).saturating_sub(of(['}', ')']))
    };
    // A statement may end on a later line.
    while open(last) > 0 {
        last += 1;
    }
    if change.is_whole {
        let declares = |line: &String| line.contains(&format!("{}(", change.method)) && line.trim_end().ends_with('{');
        let head = (0..=first).rev().find(|line| declares(&lines[*line])).expect("a declaration");
        let depth = |line: &String| line.matches('{').count() as i64 - line.matches('}').count() as i64;
        let mut open = 0;
        let closed = (head..lines.len()).find(|line| {
            open += depth(&lines[*line]);
            open == 0
        });
        (first, last) = (head + 1, closed.expect("an end") - 1);
    }
    lines[first] = format!("{begin} {}", lines[first]);
    lines[last] = format!("{} {end}", lines[last]);
}

/// The sources after all changes, by their names.
fn changed(changes: &BTreeSet<Change>) -> BTreeMap<String, String> {
    let mut sources: BTreeMap<String, Vec<String>> = BTreeMap::new();
    for change in changes {
        let source = sources.entry(change.file.clone()).or_insert_with(|| {
            let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(SOURCES).join(&change.file);
            std::fs::read_to_string(path).expect("a source").lines().map(str::to_string).collect()
        });
        apply(change, source);
    }
    sources.into_iter().map(|(file, lines)| (file, lines.join("\n"))).collect()
}

/// Compiles sources one by one, with the other classes on the class path; returns the classes that compile.
fn compiled(sources: &BTreeMap<String, String>) -> (String, usize) {
    let folder = temporary("java_repair");
    let folder = Path::new(&folder);
    let classes = folder.join("classes");
    std::fs::create_dir_all(&classes).expect("a folder");
    for (file, text) in sources {
        std::fs::write(folder.join(file), text).expect("a file");
    }
    let all = sources.keys().map(|file| folder.join(file));
    let mut javac = Command::new("javac");
    javac.args(["-g", "-nowarn", "-cp", CLASSES, "-d"]).arg(&classes).args(all).current_dir(env!("CARGO_MANIFEST_DIR"));
    let compiled = javac.output().expect("javac");
    assert!(compiled.status.success(), "{}", String::from_utf8_lossy(&compiled.stderr));
    (classes.display().to_string(), sources.len())
}

#[test]
fn repaired_sources_have_no_such_finding() {
    if !has_jdk() {
        return;
    }
    let before = report(&["java", CLASSES, "--class", "*", "--repair"]);
    let mut repaired = BTreeSet::new();
    let mut changes = BTreeSet::new();
    for (fingerprint, finding) in findings(&before) {
        let own = finding["repair"]["changes"].as_array().cloned().unwrap_or_default();
        let own: Vec<Change> = own.iter().map(change_of).collect();
        // A lambda has no declaration.
        let is_left_out = |change: &Change| change.method.contains('$') || DECLARING.contains(&change.file.as_str());
        if own.is_empty() || own.iter().any(is_left_out) {
            continue;
        }
        changes.extend(own);
        repaired.insert(fingerprint);
    }
    let (classes, count) = compiled(&changed(&changes));
    let after = report(&["java", &classes, "--class", "*", "--library", CLASSES]);
    let left: Vec<&str> =
        findings(&after).into_iter().map(|(fingerprint, _)| fingerprint).filter(|one| repaired.contains(one)).collect();
    assert_eq!(left, [""; 0]);
    println!("{} findings of {count} classes repaired", repaired.len());
    assert!(repaired.len() >= 25 && count >= 25, "{} of {count}", repaired.len());
}

#[test]
fn a_report_says_the_repair() {
    let run = asercheck(&["java", "models/java/client/classes", "--class", "client.CheckThenAct", "--repair"]);
    let first = "repair, after which the 2 violated queries are safe and no deadlock is new:\n";
    let change = "    declare `CheckThenAct.popOrZero()` synchronized\n";
    assert!(run.out.contains(&format!("  {first}{change}")), "{}", run.out);
}

#[test]
fn a_method_that_runs_on_two_objects_does_not_lock_them() {
    let of_append = ["java", "models/java/client/classes", "--class", "client.Append", "--repair"];
    let run = asercheck(&[&of_append[..], &["--max-findings", "9"]].concat());
    assert!(run.out.contains("no repair was found: no lock can be held over the section"), "{}", run.out);
}
