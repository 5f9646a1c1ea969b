//! A writer of class files: the constant pool, fields, methods, and code with labels and exception handlers.

use std::collections::HashMap;

/// A class file under construction.
#[derive(Debug, Default)]
pub struct ClassFile {
    pool: Vec<u8>,
    taken: u16,
    known: HashMap<Vec<u8>, u16>,
    fields: Vec<u8>,
    field_count: u16,
    methods: Vec<u8>,
    method_count: u16,
    bootstraps: Vec<u8>,
    bootstrap_count: u16,
}

fn short(length: usize) -> [u8; 2] {
    u16::try_from(length).expect("generated classes are small").to_be_bytes()
}

fn long(length: usize) -> [u8; 4] {
    u32::try_from(length).expect("generated classes are small").to_be_bytes()
}

impl ClassFile {
    fn entry(&mut self, tag: u8, content: &[u8]) -> u16 {
        let entry = [&[tag], content].concat();
        if let Some(known) = self.known.get(&entry) {
            return *known;
        }
        self.pool.extend(&entry);
        self.taken += 1;
        self.known.insert(entry, self.taken);
        self.taken
    }

    fn pair(&mut self, tag: u8, one: u16, other: u16) -> u16 {
        self.entry(tag, &[one.to_be_bytes(), other.to_be_bytes()].concat())
    }

    /// Adds a text to the constant pool and returns its index.
    pub fn text(&mut self, text: &str) -> u16 {
        self.entry(1, &[&short(text.len()), text.as_bytes()].concat())
    }

    /// Adds a class to the constant pool and returns its index.
    pub fn class(&mut self, name: &str) -> u16 {
        let name = self.text(name);
        self.entry(7, &name.to_be_bytes())
    }

    fn member(&mut self, tag: u8, class: &str, name: &str, descriptor: &str) -> u16 {
        let class = self.class(class);
        let (name, descriptor) = (self.text(name), self.text(descriptor));
        let both = self.pair(12, name, descriptor);
        self.pair(tag, class, both)
    }

    /// Adds a reference to a field to the constant pool and returns its index.
    pub fn field_reference(&mut self, class: &str, name: &str, descriptor: &str) -> u16 {
        self.member(9, class, name, descriptor)
    }

    /// Adds a reference to a method of a class to the constant pool and returns its index.
    pub fn method_reference(&mut self, class: &str, name: &str, descriptor: &str) -> u16 {
        self.member(10, class, name, descriptor)
    }

    /// Adds a reference to a method of an interface to the constant pool and returns its index.
    pub fn interface_method(&mut self, class: &str, name: &str, descriptor: &str) -> u16 {
        self.member(11, class, name, descriptor)
    }

    /// Adds a call site that makes a `Runnable` of a method of a class to the constant pool and returns its index.
    /// `taken` are the types of the captured values.
    pub fn runnable(&mut self, class: &str, method: &str, descriptor: &str, taken: &str, is_static: bool) -> u16 {
        let run_type = self.text("()V");
        let run_type = self.entry(16, &run_type.to_be_bytes());
        let implementation = self.method_reference(class, method, descriptor);
        let handle = |kind: u8, method: u16| [&[kind], &method.to_be_bytes()[..]].concat();
        let implementation = self.entry(15, &handle(if is_static { 6 } else { 7 }, implementation));
        let factory = self.method_reference(
            "java/lang/invoke/LambdaMetafactory",
            "metafactory",
            "(Ljava/lang/invoke/MethodHandles$Lookup;Ljava/lang/String;Ljava/lang/invoke/MethodType;Ljava/lang/invoke/MethodType;Ljava/lang/invoke/MethodHandle;Ljava/lang/invoke/MethodType;)Ljava/lang/invoke/CallSite;",
        );
        let factory = self.entry(15, &handle(6, factory));
        for part in [factory, 3, run_type, implementation, run_type] {
            self.bootstraps.extend(part.to_be_bytes());
        }
        let (name, descriptor) = (self.text("run"), self.text(&format!("({taken})Ljava/lang/Runnable;")));
        let both = self.pair(12, name, descriptor);
        self.bootstrap_count += 1;
        self.pair(18, self.bootstrap_count - 1, both)
    }

    /// Adds a field.
    pub fn field(&mut self, flags: u16, name: &str, descriptor: &str) {
        let (name, descriptor) = (self.text(name), self.text(descriptor));
        self.fields.extend([flags, name, descriptor, 0].map(u16::to_be_bytes).concat());
        self.field_count += 1;
    }

    /// Adds a method.
    pub fn method(&mut self, flags: u16, name: &str, descriptor: &str, code: &Assembler) {
        let content = code.content(self);
        let names = [name, descriptor, "Code"].map(|text| self.text(text));
        self.methods.extend([flags, names[0], names[1], 1, names[2]].map(u16::to_be_bytes).concat());
        self.methods.extend(long(content.len()));
        self.methods.extend(content);
        self.method_count += 1;
    }

    /// Returns the class file of a public class.
    pub fn build(self, name: &str, superclass: &str, interfaces: &[&str], source: &str) -> Vec<u8> {
        self.build_with(0x21, name, superclass, interfaces, source)
    }

    /// Returns the class file of a class or interface with these flags.
    pub fn build_with(
        mut self,
        flags: u16,
        name: &str,
        superclass: &str,
        interfaces: &[&str],
        source: &str,
    ) -> Vec<u8> {
        let (this, superclass) = (self.class(name), self.class(superclass));
        let interfaces: Vec<u16> = interfaces.iter().map(|interface| self.class(interface)).collect();
        let source_file = self.text("SourceFile");
        let source = self.text(source);
        let bootstrap_methods = self.text("BootstrapMethods");
        // Old classes are verified without stack maps, so a real machine can check the code.
        let version: u16 = if self.bootstrap_count == 0 { 49 } else { 52 };
        let mut bytes = vec![0xCA, 0xFE, 0xBA, 0xBE, 0, 0];
        bytes.extend(version.to_be_bytes());
        bytes.extend((self.taken + 1).to_be_bytes());
        bytes.extend(self.pool);
        bytes.extend([flags, this, superclass].map(u16::to_be_bytes).concat());
        bytes.extend(short(interfaces.len()));
        bytes.extend(interfaces.into_iter().flat_map(u16::to_be_bytes));
        bytes.extend(self.field_count.to_be_bytes());
        bytes.extend(self.fields);
        bytes.extend(self.method_count.to_be_bytes());
        bytes.extend(self.methods);
        bytes.extend(short(1 + usize::from(self.bootstrap_count > 0)));
        bytes.extend(source_file.to_be_bytes());
        bytes.extend(long(2));
        bytes.extend(source.to_be_bytes());
        if self.bootstrap_count > 0 {
            bytes.extend(bootstrap_methods.to_be_bytes());
            bytes.extend(long(self.bootstraps.len() + 2));
            bytes.extend(self.bootstrap_count.to_be_bytes());
            bytes.extend(self.bootstraps);
        }
        bytes
    }
}

/// A place in the code; it may come later.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Label(usize);

/// The code of a method under construction.
#[derive(Debug, Default)]
pub struct Assembler {
    code: Vec<u8>,
    labels: Vec<Option<usize>>,
    /// For each jump: the place and size in bytes of its distance, the instruction where it begins, and its target.
    jumps: Vec<(usize, usize, usize, Label)>,
    handlers: Vec<(Label, Label, Label, Option<&'static str>)>,
    /// Number of slots of local variables.
    slots: u16,
}

impl Assembler {
    /// Creates code with this number of slots of local variables.
    pub fn with_slots(slots: usize) -> Self {
        Self { slots: u16::try_from(slots).expect("methods have few variables"), ..Self::default() }
    }

    /// Returns a label without a place.
    pub fn label(&mut self) -> Label {
        self.labels.push(None);
        Label(self.labels.len() - 1)
    }

    /// Puts a label at the next instruction.
    pub fn place(&mut self, label: Label) {
        self.labels[label.0] = Some(self.code.len());
    }

    /// Returns a label at the next instruction.
    pub fn here(&mut self) -> Label {
        let label = self.label();
        self.place(label);
        label
    }

    /// Adds an instruction of one byte.
    pub fn op(&mut self, opcode: u8) {
        self.code.push(opcode);
    }

    /// Adds an instruction with an index into the constant pool.
    pub fn pool(&mut self, opcode: u8, index: u16) {
        self.code.push(opcode);
        self.code.extend(index.to_be_bytes());
    }

    /// Adds an instruction with an index into the constant pool and two more bytes.
    pub fn pool_and(&mut self, opcode: u8, index: u16, rest: [u8; 2]) {
        self.pool(opcode, index);
        self.code.extend(rest);
    }

    /// Adds an instruction with a local variable.
    pub fn local(&mut self, opcode: u8, slot: u16) {
        self.code.push(opcode);
        self.code.push(u8::try_from(slot).expect("methods have few variables"));
    }

    /// Adds an instruction that increments an int in a local variable.
    pub fn increment(&mut self, slot: u16) {
        self.local(132, slot);
        self.code.push(1);
    }

    /// Adds a branch.
    pub fn jump(&mut self, opcode: u8, label: Label) {
        let at = self.code.len();
        self.code.extend([opcode, 0, 0]);
        self.jumps.push((at + 1, 2, at, label));
    }

    /// Adds a `lookupswitch` with cases from 0 on.
    pub fn switch(&mut self, cases: &[Label], default: Label) {
        let at = self.code.len();
        self.code.push(171);
        while !self.code.len().is_multiple_of(4) {
            self.code.push(0);
        }
        self.jumps.push((self.code.len(), 4, at, default));
        self.code.extend([0; 4]);
        self.code.extend(long(cases.len()));
        for (number, label) in cases.iter().enumerate() {
            self.code.extend(long(number));
            self.jumps.push((self.code.len(), 4, at, *label));
            self.code.extend([0; 4]);
        }
    }

    /// Adds a handler at `target` for the exceptions of a class, or all, that are thrown between two labels. Earlier
    /// handlers come first.
    pub fn handler(&mut self, from: Label, to: Label, target: Label, catches: Option<&'static str>) {
        if self.labels[from.0] != self.labels[to.0] {
            self.handlers.push((from, to, target, catches));
        }
    }

    fn at(&self, label: Label) -> usize {
        self.labels[label.0].expect("every label has a place")
    }

    /// Returns the content of the attribute `Code`.
    fn content(&self, file: &mut ClassFile) -> Vec<u8> {
        let mut code = self.code.clone();
        for (place, size, from, to) in &self.jumps {
            let distance =
                i32::try_from(self.at(*to)).expect("it is small") - i32::try_from(*from).expect("it is small");
            let bytes = distance.to_be_bytes();
            code[*place..place + size].copy_from_slice(&bytes[4 - size..]);
        }
        let mut content = [short(30), self.slots.to_be_bytes()].concat();
        content.extend(long(code.len()));
        content.extend(code);
        content.extend(short(self.handlers.len()));
        for (from, to, target, catches) in &self.handlers {
            content.extend([*from, *to, *target].map(|label| short(self.at(label))).concat());
            content.extend(catches.map_or(0, |class| file.class(class)).to_be_bytes());
        }
        // No attributes.
        content.extend(short(0));
        content
    }
}
