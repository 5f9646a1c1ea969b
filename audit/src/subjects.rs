//! The subjects of a program, which are decided in any order, by one process or by several.
//!
//! **Invariant.** The report of a subject is a function of the program and the options: it does not depend on the
//! subjects that were decided before it, or elsewhere. So processes that have read the same program can share its
//! subjects by their places, and [`Head::run`](crate::report::Head::run) makes the same run of their reports as one
//! process does. The only verdict that depends on another subject, that of a class whose subclasses clients get, is
//! corrected there.

use crate::error::Error;
use crate::evidence::Judge;
use crate::options::Options;
use crate::pipeline::{Pipeline, points_to};
use crate::progress::{Event, Progress};
use crate::report::{Head, SubjectReport};
use crate::selection::{Selection, class_name};
use decide::Reason;
use isolate::{Analysis, Claim, Entering, Facts, Main, Modality, Shared, Subject};
use java::ir::Bodies;
use java::points_to::{Clients, Mode};
use java::{ClassId, Program};

/// The subjects of an analysed program.
pub struct Subjects<'a> {
    pipeline: Pipeline<'a>,
    selection: &'a Selection,
}

impl Subjects<'_> {
    /// The data of a run that no subject has.
    pub fn head(&self) -> Head {
        let Selection { subjects, classes, skipped, unclaimed, factories, .. } = self.selection;
        let place = |class: ClassId| subjects.iter().position(|one| one.class == class && one.claim != Claim::Statics);
        let pairs = factories.iter().filter_map(|(base, subclass)| place(*base).zip(place(*subclass)));
        Head {
            classes: *classes,
            skipped: skipped.clone(),
            unclaimed: unclaimed.clone(),
            of: subjects.len(),
            factories: pairs.collect(),
        }
    }

    /// The places of the subjects of this run, in ascending order.
    pub fn own(&self) -> Vec<usize> {
        let Pipeline { program, options, .. } = self.pipeline;
        let is_own =
            |subject: &Subject| options.is_own.as_ref().is_none_or(|is_own| is_own(&class_name(program, subject)));
        let subjects = self.selection.subjects.iter().enumerate();
        subjects.filter(|(_, subject)| is_own(subject)).map(|(place, _)| place).collect()
    }

    /// Decides the subjects of these places, in parallel. The reports are in their order; there are none for places
    /// that no subject has.
    ///
    /// # Errors
    /// If threads cannot be started.
    pub fn decide(&self, places: &[usize]) -> Result<Vec<SubjectReport>, Error> {
        let subjects: Vec<Subject> =
            places.iter().filter_map(|place| self.selection.subjects.get(*place)).cloned().collect();
        self.pipeline.all(&subjects)
    }

    /// Decides a subject that is not one of this run. Nobody is told.
    ///
    /// # Errors
    /// If threads cannot be started.
    pub fn decide_silently(&self, place: usize) -> Result<Option<SubjectReport>, Error> {
        let pipeline = Pipeline {
            analysis: self.pipeline.analysis.clone(),
            common: self.pipeline.options.common(),
            progress: &|_| (),
            ..self.pipeline
        };
        Ok(pipeline.all(&self.selection.subjects[place..=place])?.pop())
    }
}

/// Analyses a program, and calls a function with its subjects.
///
/// # Errors
/// If the options name a class that does not exist, the run has ended before, or the function fails.
pub fn with_subjects<T>(
    program: &Program,
    options: &Options,
    progress: &Progress<'_>,
    work: impl FnOnce(&Subjects<'_>) -> Result<T, Error>,
) -> Result<T, Error> {
    let cancellation = &options.limits.cancellation;
    let main = options.main.as_deref().map(|name| main_of(program, name)).transpose()?;
    let Some(facts) = Facts::new_within(program, &|| cancellation.is_cancelled()) else {
        return Err(Error::Ended(cancellation.reason().map_or(Reason::Cancelled, Reason::from)));
    };
    let facts = &facts;
    let mut selection = Selection::new(program, facts, main, (&options.classes, &options.exclude))?;
    let library = &*options.library;
    let bodies = Bodies::new(program);
    let offered = selection.offered(program, facts);
    let clients = Clients { offered: &offered, ..Clients::default() };
    let mode = main.map_or(Mode::Client(clients), |main| Mode::Main(main.method()));
    let points = points_to(program, library, mode, &options.limits);
    let (shared, entering, modality) = (Shared::default(), Entering::default(), Modality::default());
    let analysis = points.as_ref().map(|points| Analysis {
        program,
        library,
        bodies: &bodies,
        points,
        shared: &shared,
        entering,
        modality,
    });
    if let (Ok(analysis), None) = (&analysis, main) {
        selection.add_reached(*analysis);
        shared.note_subjects(selection.object_classes());
    }
    let judge = Judge::new(program, &bodies, facts);
    let pipeline = Pipeline {
        program,
        facts,
        judge: &judge,
        analysis: analysis.map_err(Clone::clone),
        options,
        common: options.common(),
        main,
        progress,
    };
    let subjects = Subjects { pipeline, selection: &selection };
    progress(Event::Selected { subjects: &selection.subjects, own: subjects.own().len() });
    work(&subjects)
}

/// The method `main` of a class.
fn main_of(program: &Program, name: &str) -> Result<Main, Error> {
    let main = program.find(name).and_then(|class| Main::of(program, class));
    main.ok_or_else(|| Error::NoMain(name.to_string()))
}
