//! A Java machine that answers commands.
//!
//! Commands and answers are lines of fields, separated by tabs. A machine ends at the end of its input. So no process
//! is left when this program ends, for whatever reason. A dropped machine is also killed.

use crate::jdk::Jdk;
use crate::stop::Stop;
use std::env;
use std::ffi::OsString;
use std::fs;
use std::io::{self, BufRead, BufReader, Write};
use std::path::PathBuf;
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::time::{Duration, Instant};

/// The longest time until a machine answers; it watches its runs with shorter limits of its own.
const ANSWER_TIMEOUT: Duration = Duration::from_secs(30);

/// The time between two checks whether the run has to stop.
const POLL_INTERVAL: Duration = Duration::from_millis(20);

/// An answer of a machine.
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
    /// The machine has ended, or does not answer in time.
    Lost,
}

/// The parts that the machines of one confirmation have in common.
#[derive(Clone, Debug)]
pub(crate) struct Setup {
    pub(crate) jdk: Jdk,
    /// The class path of the clients.
    pub(crate) path: Vec<PathBuf>,
    pub(crate) stop: Stop,
}

/// A Java machine that answers commands, once it is started.
#[derive(Debug)]
pub(crate) struct Machine {
    setup: Setup,
    /// The number of the processor on which its threads run, modulo the number of processors.
    processor: usize,
    process: Option<Process>,
}

impl Machine {
    /// Returns a machine that is not started yet.
    pub(crate) fn new(setup: &Setup, processor: usize) -> Self {
        Self { setup: setup.clone(), processor, process: None }
    }

    /// Starts a new target. Returns the name and version of its virtual machine.
    pub(crate) fn start(&mut self) -> Result<String, NoAnswer> {
        self.open()?;
        self.ready()
    }

    /// Waits until a process that was opened is ready. Returns the name and version of its virtual machine.
    pub(crate) fn ready(&mut self) -> Result<String, NoAnswer> {
        let process = self.process.as_mut().ok_or(NoAnswer::Lost)?;
        match process.answer()? {
            answer if answer.kind == "ready" => Ok(answer.fields.into_iter().next().unwrap_or_default()),
            _ => Err(NoAnswer::Lost),
        }
    }

    /// Ends the process.
    pub(crate) fn end(&mut self) {
        self.process = None;
    }

    /// Ends the process after an answer after which it cannot go on.
    pub(crate) fn end_after(&mut self, answer: &Answer) {
        if matches!(answer.kind.as_str(), "guarded" | "gone") {
            self.end();
        }
    }

    /// Whether a process runs.
    pub(crate) fn is_running(&self) -> bool {
        self.process.is_some()
    }

    /// Starts a process that is not ready yet.
    pub(crate) fn open(&mut self) -> Result<(), NoAnswer> {
        self.process = None;
        self.process = Some(Process::start(self).map_err(|_| NoAnswer::Lost)?);
        Ok(())
    }

    /// Sends a command and waits for the answer. Without an answer, the machine ends.
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

#[derive(Debug)]
struct Process {
    child: Child,
    input: Option<ChildStdin>,
    lines: Receiver<String>,
    /// The working directory of the target.
    folder: PathBuf,
    stop: Stop,
}

impl Process {
    fn start(machine: &Machine) -> io::Result<Self> {
        let Setup { jdk, path, stop } = &machine.setup;
        let folder = target_folder()?;
        let mut temporary = OsString::from("-Djava.io.tmpdir=");
        temporary.push(&folder);
        let mut agent = OsString::from("-javaagent:");
        agent.push(jdk.classes.join("agent.jar"));
        let mut command = Command::new(&jdk.java);
        command.args(["-Xmx256m", "-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC", "-Xshare:auto"]);
        // Most machines live for a second or two; the compiler took a third of that.
        command.arg("-XX:CompileThresholdScaling=3");
        command.arg(temporary).arg("-Djava.awt.headless=true").arg(agent);
        // Reflection must not generate code in a thread that has a schedule.
        command.args(["-Dsun.reflect.inflationThreshold=2147483647", "-Djdk.reflect.useNativeAccessorOnly=true"]);
        command.arg("-cp").arg(&folder).arg("asercheck.confirm.Target").args(path);
        command.current_dir(&folder).env_remove("JAVA_TOOL_OPTIONS");
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::null());
        let mut child = spawn_on_one_processor(command, machine.processor)?;
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
        self.answer()
    }

    fn answer(&mut self) -> Result<Answer, NoAnswer> {
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
        let _ = self.child.kill();
        let _ = self.child.wait();
        let _ = fs::remove_dir_all(&self.folder);
    }
}

/// Starts a process whose threads all run on one processor. Two threads that wait for each other in turn, as those of a
/// client do, then take a fifth of the time: none of them has to wake up another processor.
#[cfg(target_os = "linux")]
fn spawn_on_one_processor(mut command: Command, number: usize) -> io::Result<Child> {
    use rustix::thread::{CpuSet, sched_getaffinity, sched_setaffinity};
    // The process has the processors of the thread that starts it.
    let starter = std::thread::spawn(move || {
        if let Ok(all) = sched_getaffinity(None) {
            let allowed: Vec<usize> = (0..CpuSet::MAX_CPU).filter(|cpu| all.is_set(*cpu)).collect();
            if let Some(cpu) = number.checked_rem(allowed.len()).map(|place| allowed[place]) {
                let mut one = CpuSet::new();
                one.set(cpu);
                // Without it, the process is slower.
                let _ = sched_setaffinity(None, &one);
            }
        }
        command.spawn()
    });
    starter.join().map_err(|_| io::Error::other("the starting thread ended"))?
}

/// Starts a process.
#[cfg(not(target_os = "linux"))]
fn spawn_on_one_processor(mut command: Command, _number: usize) -> io::Result<Child> {
    command.spawn()
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
