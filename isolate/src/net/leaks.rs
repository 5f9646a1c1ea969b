//! Uses of an object by which others may get it, by a syntactic check.

use super::Code;
use super::accesses::rows;
use java::ir::{Body, Definition, Operation, StatementId, Use, Uses, Variable};
use java::library::{Action, Outcome, Part, Row, Source, Subject};
use java::points_to::Store;
use java::{CallSiteAction, FieldId, InvokeKind, Member, MethodId, Type};
use rustc_hash::{FxHashMap, FxHashSet};
use std::cell::RefCell;
use std::sync::Arc;

/// Maximum depth of calls in the check.
const DEEPEST: usize = 5;

/// The effect of a use.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Effect {
    /// Nobody else gets the object.
    Nothing,
    /// This variable is, or shares the content of, the object.
    Alias(Variable),
    /// Others may get the object.
    Leak,
}

/// Methods that may let others get their parameters.
pub(super) struct Leaks<'p> {
    pub(super) code: Code<'p>,
    known: RefCell<FxHashMap<(MethodId, usize), bool>>,
}

impl<'p> Leaks<'p> {
    pub(super) fn new(code: Code<'p>) -> Self {
        Self { code, known: RefCell::default() }
    }

    /// Whether a method may store, return or pass on the parameter at this position.
    pub(super) fn leaks_parameter(&self, method: MethodId, place: usize) -> bool {
        self.leaks_within(method, place, DEEPEST)
    }

    fn leaks_within(&self, method: MethodId, place: usize, depth: usize) -> bool {
        let Some(depth) = depth.checked_sub(1) else { return true };
        if let Some(known) = self.known.borrow().get(&(method, place)) {
            return *known;
        }
        // A recursive method leaks.
        self.known.borrow_mut().insert((method, place), true);
        let leaks = |body: Arc<Body>| {
            let parameter = body.parameters.get(place)?;
            Some(!self.uses_within(&body, &Uses::new(&body), *parameter, depth).1.is_empty())
        };
        let found = self.code.body(method).and_then(leaks).unwrap_or(true);
        self.known.borrow_mut().insert((method, place), found);
        found
    }

    /// Whether a constructor runs no method on its object but constructors that do not either.
    pub(super) fn runs_nothing(&self, constructor: MethodId) -> bool {
        let mut open = vec![constructor];
        let mut known = FxHashSet::default();
        while let Some(method) = open.pop() {
            // The constructors of the library are known to call nothing of a subclass.
            let Some(body) = self.code.body(method).filter(|_| known.insert(method)) else { continue };
            let Some(this) = body.parameters.first() else { return false };
            for used in Uses::new(&body).of(*this) {
                let Use::Statement(at) = used else { continue };
                match &body.statement(*at).operation {
                    Operation::Invoke { kind: InvokeKind::Special, member, arguments }
                        if self.code.program.is_constructor_name(member.name) && !arguments[1..].contains(this) =>
                    {
                        open.extend(self.code.program.resolve_method(*member).found());
                    }
                    Operation::Invoke { .. } | Operation::InvokeDynamic { .. } => return false,
                    _ => {}
                }
            }
        }
        true
    }

    /// Whether each object has an object of its own in a field: each store is of a new object, and nobody else gets it.
    pub(super) fn owns(&self, field: FieldId) -> bool {
        self.code.points.stores(field).iter().all(|Store { method, statement, .. }| {
            let Some(body) = self.code.body(*method) else { return false };
            let Operation::PutField { value, .. } = body.statement(*statement).operation else { return false };
            let Definition::Statement(made) = body.variable(value).definition else { return false };
            let (_, leaking) = self.leaking_uses(&body, &Uses::new(&body), value);
            matches!(body.statement(made).operation, Operation::New(_) | Operation::NewArray(..))
                && leaking == [Use::Statement(*statement)]
        })
    }

    /// The aliases of a variable, and their uses by which others may get the object.
    pub(super) fn leaking_uses(&self, body: &Body, uses: &Uses, variable: Variable) -> (Vec<Variable>, Vec<Use>) {
        self.uses_within(body, uses, variable, DEEPEST)
    }

    fn uses_within(&self, body: &Body, uses: &Uses, variable: Variable, depth: usize) -> (Vec<Variable>, Vec<Use>) {
        let mut aliases = vec![variable];
        let mut leaking = Vec::new();
        let mut done = 0;
        while let Some(alias) = aliases.get(done).copied() {
            done += 1;
            for used in uses.of(alias) {
                match self.effect(body, alias, *used, depth) {
                    Effect::Nothing => {}
                    Effect::Alias(other) if aliases.contains(&other) => {}
                    Effect::Alias(other) => aliases.push(other),
                    Effect::Leak => leaking.push(*used),
                }
            }
        }
        (aliases, leaking)
    }

    fn effect(&self, body: &Body, variable: Variable, used: Use, depth: usize) -> Effect {
        let at = match used {
            Use::Argument { .. } => return Effect::Leak,
            Use::End(block) => {
                return match body.block(block).end {
                    java::ir::End::Branch { .. } => Effect::Nothing,
                    _ => Effect::Leak,
                };
            }
            Use::Statement(at) => at,
        };
        let statement = body.statement(at);
        let leak_if = |leaks: bool| if leaks { Effect::Leak } else { Effect::Nothing };
        match &statement.operation {
            Operation::CheckCast(..) => statement.to.map_or(Effect::Nothing, Effect::Alias),
            Operation::PutField { value, .. }
            | Operation::PutStatic(_, value)
            | Operation::StoreElement { value, .. } => leak_if(*value == variable),
            Operation::Invoke { kind, member, arguments } => {
                let mut effect = Effect::Nothing;
                for place in (0..arguments.len()).filter(|place| arguments[*place] == variable) {
                    match (effect, self.of_call(body, at, (*kind, *member, arguments), place, depth)) {
                        (_, Effect::Leak) | (Effect::Alias(_), Effect::Alias(_)) => return Effect::Leak,
                        (Effect::Nothing, other) => effect = other,
                        (before, _) => effect = before,
                    }
                }
                effect
            }
            Operation::InvokeDynamic { site, .. } => {
                let callees = self.code.points.callees(body.method, at);
                let is_text = body.call_site(*site).action == CallSiteAction::Concatenation;
                leak_if(!is_text || callees.is_some_and(|it| !it.methods.is_empty() || !it.functions.is_empty()))
            }
            _ => Effect::Nothing,
        }
    }

    fn of_call(
        &self,
        body: &Body,
        at: StatementId,
        (kind, member, arguments): (InvokeKind, Member, &[Variable]),
        place: usize,
        depth: usize,
    ) -> Effect {
        let Some(callees) = self.code.points.callees(body.method, at) else { return Effect::Leak };
        let is_receiver = place == 0 && kind != InvokeKind::Static;
        // A function that the library calls gets arguments, and what the receiver holds, but not the receiver.
        let is_open = callees.client || callees.unknown || !callees.functions.is_empty();
        if (is_open && !is_receiver) || callees.methods.iter().any(|method| self.leaks_within(*method, place, depth)) {
            return Effect::Leak;
        }
        if !callees.rows {
            return if callees.methods.is_empty() { Effect::Leak } else { Effect::Nothing };
        }
        let rows = rows(self.code, body, kind, member, arguments);
        let to = body.statement(at).to.filter(|to| body.variable(*to).of.is_some_and(Type::is_reference));
        let is_constructor = self.code.program.is_constructor_name(member.name);
        let mut effects = rows.iter().map(|row| of_row(row, kind, place, is_constructor, to));
        let Some(first) = effects.next() else { return Effect::Leak };
        // The result is an alias only if it is certainly this object.
        let is_certain = effects.all(|effect| effect == first);
        let is_sole = callees.methods.is_empty() || first == Effect::Nothing;
        if is_certain && is_sole { first } else { Effect::Leak }
    }
}

/// The effect of a row on its receiver or argument at this position.
fn of_row(row: &Row<'_>, kind: InvokeKind, place: usize, is_constructor: bool, to: Option<Variable>) -> Effect {
    let shift = usize::from(kind != InvokeKind::Static);
    let place_of = |subject: Subject| match subject {
        Subject::This => 0,
        Subject::Argument(argument) => argument.index() + shift,
    };
    let is_it = |subject: Subject| place_of(subject) == place && (shift == 1 || subject != Subject::This);
    let has = |source: &Source| match source {
        Source::Itself(subject) => is_it(*subject),
        Source::Any => true,
        Source::Content(_) | Source::Yielded | Source::Value => false,
    };
    let leaks = |action: &Action| match action {
        Action::Keeps { what, .. } => has(what),
        Action::Later { whom, .. } => has(whom),
        Action::Sets(argument) | Action::GetsAndSets(argument) => argument.index() + shift == place,
        Action::ComparesAndSets(pairs) => pairs.iter().any(|(_, new)| new.index() + shift == place),
        Action::Makes(making) => making.holds.iter().any(has),
        _ => false,
    };
    if row.actions.iter().any(leaks) || (place >= shift && row.takes_all(is_constructor)) {
        return Effect::Leak;
    }
    let is_same = |part: &Part<'_>| match part {
        Part::Is(subject) => is_it(*subject),
        Part::View(view) => is_it(view.of),
        _ => false,
    };
    match (row.outcome(), to) {
        (Outcome::OneOf(parts), Some(to)) if parts.iter().all(is_same) => Effect::Alias(to),
        (Outcome::OneOf(parts), Some(_)) if parts.iter().any(is_same) => Effect::Leak,
        (Outcome::Soup, Some(_)) => Effect::Leak,
        _ => Effect::Nothing,
    }
}
