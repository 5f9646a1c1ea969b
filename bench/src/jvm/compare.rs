//! What really happens to an object, or to the static fields of a class, compared with what the model of the class
//! allows.

use super::driver::{Seen, clients, static_clients};
use super::machine::Machine;
use super::schedules::Bounds;
use super::watch::{Match, Matches};
use crate::analysis::with_clients;
use asercheck::audit::decide;
use asercheck::isolate::{Analysis, Claim, Facts, Isolated, NotIsolated, Subject, isolate_client};
use asercheck::java::{ClassId, Limits, Program};
use asercheck::model::Model;
use asercheck::phases::UnitMode;
use asercheck::query::{Property, Selection};
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
    /// Whether all patterns are decided, to count how many violations are seen.
    pub decides: bool,
}

/// What came of comparing.
#[derive(Clone, Debug, Default)]
pub struct Compared {
    /// Classes with a model, of an object or of static fields.
    pub subjects: usize,
    /// Of these, those of static fields.
    pub static_subjects: usize,
    /// Of these, those in which elements of arrays are told apart.
    pub with_elements: usize,
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
    /// Of these, those of static fields.
    pub happened_to_statics: usize,
    /// Of these, those that no engine decided.
    pub open: usize,
    /// Pairs of a unit and a pattern that are reported, where all were decided.
    pub reported: usize,
    /// Of these, those that were seen to happen.
    pub confirmed: usize,
    /// Models that are none.
    pub faults: Vec<String>,
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
        let Match { unit, pattern, locations, .. } = &self.what;
        writeln!(out, "{}: {unit}, pattern {pattern} on {}: {}", self.class, locations.join(", "), self.why)?;
        self.schedule.iter().try_for_each(|step| writeln!(out, "    {step}"))
    }
}

impl Compared {
    /// Adds another one.
    pub fn add(&mut self, other: Self) {
        self.subjects += other.subjects;
        self.static_subjects += other.static_subjects;
        self.with_elements += other.with_elements;
        self.stuck += other.stuck;
        self.reasons.extend(other.reasons);
        self.clients += other.clients;
        self.unsupported += other.unsupported;
        self.states += other.states;
        self.happened += other.happened;
        self.happened_to_statics += other.happened_to_statics;
        self.open += other.open;
        self.reported += other.reported;
        self.confirmed += other.confirmed;
        self.faults.extend(other.faults);
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

/// Compares all classes of a program that have fields, and all that have static fields. Equal seeds do the same.
///
/// # Panics
/// If an engine contradicts itself.
pub fn compare(program: &Program, seed: u64, effort: Effort) -> Compared {
    let facts = Facts::new(program);
    // What is asked about static fields does not change what is asked about objects.
    let rngs = [seed, !seed].map(Rng::with_seed);
    let classes = program.classes().map(|(id, _)| id).collect();
    let machine = Machine::new(program);
    with_clients(program, |analysis| {
        let mut comparison = Comparison { machine, analysis, classes, effort, rngs, compared: Compared::default() };
        for class in comparison.classes.clone() {
            let flags = program.class(class).flags;
            if !flags.is_abstract() && !flags.is_interface() {
                comparison.compare(&Subject { class, claim: Claim::Named });
            }
            if let Some(subject) = Subject::of_shared_statics(program, &facts, class, true) {
                comparison.compare(&subject);
            }
        }
        comparison.compared
    })
}

struct Comparison<'m, 'a> {
    machine: Machine<'m>,
    analysis: Analysis<'a>,
    classes: Vec<ClassId>,
    effort: Effort,
    /// For objects, and for static fields.
    rngs: [Rng; 2],
    compared: Compared,
}

impl Comparison<'_, '_> {
    fn compare(&mut self, subject: &Subject) {
        let Self { machine, analysis, classes, effort, rngs, compared } = self;
        let program = machine.program;
        let class = subject.class;
        let isolated = match isolate_client(*analysis, subject, &|| false) {
            Ok(isolated) => Some(isolated),
            Err(NotIsolated::NothingToViolate(_) | NotIsolated::NotReached) => None,
            Err(NotIsolated::Stuck(stuck)) => {
                compared.reasons.insert(stuck.to_string());
                compared.stuck += 1;
                return;
            }
            Err(fault @ NotIsolated::Fault(_)) => {
                compared.faults.push(format!("{}: {fault:?}", program.class_name(class)));
                return;
            }
        };
        compared.subjects += 1;
        let mut matches = Matches::new();
        let is_static = subject.claim == Claim::Statics;
        let run = if is_static { static_clients } else { clients };
        let rng = &mut rngs[usize::from(is_static)];
        compared.with_elements += usize::from(isolated.as_ref().is_some_and(has_elements));
        let seen = run(machine, class, classes, effort.clients, effort.bounds, rng, &mut matches);
        let Seen { clients, unsupported, states } = seen;
        compared.clients += clients;
        compared.unsupported += unsupported;
        compared.states += states;
        compared.happened += matches.len();
        let mut name = program.class_name(class);
        if is_static {
            compared.static_subjects += 1;
            compared.happened_to_statics += matches.len();
            name = format!("static fields of {name}");
        }
        judge(isolated.as_ref(), &name, &matches, compared);
        if let (true, Some(isolated)) = (effort.decides, &isolated) {
            count(isolated, &matches, compared);
        }
    }
}

/// The elements of arrays that a model tells apart by their index have this behind their names.
const INDEX: &str = "[k]";

/// Whether elements of arrays are told apart.
fn has_elements(isolated: &Isolated) -> bool {
    isolated.model.locations().iter().any(|location| location.name().contains(INDEX))
}

/// The location of a model that stands for one by this name.
fn location_of(model: &Model, name: &str) -> Option<String> {
    let names = [name.to_string(), name.replace("[]", INDEX), DEEP.to_string()];
    names.into_iter().find(|name| model.locations().iter().any(|location| location.name() == name))
}

/// What lies deeper than is told apart.
const DEEP: &str = "objects deeper inside";

/// Asks the model whether what happened can happen.
fn judge(isolated: Option<&Isolated>, class: &str, matches: &Matches, compared: &mut Compared) {
    for (what, schedule) in matches {
        let answer = match isolated {
            Some(isolated) => ask(isolated, what),
            None => Err("there is no model"),
        };
        match answer {
            Ok(true) => {}
            Ok(false) => compared.open += 1,
            Err(why) => {
                let (class, what, schedule) = (class.to_string(), what.clone(), schedule.clone());
                compared.misses.push(Miss { class, what, why, schedule });
            }
        }
    }
}

/// Whether something is a violation of the model (`true`) or not decided; the error says why it is taken for
/// impossible.
fn ask(isolated: &Isolated, what: &Match) -> Result<bool, &'static str> {
    let model = &isolated.model;
    // Processes have a number behind their names where several have the same: a method in several situations, or a
    // function.
    let is_named =
        |name: &str, unit: &str| name.strip_prefix(unit).is_some_and(|rest| rest.is_empty() || rest.starts_with(" ("));
    let is_it = |name: &str| what.units.iter().any(|unit| is_named(name, unit));
    let names = isolated.entries.iter().map(|process| model.process(*process).name());
    let units: Vec<&str> = names.filter(|name| is_it(name)).collect();
    let others = model.process(isolated.others).name();
    let property = Property::all_patterns(UnitMode::Both).swap_remove(what.pattern - 1);
    let locations: Option<Vec<String>> = what.locations.iter().map(|name| location_of(model, name)).collect();
    let locations = locations.ok_or("the model has no such location")?;
    let mut queries = Vec::new();
    for unit in &units {
        let selection = Selection {
            processes: Some(vec![unit.to_string(), others.to_string()]),
            locations: Some(locations.clone()),
            ..Selection::default()
        };
        let asked = selection.queries(model, std::slice::from_ref(&property));
        queries.extend(asked.map_err(|_| "the model has no such location")?);
    }
    if queries.is_empty() {
        return Err("the model has no such unit");
    }
    let options = Options::default().with_jobs(1);
    let outcomes = check_all(model, &queries, &options, |_, _| {}).expect("no engine contradicts itself");
    if outcomes.iter().any(|outcome| matches!(outcome.verdict, Verdict::Violation(_))) {
        return Ok(true);
    }
    let is_safe = outcomes.iter().all(|outcome| matches!(outcome.verdict, Verdict::Safe));
    if is_safe { Err("the model is safe") } else { Ok(false) }
}

/// Counts how many violations that are reported were seen to happen.
fn count(isolated: &Isolated, matches: &Matches, compared: &mut Compared) {
    let properties = Property::all_patterns(UnitMode::Both);
    let decided =
        decide(isolated, &properties, &Options::default().with_jobs(1)).expect("no engine contradicts itself");
    let units = matches.keys().flat_map(|what| what.units.iter().map(|unit| (&**unit, what.pattern)));
    let happened: BTreeSet<(&str, usize)> = units.collect();
    for broken in decided.broken {
        compared.reported += broken.patterns().len();
        let is_confirmed = |pattern: &&usize| happened.contains(&(&*broken.unit, **pattern));
        compared.confirmed += broken.patterns().iter().filter(is_confirmed).count();
    }
}
