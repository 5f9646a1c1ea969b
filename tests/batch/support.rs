//! Runs the program in a folder of its own, and reads what it wrote.

use asercheck::batch::{BatchRecord, Folder};
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use std::sync::atomic::{AtomicUsize, Ordering};

/// A folder that is removed at the end.
pub struct Scratch(PathBuf);

impl Scratch {
    /// A new, empty folder.
    pub fn new(name: &str) -> Self {
        static NUMBER: AtomicUsize = AtomicUsize::new(0);
        let number = NUMBER.fetch_add(1, Ordering::Relaxed);
        let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("{name}-{}-{number}", std::process::id()));
        std::fs::create_dir_all(&path).expect("the folder for temporary files can be written");
        Self(path)
    }

    /// Something in the folder.
    pub fn path(&self, name: &str) -> PathBuf {
        self.0.join(name)
    }

    /// Writes a file in the folder.
    pub fn file(&self, name: &str, text: &str) -> String {
        let path = self.path(name);
        std::fs::write(&path, text).expect("the folder can be written");
        path.display().to_string()
    }
}

impl Drop for Scratch {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

/// An example model.
pub fn example(name: &str) -> String {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("models").join(name).display().to_string()
}

/// The program with arguments separated by spaces, and then one that is a path.
pub fn command(arguments: &str, last: &Path) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_asercheck"));
    command.args(arguments.split_whitespace()).arg(last).stdin(Stdio::null());
    command
}

/// Runs it.
pub fn run(arguments: &str, last: &Path) -> Output {
    command(arguments, last).output().expect("the program can be started")
}

/// Runs it, and fails unless it ends with this code; gives what it says on standard error.
pub fn expect(code: i32, arguments: &str, last: &Path) -> String {
    let output = run(arguments, last);
    let errors = String::from_utf8_lossy(&output.stderr).into_owned();
    assert_eq!(output.status.code(), Some(code), "{arguments} {}: {errors}", last.display());
    errors
}

/// The records of a batch, sorted.
pub fn records(folder: &Path) -> Vec<BatchRecord> {
    let (_, mut records) = Folder::read(folder).unwrap_or_else(|error| panic!("{error}"));
    records.sort_by_cached_key(|record| (record.key(), record.engine.clone()));
    records
}

/// The records without what differs from run to run: times and memory.
pub fn answers(folder: &Path) -> Vec<BatchRecord> {
    let mut records = records(folder);
    for record in &mut records {
        record.query.seconds = 0.0;
        record.memory = None;
    }
    records
}
