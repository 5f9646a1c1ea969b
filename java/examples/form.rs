//! Prints methods in register form: `cargo run --release -p asercheck-java --example form -- app.jar
//! com.example.Thing`.

use java::{Limits, Program};
use std::process::ExitCode;

fn main() -> ExitCode {
    let mut arguments = std::env::args().skip(1);
    let (Some(path), Some(name)) = (arguments.next(), arguments.next()) else {
        eprintln!("usage: form PATH CLASS");
        return ExitCode::from(2);
    };
    let (program, diagnostics) = Program::load(&[path.into()], &[], &Limits::default());
    diagnostics.iter().for_each(|diagnostic| eprintln!("{diagnostic}"));
    let Some(class) = program.find(&name) else {
        eprintln!("there is no class {name}");
        return ExitCode::FAILURE;
    };
    for method in program.class(class).methods() {
        match program.body(method, &|| false) {
            Ok(Some(body)) => println!("{}", body.display(&program)),
            Ok(None) => println!("{}: no code\n", program.method_name(method)),
            Err(error) => println!("{}: {error}\n", program.method_name(method)),
        }
    }
    ExitCode::SUCCESS
}
