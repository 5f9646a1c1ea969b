//! All classes that were given.

use crate::call_site::CallSiteAction;
use crate::class::{Class, ClassId, Field, FieldId, Method, MethodCode, MethodId, OriginId};
use crate::code::Code;
use crate::constants::Handle;
use crate::decode;
use crate::descriptor::{Kind, MethodType, Type};
use crate::error::{CodeError, Malformed};
use crate::frames;
use crate::hierarchy::Hierarchy;
use crate::instruction::{CallSiteId, Instruction, InstructionIndex};
use crate::lookup::Targets;
use crate::names::{Name, Names};
use crate::references;
use crate::stack::{self, Effect, StackError, Stacks};
use crate::types::Types;
use rustc_hash::FxHashMap;
use std::sync::{Arc, OnceLock};

/// The classes of some files and archives, with their fields and methods.
///
/// It does not change once it is loaded, and any number of threads may read it. Names are interned, and code is kept as
/// it stands in the class files, without what only a debugger needs; [`code`](Self::code) decodes it.
///
/// # Examples
///
/// ```no_run
/// use java::{Limits, Program};
///
/// let (program, diagnostics) = Program::load(&["app.jar".into()], &[], &Limits::default());
/// for diagnostic in &diagnostics {
///     eprintln!("{diagnostic}");
/// }
/// for (id, class) in program.classes() {
///     for method in class.methods() {
///         if let Some(code) = program.code(method)? {
///             println!("{}: {} instructions", program.method_name(method), code.len());
///         }
///     }
///     assert_eq!(program.named(class.name), Some(id));
/// }
/// # Ok::<(), java::CodeError>(())
/// ```
#[derive(Debug, Default)]
pub struct Program {
    pub(crate) names: Names,
    pub(crate) types: Types,
    pub(crate) classes: Vec<Class>,
    pub(crate) fields: Vec<Field>,
    pub(crate) methods: Vec<Method>,
    pub(crate) origins: Vec<Origin>,
    pub(crate) by_name: FxHashMap<Name, ClassId>,
    pub(crate) hierarchy: Hierarchy,
    pub(crate) methods_by_name: FxHashMap<(ClassId, Name, Name), MethodId>,
    /// The implementations of call sites that are references to methods without given code.
    pub(crate) references: FxHashMap<(MethodId, CallSiteId), Handle>,
    pub(crate) fields_by_name: FxHashMap<(ClassId, Name, Name), FieldId>,
    /// What calls of methods can run, by the methods' numbers, each from when it is first asked for.
    pub(crate) overriders: Vec<OnceLock<Box<Targets>>>,
}

/// Where a class file was found.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Origin {
    /// The file on disk.
    pub file: Arc<std::path::Path>,
    /// The entry, if the file is an archive; for an archive in an archive, both entries with `!` between them.
    pub entry: Option<Box<str>>,
}

impl std::fmt::Display for Origin {
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(out, "{}", self.file.display().to_string().escape_debug())?;
        match &self.entry {
            Some(entry) => write!(out, "!{}", entry.escape_debug()),
            None => Ok(()),
        }
    }
}

impl Program {
    /// The text of a name.
    pub fn text(&self, name: Name) -> &str {
        self.names.text(name)
    }

    /// The name of a text, if anything of the program has it.
    pub fn name(&self, text: &str) -> Option<Name> {
        self.names.find(text)
    }

    /// All classes, in the order in which they were found.
    pub fn classes(&self) -> impl ExactSizeIterator<Item = (ClassId, &Class)> {
        self.classes.iter().enumerate().map(|(index, class)| (ClassId::new(index), class))
    }

    /// A class.
    pub fn class(&self, id: ClassId) -> &Class {
        &self.classes[id.index()]
    }

    /// Clients are meant to use a class, though the class around it may keep it for itself: it claims to be safe for
    /// threads, or the user asks for it. To the pointer analysis they can name it then, unless the language hides it.
    pub fn offer(&mut self, id: ClassId) {
        self.classes[id.index()].is_offered = true;
    }

    /// A field.
    pub fn field(&self, id: FieldId) -> &Field {
        &self.fields[id.index()]
    }

    /// A method.
    pub fn method(&self, id: MethodId) -> &Method {
        &self.methods[id.index()]
    }

    /// All methods of all classes.
    pub fn methods(&self) -> impl ExactSizeIterator<Item = (MethodId, &Method)> {
        self.methods.iter().enumerate().map(|(index, method)| (MethodId::new(index), method))
    }

    /// The class of this name, `java/util/Map$Entry`; none if it was not given.
    pub fn named(&self, name: Name) -> Option<ClassId> {
        self.by_name.get(&name).copied()
    }

    /// The class of this text: `java/util/Map$Entry` or `java.util.Map$Entry`.
    pub fn find(&self, name: &str) -> Option<ClassId> {
        self.named(self.names.find(&name.replace('.', "/"))?)
    }

    /// Where a class was found.
    pub fn origin(&self, id: OriginId) -> &Origin {
        &self.origins[id.index()]
    }

    /// The type of a field, or of an array class, by its descriptor; none if nothing of the program has such a
    /// descriptor, or if it is none.
    pub fn field_type(&self, descriptor: Name) -> Option<Type> {
        self.types.field(descriptor)
    }

    /// The types of a method by its descriptor; none as for [`field_type`](Self::field_type).
    pub fn method_type(&self, descriptor: Name) -> Option<&MethodType> {
        self.types.method(descriptor)
    }

    /// What a method of this descriptor gives; nothing if it is `void`.
    pub fn result_type(&self, descriptor: Name) -> Option<Type> {
        self.method_type(descriptor)?.result
    }

    /// Whether a method makes objects: a method of class files with the name `<init>`.
    pub fn is_constructor(&self, method: MethodId) -> bool {
        self.is_constructor_name(self.method(method).name)
    }

    /// Whether the library calls a method, though it be private, of an object that a client writes to a stream: see
    /// `java.io.Serializable`. What is called of an object that is read is called while it is made.
    pub fn is_called_to_serialize(&self, method: MethodId) -> bool {
        let method = self.method(method);
        let named = (self.text(method.name), self.text(method.descriptor));
        let is_one = named == ("writeObject", "(Ljava/io/ObjectOutputStream;)V")
            || named == ("writeReplace", "()Ljava/lang/Object;");
        is_one && !method.flags.is_static()
    }

    /// Whether a method of this name makes objects.
    pub fn is_constructor_name(&self, name: Name) -> bool {
        self.text(name) == "<init>"
    }

    /// A class as Java writes it: `java.util.Map$Entry`.
    pub fn class_name(&self, id: ClassId) -> String {
        self.text(self.class(id).name).replace('/', ".")
    }

    /// A method as `java.util.List.add(ILjava/lang/Object;)V`.
    pub fn method_name(&self, id: MethodId) -> String {
        let method = self.method(id);
        let [name, descriptor] = [method.name, method.descriptor].map(|name| self.text(name));
        format!("{}.{name}{descriptor}", self.class_name(method.class))
    }

    /// Decodes a method's code; none if it is abstract or native. Linear in the code's length.
    ///
    /// # Errors
    /// If the code is damaged, or refers to something damaged.
    pub fn code(&self, id: MethodId) -> Result<Option<Code>, CodeError> {
        let method = self.method(id);
        let decoded = match method.code.as_deref() {
            None => return Ok(None),
            Some(MethodCode::Read(raw)) => decode::decode(raw, self.class(method.class), &self.names, &self.types),
            Some(MethodCode::Damaged(malformed)) => Err(malformed.clone()),
            Some(MethodCode::Reference(reference)) => {
                let of = self.method_type(method.descriptor).expect("a reference method has a type");
                return Ok(Some(references::code(reference, of)));
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
        stack::effect(code, &self.types, instruction)
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
        let found = decode::frames(raw, self.class(method.class)).and_then(frames::read);
        let frames = found.map_err(|malformed| self.code_error(id, malformed))?;
        let at = |byte: usize| {
            let index = u16::try_from(byte).ok().and_then(|byte| code.bytes.binary_search(&byte).ok());
            let problem = crate::error::Problem::Target(byte.try_into().unwrap_or(i64::MAX));
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
                            let makes = implementation.kind == crate::HandleKind::NewInvokeSpecial;
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
