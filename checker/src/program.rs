//! All bodies of a model as instructions, and which bodies reach an instruction by calls.

use crate::error::Unread;
use crate::instructions::Code;
use crate::model::{BodyId, LockId, Mode, Model, Op};
use std::collections::HashMap;

pub(crate) struct Program<'t> {
    pub model: Model<'t>,
    pub codes: Vec<Code>,
    /// The bodies in which an instruction stands.
    places: HashMap<Op, Vec<BodyId>>,
    callers: Vec<Vec<BodyId>>,
    rooted: Vec<bool>,
}

impl<'t> Program<'t> {
    pub fn new(text: &'t str) -> Result<Program<'t>, Unread> {
        let model = Model::new(text)?;
        let (mut codes, mut count) = (Vec::new(), 0);
        for body in &model.bodies {
            let code = Code::new(body, count)?;
            count += code.instructions.len();
            codes.push(code);
        }
        let mut places: HashMap<Op, Vec<BodyId>> = HashMap::new();
        let (mut callers, mut uses) = (vec![Vec::new(); codes.len()], vec![Vec::new(); codes.len()]);
        for (number, code) in codes.iter().enumerate() {
            for instruction in &code.instructions {
                let bodies = places.entry(instruction.op).or_default();
                if bodies.last() != Some(&BodyId(number)) {
                    bodies.push(BodyId(number));
                }
                if let Op::Call(body) = instruction.op {
                    callers[body.0].push(BodyId(number));
                }
                if let Op::Call(body) | Op::Start(body) = instruction.op {
                    uses[number].push(body);
                }
            }
        }
        let mut program = Program { model, codes, places, callers, rooted: Vec::new() };
        let roots = program.processes().filter(|process| !program.is_started(*process));
        program.rooted = closure(&uses, roots.collect());
        Ok(program)
    }

    /// The processes in the order of declarations.
    pub fn processes(&self) -> impl Iterator<Item = BodyId> {
        let bodies = self.model.bodies.iter().enumerate();
        bodies.filter(|(_, body)| body.instances.is_some()).map(|(number, _)| BodyId(number))
    }

    pub fn is_started(&self, process: BodyId) -> bool {
        self.places.contains_key(&Op::Start(process))
    }

    /// A process that can run at all: no instruction starts it, or a rooted process reaches a start of it.
    pub fn is_rooted(&self, process: BodyId) -> bool {
        self.rooted[process.0]
    }

    /// The bodies that reach one of these instructions: it stands in the body or in bodies that it calls.
    pub fn reaching(&self, ops: impl IntoIterator<Item = Op>) -> Vec<bool> {
        let places = ops.into_iter().filter_map(|op| self.places.get(&op));
        closure(&self.callers, places.flatten().copied().collect())
    }
}

/// All operations on a lock.
pub(crate) fn operations(lock: LockId) -> impl Iterator<Item = Op> {
    use Mode::{Read, Write};
    let releases = [None, Some(Read), Some(Write)].map(|mode| Op::Release(lock, mode));
    [Op::Acquire(lock, Read), Op::Acquire(lock, Write), Op::Wait(lock), Op::Resume(lock)].into_iter().chain(releases)
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
