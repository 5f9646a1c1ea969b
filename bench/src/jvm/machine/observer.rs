//! What is told of an execution.

use super::world::{ObjectId, Origin, Value};
use asercheck::java::{FieldId, InstructionIndex, MethodId};

/// A place in memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Cell {
    /// A field of an object.
    Field(ObjectId, FieldId),
    /// An element of an array.
    Element(ObjectId, i32),
    /// A static field.
    Static(FieldId),
}

/// An access to memory.
#[derive(Clone, Copy, Debug)]
pub struct Access {
    /// Who does it.
    pub thread: usize,
    /// What is accessed.
    pub cell: Cell,
    /// Where the reference to the object or array comes from.
    pub origin: Origin,
    /// Whether it is a write.
    pub is_write: bool,
}

/// What is told of an execution.
pub trait Observer {
    /// Memory is accessed.
    fn accesses(&mut self, access: Access);
    /// A method begins; `depth` methods of the thread are open.
    fn enters(&mut self, thread: usize, depth: usize, method: MethodId, arguments: &[Value]);
    /// The method that began at this depth ends.
    fn leaves(&mut self, thread: usize, depth: usize);
    /// Control comes to the head of a loop, in the method of this depth, with these values that are still needed.
    fn begins_round(&mut self, thread: usize, round: Round);
    /// The thread does something to the heap, to locks or to other threads that is no read.
    fn does_something(&mut self, thread: usize);
    /// The thread reads an atomic for itself.
    fn reads_atomic(&mut self, thread: usize);
    /// A compare-and-set of the thread has found what it expects, or has not.
    fn swaps(&mut self, read: Access, found: bool);
}

/// The state of a method at the head of a loop.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Round {
    /// The depth of the method.
    pub depth: usize,
    /// The head.
    pub head: (MethodId, InstructionIndex),
    /// The local variables that are read later, and the operands.
    pub values: Vec<Option<Value>>,
}

/// Nobody looks.
pub struct Nobody;

impl Observer for Nobody {
    fn accesses(&mut self, _: Access) {}
    fn enters(&mut self, _: usize, _: usize, _: MethodId, _: &[Value]) {}
    fn leaves(&mut self, _: usize, _: usize) {}
    fn begins_round(&mut self, _: usize, _: Round) {}
    fn does_something(&mut self, _: usize) {}
    fn reads_atomic(&mut self, _: usize) {}
    fn swaps(&mut self, _: Access, _: bool) {}
}
