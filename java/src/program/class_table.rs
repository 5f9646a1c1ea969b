//! The class table: classes, fields and methods by index and by name.

use super::hierarchy::Hierarchy;
use super::origin::Origin;
use super::targets::Targets;
use crate::bytecode::CallSiteId;
use crate::class_file::{
    Class, ClassFile, ClassId, Field, FieldId, Handle, Method, MethodId, MethodType, Name, Names, OriginId, Type,
    TypeTable,
};
use rustc_hash::FxHashMap;
use std::sync::OnceLock;

/// The classes of some files and archives, with their fields and methods.
///
/// A loaded program is immutable and can be shared between threads. Names are
/// interned. Code is stored as in the class files, without debug information other than lines; [`code`](Self::code)
/// decodes it.
///
/// # Examples
///
/// ```no_run
/// use java::{Limits, Program};
///
/// let (program, diagnostics) = Program::load(&["app.jar".into()], &[], &Limits::default());
/// for diagnostic in &diagnostics {
///     eprintln!("{diagnostic}");
/// }
/// for (id, class) in program.classes() {
///     for method in class.methods() {
///         if let Some(code) = program.code(method)? {
///             println!("{}: {} instructions", program.method_name(method), code.len());
///         }
///     }
///     assert_eq!(program.named(class.name), Some(id));
/// }
/// # Ok::<(), java::CodeError>(())
/// ```
#[derive(Debug, Default)]
pub struct Program {
    /// A hash of the class files; see [`Program::contents`].
    pub(crate) contents: u128,
    pub(crate) names: Names,
    pub(crate) types: TypeTable,
    pub(crate) classes: Vec<Class>,
    pub(crate) fields: Vec<Field>,
    pub(crate) methods: Vec<Method>,
    pub(crate) origins: Vec<Origin>,
    pub(crate) by_name: FxHashMap<Name, ClassId>,
    pub(crate) hierarchy: Hierarchy,
    pub(crate) methods_by_name: FxHashMap<(ClassId, Name, Name), MethodId>,
    /// The reference methods of call sites: see [`reference_methods`](super::reference_methods).
    pub(crate) references: FxHashMap<(MethodId, CallSiteId), Handle>,
    pub(crate) fields_by_name: FxHashMap<(ClassId, Name, Name), FieldId>,
    /// The possible targets of calls, by method; computed on first use.
    pub(crate) overriders: Vec<OnceLock<Box<Targets>>>,
}

impl Program {
    /// A hash of the contents, the places and the roles of all class files, in the order of loading. Programs with the
    /// same hash are the same; the hash may change with the version of this library.
    pub fn contents(&self) -> u128 {
        self.contents
    }

    /// The text of a name.
    pub fn text(&self, name: Name) -> &str {
        self.names.text(name)
    }

    /// The name of a text, if the text occurs in the program.
    pub fn name(&self, text: &str) -> Option<Name> {
        self.names.find(text)
    }

    /// All classes in the order of loading.
    pub fn classes(&self) -> impl ExactSizeIterator<Item = (ClassId, &Class)> {
        self.classes.iter().enumerate().map(|(index, class)| (ClassId::new(index), class))
    }

    /// The class of an index.
    pub fn class(&self, id: ClassId) -> &Class {
        &self.classes[id.index()]
    }

    /// The field of an index.
    pub fn field(&self, id: FieldId) -> &Field {
        &self.fields[id.index()]
    }

    /// The method of an index.
    pub fn method(&self, id: MethodId) -> &Method {
        &self.methods[id.index()]
    }

    /// All methods of all classes, including reference methods.
    pub fn methods(&self) -> impl ExactSizeIterator<Item = (MethodId, &Method)> {
        self.methods.iter().enumerate().map(|(index, method)| (MethodId::new(index), method))
    }

    /// The class with this name, `java/util/Map$Entry`; none if it was not loaded.
    pub fn named(&self, name: Name) -> Option<ClassId> {
        self.by_name.get(&name).copied()
    }

    /// The class with this name as a text: `java/util/Map$Entry` or `java.util.Map$Entry`.
    pub fn find(&self, name: &str) -> Option<ClassId> {
        self.named(self.names.find(&name.replace('.', "/"))?)
    }

    /// The place of a class file.
    pub fn origin(&self, id: OriginId) -> &Origin {
        &self.origins[id.index()]
    }

    /// The type of a field or of an array class by its descriptor; none if the descriptor is invalid or does not occur
    /// in the program.
    pub fn field_type(&self, descriptor: Name) -> Option<Type> {
        self.types.field(descriptor)
    }

    /// The types of a method by its descriptor; none as for [`field_type`](Self::field_type).
    pub fn method_type(&self, descriptor: Name) -> Option<&MethodType> {
        self.types.method(descriptor)
    }

    /// The result type of a method descriptor; none for `void`.
    pub fn result_type(&self, descriptor: Name) -> Option<Type> {
        self.method_type(descriptor)?.result
    }

    /// Whether a method is a constructor, which is named `<init>`.
    pub fn is_constructor(&self, method: MethodId) -> bool {
        self.is_constructor_name(self.method(method).name)
    }

    /// Whether serialization calls a method of an existing object, even if it is private: `writeObject` and
    /// `writeReplace` of `java.io.Serializable`. (Deserialization calls methods only during the creation of an object.)
    pub fn is_called_to_serialize(&self, method: MethodId) -> bool {
        let method = self.method(method);
        let named = (self.text(method.name), self.text(method.descriptor));
        let is_one = named == ("writeObject", "(Ljava/io/ObjectOutputStream;)V")
            || named == ("writeReplace", "()Ljava/lang/Object;");
        is_one && !method.flags.is_static()
    }

    /// Whether constructors have this name: `<init>`.
    pub fn is_constructor_name(&self, name: Name) -> bool {
        self.text(name) == "<init>"
    }

    /// The name of a class in the notation of Java: `java.util.Map$Entry`.
    pub fn class_name(&self, id: ClassId) -> String {
        self.text(self.class(id).name).replace('/', ".")
    }

    /// The full name of a method: `java.util.List.add(ILjava/lang/Object;)V`.
    pub fn method_name(&self, id: MethodId) -> String {
        let method = self.method(id);
        let [name, descriptor] = [method.name, method.descriptor].map(|name| self.text(name));
        format!("{}.{name}{descriptor}", self.class_name(method.class))
    }

    /// Adds the place of a class file.
    pub(super) fn add_origin(&mut self, origin: Origin) -> OriginId {
        self.origins.push(origin);
        OriginId::new(self.origins.len() - 1)
    }

    /// Adds a class with its fields and methods.
    pub(super) fn add_class(&mut self, id: ClassId, file: ClassFile) {
        let ClassFile { mut class, fields, methods, .. } = file;
        let number = |index: usize| u32::try_from(index).expect("what is read is bounded");
        for (index, field) in (self.fields.len()..).zip(&fields) {
            // The first of several equal declarations counts.
            self.fields_by_name.entry((id, field.name, field.descriptor)).or_insert(FieldId::new(index));
        }
        for (index, method) in (self.methods.len()..).zip(&methods) {
            self.methods_by_name.entry((id, method.name, method.descriptor)).or_insert(MethodId::new(index));
        }
        class.fields = number(self.fields.len())..number(self.fields.len() + fields.len());
        class.methods = number(self.methods.len())..number(self.methods.len() + methods.len());
        self.fields.extend(fields);
        self.methods.extend(methods);
        self.by_name.insert(class.name, id);
        self.classes.push(class);
    }
}
