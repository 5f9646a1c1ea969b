//! Objects that stand under one key of one map all their life.
//!
//! A concurrent map runs the function of `compute` for one key at a time. So the function has what stands under that
//! key alone, as far as other such functions are concerned, if the object does not stand under a second key or in a
//! second map.
//!
//! **Definition.** A *keyed* class is one of the library with methods whose functions run in the step of a key. An
//! object is *kept once* if it is stored at most once in the contents of objects of keyed classes, where a function
//! that gives back what it got of its key stores nothing.
//!
//! **Invariant.** [`Interpreter::have_single_key`] says so of abstract objects only if each object that they stand for
//! is kept once. *Why it is enough.* A store is a statement whose row lets something flow into the content of what may
//! be of a keyed class, or of a view of it: of an argument, of the result, or of what a function returns that the row
//! runs. Each such statement is looked at that may store one of the objects, and it has to store what was made for it:
//! - the value is made by the frame that stores it, or by a method that the frame calls and that returns what it has
//!   made and not stored itself;
//! - no other statement of that frame stores a value of the same origin; and
//! - the statement is in no loop, or the value was made, and not joined with others, in the same innermost loop. What
//!   is defined there dominates the statement, and each way through the loop from the statement to itself leads over a
//!   head of the loop, and from there over the definition.
//!
//! What moves through fields, parameters or other containers on its way has other origins, so it is not kept once. What
//! clients give is not, either: they may give it twice. That clients put nothing into a map that they have got is
//! assumed, and told, of everything that they have got. Linear in the statements that store, and in the copies of what
//! they store.

use super::calls::argument_place;
use super::interpreter::Interpreter;
use super::key_stores::{KeyStore, KeyStores};
use super::keyed_classes::KeyedClasses;
use super::origins::returned_variables;
use crate::value::SetId;
use java::ir::{BlockId, Body, Definition, Loops, Operation, Statement, StatementId, Variable};
use java::library::{Action, Outcome, Part, Row, Source, Subject, Target};
use java::points_to::{Field, Object, ObjectId, ObjectSet};
use java::{Handle, InvokeKind, MethodId, Type};
use rustc_hash::{FxHashMap, FxHashSet};
use std::collections::BTreeSet;
use std::rc::Rc;

/// So many values are followed back for one question; what has more is not kept once.
const MOST: usize = 500;

/// What a value has to be: the method and the variable; the block in which it is stored, or nothing if it is returned;
/// and of how many of the last parameters it may be one.
type Asked = (MethodId, Variable, Option<BlockId>, usize);

/// What a row stores, by the places of its call's arguments.
#[derive(Debug, Default)]
struct RowStores {
    /// What it stores, and in whose content.
    values: Vec<(usize, usize)>,
    /// In whose contents it stores what functions return.
    results: Vec<usize>,
    /// In whose contents it stores what contents hold, or anything.
    copies: Vec<usize>,
}

impl RowStores {
    fn of(row: &Row<'_>, kind: InvokeKind, is_constructor: bool, arguments: usize) -> Self {
        let mut found = Self::default();
        for (what, target) in row.actions.iter().filter_map(Action::flow) {
            // What it stores in what functions return is told by these functions.
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

impl<'p> Interpreter<'p> {
    /// Whether all these objects are kept once; found once for each set.
    pub(super) fn have_single_key(&mut self, of: SetId) -> bool {
        if let Some(known) = self.memo.single_key.get(&of) {
            return *known;
        }
        let objects: FxHashSet<ObjectId> = self.sets.objects(of).iter().copied().collect();
        let found = self.prove_single_key(&objects);
        self.memo.single_key.insert(of, found);
        found
    }

    fn prove_single_key(&mut self, objects: &FxHashSet<ObjectId>) -> bool {
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
            let mut asked: Vec<Asked> =
                { values.iter().filter(is_one) }.map(|it| (method, *it, Some(block), 0)).collect();
            if let Some(given) = results.filter(|_| is_stored) {
                let Some(results) = self.returned_by_functions(method, *statement, given) else { return false };
                asked.extend(results);
            }
            if !asked.into_iter().all(|asked| self.is_fresh(asked)) {
                return false;
            }
        }
        true
    }

    /// Whether the content of one of some objects may hold one of these.
    fn content_intersects(&self, holders: ObjectSet<'_>, objects: &FxHashSet<ObjectId>) -> bool {
        holders.iter().any(|holder| self.intersects(self.heap.points.field(holder, Field::Content), objects))
    }

    /// Whether a set may have one of these objects, which are no external ones.
    fn intersects(&self, set: ObjectSet<'_>, objects: &FxHashSet<ObjectId>) -> bool {
        let points = self.heap.points;
        set.iter().any(|one| match points.object(one) {
            Object::External(of) => objects.iter().any(|object| points.escapes(*object) && points.may_be(*object, *of)),
            _ => objects.contains(&one),
        })
    }

    /// What the functions return that a statement runs; nothing if some of them are not known.
    fn returned_by_functions(&self, method: MethodId, statement: StatementId, given: usize) -> Option<Vec<Asked>> {
        let callees = self.heap.points.callees(method, statement)?;
        if callees.client || callees.unknown {
            return None;
        }
        let mut found = Vec::new();
        for function in callees.functions.iter().copied() {
            // A reference to a constructor gives what it makes.
            if !self.heap.program.is_constructor(function) {
                let body = self.heap.body(function)?;
                let is_reference = |value: &Variable| body.variable(*value).of.is_some_and(Type::is_reference);
                found
                    .extend(returned_variables(&body).filter(is_reference).map(|value| (function, value, None, given)));
            }
        }
        Some(found)
    }

    /// Whether a value was made for the statement that stores it.
    fn is_fresh(&mut self, asked: Asked) -> bool {
        let mut seen = FxHashSet::from_iter([asked]);
        let mut open = vec![asked];
        while let Some((method, value, stored_in, given)) = open.pop() {
            let Some(body) = self.heap.body(method).filter(|_| seen.len() <= MOST) else { return false };
            let Some(origins) = self.origins_for(method, &body, value, stored_in) else { return false };
            let counts = self.key_store_counts(method);
            for origin in origins {
                let count = counts.get(&origin).copied().unwrap_or(0);
                let is_stored_as_said = count <= usize::from(stored_in.is_some());
                match body.variable(origin).definition {
                    Definition::Parameter(place) => {
                        if body.parameters.len() > place as usize + given {
                            return false;
                        }
                    }
                    Definition::Statement(id) if is_stored_as_said => match self.fresh_results(method, &body, id) {
                        Some(before) => {
                            open.extend(
                                before.into_iter().map(|(of, it)| (of, it, None, 0)).filter(|it| seen.insert(*it)),
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

    /// The origins of a value; nothing if it is stored in a loop, and not defined for each round of it.
    fn origins_for(
        &mut self,
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
        // Casts give what they get.
        while let Operation::CheckCast(_, before) = body.statement(id).operation {
            let Definition::Statement(next) = body.variable(before).definition else { return None };
            id = next;
        }
        let is_origin = body.statement(id).to == Some(origin);
        (is_origin && loops.innermost(id.block) == Some(around)).then_some(all)
    }

    /// The values that methods return to a statement, of which it makes nothing itself; nothing if it may give what was
    /// there before.
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

    /// How many statements of a method store a value of an origin in the content of an object of a keyed class.
    fn key_store_counts(&mut self, method: MethodId) -> Rc<FxHashMap<Variable, usize>> {
        if let Some(known) = self.memo.key_store_counts.get(&method) {
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
        self.memo.key_store_counts.insert(method, found.clone());
        found
    }

    /// The statements that store, found once for all subjects.
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

    /// Whether a reference may run a method of the library that stores under keys, also one that a given class has from
    /// there.
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

    /// What a call stores in the contents of objects that may be of keyed classes.
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
        // What a row of a keyed class stores of what functions return, it stores in its own object.
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
            let given = usize::from(row.traits.values_of_key.unwrap_or(0));
            for place in stored.results.iter().filter(|place| is_keyed(place)) {
                found.results = Some(found.results.map_or(given, |known| known.min(given)));
                targets.insert(arguments[*place]);
            }
            for place in stored.copies.iter().filter(|place| is_keyed(place)) {
                found.copies = true;
                targets.insert(arguments[*place]);
            }
            // What a row makes, or gets from functions, may hold something from the start.
            if let Some(result) = result.filter(|_| may_return_filled(row)) {
                found.copies = true;
                targets.insert(result);
            }
        }
        // A class that extends a keyed one has its methods; of what is unknown nothing is known.
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

/// Whether the result of a row may be a new object that holds something already: what the row says, what its functions
/// have put there, or anything.
fn may_return_filled(row: &Row<'_>) -> bool {
    let holds = |action: &Action| matches!(action, Action::Makes(making) if !making.holds.is_empty());
    let runs = row.runs_functions() && row.traits.values_of_key.is_none();
    runs || row.actions.iter().any(holds) || row.outcome() == Outcome::Soup
}
