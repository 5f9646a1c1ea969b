//! The program of instructions of a model, as the page on certificates defines it.
//!
//! The numbers of instructions stand in certificates, so they are part of the format. Bodies are in the order of the
//! text: functions and processes together.

use crate::instructions::{Body, BodyId, Instances, find_open};
use crate::lowering::lower;
use crate::names::Names;
use crate::unproved::Unproved;
use eml::syntax::ast::{Block, ItemKind, Multiplicity, Program};

/// The most instructions of a model, as in the checker.
const MOST_INSTRUCTIONS: usize = 1 << 22;

/// The most entries of all open lists together.
const MOST_OPEN: usize = 1 << 24;

/// All bodies of a model, and its names.
#[derive(Clone, Debug, Default)]
pub(crate) struct Code {
    pub(crate) bodies: Vec<Body>,
    pub(crate) names: Names,
}

impl Code {
    /// Lowers a program that has passed all checks of the language. Linear in the text, times the depth of blocks for
    /// jumps that leave them.
    ///
    /// # Errors
    /// If the program is too large, or if a name is not declared, which a checked program never has.
    pub(crate) fn new(program: &Program) -> Result<Self, Unproved> {
        let mut code = Self::default();
        let mut blocks: Vec<&Block> = Vec::new();
        for item in &program.items {
            let names = &mut code.names;
            match &item.kind {
                ItemKind::Locks(all) => all.iter().for_each(|name| names.add_lock(&name.text, false)),
                ItemKind::RwLocks(all) => all.iter().for_each(|name| names.add_lock(&name.text, true)),
                ItemKind::Shared(all) => all.iter().for_each(|name| names.add_location(&name.text)),
                ItemKind::Overlap(_) | ItemKind::AtomicSet { .. } => {}
                ItemKind::Function { name, body } => {
                    let id = code.add_body(&name.text, Instances::None);
                    code.names.add_function(&name.text, id);
                    blocks.push(body);
                }
                ItemKind::Process { name, multiplicity, body } => {
                    let instances = match multiplicity {
                        Multiplicity::Single => Instances::AtMost(1),
                        Multiplicity::Times(number) => Instances::AtMost(*number),
                        Multiplicity::Many => Instances::Any,
                    };
                    let id = code.add_body(&name.text, instances);
                    code.names.add_process(&name.text, id);
                    blocks.push(body);
                }
            }
        }
        let (mut instructions_left, mut open_left) = (MOST_INSTRUCTIONS, MOST_OPEN);
        for (number, block) in blocks.into_iter().enumerate() {
            let mut instructions = lower(&code.names, block, instructions_left)?;
            instructions_left -= instructions.len();
            find_open(&mut instructions, &mut open_left).ok_or(Unproved::Large)?;
            code.bodies[number].instructions = instructions;
        }
        Ok(code)
    }

    fn add_body(&mut self, name: &str, instances: Instances) -> BodyId {
        let id = BodyId(u32::try_from(self.bodies.len()).expect("a text has fewer than 2^32 bodies"));
        self.bodies.push(Body { name: name.to_string(), instances, instructions: Vec::new() });
        id
    }

    pub(crate) fn body(&self, id: BodyId) -> &Body {
        &self.bodies[id.0 as usize]
    }

    /// All bodies.
    pub(crate) fn ids(&self) -> impl Iterator<Item = BodyId> + use<> {
        (0..self.bodies.len()).map(|number| BodyId(number as u32))
    }
}
