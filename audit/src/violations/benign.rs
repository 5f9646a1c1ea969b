//! Violations that are often accepted, with the reason. They are reported last, and never omitted.

use super::bookkeeping::Bookkeeping;
use super::violated_unit::LocationViolations;
use decide::witness::{Action, Witness};
use std::collections::BTreeSet;

/// Methods of a task that threads and executors call.
const OF_TASKS: [&str; 3] = ["run", "call", "compute"];

/// Methods that only describe or compare an object.
const READERS: [&str; 3] = ["toString", "hashCode", "equals"];

/// Patterns whose second thread only reads.
const SEEN_BY_OTHERS: [usize; 4] = [3, 9, 10, 14];

/// Patterns of two threads that initialize the same field.
const UPDATES: [usize; 3] = [1, 2, 4];

/// The reason why violations of a unit are possibly benign, as text; none if there is no such reason.
///
/// - The unit is `toString`, `hashCode` or `equals`: it may see a mixture of two states, which does not last. Not if it
///   builds the only location in place (see [`Bookkeeping`]).
/// - Only such methods see an intermediate state of the unit.
/// - *Double-checked initialization*: the unit reads one field without a lock, acquires a lock, reads again and only
///   then writes; no other entry writes the field.
/// - The unit is the method of a task, and no other entry writes the fields: two threads must run one task. Not if the
///   fields are static: two tasks share them.
/// - A *counter for statistics*, or a *cache*: the only location is one; see [`Bookkeeping`].
pub fn benign_reason(
    bookkeeping: &Bookkeeping,
    unit: &str,
    locations: &BTreeSet<String>,
    violations: &LocationViolations,
) -> Option<String> {
    let all: Vec<&str> =
        violations.interfering_calls.iter().map(String::as_str).filter(|name| is_reader(name)).collect();
    if only_looks(bookkeeping, unit, locations) {
        return Some(format!("{} only looks at the object", method(unit)));
    }
    let is_only_seen = violations.counts.keys().all(|label| label.parse().is_ok_and(|it| SEEN_BY_OTHERS.contains(&it)));
    if is_only_seen && !all.is_empty() && all.len() == violations.interfering_calls.len() {
        let mut names: Vec<_> = all.into_iter().map(method).collect();
        names.dedup();
        return Some(format!("only {} sees what is not finished", names.join(", ")));
    }
    let by_itself = !violations.is_written_by_others && interferes_only_with_itself(unit, violations);
    let is_alone = locations.len() == 1 && by_itself;
    let is_update = violations.patterns.iter().all(|pattern| UPDATES.contains(pattern));
    if is_alone && is_update && is_double_checked(&violations.witness) {
        return Some("it looks again under the lock before it writes (double-checked initialization)".to_string());
    }
    if is_own_task(unit) && by_itself {
        return Some("two threads must run the same task".to_string());
    }
    let location = locations.first().filter(|_| locations.len() == 1)?;
    if bookkeeping.is_cache(location) {
        return Some(format!("{location} is made when it is first asked for, and again if two threads ask (a cache)"));
    }
    bookkeeping
        .is_counter(location)
        .then(|| format!("{location} is only counted, and given back: a counter for statistics loses some"))
}

/// Whether no further violation of a unit on these locations can change the result of [`benign_reason`], whichever
/// violation is shown. Once true, it stays true.
///
/// A unit that only reads is possibly benign in any case. Each other reason requires a condition of all violations, and
/// is excluded as soon as a known violation does not meet it.
pub fn is_settled(
    bookkeeping: &Bookkeeping,
    unit: &str,
    locations: &BTreeSet<String>,
    violations: &LocationViolations,
) -> bool {
    let is_seen_by_others = |label: &String| label.parse().is_ok_and(|it| SEEN_BY_OTHERS.contains(&it));
    let by_readers = violations.counts.keys().all(is_seen_by_others)
        && violations.interfering_calls.iter().all(|name| is_reader(name));
    let is_update = locations.len() == 1 && violations.patterns.iter().all(|pattern| UPDATES.contains(pattern));
    let by_itself = interferes_only_with_itself(unit, violations) && (is_update || is_own_task(unit));
    let is_kept = || match locations.first() {
        Some(only) if locations.len() == 1 => bookkeeping.is_counter(only) || bookkeeping.is_cache(only),
        Some(_) | None => false,
    };
    only_looks(bookkeeping, unit, locations) || !(by_readers || by_itself || is_kept())
}

/// Whether a unit only describes or compares the object, without a value of the only location that is not finished.
fn only_looks(bookkeeping: &Bookkeeping, unit: &str, locations: &BTreeSet<String>) -> bool {
    let is_built = || match locations.first() {
        Some(only) if locations.len() == 1 => bookkeeping.is_built_in_place(only),
        Some(_) | None => false,
    };
    is_reader(unit) && !is_built()
}

/// The simple name of a method in `this.toString()` or `Pool.equals(Object)`.
fn method(name: &str) -> &str {
    let name = name.split('(').next().unwrap_or(name);
    name.rsplit('.').next().unwrap_or(name)
}

/// Whether a unit is the method of a task: `this.run()`.
pub(crate) fn is_task(name: &str) -> bool {
    OF_TASKS.contains(&method(name)) && name.contains("()")
}

/// Whether a unit is the method of a task that is the subject's object itself: `this.run()`.
fn is_own_task(name: &str) -> bool {
    is_task(name) && name.starts_with("this.")
}

/// Whether the unit itself is the only known interfering call.
fn interferes_only_with_itself(unit: &str, violations: &LocationViolations) -> bool {
    violations.interfering_calls.iter().all(|interfering_call| interfering_call == unit)
}

fn is_reader(name: &str) -> bool {
    READERS.contains(&method(name))
}

/// Whether the first thread reads without a lock, and the second one, which runs the same method, reads under a lock
/// before it writes.
fn is_double_checked(witness: &Witness) -> bool {
    let accesses = |thread: usize| {
        let mut held = 0_usize;
        witness.steps.iter().filter(move |step| step.thread == thread).filter_map(move |step| match step.action {
            Action::Acquire => {
                held += 1;
                None
            }
            Action::Release => {
                held = held.saturating_sub(1);
                None
            }
            Action::Read | Action::Write => Some((step.action, held > 0)),
            _ => None,
        })
    };
    let first: Vec<_> = accesses(0).collect();
    let second: Vec<_> = accesses(1).collect();
    let looks_first = first.first() == Some(&(Action::Read, false));
    let write = second.iter().position(|(action, _)| *action == Action::Write);
    let looks_again = write.is_some_and(|write| {
        second[write].1
            && second[..write].contains(&(Action::Read, true))
            && second.first() == Some(&(Action::Read, false))
    });
    let writes_under_lock = first.iter().all(|(action, is_locked)| *action != Action::Write || *is_locked);
    looks_first && looks_again && writes_under_lock
}
