//! Pools that are made with one thread.
//!
//! **Definition.** A pool *has one thread* if the statement that makes it says so: `newFixedThreadPool(1)`,
//! `newScheduledThreadPool(1)`, `new ScheduledThreadPoolExecutor(1)`, `new ThreadPoolExecutor(1, 1, ...)`; and if no
//! method of the program enlarges a pool or takes tasks out of its queue. Rule [`OneThread`](crate::Rule::OneThread)
//! uses it. Proofs do not: another thread may run a task that the pool rejects.

use super::heap::Heap;
use super::stored::Stored;
use java::ir::{Body, Operation, Variable};
use java::points_to::{Object, ObjectId};
use java::{InvokeKind, Member, MethodId};

/// Factory methods with the number of threads as their first argument.
const FACTORIES: [&str; 2] = ["newFixedThreadPool", "newScheduledThreadPool"];

/// Factory methods of pools with one thread.
const SINGLE: [&str; 2] = ["newSingleThreadExecutor", "newSingleThreadScheduledExecutor"];

/// Methods that change the number of threads, and that let others run tasks.
const ENLARGING: [&str; 4] = ["setCorePoolSize", "setMaximumPoolSize", "getQueue", "setRejectedExecutionHandler"];

/// The class of rejection handlers that run a task on the thread that submits it.
const CALLER_RUNS: &str = "java/util/concurrent/ThreadPoolExecutor$CallerRunsPolicy";

impl Heap<'_> {
    /// Whether all objects are pools with one thread.
    pub(crate) fn have_one_thread(&self, objects: &[ObjectId]) -> bool {
        !objects.is_empty()
            && objects.iter().all(|object| self.is_made_with_one_thread(*object))
            && !*self.shared.enlarges_pools.get_or_init(|| self.enlarges_pools())
    }

    /// Whether the statement that makes an object gives it one thread.
    fn is_made_with_one_thread(&self, object: ObjectId) -> bool {
        let Object::Made { site, .. } = self.points.object(object) else { return false };
        let Some(body) = self.body(site.method) else { return false };
        let statement = body.statement(site.statement);
        match &statement.operation {
            Operation::Invoke { kind: InvokeKind::Static, member, arguments } => {
                let name = self.program.text(member.name);
                SINGLE.contains(&name)
                    || FACTORIES.contains(&name) && self.is_one(&body, site.method, arguments.first())
            }
            Operation::New(_) => {
                let made = statement.to;
                let mut constructions =
                    body.blocks().flat_map(|(_, block)| &*block.statements).filter_map(|statement| {
                        match &statement.operation {
                            Operation::Invoke { kind: InvokeKind::Special, member, arguments }
                                if made.is_some() && arguments.first().copied() == made =>
                            {
                                Some((*member, &**arguments))
                            }
                            _ => None,
                        }
                    });
                constructions.next().is_some_and(|(member, arguments)| {
                    self.constructs_one_thread(&body, site.method, member, arguments)
                })
            }
            _ => false,
        }
    }

    fn constructs_one_thread(&self, body: &Body, method: MethodId, member: Member, arguments: &[Variable]) -> bool {
        let is_one = |place: usize| self.is_one(body, method, arguments.get(place));
        match self.program.text(member.class) {
            "java/util/concurrent/ScheduledThreadPoolExecutor" => is_one(1),
            "java/util/concurrent/ThreadPoolExecutor" => is_one(1) && is_one(2),
            _ => false,
        }
    }

    fn is_one(&self, body: &Body, method: MethodId, variable: Option<&Variable>) -> bool {
        variable.is_some_and(|variable| self.evaluate(body, method, *variable, None, 3) == Stored::Int(1))
    }

    /// Whether a method of the program enlarges a pool, or lets other threads run its tasks.
    fn enlarges_pools(&self) -> bool {
        let enlarges = |operation: &Operation| match operation {
            Operation::Invoke { member, .. } => ENLARGING.contains(&self.program.text(member.name)),
            Operation::New(class) => self.program.text(*class) == CALLER_RUNS,
            _ => false,
        };
        self.program.methods().any(|(method, _)| {
            self.body(method).is_some_and(|body| {
                body.blocks().any(|(_, block)| block.statements.iter().any(|statement| enlarges(&statement.operation)))
            })
        })
    }
}
