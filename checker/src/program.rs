//! The bodies of a model that reach an instruction by calls.

use crate::model::Model;
use crate::ops::{BodyId, Op};
use crate::text::Unread;
use std::cell::Cell;
use std::collections::HashMap;

pub(crate) struct Program<'t> {
    pub model: Model<'t>,
    /// The bodies in which an instruction stands.
    places: HashMap<Op, Vec<BodyId>>,
    callers: Vec<Vec<BodyId>>,
    rooted: Vec<bool>,
    /// The work that was done, in comparisons or something like them.
    work: Cell<usize>,
}

/// The most work of a certificate.
const MOST_WORK: usize = 1 << 28;

impl<'t> Program<'t> {
    pub fn new(text: &'t str) -> Result<Program<'t>, Unread> {
        let model = Model::new(text)?;
        let count = model.bodies.len();
        let mut places: HashMap<Op, Vec<BodyId>> = HashMap::new();
        let (mut callers, mut uses) = (vec![Vec::new(); count], vec![Vec::new(); count]);
        for (number, body) in model.bodies.iter().enumerate() {
            for instruction in &body.code.instructions {
                let bodies = places.entry(instruction.op).or_default();
                if bodies.last() != Some(&BodyId(number)) {
                    bodies.push(BodyId(number));
                }
                if let Op::Call(called) = instruction.op {
                    callers[called.0].push(BodyId(number));
                }
                if let Op::Call(used) | Op::Start(used) = instruction.op {
                    uses[number].push(used);
                }
            }
        }
        let mut program = Program { model, places, callers, rooted: Vec::new(), work: Cell::new(0) };
        let roots = program.processes().filter(|process| !program.is_started(*process));
        program.rooted = closure(&uses, roots.collect());
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
        let bodies = self.model.bodies.iter().enumerate();
        bodies.filter(|(_, body)| body.instances.is_some()).map(|(number, _)| BodyId(number))
    }

    pub fn name(&self, body: BodyId) -> &'t str {
        self.model.bodies[body.0].name
    }

    pub fn is_started(&self, process: BodyId) -> bool {
        self.places.contains_key(&Op::Start(process))
    }

    /// A process that can run at all: no instruction starts it, or a rooted process reaches a start of it.
    pub fn is_rooted(&self, process: BodyId) -> bool {
        self.rooted[process.0]
    }

    /// The bodies that reach such an instruction: it stands in the body or in bodies that it calls.
    pub fn reaching(&self, is: impl Fn(Op) -> bool) -> Result<Vec<bool>, String> {
        self.work(self.places.values().chain(&self.callers).map(|bodies| bodies.len() + 1).sum())?;
        let places = self.places.iter().filter(|(op, _)| is(**op));
        Ok(closure(&self.callers, places.flat_map(|(_, bodies)| bodies).copied().collect()))
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
