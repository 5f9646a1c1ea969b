//! Publication: constructors that let other threads have their object before they have finished, by starting a thread
//! with it, registering it, or storing it in a static field.
//!
//! Earlier steps of the constructor are not observable. From the first statement that may *publish* the object, the
//! constructor is a unit like others. A statement publishes if it passes a value from which the object is reached, by
//! the pointer analysis, to another thread, a static field, or an object that the constructor has not made, or if it
//! calls a method that does.
//!
//! **Invariant.** As long as a state is not published, no other thread reaches the object. *Why it suffices.* Other
//! threads reach objects through static fields, their own objects, and the values that they were started with. An
//! object of a constructor's frame gets there only by one of these statements.

use super::objects::ObjectKind;
use super::subject_facts::SubjectFacts;
use crate::value::{AliasId, RegionId};
use java::ir::{Body, Definition, Operation, StatementId, Variable};
use java::library::{Action, Thread};
use java::points_to::ObjectId;
use java::{FieldId, InvokeKind, Member, MethodId};
use rustc_hash::FxHashSet;

/// Maximum number of objects visited in the search for the subject's object.
const MOST_OBJECTS: usize = 200;

impl SubjectFacts<'_> {
    /// Whether a method, or one that it calls, publishes an object of the subject's class.
    pub(crate) fn may_publish(&self, method: MethodId) -> bool {
        if let Some(known) = self.known.escapes.publishing.get(&method) {
            return known;
        }
        let mut reached: FxHashSet<MethodId> = FxHashSet::from_iter([method]);
        let mut open = vec![method];
        let mut found = false;
        while let Some(one) = open.pop() {
            found = self.known.escapes.publishing.get(&one) == Some(true) || self.publishes_itself(one);
            if found {
                break;
            }
            let callees = self.heap.callees_of(one);
            open.extend(callees.iter().copied().filter(|callee| reached.insert(*callee)));
        }
        self.known.escapes.publishing.insert(method, found);
        found
    }

    /// Whether threads that get the object before its construction ends may see an assignment to a field that
    /// constructors assign once.
    pub(crate) fn may_be_assigned_late(&self, field: FieldId) -> bool {
        if let Some(known) = self.known.escapes.assigned_late.get(&field) {
            return known;
        }
        let program = self.heap.program;
        let declared = program.field(field);
        let is_own =
            !self.mode.is_program && !declared.flags.is_static() && self.mode.classes.contains(&declared.class);
        let stores = self.heap.points.stores(field).iter();
        let makers = stores.map(|store| store.method).filter(|method| program.is_constructor(*method));
        let found = is_own && { makers }.any(|constructor| self.may_publish(constructor));
        self.known.escapes.assigned_late.insert(field, found);
        found
    }

    fn publishes_itself(&self, method: MethodId) -> bool {
        let Some(body) = self.heap.body(method) else { return false };
        body.blocks().any(|(_, block)| {
            block.statements.iter().any(|statement| self.escapes_via_operation(&body, &statement.operation))
        })
    }

    pub(crate) fn publishes(&self, body: &Body, place: StatementId, operation: &Operation) -> bool {
        if self.escapes_via_operation(body, operation) {
            return true;
        }
        let callees = self.heap.points.callees(body.method, place);
        let methods: Vec<MethodId> =
            callees.iter().flat_map(|callees| callees.methods.iter().chain(&callees.functions).copied()).collect();
        methods.into_iter().any(|method| self.may_publish(method))
    }

    /// Whether an operation itself, apart from its callees, passes others a value from which the object is reached.
    fn escapes_via_operation(&self, body: &Body, operation: &Operation) -> bool {
        let leads = |variable: &Variable| self.reaches_subject(body.method, *variable);
        let is_from_elsewhere = |variable: Variable| {
            is_from_elsewhere(body, variable) || {
                let objects = self.heap.variable(body.method, variable);
                let is_clients = |object: &ObjectId| matches!(self.heap.kind_of(*object), ObjectKind::External(_));
                objects.iter().any(|object| is_clients(object) && !self.may_be_the_subject(*object))
            }
        };
        match operation {
            Operation::PutStatic(_, value) => leads(value),
            Operation::PutField { object, value, .. } => is_from_elsewhere(*object) && leads(value),
            Operation::StoreElement { array, value, .. } => is_from_elsewhere(*array) && leads(value),
            Operation::Invoke { kind, member, arguments } => {
                // A static method of the library may store one argument in another.
                let is_given = match kind {
                    InvokeKind::Static => {
                        let is_into = |(into, given): (usize, usize)| {
                            into != given && is_from_elsewhere(arguments[into]) && leads(&arguments[given])
                        };
                        let pairs =
                            (0..arguments.len()).flat_map(|into| (0..arguments.len()).map(move |it| (into, it)));
                        self.heap.row_of_member(*member).is_some_and(|row| !row.is_nothing()) && { pairs }.any(is_into)
                    }
                    _ => {
                        arguments.first().is_some_and(|receiver| is_from_elsewhere(*receiver))
                            && arguments.iter().skip(1).any(leads)
                    }
                };
                is_given || (self.starts_threads(*member) && arguments.iter().any(leads))
            }
            _ => false,
        }
    }

    /// Whether a row of the member starts threads, or runs unknown code.
    fn starts_threads(&self, member: Member) -> bool {
        let starts = |action: &Action| match action {
            Action::Calls(call) => call.thread != Thread::Caller,
            Action::Runs(run) => run.thread != Thread::Caller,
            _ => false,
        };
        let program = self.heap.program;
        let mut classes: Vec<&str> = vec![program.text(member.class)];
        if let Some(class) = program.named(member.class) {
            let supertypes = program.supertypes(class).into_iter().flat_map(|of| {
                let of = program.class(of);
                of.superclass.iter().chain(&of.interfaces).copied().collect::<Vec<_>>()
            });
            classes.extend(supertypes.filter(|name| program.named(*name).is_none()).map(|name| program.text(name)));
        }
        let mut rows = classes.iter().filter_map(|class| self.heap.row(class, member));
        rows.any(|row| row.actions.iter().any(starts))
    }

    /// Whether an abstract object may be the subject's.
    fn may_be_the_subject(&self, object: ObjectId) -> bool {
        let of_subject = self.regions.alias(RegionId::SUBJECT);
        self.regions.alias_of(&self.heap, object).iter().any(|(alias, _): &(AliasId, bool)| *alias == of_subject)
    }

    /// Whether the subject's object may be reached from a variable.
    fn reaches_subject(&self, method: MethodId, variable: Variable) -> bool {
        let mut found: FxHashSet<ObjectId> = FxHashSet::default();
        let mut open = self.heap.variable(method, variable);
        while let Some(object) = open.pop() {
            if self.may_be_the_subject(object) {
                return true;
            }
            if found.insert(object) && found.len() <= MOST_OBJECTS {
                let fields = self.heap.points.fields(object);
                open.extend(fields.into_iter().flat_map(|field| self.heap.field(object, field)));
            }
        }
        found.len() > MOST_OBJECTS
    }
}

/// Whether a variable may hold an argument of a constructor, a value of a static field, or an object obtained from one
/// of these by loads and calls.
fn is_from_elsewhere(body: &Body, variable: Variable) -> bool {
    let mut variable = variable;
    loop {
        let id = match body.variable(variable).definition {
            Definition::Parameter(number) => return number > 0,
            Definition::Joined(..) | Definition::Caught(_) => return true,
            Definition::Statement(id) => id,
        };
        variable = match &body.statement(id).operation {
            Operation::GetStatic(_) | Operation::Invoke { kind: InvokeKind::Static, .. } => return true,
            Operation::CheckCast(_, before)
            | Operation::GetField { object: before, .. }
            | Operation::LoadElement { array: before, .. } => *before,
            Operation::Invoke { arguments, .. } => match arguments.first() {
                Some(receiver) => *receiver,
                None => return true,
            },
            _ => return false,
        };
    }
}
