//! Who calls what: clients, or threads that the program starts itself; and the model that comes of it.

pub(crate) mod client;
mod entry_contexts;
mod joins;
mod program;

use super::claims::{Claim, Subject};
use super::graph::{
    ContextId, EntryRun, Input, Isolated, MethodContext, NotIsolated, Role, RunsOnce, Stuck, Units, UnitsOf,
    emit_client, reduce,
};
use super::interpret::{Heap, Interpreter, Mode, Regions, Shared, SubjectFacts, assumption_texts};
use super::value::{RegionId, Value};
use java::ir::Bodies;
use java::library::Library;
use java::points_to::PointsTo;
use java::{ClassId, FieldId, Program};
use rustc_hash::FxHashSet;
use std::collections::BTreeSet;
use std::rc::Rc;

pub use program::isolate_main;

/// What is known of a program before any subject is looked at.
#[derive(Clone, Copy, Debug)]
pub struct Analysis<'p> {
    /// The classes.
    pub program: &'p Program,
    /// What methods do that are not given.
    pub library: &'p Library,
    /// The register form of methods.
    pub bodies: &'p Bodies<'p>,
    /// Which objects variables and fields hold.
    pub points: &'p PointsTo<'p>,
    /// What is found on the way and holds for all subjects; empty at first, and of no other analysis.
    pub shared: &'p Shared,
    /// Which calls are entered.
    pub entering: Entering,
}

/// Which calls of given methods are entered.
///
/// A call that is not entered does nothing in the model, gives anything and may throw; so what decides about it is a
/// pruning, and a fault in it is a wrong proof. `tests/suite/java_entering.rs` and `bench/src/bin/entering.rs` compare
/// it with all calls.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Entering {
    /// Those that may touch a followed object.
    #[default]
    Relevant,
    /// All: slow, to compare with.
    All,
}

impl<'p> Analysis<'p> {
    fn heap(&self) -> Heap<'p> {
        let Self { program, library, bodies, points, shared, entering } = *self;
        Heap::new(program, points, library, bodies, shared).entering(entering)
    }
}

/// A stage of the analysis of a subject. Each has a time of its own, so that the next ones have some, too: where the
/// first one would take all, nothing would be found.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Stage {
    /// Everything is followed.
    Whole,
    /// Methods from which much can be reached are left out: nothing is proved.
    Part,
    /// The methods of all other classes are left out, but for small ones that handle locks.
    Alone,
}

impl Stage {
    /// So much of the time of a subject is over at the end of the stage, at the latest.
    pub fn share(self) -> f64 {
        match self {
            Self::Whole => 0.5,
            Self::Part => 0.75,
            Self::Alone => 1.0,
        }
    }
}

/// The stages in which not everything is followed. From a method that is left out, more methods can be reached than
/// this, itself included.
const IN_PART: [(Stage, usize); 2] = [(Stage::Part, 20), (Stage::Alone, 0)];

/// What is analysed in part may have so many times fewer states: time is left for its queries.
const OF_PART: usize = 3;

/// The model of one object of a subject's class, or of its static fields, used by any number of threads.
///
/// # Errors
/// If there is no model, for the reason that is given.
pub fn isolate_client(
    analysis: Analysis<'_>,
    subject: &Subject,
    is_cancelled: &dyn Fn() -> bool,
) -> Result<Isolated, NotIsolated> {
    isolate_client_within(analysis, subject, super::MOST_STATES, &|_| is_cancelled())
}

/// The same, with at most so many states of methods, and as long as the time of a stage is not over. A class that has
/// more states, or takes longer in the first stage, is analysed [in part](Isolated::partial).
///
/// # Errors
/// If there is no model, for the reason that is given.
pub fn isolate_client_within(
    analysis: Analysis<'_>,
    subject: &Subject,
    most_states: usize,
    is_over: &dyn Fn(Stage) -> bool,
) -> Result<Isolated, NotIsolated> {
    let stuck = match whole(analysis, subject, most_states, &|| is_over(Stage::Whole)) {
        Err(NotIsolated::Stuck(Stuck::Cancelled)) if !is_over(Stage::Alone) => Stuck::TakesLong,
        Err(NotIsolated::Stuck(stuck @ (Stuck::TooLarge { .. } | Stuck::NotNested { .. }))) => stuck,
        other => return other,
    };
    let mut followed = None;
    for (stage, far) in IN_PART {
        let is_late = || is_over(stage);
        let is_cut_short = stage == Stage::Alone;
        let extent = Extent { most_states: most_states.div_ceil(OF_PART), far: Some(far), is_cut_short };
        match in_part(analysis, subject, &mut followed, extent, &is_late) {
            Ok(isolated) => return Ok(Isolated { partial: Some(stuck), ..isolated }),
            Err(NotIsolated::Stuck(Stuck::Cancelled)) if is_over(Stage::Alone) => {
                return Err(NotIsolated::Stuck(Stuck::Cancelled));
            }
            Err(_) => {}
        }
    }
    Err(NotIsolated::Stuck(stuck))
}

fn whole(
    analysis: Analysis<'_>,
    subject: &Subject,
    most_states: usize,
    is_over: &dyn Fn() -> bool,
) -> Result<Isolated, NotIsolated> {
    if is_over() {
        return Err(NotIsolated::Stuck(Stuck::Cancelled));
    }
    let followed = Followed::new(analysis.heap(), subject, is_over).map_err(NotIsolated::Stuck)?;
    in_any_lock_mode(|locks| client(&followed, subject, (Extent::whole(most_states), locks), is_over))
}

/// What is followed is found once for all stages.
fn in_part<'p>(
    analysis: Analysis<'p>,
    subject: &Subject,
    followed: &mut Option<Followed<'p>>,
    extent: Extent,
    is_over: &dyn Fn() -> bool,
) -> Result<Isolated, NotIsolated> {
    let followed = match followed {
        Some(known) => known,
        None => {
            let found = Followed::new(analysis.heap().in_part(), subject, is_over).map_err(NotIsolated::Stuck)?;
            followed.insert(found)
        }
    };
    in_any_lock_mode(|locks| client(followed, subject, (extent, locks), is_over))
}

/// How much is followed.
#[derive(Clone, Copy, Debug)]
struct Extent {
    /// So many states of methods at most.
    most_states: usize,
    /// Calls of methods of other classes are left out if more methods are reached from them.
    far: Option<usize>,
    /// Whether executions end where there are too many states.
    is_cut_short: bool,
}

impl Extent {
    /// Everything.
    fn whole(most_states: usize) -> Self {
        Self { most_states, far: None, is_cut_short: false }
    }
}

/// How locks are told apart, and whether they nest.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct LockMode {
    /// Whether elements of arrays are told apart by their indices.
    has_indices: bool,
    /// Whether a lock may be released while one that was acquired after it stays held.
    overlaps: bool,
}

impl LockMode {
    /// All of them, in the order in which they are tried.
    const ALL: [Self; 4] = [
        Self { has_indices: false, overlaps: false },
        Self { has_indices: true, overlaps: false },
        Self { has_indices: false, overlaps: true },
        Self { has_indices: true, overlaps: true },
    ];
}

/// The model in the first mode that does not get stuck on locks. If all do, the first one says why.
fn in_any_lock_mode<T>(model: impl Fn(LockMode) -> Result<T, NotIsolated>) -> Result<T, NotIsolated> {
    let mut first = None;
    for mode in LockMode::ALL {
        match (model(mode), &first) {
            (Err(NotIsolated::Stuck(stuck @ (Stuck::Elements { .. } | Stuck::NotNested { .. }))), _) => {
                first.get_or_insert(stuck);
            }
            // Where elements are not what it got stuck on, they need not be told apart.
            (Err(NotIsolated::Stuck(Stuck::TooLarge { .. })), Some(Stuck::NotNested { .. })) if mode.has_indices => {}
            (found, _) => return found,
        }
    }
    Err(NotIsolated::Stuck(first.expect("the first mode got stuck")))
}

fn client(
    followed: &Followed<'_>,
    subject: &Subject,
    (extent, locks): (Extent, LockMode),
    is_cancelled: &dyn Fn() -> bool,
) -> Result<Isolated, NotIsolated> {
    let start = |wrong| {
        let mut interpreter = followed.interpreter(subject, (extent, false, None), is_cancelled);
        interpreter.mode.has_indices = locks.has_indices;
        interpreter.mode.overlaps = locks.overlaps;
        interpreter.rejected_locks = wrong;
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
    match locks.has_indices {
        true => interpreter.check_array_accesses().map_err(NotIsolated::Stuck)?,
        false => interpreter.check_element_locks().map_err(NotIsolated::Stuck)?,
    }
    let mut contexts = interpreter.graphs();
    let made = contexts.len();
    let entries = entry_contexts::serialize_tasks(&interpreter, entries, &mut contexts);
    let entries = entry_contexts::separate_waiting_entries(entries, &mut contexts);
    let inherited = interpreter.inherited_rows(&mut contexts);
    let roles = roles(&interpreter, &contexts);
    interpreter.assume_representatives(&contexts);
    let roots: BTreeSet<_> = entries.keys().copied().chain(inherited.iter().map(|(context, _)| *context)).collect();
    let units = UnitsOf { roles: &roles, units: &[Units::Entering], roots: &roots };
    reduce(&mut contexts, units, is_cancelled).map_err(NotIsolated::Stuck)?;
    // What was added to what the interpreter has made has no context of its own there.
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
    let inherited = inherited.into_iter().map(|(context, name)| EntryRun {
        context,
        name,
        is_unit: true,
        is_queried: false,
        runs_once: RunsOnce::No,
    });
    let runs = runs.chain(inherited).collect();
    let input = Input {
        program: followed.heap.program,
        class: subject.class,
        contexts: &contexts,
        roles: &roles,
        naming: &interpreter,
        assumptions: assumption_texts(&interpreter.assumptions),
        coarse: interpreter.coarse(),
        units: Units::Entering,
        overlaps: interpreter.mode.overlaps,
        is_partial: interpreter.mode.max_reached.is_some(),
        is_cancelled,
    };
    emit_client(input, runs)
}

/// What is the same in all models of a subject: the followed objects, before anything is interpreted.
struct Followed<'p> {
    heap: Heap<'p>,
    regions: Regions,
    /// What all interpretations of clients find.
    found: Rc<SubjectFacts>,
}

impl<'p> Followed<'p> {
    fn new(heap: Heap<'p>, subject: &Subject, is_cancelled: &dyn Fn() -> bool) -> Result<Self, Stuck> {
        let regions = match subject.claim == Claim::Statics {
            true => Regions::of_statics(&heap, subject.class, is_cancelled)?,
            false => Regions::of_class(&heap, subject.class, is_cancelled)?,
        };
        Ok(Self { heap, regions, found: Rc::default() })
    }

    /// The interpreter for a subject; in program mode, with the static field that holds its object.
    fn interpreter<'a>(
        &'a self,
        subject: &Subject,
        (extent, is_program, holder): (Extent, bool, Option<FieldId>),
        is_cancelled: &'a dyn Fn() -> bool,
    ) -> Interpreter<'a> {
        let program = self.heap.program;
        let is_static = subject.claim == Claim::Statics;
        let is_root = |class: &ClassId| program.text(program.class(*class).name) == "java/lang/Object";
        let classes: FxHashSet<ClassId> = match is_static {
            true => [subject.class].into_iter().collect(),
            false => program.superclasses(subject.class).filter(|class| !is_root(class)).collect(),
        };
        let mode = Mode {
            class: subject.class,
            is_static,
            is_program,
            holder,
            nest: nest(program, &classes),
            classes,
            has_indices: false,
            overlaps: false,
            max_reached: extent.far,
            is_cut_short: extent.is_cut_short,
        };
        let found = if is_program { Rc::default() } else { self.found.clone() };
        Interpreter::new(self.heap.clone(), self.regions.clone(), mode, extent.most_states, (found, is_cancelled))
    }
}

/// The classes that share private members with these, and themselves.
fn nest(program: &Program, classes: &FxHashSet<ClassId>) -> FxHashSet<ClassId> {
    let outermost = |class: ClassId| {
        let name = program.text(program.class(class).name);
        let end = name.rfind('/').map_or(0, |at| at + 1);
        let simple = &name[end..];
        let outer = simple.split('$').next().filter(|outer| !outer.is_empty()).unwrap_or(simple);
        format!("{}{outer}", &name[..end])
    };
    let hosts: FxHashSet<String> = classes.iter().map(|class| outermost(*class)).collect();
    program.classes().map(|(id, _)| id).filter(|id| hosts.contains(&outermost(*id))).collect()
}

/// How contexts relate to the subject.
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
