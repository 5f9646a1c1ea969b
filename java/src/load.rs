//! From paths to a program.
//!
//! Nothing is ever written, so the names of an archive's entries, whatever they are, only stand in diagnostics. The
//! name of a class is what its file says, not where the file stands.

use crate::class::{ClassId, FieldId, MethodId};
use crate::diagnostic::{Cause, Diagnostic, Diagnostics};
use crate::hierarchy::Hierarchy;
use crate::limits::Limits;
use crate::names::Name;
use crate::program::{Origin, Program};
use crate::read::{self, ClassFile, Place, ReadError, VERSIONS};
use crate::{archive, folder};
use rustc_hash::{FxBuildHasher, FxHashMap};
use std::hash::BuildHasher;
use std::io::Read;
use std::path::PathBuf;
use std::sync::OnceLock;

impl Program {
    /// Reads class files, folders and archives (jar, war, zip, jmod); of `libraries` the classes are marked as such.
    ///
    /// Folders are searched for class files and archives, without following symbolic links to folders. Archives are
    /// searched for class files, and for archives in them (the libraries of a war), whose classes are
    /// [`Role::Bundled`]. Of several classes with one name, the first one is taken, and a diagnostic tells of the
    /// others; `META-INF/versions` of an archive is left out. Classes are numbered in the order of the paths, and in a
    /// folder or archive in the order of the names.
    ///
    /// What cannot be read costs that file or entry, and is told in a diagnostic. Linear in what is read.
    pub fn load(paths: &[PathBuf], libraries: &[PathBuf], limits: &Limits<'_>) -> (Self, Vec<Diagnostic>) {
        let mut loader = Loader::new(*limits);
        for (paths, role) in [(paths, Role::Given), (libraries, Role::Library)] {
            for path in paths {
                // What stopped is told where it did.
                if loader.path(path, role).is_err() {
                    return loader.finish();
                }
            }
        }
        loader.finish()
    }
}

/// As what a class was given.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Role {
    /// As part of the program.
    Given,
    /// In an archive inside of an archive of the program, such as `WEB-INF/lib/x.jar` of a war: most likely a library.
    Bundled,
    /// As part of a library.
    Library,
}

impl Role {
    /// That of an archive inside of an archive with this role.
    pub(crate) fn inside(self) -> Self {
        match self {
            Self::Given | Self::Bundled => Self::Bundled,
            Self::Library => Self::Library,
        }
    }
}

/// Reading ends: a limit is reached, or it was cancelled.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Stop;

/// A program that is being read.
pub(crate) struct Loader<'l> {
    pub(crate) limits: Limits<'l>,
    program: Program,
    diagnostics: Diagnostics,
    /// The hashes of the class files that were taken, by their names.
    hashes: FxHashMap<Name, u64>,
    /// How many bytes and entries may still be read.
    bytes_left: u64,
    entries_left: u64,
}

/// What was read of a file or an entry.
pub(crate) enum Content {
    /// All of it.
    Whole(Vec<u8>),
    /// It is not of the kind that was looked for.
    Other,
    /// It cannot be read, which was told.
    Unreadable,
}

impl<'l> Loader<'l> {
    fn new(limits: Limits<'l>) -> Self {
        let mut program = Program::default();
        for text in KNOWN {
            program.names.add(text).expect("the first names fit");
        }
        Self {
            limits,
            program,
            diagnostics: Diagnostics::default(),
            hashes: FxHashMap::default(),
            bytes_left: limits.total_bytes,
            entries_left: limits.entries,
        }
    }

    fn path(&mut self, path: &std::path::Path, role: Role) -> Result<(), Stop> {
        match std::fs::metadata(path) {
            Err(error) => self.report(Origin::file(path), Cause::Unreadable(error.to_string())),
            Ok(metadata) if metadata.is_dir() => folder::read(self, path, role)?,
            Ok(_) => self.file(path, role)?,
        }
        Ok(())
    }

    /// A class file or an archive, by how it begins.
    pub(crate) fn file(&mut self, path: &std::path::Path, role: Role) -> Result<(), Stop> {
        let origin = Origin::file(path);
        self.entry(&origin)?;
        let is_file = std::fs::metadata(path).is_ok_and(|metadata| metadata.is_file());
        if !is_file {
            // A pipe or a device could keep its reader waiting for ever.
            self.report(origin, Cause::UnknownKind);
            return Ok(());
        }
        let mut file = match std::fs::File::open(path) {
            Ok(file) => std::io::BufReader::new(file),
            Err(error) => {
                self.report(origin, Cause::Unreadable(error.to_string()));
                return Ok(());
            }
        };
        let mut start = [0; 4];
        let mut length = 0;
        while length < start.len() {
            match file.read(&mut start[length..]) {
                Ok(0) => break,
                Ok(count) => length += count,
                Err(error) => {
                    self.report(origin, Cause::Unreadable(error.to_string()));
                    return Ok(());
                }
            }
        }
        match &start[..length] {
            CLASS_FILE => {
                let limit = self.limits.class_bytes;
                if let Content::Whole(bytes) = self.content(start.chain(file), &origin, limit, None)? {
                    self.class(&bytes, origin, role)?;
                }
                Ok(())
            }
            [b'P', b'K', ..] => archive::read(self, file, &origin, role, archive::Kind::Given),
            JMOD => {
                let reader = archive::Shifted::new(file, 4);
                archive::read(self, reader, &origin, role, archive::Kind::Jmod)
            }
            _ => {
                self.report(origin, Cause::UnknownKind);
                Ok(())
            }
        }
    }

    /// Reads all of something that is not larger than a limit, and that begins with some bytes.
    pub(crate) fn content(
        &mut self,
        mut reader: impl Read,
        origin: &Origin,
        limit: u64,
        start: Option<&[u8]>,
    ) -> Result<Content, Stop> {
        const CHUNK: usize = 64 << 10;
        let mut bytes = Vec::new();
        loop {
            self.check(origin)?;
            // The first look is only at the start, so that a bomb of something else costs nothing.
            let wanted = if bytes.is_empty() { start.map_or(CHUNK, <[u8]>::len) } else { CHUNK };
            let before = bytes.len();
            let chunk = reader.by_ref().take(wanted as u64).read_to_end(&mut bytes);
            if let Err(error) = chunk {
                self.report(origin.clone(), Cause::Unreadable(error.to_string()));
                return Ok(Content::Unreadable);
            }
            let count = bytes.len() - before;
            let Some(left) = self.bytes_left.checked_sub(count as u64) else {
                self.report(origin.clone(), Cause::LimitReached);
                return Err(Stop);
            };
            self.bytes_left = left;
            if before == 0
                && let Some(start) = start
                && !bytes.starts_with(start)
            {
                return Ok(Content::Other);
            }
            if bytes.len() as u64 > limit {
                self.report(origin.clone(), Cause::TooLarge { limit });
                return Ok(Content::Unreadable);
            }
            if count < wanted {
                return Ok(Content::Whole(bytes));
            }
        }
    }

    /// Adds a class file.
    pub(crate) fn class(&mut self, bytes: &[u8], origin: Origin, role: Role) -> Result<(), Stop> {
        let program = &mut self.program;
        let id = ClassId::new(program.classes.len());
        let place = Place { id, origin: crate::OriginId::new(program.origins.len()), role };
        let file = match read::read(bytes, place, &mut program.names, &mut program.types) {
            Ok(Some(file)) => file,
            Ok(None) => return Ok(()),
            Err(ReadError::Malformed(malformed)) => {
                self.report(origin, Cause::Class(malformed));
                return Ok(());
            }
            Err(ReadError::Full) => {
                self.report(origin, Cause::LimitReached);
                return Err(Stop);
            }
        };
        if let Some(first) = program.named(file.class.name) {
            let class = program.class_name(first);
            let first = program.origin(program.class(first).origin).clone();
            let is_same = self.hashes.get(&file.class.name) == Some(&FxBuildHasher.hash_one(bytes));
            self.report(origin, Cause::Duplicate { class, first, is_same });
            return Ok(());
        }
        self.hashes.insert(file.class.name, FxBuildHasher.hash_one(bytes));
        if !VERSIONS.contains(&file.class.version) {
            self.diagnostics.add(origin.clone(), Cause::Version(file.class.version));
        }
        for malformed in &file.damaged {
            self.diagnostics.add(origin.clone(), Cause::Part(malformed.clone()));
        }
        self.program.add_origin(origin);
        self.program.add_class(id, file);
        Ok(())
    }

    /// One more file or entry is looked at.
    pub(crate) fn entry(&mut self, origin: &Origin) -> Result<(), Stop> {
        self.check(origin)?;
        match self.entries_left.checked_sub(1) {
            Some(left) => {
                self.entries_left = left;
                Ok(())
            }
            None => {
                self.report(origin.clone(), Cause::LimitReached);
                Err(Stop)
            }
        }
    }

    fn check(&mut self, origin: &Origin) -> Result<(), Stop> {
        if (self.limits.is_cancelled)() {
            self.report(origin.clone(), Cause::Cancelled);
            return Err(Stop);
        }
        Ok(())
    }

    pub(crate) fn report(&mut self, origin: Origin, cause: Cause) {
        self.diagnostics.add(origin, cause);
    }

    fn finish(self) -> (Program, Vec<Diagnostic>) {
        let Self { mut program, mut diagnostics, .. } = self;
        let (hierarchy, cut) = Hierarchy::new(&program.classes, &program.by_name);
        program.hierarchy = hierarchy;
        let is_complete = program.add_reference_methods(self.limits.is_cancelled);
        program.names.shrink();
        program.classes.shrink_to_fit();
        program.fields.shrink_to_fit();
        program.methods.shrink_to_fit();
        program.overriders = vec![OnceLock::new(); program.methods.len()];
        if let Err(incomplete) = is_complete
            && let Some(origin) = program.origins.last()
        {
            diagnostics.add(origin.clone(), Cause::from(incomplete));
        }
        for class in cut {
            let origin = program.origin(program.class(class).origin).clone();
            diagnostics.add(origin, Cause::Cycle(program.class_name(class)));
        }
        (program, diagnostics.finish())
    }
}

/// What register form names though no class file may: the types of constants and exceptions, and arrays of numbers.
const KNOWN: [&str; 14] = [
    "java/lang/Object",
    "java/lang/Throwable",
    "java/lang/String",
    "java/lang/Class",
    "java/lang/invoke/MethodType",
    "java/lang/invoke/MethodHandle",
    "[Z",
    "[B",
    "[C",
    "[S",
    "[I",
    "[J",
    "[F",
    "[D",
];

/// How a class file begins.
pub(crate) const CLASS_FILE: &[u8] = &[0xCA, 0xFE, 0xBA, 0xBE];

/// How a jmod begins: then an archive follows.
const JMOD: &[u8] = b"JM\x01\x00";

impl Program {
    fn add_class(&mut self, id: ClassId, file: ClassFile) {
        let ClassFile { mut class, fields, methods, .. } = file;
        let number = |index: usize| u32::try_from(index).expect("what is read is bounded");
        for (index, field) in (self.fields.len()..).zip(&fields) {
            // Of two that are the same, the first one is found.
            self.fields_by_name.entry((id, field.name, field.descriptor)).or_insert(FieldId::new(index));
        }
        for (index, method) in (self.methods.len()..).zip(&methods) {
            self.methods_by_name.entry((id, method.name, method.descriptor)).or_insert(MethodId::new(index));
        }
        class.fields = number(self.fields.len())..number(self.fields.len() + fields.len());
        class.methods = number(self.methods.len())..number(self.methods.len() + methods.len());
        self.fields.extend(fields);
        self.methods.extend(methods);
        self.by_name.insert(class.name, id);
        self.classes.push(class);
    }
}
