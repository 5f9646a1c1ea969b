//! The written form of a witness.

use phases::Mode;
use serde::{Deserialize, Serialize, Serializer};
use std::ops::{Deref, DerefMut};
use std::sync::Arc;

/// One interleaving, from the start of the model to the last transition of the automaton.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Witness {
    /// The names of the instances that take part: `P`, or `P#1`, `P#2`, ... if several instances of `P` occur. First
    /// those bound to the threads of the automaton, in order, then those that are needed to start them.
    pub threads: Vec<String>,
    /// The steps, in order.
    pub steps: Vec<Step>,
}

/// The action of a step, and its position in the text. It can be read as if its parts were parts of the step.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Statement {
    /// The function of the statement, or the process if the statement is in its own body.
    pub function: String,
    /// The file of the statement; none for a model that was read from one text.
    pub file: Option<String>,
    /// Line of the statement, from 1.
    pub line: u32,
    /// Column of the statement, from 1, in characters.
    pub column: u32,
    /// The action.
    pub action: Action,
    /// The lock, the location, the callee, the returning function, or the started instance; nothing for the boundaries
    /// of units.
    pub object: Option<String>,
    /// The mode in which a read-write lock is acquired, released or wanted; none for plain locks.
    pub mode: Option<Mode>,
}

/// One action of one thread.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(from = "Written<String>")]
pub struct Step {
    /// The acting thread, as an index into the threads of the witness.
    pub thread: usize,
    /// The action and its position. The witnesses of a model share them: a model with many violations has many steps
    /// and few statements.
    pub statement: Arc<Statement>,
    /// The number of the transition that this step takes, from 1.
    pub event: Option<usize>,
    /// Whether the step is a whole call, with everything up to its return, during which no other thread acts. Then
    /// `steps` is its number of steps, and none of them takes a transition.
    pub returns: bool,
    /// With `returns`, the number of steps of the shortest execution of the call that acquires only locks that no other
    /// thread holds and performs no action that the automaton forbids at this time. The call and the return are
    /// included. The greatest number of 64 bits also stands for all greater ones.
    pub steps: Option<u64>,
}

impl Step {
    /// A step that takes no transition and is no whole call.
    pub fn new(thread: usize, statement: Statement) -> Self {
        Self { thread, statement: Arc::new(statement), event: None, returns: false, steps: None }
    }
}

impl Deref for Step {
    type Target = Statement;

    fn deref(&self) -> &Statement {
        &self.statement
    }
}

/// A changed statement is no longer shared.
impl DerefMut for Step {
    fn deref_mut(&mut self) -> &mut Statement {
        Arc::make_mut(&mut self.statement)
    }
}

/// The serialized form of a step.
#[derive(Serialize, Deserialize)]
struct Written<T> {
    thread: usize,
    action: Action,
    #[serde(default = "none", skip_serializing_if = "Option::is_none")]
    object: Option<T>,
    #[serde(default, skip_serializing_if = "Option::is_none", with = "mode")]
    mode: Option<Mode>,
    function: T,
    #[serde(default = "none", skip_serializing_if = "Option::is_none")]
    file: Option<T>,
    line: u32,
    column: u32,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    event: Option<usize>,
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    returns: bool,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    steps: Option<u64>,
}

/// No value, of a type that need not have a default.
fn none<T>() -> Option<T> {
    None
}

impl Serialize for Step {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let Self { thread, statement, event, returns, steps } = self;
        let Statement { function, file, line, column, action, object, mode } = &**statement;
        let written = Written {
            thread: *thread,
            action: *action,
            object: object.as_deref(),
            mode: *mode,
            function: function.as_str(),
            file: file.as_deref(),
            line: *line,
            column: *column,
            event: *event,
            returns: *returns,
            steps: *steps,
        };
        written.serialize(serializer)
    }
}

impl From<Written<String>> for Step {
    fn from(written: Written<String>) -> Self {
        let Written { thread, action, object, mode, function, file, line, column, event, returns, steps } = written;
        let statement = Arc::new(Statement { function, file, line, column, action, object, mode });
        Self { thread, statement, event, returns, steps }
    }
}

impl Witness {
    /// The number of steps, including those of whole calls; or the greatest number.
    pub fn length(&self) -> u64 {
        self.steps.iter().fold(0, |sum, step| sum.saturating_add(step.steps.unwrap_or(1)))
    }

    /// Whether the thread of every step exists, as in all witnesses that were not edited.
    pub fn names_its_threads(&self) -> bool {
        self.steps.iter().all(|step| step.thread < self.threads.len())
    }

    /// The number of context switches.
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
    /// Releases one acquisition of a lock.
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
    /// Is about to take a lock that it does not hold. Written down if it takes a transition, or if the thread takes the
    /// lock only in a later phase. Otherwise it happens right before the lock is taken.
    Wants,
    /// Releases a lock completely, to wait.
    Wait,
    /// Reacquires the lock that it released to wait, as often as it held it.
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

/// The serialized form of modes: their names.
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
