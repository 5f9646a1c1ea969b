//! What one row of the table says: a list of [`Action`]s in the order in which they happen.
//!
//! An object of a library class that is not given has one field, its *content*: elements, keys, values, referents, kept
//! functions. The elements of an array are its content, too.

/// The number of an argument, from 0.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Argument(u8);

impl Argument {
    /// The argument with this number, from 0; none if a method cannot have so many.
    pub fn new(index: usize) -> Option<Self> {
        u8::try_from(index).ok().filter(|index| *index < u8::MAX).map(Self)
    }

    /// Its number, from 0.
    pub fn index(self) -> usize {
        usize::from(self.0)
    }
}

/// The receiver or an argument of a call.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Subject {
    /// The receiver; of a constructor, the object that it makes.
    This,
    /// An argument.
    Argument(Argument),
}

/// Which objects an action is about: written `X`, `X[]`, `any`, `yielded` or `value`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Source {
    /// The receiver or an argument itself.
    Itself(Subject),
    /// Every object in its content.
    Content(Subject),
    /// Anything of the soup (see [`Row`](super::Row)).
    Any,
    /// What functions returned that the row calls.
    Yielded,
    /// A new immutable value of whatever class fits: a text, a number.
    Value,
}

impl Source {
    /// The receiver or argument that it is, or in whose content it is; none of the others.
    pub fn subject(self) -> Option<Subject> {
        match self {
            Self::Itself(subject) | Self::Content(subject) => Some(subject),
            Self::Any | Self::Yielded | Self::Value => None,
        }
    }
}

/// Whose content something flows into.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Target {
    /// That of the receiver or an argument.
    Of(Subject),
    /// That of what functions returned that the row calls.
    Yielded,
}

/// On which thread a function is run.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Thread {
    /// On that of the caller, before the method returns.
    Caller,
    /// On another one, at any time from now on.
    Other,
    /// On another one, which runs all tasks of the receiver one after the other: a timer, an executor with one thread.
    Serial,
}

/// A call of a function by the row's method. Its arguments are any of the *soup* (see [`Row`](super::Row)), or an
/// object of any library class whose content holds the soup; what it returns joins the soup.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Call {
    /// Whose method is called.
    pub whom: Source,
    /// All methods of this name; none for the only abstract method of a functional interface.
    pub method: Option<Box<str>>,
    /// On which thread.
    pub thread: Thread,
    /// At most once; else any number of times.
    pub once: bool,
}

/// A run of all functions in a content. All objects of library classes that are found from there, content by content,
/// are read; those of given classes are traversed; every functional object among them is called, and what it returns
/// is searched likewise. All that is found joins the soup.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Run {
    /// In whose content.
    pub whom: Subject,
    /// On which thread.
    pub thread: Thread,
    /// At most once; else any number of times.
    pub once: bool,
}

/// The class of a new object.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum MadeClass {
    /// Exactly this one: `java/util/ArrayList`, `[I`.
    Exact(Box<str>),
    /// Any library class that fits the declared type of the result and is used as; its rows are those of the type by
    /// which it is called.
    Declared,
    /// Any library class that fits where the object is used, and its content also holds the object itself: it stands
    /// for containers in containers.
    Any,
}

/// A new object.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Making {
    /// Its class.
    pub class: MadeClass,
    /// What its content holds, beside results of functions that the row calls.
    pub holds: Box<[Source]>,
}

/// What keeps others from interrupting the methods of a view. In any case, a view of an object of an atomic class is
/// atomic, too.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum ViewGuard {
    /// What the class of the view says: a wrapper with its own monitor, or nothing.
    OfClass,
    /// `locked`: the monitor that the methods of the viewed object hold: that of the object, or of the one whose
    /// locked view it is.
    Shared,
}

/// Another object with the same content.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct View {
    /// Whose content it shows.
    pub of: Subject,
    /// Its exact class, if the row names one.
    pub class: Option<Box<str>>,
    /// What keeps others from interrupting its methods.
    pub guard: ViewGuard,
}

/// Which side of a lock.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Side {
    /// The receiver is a lock by itself.
    Own,
    /// The side for reading of the receiver, a `StampedLock`.
    Read,
    /// The side for writing.
    Write,
    /// Whichever of them is held.
    Either,
}

/// What is done to the permits of a semaphore.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Permit {
    /// Waits for permits and takes them.
    Acquires,
    /// Takes them if they are there; the result tells.
    Tries,
    /// Gives them back, or new ones.
    Releases,
}

/// What a text among the arguments names.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Named {
    /// A field.
    Field,
    /// A method or, if no argument has its name, a constructor.
    Method,
    /// The elements of an array.
    Elements,
}

/// What a row says that a method does.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Action {
    /// `reads X`: reads the content.
    Reads(Subject),
    /// `reads all X`: reads the content, and those of all library objects and arrays that are found from there,
    /// content by content. All of that joins the soup.
    ReadsAll(Subject),
    /// `writes X`: writes a part of the content.
    Writes(Subject),
    /// `replaces X`: writes the whole content.
    Replaces(Subject),
    /// `reads position X`: reads the state that the object has beside its content: the position of an iterator, a
    /// buffer, a stream.
    ReadsPosition(Subject),
    /// `writes position X`; `moves X` reads it first.
    WritesPosition(Subject),
    /// `traverses X`, `traverses X.remove`: reads the content of an array or an object of the library. Of an object of
    /// a class that is given, calls the methods of [`TRAVERSAL`], the method that is named here, and those of what
    /// these return: they give its content.
    Traverses {
        /// What is traversed.
        whom: Subject,
        /// Another method that is called on what is traversed, its iterators and entries.
        method: Option<Box<str>>,
    },
    /// `returns X`: the result is this object.
    Returns(Subject),
    /// `views X`: the result is another object with the same content.
    Views(View),
    /// `gives X`: the result is in this content, or null.
    Gives(Subject),
    /// `yields`: the result is what a function returned that the row calls.
    Yields,
    /// `clones X`: the result is a new object of the class of X, whose fields and content hold what those of X hold.
    Clones(Subject),
    /// `class of X`: the result is the class object of X.
    ClassOf(Subject),
    /// `finds`: the result is any object of the declared type that there is, whoever has made it.
    Finds,
    /// `makes X, Y[]`, `makes C(X, Y[])`, `makes any(X, Y[])`: the result is a new object, one for each call site.
    Makes(Making),
    /// `keeps X in Y`, `copies X in Y`: the content of Y holds X, or what X's content holds, afterwards.
    Keeps {
        /// What flows into the content.
        what: Source,
        /// Into whose content.
        target: Target,
    },
    /// `holds C`: the content of the receiver holds a view of the receiver, of class C: a map its entries.
    Holds(Box<str>),
    /// `becomes C`: from now on, the rows of C hold for the receiver, or for what this constructor makes, not those of
    /// its class.
    Becomes(Box<str>),
    /// `enumerates N`: the constants of the enum class that N is, or that N or something in its content is of, join
    /// the soup; they count as what a function returned that the row calls.
    Enumerates(Subject),
    /// `keeps nothing`: no argument flows into the receiver's content.
    KeepsNothing,
    /// `calls X.m`, `starts X.m`: calls a function.
    Calls(Call),
    /// `later X`: the result keeps the function and runs it when a later call runs the result. If there is no result,
    /// or it is the receiver, the receiver keeps it; of a constructor, the object that is made.
    Later {
        /// The function.
        whom: Source,
        /// The method that will be called; none for that of the functional interface.
        method: Option<Box<str>>,
    },
    /// `runs X`, `starts runs X`: runs the functions in a content.
    Runs(Run),
    /// `joins X`: waits until a thread is done, or what the row started that made X, or what X keeps to run; `maybe`
    /// if it may return before that.
    Joins {
        /// For whom it waits.
        whom: Source,
        /// Whether it is done when the method returns normally.
        certain: bool,
    },
    /// `joins started`: waits until all is done that the row has started.
    JoinsStarted,
    /// `blocks`: may wait for another thread.
    Blocks,
    /// `acquires`, `acquires read`, `acquires write`: acquires a lock.
    Acquires(Side),
    /// `tries`: the same, if the result is not false or zero; `timed` if it may wait.
    Tries {
        /// Which side.
        side: Side,
        /// Whether it waits for a while.
        timed: bool,
    },
    /// `releases`: releases a lock; throws if this thread does not hold it.
    Releases(Side),
    /// `converts read`: holds this side instead of what it held, if the result is not zero.
    Converts(Side),
    /// `read-lock`: the result is the side for reading of the receiver.
    ReadLock,
    /// `write-lock`: the result is the side for writing.
    WriteLock,
    /// `condition`: the result is a condition of the receiver, a lock.
    Condition,
    /// `awaits`: gives up the lock of the receiver, a condition, and gets it back.
    Awaits,
    /// `waits X`: gives up the monitor of X and gets it back. `waits entered X`: enters it before, and leaves it after.
    Waits {
        /// Whose monitor.
        whom: Subject,
        /// Whether the row enters the monitor itself.
        entered: bool,
    },
    /// `optimistic`: the result stamps what is read from now on.
    Optimistic,
    /// `validates`: tells whether nobody has had the side for writing since the stamp.
    Validates,
    /// `permit acquires`, `permit tries`, `permit releases`.
    Permit(Permit),
    /// `counts down`: one step towards the opening of the receiver, a latch.
    CountsDown,
    /// `awaits latch`: waits until the latch is open; `maybe` if it may return before that.
    AwaitsLatch {
        /// Whether it is open when the method returns normally.
        certain: bool,
    },
    /// `awaits barrier`: waits until all parties have come.
    AwaitsBarrier {
        /// Whether they have come when the method returns normally.
        certain: bool,
    },
    /// `gets`: an atomic read of the one value of the receiver.
    Gets,
    /// `sets N`: an atomic write.
    Sets(Argument),
    /// `gets-and-sets N`: both in one step.
    GetsAndSets(Argument),
    /// `compares-and-sets E N`: sets what is N if what is there is E, in one step. A `boolean` result tells whether it
    /// did; another one is what was there. `compares-and-sets E N and F M` compares and sets two values together.
    ComparesAndSets(Box<[(Argument, Argument)]>),
    /// `updates by F`: reads, calls F with what was read, sets what F returned if nothing else was set in between,
    /// else begins again.
    UpdatesBy(Argument),
    /// `names field C N`, `names method C N`, `names elements C`: the result is a handle of what the text N names in
    /// the class C.
    Names {
        /// What is named.
        what: Named,
        /// The class.
        class: Argument,
        /// Its name.
        name: Option<Argument>,
    },
}

/// The methods by which the library looks at all that an `Iterable`, `Iterator`, `Enumeration`, `Map`, `Entry` or
/// `CharSequence` has.
pub const TRAVERSAL: [&str; 28] = [
    "asIterator",
    "charAt",
    "entrySet",
    "forEach",
    "forEachRemaining",
    "get",
    "getKey",
    "getValue",
    "hasMoreElements",
    "hasNext",
    "hasPrevious",
    "isEmpty",
    "iterator",
    "keySet",
    "length",
    "listIterator",
    "next",
    "nextDouble",
    "nextElement",
    "nextInt",
    "nextLong",
    "previous",
    "size",
    "spliterator",
    "stream",
    "toArray",
    "tryAdvance",
    "values",
];
