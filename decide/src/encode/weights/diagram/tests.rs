//! Compares diagrams with the sets that they represent, sequence by sequence.

use super::item::SequenceItem;
use super::nodes::DiagramId;
use super::sets::Diagrams;
use eml::model::LocationId;
use fastrand::Rng;
use lockhist::{Lock, LockSet, Operation};
use std::collections::BTreeSet;

type Sequence = Vec<SequenceItem>;

/// The sequences of a diagram, in forward order.
fn sequences(diagrams: &Diagrams, id: DiagramId) -> BTreeSet<Sequence> {
    if id == DiagramId::LEAF {
        return BTreeSet::from([Sequence::new()]);
    }
    let ending = |(item, before): &(SequenceItem, DiagramId)| {
        let fronts = sequences(diagrams, *before).into_iter();
        fronts.map(|front| [&front[..], &[*item]].concat()).collect::<Vec<_>>()
    };
    diagrams.edges(id).iter().flat_map(ending).collect()
}

/// The segment of a random path of a few operations on two locks.
fn segment(rng: &mut Rng, diagrams: &mut Diagrams) -> SequenceItem {
    let mut whole = SequenceItem::EMPTY;
    let (mut held, mut free) = (LockSet::EMPTY, LockSet::EMPTY);
    for _ in 0..rng.usize(0..=4) {
        let lock = Lock::new(rng.usize(..2));
        let (own, acquires) = (LockSet::of(lock), rng.bool());
        if if acquires { held.contains(lock) } else { free.contains(lock) } {
            continue;
        }
        (held, free) = if acquires { (held | own, free - own) } else { (held - own, free | own) };
        let operation = if acquires { Operation::Acquire(lock) } else { Operation::Release(lock) };
        let next = SequenceItem::segment(diagrams.segments_mut().of(operation));
        whole = diagrams.join(whole, next);
    }
    whole
}

/// A random set of sequences of two segments with a location between them.
fn set(rng: &mut Rng, diagrams: &mut Diagrams) -> DiagramId {
    let mut whole = DiagramId::EMPTY;
    for _ in 0..rng.usize(0..=20) {
        let location = SequenceItem::location(LocationId::new(rng.usize(..2)));
        let sequence = [segment(rng, diagrams), location, segment(rng, diagrams)];
        let one = diagrams.singleton(&sequence);
        whole = diagrams.union(whole, one).expect("there is no limit").0;
    }
    whole
}

fn dominates(diagrams: &Diagrams, first: &Sequence, second: &Sequence) -> bool {
    first.iter().zip(second).all(|(first, second)| match (first.as_segment(), second.as_segment()) {
        (Some(first), Some(second)) => diagrams.segments().get(first).dominates(diagrams.segments().get(second)),
        _ => first == second,
    })
}

/// The minimal sequences.
fn minimal(diagrams: &Diagrams, all: BTreeSet<Sequence>) -> BTreeSet<Sequence> {
    let is_minimal = |one: &&Sequence| !all.iter().any(|other| other != *one && dominates(diagrams, other, one));
    all.iter().filter(is_minimal).cloned().collect()
}

/// All joins of a sequence of one set with one of the other.
fn joins(diagrams: &mut Diagrams, first: &BTreeSet<Sequence>, second: &BTreeSet<Sequence>) -> BTreeSet<Sequence> {
    let mut all = BTreeSet::new();
    for front in first {
        for back in second {
            let (end, front) = front.split_last().expect("no sequence is empty");
            let joined = diagrams.join(*end, back[0]);
            all.insert([front, &[joined], &back[1..]].concat());
        }
    }
    all
}

#[test]
fn unions_are_minimal_with_their_new_part() {
    let (mut rng, mut diagrams) = (Rng::with_seed(1), Diagrams::default());
    let mut dominated = 0;
    for _ in 0..1500 {
        let (a, b) = (set(&mut rng, &mut diagrams), set(&mut rng, &mut diagrams));
        let (own, other) = (sequences(&diagrams, a), sequences(&diagrams, b));
        let (union, new) = diagrams.union(a, b).expect("there is no limit");
        let expected = minimal(&diagrams, &own | &other);
        dominated += usize::from(expected.len() < (&own | &other).len());
        assert_eq!(sequences(&diagrams, union), expected);
        let is_new = |one: &&Sequence| !own.iter().any(|known| dominates(&diagrams, known, one));
        let expected: BTreeSet<_> = other.iter().filter(is_new).cloned().collect();
        assert_eq!(sequences(&diagrams, new), expected);
        let sum = diagrams.sum(vec![a, b, union]).expect("there is no limit");
        assert_eq!(sum, union, "equal sets are one diagram");
    }
    assert!(dominated > 100, "{dominated}");
}

/// Sums of several sets with many common sequences, and of more sets than there are bits in a word.
#[test]
fn sums_are_minimal() {
    let (mut rng, mut diagrams) = (Rng::with_seed(4), Diagrams::default());
    for round in 0..600 {
        let count = if round % 20 == 0 { 80 } else { rng.usize(3..7) };
        let mut sets = vec![set(&mut rng, &mut diagrams)];
        while sets.len() < count {
            let (known, new) = (sets[rng.usize(..sets.len())], set(&mut rng, &mut diagrams));
            let next = if rng.bool() { diagrams.union(known, new).expect("there is no limit").0 } else { new };
            sets.push(next);
        }
        let all = sets.iter().flat_map(|set| sequences(&diagrams, *set)).collect();
        let sum = diagrams.sum(sets).expect("there is no limit");
        assert_eq!(sequences(&diagrams, sum), minimal(&diagrams, all), "round {round}");
    }
}

#[test]
fn compositions_are_the_minimal_joins() {
    let (mut rng, mut diagrams) = (Rng::with_seed(2), Diagrams::default());
    for _ in 0..400 {
        let (a, b) = (set(&mut rng, &mut diagrams), set(&mut rng, &mut diagrams));
        let (first, second) = (sequences(&diagrams, a), sequences(&diagrams, b));
        let composition = diagrams.compose(a, b).expect("there is no limit");
        let expected = joins(&mut diagrams, &first, &second);
        assert_eq!(sequences(&diagrams, composition), minimal(&diagrams, expected));
    }
}

#[test]
fn forgotten_nodes_are_made_again() {
    let (mut rng, mut diagrams) = (Rng::with_seed(3), Diagrams::default());
    let old: Vec<_> = (0..10).map(|_| set(&mut rng, &mut diagrams)).collect();
    for _ in 0..300 {
        let mark = diagrams.len();
        let kept = set(&mut rng, &mut diagrams);
        let (a, b) = (old[rng.usize(..old.len())], old[rng.usize(..old.len())]);
        let compositions = [kept, a].map(|set| diagrams.compose(set, b).expect("there is no limit"));
        diagrams.union(compositions[0], compositions[1]).expect("there is no limit");
        let before = sequences(&diagrams, kept);
        let kept = diagrams.forget_since(mark, &[kept])[0];
        assert_eq!(sequences(&diagrams, kept), before);
        let (first, second) = (sequences(&diagrams, a), sequences(&diagrams, b));
        let composition = diagrams.compose(a, b).expect("there is no limit");
        let expected = joins(&mut diagrams, &first, &second);
        assert_eq!(sequences(&diagrams, composition), minimal(&diagrams, expected));
        diagrams.forget_since(mark, &[]);
    }
}

/// Whether each node has one segment of each class.
fn is_lightest(diagrams: &Diagrams, set: DiagramId) -> bool {
    let edges = diagrams.edges(set);
    let classes: BTreeSet<_> = edges.iter().map(|(item, _)| item.class()).collect();
    classes.len() == edges.len() && edges.iter().all(|(_, before)| is_lightest(diagrams, *before))
}

/// The order in which the sums of lightest sets descend: for each edge of the second set, the first set has one that
/// comes before it, or one with the same item and a child below.
fn is_below(diagrams: &Diagrams, first: DiagramId, second: DiagramId) -> bool {
    let constraints = |item: SequenceItem| {
        let segment = item.as_segment().map(|id| diagrams.segments().get(id));
        segment.map_or(0, |segment| segment.constraints())
    };
    diagrams.edges(second).iter().all(|(item, child)| {
        diagrams.edges(first).iter().any(|(own, own_child)| {
            own.class() == item.class()
                && ((constraints(*own), *own) < (constraints(*item), *item)
                    || (own == item && is_below(diagrams, *own_child, *child)))
        })
    })
}

#[test]
fn lightest_sets_are_subsets_and_sums_descend() {
    let (mut rng, mut diagrams) = (Rng::with_seed(5), Diagrams::lightest());
    let (mut left_out, mut replaced) = (0, 0);
    for _ in 0..1500 {
        let (a, b) = (set(&mut rng, &mut diagrams), set(&mut rng, &mut diagrams));
        let (own, other) = (sequences(&diagrams, a), sequences(&diagrams, b));
        let (union, new) = diagrams.union(a, b).expect("there is no limit");
        let kept = sequences(&diagrams, union);
        assert!(kept.is_subset(&(&own | &other)) && is_lightest(&diagrams, union));
        assert!(is_below(&diagrams, union, a) && (union == a || !is_below(&diagrams, a, union)));
        assert_eq!(new == DiagramId::EMPTY, union == a);
        assert!(sequences(&diagrams, new).is_subset(&other));
        left_out += usize::from(kept.len() < minimal(&diagrams, &own | &other).len());
        replaced += usize::from(!own.is_subset(&kept));

        let sum = diagrams.sum(vec![a, b, union]).expect("there is no limit");
        assert!(sequences(&diagrams, sum).is_subset(&(&own | &other)) && is_lightest(&diagrams, sum));
        let joined = joins(&mut diagrams, &own, &other);
        let composition = diagrams.compose(a, b).expect("there is no limit");
        assert!(sequences(&diagrams, composition).is_subset(&joined) && is_lightest(&diagrams, composition));
        assert_eq!(composition == DiagramId::EMPTY, a == DiagramId::EMPTY || b == DiagramId::EMPTY);
    }
    assert!(left_out > 100 && replaced > 100, "{left_out} {replaced}");
}
