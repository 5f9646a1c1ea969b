//! Another analyzer as a client of the library: it has its own representation of a program, builds a model of it in code,
//! and reports violations in terms of its own program, without any EML text.
//!
//! `cargo run --example analyzer`

use asercheck::model::{BodyBuilder, Model, ModelBuilder, Multiplicity};
use asercheck::phases::UnitMode;
use asercheck::query::{Property, Query, Selection};
use asercheck::witness::{Action, Witness};
use asercheck::{Options, Verdict, check_all};

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
fn model_of(class: &Class) -> Model {
    let mut builder = ModelBuilder::new();
    for field in &class.fields {
        builder.location(*field);
    }
    // Locks, locations and sets have names of their own kinds.
    builder.lock(class.name).atomic_set(class.name, class.fields.iter().copied());
    for method in &class.methods {
        builder.function(method.name, |body| {
            if method.synchronized {
                body.sync(class.name, |body| translate(&method.body, body));
            } else {
                translate(&method.body, body);
            }
        });
    }
    builder.process("Client", Multiplicity::Many, |body| {
        body.loop_(|body| {
            body.choose(|choice| {
                for method in &class.methods {
                    choice.block(|body| {
                        body.atomic(|body| {
                            body.call(method.name);
                        });
                    });
                }
            });
        });
    });
    builder.build().expect("every class has a model").0
}

fn translate(statements: &[Statement], body: &mut BodyBuilder) {
    for statement in statements {
        match *statement {
            Statement::Read(field, line) => body.at(line, 1).read(field),
            Statement::Write(field, line) => body.at(line, 1).write(field),
            Statement::Call(method, line) => body.at(line, 1).call(method),
        };
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
    let model = model_of(&class);
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
