//! Memory of a process: resident now, and at most so far.

/// The greatest amount of resident memory of this process so far, in bytes; none if the system does not provide it.
pub fn peak_memory() -> Option<u64> {
    peak_memory_of("self")
}

/// The greatest amount of resident memory of a process, in bytes. The process is `self` for this one, or a process id.
pub fn peak_memory_of(process: &str) -> Option<u64> {
    let status = std::fs::read_to_string(format!("/proc/{process}/status")).ok()?;
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"))?;
    let kibibytes: u64 = line.trim().strip_suffix("kB")?.trim().parse().ok()?;
    Some(kibibytes * 1024)
}

/// The resident memory of this process, in bytes; 0 if the system does not provide it.
pub fn resident_memory() -> u64 {
    memory_stats::memory_stats().map_or(0, |stats| stats.physical_mem as u64)
}
