//! The internal representation of a table.

use super::action::Action;
use super::attributes::Attributes;
use super::row::Traits;

/// A class with the rows of its methods.
#[derive(Clone, Debug, Default)]
pub(super) struct ClassRow {
    pub(super) attributes: Attributes,
    pub(super) is_interface: bool,
    /// The method that runs when an object is used as a function.
    pub(super) function: Option<Box<str>>,
    pub(super) like: Vec<Box<str>>,
    pub(super) methods: Vec<MethodRow>,
}

/// A row: a pattern of methods and their actions.
#[derive(Clone, Debug)]
pub(super) struct MethodRow {
    pub(super) pattern: Pattern,
    pub(super) body: Body,
}

/// The right side of a row.
#[derive(Clone, Debug, Default)]
pub(super) struct Body {
    pub(super) actions: Box<[Action]>,
    pub(super) traits: Traits,
}

/// A pattern of methods.
#[derive(Clone, Debug)]
pub(super) struct Pattern {
    pub(super) name: Box<str>,
    /// The types of the parameters; none for any parameters.
    pub(super) parameters: Option<Box<[Parameter]>>,
}

/// The type of a parameter.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Parameter {
    /// Any type.
    Any,
    /// `Object`, `java.util.Map`, `int[]`.
    Type(Box<str>),
}

impl Pattern {
    /// Whether the pattern matches a method. `parameters` returns the full names of the parameter types, or none if the
    /// descriptor of the method is invalid.
    pub(super) fn fits<'p>(&self, name: &str, parameters: impl Fn() -> Option<&'p [String]>) -> bool {
        let fit = |wanted: &[Parameter]| {
            let Some(given) = parameters() else { return false };
            wanted.len() == given.len() && wanted.iter().zip(given).all(|(wanted, given)| wanted.fits(given))
        };
        *self.name == *name && self.parameters.as_deref().is_none_or(fit)
    }

    /// Whether it matches all methods that another pattern matches.
    pub(super) fn covers(&self, other: &Self) -> bool {
        self.name == other.name && (self.parameters.is_none() || self.parameters == other.parameters)
    }

    /// Whether it matches all methods.
    pub(super) fn is_any(&self) -> bool {
        &*self.name == "*"
    }
}

impl Parameter {
    /// Whether it matches a type with this full name: `java.util.Map.Entry`, `int[]`.
    fn fits(&self, given: &str) -> bool {
        match self {
            Self::Any => true,
            Self::Type(wanted) => {
                &**wanted == given || given.strip_suffix(&**wanted).is_some_and(|before| before.ends_with('.'))
            }
        }
    }
}

impl ClassRow {
    /// The row of all methods.
    pub(super) fn any(&self) -> Option<&MethodRow> {
        self.methods.iter().find(|method| method.pattern.is_any())
    }

    /// Puts this class in front of the same class of an earlier text.
    pub(super) fn before(mut self, other: Self) -> Self {
        self.attributes = self.attributes.before(other.attributes);
        self.is_interface |= other.is_interface;
        self.function = self.function.or(other.function);
        self.like.extend(other.like);
        self.methods.extend(other.methods);
        self
    }
}

/// The parameter types of a descriptor in the notation of Java, with dots for nested classes; none if the descriptor is
/// invalid.
pub(super) fn simple_parameters(descriptor: &str) -> Option<Vec<String>> {
    let mut rest = descriptor.strip_prefix('(')?;
    let mut parameters = Vec::new();
    while !rest.starts_with(')') {
        let element = rest.trim_start_matches('[');
        let dimensions = rest.len() - element.len();
        let (name, length) = element_type(element)?;
        parameters.push(name.replace(['/', '$'], ".") + &"[]".repeat(dimensions));
        rest = &element[length..];
    }
    Some(parameters)
}

/// The first type of a text, which is not an array, and its length in bytes.
fn element_type(text: &str) -> Option<(&str, usize)> {
    let name = match text.as_bytes().first()? {
        b'Z' => "boolean",
        b'B' => "byte",
        b'C' => "char",
        b'S' => "short",
        b'I' => "int",
        b'J' => "long",
        b'F' => "float",
        b'D' => "double",
        b'L' => {
            let end = text.find(';')?;
            return Some((&text[1..end], end + 1));
        }
        _ => return None,
    };
    Some((name, 1))
}
