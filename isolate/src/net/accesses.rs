//! The accesses of statements to reachable objects: fields, elements, static fields, and contents by rows.

use super::Code;
use super::reachable::{Reachable, Use, library_supertypes};
use java::ir::{Body, Operation, StatementId, Variable};
use java::library::{Action, Attribute, Permit, Row, Subject};
use java::points_to::{Field, Object, ObjectId, ObjectSet, TypeId};
use java::{CallSiteAction, FieldId, InvokeKind, Member};
use rustc_hash::FxHashSet;

/// A use as part of a text.
const READ: Use = Use { receiver_of: None, only_reads: true };

/// An access of a statement.
pub(super) struct Access {
    /// The variable with the accessed object; none for a static field.
    pub(super) base: Option<Variable>,
    /// The field that it reads, or the final field that it assigns, if the program declares it.
    pub(super) field: Option<FieldId>,
    /// Its name for reports.
    pub(super) what: String,
}

/// The accesses of one method.
pub(super) struct Accesses<'a, 'p> {
    pub(super) code: Code<'p>,
    pub(super) reachable: &'a Reachable<'p>,
    /// The reachable objects that the class hands to clients.
    pub(super) handed: &'a [ObjectId],
    pub(super) body: &'a Body,
}

impl Accesses<'_, '_> {
    fn set(&self, variable: Variable) -> ObjectSet<'_> {
        self.code.points.variable(self.body.method, variable)
    }

    /// The accesses of a statement to objects that may be reachable.
    pub(super) fn of(&self, at: StatementId) -> Vec<Access> {
        let program = self.code.program;
        let named = |base: Variable, member: Member, is_read: bool| {
            let field = program.resolve_field(member).found();
            let field = field.filter(|field| is_read || program.field(*field).flags.is_final());
            Access { base: Some(base), field, what: format!("`{}`", program.text(member.name)) }
        };
        match &self.body.statement(at).operation {
            Operation::GetField { object, field } if self.reachable.meets(self.set(*object)) => {
                vec![named(*object, *field, true)]
            }
            Operation::PutField { object, field, .. } if self.reachable.meets(self.set(*object)) => {
                vec![named(*object, *field, false)]
            }
            Operation::LoadElement { array, .. } | Operation::StoreElement { array, .. }
                if self.reachable.meets(self.set(*array)) =>
            {
                vec![Access { base: Some(*array), field: None, what: "elements of an array".into() }]
            }
            Operation::GetStatic(field) | Operation::PutStatic(field, _) => {
                let found = program.resolve_field(*field).found().filter(|field| self.reachable.has_static(*field));
                let what = format!("`{}`", program.text(field.name));
                found.into_iter().map(|field| Access { base: None, field: Some(field), what: what.clone() }).collect()
            }
            Operation::Invoke { kind, member, arguments } => self.of_call(at, *kind, *member, arguments),
            Operation::InvokeDynamic { site, arguments } => match self.body.call_site(*site).action {
                CallSiteAction::Concatenation => self.of_texts(arguments),
                _ => Vec::new(),
            },
            _ => Vec::new(),
        }
    }

    /// The accesses of the library to contents, by the rows that a call may run.
    fn of_call(&self, at: StatementId, kind: InvokeKind, member: Member, arguments: &[Variable]) -> Vec<Access> {
        let Some(callees) = self.code.points.callees(self.body.method, at) else { return Vec::new() };
        let (runs_rows, runs_clients) = (callees.rows, callees.client && !self.handed.is_empty());
        if !runs_rows && !runs_clients {
            return Vec::new();
        }
        let mut found: Vec<Variable> = Vec::new();
        for row in rows(self.code, self.body, kind, member, arguments) {
            for (subject, kind_of) in row.actions.iter().flat_map(accessed) {
                let Some(place) = place_of(&row, subject, kind) else { continue };
                let Some(variable) = arguments.get(place).copied() else { continue };
                let receiver_of = (place == 0 && kind != InvokeKind::Static).then_some(member);
                let use_of = Use { receiver_of, only_reads: kind_of != Kind::Write };
                // A handle accesses a field or element of its argument.
                let is_handle = row.attributes.has(Attribute::Handle) && subject == Subject::This;
                let meets = match kind_of {
                    _ if !runs_rows => self.may_be_handed(self.set(variable)),
                    _ if is_handle => self.reachable.meets(self.set(variable)),
                    Kind::Read | Kind::Write => self.reachable.meets_content(self.set(variable), use_of),
                    Kind::Deep => self.reachable.meets(self.set(variable)) || self.contents_meet(variable),
                };
                if meets && !found.contains(&variable) {
                    found.push(variable);
                }
            }
        }
        let program = self.code.program;
        let [class, name] = [member.class, member.name].map(|name| program.text(name));
        let class = class.rsplit(['/', '$']).next().unwrap_or(class);
        let access = |base| Access { base: Some(base), field: None, what: format!("`{class}.{name}`") };
        found.into_iter().map(access).collect()
    }

    /// Whether clients may have given back an object that the class has handed over.
    fn may_be_handed(&self, set: ObjectSet<'_>) -> bool {
        let points = self.code.points;
        let may_be = |of: TypeId| self.handed.iter().any(|handed| points.may_be(*handed, of));
        set.iter().any(|object| match points.object(object) {
            Object::External(of) => points.class_of(*of).is_none() && may_be(*of),
            _ => false,
        })
    }

    /// Whether something that a variable's objects hold may be reachable.
    fn contents_meet(&self, variable: Variable) -> bool {
        let points = self.code.points;
        let held = |object: ObjectId| points.field(object, Field::Content);
        self.set(variable).iter().any(|object| self.reachable.meets(held(object)))
    }

    /// The contents that become part of a text.
    fn of_texts(&self, arguments: &[Variable]) -> Vec<Access> {
        let is_read = |variable: &&Variable| self.reachable.meets_content(self.set(**variable), READ);
        let access = |base: &Variable| Access { base: Some(*base), field: None, what: "`toString`".into() };
        arguments.iter().filter(is_read).map(access).collect()
    }
}

/// The rows that a call may run: by the class that it names, and by the types of its receivers.
pub(super) fn rows<'p>(
    code: Code<'p>,
    body: &Body,
    kind: InvokeKind,
    member: Member,
    arguments: &[Variable],
) -> Vec<Row<'p>> {
    let [class, name, descriptor] = [member.class, member.name, member.descriptor].map(|it| code.program.text(it));
    let receiver = arguments.first().filter(|_| kind != InvokeKind::Static);
    let objects = receiver.iter().flat_map(|it| code.points.variable(body.method, **it).iter());
    let types: FxHashSet<TypeId> = objects.map(|object| code.points.type_of_object(object)).collect();
    // A class of the program inherits rows.
    let classes = types.iter().filter_map(|of| code.points.class_of(*of)).chain(code.program.named(member.class));
    let inherited = classes.flat_map(|class| library_supertypes(code, class)).collect::<Vec<_>>();
    let named = types.iter().map(|of| code.points.type_name(*of));
    let mut found: Vec<Row<'p>> = Vec::new();
    for of in std::iter::once(class).chain(named).chain(inherited) {
        let row = code.library.find(of, name, descriptor);
        found.extend(row.filter(|row| !found.contains(row)));
    }
    found
}

/// How far an action accesses an object.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    Read,
    Write,
    /// It reads the object and what it holds.
    Deep,
}

/// The receiver and arguments whose state an action accesses.
fn accessed(action: &Action) -> Vec<(Subject, Kind)> {
    let is_deep = matches!(action, Action::ReadsAll(_) | Action::Runs(_));
    let read = action.read().map(|it| (it, if is_deep { Kind::Deep } else { Kind::Read }));
    let position = match action {
        Action::ReadsPosition(subject) | Action::WritesPosition(subject) => Some(*subject),
        _ => None,
    };
    // A permit that is taken without waiting, or given back, is one that others can count.
    let permits = matches!(action, Action::Permit(Permit::Tries | Permit::Releases)).then_some(Subject::This);
    let written = action.written().into_iter().chain(position).chain(permits);
    read.into_iter().chain(written.map(|it| (it, Kind::Write))).collect()
}

/// The position of an action's subject among the arguments of a call. A handle accesses its first argument.
fn place_of(row: &Row<'_>, subject: Subject, kind: InvokeKind) -> Option<usize> {
    let shift = usize::from(kind != InvokeKind::Static);
    match subject {
        Subject::This if row.attributes.has(Attribute::Handle) => Some(1),
        Subject::This => (shift == 1).then_some(0),
        Subject::Argument(argument) => Some(argument.index() + shift),
    }
}
