//! The class file format: constant pools, names, types, annotations, and the classes that a file describes.
//!
//! [`read`](reader::read) turns the bytes of one file into a [`ClassFile`]. The code of its methods stays undecoded.
//!
//! Source: JVMS, chapter 4.

mod annotation;
mod bytes;
mod class;
mod constants;
mod descriptor;
mod error;
mod flags;
mod ids;
mod names;
mod reader;
mod role;
mod type_table;

pub use annotation::{Annotation, AnnotationValue};
pub use class::{Class, Field, Method};
pub use constants::{Handle, HandleKind, Member};
pub use descriptor::{Kind, MethodType, Type};
pub use error::{CodeError, Malformed, Problem};
pub use flags::Flags;
pub use ids::{ClassId, FieldId, MethodId, OriginId};
pub use names::Name;
pub use role::Role;

pub(crate) use bytes::Bytes;
pub(crate) use class::{Bootstrap, MethodCode, RawCode, Reference};
pub(crate) use constants::{Entry, Pool};
pub(crate) use error::ReadError;
pub(crate) use names::{Full, Names};
pub(crate) use reader::{ClassFile, Place, VERSIONS, read};
pub(crate) use type_table::TypeTable;
