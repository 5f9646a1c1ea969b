//! The code of methods, decoded on demand.

use super::class_table::Program;
use crate::bytecode::{
    CallSiteAction, CallSiteId, Code, Effect, Instruction, InstructionIndex, StackError, Stacks, decode, effect,
    reference_code, stack_map_frames,
};
use crate::class_file::{ClassId, CodeError, HandleKind, Kind, Malformed, MethodCode, MethodId, Problem};

impl Program {
    /// Decodes a method's code; none if it is abstract or native. Linear in the code's length.
    ///
    /// # Errors
    /// If the code is damaged, or refers to something damaged.
    pub fn code(&self, id: MethodId) -> Result<Option<Code>, CodeError> {
        let method = self.method(id);
        let decoded = match method.code.as_deref() {
            None => return Ok(None),
            Some(MethodCode::Read(raw)) => decode(raw, self.class(method.class), &self.names, &self.types),
            Some(MethodCode::Damaged(malformed)) => Err(malformed.clone()),
            Some(MethodCode::Reference(reference)) => {
                let of = self.method_type(method.descriptor).expect("a reference method has a type");
                return Ok(Some(reference_code(reference, of)));
            }
        };
        let mut code = decoded.map_err(|malformed| self.code_error(id, malformed))?;
        for (site, call_site) in (0..).map(CallSiteId).zip(&mut code.call_sites) {
            if let CallSiteAction::Lambda { implementation, .. } = &mut call_site.action
                && let Some(reference) = self.references.get(&(id, site))
            {
                *implementation = *reference;
            }
        }
        Ok(Some(code))
    }

    fn code_error(&self, id: MethodId, malformed: Malformed) -> CodeError {
        CodeError { method: self.method_name(id), malformed }
    }

    /// What an instruction of a method's code takes from the operand stack and what it pushes; none for a
    /// [`StackOperation`](crate::StackOperation), see [`rearrange`](crate::rearrange).
    pub fn effect(&self, code: &Code, instruction: Instruction) -> Option<Effect> {
        effect(code, &self.types, instruction)
    }

    /// What stands on the operand stack before each instruction of a method's code.
    ///
    /// # Errors
    /// If no Java virtual machine would accept the code.
    pub fn stacks(&self, code: &Code) -> Result<Stacks, StackError> {
        Stacks::new(code, &self.types)
    }

    /// What the compiler says of the operand stack where paths meet (`StackMapTable`), the lowest value first; nothing
    /// for classes before version 50.
    ///
    /// # Errors
    /// If the attribute is damaged, or names bytes at which no instruction begins.
    pub fn declared_stacks(&self, id: MethodId, code: &Code) -> Result<Vec<(InstructionIndex, Vec<Kind>)>, CodeError> {
        let method = self.method(id);
        let Some(MethodCode::Read(raw)) = method.code.as_deref() else { return Ok(Vec::new()) };
        let found = stack_map_frames(raw, self.class(method.class));
        let frames = found.map_err(|malformed| self.code_error(id, malformed))?;
        let at = |byte: usize| {
            let index = u16::try_from(byte).ok().and_then(|byte| code.bytes.binary_search(&byte).ok());
            let problem = Problem::Target(byte.try_into().unwrap_or(i64::MAX));
            index
                .map(|index| InstructionIndex(u16::try_from(index).expect("there are fewer instructions than bytes")))
                .ok_or_else(|| self.code_error(id, Malformed { offset: byte, problem }))
        };
        frames.into_iter().map(|(byte, stack)| Ok((at(byte)?, stack))).collect()
    }

    /// The classes of which some code of the program makes objects, with `new` or a reference to a constructor; arrays
    /// and objects of lambdas are not among them. Decodes all code: linear in the program. Damaged code makes nothing.
    pub fn instantiated(&self) -> Vec<ClassId> {
        let mut is_made = vec![false; self.classes.len()];
        for (id, _) in self.methods() {
            let Ok(Some(code)) = self.code(id) else { continue };
            for (_, instruction) in code.instructions() {
                let made = match instruction {
                    Instruction::New(class) => Some(class),
                    Instruction::InvokeDynamic(site) => match code.call_site(site).action {
                        CallSiteAction::Lambda { implementation, .. } => {
                            let makes = implementation.kind == HandleKind::NewInvokeSpecial;
                            makes.then_some(implementation.member.class)
                        }
                        _ => None,
                    },
                    _ => None,
                };
                if let Some(class) = made.and_then(|class| self.named(class)) {
                    is_made[class.index()] = true;
                }
            }
        }
        is_made.iter().enumerate().filter(|(_, is_made)| **is_made).map(|(index, _)| ClassId::new(index)).collect()
    }
}
