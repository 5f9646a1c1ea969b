//! From trees to class files, as javac does it: monitors with a handler that leaves them, `finally` written out on each
//! path.

use super::assemble::{Assembler, ClassFile, Label};
use super::source::{Class, Cond, Expr, FieldRef, Initial, Kind, Method, MethodRef, Source, Stmt, Ty};

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
const IADD: u8 = 96;
const GOTO: u8 = 167;
const ATHROW: u8 = 191;
const MONITOR_ENTER: u8 = 194;
const MONITOR_EXIT: u8 = 195;
const INVOKE_VIRTUAL: u8 = 182;
const INVOKE_SPECIAL: u8 = 183;
const INVOKE_STATIC: u8 = 184;

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

/// What is open around a statement and has to be done when it is left.
enum Open<'s> {
    Monitor(u16),
    Lock(u16),
    Finally(&'s [Stmt]),
    Loop(Label),
}

/// Something open, with the ranges in which its handler does not hold as what it does has been written out.
struct Level<'s> {
    open: Open<'s>,
    gaps: Vec<(Label, Label)>,
}

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

    fn block(&mut self, block: &'s [Stmt]) {
        block.iter().for_each(|statement| self.statement(statement));
    }

    fn statement(&mut self, statement: &'s Stmt) {
        self.code.line(statement.line);
        match &statement.kind {
            Kind::SetField(object, field, value) => {
                self.expr(object);
                self.expr(value);
                self.put(*field);
            }
            Kind::SetStatic(field, value) => {
                self.expr(value);
                self.put(*field);
            }
            Kind::Set(variable, value) => {
                self.expr(value);
                self.store(*variable);
            }
            Kind::SetElement(array, index, value) => {
                [array, index, value].into_iter().for_each(|part| self.expr(part));
                self.code.op(79);
            }
            Kind::SetItem(array, index, value) => {
                [array, index, value].into_iter().for_each(|part| self.expr(part));
                self.code.op(83);
            }
            Kind::Eval(value, ty) => {
                self.expr(value);
                if ty.is_some() {
                    self.code.op(87);
                }
            }
            Kind::Synchronized(lock, body) => {
                self.expr(lock);
                self.code.op(DUP);
                let slot = self.code.slot();
                self.code.local(ASTORE, slot);
                self.code.op(MONITOR_ENTER);
                self.guarded(Open::Monitor(slot), body);
            }
            Kind::Lock(lock) => {
                self.expr(lock);
                self.lock_method("lock", "()V");
            }
            Kind::Unlock(lock) => {
                self.expr(lock);
                self.lock_method("unlock", "()V");
            }
            Kind::Locked(lock, body) => {
                let slot = self.code.slot();
                self.expr(lock);
                self.code.local(ASTORE, slot);
                self.code.local(ALOAD, slot);
                self.lock_method("lock", "()V");
                self.guarded(Open::Lock(slot), body);
            }
            Kind::TryLocked(lock, body, other) => {
                let slot = self.code.slot();
                self.expr(lock);
                self.code.local(ASTORE, slot);
                self.code.local(ALOAD, slot);
                self.lock_method("tryLock", "()Z");
                let (refused, end) = (self.code.label(), self.code.label());
                self.code.jump(153, refused);
                self.guarded(Open::Lock(slot), body);
                self.code.jump(GOTO, end);
                self.code.place(refused);
                self.block(other);
                self.code.place(end);
            }
            Kind::Finally(body, last) => self.guarded(Open::Finally(last), body),
            Kind::If(cond, body, other) => {
                let (otherwise, end) = (self.code.label(), self.code.label());
                self.unless(cond, otherwise);
                self.block(body);
                if !other.is_empty() {
                    self.code.jump(GOTO, end);
                }
                self.code.place(otherwise);
                self.block(other);
                self.code.place(end);
            }
            Kind::While(cond, body) => {
                let end = self.code.label();
                let begin = self.code.here();
                self.unless(cond, end);
                self.looped(body, end);
                self.code.jump(GOTO, begin);
                self.code.place(end);
            }
            Kind::Twice(variable, body) => {
                let end = self.code.label();
                self.code.int(0);
                self.store(*variable);
                let begin = self.code.here();
                self.load(*variable);
                self.code.int(2);
                self.code.jump(162, end);
                self.looped(body, end);
                self.code.increment(self.slot(*variable));
                self.code.jump(GOTO, begin);
                self.code.place(end);
            }
            Kind::Switch(value, cases) => {
                self.expr(value);
                let labels = cases.each_ref().map(|_| self.code.label());
                let end = self.code.label();
                self.code.switch(&labels[..2], labels[2]);
                for (label, case) in labels.into_iter().zip(cases) {
                    self.code.place(label);
                    self.block(case);
                    self.code.jump(GOTO, end);
                }
                self.code.place(end);
            }
            Kind::Break => {
                let found = self.levels.iter().rposition(|level| matches!(level.open, Open::Loop(_)));
                let level = found.expect("only loops are left");
                let Open::Loop(end) = self.levels[level].open else { unreachable!("this was looked for") };
                self.leave(level + 1, |compiler| compiler.code.jump(GOTO, end));
            }
            Kind::Try(body, handler) => {
                let (target, end) = (self.code.label(), self.code.label());
                let from = self.code.here();
                self.block(body);
                let to = self.code.here();
                self.code.jump(GOTO, end);
                self.code.place(target);
                let slot = self.code.slot();
                self.code.local(ASTORE, slot);
                self.block(handler);
                self.code.place(end);
                self.code.handler(from, to, target, Some(EXCEPTION));
            }
            Kind::Throw => {
                self.library(EXCEPTION);
                self.code.op(ATHROW);
            }
            Kind::Return(None) => self.leave(0, |compiler| compiler.code.op(177)),
            Kind::Return(Some(value)) => {
                self.expr(value);
                let is_number = matches!(self.method.result, Some(Ty::Int | Ty::Boolean));
                let slot = self.code.slot();
                self.code.local(if is_number { 54 } else { ASTORE }, slot);
                self.leave(0, |compiler| {
                    compiler.code.local(if is_number { 21 } else { ALOAD }, slot);
                    compiler.code.op(if is_number { 172 } else { 176 });
                });
            }
            Kind::Lambda(body) => {
                let this =
                    if self.method.is_static { String::new() } else { format!("L{};", name(self.source, self.class)) };
                let method = lambda_name(self.method, self.lambdas.len());
                self.lambdas.push(body);
                let variables = self.variables();
                if !self.method.is_static {
                    self.code.local(ALOAD, 0);
                }
                (0..self.method.variables().count()).for_each(|variable| self.load(variable));
                let class = name(self.source, self.class);
                let descriptor = format!("({variables})V");
                let taken = format!("{this}{variables}");
                let site = self.file.runnable(&class, &method, &descriptor, &taken, self.method.is_static);
                self.code.pool_and(186, site, [0, 0]);
                self.run();
            }
            Kind::Run(task) => {
                self.expr(task);
                self.run();
            }
            Kind::Wait(object) => {
                self.expr(object);
                let wait = self.file.method_reference(OBJECT, "wait", "()V");
                self.code.pool(INVOKE_VIRTUAL, wait);
            }
        }
    }

    /// Runs what is on top.
    fn run(&mut self) {
        let run = self.file.interface_method(RUNNABLE, "run", "()V");
        self.code.pool_and(185, run, [1, 0]);
    }

    fn lock_method(&mut self, name: &str, descriptor: &str) {
        let method = self.file.method_reference(LOCK, name, descriptor);
        self.code.pool(INVOKE_VIRTUAL, method);
    }

    fn looped(&mut self, body: &'s [Stmt], end: Label) {
        self.levels.push(Level { open: Open::Loop(end), gaps: Vec::new() });
        self.block(body);
        self.levels.pop();
    }

    /// Closes what is open.
    fn close(&mut self, open: &Open<'s>) {
        match open {
            Open::Monitor(slot) => {
                self.code.local(ALOAD, *slot);
                self.code.op(MONITOR_EXIT);
            }
            Open::Lock(slot) => {
                self.code.local(ALOAD, *slot);
                self.lock_method("unlock", "()V");
            }
            Open::Finally(last) => self.block(last),
            Open::Loop(_) => {}
        }
    }

    /// A body, with what is done when it ends or something is thrown.
    fn guarded(&mut self, open: Open<'s>, body: &'s [Stmt]) {
        let is_monitor = matches!(open, Open::Monitor(_));
        let (target, end) = (self.code.label(), self.code.label());
        let mut from = self.code.here();
        self.levels.push(Level { open, gaps: Vec::new() });
        self.block(body);
        let Level { open, gaps } = self.levels.pop().expect("it was pushed");
        let mut to = self.code.here();
        self.close(&open);
        if is_monitor {
            to = self.code.here();
        }
        self.code.jump(GOTO, end);
        self.code.place(target);
        let slot = self.code.slot();
        self.code.local(ASTORE, slot);
        self.close(&open);
        let closed = self.code.here();
        self.code.local(ALOAD, slot);
        self.code.op(ATHROW);
        self.code.place(end);
        for (begin, after) in gaps {
            self.code.handler(from, begin, target, None);
            from = after;
        }
        self.code.handler(from, to, target, None);
        if is_monitor {
            self.code.handler(target, closed, target, None);
        }
    }

    /// Leaves everything from a level on, and then goes somewhere.
    fn leave(&mut self, level: usize, go: impl FnOnce(&mut Self)) {
        let after = self.code.label();
        let mut open = self.levels.split_off(level);
        let mut left = Vec::new();
        while let Some(mut innermost) = open.pop() {
            let before = self.code.here();
            // What is done is done outside of this level, and inside of the others.
            let kept = self.levels.len();
            self.levels.append(&mut open);
            self.close(&innermost.open);
            open = self.levels.split_off(kept);
            let begin = if let Open::Monitor(_) = innermost.open { self.code.here() } else { before };
            innermost.gaps.push((begin, after));
            left.push(innermost);
        }
        go(self);
        self.code.place(after);
        self.levels.extend(left.into_iter().rev());
    }

    fn expr(&mut self, expr: &Expr) {
        match expr {
            Expr::Int(value) => self.code.int(*value),
            Expr::Null => self.code.op(1),
            Expr::This => self.code.local(ALOAD, 0),
            Expr::Variable(variable) => self.load(*variable),
            Expr::Field(object, field) => {
                self.expr(object);
                let index = self.field_reference(*field);
                self.code.pool(180, index);
            }
            Expr::Static(field) => {
                let index = self.field_reference(*field);
                self.code.pool(178, index);
            }
            Expr::Increment(object, field) => {
                self.expr(object);
                self.code.op(DUP);
                let index = self.field_reference(*field);
                self.code.pool(180, index);
                self.code.op(90);
                self.code.int(1);
                self.code.op(IADD);
                self.code.pool(181, index);
            }
            Expr::Binary(operator, one, other) => {
                self.expr(one);
                self.expr(other);
                self.code.op(match operator {
                    '+' => IADD,
                    '-' => 100,
                    '*' => 104,
                    '%' => 112,
                    _ => 108,
                });
            }
            Expr::Element(array, index) => {
                self.expr(array);
                self.expr(index);
                self.code.op(46);
            }
            Expr::Item(array, index) => {
                self.expr(array);
                self.expr(index);
                self.code.op(50);
            }
            Expr::Length(array) => {
                self.expr(array);
                self.code.op(190);
            }
            Expr::OfList(list, name, descriptor, takes) => {
                self.expr(list);
                if *takes {
                    self.library(OBJECT);
                }
                let method = self.file.method_reference(LIST, name, descriptor);
                self.code.pool(INVOKE_VIRTUAL, method);
            }
            Expr::OfAtomic(atomic, name, descriptor, arguments) => {
                self.expr(atomic);
                arguments.iter().for_each(|argument| self.expr(argument));
                let method = self.file.method_reference(ATOMIC, name, descriptor);
                self.code.pool(INVOKE_VIRTUAL, method);
            }
            Expr::Call(receiver, method, arguments) => {
                let opcode = match receiver {
                    None => INVOKE_STATIC,
                    // As javac does it for the receiver's own private methods in old classes.
                    Some(_) if !self.source.method(*method).is_public => INVOKE_SPECIAL,
                    Some(_) => INVOKE_VIRTUAL,
                };
                receiver.iter().for_each(|receiver| self.expr(receiver));
                self.call(opcode, *method, arguments);
            }
            Expr::Super(method, arguments) => {
                self.code.local(ALOAD, 0);
                self.call(INVOKE_SPECIAL, *method, arguments);
            }
            Expr::New(class) => self.new_object(*class),
            Expr::NewObject => self.library(OBJECT),
            Expr::NewInts(length) => {
                self.expr(length);
                self.code.op(188);
                self.code.op(10);
            }
            Expr::Choice(cond, one, other) => {
                let (otherwise, end) = (self.code.label(), self.code.label());
                self.unless(cond, otherwise);
                self.expr(one);
                self.code.jump(GOTO, end);
                self.code.place(otherwise);
                self.expr(other);
                self.code.place(end);
            }
            Expr::Cast(class, object) => {
                self.expr(object);
                let index = self.file.class(&name(self.source, *class));
                self.code.pool(192, index);
            }
            Expr::ClassObject(class) => {
                let index = self.file.class(&name(self.source, *class));
                self.code.pool(19, index);
            }
        }
    }

    fn call(&mut self, opcode: u8, method: MethodRef, arguments: &[Expr]) {
        arguments.iter().for_each(|argument| self.expr(argument));
        let declared = self.source.method(method);
        let class = if opcode == INVOKE_STATIC { self.heir(method.0) } else { method.0 };
        let index =
            self.file.method_reference(&name(self.source, class), &declared.name, &method_type(self.source, declared));
        self.code.pool(opcode, index);
    }

    /// Goes to a label unless a condition holds.
    fn unless(&mut self, cond: &Cond, label: Label) {
        match cond {
            Cond::Not(cond) => self.branch(cond, label, true),
            Cond::And(one, other) => {
                self.unless(one, label);
                self.unless(other, label);
            }
            cond => self.branch(cond, label, false),
        }
    }

    /// Goes to a label if a condition holds, or if it does not.
    fn branch(&mut self, cond: &Cond, label: Label, if_it_holds: bool) {
        let choose = |holds: u8, holds_not: u8| if if_it_holds { holds } else { holds_not };
        match cond {
            Cond::Test(value) => {
                self.expr(value);
                self.code.jump(choose(154, 153), label);
            }
            Cond::Compare(how, one, other) => {
                self.expr(one);
                self.expr(other);
                self.code.jump(if *how == '=' { choose(159, 160) } else { choose(161, 162) }, label);
            }
            Cond::Same(one, other) => {
                self.expr(one);
                self.expr(other);
                self.code.jump(choose(165, 166), label);
            }
            Cond::IsNull(object) => {
                self.expr(object);
                self.code.jump(choose(198, 199), label);
            }
            Cond::IsA(object, class) => {
                self.expr(object);
                let index = self.file.class(&name(self.source, *class));
                self.code.pool(193, index);
                self.code.jump(choose(154, 153), label);
            }
            Cond::Not(cond) => self.branch(cond, label, !if_it_holds),
            Cond::And(one, other) => {
                if if_it_holds {
                    let end = self.code.label();
                    self.unless(one, end);
                    self.branch(other, label, true);
                    self.code.place(end);
                } else {
                    self.unless(one, label);
                    self.unless(other, label);
                }
            }
        }
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
