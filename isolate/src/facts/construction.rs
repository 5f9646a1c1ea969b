//! Values of unchanging fields, evaluated symbolically over the constructors of their class.
//!
//! A field is *unchanging* if it is assigned only in constructors of its class, and only on the object under
//! construction. So it holds one object from the end of the constructor on. The value is evaluated over the
//! constructor's variables: the object itself, the value of another unchanging field, a lambda with its captured
//! values, one side of a lock. If constructors disagree, the value is unknown.
//!
//! A field *owns* its object if all constructors assign an object that they allocate for it (`Fresh`), or that the
//! library makes for it alone ([`library_results`](super::library_results)): then two objects hold different ones.

use super::heap::Heap;
use super::stored::Stored;
use java::ir::{Body, Definition, Operation, Statement, Variable};
use java::library::Action;
use java::points_to::{Object, ObjectId};
use java::{CallSiteAction, Constant, FieldId, InvokeKind, MethodId};
use std::rc::Rc;

/// Maximum depth of the evaluation.
const DEEPEST: usize = 4;

impl Heap<'_> {
    /// The value of an unchanging field by its construction.
    pub(crate) fn construction(&self, field: FieldId) -> Rc<Stored> {
        if let Some(known) = self.constructions.borrow().get(&field) {
            return known.clone();
        }
        // A recursive query during the evaluation finds `Unknown`.
        self.constructions.borrow_mut().insert(field, Rc::new(Stored::Unknown));
        let found = Rc::new(self.evaluated(field));
        self.constructions.borrow_mut().insert(field, found.clone());
        found
    }

    /// Whether different holders have different objects in an unchanging field.
    pub(crate) fn is_owned(&self, field: FieldId) -> bool {
        self.is_unchanging(field)
            && matches!(*self.construction(field), Stored::Fresh | Stored::Lambda(..))
            && !self.is_copied(self.program.field(field).class)
    }

    /// The field that owns an object: its constructor has made the object and stored it there.
    pub(super) fn owner(&self, object: ObjectId) -> Option<FieldId> {
        if let Some(known) = self.owners.borrow().get(&object) {
            return *known;
        }
        let found = self.find_owner(object);
        self.owners.borrow_mut().insert(object, found);
        found
    }

    fn find_owner(&self, object: ObjectId) -> Option<FieldId> {
        let Object::Made { site, .. } = self.points.object(object) else { return None };
        if !self.program.is_constructor(site.method) {
            return None;
        }
        let body = self.body(site.method)?;
        let is_made = |variable: Variable| body.variable(variable).definition == Definition::Statement(site.statement);
        let stores = |field: &FieldId| {
            let mut all = self.assignments(*field).into_iter();
            self.is_owned(*field) && all.any(|(method, variable)| method == site.method && is_made(variable))
        };
        self.unchanging_fields(self.program.method(site.method).class).into_iter().find(stores)
    }

    /// Whether an unchanging field is never null after construction: all constructors assign a value that is not null.
    pub(crate) fn is_never_null(&self, field: FieldId) -> bool {
        !matches!(*self.construction(field), Stored::Unknown | Stored::Parameter(_) | Stored::Null | Stored::Field(_))
            && self.program.field(field).flags.is_final()
    }

    /// The value that all constructors store in a field, or unknown.
    pub(super) fn evaluated(&self, field: FieldId) -> Stored {
        let mut agreed = None;
        for (method, variable) in self.assignments(field) {
            let Some(body) = self.body(method) else { return Stored::Unknown };
            let stored = self.evaluate(&body, method, variable, Some(field), DEEPEST);
            match &agreed {
                None => agreed = Some(stored),
                Some(known) if *known == stored => {}
                Some(_) => return Stored::Unknown,
            }
        }
        agreed.unwrap_or(Stored::Unknown)
    }

    /// Evaluates a variable of a constructor. `field` is the field that it is stored in, which is skipped in the search
    /// for other fields with the same value.
    pub(super) fn evaluate(
        &self,
        body: &Body,
        method: MethodId,
        variable: Variable,
        field: Option<FieldId>,
        depth: usize,
    ) -> Stored {
        if depth == 0 {
            return Stored::Unknown;
        }
        if let Some(known) = self.stored_elsewhere(body, variable, field) {
            return Stored::Field(known);
        }
        let within = |variable: &Variable| self.evaluate(body, method, *variable, None, depth - 1);
        match body.variable(variable).definition {
            Definition::Parameter(0) if !self.program.method(method).flags.is_static() => Stored::This,
            Definition::Parameter(number) => Stored::Parameter(number),
            Definition::Joined(..) | Definition::Caught(_) => Stored::Unknown,
            Definition::Statement(id) => match &body.statement(id).operation {
                Operation::Constant(Constant::Null) => Stored::Null,
                Operation::Constant(Constant::Int(number)) => Stored::Int(*number),
                Operation::Constant(Constant::Class(class)) => Stored::Class(*class),
                Operation::Constant(Constant::String(text)) => Stored::Literal(*text),
                Operation::New(_) | Operation::NewArray(..) => Stored::Fresh,
                Operation::CheckCast(_, value) => within(value),
                Operation::GetStatic(member) => match self.unchanging_member(*member) {
                    Some(field) => Stored::Static(field),
                    None => Stored::Unknown,
                },
                Operation::GetField { object, field } if within(object) == Stored::This => {
                    self.unchanging_member(*field).map_or(Stored::Unknown, Stored::Field)
                }
                Operation::InvokeDynamic { site, arguments } => match body.call_site(*site).action {
                    CallSiteAction::Lambda { implementation, .. } => {
                        Stored::Lambda(implementation, arguments.iter().map(within).collect())
                    }
                    _ => Stored::Unknown,
                },
                Operation::Invoke { kind, member, arguments } => {
                    let Some(row) = self.row_of_member(*member) else { return Stored::Unknown };
                    if let Some(handle) =
                        row.actions.iter().find_map(|action| self.handle(body, action, *kind, arguments))
                    {
                        return handle;
                    }
                    if let Some(given) = self.returned_argument(&row, *kind) {
                        return arguments.get(given).map_or(Stored::Unknown, within);
                    }
                    let of_receiver = || Box::new(arguments.first().map_or(Stored::Unknown, within));
                    let of_lock = || match (*of_receiver(), arguments.first()) {
                        (Stored::Fresh, Some(lock)) => Box::new(self.lock_of_side(body, *lock)),
                        (known, _) => Box::new(known),
                    };
                    let has = |wanted: &dyn Fn(&Action) -> bool| row.actions.iter().any(wanted);
                    let makes = |it: &Action| match it {
                        Action::Makes(_) => matches!(kind, InvokeKind::Static | InvokeKind::Special),
                        Action::Views(_) => *kind == InvokeKind::Static,
                        _ => false,
                    };
                    match () {
                        () if has(&makes) => self.library_result(&row, (*kind, arguments), &within),
                        () if has(&|it| matches!(it, Action::ReadLock)) => Stored::Side(of_lock(), false),
                        () if has(&|it| matches!(it, Action::WriteLock)) => Stored::Side(of_lock(), true),
                        () if has(&|it| matches!(it, Action::Condition)) => Stored::Condition(of_receiver()),
                        () => Stored::Unknown,
                    }
                }
                _ => Stored::Unknown,
            },
        }
    }

    /// The position of the argument that a row returns, if it returns nothing else.
    fn returned_argument(&self, row: &java::library::Row<'_>, kind: InvokeKind) -> Option<usize> {
        use java::library::{Part, Subject};
        let mut parts = row.actions.iter().filter_map(Action::part);
        let shift = usize::from(kind != InvokeKind::Static);
        match (parts.next(), parts.next()) {
            (Some(Part::Is(Subject::Argument(argument))), None) => Some(argument.index() + shift),
            _ => None,
        }
    }

    /// The handle that a row creates from constants.
    fn handle(&self, body: &Body, action: &Action, kind: InvokeKind, arguments: &[Variable]) -> Option<Stored> {
        let Action::Names { what, class, name } = action else { return None };
        let shift = usize::from(kind != InvokeKind::Static);
        let constant = |place: usize| match body.variable(*arguments.get(place + shift)?).definition {
            Definition::Statement(id) => match &body.statement(id).operation {
                Operation::Constant(constant) => Some(*constant),
                _ => None,
            },
            _ => None,
        };
        let Some(Constant::Class(class)) = constant(class.index()) else { return Some(Stored::Unknown) };
        let name = match name {
            Some(name) => match constant(name.index()) {
                Some(Constant::String(name)) => Some(name),
                _ => return Some(Stored::Unknown),
            },
            None => None,
        };
        Some(Stored::Handle(*what, class, name))
    }

    /// A lock that a constructor has allocated and of which it stores sides in final fields: the first of these fields
    /// stands for it. A final field is assigned once, so its side is one of the same lock as that of the others.
    fn lock_of_side(&self, body: &Body, lock: Variable) -> Stored {
        let Some(this) = body.parameters.first() else { return Stored::Fresh };
        let statements = body.blocks().flat_map(|(_, block)| &*block.statements);
        let field_of_side = |statement: &Statement| match &statement.operation {
            Operation::PutField { object, field, value } if object == this && self.is_side_of(body, *value, lock) => {
                self.unchanging_member(*field).filter(|field| self.program.field(*field).flags.is_final())
            }
            _ => None,
        };
        statements.filter_map(field_of_side).min().map_or(Stored::Fresh, Stored::LockOfSide)
    }

    /// Whether a variable is a side of a lock.
    fn is_side_of(&self, body: &Body, side: Variable, lock: Variable) -> bool {
        let Definition::Statement(id) = body.variable(side).definition else { return false };
        let Operation::Invoke { member, arguments, .. } = &body.statement(id).operation else { return false };
        let is_side = |action: &Action| matches!(action, Action::ReadLock | Action::WriteLock);
        arguments.first() == Some(&lock)
            && self.row_of_member(*member).is_some_and(|row| row.actions.iter().any(is_side))
    }

    /// Another unchanging field of the same object in which the constructor stores the same variable.
    fn stored_elsewhere(&self, body: &Body, variable: Variable, field: Option<FieldId>) -> Option<FieldId> {
        let this = *body.parameters.first()?;
        if variable == this {
            return None;
        }
        for (_, block) in body.blocks() {
            for statement in &*block.statements {
                if let Operation::PutField { object, field: member, value } = &statement.operation
                    && *object == this
                    && *value == variable
                    && let Some(known) = self.unchanging_member(*member)
                {
                    // The first field that is written identifies the others.
                    return (Some(known) != field).then_some(known);
                }
            }
        }
        None
    }
}
