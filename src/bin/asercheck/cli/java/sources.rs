//! The sources of Java classes, in the folders that the user names, and near the class files.

use crate::cli::Failure;
use crate::report::Sources;
use anyhow::anyhow;
use asercheck::witness::Witness;
use std::collections::HashMap;
use std::path::{Component, Path, PathBuf};

/// The largest size of a source file, in bytes.
const MAX_SIZE: u64 = 8 << 20;

/// The number of ancestors of a path with class files that are searched, with the path itself.
const ANCESTORS: usize = 5;

/// The usual folders of sources in a project (Maven and Gradle, for Java and other languages of its virtual machine).
const FOLDERS: [&str; 7] =
    ["", "src", "src/main/java", "src/main/kotlin", "src/main/scala", "src/main/groovy", "src/test/java"];

/// Finds and reads the sources of witnesses on demand.
pub(super) struct SourceFinder {
    roots: Vec<PathBuf>,
    /// The paths of files by their names in class files; none for a file that does not exist.
    paths: HashMap<String, Option<String>>,
    pub(super) sources: Sources,
}

impl SourceFinder {
    /// Returns a finder for the folders of sources that the user names and, after them, folders near the class path.
    pub(super) fn new(named: &[PathBuf], given: &[PathBuf]) -> Result<Self, Failure> {
        if let Some(missing) = named.iter().find(|path| !path.is_dir()) {
            return Err(Failure::input(anyhow!("{} is no folder of sources", missing.display())));
        }
        let mut roots = named.to_vec();
        for path in given {
            let path = if path.is_relative() { Path::new(".").join(path) } else { path.clone() };
            for above in path.ancestors().take(ANCESTORS) {
                for folder in FOLDERS {
                    let root = above.join(folder);
                    let root: PathBuf = root.components().filter(|part| *part != Component::CurDir).collect();
                    let root = if root.as_os_str().is_empty() { PathBuf::from(".") } else { root };
                    if root.is_dir() && !roots.contains(&root) {
                        roots.push(root);
                    }
                }
            }
        }
        Ok(Self { roots, paths: HashMap::new(), sources: Sources::default() })
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

    /// Reads a file from the first folder that has it. Names that leave the folders are rejected.
    fn read(&mut self, file: &str) -> Option<String> {
        let relative = Path::new(file);
        if !relative.components().all(|part| matches!(part, Component::Normal(_))) {
            return None;
        }
        for root in &self.roots {
            let path = if root == Path::new(".") { relative.to_path_buf() } else { root.join(relative) };
            let is_file = std::fs::metadata(&path).is_ok_and(|about| about.is_file() && about.len() <= MAX_SIZE);
            let Some(bytes) = is_file.then(|| std::fs::read(&path).ok()).flatten() else { continue };
            let name = path.to_str()?.to_string();
            // Old sources are not always UTF-8; their lines are.
            self.sources.add(Some(name.clone()), &String::from_utf8_lossy(&bytes));
            return Some(name);
        }
        None
    }
}
