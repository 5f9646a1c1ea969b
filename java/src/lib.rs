//! Compiled Java programs: classes with their hierarchy and annotations, the code of their methods as stack code and in
//! register form, and a pointer analysis over it.
//!
//! The modules are layers, each of which uses only those above it:
//!
//! | module | contents |
//! |---|---|
//! | `class_file` | the class file format: names, constant pools, descriptors, annotations, classes |
//! | `bytecode` | the code of one method: instructions, handlers, lines, call sites, the operand stack |
//! | `program` | all classes of some files: loading, diagnostics, hierarchy, resolution and dispatch |
//! | [`ir`] | register form: static single assignment with exception edges, loops, dominators, live variables |
//! | [`library`] | models of the methods of Java's own library, for programs that are read without its code |
//! | [`points_to`] | the pointer analysis |
//!
//! [`Program::load`] reads class files, folders and archives (jar, war, zip, jmod) of Java 1.1 to 25. It needs no Java
//! installation, runs nothing and writes nothing.
//!
//! **Invariant.** No input causes a panic, however damaged or hostile it is. An unreadable part costs that file, entry,
//! attribute or method only and is reported as a [`Diagnostic`] or an error; [`Limits`] bound memory and time; the
//! depth of recursion does not depend on the input.
//!
//! **Source.** *The Java Virtual Machine Specification* (JVMS), Java SE 25 edition, chapters 4 to 6. Code is decoded
//! one method at a time, on demand, and all texts are interned, so that the 7,000 classes of `java.base` take little
//! more memory than their file.

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
