//! Class files that need more time, memory or stack than there is in some pass of a careless analysis: each is one idea
//! in one size.
//!
//! Most cannot be the output of a compiler, but any virtual machine would load them.

mod assembler;
mod calls;
mod control;
mod hierarchy;
mod state;
mod wrong;

use assembler::{Assembler, ClassFile};

/// The file of a class: its name below the folder of classes, and its bytes.
pub type File = (String, Vec<u8>);

/// Classes with the name of their idea.
#[derive(Clone, Debug)]
pub struct HostileClasses {
    /// The idea.
    pub name: &'static str,
    /// The files.
    pub files: Vec<File>,
}

type Idea = fn() -> Vec<File>;

/// The ideas by name.
const IDEAS: [(&str, Idea); 28] = [
    ("assignments", state::assignments),
    ("fields", state::fields),
    ("dimensions", state::dimensions),
    ("locals", state::locals),
    ("objects", state::objects),
    ("flags", state::flags),
    ("gotos", control::gotos),
    ("gotos-by-halves", control::gotos_by_halves),
    ("loops", control::loops),
    ("loops-with-many-heads", control::loops_with_many_heads),
    ("subroutines-deep", control::subroutines_deep),
    ("subroutines-doubling", control::subroutines_doubling),
    ("handlers", control::handlers),
    ("handlers-nested", control::handlers_nested),
    ("switch", control::switch),
    ("switches", control::switches),
    ("methods", calls::methods),
    ("chain", calls::chain),
    ("cycle", calls::cycle),
    ("doubling", calls::doubling),
    ("synchronized-calls", calls::synchronized_calls),
    ("monitors-nested", calls::monitors_nested),
    ("lambdas", calls::lambdas),
    ("inheritance", hierarchy::inheritance),
    ("diamonds", hierarchy::diamonds),
    ("overriders", hierarchy::overriders),
    ("circle", hierarchy::circle),
    ("wrong-calls", wrong::calls),
];

/// Iterates over all ideas.
pub fn all() -> impl Iterator<Item = HostileClasses> {
    IDEAS.iter().map(|(name, idea)| HostileClasses { name, files: idea() })
}

/// Returns the classes of one idea.
pub fn named(name: &str) -> Option<HostileClasses> {
    let (name, idea) = IDEAS.iter().find(|(idea, _)| *idea == name)?;
    Some(HostileClasses { name, files: idea() })
}

const PUBLIC: u16 = 0x01;
const STATIC: u16 = 0x08;
const SYNCHRONIZED: u16 = 0x20;
const OBJECT: &str = "java/lang/Object";

/// The opcodes in use.
mod opcode {
    pub(super) const CONST_NULL: u8 = 1;
    pub(super) const CONST_0: u8 = 3;
    pub(super) const CONST_1: u8 = 4;
    pub(super) const LOAD: u8 = 21;
    pub(super) const LOAD_THIS: u8 = 42;
    pub(super) const STORE: u8 = 54;
    pub(super) const STORE_OBJECT: u8 = 58;
    pub(super) const STORE_OBJECT_2: u8 = 77;
    pub(super) const POP: u8 = 87;
    pub(super) const DUP: u8 = 89;
    pub(super) const ADD: u8 = 96;
    pub(super) const IF_ZERO: u8 = 153;
    pub(super) const GOTO: u8 = 167;
    pub(super) const JSR: u8 = 168;
    pub(super) const RET: u8 = 169;
    pub(super) const RETURN: u8 = 177;
    pub(super) const GET_STATIC: u8 = 178;
    pub(super) const PUT_STATIC: u8 = 179;
    pub(super) const GET_FIELD: u8 = 180;
    pub(super) const PUT_FIELD: u8 = 181;
    pub(super) const INVOKE_VIRTUAL: u8 = 182;
    pub(super) const INVOKE_SPECIAL: u8 = 183;
    pub(super) const INVOKE_STATIC: u8 = 184;
    pub(super) const INVOKE_INTERFACE: u8 = 185;
    pub(super) const INVOKE_DYNAMIC: u8 = 186;
    pub(super) const NEW: u8 = 187;
    pub(super) const MONITOR_ENTER: u8 = 194;
    pub(super) const MONITOR_EXIT: u8 = 195;
    pub(super) const WIDE: u8 = 196;
    pub(super) const NEW_ARRAYS: u8 = 197;
}

/// A public class with one plain field `n`, a constructor, and a synchronized method that adds to the field.
struct Counter {
    name: &'static str,
    file: ClassFile,
}

impl Counter {
    fn new(name: &'static str) -> Self {
        let mut counter = Self { name, file: ClassFile::default() };
        counter.file.field(0, "n", "I");
        counter.constructor(OBJECT);
        let mut code = Assembler::with_slots(1);
        counter.add(&mut code);
        code.op(opcode::RETURN);
        counter.file.method(PUBLIC | SYNCHRONIZED, "add", "()V", &code);
        counter
    }

    fn constructor(&mut self, superclass: &str) {
        let mut code = Assembler::with_slots(1);
        let made = self.file.method_reference(superclass, "<init>", "()V");
        code.op(opcode::LOAD_THIS);
        code.pool(opcode::INVOKE_SPECIAL, made);
        code.op(opcode::RETURN);
        self.file.method(PUBLIC, "<init>", "()V", &code);
    }

    /// Adds `n++` without the lock.
    fn add(&mut self, code: &mut Assembler) {
        let field = self.file.field_reference(self.name, "n", "I");
        code.op(opcode::LOAD_THIS);
        code.op(opcode::DUP);
        code.pool(opcode::GET_FIELD, field);
        code.op(opcode::CONST_1);
        code.op(opcode::ADD);
        code.pool(opcode::PUT_FIELD, field);
    }

    /// Adds a public method without parameters.
    fn method(&mut self, name: &str, code: &Assembler) {
        self.file.method(PUBLIC, name, "()V", code);
    }

    fn build(self) -> File {
        let bytes = self.file.build(self.name, OBJECT, &[], "Hostile.java");
        (format!("{}.class", self.name), bytes)
    }
}

#[cfg(test)]
mod tests {
    use super::all;
    use asercheck::java::{Limits, Program};

    #[test]
    fn all_are_read_without_complaint() {
        let folder = std::env::temp_dir().join(format!("asercheck-hostile-{}", std::process::id()));
        for classes in all() {
            let own = folder.join(classes.name);
            std::fs::create_dir_all(&own).expect("a folder can be made");
            for (name, bytes) in &classes.files {
                std::fs::write(own.join(name), bytes).expect("a file can be written");
            }
            let (program, diagnostics) = Program::load(&[own], &[], &Limits::default());
            assert_eq!(program.classes().len(), classes.files.len(), "{}: {diagnostics:?}", classes.name);
            for (method, _) in program.methods() {
                assert!(program.code(method).is_ok(), "{}", program.method_name(method));
            }
        }
        // A leftover in the temporary folder is harmless.
        let _ = std::fs::remove_dir_all(&folder);
    }
}
