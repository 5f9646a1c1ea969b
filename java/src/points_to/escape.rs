//! What clients can call, and what they get.

use super::build::Builder;
use super::objects::{Field, Object, ObjectId};
use super::solver::Node;
use crate::class::{ClassId, MethodId};
use crate::descriptor::Type;
use crate::program::Program;

/// Whether clients can name a class: it is not private, local or anonymous. A nested class that is not public counts as private.
pub(super) fn is_visible(program: &Program, class: ClassId) -> bool {
    let class = program.class(class);
    !class.is_anonymous && !class.flags.is_synthetic() && (class.outer.is_none() || class.flags.is_public())
}

impl Builder<'_> {
    pub(super) fn is_visible(&self, class: ClassId) -> bool {
        is_visible(self.program, class)
    }

    /// All methods that clients can name are roots.
    pub(super) fn roots_of_clients(&mut self) {
        let methods: Vec<MethodId> = self.program.methods().map(|(method, _)| method).collect();
        for method in methods {
            let declared = self.program.method(method);
            let is_initializer = self.program.text(declared.name) == "<clinit>";
            if is_initializer {
                self.reach(method);
            } else if declared.has_code() && !declared.flags.is_private() && self.is_visible(declared.class) {
                self.root(method, None);
            }
        }
    }

    /// Clients call a method, on an object of theirs or on this one.
    pub(super) fn root(&mut self, method: MethodId, receiver: Option<ObjectId>) {
        self.reach(method);
        let Some(body) = self.body(method) else { return };
        let declared = self.program.method(method);
        let types =
            self.program.method_type(declared.descriptor).map(|types| types.parameters.clone()).unwrap_or_default();
        let mut parameters = body.parameters.iter().copied();
        if !declared.flags.is_static()
            && let Some(this) = parameters.next()
            && let Some(node) = self.variable(method, this)
        {
            match receiver {
                Some(receiver) => self.graph.put(node, receiver),
                None => self.put_external(node, Type::Class(self.program.class(declared.class).name)),
            }
        }
        for (parameter, of) in parameters.zip(&*types) {
            if let Some(node) = self.variable(method, parameter) {
                self.put_external(node, *of);
            }
        }
        let returned = self.returned(method);
        self.copy(returned, self.escaping);
    }

    /// A method is run: its constraints are added.
    pub(super) fn reach(&mut self, method: MethodId) {
        if self.reached.insert(method) {
            self.open.push(method);
        }
    }

    /// Clients get an object.
    pub(super) fn escape(&mut self, object: ObjectId) {
        let Object::Site(site) = *self.objects.get(object) else {
            if let Object::View(base, _) = *self.objects.get(object) {
                self.escape(base);
            }
            return;
        };
        self.escaped.grow(object.index() + 1);
        if self.escaped.put(object.index()) {
            return;
        }
        let own: Vec<(Field, Node)> =
            self.fields.iter().filter(|((of, _), _)| *of == object).map(|((_, field), node)| (*field, *node)).collect();
        for (field, node) in own {
            let other = match field {
                Field::Real(field) => self.external_field(field),
                Field::Content => self.external_content,
                Field::Captured(_) => continue,
            };
            self.copy(node, other);
            self.copy(other, node);
        }
        match (site.lambda, site.class) {
            (Some(_), _) => self.run_by_client(object),
            (None, Type::Class(name)) => {
                if let Some(class) = self.program.named(name)
                    && !self.is_visible(class)
                {
                    for method in callable_on(self.program, class) {
                        self.root(method, Some(object));
                    }
                }
            }
            (None, _) => {}
        }
    }
}

/// The methods that clients can call on an object of a class that they cannot name: public ones, by the types that they can.
pub(super) fn callable_on(program: &Program, class: ClassId) -> Vec<MethodId> {
    let mut found = Vec::new();
    for of in program.supertypes(class) {
        for method in program.class(of).methods() {
            let declared = program.method(method);
            let is_it = declared.has_code() && declared.flags.is_public() && !declared.flags.is_static();
            let is_selected = || program.resolve_in(class, declared.name, declared.descriptor).found() == Some(method);
            if is_it && !program.text(declared.name).starts_with('<') && is_selected() {
                found.push(method);
            }
        }
    }
    found
}
