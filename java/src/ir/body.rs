//! The control-flow graph of a method.

use super::graph::{Graph, number};
use crate::bytecode::{CallSite, Condition, Constant, Element, InstructionIndex, InvokeKind, Operator};
use crate::class_file::{Kind, Member, MethodId, Name, Type};

/// The number of a variable in its [`Body`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Variable(pub(crate) u32);

impl Variable {
    /// The number.
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

/// The number of a block in its [`Body`]; control enters at the first one.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct BlockId(pub(crate) u32);

impl BlockId {
    /// The block in which control enters a method.
    pub const ENTRY: Self = Self(0);

    /// The number.
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

/// The place of a statement in its [`Body`].
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
    /// The receiver unless the method is static, then the parameters; a long or double is one variable.
    pub parameters: Box<[Variable]>,
    pub(crate) blocks: Box<[Block]>,
    pub(crate) variables: Box<[VariableInfo]>,
    pub(crate) call_sites: Box<[CallSite]>,
}

/// What is known of a variable wherever it is used.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct VariableInfo {
    /// How it stands on the operand stack.
    pub kind: Kind,
    /// The type that the class file declares for what it is read from: a field, a parameter, a result, a cast, a new
    /// object, a handler; of a block's parameter, the type that all its arguments have, else the class of all objects.
    /// None for `null` and for numbers.
    pub of: Option<Type>,
    /// Where its value comes from.
    pub definition: Definition,
}

/// Where the value of a variable comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Definition {
    /// It is a parameter of the method, the receiver included, by its place.
    Parameter(u32),
    /// It is a parameter of a block, by its place; what reaches it are the arguments of the edges to the block.
    Joined(BlockId, u32),
    /// It is the exception that a handler catches.
    Caught(BlockId),
    /// A statement assigns it.
    Statement(StatementId),
}

/// Statements that are executed one after the other.
#[derive(Clone, Debug, PartialEq)]
pub struct Block {
    /// The exception, if the block is a handler.
    pub caught: Option<Variable>,
    /// What edges to the block pass.
    pub parameters: Box<[Variable]>,
    /// The statements.
    pub statements: Box<[Statement]>,
    /// Where control goes afterwards.
    pub end: End,
    /// The instruction of the end.
    pub at: InstructionIndex,
    /// The source line of the end, 0 if it is not known.
    pub line: u32,
    /// Where an exception goes that the end throws: a `throw`.
    pub handlers: Box<[ExceptionEdge]>,
}

/// One operation.
#[derive(Clone, Debug, PartialEq)]
pub struct Statement {
    /// What it does.
    pub operation: Operation,
    /// The variable that it assigns.
    pub to: Option<Variable>,
    /// The instruction that it was made of.
    pub at: InstructionIndex,
    /// Its source line, 0 if it is not known.
    pub line: u32,
    /// Where an exception goes that it throws; empty if no handler covers it, or if it cannot throw.
    pub handlers: Box<[ExceptionEdge]>,
}

/// Where control goes, with the arguments for the parameters of the target.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Edge {
    /// The block.
    pub target: BlockId,
    /// One argument for each of its parameters.
    pub arguments: Box<[Variable]>,
}

/// Where an exception goes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ExceptionEdge {
    /// What is caught, with its subclasses; none for everything.
    pub catches: Option<Name>,
    /// The handler.
    pub edge: Edge,
}

/// What a statement does.
#[derive(Clone, Debug, PartialEq)]
pub enum Operation {
    /// A constant.
    Constant(Constant),
    /// An operation on two numbers; only `/` and `%` on ints and longs can throw.
    Binary(Operator, Kind, [Variable; 2]),
    /// The negation of a number.
    Negate(Kind, Variable),
    /// A number of one kind as one of another.
    Convert(Kind, Kind, Variable),
    /// An int's lowest bits.
    Narrow(Element, Variable),
    /// -1, 0 or 1, as the first of two longs, floats or doubles is less, equal or greater.
    Compare(Kind, [Variable; 2]),
    /// The content of an object's field.
    GetField {
        /// The object.
        object: Variable,
        /// The field.
        field: Member,
    },
    /// Stores a value in an object's field.
    PutField {
        /// The object.
        object: Variable,
        /// The field.
        field: Member,
        /// The value.
        value: Variable,
    },
    /// The content of a static field.
    GetStatic(Member),
    /// Stores a value in a static field.
    PutStatic(Member, Variable),
    /// An element of an array.
    LoadElement {
        /// The type of the elements.
        element: Element,
        /// The array.
        array: Variable,
        /// The index.
        index: Variable,
    },
    /// Stores a value in an element of an array.
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
    /// A new object, before its constructor runs.
    New(Name),
    /// A new array of this type (the array's, not the elements'), with arrays in it for all lengths but the first.
    NewArray(Type, Box<[Variable]>),
    /// A call: the receiver unless it is static, then the arguments.
    Invoke {
        /// How the method is chosen.
        kind: InvokeKind,
        /// The method.
        member: Member,
        /// The receiver and the arguments.
        arguments: Box<[Variable]>,
    },
    /// An `invokedynamic`, by its number in [`Body::call_site`].
    InvokeDynamic {
        /// The call site.
        site: u32,
        /// The arguments.
        arguments: Box<[Variable]>,
    },
    /// The same reference, if it is null or of this type; else it throws.
    CheckCast(Type, Variable),
    /// Whether a reference is an object of this type.
    InstanceOf(Type, Variable),
    /// Enters an object's monitor.
    MonitorEnter(Variable),
    /// Leaves an object's monitor.
    MonitorExit(Variable),
}

/// Where control goes after the statements of a block.
#[derive(Clone, Debug, PartialEq)]
pub enum End {
    /// To another block.
    Goto(Edge),
    /// To one of two blocks.
    Branch {
        /// The condition.
        condition: Condition,
        /// What it compares, one or two.
        values: Box<[Variable]>,
        /// Where it holds.
        holds: Edge,
        /// Where it does not.
        fails: Edge,
    },
    /// Where a table says for an int.
    Switch {
        /// The int.
        value: Variable,
        /// The values that are looked for.
        cases: Box<[(i32, Edge)]>,
        /// For all others.
        default: Edge,
    },
    /// Out of the method.
    Return(Option<Variable>),
    /// To a handler or out of the method, with an exception.
    Throw(Variable),
}

impl Body {
    /// All blocks; control enters at the first one.
    pub fn blocks(&self) -> impl ExactSizeIterator<Item = (BlockId, &Block)> {
        self.blocks.iter().enumerate().map(|(index, block)| (BlockId(number(index)), block))
    }

    /// A block.
    ///
    /// # Panics
    /// If it is a block of another body that has more.
    pub fn block(&self, id: BlockId) -> &Block {
        &self.blocks[id.index()]
    }

    /// A statement.
    ///
    /// # Panics
    /// If it is a statement of another body.
    pub fn statement(&self, id: StatementId) -> &Statement {
        &self.block(id.block).statements[id.index as usize]
    }

    /// How many variables there are.
    pub fn variables(&self) -> usize {
        self.variables.len()
    }

    /// What is known of a variable.
    ///
    /// # Panics
    /// If it is a variable of another body that has more.
    pub fn variable(&self, variable: Variable) -> &VariableInfo {
        &self.variables[variable.index()]
    }

    /// What an `invokedynamic` does.
    ///
    /// # Panics
    /// If it is a call site of another body that has more.
    pub fn call_site(&self, site: u32) -> &CallSite {
        &self.call_sites[site as usize]
    }
}

impl Body {
    /// The blocks with their edges.
    pub(super) fn graph(&self) -> Graph {
        let edges = self.blocks().flat_map(|(id, block)| block.edges().map(move |edge| (id.0, edge.target.0)));
        Graph::new(self.blocks.len(), &edges.collect::<Vec<_>>())
    }
}

impl Block {
    /// All edges: those of its end, then those of the statements' exceptions, then those of the end's.
    pub fn edges(&self) -> impl Iterator<Item = &Edge> {
        let thrown = self.statements.iter().flat_map(|statement| &statement.handlers).chain(&self.handlers);
        self.end.edges().into_iter().chain(thrown.map(|thrown| &thrown.edge))
    }

    /// Changes all edges.
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
    /// Where control goes: first where the condition fails, or no case fits. Exceptions are elsewhere.
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

    /// The variables that it uses itself, without the arguments of its edges.
    pub fn uses(&self) -> &[Variable] {
        match self {
            Self::Goto(_) | Self::Return(None) => &[],
            Self::Branch { values, .. } => values,
            Self::Switch { value, .. } | Self::Return(Some(value)) | Self::Throw(value) => std::slice::from_ref(value),
        }
    }

    /// The variables that it uses itself.
    pub(super) fn uses_mut(&mut self) -> &mut [Variable] {
        match self {
            Self::Goto(_) | Self::Return(None) => &mut [],
            Self::Branch { values, .. } => values,
            Self::Switch { value, .. } | Self::Return(Some(value)) | Self::Throw(value) => std::slice::from_mut(value),
        }
    }
}

impl Operation {
    /// The variables that it uses, in their order.
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

    /// The variables that it uses, in their order.
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
