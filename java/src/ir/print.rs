//! The text form of bodies.

use super::body::{BlockId, Body, Edge, End, ExceptionEdge, Operation, Statement, Variable};
use crate::bytecode::{Comparison, Condition, Constant, InvokeKind, Operator};
use crate::class_file::{Kind, Member, Name, Type};
use crate::program::Program;
use std::fmt;

impl fmt::Display for Variable {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "v{}", self.0)
    }
}

impl fmt::Display for BlockId {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "b{}", self.0)
    }
}

/// The text form of a body. Each block is followed by its statements, one per line, with exception edges after a `!`.
#[derive(Clone, Copy, Debug)]
pub struct DisplayBody<'p> {
    body: &'p Body,
    program: &'p Program,
}

impl Body {
    /// The text form of the body, with names of its program.
    pub fn display<'p>(&'p self, program: &'p Program) -> DisplayBody<'p> {
        DisplayBody { body: self, program }
    }
}

impl fmt::Display for DisplayBody<'_> {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let parameters = self.typed(&self.body.parameters);
        writeln!(out, "{} ({parameters})", self.program.method_name(self.body.method))?;
        for (id, block) in self.body.blocks() {
            write!(out, "{id}")?;
            if !block.parameters.is_empty() {
                write!(out, "({})", self.typed(&block.parameters))?;
            }
            if let Some(caught) = block.caught {
                write!(out, " catches {}", self.typed(&[caught]))?;
            }
            writeln!(out, ":")?;
            for statement in &block.statements {
                writeln!(out, "  {}{}", self.statement(statement), self.handlers(&statement.handlers))?;
            }
            writeln!(out, "  {}{}", self.end(&block.end), self.handlers(&block.handlers))?;
        }
        Ok(())
    }
}

impl DisplayBody<'_> {
    fn text(&self, name: Name) -> String {
        self.program.text(name).escape_debug().to_string()
    }

    fn type_text(&self, of: Type) -> String {
        match of {
            Type::Class(name) | Type::Array(name) => self.text(name),
            Type::Boolean => "boolean".into(),
            Type::Byte => "byte".into(),
            Type::Char => "char".into(),
            Type::Short => "short".into(),
            Type::Int => "int".into(),
            Type::Long => "long".into(),
            Type::Float => "float".into(),
            Type::Double => "double".into(),
        }
    }

    /// Variables with their types.
    fn typed(&self, variables: &[Variable]) -> String {
        let typed = |variable: &Variable| {
            let info = self.body.variable(*variable);
            let of = info.of.map_or_else(|| kind_text(info.kind).to_string(), |of| self.type_text(of));
            format!("{variable}: {of}")
        };
        variables.iter().map(typed).collect::<Vec<_>>().join(", ")
    }

    fn member(&self, member: &Member, with_descriptor: bool) -> String {
        let [class, name] = [member.class, member.name].map(|name| self.text(name));
        let descriptor = if with_descriptor { self.text(member.descriptor) } else { String::new() };
        format!("{class}.{name}{descriptor}")
    }

    fn handlers(&self, handlers: &[ExceptionEdge]) -> String {
        let handler = |thrown: &ExceptionEdge| {
            let catches = thrown.catches.map_or("*".into(), |class| self.text(class));
            format!("{catches} -> {}", edge_text(&thrown.edge))
        };
        let text = handlers.iter().map(handler).collect::<Vec<_>>().join(", ");
        if text.is_empty() { text } else { format!(" ! {text}") }
    }

    fn statement(&self, statement: &Statement) -> String {
        let operation = self.operation(&statement.operation);
        statement.to.map_or(operation.clone(), |to| format!("{to} = {operation}"))
    }

    fn operation(&self, operation: &Operation) -> String {
        match operation {
            Operation::Constant(constant) => self.constant(*constant),
            Operation::Binary(operator, _, [one, other]) => format!("{one} {} {other}", operator_text(*operator)),
            Operation::Negate(_, value) => format!("-{value}"),
            Operation::Convert(_, to, value) => format!("({}) {value}", kind_text(*to)),
            Operation::Narrow(element, value) => format!("({}) {value}", format!("{element:?}").to_lowercase()),
            Operation::Compare(_, [one, other]) => format!("compare {one}, {other}"),
            Operation::GetField { object, field } => format!("{object}.{}", self.member(field, false)),
            Operation::PutField { object, field, value } => {
                format!("{object}.{} = {value}", self.member(field, false))
            }
            Operation::GetStatic(field) => self.member(field, false),
            Operation::PutStatic(field, value) => format!("{} = {value}", self.member(field, false)),
            Operation::LoadElement { array, index, .. } => format!("{array}[{index}]"),
            Operation::StoreElement { array, index, value, .. } => format!("{array}[{index}] = {value}"),
            Operation::ArrayLength(array) => format!("length {array}"),
            Operation::New(class) => format!("new {}", self.text(*class)),
            Operation::NewArray(of, lengths) => format!("new {} ({})", self.type_text(*of), list(lengths)),
            Operation::Invoke { kind, member, arguments } => {
                let kind = match kind {
                    InvokeKind::Virtual => "virtual",
                    InvokeKind::Interface => "interface",
                    InvokeKind::Special => "special",
                    InvokeKind::Static => "static",
                };
                format!("{kind} {}({})", self.member(member, true), list(arguments))
            }
            Operation::InvokeDynamic { site, arguments } => {
                let call = self.body.call_site(*site);
                format!("dynamic {}{}({})", self.text(call.name), self.text(call.descriptor), list(arguments))
            }
            Operation::CheckCast(of, value) => format!("cast {value} to {}", self.type_text(*of)),
            Operation::InstanceOf(of, value) => format!("{value} instanceof {}", self.type_text(*of)),
            Operation::MonitorEnter(object) => format!("enter {object}"),
            Operation::MonitorExit(object) => format!("exit {object}"),
        }
    }

    fn constant(&self, constant: Constant) -> String {
        match constant {
            Constant::Null => "null".into(),
            Constant::Int(value) => value.to_string(),
            Constant::Long(value) => format!("{value}L"),
            Constant::Float(value) => format!("{value:?}F"),
            Constant::Double(value) => format!("{value:?}D"),
            Constant::String(text) => format!("\"{}\"", self.text(text)),
            Constant::Class(name) => format!("class {}", self.text(name)),
            Constant::MethodType(name) => format!("type {}", self.text(name)),
            Constant::Handle(handle) => format!("handle {:?} {}", handle.kind, self.member(&handle.member, true)),
            Constant::Dynamic(of) => format!("dynamic {}", self.type_text(of)),
        }
    }

    fn end(&self, end: &End) -> String {
        match end {
            End::Goto(edge) => format!("goto {}", edge_text(edge)),
            End::Branch { condition, values, holds, fails } => {
                let condition = condition_text(*condition, values);
                format!("if {condition} goto {} else {}", edge_text(holds), edge_text(fails))
            }
            End::Switch { value, cases, default } => {
                let case = |(number, edge): &(i32, Edge)| format!("{number} -> {}", edge_text(edge));
                let cases: Vec<String> = cases.iter().map(case).collect();
                format!("switch {value}: {}; else {}", cases.join(", "), edge_text(default))
            }
            End::Return(None) => "return".into(),
            End::Return(Some(value)) => format!("return {value}"),
            End::Throw(value) => format!("throw {value}"),
        }
    }
}

fn list(variables: &[Variable]) -> String {
    variables.iter().map(ToString::to_string).collect::<Vec<_>>().join(", ")
}

fn edge_text(edge: &Edge) -> String {
    match &*edge.arguments {
        [] => edge.target.to_string(),
        arguments => format!("{}({})", edge.target, list(arguments)),
    }
}

fn kind_text(kind: Kind) -> &'static str {
    match kind {
        Kind::Int => "int",
        Kind::Long => "long",
        Kind::Float => "float",
        Kind::Double => "double",
        Kind::Reference => "null",
    }
}

fn operator_text(operator: Operator) -> &'static str {
    match operator {
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
    }
}

fn condition_text(condition: Condition, values: &[Variable]) -> String {
    let comparison = |comparison| match comparison {
        Comparison::Equal => "==",
        Comparison::NotEqual => "!=",
        Comparison::Less => "<",
        Comparison::GreaterOrEqual => ">=",
        Comparison::Greater => ">",
        Comparison::LessOrEqual => "<=",
    };
    let (symbol, right) = match condition {
        Condition::Zero(how) => (comparison(how), Some("0")),
        Condition::Ints(how) => (comparison(how), None),
        Condition::Same => ("==", None),
        Condition::Different => ("!=", None),
        Condition::Null => ("==", Some("null")),
        Condition::NotNull => ("!=", Some("null")),
    };
    let right = right.map_or_else(|| list(&values[1..]), ToString::to_string);
    format!("{} {symbol} {right}", list(&values[..1]))
}
