//! The register form of methods of the maximum size.

use crate::assembler::{Assembler, Label, program_of};
use crate::builder::ClassBuilder;
use java::ir::{self, Body, BodyError, Dominators, Liveness, Loops, Uses};
use std::time::{Duration, Instant};

/// Computes the body of a static method and its derived facts within a time limit.
fn body_of(name: &str, code: Assembler, class: ClassBuilder) -> Result<Body, BodyError> {
    let (program, method) = {
        let mut class = class;
        let (bytes, handlers) = code.finish();
        class.method_of(("m", "()V", 9), &bytes, &handlers);
        program_of(&class)
    };
    let start = Instant::now();
    let body = program.body(method, &|| false);
    let made = start.elapsed();
    if let Ok(Some(body)) = &body {
        let liveness = Liveness::new(body, &|| false).expect("the computation is not cancelled");
        let live: usize = body.blocks().map(|(id, _)| liveness.at_start(id).len()).max().unwrap_or(0);
        let _ = (Dominators::new(body), Uses::new(body));
        let derived = start.elapsed() - made;
        let loops = Loops::new(body, &|| false).expect("the computation is not cancelled").all().len();
        let looped = start.elapsed() - made - derived;
        let blocks = body.blocks().len();
        eprintln!("{name}: {blocks} blocks, {} variables, at most {live} live, {loops} loops", body.variables());
        eprintln!("{name}: made in {made:?}, facts in {derived:?}, loops in {looped:?}");
    } else {
        eprintln!("{name}: {:?} in {made:?}", body.as_ref().err());
    }
    // The usual time is below one second. The limit is higher because the machine may be busy.
    assert!(start.elapsed() < Duration::from_secs(10), "{:?}", start.elapsed());
    if let Ok(Some(body)) = &body {
        ir::verify(body).unwrap_or_else(|flaw| panic!("{name}: {flaw}"));
    }
    body.map(|body| body.expect("the method has code"))
}

fn class() -> ClassBuilder {
    ClassBuilder::new(b"Large", b"java/lang/Object")
}

fn index(number: usize) -> u16 {
    u16::try_from(number).expect("the number is small")
}

/// `wide` with a local variable.
fn wide(code: &mut Assembler, opcode: u8, local: usize) {
    code.emit(&[196]);
    code.with(opcode, index(local));
}

#[test]
fn sixteen_thousand_stores() {
    let mut class = class();
    let field = class.member(9, b"Large", b"field", b"I");
    let mut code = Assembler::default();
    for _ in 0..16_000 {
        code.emit(&[3]);
        code.with(179, field);
    }
    code.emit(&[177]);
    let body = body_of("stores", code, class).expect("the code is valid");
    assert_eq!((body.blocks().len(), body.variables()), (1, 16_000));
}

#[test]
fn chained_gotos() {
    // Alternating jumps forwards and backwards, such that no target is the next instruction.
    let mut code = Assembler::default();
    let labels: Vec<Label> = (0..8000).map(|_| code.label()).collect();
    let mut order: Vec<usize> = (0..8000).map(|place| place * 4801 % 8000).collect();
    order.push(8000);
    code.emit(&[3, 59]);
    code.jump(167, labels[order[0]]);
    let mut next = vec![0; 8000];
    order.windows(2).for_each(|pair| next[pair[0]] = pair[1]);
    let mut last = None;
    for (place, label) in labels.iter().enumerate() {
        code.place(*label);
        match labels.get(next[place]) {
            Some(target) => code.jump(167, *target),
            None => last = Some(code.here()),
        }
        if last.is_some() && next[place] == 8000 {
            code.emit(&[177]);
        }
    }
    assert!(last.is_some());
    let body = body_of("gotos", code, class());
    assert_eq!(body.expect("the code is valid").blocks().len(), 1);
    // Each part may be skipped, which yields a diamond.
    let mut code = Assembler::default();
    code.emit(&[3, 59]);
    for _ in 0..3200 {
        let next = code.label();
        code.emit(&[26]);
        code.jump(153, next);
        code.emit(&[132, 0, 1]);
        code.place(next);
    }
    code.emit(&[26, 87, 177]);
    let body = body_of("diamonds", code, class()).expect("the code is valid");
    assert_eq!(body.blocks().len(), 6401);
}

#[test]
fn ten_thousand_cases() {
    let mut code = Assembler::default();
    code.emit(&[3, 59, 3, 60, 26]);
    let default = code.label();
    let labels: Vec<Label> = (0..4000).map(|_| code.label()).collect();
    let cases: Vec<(i32, Label)> = (0..4000).zip(labels.iter().copied()).collect();
    code.switch(&cases, default);
    for label in labels {
        code.place(label);
        code.emit(&[132, 0, 1, 132, 1, 2]);
    }
    code.place(default);
    code.emit(&[177]);
    body_of("cases that fall through", code, class()).expect("the code is valid");
    let mut code = Assembler::default();
    code.emit(&[3, 59, 26]);
    let default = code.label();
    let cases: Vec<(i32, Label)> = (0..8000).map(|value| (value, default)).collect();
    code.switch(&cases, default);
    code.place(default);
    code.emit(&[177]);
    body_of("cases that do nothing", code, class()).expect("the code is valid");
}

/// A method with nested handlers, each of which catches a class of its own or everything.
fn nested(count: usize, calls: usize, own_class: bool, stores: bool) -> Result<Body, BodyError> {
    let mut class = class();
    let method = class.member(10, b"Large", b"call", b"()V");
    let mut code = Assembler::default();
    code.emit(&[3, 59, 3, 60]);
    let start = code.here();
    for _ in 0..calls {
        code.with(184, method);
        if stores {
            code.emit(&[132, 0, 1]);
        }
    }
    for number in 0..count {
        let end = code.here();
        code.with(184, method);
        code.emit(&[177]);
        let target = code.here();
        code.emit(&[87, 26, 87]);
        let catches = if own_class { class.class(format!("E{number}").as_bytes()) } else { 0 };
        code.handler(start, end, target, catches);
    }
    code.emit(&[177]);
    body_of(&format!("{count} handlers"), code, class)
}

#[test]
fn a_thousand_handlers() {
    let body = nested(1000, 100, true, true).expect("the code is valid");
    let edges = |block: &ir::Block| block.edges().count();
    assert!(body.blocks().map(|(_, block)| edges(block)).sum::<usize>() > 100_000);
    nested(1000, 7000, false, true).expect("the code is valid");
    nested(6000, 10, false, false).expect("the code is valid");
    // 10 million edges exceed the limit.
    let error = nested(1000, 10_000, true, false).expect_err("it is too large");
    assert_eq!(error, BodyError::TooLarge { method: "Large.m()V".into() });
}

#[test]
fn loops_in_loops() {
    for depth in [1000, 5000] {
        let mut code = Assembler::default();
        code.emit(&[3, 59, 3, 60]);
        let heads: Vec<Label> = (0..depth).map(|_| code.here_after(&[0])).collect();
        code.emit(&[132, 0, 1]);
        for head in heads.iter().rev() {
            code.emit(&[27]);
            code.jump_far(*head);
        }
        code.emit(&[177]);
        let body = body_of(&format!("{depth} loops"), code, class()).expect("the code is valid");
        assert_eq!(Loops::new(&body, &|| false).expect("the computation is not cancelled").all().len(), depth);
    }
}

#[test]
fn many_local_variables() {
    let mut with_field = class();
    let field = with_field.member(9, b"Large", b"field", b"I");
    // All variables are live through 2,000 branches, in each of which one variable is changed.
    let mut code = Assembler::default();
    for local in 0..4000 {
        code.emit(&[3]);
        wide(&mut code, 54, local);
    }
    for _ in 0..2000 {
        let next = code.label();
        code.emit(&[26]);
        code.jump(153, next);
        code.emit(&[132, 0, 1]);
        code.place(next);
    }
    for local in 0..4000 {
        wide(&mut code, 21, local);
        code.with(179, field);
    }
    code.emit(&[177]);
    let body = body_of("live through", code, with_field.clone()).expect("the code is valid");
    assert_eq!(
        Liveness::new(&body, &|| false)
            .expect("the computation is not cancelled")
            .at_end(body.blocks().nth(1000).expect("it exists").0)
            .len(),
        4000
    );
    // Each variable is changed in one of many branches.
    let mut code = Assembler::default();
    for local in 0..2500 {
        code.emit(&[3]);
        wide(&mut code, 54, local);
    }
    for local in 0..2500 {
        let next = code.label();
        wide(&mut code, 21, local);
        code.jump(153, next);
        wide(&mut code, 132, local);
        code.emit(&[0, 1]);
        code.place(next);
    }
    for local in 0..2500 {
        wide(&mut code, 21, local);
        code.with(179, field);
    }
    code.emit(&[177]);
    body_of("changed", code, with_field).expect("the code is valid");
}

#[test]
fn the_highest_stack() {
    let mut code = Assembler::default();
    for _ in 0..30_000 {
        code.emit(&[3]);
    }
    for _ in 0..4000 {
        let next = code.label();
        code.emit(&[3]);
        code.jump(153, next);
        code.emit(&[87, 4]);
        code.place(next);
    }
    code.emit(&[177]);
    body_of("stack", code, class()).expect("the code is valid");
}

/// A chain of subroutines, each of which calls the next one twice.
fn doubling(depth: usize) -> Result<Body, BodyError> {
    let mut code = Assembler::default();
    let subroutines: Vec<Label> = (0..depth).map(|_| code.label()).collect();
    code.jump(168, subroutines[0]);
    code.emit(&[177]);
    for (number, label) in subroutines.iter().enumerate() {
        let local = u8::try_from(number).expect("the number is small");
        code.place(*label);
        code.emit(&[58, local]);
        if let Some(next) = subroutines.get(number + 1) {
            code.jump(168, *next);
            code.jump(168, *next);
        }
        code.emit(&[169, local]);
    }
    body_of(&format!("{depth} subroutines"), code, class())
}

#[test]
fn subroutines_that_double() {
    doubling(10).expect("the code is valid");
    assert!(matches!(doubling(200), Err(BodyError::TooLarge { .. })));
    assert!(matches!(doubling(30), Err(BodyError::TooLarge { .. })));
}

#[test]
fn work_can_be_cancelled() {
    let mut code = Assembler::default();
    for _ in 0..20_000 {
        code.emit(&[3, 87]);
    }
    code.emit(&[177]);
    let mut class = class();
    let (bytes, handlers) = code.finish();
    class.method_of(("m", "()V", 9), &bytes, &handlers);
    let (program, method) = program_of(&class);
    let asked = std::cell::Cell::new(0);
    let is_cancelled = || {
        asked.set(asked.get() + 1);
        asked.get() > 3
    };
    assert_eq!(program.body(method, &is_cancelled), Err(BodyError::Cancelled));
    let bodies = ir::Bodies::new(&program);
    asked.set(0);
    assert_eq!(bodies.get(method, &is_cancelled), Err(BodyError::Cancelled));
    let body = bodies.get(method, &|| false).expect("the code is valid").expect("the method has code");
    let again = bodies.get(method, &|| true).expect("the code is valid").expect("the method has code");
    assert!(std::sync::Arc::ptr_eq(&body, &again));
    assert_eq!(Loops::new(&body, &|| true).err(), Some(ir::Cancelled));
    assert_eq!(Liveness::new(&body, &|| true).err(), Some(ir::Cancelled));
}
