//! Composition and compatibility of lock histories, explicit and symbolic.

use criterion::{BenchmarkId, Criterion, criterion_group, criterion_main};
use fastrand::Rng;
use lockhist::symbolic::{Budget, Compatibility, Layout, Orientation, Relation, Relations};
use lockhist::{Lock, LockHistory, LockSet, Operation, Segment, compatible};
use std::hint::black_box;
use std::sync::Arc;

/// A random well-nested path that begins without locks.
fn path(rng: &mut Rng, locks: usize, length: usize) -> Vec<Operation> {
    let mut held: Vec<Lock> = Vec::new();
    let mut path = Vec::new();
    for _ in 0..length {
        let lock = Lock::new(rng.usize(..locks));
        if held.contains(&lock) || (rng.bool() && !held.is_empty()) {
            path.extend(held.pop().map(Operation::Release));
        } else {
            held.push(lock);
            path.push(Operation::Acquire(lock));
        }
    }
    path
}

fn history(path: &[Operation]) -> LockHistory {
    path.iter().fold(LockHistory::start(LockSet::EMPTY), |history, next| history.post(*next))
}

fn explicit(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("explicit");
    for locks in [4, 8, 16] {
        let mut rng = Rng::with_seed(7);
        let paths: Vec<_> = (0..64).map(|_| path(&mut rng, locks, 12)).collect();
        let segments: Vec<_> = paths.iter().map(|path| history(path).segment().clone()).collect();
        let empty = Segment::empty();
        group.bench_function(BenchmarkId::new("compose 64", locks), |bencher| {
            bencher.iter(|| segments.iter().fold(empty.clone(), |whole, next| black_box(whole.then(next))));
        });
        let histories: Vec<_> = paths.iter().map(|path| history(path)).collect();
        group.bench_function(BenchmarkId::new("compatible, 64 pairs", locks), |bencher| {
            bencher.iter(|| {
                let pairs = histories.iter().zip(histories.iter().rev());
                pairs.filter(|(one, other)| compatible(&[one, other])).count()
            });
        });
    }
    group.finish();
}

/// The union of the relations of some paths, cut into phases.
fn relation(relations: &Relations, paths: &[Vec<Operation>], phases: usize) -> Relation {
    let budget = Budget::unlimited();
    let compose = |left: &Relation, right: &Relation| relations.compose(left, right, &budget).expect("unlimited");
    let one = |path: &Vec<Operation>| {
        let mut whole = relations.identity(0);
        for (place, operation) in path.iter().enumerate() {
            let phase = place * phases / path.len();
            while whole.last_phase() < phase {
                whole =
                    compose(&whole, &relations.boundary(whole.last_phase(), &Budget::unlimited()).expect("no limit"));
            }
            whole = compose(&whole, &relations.operation(phase, *operation));
        }
        while whole.last_phase() + 1 < phases {
            whole = compose(&whole, &relations.boundary(whole.last_phase(), &Budget::unlimited()).expect("no limit"));
        }
        whole
    };
    let all = paths.iter().map(one);
    all.reduce(|all, next| relations.union(&all, &next, &budget).expect("unlimited")).expect("some paths")
}

fn symbolic(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("symbolic");
    group.sample_size(10);
    for locks in [2, 4, 6] {
        let mut rng = Rng::with_seed(7);
        let layout = Arc::new(Layout::new(locks, 4, 2).expect("fits"));
        let paths: Vec<_> = (0..12).map(|_| path(&mut rng, locks, 12)).collect();
        let straight = Relations::new(layout.clone(), Orientation::Straight);
        let transposed = Relations::new(layout.clone(), Orientation::Transposed);
        let (first, second) = (relation(&straight, &paths[..6], 4), relation(&transposed, &paths[6..], 4));
        let budget = Budget::unlimited();
        group.bench_function(BenchmarkId::new("compose", locks), |bencher| {
            let release = straight.operation(3, Operation::Release(Lock::new(0)));
            bencher.iter(|| black_box(straight.compose(&first, &release, &budget)).is_ok());
        });
        let mut check = Compatibility::new(layout);
        group.bench_function(BenchmarkId::new("compatible", locks), |bencher| {
            bencher.iter(|| check.choose(&[&first, &second], &budget).expect("unlimited").is_some());
        });
    }
    group.finish();
}

criterion_group!(benches, explicit, symbolic);
criterion_main!(benches);
