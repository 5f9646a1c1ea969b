//! From trees to class files, as javac does it: monitors with a handler that leaves them, `finally` written out on each
//! path.

mod expressions;
mod statements;

use super::assemble::{Assembler, ClassFile};
use super::source::{Class, Expr, FieldRef, Initial, Method, Source, Stmt, Ty};
use statements::Level;

/// The class files of a program, with the names of their classes; the package is `made`.
pub fn compile(source: &Source) -> Vec<(String, Vec<u8>)> {
    (0..source.classes.len())
        .map(|class| (source.classes[class].name.clone(), Compiler::class(source, class)))
        .collect()
}

const OBJECT: &str = "java/lang/Object";
const LOCK: &str = "java/util/concurrent/locks/ReentrantLock";
const LIST: &str = "java/util/ArrayList";
const ATOMIC: &str = "java/util/concurrent/atomic/AtomicInteger";
const EXCEPTION: &str = "java/lang/RuntimeException";
const RUNNABLE: &str = "java/lang/Runnable";

const ALOAD: u8 = 25;
const ASTORE: u8 = 58;
const DUP: u8 = 89;
const GOTO: u8 = 167;
const ATHROW: u8 = 191;
const INVOKE_VIRTUAL: u8 = 182;
const INVOKE_SPECIAL: u8 = 183;

/// A method that does nothing.
static NO_METHOD: Method = Method {
    name: String::new(),
    parameters: Vec::new(),
    locals: Vec::new(),
    result: None,
    is_static: false,
    is_synchronized: false,
    is_public: true,
    body: Vec::new(),
};

struct Compiler<'s> {
    source: &'s Source,
    class: usize,
    file: ClassFile,
    code: Assembler,
    method: &'s Method,
    levels: Vec<Level<'s>>,
    lambdas: Vec<&'s [Stmt]>,
}

impl<'s> Compiler<'s> {
    fn class(source: &'s Source, class: usize) -> Vec<u8> {
        let declared = &source.classes[class];
        let mut compiler = Self {
            source,
            class,
            file: ClassFile::default(),
            code: Assembler::default(),
            method: &NO_METHOD,
            levels: Vec::new(),
            lambdas: Vec::new(),
        };
        for field in &declared.fields {
            let flags = [(field.is_static, 8), (field.is_final, 16), (field.is_volatile, 64)];
            let flags = flags.iter().filter(|flag| flag.0).map(|flag| flag.1).sum();
            compiler.file.field(flags, &field.name, &descriptor(source, field.ty));
        }
        compiler.constructor(declared);
        compiler.initializer(declared);
        for method in &declared.methods {
            compiler.method(method);
        }
        let superclass = declared.superclass.map_or(OBJECT.to_string(), |superclass| name(source, superclass));
        let interfaces: &[&str] = if declared.is_task { &[RUNNABLE] } else { &[] };
        compiler.file.build(&name(source, class), &superclass, interfaces, &format!("{}.java", declared.name))
    }

    fn constructor(&mut self, declared: &'s Class) {
        let given = self.source.given(self.class);
        self.code = Assembler::with_slots(1 + given.len());
        self.code.line(1);
        self.code.local(ALOAD, 0);
        let above = declared.superclass.map(|superclass| (superclass, self.source.given(superclass)));
        for (slot, field) in (1..).zip(above.iter().flat_map(|above| &above.1)) {
            self.code.local(if self.source.field(*field).ty == Ty::Int { 21 } else { ALOAD }, slot);
        }
        let (superclass, taken) = match &above {
            Some((superclass, given)) => (name(self.source, *superclass), constructor_type(self.source, given)),
            None => (OBJECT.to_string(), "()V".to_string()),
        };
        let superclass = self.file.method_reference(&superclass, "<init>", &taken);
        self.code.pool(INVOKE_SPECIAL, superclass);
        for (index, field) in declared.fields.iter().enumerate().filter(|(_, field)| !field.is_static) {
            if field.initial == Initial::Default {
                continue;
            }
            self.code.local(ALOAD, 0);
            let slot = (1..).zip(&given).find(|(_, it)| **it == (self.class, index)).map(|(slot, _)| slot);
            match slot {
                Some(slot) => self.code.local(if field.ty == Ty::Int { 21 } else { ALOAD }, slot),
                None => self.fresh(field.ty),
            }
            self.put((self.class, index));
        }
        self.block(&declared.constructor);
        self.code.op(177);
        let taken = constructor_type(self.source, &given);
        let code = std::mem::take(&mut self.code);
        self.file.method(1, "<init>", &taken, &code);
    }

    fn initializer(&mut self, declared: &Class) {
        self.code.line(1);
        for (index, field) in declared.fields.iter().enumerate() {
            if field.is_static && field.initial == Initial::New {
                self.fresh(field.ty);
                self.put((self.class, index));
            }
        }
        self.code.op(177);
        let code = std::mem::take(&mut self.code);
        self.file.method(8, "<clinit>", "()V", &code);
    }

    /// A new value for a field.
    fn fresh(&mut self, ty: Ty) {
        match ty {
            Ty::Int | Ty::Boolean => self.code.int(1),
            Ty::Class(class) => self.new_object(class),
            Ty::Object => self.library(OBJECT),
            Ty::Ints => self.expr(&Expr::NewInts(Box::new(Expr::Int(2)))),
            Ty::Lock => self.library(LOCK),
            Ty::List => self.library(LIST),
            Ty::Atomic => self.library(ATOMIC),
            Ty::Objects => self.array_of(OBJECT, |compiler| compiler.library(OBJECT)),
            Ty::Array(class) => {
                self.array_of(&name(self.source, class), |compiler| compiler.new_object(class));
            }
        }
    }

    /// An array of two new objects.
    fn array_of(&mut self, class: &str, fresh: impl Fn(&mut Self)) {
        self.code.int(2);
        let class = self.file.class(class);
        self.code.pool(189, class);
        for index in 0..2 {
            self.code.op(DUP);
            self.code.int(index);
            fresh(self);
            self.code.op(83);
        }
    }

    fn library(&mut self, class: &str) {
        let index = self.file.class(class);
        self.code.pool(187, index);
        self.code.op(DUP);
        let constructor = self.file.method_reference(class, "<init>", "()V");
        self.code.pool(INVOKE_SPECIAL, constructor);
    }

    fn new_object(&mut self, class: usize) {
        let given = self.source.given(class);
        let text = name(self.source, class);
        let index = self.file.class(&text);
        self.code.pool(187, index);
        self.code.op(DUP);
        for field in &given {
            match self.source.field(*field).ty {
                Ty::Int | Ty::Boolean => self.code.int(0),
                _ => self.code.op(1),
            }
        }
        let constructor = self.file.method_reference(&text, "<init>", &constructor_type(self.source, &given));
        self.code.pool(INVOKE_SPECIAL, constructor);
    }

    /// Stores the top into a field.
    fn put(&mut self, field: FieldRef) {
        let index = self.field_reference(field);
        self.code.pool(if self.source.field(field).is_static { 179 } else { 181 }, index);
    }

    fn field_reference(&mut self, field: FieldRef) -> u16 {
        let declared = self.source.field(field);
        let class = if declared.is_static { self.heir(field.0) } else { field.0 };
        self.file.field_reference(&name(self.source, class), &declared.name, &descriptor(self.source, declared.ty))
    }

    /// By which class static members of one are named, as javac does it: what is inherited is the class's own.
    fn heir(&self, of: usize) -> usize {
        if self.source.superclasses(self.class).any(|class| class == of) { self.class } else { of }
    }

    fn method(&mut self, method: &'s Method) {
        self.method = method;
        let flags =
            [(method.is_public, 1), (!method.is_public, 2), (method.is_static, 8), (method.is_synchronized, 32)];
        let flags = flags.iter().filter(|flag| flag.0).map(|flag| flag.1).sum();
        self.begin(method);
        for (variable, ty) in method.variables().enumerate().skip(method.parameters.len()) {
            match ty {
                Ty::Int | Ty::Boolean => self.code.int(0),
                Ty::Class(_)
                | Ty::Object
                | Ty::Ints
                | Ty::Lock
                | Ty::List
                | Ty::Atomic
                | Ty::Objects
                | Ty::Array(_) => {
                    self.code.op(1);
                }
            }
            self.store(variable);
        }
        self.block(&method.body);
        match method.result {
            None => self.code.op(177),
            Some(Ty::Int | Ty::Boolean) => {
                self.code.int(0);
                self.code.op(172);
            }
            Some(_) => {
                self.code.op(1);
                self.code.op(176);
            }
        }
        let code = std::mem::take(&mut self.code);
        self.file.method(flags, &method.name, &method_type(self.source, method), &code);
        for (number, body) in std::mem::take(&mut self.lambdas).into_iter().enumerate() {
            self.begin(method);
            self.block(body);
            self.code.op(177);
            let code = std::mem::take(&mut self.code);
            let flags = 2 | 0x1000 | if method.is_static { 8 } else { 0 };
            self.file.method(flags, &lambda_name(method, number), &format!("({})V", self.variables()), &code);
        }
    }

    fn begin(&mut self, method: &Method) {
        let slots = usize::from(!method.is_static) + method.variables().count();
        self.code = Assembler::with_slots(slots);
        self.code.line(1);
    }

    fn variables(&self) -> String {
        self.method.variables().map(|ty| descriptor(self.source, ty)).collect()
    }

    fn slot(&self, variable: usize) -> u16 {
        u16::try_from(variable).expect("they are few") + u16::from(!self.method.is_static)
    }

    fn is_number(&self, variable: usize) -> bool {
        matches!(self.method.variables().nth(variable), Some(Ty::Int | Ty::Boolean))
    }

    fn load(&mut self, variable: usize) {
        self.code.local(if self.is_number(variable) { 21 } else { ALOAD }, self.slot(variable));
    }

    fn store(&mut self, variable: usize) {
        self.code.local(if self.is_number(variable) { 54 } else { ASTORE }, self.slot(variable));
    }
}

fn lambda_name(method: &Method, number: usize) -> String {
    format!("lambda${}${number}", method.name)
}

fn name(source: &Source, class: usize) -> String {
    format!("made/{}", source.classes[class].name)
}

fn descriptor(source: &Source, ty: Ty) -> String {
    match ty {
        Ty::Int => "I".to_string(),
        Ty::Boolean => "Z".to_string(),
        Ty::Class(class) => format!("L{};", name(source, class)),
        Ty::Object => format!("L{OBJECT};"),
        Ty::Ints => "[I".to_string(),
        Ty::Lock => format!("L{LOCK};"),
        Ty::List => format!("L{LIST};"),
        Ty::Atomic => format!("L{ATOMIC};"),
        Ty::Objects => format!("[L{OBJECT};"),
        Ty::Array(class) => format!("[L{};", name(source, class)),
    }
}

fn method_type(source: &Source, method: &Method) -> String {
    let parameters: String = method.parameters.iter().map(|ty| descriptor(source, *ty)).collect();
    format!("({parameters}){}", method.result.map_or("V".to_string(), |ty| descriptor(source, ty)))
}

fn constructor_type(source: &Source, given: &[FieldRef]) -> String {
    let parameters: String = given.iter().map(|field| descriptor(source, source.field(*field).ty)).collect();
    format!("({parameters})V")
}
