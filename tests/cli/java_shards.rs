//! `asercheck java --shard` and `asercheck merge`: the parts together are the whole.

use crate::cli::support::{Run, asercheck, file, temporary};
use serde_json::{Value, json};
use std::collections::BTreeSet;
use std::fs;

const CLASSES: &str = "models/java/client/classes";

fn java(arguments: &[&str]) -> Run {
    asercheck(&[&["java"], arguments].concat())
}

/// The JSON of a run as it was printed, in a file; gives the file.
fn report(name: &str, arguments: &[&str]) -> String {
    let run = java(&[arguments, &["--format", "json"]].concat());
    assert!(matches!(run.code, Some(0 | 1)), "{run:?}");
    file(name, run.out.replace("TIME", "0.5"))
}

/// The reports of all shards.
fn shards(name: &str, count: usize, arguments: &[&str]) -> Vec<String> {
    let one = |number: usize| {
        let shard = format!("{number}/{count}");
        report(&format!("{name}-{number}.json"), &[arguments, &["--shard", &shard]].concat())
    };
    (1..=count).map(one).collect()
}

/// Unites reports; returns the written report.
fn merged(name: &str, reports: &[String]) -> (Run, Value) {
    let out = temporary(&format!("{name}-merged.json"));
    let _ = fs::remove_file(&out);
    let reports: Vec<&str> = reports.iter().map(String::as_str).collect();
    let run = asercheck(&[&["merge"], &reports[..], &["-o", out.to_str().expect("UTF-8")]].concat());
    assert_eq!(run.code, Some(0), "{run:?}");
    (run, value(out.to_str().expect("UTF-8")))
}

fn value(path: &str) -> Value {
    serde_json::from_str(&fs::read_to_string(path).expect("a report")).expect("JSON")
}

/// Takes the last of several values away.
fn cut(values: &mut Value) {
    values.as_array_mut().and_then(Vec::pop).expect("there is one");
}

/// The same without times.
fn timeless(mut report: Value) -> Value {
    fn clear(value: &mut Value) {
        match value {
            Value::Object(members) => {
                members.remove("seconds");
                members.values_mut().for_each(clear);
            }
            Value::Array(values) => values.iter_mut().for_each(clear),
            Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => {}
        }
    }
    clear(&mut report);
    report
}

#[test]
fn shards_together_are_the_whole() {
    let damaged = file("Sharded.class", [0xca, 0xfe, 0xba, 0xbe, 0, 0]);
    let known = temporary("java-shards-known.json");
    let known = known.to_str().expect("UTF-8");
    java(&[CLASSES, "--class", "client.A*", "--class", "client.Visits", "--write-baseline", known, "-q"]);
    let mut baseline = value(known);
    // Two entries are gone: the class of one is not there, and the other one's has nothing of the kind.
    for (class, fingerprint) in [("client.NotThere", "0"), ("client.VisitsRepaired", "1")] {
        let mut entry = baseline["findings"][0].clone();
        (entry["class"], entry["fingerprint"]) = (json!(class), json!(fingerprint));
        baseline["findings"].as_array_mut().expect("entries").insert(0, entry);
    }
    let known = file("java-shards-known.json", baseline.to_string());
    let program = ["models/java/program/classes", "--main", "program.census.Census"];
    let runs: [(&str, usize, &[&str]); 6] = [
        ("plain", 3, &[CLASSES]),
        ("one", 1, &[CLASSES]),
        ("queries", 2, &[CLASSES, "--all-queries", "--class", "client.*"]),
        ("baseline", 4, &[CLASSES, &damaged, "--baseline", &known]),
        ("program", 2, &program),
        ("named", 5, &[CLASSES, "--class", "client.Account"]),
    ];
    for (name, count, arguments) in runs {
        let name = format!("java-shards-{name}");
        let whole = value(&report(&format!("{name}.json"), arguments));
        let mut reports = shards(&name, count, arguments);
        reports.rotate_left(count / 2);
        let (_, united) = merged(&name, &reports);
        assert_eq!(timeless(united), timeless(whole.clone()), "{name}");
        let sizes = reports.iter().map(|path| value(path)["subjects"].as_array().expect("subjects").len());
        assert_eq!(sizes.sum::<usize>(), whole["subjects"].as_array().expect("subjects").len(), "{name}");
        if name.ends_with("baseline") {
            assert_eq!(whole["baseline"]["gone"].as_array().map(Vec::len), Some(2), "{whole}");
            assert!(whole["baseline"]["hidden"].as_u64() > Some(2) && whole["problems"][0].is_object(), "{whole}");
        }
    }
}

#[test]
fn each_class_is_in_one_shard() {
    let reports = shards("java-shards-classes", 4, &[CLASSES]);
    let mut seen = BTreeSet::new();
    for path in &reports {
        let report = value(path);
        let subjects = report["subjects"].as_array().expect("subjects");
        assert!((5..30).contains(&subjects.len()), "{path}: {}", subjects.len());
        let classes: BTreeSet<_> = subjects.iter().map(|subject| subject["class"].to_string()).collect();
        assert!(seen.is_disjoint(&classes), "{path}");
        seen.extend(classes);
    }
}

#[test]
fn a_shard_says_that_it_is_one() {
    let run = java(&[CLASSES, "--shard", "1/2", "-q"]);
    assert!(
        run.out.contains(" of 97 classes looked at; the others: ") && run.out.contains(" in other shards, "),
        "{run:?}"
    );
    // Most shards have nothing of one class.
    let runs = ["1/2", "2/2"].map(|shard| java(&[CLASSES, "--class", "client.Account", "--shard", shard, "-q"]));
    let mut codes = runs.each_ref().map(|run| run.code);
    codes.sort_unstable();
    assert_eq!(codes, [Some(0), Some(1)]);
    let empty = runs.iter().find(|run| run.code == Some(0)).expect("a shard without the class");
    assert!(empty.out.contains("nothing asked (no class that is looked at is in this shard)"), "{}", empty.out);
    for (arguments, words) in [
        (["--shard", "0/2", "-q"], "is no shard"),
        (["--shard", "3/2", "-q"], "is no shard"),
        (["--shard", "1/2", "--write-baseline=x"], "cannot be used with"),
        (["--shard", "1/2", "--fail-on-vacuous"], "cannot be used with"),
    ] {
        java(&[&[CLASSES], &arguments[..]].concat()).assert_refused(words);
    }
}

#[test]
fn the_united_report_is_counted() {
    let (run, _) = merged("java-shards-counted", &shards("java-shards-counted", 2, &[CLASSES]));
    assert_eq!(run.out, java(&[CLASSES, "-q"]).out);
    assert_eq!(run.errors, "");
}

#[test]
fn reports_that_do_not_fit_are_refused() {
    let one = ["--class", "client.A*", "--class", "client.C*"];
    let shard = |name: &str, part: &str, more: &[&str]| {
        report(&format!("java-shards-{name}.json"), &[&[CLASSES, "--shard", part], &one[..], more].concat())
    };
    let [first, second] = ["1/2", "2/2"].map(|part| shard(&format!("refused-{}", &part[..1]), part, &[]));
    let other = |more: &[&str]| shard("refused-other", "2/2", more);
    let out = temporary("java-shards-refused.json");
    let _ = fs::remove_file(&out);
    let out = out.to_str().expect("UTF-8");
    let refused = |reports: &[&str], words: &str| {
        asercheck(&[&["merge"], reports, &["--out", out]].concat()).assert_refused(words);
        assert!(!fs::exists(out).expect("the folder can be read"), "nothing is written");
    };
    refused(&[&first], "1 shard is missing: 2/2");
    refused(&[&first, &second, &first], "are both shard 1/2");
    refused(&[&shard("refused-three", "1/3", &[]), &second], "shards: there 2, wanted 3");
    refused(&[&first, &other(&["--pattern", "1"])], "pattern: there 1, wanted 1 2 3 4");
    refused(&[&first, &other(&["--races", "--patterns"])], "races: there yes, wanted none");
    refused(&[&first, &other(&["--units", "first"])], "units: there first, wanted both");
    refused(&[&first, &other(&["--engine", "symbolic"])], "engine: there symbolic, wanted explicit");
    refused(&[&first, &other(&["--timeout", "11s"])], "timeout: there 11s, wanted 10s");
    refused(&[&first, &other(&["--exclude", "client.B*"])], "exclude: there client.B*, wanted none");
    refused(&[&first, &other(&["--all-queries"])], "all-queries: there yes");
    refused(
        &[&first, &other(&["--class", "client.B*"])],
        "class: there client.A* client.C* client.B*, wanted client.A* client.C*",
    );
    let paths = report("java-shards-paths.json", &["models/java/order/classes", "--shard", "2/2"]);
    refused(&[&first, &paths], "paths: there models/java/order/classes, wanted models/java/client/classes");
    let whole = report("java-shards-whole.json", &[CLASSES]);
    refused(&[&whole], "is about all classes, not about a shard");
    refused(&[&first, "models"], "batches and reports are not united with each other");
    refused(&[&first, "no-such-report.json"], "no-such-report.json is none");
    let text = fs::read_to_string(&second).expect("a report");
    for (name, text, words) in [
        ("empty", String::new(), "it is no report of `asercheck java`"),
        ("torn", text[..text.len() / 2].to_string(), "it is no report of `asercheck java`"),
        ("other", "{\"version\": 4}".to_string(), "it is no report of `asercheck java`"),
        ("plain", "[]".to_string(), "it is no report of `asercheck java`"),
        ("earlier", text.replacen("\"version\": 4", "\"version\": 3", 1), "it is a report of version 3, and"),
        ("later", text.replacen("\"version\": 4", "\"version\": 5", 1), "it is a report of version 5, and"),
        ("part", text.replacen("\"2/2\"", "\"5/2\"", 1), "is no shard"),
    ] {
        refused(&[&first, &file(&format!("java-shards-{name}.json"), text)], words);
    }
    let foreign = value(&first)["subjects"][0]["class"].clone();
    type Damage<'a> = &'a dyn Fn(&mut Value);
    let damages: [(Damage<'_>, &str); 5] = [
        (&|report| report["shard"]["places"][0] = json!(1000), "is damaged"),
        (&|report| report["shard"]["places"] = json!([]), "is damaged"),
        (&|report| report["subjects"][0]["class"] = foreign.clone(), "is damaged"),
        (&|report| cut(&mut report["subjects"]), "is damaged"),
        (&|report| report["skipped"] = json!({}), "classes that are not looked at"),
    ];
    for (damage, words) in damages {
        let mut report = value(&second);
        damage(&mut report);
        refused(&[&first, &file("java-shards-damaged.json", report.to_string())], words);
    }
    let mut report = value(&second);
    cut(&mut report["subjects"]);
    cut(&mut report["shard"]["places"]);
    refused(&[&first, &file("java-shards-cut.json", report.to_string())], "damaged: 1 subject is in none of them");
    // An existing file is not changed.
    let taken = file("java-shards-taken.json", "mine");
    asercheck(&["merge", &first, &second, "-o", &taken]).assert_refused("is there already");
    assert_eq!(fs::read_to_string(&taken).expect("a file"), "mine");
}
