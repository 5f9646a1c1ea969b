//! Runs of automata against the definition of acceptance, on all short words.

use crate::words::{accepts, alphabet};
use phases::{Automaton, Performed};

/// Automata whose phases forbid the events of earlier or later phases.
const AUTOMATA: [&str; 5] = [
    "automaton a(T1; x) { p: forbid T1 end; on T1 begin -> q; q: on T1 write x -> r; }",
    "automaton a(T1; x) { p: on T1 begin -> q; q: forbid T1 begin; on T1 end -> r; r: forbid T1 read x; on T1 write x -> s; }",
    "automaton a(T1, T2; x) { p: forbid T2 write x; on T1 read x -> q; q: forbid T1 read x; on T2 write x -> r; }",
    "automaton a(T1; x) { p: forbid * *; on T1 begin -> q; q: forbid * *; on T1 end -> r; }",
    "automaton a(T1, T2; x) { p: on T1 read x -> q; q: forbid T2 *; on T1 read x -> r; r: forbid T1 *; on T2 read x -> s; }",
];

/// Calls a function on all words of up to this length.
fn all_words(alphabet: &[Performed], length: usize, check: &mut impl FnMut(&[Performed])) {
    let mut words = vec![Vec::new()];
    for _ in 0..=length {
        words.iter().for_each(|word: &Vec<Performed>| check(word));
        words = words
            .iter()
            .flat_map(|word| alphabet.iter().map(|next| [&word[..], std::slice::from_ref(next)].concat()))
            .collect();
    }
}

#[test]
fn a_run_is_found_iff_there_is_one() {
    for text in AUTOMATA {
        let automaton = text.parse::<Automaton>().unwrap_or_else(|error| panic!("{error}\n{text}"));
        let threads = automaton.threads().len();
        let mut letters = alphabet(threads, 1);
        // The position of the unit does not matter to these automata.
        letters
            .retain(|(_, action)| !matches!(action, phases::Step::Access { in_unit: true, .. } | phases::Step::Other));
        let (mut accepted, mut refused) = (0, 0);
        all_words(&letters, if threads == 1 { 6 } else { 4 }, &mut |word| {
            let run = automaton.run(word);
            assert_eq!(run.is_some(), accepts(&automaton, word), "{text}\n{word:?}");
            if let Some(places) = run {
                accepted += 1;
                check_run(&automaton, word, &places);
            } else {
                refused += 1;
            }
        });
        assert!(accepted > 0 && refused > 0, "{text}: {accepted} accepted, {refused} refused");
    }
}

/// Each transition is taken at its event, and no forbidden step is in between.
fn check_run(automaton: &Automaton, word: &[Performed], places: &[usize]) {
    assert_eq!(places.len(), automaton.phases().len());
    assert_eq!(places.last().map(|place| place + 1), Some(word.len()));
    let mut from = 0;
    for (phase, place) in automaton.phases().iter().zip(places) {
        assert!(word[from..*place].iter().all(|action| !phase.forbids(action)), "{word:?} {places:?}");
        assert!(phase.event.matches(&word[*place]), "{word:?} {places:?}");
        from = place + 1;
    }
}

#[test]
fn what_is_forbidden_before_the_first_event_is_not_passed() {
    let automaton = AUTOMATA[0].parse::<Automaton>().expect("it is an automaton");
    let location = Some(phases::LocationParameter::new(0));
    let access = phases::Step::Access { access: phases::Access::Write, location, in_unit: false };
    let run = |steps: &[&phases::Step]| {
        let word: Vec<_> = steps.iter().map(|step| (Some(phases::ThreadParameter::new(0)), (*step).clone())).collect();
        automaton.run(&word)
    };
    let (begin, end, write) = (&phases::Step::Begin, &phases::Step::End, &access);
    assert_eq!(run(&[begin, end, write]), Some(vec![0, 2]));
    assert_eq!(run(&[end, begin, write]), None);
    // The first begin takes the transition.
    assert_eq!(run(&[begin, end, begin, write]), Some(vec![0, 3]));
}
