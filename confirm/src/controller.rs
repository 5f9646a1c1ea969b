//! The controller: a Java process that runs clients in a target process and stops their threads.
//!
//! Commands and answers are lines of fields with tabs between. The controller ends when its input does, and takes the
//! target with it, so none is left when this program ends, however that happens; when a controller is dropped, it is
//! killed besides.

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

/// An answer takes no longer than this, whatever the target does.
const LONGEST: Duration = Duration::from_secs(30);

/// So often it is looked whether the run was cancelled.
const LOOK: Duration = Duration::from_millis(20);

/// What a target has answered.
#[derive(Debug)]
pub(crate) struct Answer {
    /// The first field.
    pub(crate) kind: String,
    /// The others.
    pub(crate) fields: Vec<String>,
}

/// Why there is no answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Silence {
    /// The run was cancelled.
    Cancelled,
    /// The controller has ended, or says nothing.
    Gone,
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
    /// The folder in which the target works.
    folder: PathBuf,
}

impl Controller {
    /// Nothing is started yet.
    pub(crate) fn new(jdk: Jdk, path: Vec<PathBuf>, stop: Stop) -> Self {
        Self { jdk, path, stop, process: None }
    }

    /// A new target; says in which Java.
    pub(crate) fn start(&mut self) -> Result<String, Silence> {
        if self.process.is_none() {
            self.process = Some(Process::start(&self.jdk, &self.path).map_err(|_| Silence::Gone)?);
        }
        let answer = self.ask(&["start"])?;
        match answer.kind.as_str() {
            "ready" => Ok(answer.fields.into_iter().next().unwrap_or_default()),
            _ => Err(Silence::Gone),
        }
    }

    /// Says a command, and waits for the answer.
    pub(crate) fn ask<S: AsRef<str>>(&mut self, fields: &[S]) -> Result<Answer, Silence> {
        let answer = match &mut self.process {
            Some(process) => process.ask(fields, &self.stop),
            None => Err(Silence::Gone),
        };
        if answer.is_err() {
            self.process = None;
        }
        answer
    }
}

impl Process {
    fn start(jdk: &Jdk, path: &[PathBuf]) -> io::Result<Self> {
        let folder = own_folder()?;
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
        Ok(Self { child, input, lines, folder })
    }

    fn ask<S: AsRef<str>>(&mut self, fields: &[S], stop: &Stop) -> Result<Answer, Silence> {
        let line = fields.iter().map(|field| escaped(field.as_ref())).collect::<Vec<_>>().join("\t");
        let input = self.input.as_mut().ok_or(Silence::Gone)?;
        writeln!(input, "{line}").and_then(|()| input.flush()).map_err(|_| Silence::Gone)?;
        let begin = Instant::now();
        loop {
            match self.lines.recv_timeout(LOOK) {
                Ok(line) => return Ok(Answer::of(&line)),
                Err(RecvTimeoutError::Disconnected) => return Err(Silence::Gone),
                Err(RecvTimeoutError::Timeout) if stop.is_reached() => return Err(Silence::Cancelled),
                Err(RecvTimeoutError::Timeout) if begin.elapsed() > LONGEST => return Err(Silence::Gone),
                Err(RecvTimeoutError::Timeout) => {}
            }
        }
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        // Its input ends, and so it ends the target.
        self.input = None;
        let begin = Instant::now();
        while begin.elapsed() < Duration::from_secs(2) && matches!(self.child.try_wait(), Ok(None)) {
            std::thread::sleep(Duration::from_millis(5));
        }
        let _ = self.child.kill();
        let _ = self.child.wait();
        let _ = fs::remove_dir_all(&self.folder);
    }
}

/// A new folder below that for temporary files.
fn own_folder() -> io::Result<PathBuf> {
    static NEXT: AtomicUsize = AtomicUsize::new(0);
    let number = NEXT.fetch_add(1, Ordering::Relaxed);
    let name = format!("asercheck-confirm-{}-{number}", std::process::id());
    let folder = env::temp_dir().join(name);
    fs::create_dir_all(&folder)?;
    Ok(fs::canonicalize(&folder).unwrap_or(folder))
}

impl Answer {
    fn of(line: &str) -> Self {
        let mut fields = line.split('\t').map(unescaped);
        Self { kind: fields.next().unwrap_or_default(), fields: fields.collect() }
    }

    /// The first field behind the kind: a reason, mostly.
    pub(crate) fn first(&self) -> &str {
        self.fields.first().map_or("", String::as_str)
    }
}

fn escaped(field: &str) -> String {
    field.replace('\\', "\\\\").replace('\t', "\\t").replace('\n', "\\n").replace('\r', "\\r")
}

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
