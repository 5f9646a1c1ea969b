//! A front end as a client of the library: it has control-flow graphs and source files, and neither a text in EML nor
//! nested statements. What is wrong with its graphs, and what violates a pattern, is said in terms of its files and
//! lines.
//!
//! `cargo run --example control_flow`

use asercheck::model::{Errors, GraphBuilder, GraphError, Mode, Model, Multiplicity, Operation, ProcedureId};
use asercheck::phases::UnitMode;
use asercheck::query::{Property, Selection};
use asercheck::{Options, Verdict, check_all};

/// An instruction of a method, as a compiler might leave it.
enum Instruction {
    MonitorEnter,
    MonitorExit,
    Get(&'static str),
    Put(&'static str),
    Invoke(&'static str),
    /// Goes on behind it, or at the instruction with this index.
    Branch(usize),
    Return,
}

/// A method: its instructions with the lines that they come from.
struct Method {
    name: &'static str,
    file: &'static str,
    code: Vec<(Instruction, u32)>,
}

/// `take` tests and increments in one critical section each.
fn program() -> Vec<Method> {
    use Instruction::{Branch, Get, Invoke, MonitorEnter, MonitorExit, Put, Return};
    let used = "Pool.used";
    vec![
        Method {
            name: "Pool.isFull",
            file: "Pool.java",
            code: vec![(MonitorEnter, 10), (Get(used), 11), (MonitorExit, 12), (Return, 12)],
        },
        Method {
            name: "Pool.increment",
            file: "Pool.java",
            code: vec![(MonitorEnter, 15), (Get(used), 16), (Put(used), 16), (MonitorExit, 17), (Return, 17)],
        },
        Method {
            name: "Client.take",
            file: "Client.java",
            code: vec![(Invoke("Pool.isFull"), 7), (Branch(3), 7), (Invoke("Pool.increment"), 8), (Return, 10)],
        },
    ]
}

/// Any number of clients, each of which takes again and again; each call is a unit of work.
fn model_of(methods: &[Method]) -> Result<Model, Errors<GraphError>> {
    let mut builder = GraphBuilder::new();
    let pool = builder.file("Pool.java");
    let lock = builder.lock("Pool.this", pool.at(1, 1));
    let fields = [("Pool.used", builder.location("Pool.used", pool.at(3, 1)))];
    let field = |name: &str| fields.iter().find(|(known, _)| *known == name).expect("every field is declared").1;
    let mut procedures: Vec<(&str, ProcedureId)> = Vec::new();
    for method in methods {
        let file = builder.file(method.file);
        procedures.push((method.name, builder.function(method.name, file.at(method.code[0].1, 1))));
    }
    let procedure =
        |name: &str| procedures.iter().find(|(known, _)| *known == name).expect("every method is declared").1;
    for method in methods {
        let file = builder.file(method.file);
        let operation = |instruction: &Instruction| match instruction {
            Instruction::MonitorEnter => Operation::Acquire(lock, Mode::Write),
            Instruction::MonitorExit => Operation::Release(lock, Mode::Write),
            Instruction::Get(name) => Operation::Read(field(name)),
            Instruction::Put(name) => Operation::Write(field(name)),
            Instruction::Invoke(name) => Operation::Call(procedure(name)),
            Instruction::Branch(_) => Operation::Skip,
            Instruction::Return => Operation::Return,
        };
        let own = procedure(method.name);
        let code = method.code.iter();
        let nodes: Vec<_> = code.map(|(one, line)| builder.node(own, operation(one), file.at(*line, 1))).collect();
        for (place, (instruction, _)) in method.code.iter().enumerate() {
            match instruction {
                Instruction::Return => {}
                Instruction::Branch(target) => {
                    builder.edge(nodes[place], nodes[place + 1]);
                    builder.edge(nodes[place], nodes[*target]);
                }
                _ => builder.edge(nodes[place], nodes[place + 1]),
            }
        }
    }
    let client = builder.file("Client.java");
    let (_, body) = builder.process("Client", Multiplicity::Many, client.at(5, 1));
    let take = Operation::Call(procedure("Client.take"));
    let cycle =
        [Operation::Begin, take, Operation::End].map(|operation| builder.node(body, operation, client.at(5, 1)));
    for (from, to) in [(0, 1), (1, 2), (2, 0)] {
        builder.edge(cycle[from], cycle[to]);
    }
    Ok(builder.build()?.0)
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut methods = program();
    let model = model_of(&methods)?;
    let queries = Selection::default().queries(&model, &Property::all_patterns(UnitMode::Both))?;
    let outcomes = check_all(&model, &queries, &Options::default(), |_, _| {})?;
    for (query, outcome) in queries.iter().zip(&outcomes) {
        if let Verdict::Violation(witness) = &outcome.verdict {
            println!("pattern {}:", query.property().label());
            for step in witness.steps.iter().filter(|step| step.event.is_some()) {
                let file = step.file.as_deref().unwrap_or("?");
                println!("  {} {:?} at {file}:{}", witness.threads[step.thread], step.action, step.line);
            }
        }
    }
    // A front end with a bug: one way out of the method leaves its monitor locked.
    methods[0].code[2].0 = Instruction::Branch(3);
    for error in model_of(&methods).expect_err("the monitor is still held") {
        println!("{error}");
    }
    Ok(())
}
