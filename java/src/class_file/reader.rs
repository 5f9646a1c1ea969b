//! The reader of class files.
//!
//! **Invariant.** Damage is confined to the smallest part: a damaged attribute is omitted, a method with a damaged
//! `Code` attribute has code that cannot be decoded, and an invalid constant pool entry is an error only where it is
//! used. Only damage outside of attributes costs the whole class, because the rest of the file depends on it.

use super::annotation::{self, Annotation};
use super::bytes::Bytes;
use super::class::{Bootstrap, Class, Field, Method, MethodCode, RawCode};
use super::constants::{self, Entry, Pool, Texts};
use super::error::{Malformed, Problem, ReadError};
use super::flags::Flags;
use super::ids::{ClassId, OriginId};
use super::names::{Full, Name, Names};
use super::role::Role;
use super::type_table::TypeTable;
use rustc_hash::FxHashSet;

/// The known major versions: Java 1.1 to 25.
pub(crate) const VERSIONS: std::ops::RangeInclusive<u16> = 45..=69;

/// The content of a class file.
pub(crate) struct ClassFile {
    /// The class. Its ranges of fields and methods are still empty.
    pub(crate) class: Class,
    pub(crate) fields: Vec<Field>,
    pub(crate) methods: Vec<Method>,
    /// The damaged parts, which are omitted.
    pub(crate) damaged: Vec<Malformed>,
}

/// The identity of the class in the program.
#[derive(Clone, Copy)]
pub(crate) struct Place {
    pub(crate) id: ClassId,
    pub(crate) origin: OriginId,
    pub(crate) role: Role,
}

/// Reads a class file; returns none for the description of a module. Linear in the size of the file.
pub(crate) fn read(
    bytes: &[u8],
    place: Place,
    names: &mut Names,
    types: &mut TypeTable,
) -> Result<Option<ClassFile>, ReadError> {
    let mut bytes = Bytes::new(bytes);
    if bytes.u4().ok() != Some(0xCAFE_BABE) {
        return Err(Malformed { offset: 0, problem: Problem::NoClassFile }.into());
    }
    bytes.u2()?;
    let version = bytes.u2()?;
    if version < *VERSIONS.start() {
        return Err(bytes.problem(Problem::Version(version)).into());
    }
    let (pool, texts) = constants::read(&mut bytes, names)?;
    types.add_pool(&pool, names)?;
    let flags = Flags(bytes.u2()?);
    if flags.is_module() {
        return Ok(None);
    }
    let mut reader = Reader {
        bytes,
        pool,
        texts,
        names,
        types,
        code: Vec::new(),
        searched: 0,
        arrays: FxHashSet::default(),
        damaged: Vec::new(),
    };
    reader.class(place, version, flags).map(Some)
}

struct Reader<'r, 'a> {
    bytes: Bytes<'a>,
    pool: Pool,
    texts: Texts<'a>,
    names: &'r mut Names,
    types: &'r mut TypeTable,
    code: Vec<u8>,
    /// The length of the prefix of `code` that has been searched for arrays.
    searched: usize,
    /// The classes whose array descriptors have been interned.
    arrays: FxHashSet<Name>,
    damaged: Vec<Malformed>,
}

/// The attributes of a class.
#[derive(Default)]
struct ClassAttributes {
    annotations: Vec<Annotation>,
    source_file: Option<Name>,
    nest_host: Option<Name>,
    outer: Option<Name>,
    is_anonymous: bool,
    is_hidden: bool,
    record: Option<Box<[Name]>>,
    bootstraps: Box<[Bootstrap]>,
}

/// The entry of a nested class in the attribute `InnerClasses`.
struct Inner {
    /// The class of which it is a member; none for local and anonymous classes.
    outer: Option<Name>,
    is_anonymous: bool,
    /// The flags from the source. The flags of the class file cannot express `private` and `protected`.
    flags: Flags,
}

impl<'a> Reader<'_, 'a> {
    fn class(&mut self, place: Place, version: u16, flags: Flags) -> Result<ClassFile, ReadError> {
        let name = self.class_at(&mut self.bytes.clone())?;
        self.bytes.u2()?;
        let index = self.bytes.u2()?;
        let superclass = self.pool.optional_class(index).map_err(|problem| self.bytes.problem(problem))?;
        let count = usize::from(self.bytes.u2()?);
        let mut list = self.bytes.part(count * 2)?;
        let mut interfaces = Vec::with_capacity(count);
        for _ in 0..count {
            interfaces.push(self.class_at(&mut list)?);
        }
        let fields = self.fields(place.id)?;
        let methods = self.methods(place.id)?;
        let attributes = self.class_attributes(name)?;
        let class = Class {
            name,
            flags,
            version,
            superclass,
            interfaces: interfaces.into(),
            source_file: attributes.source_file,
            annotations: attributes.annotations.into(),
            nest_host: attributes.nest_host,
            outer: attributes.outer,
            is_anonymous: attributes.is_anonymous,
            is_hidden: attributes.is_hidden,
            record: attributes.record,
            origin: place.origin,
            role: place.role,
            is_library: place.role != Role::Given,
            fields: 0..0,
            methods: 0..0,
            pool: std::mem::take(&mut self.pool),
            bootstraps: attributes.bootstraps,
            code: std::mem::take(&mut self.code).into(),
        };
        Ok(ClassFile { class, fields, methods, damaged: std::mem::take(&mut self.damaged) })
    }

    /// Reads the index of a class.
    fn class_at(&self, bytes: &mut Bytes<'_>) -> Result<Name, Malformed> {
        let index = bytes.u2()?;
        self.pool.class(index).map_err(|problem| bytes.problem(problem))
    }

    /// Reads the index of a text.
    fn text_at(&self, bytes: &mut Bytes<'_>) -> Result<&'a [u8], Malformed> {
        let index = bytes.u2()?;
        self.texts.get(index).map_err(|problem| bytes.problem(problem))
    }

    fn name_at(&mut self, bytes: &mut Bytes<'_>) -> Result<Name, ReadError> {
        let text = self.text_at(bytes)?;
        Ok(self.names.add_modified(text)?)
    }

    /// Reads the flags, name and descriptor of a field or method.
    fn member(&mut self) -> Result<(Flags, Name, Name), ReadError> {
        let mut bytes = self.bytes.part(6)?;
        Ok((Flags(bytes.u2()?), self.name_at(&mut bytes)?, self.name_at(&mut bytes)?))
    }

    fn fields(&mut self, class: ClassId) -> Result<Vec<Field>, ReadError> {
        let count = usize::from(self.bytes.u2()?);
        // A field takes at least eight bytes.
        let mut fields = Vec::with_capacity(count.min(self.bytes.len() / 8));
        for _ in 0..count {
            let (flags, name, descriptor) = self.member()?;
            self.types.add_field(descriptor, self.names)?;
            let mut annotations = Vec::new();
            self.attributes(|reader, name, content| reader.annotations(name, content, &mut annotations))?;
            fields.push(Field { class, name, descriptor, flags, annotations: annotations.into() });
        }
        Ok(fields)
    }

    fn methods(&mut self, class: ClassId) -> Result<Vec<Method>, ReadError> {
        let count = usize::from(self.bytes.u2()?);
        let mut methods = Vec::with_capacity(count.min(self.bytes.len() / 8));
        for _ in 0..count {
            let (flags, name, descriptor) = self.member()?;
            self.types.add_method(descriptor, self.names)?;
            let mut annotations = Vec::new();
            let mut code = None;
            self.attributes(|reader, name, content| {
                if name != b"Code" {
                    return reader.annotations(name, content, &mut annotations);
                }
                let found = reader.code(content);
                if found.is_ok() {
                    reader.name_arrays()?;
                }
                reader.damaged.extend(found.as_ref().err().cloned());
                code = Some(Box::new(match found {
                    Ok(raw) => MethodCode::Read(raw),
                    Err(malformed) => MethodCode::Damaged(malformed),
                }));
                Ok(())
            })?;
            methods.push(Method { class, name, descriptor, flags, annotations: annotations.into(), code });
        }
        Ok(methods)
    }

    /// Passes each attribute to a function. Damaged attributes are recorded and skipped.
    fn attributes(
        &mut self,
        mut each: impl FnMut(&mut Self, &[u8], Bytes<'a>) -> Result<(), ReadError>,
    ) -> Result<(), ReadError> {
        for _ in 0..self.bytes.u2()? {
            let mut name = self.bytes.part(2)?;
            let length = self.bytes.length()?;
            let content = self.bytes.part(length)?;
            let found = self.text_at(&mut name).map_err(ReadError::from);
            match found.and_then(|name| each(self, name, content)) {
                Err(ReadError::Malformed(malformed)) => self.damaged.push(malformed),
                other => other?,
            }
        }
        Ok(())
    }

    fn annotations(&mut self, name: &[u8], content: Bytes<'a>, found: &mut Vec<Annotation>) -> Result<(), ReadError> {
        match name {
            b"RuntimeVisibleAnnotations" | b"RuntimeInvisibleAnnotations" => {
                annotation::read(content, (&self.pool, &self.texts), self.names, found)
            }
            _ => Ok(()),
        }
    }

    fn class_attributes(&mut self, own: Name) -> Result<ClassAttributes, ReadError> {
        let mut found = ClassAttributes::default();
        self.attributes(|reader, name, mut content| {
            match name {
                b"SourceFile" => found.source_file = Some(reader.name_at(&mut content)?),
                b"NestHost" => found.nest_host = Some(reader.class_at(&mut content)?),
                b"EnclosingMethod" => found.outer = Some(reader.class_at(&mut content)?),
                b"InnerClasses" => {
                    if let Some(inner) = reader.inner(own, content)? {
                        found.outer = inner.outer.or(found.outer);
                        found.is_anonymous = inner.is_anonymous;
                        found.is_hidden = inner.is_anonymous || inner.outer.is_none() || inner.flags.is_private();
                    }
                }
                b"Record" => found.record = Some(reader.record(content)?),
                b"BootstrapMethods" => found.bootstraps = reader.bootstraps(content)?,
                _ => reader.annotations(name, content, &mut found.annotations)?,
            }
            Ok(())
        })?;
        Ok(found)
    }

    /// Finds the entry of the class itself in `InnerClasses`; none if the class is not nested.
    fn inner(&self, own: Name, mut content: Bytes<'_>) -> Result<Option<Inner>, Malformed> {
        for _ in 0..content.u2()? {
            let inner = self.class_at(&mut content)?;
            let outer = content.u2()?;
            let name = content.u2()?;
            let flags = Flags(content.u2()?);
            if inner == own {
                let outer = self.pool.optional_class(outer).map_err(|problem| content.problem(problem))?;
                return Ok(Some(Inner { outer, is_anonymous: name == 0, flags }));
            }
        }
        Ok(None)
    }

    fn record(&mut self, mut content: Bytes<'_>) -> Result<Box<[Name]>, ReadError> {
        let mut components = Vec::new();
        for _ in 0..content.u2()? {
            components.push(self.name_at(&mut content)?);
            content.u2()?;
            for _ in 0..content.u2()? {
                content.u2()?;
                let length = content.length()?;
                content.take(length)?;
            }
        }
        Ok(components.into())
    }

    fn bootstraps(&self, mut content: Bytes<'_>) -> Result<Box<[Bootstrap]>, ReadError> {
        let mut bootstraps = Vec::new();
        for _ in 0..content.u2()? {
            let index = content.u2()?;
            let method = self.pool.handle(index).map_err(|problem| content.problem(problem))?;
            let count = usize::from(content.u2()?);
            let mut list = content.part(count * 2)?;
            let mut arguments = Vec::with_capacity(count);
            for _ in 0..count {
                arguments.push(list.u2()?);
            }
            bootstraps.push(Bootstrap { method, arguments: arguments.into() });
        }
        Ok(bootstraps.into())
    }

    /// Interns the descriptors of the arrays that the most recently read code may create: one for each byte that looks
    /// like the opcode `anewarray`.
    fn name_arrays(&mut self) -> Result<(), Full> {
        const ANEWARRAY: u8 = 189;
        for bytes in self.code[self.searched..].windows(3).filter(|bytes| bytes[0] == ANEWARRAY) {
            let index = u16::from_be_bytes([bytes[1], bytes[2]]);
            if let Entry::Class(class) = self.pool.get(index)
                && self.arrays.insert(class)
            {
                self.names.add_array_of(class)?;
            }
        }
        self.searched = self.code.len();
        Ok(())
    }

    /// Copies the needed parts of a `Code` attribute to [`Class::code`].
    fn code(&mut self, mut content: Bytes<'a>) -> Result<RawCode, Malformed> {
        let (max_stack, max_locals) = (content.u2()?, content.u2()?);
        let length = content.length()?;
        if length == 0 || length > usize::from(u16::MAX) {
            return Err(content.problem(Problem::CodeLength(length)));
        }
        let code = content.take(length)?;
        let handlers = usize::from(content.u2()?) * 8;
        let handlers = content.take(handlers)?;
        let mut lines = Vec::new();
        let mut frames: &[u8] = &[];
        for _ in 0..content.u2()? {
            let name = self.text_at(&mut content)?;
            let length = content.length()?;
            let mut part = content.part(length)?;
            match name {
                b"LineNumberTable" => {
                    let count = usize::from(part.u2()?);
                    lines.extend_from_slice(part.take(count * 4)?);
                }
                b"StackMapTable" => frames = part.take(length)?,
                _ => {}
            }
        }
        // The length of a class file is bounded, so its parts are shorter than 4 GiB.
        let size = |part: usize| u32::try_from(part).map_err(|_| content.problem(Problem::CodeLength(part)));
        let raw = RawCode {
            max_stack,
            max_locals,
            start: size(self.code.len())?,
            code: size(code.len())?,
            handlers: size(handlers.len() / 8)?,
            lines: size(lines.len() / 4)?,
            frames: size(frames.len())?,
        };
        for part in [code, handlers, &lines, frames] {
            self.code.extend_from_slice(part);
        }
        Ok(raw)
    }
}

impl TypeTable {
    /// Adds the types of all descriptors in the pool.
    fn add_pool(&mut self, pool: &Pool, names: &mut Names) -> Result<(), Full> {
        for entry in pool.entries() {
            match entry {
                Entry::Field(field) => self.add_field(field.descriptor, names)?,
                Entry::Method(method) | Entry::InterfaceMethod(method) => self.add_method(method.descriptor, names)?,
                Entry::Dynamic(_, _, descriptor) => self.add_field(descriptor, names)?,
                Entry::InvokeDynamic(_, _, descriptor) | Entry::MethodType(descriptor) => {
                    self.add_method(descriptor, names)?;
                }
                Entry::Class(class) if names.text(class).starts_with('[') => self.add_field(class, names)?,
                Entry::None
                | Entry::Integer(_)
                | Entry::Float(_)
                | Entry::Long(_)
                | Entry::Double(_)
                | Entry::Class(_)
                | Entry::String(_)
                | Entry::Handle(_) => {}
            }
        }
        Ok(())
    }
}
