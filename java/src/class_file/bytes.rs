//! A reader of big-endian numbers.
//!
//! The input may end anywhere: reading past its end is an error and never a panic.

use super::error::{Malformed, Problem};

/// A position in a sequence of bytes.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Bytes<'a> {
    rest: &'a [u8],
    /// The offset of `rest` in the class file.
    offset: usize,
}

impl<'a> Bytes<'a> {
    /// A reader of a whole class file.
    pub(crate) fn new(bytes: &'a [u8]) -> Self {
        Self { rest: bytes, offset: 0 }
    }

    /// The offset of the next byte in the class file.
    pub(crate) fn offset(&self) -> usize {
        self.offset
    }

    /// The number of remaining bytes.
    pub(crate) fn len(&self) -> usize {
        self.rest.len()
    }

    /// Reads some bytes.
    pub(crate) fn take(&mut self, count: usize) -> Result<&'a [u8], Malformed> {
        let Some((taken, rest)) = self.rest.split_at_checked(count) else {
            return Err(self.problem(Problem::Truncated));
        };
        self.rest = rest;
        self.offset += count;
        Ok(taken)
    }

    /// Splits some bytes off as a reader with the same offsets.
    pub(crate) fn part(&mut self, count: usize) -> Result<Bytes<'a>, Malformed> {
        let offset = self.offset;
        Ok(Bytes { rest: self.take(count)?, offset })
    }

    fn array<const N: usize>(&mut self) -> Result<[u8; N], Malformed> {
        let mut array = [0; N];
        array.copy_from_slice(self.take(N)?);
        Ok(array)
    }

    /// Reads an unsigned byte.
    pub(crate) fn u1(&mut self) -> Result<u8, Malformed> {
        Ok(u8::from_be_bytes(self.array()?))
    }

    /// Reads an unsigned number of two bytes.
    pub(crate) fn u2(&mut self) -> Result<u16, Malformed> {
        Ok(u16::from_be_bytes(self.array()?))
    }

    /// Reads an unsigned number of four bytes.
    pub(crate) fn u4(&mut self) -> Result<u32, Malformed> {
        Ok(u32::from_be_bytes(self.array()?))
    }

    /// Reads an unsigned number of eight bytes.
    pub(crate) fn u8(&mut self) -> Result<u64, Malformed> {
        Ok(u64::from_be_bytes(self.array()?))
    }

    /// Reads a length in bytes: an unsigned number of four bytes.
    pub(crate) fn length(&mut self) -> Result<usize, Malformed> {
        let length = self.u4()?;
        usize::try_from(length).map_err(|_| self.problem(Problem::Truncated))
    }

    /// An error at the current offset.
    pub(crate) fn problem(&self, problem: Problem) -> Malformed {
        Malformed { offset: self.offset, problem }
    }
}
