//! Compares the walk with executing a process step by step: the walk finds exactly the locks held in the states of the
//! thread.

use super::walk::{Facts, Topic, walk};
use crate::semantics::{Act, LockChange, ThreadState};
use eml::model::{LocationId, LockId, Mode, Model, ProcessId};
use generate::random::{self, Shape};
use limits::{Limits, Meter};
use phases::Access;
use std::collections::{BTreeMap, BTreeSet, HashSet};

/// The observed behaviour of a thread alone.
#[derive(Debug, Default)]
struct Seen {
    /// Held and wanted locks, with their modes.
    wants: BTreeSet<(LockId, Mode, LockId, Mode)>,
    /// The locks held at each access, for each time.
    accesses: BTreeMap<(LocationId, Access), Vec<BTreeMap<LockId, Mode>>>,
    /// Whether all states were explored.
    is_whole: bool,
}

/// Executes a process in all ways, up to bounds on the numbers of states and of calls on the stack.
fn execute(model: &Model, process: ProcessId, states: usize, stack: usize) -> Seen {
    let mut seen = Seen { is_whole: true, ..Seen::default() };
    let start = ThreadState::start(model, process);
    let (mut known, mut open) = (HashSet::from([start.clone()]), vec![start]);
    while let Some(state) = open.pop() {
        for node in state.ready(model, &Meter::start(&Limits::default())).expect("there is no limit") {
            let held = || state.open.locks().collect::<BTreeMap<_, _>>();
            if let Some(Act::Wants { lock: Some(wanted), mode, held }) = state.open.wants(model.node(node).operation) {
                seen.wants.extend(held.iter().map(|(lock, own)| (*lock, *own, wanted, mode)));
            }
            let effect = state.execute(model, node);
            if let Act::Access { access, location, .. } = effect.act {
                seen.accesses.entry((location, access)).or_default().push(held());
            }
            if effect.lock == LockChange::Never {
                continue;
            }
            for after in effect.after {
                if after.calls.len() > stack || known.len() >= states {
                    seen.is_whole = false;
                } else if known.insert(after.clone()) {
                    open.push(after);
                }
            }
        }
    }
    seen
}

/// The locks held at all of these times, in the weakest modes.
fn surely(times: &[BTreeMap<LockId, Mode>]) -> BTreeMap<LockId, Mode> {
    let weakest = |lock: &LockId| times.iter().map(|held| held.get(lock).copied()).min().flatten();
    times[0].keys().filter_map(|lock| Some((*lock, weakest(lock)?))).collect()
}

fn wants(facts: &Facts) -> BTreeSet<(LockId, Mode, LockId, Mode)> {
    let each = facts
        .wants
        .iter()
        .flat_map(|((held, wanted), pairs)| pairs.iter().map(|(own, other)| (*held, own, *wanted, other)));
    each.collect()
}

#[test]
fn the_walk_finds_the_locks_of_a_process_alone() {
    let (mut whole, mut edges, mut protected) = (0, 0, 0);
    for seed in 0..1500 {
        let shape = if seed % 3 == 0 { Shape::of_seed(seed) } else { Shape::with_modes(seed) };
        let text = random::model(seed, &Shape { locks: 3, statements: 6, ..shape });
        let model = eml::model::from_text("m.eml", &text).unwrap_or_else(|error| panic!("{seed}: {error}")).model;
        for process in (0..model.processes().len()).map(ProcessId::new) {
            let seen = execute(&model, process, 4000, 6);
            let [order, accesses] = [Topic::Order, Topic::Accesses].map(|topic| {
                walk(&model, process, topic, &Meter::start(&Limits::default())).expect("there are no limits")
            });
            assert!(order.is_exact && accesses.is_exact, "seed {seed}");
            let found = wants(&order);
            assert!(seen.wants.is_subset(&found), "seed {seed}: {:?} of {found:?}\n{text}", seen.wants);
            for (access, times) in &seen.accesses {
                let always = surely(times);
                let claimed = &accesses.accesses[access];
                let is_held = |(lock, mode): (&LockId, &Mode)| always.get(lock).is_some_and(|own| own >= mode);
                assert!(claimed.iter().all(is_held), "seed {seed}: {claimed:?} of {always:?}\n{text}");
                assert!(!seen.is_whole || *claimed == always, "seed {seed}: {claimed:?} of {always:?}\n{text}");
                protected += usize::from(!claimed.is_empty());
            }
            if seen.is_whole {
                assert_eq!(found, seen.wants, "seed {seed}\n{text}");
                assert!(accesses.accesses.keys().eq(seen.accesses.keys()), "seed {seed}\n{text}");
                whole += 1;
                edges += found.len();
            }
        }
    }
    println!("{whole} processes executed as a whole, {edges} edges, {protected} accesses under locks");
    assert!(whole > 2500 && edges > 500 && protected > 1000, "{whole}, {edges}, {protected}");
}
