//! The state of one load: the program, its diagnostics and the remaining limits.

use super::limits::Limits;
use crate::class_file::{ClassId, Name, OriginId, Place, ReadError, Role, VERSIONS, read};
use crate::program::class_table::Program;
use crate::program::diagnostic::{Cause, Diagnostic, Diagnostics};
use crate::program::hierarchy::Hierarchy;
use crate::program::origin::Origin;
use crate::program::reference_methods::Incomplete;
use rustc_hash::{FxBuildHasher, FxHashMap};
use std::hash::{BuildHasher, DefaultHasher, Hash, Hasher};
use std::io::Read;
use std::sync::OnceLock;

/// The first bytes of a class file.
pub(crate) const CLASS_FILE: &[u8] = &[0xCA, 0xFE, 0xBA, 0xBE];

/// The signal that loading ends: a limit is reached, or the load was cancelled. It has been reported.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Stop;

/// A program during loading.
pub(crate) struct Loader<'l> {
    pub(crate) limits: Limits<'l>,
    program: Program,
    diagnostics: Diagnostics,
    /// Two hashes of all class files so far, with different beginnings.
    contents: [DefaultHasher; 2],
    /// The hashes of the loaded class files, by class name.
    hashes: FxHashMap<Name, u64>,
    /// The number of bytes that may still be read.
    bytes_left: u64,
    /// The number of files and entries that may still be examined.
    entries_left: u64,
}

/// The result of reading a file or an entry.
pub(crate) enum Content {
    /// The whole content.
    Whole(Vec<u8>),
    /// The content does not begin with the expected bytes.
    Other,
    /// It cannot be read, or exceeds its limit. This has been reported.
    Unreadable,
}

impl<'l> Loader<'l> {
    pub(super) fn new(limits: Limits<'l>) -> Self {
        let mut program = Program::default();
        for text in KNOWN {
            program.names.add(text).expect("the first names fit");
        }
        Self {
            limits,
            program,
            diagnostics: Diagnostics::default(),
            contents: [0_u8, 1].map(|number| {
                let mut hasher = DefaultHasher::new();
                number.hash(&mut hasher);
                hasher
            }),
            hashes: FxHashMap::default(),
            bytes_left: limits.total_bytes,
            entries_left: limits.entries,
        }
    }

    /// Reads the whole content of a file or entry of at most `limit` bytes that begins with the bytes `start`.
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
            // The first read covers only the start, so that a decompression bomb of another kind costs nothing.
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

    /// Adds the class of a class file, unless a class of the same name exists.
    pub(crate) fn class(&mut self, bytes: &[u8], origin: Origin, role: Role) -> Result<(), Stop> {
        for hasher in &mut self.contents {
            (bytes, role, origin.to_string()).hash(hasher);
        }
        let program = &mut self.program;
        let id = ClassId::new(program.classes.len());
        let place = Place { id, origin: OriginId::new(program.origins.len()), role };
        let file = match read(bytes, place, &mut program.names, &mut program.types) {
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

    /// Counts one more examined file or entry.
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

    pub(super) fn finish(self) -> (Program, Vec<Diagnostic>) {
        let Self { mut program, mut diagnostics, contents, .. } = self;
        program.contents = contents.iter().fold(0, |all, hasher| all << 64 | u128::from(hasher.finish()));
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
            let cause = match incomplete {
                Incomplete::Full => Cause::LimitReached,
                Incomplete::Cancelled => Cause::Cancelled,
            };
            diagnostics.add(origin.clone(), cause);
        }
        for class in cut {
            let origin = program.origin(program.class(class).origin).clone();
            diagnostics.add(origin, Cause::Cycle(program.class_name(class)));
        }
        (program, diagnostics.finish())
    }
}

/// Names that register form needs even if no class file contains them: the types of constants and exceptions, and
/// arrays of primitive types.
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
