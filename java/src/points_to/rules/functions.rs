//! Calls of functions and methods by the library.
//!
//! Rows of the library table say that the library calls a method of a name, or a function whichever it is; what it
//! gives them is the soup of the call. Which methods these are is found for each object by its class.

use super::external::OBSERVERS;
use crate::class_file::{ClassId, MethodId};
use crate::library::{TRAVERSAL, UNKNOWN};
use crate::points_to::call_graph::Call;
use crate::points_to::constraints::{Constraint, FunctionsId, NodeId};
use crate::points_to::library_calls::{FunctionName, Functions};
use crate::points_to::objects::{Object, ObjectId};
use crate::points_to::sets::SetId;
use crate::points_to::state::State;
use crate::points_to::types::{Relation, TypeId};
use std::collections::BTreeMap;

/// How the library calls an object.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
enum Selected {
    Class(ClassId),
    Lambda(ObjectId),
    Library(TypeId),
    External(TypeId),
}

impl State<'_> {
    /// The library calls functions of all objects of a node.
    pub(super) fn call_functions(&mut self, whom: NodeId, functions: Functions) {
        let id =
            FunctionsId(u32::try_from(self.rows.functions.len()).expect("there are fewer calls than instructions"));
        self.rows.functions.push(functions);
        self.constrain(whom, Constraint::Functions(id));
    }

    /// Objects were found whose functions are called.
    pub(super) fn call_functions_of(&mut self, id: FunctionsId, objects: SetId) {
        let functions = self.rows.functions[id.index()].clone();
        let mut by_class: BTreeMap<Selected, Vec<u32>> = BTreeMap::new();
        for object in self.objects_in(objects) {
            if let Some(selected) = self.select_function(&functions, object) {
                by_class.entry(selected).or_default().push(object.0);
            }
        }
        for (selected, objects) in by_class {
            let objects = self.sets.of(objects);
            match selected {
                Selected::Class(class) => self.call_methods(id, &functions, class, objects),
                Selected::Lambda(lambda) => self.call_lambda(&functions, lambda),
                Selected::Library(of) => self.call_rows(&functions, of, objects),
                Selected::External(of) => self.call_external(&functions, of),
            }
        }
    }

    fn select_function(&self, functions: &Functions, object: ObjectId) -> Option<Selected> {
        let of = self.objects.of(object);
        match self.objects.get(object) {
            Object::External(of) => return Some(Selected::External(*of)),
            Object::Lambda { name, .. } if functions.name.fits(self.program.text(*name)) => {
                return Some(Selected::Lambda(object));
            }
            // Nothing that can be called takes the soup anywhere.
            Object::Literal(_) | Object::Class(_) | Object::Value(_) if self.types.is_library(of) => return None,
            Object::Lambda { .. }
            | Object::Literal(_)
            | Object::Class(_)
            | Object::Value(_)
            | Object::Made { .. }
            | Object::Handle { .. }
            | Object::View { .. } => {}
        }
        Some(self.types.class(of).map_or(Selected::Library(of), Selected::Class))
    }

    fn call_methods(&mut self, id: FunctionsId, functions: &Functions, class: ClassId, objects: SetId) {
        for method in self.functions_in(class, &functions.name) {
            self.link_function(id, functions, method);
            if let Some(receiver) = self.signature(method).parameters.first().copied().flatten() {
                self.flow(objects, receiver);
            }
        }
        let of = self.types.of_class(class);
        if self.types.supertypes(of).iter().any(|supertype| self.types.is_library(*supertype)) {
            self.call_rows(functions, of, objects);
        }
    }

    /// The methods with code of a class that are meant.
    fn functions_in(&mut self, class: ClassId, name: &FunctionName) -> Vec<MethodId> {
        let of = self.types.of_class(class);
        let supertypes = self.types.supertypes(of);
        let names: Vec<&str> = match name {
            FunctionName::Named(name) => vec![name],
            FunctionName::Traversal => TRAVERSAL.to_vec(),
            FunctionName::Any => {
                supertypes.iter().filter_map(|of| self.library.function(self.types.text(*of))).collect()
            }
        };
        let program = self.program;
        let declared = program.supertypes(class).into_iter().flat_map(|class| program.class(class).methods());
        let is_meant = |method: &MethodId| {
            let flags = program.method(*method).flags;
            let text = program.text(program.method(*method).name);
            let can_be_called = !flags.is_static() && !flags.is_private() && !text.starts_with('<');
            // A functional interface that the table does not know can have any method.
            let is_any = *name == FunctionName::Any && names.is_empty() && flags.is_public();
            can_be_called && (is_any || names.contains(&text))
        };
        let selected = declared.filter(is_meant).filter_map(|method| program.select(class, method).found());
        let mut methods: Vec<MethodId> = selected.filter(|method| program.method(*method).has_code()).collect();
        methods.sort_unstable();
        methods.dedup();
        methods
    }

    fn link_function(&mut self, id: FunctionsId, functions: &Functions, method: MethodId) {
        if !self.rows.function_links.insert((id, method)) {
            return;
        }
        self.reach(method);
        let callees = self.calls.get(functions.call).callees;
        let known = &mut self.calls.found(callees).functions;
        if !known.contains(&method) {
            known.push(method);
        }
        let nodes = self.signature(method);
        let (parameters, result) = (nodes.parameters.clone(), nodes.result);
        for parameter in parameters.iter().skip(1).flatten() {
            self.edge(functions.soup, *parameter);
            self.hands_exceptions(*parameter);
        }
        if let Some(result) = result {
            self.edge(result, functions.results);
        }
    }

    /// A function of the library's that gets exceptions gets what was thrown: handlers of threads and futures.
    fn hands_exceptions(&mut self, parameter: NodeId) {
        let parameter = self.graph.find(parameter);
        let of = self.graph.of(parameter);
        let throwable = self.types.of_text("java/lang/Throwable");
        if of != TypeId::OBJECT && self.types.relation(of, throwable) == Relation::Yes {
            self.edge(self.thrown, parameter);
        }
    }

    fn call_lambda(&mut self, functions: &Functions, lambda: ObjectId) {
        let Some(nodes) = self.lambdas.get(&lambda).cloned() else { return };
        let callees = self.calls.get(functions.call).callees;
        let through = &mut self.calls.found(callees).functions_through;
        if !through.contains(&nodes.callees) {
            through.push(nodes.callees);
        }
        for parameter in nodes.parameters.iter().flatten() {
            self.edge(functions.soup, *parameter);
            self.hands_exceptions(*parameter);
        }
        if let Some(result) = nodes.result {
            self.edge(result, functions.results);
        }
    }

    /// The library calls its own methods, which can call others.
    fn call_rows(&mut self, functions: &Functions, of: TypeId, objects: SetId) {
        let library = self.library;
        let text = if of == TypeId::OBJECT { UNKNOWN } else { self.types.text(of) }.to_owned();
        let classes: Vec<String> = match self.types.class(of) {
            Some(_) => {
                let supertypes = self.types.supertypes(of);
                let library = supertypes.iter().filter(|of| self.types.is_library(**of));
                library.map(|of| self.types.text(*of).to_owned()).collect()
            }
            None => vec![text],
        };
        for class in classes {
            let names: Vec<&str> = match &functions.name {
                FunctionName::Named(name) => vec![name],
                FunctionName::Any => library.function(&class).into_iter().collect(),
                // Their content is read as well.
                FunctionName::Traversal => Vec::new(),
            };
            for row in names.into_iter().flat_map(|name| library.find_all(&class, name)) {
                if !row.is_nothing() {
                    self.run_nested_row(functions.call, row, objects, functions.soup, functions.results);
                }
            }
        }
    }

    /// Code that is not given, or any that is.
    fn call_external(&mut self, functions: &Functions, of: TypeId) {
        let callees = self.calls.get(functions.call).callees;
        self.calls.found(callees).client = true;
        match &functions.name {
            FunctionName::Named(name) if OBSERVERS.contains(&&**name) => self.call_observers(functions, of, name),
            FunctionName::Named(_) | FunctionName::Any | FunctionName::Traversal => {
                self.escape(functions.soup);
                let external = self.external(TypeId::OBJECT);
                self.add(external, functions.results);
            }
        }
    }

    fn call_observers(&mut self, functions: &Functions, of: TypeId, name: &str) {
        for call in self.external_observers(of, name) {
            let Call { arguments, result, callees, .. } = self.calls.get(call).clone();
            for parameter in arguments.iter().skip(1).flatten() {
                self.edge(functions.soup, *parameter);
            }
            if let Some(result) = result {
                self.edge(result, functions.results);
            }
            let own = self.calls.get(functions.call).callees;
            let through = &mut self.calls.found(own).functions_through;
            if !through.contains(&callees) {
                through.push(callees);
            }
        }
    }
}
