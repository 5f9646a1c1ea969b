//! Factory methods that a user has written: Java files that are compiled for the class path of the clients.
//!
//! Every accessible static method of their top-level classes is a factory of the type that it returns. The planner
//! prefers factories to all other ways to make an object (`Factories` in `java/`). The methods only decide which
//! clients are tried: outcomes are compared with serial outcomes of the same client.

use crate::error::{Error, Operation};
use crate::jdk::Jdk;
use std::env;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// The file of the class path that names the classes with factories; `Factories` reads it.
const INDEX: &str = "META-INF/asercheck-clients";

/// A folder with the compiled factories. It is removed when this value is dropped.
#[derive(Debug)]
pub struct Factories {
    folder: PathBuf,
}

impl Factories {
    /// Compiles Java files with a class path.
    ///
    /// # Errors
    /// A file does not compile, or the folder cannot be written.
    pub fn compile(jdk: &Jdk, files: &[PathBuf], class_path: &[PathBuf]) -> Result<Self, Error> {
        let folder = env::temp_dir().join(format!("asercheck-factories-{}", std::process::id()));
        fs::create_dir_all(&folder).map_err(Operation::Create.on(&folder))?;
        let folder = fs::canonicalize(&folder).unwrap_or(folder);
        let made = Self { folder };
        let mut command = Command::new(jdk.compiler());
        command.args(["-proc:none", "-nowarn", "-g", "-encoding", "UTF-8", "-d"]).arg(&made.folder);
        command.arg("-cp").arg(env::join_paths(class_path).unwrap_or_default()).args(files);
        let answer = command.stdin(Stdio::null()).output().map_err(Operation::Start.on(jdk.compiler()))?;
        if !answer.status.success() {
            return Err(Error::Factories(String::from_utf8_lossy(&answer.stderr).into_owned()));
        }
        let mut names = Vec::new();
        add_classes(&made.folder, "", &mut names)?;
        names.sort();
        let index = made.folder.join(INDEX);
        let parent = index.parent().unwrap_or(&made.folder);
        fs::create_dir_all(parent).map_err(Operation::Create.on(parent))?;
        fs::write(&index, names.join("\n") + "\n").map_err(Operation::Write.on(&index))?;
        Ok(made)
    }

    /// The folder, an entry of the class path.
    pub fn folder(&self) -> &Path {
        &self.folder
    }
}

impl Drop for Factories {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.folder);
    }
}

/// Adds the names of the top-level classes in a folder; the package ends with a dot unless it is empty. The recursion
/// is as deep as packages are.
fn add_classes(folder: &Path, package: &str, names: &mut Vec<String>) -> Result<(), Error> {
    for entry in fs::read_dir(folder).map_err(Operation::Read.on(folder))? {
        let path = entry.map_err(Operation::Read.on(folder))?.path();
        let name = path.file_name().and_then(|name| name.to_str()).unwrap_or_default();
        if path.is_dir() {
            add_classes(&path, &format!("{package}{name}."), names)?;
        } else if let Some(class) = name.strip_suffix(".class").filter(|class| !class.contains('$')) {
            names.push(format!("{package}{class}"));
        }
    }
    Ok(())
}
