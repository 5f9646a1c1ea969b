//! Expressions that have the same value whenever they are computed, as long as no local variable in them is assigned: of local variables, constants, fields
//! that never change, lengths of arrays and arithmetic.

use super::facts::Facts;
use super::straight;
use super::value::PlaceId;
use java::{
    Code, Constant, FieldId, Instruction, InstructionIndex, InvokeKind, Kind, Member, MethodId, Operator, Program,
};

/// Larger expressions are not looked at.
const LARGEST: usize = 16;

/// An expression.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) enum Expression {
    /// A local variable.
    Local(u16),
    Null,
    Int(i32),
    Long(i64),
    /// A static field.
    Static(FieldId),
    /// A field of an object.
    Field(Box<Self>, FieldId),
    /// The length of an array.
    Length(Box<Self>),
    /// A number that is computed from others by an instruction or a method of the library, which this is the name of.
    Computed(Computation, Vec<Self>),
    /// The object at a path.
    Place(PlaceId),
    /// The index of the element that is followed.
    Index,
}

/// What computes a number.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) enum Computation {
    /// An operator on numbers of a kind.
    Binary(Operator, Kind),
    /// From one kind of numbers to another.
    Convert(Kind, Kind),
    /// The order of two longs.
    Order,
    /// `System.identityHashCode`.
    Identity,
    /// A method of `Math` or `Integer`, by its name and descriptor.
    Library(java::Name, java::Name),
}

impl Computation {
    /// How the operator is written, if it is one of two ints.
    pub(super) fn symbol(self) -> Option<&'static str> {
        let symbol = |operator| match operator {
            Operator::Add => "+",
            Operator::Subtract => "-",
            Operator::Multiply => "*",
            Operator::Divide => "/",
            Operator::Remainder => "%",
            Operator::ShiftLeft => "<<",
            Operator::ShiftRight => ">>",
            Operator::ShiftRightUnsigned => ">>>",
            Operator::And => "&",
            Operator::Or => "|",
            Operator::Xor => "^",
        };
        match self {
            Self::Binary(operator, Kind::Int) => Some(symbol(operator)),
            Self::Binary(..) | Self::Convert(..) | Self::Order | Self::Identity | Self::Library(..) => None,
        }
    }
}

impl Expression {
    /// Whether a local variable is in it.
    pub(super) fn has_local(&self, slot: usize) -> bool {
        self.any(&|part| matches!(part, Self::Local(local) if usize::from(*local) == slot))
    }

    /// Whether there is such a part. Recursion is bounded by the size.
    pub(super) fn any(&self, is: &dyn Fn(&Self) -> bool) -> bool {
        is(self) || self.parts().iter().any(|part| part.any(is))
    }

    /// The local variables in it; some more than once.
    pub(super) fn locals(&self) -> Vec<u16> {
        match self {
            Self::Local(local) => vec![*local],
            other => other.parts().iter().flat_map(Self::locals).collect(),
        }
    }

    /// What it is computed from.
    pub(super) fn parts(&self) -> &[Self] {
        match self {
            Self::Field(of, _) | Self::Length(of) => std::slice::from_ref(&**of),
            Self::Computed(_, parts) => parts,
            Self::Local(_)
            | Self::Null
            | Self::Int(_)
            | Self::Long(_)
            | Self::Static(_)
            | Self::Place(_)
            | Self::Index => &[],
        }
    }

    /// The same with other parts; `replace` gives what stands for a part, if something else does.
    pub(super) fn with(&self, replace: &dyn Fn(&Self) -> Option<Self>) -> Self {
        if let Some(other) = replace(self) {
            return other;
        }
        match self {
            Self::Field(of, field) => Self::Field(of.with(replace).into(), *field),
            Self::Length(of) => Self::Length(of.with(replace).into()),
            Self::Computed(by, parts) => Self::Computed(*by, parts.iter().map(|part| part.with(replace)).collect()),
            without_parts => without_parts.clone(),
        }
    }

    fn size(&self) -> usize {
        1 + self.parts().iter().map(Self::size).sum::<usize>()
    }
}

/// Shows the instructions of a method with the expressions on the stack, as far as they are known, the top last, and how many of them are taken. In
/// constructors and static initializers fields are not taken to be the same all the time.
pub(super) fn walk(
    program: &Program,
    facts: &Facts,
    (method, code): (MethodId, &Code),
    mut visit: impl FnMut(InstructionIndex, Instruction, &[Option<Expression>]),
) {
    let is_initializer = program.text(program.method(method).name).starts_with('<');
    let never_changes = |field: FieldId| !is_initializer && !facts.changes(field, program);
    straight::walk(program, code, |at, instruction, stack: &mut Vec<Option<Expression>>, takes, _| {
        let below = stack.len().saturating_sub(takes);
        visit(at, instruction, &stack[below..]);
        if let Instruction::Store(_, local) | Instruction::Increment(local, _) = instruction {
            stack.iter_mut().for_each(|known| {
                known.take_if(|known| known.has_local(local.index()));
            });
        }
        let taken = stack[below..].iter().cloned().collect::<Option<Vec<_>>>();
        let taken = taken.filter(|taken| taken.len() == takes)?;
        let made = made(program, facts, instruction, taken, &never_changes)?;
        (made.size() <= LARGEST).then_some(made)
    });
}

/// What an instruction gives that takes these.
fn made(
    program: &Program,
    facts: &Facts,
    instruction: Instruction,
    mut taken: Vec<Expression>,
    never_changes: &dyn Fn(FieldId) -> bool,
) -> Option<Expression> {
    let field = |member: Member| program.resolve_field(member).found().filter(|field| never_changes(*field));
    let first = |taken: &mut Vec<Expression>| taken.pop().map(Box::new);
    match instruction {
        Instruction::Load(_, local) => Some(Expression::Local(local.0)),
        Instruction::Constant(Constant::Null) => Some(Expression::Null),
        Instruction::Constant(Constant::Int(value)) => Some(Expression::Int(value)),
        Instruction::Constant(Constant::Long(value)) => Some(Expression::Long(value)),
        Instruction::GetStatic(member) => field(member).map(Expression::Static),
        Instruction::GetField(member) => Some(Expression::Field(first(&mut taken)?, field(member)?)),
        Instruction::ArrayLength => Some(Expression::Length(first(&mut taken)?)),
        Instruction::Binary(operator, kind) if matches!(kind, Kind::Int | Kind::Long) => {
            Some(Expression::Computed(Computation::Binary(operator, kind), taken))
        }
        Instruction::Convert(from, to) => Some(Expression::Computed(Computation::Convert(from, to), taken)),
        // Of floats that are no numbers, no order holds.
        Instruction::Compare(Kind::Long) => Some(Expression::Computed(Computation::Order, taken)),
        Instruction::CheckCast(_) => taken.pop(),
        Instruction::Invoke(InvokeKind::Static, member) => {
            let [class, name] = [member.class, member.name].map(|name| program.text(name));
            match (class, name) {
                ("java/lang/System", "identityHashCode") => Some(Expression::Computed(Computation::Identity, taken)),
                ("java/lang/Math", "abs" | "floorMod" | "min" | "max") => {
                    Some(Expression::Computed(Computation::Library(member.name, member.descriptor), taken))
                }
                _ => None,
            }
        }
        Instruction::Invoke(_, member) => {
            let method = program.resolve_method(member).found()?;
            let field = facts.getter(method).filter(|field| never_changes(*field))?;
            let targets = program.overriders(method);
            let is_it = targets.methods == [method] && targets.outside.is_empty();
            is_it.then_some(Expression::Field(first(&mut taken)?, field))
        }
        _ => None,
    }
}
