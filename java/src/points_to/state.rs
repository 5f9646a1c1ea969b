//! The state of the solver, and the basic steps of all rules: adding nodes, edges, objects, constraints and reached
//! methods.
//!
//! No step applies rules. A reached method and a new constraint wait in a queue until the [solver](super::solve)
//! processes them, so rules are not applied recursively.

use super::call_graph::{CallGraph, CallTarget, Lambdas};
use super::constraints::{Constraint, Field, NodeId};
use super::copy_sites::CopySites;
use super::error::PointsToError;
use super::external_calls::ExternalCalls;
use super::graph::Graph;
use super::heap::Heap;
use super::library_calls::LibraryCalls;
use super::masks::Masks;
use super::mode::Mode;
use super::objects::{Exactness, Object, ObjectId, Objects, Site};
use super::sets::{SetId, Sets};
use super::stores::Stores;
use super::types::{TypeId, Types};
use crate::class_file::{ClassId, MethodId, Name, Type};
use crate::library::{Attribute, Library};
use crate::program::Program;
use rustc_hash::{FxHashMap, FxHashSet};
use std::collections::BTreeMap;
use std::sync::Arc;

/// The nodes of a method.
#[derive(Debug, Default)]
pub(super) struct MethodNodes {
    /// The receiver unless it is static, then the parameters; none for numbers.
    pub(super) parameters: Box<[Option<NodeId>]>,
    pub(super) result: Option<NodeId>,
    /// Its variables, once its code was processed; none for numbers.
    pub(super) variables: Box<[Option<NodeId>]>,
}

/// A call by class, name, descriptor and resolved method.
type CallKey = (ClassId, Name, Name, Option<MethodId>);

/// The state of the solver.
pub(super) struct State<'p> {
    pub(super) program: &'p Program,
    pub(super) library: &'p Library,
    pub(super) mode: Mode<'p>,
    pub(super) types: Types<'p>,
    pub(super) objects: Objects,
    pub(super) sets: Sets,
    pub(super) graph: Graph,
    pub(super) masks: Masks,
    pub(super) heap: Heap,
    pub(super) calls: CallGraph,
    pub(super) external: ExternalCalls,
    pub(super) library_calls: LibraryCalls<'p>,
    pub(super) lambdas: Lambdas,
    /// The targets of calls.
    pub(super) call_targets: FxHashMap<CallKey, CallTarget>,
    /// The targets of calls on objects of any class below a bound, by the bound.
    pub(super) bounded_targets: FxHashMap<CallKey, Arc<[CallTarget]>>,
    pub(super) stores: Stores,
    pub(super) methods: Vec<Option<Box<MethodNodes>>>,
    /// Reached methods whose code is not yet processed.
    pub(super) pending_methods: Vec<MethodId>,
    /// Per method, whether it is reached.
    pub(super) is_reached: Vec<bool>,
    pub(super) initialized: FxHashSet<ClassId>,
    /// Constraints that are not yet in the graph.
    pub(super) pending_constraints: Vec<(NodeId, Constraint)>,
    /// The node of all objects that escape.
    pub(super) escaping: NodeId,
    /// The node of all thrown exceptions.
    pub(super) thrown: NodeId,
    /// The nodes of the escaped objects of each class that clients cannot name.
    pub(super) escaped: FxHashMap<ClassId, NodeId>,
    /// Classes whose bootstrap methods external code may call.
    pub(super) exposed: FxHashSet<ClassId>,
    /// Number of times that a node was coarsened: it got an external object, as it has too many others.
    pub(super) coarsened: usize,
    /// Number of methods whose code is damaged.
    pub(super) damaged: usize,
    /// Statements that copy objects.
    pub(super) copy_sites: CopySites,
    /// The nodes of all objects of each type that is looked up.
    pub(super) instances: BTreeMap<TypeId, NodeId>,
    /// Number of set nodes from which unused ones are dropped.
    pub(super) sets_allowed: usize,
    /// The reason why the analysis has to stop.
    pub(super) failure: Option<PointsToError>,
}

impl<'p> State<'p> {
    pub(super) fn new(program: &'p Program, library: &'p Library, mode: Mode<'p>) -> Self {
        let mut types = Types::new(program, library);
        let mut graph = Graph::default();
        let throwable = types.of_text("java/lang/Throwable");
        let [escaping, thrown] = [graph.add_node(TypeId::OBJECT), graph.add_node(throwable)];
        Self {
            program,
            library,
            mode,
            objects: Objects::new(&mut types),
            external: ExternalCalls::new(program, &mut types),
            types,
            sets: Sets::new(),
            graph,
            masks: Masks::default(),
            heap: Heap::default(),
            calls: CallGraph::default(),
            library_calls: LibraryCalls::default(),
            lambdas: Lambdas::default(),
            call_targets: FxHashMap::default(),
            bounded_targets: FxHashMap::default(),
            stores: Stores::default(),
            methods: program.methods().map(|_| None).collect(),
            pending_methods: Vec::new(),
            is_reached: vec![false; program.methods().len()],
            initialized: FxHashSet::default(),
            pending_constraints: vec![(escaping, Constraint::Escapes)],
            escaping,
            thrown,
            escaped: FxHashMap::default(),
            exposed: FxHashSet::default(),
            coarsened: 0,
            damaged: 0,
            copy_sites: CopySites::default(),
            instances: BTreeMap::new(),
            sets_allowed: 1 << 20,
            failure: None,
        }
    }

    /// Adds a node for objects of all types.
    pub(super) fn node(&mut self) -> NodeId {
        self.graph.add_node(TypeId::OBJECT)
    }

    /// Adds a node for values of a type; none for numbers.
    pub(super) fn node_of(&mut self, of: Type) -> Option<NodeId> {
        let of = self.types.of(of)?;
        Some(self.graph.add_node(of))
    }

    /// Adds the objects of a set that can be of a node's type to the node's set.
    pub(super) fn flow(&mut self, set: SetId, to: NodeId) {
        let to = self.graph.find(to);
        let set = self.filter(set, self.graph.type_of(to));
        let before = self.graph.set(to);
        if set == before {
            return;
        }
        let set = match self.graph.find(self.escaping) == to {
            true => {
                let coverable = self.coverable_part(set);
                self.masks.coverable = self.sets.union(self.masks.coverable, coverable);
                set
            }
            false => self.uncovered(set, before),
        };
        let after = self.sets.union(before, set);
        if after != before {
            self.graph.update_set(to, after);
            self.coarsen(to, after);
        }
    }

    /// Adds the external object of a node's type to the node if it has many objects that this object covers.
    fn coarsen(&mut self, node: NodeId, set: SetId) {
        const MOST: usize = 64;
        let is_exempt = node == self.graph.find(self.escaping) || self.heap.is_contents_of_set(node);
        if is_exempt || !self.sets.is_larger(set, MOST) {
            return;
        }
        let external = self.external(self.graph.type_of(node));
        if self.sets.contains(set, external.0) {
            return;
        }
        let outside = self.sets.intersection(set, self.masks.coverable);
        if self.sets.is_larger(outside, MOST) {
            self.coarsened += 1;
            let after = self.sets.with(set, external.0);
            self.graph.update_set(node, after);
        }
    }

    /// Adds an object to a node's set if it can be of the node's type.
    pub(super) fn add(&mut self, object: ObjectId, to: NodeId) {
        let one = self.sets.one(object.0);
        self.flow(one, to);
    }

    /// Adds an edge.
    pub(super) fn edge(&mut self, from: NodeId, to: NodeId) {
        let [from, to] = [from, to].map(|node| self.graph.find(node));
        if self.graph.add_edge(from, to) {
            self.flow(self.graph.set(from), to);
        }
    }

    /// Lets all objects of a node escape.
    pub(super) fn escape(&mut self, node: NodeId) {
        self.edge(node, self.escaping);
    }

    /// Adds a constraint on all objects of a node.
    pub(super) fn constrain(&mut self, node: NodeId, constraint: Constraint) {
        self.pending_constraints.push((node, constraint));
    }

    /// Lets a field of all objects of a node flow to another node.
    pub(super) fn load(&mut self, base: NodeId, field: Field, to: NodeId) {
        self.constrain(base, Constraint::Load { field, to });
    }

    /// Lets a node flow into a field of all objects of another node.
    pub(super) fn store(&mut self, base: NodeId, field: Field, from: NodeId) {
        self.constrain(base, Constraint::Store { field, from });
    }

    /// Returns the number of an object; adds it if it is new.
    pub(super) fn object(&mut self, object: Object) -> ObjectId {
        let before = self.objects.len();
        match self.objects.add(object) {
            Some(id) => {
                if self.objects.len() > before {
                    self.add_to_instances(id);
                }
                id
            }
            None => {
                self.failure = Some(PointsToError::TooManyObjects);
                ObjectId(0)
            }
        }
    }

    /// Returns the external object of a type; for a value class, its value object.
    pub(super) fn external(&mut self, of: TypeId) -> ObjectId {
        let is_value = self.is_value_class(of);
        self.object(if is_value { Object::Value(of) } else { Object::External(of) })
    }

    /// Adds the external object of a type to a node.
    pub(super) fn add_external(&mut self, of: Type, to: NodeId) {
        if let Some(of) = self.types.of(of) {
            let external = self.external(of);
            self.add(external, to);
        }
    }

    /// Whether one object represents all objects of a class: the library table declares it immutable.
    pub(super) fn is_value_class(&self, of: TypeId) -> bool {
        let library = self.library;
        let text = self.types.text(of);
        !text.starts_with('[') && !library.is_interface(text) && library.attributes(text).has(Attribute::Immutable)
    }

    /// Returns the abstract object of exactly this class that a statement allocates.
    pub(super) fn allocate(&mut self, site: Site, of: TypeId) -> ObjectId {
        let is_value = self.is_value_class(of);
        self.object(match is_value {
            true => Object::Value(of),
            false => Object::Made { site, of, exactness: Exactness::Exact, depth: 0 },
        })
    }

    /// Initializes a class and its supertypes: their `<clinit>` methods are reached.
    pub(super) fn initialize(&mut self, class: ClassId) {
        if !self.initialized.insert(class) {
            return;
        }
        for class in self.program.supertypes(class) {
            self.initialized.insert(class);
            let methods = self.program.class(class).methods();
            let initializers =
                methods.filter(|method| self.program.text(self.program.method(*method).name) == "<clinit>");
            initializers.for_each(|method| self.reach(method));
        }
    }

    /// Initializes the program class of this name, if there is one.
    pub(super) fn initialize_named(&mut self, name: Name) {
        if let Some(class) = self.program.named(name) {
            self.initialize(class);
        }
    }

    /// Records that a method can be run.
    pub(super) fn reach(&mut self, method: MethodId) {
        if !std::mem::replace(&mut self.is_reached[method.index()], true) {
            self.pending_methods.push(method);
            self.initialize(self.program.method(method).class);
        }
    }

    /// Returns the nodes of a method's receiver, parameters and result; adds them if they are new.
    pub(super) fn signature(&mut self, method: MethodId) -> &MethodNodes {
        if self.methods[method.index()].is_none() {
            let nodes = self.new_signature(method);
            self.methods[method.index()] = Some(Box::new(nodes));
        }
        self.methods[method.index()].as_ref().expect("it is known now")
    }

    fn new_signature(&mut self, method: MethodId) -> MethodNodes {
        let declared = self.program.method(method);
        let class = self.types.of_class(declared.class);
        let receiver = (!declared.flags.is_static()).then(|| Some(self.graph.add_node(class)));
        let Some(types) = self.program.method_type(declared.descriptor) else {
            return MethodNodes { parameters: receiver.into_iter().collect(), ..MethodNodes::default() };
        };
        let parameters: Vec<Option<NodeId>> = types.parameters.iter().map(|of| self.node_of(*of)).collect();
        let result = types.result.and_then(|of| self.node_of(of));
        MethodNodes { parameters: receiver.into_iter().chain(parameters).collect(), result, variables: Box::default() }
    }

    /// The objects of a set, in order.
    pub(super) fn objects_in(&self, set: SetId) -> Vec<ObjectId> {
        self.sets.elements(set).map(ObjectId).collect()
    }

    /// Whether external code may hold an object: it has escaped, or it is of a kind that external code can have anyway.
    pub(super) fn is_externally_accessible(&self, object: ObjectId) -> bool {
        match self.objects.get(object) {
            Object::Made { .. } | Object::Lambda { .. } | Object::View { .. } => self.has_escaped(object),
            Object::Value(_) | Object::Literal(_) | Object::Class(_) | Object::Handle { .. } | Object::External(_) => {
                true
            }
        }
    }

    /// Whether an object has escaped.
    pub(super) fn has_escaped(&self, object: ObjectId) -> bool {
        self.sets.contains(self.graph.propagated(self.graph.representative(self.escaping)), object.0)
    }

    /// Frees the data that only the solver needs.
    pub(super) fn freeze(&mut self, kept: impl Iterator<Item = SetId>) {
        let sets: Vec<SetId> = self.graph.sets().chain(kept).collect();
        self.sets.keep_only(sets);
        self.graph.freeze();
        self.calls.freeze();
        self.masks = Masks::default();
        self.library_calls = LibraryCalls::default();
        self.lambdas = Lambdas::default();
        self.call_targets = FxHashMap::default();
        self.bounded_targets = FxHashMap::default();
        self.external.freeze();
    }
}
