//! Renaming: from instructions to statements on variables.
//!
//! A traversal of the dominator tree maintains the variable in each local variable slot and stack position (R. Cytron
//! et al., 1991, section 5.2). Instructions that only move values change this mapping and yield no statement.
//!
//! A load of a value that the local variable does not hold is an error; a virtual machine rejects such code. One case
//! is not detected: after the second slot of a long or double was overwritten, a load still yields the old value.

use super::body::{Block, BlockId, Edge, End, ExceptionEdge, Operation, Statement, Variable};
use super::budget::Budget;
use super::dominators::Tree;
use super::draft::{Draft, Fact, Values};
use super::error::Stop;
use super::flow::{Copy, CopyId, Flow, LandingsId};
use super::graph::number;
use super::phi_placement::{PhiPlacement, Place};
use super::segments::{SegmentId, Segments, Start};
use super::translate::{fact, operation};
use crate::bytecode::{Code, Constant, Instruction, InstructionIndex, Local, Operator, StackOperation, rearrange};
use crate::class_file::Kind;
use crate::program::Program;

/// The inputs of renaming.
#[derive(Clone, Copy)]
pub(super) struct Source<'s> {
    pub(super) program: &'s Program,
    pub(super) code: &'s Code,
    pub(super) flow: &'s Flow,
    pub(super) segments: &'s Segments,
    pub(super) phis: &'s PhiPlacement,
    pub(super) budget: &'s Budget<'s>,
}

/// Translates a method to register form, with a block for each segment.
pub(super) fn rename(
    source: Source<'_>,
    tree: &Tree,
    parameters: &[(Place, Kind)],
    has_receiver: bool,
) -> Result<Draft, Stop> {
    let mut values = Values::new();
    let mut current = vec![Values::UNDEFINED; source.phis.places];
    let mut variables = Vec::new();
    for (place, kind) in parameters {
        let is_receiver = has_receiver && variables.is_empty();
        let variable = values.add(Some(*kind), if is_receiver { Fact::NotNull } else { Fact::Other });
        current[*place as usize] = variable;
        variables.push(variable);
    }
    let blocks = source.segments.list.iter().map(|_| None).collect();
    let mut renamer = Renamer { source, values, current, log: Vec::new(), blocks };
    let mut open = vec![Task::Enter(0)];
    while let Some(task) = open.pop() {
        match task {
            Task::Enter(segment) => {
                open.push(Task::Undo(renamer.log.len()));
                renamer.segment(segment)?;
                open.extend(tree.children(segment as usize).iter().map(|child| Task::Enter(*child)));
            }
            Task::Undo(length) => renamer.undo(length),
        }
    }
    let blocks = renamer.blocks.into_iter().map(|block| block.expect("all segments are reachable")).collect();
    Ok(Draft { parameters: variables, blocks, values: renamer.values })
}

enum Task {
    Enter(SegmentId),
    /// Undoes changes until the log has this length.
    Undo(usize),
}

struct Renamer<'s> {
    source: Source<'s>,
    values: Values,
    /// The variable in each place.
    current: Vec<Variable>,
    /// The changed places with their previous variables.
    log: Vec<(Place, Variable)>,
    blocks: Vec<Option<Block>>,
}

impl Renamer<'_> {
    fn set(&mut self, place: Place, variable: Variable) {
        let before = std::mem::replace(&mut self.current[place as usize], variable);
        self.log.push((place, before));
    }

    fn undo(&mut self, length: usize) {
        for (place, before) in self.log.drain(length..).rev() {
            self.current[place as usize] = before;
        }
    }

    /// The place of a position on the operand stack.
    fn position(&self, position: u32) -> Place {
        number(self.source.phis.locals) + position
    }

    fn segment(&mut self, id: SegmentId) -> Result<(), Stop> {
        let Source { flow, segments, phis, .. } = self.source;
        let mut parameters = Vec::new();
        for place in phis.at(id) {
            let parameter = self.values.add(None, Fact::Joined);
            self.set(*place, parameter);
            parameters.push(parameter);
        }
        let start = segments.list[id as usize].start;
        let caught = matches!(start, Start::Landing(_)).then(|| self.values.add(Some(Kind::Reference), Fact::NotNull));
        if let Some(caught) = caught {
            self.set(self.position(0), caught);
        }
        let mut statements = Vec::new();
        for copy in segments.copies(id) {
            self.source.budget.steps(1)?;
            self.copy(flow.copy(*copy), &mut statements)?;
        }
        let last = match start {
            Start::Entry => 0,
            Start::Landing(copy) => copy,
            Start::Inside => *segments.copies(id).last().expect("it has copies"),
        };
        let (end, handlers) = self.end(id, last)?;
        let at = flow.copy(last).at;
        let line = self.line(at);
        let statements = statements.into();
        let block = Block { caught, parameters: parameters.into(), statements, end, at, line, handlers };
        self.blocks[id as usize] = Some(block);
        Ok(())
    }

    fn line(&self, at: InstructionIndex) -> u32 {
        self.source.code.place(at)
    }

    fn copy(&mut self, copy: &Copy, statements: &mut Vec<Statement>) -> Result<(), Stop> {
        let top = self.position(copy.kept);
        match self.source.code.instruction(copy.at) {
            Instruction::Load(kind, local) => {
                let variable = self.current[local.index()];
                self.values.need(variable, kind, copy.at)?;
                self.set(top, variable);
            }
            Instruction::Store(kind, local) => {
                let variable = self.current[top as usize];
                self.set(local.0.into(), variable);
                if kind.slots() == 2 {
                    self.set(u32::from(local.0) + 1, Values::UNDEFINED);
                }
            }
            Instruction::Increment(local, by) => self.increment(copy.at, local, by, statements)?,
            Instruction::Stack(operation) => self.rearrange(copy, operation),
            Instruction::Jsr(_) => self.set(top, Values::UNDEFINED),
            instruction => {
                let operands = self.operands(copy)?;
                if let Some(operation) = operation(self.source.program, instruction, &operands) {
                    self.operate(copy, operation, statements)?;
                }
            }
        }
        Ok(())
    }

    fn operate(&mut self, copy: &Copy, operation: Operation, statements: &mut Vec<Statement>) -> Result<(), Stop> {
        let handlers = self.handlers(copy.landings)?;
        let shapes = &self.source.flow.shapes;
        let gives = shapes.height(copy.after) > copy.kept as usize;
        let kind = shapes.top(copy.after).filter(|_| gives).map(|(slot, _)| slot.kind());
        let to = kind.map(|kind| self.values.add(Some(kind), fact(&operation)));
        statements.push(Statement { operation, to, at: copy.at, line: self.line(copy.at), handlers });
        if let Some(to) = to {
            self.set(self.position(copy.kept), to);
        }
        Ok(())
    }

    /// The operands of an instruction, the lowest first.
    fn operands(&mut self, copy: &Copy) -> Result<Vec<Variable>, Stop> {
        let shapes = &self.source.flow.shapes;
        let height = shapes.height(copy.before);
        let count = height - copy.kept as usize;
        for (slot, position) in shapes.slots(copy.before).take(count).zip((0..number(height)).rev()) {
            let variable = self.current[self.position(position) as usize];
            self.values.need(variable, slot.kind(), copy.at)?;
        }
        let top = self.position(copy.kept) as usize;
        Ok(self.current[top..top + count].to_vec())
    }

    fn rearrange(&mut self, copy: &Copy, operation: StackOperation) {
        let shapes = &self.source.flow.shapes;
        let kinds = shapes.slots(copy.before).map(|slot| slot.kind());
        let found = rearrange(operation, kinds.take(4)).expect("the exploration checked the operands");
        let top = self.position(copy.kept);
        let popped: Vec<_> = self.current[top as usize..][..found.takes].to_vec();
        for (value, place) in found.pushes.iter().zip(top..) {
            self.set(place, popped[found.takes - 1 - value]);
        }
    }

    /// Translates an `iinc` to an addition of a constant.
    fn increment(
        &mut self,
        at: InstructionIndex,
        local: Local,
        by: i16,
        statements: &mut Vec<Statement>,
    ) -> Result<(), Stop> {
        let before = self.current[local.index()];
        self.values.need(before, Kind::Int, at)?;
        let by = Operation::Constant(Constant::Int(by.into()));
        let constant = self.values.add(Some(Kind::Int), fact(&by));
        let sum = Operation::Binary(Operator::Add, Kind::Int, [before, constant]);
        let to = self.values.add(Some(Kind::Int), Fact::Other);
        let line = self.line(at);
        let statement = |operation, to| Statement { operation, to: Some(to), at, line, handlers: Box::default() };
        statements.extend([statement(by, constant), statement(sum, to)]);
        self.set(local.0.into(), to);
        Ok(())
    }

    /// The end of a segment, with the handlers of a `throw`.
    fn end(&mut self, id: SegmentId, last: CopyId) -> Result<(End, Box<[ExceptionEdge]>), Stop> {
        let Source { code, flow, segments, .. } = self.source;
        let targets = segments.successors(flow, id);
        let edges = targets.into_iter().map(|target| self.edge(target));
        let edges = edges.collect::<Result<Vec<_>, _>>()?;
        let copy = flow.copy(last);
        let instruction = match segments.list[id as usize].start {
            Start::Inside => code.instruction(copy.at),
            Start::Entry | Start::Landing(_) => Instruction::Nop,
        };
        let mut edges = edges.into_iter();
        let mut next = || edges.next().expect("there is an edge for each successor");
        let end = match instruction {
            Instruction::Branch(condition, _) => {
                let values = self.operands(copy)?.into();
                let fails = next();
                End::Branch { condition, values, holds: next(), fails }
            }
            Instruction::Switch(switch) => {
                let default = next();
                let cases = code.switch(switch).cases.iter().map(|case| (case.0, next())).collect();
                End::Switch { value: self.operands(copy)?[0], cases, default }
            }
            Instruction::Return(_) => End::Return(self.operands(copy)?.first().copied()),
            Instruction::Throw => return Ok((End::Throw(self.operands(copy)?[0]), self.handlers(copy.landings)?)),
            _ => End::Goto(next()),
        };
        Ok((end, Box::default()))
    }

    fn edge(&self, target: SegmentId) -> Result<Edge, Stop> {
        let places = self.source.phis.at(target);
        self.source.budget.edges(1, places.len())?;
        let arguments = places.iter().map(|place| self.current[*place as usize]).collect();
        Ok(Edge { target: BlockId(target), arguments })
    }

    fn handlers(&self, landings: Option<LandingsId>) -> Result<Box<[ExceptionEdge]>, Stop> {
        let Source { code, flow, segments, .. } = self.source;
        let landings = landings.map_or(&[][..], |landings| flow.landings(landings));
        let thrown = landings.iter().map(|landing| {
            let catches = code.handlers()[landing.0 as usize].catches;
            Ok(ExceptionEdge { catches, edge: self.edge(segments.landing(landing))? })
        });
        thrown.collect()
    }
}
