//! Collections and arrays that are passed to unknown methods.
//!
//! For findings, rule [`UnknownCode`](crate::Rule::UnknownCode), a method without code and without a row accesses
//! nothing of the subject, but it *reads the content* of a followed collection or array that it gets as an argument. A
//! callee has no other use for one, unless it stores it: constructors, and methods without a result whose name begins
//! with `set` or `add`, are taken to store it, and read nothing. Whether the callee changes the content as well is not
//! known, and left out.

use crate::exec::context::Steps;
use crate::exec::execution::{Call, Execution, Position};
use crate::exec::interpreter::Interpreter;
use crate::graph::Step;
use crate::value::RegionId;
use java::InvokeKind;

impl Interpreter<'_> {
    /// Adds the reads of the collections and arrays that an unknown method gets.
    pub(super) fn read_passed_contents(
        &mut self,
        execution: &mut Execution,
        at: Position<'_>,
        mut after: Option<usize>,
        call: &Call<'_>,
    ) -> Option<usize> {
        if self.only_stores(call) {
            return after;
        }
        let receivers = usize::from(call.kind != InvokeKind::Static);
        for value in call.values.iter().skip(receivers) {
            for region in self.own_contents(*value) {
                if !self.is_passed_container(region) {
                    continue;
                }
                for location in self.content_locations(region) {
                    after = execution.add_steps(after, Steps::One(Step::Read(location)), at.line());
                }
            }
        }
        after
    }

    /// Whether a method, by its name, stores its arguments for later.
    fn only_stores(&self, call: &Call<'_>) -> bool {
        let program = self.heap.program;
        let name = program.text(call.member.name);
        let has_result = program.result_type(call.member.descriptor).is_some();
        name == "<init>" || !has_result && (name.starts_with("set") || name.starts_with("add"))
    }

    /// Whether a region is a collection or an array.
    fn is_passed_container(&self, region: RegionId) -> bool {
        let objects = &self.regions.regions[region.index()].objects;
        !objects.is_empty() && objects.iter().all(|object| self.heap.is_container(*object))
    }
}
