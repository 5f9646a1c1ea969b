//! The running processes, by Linux's `/proc`.

use rustix::process::{Pid, Signal, kill_process};
use std::time::{Duration, Instant};

/// The patience of tests for events that should come at once: long enough for a busy machine.
pub const PATIENCE: Duration = Duration::from_secs(60);

/// Returns the children of a process once each has computed for some time, so that it has read its model and decides a
/// query.
pub fn working_children(parent: u32) -> Vec<u32> {
    /// In hundredths of a second.
    const SOME_TIME: u64 = 10;
    let all_work = || {
        let children = children(parent);
        !children.is_empty() && children.into_iter().all(|child| processor_time(child) >= SOME_TIME)
    };
    assert!(comes_true(PATIENCE, all_work), "no worker works");
    children(parent)
}

/// Returns the processor time of a process, in ticks of the system, a hundred in a second.
fn processor_time(process: u32) -> u64 {
    let fields = fields(process).unwrap_or_default();
    // The 14th and 15th fields of the line.
    fields.iter().skip(11).take(2).filter_map(|field| field.parse::<u64>().ok()).sum()
}

/// Returns the living children of a process.
pub fn children(parent: u32) -> Vec<u32> {
    let entries = std::fs::read_dir("/proc").expect("the tests of processes are for Linux");
    let numbers = entries.flatten().filter_map(|entry| entry.file_name().to_str()?.parse().ok());
    numbers.filter(|number| is_child(*number, parent)).collect()
}

fn is_child(process: u32, parent: u32) -> bool {
    state_and_parent(process).is_some_and(|(state, own)| own == parent && state != 'Z')
}

/// Whether a process is alive; a process that has ended and was not waited for is not.
pub fn is_alive(process: u32) -> bool {
    state_and_parent(process).is_some_and(|(state, _)| state != 'Z' && state != 'X')
}

fn state_and_parent(process: u32) -> Option<(char, u32)> {
    let fields = fields(process)?;
    Some((fields.first()?.chars().next()?, fields.get(1)?.parse().ok()?))
}

/// Returns the fields of the system about a process, from its state on.
fn fields(process: u32) -> Option<Vec<String>> {
    let stat = std::fs::read_to_string(format!("/proc/{process}/stat")).ok()?;
    // The name of the program, in parentheses, can hold anything.
    let (_, fields) = stat.rsplit_once(')')?;
    Some(fields.split_whitespace().map(str::to_string).collect())
}

/// Sends a signal; a process that has just ended is no error.
pub fn signal(process: u32, signal: Signal) {
    let number = i32::try_from(process).ok().and_then(Pid::from_raw).expect("a process has a number");
    let _ = kill_process(number, signal);
}

/// Waits until a condition holds; returns whether it did in time.
pub fn comes_true(patience: Duration, mut what: impl FnMut() -> bool) -> bool {
    let begin = Instant::now();
    while !what() {
        if begin.elapsed() > patience {
            return false;
        }
        std::thread::sleep(Duration::from_millis(5));
    }
    true
}
