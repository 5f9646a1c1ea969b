//! Much state: fields, local variables, objects.

use super::assembler::Assembler;
use super::{Counter, File, PUBLIC, SYNCHRONIZED, opcode};

const STATIC_FIELD: u16 = 0x08;

/// One method with 16,000 assignments of a static field.
pub(super) fn assignments() -> Vec<File> {
    let mut class = Counter::new("Assignments");
    class.file.field(STATIC_FIELD, "s", "I");
    let field = class.file.field_reference("Assignments", "s", "I");
    let mut code = Assembler::with_slots(1);
    for _ in 0..16_000 {
        code.op(opcode::CONST_0);
        code.pool(opcode::PUT_STATIC, field);
    }
    code.op(opcode::RETURN);
    class.file.method(PUBLIC | SYNCHRONIZED, "assign", "()V", &code);
    vec![class.build()]
}

/// 5,000 fields, all of which one method adds to.
pub(super) fn fields() -> Vec<File> {
    let mut class = Counter::new("Fields");
    let mut code = Assembler::with_slots(1);
    for number in 0..5_000 {
        let name = format!("f{number}");
        class.file.field(0, &name, "I");
        let field = class.file.field_reference("Fields", &name, "I");
        code.op(opcode::LOAD_THIS);
        code.op(opcode::DUP);
        code.pool(opcode::GET_FIELD, field);
        code.op(opcode::CONST_1);
        code.op(opcode::ADD);
        code.pool(opcode::PUT_FIELD, field);
    }
    code.op(opcode::RETURN);
    class.method("all", &code);
    vec![class.build()]
}

/// Arrays of 255 dimensions, of which the object keeps one in each of 100 fields.
pub(super) fn dimensions() -> Vec<File> {
    let mut class = Counter::new("Dimensions");
    let descriptor = format!("{}Ljava/lang/Object;", "[".repeat(255));
    let array = class.file.class(&descriptor);
    let mut code = Assembler::with_slots(1);
    for number in 0..100 {
        let name = format!("a{number}");
        class.file.field(0, &name, &descriptor);
        let field = class.file.field_reference("Dimensions", &name, &descriptor);
        code.op(opcode::LOAD_THIS);
        (0..20).for_each(|_| code.op(opcode::CONST_1));
        code.pool(opcode::NEW_ARRAYS, array);
        code.op(20);
        code.pool(opcode::PUT_FIELD, field);
    }
    code.op(opcode::RETURN);
    class.method("make", &code);
    vec![class.build()]
}

/// 65,535 local variables, 8,000 of which hold values over 2,000 places at which control comes together.
pub(super) fn locals() -> Vec<File> {
    let mut class = Counter::new("Locals");
    let mut code = Assembler::with_slots(65_535);
    let wide = |code: &mut Assembler, operation: u8, slot: u16| {
        code.op(opcode::WIDE);
        code.pool(operation, slot);
    };
    for number in 0..8_000 {
        code.op(opcode::CONST_0);
        wide(&mut code, opcode::STORE, 65_534 - number);
    }
    for number in 0..1_500 {
        let (skip, slot) = (code.label(), 65_534 - number);
        wide(&mut code, opcode::LOAD, slot);
        code.jump(opcode::IF_ZERO, skip);
        code.op(opcode::CONST_1);
        wide(&mut code, opcode::STORE, slot);
        code.place(skip);
    }
    class.add(&mut code);
    code.op(opcode::RETURN);
    class.method("hold", &code);
    vec![class.build()]
}

/// 4,000 objects, made in as many places: a list of which each knows the next one.
pub(super) fn objects() -> Vec<File> {
    let mut class = Counter::new("Objects");
    class.file.field(0, "next", "LObjects;");
    let field = class.file.field_reference("Objects", "next", "LObjects;");
    let made = class.file.method_reference("Objects", "<init>", "()V");
    let own = class.file.class("Objects");
    let mut code = Assembler::with_slots(1);
    code.op(opcode::LOAD_THIS);
    for _ in 0..4_000 {
        // The last object knows a new one, which is the last one from now on.
        code.op(opcode::DUP);
        code.pool(opcode::NEW, own);
        code.op(opcode::DUP);
        code.pool(opcode::INVOKE_SPECIAL, made);
        code.pool(opcode::PUT_FIELD, field);
        code.pool(opcode::GET_FIELD, field);
    }
    code.op(opcode::POP);
    code.op(opcode::RETURN);
    class.method("grow", &code);
    vec![class.build()]
}

/// 40 final flags, each of which is tested ten times, in turn.
pub(super) fn flags() -> Vec<File> {
    let mut class = Counter::new("Flags");
    let mut code = Assembler::with_slots(1);
    for round in 0..10 {
        for number in 0..40 {
            let name = format!("f{number}");
            if round == 0 {
                class.file.field(0x10, &name, "Z");
            }
            let field = class.file.field_reference("Flags", &name, "Z");
            let skip = code.label();
            code.op(opcode::LOAD_THIS);
            code.pool(opcode::GET_FIELD, field);
            code.jump(opcode::IF_ZERO, skip);
            class.add(&mut code);
            code.place(skip);
        }
    }
    code.op(opcode::RETURN);
    class.method("test", &code);
    vec![class.build()]
}
