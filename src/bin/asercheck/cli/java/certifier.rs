//! `--certificates`: for each proved class its models and their certificates.
//!
//! The claims are the queries that prove the class: all patterns for the pairs of processes of the model that clients
//! can bring together. The certificate speaks of the model as it is written; the way from the class file to the model
//! has no certificate.
//!
//! A class that is proved by itself is left open if clients also get objects of a subclass that is not proved. So a
//! certificate is made when its class is decided, and written when the report is complete.

use super::emitter::Emitter;
use super::undecided_models::{SubjectKey, UndecidedModels};
use crate::cli::Failure;
use crate::cli::check::write_file;
use asercheck::audit::{ClassVerdict, Report, SubjectReport};
use asercheck::certify::Certificates;
use asercheck::claim::claim;
use asercheck::isolate::{Isolated, Subject};
use asercheck::java::Program;
use asercheck::model::{self, ProcessId};
use asercheck::phases::UnitMode;
use asercheck::query::{Property, Selection};
use asercheck::{Limits, syntax};
use limits::Meter;
use std::collections::HashMap;
use std::path::PathBuf;
use std::sync::{Arc, Mutex, PoisonError};

/// A model whose class is not decided yet.
struct Waiting {
    path: PathBuf,
    text: String,
    pairs: Vec<[ProcessId; 2]>,
}

/// A model with its certificate, which are not written yet.
struct Certified {
    path: PathBuf,
    text: String,
    certificate: String,
    /// The numbers of queries with a proof, and of all.
    proofs: usize,
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
    certified: Mutex<HashMap<SubjectKey, Vec<Certified>>>,
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
        let (waiting, certified) = (UndecidedModels::new(), Mutex::default());
        Self { emitter, program, properties, units, limits, waiting, certified }
    }

    /// Keeps a model of a subject until the subject is decided.
    pub(super) fn keep(&self, subject: &Subject, number: usize, isolated: &Isolated) {
        let Some((path, text)) = self.emitter.file(subject, number, isolated) else { return };
        self.waiting.keep(self.program, subject, Waiting { path, text, pairs: isolated.pairs.clone() });
    }

    /// Makes the certificates of a subject if it is proved by itself.
    pub(super) fn decided(&self, report: &SubjectReport) -> Result<(), Failure> {
        let models = self.waiting.take(report);
        if report.verdict() == ClassVerdict::Proved {
            let certified = models.into_iter().map(|model| self.certify(model)).collect::<Result<_, _>>()?;
            let mut all = self.certified.lock().unwrap_or_else(PoisonError::into_inner);
            all.insert(SubjectKey::of(report), certified);
        }
        Ok(())
    }

    fn certify(&self, Waiting { path, text, pairs }: Waiting) -> Result<Certified, Failure> {
        let fault = |what: String| Failure::internal(anyhow::anyhow!("{}: {what}", path.display()));
        let loaded = model::from_text("model.eml", &text).map_err(|error| fault(error.to_string()))?;
        let program = syntax::parse(&text).map_err(|_| fault("the model is no text".into()))?;
        let asked = Selection::default().ask(&loaded.model, self.properties);
        let asked = asked.map_err(|_| fault("the model cannot be asked".into()))?;
        let mut certificates = Certificates::new(&program, self.units);
        let mut queries = 0;
        for pair in &pairs {
            for query in asked.possible_of(pair) {
                queries += 1;
                // A query without a certificate is counted, and its class is not among the certified ones.
                let _ = certificates.add(&claim(&loaded.model, &query), &Meter::start(&self.limits));
            }
        }
        let proofs = certificates.len();
        Ok(Certified { path, text, certificate: certificates.finish(), proofs, queries })
    }

    /// Writes the models and certificates of the classes that the report calls proved; returns a line about them.
    pub(super) fn write(&self, report: &Report) -> Result<String, Failure> {
        let all = self.certified.lock().unwrap_or_else(PoisonError::into_inner);
        let (mut classes, mut proved, mut proofs, mut queries) = (0, 0, 0, 0);
        for subject in report.subjects.iter().filter(|subject| subject.verdict() == ClassVerdict::Proved) {
            proved += 1;
            // The answer of a stored run has no model here, and so no certificate.
            let Some(models) = all.get(&SubjectKey::of(subject)) else { continue };
            for Certified { path, text, certificate, .. } in models {
                write_file(path, text)?;
                write_file(&path.with_extension("cert"), certificate)?;
            }
            classes += usize::from(models.iter().all(|model| model.proofs == model.queries));
            proofs += models.iter().map(|model| model.proofs).sum::<usize>();
            queries += models.iter().map(|model| model.queries).sum::<usize>();
        }
        Ok(format!("certificates of {classes} of {proved} proved classes, with {proofs} of {queries} queries\n"))
    }
}
