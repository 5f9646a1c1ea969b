//! The sources of Java classes, in the folders that the user names, and near the class files.

use crate::cli::Failure;
use crate::report::Sources;
use anyhow::anyhow;
use asercheck::requests::SourceFolders;
use asercheck::witness::Witness;
use std::collections::HashMap;
use std::path::PathBuf;

/// Finds and reads the sources of witnesses on demand.
pub(super) struct SourceFinder {
    folders: SourceFolders,
    /// The paths of files by their names in class files; none for a file that does not exist.
    paths: HashMap<String, Option<String>>,
    pub(super) sources: Sources,
}

impl SourceFinder {
    /// Returns a finder for the folders of sources that the user names and, after them, folders near the class path.
    pub(super) fn new(named: &[PathBuf], given: &[PathBuf]) -> Result<Self, Failure> {
        let folders = SourceFolders::new(named, given).map_err(|missing| Failure::input(anyhow!(missing)))?;
        Ok(Self { folders, paths: HashMap::new(), sources: Sources::default() })
    }

    /// Reads the sources of a witness, and replaces the file names of its steps with paths.
    pub(super) fn find(&mut self, witness: &mut Witness) {
        for step in &mut witness.steps {
            let Some(file) = &step.file else { continue };
            if let Some(path) = self.path(file) {
                step.file = Some(path);
            }
        }
    }

    /// Returns a line of a file, by its name in class files.
    pub(super) fn line(&mut self, file: &str, line: u32) -> Option<&str> {
        let path = self.path(file)?;
        self.sources.line_of(&path, line)
    }

    /// Returns the path of a file, by its name in class files.
    fn path(&mut self, file: &str) -> Option<String> {
        if let Some(known) = self.paths.get(file) {
            return known.clone();
        }
        let found = self.read(file);
        self.paths.insert(file.to_string(), found.clone());
        found
    }

    /// Reads a file from the first folder that has it.
    fn read(&mut self, file: &str) -> Option<String> {
        let (name, bytes) = self.folders.read(file)?;
        // Old sources are not always UTF-8; their lines are.
        self.sources.add(Some(name.clone()), &String::from_utf8_lossy(&bytes));
        Some(name)
    }
}
