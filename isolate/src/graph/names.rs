//! What the names of a model stand for in the program: names that stay the same and are the same for every program that
//! reads them.
//!
//! Models have short names, which people read. Reports for programs name a method as
//! `com.example.Pool.take(I)Ljava/lang/Object;`, with ` [argument]` after it where the followed object is an argument
//! and not the receiver, of several parameters with the number of that one, ` [argument 2]`, and a location as
//! `com.example.Pool.used`, with `[]` for the content of an array or collection, and a second field for what an object
//! that is held holds: `com.example.Pool.first.next`. Of an element of an array that is followed, the index is `e`:
//! `com.example.Pool.buckets[e].size`.

use crate::value::{RegionId, Value};
use java::{ClassId, FieldId, MethodId, Program, Type};
use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet};

/// What the names of the model of one object stand for.
#[derive(Clone, Debug, Default)]
pub struct Meanings {
    /// The entry that a process runs, by the name of the process: a method's full name.
    pub units: BTreeMap<String, String>,
    /// What stays the same about a unit when the program around it changes, by the name of the process; different for
    /// each.
    pub identities: BTreeMap<String, String>,
    /// The process that runs an entry, by the name of the entry's function.
    pub processes: BTreeMap<String, String>,
    /// The method whose code a function has, by the name of the function.
    pub functions: BTreeMap<String, MethodMeaning>,
    /// The full name of a location, by its name in the model.
    pub locations: BTreeMap<String, String>,
    /// The locations of which it is not known what methods do that were not given: they are taken to read and to write.
    pub guessed: BTreeSet<String>,
    /// The locations on which there is no data race, whatever is held, by the memory model of Java (JLS 17.4): volatile
    /// fields, and the content of objects of `java.util.concurrent`.
    pub synchronized: BTreeSet<String>,
}

/// The method whose code a function of a model has.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct MethodMeaning {
    /// Its full name.
    pub name: String,
    /// What stays the same about it when the program around it changes.
    pub identity: String,
}

impl Meanings {
    /// The location of all objects that lie too deep to be told apart.
    pub const DEEP: &str = "objects deeper inside";

    /// The beginning of the names of locks that make the operations of concurrent objects atomic.
    pub const OPERATIONS: &str = "operations of ";

    /// The method whose code a function has; what the model calls the function, if it is none of a method.
    pub fn method(&self, function: &str) -> MethodMeaning {
        let plain = || MethodMeaning { name: self.unit(function).into(), identity: self.identity(function).into() };
        self.functions.get(function).cloned().unwrap_or_else(plain)
    }

    /// The full name of the method that a process runs as its unit of work; the name of the process if it is another
    /// one.
    pub fn unit<'a>(&'a self, process: &'a str) -> &'a str {
        self.units.get(process).map_or(process, String::as_str)
    }

    /// What stays the same about the unit of a process when the program around it changes.
    pub fn identity<'a>(&'a self, process: &'a str) -> &'a str {
        self.identities.get(process).map_or_else(|| self.unit(process), String::as_str)
    }

    /// The full name of a location.
    pub fn location<'a>(&'a self, location: &'a str) -> &'a str {
        self.locations.get(location).map_or(location, String::as_str)
    }
}

/// A text without characters that would change how a terminal or a line of a report looks: class files may name their
/// things as they like.
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

/// The full name of an entry.
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

/// Where the source of a class is looked for: the name of its file, in the folders of its package. Both come from the
/// class file, and are taken only if they name nothing else than a file in folders below.
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

/// A method as reports name it: `Vector.addAll(Collection)`.
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
            let element = match text {
                "Z" => "boolean",
                "B" => "byte",
                "C" => "char",
                "S" => "short",
                "I" => "int",
                "J" => "long",
                "F" => "float",
                "D" => "double",
                class => simple(class.trim_start_matches('L').trim_end_matches(';')),
            };
            element.to_string() + &"[]".repeat(program.text(descriptor).len() - text.len())
        }
    }
}

/// A static field: `Pool.lock`.
pub(crate) fn static_name(program: &Program, field: FieldId) -> String {
    let declared = program.field(field);
    format!("{}.{}", simple(&program.class_name(declared.class)), program.text(declared.name))
}

#[cfg(test)]
mod tests {
    use super::printable;

    #[test]
    fn what_terminals_obey_is_written_out() {
        assert_eq!(printable("com.example.Pool$1"), "com.example.Pool$1");
        assert_eq!(printable("a\u{1b}[2Jb\n\u{202e}ü"), "a\\u{1b}[2Jb\\u{a}\\u{202e}ü");
    }
}
