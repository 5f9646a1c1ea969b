//! Objects that stand under a single key of a single map all their life.
//!
//! A concurrent map runs the function of `compute` for one key at a time. So the function has exclusive access to the
//! value under its key with respect to other such functions, if that object does not stand under a second key or in a
//! second map.
//!
//! **Definition.** A *keyed* class is a library class with methods whose functions run in the step of a key. An object
//! has a *single key* if it is stored at most once in contents of objects of keyed classes, where a function that
//! returns a value that it got for its key stores nothing.
//!
//! **Invariant.** [`SubjectFacts::have_single_key`] returns true only if each object that the abstract objects
//! represent has a single key. *Why it suffices.* A store is a statement whose row lets a value flow into the content
//! of an object that may be of a keyed class, or of a view of it: an argument, the result, or the result of a function
//! that the row runs. Each such statement that may store one of the objects must store a value that is fresh for it:
//! - the value is allocated by the frame that stores it, or by a method that the frame calls and that returns an object
//!   that it has allocated and not stored itself;
//! - no other statement of that frame stores a value of the same origin; and
//! - the statement is in no loop, or the value was created in the same innermost loop and not joined with others. Its
//!   definition dominates the statement, and each way through the loop from the statement to itself leads over a head
//!   of the loop, and from there over the definition.
//!
//! A value that moves through fields, parameters or other containers has other origins, so it fails the test. So do
//! objects from clients, which may store them twice. By assumption, which reports print for all objects that clients
//! get, clients store nothing into a map that they got. Linear in the storing statements and in the copies of the
//! stored values.

use super::argument_flows::argument_place;
use super::key_stores::{KeyStore, KeyStores};
use super::keyed_classes::KeyedClasses;
use super::origins::returned_variables;
use super::subject_facts::SubjectFacts;
use crate::value::SetId;
use java::ir::{BlockId, Body, Definition, Loops, Operation, Statement, StatementId, Variable};
use java::library::{Action, Outcome, Part, Row, Source, Subject, Target};
use java::points_to::{Field, Object, ObjectId, ObjectSet};
use java::{Handle, InvokeKind, MethodId, Type};
use rustc_hash::{FxHashMap, FxHashSet};
use std::collections::BTreeSet;
use std::rc::Rc;

/// Maximum number of values traced for one query; above it, the answer is no.
const MOST: usize = 500;

/// A proof obligation: a variable is fresh where it is stored or returned.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
struct Obligation {
    method: MethodId,
    variable: Variable,
    /// The block of the store; none if the variable is returned.
    stored_in: Option<BlockId>,
    /// The variable may also be one of this number of last parameters of the method.
    last_parameters: usize,
}

impl Obligation {
    fn stored(method: MethodId, variable: Variable, block: BlockId) -> Self {
        Self { method, variable, stored_in: Some(block), last_parameters: 0 }
    }

    fn returned(method: MethodId, variable: Variable, last_parameters: usize) -> Self {
        Self { method, variable, stored_in: None, last_parameters }
    }
}

/// The stores of a row, as argument positions of the call.
#[derive(Debug, Default)]
struct RowStores {
    /// Stored values, each with the container.
    values: Vec<(usize, usize)>,
    /// Containers that get results of functions.
    results: Vec<usize>,
    /// Containers that get elements of other contents, or any values.
    copies: Vec<usize>,
}

impl RowStores {
    fn of(row: &Row<'_>, kind: InvokeKind, is_constructor: bool, arguments: usize) -> Self {
        let mut found = Self::default();
        for (what, target) in row.actions.iter().filter_map(Action::flow) {
            // Stores into containers that functions return are checked at these functions.
            let Target::Of(target) = target else { continue };
            let Some(target) = argument_place(target, kind) else { continue };
            match what {
                Source::Itself(subject) => {
                    found.values.extend(argument_place(subject, kind).map(|place| (place, target)))
                }
                Source::Content(_) | Source::Any => found.copies.push(target),
                Source::Yielded => found.results.push(target),
                Source::Value => {}
            }
        }
        let runs = row.runs_functions();
        let this = argument_place(Subject::This, kind);
        if let Some(this) = this.filter(|_| row.takes_all(is_constructor)) {
            found.values.extend((this + 1..arguments).map(|place| (place, this)));
            found.results.extend(runs.then_some(this));
        }
        if runs {
            let written =
                row.actions.iter().filter_map(Action::written).filter_map(|subject| argument_place(subject, kind));
            found.results.extend(written);
        }
        found
    }

    fn is_nothing(&self) -> bool {
        self.values.is_empty() && self.results.is_empty() && self.copies.is_empty()
    }
}

impl<'p> SubjectFacts<'p> {
    /// Whether all these objects have a single key; computed once for each set.
    pub(crate) fn have_single_key(&self, of: SetId) -> bool {
        if let Some(known) = self.known.single_key.get(&of) {
            return known;
        }
        let objects: FxHashSet<ObjectId> = self.sets.objects(of).iter().copied().collect();
        let found = self.prove_single_key(&objects);
        self.known.single_key.insert(of, found);
        found
    }

    fn prove_single_key(&self, objects: &FxHashSet<ObjectId>) -> bool {
        let is_made = |object: &ObjectId| matches!(self.heap.points.object(*object), Object::Made { .. });
        let key_stores = self.key_stores();
        if key_stores.is_unknown || !objects.iter().all(is_made) {
            return false;
        }
        let points = self.heap.points;
        let captured = |reference: &ObjectId| points.field(*reference, Field::Captured(0));
        if key_stores.references.iter().any(|reference| self.content_intersects(captured(reference), objects)) {
            return false;
        }
        for key_store in &key_stores.all {
            let KeyStore { method, statement, values, results, copies, targets, suppliers } = key_store;
            let (method, block) = (*method, statement.block);
            let content_intersects = |holders: ObjectSet<'_>| self.content_intersects(holders, objects);
            let is_supplied = || suppliers.iter().any(|supplier| content_intersects(points.result(*supplier)));
            let is_stored = (*copies || results.is_some())
                && (targets.iter().any(|target| content_intersects(points.variable(method, *target))) || is_supplied());
            if is_stored && *copies {
                return false;
            }
            let is_one = |value: &&Variable| self.intersects(self.heap.points.variable(method, **value), objects);
            let mut obligations: Vec<Obligation> =
                { values.iter().filter(is_one) }.map(|it| Obligation::stored(method, *it, block)).collect();
            if let Some(last_parameters) = results.filter(|_| is_stored) {
                let Some(results) = self.returned_by_functions(method, *statement, last_parameters) else {
                    return false;
                };
                obligations.extend(results);
            }
            if !obligations.into_iter().all(|obligation| self.is_fresh(obligation)) {
                return false;
            }
        }
        true
    }

    /// Whether the content of one of the holders may hold one of these objects.
    fn content_intersects(&self, holders: ObjectSet<'_>, objects: &FxHashSet<ObjectId>) -> bool {
        holders.iter().any(|holder| self.intersects(self.heap.points.field(holder, Field::Content), objects))
    }

    /// Whether a set may contain one of these objects, which are not external.
    fn intersects(&self, set: ObjectSet<'_>, objects: &FxHashSet<ObjectId>) -> bool {
        let points = self.heap.points;
        set.iter().any(|one| match points.object(one) {
            Object::External(of) => objects.iter().any(|object| points.escapes(*object) && points.may_be(*object, *of)),
            _ => objects.contains(&one),
        })
    }

    /// The obligations for results of the functions that a statement runs; none if some function is unknown.
    fn returned_by_functions(
        &self,
        method: MethodId,
        statement: StatementId,
        last_parameters: usize,
    ) -> Option<Vec<Obligation>> {
        let callees = self.heap.points.callees(method, statement)?;
        if callees.client || callees.unknown {
            return None;
        }
        let mut found = Vec::new();
        for function in callees.functions.iter().copied() {
            // A constructor reference returns a new object.
            if !self.heap.program.is_constructor(function) {
                let body = self.heap.body(function)?;
                let is_reference = |value: &Variable| body.variable(*value).of.is_some_and(Type::is_reference);
                found.extend(
                    returned_variables(&body)
                        .filter(is_reference)
                        .map(|value| Obligation::returned(function, value, last_parameters)),
                );
            }
        }
        Some(found)
    }

    /// Whether a proof obligation holds.
    fn is_fresh(&self, obligation: Obligation) -> bool {
        let mut seen = FxHashSet::from_iter([obligation]);
        let mut open = vec![obligation];
        while let Some(Obligation { method, variable, stored_in, last_parameters }) = open.pop() {
            let Some(body) = self.heap.body(method).filter(|_| seen.len() <= MOST) else { return false };
            let Some(origins) = self.origins_for(method, &body, variable, stored_in) else { return false };
            let counts = self.key_store_counts(method);
            for origin in origins {
                let count = counts.get(&origin).copied().unwrap_or(0);
                let is_stored_as_said = count <= usize::from(stored_in.is_some());
                match body.variable(origin).definition {
                    Definition::Parameter(place) => {
                        if body.parameters.len() > place as usize + last_parameters {
                            return false;
                        }
                    }
                    Definition::Statement(id) if is_stored_as_said => match self.fresh_results(method, &body, id) {
                        Some(before) => {
                            open.extend(
                                before
                                    .into_iter()
                                    .map(|(of, it)| Obligation::returned(of, it, 0))
                                    .filter(|it| seen.insert(*it)),
                            );
                        }
                        None => return false,
                    },
                    Definition::Statement(_) | Definition::Joined(..) | Definition::Caught(_) => return false,
                }
            }
        }
        true
    }

    /// The origins of a value; none if it is stored in a loop and not defined anew in each round.
    fn origins_for(
        &self,
        method: MethodId,
        body: &Body,
        value: Variable,
        stored_in: Option<BlockId>,
    ) -> Option<Vec<Variable>> {
        let all = self.origins_of(method).of(value);
        let Some(block) = stored_in else { return Some(all) };
        let loops = Loops::new(body, &|| false).ok()?;
        let Some(around) = loops.innermost(block) else { return Some(all) };
        let [origin] = all[..] else { return None };
        let Definition::Statement(mut id) = body.variable(value).definition else { return None };
        // Casts return their operand.
        while let Operation::CheckCast(_, before) = body.statement(id).operation {
            let Definition::Statement(next) = body.variable(before).definition else { return None };
            id = next;
        }
        let is_origin = body.statement(id).to == Some(origin);
        (is_origin && loops.innermost(id.block) == Some(around)).then_some(all)
    }

    /// The values returned by the callees of a statement, which must be fresh in turn; empty if the statement itself
    /// creates the value, and none if it may yield an old object.
    fn fresh_results(&self, method: MethodId, body: &Body, id: StatementId) -> Option<Vec<(MethodId, Variable)>> {
        match &body.statement(id).operation {
            Operation::New(_) | Operation::NewArray(..) | Operation::Constant(_) => Some(Vec::new()),
            Operation::Invoke { kind, member, arguments } => {
                let callees = self.heap.points.callees(method, id)?;
                if callees.client || callees.unknown {
                    return None;
                }
                let makes = |row: &Row<'_>| match row.outcome() {
                    Outcome::OneOf(parts) => parts.iter().all(|part| matches!(part, Part::New(_) | Part::CloneOf(_))),
                    Outcome::Value => true,
                    Outcome::Soup => false,
                };
                let rows = self.rows_of_call(method, (*kind, *member), arguments);
                if callees.rows && (rows.is_empty() || !rows.iter().all(makes)) {
                    return None;
                }
                let mut found = Vec::new();
                for callee in callees.methods.iter().copied() {
                    let body = self.heap.body(callee)?;
                    found.extend(returned_variables(&body).map(|value| (callee, value)));
                }
                Some(found)
            }
            _ => None,
        }
    }

    /// For each origin, the number of statements of a method that store a value of it in the content of an object of a
    /// keyed class.
    fn key_store_counts(&self, method: MethodId) -> Rc<FxHashMap<Variable, usize>> {
        if let Some(known) = self.known.key_store_counts.get(&method) {
            return known.clone();
        }
        let key_stores = self.key_stores();
        let mut found: FxHashMap<Variable, usize> = FxHashMap::default();
        for key_store in key_stores.all.iter().filter(|key_store| key_store.method == method) {
            for value in &key_store.values {
                for origin in self.origins_of(method).of(*value) {
                    *found.entry(origin).or_default() += 1;
                }
            }
        }
        let found = Rc::new(found);
        self.known.key_store_counts.insert(method, found.clone());
        found
    }

    /// The storing statements, computed once for all subjects.
    fn key_stores(&self) -> &'p KeyStores {
        let shared = self.heap.shared;
        shared.key_stores.get_or_init(|| self.find_key_stores())
    }

    fn find_key_stores(&self) -> KeyStores {
        let keyed = KeyedClasses::new(&self.heap);
        let points = self.heap.points;
        let mut found = KeyStores::default();
        for (reference, object) in points.objects() {
            match object {
                Object::Lambda { implementation, .. } if self.refers_to_key_store(*implementation, &keyed) => {
                    found.is_unknown |= self.heap.captured_count(reference) == 0;
                    found.references.push(reference);
                }
                _ => {}
            }
        }
        for (method, _) in self.heap.program.methods().filter(|(method, _)| points.is_reached(*method)) {
            let body = match self.heap.bodies.get(method, &|| false) {
                Ok(Some(body)) => body,
                Ok(None) => continue,
                Err(_) => {
                    found.is_unknown = true;
                    continue;
                }
            };
            for (block, of) in body.blocks() {
                for (index, statement) in (0..).zip(&*of.statements) {
                    let id = StatementId { block, index };
                    found.all.extend(self.key_store((method, id), statement, &keyed));
                }
            }
        }
        found
    }

    /// Whether a method reference may run a library method that stores under keys, possibly one that a program class
    /// inherits.
    fn refers_to_key_store(&self, to: Handle, keyed: &KeyedClasses<'_>) -> bool {
        let program = self.heap.program;
        if let Some(row) = self.heap.row_of_member(to.member) {
            let is_constructor = program.is_constructor_name(to.member.name);
            let stored = RowStores::of(&row, InvokeKind::Virtual, is_constructor, usize::from(u8::MAX));
            return !stored.is_nothing() && keyed.has(program.text(to.member.class));
        }
        let class = program.find(program.text(to.member.class)).filter(|class| keyed.is_extended_by(*class));
        class.is_some() && self.heap.methods_of_reference(to.kind, to.member).is_empty()
    }

    /// The stores of a call into contents of objects that may be of keyed classes.
    fn key_store(
        &self,
        (method, id): (MethodId, StatementId),
        statement: &Statement,
        keyed: &KeyedClasses<'_>,
    ) -> Option<KeyStore> {
        let Operation::Invoke { kind, member, arguments } = &statement.operation else { return None };
        let points = self.heap.points;
        let places: Vec<bool> = arguments.iter().map(|it| keyed.may_be_in(points.variable(method, *it))).collect();
        let result = statement.to.filter(|to| keyed.may_be_in(points.variable(method, *to)));
        let callees = points.callees(method, id);
        let functions = callees.into_iter().flat_map(|callees| callees.functions.iter().copied());
        let suppliers: Vec<MethodId> = functions.filter(|function| keyed.may_be_in(points.result(*function))).collect();
        if result.is_none() && suppliers.is_empty() && !places.contains(&true) {
            return None;
        }
        let is_constructor = self.heap.program.is_constructor_name(member.name);
        let rows = self.rows_of_call(method, (*kind, *member), arguments);
        let is_keyed = |place: &usize| places.get(*place) == Some(&true);
        // A row of a keyed class stores results of functions in its own object.
        let is_supplied = rows.iter().any(|row| row.traits.values_of_key.is_none());
        let suppliers = if is_supplied { suppliers } else { Vec::new() };
        let copies = !suppliers.is_empty();
        let (values, results, targets) = (Vec::new(), None, Vec::new());
        let mut found = KeyStore { method, statement: id, values, results, copies, targets, suppliers };
        let mut targets: BTreeSet<Variable> = BTreeSet::new();
        for row in &rows {
            let stored = RowStores::of(row, *kind, is_constructor, arguments.len());
            let values = stored.values.iter().filter(|(_, target)| is_keyed(target));
            found.values.extend(values.filter_map(|(place, _)| arguments.get(*place)));
            let last_parameters = usize::from(row.traits.values_of_key.unwrap_or(0));
            for place in stored.results.iter().filter(|place| is_keyed(place)) {
                found.results = Some(found.results.map_or(last_parameters, |known| known.min(last_parameters)));
                targets.insert(arguments[*place]);
            }
            for place in stored.copies.iter().filter(|place| is_keyed(place)) {
                found.copies = true;
                targets.insert(arguments[*place]);
            }
            // An object that a row creates, or gets from functions, may be filled from the start.
            if let Some(result) = result.filter(|_| may_return_filled(row)) {
                found.copies = true;
                targets.insert(result);
            }
        }
        // A class that extends a keyed one inherits its methods; of an unknown method nothing is known.
        let is_inherited = rows.is_empty() && callees.is_none_or(|callees| callees.rows);
        if is_inherited || callees.is_some_and(|callees| callees.unknown) {
            found.copies = true;
            targets.extend(arguments.iter().copied());
        }
        found.values.sort_unstable();
        found.values.dedup();
        found.targets = targets.into_iter().collect();
        (!found.values.is_empty() || found.results.is_some() || found.copies).then_some(found)
    }
}

/// Whether the result of a row may be a new object that is already filled: by the row, by its functions, or in an
/// unknown way.
fn may_return_filled(row: &Row<'_>) -> bool {
    let holds = |action: &Action| matches!(action, Action::Makes(making) if !making.holds.is_empty());
    let runs = row.runs_functions() && row.traits.values_of_key.is_none();
    runs || row.actions.iter().any(holds) || row.outcome() == Outcome::Soup
}
