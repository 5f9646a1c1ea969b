//! The written form of a witness.

use phases::Mode;
use serde::{Deserialize, Serialize};

/// One interleaving, from the start of the model to the last transition of the automaton.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Witness {
    /// Names of the instances that take part: `P`, or `P#1`, `P#2`, ... where several instances of `P` occur; first
    /// those bound to the threads of the automaton, in order, then those that are needed to start them.
    pub threads: Vec<String>,
    /// What they do, in order.
    pub steps: Vec<Step>,
}

/// One action of one thread.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Step {
    /// Who acts: an index into the threads of the witness.
    pub thread: usize,
    /// What it does.
    pub action: Action,
    /// The lock, the location, the callee, the returning function, or the instance that is started; nothing for the
    /// boundaries of units.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub object: Option<String>,
    /// The mode in which a read-write lock is acquired, released or wanted; none for plain locks.
    #[serde(default, skip_serializing_if = "Option::is_none", with = "mode")]
    pub mode: Option<Mode>,
    /// The function in which the statement stands, or the process in whose own body it does.
    pub function: String,
    /// The file in which the statement stands; none for a model that is read from a text, which is one file.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub file: Option<String>,
    /// Line of the statement, from 1.
    pub line: u32,
    /// Column of the statement, from 1, in characters.
    pub column: u32,
    /// The number of the transition that this step takes, from 1.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub event: Option<usize>,
    /// Whether the step is a call with all that the function executes up to its return, during which no other thread
    /// acts. `steps` then says how many steps these are; no transition is taken in them.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub returns: bool,
    /// With `returns`, the number of steps of the shortest execution of the call, the call and the return counted, that
    /// acquires only locks that no other thread holds and performs no action that the automaton forbids at this time.
    /// The greatest number of 64 bits also stands for all greater ones.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub steps: Option<u64>,
}

impl Witness {
    /// The number of steps, with those of calls that are one step of the witness; or the greatest number.
    pub fn length(&self) -> u64 {
        self.steps.iter().fold(0, |sum, step| sum.saturating_add(step.steps.unwrap_or(1)))
    }

    /// Whether every step is one of a thread of the witness, as it is in all that were not changed since they were
    /// found.
    pub fn names_its_threads(&self) -> bool {
        self.steps.iter().all(|step| step.thread < self.threads.len())
    }

    /// How often another thread goes on.
    pub fn switches(&self) -> usize {
        self.steps.windows(2).filter(|pair| pair[0].thread != pair[1].thread).count()
    }
}

/// The kinds of steps.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Action {
    /// Acquires a lock, which the thread may hold already.
    Acquire,
    /// Gives up one acquisition of a lock.
    Release,
    /// Reads a location.
    Read,
    /// Writes a location.
    Write,
    /// Enters a unit of work, perhaps inside another.
    Begin,
    /// Leaves a unit of work.
    End,
    /// Calls a function.
    Call,
    /// Returns from a function.
    Return,
    /// Starts an instance of a process.
    Start,
    /// Is about to take a lock that it does not hold. Written down where it takes a transition, or where the thread
    /// takes the lock only in a later phase; otherwise it is understood to happen right before the lock is taken.
    Wants,
    /// Gives a lock up completely, to wait.
    Wait,
    /// Gets back the lock that it gave up to wait, as often as it held it.
    Resume,
}

impl Action {
    /// Its name in JSON.
    pub fn name(self) -> &'static str {
        match self {
            Self::Acquire => "acquire",
            Self::Release => "release",
            Self::Read => "read",
            Self::Write => "write",
            Self::Begin => "begin",
            Self::End => "end",
            Self::Call => "call",
            Self::Return => "return",
            Self::Start => "start",
            Self::Wants => "wants",
            Self::Wait => "wait",
            Self::Resume => "resume",
        }
    }
}

/// Modes by their names.
mod mode {
    use phases::Mode;
    use serde::{Deserialize, Deserializer, Serialize, Serializer};

    #[derive(Serialize, Deserialize)]
    #[serde(rename_all = "lowercase")]
    enum Name {
        Read,
        Write,
    }

    pub(super) fn serialize<S: Serializer>(mode: &Option<Mode>, serializer: S) -> Result<S::Ok, S::Error> {
        let name = mode.map(|mode| match mode {
            Mode::Read => Name::Read,
            Mode::Write => Name::Write,
        });
        name.serialize(serializer)
    }

    pub(super) fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<Mode>, D::Error> {
        let name = Option::<Name>::deserialize(deserializer)?;
        Ok(name.map(|name| match name {
            Name::Read => Mode::Read,
            Name::Write => Mode::Write,
        }))
    }
}
