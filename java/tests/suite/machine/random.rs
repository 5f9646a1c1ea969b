//! Random valid methods, with branches, switches, handlers and subroutines anywhere.
//!
//! All local variables but two have fixed kinds. Each block begins with one of a few operand stacks, such that a branch
//! can target any block with the same stack.

use super::values::{ARITHMETIC, CUSTOM, NULL, THROWABLE};
use crate::assembler::{Assembler, Label};
use crate::builder::ClassBuilder;
use Kind::{Int, Long, Reference};
use java::{Kind, StackOperation, rearrange};

/// Local variables by kind.
const INTS: [u8; 3] = [0, 4, 5];
const LONGS: [u8; 2] = [1, 6];
const REFERENCES: [u8; 2] = [3, 8];
/// Local variables for values of any kind within a block. The second one may be overwritten by a long in the first one.
const SCRATCH: [u8; 2] = [9, 10];
/// The local variable for return addresses of subroutines that call no others.
const ADDRESS: u8 = 20;

const SHAPES: [&[Kind]; 7] =
    [&[], &[Reference], &[Int], &[Long], &[Int, Long], &[Reference, Int], &[Long, Int, Reference]];

const OPERATIONS: [(u8, StackOperation); 9] = [
    (87, StackOperation::Pop),
    (88, StackOperation::Pop2),
    (89, StackOperation::Dup),
    (90, StackOperation::DupX1),
    (91, StackOperation::DupX2),
    (92, StackOperation::Dup2),
    (93, StackOperation::Dup2X1),
    (94, StackOperation::Dup2X2),
    (95, StackOperation::Swap),
];

struct Generator<'r> {
    random: &'r mut fastrand::Rng,
    code: Assembler,
    stack: Vec<Kind>,
    /// The blocks with their initial stacks.
    blocks: Vec<(Label, &'static [Kind])>,
    subroutines: Vec<Label>,
    /// The intended size of the code in bytes.
    most: usize,
    field: u16,
    method: u16,
}

/// A class with one method.
pub fn class(random: &mut fastrand::Rng) -> ClassBuilder {
    let mut class = ClassBuilder::new(b"Random", b"java/lang/Object");
    class.version = 48;
    let field = class.member(9, b"Random", b"field", b"I");
    let method = class.member(10, b"Random", b"call", b"(I)I");
    let catches = [CUSTOM, ARITHMETIC, NULL, THROWABLE].map(|name| class.class(name.as_bytes()));
    let mut code = Assembler::default();
    let count = random.usize(3..12);
    let blocks = (0..count).map(|block| (code.label(), if block == 1 { SHAPES[1] } else { SHAPES[random.usize(..7)] }));
    let blocks: Vec<_> = blocks.collect();
    let subroutines = (0..random.usize(..4)).map(|_| code.label()).collect();
    let most = 300 + random.usize(..400);
    let mut generator = Generator { random, code, stack: Vec::new(), blocks, subroutines, most, field, method };
    generator.all(&catches);
    let (bytes, handlers) = generator.code.finish();
    class.method_of(("run", "(IJLjava/lang/Object;)I", 9), &bytes, &handlers);
    class
}

impl Generator<'_> {
    fn all(&mut self, catches: &[u16]) {
        self.code.emit(&[3, 54, 4, 4, 54, 5, 9, 55, 6, 25, 3, 58, 8]);
        let first = self.random.usize(..self.blocks.len());
        self.goto(first);
        let mut places = Vec::new();
        let total = self.blocks.len() + self.subroutines.len();
        let mut order: Vec<usize> = (0..total).collect();
        self.random.shuffle(&mut order);
        for part in order {
            places.push(self.code.here());
            match part.checked_sub(self.blocks.len()) {
                None => self.block(part),
                Some(subroutine) => self.subroutine(subroutine),
            }
        }
        places.push(self.code.here());
        let targets: Vec<Label> =
            self.blocks.iter().filter(|block| block.1 == [Reference]).map(|block| block.0).collect();
        for _ in 0..self.random.usize(..5) {
            let start = self.random.usize(..places.len() - 1);
            let end = self.random.usize(start + 1..places.len());
            let target = targets[self.random.usize(..targets.len())];
            let class = if self.random.bool() { 0 } else { catches[self.random.usize(..catches.len())] };
            self.code.handler(places[start], places[end], target, class);
        }
    }

    fn block(&mut self, number: usize) {
        let (label, shape) = self.blocks[number];
        self.code.place(label);
        self.stack = shape.to_vec();
        for _ in 0..self.random.usize(1..4) {
            self.some_operations();
            match self.random.u8(..6) {
                0..=2 => self.branch_somewhere(),
                3 if !self.subroutines.is_empty() => {
                    let subroutine = self.random.usize(..self.subroutines.len());
                    self.call(subroutine);
                }
                _ => {}
            }
        }
        self.some_operations();
        match self.random.u8(..10) {
            0..=4 => {
                let target = self.random.usize(..self.blocks.len());
                self.goto(target);
            }
            5 => self.switch(),
            6 => {
                self.push(Reference);
                self.code.emit(&[191]);
            }
            _ => {
                self.push(Int);
                self.code.emit(&[172]);
            }
        }
    }

    /// Generates a subroutine. It may call subroutines with higher numbers, and may be left without a `ret`.
    fn subroutine(&mut self, number: usize) {
        self.code.place(self.subroutines[number]);
        let calls = number + 1 < self.subroutines.len() && self.random.bool();
        let local = if calls { ADDRESS + 1 + u8::try_from(number).expect("the number is small") } else { ADDRESS };
        match self.random.bool() {
            true => self.code.emit(&[58, local]),
            false => self.code.emit(&[3, 95, 58, local, 87]),
        }
        self.stack.clear();
        self.some_operations();
        let after = self.code.label();
        if self.random.bool() {
            self.adjust(&[]);
            self.push(Int);
            self.code.jump(153, after);
            self.stack.pop();
            self.some_operations();
        }
        if calls {
            let other = self.random.usize(number + 1..self.subroutines.len());
            self.call(other);
        }
        if self.random.u8(..3) == 0 {
            self.branch_somewhere();
        }
        self.adjust(&[]);
        self.code.place(after);
        self.some_operations();
        self.adjust(&[]);
        self.code.emit(&[169, local]);
    }

    fn call(&mut self, subroutine: usize) {
        self.adjust(&[]);
        self.code.jump(168, self.subroutines[subroutine]);
    }

    /// Adjusts the stack for a block and jumps there.
    fn goto(&mut self, target: usize) {
        let (label, shape) = self.blocks[target];
        self.adjust(shape);
        self.code.jump(167, label);
    }

    fn branch_somewhere(&mut self) {
        let (label, shape) = self.blocks[self.random.usize(..self.blocks.len())];
        self.adjust(shape);
        let opcode = [self.random.u8(153..=166), self.random.u8(198..=199)][self.random.usize(..2)];
        match opcode {
            153..=158 => self.push(Int),
            159..=164 => [Int, Int].into_iter().for_each(|kind| self.push(kind)),
            165..=166 => [Reference, Reference].into_iter().for_each(|kind| self.push(kind)),
            _ => self.push(Reference),
        }
        self.code.jump(opcode, label);
        self.stack = shape.to_vec();
    }

    fn switch(&mut self) {
        let shape = self.blocks[self.random.usize(..self.blocks.len())].1;
        self.adjust(shape);
        let same: Vec<Label> = self.blocks.iter().filter(|block| block.1 == shape).map(|block| block.0).collect();
        self.push(Int);
        let target = |random: &mut fastrand::Rng| same[random.usize(..same.len())];
        let cases: Vec<_> = (0..self.random.i32(..4)).map(|value| (value - 1, target(self.random))).collect();
        let default = target(self.random);
        self.code.switch(&cases, default);
    }

    /// Pops and pushes until the stack has a shape.
    fn adjust(&mut self, shape: &[Kind]) {
        while !shape.starts_with(&self.stack) {
            let kind = self.stack.pop().expect("the empty stack begins every other");
            self.code.emit(&[if kind == Long { 88 } else { 87 }]);
        }
        for kind in &shape[self.stack.len()..] {
            self.push(*kind);
        }
    }

    /// Pushes a constant or a local variable.
    fn push(&mut self, kind: Kind) {
        let is_constant = self.random.u8(..3) == 0;
        let random = &mut *self.random;
        let local = |random: &mut fastrand::Rng, locals: &[u8]| locals[random.usize(..locals.len())];
        match kind {
            Int if is_constant => self.code.emit(&[random.u8(2..9)]),
            Int => self.code.emit(&[21, local(random, &INTS)]),
            Long if is_constant => self.code.emit(&[random.u8(9..11)]),
            Long => self.code.emit(&[22, local(random, &LONGS)]),
            _ if is_constant => self.code.emit(&[1]),
            _ => self.code.emit(&[25, local(random, &REFERENCES)]),
        }
        self.stack.push(kind);
    }

    fn some_operations(&mut self) {
        for _ in 0..self.random.usize(..6) {
            // Offsets of two bytes must still reach every block.
            if self.code.len() > self.most * 3 {
                return;
            }
            self.operation();
        }
    }

    fn operation(&mut self) {
        match self.random.u8(..12) {
            0 if self.stack.len() < 5 => {
                let kind = [Int, Long, Reference][self.random.usize(..3)];
                self.push(kind);
            }
            1..=2 => self.store(),
            3 => {
                let local = INTS[self.random.usize(..3)];
                let by = self.random.u8(..);
                self.code.emit(&[132, local, by]);
            }
            4..=5 => self.rearrange(),
            6 => self.scratch(),
            7 => self.outside(),
            _ => self.compute(),
        }
    }

    fn store(&mut self) {
        let locals: (u8, &[u8]) = match self.stack.pop() {
            None => return,
            Some(Int) => (54, &INTS),
            Some(Long) => (55, &LONGS),
            Some(_) => (58, &REFERENCES),
        };
        let local = locals.1[self.random.usize(..locals.1.len())];
        self.code.emit(&[locals.0, local]);
    }

    fn rearrange(&mut self) {
        let (opcode, operation) = OPERATIONS[self.random.usize(..9)];
        let Some(found) = rearrange(operation, self.stack.iter().rev().copied()) else { return };
        if self.stack.len() + found.pushes.len() > 10 {
            return;
        }
        self.code.emit(&[opcode]);
        let below = self.stack.len() - found.takes;
        let taken = self.stack.split_off(below);
        self.stack.extend(found.pushes.iter().map(|value| taken[found.takes - 1 - value]));
    }

    /// Stores a value in a local variable that may hold another kind, and loads it again.
    fn scratch(&mut self) {
        let local = SCRATCH[self.random.usize(..2)];
        match self.stack.last() {
            None => {}
            Some(Int) => self.code.emit(&[54, local, 21, local]),
            Some(Long) => self.code.emit(&[55, local, 22, local]),
            Some(_) => self.code.emit(&[58, local, 25, local]),
        }
    }

    /// Reads or writes a static field, or calls a method.
    fn outside(&mut self) {
        if self.stack.last() != Some(&Int) {
            self.code.with(178, self.field);
            self.stack.push(Int);
        } else if self.random.u8(..3) > 0 {
            self.code.with(184, self.method);
        } else {
            self.code.with(179, self.field);
            self.stack.pop();
        }
    }

    /// Generates an operation on the numbers on the stack, if there are any.
    fn compute(&mut self) {
        let pair = self.stack.len().checked_sub(2).map(|place| [self.stack[place], self.stack[place + 1]]);
        let is_pair = self.random.u8(..4) > 0;
        match (pair, self.stack.last()) {
            (Some([Int, Int]), _) if is_pair => {
                self.binary(&[96, 100, 104, 108, 112, 120, 122, 124, 126, 128, 130], Int)
            }
            (Some([Long, Long]), _) if is_pair && self.random.u8(..4) == 0 => self.binary(&[148], Int),
            (Some([Long, Long]), _) if is_pair => self.binary(&[97, 101, 105, 109, 113, 127, 129, 131], Long),
            (Some([Long, Int]), _) if is_pair => self.binary(&[121, 123, 125], Long),
            (_, Some(Int)) => self.unary(&[(116, Int), (133, Long), (145, Int), (146, Int), (147, Int)]),
            (_, Some(Long)) => self.unary(&[(117, Long), (136, Int)]),
            _ => self.push(Int),
        }
    }

    fn binary(&mut self, opcodes: &[u8], result: Kind) {
        self.code.emit(&[opcodes[self.random.usize(..opcodes.len())]]);
        self.stack.truncate(self.stack.len() - 2);
        self.stack.push(result);
    }

    fn unary(&mut self, choices: &[(u8, Kind)]) {
        let (opcode, result) = choices[self.random.usize(..choices.len())];
        self.code.emit(&[opcode]);
        self.stack.pop();
        self.stack.push(result);
    }
}
