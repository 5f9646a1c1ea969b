//! Memoized sums of rows and of matrices, and products of rows with matrices.

use super::super::lock_weights::LockWeights;
use super::{Matrices, MatrixId, RowId};
use crate::encode::words::Position;
use limits::StopReason;
use std::hash::Hash;

impl<S: LockWeights> Matrices<S>
where
    S::Weight: Copy + Ord + Hash,
{
    /// The product of a row and a matrix.
    pub(super) fn row_times(&mut self, row: RowId, matrix: MatrixId) -> Result<RowId, StopReason> {
        if let Some(product) = self.row_products.get(row.0, matrix.0) {
            return Ok(product);
        }
        let mut products = Vec::new();
        for place in 0..self.rows.get(row.0).len() {
            let (middle, first) = self.rows.get(row.0)[place];
            let next = self.row_of(matrix, middle);
            self.entries.work_of(1 + self.rows.get(next.0).len())?;
            for place in 0..self.rows.get(next.0).len() {
                let (to, second) = self.rows.get(next.0)[place];
                products.push((to, self.entries.extend(&first, &second)?));
            }
        }
        let product = self.row_of_sums(products)?;
        self.check_room()?;
        self.row_products.insert(row.0, matrix.0, product);
        Ok(product)
    }

    /// The row whose entries are the sums of these, by columns.
    pub(super) fn row_of_sums(&mut self, mut summands: Vec<(Position, S::Weight)>) -> Result<RowId, StopReason> {
        summands.sort_unstable();
        summands.dedup();
        let mut entries = Vec::with_capacity(summands.len());
        for alike in summands.chunk_by(|a, b| a.0 == b.0) {
            let sum = match alike {
                [(_, weight)] => *weight,
                _ => self.entries.combine_all(alike.iter().map(|(_, weight)| *weight).collect())?,
            };
            if !self.entries.is_zero(&sum) {
                entries.push((alike[0].0, sum));
            }
        }
        Ok(self.row(&entries))
    }

    /// The sum of two rows, and the part of the second that is new.
    fn row_sum(&mut self, a: RowId, b: RowId) -> Result<(RowId, RowId), StopReason> {
        if a == b || b == RowId::ZERO {
            return Ok((a, RowId::ZERO));
        }
        if let Some(sum) = self.row_sums.get(a.0, b.0) {
            return Ok(sum);
        }
        let (mut sum, mut new) = (self.rows.get(a.0).to_vec(), Vec::new());
        self.entries.work_of(sum.len() + self.rows.get(b.0).len())?;
        for place in 0..self.rows.get(b.0).len() {
            let (column, weight) = self.rows.get(b.0)[place];
            match sum.binary_search_by_key(&column, |entry| entry.0) {
                Ok(known) => {
                    let delta = self.entries.combine_into(&mut sum[known].1, &weight)?;
                    new.extend(delta.map(|delta| (column, delta)));
                }
                Err(place) => {
                    sum.insert(place, (column, weight));
                    new.push((column, weight));
                }
            }
        }
        let result = (self.row(&sum), self.row(&new));
        self.check_room()?;
        self.row_sums.insert(a.0, b.0, result);
        Ok(result)
    }

    /// The sum of two matrices, and the part of the second that is new.
    pub(super) fn sum(&mut self, a: MatrixId, b: MatrixId) -> Result<(MatrixId, MatrixId), StopReason> {
        if a == b || b == MatrixId::ZERO {
            return Ok((a, MatrixId::ZERO));
        }
        if a == MatrixId::ZERO {
            return Ok((b, b));
        }
        if let Some(sum) = self.sums.get(a.0, b.0) {
            return Ok(sum);
        }
        let (mut sum, mut new) = (self.matrices.get(a.0).to_vec(), Vec::new());
        self.entries.work_of(sum.len() + self.matrices.get(b.0).len())?;
        for place in 0..self.matrices.get(b.0).len() {
            let (position, row) = self.matrices.get(b.0)[place];
            match sum.binary_search_by_key(&position, |row| row.0) {
                Ok(known) => {
                    let (both, delta) = self.row_sum(sum[known].1, row)?;
                    sum[known].1 = both;
                    new.extend((delta != RowId::ZERO).then_some((position, delta)));
                }
                Err(place) => {
                    sum.insert(place, (position, row));
                    new.push((position, row));
                }
            }
        }
        let result = (self.matrix(&sum), self.matrix(&new));
        self.check_room()?;
        self.sums.insert(a.0, b.0, result);
        Ok(result)
    }
}
