//! The code of methods, decoded on demand, and its operand stacks.

use super::class_table::Program;
use crate::bytecode::{
    CallSiteAction, CallSiteId, Code, Effect, Instruction, InstructionIndex, StackError, Stacks, decode, effect,
    reference_code, stack_map_frames,
};
use crate::class_file::{ClassId, CodeError, HandleKind, Kind, Malformed, MethodCode, MethodId, Problem};

impl Program {
    /// Decodes the code of a method; returns none if the method is abstract or native. Linear in the length of the
    /// code.
    ///
    /// # Errors
    /// If the code is damaged, or refers to a damaged constant pool entry.
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

    /// The values that an instruction of a method pops from the operand stack and pushes; none for a
    /// [`StackOperation`](crate::StackOperation), see [`rearrange`](crate::rearrange).
    pub fn effect(&self, code: &Code, instruction: Instruction) -> Option<Effect> {
        effect(code, &self.types, instruction)
    }

    /// Computes the operand stack before each instruction of a method.
    ///
    /// # Errors
    /// If the use of the stack is inconsistent, so that no Java virtual machine accepts the code.
    pub fn stacks(&self, code: &Code) -> Result<Stacks, StackError> {
        Stacks::new(code, &self.types)
    }

    /// The operand stacks that the compiler declares for joins (`StackMapTable`), the lowest value first; empty for
    /// classes before version 50.
    ///
    /// # Errors
    /// If the attribute is damaged, or has an offset at which no instruction begins.
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

    /// The classes that code of the program instantiates, with `new` or a constructor reference, without arrays and the
    /// classes of lambdas. Damaged code is ignored. Decodes all code: linear in the size of the program.
    pub fn instantiated(&self) -> Vec<ClassId> {
        let mut is_instantiated = vec![false; self.classes.len()];
        for (id, _) in self.methods() {
            let Ok(Some(code)) = self.code(id) else { continue };
            for (_, instruction) in code.instructions() {
                let class = match instruction {
                    Instruction::New(class) => Some(class),
                    Instruction::InvokeDynamic(site) => match code.call_site(site).action {
                        CallSiteAction::Lambda { implementation, .. } => {
                            let is_constructor = implementation.kind == HandleKind::NewInvokeSpecial;
                            is_constructor.then_some(implementation.member.class)
                        }
                        _ => None,
                    },
                    _ => None,
                };
                if let Some(class) = class.and_then(|class| self.named(class)) {
                    is_instantiated[class.index()] = true;
                }
            }
        }
        is_instantiated
            .iter()
            .enumerate()
            .filter(|(_, is_instantiated)| **is_instantiated)
            .map(|(index, _)| ClassId::new(index))
            .collect()
    }
}
