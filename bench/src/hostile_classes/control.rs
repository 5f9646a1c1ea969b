//! Much control flow: jumps, subroutines, handlers, switches.

use super::assembler::{Assembler, Label};
use super::{Counter, File, opcode};

/// 8,000 jumps, each to the one before it in the code.
pub(super) fn gotos() -> Vec<File> {
    let mut class = Counter::new("Gotos");
    let mut code = Assembler::with_slots(1);
    let [first, last] = [(); 2].map(|()| code.label());
    code.jump(opcode::GOTO, first);
    code.place(last);
    class.add(&mut code);
    code.op(opcode::RETURN);
    let mut target = last;
    for _ in 0..8_000 {
        let here = code.here();
        code.jump(opcode::GOTO, target);
        target = here;
    }
    code.place(first);
    code.jump(opcode::GOTO, target);
    class.method("jump", &code);
    vec![class.build()]
}

/// 3,000 tests of local variables, each of which leads from one half of the code to the other.
pub(super) fn gotos_by_halves() -> Vec<File> {
    let mut class = Counter::new("Halves");
    let mut code = Assembler::with_slots(3);
    let pieces: Vec<Label> = (0..3_000).map(|_| code.label()).collect();
    let end = code.label();
    let count = pieces.len();
    code.op(opcode::CONST_0);
    code.local(opcode::STORE, 1);
    code.op(opcode::CONST_0);
    code.local(opcode::STORE, 2);
    code.jump(opcode::GOTO, pieces[0]);
    for number in (0..count).step_by(2).chain((1..count).step_by(2)) {
        code.place(pieces[number]);
        code.local(opcode::LOAD, 1 + number as u16 % 2);
        code.jump(opcode::IF_ZERO, pieces.get(number + 1).copied().unwrap_or(end));
        code.increment(2 - number as u16 % 2);
        code.jump(opcode::GOTO, pieces.get(number + 1).copied().unwrap_or(end));
    }
    code.place(end);
    class.add(&mut code);
    code.op(opcode::RETURN);
    class.method("jump", &code);
    vec![class.build()]
}

/// 4,000 loops in each other.
pub(super) fn loops() -> Vec<File> {
    let mut class = Counter::new("Loops");
    let mut code = Assembler::with_slots(2);
    code.op(opcode::CONST_0);
    code.local(opcode::STORE, 1);
    let heads: Vec<Label> = (0..4_000)
        .map(|_| {
            let head = code.here();
            code.increment(1);
            head
        })
        .collect();
    class.add(&mut code);
    for head in heads.into_iter().rev() {
        code.local(opcode::LOAD, 1);
        code.jump(opcode::IF_ZERO, head);
    }
    code.op(opcode::RETURN);
    class.method("turn", &code);
    vec![class.build()]
}

/// 2,000 places, each of which may be followed by the next one or by one of those from the other end: no loop has one
/// head.
pub(super) fn loops_with_many_heads() -> Vec<File> {
    let mut class = Counter::new("Heads");
    let mut code = Assembler::with_slots(2);
    let places: Vec<Label> = (0..2_000).map(|_| code.label()).collect();
    code.op(opcode::CONST_0);
    code.local(opcode::STORE, 1);
    for (number, place) in places.iter().enumerate() {
        code.place(*place);
        code.increment(1);
        code.local(opcode::LOAD, 1);
        code.jump(opcode::IF_ZERO, places[places.len() - 1 - number]);
    }
    class.add(&mut code);
    code.op(opcode::RETURN);
    class.method("turn", &code);
    vec![class.build()]
}

/// Subroutines, each of which calls the next one `calls` times.
fn subroutines(name: &'static str, depth: usize, calls: usize) -> Vec<File> {
    let mut class = Counter::new(name);
    let mut code = Assembler::with_slots(1 + depth);
    let starts: Vec<Label> = (0..depth).map(|_| code.label()).collect();
    code.jump(opcode::JSR, starts[0]);
    code.op(opcode::RETURN);
    for (number, start) in starts.iter().enumerate() {
        let slot = 1 + number as u16;
        code.place(*start);
        code.op(opcode::WIDE);
        code.pool(opcode::STORE_OBJECT, slot);
        match starts.get(number + 1) {
            Some(next) => (0..calls).for_each(|_| code.jump(opcode::JSR, *next)),
            None => class.add(&mut code),
        }
        code.op(opcode::WIDE);
        code.pool(opcode::RET, slot);
    }
    class.method("call", &code);
    vec![class.build()]
}

/// 5,000 subroutines in each other.
pub(super) fn subroutines_deep() -> Vec<File> {
    subroutines("Deep", 5_000, 1)
}

/// 60 subroutines in each other, each of which is called twice.
pub(super) fn subroutines_doubling() -> Vec<File> {
    subroutines("Doubling", 60, 2)
}

/// 10,000 handlers around all of 10,000 instructions that can throw.
pub(super) fn handlers() -> Vec<File> {
    let mut class = Counter::new("Handlers");
    let field = class.file.field_reference("Handlers", "n", "I");
    let mut code = Assembler::with_slots(3);
    let begin = code.here();
    for _ in 0..5_000 {
        code.op(opcode::LOAD_THIS);
        code.pool(opcode::GET_FIELD, field);
        code.op(opcode::POP);
    }
    let end = code.here();
    code.op(opcode::RETURN);
    for _ in 0..10_000 {
        let target = code.here();
        code.handler(begin, end, target, Some("java/lang/RuntimeException"));
        code.op(opcode::STORE_OBJECT_2);
        code.op(opcode::RETURN);
    }
    class.method("guard", &code);
    vec![class.build()]
}

/// 3,000 handlers in each other, each of which guards the one before, and changes a local variable.
pub(super) fn handlers_nested() -> Vec<File> {
    let mut class = Counter::new("Nested");
    let mut code = Assembler::with_slots(2);
    code.op(opcode::CONST_0);
    code.local(opcode::STORE, 1);
    let begin = code.here();
    class.add(&mut code);
    for _ in 0..3_000 {
        let end = code.here();
        code.op(opcode::RETURN);
        let target = code.here();
        code.handler(begin, end, target, None);
        code.op(opcode::POP);
        code.increment(1);
        class.add(&mut code);
    }
    code.op(opcode::RETURN);
    class.method("guard", &code);
    vec![class.build()]
}

/// A switch with 7,000 cases, all different.
pub(super) fn switch() -> Vec<File> {
    let mut class = Counter::new("Switch");
    let field = class.file.field_reference("Switch", "n", "I");
    let mut code = Assembler::with_slots(1);
    let cases: Vec<Label> = (0..7_000).map(|_| code.label()).collect();
    let end = code.label();
    code.op(opcode::LOAD_THIS);
    code.pool(opcode::GET_FIELD, field);
    code.switch(&cases, end);
    for case in cases {
        code.place(case);
        code.op(0);
    }
    code.place(end);
    class.add(&mut code);
    code.op(opcode::RETURN);
    class.method("choose", &code);
    vec![class.build()]
}

/// 50 consecutive switches, each with 60 cases, which fall through and change the object.
pub(super) fn switches() -> Vec<File> {
    let mut class = Counter::new("Switches");
    let field = class.file.field_reference("Switches", "n", "I");
    let mut code = Assembler::with_slots(2);
    for _ in 0..50 {
        let cases: Vec<Label> = (0..60).map(|_| code.label()).collect();
        let end = code.label();
        code.op(opcode::LOAD_THIS);
        code.pool(opcode::GET_FIELD, field);
        code.switch(&cases, end);
        for case in cases {
            code.place(case);
            class.add(&mut code);
            code.op(0);
        }
        code.place(end);
    }
    code.op(opcode::RETURN);
    class.method("choose", &code);
    vec![class.build()]
}
