//! Register form is equivalent to bytecode: two interpreters run random methods and are compared step by step.
//!
//! One interprets bytecode on slots according to the specification of the virtual machine, with return addresses in
//! local variables. The other interprets register form. They share only arithmetic and the results of calls and static
//! fields.

mod bytecode;
pub mod random;
mod register_form;
mod values;

use crate::assembler::program_of;
use java::ir;
use values::{Outcome, Value};

/// Checks that the outcomes agree, and the steps as far as both went.
fn compare(of_code: &Outcome, of_form: &Outcome, text: impl Fn() -> String) {
    for (place, (one, other)) in of_code.steps.iter().zip(&of_form.steps).enumerate() {
        assert_eq!(one, other, "step {place}\n{}", text());
    }
    if let (Some(one), Some(other)) = (&of_code.result, &of_form.result) {
        assert_eq!((one, of_code.steps.len()), (other, of_form.steps.len()), "{}", text());
    }
}

/// Whether some instruction occurs twice, because of a subroutine.
fn has_copies(body: &ir::Body) -> bool {
    let ends = body.blocks().filter(|(_, block)| !matches!(block.end, ir::End::Goto(_)));
    let mut ends: Vec<_> = ends.map(|(_, block)| block.at).collect();
    ends.sort_unstable();
    ends.windows(2).any(|pair| pair[0] == pair[1])
}

/// Runs random methods. Returns the number of compared steps.
fn run(seed: u64, count: usize) -> usize {
    let mut random = fastrand::Rng::with_seed(seed);
    let [mut steps, mut ended, mut thrown, mut copies] = [0; 4];
    for number in 0..count {
        let class = random::class(&mut random);
        let (program, method) = program_of(&class);
        let code = program.code(method).expect("the code is valid").expect("the method has code");
        let text = || format!("seed {seed}, number {number}");
        let body = program.body(method, &|| false).unwrap_or_else(|error| panic!("{}: {error}", text()));
        let body = body.expect("the method has code");
        let show = || {
            let instructions = code.instructions().map(|(at, instruction)| format!("{} {instruction:?}", at.index()));
            let code = instructions.collect::<Vec<_>>().join("\n");
            format!(
                "{}\n{}\n{code}\n{:?}",
                text(),
                body.display(&program),
                program.code(method).map(|code| code.map(|code| code.handlers().to_vec()))
            )
        };
        ir::verify(&body).unwrap_or_else(|flaw| panic!("{flaw}\n{}", show()));
        crate::facts::check(&body);
        copies += usize::from(has_copies(&body));
        for _ in 0..4 {
            let arguments = [
                Value::Int(random.i32(-3..4)),
                Value::Long(random.i64(-3..4)),
                Value::Reference(random.bool().then_some(0)),
            ];
            let of_code = bytecode::run(&program, &code, &arguments);
            let of_form = register_form::run(&program, &code, &body, &arguments);
            compare(&of_code, &of_form, show);
            steps += of_code.steps.len().min(of_form.steps.len());
            ended += usize::from(of_code.result.is_some() && of_form.result.is_some());
            thrown += usize::from(matches!(of_form.result, Some(Err(_))));
        }
    }
    eprintln!(
        "seed {seed}: {count} methods, {steps} steps, {ended} ended, {thrown} with an exception, {copies} with copies"
    );
    assert!(ended > count / 2 && thrown > count / 10 && ended - thrown > count / 10 && copies > count / 10);
    steps
}

#[test]
fn register_form_is_equivalent_to_bytecode() {
    assert!(run(1, 1500) > 10_000);
}

/// `cargo test --release -p asercheck-java -- --ignored random_methods`
#[test]
#[ignore = "minutes"]
fn many_random_methods_are_equivalent() {
    (100..140).for_each(|seed| {
        run(seed, 10_000);
    });
}
