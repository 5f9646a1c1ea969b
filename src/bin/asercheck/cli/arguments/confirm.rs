//! What can be told about confirmation.

use super::TextOrJson;
use super::value::duration;
use clap::{Args, ValueEnum};
use std::path::PathBuf;
use std::time::Duration;

/// Runs the findings of a report on a Java virtual machine, and tells which of them a client can see. Code of the
/// classes runs.
#[derive(Debug, Args)]
pub(crate) struct ConfirmArguments {
    /// What `java --format json` wrote.
    #[arg(value_name = "REPORT")]
    pub(crate) report: PathBuf,
    /// The class path: archives and folders of class files.
    #[arg(value_name = "PATH")]
    pub(crate) paths: Vec<PathBuf>,
    /// Wall-clock time for all findings together.
    #[arg(long, value_name = "DURATION", value_parser = duration, default_value = "2m")]
    pub(crate) time: Duration,
    /// How the results are written: as text or JSON.
    #[arg(long, value_name = "HOW", default_value = "text")]
    pub(crate) format: TextOrJson,
    /// Also writes the report with what came of it into this file.
    #[arg(long, short, value_name = "FILE")]
    pub(crate) output: Option<PathBuf>,
    /// Keeps answers in this folder, and takes them from there when the same is asked of the same classes on the same
    /// Java.
    #[arg(long, value_name = "DIR")]
    pub(crate) cache: Option<PathBuf>,
    #[command(flatten)]
    pub(crate) confirming: ConfirmingArguments,
}

/// What comes of findings that are run.
#[derive(Debug, Args)]
pub(crate) struct ConfirmingArguments {
    /// Writes a program into this folder for each finding that is confirmed, which shows it.
    #[arg(long, value_name = "DIR")]
    pub(crate) tests: Option<PathBuf>,
    /// How these programs are written.
    #[arg(long, value_enum, default_value_t = TestsStyle::Plain, requires = "tests")]
    pub(crate) tests_style: TestsStyle,
    /// Which findings make the exit code 1.
    #[arg(long, value_enum, default_value_t = FailOnFinding::Finding, value_name = "WHICH")]
    pub(crate) fail_on: FailOnFinding,
}

/// How programs that show findings are written.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum TestsStyle {
    /// A program: `java -cp app.jar Reproduce1.java`.
    Plain,
    /// A test class for JUnit 5.
    Junit5,
    /// A program that runs the threads again and again without stopping them, if that shows it within 10 seconds; else
    /// as `plain`.
    Stress,
}

/// Which findings count as failures.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum FailOnFinding {
    /// Each, also possibly benign ones.
    #[value(alias = "any")]
    Finding,
    /// Those that are possible or likely ones to repair.
    Possible,
    /// Those that are likely ones to repair.
    Likely,
    /// Those that were confirmed.
    Confirmed,
}
