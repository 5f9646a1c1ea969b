//! Atomic accesses: atomics, handles and updaters; compare-and-set operations and the reads that they confirm.
//!
//! Suppose a compare-and-set succeeds and expects a value that was read before from the same location. Then the
//! location has not changed since that read (or it changed and changed back: ABA). So the read may as well happen in
//! the same step as the compare-and-set. Therefore a read of a location that some method compares and sets has two
//! cases: it happens in place ([`Value::Found`] with `false`), or it is moved to the compare-and-set that confirms it
//! (`true`). A moved read that no compare-and-set confirms has not happened in the model; the other case covers this
//! execution. A compare-and-set that expects a value read in place can only fail: if it succeeds, the path with the
//! moved read is the same except for the place of the read.
//!
//! **Invariant.** Each execution has a path on which exactly those reads are moved that a later compare-and-set
//! confirms.

use crate::assumption::Assumption;
use crate::exec::cas_locations::outdated;
use crate::exec::execution::{Call, CallExit, Execution, Position};
use crate::exec::interpreter::Interpreter;
use crate::exec::state::State;
use crate::facts::stored::Stored;
use crate::graph::Step;
use crate::value::{Location, Value};
use crate::{Rule, Stuck};
use java::InvokeKind;
use java::ir::{Definition, Operation};
use java::library::{Action, Argument, Attribute, Row, Subject};

/// The kind of an atomic access, with the arguments that it uses.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Access {
    Get,
    Set,
    GetAndSet,
    Update(Argument),
    Swap(Vec<Argument>),
}

/// Classes of atomic arrays.
const ARRAYS: [&str; 3] = [
    "java/util/concurrent/atomic/AtomicIntegerArray",
    "java/util/concurrent/atomic/AtomicLongArray",
    "java/util/concurrent/atomic/AtomicReferenceArray",
];

impl Interpreter<'_> {
    /// If a row is an atomic access to a followed location: all exits of the call.
    pub(super) fn atomic(
        &mut self,
        execution: &mut Execution,
        at: Position<'_>,
        after: Option<usize>,
        state: &State,
        row: &Row<'_>,
        call: &Call<'_>,
    ) -> Result<Option<Vec<CallExit>>, Stuck> {
        let Some(access) = row.actions.iter().find_map(access).or_else(|| access_by_handle(row)) else {
            return Ok(None);
        };
        if let Some(call_exits) = self.once_exits(execution, at, (after, state), row, call) {
            return Ok(Some(call_exits));
        }
        if let Some(call_exits) = self.spin_lock_exits(execution, at, (after, state), row, call) {
            return Ok(Some(call_exits));
        }
        if row.attributes.has(Attribute::Handle)
            && let Some(call_exits) = self.flag_field_exits(execution, at, (after, state), row, call)
        {
            return Ok(Some(call_exits));
        }
        let Some((location, shift)) = self.atomic_location(at, row, call) else { return Ok(None) };
        if access == Access::Set && self.puts_back(at, call) {
            return Ok(Some(vec![(after, outdated(state, location), Some(Value::Any))]));
        }
        let mut after = after;
        if let Access::Update(function) = &access {
            let place = function.index() + shift + usize::from(call.kind != InvokeKind::Static);
            after = self.run_argument(execution, at, after, call, place)?;
        }
        if access != Access::Get && access != Access::Set {
            self.note_cas(location);
        }
        let expected: Vec<Value> = match &access {
            Access::Swap(expected) => {
                let place =
                    |argument: &Argument| argument.index() + shift + usize::from(call.kind != InvokeKind::Static);
                let index = self.index_place(shift, call);
                let value = |place: usize| {
                    let value = call.values.get(place).copied()?;
                    let is_same = index.is_none_or(|index| self.is_of_same_element(at, call, place, index));
                    Some(if is_same { value } else { Value::Any })
                };
                expected.iter().filter_map(|argument| value(place(argument))).collect()
            }
            _ => Vec::new(),
        };
        let found = match (&access, call.variables) {
            (Access::Swap(expected), Some(variables)) => expected.iter().find_map(|argument| {
                let place = argument.index() + shift + usize::from(call.kind != InvokeKind::Static);
                state.found_in(*variables.get(place)?, location)
            }),
            _ => None,
        };
        Ok(Some(self.access_ends(execution, at, (after, state), (location, access), (expected, found), call)))
    }

    /// The argument position of the element index, counting the receiver; none if the access is not to an element.
    fn index_place(&self, shift: usize, call: &Call<'_>) -> Option<usize> {
        let class = self.heap.program.text(call.member.class);
        match shift {
            2 => Some(2),
            _ => ARRAYS.contains(&class).then_some(1),
        }
    }

    /// Whether the expected value was read from the element that is compared and set: the reading call has the same
    /// index term. All elements are one location, so a value found in another element says nothing about this one.
    fn is_of_same_element(&self, at: Position<'_>, call: &Call<'_>, expected: usize, index: usize) -> bool {
        let Some(variables) = call.variables else { return false };
        let (Some(expected), Some(index_here)) = (variables.get(expected), variables.get(index)) else { return false };
        let body = &at.code.body;
        let mut read = *expected;
        loop {
            let Definition::Statement(id) = body.variable(read).definition else { return false };
            match &body.statement(id).operation {
                Operation::CheckCast(_, of) => read = *of,
                Operation::Invoke { arguments, .. } => {
                    let terms = &at.code.terms;
                    return arguments.get(index).is_some_and(|there| terms.of(*there) == terms.of(*index_here));
                }
                _ => return false,
            }
        }
    }

    fn access_ends(
        &mut self,
        execution: &mut Execution,
        at: Position<'_>,
        (after, state): (Option<usize>, &State),
        (location, access): (Location, Access),
        (expected, object): (Vec<Value>, Option<bool>),
        call: &Call<'_>,
    ) -> Vec<CallExit> {
        let mut call_exits = vec![(after, state.clone(), None)];
        let both = [Step::Read(location), Step::Write(location)];
        match access {
            Access::Get => {
                let value = self.atomic_value(at, state, call);
                let read = self.one_step(execution, at, after, location, &both[..1]);
                let (found, moved) = self.read_or_moved(at, location, value);
                let notes = self.notes_objects(location, found, moved);
                let mut noted = [state.clone(), state.clone()];
                if let (true, Some(to)) = (notes, call.to) {
                    noted[0].note_found(to, location, false);
                    noted[1].note_found(to, location, true);
                }
                let [in_place, later] = noted;
                call_exits.push((read, in_place, Some(found)));
                call_exits.extend(moved.or(notes.then_some(value)).map(|moved| (after, later, Some(moved))));
            }
            Access::Set => {
                let written = self.one_step(execution, at, after, location, &both[1..]);
                call_exits.push((written, outdated(state, location), Some(Value::Any)));
            }
            Access::GetAndSet | Access::Update(_) => {
                let value = self.assigned_value(at, state, call.to);
                let done = self.one_step(execution, at, after, location, &both);
                call_exits.push((done, outdated(state, location), Some(value)));
            }
            Access::Swap(_) => {
                if expected.iter().any(|value| matches!(value, Value::Found(..))) {
                    self.assume(Assumption::Aba);
                }
                let gives = |number: i32| if self.gives_flag(call) { Value::Int(number) } else { Value::Any };
                let [yes, no] = [1, 0].map(gives);
                if !expected.contains(&Value::Found(location, false)) && object != Some(false) {
                    let done = self.one_step(execution, at, after, location, &both);
                    call_exits.push((done, outdated(state, location), Some(yes)));
                }
                if !expected.contains(&Value::Found(location, true)) && object != Some(true) {
                    let is_second = (expected.contains(&Value::Found(location, false)) || object == Some(false))
                        && self.heap.modality.omits(Rule::FailedAttempts);
                    let read = match is_second {
                        true => after,
                        false => self.one_step(execution, at, after, location, &both[..1]),
                    };
                    call_exits.push((read, state.clone(), Some(no)));
                }
            }
        }
        call_exits
    }

    fn gives_flag(&self, call: &Call<'_>) -> bool {
        self.heap.program.result_type(call.member.descriptor) == Some(java::Type::Boolean)
    }

    /// The value of an atomic.
    fn atomic_value(&mut self, at: Position<'_>, state: &State, call: &Call<'_>) -> Value {
        match self.assigned_value(at, state, call.to) {
            Value::Any => self.subject_number(at),
            value => value,
        }
    }

    /// The location that an atomic row accesses, and the number of arguments that select the object.
    fn atomic_location(&mut self, at: Position<'_>, row: &Row<'_>, call: &Call<'_>) -> Option<(Location, usize)> {
        let receiver = *call.values.first()?;
        if !row.attributes.has(Attribute::Handle) {
            return receiver.region().map(|region| (self.content_location(region), 0));
        }
        let target = self.handle_targets(at, call).only()?;
        self.target_location(target, call)
    }

    /// Whether a row with a handle certainly accesses no followed location.
    pub(super) fn is_unfollowed_handle(&mut self, at: Position<'_>, row: &Row<'_>, call: &Call<'_>) -> bool {
        let Some(Value::Static(holder)) = call.values.first() else { return false };
        row.attributes.has(Attribute::Handle)
            && matches!(*self.heap.construction(*holder), Stored::Handle(..))
            && self.handle_targets(at, call).only().is_none_or(|target| self.target_location(target, call).is_none())
    }

    fn run_argument(
        &mut self,
        execution: &mut Execution,
        at: Position<'_>,
        after: Option<usize>,
        call: &Call<'_>,
        place: usize,
    ) -> Result<Option<usize>, Stuck> {
        let value = call.values.get(place).copied().unwrap_or(Value::Any);
        let variable = call.variables.and_then(|variables| variables.get(place).copied());
        self.run_value(execution, at, after, (value, variable))
    }
}

/// The access of a handle or updater whose row says only that it reads and writes.
fn access_by_handle(row: &Row<'_>) -> Option<Access> {
    let does = |is_it: fn(&Action) -> bool| row.actions.iter().any(is_it);
    let reads = does(|action| action.read() == Some(Subject::This));
    let writes = does(|action| action.written() == Some(Subject::This));
    match (row.attributes.has(Attribute::Handle), reads, writes) {
        (false, ..) | (true, false, false) => None,
        (true, true, false) => Some(Access::Get),
        (true, false, true) => Some(Access::Set),
        (true, true, true) => Some(Access::GetAndSet),
    }
}

fn access(action: &Action) -> Option<Access> {
    Some(match action {
        Action::Gets => Access::Get,
        Action::Sets(_) => Access::Set,
        Action::GetsAndSets(_) => Access::GetAndSet,
        Action::UpdatesBy(function) => Access::Update(*function),
        Action::ComparesAndSets(pairs) => Access::Swap(pairs.iter().map(|(expected, _)| *expected).collect()),
        _ => return None,
    })
}
