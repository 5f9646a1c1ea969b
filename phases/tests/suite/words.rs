//! Words over the actions of threads, for running automata.

use phases::{Access, Automaton, LocationParameter, LockParameter, Mode, Performed, Step, ThreadParameter};

/// All actions of `threads` threads on `locations` locations.
pub fn alphabet(threads: usize, locations: usize) -> Vec<Performed> {
    let accesses = [Access::Read, Access::Write].into_iter().flat_map(move |access| {
        (0..locations).flat_map(move |at| {
            [false, true].map(move |in_unit| {
                let location = Some(LocationParameter::new(at));
                Step::Access { access, location, in_unit }
            })
        })
    });
    let actions: Vec<_> = accesses.chain([Step::Begin, Step::End, Step::Other]).collect();
    let of_thread = |thread| actions.iter().map(move |action| (Some(ThreadParameter::new(thread)), action.clone()));
    (0..threads).flat_map(of_thread).collect()
}

/// All steps in which one of `threads` threads wants one of `locks` locks, with every set of other locks held in write
/// mode, and the step that is no action.
pub fn lock_alphabet(threads: usize, locks: usize) -> Vec<Performed> {
    let mut letters = Vec::new();
    for thread in (0..threads).map(ThreadParameter::new) {
        letters.push((Some(thread), Step::Other));
        for (lock, mode) in (0..locks).flat_map(|lock| [(lock, Mode::Read), (lock, Mode::Write)]) {
            for set in 0..1 << locks {
                let held = (0..locks).filter(|other| *other != lock && set & (1 << other) != 0);
                let held = held.map(|other| (LockParameter::new(other), Mode::Write)).collect();
                letters.push((Some(thread), Step::Wants { lock: Some(LockParameter::new(lock)), mode, held }));
            }
        }
    }
    letters
}

/// Whether begins and ends of each thread alternate, and `in_unit` of each access is right.
pub fn is_possible(word: &[Performed]) -> bool {
    let mut inside = [false; 4];
    word.iter().all(|(thread, action)| {
        let inside = &mut inside[thread.map_or(3, ThreadParameter::index)];
        match action {
            Step::Begin => !std::mem::replace(inside, true),
            Step::End => std::mem::replace(inside, false),
            Step::Access { in_unit, .. } => in_unit == inside,
            Step::Wants { .. } | Step::Other => true,
        }
    })
}

/// Whether the automaton accepts the word with its last action, by the definition: for some choice of positions.
pub fn accepts(automaton: &Automaton, word: &[Performed]) -> bool {
    fn from(automaton: &Automaton, state: usize, word: &[Performed]) -> bool {
        let Some(phase) = automaton.phases().get(state) else { return word.is_empty() };
        let Some((first, rest)) = word.split_first() else { return false };
        (phase.event.matches(first) && from(automaton, state + 1, rest))
            || (!phase.forbids(first) && from(automaton, state, rest))
    }
    from(automaton, 0, word)
}
