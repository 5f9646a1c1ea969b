//! Builders of class files and archives.

use std::io::Write;

/// A builder of a class file.
#[derive(Clone, Default)]
pub struct ClassBuilder {
    pool: Vec<Vec<u8>>,
    /// The number of used indices of the pool.
    taken: u16,
    pub version: u16,
    pub flags: u16,
    this: u16,
    superclass: u16,
    interfaces: Vec<u16>,
    methods: Vec<Vec<u8>>,
}

impl ClassBuilder {
    /// A public class with a name and a superclass, in modified UTF-8.
    pub fn new(name: &[u8], superclass: &[u8]) -> Self {
        let mut builder = Self { version: 52, flags: 0x21, ..Self::default() };
        builder.this = builder.class(name);
        builder.superclass = if superclass.is_empty() { 0 } else { builder.class(superclass) };
        builder
    }

    /// Adds an entry to the pool.
    pub fn entry(&mut self, bytes: &[u8]) -> u16 {
        self.pool.push(bytes.to_vec());
        self.taken += 1;
        self.taken
    }

    /// Uses one more index, as a long or double does.
    pub fn entry_taken(&mut self) {
        self.taken += 1;
    }

    pub fn text(&mut self, text: &[u8]) -> u16 {
        let length = u16::try_from(text.len()).expect("a text has at most 65,535 bytes");
        self.entry(&[&[1], &length.to_be_bytes()[..], text].concat())
    }

    pub fn class(&mut self, name: &[u8]) -> u16 {
        let name = self.text(name);
        self.entry(&[&[7], &name.to_be_bytes()[..]].concat())
    }

    pub fn interface(&mut self, name: &[u8]) {
        let class = self.class(name);
        self.interfaces.push(class);
    }

    /// Adds a static method `()V` with this code and these handlers (start, end, target).
    pub fn method(&mut self, name: &str, code: &[u8], handlers: &[[u16; 3]]) {
        let handlers: Vec<_> = handlers.iter().map(|[start, end, target]| [*start, *end, *target, 0]).collect();
        self.method_of((name, "()V", 9), code, &handlers);
    }

    /// Adds a method with a name, a descriptor and flags, with this code and these handlers (start, end, target,
    /// class).
    pub fn method_of(&mut self, (name, descriptor, flags): (&str, &str, u16), code: &[u8], handlers: &[[u16; 4]]) {
        let names = [name.as_bytes(), descriptor.as_bytes(), b"Code"].map(|text| self.text(text));
        let mut attribute = vec![0, 200, 0, 200];
        let size = |length: usize| u32::try_from(length).expect("the part is short").to_be_bytes();
        attribute.extend(size(code.len()));
        attribute.extend_from_slice(code);
        attribute.extend(u16::try_from(handlers.len()).expect("there are few handlers").to_be_bytes());
        attribute.extend(handlers.iter().flatten().flat_map(|bound| bound.to_be_bytes()));
        attribute.extend([0, 0]);
        let mut method = flags.to_be_bytes().to_vec();
        method.extend(names[..2].iter().flat_map(|name| name.to_be_bytes()));
        method.extend([0, 1]);
        method.extend(names[2].to_be_bytes());
        method.extend(size(attribute.len()));
        method.extend(attribute);
        self.methods.push(method);
    }

    /// Adds a field (tag 9), a method (10) or an interface method (11) to the pool.
    pub fn member(&mut self, tag: u8, class: &[u8], name: &[u8], descriptor: &[u8]) -> u16 {
        let class = self.class(class);
        let names = [name, descriptor].map(|text| self.text(text).to_be_bytes()).concat();
        let name_and_type = self.entry(&[&[12], &names[..]].concat());
        self.entry(&[&[tag], &class.to_be_bytes()[..], &name_and_type.to_be_bytes()].concat())
    }

    pub fn build(&self) -> Vec<u8> {
        let mut bytes = vec![0xCA, 0xFE, 0xBA, 0xBE, 0, 0];
        let mut number = |number: u16| bytes.extend(number.to_be_bytes());
        number(self.version);
        number(self.taken + 1);
        bytes.extend(self.pool.concat());
        let mut number =
            |number: usize| bytes.extend(u16::try_from(number).expect("the number is small").to_be_bytes());
        for part in [self.flags, self.this, self.superclass] {
            number(part.into());
        }
        number(self.interfaces.len());
        for interface in &self.interfaces {
            number((*interface).into());
        }
        number(0);
        number(self.methods.len());
        bytes.extend(self.methods.concat());
        bytes.extend([0, 0]);
        bytes
    }
}

/// An archive with these entries.
pub fn archive(entries: &[(&str, &[u8])]) -> Vec<u8> {
    let mut writer = zip::ZipWriter::new(std::io::Cursor::new(Vec::new()));
    let options = zip::write::SimpleFileOptions::default();
    for (name, bytes) in entries {
        writer.start_file(*name, options).expect("an entry can be begun");
        writer.write_all(bytes).expect("an entry can be written");
    }
    writer.finish().expect("an archive can be finished").into_inner()
}
