//! Library methods that the subject's class inherits: clients call them, too.
//!
//! They have no code, so each is a context of its own with the effect of its row.

use crate::exec::interpreter::Interpreter;
use crate::graph::{ContextId, Exit, Flow, MethodContext, Step};
use crate::value::{Lock, RegionId, Value};
use eml::model::Mode;
use java::library::{Action, Attribute, Guard, Row, Source, Subject};
use std::collections::BTreeSet;

impl Interpreter<'_> {
    /// Adds a context for each row of a library class that the subject's class extends, unless the class overrides the
    /// method. Returns the contexts with their names.
    pub(crate) fn inherited_rows(&mut self, contexts: &mut Vec<MethodContext>) -> Vec<(ContextId, String)> {
        let mut found = Vec::new();
        if self.mode.is_static {
            return found;
        }
        let Some(method) = self.heap.program.class(self.mode.class).methods().next() else { return found };
        let location = self.content_location(RegionId::SUBJECT);
        let mut known = BTreeSet::new();
        let superclass = self.heap.library_superclass(self.mode.class);
        let has_state = |class: &&str| !self.heap.library.attributes(class).has(Attribute::Stateless);
        if let Some(class) = superclass.filter(has_state) {
            let overrides = |name: &str, is_meant: &dyn Fn(&str) -> bool| self.has_method(name, is_meant);
            for (name, row) in self.heap.library.rows_of_class(class, overrides) {
                let (reads, writes) = (row.reads_state(), row.writes_state());
                let is_hidden = name.starts_with('<') || name == "*" || self.is_delegated(name, &row);
                let key = (row.guard() as u8, reads, writes);
                let is_omitted = is_hidden || self.omits_row(&row, class);
                if is_omitted || !(reads || writes) || !known.insert(key) {
                    continue;
                }
                let mut steps = Vec::new();
                steps.extend(reads.then_some(Step::Read(location)));
                steps.extend(writes.then_some(Step::Write(location)));
                let id = ContextId(u32::try_from(contexts.len()).expect("the number of states is bounded"));
                contexts.push(MethodContext {
                    method,
                    arguments: vec![Value::Region(RegionId::SUBJECT)],
                    flow: self.row_flow(&row, &steps),
                    lock_effects: Vec::new(),
                    own_lock: None,
                    is_unit_body: false,
                    title: Some(format!("inherited {name}")),
                });
                found.push((id, format!("this.{name}()")));
            }
        }
        found
    }

    /// Whether a row calls a method of the same name that the subject's class has: that method does the work, as
    /// `write(int)` does for `write(byte[])`.
    fn is_delegated(&self, name: &str, row: &Row<'_>) -> bool {
        let is_own = |method: &str| method == name && self.has_method(name, &|_| true);
        row.actions.iter().any(|action| match action {
            Action::Calls(call) => {
                call.whom == Source::Itself(Subject::This) && call.method.as_deref().is_some_and(is_own)
            }
            _ => false,
        })
    }

    /// The effect of a row as a graph.
    fn row_flow(&self, row: &Row<'_>, steps: &[Step]) -> Flow {
        let lock = match row.guard() {
            Guard::Monitor => Some(Lock::Monitor(RegionId::SUBJECT)),
            Guard::Operations => Some(Lock::Operations(self.regions.alias(RegionId::SUBJECT))),
            Guard::None => None,
        };
        let mut flow = Flow::default();
        let mut last = flow.add(Step::Skip, 0);
        let acquire = lock.map(|lock| Step::Acquire(lock, Mode::Write));
        let release = lock.map(|lock| Step::Release(lock, Mode::Write));
        let all = acquire.into_iter().chain(steps.iter().copied()).chain(release).chain([Step::Return(Exit::Any)]);
        for step in all {
            let node = flow.add(step, 0);
            flow.connect(last, node);
            last = node;
        }
        flow
    }

    /// Whether the subject's class has a method of this name with a matching descriptor.
    fn has_method(&self, name: &str, is_meant: &dyn Fn(&str) -> bool) -> bool {
        let program = self.heap.program;
        let methods = self.mode.classes.iter().flat_map(|class| program.class(*class).methods());
        let mut methods = methods.map(|method| program.method(method));
        methods.any(|method| program.text(method.name) == name && is_meant(program.text(method.descriptor)))
    }
}
