//! The models of subjects until these are decided.

use asercheck::audit::{SubjectKind, SubjectReport};
use asercheck::isolate::{Claim, Subject};
use asercheck::java::Program;
use std::collections::HashMap;
use std::sync::{Mutex, PoisonError};

/// A class, and whether its static fields are meant.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) struct SubjectKey {
    class: String,
    is_static: bool,
}

impl SubjectKey {
    /// The key of the subject of a report.
    pub(super) fn of(report: &SubjectReport) -> Self {
        Self { class: report.class.clone(), is_static: report.kind == SubjectKind::Static }
    }
}

/// The models of subjects that are not decided yet.
pub(super) struct UndecidedModels<M>(Mutex<HashMap<SubjectKey, Vec<M>>>);

impl<M> UndecidedModels<M> {
    pub(super) fn new() -> Self {
        Self(Mutex::default())
    }

    /// Keeps a model of a subject.
    pub(super) fn keep(&self, program: &Program, subject: &Subject, model: M) {
        let class = program.class_name(subject.class).to_string();
        let key = SubjectKey { class, is_static: subject.claim == Claim::Statics };
        self.0.lock().unwrap_or_else(PoisonError::into_inner).entry(key).or_default().push(model);
    }

    /// Removes and returns the models of a subject that is decided, in order.
    pub(super) fn take(&self, decided: &SubjectReport) -> Vec<M> {
        let mut all = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        all.remove(&SubjectKey::of(decided)).unwrap_or_default()
    }
}
