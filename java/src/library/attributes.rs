//! What the table says of a class as a whole.

/// A word before `class`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Attribute {
    /// `atomic`: methods do not interrupt each other; see [`Guard::Operations`].
    Atomic,
    /// `synchronized`: methods hold the object's monitor; see [`Guard::Monitor`].
    Synchronized,
    /// `immutable`: an object has no content, and nothing of it ever changes.
    Immutable,
    /// `value`: objects are compared by what they are, so their identity means nothing.
    Value,
    /// `thread-safe`: it is made to be used by several threads.
    ThreadSafe,
    /// `task`: it is made to be run by a thread.
    Task,
    /// `thread`: it is a thread.
    Thread,
    /// `executor`: it has threads that run tasks.
    Executor,
    /// `lock`: it is a lock.
    Lock,
    /// `read-write-lock`: it has a lock for reading and one for writing.
    ReadWriteLock,
    /// `condition`: threads wait for it, holding a lock.
    Condition,
    /// `handle`: it accesses fields or elements of others. The first arguments of its atomic actions say of which
    /// object (and which element); operands are counted from the first argument after them.
    Handle,
    /// `preferred`: rows are used even if the code of the class is given.
    Preferred,
    /// `locks-itself`: its locks and volatile fields are for its own sake, so a subclass is not thread-safe by
    /// intention because of them.
    LocksItself,
    /// `stateless`: it has no content; what subclasses have is their own.
    Stateless,
    /// `unchanging`: the content of an object is what it was made with; methods that would change it throw.
    Unchanging,
    /// `plain`: its content is numbers and texts, and holds no objects.
    Plain,
}

/// The words, with whether they hold for the classes that are `like` it, too.
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
    /// The attribute of this name.
    pub(super) fn named(word: &str) -> Option<Self> {
        WORDS.iter().find(|(name, ..)| *name == word).map(|(_, attribute, _)| *attribute)
    }

    /// Whether classes that are like one with it have it, too.
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
    /// Whether an attribute is among them.
    pub fn has(self, attribute: Attribute) -> bool {
        self.0 & attribute.bit() != 0
    }

    /// All of them.
    pub fn iter(self) -> impl Iterator<Item = Attribute> {
        WORDS.iter().map(|(_, attribute, _)| *attribute).filter(move |attribute| self.has(*attribute))
    }

    /// What keeps other methods of an object from interrupting one.
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

    /// Those that hold for the classes that are like one with these.
    pub(super) fn inherited(self) -> Self {
        let mut inherited = Self::default();
        self.iter().filter(|attribute| attribute.is_inherited()).for_each(|attribute| inherited.insert(attribute));
        inherited
    }

    /// These, of a text that stands in front of one with others: who says how methods are guarded, says it anew.
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

/// What keeps the methods of an object from interrupting each other.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Guard {
    /// Nothing.
    #[default]
    None,
    /// Something of their own: an `atomic` class.
    Operations,
    /// The object's monitor, which others may enter as well: a `synchronized` class.
    Monitor,
}
