//! Building and solving the constraints of a program: methods are added when they are reached.

use super::calls::{CallSite, FunctionCall, Names};
use super::fields::Stores;
use super::objects::{Field, Object, ObjectId, Objects};
use super::result::PointsToError;
use super::solver::{Graph, Node, Watcher};
use super::types::narrowed;
use crate::class::{ClassId, FieldId, MethodId};
use crate::descriptor::Type;
use crate::ir::{Bodies, Body, Variable};
use crate::library::Library;
use crate::program::Program;
use fixedbitset::FixedBitSet;
use rustc_hash::{FxHashMap, FxHashSet};
use std::rc::Rc;
use std::sync::Arc;

/// Methods and objects that are known so far, and the constraints between them.
pub(super) struct Builder<'p> {
    pub(super) program: &'p Program,
    pub(super) library: &'p Library,
    pub(super) bodies: &'p Bodies<'p>,
    pub(super) is_client: bool,
    pub(super) graph: Graph,
    pub(super) objects: Objects,
    pub(super) stores: Stores,
    /// The first node of a method's variables.
    pub(super) variables: FxHashMap<MethodId, Node>,
    pub(super) returns: FxHashMap<MethodId, Node>,
    pub(super) fields: FxHashMap<(ObjectId, Field), Node>,
    /// Fields of external objects, and of those that escape.
    pub(super) external: FxHashMap<FieldId, Node>,
    pub(super) statics: FxHashMap<FieldId, Node>,
    /// What arrays and objects of the library hold that clients have.
    pub(super) external_content: Node,
    /// All that is thrown.
    pub(super) thrown: Node,
    /// All that clients get.
    pub(super) escaping: Node,
    pub(super) escaped: FixedBitSet,
    pub(super) reached: FxHashSet<MethodId>,
    pub(super) open: Vec<MethodId>,
    pub(super) calls: Vec<CallSite>,
    pub(super) functions: Vec<FunctionCall>,
    pub(super) function_ids: FxHashMap<FunctionCall, u32>,
    /// The parameters and results of lambdas that are run.
    pub(super) lambdas: FxHashMap<ObjectId, (Vec<Option<Node>>, Node)>,
    pub(super) named: FxHashMap<(ClassId, Names), Rc<[MethodId]>>,
    pub(super) callees: FxHashMap<MethodId, FxHashSet<MethodId>>,
    pub(super) rows: FxHashSet<(u32, usize)>,
}

impl<'p> Builder<'p> {
    pub(super) fn new(
        program: &'p Program,
        library: &'p Library,
        bodies: &'p Bodies<'p>,
        is_client: bool,
        stores: Stores,
    ) -> Self {
        let mut graph = Graph::default();
        let external_content = graph.node();
        let thrown = graph.node();
        let escaping = graph.node();
        let mut builder = Self {
            program,
            library,
            bodies,
            is_client,
            graph,
            objects: Objects::default(),
            stores,
            variables: FxHashMap::default(),
            returns: FxHashMap::default(),
            fields: FxHashMap::default(),
            external: FxHashMap::default(),
            statics: FxHashMap::default(),
            external_content,
            thrown,
            escaping,
            escaped: FixedBitSet::new(),
            reached: FxHashSet::default(),
            open: Vec::new(),
            calls: Vec::new(),
            functions: Vec::new(),
            function_ids: FxHashMap::default(),
            lambdas: FxHashMap::default(),
            named: FxHashMap::default(),
            callees: FxHashMap::default(),
            rows: FxHashSet::default(),
        };
        builder.watch(escaping, Watcher::Escapes);
        builder.copy(external_content, escaping);
        if let Some(object) = program.name("java/lang/Object") {
            builder.put_external(external_content, Type::Class(object));
            builder.put_external(thrown, Type::Class(object));
        }
        builder
    }

    /// Solves the constraints.
    ///
    /// # Errors
    /// If it was cancelled.
    pub(super) fn solve(&mut self, is_cancelled: &dyn Fn() -> bool) -> Result<(), PointsToError> {
        let mut rounds = 0_usize;
        loop {
            while let Some(method) = self.open.pop() {
                if is_cancelled() {
                    return Err(PointsToError::Cancelled);
                }
                self.generate(method);
            }
            let Some((objects, watchers)) = self.graph.next() else { return Ok(()) };
            rounds += 1;
            if rounds.is_multiple_of(256) && is_cancelled() {
                return Err(PointsToError::Cancelled);
            }
            for watcher in watchers {
                for object in &objects {
                    self.notice(watcher, *object);
                }
            }
        }
    }

    /// Does what a watcher does for an object.
    fn notice(&mut self, watcher: Watcher, object: ObjectId) {
        match watcher {
            Watcher::Copy(to) => self.graph.put(to, object),
            Watcher::Filter(of, to) => {
                if let Some(object) = narrowed(self.program, self.library, &mut self.objects, object, of) {
                    self.graph.put(to, object);
                }
            }
            Watcher::Load(field, to) => {
                if let Some(from) = self.field(object, field) {
                    self.copy(from, to);
                }
            }
            Watcher::Store(field, from) => {
                if let Some(to) = self.field(object, field) {
                    self.copy(from, to);
                }
            }
            Watcher::View(class, to) => {
                let view = self.objects.id(Object::View(object, class));
                self.graph.put(to, view);
            }
            Watcher::Call(call) => self.call_on(call, object),
            Watcher::Function(call) => self.function_on(call, object),
            Watcher::Contents(to) => {
                if self.is_of_library(object)
                    && let Some(from) = self.field(object, Field::Content)
                {
                    self.copy(from, to);
                }
            }
            Watcher::Escapes => self.escape(object),
        }
    }

    /// Adds a watcher.
    pub(super) fn watch(&mut self, node: Node, watcher: Watcher) {
        for object in self.graph.watch(node, watcher) {
            self.notice(watcher, object);
        }
    }

    /// All that one node holds, the other one holds, too.
    pub(super) fn copy(&mut self, from: Node, to: Node) {
        if from == to {
            return;
        }
        for object in self.graph.watch(from, Watcher::Copy(to)) {
            self.graph.put(to, object);
        }
    }

    /// The same for what may be of a type.
    pub(super) fn filter(&mut self, from: Node, of: Type, to: Node) {
        self.watch(from, Watcher::Filter(of, to));
    }

    /// An external object of a type reaches a node.
    pub(super) fn put_external(&mut self, node: Node, of: Type) {
        if of.is_reference() {
            let object = self.objects.id(Object::External(of));
            self.graph.put(node, object);
        }
    }

    /// The node of a variable.
    pub(super) fn variable(&mut self, method: MethodId, variable: Variable) -> Option<Node> {
        let first = self.variables_of(method)?;
        Some(Node(first.0 + u32::try_from(variable.index()).expect("it fits in the body")))
    }

    fn variables_of(&mut self, method: MethodId) -> Option<Node> {
        if let Some(known) = self.variables.get(&method) {
            return Some(*known);
        }
        let body = self.body(method)?;
        let first = self.graph.nodes(body.variables());
        self.variables.insert(method, first);
        Some(first)
    }

    pub(super) fn body(&self, method: MethodId) -> Option<Arc<Body>> {
        self.bodies.get(method, &|| false).ok().flatten()
    }

    /// The node of what a method gives.
    pub(super) fn returned(&mut self, method: MethodId) -> Node {
        let graph = &mut self.graph;
        *self.returns.entry(method).or_insert_with(|| graph.node())
    }

    /// The node of a static field.
    pub(super) fn static_field(&mut self, field: FieldId) -> Node {
        if let Some(known) = self.statics.get(&field) {
            return *known;
        }
        let node = self.graph.node();
        self.statics.insert(field, node);
        self.open_to_clients(field, node);
        node
    }

    /// The node of a field of an object; none if the object has no such field.
    pub(super) fn field(&mut self, object: ObjectId, field: Field) -> Option<Node> {
        let (object, is_external) = match *self.objects.get(object) {
            Object::View(base, _) => match field {
                Field::Content => (base, self.is_external(base)),
                Field::Real(_) | Field::Captured(_) => return None,
            },
            Object::External(_) => (object, true),
            Object::Site(_) => (object, self.is_external(object)),
            Object::ClassObject(_) | Object::Literal(_) => return None,
        };
        match (is_external, field) {
            (true, Field::Real(field)) => Some(self.external_field(field)),
            (true, Field::Content) => Some(self.external_content),
            (true, Field::Captured(_)) | (false, _) => Some(self.own_field(object, field)),
        }
    }

    pub(super) fn own_field(&mut self, object: ObjectId, field: Field) -> Node {
        let graph = &mut self.graph;
        *self.fields.entry((object, field)).or_insert_with(|| graph.node())
    }

    /// Whether clients have an object.
    pub(super) fn is_external(&self, object: ObjectId) -> bool {
        matches!(self.objects.get(object), Object::External(_)) || self.escaped.contains(object.index())
    }

    /// The node of a field of objects that clients have.
    pub(super) fn external_field(&mut self, field: FieldId) -> Node {
        if let Some(known) = self.external.get(&field) {
            return *known;
        }
        let node = self.graph.node();
        self.external.insert(field, node);
        self.open_to_clients(field, node);
        node
    }

    /// Clients assign and read a field that they can name.
    fn open_to_clients(&mut self, field: FieldId, node: Node) {
        let declared = self.program.field(field);
        let is_named = (declared.flags.is_public() || declared.flags.is_protected()) && self.is_visible(declared.class);
        if !is_named || !self.is_client {
            return;
        }
        self.copy(node, self.escaping);
        if !declared.flags.is_final()
            && let Some(of) = self.program.field_type(declared.descriptor)
        {
            self.put_external(node, of);
        }
    }

    /// Whether an object is of a class of the library, or an array.
    pub(super) fn is_of_library(&self, object: ObjectId) -> bool {
        let of = match *self.objects.get(object) {
            Object::Site(site) if site.lambda.is_none() => site.class,
            Object::External(of) => of,
            Object::View(..) => return true,
            Object::Site(_) | Object::ClassObject(_) | Object::Literal(_) => return false,
        };
        match of {
            Type::Class(name) => self.program.named(name).is_none(),
            Type::Array(_) => true,
            _ => false,
        }
    }
}
