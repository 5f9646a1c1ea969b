//! The folders of the sources of Java classes: those that the user names, and those near the class files.

use std::fmt;
use std::path::{Component, Path, PathBuf};

/// The largest size of a source file, in bytes.
const MAX_SIZE: u64 = 8 << 20;

/// The number of ancestors of a path with class files that are searched, with the path itself.
const ANCESTORS: usize = 5;

/// The usual folders of sources in a project (Maven and Gradle, for Java and other languages of its virtual machine).
const FOLDERS: [&str; 7] =
    ["", "src", "src/main/java", "src/main/kotlin", "src/main/scala", "src/main/groovy", "src/test/java"];

/// Folders of sources, in the order in which they are searched.
#[derive(Clone, Debug)]
pub struct SourceFolders(Vec<PathBuf>);

/// A folder that does not exist.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MissingFolder(pub PathBuf);

impl fmt::Display for MissingFolder {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} is no folder of sources", self.0.display())
    }
}

impl std::error::Error for MissingFolder {}

impl SourceFolders {
    /// Returns the folders of sources that the user names and, after them, folders near the class path.
    ///
    /// # Errors
    /// If a named folder does not exist.
    pub fn new(named: &[PathBuf], given: &[PathBuf]) -> Result<Self, MissingFolder> {
        if let Some(missing) = named.iter().find(|path| !path.is_dir()) {
            return Err(MissingFolder(missing.clone()));
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
        Ok(Self(roots))
    }

    /// Returns the path of a file, by its name in class files, in the first folder that has it.
    pub fn path(&self, file: &str) -> Option<String> {
        self.paths(file).find_map(|path| path.to_str().map(String::from))
    }

    /// Returns the path and the contents of a file in the first folder in which it can be read.
    pub fn read(&self, file: &str) -> Option<(String, Vec<u8>)> {
        let (path, bytes) = self.paths(file).find_map(|path| std::fs::read(&path).ok().map(|bytes| (path, bytes)))?;
        Some((path.to_str()?.to_string(), bytes))
    }

    /// The files of this name in the folders. Names that leave the folders are rejected.
    fn paths(&self, file: &str) -> impl Iterator<Item = PathBuf> {
        let relative = Path::new(file);
        let is_inside = relative.components().all(|part| matches!(part, Component::Normal(_)));
        let roots = if is_inside { &self.0[..] } else { &[] };
        let paths = roots.iter().map(move |root| match root == Path::new(".") {
            true => relative.to_path_buf(),
            false => root.join(relative),
        });
        paths.filter(|path| std::fs::metadata(path).is_ok_and(|about| about.is_file() && about.len() <= MAX_SIZE))
    }
}
