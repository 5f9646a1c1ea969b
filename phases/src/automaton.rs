//! Phase automata.

/// A thread parameter of an automaton, by its place from 0.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ThreadParameter(usize);

/// A location parameter of an automaton, by its place from 0.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct LocationParameter(usize);

impl ThreadParameter {
    /// The parameter at this place, from 0.
    pub fn new(index: usize) -> Self {
        Self(index)
    }

    /// Its place among the thread parameters, from 0.
    pub fn index(self) -> usize {
        self.0
    }
}

impl LocationParameter {
    /// The parameter at this place, from 0.
    pub fn new(index: usize) -> Self {
        Self(index)
    }

    /// Its place among the location parameters, from 0.
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

/// What a thread does, in terms of some kind of locations: parameters of an automaton or locations of a model.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum ActionKind<L = LocationParameter> {
    /// It accesses a location.
    Access {
        /// Read or write.
        access: Access,
        /// The location.
        location: L,
        /// Only accesses inside a unit of work are meant.
        in_unit: bool,
    },
    /// It begins an outermost unit of work.
    Begin,
    /// It ends an outermost unit of work.
    End,
}

/// An action in terms of the parameters of an automaton.
pub type Action = ActionKind<LocationParameter>;

impl<L> ActionKind<L> {
    /// Whether this action, as an automaton has it, means the performed one, whose `in_unit` says where it happened.
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
            Self::Begin | Self::End => None,
        }
    }

    /// The same action with another location.
    pub fn map_location<M>(self, map: impl FnOnce(L) -> M) -> ActionKind<M> {
        match self {
            Self::Access { access, location, in_unit } => {
                ActionKind::Access { access, location: map(location), in_unit }
            }
            Self::Begin => ActionKind::Begin,
            Self::End => ActionKind::End,
        }
    }
}

/// The action of a thread that takes the automaton to its next phase.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Event {
    /// Who acts.
    pub thread: ThreadParameter,
    /// What it does.
    pub action: Action,
}

/// Actions on which a phase does not loop.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Forbidden {
    /// Whose; `None` for any thread, also one that is bound to no parameter.
    pub thread: Option<ThreadParameter>,
    /// Which; `None` for every action.
    pub action: Option<Action>,
}

/// A state of the automaton but the accepting one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Phase {
    /// The name of the state.
    pub name: String,
    /// What it does not loop on.
    pub forbidden: Vec<Forbidden>,
    /// What ends it.
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

    /// The phases in order: the states but the accepting one, which holds no history.
    pub fn phases(&self) -> &[Phase] {
        &self.phases
    }

    /// The name of the accepting state.
    pub fn accepting(&self) -> &str {
        &self.accepting
    }

    /// All thread parameters in order.
    pub fn thread_parameters(&self) -> impl Iterator<Item = ThreadParameter> + use<> {
        (0..self.threads.len()).map(ThreadParameter)
    }
}
