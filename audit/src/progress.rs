//! Progress of an audit.

use crate::report::SubjectReport;
use isolate::{Isolated, Subject};

/// A step of an audit.
#[derive(Debug)]
pub enum Event<'e> {
    /// The subjects are known: all of them, and the number of those that this run decides.
    Selected {
        /// The subjects.
        subjects: &'e [Subject],
        /// The number of subjects of this run.
        own: usize,
    },
    /// A model of a subject is made.
    Model {
        /// The subject.
        subject: &'e Subject,
        /// The number of the model among those of the subject, from 0.
        number: usize,
        /// The model.
        isolated: &'e Isolated,
    },
    /// A subject is decided. Its findings have no final rank yet, and it may be left open because of a subclass.
    Decided(&'e SubjectReport),
}

/// A function that is called with each event, by several threads at the same time.
pub type Progress<'p> = dyn Fn(Event<'_>) + Sync + 'p;
