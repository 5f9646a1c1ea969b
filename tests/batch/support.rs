//! Runs the program in a folder of its own and reads its output files.

use asercheck::answers::QueryRecord;
use serde::Deserialize;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use std::sync::atomic::{AtomicUsize, Ordering};

/// A folder that is removed at the end.
pub struct Scratch(PathBuf);

impl Scratch {
    /// Creates a new, empty folder.
    pub fn new(name: &str) -> Self {
        static NUMBER: AtomicUsize = AtomicUsize::new(0);
        let number = NUMBER.fetch_add(1, Ordering::Relaxed);
        let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("{name}-{}-{number}", std::process::id()));
        std::fs::create_dir_all(&path).expect("the folder for temporary files can be written");
        Self(path)
    }

    /// Returns a path in the folder.
    pub fn path(&self, name: &str) -> PathBuf {
        self.0.join(name)
    }

    /// Writes a file in the folder and returns its path.
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

/// Returns the path of an example model.
pub fn example(name: &str) -> String {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("models").join(name).display().to_string()
}

/// Returns the command with arguments separated by spaces, and then one that is a path.
pub fn command(arguments: &str, last: &Path) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_asercheck"));
    command.args(arguments.split_whitespace()).arg(last).stdin(Stdio::null());
    command
}

/// Runs the program.
pub fn run(arguments: &str, last: &Path) -> Output {
    command(arguments, last).output().expect("the program can be started")
}

/// Runs the program, and fails unless it ends with this code; returns its standard error.
pub fn expect(code: i32, arguments: &str, last: &Path) -> String {
    let output = run(arguments, last);
    let errors = String::from_utf8_lossy(&output.stderr).into_owned();
    assert_eq!(output.status.code(), Some(code), "{arguments} {}: {errors}", last.display());
    errors
}

/// A line of the file of results, as documented.
#[derive(Clone, Debug, PartialEq, Deserialize)]
pub struct BatchRecord {
    pub model: String,
    pub engine: String,
    pub units: String,
    pub memory: Option<u64>,
    #[serde(flatten)]
    pub query: QueryRecord,
}

impl BatchRecord {
    /// Returns the query, without the engine.
    pub fn key(&self) -> [String; 6] {
        let QueryRecord { automaton, locations, locks, processes, .. } = &self.query;
        let lists = [locations, locks, processes].map(|names| names.join(","));
        let [locations, locks, processes] = lists;
        [self.model.clone(), self.units.clone(), automaton.clone(), locations, locks, processes]
    }
}

/// Returns the header of a batch.
pub fn header(folder: &Path) -> serde_json::Value {
    let text = fs::read_to_string(folder.join("header.json")).expect("a header");
    serde_json::from_str(&text).expect("JSON")
}

/// Returns the records of a batch, sorted.
pub fn records(folder: &Path) -> Vec<BatchRecord> {
    let text = fs::read_to_string(folder.join("results.jsonl")).expect("a file of results");
    let record = |line: &str| serde_json::from_str(line).unwrap_or_else(|error| panic!("{line}: {error}"));
    let mut records: Vec<BatchRecord> = text.lines().map(record).collect();
    records.sort_by_cached_key(|record| (record.key(), record.engine.clone()));
    records
}

/// Returns the records without the values that differ between runs: times and memory.
pub fn answers(folder: &Path) -> Vec<BatchRecord> {
    let mut records = records(folder);
    for record in &mut records {
        record.query.seconds = 0.0;
        record.memory = None;
    }
    records
}
