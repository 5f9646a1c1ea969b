//! Counters of waiting work, by which one thread at a time drains a queue: `if (wip.getAndIncrement() == 0) { do { ...
//! } while ((missed = wip.addAndGet(-missed)) != 0); }`.
//!
//! **Definition.** A *work counter* is an `AtomicInteger` that neither clients nor the library get, the part of an
//! object whose class extends `AtomicInteger`, or a number that field updaters change, if the program calls it only so:
//!
//! - it *enters*: adds 1, or compares and sets 0 to 1, and tests whether the counter was 0;
//! - it *leaves*: subtracts a number that it has counted, and tests whether 0 is left. A decrement leaves only where
//!   the method has entered before;
//! - it reads the counter.
//!
//! At least one call enters, and one leaves. Only constructors assign the field of an updater.
//!
//! **Rule** [`WorkCounters`](crate::Rule::WorkCounters). The counter of a followed object is a lock of the model: who
//! enters and finds 0 acquires it, who leaves and finds 0 left releases it. All other calls on it are no accesses. A
//! method without a result that ends inside has ended the work for good, and releases the lock.
//!
//! If a call that enters only schedules a task (`if (wip.getAndIncrement() == 0) worker.schedule(this)`), then the
//! method `run` of the task is inside from its beginning to its end: all calls that leave are in it, or in methods of
//! the class that it calls, and none of these enters. Then this method has the lock, like a synchronized one.
//!
//! *Why it suffices.* A thread is *inside* from the change from 0 until the change to 0. Others only add meanwhile, and
//! who is inside subtracts no more than what it has seen, so the counter becomes 0 only when it leaves, and only then
//! another thread enters. The number itself says how much work came meanwhile, and is used for nothing else.

use super::heap::Heap;
use super::objects::ObjectKind;
use super::shared::Counter;
use super::stored::Stored;
use crate::Rule;
use java::ir::{
    BlockId, Body, Definition, Dominators, End, Operation, Statement, StatementId, Use as UseOf, Uses, Variable,
};
use java::library::Attribute;
use java::points_to::{Object, ObjectId, Target};
use java::{ClassId, Comparison, Condition, FieldId, InvokeKind, MethodId};
use rustc_hash::{FxHashMap, FxHashSet};

const COUNTER: &str = "java/util/concurrent/atomic/AtomicInteger";

/// Stands for a number other than 0.
const TRUE: i32 = i32::MIN;

/// A use of a counter.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Use {
    /// Enters, with this result if it finds 0.
    Enters(i32),
    Leaves,
    Looks,
    Other,
}

/// The uses of a candidate: the methods that enter and that leave.
#[derive(Clone, Debug, Default)]
struct Tally {
    enters: FxHashSet<MethodId>,
    leaves: FxHashSet<MethodId>,
    has_others: bool,
}

/// A call on a counter in the code.
struct Site<'b> {
    body: &'b Body,
    method: MethodId,
    id: StatementId,
    statement: &'b Statement,
}

impl Heap<'_> {
    /// The first of these objects, if all are work counters by [`WorkCounters`](Rule::WorkCounters).
    pub(crate) fn work_counter_of(&self, objects: &[ObjectId]) -> Option<Counter> {
        let work_counter = |object: &ObjectId| self.counter_of(*object).filter(|found| self.is_work_counter(*found));
        objects.iter().map(work_counter).collect::<Option<Vec<Counter>>>()?.first().copied()
    }

    /// Whether a counter is a work counter.
    pub(crate) fn is_work_counter(&self, counter: Counter) -> bool {
        self.modality.omits(Rule::WorkCounters) && self.work_counters().contains_key(&counter)
    }

    /// Whether the task that drains for a work counter has its lock from the beginning to the end.
    pub(crate) fn has_task(&self, counter: Counter) -> bool {
        self.work_counters().get(&counter).is_some_and(Option::is_some)
    }

    /// The work counter for which this task drains.
    pub(crate) fn counter_of_task(&self, method: MethodId) -> Option<Counter> {
        if !self.modality.omits(Rule::WorkCounters) || self.program.text(self.program.method(method).name) != "run" {
            return None;
        }
        self.work_counters().iter().find(|(_, task)| **task == Some(method)).map(|(counter, _)| *counter)
    }

    fn work_counters(&self) -> &FxHashMap<Counter, Option<MethodId>> {
        self.shared.work_counters.get_or_init(|| self.find_work_counters())
    }

    /// The counter that an object of a program class has, if it is one.
    pub(crate) fn counter_of_class(&self, class: ClassId) -> Option<Counter> {
        (self.library_superclass(class) == Some(COUNTER)).then(|| Counter::Of(self.root(class)))
    }

    /// The candidate that an object is or has.
    fn counter_of(&self, object: ObjectId) -> Option<Counter> {
        match self.kind_of(object) {
            ObjectKind::Library(COUNTER) => (!self.points.escapes(object)).then_some(Counter::Object(object)),
            ObjectKind::Program(class) => self.counter_of_class(class),
            ObjectKind::External(of) => self.points.class_of(of).and_then(|class| self.counter_of_class(class)),
            _ => None,
        }
    }

    /// All work counters. Linear in the program.
    fn find_work_counters(&self) -> FxHashMap<Counter, Option<MethodId>> {
        let mut tallies: FxHashMap<Counter, Tally> = FxHashMap::default();
        for (method, _) in self.program.methods().filter(|(method, _)| self.points.is_reached(*method)) {
            self.note_counts(method, &mut tallies);
        }
        let is_one = |(counter, tally): &(Counter, Tally)| {
            let is_assigned = match counter {
                Counter::Field(field) => !self.is_assigned_by_constructors(*field),
                Counter::Object(_) | Counter::Of(_) => false,
            };
            !tally.enters.is_empty() && !tally.leaves.is_empty() && !tally.has_others && !is_assigned
        };
        let with_task = |(counter, tally): (Counter, Tally)| (counter, self.task(counter, &tally));
        tallies.into_iter().filter(is_one).map(with_task).collect()
    }

    /// The method `run` that is always inside, if there is one.
    fn task(&self, counter: Counter, tally: &Tally) -> Option<MethodId> {
        let program = self.program;
        let class = match counter {
            Counter::Object(_) => return None,
            Counter::Of(class) => class,
            Counter::Field(field) => self.root(program.field(field).class),
        };
        let is_task = |method: &MethodId| {
            let declared = program.method(*method);
            program.text(declared.name) == "run"
                && program.text(declared.descriptor) == "()V"
                && self.root(declared.class) == class
                && self.points.is_reached(*method)
        };
        let mut tasks = program.methods().map(|(method, _)| method).filter(is_task);
        tasks.find(|task| {
            let run = self.run_of_class(*task, class);
            tally.leaves.is_subset(&run) && tally.enters.is_disjoint(&run)
        })
    }

    /// The methods of a class that one of them calls, and those that these call.
    fn run_of_class(&self, first: MethodId, class: ClassId) -> FxHashSet<MethodId> {
        let mut found: FxHashSet<MethodId> = [first].into_iter().collect();
        let mut open = vec![first];
        while let Some(method) = open.pop() {
            let Some(body) = self.body(method) else { continue };
            for statement in body.blocks().flat_map(|(_, block)| &*block.statements) {
                let Operation::Invoke { member, .. } = &statement.operation else { continue };
                let called = self.program.resolve_method(*member).found();
                let own = called.filter(|called| self.root(self.program.method(*called).class) == class);
                open.extend(own.filter(|called| found.insert(*called)));
            }
        }
        found
    }

    /// Whether only constructors and handles assign a field.
    fn is_assigned_by_constructors(&self, field: FieldId) -> bool {
        self.points.stores(field).iter().all(|store| {
            store.initializes
                || self
                    .body(store.method)
                    .is_some_and(|body| matches!(body.statement(store.statement).operation, Operation::Invoke { .. }))
        })
    }

    /// Notes the calls on candidates in a method.
    fn note_counts(&self, method: MethodId, tallies: &mut FxHashMap<Counter, Tally>) {
        let Some(body) = self.body(method) else { return };
        let mut uses: Option<(Uses, Dominators)> = None;
        for (block, of) in body.blocks() {
            for (statement, index) in of.statements.iter().zip(0..) {
                let Operation::Invoke { kind, member, arguments } = &statement.operation else { continue };
                let is_construction = self.program.is_constructor_name(member.name);
                let (Some(receiver), false) = (arguments.first(), is_construction || *kind == InvokeKind::Static)
                else {
                    continue;
                };
                let is_handle = self.row_of_member(*member).is_some_and(|row| row.attributes.has(Attribute::Handle));
                let is_counted = || {
                    let class = self.program.named(member.class);
                    self.program.text(member.class) == COUNTER
                        || class.is_some_and(|class| self.library_superclass(class) == Some(COUNTER))
                };
                if !(is_handle || is_counted()) || self.program.resolve_method(*member).found().is_some() {
                    continue;
                }
                let counters: Vec<Counter> = self
                    .variable(method, *receiver)
                    .into_iter()
                    .filter_map(|object| match self.points.object(object) {
                        Object::Handle { target: Target::Field(field), .. } if is_handle => {
                            Some(Counter::Field(*field))
                        }
                        _ => self.counter_of(object).filter(|_| !is_handle),
                    })
                    .collect();
                if counters.is_empty() {
                    continue;
                }
                let (uses, dominators) = uses.get_or_insert_with(|| (Uses::new(&body), Dominators::new(&body)));
                let site = Site { body: &body, method, id: StatementId { block, index }, statement };
                let used = self.use_of_counter(&site, (uses, dominators), usize::from(is_handle));
                for counter in counters {
                    let tally = tallies.entry(counter).or_default();
                    match used {
                        Use::Enters(_) => drop(tally.enters.insert(method)),
                        Use::Leaves => drop(tally.leaves.insert(method)),
                        Use::Looks => {}
                        Use::Other => tally.has_others = true,
                    }
                }
            }
        }
    }

    /// The use of a counter by a call on it. The operands of a handle come after the object.
    fn use_of_counter(&self, site: &Site<'_>, (uses, dominators): (&Uses, &Dominators), shift: usize) -> Use {
        let Operation::Invoke { member, arguments, .. } = &site.statement.operation else { return Use::Other };
        let argument = |place: usize| arguments.get(place + shift).copied();
        let number = |place: usize| self.number(site, argument(place)?);
        let name = self.program.text(member.name);
        let tests = |against: i32| site.statement.to.is_some_and(|result| self.is_tested(site, uses, result, against));
        match name {
            "getAndIncrement" if tests(0) => Use::Enters(0),
            "getAndAdd" if number(1) == Some(1) && tests(0) => Use::Enters(0),
            "incrementAndGet" if tests(1) => Use::Enters(1),
            "compareAndSet" | "weakCompareAndSet" if number(1) == Some(0) && number(2) == Some(1) => Use::Enters(1),
            "addAndGet" if argument(1).is_some_and(|value| is_counted(site.body, value)) && tests(0) => Use::Leaves,
            "decrementAndGet" if tests(0) && self.is_inside(site, uses, dominators) => Use::Leaves,
            "get" | "intValue" | "longValue" | "toString" | "hashCode" | "equals" | "getClass" => Use::Looks,
            _ => Use::Other,
        }
    }

    /// The use of a work counter by a call in the code that is executed. The name says it, since all uses are known.
    pub(crate) fn use_of_work_counter(&self, name: &str) -> Use {
        match name {
            "getAndIncrement" | "getAndAdd" => Use::Enters(0),
            "incrementAndGet" | "compareAndSet" | "weakCompareAndSet" => Use::Enters(1),
            "addAndGet" | "decrementAndGet" => Use::Leaves,
            _ => Use::Looks,
        }
    }

    fn number(&self, site: &Site<'_>, value: Variable) -> Option<i32> {
        match self.evaluate(site.body, site.method, value, None, 2) {
            Stored::Int(number) => Some(number),
            _ => None,
        }
    }

    /// Whether a branch tests whether a value is this number, or the method returns the value.
    fn is_tested(&self, site: &Site<'_>, uses: &Uses, value: Variable, against: i32) -> bool {
        uses.of(value).iter().any(|used| match used {
            UseOf::End(block) => match &site.body.block(*block).end {
                End::Branch { .. } => self.success_side(site, *block, value, against).is_some(),
                End::Return(_) => true,
                _ => false,
            },
            _ => false,
        })
    }

    /// The block that follows if a branch finds this number in the value.
    fn success_side(&self, site: &Site<'_>, block: BlockId, value: Variable, against: i32) -> Option<BlockId> {
        let End::Branch { condition, values, holds, fails } = &site.body.block(block).end else { return None };
        let is_compared = values.contains(&value);
        let is_equal = match (condition, against) {
            (Condition::Zero(Comparison::Equal), 0) => true,
            (Condition::Zero(Comparison::NotEqual), 0) => false,
            (Condition::Ints(comparison @ (Comparison::Equal | Comparison::NotEqual)), _) => {
                let other = values.iter().find(|other| **other != value)?;
                if self.number(site, *other) != Some(against) {
                    return None;
                }
                *comparison == Comparison::Equal
            }
            _ => return None,
        };
        is_compared.then_some(if is_equal { holds.target } else { fails.target })
    }

    /// Whether the method has entered a counter on each path to a call.
    fn is_inside(&self, site: &Site<'_>, uses: &Uses, dominators: &Dominators) -> bool {
        let enters = |statement: &Statement| match &statement.operation {
            Operation::Invoke { member, .. } => match self.program.text(member.name) {
                "getAndIncrement" | "getAndAdd" => Some(0),
                "incrementAndGet" => Some(1),
                // The result is a truth value.
                "compareAndSet" | "weakCompareAndSet" => Some(TRUE),
                _ => None,
            },
            _ => None,
        };
        site.body.blocks().flat_map(|(_, block)| &*block.statements).any(|statement| {
            let (Some(against), Some(result)) = (enters(statement), statement.to) else { return false };
            uses.of(result).iter().any(|used| {
                let UseOf::End(block) = used else { return false };
                let entered = match against {
                    TRUE => unequal_side(site.body, *block),
                    against => self.success_side(site, *block, result, against),
                };
                entered.is_some_and(|entered| dominators.dominates(entered, site.id.block))
            })
        })
    }
}

/// The block that follows if a branch finds a number other than 0.
fn unequal_side(body: &Body, block: BlockId) -> Option<BlockId> {
    match &body.block(block).end {
        End::Branch { condition: Condition::Zero(Comparison::Equal), fails, .. } => Some(fails.target),
        End::Branch { condition: Condition::Zero(Comparison::NotEqual), holds, .. } => Some(holds.target),
        _ => None,
    }
}

/// Whether a value is the negative of a variable, or a parameter.
fn is_counted(body: &Body, value: Variable) -> bool {
    match body.variable(value).definition {
        Definition::Statement(id) => matches!(body.statement(id).operation, Operation::Negate(..)),
        Definition::Parameter(_) => true,
        _ => false,
    }
}
