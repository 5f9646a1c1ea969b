//! What the analysis has found.

use super::build::Builder;
use super::calls::named_methods;
use super::escape::{callable_on, is_visible};
use super::fields::{Store, Stores};
use super::objects::{Field, LibraryClass, Object, ObjectId, Objects, Site};
use super::solver::{Graph, Node};
use super::types::narrowed;
use crate::class::{ClassId, FieldId, MethodId};
use crate::descriptor::Type;
use crate::ir::{Bodies, Operation, Variable};
use crate::library::Library;
use crate::program::Program;
use fixedbitset::FixedBitSet;
use rustc_hash::{FxHashMap, FxHashSet};
use std::sync::RwLock;

/// Which objects variables and fields hold, which methods calls run, and what clients get.
#[derive(Debug)]
pub struct PointsTo {
    graph: Graph,
    /// Narrowing an external object may make one that is not there yet.
    objects: RwLock<Objects>,
    stores: Stores,
    variables: FxHashMap<MethodId, Node>,
    fields: FxHashMap<(ObjectId, Field), Node>,
    fields_of: FxHashMap<ObjectId, Vec<Field>>,
    external: FxHashMap<FieldId, Node>,
    statics: FxHashMap<FieldId, Node>,
    external_content: Node,
    escaped: FixedBitSet,
    reached: FxHashSet<MethodId>,
    callees: FxHashMap<MethodId, Vec<MethodId>>,
    captured: FxHashMap<ObjectId, u8>,
    classes: FxHashMap<ClassId, Vec<ObjectId>>,
    is_client: bool,
    visible: FixedBitSet,
}

/// Why there is no result.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PointsToError {
    /// It was cancelled.
    Cancelled,
}

impl std::fmt::Display for PointsToError {
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Cancelled => out.write_str("the pointer analysis was cancelled"),
        }
    }
}

impl std::error::Error for PointsToError {}

impl PointsTo {
    /// Analyses a program that clients use.
    ///
    /// # Errors
    /// If it was cancelled.
    pub fn of_clients(
        program: &Program,
        library: &Library,
        bodies: &Bodies<'_>,
        is_cancelled: &dyn Fn() -> bool,
    ) -> Result<Self, PointsToError> {
        let stores = Stores::new(program, library, bodies, is_cancelled).ok_or(PointsToError::Cancelled)?;
        let mut builder = Builder::new(program, library, bodies, true, stores);
        builder.roots_of_clients();
        builder.solve(is_cancelled)?;
        Ok(Self::of(builder))
    }

    /// Analyses a program that begins at a method.
    ///
    /// # Errors
    /// If it was cancelled.
    pub fn of_main(
        program: &Program,
        library: &Library,
        bodies: &Bodies<'_>,
        main: MethodId,
        is_cancelled: &dyn Fn() -> bool,
    ) -> Result<Self, PointsToError> {
        let stores = Stores::new(program, library, bodies, is_cancelled).ok_or(PointsToError::Cancelled)?;
        let mut builder = Builder::new(program, library, bodies, false, stores);
        builder.root(main, None);
        for (method, declared) in program.methods() {
            if program.text(declared.name) == "<clinit>" {
                builder.reach(method);
            }
        }
        builder.solve(is_cancelled)?;
        Ok(Self::of(builder))
    }

    fn of(builder: Builder<'_>) -> Self {
        let Builder { program, graph, objects, stores, variables, fields, external, statics, .. } = &builder;
        let _ = (graph, stores, variables, external, statics);
        let mut fields_of: FxHashMap<ObjectId, Vec<Field>> = FxHashMap::default();
        for (object, field) in fields.keys() {
            fields_of.entry(*object).or_default().push(*field);
        }
        fields_of.values_mut().for_each(|fields| fields.sort_unstable());
        let mut classes: FxHashMap<ClassId, Vec<ObjectId>> = FxHashMap::default();
        let mut captured = FxHashMap::default();
        for (id, object) in objects.all() {
            if let Some(class) = objects.exact_class(program, id) {
                classes.entry(class).or_default().push(id);
            }
            if let Object::Site(Site { lambda: Some(handle), .. }) = object {
                captured.insert(id, builder.captured(id, *handle));
            }
        }
        let mut visible = FixedBitSet::with_capacity(program.classes().len());
        for (id, _) in program.classes() {
            visible.set(id.index(), is_visible(program, id));
        }
        let callees = builder.callees.iter().map(|(method, callees)| {
            let mut callees: Vec<MethodId> = callees.iter().copied().collect();
            callees.sort_unstable();
            (*method, callees)
        });
        let callees = callees.collect();
        let Builder {
            graph,
            objects,
            stores,
            variables,
            fields,
            external,
            statics,
            external_content,
            escaped,
            reached,
            is_client,
            ..
        } = builder;
        Self {
            graph,
            objects: RwLock::new(objects),
            stores,
            variables,
            fields,
            fields_of,
            external,
            statics,
            external_content,
            escaped,
            reached,
            callees,
            captured,
            classes,
            is_client,
            visible,
        }
    }

    /// What an abstract object is.
    pub fn object(&self, id: ObjectId) -> Object {
        *self.objects.read().unwrap_or_else(std::sync::PoisonError::into_inner).get(id)
    }

    /// The external objects of a type.
    pub fn external(&self, of: Type) -> Vec<ObjectId> {
        let mut objects = self.objects.write().unwrap_or_else(std::sync::PoisonError::into_inner);
        vec![objects.id(Object::External(of))]
    }

    /// The name of a class of the library table.
    pub fn library_class(&self, class: LibraryClass) -> String {
        self.objects.read().unwrap_or_else(std::sync::PoisonError::into_inner).class_name(class).to_string()
    }

    /// What a variable may hold, sorted; nothing of a method that is never run.
    pub fn variable(&self, method: MethodId, variable: Variable) -> Vec<ObjectId> {
        let Some(first) = self.variables.get(&method) else { return Vec::new() };
        let number = u32::try_from(variable.index()).expect("it fits in the body");
        self.graph.objects(Node(first.0 + number))
    }

    /// What a field of an object may hold, sorted.
    pub fn field(&self, object: ObjectId, field: Field) -> Vec<ObjectId> {
        let (object, is_external) = match self.object(object) {
            Object::View(base, _) => (base, self.is_external(base)),
            Object::External(_) => (object, true),
            Object::Site(_) => (object, self.is_external(object)),
            Object::ClassObject(_) | Object::Literal(_) => return Vec::new(),
        };
        let node = match (is_external, field) {
            (true, Field::Real(field)) => self.external.get(&field),
            (true, Field::Content) => Some(&self.external_content),
            (true, Field::Captured(_)) | (false, _) => self.fields.get(&(object, field)),
        };
        node.map(|node| self.graph.objects(*node)).unwrap_or_default()
    }

    fn is_external(&self, object: ObjectId) -> bool {
        matches!(self.object(object), Object::External(_)) || self.escapes(object)
    }

    /// What a static field may hold, sorted.
    pub fn static_field(&self, field: FieldId) -> Vec<ObjectId> {
        self.statics.get(&field).map(|node| self.graph.objects(*node)).unwrap_or_default()
    }

    /// The fields of an object that may hold objects, of those that were accessed.
    pub fn fields_of(&self, program: &Program, object: ObjectId) -> Vec<Field> {
        let mut found = self.fields_of.get(&object).cloned().unwrap_or_default();
        let class = match self.object(object) {
            Object::External(Type::Class(name)) => program.named(name),
            Object::Site(Site { class: Type::Class(name), .. }) if self.escapes(object) => program.named(name),
            Object::View(base, _) => return self.fields_of(program, base),
            _ => None,
        };
        match (class, self.object(object)) {
            (Some(class), _) => {
                let all = program.superclasses(class).chain(program.subtypes(class));
                let real = all.flat_map(|class| program.class(class).fields());
                let instance = real.filter(|field| !program.field(*field).flags.is_static());
                found.extend(instance.filter(|field| self.external.contains_key(field)).map(Field::Real));
            }
            (None, Object::External(_)) => found.push(Field::Content),
            (None, Object::Site(Site { lambda: None, .. })) => found.push(Field::Content),
            _ => {}
        }
        found.sort_unstable();
        found.dedup();
        found
    }

    /// Whether clients get an object.
    pub fn escapes(&self, object: ObjectId) -> bool {
        self.escaped.contains(object.index())
    }

    /// Whether a method may be run.
    pub fn reaches(&self, method: MethodId) -> bool {
        self.reached.contains(&method)
    }

    /// The given methods that a method may call, itself or by way of the library.
    pub fn callees_of(&self, method: MethodId) -> Vec<MethodId> {
        self.callees.get(&method).cloned().unwrap_or_default()
    }

    /// The objects that are made as exactly this class; in client mode also the external objects of its type.
    pub fn objects_of(&self, program: &Program, class: ClassId) -> Vec<ObjectId> {
        let mut found = self.classes.get(&class).cloned().unwrap_or_default();
        let own = Object::External(Type::Class(program.class(class).name));
        let mut objects = self.objects.write().unwrap_or_else(std::sync::PoisonError::into_inner);
        if self.is_client {
            found.push(objects.id(own));
        }
        found
    }

    /// All objects that clients get.
    pub fn escaping(&self) -> Vec<ObjectId> {
        self.escaped.ones().map(|object| ObjectId(u32::try_from(object).expect("it was a number"))).collect()
    }

    /// How many values a lambda has captured.
    pub fn captured(&self, lambda: ObjectId) -> u8 {
        self.captured.get(&lambda).copied().unwrap_or(0)
    }

    /// The objects that may be of a type, external ones narrowed to it.
    pub fn narrowed(&self, program: &Program, library: &Library, objects: &[ObjectId], of: Type) -> Vec<ObjectId> {
        let mut all = self.objects.write().unwrap_or_else(std::sync::PoisonError::into_inner);
        let mut found: Vec<ObjectId> =
            objects.iter().filter_map(|object| narrowed(program, library, &mut all, *object, of)).collect();
        found.sort_unstable();
        found.dedup();
        found
    }

    /// Who assigns a field.
    pub fn stores(&self, field: FieldId) -> &[Store] {
        self.stores.of(field)
    }

    /// Whether a field never changes once its object is made, or its class is initialized.
    pub fn assigned_once(&self, program: &Program, field: FieldId) -> bool {
        let declared = program.field(field);
        let is_open = !declared.flags.is_final()
            && (declared.flags.is_public() || declared.flags.is_protected())
            && self.is_visible(declared.class)
            && self.is_client;
        !self.stores.changes(field) && !is_open
    }

    /// Whether a field is certainly assigned by each constructor: it is final.
    pub fn always_assigned(&self, program: &Program, field: FieldId) -> bool {
        program.field(field).flags.is_final()
    }

    /// Whether clients can name a class.
    pub fn is_visible(&self, class: ClassId) -> bool {
        self.visible.contains(class.index())
    }

    /// The methods that clients can call on an object of a class that they cannot name.
    pub fn callable_on(&self, program: &Program, class: ClassId) -> Vec<MethodId> {
        callable_on(program, class)
    }

    /// The methods of this name of a class; without a name, those by which it is a function.
    pub fn named_methods(
        &self,
        program: &Program,
        library: &Library,
        class: ClassId,
        name: Option<&str>,
    ) -> Vec<MethodId> {
        named_methods(program, library, class, name)
    }

    /// How large the analysis was: objects, nodes, edges, methods.
    pub fn size(&self) -> [usize; 4] {
        let objects = self.objects.read().unwrap_or_else(std::sync::PoisonError::into_inner).len();
        [objects, self.graph.len(), self.graph.edges(), self.reached.len()]
    }

    /// Whether a statement makes an object that is stored in a field of a new object only.
    pub fn is_allocation(operation: &Operation) -> bool {
        matches!(operation, Operation::New(_) | Operation::NewArray(..))
    }
}
