//! Quotients of handmade graphs; for random graphs, comparison of their traces.

use super::super::flow::{Exit, Flow, Step};
use super::super::ids::ContextId;
use super::super::test_support::{acquire, context, flow, read, release, write};
use super::quotients;
use std::collections::{BTreeSet, HashSet};

const RETURN: Step = Step::Return(Exit::Any);

fn smaller(flows: &[Flow]) -> Vec<Flow> {
    let mut contexts: Vec<_> = flows.iter().cloned().map(context).collect();
    quotients(&mut contexts, &|| false).expect("nothing is cancelled");
    contexts.into_iter().map(|context| context.flow).collect()
}

/// Sets the lines of a graph.
fn with_lines(mut flow: Flow, lines: &[u32]) -> Flow {
    flow.nodes.iter_mut().zip(lines).for_each(|(node, line)| node.line = *line);
    flow
}

#[test]
fn bisimilar_nodes_are_merged() {
    let nodes: [(Step, &[usize]); 6] =
        [(Step::Skip, &[1, 2]), (read(0), &[3]), (read(0), &[4]), (write(0), &[5]), (write(0), &[5]), (RETURN, &[])];
    let same = with_lines(flow(&nodes), &[1, 2, 2, 3, 3, 4]);
    assert_eq!(smaller(&[same])[0].nodes.len(), 4);
    assert_eq!(smaller(&[flow(&nodes)])[0].nodes.len(), 6);
}

#[test]
fn nodes_with_different_successors_are_not_merged() {
    let nodes: [(Step, &[usize]); 5] =
        [(Step::Skip, &[1, 2]), (read(0), &[3]), (read(0), &[3, 4]), (write(0), &[4]), (RETURN, &[])];
    assert_eq!(smaller(&[with_lines(flow(&nodes), &[1, 2, 2, 3, 4])])[0].nodes.len(), 5);
}

#[test]
fn skips_vanish() {
    let nodes: [(Step, &[usize]); 5] =
        [(Step::Skip, &[1]), (Step::Skip, &[2]), (Step::Local, &[1, 3]), (read(0), &[1, 4]), (RETURN, &[])];
    let found = &smaller(&[flow(&nodes)])[0];
    assert_eq!(found.nodes.len(), 3);
    assert_eq!(found.nodes.iter().filter(|node| node.step == Step::Skip).count(), 1);
}

#[test]
fn calls_that_do_nothing_are_skips() {
    let call = |callee, exit| Step::Call(ContextId(callee), exit);
    let caller = flow(&[
        (Step::Skip, &[1]),
        (call(1, Exit::Any), &[2]),
        (call(2, Exit::Any), &[3]),
        (call(1, Exit::Throws), &[4]),
        (RETURN, &[]),
    ]);
    let nothing = flow(&[(Step::Skip, &[1]), (RETURN, &[])]);
    let locking = flow(&[(acquire(0), &[1]), (release(0), &[2]), (RETURN, &[])]);
    let found = &smaller(&[caller, nothing, locking])[0];
    let steps: Vec<Step> = found.nodes.iter().map(|node| node.step).collect();
    // The last call never exits, so nothing follows it.
    assert_eq!(steps, [Step::Skip, call(2, Exit::Any)]);
    assert!(found.nodes[1].next.is_empty());
}

#[test]
fn cancelled() {
    assert!(quotients(&mut [context(flow(&[(RETURN, &[])]))], &|| true).is_err());
}

/// Steps with their lines.
type Trace = Vec<(Step, u32)>;

/// Returns all traces from the first node, without skips, of at most `longest` steps.
fn traces(flow: &Flow, longest: usize) -> HashSet<Trace> {
    let visible = |from: &BTreeSet<usize>| {
        let mut found = BTreeSet::new();
        let mut seen = from.clone();
        let mut open: Vec<usize> = from.iter().copied().collect();
        while let Some(node) = open.pop() {
            match flow.nodes[node].step {
                Step::Skip => open.extend(flow.nodes[node].next.iter().copied().filter(|next| seen.insert(*next))),
                _ => drop(found.insert(node)),
            }
        }
        found
    };
    let mut found = HashSet::new();
    let mut open: Vec<(Trace, BTreeSet<usize>)> = vec![(Vec::new(), BTreeSet::from([0]))];
    while let Some((trace, from)) = open.pop() {
        if trace.len() < longest {
            for node in visible(&from) {
                let now = &flow.nodes[node];
                let longer = [&trace[..], &[(now.step, now.line)]].concat();
                open.push((longer, now.next.iter().copied().collect()));
            }
        }
        found.insert(trace);
    }
    found
}

#[test]
fn random_graphs_have_the_same_traces() {
    let mut random = fastrand::Rng::with_seed(4);
    let mut merged = 0;
    for _ in 0..2000 {
        let count = random.usize(2..10);
        let steps = [Step::Skip, Step::Skip, read(0), read(0), write(0), RETURN];
        let mut example = Flow::default();
        for _ in 0..count {
            example.add(steps[random.usize(..steps.len())], random.u32(1..3));
        }
        for from in 0..count {
            if example.nodes[from].step != RETURN {
                (0..random.u8(0..4)).for_each(|_| example.connect(from, random.usize(..count)));
            }
        }
        let found = &smaller(std::slice::from_ref(&example))[0];
        assert_eq!(traces(found, 5), traces(&example, 5), "{example:?}");
        let visible = |flow: &Flow| flow.nodes.iter().filter(|node| node.step != Step::Skip).count();
        assert!(visible(found) <= visible(&example));
        merged += usize::from(visible(found) < visible(&example));
    }
    assert!(merged > 200, "{merged}");
}

/// Two endless loops, one of them with a lock.
#[test]
fn endless_loops_with_different_locks_are_not_merged() {
    let nodes: [(Step, &[usize]); 4] = [(Step::Skip, &[1, 3]), (acquire(0), &[2]), (read(0), &[2]), (read(0), &[3])];
    let found = &smaller(&[with_lines(flow(&nodes), &[1, 2, 3, 3])])[0];
    assert_eq!(found.nodes.len(), 4);
}
