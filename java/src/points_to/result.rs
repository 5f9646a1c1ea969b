//! The result of the pointer analysis.

use super::call_graph::{CalleesId, DirectCallees};
use super::constraints::Field;
use super::error::PointsToError;
use super::heap::FieldSlot;
use super::mode::Mode;
use super::objects::{Bound, Object, ObjectId, Site};
use super::sets::{SetId, Sets};
use super::state::State;
use super::stores::Store;
use super::types::{Relation, TypeId};
use crate::class_file::{ClassId, FieldId, MethodId};
use crate::ir::{StatementId, Variable};
use crate::library::Library;
use crate::program::Program;
use rustc_hash::{FxHashMap, FxHashSet};

/// The result of the pointer analysis for a whole program: points-to sets, call graph, escaped objects.
pub struct PointsTo<'p> {
    pub(super) state: State<'p>,
    callees: FxHashMap<Site, Callees>,
    callers: FxHashMap<MethodId, Vec<Site>>,
    fields: FxHashMap<ObjectId, Vec<Field>>,
    /// The sets of contents that have no node.
    pub(super) contents: FxHashMap<ObjectId, SetId>,
    statistics: Statistics,
    pub(super) uses: std::sync::OnceLock<super::uses::Uses>,
}

/// The callees of a statement.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Callees {
    /// The methods that the call runs, in order. If `client` is set, the methods that external code calls are not all
    /// listed.
    pub methods: Box<[MethodId]>,
    /// The methods that the library calls back because of the call, before it returns or later, in order.
    pub functions: Box<[MethodId]>,
    /// Whether rows of the library table are run.
    pub rows: bool,
    /// Whether external code may run, which may call all methods that it can call.
    pub client: bool,
    /// Whether code with unknown effects may run.
    pub unknown: bool,
}

/// Sizes of an analysis.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Statistics {
    /// Abstract objects.
    pub objects: usize,
    /// Objects that escape.
    pub escaped: usize,
    /// Methods that can be run.
    pub methods: usize,
    /// Nodes of the constraint graph: variables, fields, and auxiliary nodes.
    pub nodes: usize,
    /// Edges of the constraint graph.
    pub edges: usize,
    /// Constraints.
    pub constraints: usize,
    /// Calls.
    pub calls: usize,
    /// Nodes of the hash-consed sets.
    pub set_nodes: usize,
    /// Rounds through the graph.
    pub rounds: usize,
    /// Methods with damaged code, whose effects are unknown.
    pub damaged: usize,
    /// Handles with unknown targets.
    pub unknown_handles: usize,
}

/// A points-to set.
#[derive(Clone, Copy)]
pub struct ObjectSet<'a> {
    sets: &'a Sets,
    set: SetId,
}

/// The identity of a set: two sets of one analysis are equal if and only if their keys are.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct SetKey(SetId);

impl<'a> ObjectSet<'a> {
    /// The identity of the set. Constant time.
    pub fn key(self) -> SetKey {
        SetKey(self.set)
    }

    pub(super) fn id(self) -> SetId {
        self.set
    }

    /// The objects, in order.
    pub fn iter(self) -> impl Iterator<Item = ObjectId> + use<'a> {
        self.sets.elements(self.set).map(ObjectId)
    }

    /// The number of objects. Linear in the nodes of the set.
    pub fn len(self) -> usize {
        self.sets.len(self.set)
    }

    /// Whether the set is empty.
    pub fn is_empty(self) -> bool {
        self.set.is_empty()
    }

    /// Whether an object is in it.
    pub fn contains(self, object: ObjectId) -> bool {
        self.sets.contains(self.set, object.0)
    }

    /// The only object, if there is exactly one.
    pub fn only(self) -> Option<ObjectId> {
        let mut objects = self.iter();
        let first = objects.next();
        first.filter(|_| objects.next().is_none())
    }
}

impl PartialEq for ObjectSet<'_> {
    fn eq(&self, other: &Self) -> bool {
        self.set == other.set
    }
}

impl std::fmt::Debug for ObjectSet<'_> {
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        out.debug_set().entries(self.iter()).finish()
    }
}

impl std::fmt::Debug for PointsTo<'_> {
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        out.debug_struct("PointsTo").field("statistics", &self.statistics).finish_non_exhaustive()
    }
}

impl<'p> PointsTo<'p> {
    /// Analyses a program. Calls `is_cancelled` regularly.
    ///
    /// # Errors
    /// If it was cancelled, or if it would need too much memory.
    pub fn new(
        program: &'p Program,
        library: &'p Library,
        mode: Mode<'p>,
        is_cancelled: &dyn Fn() -> bool,
    ) -> Result<Self, PointsToError> {
        let mut state = State::new(program, library, mode);
        state.add_roots();
        let rounds = state.solve(is_cancelled)?;
        Ok(Self::finish(state, rounds))
    }

    fn finish(mut state: State<'p>, rounds: usize) -> Self {
        let statistics = Statistics {
            objects: state.objects.len(),
            escaped: state.sets.len(state.graph.set(state.graph.representative(state.escaping))),
            methods: state.is_reached.iter().filter(|is_reached| **is_reached).count(),
            nodes: state.graph.len(),
            edges: state.graph.edges(),
            constraints: state.graph.constraints(),
            calls: state.calls.len(),
            set_nodes: 0,
            rounds,
            damaged: state.damaged,
            unknown_handles: state.stores.unknown_handles,
        };
        let contents = contents_without_nodes(&mut state);
        state.freeze(contents.values().copied());
        let callees = all_callees(&state);
        let statistics = Statistics { set_nodes: state.sets.nodes(), ..statistics };
        let mut fields: FxHashMap<ObjectId, Vec<Field>> = FxHashMap::default();
        for (object, field, _) in state.heap.all_own() {
            fields.entry(object).or_default().push(field);
        }
        fields.values_mut().for_each(|fields| fields.sort_unstable());
        Self {
            callers: callers(&callees),
            callees,
            fields,
            contents,
            statistics,
            uses: std::sync::OnceLock::new(),
            state,
        }
    }

    /// The program.
    pub fn program(&self) -> &'p Program {
        self.state.program
    }

    /// Who calls the program.
    pub fn mode(&self) -> Mode<'p> {
        self.state.mode
    }

    /// The sizes of the analysis.
    pub fn statistics(&self) -> Statistics {
        self.statistics
    }

    fn set(&self, set: SetId) -> ObjectSet<'_> {
        ObjectSet { sets: &self.state.sets, set }
    }

    pub(super) fn set_of(&self, node: Option<super::constraints::NodeId>) -> ObjectSet<'_> {
        let set = node.map(|node| self.state.graph.set(self.state.graph.representative(node)));
        self.set(set.unwrap_or_default())
    }

    /// The points-to set of a variable; empty if it is a number, or if its method is not reached.
    pub fn variable(&self, method: MethodId, variable: Variable) -> ObjectSet<'_> {
        let nodes = self.state.methods[method.index()].as_ref();
        self.set_of(nodes.and_then(|nodes| nodes.variables.get(variable.index()).copied().flatten()))
    }

    /// The number of variables of a method.
    pub(super) fn variables_of(&self, method: MethodId) -> u32 {
        let nodes = self.state.methods[method.index()].as_ref();
        nodes.map_or(0, |nodes| u32::try_from(nodes.variables.len()).expect("variables have numbers"))
    }

    /// The points-to set of a method's result.
    pub fn result(&self, method: MethodId) -> ObjectSet<'_> {
        self.set_of(self.state.methods[method.index()].as_ref().and_then(|nodes| nodes.result))
    }

    /// The points-to set of a parameter; of an instance method, the receiver is parameter 0.
    pub fn parameter(&self, method: MethodId, place: usize) -> ObjectSet<'_> {
        let nodes = self.state.methods[method.index()].as_ref();
        self.set_of(nodes.and_then(|nodes| nodes.parameters.get(place).copied().flatten()))
    }

    /// The points-to set of a field of an object.
    pub fn field(&self, object: ObjectId, field: Field) -> ObjectSet<'_> {
        let state = &self.state;
        match (state.objects.get(object), field) {
            (Object::View { base, .. }, Field::Content) => self.field(*base, field),
            (_, Field::Content) if self.contents.contains_key(&object) => self.set(self.contents[&object]),
            (_, Field::Declared(declared)) if state.is_externally_accessible(object) => {
                self.set_of(state.heap.shared(declared))
            }
            _ => self.set_of(state.heap.own(object, field)),
        }
    }

    /// The fields of an object whose points-to sets are not empty, in order.
    pub fn fields(&self, object: ObjectId) -> Vec<Field> {
        let state = &self.state;
        let mut fields = self.fields.get(&object).cloned().unwrap_or_default();
        let has_content = matches!(state.objects.get(object), Object::View { .. });
        fields.extend((has_content || self.contents.contains_key(&object)).then_some(Field::Content));
        if let Some(class) =
            state.types.class(state.objects.type_of(object)).filter(|_| state.is_externally_accessible(object))
        {
            let declared = state.program.superclasses(class).flat_map(|class| state.program.class(class).fields());
            fields.extend(declared.map(Field::Declared));
        }
        fields.retain(|field| !self.field(object, *field).is_empty());
        fields.sort_unstable();
        fields.dedup();
        fields
    }

    /// All objects that are reached from an object by fields, itself included, in order.
    pub fn reachable(&self, object: ObjectId) -> Vec<ObjectId> {
        let mut found = vec![object];
        let mut known: FxHashSet<ObjectId> = [object].into_iter().collect();
        let mut done = 0;
        while let Some(next) = found.get(done).copied() {
            done += 1;
            for field in self.fields(next) {
                found.extend(self.field(next, field).iter().filter(|object| known.insert(*object)));
            }
        }
        found.sort_unstable();
        found
    }

    /// The points-to set of a static field.
    pub fn static_field(&self, field: FieldId) -> ObjectSet<'_> {
        self.set_of(self.state.heap.of_static(field))
    }

    /// The callees of a statement; none if it is no call, or if its method is not reached.
    pub fn callees(&self, method: MethodId, statement: StatementId) -> Option<&Callees> {
        self.callees.get(&Site { method, statement })
    }

    /// The statements whose calls run a method, in order. External code may call it as well.
    pub fn callers(&self, method: MethodId) -> &[Site] {
        self.callers.get(&method).map_or(&[], Vec::as_slice)
    }

    /// Whether a method can be run.
    pub fn is_reached(&self, method: MethodId) -> bool {
        self.state.is_reached[method.index()]
    }

    /// Whether external code can get an object. Always true for external objects, values, literals, class objects and
    /// handles.
    pub fn escapes(&self, object: ObjectId) -> bool {
        self.state.is_externally_accessible(object)
    }

    /// An abstract object.
    pub fn object(&self, id: ObjectId) -> &Object {
        self.state.objects.get(id)
    }

    /// The methods of an object whose class is not known exactly, if the program has its type: those of a view, or of
    /// an object that a row makes.
    pub fn bound(&self, object: ObjectId) -> Option<Bound> {
        self.state.bound(object)
    }

    /// The number of an abstract object, if the analysis has it.
    pub fn find(&self, object: &Object) -> Option<ObjectId> {
        self.state.objects.find(object)
    }

    /// All abstract objects.
    pub fn objects(&self) -> impl ExactSizeIterator<Item = (ObjectId, &Object)> {
        self.state.objects.all()
    }

    /// The abstract objects whose type is the class, and the external ones that may be of it.
    pub fn objects_of(&self, class: ClassId) -> Vec<ObjectId> {
        let Some(of) = self.type_of(class) else { return Vec::new() };
        let state = &self.state;
        let is_meant = |(id, object): &(ObjectId, &Object)| match object {
            Object::External(bound) => state.types.is_compatible(*bound, of),
            _ => state.objects.type_of(*id) == of,
        };
        state.objects.all().filter(is_meant).map(|(id, _)| id).collect()
    }

    /// The type of an abstract object: its class, or a type that it has.
    pub fn type_of_object(&self, object: ObjectId) -> TypeId {
        self.state.objects.type_of(object)
    }

    /// The type of a class, if the analysis has used it.
    pub fn type_of(&self, class: ClassId) -> Option<TypeId> {
        self.state.types.find(self.state.program.text(self.state.program.class(class).name))
    }

    /// The type of a name (`java/util/Map$Entry`) or an array descriptor, if the analysis has used it.
    pub fn type_named(&self, text: &str) -> Option<TypeId> {
        self.state.types.find(text)
    }

    /// Whether objects of one type may be objects of another; `false` is certain.
    pub fn is_subtype(&self, of: TypeId, to: TypeId) -> bool {
        self.state.types.relation(of, to) != Relation::No
    }

    /// The program class of a type, if it is one.
    pub fn class_of(&self, of: TypeId) -> Option<ClassId> {
        self.state.types.class(of)
    }

    /// The name of a class, or the descriptor of an array.
    pub fn type_name(&self, of: TypeId) -> &str {
        self.state.types.text(of)
    }

    /// Whether an object may be of a type.
    pub fn may_be(&self, object: ObjectId, of: TypeId) -> bool {
        self.state.may_be(object, of)
    }

    /// Whether two sets may have a concrete object in common: they share an abstract object, or an external object of
    /// one may represent an object of the other.
    pub fn may_meet(&self, one: ObjectSet<'_>, other: ObjectSet<'_>) -> bool {
        let has_external = |set: ObjectSet<'_>, other: ObjectSet<'_>| {
            let outside = set.iter().filter(|object| self.represents_others(*object));
            outside.into_iter().any(|object| other.iter().any(|other| self.may_be_same(object, other)))
        };
        self.state.sets.intersects(one.set, other.set) || has_external(one, other) || has_external(other, one)
    }

    /// The objects of a set without those that escape and that an external object of the set may represent. These are
    /// objects of the library, arrays and views of such; all others are left out of sets already. Quadratic in the
    /// worst case.
    pub fn without_covered(&self, set: ObjectSet<'_>) -> Vec<ObjectId> {
        let is_external = |object: &ObjectId| matches!(self.object(*object), Object::External(_));
        let external: Vec<TypeId> =
            set.iter().filter(is_external).map(|object| self.state.objects.type_of(object)).collect();
        let is_covered = |object: ObjectId| external.iter().any(|of| self.state.may_be(object, *of));
        set.iter().filter(|object| is_external(object) || !self.escapes(*object) || !is_covered(*object)).collect()
    }

    /// Whether an abstract object may represent concrete objects that others may represent, too.
    fn represents_others(&self, object: ObjectId) -> bool {
        matches!(self.object(object), Object::External(_) | Object::Value(_))
    }

    fn may_be_same(&self, open: ObjectId, other: ObjectId) -> bool {
        self.escapes(other) && self.state.may_be(other, self.state.objects.type_of(open))
    }

    /// The statements of reached methods that write a field.
    pub fn stores(&self, field: FieldId) -> &[Store] {
        self.state.stores.of(field)
    }

    /// Whether a statement of a reached method, or a handle, may write a field after the initialization of its object
    /// or class.
    pub fn is_written(&self, field: FieldId) -> bool {
        self.state.stores.has_handle(field) || self.stores(field).iter().any(|store| !store.initializes)
    }

    /// Whether a field is written only while its object (of a static field: its class) is initialized: by no other
    /// method, no handle and no client.
    pub fn assigned_once(&self, field: FieldId) -> bool {
        let state = &self.state;
        !state.mode.is_writable(state.program, field)
            && !state.stores.has_handle(field)
            && self.stores(field).iter().all(|store| store.initializes)
    }
}

/// Returns the sets of contents that have no node: those of external objects, and of escaped containers that the
/// program does not use.
fn contents_without_nodes(state: &mut State<'_>) -> FxHashMap<ObjectId, SetId> {
    let mut contents = FxHashMap::default();
    let mut index = 0;
    // This can add external objects for the elements of contents, which are visited in turn.
    while index < state.objects.len() {
        let object = ObjectId(u32::try_from(index).expect("it is an object's number"));
        index += 1;
        if let Some(of) = external_content(state, object) {
            let external = state.external(of);
            contents.insert(object, state.sets.one(external.0));
        }
    }
    contents
}

/// Returns the type of the external objects in a content that has no node, if there are any.
fn external_content(state: &mut State<'_>, object: ObjectId) -> Option<TypeId> {
    match state.objects.get(object) {
        Object::External(_) => match state.slot(object, Field::Content) {
            FieldSlot::External(of) => Some(of),
            FieldSlot::Node(_) | FieldSlot::Value(_) | FieldSlot::Nothing => None,
        },
        Object::Made { of, .. } if state.has_escaped(object) && state.heap.own(object, Field::Content).is_none() => {
            let is_container = |of: &TypeId| *of != TypeId::OBJECT && state.types.is_library(*of);
            match state.types.is_array(*of) {
                true => state.types.element(*of),
                false => state.types.supertypes(*of).iter().any(is_container).then_some(TypeId::OBJECT),
            }
        }
        _ => None,
    }
}

fn all_callees(state: &State<'_>) -> FxHashMap<Site, Callees> {
    state.calls.sites().map(|(site, id)| (site, callees(state, id))).collect()
}

/// Returns all callees of a call, with those of its delegates.
fn callees(state: &State<'_>, id: CalleesId) -> Callees {
    let own = state.calls.callees(id);
    let mut all = Callees { rows: own.rows, client: own.client, unknown: own.unknown, ..Callees::default() };
    let (methods, more) = with_delegates(state, &own.methods, &own.delegates, &mut all);
    let (functions, even_more) = with_delegates(state, &own.functions, &own.function_delegates, &mut all);
    all.methods = sorted(methods);
    all.functions = sorted(functions.into_iter().chain(more).chain(even_more).collect());
    all
}

/// Adds the callees of the delegates, transitively: returns the methods that are called and those that are called back.
fn with_delegates(
    state: &State<'_>,
    methods: &[MethodId],
    first: &[CalleesId],
    all: &mut Callees,
) -> (Vec<MethodId>, Vec<MethodId>) {
    let (mut methods, mut functions) = (methods.to_vec(), Vec::new());
    let mut open: Vec<CalleesId> = first.to_vec();
    let mut known: FxHashSet<CalleesId> = open.iter().copied().collect();
    while let Some(id) = open.pop() {
        let DirectCallees { methods: own, functions: run, delegates, function_delegates, rows, client, unknown } =
            state.calls.callees(id);
        methods.extend(own);
        functions.extend(run);
        all.rows |= rows;
        all.client |= client;
        all.unknown |= unknown;
        open.extend(delegates.iter().chain(function_delegates).filter(|id| known.insert(**id)));
    }
    (methods, functions)
}

fn sorted(mut methods: Vec<MethodId>) -> Box<[MethodId]> {
    methods.sort_unstable();
    methods.dedup();
    methods.into()
}

fn callers(callees: &FxHashMap<Site, Callees>) -> FxHashMap<MethodId, Vec<Site>> {
    let mut callers: FxHashMap<MethodId, Vec<Site>> = FxHashMap::default();
    for (site, found) in callees {
        for method in found.methods.iter().chain(&found.functions) {
            callers.entry(*method).or_default().push(*site);
        }
    }
    for sites in callers.values_mut() {
        sites.sort_unstable();
        sites.dedup();
    }
    callers
}
