//! Java programs with their own threads, faulty and repaired.

use asercheck::Options;
use asercheck::audit::decide;
use asercheck::isolate::{Facts, Main, NotIsolated, isolate_main};
use asercheck::java::points_to::Mode;
use asercheck::java::{Limits, Program};
use asercheck::phases::UnitMode;
use asercheck::query::Property;
use asercheck_bench::analysis::with_analysis;
use std::path::Path;

/// Returns the violated units of each subject of the program with this main class.
fn violated_units(program: &Program, main: &str) -> Vec<String> {
    let facts = Facts::new(program);
    let class = program.find(main).unwrap_or_else(|| panic!("{main} is given"));
    let main = Main::of(program, class).unwrap_or_else(|| panic!("{main} has a main method"));
    let options = Options::default().with_jobs(1);
    let properties = Property::all_patterns(UnitMode::Both);
    let mut found = Vec::new();
    let models = with_analysis(program, Mode::Main(main.method()), |analysis| {
        let of = |subject| isolate_main(analysis, subject, main, &|| false);
        main.subjects(program, &facts).iter().map(|subject| (subject.class, of(subject))).collect::<Vec<_>>()
    });
    for (class, models) in models {
        let name = program.class_name(class);
        let models = match models {
            Ok(models) => models,
            Err(NotIsolated::NothingToViolate(..) | NotIsolated::NotReached) => continue,
            Err(other) => panic!("{name}: {other:?}"),
        };
        for isolated in models {
            let decided = decide(&isolated, &properties, &options).expect("the program is not at fault");
            assert_eq!(decided.unknown, None, "{name}");
            found.extend(
                decided.violated.iter().map(|broken| format!("{name}: {} on {:?}", broken.unit, broken.locations())),
            );
        }
    }
    found
}

#[test]
fn violations_are_found_and_repaired_programs_are_safe() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("models/java/program/classes");
    let mut wrong = Vec::new();
    for (main, subject) in [
        ("bank.Bank", "Account: "),
        ("blocks.Blocks", "Blocks: "),
        ("buffer.Buffer", "Buffer: "),
        ("census.Census", "Census$Total: "),
        ("chain.Chain", "Chain: "),
        ("ledger.Ledger", "Ledger$Account: "),
        ("pool.Pool", "Results: "),
        ("refill.Refill", "Refill$Tank: "),
        ("registry.Registry", "Registry: "),
        ("shared.Shared", "Shared: "),
        ("shop.Shop", "Shop: "),
        ("tickets.Tickets", "Tickets: "),
        ("workers.Workers", "Progress: "),
    ] {
        for repaired in ["", "Repaired"] {
            let name = format!("program.{main}{repaired}");
            let (program, diagnostics) = Program::load(std::slice::from_ref(&folder), &[], &Limits::default());
            assert!(diagnostics.is_empty(), "{diagnostics:?}");
            let name = match program.find(&name) {
                Some(_) => name,
                None => {
                    let (package, class) = main.split_once('.').expect("a package and a class");
                    format!("program.{package}.repaired.{class}Repaired")
                }
            };
            let found = violated_units(&program, &name);
            println!("{name}: {found:?}");
            let is_right = match repaired {
                "" => found.iter().any(|broken| broken.contains(subject)),
                _ => found.is_empty(),
            };
            if !is_right {
                wrong.push((name, found));
            }
        }
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
}
