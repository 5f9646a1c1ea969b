//! Call targets.
//!
//! The classes of the receiver come from its value: the abstract objects of a followed object, the class of an object
//! that the unit has made, else the points-to set of the variable. Each program class contributes the method that the
//! JVM selects; each library class its row. For an object whose class is only bounded see
//! [`Bound`](java::points_to::Bound). An external object of an interface may be of a class of a client: the client's
//! code is a unit of its own.

use super::execution::Position;
use super::interpreter::{Interpreter, MadeKind};
use crate::facts::objects::ObjectKind;
use crate::facts::target::{Target, lambda_target};
use crate::value::Value;
use crate::{Assumption, Coarsening, Rule};
use java::ir::Variable;
use java::points_to::{Bound, Field, Object, ObjectId};
use java::{ClassId, InvokeKind, Member, MethodId};

/// Above this many targets for one call, precision is reported as lost.
const MOST_TARGETS: usize = 64;

impl Interpreter<'_> {
    /// The target of a call of a superclass's method: the row of the class that the receiver's object obeys as well.
    fn reclassified_target(&self, target: Target, (receiver, member): (Value, Member)) -> Target {
        let class = match receiver {
            Value::Region(region) => self.regions.regions[region.index()].class,
            Value::This(class) => Some(class),
            _ => None,
        };
        let other = class.and_then(|class| self.heap.class_reclassified_as(class));
        match (&target, other) {
            (Target::Library(of), Some(other))
                if self.heap.library.is_subtype(other, of) && self.heap.row(other, member).is_some() =>
            {
                Target::Library(other.to_string())
            }
            _ => target,
        }
    }

    /// The targets of a call.
    pub(crate) fn targets(
        &mut self,
        at: Position<'_>,
        (kind, member): (InvokeKind, Member),
        receiver: Option<(Value, Option<Variable>)>,
    ) -> Vec<Target> {
        let program = self.heap.program;
        let Some((value, variable)) = receiver else { return vec![self.resolved_target(member)] };
        if kind == InvokeKind::Static || kind == InvokeKind::Special || self.is_private(member) {
            let target = self.resolved_target(member);
            return vec![self.reclassified_target(target, (value, member))];
        }
        let mut targets = match value {
            Value::Region(region) => {
                let info = &self.regions.regions[region.index()];
                match info.class {
                    Some(class) if !info.objects.iter().any(|object| self.heap.points.bound(*object).is_some()) => {
                        vec![self.selected(class, member)]
                    }
                    _ => {
                        let objects = info.objects.clone();
                        self.targets_of_objects(objects, member)
                    }
                }
            }
            Value::Made(made) => match self.made(made).kind.clone() {
                MadeKind::Object(class) => vec![self.selected(class, member)],
                MadeKind::Lambda(handle) if self.is_function_call(member) => {
                    let captured = self.made(made).fields.iter().map(|(_, value)| *value).collect();
                    vec![lambda_target(handle, captured)]
                }
                MadeKind::Lambda(_) => vec![self.resolved_target(member)],
                MadeKind::Library(class) => vec![self.library_target(&class)],
            },
            Value::This(class) => vec![self.selected(class, member)],
            Value::View(_)
            | Value::Locked(_)
            | Value::Side(..)
            | Value::Condition(_)
            | Value::Class(_)
            | Value::Literal(_) => {
                vec![self.library_target(program.text(member.class))]
            }
            Value::Open(of, _) => {
                let objects = self.sets.objects(of).to_vec();
                self.targets_of_objects(objects, member)
            }
            Value::Static(_)
            | Value::Holder(_)
            | Value::Held(_)
            | Value::Any
            | Value::Other
            | Value::Foreign
            | Value::Derived
            | Value::Found(..)
            | Value::Element(..) => {
                let objects = match variable {
                    Some(variable) => self.heap.variable(self.contexts[at.id.index()].method, variable),
                    None => Vec::new(),
                };
                self.targets_of_objects(objects, member)
            }
            Value::Fresh(_) | Value::Null | Value::Int(_) | Value::Number(_) => vec![self.resolved_target(member)],
        };
        if targets.is_empty() {
            targets = self.targets_by_type(member);
        }
        targets.sort_unstable();
        targets.dedup();
        targets
    }

    /// The targets of a call on any of these objects.
    fn targets_of_objects(&mut self, objects: Vec<ObjectId>, member: Member) -> Vec<Target> {
        let key = (self.sets.id(objects), member, self.is_in_foreign());
        if let Some(known) = self.memo.targets_of_objects.get(&key) {
            return known.to_vec();
        }
        let objects = self.sets.objects(key.0).to_vec();
        let mut found: Vec<Target> =
            objects.into_iter().flat_map(|object| self.targets_of_object(object, member)).collect();
        found.sort_unstable();
        found.dedup();
        self.memo.targets_of_objects.insert(key, found.as_slice().into());
        found
    }

    /// The targets of a call on an abstract object; none if the object is not of the type that the call names.
    pub(super) fn targets_of_object(&mut self, object: ObjectId, member: Member) -> Vec<Target> {
        let named = self.heap.points.type_named(self.heap.program.text(member.class));
        if named.is_some_and(|of| !self.heap.points.may_be(object, of)) && self.heap.reclassified_as(object).is_none() {
            return Vec::new();
        }
        match self.heap.points.bound(object) {
            Some(Bound::Row(of)) => return vec![self.library_target(self.heap.points.type_name(of))],
            Some(Bound::Below(class)) => return self.targets_below(class, member),
            None => {}
        }
        match self.heap.kind_of(object) {
            ObjectKind::Lambda if self.is_function_call(member) => self.lambda_of(object).into_iter().collect(),
            ObjectKind::Lambda => vec![self.resolved_target(member)],
            ObjectKind::Program(class) if self.is_impossible(class, member) => Vec::new(),
            ObjectKind::Program(class) => vec![self.selected(class, member)],
            ObjectKind::Array => vec![self.library_target("java/lang/Object")],
            ObjectKind::External(of) => self.targets_of_external(self.heap.points.type_name(of), member),
            ObjectKind::Library(class) => {
                let reclassified = self.heap.reclassified_as(object).map(|other| self.library_target(other));
                [self.library_target(class)].into_iter().chain(reclassified).collect()
            }
            ObjectKind::View(_, class) | ObjectKind::Value(class) => vec![self.library_target(class)],
            ObjectKind::Class(_) => vec![self.library_target("java/lang/Class")],
            ObjectKind::Literal(_) => vec![self.library_target("java/lang/String")],
        }
    }

    /// The targets of a call on an object of any class below a bound.
    fn targets_below(&mut self, bound: ClassId, member: Member) -> Vec<Target> {
        let program = self.heap.program;
        let is_possible = |class: &ClassId| {
            let flags = program.class(*class).flags;
            !flags.is_interface() && !flags.is_abstract()
        };
        let below = program.subtypes(bound).into_iter().filter(is_possible);
        let below: Vec<ClassId> = below.filter(|class| !self.is_impossible(*class, member)).collect();
        below.into_iter().map(|class| self.selected(class, member)).collect()
    }

    /// The target for a lambda object, with its captured values by the pointer analysis.
    pub(super) fn lambda_of(&mut self, object: ObjectId) -> Option<Target> {
        let Object::Lambda { implementation: handle, .. } = *self.heap.points.object(object) else { return None };
        let mut captured = Vec::new();
        let is_foreign = self.is_in_foreign() && self.confined().has(&self.heap, object);
        for number in 0..self.heap.captured_count(object) {
            let mut held = self.heap.field(object, Field::Captured(number));
            if is_foreign {
                // Its captured owner is another object than the subject's.
                held.clear();
            }
            let held = self.sets.id(held);
            captured.push(self.value_captured(held, number));
        }
        Some(lambda_target(handle, captured))
    }

    /// The targets of a call on an external object: program methods, library methods, or clients' code.
    fn targets_of_external(&mut self, of: &str, member: Member) -> Vec<Target> {
        if of.starts_with('[') {
            return vec![self.library_target("java/lang/Object")];
        }
        let mut targets = match self.heap.modality.omits(Rule::EscapedFunctions) {
            true => Vec::new(),
            false => self.targets_returned_by_clients(of, member),
        };
        let key = (Box::from(of), member);
        let others = match self.memo.targets_of_external.get(&key) {
            Some(known) => known.clone(),
            None => {
                let found = self.client_targets(of, member);
                if found.len() > MOST_TARGETS {
                    self.coarsen(Coarsening::Targets, format!("{of}.{}", self.heap.program.text(member.name)));
                }
                self.memo.targets_of_external.entry(key).or_insert(found.into()).clone()
            }
        };
        targets.extend(others.iter().cloned());
        targets
    }

    /// The targets of a call on clients' objects, without objects that clients have got from the program.
    fn client_targets(&mut self, of: &str, member: Member) -> Vec<Target> {
        let program = self.heap.program;
        let mut targets = Vec::new();
        if self.heap.is_universal_text(of) {
            if self.has_client_class(of, member) {
                self.assume(Assumption::NotAmongAny(format!("`{}`", program.text(member.name))));
            }
            targets.push(self.library_target(of));
            if !self.heap.modality.omits(Rule::UnknownCode) || self.heap.row(of, member).is_none() {
                targets.push(Target::Client);
            }
            return targets;
        }
        let Some(class) = program.name(of).and_then(|name| program.named(name)) else {
            targets.push(self.library_target(of));
            return targets;
        };
        targets.push(Target::Client);
        // The receiver is also of the class that the call names.
        let named = program.named(member.class).filter(|named| program.is_subtype(*named, class));
        let class = named.unwrap_or(class);
        let is_found = program.resolve_in(class, member.name, member.descriptor).found().is_some();
        let is_possible =
            |sub: &ClassId| !program.class(*sub).flags.is_interface() && !program.class(*sub).flags.is_abstract();
        let mut subtypes = program.subtypes(class);
        if self.heap.modality.omits(Rule::ClientObjects) {
            subtypes.retain(|sub| *sub == class || self.mode.nest.contains(sub));
        }
        let subtypes = subtypes.into_iter().filter(is_possible);
        let subtypes: Vec<ClassId> = subtypes.filter(|class| !self.cannot_be_receiver(*class, member)).collect();
        let mut selected: Vec<Target> = subtypes.into_iter().map(|class| self.selected(class, member)).collect();
        // Clients' subclasses inherit the library methods of the class as well.
        if !is_found && program.resolve_method(member).found().is_none() {
            selected.push(self.selected(class, member));
        }
        // A client's function object has the default methods of its interface.
        let of_interface = program.resolve_in(class, member.name, member.descriptor).found();
        let is_default = |method: &MethodId| {
            program.method(*method).has_code() && program.class(program.method(*method).class).flags.is_interface()
        };
        selected.extend(of_interface.filter(is_default).map(|method| self.program_target(method, member)));
        selected.sort_unstable();
        selected.dedup();
        targets.extend(selected);
        targets
    }

    /// The targets of a call if clients pass back objects that they got from the program: functions, and objects by a
    /// library type.
    fn targets_returned_by_clients(&mut self, of: &str, member: Member) -> Vec<Target> {
        let program = self.heap.program;
        let is_given = program.name(of).and_then(|name| program.named(name)).is_some();
        if of == "java/lang/Object" {
            return Vec::new();
        }
        let mut targets = Vec::new();
        for object in self.heap.returned_by_clients(of).iter().copied() {
            match self.heap.kind_of(object) {
                ObjectKind::Lambda if self.is_function_call(member) => targets.extend(self.lambda_of(object)),
                ObjectKind::Program(class) if !is_given => {
                    targets.extend(Some(self.selected(class, member)).filter(|it| matches!(it, Target::Method(_))));
                }
                _ => {}
            }
        }
        targets
    }

    /// The targets of a call if only the declared type of the receiver is known.
    pub(super) fn targets_by_type(&mut self, member: Member) -> Vec<Target> {
        self.targets_of_external(self.heap.program.text(member.class), member)
    }
}
