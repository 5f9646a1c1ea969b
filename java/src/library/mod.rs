//! What library methods do, as flows, for programs that are read without the library's code.
//!
//! An object of a library class that is not given has one field, its *content*: elements, keys, values, referents,
//! functions that it keeps. The elements of an array are its content, too. (An object of a given class that extends a
//! library class has a content beside its own fields.) A row says in which order a method reads and writes contents,
//! where objects go, which functions it calls and when, and what it does to locks and threads. So a call of a method
//! that was not given has an effect that is known: nothing else happens to what the program can see.
//!
//! The tables are texts, one for each package ([`Library::builtin`]); others are put in front of them with
//! [`Library::add`]:
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
//! **Classes** name their supertypes after `like`. A class without a row for a method has the rows of these. Before
//! `class` or `interface` stand attributes ([`Attribute`]); `function(apply)` names the method that is run of an
//! object that is used as a function. `[]` is the class of all arrays. Constructors are not inherited.
//!
//! **Methods** are named without types (all of this name), or with the types of their parameters: simple names
//! (`Object`, `int`, `byte[]`), full names, or `_` for any. `<init>` is a constructor, `*` stands for all methods. Of
//! the rows of a class, the first one that fits is taken. A method that has no row in its class is looked for in those
//! that it is like, in the order in which they are written, the nearest first, `java.lang.Object` last; after that, a
//! row `*` is looked for in the same order.
//!
//! **Actions** stand in the order in which they happen. `this` is the receiver, `1` the first argument, and so on.
//! `1[]` is each object in its content, `any` each of the *soup* ([`Row`]), `yielded` what functions returned that the
//! row calls, `value` a new immutable value. `reads 1, 2` is `reads 1, reads 2`. No word after an action means the
//! receiver. A line that ends with a comma is continued by the next one.
//!
//! | action | meaning |
//! |---|---|
//! | `nothing` | no access, nothing flows into the receiver, a reference result is a new immutable value |
//! | `reads X`, `writes X`, `updates X` | reads, writes, reads and writes the content |
//! | `replaces X` | writes the whole content |
//! | `reads all X` | reads the content and those of all library objects that are found from there |
//! | `reads position X`, `writes position X`, `moves X` | the same of an iterator's or buffer's own state |
//! | `traverses X`, `traverses X.remove` | reads the content; of a given class, calls what shows it: [`TRAVERSAL`] |
//! | `returns X` | the result is X |
//! | `views X`, `views X as C`, `views X locked` | the result is another object with the same content ([`View`]) |
//! | `gives X` | the result is in this content, or null |
//! | `yields` | the result is what a function returned that the row calls |
//! | `makes X, Y[]`, `makes C(X, Y[])` | the result is a new object with this content, one a call site ([`Making`]) |
//! | `clones X`, `class of X` | the result is a copy of X, or its class object |
//! | `finds` | the result is any object of the declared type that there is |
//! | no result action | the result is anything of the soup |
//! | `keeps N`, `copies N` | N, or what N's content holds, flows into the receiver's content |
//! | `keeps N in M`, `keeps any in yielded` | the same into the content of M, or of what functions returned |
//! | `keeps nothing` | no argument flows into the receiver's content, although the row writes it |
//! | no such action | if the row writes the receiver or is a constructor, all arguments flow into its content |
//! | `holds C` | the content holds a view of the receiver, of class C: a map its entries |
//! | `becomes C` | from now on, the rows of C hold for the receiver |
//! | `enumerates N` | the constants of an enum class count as what a function returned |
//! | `calls X`, `calls X.m`, `calls X[].m` | calls a function, or a method, any number of times |
//! | `hashes X` | `calls X.hashCode, X.equals, X.compareTo` |
//! | `orders X` | `calls X.compareTo, this[].compareTo, this[].compare` |
//! | `once calls X` | at most once |
//! | `later X` | the result keeps the function; if there is none, or it is the receiver, the receiver keeps it |
//! | `runs X` | runs all functions that are found from X's content ([`Run`]) |
//! | `starts X.m`, `starts runs X` | the same on another thread |
//! | `starts one X.m` | on a thread that runs the receiver's tasks one after the other |
//! | `joins X`, `joins X maybe`, `joins started` | waits for a thread or task, or all that the row has started |
//! | `blocks` | may wait for another thread |
//! | `acquires`, `tries`, `tries timed`, `releases` | the receiver is a lock |
//! | `acquires read`, `converts write`, `releases any` | one side of the receiver, a stamped lock; whichever is held |
//! | `read-lock`, `write-lock`, `condition` | the result belongs to the receiver, a lock |
//! | `optimistic`, `validates` | optimistic reading |
//! | `awaits`, `waits X` | gives up the lock of the receiver, a condition; the monitor of X |
//! | `waits entered X` | the same, within the monitor, which it enters itself |
//! | `permit acquires`, `permit tries`, `permit releases` | a semaphore |
//! | `counts down`, `awaits latch`, `awaits barrier` | latches and barriers; `awaits latch maybe` |
//! | `gets`, `sets N`, `gets-and-sets N`, `compares-and-sets E N` | access the one value of the receiver, in one step |
//! | `updates by F` | reads it, calls F with it, sets the result if nothing has changed, else begins again |
//! | `names field C N`, `names method C N`, `names elements C` | the result is a handle |
//!
//! Seven words say how ([`Traits`]): `throws` (it may throw before it has done anything; every method may throw after
//! all), `never-throws`, `several` (several steps, although the class is atomic or the view locked), `inside` (what it
//! calls runs inside of its step; `inside key N`: of the step for one key, and the last N arguments of what it calls
//! stand under that key), `unguarded` (without the monitor, although the class is synchronized), `pure`
//! (touches nothing, and equal arguments give equal results), `reflects` (calls or accesses what a name says). What
//! objects of classes of the program do is for their own code to say, as far as it is given.
//!
//! The rows were written from the documentation and source of JDK 17 and 25. Tests ask for a row for each public
//! method of an installed JDK, and compare rows with what the real methods are seen to do with instrumented arguments.

mod action;
mod attributes;
mod error;
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
pub use row::{Outcome, Part, Row, Traits};

use parse::Table;
use rustc_hash::{FxHashMap, FxHashSet};
use std::cell::OnceCell;
use syntax::ARRAY;
use table::{Body, ClassRow, MethodRow, Pattern, simple_parameters};

/// A table of what methods do.
#[derive(Clone, Debug, Default)]
pub struct Library {
    names: FxHashMap<Box<str>, ClassNumber>,
    classes: Vec<Class>,
}

/// The number of a class in the table.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
struct ClassNumber(usize);

/// A class of the table.
#[derive(Clone, Debug)]
struct Class {
    name: Box<str>,
    row: ClassRow,
    /// It and its supertypes, breadth first, each once, that of all objects last, as far as the table has them.
    supertypes: Vec<ClassNumber>,
    /// Its own attributes, and those that it has from its supertypes.
    attributes: Attributes,
}

/// The tables of what comes with Java, and of what compilers and loggers need.
const BUILTIN: [&str; 24] = [
    include_str!("tables/java.io.txt"),
    include_str!("tables/java.lang.invoke.txt"),
    include_str!("tables/java.lang.ref.txt"),
    include_str!("tables/java.lang.txt"),
    include_str!("tables/java.math.txt"),
    include_str!("tables/java.net.txt"),
    include_str!("tables/java.nio.channels.txt"),
    include_str!("tables/java.nio.file.txt"),
    include_str!("tables/java.nio.txt"),
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
                unreachable!("the tables that are built in are right: {errors:?}");
            }
        }
        library
    }

    /// Puts a text's rows in front of those that are there: they hold first, and a class that is there keeps its other
    /// rows and supertypes and its attributes; it stays atomic or synchronized if the text does not say which it is.
    ///
    /// # Errors
    /// The first mistake of every line; then nothing is added.
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

    /// What a method does: of the class in which it is looked for (`java/util/Map$Entry`, `[I`), by its name and
    /// descriptor. A row of the class itself holds before one of those that it is like, and both before a row `*`.
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

    /// The rows of all methods of a name: those of the first class that has any, of the class and those that it is
    /// like.
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

    /// The classes whose rows may hold for an object of a class instead of its own, as its own rows say.
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

    /// Whether the table has this class, `java/util/Map$Entry`.
    pub fn has_class(&self, class: &str) -> bool {
        self.class(class).is_some()
    }

    /// The names of all classes.
    pub fn classes(&self) -> impl Iterator<Item = &str> {
        self.classes.iter().map(|class| &*class.name)
    }

    /// All rows of a class itself, with the names of their methods.
    pub fn rows(&self, class: &str) -> impl Iterator<Item = (&str, Row<'_>)> {
        let attributes = self.attributes(class);
        let rows = self.class(class).into_iter().flat_map(|class| &class.row.methods);
        rows.map(move |MethodRow { pattern, body }| {
            (&*pattern.name, Row { actions: &body.actions, traits: body.traits, attributes })
        })
    }

    /// The rows of what a class has, its own and those of the classes that it is like, but for those that a class
    /// before has a row for. `overrides` says whether a class that extends it has a method of its own instead, which is
    /// asked by its name and whether a descriptor is one that the row means; if the row means all of that name, each
    /// is.
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

    /// Whether a class is said to be an interface.
    pub fn is_interface(&self, class: &str) -> bool {
        self.class(class).is_some_and(|class| class.row.is_interface)
    }

    /// The direct supertypes of a class, as the table says.
    pub fn like(&self, class: &str) -> impl Iterator<Item = &str> {
        self.class(class).into_iter().flat_map(|class| &class.row.like).map(|name| &**name)
    }

    /// A class and its supertypes, breadth first, each once, as far as the table has them; that of all objects is the
    /// last.
    pub fn supertypes(&self, class: &str) -> impl Iterator<Item = &str> {
        self.with_supertypes(class).map(|class| &*class.name)
    }

    /// Whether a class is another one or a subtype of it, as the table says.
    pub fn is_subtype(&self, class: &str, of: &str) -> bool {
        class == of || self.with_supertypes(class).any(|class| class.row.like.iter().any(|like| &**like == of))
    }

    /// The attributes of a class, its own and those that it has from its supertypes.
    pub fn attributes(&self, class: &str) -> Attributes {
        self.class(class).map(|class| class.attributes).unwrap_or_default()
    }

    fn attributes_of(&self, class: &Class) -> Attributes {
        let inherited = class.supertypes.iter().map(|number| self.classes[number.0].row.attributes.inherited());
        inherited.fold(class.row.attributes, Attributes::union)
    }

    /// The method that is run of an object of a class that is used as a function or task: `apply`, `run`.
    pub fn function(&self, class: &str) -> Option<&str> {
        self.with_supertypes(class).find_map(|class| class.row.function.as_deref())
    }

    /// How many methods have a row.
    pub fn len(&self) -> usize {
        self.classes.iter().map(|class| class.row.methods.len()).sum()
    }

    /// Whether no method has a row.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    fn class(&self, class: &str) -> Option<&Class> {
        self.names.get(class_in_table(class)).map(|number| &self.classes[number.0])
    }

    /// A class and its supertypes; none if the table does not have it.
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

/// The class in the table of an object of an unknown class of the library: what methods of all objects may do then. Of
/// an interface, its rows are found, too; a caller that knows no class at all asks for it by this name.
pub const UNKNOWN: &str = "java/lang/Object$Unknown";

/// The name by which the table has a class.
fn class_in_table(class: &str) -> &str {
    if class.starts_with('[') { ARRAY } else { class }
}

#[cfg(test)]
mod tests;
