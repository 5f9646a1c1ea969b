//! Callbacks: calls of functions and methods by the library.
//!
//! A row of the library table says that the library calls a method by its name, or any method of a function object. The
//! arguments are the *soup* of the row ([`Row`](crate::library::Row)). The class of each object determines the methods.

use super::external::OBSERVERS;
use crate::class_file::{ClassId, MethodId};
use crate::library::{Row, TRAVERSAL, UNKNOWN};
use crate::points_to::call_graph::Call;
use crate::points_to::constraints::{CallbackId, Constraint, NodeId};
use crate::points_to::library_calls::{Callback, CallbackMethod, CallbackTarget, CallbackTargets};
use crate::points_to::objects::{Bound, Object, ObjectId};
use crate::points_to::sets::SetId;
use crate::points_to::state::State;
use crate::points_to::types::TypeId;
use std::collections::BTreeMap;
use std::sync::Arc;

impl<'p> State<'p> {
    /// Adds a callback to all objects of a node.
    pub(super) fn add_callback(&mut self, whom: NodeId, callback: Callback) {
        let id = CallbackId(
            u32::try_from(self.library_calls.callbacks.len()).expect("there are fewer calls than instructions"),
        );
        self.library_calls.callbacks.push(callback);
        self.constrain(whom, Constraint::Callback(id));
    }

    /// Applies a callback to new objects.
    pub(super) fn apply_callback(&mut self, id: CallbackId, objects: SetId) {
        let callback = self.library_calls.callbacks[id.index()].clone();
        for (target, objects) in self.callback_targets(&callback.method, objects).iter() {
            match *target {
                CallbackTarget::Class(class) => self.call_methods(id, &callback, class, *objects),
                CallbackTarget::Lambda(lambda) => self.call_lambda(&callback, lambda),
                CallbackTarget::Library(of) => self.call_rows(&callback, of, *objects),
                CallbackTarget::External(of) => self.call_external(&callback, of),
            }
        }
    }

    /// Returns the targets of a callback for a set of objects. They depend on the kind of callback and the set alone.
    fn callback_targets(&mut self, method: &CallbackMethod, objects: SetId) -> CallbackTargets {
        let known = self.library_calls.callback_targets.get(method).and_then(|known| known.get(&objects));
        if let Some(known) = known {
            return known.clone();
        }
        let found = self.find_callback_targets(method, objects);
        self.library_calls.callback_targets.entry(method.clone()).or_default().insert(objects, found.clone());
        found
    }

    fn find_callback_targets(&mut self, method: &CallbackMethod, objects: SetId) -> CallbackTargets {
        let mut by_target: BTreeMap<CallbackTarget, Vec<u32>> = BTreeMap::new();
        for object in self.objects_in(objects) {
            // A view of a program object calls the methods of the object.
            let viewed = match self.objects.get(object) {
                Object::View { base, .. } if self.types.class(self.objects.type_of(*base)).is_some() => Some(*base),
                _ => None,
            };
            for object in std::iter::once(object).chain(viewed) {
                for target in self.select_targets(method, object) {
                    by_target.entry(target).or_default().push(object.0);
                }
            }
        }
        by_target.into_iter().map(|(target, objects)| (target, self.sets.of(objects))).collect()
    }

    fn select_targets(&self, method: &CallbackMethod, object: ObjectId) -> Vec<CallbackTarget> {
        match self.bound(object) {
            Some(Bound::Row(of)) => vec![CallbackTarget::Library(of)],
            Some(Bound::Below(class)) => self.classes_below(class).into_iter().map(CallbackTarget::Class).collect(),
            None => self.select_function(method, object).into_iter().collect(),
        }
    }

    fn select_function(&self, method: &CallbackMethod, object: ObjectId) -> Option<CallbackTarget> {
        let of = self.objects.type_of(object);
        match self.objects.get(object) {
            Object::External(of) => return Some(CallbackTarget::External(*of)),
            Object::Lambda { name, .. } if method.fits(self.program.text(*name)) => {
                return Some(CallbackTarget::Lambda(object));
            }
            // No method of these library classes keeps or passes on the soup.
            Object::Literal(_) | Object::Class(_) | Object::Value(_) if self.types.is_library(of) => return None,
            Object::Lambda { .. }
            | Object::Literal(_)
            | Object::Class(_)
            | Object::Value(_)
            | Object::Made { .. }
            | Object::Handle { .. }
            | Object::View { .. } => {}
        }
        Some(self.types.class(of).map_or(CallbackTarget::Library(of), CallbackTarget::Class))
    }

    fn call_methods(&mut self, id: CallbackId, callback: &Callback, class: ClassId, objects: SetId) {
        for method in self.callback_methods(class, &callback.method) {
            self.link_function(id, callback, method);
            if let Some(receiver) = self.signature(method).parameters.first().copied().flatten() {
                self.flow(objects, receiver);
            }
        }
        let of = self.types.of_class(class);
        let supertypes = self.types.supertypes(of);
        let library = supertypes.iter().copied().filter(|of| self.types.is_library(*of)).collect::<Vec<_>>();
        for of in library {
            self.call_rows(callback, of, objects);
        }
    }

    /// Returns the methods with code that a callback calls on objects of exactly this class.
    fn callback_methods(&mut self, class: ClassId, name: &CallbackMethod) -> Vec<MethodId> {
        let of = self.types.of_class(class);
        let supertypes = self.types.supertypes(of);
        let names: Vec<&str> = match name {
            CallbackMethod::Named(name) => vec![name],
            CallbackMethod::Traversal => TRAVERSAL.to_vec(),
            CallbackMethod::Any => {
                supertypes.iter().filter_map(|of| self.library.function(self.types.text(*of))).collect()
            }
        };
        let program = self.program;
        let declared = program.supertypes(class).into_iter().flat_map(|class| program.class(class).methods());
        let is_meant = |method: &MethodId| {
            let flags = program.method(*method).flags;
            let text = program.text(program.method(*method).name);
            let can_be_called = !flags.is_static() && !flags.is_private() && !text.starts_with('<');
            // A functional interface that is not in the table can have any method.
            let is_any = *name == CallbackMethod::Any && names.is_empty() && flags.is_public();
            can_be_called && (is_any || names.contains(&text))
        };
        let selected = declared.filter(is_meant).filter_map(|method| program.select(class, method).found());
        let mut methods: Vec<MethodId> = selected.filter(|method| program.method(*method).has_code()).collect();
        methods.sort_unstable();
        methods.dedup();
        methods
    }

    fn link_function(&mut self, id: CallbackId, callback: &Callback, method: MethodId) {
        if !self.library_calls.callback_links.insert((id, method)) {
            return;
        }
        self.reach(method);
        let callees = self.calls.get(callback.call).callees;
        let known = &mut self.calls.callees_mut(callees).functions;
        if !known.contains(&method) {
            known.push(method);
        }
        let nodes = self.signature(method);
        let (parameters, result) = (nodes.parameters.clone(), nodes.result);
        for parameter in parameters.iter().skip(1).flatten() {
            self.edge(callback.soup, *parameter);
            self.flow_thrown(callback, *parameter);
        }
        if let Some(result) = result {
            self.edge(result, callback.results);
        }
    }

    /// Lets thrown exceptions flow to a parameter if it is an exception: handlers of threads and futures. A handler of
    /// a future may have any parameter type.
    fn flow_thrown(&mut self, callback: &Callback, parameter: NodeId) {
        let found = self.graph.find(parameter);
        let is_any = || self.graph.type_of(found) == TypeId::OBJECT && self.is_of_future(callback);
        if is_any() || self.is_exception(parameter) {
            self.edge(self.thrown, parameter);
        }
    }

    /// Whether a future or completion stage makes a callback.
    fn is_of_future(&self, callback: &Callback) -> bool {
        const FUTURES: [&str; 2] = ["java/util/concurrent/CompletableFuture", "java/util/concurrent/CompletionStage"];
        FUTURES.contains(&self.program.text(self.calls.get(callback.call).member.class))
    }

    fn call_lambda(&mut self, callback: &Callback, lambda: ObjectId) {
        let Some(nodes) = self.lambdas.get(&lambda).cloned() else { return };
        let callees = self.calls.get(callback.call).callees;
        let delegates = &mut self.calls.callees_mut(callees).function_delegates;
        if !delegates.contains(&nodes.callees) {
            delegates.push(nodes.callees);
        }
        for parameter in nodes.parameters.iter().flatten() {
            self.edge(callback.soup, *parameter);
            self.flow_thrown(callback, *parameter);
        }
        if let Some(result) = nodes.result {
            self.edge(result, callback.results);
        }
    }

    /// Lets the library call its own methods for objects of a type. They may call back in turn.
    fn call_rows(&mut self, callback: &Callback, of: TypeId, objects: SetId) {
        for row in self.callback_rows(&callback.method, of).iter() {
            self.run_nested_row(callback.call, *row, objects, callback.soup, callback.results);
        }
    }

    /// Returns the rows that a callback runs on objects of a library type, if they do anything.
    fn callback_rows(&mut self, method: &CallbackMethod, of: TypeId) -> Arc<[Row<'p>]> {
        let known = self.library_calls.callback_rows.get(method).and_then(|known| known.get(&of));
        if let Some(known) = known {
            return known.clone();
        }
        let library = self.library;
        let class = if of == TypeId::OBJECT { UNKNOWN } else { self.types.text(of) };
        let name: Option<&str> = match method {
            CallbackMethod::Named(name) => Some(name),
            CallbackMethod::Any => library.function(class),
            // The row reads the content of these objects anyway.
            CallbackMethod::Traversal => None,
        };
        let rows = name.into_iter().flat_map(|name| library.find_all(class, name));
        let found: Arc<[Row<'p>]> = rows.filter(|row| !row.is_nothing()).collect();
        self.library_calls.callback_rows.entry(method.clone()).or_default().insert(of, found.clone());
        found
    }

    /// Lets the library call an external object: external code runs, which can call any accessible method.
    fn call_external(&mut self, callback: &Callback, of: TypeId) {
        let callees = self.calls.get(callback.call).callees;
        self.calls.callees_mut(callees).client = true;
        match &callback.method {
            CallbackMethod::Named(name) if OBSERVERS.contains(&&**name) => self.call_observers(callback, of, name),
            CallbackMethod::Named(_) | CallbackMethod::Any | CallbackMethod::Traversal => {
                self.escape(callback.soup);
                let external = self.external(TypeId::OBJECT);
                self.add(external, callback.results);
            }
        }
    }

    fn call_observers(&mut self, callback: &Callback, of: TypeId, name: &str) {
        for call in self.external_observers(of, name) {
            let Call { arguments, result, callees, .. } = self.calls.get(call).clone();
            for parameter in arguments.iter().skip(1).flatten() {
                self.edge(callback.soup, *parameter);
            }
            if let Some(result) = result {
                self.edge(result, callback.results);
            }
            let own = self.calls.get(callback.call).callees;
            let delegates = &mut self.calls.callees_mut(own).function_delegates;
            if !delegates.contains(&callees) {
                delegates.push(callees);
            }
        }
    }
}
