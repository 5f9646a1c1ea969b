//! Class files with changed bytes: whatever can still be read is translated and decided, or refused with a reason.

use asercheck::Options;
use asercheck::audit::decide;
use asercheck::isolate::{Claim, Facts, Isolated, Main, NotIsolated, Subject, isolate_client, isolate_main};
use asercheck::java::points_to::Mode;
use asercheck::java::{ClassId, Limits, Program};
use asercheck::phases::UnitMode;
use asercheck::query::Property;
use asercheck_bench::analysis::{with_analysis, with_clients};
use fastrand::Rng;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

/// The outcomes for damaged files.
#[derive(Debug, Default)]
struct Outcomes {
    unreadable: usize,
    models: usize,
    stuck: usize,
    nothing: usize,
    broken: usize,
}

impl Outcomes {
    fn add(&mut self, models: Result<Vec<Isolated>, NotIsolated>, about: &str) {
        let models = match models {
            Ok(models) => models,
            Err(NotIsolated::Stuck(_)) => return self.stuck += 1,
            Err(NotIsolated::NothingToViolate(..) | NotIsolated::NotReached) => return self.nothing += 1,
            Err(fault @ NotIsolated::Fault(_)) => panic!("{about}: {fault:?}"),
        };
        // Three patterns suffice to run all later stages.
        let properties: Vec<_> = Property::all_patterns(UnitMode::Both).into_iter().step_by(5).collect();
        let limits = asercheck::Limits::default().with_timeout(Duration::from_secs(1));
        let options = Options::default().with_jobs(1).with_limits(limits);
        for isolated in models {
            let decided = decide(&isolated, &properties, &options).unwrap_or_else(|error| panic!("{about}: {error}"));
            self.models += 1;
            self.broken += usize::from(!decided.violated.is_empty());
        }
    }

    /// Analyses all subjects: objects and static fields of each class, with any clients and in each program.
    fn analyse(&mut self, program: &Program, about: &str) {
        let facts = Facts::new(program);
        let begin = Instant::now();
        let is_late = || begin.elapsed() > Duration::from_secs(5);
        let classes: Vec<ClassId> =
            program.classes().filter(|(_, class)| !class.is_library).map(|(class, _)| class).collect();
        with_clients(program, |analysis| {
            for class in &classes {
                let subject = Subject { class: *class, claim: Claim::Named };
                let statics = Subject::of_shared_statics(program, &facts, *class, true);
                for subject in [Some(subject), statics].into_iter().flatten() {
                    let isolated = isolate_client(analysis, &subject, &is_late);
                    self.add(isolated.map(|isolated| vec![isolated]), about);
                }
            }
        });
        for main in classes.iter().filter_map(|class| Main::of(program, *class)) {
            with_analysis(program, Mode::Main(main.method()), |analysis| {
                for subject in main.subjects(program, &facts) {
                    self.add(isolate_main(analysis, &subject, main, &is_late), about);
                }
            });
        }
    }
}

/// Returns the class files below a folder, each with its folder of classes.
fn class_files() -> Vec<(PathBuf, PathBuf)> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("models/java");
    let mut found = Vec::new();
    for kind in ["client", "program", "statics", "order", "reader"] {
        let classes = root.join(kind).join("classes");
        let mut open = vec![classes.clone()];
        while let Some(folder) = open.pop() {
            for entry in std::fs::read_dir(folder).expect("it can be read") {
                let path = entry.expect("it is there").path();
                if path.is_dir() {
                    open.push(path);
                } else if path.extension().is_some_and(|extension| extension == "class") {
                    found.push((path, classes.clone()));
                }
            }
        }
    }
    found.sort();
    found
}

fn analyse_damaged(seed: u64, count: usize) -> Outcomes {
    let files = class_files();
    let mut rng = Rng::with_seed(seed);
    let folder = std::env::temp_dir().join(format!("asercheck-damaged-{}-{seed}", std::process::id()));
    std::fs::create_dir_all(&folder).expect("a folder can be made");
    let mut outcomes = Outcomes::default();
    for number in 0..count {
        let (path, others) = rng.choice(&files).expect("there are some");
        let mut bytes = std::fs::read(path).expect("it can be read");
        for _ in 0..rng.usize(1..=3) {
            // The first part of a file has its names; errors there mostly leave nothing to analyse.
            let at = rng.usize(bytes.len() / 3..bytes.len());
            // Numbers in class files are small: constants, variables, jump distances.
            bytes[at] = if rng.bool() { rng.u8(..64) } else { bytes[at] ^ 1 << rng.u8(..8) };
        }
        let damaged = folder.join("Damaged.class");
        std::fs::write(&damaged, &bytes).expect("a file can be written");
        let (program, _) = Program::load(&[damaged], std::slice::from_ref(others), &Limits::default());
        outcomes.unreadable += usize::from(program.classes().all(|(_, class)| class.is_library));
        outcomes.analyse(&program, &format!("seed {seed}, number {number}, {}", path.display()));
    }
    // Remaining files in the temporary folder do no harm.
    let _ = std::fs::remove_dir_all(&folder);
    outcomes
}

#[test]
fn damaged_classes_are_analysed_or_refused() {
    let outcomes = analyse_damaged(1, 150);
    println!("{outcomes:?}");
    assert!(outcomes.models > 40 && outcomes.broken > 10 && outcomes.unreadable > 10, "{outcomes:?}");
}

/// `cargo test --release -p asercheck --test tests -- --ignored damaged --nocapture`
#[test]
#[ignore = "minutes"]
fn many_damaged_classes_are_analysed_or_refused() {
    for seed in 100..110 {
        println!("{:?}", analyse_damaged(seed, 1000));
    }
}
