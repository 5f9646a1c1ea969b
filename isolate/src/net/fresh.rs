//! Objects that a method has made itself and that nobody else has yet.

use super::Code;
use super::accesses::rows;
use super::leaks::Leaks;
use java::ir::{BlockId, Body, Definition, Operation, StatementId, Use, Uses, Variable};
use java::library::{Outcome, Part};
use rustc_hash::FxHashMap;

/// The new objects of one method.
pub(super) struct Fresh<'a> {
    leaks: &'a Leaks<'a>,
    body: &'a Body,
    uses: Uses,
    /// `this` in a constructor.
    constructed: Option<Variable>,
    /// For each alias of a new object its definition, and the uses that let others get the object.
    origins: FxHashMap<Variable, usize>,
    made: Vec<(Option<StatementId>, Vec<Use>)>,
}

impl<'a> Fresh<'a> {
    pub(super) fn new(body: &'a Body, leaks: &'a Leaks<'a>) -> Self {
        let (code, uses) = (leaks.code, Uses::new(body));
        let constructed = body.parameters.first().copied().filter(|_| code.program.is_constructor(body.method));
        let mut fresh = Self { leaks, body, uses, constructed, origins: FxHashMap::default(), made: Vec::new() };
        let allocated = body.blocks().flat_map(|(block, of)| {
            (0..).zip(&*of.statements).filter_map(move |(index, statement)| {
                statement.to.map(|to| (to, StatementId { block, index }, &statement.operation))
            })
        });
        let allocated = allocated.filter(|(_, at, operation)| is_allocation(code, body, *at, operation));
        let all = constructed.map(|this| (this, None)).into_iter().chain(allocated.map(|(to, at, _)| (to, Some(at))));
        for (variable, definition) in all {
            let (aliases, leaking) = leaks.leaking_uses(body, &fresh.uses, variable);
            fresh.origins.extend(aliases.into_iter().map(|alias| (alias, fresh.made.len())));
            fresh.made.push((definition, leaking));
        }
        fresh
    }

    /// Whether a variable holds a new object that nobody else has before a statement, or the own object of a field of
    /// one that is under construction.
    pub(super) fn is_fresh(&self, variable: Variable, at: StatementId) -> bool {
        self.is_new(variable, at) || self.owner_in_construction(variable).is_some_and(|this| self.is_new(this, at))
    }

    /// The object under construction if a variable has been loaded from one of its fields, which owns its object, and
    /// no variable with that object is passed on.
    fn owner_in_construction(&self, variable: Variable) -> Option<Variable> {
        let this = self.constructed?;
        let loaded = |variable: Variable| match self.body.variable(variable).definition {
            Definition::Statement(at) => match self.body.statement(at).operation {
                Operation::GetField { object, field } if object == this => {
                    self.leaks.code.program.resolve_field(field).found()
                }
                _ => None,
            },
            _ => None,
        };
        let field = loaded(variable)?;
        let is_passed_on = |other: Variable| {
            loaded(other) == Some(field) && !self.leaks.leaking_uses(self.body, &self.uses, other).1.is_empty()
        };
        (self.leaks.owns(field) && self.leaks.runs_nothing(self.body.method) && !self.uses.all().any(is_passed_on))
            .then_some(this)
    }

    fn is_new(&self, variable: Variable, at: StatementId) -> bool {
        let Some(origin) = self.origins.get(&variable) else { return false };
        let (definition, leaking) = &self.made[*origin];
        leaking.iter().all(|used| !self.is_after(*used, at, *definition))
    }

    /// Whether a statement loads a reference that is only a monitor.
    pub(super) fn is_lock(&self, at: StatementId) -> bool {
        let is_monitor = |used: &Use| match used {
            Use::Statement(used) => {
                matches!(self.body.statement(*used).operation, Operation::MonitorEnter(_) | Operation::MonitorExit(_))
            }
            Use::End(_) | Use::Argument { .. } => false,
        };
        let statement = self.body.statement(at);
        let is_load = matches!(statement.operation, Operation::GetField { .. } | Operation::LoadElement { .. });
        is_load && statement.to.is_some_and(|to| self.uses.of(to).iter().all(is_monitor))
    }

    /// Whether a statement may be executed after a use, or is it, without another execution of the definition.
    fn is_after(&self, used: Use, at: StatementId, definition: Option<StatementId>) -> bool {
        let (block, index) = match used {
            Use::Statement(used) if used == at => return true,
            Use::Statement(used) => (used.block, used.index),
            Use::End(block) => (block, u32::MAX),
            // An edge of an exception may begin anywhere in the block.
            Use::Argument { from, .. } => (from, 0),
        };
        let defined_in = |block: BlockId| definition.filter(|it| it.block == block).map(|it| it.index);
        let mut known = vec![false; self.body.blocks().len()];
        let mut open = Vec::new();
        let first = defined_in(block).filter(|defined| *defined > index);
        if at.block == block && at.index > index && first.is_none_or(|defined| at.index <= defined) {
            return true;
        }
        open.extend(self.edges(block, first));
        while let Some(block) = open.pop() {
            if std::mem::replace(&mut known[block.index()], true) {
                continue;
            }
            let defined = defined_in(block);
            if at.block == block && defined.is_none_or(|defined| at.index <= defined) {
                return true;
            }
            open.extend(self.edges(block, defined));
        }
        false
    }

    /// The successors of a block; if it is left before a statement, those of exceptions only.
    fn edges(&self, block: BlockId, before: Option<u32>) -> Vec<BlockId> {
        let of = self.body.block(block);
        match before {
            None => of.edges().map(|edge| edge.target).collect(),
            Some(before) => {
                let thrown = of.statements[..=before as usize].iter().flat_map(|it| &*it.handlers);
                thrown.map(|handler| handler.edge.target).collect()
            }
        }
    }
}

/// Whether a statement makes a new object in each execution.
fn is_allocation(code: Code<'_>, body: &Body, at: StatementId, operation: &Operation) -> bool {
    match operation {
        Operation::New(_) | Operation::NewArray(..) => true,
        Operation::Invoke { kind, member, arguments } => {
            let is_library =
                |it: &java::points_to::Callees| it.rows && it.methods.is_empty() && !it.client && !it.unknown;
            let rows = rows(code, body, *kind, *member, arguments);
            let is_new = |part: &Part<'_>| matches!(part, Part::New(_) | Part::CloneOf(_));
            let makes = |outcome: Outcome<'_>| matches!(outcome, Outcome::OneOf(parts) if parts.iter().all(is_new));
            code.points.callees(body.method, at).is_some_and(is_library)
                && !rows.is_empty()
                && rows.iter().all(|row| makes(row.outcome()))
        }
        _ => false,
    }
}
