//! Examples 1 and 2 of the paper.

use lockhist::Operation::{Acquire, Release};
use lockhist::{Histories, Lock, LockHistory, LockSet};

fn lock(number: usize) -> Lock {
    Lock::new(number)
}

fn set(numbers: &[usize]) -> LockSet {
    numbers.iter().copied().map(lock).collect()
}

fn histories(entries: &[(usize, &[usize])]) -> Histories {
    let keys = entries.iter().map(|(key, _)| lock(*key)).collect();
    Histories::new(keys, |key| entries.iter().find(|(own, _)| lock(*own) == key).map(|(_, all)| set(all)).unwrap())
}

/// The word of Example 1, `(i` positive and `)i` negative; its three parts end at the positions N, P and W.
const WORD: [i32; 22] = [
    -1, 2, -2, -3, 4, 5, -5, -4, 6, -6, 2, -2, -7, // A to N
    6, -6, // N to P
    4, 2, -2, 2, 7, -7, 8, // P to W
];

fn history_of(word: &[i32]) -> LockHistory {
    word.iter().fold(LockHistory::start(set(&[1, 3, 7, 9])), |history, &symbol| {
        let lock = lock(symbol.unsigned_abs() as usize);
        history.post(if symbol > 0 { Acquire(lock) } else { Release(lock) })
    })
}

#[test]
fn example_2_is_the_history_of_example_1() {
    let history = history_of(&WORD);
    let segment = history.segment();
    assert_eq!(segment.released(), set(&[1, 3, 7]));
    assert_eq!(*segment.releases(), histories(&[(1, &[1]), (3, &[1, 2, 3]), (7, &[1, 2, 3, 4, 5, 6, 7])]));
    assert_eq!(segment.acquired(), set(&[2, 4, 8]));
    assert_eq!(*segment.acquisitions(), histories(&[(2, &[2, 7, 8]), (4, &[2, 4, 7, 8]), (8, &[8])]));
    assert_eq!(history.held_throughout(), set(&[9]));
    // The example prints {6}, the locks of the part from N to P alone; `post` collects every lock acquired and
    // released.
    assert_eq!(segment.used(), set(&[2, 4, 5, 6, 7]));
    assert_eq!(history_of(&WORD[13..15]).segment().used(), set(&[6]));
}

#[test]
fn initially_and_finally_held_locks_are_read_off() {
    let history = history_of(&WORD);
    assert_eq!(history.initially_held(), set(&[1, 3, 7, 9]));
    assert_eq!(history.finally_held(), set(&[2, 4, 8, 9]));
    assert_eq!(history.next_phase(), LockHistory::start(set(&[2, 4, 8, 9])));
}
