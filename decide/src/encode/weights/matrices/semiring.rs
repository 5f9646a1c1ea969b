//! Matrices as the weights of a pushdown system.

use super::super::lock_weights::LockWeights;
use super::{Matrices, MatrixId, RowId};
use limits::StopReason;
use std::fmt::Debug;
use std::hash::Hash;
use wpds::Semiring;

impl<S: LockWeights> Semiring for Matrices<S>
where
    S::Weight: Copy + Ord + Hash + Debug,
{
    type Weight = MatrixId;
    type Stop = StopReason;

    fn zero(&self) -> MatrixId {
        MatrixId::ZERO
    }

    fn one(&self) -> MatrixId {
        self.one
    }

    fn extend(&mut self, left: &MatrixId, right: &MatrixId) -> Result<MatrixId, StopReason> {
        if *left == MatrixId::ZERO || *right == self.one {
            return Ok(*left);
        }
        if *right == MatrixId::ZERO || *left == self.one {
            return Ok(*right);
        }
        if let Some(product) = self.products.get(left.0, right.0) {
            return Ok(product);
        }
        let mut rows = Vec::with_capacity(self.matrices.get(left.0).len());
        for place in 0..self.matrices.get(left.0).len() {
            let (position, row) = self.matrices.get(left.0)[place];
            let product = self.row_times(row, *right)?;
            rows.extend((product != RowId::ZERO).then_some((position, product)));
        }
        let product = self.matrix(&rows);
        self.check_room()?;
        self.products.insert(left.0, right.0, product);
        Ok(product)
    }

    fn combine_into(&mut self, into: &mut MatrixId, with: &MatrixId) -> Result<Option<MatrixId>, StopReason> {
        let (sum, new) = self.sum(*into, *with)?;
        *into = sum;
        Ok((new != MatrixId::ZERO).then_some(new))
    }

    fn combine_all(&mut self, mut weights: Vec<MatrixId>) -> Result<MatrixId, StopReason> {
        weights.sort_unstable();
        weights.dedup();
        if let [] | [_] = weights[..] {
            return Ok(weights.first().copied().unwrap_or(MatrixId::ZERO));
        }
        let mut all: Vec<_> = weights.iter().flat_map(|weight| self.matrices.get(weight.0)).copied().collect();
        self.entries.work_of(all.len())?;
        all.sort_unstable();
        all.dedup();
        let mut rows = Vec::new();
        for alike in all.chunk_by(|a, b| a.0 == b.0) {
            let row = match alike {
                [(_, row)] => *row,
                _ => {
                    let entries = alike.iter().flat_map(|(_, row)| self.rows.get(row.0)).copied().collect();
                    self.row_of_sums(entries)?
                }
            };
            rows.push((alike[0].0, row));
        }
        Ok(self.matrix(&rows))
    }

    fn entered(&mut self, weight: &MatrixId) -> MatrixId {
        if let Some(entered) = self.entered.get(weight.0, 0) {
            return entered;
        }
        let rows = self.matrices.get(weight.0).iter();
        let mut entries: Vec<_> = rows.flat_map(|(_, row)| self.rows.get(row.0)).copied().collect();
        entries.sort_unstable();
        entries.dedup();
        let mut ends: Vec<_> =
            entries.into_iter().map(|(column, entry)| (column, self.entries.entered(&entry))).collect();
        ends.dedup();
        let columns = ends.chunk_by(|a, b| a.0 == b.0).map(|alike| {
            let sum = self.entries.combine_all(alike.iter().map(|(_, end)| *end).collect());
            // After a limit, 1 is right for every weight.
            (alike[0].0, alike[0].0, sum.unwrap_or_else(|_| self.entries.one()))
        });
        let columns: Vec<_> = columns.collect();
        let entered = self.of_entries(&columns);
        self.entered.insert(weight.0, 0, entered);
        entered
    }

    /// The depth of the first columns. Paths lead to columns of the same or greater depth.
    fn stage(&self, weight: &MatrixId) -> u32 {
        let rows = self.matrices.get(weight.0).iter();
        let columns = rows.flat_map(|(_, row)| self.rows.get(row.0)).map(|(column, _)| self.depths[column.index()]);
        columns.min().unwrap_or(0)
    }

    fn first_stage(&mut self, weight: &MatrixId) -> (MatrixId, MatrixId) {
        let stage = self.stage(weight);
        let (mut first, mut rest) = (Vec::new(), Vec::new());
        for (position, row) in self.matrices.get(weight.0) {
            for (column, entry) in self.rows.get(row.0) {
                let part = if self.depths[column.index()] == stage { &mut first } else { &mut rest };
                part.push((*position, *column, *entry));
            }
        }
        if rest.is_empty() {
            return (*weight, MatrixId::ZERO);
        }
        (self.of_entries(&first), self.of_entries(&rest))
    }
}
