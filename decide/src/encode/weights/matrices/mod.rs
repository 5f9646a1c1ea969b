//! Matrices over the positions of a word tree: the weights of a product, which then needs only one control state.
//!
//! A pushdown system with control states `P` has the same sums as one with a single control state and matrices as
//! weights: the entry in row `p` and column `q` is the weight of the runs that begin in `p` and end in `q`. Combine
//! adds matrices entry by entry, extend multiplies them. So all work of a saturation for a node of a program is one
//! operation on matrices. Rows and matrices are interned, and operations on them are memoized: where a program repeats
//! itself and the weights no longer change, a node costs one check_room-up in a table, however many positions there
//! are.
//!
//! Zero entries are omitted. So are rows of positions in which a procedure is not entered:
//! [`entered`](wpds::Semiring::entered) of a matrix has entries only on the diagonal, in the columns in which its runs
//! end: the sum of `entered` of the column's entries.
//!
//! Their total size depends on how much a program repeats itself, so it cannot be predicted. A user that can work with
//! less memory at a time [limits](Matrices::limit) it.

mod crossing;
mod semiring;
mod sums;

pub(crate) use crossing::{Crossing, Ends};

use super::lock_weights::LockWeights;
use super::memo::Memo;
use super::slices::Slices;
use crate::encode::words::{Position, WordTree};
use limits::StopReason;
use std::hash::Hash;

/// A matrix; equal ids are equal matrices.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct MatrixId(u32);

impl MatrixId {
    /// The matrix without entries.
    pub(crate) const ZERO: Self = Self(0);
}

/// A row; equal ids are equal rows.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
struct RowId(u32);

impl RowId {
    const ZERO: Self = Self(0);
}

/// Matrices over a semiring.
#[derive(Clone, Debug)]
pub(crate) struct Matrices<S: LockWeights> {
    pub(crate) entries: S,
    /// The nonzero entries of each row, by columns.
    rows: Slices<(Position, S::Weight)>,
    /// The nonzero rows of each matrix.
    matrices: Slices<(Position, RowId)>,
    /// The identity on the positions of the current tree.
    one: MatrixId,
    /// The number of phases before each of these positions.
    depths: Vec<u32>,
    products: Memo<MatrixId>,
    row_products: Memo<RowId>,
    /// Sums of two matrices, and the part of the second that is new to the first.
    sums: Memo<(MatrixId, MatrixId)>,
    row_sums: Memo<(RowId, RowId)>,
    /// Indexed by a matrix and 0.
    entered: Memo<MatrixId>,
    /// The approximate number of bytes that the weights may take.
    room: u64,
    /// The number of parts that the entries may have.
    most_parts: usize,
}

/// The numbers of entries, rows and matrices at some point of time.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Mark {
    entries: usize,
    rows: usize,
    matrices: usize,
}

impl<S: LockWeights + Default> Default for Matrices<S>
where
    S::Weight: Copy + Ord + Hash,
{
    fn default() -> Self {
        Self::new(S::default())
    }
}

impl<S: LockWeights> Matrices<S>
where
    S::Weight: Copy + Ord + Hash,
{
    /// The approximate limit for the bytes of weights in any case: with these, all their numbers fit into 32 bits.
    pub(crate) const MOST: u64 = 16 << 30;

    /// Begins without matrices.
    pub(crate) fn new(entries: S) -> Self {
        Self {
            entries,
            rows: Slices::default(),
            matrices: Slices::default(),
            one: MatrixId::ZERO,
            depths: Vec::new(),
            products: Memo::default(),
            row_products: Memo::default(),
            sums: Memo::default(),
            row_sums: Memo::default(),
            entered: Memo::default(),
            room: Self::MOST,
            most_parts: usize::MAX,
        }
    }

    /// An estimate of the bytes taken by the weights, the only part of a solved process without a bound in its size.
    pub(crate) fn size(&self) -> u64 {
        (self.rows.size() + self.matrices.size() + self.entries.size()) as u64
    }

    /// From now on operations stop, as if there were no more memory, when weights take more bytes than this.
    pub(crate) fn limit(&mut self, room: u64) {
        self.room = room.min(Self::MOST);
    }

    /// From now on operations stop, as if there were no more memory, when the entries have more parts than this in
    /// total.
    pub(crate) fn limit_parts(&mut self, most: usize) {
        self.most_parts = most;
    }

    /// Whether the entries have more parts than allowed.
    pub(crate) fn is_crowded(&self) -> bool {
        self.entries.mark() > self.most_parts
    }

    /// Checks that there is room for the weights made so far.
    ///
    /// # Errors
    /// If there is none.
    pub(crate) fn check_room(&self) -> Result<(), StopReason> {
        if self.is_crowded() || self.size() > self.room { Err(StopReason::Memory) } else { Ok(()) }
    }

    /// From now on matrices are over the positions of this tree.
    pub(crate) fn begin(&mut self, tree: &WordTree) {
        self.one = self.diagonal(tree.positions());
        self.depths = tree.positions().map(|position| tree.depth(position) as u32).collect();
    }

    /// The identity on some positions, in order.
    pub(crate) fn diagonal(&mut self, positions: impl Iterator<Item = Position>) -> MatrixId {
        let one = self.entries.one();
        let rows: Vec<_> = positions.map(|position| (position, RowId(self.rows.intern(&[(position, one)])))).collect();
        self.matrix(&rows)
    }

    /// The matrix with these nonzero entries, sorted by rows, then by columns, each once.
    pub(crate) fn of_entries(&mut self, entries: &[(Position, Position, S::Weight)]) -> MatrixId {
        let mut rows = Vec::new();
        for row in entries.chunk_by(|a, b| a.0 == b.0) {
            let columns: Vec<_> = row.iter().map(|(_, column, weight)| (*column, *weight)).collect();
            rows.push((row[0].0, self.row(&columns)));
        }
        self.matrix(&rows)
    }

    /// The sums of the columns; `count` is the number of positions.
    pub(crate) fn columns(&mut self, matrix: MatrixId, count: usize) -> Result<Vec<S::Weight>, StopReason> {
        let mut columns = vec![self.entries.zero(); count];
        for (_, row) in self.matrices.get(matrix.0) {
            for (column, weight) in self.rows.get(row.0) {
                self.entries.combine_into(&mut columns[column.index()], weight)?;
            }
        }
        Ok(columns)
    }

    /// The summands of the columns of a product: for each the column, and the two entries whose product it is.
    pub(crate) fn summands(&self, left: MatrixId, right: MatrixId) -> Vec<(Position, S::Weight, S::Weight)> {
        let mut all = Vec::new();
        for (_, row) in self.matrices.get(left.0) {
            for (middle, first) in self.rows.get(row.0) {
                let next = self.rows.get(self.row_of(right, *middle).0);
                all.extend(next.iter().map(|(column, second)| (*column, *first, *second)));
            }
        }
        all
    }

    pub(crate) fn mark(&self) -> Mark {
        Mark { entries: self.entries.mark(), rows: self.rows.len(), matrices: self.matrices.len() }
    }

    /// Forgets all matrices and weights made since the mark, except these weights, which are returned under new names.
    pub(crate) fn settle(&mut self, mark: Mark, results: Vec<S::Weight>) -> Vec<S::Weight> {
        self.rows.truncate(mark.rows);
        self.matrices.truncate(mark.matrices);
        self.products.clear();
        self.row_products.clear();
        self.sums.clear();
        self.row_sums.clear();
        self.entered.clear();
        self.entries.settle(mark.entries, results)
    }

    fn row(&mut self, entries: &[(Position, S::Weight)]) -> RowId {
        debug_assert!(entries.windows(2).all(|pair| pair[0].0 < pair[1].0));
        RowId(self.rows.intern(entries))
    }

    fn matrix(&mut self, rows: &[(Position, RowId)]) -> MatrixId {
        debug_assert!(rows.windows(2).all(|pair| pair[0].0 < pair[1].0));
        MatrixId(self.matrices.intern(rows))
    }

    fn row_of(&self, matrix: MatrixId, position: Position) -> RowId {
        let rows = self.matrices.get(matrix.0);
        rows.binary_search_by_key(&position, |row| row.0).map_or(RowId::ZERO, |place| rows[place].1)
    }

    fn entry_of(&self, row: RowId, position: Position) -> Option<S::Weight> {
        let entries = self.rows.get(row.0);
        entries.binary_search_by_key(&position, |entry| entry.0).ok().map(|place| entries[place].1)
    }

    fn entry(&self, matrix: MatrixId, from: Position, to: Position) -> Option<S::Weight> {
        self.entry_of(self.row_of(matrix, from), to)
    }
}

#[cfg(test)]
mod tests {
    use super::super::diagram::{DiagramId, Diagrams};
    use super::*;
    use fastrand::Rng;
    use lockhist::{Lock, Operation};
    use std::collections::BTreeMap;
    use wpds::Semiring;

    const POSITIONS: usize = 4;

    /// Matrices over a line of positions; the depth of each position is its number.
    pub(super) fn line() -> Matrices<Diagrams> {
        let mut matrices = Matrices::<Diagrams>::default();
        matrices.one = matrices.diagonal((0..POSITIONS).map(Position::new));
        matrices.depths = (0..POSITIONS as u32).collect();
        matrices
    }

    /// The sum of some paths from one phase to another.
    fn weight(rng: &mut Rng, diagrams: &mut Diagrams, from: usize, to: usize) -> DiagramId {
        let mut sum = diagrams.zero();
        for _ in 0..rng.usize(1..4) {
            let mut path = diagrams.one();
            for phase in from..=to {
                if rng.bool() {
                    let lock = Lock::new(rng.usize(..2));
                    for operation in [Operation::Acquire(lock), Operation::Release(lock)] {
                        let step = diagrams.operation(phase, operation);
                        path = diagrams.extend(&path, &step).expect("there is no limit");
                    }
                }
                if phase < to {
                    let boundary = diagrams.boundary(phase).expect("there is no limit");
                    path = diagrams.extend(&path, &boundary).expect("there is no limit");
                }
            }
            diagrams.combine_into(&mut sum, &path).expect("there is no limit");
        }
        sum
    }

    pub(super) fn random(rng: &mut Rng, matrices: &mut Matrices<Diagrams>) -> MatrixId {
        let mut entries = Vec::new();
        for from in 0..POSITIONS {
            for to in from..POSITIONS {
                if rng.u8(..3) == 0 {
                    let weight = weight(rng, &mut matrices.entries, from, to);
                    entries.push((Position::new(from), Position::new(to), weight));
                }
            }
        }
        matrices.of_entries(&entries)
    }

    pub(super) type Entries = BTreeMap<(usize, usize), DiagramId>;

    pub(super) fn entries(matrices: &Matrices<Diagrams>, id: MatrixId) -> Entries {
        let rows = matrices.matrices.get(id.0).iter();
        let all = rows.flat_map(|(from, row)| {
            matrices.rows.get(row.0).iter().map(|(to, weight)| ((from.index(), to.index()), *weight))
        });
        all.collect()
    }

    fn sum(diagrams: &mut Diagrams, summands: impl IntoIterator<Item = ((usize, usize), DiagramId)>) -> Entries {
        let mut all = Entries::new();
        for (place, weight) in summands {
            let into = all.entry(place).or_insert(DiagramId::EMPTY);
            diagrams.combine_into(into, &weight).expect("there is no limit");
        }
        all
    }

    #[test]
    fn operations_are_those_of_matrices() {
        let (mut rng, mut matrices) = (Rng::with_seed(1), line());
        for round in 0..400 {
            let [a, b, c] = [(); 3].map(|()| random(&mut rng, &mut matrices));
            let [first, second, third] = [a, b, c].map(|id| entries(&matrices, id));
            let product = matrices.extend(&a, &b).expect("there is no limit");
            let pairs = first.iter().flat_map(|x| second.iter().map(move |y| (x, y)));
            let pairs: Vec<_> = pairs.filter(|(x, y)| x.0.1 == y.0.0).collect();
            let products = pairs
                .into_iter()
                .map(|(x, y)| ((x.0.0, y.0.1), matrices.entries.extend(x.1, y.1).expect("there is no limit")));
            let products: Vec<_> = products.collect();
            assert_eq!(entries(&matrices, product), sum(&mut matrices.entries, products), "round {round}");

            let both = sum(&mut matrices.entries, first.clone().into_iter().chain(second));
            let mut into = a;
            let new = matrices.combine_into(&mut into, &b).expect("there is no limit").unwrap_or(MatrixId::ZERO);
            assert_eq!(entries(&matrices, into), both, "round {round}");
            let with_new = matrices.combine_all(vec![new, a]).expect("there is no limit");
            assert_eq!((with_new, new == MatrixId::ZERO), (into, into == a), "round {round}");
            let all = matrices.combine_all(vec![c, a, b, a]).expect("there is no limit");
            let expected = sum(&mut matrices.entries, both.into_iter().chain(third));
            assert_eq!(entries(&matrices, all), expected, "round {round}");

            let (early, late) = matrices.first_stage(&a);
            assert_eq!(matrices.combine_all(vec![early, late]), Ok(a));
            assert!(late == MatrixId::ZERO || matrices.stage(&early) < matrices.stage(&late));
            let entered = matrices.entered(&a);
            assert_eq!(matrices.extend(&a, &entered), Ok(a));
            assert!(
                entries(&matrices, entered)
                    .keys()
                    .all(|(from, to)| { from == to && entries(&matrices, a).keys().any(|(_, column)| column == to) })
            );
        }
    }

    #[test]
    fn matrices_before_the_mark_stay() {
        let (mut rng, mut matrices) = (Rng::with_seed(3), line());
        let old: Vec<_> = (0..10).map(|_| random(&mut rng, &mut matrices)).collect();
        let known: Vec<_> = old.iter().map(|id| entries(&matrices, *id)).collect();
        for _ in 0..100 {
            let mark = matrices.mark();
            let (a, b) = (old[rng.usize(..10)], random(&mut rng, &mut matrices));
            let product = matrices.extend(&a, &b).expect("there is no limit");
            let columns = matrices.columns(product, POSITIONS).expect("there is no limit");
            matrices.settle(mark, columns);
            assert_eq!((matrices.rows.len(), matrices.matrices.len()), (mark.rows, mark.matrices));
        }
        assert_eq!(old.iter().map(|id| entries(&matrices, *id)).collect::<Vec<_>>(), known);
    }
}
