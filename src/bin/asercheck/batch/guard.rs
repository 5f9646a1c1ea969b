//! Limits that a worker sets for itself, so that it does not outlive its runner or exceed its memory, and its
//! measurement of memory.
//!
//! On Linux all of this works. Elsewhere a worker still ends with its input, and the engines check their memory
//! themselves.

/// Memory outside of the engine: the pages of the program, stacks, and a rest for an orderly end.
const RESERVE: u64 = 16 << 20;

/// Returns the part of a memory limit that a worker keeps back: the reserve, but at most a quarter.
fn reserve(limit: u64) -> u64 {
    RESERVE.min(limit / 4)
}

/// Returns the memory that engines may use under a limit, by their own measurement: less than the system allows, so
/// that most queries end without the worker's death.
pub(super) fn soft_limit(limit: u64) -> u64 {
    limit - reserve(limit) - reserve(limit) / 2
}

/// Asks the system to end this process when its parent dies.
#[cfg(target_os = "linux")]
pub(super) fn die_with_parent() {
    use rustix::process::{Signal, set_parent_process_death_signal};
    // If it fails, the end of the input still ends the worker.
    let _ = set_parent_process_death_signal(Some(Signal::KILL));
}

#[cfg(not(target_os = "linux"))]
pub(super) fn die_with_parent() {}

/// Asks the system to refuse memory beyond the limit. The program then aborts without a core dump, and the runner
/// notices it.
#[cfg(target_os = "linux")]
pub(super) fn limit_memory(limit: u64) {
    use rustix::process::{Resource, Rlimit, setrlimit};
    let exactly = |size| Rlimit { current: Some(size), maximum: Some(size) };
    // The limit counts all writable memory, resident or not, so that resident memory is always below it.
    let _ = setrlimit(Resource::Data, exactly(limit - reserve(limit)));
    let _ = setrlimit(Resource::Core, exactly(0));
}

#[cfg(not(target_os = "linux"))]
pub(super) fn limit_memory(_: u64) {}

/// Begins a new measurement of [`peak_memory`](asercheck::peak_memory).
pub(super) fn reset_peak_memory() {
    if cfg!(target_os = "linux") {
        // See proc(5): resets the peak to the memory that is resident now. Otherwise the peak is the highest so far.
        let _ = std::fs::write("/proc/self/clear_refs", "5");
    }
}
