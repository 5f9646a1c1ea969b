//! Fields that are used as the flag of a spin lock, through updaters or handles.
//!
//! **Definition.** A *flag field* is a number or truth value in an object of the program, hidden from clients, to which
//! the program assigns only 0, and which handles and updaters use only so: they compare and set it from 0 to another
//! constant, its *taken value*; they set it to 0; they read it. At least one call takes it.
//!
//! **Rule** [`FlagLocks`](crate::Rule::FlagLocks). The flag of a followed object is a lock of the model: taking it
//! acquires the lock, an assignment of 0 releases it, and a read is no access.
//!
//! *Why it suffices.* Only a call that finds 0 takes the flag, and the flag is 0 again only after an assignment of 0.
//! So between the two no other call takes it, if whoever assigns 0 has taken the flag; another thread that assigns 0
//! loses a finding, and no proof.

use super::flag_protocol::Use;
use super::heap::Heap;
use super::stored::Stored;
use crate::Rule;
use java::ir::{Body, Operation, Variable};
use java::library::{Action, Argument, Attribute, Row};
use java::points_to::{Object, Target};
use java::{FieldId, MethodId};
use rustc_hash::FxHashMap;
use std::collections::BTreeSet;

/// The taken values of fields that may be flags; none of those that are used in another way.
type Candidates = FxHashMap<FieldId, Option<BTreeSet<i32>>>;

impl Heap<'_> {
    /// The taken values of a field that is a flag, by [`FlagLocks`](Rule::FlagLocks).
    pub(crate) fn flag_values(&self, field: FieldId) -> Option<&BTreeSet<i32>> {
        if !self.modality.omits(Rule::FlagLocks) {
            return None;
        }
        self.shared.flag_fields.get_or_init(|| self.find_flag_fields()).get(&field)
    }

    /// The use of a flag field by the row of a handle, with these constants at the positions of the call's arguments.
    pub(crate) fn use_of_flag_field(&self, row: &Row<'_>, constant: impl Fn(usize) -> Option<i32>) -> Use {
        // The receiver is the handle, the first argument the object.
        let given = |argument: &Argument| constant(argument.index() + 2);
        let reads = row.actions.iter().any(|action| action.read().is_some());
        let writes = row.actions.iter().any(|action| action.written().is_some());
        match row.actions {
            [Action::Gets] => Use::Looks,
            _ => match self.use_by_row(row, given) {
                Use::Other if reads && !writes => Use::Looks,
                found => found,
            },
        }
    }

    fn find_flag_fields(&self) -> FxHashMap<FieldId, BTreeSet<i32>> {
        let program = self.program;
        let target = |object: &Object| match object {
            Object::Handle { target: Target::Field(field), .. } => Some(*field),
            _ => None,
        };
        let is_candidate = |field: &FieldId| {
            let declared = program.field(*field);
            let flags = declared.flags;
            let is_number = matches!(program.text(declared.descriptor), "I" | "Z");
            is_number
                && !flags.is_static()
                && !flags.is_public()
                && !flags.is_protected()
                && self.is_assigned_zero(*field)
        };
        let targets = self.points.objects().filter_map(|(_, object)| target(object));
        let mut found: Candidates = targets.filter(is_candidate).map(|field| (field, Some(BTreeSet::new()))).collect();
        if found.is_empty() {
            return FxHashMap::default();
        }
        for (method, _) in program.methods().filter(|(method, _)| self.points.is_reached(*method)) {
            self.note_uses_by_handles(method, &mut found);
        }
        let is_taken = |values: &BTreeSet<i32>| !values.is_empty();
        found.into_iter().filter_map(|(field, values)| Some((field, values.filter(is_taken)?))).collect()
    }

    /// Whether the program assigns only 0 to a field.
    fn is_assigned_zero(&self, field: FieldId) -> bool {
        self.points.stores(field).iter().all(|store| {
            let Some(body) = self.body(store.method) else { return false };
            match &body.statement(store.statement).operation {
                Operation::PutField { value, .. } | Operation::PutStatic(_, value) => {
                    self.evaluate(&body, store.method, *value, None, 3) == Stored::Int(0)
                }
                Operation::Invoke { .. } => true,
                _ => false,
            }
        })
    }

    /// Notes the calls on handles of candidates in a method.
    fn note_uses_by_handles(&self, method: MethodId, candidates: &mut Candidates) {
        let Some(body) = self.body(method) else { return };
        for statement in body.blocks().flat_map(|(_, block)| &*block.statements) {
            let Operation::Invoke { member, arguments, .. } = &statement.operation else { continue };
            let Some(row) = self.row_of_member(*member).filter(|row| row.attributes.has(Attribute::Handle)) else {
                continue;
            };
            let Some(handle) = arguments.first() else { continue };
            for object in self.variable(method, *handle) {
                let Object::Handle { target: Target::Field(field), .. } = self.points.object(object) else { continue };
                let Some(values) = candidates.get_mut(field) else { continue };
                let used = self.use_of_flag_field(&row, |place| self.constant_at(&body, method, arguments.get(place)));
                match (used, &mut *values) {
                    (Use::Takes(value), Some(known)) => drop(known.insert(value)),
                    (Use::Frees | Use::Looks, _) | (_, None) => {}
                    (Use::Other, Some(_)) => *values = None,
                }
            }
        }
    }

    fn constant_at(&self, body: &Body, method: MethodId, argument: Option<&Variable>) -> Option<i32> {
        match self.evaluate(body, method, *argument?, None, 3) {
            Stored::Int(number) => Some(number),
            _ => None,
        }
    }
}
