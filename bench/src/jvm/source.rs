//! Small Java programs as trees, which are written as class files ([`compile`](super::compile)) and, to be read, as
//! Java.

use std::fmt::Write;

/// A type.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ty {
    /// `int`.
    Int,
    /// `boolean`.
    Boolean,
    /// A class of the program.
    Class(usize),
    /// `Object`.
    Object,
    /// `int[]`.
    Ints,
    /// `ReentrantLock`.
    Lock,
    /// `ArrayList`.
    List,
    /// `AtomicInteger`.
    Atomic,
    /// `Object[]`.
    Objects,
    /// An array of a class of the program.
    Array(usize),
}

/// A field: its class and its index there.
pub type FieldRef = (usize, usize);

/// A method: its class and its index there.
pub type MethodRef = (usize, usize);

/// A program.
#[derive(Clone, Debug, Default)]
pub struct Source {
    /// Its classes, superclasses first.
    pub classes: Vec<Class>,
}

/// A class.
#[derive(Clone, Debug, Default)]
pub struct Class {
    /// Its name, without a package.
    pub name: String,
    /// The class that it extends, if it is one of the program.
    pub superclass: Option<usize>,
    /// Whether it is a `Runnable`.
    pub is_task: bool,
    /// Its fields.
    pub fields: Vec<Field>,
    /// What its constructor does besides giving the fields what they hold at the beginning.
    pub constructor: Vec<Stmt>,
    /// Its methods.
    pub methods: Vec<Method>,
}

/// What a field holds at the beginning.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Initial {
    /// Null or 0.
    Default,
    /// A new object or array.
    New,
    /// What the constructor is given.
    Given,
}

/// A field.
#[derive(Clone, Debug)]
pub struct Field {
    /// Its name, which no other field has.
    pub name: String,
    /// Its type.
    pub ty: Ty,
    /// Whether it is static.
    pub is_static: bool,
    /// Whether it is final.
    pub is_final: bool,
    /// Whether it is volatile.
    pub is_volatile: bool,
    /// What it holds at the beginning.
    pub initial: Initial,
}

/// A method.
#[derive(Clone, Debug)]
pub struct Method {
    /// Its name, which only methods have that override it or that it overrides.
    pub name: String,
    /// The types of its parameters.
    pub parameters: Vec<Ty>,
    /// The types of its other local variables, which are 0 or null at the beginning.
    pub locals: Vec<Ty>,
    /// What it gives.
    pub result: Option<Ty>,
    /// Whether it is static.
    pub is_static: bool,
    /// Whether it is synchronized.
    pub is_synchronized: bool,
    /// Whether it is public; else it is private.
    pub is_public: bool,
    /// What it does.
    pub body: Vec<Stmt>,
}

impl Method {
    /// The types of all variables, the parameters first.
    pub fn variables(&self) -> impl Iterator<Item = Ty> {
        self.parameters.iter().chain(&self.locals).copied()
    }
}

/// An expression.
#[derive(Clone, Debug)]
pub enum Expr {
    /// A number.
    Int(i32),
    /// Null.
    Null,
    /// The receiver.
    This,
    /// A parameter or another local variable.
    Variable(usize),
    /// A field of an object.
    Field(Box<Self>, FieldRef),
    /// A static field.
    Static(FieldRef),
    /// A field of an object, which is one more after it.
    Increment(Box<Self>, FieldRef),
    /// A sum, difference, product, quotient or remainder.
    Binary(char, Box<Self>, Box<Self>),
    /// An element of an array.
    Element(Box<Self>, Box<Self>),
    /// An element of an array of objects.
    Item(Box<Self>, Box<Self>),
    /// The length of an array.
    Length(Box<Self>),
    /// A method of a list: its name and descriptor, and whether it gets a new object.
    OfList(Box<Self>, &'static str, &'static str, bool),
    /// A method of an atomic: its name and descriptor, and its arguments.
    OfAtomic(Box<Self>, &'static str, &'static str, Vec<Self>),
    /// A call; without a receiver it is one of a static method.
    Call(Option<Box<Self>>, MethodRef, Vec<Self>),
    /// A call of the superclass's method on the receiver.
    Super(MethodRef, Vec<Self>),
    /// A new object of a class; what its constructor takes is null.
    New(usize),
    /// A new `Object`.
    NewObject,
    /// A new array.
    NewInts(Box<Self>),
    /// One of two.
    Choice(Box<Cond>, Box<Self>, Box<Self>),
    /// An object as one of a class.
    Cast(usize, Box<Self>),
    /// The class object of a class.
    ClassObject(usize),
}

/// A condition.
#[derive(Clone, Debug)]
pub enum Cond {
    /// A boolean.
    Test(Expr),
    /// A comparison of two ints: `<` or `=`.
    Compare(char, Expr, Expr),
    /// Whether two references are the same.
    Same(Expr, Expr),
    /// Whether a reference is null.
    IsNull(Expr),
    /// Whether an object is one of a class.
    IsA(Expr, usize),
    /// The opposite.
    Not(Box<Self>),
    /// Both.
    And(Box<Self>, Box<Self>),
}

/// A statement with its line.
#[derive(Clone, Debug)]
pub struct Stmt {
    /// Its line, see [`Source::number`].
    pub line: u16,
    /// What it does.
    pub kind: Kind,
}

/// What a statement does.
#[derive(Clone, Debug)]
pub enum Kind {
    /// Stores into a field of an object.
    SetField(Expr, FieldRef, Expr),
    /// Stores into a static field.
    SetStatic(FieldRef, Expr),
    /// Stores into a local variable.
    Set(usize, Expr),
    /// Stores into an element of an array.
    SetElement(Expr, Expr, Expr),
    /// Stores into an element of an array of objects.
    SetItem(Expr, Expr, Expr),
    /// Evaluates.
    Eval(Expr, Option<Ty>),
    /// `synchronized`.
    Synchronized(Expr, Vec<Stmt>),
    /// `lock();`
    Lock(Expr),
    /// `unlock();`
    Unlock(Expr),
    /// `lock(); try { .. } finally { unlock(); }`
    Locked(Expr, Vec<Stmt>),
    /// `if (tryLock()) try { .. } finally { unlock(); } else { .. }`
    TryLocked(Expr, Vec<Stmt>, Vec<Stmt>),
    /// `if`.
    If(Cond, Vec<Stmt>, Vec<Stmt>),
    /// `while`.
    While(Cond, Vec<Stmt>),
    /// The body twice, with a variable that counts.
    Twice(usize, Vec<Stmt>),
    /// `switch` over an int, with cases 0 and 1 and a default.
    Switch(Expr, [Vec<Stmt>; 3]),
    /// Leaves the innermost loop.
    Break,
    /// `try` with a handler for runtime exceptions.
    Try(Vec<Stmt>, Vec<Stmt>),
    /// `try` with `finally`.
    Finally(Vec<Stmt>, Vec<Stmt>),
    /// Throws a new runtime exception.
    Throw,
    /// Returns.
    Return(Option<Expr>),
    /// A lambda that is made, and run at once.
    Lambda(Vec<Stmt>),
    /// `wait` on an object.
    Wait(Expr),
    /// Runs an object of a class that is a `Runnable`.
    Run(Expr),
}

impl Kind {
    /// The statements in it.
    pub fn blocks(&mut self) -> Vec<&mut Vec<Stmt>> {
        match self {
            Self::Synchronized(_, body)
            | Self::Locked(_, body)
            | Self::While(_, body)
            | Self::Twice(_, body)
            | Self::Lambda(body) => vec![body],
            Self::If(_, one, other)
            | Self::TryLocked(_, one, other)
            | Self::Try(one, other)
            | Self::Finally(one, other) => {
                vec![one, other]
            }
            Self::Switch(_, cases) => cases.iter_mut().collect(),
            Self::SetField(..)
            | Self::SetStatic(..)
            | Self::Set(..)
            | Self::SetElement(..)
            | Self::SetItem(..)
            | Self::Eval(..)
            | Self::Break
            | Self::Throw
            | Self::Return(_)
            | Self::Lock(_)
            | Self::Unlock(_)
            | Self::Wait(_)
            | Self::Run(_) => Vec::new(),
        }
    }
}

impl Source {
    /// The class and its superclasses.
    pub fn superclasses(&self, class: usize) -> impl Iterator<Item = usize> {
        std::iter::successors(Some(class), |class| self.classes[*class].superclass)
    }

    /// A field.
    pub fn field(&self, field: FieldRef) -> &Field {
        &self.classes[field.0].fields[field.1]
    }

    /// A method.
    pub fn method(&self, method: MethodRef) -> &Method {
        &self.classes[method.0].methods[method.1]
    }

    /// The fields that a constructor of a class is given, those of superclasses first.
    pub fn given(&self, class: usize) -> Vec<FieldRef> {
        let mut classes: Vec<_> = self.superclasses(class).collect();
        classes.reverse();
        let fields =
            classes.into_iter().flat_map(|class| (0..self.classes[class].fields.len()).map(move |it| (class, it)));
        fields.filter(|field| self.field(*field).initial == Initial::Given && !self.field(*field).is_static).collect()
    }

    /// Gives every statement a line of its own.
    pub fn number(&mut self) {
        fn block(statements: &mut [Stmt], next: &mut u16) {
            for statement in statements {
                *next += 1;
                statement.line = *next;
                statement.kind.blocks().into_iter().for_each(|inner| block(inner, next));
            }
        }
        let mut next = 0;
        for class in &mut self.classes {
            for method in &mut class.methods {
                block(&mut method.body, &mut next);
            }
            block(&mut class.constructor, &mut next);
        }
    }

    fn ty(&self, ty: Ty) -> String {
        let text = match ty {
            Ty::Array(class) => return format!("{}[]", self.classes[class].name),
            Ty::Int => "int",
            Ty::Boolean => "boolean",
            Ty::Class(class) => &self.classes[class].name,
            Ty::Object => "Object",
            Ty::Ints => "int[]",
            Ty::Lock => "ReentrantLock",
            Ty::List => "ArrayList",
            Ty::Atomic => "AtomicInteger",
            Ty::Objects => "Object[]",
        };
        text.to_string()
    }
}

impl std::fmt::Display for Source {
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        for class in &self.classes {
            let extends = class.superclass.map(|it| format!(" extends {}", self.classes[it].name)).unwrap_or_default();
            let implements = if class.is_task { " implements Runnable" } else { "" };
            writeln!(out, "class {}{extends}{implements} {{", class.name)?;
            for field in &class.fields {
                let flags =
                    [(field.is_static, "static "), (field.is_final, "final "), (field.is_volatile, "volatile ")];
                let flags: String = flags.iter().filter(|flag| flag.0).map(|flag| flag.1).collect();
                let initial = match field.initial {
                    Initial::Default => "",
                    Initial::New => " = new",
                    Initial::Given => " = given",
                };
                writeln!(out, "    {flags}{} {}{initial};", self.ty(field.ty), field.name)?;
            }
            if !class.constructor.is_empty() {
                let mut text = String::new();
                self.write_block(&mut text, &class.constructor, 2);
                writeln!(out, "    {}() {{\n{text}    }}", class.name)?;
            }
            for method in &class.methods {
                let flags = [
                    (method.is_public, "public "),
                    (!method.is_public, "private "),
                    (method.is_static, "static "),
                    (method.is_synchronized, "synchronized "),
                ];
                let flags: String = flags.iter().filter(|flag| flag.0).map(|flag| flag.1).collect();
                let parameters: Vec<_> =
                    (0..).zip(&method.parameters).map(|(index, ty)| format!("{} v{index}", self.ty(*ty))).collect();
                let result = method.result.map_or("void".to_string(), |ty| self.ty(ty));
                writeln!(out, "    {flags}{result} {}({}) {{", method.name, parameters.join(", "))?;
                let first = method.parameters.len();
                for (index, ty) in (first..).zip(&method.locals) {
                    writeln!(out, "        {} v{index};", self.ty(*ty))?;
                }
                let mut text = String::new();
                self.write_block(&mut text, &method.body, 2);
                writeln!(out, "{text}    }}")?;
            }
            writeln!(out, "}}")?;
        }
        Ok(())
    }
}

impl Source {
    fn write_block(&self, out: &mut String, block: &[Stmt], depth: usize) {
        for statement in block {
            let (head, blocks) = self.parts(&statement.kind);
            let indent = "    ".repeat(depth);
            let _ = write!(out, "{indent}{head}");
            if blocks.is_empty() {
                let _ = writeln!(out, ";  // {}", statement.line);
                continue;
            }
            for (number, (name, block)) in blocks.iter().enumerate() {
                let line = if number == 0 { format!("  // {}", statement.line) } else { String::new() };
                let _ = writeln!(out, "{}{name} {{{line}", if number == 0 { "" } else { &indent });
                self.write_block(out, block, depth + 1);
                let _ = writeln!(out, "{indent}}}");
            }
        }
    }

    fn parts<'s>(&self, kind: &'s Kind) -> (String, Vec<(&'static str, &'s [Stmt])>) {
        let e = |expr: &Expr| self.expr(expr);
        let none = Vec::new();
        match kind {
            Kind::SetField(object, field, value) => {
                (format!("{}.{} = {}", e(object), self.field(*field).name, e(value)), none)
            }
            Kind::SetStatic(field, value) => (format!("{} = {}", self.static_field(*field), e(value)), none),
            Kind::Set(variable, value) => (format!("v{variable} = {}", e(value)), none),
            Kind::SetElement(array, index, value) | Kind::SetItem(array, index, value) => {
                (format!("{}[{}] = {}", e(array), e(index), e(value)), none)
            }
            Kind::Eval(value, _) => (e(value), none),
            Kind::Synchronized(lock, body) => (format!("synchronized ({})", e(lock)), vec![("", body)]),
            Kind::Locked(lock, body) => (format!("{}.lock(); try-then-unlock", e(lock)), vec![("", body)]),
            Kind::TryLocked(lock, body, other) => {
                (format!("if ({}.tryLock()) try-then-unlock", e(lock)), vec![("", body), ("else", other)])
            }
            Kind::If(cond, body, other) => (format!("if ({})", self.cond(cond)), vec![("", body), ("else", other)]),
            Kind::While(cond, body) => (format!("while ({})", self.cond(cond)), vec![("", body)]),
            Kind::Twice(variable, body) => {
                (format!("for (v{variable} = 0; v{variable} < 2; v{variable}++)"), vec![("", body)])
            }
            Kind::Switch(value, [zero, one, other]) => {
                (format!("switch ({}) case 0:", e(value)), vec![("", zero), ("case 1:", one), ("default:", other)])
            }
            Kind::Break => ("break".to_string(), none),
            Kind::Try(body, handler) => ("try".to_string(), vec![("", body), ("catch (RuntimeException e)", handler)]),
            Kind::Finally(body, last) => ("try".to_string(), vec![("", body), ("finally", last)]),
            Kind::Throw => ("throw new RuntimeException()".to_string(), none),
            Kind::Return(value) => (format!("return {}", value.as_ref().map(e).unwrap_or_default()), none),
            Kind::Lambda(body) => ("run lambda".to_string(), vec![("", body)]),
            Kind::Lock(lock) => (format!("{}.lock()", e(lock)), none),
            Kind::Unlock(lock) => (format!("{}.unlock()", e(lock)), none),
            Kind::Wait(object) => (format!("{}.wait()", e(object)), none),
            Kind::Run(task) => (format!("((Runnable) {}).run()", e(task)), none),
        }
    }

    fn static_field(&self, field: FieldRef) -> String {
        format!("{}.{}", self.classes[field.0].name, self.field(field).name)
    }

    fn expr(&self, expr: &Expr) -> String {
        let list = |arguments: &[Expr]| arguments.iter().map(|it| self.expr(it)).collect::<Vec<_>>().join(", ");
        match expr {
            Expr::Int(value) => value.to_string(),
            Expr::Null => "null".to_string(),
            Expr::This => "this".to_string(),
            Expr::Variable(index) => format!("v{index}"),
            Expr::Field(object, field) => format!("{}.{}", self.expr(object), self.field(*field).name),
            Expr::Static(field) => self.static_field(*field),
            Expr::Increment(object, field) => format!("{}.{}++", self.expr(object), self.field(*field).name),
            Expr::Binary(operator, one, other) => format!("({} {operator} {})", self.expr(one), self.expr(other)),
            Expr::Element(array, index) | Expr::Item(array, index) => {
                format!("{}[{}]", self.expr(array), self.expr(index))
            }
            Expr::Length(array) => format!("{}.length", self.expr(array)),
            Expr::OfList(list, name, _, takes) => {
                format!("{}.{name}({})", self.expr(list), if *takes { "new Object()" } else { "" })
            }
            Expr::OfAtomic(atomic, name, _, arguments) => {
                format!("{}.{name}({})", self.expr(atomic), list(arguments))
            }
            Expr::Call(receiver, method, arguments) => {
                let receiver =
                    receiver.as_ref().map_or_else(|| self.classes[method.0].name.clone(), |it| self.expr(it));
                format!("{receiver}.{}({})", self.method(*method).name, list(arguments))
            }
            Expr::Super(method, arguments) => format!("super.{}({})", self.method(*method).name, list(arguments)),
            Expr::New(class) => format!("new {}()", self.classes[*class].name),
            Expr::NewObject => "new Object()".to_string(),
            Expr::NewInts(length) => format!("new int[{}]", self.expr(length)),
            Expr::Choice(cond, one, other) => {
                format!("({} ? {} : {})", self.cond(cond), self.expr(one), self.expr(other))
            }
            Expr::Cast(class, object) => format!("(({}) {})", self.classes[*class].name, self.expr(object)),
            Expr::ClassObject(class) => format!("{}.class", self.classes[*class].name),
        }
    }

    fn cond(&self, cond: &Cond) -> String {
        match cond {
            Cond::Test(value) => self.expr(value),
            Cond::Compare('=', one, other) => format!("{} == {}", self.expr(one), self.expr(other)),
            Cond::Compare(how, one, other) => format!("{} {how} {}", self.expr(one), self.expr(other)),
            Cond::Same(one, other) => format!("{} == {}", self.expr(one), self.expr(other)),
            Cond::IsNull(object) => format!("{} == null", self.expr(object)),
            Cond::IsA(object, class) => format!("{} instanceof {}", self.expr(object), self.classes[*class].name),
            Cond::Not(cond) => format!("!({})", self.cond(cond)),
            Cond::And(one, other) => format!("({} && {})", self.cond(one), self.cond(other)),
        }
    }
}
