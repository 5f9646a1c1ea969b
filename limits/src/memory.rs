//! Memory of a process: resident now, and at most so far.

/// The most memory of this process that was resident at once so far, in bytes; none where the system does not tell.
pub fn peak_memory() -> Option<u64> {
    peak_memory_of("self")
}

/// The most resident memory of a process, in bytes: this one by `self`, or another's by its number.
pub fn peak_memory_of(process: &str) -> Option<u64> {
    let status = std::fs::read_to_string(format!("/proc/{process}/status")).ok()?;
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"))?;
    let kibibytes: u64 = line.trim().strip_suffix("kB")?.trim().parse().ok()?;
    Some(kibibytes * 1024)
}

/// The resident memory of this process, in bytes; 0 where the system does not tell.
pub fn resident_memory() -> u64 {
    memory_stats::memory_stats().map_or(0, |stats| stats.physical_mem as u64)
}
