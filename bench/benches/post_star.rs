//! Saturation of systems of program shape, forwards and backwards, unweighted and with lengths.

use asercheck_bench::systems::{last_node, program};
use criterion::{BenchmarkId, Criterion, Throughput, criterion_group, criterion_main};
use std::convert::Infallible;
use std::hint::black_box;
use wpds::{Automaton, Boolean, Control, Goal, MinPlus, Origin, PostStar, PreStar, Semiring, Symbol, System};

fn saturate<S: Semiring<Stop = Infallible>>(semiring: &mut S, system: System<S::Weight>) -> usize {
    let mut post = PostStar::new(semiring, system);
    let Ok(()) = post.start(semiring, Control::new(0), Symbol::new(0));
    let Ok(_) = post.advance(semiring, usize::MAX);
    post.transition_count()
}

/// Backwards from the node where the first procedure returns.
fn saturate_back<S: Semiring<Stop = Infallible>>(semiring: &mut S, system: System<S::Weight>) -> usize {
    let mut targets = Automaton::new();
    targets.edge(Origin::Control(Control::new(0)), Symbol::new(last_node()), Goal::Final);
    let mut pre = PreStar::new(semiring, system);
    let Ok(()) = pre.target_at(semiring, &targets);
    let Ok(_) = pre.advance(semiring, usize::MAX);
    pre.transition_count()
}

fn pre_star(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("pre*");
    group.sample_size(10);
    for rules in [1_000, 10_000, 100_000] {
        group.throughput(Throughput::Elements(rules as u64));
        let plain = program(rules, 1, |_| true);
        group.bench_function(BenchmarkId::new("boolean", rules), |bencher| {
            bencher.iter_batched(
                || plain.clone(),
                |system| black_box(saturate_back(&mut Boolean, system)),
                criterion::BatchSize::LargeInput,
            );
        });
    }
    group.finish();
}

fn post_star(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("post*");
    group.sample_size(10);
    for rules in [1_000, 10_000, 100_000] {
        group.throughput(Throughput::Elements(rules as u64));
        let plain = program(rules, 1, |_| true);
        group.bench_function(BenchmarkId::new("boolean", rules), |bencher| {
            bencher.iter_batched(
                || plain.clone(),
                |system| black_box(saturate(&mut Boolean, system)),
                criterion::BatchSize::LargeInput,
            );
        });
        let lengths = program(rules, 1, |rng| Some(rng.u64(1..4)));
        group.bench_function(BenchmarkId::new("min-plus", rules), |bencher| {
            bencher.iter_batched(
                || lengths.clone(),
                |system| black_box(saturate(&mut MinPlus, system)),
                criterion::BatchSize::LargeInput,
            );
        });
    }
    group.finish();
}

criterion_group!(benches, post_star, pre_star);
criterion_main!(benches);
