//! Many calls and methods.

use super::assembler::Assembler;
use super::{Counter, File, PUBLIC, STATIC, SYNCHRONIZED, opcode};

/// A method for each number, which may call others.
fn numbered(name: &'static str, count: usize, flags: u16, calls: impl Fn(usize) -> Vec<usize>) -> Vec<File> {
    let mut class = Counter::new(name);
    for number in 0..count {
        let mut code = Assembler::with_slots(1);
        class.add(&mut code);
        for callee in calls(number) {
            let method = class.file.method_reference(name, &format!("m{callee}"), "()V");
            code.op(opcode::LOAD_THIS);
            code.pool(opcode::INVOKE_VIRTUAL, method);
        }
        code.op(opcode::RETURN);
        class.file.method(flags, &format!("m{number}"), "()V", &code);
    }
    vec![class.build()]
}

/// 20,000 synchronized methods.
pub(super) fn methods() -> Vec<File> {
    numbered("Methods", 20_000, PUBLIC | SYNCHRONIZED, |_| Vec::new())
}

/// 10,000 methods, each of which calls the next one.
pub(super) fn chain() -> Vec<File> {
    numbered("Chain", 10_000, PUBLIC, |number| Vec::from_iter((number < 9_999).then_some(number + 1)))
}

/// 10,000 methods, each of which calls the next one, and the last one the first one.
pub(super) fn cycle() -> Vec<File> {
    numbered("Cycle", 10_000, PUBLIC, |number| vec![(number + 1) % 10_000])
}

/// 5,000 methods, each of which calls two of the others.
pub(super) fn doubling() -> Vec<File> {
    numbered("Calls", 5_000, PUBLIC, |number| vec![(2 * number + 1) % 5_000, (3 * number + 2) % 5_000])
}

/// One method with 16,000 calls of a synchronized method.
pub(super) fn synchronized_calls() -> Vec<File> {
    let mut class = Counter::new("Locked");
    let method = class.file.method_reference("Locked", "add", "()V");
    let mut code = Assembler::with_slots(1);
    for _ in 0..16_000 {
        code.op(opcode::LOAD_THIS);
        code.pool(opcode::INVOKE_VIRTUAL, method);
    }
    code.op(opcode::RETURN);
    class.method("often", &code);
    vec![class.build()]
}

/// A method that enters the object's monitor 8,000 times before it leaves it as often.
pub(super) fn monitors_nested() -> Vec<File> {
    let mut class = Counter::new("Monitors");
    let mut code = Assembler::with_slots(1);
    for operation in [opcode::MONITOR_ENTER, opcode::MONITOR_EXIT] {
        for _ in 0..8_000 {
            code.op(opcode::LOAD_THIS);
            code.op(operation);
        }
        class.add(&mut code);
    }
    code.op(opcode::RETURN);
    class.method("enter", &code);
    vec![class.build()]
}

/// 5,000 functions, which are kept in one field and run from there.
pub(super) fn lambdas() -> Vec<File> {
    const RUNNABLE: &str = "Ljava/lang/Runnable;";
    let mut class = Counter::new("Lambdas");
    let field = class.file.field_reference("Lambdas", "task", RUNNABLE);
    let run = class.file.interface_method("java/lang/Runnable", "run", "()V");
    class.file.field(0, "task", RUNNABLE);
    let mut code = Assembler::with_slots(1);
    for number in 0..5_000 {
        let name = format!("lambda{number}");
        let mut body = Assembler::with_slots(1);
        class.add(&mut body);
        body.op(opcode::RETURN);
        class.file.method(SYNCHRONIZED, &name, "()V", &body);
        let site = class.file.runnable("Lambdas", &name, "()V", "LLambdas;", false);
        code.op(opcode::LOAD_THIS);
        code.op(opcode::LOAD_THIS);
        code.pool_and(opcode::INVOKE_DYNAMIC, site, [0, 0]);
        code.pool(opcode::PUT_FIELD, field);
    }
    code.op(opcode::RETURN);
    class.method("keep", &code);
    let mut code = Assembler::with_slots(1);
    code.op(opcode::LOAD_THIS);
    code.pool(opcode::GET_FIELD, field);
    code.pool_and(opcode::INVOKE_INTERFACE, run, [1, 0]);
    code.op(opcode::RETURN);
    class.method("run", &code);
    let mut code = Assembler::with_slots(0);
    code.op(opcode::RETURN);
    class.file.method(PUBLIC | STATIC, "nothing", "()V", &code);
    vec![class.build()]
}
