//! Calls that library code makes on library objects: `toString` of the lists in a list.
//!
//! Such methods have no code and no context: their rows say what they read and write. The effect of a call on the
//! content of an object that it names is in [`library_effects`](super::rows); this module is about the
//! objects *in* that content.
//!
//! **Definition.** The *inner objects* of a value are the library objects and arrays in its content, in their contents,
//! and so on; for an object that the unit has made, also its constructor arguments. A *called name* of a row is the
//! name of a method that it calls on elements of a content. (A reference to a library method is a method of the
//! program: see `java/src/references.rs`.)
//!
//! **Invariant.** If library code that a call runs executes a method with a called name on a followed inner object,
//! then the steps of the call include one that reads, or writes, the content of its alias class if rows of that name
//! do; the steps occur in any order and number, together with the functions that the call runs. *Why it suffices.*
//! Neither the object within the class nor the number of calls is known. No lock is taken for these steps, which only
//! adds interleavings. If the table knows a class but has no row of the name, the class has no such method.

use super::access::Access;
use crate::Rule;
use crate::exec::execution::{Call, Position};
use crate::exec::interpreter::{Interpreter, MadeKind};
use crate::facts::objects::ObjectKind;
use crate::facts::row_effects::ContentEffect;
use crate::graph::Step;
use crate::value::{SetId, Value};
use java::ir::Variable;
use java::library::{Action, Attribute, Row, Subject};
use java::points_to::ObjectId;

/// A value, with the variable that holds it.
type Operand = (Value, Option<Variable>);

impl Interpreter<'_> {
    /// The steps of a method of this name that is called on the elements of a content.
    pub(super) fn inner_steps(&mut self, at: Position<'_>, place: Operand, name: &str) -> Vec<Step> {
        let objects = self.inner_objects(at, place);
        self.steps_of_each(at, objects, name)
    }

    /// The steps of a comparison of an argument with the elements of the receiver: it also visits these elements,
    /// unless the argument is immutable, as immutable objects equal only their like. An argument that is looked up by
    /// its hash is assumed to be no container unless its type says so: a key of type `Object` would have to stay
    /// unchanged while it is in the map.
    pub(super) fn compared_steps(
        &mut self,
        at: Position<'_>,
        (call, row): (&Call<'_>, &Row<'_>),
        (compared, name): (Operand, &str),
    ) -> Vec<Step> {
        const COMPARING: [&str; 3] = ["equals", "compareTo", "compare"];
        let traverses =
            |action: &Action| matches!(action, Action::Traverses { whom: Subject::This, .. } | Action::Runs(_));
        let is_traversed = row.actions.iter().any(traverses);
        match call.values.first() {
            Some(receiver) if COMPARING.contains(&name) && self.may_equal_a_container(at, compared, is_traversed) => {
                let variable = call.variables.and_then(|variables| variables.first().copied());
                self.inner_steps(at, (*receiver, variable), name)
            }
            _ => Vec::new(),
        }
    }

    fn may_equal_a_container(&self, at: Position<'_>, (value, variable): Operand, is_traversed: bool) -> bool {
        let objects = match (value, variable) {
            (Value::Null, _) => return false,
            (Value::Region(_) | Value::View(_) | Value::Locked(_) | Value::Made(_), _) => return true,
            (_, None) => return is_traversed,
            (_, Some(variable)) => self.heap.variable(self.contexts[at.id.index()].method, variable),
        };
        objects.into_iter().any(|object| match self.heap.kind_of(object) {
            ObjectKind::Library(_) | ObjectKind::Array | ObjectKind::View(..) | ObjectKind::Program(_) => true,
            ObjectKind::External(of) => {
                let class = self.heap.points.type_name(of);
                let attributes = self.heap.library.attributes(class);
                let is_known = !self.heap.is_universal_text(class) || is_traversed;
                is_known && !attributes.has(Attribute::Immutable) && !attributes.has(Attribute::Value)
            }
            ObjectKind::Lambda | ObjectKind::Class(_) | ObjectKind::Literal(_) | ObjectKind::Value(_) => false,
        })
    }

    /// The steps that read the contents of all inner objects of a value.
    pub(super) fn deep_steps(&mut self, at: Position<'_>, place: Operand) -> Vec<Step> {
        let objects = self.inner_objects(at, place);
        let objects = self.sets.objects(objects).to_vec();
        self.reading_steps(at, &objects)
    }

    /// The steps that read the contents of the followed objects among these.
    pub(super) fn reading_steps(&mut self, at: Position<'_>, objects: &[ObjectId]) -> Vec<Step> {
        let regions: Vec<ContentEffect> = self
            .regions_of(objects)
            .into_iter()
            .map(|region| ContentEffect { region, reads: true, writes: false })
            .collect();
        self.steps_on(at, &regions)
    }

    /// The inner objects of a value.
    fn inner_objects(&mut self, at: Position<'_>, (value, variable): Operand) -> SetId {
        if value.is_as_its_variable() && self.heap.modality.omits(Rule::OtherObjects) && self.is_foreign(at.id) {
            return self.sets.id(Vec::new());
        }
        if let Some(variable) = variable.filter(|_| value.is_as_its_variable()) {
            let holders = self.variable_set(self.contexts[at.id.index()].method, variable);
            let held = self.sets.id(Vec::new());
            return self.held_by_holders(at, holders, held);
        }
        let (mut holders, mut held): (Vec<ObjectId>, Vec<ObjectId>) = (Vec::new(), Vec::new());
        let mut open = vec![value];
        while let Some(one) = open.pop() {
            match one {
                Value::Made(made) if matches!(self.made(made).kind, MadeKind::Library(_)) => {
                    for (_, kept) in &self.made(made).fields {
                        if let Some(region) = kept.region() {
                            held.extend(&self.regions.regions[region.index()].objects);
                        }
                        open.push(*kept);
                    }
                }
                Value::Region(region) | Value::View(region) | Value::Locked(region) => {
                    let alias = self.regions.alias(region);
                    holders.extend(&self.regions.aliases[alias.index()].objects);
                }
                _ => {}
            }
        }
        let (holders, held) = (self.sets.id(holders), self.sets.id(held));
        self.held_by_holders(at, holders, held)
    }

    /// The inner objects: library objects in the contents of the holders, the objects already held, and the contents of
    /// these; computed once.
    fn held_by_holders(&mut self, at: Position<'_>, holders: SetId, held: SetId) -> SetId {
        let key = (holders, held, self.is_foreign(at.id));
        if let Some(known) = self.memo.inner.get(&key) {
            return *known;
        }
        let (holders, mut objects) = (self.sets.objects(key.0), self.sets.objects(key.1).to_vec());
        objects.extend(self.heap.contents_of_all(holders.iter().copied()));
        let mut objects = self.heap.library_closure(objects);
        if key.2 {
            objects = self.reached_from_foreign(None, objects);
        }
        let found = self.sets.id(objects);
        self.memo.inner.insert(key, found);
        found
    }

    /// The steps of a method called on each library object of a set.
    fn steps_of_each(&mut self, at: Position<'_>, objects: SetId, name: &str) -> Vec<Step> {
        let effects = self.content_effects(objects, name);
        self.steps_on(at, &effects)
    }

    fn steps_on(&mut self, at: Position<'_>, effects: &[ContentEffect]) -> Vec<Step> {
        let mut steps = Vec::new();
        if self.is_unobserved(at) {
            return steps;
        }
        for ContentEffect { region, reads, writes } in effects {
            if *reads {
                steps.extend(self.steps_of(*region, &[Access::Read]));
            }
            if *writes {
                steps.extend(self.steps_of(*region, &[Access::Write]));
            }
        }
        steps
    }
}
