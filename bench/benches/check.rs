//! The whole check: all queries of the fourteen patterns on the models of the repository.

use asercheck::phases::UnitMode;
use asercheck::{Engine, Options, check_all, model};
use asercheck_bench::compare::pattern_queries;
use criterion::{BenchmarkId, Criterion, criterion_group, criterion_main};
use std::path::Path;

fn check(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("all patterns");
    group.sample_size(10);
    let models = Path::new(env!("CARGO_MANIFEST_DIR")).join("../models");
    for name in ["stack", "shop2", "lottery2", "linkedlist", "bubblesort2"] {
        let Ok(loaded) = model::load(&models.join(format!("{name}.eml"))) else { continue };
        let queries = pattern_queries(&loaded.model, UnitMode::Both);
        for engine in [Engine::Symbolic, Engine::Explicit] {
            group.bench_function(BenchmarkId::new(engine.name(), name), |bencher| {
                let options = Options::default().with_engine(engine);
                bencher.iter(|| check_all(&loaded.model, &queries, &options, |_, _| {}).expect("no internal error"));
            });
        }
    }
    group.finish();
}

criterion_group!(benches, check);
criterion_main!(benches);
