//! Whose fault it is that a unit is broken: its own, as it lets its lock go, or that of who breaks it, as that one takes no lock.

use crate::witness::{Action, Witness};
use std::collections::BTreeMap;

/// A lock that the first thread holds from its first access that takes a transition to its last, without letting it go. Then the others that
/// act between them do without this lock, unless they share it for reading.
pub(super) fn held_throughout(witness: &Witness) -> Option<String> {
    let own: Vec<_> = witness.steps.iter().filter(|step| step.thread == 0).collect();
    let is_access =
        |place: &usize| own[*place].event.is_some() && matches!(own[*place].action, Action::Read | Action::Write);
    let accesses: Vec<usize> = (0..own.len()).filter(is_access).collect();
    let (first, last) = (*accesses.first()?, *accesses.last()?);
    let mut depth: BTreeMap<&str, usize> = BTreeMap::new();
    let mut kept: Option<Vec<&str>> = None;
    for (place, step) in own.iter().enumerate().take(last + 1) {
        if place == first {
            kept = Some(depth.iter().filter(|(_, depth)| **depth > 0).map(|(lock, _)| *lock).collect());
        }
        let Some(lock) = step.object.as_deref() else { continue };
        let is_let_go = match step.action {
            Action::Acquire | Action::Resume => {
                *depth.entry(lock).or_default() += 1;
                false
            }
            Action::Release => {
                let depth = depth.entry(lock).or_default();
                *depth = depth.saturating_sub(1);
                *depth == 0
            }
            Action::Wait => depth.remove(lock).is_some(),
            Action::Read | Action::Write | Action::Begin | Action::End => false,
            Action::Call | Action::Return | Action::Start | Action::Wants => false,
        };
        if let (true, Some(kept)) = (is_let_go, &mut kept) {
            kept.retain(|own| *own != lock);
        }
    }
    kept?.first().map(ToString::to_string)
}

#[cfg(test)]
mod tests {
    use super::held_throughout;
    use crate::witness::{Action, Step, Witness};

    fn witness(steps: &[(Action, &str, bool)]) -> Witness {
        let step = |(action, object, is_event): &(Action, &str, bool)| Step {
            thread: 0,
            action: *action,
            object: Some((*object).to_string()),
            mode: None,
            function: "f".into(),
            file: None,
            line: 1,
            column: 1,
            event: is_event.then_some(1),
            returns: false,
            steps: None,
        };
        Witness { threads: vec!["P".into()], steps: steps.iter().map(step).collect() }
    }

    #[test]
    fn locks_that_are_let_go_are_not_held_throughout() {
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
