//! Objects and entry points of clients: arguments known only by type, objects that clients obtain, and methods outside
//! of the nest that access followed objects.

use super::objects::{ObjectKind, is_visible};
use super::subject_facts::SubjectFacts;
use crate::value::{AliasId, RegionId, Value};
use crate::{Rule, Stuck};
use java::ir::Operation;
use java::points_to::{Field, Object, ObjectId};
use java::{ClassId, MethodId, Type};
use std::collections::BTreeSet;
use std::rc::Rc;

impl SubjectFacts<'_> {
    /// Completes the arguments of a method: each missing one is an external object of its declared type.
    ///
    /// # Errors
    /// If the method's code is damaged.
    pub(crate) fn with_unknown(&self, method: MethodId, mut values: Vec<Value>) -> Result<Vec<Value>, Stuck> {
        let Some(code) = self.method(method) else {
            return Err(Stuck::Damaged { method: self.heap.program.method_name(method) });
        };
        for (number, parameter) in (0_u32..).zip(&*code.body.parameters).skip(values.len()) {
            let of = code.body.variable(*parameter).of;
            let value = match of {
                Some(of) if of.is_reference() => self.unknown_with(of, 3000 + number),
                _ => Value::Any,
            };
            values.push(value);
        }
        values.truncate(code.body.parameters.len());
        Ok(values)
    }

    /// A value of a declared type that clients pass.
    pub(crate) fn unknown_of(&self, of: Type) -> Value {
        if of.is_reference() { self.unknown_with(of, 4000) } else { Value::Any }
    }

    /// A value of a declared type that clients pass. Equal numbers mean equal values.
    pub(crate) fn unknown_with(&self, of: Type, number: u32) -> Value {
        let objects = self.heap.external(of);
        let is_followed = objects.iter().any(|object| self.may_be_followed(*object));
        if is_followed { Value::Open(self.sets.id(objects), number) } else { Value::Any }
    }

    /// Any object of a class that clients may have.
    pub(super) fn unknown_of_class(&self, class: ClassId) -> Value {
        let name = self.heap.program.class(class).name;
        self.unknown_of(Type::Class(name))
    }

    /// The value of this abstract object.
    pub(crate) fn unknown_of_object(&self, object: ObjectId) -> Value {
        match self.may_be_followed(object) {
            true => Value::Open(self.sets.id(vec![object]), 5000),
            false => Value::Any,
        }
    }

    /// Objects of the nest that escape to clients and whose classes clients cannot name, with these classes.
    pub(crate) fn escaping_objects(&self) -> Vec<(ObjectId, ClassId)> {
        let program = self.heap.program;
        let mut found = Vec::new();
        for object in self.called_by_clients() {
            if let ObjectKind::Program(class) = self.heap.kind_of(object)
                && !is_visible(program, class)
                && self.is_of_nest(class)
            {
                found.push((object, class));
            }
        }
        found
    }

    /// The escaping objects whose methods clients call.
    fn called_by_clients(&self) -> Vec<ObjectId> {
        let mut found = self.heap.escaping().to_vec();
        if self.heap.modality.omits(Rule::EscapedFunctions) {
            found.retain(|object| self.is_returned_to_clients(*object));
        }
        found
    }

    fn is_of_nest(&self, class: ClassId) -> bool {
        self.mode.nest.contains(&class)
    }

    /// Lambdas of the nest that escape to clients: their methods and captured values.
    pub(crate) fn escaping_lambdas(&self) -> Vec<(MethodId, Vec<Value>)> {
        let program = self.heap.program;
        let mut found = Vec::new();
        for object in self.called_by_clients() {
            let Object::Lambda { implementation: handle, site, .. } = *self.heap.points.object(object) else {
                continue;
            };
            if !self.is_of_nest(program.method(site.method).class) {
                continue;
            }
            let mut captured = Vec::new();
            for number in 0..self.heap.captured_count(object) {
                let held = self.heap.field(object, Field::Captured(number));
                let held = self.sets.id(held);
                captured.push(self.value_captured(held, number));
            }
            for method in self.heap.methods_of_reference(handle.kind, handle.member) {
                found.push((method, captured.clone()));
            }
        }
        found
    }

    /// The representatives of alias classes with program objects that clients get, with the class of the object.
    pub(crate) fn regions_of_clients(&self) -> Vec<(RegionId, ClassId)> {
        let program = self.heap.program;
        let mut found = BTreeSet::new();
        let omits_parts = self.heap.modality.omits(Rule::ClientParts);
        for alias in 0..self.regions.aliases.len() {
            let objects = self.regions.aliases[alias].objects.clone();
            for object in objects {
                let class = match self.heap.kind_of(object) {
                    ObjectKind::External(of) => self.heap.points.class_of(of),
                    ObjectKind::Program(class) if self.heap.points.escapes(object) => Some(class),
                    _ => None,
                };
                let class = class.filter(|_| !omits_parts || self.is_returned_to_clients(object));
                let id = AliasId(u16::try_from(alias).expect("their number is bounded"));
                if let Some(class) = class
                    && id != self.regions.alias(RegionId::SUBJECT)
                    && !program.class(class).flags.is_interface()
                {
                    found.insert((self.regions.representative(id), class));
                }
            }
        }
        found.into_iter().collect()
    }

    /// Methods outside of the nest that access a followed field directly and that clients can call; a method that
    /// clients cannot call is replaced by its callers. By [`ProgramCallers`](Rule::ProgramCallers), clients call no
    /// method of a class that they cannot name.
    pub(crate) fn direct_accessors(&self) -> Rc<[MethodId]> {
        self.answers.direct_accessors.get_or_init(|| self.find_direct_accessors().into()).clone()
    }

    fn find_direct_accessors(&self) -> Vec<MethodId> {
        let program = self.heap.program;
        let mut accessing: Vec<MethodId> = Vec::new();
        for (method, declared) in program.methods() {
            let is_other = !self.mode.nest.contains(&declared.class) && declared.has_code();
            if is_other && self.heap.points.is_reached(method) && self.accesses_directly(method) {
                accessing.push(method);
            }
        }
        let mut callers: rustc_hash::FxHashMap<MethodId, Vec<MethodId>> = rustc_hash::FxHashMap::default();
        if !accessing.is_empty() {
            for (method, _) in program.methods() {
                for callee in self.heap.callees_of(method).iter().copied() {
                    callers.entry(callee).or_default().push(method);
                }
            }
        }
        let mut found = BTreeSet::new();
        let mut known: BTreeSet<MethodId> = accessing.iter().copied().collect();
        while let Some(method) = accessing.pop() {
            let declared = program.method(method);
            let is_root = match self.heap.modality.omits(Rule::ProgramCallers) {
                true => self.heap.is_root(method) && !self.heap.is_kept(method),
                false => !declared.flags.is_private() && is_visible(program, declared.class),
            };
            if self.mode.nest.contains(&declared.class) {
                continue;
            }
            if is_root {
                found.insert(method);
            } else {
                let more = callers.get(&method).into_iter().flatten().copied();
                accessing.extend(more.filter(|caller| known.insert(*caller)));
            }
        }
        found.into_iter().collect()
    }

    /// Whether a method accesses a followed static field, or a field of a followed object of another class, or calls a
    /// hidden method of the nest.
    fn accesses_directly(&self, method: MethodId) -> bool {
        let program = self.heap.program;
        let own = program.method(method).class;
        let Some(body) = self.heap.body(method) else { return false };
        body.blocks().any(|(_, block)| {
            block.statements.iter().any(|statement| match &statement.operation {
                Operation::GetField { object, field } | Operation::PutField { object, field, .. } => {
                    let declared = program.resolve_field(*field).found().map(|field| program.field(field).class);
                    // A field that no program class declares counts as a field of the named class.
                    let declared = declared.or_else(|| program.named(field.class));
                    // Methods of the class are entries themselves if clients have its objects.
                    let is_foreign = declared.is_none_or(|class| class != own && !program.is_subtype(own, class));
                    is_foreign
                        && self.heap.variable(method, *object).into_iter().any(|object| self.may_be_followed(object))
                }
                Operation::Invoke { member, .. } => {
                    let called = program.resolve_method(*member).found().map(|method| program.method(method));
                    called.is_some_and(|called| {
                        let is_hidden = !called.flags.is_public() && !called.flags.is_protected();
                        is_hidden && self.mode.nest.contains(&called.class) && program.text(called.name) != "<init>"
                    })
                }
                Operation::GetStatic(field) | Operation::PutStatic(field, _) => {
                    program.resolve_field(*field).found().is_some_and(|field| self.is_static_location(field))
                }
                _ => false,
            })
        })
    }
}
