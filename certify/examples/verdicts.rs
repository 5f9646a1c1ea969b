//! Verdicts of the engines without a certificate, for `cargo run -p asercheck-bench --bin mutants -- --certificates`.
//!
//! Decides queries of the models of a folder, and of random ones, with some engines, whose names stand between commas.
//! Prints each query that an engine calls violated, as `violated ENGINE MODEL: QUERY`. With such output of the
//! unchanged engines as a file, prints those of its queries that are called safe now, and whether there is a
//! certificate that the checker accepts.

use certify::Certificates;
use decide::query::{Property, Query, Selection};
use decide::{Engine, Options, Verdict, check_all};
use eml::{model, model::Model, syntax};
use generate::automata::{automata, lock_automata};
use generate::random::{self, Shape};
use generate::starts;
use limits::{Limits, Meter, Steps};
use phases::UnitMode;
use std::collections::HashSet;
use std::path::PathBuf;
use std::sync::Arc;

#[path = "../../src/claim.rs"]
#[allow(rustdoc::broken_intra_doc_links)]
mod claim;

/// The engines that the command uses by itself, and the one that they are compared with.
const ENGINES: [Engine; 4] = [Engine::Auto, Engine::Explicit, Engine::Search, Engine::Symbolic];

/// What is asked of a model.
struct Asked {
    engines: Vec<Engine>,
    /// The violated queries of the unchanged engines; none if they are to be found.
    known: Option<HashSet<String>>,
}

/// Random models of each shape.
const RANDOM: u64 = 30;

/// The budget of steps of each engine for a model.
const STEPS: u64 = 200_000;

/// The most queries of a model; of more, every second, third or so on is decided.
const MOST_QUERIES: usize = 40;

fn main() {
    let mut arguments = std::env::args().skip(1);
    let folder = PathBuf::from(arguments.next().expect("a folder of models"));
    let names = arguments.next().expect("names of engines");
    let engines = ENGINES.into_iter().filter(|engine| names.split(',').any(|name| name == engine.name())).collect();
    let known = arguments
        .next()
        .map(|file| std::fs::read_to_string(file).expect("the violated queries").lines().map(String::from).collect());
    let asked = Asked { engines, known };
    let mut files: Vec<PathBuf> =
        std::fs::read_dir(folder).expect("a folder").map(|entry| entry.expect("an entry").path()).collect();
    files.retain(|file| file.extension().is_some_and(|extension| extension == "eml"));
    files.sort();
    for file in files {
        let text = std::fs::read_to_string(&file).expect("a model");
        decide(&file.file_stem().expect("a name").to_string_lossy(), &text, &asked, 0);
    }
    for seed in 0..RANDOM {
        for (kind, text) in [
            ("plain", random::model(seed, &Shape::of_seed(seed))),
            ("modes", random::model(seed, &Shape::with_modes(seed))),
            ("overlap", random::model(seed, &Shape::with_overlap(seed))),
            ("recursion", random::model(seed, &Shape::with_recursion(seed))),
            ("starts", starts::model(seed)),
        ] {
            decide(&format!("{kind}{seed}"), &text, &asked, seed);
        }
    }
}

/// Decides the queries of a model with each engine.
fn decide(name: &str, text: &str, Asked { engines, known }: &Asked, seed: u64) {
    let loaded = model::from_text(name, text).expect("a model").model;
    let program = syntax::parse(text).expect("it was read before");
    let asked = if seed.is_multiple_of(2) { automata(seed) } else { lock_automata(seed) };
    let automata: String = asked.iter().map(ToString::to_string).collect();
    let queries = queries(&loaded, asked);
    for &engine in engines {
        let limits = Limits::default().with_steps(Steps::new(STEPS));
        let options = Options::default().with_limits(limits).with_engine(engine).with_jobs(1);
        // An internal error is no verdict.
        let Ok(outcomes) = check_all(&loaded, &queries, &options, |_, _| {}) else { continue };
        for ((number, query), outcome) in queries.iter().enumerate().zip(outcomes) {
            let claim = claim::claim(&loaded, query);
            let label = query.property().label();
            let line = format!(
                "violated {} {name}: {number} {label} {} {} {}",
                engine.name(),
                claim.locations.join(","),
                claim.locks.join(","),
                claim.processes.join(",")
            );
            match (outcome.verdict, known) {
                (Verdict::Violation(_), None) => println!("{line}"),
                (Verdict::Safe, Some(known)) if known.contains(&line) => {
                    let mut certificates = Certificates::new(&program, UnitMode::Both);
                    let proved = certificates.add(&claim, &Meter::start(&Limits::default()));
                    let answers = verify::verify(text, &certificates.finish(), &[&automata]).unwrap_or_default();
                    let accepted = proved.is_ok() && answers.iter().all(|answer| answer.refusal.is_none());
                    println!("{} {line}", if accepted { "ACCEPTED" } else { "refused" });
                }
                _ => {}
            }
        }
    }
}

/// Queries of the patterns, of races and deadlocks, and of some automata.
fn queries(model: &Model, automata: Vec<phases::Automaton>) -> Vec<Query> {
    let selection = Selection::default();
    let mut properties: Vec<Arc<Property>> = Property::all_patterns(UnitMode::Both);
    properties.extend(automata.into_iter().map(Property::of_automaton).map(Arc::new));
    let mut queries = selection.queries(model, &properties).expect("nothing is named that there is not");
    let asked = selection.ask_with_deadlocks(model, &[Arc::new(Property::race())]);
    let asked = asked.expect("nothing is named that there is not");
    let deadlocks = asked.deadlocks(&Limits::default()).into_iter().flatten();
    queries.extend(asked.all().chain(deadlocks));
    let step = queries.len().div_ceil(MOST_QUERIES).max(1);
    queries.into_iter().step_by(step).collect()
}
