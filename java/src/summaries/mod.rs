//! What methods do that were not given, as a table says.
//!
//! The table is a text, one of which is built in ([`Summaries::builtin`]); others are put in front of it with
//! [`Summaries::add`]. It looks like this:
//!
//! ```text
//! # a comment
//! class java.util.AbstractCollection like java.util.Collection
//!     containsAll(Collection): reads, calls 1.iterator
//!     remove(Object), removeIf: updates
//!     *: updates
//! atomic class java.util.concurrent.ConcurrentLinkedQueue like java.util.AbstractQueue
//! ```
//!
//! **Classes** name the classes that they are `like`: their rows hold too, where a class has none of its own. Mostly these are
//! supertypes, but they need not be. All methods of an `atomic` class do what they do without interruption by each other, those of a
//! `synchronized` class as they hold the object's monitor; this is not taken over.
//!
//! **Methods** are named without types (all of this name), or with the types of their parameters: simple names (`Object`,
//! `int`, `byte[]`), full names, or `_` for any. `<init>` is a constructor, `*` stands for all methods. Of the rows of a class,
//! the first one that fits is taken. A method that has no row in its class is looked for in those that it is like, in the order in
//! which they are written, the nearest first; last, a row `*` is looked for in the same order.
//!
//! **Actions** stand in the order in which they happen. `this` is the receiver, `1` the first argument, and so on. What a
//! collection or an object of the library holds inside is its *content*.
//!
//! | action | meaning |
//! |---|---|
//! | `nothing` | no other action, and nothing of the receiver or the arguments is touched |
//! | `reads`, `reads 1` | reads the content of the receiver, of an argument |
//! | `writes`, `writes 1` | writes it |
//! | `updates`, `updates 1` | reads it, then writes it |
//! | `keeps 1` | the receiver's content refers to the argument afterwards |
//! | `calls 1.equals` | calls a method of the argument (of the receiver: `this.run`), any number of times |
//! | `calls 1` | the argument is an object of a functional interface, or a lambda: runs it, any number of times |
//! | `later 1`, `later 1.run` | the same, but in a later call, on the same thread |
//! | `starts 1`, `starts this.run` | the same, but on another thread |
//! | `returns this`, `returns 1` | the result is the receiver, the argument |
//! | `views`, `views 1` | the content of the result is the content of the receiver, of the argument: an iterator, a key set |
//! | `acquires`, `tries`, `releases` | the receiver is a lock: acquires it, perhaps (the result tells), releases it |
//! | `read-lock`, `write-lock` | the result is one side of the receiver, a read-write lock |
//! | `condition` | the result is a condition of the receiver, a lock |
//! | `awaits` | gives the lock of the receiver, a condition, up until it is told |
//! | `waits` | gives the receiver's monitor up until it is told |
//! | `blocks` | may wait for another thread |

mod parse;

use parse::{ClassRow, MethodRow, Parameter, Table};
use rustc_hash::{FxHashMap, FxHashSet};
use std::fmt;

/// The receiver or an argument of a call.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Subject {
    /// The receiver.
    This,
    /// An argument, from 0.
    Argument(usize),
}

/// When a call of the table happens.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum When {
    /// Before the method returns.
    Now,
    /// In a later call on the same thread: by a lazy stream, for example.
    Later,
    /// On another thread.
    OtherThread,
}

/// One thing that a method does.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Action {
    /// Reads the content.
    Reads(Subject),
    /// Writes the content.
    Writes(Subject),
    /// The receiver's content refers to the argument, numbered from 0, afterwards.
    Keeps(usize),
    /// Calls a method any number of times.
    Calls {
        /// Of which object.
        whom: Subject,
        /// The method's name; none for the one of a functional interface.
        method: Option<Box<str>>,
        /// When it is called.
        when: When,
    },
    /// The result is this.
    Returns(Subject),
    /// The content of the result is that of this.
    Views(Subject),
    /// Acquires the receiver, a lock.
    Acquires,
    /// Acquires the receiver, a lock, if the result is true.
    Tries,
    /// Releases the receiver, a lock.
    Releases,
    /// The result is the side for reading of the receiver, a read-write lock.
    ReadLock,
    /// The result is the side for writing.
    WriteLock,
    /// The result is a condition of the receiver, a lock.
    Condition,
    /// Gives up the lock of the receiver, a condition, and gets it back.
    Awaits,
    /// Gives up the receiver's monitor and gets it back.
    Waits,
    /// May wait for another thread.
    Blocks,
}

/// What a method does.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Summary<'s> {
    /// What it does, in order.
    pub actions: &'s [Action],
    /// What keeps other methods of the same object from interrupting it.
    pub guard: Guard,
}

/// What keeps the methods of an object from interrupting each other.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Guard {
    /// Nothing.
    #[default]
    None,
    /// Something of their own: an `atomic` class.
    Operations,
    /// The object's monitor, which others may enter as well: a `synchronized` class.
    Monitor,
}

/// A table of what methods do.
#[derive(Clone, Debug, Default)]
pub struct Summaries {
    classes: FxHashMap<Box<str>, ClassRow>,
}

/// What is wrong with a table, and where.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SummaryError {
    /// The line, from 1.
    pub line: usize,
    /// The column, from 1, in characters.
    pub column: usize,
    /// What is wrong.
    pub problem: SummaryProblem,
}

/// What is wrong with a table.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum SummaryProblem {
    /// A row stands before the first class.
    RowWithoutClass,
    /// There is no name where one should be, or one that is none.
    NoName(String),
    /// A row without `:`, or without actions.
    NoActions,
    /// There is no such action.
    UnknownAction(String),
    /// An action of `this` or an argument names none, or one that there is not.
    NoSubject(String),
    /// An action that takes nothing is followed by something.
    Surplus(String),
    /// `nothing` stands beside another action.
    NothingAndMore,
    /// A parenthesis without its other half.
    Parenthesis,
    /// A class twice in one text.
    DuplicateClass(String),
}

impl fmt::Display for SummaryError {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "{}:{}: {}", self.line, self.column, self.problem)
    }
}

impl fmt::Display for SummaryProblem {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::RowWithoutClass => out.write_str("a method stands before the first `class`"),
            Self::NoName(found) => write!(out, "a name is needed, not `{}`", found.escape_debug()),
            Self::NoActions => out.write_str("`: action` is needed behind the methods"),
            Self::UnknownAction(found) => write!(out, "there is no action `{}`", found.escape_debug()),
            Self::NoSubject(found) => {
                write!(out, "`this` or the number of an argument, from 1, is needed, not `{}`", found.escape_debug())
            }
            Self::Surplus(found) => write!(out, "`{}` is too much", found.escape_debug()),
            Self::NothingAndMore => out.write_str("`nothing` stands alone"),
            Self::Parenthesis => out.write_str("a parenthesis is open or closed once too often"),
            Self::DuplicateClass(class) => write!(out, "the class `{}` stands here twice", class.escape_debug()),
        }
    }
}

impl std::error::Error for SummaryError {}

/// The table of what comes with Java.
const BUILTIN: &str = include_str!("builtin.txt");

impl Summaries {
    /// A table without rows.
    pub fn new() -> Self {
        Self::default()
    }

    /// The table for `java.lang`, `java.util`, `java.util.function`, `java.util.stream`, `java.util.concurrent` and `java.io`.
    pub fn builtin() -> Self {
        let mut summaries = Self::new();
        if let Err(errors) = summaries.add(BUILTIN) {
            unreachable!("the table that is built in is right: {errors:?}");
        }
        summaries
    }

    /// Puts a text's rows in front of those that are there: they hold first, and a class that is there keeps its other rows and
    /// likenesses, and stays atomic or synchronized if the text does not say which it is.
    ///
    /// # Errors
    /// The first mistake of every line; then nothing is added.
    pub fn add(&mut self, text: &str) -> Result<(), Vec<SummaryError>> {
        let Table { classes } = parse::parse(text)?;
        for (name, mut row) in classes {
            if let Some(before) = self.classes.remove(&name) {
                row.guard = if row.guard == Guard::None { before.guard } else { row.guard };
                row.like.extend(before.like);
                row.methods.extend(before.methods);
            }
            self.classes.insert(name, row);
        }
        Ok(())
    }

    /// Whether the table has this class, `java/util/Map$Entry`.
    pub fn has_class(&self, class: &str) -> bool {
        self.classes.contains_key(class)
    }

    /// The classes that a class is like, as the table says.
    pub fn like(&self, class: &str) -> impl Iterator<Item = &str> {
        self.classes.get(class).into_iter().flat_map(|row| &row.like).map(|name| &**name)
    }

    /// What a method does: of the class in which it is looked for (`java/util/Map$Entry`), by its name and descriptor. A row of
    /// the class itself holds before one of those that it is like, and both before a row `*`.
    pub fn find(&self, class: &str, name: &str, descriptor: &str) -> Option<Summary<'_>> {
        let own = self.classes.get(class)?;
        let classes = self.with_alike(own);
        let parameters = parse::simple_parameters(descriptor);
        let fits = |method: &&MethodRow| method.fits(name, parameters.as_deref());
        // Neither constructors nor static initializers are inherited.
        let searched = if name.starts_with('<') { &classes[..1] } else { &classes[..] };
        let found = searched.iter().find_map(|row| row.methods.iter().find(fits));
        let found = found.or_else(|| searched.iter().find_map(|row| row.fallback()))?;
        let actions = &*found.actions;
        Some(Summary { actions, guard: own.guard })
    }

    /// A class's row and those of the classes that it is like, breadth first, each once.
    fn with_alike<'s>(&'s self, own: &'s ClassRow) -> Vec<&'s ClassRow> {
        let mut rows = vec![own];
        let mut known: FxHashSet<&str> = FxHashSet::default();
        let mut done = 0;
        while let Some(row) = rows.get(done).copied() {
            let fresh = row.like.iter().filter(|name| known.insert(name));
            rows.extend(fresh.filter_map(|name| self.classes.get(name)));
            done += 1;
        }
        rows
    }

    /// How many methods have a row.
    pub fn len(&self) -> usize {
        self.classes.values().map(|class| class.methods.len()).sum()
    }

    /// Whether no method has a row.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }
}

impl MethodRow {
    fn fits(&self, name: &str, parameters: Option<&[String]>) -> bool {
        *self.name == *name
            && match (&self.parameters, parameters) {
                (None, _) => true,
                (Some(_), None) => false,
                (Some(wanted), Some(given)) => {
                    wanted.len() == given.len() && wanted.iter().zip(given).all(|(wanted, given)| wanted.fits(given))
                }
            }
    }
}

impl ClassRow {
    fn fallback(&self) -> Option<&MethodRow> {
        self.methods.iter().find(|method| &*method.name == "*")
    }
}

impl Parameter {
    /// Whether a type is meant, which is given as a full name: `java.util.Map.Entry`, `int[]`.
    fn fits(&self, given: &str) -> bool {
        match self {
            Self::Any => true,
            Self::Type(wanted) => {
                &**wanted == given || given.strip_suffix(&**wanted).is_some_and(|before| before.ends_with('.'))
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn table(text: &str) -> Summaries {
        let mut summaries = Summaries::new();
        summaries.add(text).unwrap_or_else(|errors| panic!("{errors:?}"));
        summaries
    }

    #[test]
    fn rows_are_found_by_types_and_inheritance() {
        let summaries = table(
            "class a.Top\n  m(int): reads\n  m: writes\n  *: blocks\n\
             class a.Middle like a.Top, a.Other\n  n(Entry[], _): keeps 2\n  <init>: calls 1\n\
             class a.Other\n  other: returns this\n\
             atomic class a.Bottom like a.Middle\nsynchronized class a.Last like a.Bottom\n",
        );
        let find =
            |class, name, descriptor| summaries.find(class, name, descriptor).map(|found| found.actions.to_vec());
        let this = Subject::This;
        assert_eq!(find("a/Bottom", "m", "(I)V"), Some(vec![Action::Reads(this)]));
        assert_eq!(find("a/Bottom", "m", "(J)V"), Some(vec![Action::Writes(this)]));
        assert_eq!(find("a/Bottom", "n", "([Ljava/util/Map$Entry;J)V"), Some(vec![Action::Keeps(1)]));
        assert_eq!(find("a/Bottom", "n", "(Ljava/util/Map$Entry;J)V"), Some(vec![Action::Blocks]));
        assert_eq!(find("a/Bottom", "other", "()V"), Some(vec![Action::Returns(this)]));
        assert_eq!(find("a/Other", "m", "(I)V"), None);
        // Constructors are not inherited.
        let calls = Action::Calls { whom: Subject::Argument(0), method: None, when: When::Now };
        assert_eq!(find("a/Middle", "<init>", "(I)V"), Some(vec![calls]));
        assert_eq!(find("a/Bottom", "<init>", "(I)V"), None);
        let guard = |class| summaries.find(class, "m", "(I)V").map(|found| found.guard);
        assert_eq!(
            ["a/Middle", "a/Bottom", "a/Last"].map(guard),
            [Guard::None, Guard::Operations, Guard::Monitor].map(Some)
        );
    }

    #[test]
    fn texts_are_put_in_front() {
        let mut summaries = table("class A like B\n  m: reads\n  n: reads\nclass B\n  b: reads\n");
        summaries.add("class A\n  m: nothing\natomic class B\n").unwrap();
        let actions = |name| summaries.find("A", name, "()V").map(|found| found.actions.len());
        assert_eq!(["m", "n", "b", "c"].map(actions), [Some(0), Some(1), Some(1), None]);
        assert_eq!(summaries.len(), 4);
    }

    #[test]
    fn likeness_in_a_circle_ends() {
        let summaries = table("class A like B\nclass B like A\n  m: reads\n");
        assert!(summaries.find("A", "m", "()V").is_some());
        assert!(summaries.find("A", "n", "()V").is_none());
    }

    #[test]
    fn errors_are_located() {
        let errors = |text: &str| {
            let errors = Summaries::new().add(text).unwrap_err();
            errors.iter().map(ToString::to_string).collect::<Vec<_>>()
        };
        let cases = [
            ("m: reads", "1:1: a method stands before the first `class`"),
            ("class A\n  m: grows", "2:6: there is no action `grows`"),
            ("class A\n  m: reads, calls", "2:13: `this` or the number of an argument, from 1, is needed, not ``"),
            ("class A\n  m: keeps 0", "2:6: `this` or the number of an argument, from 1, is needed, not `0`"),
            ("class A\n  m: keeps this", "2:6: `this` or the number of an argument, from 1, is needed, not `this`"),
            ("class A\n  m: blocks 1", "2:6: `1` is too much"),
            ("class A\n  m: nothing, reads", "2:6: `nothing` stands alone"),
            ("class A\n  m", "2:3: `: action` is needed behind the methods"),
            ("class A\n  m:", "2:5: `: action` is needed behind the methods"),
            ("class A\n  m(int: reads", "2:3: a parenthesis is open or closed once too often"),
            ("class A\n  m, : reads", "2:6: a name is needed, not ``"),
            ("class", "1:1: a name is needed, not ``"),
            ("class A like", "1:1: a name is needed, not ``"),
            ("class A\n\nclass A", "3:1: the class `A` stands here twice"),
        ];
        for (text, expected) in cases {
            assert_eq!(errors(text), [expected], "{text}");
        }
        assert_eq!(errors("m: reads\nclass A\n  m: grows, shrinks").len(), 2);
    }

    #[test]
    fn the_builtin_table_says_what_is_documented() {
        let summaries = Summaries::builtin();
        let actions = |class: &str, name: &str, descriptor: &str| {
            let found = summaries.find(class, name, descriptor);
            found.unwrap_or_else(|| panic!("{class}.{name}{descriptor}")).actions.to_vec()
        };
        let calls =
            |method: &str| Action::Calls { whom: Subject::Argument(0), method: Some(method.into()), when: When::Now };
        let object = "(Ljava/lang/Object;)";
        assert!(
            actions("java/lang/String", "valueOf", &format!("{object}Ljava/lang/String;")).contains(&calls("toString"))
        );
        let append = actions("java/lang/StringBuilder", "append", &format!("{object}Ljava/lang/StringBuilder;"));
        assert!(append.contains(&calls("toString")) && append.contains(&Action::Returns(Subject::This)));
        let add_all = "(Ljava/util/Collection;)Z";
        assert!(actions("java/util/ArrayList", "addAll", add_all).contains(&calls("toArray")));
        assert!(actions("java/util/LinkedHashSet", "containsAll", add_all).contains(&calls("iterator")));
        assert!(actions("java/util/HashMap", "putAll", "(Ljava/util/Map;)V").contains(&calls("entrySet")));
        let starts = Action::Calls { whom: Subject::Argument(0), method: Some("run".into()), when: When::OtherThread };
        let execute = actions("java/util/concurrent/ThreadPoolExecutor", "execute", "(Ljava/lang/Runnable;)V");
        assert!(execute.contains(&starts));
        let lock = actions("java/util/concurrent/locks/ReentrantLock", "lock", "()V");
        assert_eq!(lock, [Action::Acquires, Action::Blocks]);
        let guard = |class| summaries.find(class, "get", &format!("{object}Ljava/lang/Object;")).map(|it| it.guard);
        assert_eq!(guard("java/util/concurrent/ConcurrentHashMap"), Some(Guard::Operations));
        assert_eq!(guard("java/util/Collections$SynchronizedMap"), Some(Guard::Monitor));
        assert_eq!(guard("java/util/HashMap"), Some(Guard::None));
    }
}
