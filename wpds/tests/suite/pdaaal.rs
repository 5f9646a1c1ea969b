//! The JSON format of PDAAAL.

#![cfg(feature = "json")]

use crate::support::{Given, configurations, rules};
use proptest::prelude::*;
use std::fmt::Write;
use wpds::text::{self, Document};
use wpds::{Automaton, Control, MinPlus, PostStar, PreStar, Symbol, pdaaal};

fn read(json: &str) -> Document<Option<u64>> {
    pdaaal::read(json.as_bytes(), Some).unwrap_or_else(|error| panic!("{error}"))
}

/// The names of a configuration: the control state and the stack.
type Names<'a> = (&'a str, Vec<&'a str>);

/// The least weights of the configuration, forwards and backwards.
fn weights(document: &Document<Option<u64>>, (control, stack): &Names<'_>) -> (Option<u64>, Option<u64>) {
    let Some(control) = document.controls.find(control).map(Control::new) else { return (None, None) };
    let stack: Option<Vec<Symbol>> = stack.iter().map(|name| document.symbols.find(name).map(Symbol::new)).collect();
    let Some(stack) = stack else { return (None, None) };
    let mut post = PostStar::new(&MinPlus, document.system.clone());
    post.start_at(&mut MinPlus, &document.initial).unwrap();
    post.advance(&mut MinPlus, usize::MAX).unwrap();
    let mut pre = PreStar::new(&MinPlus, document.system.clone());
    pre.target_at(&mut MinPlus, &document.target).unwrap();
    pre.advance(&mut MinPlus, usize::MAX).unwrap();
    let forwards = post.weight_of(&mut MinPlus, control, &stack).unwrap();
    (forwards, pre.weight_of(&mut MinPlus, control, &stack).unwrap())
}

#[test]
fn an_example_is_read() {
    let document = read(
        r#"{"instance": [
            {"state-names": true, "weight-type": "uint"},
            {"notes": [1, {}], "states": {
                "p": {"main": {"to": "p", "push": "body", "weight": 2}, "body": {"to": "q", "pop": "", "weight": 1}}}},
            {"edges": [["p", "main", "end"]], "accepting": ["end"], "initial": ["p"]},
            {"edges": [["q", "main", "end"]], "accepting": ["end"]}
        ]}"#,
    );
    assert_eq!(weights(&document, &("q", vec!["main"])), (Some(3), Some(0)));
    assert_eq!(weights(&document, &("p", vec!["main"])), (Some(0), Some(3)));
}

#[test]
fn states_can_be_numbers_and_members_occur_twice() {
    let document = read(
        r#"{"instance": [
            {"state-names": false, "weight-type": "int"},
            {"states": [
                {"A": {"to": 1, "swap": "B", "weight": 9}, "A": [{"to": 1, "swap": "B", "weight": 4}, {"to": 0, "swap": "A", "weight": 0}]},
                {"B": []}
            ]},
            {"edges": [[0, "A", 7]], "accepting": [7]},
            {"edges": [[1, "B", 8], [8, "", 1]], "accepting": [1]}
        ]}"#,
    );
    assert_eq!((document.system.rule_count(), document.controls.len()), (3, 2));
    assert_eq!(weights(&document, &("1", vec!["B"])), (Some(4), Some(0)));
    // The edge from 8 leads into a control state, from which more is read.
    assert_eq!(weights(&document, &("0", vec!["A"; 1])), (Some(0), Some(4)));
    assert_eq!(weights(&document, &("0", vec!["A", "B", "B"])), (None, Some(4)));
    assert_eq!(weights(&document, &("1", vec![])), (None, Some(0)));
}

#[test]
fn a_star_is_every_symbol_also_a_later_one() {
    let document = read(
        r#"{"instance": [
            {"state-names": true, "weight-type": "none"},
            {"states": {"p": {"*": [{"to": "q", "swap": "*"}, {"to": "p", "push": "X"}]}}},
            {"edges": [["p", "late", "f"]], "accepting": ["f"]},
            {"edges": [["q", "X", "g"], ["g", "late", "f"]], "accepting": ["f"]}
        ]}"#,
    );
    assert_eq!(weights(&document, &("q", vec!["late"])), (Some(1), None));
    assert_eq!(weights(&document, &("q", vec!["X", "X", "late"])), (Some(3), None));
    assert_eq!(weights(&document, &("p", vec!["late"])), (Some(0), Some(2)));
}

#[test]
fn diagnostics_name_the_place() {
    let problem = |kind: &str, states: &str| {
        format!(
            r#"{{"instance": [{{"state-names": true, "weight-type": {kind}}}, {{"states": {states}}}, {{}}, {{}}]}}"#
        )
    };
    let cases = [
        ("{}".to_string(), "there is no member `instance`"),
        ("[1]".to_string(), "expected an object with the member `instance`, found an array"),
        ("{\"pda\": 1}".to_string(), "unexpected member `pda`"),
        ("{\"instance\": [{\"weight-type\": \"none\"}]}".to_string(), "the instance has fewer than four elements"),
        (problem("\"float\"", "{}"), "unknown type of weights `float`"),
        (problem("[\"uint\"]", "{}"), "vectors of weights are not supported"),
        (problem("\"none\"", "[]"), "states have names: expected an object"),
        (problem("\"none\"", r#"{"p": {"a": {"to": 3, "pop": ""}}}"#), "3 is no string, but states have names"),
        (problem("\"none\"", r#"{"p": {"a": {"to": "q"}}}"#), "a rule has one of `pop`, `swap` and `push`"),
        (problem("\"none\"", r#"{"p": {"a": {"pop": ""}}}"#), "a rule has a member `to`"),
        (problem("\"none\"", r#"{"p": {"a": [{}]}}"#), "a rule has a member `to`"),
        (problem("\"none\"", r#"{"p": {"a": {"to": "q", "pop": "x"}}}"#), "the value of `pop` is the empty string"),
        (
            problem("\"none\"", r#"{"p": {"a": {"to": "q", "pop": "", "swap": "b"}}}"#),
            "a rule has one of `pop`, `swap` and `push`",
        ),
        (
            problem("\"none\"", r#"{"p": {"a": {"to": "q", "pop": "", "weight": 1}}}"#),
            "unexpected member `weight` of a rule",
        ),
        (problem("\"uint\"", r#"{"p": {"a": {"to": "q", "pop": ""}}}"#), "a rule has a member `weight`"),
        (
            problem("\"int\"", r#"{"p": {"a": {"to": "q", "pop": "", "weight": -1}}}"#),
            "`-1` is no weight: a natural number below 2^32 - 1",
        ),
        (problem("\"none\"", r#"{"p": {"a": {"to": "q", "push": "*"}}}"#), "a rule pushes one symbol, not `*`"),
        (problem("\"none\"", "{}") + "x", "trailing characters"),
    ];
    for (json, wanted) in cases {
        let error = pdaaal::read(json.as_bytes(), Some).expect_err(wanted).to_string();
        assert!(error.starts_with("1:") && error.ends_with(wanted), "{json}\n{error}\n{wanted}");
    }
}

/// A text of the rules and of two sets of configurations with inner states whose names need care.
fn text_of(rules: &[Given<Option<u64>>], named: &str) -> String {
    let mut text = String::new();
    for rule in rules {
        let word: String = rule.word.iter().map(|symbol| format!(" g{symbol}")).collect();
        let weight = rule.weight.expect("a length");
        writeln!(text, "p{} g{} -> p{}{word} : {weight}", rule.left.0, rule.left.1, rule.to).unwrap();
    }
    text + &format!("initial p0 g0 {named}\ninitial {named} g1 final\ninitial p0 g0 final\ninitial p2 final\n")
        + &format!("target p1 g1 final\ntarget p1 g0 {named}\ntarget {named} g0 final\ntarget p2 final\n")
}

proptest! {
    #[test]
    fn what_is_written_is_read(
        rules in rules(3, 3, (1_u64..4).prop_map(Some)), named in prop::sample::select(vec!["s", "final'", "<p0,g0>0.0''"]),
    ) {
        let document = text::read(text_of(&rules, named).as_bytes(), Some).unwrap();
        let mut json = Vec::new();
        pdaaal::write(&mut json, &document, |weight| *weight).unwrap();
        let again = pdaaal::read(&json[..], Some).unwrap();
        let mut text = Vec::new();
        text::write(&mut text, &again, |weight| *weight).unwrap();
        let third = text::read(&text[..], Some).unwrap();
        for (control, stack) in configurations(3, 3, 2) {
            let names = [format!("p{control}")].into_iter().chain(stack.iter().map(|symbol| format!("g{symbol}")));
            let names: Vec<String> = names.collect();
            let (control, stack) = names.split_first().expect("a control state");
            let at = (control.as_str(), stack.iter().map(String::as_str).collect());
            let expected = weights(&document, &at);
            prop_assert_eq!(weights(&again, &at), expected, "{:?}", at);
            prop_assert_eq!(weights(&third, &at), expected, "{:?}", at);
        }
    }
}

#[test]
fn weights_that_do_not_fit_are_not_written() {
    let document = text::read("p a -> p : 4294967295".as_bytes(), Some).unwrap();
    let error = pdaaal::write(&mut Vec::new(), &document, |weight| *weight).expect_err("it is too large");
    assert_eq!(error.to_string(), "weights of 2^32 - 1 and more cannot be written");
    assert_eq!(document.initial, Automaton::new());
}
