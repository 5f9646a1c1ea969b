//! Liveness: a variable is live at a place if some path leads from there to a use.
//!
//! Each variable is traced backwards from its uses to its only definition. An edge uses its arguments at the place
//! where it leaves its block. A variable that is live at the start of a handler is live before each statement with an
//! edge to the handler.
//!
//! The result holds, for each variable, the blocks at whose start it is live, as ranges of block indices, and the
//! places in blocks where it dies. The size therefore does not depend on the number of live variables per block: a
//! variable that is live throughout a method takes one range.

use super::body::{Block, BlockId, Body, Definition, StatementId, Variable};
use super::error::Cancelled;
use super::graph::number;
use super::ranges::Ranges;

/// The live variables of a body.
#[derive(Clone, Debug)]
pub struct Liveness {
    /// The blocks at whose start each variable is live.
    at_start: Ranges,
    /// For each block, the variables that are defined or die in it, sorted.
    changes: Vec<Box<[Change]>>,
    /// The number of statements of each block.
    lengths: Vec<u32>,
}

/// The places in a block at which a variable is live: before the statements `first` to `last`. The index of the end is
/// the number of statements.
#[derive(Clone, Copy, Debug)]
struct Change {
    variable: Variable,
    /// The first statement before which it is live.
    first: u32,
    /// The last statement before which it is live.
    last: u32,
}

impl Liveness {
    /// Computes the liveness. Linear in the blocks at which each variable is live and their edges; nearly linear in the
    /// size of the result.
    ///
    /// # Errors
    /// If the computation was cancelled.
    pub fn new(body: &Body, is_cancelled: &dyn Fn() -> bool) -> Result<Self, Cancelled> {
        let walk = Walk::new(body);
        let lengths = walk.lengths.clone();
        let LiveRanges { live, changes } = walk.run(is_cancelled)?;
        Ok(Self { at_start: Ranges::new(lengths.len(), live), changes, lengths })
    }

    /// The variables that are live before the first statement of a block, including its parameters and its exception;
    /// unsorted.
    pub fn at_start(&self, block: BlockId) -> Vec<Variable> {
        self.at_start.of(block.0)
    }

    /// Whether a variable is live before the first statement of a block.
    pub fn is_live_at_start(&self, block: BlockId, variable: Variable) -> bool {
        self.at_start.contains(variable, block.0)
    }

    /// The variables that are live before a statement, sorted.
    pub fn before(&self, statement: StatementId) -> Vec<Variable> {
        let changes = &self.changes[statement.block.index()];
        let find = |variable: &Variable| changes.binary_search_by_key(variable, |change| change.variable);
        let mut live = self.at_start(statement.block);
        live.retain(|variable| find(variable).is_err());
        let is_live = |change: &&Change| (change.first..=change.last).contains(&statement.index);
        live.extend(changes.iter().filter(is_live).map(|change| change.variable));
        live.sort_unstable();
        live
    }

    /// The variables that are live after a statement that completes normally, sorted.
    pub fn after(&self, statement: StatementId) -> Vec<Variable> {
        self.before(next(statement))
    }

    /// The variables that are live before the end of a block, sorted.
    pub fn at_end(&self, block: BlockId) -> Vec<Variable> {
        self.before(StatementId { block, index: self.lengths[block.index()] })
    }

    /// Whether a variable is live before a statement.
    pub fn is_live_before(&self, statement: StatementId, variable: Variable) -> bool {
        let changes = &self.changes[statement.block.index()];
        match changes.binary_search_by_key(&variable, |change| change.variable) {
            Ok(place) => (changes[place].first..=changes[place].last).contains(&statement.index),
            Err(_) => self.is_live_at_start(statement.block, variable),
        }
    }

    /// Whether a variable is live after a statement that completes normally.
    pub fn is_live_after(&self, statement: StatementId, variable: Variable) -> bool {
        self.is_live_before(next(statement), variable)
    }
}

fn next(statement: StatementId) -> StatementId {
    StatementId { index: statement.index + 1, ..statement }
}

/// A place in a block: the index of the block, and the index of a statement or of the end.
type Place = (u32, u32);

/// The result of the traversal.
struct LiveRanges {
    /// For each variable, the blocks at whose start it is live, sorted.
    live: Vec<Vec<u32>>,
    changes: Vec<Box<[Change]>>,
}

/// The backward traversal from uses to definitions.
struct Walk<'b> {
    body: &'b Body,
    lengths: Vec<u32>,
    /// The places with an edge to each block. Only the last place of each predecessor is kept.
    before: Vec<Vec<Place>>,
    /// For each block reached in this round, the last place in it at which the current variable is needed.
    last: Vec<u32>,
    /// The last round in which each block was reached.
    reached: Vec<u32>,
    /// The number of the current variable, from 1.
    round: u32,
}

impl<'b> Walk<'b> {
    fn new(body: &'b Body) -> Self {
        let count = body.blocks().len();
        let mut before: Vec<Vec<Place>> = vec![Vec::new(); count];
        for (id, block) in body.blocks() {
            for (target, place) in exits(block) {
                match before[target.index()].last_mut() {
                    Some((from, last)) if *from == id.0 => *last = place.max(*last),
                    _ => before[target.index()].push((id.0, place)),
                }
            }
        }
        let lengths = body.blocks().map(|(_, block)| number(block.statements.len())).collect();
        Self { body, lengths, before, last: vec![0; count], reached: vec![0; count], round: 0 }
    }

    fn run(mut self, is_cancelled: &dyn Fn() -> bool) -> Result<LiveRanges, Cancelled> {
        let uses = uses(self.body);
        let mut live = Vec::new();
        let mut changes = vec![Vec::new(); self.lengths.len()];
        let mut steps = 0;
        for (variable, uses) in (0..).map(Variable).zip(&uses) {
            let (block, first) = definition(self.body, variable);
            let mut reached = self.live_blocks(block, uses);
            steps += reached.len() + 1;
            if steps > 4096 {
                steps = 0;
                if is_cancelled() {
                    return Err(Cancelled);
                }
            }
            for at in &reached {
                let last = self.last[*at as usize];
                let is_here = *at == block;
                if is_here || last < self.lengths[*at as usize] {
                    let first = if is_here { first } else { 0 };
                    changes[*at as usize].push(Change { variable, first, last });
                }
            }
            reached.retain(|at| *at != block || first == 0);
            reached.sort_unstable();
            live.push(reached);
        }
        Ok(LiveRanges { live, changes: changes.into_iter().map(Into::into).collect() })
    }

    /// The blocks in which a variable is live, from the block of its definition and its uses.
    fn live_blocks(&mut self, definition: u32, uses: &[Place]) -> Vec<u32> {
        self.round += 1;
        let mut found = Vec::new();
        uses.iter().for_each(|from| self.reach(*from, &mut found));
        let mut done = 0;
        while let Some(block) = found.get(done).copied() {
            done += 1;
            if block != definition {
                for place in 0..self.before[block as usize].len() {
                    self.reach(self.before[block as usize][place], &mut found);
                }
            }
        }
        found
    }

    fn reach(&mut self, (block, place): Place, found: &mut Vec<u32>) {
        let last = &mut self.last[block as usize];
        if std::mem::replace(&mut self.reached[block as usize], self.round) == self.round {
            *last = place.max(*last);
        } else {
            *last = place;
            found.push(block);
        }
    }
}

/// The targets of the edges of a block, with the index of the throwing statement or of the end.
fn exits(block: &Block) -> impl Iterator<Item = (BlockId, u32)> {
    let end = number(block.statements.len());
    let thrown = block
        .statements
        .iter()
        .zip(0..)
        .flat_map(|(statement, index)| statement.handlers.iter().map(move |thrown| (thrown.edge.target, index)));
    let last = block.end.edges().into_iter().chain(block.handlers.iter().map(|thrown| &thrown.edge));
    thrown.chain(last.map(move |edge| (edge.target, end)))
}

/// The last use of each variable in each block.
fn uses(body: &Body) -> Vec<Vec<Place>> {
    let mut uses = vec![Vec::new(); body.variables()];
    for (id, block) in body.blocks() {
        let mut add = |variable: &Variable, place: u32| {
            let uses: &mut Vec<Place> = &mut uses[variable.index()];
            match uses.last_mut() {
                Some((from, last)) if *from == id.0 => *last = place.max(*last),
                _ => uses.push((id.0, place)),
            }
        };
        for (statement, index) in block.statements.iter().zip(0..) {
            statement.operation.uses().iter().for_each(|one| add(one, index));
            let arguments = statement.handlers.iter().flat_map(|thrown| &thrown.edge.arguments);
            arguments.for_each(|one| add(one, index));
        }
        let end = number(block.statements.len());
        block.end.uses().iter().for_each(|one| add(one, end));
        let last = block.end.edges().into_iter().chain(block.handlers.iter().map(|thrown| &thrown.edge));
        last.flat_map(|edge| &edge.arguments).for_each(|one| add(one, end));
    }
    uses
}

/// The block in which a variable is defined, and the index of the first statement after the definition.
fn definition(body: &Body, variable: Variable) -> (u32, u32) {
    match body.variable(variable).definition {
        Definition::Parameter(_) => (BlockId::ENTRY.0, 0),
        Definition::Joined(block, _) | Definition::Caught(block) => (block.0, 0),
        Definition::Statement(statement) => (statement.block.0, statement.index + 1),
    }
}
