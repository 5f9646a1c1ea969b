//! The library model: effects and flows of library methods, for programs that are read without the library's code.
//!
//! An object of a library class whose code is not loaded has one abstract field, its *content*: elements, keys, values,
//! referents, and functions that it keeps. The elements of an array are its content as well. (An object of a loaded
//! class that extends a library class has a content in addition to its own fields.) A row states in which order a
//! method reads and writes contents, where objects flow, which functions it calls and when, and its effects on locks
//! and threads.
//!
//! **Invariant.** A row is complete: a call of the method has no other effect that the program can observe.
//!
//! The tables are texts, one for each package ([`Library::builtin`]). [`Library::add`] puts others in front of them:
//!
//! ```text
//! # a comment
//! interface java.util.Collection like java.lang.Iterable
//!     removeIf(Predicate): throws, several, traverses this.remove, calls 1, writes, keeps nothing
//! class java.util.ArrayList like java.util.AbstractList, java.util.List
//!     add(_): updates, keeps 1
//!     get(int): throws, reads, gives
//!     iterator: views
//! thread-safe atomic class java.util.concurrent.ConcurrentLinkedQueue like java.util.AbstractQueue
//! ```
//!
//! **Classes** list their supertypes after `like`, from which they inherit rows. Attributes precede `class` or
//! `interface` ([`Attribute`]); `function(apply)` names the method that runs when an object is used as a function. `[]`
//! is the class of all arrays. Constructors are not inherited.
//!
//! **Methods** are named without types (all methods of this name) or with the types of their parameters: simple names
//! (`Object`, `int`, `byte[]`), full names, or `_` for any type. `<init>` is a constructor, `*` stands for all methods.
//! The first matching row of a class applies. If the class has none, its supertypes are searched in breadth-first
//! order, in the order in which they are listed, `java.lang.Object` last. After that, a row `*` is searched in the same
//! order.
//!
//! **Actions** are listed in the order of their execution. `this` is the receiver, `1` the first argument, and so on.
//! `1[]` is each object in the content of argument 1, `any` each object of the *soup* ([`Row`]), `yielded` the results
//! of the functions that the row calls, `value` a new immutable value. `reads 1, 2` is short for `reads 1, reads 2`. An
//! action without an operand applies to the receiver. A line that ends with a comma continues on the next line.
//!
//! | action | meaning |
//! |---|---|
//! | `nothing` | no access, no flow into the receiver; a reference result is a new immutable value |
//! | `reads X`, `writes X`, `updates X` | reads, writes, reads and writes the content |
//! | `replaces X` | writes the whole content |
//! | `reads all X` | reads the content and the contents of all library objects reachable from there |
//! | `reads position X`, `writes position X`, `moves X` | the same for the position of an iterator or buffer |
//! | `traverses X`, `traverses X.remove` | reads the content; for a loaded class, calls the methods of [`TRAVERSAL`] |
//! | `traverses X at once` | the same, by one call of `toArray` or `forEach`, which holds the guard of X |
//! | `returns X` | the result is X |
//! | `views X`, `views X as C`, `views X locked` | the result is another object with the same content ([`View`]) |
//! | `gives X` | the result is an object in this content, or null |
//! | `yields` | the result is the result of a function that the row calls |
//! | `makes X, Y[]`, `makes C(X, Y[])` | the result is a new object with this content, one per call site ([`Making`]) |
//! | `clones X`, `class of X` | the result is a copy of X, or its class object |
//! | `finds` | the result is any existing object of the declared type |
//! | no result action | the result is any object of the soup |
//! | `keeps N`, `copies N` | N, or each object in N's content, flows into the receiver's content |
//! | `keeps N in M`, `keeps any in yielded` | the same into the content of M, or of the results of functions |
//! | `keeps nothing` | no argument flows into the receiver's content, although the row writes it |
//! | none of these | if the row writes the receiver or is a constructor, all arguments flow into its content |
//! | `holds C` | the content holds a view of the receiver of class C, such as the entries of a map |
//! | `becomes C` | from now on, the rows of C hold for the receiver |
//! | `enumerates N` | the constants of an enum class count as results of functions |
//! | `calls X`, `calls X.m`, `calls X[].m` | calls a function, or a method, any number of times |
//! | `hashes X` | `calls X.hashCode, X.equals, X.compareTo` |
//! | `orders X` | `calls X.compareTo, this[].compareTo, this[].compare` |
//! | `once calls X` | at most once |
//! | `later X` | the result keeps the function, or the receiver does: see [`Action::Later`] |
//! | `runs X` | runs all functions reachable from X's content ([`Run`]) |
//! | `starts X.m`, `starts runs X` | the same on another thread |
//! | `starts one X.m` | the same on a thread that runs the tasks of the receiver one after the other |
//! | `joins X`, `joins X maybe`, `joins started` | waits for a thread, a task, or all started functions |
//! | `blocks` | may wait for another thread |
//! | `acquires`, `tries`, `tries timed`, `releases` | the receiver is a lock |
//! | `acquires read`, `converts write`, `releases any` | one side of a stamped lock; `any` is the held side |
//! | `read-lock`, `write-lock`, `condition` | the result belongs to the receiver, a lock |
//! | `optimistic`, `validates` | optimistic reading |
//! | `awaits`, `waits X` | releases and reacquires the lock of the receiver, a condition; the monitor of X |
//! | `waits entered X` | the same, within the monitor, which the method enters itself |
//! | `permit acquires`, `permit tries`, `permit releases` | a semaphore |
//! | `counts down`, `awaits latch`, `awaits barrier` | latches and barriers; `awaits latch maybe` |
//! | `gets`, `sets N`, `gets-and-sets N`, `compares-and-sets E N` | accesses the single value in one step |
//! | `updates by F` | reads the value, calls F with it, sets the result if the value is unchanged, otherwise retries |
//! | `names field C N`, `names method C N`, `names elements C` | the result is a handle |
//!
//! Ten words describe the row as a whole ([`Traits`]): `throws` (may throw before its first effect; every method may
//! throw after its last one), `never-throws`, `several` (takes several steps although the class is atomic or the view
//! locked), `inside` (called functions run inside of its step; with `inside key N`, inside of the step for one key, and
//! their last N arguments are values of this key), `unguarded` (does not hold the monitor although the class is
//! synchronized), `pure` (has no effect, and equal arguments give equal results), `reflects` (calls or accesses members
//! by name), `stateless` (neither depends on the state of the object nor changes it), `commutes` (such methods change
//! the state in any order with the same effect, or one way), `global` (changes, or gives, state of the process that no
//! object of the program holds: a property, a default, a logger that is found by its name). The effects of objects of
//! program classes are given by their own code, as far as it is loaded.
//!
//! **State.** Each object of a class has state, unless the class is `immutable`, `unchanging` or `stateless`: elements,
//! settings, counters, permits, the life cycle (`isShutdown`). So each method reads or writes the receiver, or is
//! `stateless` or `pure`. A method that depends on a setting reads it; one that changes a setting writes it. Steps that
//! other threads are meant to take between two calls, such as the submission of tasks or the draws of a generator, only
//! read.
//!
//! **Source.** The rows were written from the documentation and source of JDK 17 and 25. Tests require a row for each
//! public method of an installed JDK, and compare rows with observations of the real methods on instrumented arguments.

mod action;
mod attributes;
mod error;
mod own_calls;
mod parse;
mod parse_action;
mod row;
mod syntax;
mod table;

pub use action::{
    Action, Argument, Call, MadeClass, Making, Named, Permit, Run, Side, Source, Subject, TRAVERSAL, Target, Thread,
    View, ViewGuard,
};
pub use attributes::{Attribute, Attributes, Guard};
pub use error::{TableError, TableProblem};
pub use own_calls::{MethodWithOwnCalls, OwnCall, classes_with_own_calls, own_calls};
pub use row::{Outcome, Part, Row, Traits};

use parse::Table;
use rustc_hash::{FxHashMap, FxHashSet};
use std::cell::OnceCell;
use syntax::ARRAY;
use table::{Body, ClassRow, MethodRow, Pattern, simple_parameters};

/// A table of library classes and the effects of their methods.
#[derive(Clone, Debug, Default)]
pub struct Library {
    names: FxHashMap<Box<str>, ClassNumber>,
    classes: Vec<Class>,
}

/// The index of a class in the table.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
struct ClassNumber(usize);

/// A class of the table.
#[derive(Clone, Debug)]
struct Class {
    name: Box<str>,
    row: ClassRow,
    /// The class and its supertypes in the table, breadth first, each once, `java/lang/Object` last.
    supertypes: Vec<ClassNumber>,
    /// Its own and its inherited attributes.
    attributes: Attributes,
}

/// The tables of the Java library, of the runtimes of compilers, and of loggers.
const BUILTIN: [&str; 25] = [
    include_str!("tables/java.io.txt"),
    include_str!("tables/java.lang.invoke.txt"),
    include_str!("tables/java.lang.ref.txt"),
    include_str!("tables/java.lang.txt"),
    include_str!("tables/java.math.txt"),
    include_str!("tables/java.net.txt"),
    include_str!("tables/java.nio.channels.txt"),
    include_str!("tables/java.nio.file.txt"),
    include_str!("tables/java.nio.txt"),
    include_str!("tables/java.sql.txt"),
    include_str!("tables/java.text.txt"),
    include_str!("tables/java.time.txt"),
    include_str!("tables/java.util-collections.txt"),
    include_str!("tables/java.util-maps.txt"),
    include_str!("tables/java.util-wrappers.txt"),
    include_str!("tables/java.util.concurrent-collections.txt"),
    include_str!("tables/java.util.concurrent.atomic.txt"),
    include_str!("tables/java.util.concurrent.locks.txt"),
    include_str!("tables/java.util.concurrent.txt"),
    include_str!("tables/java.util.function.txt"),
    include_str!("tables/java.util.stream.txt"),
    include_str!("tables/java.util.txt"),
    include_str!("tables/languages.txt"),
    include_str!("tables/loggers.txt"),
    include_str!("tables/throwables.txt"),
];

impl Library {
    /// A table without rows.
    pub fn new() -> Self {
        Self::default()
    }

    /// The table of the public packages of Java's own library that programs with threads use.
    pub fn builtin() -> Self {
        let mut library = Self::new();
        for text in BUILTIN {
            if let Err(errors) = library.add(text) {
                unreachable!("the built-in tables have no errors: {errors:?}");
            }
        }
        library
    }

    /// Puts the rows of a text in front of the existing ones, over which they take precedence. An existing class keeps
    /// its other rows, its supertypes and its attributes; `atomic` and `synchronized` are replaced if the text states
    /// one of them.
    ///
    /// # Errors
    /// The first error of every line. Nothing is added then.
    pub fn add(&mut self, text: &str) -> Result<(), Vec<TableError>> {
        let Table { classes } = parse::parse(text)?;
        for (name, row) in classes {
            self.put_in_front(name, row);
        }
        for number in 0..self.classes.len() {
            self.classes[number].supertypes = self.supertypes_of(ClassNumber(number));
            self.classes[number].attributes = self.attributes_of(&self.classes[number]);
        }
        Ok(())
    }

    fn put_in_front(&mut self, name: Box<str>, row: ClassRow) {
        match self.names.get(&name) {
            Some(ClassNumber(number)) => {
                let before = std::mem::take(&mut self.classes[*number].row);
                self.classes[*number].row = row.before(before);
            }
            None => {
                self.names.insert(name.clone(), ClassNumber(self.classes.len()));
                self.classes.push(Class { name, row, supertypes: Vec::new(), attributes: Attributes::default() });
            }
        }
    }

    /// The row of a method of a class (`java/util/Map$Entry`, `[I`), by name and descriptor. A row of the class itself
    /// takes precedence over inherited ones, and both over a row `*`.
    pub fn find(&self, class: &str, name: &str, descriptor: &str) -> Option<Row<'_>> {
        let own = self.class(class)?;
        // Neither constructors nor static initializers are inherited.
        let searched = if name.starts_with('<') { &own.supertypes[..1] } else { &own.supertypes[..] };
        let rows = || searched.iter().map(|number| &self.classes[number.0].row);
        let parameters = OnceCell::new();
        let parameters = || parameters.get_or_init(|| simple_parameters(descriptor)).as_deref();
        let found = rows().find_map(|row| row.methods.iter().find(|method| method.pattern.fits(name, parameters)));
        let body = &found.or_else(|| rows().find_map(ClassRow::any))?.body;
        Some(Row { actions: &body.actions, traits: body.traits, attributes: self.attributes(class) })
    }

    /// The rows of all methods with a name, from the first class that has any, among the class and its supertypes.
    pub fn find_all(&self, class: &str, name: &str) -> impl Iterator<Item = Row<'_>> {
        let attributes = self.attributes(class);
        let named = move |row: &&ClassRow| row.methods.iter().any(|method| *method.pattern.name == *name);
        let first = self.with_supertypes(class).map(|class| &class.row).find(named);
        let bodies: Vec<&Body> = first
            .into_iter()
            .flat_map(|row| &row.methods)
            .filter(|method| *method.pattern.name == *name)
            .map(|method| &method.body)
            .collect();
        bodies.into_iter().map(move |body| Row { actions: &body.actions, traits: body.traits, attributes })
    }

    /// The classes whose rows may apply to an object of a class instead of its own, because of actions `becomes`.
    /// Sorted.
    pub fn may_become(&self, class: &str) -> Vec<&str> {
        let methods = self.with_supertypes(class).flat_map(|class| &class.row.methods);
        let becomes = methods.flat_map(|method| &method.body.actions).filter_map(|action| match action {
            Action::Becomes(class) => Some(&**class),
            _ => None,
        });
        let mut found: Vec<&str> = becomes.collect();
        found.sort_unstable();
        found.dedup();
        found
    }

    /// Whether the table contains this class, `java/util/Map$Entry`.
    pub fn has_class(&self, class: &str) -> bool {
        self.class(class).is_some()
    }

    /// The names of all classes.
    pub fn classes(&self) -> impl Iterator<Item = &str> {
        self.classes.iter().map(|class| &*class.name)
    }

    /// The rows that a class itself declares, with the names of their methods.
    pub fn rows(&self, class: &str) -> impl Iterator<Item = (&str, Row<'_>)> {
        let attributes = self.attributes(class);
        let rows = self.class(class).into_iter().flat_map(|class| &class.row.methods);
        rows.map(move |MethodRow { pattern, body }| {
            (&*pattern.name, Row { actions: &body.actions, traits: body.traits, attributes })
        })
    }

    /// The declared and inherited rows of a class, without overridden ones. `overrides` states whether an extending
    /// class overrides the methods of a row. Its arguments are their name and a predicate for the descriptors to which
    /// the row applies.
    pub fn rows_of_class(
        &self,
        class: &str,
        overrides: impl Fn(&str, &dyn Fn(&str) -> bool) -> bool,
    ) -> Vec<(&str, Row<'_>)> {
        let attributes = self.attributes(class);
        let mut before: Vec<&Pattern> = Vec::new();
        let mut found = Vec::new();
        for MethodRow { pattern, body } in self.with_supertypes(class).flat_map(|class| &class.row.methods) {
            let is_covered = before.iter().any(|special| special.covers(pattern));
            before.push(pattern);
            let is_meant = |descriptor: &str| {
                let parameters = simple_parameters(descriptor);
                pattern.fits(&pattern.name, || parameters.as_deref())
            };
            if !is_covered && !overrides(&pattern.name, &is_meant) {
                let row = Row { actions: &body.actions, traits: body.traits, attributes };
                found.push((&*pattern.name, row));
            }
        }
        found
    }

    /// Whether the table declares a class as an interface.
    pub fn is_interface(&self, class: &str) -> bool {
        self.class(class).is_some_and(|class| class.row.is_interface)
    }

    /// The direct supertypes of a class in the table.
    pub fn like(&self, class: &str) -> impl Iterator<Item = &str> {
        self.class(class).into_iter().flat_map(|class| &class.row.like).map(|name| &**name)
    }

    /// A class and its supertypes in the table, breadth first, each once, `java/lang/Object` last.
    pub fn supertypes(&self, class: &str) -> impl Iterator<Item = &str> {
        self.with_supertypes(class).map(|class| &*class.name)
    }

    /// Whether a class is equal to or a subtype of another one according to the table.
    pub fn is_subtype(&self, class: &str, of: &str) -> bool {
        class == of || self.with_supertypes(class).any(|class| class.row.like.iter().any(|like| &**like == of))
    }

    /// The own and the inherited attributes of a class.
    pub fn attributes(&self, class: &str) -> Attributes {
        self.class(class).map(|class| class.attributes).unwrap_or_default()
    }

    fn attributes_of(&self, class: &Class) -> Attributes {
        let inherited = class.supertypes.iter().map(|number| self.classes[number.0].row.attributes.inherited());
        inherited.fold(class.row.attributes, Attributes::union)
    }

    /// The method that runs when an object of a class is used as a function or task: `apply`, `run`.
    pub fn function(&self, class: &str) -> Option<&str> {
        self.with_supertypes(class).find_map(|class| class.row.function.as_deref())
    }

    /// The number of rows.
    pub fn len(&self) -> usize {
        self.classes.iter().map(|class| class.row.methods.len()).sum()
    }

    /// Whether there is no row.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    fn class(&self, class: &str) -> Option<&Class> {
        self.names.get(class_in_table(class)).map(|number| &self.classes[number.0])
    }

    /// A class and its supertypes; empty if the table does not contain it.
    fn with_supertypes(&self, class: &str) -> impl Iterator<Item = &Class> {
        let own = self.class(class).into_iter();
        own.flat_map(|class| &class.supertypes).map(|number| &self.classes[number.0])
    }

    fn supertypes_of(&self, class: ClassNumber) -> Vec<ClassNumber> {
        let root = self.names.get(ROOT).copied();
        let mut found = vec![class];
        let mut known: FxHashSet<ClassNumber> = [class].into_iter().chain(root).collect();
        let mut has_root = false;
        let mut done = 0;
        while let Some(ClassNumber(number)) = found.get(done).copied() {
            let like = self.classes[number].row.like.iter().filter_map(|name| self.names.get(name).copied());
            for supertype in like {
                has_root |= Some(supertype) == root;
                if known.insert(supertype) {
                    found.push(supertype);
                }
            }
            done += 1;
        }
        let unknown = self.names.get(UNKNOWN).filter(|_| self.classes[class.0].row.is_interface);
        found.extend(unknown.copied().into_iter().chain(root).filter(|last| has_root && *last != class));
        found
    }
}

/// The superclass of all classes.
const ROOT: &str = "java/lang/Object";

/// The table class for objects of an unknown library class: its rows state the possible effects of the methods of
/// `java/lang/Object`. Interfaces inherit its rows. A caller that knows no class at all uses this name.
pub const UNKNOWN: &str = "java/lang/Object$Unknown";

/// The name of a class in the table.
fn class_in_table(class: &str) -> &str {
    if class.starts_with('[') { ARRAY } else { class }
}

#[cfg(test)]
mod tests;
