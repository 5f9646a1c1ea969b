//! Classes, fields and methods.

use super::annotation::Annotation;
use super::constants::{Handle, Pool};
use super::error::Malformed;
use super::flags::Flags;
use super::ids::{ClassId, FieldId, MethodId, OriginId};
use super::names::Name;
use super::role::Role;
use std::ops::Range;

/// A class or interface.
#[derive(Clone, Debug)]
pub struct Class {
    /// Its name: `java/util/Map$Entry`.
    pub name: Name,
    /// Its access flags.
    pub flags: Flags,
    /// The major version of the format, 45 to 69 for Java 1.1 to 25.
    pub version: u16,
    /// The name of its superclass; none for `java/lang/Object`.
    pub superclass: Option<Name>,
    /// The names of its direct superinterfaces.
    pub interfaces: Box<[Name]>,
    /// The name of its source file, without the folder.
    pub source_file: Option<Name>,
    /// Its annotations, including those that are invisible at run time.
    pub annotations: Box<[Annotation]>,
    /// The nest host, whose private members it shares; none if the class is a nest host itself.
    pub nest_host: Option<Name>,
    /// The enclosing class of a nested, local or anonymous class.
    pub outer: Option<Name>,
    /// Whether it is an anonymous class.
    pub is_anonymous: bool,
    /// Whether only code within its outermost class can name it: it is a private member class, a local class or an
    /// anonymous class.
    pub is_hidden: bool,
    /// The names of its components if it is a record.
    pub record: Option<Box<[Name]>>,
    /// The place of its class file.
    pub origin: OriginId,
    /// Its role in the program.
    pub role: Role,
    /// Whether it belongs to a library rather than to the program itself.
    pub is_library: bool,
    pub(crate) fields: Range<u32>,
    pub(crate) methods: Range<u32>,
    pub(crate) pool: Pool,
    pub(crate) bootstraps: Box<[Bootstrap]>,
    /// The code of all methods in the layout of [`RawCode`].
    pub(crate) code: Box<[u8]>,
}

impl Class {
    /// The fields in the order of the class file.
    pub fn fields(&self) -> impl ExactSizeIterator<Item = FieldId> + DoubleEndedIterator + use<> {
        numbers(&self.fields).map(FieldId::new)
    }

    /// The methods in the order of the class file. Constructors are named `<init>`, the static initializer `<clinit>`.
    pub fn methods(&self) -> impl ExactSizeIterator<Item = MethodId> + DoubleEndedIterator + use<> {
        numbers(&self.methods).map(MethodId::new)
    }
}

fn numbers(range: &Range<u32>) -> Range<usize> {
    range.start as usize..range.end as usize
}

/// A field.
#[derive(Clone, Debug)]
pub struct Field {
    /// The class that declares it.
    pub class: ClassId,
    /// Its name.
    pub name: Name,
    /// Its descriptor; [`Program::field_type`](crate::Program::field_type) returns the type.
    pub descriptor: Name,
    /// Its access flags.
    pub flags: Flags,
    /// Its annotations.
    pub annotations: Box<[Annotation]>,
}

/// A method.
#[derive(Clone, Debug)]
pub struct Method {
    /// The class that declares it.
    pub class: ClassId,
    /// Its name.
    pub name: Name,
    /// Its descriptor; [`Program::method_type`](crate::Program::method_type) returns the types.
    pub descriptor: Name,
    /// Its access flags.
    pub flags: Flags,
    /// Its annotations.
    pub annotations: Box<[Annotation]>,
    pub(crate) code: Option<Box<MethodCode>>,
}

impl Method {
    /// Whether it has code, intact or damaged. Abstract and native methods have none.
    pub fn has_code(&self) -> bool {
        self.code.is_some()
    }
}

/// The code of a method before decoding.
#[derive(Clone, Debug)]
pub(crate) enum MethodCode {
    /// Code from the class file.
    Read(RawCode),
    /// A damaged `Code` attribute.
    Damaged(Malformed),
    /// The generated code of a reference method.
    Reference(Reference),
}

/// The layout of a method's code in [`Class::code`], from byte `start`: the code array (`code` bytes), `handlers`
/// exception table entries of 8 bytes, `lines` line table entries of 4 bytes, and the content of the attribute
/// `StackMapTable` (`frames` bytes).
#[derive(Clone, Debug)]
pub(crate) struct RawCode {
    pub(crate) max_stack: u16,
    pub(crate) max_locals: u16,
    pub(crate) start: u32,
    pub(crate) code: u32,
    pub(crate) handlers: u32,
    pub(crate) lines: u32,
    pub(crate) frames: u32,
}

/// A method reference: the handle of the referenced method and the source line.
#[derive(Clone, Debug)]
pub(crate) struct Reference {
    pub(crate) handle: Handle,
    pub(crate) line: u16,
}

/// A bootstrap method with its arguments, which are indices of the constant pool.
#[derive(Clone, Debug)]
pub(crate) struct Bootstrap {
    pub(crate) method: Handle,
    pub(crate) arguments: Box<[u16]>,
}
