//! The control flow between instructions, with a copy of each instruction for each set of return addresses.
//!
//! The exploration visits each reachable copy once and computes the shape of the operand stack before and after it.
//! Paths that join must have equal shapes (JVMS 4.10.2). Unreachable code is omitted.

use super::budget::Budget;
use super::covering_handlers::{CoveringHandlers, HandlersId, can_throw};
use super::error::Stop;
use super::graph::number;
use super::shapes::{Shape, Shapes, Slot};
use super::subroutines::{Addresses, HASHED, Subroutines};
use crate::bytecode::{
    Code, Instruction, InstructionIndex, StackError, StackOperation, StackProblem, effect, rearrange,
};
use crate::class_file::{Kind, TypeTable};
use rustc_hash::FxHashMap;
use std::ops::Range;

/// The index of a copy of an instruction.
pub(super) type CopyId = u32;

/// A copy of an instruction.
#[derive(Clone, Debug)]
pub(super) struct Copy {
    /// The instruction.
    pub(super) at: InstructionIndex,
    addresses: Addresses,
    /// The operand stack before it.
    pub(super) before: Shape,
    /// The operand stack after it.
    pub(super) after: Shape,
    /// The number of values on the stack below the operands of the instruction.
    pub(super) kept: u32,
    /// Whether it ends a block: a branch, a switch, a return or a throw.
    pub(super) is_end: bool,
    /// Its successors when nothing is thrown, in [`Flow::successors`].
    successors: Range<u32>,
    /// Its successors when an exception is thrown; none if the instruction cannot throw.
    pub(super) landings: Option<LandingsId>,
}

/// The index of a list of landings.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct LandingsId(u32);

/// A handler, as an index of the exception table, and the copy at which it begins.
pub(super) type Landing = (u32, CopyId);

/// All reachable copies of instructions. The first one is the entry.
#[derive(Debug)]
pub(super) struct Flow {
    pub(super) copies: Vec<Copy>,
    pub(super) shapes: Shapes,
    successors: Vec<CopyId>,
    landings: Vec<Box<[Landing]>>,
}

impl Flow {
    /// Explores all paths. Linear in the copies and their edges, except for sorting.
    pub(super) fn new(code: &Code, types: &TypeTable, budget: &Budget<'_>) -> Result<Self, Stop> {
        let flow = Self { copies: Vec::new(), shapes: Shapes::default(), successors: Vec::new(), landings: Vec::new() };
        let mut explorer = Explorer {
            code,
            types,
            budget,
            cover: CoveringHandlers::new(code, budget)?,
            subroutines: Subroutines::new(code, budget)?,
            flow,
            first: vec![None; code.len()],
            others: FxHashMap::default(),
            open: Vec::new(),
            known: FxHashMap::default(),
        };
        explorer.reach(InstructionIndex(0), Addresses::NONE, Shape::EMPTY)?;
        while let Some(copy) = explorer.open.pop() {
            explorer.step(copy)?;
        }
        Ok(explorer.flow)
    }

    /// The copy of an index.
    pub(super) fn copy(&self, id: CopyId) -> &Copy {
        &self.copies[id as usize]
    }

    /// The successors of a copy when nothing is thrown. The successor for a false condition and the default successor
    /// of a switch come first.
    pub(super) fn successors(&self, id: CopyId) -> &[CopyId] {
        let range = &self.copy(id).successors;
        &self.successors[range.start as usize..range.end as usize]
    }

    /// The landings of a list.
    pub(super) fn landings(&self, id: LandingsId) -> &[Landing] {
        &self.landings[id.0 as usize]
    }

    /// All lists of landings.
    pub(super) fn all_landings(&self) -> impl Iterator<Item = &[Landing]> {
        self.landings.iter().map(|landings| &**landings)
    }
}

struct Explorer<'c> {
    code: &'c Code,
    types: &'c TypeTable,
    budget: &'c Budget<'c>,
    cover: CoveringHandlers,
    subroutines: Subroutines,
    flow: Flow,
    /// The copies without return addresses.
    first: Vec<Option<CopyId>>,
    /// The other copies. The stack is part of the key if it contains a return address.
    others: FxHashMap<(InstructionIndex, Addresses, Option<Shape>), CopyId>,
    open: Vec<CopyId>,
    known: FxHashMap<(HandlersId, Addresses), LandingsId>,
}

impl Explorer<'_> {
    /// The copy of an instruction for some return addresses and a stack. A new copy is added to the open ones.
    fn reach(&mut self, at: InstructionIndex, addresses: Addresses, before: Shape) -> Result<CopyId, Stop> {
        self.budget.search(HASHED * self.subroutines.count(addresses))?;
        let addresses = self.subroutines.at(addresses, at);
        let stack = self.flow.shapes.has_return(before).then_some(before);
        let next = number(self.flow.copies.len());
        let id = match (addresses, stack) {
            (Addresses::NONE, None) => *self.first[at.index()].get_or_insert(next),
            _ => *self.others.entry((at, addresses, stack)).or_insert(next),
        };
        if id != next {
            let is_same = self.flow.copy(id).before == before;
            return if is_same { Ok(id) } else { Err(StackError { at, problem: StackProblem::Join }.into()) };
        }
        self.budget.copies(self.flow.copies.len())?;
        let copy =
            Copy { at, addresses, before, after: before, kept: 0, is_end: false, successors: 0..0, landings: None };
        self.flow.copies.push(copy);
        self.open.push(id);
        Ok(id)
    }

    fn step(&mut self, id: CopyId) -> Result<(), Stop> {
        let Copy { at, addresses, before, .. } = *self.flow.copy(id);
        let instruction = self.code.instruction(at);
        let wrong = Stop::Stack(StackError { at, problem: StackProblem::Mismatch });
        let (kept, after) = self.change(at, instruction, before).ok_or(wrong)?;
        let addresses_after = match instruction {
            Instruction::Store(kind, local) => {
                let address = match self.flow.shapes.top(before) {
                    Some((Slot::Return(address), _)) => Some(address),
                    _ => None,
                };
                self.subroutines.store(addresses, (kind, local), address)
            }
            _ => addresses,
        };
        let successors = self.successors(at, instruction, addresses, after, addresses_after)?;
        let landings = if can_throw(instruction) { Some(self.landings(at, addresses)?) } else { None };
        let height = number(self.flow.shapes.height(kept));
        let copy = &mut self.flow.copies[id as usize];
        (copy.after, copy.kept, copy.successors, copy.landings) = (after, height, successors, landings);
        copy.is_end = is_end(instruction);
        Ok(())
    }

    /// Adds the successors of an instruction. Returns their range in the list of successors.
    fn successors(
        &mut self,
        at: InstructionIndex,
        instruction: Instruction,
        addresses: Addresses,
        after: Shape,
        addresses_after: Addresses,
    ) -> Result<Range<u32>, Stop> {
        let mut targets = Vec::new();
        match instruction {
            Instruction::Goto(target) | Instruction::Jsr(target) => targets.push(target),
            Instruction::Branch(_, target) => targets.extend([self.code.next(at), target]),
            Instruction::Switch(id) => {
                let switch = self.code.switch(id);
                targets.push(switch.default);
                targets.extend(switch.cases.iter().map(|case| case.1));
            }
            Instruction::Ret(local) => {
                let call = self.subroutines.address(addresses, local).ok_or(Stop::Subroutine(at))?;
                targets.push(self.code.next(call));
            }
            _ if instruction.falls_through() => targets.push(self.code.next(at)),
            _ => {}
        }
        self.budget.edges(targets.len(), 0)?;
        let reached = targets.into_iter().map(|target| self.reach(target, addresses_after, after));
        let reached = reached.collect::<Result<Vec<_>, _>>()?;
        let start = number(self.flow.successors.len());
        self.flow.successors.extend(reached);
        Ok(start..number(self.flow.successors.len()))
    }

    /// The landings of an instruction that can throw.
    fn landings(&mut self, at: InstructionIndex, addresses: Addresses) -> Result<LandingsId, Stop> {
        let handlers = self.cover.at(at.index());
        if let Some(known) = self.known.get(&(handlers, addresses)) {
            return Ok(*known);
        }
        let stack = self.flow.shapes.push(Slot::Value(Kind::Reference), Shape::EMPTY);
        let places: Vec<u32> = self.cover.list(handlers).to_vec();
        let landing = |place: u32| {
            let target = self.code.handlers()[place as usize].target;
            Ok((place, self.reach(target, addresses, stack)?))
        };
        let landings = places.into_iter().map(landing).collect::<Result<Box<[_]>, Stop>>()?;
        self.budget.edges(landings.len(), 0)?;
        let id = LandingsId(number(self.flow.landings.len()));
        self.flow.landings.push(landings);
        self.known.insert((handlers, addresses), id);
        Ok(id)
    }

    /// The stack below the operands of an instruction, and the stack after it.
    fn change(&mut self, at: InstructionIndex, instruction: Instruction, before: Shape) -> Option<(Shape, Shape)> {
        match instruction {
            Instruction::Stack(operation) => self.rearrange(operation, before),
            Instruction::Jsr(_) => Some((before, self.flow.shapes.push(Slot::Return(at), before))),
            // A reference or a return address, which a subroutine stores at its start.
            Instruction::Store(Kind::Reference, _) => {
                let (top, kept) = self.flow.shapes.top(before)?;
                (top.kind() == Kind::Reference).then_some((kept, kept))
            }
            _ => {
                let effect = effect(self.code, self.types, instruction)?;
                let mut kept = before;
                for kind in effect.takes.iter().rev() {
                    let (top, below) = self.flow.shapes.top(kept)?;
                    if top != Slot::Value(*kind) {
                        return None;
                    }
                    kept = below;
                }
                Some((kept, effect.gives.map_or(kept, |kind| self.flow.shapes.push(Slot::Value(kind), kept))))
            }
        }
    }

    fn rearrange(&mut self, operation: StackOperation, before: Shape) -> Option<(Shape, Shape)> {
        let shapes = &mut self.flow.shapes;
        let top: Vec<Slot> = shapes.slots(before).take(4).collect();
        let found = rearrange(operation, top.iter().map(|slot| slot.kind()))?;
        let mut kept = before;
        for _ in 0..found.takes {
            kept = shapes.top(kept)?.1;
        }
        Some((kept, found.pushes.iter().fold(kept, |shape, value| shapes.push(top[*value], shape))))
    }
}

/// Whether an instruction ends a block, even if it has only one successor.
fn is_end(instruction: Instruction) -> bool {
    matches!(
        instruction,
        Instruction::Branch(..) | Instruction::Switch(_) | Instruction::Return(_) | Instruction::Throw
    )
}
