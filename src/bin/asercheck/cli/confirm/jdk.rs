//! The Java development kit that runs clients, and the classes of controller and target, compiled once for each kit.

use super::embedded::SOURCES;
use anyhow::{Context, bail};
use sha2::{Digest, Sha256};
use std::env;
use std::fmt::Write;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// A kit that is there.
#[derive(Clone, Debug)]
pub(super) struct Jdk {
    /// The program that runs classes.
    pub(super) java: PathBuf,
    /// The folder with the classes of controller and target.
    pub(super) classes: PathBuf,
}

impl Jdk {
    /// Finds the kit that `JAVA_HOME` or the path names, and compiles what it is to run, if that was not done before.
    pub(super) fn find() -> anyhow::Result<Self> {
        let javac = compiler().context(
            "--confirm needs a Java development kit: set JAVA_HOME, or have `javac` in the path; there is none",
        )?;
        let javac = fs::canonicalize(&javac).unwrap_or(javac);
        let bin = javac.parent().map_or_else(PathBuf::new, Path::to_path_buf);
        let java = bin.join(format!("java{}", env::consts::EXE_SUFFIX));
        let classes = folder(&javac)?;
        if !classes.is_dir() {
            compile(&javac, &classes)?;
        }
        Ok(Self { java, classes })
    }
}

/// The compiler: of `JAVA_HOME`, else the first in the path.
fn compiler() -> Option<PathBuf> {
    let name = format!("javac{}", env::consts::EXE_SUFFIX);
    let home = env::var_os("JAVA_HOME").map(|home| Path::new(&home).join("bin"));
    let path = env::var_os("PATH").unwrap_or_default();
    let path: Vec<PathBuf> = env::split_paths(&path).collect();
    home.into_iter().chain(path).map(|folder| folder.join(&name)).find(|file| file.is_file())
}

/// Where the classes are kept: by what the sources are, and which kit it is.
fn folder(javac: &Path) -> anyhow::Result<PathBuf> {
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

/// The folder for what can be made again.
pub(super) fn cache_folder() -> PathBuf {
    let own = env::var_os("XDG_CACHE_HOME").map(PathBuf::from).filter(|path| path.is_absolute());
    let home = || env::var_os("HOME").map(|home| PathBuf::from(home).join(".cache"));
    own.or_else(home).unwrap_or_else(env::temp_dir).join("asercheck")
}

/// What the kit says of itself: a file beside it, else its answer.
fn version(javac: &Path) -> anyhow::Result<Vec<u8>> {
    let release = javac.parent().and_then(Path::parent).map(|home| home.join("release"));
    if let Some(text) = release.and_then(|file| fs::read(file).ok()) {
        return Ok(text);
    }
    let answer = Command::new(javac).arg("-version").output().context("javac")?;
    Ok([answer.stdout, answer.stderr].concat())
}

/// Compiles into a folder of its own, which then gets its name: others may do the same at the same time.
fn compile(javac: &Path, classes: &Path) -> anyhow::Result<()> {
    let unfinished = classes.with_extension(format!("{}", std::process::id()));
    let sources = unfinished.join("sources");
    fs::create_dir_all(&sources).with_context(|| format!("cannot make {}", sources.display()))?;
    let mut command = Command::new(javac);
    command.args(["-proc:none", "-nowarn", "-g", "-encoding", "UTF-8", "-d"]).arg(&unfinished);
    for (name, text) in SOURCES {
        let file = sources.join(format!("{name}.java"));
        fs::write(&file, text).with_context(|| format!("cannot write {}", file.display()))?;
        command.arg(file);
    }
    let answer = command.stdin(Stdio::null()).output().context("javac")?;
    if !answer.status.success() {
        let _ = fs::remove_dir_all(&unfinished);
        bail!("the controller cannot be compiled by this kit: {}", String::from_utf8_lossy(&answer.stderr));
    }
    if fs::rename(&unfinished, classes).is_err() {
        // Somebody else was faster.
        let _ = fs::remove_dir_all(&unfinished);
    }
    if classes.is_dir() { Ok(()) } else { bail!("cannot make {}", classes.display()) }
}
