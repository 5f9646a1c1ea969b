//! What a proof assumes of the objects that are followed besides the subject's.
//!
//! - The representative of a class of objects stands for each of them, one at a time: what two of them do together is
//!   not looked for. A region that the subject's unchanging fields always hold is the only one of its kind, and nothing
//!   is assumed of it. The classes of which objects escape are subjects of their own, or have none that is shared.
//! - What clients themselves do to a container of the library or an array that they hold, because the object hands it
//!   out or has got it from them, is not in the model: only what methods of the program do is.
//!
//! **Invariant.** Each class of objects whose content or fields the model accesses is looked at.

use super::assumption::Assumption;
use super::interpreter::Interpreter;
use crate::graph::{MethodContext, Naming, Step};
use crate::value::{AliasId, Location, RegionId};
use java::points_to::ObjectId;
use std::collections::BTreeSet;

impl Interpreter<'_> {
    /// Notes what is assumed of the objects that contexts access. Linear in their graphs and in these objects.
    pub(crate) fn assume_representatives(&mut self, contexts: &[MethodContext]) {
        let steps = contexts.iter().flat_map(|context| &context.flow.nodes).map(|node| node.step);
        let accessed: BTreeSet<AliasId> = steps.filter_map(accessed).collect();
        if !self.mode.is_program {
            let paths: Vec<String> = self.regions.universal_paths().map(|path| format!("`this.{path}`")).collect();
            paths.into_iter().for_each(|path| self.assume(Assumption::OfAnyType(path)));
        }
        for alias in accessed {
            let name = format!("`{}`", self.alias(alias));
            if self.is_one_of_several(alias) {
                self.assume(Assumption::OneRepresentative(name.clone()));
            }
            if !self.mode.is_program && self.is_held_by_clients(alias) {
                self.assume(Assumption::HeldOutside(name));
            }
        }
    }

    /// Whether one object stands for several that the subject's object may reach.
    fn is_one_of_several(&self, alias: AliasId) -> bool {
        let is_subject = alias == self.regions.alias(RegionId::SUBJECT);
        let representative = self.regions.aliases[alias.index()].representative;
        !is_subject && representative.is_some_and(|region| !self.regions.is_unique(region))
    }

    /// Whether clients may hold an object of the class that has no methods of the program.
    fn is_held_by_clients(&self, alias: AliasId) -> bool {
        let is_one = |object: &ObjectId| self.heap.is_of_library(*object) && self.heap.points.escapes(*object);
        self.regions.aliases[alias.index()].objects.iter().any(is_one)
    }
}

/// The class of objects that a step accesses.
fn accessed(step: Step) -> Option<AliasId> {
    let (Step::Read(location) | Step::Write(location)) = step else { return None };
    match location {
        Location::Field(alias, _) | Location::Content(alias) | Location::Element(alias, _) => Some(alias),
        Location::Static(_) | Location::Deep => None,
    }
}
