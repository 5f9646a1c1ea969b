//! `asercheck java --parts`: the report is that of a run without it, whoever decides which class.

use crate::cli::support::{command, temporary};
use serde_json::{Value, json};
use std::fs;
use std::io::{BufRead, BufReader, Read, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdout, Stdio};

const CLASSES: &str = "models/java/client/classes";

fn folder(name: &str) -> PathBuf {
    let folder = temporary(name);
    let _ = fs::remove_dir_all(&folder);
    folder
}

/// A process that decides parts.
struct Parts {
    process: Child,
    output: BufReader<ChildStdout>,
    opened: Value,
}

impl Parts {
    fn open(cache: &Path, options: &[&str]) -> Self {
        let fixed = ["--parts", "--format", "json", "--quiet", "--jobs", "1", "--cache"];
        let arguments = [&["java", CLASSES], options, &fixed[..], &[cache.to_str().expect("UTF-8")]].concat();
        let mut process = command(&arguments);
        let mut process = process.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().expect("it can be started");
        let mut output = BufReader::new(process.stdout.take().expect("a pipe"));
        let opened = line(&mut output);
        Self { process, output, opened }
    }

    fn missing(&self) -> Vec<u64> {
        self.opened["missing"].as_array().expect("places").iter().filter_map(Value::as_u64).collect()
    }

    fn ask(&mut self, request: &Value) {
        let input = self.process.stdin.as_mut().expect("a pipe");
        writeln!(input, "{request}").expect("it listens");
    }

    fn decide(&mut self, places: &[u64], seconds: f64) -> Value {
        self.ask(&json!({ "decide": { "places": places, "seconds": seconds } }));
        line(&mut self.output)
    }

    fn report(mut self, unkept: Value) -> (String, Option<i32>) {
        if self.opened["is_known"] == json!(false) {
            self.ask(&json!({ "finish": { "unkept": unkept } }));
        }
        let mut text = String::new();
        self.output.read_to_string(&mut text).expect("UTF-8");
        (timeless(&text), self.process.wait().expect("it ends").code())
    }
}

fn line(output: &mut BufReader<ChildStdout>) -> Value {
    let mut line = String::new();
    output.read_line(&mut line).expect("UTF-8");
    serde_json::from_str(&line).unwrap_or_else(|error| panic!("{line}: {error}"))
}

fn timeless(text: &str) -> String {
    text.lines().filter(|line| !line.trim_start().starts_with("\"seconds\":")).collect::<Vec<_>>().join("\n")
}

fn whole(options: &[&str]) -> (String, Option<i32>) {
    let arguments = [&["java", CLASSES, "--format", "json", "--quiet"], options].concat();
    let output = command(&arguments).output().expect("it can be started");
    (timeless(&String::from_utf8(output.stdout).expect("UTF-8")), output.status.code())
}

#[test]
fn several_processes_make_the_report_of_one() {
    let cache = folder("java-parts");
    let options = ["--races", "--exclude", "client.B*"];
    let expected = whole(&options);
    let mut first = Parts::open(&cache, &options);
    let places = first.missing();
    assert!(places.len() > 10 && first.opened["subjects"] == json!(places.len()), "{:?}", first.opened);
    let answer = first.decide(&places[..10], 0.0);
    assert_eq!((&answer["decided"].as_array().map(Vec::len), &answer["left"]), (&Some(1), &json!(places[1..10])));
    // Another process begins while the first one has not ended, from the other end, and knows what was decided.
    let mut second = Parts::open(&cache, &options);
    assert_eq!((second.missing(), &second.opened["run"]), (places[1..].to_vec(), &first.opened["run"]));
    let reversed: Vec<u64> = places[5..].iter().rev().copied().collect();
    assert_eq!(second.decide(&reversed, 1e6)["left"], json!([]));
    // A process that is killed loses nothing.
    second.process.kill().expect("it can be killed");
    second.process.wait().expect("it ends");
    let answer = first.decide(&places, 1e6);
    assert_eq!(answer["decided"].as_array().map(Vec::len), Some(4), "the others are known: {answer}");
    assert_eq!(answer["unkept"], json!({}));
    // A third process makes the report without deciding anything.
    let third = Parts::open(&cache, &options);
    assert_eq!(third.report(json!({})), expected);
    assert_eq!(first.report(json!({})), expected);
    let again = Parts::open(&cache, &options);
    assert_eq!(again.opened["is_known"], json!(true));
    assert_eq!(again.report(json!({})), expected);
    let other = Parts::open(&cache, &["--exclude", "client.B*"]);
    assert!(other.missing() == places && other.opened["run"] != again_run(&cache, &options));
}

fn again_run(cache: &Path, options: &[&str]) -> Value {
    Parts::open(cache, options).opened["run"].clone()
}

#[test]
fn answers_that_a_limit_cuts_short_come_back() {
    let cache = folder("java-parts-limits");
    let options = ["--timeout", "0s", "--class", "client.A*"];
    let expected = whole(&options);
    let mut parts = Parts::open(&cache, &options);
    let places = parts.missing();
    let answer = parts.decide(&places, 1e6);
    let unkept = &answer["unkept"];
    assert_eq!(unkept.as_object().map(serde_json::Map::len), Some(places.len()));
    assert_eq!(parts.decide(&places[1..3], 1e6)["unkept"].as_object().map(serde_json::Map::len), Some(2), "again");
    // A new process knows none of them, and gets them from the scheduler.
    let other = Parts::open(&cache, &options);
    assert_eq!(other.missing(), places);
    assert_eq!(other.report(unkept.clone()), expected);
    assert_eq!(parts.report(unkept.clone()), expected);
}

#[test]
fn wrong_requests_end_the_process() {
    let cache = folder("java-parts-wrong");
    for request in [json!({ "finish": { "unkept": {} } }), json!({ "decide": { "places": [0] } }), json!("begin")] {
        let parts = &mut Parts::open(&cache, &["--class", "client.A*"]);
        parts.ask(&request);
        let mut rest = String::new();
        parts.output.read_to_string(&mut rest).expect("UTF-8");
        assert_eq!((rest.as_str(), parts.process.wait().expect("it ends").code()), ("", Some(2)), "{request}");
    }
    // The end of the input is the end of the process.
    let mut parts = Parts::open(&cache, &["--class", "client.A*"]);
    drop(parts.process.stdin.take());
    assert_eq!(parts.process.wait().expect("it ends").code(), Some(130));
}
