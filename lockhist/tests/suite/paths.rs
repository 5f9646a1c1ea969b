//! Segments and compatibility against the paths themselves, for all paths of a small world.

use crate::support::{Path, interleave, paths_from, stacks};
use lockhist::{Lock, LockHistory, LockSet, Segment, compatible, compatible_segments, last_is_compatible};
use std::collections::HashMap;

fn all_paths(locks: usize, length: usize) -> Vec<Path> {
    stacks(locks).iter().flat_map(|held| paths_from(held, locks, length)).collect()
}

fn segment(path: &Path) -> Segment {
    path.operations.iter().fold(Segment::empty(), |whole, &next| whole.then(&Segment::of(next)))
}

#[test]
fn segments_of_concatenations_are_compositions() {
    for path in all_paths(3, 5) {
        let whole = segment(&path);
        assert_eq!(whole, *path.history().segment(), "{path:?}");
        assert_eq!(path.history(), LockHistory::new(whole.clone(), path.held_set()));
        for place in 0..=path.operations.len() {
            let (front, back) = path.operations.split_at(place);
            let part = |operations: &[_]| segment(&Path { held: vec![], operations: operations.to_vec() });
            assert_eq!(part(front).then(&part(back)), whole, "{path:?} at {place}");
        }
    }
}

/// One path for each pair of held locks and segment; paths that agree in these are interchangeable, which
/// `compatible_paths_interleave` tests with different representatives: the first and the last.
fn representatives(paths: &[Path], last: bool) -> Vec<Path> {
    let mut found: HashMap<(LockSet, Segment), &Path> = HashMap::new();
    for path in paths {
        let key = (path.held_set(), segment(path));
        if last {
            found.insert(key, path);
        } else {
            found.entry(key).or_insert(path);
        }
    }
    let mut chosen: Vec<_> = found.into_values().cloned().collect();
    chosen.sort_by_key(|path| (path.operations.len(), format!("{path:?}")));
    chosen
}

#[test]
fn compatible_paths_interleave() {
    for (locks, length) in [(2, 5), (3, 4)] {
        let paths = all_paths(locks, length);
        let (first, last) = (representatives(&paths, false), representatives(&paths, true));
        let mut yes = 0;
        for one in &first {
            for other in &last {
                let expected = interleave(&[one, other]);
                assert_eq!(compatible(&[&one.history(), &other.history()]), expected, "{one:?} {other:?}");
                yes += usize::from(expected);
            }
        }
        assert!(yes > 1000, "the test sees both answers");
    }
}

#[test]
fn three_compatible_paths_interleave() {
    let free: Vec<_> = representatives(&paths_from(&[], 3, 3), false);
    let held: Vec<_> = representatives(&all_paths(3, 3), false);
    let histories: Vec<_> = held.iter().map(Path::history).collect();
    let (mut yes, mut cycles) = (0, 0);
    for one in &free {
        for (second, second_history) in held.iter().zip(&histories) {
            for (third, third_history) in held
                .iter()
                .zip(&histories)
                .filter(|(_, third)| !third.initially_held().meets(second_history.initially_held()))
            {
                let threads = [&one.history(), second_history, third_history];
                let expected = interleave(&[one, second, third]);
                assert_eq!(compatible(&threads), expected, "{one:?} {second:?} {third:?}");
                let segments = threads.map(|history| (history.initially_held(), history.segment()));
                let one_by_one = (1..=3).all(|count| last_is_compatible(&segments[..count]));
                assert_eq!(one_by_one, expected, "{one:?} {second:?} {third:?}");
                let pairs = [[0, 1], [0, 2], [1, 2]];
                let pairwise = pairs.iter().all(|[a, b]| compatible(&[threads[*a], threads[*b]]));
                yes += usize::from(expected);
                cycles += usize::from(pairwise && !expected);
            }
        }
    }
    assert!(yes > 1000 && cycles > 0, "the test sees both answers, and cycles through three processes: {yes} {cycles}");
}

#[test]
fn release_histories_of_three_paths_can_form_a_cycle() {
    // Each process holds a lock, and above it one that it must release first but that another process needs before.
    let lock = |index: usize| Lock::new(index % 3);
    let paths: Vec<_> = (0..3)
        .map(|i| Path {
            held: vec![lock(i)],
            operations: vec![
                lockhist::Operation::Acquire(lock(i + 1)),
                lockhist::Operation::Release(lock(i + 1)),
                lockhist::Operation::Release(lock(i)),
            ],
        })
        .collect();
    let histories: Vec<_> = paths.iter().map(Path::history).collect();
    assert!(interleave(&[&paths[0], &paths[1]]) && compatible(&[&histories[0], &histories[1]]));
    let (all, of_all) = ([&paths[0], &paths[1], &paths[2]], [&histories[0], &histories[1], &histories[2]]);
    assert!(!interleave(&all) && !compatible(&of_all));
}

#[test]
fn dominating_segments_constrain_less() {
    let paths = all_paths(2, 4);
    let chosen = representatives(&paths, false);
    let mut pairs = 0;
    for better in &chosen {
        for worse in &chosen {
            let (b, w) = (segment(better), segment(worse));
            if b == w || !b.dominates(&w) || better.held_set() != worse.held_set() {
                continue;
            }
            pairs += 1;
            assert!(b.constraints() < w.constraints(), "{better:?} {worse:?}");
            for other in &chosen {
                let (held, o) = (worse.held_set(), segment(other));
                if compatible_segments(&[(held, &w), (other.held_set(), &o)]) {
                    assert!(
                        compatible_segments(&[(held, &b), (other.held_set(), &o)]),
                        "{better:?} {worse:?} {other:?}"
                    );
                }
                if worse.held_after() == other.held && better.held_after() == other.held {
                    assert!(b.then(&o).dominates(&w.then(&o)), "composition is monotone");
                }
            }
        }
    }
    assert!(pairs > 20, "the test sees dominated segments: {pairs}");
}
