//! Register form of compiled classes.

use crate::models;
use java::Program;
use java::ir;

/// Computes and verifies the bodies of every n-th method of a program. Returns their number.
pub fn verify_all(program: &Program, every: usize) -> usize {
    let mut count = 0;
    for (id, _) in program.methods().step_by(every) {
        let name = program.method_name(id);
        let Some(body) = program.body(id, &|| false).unwrap_or_else(|error| panic!("{error}")) else { continue };
        ir::verify(&body).unwrap_or_else(|flaw| panic!("{name}: {flaw}\n{}", body.display(program)));
        crate::facts::check(&body);
        count += 1;
    }
    count
}

#[test]
fn bodies_of_our_own_classes_are_verified() {
    let folders = std::fs::read_dir(models()).expect("a folder").map(|entry| entry.expect("an entry").path());
    let mut count = 0;
    for folder in folders.filter(|path| path.is_dir()) {
        let (program, _) = Program::load(&[folder], &[], &java::Limits::default());
        count += verify_all(&program, 1);
    }
    assert!(count > 500, "{count}");
}

#[test]
fn bodies_of_a_sample_of_java_base_are_verified() {
    for path in crate::installed::java_base() {
        let (program, _) = Program::load(&[path], &[], &java::Limits::default());
        let count = verify_all(&program, 29);
        eprintln!("{count} bodies verified");
        assert!(count > 1000);
    }
}

/// `cargo test --release -p asercheck-java -- --ignored register_form`
#[test]
#[ignore = "seconds: all of java.base"]
fn register_form_of_java_base() {
    for path in crate::installed::java_base() {
        let (program, _) = Program::load(&[path], &[], &java::Limits::default());
        let start = std::time::Instant::now();
        let mut count = [0; 3];
        for (id, _) in program.methods() {
            let Some(body) = program.body(id, &|| false).unwrap_or_else(|error| panic!("{error}")) else { continue };
            let statements: usize = body.blocks().map(|(_, block)| block.statements.len()).sum();
            count.iter_mut().zip([1, statements, body.variables()]).for_each(|(sum, more)| *sum += more);
        }
        let time = start.elapsed();
        println!("methods, statements, variables: {count:?} in {time:?}; verified in all: {}", verify_all(&program, 1));
    }
}

/// `cargo test --release -p asercheck-java -- --ignored register_form`
#[test]
#[ignore = "minutes: all archives of the machine"]
fn register_form_of_everything_on_the_machine() {
    let mut counts = [0; 4];
    for path in crate::installed::archives() {
        let (program, _) = Program::load(&[path], &[], &java::Limits::default());
        for (id, method) in program.methods().filter(|(_, method)| method.has_code()) {
            let is_old = program.class(method.class).version < 50;
            let code = if is_old { program.code(id).ok().flatten() } else { None };
            let calls = |code: java::Code| code.instructions().any(|(_, one)| matches!(one, java::Instruction::Jsr(_)));
            let has_subroutine = code.is_some_and(calls);
            let body = match program.body(id, &|| false) {
                Ok(body) => body.expect("the method has code"),
                Err(error) => {
                    eprintln!("{error}");
                    counts[3] += 1;
                    continue;
                }
            };
            ir::verify(&body).unwrap_or_else(|flaw| panic!("{}: {flaw}", program.method_name(id)));
            let statements: usize = body.blocks().map(|(_, block)| block.statements.len()).sum();
            let more = [1, statements, usize::from(has_subroutine)];
            counts.iter_mut().zip(more).for_each(|(sum, more)| *sum += more);
        }
    }
    eprintln!("methods, statements, methods with subroutines, errors: {counts:?}");
}
