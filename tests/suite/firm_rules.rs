//! Rules of [`Modality::Firm`], each with a correct class that it keeps from a finding, and a broken twin.

use asercheck::audit::decide;
use asercheck::isolate::{Analysis, Claim, Isolated, Modality, NotIsolated, Rule, Rules, Subject, isolate_client};
use asercheck::java::{Limits, Program};
use asercheck::phases::UnitMode;
use asercheck::query::Property;
use asercheck::{Engine, Options};
use asercheck_bench::analysis::with_clients;
use std::path::{Path, PathBuf};

/// The rules with the names of the twins in `models/java/features`, without `S` and `B`, and of the subject in them.
const TWINS: [(Rule, &str, &str); 20] = [
    (Rule::ProgramCallers, "HiddenCell", "$Cell"),
    (Rule::HolderLocks, "HiddenCell", "$Cell"),
    (Rule::ThreadLocals, "ChildValue", ""),
    (Rule::FunctionTypes, "FutureOfTask", ""),
    (Rule::FlagLocks, "FlagField", ""),
    (Rule::FlagLocks, "OwnMutex", ""),
    (Rule::Retests, "Retest", ""),
    (Rule::Retests, "AbsentInHelper", ""),
    (Rule::FailedAttempts, "MarkOnce", ""),
    (Rule::ElementParts, "BucketNodes", ""),
    (Rule::ElementParts, "MovedPart", ""),
    (Rule::NewParts, "NeverAssigned", ""),
    (Rule::NewParts, "IteratedPart", ""),
    (Rule::LockedViews, "WrapperInField", ""),
    (Rule::SettersOnce, "CloseOnce", ""),
    (Rule::TakenObjects, "PooledBuffer", ""),
    (Rule::NewObjects, "HandedCopy", ""),
    (Rule::Waits, "RestartWait", ""),
    (Rule::WorkCounters, "DrainField", ""),
    (Rule::WorkCounters, "DrainSelf", ""),
];

fn files(name: &str) -> Vec<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("models/java/features/classes/features");
    let listed = std::fs::read_dir(folder).expect("classes are kept");
    let is_own = |path: &PathBuf| {
        let stem = path.file_stem().and_then(|stem| stem.to_str()).unwrap_or_default();
        stem.split('$').next() == Some(name)
    };
    let mut found: Vec<PathBuf> = listed.map(|entry| entry.expect("it can be read").path()).filter(is_own).collect();
    found.sort();
    found
}

fn is_violated(isolated: Result<Isolated, NotIsolated>) -> bool {
    let Ok(isolated) = isolated else { return false };
    let options = Options::default().with_engine(Engine::default()).with_jobs(1);
    let decided = decide(&isolated, &Property::all_patterns(UnitMode::Both), &options);
    !decided.expect("the program is not at fault").violated.is_empty()
}

fn is_reported(name: &str, nested: &str, rules: Rules) -> bool {
    let (program, diagnostics) = Program::load(&files(name), &[], &Limits::default());
    assert!(diagnostics.is_empty(), "{name}: {diagnostics:?}");
    let class = program.find(&format!("features.{name}{nested}")).expect("the class is there");
    let subject = Subject { class, claim: Claim::Named };
    with_clients(&program, |analysis| {
        let analysis = Analysis { modality: Modality::Firm(rules), ..analysis };
        is_violated(isolate_client(analysis, &subject, &|| false))
    })
}

/// All rules but one. The sample of `FunctionTypes` has one thread for its tasks, so the rule of that thread goes, too.
fn without(rule: Rule) -> Rules {
    let rules = Rules::ALL.without(rule);
    if rule == Rule::FunctionTypes { rules.without(Rule::OneThread) } else { rules }
}

#[test]
fn each_rule_keeps_a_correct_class_and_not_its_twin() {
    let mut wrong = Vec::new();
    for (rule, twin, nested) in TWINS {
        let [correct, broken] = ["S", "B"].map(|end| format!("{twin}{end}"));
        let answers = [
            is_reported(&correct, nested, Rules::ALL),
            is_reported(&correct, nested, without(rule)),
            is_reported(&broken, nested, Rules::ALL),
        ];
        if answers != [false, true, true] {
            wrong.push(format!(
                "{} {twin}: correct {}, without the rule {}, broken {}",
                rule.name(),
                answers[0],
                answers[1],
                answers[2]
            ));
        }
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
}
