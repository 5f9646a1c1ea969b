//! Types, and the parser of descriptors (JVMS 4.3).

use super::names::{Full, Name, Names};

/// The computational type of a value in a local variable or on the operand stack (JVMS 2.11.1).
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Kind {
    /// A boolean, byte, char, short or int.
    Int,
    /// A long, which takes two slots.
    Long,
    /// A float.
    Float,
    /// A double, which takes two slots.
    Double,
    /// A reference to an object or array, or null; also the return address of a `jsr`.
    Reference,
}

impl Kind {
    /// The number of slots that it takes, 1 or 2: the *category* of the value.
    pub fn slots(self) -> usize {
        match self {
            Self::Int | Self::Float | Self::Reference => 1,
            Self::Long | Self::Double => 2,
        }
    }
}

/// The type of a field, a parameter or a result.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Type {
    /// `boolean`.
    Boolean,
    /// `byte`.
    Byte,
    /// `char`.
    Char,
    /// `short`.
    Short,
    /// `int`.
    Int,
    /// `long`.
    Long,
    /// `float`.
    Float,
    /// `double`.
    Double,
    /// A class or interface, by its name (`java/lang/Object`).
    Class(Name),
    /// An array, by its descriptor (`[[I`, `[Ljava/lang/Object;`).
    Array(Name),
}

impl Type {
    /// The computational type of its values.
    pub fn kind(self) -> Kind {
        match self {
            Self::Boolean | Self::Byte | Self::Char | Self::Short | Self::Int => Kind::Int,
            Self::Long => Kind::Long,
            Self::Float => Kind::Float,
            Self::Double => Kind::Double,
            Self::Class(_) | Self::Array(_) => Kind::Reference,
        }
    }

    /// The descriptor of an array of a primitive type; none for other types.
    pub(crate) fn primitive_array(self) -> Option<&'static str> {
        match self {
            Self::Boolean => Some("[Z"),
            Self::Byte => Some("[B"),
            Self::Char => Some("[C"),
            Self::Short => Some("[S"),
            Self::Int => Some("[I"),
            Self::Long => Some("[J"),
            Self::Float => Some("[F"),
            Self::Double => Some("[D"),
            Self::Class(_) | Self::Array(_) => None,
        }
    }

    /// Whether its values are references.
    pub fn is_reference(self) -> bool {
        self.kind() == Kind::Reference
    }
}

/// The types of the parameters of a method, without the receiver, and of its result.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct MethodType {
    /// The types of the parameters in order.
    pub parameters: Box<[Type]>,
    /// The type of the result; none for `void`.
    pub result: Option<Type>,
}

/// A failure to parse a descriptor.
pub(crate) enum NoType {
    /// The text is not a descriptor.
    Wrong,
    /// The table of names is full.
    Full,
}

impl From<Full> for NoType {
    fn from(_: Full) -> Self {
        Self::Full
    }
}

/// Parses the descriptor of a field.
pub(crate) fn field_type(names: &mut Names, descriptor: Name) -> Result<Type, NoType> {
    let text = names.text(descriptor).to_string();
    match one(names, descriptor, &text)? {
        (found, "") => Ok(found),
        _ => Err(NoType::Wrong),
    }
}

/// Parses the descriptor of a method, which may have at most 255 slots of parameters.
pub(crate) fn method_type(names: &mut Names, descriptor: Name) -> Result<MethodType, NoType> {
    let text = names.text(descriptor).to_string();
    let mut rest = text.strip_prefix('(').ok_or(NoType::Wrong)?;
    let mut parameters = Vec::new();
    while !rest.starts_with(')') {
        let (parameter, after) = one(names, descriptor, rest)?;
        parameters.push(parameter);
        rest = after;
    }
    let slots: usize = parameters.iter().map(|parameter| parameter.kind().slots()).sum();
    if slots > 255 {
        return Err(NoType::Wrong);
    }
    let result = match &rest[1..] {
        "V" => None,
        result => match one(names, descriptor, result)? {
            (found, "") => Some(found),
            _ => return Err(NoType::Wrong),
        },
    };
    Ok(MethodType { parameters: parameters.into(), result })
}

/// Parses the first type of a part of a descriptor; returns it with the rest of the text.
fn one<'t>(names: &mut Names, whole: Name, text: &'t str) -> Result<(Type, &'t str), NoType> {
    let element = text.trim_start_matches('[');
    let dimensions = text.len() - element.len();
    let simple = |found| Ok((found, 1));
    let (found, length) = match element.as_bytes().first() {
        Some(b'Z') => simple(Type::Boolean),
        Some(b'B') => simple(Type::Byte),
        Some(b'C') => simple(Type::Char),
        Some(b'S') => simple(Type::Short),
        Some(b'I') => simple(Type::Int),
        Some(b'J') => simple(Type::Long),
        Some(b'F') => simple(Type::Float),
        Some(b'D') => simple(Type::Double),
        Some(b'L') => {
            let end = element.find(';').ok_or(NoType::Wrong)?;
            let name = &element[1..end];
            if name.is_empty() || name.contains(['.', '[']) {
                return Err(NoType::Wrong);
            }
            Ok((Type::Class(names.add_part(whole, name)?), end + 1))
        }
        _ => Err(NoType::Wrong),
    }?;
    let (descriptor, rest) = text.split_at(dimensions + length);
    match dimensions {
        0 => Ok((found, rest)),
        1..=255 => {
            // The element types of the two outer dimensions are interned as well. More could make the names larger than
            // the text.
            for inner in (1..dimensions).take(2) {
                names.add_part(whole, &descriptor[inner..])?;
            }
            Ok((Type::Array(names.add_part(whole, descriptor)?), rest))
        }
        _ => Err(NoType::Wrong),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn method_type(names: &mut Names, text: &str) -> Result<MethodType, NoType> {
        let name = names.add(text).expect("the table of names has room");
        super::method_type(names, name)
    }

    fn field_type(names: &mut Names, text: &str) -> Result<Type, NoType> {
        let name = names.add(text).expect("the table of names has room");
        super::field_type(names, name)
    }

    #[test]
    fn descriptors_are_parsed() {
        let mut names = Names::default();
        let found = method_type(&mut names, "(IJ[[DLjava/lang/String;[Lx;Z)[I").ok().expect("it is a descriptor");
        let name = |text| names.find(text).expect("the name is interned");
        let string = Type::Class(name("java/lang/String"));
        let expected =
            [Type::Int, Type::Long, Type::Array(name("[[D")), string, Type::Array(name("[Lx;")), Type::Boolean];
        assert_eq!(*found.parameters, expected);
        assert_eq!(found.result, Some(Type::Array(name("[I"))));
        assert_eq!(method_type(&mut names, "()V").ok().map(|found| found.result), Some(None));
    }

    #[test]
    fn invalid_descriptors_are_rejected() {
        let mut names = Names::default();
        let deep = format!("{}I", "[".repeat(256));
        for text in ["", "(", "()", "(V)V", "()VV", "(I", "I", "()Ljava/lang/String", "(L;)V", "()[", "(La.b;)V"] {
            assert!(method_type(&mut names, text).is_err(), "{text}");
        }
        for text in ["", "V", "II", "[", "L", "Lx", "é", &deep] {
            assert!(field_type(&mut names, text).is_err(), "{text}");
        }
        let many = |count| format!("({})V", "J".repeat(count));
        assert!(method_type(&mut names, &many(127)).is_ok());
        assert!(method_type(&mut names, &many(128)).is_err());
    }
}
