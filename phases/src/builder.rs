//! A builder of automata.

use crate::automaton::{
    Action, ActionKind, Automaton, Event, Forbidden, ForbiddenAction, LocationParameter, LockParameter, LockUse, Phase,
    ThreadParameter,
};
use crate::lexer::tokens;
use std::fmt;

/// A builder of an automaton: first its parameters, then its phases in order. The result can be printed and parsed
/// again.
///
/// # Examples
///
/// ```
/// use phases::{Access, ActionKind, AutomatonBuilder, Event, Forbidden, ForbiddenAction};
///
/// let mut builder = AutomatonBuilder::new("handover");
/// let (first, second) = (builder.thread("T1"), builder.thread("T2"));
/// let location = builder.location("a");
/// let access = |access| ActionKind::Access { access, location, in_unit: false };
/// builder.phase("q1", [], Event { thread: first, action: access(Access::Write) });
/// let others = Forbidden { thread: None, action: ForbiddenAction::One(access(Access::Write)) };
/// builder.phase("q2", [others], Event { thread: second, action: access(Access::Read) });
/// let automaton = builder.build("q3")?;
/// let text = "automaton handover(T1, T2; a) {
///                 q1: on T1 write a -> q2;
///                 q2: forbid * write a; on T2 read a -> q3;
///             }";
/// assert_eq!(text.parse(), Ok(automaton));
/// # Ok::<(), phases::BuildError>(())
/// ```
#[derive(Clone, Debug)]
pub struct AutomatonBuilder {
    name: String,
    threads: Vec<String>,
    locations: Vec<String>,
    locks: Vec<String>,
    phases: Vec<Phase>,
}

/// An error in an automaton that is built.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum BuildError {
    /// A text that is no name in the text form: a keyword, for instance.
    NoName(String),
    /// Two parameters or states of the same kind have the same name.
    Duplicate {
        /// `thread`, `location`, `lock` or `state`.
        what: &'static str,
        /// The name.
        name: String,
    },
    /// A phase uses a parameter that the automaton does not have.
    Unknown {
        /// `thread`, `location` or `lock`.
        what: &'static str,
        /// The position of the parameter, from 0.
        index: usize,
        /// The name of the phase.
        phase: String,
    },
    /// There are no phases.
    NoPhase,
    /// This thread parameter takes no transition.
    IdleThread(String),
}

impl fmt::Display for BuildError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NoName(name) => write!(f, "`{name}` is no name"),
            Self::Duplicate { what, name } => write!(f, "there are two {what}s `{name}`"),
            Self::Unknown { what, index, phase } => {
                write!(f, "the phase `{phase}` uses {what} parameter number {index}, which does not exist")
            }
            Self::NoPhase => f.write_str("an automaton has at least one phase"),
            Self::IdleThread(name) => write!(f, "the thread `{name}` has no transition"),
        }
    }
}

impl std::error::Error for BuildError {}

impl AutomatonBuilder {
    /// Returns a builder of an automaton with this name, without parameters and phases.
    pub fn new(name: impl Into<String>) -> Self {
        let nothing = Vec::new;
        Self { name: name.into(), threads: nothing(), locations: nothing(), locks: nothing(), phases: Vec::new() }
    }

    /// Adds a thread parameter.
    pub fn thread(&mut self, name: impl Into<String>) -> ThreadParameter {
        self.threads.push(name.into());
        ThreadParameter::new(self.threads.len() - 1)
    }

    /// Adds a location parameter.
    pub fn location(&mut self, name: impl Into<String>) -> LocationParameter {
        self.locations.push(name.into());
        LocationParameter::new(self.locations.len() - 1)
    }

    /// Adds a lock parameter.
    pub fn lock(&mut self, name: impl Into<String>) -> LockParameter {
        self.locks.push(name.into());
        LockParameter::new(self.locks.len() - 1)
    }

    /// Adds a phase after the existing ones: it loops on all actions that are not forbidden, and the event ends it.
    pub fn phase(
        &mut self,
        name: impl Into<String>,
        forbidden: impl IntoIterator<Item = Forbidden>,
        event: Event,
    ) -> &mut Self {
        self.phases.push(Phase { name: name.into(), forbidden: forbidden.into_iter().collect(), event });
        self
    }

    /// Returns the automaton; its accepting state, after the last phase, gets this name.
    ///
    /// # Errors
    /// The first error found.
    pub fn build(self, accepting: impl Into<String>) -> Result<Automaton, BuildError> {
        let Self { name, threads, locations, locks, phases } = self;
        let automaton = Automaton { name, threads, locations, locks, phases, accepting: accepting.into() };
        check_names(&automaton)?;
        check_parameters(&automaton)?;
        let acts = |place: usize| automaton.phases.iter().any(|phase| phase.event.thread.index() == place);
        match automaton.threads.iter().enumerate().find(|(place, _)| !acts(*place)) {
            _ if automaton.phases.is_empty() => Err(BuildError::NoPhase),
            Some((_, idle)) => Err(BuildError::IdleThread(idle.clone())),
            None => Ok(automaton),
        }
    }
}

fn check_names(automaton: &Automaton) -> Result<(), BuildError> {
    let states: Vec<_> = automaton.phases.iter().map(|phase| &phase.name).chain([&automaton.accepting]).collect();
    let kinds: [(&str, Vec<&String>); 5] = [
        ("automaton", vec![&automaton.name]),
        ("thread", automaton.threads.iter().collect()),
        ("location", automaton.locations.iter().collect()),
        ("lock", automaton.locks.iter().collect()),
        ("state", states),
    ];
    for (what, names) in kinds {
        for (place, name) in names.iter().enumerate() {
            if !is_name(name) {
                return Err(BuildError::NoName((*name).clone()));
            }
            if names[..place].contains(name) {
                return Err(BuildError::Duplicate { what, name: (*name).clone() });
            }
        }
    }
    Ok(())
}

/// Whether a text is a name in the text form.
fn is_name(name: &str) -> bool {
    // The second token is the end of the text.
    matches!(tokens(name).as_deref(), Ok([only, _]) if only.is_name() && only.text == name)
}

fn check_parameters(automaton: &Automaton) -> Result<(), BuildError> {
    for phase in &automaton.phases {
        let scope = Scope { automaton, phase: &phase.name };
        scope.check_event(&phase.event)?;
        for Forbidden { thread, action } in &phase.forbidden {
            thread.map_or(Ok(()), |thread| scope.check("thread", thread.index(), &automaton.threads))?;
            match action {
                ForbiddenAction::One(action) => scope.check_action(action)?,
                ForbiddenAction::Every | ForbiddenAction::Step => {}
            }
        }
    }
    Ok(())
}

/// The parameters that a phase may use.
struct Scope<'a> {
    automaton: &'a Automaton,
    phase: &'a str,
}

impl Scope<'_> {
    fn check_event(&self, event: &Event) -> Result<(), BuildError> {
        self.check("thread", event.thread.index(), &self.automaton.threads)?;
        self.check_action(&event.action)
    }

    fn check_action(&self, action: &Action) -> Result<(), BuildError> {
        let lock = |used: &LockUse| self.check("lock", used.lock.index(), &self.automaton.locks);
        match action {
            ActionKind::Access { location, .. } => self.check("location", location.index(), &self.automaton.locations),
            ActionKind::Wants { wanted, holding } => {
                lock(wanted)?;
                holding.as_ref().map_or(Ok(()), lock)
            }
            ActionKind::Begin | ActionKind::End => Ok(()),
        }
    }

    fn check(&self, what: &'static str, index: usize, known: &[String]) -> Result<(), BuildError> {
        if index < known.len() {
            return Ok(());
        }
        Err(BuildError::Unknown { what, index, phase: self.phase.to_string() })
    }
}
