//! Running the program.

use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

/// The result of a run of the program.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Run {
    arguments: Vec<String>,
    pub out: String,
    pub errors: String,
    pub code: Option<i32>,
}

/// The program with these arguments, in the folder of the project, with nothing of the user's environment that it
/// heeds.
pub fn command(arguments: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_asercheck"));
    command.args(arguments).current_dir(env!("CARGO_MANIFEST_DIR"));
    for name in ["LANG", "LC_CTYPE", "NO_COLOR", "TERM", "COLUMNS"] {
        command.env_remove(name);
    }
    command.env("LC_ALL", "C.UTF-8").stdin(Stdio::null());
    command
}

/// Runs the program with these arguments.
pub fn asercheck(arguments: &[&str]) -> Run {
    let output = command(arguments).output().expect("the program can be started");
    Run::of(arguments, output)
}

impl Run {
    /// Returns the result in the output of a process.
    pub fn of(arguments: &[&str], output: Output) -> Self {
        let text = |bytes| String::from_utf8(bytes).expect("all output is UTF-8");
        let arguments = arguments.iter().map(ToString::to_string).collect();
        let Output { status, stdout, stderr } = output;
        Self { arguments, out: redacted(&text(stdout)), errors: text(stderr), code: status.code() }
    }

    /// All that can be seen of the run.
    fn transcript(&self) -> String {
        let command = ["asercheck"].into_iter().chain(self.arguments.iter().map(String::as_str));
        let mut text = format!("$ {}\n{}", command.collect::<Vec<_>>().join(" "), self.out);
        if !self.errors.is_empty() {
            text.push_str(&format!("--- standard error\n{}", self.errors));
        }
        text.push_str(&format!("--- exit code {}\n", self.code.map_or("none".into(), |code| code.to_string())));
        text.replace(&format!("{}/", temporary_folder().display()), "TEMPORARY/")
    }

    /// Compares the run with the snapshot of this name.
    pub fn assert_snapshot(&self, name: &str) {
        assert_runs(name, std::slice::from_ref(self));
    }

    /// Checks that nothing was decided, and that one message says why, in these words among others.
    pub fn assert_refused(&self, words: &str) {
        assert_eq!((self.code, self.out.as_str()), (Some(2), ""), "{self:?}");
        assert!(self.errors.starts_with("error: ") && self.errors.contains(words), "{self:?}");
        assert!(!self.errors.contains("panicked"), "{self:?}");
    }
}

/// Compares several runs with one snapshot.
pub fn assert_runs(name: &str, runs: &[Run]) {
    let mut settings = insta::Settings::clone_current();
    settings.set_snapshot_path(Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/cli/snapshots"));
    settings.set_prepend_module_to_snapshot(false);
    settings.set_omit_expression(true);
    let text = runs.iter().map(Run::transcript).collect::<Vec<_>>().join("\n");
    settings.bind(|| insta::assert_snapshot!(name, text));
}

/// The text with every measured time replaced: `0.012 s)` at the end of a line, and `"seconds": 0.012`.
fn redacted(text: &str) -> String {
    let line = |line: &str| {
        let (front, number, back) = if let Some((front, rest)) = line.split_once("\"seconds\": ") {
            let number = rest.trim_end_matches(',');
            (format!("{front}\"seconds\": "), number, &rest[number.len()..])
        } else if let Some((front, number)) = line.strip_suffix(" s)").and_then(|line| line.rsplit_once(", ")) {
            (format!("{front}, "), number, " s)")
        } else {
            return line.to_string();
        };
        assert!(number.parse::<f64>().is_ok_and(|seconds| (0.0..60.0).contains(&seconds)), "{line}");
        format!("{front}TIME{back}")
    };
    text.split('\n').map(line).collect::<Vec<_>>().join("\n")
}

/// A file in the folder for temporary ones.
pub fn temporary(name: &str) -> PathBuf {
    std::fs::create_dir_all(temporary_folder()).expect("the folder can be made");
    temporary_folder().join(name)
}

fn temporary_folder() -> PathBuf {
    Path::new(env!("CARGO_TARGET_TMPDIR")).join("cli")
}

/// Writes a temporary file; gives its path.
pub fn file(name: &str, content: impl AsRef<[u8]>) -> String {
    let path = temporary(name);
    std::fs::write(&path, content).expect("the file can be written");
    path.to_str().expect("the path is UTF-8").to_string()
}
