//! Equivalence of handmade contexts.

use super::super::flow::{Exit, Flow, Step};
use super::super::ids::ContextId;
use super::super::test_support::{context, flow, read, write};
use super::equivalence_classes;
use crate::value::Value;

const RETURN: Step = Step::Return(Exit::Any);

fn classes(flows: &[Flow], is_special: impl Fn(ContextId, Option<usize>) -> bool) -> Vec<u32> {
    let contexts: Vec<_> = flows.iter().cloned().map(context).collect();
    let classes = equivalence_classes(&contexts, is_special, &|| false).expect("nothing is cancelled");
    classes.into_iter().map(|class| class.0).collect()
}

fn one(step: Step) -> Flow {
    flow(&[(step, &[1]), (RETURN, &[])])
}

fn call(callee: u32, exit: Exit) -> Step {
    Step::Call(ContextId(callee), exit)
}

#[test]
fn lines_and_unreachable_nodes_do_not_matter() {
    let mut other = one(read(0));
    other.nodes[0].line = 7;
    let unreached = flow(&[(read(0), &[2]), (write(0), &[]), (RETURN, &[])]);
    assert_eq!(classes(&[one(read(0)), other, unreached, one(write(0))], |_, _| false), [0, 0, 0, 3]);
}

#[test]
fn callees_have_to_be_equivalent() {
    let flows = [
        one(call(2, Exit::Any)),
        one(call(3, Exit::Any)),
        one(read(0)),
        one(read(0)),
        one(call(5, Exit::Any)),
        one(read(1)),
    ];
    assert_eq!(classes(&flows, |_, _| false), [0, 0, 2, 2, 4, 5]);
    // Each calls the other.
    let recursive =
        [flow(&[(read(0), &[1]), (call(1, Exit::Any), &[])]), flow(&[(read(0), &[1]), (call(0, Exit::Any), &[])])];
    assert_eq!(classes(&recursive, |_, _| false), [0, 0]);
}

#[test]
fn exits_count_for_callers_only() {
    let gives = |number| flow(&[(read(0), &[1]), (Step::Return(Exit::Gives(Value::Int(number))), &[])]);
    let flows = [gives(0), gives(1), one(call(0, Exit::Any)), one(call(1, Exit::Any))];
    assert_eq!(classes(&flows, |_, _| false), [0, 0, 2, 3]);
}

#[test]
fn special_nodes_and_contexts_differ() {
    let flows = [one(call(2, Exit::Any)), one(call(2, Exit::Any)), one(read(0))];
    assert_eq!(classes(&flows, |id, node| id.0 == 1 && node == Some(0)), [0, 1, 2]);
    assert_eq!(classes(&flows, |id, node| id.0 == 1 && node.is_none()), [0, 1, 2]);
}

#[test]
fn cancelled() {
    assert!(equivalence_classes(&[context(one(read(0)))], |_, _| false, &|| true).is_err());
}
