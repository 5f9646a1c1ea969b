//! No query exceeds its limits.

use crate::batch::processes::{signal, working_children};
use crate::batch::support::{Scratch, command, example, expect, records, run};
use asercheck::Reason;
use asercheck::answers::VerdictKind;
use generate::family::{Shape, Size, model};
use rustix::process::{Pid, Resource, Rlimit, Signal, prlimit};
use std::process::Stdio;
use std::time::Instant;

/// The allowed delay of the program.
const LATE: f64 = 0.5;

/// The delay that a busy machine may add. If all of several queries are late, the program is the cause.
const BUSY: f64 = 15.0;

/// Returns a model on which the symbolic engine takes long for every query.
fn hard(scratch: &Scratch) -> String {
    let size = Size { shape: Shape::Layers, statements: 300, depth: 3, locks: 8, locations: 3, processes: 2 };
    scratch.file("hard.eml", &model(&size, 1))
}

#[test]
fn time_is_limited() {
    let scratch = Scratch::new("time");
    let arguments = format!("batch {} --engines symbolic --pattern 7 --locations x0,x1", hard(&scratch));
    let begin = Instant::now();
    expect(0, &format!("{arguments} --timeout 1s --jobs 1 --quiet --out"), &scratch.path("batch"));
    let records = records(&scratch.path("batch"));
    assert!(begin.elapsed().as_secs_f64() < records.len() as f64 * (1.0 + LATE) + BUSY);
    assert!(records.len() > 1);
    assert!(records.iter().all(|record| record.query.reason == Some(Reason::Timeout)));
    let seconds: Vec<_> = records.iter().map(|record| record.query.seconds).collect();
    assert!(seconds.iter().all(|seconds| (1.0..1.0 + BUSY).contains(seconds)), "{seconds:?}");
    assert!(seconds.iter().any(|seconds| *seconds < 1.0 + LATE), "{seconds:?}");
}

/// A stopped worker stands for one that does not check the clock.
#[test]
fn workers_that_do_not_answer_are_killed() {
    let scratch = Scratch::new("stopped");
    let arguments = format!("batch {} --engines symbolic --pattern 1 --locations x0", hard(&scratch));
    let folder = scratch.path("batch");
    let mut command = command(&format!("{arguments} --processes P0,P1 --timeout 2s --jobs 1 --quiet --out"), &folder);
    let runner = command.stdout(Stdio::null()).spawn().expect("the program can be started");
    let workers = working_children(runner.id());
    workers.iter().for_each(|worker| signal(*worker, Signal::STOP));
    let output = runner.wait_with_output().expect("it is our child");
    assert!(output.status.success());
    let records = records(&folder);
    assert_eq!(records.len(), 1);
    assert_eq!(records[0].query.reason, Some(Reason::Timeout));
    assert!((2.0..2.0 + BUSY).contains(&records[0].query.seconds), "{}", records[0].query.seconds);
    assert!(records[0].memory.is_some());
}

#[test]
fn memory_is_limited() {
    const CAP: u64 = 48 << 20;
    let scratch = Scratch::new("memory");
    let arguments = format!("batch {} --engines interleave --pattern 12", example("shop3.eml"));
    // All queries are asked, also those that nothing in the model can violate.
    let arguments =
        format!("{arguments} --separate --processes Supplier,Customer --memory 48MiB --timeout 60s --quiet --out");
    expect(0, &arguments, &scratch.path("batch"));
    let (safe, hard): (Vec<_>, Vec<_>) =
        records(&scratch.path("batch")).into_iter().partition(|record| record.query.verdict == VerdictKind::Safe);
    // Nothing in the model can violate some of the queries, so no worker is asked.
    assert!(!hard.is_empty() && safe.iter().all(|record| record.query.seconds == 0.0));
    for record in hard {
        assert_eq!(record.query.reason, Some(Reason::Memory));
        // None if the system refused memory and the worker died of it.
        assert!(record.memory.is_none_or(|memory| memory <= CAP), "{:?}", record.memory);
    }
}

/// The system refuses memory to a worker: here because its limit is lowered, otherwise because it asks for much at
/// once.
#[test]
fn workers_that_are_refused_memory_are_out_of_memory() {
    let scratch = Scratch::new("refused");
    let arguments = format!("batch {} --engines symbolic --pattern 1 --locations x0", hard(&scratch));
    let arguments = format!("{arguments} --processes P0,P1 --memory 1GiB --timeout 60s --jobs 1 --quiet --out");
    let folder = scratch.path("batch");
    let runner = command(&arguments, &folder).stdout(Stdio::null()).spawn().expect("the program can be started");
    for worker in working_children(runner.id()) {
        let little = Rlimit { current: Some(1 << 20), maximum: Some(1 << 20) };
        let pid = i32::try_from(worker).ok().and_then(Pid::from_raw);
        prlimit(pid, Resource::Data, little).expect("it is our child's child");
    }
    let output = runner.wait_with_output().expect("it is our child");
    assert!(output.status.success());
    let records = records(&folder);
    assert_eq!(records.len(), 1);
    assert_eq!((records[0].query.reason, records[0].memory), (Some(Reason::Memory), None));
    assert!(records[0].query.seconds < 30.0);
}

#[test]
fn no_time_at_all_decides_nothing() {
    let scratch = Scratch::new("zero");
    let arguments = format!("batch {} --engines explicit,symbolic --timeout 0s --quiet --out", example("stack.eml"));
    expect(0, &arguments, &scratch.path("batch"));
    assert!(records(&scratch.path("batch")).iter().all(|record| record.query.reason == Some(Reason::Timeout)));
    let arguments = format!("batch {} --timeout 0s --quiet --fail-on unknown --out", example("stack.eml"));
    expect(3, &arguments, &scratch.path("failing"));
    let arguments = format!("batch {} --quiet --fail-on unknown,violation --out", example("stack.eml"));
    expect(1, &arguments, &scratch.path("violated"));
}

/// A model that is not read within the limits has no known number of queries, so nothing is begun.
#[test]
fn limits_hold_while_models_are_read() {
    let scratch = Scratch::new("reading");
    let statement = "sync l { read x; write x; } choose { call f; } or { skip; }\n";
    let text = format!("lock l;\nshared x;\nfn f() {{ }}\nprocess P * 2 {{\n{}}}\n", statement.repeat(60_000));
    let large = scratch.file("large.eml", &text);
    for (limit, reason) in [("--timeout 50ms", "timeout"), ("--memory 32MiB", "memory")] {
        let errors = expect(3, &format!("batch {large} --pattern 1 {limit} --out"), &scratch.path("batch"));
        assert!(errors.contains(&format!("it was not read to its end ({reason})")), "{errors}");
        assert!(!scratch.path("batch").exists());
    }
}

/// A model in which nothing can be violated is distinguished from a proved one in the table, the folder, the report and
/// the exit code.
#[test]
fn vacuous_models_are_not_called_safe() {
    let scratch = Scratch::new("vacuous");
    let idle = scratch.file("idle.eml", "shared x;\nprocess P { read x; }\nprocess Q { write x; }\n");
    let empty = scratch.file("empty.eml", "");
    let stack = example("stack-repaired.eml");
    let folder = scratch.path("batch");
    let output = run(&format!("batch {idle} {empty} {stack} --fail-on vacuous --out"), &folder);
    assert_eq!(output.status.code(), Some(2));
    let text = String::from_utf8_lossy(&output.stdout);
    assert!(text.contains("idle.eml: vacuous (the model has no unit of work)"), "{text}");
    assert!(text.contains("empty.eml: vacuous (the model has no process)"), "{text}");
    assert!(!text.contains("repaired.eml"), "{text}");
    let header = std::fs::read_to_string(folder.join("header.json")).expect("it is there");
    let header: serde_json::Value = serde_json::from_str(&header).expect("JSON");
    let models = header["models"].as_array().expect("models");
    let reasons: Vec<_> = models.iter().map(|model| model["vacuous"].as_str()).collect();
    assert_eq!(reasons, [Some("the model has no unit of work"), Some("the model has no process"), None]);
    // The named locations may be vacuous although the model is not.
    let x = scratch.file("x.eml", "shared x, y;\nprocess P * 2 { atomic { read x; write x; } }\n");
    expect(2, &format!("batch {x} --locations y --fail-on violation,vacuous --quiet --out"), &scratch.path("named"));
    expect(1, &format!("batch {x} --fail-on violation,vacuous --quiet --out"), &scratch.path("all"));
    expect(0, &format!("batch {stack} --fail-on violation,unknown,vacuous --quiet --out"), &scratch.path("safe"));
}
