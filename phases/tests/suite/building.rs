//! Automata that are built in code equal those that are parsed.

use super::text::text;
use phases::{
    Access, ActionKind, Automaton, AutomatonBuilder, BuildError, Event, Forbidden, ForbiddenAction, LocationParameter,
    LockParameter, LockUse, ThreadParameter, deadlock, patterns, races,
};
use proptest::prelude::*;

/// The same automaton, built in code.
fn rebuilt(automaton: &Automaton) -> Result<Automaton, BuildError> {
    let mut builder = AutomatonBuilder::new(automaton.name());
    for (place, name) in automaton.threads().iter().enumerate() {
        assert_eq!(builder.thread(name).index(), place);
    }
    for (place, name) in automaton.locations().iter().enumerate() {
        assert_eq!(builder.location(name).index(), place);
    }
    for (place, name) in automaton.locks().iter().enumerate() {
        assert_eq!(builder.lock(name).index(), place);
    }
    for phase in automaton.phases() {
        builder.phase(&phase.name, phase.forbidden.clone(), phase.event);
    }
    builder.build(automaton.accepting())
}

#[test]
fn the_automata_of_the_crate_can_be_built() {
    let patterns = patterns::all().iter().flat_map(|pattern| {
        [phases::UnitMode::Both, phases::UnitMode::First].map(|units| pattern.automaton(units).clone())
    });
    let deadlocks = [phases::Exclusion::Plain, phases::Exclusion::WantedInWrite]
        .map(|first| deadlock(&[first, phases::Exclusion::HeldInWrite]));
    for automaton in patterns.chain(races().iter().cloned()).chain(deadlocks) {
        assert_eq!(rebuilt(&automaton), Ok(automaton));
    }
}

proptest! {
    #[test]
    fn what_is_read_can_be_built(text in text()) {
        let automaton: Automaton = text.parse().expect("an automaton");
        prop_assert_eq!(rebuilt(&automaton), Ok(automaton));
    }
}

/// One thread that begins a unit.
fn one_phase(change: impl FnOnce(&mut AutomatonBuilder)) -> Result<Automaton, BuildError> {
    let mut builder = AutomatonBuilder::new("a");
    let thread = builder.thread("T1");
    builder.phase("q1", [], Event { thread, action: ActionKind::Begin });
    change(&mut builder);
    builder.build("q2")
}

#[test]
fn what_is_wrong_is_said() {
    assert!(one_phase(|_| {}).is_ok());
    let duplicate = |what, name: &str| Err(BuildError::Duplicate { what, name: name.into() });
    assert_eq!(
        one_phase(|builder| {
            builder.thread("T1");
        }),
        duplicate("thread", "T1")
    );
    assert_eq!(
        one_phase(|builder| {
            builder.thread("T2");
        }),
        Err(BuildError::IdleThread("T2".into()))
    );
    assert_eq!(
        one_phase(|builder| {
            builder.location("read");
        }),
        Err(BuildError::NoName("read".into()))
    );
    assert_eq!(
        one_phase(|builder| {
            builder.lock("a b");
        }),
        Err(BuildError::NoName("a b".into()))
    );
    assert_eq!(
        one_phase(|builder| {
            builder.lock("");
        }),
        Err(BuildError::NoName(String::new()))
    );
    let event = |thread, action| Event { thread: ThreadParameter::new(thread), action };
    assert_eq!(
        one_phase(|builder| {
            builder.phase("q1", [], event(0, ActionKind::End));
        }),
        duplicate("state", "q1")
    );
    assert_eq!(
        one_phase(|builder| {
            builder.phase("q2", [], event(0, ActionKind::End));
        }),
        duplicate("state", "q2")
    );
    let unknown = |what, index| Err(BuildError::Unknown { what, index, phase: "p".into() });
    let phase = |forbidden: Option<Forbidden>, event| {
        one_phase(move |builder| {
            builder.phase("p", forbidden, event);
        })
    };
    let one = |event| phase(None, event);
    assert_eq!(one(event(1, ActionKind::End)), unknown("thread", 1));
    let read = ActionKind::Access { access: Access::Read, location: LocationParameter::new(2), in_unit: true };
    assert_eq!(one(event(0, read)), unknown("location", 2));
    let wanted = LockUse { lock: LockParameter::new(0), mode: None };
    assert_eq!(one(event(0, ActionKind::Wants { wanted, holding: None })), unknown("lock", 0));
    let forbidden = Forbidden { thread: Some(ThreadParameter::new(3)), action: ForbiddenAction::Step };
    assert_eq!(phase(Some(forbidden), event(0, ActionKind::End)), unknown("thread", 3));
    let forbidden = Forbidden { thread: None, action: ForbiddenAction::One(read) };
    assert_eq!(phase(Some(forbidden), event(0, ActionKind::End)), unknown("location", 2));
    assert_eq!(AutomatonBuilder::new("a").build("q1"), Err(BuildError::NoPhase));
}
