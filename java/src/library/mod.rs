//! What methods do that were not given, as a table of flows says.
//!
//! An object of a library class that is not given has one field, its *content*: elements, keys, values, referents, functions that it
//! keeps. The elements of an array are its content, too. A row says in which order a method reads and writes contents, where objects go, which functions it calls and when, and
//! what it does to locks and threads. The tables are texts, one for each package ([`Library::builtin`]); others are put in front of them with [`Library::add`]:
//!
//! ```text
//! # a comment
//! interface java.util.Collection like java.lang.Iterable
//!     removeIf(Predicate): traverses this.remove, calls 1, writes
//! class java.util.ArrayList like java.util.AbstractList, java.util.List
//!     add(_): updates, keeps 1
//!     get(int): reads, gives, throws
//!     iterator, subList: views
//!     *: updates
//! thread-safe atomic class java.util.concurrent.ConcurrentLinkedQueue like java.util.AbstractQueue
//! ```
//!
//! **Classes** name the classes that they are `like`: their supertypes. A class without a row for a method has the rows of these. Before `class` stand attributes
//! ([`Attribute`]); `function(apply)` names the method that is run of an object that is used as a function. `[]` is the class of all arrays.
//!
//! **Methods** are named without types (all of this name), or with the types of their parameters: simple names (`Object`,
//! `int`, `byte[]`), full names, or `_` for any. `<init>` is a constructor, `*` stands for all methods. Of the rows of a class,
//! the first one that fits is taken. A method that has no row in its class is looked for in those that it is like, in the order in
//! which they are written, the nearest first, `java.lang.Object` last; after that, a row `*` is looked for in the same order.
//!
//! **Actions** stand in the order in which they happen. `this` is the receiver, `1` the first argument, and so on; `1[]` is each object in its content, `any` each of the soup ([`Row`]), `yielded`
//! what functions returned that the row calls. `reads 1, 2` is `reads 1, reads 2`.
//! No word after an action means the receiver.
//!
//! | action | meaning |
//! |---|---|
//! | `nothing` | no access, nothing flows into the receiver, a reference result is a new immutable value |
//! | `reads all X` | reads the content and those of all library objects that are found from there |
//! | `reads X`, `writes X`, `updates X`, `replaces X` | reads, writes, reads and writes the content; `replaces` writes all of it at once |
//! | `reads position X`, `writes position X`, `moves X` | the same of what an iterator, buffer or stream is beside its content; `moves` reads and writes |
//! | `traverses X`, `traverses X.remove` | reads the content; of an object of a given class, calls the methods that show it: [`TRAVERSAL`] |
//! | `returns X` | the result is X |
//! | `views X`, `views X as C`, `views X locked` | the result is another object with the same content: of class C; its methods hold the same monitor as those of X |
//! | `gives X` | the result is in this content, or null |
//! | `yields` | the result is what a function returned that the row calls |
//! | `makes X, Y[]`, `makes C(X, Y[])` | the result is a new object, one for each call site, whose content holds X and what Y's content holds; C is its class, or `any` |
//! | `clones X`, `class of X` | the result is a copy of X, or its class object |
//! | `finds` | the result is any object of the declared type that there is |
//! | no result action | the result is anything of the soup ([`Row`]) |
//! | `keeps N`, `copies N`, `keeps N in M`, `copies N in M` | N, or what N's content holds, flows into the content of the receiver, of M, or of what functions returned: `keeps any in yielded` |
//! | `holds C` | the receiver's content holds a view of the receiver, of class C: a map its entries |
//! | `becomes C` | from now on, the rows of C hold for the receiver |
//! | `enumerates N` | the constants of an enum class count as what a function returned |
//! | `keeps nothing` | no argument flows into the receiver's content, although the row writes it |
//! | no such action | if the row writes the receiver or is a constructor, all arguments flow into its content |
//! | `calls X`, `calls X.m`, `calls X[].m` | calls a function, or a method, any number of times; objects without such a method are passed over |
//! | `hashes X` | `calls X.hashCode, X.equals, X.compareTo` |
//! | `orders X` | `calls X.compareTo, this[].compareTo, this[].compare` |
//! | `once calls X` | at most once |
//! | `later X` | the result keeps the function; if there is none, or it is the receiver, the receiver keeps it |
//! | `runs X` | runs all functions that are found from X's content |
//! | `starts X.m`, `starts runs X` | the same on another thread; `starts one X.m` on a thread that runs such tasks one after the other |
//! | `joins X`, `joins X maybe`, `joins started` | waits until a thread or task is done; all that the row has started |
//! | `blocks` | may wait for another thread |
//! | `acquires`, `tries`, `tries timed`, `releases` | the receiver is a lock; `acquires read`: one side of a stamped lock; `releases any`: whichever is held; `converts write` |
//! | `read-lock`, `write-lock`, `condition` | the result belongs to the receiver, a lock |
//! | `optimistic`, `validates` | optimistic reading |
//! | `awaits`, `waits` | gives up the lock of the receiver, a condition; the receiver's monitor |
//! | `permit acquires`, `permit tries`, `permit releases` | a semaphore |
//! | `counts down`, `awaits latch`, `awaits barrier` | latches and barriers; `awaits latch maybe` |
//! | `gets`, `sets N`, `gets-and-sets N`, `compares-and-sets E N`, `updates by F` | accesses to the one value of the receiver, each in one step but for the last |
//! | `names field C N`, `names method C N`, `names elements C` | the result is a handle |
//!
//! Six words say how: `several` (several steps, although the class is atomic), `unguarded` (without the monitor, although the class is synchronized), `inside` (what it calls runs inside of its step), `throws` (it may throw before it
//! has done anything), `never-throws`, `pure` (touches nothing, and equal arguments give equal results).

mod action;
mod attributes;
mod error;
mod parse;
mod parse_action;
mod row;
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
use table::{ClassRow, MethodRow, simple_parameters};

/// A table of what methods do.
#[derive(Clone, Debug, Default)]
pub struct Library {
    classes: FxHashMap<Box<str>, ClassRow>,
}

/// The tables of what comes with Java, and of what compilers and loggers need.
const BUILTIN: [&str; 14] = [
    include_str!("tables/java.lang.invoke.txt"),
    include_str!("tables/java.lang.ref.txt"),
    include_str!("tables/java.lang.txt"),
    include_str!("tables/java.util-collections.txt"),
    include_str!("tables/java.util-maps.txt"),
    include_str!("tables/java.util-wrappers.txt"),
    include_str!("tables/java.util.concurrent-collections.txt"),
    include_str!("tables/java.util.concurrent.atomic.txt"),
    include_str!("tables/java.util.concurrent.locks.txt"),
    include_str!("tables/java.util.concurrent.txt"),
    include_str!("tables/java.util.function.txt"),
    include_str!("tables/java.util.stream.txt"),
    include_str!("tables/other.txt"),
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

    /// Puts a text's rows in front of those that are there: they hold first, and a class that is there keeps its other rows and
    /// supertypes and its attributes; it stays atomic or synchronized if the text does not say which it is.
    ///
    /// # Errors
    /// The first mistake of every line; then nothing is added.
    pub fn add(&mut self, text: &str) -> Result<(), Vec<TableError>> {
        let Table { classes } = parse::parse(text)?;
        for (name, row) in classes {
            let row = match self.classes.remove(&name) {
                Some(before) => row.before(before),
                None => row,
            };
            self.classes.insert(name, row);
        }
        Ok(())
    }

    /// What a method does: of the class in which it is looked for (`java/util/Map$Entry`, `[I`), by its name and descriptor. A row of
    /// the class itself holds before one of those that it is like, and both before a row `*`.
    pub fn find(&self, class: &str, name: &str, descriptor: &str) -> Option<Row<'_>> {
        let classes = self.with_supertypes(class);
        let parameters = simple_parameters(descriptor);
        let fits = |method: &&MethodRow| method.pattern.fits(name, parameters.as_deref());
        // Neither constructors nor static initializers are inherited.
        let searched = if name.starts_with('<') { classes.get(..1)? } else { &classes[..] };
        let found = searched.iter().find_map(|(_, row)| row.methods.iter().find(fits));
        let found = found.or_else(|| searched.iter().find_map(|(_, row)| row.any()))?;
        let body = &found.body;
        Some(Row { actions: &body.actions, traits: body.traits, attributes: attributes_of(&classes) })
    }

    /// The rows of all methods of a name: those of the first class that has any, of the class and those that it is like.
    pub fn find_all(&self, class: &str, name: &str) -> Vec<Row<'_>> {
        let classes = self.with_supertypes(class);
        let attributes = attributes_of(&classes);
        let of_name = |row: &&ClassRow| row.methods.iter().any(|method| *method.pattern.name == *name);
        let first = classes.iter().map(|(_, row)| *row).find(of_name);
        let rows = first.into_iter().flat_map(|row| &row.methods).filter(|method| *method.pattern.name == *name);
        rows.map(|row| Row { actions: &row.body.actions, traits: row.body.traits, attributes }).collect()
    }

    /// The classes whose rows may hold for an object of a class instead of its own, as its own rows say.
    pub fn may_become(&self, class: &str) -> Vec<&str> {
        let classes = self.with_supertypes(class);
        let actions = classes.iter().flat_map(|(_, row)| &row.methods).flat_map(|method| &method.body.actions);
        let mut found: Vec<&str> = actions
            .filter_map(|action| match action {
                Action::Becomes(class) => Some(&**class),
                _ => None,
            })
            .collect();
        found.sort_unstable();
        found.dedup();
        found
    }

    /// Whether the table has this class, `java/util/Map$Entry`.
    pub fn has_class(&self, class: &str) -> bool {
        self.row_of(class).is_some()
    }

    /// The names of all classes, in no order.
    pub fn classes(&self) -> impl Iterator<Item = &str> {
        self.classes.keys().map(|name| &**name)
    }

    /// Whether a class is said to be an interface.
    pub fn is_interface(&self, class: &str) -> bool {
        self.row_of(class).is_some_and(|row| row.is_interface)
    }

    /// The direct supertypes of a class, as the table says.
    pub fn like(&self, class: &str) -> impl Iterator<Item = &str> {
        self.row_of(class).into_iter().flat_map(|row| &row.like).map(|name| &**name)
    }

    /// A class and its supertypes, breadth first, each once, as far as the table has them.
    pub fn supertypes(&self, class: &str) -> Vec<&str> {
        self.with_supertypes(class).into_iter().map(|(name, _)| name).collect()
    }

    /// Whether a class is another one or a subtype of it, as the table says.
    pub fn is_subtype(&self, class: &str, of: &str) -> bool {
        class == of || self.supertypes(class).iter().any(|name| self.like(name).any(|like| like == of))
    }

    /// The attributes of a class, its own and those that it has from its supertypes.
    pub fn attributes(&self, class: &str) -> Attributes {
        attributes_of(&self.with_supertypes(class))
    }

    /// The method that is run of an object of a class that is used as a function or task: `apply`, `run`.
    pub fn function(&self, class: &str) -> Option<&str> {
        self.with_supertypes(class).into_iter().find_map(|(_, row)| row.function.as_deref())
    }

    /// How many methods have a row.
    pub fn len(&self) -> usize {
        self.classes.values().map(|class| class.methods.len()).sum()
    }

    /// Whether no method has a row.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    fn row_of(&self, class: &str) -> Option<&ClassRow> {
        self.classes.get(class_in_table(class))
    }

    /// A class's row and those of its supertypes, breadth first, each once, that of all objects last; none of a class that the table does
    /// not have.
    fn with_supertypes(&self, class: &str) -> Vec<(&str, &ClassRow)> {
        let own = self.classes.get_key_value(class_in_table(class));
        let mut rows: Vec<(&str, &ClassRow)> = own.into_iter().map(|(name, row)| (&**name, row)).collect();
        let mut known: FxHashSet<&str> = rows.iter().map(|(name, _)| *name).collect();
        let mut done = 0;
        while let Some((_, row)) = rows.get(done).copied() {
            let fresh = row.like.iter().filter(|name| &***name != ROOT && known.insert(name));
            rows.extend(fresh.filter_map(|name| self.classes.get_key_value(name)).map(|(name, row)| (&**name, row)));
            done += 1;
        }
        let has_root = rows.iter().any(|(_, row)| row.like.iter().any(|name| &**name == ROOT));
        let root = self.classes.get_key_value(ROOT).filter(|_| has_root && class != ROOT);
        rows.extend(root.map(|(name, row)| (&**name, row)));
        rows
    }
}

/// The superclass of all classes.
const ROOT: &str = "java/lang/Object";

/// The name by which the table has a class.
fn class_in_table(class: &str) -> &str {
    if class.starts_with('[') { parse::ARRAY } else { class }
}

/// The attributes of the first class, with what it inherits from the others.
fn attributes_of(classes: &[(&str, &ClassRow)]) -> Attributes {
    let own = classes.first().map(|(_, row)| row.attributes).unwrap_or_default();
    classes.iter().fold(own, |all, (_, row)| all.union(row.attributes.inherited()))
}

#[cfg(test)]
mod tests;
