//! What can be said of a violation, with its weight.
//!
//! The weights were chosen by hand, with all judged causes in view (`bench/precision`): of these too few are ones to
//! repair for a regression to say more. `cargo run -p asercheck-bench --bin precision -- --fit` prints what it would
//! say, and how many causes of each kind are to be repaired.

/// Evidence for or against that a violation is one to repair.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Kind {
    /// Each access of the unit is made under a lock, which is let go in between.
    LockReleased,
    /// One thread holds a lock at its accesses, and the other one none.
    LockedElsewhere,
    /// The content of a plain collection or array changes under an access.
    PlainStructure,
    /// A value is read, tested, and read again to be used.
    UsedAfterTest,
    /// What is written depends on what was read.
    StaleUpdate,
    /// What was read decides where control goes to the later access.
    StaleDecision,
    /// The unit looks again under a lock before it writes, and decides by that.
    Retested,
    /// The unit, or all that interferes, is called in the program only, and where a lock is held.
    CallersLock,
    /// Each side locks the object whose parts it accesses, as its code says; of which object is not told apart.
    LocksItsObject,
    /// The unit only reads fields that are written once, where they were found to be null: what it has found stays.
    LazilyInitialized,
    /// Most accesses of a field are made under a lock, and one of these is not.
    GuardedElsewhere,
    /// A reference is tested and read again to be used, and others set it to null.
    SetToNull,
    /// A reference is tested for null and read again, and others replace it by another object, not by null.
    OnlyReplaced,
    /// The unit, or all that interferes, is not public, and methods of the program call it.
    CalledInside,
    /// The program calls what interferes, or the unit, only of objects that are new, or it is the program's beginning.
    SetUp,
    /// One side starts the thread that is the other one.
    StartsOtherSide,
    /// A method of another object of the class works on the parts of this one.
    OtherObject,
    /// A method is open twice at an access: it calls itself, or the same method of what it wraps.
    Recursive,
    /// A call that leads to an access does not stand in the code: the library makes it, as far as is known.
    CalledBack,
    /// The unit waits for a signal between its reads: it looks again, as it has been told to.
    ReadAfterWait,
    /// The unit, or all that interferes, is code that tests the program.
    TestCode,
    /// Several locations that the unit writes are seen or left in different states.
    WritesTogether,
    /// The class is documented as thread-safe: by an annotation or by its name.
    Documented,
    /// The class is one that threads run: a thread, a task, or one that starts threads.
    Concurrent,
    /// A public method of a public class is violated.
    PublicMethod,
    /// No value that the unit reads matters to its later access or result.
    ValueUnused,
    /// All that a method which interferes does to what is concerned is to store what its caller gives.
    PlainSetter,
    /// What interferes writes constants only.
    ConstantWrite,
    /// The accesses are of a flag.
    Flag,
    /// A compare-and-set or another atomic operation makes the later access.
    AtomicOperation,
    /// The violated unit only reads.
    OnlyReads,
    /// The same unit is all that interferes.
    OnlyItself,
    /// The class carries data from one place to another: a message, an event, an exception, a configuration.
    Carrier,
    /// The class builds, iterates, reads or writes a stream: it is used by one thread at a time.
    OneUser,
    /// What is violated is configuration, or the beginning or the end of the object's life.
    Lifecycle,
    /// The class appears thread-safe only since it has a volatile or atomic field.
    WeakClaim,
    /// The violated unit overrides a synchronized method of a library class.
    LibraryOverride,
    /// The object is an argument of the violated unit.
    OwnArgument,
    /// The violated unit is of a class that has nothing to do with the object's: it uses what it was given.
    Outside,
    /// The content of an object is accessed of which little is known: what methods do that were not given is a guess.
    Guessed,
    /// There is a reason why it is possibly benign, which the report names.
    Benign,
    /// Only debugging output, counters or loggers are concerned.
    Statistics,
    /// A constructor is the unit, or what interferes.
    ByConstructor,
    /// The content of an object is accessed, not a field: what a call does to it is known less exactly.
    Content,
    /// The content of what a collection or an array holds is accessed: many objects count as one.
    Deep,
}

impl Kind {
    /// All of them.
    pub const ALL: [Self; 45] = [
        Self::LockReleased,
        Self::LockedElsewhere,
        Self::PlainStructure,
        Self::UsedAfterTest,
        Self::StaleUpdate,
        Self::StaleDecision,
        Self::Retested,
        Self::CallersLock,
        Self::LocksItsObject,
        Self::LazilyInitialized,
        Self::GuardedElsewhere,
        Self::SetToNull,
        Self::OnlyReplaced,
        Self::CalledInside,
        Self::SetUp,
        Self::StartsOtherSide,
        Self::OtherObject,
        Self::Recursive,
        Self::CalledBack,
        Self::ReadAfterWait,
        Self::TestCode,
        Self::WritesTogether,
        Self::Documented,
        Self::Concurrent,
        Self::PublicMethod,
        Self::ValueUnused,
        Self::PlainSetter,
        Self::ConstantWrite,
        Self::Flag,
        Self::AtomicOperation,
        Self::OnlyReads,
        Self::OnlyItself,
        Self::Carrier,
        Self::OneUser,
        Self::Lifecycle,
        Self::WeakClaim,
        Self::LibraryOverride,
        Self::OwnArgument,
        Self::Outside,
        Self::Guessed,
        Self::Benign,
        Self::Statistics,
        Self::ByConstructor,
        Self::Content,
        Self::Deep,
    ];

    /// Its name in reports.
    pub fn name(self) -> &'static str {
        match self {
            Self::LockReleased => "lock-let-go",
            Self::LockedElsewhere => "locked-elsewhere",
            Self::PlainStructure => "plain-structure",
            Self::UsedAfterTest => "used-after-test",
            Self::StaleUpdate => "stale-update",
            Self::StaleDecision => "stale-decision",
            Self::Retested => "retested",
            Self::CallersLock => "callers-lock",
            Self::LocksItsObject => "locks-its-object",
            Self::LazilyInitialized => "made-once",
            Self::GuardedElsewhere => "guarded-elsewhere",
            Self::SetToNull => "set-to-null",
            Self::OnlyReplaced => "only-replaced",
            Self::CalledInside => "called-inside",
            Self::SetUp => "set-up",
            Self::StartsOtherSide => "starts-it",
            Self::OtherObject => "other-object",
            Self::Recursive => "recursive",
            Self::CalledBack => "called-back",
            Self::ReadAfterWait => "read-after-wait",
            Self::TestCode => "test-code",
            Self::WritesTogether => "writes-together",
            Self::Documented => "documented-thread-safe",
            Self::Concurrent => "used-by-threads",
            Self::PublicMethod => "public-method",
            Self::ValueUnused => "value-unused",
            Self::PlainSetter => "plain-setter",
            Self::ConstantWrite => "constant-write",
            Self::Flag => "flag",
            Self::AtomicOperation => "atomic-operation",
            Self::OnlyReads => "only-reads",
            Self::OnlyItself => "only-itself",
            Self::Carrier => "carries-data",
            Self::OneUser => "one-user",
            Self::Lifecycle => "lifecycle",
            Self::WeakClaim => "weak-claim",
            Self::LibraryOverride => "library-override",
            Self::OwnArgument => "own-argument",
            Self::Outside => "outside",
            Self::Guessed => "guessed",
            Self::Benign => "possibly-benign",
            Self::Statistics => "statistics",
            Self::ByConstructor => "by-constructor",
            Self::Content => "content",
            Self::Deep => "deep",
        }
    }

    /// By how much it changes the logarithm of the odds that the violation is one to repair.
    pub fn weight(self) -> f64 {
        match self {
            Self::LockReleased => 0.3,
            Self::LockedElsewhere => 0.5,
            Self::PlainStructure => 0.5,
            Self::UsedAfterTest => 0.9,
            Self::StaleUpdate => 0.3,
            Self::StaleDecision => 0.4,
            Self::Retested => -2.2,
            Self::CallersLock => -1.6,
            Self::LocksItsObject => -1.8,
            Self::LazilyInitialized => -1.8,
            Self::GuardedElsewhere => 0.6,
            Self::SetToNull => 1.0,
            Self::OnlyReplaced => -0.8,
            Self::CalledInside => -1.0,
            Self::SetUp => -1.6,
            Self::StartsOtherSide => -1.2,
            Self::OtherObject => -1.0,
            Self::Recursive => -1.2,
            Self::CalledBack => -1.0,
            Self::ReadAfterWait => -1.4,
            Self::TestCode => -2.0,
            Self::WritesTogether => -0.4,
            Self::Documented => 0.7,
            Self::Concurrent => 0.1,
            Self::PublicMethod => 0.3,
            Self::ValueUnused => -1.6,
            Self::PlainSetter => -1.0,
            Self::ConstantWrite => -0.8,
            Self::Flag => -0.8,
            Self::AtomicOperation => -0.8,
            Self::OnlyReads => 0.2,
            Self::OnlyItself => -0.5,
            Self::Carrier => -0.4,
            Self::OneUser => -1.6,
            Self::Lifecycle => -1.2,
            Self::WeakClaim => -0.1,
            Self::LibraryOverride => -1.2,
            Self::OwnArgument => -0.8,
            Self::Outside => -2.2,
            Self::Guessed => -2.0,
            Self::Benign => -2.0,
            Self::Statistics => -1.2,
            Self::ByConstructor => -2.0,
            Self::Content => -0.8,
            Self::Deep => -0.6,
        }
    }
}
