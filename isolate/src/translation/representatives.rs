//! Assumptions about the followed objects besides the subject's.
//!
//! - The representative of a class stands for each of its objects, one at a time: interactions of two of them are not
//!   analysed. A region that unchanging fields of the subject hold is the only one of its kind, so it needs no
//!   assumption. Classes whose objects escape are subjects of their own, or have no shared object.
//! - The model contains only accesses by program methods. A client's own accesses to a library container or array that
//!   it holds, because the object hands it out or got it from the client, are not in the model.
//! - Nor are accesses that clients make themselves to fields that they can name: public fields of a class for clients,
//!   and its protected fields in a subclass. References in such fields count as unknown, but a number may be written in
//!   the middle of a unit.
//!
//! **Invariant.** Each class of objects whose content or fields the model accesses is checked.

use crate::assumption::Assumption;
use crate::exec::interpreter::Interpreter;
use crate::facts::hidden_classes::is_for_clients;
use crate::graph::{MethodContext, Naming, Step};
use crate::value::{AliasId, Location, RegionId};
use java::FieldId;
use java::points_to::ObjectId;
use std::collections::BTreeSet;

impl Interpreter<'_> {
    /// Notes the assumptions about the objects that contexts access. Linear in their graphs and in these objects.
    pub(crate) fn assume_representatives(&mut self, contexts: &[MethodContext]) {
        let steps = contexts.iter().flat_map(|context| &context.flow.nodes).map(|node| node.step);
        let locations: BTreeSet<Location> = steps.filter_map(location).collect();
        let accessed: BTreeSet<AliasId> = locations.iter().filter_map(|location| accessed(*location)).collect();
        if self.regions.omits_subjects {
            self.assume(Assumption::OtherSubjects);
        }
        if !self.mode.is_program {
            let paths: Vec<String> = self.regions.universal_paths().map(|path| format!("`this.{path}`")).collect();
            paths.into_iter().for_each(|path| self.assume(Assumption::OfAnyType(path)));
        }
        let fields: BTreeSet<FieldId> = locations.into_iter().filter_map(field).collect();
        let is_open = |field: &FieldId| !self.mode.is_program && self.is_open_field(*field);
        let open: Vec<FieldId> = fields.into_iter().filter(is_open).collect();
        for field in open {
            let declared = self.heap.program.field(field);
            let [class, name] = [self.heap.program.class(declared.class).name, declared.name];
            let [class, name] = [class, name].map(|name| self.heap.program.text(name));
            self.assume(Assumption::OpenField(format!("`{}.{name}`", class.replace('/', "."))));
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

    /// Whether clients can assign a field by its name.
    fn is_open_field(&self, field: FieldId) -> bool {
        let program = self.heap.program;
        let declared = program.field(field);
        let of = program.class(declared.class).flags;
        let is_named = declared.flags.is_public() || declared.flags.is_protected() && !of.is_final();
        is_named && !declared.flags.is_final() && is_for_clients(program, declared.class)
    }

    /// Whether one object stands for several objects that the subject's object may reach.
    fn is_one_of_several(&self, alias: AliasId) -> bool {
        let is_subject = alias == self.regions.alias(RegionId::SUBJECT);
        let representative = self.regions.aliases[alias.index()].representative;
        !is_subject && representative.is_some_and(|region| !self.regions.is_unique(region))
    }

    /// Whether clients may hold an object of the class without program methods.
    fn is_held_by_clients(&self, alias: AliasId) -> bool {
        let is_one = |object: &ObjectId| self.heap.is_of_library(*object) && self.heap.points.escapes(*object);
        self.regions.aliases[alias.index()].objects.iter().any(is_one)
    }
}

fn location(step: Step) -> Option<Location> {
    match step {
        Step::Read(location) | Step::Write(location) => Some(location),
        _ => None,
    }
}

fn field(location: Location) -> Option<FieldId> {
    match location {
        Location::Field(_, field) | Location::Static(field) => Some(field),
        _ => None,
    }
}

/// The class of objects that a location belongs to.
fn accessed(location: Location) -> Option<AliasId> {
    match location {
        Location::Field(alias, _) | Location::Content(alias) | Location::Element(alias, _) => Some(alias),
        Location::Static(_) | Location::Deep => None,
    }
}
