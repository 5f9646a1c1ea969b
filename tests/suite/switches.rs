//! The switches of reductions: any of them off, or on alone, changes no verdict; every violation is replayed.

use crate::suite::support::{pattern_queries, violations_with};
use asercheck::model::{self, Model};
use asercheck::phases::UnitMode;
use asercheck::{Engine, Options, Reduction, Reductions};
use generate::random::{self, Shape};
use generate::seeds;

/// Returns the violated queries with these reductions.
fn violated(model: &Model, engine: Engine, reductions: Reductions) -> Vec<String> {
    let options = Options::default().with_engine(engine).with_reductions(reductions);
    let units = [UnitMode::Both, UnitMode::First];
    units.iter().flat_map(|units| violations_with(model, &pattern_queries(model, *units), &options)).collect()
}

/// Compares all reductions with these on random models.
fn compare(name: &str, engine: Engine, first_seed: u64, models: u64, reductions: Reductions) {
    let mut total = 0;
    for seed in seeds::taken(first_seed..first_seed + models) {
        let text = random::model(seed, &Shape { starts: seed % 3 == 0, ..Shape::of_seed(seed) });
        let model = model::from_text("random.eml", &text).unwrap_or_else(|error| panic!("seed {seed}: {error}")).model;
        let expected = violated(&model, engine, Reductions::all());
        total += expected.len();
        assert_eq!(violated(&model, engine, reductions), expected, "{name}, {engine}, seed {seed}\n{text}");
    }
    assert!(total > 0, "some query is violated");
}

#[test]
fn none() {
    compare("none", Engine::Explicit, 5_000_000, 120, Reductions::none());
}

#[test]
fn none_symbolic() {
    compare("none", Engine::Symbolic, 5_001_000, 24, Reductions::none());
}

#[test]
fn all_but_one() {
    for (number, reduction) in Reduction::ALL.into_iter().enumerate() {
        let first_seed = 5_100_000 + 1000 * number as u64;
        compare(
            &format!("all but {reduction}"),
            Engine::Explicit,
            first_seed,
            60,
            Reductions::all().without(reduction),
        );
    }
}

#[test]
fn one_alone() {
    for (number, reduction) in Reduction::ALL.into_iter().enumerate() {
        let others = Reduction::ALL.into_iter().filter(|other| *other != reduction);
        let alone = others.fold(Reductions::all(), Reductions::without);
        compare(&format!("only {reduction}"), Engine::Explicit, 5_200_000 + 1000 * number as u64, 60, alone);
    }
}
