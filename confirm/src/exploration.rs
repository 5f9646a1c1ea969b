//! The search for a confirmation of one finding: by clients of its class, or by runs of its program.

use crate::client_exploration::{ClientExploration, Found};
use crate::controller::Controller;
use crate::machine::NoAnswer;
use crate::program_exploration::ProgramExploration;
use crate::question::Question;
use crate::search_end::SearchEnd;
use audit::{Confirmation, Finding, Report, SubjectReport};
use std::time::Duration;

/// The state of the search.
pub(crate) enum Exploration<'a> {
    Clients(Box<ClientExploration<'a>>),
    Program(Box<ProgramExploration>),
}

impl<'a> Exploration<'a> {
    /// Prepares the search for a finding of a report; nothing runs yet.
    pub(crate) fn new(report: &Report, subject: &'a SubjectReport, finding: &'a Finding) -> Self {
        match &report.main {
            Some(main) => Self::Program(Box::new(ProgramExploration::new(main, finding))),
            None => Self::Clients(Box::new(ClientExploration::new(Question::of(subject, finding)))),
        }
    }

    /// Whether more time could change the result.
    pub(crate) fn is_open(&self) -> bool {
        match self {
            Self::Clients(clients) => clients.is_open(),
            Self::Program(program) => program.is_open(),
        }
    }

    /// Searches for some time, until a difference is found. A program's is in its answer only.
    pub(crate) fn explore(&mut self, controller: &mut Controller, time: Duration) -> Result<Option<Found>, NoAnswer> {
        match self {
            Self::Clients(clients) => clients.explore(controller, time),
            Self::Program(program) => program.explore(controller, time).map(|()| None),
        }
    }

    /// Returns a text of everything that the result depends on, except for the classes and the virtual machine.
    pub(crate) fn question(&self) -> String {
        match self {
            Self::Clients(clients) => format!("{:?}", clients.question()),
            Self::Program(program) => format!("{:?}", program.question()),
        }
    }

    /// Whether a difference of other methods than those of the finding was found.
    pub(crate) fn has_others(&self) -> bool {
        match self {
            Self::Clients(clients) => clients.has_others(),
            Self::Program(_) => false,
        }
    }

    /// Returns the number of forced schedules so far.
    pub(crate) fn schedules(&self) -> usize {
        match self {
            Self::Clients(clients) => clients.schedules(),
            Self::Program(program) => program.schedules(),
        }
    }

    /// Returns the result of the search so far. `jdk` is the name of the virtual machine.
    pub(crate) fn finish(self, jdk: &str, end: SearchEnd) -> Confirmation {
        match self {
            Self::Clients(clients) => clients.finish(jdk, end),
            Self::Program(program) => program.finish(jdk, end),
        }
    }
}
