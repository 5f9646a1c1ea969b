//! A row of the table as it is found, with what it says of flows when it does not say so itself.

use super::action::{Action, Making, Source, Subject, Target, View};
use super::attributes::{Attributes, Guard};

/// What a row says beside its actions.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Traits {
    /// `several`: it is several steps even if its class is atomic, or a view whose monitor is held for each of them
    /// only. A method of a synchronized class holds the monitor all the time.
    pub several: bool,
    /// `inside`: functions that it calls run inside the step or the part of it that concerns their arguments, not
    /// outside.
    pub inside: bool,
    /// `inside key N`: the same, in a step of the key. The last N arguments of the functions are values that stand
    /// under this key, or will.
    pub values_of_key: Option<u8>,
    /// `throws`: it may throw before it has done anything. Every method may throw after it has done all.
    pub throws: bool,
    /// `never-throws`: it does not throw at all.
    pub never_throws: bool,
    /// `unguarded`: it does not hold the monitor, although its class is synchronized.
    pub unguarded: bool,
    /// `pure`: it touches nothing, and the same arguments give the same result.
    pub pure: bool,
    /// `reflects`: it calls or accesses what a name or a handle says, of which nothing is known.
    pub reflects: bool,
}

/// What a method does.
///
/// The *soup* of a call is: the objects in the contents of the receiver and of the arguments, the arguments, what
/// functions returned that the row calls, and what its runs found.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Row<'l> {
    /// What it does, in order. Nothing at all: no access, no flow into the receiver, and a reference result is a new
    /// immutable value.
    pub actions: &'l [Action],
    /// What it says beside its actions.
    pub traits: Traits,
    /// The attributes of the class that was asked for.
    pub attributes: Attributes,
}

/// One object that the result of a row may be.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Part<'l> {
    /// The receiver or an argument.
    Is(Subject),
    /// Another object with the same content.
    View(&'l View),
    /// An object in a content, or null.
    From(Subject),
    /// What a function returned that the row calls.
    Yielded,
    /// A new object.
    New(&'l Making),
    /// A lock or condition that belongs to the receiver.
    OfLock,
    /// A handle.
    Handle,
    /// Any object of the declared type.
    Anything,
    /// A new object of the class of this, with what its fields and content hold.
    CloneOf(Subject),
    /// The class object of this.
    ClassOf(Subject),
}

/// What the result of a row may be, if it is a reference.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Outcome<'l> {
    /// A new immutable value. If it is an array or a container, what it holds is a value, too.
    Value,
    /// Anything in the soup; if the declared type of the result is a class of the library or an array, also a new
    /// object whose content holds the soup.
    Soup,
    /// One of these.
    OneOf(Vec<Part<'l>>),
}

impl<'l> Row<'l> {
    /// What keeps other methods of the object from interrupting this one.
    pub fn guard(&self) -> Guard {
        if self.traits.unguarded { Guard::None } else { self.attributes.guard() }
    }

    /// Whether it reads the content of the receiver or of an argument.
    pub fn reads(&self, content_of: Subject) -> bool {
        self.actions.iter().any(|action| action.read() == Some(content_of))
    }

    /// Whether it writes one.
    pub fn writes(&self, content_of: Subject) -> bool {
        self.actions.iter().any(|action| action.written() == Some(content_of))
    }

    /// Whether it touches nothing.
    pub fn is_nothing(&self) -> bool {
        self.actions.is_empty()
    }

    /// Whether it runs functions.
    pub fn runs_functions(&self) -> bool {
        self.actions.iter().any(|action| matches!(action, Action::Calls(_) | Action::Runs(_)))
    }

    /// What the result may be.
    pub fn outcome(&self) -> Outcome<'l> {
        let parts: Vec<Part<'l>> = self.actions.iter().filter_map(Action::part).collect();
        match parts.is_empty() {
            _ if self.is_nothing() => Outcome::Value,
            true => Outcome::Soup,
            false => Outcome::OneOf(parts),
        }
    }

    /// Whether all arguments, and what functions returned that it calls, flow into the receiver's content although no
    /// action says so. It does not matter for values that are no references.
    pub fn takes_all(&self, is_constructor: bool) -> bool {
        let says = |action: &Action| matches!(action, Action::Keeps { .. } | Action::KeepsNothing);
        !self.is_nothing() && !self.actions.iter().any(says) && (self.writes(Subject::This) || is_constructor)
    }

    /// Whether what functions returned that it calls flows into a content: each that it writes.
    pub fn takes_results(&self, content_of: Subject) -> bool {
        self.writes(content_of)
    }
}

impl Action {
    /// What the result may be because of this action.
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

    /// Whose content it reads itself, whether or not functions do.
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

    /// Whose content it writes itself.
    pub fn written(&self) -> Option<Subject> {
        match self {
            Self::Writes(subject) | Self::Replaces(subject) => Some(*subject),
            Self::Sets(_) | Self::GetsAndSets(_) | Self::ComparesAndSets(_) | Self::UpdatesBy(_) => Some(Subject::This),
            _ => None,
        }
    }

    /// What flows into whose content because of this action alone.
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
