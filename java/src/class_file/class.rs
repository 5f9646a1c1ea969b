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
    /// The version of the format, 45 to 69 for Java 1.1 to 25.
    pub version: u16,
    /// The class that it extends; none for `java/lang/Object`.
    pub superclass: Option<Name>,
    /// The interfaces that it implements or extends itself.
    pub interfaces: Box<[Name]>,
    /// The file that it was compiled from, without its folder.
    pub source_file: Option<Name>,
    /// Its annotations, those that are not visible at run time included.
    pub annotations: Box<[Annotation]>,
    /// The class whose private members it shares; none if it is such a class itself.
    pub nest_host: Option<Name>,
    /// The class that it stands in, if it is an inner, local or anonymous class.
    pub outer: Option<Name>,
    /// Whether it has no name in the source.
    pub is_anonymous: bool,
    /// Whether only the code of its outermost class can name it: a private member, or a local or anonymous class.
    pub is_hidden: bool,
    /// Whether clients are meant to use it, though it is nested and not public: see
    /// [`Program::offer`](crate::Program::offer).
    pub(crate) is_offered: bool,
    /// The names of its components, if it is a record.
    pub record: Option<Box<[Name]>>,
    /// Where its class file was found.
    pub origin: OriginId,
    /// As what it was given.
    pub role: Role,
    /// Whether it is part of a library: not of the program itself.
    pub is_library: bool,
    pub(crate) fields: Range<u32>,
    pub(crate) methods: Range<u32>,
    pub(crate) pool: Pool,
    pub(crate) bootstraps: Box<[Bootstrap]>,
    /// What the methods' code attributes hold that is needed, see [`RawCode`].
    pub(crate) code: Box<[u8]>,
}

impl Class {
    /// Its fields, in the order of the class file.
    pub fn fields(&self) -> impl ExactSizeIterator<Item = FieldId> + DoubleEndedIterator + use<> {
        numbers(&self.fields).map(FieldId::new)
    }

    /// Its methods, in the order of the class file: constructors are named `<init>`, the initializer of static fields
    /// `<clinit>`.
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
    /// Its descriptor; [`Program::field_type`](crate::Program::field_type) tells the type.
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
    /// Its descriptor; [`Program::method_type`](crate::Program::method_type) tells the types.
    pub descriptor: Name,
    /// Its access flags.
    pub flags: Flags,
    /// Its annotations.
    pub annotations: Box<[Annotation]>,
    pub(crate) code: Option<Box<MethodCode>>,
}

impl Method {
    /// Whether it has code, damaged or not: abstract and native methods have none.
    pub fn has_code(&self) -> bool {
        self.code.is_some()
    }
}

/// What is known of a method's code.
#[derive(Clone, Debug)]
pub(crate) enum MethodCode {
    /// It stands in the class file.
    Read(RawCode),
    /// The attribute is damaged.
    Damaged(Malformed),
    /// It is that of a reference method.
    Reference(Reference),
}

/// Where a method's code stands in the bytes that its class keeps: the code array, then the table of handlers (8 bytes
/// each), the lines (4 bytes each), and the content of the attribute `StackMapTable`.
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

/// What a reference method calls, and the line of the reference.
#[derive(Clone, Debug)]
pub(crate) struct Reference {
    pub(crate) handle: Handle,
    pub(crate) line: u16,
}

/// A bootstrap method with its arguments, which are entries of the constant pool.
#[derive(Clone, Debug)]
pub(crate) struct Bootstrap {
    pub(crate) method: Handle,
    pub(crate) arguments: Box<[u16]>,
}
