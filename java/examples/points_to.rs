//! Runs the pointer analysis, and says what it found and what it cost.
//!
//! `cargo run --release -p asercheck-java --example points_to -- /usr/lib/jvm/*/jmods/java.base.jmod`
//!
//! `--public` for clients in other packages; `--main app.Main` for a program that nobody but the virtual machine calls; `--method NAME` shows
//! what the methods of this name hold and call.

use java::library::Library;
use java::points_to::{Access, Clients, Mode, PointsTo};
use java::{Limits, Program};
use std::time::Instant;

fn main() {
    let mut arguments = std::env::args();
    let mut option = |name: &str| arguments.by_ref().skip_while(|it| it != name).nth(1);
    let main = option("--main");
    let shown = std::env::args().skip_while(|it| it != "--method").nth(1);
    let is_public = std::env::args().any(|it| it == "--public");
    let mut given = std::env::args().skip(1);
    let mut paths = Vec::new();
    while let Some(argument) = given.next() {
        match argument.as_str() {
            "--main" | "--method" => drop(given.next()),
            "--public" => {}
            path => paths.push(path.into()),
        }
    }
    let start = Instant::now();
    let (program, _) = Program::load(&paths, &[], &Limits::default());
    println!(
        "{} classes, {} methods read in {:.2?}",
        program.classes().len(),
        program.methods().len(),
        start.elapsed()
    );
    let library = Library::builtin();
    let access = if is_public { Access::Public } else { Access::Package };
    let mode = match main.map(|name| main_of(&program, &name)) {
        None => Mode::Client(Clients { access, ..Clients::default() }),
        Some(Some(method)) => Mode::Main(method),
        Some(None) => return println!("there is no such main method"),
    };
    let start = Instant::now();
    match PointsTo::new(&program, &library, mode, &|| false) {
        Err(error) => println!("{error}"),
        Ok(found) => {
            println!("{:#?}\nanalysed in {:.2?}", found.statistics(), start.elapsed());
            sizes(&program, &found);
            if let Some(name) = shown {
                show(&program, &found, &name);
            }
        }
    }
    println!("{}", resident());
}

fn main_of(program: &Program, class: &str) -> Option<java::MethodId> {
    let class = program.find(class)?;
    program.declared_method(class, program.name("main")?, program.name("([Ljava/lang/String;)V")?)
}

/// How large points-to sets of parameters and results are.
fn sizes(program: &Program, found: &PointsTo<'_>) {
    let mut sizes: Vec<usize> = Vec::new();
    for (method, _) in program.methods().filter(|(method, _)| found.is_reached(*method)) {
        let sets = (0..4).map(|place| found.parameter(method, place)).chain([found.result(method)]);
        sizes.extend(sets.filter(|set| !set.is_empty()).map(|set| set.len()));
    }
    sizes.sort_unstable();
    let part = |of: usize| sizes.get(sizes.len() * of / 100).copied().unwrap_or(0);
    let sum: usize = sizes.iter().sum();
    println!(
        "sets of {} parameters and results: mean {:.1}, median {}, 90 %: {}, 99 %: {}, largest {}",
        sizes.len(),
        sum as f64 / sizes.len().max(1) as f64,
        part(50),
        part(90),
        part(99),
        sizes.last().copied().unwrap_or(0)
    );
}

fn show(program: &Program, found: &PointsTo<'_>, name: &str) {
    for (id, method) in program.methods() {
        if program.text(method.name) != name || !found.is_reached(id) {
            continue;
        }
        println!("{}", program.method_name(id));
        for place in 0..4 {
            let set = found.parameter(id, place);
            let shown: Vec<String> = set.iter().take(10).map(|object| describe(program, found, object)).collect();
            println!("  {place}: {} objects: {}", set.len(), shown.join(", "));
        }
        let set = found.result(id);
        let shown: Vec<String> = set.iter().take(10).map(|object| describe(program, found, object)).collect();
        println!("  result: {} objects: {}", set.len(), shown.join(", "));
        let Ok(Some(body)) = program.body(id, &|| false) else { continue };
        for (block, content) in body.blocks() {
            for (index, statement) in (0..).zip(&content.statements) {
                let at = java::ir::StatementId { block, index };
                if let Some(callees) = found.callees(id, at) {
                    let methods: Vec<String> =
                        callees.methods.iter().chain(&callees.functions).map(|id| program.method_name(*id)).collect();
                    println!(
                        "  line {}: rows {}, client {}, unknown {}: {}",
                        statement.line,
                        callees.rows,
                        callees.client,
                        callees.unknown,
                        methods.join(", ")
                    );
                }
            }
        }
    }
}

fn describe(program: &Program, found: &PointsTo<'_>, object: java::points_to::ObjectId) -> String {
    let escapes = if found.escapes(object) { "" } else { " (own)" };
    let of = found.type_name(found.type_of_object(object));
    match found.object(object).site() {
        Some(site) => format!("{of} of {}{escapes}", program.method_name(site.method)),
        None => format!("{:?} {of}", found.object(object)),
    }
}

/// What the process holds in memory, as Linux says.
fn resident() -> String {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let lines = status.lines().filter(|line| line.starts_with("VmHWM") || line.starts_with("VmRSS"));
    lines.map(|line| line.split_whitespace().collect::<Vec<_>>().join(" ")).collect::<Vec<_>>().join(", ")
}
