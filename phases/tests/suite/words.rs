//! Words over the actions of threads, for running automata.

use phases::{Access, ActionKind, Automaton, LocationParameter, Performed, ThreadParameter};

/// Everything that `threads` threads can do with `locations` locations.
pub fn alphabet(threads: usize, locations: usize) -> Vec<Performed> {
    let accesses = [Access::Read, Access::Write].into_iter().flat_map(move |access| {
        (0..locations).flat_map(move |at| {
            [false, true].map(move |in_unit| {
                let location = Some(LocationParameter::new(at));
                ActionKind::Access { access, location, in_unit }
            })
        })
    });
    let actions: Vec<_> = accesses.chain([ActionKind::Begin, ActionKind::End]).collect();
    let of_thread = |thread| actions.iter().map(move |action| (Some(ThreadParameter::new(thread)), *action));
    (0..threads).flat_map(of_thread).collect()
}

/// Whether begins and ends of each thread alternate, and accesses say truly whether they lie in between.
pub fn is_possible(word: &[Performed]) -> bool {
    let mut inside = [false; 4];
    word.iter().all(|(thread, action)| {
        let inside = &mut inside[thread.map_or(3, ThreadParameter::index)];
        match action {
            ActionKind::Begin => !std::mem::replace(inside, true),
            ActionKind::End => std::mem::replace(inside, false),
            ActionKind::Access { in_unit, .. } => in_unit == inside,
        }
    })
}

/// Whether the automaton accepts the word by its last action, by the definition: any choice of places.
pub fn accepts(automaton: &Automaton, word: &[Performed]) -> bool {
    fn from(automaton: &Automaton, state: usize, word: &[Performed]) -> bool {
        let Some(phase) = automaton.phases().get(state) else { return word.is_empty() };
        let Some((first, rest)) = word.split_first() else { return false };
        (phase.event.matches(first) && from(automaton, state + 1, rest))
            || (!phase.forbids(first) && from(automaton, state, rest))
    }
    from(automaton, 0, word)
}
