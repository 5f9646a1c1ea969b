//! The flows of a library method's arguments: where a row may put an argument or an object in its content.
//!
//! **Invariant.** A flow that is not claimed is excluded by the row: for each action, [`of_action`] lists the flows
//! that [`points_to`](java::points_to) draws for it. The match is exhaustive, so that a new action has to be judged.

use java::InvokeKind;
use java::library::{Action, Argument, Attribute, Outcome, Part, Row, Source, Subject, Thread};

/// Methods that the library calls for a number or a truth value.
const COMPARING: [&str; 4] = ["compare", "compareTo", "equals", "hashCode"];

/// The position of an action's subject among the arguments of a call, the receiver first; none if the call has no
/// receiver.
pub(crate) fn argument_place(subject: Subject, kind: InvokeKind) -> Option<usize> {
    let has_receiver = kind != InvokeKind::Static;
    match subject {
        Subject::This => has_receiver.then_some(0),
        Subject::Argument(argument) => Some(argument.index() + usize::from(has_receiver)),
    }
}

/// Where an argument of a call, the receiver included, may get.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct ArgumentFlow {
    /// It may be stored in another object, or passed to another thread.
    pub(crate) stores_itself: bool,
    /// The same for the objects in its content.
    pub(crate) stores_content: bool,
    /// The result may be the argument, a view of it or an object in its content, or may hold one of these.
    pub(crate) is_in_result: bool,
    /// Functions may get it.
    pub(crate) is_passed: bool,
    /// Functions may get the objects in its content.
    pub(crate) passes_content: bool,
}

impl ArgumentFlow {
    /// All flows: of a method about which nothing is known.
    pub(crate) const ANY: Self =
        Self { stores_itself: true, stores_content: true, is_in_result: true, is_passed: true, passes_content: true };

    /// The flows of the argument at a position, the receiver first.
    pub(crate) fn of(row: &Row<'_>, kind: InvokeKind, is_constructor: bool, place: usize) -> Self {
        let argument = RowArgument { kind, place };
        let mut flow =
            row.actions.iter().fold(Self::default(), |flow, action| flow.or(of_action(row, action, argument)));
        // The functions of a row get its soup: the arguments, and the contents of the receiver and of the arguments.
        if row.runs_functions() || row.actions.iter().any(|action| matches!(action, Action::UpdatesBy(_))) {
            flow.is_passed |= !argument.is_receiver();
            flow.passes_content = true;
            let takes = row.actions.iter().any(gives_references)
                && row.actions.iter().any(|action| action.written().is_some() || is_of_results(action));
            flow.stores_itself |= takes && !argument.is_receiver() && !is_callee(row, argument);
            flow.stores_content |= takes && !argument.is_receiver();
        }
        flow.stores_itself |= row.takes_all(is_constructor) && !argument.is_receiver();
        flow.or(of_result(row, argument))
    }

    /// The flows by any of these rows.
    pub(super) fn of_all(rows: &[Row<'_>], kind: InvokeKind, is_constructor: bool, place: usize) -> Self {
        rows.iter().fold(Self::default(), |flow, row| flow.or(Self::of(row, kind, is_constructor, place)))
    }

    fn or(self, other: Self) -> Self {
        Self {
            stores_itself: self.stores_itself || other.stores_itself,
            stores_content: self.stores_content || other.stores_content,
            is_in_result: self.is_in_result || other.is_in_result,
            is_passed: self.is_passed || other.is_passed,
            passes_content: self.passes_content || other.passes_content,
        }
    }
}

/// The objects that a use of a variable stores: all that it reaches, or only those in its content.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Extent {
    Reached,
    Content,
}

/// An argument of a call by its position, the receiver first.
#[derive(Clone, Copy)]
struct RowArgument {
    kind: InvokeKind,
    place: usize,
}

impl RowArgument {
    fn is_receiver(self) -> bool {
        self.place == 0 && self.kind != InvokeKind::Static
    }

    fn is(self, subject: Subject) -> bool {
        argument_place(subject, self.kind) == Some(self.place)
    }

    fn is_argument(self, argument: Argument) -> bool {
        self.is(Subject::Argument(argument))
    }

    fn is_itself(self, source: Source) -> bool {
        match source {
            Source::Itself(subject) => self.is(subject),
            Source::Any => !self.is_receiver(),
            Source::Content(_) | Source::Yielded | Source::Value => false,
        }
    }

    fn is_content(self, source: Source) -> bool {
        match source {
            Source::Content(subject) => self.is(subject),
            Source::Any => true,
            Source::Itself(_) | Source::Yielded | Source::Value => false,
        }
    }
}

/// Whether an action stores the results of functions.
fn is_of_results(action: &Action) -> bool {
    matches!(action, Action::Keeps { what: Source::Yielded | Source::Any, .. })
}

/// Whether an action runs functions that may return references.
fn gives_references(action: &Action) -> bool {
    match action {
        Action::Calls(call) => call.method.as_deref().is_none_or(|method| !COMPARING.contains(&method)),
        Action::Runs(_) | Action::UpdatesBy(_) => true,
        _ => false,
    }
}

/// Whether an argument is a function that the row calls and stores nowhere.
fn is_callee(row: &Row<'_>, argument: RowArgument) -> bool {
    row.actions.iter().any(|action| match action {
        Action::Calls(call) => matches!(call.whom, Source::Itself(whom) if argument.is(whom)),
        Action::UpdatesBy(function) => argument.is_argument(*function),
        _ => false,
    })
}

/// The flows of one action, apart from those into the result and to functions on the caller's thread.
fn of_action(row: &Row<'_>, action: &Action, argument: RowArgument) -> ArgumentFlow {
    let stores =
        |itself, content| ArgumentFlow { stores_itself: itself, stores_content: content, ..ArgumentFlow::default() };
    let is_handle = row.attributes.has(Attribute::Handle);
    match action {
        Action::Keeps { what, .. } => stores(argument.is_itself(*what), argument.is_content(*what)),
        // The function itself is kept, and runs with the soup at any later time.
        Action::Later { whom, .. } => {
            stores(argument.is_itself(*whom), argument.is_content(*whom) || !argument.is_receiver())
        }
        // A handle's values come after the arguments that select the object.
        Action::Sets(_) | Action::GetsAndSets(_) | Action::ComparesAndSets(_) | Action::UpdatesBy(_) if is_handle => {
            stores(!argument.is_receiver(), false)
        }
        Action::Sets(value) | Action::GetsAndSets(value) => stores(argument.is_argument(*value), false),
        Action::ComparesAndSets(pairs) => stores(pairs.iter().any(|(_, new)| argument.is_argument(*new)), false),
        Action::Writes(_) | Action::Replaces(_) if is_handle => stores(!argument.is_receiver(), false),
        Action::Calls(call) if call.thread != Thread::Caller => stores(
            argument.is_itself(call.whom) || !argument.is_receiver(),
            argument.is_content(call.whom) || !argument.is_receiver(),
        ),
        Action::Runs(run) if run.thread != Thread::Caller => {
            stores(argument.is(run.whom) || !argument.is_receiver(), true)
        }
        Action::Calls(call) => ArgumentFlow {
            is_passed: argument.is_itself(call.whom),
            passes_content: argument.is_content(call.whom),
            ..ArgumentFlow::default()
        },
        Action::Traverses { whom, .. } => ArgumentFlow {
            is_passed: argument.is(*whom),
            passes_content: argument.is(*whom),
            ..ArgumentFlow::default()
        },
        Action::Runs(run) => ArgumentFlow { passes_content: argument.is(run.whom), ..ArgumentFlow::default() },
        Action::UpdatesBy(_)
        | Action::Writes(_)
        | Action::Replaces(_)
        | Action::Reads(_)
        | Action::ReadsAll(_)
        | Action::ReadsPosition(_)
        | Action::WritesPosition(_)
        | Action::Gets
        | Action::Holds(_)
        | Action::Becomes(_)
        | Action::Enumerates(_)
        | Action::KeepsNothing => ArgumentFlow::default(),
        // Parts of the result.
        Action::Returns(_)
        | Action::Views(_)
        | Action::Gives(_)
        | Action::Yields
        | Action::Clones(_)
        | Action::ClassOf(_)
        | Action::Finds
        | Action::Makes(_)
        | Action::ReadLock
        | Action::WriteLock
        | Action::Condition
        | Action::Names { .. } => ArgumentFlow::default(),
        // Locks and waiting.
        Action::Joins { .. }
        | Action::JoinsStarted
        | Action::Blocks
        | Action::Acquires(_)
        | Action::Tries { .. }
        | Action::Releases(_)
        | Action::Converts(_)
        | Action::Awaits
        | Action::Waits { .. }
        | Action::Optimistic
        | Action::Validates
        | Action::Permit(_)
        | Action::CountsDown
        | Action::AwaitsLatch { .. }
        | Action::AwaitsBarrier { .. } => ArgumentFlow::default(),
    }
}

/// The flow into the result.
fn of_result(row: &Row<'_>, argument: RowArgument) -> ArgumentFlow {
    let runs = row.runs_functions();
    let is_in = |part: &Part<'_>| match part {
        Part::Is(subject) | Part::From(subject) | Part::CloneOf(subject) => argument.is(*subject),
        Part::View(view) => argument.is(view.of),
        Part::Yielded | Part::Anything => true,
        Part::New(making) => {
            let is_held = |source: &Source| {
                *source == Source::Yielded || argument.is_itself(*source) || argument.is_content(*source)
            };
            runs || making.holds.iter().any(is_held)
        }
        Part::OfLock => argument.is_receiver(),
        Part::Handle | Part::ClassOf(_) => false,
    };
    let is_in_result = match row.outcome() {
        Outcome::Value => false,
        Outcome::Soup => true,
        Outcome::OneOf(parts) => parts.iter().any(is_in),
    };
    // The result may keep a function for later.
    let is_later = row.actions.iter().any(|action| matches!(action, Action::Later { .. }));
    ArgumentFlow { is_in_result: is_in_result || is_later, ..ArgumentFlow::default() }
}
