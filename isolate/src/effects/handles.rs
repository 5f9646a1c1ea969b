//! Targets of handles: `VarHandle`, `AtomicIntegerFieldUpdater` and the like.
//!
//! **Definition.** The *targets* of a call on a handle are the fields, or array elements, that it may access. A handle
//! in an unchanging static field has the target that its construction names ([`Stored::Handle`]). For other handles,
//! the points-to set of the variable contains handle objects with their targets.
//!
//! *Invariant.* A call accesses the locations of one of its targets; if there are several, all of them may be read and
//! written. If the variable may hold an object that is no handle with a known target, such as a handle created from a
//! computed name, then the call has the effect of a method without a row, and by an assumption that the report prints,
//! it accesses no field of the object.

use crate::exec::context::Steps;
use crate::exec::execution::{Call, CallExit, Execution, Position};
use crate::exec::interpreter::Interpreter;
use crate::exec::state::State;
use crate::facts::stored::Stored;
use crate::graph::Step;
use crate::value::{Location, Value};
use crate::{Assumption, Stuck};
use java::library::Named;
use java::points_to::{Object, Target};
use java::{FieldId, Name};

/// The possible targets of a handle.
pub(crate) struct Targets {
    found: Vec<Target>,
    /// Whether it may have further, unknown targets.
    is_open: bool,
}

impl Targets {
    /// The only target.
    pub(super) fn only(&self) -> Option<Target> {
        match (&self.found[..], self.is_open) {
            ([one], false) => Some(*one),
            _ => None,
        }
    }
}

impl Interpreter<'_> {
    /// The targets of a call on a handle.
    pub(super) fn handle_targets(&mut self, at: Position<'_>, call: &Call<'_>) -> Targets {
        if let Some(Value::Static(holder)) = call.values.first()
            && let Stored::Handle(named, class, name) = self.heap.construction(*holder).as_ref().clone()
        {
            let target = match named {
                Named::Elements => Some(Target::Elements),
                Named::Field => name.and_then(|name| self.named_field(class, name)).map(Target::Field),
                Named::Method => None,
            };
            // A field that no program class declares belongs to no followed object.
            return Targets { found: target.into_iter().collect(), is_open: false };
        }
        let receiver = call.variables.and_then(|variables| variables.first().copied());
        let objects = receiver.map(|variable| self.heap.variable(self.contexts[at.id.index()].method, variable));
        let mut targets = Targets { found: Vec::new(), is_open: objects.is_none() };
        for object in objects.unwrap_or_default() {
            match self.heap.points.object(object) {
                Object::Handle { target, .. } => targets.found.push(*target),
                _ => targets.is_open = true,
            }
        }
        targets
    }

    /// The location of a target, if it belongs to a followed object, and the number of arguments that select the
    /// object.
    pub(super) fn target_location(&mut self, target: Target, call: &Call<'_>) -> Option<(Location, usize)> {
        let object = call.values.get(1).copied();
        match target {
            Target::Elements => {
                let array = object.and_then(Value::region)?;
                Some((self.content_location(array), 2))
            }
            // No handle sets a final field, so its reads need no location.
            Target::Field(field) if self.heap.program.field(field).flags.is_final() => None,
            Target::Field(field) => {
                let is_static = self.heap.program.field(field).flags.is_static();
                match object {
                    _ if is_static && self.is_static_location(field) => Some((Location::Static(field), 0)),
                    Some(Value::Region(region)) if !is_static => Some((self.field_location(region, field), 1)),
                    _ => None,
                }
            }
        }
    }

    /// A call on a handle with several targets, or with an unknown one: then it has the effect of a method without a
    /// row as well.
    pub(super) fn access_any_target(
        &mut self,
        execution: &mut Execution,
        at: Position<'_>,
        after: Option<usize>,
        state: &State,
        call: &Call<'_>,
    ) -> Result<Vec<CallExit>, Stuck> {
        let Targets { found, is_open } = self.handle_targets(at, call);
        let mut steps = Vec::new();
        for target in found {
            if let Some((location, _)) = self.target_location(target, call) {
                steps.extend([Step::Read(location), Step::Write(location)]);
            }
        }
        let after = if is_open { after } else { self.add_unfollowed_change(execution, at, after) };
        let after = match steps.is_empty() || self.is_unobserved(at) {
            true => after,
            false => execution.add_steps(after, Steps::Repeated(steps), at.line()),
        };
        if is_open {
            self.assume(Assumption::Reflected(format!("`{}`", self.called_name(call))));
            return self.unknown(execution, at, after, state, call);
        }
        let value = self.assigned_value(at, state, call.to);
        Ok(vec![(after, state.clone(), Some(value)), (after, state.clone(), None)])
    }

    /// The name of the called method in reports.
    pub(super) fn called_name(&self, call: &Call<'_>) -> String {
        let program = self.heap.program;
        let class = program.text(call.member.class).replace('/', ".");
        format!("{class}.{}", program.text(call.member.name))
    }

    /// Looks up a field by the names of its class and its own.
    fn named_field(&self, class: Name, name: Name) -> Option<FieldId> {
        let program = self.heap.program;
        let class = program.named(class)?;
        let fields = program.superclasses(class).flat_map(|class| program.class(class).fields());
        let text = program.text(name);
        { fields }.find(|field| program.text(program.field(*field).name) == text)
    }
}
