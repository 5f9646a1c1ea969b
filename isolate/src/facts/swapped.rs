//! Objects that a method takes out of a field under a lock, and replaces there: `synchronized (lock) { batch = list;
//! list = new ArrayList(); }`.
//!
//! **Definition.** A field is *swapped* at an assignment of null or of an object that the method has made, if the
//! method has read the field of the same object before, and holds a lock since before that read. It *guards its object*
//! if clients cannot name it, and each read of it outside of constructors happens where the method holds a lock.
//!
//! **Rule** [`SwappedOut`](crate::Rule::SwappedOut). After the assignment the object that was read belongs to the
//! thread: its accesses to it are omitted.
//!
//! *Why it suffices.* Other threads find the object only by the field, under the lock, and use it there. So once the
//! lock is free again, nobody else has it: who comes later finds the new object. A method that hands it on out of the
//! lock loses a finding, and no proof.

use super::heap::Heap;
use super::stored::Stored;
use crate::Rule;
use java::ir::{Body, Definition, Dominators, Operation, StatementId, Variable};
use java::{FieldId, MethodId};

impl Heap<'_> {
    /// The variables whose object an assignment takes out of its field, by [`SwappedOut`](Rule::SwappedOut).
    pub(crate) fn swapped_out(&self, method: MethodId, body: &Body, at: StatementId) -> Vec<Variable> {
        let Operation::PutField { object, field, value } = &body.statement(at).operation else { return Vec::new() };
        if !self.modality.omits(Rule::SwappedOut) || self.program.is_constructor(method) {
            return Vec::new();
        }
        let Some(field) = self.program.resolve_field(*field).found() else { return Vec::new() };
        let is_reference = self.program.text(self.program.field(field).descriptor).starts_with(['L', '[']);
        let is_new = || {
            let made = match body.variable(*value).definition {
                Definition::Statement(id) => {
                    matches!(body.statement(id).operation, Operation::New(_) | Operation::NewArray(..))
                }
                _ => false,
            };
            made || self.evaluate(body, method, *value, None, 2) == Stored::Null
        };
        if !is_reference || !is_new() || !self.guards_its_object(field) {
            return Vec::new();
        }
        let dominators = Dominators::new(body);
        if !self.is_locked_at(body, method, at, &dominators) {
            return Vec::new();
        }
        let is_before = |id: StatementId| {
            id.block == at.block && id.index < at.index
                || id.block != at.block && dominators.dominates(id.block, at.block)
        };
        let reads = reads_of(body).filter(|(id, of, member, _)| {
            is_before(*id)
                && of == object
                && self.program.resolve_field(*member).found() == Some(field)
                && self.is_locked_at(body, method, *id, &dominators)
        });
        reads.map(|(_, _, _, to)| to).collect()
    }

    /// Whether each read of a field outside of constructors happens under a lock; found once for each field.
    fn guards_its_object(&self, field: FieldId) -> bool {
        let find = || if self.find_guarded_reads(field) { vec![()] } else { Vec::new() };
        !self.shared.guarded_reads.get_or_find(field, find).is_empty()
    }

    /// Linear in the code of the classes that may read the field.
    fn find_guarded_reads(&self, field: FieldId) -> bool {
        let flags = self.program.field(field).flags;
        if flags.is_public() || flags.is_protected() || flags.is_static() {
            return false;
        }
        let methods = self.program.methods().map(|(method, _)| method);
        let others = methods.filter(|method| !self.program.is_constructor(*method) && self.points.is_reached(*method));
        others.into_iter().all(|method| {
            let Some(body) = self.body(method) else { return true };
            let mut reads =
                reads_of(&body).filter(|read| self.program.resolve_field(read.2).found() == Some(field)).peekable();
            if reads.peek().is_none() {
                return true;
            }
            let dominators = Dominators::new(&body);
            reads.all(|(id, ..)| self.is_locked_at(&body, method, id, &dominators))
        })
    }
}

/// The reads of fields of objects, with the object, the field and the variable that gets the value.
fn reads_of(body: &Body) -> impl Iterator<Item = (StatementId, Variable, java::Member, Variable)> + '_ {
    let statements = body.blocks().flat_map(|(block, of)| {
        of.statements.iter().zip(0..).map(move |(statement, index)| (StatementId { block, index }, statement))
    });
    statements.filter_map(|(id, statement)| match &statement.operation {
        Operation::GetField { object, field } => Some((id, *object, *field, statement.to?)),
        _ => None,
    })
}
