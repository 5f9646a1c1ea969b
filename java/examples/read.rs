//! Reads class files and archives, and says what was found and what it cost.
//!
//! `cargo run --release -p asercheck-java --example read -- /usr/lib/jvm/*/jmods/java.base.jmod`

use java::{Limits, Program};
use std::time::Instant;

fn main() {
    let paths: Vec<_> = std::env::args_os().skip(1).map(Into::into).collect();
    let start = Instant::now();
    let (program, diagnostics) = Program::load(&paths, &[], &Limits::default());
    let loaded = start.elapsed();
    for diagnostic in &diagnostics {
        println!("{diagnostic}");
    }
    let resident = resident();
    let start = Instant::now();
    let (mut instructions, mut damaged) = (0, 0);
    for (id, _) in program.methods() {
        match program.code(id) {
            Ok(code) => instructions += code.map_or(0, |code| code.len()),
            Err(error) => {
                println!("{error}");
                damaged += 1;
            }
        }
    }
    println!(
        "{} classes, {} methods ({damaged} damaged), {instructions} instructions",
        program.classes().len(),
        program.methods().len()
    );
    println!("read in {loaded:.2?}, all code decoded in {:.2?}, {resident}", start.elapsed());
}

/// What the process holds in memory, as Linux says.
fn resident() -> String {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let lines = status.lines().filter(|line| line.starts_with("VmHWM") || line.starts_with("VmRSS"));
    lines.map(|line| line.split_whitespace().collect::<Vec<_>>().join(" ")).collect::<Vec<_>>().join(", ")
}
