//! Phase automata.

/// A thread parameter of an automaton, by its position from 0.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ThreadParameter(usize);

/// A location parameter of an automaton, by its position from 0.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct LocationParameter(usize);

/// A lock parameter of an automaton, by its position from 0.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct LockParameter(usize);

impl ThreadParameter {
    /// The parameter at this place, from 0.
    pub fn new(index: usize) -> Self {
        Self(index)
    }

    /// Its position among the thread parameters, from 0.
    pub fn index(self) -> usize {
        self.0
    }
}

impl LocationParameter {
    /// The parameter at this place, from 0.
    pub fn new(index: usize) -> Self {
        Self(index)
    }

    /// Its position among the location parameters, from 0.
    pub fn index(self) -> usize {
        self.0
    }
}

impl LockParameter {
    /// The parameter at this place, from 0.
    pub fn new(index: usize) -> Self {
        Self(index)
    }

    /// Its position among the lock parameters, from 0.
    pub fn index(self) -> usize {
        self.0
    }
}

/// Whether a location is read or written.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Access {
    /// A read.
    Read,
    /// A write.
    Write,
}

/// The mode in which a lock is held. A plain lock, which at most one thread can hold, is always held in write mode.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Mode {
    /// Shared with other readers.
    Read,
    /// Exclusive.
    Write,
}

impl Mode {
    /// Whether two threads cannot hold one lock in these modes at the same time.
    pub fn excludes(self, other: Self) -> bool {
        self == Self::Write || other == Self::Write
    }

    /// Its name in the text form.
    pub fn name(self) -> &'static str {
        match self {
            Self::Read => "read",
            Self::Write => "write",
        }
    }
}

/// A lock in a certain mode, or in any.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct LockUse<K = LockParameter> {
    /// The lock.
    pub lock: K,
    /// The mode; `None` for any.
    pub mode: Option<Mode>,
}

impl<K> LockUse<K> {
    /// Whether it matches a lock in this mode.
    pub fn means(&self, lock: &K, mode: Mode) -> bool
    where
        K: PartialEq,
    {
        self.lock == *lock && self.mode.is_none_or(|own| own == mode)
    }

    /// The same for another lock.
    pub fn map<J>(self, map: impl FnOnce(K) -> J) -> LockUse<J> {
        LockUse { lock: map(self.lock), mode: self.mode }
    }
}

/// An action of a thread, over some types of locations and locks: parameters of an automaton, or those of a model.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum ActionKind<L = LocationParameter, K = LockParameter> {
    /// It accesses a location.
    Access {
        /// Read or write.
        access: Access,
        /// The location.
        location: L,
        /// Whether only accesses inside a unit of work match.
        in_unit: bool,
    },
    /// It begins an outermost unit of work.
    Begin,
    /// It ends an outermost unit of work.
    End,
    /// It is about to acquire a lock that it does not hold, or to reacquire one after a wait.
    Wants {
        /// The lock.
        wanted: LockUse<K>,
        /// A lock that it must hold at this time.
        holding: Option<LockUse<K>>,
    },
}

/// An action over the parameters of an automaton.
pub type Action = ActionKind<LocationParameter, LockParameter>;

impl<L, K> ActionKind<L, K> {
    /// Whether this action of an automaton matches a performed access or boundary of a unit. The `in_unit` of the
    /// performed one is whether it happened inside a unit.
    pub fn means(&self, performed: &Self) -> bool
    where
        L: PartialEq,
    {
        match (self, performed) {
            (Self::Begin, Self::Begin) | (Self::End, Self::End) => true,
            (
                Self::Access { access, location, in_unit },
                Self::Access { access: done, location: at, in_unit: inside },
            ) => access == done && location == at && (*inside || !in_unit),
            _ => false,
        }
    }

    /// The location that is accessed.
    pub fn location(&self) -> Option<L>
    where
        L: Copy,
    {
        match self {
            Self::Access { location, .. } => Some(*location),
            Self::Begin | Self::End | Self::Wants { .. } => None,
        }
    }

    /// The same action with another location.
    pub fn map_location<M>(self, map: impl FnOnce(L) -> M) -> ActionKind<M, K> {
        self.map(map, |lock| lock)
    }

    /// The same action with another location and other locks.
    pub fn map<M, J>(self, location: impl FnOnce(L) -> M, lock: impl Fn(K) -> J) -> ActionKind<M, J> {
        match self {
            Self::Access { access, location: at, in_unit } => {
                ActionKind::Access { access, location: location(at), in_unit }
            }
            Self::Begin => ActionKind::Begin,
            Self::End => ActionKind::End,
            Self::Wants { wanted, holding } => {
                ActionKind::Wants { wanted: wanted.map(&lock), holding: holding.map(|held| held.map(&lock)) }
            }
        }
    }
}

/// The action of a thread that takes the automaton to its next phase.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Event {
    /// The acting thread.
    pub thread: ThreadParameter,
    /// Its action.
    pub action: Action,
}

/// The actions that are forbidden to a thread in a phase.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum ForbiddenAction<A = Action> {
    /// This action.
    One(A),
    /// Every access, and the beginning and end of units.
    Every,
    /// Every step, including operations on locks, starts, calls and returns; but a choice of a branch is no step.
    Step,
}

/// Actions on which a phase does not loop.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Forbidden {
    /// The thread; `None` for any thread, including threads that are bound to no parameter.
    pub thread: Option<ThreadParameter>,
    /// Its actions.
    pub action: ForbiddenAction,
}

/// A state of the automaton other than the accepting one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Phase {
    /// The name of the state.
    pub name: String,
    /// The actions on which it does not loop.
    pub forbidden: Vec<Forbidden>,
    /// The event that ends it.
    pub event: Event,
}

/// An indexed phase automaton: states in order, one phase transition from each to the next.
///
/// Invariant: there is at least one thread, every thread has at least one transition, and all names of one kind are
/// different.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Automaton {
    pub(crate) name: String,
    pub(crate) threads: Vec<String>,
    pub(crate) locations: Vec<String>,
    pub(crate) locks: Vec<String>,
    pub(crate) phases: Vec<Phase>,
    pub(crate) accepting: String,
}

impl Automaton {
    /// Its name.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The names of the thread parameters.
    pub fn threads(&self) -> &[String] {
        &self.threads
    }

    /// The names of the location parameters.
    pub fn locations(&self) -> &[String] {
        &self.locations
    }

    /// The names of the lock parameters.
    pub fn locks(&self) -> &[String] {
        &self.locks
    }

    /// The phases in order: all states but the accepting one.
    pub fn phases(&self) -> &[Phase] {
        &self.phases
    }

    /// The name of the accepting state.
    pub fn accepting(&self) -> &str {
        &self.accepting
    }

    /// Whether an event or a forbidden action is [`ActionKind::Wants`].
    pub fn speaks_of_wanting(&self) -> bool {
        let wants = |action: &Action| matches!(action, ActionKind::Wants { .. });
        let forbidden = |one: &Forbidden| matches!(&one.action, ForbiddenAction::One(action) if wants(action));
        self.phases.iter().any(|phase| wants(&phase.event.action) || phase.forbidden.iter().any(forbidden))
    }

    /// Whether some phase forbids all steps of some thread.
    pub fn stops_threads(&self) -> bool {
        let mut forbidden = self.phases.iter().flat_map(|phase| &phase.forbidden);
        forbidden.any(|one| one.action == ForbiddenAction::Step)
    }

    /// All thread parameters in order.
    pub fn thread_parameters(&self) -> impl Iterator<Item = ThreadParameter> + use<> {
        (0..self.threads.len()).map(ThreadParameter)
    }
}
