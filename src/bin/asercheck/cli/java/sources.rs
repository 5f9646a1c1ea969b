//! Where the lines of Java classes are found: in the folders that are named, and beside the class files.

use crate::report::Sources;
use anyhow::anyhow;
use asercheck::witness::Witness;
use std::collections::HashMap;
use std::path::{Component, Path, PathBuf};

use crate::cli::Failure;

/// Larger files are not read.
const LARGEST: u64 = 8 << 20;

/// So many folders above one with class files are looked into.
const ABOVE: usize = 5;

/// In a project these folders hold the sources (Maven and Gradle: of Java, and of other languages for its machine).
const FOLDERS: [&str; 7] =
    ["", "src", "src/main/java", "src/main/kotlin", "src/main/scala", "src/main/groovy", "src/test/java"];

/// The sources of the classes that witnesses name, read when they are asked for.
pub(super) struct Finder {
    roots: Vec<PathBuf>,
    /// For a file as class files name it, where it is, if it is there.
    found: HashMap<String, Option<String>>,
    pub(super) sources: Sources,
}

impl Finder {
    /// Looks into the folders that are named, then beside what is given.
    pub(super) fn new(named: &[PathBuf], given: &[PathBuf]) -> Result<Self, Failure> {
        if let Some(missing) = named.iter().find(|path| !path.is_dir()) {
            return Err(Failure::input(anyhow!("{} is no folder of sources", missing.display())));
        }
        let mut roots = named.to_vec();
        for path in given {
            let path = if path.is_relative() { Path::new(".").join(path) } else { path.clone() };
            for above in path.ancestors().take(ABOVE) {
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
        Ok(Self { roots, found: HashMap::new(), sources: Sources::default() })
    }

    /// Reads the sources of a witness, and lets its steps name the files that were found.
    pub(super) fn find(&mut self, witness: &mut Witness) {
        for step in &mut witness.steps {
            let Some(file) = &step.file else { continue };
            if let Some(path) = self.path(file) {
                step.file = Some(path);
            }
        }
    }

    /// A line of a file as class files name it.
    pub(super) fn line(&mut self, file: &str, line: u32) -> Option<&str> {
        let path = self.path(file)?;
        self.sources.line_of(&path, line)
    }

    fn path(&mut self, file: &str) -> Option<String> {
        if let Some(known) = self.found.get(file) {
            return known.clone();
        }
        let found = self.read(file);
        self.found.insert(file.to_string(), found.clone());
        found
    }

    /// Reads the file from the first folder that has it. What a class file says is only taken below the folders.
    fn read(&mut self, file: &str) -> Option<String> {
        let relative = Path::new(file);
        if !relative.components().all(|part| matches!(part, Component::Normal(_))) {
            return None;
        }
        for root in &self.roots {
            let path = if root == Path::new(".") { relative.to_path_buf() } else { root.join(relative) };
            let is_file = std::fs::metadata(&path).is_ok_and(|about| about.is_file() && about.len() <= LARGEST);
            let Some(bytes) = is_file.then(|| std::fs::read(&path).ok()).flatten() else { continue };
            let name = path.to_str()?.to_string();
            // Old sources are not always UTF-8; their lines are.
            self.sources.add(Some(name.clone()), &String::from_utf8_lossy(&bytes));
            return Some(name);
        }
        None
    }
}
