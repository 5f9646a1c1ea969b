//! Java classes, each as one object that any number of threads use.

use asercheck::isolate::{
    Facts, Isolated, Main, NotIsolated, Stuck, Subject, isolate_client, isolate_client_within, isolate_main,
};
use asercheck::java::points_to::Mode;
use asercheck::java::{ClassId, Limits, Program};
use asercheck::phases::UnitMode;
use asercheck::query::Property;
use asercheck::verdict::{Decided, decide};
use asercheck::{Engine, Options};
use asercheck_bench::analysis::{with_analysis, with_clients};
use std::collections::BTreeSet;
use std::path::Path;

struct Loaded {
    program: Program,
    facts: Facts,
}

impl Loaded {
    fn new() -> Self {
        let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("models/java/client");
        let (program, diagnostics) = Program::load(&[path], &[], &Limits::default());
        assert!(diagnostics.is_empty(), "{diagnostics:?}");
        let facts = Facts::new(&program);
        Self { program, facts }
    }

    fn isolated(&self, class: ClassId) -> Result<Isolated, NotIsolated> {
        let subject = Subject::of(&self.program, &self.facts, class);
        let subject = subject.unwrap_or_else(|| panic!("{} is a subject", self.program.class_name(class)));
        with_clients(&self.program, |analysis| isolate_client(analysis, &subject, &|| false))
    }
}

fn decided(isolated: &Isolated, engine: Engine) -> Decided {
    let options = Options::default().with_engine(engine).with_jobs(1);
    decide(isolated, &Property::all_patterns(UnitMode::Both), &options).expect("the program is not at fault")
}

#[test]
fn what_is_broken_is_found_and_what_is_repaired_is_safe() {
    let loaded = Loaded::new();
    let mut wrong = Vec::new();
    let (mut count, mut undecided) = (0, 0);
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
                for broken in &found.broken {
                    println!(
                        "{name}: {} {:?} by {:?}, patterns {:?}",
                        broken.unit, broken.locations, broken.breakers, broken.patterns
                    );
                    assert!(broken.witness.steps.iter().all(|step| step.line > 0));
                }
                !found.broken.is_empty()
            }
            Err(NotIsolated::NothingToBreak) => false,
            Err(NotIsolated::Stuck(Stuck::NotNested { .. })) if name.starts_with("client.Bolted") => {
                // That the object inside unlocks the lock outside is not known.
                undecided += 1;
                continue;
            }
            Err(other) => panic!("{name}: {other:?}"),
        };
        count += 1;
        let is_repaired = name.ends_with("Repaired") || name.ends_with("$Bolt");
        if is_broken == is_repaired {
            wrong.push(name);
        }
    }
    assert_eq!((count, undecided), (85, 2));
    assert!(wrong.is_empty(), "{wrong:?}");
}

/// The units of a class that are broken if it has at most so many states, and whether calls were left out.
fn broken_within(loaded: &Loaded, class: ClassId, most_states: usize) -> Option<(BTreeSet<String>, bool)> {
    let subject = Subject::of(&loaded.program, &loaded.facts, class)?;
    let isolated =
        with_clients(&loaded.program, |analysis| isolate_client_within(analysis, &subject, most_states, &|| false));
    match isolated {
        Ok(isolated) => {
            let found = decided(&isolated, Engine::default());
            let is_told = isolated.assumptions.iter().any(|one| one.contains("are left out"));
            assert_eq!(is_told, isolated.partial.is_some());
            Some((found.broken.into_iter().map(|broken| broken.unit).collect(), isolated.partial.is_some()))
        }
        Err(NotIsolated::NothingToBreak) => Some((BTreeSet::new(), false)),
        Err(NotIsolated::Stuck(Stuck::TooLarge { .. } | Stuck::NotNested { .. })) => None,
        Err(other) => panic!("{}: {other:?}", loaded.program.class_name(class)),
    }
}

#[test]
fn classes_that_are_too_large_are_followed_in_part() {
    let loaded = Loaded::new();
    let (mut parts, mut broken_in_part) = (0, 0);
    for (id, _) in loaded.program.classes() {
        let name = loaded.program.class_name(id);
        let Some((whole, false)) = broken_within(&loaded, id, usize::MAX) else { continue };
        for most_states in [40, 60, 80, 100, 120, 140, 160, 180, 200] {
            let Some((broken, is_partial)) = broken_within(&loaded, id, most_states) else { continue };
            if is_partial {
                println!("{name} with {most_states} states: {broken:?} of {whole:?}");
                assert!(broken.is_subset(&whole), "{name} with {most_states} states");
                parts += 1;
                broken_in_part += usize::from(!broken.is_empty());
            }
        }
    }
    assert!(parts > broken_in_part && broken_in_part > 0, "{parts} in part, of which {broken_in_part} are broken");
}

#[test]
fn a_lock_that_is_unlocked_by_another_name_is_not_held_for_ever() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("models/java/undecided");
    let (program, diagnostics) = Program::load(&[path], &[], &Limits::default());
    assert!(diagnostics.is_empty(), "{diagnostics:?}");
    let facts = Facts::new(&program);
    let loaded = Loaded { program, facts };
    let class = |name: &str| loaded.program.find(name).expect("it is there");
    let renamed = loaded.isolated(class("undecided.Renamed")).expect("there is a model");
    let found: Vec<String> = decided(&renamed, Engine::default()).broken.into_iter().map(|it| it.unit).collect();
    assert_eq!(found, ["this.take()"]);
    let Loaded { program, facts } = &loaded;
    let main = Main::of(program, class("undecided.RenamedInThreads")).expect("it has a main");
    let shelf = class("undecided.RenamedInThreads$Shelf");
    let subject = main.subjects(program, facts).into_iter().find(|subject| subject.class == shelf);
    let subject = subject.expect("it changes");
    let models =
        with_analysis(program, Mode::Main(main.method()), |analysis| isolate_main(analysis, &subject, main, &|| false));
    let models = models.expect("there is a model");
    assert!(models.iter().any(|isolated| !decided(isolated, Engine::default()).broken.is_empty()));
}
