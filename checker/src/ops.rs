//! Operations of instructions, with the locks, locations and bodies that they name.

/// A lock, by its place in the order of declarations.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) struct LockId(pub usize);
/// A shared location.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) struct LocationId(pub usize);
/// A function or process.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) struct BodyId(pub usize);

/// A use: a lock with a mode. A plain lock has write mode.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) struct Use {
    pub lock: LockId,
    pub is_read: bool,
}

impl Use {
    /// Whether two uses exclude each other.
    pub fn conflicts(self, other: Use) -> bool {
        self.lock == other.lock && !(self.is_read && other.is_read)
    }
}

/// A lock in a mode, or in any mode.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) struct SomeUse {
    pub lock: LockId,
    pub is_read: Option<bool>,
}

impl SomeUse {
    pub fn includes(self, one: Use) -> bool {
        self.lock == one.lock && self.is_read.is_none_or(|is_read| is_read == one.is_read)
    }
}

/// An instruction without its successors.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Op {
    Skip,
    Read(LocationId),
    Write(LocationId),
    Begin,
    End,
    /// The instant before an acquisition.
    Want(Use),
    Acquire(Use),
    /// Releases the last entry of this kind.
    Release(SomeUse),
    Wait(LockId),
    /// The instant before a resume.
    WantBack(Use),
    Resume(Use),
    Call(BodyId),
    Start(BodyId),
    Return,
}
