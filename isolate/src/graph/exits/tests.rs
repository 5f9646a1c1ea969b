//! Exits of handmade contexts; in random contexts, comparison of executions with and without variants.

use super::super::context::MethodContext;
use super::super::flow::{Exit, Flow, Step};
use super::super::ids::ContextId;
use super::super::test_support::{context, flow, read};
use super::{Exits, MAX_VALUES, Variant};
use crate::value::Value;
use std::collections::{BTreeMap, BTreeSet, HashSet};

fn gives(number: i32) -> Exit {
    Exit::Gives(Value::Int(number))
}

fn call(callee: u32, exit: Exit) -> Step {
    Step::Call(ContextId(callee), exit)
}

fn nodes(exits: &Exits, context: &MethodContext, variant: Variant) -> Vec<usize> {
    exits.nodes(context, variant).ones().collect()
}

/// Returns the graph of `if (x) return 1; else throw`, with a read before each.
fn checks() -> Flow {
    flow(&[
        (Step::Skip, &[1, 2]),
        (read(0), &[3]),
        (read(1), &[4]),
        (Step::Return(gives(1)), &[]),
        (Step::Return(Exit::Throws), &[]),
    ])
}

#[test]
fn a_variant_has_the_nodes_before_its_exit() {
    let contexts = [context(checks())];
    let exits = Exits::new(&contexts);
    let variant = |exit| exits.variant_of(ContextId(0), exit).expect("it has this exit");
    assert_eq!(nodes(&exits, &contexts[0], variant(gives(1))), [0, 1, 3]);
    assert_eq!(nodes(&exits, &contexts[0], variant(Exit::Throws)), [0, 2, 4]);
    assert_eq!(nodes(&exits, &contexts[0], variant(Exit::Any)), [0, 1, 2, 3, 4]);
    assert_eq!(exits.variant_of(ContextId(0), gives(2)), None);
    assert_eq!(exits.variant_of(ContextId(0), Exit::Never), None);
}

#[test]
fn a_context_with_one_exit_has_one_variant() {
    let contexts = [context(flow(&[(read(0), &[1, 2]), (Step::Return(gives(1)), &[]), (read(0), &[2])]))];
    let exits = Exits::new(&contexts);
    let whole = Some(Variant::whole(ContextId(0)));
    assert_eq!(exits.variant_of(ContextId(0), gives(1)), whole);
    // The variant includes the diverging nodes.
    assert_eq!(exits.variant_of(ContextId(0), Exit::Never), None);
}

#[test]
fn too_many_values_are_one_exit() {
    let count = i32::try_from(MAX_VALUES).expect("it is small") + 1;
    let returns = (1..=count).map(|number| (Step::Return(gives(number)), Vec::new()));
    let nodes_of: Vec<(Step, Vec<usize>)> =
        [(Step::Skip, (1..=MAX_VALUES + 1).collect())].into_iter().chain(returns).collect();
    let nodes_of: Vec<(Step, &[usize])> = nodes_of.iter().map(|(step, next)| (*step, &next[..])).collect();
    let contexts = [context(flow(&nodes_of))];
    let exits = Exits::new(&contexts);
    let variant = exits.variant_of(ContextId(0), gives(1)).expect("it has this exit");
    assert_eq!(variant.exit, Exit::Gives(Value::Any));
    assert_eq!(nodes(&exits, &contexts[0], variant).len(), MAX_VALUES + 2);
}

#[test]
fn a_diverging_context_has_a_call_that_never_exits() {
    let endless = flow(&[
        (Step::Skip, &[1, 2, 3]),
        (read(0), &[1]),
        (Step::Return(gives(1)), &[]),
        (Step::Return(gives(2)), &[]),
    ]);
    let caller = flow(&[(Step::Skip, &[1, 2]), (call(0, Exit::Never), &[]), (Step::Return(gives(1)), &[])]);
    let contexts = [context(endless), context(caller.clone()), context(caller)];
    let exits = Exits::new(&contexts);
    assert_eq!(exits.variant_of(ContextId(0), Exit::Never), Some(Variant::whole(ContextId(0))));
    // The caller has one exit, whose variant has all nodes.
    assert_eq!(exits.variant_of(ContextId(1), Exit::Never), None);
}

#[test]
fn an_exit_after_a_call_without_this_exit_is_unreachable() {
    let caller = flow(&[
        (Step::Skip, &[1, 2]),
        (call(1, gives(1)), &[3]),
        (call(1, gives(2)), &[4]),
        (Step::Return(gives(1)), &[]),
        (Step::Return(gives(2)), &[]),
    ]);
    let callee = flow(&[(Step::Return(gives(1)), &[])]);
    let itself = flow(&[(call(2, gives(1)), &[1]), (Step::Return(gives(1)), &[])]);
    let contexts = [context(caller), context(callee), context(itself)];
    let exits = Exits::new(&contexts);
    assert_eq!(exits.variant_of(ContextId(0), gives(1)), Some(Variant::whole(ContextId(0))));
    assert_eq!(exits.variant_of(ContextId(0), gives(2)), None);
    assert_eq!(nodes(&exits, &contexts[0], Variant::whole(ContextId(0))), [0, 1, 2, 3]);
    // It calls itself for ever.
    assert_eq!(exits.variant_of(ContextId(2), gives(1)), None);
    assert!(exits.variant_of(ContextId(2), Exit::Never).is_some());
}

#[test]
fn a_variant_has_the_steps_of_its_nodes_and_callees() {
    let caller = flow(&[
        (Step::Skip, &[1, 2]),
        (call(0, gives(1)), &[3]),
        (call(0, Exit::Throws), &[4]),
        (Step::Return(gives(1)), &[]),
        (Step::Return(Exit::Throws), &[]),
    ]);
    let contexts = [context(checks()), context(caller)];
    let exits = Exits::new(&contexts);
    let doing = exits.variants_with(&contexts, [ContextId(1)], |_, step| step == read(1));
    let of = |context, exit| Variant { context: ContextId(context), exit };
    assert!(doing.contains(&of(0, Exit::Throws)) && doing.contains(&Variant::whole(ContextId(1))));
    assert!(!doing.contains(&of(0, gives(1))));
}

/// Returns random contexts that call each other as in the interpreter: one call for each exit of the callee, and one
/// that never exits.
fn random(random: &mut fastrand::Rng) -> Vec<MethodContext> {
    let own: Vec<Vec<Exit>> = (0..3)
        .map(|_| [gives(0), gives(1), Exit::Throws].into_iter().filter(|_| random.u8(0..3) > 0).collect())
        .collect();
    let made = own.iter().map(|exits| {
        let mut flow = Flow::default();
        let count = random.usize(2..5);
        for step in vec![Step::Skip; count].into_iter().chain(exits.iter().map(|exit| Step::Return(*exit))) {
            flow.add(step, 0);
        }
        let any = |random: &mut fastrand::Rng, all: usize| random.usize(1..all.max(2));
        let all = flow.nodes.len();
        for node in 0..count {
            if random.u8(0..3) == 0 {
                let callee = random.usize(0..3);
                for exit in own[callee].iter().copied().chain([Exit::Never]) {
                    let call = flow.add(call(u32::try_from(callee).expect("there are few"), exit), 0);
                    flow.connect(node, call);
                    if exit != Exit::Never {
                        flow.connect(call, any(random, all));
                    }
                }
            } else {
                flow.nodes[node].step = read(random.u16(0..3));
                (0..random.u8(1..3)).for_each(|_| flow.connect(node, any(random, all)));
            }
        }
        context(flow)
    });
    made.collect()
}

/// A thread: its call stack with variants, its place, and the steps that it has executed.
#[derive(Clone)]
struct Thread {
    calls: Vec<(usize, usize, Variant)>,
    at: (usize, usize, Variant),
    past: Vec<Step>,
}

/// Returns the sequences of reads of threads, up to any point within 9 steps; with the variants of the model, or with
/// whole contexts, where a call returns only with its own exit.
fn pasts(contexts: &[MethodContext], exits: &Exits, with_variants: bool) -> HashSet<Vec<Step>> {
    let mut known: BTreeMap<Variant, BTreeSet<usize>> = BTreeMap::new();
    let mut is_in = |variant: Variant, node: usize| {
        let nodes = known
            .entry(variant)
            .or_insert_with(|| exits.nodes(&contexts[variant.context.index()], variant).ones().collect());
        !with_variants || nodes.contains(&node)
    };
    let whole = Variant::whole(ContextId(0));
    let mut found = HashSet::new();
    let mut open = vec![(Thread { calls: Vec::new(), at: (0, 0, whole), past: Vec::new() }, 0)];
    while let Some((thread, steps)) = open.pop() {
        found.insert(thread.past.clone());
        if steps == 9 {
            continue;
        }
        let (id, node, variant) = thread.at;
        let now = &contexts[id].flow.nodes[node];
        let mut goes = |thread: &Thread, from: (usize, usize, Variant), open: &mut Vec<(Thread, usize)>| {
            for next in &contexts[from.0].flow.nodes[from.1].next {
                if is_in(from.2, *next) {
                    open.push((Thread { at: (from.0, *next, from.2), ..thread.clone() }, steps + 1));
                }
            }
        };
        match now.step {
            Step::Call(callee, exit) => {
                let Some(called) =
                    exits.variant_of(callee, exit).filter(|_| with_variants || exit != Exit::Never).or({
                        let is_whole = !with_variants && exit == Exit::Never;
                        is_whole.then_some(Variant::whole(callee))
                    })
                else {
                    continue;
                };
                let mut inner = thread.clone();
                inner.calls.push(thread.at);
                inner.at = (callee.index(), 0, called);
                open.push((inner, steps + 1));
            }
            Step::Return(exit) => {
                let mut outer = thread.clone();
                let Some(call) = outer.calls.pop() else { continue };
                let Step::Call(_, wanted) = contexts[call.0].flow.nodes[call.1].step else { continue };
                let exits_so = if with_variants { wanted != Exit::Never } else { wanted == exit };
                if exits_so {
                    goes(&outer, call, &mut open);
                }
            }
            step => {
                let mut after = thread.clone();
                after.past.extend(matches!(step, Step::Read(_)).then_some(step));
                found.insert(after.past.clone());
                goes(&after, (id, node, variant), &mut open);
            }
        }
    }
    found
}

#[test]
fn every_execution_is_a_path_through_variants() {
    let mut rng = fastrand::Rng::with_seed(3);
    let mut divided = 0;
    for _ in 0..1500 {
        let contexts = random(&mut rng);
        let exits = Exits::new(&contexts);
        let with_variants = pasts(&contexts, &exits, true);
        let whole = pasts(&contexts, &exits, false);
        assert_eq!(with_variants, whole, "{:?}", contexts.iter().map(|context| &context.flow).collect::<Vec<_>>());
        divided += usize::from(exits.of.iter().skip(1).any(|of| of.len() > 1) && whole.len() > 4);
    }
    assert!(divided > 80, "{divided}");
}
