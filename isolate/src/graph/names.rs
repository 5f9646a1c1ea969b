//! The meanings of the names of a model: full names for other programs, which are stable.
//!
//! Models have short names for people. Reports for programs have full names. A method is
//! `com.example.Pool.take(I)Ljava/lang/Object;`, followed by ` [argument]` if the followed object is an argument and
//! not the receiver, or by ` [argument 2]` if there are several parameters. A location is `com.example.Pool.used`, with
//! `[]` for the content of an array or collection, and a second field for a field of an object in a field:
//! `com.example.Pool.first.next`. The index of a followed element of an array is `e`:
//! `com.example.Pool.buckets[e].size`.

use crate::value::{RegionId, Turn, Value};
use java::{ClassId, FieldId, MethodId, Program, Type};
use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet};

/// The meanings of the names of a model.
#[derive(Clone, Debug, Default)]
pub struct Meanings {
    /// The full name of the method that a process runs as its entry, by the name of the process.
    pub units: BTreeMap<String, String>,
    /// The stable identity of a unit, by the name of its process; all are different.
    pub identities: BTreeMap<String, String>,
    /// The name of the process that runs an entry, by the name of the entry's function.
    pub processes: BTreeMap<String, String>,
    /// The method of a function, by the name of the function.
    pub functions: BTreeMap<String, MethodMeaning>,
    /// The full name of a location, by its name in the model.
    pub locations: BTreeMap<String, String>,
    /// The locations with unknown effects of library methods, which are assumed to read and write them.
    pub guessed: BTreeSet<String>,
    /// The locations without data races, with or without locks, by the memory model of Java (JLS 17.4): volatile
    /// fields, and the content of objects of `java.util.concurrent`.
    pub synchronized: BTreeSet<String>,
    /// The files and lines of calls that acquire a lock only if nobody holds it. Only in models for deadlocks.
    pub tries: BTreeSet<(String, u32)>,
    /// The locks that code can name, by their names in the model.
    pub locks: BTreeMap<String, LockMeaning>,
    /// The full names of the methods whose graphs are copied into functions of other methods.
    pub copied: BTreeSet<String>,
}

/// The method of a function of a model.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct MethodMeaning {
    /// Its full name.
    pub name: String,
    /// Its stable identity.
    pub identity: String,
    /// Its name in reports: `Pool.take(int)`.
    pub short: String,
    /// Whether it is an instance method that is called on the subject's object.
    pub has_subject: bool,
    /// Whether the function contains copies of the graphs of other methods.
    pub has_copies: bool,
    /// Whether the function is the code of an inherited library method, which calls this method.
    pub is_inherited: bool,
}

/// A lock that code can name.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LockMeaning {
    /// The expression: `this`, `this.lock`, `Pool.class`.
    pub expression: String,
    /// Whether it is a lock of `java.util.concurrent`, and no monitor.
    pub is_explicit: bool,
    /// Whether only instance methods of the subject's object can use the expression.
    pub needs_subject: bool,
}

impl LockMeaning {
    /// The monitor or the lock of an object of this name: the subject's object, or an object in one of its fields.
    pub(super) fn of_region(name: String, is_explicit: bool) -> Option<Self> {
        let is_field = |field: &str| !field.is_empty() && !field.contains(['.', '[', ' ']);
        let is_named = name == "this" || name.strip_prefix("this.").is_some_and(is_field);
        is_named.then_some(Self { expression: name, is_explicit, needs_subject: true })
    }

    /// The monitor of a class object, or the object or lock in a static field.
    pub(super) fn of_static(expression: String, is_explicit: bool) -> Self {
        Self { expression, is_explicit, needs_subject: false }
    }
}

impl Meanings {
    /// The name of the location of all objects that are too deep to be distinguished.
    pub const DEEP: &str = "objects deeper inside";

    /// The prefix of the names of the internal locks of concurrent objects.
    pub const OPERATIONS: &str = "operations of ";

    /// The prefix of the names of the locks of functions that run within such operations.
    pub const FUNCTIONS: &str = "functions of ";

    /// The prefix of the names of the order of signals to a subscriber.
    pub const SIGNALS: &str = "signals of ";

    /// The prefix of the names of the order of insertions into a queue with a single producer.
    pub const PRODUCERS: &str = "producer of ";

    /// The prefix of the names of the order of removals from a queue with a single consumer.
    pub const CONSUMERS: &str = "consumer of ";

    /// The prefix of the names of the locks of units that set a value that is set once.
    pub const ONCE: &str = "first value of ";

    /// The prefix of the names of the locks of units that have taken an object out of a container.
    pub const OWNER: &str = "owner of ";

    /// Whether a lock of this name stands for no lock of the program.
    pub fn is_internal_lock(name: &str) -> bool {
        let turns = [Self::SIGNALS, Self::PRODUCERS, Self::CONSUMERS];
        let others = [Self::OPERATIONS, Self::FUNCTIONS, Self::ONCE, Self::OWNER];
        turns.iter().chain(&others).any(|prefix| name.starts_with(prefix))
    }

    /// Returns the prefix of the names of the locks of a turn.
    pub(crate) fn turn(turn: Turn) -> &'static str {
        match turn {
            Turn::Signals => Self::SIGNALS,
            Turn::Producers => Self::PRODUCERS,
            Turn::Consumers => Self::CONSUMERS,
        }
    }

    /// Returns the method of a function; the function's own name if it has no method.
    pub fn method(&self, function: &str) -> MethodMeaning {
        let plain = || MethodMeaning {
            name: self.unit(function).into(),
            identity: self.identity(function).into(),
            ..MethodMeaning::default()
        };
        self.functions.get(function).cloned().unwrap_or_else(plain)
    }

    /// Returns the full name of the method that a process runs as its unit of work; the name of the process if it has
    /// none.
    pub fn unit<'a>(&'a self, process: &'a str) -> &'a str {
        self.units.get(process).map_or(process, String::as_str)
    }

    /// Returns the stable identity of the unit of a process.
    pub fn identity<'a>(&'a self, process: &'a str) -> &'a str {
        self.identities.get(process).map_or_else(|| self.unit(process), String::as_str)
    }

    /// Returns the full name of a location.
    pub fn location<'a>(&'a self, location: &'a str) -> &'a str {
        self.locations.get(location).map_or(location, String::as_str)
    }
}

/// Escapes characters that would change the display of a terminal or of a line of a report: class files may contain any
/// names.
pub fn printable(text: &str) -> Cow<'_, str> {
    let is_odd = |c: char| {
        c.is_control() || matches!(c, '\u{200e}' | '\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
    };
    if !text.contains(is_odd) {
        return Cow::Borrowed(text);
    }
    let mut clean = String::new();
    text.chars().for_each(|c| if is_odd(c) { clean.extend(c.escape_unicode()) } else { clean.push(c) });
    Cow::Owned(clean)
}

/// Returns the full name of an entry.
pub(super) fn full_name(program: &Program, method: MethodId, arguments: &[Value]) -> String {
    let is_subject = |value: &Value| *value == Value::Region(RegionId::SUBJECT);
    let receivers = usize::from(!program.method(method).flags.is_static()).min(arguments.len());
    let (receiver, rest) = arguments.split_at(receivers);
    let place = rest.iter().position(is_subject).filter(|_| !receiver.iter().any(is_subject));
    let role = match place {
        Some(0) if rest.len() == 1 => " [argument]".to_string(),
        Some(place) => format!(" [argument {}]", place + 1),
        None => String::new(),
    };
    format!("{}{role}", printable(&program.method_name(method)))
}

/// Returns the path of the source of a class: the name of its file, in the folders of its package. Both come from the
/// class file, and are used only if they cannot leave these folders.
pub(crate) fn source_path(program: &Program, class: ClassId) -> String {
    let declared = program.class(class);
    let name = program.text(declared.name);
    let (package, simple) = name.rsplit_once('/').unwrap_or(("", name));
    let is_plain =
        |part: &str| !(part.is_empty() || part == "." || part == ".." || part.contains(['/', '\\', ':', '\0']));
    let file = declared.source_file.map(|file| program.text(file)).filter(|file| is_plain(file));
    let file = file.map_or_else(|| format!("{}.java", simple.split('$').next().unwrap_or(simple)), str::to_string);
    let folders = package.split('/').filter(|part| is_plain(part)).map(|part| format!("{part}/"));
    printable(&(folders.collect::<String>() + &file)).into_owned()
}

/// Returns the name of a method in reports: `Vector.addAll(Collection)`.
pub(crate) fn method_name(program: &Program, method: MethodId) -> String {
    let declared = program.method(method);
    let types = program.method_type(declared.descriptor);
    let types = types.iter().flat_map(|types| types.parameters.iter());
    let parameters: Vec<_> = types.map(|of| type_name(program, *of)).collect();
    let class = program.class_name(declared.class);
    format!("{}.{}({})", simple(&class), program.text(declared.name), parameters.join(", "))
}

pub(crate) fn simple(name: &str) -> &str {
    name.rsplit(['.', '/']).next().unwrap_or(name)
}

pub(crate) fn type_name(program: &Program, of: Type) -> String {
    match of {
        Type::Boolean => "boolean".into(),
        Type::Byte => "byte".into(),
        Type::Char => "char".into(),
        Type::Short => "short".into(),
        Type::Int => "int".into(),
        Type::Long => "long".into(),
        Type::Float => "float".into(),
        Type::Double => "double".into(),
        Type::Class(name) => simple(program.text(name)).into(),
        Type::Array(descriptor) => {
            let text = program.text(descriptor).trim_start_matches('[');
            element_name(text).to_string() + &"[]".repeat(program.text(descriptor).len() - text.len())
        }
    }
}

/// Returns the name of a type that is no array, from its descriptor.
pub(crate) fn element_name(descriptor: &str) -> &str {
    match descriptor {
        "Z" => "boolean",
        "B" => "byte",
        "C" => "char",
        "S" => "short",
        "I" => "int",
        "J" => "long",
        "F" => "float",
        "D" => "double",
        class => simple(class.trim_start_matches('L').trim_end_matches(';')),
    }
}

/// Returns the name of a static field: `Pool.lock`.
pub(crate) fn static_name(program: &Program, field: FieldId) -> String {
    let declared = program.field(field);
    format!("{}.{}", simple(&program.class_name(declared.class)), program.text(declared.name))
}

#[cfg(test)]
mod tests {
    use super::printable;

    #[test]
    fn terminal_controls_are_escaped() {
        assert_eq!(printable("com.example.Pool$1"), "com.example.Pool$1");
        assert_eq!(printable("a\u{1b}[2Jb\n\u{202e}ü"), "a\\u{1b}[2Jb\\u{a}\\u{202e}ü");
    }
}
