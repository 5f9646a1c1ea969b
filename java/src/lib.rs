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

mod bytecode;
mod class_file;
pub mod ir;
pub mod library;
pub mod points_to;
mod program;

pub use bytecode::{
    CallSite, CallSiteAction, CallSiteId, Code, Comparison, Condition, Constant, Effect, Element, FIRST_OFFSET,
    Handler, Instruction, InstructionIndex, InvokeKind, Local, Operator, Rearrangement, StackError, StackOperation,
    StackProblem, Stacks, Switch, SwitchId, code_offset, rearrange,
};
pub use class_file::{
    Annotation, AnnotationValue, Class, ClassId, CodeError, Field, FieldId, Flags, Handle, HandleKind, Kind, Malformed,
    Member, Method, MethodId, MethodType, Name, OriginId, Problem, Role, Type,
};
pub use program::{Cause, Diagnostic, Limits, Lookup, Origin, Program, Targets};
