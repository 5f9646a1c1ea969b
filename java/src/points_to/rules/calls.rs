//! Calls: the call graph is built on the fly, while receivers are found.
//!
//! - A receiver of a program class runs the method that the virtual machine selects for exactly this class; if a
//!   supertype is missing, it runs the row of the library table.
//! - For a view, and for an object that a row makes, only a type is known ([`Bound`]). If the library table has the
//!   type, the receiver runs the rows of the type, also where the program has the type, as in an analysis of the Java
//!   library itself. A row describes these objects for all classes that they may be of: library code makes them, and
//!   no code of the program does. If the table lacks the type, the receiver runs the method that each program class
//!   below it selects.
//! - A lambda runs its implementation. A receiver of a library class runs a row of the table.
//! - For an external receiver see [`external`](super::external).
//! - At a call with unknown effects, receiver and arguments escape, and the result is external.

use crate::bytecode::InvokeKind;
use crate::class_file::{ClassId, Member, MethodId};
use crate::library::Attribute;
use crate::points_to::call_graph::{Call, CallTarget};
use crate::points_to::constraints::{CallId, Constraint};
use crate::points_to::objects::{Bound, Exactness, Object, ObjectId};
use crate::points_to::sets::SetId;
use crate::points_to::state::State;
use crate::points_to::types::TypeId;
use crate::program::Lookup;
use std::collections::BTreeMap;
use std::sync::Arc;

impl State<'_> {
    /// Adds a call with this kind of method selection.
    pub(super) fn add_call(&mut self, kind: InvokeKind, caller: Option<ClassId>, call: Call) {
        let receiver = call.receiver();
        let id = self.calls.add(call);
        match (kind, receiver) {
            (InvokeKind::Static, _) => self.run_directly(id, None),
            (InvokeKind::Special, _) => self.run_directly(id, caller),
            (InvokeKind::Virtual | InvokeKind::Interface, Some(receiver)) => {
                self.constrain(receiver, Constraint::Call(id));
            }
            // A receiver without a node is never an object.
            (InvokeKind::Virtual | InvokeKind::Interface, None) => {}
        }
    }

    /// Runs a call of a static method or of exactly one method.
    fn run_directly(&mut self, id: CallId, caller: Option<ClassId>) {
        let call = self.calls.get(id);
        let (member, receiver) = (call.member, call.receiver());
        if !call.has_receiver {
            self.initialize_named(member.class);
        }
        let method = caller.and_then(|caller| self.of_superclass(caller, member)).or(self.calls.get(id).resolved);
        match method.filter(|method| self.runs_code(*method)) {
            Some(method) => {
                self.link(id, method);
                let parameter = self.signature(method).parameters.first().copied().flatten();
                if let (Some(receiver), Some(parameter)) = (receiver, parameter)
                    && self.calls.get(id).has_receiver
                {
                    self.edge(receiver, parameter);
                }
            }
            None => {
                let class = method.map(|method| self.program.class(self.program.method(method).class).name);
                let of = self.types.of_name(class.unwrap_or(member.class));
                self.run_row_directly(id, of);
            }
        }
    }

    /// Returns the method that `super.method()` selects (JVMS 6.5, `invokespecial`): the lookup begins at the direct
    /// superclass.
    fn of_superclass(&self, caller: ClassId, member: Member) -> Option<MethodId> {
        let named = self.program.named(member.class)?;
        let is_superclass = self.program.superclasses(caller).skip(1).any(|class| class == named);
        if !is_superclass || self.program.is_constructor_name(member.name) {
            return None;
        }
        let superclass = self.program.superclass(caller)?;
        self.program.resolve_in(superclass, member.name, member.descriptor).found()
    }

    /// Whether a call of a method runs its code, and no preferred row of the table.
    pub(super) fn runs_code(&self, method: MethodId) -> bool {
        let declared = self.program.method(method);
        declared.has_code() && !self.prefers_row(method)
    }

    fn prefers_row(&self, method: MethodId) -> bool {
        let declared = self.program.method(method);
        let class = self.program.text(self.program.class(declared.class).name);
        let [name, descriptor] = [declared.name, declared.descriptor].map(|name| self.program.text(name));
        self.library.attributes(class).has(Attribute::Preferred) && self.library.find(class, name, descriptor).is_some()
    }

    /// Runs a call on new receivers.
    pub(super) fn call_on(&mut self, id: CallId, receivers: SetId) {
        let mut by_target: BTreeMap<CallTarget, Vec<u32>> = BTreeMap::new();
        for object in self.objects_in(receivers) {
            match self.bound(object) {
                Some(Bound::Row(of)) => by_target.entry(CallTarget::Row(of)).or_default().push(object.0),
                Some(Bound::Below(class)) => {
                    for selected in self.select_below(id, class).iter() {
                        by_target.entry(*selected).or_default().push(object.0);
                    }
                }
                None => {
                    let selected = self.select(id, object);
                    by_target.entry(selected).or_default().push(object.0);
                }
            }
        }
        for (selected, objects) in by_target {
            let objects = self.sets.of(objects);
            self.run(id, selected, objects);
        }
    }

    pub(super) fn run(&mut self, id: CallId, selected: CallTarget, receivers: SetId) {
        match selected {
            CallTarget::Method(method) => {
                self.link(id, method);
                if let Some(receiver) = self.signature(method).parameters.first().copied().flatten() {
                    self.flow(receivers, receiver);
                }
            }
            CallTarget::Row(of) => self.run_row(id, of, receivers),
            CallTarget::Lambda(lambda) => self.run_lambda(id, lambda),
            CallTarget::External(of) => self.run_external(id, of, receivers),
            CallTarget::Abstract => {}
        }
    }

    /// The type of an object whose class is not known exactly, if the program has the type: that of a view, or of an
    /// object that a row makes.
    pub(in crate::points_to) fn bound(&self, object: ObjectId) -> Option<Bound> {
        let of = match self.objects.get(object) {
            Object::Made { of, exactness: Exactness::Bound, .. } | Object::View { of, .. } => *of,
            _ => return None,
        };
        let class = self.types.class(of)?;
        Some(if self.library.has_class(self.types.text(of)) { Bound::Row(of) } else { Bound::Below(class) })
    }

    /// The classes below a bound of which there can be objects.
    pub(super) fn classes_below(&self, bound: ClassId) -> Vec<ClassId> {
        let is_possible = |class: &ClassId| {
            let flags = self.program.class(*class).flags;
            !flags.is_interface() && !flags.is_abstract()
        };
        self.program.subtypes(bound).into_iter().filter(is_possible).collect()
    }

    /// Returns the targets of a call on an object of any class below a bound.
    fn select_below(&mut self, id: CallId, bound: ClassId) -> Arc<[CallTarget]> {
        let call = self.calls.get(id);
        let (member, resolved) = (call.member, call.resolved);
        let key = (bound, member.name, member.descriptor, resolved);
        if let Some(known) = self.bounded_targets.get(&key) {
            return known.clone();
        }
        let below = self.classes_below(bound).into_iter();
        let mut found: Vec<CallTarget> = below.map(|class| self.select_in(class, member, resolved)).collect();
        found.sort_unstable();
        found.dedup();
        let found: Arc<[CallTarget]> = found.into();
        self.bounded_targets.insert(key, found.clone());
        found
    }

    /// Returns the target of a call on an object.
    pub(super) fn select(&mut self, id: CallId, object: ObjectId) -> CallTarget {
        let call = self.calls.get(id);
        let (member, resolved) = (call.member, call.resolved);
        let of = self.objects.type_of(object);
        match self.objects.get(object) {
            Object::External(_) => return CallTarget::External(of),
            Object::Lambda { name, .. } if *name == member.name && !self.has_code(of, member) => {
                return CallTarget::Lambda(object);
            }
            Object::Lambda { .. }
            | Object::Made { .. }
            | Object::Value(_)
            | Object::Literal(_)
            | Object::Class(_)
            | Object::Handle { .. }
            | Object::View { .. } => {}
        }
        match self.types.class(of) {
            Some(class) => self.select_in(class, member, resolved),
            None => CallTarget::Row(of),
        }
    }

    /// Whether the interface of a lambda has code for a method: a default method.
    fn has_code(&self, of: TypeId, member: Member) -> bool {
        let Some(class) = self.types.class(of) else { return false };
        let found = self.program.resolve_in(class, member.name, member.descriptor).found();
        found.is_some_and(|method| self.program.method(method).has_code())
    }

    /// Returns the target of a call on an object of exactly this class.
    pub(super) fn select_in(&mut self, class: ClassId, member: Member, resolved: Option<MethodId>) -> CallTarget {
        let key = (class, member.name, member.descriptor, resolved);
        if let Some(known) = self.call_targets.get(&key) {
            return *known;
        }
        let selected = self.compute_target(class, member, resolved);
        self.call_targets.insert(key, selected);
        selected
    }

    fn compute_target(&mut self, class: ClassId, member: Member, resolved: Option<MethodId>) -> CallTarget {
        let found = match resolved {
            Some(method) => self.program.select(class, method),
            None => self.program.resolve_in(class, member.name, member.descriptor),
        };
        match found {
            Lookup::Found(method) if self.runs_code(method) => CallTarget::Method(method),
            Lookup::Found(method) => {
                let flags = self.program.method(method).flags;
                let is_abstract = flags.is_abstract() && self.program.is_complete(class);
                if is_abstract { CallTarget::Abstract } else { CallTarget::Row(self.types.of_class(class)) }
            }
            Lookup::Outside(_) | Lookup::Absent => CallTarget::Row(self.types.of_class(class)),
        }
    }

    /// Lets the arguments of a call flow to a method, and the result back. The caller of this function adds the
    /// receiver.
    pub(super) fn link(&mut self, id: CallId, method: MethodId) {
        if !self.calls.link(id, method) {
            return;
        }
        self.reach(method);
        let call = self.calls.get(id).clone();
        self.calls.callees_mut(call.callees).methods.push(method);
        let nodes = self.signature(method);
        let (parameters, result) = (nodes.parameters.clone(), nodes.result);
        let skipped = usize::from(call.has_receiver);
        for (argument, parameter) in call.arguments.iter().zip(&parameters).skip(skipped) {
            if let (Some(argument), Some(parameter)) = (argument, parameter) {
                self.edge(*argument, *parameter);
            }
        }
        if let (Some(from), Some(to)) = (result, call.result) {
            self.edge(from, to);
        }
    }

    /// Runs a call with unknown effects on these receivers.
    pub(super) fn run_unknown(&mut self, id: CallId, receivers: SetId) {
        self.flow(receivers, self.escaping);
        if !self.calls.mark_unknown(id) {
            return;
        }
        let call = self.calls.get(id).clone();
        self.calls.callees_mut(call.callees).unknown = true;
        let skipped = usize::from(call.has_receiver);
        for argument in call.arguments.iter().skip(skipped).flatten() {
            self.escape(*argument);
        }
        if let (Some(result), Some(of)) = (call.result, call.result_type) {
            self.add_external(of, result);
        }
    }
}
