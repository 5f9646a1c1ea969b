//! Generated methods for references to methods without code.
//!
//! The method reference `list::add` creates an object whose method calls `List.add`. The lambda `x -> list.add(x)` does
//! the same through a synthetic method of the class; a method reference has no such method.
//!
//! **Definition.** A *reference method* is generated for each call site that creates an object of a functional
//! interface and whose implementation has no code in the program, because it is a library method or abstract. It is
//! static, takes the receiver and the parameters of the implementation, calls the implementation and returns its
//! result. It becomes the implementation of the call site.
//!
//! **Invariant.** The behaviour of the object is unchanged: the captured values and the parameters, in this order, are
//! passed to the implementation. An analysis that handles methods with code therefore handles method references as well
//! and needs no special case for references to library methods.
//!
//! A reference method can be looked up by name like other methods. It is not among the [methods](crate::Class::methods)
//! of its class, which are those of the class file.

use super::class_table::Program;
use crate::bytecode::{CallSiteAction, CallSiteId, Instruction};
use crate::class_file::{ClassId, Flags, Full, Handle, HandleKind, Member, Method, MethodCode, MethodId, Reference};
use std::collections::hash_map::Entry;

/// A failure to generate all reference methods.
pub(crate) enum Incomplete {
    /// The table of names is full.
    Full,
    /// The caller cancelled.
    Cancelled,
}

impl From<Full> for Incomplete {
    fn from(_: Full) -> Self {
        Self::Full
    }
}

/// A call site whose implementation has no code.
struct Site {
    method: MethodId,
    site: CallSiteId,
    reference: Reference,
}

impl Program {
    /// Generates the reference methods. Linear in the code of the classes that have such references.
    ///
    /// # Errors
    /// If it is cancelled, or the table of names is full.
    pub(crate) fn add_reference_methods(&mut self, is_cancelled: &dyn Fn() -> bool) -> Result<(), Incomplete> {
        for index in 0..self.classes.len() {
            if is_cancelled() {
                return Err(Incomplete::Cancelled);
            }
            let class = ClassId::new(index);
            for site in self.sites(class) {
                self.add_reference_method(class, site)?;
            }
        }
        Ok(())
    }

    /// The call sites of a class whose implementations have no code. Damaged code is ignored.
    fn sites(&self, class: ClassId) -> Vec<Site> {
        let declared = self.class(class);
        let mut handles = declared.bootstraps.iter().flat_map(|bootstrap| {
            let arguments = bootstrap.arguments.iter();
            arguments.filter_map(|argument| declared.pool.handle(*argument).ok())
        });
        if !handles.any(|handle| self.has_no_code(handle)) {
            return Vec::new();
        }
        let mut found = Vec::new();
        for method in declared.methods() {
            let Ok(Some(code)) = self.code(method) else { continue };
            for (at, instruction) in code.instructions() {
                let Instruction::InvokeDynamic(site) = instruction else { continue };
                let CallSiteAction::Lambda { implementation, .. } = code.call_site(site).action else { continue };
                if self.has_no_code(implementation) {
                    let line = code.line(at).unwrap_or(0);
                    found.push(Site { method, site, reference: Reference { handle: implementation, line } });
                }
            }
        }
        found
    }

    fn has_no_code(&self, handle: Handle) -> bool {
        match handle.kind {
            HandleKind::GetField | HandleKind::GetStatic | HandleKind::PutField | HandleKind::PutStatic => false,
            HandleKind::InvokeVirtual
            | HandleKind::InvokeStatic
            | HandleKind::InvokeSpecial
            | HandleKind::NewInvokeSpecial
            | HandleKind::InvokeInterface => {
                let found = self.resolve_method(handle.member).found();
                !found.is_some_and(|method| self.method(method).has_code())
            }
        }
    }

    fn add_reference_method(&mut self, class: ClassId, site: Site) -> Result<(), Incomplete> {
        const PRIVATE_STATIC_SYNTHETIC: u16 = 0x0002 | 0x0008 | 0x1000;
        let handle = site.reference.handle;
        let [of, called, descriptor] =
            [handle.member.class, handle.member.name, handle.member.descriptor].map(|name| self.text(name).to_string());
        let receiver = match (handle.kind, of.starts_with('[')) {
            (HandleKind::InvokeStatic | HandleKind::NewInvokeSpecial, _) => String::new(),
            (_, true) => of.clone(),
            (_, false) => format!("L{of};"),
        };
        let Some((parameters, result)) = descriptor.strip_prefix('(').and_then(|rest| rest.split_once(')')) else {
            return Ok(());
        };
        let result = match handle.kind {
            HandleKind::NewInvokeSpecial => format!("L{of};"),
            _ => result.to_string(),
        };
        let descriptor = self.names.add(&format!("({receiver}{parameters}){result}"))?;
        self.types.add_method(descriptor, &mut self.names)?;
        if self.types.method(descriptor).is_none() {
            // The virtual machine rejects an implementation with too many slots or an invalid descriptor.
            return Ok(());
        }
        let called = if called == "<init>" { "new" } else { &called };
        let id = MethodId::new(self.methods.len());
        let mut number = self.references.len();
        let name = loop {
            let name = self.names.add(&format!("reference${called}${number}"))?;
            // Terminates because each further iteration is due to another method of the class file.
            match self.methods_by_name.entry((class, name, descriptor)) {
                Entry::Vacant(entry) => {
                    entry.insert(id);
                    break name;
                }
                Entry::Occupied(_) => number += 1,
            }
        };
        self.methods.push(Method {
            class,
            name,
            descriptor,
            flags: Flags(PRIVATE_STATIC_SYNTHETIC),
            annotations: Box::default(),
            code: Some(Box::new(MethodCode::Reference(site.reference))),
        });
        let member = Member { class: self.class(class).name, name, descriptor };
        self.references.insert((site.method, site.site), Handle { kind: HandleKind::InvokeStatic, member });
        Ok(())
    }
}
