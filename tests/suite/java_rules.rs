//! The rules of findings: each one keeps a correct class silent, and hides no broken class. `models/java/rules` has a
//! class for each of both (`...S` and `...B`), for some rules `models/java/features`. The class `Absent` is not given
//! to the analysis.

use asercheck::audit::decide;
use asercheck::isolate::{Analysis, Claim, Modality, NotIsolated, Rule, Rules, Subject, isolate_client_within};
use asercheck::java::points_to::{Clients, Mode};
use asercheck::java::{Limits, Program};
use asercheck::phases::UnitMode;
use asercheck::query::Property;
use asercheck::{Engine, Options};
use asercheck_bench::analysis::with_analysis;
use std::path::{Path, PathBuf};

/// The rules with samples: the package and the beginning of the names of their classes. The others show only in whole
/// audits (hidden classes, objects that are subjects of their own), with very many classes of objects, or where another
/// rule leaves out the same steps.
const SAMPLES: [(Rule, &str, &str); 31] = [
    (Rule::UnknownCode, "rules", "UnknownCode"),
    (Rule::ClientObjects, "rules", "ClientObjects"),
    (Rule::EscapedFunctions, "rules", "EscapedFunctions"),
    (Rule::OwnThread, "rules", "OwnThread"),
    (Rule::OuterObject, "rules", "OuterInConstructor"),
    (Rule::OtherObjects, "rules", "OtherObjects"),
    (Rule::OtherObjects, "rules", "WrappedParameter"),
    (Rule::ClientParts, "rules", "ClientParts"),
    (Rule::NewObjects, "rules", "NewObjects"),
    (Rule::NewObjects, "rules", "NewResults"),
    (Rule::ProtectedMethods, "rules", "ProtectedMethods"),
    (Rule::Constructors, "rules", "Constructors"),
    (Rule::SameLock, "rules", "SameLock"),
    (Rule::InheritedCode, "rules", "InheritedCode"),
    (Rule::WeakTraversals, "rules", "WeakTraversals"),
    (Rule::CommutingChanges, "rules", "CommutingChanges"),
    (Rule::OneThread, "rules", "OneThread"),
    (Rule::ThreadLocals, "features", "ChildValue"),
    (Rule::FunctionTypes, "features", "FutureOfTask"),
    (Rule::FlagLocks, "features", "FlagField"),
    (Rule::FailedAttempts, "features", "MarkOnce"),
    (Rule::MadeParts, "rules", "MadeParts"),
    (Rule::Signals, "rules", "Signals"),
    (Rule::WorkCounters, "rules", "WorkCounters"),
    (Rule::SwappedOut, "rules", "SwappedOut"),
    (Rule::UnknownTypes, "rules", "UnknownTypes"),
    (Rule::PassedFunctions, "rules", "PassedFunctions"),
    (Rule::Signals, "rules", "SignalsNamed"),
    (Rule::QueueRoles, "rules", "QueueRolesSpsc"),
    (Rule::PrivateObjects, "rules", "PrivateObjects"),
    (Rule::GivenLocks, "rules", "GivenLocks"),
];

/// Maximal number of abstract states.
const STATES: usize = 30_000;

/// The answer about a class.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Answer {
    Violated,
    Silent,
    Open,
}

fn asked(package: &str, class: &str, rules: Rules) -> Answer {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join(format!("models/java/{package}/classes/{package}"));
    let listed = std::fs::read_dir(folder).expect("classes are kept");
    let all = listed.map(|entry| entry.expect("it can be read").path());
    let is_own = |path: &PathBuf| path.file_stem().is_some_and(|stem| stem.to_string_lossy().starts_with(class));
    let (program, _) = Program::load(&all.filter(is_own).collect::<Vec<_>>(), &[], &Limits::default());
    let class = program.find(&format!("{package}.{class}")).unwrap_or_else(|| panic!("{class} is there"));
    let subject = Subject { class, claim: Claim::Named };
    let offered = [class];
    let clients = Clients { offered: &offered, ..Clients::default() };
    let models = with_analysis(&program, Mode::Client(clients), |analysis| {
        let analysis = Analysis { modality: Modality::Firm(rules), ..analysis };
        isolate_client_within(analysis, &subject, STATES, &|| false)
    });
    let isolated = match models {
        Ok(isolated) => isolated,
        Err(NotIsolated::NothingToViolate(..)) => return Answer::Silent,
        Err(_) => return Answer::Open,
    };
    let options = Options::default().with_engine(Engine::default()).with_jobs(1);
    let decided = decide(&isolated, &Property::all_patterns(UnitMode::Both), &options).expect("no fault");
    match (decided.violated.is_empty(), decided.unknown.is_none() && isolated.partial.is_none()) {
        (false, _) => Answer::Violated,
        (true, true) => Answer::Silent,
        (true, false) => Answer::Open,
    }
}

/// All rules but one, and but others that the sample of this rule meets, too: clients cannot name the part, and one
/// thread runs the tasks.
fn without(rule: Rule) -> Rules {
    let rules = Rules::ALL.without(rule);
    match rule {
        Rule::ClientParts => rules.without(Rule::ProgramCallers),
        Rule::FunctionTypes => rules.without(Rule::OneThread),
        _ => rules,
    }
}

#[test]
fn each_rule_keeps_a_correct_class_silent() {
    for (rule, package, name) in SAMPLES {
        let class = format!("{name}S");
        assert_eq!(asked(package, &class, Rules::ALL), Answer::Silent, "{class} with all rules");
        let without = asked(package, &class, without(rule));
        assert_ne!(without, Answer::Silent, "{class} without {}", rule.name());
    }
}

#[test]
fn no_rule_hides_a_broken_class() {
    for (_, package, name) in SAMPLES {
        let class = format!("{name}B");
        assert_eq!(asked(package, &class, Rules::ALL), Answer::Violated, "{class}");
    }
}
