//! Fingerprints of findings.
//!
//! A fingerprint names a cause without its lines and columns: a statement is said by its function, what it does to
//! what, and its *ordinal*, which counts the statements of that function that do the same to the same from 1 in the
//! order of the text. So a fingerprint survives whatever is inserted, removed or moved outside of the functions of the
//! accesses, and inside of them everything but accesses of the same kind to the same location before it. Renaming
//! changes it.
//!
//! It is a hash, FNV-1a of 128 bits, of that text: good for telling findings apart, no protection against somebody who
//! wants two to be equal.

use super::statement::{Cause, Statement};
use crate::witness::Action;
use eml::model::{Model, Operation};
use phases::Mode;
use rustc_hash::FxHashMap;
use std::fmt::Write;

/// What a statement does to what, by names.
type Deed = (Action, Option<String>, Option<Mode>);

/// Where statements stand: the number of the file's name, if it has one, line, column.
type Place = (Option<String>, u32, u32);

/// The statements of the functions of a model by what they do, in the order of the text.
#[derive(Clone, Debug, Default)]
pub struct Ordinals(FxHashMap<String, FxHashMap<Deed, Vec<Place>>>);

impl Ordinals {
    /// Those of a model. A process's own body is called like the process.
    pub fn of(model: &Model) -> Self {
        let mut all: FxHashMap<String, FxHashMap<Deed, Vec<Place>>> = FxHashMap::default();
        for (_, node) in model.nodes() {
            let Some(deed) = deed(model, &node.operation) else { continue };
            let function = model.procedure(node.procedure).name();
            let file = model.file(node.position.file).map(String::from);
            let place = (file, node.position.line, node.position.column);
            if !all.contains_key(function) {
                all.insert(function.to_string(), FxHashMap::default());
            }
            all.get_mut(function).expect("it was inserted").entry(deed).or_default().push(place);
        }
        for places in all.values_mut().flat_map(FxHashMap::values_mut) {
            places.sort_unstable();
            places.dedup();
        }
        Self(all)
    }

    /// The ordinal of a statement, from 1; 0 if the model does not have it.
    fn of_statement(&self, statement: &Statement) -> usize {
        let Statement { function, file, line, column, action, object, mode } = statement;
        let deeds = self.0.get(function);
        let places = deeds.and_then(|deeds| deeds.get(&(known_by(*action), object.clone(), *mode)));
        let place = (file.clone(), *line, *column);
        places.and_then(|places| places.binary_search(&place).ok()).map_or(0, |ordinal| ordinal + 1)
    }

    /// Returns the fingerprint of a cause. Violations of automata of the user's have another one than violations of
    /// patterns, races and deadlocks by the same statements.
    pub(super) fn fingerprint(&self, cause: &Cause, is_of_automata: bool) -> String {
        let share = |statements: &std::collections::BTreeSet<Statement>| {
            let mut lines: Vec<_> = statements.iter().map(|statement| self.line(statement)).collect();
            lines.sort_unstable();
            lines.concat()
        };
        // Without lines and columns the shares may come in another order.
        let mut shares: Vec<_> = cause.iter().map(share).collect();
        shares.sort_unstable();
        let kind = if is_of_automata { "automaton\u{1e}" } else { "" };
        format!("{:032x}", fnv((kind.to_string() + &shares.join("\u{1e}")).as_bytes()))
    }

    /// The text of a statement, ended by a character that names do not contain.
    fn line(&self, statement: &Statement) -> String {
        let Statement { function, action, object, mode, .. } = statement;
        let ordinal = self.of_statement(statement);
        let mut text = format!("{function}\u{1f}{}\u{1f}{}", action.name(), object.as_deref().unwrap_or_default());
        let _ = writeln!(text, "\u{1f}{}\u{1f}{ordinal}", mode.map_or("", Mode::name));
        text
    }
}

/// A step that wants a lock stands where the lock is acquired.
fn known_by(action: Action) -> Action {
    if action == Action::Wants { Action::Acquire } else { action }
}

/// What a node does, if witnesses have steps of it.
fn deed(model: &Model, operation: &Operation) -> Option<Deed> {
    let lock = |action, lock, mode: Mode| {
        let lock = model.lock(lock);
        let has_modes = lock.kind() == eml::model::LockKind::ReadWrite;
        (action, Some(lock.name().to_string()), has_modes.then_some(mode))
    };
    let location = |action, location| (action, Some(model.location(location).name().to_string()), None);
    Some(match *operation {
        Operation::Skip | Operation::Return => return None,
        Operation::Read(id) => location(Action::Read, id),
        Operation::Write(id) => location(Action::Write, id),
        Operation::Acquire(id, mode) => lock(Action::Acquire, id, mode),
        Operation::Release(id, mode) => lock(Action::Release, id, mode),
        Operation::Wait(id) => (Action::Wait, Some(model.lock(id).name().to_string()), None),
        Operation::Resume(id) => (Action::Resume, Some(model.lock(id).name().to_string()), None),
        Operation::Begin => (Action::Begin, None, None),
        Operation::End => (Action::End, None, None),
        Operation::Call(id) => (Action::Call, Some(model.procedure(id).name().to_string()), None),
        Operation::Start(id) => (Action::Start, Some(model.process(id).name().to_string()), None),
    })
}

/// FNV-1a with 128 bits (Fowler, Noll, Vo; draft-eastlake-fnv).
pub fn fnv(bytes: &[u8]) -> u128 {
    const OFFSET: u128 = 0x6c62_272e_07bb_0142_62b8_2175_6295_c58d;
    const PRIME: u128 = 0x0000_0000_0100_0000_0000_0000_0000_013b;
    bytes.iter().fold(OFFSET, |hash, byte| (hash ^ u128::from(*byte)).wrapping_mul(PRIME))
}

#[cfg(test)]
mod tests {
    use super::fnv;

    /// The values of the draft's test vectors for the empty text and `a`.
    #[test]
    fn the_hash_is_fnv_1a() {
        assert_eq!(fnv(b""), 0x6c62_272e_07bb_0142_62b8_2175_6295_c58d);
        assert_eq!(fnv(b"a"), 0xd228_cb69_6f1a_8caf_7891_2b70_4e4a_8964);
    }
}
