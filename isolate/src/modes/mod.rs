//! The callers of a subject, clients or the threads of a program, and the resulting models.

pub(crate) mod client;
mod entry_contexts;
mod factories;
mod joins;
mod nest_methods;
mod once_setters;
mod program;
mod reached_statics;
mod restarts;
mod rounds;
mod tries;
mod turns;

use super::claims::{Claim, Subject};
use super::graph::{
    ContextId, Covered, EntryRun, Input, Isolated, MOST_COPIED, MethodContext, NotIsolated, Purpose, Role, RunsOnce,
    Step, Stuck, Units, UnitsOf, emit_client, reduce,
};
use super::net::{Code, Uncovered};
use super::value::{RegionId, Value};
use crate::assumption::{Assumption, assumption_texts};
use crate::effects::library_code::LibraryRows;
use crate::exec::interpreter::Interpreter;
use crate::facts::answers::Answers;
use crate::facts::configuration::{Configuration, configurations};
use crate::facts::entering::Entering;
use crate::facts::heap::Heap;
use crate::facts::mode::Mode;
use crate::facts::narrowed::nest;
use crate::facts::regions::Regions;
use crate::facts::shared::Shared;
use crate::facts::subject_facts::SubjectFacts;
use crate::{Modality, Rule};
use java::ir::Bodies;
use java::library::Library;
use java::points_to::PointsTo;
use java::{ClassId, FieldId, MethodId, Program};
use rounds::Rounds;
use rustc_hash::FxHashSet;
use std::collections::BTreeSet;
use std::rc::Rc;

pub use factories::subclasses_of_factories;
pub use program::isolate_main;
pub use reached_statics::reaches_static_state;

/// The analyses of a program that all subjects share.
#[derive(Clone, Copy, Debug)]
pub struct Analysis<'p> {
    /// The classes.
    pub program: &'p Program,
    /// The library model: effects of methods without code.
    pub library: &'p Library,
    /// The register form of methods.
    pub bodies: &'p Bodies<'p>,
    /// The points-to sets of variables and fields.
    pub points: &'p PointsTo<'p>,
    /// Results for all subjects, found on the way; empty at first, and not shared with another analysis.
    pub shared: &'p Shared,
    /// The calls that are entered.
    pub entering: Entering,
    /// The steps in the model.
    pub modality: Modality,
}

impl<'p> Analysis<'p> {
    fn heap(&self) -> Heap<'p> {
        let Self { program, library, bodies, points, shared, entering, modality } = *self;
        Heap::new(program, points, library, bodies, shared).entering(entering).with_modality(modality)
    }
}

/// Returns the model of one object of a subject's class, or of its static fields, used by any number of threads.
///
/// # Errors
/// If there is no model, with the reason.
pub fn isolate_client(
    analysis: Analysis<'_>,
    subject: &Subject,
    is_cancelled: &dyn Fn() -> bool,
) -> Result<Isolated, NotIsolated> {
    isolate_client_within(analysis, subject, super::MAX_STATES, is_cancelled)
}

/// Returns the model like [`isolate_client`], with at most `most_states` states.
///
/// With [`Modality::Firm`], it is the model of the last complete round, from the class outwards. With
/// [`Modality::Possible`], all calls are entered, since nothing may be omitted.
///
/// # Errors
/// If there is no model, with the reason.
pub fn isolate_client_within(
    analysis: Analysis<'_>,
    subject: &Subject,
    most_states: usize,
    is_cancelled: &dyn Fn() -> bool,
) -> Result<Isolated, NotIsolated> {
    let configuration = Configuration::new();
    let extent = Extent::whole(most_states, &configuration);
    let mut followed = FollowedByExtent::default();
    match analysis.modality.is_firm() {
        true => Rounds::new((analysis, subject), &mut followed, is_cancelled).isolate(extent),
        false => followed.isolate(analysis, subject, extent, is_cancelled).map(|made| made.isolated),
    }
}

/// Returns the models for the findings of a subject, by [`Modality::Firm`]: one for each configuration of its object,
/// as [`isolate_client_within`] makes them. A configuration without a model is left out. So is one without locks if
/// others have some: it is the mode for a single thread. A round that has too many states for one configuration is not
/// tried for those after it, so at most one round is thrown away.
///
/// # Errors
/// If no configuration has a model, with the reason of the first one.
pub fn isolate_firm(
    analysis: Analysis<'_>,
    subject: &Subject,
    most_states: usize,
    is_cancelled: &dyn Fn() -> bool,
) -> Result<Vec<Isolated>, NotIsolated> {
    firm_models(analysis, subject, (most_states, Purpose::Violations), is_cancelled)
}

/// Returns the models of [`isolate_firm`] for deadlocks: they have all acquisitions of locks.
///
/// # Errors
/// Those of [`isolate_firm`].
pub fn isolate_for_deadlocks(
    analysis: Analysis<'_>,
    subject: &Subject,
    most_states: usize,
    is_cancelled: &dyn Fn() -> bool,
) -> Result<Vec<Isolated>, NotIsolated> {
    firm_models(analysis, subject, (most_states, Purpose::Deadlocks), is_cancelled)
}

fn firm_models(
    analysis: Analysis<'_>,
    subject: &Subject,
    (most_states, purpose): (usize, Purpose),
    is_cancelled: &dyn Fn() -> bool,
) -> Result<Vec<Isolated>, NotIsolated> {
    let analysis = Analysis { modality: Modality::firm(), ..analysis };
    let heap = analysis.heap();
    let classes = classes_of(heap.program, subject);
    let all = match subject.claim == Claim::Statics {
        true => vec![Configuration::new()],
        false => configurations(&heap, &classes, &nest(heap.program, &classes)),
    };
    let mut followed = FollowedByExtent::default();
    let mut rounds = Rounds::new((analysis, subject), &mut followed, is_cancelled);
    let (mut found, mut first) = (Vec::new(), None);
    for configuration in all {
        match rounds.isolate(Extent { purpose, ..Extent::whole(most_states, &configuration) }) {
            Ok(isolated) => found.push(isolated),
            Err(why) => drop(first.get_or_insert(why)),
        }
    }
    let has_locks = |isolated: &Isolated| !isolated.model.locks().is_empty();
    if found.iter().any(has_locks) {
        found.retain(has_locks);
    }
    match first {
        Some(why) if found.is_empty() => Err(why),
        _ => Ok(found),
    }
}

/// Returns the accesses to what the subject reaches that a model does not cover: the net under a proof.
pub fn uncovered(analysis: Analysis<'_>, subject: &Subject, covered: &Covered) -> Vec<Uncovered> {
    let Analysis { program, library, bodies, points, .. } = analysis;
    let followed = reached_statics::followed(&analysis.heap(), subject.class).into_iter().collect();
    super::net::uncovered(Code { program, library, bodies, points }, (subject, &followed), covered)
}

/// Returns the statements by which units of a subject change state of the process, which no model has.
pub fn changes_of_process(analysis: Analysis<'_>, subject: &Subject) -> Vec<Uncovered> {
    let Analysis { program, library, bodies, points, .. } = analysis;
    let methods = reached_statics::methods_of(program, subject.class);
    super::net::changes_of_process(Code { program, library, bodies, points }, subject.class, &methods)
}

/// A model, and whether it leaves out calls of other classes.
struct Made {
    isolated: Isolated,
    leaves_out: bool,
}

/// The followed objects of a subject, computed once for all models of the same modality: for the whole subject, and for
/// a part of it.
#[derive(Default)]
struct FollowedByExtent<'p> {
    whole: Option<Followed<'p>>,
    part: Option<Followed<'p>>,
}

impl<'p> FollowedByExtent<'p> {
    /// Returns the model of an extent.
    fn isolate(
        &mut self,
        analysis: Analysis<'p>,
        subject: &Subject,
        extent: Extent<'_>,
        is_over: &dyn Fn() -> bool,
    ) -> Result<Made, NotIsolated> {
        if is_over() {
            return Err(NotIsolated::Stuck(Stuck::Cancelled));
        }
        let (known, heap) = match extent.far {
            None => (&mut self.whole, analysis.heap()),
            Some(_) => (&mut self.part, analysis.heap().in_part()),
        };
        let followed = match known {
            Some(known) => known,
            None => known.insert(Followed::new(heap, subject, is_over).map_err(NotIsolated::Stuck)?),
        };
        in_any_lock_mode(analysis.modality, |locks| client(followed, subject, (extent, locks), is_over))
    }
}

/// The extent of an analysis.
#[derive(Clone, Copy, Debug)]
struct Extent<'c> {
    /// The maximal number of states.
    most_states: usize,
    /// The maximal number of nodes that inlining copies.
    most_copied: usize,
    /// Calls of methods of other classes are omitted if these reach more methods than this.
    far: Option<usize>,
    /// Whether executions are cut off when there are too many states.
    is_cut_short: bool,
    /// The settings of fields.
    configuration: &'c Configuration,
    /// The question for which the model is made.
    purpose: Purpose,
}

impl<'c> Extent<'c> {
    /// Creates the extent of the whole subject.
    fn whole(most_states: usize, configuration: &'c Configuration) -> Self {
        let purpose = Purpose::Violations;
        Self { most_states, most_copied: MOST_COPIED, far: None, is_cut_short: false, configuration, purpose }
    }
}

/// The precision of locks: whether elements are distinguished, and whether locks nest.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct LockMode {
    /// Whether elements of arrays are distinguished by their indices.
    has_indices: bool,
    /// Whether a lock may be released before one that was acquired after it.
    overlaps: bool,
    /// Whether the lock of an element stands for the locks of all elements that are not distinguished, by
    /// [`SameLock`](Rule::SameLock).
    unites_elements: bool,
}

impl LockMode {
    /// All modes, in the order in which they are tried: those of proofs, then those of findings only.
    const ALL: [Self; 6] = [
        Self { has_indices: false, overlaps: false, unites_elements: false },
        Self { has_indices: true, overlaps: false, unites_elements: false },
        Self { has_indices: false, overlaps: true, unites_elements: false },
        Self { has_indices: true, overlaps: true, unites_elements: false },
        Self { has_indices: false, overlaps: false, unites_elements: true },
        Self { has_indices: false, overlaps: true, unites_elements: true },
    ];
}

/// Returns the model of the first mode that does not get stuck on locks. If all get stuck, returns the reason of the
/// first one.
fn in_any_lock_mode<T>(
    modality: Modality,
    model: impl Fn(LockMode) -> Result<T, NotIsolated>,
) -> Result<T, NotIsolated> {
    let mut first = None;
    let mut has_elements = false;
    for mode in LockMode::ALL {
        if mode.unites_elements && !(has_elements && modality.omits(Rule::SameLock)) {
            continue;
        }
        match (model(mode), &first) {
            (Err(NotIsolated::Stuck(stuck @ (Stuck::Elements { .. } | Stuck::NotNested { .. }))), _) => {
                has_elements |= matches!(stuck, Stuck::Elements { .. });
                first.get_or_insert(stuck);
            }
            // If elements are not the reason, they need not be distinguished.
            (Err(NotIsolated::Stuck(Stuck::TooLarge { .. })), Some(Stuck::NotNested { .. })) if mode.has_indices => {}
            (found, _) => return found,
        }
    }
    Err(NotIsolated::Stuck(first.expect("the first mode got stuck")))
}

/// Returns the model of a subject in client mode.
fn client(
    followed: &Followed<'_>,
    subject: &Subject,
    (extent, locks): (Extent<'_>, LockMode),
    is_cancelled: &dyn Fn() -> bool,
) -> Result<Made, NotIsolated> {
    let start = |wrong| {
        let mut interpreter = followed.interpreter(subject, (extent, locks), (false, None), is_cancelled);
        interpreter.locks.rejected = wrong;
        interpreter
    };
    let mut interpreter = start(BTreeSet::new());
    let mut interpreted = client::interpret(&mut interpreter);
    while let Some(wrong) = interpreter.wrong_locks(&interpreted) {
        interpreter = start(wrong);
        interpreted = client::interpret(&mut interpreter);
    }
    let mut entries = interpreted.map_err(NotIsolated::Stuck)?;
    while let Some((entry, stuck)) = interpreter.exit_with_aliased_lock(entries.keys().copied()) {
        interpreter.unless_cut_short(Err(stuck)).map_err(NotIsolated::Stuck)?;
        entries.remove(&entry);
    }
    if let Some(stuck) = interpreter.misses_lock_of_caller() {
        return Err(NotIsolated::Stuck(stuck));
    }
    match locks.has_indices {
        true => interpreter.check_array_accesses().map_err(NotIsolated::Stuck)?,
        false if locks.unites_elements => {}
        false => interpreter.check_element_locks().map_err(NotIsolated::Stuck)?,
    }
    let methods_of = |is_meant: &dyn Fn(&client::Entry) -> bool| {
        let meant = entries.iter().filter(|(_, entry)| is_meant(entry));
        meant.map(|(context, _)| interpreter.method_of(*context).0).collect()
    };
    let mut covered = Covered {
        places: interpreter.accesses(),
        locks: interpreter.uses_of_locks(),
        entries: methods_of(&|_| true),
        queried: methods_of(&|entry| entry.is_queried),
        inherited: Vec::new(),
    };
    let mut contexts = interpreter.graphs();
    let made = contexts.len();
    let entries = entry_contexts::serialize_tasks(&interpreter, entries, &mut contexts);
    let entries = turns::take_turns(&interpreter, entries, &mut contexts);
    let entries = entry_contexts::separate_waiting_entries(entries, &mut contexts);
    let stays = |context: ContextId| context.index() >= made || interpreter.entry_multiplicity(context) != RunsOnce::No;
    let entries = match extent.purpose {
        Purpose::Violations => restarts::separate_waits(entries, &mut contexts, stays),
        Purpose::Deadlocks => entries,
    };
    restarts::forget_marks(&mut contexts);
    let unmarked = contexts.len();
    let entries = match extent.purpose {
        Purpose::Violations => once_setters::separate_setters(
            entries,
            &mut contexts,
            stays,
            |value, written| {
                interpreter.is_map_location(value)
                    && !written.iter().all(|written| interpreter.is_keyed_location(*written))
            },
            &interpreter.threads.latches,
        ),
        Purpose::Deadlocks => entries,
    };
    once_setters::forget_setters(&mut contexts[..unmarked]);
    let own: BTreeSet<ContextId> = entries.keys().copied().collect();
    let inherited_units = interpreter.inherited_units(&own, &mut contexts);
    covered.inherited = inherited_units.iter().map(|unit| called_methods(&contexts, unit.context)).collect();
    let inherited_rows = interpreter.inherited_rows(&mut contexts);
    let units = inherited_units.into_iter().map(|unit| (unit.context, unit.name, true));
    let rows = inherited_rows.into_iter().map(|(context, name)| (context, name, false));
    let inherited: Vec<(ContextId, String, bool)> = units.chain(rows).collect();
    let roles = roles(&interpreter, &contexts);
    interpreter.assume_representatives(&contexts);
    let roots: BTreeSet<_> = entries.keys().copied().chain(inherited.iter().map(|(context, ..)| *context)).collect();
    let units = UnitsOf { roles: &roles, units: &[Units::Entering], roots: &roots };
    reduce(&mut contexts, units, extent.purpose, is_cancelled).map_err(NotIsolated::Stuck)?;
    // Contexts added after interpretation are unknown to the interpreter.
    let runs_once = |context: ContextId| match context.index() < made {
        true => interpreter.entry_multiplicity(context),
        false => RunsOnce::No,
    };
    let runs = entries.into_iter().map(|(context, entry)| EntryRun {
        context,
        name: entry.name,
        is_unit: entry.is_unit,
        is_queried: entry.is_queried,
        runs_once: runs_once(context),
    });
    let inherited = inherited.into_iter().map(|(context, name, is_queried)| EntryRun {
        context,
        name,
        is_unit: true,
        is_queried,
        runs_once: RunsOnce::No,
    });
    let runs = runs.chain(inherited).collect();
    let input = Input {
        program: followed.heap.program,
        class: subject.class,
        contexts: &contexts,
        roles: &roles,
        naming: &interpreter,
        assumptions: assumption_texts(&interpreter.notes.assumptions),
        coarse: interpreter.coarse(),
        units: Units::Entering,
        overlaps: interpreter.mode.overlaps,
        purpose: extent.purpose,
        most_copied: extent.most_copied,
        is_cut_short: extent.is_cut_short,
        is_cancelled,
    };
    let tries = match extent.purpose {
        Purpose::Violations => BTreeSet::new(),
        Purpose::Deadlocks => tries::tries(&followed.heap, contexts.iter().map(|context| context.method)),
    };
    let cut_off = interpreter.notes.cut_off.clone();
    let leaves_out = interpreter.notes.assumptions.contains(&Assumption::LeftOut);
    match emit_client(input, runs) {
        Ok(mut isolated) => {
            isolated.meanings.tries = tries;
            let partial = cut_off.or(isolated.partial);
            Ok(Made { isolated: Isolated { covered: Some(covered), partial, ..isolated }, leaves_out })
        }
        Err(NotIsolated::NothingToViolate(assumptions, None)) => {
            Err(NotIsolated::NothingToViolate(assumptions, Some(Box::new(covered))))
        }
        Err(why) => Err(why),
    }
}

/// The methods that a context calls itself.
fn called_methods(contexts: &[MethodContext], context: ContextId) -> BTreeSet<MethodId> {
    let steps = contexts[context.index()].flow.nodes.iter().map(|node| node.step);
    steps.filter_map(Step::called).map(|called| contexts[called.index()].method).collect()
}

/// The common part of all models of a subject: the followed objects, before interpretation.
struct Followed<'p> {
    heap: Heap<'p>,
    regions: Rc<Regions>,
    /// The static fields that are followed instead of an object.
    statics: Vec<FieldId>,
    /// Facts that all interpretations of clients share.
    found: Rc<Answers>,
}

impl<'p> Followed<'p> {
    fn new(heap: Heap<'p>, subject: &Subject, is_cancelled: &dyn Fn() -> bool) -> Result<Self, Stuck> {
        if subject.claim != Claim::Statics {
            let regions = Rc::new(Regions::of_class(&heap, subject.class, is_cancelled)?);
            return Ok(Self { heap, regions, statics: Vec::new(), found: Rc::default() });
        }
        let statics = reached_statics::followed(&heap, subject.class);
        let regions = Rc::new(Regions::of_statics(&heap, subject.class, &statics, is_cancelled)?);
        Ok(Self { heap, regions, statics, found: Rc::default() })
    }

    /// Creates the interpreter for a subject; in program mode, `holder` is the static field that holds its object.
    fn interpreter<'a>(
        &'a self,
        subject: &Subject,
        (extent, locks): (Extent<'_>, LockMode),
        (is_program, holder): (bool, Option<FieldId>),
        is_cancelled: &'a dyn Fn() -> bool,
    ) -> Interpreter<'a> {
        let program = self.heap.program;
        let is_static = subject.claim == Claim::Statics;
        let classes = classes_of(program, subject);
        let mode = Mode {
            class: subject.class,
            is_static,
            statics: self.statics.iter().copied().collect(),
            is_program,
            holder,
            nest: nest(program, &classes),
            classes,
            has_indices: locks.has_indices,
            overlaps: locks.overlaps,
            max_reached: extent.far,
            is_cut_short: extent.is_cut_short,
            configuration: extent.configuration.clone(),
        };
        let found = if is_program { Rc::default() } else { self.found.clone() };
        let facts = SubjectFacts::new(self.heap.clone(), (self.regions.clone(), found), mode, is_cancelled);
        Interpreter::new(facts, &LibraryRows, extent.most_states)
    }
}

/// Returns the classes of the subject's object, without `Object`; for static fields, their class.
fn classes_of(program: &Program, subject: &Subject) -> FxHashSet<ClassId> {
    let is_root = |class: &ClassId| program.text(program.class(*class).name) == "java/lang/Object";
    match subject.claim == Claim::Statics {
        true => [subject.class].into_iter().collect(),
        false => program.superclasses(subject.class).filter(|class| !is_root(class)).collect(),
    }
}

/// Returns the relation of each context to the subject.
fn roles(interpreter: &Interpreter<'_>, contexts: &[MethodContext]) -> Vec<Role> {
    let program = interpreter.heap.program;
    let role = |context: &MethodContext| {
        let class = program.method(context.method).class;
        Role {
            is_own: interpreter.is_own_method(context.method),
            is_inside: interpreter.mode.nest.contains(&class),
            gets_object: interpreter.mode.is_static || context.arguments.contains(&Value::Region(RegionId::SUBJECT)),
            is_constructor: program.is_constructor(context.method),
        }
    };
    contexts.iter().map(role).collect()
}
