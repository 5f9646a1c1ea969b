//! The kinds of evidence, with their weights.
//!
//! The weights were chosen by hand, with all judged causes in view (`bench/precision`): too few of these are to be
//! repaired for a reliable regression. `cargo run -p asercheck-bench --bin precision -- --fit` prints the weights of a
//! regression, and the number of causes of each kind that are to be repaired.

/// A kind of evidence that a violation should be repaired, or need not be.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Kind {
    /// The unit holds a lock at each access, and releases it in between.
    LockReleased,
    /// Some accesses are made under a lock, others without.
    LockedElsewhere,
    /// The content of an array, or of a collection that is not thread-safe, is written.
    PlainStructure,
    /// A value is read, tested, and read again to be used.
    UsedAfterTest,
    /// The written value depends on the value that was read before.
    StaleUpdate,
    /// The value that was read decides a branch before the later access.
    StaleDecision,
    /// The unit reads again under a lock before it writes, and branches on that value.
    Retested,
    /// The unit, or all interfering calls, are called by the program only, and always under a lock.
    CallersLock,
    /// The code of each side locks the object whose parts it accesses; the analysis does not distinguish these objects.
    LocksItsObject,
    /// The unit only reads lazily initialized fields: once they are set, their values stay.
    LazilyInitialized,
    /// Most accesses of the field in the program are made under a lock, and one of the witness is not.
    GuardedElsewhere,
    /// A reference is tested and read again to be used, and the interfering write stores null.
    SetToNull,
    /// A reference is tested for null and read again, and the interfering write stores another object, not null.
    OnlyReplaced,
    /// The unit, or all interfering calls, are not public, and the program calls them.
    CalledInside,
    /// The program calls the unit, or all interfering calls, only on new objects; or they are its `main`.
    SetUp,
    /// One side starts the thread of the other side.
    StartsOtherSide,
    /// A method of another object of the class accesses the parts of this one.
    OtherObject,
    /// A method is twice on the call stack of an access: it calls itself, or the same method of a wrapped object.
    Recursive,
    /// A call that leads to an access is not in the code of its caller: presumably the library makes it.
    CalledBack,
    /// The unit waits for a signal between its reads, and so expects a new value.
    ReadAfterWait,
    /// The unit, or all interfering calls, are test code.
    TestCode,
    /// Several locations that both sides write can remain in a mixture of both.
    WritesTogether,
    /// The class is documented as thread-safe: by an annotation or by its name.
    Documented,
    /// The class is a thread or a task.
    Concurrent,
    /// A public method of a public class is violated.
    PublicMethod,
    /// No value that the unit reads affects its later access or result.
    ValueUnused,
    /// The interfering method is a setter.
    PlainSetter,
    /// The interfering method writes constants only.
    ConstantWrite,
    /// All locations are Boolean flags.
    Flag,
    /// The later access is a compare-and-set or another atomic operation.
    AtomicOperation,
    /// The violated unit only reads.
    OnlyReads,
    /// The unit itself is the only interfering call.
    OnlyItself,
    /// The class carries data from one place to another: a message, an event, an exception, a configuration.
    Carrier,
    /// The class builds, iterates, reads or writes a stream: it is used by one thread at a time.
    OneUser,
    /// The violated unit configures the object, or begins or ends its life.
    Lifecycle,
    /// The class appears thread-safe only because of a volatile or atomic field.
    WeakClaim,
    /// The violated unit overrides a synchronized method of a library class.
    LibraryOverride,
    /// The object is an argument of the violated unit.
    OwnArgument,
    /// The violated unit belongs to an unrelated class that uses the object.
    Outside,
    /// The content of an object of an unknown class is accessed: the effects of its methods are guessed.
    Guessed,
    /// There is a reason why it is possibly benign, which the report names.
    Benign,
    /// All locations are for debugging, logging or statistics, by their names.
    Statistics,
    /// The unit or the interfering call is a constructor.
    ByConstructor,
    /// The content of an object is accessed, not a field: the effect of a call on it is known less precisely.
    Content,
    /// The content of an element of a collection or array is accessed: many objects count as one.
    Deep,
    /// The unit can throw an exception, which the code shows.
    Throws,
    /// A change or an element is lost.
    Loses,
    /// The fields are plain, and the program accesses none of them under a lock.
    NeverGuarded,
    /// The unit makes the value of a field at its first use, and nothing else is concerned.
    Lazy,
    /// All locations are static fields, or the content of what these hold: every thread reaches them.
    StaticField,
}

impl Kind {
    /// All kinds.
    pub const ALL: [Self; 50] = [
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
        Self::Throws,
        Self::Loses,
        Self::NeverGuarded,
        Self::Lazy,
        Self::StaticField,
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
            Self::Throws => "throws",
            Self::Loses => "loses",
            Self::NeverGuarded => "never-guarded",
            Self::Lazy => "lazy",
            Self::StaticField => "static-field",
        }
    }

    /// Whether it makes a violation doubtful: it may not happen, the object may belong to one thread, or nobody may
    /// care. No doubtful violation is likely.
    pub fn is_doubt(self) -> bool {
        match self {
            Self::Retested
            | Self::CallersLock
            | Self::LocksItsObject
            | Self::LazilyInitialized
            | Self::OnlyReplaced => true,
            Self::CalledInside | Self::SetUp | Self::StartsOtherSide | Self::OtherObject | Self::Recursive => true,
            Self::CalledBack | Self::ReadAfterWait | Self::TestCode | Self::ValueUnused | Self::PlainSetter => true,
            Self::AtomicOperation | Self::OneUser | Self::LibraryOverride | Self::OwnArgument => true,
            Self::Outside | Self::Guessed | Self::Deep | Self::ByConstructor | Self::Statistics | Self::Benign => true,
            Self::NeverGuarded | Self::Lazy => true,
            Self::LockReleased | Self::LockedElsewhere | Self::GuardedElsewhere | Self::PlainStructure => false,
            Self::UsedAfterTest | Self::SetToNull | Self::StaleUpdate | Self::StaleDecision | Self::Documented => false,
            Self::Concurrent | Self::PublicMethod | Self::OnlyReads | Self::WritesTogether | Self::ConstantWrite => {
                false
            }
            Self::Flag | Self::OnlyItself | Self::Lifecycle | Self::WeakClaim | Self::Content => false,
            Self::Throws | Self::Loses | Self::StaticField | Self::Carrier => false,
        }
    }

    /// Whether it shows that the program wants to protect the fields.
    pub fn shows_protection(self) -> bool {
        matches!(self, Self::LockReleased | Self::LockedElsewhere | Self::GuardedElsewhere)
    }

    /// Its addend to the logarithm of the odds that the violation should be repaired.
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
            Self::Throws => 0.8,
            Self::Loses => 0.2,
            Self::NeverGuarded => -1.2,
            Self::Lazy => -0.4,
            Self::StaticField => 0.3,
        }
    }
}
