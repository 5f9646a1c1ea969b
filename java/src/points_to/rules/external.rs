//! Calls on external objects.
//!
//! All calls of one method on external objects of one type share an [`ExternalCall`], with its own parameters and
//! result; so `n` calls with targets in `m` classes take `n + m` edges.
//!
//! - If external code may run, arguments escape and the result is external. This covers the program methods as well:
//!   external code can call each of them that the call can select, and so it has run with external arguments already.
//!   A row that calls several functions runs, too: what one of them returns is an argument of the others
//!   (`stream.collect(() -> list, List::add, List::addAll)`), although clients pass no container of the program to
//!   other methods by themselves.
//! - Otherwise the call runs the method that each class selects of which external code can have objects: a visible
//!   class, or a class with an escaped object. Other classes wait until an object of them escapes.
//! - `equals` and similar methods ([`OBSERVERS`]) are assumed not to let their argument escape: they run the program
//!   methods as in the second case.

use crate::class_file::{ClassId, Member, MethodId, Name};
use crate::points_to::call_graph::{Call, CallTarget};
use crate::points_to::constraints::CallId;
use crate::points_to::external_calls::{ExternalCall, ExternalId, Key};
use crate::points_to::objects::ObjectId;
use crate::points_to::sets::SetId;
use crate::points_to::state::State;
use crate::points_to::types::{Relation, TypeId};
use crate::program::Lookup;
use rustc_hash::FxHashSet;

/// The methods whose implementations in external code are assumed not to let arguments escape.
pub(super) const OBSERVERS: [&str; 5] = ["equals", "hashCode", "toString", "compareTo", "compare"];

impl State<'_> {
    /// The program classes that are subtypes of a type.
    pub(super) fn subclasses(&self, of: TypeId) -> Vec<ClassId> {
        match self.types.class(of) {
            Some(class) => self.program.subtypes(class),
            None => self.external.subtypes.get(&of).cloned().unwrap_or_default(),
        }
    }

    /// Whether external code can have objects of exactly this class, or of its subclasses in external code.
    pub(super) fn is_available(&self, class: ClassId) -> bool {
        self.mode.is_visible(self.program, class) || self.external.escaped.contains(&class)
    }

    /// Records that an object of a class has escaped: external calls that wait for it select a method in it.
    pub(super) fn make_available(&mut self, class: ClassId) {
        if !self.external.escaped.insert(class) {
            return;
        }
        for id in self.external.waiting.remove(&class).unwrap_or_default() {
            self.select_external(id, class);
        }
    }

    /// Runs a call on an external receiver.
    pub(super) fn run_external(&mut self, id: CallId, of: TypeId, receivers: SetId) {
        let call = self.calls.get(id);
        let member = call.member;
        let resolved = call.resolved;
        let of = self.receiver_type(of, member);
        let external =
            self.external_call(Key { of, resolved, name: member.name, descriptor: member.descriptor }, member);
        self.use_external(id, external);
        let is_open = self.external.calls[external.0].is_open;
        if self.types.is_library(of) && (!is_open || self.calls_several_functions(of, member)) {
            self.run_row(id, of, receivers);
        }
    }

    /// Returns the more precise one of an external receiver's type and the type that the call names.
    fn receiver_type(&mut self, of: TypeId, member: Member) -> TypeId {
        let named = self.types.of_name(member.class);
        if self.types.relation(of, named) == Relation::Yes || self.types.is_array(named) {
            return of;
        }
        if self.types.relation(named, of) == Relation::Yes || self.types.is_interface(of) {
            return named;
        }
        of
    }

    /// Lets a call's arguments flow to an external call, and the result back.
    fn use_external(&mut self, id: CallId, external: ExternalId) {
        if !self.external.used.insert((id, external)) {
            return;
        }
        let ExternalCall { call: shared, users, rows, .. } = &mut self.external.calls[external.0];
        users.push(id);
        let (shared, rows) = (*shared, rows.clone());
        let [call, shared] = [id, shared].map(|id| self.calls.get(id).clone());
        for (argument, parameter) in call.arguments.iter().zip(&shared.arguments).skip(1) {
            if let (Some(argument), Some(parameter)) = (argument, parameter) {
                self.edge(*argument, *parameter);
            }
        }
        if let (Some(from), Some(to)) = (shared.result, call.result) {
            self.edge(from, to);
        }
        self.calls.callees_mut(call.callees).delegates.push(shared.callees);
        for of in rows {
            self.run_row_of_external(id, of);
        }
    }

    fn external_call(&mut self, key: Key, member: Member) -> ExternalId {
        if let Some(known) = self.external.known.get(&key) {
            return *known;
        }
        let id = ExternalId(self.external.calls.len());
        let call = self.new_shared_call(key, member);
        let candidates = self.subclasses(key.of);
        let is_open = self.is_open(key, &candidates);
        self.external.known.insert(key, id);
        self.external.calls.push(ExternalCall { key, call, is_open, users: Vec::new(), rows: Vec::new() });
        let is_observer = OBSERVERS.contains(&self.program.text(key.name));
        if is_open {
            self.open_call(call, !is_observer);
        }
        for class in candidates {
            if self.is_available(class) {
                self.select_external(id, class);
            } else {
                self.external.waiting.entry(class).or_default().push(id);
            }
        }
        id
    }

    fn new_shared_call(&mut self, key: Key, member: Member) -> CallId {
        let program = self.program;
        let receiver = self.graph.add_node(key.of);
        let types = program.method_type(key.descriptor);
        let parameters = types.map_or(&[][..], |of| &of.parameters);
        let arguments: Vec<_> = parameters.iter().map(|of| self.node_of(*of)).collect();
        let result_type = types.and_then(|of| of.result);
        let result = result_type.and_then(|of| self.node_of(of));
        let callees = self.calls.new_callees();
        self.calls.add(Call {
            site: None,
            member,
            resolved: key.resolved,
            arguments: [Some(receiver)].into_iter().chain(arguments).collect(),
            has_receiver: true,
            result,
            result_type,
            callees,
        })
    }

    /// Whether external code may run. For a class of the library table, only its rows run.
    fn is_open(&self, key: Key, candidates: &[ClassId]) -> bool {
        if self.types.is_library(key.of) {
            let text = self.types.text(key.of);
            return self.types.is_interface(key.of) || !text.starts_with('[') && !self.library.has_class(text);
        }
        candidates.iter().any(|class| {
            let selected = match key.resolved {
                Some(method) => self.program.select(*class, method),
                None => self.program.resolve_in(*class, key.name, key.descriptor),
            };
            match selected {
                Lookup::Found(method) => self.mode.may_be_overridden(self.program, *class, method),
                Lookup::Outside(_) | Lookup::Absent => false,
            }
        })
    }

    fn open_call(&mut self, call: CallId, arguments_escape: bool) {
        let call = self.calls.get(call).clone();
        self.calls.callees_mut(call.callees).client = true;
        for argument in call.arguments.iter().skip(1).flatten().filter(|_| arguments_escape) {
            self.escape(*argument);
        }
        if let (Some(result), Some(of)) = (call.result, call.result_type) {
            self.add_external(of, result);
        }
    }

    /// Lets an external call run the method that a class selects.
    fn select_external(&mut self, id: ExternalId, class: ClassId) {
        let ExternalCall { key, call, is_open, .. } = self.external.calls[id.0];
        let member = self.calls.get(call).member;
        let is_covered = is_open && !OBSERVERS.contains(&self.program.text(key.name));
        match self.select_in(class, member, key.resolved) {
            CallTarget::Method(method) if is_covered => self.note_external_callee(call, method),
            CallTarget::Method(method) => {
                self.link(call, method);
                let external = self.external(key.of);
                if let Some(receiver) = self.signature(method).parameters.first().copied().flatten() {
                    self.add(external, receiver);
                }
            }
            CallTarget::Row(of) if !is_covered => self.add_external_row(id, of),
            CallTarget::Row(_) => {
                let callees = self.calls.get(call).callees;
                self.calls.callees_mut(callees).rows = true;
            }
            CallTarget::Abstract | CallTarget::Lambda(_) | CallTarget::External(_) => {}
        }
    }

    /// Adds a method to the callees of an external call. Its arguments are covered: external code has called it
    /// already.
    fn note_external_callee(&mut self, call: CallId, method: MethodId) {
        let callees = self.calls.get(call).callees;
        let methods = &mut self.calls.callees_mut(callees).methods;
        if !methods.contains(&method) {
            methods.push(method);
        }
    }

    fn add_external_row(&mut self, id: ExternalId, of: TypeId) {
        let external = &mut self.external.calls[id.0];
        if external.rows.contains(&of) {
            return;
        }
        external.rows.push(of);
        for user in external.users.clone() {
            self.run_row_of_external(user, of);
        }
    }

    /// Runs a row on the external object of a type.
    fn run_row_of_external(&mut self, id: CallId, of: TypeId) {
        let ObjectId(external) = self.external(of);
        let receivers = self.sets.one(external);
        self.run_row(id, of, receivers);
    }

    /// Returns the external calls of all methods of this name on external objects of a type; the library calls them,
    /// and their arguments do not escape.
    pub(super) fn external_observers(&mut self, of: TypeId, name: &str) -> Vec<CallId> {
        let Some(name) = self.program.name(name) else { return Vec::new() };
        if let Some(known) = self.external.observers.get(&(of, name)) {
            return known.clone();
        }
        let found = self.find_observers(of, name);
        self.external.observers.insert((of, name), found.clone());
        found
    }

    fn find_observers(&mut self, of: TypeId, name: Name) -> Vec<CallId> {
        let classes: FxHashSet<ClassId> =
            self.subclasses(of).into_iter().flat_map(|class| self.program.superclasses(class)).collect();
        let descriptors: FxHashSet<Name> = (classes.into_iter())
            .flat_map(|class| self.program.class(class).methods())
            .map(|method| self.program.method(method))
            .filter(|method| method.name == name && !method.flags.is_static())
            .map(|method| method.descriptor)
            .collect();
        let mut descriptors: Vec<Name> = descriptors.into_iter().collect();
        descriptors.sort_unstable();
        let class = self.program.name(self.types.text(of));
        let Some(class) = class else { return Vec::new() };
        let call = |state: &mut Self, descriptor| {
            let member = Member { class, name, descriptor };
            let key = Key { of, resolved: None, name, descriptor };
            let external = state.external_call(key, member);
            state.external.calls[external.0].call
        };
        descriptors.into_iter().map(|descriptor| call(self, descriptor)).collect()
    }
}
