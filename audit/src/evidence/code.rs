//! The data flow of values that a torn section reads.
//!
//! The statements of an access are found by the method, the line and the field of the witness; a call that leads to the
//! access, by its line. Without line numbers all statements with the field match. The result is evidence for the order
//! of a report, never for a verdict, so it may be wrong for unusual code.

use decide::witness::Action;
use java::ir::{Body, Definition, End, Operation, StatementId, Use, Uses, Variable};
use java::{Constant, MethodId, Operator, Program};
use std::collections::BTreeSet;

/// The place of an access in a method: its own statement, or a call that leads to it.
#[derive(Clone, Debug)]
pub(super) struct AccessSite<'a> {
    /// The line in the method.
    pub(super) line: u32,
    /// Whether the line has the access itself, not a call.
    pub(super) is_direct: bool,
    /// The name of the method that is called, if a call leads to the access.
    pub(super) called: Option<java::Name>,
    pub(super) action: Action,
    /// The simple name of the field, without `[]`.
    pub(super) field: &'a str,
    /// Whether the content of the object in the field is accessed, not the field.
    pub(super) is_content: bool,
}

/// The targets of the values that are read.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Flows {
    /// The value that a later access writes, or an argument of its call.
    pub(super) to_later: bool,
    /// A condition.
    pub(super) to_condition: bool,
    /// The result, another field, or a call.
    pub(super) to_result: bool,
    /// Whether the value is used as an object, an array or an index itself.
    pub(super) is_dereferenced: bool,
    /// Whether the result of the later access is used as an object, an array or an index.
    pub(super) later_is_dereferenced: bool,
    /// Whether the code of the accesses was found.
    pub(super) is_known: bool,
}

/// The flows of the value of the first access, and the use of the results of the later ones.
pub(super) fn flows(program: &Program, body: &Body, accesses: &[AccessSite<'_>]) -> Flows {
    let Some((first, later)) = accesses.split_first() else { return Flows::default() };
    let mut sources = statements(program, body, first);
    let mut sinks: BTreeSet<StatementId> = later.iter().flat_map(|access| statements(program, body, access)).collect();
    // If several accesses are on one line, the first statement is the first access.
    if sources.len() > 1 && sources.iter().all(|id| sinks.contains(id)) && sources.len() == sinks.len() {
        sources.truncate(1);
        sinks.remove(&sources[0]);
    }
    if sources.is_empty() || sinks.is_empty() {
        return Flows::default();
    }
    let uses = Uses::new(body);
    // The value that a write leaves is not the one before it.
    let is_read = first.action == Action::Read;
    let mut flows = Flows { is_known: true, ..Flows::default() };
    let starts: Vec<Variable> = sources.iter().filter_map(|id| body.statement(*id).to).collect();
    flows.is_dereferenced = starts.iter().any(|value| is_dereferenced(body, &uses, *value));
    for used in reached(body, &uses, starts) {
        match used {
            Use::End(block) => match body.block(block).end {
                End::Branch { .. } | End::Switch { .. } => flows.to_condition = true,
                End::Return(_) | End::Throw(_) => flows.to_result = true,
                End::Goto(_) => {}
            },
            Use::Statement(id) if sinks.contains(&id) => flows.to_later |= is_read,
            Use::Statement(id) => flows.to_result |= is_sink(&body.statement(id).operation),
            Use::Argument { .. } => {}
        }
    }
    let mut results = sinks.iter().filter_map(|id| body.statement(*id).to);
    flows.later_is_dereferenced = results.any(|result| is_dereferenced(body, &uses, result));
    flows
}

/// Whether an operation stores a value or passes it to a method.
fn is_sink(operation: &Operation) -> bool {
    matches!(
        operation,
        Operation::PutField { .. }
            | Operation::PutStatic(..)
            | Operation::StoreElement { .. }
            | Operation::Invoke { .. }
            | Operation::InvokeDynamic { .. }
    )
}

/// Whether a use of a value, or of the value after a cast, fails if it is null or out of range.
fn is_dereferenced(body: &Body, uses: &Uses, value: Variable) -> bool {
    let mut open = vec![value];
    while let Some(value) = open.pop() {
        for used in uses.of(value) {
            let Use::Statement(id) = used else { continue };
            let statement = body.statement(*id);
            if is_dereference(&statement.operation, value) {
                return true;
            }
            // Each cast defines a new variable, so this ends.
            open.extend(statement.to.filter(|_| matches!(statement.operation, Operation::CheckCast(..))));
        }
    }
    false
}

/// Whether an operation fails if a value is null or out of range.
fn is_dereference(operation: &Operation, value: Variable) -> bool {
    match operation {
        Operation::Invoke { kind, arguments, .. } => {
            *kind != java::InvokeKind::Static && arguments.first() == Some(&value)
        }
        Operation::GetField { object, .. } => *object == value,
        Operation::LoadElement { array, index, .. } | Operation::StoreElement { array, index, .. } => {
            *array == value || *index == value
        }
        Operation::ArrayLength(array) => *array == value,
        _ => false,
    }
}

/// The uses that the values of the given variables reach.
fn reached(body: &Body, uses: &Uses, starts: Vec<Variable>) -> Vec<Use> {
    let mut seen: BTreeSet<Variable> = starts.iter().copied().collect();
    let mut open = starts;
    let mut found = Vec::new();
    while let Some(variable) = open.pop() {
        for used in uses.of(variable) {
            found.push(*used);
            let next = match used {
                Use::Statement(id) => body.statement(*id).to,
                Use::Argument { to, .. } => Some(*to),
                Use::End(_) => None,
            };
            open.extend(next.filter(|next| seen.insert(*next)));
        }
    }
    found
}

/// The statements of an access. Of several calls on its line, those of the method that leads to it, if there are some:
/// a library method may call it as well.
fn statements(program: &Program, body: &Body, access: &AccessSite<'_>) -> Vec<StatementId> {
    let found = statements_of_line(program, body, access);
    let is_called = |id: &&StatementId| match &body.statement(**id).operation {
        Operation::Invoke { member, .. } => Some(member.name) == access.called,
        _ => false,
    };
    let called: Vec<StatementId> = found.iter().filter(is_called).copied().collect();
    if called.is_empty() { found } else { called }
}

fn statements_of_line(program: &Program, body: &Body, access: &AccessSite<'_>) -> Vec<StatementId> {
    let mut found = Vec::new();
    for (block, code) in body.blocks() {
        for (statement, index) in code.statements.iter().zip(0..) {
            let is_there = statement.line == access.line || statement.line == 0 || access.line <= 1;
            if is_there && makes(program, &statement.operation, access) {
                found.push(StatementId { block, index });
            }
        }
    }
    found
}

fn makes(program: &Program, operation: &Operation, access: &AccessSite<'_>) -> bool {
    let is_named = |member: &java::Member| program.text(member.name) == access.field;
    match operation {
        Operation::Invoke { .. } | Operation::InvokeDynamic { .. } => !access.is_direct || access.is_content,
        Operation::LoadElement { .. } | Operation::ArrayLength(_) => access.is_content && access.action == Action::Read,
        Operation::StoreElement { .. } => access.is_content && access.action == Action::Write,
        Operation::GetField { field, .. } | Operation::GetStatic(field) => {
            access.is_direct && !access.is_content && access.action == Action::Read && is_named(field)
        }
        Operation::PutField { field, .. } | Operation::PutStatic(field, _) => {
            access.is_direct && !access.is_content && access.action == Action::Write && is_named(field)
        }
        _ => false,
    }
}

/// The operations of an access. Of several calls on its line, those on the object in the field of the access, if there
/// are some.
pub(super) fn operations<'b>(program: &Program, body: &'b Body, access: &AccessSite<'_>) -> Vec<&'b Operation> {
    let all = operations_of_line(program, body, access);
    let is_own = |operation: &&Operation| match operation {
        Operation::Invoke { arguments, .. } => {
            let receiver = arguments.first().and_then(|receiver| loaded_field(body, *receiver));
            receiver.is_some_and(|member| program.text(member.name) == access.field)
        }
        _ => false,
    };
    let own: Vec<&Operation> = all.iter().copied().filter(is_own).collect();
    if own.is_empty() { all } else { own }
}

/// The operations on the line of an access that may make it.
pub(super) fn operations_of_line<'b>(program: &Program, body: &'b Body, access: &AccessSite<'_>) -> Vec<&'b Operation> {
    statements(program, body, access).into_iter().map(|id| &body.statement(id).operation).collect()
}

/// The field that a variable was loaded from.
fn loaded_field(body: &Body, of: Variable) -> Option<java::Member> {
    match &definition(body, of)? {
        Operation::GetField { field, .. } | Operation::GetStatic(field) => Some(*field),
        _ => None,
    }
}

/// The operation that defines a variable.
fn definition(body: &Body, of: Variable) -> Option<&Operation> {
    match body.variable(of).definition {
        Definition::Statement(id) => Some(&body.statement(id).operation),
        _ => None,
    }
}

/// The constant in a variable.
pub(super) fn constant(body: &Body, of: Variable) -> Option<&Constant> {
    match definition(body, of)? {
        Operation::Constant(constant) => Some(constant),
        _ => None,
    }
}

/// Whether a variable holds a difference, or a sum with a negative constant.
pub(super) fn is_lowered(body: &Body, of: Variable) -> bool {
    let is_negative = |of: Variable| matches!(constant(body, of), Some(Constant::Int(..0) | Constant::Long(..0)));
    match definition(body, of) {
        Some(Operation::Binary(Operator::Subtract, ..)) => true,
        Some(Operation::Binary(Operator::Add, _, sum)) => sum.iter().any(|part| is_negative(*part)),
        _ => false,
    }
}

/// Whether values of a kind are integers, whose division by 0 fails.
pub(super) fn is_integer(kind: java::Kind) -> bool {
    matches!(kind, java::Kind::Int | java::Kind::Long)
}

/// The variables that get the results of an access.
pub(super) fn results(program: &Program, body: &Body, access: &AccessSite<'_>) -> Vec<Variable> {
    statements(program, body, access).into_iter().filter_map(|id| body.statement(id).to).collect()
}

/// The uses of numbers, and of numbers that are computed from these by sums, differences and conversions: each with the
/// variable that is used.
pub(super) fn numbers_from(body: &Body, starts: Vec<Variable>) -> Vec<(Variable, &Operation)> {
    let uses = Uses::new(body);
    let mut seen: BTreeSet<Variable> = starts.iter().copied().collect();
    let mut open = starts;
    let mut found = Vec::new();
    while let Some(variable) = open.pop() {
        for used in uses.of(variable) {
            let next = match used {
                Use::Statement(id) => {
                    let statement = body.statement(*id);
                    found.push((variable, &statement.operation));
                    let is_number = matches!(
                        statement.operation,
                        Operation::Binary(Operator::Add | Operator::Subtract, ..)
                            | Operation::Convert(..)
                            | Operation::Narrow(..)
                    );
                    statement.to.filter(|_| is_number)
                }
                Use::Argument { to, .. } => Some(*to),
                Use::End(_) => None,
            };
            open.extend(next.filter(|next| seen.insert(*next)));
        }
    }
    found
}

/// Whether a method only stores values of its parameters in fields of these names, whatever the old values are. It may
/// check its parameters, wrap them or convert them.
pub(super) fn is_setter(program: &Program, body: &Body, fields: &[&str], is_static: bool) -> bool {
    let skipped = usize::from(!is_static);
    let parameters: Vec<Variable> = body.parameters.iter().skip(skipped).copied().collect();
    let uses = Uses::new(body);
    let statement = |used: Use| if let Use::Statement(id) = used { Some(id) } else { None };
    let given: BTreeSet<StatementId> = reached(body, &uses, parameters).into_iter().filter_map(statement).collect();
    let is_named = |member: &java::Member| fields.contains(&program.text(member.name));
    let mut stores = 0;
    for (block, code) in body.blocks() {
        for (statement, index) in code.statements.iter().zip(0..) {
            match &statement.operation {
                Operation::PutField { field, value, .. } | Operation::PutStatic(field, value) if is_named(field) => {
                    let is_given = given.contains(&StatementId { block, index });
                    if !is_given && !is_constant(body, *value) {
                        return false;
                    }
                    stores += usize::from(is_given);
                }
                Operation::GetField { field, .. } | Operation::GetStatic(field) if is_named(field) => return false,
                _ => {}
            }
        }
    }
    stores > 0
}

/// Whether a method stores in fields of this name, and only constants.
pub(super) fn stores_constants(program: &Program, body: &Body, field: &str) -> bool {
    let (mut constants, mut others) = (0, 0);
    for (_, block) in body.blocks() {
        for statement in &block.statements {
            let (stored, value) = match &statement.operation {
                Operation::PutField { field, value, .. } | Operation::PutStatic(field, value) => (field, value),
                _ => continue,
            };
            if program.text(stored.name) != field {
                continue;
            }
            match is_constant(body, *value) {
                true => constants += 1,
                false => others += 1,
            }
        }
    }
    constants > 0 && others == 0
}

fn is_constant(body: &Body, value: Variable) -> bool {
    constant(body, value).is_some()
}

/// Whether a method has, on these lines, a compare-and-set, another atomic update, or a conditional operation of a
/// concurrent map.
pub(super) fn is_atomic(program: &Program, body: &Body, lines: [u32; 2]) -> bool {
    const OWNERS: [&str; 3] = ["java/util/concurrent/atomic/", "java/lang/invoke/VarHandle", "sun/misc/Unsafe"];
    const OF_MAPS: [&str; 5] = ["putIfAbsent", "computeIfAbsent", "compute", "merge", "replace"];
    let is_one = |statement: &java::ir::Statement| match &statement.operation {
        Operation::Invoke { member, .. } => {
            let (owner, name) = (program.text(member.class), program.text(member.name));
            let is_update = ["compareAnd", "getAnd", "AndGet", "weakCompare"].iter().any(|part| name.contains(part));
            let is_map = owner.starts_with("java/util/concurrent/Concurrent") && owner.contains("Map");
            is_update && OWNERS.iter().any(|known| owner.starts_with(known)) || is_map && OF_MAPS.contains(&name)
        }
        _ => false,
    };
    let is_inside = |line: u32| line == 0 || lines[0] <= line && line <= lines[1];
    body.blocks()
        .any(|(_, block)| block.statements.iter().any(|statement| is_inside(statement.line) && is_one(statement)))
}

/// The name of a method, without its class.
pub(super) fn simple_name(program: &Program, method: MethodId) -> &str {
    program.text(program.method(method).name)
}
