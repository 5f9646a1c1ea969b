//! Ctrl-C: the first one asks the run to end in order, the second one ends it at once.

use super::Failure;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

/// Returns a flag that is set when the program is asked to end: by Ctrl-C, or by a scheduler.
#[cfg(unix)]
pub(crate) fn stop_flag() -> Result<Arc<AtomicBool>, Failure> {
    use anyhow::Context;
    use signal_hook::consts::{SIGHUP, SIGINT, SIGTERM};
    use signal_hook::flag;
    let stop = Arc::new(AtomicBool::new(false));
    for signal in [SIGINT, SIGTERM, SIGHUP] {
        // In this order: the second signal finds the flag set by the first one.
        let registered = flag::register_conditional_shutdown(signal, 128 + signal, stop.clone())
            .and_then(|_| flag::register(signal, stop.clone()));
        registered.context("cannot listen to signals").map_err(Failure::internal)?;
    }
    Ok(stop)
}

#[cfg(not(unix))]
pub(crate) fn stop_flag() -> Result<Arc<AtomicBool>, Failure> {
    Ok(Arc::new(AtomicBool::new(false)))
}

/// Returns the command that continues this one.
pub(crate) fn resume_command() -> String {
    let mut words: Vec<_> = std::env::args_os().map(|word| quoted(&word.to_string_lossy())).collect();
    if !words.iter().any(|word| word == "--resume") {
        words.push("--resume".to_string());
    }
    words.join(" ")
}

/// Quotes a word for a shell.
fn quoted(word: &str) -> String {
    let is_plain = |c: char| c.is_ascii_alphanumeric() || "_-./,=+:@%".contains(c);
    if !word.is_empty() && word.chars().all(is_plain) {
        return word.to_string();
    }
    format!("'{}'", word.replace('\'', r"'\''"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_shell_reads_what_was_meant() {
        assert_eq!(quoted("models/a.eml"), "models/a.eml");
        assert_eq!(quoted("it's here"), r"'it'\''s here'");
        assert_eq!(quoted(""), "''");
    }
}
