//! Certificates that `asercheck check --certificates` wrote: they are accepted, and refused for models that differ in
//! a statement. The folder `fixtures` has models for orders of acquisitions (R3) and of releases (R4), recursion and
//! silent calls, waiting in a called function, read-write locks that overlap, starts, and an automaton with locks.

use std::fs;
use verify::verify;

fn read(file: &str) -> String {
    fs::read_to_string(format!("{}/tests/fixtures/{file}", env!("CARGO_MANIFEST_DIR"))).expect("a fixture")
}

/// The answers for a model with the certificate of a fixture.
fn answers(fixture: &str, model: &str) -> Vec<String> {
    let answers = verify(model, &read(&format!("{fixture}.cert")), &[&read("together.phases")]);
    answers.expect("both can be read").iter().map(ToString::to_string).collect()
}

const FIXTURES: [(&str, usize); 7] =
    [("acquire", 12), ("release", 56), ("recursion", 5), ("wait", 10), ("modes", 6), ("start", 12), ("together", 3)];

#[test]
fn certificates_are_accepted() {
    for (fixture, count) in FIXTURES {
        let answers = answers(fixture, &read(&format!("{fixture}.eml")));
        assert_eq!(answers.len(), count, "{fixture}");
        assert!(answers.iter().all(|answer| answer.ends_with(": accepted")), "{fixture}: {answers:#?}");
    }
}

#[test]
fn other_models_are_refused() {
    for (fixture, from, to, refusal) in [
        ("acquire", "sync b { } atomic", "sync a { } atomic", "N3"),
        ("acquire", "sync b { sync a { }", "sync b { sync b { }", "N3"),
        ("release", "sync b { } } }", "sync a { } } }", "N3"),
        ("release", "sync a { } } write x", "sync b { } } write x", "N3"),
        ("recursion", "call walk; } or { }", "call log; } or { }", "F3"),
        ("recursion", "{ call walk; } }", "{ call log; } }", "F3"),
        ("recursion", "loop { skip; }", "loop { write size; }", "N6"),
        ("recursion", "loop { skip; } }", "atomic { } skip; }", "N6"),
        ("wait", "wait buffer;", "read count; skip; skip;", "N6"),
        ("wait", "call pause; }", "skip; }", "F2"),
        ("wait", "write count; } }", "call pause; } }", "N6"),
        ("modes", "sync write r { write x; acquire", "sync read r { write x; acquire", "N3"),
        ("modes", "read x; sync read s", "write x; sync read s", "A"),
        ("modes", "read x; release s", "write x; release s", "N5"),
        ("start", "write data; start Worker;", "start Worker; write data;", "N5"),
        ("start", "start Late; }", "skip; }", "S"),
        ("start", "process Late", "process Extra { start Worker; } process Late", "S"),
        ("together", "sync m { call f; }", "sync l { call f; }", "N3"),
    ] {
        let model = read(&format!("{fixture}.eml"));
        assert!(model.contains(from), "{fixture}: {from}");
        let answers = answers(fixture, &model.replacen(from, to, 1));
        let expected = format!(": refused: {refusal}: ");
        assert!(answers.iter().any(|answer| answer.contains(&expected)), "{fixture}, {to}: {answers:#?}");
    }
}

#[test]
fn damage_is_noticed() {
    for (fixture, _) in FIXTURES {
        let certificate = read(&format!("{fixture}.cert"));
        let damaged = certificate.replacen("segments 0", "segments 1", 1);
        let answer = verify(&read(&format!("{fixture}.eml")), &damaged, &[]);
        assert!(answer.is_err(), "{fixture}");
    }
}

/// A clause whose facts are true of the ends, but do not exclude each other, is refused by R1 to R4 alone.
#[test]
fn facts_must_exclude_each_other() {
    for (fixture, condition) in [("acquire", "R3"), ("release", "R4")] {
        let (certificate, model) = (read(&format!("{fixture}.cert")), read(&format!("{fixture}.eml")));
        let begin = format!("clause {} ", &condition[1..]);
        let line = certificate.lines().find(|line| line.starts_with(&begin)).expect("a clause");
        let (head, facts) = line.split_once(',').expect("facts");
        let first = facts.split(',').next().expect("a fact");
        for facts in [first.to_string(), format!("{first},{first}"), first[..first.len() - 2].to_string()] {
            let changed = certificate.replacen(line, &format!("{head},{facts}"), 1);
            let before = &changed[..changed.rfind("end ").expect("a last line")];
            let queries = before.lines().filter(|line| line.starts_with("query ")).count();
            let sealed = format!("{before}end {queries} {}\n", verify::digest(before));
            let answers = verify(&model, &sealed, &[]).expect("it can be read");
            let refused = answers.iter().filter_map(|answer| answer.refusal.as_deref()).collect::<Vec<_>>();
            assert!(refused.len() == 1 && refused[0].starts_with(condition), "{fixture}, {facts}: {refused:?}");
        }
    }
}
