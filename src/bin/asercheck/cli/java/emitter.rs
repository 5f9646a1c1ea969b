//! `--emit`: the files with the models of the classes.

use super::sources::SourceFinder;
use crate::cli::Failure;
use crate::cli::check::write_file;
use anyhow::Context;
use asercheck::isolate::{Claim, Isolated, Subject, printable};
use asercheck::java::code_offset;
use asercheck::java::{ClassId, Program};
use asercheck::model::Position;
use std::collections::{BTreeSet, HashMap};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

/// The largest number of characters of a class name in the name of a file.
const MAX_NAME_LENGTH: usize = 150;

/// The largest length of a source line that is shown in a comment.
const MAX_LINE_LENGTH: usize = 100;

/// Writes the models of subjects into files of one folder.
pub(super) struct Emitter<'a> {
    program: &'a Program,
    finder: &'a Mutex<SourceFinder>,
    files: HashMap<(ClassId, Claim), PathBuf>,
    /// Whether the audit begins at a method `main`.
    of_program: bool,
}

impl<'a> Emitter<'a> {
    /// Creates the folder, and chooses a file for each subject.
    pub(super) fn new(
        folder: &Path,
        program: &'a Program,
        subjects: &[Subject],
        finder: &'a Mutex<SourceFinder>,
        of_program: bool,
    ) -> Result<Self, Failure> {
        std::fs::create_dir_all(folder)
            .with_context(|| format!("cannot make the folder {}", folder.display()))
            .map_err(Failure::input)?;
        let mut taken = BTreeSet::new();
        let file = |subject: &Subject| {
            let name = file_name(&program.class_name(subject.class), &mut taken);
            ((subject.class, subject.claim), folder.join(name))
        };
        Ok(Self { program, finder, files: subjects.iter().map(file).collect(), of_program })
    }

    /// Writes a model of a subject; its models are numbered from 0. A class has two subjects if its static fields are
    /// analysed, too.
    pub(super) fn write(&self, subject: &Subject, number: usize, isolated: &Isolated) -> Result<(), Failure> {
        match self.file(subject, number, isolated) {
            Some((path, text)) => write_file(&path, &text),
            None => Ok(()),
        }
    }

    /// The file and the text of a model of a subject.
    pub(super) fn file(&self, subject: &Subject, number: usize, isolated: &Isolated) -> Option<(PathBuf, String)> {
        let path = self.files.get(&(subject.class, subject.claim))?;
        let path = match number {
            0 => path.clone(),
            number => path.with_extension(format!("model+{}.eml", number + 1)),
        };
        let mut header = self.header(subject, isolated);
        header.extend(isolated.assumptions.iter().map(|assumption| format!("Assumed: {assumption}")));
        let header: Vec<&str> = header.iter().map(String::as_str).collect();
        Some((path, isolated.model.to_eml(&header, &|position| self.comment(isolated, position))))
    }

    /// Returns the first lines of a file: the subject, its processes, and the queries about it.
    fn header(&self, subject: &Subject, isolated: &Isolated) -> Vec<String> {
        let name = printable(&self.program.class_name(subject.class)).into_owned();
        let of = match subject.claim {
            Claim::Statics => format!("The static fields of the class {name}"),
            _ => format!("One object of the class {name}"),
        };
        if self.of_program {
            return vec![
                format!("{of}, in a program."),
                "Each process is the main thread or other threads of the program; the methods that they call are units of work.".into(),
                "What `asercheck java` asks: all processes".into(),
            ];
        }
        let name =
            |process| isolated.model.process(process).name().replace(" (", "_").replace(' ', "_").replace(')', "");
        let mut header = vec![
            format!("{of}, which any number of threads use."),
            "Each process but the last runs one method, as a unit of work; the last runs any of them, again and again."
                .into(),
            format!("What `asercheck java` asks: --processes METHOD,{}", name(isolated.others)),
        ];
        if let Some([_, rest]) = isolated.pairs.iter().find(|[_, breaking]| *breaking != isolated.others) {
            header[1] = "Each process but the last two runs one method, as a unit of work; the first of these runs any of them, again and again, the last all but `run`.".into();
            header.push(format!("For `run`, which one thread only runs: --processes METHOD,{}", name(*rest)));
        }
        header
    }

    /// Returns the comment of a position, for example `Pool.java:12: used--;`.
    fn comment(&self, isolated: &Isolated, position: Position) -> Option<String> {
        let file = isolated.model.file(position.file)?;
        let mut finder = self.finder.lock().unwrap_or_else(PoisonError::into_inner);
        let line = finder.line(file, position.line).map(str::trim).filter(|line| line.len() <= MAX_LINE_LENGTH);
        let line = line.map_or_else(String::new, |line| format!(": {}", printable(line)));
        let short = file.rsplit('/').next().unwrap_or(file);
        Some(match code_offset(position.line) {
            Some(byte) => format!("{short}, byte {byte}"),
            None => format!("{short}:{}{line}", position.line),
        })
    }
}

/// Returns the name of a file for a class, whose name may have any characters. The result has letters, digits and a few
/// other characters, but no folder. It differs from all taken names, also on systems that ignore case.
fn file_name(class: &str, taken: &mut BTreeSet<String>) -> String {
    let plain: String = class
        .chars()
        .map(|c| if c.is_ascii_alphanumeric() || ['.', '$', '_', '-'].contains(&c) { c } else { '_' })
        .take(MAX_NAME_LENGTH)
        .collect();
    let plain = plain.trim_start_matches(['.', '-']);
    let plain = if plain.is_empty() { "class" } else { plain };
    let mut name = plain.to_string();
    let mut number = 1;
    while !taken.insert(name.to_lowercase()) {
        number += 1;
        name = format!("{plain}-{number}");
    }
    name + ".eml"
}

#[cfg(test)]
mod tests {
    use super::file_name;
    use std::collections::BTreeSet;

    #[test]
    fn files_stay_in_their_folder() {
        let mut taken = BTreeSet::new();
        for (class, file) in [
            ("com.example.Pool$1", "com.example.Pool$1.eml"),
            ("com.example.pool$1", "com.example.pool$1-2.eml"),
            ("../../etc/passwd", "_.._etc_passwd.eml"),
            ("....", "class.eml"),
            ("", "class-2.eml"),
            ("a\0b\\c/d", "a_b_c_d.eml"),
            ("-rf", "rf.eml"),
        ] {
            assert_eq!(file_name(class, &mut taken), file);
        }
        assert!(file_name(&"long".repeat(1000), &mut taken).len() < 200);
    }
}
