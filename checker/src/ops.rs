//! What instructions do, and what automata say about them.

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

/// The state in which a participant is before an instruction.
pub(crate) struct Moment {
    pub op: Op,
    /// Whether a unit is open before it, and after it.
    pub unit: (bool, bool),
    /// The uses of the invariant's locks that are held.
    pub held: Vec<Use>,
}

impl Moment {
    pub fn holds(&self, lock: LockId, is_read: Option<bool>) -> bool {
        self.held.iter().any(|held| SomeUse { lock, is_read }.includes(*held))
    }
}

/// An action of an automaton. `All` means accesses, begins and ends; like `Step` it is only forbidden.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) enum Action {
    Access { write: bool, location: LocationId, atomic: bool },
    Begin,
    End,
    Wants { wanted: SomeUse, holding: Option<SomeUse> },
    Start(BodyId),
    All,
    Step,
}

impl Action {
    /// Whether an instruction can perform an action, in a suitable state.
    pub fn can_be(self, op: Op) -> bool {
        match (self, op) {
            (Action::Access { write: false, location, .. }, Op::Read(of)) => of == location,
            (Action::Access { write: true, location, .. }, Op::Write(of)) => of == location,
            (Action::Wants { wanted, .. }, Op::Want(one) | Op::WantBack(one)) => wanted.includes(one),
            (Action::Start(process), Op::Start(of)) => of == process,
            (Action::Begin | Action::All, Op::Begin) | (Action::End | Action::All, Op::End) => true,
            (Action::All, Op::Read(_) | Op::Write(_)) => true,
            (Action::Step, op) => op != Op::Skip,
            _ => false,
        }
    }

    /// Whether an instruction performs an action.
    pub fn is_performed(self, at: &Moment) -> bool {
        let is_in_state = match (self, at.op) {
            (Action::Access { atomic, .. }, _) => !atomic || at.unit.0,
            (Action::Begin | Action::All, Op::Begin) => !at.unit.0,
            (Action::End | Action::All, Op::End) => !at.unit.1,
            (Action::Wants { wanted, holding }, _) => {
                !at.holds(wanted.lock, None) && holding.is_none_or(|it| at.holds(it.lock, it.is_read))
            }
            _ => true,
        };
        self.can_be(at.op) && is_in_state
    }
}

/// A process with its actions.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Role {
    pub process: BodyId,
    /// The first phase in which the participant is present.
    pub first: usize,
    pub phases: Vec<Phase>,
}

/// The forbidden actions of a phase, and the own event; without one the phase ends with a tick.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Phase {
    pub forbidden: Vec<Action>,
    pub own: Option<Action>,
}

impl Role {
    /// All actions that the role names.
    pub fn actions(&self) -> impl Iterator<Item = Action> {
        self.phases.iter().flat_map(|phase| phase.forbidden.iter().chain(&phase.own).copied())
    }
}
