//! The [`Action`]s of rows. The [module](super) defines the terms.

/// The number of an argument, from 0.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Argument(u8);

impl Argument {
    /// The argument with this number, from 0; none if methods cannot have so many arguments.
    pub fn new(index: usize) -> Option<Self> {
        u8::try_from(index).ok().filter(|index| *index < u8::MAX).map(Self)
    }

    /// The number, from 0.
    pub fn index(self) -> usize {
        usize::from(self.0)
    }
}

/// The receiver or an argument of a call.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Subject {
    /// The receiver; for a constructor, the new object.
    This,
    /// An argument.
    Argument(Argument),
}

/// The objects to which an action applies: `X`, `X[]`, `any`, `yielded` or `value`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Source {
    /// The receiver or an argument itself.
    Itself(Subject),
    /// Every object in its content.
    Content(Subject),
    /// Any object of the soup (see [`Row`](super::Row)).
    Any,
    /// The results of the functions that the row calls.
    Yielded,
    /// A new immutable value of any suitable class: a string, a number.
    Value,
}

impl Source {
    /// The receiver or argument of [`Itself`](Self::Itself) and [`Content`](Self::Content).
    pub fn subject(self) -> Option<Subject> {
        match self {
            Self::Itself(subject) | Self::Content(subject) => Some(subject),
            Self::Any | Self::Yielded | Self::Value => None,
        }
    }
}

/// The object whose content is the target of a flow.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Target {
    /// The receiver or an argument.
    Of(Subject),
    /// The results of the functions that the row calls.
    Yielded,
}

/// The thread on which a function runs.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Thread {
    /// The thread of the caller, before the method returns.
    Caller,
    /// Another thread, at any later time.
    Other,
    /// Another thread, which runs all tasks of the receiver one after the other: a timer, an executor with one thread.
    Serial,
}

/// A call of a function by the method of a row. Its arguments are objects of the *soup* (see [`Row`](super::Row)), or
/// objects of any library class whose content holds the soup. Its result joins the soup.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Call {
    /// The called object.
    pub whom: Source,
    /// The name of the called methods; none for the abstract method of a functional interface.
    pub method: Option<Box<str>>,
    /// The thread.
    pub thread: Thread,
    /// Whether it is called at most once; otherwise any number of times.
    pub once: bool,
}

/// A run of all functions reachable from a content. All objects of library classes that are reachable through contents
/// are read, and objects of loaded classes are traversed. Every functional object among them is called, and its result
/// is searched likewise. All reached objects join the soup.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Run {
    /// The object whose content holds the functions.
    pub whom: Subject,
    /// The thread.
    pub thread: Thread,
    /// Whether each function runs at most once; otherwise any number of times.
    pub once: bool,
}

/// The class of a new object.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum MadeClass {
    /// Exactly this class: `java/util/ArrayList`, `[I`.
    Exact(Box<str>),
    /// Any library class that fits the declared type of the result and the uses of the object. The rows of the type by
    /// which it is called apply.
    Declared,
    /// Any library class that fits the uses of the object. Its content also holds the object itself, which therefore
    /// stands for nested containers.
    Any,
}

/// The creation of an object.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Making {
    /// Its class.
    pub class: MadeClass,
    /// The objects in its content, in addition to the results of the functions that the row calls.
    pub holds: Box<[Source]>,
}

/// The guard of the methods of a view against interruption. In both cases, a view of an object of an atomic class is
/// atomic as well.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum ViewGuard {
    /// The guard of the class of the view: a wrapper with its own monitor, or none.
    OfClass,
    /// `locked`: the monitor that the methods of the viewed object hold, which is that of this object or, if it is
    /// itself a locked view, of the object that it shows.
    Shared,
}

/// A view: another object with the same content.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct View {
    /// The viewed object.
    pub of: Subject,
    /// Its exact class, if the row names one.
    pub class: Option<Box<str>>,
    /// The guard of its methods.
    pub guard: ViewGuard,
}

/// The side of a lock.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Side {
    /// The receiver is a lock by itself.
    Own,
    /// The read side of the receiver, a `StampedLock`.
    Read,
    /// The write side of the receiver, a `StampedLock`.
    Write,
    /// The side that is held.
    Either,
}

/// The operations on the permits of a semaphore.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Permit {
    /// Waits for permits and takes them.
    Acquires,
    /// Takes permits if they are available; the result states whether it did.
    Tries,
    /// Adds permits.
    Releases,
}

/// The kinds of members that a string argument names.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Named {
    /// A field.
    Field,
    /// A method or, if no argument has its name, a constructor.
    Method,
    /// The elements of an array.
    Elements,
}

/// An action of a row.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Action {
    /// `reads X`: reads the content.
    Reads(Subject),
    /// `reads all X`: reads the content and the contents of all library objects and arrays that are reachable through
    /// contents. All reached objects join the soup.
    ReadsAll(Subject),
    /// `writes X`: writes a part of the content.
    Writes(Subject),
    /// `replaces X`: writes the whole content.
    Replaces(Subject),
    /// `reads position X`: reads the state of the object beside its content: the position of an iterator, a buffer or a
    /// stream.
    ReadsPosition(Subject),
    /// `writes position X`; `moves X` reads it first.
    WritesPosition(Subject),
    /// `traverses X`, `traverses X.remove`: reads the content of an array or a library object. On an object of a loaded
    /// class, calls the methods of [`TRAVERSAL`] and the given method, and likewise on their results; these are its
    /// content.
    Traverses {
        /// The traversed object.
        whom: Subject,
        /// Another method that is called on the traversed object, its iterators and its entries.
        method: Option<Box<str>>,
        /// `at once`: by a single call of `toArray` or `forEach`, which holds the guard of a library object throughout.
        at_once: bool,
    },
    /// `returns X`: the result is this object.
    Returns(Subject),
    /// `views X`: the result is another object with the same content.
    Views(View),
    /// `gives X`: the result is an object in this content, or null.
    Gives(Subject),
    /// `yields`: the result is the result of a function that the row calls.
    Yields,
    /// `clones X`: the result is a new object of the class of X with equal fields and content.
    Clones(Subject),
    /// `class of X`: the result is the class object of X.
    ClassOf(Subject),
    /// `finds`: the result is any existing object of the declared type, regardless of its origin.
    Finds,
    /// `makes X, Y[]`, `makes C(X, Y[])`, `makes any(X, Y[])`: the result is a new object, one for each call site.
    Makes(Making),
    /// `keeps X in Y`, `copies X in Y`: X, or each object in the content of X, flows into the content of Y.
    Keeps {
        /// The source of the flow.
        what: Source,
        /// The target of the flow.
        target: Target,
    },
    /// `holds C`: the content of the receiver holds a view of the receiver of class C, such as the entries of a map.
    Holds(Box<str>),
    /// `becomes C`: from now on, the rows of C apply to the receiver instead of the rows of its class.
    Becomes(Box<str>),
    /// `enumerates N`: the constants of an enum class join the soup and count as results of functions that the row
    /// calls. The enum class is N itself, or the class of N or of an object in the content of N.
    Enumerates(Subject),
    /// `keeps nothing`: no argument flows into the receiver's content.
    KeepsNothing,
    /// `calls X.m`, `starts X.m`: calls a function.
    Calls(Call),
    /// `later X`: the result keeps the function and runs it when a later call runs the result. The receiver keeps it if
    /// there is no result or the result is the receiver; for a constructor, the new object keeps it.
    Later {
        /// The function.
        whom: Source,
        /// The method that will be called; none for the abstract method of the functional interface.
        method: Option<Box<str>>,
    },
    /// `runs X`, `starts runs X`: runs the functions in a content.
    Runs(Run),
    /// `joins X`: waits for the end of a thread X, of the functions that the row that created X has started, or of the
    /// functions that X keeps. With `maybe`, the method may return before that.
    Joins {
        /// The joined object.
        whom: Source,
        /// Whether a normal return implies the end.
        certain: bool,
    },
    /// `joins started`: waits for the end of all functions that the row has started.
    JoinsStarted,
    /// `blocks`: may wait for another thread.
    Blocks,
    /// `acquires`, `acquires read`, `acquires write`: acquires a lock.
    Acquires(Side),
    /// `tries`: acquires a lock if and only if the result is neither false nor zero. With `timed`, it may wait.
    Tries {
        /// The side.
        side: Side,
        /// Whether it may wait for some time.
        timed: bool,
    },
    /// `releases`: releases a lock. It throws if this thread does not hold the lock.
    Releases(Side),
    /// `converts read`: replaces the held side by this side if the result is not zero.
    Converts(Side),
    /// `read-lock`: the result is the read lock of the receiver.
    ReadLock,
    /// `write-lock`: the result is the write lock of the receiver.
    WriteLock,
    /// `condition`: the result is a condition of the receiver, a lock.
    Condition,
    /// `awaits`: releases the lock of the receiver, a condition, waits, and acquires the lock again.
    Awaits,
    /// `waits X`: releases the monitor of X, waits, and enters it again. `waits entered X`: the method itself enters
    /// the monitor before and leaves it after.
    Waits {
        /// The object with the monitor.
        whom: Subject,
        /// Whether the method itself enters the monitor.
        entered: bool,
    },
    /// `optimistic`: the result is a stamp for optimistic reads from now on.
    Optimistic,
    /// `validates`: the result states whether nobody has held the write side since the stamp.
    Validates,
    /// `permit acquires`, `permit tries`, `permit releases`: an operation on the receiver, a semaphore.
    Permit(Permit),
    /// `counts down`: decrements the count of the receiver, a latch.
    CountsDown,
    /// `awaits latch`: waits until the latch is open. With `maybe`, the method may return before that.
    AwaitsLatch {
        /// Whether a normal return implies that the latch is open.
        certain: bool,
    },
    /// `awaits barrier`: waits until all parties have arrived. With `maybe`, the method may return before that.
    AwaitsBarrier {
        /// Whether a normal return implies that all parties have arrived.
        certain: bool,
    },
    /// `gets`: an atomic read of the single value of the receiver.
    Gets,
    /// `sets N`: an atomic write of argument N.
    Sets(Argument),
    /// `gets-and-sets N`: an atomic read and write in one step.
    GetsAndSets(Argument),
    /// `compares-and-sets E N`: sets N if the current value is E, in one step. A `boolean` result states whether it
    /// did; another result is the previous value. `compares-and-sets E N and F M` compares and sets two values
    /// together.
    ComparesAndSets(Box<[(Argument, Argument)]>),
    /// `updates by F`: reads the value, calls F with it, and sets the result of F if the value is unchanged; otherwise
    /// retries.
    UpdatesBy(Argument),
    /// `names field C N`, `names method C N`, `names elements C`: the result is a handle to the member of class C with
    /// the name N, or to the elements of arrays of class C.
    Names {
        /// The kind of the member.
        what: Named,
        /// The class.
        class: Argument,
        /// The name of the member.
        name: Option<Argument>,
    },
}

/// The methods by which the library traverses an `Iterable`, `Iterator`, `Enumeration`, `Map`, `Entry` or
/// `CharSequence`.
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
