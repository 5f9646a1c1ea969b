//! The Java development kit that runs clients, and the classes of controller and target, which are compiled once for
//! each kit.

use crate::child_process::run_until;
use crate::embedded_sources::SOURCES;
use crate::error::{Error, Operation};
use crate::stop::Stop;
use sha2::{Digest, Sha256};
use std::env;
use std::ffi::OsStr;
use std::fmt::Write;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

/// A Java development kit.
#[derive(Clone, Debug)]
pub struct Jdk {
    /// The program that runs classes.
    pub(crate) java: PathBuf,
    javac: PathBuf,
    /// The folder with the classes of controller and target.
    pub(crate) classes: PathBuf,
}

impl Jdk {
    /// Finds the kit of `JAVA_HOME`, or else of the path.
    ///
    /// # Errors
    /// There is no kit, or it does not tell its version.
    pub fn find() -> Result<Self, Error> {
        let javac = compiler().ok_or(Error::NoKit)?;
        let javac = fs::canonicalize(&javac).unwrap_or(javac);
        let bin = javac.parent().map_or_else(PathBuf::new, Path::to_path_buf);
        let java = bin.join(format!("java{}", env::consts::EXE_SUFFIX));
        let classes = classes_folder(&javac)?;
        Ok(Self { java, javac, classes })
    }

    /// Compiles controller and target, unless an earlier run did so: the classes stay in the user's cache folder.
    /// Returns whether they are there; they are not if the confirmation has to end before.
    pub(crate) fn prepare(&self, stop: &Stop) -> Result<bool, Error> {
        if !self.classes.is_dir() {
            compile(&self.javac, &self.classes, stop)?;
        }
        Ok(self.classes.is_dir())
    }

    /// The compiler.
    pub(crate) fn compiler(&self) -> &Path {
        &self.javac
    }

    /// Returns a name that is different for different kits and for different versions of controller and target.
    pub fn identity(&self) -> Option<&OsStr> {
        self.classes.file_name()
    }
}

/// Returns the compiler of `JAVA_HOME`, or else the first one in the path.
fn compiler() -> Option<PathBuf> {
    let name = format!("javac{}", env::consts::EXE_SUFFIX);
    let home = env::var_os("JAVA_HOME").map(|home| Path::new(&home).join("bin"));
    let path = env::var_os("PATH").unwrap_or_default();
    let path: Vec<PathBuf> = env::split_paths(&path).collect();
    home.into_iter().chain(path).map(|folder| folder.join(&name)).find(|file| file.is_file())
}

/// Returns the folder for the classes; its name is a hash of the sources and of the version of the kit.
fn classes_folder(javac: &Path) -> Result<PathBuf, Error> {
    let mut hash = Sha256::new();
    for (name, text) in SOURCES {
        hash.update(name);
        hash.update([0]);
        hash.update(text);
        hash.update([0]);
    }
    hash.update(version(javac)?);
    let digits = hash.finalize().iter().take(12).fold(String::new(), |mut text, byte| {
        let _ = write!(text, "{byte:02x}");
        text
    });
    Ok(cache_folder().join(format!("confirm-{digits}")))
}

/// Returns the user's folder for files that can be made again.
fn cache_folder() -> PathBuf {
    let own = env::var_os("XDG_CACHE_HOME").map(PathBuf::from).filter(|path| path.is_absolute());
    let home = || env::var_os("HOME").map(|home| PathBuf::from(home).join(".cache"));
    own.or_else(home).unwrap_or_else(env::temp_dir).join("asercheck")
}

/// Returns the version of the kit: the contents of its file `release`, or else the answer of the compiler.
fn version(javac: &Path) -> Result<Vec<u8>, Error> {
    let release = javac.parent().and_then(Path::parent).map(|home| home.join("release"));
    if let Some(text) = release.and_then(|file| fs::read(file).ok()) {
        return Ok(text);
    }
    let answer = Command::new(javac).arg("-version").output().map_err(Operation::Start.on(javac))?;
    Ok([answer.stdout, answer.stderr].concat())
}

/// Compiles into a temporary folder, which is renamed at the end: another process may do the same at the same time.
/// Leaves nothing if the confirmation has to end before.
fn compile(javac: &Path, classes: &Path, stop: &Stop) -> Result<(), Error> {
    let unfinished = classes.with_extension(format!("{}", std::process::id()));
    let sources = unfinished.join("sources");
    fs::create_dir_all(&sources).map_err(Operation::Create.on(&sources))?;
    let mut command = Command::new(javac);
    // The first concatenation at run time would take longer than all of them.
    command
        .args(["-XDstringConcat=inline", "-proc:none", "-nowarn", "-g", "-encoding", "UTF-8", "-d"])
        .arg(&unfinished);
    for (name, text) in SOURCES {
        let file = sources.join(format!("{name}.java"));
        fs::write(&file, text).map_err(Operation::Write.on(&file))?;
        command.arg(file);
    }
    let Some(answer) = run_until(&mut command, stop).map_err(Operation::Start.on(javac))? else {
        let _ = fs::remove_dir_all(&unfinished);
        return Ok(());
    };
    if !answer.status.success() {
        let _ = fs::remove_dir_all(&unfinished);
        return Err(Error::Compilation(String::from_utf8_lossy(&answer.errors).into_owned()));
    }
    if !write_agent(javac, &unfinished, stop)? {
        let _ = fs::remove_dir_all(&unfinished);
        return Ok(());
    }
    if let Err(error) = fs::rename(&unfinished, classes) {
        let _ = fs::remove_dir_all(&unfinished);
        // Another process may have been faster.
        if !classes.is_dir() {
            return Err(Operation::Create.on(classes)(error));
        }
    }
    Ok(())
}

/// Writes the archive of the classes, which targets load as an agent. Returns whether it is complete.
fn write_agent(javac: &Path, classes: &Path, stop: &Stop) -> Result<bool, Error> {
    let java = javac.with_file_name(format!("java{}", env::consts::EXE_SUFFIX));
    let mut command = Command::new(&java);
    command.arg("-cp").arg(classes).arg("asercheck.confirm.AgentArchive").arg(classes);
    let answer = run_until(&mut command, stop).map_err(Operation::Start.on(&java))?;
    Ok(answer.is_some_and(|answer| answer.status.success()))
}
