//! Escape of objects that a unit has made: from then on they may be followed objects.
//!
//! An object that a unit makes is no followed object as long as the unit alone has it: nobody else observes accesses to
//! it. Once it is stored in another object or a static field, kept by the library, or passed to clients or to a method
//! that stores it, others may find it, and it may be the followed object of its alias class. So all variables that may
//! hold it become unresolved: those that share an [origin](super::origins) with the stored variable, if the value of
//! that origin may be new.
//!
//! A method *stores* a parameter if it stores or captures it, or passes it to a method that does; rows say what the
//! library keeps.

use super::execution::Position;
use super::interpreter::Interpreter;
use super::origins::returned_variables;
use super::state::State;
use crate::value::Value;
use java::ir::{Body, Definition, Operation, StatementId, Variable};
use java::library::{Action, Source, Subject};
use java::{InvokeKind, Lookup, Member, MethodId};
use std::rc::Rc;

/// Maximum call depth in the search for stores of a parameter.
const DEEPEST: usize = 6;

impl Interpreter<'_> {
    /// The object of a variable escapes: the variable and its may-aliases become unresolved, even if the variable is
    /// unresolved already.
    pub(super) fn note_escape(&mut self, at: Position<'_>, state: &mut State, variable: Variable) {
        if self.is_foreign(at.id) {
            return;
        }
        let method = self.contexts[at.id.index()].method;
        for alias in self.escaping_aliases(method, variable).iter().copied() {
            if matches!(state.value(alias), Value::Any | Value::Other | Value::Made(_)) {
                let open = state.unresolved(self.variable_set(method, alias));
                state.set(alias, open);
            }
        }
    }

    /// The variables that may hold the same new object as a variable, if it may be a followed one; computed once.
    fn escaping_aliases(&mut self, method: MethodId, variable: Variable) -> Rc<[Variable]> {
        if let Some(known) = self.memo.escaping_aliases.get(&(method, variable)) {
            return known.clone();
        }
        let mut found = Vec::new();
        if self.may_hold_followed(method, variable) {
            let origins = self.origins_of(method);
            let mut made = origins.of(variable);
            made.retain(|origin| self.may_be_new(method, *origin));
            found = origins.sharing(&made);
            found.retain(|alias| self.may_hold_followed(method, *alias));
        }
        let found: Rc<[Variable]> = found.into();
        self.memo.escaping_aliases.insert((method, variable), found.clone());
        found
    }

    fn may_hold_followed(&self, method: MethodId, variable: Variable) -> bool {
        self.heap.variable(method, variable).into_iter().any(|object| self.may_be_followed(object))
    }

    /// The arguments that a call stores.
    pub(super) fn stored_arguments(&mut self, at: Position<'_>, operation: &Operation) -> Vec<Variable> {
        let Operation::Invoke { kind, member, arguments } = operation else { return Vec::new() };
        let method = self.contexts[at.id.index()].method;
        let is_new: Vec<bool> =
            arguments.iter().map(|it| self.may_hold_followed(method, *it) && self.may_be_new(method, *it)).collect();
        if !is_new.contains(&true) {
            return Vec::new();
        }
        let places = (0..arguments.len()).filter(|place| is_new[*place]);
        let site = StatementId { block: at.point.block, index: at.point.index };
        places
            .filter(|place| self.is_stored_by(method, site, (*kind, *member), *place, DEEPEST))
            .map(|it| arguments[it])
            .collect()
    }

    /// Whether a call stores its argument at this position.
    fn is_stored_by(
        &self,
        method: MethodId,
        site: StatementId,
        (kind, member): (InvokeKind, Member),
        place: usize,
        depth: usize,
    ) -> bool {
        let Some(depth) = depth.checked_sub(1) else { return true };
        let callees = self.heap.points.callees(method, site);
        // Clients may keep their arguments.
        if place > 0 && callees.is_some_and(|callees| callees.client) {
            return true;
        }
        let given: Vec<MethodId> = match (kind, self.heap.program.resolve_method(member)) {
            (InvokeKind::Static | InvokeKind::Special, Lookup::Found(found)) => vec![found],
            _ => callees.iter().flat_map(|it| it.methods.iter().copied()).collect(),
        };
        let is_kept = self.heap.row_of_member(member).is_some_and(|row| {
            let shift = usize::from(kind != InvokeKind::Static);
            let is_it = |source: &Source| match source {
                Source::Itself(Subject::Argument(it)) => it.index() + shift == place,
                Source::Any => true,
                _ => false,
            };
            let keeps = row.actions.iter().any(|action| match action {
                Action::Keeps { what, .. } => is_it(what),
                Action::Later { whom, .. } => is_it(whom),
                Action::Sets(it) | Action::GetsAndSets(it) => it.index() + shift == place,
                Action::ComparesAndSets(pairs) => pairs.iter().any(|(_, new)| new.index() + shift == place),
                _ => false,
            });
            keeps || (place >= shift && row.takes_all(self.heap.program.is_constructor_name(member.name)))
        });
        is_kept || given.into_iter().any(|callee| self.stores_parameter(callee, place, depth))
    }

    fn stores_parameter(&self, method: MethodId, place: usize, depth: usize) -> bool {
        let Some(body) = self.heap.body(method) else { return true };
        let Some(parameter) = body.parameters.get(place).copied() else { return true };
        self.stores_variable((method, &body), (parameter, &|_| false), depth)
    }

    /// Whether a method lets a parameter escape that may hold a new object: from then on it may be a followed one.
    pub(super) fn escapes_via_parameter(&mut self, method: MethodId, body: &Body) -> bool {
        (0..).zip(&*body.parameters).any(|(place, parameter)| {
            body.variable(*parameter).of.is_some_and(java::Type::is_reference)
                && self.may_hold_followed(method, *parameter)
                && self.stores_parameter(method, place, DEEPEST)
                && self.may_be_new(method, *parameter)
        })
    }

    /// Whether a method lets its own allocation escape. A store into another object that it has made, or that it
    /// constructs, does not count.
    pub(super) fn allocation_escapes(&self, method: MethodId, body: &Body, made: Variable) -> bool {
        let constructed = body.parameters.first().filter(|_| self.heap.program.is_constructor(method));
        let is_private = |object: Variable| constructed == Some(&object) || self.is_new(body, object);
        self.stores_variable((method, body), (made, &is_private), DEEPEST)
    }

    fn stores_variable(
        &self,
        (method, body): (MethodId, &Body),
        (parameter, is_private): (Variable, &dyn Fn(Variable) -> bool),
        depth: usize,
    ) -> bool {
        let stores = |(block, of): (java::ir::BlockId, &java::ir::Block)| {
            (0..).zip(&*of.statements).any(|(index, statement)| match &statement.operation {
                Operation::PutField { object, value, .. } => *value == parameter && !is_private(*object),
                Operation::PutStatic(_, value) => *value == parameter,
                Operation::StoreElement { value, .. } => *value == parameter,
                Operation::InvokeDynamic { arguments, .. } => arguments.contains(&parameter),
                Operation::Invoke { kind, member, arguments } => {
                    let places = (0..arguments.len()).filter(|place| arguments[*place] == parameter);
                    let site = StatementId { block, index };
                    { places }.any(|place| self.is_stored_by(method, site, (*kind, *member), place, depth))
                }
                _ => false,
            })
        };
        // A joined variable has another name.
        let is_joined = body.blocks().any(|(_, block)| {
            super::method::Method::edges(&block.end).iter().any(|edge| edge.arguments.contains(&parameter))
        });
        is_joined || body.blocks().any(stores)
    }

    /// Whether a variable certainly holds a new object, allocated by the method or by a method that it calls.
    fn is_new(&self, body: &Body, variable: Variable) -> bool {
        let Definition::Statement(id) = body.variable(variable).definition else { return false };
        match &body.statement(id).operation {
            Operation::New(_) | Operation::NewArray(..) => true,
            Operation::CheckCast(_, value) => self.is_new(body, *value),
            Operation::Invoke { kind: InvokeKind::Static | InvokeKind::Special, member, .. } => {
                let found = self.heap.program.resolve_method(*member).found();
                found.and_then(|method| self.heap.body(method)).is_some_and(|body| gives_new(&body))
            }
            _ => false,
        }
    }
}

/// Whether a method returns only objects that it has allocated.
fn gives_new(body: &Body) -> bool {
    let is_new = |variable: Variable| match body.variable(variable).definition {
        Definition::Statement(id) => {
            matches!(body.statement(id).operation, Operation::New(_) | Operation::NewArray(..))
        }
        _ => false,
    };
    returned_variables(body).all(is_new)
}
