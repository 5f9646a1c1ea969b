//! The decision diagrams against the explicit histories, for all paths of a small world.

use crate::support::paths_from;
use lockhist::symbolic::{Budget, Compatibility, Exhausted, Layout, Orientation, Relation, Relations};
use lockhist::{LockHistory, LockSet, Operation, compatible};
use proptest::prelude::*;
use std::sync::Arc;

/// The operations of each phase of a path that begins without locks.
type Phased = Vec<Vec<Operation>>;

/// All paths of at most `length` operations, cut into `phases` phases in every way.
fn phased(locks: usize, length: usize, phases: usize) -> Vec<Phased> {
    let mut all: Vec<Phased> = paths_from(&[], locks, length).into_iter().map(|path| vec![path.operations]).collect();
    for _ in 1..phases {
        let cut = |path: &Phased| {
            let (last, front) = path.split_last().expect("at least one phase");
            let cuts = (0..=last.len()).map(|place| {
                let (before, after) = last.split_at(place);
                [front, &[before.to_vec()], &[after.to_vec()]].concat()
            });
            cuts.collect::<Vec<_>>()
        };
        all = all.iter().flat_map(cut).collect();
    }
    all
}

/// Returns the initial history, then the history at the end of each phase, by `post` and `ptrans`.
fn tuple(path: &Phased) -> Vec<LockHistory> {
    let mut at = LockHistory::start(LockSet::EMPTY);
    let mut tuple = vec![at.clone()];
    for operations in path {
        at = operations.iter().fold(at, |history, &next| history.post(next));
        tuple.push(at.clone());
        at = at.next_phase();
    }
    tuple
}

fn relation(relations: &Relations, path: &Phased, budget: &Budget<'_>) -> Result<Relation, Exhausted> {
    let mut whole = relations.identity(0);
    for (phase, operations) in path.iter().enumerate() {
        if phase > 0 {
            whole = relations.compose(&whole, &relations.boundary(phase - 1, budget)?, budget)?;
        }
        for &operation in operations {
            whole = relations.compose(&whole, &relations.operation(phase, operation), budget)?;
        }
    }
    Ok(whole)
}

fn all_compatible(tuples: &[&Vec<LockHistory>]) -> bool {
    (1..tuples[0].len()).all(|phase| compatible(&tuples.iter().map(|tuple| &tuple[phase]).collect::<Vec<_>>()))
}

#[test]
fn relations_compute_post_and_ptrans() {
    let budget = Budget::unlimited();
    for (locks, length) in [(2, 6), (3, 5)] {
        let layout = Arc::new(Layout::new(locks, 2, 2).unwrap());
        for orientation in [Orientation::Straight, Orientation::Transposed] {
            let relations = Relations::new(layout.clone(), orientation);
            for path in phased(locks, length, 2) {
                let whole = relation(&relations, &path, &budget).unwrap();
                let tuple = tuple(&path);
                assert!(relations.contains(&whole, &tuple), "{path:?}");
                if orientation == Orientation::Straight {
                    let chosen = Compatibility::new(layout.clone()).choose(&[&whole], &budget).unwrap();
                    assert_eq!(chosen, Some(vec![tuple]), "{path:?}: the only tuple");
                }
            }
        }
    }
}

#[test]
fn the_range_has_the_histories_at_the_end() {
    let budget = Budget::unlimited();
    let layout = Arc::new(Layout::new(2, 2, 2).unwrap());
    for orientation in [Orientation::Straight, Orientation::Transposed] {
        let relations = Relations::new(layout.clone(), orientation);
        let all = phased(2, 5, 2);
        let mut ends: Vec<_> = all.iter().map(|path| tuple(path)[2].clone()).collect();
        ends.sort();
        ends.dedup();
        for path in &all {
            let whole = relation(&relations, path, &budget).unwrap();
            let range = relations.range(&whole, &budget).unwrap();
            assert_eq!((range.first_phase(), range.last_phase()), (1, 1));
            assert_eq!(relations.compose(&whole, &range, &budget).unwrap(), whole, "{path:?}: nothing is lost");
            assert_eq!(relations.union(&range, &relations.identity(1), &budget).unwrap(), relations.identity(1));
            // From one history, one is left.
            let from_start = relations.compose(&relations.start(0), &whole, &budget).unwrap();
            assert!(relations.contains(&from_start, &tuple(path)), "{path:?}");
            let range = relations.range(&from_start, &budget).unwrap();
            for end in &ends {
                let is_there = relations.contains(&range, &[end.clone(), end.clone()]);
                assert_eq!(is_there, *end == tuple(path)[2], "{path:?} {end:?}");
            }
        }
    }
}

#[test]
fn compositions_split_where_they_met() {
    let budget = Budget::unlimited();
    let layout = Arc::new(Layout::new(3, 2, 2).unwrap());
    let relations = Relations::new(layout.clone(), Orientation::Straight);
    for path in phased(3, 4, 2) {
        let tuple = tuple(&path);
        let whole = relation(&relations, &path, &budget).unwrap();
        for operation in &path[1] {
            let last = relations.operation(1, *operation);
            if let Some((front, back)) = relations.split(&tuple, &whole, &last) {
                assert!(relations.contains(&whole, &front) && relations.contains(&last, &back));
                assert_eq!((front.len(), back.len()), (3, 2));
                assert_eq!((&front[..2], &front[2], &back[1]), (&tuple[..2], &back[0], &tuple[2]));
            }
        }
        let whole_again = relations.compose(&whole, &relations.identity(1), &budget).unwrap();
        assert_eq!(whole, whole_again, "equal sets are equal diagrams");
        let (front, back) = relations.split(&tuple, &whole, &relations.identity(1)).expect("splits");
        assert_eq!((front, back), (tuple.clone(), vec![tuple[2].clone(), tuple[2].clone()]));
        let absent = LockHistory::start([lockhist::Lock::new(0)].into_iter().collect());
        let wrong = [&tuple[..2], &[absent]].concat();
        assert_eq!(relations.split(&wrong, &whole, &relations.identity(1)).is_some(), wrong == tuple);
    }
}

#[test]
fn the_check_agrees_on_all_pairs() {
    let budget = Budget::unlimited();
    for (locks, length, phases) in [(2, 5, 1), (2, 4, 2), (3, 3, 1)] {
        let layout = Arc::new(Layout::new(locks, phases, 2).unwrap());
        let [straight, transposed] = [Orientation::Straight, Orientation::Transposed]
            .map(|orientation| Relations::new(layout.clone(), orientation));
        let mut check = Compatibility::new(layout.clone());
        let paths = phased(locks, length, phases);
        let build = |relations: &Relations, path| (relation(relations, path, &budget).unwrap(), tuple(path));
        let first: Vec<_> = paths.iter().map(|path| build(&straight, path)).collect();
        let second: Vec<_> = paths.iter().map(|path| build(&transposed, path)).collect();
        let mut counts = [0; 2];
        for (one, one_tuple) in &first {
            for (other, other_tuple) in &second {
                let expected = all_compatible(&[one_tuple, other_tuple]);
                let found = check.choose(&[one, other], &budget).unwrap();
                assert_eq!(found, expected.then(|| vec![one_tuple.clone(), other_tuple.clone()]));
                counts[usize::from(expected)] += 1;
            }
        }
        assert!(counts.iter().all(|count| *count > 100), "the test sees both answers: {counts:?}");
    }
}

#[test]
fn the_check_sees_cycles_through_three_processes() {
    let budget = Budget::unlimited();
    let layout = Arc::new(Layout::new(3, 1, 3).unwrap());
    let paths: Vec<_> = phased(3, 3, 1);
    let of = |thread: usize| {
        let relations = Relations::new(layout.clone(), Orientation::of_thread(thread));
        paths.iter().map(|path| (relation(&relations, path, &budget).unwrap(), tuple(path))).collect::<Vec<_>>()
    };
    let [first, second, third] = [of(0), of(1), of(2)];
    let mut check = Compatibility::new(layout.clone());
    let (mut yes, mut cycles) = (0, 0);
    for (one, a) in &first {
        for (two, b) in &second {
            for (three, c) in &third {
                let expected = all_compatible(&[a, b, c]);
                let pairwise = all_compatible(&[a, b]) && all_compatible(&[a, c]) && all_compatible(&[b, c]);
                // Most triples have two processes in conflict; those are for the test of pairs.
                if expected || pairwise {
                    let found = check.choose(&[one, two, three], &budget).unwrap();
                    assert_eq!(found.is_some(), expected, "{a:?} {b:?} {c:?}");
                    yes += usize::from(expected);
                    cycles += usize::from(!expected);
                }
            }
        }
    }
    assert!(yes > 100 && cycles > 0, "the test sees both answers: {yes} {cycles}");
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(60))]

    /// Sets of several tuples: the check finds compatible tuples if and only if they exist.
    #[test]
    fn the_check_chooses_from_sets(
        threads in 2_usize..4,
        picks in prop::collection::vec(prop::collection::vec(any::<prop::sample::Index>(), 1..6), 3),
    ) {
        let budget = Budget::unlimited();
        let layout = Arc::new(Layout::new(3, 2, threads).unwrap());
        let paths = phased(3, 4, 2);
        let mut relations = Vec::new();
        let mut tuples = Vec::new();
        for (thread, picks) in picks.iter().take(threads).enumerate() {
            let here = Relations::new(layout.clone(), Orientation::of_thread(thread));
            let chosen: Vec<_> = picks.iter().map(|pick| pick.get(&paths)).collect();
            let parts = chosen.iter().map(|path| relation(&here, path, &budget).unwrap());
            relations.push(parts.reduce(|all, one| here.union(&all, &one, &budget).unwrap()).unwrap());
            tuples.push(chosen.into_iter().map(tuple).collect::<Vec<_>>());
        }
        let mut choices: Vec<Vec<&Vec<LockHistory>>> = vec![vec![]];
        for own in &tuples {
            choices = choices.iter().flat_map(|c| own.iter().map(move |t| [&c[..], &[t]].concat())).collect();
        }
        let expected = choices.iter().any(|choice| all_compatible(choice));
        let found = Compatibility::new(layout.clone()).choose(&relations.iter().collect::<Vec<_>>(), &budget).unwrap();
        prop_assert_eq!(found.is_some(), expected);
        if let Some(found) = found {
            prop_assert!(all_compatible(&found.iter().collect::<Vec<_>>()));
            for (own, chosen) in tuples.iter().zip(&found) {
                prop_assert!(own.contains(chosen));
            }
        }
    }
}

#[test]
fn a_spent_budget_ends_an_operation() {
    let layout = Arc::new(Layout::new(6, 3, 2).unwrap());
    let relations = Relations::new(layout.clone(), Orientation::Straight);
    let path: Phased = vec![(0..6).map(|lock| Operation::Acquire(lockhist::Lock::new(lock))).collect(); 1];
    assert!(relation(&relations, &path, &Budget::unlimited()).is_ok());
    assert_eq!(relation(&relations, &path, &Budget::new(|| false)), Err(Exhausted));
}
