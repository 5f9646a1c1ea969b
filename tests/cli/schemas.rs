//! The JSON output: every kind conforms to its schema in `docs/schemas`, and has no member that the schema does not
//! name.

use crate::cli::support::{asercheck, command, file, temporary};
use jsonschema::{Registry, Validator};
use serde_json::{Value, json};

const BASE: &str = "https://asercheck.invalid/";
const NAMES: [&str; 6] = ["witness", "query", "check", "batch-line", "replay", "java"];

fn file_of(name: &str) -> String {
    let version = if name == "java" { 4 } else { 1 };
    format!("{name}-{version}.schema.json")
}

/// A schema; members that it does not name are wrong.
fn strict(name: &str) -> Value {
    let path = format!("{}/docs/schemas/{}", env!("CARGO_MANIFEST_DIR"), file_of(name));
    let mut schema = serde_json::from_str(&std::fs::read_to_string(path).expect("a schema")).expect("JSON");
    forbid_others(&mut schema);
    schema
}

fn forbid_others(value: &mut Value) {
    match value {
        Value::Object(members) => {
            // Conditions name some members only.
            if members.get("type") == Some(&json!("object")) && members.contains_key("properties") {
                members.insert("additionalProperties".into(), Value::Bool(false));
            }
            members.values_mut().for_each(forbid_others);
        }
        Value::Array(values) => values.iter_mut().for_each(forbid_others),
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => {}
    }
}

/// Does something with the validator of a schema.
fn with_schema<T>(name: &str, work: impl FnOnce(&Validator) -> T) -> T {
    let mut registry = Registry::new();
    for name in NAMES {
        registry = registry.add(format!("{BASE}{}", file_of(name)), strict(name)).expect("a URI");
    }
    let registry = registry.prepare().expect("all references are there");
    let schema = json!({ "$ref": format!("{BASE}{}", file_of(name)) });
    work(&jsonschema::options().with_registry(&registry).build(&schema).expect("a schema"))
}

fn assert_valid(name: &str, values: &[Value]) {
    assert!(!values.is_empty());
    with_schema(name, |validator| {
        for value in values {
            let errors: Vec<_> =
                validator.iter_errors(value).map(|error| format!("{}: {error}", error.instance_path())).collect();
            assert!(errors.is_empty(), "{name}: {errors:?}\n{value}");
        }
    });
}

fn report(arguments: &[&str]) -> Value {
    report_of("check", arguments)
}

fn report_of(command: &str, arguments: &[&str]) -> Value {
    let run = asercheck(&[&[command], arguments, &["--format", "json"]].concat());
    serde_json::from_str(&run.out.replace("TIME", "0.0")).unwrap_or_else(|error| panic!("{error}: {run:?}"))
}

/// A model with read-write locks, waiting, and a call of very many steps.
fn rich() -> String {
    let functions: String = (1..12).map(|i| format!("fn f{i}() {{ call f{}; call f{}; }}\n", i - 1, i - 1)).collect();
    let text = format!(
        "rwlock r; lock l; shared x, y;\natomicset s {{ x, y }}\nfn f0() {{ read x; }}\n{functions}\
         process P {{ atomic {{ sync read r {{ read x; }} call f11; write x; }} sync l {{ wait l; }} }}\n\
         process Q {{ sync write r {{ write x; write y; }} }}"
    );
    file("rich.eml", text)
}

#[test]
fn reports_of_check() {
    let (rich, empty) = (rich(), file("empty-schema.eml", ""));
    let locks = "automaton holds(T1, T2; x; r) { q1: on T1 wants read r -> q2; q2: on T2 write x -> q3; }";
    let automata = file("schema.phases", locks);
    let runs: [&[&str]; 8] = [
        &["models/stack.eml"],
        &["models/bank-opposite.eml", "--races", "--deadlocks"],
        &["models/skew.eml", "--automaton", "models/skew.phases"],
        &[&rich, "--automaton", &automata, "--engine", "interleave"],
        &[&rich],
        &[&empty],
        &["models/stack.eml", "--total-timeout", "0s"],
        &["models/stack.eml", "models/bank.eml", "--pattern", "1"],
    ];
    let reports: Vec<_> = runs.iter().map(|arguments| report(arguments)).collect();
    assert_valid("check", &reports);
    let queries: Vec<_> = reports.iter().filter_map(|report| report["queries"].as_array()).flatten().cloned().collect();
    assert_valid("query", &queries);
    let witnesses: Vec<_> = queries.iter().filter_map(|query| query.get("witness")).cloned().collect();
    assert!(witnesses.len() > 10);
    assert_valid("witness", &witnesses);
}

#[test]
fn reports_of_java() {
    let classes = "models/java/client/classes";
    let damaged = file("Damaged.class", [0xca, 0xfe, 0xba, 0xbe, 0, 0]);
    let baseline = temporary("schema-baseline.json");
    let baseline = baseline.to_str().expect("UTF-8");
    let append = [classes, "--class", "client.Append"];
    let reports = [
        report_of("java", &[classes, &damaged]),
        report_of(
            "java",
            &[&append[..], &["--all-queries", "--patterns", "--races", "--write-baseline", baseline]].concat(),
        ),
        report_of("java", &[&append[..], &["--baseline", baseline]].concat()),
        report_of("java", &[classes, "--total-timeout", "0s"]),
        report_of("java", &[classes, "--shard", "2/3"]),
        report_of("java", &[&append[..], &["--repair"]].concat()),
        report_of("java", &[classes, "--class", "client.CheckThenAct", "--repair"]),
    ];
    assert_valid("java", &reports);
    assert_eq!(reports[4]["shard"]["part"], "2/3");
    assert_eq!(reports[0]["problems"].as_array().map(Vec::len), Some(1));
    assert!(reports[1]["subjects"][0]["all_queries"].as_array().is_some_and(|queries| queries.len() > 1));
    assert_eq!(reports[2]["subjects"][0]["findings"], json!([]));
    assert_eq!(reports[3]["ended"], "timeout");
}

#[test]
fn lines_of_a_batch() {
    let folder = temporary("schema-batch");
    let _ = std::fs::remove_dir_all(&folder);
    let folder = folder.to_str().expect("UTF-8");
    let run = asercheck(&[
        "batch",
        "models/stack.eml",
        "models/start-locked.eml",
        "--out",
        folder,
        "--engines",
        "explicit,cpds",
        "--units",
        "both,first",
    ]);
    assert_eq!(run.code, Some(0), "{run:?}");
    let text = std::fs::read_to_string(format!("{folder}/results.jsonl")).expect("results");
    let lines: Vec<Value> = text.lines().map(|line| serde_json::from_str(line).expect("JSON")).collect();
    assert!(lines.iter().any(|line| line["verdict"] == "violation"));
    assert_valid("batch-line", &lines);
    // `show` and `replay` read such a line.
    let violation = text.lines().find(|line| line.contains("\"violation\"")).expect("a violation");
    let line = file("schema-line.jsonl", violation);
    assert_eq!((asercheck(&["replay", &line]).code, asercheck(&["show", &line]).code), (Some(0), Some(0)));
}

#[test]
fn reports_of_replay() {
    let good = report(&["models/stack.eml", "models/bank.eml", "--pattern", "1-12", "--races"]);
    let mut bad = report(&["models/bank.eml", "--pattern", "1"]);
    bad["queries"][0]["witness"]["steps"][3]["line"] = json!(1000);
    let replayed = [("good", &good, Some(0)), ("bad", &bad, Some(4))].map(|(name, value, code)| {
        let run = asercheck(&["replay", &file(&format!("replay-{name}.json"), value.to_string()), "--format", "json"]);
        assert_eq!(run.code, code, "{run:?}");
        serde_json::from_str::<Value>(&run.out).expect("JSON")
    });
    assert_eq!(replayed[1]["results"][0]["replays"], false);
    assert_valid("replay", &replayed);
}

#[test]
fn schemas_refuse_what_is_wrong() {
    let good = report(&["models/bank.eml", "--pattern", "1"]);
    let changes: [fn(&mut Value); 8] = [
        |report| report["version"] = json!(2),
        |report| drop(report.as_object_mut().map(|members| members.remove("version"))),
        |report| report["queries"][0]["verdict"] = json!("maybe"),
        |report| drop(report["queries"][0].as_object_mut().map(|members| members.remove("witness"))),
        |report| report["queries"][0]["reason"] = json!("timeout"),
        |report| report["queries"][0]["witness"]["steps"][0]["action"] = json!("jump"),
        |report| report["findings"][0]["fingerprint"] = json!("0"),
        |report| report["more"] = json!(1),
    ];
    with_schema("check", |validator| {
        assert!(validator.is_valid(&good));
        for (number, change) in changes.iter().enumerate() {
            let mut wrong = good.clone();
            change(&mut wrong);
            assert!(!validator.is_valid(&wrong), "change {number}");
        }
    });
}

#[test]
fn several_models_are_one_object() {
    let both = report(&["models/stack.eml", "models/bank.eml", "--pattern", "1"]);
    let names: Vec<_> =
        both["reports"].as_array().expect("a list").iter().map(|report| report["model"].clone()).collect();
    assert_eq!(names, ["models/stack.eml", "models/bank.eml"]);
    let mut one = report(&["models/bank.eml", "--pattern", "1"]);
    let mut other = both["reports"][1].clone();
    for report in [&mut one, &mut other] {
        report["summary"]["seconds"] = json!(0);
        report["queries"].as_array_mut().expect("a list").iter_mut().for_each(|query| query["seconds"] = json!(0));
    }
    assert_eq!(one, other);
}

#[test]
fn standard_input_is_a_model() {
    use std::io::Write;
    use std::process::Stdio;
    let mut child = command(&["check", "-", "--pattern", "1", "--format", "json"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .expect("it can be started");
    let text = std::fs::read("models/bank.eml").expect("a model");
    child.stdin.take().expect("a pipe").write_all(&text).expect("it reads");
    let output = child.wait_with_output().expect("it ends");
    assert_eq!(output.status.code(), Some(1));
    let value: Value = serde_json::from_slice(&output.stdout).expect("JSON");
    assert_eq!(value["model"], "<stdin>");
    assert_eq!(value["findings"], report(&["models/bank.eml", "--pattern", "1"])["findings"]);
    assert_valid("check", &[value]);
}

#[test]
fn models_that_are_refused_are_named() {
    let run = asercheck(&["check", "models/bank.eml", "models/none.eml", "--pattern", "1", "--format", "json"]);
    assert_eq!(run.code, Some(2), "{run:?}");
    let value: Value = serde_json::from_str(&run.out.replace("TIME", "0.0")).expect("JSON");
    assert_eq!(value["reports"].as_array().map(Vec::len), Some(1));
    assert_eq!(value["refused"][0]["model"], "models/none.eml");
    assert!(value["refused"][0]["error"].as_str().is_some_and(|error| error.contains("cannot read")), "{value}");
    assert_valid("check", &[value]);
}
