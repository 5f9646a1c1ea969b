//! Large hierarchies of types.

use super::assembler::{Assembler, ClassFile};
use super::{Counter, File, OBJECT, PUBLIC, SYNCHRONIZED, opcode};

const INTERFACE: u16 = 0x0601;

/// The constructor and `n++` of a class below another one, in which the field is.
fn below(name: &str, superclass: &str, method: &str) -> File {
    let mut file = ClassFile::default();
    let made = file.method_reference(superclass, "<init>", "()V");
    let field = file.field_reference(name, "n", "I");
    let mut code = Assembler::with_slots(1);
    code.op(opcode::LOAD_THIS);
    code.pool(opcode::INVOKE_SPECIAL, made);
    code.op(opcode::RETURN);
    file.method(PUBLIC, "<init>", "()V", &code);
    let mut code = Assembler::with_slots(1);
    code.op(opcode::LOAD_THIS);
    code.op(opcode::DUP);
    code.pool(opcode::GET_FIELD, field);
    code.op(opcode::CONST_1);
    code.op(opcode::ADD);
    code.pool(opcode::PUT_FIELD, field);
    code.op(opcode::RETURN);
    file.method(PUBLIC, method, "()V", &code);
    (format!("{name}.class"), file.build(name, superclass, &[], "Hostile.java"))
}

/// 3,000 classes, each below the one before, each with a method of its own.
pub(super) fn inheritance() -> Vec<File> {
    let name = |number: usize| if number == 0 { "Top".to_string() } else { format!("Below{number}") };
    let mut files = vec![Counter::new("Top").build()];
    for number in 1..3_000 {
        files.push(below(&name(number), &name(number - 1), &format!("m{number}")));
    }
    files
}

/// 1,000 classes that override one method, which a class calls in 5,000 places.
pub(super) fn overriders() -> Vec<File> {
    let mut class = Counter::new("Base");
    let method = class.file.method_reference("Base", "add", "()V");
    let field = class.file.field_reference("Base", "other", "LBase;");
    class.file.field(0, "other", "LBase;");
    let mut code = Assembler::with_slots(1);
    for _ in 0..5_000 {
        code.op(opcode::LOAD_THIS);
        code.pool(opcode::GET_FIELD, field);
        code.pool(opcode::INVOKE_VIRTUAL, method);
    }
    code.op(opcode::RETURN);
    class.method("often", &code);
    let mut code = Assembler::with_slots(1);
    for number in 0..1_000 {
        let name = format!("Over{number}");
        let (own, made) = (class.file.class(&name), class.file.method_reference(&name, "<init>", "()V"));
        code.op(opcode::LOAD_THIS);
        code.pool(opcode::NEW, own);
        code.op(opcode::DUP);
        code.pool(opcode::INVOKE_SPECIAL, made);
        code.pool(opcode::PUT_FIELD, field);
    }
    code.op(opcode::RETURN);
    class.method("make", &code);
    let over = (0..1_000).map(|number| below(&format!("Over{number}"), "Base", "add"));
    [class.build()].into_iter().chain(over).collect()
}

/// 1,000 layers of two interfaces, each of which extends both of the layer below; a class that implements the two on
/// top.
pub(super) fn diamonds() -> Vec<File> {
    let names = |layer: usize| [format!("Left{layer}"), format!("Right{layer}")];
    let mut files = Vec::new();
    for layer in 0..1_000 {
        for name in names(layer) {
            let below = if layer == 0 { Vec::new() } else { names(layer - 1).to_vec() };
            let below: Vec<&str> = below.iter().map(String::as_str).collect();
            let bytes = ClassFile::default().build_with(INTERFACE, &name, OBJECT, &below, "Hostile.java");
            files.push((format!("{name}.class"), bytes));
        }
    }
    let top = names(999);
    let class = Counter::new("Diamonds");
    let bytes = class.file.build("Diamonds", OBJECT, &[&top[0], &top[1]], "Hostile.java");
    files.push(("Diamonds.class".into(), bytes));
    files
}

/// Two classes that are each below the other, and one below itself.
pub(super) fn circle() -> Vec<File> {
    let own = |name: &'static str, superclass: &str| {
        let mut class = Counter::new(name);
        let mut code = Assembler::with_slots(1);
        let method = class.file.method_reference(superclass, "add", "()V");
        code.op(opcode::LOAD_THIS);
        code.pool(opcode::INVOKE_SPECIAL, method);
        code.op(opcode::RETURN);
        class.file.method(PUBLIC | SYNCHRONIZED, "above", "()V", &code);
        (format!("{name}.class"), class.file.build(name, superclass, &[], "Hostile.java"))
    };
    vec![own("One", "Two"), own("Two", "One"), own("Self", "Self")]
}
