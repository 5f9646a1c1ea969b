//! What really happens to an object, compared with what the model of its class allows.

use super::driver::{Seen, clients};
use super::machine::Machine;
use super::schedules::Bounds;
use super::watch::{Finds, Match, Matches};
use asercheck::isolate::{Claim, Facts, Isolated, NotIsolated, Subject, decide, isolate};
use asercheck::java::{ClassId, Limits, Program, Summaries};
use asercheck::phases::UnitMode;
use asercheck::query::{Property, Query, Selection};
use asercheck::{Options, Verdict, check_all};
use fastrand::Rng;
use std::collections::BTreeSet;
use std::path::PathBuf;
use std::sync::atomic::{AtomicUsize, Ordering};

/// How much is done for a program.
#[derive(Clone, Copy, Debug)]
pub struct Effort {
    /// Clients of each class.
    pub clients: usize,
    /// How far their schedules are followed.
    pub bounds: Bounds,
    /// What methods do that are not given the object.
    pub finds: Finds,
    /// Whether all patterns are decided, to count how many violations are seen.
    pub decides: bool,
}

/// What came of comparing.
#[derive(Clone, Debug, Default)]
pub struct Compared {
    /// Classes with a model.
    pub subjects: usize,
    /// Classes without one, as their locks are not nested or there is too much of them.
    pub stuck: usize,
    /// Why.
    pub reasons: BTreeSet<String>,
    /// Clients that were run.
    pub clients: usize,
    /// Clients that did something which the machine does not know.
    pub unsupported: usize,
    /// States that were visited.
    pub states: usize,
    /// Patterns that really happened: of a unit, with its locations.
    pub happened: usize,
    /// Of these, those that no engine decided.
    pub open: usize,
    /// Pairs of a unit and a pattern that are reported, where all were decided.
    pub reported: usize,
    /// Of these, those that were seen to happen.
    pub confirmed: usize,
    /// What happened and is safe in the model, with a schedule.
    pub misses: Vec<Miss>,
}

/// Something that happened although the model says that it cannot.
#[derive(Clone, Debug)]
pub struct Miss {
    /// The class.
    pub class: String,
    /// What happened.
    pub what: Match,
    /// Why it is taken for impossible.
    pub why: &'static str,
    /// The steps of the threads that others can see.
    pub schedule: Vec<String>,
}

impl std::fmt::Display for Miss {
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let Match { unit, pattern, locations } = &self.what;
        writeln!(out, "{}: {unit}, pattern {pattern} on {}: {}", self.class, locations.join(", "), self.why)?;
        self.schedule.iter().try_for_each(|step| writeln!(out, "    {step}"))
    }
}

impl Compared {
    /// Adds another one.
    pub fn add(&mut self, other: Self) {
        self.subjects += other.subjects;
        self.stuck += other.stuck;
        self.reasons.extend(other.reasons);
        self.clients += other.clients;
        self.unsupported += other.unsupported;
        self.states += other.states;
        self.happened += other.happened;
        self.open += other.open;
        self.reported += other.reported;
        self.confirmed += other.confirmed;
        self.misses.extend(other.misses);
    }
}

/// Reads class files that are only in memory: a name without folder, and what it holds.
///
/// # Panics
/// If no files can be written to the temporary folder, or if the class files are damaged.
pub fn load(files: &[(String, Vec<u8>)]) -> Program {
    static NEXT: AtomicUsize = AtomicUsize::new(0);
    let number = NEXT.fetch_add(1, Ordering::Relaxed);
    let folder = std::env::temp_dir().join(format!("asercheck-made-{}-{number}", std::process::id()));
    std::fs::create_dir_all(&folder).expect("a folder can be made");
    for (name, content) in files {
        std::fs::write(folder.join(format!("{name}.class")), content).expect("a file can be written");
    }
    let program = load_path(folder.clone());
    // What is left over in the temporary folder harms nobody.
    let _ = std::fs::remove_dir_all(&folder);
    program
}

/// Reads a folder with class files.
///
/// # Panics
/// If one of them is damaged.
pub fn load_path(folder: PathBuf) -> Program {
    let (program, diagnostics) = Program::load(&[folder], &[], &Limits::default());
    assert!(diagnostics.is_empty(), "{diagnostics:?}");
    program
}

/// Compares all classes of a program that have fields. Equal seeds do the same.
///
/// # Panics
/// If an engine contradicts itself.
pub fn compare(program: &Program, seed: u64, effort: Effort) -> Compared {
    let facts = Facts::new(program);
    let summaries = Summaries::builtin();
    let machine = Machine::new(program);
    let mut rng = Rng::with_seed(seed);
    let mut compared = Compared::default();
    let classes: Vec<ClassId> = program.classes().map(|(id, _)| id).collect();
    for class in classes.iter().copied() {
        let flags = program.class(class).flags;
        if flags.is_abstract() || flags.is_interface() {
            continue;
        }
        let subject = Subject { class, claim: Claim::Named };
        let isolated = match isolate(program, &facts, &summaries, &subject, &|| false) {
            Ok(isolated) => Some(isolated),
            Err(NotIsolated::NothingToBreak) => None,
            Err(NotIsolated::Stuck(stuck)) => {
                compared.reasons.insert(stuck.to_string());
                compared.stuck += 1;
                continue;
            }
            Err(fault @ NotIsolated::Fault(_)) => panic!("{fault:?}"),
        };
        compared.subjects += 1;
        let mut matches = Matches::new();
        let seen =
            clients(&machine, class, &classes, effort.clients, (effort.bounds, effort.finds), &mut rng, &mut matches);
        let Seen { clients, unsupported, states } = seen;
        compared.clients += clients;
        compared.unsupported += unsupported;
        compared.states += states;
        compared.happened += matches.len();
        let name = program.class_name(class);
        judge(isolated.as_ref(), &name, &matches, &mut compared);
        if let (true, Some(isolated)) = (effort.decides, &isolated) {
            count(isolated, &matches, &mut compared);
        }
    }
    compared
}

/// Asks the model whether what happened can happen.
fn judge(isolated: Option<&Isolated>, class: &str, matches: &Matches, compared: &mut Compared) {
    let mut queries = Vec::new();
    let mut asked = Vec::new();
    let mut miss = |what: &Match, why: &'static str| {
        let schedule = matches[what].clone();
        compared.misses.push(Miss { class: class.to_string(), what: what.clone(), why, schedule });
    };
    for what in matches.keys() {
        match isolated.map(|isolated| query(isolated, what)) {
            Some(Ok(query)) => {
                queries.push(query);
                asked.push(what);
            }
            Some(Err(why)) => miss(what, why),
            None => miss(what, "there is no model"),
        }
    }
    let Some(isolated) = isolated else { return };
    let options = Options::default().with_jobs(1);
    let outcomes = check_all(&isolated.model, &queries, &options, |_, _| {}).expect("no engine contradicts itself");
    for (what, outcome) in asked.into_iter().zip(outcomes) {
        match outcome.verdict {
            Verdict::Violation(_) => {}
            Verdict::Safe => miss(what, "the model is safe"),
            Verdict::Unknown(_) => compared.open += 1,
        }
    }
}

/// The query that asks whether something can happen.
fn query(isolated: &Isolated, what: &Match) -> Result<Query, &'static str> {
    let model = &isolated.model;
    let others = model.process(isolated.others).name().to_string();
    let selection = Selection {
        processes: Some(vec![what.unit.clone(), others]),
        locations: Some(what.locations.clone()),
        ..Selection::default()
    };
    let property = Property::all_patterns(UnitMode::Both).swap_remove(what.pattern - 1);
    let queries = selection.queries(model, &[property]);
    let queries = queries.map_err(|_| "the model has no such process or location")?;
    queries.into_iter().next().ok_or("the model has no such query")
}

/// Counts how many violations that are reported were seen to happen.
fn count(isolated: &Isolated, matches: &Matches, compared: &mut Compared) {
    let properties = Property::all_patterns(UnitMode::Both);
    let decided =
        decide(isolated, &properties, &Options::default().with_jobs(1)).expect("no engine contradicts itself");
    let happened: BTreeSet<(&str, usize)> = matches.keys().map(|what| (&*what.unit, what.pattern)).collect();
    for broken in decided.broken {
        compared.reported += broken.patterns.len();
        let is_confirmed = |pattern: &&usize| happened.contains(&(&*broken.unit, **pattern));
        compared.confirmed += broken.patterns.iter().filter(is_confirmed).count();
    }
}
