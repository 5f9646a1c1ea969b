//! Models as text: the text has the same verdicts as the model.

use crate::suite::support::{path, pattern_queries};
use asercheck::answers::VerdictKind;
use asercheck::isolate::{Facts, NotIsolated, Subject, isolate_client};
use asercheck::java::{self, Program};
use asercheck::model::{self, GraphBuilder, GraphNode, Mode, Model, Multiplicity, Operation, Position, ProcedureId};
use asercheck::phases::UnitMode;
use asercheck::syntax;
use asercheck::{Options, check_all};
use asercheck_bench::analysis::with_clients;
use generate::random::{self, Shape};
use std::path::Path;

/// Compares the verdicts of the patterns for a model and for its text; returns the number of violations of both.
fn compare(name: &str, model: &Model) -> (usize, usize) {
    let text = model.to_eml(&["a model"], &|position| Some(format!("line {}", position.line)));
    let again = model::from_text("again.eml", &text).unwrap_or_else(|error| panic!("{name}: {error}\n{text}")).model;
    assert_eq!(syntax::print(&syntax::parse(&text).expect("it was parsed")), text, "{name}");
    let mut count = (0, 0);
    for units in [UnitMode::Both, UnitMode::First] {
        let verdicts = |model: &Model| -> Vec<_> {
            let queries = pattern_queries(model, units);
            let outcomes = check_all(model, &queries, &Options::default(), |_, _| {}).expect("no fault");
            queries
                .iter()
                .zip(outcomes)
                .map(|(query, outcome)| {
                    let places = |ids: Vec<usize>| ids;
                    let locations = places(query.locations().iter().map(|id| id.index()).collect());
                    let processes = places(query.processes().iter().map(|id| id.index()).collect());
                    (query.property().label().to_string(), locations, processes, VerdictKind::from(&outcome.verdict))
                })
                .collect()
        };
        let (own, others) = (verdicts(model), verdicts(&again));
        assert_eq!(own, others, "{name}\n{text}");
        count.0 += own.len();
        count.1 += own.iter().filter(|(.., verdict)| *verdict == VerdictKind::Violation).count();
    }
    count
}

#[test]
fn models_of_the_folder_have_the_verdicts_of_their_texts() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("models");
    let mut count = 0;
    for entry in std::fs::read_dir(folder).expect("the folder") {
        let file = entry.expect("an entry").path();
        if file.extension().is_some_and(|extension| extension == "eml") {
            compare(&file.display().to_string(), &crate::suite::support::model(&file));
            count += 1;
        }
    }
    assert!(count > 40, "{count}");
}

#[test]
fn random_models_have_the_verdicts_of_their_texts() {
    let (mut queries, mut violations) = (0, 0);
    for seed in 4_000_000..4_000_050 {
        let text = random::model(seed, &Shape::of_seed(seed));
        let model = model::from_text("random.eml", &text).expect("a model").model;
        let (asked, violated) = compare(&format!("seed {seed}"), &model);
        (queries, violations) = (queries + asked, violations + violated);
    }
    println!("{queries} queries, {violations} violations");
    assert!(violations > 20 && queries > 3 * violations, "{queries} queries, {violations} violations");
}

#[test]
fn random_graphs_have_the_verdicts_of_their_texts() {
    let (mut queries, mut violations) = (0, 0);
    for seed in 0..100 {
        let (asked, violated) = compare(&format!("graph {seed}"), &graphs(seed));
        (queries, violations) = (queries + asked, violations + violated);
    }
    println!("{queries} queries, {violations} violations");
    assert!(violations > 50 && queries > 2 * violations, "{queries} queries, {violations} violations");
}

/// Generates a model of random graphs: each node of a graph with arbitrary edges stands for one or a few statements in
/// a row, so that the nesting is correct but the control flow is unstructured.
fn graphs(seed: u64) -> Model {
    let mut random = fastrand::Rng::with_seed(seed);
    let mut builder = GraphBuilder::new();
    let file = builder.file("Graph.java");
    let at = |line: usize| file.at(u32::try_from(line).expect("few lines"), 1);
    let locks = [builder.lock("the lock", at(1)), builder.lock("lock", at(1))];
    let rwlock = builder.rwlock("r/w", at(1));
    let locations = [builder.location("x[]", at(1)), builder.location("x", at(1))];
    let functions = ["f(int)", "f(long)"].map(|name| builder.function(name, at(1)));
    let (_, first) = builder.process("P()", Multiplicity::Many, at(1));
    let (started, second) = builder.process("1 Q", Multiplicity::Single, at(1));
    let (_, third) = builder.process("other", Multiplicity::Times(2), at(1));
    for (number, procedure) in [functions[0], functions[1], first, second, third].into_iter().enumerate() {
        let is_function = number < 2;
        let count = random.usize(2..6);
        let mut ends: Vec<[GraphNode; 2]> = Vec::new();
        for place in 0..count {
            let access = |random: &mut fastrand::Rng| {
                let location = *random.choice(&locations).expect("a location");
                if random.bool() { Operation::Read(location) } else { Operation::Write(location) }
            };
            let accesses: Vec<_> = (0..random.usize(1..3)).map(|_| access(&mut random)).collect();
            let around = |open, close| [vec![open], accesses.clone(), vec![close]].concat();
            let lock = *random.choice(&locks).expect("a lock");
            let mode = if random.bool() { Mode::Read } else { Mode::Write };
            let operations = match random.u8(0..9) {
                0 => vec![Operation::Skip],
                1 => around(Operation::Acquire(lock, Mode::Write), Operation::Release(lock, Mode::Write)),
                2 => around(Operation::Acquire(rwlock, mode), Operation::Release(rwlock, mode)),
                3 | 4 if !is_function => around(Operation::Begin, Operation::End),
                5 if !is_function => {
                    vec![Operation::Begin, Operation::Call(functions[random.usize(0..2)]), Operation::End]
                }
                6 if number == 2 => vec![Operation::Start(started)],
                7 => vec![
                    Operation::Acquire(lock, Mode::Write),
                    Operation::Wait(lock),
                    Operation::Resume(lock),
                    Operation::Release(lock, Mode::Write),
                ],
                _ => accesses,
            };
            let nodes: Vec<_> = operations
                .iter()
                .enumerate()
                .map(|(step, operation)| builder.node(procedure, *operation, at(10 * place + step + 1)))
                .collect();
            nodes.windows(2).for_each(|pair| builder.edge(pair[0], pair[1]));
            ends.push([nodes[0], nodes[nodes.len() - 1]]);
        }
        connect(&mut builder, &mut random, procedure, &ends);
    }
    let (model, _) = builder.build().unwrap_or_else(|errors| panic!("seed {seed}: {errors:?}"));
    model
}

/// Adds edges from the end of each part to any others; the last may return.
fn connect(builder: &mut GraphBuilder, random: &mut fastrand::Rng, procedure: ProcedureId, ends: &[[GraphNode; 2]]) {
    let back = builder.node(procedure, Operation::Return, Position::START);
    for (place, [_, end]) in ends.iter().enumerate() {
        let next = ends.get(place + 1).map_or(back, |next| next[0]);
        builder.edge(*end, next);
        for _ in 0..random.usize(0..3) {
            let other = random.choice(ends).expect("a part")[0];
            builder.edge(*end, if random.u8(0..5) == 0 { back } else { other });
        }
    }
    if random.bool() {
        builder.enter_at(random.choice(ends).expect("a part")[0]);
    }
}

#[test]
fn models_of_java_classes_have_the_verdicts_of_their_texts() {
    let classes = path("../models/java/client");
    let (program, _) = Program::load(&[classes], &[], &java::Limits::default());
    let facts = Facts::new(&program);
    let mut count = 0;
    for (id, _) in program.classes() {
        let Some(subject) = Subject::of(&program, &facts, id) else { continue };
        match with_clients(&program, |analysis| isolate_client(analysis, &subject, &|| false)) {
            Ok(isolated) => {
                compare(&program.class_name(id), &isolated.model);
                count += 1;
            }
            Err(NotIsolated::NothingToViolate(..) | NotIsolated::Stuck(_)) => {}
            Err(other) => panic!("{other:?}"),
        }
    }
    assert!(count >= 20, "{count}");
}
