//! Java classes, each as one object that any number of threads use.

use asercheck::isolate::{Decided, Facts, Isolated, NotIsolated, Subject, decide, isolate};
use asercheck::java::{ClassId, Limits, Program, Summaries};
use asercheck::phases::UnitMode;
use asercheck::query::Property;
use asercheck::{Engine, Options};
use std::path::Path;

struct Loaded {
    program: Program,
    facts: Facts,
    summaries: Summaries,
}

impl Loaded {
    fn new() -> Self {
        let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("models/java/client");
        let (program, diagnostics) = Program::load(&[path], &[], &Limits::default());
        assert!(diagnostics.is_empty(), "{diagnostics:?}");
        let facts = Facts::new(&program);
        Self { program, facts, summaries: Summaries::builtin() }
    }

    fn isolated(&self, class: ClassId) -> Result<Isolated, NotIsolated> {
        let subject = Subject::of(&self.program, &self.facts, class);
        let subject = subject.unwrap_or_else(|| panic!("{} is a subject", self.program.class_name(class)));
        isolate(&self.program, &self.facts, &self.summaries, &subject, &|| false)
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
    let mut count = 0;
    for (id, _) in loaded.program.classes() {
        let name = loaded.program.class_name(id);
        if [".AbstractAccount", ".Opener", "$Bucket", "Inside$Counter", "Switched$Switch"]
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
            Err(other) => panic!("{name}: {other:?}"),
        };
        count += 1;
        if is_broken == name.ends_with("Repaired") {
            wrong.push(name);
        }
    }
    assert_eq!(count, 68);
    assert!(wrong.is_empty(), "{wrong:?}");
}
