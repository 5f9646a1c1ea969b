//! The arguments for confirmation.

use super::value::duration;
use super::{CacheArguments, TextOrJson};
use clap::{Args, ValueEnum};
use std::path::PathBuf;
use std::time::Duration;

/// Runs the findings of a report on a Java virtual machine, and reports which of them a client can observe. This
/// executes code of the classes.
#[derive(Debug, Args)]
pub(crate) struct ConfirmArguments {
    /// The output of `java --format json`.
    #[arg(value_name = "REPORT")]
    pub(crate) report: PathBuf,
    /// The class path: archives and folders of class files.
    #[arg(value_name = "PATH")]
    pub(crate) paths: Vec<PathBuf>,
    /// Wall-clock time for all findings together.
    #[arg(long, value_name = "DURATION", value_parser = duration, default_value = "2m")]
    pub(crate) time: Duration,
    /// The form of the results: text or JSON.
    #[arg(long, value_name = "HOW", default_value = "text")]
    pub(crate) format: TextOrJson,
    /// Also writes the report with the results into this file.
    #[arg(long, short, value_name = "FILE")]
    pub(crate) output: Option<PathBuf>,
    #[command(flatten)]
    pub(crate) cache: CacheArguments,
    #[command(flatten)]
    pub(crate) confirming: ConfirmingArguments,
}

/// The use of the results.
#[derive(Debug, Args)]
pub(crate) struct ConfirmingArguments {
    /// A Java file with static methods that make objects for the clients; may be repeated.
    #[arg(long, value_name = "FILE.java")]
    pub(crate) client: Vec<PathBuf>,
    /// A folder or an archive with tests of JUnit, whose objects are tried in clients; may be repeated.
    #[arg(long, value_name = "PATH")]
    pub(crate) clients: Vec<PathBuf>,
    /// Writes a program into this folder for each confirmed finding, which demonstrates it.
    #[arg(long, value_name = "DIR")]
    pub(crate) tests: Option<PathBuf>,
    /// The style of these programs.
    #[arg(long, value_enum, default_value_t = TestsStyle::Plain, requires = "tests")]
    pub(crate) tests_style: TestsStyle,
    /// The findings that make the exit code 1.
    #[arg(long, value_enum, default_value_t = FailOnFinding::Finding, value_name = "WHICH")]
    pub(crate) fail_on: FailOnFinding,
}

impl ConfirmingArguments {
    /// Returns an option that is given, and has no effect unless findings run.
    pub(crate) fn needing_runs(&self) -> Option<&'static str> {
        let given = [
            ("--client", !self.client.is_empty()),
            ("--clients", !self.clients.is_empty()),
            ("--tests", self.tests.is_some()),
        ];
        given.into_iter().find(|(_, is_given)| *is_given).map(|(name, _)| name)
    }
}

/// The style of programs that demonstrate findings.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum TestsStyle {
    /// A program: `java -cp app.jar Reproduce1.java`.
    Plain,
    /// A test class for JUnit 5.
    Junit5,
    /// A program that repeats the threads without stopping them, if that demonstrates the finding within 10 seconds;
    /// else as `plain`.
    Stress,
}

/// The findings that count as failures.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum FailOnFinding {
    /// All findings, also possibly benign ones.
    #[value(alias = "any")]
    Finding,
    /// Likely, possible and confirmed findings.
    Possible,
    /// Likely and confirmed findings.
    Likely,
    /// Confirmed findings.
    Confirmed,
}
