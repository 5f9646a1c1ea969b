//! Deadlocks: each of some threads holds one lock of a cycle and wants the next.
//!
//! Thread `i` is right before it acquires lock `i + 1` (the last thread: lock 1), holds lock `i`, and makes no more
//! steps. When the last thread has come to this point, each of the locks is held by a thread that waits forever. The
//! order in which the threads come to these points does not matter: each thread stays there, and the locks held at the
//! end are the same. So the automaton requires one order.

use crate::automaton::{
    ActionKind, Automaton, Event, Forbidden, ForbiddenAction, LockParameter, LockUse, Mode, Phase, ThreadParameter,
};

/// The reason why a thread that wants a lock of the cycle cannot get it while another thread holds it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Exclusion {
    /// The lock is a plain one; all modes exclude each other.
    Plain,
    /// The lock is held in write mode.
    HeldInWrite,
    /// The lock is wanted in write mode.
    WantedInWrite,
}

/// Returns the automaton of a deadlock of as many threads `T1`, `T2`, ... and locks `l1`, `l2`, ... as there are
/// exclusions, at least two: the exclusion at position `i`, from 0, is that of lock `i + 1`. A lock that can be held in
/// two modes has two exclusions, and so there is an automaton for each.
///
/// # Panics
/// If there are fewer than two locks.
pub fn deadlock(exclusions: &[Exclusion]) -> Automaton {
    let count = exclusions.len();
    assert!(count >= 2, "a deadlock has at least two locks");
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
