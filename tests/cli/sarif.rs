//! `--format sarif` and `--format github`.
//!
//! The checks follow the sections of the standard (SARIF 2.1.0, OASIS, 27 March 2020) about the written members;
//! numbers of sections are in brackets.

use crate::cli::support::{asercheck, file};
use serde_json::Value;
use std::collections::BTreeSet;

fn log(arguments: &[&str]) -> Value {
    let run = asercheck(&[&["check"], arguments, &["--format", "sarif"]].concat());
    assert_eq!(run.errors, "", "{run:?}");
    let log: Value =
        serde_json::from_str(&run.out.replace("TIME", "0.0")).unwrap_or_else(|error| panic!("{error}: {run:?}"));
    check_log(&log, run.code.expect("a code"));
    log
}

fn list<'a>(value: &'a Value, name: &str) -> &'a [Value] {
    value[name].as_array().map(Vec::as_slice).unwrap_or_else(|| panic!("no list {name}: {value}"))
}

fn text<'a>(value: &'a Value, name: &str) -> &'a str {
    value[name].as_str().filter(|text| !text.is_empty()).unwrap_or_else(|| panic!("no text {name}: {value}"))
}

/// That an object has no members but these.
fn has_only(value: &Value, names: &[&str]) {
    let members = value.as_object().unwrap_or_else(|| panic!("no object: {value}"));
    for name in members.keys() {
        assert!(names.contains(&name.as_str()), "{name} in {value}");
    }
}

fn check_log(log: &Value, code: i32) {
    // [3.13]
    has_only(log, &["$schema", "version", "runs"]);
    assert_eq!(log["version"], "2.1.0");
    assert!(text(log, "$schema").ends_with("sarif-schema-2.1.0.json"));
    // Consumers take few runs, however many models there are.
    assert_eq!(list(log, "runs").len(), 1);
    for run in list(log, "runs") {
        // [3.14]
        has_only(run, &["tool", "columnKind", "artifacts", "invocations", "results", "properties"]);
        assert_eq!(run["columnKind"], "unicodeCodePoints");
        // [3.18, 3.19, 3.49]
        let driver = &run["tool"]["driver"];
        has_only(driver, &["name", "version", "semanticVersion", "rules"]);
        assert_eq!(text(driver, "name"), "asercheck");
        let ids: Vec<_> = list(driver, "rules").iter().map(|rule| text(rule, "id")).collect();
        assert_eq!(ids.iter().collect::<BTreeSet<_>>().len(), ids.len(), "identifiers of rules are unique");
        for rule in list(driver, "rules") {
            has_only(
                rule,
                &[
                    "id",
                    "name",
                    "shortDescription",
                    "fullDescription",
                    "help",
                    "helpUri",
                    "defaultConfiguration",
                    "properties",
                ],
            );
            // [3.49.12, 3.49.13] An address is absolute; the book has none.
            let id = text(rule, "id");
            let has_address = rule["helpUri"].as_str().is_some_and(|page| page.starts_with("https://cwe.mitre.org/"));
            assert_eq!(has_address, id == "race" || id.starts_with("deadlock"), "{rule}");
            assert_eq!(rule["help"]["text"].is_string(), id.starts_with("pattern-"), "{rule}");
            rule["help"]["markdown"].as_str().into_iter().for_each(is_in_the_book);
            text(&rule["shortDescription"], "text");
            check_level(&rule["defaultConfiguration"]["level"]);
        }
        // [3.20]
        for invocation in list(run, "invocations") {
            has_only(invocation, &["executionSuccessful", "exitCode", "toolExecutionNotifications"]);
            assert!(invocation["executionSuccessful"].is_boolean());
            assert_eq!(invocation["exitCode"], code);
            for notification in list(invocation, "toolExecutionNotifications") {
                text(&notification["message"], "text");
                check_level(&notification["level"]);
            }
        }
        list(run, "artifacts").iter().for_each(|artifact| check_uri(text(&artifact["location"], "uri")));
        let mut fingerprints = BTreeSet::new();
        for result in list(run, "results") {
            check_result(result, &ids);
            let fingerprint = text(&result["partialFingerprints"], "asercheckCause/v1");
            assert!(fingerprints.insert(fingerprint), "two results with one fingerprint");
        }
    }
}

/// Checks that a help text links to a heading of the chapter about patterns, as anchors are made of headings.
fn is_in_the_book(help: &str) {
    let (_, anchor) = help.split_once("(docs/patterns.md#").unwrap_or_else(|| panic!("{help}"));
    let anchor = anchor.split(')').next().unwrap_or_default();
    let chapter = include_str!("../../docs/patterns.md");
    let headings = chapter.lines().filter_map(|line| line.strip_prefix("### "));
    let slug = |heading: &str| -> String {
        let letters = heading.chars().filter(|letter| letter.is_alphanumeric() || *letter == ' ');
        letters.map(|letter| if letter == ' ' { '-' } else { letter.to_ascii_lowercase() }).collect()
    };
    assert!(headings.map(slug).any(|heading| heading == anchor), "{help}");
}

fn check_level(level: &Value) {
    assert!(["none", "note", "warning", "error"].iter().any(|known| level == known), "{level}");
}

fn check_result(result: &Value, rules: &[&str]) {
    // [3.27]
    let names = [
        "ruleId",
        "ruleIndex",
        "level",
        "message",
        "locations",
        "relatedLocations",
        "codeFlows",
        "partialFingerprints",
        "occurrenceCount",
        "rank",
        "properties",
    ];
    has_only(result, &names);
    let index = result["ruleIndex"].as_u64().expect("a number") as usize;
    assert_eq!(rules[index], text(result, "ruleId"));
    check_level(&result["level"]);
    assert!(text(&result["message"], "text").ends_with('.'));
    assert!(result["occurrenceCount"].as_u64().is_some_and(|count| count > 0));
    assert!(result["rank"].as_f64().is_some_and(|rank| (0.0..=100.0).contains(&rank)));
    assert_eq!(list(result, "locations").len(), 1);
    let ids: Vec<_> = list(result, "locations")
        .iter()
        .chain(list(result, "relatedLocations"))
        .map(|location| location["id"].as_u64())
        .collect();
    assert!(
        ids.iter().enumerate().all(|(place, id)| *id == Some(place as u64)),
        "identifiers of locations are unique [3.28.2]"
    );
    list(result, "locations").iter().chain(list(result, "relatedLocations")).for_each(check_location);
    // [3.36, 3.37, 3.38]
    assert_eq!(list(result, "codeFlows").len(), 1);
    let mut order = Vec::new();
    let mut threads = BTreeSet::new();
    for flow in list(&result["codeFlows"][0], "threadFlows") {
        has_only(flow, &["id", "message", "locations"]);
        assert!(threads.insert(text(flow, "id")), "identifiers of thread flows are unique");
        assert!(!list(flow, "locations").is_empty());
        let mut before = 0;
        for place in list(flow, "locations") {
            has_only(place, &["location", "executionOrder", "nestingLevel", "importance", "kinds", "state"]);
            check_location(&place["location"]);
            assert!(["essential", "important", "unimportant"].iter().any(|known| place["importance"] == *known));
            assert!(place["nestingLevel"].as_u64().is_some());
            let number = place["executionOrder"].as_u64().expect("a number");
            assert!(number > before, "time goes forward in a thread");
            before = number;
            order.push(number);
            for state in place["state"].as_object().expect("an object").values() {
                assert!(state["text"].is_string(), "values are messages [3.38.9]");
            }
        }
    }
    order.sort_unstable();
    assert!(order.windows(2).all(|pair| pair[0] < pair[1]), "no two steps at the same time");
}

fn check_location(location: &Value) {
    // [3.28, 3.29, 3.30]
    has_only(location, &["id", "physicalLocation", "logicalLocations", "message"]);
    let physical = &location["physicalLocation"];
    check_uri(text(&physical["artifactLocation"], "uri"));
    has_only(&physical["region"], &["startLine", "startColumn", "snippet"]);
    for name in ["startLine", "startColumn"] {
        assert!(physical["region"][name].as_u64().is_some_and(|number| number > 0));
    }
    for logical in list(location, "logicalLocations") {
        text(logical, "fullyQualifiedName");
    }
    text(&location["message"], "text");
}

fn check_uri(uri: &str) {
    assert!(uri.bytes().all(|byte| byte.is_ascii_graphic() && !b"<>\"{}|\\^`".contains(&byte)), "{uri}");
}

#[test]
fn a_result_for_each_finding() {
    for model in ["stack", "shop2", "workers", "spawner-twice", "causality", "stack-repaired"] {
        let path = format!("models/{model}.eml");
        let sarif = log(&[&path, "--patterns", "--races"]);
        let json = asercheck(&["check", &path, "--patterns", "--races", "--format", "json"]).out.replace("TIME", "0.0");
        let report: Value = serde_json::from_str(&json).expect("JSON");
        let of = |value: &Value| {
            list(value, "findings").iter().map(|finding| text(finding, "fingerprint").to_string()).collect::<Vec<_>>()
        };
        let results = list(&sarif["runs"][0], "results").iter();
        let written: Vec<_> =
            results.map(|result| text(&result["partialFingerprints"], "asercheckCause/v1").to_string()).collect();
        assert_eq!(written, of(&report), "{model}");
    }
}

#[test]
fn automata_many_models_and_what_was_not_decided() {
    log(&["models/skew.eml", "--automaton", "models/skew.phases"]);
    log(&["models/bank-opposite.eml", "--deadlocks", "--races"]);
    let two = log(&["models/stack.eml", "models/bank.eml"]);
    let run = &two["runs"][0];
    assert_eq!((list(run, "artifacts").len(), list(&run["properties"], "models").len()), (2, 2));
    let files: BTreeSet<_> = list(run, "results")
        .iter()
        .map(|result| text(&result["locations"][0]["physicalLocation"]["artifactLocation"], "uri"))
        .collect();
    assert_eq!(files.into_iter().collect::<Vec<_>>(), ["models/bank.eml", "models/stack.eml"]);
    let late = log(&["models/stack.eml", "--pattern", "1", "--timeout", "0s"]);
    let invocation = &late["runs"][0]["invocations"][0];
    assert_eq!(invocation["executionSuccessful"], false);
    assert!(!list(invocation, "toolExecutionNotifications").is_empty());
}

#[test]
fn a_model_that_cannot_be_read_is_a_notification() {
    let arguments = ["check", "models/stack-repaired.eml", "models/none.eml", "--format"];
    let run = asercheck(&[&arguments[..], &["sarif"]].concat());
    assert_eq!(run.code, Some(2), "{run:?}");
    let log: Value = serde_json::from_str(&run.out.replace("TIME", "0.0")).expect("JSON");
    check_log(&log, 2);
    let invocation = &log["runs"][0]["invocations"][0];
    assert_eq!(invocation["executionSuccessful"], false);
    let notification = &list(invocation, "toolExecutionNotifications")[0];
    assert!(text(&notification["message"], "text").contains("cannot read models/none.eml"), "{notification}");
    let run = asercheck(&[&arguments[..], &["github"]].concat());
    assert!(run.out.contains("::error file=models/none.eml,title=asercheck%3A not read::"), "{run:?}");
}

#[test]
fn names_and_paths_of_any_kind() {
    let model = file("größe #1.eml", "shared größe;\nprocess Prüfer * 2 {\n  atomic { read größe; write größe; }\n}\n");
    let log = log(&[&model, "--pattern", "1"]);
    let place = &log["runs"][0]["results"][0]["locations"][0]["physicalLocation"];
    assert!(text(&place["artifactLocation"], "uri").ends_with("gr%C3%B6%C3%9Fe%20%231.eml"));
    // The unit of work, then its accesses.
    assert_eq!((&place["region"]["startLine"], &place["region"]["startColumn"]), (&Value::from(3), &Value::from(3)));
    let first = &log["runs"][0]["results"][0]["relatedLocations"][0]["physicalLocation"]["region"];
    assert_eq!((&first["startLine"], &first["startColumn"]), (&Value::from(3), &Value::from(12)));
}

#[test]
fn long_interleavings_are_folded() {
    let reads = "read y; ".repeat(3_000);
    let model =
        file("long-flow.eml", format!("shared x, y; process P * 2 {{ atomic {{ read x; {reads} write x; }} }}"));
    let log = log(&[&model, "--pattern", "1", "--locations", "x"]);
    let flows = list(&log["runs"][0]["results"][0]["codeFlows"][0], "threadFlows");
    assert!(flows.iter().map(|flow| list(flow, "locations").len()).sum::<usize>() < 40);
}

#[test]
fn annotations_of_a_workflow() {
    let run = asercheck(&["check", "models/shop2.eml", "models/stack-repaired.eml", "--format", "github"]);
    assert_eq!(run.code, Some(1));
    run.assert_snapshot("github");
    // A file's name may not end the property.
    let model = file("a,b:c%.eml", "shared x; process P * 2 { atomic { read x; write x; } }");
    let run = asercheck(&["check", &model, "--pattern", "1", "--format", "github"]);
    assert!(run.out.lines().all(|line| line.starts_with("::") && line.contains("a%2Cb%3Ac%25.eml,")), "{run:?}");
    let late = asercheck(&["check", "models/stack.eml", "--pattern", "1", "--timeout", "0s", "--format", "github"]);
    assert!(
        late.out.contains("::warning file=models/stack.eml,title=asercheck%3A not decided::Not decided (timeout)"),
        "{late:?}"
    );
}

/// A flow of an interleaving of hundreds of steps has the essential ones only.
#[test]
fn long_interleavings_are_short_flows() {
    let many = "atomic { read y; write y; } ".repeat(100);
    let text = format!("shared x, y; process P * 2 {{ {many} atomic {{ read x; write x; }} }}");
    let model = file("long-flows.eml", &text);
    let log = log(&[&model, "--pattern", "1", "--locations", "x"]);
    let result = &list(&list(&log, "runs")[0], "results")[0];
    let flows = list(&list(result, "codeFlows")[0], "threadFlows");
    let count: usize = flows.iter().map(|flow| list(flow, "locations").len()).sum();
    assert!((3..40).contains(&count), "{count}");
    let essential = flows.iter().flat_map(|flow| list(flow, "locations")).filter(|it| it["importance"] == "essential");
    // The begin of the unit and the three accesses.
    assert_eq!(essential.count(), 4);
}
