//! Automata over locks: threads that want locks, hold locks, or make no steps.

use crate::words::{accepts, lock_alphabet};
use phases::{
    Automaton, Exclusion, LockParameter, Mode, Performed, Step, ThreadParameter, deadlock, parse, patterns, races,
};

fn performed(thread: usize, step: Step) -> Performed {
    (Some(ThreadParameter::new(thread)), step)
}

fn wants(thread: usize, lock: usize, mode: Mode, held: &[(usize, Mode)]) -> Performed {
    let held = held.iter().map(|(lock, mode)| (LockParameter::new(*lock), *mode)).collect();
    performed(thread, Step::Wants { lock: Some(LockParameter::new(lock)), mode, held })
}

#[test]
fn the_embedded_deadlocks_are_those_that_are_made() {
    let embedded = parse(patterns::TEXT).unwrap();
    for count in [2, 3] {
        let made = deadlock(&vec![Exclusion::Plain; count]);
        let found = embedded.iter().find(|automaton| automaton.name() == made.name());
        assert_eq!(found, Some(&made));
    }
    assert_eq!(races().len(), 2);
}

#[test]
fn exclusions_choose_modes() {
    let text = deadlock(&[Exclusion::WantedInWrite, Exclusion::HeldInWrite, Exclusion::Plain]).to_string();
    assert!(text.contains("on T1 wants l2 holding l1 ->"), "{text}");
    assert!(text.contains("on T2 wants l3 holding write l2 ->"), "{text}");
    assert!(text.contains("on T3 wants write l1 holding l3 ->"), "{text}");
}

#[test]
fn a_thread_that_must_not_step_stays() {
    let automaton = deadlock(&[Exclusion::Plain; 2]);
    let first = wants(0, 1, Mode::Write, &[(0, Mode::Write)]);
    let second = wants(1, 0, Mode::Write, &[(1, Mode::Write)]);
    assert_eq!(automaton.run(&[first.clone(), second.clone()]), Some(vec![0, 1]));
    let moved = |thread| [first.clone(), performed(thread, Step::Other), second.clone()];
    assert_eq!(automaton.run(&moved(1)), Some(vec![0, 2]));
    assert_eq!(automaton.run(&moved(0)), None);
    let access = |thread| {
        let access = phases::Access::Read;
        [first.clone(), performed(thread, Step::Access { access, location: None, in_unit: true }), second.clone()]
    };
    assert_eq!(automaton.run(&access(1)), Some(vec![0, 2]));
    assert_eq!(automaton.run(&access(0)), None);
    let nothing_held = wants(1, 0, Mode::Write, &[]);
    assert_eq!(automaton.run(&[first, nothing_held]), None);
}

#[test]
fn modes_are_compared() {
    let automaton: Automaton =
        "automaton a(T1;;r, s) { q1: on T1 wants read r holding write s -> q2; }".parse().unwrap();
    let holding = |mode| [(1, mode)];
    assert!(automaton.run(&[wants(0, 0, Mode::Read, &holding(Mode::Write))]).is_some());
    assert!(automaton.run(&[wants(0, 0, Mode::Write, &holding(Mode::Write))]).is_none());
    assert!(automaton.run(&[wants(0, 0, Mode::Read, &holding(Mode::Read))]).is_none());
    assert!(automaton.run(&[wants(0, 0, Mode::Read, &[(1, Mode::Read), (1, Mode::Write)])]).is_some());
}

#[test]
fn every_star_covers_no_wants_but_step_does() {
    let run = |forbidden: &str| {
        let text = format!(
            "automaton a(T1, T2;;l) {{ q1: on T2 begin -> q2; q2: forbid T1 {forbidden}; on T2 end -> q3; q3: on T1 begin -> q4; }}"
        );
        let automaton: Automaton = text.parse().unwrap();
        let word = [
            performed(1, Step::Begin),
            wants(0, 0, Mode::Write, &[]),
            performed(1, Step::End),
            performed(0, Step::Begin),
        ];
        automaton.run(&word).is_some()
    };
    assert_eq!([run("*"), run("step"), run("wants l"), run("wants read l")], [true, false, false, true]);
}

#[test]
fn runs_are_those_of_the_definition_on_all_short_words() {
    let texts = [
        deadlock(&[Exclusion::Plain; 2]).to_string(),
        deadlock(&[Exclusion::HeldInWrite, Exclusion::WantedInWrite]).to_string(),
        "automaton a(T1, T2;;l1, l2) { q1: forbid * wants l1 holding l2; on T1 wants l1 -> q2; q2: forbid T1 step, T2 wants write l2; on T2 wants l2 -> q3; }"
            .to_string(),
    ];
    let letters = lock_alphabet(2, 2);
    let mut accepted = 0;
    for automaton in texts.iter().map(|text| text.parse::<Automaton>().unwrap()) {
        for place in 0..letters.len().pow(3) {
            let letter = |digit: u32| letters[place / letters.len().pow(digit) % letters.len()].clone();
            let word = [letter(0), letter(1), letter(2)];
            for length in 1..=3 {
                let is_accepted = accepts(&automaton, &word[..length]);
                assert_eq!(automaton.run(&word[..length]).is_some(), is_accepted, "{automaton}: {word:?}");
                accepted += usize::from(is_accepted);
            }
        }
    }
    assert!(accepted > 1000, "{accepted}");
}
