//! What processes there are, by Linux's `/proc`.

use rustix::process::{Pid, Signal, kill_process};
use std::time::{Duration, Instant};

/// The living children of a process.
pub fn children(parent: u32) -> Vec<u32> {
    let entries = std::fs::read_dir("/proc").expect("the tests of processes are for Linux");
    let numbers = entries.flatten().filter_map(|entry| entry.file_name().to_str()?.parse().ok());
    numbers.filter(|number| is_child(*number, parent)).collect()
}

fn is_child(process: u32, parent: u32) -> bool {
    state_and_parent(process).is_some_and(|(state, own)| own == parent && state != 'Z')
}

/// Whether a process is alive; one that has ended, but that nobody has waited for, is not.
pub fn is_alive(process: u32) -> bool {
    state_and_parent(process).is_some_and(|(state, _)| state != 'Z' && state != 'X')
}

fn state_and_parent(process: u32) -> Option<(char, u32)> {
    let stat = std::fs::read_to_string(format!("/proc/{process}/stat")).ok()?;
    // The name of the program, in parentheses, can hold anything.
    let (_, fields) = stat.rsplit_once(')')?;
    let mut fields = fields.split_whitespace();
    let state = fields.next()?.chars().next()?;
    Some((state, fields.next()?.parse().ok()?))
}

/// Sends a signal; to a process that has just ended is no error.
pub fn signal(process: u32, signal: Signal) {
    let number = i32::try_from(process).ok().and_then(Pid::from_raw).expect("a process has a number");
    let _ = kill_process(number, signal);
}

/// Waits until something holds; whether it did in time.
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
