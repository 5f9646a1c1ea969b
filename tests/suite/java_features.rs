//! Small Java classes with known answers, each with one feature of the language or the library: `models/java/features`.

use asercheck::audit::decide;
use asercheck::isolate::{
    Analysis, Claim, Facts, Isolated, MAX_STATES, Main, NotIsolated, Stuck, Subject, isolate_client,
    isolate_client_within, isolate_firm, isolate_main,
};
use asercheck::java::points_to::{Clients, Mode};
use asercheck::java::{Limits, Program};
use asercheck::phases::UnitMode;
use asercheck::query::Property;
use asercheck::{Engine, Options};
use asercheck_bench::analysis::{firm, with_analysis, with_clients};
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

/// A row of the table.
struct Row {
    class: String,
    unit: String,
    is_broken: bool,
    is_program: bool,
}

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("models/java/features")
}

fn rows() -> Vec<Row> {
    let table = std::fs::read_to_string(folder().join("expected.tsv")).expect("the table is there");
    let row = |line: &str| {
        let columns: Vec<String> = line.split('\t').map(str::to_string).collect();
        let [class, unit, _field, expected, _note, mode] = &columns[..] else { panic!("six columns: {line}") };
        Row { class: class.clone(), unit: unit.clone(), is_broken: expected == "broken", is_program: mode == "main" }
    };
    table.lines().skip(1).map(row).collect()
}

/// Returns the class files of a row: those of its class, of its inner classes, and of others in its source, whose names
/// begin with its own.
fn files(class: &str, all: &[Row]) -> Vec<PathBuf> {
    let names: BTreeSet<&str> = all.iter().map(|row| &*row.class).collect();
    let listed = std::fs::read_dir(folder().join("classes/features")).expect("classes are kept");
    let is_own = |path: &PathBuf| {
        let stem = path.file_stem().and_then(|stem| stem.to_str()).unwrap_or_default();
        let outer = stem.split('$').next().unwrap_or_default();
        let owner = (1..=outer.len()).rev().filter_map(|end| outer.get(..end)).find(|name| names.contains(name));
        owner == Some(class)
    };
    let mut found: Vec<PathBuf> = listed.map(|entry| entry.expect("it can be read").path()).filter(is_own).collect();
    found.sort();
    found
}

/// The result for a class.
#[derive(Default)]
struct Answer {
    /// The violated methods, with their classes.
    violated: Vec<String>,
    undecided: Vec<String>,
}

impl Answer {
    fn add(&mut self, models: Result<Vec<Isolated>, NotIsolated>) {
        let models = match models {
            Ok(models) => models,
            Err(NotIsolated::NothingToViolate(..) | NotIsolated::NotReached) => return,
            Err(NotIsolated::Stuck(stuck)) => return self.undecided.push(format!("{stuck:?}")),
            Err(fault @ NotIsolated::Fault(_)) => panic!("{fault:?}"),
        };
        for isolated in models {
            self.undecided.extend(isolated.partial.iter().map(|stuck| format!("{stuck:?}")));
            let options = Options::default().with_engine(Engine::default()).with_jobs(1);
            let decided = decide(&isolated, &Property::all_patterns(UnitMode::Both), &options);
            let decided = decided.expect("the program is not at fault");
            self.undecided.extend(decided.unknown.map(|why| format!("{why:?}")));
            self.violated
                .extend(decided.violated.iter().map(|broken| isolated.meanings.unit(&broken.unit).to_string()));
        }
    }
}

/// Asks the models with all possible steps.
fn asked(row: &Row, all: &[Row]) -> Answer {
    let isolate = |analysis: Analysis<'_>, subject: &Subject| {
        isolate_client(analysis, subject, &|| false).map(|isolated| vec![isolated])
    };
    asked_with(row, all, &isolate)
}

/// Makes the models of a subject.
type Isolate<'i> = dyn Fn(Analysis<'_>, &Subject) -> Result<Vec<Isolated>, NotIsolated> + 'i;

fn asked_with(row: &Row, all: &[Row], isolate: &Isolate<'_>) -> Answer {
    let (program, diagnostics) = Program::load(&files(&row.class, all), &[], &Limits::default());
    assert!(diagnostics.is_empty(), "{}: {diagnostics:?}", row.class);
    let facts = Facts::new(&program);
    let class = program.find(&format!("features.{}", row.class)).expect("the class is there");
    let mut answer = Answer::default();
    if row.is_program {
        let main = Main::of(&program, class).expect("it has a method `main`");
        with_analysis(&program, Mode::Main(main.method()), |analysis| {
            for subject in main.subjects(&program, &facts) {
                answer.add(isolate_main(analysis, &subject, main, &|| false));
            }
        });
        return answer;
    }
    let subjects = program.classes().flat_map(|(id, _)| {
        let statics = Subject::of_shared_statics(&program, &facts, id, id == class);
        let named = (id == class).then_some(Subject { class, claim: Claim::Named });
        statics.into_iter().chain(Subject::of(&program, &facts, id).or(named))
    });
    let subjects: Vec<Subject> = subjects.collect();
    let mut offered: Vec<_> = subjects.iter().map(|subject| subject.class).collect();
    offered.sort_unstable();
    let clients = Clients { offered: &offered, ..Clients::default() };
    with_analysis(&program, Mode::Client(clients), |analysis| {
        for subject in &subjects {
            answer.add(isolate(analysis, subject));
        }
    });
    answer
}

/// Correct classes that are not proved, and the reason.
const ALARMS: [&str; 9] = [
    // The lists of two objects may be one list.
    "StaticObjectS",
    // A thread that waits for a task of a `CompletableFuture` may run it, so `main` runs tasks beside other threads.
    "MainCfS",
    // The pointer analysis gives the receivers of `Runnable::run`. It does not distinguish the lists of two objects, so
    // the tasks of one object may be in the list of another one.
    "OpenReferenceS",
    // Only rules of findings cover them: values that are set once, taken objects, waits, compare-and-sets of objects.
    "CloseOnceS",
    "LazyPartS",
    "OpenedLatchS",
    "PooledBufferS",
    "RestartWaitS",
    "StackOfNodesS",
];

/// Broken classes without a model of all steps, which are not proved; only findings are asked of them.
const UNDECIDED: [&str; 1] = [
    // Locks of an array that are replaced.
    "StripeByHandleB",
];

/// Returns the reason why an answer is not as expected.
fn wrong(row: &Row, answer: &Answer) -> Option<&'static str> {
    let of_unit = format!(".{}(", row.unit);
    let is_found = answer.violated.iter().any(|unit| row.unit == "*" || unit.contains(&of_unit));
    match (row.is_broken, answer.violated.is_empty()) {
        (true, _) if is_found => None,
        (true, false) => Some("another unit is violated"),
        (true, true) if answer.undecided.is_empty() => Some("wrongly safe"),
        (true, true) if UNDECIDED.contains(&row.class.as_str()) => None,
        (false, false) if ALARMS.contains(&row.class.as_str()) => None,
        (false, false) => Some("a false alarm"),
        (false, true) if answer.undecided.is_empty() => None,
        (_, true) => Some("undecided"),
    }
}

#[test]
fn small_classes_have_the_known_answers() {
    let rows = rows();
    let mut wrong_answers = Vec::new();
    for row in &rows {
        let answer = asked(row, &rows);
        let why = wrong(row, &answer);
        wrong_answers
            .extend(why.map(|why| format!("{}: {why}: {:?} {:?}", row.class, answer.violated, answer.undecided)));
    }
    let broken = rows.iter().filter(|row| row.is_broken).count();
    println!("{} classes, {broken} of them broken", rows.len());
    assert!(wrong_answers.is_empty(), "{wrong_answers:#?}");
}

/// Rules of the model for findings hide nothing in the broken class of a pair, and the correct one has no finding.
#[test]
fn findings_follow_the_rules() {
    let rows = rows();
    let isolate = |analysis: Analysis<'_>, subject: &Subject| isolate_firm(analysis, subject, MAX_STATES, &|| false);
    for name in ["PassedContent", "StaticObject"] {
        let answer = |kind: &str| {
            let row = rows.iter().find(|row| row.class == format!("{name}{kind}"));
            asked_with(row.expect("a row"), &rows, &isolate)
        };
        assert!(!answer("B").violated.is_empty(), "{name}B");
        let correct = answer("S");
        assert!(correct.violated.is_empty() && correct.undecided.is_empty(), "{name}S: {:?}", correct.violated);
    }
}

/// If executions are cut short, the rest of them are prefixes of executions: a correct class stays without findings.
#[test]
fn cut_executions_report_no_correct_class() {
    let rows = rows();
    let mut cut = 0;
    // A round of a loop with a compare-and-set that is cut off is not seen to have no effect.
    let is_cut_in_a_round = |row: &Row| row.class == "UpdaterCasS";
    for row in rows.iter().filter(|row| !row.is_broken && !row.is_program && !is_cut_in_a_round(row)) {
        let (program, _) = Program::load(&files(&row.class, &rows), &[], &Limits::default());
        let class = program.find(&format!("features.{}", row.class)).expect("the class is there");
        let subject = Subject { class, claim: Claim::Named };
        // Longer by a quarter each time.
        let ladder = std::iter::successors(Some(4_usize), |states| Some(states * 5 / 4 + 1));
        for most_states in ladder.take_while(|states| *states < 5_000) {
            let isolated = with_clients(&program, |analysis| {
                isolate_client_within(firm(analysis), &subject, most_states, &|| false)
            });
            let isolated = match isolated {
                Ok(isolated) if isolated.partial.is_some() => isolated,
                Err(NotIsolated::Stuck(Stuck::TooLarge { .. })) => continue,
                // The limit suffices, or nothing is left that could be violated.
                _ => break,
            };
            cut += usize::from(isolated.assumptions.iter().any(|text| text.contains("too much follows")));
            let mut answer = Answer::default();
            answer.add(Ok(vec![isolated]));
            assert!(answer.violated.is_empty(), "{} with {most_states} states: {:?}", row.class, answer.violated);
        }
    }
    assert!(cut > 100, "only {cut} were cut short");
}

/// Returns the assumptions for a class with any clients.
fn assumptions(name: &str) -> BTreeSet<String> {
    let (program, _) = Program::load(&files(name, &rows()), &[], &Limits::default());
    let class = program.find(&format!("features.{name}")).expect("the class is there");
    let subject = Subject { class, claim: Claim::Named };
    let isolated = with_clients(&program, |analysis| isolate_client(analysis, &subject, &|| false));
    isolated.expect("it has a model").assumptions
}

#[test]
fn late_assignments_of_constructors_are_found_or_assumed() {
    let assumptions = assumptions("PublishedHalfMade");
    // The numbers are accesses; for the lock there is an assumption.
    let is_it = |one: &String| one.contains("before its constructor is done");
    assert!(assumptions.iter().any(is_it), "{assumptions:?}");
}

#[test]
fn fields_of_any_type_rest_on_an_assumption() {
    let is_it = |one: &String| one.contains("`this.held` holds is not looked at");
    assert!(assumptions("HeldOfAnyType").iter().any(is_it));
    let others = assumptions("PublishedHalfMade");
    assert!(!others.iter().any(|one| one.contains("is not looked at")), "{others:?}");
}

#[test]
fn arguments_of_any_type_are_assumed_not_to_be_kept() {
    let assumptions = assumptions("GreatestOfGiven");
    let is_it = |one: &String| one.starts_with("where `compareTo` is called of objects of any type");
    assert!(assumptions.iter().any(is_it), "{assumptions:?}");
    // Its numbers have no such method of their own.
    let assumptions = self::assumptions("PublishedHalfMade");
    assert!(!assumptions.iter().any(|one| one.contains("of any type")), "{assumptions:?}");
}

#[test]
fn weak_methods_and_open_fields_rest_on_assumptions() {
    let assumptions = assumptions("WeakSize");
    for begin in [
        "where `java.util.NavigableSet.size` visits all of a concurrent container",
        "the state of a lock that `java.util.concurrent.locks.ReentrantLock.isLocked` returns",
        "clients do not themselves access `features.WeakSize.count`",
    ] {
        assert!(assumptions.iter().any(|one| one.starts_with(begin)), "{begin}: {assumptions:?}");
    }
    // It copies a vector in one step, and a list that shows copies.
    let others = self::assumptions("VisitedVectorS");
    assert!(!others.iter().any(|one| one.contains("visits all")), "{others:?}");
}
