//! The rules of findings: each one keeps a correct class silent, and hides no broken class. `models/java/rules` has a
//! class for each of both (`...S` and `...B`). The class `Absent` is not given to the analysis.

use asercheck::audit::decide;
use asercheck::isolate::{Analysis, Claim, Modality, NotIsolated, Rule, Rules, Subject, isolate_client_within};
use asercheck::java::points_to::{Clients, Mode};
use asercheck::java::{Limits, Program};
use asercheck::phases::UnitMode;
use asercheck::query::Property;
use asercheck::{Engine, Options};
use asercheck_bench::analysis::with_analysis;
use std::path::{Path, PathBuf};

/// The rules without samples: where they leave steps out, another rule of the list leaves out the same ones; or only
/// objects that lie very deep show them.
const WITHOUT_SAMPLE: [Rule; 2] = [Rule::OuterObject, Rule::DeepObjects];

/// Maximal number of abstract states.
const STATES: usize = 30_000;

/// The answer about a class.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Answer {
    Violated,
    Silent,
    Open,
}

/// The name of a rule in those of its samples: `one-thread` is `OneThread`.
fn sample(rule: Rule) -> String {
    let words = rule.name().split('-').map(|word| word[..1].to_uppercase() + &word[1..]);
    words.collect()
}

fn asked(class: &str, rules: Rules) -> Answer {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("models/java/rules/classes/rules");
    let listed = std::fs::read_dir(folder).expect("classes are kept");
    let all = listed.map(|entry| entry.expect("it can be read").path());
    let is_own = |path: &PathBuf| path.file_stem().is_some_and(|stem| stem.to_string_lossy().starts_with(class));
    let (program, _) = Program::load(&all.filter(is_own).collect::<Vec<_>>(), &[], &Limits::default());
    let class = program.find(&format!("rules.{class}")).unwrap_or_else(|| panic!("{class} is there"));
    let subject = Subject { class, claim: Claim::Named };
    let offered = [class];
    let clients = Clients { offered: &offered, ..Clients::default() };
    let models = with_analysis(&program, Mode::Client(clients), |analysis| {
        let analysis = Analysis { modality: Modality::Firm(rules), ..analysis };
        isolate_client_within(analysis, &subject, STATES, &|| false)
    });
    let isolated = match models {
        Ok(isolated) => isolated,
        Err(NotIsolated::NothingToViolate(_)) => return Answer::Silent,
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

#[test]
fn each_rule_keeps_a_correct_class_silent() {
    for rule in Rule::ALL.into_iter().filter(|rule| !WITHOUT_SAMPLE.contains(rule)) {
        let class = format!("{}S", sample(rule));
        assert_eq!(asked(&class, Rules::ALL), Answer::Silent, "{class} with all rules");
        assert_ne!(asked(&class, Rules::ALL.without(rule)), Answer::Silent, "{class} without {}", rule.name());
    }
}

#[test]
fn no_rule_hides_a_broken_class() {
    for rule in Rule::ALL.into_iter().filter(|rule| !WITHOUT_SAMPLE.contains(rule)) {
        let class = format!("{}B", sample(rule));
        assert_eq!(asked(&class, Rules::ALL), Answer::Violated, "{class}");
    }
}
