//! The two questions about a subject: can a violation happen, and can none happen.
//!
//! One interpreter answers both, with different sets of steps (K. Larsen, B. Thomsen: A modal process logic, LICS 1988;
//! P. Godefroid, M. Huth, R. Jagadeesan: Abstraction-based model checking using modal transition systems, CONCUR 2001):
//!
//! - [`Modality::Possible`] keeps each step that the analysis cannot exclude. If its model has no violation, none can
//!   happen. Proofs use it.
//! - [`Modality::Firm`] keeps a step only if the code shows that it happens in a use that the class is made for. The
//!   model of `Firm` has a subset of the interleavings of `Possible`. Findings use it.
//!
//! **Invariant.** Each omission of `Firm` is a [`Rule`], and the interpreter asks [`Modality::omits`] before it applies
//! one. No proof depends on a rule: a class without a violation in `Firm` is proved by `Possible` or not at all. A rule
//! that is wrong hides a finding or lets an impossible one through; it never makes a proof.

/// The set of steps in a model.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Modality {
    /// All steps that are not excluded.
    #[default]
    Possible,
    /// Only the steps that the code shows, by these rules.
    Firm(Rules),
}

impl Modality {
    /// Returns `Firm` with all rules.
    pub fn firm() -> Self {
        Self::Firm(Rules::ALL)
    }

    /// Whether the steps that a rule is about are omitted.
    pub fn omits(self, rule: Rule) -> bool {
        match self {
            Self::Possible => false,
            Self::Firm(rules) => rules.has(rule),
        }
    }

    /// Whether the model is for findings, so that no proof depends on it.
    pub fn is_firm(self) -> bool {
        matches!(self, Self::Firm(_))
    }
}

/// A rule of `Firm`: a kind of steps that it omits.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Rule {
    /// A method without code and without a row reads the collections and arrays that are passed in this call, accesses
    /// nothing else, and calls only functions that are passed in this call.
    UnknownCode,
    /// An object of clients runs the code of its declared class, or of a subclass beside the subject, and not that of
    /// every subclass in the input.
    ClientObjects,
    /// Clients call only functions and inner objects that a public method returns, not those that were passed to other
    /// code.
    EscapedFunctions,
    /// A library method that either calls a function or lets another thread call it calls it itself; an executor lets
    /// another thread call it, once.
    OwnThread,
    /// Methods on other objects of the class access nothing of the subject.
    OtherObjects,
    /// Clients do not call methods of the parts that they have passed to the subject.
    ClientParts,
    /// A copy, or another new object of the library, is no object that existed before, until it is stored. An object
    /// that a constructor stores in its own object stays new until the constructor ends.
    NewObjects,
    /// Objects that lie deeper than the analysis distinguishes are not accessed.
    DeepObjects,
    /// The class itself calls its protected methods and assigns its protected fields, unless it is abstract or extended
    /// in the input.
    ProtectedMethods,
    /// Nobody else has an object before its constructor ends.
    Constructors,
    /// An inner object of the subject's class belongs to the subject.
    OuterObject,
    /// An expression that is locked and that may be a followed object is this object.
    SameLock,
    /// Methods inherited from a class of which nothing is known do not call methods of the subject's class.
    InheritedCode,
    /// An inherited method that traverses a weakly consistent container observes it once.
    WeakTraversals,
    /// Changes that commute or go one way, such as the end of an executor, are no accesses of an object whose state the
    /// class does not ask for.
    CommutingChanges,
    /// A pool that is made with one thread runs its tasks one after the other.
    OneThread,
    /// Methods of a class that clients cannot name run only where the program calls them.
    ProgramCallers,
    /// An object that a hidden class's objects are made for and kept by holds each of them: its locks are the same
    /// ones.
    HolderLocks,
    /// The content of a `ThreadLocal` belongs to one thread.
    ThreadLocals,
    /// A function is no object of a class, and of no interface but its own.
    FunctionTypes,
    /// The parts that another object of the class has made for itself are no parts of the subject.
    NewParts,
    /// A field that handles compare and set like a spin lock is one, and so is an own synchronizer.
    FlagLocks,
    /// A test that is repeated under a lock is no access.
    Retests,
    /// A compare-and-set that fails after a read of the same location is no second access.
    FailedAttempts,
    /// Methods of the nest that do not know the subject act on it as clients do.
    UnrelatedMethods,
    /// Keys and elements that a container compares do not change if they are objects of the library.
    Keys,
    /// A view that is always a wrapper with a lock holds its lock.
    LockedViews,
    /// The parts that an object of a followed object's class makes for itself are no parts of the followed one.
    MadeParts,
    /// A subscriber of a reactive stream gets its signals one after the other.
    Signals,
    /// Two units that overlap do not both set a value that is set once.
    SettersOnce,
    /// An object that a unit has taken out of its only container belongs to the unit until it is put back.
    TakenObjects,
    /// A counter of waiting work, by which one thread at a time drains a queue, is a lock.
    WorkCounters,
    /// An object that a method takes out of a field under a lock, and replaces there, belongs to its thread.
    SwappedOut,
    /// An object of a type outside of the program of which nothing is known is no object of the program, and none is
    /// found in it again.
    UnknownTypes,
    /// Code of which nothing is known calls each function that it gets at most once in a call, unless its name says
    /// that it traverses something.
    PassedFunctions,
    /// A unit that has written nothing and uses nothing that it has read before it waits begins after the wait.
    Waits,
    /// The parts that lie at one index of an array do not lie at another one.
    ElementParts,
    /// A queue whose name says that it has a single producer, or a single consumer, is used so.
    QueueRoles,
    /// An object that clients or unknown code pass is none that only the program has, and neither are its views.
    PrivateObjects,
    /// A method of a plain container that concerns few elements takes one step.
    PlainSteps,
    /// A lock that clients pass excludes; clients do not unlock the stamped locks of the program; and an object whose
    /// identity is unknown is no lock that the thread holds under another name.
    GivenLocks,
}

impl Rule {
    /// All rules.
    pub const ALL: [Self; 41] = [
        Self::UnknownCode,
        Self::ClientObjects,
        Self::EscapedFunctions,
        Self::OwnThread,
        Self::OtherObjects,
        Self::ClientParts,
        Self::NewObjects,
        Self::DeepObjects,
        Self::ProtectedMethods,
        Self::Constructors,
        Self::OuterObject,
        Self::SameLock,
        Self::InheritedCode,
        Self::WeakTraversals,
        Self::CommutingChanges,
        Self::OneThread,
        Self::ProgramCallers,
        Self::HolderLocks,
        Self::ThreadLocals,
        Self::FunctionTypes,
        Self::NewParts,
        Self::FlagLocks,
        Self::Retests,
        Self::FailedAttempts,
        Self::UnrelatedMethods,
        Self::Keys,
        Self::LockedViews,
        Self::MadeParts,
        Self::Signals,
        Self::SettersOnce,
        Self::TakenObjects,
        Self::WorkCounters,
        Self::SwappedOut,
        Self::UnknownTypes,
        Self::PassedFunctions,
        Self::Waits,
        Self::ElementParts,
        Self::QueueRoles,
        Self::PrivateObjects,
        Self::PlainSteps,
        Self::GivenLocks,
    ];

    /// Returns the name of the rule in tests and measurements.
    pub fn name(self) -> &'static str {
        match self {
            Self::UnknownCode => "unknown-code",
            Self::ClientObjects => "client-objects",
            Self::EscapedFunctions => "escaped-functions",
            Self::OwnThread => "own-thread",
            Self::OtherObjects => "other-objects",
            Self::ClientParts => "client-parts",
            Self::NewObjects => "new-objects",
            Self::DeepObjects => "deep-objects",
            Self::ProtectedMethods => "protected-methods",
            Self::Constructors => "constructors",
            Self::OuterObject => "outer-object",
            Self::SameLock => "same-lock",
            Self::InheritedCode => "inherited-code",
            Self::WeakTraversals => "weak-traversals",
            Self::CommutingChanges => "commuting-changes",
            Self::OneThread => "one-thread",
            Self::ProgramCallers => "program-callers",
            Self::HolderLocks => "holder-locks",
            Self::ThreadLocals => "thread-locals",
            Self::FunctionTypes => "function-types",
            Self::NewParts => "new-parts",
            Self::FlagLocks => "flag-locks",
            Self::Retests => "retests",
            Self::FailedAttempts => "failed-attempts",
            Self::UnrelatedMethods => "unrelated-methods",
            Self::Keys => "keys",
            Self::LockedViews => "locked-views",
            Self::MadeParts => "made-parts",
            Self::Signals => "signals",
            Self::SettersOnce => "setters-once",
            Self::TakenObjects => "taken-objects",
            Self::WorkCounters => "work-counters",
            Self::SwappedOut => "swapped-out",
            Self::UnknownTypes => "unknown-types",
            Self::PassedFunctions => "passed-functions",
            Self::Waits => "waits",
            Self::ElementParts => "element-parts",
            Self::QueueRoles => "queue-roles",
            Self::PrivateObjects => "private-objects",
            Self::PlainSteps => "plain-steps",
            Self::GivenLocks => "given-locks",
        }
    }
}

/// A set of rules.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Rules(u64);

impl Rules {
    /// All rules.
    pub const ALL: Self = Self((1 << Rule::ALL.len()) - 1);

    /// Whether the set has a rule.
    pub fn has(self, rule: Rule) -> bool {
        self.0 & (1 << rule as u64) != 0
    }

    /// Returns the set without a rule.
    #[must_use]
    pub fn without(self, rule: Rule) -> Self {
        Self(self.0 & !(1 << rule as u64))
    }
}

impl Default for Rules {
    fn default() -> Self {
        Self::ALL
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_rule_can_be_switched_off_by_itself() {
        for rule in Rule::ALL {
            let without = Modality::Firm(Rules::ALL.without(rule));
            assert!(!without.omits(rule));
            assert!(Rule::ALL.iter().filter(|other| **other != rule).all(|other| without.omits(*other)));
            assert!(Modality::firm().omits(rule) && !Modality::Possible.omits(rule));
        }
    }
}
