//! The rows of a table as they are kept.

use super::action::Action;
use super::attributes::Attributes;
use super::row::Traits;

/// A class and its methods.
#[derive(Clone, Debug, Default)]
pub(super) struct ClassRow {
    pub(super) attributes: Attributes,
    pub(super) is_interface: bool,
    /// The method that is called of an object of a functional interface.
    pub(super) function: Option<Box<str>>,
    pub(super) like: Vec<Box<str>>,
    pub(super) methods: Vec<MethodRow>,
}

/// A method and what it does.
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

/// Which methods a row is about.
#[derive(Clone, Debug)]
pub(super) struct Pattern {
    pub(super) name: Box<str>,
    /// The types of its parameters; none for any.
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
    /// Whether a method is meant, whose parameters are given by full names; none if its descriptor is none.
    pub(super) fn fits<'p>(&self, name: &str, parameters: impl Fn() -> Option<&'p [String]>) -> bool {
        let fit = |wanted: &[Parameter]| {
            let Some(given) = parameters() else { return false };
            wanted.len() == given.len() && wanted.iter().zip(given).all(|(wanted, given)| wanted.fits(given))
        };
        *self.name == *name && self.parameters.as_deref().is_none_or(fit)
    }

    /// Whether it means all methods that another pattern means.
    pub(super) fn covers(&self, other: &Self) -> bool {
        self.name == other.name && (self.parameters.is_none() || self.parameters == other.parameters)
    }

    /// Whether all methods are meant.
    pub(super) fn is_any(&self) -> bool {
        &*self.name == "*"
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

impl ClassRow {
    /// The row of all methods.
    pub(super) fn any(&self) -> Option<&MethodRow> {
        self.methods.iter().find(|method| method.pattern.is_any())
    }

    /// This row, of a text that stands in front of one with that.
    pub(super) fn before(mut self, other: Self) -> Self {
        self.attributes = self.attributes.before(other.attributes);
        self.is_interface |= other.is_interface;
        self.function = self.function.or(other.function);
        self.like.extend(other.like);
        self.methods.extend(other.methods);
        self
    }
}

/// The types of a descriptor's parameters as Java writes them, inner classes with a dot; none if it is no descriptor.
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

/// The first type of a list of types that are no arrays, and how many bytes it takes.
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
