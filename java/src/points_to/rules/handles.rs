//! Accesses to fields and elements through handles: a `VarHandle`, an `AtomicReferenceFieldUpdater` and similar
//! classes.
//!
//! The target of a handle is known if the call that creates it has constant arguments. At an access through an unknown
//! handle, the arguments escape; as for all reflection, such an access is assumed to change nothing else.

use crate::bytecode::Constant;
use crate::class_file::{ClassId, FieldId, Name};
use crate::library::{Action, Argument, Named};
use crate::points_to::constraints::{CallId, Field, HandleAccessId, NodeId};
use crate::points_to::library_calls::{Callback, CallbackMethod, HandleAccess, Operands};
use crate::points_to::objects::{Object, Target};
use crate::points_to::sets::SetId;
use crate::points_to::state::State;
use crate::points_to::types::TypeId;

impl State<'_> {
    /// Applies an access to new handles.
    pub(super) fn apply_handle_access(&mut self, id: HandleAccessId, handles: SetId) {
        let access = self.library_calls.handle_accesses[id.index()].clone();
        for handle in self.objects_in(handles) {
            match *self.objects.get(handle) {
                Object::Handle { target, .. } => self.access_target(&access, target),
                _ => self.access_unknown(&access),
            }
        }
    }

    fn access_unknown(&mut self, access: &HandleAccess) {
        for argument in access.arguments.iter().flatten() {
            self.escape(*argument);
        }
        if let Some(result) = access.result {
            let external = self.external(TypeId::OBJECT);
            self.add(external, result);
        }
    }

    fn access_target(&mut self, access: &HandleAccess, target: Target) {
        let argument = |index: usize| access.arguments.get(index).copied().flatten();
        match target {
            Target::Field(field) if self.program.field(field).flags.is_static() => {
                if let Some(node) = self.static_node(field) {
                    let stored = self.operands(access, 0, node);
                    stored.into_iter().for_each(|from| self.edge(from, node));
                    access.result.into_iter().for_each(|to| self.edge(node, to));
                }
            }
            Target::Field(field) => self.access_field(access, argument(0), Field::Declared(field), 1),
            Target::Elements => self.access_field(access, argument(0), Field::Content, 2),
        }
    }

    fn access_field(&mut self, access: &HandleAccess, base: Option<NodeId>, field: Field, skipped: usize) {
        let Some(base) = base else { return };
        let loaded = self.node();
        self.load(base, field, loaded);
        let stored = self.operands(access, skipped, loaded);
        stored.into_iter().for_each(|from| self.store(base, field, from));
        access.result.into_iter().for_each(|to| self.edge(loaded, to));
    }

    /// Returns the nodes that an access stores; a function is called with the loaded value.
    fn operands(&mut self, access: &HandleAccess, skipped: usize, loaded: NodeId) -> Vec<NodeId> {
        let argument = |index: usize| access.arguments.get(index + skipped).copied().flatten();
        match &access.operands {
            Operands::Values(values) => values.iter().filter_map(|index| argument(*index)).collect(),
            Operands::Function(function) => {
                let [soup, results] = [self.node(), self.node()];
                self.edge(loaded, soup);
                access.arguments.iter().flatten().for_each(|argument| self.edge(*argument, soup));
                if let Some(whom) = argument(*function) {
                    self.add_callback(whom, Callback { call: access.call, method: CallbackMethod::Any, soup, results });
                }
                vec![results]
            }
        }
    }

    /// Lets the handle that the arguments of a call name flow to its result.
    pub(super) fn name_handle(&mut self, call: CallId, actions: &[Action], of: TypeId, to: NodeId) {
        for action in actions {
            if let Action::Names { what, class, name } = action {
                let class = self.constant(call, *class).and_then(|constant| self.class_constant(constant));
                let name = name.and_then(|name| self.constant(call, name)).and_then(|constant| match constant {
                    Constant::String(name) => Some(name),
                    _ => None,
                });
                match what {
                    Named::Field => self.name_field(class, name, of, to),
                    Named::Elements => {
                        let handle = self.object(Object::Handle { of, target: Target::Elements });
                        self.add(handle, to);
                    }
                    Named::Method => self.name_method(class, name, of, to),
                }
            }
        }
    }

    fn constant(&self, call: CallId, argument: Argument) -> Option<Constant> {
        self.library_calls.constant_arguments.get(&call)?.get(argument.index()).copied().flatten()
    }

    fn class_constant(&self, constant: Constant) -> Option<ClassId> {
        match constant {
            Constant::Class(name) => self.program.named(name),
            _ => None,
        }
    }

    fn name_field(&mut self, class: Option<ClassId>, name: Option<Name>, of: TypeId, to: NodeId) {
        let fields = class.map_or_else(Vec::new, |class| self.fields_named(class, name));
        for field in &fields {
            self.stores.add_handle(*field);
            let handle = self.object(Object::Handle { of, target: Target::Field(*field) });
            self.add(handle, to);
        }
        if fields.is_empty() {
            self.stores.unknown_handles += 1;
            let external = self.external(of);
            self.add(external, to);
        }
    }

    /// Returns the fields of a class with this name, or all fields if there is no name.
    fn fields_named(&self, class: ClassId, name: Option<Name>) -> Vec<FieldId> {
        let fields = self.program.superclasses(class).flat_map(|class| self.program.class(class).fields());
        let text = |name: Name| self.program.text(name);
        let is_meant = |field: &FieldId| name.is_none_or(|name| text(name) == text(self.program.field(*field).name));
        fields.filter(is_meant).collect()
    }

    /// Adds a method handle: external code may call the method.
    fn name_method(&mut self, class: Option<ClassId>, name: Option<Name>, of: TypeId, to: NodeId) {
        let external = self.external(of);
        self.add(external, to);
        let (Some(class), Some(name)) = (class, name) else { return };
        let text = self.program.text(name);
        let methods: Vec<_> = (self.program.superclasses(class))
            .flat_map(|class| self.program.class(class).methods())
            .filter(|method| self.program.text(self.program.method(*method).name) == text)
            .collect();
        for method in methods {
            self.add_root(method, true);
        }
    }
}
