//! The weight of critical sections: an estimate of how much a model serializes.
//!
//! The weight of a statement is 1, that of a call the weight of the function; a loop counts eight times. A call
//! that closes a cycle of calls has weight 1. The weight of a model is the sum of the weights of its critical sections,
//! `sync` blocks; one within another of the same lock and body adds nothing. Holding a lock longer never makes it
//! smaller.

use eml::syntax::ast::{Block, ItemKind, Program, StatementKind};
use indexmap::IndexMap;
use rustc_hash::{FxBuildHasher, FxHashMap};

/// The number of times that a loop counts.
const LOOP: u64 = 8;

/// The functions of a program, each after those that it calls, except in cycles of calls.
fn callees_first(program: &Program) -> Vec<(&str, &Block)> {
    let functions: IndexMap<&str, &Block, FxBuildHasher> = program
        .items
        .iter()
        .filter_map(|item| match &item.kind {
            ItemKind::Function { name, body } => Some((&*name.text, body)),
            _ => None,
        })
        .collect();
    let mut order = Vec::new();
    let mut is_seen = vec![false; functions.len()];
    for first in 0..functions.len() {
        // Functions that are entered, with the callees that remain.
        let mut entered = Vec::new();
        let mut next = Some(first);
        loop {
            if let Some(number) = next.take().filter(|number| !std::mem::replace(&mut is_seen[*number], true)) {
                entered.push((number, callees(functions[number])));
            }
            let Some((number, rest)) = entered.last_mut() else { break };
            match rest.pop() {
                Some(name) => next = functions.get_index_of(name),
                None => {
                    let (name, body) = functions.get_index(*number).expect("it is one of the functions");
                    order.push((*name, *body));
                    entered.pop();
                }
            }
        }
    }
    order
}

/// The functions that a body calls.
fn callees(body: &Block) -> Vec<&str> {
    let mut found = Vec::new();
    let mut open = vec![body];
    while let Some(block) = open.pop() {
        for statement in &block.statements {
            if let StatementKind::Call(name) = &statement.kind {
                found.push(&*name.text);
            }
            open.extend(statement.kind.blocks());
        }
    }
    found
}

/// The weights of the functions of a program.
#[derive(Clone, Debug, Default)]
pub(crate) struct Weights {
    functions: FxHashMap<String, u64>,
}

impl Weights {
    pub(crate) fn new(program: &Program) -> Self {
        let mut weights = Self::default();
        for (name, body) in callees_first(program) {
            let weight = weights.of_block(body);
            weights.functions.insert(name.to_string(), weight);
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

#[cfg(test)]
mod tests {
    use super::*;

    fn weight(text: &str) -> u64 {
        let program = eml::syntax::parse(text).expect("a text");
        Weights::new(&program).of_sections(&program)
    }

    #[test]
    fn calls_count_with_their_functions() {
        let chain = "lock l; fn f() { call g; } fn g() { call h; skip; } fn h() { skip; skip; }";
        assert_eq!(weight(&format!("{chain} process P {{ sync l {{ call f; }} }}")), 3);
        assert_eq!(weight(&format!("{chain} process P {{ sync l {{ loop {{ call f; }} skip; }} }}")), 1 + 8 * 3 + 1);
    }

    #[test]
    fn cycles_of_calls_end() {
        let cycle = "lock l; fn f() { skip; call g; } fn g() { skip; call f; } fn e() { call f; }";
        assert_eq!(weight(&format!("{cycle} process P {{ sync l {{ call e; }} }}")), 3);
        assert_eq!(weight("lock l; fn f() { call f; skip; } process P { sync l { call f; } }"), 2);
    }
}
