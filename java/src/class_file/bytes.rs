//! Reading big-endian numbers from bytes that may end anywhere.

use super::error::{Malformed, Problem};

/// A position in bytes. Reading past the end is an error, never a panic.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Bytes<'a> {
    rest: &'a [u8],
    /// Where `rest` begins in the class file.
    offset: usize,
}

impl<'a> Bytes<'a> {
    /// All of a class file.
    pub(crate) fn new(bytes: &'a [u8]) -> Self {
        Self { rest: bytes, offset: 0 }
    }

    /// The next byte's place in the class file.
    pub(crate) fn offset(&self) -> usize {
        self.offset
    }

    /// How many bytes are left.
    pub(crate) fn len(&self) -> usize {
        self.rest.len()
    }

    /// The next bytes.
    pub(crate) fn take(&mut self, count: usize) -> Result<&'a [u8], Malformed> {
        let Some((taken, rest)) = self.rest.split_at_checked(count) else {
            return Err(self.problem(Problem::Truncated));
        };
        self.rest = rest;
        self.offset += count;
        Ok(taken)
    }

    /// The next bytes as a reader of their own.
    pub(crate) fn part(&mut self, count: usize) -> Result<Bytes<'a>, Malformed> {
        let offset = self.offset;
        Ok(Bytes { rest: self.take(count)?, offset })
    }

    fn array<const N: usize>(&mut self) -> Result<[u8; N], Malformed> {
        let mut array = [0; N];
        array.copy_from_slice(self.take(N)?);
        Ok(array)
    }

    /// An unsigned byte.
    pub(crate) fn u1(&mut self) -> Result<u8, Malformed> {
        Ok(u8::from_be_bytes(self.array()?))
    }

    /// An unsigned number of two bytes.
    pub(crate) fn u2(&mut self) -> Result<u16, Malformed> {
        Ok(u16::from_be_bytes(self.array()?))
    }

    /// An unsigned number of four bytes.
    pub(crate) fn u4(&mut self) -> Result<u32, Malformed> {
        Ok(u32::from_be_bytes(self.array()?))
    }

    /// An unsigned number of eight bytes.
    pub(crate) fn u8(&mut self) -> Result<u64, Malformed> {
        Ok(u64::from_be_bytes(self.array()?))
    }

    /// The length of what follows, in bytes.
    pub(crate) fn length(&mut self) -> Result<usize, Malformed> {
        let length = self.u4()?;
        usize::try_from(length).map_err(|_| self.problem(Problem::Truncated))
    }

    /// What is wrong here.
    pub(crate) fn problem(&self, problem: Problem) -> Malformed {
        Malformed { offset: self.offset, problem }
    }
}
