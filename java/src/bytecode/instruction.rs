//! The instructions.
//!
//! There are fewer cases than the 200 opcodes: the type in the name of an opcode is a [`Kind`], and short and wide
//! forms are equal. References to the constant pool are resolved. The targets of branches are instructions instead of
//! bytes.

use crate::class_file::{Handle, Kind, Member, Name, Type};

/// The index of an instruction in its method's [`Code`](crate::Code), from 0.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct InstructionIndex(pub(crate) u16);

impl InstructionIndex {
    /// The index as a number.
    pub fn index(self) -> usize {
        usize::from(self.0)
    }
}

/// The slot of a local variable. A long or double takes this slot and the next one.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Local(pub u16);

impl Local {
    /// The slot as a number.
    pub fn index(self) -> usize {
        usize::from(self.0)
    }
}

/// The index of a switch in its [`Code`](crate::Code).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct SwitchId(pub(crate) u16);

/// The index of a call site (`invokedynamic`) in its [`Code`](crate::Code).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct CallSiteId(pub(crate) u16);

/// A constant in the code.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Constant {
    /// `null`.
    Null,
    /// An int, or a boolean, byte, char or short.
    Int(i32),
    /// A long.
    Long(i64),
    /// A float.
    Float(f32),
    /// A double.
    Double(f64),
    /// A string.
    String(Name),
    /// A class object: the name of a class, or the descriptor of an array.
    Class(Name),
    /// A method type, by its descriptor.
    MethodType(Name),
    /// A method handle.
    Handle(Handle),
    /// A value of this type that a bootstrap method computes once.
    Dynamic(Type),
}

impl Constant {
    /// Its computational type.
    pub fn kind(self) -> Kind {
        match self {
            Self::Int(_) => Kind::Int,
            Self::Long(_) => Kind::Long,
            Self::Float(_) => Kind::Float,
            Self::Double(_) => Kind::Double,
            Self::Null | Self::String(_) | Self::Class(_) | Self::MethodType(_) | Self::Handle(_) => Kind::Reference,
            Self::Dynamic(of) => of.kind(),
        }
    }
}

/// The element type of an array, as far as loads and stores distinguish it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Element {
    /// `byte` or `boolean`.
    Byte,
    /// `char`.
    Char,
    /// `short`.
    Short,
    /// `int`.
    Int,
    /// `long`.
    Long,
    /// `float`.
    Float,
    /// `double`.
    Double,
    /// A reference to an object or array.
    Reference,
}

impl Element {
    /// The computational type of an element.
    pub fn kind(self) -> Kind {
        match self {
            Self::Byte | Self::Char | Self::Short | Self::Int => Kind::Int,
            Self::Long => Kind::Long,
            Self::Float => Kind::Float,
            Self::Double => Kind::Double,
            Self::Reference => Kind::Reference,
        }
    }
}

/// An operation on two numbers of one kind. The second operand of a shift is an int.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Operator {
    /// `+`.
    Add,
    /// `-`.
    Subtract,
    /// `*`.
    Multiply,
    /// `/`, which can throw for ints and longs.
    Divide,
    /// `%`, which can throw for ints and longs.
    Remainder,
    /// `<<`.
    ShiftLeft,
    /// `>>`.
    ShiftRight,
    /// `>>>`.
    ShiftRightUnsigned,
    /// `&`.
    And,
    /// `|`.
    Or,
    /// `^`.
    Xor,
}

impl Operator {
    /// Whether it is a shift, whose second operand is an int.
    pub fn is_shift(self) -> bool {
        match self {
            Self::ShiftLeft | Self::ShiftRight | Self::ShiftRightUnsigned => true,
            Self::Add
            | Self::Subtract
            | Self::Multiply
            | Self::Divide
            | Self::Remainder
            | Self::And
            | Self::Or
            | Self::Xor => false,
        }
    }
}

/// A comparison of two ints, or of an int with 0.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Comparison {
    /// `==`.
    Equal,
    /// `!=`.
    NotEqual,
    /// `<`.
    Less,
    /// `>=`.
    GreaterOrEqual,
    /// `>`.
    Greater,
    /// `<=`.
    LessOrEqual,
}

/// The condition of a branch.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Condition {
    /// The int on top of the stack has this relation to 0.
    Zero(Comparison),
    /// The int below the top has this relation to the int on top.
    Ints(Comparison),
    /// The two references on top are equal.
    Same,
    /// The two references on top are different.
    Different,
    /// The reference on top is null.
    Null,
    /// The reference on top is not null.
    NotNull,
}

impl Condition {
    /// The number and the kind of the values that it takes from the stack.
    pub fn takes(self) -> (usize, Kind) {
        match self {
            Self::Zero(_) => (1, Kind::Int),
            Self::Ints(_) => (2, Kind::Int),
            Self::Same | Self::Different => (2, Kind::Reference),
            Self::Null | Self::NotNull => (1, Kind::Reference),
        }
    }
}

/// The dispatch of a call.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum InvokeKind {
    /// Dynamic dispatch of a method that is named by a class.
    Virtual,
    /// Dynamic dispatch of a method that is named by an interface.
    Interface,
    /// A call of exactly this method: a constructor, a private method, or a superclass method.
    Special,
    /// A call of a static method.
    Static,
}

/// An operation on the slots of the operand stack. Its effect on values depends on which of them take two slots: see
/// [`rearrange`](crate::rearrange).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum StackOperation {
    /// Drops one slot.
    Pop,
    /// Drops two slots.
    Pop2,
    /// Copies the top slot.
    Dup,
    /// Copies the top slot below the next one.
    DupX1,
    /// Copies the top slot below the next two.
    DupX2,
    /// Copies the top two slots.
    Dup2,
    /// Copies the top two slots below the next one.
    Dup2X1,
    /// Copies the top two slots below the next two.
    Dup2X2,
    /// Exchanges the top two slots.
    Swap,
}

/// An instruction.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Instruction {
    /// Does nothing.
    Nop,
    /// Pushes a constant.
    Constant(Constant),
    /// Pushes a local variable.
    Load(Kind, Local),
    /// Pops a value into a local variable.
    Store(Kind, Local),
    /// Adds a constant to an int in a local variable.
    Increment(Local, i16),
    /// Replaces an array and an index by the array element.
    ArrayLoad(Element),
    /// Pops an array, an index and a value, and stores the value in the array.
    ArrayStore(Element),
    /// Replaces an array by its length.
    ArrayLength,
    /// Drops, copies or exchanges slots.
    Stack(StackOperation),
    /// Replaces two numbers by the result of the operation.
    Binary(Operator, Kind),
    /// Replaces a number by its negation.
    Negate(Kind),
    /// Converts a number from the first kind to the second.
    Convert(Kind, Kind),
    /// Truncates an int: to a byte with sign extension, to a char without sign, or to a short with sign extension.
    Narrow(Element),
    /// Replaces two longs, floats or doubles by -1, 0 or 1.
    Compare(Kind),
    /// Jumps to the target if the condition holds, otherwise continues with the next instruction.
    Branch(Condition, InstructionIndex),
    /// Jumps to the target.
    Goto(InstructionIndex),
    /// Pushes its return address and jumps to the target. It occurs in classes before version 51 only.
    Jsr(InstructionIndex),
    /// Jumps to the return address in the local variable: to the instruction after the `jsr`.
    Ret(Local),
    /// Pops an int and jumps to its target in a table.
    Switch(SwitchId),
    /// Returns from the method, with the value on top unless the method is `void`.
    Return(Option<Kind>),
    /// Throws the exception on top.
    Throw,
    /// Replaces an object by the value of its field.
    GetField(Member),
    /// Pops an object and a value, and stores the value in the field of the object.
    PutField(Member),
    /// Pushes the value of a static field.
    GetStatic(Member),
    /// Pops a value into a static field.
    PutStatic(Member),
    /// Calls a method: pops the arguments and, unless the method is static, the receiver below them; pushes the result
    /// unless the method is `void`.
    Invoke(InvokeKind, Member),
    /// Pops the arguments of a call site and pushes its result.
    InvokeDynamic(CallSiteId),
    /// Pushes a new uninitialized object of a class.
    New(Name),
    /// Replaces a length by a new array with elements of this type.
    NewArray(Type),
    /// Pops this number of lengths and pushes a new array of this type, with new inner arrays for all lengths but the
    /// first.
    NewMultiArray(Type, u8),
    /// Throws unless the reference on top is null or an instance of this class or array type.
    CheckCast(Type),
    /// Replaces a reference by 1 if it is an instance of this class or array type, otherwise by 0.
    InstanceOf(Type),
    /// Pops an object and enters its monitor.
    MonitorEnter,
    /// Pops an object and exits its monitor.
    MonitorExit,
}

impl Instruction {
    /// Whether the next instruction can be executed after this one when nothing is thrown. This holds for `jsr`, whose
    /// subroutine returns there.
    pub fn falls_through(&self) -> bool {
        match self {
            Self::Goto(_) | Self::Ret(_) | Self::Switch(_) | Self::Return(_) | Self::Throw => false,
            Self::Nop
            | Self::Constant(_)
            | Self::Load(..)
            | Self::Store(..)
            | Self::Increment(..)
            | Self::ArrayLoad(_)
            | Self::ArrayStore(_)
            | Self::ArrayLength
            | Self::Stack(_)
            | Self::Binary(..)
            | Self::Negate(_)
            | Self::Convert(..)
            | Self::Narrow(_)
            | Self::Compare(_)
            | Self::Branch(..)
            | Self::Jsr(_)
            | Self::GetField(_)
            | Self::PutField(_)
            | Self::GetStatic(_)
            | Self::PutStatic(_)
            | Self::Invoke(..)
            | Self::InvokeDynamic(_)
            | Self::New(_)
            | Self::NewArray(_)
            | Self::NewMultiArray(..)
            | Self::CheckCast(_)
            | Self::InstanceOf(_)
            | Self::MonitorEnter
            | Self::MonitorExit => true,
        }
    }
}
