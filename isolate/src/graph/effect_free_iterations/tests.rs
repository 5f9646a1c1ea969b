//! Effect-free iterations in handmade graphs; in random graphs, comparison with enumerated walks and interleavings.

use super::super::context::{LockEffect, MethodContext};
use super::super::flow::{Exit, Flow, InlinedCall, Step};
use super::super::ids::{ContextId, EffectId};
use super::super::test_support::{OwnUnits, RandomFlow, acquire, context, lock, marked, read, release, walks, write};
use super::drop_effect_free_iterations;
use eml::model::Mode;
use std::collections::BTreeSet;

const RETURN: Step = Step::Return(Exit::Any);

/// Returns the graph of the first context without effect-free iterations; all contexts are methods of the subject's
/// class.
pub(super) fn dropped(flows: &[Flow], units: &OwnUnits) -> Flow {
    let mut contexts: Vec<MethodContext> = flows.iter().cloned().map(context).collect();
    drop_effect_free_iterations(&mut contexts, units.units(), &|| false).expect("nothing is cancelled");
    contexts[0].flow.clone()
}

pub(super) fn alone(flow: Flow) -> Flow {
    dropped(&[flow], &OwnUnits::new(1, &[0]))
}

/// Returns the lines of the reachable nodes.
fn lines(flow: &Flow) -> Vec<u32> {
    let walks = walks(flow, flow.nodes.len());
    walks.iter().map(|walk| *walk.last().expect("a walk has a node")).collect::<BTreeSet<_>>().into_iter().collect()
}

fn has_edge(flow: &Flow, from: u32, to: u32) -> bool {
    flow.nodes.iter().any(|node| node.line == from && node.next.iter().any(|next| flow.nodes[*next].line == to))
}

#[test]
fn a_loop_that_spins_reads_once() {
    let spinning = marked(&[(Step::Skip, &[1]), (read(0), &[0, 2]), (RETURN, &[])], &[(1, 0)]);
    assert_eq!(walks(&alone(spinning), 5), BTreeSet::from([vec![1], vec![1, 2], vec![1, 2, 3]]));
}

#[test]
fn nodes_that_only_lead_back_are_removed() {
    let nodes: [(Step, &[usize]); 4] = [(Step::Skip, &[1, 2]), (read(0), &[3]), (RETURN, &[]), (read(1), &[0])];
    assert_eq!(lines(&alone(marked(&nodes, &[(3, 0)]))), [1, 3]);
    // Only the head of an endless loop remains.
    let endless = marked(&[(Step::Skip, &[1]), (read(0), &[0])], &[(1, 0)]);
    assert_eq!(lines(&alone(endless)), [1]);
}

#[test]
fn iterations_with_writes_or_without_marks_stay() {
    let writing = marked(&[(Step::Skip, &[1]), (write(0), &[0, 2]), (RETURN, &[])], &[(1, 0)]);
    assert!(has_edge(&alone(writing), 2, 1));
    let unmarked = marked(&[(Step::Skip, &[1]), (read(0), &[0, 2]), (RETURN, &[])], &[]);
    assert!(has_edge(&alone(unmarked), 2, 1));
}

#[test]
fn a_node_with_clean_and_dirty_paths_is_split() {
    // 1: read, or write; both reach 3, and back.
    let nodes: [(Step, &[usize]); 5] =
        [(Step::Skip, &[1, 2, 4]), (read(0), &[3]), (write(0), &[3]), (read(1), &[0]), (RETURN, &[])];
    let found = alone(marked(&nodes, &[(3, 0)]));
    assert_eq!(lines(&found), [1, 3, 4, 5]);
    assert!(walks(&found, 6).contains(&vec![1, 3, 4, 1, 5]));
}

#[test]
fn a_loop_that_is_entered_in_the_middle_keeps_that_path() {
    let nodes: [(Step, &[usize]); 4] = [(Step::Skip, &[1, 2]), (Step::Skip, &[2, 3]), (read(0), &[1]), (RETURN, &[])];
    let found = walks(&alone(marked(&nodes, &[(2, 1)])), 8);
    assert!(found.contains(&vec![1, 3, 2, 4]));
    assert!(!found.iter().any(|walk| walk.windows(3).any(|part| part == [2, 3, 2])));
}

#[test]
fn iterations_may_acquire_locks_but_not_release_held_ones() {
    let balanced: [(Step, &[usize]); 5] =
        [(Step::Skip, &[1]), (acquire(0), &[2]), (read(0), &[3]), (release(0), &[0, 4]), (RETURN, &[])];
    assert!(!has_edge(&alone(marked(&balanced, &[(3, 0)])), 4, 1));
    let given_up: [(Step, &[usize]); 6] = [
        (acquire(0), &[1]),
        (Step::Skip, &[2]),
        (release(0), &[3]),
        (acquire(0), &[1, 4]),
        (release(0), &[5]),
        (RETURN, &[]),
    ];
    assert!(has_edge(&alone(marked(&given_up, &[(3, 1)])), 4, 2));
}

/// Returns the graph of `synchronized void take() { while (x == 0) wait(); x = 0; }`, with a step before the loop.
fn waiting(before: Step) -> Flow {
    let nodes: [(Step, &[usize]); 8] = [
        (acquire(0), &[1]),
        (before, &[2]),
        (Step::Skip, &[3]),
        (read(0), &[4, 5]),
        (Step::Wait(lock(0)), &[2]),
        (write(0), &[6]),
        (release(0), &[7]),
        (RETURN, &[]),
    ];
    marked(&nodes, &[(4, 2)])
}

#[test]
fn waiting_in_a_fresh_unit_is_a_later_begin() {
    assert_eq!(lines(&alone(waiting(Step::Skip))), [1, 2, 3, 4, 6, 7, 8]);
    // A value read before the loop may be used after it.
    assert!(lines(&alone(waiting(read(1)))).contains(&5));
    assert!(lines(&alone(waiting(write(1)))).contains(&5));
}

/// Returns the graph of `lock(1); read x1; lock(0); while (x == 0) wait on 0; unlock(0); write x1; unlock(1)`, with a
/// step before the loop. It waits at line 7.
fn waiting_inside(before: Step) -> Flow {
    let nodes: [(Step, &[usize]); 11] = [
        (acquire(1), &[1]),
        (read(1), &[2]),
        (acquire(0), &[3]),
        (before, &[4]),
        (Step::Skip, &[5]),
        (read(0), &[6, 7]),
        (Step::Wait(lock(0)), &[4]),
        (release(0), &[8]),
        (write(1), &[9]),
        (release(1), &[10]),
        (RETURN, &[]),
    ];
    marked(&nodes, &[(6, 4)])
}

#[test]
fn waiting_on_a_lock_acquired_just_before_is_a_later_acquisition() {
    assert!(!lines(&alone(waiting_inside(Step::Skip))).contains(&7));
    assert!(lines(&alone(waiting_inside(read(0)))).contains(&7));
    // The lock may be held before.
    let mut twice = waiting_inside(Step::Skip);
    twice.nodes[0].step = acquire(0);
    assert!(lines(&alone(twice)).contains(&7));
    // A caller may hold it.
    let call = Step::Call(ContextId(0), Exit::Any);
    let caller = marked(&[(acquire(0), &[1]), (call, &[2]), (release(0), &[3]), (RETURN, &[])], &[]);
    let called = dropped(&[waiting_inside(Step::Skip), caller], &OwnUnits::new(2, &[1]));
    assert!(lines(&called).contains(&7));
}

#[test]
fn waiting_on_a_lock_that_a_call_has_acquired_before_stays() {
    let call = InlinedCall { callee: ContextId(1), effect: EffectId(1), exit: Exit::Any, open: 0, closed: 0 };
    let mut caller = waiting_inside(Step::Skip);
    caller.nodes[0].step = Step::Inline(call);
    let return_with = Step::ReturnWith(EffectId(1), Exit::Any);
    let wait_after = |of: u16| {
        let mut helper = context(marked(&[(acquire(of), &[1]), (return_with, &[])], &[]));
        helper.lock_effects =
            vec![LockEffect::default(), LockEffect { open: vec![(lock(of), Mode::Write)], ..LockEffect::default() }];
        let mut contexts = [context(caller.clone()), helper];
        let units = OwnUnits::new(2, &[0]);
        drop_effect_free_iterations(&mut contexts, units.units(), &|| false).expect("nothing is cancelled");
        lines(&contexts[0].flow).contains(&7)
    };
    assert!(wait_after(0));
    assert!(!wait_after(2));
}

#[test]
fn waiting_that_can_end_in_another_way_stays() {
    let nodes: [(Step, &[usize]); 8] = [
        (acquire(0), &[1]),
        (Step::Skip, &[2]),
        (read(0), &[3, 6]),
        // An interrupt leaves the loop, which has an effect.
        (Step::Wait(lock(0)), &[1, 4]),
        (write(1), &[5]),
        (release(0), &[7]),
        (release(0), &[7]),
        (RETURN, &[]),
    ];
    let found = alone(marked(&nodes, &[(3, 1)]));
    assert!(walks(&found, 8).contains(&vec![1, 2, 3, 4, 5, 6, 8]));
    assert!(!has_edge(&found, 4, 2));
}

#[test]
fn callers_of_a_waiting_context_have_to_be_fresh() {
    let take = waiting(Step::Skip);
    let call = |before| {
        let nodes: [(Step, &[usize]); 3] = [(before, &[1]), (Step::Call(ContextId(0), Exit::Any), &[2]), (RETURN, &[])];
        marked(&nodes, &[])
    };
    let has_wait = |flows: &[Flow], units: &OwnUnits| lines(&dropped(flows, units)).contains(&5);
    let own = OwnUnits::new(2, &[1]);
    assert!(!has_wait(&[take.clone(), call(acquire(1))], &own));
    assert!(has_wait(&[take.clone(), call(read(1))], &own));
    // A call from outside is a unit by itself.
    assert!(!has_wait(&[take.clone(), call(read(1))], &OwnUnits::new(2, &[]).with_foreign(&[1])));
    // But if the caller is a part of a unit, that unit counts.
    let outer = marked(&[(Step::Call(ContextId(1), Exit::Any), &[1]), (RETURN, &[])], &[]);
    assert!(has_wait(&[take, call(read(1)), outer], &OwnUnits::new(3, &[2]).with_foreign(&[1])));
}

#[test]
fn calls_in_iterations_have_no_effect_and_are_no_units() {
    let call = Step::Call(ContextId(1), Exit::Any);
    let spinning = marked(&[(Step::Skip, &[1]), (call, &[0, 2]), (RETURN, &[])], &[(1, 0)]);
    let doing = |step| marked(&[(step, &[1]), (RETURN, &[])], &[]);
    let stays = |step, units: &OwnUnits| has_edge(&dropped(&[spinning.clone(), doing(step)], units), 2, 1);
    let own = OwnUnits::new(2, &[0]);
    assert!(!stays(read(0), &own));
    assert!(stays(write(0), &own));
    assert!(stays(Step::Start(ContextId(1)), &own));
    assert!(stays(read(0), &OwnUnits::new(2, &[]).with_foreign(&[0])));
    // A unit without accesses does not count.
    assert!(!stays(Step::Skip, &OwnUnits::new(2, &[]).with_foreign(&[0])));
}

#[test]
fn another_state_of_the_head_is_passed_by_marked_edges_only() {
    // Two states of one head, 1 and 3; the value read may be kept from the second one on.
    let nodes: [(Step, &[usize]); 5] =
        [(Step::Skip, &[1]), (Step::Skip, &[2, 4]), (read(0), &[3]), (Step::Skip, &[1]), (RETURN, &[])];
    let of = |marks: &[(usize, usize)]| {
        let mut flow = marked(&nodes, marks);
        flow.heads = [(1, 7), (3, 7)].into();
        alone(flow)
    };
    assert!(has_edge(&of(&[(3, 1)]), 4, 2));
    assert_eq!(lines(&of(&[(3, 1), (2, 3)])), [1, 2, 5]);
}

#[test]
fn changes_of_other_objects_are_effects() {
    let spinning = |step| marked(&[(Step::Skip, &[1]), (step, &[2]), (read(0), &[0, 3]), (RETURN, &[])], &[(2, 0)]);
    assert!(has_edge(&alone(spinning(Step::Local)), 3, 1));
    assert!(!has_edge(&alone(spinning(Step::Skip)), 3, 1));
}

#[test]
fn inner_loops_are_split_before_outer_ones() {
    let nodes: [(Step, &[usize]); 6] = [
        (Step::Skip, &[1]),
        (Step::Skip, &[2]),
        (read(0), &[1, 3]),
        (read(1), &[0, 4]),
        (write(0), &[0, 5]),
        (RETURN, &[]),
    ];
    let found = walks(&alone(marked(&nodes, &[(2, 1), (3, 0), (4, 0)])), 10);
    assert!(found.contains(&vec![1, 2, 3, 4, 5, 1, 2, 3, 4, 5]));
    assert!(!found.iter().any(|walk| walk.windows(2).any(|part| part == [3, 2] || part == [4, 1])));
}

#[test]
fn cancelled() {
    let spinning = marked(&[(Step::Skip, &[1]), (read(0), &[0, 2]), (RETURN, &[])], &[(1, 0)]);
    let mut contexts = [context(spinning)];
    assert!(drop_effect_free_iterations(&mut contexts, OwnUnits::new(1, &[0]).units(), &|| true).is_err());
}

/// Whether a part of a walk, from a head to the node before the next head, is an effect-free iteration.
fn is_iteration(random: &RandomFlow, part: &[usize], head: usize, may_wait: bool) -> bool {
    let flow = &random.flow;
    let at = random.held[head].len();
    let is_free = |node: &usize| match flow.nodes[*node].step {
        Step::Skip | Step::Read(_) | Step::Acquire(..) => true,
        Step::Release(..) => random.held[*node].len() > at,
        Step::Wait(_) => may_wait,
        _ => false,
    };
    let last = part[part.len() - 1];
    flow.marked_edges.get(&head).is_some_and(|sources| sources.contains(&last)) && part.iter().all(is_free)
}

/// Returns the start and the end (exclusive) of an effect-free iteration in a walk.
pub(super) fn iteration(random: &RandomFlow, walk: &[usize], may_wait: bool) -> Option<(usize, usize)> {
    (0..walk.len()).find_map(|from| {
        let next = (from + 1..walk.len()).find(|to| walk[*to] == walk[from])?;
        is_iteration(random, &walk[from..next], walk[from], may_wait).then_some((from, next))
    })
}

fn nodes(walk: &[u32]) -> Vec<usize> {
    walk.iter().map(|line| *line as usize - 1).collect()
}

fn lines_of(walk: &[usize]) -> Vec<u32> {
    (walk.iter()).map(|node| u32::try_from(node + 1).expect("there are few")).collect()
}

#[test]
fn random_graphs_keep_the_walks_without_iterations() {
    const LONGEST: usize = 9;
    let mut random = fastrand::Rng::with_seed(1);
    let mut count = 0;
    for _ in 0..3000 {
        let kinds: &[u8] = if random.bool() { &[0, 1, 1, 2] } else { &[0, 1, 1, 2, 3, 3, 4, 4] };
        let size = random.usize(3..9);
        let example = RandomFlow::new(&mut random, size, kinds);
        let found = walks(&alone(example.flow.clone()), LONGEST);
        let all = walks(&example.flow, LONGEST);
        assert!(found.is_subset(&all), "{:?}", example.flow);
        // If two heads are on each other's iterations, splitting one keeps iterations of the other.
        for walk in found.iter().filter(|_| example.flow.marked_edges.len() == 1) {
            assert_eq!(iteration(&example, &nodes(walk), false), None, "{walk:?} {:?}", example.flow);
        }
        for walk in &all {
            let mut left = nodes(walk);
            while let Some((from, to)) = iteration(&example, &left, false) {
                left.drain(from..to);
                count += 1;
            }
            // A missing walk ends in an iteration that it could not leave.
            let is_there = (0..left.len()).rev().find(|end| found.contains(&lines_of(&left[..=*end])));
            let end = is_there.expect("the first node stays");
            let is_only_read = |node: &usize| {
                matches!(
                    example.flow.nodes[*node].step,
                    Step::Skip | Step::Read(_) | Step::Acquire(..) | Step::Release(..)
                )
            };
            assert!(left[end + 1..].iter().all(is_only_read), "{left:?} {:?}", example.flow);
            let is_lost = end + 1 < left.len();
            let is_over = example.flow.nodes[left[left.len() - 1]].step.exit().is_some();
            assert!(!(is_lost && is_over), "{left:?} {:?}", example.flow);
        }
    }
    assert!(count > 10_000, "{count}");
}
