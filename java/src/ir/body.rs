//! The control-flow graph of a method: blocks, statements, edges, variables.

use super::graph::{Graph, number};
use crate::bytecode::{CallSite, Condition, Constant, Element, InstructionIndex, InvokeKind, Operator};
use crate::class_file::{Kind, Member, MethodId, Name, Type};

/// The index of a variable in its [`Body`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Variable(pub(crate) u32);

impl Variable {
    /// The index, from 0.
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

/// The index of a block in its [`Body`]. Block 0 is the entry.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct BlockId(pub(crate) u32);

impl BlockId {
    /// The entry block of a method.
    pub const ENTRY: Self = Self(0);

    /// The index, from 0.
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

/// The position of a statement in its [`Body`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct StatementId {
    /// Its block.
    pub block: BlockId,
    /// Its index among the statements of the block.
    pub index: u32,
}

/// A method in register form.
#[derive(Clone, Debug, PartialEq)]
pub struct Body {
    /// The method.
    pub method: MethodId,
    /// The receiver, unless the method is static, and the parameters. A long or double is one variable.
    pub parameters: Box<[Variable]>,
    pub(crate) blocks: Box<[Block]>,
    pub(crate) variables: Box<[VariableInfo]>,
    pub(crate) call_sites: Box<[CallSite]>,
}

/// The kind, type and definition of a variable.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct VariableInfo {
    /// The computational type.
    pub kind: Kind,
    /// The declared type of its source in the class file: a field, a parameter, a result, a cast, a new object or a
    /// handler. For a parameter of a block, the common type of all arguments, or `java/lang/Object` if there is none.
    /// None for `null` and for numbers.
    pub of: Option<Type>,
    /// The definition.
    pub definition: Definition,
}

/// The definition of a variable.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Definition {
    /// A parameter of the method, by its index; the receiver is a parameter.
    Parameter(u32),
    /// A parameter of a block, by its index. The edges to the block pass its values.
    Joined(BlockId, u32),
    /// The exception that the handler at a block catches.
    Caught(BlockId),
    /// An assignment by a statement.
    Statement(StatementId),
}

/// A basic block. Its statements are executed in order.
#[derive(Clone, Debug, PartialEq)]
pub struct Block {
    /// The caught exception, if the block is a handler.
    pub caught: Option<Variable>,
    /// The parameters, for which the edges to the block pass arguments.
    pub parameters: Box<[Variable]>,
    /// The statements.
    pub statements: Box<[Statement]>,
    /// The transfer of control after the statements.
    pub end: End,
    /// The instruction of the end.
    pub at: InstructionIndex,
    /// The source line of the end, as in [`Code::place`](crate::Code::place).
    pub line: u32,
    /// The handlers of the exception, if the end is a `throw`.
    pub handlers: Box<[ExceptionEdge]>,
}

/// A statement: one operation.
#[derive(Clone, Debug, PartialEq)]
pub struct Statement {
    /// The operation.
    pub operation: Operation,
    /// The assigned variable, if the operation has a result.
    pub to: Option<Variable>,
    /// The instruction from which it was translated.
    pub at: InstructionIndex,
    /// The source line, as in [`Code::place`](crate::Code::place).
    pub line: u32,
    /// The handlers of its exceptions; empty if no handler covers it or if it cannot throw.
    pub handlers: Box<[ExceptionEdge]>,
}

/// A control-flow edge, with the arguments for the parameters of its target.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Edge {
    /// The target.
    pub target: BlockId,
    /// One argument for each parameter of the target.
    pub arguments: Box<[Variable]>,
}

/// The edge from a throwing statement or end to a handler.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ExceptionEdge {
    /// The class whose instances are caught; none for all exceptions.
    pub catches: Option<Name>,
    /// The edge to the handler.
    pub edge: Edge,
}

/// The operation of a statement.
#[derive(Clone, Debug, PartialEq)]
pub enum Operation {
    /// A constant.
    Constant(Constant),
    /// An operation on two numbers. Only `/` and `%` on ints and longs can throw.
    Binary(Operator, Kind, [Variable; 2]),
    /// The negation of a number.
    Negate(Kind, Variable),
    /// The conversion of a number from the first kind to the second.
    Convert(Kind, Kind, Variable),
    /// The truncation of an int to a byte, char or short.
    Narrow(Element, Variable),
    /// The comparison of two longs, floats or doubles: -1, 0 or 1 if the first one is less, equal or greater.
    Compare(Kind, [Variable; 2]),
    /// A read of a field of an object.
    GetField {
        /// The object.
        object: Variable,
        /// The field.
        field: Member,
    },
    /// A write to a field of an object.
    PutField {
        /// The object.
        object: Variable,
        /// The field.
        field: Member,
        /// The value.
        value: Variable,
    },
    /// A read of a static field.
    GetStatic(Member),
    /// A write to a static field.
    PutStatic(Member, Variable),
    /// A read of an element of an array.
    LoadElement {
        /// The type of the elements.
        element: Element,
        /// The array.
        array: Variable,
        /// The index.
        index: Variable,
    },
    /// A write to an element of an array.
    StoreElement {
        /// The type of the elements.
        element: Element,
        /// The array.
        array: Variable,
        /// The index.
        index: Variable,
        /// The value.
        value: Variable,
    },
    /// The length of an array.
    ArrayLength(Variable),
    /// A new uninitialized object.
    New(Name),
    /// A new array of this array type, with one variable for the length of each new dimension.
    NewArray(Type, Box<[Variable]>),
    /// A call of a method.
    Invoke {
        /// The dispatch.
        kind: InvokeKind,
        /// The method.
        member: Member,
        /// The receiver, unless the call is static, and the arguments.
        arguments: Box<[Variable]>,
    },
    /// An `invokedynamic`.
    InvokeDynamic {
        /// The index of the call site, for [`Body::call_site`].
        site: u32,
        /// The arguments.
        arguments: Box<[Variable]>,
    },
    /// The same reference if it is null or an instance of this type; otherwise an exception.
    CheckCast(Type, Variable),
    /// Whether a reference is an instance of this type: 1 or 0.
    InstanceOf(Type, Variable),
    /// The entry to the monitor of an object.
    MonitorEnter(Variable),
    /// The exit from the monitor of an object.
    MonitorExit(Variable),
}

/// The end of a block: the transfer of control after its statements.
#[derive(Clone, Debug, PartialEq)]
pub enum End {
    /// A jump.
    Goto(Edge),
    /// A conditional branch.
    Branch {
        /// The condition.
        condition: Condition,
        /// The one or two values of the condition.
        values: Box<[Variable]>,
        /// The edge if the condition holds.
        holds: Edge,
        /// The edge if it does not hold.
        fails: Edge,
    },
    /// A switch on an int.
    Switch {
        /// The int.
        value: Variable,
        /// The cases: values with their edges.
        cases: Box<[(i32, Edge)]>,
        /// The edge for all other values.
        default: Edge,
    },
    /// A return from the method, with a value unless the method is `void`.
    Return(Option<Variable>),
    /// A throw of an exception.
    Throw(Variable),
}

impl Body {
    /// All blocks. The first one is the entry.
    pub fn blocks(&self) -> impl ExactSizeIterator<Item = (BlockId, &Block)> {
        self.blocks.iter().enumerate().map(|(index, block)| (BlockId(number(index)), block))
    }

    /// The block of an index.
    ///
    /// # Panics
    /// If the index belongs to another body with more blocks.
    pub fn block(&self, id: BlockId) -> &Block {
        &self.blocks[id.index()]
    }

    /// The statement at a position.
    ///
    /// # Panics
    /// If the position belongs to another body.
    pub fn statement(&self, id: StatementId) -> &Statement {
        &self.block(id.block).statements[id.index as usize]
    }

    /// The number of variables.
    pub fn variables(&self) -> usize {
        self.variables.len()
    }

    /// The kind, type and definition of a variable.
    ///
    /// # Panics
    /// If the variable belongs to another body with more variables.
    pub fn variable(&self, variable: Variable) -> &VariableInfo {
        &self.variables[variable.index()]
    }

    /// The call site of an `invokedynamic`, by its index.
    ///
    /// # Panics
    /// If the index belongs to another body with more call sites.
    pub fn call_site(&self, site: u32) -> &CallSite {
        &self.call_sites[site as usize]
    }
}

impl Body {
    /// The control-flow graph over the block indices, with exception edges.
    pub(super) fn graph(&self) -> Graph {
        let edges = self.blocks().flat_map(|(id, block)| block.edges().map(move |edge| (id.0, edge.target.0)));
        Graph::new(self.blocks.len(), &edges.collect::<Vec<_>>())
    }
}

impl Block {
    /// All edges: those of the end, then the exception edges of the statements, then the exception edges of the end.
    pub fn edges(&self) -> impl Iterator<Item = &Edge> {
        let thrown = self.statements.iter().flat_map(|statement| &statement.handlers).chain(&self.handlers);
        self.end.edges().into_iter().chain(thrown.map(|thrown| &thrown.edge))
    }

    /// Applies a function to all edges.
    pub(super) fn change_edges(&mut self, mut change: impl FnMut(&mut Edge)) {
        let thrown = self.statements.iter_mut().flat_map(|statement| &mut statement.handlers).chain(&mut self.handlers);
        thrown.for_each(|thrown| change(&mut thrown.edge));
        match &mut self.end {
            End::Goto(edge) => change(edge),
            End::Branch { holds, fails, .. } => {
                change(holds);
                change(fails);
            }
            End::Switch { cases, default, .. } => {
                change(default);
                cases.iter_mut().for_each(|case| change(&mut case.1));
            }
            End::Return(_) | End::Throw(_) => {}
        }
    }
}

impl End {
    /// The edges without exception edges. The edge of a false condition and the default edge come first.
    pub fn edges(&self) -> Vec<&Edge> {
        match self {
            Self::Goto(edge) => vec![edge],
            Self::Branch { holds, fails, .. } => vec![fails, holds],
            Self::Switch { cases, default, .. } => {
                [default].into_iter().chain(cases.iter().map(|case| &case.1)).collect()
            }
            Self::Return(_) | Self::Throw(_) => Vec::new(),
        }
    }

    /// The variables that it uses, without the arguments of its edges.
    pub fn uses(&self) -> &[Variable] {
        match self {
            Self::Goto(_) | Self::Return(None) => &[],
            Self::Branch { values, .. } => values,
            Self::Switch { value, .. } | Self::Return(Some(value)) | Self::Throw(value) => std::slice::from_ref(value),
        }
    }

    /// The variables that it uses, for changes; without the arguments of its edges.
    pub(super) fn uses_mut(&mut self) -> &mut [Variable] {
        match self {
            Self::Goto(_) | Self::Return(None) => &mut [],
            Self::Branch { values, .. } => values,
            Self::Switch { value, .. } | Self::Return(Some(value)) | Self::Throw(value) => std::slice::from_mut(value),
        }
    }
}

impl Operation {
    /// The operands in order.
    pub fn uses(&self) -> Vec<Variable> {
        match self {
            Self::Constant(_) | Self::GetStatic(_) | Self::New(_) => Vec::new(),
            Self::Binary(_, _, pair) | Self::Compare(_, pair) => pair.to_vec(),
            Self::Negate(_, value) | Self::Convert(_, _, value) | Self::Narrow(_, value) => vec![*value],
            Self::GetField { object, .. } => vec![*object],
            Self::PutField { object, value, .. } => vec![*object, *value],
            Self::PutStatic(_, value) => vec![*value],
            Self::LoadElement { array, index, .. } => vec![*array, *index],
            Self::StoreElement { array, index, value, .. } => vec![*array, *index, *value],
            Self::ArrayLength(value) | Self::CheckCast(_, value) | Self::InstanceOf(_, value) => vec![*value],
            Self::NewArray(_, lengths) => lengths.to_vec(),
            Self::Invoke { arguments, .. } | Self::InvokeDynamic { arguments, .. } => arguments.to_vec(),
            Self::MonitorEnter(value) | Self::MonitorExit(value) => vec![*value],
        }
    }

    /// The operands in order, for changes.
    pub(super) fn uses_mut(&mut self) -> Vec<&mut Variable> {
        match self {
            Self::Constant(_) | Self::GetStatic(_) | Self::New(_) => Vec::new(),
            Self::Binary(_, _, pair) | Self::Compare(_, pair) => pair.iter_mut().collect(),
            Self::Negate(_, value) | Self::Convert(_, _, value) | Self::Narrow(_, value) => vec![value],
            Self::GetField { object, .. } => vec![object],
            Self::PutField { object, value, .. } => vec![object, value],
            Self::PutStatic(_, value) => vec![value],
            Self::LoadElement { array, index, .. } => vec![array, index],
            Self::StoreElement { array, index, value, .. } => vec![array, index, value],
            Self::ArrayLength(value) | Self::CheckCast(_, value) | Self::InstanceOf(_, value) => vec![value],
            Self::NewArray(_, lengths) => lengths.iter_mut().collect(),
            Self::Invoke { arguments, .. } | Self::InvokeDynamic { arguments, .. } => arguments.iter_mut().collect(),
            Self::MonitorEnter(value) | Self::MonitorExit(value) => vec![value],
        }
    }
}
