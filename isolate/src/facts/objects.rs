//! Abstract objects of the pointer analysis, as the interpreter sees them: their kinds, whether they are followed and
//! by which class, and the methods that calls on them run.
//!
//! **Invariant.** An abstract object that may represent a followed object is in one of the alias classes that
//! [`Regions`](super::regions::Regions) finds for it. An external object represents each object of its type that
//! escapes, so it belongs to the alias class of the topmost program superclass of its possible classes.

use super::heap::Heap;
use crate::Rule;
use java::ir::{Operation, StatementId};
use java::library::{Action, Attribute, Source, Subject};
use java::points_to::{Field, Object, ObjectId, TypeId};
use java::{ClassId, FieldId, HandleKind, Member, MethodId, Name, Program, Type};
use std::sync::Arc;

/// A followed abstract object; for external ones, with the topmost program class.
pub(crate) struct Followed {
    pub(crate) object: ObjectId,
    pub(crate) root: Option<ClassId>,
}

/// The kind of an abstract object.
#[derive(Clone, Copy, Debug)]
pub(crate) enum ObjectKind<'p> {
    /// An object of exactly this program class, allocated by a statement.
    Program(ClassId),
    /// A library object allocated by a statement.
    Library(&'p str),
    /// An array allocated by a statement.
    Array,
    /// A lambda.
    Lambda,
    /// Any object of this type that clients hold.
    External(TypeId),
    /// A view: another object, of this type, with the content of an object.
    View(ObjectId, &'p str),
    /// A class object; none if the program does not name the class.
    Class(Option<Name>),
    /// A string constant.
    Literal(Name),
    /// A library object whose identity does not matter.
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
    /// The kind of an abstract object.
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

    /// Whether an object is external and of a universal type.
    pub(crate) fn is_universal(&self, object: ObjectId) -> bool {
        let ObjectKind::External(of) = self.kind_of(object) else { return false };
        self.is_universal_text(self.points.type_name(of))
    }

    /// Whether an object is of a class of `java.util.concurrent`, whose single operations are atomic and happen before
    /// the operations that see their effect.
    pub(crate) fn is_concurrent(&self, object: ObjectId) -> bool {
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

    /// The pointer analysis's number of a type, if it has met the type.
    pub(crate) fn type_id(&self, of: Type) -> Option<TypeId> {
        match of {
            Type::Class(name) | Type::Array(name) => self.points.type_named(self.program.text(name)),
            _ => None,
        }
    }

    /// The abstract objects of exactly this class, and the external object of its type.
    pub(crate) fn objects_of(&self, class: ClassId) -> Vec<ObjectId> {
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

    /// The program classes such that an object of the class, or of an extending class, may be of a type; sorted. None
    /// for universal types.
    ///
    /// For a program type, these are its supertypes and subtypes; for an interface, also the supertypes of the
    /// subtypes, as an object of a class that does not implement the interface may be of an extending class that does.
    /// For another type, these are the supertypes of all classes that may extend it.
    pub(crate) fn classes_of(&self, of: TypeId) -> Arc<[ClassId]> {
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

    /// Whether a program class may extend or implement a type. A class that the pointer analysis has not met may be of
    /// all types.
    fn may_extend(&self, class: ClassId, of: TypeId) -> bool {
        self.points.type_of(class).is_none_or(|class| self.points.is_subtype(class, of))
    }

    /// Whether an object of exactly this class may be of a type that is not universal.
    pub(crate) fn fits(&self, class: ClassId, of: TypeId) -> bool {
        !self.is_universal_text(self.points.type_name(of)) && self.may_extend(class, of)
    }

    /// The followed objects that an abstract object stands for; none if it never changes. A view is followed as the
    /// object that it views.
    pub(crate) fn followed(&self, object: ObjectId) -> Vec<Followed> {
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

    /// Immutable library objects are not followed.
    fn followed_library(&self, object: ObjectId, class: &str) -> Vec<Followed> {
        let attributes = self.library.attributes(class);
        let is_changing = !attributes.has(Attribute::Immutable) && !attributes.has(Attribute::Handle);
        is_changing.then_some(Followed { object, root: None }).into_iter().collect()
    }

    /// The topmost program class of an escaping object.
    pub(super) fn escaped_root(&self, object: ObjectId) -> Option<ClassId> {
        match self.kind_of(object) {
            ObjectKind::Program(class) if self.points.escapes(object) => Some(self.root(class)),
            _ => None,
        }
    }

    /// Whether an object is of a type of locks, but may not exclude: an unknown side of a read-write lock, a lock of
    /// clients that may be one, or a stamped lock, which has no owner, that clients may unlock.
    pub(super) fn may_not_exclude(&self, object: ObjectId) -> bool {
        let (class, is_outside) = match self.kind_of(object) {
            ObjectKind::View(..) => return true,
            ObjectKind::External(of) => (self.points.type_name(of), true),
            ObjectKind::Library(class) => (class, self.points.escapes(object)),
            _ => return false,
        };
        match class.strip_prefix("java/util/concurrent/locks/") {
            Some("ReentrantReadWriteLock$ReadLock") => is_outside,
            Some("Lock" | "StampedLock") => is_outside && !self.modality.omits(Rule::GivenLocks),
            _ => false,
        }
    }

    /// The external object of a type; without one, the escaping objects of the type.
    pub(crate) fn external(&self, of: Type) -> Vec<ObjectId> {
        let Some(of) = self.type_id(of) else { return Vec::new() };
        match self.points.find(&Object::External(of)) {
            Some(external) => vec![external],
            // The program gets no such object from clients, but an escaping object may be of the type.
            None => self.returned_by_clients_of(of).to_vec(),
        }
    }

    /// Functions and program objects that clients get and may pass back by a type.
    pub(crate) fn returned_by_clients(&self, of: &str) -> Arc<[ObjectId]> {
        self.points.type_named(of).map(|of| self.returned_by_clients_of(of)).unwrap_or_default()
    }

    fn returned_by_clients_of(&self, of: TypeId) -> Arc<[ObjectId]> {
        self.shared.returned_by_clients.get_or_find(of, || {
            self.escaping().iter().copied().filter(|object| self.points.may_be(*object, of)).collect()
        })
    }

    /// The library class whose rows apply to an object; none for arrays, values and program objects.
    pub(crate) fn library_class(&self, object: ObjectId) -> Option<&'p str> {
        match self.kind_of(object) {
            ObjectKind::Library(class) | ObjectKind::View(_, class) => Some(class),
            ObjectKind::External(of) if self.points.class_of(of).is_none() => Some(self.points.type_name(of)),
            ObjectKind::Program(_) | ObjectKind::External(_) | ObjectKind::Lambda | ObjectKind::Array => None,
            ObjectKind::Class(_) | ObjectKind::Literal(_) | ObjectKind::Value(_) => None,
        }
    }

    /// Whether an object is a library object or an array.
    pub(crate) fn is_of_library(&self, object: ObjectId) -> bool {
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
    pub(crate) fn is_array(&self, object: ObjectId) -> bool {
        match self.kind_of(object) {
            ObjectKind::Array => true,
            ObjectKind::External(of) => self.points.type_name(of).starts_with('['),
            _ => false,
        }
    }

    /// All fields of these objects that may hold references, including fields of subclasses for external objects.
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

    /// The unchanging fields of reference type of these objects.
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

    /// The class of these objects, if all are of exactly the same program class.
    pub(super) fn only_class(&self, objects: &[ObjectId]) -> Option<ClassId> {
        let class = |object: &ObjectId| match self.kind_of(*object) {
            ObjectKind::Program(class) => Some(class),
            _ => None,
        };
        let first = class(objects.first()?)?;
        objects.iter().all(|object| class(object) == Some(first)).then_some(first)
    }

    /// The objects that may be of a type. An external object of a more general type is replaced by the external object
    /// of this type, if there is one.
    pub(crate) fn narrowed(&self, objects: &[ObjectId], of: Type) -> Vec<ObjectId> {
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

    /// Whether a call of a method of this name may run a lambda's code: it is the method that the lambda implements, or
    /// possibly a default method of its program interface that calls it.
    pub(crate) fn may_run(&self, lambda: ObjectId, called: &str) -> bool {
        const OF_ALL: [&str; 3] = ["equals", "hashCode", "toString"];
        match self.points.object(lambda) {
            Object::Lambda { name, of, .. } => {
                let is_given = self.points.class_of(*of).is_some();
                self.program.text(*name) == called || (is_given && !OF_ALL.contains(&called))
            }
            _ => false,
        }
    }

    /// The number of values that a lambda has captured.
    pub(crate) fn captured_count(&self, lambda: ObjectId) -> u16 {
        let Some(site) = self.points.object(lambda).site() else { return 0 };
        let count = self.body(site.method).and_then(|body| match &body.statement(site.statement).operation {
            Operation::InvokeDynamic { arguments, .. } => Some(arguments.len()),
            _ => None,
        });
        u16::try_from(count.unwrap_or(0)).unwrap_or(u16::MAX)
    }

    /// The program methods that a method may call, directly or by way of the library, sorted.
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

    /// The program methods with code that a lambda or method reference may run.
    pub(crate) fn methods_of_reference(&self, kind: HandleKind, member: Member) -> Vec<MethodId> {
        let program = self.program;
        let Some(resolved) = program.resolve_method(member).found() else { return Vec::new() };
        let is_virtual = matches!(kind, HandleKind::InvokeVirtual | HandleKind::InvokeInterface);
        let mut methods = if is_virtual { program.overriders(resolved).methods.clone() } else { Vec::new() };
        // A function may also run a default or private method of its interface.
        if !methods.contains(&resolved) {
            methods.push(resolved);
        }
        methods.into_iter().filter(|method| program.method(*method).has_code()).collect()
    }

    /// The methods that clients can call on an object whose class they cannot name: public ones, by types that they can
    /// name.
    pub(crate) fn callable_on(&self, class: ClassId) -> Vec<MethodId> {
        let program = self.program;
        let is_callable = |method: &MethodId| {
            let declared = program.method(*method);
            let is_it = declared.has_code() && declared.flags.is_public() && !declared.flags.is_static();
            is_it && !program.text(declared.name).starts_with('<') && self.is_selected(class, *method)
        };
        program.supertypes(class).into_iter().flat_map(|of| program.class(of).methods()).filter(is_callable).collect()
    }

    /// Whether dispatch on exactly this class selects the method.
    fn is_selected(&self, class: ClassId, method: MethodId) -> bool {
        let declared = self.program.method(method);
        self.program.resolve_in(class, declared.name, declared.descriptor).found() == Some(method)
    }

    /// The methods of this name of a class, including inherited ones; without a name, those by which it is a function.
    pub(crate) fn named_methods(&self, class: ClassId, name: Option<&str>) -> Vec<MethodId> {
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

    /// Adds the methods that library methods of these names call on the same object: `exec` of a recursive task calls
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
