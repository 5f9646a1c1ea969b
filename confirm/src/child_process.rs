//! Processes that end when the confirmation has to end.

use crate::stop::Stop;
use std::io::{self, Read};
use std::process::{Command, ExitStatus, Stdio};
use std::thread;
use std::time::Duration;

/// The time between two checks whether the process, or the confirmation, has ended.
const POLL_INTERVAL: Duration = Duration::from_millis(10);

/// The end of a process, and its output.
pub(crate) struct Ended {
    pub(crate) status: ExitStatus,
    pub(crate) output: Vec<u8>,
    pub(crate) errors: Vec<u8>,
}

/// Runs a command without input. Returns none, and kills the process, if the confirmation has to end before.
pub(crate) fn run_until(command: &mut Command, stop: &Stop) -> io::Result<Option<Ended>> {
    let mut child = command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn()?;
    let (output, errors) = (child.stdout.take(), child.stderr.take());
    let readers = [output.map(read_all), errors.map(read_all)];
    let status = loop {
        match child.try_wait()? {
            Some(status) => break status,
            None if stop.is_reached() => {
                let _ = child.kill();
                child.wait()?;
                return Ok(None);
            }
            None => thread::sleep(POLL_INTERVAL),
        }
    };
    // The reader does not panic.
    let [output, errors] = readers.map(|reader| reader.and_then(|reader| reader.join().ok()).unwrap_or_default());
    Ok(Some(Ended { status, output, errors }))
}

/// Reads a pipe in a thread of its own, so that the process never waits for a reader.
fn read_all(mut pipe: impl Read + Send + 'static) -> thread::JoinHandle<Vec<u8>> {
    thread::spawn(move || {
        let mut all = Vec::new();
        let _ = pipe.read_to_end(&mut all);
        all
    })
}
