//! The register form of subroutines, handlers and loops.

use crate::assembler::{Assembler, program_of};
use crate::builder::ClassBuilder;
use java::ir::{self, BodyError};

/// The blocks of a method as text.
fn text_of(class: &mut ClassBuilder, (descriptor, flags): (&str, u16), code: Assembler) -> String {
    let (bytes, handlers) = code.finish();
    class.method_of(("m", descriptor, flags), &bytes, &handlers);
    let (program, method) = program_of(class);
    match program.body(method, &|| false) {
        Err(error) => error.to_string(),
        Ok(body) => {
            let body = body.expect("the method has code");
            ir::verify(&body).unwrap_or_else(|flaw| panic!("{flaw}"));
            crate::facts::check(&body);
            let text = body.display(&program).to_string();
            text.split_once('\n').expect("it has a head").1.to_string()
        }
    }
}

fn class() -> ClassBuilder {
    ClassBuilder::new(b"Shapes", b"java/lang/Object")
}

/// Compares the blocks of a static method, regardless of indentation.
fn expect(descriptor: &str, build: impl FnOnce(&mut Assembler, &mut ClassBuilder), expected: &str) {
    expect_of((descriptor, 9), build, expected);
}

fn expect_of(declared: (&str, u16), build: impl FnOnce(&mut Assembler, &mut ClassBuilder), expected: &str) {
    let (mut code, mut class) = (Assembler::default(), class());
    build(&mut code, &mut class);
    let found = text_of(&mut class, declared, code);
    let lines = |text: &str| text.lines().map(str::trim).filter(|line| !line.is_empty()).collect::<Vec<_>>().join("\n");
    assert_eq!(lines(&found), lines(expected), "found:\n{found}");
}

const JSR: u8 = 168;
const GOTO: u8 = 167;
const IFEQ: u8 = 153;

#[test]
fn a_subroutine_is_copied() {
    // The code of old compilers for `try { return a; } finally { f = 1; }`.
    let build = |code: &mut Assembler, class: &mut ClassBuilder| {
        let field = class.member(9, b"Shapes", b"f", b"I");
        let method = class.member(10, b"Shapes", b"call", b"()I");
        let subroutine = code.label();
        let start = code.here();
        code.with(184, method);
        code.emit(&[59]);
        code.jump(JSR, subroutine);
        code.emit(&[26, 172]);
        let end = code.here();
        code.emit(&[76]);
        code.jump(JSR, subroutine);
        code.emit(&[43, 191]);
        code.place(subroutine);
        code.emit(&[77, 4]);
        code.with(179, field);
        code.emit(&[169, 2]);
        code.handler(start, end, end, 0);
    };
    expect(
        "()I",
        build,
        "b0:
           v0 = static Shapes.call()I() ! * -> b1
           v1 = 1
           Shapes.f = v1
           return v0
         b1 catches v2: java/lang/Throwable:
           v3 = 1
           Shapes.f = v3
           throw v2",
    );
}

#[test]
fn a_subroutine_may_be_left_for_a_loop() {
    // `while (true) try { f = a; } finally { if (a == 0) continue; }`: the address is not needed, and nothing is
    // copied.
    let build = |code: &mut Assembler, class: &mut ClassBuilder| {
        let field = class.member(9, b"Shapes", b"f", b"I");
        let [head, subroutine] = [code.label(), code.label()];
        code.place(head);
        code.emit(&[26]);
        code.with(179, field);
        code.jump(JSR, subroutine);
        code.jump(GOTO, head);
        code.place(subroutine);
        code.emit(&[76, 26]);
        code.jump(IFEQ, head);
        code.emit(&[169, 1]);
    };
    expect(
        "(I)V",
        build,
        "b0:
           goto b1
         b1:
           Shapes.f = v0
           if v0 == 0 goto b1 else b2
         b2:
           goto b1",
    );
}

#[test]
fn subroutines_in_subroutines() {
    // Two calls of a subroutine that calls another one twice, with one local variable for the address of the inner one.
    let build = |code: &mut Assembler, class: &mut ClassBuilder| {
        let field = class.member(9, b"Shapes", b"f", b"I");
        let [outer, inner] = [code.label(), code.label()];
        code.jump(JSR, outer);
        code.jump(JSR, outer);
        code.emit(&[177]);
        code.place(outer);
        code.emit(&[76]);
        code.jump(JSR, inner);
        code.jump(JSR, inner);
        code.emit(&[169, 1]);
        code.place(inner);
        code.emit(&[77, 132, 0, 1, 26]);
        code.with(179, field);
        code.emit(&[169, 2]);
    };
    let mut expected = "b0:\n".to_string();
    for (before, constant) in [0, 2, 4, 6].into_iter().zip([1, 3, 5, 7]) {
        let sum = constant + 1;
        expected += &format!("v{constant} = 1\nv{sum} = v{before} + v{constant}\nShapes.f = v{sum}\n");
    }
    expect("(I)V", build, &(expected + "return"));
}

/// The error of invalid code, or the text of valid code.
fn error(code: &[u8]) -> String {
    let mut assembler = Assembler::default();
    assembler.emit(code);
    text_of(&mut class(), ("(ILjava/lang/Object;)V", 9), assembler)
}

#[test]
fn invalid_code_is_an_error() {
    let wrong =
        |at, problem| format!("the code of Shapes.m(ILjava/lang/Object;)V is wrong: instruction {at}: {problem}");
    let local = |at| wrong(at, "a local variable does not hold what is read from it");
    let ret = |at| wrong(at, "a ret without a return address");
    // An unassigned variable is loaded; an object is loaded as an int; half a long is loaded.
    assert_eq!(error(&[28, 87, 177]), local(0));
    assert_eq!(error(&[27, 87, 177]), local(0));
    assert_eq!(error(&[9, 63, 27, 87, 177]), local(2));
    assert_eq!(error(&[4, 60, 9, 63, 27, 87, 177]), local(4));
    assert_eq!(error(&[132, 1, 1, 177]), local(0));
    // The variable is unassigned on one of two paths.
    assert_eq!(error(&[26, 153, 0, 5, 3, 61, 28, 87, 177]), local(4));
    // The variable has another kind on one of two paths; that is an error only if it is read.
    assert_eq!(error(&[3, 61, 26, 153, 0, 5, 43, 77, 28, 87, 177]), local(6));
    assert!(error(&[3, 61, 26, 153, 0, 5, 43, 77, 177]).starts_with("b0"));
    // A return address is loaded, used twice, or missing.
    assert_eq!(error(&[168, 0, 4, 177, 77, 44, 87, 177]), local(3));
    assert_eq!(error(&[169, 0]), ret(0));
    assert_eq!(error(&[169, 1]), ret(0));
    assert_eq!(error(&[168, 0, 4, 177, 77, 3, 61, 169, 2]), ret(5));
    let mismatch = "the operand stack does not hold what the instruction takes";
    assert!(error(&[168, 0, 4, 177, 191]).contains(mismatch));
    assert!(error(&[168, 0, 4, 177, 4, 96, 177]).contains(mismatch));
    // A recursive subroutine raises the stack. If it stores the address first, it never returns from the first call.
    assert!(error(&[168, 0, 3, 168, 0, 0, 177]).contains("too large"));
    assert!(error(&[168, 0, 4, 177, 77, 168, 0xFF, 0xFF, 169, 2]).starts_with("b0"));
}

#[test]
fn handlers_receive_the_values_at_the_throw() {
    let build = |code: &mut Assembler, class: &mut ClassBuilder| {
        let method = class.member(10, b"Shapes", b"call", b"()V");
        let catches = class.class(b"x/Y");
        code.emit(&[3, 60]);
        let start = code.here();
        code.with(184, method);
        code.emit(&[4, 60]);
        code.with(184, method);
        code.emit(&[5, 60, 4, 61, 177]);
        let end = code.here();
        code.emit(&[87, 27, 172]);
        code.handler(start, end, end, catches);
        code.handler(start, end, end, 0);
        // No handler after one that catches everything is reachable.
        code.handler(start, end, start, 0);
    };
    expect(
        "()V",
        build,
        "b0:
           v0 = 0
           static Shapes.call()V() ! x/Y -> b1(v0), * -> b1(v0)
           v1 = 1
           static Shapes.call()V() ! x/Y -> b1(v1), * -> b1(v1)
           v2 = 2
           v3 = 1
           return
         b1(v5: int) catches v4: java/lang/Throwable:
           return v5",
    );
}

#[test]
fn handlers_may_cover_themselves_and_be_branched_to() {
    let build = |code: &mut Assembler, class: &mut ClassBuilder| {
        let method = class.member(10, b"Shapes", b"call", b"()V");
        let start = code.here();
        code.emit(&[42]);
        code.emit(&[0]);
        let target = code.here();
        code.emit(&[76]);
        code.with(184, method);
        code.emit(&[43, 191]);
        let end = code.here();
        code.handler(start, end, target, 0);
    };
    expect(
        "(Ljava/lang/Throwable;)V",
        build,
        "b0:
           goto b1(v0)
         b1(v1: java/lang/Throwable):
           static Shapes.call()V() ! * -> b2
           throw v1 ! * -> b2
         b2 catches v2: java/lang/Throwable:
           goto b1(v2)",
    );
}

/// Compares an instance method whose body is covered by one handler that returns 1.
fn covered(body: impl FnOnce(&mut Assembler, &mut ClassBuilder), expected: &str) {
    let build = |code: &mut Assembler, class: &mut ClassBuilder| {
        let start = code.here();
        body(code, class);
        code.emit(&[3, 172]);
        let end = code.here();
        code.emit(&[87, 4, 172]);
        code.handler(start, end, end, 0);
    };
    expect_of(("(Ljava/lang/Object;I)I", 1), build, expected);
}

#[test]
fn statements_that_cannot_throw_have_no_handlers() {
    // Fields and monitors of the receiver, a new object and a constant; division by 2; an array of length 2.
    let build = |code: &mut Assembler, class: &mut ClassBuilder| {
        let field = class.member(9, b"Shapes", b"f", b"I");
        let own = class.class(b"Shapes");
        code.emit(&[42, 28]);
        code.with(181, field);
        code.emit(&[42, 194, 42, 195]);
        code.with(187, own);
        code.with(180, field);
        code.emit(&[5, 108, 61, 5, 188, 10, 190, 87]);
        code.emit(&[19]);
        code.emit(&own.to_be_bytes());
        code.emit(&[194]);
    };
    covered(
        build,
        "b0:
           v0.Shapes.f = v2
           enter v0
           exit v0
           v3 = new Shapes
           v4 = v3.Shapes.f
           v5 = 2
           v6 = v4 / v5
           v7 = 2
           v8 = new [I (v7)
           v9 = length v8
           v10 = class Shapes
           enter v10
           v11 = 0
           return v11",
    );
}

#[test]
fn statements_that_can_throw_have_handlers() {
    let build = |code: &mut Assembler, class: &mut ClassBuilder| {
        let field = class.member(9, b"Shapes", b"f", b"Ljava/lang/Object;");
        let array = class.class(b"[I");
        code.emit(&[43]);
        code.with(180, field);
        code.emit(&[58, 4, 43, 194, 43, 195, 28, 28, 112, 87, 28, 188, 10, 190, 87, 43]);
        code.with(192, array);
        code.emit(&[28, 46, 87, 28, 3, 108, 87, 2, 188, 10, 87]);
    };
    covered(
        build,
        "b0:
           v3 = v1.Shapes.f ! * -> b1
           enter v1 ! * -> b1
           exit v1
           v4 = v2 % v2 ! * -> b1
           v5 = new [I (v2) ! * -> b1
           v6 = length v5
           v7 = cast v1 to [I ! * -> b1
           v8 = v7[v2] ! * -> b1
           v9 = 0
           v10 = v2 / v9 ! * -> b1
           v11 = -1
           v12 = new [I (v11) ! * -> b1
           v13 = 0
           return v13
         b1 catches v14: java/lang/Throwable:
           v15 = 1
           return v15",
    );
}

#[test]
fn loop_invariant_values_are_no_parameters() {
    // Local variable 1 is assigned its own value, through the stack and another local variable.
    let build = |code: &mut Assembler, _: &mut ClassBuilder| {
        let head = code.here_after(&[27, 61, 28, 27, 95, 60, 87]);
        code.emit(&[132, 0, 255, 26]);
        code.jump(154, head);
        code.emit(&[27, 172]);
    };
    expect(
        "(II)I",
        build,
        "b0:
           goto b1(v0)
         b1(v2: int):
           v3 = -1
           v4 = v2 + v3
           if v4 != 0 goto b1(v4) else b2
         b2:
           return v1",
    );
}

#[test]
fn irreducible_loops_have_no_unnecessary_parameters() {
    // Two heads with edges to each other. Both copy local variable 1, and neither changes it.
    let build = |code: &mut Assembler, class: &mut ClassBuilder| {
        let method = class.member(10, b"Shapes", b"call", b"()I");
        let [one, other] = [code.label(), code.label()];
        code.emit(&[26]);
        code.jump(IFEQ, other);
        code.place(one);
        code.emit(&[27, 61, 28, 60]);
        code.with(184, method);
        code.emit(&[59]);
        code.place(other);
        code.emit(&[27, 61, 28, 60, 26]);
        code.jump(IFEQ, one);
        code.emit(&[27, 172]);
    };
    expect(
        "(II)I",
        build,
        "b0:
           if v0 == 0 goto b1(v0) else b3
         b1(v2: int):
           if v2 == 0 goto b3 else b2
         b2:
           return v1
         b3:
           v3 = static Shapes.call()I()
           goto b1(v3)",
    );
}

#[test]
fn values_may_be_swapped_in_a_loop() {
    let build = |code: &mut Assembler, _: &mut ClassBuilder| {
        let head = code.here_after(&[26, 27, 59, 60, 26]);
        code.jump(154, head);
        code.emit(&[27, 172]);
    };
    expect(
        "(II)I",
        build,
        "b0:
           goto b1(v0, v1)
         b1(v2: int, v3: int):
           if v3 != 0 goto b1(v3, v2) else b2
         b2:
           return v2",
    );
}

#[test]
fn types_are_joined() {
    // Two exceptions with unknown supertypes; null and a string; an array and a string; elements of an array.
    let choose = |code: &mut Assembler, one: &[u8], other: &[u8]| {
        let [second, next] = [code.label(), code.label()];
        code.emit(&[26]);
        code.jump(IFEQ, second);
        code.emit(one);
        code.jump(GOTO, next);
        code.place(second);
        code.emit(other);
        code.place(next);
    };
    let build = |code: &mut Assembler, class: &mut ClassBuilder| {
        let field = class.member(9, b"Shapes", b"f", b"Ljava/lang/Object;");
        choose(code, &[1], &[43]);
        code.with(179, field);
        choose(code, &[43], &[44]);
        code.with(179, field);
        choose(code, &[44], &[44, 3, 50]);
        code.with(179, field);
        code.emit(&[177]);
    };
    let (mut code, mut class) = (Assembler::default(), class());
    build(&mut code, &mut class);
    let text = text_of(&mut class, ("(ILjava/lang/String;[[I)V", 9), code);
    let joined: Vec<_> = text.lines().filter(|line| line.starts_with('b') && line.contains('(')).collect();
    let types: Vec<_> = joined.iter().map(|line| line.split(": ").nth(1).expect("it has a type")).collect();
    assert_eq!(types, ["java/lang/String):", "java/lang/Object):", "java/lang/Object):"], "{text}");
}

#[test]
fn bodies_are_none_or_errors() {
    let mut damaged = class();
    damaged.method("m", &[203], &[]);
    let (program, method) = program_of(&damaged);
    assert!(matches!(program.body(method, &|| false), Err(BodyError::Code(_))));
    let bodies = ir::Bodies::new(&program);
    assert_eq!(bodies.get(method, &|| false), bodies.get(method, &|| false));
    let program = crate::load(&[crate::models().join("reader")]);
    let outside = program.methods().find(|(id, _)| program.text(program.method(*id).name) == "outside");
    assert_eq!(program.body(outside.expect("it exists").0, &|| false), Ok(None));
}
