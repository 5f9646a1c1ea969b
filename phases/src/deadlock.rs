//! Deadlocks: each of some threads holds one lock of a cycle and wants the next.
//!
//! Thread `i` is right before it acquires lock `i + 1` (the last thread: lock 1), holds lock `i`, and does not move any
//! more. When the last thread has come that far, each of the locks is held by somebody who waits for ever. In which
//! order the threads come to their places makes no difference to whether there is a deadlock: each stays where it is
//! from then on, and which threads hold which locks in the end is the same. So one order is asked for.

use crate::automaton::{
    ActionKind, Automaton, Event, Forbidden, ForbiddenAction, LockParameter, LockUse, Mode, Phase, ThreadParameter,
};

/// Why a thread that wants a lock of the cycle cannot get it from the one that holds it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Exclusion {
    /// The lock is a plain one: in any mode.
    Plain,
    /// It is held in write mode.
    HeldInWrite,
    /// It is wanted in write mode.
    WantedInWrite,
}

/// The automaton of a deadlock of as many threads `T1`, `T2`, ... and locks `l1`, `l2`, ... as there are exclusions, at
/// least two: the exclusion at place `i`, from 0, is that of lock `i + 1`. A lock that can be held in two modes has two
/// exclusions, and so one automaton for each.
///
/// # Panics
/// If there are fewer than two locks.
pub fn deadlock(exclusions: &[Exclusion]) -> Automaton {
    let count = exclusions.len();
    assert!(count >= 2, "a deadlock is of two locks at least");
    let names = |prefix: &str, count: usize| (1..=count).map(|number| format!("{prefix}{number}")).collect::<Vec<_>>();
    let phases = (0..count).map(|place| {
        let stays = |thread| Forbidden { thread: Some(ThreadParameter::new(thread)), action: ForbiddenAction::Step };
        let wanted = (place + 1) % count;
        let action = ActionKind::Wants {
            wanted: in_write_if(exclusions[wanted] == Exclusion::WantedInWrite, wanted),
            holding: Some(in_write_if(exclusions[place] == Exclusion::HeldInWrite, place)),
        };
        let event = Event { thread: ThreadParameter::new(place), action };
        Phase { name: format!("q{}", place + 1), forbidden: (0..place).map(stays).collect(), event }
    });
    Automaton {
        name: format!("deadlock{count}"),
        threads: names("T", count),
        locations: Vec::new(),
        locks: names("l", count),
        phases: phases.collect(),
        accepting: format!("q{}", count + 1),
    }
}

fn in_write_if(condition: bool, lock: usize) -> LockUse {
    LockUse { lock: LockParameter::new(lock), mode: condition.then_some(Mode::Write) }
}
