//! Monomials of power series over relations between lock histories: the weights of the symbolic engine.
//!
//! A weight is the paper's `c_i z^i`: a relation of arity `i + 2` between lock histories. During a saturation only
//! monomials arise (section 7), and the control states at both ends determine the phases that the path crosses. So a
//! weight is its relation alone, which includes its phases. Relations are interned and compositions memoized, since one
//! operation on decision diagrams costs far more than a table look-up; sums are tested for equality before anything is
//! propagated.
//!
//! The step from a phase to the next is restricted to histories with the [locks held](crate::encode::flow::NodeLocks)
//! at its node. So it need not remember them: otherwise its size is exponential in the number of locks, and so is that
//! of all weights that contain it.
//!
//! A relation has a tuple for every history before its path, also for those that no run has there. The diagram of a
//! path that releases locks distinguishes, for each of them, whether it was acquired in the phase or before: that is
//! exponential. So saturation begins with the history of a process that holds nothing instead of with all histories,
//! and the summary of a procedure is restricted to histories with which the procedure is entered. *It is the same
//! result*: the compatibility check selects the tuples of paths that begin without locks, and for such tuples nothing is
//! lost. Let `e(a)` be the empty path for the histories with which `a` ends. Then `a * e(a) = a`, so
//! `a * e(b) * c = a * c` for every weight `a <= b`; and a call composes the weight `a` of a caller with the summary
//! from the sum of `e(b)` over all callers `b`, among them `a`.
//!
//! Source: Kidd, Lammich, Touili, Reps 2009, Definitions 4 and 5.

use super::lock_weights::LockWeights;
use crate::encode::flow::NodeLocks;
use eml::model::LocationId;
use indexmap::IndexSet;
use limits::{Meter, StopReason};
use lockhist::symbolic::{Budget, Exhausted, Layout, Orientation, Relation, Relations};
use lockhist::{LockHistory, Operation};
use rustc_hash::{FxBuildHasher, FxHashMap};
use std::cell::Cell;
use std::sync::Arc;
use wpds::{Semiring, Traceable};

/// A monomial; equal weights are equal sets of tuples.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) enum Monomial {
    /// No path.
    Zero,
    /// The empty path, in any phase.
    One,
    /// The relation with this number.
    Relation(u32),
}

/// The relations of an analysis.
#[derive(Debug)]
pub(crate) struct PowerSeries {
    relations: Relations,
    all: IndexSet<Relation, FxBuildHasher>,
    compositions: FxHashMap<(u32, u32), Monomial>,
    unions: FxHashMap<(u32, u32), u32>,
    /// The empty paths that can follow relations.
    entered: FxHashMap<u32, Monomial>,
    /// The lock state of the node for steps between phases.
    held: Option<NodeLocks>,
    meter: Meter,
}

impl PowerSeries {
    /// Begins without relations. Operations stop when the meter does.
    pub(crate) fn new(layout: Arc<Layout>, orientation: Orientation, meter: Meter) -> Self {
        Self {
            relations: Relations::new(layout, orientation),
            all: IndexSet::default(),
            compositions: FxHashMap::default(),
            unions: FxHashMap::default(),
            entered: FxHashMap::default(),
            held: None,
            meter,
        }
    }

    /// From now on operations stop when this meter does. Computed results are kept.
    pub(crate) fn set_meter(&mut self, meter: Meter) {
        self.meter = meter;
    }

    /// The relation of a weight; `None` for the weight of no path. The empty path is in the given phase.
    pub(crate) fn relation(&self, weight: Monomial, phase: usize) -> Option<Relation> {
        match weight {
            Monomial::Zero => None,
            Monomial::One => Some(self.relations.identity(phase)),
            Monomial::Relation(id) => Some(self.all[id as usize].clone()),
        }
    }

    fn monomial(&mut self, relation: Relation) -> Monomial {
        if relation.is_empty() { Monomial::Zero } else { Monomial::Relation(self.intern(relation)) }
    }

    fn intern(&mut self, relation: Relation) -> u32 {
        u32::try_from(self.all.insert_full(relation).0).expect("fewer than 2^32 relations")
    }

    /// Runs an operation on decision diagrams under the meter.
    fn metered<T>(
        &self,
        operation: impl FnOnce(&Relations, &Budget<'_>) -> Result<T, Exhausted>,
    ) -> Result<T, StopReason> {
        self.meter.check()?;
        metered(&self.meter, |budget| operation(&self.relations, budget))
    }

    fn union(&mut self, a: u32, b: u32) -> Result<u32, StopReason> {
        if a == b {
            return Ok(a);
        }
        let key = (a.min(b), a.max(b));
        if let Some(union) = self.unions.get(&key) {
            return Ok(*union);
        }
        let (left, right) = (&self.all[a as usize], &self.all[b as usize]);
        let union = self.metered(|relations, budget| relations.union(left, right, budget))?;
        let union = self.intern(union);
        self.unions.insert(key, union);
        Ok(union)
    }

    /// The number of the weight; none for the weight of no path. An empty path is in the first phase of the other
    /// weight.
    fn id(&mut self, weight: Monomial, other: u32) -> Option<u32> {
        match weight {
            Monomial::Zero => None,
            Monomial::One => {
                let phase = self.all[other as usize].first_phase();
                let identity = self.relations.identity(phase);
                Some(self.intern(identity))
            }
            Monomial::Relation(id) => Some(id),
        }
    }
}

/// Runs an operation with a budget that is spent when the meter stops. Returns the meter's reason if it did.
pub(crate) fn metered<T>(
    meter: &Meter,
    operation: impl FnOnce(&Budget<'_>) -> Result<T, Exhausted>,
) -> Result<T, StopReason> {
    let reason = Cell::new(StopReason::Timeout);
    let budget = Budget::new(|| meter.check().map_err(|stop| reason.set(stop)).is_ok());
    operation(&budget).map_err(|Exhausted| reason.get())
}

impl LockWeights for PowerSeries {
    const NEEDS_HELD: bool = true;

    fn start(&mut self) -> Monomial {
        let relation = self.relations.start(0);
        self.monomial(relation)
    }

    fn at(&mut self, held: Option<NodeLocks>) {
        self.held = held;
    }

    fn operation(&mut self, phase: usize, operation: Operation) -> Monomial {
        let relation = self.relations.operation(phase, operation);
        self.monomial(relation)
    }

    fn boundary(&mut self, phase: usize) -> Result<Monomial, StopReason> {
        let held = self.held.map(|NodeLocks { may_be_free, may_be_held }| (may_be_free, may_be_held));
        let relation = self.metered(|relations, budget| match held {
            Some(known) => relations.boundary_where(phase, known, budget),
            None => relations.boundary(phase, budget),
        })?;
        Ok(self.monomial(relation))
    }

    fn access(&mut self, phase: usize, _: LocationId) -> Result<Monomial, StopReason> {
        self.boundary(phase)
    }

    fn end(&mut self, _: usize, _: Option<LocationId>) -> Result<Monomial, StopReason> {
        Ok(Monomial::One)
    }

    fn work_of(&self, units: usize) -> Result<(), StopReason> {
        self.meter.work_of(units)
    }

    fn without_last_phase(&self, element: &Vec<LockHistory>) -> Option<Vec<LockHistory>> {
        let (last, front) = element.split_last()?;
        (front.len() > 1 && *last == front.last()?.next_phase()).then(|| front.to_vec())
    }
}

impl Semiring for PowerSeries {
    type Weight = Monomial;
    type Stop = StopReason;

    fn zero(&self) -> Monomial {
        Monomial::Zero
    }

    fn one(&self) -> Monomial {
        Monomial::One
    }

    fn extend(&mut self, left: &Monomial, right: &Monomial) -> Result<Monomial, StopReason> {
        match (*left, *right) {
            (Monomial::Zero, _) | (_, Monomial::Zero) => Ok(Monomial::Zero),
            (Monomial::One, other) | (other, Monomial::One) => Ok(other),
            (Monomial::Relation(a), Monomial::Relation(b)) => {
                if let Some(product) = self.compositions.get(&(a, b)) {
                    return Ok(*product);
                }
                let (first, then) = (&self.all[a as usize], &self.all[b as usize]);
                let product = self.metered(|relations, budget| relations.compose(first, then, budget))?;
                let product = self.monomial(product);
                self.compositions.insert((a, b), product);
                Ok(product)
            }
        }
    }

    /// The empty path for the histories with which paths of the weight end. After a limit, it is 1, which is right for
    /// every weight; the next operation reports the limit.
    fn entered(&mut self, weight: &Monomial) -> Monomial {
        let Monomial::Relation(id) = *weight else { return *weight };
        if let Some(entered) = self.entered.get(&id) {
            return *entered;
        }
        let range = self.metered(|relations, budget| relations.range(&self.all[id as usize], budget));
        let Ok(range) = range else { return Monomial::One };
        let entered = self.monomial(range);
        self.entered.insert(id, entered);
        entered
    }

    fn combine_into(&mut self, into: &mut Monomial, with: &Monomial) -> Result<Option<Monomial>, StopReason> {
        let sum = match (*into, *with) {
            (same, other) if same == other => return Ok(None),
            (sum, Monomial::Zero) | (Monomial::Zero, sum) => sum,
            (Monomial::Relation(known), other) | (other, Monomial::Relation(known)) => {
                let other = self.id(other, known).expect("not zero");
                Monomial::Relation(self.union(known, other)?)
            }
            (Monomial::One, Monomial::One) => unreachable!("equal weights were dealt with"),
        };
        if sum == *into {
            return Ok(None);
        }
        *into = sum;
        Ok(Some(*with))
    }
}

/// The elements are the tuples of histories: the one at the beginning, then the one at the end of each phase.
impl Traceable for PowerSeries {
    type Element = Vec<LockHistory>;

    fn contains(&self, weight: &Monomial, element: &Vec<LockHistory>) -> bool {
        match weight {
            Monomial::Zero => false,
            Monomial::One => element.len() == 2 && element[0] == element[1],
            Monomial::Relation(id) => self.relations.contains(&self.all[*id as usize], element),
        }
    }

    fn split(
        &mut self,
        element: &Vec<LockHistory>,
        left: &Monomial,
        right: &Monomial,
    ) -> Option<(Vec<LockHistory>, Vec<LockHistory>)> {
        let ends = |at: &LockHistory| vec![at.clone(), at.clone()];
        match (left, right) {
            (Monomial::Zero, _) | (_, Monomial::Zero) => None,
            (Monomial::One, _) => self.contains(right, element).then(|| (ends(&element[0]), element.clone())),
            (_, Monomial::One) => {
                self.contains(left, element).then(|| (element.clone(), ends(&element[element.len() - 1])))
            }
            (Monomial::Relation(a), Monomial::Relation(b)) => {
                self.relations.split(element, &self.all[*a as usize], &self.all[*b as usize])
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::matrices::Matrices;
    use super::*;
    use crate::encode::words::Position;
    use fastrand::Rng;
    use limits::Limits;
    use lockhist::Lock;

    fn series() -> PowerSeries {
        let layout = Arc::new(Layout::new(2, 2, 2).expect("fits"));
        PowerSeries::new(layout, Orientation::Straight, Meter::start(&Limits::default()))
    }

    /// The sum of some paths from the beginning of one phase to the end of another.
    fn weight(rng: &mut Rng, series: &mut PowerSeries, phases: std::ops::RangeInclusive<usize>) -> Monomial {
        let mut sum = Monomial::Zero;
        for _ in 0..rng.usize(1..4) {
            let mut path = Monomial::One;
            for phase in phases.clone() {
                if phase > *phases.start() {
                    let boundary = series.boundary(phase - 1).expect("there is no limit");
                    path = series.extend(&path, &boundary).expect("there is no limit");
                }
                for _ in 0..rng.usize(..3) {
                    let lock = Lock::new(rng.usize(..2));
                    let operation = if rng.bool() { Operation::Acquire(lock) } else { Operation::Release(lock) };
                    let step = series.operation(phase, operation);
                    path = series.extend(&path, &step).expect("there is no limit");
                }
            }
            series.combine_into(&mut sum, &path).expect("there is no limit");
        }
        sum
    }

    /// A column of a matrix with several entries is entered with the histories at the ends of all of them.
    #[test]
    fn every_caller_enters() {
        let (mut rng, mut series) = (Rng::with_seed(2), series());
        let weights: Vec<_> = (0..40).map(|_| weight(&mut rng, &mut series, 0..=0)).collect();
        let start = series.start();
        let weights: Vec<_> =
            weights.iter().map(|weight| series.extend(&start, weight).expect("there is no limit")).collect();
        let mut matrices = Matrices::new(series);
        let [first, second, last] = [0, 1, 2].map(Position::new);
        let mut different = 0;
        for pair in weights.windows(2).filter(|pair| !pair.contains(&Monomial::Zero)) {
            let matrix = matrices.of_entries(&[(first, last, pair[0]), (second, last, pair[1])]);
            let entered = matrices.entered(&matrix);
            assert_eq!(matrices.extend(&matrix, &entered), Ok(matrix));
            let alone = matrices.of_entries(&[(first, last, pair[0])]);
            different += usize::from(matrices.entered(&alone) != entered);
        }
        assert!(different > 5, "{different}");
    }

    #[test]
    fn summaries_from_what_is_entered_lose_nothing() {
        let (mut rng, mut series) = (Rng::with_seed(1), series());
        let start = series.start();
        let mut smaller = 0;
        for round in 0..400 {
            let mut first = weight(&mut rng, &mut series, 0..=1);
            if rng.bool() {
                first = series.extend(&start, &first).expect("there is no limit");
            }
            let mut both = weight(&mut rng, &mut series, 0..=1);
            series.combine_into(&mut both, &first).expect("there is no limit");
            let entered = [first, both].map(|weight| series.entered(&weight));
            let then = weight(&mut rng, &mut series, 1..=1);
            let expected = series.extend(&first, &then).expect("there is no limit");
            for entered in entered {
                assert_eq!(series.extend(&first, &entered), Ok(first), "round {round}");
                let callee = series.extend(&entered, &then).expect("there is no limit");
                assert_eq!(series.extend(&first, &callee), Ok(expected), "round {round}");
                let mut one = series.relations.identity(1);
                let range = series.relation(entered, 1).expect("it is not empty");
                one = series.relations.union(&one, &range, &Budget::unlimited()).expect("there is no limit");
                assert_eq!(one, series.relations.identity(1), "round {round}: a part of the empty path");
            }
            smaller += usize::from(entered[0] != entered[1]);
        }
        assert!(smaller > 100, "{smaller}");
    }
}
