//! The bodies of a model that reach an instruction by calls.

use crate::code::Code;
use crate::model::Model;
use crate::ops::{BodyId, Op};
use crate::text::Unread;
use std::cell::Cell;
use std::collections::HashSet;

pub(crate) struct Program<'t> {
    pub model: Model<'t>,
    /// The different instructions of each body.
    ops: Vec<HashSet<Op>>,
    callers: Vec<Vec<BodyId>>,
    /// Whether an instruction starts each process.
    pub is_started: Vec<bool>,
    /// Whether each process can run at all: no instruction starts it, or a rooted process reaches a start of it.
    pub is_rooted: Vec<bool>,
    /// The work that was done, in comparisons or something like them.
    work: Cell<usize>,
}

/// The most work of a certificate.
const MOST_WORK: usize = 1 << 28;

impl<'t> Program<'t> {
    pub fn new(text: &'t str) -> Result<Program<'t>, Unread> {
        let model = Model::new(text)?;
        let ops_of = |code: &Code| code.instructions.iter().map(|instruction| instruction.op).collect();
        let ops: Vec<HashSet<Op>> = model.bodies.iter().map(|body| ops_of(&body.code)).collect();
        let (mut callers, mut uses) = (vec![Vec::new(); ops.len()], vec![Vec::new(); ops.len()]);
        let mut is_started = vec![false; ops.len()];
        for (number, op) in ops.iter().enumerate().flat_map(|(number, ops)| ops.iter().map(move |op| (number, op))) {
            let (Op::Call(used) | Op::Start(used)) = op else { continue };
            uses[number].push(*used);
            match op {
                Op::Call(_) => callers[used.0].push(BodyId(number)),
                _ => is_started[used.0] = true,
            }
        }
        let mut program = Program { model, ops, callers, is_started, is_rooted: Vec::new(), work: Cell::new(0) };
        let roots = program.processes().filter(|process| !program.is_started[process.0]);
        program.is_rooted = closure(&uses, roots.collect());
        Ok(program)
    }

    /// Counts work. No certificate of a person's program needs so much; others end here.
    pub fn work(&self, amount: usize) -> Result<(), String> {
        self.work.set(self.work.get().saturating_add(amount));
        if self.work.get() <= MOST_WORK {
            return Ok(());
        }
        Err(format!("the checker's bound is exceeded, {MOST_WORK} comparisons"))
    }

    /// The processes in the order of declarations.
    pub fn processes(&self) -> impl Iterator<Item = BodyId> {
        (0..self.model.bodies.len()).map(BodyId).filter(|body| self.model.bodies[body.0].instances.is_some())
    }

    pub fn name(&self, body: BodyId) -> &'t str {
        self.model.bodies[body.0].name
    }

    /// The bodies that reach such an instruction: it stands in the body or in bodies that it calls.
    pub fn reaching(&self, is: impl Fn(Op) -> bool) -> Result<Vec<bool>, String> {
        self.work(self.ops.iter().map(HashSet::len).chain(self.callers.iter().map(Vec::len)).map(|it| it + 1).sum())?;
        let bodies = (0..self.ops.len()).filter(|body| self.ops[*body].iter().any(|op| is(*op)));
        Ok(closure(&self.callers, bodies.map(BodyId).collect()))
    }
}

/// The bodies that are reached from some of them.
fn closure(edges: &[Vec<BodyId>], mut work: Vec<BodyId>) -> Vec<bool> {
    let mut reached = vec![false; edges.len()];
    while let Some(body) = work.pop() {
        if !std::mem::replace(&mut reached[body.0], true) {
            work.extend(&edges[body.0]);
        }
    }
    reached
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn work_has_a_bound() {
        let program = Program::new("process P { }").expect("a model");
        assert_eq!(program.work(MOST_WORK), Ok(()));
        assert!(program.work(1).is_err() && program.work(usize::MAX).is_err());
        assert!(program.reaching(|_| true).is_err());
    }
}
