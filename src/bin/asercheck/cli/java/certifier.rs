//! `--certificates`: for each proved class its models and their certificates.
//!
//! The claims are the queries that prove the class: all patterns for the pairs of processes of the model that clients
//! can bring together. The certificate speaks of the model as it is written; the way from the class file to the model
//! has no certificate.

use super::emitter::Emitter;
use super::undecided_models::UndecidedModels;
use crate::cli::Failure;
use crate::cli::check::write_file;
use asercheck::audit::{ClassVerdict, SubjectReport};
use asercheck::certify::Certificates;
use asercheck::claim::claim;
use asercheck::isolate::{Isolated, Subject};
use asercheck::java::Program;
use asercheck::model::{self, ProcessId};
use asercheck::phases::UnitMode;
use asercheck::query::{Property, Selection};
use asercheck::{Limits, syntax};
use limits::Meter;
use std::path::PathBuf;
use std::sync::{Arc, Mutex, PoisonError};

/// A model whose class is not decided yet.
struct Waiting {
    path: PathBuf,
    text: String,
    pairs: Vec<[ProcessId; 2]>,
}

/// The numbers of classes and queries so far.
#[derive(Clone, Copy, Debug, Default)]
struct Totals {
    classes: usize,
    proved: usize,
    certified: usize,
    queries: usize,
}

/// Writes models and certificates into one folder.
pub(super) struct Certifier<'a> {
    emitter: Emitter<'a>,
    program: &'a Program,
    properties: &'a [Arc<Property>],
    units: UnitMode,
    limits: Limits,
    waiting: UndecidedModels<Waiting>,
    totals: Mutex<Totals>,
}

impl<'a> Certifier<'a> {
    pub(super) fn new(
        emitter: Emitter<'a>,
        program: &'a Program,
        properties: &'a [Arc<Property>],
        units: UnitMode,
        limits: &Limits,
    ) -> Self {
        let limits = limits.clone().with_since(None);
        Self { emitter, program, properties, units, limits, waiting: UndecidedModels::new(), totals: Mutex::default() }
    }

    /// Keeps a model of a subject until the subject is decided.
    pub(super) fn keep(&self, subject: &Subject, number: usize, isolated: &Isolated) {
        let Some((path, text)) = self.emitter.file(subject, number, isolated) else { return };
        self.waiting.keep(self.program, subject, Waiting { path, text, pairs: isolated.pairs.clone() });
    }

    /// Writes the models and certificates of a subject if it is proved.
    pub(super) fn decided(&self, report: &SubjectReport) -> Result<(), Failure> {
        let models = self.waiting.take(report);
        if report.verdict() != ClassVerdict::Proved {
            return Ok(());
        }
        let mut own = Totals { proved: 1, ..Totals::default() };
        for model in models {
            let (certified, queries) = self.certify(&model)?;
            (own.certified, own.queries) = (own.certified + certified, own.queries + queries);
        }
        own.classes = usize::from(own.certified == own.queries);
        let mut all = self.totals.lock().unwrap_or_else(PoisonError::into_inner);
        *all = Totals {
            classes: all.classes + own.classes,
            proved: all.proved + own.proved,
            certified: all.certified + own.certified,
            queries: all.queries + own.queries,
        };
        Ok(())
    }

    /// Writes a model and its certificate; returns the numbers of queries with a certificate, and of all.
    fn certify(&self, Waiting { path, text, pairs }: &Waiting) -> Result<(usize, usize), Failure> {
        let fault = |what: String| Failure::internal(anyhow::anyhow!("{}: {what}", path.display()));
        let loaded = model::from_text("model.eml", text).map_err(|error| fault(error.to_string()))?;
        let program = syntax::parse(text).map_err(|_| fault("the model is no text".into()))?;
        let asked = Selection::default().ask(&loaded.model, self.properties);
        let asked = asked.map_err(|_| fault("the model cannot be asked".into()))?;
        let mut certificates = Certificates::new(&program, self.units);
        let mut queries = 0;
        for pair in pairs {
            for query in asked.possible_of(pair) {
                queries += 1;
                // A query without a certificate is counted, and its class is not among the certified ones.
                let _ = certificates.add(&claim(&loaded.model, &query), &Meter::start(&self.limits));
            }
        }
        let certified = certificates.len();
        write_file(path, text)?;
        write_file(&path.with_extension("cert"), &certificates.finish())?;
        Ok((certified, queries))
    }

    /// A line about all classes.
    pub(super) fn summary(&self) -> String {
        let Totals { classes, proved, certified, queries } =
            *self.totals.lock().unwrap_or_else(PoisonError::into_inner);
        format!("certificates of {classes} of {proved} proved classes, with {certified} of {queries} queries\n")
    }
}
