//! Another analyzer as a client of the library: it has its own representation of a program, builds the graphs of a
//! model of it in code, and reports violations in terms of its own program, without any EML text.
//!
//! `cargo run --example analyzer`

use asercheck::model::{Errors, GraphBuilder, GraphError, Mode, Model, Multiplicity, Operation};
use asercheck::phases::UnitMode;
use asercheck::query::{Property, Query, Selection};
use asercheck::witness::{Action, Witness};
use asercheck::{Options, Verdict, check_all};
use std::collections::HashMap;

/// A statement of the analyzed program, with its line.
enum Statement {
    Read(&'static str, u32),
    Write(&'static str, u32),
    Call(&'static str, u32),
}

/// A method; the lock of a synchronized one is its object's.
struct Method {
    name: &'static str,
    synchronized: bool,
    body: Vec<Statement>,
}

/// A class of which all threads share one object, whose fields belong together.
struct Class {
    name: &'static str,
    fields: Vec<&'static str>,
    methods: Vec<Method>,
}

/// A counter with a synchronized increment, but callers that test before they increment.
fn program() -> Class {
    use Statement::{Call, Read, Write};
    let method = |name, synchronized, body| Method { name, synchronized, body };
    Class {
        name: "Pool",
        fields: vec!["used", "size"],
        methods: vec![
            method("isFull", true, vec![Read("used", 11), Read("size", 11)]),
            method("take", true, vec![Read("used", 15), Write("used", 16)]),
            method("grow", true, vec![Read("size", 20), Write("size", 21)]),
            method("takeIfAny", false, vec![Call("isFull", 25), Call("take", 26)]),
        ],
    }
}

/// Any number of threads that call any of the methods again and again; each call is a unit of work.
fn model_of(class: &Class) -> Result<Model, Errors<GraphError>> {
    let mut builder = GraphBuilder::new();
    let file = builder.file("Pool.java");
    let here = file.at(1, 1);
    // Locks, locations and sets have names of their own kinds.
    let lock = builder.lock(class.name, here);
    let fields: HashMap<_, _> = class.fields.iter().map(|field| (*field, builder.location(*field, here))).collect();
    builder.atomic_set(class.name, fields.values().copied(), here);
    let methods: HashMap<_, _> =
        class.methods.iter().map(|method| (method.name, builder.function(method.name, here))).collect();
    for method in &class.methods {
        let statements = method.body.iter().map(|statement| match *statement {
            Statement::Read(field, line) => (Operation::Read(fields[field]), line),
            Statement::Write(field, line) => (Operation::Write(fields[field]), line),
            Statement::Call(method, line) => (Operation::Call(methods[method]), line),
        });
        let (first, last) = (method.body.first().map_or(1, line_of), method.body.last().map_or(1, line_of));
        let is_guarded = method.synchronized;
        let enters = is_guarded.then_some((Operation::Acquire(lock, Mode::Write), first));
        let leaves = is_guarded.then_some((Operation::Release(lock, Mode::Write), last));
        let body = enters.into_iter().chain(statements).chain(leaves).chain([(Operation::Return, last)]);
        let own = methods[method.name];
        let nodes: Vec<_> = body.map(|(operation, line)| builder.node(own, operation, file.at(line, 1))).collect();
        nodes.windows(2).for_each(|pair| builder.edge(pair[0], pair[1]));
    }
    let (_, client) = builder.process("Client", Multiplicity::Many, here);
    let again = builder.node(client, Operation::Skip, here);
    for method in &class.methods {
        let call = [Operation::Begin, Operation::Call(methods[method.name]), Operation::End];
        let [begin, call, end] = call.map(|operation| builder.node(client, operation, here));
        for (from, to) in [(again, begin), (begin, call), (call, end), (end, again)] {
            builder.edge(from, to);
        }
    }
    Ok(builder.build()?.0)
}

fn line_of(statement: &Statement) -> u32 {
    match statement {
        Statement::Read(_, line) | Statement::Write(_, line) | Statement::Call(_, line) => *line,
    }
}

/// What the accesses of the pattern are and where they stand.
fn explain(model: &Model, query: &Query, witness: &Witness) {
    let fields: Vec<_> = query.locations().iter().map(|id| model.location(*id).name()).collect();
    println!("pattern {} on {}:", query.property().label(), fields.join(" and "));
    for step in witness.steps.iter().filter(|step| step.event.is_some() && step.action != Action::Begin) {
        let thread = &witness.threads[step.thread];
        let verb = if step.action == Action::Write { "writes" } else { "reads" };
        let field = step.object.as_deref().unwrap_or_default();
        println!("  {thread} {verb} {field} in {}, line {}", step.function, step.line);
    }
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let class = program();
    let model = model_of(&class)?;
    let queries = Selection::default().queries(&model, &Property::all_patterns(UnitMode::Both))?;
    let outcomes = check_all(&model, &queries, &Options::default(), |_, _| {})?;
    let mut safe = 0;
    for (query, outcome) in queries.iter().zip(&outcomes) {
        match &outcome.verdict {
            Verdict::Safe => safe += 1,
            Verdict::Violation(witness) => explain(&model, query, witness),
            Verdict::Unknown(reason) => println!("pattern {} was not decided: {reason}", query.property().label()),
        }
    }
    println!("{safe} of {} queries are safe for any number of clients", queries.len());
    Ok(())
}
