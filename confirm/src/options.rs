//! Options of a confirmation.

use crate::event::Event;
use crate::store::ConfirmationStore;
use limits::Cancellation;
use std::path::{Path, PathBuf};
use std::time::Instant;

/// Options of a confirmation.
pub struct Options<'a> {
    /// The class path, as [`class_path`](crate::class_path) returns it.
    pub class_path: Vec<PathBuf>,
    /// The entries of the class path with tests that give objects for clients.
    pub tests: Vec<PathBuf>,
    /// Ends the confirmation from outside.
    pub cancellation: Cancellation,
    /// The end of the time for all findings together.
    pub deadline: Instant,
    /// Confirmations of earlier runs.
    pub store: Option<&'a dyn ConfirmationStore>,
    /// The programs that are written for confirmed findings, if they are wanted.
    pub reproductions: Option<Reproductions<'a>>,
    /// Receives the events, from several threads.
    pub observer: Option<&'a (dyn Fn(Event<'_>) + Sync)>,
}

/// Programs that reproduce confirmed findings.
#[derive(Clone, Copy, Debug)]
pub struct Reproductions<'a> {
    /// The folder for the programs.
    pub folder: &'a Path,
    /// The form of the programs.
    pub style: ReproductionStyle,
}

/// The form of a program that reproduces a finding.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ReproductionStyle {
    /// A class with a method `main`, which forces the schedule.
    Plain,
    /// The same, with a test class for JUnit 5.
    Junit5,
    /// A class with a method `main` that repeats the calls for 10 seconds without stopping threads. If that does not
    /// reproduce the finding, the form is that of `Plain`.
    Stress,
}
