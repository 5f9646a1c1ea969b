//! The embedded patterns against the table of the language description, an independent formulation.

use phases::{Access, Action, ActionKind, UnitMode, patterns};

/// Accesses as `R1a`: verb, thread, location.
const TABLE: [&str; 14] = [
    "R1l W2l W1l",
    "R1l W2l R1l",
    "W1l R2l W1l",
    "W1l W2l R1l",
    "W1l W2l W1l",
    "W1a W2a W2b W1b",
    "W1a W2b W2a W1b",
    "W1a W2b W1b W2a",
    "W1a R2a R2b W1b",
    "W1a R2b R2a W1b",
    "R1a W2a W2b R1b",
    "R1a W2b W2a R1b",
    "R1a W2b R1b W2a",
    "W1a R2b W1b R2a",
];

#[test]
fn the_accesses_are_those_of_the_table() {
    assert_eq!(patterns::all().len(), 14);
    for (place, row) in TABLE.iter().enumerate() {
        let pattern = patterns::pattern(place + 1).unwrap();
        assert_eq!(pattern.number(), place + 1);
        for units in [UnitMode::Both, UnitMode::First] {
            let automaton = pattern.automaton(units);
            assert_eq!(automaton.phases()[0].event.action, Action::Begin);
            let accesses = automaton.phases()[1..].iter().map(|phase| {
                let ActionKind::Access { access, location, .. } = phase.event.action else { panic!("an access") };
                let verb = if access == Access::Read { 'R' } else { 'W' };
                format!("{verb}{}{}", phase.event.thread.index() + 1, automaton.locations()[location.index()])
            });
            assert_eq!(accesses.collect::<Vec<_>>().join(" "), *row);
        }
    }
    assert!(patterns::pattern(0).is_none() && patterns::pattern(15).is_none());
}

#[test]
fn patterns_that_look_alike_to_a_thread_share_its_view() {
    let view = |number: usize, thread| {
        let automaton = patterns::pattern(number).unwrap().automaton(UnitMode::Both);
        automaton.view(automaton.thread_parameters().nth(thread))
    };
    for other in [7, 9, 10] {
        assert_eq!(view(6, 0), view(other, 0));
    }
    assert_eq!(view(6, 1), view(11, 1));
    assert_ne!(view(6, 0), view(8, 0));
    assert_ne!(view(6, 1), view(7, 1));
}

#[test]
fn the_example_of_the_language_description_is_pattern_12() {
    let text = "
        // Pattern 12 of the table above.
        automaton inconsistent_reads(T1, T2; a, b) {
            q1: on T1 begin -> q2;
            q2: forbid T1 end; on T1 read a  -> q3;
            q3: forbid T1 end; on T2 write b -> q4;
            q4: forbid T1 end; on T2 write a -> q5;
            q5: forbid T1 end; on T1 read b  -> q6;
        }";
    let example = &phases::parse(text).unwrap()[0];
    assert_eq!(example.phases(), patterns::pattern(12).unwrap().automaton(UnitMode::First).phases());
    assert_eq!(example.name(), patterns::pattern(12).unwrap().automaton(UnitMode::Both).name());
}
