//! The side to repair: the unit, which releases its lock in between, or the interfering call, which takes none.

use super::section::is_access;
use super::witness_locks::WitnessLocks;
use decide::witness::Witness;

/// A lock that the first thread holds from its first access that takes a transition to its last one. Then the threads
/// that act in between do not hold this lock, unless they share it for reading.
pub(super) fn held_throughout(witness: &Witness) -> Option<String> {
    let own: Vec<_> = witness.steps.iter().filter(|step| step.thread == 0).collect();
    let first = own.iter().position(|step| is_access(step))?;
    let last = own.iter().rposition(|step| is_access(step))?;
    let mut held = WitnessLocks::default();
    let mut kept: Vec<&str> = Vec::new();
    for (place, step) in own.iter().enumerate().take(last + 1) {
        if place == first {
            kept = held.locks().collect();
        }
        if let Some(lock) = held.step(step) {
            kept.retain(|own| *own != lock);
        }
    }
    kept.first().map(ToString::to_string)
}

#[cfg(test)]
mod tests {
    use super::held_throughout;
    use decide::witness::{Action, Statement, Step, Witness};

    fn witness(steps: &[(Action, &str, bool)]) -> Witness {
        let step = |(action, object, is_event): &(Action, &str, bool)| {
            let (function, action, object) = ("f".into(), *action, Some((*object).to_string()));
            let statement = Statement { function, file: None, line: 1, column: 1, action, object, mode: None };
            Step { event: is_event.then_some(1), ..Step::new(0, statement) }
        };
        Witness { threads: vec!["P".into()], steps: steps.iter().map(step).collect() }
    }

    #[test]
    fn released_locks_are_not_held_throughout() {
        use Action::{Acquire, Read, Release, Wait, Write};
        let [read, write] = [(Read, "x", true), (Write, "x", true)];
        let [a, b] = ["a", "b"].map(|lock| (Acquire, lock, false));
        let [not_a, not_b] = ["a", "b"].map(|lock| (Release, lock, false));
        for (steps, held) in [
            (&[a, read, write][..], Some("a")),
            (&[read, a, write], None),
            (&[a, read, not_a, a, write], None),
            (&[a, a, read, not_a, write], Some("a")),
            (&[a, b, read, not_b, write], Some("a")),
            (&[a, not_a, b, read, write], Some("b")),
            (&[a, read, (Wait, "a", false), write], None),
            (&[a, (Read, "y", false)], None),
        ] {
            assert_eq!(held_throughout(&witness(steps)).as_deref(), held, "{steps:?}");
        }
    }
}
