//! References to methods without given code, as methods of their own.
//!
//! `list::add` makes an object whose method runs `List.add`. A lambda, `x -> list.add(x)`, does the same by a method of
//! the class that its author wrote; a reference has none. **Definition.** For each call site that makes an object of an
//! interface, and whose implementation has no code in the program (a method of the library, or an abstract one), the
//! class gets a *reference method*: static, with the parameters of the implementation, the receiver first, which calls
//! the implementation and gives what that gives. The site has this method as its implementation then.
//!
//! **Invariant.** The object does what it did before: the values that are captured and the parameters, in this order,
//! are those of the implementation. So whoever follows given methods follows references, too, and nobody has to know
//! what a reference to a method of the library does.
//!
//! A reference method is found by its name like others. It is not among the [methods](crate::Class::methods) of its
//! class, which are those of the class file.

use super::class_table::Program;
use crate::bytecode::{CallSiteAction, CallSiteId, Instruction};
use crate::class_file::{ClassId, Flags, Full, Handle, HandleKind, Member, Method, MethodCode, MethodId, Reference};
use std::collections::hash_map::Entry;

/// Why not all references have got a method.
pub(crate) enum Incomplete {
    /// No more names fit.
    Full,
    /// The caller said so.
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
    /// Gives references their methods. Linear in the code of the classes that have such references.
    ///
    /// # Errors
    /// If it is cancelled, or no more names fit.
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

    /// The call sites of a class whose implementations have no code. Damaged code has none.
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
            // The virtual machine makes no object of a method of more slots than there are, or of no type.
            return Ok(());
        }
        let called = if called == "<init>" { "new" } else { &called };
        let id = MethodId::new(self.methods.len());
        let mut number = self.references.len();
        let name = loop {
            let name = self.names.add(&format!("reference${called}${number}"))?;
            // Each round that goes on is for another method of the class file.
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
