//! A worker process, from the side of its runner.

use super::error::BatchError;
use super::protocol::{Reply, Request};
use asercheck::peak_memory_of;
use std::collections::VecDeque;
use std::io::{self, BufRead, BufReader, Read, Write};
use std::path::Path;
use std::process::{Child, ChildStdin, Command, ExitStatus, Stdio};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{self, Receiver, RecvTimeoutError};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

/// Interval at which a runner that waits for a worker checks whether it has to stop.
const STOP_INTERVAL: Duration = Duration::from_millis(50);

/// Number of bytes of a worker's standard error that are kept, from the end.
const KEPT: usize = 4096;

/// A running worker. It dies when this is dropped.
#[derive(Debug)]
pub(super) struct Process {
    child: Child,
    input: Option<ChildStdin>,
    replies: Receiver<Reply>,
    complaints: Option<JoinHandle<String>>,
}

/// The result of waiting for a worker.
#[derive(Debug)]
pub(super) enum Outcome {
    Reply(Reply),
    /// The time is up.
    Late,
    /// The worker has died.
    Dead(Death),
    /// The runner has to stop.
    Stopped,
}

/// The way in which a worker died that was not ended by its runner.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Death {
    /// The system refused it memory.
    Memory,
    /// Another process killed it, perhaps the system because memory was short.
    Killed,
    /// The program is at fault.
    Fault(String),
}

impl Process {
    /// Starts a worker: the program with the argument `worker`.
    pub(super) fn start(program: &Path) -> Result<Self, BatchError> {
        let mut command = Command::new(program);
        command.arg("worker").stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        #[cfg(unix)]
        {
            use std::os::unix::process::CommandExt;
            // So that Ctrl-C on a terminal reaches only the runner, which ends in order.
            command.process_group(0);
        }
        let mut child = command.spawn().map_err(BatchError::Spawn)?;
        let replies = child.stdout.take().map(listen);
        let complaints = child.stderr.take().map(|errors| thread::spawn(move || last_words(errors)));
        let input = child.stdin.take();
        let replies = replies.ok_or_else(|| BatchError::Spawn(io::ErrorKind::BrokenPipe.into()))?;
        Ok(Self { child, input, replies, complaints })
    }

    /// Sends a request. If the worker has died, waiting for the reply notices it.
    pub(super) fn send(&mut self, request: &Request) {
        if let (Some(input), Ok(line)) = (&mut self.input, serde_json::to_string(request)) {
            let _ = input.write_all((line + "\n").as_bytes()).and_then(|()| input.flush());
        }
    }

    /// Waits for a reply.
    pub(super) fn wait(&mut self, deadline: Option<Instant>, stop: &AtomicBool) -> Outcome {
        loop {
            if stop.load(Ordering::Relaxed) {
                return Outcome::Stopped;
            }
            let left = deadline.map_or(STOP_INTERVAL, |deadline| deadline.saturating_duration_since(Instant::now()));
            match self.replies.recv_timeout(left.min(STOP_INTERVAL)) {
                Ok(reply) => return Outcome::Reply(reply),
                Err(RecvTimeoutError::Timeout) if deadline.is_some_and(|deadline| Instant::now() >= deadline) => {
                    return Outcome::Late;
                }
                Err(RecvTimeoutError::Timeout) => {}
                Err(RecvTimeoutError::Disconnected) => return Outcome::Dead(self.death()),
            }
        }
    }

    /// Returns the peak memory of the worker for the current query.
    pub(super) fn peak_memory(&self) -> Option<u64> {
        peak_memory_of(&self.child.id().to_string())
    }

    /// Returns the way in which the worker died, after it closed its output.
    fn death(&mut self) -> Death {
        // It may have closed its output without ending.
        self.input = None;
        let _ = self.child.kill();
        let status = self.child.wait();
        let said = self.complaints.take().and_then(|thread| thread.join().ok()).unwrap_or_default();
        if said.contains("memory allocation of") {
            return Death::Memory;
        }
        match status {
            Ok(status) if was_killed(status) => Death::Killed,
            Ok(status) => Death::Fault(format!("a worker ended with {status}: {}", said.trim_end())),
            Err(error) => Death::Fault(format!("a worker ended, it is not known how: {error}")),
        }
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        // Fails only if it has died already.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

#[cfg(unix)]
fn was_killed(status: ExitStatus) -> bool {
    use rustix::process::Signal;
    use std::os::unix::process::ExitStatusExt;
    let signals = [Signal::KILL, Signal::TERM, Signal::INT, Signal::HUP].map(Signal::as_raw);
    status.signal().is_some_and(|signal| signals.contains(&signal))
}

#[cfg(not(unix))]
fn was_killed(_: ExitStatus) -> bool {
    false
}

/// Reads replies until there are no more.
fn listen(output: impl Read + Send + 'static) -> Receiver<Reply> {
    let (sender, receiver) = mpsc::channel();
    thread::spawn(move || {
        for line in BufReader::new(output).lines() {
            // A line that is no reply was cut off by the worker's death.
            let Some(reply) = line.ok().and_then(|line| serde_json::from_str(&line).ok()) else { break };
            if sender.send(reply).is_err() {
                break;
            }
        }
    });
    receiver
}

/// Reads everything, and returns the end of it.
fn last_words(mut errors: impl Read) -> String {
    let mut kept = VecDeque::new();
    let mut buffer = [0; 1024];
    while let Ok(length @ 1..) = errors.read(&mut buffer) {
        kept.extend(&buffer[..length]);
        let surplus = kept.len().saturating_sub(KEPT);
        kept.drain(..surplus);
    }
    String::from_utf8_lossy(kept.make_contiguous()).into_owned()
}
