//! Who calls what: what differs between clients and programs with their own threads, and between an object and static
//! fields.

use super::context::ContextId;
use super::execution::Position;
use super::interpreter::Interpreter;
use super::state::State;
use crate::graph::Step;
use crate::value::{Lock, RegionId, Value};
use crate::{Assumption, Stuck};
use java::ir::{Operation, Statement};
use java::library::Action;
use java::points_to::ObjectId;
use java::{ClassId, FieldId, MethodId, Name};
use rustc_hash::FxHashSet;
use std::collections::BTreeSet;

/// Methods that handle locks and from which no more than this are reached are never left out.
const MOST_OF_LOCKS: usize = 20;

/// What an interpretation is about.
#[derive(Clone, Debug)]
pub(crate) struct Mode {
    /// The class of the subject.
    pub(crate) class: ClassId,
    /// Whether the static fields of the class are followed instead of an object.
    pub(crate) is_static: bool,
    /// Whether the program starts its threads itself.
    pub(crate) is_program: bool,
    /// The static field that holds the subject's object, of those that never change; program mode.
    pub(crate) holder: Option<FieldId>,
    /// The class and its superclasses, but for that of all objects.
    pub(crate) classes: FxHashSet<ClassId>,
    /// The classes that share private members with these.
    pub(crate) nest: FxHashSet<ClassId>,
    /// Whether elements of arrays are told apart by their indices.
    pub(crate) has_indices: bool,
    /// Whether a lock may be released while one that was acquired after it stays held.
    pub(crate) overlaps: bool,
    /// Calls of methods from which more methods can be reached are left out, if not everything is followed.
    pub(crate) max_reached: Option<usize>,
    /// Whether no state is added where there are as many as there may be, if not everything is followed.
    pub(crate) is_cut_short: bool,
}

impl Interpreter<'_> {
    /// Whether accesses do not matter: control is in the constructor of the subject's object, and nobody else has it,
    /// or what is read is thrown away. In program mode nobody has it anywhere, else before it is
    /// [published](super::publication).
    pub(super) fn is_unobserved(&self, at: Position<'_>) -> bool {
        at.is_discarded || self.is_constructing(at.id) && (self.mode.is_program || !at.is_published)
    }

    /// Whether a context is the constructor of the subject's object.
    pub(super) fn is_constructing(&self, id: ContextId) -> bool {
        let context = &self.contexts[id.index()];
        context.arguments.first() == Some(&Value::Region(RegionId::SUBJECT))
            && self.heap.program.is_constructor(context.method)
    }

    /// Whether a context is the initializer of the class whose static fields are followed.
    pub(super) fn is_initializing(&self, id: ContextId) -> bool {
        let method = self.heap.program.method(self.contexts[id.index()].method);
        self.heap.program.text(method.name) == "<clinit>" && method.class == self.mode.class
    }

    /// What an allocation makes.
    pub(super) fn allocated_values(&self, state: &State, class: Name) -> Vec<Value> {
        let is_subject =
            self.mode.is_program && !self.mode.is_static && self.heap.program.class(self.mode.class).name == class;
        is_subject.then_some(Value::Region(RegionId::SUBJECT)).into_iter().chain([state.fresh()]).collect()
    }

    /// Whether a static field is a location.
    pub(super) fn is_static_location(&self, field: FieldId) -> bool {
        self.mode.is_static && self.heap.program.field(field).class == self.mode.class
    }

    /// What a static field that never changes gives, if it may hold the subject's object: in one model it does, in
    /// another one it does not.
    pub(super) fn holder_cases(&mut self, state: &State, field: FieldId, objects: &[ObjectId]) -> Option<Vec<Value>> {
        let _ = state;
        if !self.mode.is_program || self.mode.is_static || !self.is_holder(field, objects) {
            return None;
        }
        let is_it = self.mode.holder == Some(field);
        let held = if is_it { Value::Region(RegionId::SUBJECT) } else { Value::Other };
        // What `main` assigns is null before that.
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
    pub(super) fn is_outside_class(&self, id: ContextId) -> bool {
        self.mode.is_program && !self.is_own(id)
    }

    /// Whether a context is of a method of the subject's class. What threads run, `main`, and lambdas in them use it
    /// from outside.
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

    /// Whether a method is what a thread begins with.
    fn is_root(&self, method: MethodId) -> bool {
        let program = self.heap.program;
        let declared = program.method(method);
        let name = program.text(declared.name);
        let is_task =
            !declared.flags.is_static() && self.heap.task_method(declared.class).is_some_and(|method| method == name);
        name.starts_with("lambda$") || (name == "main" && declared.flags.is_static()) || is_task
    }

    /// Something is stored: what is computed from the subject may be found again.
    pub(super) fn note_stored(&self, state: &mut State, value: Value) {
        state.has_stored_derived |= value == Value::Derived;
    }

    /// Other threads run these contexts. What `main` itself starts is no part of anything that threads do.
    pub(super) fn starts(&mut self, contexts: &[ContextId], serial: Option<Lock>) -> Vec<Step> {
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

    /// Whether calls of a method are left out, as not everything is followed: methods of other classes from which too
    /// many are reached. Where all are left out, those stay that handle explicit locks, with the few that they reach:
    /// without a method that acquires a lock for its caller, the caller's accesses would seem to be unprotected.
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

    /// What was done at a point; where not everything is followed, an execution may end at it.
    ///
    /// It does where locks do not nest, and where there is no room for the state that comes next. The thread stays
    /// there, with all that it holds, as it does in the program when it is not scheduled any more. So each interleaving
    /// of the model is the begin of one of the program: what is violated is, and nothing is proved. The states that are
    /// known are still executed until nothing is new, so that the same is known of them as if there were no others.
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
                self.callback_stack = super::library_recursion::CallbackStack::default();
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
