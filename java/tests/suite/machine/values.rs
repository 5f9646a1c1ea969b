//! The parts that both interpreters share: arithmetic, and the environment of the method.

use java::{Comparison, Condition, Element, InstructionIndex, Kind, Operator};

/// A value. An object is represented by its number.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Value {
    Int(i32),
    Long(i64),
    Reference(Option<usize>),
}

impl Value {
    pub fn int(self) -> i32 {
        let Self::Int(value) = self else { panic!("{self:?} is no int") };
        value
    }

    pub fn long(self) -> i64 {
        let Self::Long(value) = self else { panic!("{self:?} is no long") };
        value
    }

    pub fn reference(self) -> Option<usize> {
        let Self::Reference(value) = self else { panic!("{self:?} is no reference") };
        value
    }
}

/// A step: an instruction that does more than move values, with its operands.
pub type Step = (InstructionIndex, Vec<Value>);

/// The outcome of a run.
#[derive(Debug, Default)]
pub struct Outcome {
    pub steps: Vec<Step>,
    /// The result or the exception; none if the run was too long.
    pub result: Option<Result<Option<Value>, usize>>,
}

/// The maximum number of compared steps.
pub const MOST_STEPS: usize = 200;
/// The maximum number of executed instructions or blocks.
pub const MOST_INSTRUCTIONS: usize = 3000;

pub const ARITHMETIC: &str = "java/lang/ArithmeticException";
pub const NULL: &str = "java/lang/NullPointerException";
pub const CUSTOM: &str = "test/Custom";
pub const THROWABLE: &str = "java/lang/Throwable";

/// The environment: the classes of the created objects, and the number of reads and calls.
pub struct World {
    objects: Vec<&'static str>,
    asked: i32,
}

impl World {
    /// An environment with one object.
    pub fn new() -> Self {
        Self { objects: vec![CUSTOM], asked: 0 }
    }

    /// A new exception.
    pub fn throw(&mut self, class: &'static str) -> usize {
        self.objects.push(class);
        self.objects.len() - 1
    }

    /// Whether a handler catches an exception.
    pub fn catches(&self, class: Option<&str>, object: usize) -> bool {
        class.is_none_or(|class| class == THROWABLE || class == self.objects[object])
    }

    /// The value of a static field.
    pub fn read(&mut self) -> Value {
        self.asked += 1;
        Value::Int(self.asked % 3 - 1)
    }

    /// The result of a call, sometimes an exception.
    pub fn call(&mut self, argument: Value) -> Result<Value, usize> {
        self.asked += 1;
        let result = argument.int().wrapping_mul(7).wrapping_add(self.asked);
        if result % 4 == 0 { Err(self.throw(CUSTOM)) } else { Ok(Value::Int(result % 5)) }
    }
}

/// The result of a binary operation; none for a division by 0.
pub fn binary(operator: Operator, kind: Kind, one: Value, other: Value) -> Option<Value> {
    match kind {
        Kind::Int => int(operator, one.int(), other.int()).map(Value::Int),
        Kind::Long => {
            let by = if operator.is_shift() { i64::from(other.int()) } else { other.long() };
            long(operator, one.long(), by).map(Value::Long)
        }
        _ => panic!("there are no such numbers here"),
    }
}

fn int(operator: Operator, one: i32, other: i32) -> Option<i32> {
    Some(match operator {
        Operator::Add => one.wrapping_add(other),
        Operator::Subtract => one.wrapping_sub(other),
        Operator::Multiply => one.wrapping_mul(other),
        Operator::Divide => return (other != 0).then(|| one.wrapping_div(other)),
        Operator::Remainder => return (other != 0).then(|| one.wrapping_rem(other)),
        Operator::ShiftLeft => one.wrapping_shl(other.cast_unsigned()),
        Operator::ShiftRight => one.wrapping_shr(other.cast_unsigned()),
        Operator::ShiftRightUnsigned => one.cast_unsigned().wrapping_shr(other.cast_unsigned()).cast_signed(),
        Operator::And => one & other,
        Operator::Or => one | other,
        Operator::Xor => one ^ other,
    })
}

fn long(operator: Operator, one: i64, other: i64) -> Option<i64> {
    let by = u32::try_from(other & 63).expect("the number is small");
    Some(match operator {
        Operator::Add => one.wrapping_add(other),
        Operator::Subtract => one.wrapping_sub(other),
        Operator::Multiply => one.wrapping_mul(other),
        Operator::Divide => return (other != 0).then(|| one.wrapping_div(other)),
        Operator::Remainder => return (other != 0).then(|| one.wrapping_rem(other)),
        Operator::ShiftLeft => one.wrapping_shl(by),
        Operator::ShiftRight => one.wrapping_shr(by),
        Operator::ShiftRightUnsigned => one.cast_unsigned().wrapping_shr(by).cast_signed(),
        Operator::And => one & other,
        Operator::Or => one | other,
        Operator::Xor => one ^ other,
    })
}

pub fn negate(value: Value) -> Value {
    match value {
        Value::Int(value) => Value::Int(value.wrapping_neg()),
        Value::Long(value) => Value::Long(value.wrapping_neg()),
        Value::Reference(_) => panic!("it is no number"),
    }
}

pub fn convert(to: Kind, value: Value) -> Value {
    #[expect(clippy::cast_possible_truncation, reason = "that is what the conversion does")]
    match to {
        Kind::Int => Value::Int(value.long() as i32),
        _ => Value::Long(value.int().into()),
    }
}

pub fn narrow(element: Element, value: Value) -> Value {
    let [.., third, low] = value.int().to_be_bytes();
    Value::Int(match element {
        Element::Byte => low.cast_signed().into(),
        Element::Char => u16::from_be_bytes([third, low]).into(),
        _ => i16::from_be_bytes([third, low]).into(),
    })
}

pub fn compare(one: Value, other: Value) -> Value {
    Value::Int(one.long().cmp(&other.long()) as i32)
}

/// Whether a branch is taken for these operands, the lowest first.
pub fn holds(condition: Condition, values: &[Value]) -> bool {
    let compares = |how, one: i32, other: i32| match how {
        Comparison::Equal => one == other,
        Comparison::NotEqual => one != other,
        Comparison::Less => one < other,
        Comparison::GreaterOrEqual => one >= other,
        Comparison::Greater => one > other,
        Comparison::LessOrEqual => one <= other,
    };
    match condition {
        Condition::Zero(how) => compares(how, values[0].int(), 0),
        Condition::Ints(how) => compares(how, values[0].int(), values[1].int()),
        Condition::Same => values[0].reference() == values[1].reference(),
        Condition::Different => values[0].reference() != values[1].reference(),
        Condition::Null => values[0].reference().is_none(),
        Condition::NotNull => values[0].reference().is_some(),
    }
}
