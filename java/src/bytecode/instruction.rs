//! What one instruction does.
//!
//! The 200 opcodes are fewer cases here: the type that an opcode names is a [`Kind`], short and wide forms are one, and
//! what an opcode takes from the constant pool is resolved. Branches name instructions, not bytes.

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

/// The number of a local variable; long and double take this one and the next.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Local(pub u16);

impl Local {
    /// The number.
    pub fn index(self) -> usize {
        usize::from(self.0)
    }
}

/// The number of a switch in its [`Code`](crate::Code).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct SwitchId(pub(crate) u16);

/// The number of a call site (`invokedynamic`) in its [`Code`](crate::Code).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct CallSiteId(pub(crate) u16);

/// A value that stands in the code.
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
    /// A value that a bootstrap method computes once; of this type.
    Dynamic(Type),
}

impl Constant {
    /// How it stands on the operand stack.
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

/// The type of an array's elements, as loads and stores tell them apart.
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
    /// Objects and arrays.
    Reference,
}

impl Element {
    /// How an element stands on the operand stack.
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

/// An operation on two numbers of one kind; of shifts, the second one is an int.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Operator {
    /// `+`.
    Add,
    /// `-`.
    Subtract,
    /// `*`.
    Multiply,
    /// `/`, which can throw on ints and longs.
    Divide,
    /// `%`, which can throw on ints and longs.
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
    /// Whether the second number is an int, the distance.
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

/// When a branch is taken.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Condition {
    /// The int on top compares so with 0.
    Zero(Comparison),
    /// The int below the top compares so with the int on top.
    Ints(Comparison),
    /// The two references on top are the same.
    Same,
    /// The two references on top are not the same.
    Different,
    /// The reference on top is null.
    Null,
    /// The reference on top is not null.
    NotNull,
}

impl Condition {
    /// How many values it takes from the stack, and of which kind.
    pub fn takes(self) -> (usize, Kind) {
        match self {
            Self::Zero(_) => (1, Kind::Int),
            Self::Ints(_) => (2, Kind::Int),
            Self::Same | Self::Different => (2, Kind::Reference),
            Self::Null | Self::NotNull => (1, Kind::Reference),
        }
    }
}

/// How a method is chosen.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum InvokeKind {
    /// By the class of the receiver; the method is named by a class.
    Virtual,
    /// By the class of the receiver; the method is named by an interface.
    Interface,
    /// Exactly the method: a constructor, a private method, or one of the superclass.
    Special,
    /// A static method.
    Static,
}

/// What rearranges the operand stack; what it does depends on which values take two slots, see
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

/// What one instruction does.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Instruction {
    /// Nothing.
    Nop,
    /// Pushes a constant.
    Constant(Constant),
    /// Pushes a local variable.
    Load(Kind, Local),
    /// Stores the top into a local variable.
    Store(Kind, Local),
    /// Adds to an int in a local variable.
    Increment(Local, i16),
    /// Replaces an array and an index by the element.
    ArrayLoad(Element),
    /// Takes an array, an index and a value, and stores the value.
    ArrayStore(Element),
    /// Replaces an array by its length.
    ArrayLength,
    /// Drops, copies or exchanges slots.
    Stack(StackOperation),
    /// Replaces two numbers by what the operation gives.
    Binary(Operator, Kind),
    /// Replaces a number by its negation.
    Negate(Kind),
    /// Replaces a number of one kind by one of another.
    Convert(Kind, Kind),
    /// Replaces an int by its lowest bits: 8 with their sign, 16 without, or 16 with their sign.
    Narrow(Element),
    /// Replaces two longs, floats or doubles by -1, 0 or 1.
    Compare(Kind),
    /// Goes to the target if the condition holds, else to the next instruction.
    Branch(Condition, InstructionIndex),
    /// Goes to the target.
    Goto(InstructionIndex),
    /// Pushes where it stands and goes to the target; in classes before version 51.
    Jsr(InstructionIndex),
    /// Goes to the instruction behind the `jsr` that the local variable remembers.
    Ret(Local),
    /// Goes where a table says for the int on top.
    Switch(SwitchId),
    /// Ends the method, with the value on top unless it is `void`.
    Return(Option<Kind>),
    /// Throws the exception on top.
    Throw,
    /// Replaces an object by the content of its field.
    GetField(Member),
    /// Takes an object and a value, and stores the value in the object's field.
    PutField(Member),
    /// Pushes the content of a static field.
    GetStatic(Member),
    /// Stores the top into a static field.
    PutStatic(Member),
    /// Takes the arguments, below them the receiver unless the method is static, and pushes the result if there is one.
    Invoke(InvokeKind, Member),
    /// Takes the arguments of a call site and pushes what it gives.
    InvokeDynamic(CallSiteId),
    /// Pushes a new object of a class, before its constructor runs.
    New(Name),
    /// Replaces a length by a new array of elements of this type.
    NewArray(Type),
    /// Takes as many lengths and pushes a new array of this type, with arrays in it for all lengths but the first.
    NewMultiArray(Type, u8),
    /// Throws unless the reference on top is null or of this class or array type.
    CheckCast(Type),
    /// Replaces a reference by whether it is an object of this class or array type.
    InstanceOf(Type),
    /// Takes an object and enters its monitor.
    MonitorEnter,
    /// Takes an object and leaves its monitor.
    MonitorExit,
}

impl Instruction {
    /// Whether control can go to the next instruction when nothing is thrown. (A call of a subroutine returns there.)
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
