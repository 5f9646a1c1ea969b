//! Suggestions for arguments that a command cannot use: a similar command, another command for the file, a similar
//! class.

use super::arguments::command_like;
use asercheck::isolate::printable;
use asercheck::java::Program;
use asercheck::syntax::closest;
use std::fs::{self, File};
use std::io::Read;
use std::path::{Path, PathBuf};

/// The first bytes of a class file.
const CLASS_FILE: &[u8] = &[0xCA, 0xFE, 0xBA, 0xBE];

/// Largest number of entries of folders that are searched.
const LOOKED_AT: usize = 10_000;

/// Returns the command that a word probably stands for, if it names no file; then the arguments after it are no models,
/// either.
pub(super) fn command(path: &Path) -> Option<String> {
    let word = path.to_str().filter(|word| !path.exists() && word.chars().all(char::is_alphanumeric))?;
    command_like(word)
}

/// Returns advice about a Java file or folder that was given as a model; nothing if it is none.
pub(super) fn java(path: &Path) -> Option<String> {
    let shown = path.display();
    if path.is_dir() {
        let found = Found::in_folders([path]);
        return match found {
            Found { models: 1.., .. } => None,
            Found { classes: 1.., .. } => {
                Some(format!("{shown} has Java classes: `asercheck java {shown}` reads them"))
            }
            Found { sources: 1.., .. } => Some(found.to_compile()),
            Found { .. } => None,
        };
    }
    if has_extension(path, &["java"]) && path.is_file() {
        return Some(Found::in_folders([path]).to_compile());
    }
    let is_class = is_archive(path) || starts_with(path, CLASS_FILE);
    is_class.then(|| format!("{shown} is a file of Java: `asercheck java {shown}` reads it"))
}

/// Returns the message if these paths contain no classes.
pub(super) fn without_classes(paths: &[PathBuf]) -> String {
    let found = Found::in_folders(paths.iter().map(PathBuf::as_path));
    let models = paths.iter().find(|path| has_extension(path, &["eml"]));
    match (found.sources, models) {
        (1.., _) => found.to_compile(),
        (0, Some(model)) => {
            format!("there are no classes in what is given: `asercheck {}` reads models", model.display())
        }
        (0, None) => "there are no classes in what is given".to_string(),
    }
}

/// Counts of files, by kind.
#[derive(Debug, Default)]
struct Found {
    models: usize,
    classes: usize,
    sources: usize,
    /// The path with the sources, if there are some.
    at: PathBuf,
}

impl Found {
    /// Searches folders, up to a bounded number of entries.
    fn in_folders<'p>(paths: impl IntoIterator<Item = &'p Path>) -> Self {
        let mut found = Self::default();
        for path in paths {
            let before = found.sources;
            found.look(path);
            if before == 0 && found.sources > 0 {
                found.at = path.to_path_buf();
            }
        }
        found
    }

    fn look(&mut self, path: &Path) {
        let mut waiting = vec![path.to_path_buf()];
        let mut left = LOOKED_AT;
        while let Some(path) = waiting.pop() {
            if left == 0 {
                return;
            }
            left -= 1;
            if path.is_dir() {
                let entries = fs::read_dir(&path).into_iter().flatten().flatten().take(left);
                waiting.extend(entries.map(|entry| entry.path()).filter(|path| !path.is_symlink()));
            } else if has_extension(&path, &["class"]) || is_archive(&path) {
                self.classes += 1;
            } else if has_extension(&path, &["java"]) {
                self.sources += 1;
            } else if has_extension(&path, &["eml"]) {
                self.models += 1;
            }
        }
    }

    /// Returns advice to compile the sources.
    fn to_compile(&self) -> String {
        let at = self.at.display();
        let files = match self.at.is_dir() {
            true => format!("$(find {at} -name '*.java')"),
            false => at.to_string(),
        };
        format!(
            "there are Java sources and no classes in {at}: class files are read, so compile first, for example with \
             `javac -g -d classes {files}`, then run `asercheck java classes`"
        )
    }
}

fn has_extension(path: &Path, known: &[&str]) -> bool {
    path.extension().is_some_and(|own| known.iter().any(|known| own.eq_ignore_ascii_case(known)))
}

fn is_archive(path: &Path) -> bool {
    has_extension(path, &["jar", "war", "ear", "jmod"]) && (starts_with(path, b"PK") || starts_with(path, b"JM"))
}

fn starts_with(path: &Path, start: &[u8]) -> bool {
    let mut bytes = Vec::new();
    // Opening a pipe could wait for ever.
    let file = path.is_file().then(|| File::open(path).ok()).flatten();
    let read = file.map(|file| file.take(start.len() as u64).read_to_end(&mut bytes));
    matches!(read, Some(Ok(_))) && bytes == start
}

/// Returns the class that a name probably stands for.
pub(super) fn class(glob: &str, names: &[String]) -> Option<String> {
    let same = names.iter().find(|name| name.rsplit(['.', '$']).next() == Some(glob));
    same.cloned().or_else(|| closest(glob, names.iter().map(String::as_str)).map(String::from))
}

/// Returns a hint for name patterns that match no class; empty if no class has a similar name.
pub(super) fn class_hint(program: &Program, patterns: &[String]) -> String {
    let Some(pattern) = patterns.iter().find(|pattern| !pattern.contains('*')) else { return String::new() };
    let names: Vec<String> = program.classes().map(|(id, _)| program.class_name(id)).collect();
    class(pattern, &names).map_or_else(String::new, |name| format!("; did you mean `{}`?", printable(&name)))
}
