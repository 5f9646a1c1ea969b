//! The controller: a Java process that runs clients in a target process and stops their threads.
//!
//! Commands and answers are lines of fields, separated by tabs. The controller ends at the end of its input, and ends
//! the target with it. So no process is left when this program ends, for whatever reason. A dropped controller is also
//! killed.

use crate::jdk::Jdk;
use crate::stop::Stop;
use std::env;
use std::fs;
use std::io::{self, BufRead, BufReader, Write};
use std::path::PathBuf;
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::time::{Duration, Instant};

/// The longest time until the controller answers; it watches the target with shorter limits of its own.
const ANSWER_TIMEOUT: Duration = Duration::from_secs(30);

/// The time between two checks whether the run has to stop.
const POLL_INTERVAL: Duration = Duration::from_millis(20);

/// The longest time until a controller without input ends.
const END_PATIENCE: Duration = Duration::from_secs(2);

/// The same if the confirmation has to end. A killed controller leaves a target that ends with its input.
const STOP_PATIENCE: Duration = Duration::from_millis(500);

/// An answer of the controller.
#[derive(Debug)]
pub(crate) struct Answer {
    /// The first field: the kind of the answer.
    pub(crate) kind: String,
    /// The other fields.
    pub(crate) fields: Vec<String>,
}

/// The reason for a missing answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum NoAnswer {
    /// The confirmation has to stop.
    Stopped,
    /// The controller has ended, or does not answer in time.
    Lost,
}

/// A controller with its target.
pub(crate) struct Controller {
    jdk: Jdk,
    /// The class path of the clients.
    path: Vec<PathBuf>,
    stop: Stop,
    process: Option<Process>,
}

struct Process {
    child: Child,
    input: Option<ChildStdin>,
    lines: Receiver<String>,
    /// The working directory of the target.
    folder: PathBuf,
    stop: Stop,
}

impl Controller {
    /// Returns a controller that is not started yet.
    pub(crate) fn new(jdk: Jdk, path: Vec<PathBuf>, stop: Stop) -> Self {
        Self { jdk, path, stop, process: None }
    }

    /// Starts a new target. Returns the name and version of its virtual machine.
    pub(crate) fn start(&mut self) -> Result<String, NoAnswer> {
        if self.process.is_none() {
            self.process = Some(Process::start(&self.jdk, &self.path, &self.stop).map_err(|_| NoAnswer::Lost)?);
        }
        let answer = self.ask(&["start"])?;
        match answer.kind.as_str() {
            "ready" => Ok(answer.fields.into_iter().next().unwrap_or_default()),
            _ => Err(NoAnswer::Lost),
        }
    }

    /// Sends a command and waits for the answer. Without an answer, the controller ends.
    pub(crate) fn ask<S: AsRef<str>>(&mut self, fields: &[S]) -> Result<Answer, NoAnswer> {
        let answer = match &mut self.process {
            Some(process) => process.ask(fields),
            None => Err(NoAnswer::Lost),
        };
        if answer.is_err() {
            self.process = None;
        }
        answer
    }
}

impl Process {
    fn start(jdk: &Jdk, path: &[PathBuf], stop: &Stop) -> io::Result<Self> {
        let folder = target_folder()?;
        let mut command = Command::new(&jdk.java);
        command.args(["-Xmx256m", "-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC", "-cp"]).arg(&jdk.classes);
        command.arg("asercheck.confirm.Controller").arg(&folder).arg(&jdk.classes).args(path);
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::null());
        let mut child = command.spawn()?;
        let input = child.stdin.take();
        let output = child.stdout.take().ok_or(io::ErrorKind::BrokenPipe)?;
        let (sender, lines) = channel();
        std::thread::spawn(move || {
            for line in BufReader::new(output).lines().map_while(Result::ok) {
                if sender.send(line).is_err() {
                    return;
                }
            }
        });
        Ok(Self { child, input, lines, folder, stop: stop.clone() })
    }

    fn ask<S: AsRef<str>>(&mut self, fields: &[S]) -> Result<Answer, NoAnswer> {
        if self.stop.is_reached() {
            return Err(NoAnswer::Stopped);
        }
        let line = fields.iter().map(|field| escaped(field.as_ref())).collect::<Vec<_>>().join("\t");
        let input = self.input.as_mut().ok_or(NoAnswer::Lost)?;
        writeln!(input, "{line}").and_then(|()| input.flush()).map_err(|_| NoAnswer::Lost)?;
        let begin = Instant::now();
        loop {
            match self.lines.recv_timeout(POLL_INTERVAL) {
                Ok(line) => return Ok(Answer::parse(&line)),
                Err(RecvTimeoutError::Disconnected) => return Err(NoAnswer::Lost),
                Err(RecvTimeoutError::Timeout) if self.stop.is_reached() => return Err(NoAnswer::Stopped),
                Err(RecvTimeoutError::Timeout) if begin.elapsed() > ANSWER_TIMEOUT => return Err(NoAnswer::Lost),
                Err(RecvTimeoutError::Timeout) => {}
            }
        }
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        // At the end of its input, the controller ends the target and itself.
        self.input = None;
        let begin = Instant::now();
        let patience = if self.stop.is_reached() { STOP_PATIENCE } else { END_PATIENCE };
        while begin.elapsed() < patience && matches!(self.child.try_wait(), Ok(None)) {
            std::thread::sleep(Duration::from_millis(5));
        }
        let _ = self.child.kill();
        let _ = self.child.wait();
        let _ = fs::remove_dir_all(&self.folder);
    }
}

/// Creates a folder for a target below the folder for temporary files.
fn target_folder() -> io::Result<PathBuf> {
    static NEXT: AtomicUsize = AtomicUsize::new(0);
    let number = NEXT.fetch_add(1, Ordering::Relaxed);
    let name = format!("asercheck-confirm-{}-{number}", std::process::id());
    let folder = env::temp_dir().join(name);
    fs::create_dir_all(&folder)?;
    Ok(fs::canonicalize(&folder).unwrap_or(folder))
}

impl Answer {
    fn parse(line: &str) -> Self {
        let mut fields = line.split('\t').map(unescaped);
        Self { kind: fields.next().unwrap_or_default(), fields: fields.collect() }
    }

    /// Returns the first field after the kind; for a failure, its reason.
    pub(crate) fn first_field(&self) -> &str {
        self.fields.first().map_or("", String::as_str)
    }
}

/// Returns a field without tabs and line breaks.
fn escaped(field: &str) -> String {
    field.replace('\\', "\\\\").replace('\t', "\\t").replace('\n', "\\n").replace('\r', "\\r")
}

/// Inverse of [`escaped`].
fn unescaped(field: &str) -> String {
    let mut text = String::new();
    let mut characters = field.chars();
    while let Some(c) = characters.next() {
        match (c, if c == '\\' { characters.next() } else { None }) {
            ('\\', Some('t')) => text.push('\t'),
            ('\\', Some('n')) => text.push('\n'),
            ('\\', Some('r')) => text.push('\r'),
            ('\\', Some(other)) => text.push(other),
            (c, _) => text.push(c),
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fields_come_back_as_they_were() {
        for field in ["", "a\tb", "a\\tb\n", "\\", "\r\n\\n"] {
            assert_eq!(unescaped(&escaped(field)), field);
        }
    }
}
