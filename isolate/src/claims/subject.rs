//! The subjects: classes that appear thread-safe.

use super::facts::Facts;
use java::{ClassId, FieldId, MethodId, Program, Role, Type};

const CONCURRENT: &str = "java/util/concurrent/";

/// The prefix of the classes of `Collections.synchronizedMap` and the like.
const SYNCHRONIZED: &str = "java/util/Collections$Synchronized";

/// Superclasses that lock, or have volatile fields, for their own purposes: their subclasses do not appear thread-safe
/// for that.
const SELF_LOCKING: [&str; 9] = [
    "java/lang/Object",
    "java/lang/Thread",
    "java/lang/Throwable",
    "java/io/InputStream",
    "java/io/FilterInputStream",
    "java/io/OutputStream",
    "java/io/FilterOutputStream",
    "java/io/Reader",
    "java/io/Writer",
];

/// The package of locks.
const LOCKS: &str = "java/util/concurrent/locks/";

/// A class that is analysed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Subject {
    /// The class; an object of exactly this class is followed.
    pub class: ClassId,
    /// The reason why it appears thread-safe.
    pub claim: Claim,
}

/// A reason why a class appears thread-safe, or is analysed anyway.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Claim {
    /// It has a synchronized method.
    SynchronizedMethod,
    /// A method enters a monitor.
    SynchronizedBlock,
    /// It has a volatile field.
    VolatileField,
    /// It has a field of a type of `java.util.concurrent` for several threads, an array of such a type, or a field
    /// whose objects are all of such a class.
    ConcurrentField,
    /// It has a field that holds only results of `Collections.synchronizedMap` or the like.
    SynchronizedCollection,
    /// It has an annotation named `ThreadSafe`, `GuardedBy` or `AtomicSet`.
    Annotation,
    /// The user names it.
    Named,
    /// The program gives clients objects of it as objects of a superclass or interface that is analysed.
    Inherited,
    /// The program allocates objects of it.
    Made,
    /// Its static fields are followed instead of an object.
    Statics,
}

/// A reason why a class is not analysed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum NoSubject {
    /// It belongs to a library.
    Library,
    /// There are no objects of exactly this class: it is an interface, or abstract.
    NoObjects,
    /// Its objects have no changing state.
    Immutable,
    /// It does not appear thread-safe.
    NoClaim,
}

impl NoSubject {
    /// Returns the reason as an adjective or noun after a number of classes.
    pub fn name(self) -> &'static str {
        match self {
            Self::Library => "library",
            Self::NoObjects => "abstract",
            Self::Immutable => "immutable",
            Self::NoClaim => "claims no safety",
        }
    }
}

impl Subject {
    /// Returns the class as a subject if it appears thread-safe and has changing state. Interfaces, abstract classes
    /// and classes of libraries are no subjects.
    ///
    /// # Errors
    /// The reason why it is no subject.
    pub fn or_reason(program: &Program, facts: &Facts, class: ClassId) -> Result<Self, NoSubject> {
        let declared = program.class(class);
        let flags = declared.flags;
        if declared.is_library {
            return Err(NoSubject::Library);
        }
        if flags.is_interface() || flags.is_abstract() {
            return Err(NoSubject::NoObjects);
        }
        if !has_state(program, facts, class) {
            return Err(NoSubject::Immutable);
        }
        claim(program, facts, class).map(|claim| Self { class, claim }).ok_or(NoSubject::NoClaim)
    }

    /// Returns the static fields of a class as a subject of a program with its own threads, if some can change.
    pub(crate) fn of_statics(program: &Program, facts: &Facts, class: ClassId) -> Option<Self> {
        let declared = program.class(class);
        let can_change = |field: FieldId| {
            let field_of = program.field(field);
            let of = program.field_type(field_of.descriptor);
            let holds =
                of.is_some_and(|of| !matches!(of, Type::Class(name) if program.text(name).starts_with("java/lang/")));
            let is_held = of.is_some_and(Type::is_reference) && holds;
            field_of.flags.is_static() && !field_of.flags.is_synthetic() && (facts.changes(field, program) || is_held)
        };
        let can_be = declared.role != Role::Library && declared.fields().any(can_change);
        can_be.then_some(Self { class, claim: Claim::Statics })
    }

    /// Returns the static fields of a class as a subject that is used by any threads, if some can change and they
    /// appear thread-safe. They appear thread-safe if one of these holds:
    ///
    /// - a method is synchronized or enters a monitor, and is static or writes one of them;
    /// - a static field is volatile, of a type of `java.util.concurrent`, or a synchronized collection;
    /// - a static field changes, or holds an object of the program, an array or a collection, and a method of another
    ///   class of the nest uses it and locks a class or the object in a static field (a holder class);
    /// - the user names the class.
    ///
    /// If the class is, or declares, a class with a single object without fields (a singleton or companion object of
    /// Kotlin), then the methods of that class count as static methods.
    pub fn of_shared_statics(program: &Program, facts: &Facts, class: ClassId, is_named: bool) -> Option<Self> {
        let subject = Self::of_statics(program, facts, class)?;
        let declared = program.class(class);
        let of_field = |field: FieldId| {
            let held = facts.exact_class(field, program);
            let field = program.field(field);
            let is_safe = |class: &str| is_for_threads(class) || class.starts_with(SYNCHRONIZED);
            // A handle does not hold the value.
            let is_concurrent = class_of(program.text(field.descriptor))
                .is_some_and(|class| is_for_threads(class) && !class.ends_with("FieldUpdater"))
                || held.is_some_and(is_safe);
            field.flags.is_static() && (field.flags.is_volatile() || is_concurrent)
        };
        let holds_more = |field: FieldId| match program.field_type(program.field(field).descriptor) {
            Some(Type::Class(name)) => program.named(name).is_some() || program.text(name).starts_with("java/util/"),
            Some(of) => of.is_reference(),
            None => false,
        };
        let is_locked =
            |field: FieldId| facts.is_locked_from_nest(field) && (facts.changes(field, program) || holds_more(field));
        let locks = |method: MethodId| program.method(method).flags.is_synchronized() || facts.enters_monitor(method);
        let of_method = |method: MethodId| {
            let flags = program.method(method).flags;
            (flags.is_static() || facts.writes_statics(method)) && locks(method)
        };
        let of_single = |single: ClassId| {
            let is_declared = single == class || program.class(single).outer == Some(declared.name);
            let is_in_it = |field: FieldId| program.field(field).class == class;
            is_declared
                && facts.singleton_field(program, single).is_some_and(is_in_it)
                && instance_fields(program, single).next().is_none()
                && program.class(single).methods().any(locks)
        };
        let claims = is_named
            || declared.fields().any(|field| of_field(field) || is_locked(field))
            || declared.methods().any(of_method)
            || facts.nest(program, class).iter().any(|single| of_single(*single));
        claims.then_some(subject)
    }

    /// Returns the class as a subject of a program with its own threads, if the program allocates objects of it that
    /// can change.
    pub(crate) fn of_program(program: &Program, facts: &Facts, class: ClassId) -> Option<Self> {
        let declared = program.class(class);
        let can_be = !declared.flags.is_interface() && !declared.flags.is_abstract() && !declared.is_library;
        let is_made = facts.allocators(program, class).next().is_some();
        (can_be && is_made && has_state(program, facts, class)).then_some(Self { class, claim: Claim::Made })
    }

    /// Returns the classes that appear thread-safe, as objects or by their static fields. Any code that can name them
    /// may use them in several threads. The pointer analysis has to know this (`java::points_to::Clients::offered`);
    /// otherwise methods that only such clients call would be unreachable.
    pub fn claiming(program: &Program, facts: &Facts) -> Vec<ClassId> {
        let claims = |class: &ClassId| {
            let by_statics = || Self::of_shared_statics(program, facts, *class, false);
            claim(program, facts, *class).is_some() || by_statics().is_some()
        };
        program.classes().map(|(class, _)| class).filter(claims).collect()
    }

    /// Returns the class as a subject like [`or_reason`](Self::or_reason), without the reason against it.
    pub fn of(program: &Program, facts: &Facts, class: ClassId) -> Option<Self> {
        Self::or_reason(program, facts, class).ok()
    }
}

impl Claim {
    /// Returns the reason as a noun phrase.
    pub fn name(self) -> &'static str {
        match self {
            Self::SynchronizedMethod => "synchronized method",
            Self::SynchronizedBlock => "synchronized block",
            Self::VolatileField => "volatile field",
            Self::ConcurrentField => "field of java.util.concurrent",
            Self::SynchronizedCollection => "synchronized collection",
            Self::Annotation => "annotation",
            Self::Named => "named",
            Self::Inherited => "made for a supertype",
            Self::Made => "made by the program",
            Self::Statics => "static fields",
        }
    }
}

/// Returns the instance fields of a class, inherited ones included.
pub fn instance_fields(program: &Program, class: ClassId) -> impl Iterator<Item = FieldId> {
    let fields = program.superclasses(class).flat_map(|class| program.class(class).fields());
    fields.filter(|field| !program.field(*field).flags.is_static())
}

/// Whether an object of the class can change: a field, an object in a field, or the content that it inherits from a
/// collection of the library.
fn has_state(program: &Program, facts: &Facts, class: ClassId) -> bool {
    let is_container = || {
        let topmost = program.superclasses(class).last().and_then(|class| program.class(class).superclass);
        topmost.is_some_and(|name| program.text(name).starts_with("java/util/"))
    };
    let changes = |field: FieldId| {
        let holds = program.field_type(program.field(field).descriptor);
        facts.changes(field, program) || holds.is_some_and(Type::is_reference)
    };
    instance_fields(program, class).any(changes) || is_container()
}

/// Returns the reason why a class appears thread-safe, if there is one.
pub(super) fn claim(program: &Program, facts: &Facts, class: ClassId) -> Option<Claim> {
    let counts = |other: &ClassId| *other == class || !SELF_LOCKING.contains(&program.text(program.class(*other).name));
    let classes: Vec<ClassId> = program.superclasses(class).filter(counts).collect();
    let annotations = classes.iter().flat_map(|class| {
        let class = program.class(*class);
        let of_fields = class.fields().flat_map(|field| &program.field(field).annotations);
        class.annotations.iter().chain(of_fields)
    });
    let is_claim = |name: &str| {
        let simple = name.rsplit(['/', '$']).next().unwrap_or(name);
        ["ThreadSafe", "GuardedBy", "AtomicSet"].contains(&simple)
    };
    if annotations.into_iter().any(|annotation| is_claim(program.text(annotation.class))) {
        return Some(Claim::Annotation);
    }
    // Including the methods of interfaces, and those of Scala's traits, which are in separate classes up to version
    // 2.11.
    let all = program.supertypes(class);
    let of_traits = all.iter().filter(|class| program.class(**class).flags.is_interface()).filter_map(|class| {
        let name = format!("{}$class", program.text(program.class(*class).name));
        program.name(&name).and_then(|name| program.named(name))
    });
    let all: Vec<ClassId> = all.iter().copied().filter(counts).chain(of_traits).collect();
    let methods = || all.iter().flat_map(|class| program.class(*class).methods());
    if methods().any(|method| program.method(method).flags.is_synchronized()) {
        return Some(Claim::SynchronizedMethod);
    }
    let fields: Vec<_> = instance_fields(program, class).filter(|field| counts(&program.field(*field).class)).collect();
    if fields.iter().any(|field| program.field(*field).flags.is_volatile()) {
        return Some(Claim::VolatileField);
    }
    let held = |field: &FieldId| facts.exact_class(*field, program);
    let is_concurrent = |field: &FieldId| {
        let class = class_of(program.text(program.field(*field).descriptor).trim_start_matches('['));
        let is_given_lock = |class: &str| {
            program.name(class).and_then(|name| program.named(name)).is_some_and(|class| is_lock(program, class))
        };
        class.is_some_and(|class| is_for_threads(class) || is_given_lock(class))
            || held(field).is_some_and(is_for_threads)
            || facts.has_handle(*field)
    };
    if fields.iter().any(is_concurrent) {
        return Some(Claim::ConcurrentField);
    }
    if fields.iter().any(|field| held(field).is_some_and(|class| class.starts_with(SYNCHRONIZED))) {
        return Some(Claim::SynchronizedCollection);
    }
    methods().any(|method| facts.enters_monitor(method)).then_some(Claim::SynchronizedBlock)
}

/// Returns the class that a descriptor names; `None` for arrays and numbers.
fn class_of(descriptor: &str) -> Option<&str> {
    descriptor.strip_prefix('L')?.strip_suffix(';')
}

/// Whether a class of `java.util.concurrent` is meant for several threads: atomics, locks, concurrent collections and
/// synchronizers; not tasks, executors and units of time.
fn is_for_threads(class: &str) -> bool {
    const SYNCHRONIZERS: [&str; 5] = ["Semaphore", "CountDownLatch", "CyclicBarrier", "Phaser", "Exchanger"];
    class.strip_prefix(CONCURRENT).is_some_and(|name| {
        ["atomic/", "locks/", "Concurrent", "CopyOnWrite"].iter().any(|start| name.starts_with(start))
            || ["Queue", "Deque"].iter().any(|end| name.ends_with(end))
            || SYNCHRONIZERS.contains(&name)
    })
}

/// Whether objects of a class are locks of `java.util.concurrent`.
pub(super) fn is_lock(program: &Program, class: ClassId) -> bool {
    let mut parents = program.superclasses(class).filter_map(|class| program.class(class).superclass);
    parents.any(|parent| program.text(parent).starts_with(LOCKS))
}
