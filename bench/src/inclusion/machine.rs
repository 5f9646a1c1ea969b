//! Runs the driver on a real Java virtual machine.

use super::reader::sessions;
use super::trace::Session;
use anyhow::{Context, bail};
use std::ffi::OsStr;
use std::fs::File;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};

/// Internal packages of the Java library that the recorder uses.
const EXPORTS: [&str; 4] = [
    "--add-exports",
    "java.base/jdk.internal.org.objectweb.asm=ALL-UNNAMED",
    "--add-exports",
    "java.base/jdk.internal.misc=ALL-UNNAMED",
];

/// Size of a recording.
#[derive(Clone, Copy, Debug)]
pub struct Effort {
    /// The seed of the first run.
    pub seed: u64,
    /// Number of runs, each with new objects.
    pub runs: usize,
    /// Number of calls in each run.
    pub calls: usize,
    /// Time limit of a call, in milliseconds.
    pub milliseconds: u64,
}

impl Default for Effort {
    fn default() -> Self {
        Self { seed: 1, runs: 4, calls: 12, milliseconds: 150 }
    }
}

/// The recorder, compiled into a temporary folder that is removed with it.
#[derive(Debug)]
pub struct Recorder {
    folder: PathBuf,
}

impl Drop for Recorder {
    fn drop(&mut self) {
        // A leftover is in the folder for temporary files.
        let _ = std::fs::remove_dir_all(&self.folder);
    }
}

impl Recorder {
    /// Compiles the recorder. Returns none without a suitable JDK.
    ///
    /// # Errors
    /// If there is a JDK and the recorder does not compile, for reasons other than the JDK's version.
    pub fn new() -> anyhow::Result<Option<Self>> {
        let is_there =
            |program: &str| Command::new(program).arg("-version").output().is_ok_and(|out| out.status.success());
        if !["javac", "java"].into_iter().all(is_there) {
            return Ok(None);
        }
        let name = format!("asercheck-recorder-{}-{:x}", std::process::id(), fastrand::u64(..));
        let recorder = Self { folder: std::env::temp_dir().join(name) };
        let classes = recorder.folder.join("classes");
        std::fs::create_dir_all(&classes)?;
        let sources = Path::new(env!("CARGO_MANIFEST_DIR")).join("java/recorder");
        let mut files: Vec<PathBuf> = Vec::new();
        for entry in std::fs::read_dir(sources)? {
            files.push(entry?.path());
        }
        let mut javac = Command::new("javac");
        javac.args(["-nowarn", "-encoding", "UTF-8"]).args(EXPORTS).arg("-d").arg(&classes).args(files);
        let out = javac.output()?;
        let errors = String::from_utf8_lossy(&out.stderr);
        // Versions from 24 on do not contain this library.
        if !out.status.success() && errors.contains("package jdk.internal.org.objectweb.asm") {
            return Ok(None);
        }
        if !out.status.success() {
            bail!("the recorder does not compile: {errors}");
        }
        recorder.archive(&classes)?;
        Ok(Some(recorder))
    }

    fn jar(&self) -> PathBuf {
        self.folder.join("recorder.jar")
    }

    /// Makes an archive of the classes: an agent has to be one.
    fn archive(&self, classes: &Path) -> anyhow::Result<()> {
        let manifest = self.folder.join("manifest");
        std::fs::write(&manifest, "Premain-Class: recorder.Agent\n")?;
        let mut jar = Command::new("jar");
        jar.arg("cfm").arg(self.jar()).arg(manifest).arg("-C").arg(classes).arg(".");
        run(&mut jar).map(|_| ())
    }

    /// Compiles sources with a program, each file into a folder of its own.
    ///
    /// # Errors
    /// If they do not compile.
    pub fn compiled(&self, program: &Path, sources: &Path) -> anyhow::Result<PathBuf> {
        let folder = self.folder.join("subjects");
        std::fs::create_dir_all(&folder)?;
        run(Command::new("java").arg(program).arg(sources).arg(&folder))?;
        Ok(folder)
    }

    /// Compiles random programs, each in a package of its own and with a class of this name. Returns the folders of
    /// their class files.
    ///
    /// # Errors
    /// If they do not compile.
    pub fn compiled_together(&self, sources: &[PathBuf], class: &str) -> anyhow::Result<Vec<PathBuf>> {
        let folder = self.folder.join("random");
        let _ = std::fs::remove_dir_all(&folder);
        std::fs::create_dir_all(&folder)?;
        let mut java = Command::new("java");
        java.args(["-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1", "-cp"])
            .arg(self.jar())
            .arg("recorder.Compiler")
            .arg(&folder)
            .arg(class);
        let mut child = java.stdin(Stdio::piped()).stdout(Stdio::null()).stderr(Stdio::piped()).spawn()?;
        let mut input = child.stdin.take().context("the compiler reads")?;
        for source in sources {
            writeln!(input, "{}", source.display())?;
        }
        drop(input);
        let out = child.wait_with_output()?;
        if !out.status.success() {
            bail!("random programs do not compile: {}", String::from_utf8_lossy(&out.stderr));
        }
        let package = |source: &PathBuf| source.parent().and_then(Path::file_name).map(OsStr::to_os_string);
        let folders = sources.iter().filter_map(package).map(|package| folder.join(package).join(class));
        // The compiler fails on some programs.
        Ok(folders.filter(|folder| folder.exists()).collect())
    }

    /// Returns a folder for the sources of random programs.
    pub fn sources(&self) -> PathBuf {
        self.folder.join("sources")
    }

    /// Starts a virtual machine that calls methods of classes, each given by the absolute folder of its class files and
    /// its name.
    ///
    /// # Errors
    /// If the virtual machine cannot be started.
    pub fn start(&self, classes: &[(PathBuf, String)], effort: Effort) -> anyhow::Result<Recording> {
        let events = self.folder.join("events");
        let mut agent = std::ffi::OsString::from("-javaagent:");
        agent.push(self.jar());
        let mut java = Command::new("java");
        java.args(["-Xshare:auto", "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1"]).args(EXPORTS).arg(agent);
        java.arg("-cp").arg(self.jar()).arg("recorder.Driver").arg(&events);
        let numbers = [effort.seed, effort.runs as u64, effort.calls as u64, effort.milliseconds];
        java.args(numbers.map(|number| number.to_string()));
        // A working directory of its own: methods may write files.
        let files = self.folder.join("files");
        std::fs::create_dir_all(&files)?;
        java.current_dir(files);
        let errors = self.folder.join("errors");
        java.stdin(Stdio::piped()).stdout(Stdio::null()).stderr(File::create(&errors)?);
        let mut child = java.spawn()?;
        let mut input = child.stdin.take().context("the driver reads")?;
        for (folder, class) in classes {
            writeln!(input, "{}\t{class}", folder.display())?;
        }
        Ok(Recording { child, events, errors })
    }

    /// Records classes to the end.
    ///
    /// # Errors
    /// If the virtual machine fails.
    pub fn record(&self, classes: &[(PathBuf, String)], effort: Effort) -> anyhow::Result<Vec<Session>> {
        self.start(classes, effort)?.finish()
    }
}

/// A virtual machine that is recorded.
#[derive(Debug)]
pub struct Recording {
    child: Child,
    events: PathBuf,
    errors: PathBuf,
}

impl Recording {
    /// Waits for the end and reads the recording. A class may end the virtual machine; it is the last one then.
    ///
    /// # Errors
    /// If the virtual machine fails before the first class.
    pub fn finish(mut self) -> anyhow::Result<Vec<Session>> {
        let status = self.child.wait()?;
        let mut sessions = sessions(&std::fs::read_to_string(&self.events).unwrap_or_default())?;
        if !status.success() {
            let errors = std::fs::read(&self.errors).unwrap_or_default();
            let why = format!("the virtual machine ended, {status}: {}", String::from_utf8_lossy(&errors));
            let Some(last) = sessions.last_mut() else { bail!(why) };
            last.failure.get_or_insert(why);
        }
        Ok(sessions)
    }
}

/// Runs a command to its end.
fn run(command: &mut Command) -> anyhow::Result<Vec<u8>> {
    let name = command.get_program().to_os_string();
    let out = command.output().with_context(|| format!("{} cannot be run", Path::new(&name).display()))?;
    if !out.status.success() {
        let program = OsStr::to_string_lossy(&name).into_owned();
        bail!("{program} failed: {}", String::from_utf8_lossy(&out.stderr));
    }
    Ok(out.stdout)
}
