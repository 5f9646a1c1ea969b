//! Fields that are set once, under a lock, after a test that they are not set.
//!
//! **Definition.** A field that clients cannot assign is *set once* if each assignment outside of the construction of
//! its object stores a value other than null and 0, and stands on the side of a branch on which the field of the same
//! object was found null (or 0, or equal to a constant), where the method holds a lock since before that test. A truth
//! value that is only ever set to true is set once without a test.
//!
//! **Rule** [`Retests`](crate::Rule::Retests). A thread that has found such a field set, or has set it, finds the same
//! value from then on: later reads are no accesses.
//!
//! *Why it suffices.* An assignment follows a test under the lock of the assignments, so it happens only while the
//! field is not set. Methods that assign under different locks lose a finding, not a proof.

use super::heap::Heap;
use super::stored::Stored;
use java::Condition;
use java::ir::{BlockId, Body, Definition, Dominators, End, Operation, StatementId, Variable};
use java::library::Action;
use java::points_to::{Object, Store, Target};
use java::{Comparison, FieldId, Member, MethodId};

/// The side of a branch on which a tested field is not set: the edge that is taken if the condition holds, or the
/// other.
pub(crate) fn unset_side(condition: Condition) -> Option<bool> {
    match condition {
        Condition::Null | Condition::Same | Condition::Zero(Comparison::Equal) => Some(true),
        Condition::NotNull | Condition::Different | Condition::Zero(Comparison::NotEqual) => Some(false),
        _ => None,
    }
}

impl Heap<'_> {
    /// Whether a field is set once; found once for each field.
    pub(crate) fn is_set_once(&self, field: FieldId) -> bool {
        !self.set_once(field).is_empty()
    }

    /// Whether a field is set once, and each assignment follows a test: it happens once.
    pub(crate) fn is_assigned_once(&self, field: FieldId) -> bool {
        *self.set_once(field) == [true]
    }

    fn set_once(&self, field: FieldId) -> std::sync::Arc<[bool]> {
        self.shared.set_once.get_or_find(field, || self.find_set_once(field).into_iter().collect())
    }

    /// If a field is set once, whether each assignment follows a test.
    fn find_set_once(&self, field: FieldId) -> Option<bool> {
        let flags = self.program.field(field).flags;
        let is_target =
            |object: &Object| matches!(object, Object::Handle { target: Target::Field(of), .. } if *of == field);
        if flags.is_public() || flags.is_protected() || self.points.objects().any(|(_, object)| is_target(object)) {
            return None;
        }
        let mut late = self.points.stores(field).iter().filter(|store| !store.initializes).peekable();
        late.peek()?;
        late.try_fold(true, |tested, store| Some(self.sets_once(field, store)? && tested))
    }

    /// If an assignment sets a field that is not set, whether it follows a test.
    fn sets_once(&self, field: FieldId, store: &Store) -> Option<bool> {
        let body = self.body(store.method)?;
        let (object, value) = match &body.statement(store.statement).operation {
            Operation::PutField { object, value, .. } => (Some(*object), *value),
            Operation::PutStatic(_, value) => (None, *value),
            _ => return None,
        };
        let is_flag = self.program.text(self.program.field(field).descriptor) == "Z";
        let is_true = match self.evaluate(&body, store.method, value, None, 2) {
            Stored::Null | Stored::Int(0) => return None,
            Stored::Int(1) => is_flag,
            _ => false,
        };
        let dominators = Dominators::new(&body);
        let is_tested = body.blocks().any(|(block, of)| {
            let End::Branch { condition, values, holds, fails } = &of.end else { return false };
            let Some(is_holds) = unset_side(*condition) else { return false };
            let (unset, set) = if is_holds { (holds, fails) } else { (fails, holds) };
            let test = values.iter().find_map(|value| self.read_of(&body, *value, field, object));
            test.is_some_and(|read| {
                unset.target != set.target
                    && dominators.dominates(unset.target, store.statement.block)
                    && dominators.dominates(block, unset.target)
                    && self.is_locked_at(&body, store.method, read, &dominators)
            })
        });
        (is_tested || is_true).then_some(is_tested)
    }

    /// The statement that reads this field of this object into a variable.
    fn read_of(&self, body: &Body, value: Variable, field: FieldId, object: Option<Variable>) -> Option<StatementId> {
        let Definition::Statement(id) = body.variable(value).definition else { return None };
        let is_it = |member: &Member| self.program.resolve_field(*member).found() == Some(field);
        let reads = match &body.statement(id).operation {
            Operation::GetField { object: of, field } => Some(*of) == object && is_it(field),
            Operation::GetStatic(field) => object.is_none() && is_it(field),
            _ => false,
        };
        reads.then_some(id)
    }

    /// Whether a method has acquired a lock on each path to a statement.
    pub(super) fn is_locked_at(&self, body: &Body, method: MethodId, at: StatementId, dominators: &Dominators) -> bool {
        let acquires = |operation: &Operation| match operation {
            Operation::MonitorEnter(_) => true,
            Operation::Invoke { member, .. } => self
                .row_of_member(*member)
                .is_some_and(|row| row.actions.iter().any(|action| matches!(action, Action::Acquires(_)))),
            _ => false,
        };
        let is_before = |block: BlockId, index: usize| {
            block != at.block && dominators.dominates(block, at.block) || block == at.block && index < at.index as usize
        };
        self.program.method(method).flags.is_synchronized()
            || body.blocks().any(|(block, of)| {
                let mut statements = of.statements.iter().enumerate();
                statements.any(|(index, statement)| acquires(&statement.operation) && is_before(block, index))
            })
    }
}
