//! Fingerprints of findings.
//!
//! A fingerprint identifies a cause without lines and columns. A statement is described by its function, its action,
//! object and mode, and its *ordinal*: its number among the statements of that function with the same action, object
//! and mode, from 1 in the order of the text. So a fingerprint survives all changes outside of the functions of the
//! accesses. Inside of them it changes only if an access of the same kind to the same location is inserted, removed or
//! moved before the access. Renaming changes it.
//!
//! The fingerprint is the 128-bit FNV-1a hash of this description. It distinguishes findings, but it does not protect
//! against deliberate collisions.

use super::cause::Cause;
use crate::witness::{Action, Statement};
use eml::model::{Model, Operation};
use phases::Mode;
use rustc_hash::FxHashMap;
use std::collections::BTreeSet;
use std::fmt::Write;
use std::sync::Arc;

/// The action of a statement, the name of its object, and its mode.
type Deed = (Action, Option<String>, Option<Mode>);

/// The position of a statement: file (in models of several files), line, column.
type Place = (Option<String>, u32, u32);

/// For each function of a model and each action, the positions of the statements in the order of the text.
#[derive(Clone, Debug, Default)]
pub struct Ordinals(FxHashMap<String, FxHashMap<Deed, Vec<Place>>>);

impl Ordinals {
    /// Collects the statements of a model. The body of a process has the name of the process.
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

    /// Returns the fingerprint of a cause. For the same statements, violations of user-defined automata have a
    /// different fingerprint from violations of patterns, races and deadlocks.
    pub(super) fn fingerprint(&self, cause: &Cause, is_of_automata: bool) -> String {
        let share = |statements: &BTreeSet<Arc<Statement>>| {
            let mut lines: Vec<_> = statements.iter().map(|statement| self.line(statement)).collect();
            lines.sort_unstable();
            lines.concat()
        };
        // Lines and columns determined the order so far; the fingerprint must not depend on them.
        let mut shares: Vec<_> = cause.iter().map(share).collect();
        shares.sort_unstable();
        let kind = if is_of_automata { "automaton\u{1e}" } else { "" };
        format!("{:032x}", fnv((kind.to_string() + &shares.join("\u{1e}")).as_bytes()))
    }

    /// The description of a statement. It ends with a character that does not occur in names.
    fn line(&self, statement: &Statement) -> String {
        let Statement { function, action, object, mode, .. } = statement;
        let ordinal = self.of_statement(statement);
        let mut text = format!("{function}\u{1f}{}\u{1f}{}", action.name(), object.as_deref().unwrap_or_default());
        let _ = writeln!(text, "\u{1f}{}\u{1f}{ordinal}", mode.map_or("", Mode::name));
        text
    }
}

/// The action under which a statement is numbered: a step that waits for a lock is at the acquiring statement.
fn known_by(action: Action) -> Action {
    if action == Action::Wants { Action::Acquire } else { action }
}

/// The action of a node, with its object and mode; none if nodes of this kind have no steps in witnesses.
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

/// Returns the 128-bit FNV-1a hash (Fowler, Noll, Vo; draft-eastlake-fnv).
pub fn fnv(bytes: &[u8]) -> u128 {
    const OFFSET: u128 = 0x6c62_272e_07bb_0142_62b8_2175_6295_c58d;
    const PRIME: u128 = 0x0000_0000_0100_0000_0000_0000_0000_013b;
    bytes.iter().fold(OFFSET, |hash, byte| (hash ^ u128::from(*byte)).wrapping_mul(PRIME))
}

#[cfg(test)]
mod tests {
    use super::fnv;

    /// Test vectors of the draft for the empty text and `a`.
    #[test]
    fn the_hash_is_fnv_1a() {
        assert_eq!(fnv(b""), 0x6c62_272e_07bb_0142_62b8_2175_6295_c58d);
        assert_eq!(fnv(b"a"), 0xd228_cb69_6f1a_8caf_7891_2b70_4e4a_8964);
    }
}
