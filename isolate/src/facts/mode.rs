//! The mode of an interpretation: clients or a program with its own threads; an object or static fields as the subject.

use super::configuration::Configuration;
use crate::exec::context::ContextId;
use crate::exec::execution::Position;
use crate::exec::interpreter::Interpreter;
use crate::exec::state::State;
use crate::graph::Step;
use crate::value::{Lock, RegionId, Value};
use crate::{Assumption, Stuck};
use java::ir::{Operation, Statement};
use java::library::Action;
use java::points_to::ObjectId;
use java::{ClassId, FieldId, MethodId, Name};
use rustc_hash::FxHashSet;
use std::collections::BTreeSet;

/// Methods that handle locks and reach at most this many methods are never left out.
const MOST_OF_LOCKS: usize = 20;

/// The subject of an interpretation, and how it is analysed.
#[derive(Clone, Debug)]
pub(crate) struct Mode {
    /// The class of the subject.
    pub(crate) class: ClassId,
    /// Whether static fields are followed instead of an object.
    pub(crate) is_static: bool,
    /// The followed static fields.
    pub(crate) statics: FxHashSet<FieldId>,
    /// Whether the program starts its threads itself.
    pub(crate) is_program: bool,
    /// The unchanging static field that holds the subject's object; program mode.
    pub(crate) holder: Option<FieldId>,
    /// The class and its superclasses except `Object`.
    pub(crate) classes: FxHashSet<ClassId>,
    /// The classes that share private members with these.
    pub(crate) nest: FxHashSet<ClassId>,
    /// Whether elements of arrays are distinguished by symbolic indices.
    pub(crate) has_indices: bool,
    /// Whether a lock may be released while one that was acquired after it stays held.
    pub(crate) overlaps: bool,
    /// In an analysis in part, calls are left out if more methods than this are reached from the callee.
    pub(crate) max_reached: Option<usize>,
    /// In an analysis in part, whether executions end when the limit of states is reached.
    pub(crate) is_cut_short: bool,
    /// Settings of unchanging fields of the subject's object.
    pub(crate) configuration: Configuration,
}

impl Interpreter<'_> {
    /// Whether nobody can observe accesses here: control is in the constructor of the subject's object and no other
    /// thread has the object, or reads are discarded. In program mode no other thread has the object during
    /// construction; else until it is [published](super::publication).
    pub(crate) fn is_unobserved(&self, at: Position<'_>) -> bool {
        at.is_discarded || self.is_constructing(at.id) && (self.mode.is_program || !at.is_published)
    }

    /// Whether a context is the constructor of the subject's object.
    pub(crate) fn is_constructing(&self, id: ContextId) -> bool {
        let context = &self.contexts[id.index()];
        context.arguments.first() == Some(&Value::Region(RegionId::SUBJECT))
            && self.heap.program.is_constructor(context.method)
    }

    /// Whether a context is the initializer of the class that declares a static field.
    pub(crate) fn is_initializing(&self, id: ContextId, field: FieldId) -> bool {
        let method = self.heap.program.method(self.contexts[id.index()].method);
        self.heap.program.text(method.name) == "<clinit>" && method.class == self.heap.program.field(field).class
    }

    /// The values of an allocation.
    pub(crate) fn allocated_values(&self, state: &State, class: Name) -> Vec<Value> {
        let is_subject =
            self.mode.is_program && !self.mode.is_static && self.heap.program.class(self.mode.class).name == class;
        is_subject.then_some(Value::Region(RegionId::SUBJECT)).into_iter().chain([state.fresh()]).collect()
    }

    /// Whether a static field is a location.
    pub(crate) fn is_static_location(&self, field: FieldId) -> bool {
        self.mode.statics.contains(&field)
    }

    /// The values of an unchanging static field that may hold the subject's object: in one model it does, in another
    /// one it does not.
    pub(crate) fn holder_cases(&mut self, field: FieldId, objects: &[ObjectId]) -> Option<Vec<Value>> {
        if !self.mode.is_program || self.mode.is_static || !self.is_holder(field, objects) {
            return None;
        }
        let is_it = self.mode.holder == Some(field);
        let held = if is_it { Value::Region(RegionId::SUBJECT) } else { Value::Other };
        // A field that `main` assigns is null before.
        let is_late = self.heap.points.stores(field).iter().any(|store| !store.initializes);
        Some([held].into_iter().chain(is_late.then_some(Value::Null)).collect())
    }

    /// Whether an unchanging static field may hold the subject's object.
    pub(crate) fn is_holder(&self, field: FieldId, objects: &[ObjectId]) -> bool {
        let subject = self.regions.alias(RegionId::SUBJECT);
        let may_be = |object: &ObjectId| self.regions.alias_of(&self.heap, *object).iter().any(|it| it.0 == subject);
        self.heap.is_unchanging(field) && objects.iter().any(may_be)
    }

    /// Whether a context is outside of the subject's class, in program mode.
    pub(crate) fn is_outside_class(&self, id: ContextId) -> bool {
        self.mode.is_program && !self.is_own(id)
    }

    /// Whether a context is of a method of the subject's class. Thread entry points, `main`, and lambdas in them use
    /// the subject from outside.
    pub(crate) fn is_own(&self, id: ContextId) -> bool {
        self.is_own_method(self.contexts[id.index()].method)
    }

    /// Whether a method is one of the subject's class.
    pub(crate) fn is_own_method(&self, id: MethodId) -> bool {
        let program = self.heap.program;
        let method = program.method(id);
        let is_of_class = if self.mode.is_static {
            method.class == self.mode.class
        } else {
            self.mode.classes.contains(&method.class)
        };
        is_of_class && !(self.mode.is_program && self.is_root(id))
    }

    /// Whether a thread begins with this method.
    fn is_root(&self, method: MethodId) -> bool {
        let program = self.heap.program;
        let declared = program.method(method);
        let name = program.text(declared.name);
        let is_task =
            !declared.flags.is_static() && self.heap.task_method(declared.class).is_some_and(|method| method == name);
        name.starts_with("lambda$") || (name == "main" && declared.flags.is_static()) || is_task
    }

    /// Notes a store of a derived value, which later loads may find again.
    pub(crate) fn note_stored(&self, state: &mut State, value: Value) {
        state.has_stored_derived |= value == Value::Derived;
    }

    /// Starts these contexts in other threads. A start by `main` itself is not part of a unit.
    pub(crate) fn start_threads(&mut self, contexts: &[ContextId], serial: Option<Lock>) -> Vec<Step> {
        for context in contexts {
            let known = self.serial.entry(*context).or_insert(serial);
            *known = known.filter(|lock| Some(*lock) == serial);
        }
        self.started.extend(contexts.iter().copied());
        let is_main = |id: ContextId| {
            let declared = self.heap.program.method(self.contexts[id.index()].method);
            declared.flags.is_static() && self.heap.program.text(declared.name) == "main"
        };
        let is_mains_own = self.mode.is_program && self.current.is_some_and(is_main);
        if !contexts.is_empty() && !is_mains_own {
            self.assume(Assumption::Started);
        }
        match self.mode.is_program {
            true => contexts.iter().map(|context| Step::Start(*context)).collect(),
            false => Vec::new(),
        }
    }

    /// Whether calls of a method are left out in an analysis in part: methods of other classes that reach too many
    /// methods. If all are left out, methods that handle explicit locks stay, with the few that they reach: without a
    /// method that acquires a lock for its caller, the caller's accesses would appear unprotected.
    pub(crate) fn is_left_out(&mut self, method: MethodId) -> bool {
        let Some(most) = self.mode.max_reached else { return false };
        let class = self.heap.program.method(method).class;
        if self.mode.nest.contains(&class) {
            return false;
        }
        if let Some(known) = self.too_far.get(&method) {
            return *known;
        }
        let mut reached: BTreeSet<MethodId> = BTreeSet::from([method]);
        let mut open = vec![method];
        while let Some(one) = open.pop() {
            open.extend(self.heap.callees_of(one).iter().copied().filter(|callee| reached.insert(*callee)));
            if reached.len() > most.max(MOST_OF_LOCKS) {
                break;
            }
        }
        let handles_locks =
            || reached.len() <= MOST_OF_LOCKS && reached.iter().any(|method| self.handles_locks(*method));
        let is_far = reached.len() > most && !handles_locks();
        if is_far {
            self.assume(Assumption::LeftOut);
        }
        self.too_far.insert(method, is_far);
        is_far
    }

    /// Turns a failure into the end of an execution, in an analysis in part.
    ///
    /// The execution ends where locks do not nest, and where there is no room for the next state. The thread stays
    /// there with all its locks, like a thread of the program that is never scheduled again. So each interleaving of
    /// the model is a prefix of one of the program: violations are real, and nothing is proved. The known states are
    /// still executed up to the fixpoint, so the facts about them are complete.
    pub(crate) fn unless_cut_short(&mut self, done: Result<(), Stuck>) -> Result<(), Stuck> {
        let ends = |stuck: &Stuck| match stuck {
            Stuck::NotNested { .. } => self.mode.max_reached.is_some(),
            Stuck::TooLarge { .. } => self.mode.is_cut_short,
            _ => false,
        };
        match done {
            Err(stuck) if ends(&stuck) => {
                self.assume(Assumption::CutShort);
                self.stops_at_locks |= matches!(stuck, Stuck::NotNested { .. });
                self.callback_stack = crate::exec::library_recursion::CallbackStack::default();
                Ok(())
            }
            done => done,
        }
    }

    /// Whether a statement of a method acquires or releases an explicit lock.
    fn handles_locks(&self, method: MethodId) -> bool {
        let Some(body) = self.heap.body(method) else { return false };
        let is_of_lock =
            |action: &Action| matches!(action, Action::Acquires(_) | Action::Tries { .. } | Action::Releases(_));
        let calls_lock = |statement: &Statement| match &statement.operation {
            Operation::Invoke { member, .. } => {
                self.heap.row_of_member(*member).is_some_and(|row| row.actions.iter().any(is_of_lock))
            }
            _ => false,
        };
        body.blocks().any(|(_, block)| block.statements.iter().any(calls_lock))
    }
}
