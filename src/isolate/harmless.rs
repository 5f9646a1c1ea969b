//! Units that can be broken, but where that is often accepted: they are reported last, with the reason, and never left out.

use super::broken::Broken;
use super::facts::Facts;
use super::subject::instance_fields;
use crate::witness::{Action, Witness};
use java::{ClassId, FieldId, Instruction, Member, Operator, Program, Type};
use std::collections::BTreeSet;

/// Methods that only describe or compare an object.
const READERS: [&str; 3] = ["toString", "hashCode", "equals"];

/// Patterns of which the second thread only reads.
const SEEN_BY_OTHERS: [usize; 4] = [3, 9, 10, 14];

/// Patterns of two threads that initialize the same field.
const UPDATES: [usize; 3] = [1, 2, 4];

/// The locations of an object of a class that are counters for statistics, by their names in the model: all of the program that matters where it
/// is asked why something is perhaps harmless.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Counters(BTreeSet<String>);

impl Counters {
    /// Those of a class. Linear in the code of its nest for each private number that changes.
    pub fn of(program: &Program, facts: &Facts, class: ClassId) -> Self {
        let changing: Vec<FieldId> =
            instance_fields(program, class).filter(|field| facts.changes(*field, program)).collect();
        if changing.len() < 2 {
            return Self::default();
        }
        let mut seen = BTreeSet::new();
        let name = |field: FieldId| program.text(program.field(field).name);
        // Of fields of one name, the first is meant.
        let named = changing.into_iter().filter(|field| seen.insert(name(*field)));
        let counters = named.filter(|field| is_counter(program, facts, *field));
        Self(counters.map(|field| name(field).to_string()).collect())
    }

    fn has(&self, location: &str) -> bool {
        self.0.contains(location)
    }
}

/// Why a unit that can be broken is perhaps harmless, in words; nothing if there is no such reason.
///
/// - The unit is `toString`, `hashCode` or `equals`: what it sees may mix two states of the object, and nothing stays wrong.
/// - Only such methods see what the unit has not finished.
/// - *Double-checked initialization*: the unit looks at one field without a lock, acquires one, looks again and only then writes;
///   nothing else breaks it than itself.
/// - A *counter for statistics*: the only field concerned is a private number that is one of several things that change, to which constants are
///   added, and which is otherwise only given back.
pub fn harmless(counters: &Counters, broken: &Broken) -> Option<String> {
    let all: Vec<&str> = broken.breakers.iter().map(String::as_str).filter(|name| is_reader(name)).collect();
    if is_reader(&broken.unit) {
        return Some(format!("{} only looks at the object", method(&broken.unit)));
    }
    let is_only_seen = broken.violations.keys().all(|label| label.parse().is_ok_and(|it| SEEN_BY_OTHERS.contains(&it)));
    if is_only_seen && !all.is_empty() && all.len() == broken.breakers.len() {
        let mut names: Vec<_> = all.into_iter().map(method).collect();
        names.dedup();
        return Some(format!("only {} sees what is not finished", names.join(", ")));
    }
    let is_alone = broken.locations.len() == 1 && broken.breakers.len() == 1 && broken.breakers.contains(&broken.unit);
    let is_update = broken.patterns.iter().all(|pattern| UPDATES.contains(pattern));
    if is_alone && is_update && is_double_checked(&broken.witness) {
        return Some("it looks again under the lock before it writes (double-checked initialization)".to_string());
    }
    let mut locations = broken.locations.iter();
    let (location, others) = (locations.next()?, locations.next());
    (others.is_none() && counters.has(location))
        .then(|| format!("{location} is only counted, and given back: a counter for statistics loses some"))
}

/// Whether no other violation of a unit can change what [`harmless`] says of it, whichever of them is shown. Once that is so, it stays so.
///
/// A unit that only looks is perhaps harmless in any case. Each other reason asks that something is true of all violations; it is gone when
/// it is not true of those that are known.
pub fn is_settled(counters: &Counters, broken: &Broken) -> bool {
    let is_seen_by_others = |label: &String| label.parse().is_ok_and(|it| SEEN_BY_OTHERS.contains(&it));
    let by_readers =
        broken.violations.keys().all(is_seen_by_others) && broken.breakers.iter().all(|name| is_reader(name));
    let is_alone = broken.locations.len() == 1 && broken.breakers.iter().all(|breaker| *breaker == broken.unit);
    let by_itself = is_alone && broken.patterns.iter().all(|pattern| UPDATES.contains(pattern));
    let is_counter = || match broken.locations.first() {
        Some(only) if broken.locations.len() == 1 => counters.has(only),
        Some(_) | None => false,
    };
    is_reader(&broken.unit) || !(by_readers || by_itself || is_counter())
}

/// Whether a field, beside other things that change, is a private number that is only counted.
fn is_counter(program: &Program, facts: &Facts, field: FieldId) -> bool {
    let declared = program.field(field);
    let is_number = matches!(program.field_type(declared.descriptor), Some(Type::Int | Type::Long));
    // Others than the classes of its nest do not see it.
    declared.flags.is_private()
        && is_number
        && facts.nest(program, declared.class).iter().all(|class| only_counts(program, *class, field))
}

/// Whether the methods of a class do nothing with a field but to add constants to it and to give it back.
fn only_counts(program: &Program, class: ClassId, field: FieldId) -> bool {
    let is_it = |member: &Member| program.resolve_field(*member).found() == Some(field);
    program.class(class).methods().all(|method| {
        let Ok(Some(code)) = program.code(method) else { return true };
        let is_constructor = program.is_constructor(method);
        let all: Vec<Instruction> = code.instructions().map(|(_, instruction)| instruction).collect();
        let adds = |place: usize| match all.get(place..place + 4) {
            Some(
                [
                    Instruction::GetField(from),
                    Instruction::Constant(_),
                    Instruction::Binary(operator, _),
                    Instruction::PutField(to),
                ],
            ) => matches!(operator, Operator::Add | Operator::Subtract) && is_it(from) && is_it(to),
            _ => false,
        };
        all.iter().enumerate().all(|(place, instruction)| match instruction {
            Instruction::GetField(member) if is_it(member) => {
                adds(place) || matches!(all.get(place + 1), Some(Instruction::Return(_)))
            }
            Instruction::PutField(member) if is_it(member) => is_constructor || place >= 3 && adds(place - 3),
            _ => true,
        })
    })
}

/// The simple name of a method in `this.toString()` or `Pool.equals(Object)`.
fn method(name: &str) -> &str {
    let name = name.split('(').next().unwrap_or(name);
    name.rsplit('.').next().unwrap_or(name)
}

fn is_reader(name: &str) -> bool {
    READERS.contains(&method(name))
}

/// Whether the first thread looks without a lock, and the second, which runs the same method, looks under a lock before it writes.
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
