//! Subsumed queries: leaving them out changes no finding about Java classes.

use asercheck::isolate::{Facts, Main, isolate_main};
use asercheck::java::points_to::Mode;
use asercheck_bench::analysis::with_analysis;
use asercheck_bench::jvm::compare::{load, load_path};
use asercheck_bench::jvm::compile::compile;
use asercheck_bench::jvm::random;
use asercheck_bench::jvm::sparing::{Spared, compare, compare_model};
use std::path::Path;

#[test]
fn subsumed_queries_change_no_finding_of_random_classes() {
    let mut total = Spared::default();
    let seeds =
        (0..40).chain((0..20).map(|seed| random::MORE + seed)).chain((0..12).map(|seed| random::STATICS + seed));
    for seed in seeds {
        let found = compare(&load(&compile(&random::program(seed))));
        assert!(found.differences.is_empty(), "seed {seed}: {:#?}", found.differences);
        total.add(found);
    }
    println!("{total:?}");
    assert!(total.open == 0 && total.broken > 100 && total.victims > 50 && total.spared > 500, "{total:?}");
}

#[test]
fn subsumed_queries_change_no_finding_of_example_classes() {
    let models = Path::new(env!("CARGO_MANIFEST_DIR")).join("models/java");
    let mut total = compare(&load_path(models.join("client/classes")));
    let program = load_path(models.join("program/classes"));
    let facts = Facts::new(&program);
    let mains: Vec<Main> = program.classes().filter_map(|(class, _)| Main::of(&program, class)).collect();
    assert!(mains.len() >= 22);
    for main in mains {
        with_analysis(&program, Mode::Main(main.method()), |analysis| {
            for subject in main.subjects(&program, &facts) {
                let models = isolate_main(analysis, &subject, main, &|| false);
                for isolated in models.unwrap_or_default() {
                    compare_model(&program, &facts, subject.class, &isolated, &mut total);
                }
            }
        });
    }
    println!("{total:?}");
    assert!(total.differences.is_empty(), "{:#?}", total.differences);
    assert!(total.open == 0 && total.broken > 30 && total.harmless > 0 && total.spared > 20, "{total:?}");
}
