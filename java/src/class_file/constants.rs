//! The constant pool of a class, with all references between entries resolved.

use super::bytes::Bytes;
use super::error::{Malformed, Problem, ReadError};
use super::names::{Full, Name, Names};

/// A symbolic reference to a field or method.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Member {
    /// The class in which resolution begins; for methods of arrays, the descriptor of the array.
    pub class: Name,
    /// Its name.
    pub name: Name,
    /// Its descriptor.
    pub descriptor: Name,
}

/// The operation of a method handle: the reference kinds 1 to 9 of the format (JVMS 4.4.8).
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum HandleKind {
    /// Reads an instance field.
    GetField,
    /// Reads a static field.
    GetStatic,
    /// Writes an instance field.
    PutField,
    /// Writes a static field.
    PutStatic,
    /// Calls a method of a class, with dynamic dispatch.
    InvokeVirtual,
    /// Calls a static method.
    InvokeStatic,
    /// Calls exactly this instance method, without dynamic dispatch.
    InvokeSpecial,
    /// Creates an object with this constructor.
    NewInvokeSpecial,
    /// Calls a method of an interface, with dynamic dispatch.
    InvokeInterface,
}

/// A method handle: a reference to a method or field as a constant.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Handle {
    /// The operation.
    pub kind: HandleKind,
    /// The field or method.
    pub member: Member,
}

/// An entry of a constant pool.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Entry {
    /// An entry that code does not refer to, or a damaged one.
    None,
    Integer(i32),
    Float(f32),
    Long(i64),
    Double(f64),
    Class(Name),
    String(Name),
    Field(Member),
    Method(Member),
    InterfaceMethod(Member),
    Handle(Handle),
    MethodType(Name),
    /// A dynamic constant: the index of the bootstrap method, the name and the descriptor.
    Dynamic(u16, Name, Name),
    /// A call site: the index of the bootstrap method, the name and the descriptor.
    InvokeDynamic(u16, Name, Name),
}

/// A constant pool. A damaged entry is an error only where it is used.
#[derive(Clone, Debug, Default)]
pub(crate) struct Pool(Box<[Entry]>);

macro_rules! entry {
    ($(#[$doc:meta])* $name:ident, $variant:ident, $result:ty, $expected:literal) => {
        $(#[$doc])*
        pub(crate) fn $name(&self, index: u16) -> Result<$result, Problem> {
            match self.get(index) {
                Entry::$variant(found) => Ok(found),
                _ => Err(Problem::PoolEntry { index, expected: $expected }),
            }
        }
    };
}

impl Pool {
    /// The entry at an index; [`Entry::None`] for an invalid index.
    pub(crate) fn get(&self, index: u16) -> Entry {
        self.0.get(usize::from(index)).copied().unwrap_or(Entry::None)
    }

    entry!(
        /// The class at an index.
        class, Class, Name, "a class"
    );
    entry!(
        /// The field at an index.
        field, Field, Member, "a field"
    );
    entry!(
        /// The method handle at an index.
        handle, Handle, Handle, "a method handle"
    );

    /// The class at an index; none at index 0.
    pub(crate) fn optional_class(&self, index: u16) -> Result<Option<Name>, Problem> {
        if index == 0 { Ok(None) } else { self.class(index).map(Some) }
    }

    /// All entries in order, with [`Entry::None`] for damaged and unused ones.
    pub(crate) fn entries(&self) -> impl Iterator<Item = Entry> {
        self.0.iter().copied()
    }
}

/// The texts of a constant pool, which are needed only while the class is read.
pub(crate) struct Texts<'a>(Vec<Raw<'a>>);

impl<'a> Texts<'a> {
    /// The text at an index, in modified UTF-8.
    pub(crate) fn get(&self, index: u16) -> Result<&'a [u8], Problem> {
        match self.0.get(usize::from(index)) {
            Some(Raw::Text(text)) => Ok(text),
            _ => Err(Problem::PoolEntry { index, expected: "a text" }),
        }
    }
}

/// An unresolved entry, with indices of other entries.
#[derive(Clone, Copy)]
enum Raw<'a> {
    Unusable,
    Text(&'a [u8]),
    Done(Entry),
    Class(u16),
    String(u16),
    Member(u8, u16, u16),
    NameAndType(u16, u16),
    Handle(u8, u16),
    MethodType(u16),
    Dynamic(u8, u16, u16),
}

/// Reads a constant pool and resolves its entries. Linear in its size.
pub(crate) fn read<'a>(bytes: &mut Bytes<'a>, names: &mut Names) -> Result<(Pool, Texts<'a>), ReadError> {
    let raw = read_raw(bytes)?;
    let mut resolver = Resolver { texts: vec![None; raw.len()], raw: &raw, names };
    let mut entries = Vec::with_capacity(raw.len());
    for entry in &raw {
        entries.push(resolver.resolve(*entry)?.unwrap_or(Entry::None));
    }
    Ok((Pool(entries.into()), Texts(raw)))
}

fn read_raw<'a>(bytes: &mut Bytes<'a>) -> Result<Vec<Raw<'a>>, Malformed> {
    let count = usize::from(bytes.u2()?);
    // Every entry takes at least three bytes.
    let mut raw = Vec::with_capacity(count.min(bytes.len() / 3 + 2));
    raw.push(Raw::Unusable);
    while raw.len() < count {
        let tag_is_here = *bytes;
        let entry = match bytes.u1()? {
            1 => {
                let length = usize::from(bytes.u2()?);
                Raw::Text(bytes.take(length)?)
            }
            3 => Raw::Done(Entry::Integer(bytes.u4()?.cast_signed())),
            4 => Raw::Done(Entry::Float(f32::from_bits(bytes.u4()?))),
            5 => Raw::Done(Entry::Long(bytes.u8()?.cast_signed())),
            6 => Raw::Done(Entry::Double(f64::from_bits(bytes.u8()?))),
            7 => Raw::Class(bytes.u2()?),
            8 => Raw::String(bytes.u2()?),
            tag @ 9..=11 => Raw::Member(tag, bytes.u2()?, bytes.u2()?),
            12 => Raw::NameAndType(bytes.u2()?, bytes.u2()?),
            15 => Raw::Handle(bytes.u1()?, bytes.u2()?),
            16 => Raw::MethodType(bytes.u2()?),
            tag @ (17 | 18) => Raw::Dynamic(tag, bytes.u2()?, bytes.u2()?),
            // A module or a package, to which code never refers.
            19 | 20 => {
                bytes.u2()?;
                Raw::Unusable
            }
            tag => return Err(tag_is_here.problem(Problem::PoolTag(tag))),
        };
        let takes_two = matches!(entry, Raw::Done(Entry::Long(_) | Entry::Double(_)));
        raw.push(entry);
        if takes_two {
            raw.push(Raw::Unusable);
        }
    }
    raw.truncate(count);
    Ok(raw)
}

struct Resolver<'r, 'a> {
    raw: &'r [Raw<'a>],
    /// The names of the texts that have been interned.
    texts: Vec<Option<Name>>,
    names: &'r mut Names,
}

impl<'a> Resolver<'_, 'a> {
    fn raw(&self, index: u16) -> Raw<'a> {
        self.raw.get(usize::from(index)).copied().unwrap_or(Raw::Unusable)
    }

    fn text(&mut self, index: u16) -> Result<Option<Name>, Full> {
        let Raw::Text(bytes) = self.raw(index) else { return Ok(None) };
        let known = &mut self.texts[usize::from(index)];
        if known.is_none() {
            *known = Some(self.names.add_modified(bytes)?);
        }
        Ok(*known)
    }

    fn class(&mut self, index: u16) -> Result<Option<Name>, Full> {
        match self.raw(index) {
            Raw::Class(name) => self.text(name),
            _ => Ok(None),
        }
    }

    fn name_and_type(&mut self, index: u16) -> Result<Option<(Name, Name)>, Full> {
        let Raw::NameAndType(name, descriptor) = self.raw(index) else { return Ok(None) };
        Ok(self.text(name)?.zip(self.text(descriptor)?))
    }

    fn member(&mut self, class: u16, name_and_type: u16) -> Result<Option<Member>, Full> {
        let found = self.class(class)?.zip(self.name_and_type(name_and_type)?);
        Ok(found.map(|(class, (name, descriptor))| Member { class, name, descriptor }))
    }

    fn resolve(&mut self, raw: Raw<'a>) -> Result<Option<Entry>, Full> {
        Ok(match raw {
            // Texts are interned on demand.
            Raw::Unusable | Raw::NameAndType(..) | Raw::Text(_) => None,
            Raw::Done(entry) => Some(entry),
            Raw::Class(name) => self.text(name)?.map(Entry::Class),
            Raw::String(text) => self.text(text)?.map(Entry::String),
            Raw::MethodType(descriptor) => self.text(descriptor)?.map(Entry::MethodType),
            Raw::Member(tag, class, name_and_type) => {
                let kind = match tag {
                    9 => Entry::Field,
                    10 => Entry::Method,
                    _ => Entry::InterfaceMethod,
                };
                self.member(class, name_and_type)?.map(kind)
            }
            Raw::Handle(kind, member) => self.handle(kind, member)?.map(Entry::Handle),
            Raw::Dynamic(tag, bootstrap, name_and_type) => {
                let kind = if tag == 17 { Entry::Dynamic } else { Entry::InvokeDynamic };
                let found = self.name_and_type(name_and_type)?;
                found.map(|(name, descriptor)| kind(bootstrap, name, descriptor))
            }
        })
    }

    fn handle(&mut self, kind: u8, member: u16) -> Result<Option<Handle>, Full> {
        let kind = match kind {
            1 => HandleKind::GetField,
            2 => HandleKind::GetStatic,
            3 => HandleKind::PutField,
            4 => HandleKind::PutStatic,
            5 => HandleKind::InvokeVirtual,
            6 => HandleKind::InvokeStatic,
            7 => HandleKind::InvokeSpecial,
            8 => HandleKind::NewInvokeSpecial,
            9 => HandleKind::InvokeInterface,
            _ => return Ok(None),
        };
        let Raw::Member(_, class, name_and_type) = self.raw(member) else { return Ok(None) };
        Ok(self.member(class, name_and_type)?.map(|member| Handle { kind, member }))
    }
}
