//! A row as the result of a search, with its implicit flows.

use super::action::{Action, Making, Source, Subject, Target, View};
use super::attributes::{Attributes, Guard};

/// The properties of a row besides its actions.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Traits {
    /// `several`: the method takes several steps even if its class is atomic, or a view whose monitor is held for each
    /// step only. A method of a synchronized class holds the monitor throughout.
    pub several: bool,
    /// `inside`: called functions run inside of the step, or inside of the part of it that concerns their arguments.
    pub inside: bool,
    /// `inside key N`: called functions run inside of the step for one key. Their last N arguments are present or
    /// future values of this key.
    pub values_of_key: Option<u8>,
    /// `throws`: the method may throw before its first effect. Every method may throw after its last effect.
    pub throws: bool,
    /// `never-throws`: the method does not throw.
    pub never_throws: bool,
    /// `unguarded`: the method does not hold the monitor although its class is synchronized.
    pub unguarded: bool,
    /// `pure`: the method has no effect, and equal arguments give equal results.
    pub pure: bool,
    /// `reflects`: the method calls or accesses unknown members by name or handle.
    pub reflects: bool,
    /// `stateless`: the method neither depends on the state of its object nor changes it, although the class has state.
    pub stateless: bool,
    /// `commutes`: changes of the state by such methods commute or go one way, so that only a question for the state
    /// shows them.
    pub commutes: bool,
    /// `global`: the method changes state of the process that no object of the program holds, such as a property, a
    /// default or a logger that is found by its name; or its result holds such state.
    pub global: bool,
}

/// The model of a method.
///
/// The *soup* of a call is the set of objects that the method can get hold of: the arguments, the objects in the
/// contents of the receiver and of the arguments, the results of called functions, and the objects reached by runs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Row<'l> {
    /// The actions in order. An empty list means no access, no flow into the receiver, and a new immutable value as a
    /// reference result.
    pub actions: &'l [Action],
    /// The other properties.
    pub traits: Traits,
    /// The attributes of the class in which the search began.
    pub attributes: Attributes,
}

/// One possibility for the result of a row.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Part<'l> {
    /// The receiver or an argument.
    Is(Subject),
    /// Another object with the same content.
    View(&'l View),
    /// An object in a content, or null.
    From(Subject),
    /// The result of a function that the row calls.
    Yielded,
    /// A new object.
    New(&'l Making),
    /// A lock or condition that belongs to the receiver.
    OfLock,
    /// A handle.
    Handle,
    /// Any object of the declared type.
    Anything,
    /// A copy of this object: of the same class, with equal fields and content.
    CloneOf(Subject),
    /// The class object of this object.
    ClassOf(Subject),
}

/// The possible results of a row, if the result is a reference.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Outcome<'l> {
    /// A new immutable value. If it is an array or a container, its elements are new immutable values as well.
    Value,
    /// Any object of the soup. If the declared type of the result is a library class or an array, also a new object
    /// whose content holds the soup.
    Soup,
    /// One of these possibilities.
    OneOf(Vec<Part<'l>>),
}

impl<'l> Row<'l> {
    /// The guard of the method.
    pub fn guard(&self) -> Guard {
        if self.traits.unguarded { Guard::None } else { self.attributes.guard() }
    }

    /// Whether it reads the content of the receiver or of an argument.
    pub fn reads(&self, content_of: Subject) -> bool {
        self.actions.iter().any(|action| action.read() == Some(content_of))
    }

    /// Whether it writes the content of the receiver or of an argument.
    pub fn writes(&self, content_of: Subject) -> bool {
        self.actions.iter().any(|action| action.written() == Some(content_of))
    }

    /// Whether it reads the content or the position of the receiver.
    pub fn reads_state(&self) -> bool {
        self.reads(Subject::This) || self.actions.contains(&Action::ReadsPosition(Subject::This))
    }

    /// Whether it writes the content or the position of the receiver.
    pub fn writes_state(&self) -> bool {
        self.writes(Subject::This) || self.actions.contains(&Action::WritesPosition(Subject::This))
    }

    /// Whether it accesses the state of the receiver itself, synchronizes with it, or hands it or its content on to
    /// later accesses: a view, a stream, a call.
    pub fn concerns_receiver(&self) -> bool {
        self.actions.iter().any(Action::concerns_receiver)
    }

    /// Whether it has no actions.
    pub fn is_nothing(&self) -> bool {
        self.actions.is_empty()
    }

    /// Whether it runs functions.
    pub fn runs_functions(&self) -> bool {
        self.actions.iter().any(|action| matches!(action, Action::Calls(_) | Action::Runs(_)))
    }

    /// The possible results.
    pub fn outcome(&self) -> Outcome<'l> {
        let parts: Vec<Part<'l>> = self.actions.iter().filter_map(Action::part).collect();
        match parts.is_empty() {
            _ if self.is_nothing() => Outcome::Value,
            true => Outcome::Soup,
            false => Outcome::OneOf(parts),
        }
    }

    /// Whether all arguments and the results of called functions flow into the content of the receiver without an
    /// explicit action. This concerns references only.
    pub fn takes_all(&self, is_constructor: bool) -> bool {
        let says = |action: &Action| matches!(action, Action::Keeps { .. } | Action::KeepsNothing);
        !self.is_nothing() && !self.actions.iter().any(says) && (self.writes(Subject::This) || is_constructor)
    }

    /// Whether the results of called functions flow into a content. They flow into every content that the row writes.
    pub fn takes_results(&self, content_of: Subject) -> bool {
        self.writes(content_of)
    }
}

impl Action {
    /// The possibility for the result that this action states.
    pub fn part(&self) -> Option<Part<'_>> {
        match self {
            Self::Returns(subject) => Some(Part::Is(*subject)),
            Self::Views(view) => Some(Part::View(view)),
            Self::Gives(subject) => Some(Part::From(*subject)),
            Self::Clones(subject) => Some(Part::CloneOf(*subject)),
            Self::ClassOf(subject) => Some(Part::ClassOf(*subject)),
            Self::Finds => Some(Part::Anything),
            Self::Yields => Some(Part::Yielded),
            Self::Makes(making) => Some(Part::New(making)),
            Self::ReadLock | Self::WriteLock | Self::Condition => Some(Part::OfLock),
            Self::Names { .. } => Some(Part::Handle),
            _ => None,
        }
    }

    /// The object whose content the action itself reads, apart from called functions.
    pub fn read(&self) -> Option<Subject> {
        match self {
            Self::Reads(subject)
            | Self::ReadsAll(subject)
            | Self::Clones(subject)
            | Self::Traverses { whom: subject, .. } => Some(*subject),
            Self::Runs(run) => Some(run.whom),
            Self::Gets | Self::GetsAndSets(_) | Self::ComparesAndSets(_) | Self::UpdatesBy(_) => Some(Subject::This),
            _ => None,
        }
    }

    /// The object whose content the action itself writes, apart from called functions.
    pub fn written(&self) -> Option<Subject> {
        match self {
            Self::Writes(subject) | Self::Replaces(subject) => Some(*subject),
            Self::Sets(_) | Self::GetsAndSets(_) | Self::ComparesAndSets(_) | Self::UpdatesBy(_) => Some(Subject::This),
            _ => None,
        }
    }

    /// Whether the action itself accesses the receiver, or causes accesses to it.
    fn concerns_receiver(&self) -> bool {
        let is_this = |subject: Option<Subject>| subject == Some(Subject::This);
        match self {
            Self::ReadsPosition(subject) | Self::WritesPosition(subject) => *subject == Subject::This,
            Self::Waits { whom, .. } => *whom == Subject::This,
            Self::Views(view) => view.of == Subject::This,
            Self::Makes(making) => making.holds.iter().any(|held| is_this(held.subject())),
            Self::Calls(call) => is_this(call.whom.subject()),
            Self::Joins { whom, .. } => is_this(whom.subject()),
            Self::Acquires(_)
            | Self::Tries { .. }
            | Self::Releases(_)
            | Self::Converts(_)
            | Self::ReadLock
            | Self::WriteLock
            | Self::Condition
            | Self::Awaits
            | Self::Optimistic
            | Self::Validates
            | Self::Permit(_)
            | Self::CountsDown
            | Self::AwaitsLatch { .. }
            | Self::AwaitsBarrier { .. } => true,
            _ => is_this(self.read()) || is_this(self.written()),
        }
    }

    /// The flow that this action alone causes.
    pub fn flow(&self) -> Option<(Source, Target)> {
        match self {
            Self::Keeps { what, target } => Some((*what, *target)),
            Self::Sets(argument) | Self::GetsAndSets(argument) => {
                Some((Source::Itself(Subject::Argument(*argument)), Target::Of(Subject::This)))
            }
            _ => None,
        }
    }
}
