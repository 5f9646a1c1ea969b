//! What a worker does to itself so that it cannot outlive its runner or outgrow its limit, and to know what it uses.
//!
//! On Linux all of it works; elsewhere a worker still ends when its input does, and the engines look at their memory
//! themselves.

/// Memory that is not for the engine: the program's own pages, stacks, and what is needed to end in order.
const RESERVE: u64 = 16 << 20;

/// How much of a limit on memory a worker keeps back: the reserve, but never more than a quarter.
fn reserve(limit: u64) -> u64 {
    RESERVE.min(limit / 4)
}

/// What engines may use under a limit, as they measure it themselves: less than the system allows, so that most queries
/// end without the worker's death.
pub(super) fn soft_limit(limit: u64) -> u64 {
    limit - reserve(limit) - reserve(limit) / 2
}

/// Has the system end this process when its parent dies, in whatever way.
#[cfg(target_os = "linux")]
pub(super) fn die_with_parent() {
    use rustix::process::{Signal, set_parent_process_death_signal};
    // If it fails, the end of the input still ends the worker.
    let _ = set_parent_process_death_signal(Some(Signal::KILL));
}

#[cfg(not(target_os = "linux"))]
pub(super) fn die_with_parent() {}

/// Has the system refuse memory beyond the limit; the program is then aborted, and the runner notices. Leaves no core.
#[cfg(target_os = "linux")]
pub(super) fn limit_memory(limit: u64) {
    use rustix::process::{Resource, Rlimit, setrlimit};
    let exactly = |size| Rlimit { current: Some(size), maximum: Some(size) };
    // Counts memory that could be written, resident or not, so the resident memory stays below it at every moment.
    let _ = setrlimit(Resource::Data, exactly(limit - reserve(limit)));
    let _ = setrlimit(Resource::Core, exactly(0));
}

#[cfg(not(target_os = "linux"))]
pub(super) fn limit_memory(_: u64) {}

/// Begins a new measurement of [`peak_memory`](asercheck::peak_memory).
pub(super) fn reset_peak_memory() {
    if cfg!(target_os = "linux") {
        // See proc(5): sets the peak back to what is resident now. Without it the peak is the highest so far.
        let _ = std::fs::write("/proc/self/clear_refs", "5");
    }
}
