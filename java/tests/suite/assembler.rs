//! An assembler of bytecode, with labels.

use crate::builder::ClassBuilder;
use crate::temporary::Folder;
use java::{Limits, MethodId, Program};

/// A place in code.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Label(usize);

/// The code under construction.
#[derive(Default)]
pub struct Assembler {
    bytes: Vec<u8>,
    /// The byte of each label, once it is placed.
    labels: Vec<Option<usize>>,
    /// Unresolved branch offsets: the byte of the offset, the byte of the instruction, the target, and the size in
    /// bytes, 2 or 4.
    offsets: Vec<(usize, usize, Label, usize)>,
    handlers: Vec<([Label; 3], u16)>,
}

impl Assembler {
    pub fn label(&mut self) -> Label {
        self.labels.push(None);
        Label(self.labels.len() - 1)
    }

    pub fn place(&mut self, label: Label) {
        self.labels[label.0] = Some(self.bytes.len());
    }

    /// Places a new label here.
    pub fn here(&mut self) -> Label {
        let label = self.label();
        self.place(label);
        label
    }

    pub fn emit(&mut self, bytes: &[u8]) {
        self.bytes.extend_from_slice(bytes);
    }

    /// Emits bytes with a label before them.
    pub fn here_after(&mut self, bytes: &[u8]) -> Label {
        let label = self.here();
        self.emit(bytes);
        label
    }

    /// Emits a conditional branch (`ifeq`) over a jump to a label that may be far away.
    pub fn jump_far(&mut self, to: Label) {
        let next = self.label();
        self.jump(153, next);
        let at = self.bytes.len();
        self.emit(&[200]);
        self.far(at, to);
        self.place(next);
    }

    /// Emits an opcode with an index of the constant pool.
    pub fn with(&mut self, opcode: u8, index: u16) {
        self.emit(&[opcode]);
        self.emit(&index.to_be_bytes());
    }

    /// Emits a branch with an offset of two bytes.
    pub fn jump(&mut self, opcode: u8, to: Label) {
        let at = self.bytes.len();
        self.offsets.push((at + 1, at, to, 2));
        self.emit(&[opcode, 0, 0]);
    }

    /// Emits a `lookupswitch`.
    pub fn switch(&mut self, cases: &[(i32, Label)], default: Label) {
        let at = self.bytes.len();
        self.emit(&[171]);
        while !self.bytes.len().is_multiple_of(4) {
            self.emit(&[0]);
        }
        self.far(at, default);
        self.emit(&u32::try_from(cases.len()).expect("the number is small").to_be_bytes());
        for (value, label) in cases {
            self.emit(&value.to_be_bytes());
            self.far(at, *label);
        }
    }

    fn far(&mut self, at: usize, to: Label) {
        self.offsets.push((self.bytes.len(), at, to, 4));
        self.emit(&[0; 4]);
    }

    /// Adds a handler for the code between two labels. `catches` is the index of a class, or 0 for all exceptions.
    pub fn handler(&mut self, start: Label, end: Label, target: Label, catches: u16) {
        self.handlers.push(([start, end, target], catches));
    }

    pub fn len(&self) -> usize {
        self.bytes.len()
    }

    /// Resolves the labels. Returns the code and its handlers.
    pub fn finish(mut self) -> (Vec<u8>, Vec<[u16; 4]>) {
        let place = |label: Label| self.labels[label.0].expect("the label is placed");
        for (at, from, to, size) in &self.offsets {
            let offset =
                i32::try_from(place(*to)).expect("code is short") - i32::try_from(*from).expect("code is short");
            match size {
                2 => {
                    let offset = i16::try_from(offset).expect("the label is near");
                    self.bytes[*at..*at + 2].copy_from_slice(&offset.to_be_bytes());
                }
                _ => self.bytes[*at..*at + 4].copy_from_slice(&offset.to_be_bytes()),
            }
        }
        let short = |label: Label| u16::try_from(place(label)).expect("code is short");
        let handlers = self
            .handlers
            .iter()
            .map(|([start, end, target], catches)| [short(*start), short(*end), short(*target), *catches]);
        let handlers = handlers.collect();
        (self.bytes, handlers)
    }
}

/// Loads a program of one class. Returns it with its first method.
pub fn program_of(class: &ClassBuilder) -> (Program, MethodId) {
    let folder = Folder::new();
    let path = folder.write("a.class", &class.build());
    let (program, diagnostics) = Program::load(&[path], &[], &Limits::default());
    assert!(diagnostics.is_empty(), "{diagnostics:?}");
    let (method, _) = program.methods().next().expect("it has a method");
    (program, method)
}
