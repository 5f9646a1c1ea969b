//! Calls and field accesses that do not fit the named member: a virtual machine throws an error there.

use super::assembler::Assembler;
use super::{Counter, File, PUBLIC, STATIC, SYNCHRONIZED, opcode};

/// The body of a method in which each access throws.
type Wrong = fn(&mut Counter, &mut Assembler);

/// The bodies by the names of the methods.
const ALL: [(&str, Wrong); 12] = [
    ("static_of_instance", |class, code| {
        let method = class.file.method_reference("Wrong", "add", "()V");
        code.pool(opcode::INVOKE_STATIC, method);
    }),
    ("static_of_constructor", |class, code| {
        let method = class.file.method_reference("Wrong", "<init>", "()V");
        code.pool(opcode::INVOKE_STATIC, method);
    }),
    ("virtual_of_static", |class, code| {
        let method = class.file.method_reference("Wrong", "shared", "()V");
        code.op(opcode::LOAD_THIS);
        code.pool(opcode::INVOKE_VIRTUAL, method);
    }),
    ("special_of_static", |class, code| {
        let method = class.file.method_reference("Wrong", "shared", "()V");
        code.op(opcode::LOAD_THIS);
        code.pool(opcode::INVOKE_SPECIAL, method);
    }),
    ("interface_of_class", |class, code| {
        let method = class.file.interface_method("Wrong", "add", "()V");
        code.op(opcode::LOAD_THIS);
        code.pool_and(opcode::INVOKE_INTERFACE, method, [1, 0]);
    }),
    ("virtual_of_interface", |class, code| {
        let method = class.file.method_reference("java/lang/Runnable", "run", "()V");
        code.op(opcode::LOAD_THIS);
        code.pool(opcode::INVOKE_VIRTUAL, method);
    }),
    ("no_such_method", |class, code| {
        let method = class.file.method_reference("Wrong", "none", "()V");
        code.op(opcode::LOAD_THIS);
        code.pool(opcode::INVOKE_VIRTUAL, method);
    }),
    ("no_such_class", |class, code| {
        let method = class.file.method_reference("Missing", "none", "()V");
        code.op(opcode::CONST_NULL);
        code.pool(opcode::INVOKE_VIRTUAL, method);
    }),
    ("get_of_static", |class, code| {
        let field = class.file.field_reference("Wrong", "s", "I");
        code.op(opcode::LOAD_THIS);
        code.pool(opcode::GET_FIELD, field);
        code.op(opcode::POP);
    }),
    ("put_of_static", |class, code| {
        let field = class.file.field_reference("Wrong", "s", "I");
        code.op(opcode::LOAD_THIS);
        code.op(opcode::CONST_1);
        code.pool(opcode::PUT_FIELD, field);
    }),
    ("static_get_of_instance", |class, code| {
        let field = class.file.field_reference("Wrong", "n", "I");
        code.pool(opcode::GET_STATIC, field);
        code.op(opcode::POP);
    }),
    ("static_put_of_instance", |class, code| {
        let field = class.file.field_reference("Wrong", "n", "I");
        code.op(opcode::CONST_1);
        code.pool(opcode::PUT_STATIC, field);
    }),
];

/// A class with two methods for each wrong access, a plain and a synchronized one. The code after the access is never
/// executed.
pub(super) fn calls() -> Vec<File> {
    let mut class = Counter::new("Wrong");
    class.file.field(STATIC, "s", "I");
    let mut code = Assembler::with_slots(0);
    code.op(opcode::RETURN);
    class.file.method(PUBLIC | STATIC | SYNCHRONIZED, "shared", "()V", &code);
    for (name, does) in ALL {
        for (flags, prefix) in [(PUBLIC, ""), (PUBLIC | SYNCHRONIZED, "locked_")] {
            let mut code = Assembler::with_slots(1);
            does(&mut class, &mut code);
            class.add(&mut code);
            code.op(opcode::RETURN);
            class.file.method(flags, &format!("{prefix}{name}"), "()V", &code);
        }
    }
    vec![class.build()]
}
