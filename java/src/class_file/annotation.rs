//! Annotations of classes, fields and methods.

use super::bytes::Bytes;
use super::constants::{Entry, Pool, Texts};
use super::descriptor::{NoType, Type, field_type};
use super::error::{Malformed, Problem, ReadError};
use super::names::{Name, Names};

/// An annotation: `@GuardedBy("lock")`.
#[derive(Clone, Debug, PartialEq)]
pub struct Annotation {
    /// The name of its class.
    pub class: Name,
    /// The explicit elements, except nested annotations and arrays of arrays.
    pub elements: Box<[(Name, AnnotationValue)]>,
}

impl Annotation {
    /// The value of an element.
    pub fn element(&self, name: Name) -> Option<&AnnotationValue> {
        self.elements.iter().find(|element| element.0 == name).map(|element| &element.1)
    }
}

/// The value of an annotation's element.
#[derive(Clone, Debug, PartialEq)]
pub enum AnnotationValue {
    /// A boolean, byte, char, short or int.
    Int(i32),
    /// A long.
    Long(i64),
    /// A float.
    Float(f32),
    /// A double.
    Double(f64),
    /// A string.
    String(Name),
    /// A constant of an enumeration.
    Enum(Name),
    /// A class, by its descriptor.
    Class(Name),
    /// An array of such values; nested annotations and arrays are omitted.
    Array(Box<[AnnotationValue]>),
}

/// Appends the annotations of an attribute to a list.
pub(crate) fn read<'a>(
    mut bytes: Bytes<'a>,
    (pool, texts): (&Pool, &Texts<'a>),
    names: &mut Names,
    found: &mut Vec<Annotation>,
) -> Result<(), ReadError> {
    let mut reader = Reader { bytes: &mut bytes, pool, texts, names };
    for _ in 0..reader.bytes.u2()? {
        found.push(reader.annotation()?);
    }
    Ok(())
}

struct Reader<'r, 'a> {
    bytes: &'r mut Bytes<'a>,
    pool: &'r Pool,
    texts: &'r Texts<'a>,
    names: &'r mut Names,
}

/// The rest of a nested value that is skipped: the number of its remaining parts.
enum Skipped {
    Values(u16),
    Elements(u16),
}

impl Reader<'_, '_> {
    fn text(&mut self) -> Result<Name, ReadError> {
        let index = self.bytes.u2()?;
        let text = self.texts.get(index).map_err(|problem| self.bytes.problem(problem))?;
        Ok(self.names.add_modified(text)?)
    }

    fn annotation(&mut self) -> Result<Annotation, ReadError> {
        let descriptor = self.text()?;
        let class = match field_type(self.names, descriptor) {
            Ok(Type::Class(class)) => class,
            Ok(_) | Err(NoType::Wrong) => {
                let text = self.names.text(descriptor).to_string();
                return Err(self.bytes.problem(Problem::Descriptor(text)).into());
            }
            Err(NoType::Full) => return Err(ReadError::Full),
        };
        let mut elements = Vec::new();
        for _ in 0..self.bytes.u2()? {
            let name = self.text()?;
            if let Some(value) = self.value()? {
                elements.push((name, value));
            }
        }
        Ok(Annotation { class, elements: elements.into() })
    }

    /// Reads a value; returns none for an annotation.
    fn value(&mut self) -> Result<Option<AnnotationValue>, ReadError> {
        match self.bytes.u1()? {
            b'[' => {
                let mut values = Vec::new();
                for _ in 0..self.bytes.u2()? {
                    let tag = self.bytes.u1()?;
                    values.extend(self.simple(tag)?);
                }
                Ok(Some(AnnotationValue::Array(values.into())))
            }
            tag => self.simple(tag),
        }
    }

    /// Reads the rest of a value after its tag. Arrays and annotations are skipped.
    fn simple(&mut self, tag: u8) -> Result<Option<AnnotationValue>, ReadError> {
        Ok(Some(match tag {
            b's' => AnnotationValue::String(self.text()?),
            b'c' => AnnotationValue::Class(self.text()?),
            b'e' => {
                self.text()?;
                AnnotationValue::Enum(self.text()?)
            }
            b'[' => {
                let count = self.bytes.u2()?;
                self.skip(Skipped::Values(count))?;
                return Ok(None);
            }
            b'@' => {
                self.bytes.u2()?;
                let count = self.bytes.u2()?;
                self.skip(Skipped::Elements(count))?;
                return Ok(None);
            }
            b'B' | b'C' | b'D' | b'F' | b'I' | b'J' | b'S' | b'Z' => {
                let index = self.bytes.u2()?;
                match self.pool.get(index) {
                    Entry::Integer(value) => AnnotationValue::Int(value),
                    Entry::Long(value) => AnnotationValue::Long(value),
                    Entry::Float(value) => AnnotationValue::Float(value),
                    Entry::Double(value) => AnnotationValue::Double(value),
                    _ => return Err(self.bytes.problem(Problem::PoolEntry { index, expected: "a number" }).into()),
                }
            }
            _ => return Err(self.wrong().into()),
        }))
    }

    fn wrong(&self) -> Malformed {
        self.bytes.problem(Problem::Attribute("annotation".into()))
    }

    /// Skips values without recursion, whatever their nesting depth.
    fn skip(&mut self, first: Skipped) -> Result<(), ReadError> {
        let mut open = vec![first];
        while let Some(innermost) = open.last_mut() {
            let (Skipped::Values(left) | Skipped::Elements(left)) = innermost;
            let Some(fewer) = left.checked_sub(1) else {
                open.pop();
                continue;
            };
            *left = fewer;
            if let Skipped::Elements(_) = innermost {
                self.bytes.u2()?;
            }
            match self.bytes.u1()? {
                b'[' => open.push(Skipped::Values(self.bytes.u2()?)),
                b'@' => {
                    self.bytes.u2()?;
                    open.push(Skipped::Elements(self.bytes.u2()?));
                }
                b'e' => {
                    self.bytes.u4()?;
                }
                b'B' | b'C' | b'D' | b'F' | b'I' | b'J' | b'S' | b'Z' | b's' | b'c' => {
                    self.bytes.u2()?;
                }
                _ => return Err(self.wrong().into()),
            }
        }
        Ok(())
    }
}
