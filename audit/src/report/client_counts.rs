//! Counts of the ways in which clients were made, and of the tests that gave objects for them.

use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// A way to make the objects of a client. A client that needs several has the last one in this order.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ClientWay {
    /// Constructors, factories, builders and constants, with simple values.
    Makers,
    /// The same with other values, which were found after a failure: those of the code, or other choices.
    Values,
    /// Another class, with methods from which calls lead to those of the finding.
    Callers,
    /// Implementations of interfaces and abstract classes that answer with simple values.
    Stubs,
    /// An object of a test.
    Tests,
    /// A method that the user has written.
    Factory,
}

impl ClientWay {
    /// All ways.
    pub const ALL: [Self; 6] = [Self::Makers, Self::Values, Self::Callers, Self::Stubs, Self::Tests, Self::Factory];

    /// Its name in JSON.
    pub fn name(self) -> &'static str {
        match self {
            Self::Makers => "makers",
            Self::Values => "values",
            Self::Callers => "callers",
            Self::Stubs => "stubs",
            Self::Tests => "tests",
            Self::Factory => "factory",
        }
    }

    /// The way with a name.
    pub fn of(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|way| way.name() == name)
    }

    /// The words in reports.
    pub fn words(self) -> &'static str {
        match self {
            Self::Makers => "constructors, factories or builders",
            Self::Values => "values that were searched",
            Self::Callers => "classes that call it",
            Self::Stubs => "stubs",
            Self::Tests => "tests",
            Self::Factory => "--client",
        }
    }
}

/// Counts of a run with clients.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct ClientCounts {
    /// Number of findings by the way in which their first client that worked was made.
    pub ways: BTreeMap<ClientWay, usize>,
    /// The tests that were run for objects, if tests were given.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub tests: Option<TestCounts>,
}

/// Counts of the tests that were run for objects. A test with several arguments counts once for each of them that ran.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct TestCounts {
    /// Tests.
    pub found: usize,
    /// Tests of which a client can use an object.
    pub giving: usize,
    /// Tests that have no object of a class with findings, or only while other threads of theirs run.
    pub others: usize,
    /// Tests that were left out, by the reason.
    pub left_out: BTreeMap<String, usize>,
}

impl TestCounts {
    /// Counts a test that was left out.
    pub fn leave_out(&mut self, why: &str) {
        self.found += 1;
        *self.left_out.entry(why.to_string()).or_default() += 1;
    }
}
