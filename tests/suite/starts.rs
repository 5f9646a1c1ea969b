//! Who starts whom, on models made for it.

use crate::support::{pattern_queries, violations};
use asercheck::phases::UnitMode;
use asercheck::{Engine, model};

/// A reader whose unit is violated by the writer.
const ROLES: &str = "shared x; process Reader { atomic { read x; read x; } } process Writer { write x; }";

/// Checks whether the reader and the writer can run at once with these starters.
fn check(starters: &str, expected: &[&str]) {
    check_model(&format!("{starters}\n{ROLES}"), expected);
}

fn check_model(text: &str, expected: &[&str]) {
    let model = model::from_text("made.eml", text).unwrap_or_else(|error| panic!("{error}")).model;
    let queries = pattern_queries(&model, UnitMode::Both);
    for engine in [Engine::Explicit, Engine::Symbolic] {
        assert_eq!(violations(&model, &queries, engine), expected, "{engine}\n{text}");
    }
}

#[test]
fn a_start_stands_in_a_called_function() {
    let starters =
        "fn spawn() { call deeper; } fn deeper() { start Reader; start Writer; } process Main { call spawn; }";
    check(starters, &["2 x Reader,Writer"]);
}

#[test]
fn starts_of_others_do_not_count() {
    check("process Main { choose { start Reader; start Reader; } or { start Writer; start Writer; } }", &[]);
    check(
        "process Main { choose { start Reader; start Reader; } or { start Writer; } start Writer; }",
        &["2 x Reader,Writer"],
    );
}

#[test]
fn one_creator_starts_the_creators_of_both() {
    let starters = "process Main { start Node; } \
                    process Node { choose { start Node; start Node; } or { start Reader; } or { start Writer; } }";
    check(starters, &["2 x Reader,Writer"]);
    // With one child each, only one of the two is ever started.
    let starters = "process Main { start Node; } \
                    process Node { choose { start Node; } or { start Reader; } or { start Writer; } }";
    check(starters, &[]);
}

#[test]
fn nothing_happens_before_the_start() {
    // The gate is passed when the write is done; before the start it would be open.
    let locked = "lock gate; shared y; process Main { sync gate { start Late; write y; } } \
                  process Late { sync gate { skip; } atomic { read y; read y; } }";
    check_model(locked, &[]);
}
