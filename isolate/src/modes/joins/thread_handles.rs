//! Thread handles: the variables of `main` by which threads can be joined.
//!
//! The handle of a thread is the variable of its `Thread`, or of the future returned by the start. The threads of an
//! executor, of an array or of a list also form a *group*. If a loop starts a thread by the same variable again, the
//! previous one becomes an older one of the group. An array or list is a group if none of its elements is ever replaced
//! or removed: an array that only `main` uses, whose elements are stored at different constant indices, or once in one
//! loop at an increasing index; a list that `main` allocates, and that it only adds to and reads, also by iterators.
//!
//! A thread belongs to a group if it is certainly in it when `main` reaches a join: `main` has taken it from the group,
//! has put it there on each path to the start, or puts it there in the block of the start, before it can leave it.

use super::definitions::Definitions;
use crate::exec::context::Point;
use crate::facts::heap::Heap;
use java::ir::{Body, Dominators, Operation, StatementId, Variable};
use java::library::{Action, Attribute, Row, Source, Subject, Thread};
use java::{InvokeKind, Member};

/// The handles of the threads that a statement starts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Start {
    /// The variable of a single thread.
    pub(super) unique: Option<Variable>,
    /// The variable of an executor, array or list.
    pub(super) group: Option<Variable>,
}

/// The threads for which a join waits.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Joined {
    /// The thread that a variable holds.
    One(Variable),
    /// All threads of a group.
    Group(Variable),
}

/// The methods that may be called on a list that is a group: those that add.
const ADDING: [&str; 2] = ["add", "addLast"];
/// The methods that may be called on a list that is a group: those that read.
const READING: [&str; 6] = ["iterator", "get", "size", "isEmpty", "forEach", "stream"];

/// The analysis of the thread handles of a method.
pub(super) struct ThreadHandles<'a> {
    heap: &'a Heap<'a>,
    pub(super) definitions: Definitions<'a>,
    pub(super) dominators: Dominators,
}

/// A call of a library method.
struct Call<'a> {
    kind: InvokeKind,
    member: Member,
    arguments: &'a [Variable],
    row: Row<'a>,
}

impl<'a> ThreadHandles<'a> {
    pub(super) fn new(heap: &'a Heap<'a>, body: &'a Body) -> Self {
        Self { heap, definitions: Definitions::new(heap.program, body), dominators: Dominators::new(body) }
    }

    fn call(&self, id: StatementId) -> Option<Call<'a>> {
        let Operation::Invoke { kind, member, arguments } =
            &self.definitions.body.block(id.block).statements.get(id.index as usize)?.operation
        else {
            return None;
        };
        let is_given = self.heap.program.resolve_method(*member).found().is_some_and(|method| {
            let method = self.heap.program.method(method);
            method.has_code() && !self.is_preferred(method.class)
        });
        let row = self.heap.row_of_member(*member).filter(|_| !is_given)?;
        Some(Call { kind: *kind, member: *member, arguments, row })
    }

    fn is_preferred(&self, class: java::ClassId) -> bool {
        let name = self.heap.program.text(self.heap.program.class(class).name);
        self.heap.library.attributes(name).has(Attribute::Preferred)
    }

    /// Returns the handles of the threads that a statement starts; `None` if they end before the statement does.
    pub(super) fn start(&self, point: Point) -> Option<Start> {
        let unknown = Start { unique: None, group: None };
        let id = StatementId { block: point.block, index: point.index };
        let Some(call) = self.call(id) else { return Some(unknown) };
        if call.row.actions.iter().any(|action| matches!(action, Action::JoinsStarted)) {
            return None;
        }
        let to = self.definitions.body.statement(id).to;
        let receiver = (call.kind != InvokeKind::Static).then(|| self.definitions.origin(call.arguments[0]));
        let starts_receiver = call.row.actions.iter().any(|action| match action {
            Action::Calls(it) => it.whom == Source::Itself(Subject::This) && it.thread != Thread::Caller,
            Action::Runs(it) => it.whom == Subject::This && it.thread != Thread::Caller,
            _ => false,
        });
        let attributes = self.heap.library.attributes(self.heap.program.text(call.member.class));
        Some(match receiver {
            Some(thread) if starts_receiver => Start { unique: Some(thread), group: self.group(thread, id) },
            Some(executor) if attributes.has(Attribute::Executor) => Start { unique: to, group: Some(executor) },
            _ => Start { unique: to, group: None },
        })
    }

    /// Returns the threads for which a statement certainly waits.
    pub(super) fn joined(&self, id: StatementId) -> Vec<Joined> {
        let Some(call) = self.call(id) else { return Vec::new() };
        let shift = usize::from(call.kind != InvokeKind::Static);
        let variable = |subject: Subject| match subject {
            Subject::This if shift == 1 => call.arguments.first(),
            Subject::This => None,
            Subject::Argument(argument) => call.arguments.get(argument.index() + shift),
        };
        let of = |action: &Action| match action {
            Action::Joins { whom: Source::Itself(subject), certain: true } => {
                let variable = self.definitions.origin(*variable(*subject)?);
                Some(vec![Joined::One(variable), Joined::Group(variable)])
            }
            Action::Joins { whom: Source::Content(subject), certain: true } => {
                Some(vec![Joined::Group(self.definitions.origin(*variable(*subject)?))])
            }
            _ => None,
        };
        call.row.actions.iter().filter_map(of).flatten().collect()
    }

    /// Returns the array or list that certainly contains a thread that a statement starts, if it is a group.
    fn group(&self, thread: Variable, start: StatementId) -> Option<Variable> {
        let found = match self.definitions.definition(thread)?.1 {
            Operation::LoadElement { array, .. } => self.definitions.origin(*array),
            operation => match self.definitions.called(operation) {
                Some(("next", arguments)) => self.definitions.iterated(arguments[0])?,
                Some(("get", arguments)) => self.definitions.origin(arguments[0]),
                _ => self.put_into(thread, start)?,
            },
        };
        (self.is_array_group(found) || self.is_list_group(found)).then_some(found)
    }

    /// Returns the array or list into which a new thread is certainly stored if it is started.
    fn put_into(&self, thread: Variable, start: StatementId) -> Option<Variable> {
        let mut certain = self.definitions.statements().filter(|(id, _)| self.is_certain(*id, start));
        certain.find_map(|(_, operation)| match operation {
            Operation::StoreElement { array, value, .. } if self.definitions.origin(*value) == thread => {
                Some(self.definitions.origin(*array))
            }
            operation => match self.definitions.called(operation) {
                Some((name, [list, value])) if ADDING.contains(&name) && self.definitions.origin(*value) == thread => {
                    Some(self.definitions.origin(*list))
                }
                _ => None,
            },
        })
    }

    /// Whether a statement is executed before another one on all paths, or after it in its block, with no way out.
    fn is_certain(&self, one: StatementId, start: StatementId) -> bool {
        if one.block != start.block {
            return self.dominators.dominates(one.block, start.block);
        }
        let statements = &self.definitions.body.block(one.block).statements;
        let mut from_start_on = statements[..=one.index as usize].iter().skip(start.index as usize);
        from_start_on.all(|statement| statement.handlers.is_empty())
    }

    fn is_array_group(&self, array: Variable) -> bool {
        let Some((made, Operation::NewArray(..))) = self.definitions.definition(array) else { return false };
        let is_own = |operation: &Operation| match operation {
            Operation::StoreElement { value, .. } => *value != array,
            Operation::LoadElement { .. } | Operation::ArrayLength(_) => true,
            _ => false,
        };
        let stores: Vec<(StatementId, Variable)> = self
            .definitions
            .statements()
            .filter_map(|(id, operation)| match operation {
                Operation::StoreElement { array: into, index, .. } if *into == array => Some((id, *index)),
                _ => None,
            })
            .collect();
        self.definitions.is_used_only(array, is_own)
            && (self.are_constant(made, &stores) || self.is_growing(made, &stores))
    }

    /// Whether elements are stored at different constant indices, in the same innermost loop as the allocation of the
    /// array.
    fn are_constant(&self, made: StatementId, stores: &[(StatementId, Variable)]) -> bool {
        let mut indexes: Vec<i32> = stores.iter().filter_map(|(_, index)| self.definitions.constant(*index)).collect();
        indexes.sort_unstable();
        indexes.dedup();
        indexes.len() == stores.len()
            && stores.iter().all(|(id, _)| self.definitions.innermost(*id) == self.definitions.innermost(made))
    }

    /// Whether a single statement stores elements, in a loop directly inside that of the allocation, at an index that
    /// increases in it.
    fn is_growing(&self, made: StatementId, stores: &[(StatementId, Variable)]) -> bool {
        let ([(id, index)], Some(loops)) = (stores, &self.definitions.loops) else { return false };
        let Some(inner) = loops.innermost(id.block) else { return false };
        loops.parent(inner) == loops.innermost(made.block) && self.definitions.induction_start(inner, *index).is_some()
    }

    fn is_list_group(&self, list: Variable) -> bool {
        // An iterator of a concurrent container may miss elements.
        let is_library = |operation: &Operation| match operation {
            Operation::New(class) => {
                let attributes = self.heap.library.attributes(self.heap.program.text(*class));
                self.heap.program.named(*class).is_none() && !attributes.has(Attribute::ThreadSafe)
            }
            _ => false,
        };
        let is_made = self.definitions.definition(list).is_some_and(|(_, operation)| is_library(operation));
        let is_own = |operation: &Operation| match operation {
            Operation::Invoke { member, arguments, .. } => {
                let name = self.heap.program.text(member.name);
                let is_receiver = arguments[0] == list && !arguments[1..].contains(&list);
                let is_new = self.heap.program.is_constructor_name(member.name) && arguments.len() == 1;
                is_receiver && (ADDING.contains(&name) && arguments.len() == 2 || READING.contains(&name) || is_new)
            }
            _ => false,
        };
        is_made && self.definitions.is_used_only(list, is_own) && self.iterators(list).all(|it| self.only_reads(it))
    }

    /// The iterators of a list.
    fn iterators(&self, list: Variable) -> impl Iterator<Item = Variable> {
        let body = self.definitions.body;
        self.definitions.statements().filter_map(move |(id, operation)| {
            let Some(("iterator", [of])) = self.definitions.called(operation) else { return None };
            let is_it = self.definitions.origin(*of) == list;
            body.statement(id).to.filter(|_| is_it)
        })
    }

    /// Whether an iterator is only asked for elements, and at one place.
    fn only_reads(&self, iterator: Variable) -> bool {
        let is_called = |operation: &Operation, names: &[&str]| match operation {
            Operation::Invoke { member, arguments, .. } => {
                arguments[..] == [iterator] && names.contains(&self.heap.program.text(member.name))
            }
            _ => false,
        };
        let takes = self.definitions.statements().filter(|(_, operation)| is_called(operation, &["next"]));
        takes.count() <= 1 && self.definitions.is_used_only(iterator, |used| is_called(used, &["hasNext", "next"]))
    }
}
