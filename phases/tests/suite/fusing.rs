//! Fusion of the begin of a unit with the first access preserves the language; a run finds the transitions.

use crate::words::{accepts, alphabet, is_possible};
use phases::{Automaton, Performed, Step, ThreadParameter, UnitMode, patterns};
use proptest::prelude::*;

#[test]
fn every_pattern_can_be_fused() {
    for pattern in patterns::all() {
        for units in [UnitMode::Both, UnitMode::First] {
            let automaton = pattern.automaton(units);
            let fused = automaton.fuse_begin().expect("patterns begin with a unit of thread 1");
            assert_eq!(fused.phases().len() + 1, automaton.phases().len());
            assert_eq!(fused.fuse_begin(), None);
        }
    }
}

#[test]
fn what_has_another_form_is_not_fused() {
    for text in [
        "automaton a(T1; x) { p: forbid T1 read x; on T1 begin -> q; q: forbid T1 end; on T1 read x -> r; }",
        "automaton a(T1; x) { p: on T1 begin -> q; q: on T1 read x -> r; }",
        "automaton a(T1; x) { p: on T1 begin -> q; q: forbid T1 end, T1 write x; on T1 read x -> r; }",
        "automaton a(T1, T2; x) { p: on T1 begin -> q; q: forbid T1 end; on T2 read x -> r; }",
        "automaton a(T1; x) { p: on T1 begin -> q; q: forbid T1 end; on T1 end -> r; }",
        "automaton a(T1; x) { p: on T1 begin -> q; }",
    ] {
        assert_eq!(text.parse::<Automaton>().unwrap().fuse_begin(), None, "{text}");
    }
}

/// Random numbers that select letters among the possible ones.
fn word() -> impl Strategy<Value = Vec<usize>> {
    prop::collection::vec(0_usize..20, 0..9)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(4000))]

    #[test]
    fn fused_automata_accept_the_same_words(number in 1_usize..=14, first: bool, picks in word()) {
        let units = if first { UnitMode::First } else { UnitMode::Both };
        let automaton = patterns::pattern(number).unwrap().automaton(units);
        let fused = automaton.fuse_begin().unwrap();
        let letters = alphabet(2, automaton.locations().len());
        let mut word: Vec<Performed> = Vec::new();
        let mut state = 0;
        for pick in picks {
            // Any possible letter, with a bias to those that take the next transition.
            let mut all: Vec<_> = letters.iter().filter(|next| is_possible(&[&word[..], &[(*next).clone()]].concat())).collect();
            let takes = |letter: &Performed| automaton.phases().get(state).is_some_and(|s| s.event.matches(letter));
            if pick % 4 > 0 && all.iter().any(|letter| takes(letter)) {
                all.retain(|letter| takes(letter));
            }
            let next = all[pick % all.len()].clone();
            state += usize::from(takes(&next));
            word.push(next);
        }
        for end in 0..=word.len() {
            let expected = accepts(automaton, &word[..end]);
            prop_assert_eq!(accepts(&fused, &word[..end]), expected);
            let run = automaton.run(&word[..end]);
            prop_assert_eq!(run.is_some(), expected);
            if let Some(places) = run {
                prop_assert_eq!(places.last(), Some(&(end - 1)));
                prop_assert!(places.windows(2).all(|pair| pair[0] < pair[1]));
                let mut state = 0;
                for (place, letter) in word[..end].iter().enumerate() {
                    let phase = &automaton.phases()[state];
                    if places[state] == place {
                        prop_assert!(phase.event.matches(letter));
                        state += 1;
                    } else {
                        prop_assert!(!phase.forbids(letter));
                    }
                }
            }
        }
    }
}

#[test]
fn patterns_accept_their_own_accesses() {
    let mut accepted = 0;
    for pattern in patterns::all() {
        for units in [UnitMode::Both, UnitMode::First] {
            let automaton = pattern.automaton(units);
            // Both threads begin a unit, then every event in order.
            let letters = alphabet(2, automaton.locations().len());
            let begins = letters.iter().filter(|(_, step)| *step == Step::Begin);
            let mut word: Vec<_> = begins.cloned().collect();
            for phase in &automaton.phases()[1..] {
                let next = letters.iter().rev().find(|letter| phase.event.matches(letter)).unwrap();
                word.push(next.clone());
            }
            assert!(is_possible(&word) || word.len() > 2);
            assert!(accepts(automaton, &word), "{}", pattern.number());
            // If the second thread has two accesses, a unit that ends in between matters exactly in mode `both`.
            let second: Vec<_> = (2..word.len()).filter(|place| word[*place].0 == word[1].0).collect();
            if let [one, _] = second[..] {
                let of_second = |step: Step| (Some(ThreadParameter::new(1)), step);
                let (end, begin) = (of_second(Step::End), of_second(Step::Begin));
                let split = [&word[..=one], &[end, begin], &word[one + 1..]].concat();
                assert_eq!(accepts(automaton, &split), units == UnitMode::First, "{}", pattern.number());
                accepted += 1;
            }
        }
    }
    assert_eq!(accepted, 18, "nine patterns with two accesses of thread 2, in both modes");
}
