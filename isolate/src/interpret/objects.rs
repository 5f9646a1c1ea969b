//! What abstract objects of the pointer analysis are to the interpreter: which are followed, by which class, and what
//! calls on them run.
//!
//! **Invariant.** An abstract object that may stand for a followed object is in one of the alias classes that
//! [`Regions`](super::regions::Regions) finds for it. An external object stands for each object of its type that
//! escapes, so it belongs to the class of the topmost given superclass of what it may be.

use super::heap::Heap;
use java::ir::{Operation, StatementId};
use java::library::{Action, Attribute, Source, Subject};
use java::points_to::{Field, Object, ObjectId, TypeId};
use java::{ClassId, FieldId, HandleKind, Member, MethodId, Name, Program, Type};
use std::sync::Arc;

/// A followed abstract object; of external ones, the topmost given class.
pub(super) struct Followed {
    pub(super) object: ObjectId,
    pub(super) root: Option<ClassId>,
}

/// What an abstract object is.
#[derive(Clone, Copy, Debug)]
pub(crate) enum ObjectKind<'p> {
    /// An object of exactly this given class, made by a statement.
    Program(ClassId),
    /// An object of the library, made by a statement.
    Library(&'p str),
    /// An array made by a statement.
    Array,
    /// A lambda.
    Lambda,
    /// What clients hold of a type.
    External(TypeId),
    /// Another object with the content of an object, of this type.
    View(ObjectId, &'p str),
    /// A class object; none if the program does not name the class.
    Class(Option<Name>),
    /// A string constant.
    Literal(Name),
    /// An object of the library without an identity that matters.
    Value(&'p str),
}

/// Whether clients can name a class: it is not private, local or anonymous. A nested class that is not public counts as
/// private.
pub(crate) fn is_visible(program: &Program, class: ClassId) -> bool {
    let class = program.class(class);
    !super::scala::is_closure(program.text(class.name))
        && !class.is_anonymous
        && !class.flags.is_synthetic()
        && (class.outer.is_none() || class.flags.is_public())
}

impl<'p> Heap<'p> {
    /// What an abstract object is.
    pub(crate) fn kind_of(&self, object: ObjectId) -> ObjectKind<'p> {
        let points = self.points;
        match points.object(object) {
            Object::Made { of, .. } => match points.class_of(*of) {
                Some(class) => ObjectKind::Program(class),
                None if points.type_name(*of).starts_with('[') => ObjectKind::Array,
                None => ObjectKind::Library(points.type_name(*of)),
            },
            Object::Lambda { .. } => ObjectKind::Lambda,
            Object::External(of) => ObjectKind::External(*of),
            Object::View { base, of } => ObjectKind::View(*base, points.type_name(*of)),
            Object::Class(of) => ObjectKind::Class(self.program.name(points.type_name(*of))),
            Object::Literal(text) => ObjectKind::Literal(*text),
            Object::Value(of) | Object::Handle { of, .. } => ObjectKind::Value(points.type_name(*of)),
        }
    }

    /// Whether an object is one of `java.util.concurrent`, whose single operations are atomic and happen before those
    /// that see what they did.
    pub(super) fn is_concurrent(&self, object: ObjectId) -> bool {
        let text = match self.kind_of(object) {
            ObjectKind::Library(text) | ObjectKind::Value(text) => text,
            ObjectKind::External(of) => self.points.type_name(of),
            ObjectKind::View(base, _) => return self.is_concurrent(base),
            ObjectKind::Program(_)
            | ObjectKind::Array
            | ObjectKind::Lambda
            | ObjectKind::Class(_)
            | ObjectKind::Literal(_) => return false,
        };
        text.starts_with("java/util/concurrent/")
    }

    /// The type of values, if the pointer analysis has met it.
    fn type_id(&self, of: Type) -> Option<TypeId> {
        match of {
            Type::Class(name) | Type::Array(name) => self.points.type_named(self.program.text(name)),
            _ => None,
        }
    }

    /// The abstract objects of exactly this class, and the external ones of its type.
    pub(super) fn objects_of(&self, class: ClassId) -> Vec<ObjectId> {
        let is_own = |object: &ObjectId| match self.kind_of(*object) {
            ObjectKind::External(of) => self.points.class_of(of) == Some(class),
            _ => true,
        };
        self.points.objects_of(class).into_iter().filter(is_own).collect()
    }

    /// All objects that clients get.
    pub(super) fn escaping(&self) -> &'p [ObjectId] {
        self.shared.escaping.get_or_init(|| {
            let is_made = |object: &Object| matches!(object, Object::Made { .. } | Object::Lambda { .. });
            let made = self.points.objects().filter(|(_, object)| is_made(object));
            made.map(|(id, _)| id).filter(|id| self.points.escapes(*id)).collect()
        })
    }

    /// The given classes of which an object, or one of a class that extends them, may be of a type; sorted. None for
    /// universal types.
    ///
    /// Of a given type, these are its supertypes and its subtypes; of an interface, the supertypes of these, too, as an
    /// object of a class that does not implement it may be of one that does. Of another type they are the supertypes of
    /// all classes that may extend it.
    pub(super) fn classes_of(&self, of: TypeId) -> Arc<[ClassId]> {
        self.shared.classes_of.get_or_find(of, || {
            if self.is_universal_text(self.points.type_name(of)) {
                return Vec::new();
            }
            let program = self.program;
            let all = |classes: Vec<ClassId>| classes.into_iter().flat_map(|class| program.supertypes(class));
            let mut found: Vec<ClassId> = match self.points.class_of(of) {
                Some(of) if program.class(of).flags.is_interface() => all(program.subtypes(of)).collect(),
                Some(of) => program.subtypes(of).into_iter().chain(program.supertypes(of)).collect(),
                None => {
                    let classes = program.classes().map(|(class, _)| class);
                    all(classes.filter(|class| self.may_extend(*class, of)).collect()).collect()
                }
            };
            found.sort_unstable();
            found.dedup();
            found
        })
    }

    /// Whether a given class may extend or implement a type; a class that the pointer analysis has not met is of all
    /// types.
    fn may_extend(&self, class: ClassId, of: TypeId) -> bool {
        self.points.type_of(class).is_none_or(|class| self.points.is_subtype(class, of))
    }

    /// Whether an object of exactly this class may be of a type that is not universal.
    pub(super) fn fits(&self, class: ClassId, of: TypeId) -> bool {
        !self.is_universal_text(self.points.type_name(of)) && self.may_extend(class, of)
    }

    /// Whether an object is worth following: what class it is, and whether it may change. Views are followed as what
    /// they are views of.
    pub(super) fn followed(&self, object: ObjectId) -> Vec<Followed> {
        match self.kind_of(object) {
            ObjectKind::Class(_) | ObjectKind::Literal(_) | ObjectKind::Value(_) => Vec::new(),
            ObjectKind::View(base, _) => self.followed(base),
            ObjectKind::External(of) => self.followed_external(object, of),
            ObjectKind::Program(class) => {
                let root = self.points.escapes(object).then(|| self.root(class));
                vec![Followed { object, root }]
            }
            ObjectKind::Library(class) => self.followed_library(object, class),
            ObjectKind::Array | ObjectKind::Lambda => vec![Followed { object, root: None }],
        }
    }

    fn followed_external(&self, object: ObjectId, of: TypeId) -> Vec<Followed> {
        let text = self.points.type_name(of);
        if self.is_universal_text(text) {
            return Vec::new();
        }
        let Some(class) = self.points.class_of(of) else {
            return match text.starts_with('[') {
                true => vec![Followed { object, root: None }],
                false => self.followed_library(object, text),
            };
        };
        let is_interface = |class: ClassId| self.program.class(class).flags.is_interface();
        if !is_interface(class) {
            return vec![Followed { object, root: Some(self.root(class)) }];
        }
        let classes = self.program.subtypes(class).into_iter().filter(|class| !is_interface(*class));
        let mut roots: Vec<ClassId> = classes.map(|class| self.root(class)).collect();
        roots.sort_unstable();
        roots.dedup();
        roots.into_iter().map(|root| Followed { object, root: Some(root) }).collect()
    }

    /// Objects of the library that never change are not followed.
    fn followed_library(&self, object: ObjectId, class: &str) -> Vec<Followed> {
        let attributes = self.library.attributes(class);
        let is_changing = !attributes.has(Attribute::Immutable) && !attributes.has(Attribute::Handle);
        is_changing.then_some(Followed { object, root: None }).into_iter().collect()
    }

    /// The topmost given class of an object that escapes.
    pub(super) fn escaped_root(&self, object: ObjectId) -> Option<ClassId> {
        match self.kind_of(object) {
            ObjectKind::Program(class) if self.points.escapes(object) => Some(self.root(class)),
            _ => None,
        }
    }

    /// Whether an object may be a side of a read-write lock: which one is not known.
    pub(super) fn is_side(&self, object: ObjectId) -> bool {
        matches!(self.kind_of(object), ObjectKind::View(..))
    }

    /// The external object of a type.
    pub(super) fn external(&self, of: Type) -> Vec<ObjectId> {
        let Some(of) = self.type_id(of) else { return Vec::new() };
        match self.points.find(&Object::External(of)) {
            Some(external) => vec![external],
            // Nobody has got such an object from clients; what escapes may still be one.
            None => self.returned_by_clients_of(of).to_vec(),
        }
    }

    /// Functions and objects of given classes that clients get, and may give back by a type.
    pub(super) fn returned_by_clients(&self, of: &str) -> Arc<[ObjectId]> {
        self.points.type_named(of).map(|of| self.returned_by_clients_of(of)).unwrap_or_default()
    }

    fn returned_by_clients_of(&self, of: TypeId) -> Arc<[ObjectId]> {
        self.shared.returned_by_clients.get_or_find(of, || {
            self.escaping().iter().copied().filter(|object| self.points.may_be(*object, of)).collect()
        })
    }

    /// The class of the library whose rows hold for an object; none of arrays, values and what is given.
    pub(super) fn library_class(&self, object: ObjectId) -> Option<&'p str> {
        match self.kind_of(object) {
            ObjectKind::Library(class) | ObjectKind::View(_, class) => Some(class),
            ObjectKind::External(of) if self.points.class_of(of).is_none() => Some(self.points.type_name(of)),
            ObjectKind::Program(_) | ObjectKind::External(_) | ObjectKind::Lambda | ObjectKind::Array => None,
            ObjectKind::Class(_) | ObjectKind::Literal(_) | ObjectKind::Value(_) => None,
        }
    }

    /// Whether an object is of the library, or an array.
    pub(super) fn is_of_library(&self, object: ObjectId) -> bool {
        match self.kind_of(object) {
            ObjectKind::Library(_) | ObjectKind::Array | ObjectKind::View(..) => true,
            ObjectKind::External(of) => self.points.class_of(of).is_none(),
            ObjectKind::Program(_)
            | ObjectKind::Lambda
            | ObjectKind::Class(_)
            | ObjectKind::Literal(_)
            | ObjectKind::Value(_) => false,
        }
    }

    /// Whether an object is an array.
    pub(super) fn is_array(&self, object: ObjectId) -> bool {
        match self.kind_of(object) {
            ObjectKind::Array => true,
            ObjectKind::External(of) => self.points.type_name(of).starts_with('['),
            _ => false,
        }
    }

    /// All fields of some objects that may hold references. An external object may be of a subclass of its class, so
    /// the fields of these count, too.
    pub(super) fn fields_of(&self, objects: &[ObjectId]) -> Vec<(ObjectId, Field)> {
        let mut found = Vec::new();
        for object in objects {
            let mut fields = self.points.fields(*object);
            if let ObjectKind::External(of) = self.kind_of(*object)
                && let Some(class) = self.points.class_of(of)
            {
                fields.extend(self.fields_of_subclasses(*object, class));
                fields.sort_unstable();
                fields.dedup();
            }
            found.extend(fields.into_iter().map(|field| (*object, field)));
        }
        found
    }

    fn fields_of_subclasses(&self, object: ObjectId, class: ClassId) -> Vec<Field> {
        let subclasses = self.program.subtypes(class).into_iter();
        let declared = subclasses.flat_map(|class| self.program.class(class).fields());
        let instance = declared.filter(|field| !self.program.field(*field).flags.is_static()).map(Field::Declared);
        instance.filter(|field| !self.points.field(object, *field).is_empty()).collect()
    }

    /// The unchanging fields that hold objects, of some abstract objects.
    pub(super) fn unchanging_fields_of(&self, objects: &[ObjectId]) -> Vec<FieldId> {
        let class = |object: &ObjectId| match self.kind_of(*object) {
            ObjectKind::Program(class) => Some(class),
            ObjectKind::External(of) => self.points.class_of(of),
            _ => None,
        };
        let mut fields: Vec<FieldId> =
            objects.iter().filter_map(class).flat_map(|class| self.unchanging_fields(class)).collect();
        fields.sort_unstable();
        fields.dedup();
        fields
    }

    /// The class of some objects, if they all are of the same given class, exactly.
    pub(super) fn only_class(&self, objects: &[ObjectId]) -> Option<ClassId> {
        let class = |object: &ObjectId| match self.kind_of(*object) {
            ObjectKind::Program(class) => Some(class),
            _ => None,
        };
        let first = class(objects.first()?)?;
        objects.iter().all(|object| class(object) == Some(first)).then_some(first)
    }

    /// The objects that may be of a type. An external one of a more general type is the one of this type, if there is
    /// one.
    pub(super) fn narrowed(&self, objects: &[ObjectId], of: Type) -> Vec<ObjectId> {
        let Some(to) = self.type_id(of) else { return objects.to_vec() };
        let possible = objects.iter().copied().filter(|object| self.points.may_be(*object, to));
        let mut found: Vec<ObjectId> = possible
            .map(|object| match self.kind_of(object) {
                ObjectKind::External(of) if !self.points.is_subtype(of, to) => {
                    self.points.find(&Object::External(to)).unwrap_or(object)
                }
                _ => object,
            })
            .collect();
        found.sort_unstable();
        found.dedup();
        found
    }

    /// Whether a call of a method of this name may run what a lambda does: it is the one that the lambda implements, or
    /// perhaps a default method of its interface, which is given, and calls that one.
    pub(super) fn may_run(&self, lambda: ObjectId, called: &str) -> bool {
        const OF_ALL: [&str; 3] = ["equals", "hashCode", "toString"];
        match self.points.object(lambda) {
            Object::Lambda { name, of, .. } => {
                let is_given = self.points.class_of(*of).is_some();
                self.program.text(*name) == called || (is_given && !OF_ALL.contains(&called))
            }
            _ => false,
        }
    }

    /// How many values a lambda has captured.
    pub(super) fn captured_count(&self, lambda: ObjectId) -> u16 {
        let Some(site) = self.points.object(lambda).site() else { return 0 };
        let count = self.body(site.method).and_then(|body| match &body.statement(site.statement).operation {
            Operation::InvokeDynamic { arguments, .. } => Some(arguments.len()),
            _ => None,
        });
        u16::try_from(count.unwrap_or(0)).unwrap_or(u16::MAX)
    }

    /// The given methods that a method may call, itself or by way of the library, sorted.
    pub(super) fn callees_of(&self, method: MethodId) -> Arc<[MethodId]> {
        self.shared.callees.get_or_find(method, || {
            let Some(body) = self.body(method) else { return Vec::new() };
            let sites = body
                .blocks()
                .flat_map(|(block, of)| (0..).zip(&*of.statements).map(move |(index, _)| StatementId { block, index }));
            let callees = sites.filter_map(|site| self.points.callees(method, site));
            let mut found: Vec<MethodId> =
                callees.flat_map(|callees| callees.methods.iter().chain(&callees.functions).copied()).collect();
            found.sort_unstable();
            found.dedup();
            found
        })
    }

    /// The given methods with code that a lambda or method reference may run.
    pub(super) fn methods_of_reference(&self, kind: HandleKind, member: Member) -> Vec<MethodId> {
        let program = self.program;
        let Some(resolved) = program.resolve_method(member).found() else { return Vec::new() };
        let is_virtual = matches!(kind, HandleKind::InvokeVirtual | HandleKind::InvokeInterface);
        let mut methods = if is_virtual { program.overriders(resolved).methods.clone() } else { Vec::new() };
        // Functions run it, too, if it is a default or private method of their interface.
        if !methods.contains(&resolved) {
            methods.push(resolved);
        }
        methods.into_iter().filter(|method| program.method(*method).has_code()).collect()
    }

    /// The methods that clients can call on an object of a class that they cannot name: public ones, by the types that
    /// they can.
    pub(crate) fn callable_on(&self, class: ClassId) -> Vec<MethodId> {
        let program = self.program;
        let is_callable = |method: &MethodId| {
            let declared = program.method(*method);
            let is_it = declared.has_code() && declared.flags.is_public() && !declared.flags.is_static();
            is_it && !program.text(declared.name).starts_with('<') && self.is_selected(class, *method)
        };
        program.supertypes(class).into_iter().flat_map(|of| program.class(of).methods()).filter(is_callable).collect()
    }

    /// Whether a method is what objects of exactly this class run by its name.
    fn is_selected(&self, class: ClassId, method: MethodId) -> bool {
        let declared = self.program.method(method);
        self.program.resolve_in(class, declared.name, declared.descriptor).found() == Some(method)
    }

    /// The methods of this name of a class, inherited ones included; without a name, those by which it is a function.
    pub(super) fn named_methods(&self, class: ClassId, name: Option<&str>) -> Vec<MethodId> {
        let program = self.program;
        let mut names = match name {
            Some(name) => vec![name],
            None => self.function_names(class),
        };
        self.add_names_called_by_rows(class, &mut names);
        let is_one = |method: &MethodId| {
            let declared = program.method(*method);
            let is_private = declared.flags.is_private() && !program.is_called_to_serialize(*method);
            let is_it = declared.has_code() && !declared.flags.is_static() && !is_private;
            is_it && names.contains(&program.text(declared.name)) && self.is_selected(class, *method)
        };
        program.supertypes(class).into_iter().flat_map(|of| program.class(of).methods()).filter(is_one).collect()
    }

    /// What the library's own methods of these names call on the object is called, too: `exec` of a recursive task is
    /// its `compute`.
    fn add_names_called_by_rows<'n>(&self, class: ClassId, names: &mut Vec<&'n str>)
    where
        'p: 'n,
    {
        let program = self.program;
        let mut outside: Vec<&str> = Vec::new();
        for of in program.supertypes(class) {
            let declared = program.class(of);
            let supertypes = declared.superclass.iter().chain(&declared.interfaces);
            outside.extend(supertypes.filter(|name| program.named(**name).is_none()).map(|name| program.text(*name)));
        }
        let mut done = 0;
        while let Some(name) = names.get(done).copied() {
            done += 1;
            for row in outside.iter().flat_map(|class| self.library.find_all(class, name)) {
                for action in row.actions {
                    if let Action::Calls(call) = action
                        && call.whom == Source::Itself(Subject::This)
                        && let Some(method) = call.method.as_deref()
                        && !names.contains(&method)
                    {
                        names.push(method);
                    }
                }
            }
        }
    }

    /// The names of the methods by which objects of a class are functions.
    fn function_names(&self, class: ClassId) -> Vec<&'p str> {
        let program = self.program;
        let mut names = Vec::new();
        for of in program.supertypes(class) {
            let declared = program.class(of);
            let outside =
                declared.superclass.iter().chain(&declared.interfaces).filter(|name| program.named(**name).is_none());
            names.extend(outside.filter_map(|name| self.library.function(program.text(*name))));
            if declared.flags.is_interface() {
                let mut abstracts = declared.methods().filter(|method| program.method(*method).flags.is_abstract());
                if let (Some(one), None) = (abstracts.next(), abstracts.next()) {
                    names.push(program.text(program.method(one).name));
                }
            }
        }
        names
    }
}
