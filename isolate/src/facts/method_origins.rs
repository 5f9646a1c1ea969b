//! The [origins](super::origins) of the variables of each method, with the arguments that its calls return or hold.

use super::argument_flows::{ArgumentFlow, argument_place};
use super::objects::ObjectKind;
use super::origins::{Origins, returned_variables};
use super::subject_facts::SubjectFacts;
use java::ir::{Body, Definition, Operation, StatementId, Variable};
use java::library::{Action, Outcome, Part, Row};
use java::points_to::{ObjectId, Site};
use java::{ClassId, InvokeKind, Member, MethodId};
use rustc_hash::FxHashSet;
use std::rc::Rc;

/// Maximum number of variables traced for one query; above it, the variable may be new.
const MOST: usize = 500;

/// The arguments that a call may return.
enum ReturnedArguments {
    /// The arguments at these positions.
    Places(Vec<usize>),
    /// Any argument.
    Any,
}

impl SubjectFacts<'_> {
    /// The origins of a method's variables, computed once.
    pub(super) fn origins_of(&self, method: MethodId) -> Rc<Origins> {
        if let Some(known) = self.known.escapes.origins.get(&method) {
            return known.clone();
        }
        let mut found = Origins::default();
        if let Some(body) = self.heap.body(method) {
            found = Origins::of_copies(&body);
            for (block, of) in body.blocks() {
                for (index, statement) in (0..).zip(&*of.statements) {
                    let Operation::Invoke { kind, member, arguments } = &statement.operation else { continue };
                    let Some(to) = statement.to.filter(|to| body.variable(*to).of.is_some()) else { continue };
                    let site = StatementId { block, index };
                    let back: Vec<Variable> = match self.returned_arguments(method, site, (*kind, *member), arguments) {
                        ReturnedArguments::Any => arguments.to_vec(),
                        ReturnedArguments::Places(places) => {
                            places.iter().filter_map(|place| arguments.get(*place).copied()).collect()
                        }
                    };
                    if !back.is_empty() {
                        found.returned_arguments.insert(to, back);
                    }
                    let held = self.held_arguments(method, site, (*kind, *member), arguments);
                    if !held.is_empty() {
                        found.held.insert(to, held);
                    }
                }
            }
            found.add_loads(&body);
        }
        let found = Rc::new(found);
        self.known.escapes.origins.insert(method, found.clone());
        found
    }

    /// The arguments that a call may return: those that its callees return, and those that its row names.
    fn returned_arguments(
        &self,
        method: MethodId,
        site: StatementId,
        (kind, member): (InvokeKind, Member),
        arguments: &[Variable],
    ) -> ReturnedArguments {
        let of_row = |action: &Action| match action {
            Action::Returns(subject) => argument_place(*subject, kind),
            _ => None,
        };
        let rows = self.rows_of_call(method, (kind, member), arguments);
        let mut places: Vec<usize> = rows.iter().flat_map(|row| row.actions).filter_map(of_row).collect();
        let callees = self.heap.points.callees(method, site);
        for callee in callees.iter().flat_map(|callees| callees.methods.iter().copied()) {
            let Some(body) = self.heap.body(callee) else { return ReturnedArguments::Any };
            let copies = Origins::of_copies(&body);
            for origin in returned_variables(&body).flat_map(|value| copies.of(value)) {
                match body.variable(origin).definition {
                    Definition::Parameter(place) => places.push(usize::try_from(place).expect("32 bits")),
                    Definition::Statement(id) => {
                        if let Operation::Invoke { .. } = body.statement(id).operation {
                            return ReturnedArguments::Any;
                        }
                    }
                    Definition::Joined(..) | Definition::Caught(_) => {}
                }
            }
        }
        ReturnedArguments::Places(places)
    }

    /// The arguments that the result of a call may be, view or hold: those that its rows do not exclude, and all if its
    /// callees are not known. An argument that a callee stores escapes.
    fn held_arguments(
        &self,
        method: MethodId,
        site: StatementId,
        (kind, member): (InvokeKind, Member),
        arguments: &[Variable],
    ) -> Vec<Variable> {
        let callees = self.heap.points.callees(method, site);
        if callees.iter().flat_map(|callees| &*callees.methods).any(|callee| self.returns_element(*callee)) {
            return arguments.to_vec();
        }
        let flows = self.argument_flows(method, site, (kind, member), arguments);
        let held = arguments.iter().zip(flows).filter(|(_, flow)| flow.is_in_result);
        held.map(|(argument, _)| *argument).collect()
    }

    /// Whether a method may return an element of an array that a call in it has made.
    fn returns_element(&self, method: MethodId) -> bool {
        let Some(body) = self.heap.body(method) else { return true };
        let copies = Origins::of_copies(&body);
        let is_element = |origin: Variable| match body.variable(origin).definition {
            Definition::Statement(id) => matches!(body.statement(id).operation, Operation::LoadElement { .. }),
            _ => false,
        };
        returned_variables(&body).flat_map(|value| copies.of(value)).any(is_element)
    }

    /// The flows of each argument by the rows of a call; nothing is excluded if the call may run other code than that
    /// of rows and of the program.
    pub(crate) fn argument_flows(
        &self,
        method: MethodId,
        site: StatementId,
        (kind, member): (InvokeKind, Member),
        arguments: &[Variable],
    ) -> Vec<ArgumentFlow> {
        let mut rows = self.rows_of_call(method, (kind, member), arguments);
        rows.extend(self.rows_inherited_by_receiver(method, (kind, member), arguments));
        let callees = self.heap.points.callees(method, site);
        let is_unknown = match callees {
            Some(callees) => callees.unknown || (callees.rows && rows.is_empty()),
            None => rows.is_empty() && !self.resolves_to_code(kind, member),
        };
        let is_constructor = self.heap.program.is_constructor_name(member.name);
        let flow = |place: usize| match is_unknown {
            true => ArgumentFlow::ANY,
            false => ArgumentFlow::of_all(&rows, kind, is_constructor, place),
        };
        (0..arguments.len()).map(flow).collect()
    }

    /// The rows that program classes among the receiver's inherit.
    fn rows_inherited_by_receiver(
        &self,
        method: MethodId,
        (kind, member): (InvokeKind, Member),
        arguments: &[Variable],
    ) -> Vec<Row<'_>> {
        let program = self.heap.program;
        let objects = match arguments.first() {
            Some(receiver) if kind != InvokeKind::Static => self.heap.variable(method, *receiver),
            _ => Vec::new(),
        };
        let of_object = |object: ObjectId| match self.heap.kind_of(object) {
            ObjectKind::Program(class) => Some(class),
            _ => None,
        };
        let mut classes: Vec<ClassId> =
            objects.into_iter().filter_map(of_object).chain(program.named(member.class)).collect();
        classes.sort_unstable();
        classes.dedup();
        let declared = classes.into_iter().flat_map(|class| program.supertypes(class)).map(|of| program.class(of));
        let mut outside: Vec<java::Name> = declared
            .flat_map(|of| of.superclass.iter().chain(&of.interfaces).copied())
            .filter(|name| program.named(*name).is_none())
            .collect();
        outside.sort_unstable();
        outside.dedup();
        outside.into_iter().filter_map(|name| self.heap.row(program.text(name), member)).collect()
    }

    fn resolves_to_code(&self, kind: InvokeKind, member: Member) -> bool {
        let found = self.heap.program.resolve_method(member).found();
        matches!(kind, InvokeKind::Static | InvokeKind::Special)
            && found.is_some_and(|method| self.heap.program.method(method).has_code())
    }

    /// Whether a variable may hold an object that the unit has made.
    pub(super) fn may_be_new(&self, method: MethodId, variable: Variable) -> bool {
        if let Some(known) = self.known.escapes.may_be_new.get(&(method, variable)) {
            return known;
        }
        let found = self.find_new(method, variable);
        self.known.escapes.may_be_new.insert((method, variable), found);
        found
    }

    fn find_new(&self, method: MethodId, variable: Variable) -> bool {
        let mut seen = FxHashSet::from_iter([(method, variable)]);
        let mut open = vec![(method, variable)];
        while let Some((method, variable)) = open.pop() {
            if seen.len() > MOST {
                return true;
            }
            // A method without readable code may return a new object.
            let Some(body) = self.heap.body(method) else { return true };
            for origin in self.origins_of(method).of(variable) {
                let before = match body.variable(origin).definition {
                    Definition::Parameter(place) => self.passed_by_callers(method, place),
                    Definition::Statement(id) => self.returned_at(method, &body, id),
                    Definition::Joined(..) | Definition::Caught(_) => Some(Vec::new()),
                };
                let Some(before) = before else { return true };
                open.extend(before.into_iter().filter(|it| seen.insert(*it)));
            }
        }
        false
    }

    /// The variables that callers pass at a parameter position; none if they are unknown.
    fn passed_by_callers(&self, method: MethodId, place: u32) -> Option<Vec<(MethodId, Variable)>> {
        let place = usize::try_from(place).expect("32 bits");
        let passed_at = |site: &Site| {
            let body = self.heap.body(site.method)?;
            let Operation::Invoke { member, arguments, .. } = &body.statement(site.statement).operation else {
                return None;
            };
            // A call of a function has other argument positions.
            let is_it = self.heap.program.method(method).name == member.name;
            let argument = arguments.get(place).filter(|_| is_it)?;
            Some((site.method, *argument))
        };
        self.heap.points.callers(method).iter().map(passed_at).collect()
    }

    /// Whether a row of a call may return an object that it makes.
    fn is_made_by_row(&self, method: MethodId, (kind, member): (InvokeKind, Member), arguments: &[Variable]) -> bool {
        let makes = |row: &Row<'_>| match row.outcome() {
            Outcome::Value => false,
            Outcome::Soup => true,
            Outcome::OneOf(parts) => !parts.iter().all(|part| {
                matches!(part, Part::Is(_) | Part::From(_) | Part::Handle | Part::Anything | Part::ClassOf(_))
            }),
        };
        self.rows_of_call(method, (kind, member), arguments).iter().any(makes)
    }

    /// The variables that callees of a statement return; none if the statement may yield a new object itself.
    fn returned_at(&self, method: MethodId, body: &Body, id: StatementId) -> Option<Vec<(MethodId, Variable)>> {
        let kind = match &body.statement(id).operation {
            Operation::New(_) | Operation::NewArray(..) => return None,
            Operation::Invoke { kind, member, arguments } => {
                if self.is_made_by_row(method, (*kind, *member), arguments) {
                    return None;
                }
                *kind
            }
            _ => return Some(Vec::new()),
        };
        let mut found = Vec::new();
        for callee in self.heap.points.callees(method, id).iter().flat_map(|callees| callees.methods.iter().copied()) {
            // A constructor reference is a function that returns a new object.
            if self.heap.program.is_constructor(callee) && kind != InvokeKind::Special {
                return None;
            }
            let body = self.heap.body(callee)?;
            found.extend(returned_variables(&body).map(|value| (callee, value)));
        }
        Some(found)
    }
}
