//! Findings of deadlocks: calls that hold a lock and wait for the lock of the next one.

use super::cause::{Member, TornAccess, cause_of};
use super::finding::{Fault, Finding, Labels, fingerprint};
use super::lock_wait::LockWait;
use crate::evidence::{Effect, Likelihood};
use crate::violations::section;
use decide::answers::QueryRecord;
use decide::findings::{Group, clarity};
use decide::witness::{Action, Step, Witness};
use isolate::Meanings;
use std::collections::BTreeMap;

impl Finding {
    /// A deadlock of a class: the answer to a query, with the labels of its calls.
    pub fn of_deadlock(
        class: &str,
        record: QueryRecord,
        witness: Witness,
        calls: Vec<String>,
        meanings: &Meanings,
    ) -> Self {
        let names: Vec<String> = record.locks.iter().map(|lock| lock_name(lock)).collect();
        let full = |call: &String| meanings.unit(call).to_string();
        let steps: Vec<[usize; 2]> = (0..calls.len()).filter_map(|thread| of_thread(&witness, thread)).collect();
        let next = |place: usize| names[(place + 1) % names.len()].clone();
        let wait = |(place, [_, wants]): (usize, &[usize; 2])| {
            let step = &witness.steps[*wants];
            LockWait {
                call: full(&calls[place]),
                holds: names[place].clone(),
                wants: next(place),
                method: meanings.method(&step.function).name,
                file: step.file.clone(),
                line: step.line,
            }
        };
        let waits: Vec<LockWait> = steps.iter().enumerate().map(wait).collect();
        let section = steps.first().and_then(|places| section(&witness, places));
        let method = section.as_ref().map_or_else(Default::default, |section| meanings.method(&section.function));
        let access = |wait: &LockWait| TornAccess {
            method: wait.method.clone(),
            file: wait.file.clone(),
            line: wait.line,
            action: Action::Wants,
            location: wait.wants.clone(),
        };
        let locations: Vec<String> = names.iter().map(|name| full_name(class, name)).collect();
        let group = Group::Deadlock;
        let by: Vec<String> = calls.iter().skip(1).map(full).collect();
        let unit = calls.first().map(full).unwrap_or_default();
        let member = Member {
            unit: unit.clone(),
            locations: locations.clone(),
            patterns: Vec::new(),
            group: group.name().into(),
            benign: None,
        };
        let labels = Labels {
            unit: calls.first().cloned().unwrap_or_default(),
            by: calls.get(1).cloned().unwrap_or_default(),
            other_by: calls.iter().skip(2).cloned().collect(),
            locations: names.clone(),
            violations: BTreeMap::from([(record.automaton.clone(), 1)]),
            shown: record.automaton.clone(),
            ..Labels::default()
        };
        let mut sorted = locations.clone();
        sorted.sort();
        Self {
            fingerprint: fingerprint(class, group.name(), &sorted),
            says: says(&calls, &names),
            likelihood: Likelihood::Likely,
            effect: Effect::Exception,
            evidence: Vec::new(),
            patterns: Vec::new(),
            automata: vec![record.automaton],
            locations,
            other_locations: Vec::new(),
            by: by.first().cloned().unwrap_or_default(),
            other_by: by.iter().skip(1).cloned().collect(),
            unit,
            rank: group.rank(clarity(&witness)),
            group: group.name().into(),
            benign_reason: None,
            at_fault: Fault::Unit,
            cause: cause_of(section, waits.iter().map(access).collect(), method, member, by),
            repeats: None,
            also_in: Vec::new(),
            violations: 1,
            witness,
            waits,
            confirmation: None,
            repair: None,
            labels,
        }
    }

    /// Whether it is a deadlock.
    pub fn is_deadlock(&self) -> bool {
        !self.waits.is_empty()
    }

    /// Whether a step of its interleaving acquires or wants a lock of the deadlock.
    pub fn is_of_deadlock(&self, step: &Step) -> bool {
        let is_one = |name: &String| self.labels.locations.contains(&lock_name(name));
        let is_last = step.action == Action::Wants && step.event.is_some();
        is_last || step.action == Action::Acquire && step.object.as_ref().is_some_and(is_one)
    }
}

/// The steps of a thread that acquire its lock, and that want the next one.
fn of_thread(witness: &Witness, thread: usize) -> Option<[usize; 2]> {
    let is_own = |step: &&Step| step.thread == thread;
    let wants = witness.steps.iter().rposition(|step| is_own(&step) && step.action == Action::Wants)?;
    let before = witness.steps[..wants].iter();
    let acquires = before.clone().rposition(|step| is_own(&step) && step.action == Action::Acquire);
    Some([acquires.unwrap_or(wants), wants])
}

/// The name of a lock in Java, from its name in the model: `this`, `rw` for `lock this.rw`.
pub(super) fn lock_name(lock: &str) -> String {
    let name = lock.strip_prefix("lock ").unwrap_or(lock);
    name.strip_prefix("this.").unwrap_or(name).to_string()
}

/// The name of a lock with its class.
fn full_name(class: &str, name: &str) -> String {
    match name {
        "this" => class.to_string(),
        name if name.ends_with(".class") || name.starts_with('"') => name.to_string(),
        name => format!("{class}.{name}"),
    }
}

/// `f() holds a and waits for b, while g() holds b and waits for a: they wait for ever`.
fn says(calls: &[String], locks: &[String]) -> String {
    let one = |(place, call): (usize, &String)| {
        let name = call.split('(').next().unwrap_or(call);
        let name = name.strip_prefix("this.").unwrap_or(name);
        let call = if call.contains('(') { format!("{name}()") } else { name.to_string() };
        format!("{call} holds {} and waits for {}", locks[place], locks[(place + 1) % locks.len()])
    };
    let all: Vec<String> = calls.iter().enumerate().map(one).collect();
    format!("{}: they wait for ever", all.join(", while "))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn locks_have_the_names_of_the_source() {
        assert_eq!(
            ["this", "lock this.rw", "this.a.b", "Pool.class"].map(lock_name),
            ["this", "rw", "a.b", "Pool.class"]
        );
        assert_eq!(full_name("p.Pool", "this"), "p.Pool");
        let calls = ["this.f(int)", "this.g()"].map(String::from);
        let locks = ["a", "this"].map(String::from);
        let says = says(&calls, &locks);
        assert_eq!(says, "f() holds a and waits for this, while g() holds this and waits for a: they wait for ever");
    }
}
