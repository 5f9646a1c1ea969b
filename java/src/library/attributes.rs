//! The attributes of classes in the table.

/// An attribute of a class: a word before `class`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Attribute {
    /// `atomic`: the methods of an object do not interrupt each other; see [`Guard::Operations`].
    Atomic,
    /// `synchronized`: methods hold the monitor of the object; see [`Guard::Monitor`].
    Synchronized,
    /// `immutable`: objects have no content and never change.
    Immutable,
    /// `value`: objects are compared by value; their identity is irrelevant.
    Value,
    /// `thread-safe`: designed for use by several threads.
    ThreadSafe,
    /// `task`: designed to be run by a thread.
    Task,
    /// `thread`: a thread.
    Thread,
    /// `executor`: has threads that run tasks.
    Executor,
    /// `lock`: a lock.
    Lock,
    /// `read-write-lock`: has a read lock and a write lock.
    ReadWriteLock,
    /// `condition`: a condition variable of a lock.
    Condition,
    /// `handle`: accesses fields or elements of other objects. The first arguments of its atomic actions are the object
    /// and, for elements, the index. Operands are counted from the first argument after these.
    Handle,
    /// `preferred`: rows are used even if the code of the class is loaded.
    Preferred,
    /// `locks-itself`: its locks and volatile fields serve its own purposes and do not indicate that a subclass is
    /// meant to be thread-safe.
    LocksItself,
    /// `stateless`: has no content itself; subclasses may have state of their own.
    Stateless,
    /// `unchanging`: the content of an object never changes after its creation; methods that would change it throw.
    Unchanging,
    /// `plain`: its content consists of numbers and texts and holds no objects.
    Plain,
}

/// The words of the attributes, and whether subtypes inherit them.
const WORDS: [(&str, Attribute, bool); 17] = [
    ("atomic", Attribute::Atomic, false),
    ("synchronized", Attribute::Synchronized, false),
    ("immutable", Attribute::Immutable, false),
    ("value", Attribute::Value, false),
    ("thread-safe", Attribute::ThreadSafe, true),
    ("task", Attribute::Task, true),
    ("thread", Attribute::Thread, true),
    ("executor", Attribute::Executor, true),
    ("lock", Attribute::Lock, true),
    ("read-write-lock", Attribute::ReadWriteLock, true),
    ("condition", Attribute::Condition, true),
    ("handle", Attribute::Handle, true),
    ("preferred", Attribute::Preferred, false),
    ("locks-itself", Attribute::LocksItself, false),
    ("stateless", Attribute::Stateless, false),
    ("unchanging", Attribute::Unchanging, false),
    ("plain", Attribute::Plain, false),
];

impl Attribute {
    /// The attribute with this word.
    pub(super) fn named(word: &str) -> Option<Self> {
        WORDS.iter().find(|(name, ..)| *name == word).map(|(_, attribute, _)| *attribute)
    }

    /// Whether subtypes inherit it.
    fn is_inherited(self) -> bool {
        WORDS.iter().any(|(_, attribute, inherited)| *attribute == self && *inherited)
    }

    fn bit(self) -> u32 {
        1 << self as u16
    }
}

/// A set of attributes.
#[derive(Clone, Copy, Default, PartialEq, Eq, Hash)]
pub struct Attributes(u32);

impl Attributes {
    /// Whether the set contains an attribute.
    pub fn has(self, attribute: Attribute) -> bool {
        self.0 & attribute.bit() != 0
    }

    /// All attributes of the set.
    pub fn iter(self) -> impl Iterator<Item = Attribute> {
        WORDS.iter().map(|(_, attribute, _)| *attribute).filter(move |attribute| self.has(*attribute))
    }

    /// The guard of the methods of an object.
    pub fn guard(self) -> Guard {
        match () {
            () if self.has(Attribute::Synchronized) => Guard::Monitor,
            () if self.has(Attribute::Atomic) => Guard::Operations,
            () => Guard::None,
        }
    }

    pub(super) fn insert(&mut self, attribute: Attribute) {
        self.0 |= attribute.bit();
    }

    pub(super) fn union(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }

    /// The subset that subtypes inherit.
    pub(super) fn inherited(self) -> Self {
        let mut inherited = Self::default();
        self.iter().filter(|attribute| attribute.is_inherited()).for_each(|attribute| inherited.insert(attribute));
        inherited
    }

    /// The union with the attributes of an earlier text. If this set states a guard, it replaces the earlier one.
    pub(super) fn before(self, other: Self) -> Self {
        const GUARDS: [Attribute; 2] = [Attribute::Atomic, Attribute::Synchronized];
        let mut other = other;
        if self.guard() != Guard::None {
            GUARDS.iter().for_each(|guard| other.0 &= !guard.bit());
        }
        self.union(other)
    }
}

impl std::fmt::Debug for Attributes {
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        out.debug_set().entries(self.iter()).finish()
    }
}

/// The guard that keeps the methods of an object from interrupting each other.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Guard {
    /// No guard.
    #[default]
    None,
    /// An internal mechanism of an `atomic` class.
    Operations,
    /// The monitor of an object of a `synchronized` class, which other code can enter as well.
    Monitor,
}
