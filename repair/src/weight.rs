//! The weight of critical sections: an estimate of how much a model serializes.
//!
//! The weight of a statement is 1, that of a call the weight of the function; a loop counts eight times. A function
//! that calls itself counts once. The weight of a model is the sum of the weights of its critical sections, `sync`
//! blocks; one within another of the same lock and body adds nothing. Holding a lock longer never makes it smaller.

use eml::syntax::ast::{Block, ItemKind, Program, StatementKind};
use rustc_hash::FxHashMap;

/// The number of times that a loop counts.
const LOOP: u64 = 8;

/// The weights of the functions of a program.
#[derive(Clone, Debug, Default)]
pub(crate) struct Weights {
    functions: FxHashMap<String, u64>,
}

impl Weights {
    pub(crate) fn new(program: &Program) -> Self {
        let mut weights = Self::default();
        let functions = program.items.iter().filter_map(|item| match &item.kind {
            ItemKind::Function { name, body } => Some((name.text.clone(), body)),
            _ => None,
        });
        let functions: Vec<_> = functions.collect();
        // As many rounds as there are functions reach the end of every chain of calls; in a cycle of calls the weights
        // would grow for ever, so few rounds have to do for large programs.
        for _ in 0..functions.len().min(16) {
            for (name, body) in &functions {
                let weight = weights.of_block(body);
                weights.functions.insert(name.clone(), weight);
            }
        }
        weights
    }

    fn of_call(&self, name: &str) -> u64 {
        self.functions.get(name).copied().unwrap_or(1).clamp(1, 1 << 40)
    }

    /// The weight of all statements in a block.
    fn of_block(&self, block: &Block) -> u64 {
        let mut sum: u64 = 0;
        let mut open = vec![(block, 1_u64)];
        while let Some((block, times)) = open.pop() {
            for statement in &block.statements {
                let own = match &statement.kind {
                    StatementKind::Call(name) => self.of_call(&name.text),
                    _ => 1,
                };
                sum = sum.saturating_add(own.saturating_mul(times));
                let inner = times.saturating_mul(if let StatementKind::Loop(_) = &statement.kind { LOOP } else { 1 });
                open.extend(statement.kind.blocks().iter().map(|block| (block, inner)));
            }
        }
        sum
    }

    /// The weight of all critical sections.
    pub(crate) fn of_sections(&self, program: &Program) -> u64 {
        let bodies = program.items.iter().filter_map(|item| match &item.kind {
            ItemKind::Function { body, .. } | ItemKind::Process { body, .. } => Some(body),
            _ => None,
        });
        let mut sum: u64 = 0;
        let mut open: Vec<(&Block, u64, Vec<&str>)> = bodies.map(|body| (body, 1, Vec::new())).collect();
        while let Some((block, times, held)) = open.pop() {
            for statement in &block.statements {
                let (mut inner, mut within) = (times, held.clone());
                if let Some((used, body)) = statement.kind.section()
                    && !held.contains(&&*used.name.text)
                {
                    sum = sum.saturating_add(self.of_block(body).saturating_mul(times));
                    within.push(&used.name.text);
                } else if let StatementKind::Loop(_) = &statement.kind {
                    inner = inner.saturating_mul(LOOP);
                }
                open.extend(statement.kind.blocks().iter().map(|block| (block, inner, within.clone())));
            }
        }
        sum
    }
}
