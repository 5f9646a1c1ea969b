//! Origins of values, and whether they may be new objects.
//!
//! The *origins* of a variable are the variables that it is a copy of, traced back through joins and casts to
//! parameters and results of statements. **Invariant.** Two variables of a frame hold one object that the frame has not
//! read from the heap twice only if they share an origin; a call's result counts as a copy of the arguments that the
//! call may return.
//!
//! A variable *reaches* further origins if it may hold the result of a call that views or holds some of its arguments.
//! Arguments are left out only if a row of the call excludes them ([`argument_flows`](super::argument_flows)); what a
//! callee's code stores is in [`new_objects`](super::new_objects).
//!
//! An origin *may be new* if it is an allocation, if a row makes it, if a possible callee returns an object that may be
//! new, or if it is a parameter and some caller passes an object that may be new. *Why it suffices.* A reference to an
//! object that a unit has made and that others do not have moves only from its allocation, by copies, arguments and
//! results, and through objects that are new as well; loads from those are looked up in the points-to sets.

use java::ir::{Body, End, Operation, Variable};
use rustc_hash::{FxHashMap, FxHashSet};

/// The origins of the variables of a method.
#[derive(Debug, Default)]
pub(crate) struct Origins {
    /// For a copy, its sources.
    pub(super) copied: FxHashMap<Variable, Vec<Variable>>,
    /// For the result of a call, the arguments that the call may return.
    pub(super) returned_arguments: FxHashMap<Variable, Vec<Variable>>,
    /// For the result of a call, the arguments that it may hold, view or contain; for a load from such a result, the
    /// result.
    pub(super) held: FxHashMap<Variable, Vec<Variable>>,
}

impl Origins {
    /// The origins in a method's code without returned arguments. Linear.
    pub(super) fn of_copies(body: &Body) -> Self {
        let mut copied: FxHashMap<Variable, Vec<Variable>> = FxHashMap::default();
        for (_, block) in body.blocks() {
            for edge in block.edges() {
                for (parameter, argument) in body.block(edge.target).parameters.iter().zip(&*edge.arguments) {
                    copied.entry(*parameter).or_default().push(*argument);
                }
            }
            for statement in &block.statements {
                if let (Operation::CheckCast(_, value), Some(to)) = (&statement.operation, statement.to) {
                    copied.insert(to, vec![*value]);
                }
            }
        }
        Self { copied, ..Self::default() }
    }

    /// The origins of a variable, sorted. Linear in its copies.
    pub(crate) fn of(&self, variable: Variable) -> Vec<Variable> {
        let mut seen = FxHashSet::from_iter([variable]);
        let mut open = vec![variable];
        let mut found = Vec::new();
        while let Some(one) = open.pop() {
            let copied = self.copied.get(&one);
            if copied.is_none() {
                found.push(one);
            }
            let before = copied.into_iter().chain(self.returned_arguments.get(&one)).flatten();
            open.extend(before.filter(|it| seen.insert(**it)));
        }
        found.sort_unstable();
        found
    }

    /// The origins of the objects that a variable may hold, directly or as content of objects that calls have made;
    /// sorted. Linear.
    pub(crate) fn reached(&self, variable: Variable) -> Vec<Variable> {
        let mut seen = FxHashSet::from_iter([variable]);
        let mut open = vec![variable];
        let mut found = Vec::new();
        while let Some(one) = open.pop() {
            let origins = self.of(one);
            let held = origins.iter().flat_map(|origin| self.held.get(origin)).flatten();
            open.extend(held.filter(|it| seen.insert(**it)));
            found.extend(origins);
        }
        found.sort_unstable();
        found.dedup();
        found
    }

    /// The same for content alone.
    pub(super) fn contained(&self, variable: Variable) -> Vec<Variable> {
        let origins = self.of(variable);
        let held = origins.iter().flat_map(|origin| self.held.get(origin)).flatten();
        let mut found: Vec<Variable> = held.flat_map(|held| self.reached(*held)).collect();
        found.sort_unstable();
        found.dedup();
        found
    }

    /// The variables with a value that may be, or hold, one of these objects or an object in their content.
    pub(crate) fn holding(&self, seeds: &[Variable]) -> Vec<Variable> {
        let is_one = |variable: &Variable| self.reached(*variable).iter().any(|origin| seeds.contains(origin));
        let others = self.copied.keys().chain(self.returned_arguments.keys()).chain(self.held.keys()).copied();
        let mut found: Vec<Variable> = others.chain(seeds.iter().copied()).filter(is_one).collect();
        found.sort_unstable();
        found.dedup();
        found
    }

    /// Adds the references that are loaded from objects which calls have made around other objects.
    pub(super) fn add_loads(&mut self, body: &Body) {
        loop {
            let mut found = Vec::new();
            for statement in body.blocks().flat_map(|(_, block)| &*block.statements) {
                if let (Some(base), Some(to)) = (loaded_from(&statement.operation), statement.to)
                    && body.variable(to).of.is_some_and(java::Type::is_reference)
                    && !self.held.contains_key(&to)
                    && !self.contained(base).is_empty()
                {
                    found.push((to, vec![base]));
                }
            }
            if found.is_empty() {
                return;
            }
            self.held.extend(found);
        }
    }

    /// The variables that have one of these origins.
    pub(super) fn sharing(&self, origins: &[Variable]) -> Vec<Variable> {
        let is_one = |variable: &Variable| self.of(*variable).iter().any(|origin| origins.contains(origin));
        let others = self.copied.keys().chain(self.returned_arguments.keys()).copied();
        let mut found: Vec<Variable> = others.chain(origins.iter().copied()).filter(is_one).collect();
        found.sort_unstable();
        found.dedup();
        found
    }
}

/// The object that an operation loads from.
pub(super) fn loaded_from(operation: &Operation) -> Option<Variable> {
    match operation {
        Operation::GetField { object, .. } => Some(*object),
        Operation::LoadElement { array, .. } => Some(*array),
        _ => None,
    }
}

/// The variables that a method returns.
pub(super) fn returned_variables(body: &Body) -> impl Iterator<Item = Variable> {
    body.blocks().filter_map(|(_, block)| match &block.end {
        End::Return(Some(value)) => Some(*value),
        _ => None,
    })
}
