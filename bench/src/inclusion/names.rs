//! The meaning of names of locations and locks of a model: paths of fields from the subject.

use asercheck::model::{LocationId, Model, Operation};
use std::collections::{BTreeMap, BTreeSet};

/// The part of an object that a location stands for.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Part {
    /// A field, by its simple name.
    Field(String),
    /// The content of an array or a container.
    Content,
    /// The element of an array at the first of two indices, and at the second.
    Element,
}

/// The locations of a model by the alias class of their object. The key is a path, which is empty for the subject.
#[derive(Clone, Debug, Default)]
pub struct Locations {
    by_alias: BTreeMap<String, BTreeMap<Part, BTreeSet<LocationId>>>,
    deep: BTreeSet<LocationId>,
    /// Locations with writes outside of constructors. If only constructors write a location, its value is the initial
    /// one, and the model may omit its reads.
    written: BTreeSet<LocationId>,
}

impl Locations {
    /// Reads the names of a model's locations.
    pub fn of(model: &Model) -> Self {
        let is_constructor = |procedure| model.procedure(procedure).name().contains(".<init>(");
        let written = model.nodes().filter_map(|(_, node)| match node.operation {
            Operation::Write(location) if !is_constructor(node.procedure) => Some(location),
            _ => None,
        });
        let mut found = Self { written: written.collect(), ..Self::default() };
        for (number, location) in model.locations().iter().enumerate() {
            let id = LocationId::new(number);
            let name = without_number(location.name());
            if name == "objects deeper inside" {
                found.deep.insert(id);
                continue;
            }
            let (alias, part) = parsed(name);
            let parts = found.by_alias.entry(alias).or_default();
            parts.entry(part).or_default().insert(id);
        }
        found
    }

    /// Iterates over the paths of alias classes.
    pub fn aliases(&self) -> impl Iterator<Item = &str> {
        self.by_alias.keys().map(String::as_str)
    }

    /// Returns the possible locations of a part of an object of an alias class.
    pub fn at(&self, alias: &str, part: &Part) -> BTreeSet<LocationId> {
        let known = |part: &Part| self.by_alias.get(alias).and_then(|parts| parts.get(part)).into_iter().flatten();
        let mut found: BTreeSet<LocationId> = known(part).copied().collect();
        if *part == Part::Element {
            found.extend(known(&Part::Content));
        }
        // The objects deeper inside are reached from other objects than the subject.
        if !alias.is_empty() {
            found.extend(&self.deep);
        }
        found
    }

    /// Whether one of these locations is written in the model.
    pub fn are_written(&self, locations: &BTreeSet<LocationId>) -> bool {
        !self.written.is_disjoint(locations)
    }

    /// Whether the model distinguishes the elements of arrays of an alias class by their indices.
    pub fn has_elements(&self, alias: &str) -> bool {
        self.by_alias.get(alias).is_some_and(|parts| parts.contains_key(&Part::Element))
    }
}

/// Removes the number that distinguishes equal names: `n (2)` is `n`.
pub fn without_number(name: &str) -> &str {
    let Some((before, number)) = name.strip_suffix(')').and_then(|name| name.rsplit_once(" (")) else { return name };
    if number.bytes().all(|byte| byte.is_ascii_digit()) { before } else { name }
}

/// Returns the name of a method in models: `features.Cell.add(ILfeatures/Cell;)V` is `Cell.add(int, Cell)`.
pub fn function_name(method: &str) -> Option<String> {
    let (before, rest) = method.split_once('(')?;
    let (class, name) = before.rsplit_once('.')?;
    let simple = class.rsplit('.').next().unwrap_or(class);
    let mut types = rest.split_once(')')?.0;
    let mut parameters = Vec::new();
    while !types.is_empty() {
        let element = types.trim_start_matches('[');
        let dimensions = types.len() - element.len();
        let end = if element.starts_with('L') { element.find(';')? + 1 } else { 1 };
        parameters.push(type_name(&element[..end])? + &"[]".repeat(dimensions));
        types = &element[end..];
    }
    Some(format!("{simple}.{name}({})", parameters.join(", ")))
}

/// Returns the name of a type that is no array.
fn type_name(descriptor: &str) -> Option<String> {
    let plain = match descriptor {
        "Z" => "boolean",
        "B" => "byte",
        "C" => "char",
        "S" => "short",
        "I" => "int",
        "J" => "long",
        "F" => "float",
        "D" => "double",
        class => class.strip_prefix('L')?.strip_suffix(';')?.rsplit('/').next()?,
    };
    Some(plain.to_string())
}

/// `a.b.v` is the field `v` of `a.b`, `m[]` the content of `m`, `table[k]` an element of `table`.
fn parsed(name: &str) -> (String, Part) {
    let of_this = |path: &str| if path == "this" { String::new() } else { path.to_string() };
    if let Some(path) = name.strip_suffix("[]") {
        return (of_this(path), Part::Content);
    }
    // The second index is like the first one: each element is K in turn.
    if let Some(path) = name.strip_suffix("[k]") {
        return (of_this(path), Part::Element);
    }
    if let Some(path) = name.strip_suffix("[l]") {
        return (format!("{} at the second index", of_this(path)), Part::Element);
    }
    match name.rsplit_once('.') {
        Some((path, field)) => (of_this(path), Part::Field(field.to_string())),
        None => (String::new(), Part::Field(name.to_string())),
    }
}

/// The meaning of a lock of a model.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum LockName {
    /// The object at the end of a path from the subject's object.
    Path(String),
    /// The class object of this simple name.
    Class(String),
    /// The value of a static field of the class with this simple name.
    Static(String, String),
    /// The lock that makes operations of the objects at the end of a path, or on a static field, atomic.
    Operations(Option<String>),
    /// A string constant, which any code may lock.
    Literal,
}

/// Reads the name of a lock.
pub fn lock(name: &str) -> LockName {
    let name = without_number(name);
    if name.starts_with('"') {
        return LockName::Literal;
    }
    // A call on an unnamed receiver runs these functions.
    if name.starts_with("functions of ") {
        return LockName::Operations(None);
    }
    if let Some(path) = name.strip_prefix("operations of ") {
        return LockName::Operations(path_of(path));
    }
    for prefix in ["element of ", "lock in "] {
        if let Some(path) = name.strip_prefix(prefix).and_then(path_of) {
            return LockName::Path(path + "[]");
        }
    }
    let is_explicit = name.starts_with("lock ");
    let plain = name.strip_prefix("lock ").unwrap_or(name);
    if let Some(path) = path_of(plain) {
        return LockName::Path(path);
    }
    match plain.rsplit_once('.') {
        Some((class, "class")) if !is_explicit => LockName::Class(class.to_string()),
        Some((class, field)) => LockName::Static(class.to_string(), field.to_string()),
        None => LockName::Literal,
    }
}

/// Returns the path of `this.path`.
fn path_of(name: &str) -> Option<String> {
    let path = name.strip_prefix("this")?;
    if path.is_empty() || path.starts_with("[]") {
        return Some(path.to_string());
    }
    path.strip_prefix('.').map(str::to_string)
}

#[cfg(test)]
mod tests {
    use super::{LockName, Part, function_name, lock, parsed};

    #[test]
    fn methods_are_functions() {
        let name = |method: &str| function_name(method).expect("it is a method");
        assert_eq!(name("a.b.Made$View.m([[ILa/b/Cell;Z)V"), "Made$View.m(int[][], Cell, boolean)");
        assert_eq!(name("Cell.<init>()V"), "Cell.<init>()");
    }

    #[test]
    fn names_are_paths() {
        let field = |name: &str| Part::Field(name.into());
        assert_eq!(parsed("n"), (String::new(), field("n")));
        assert_eq!(parsed("m[].v"), ("m[]".into(), field("v")));
        assert_eq!(parsed("a.b[]"), ("a.b".into(), Part::Content));
        assert_eq!(parsed("table[k]"), ("table".into(), Part::Element));
        assert_eq!(parsed("this[]"), (String::new(), Part::Content));
        assert_eq!(lock("this"), LockName::Path(String::new()));
        assert_eq!(lock("lock this.a.b (2)"), LockName::Path("a.b".into()));
        assert_eq!(lock("element of this.locks"), LockName::Path("locks[]".into()));
        assert_eq!(lock("Pool.class"), LockName::Class("Pool".into()));
        assert_eq!(lock("lock Pool.LOCK"), LockName::Static("Pool".into(), "LOCK".into()));
        assert_eq!(lock("operations of this.n"), LockName::Operations(Some("n".into())));
        assert_eq!(lock("\"text (1)\""), LockName::Literal);
    }
}
