//! The subjects of a folder of class files, and their models.

use asercheck::isolate::{
    Analysis, Claim, Entering, Facts, Isolated, Modality, NotIsolated, Shared, Stuck, Subject, isolate_client,
};
use asercheck::java::ir::Bodies;
use asercheck::java::library::Library;
use asercheck::java::points_to::{Clients, Mode, PointsTo};
use asercheck::java::{ClassId, FieldId, Limits, Program};
use std::collections::BTreeSet;
use std::path::Path;
use std::time::{Duration, Instant};

/// A subject and the result of its analysis.
#[derive(Debug)]
pub struct Analysed {
    /// The name of the class.
    pub class: String,
    /// Whether the subject are the static fields of the class.
    pub is_static: bool,
    /// The fields of its objects that are final.
    pub finals: BTreeSet<String>,
    /// The model; none if there is no access; or the reason why there is none.
    pub model: Result<Option<Isolated>, String>,
}

/// Selection of subjects.
#[derive(Clone, Copy, Debug)]
pub enum Chosen {
    /// Classes that appear thread-safe, and the class with the folder's name.
    Claiming,
    /// This number of public classes (no interfaces) at random, with a seed.
    Some(usize, u64),
}

/// Returns the names of the classes of a folder that are subjects.
pub fn classes(folder: &Path, chosen: Chosen) -> BTreeSet<String> {
    let (program, subjects, _) = subjects_of(folder, chosen);
    subjects.iter().map(|subject| program.class_name(subject.class)).collect()
}

/// Returns a program, its subjects, and the classes that clients can use, in ascending order.
fn subjects_of(folder: &Path, chosen: Chosen) -> (Program, Vec<Subject>, Vec<ClassId>) {
    let (program, _) = Program::load(&[folder.to_path_buf()], &[], &Limits::default());
    let facts = Facts::new(&program);
    let subjects = match chosen {
        Chosen::Claiming => subjects(&program, &facts, folder),
        Chosen::Some(count, seed) => some(&program, count, seed),
    };
    let mut offered = Subject::claiming(&program, &facts);
    offered.extend(subjects.iter().map(|subject| subject.class));
    offered.sort_unstable();
    offered.dedup();
    (program, subjects, offered)
}

/// Analyses the subjects of a folder, each within a time limit.
pub fn analysed(folder: &Path, chosen: Chosen, patience: Duration) -> Vec<Analysed> {
    let (program, subjects, offered) = subjects_of(folder, chosen);
    let (library, bodies) = (Library::builtin(), Bodies::new(&program));
    let deadline = Instant::now() + patience;
    let clients = Clients { offered: &offered, ..Clients::default() };
    let points = PointsTo::new(&program, &library, Mode::Client(clients), &|| Instant::now() > deadline);
    // Clients have no object of a hidden class that does not escape; the driver gets such objects by reflection, which
    // proves nothing.
    let is_used = |subject: &&Subject| {
        let is_had = |points: &PointsTo<'_>| {
            let mut objects = points.objects_of(subject.class).into_iter();
            objects.any(|object| points.escapes(object) && !points.object(object).is_external())
        };
        !program.class(subject.class).is_hidden || points.as_ref().map_or(true, is_had)
    };
    let shared = Shared::default();
    let of = |subject: &Subject| {
        let deadline = Instant::now() + patience;
        let model = match &points {
            Ok(points) => {
                let analysis = Analysis {
                    program: &program,
                    library: &library,
                    bodies: &bodies,
                    points,
                    shared: &shared,
                    entering: Entering::default(),
                    modality: Modality::Possible,
                };
                result(isolate_client(analysis, subject, &|| Instant::now() > deadline))
            }
            Err(_) => Err("the pointer analysis met a limit".into()),
        };
        let class = program.class_name(subject.class);
        let finals = finals(&program, subject.class);
        Analysed { class, is_static: subject.claim == Claim::Statics, finals, model }
    };
    subjects.iter().filter(is_used).map(of).collect()
}

/// Returns the names of fields that are final in the class and in all superclasses that have them.
fn finals(program: &Program, class: ClassId) -> BTreeSet<String> {
    let fields = || program.superclasses(class).flat_map(|class| program.class(class).fields());
    let named = |is_final: bool| {
        let is_it = move |field: &FieldId| program.field(*field).flags.is_final() == is_final;
        fields().filter(is_it).map(|field| program.text(program.field(field).name).to_string())
    };
    let others: BTreeSet<String> = named(false).collect();
    named(true).filter(|name| !others.contains(name)).collect()
}

fn some(program: &Program, count: usize, seed: u64) -> Vec<Subject> {
    let can_be = |class: &ClassId| {
        let flags = program.class(*class).flags;
        flags.is_public() && !flags.is_abstract() && !flags.is_interface() && !flags.is_synthetic()
    };
    let mut classes: Vec<ClassId> = program.classes().map(|(class, _)| class).filter(can_be).collect();
    fastrand::Rng::with_seed(seed).shuffle(&mut classes);
    classes.truncate(count);
    classes.into_iter().map(|class| Subject { class, claim: Claim::Named }).collect()
}

fn subjects(program: &Program, facts: &Facts, folder: &Path) -> Vec<Subject> {
    let mut found = Vec::new();
    for (class, declared) in program.classes() {
        let name = program.class_name(class);
        let is_named =
            folder.file_name().is_some_and(|file| Some(file.to_string_lossy().as_ref()) == name.rsplit('.').next());
        found.extend(Subject::of_shared_statics(program, facts, class, is_named));
        let can_be = is_named && !declared.flags.is_abstract();
        let named = can_be.then_some(Subject { class, claim: Claim::Named });
        found.extend(Subject::of(program, facts, class).or(named));
    }
    found
}

fn result(model: Result<Isolated, NotIsolated>) -> Result<Option<Isolated>, String> {
    match model {
        Ok(Isolated { partial: Some(why), .. }) => Err(format!("in part: {why}")),
        Ok(isolated) => Ok(Some(isolated)),
        Err(NotIsolated::NothingToViolate(..) | NotIsolated::NotReached) => Ok(None),
        Err(NotIsolated::Stuck(Stuck::Cancelled)) => Err("it takes too long".into()),
        Err(NotIsolated::Stuck(stuck)) => Err(stuck.to_string()),
        Err(NotIsolated::Fault(errors)) => Err(errors.first().map(ToString::to_string).unwrap_or_default()),
    }
}
