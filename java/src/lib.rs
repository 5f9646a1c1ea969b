//! Java programs as they are compiled: classes, their hierarchy and annotations, and the code of their methods with
//! branch targets, exception handlers and source lines, and in register form.
//!
//! [`Program::load`] reads class files, folders and archives (jar, war, zip, jmod) of Java 1.1 to 25, and nothing else:
//! no Java is needed, nothing is run and nothing is written. What is read may be damaged or made to do harm: an entry
//! that cannot be read is left out and told in a [`Diagnostic`]; memory and time are bounded by [`Limits`]; nothing
//! recurses as deep as the input is.
//!
//! [`ir`] has methods in register form: static single assignment with exception edges, loops, dominators and live
//! variables.
//!
//! [`library`] says what the methods of Java's own library do with their receiver and arguments, for programs that are
//! read without it.
//!
//! The format is that of *The Java Virtual Machine Specification* (JVMS), Java SE 25 edition, chapters 4 and 6. The
//! reader is our own: code is decoded method by method, when it is asked for, and all that is kept is interned, so that
//! the 7,000 classes of `java.base` take little more memory than their file.

mod annotation;
mod archive;
mod bytes;
mod call_site;
mod class;
mod code;
mod constants;
mod decode;
mod descriptor;
mod diagnostic;
mod error;
mod folder;
mod frames;
mod hierarchy;
mod instruction;
pub mod ir;
pub mod library;
mod limits;
mod load;
mod lookup;
mod names;
pub mod points_to;
mod program;
mod read;
mod references;
mod salvage;
mod stack;
mod types;

pub use annotation::{Annotation, AnnotationValue};
pub use call_site::{CallSite, CallSiteAction};
pub use class::{Class, ClassId, Field, FieldId, Flags, Method, MethodId, OriginId};
pub use code::{Code, FIRST_OFFSET, Handler, Switch, code_offset};
pub use constants::{Handle, HandleKind, Member};
pub use descriptor::{Kind, MethodType, Type};
pub use diagnostic::{Cause, Diagnostic};
pub use error::{CodeError, Malformed, Problem};
pub use instruction::{
    CallSiteId, Comparison, Condition, Constant, Element, Instruction, InstructionIndex, InvokeKind, Local, Operator,
    StackOperation, SwitchId,
};
pub use limits::Limits;
pub use load::Role;
pub use lookup::{Lookup, Targets};
pub use names::Name;
pub use program::{Origin, Program};
pub use stack::{Effect, Rearrangement, StackError, StackProblem, Stacks, rearrange};
