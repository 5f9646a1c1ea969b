//! Java classes, each as one object that any number of threads use.

use asercheck::audit::{UnitAnswers, decide};
use asercheck::isolate::{
    Facts, Isolated, Main, NotIsolated, Stuck, Subject, isolate_client, isolate_client_within, isolate_main,
};
use asercheck::java::points_to::Mode;
use asercheck::java::{ClassId, Limits, Program};
use asercheck::phases::UnitMode;
use asercheck::query::Property;
use asercheck::{Engine, Options};
use asercheck_bench::analysis::{firm, with_analysis, with_clients};
use std::path::Path;

struct Loaded {
    program: Program,
    facts: Facts,
}

impl Loaded {
    fn new(folder: &str) -> Self {
        let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("models/java").join(folder);
        let (program, diagnostics) = Program::load(&[path], &[], &Limits::default());
        assert!(diagnostics.is_empty(), "{diagnostics:?}");
        let facts = Facts::new(&program);
        Self { program, facts }
    }

    fn isolated(&self, class: ClassId) -> Result<Isolated, NotIsolated> {
        let subject = Subject::of(&self.program, &self.facts, class);
        let subject = subject.unwrap_or_else(|| panic!("{} is a subject", self.program.class_name(class)));
        with_clients(&self.program, |analysis| isolate_client(firm(analysis), &subject, &|| false))
    }
}

fn decided(isolated: &Isolated, engine: Engine) -> UnitAnswers {
    let options = Options::default().with_engine(engine).with_jobs(1);
    decide(isolated, &Property::all_patterns(UnitMode::Both), &options).expect("the program is not at fault")
}

#[test]
fn violations_are_found_and_repaired_classes_are_safe() {
    let loaded = Loaded::new("client");
    let mut wrong = Vec::new();
    let mut count = 0;
    for (id, _) in loaded.program.classes() {
        let name = loaded.program.class_name(id);
        if [
            ".AbstractAccount",
            ".Asker",
            ".Office",
            ".Opener",
            "$Bucket",
            "$Latch",
            "Inside$Counter",
            "Switched$Switch",
        ]
        .iter()
        .any(|end| name.ends_with(end))
        {
            assert_eq!(Subject::of(&loaded.program, &loaded.facts, id), None);
            continue;
        }
        let is_broken = match loaded.isolated(id) {
            Ok(isolated) => {
                let found = decided(&isolated, Engine::default());
                assert_eq!(found.unknown, None, "{name}");
                for broken in &found.violated {
                    println!(
                        "{name}: {} {:?} by {:?}, patterns {:?}",
                        broken.unit,
                        broken.locations(),
                        broken.interfering_calls(),
                        broken.patterns()
                    );
                    assert!(
                        broken.by_locations.values().all(|violations| violations
                            .witness
                            .steps
                            .iter()
                            .all(|step| step.line > 0))
                    );
                }
                !found.violated.is_empty()
            }
            Err(NotIsolated::NothingToViolate(..) | NotIsolated::NotReached) => false,
            Err(other) => panic!("{name}: {other:?}"),
        };
        count += 1;
        // Methods that these inherit from the library call their methods one by one.
        let is_torn_by_inheritance =
            ["Forwarded", "Polled", "Wrapped"].iter().any(|it| name == format!("client.{it}Repaired"));
        let is_repaired = (name.ends_with("Repaired") || name.ends_with("$Bolt")) && !is_torn_by_inheritance;
        if is_broken == is_repaired {
            wrong.push(name);
        }
    }
    assert_eq!(count, 87);
    assert!(wrong.is_empty(), "{wrong:?}");
}

#[test]
fn classes_that_are_too_large_are_analysed_in_part() {
    let Loaded { program, facts } = Loaded::new("chain");
    let class = program.find("chain.Other").expect("it is there");
    let subject = Subject::of_shared_statics(&program, &facts, class, true).expect("its static fields change");
    let (mut whole, mut in_part) = (0, 0);
    for most_states in (2..60).chain([1_000]) {
        let isolated =
            with_clients(&program, |analysis| isolate_client_within(firm(analysis), &subject, most_states, &|| false));
        let isolated = match isolated {
            Ok(isolated) => isolated,
            Err(NotIsolated::Stuck(Stuck::TooLarge { .. })) => continue,
            Err(other) => panic!("{other:?}"),
        };
        let says_so = isolated.assumptions.iter().any(|one| one.contains("are left out"));
        assert_eq!(says_so, isolated.partial.is_some());
        let broken: Vec<String> =
            decided(&isolated, Engine::default()).violated.into_iter().map(|it| it.unit).collect();
        assert!(broken.contains(&"Other.unit()".to_string()), "{broken:?} with {most_states} states");
        whole += usize::from(isolated.partial.is_none());
        in_part += usize::from(isolated.partial.is_some());
    }
    assert!(whole > 0 && in_part > 0, "{whole} as a whole, {in_part} in part");
}

/// Returns the number of violated units in each partial analysis of a class, with these numbers of states.
fn broken_in_part(loaded: &Loaded, name: &str, states: impl Iterator<Item = usize>) -> Vec<usize> {
    let Loaded { program, facts } = loaded;
    let class = program.find(name).expect("it is there");
    let subject = Subject::of(program, facts, class).expect("it is a subject");
    let in_part = |most_states| {
        let isolated =
            with_clients(program, |analysis| isolate_client_within(firm(analysis), &subject, most_states, &|| false));
        let isolated = isolated.ok().filter(|isolated| isolated.partial.is_some())?;
        Some(decided(&isolated, Engine::default()).violated.len())
    };
    states.filter_map(in_part).collect()
}

/// The code in other classes that handles the lock of a class stays if methods of other classes are left out.
#[test]
fn in_part_a_lock_that_another_class_handles_stays() {
    let loaded = Loaded::new("part");
    let [safe, broken] = ["part.Guarded", "part.Unguarded"].map(|name| broken_in_part(&loaded, name, 2..400));
    assert!(!safe.is_empty() && safe.iter().all(|count| *count == 0), "{safe:?}");
    assert!(broken.iter().any(|count| *count > 0), "{broken:?}");
}

/// A partial analysis also distinguishes locks in an array by their indices: there is a model, and it has them.
#[test]
fn in_part_elements_that_are_locks_are_told_apart() {
    let loaded = Loaded::new("client");
    let found = |name: &str| broken_in_part(&loaded, name, (2..200).step_by(9));
    let [safe, broken] = ["client.StripedRepaired", "client.Striped"].map(found);
    assert!(!safe.is_empty() && safe.iter().all(|count| *count == 0), "{safe:?}");
    assert!(broken.iter().any(|count| *count > 0), "{broken:?}");
}

#[test]
fn a_release_under_another_name_proves_nothing() {
    let loaded = Loaded::new("undecided");
    let class = |name: &str| loaded.program.find(name).expect("it is there");
    let does_not_nest = |found: &NotIsolated| matches!(found, NotIsolated::Stuck(Stuck::NotNested { method, .. }) if !method.is_empty());
    for name in ["undecided.Renamed", "undecided.UnlockGiven"] {
        let subject = Subject::of(&loaded.program, &loaded.facts, class(name)).expect("it is a subject");
        let models = with_clients(&loaded.program, |analysis| isolate_client(analysis, &subject, &|| false));
        assert!(models.as_ref().is_err_and(does_not_nest), "{name}: {models:?}");
    }
    let Loaded { program, facts } = &loaded;
    let main = Main::of(program, class("undecided.RenamedInThreads")).expect("it has a main");
    let shelf = class("undecided.RenamedInThreads$Shelf");
    let subject = main.subjects(program, facts).into_iter().find(|subject| subject.class == shelf);
    let subject = subject.expect("it changes");
    let models =
        with_analysis(program, Mode::Main(main.method()), |analysis| isolate_main(analysis, &subject, main, &|| false));
    assert!(models.as_ref().is_err_and(does_not_nest), "{models:?}");
}

#[test]
fn field_types_are_known_only_if_all_paths_agree() {
    let Loaded { program, facts } = Loaded::new("part");
    let claims = |name: &str| {
        let class = program.find(name).expect("it is there");
        Subject::of(&program, &facts, class).is_some()
    };
    assert!(claims("part.Joined$Certain"));
    assert!(!claims("part.Joined"), "a local variable");
    assert!(!claims("part.Joined$OnStack"), "a value on the stack");
}
