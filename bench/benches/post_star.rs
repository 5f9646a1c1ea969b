//! Saturation of systems of program shape, forwards and backwards, unweighted and with lengths.

use asercheck_bench::systems::{last_node, program};
use criterion::{BatchSize, BenchmarkId, Criterion, Throughput, criterion_group, criterion_main};
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

/// Measures `run` on systems of each size, which `system` makes.
fn measure<W: Clone>(
    criterion: &mut Criterion,
    name: &str,
    system: impl Fn(usize) -> System<W>,
    run: impl Fn(System<W>) -> usize,
) {
    let mut group = criterion.benchmark_group(name);
    group.sample_size(10);
    for rules in [1_000, 10_000, 100_000] {
        group.throughput(Throughput::Elements(rules as u64));
        let system = system(rules);
        group.bench_function(BenchmarkId::from_parameter(rules), |bencher| {
            bencher.iter_batched(|| system.clone(), |system| black_box(run(system)), BatchSize::LargeInput);
        });
    }
    group.finish();
}

fn pre_star(criterion: &mut Criterion) {
    let plain = |rules| program(rules, 1, |_| true);
    measure(criterion, "pre*/boolean", plain, |system| saturate_back(&mut Boolean, system));
}

fn post_star(criterion: &mut Criterion) {
    let plain = |rules| program(rules, 1, |_| true);
    measure(criterion, "post*/boolean", plain, |system| saturate(&mut Boolean, system));
    let lengths = |rules| program(rules, 1, |rng| Some(rng.u64(1..4)));
    measure(criterion, "post*/min-plus", lengths, |system| saturate(&mut MinPlus, system));
}

criterion_group!(benches, post_star, pre_star);
criterion_main!(benches);
