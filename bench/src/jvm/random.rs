//! Random small programs, with every construct in every place; equal seeds give equal programs.
//!
//! There is a class `Made`, often with a class `Held` of which its objects hold one, and a class `Derived` that extends
//! it. They keep what `docs/java.md` says is assumed: constructors publish nothing, fields of `Made` are used by itself
//! and by `Derived` on its own receiver only, and there are no arrays of objects.
//!
//! From the seed [`MORE`] on, locks are also opened and closed in methods of their own, and there are atomics with
//! loops that try again; from [`STATICS`] on, classes share static fields; from [`ELEMENTS`] on, there are arrays of
//! locks and of objects, and conditions are tested more than once. (Programs of smaller seeds stay as they are, as
//! tests name some of them.)

mod elements;
mod statics;

use super::source::{Class, Cond, Expr, Field, FieldRef, Initial, Kind, Method, MethodRef, Source, Stmt, Ty};
use fastrand::Rng;

/// The first seed of programs with more constructs.
pub const MORE: u64 = 1_000_000;

/// The first seed of programs whose classes share static fields.
pub const STATICS: u64 = 2_000_000;

/// The first seed of programs with arrays of locks and of objects.
pub const ELEMENTS: u64 = 3_000_000;

/// The program of a seed.
pub fn program(seed: u64) -> Source {
    let mut maker = Maker {
        rng: Rng::with_seed(seed),
        source: Source::default(),
        class: 0,
        method: 0,
        budget: 0,
        recursion: false,
        discipline: Discipline::None,
        has_more: (MORE..ELEMENTS).contains(&seed),
        has_statics: (STATICS..ELEMENTS).contains(&seed),
        has_elements: seed >= ELEMENTS,
    };
    maker.recursion = maker.chance(30);
    maker.discipline =
        maker.pick(&[Discipline::None, Discipline::None, Discipline::Methods, Discipline::Methods, Discipline::Field]);
    if maker.has_statics {
        maker.static_classes()
    } else {
        maker.classes()
    }
    for class in 0..maker.source.classes.len() {
        for method in 0..maker.source.classes[class].methods.len() {
            if maker.source.classes[class].methods[method].body.is_empty() {
                maker.body(class, method);
            }
        }
    }
    maker.source.number();
    maker.source
}

const MADE: usize = 0;

struct Maker {
    rng: Rng,
    source: Source,
    /// Where statements are made for.
    class: usize,
    method: usize,
    /// How many more statements the method has.
    budget: usize,
    /// Whether methods call those before them, and themselves.
    recursion: bool,
    discipline: Discipline,
    /// Whether there are locks across methods, and atomics.
    has_more: bool,
    /// Whether classes share static fields.
    has_statics: bool,
    /// Whether there are arrays of locks and of objects.
    has_elements: bool,
}

/// What the methods of `Made` do for safety.
#[derive(Clone, Copy, PartialEq)]
enum Discipline {
    /// Whatever comes.
    None,
    /// All public ones are synchronized.
    Methods,
    /// All public ones do what they do with the monitor of a final field.
    Field,
}

/// What may stand at a place.
#[derive(Clone, Copy)]
struct Place {
    depth: usize,
    in_loop: bool,
    in_lambda: bool,
}

impl Maker {
    fn chance(&mut self, percent: u8) -> bool {
        self.rng.u8(..100) < percent
    }

    fn pick<T: Copy>(&mut self, of: &[T]) -> T {
        of[self.rng.usize(..of.len())]
    }

    fn field(&mut self, class: usize, name: &str, ty: Ty, initial: Initial) -> &mut Field {
        let is_volatile = self.rng.u8(..10) == 0;
        let field = Field { name: name.to_string(), ty, is_static: false, is_final: false, is_volatile, initial };
        let fields = &mut self.source.classes[class].fields;
        fields.push(field);
        fields.last_mut().expect("it was pushed")
    }

    fn finally(&mut self, class: usize, name: &str, ty: Ty, initial: Initial) -> &mut Field {
        let field = self.field(class, name, ty, initial);
        (field.is_final, field.is_volatile) = (true, false);
        field
    }

    fn classes(&mut self) {
        self.source.classes.push(Class { name: "Made".to_string(), ..Class::default() });
        let held = (self.chance(40) || self.has_elements).then(|| {
            self.source.classes.push(Class { name: "Held".to_string(), ..Class::default() });
            1
        });
        self.field(MADE, "x", Ty::Int, Initial::Default);
        if self.chance(60) {
            self.field(MADE, "y", Ty::Int, Initial::Default);
        }
        let linked = self.chance(40);
        if linked {
            self.field(MADE, "next", Ty::Class(MADE), Initial::Default);
        }
        if self.chance(15) {
            self.finally(MADE, "peer", Ty::Class(MADE), Initial::Given);
        }
        if let Some(held) = held {
            self.field(held, "p", Ty::Int, Initial::Default);
            if self.chance(40) {
                self.field(held, "q", Ty::Int, Initial::Default);
            }
            if self.chance(50) {
                self.finally(MADE, "held", Ty::Class(held), Initial::New);
            } else {
                self.field(MADE, "held", Ty::Class(held), Initial::New);
            }
        }
        if self.discipline == Discipline::Field || self.chance(35) {
            let initial = self.pick(&[Initial::New, Initial::New, Initial::Given]);
            self.finally(MADE, "lock", Ty::Object, initial);
        }
        if self.chance(15) {
            self.field(MADE, "mutex", Ty::Object, Initial::New);
        }
        let brackets = self.has_more && self.chance(50);
        if brackets || self.chance(20) {
            self.finally(MADE, "explicit", Ty::Lock, Initial::New);
        }
        if self.has_more && self.chance(60) {
            self.finally(MADE, "count", Ty::Atomic, Initial::New);
        }
        if self.chance(25) {
            if self.chance(50) {
                self.finally(MADE, "items", Ty::Ints, Initial::New);
            } else {
                self.field(MADE, "items", Ty::Ints, Initial::New);
            }
        }
        if self.chance(15) {
            self.finally(MADE, "list", Ty::List, Initial::New);
        }
        if self.has_elements {
            self.arrays(held);
        }
        if self.chance(20) {
            self.finally(MADE, "GLOBAL", Ty::Object, Initial::New).is_static = true;
        }
        if self.chance(20) {
            self.field(MADE, "shared", Ty::Class(MADE), Initial::Default).is_static = true;
        }
        if self.chance(10) {
            self.field(MADE, "total", Ty::Int, Initial::Default).is_static = true;
        }
        if linked {
            let body = Kind::SetField(Expr::This, self.named("next"), Expr::Variable(0));
            let mut link = self.signature(MADE, "link");
            (link.parameters, link.result, link.is_static, link.is_public) = (vec![Ty::Class(MADE)], None, false, true);
            link.locals.clear();
            link.body = vec![Stmt { line: 0, kind: body }];
            self.source.classes[MADE].methods.push(link);
        }
        for number in 0..self.rng.usize(2..=4) {
            let mut method = self.signature(MADE, &format!("m{number}"));
            method.is_public |= number == 0;
            self.source.classes[MADE].methods.push(method);
        }
        if brackets {
            self.brackets();
        }
        if let Some(held) = held {
            for number in 0..self.rng.usize(0..=2) {
                let mut method = self.signature(held, &format!("h{number}"));
                method.is_public = true;
                self.source.classes[held].methods.push(method);
            }
        }
        if self.chance(25) {
            self.derived();
        }
        if self.chance(20) {
            self.view();
        }
    }

    /// Methods that open and close the explicit lock.
    fn brackets(&mut self) {
        let lock = Expr::Field(Box::new(Expr::This), self.named("explicit"));
        for (name, kind) in [("open", Kind::Lock(lock.clone())), ("close", Kind::Unlock(lock))] {
            let mut body = vec![Stmt { line: 0, kind }];
            if self.chance(30) {
                let x = self.named("x");
                let set = Kind::SetField(Expr::This, x, Expr::Int(3));
                body.insert(usize::from(self.rng.bool()), Stmt { line: 0, kind: set });
            }
            if self.chance(20) {
                let test = Cond::Compare('=', Expr::Field(Box::new(Expr::This), self.named("x")), Expr::Int(1));
                body = vec![Stmt { line: 0, kind: Kind::If(test, body, Vec::new()) }];
            }
            let is_public = self.chance(15);
            self.source.classes[MADE].methods.push(Method {
                name: name.to_string(),
                parameters: Vec::new(),
                locals: vec![Ty::Int],
                result: None,
                is_static: false,
                is_synchronized: false,
                is_public,
                body,
            });
        }
    }

    /// A block between the two, in a method of the class.
    fn bracketed(&mut self, place: Place) -> Option<Vec<Stmt>> {
        let find = |name: &str| self.source.classes[MADE].methods.iter().position(|method| method.name == name);
        let (open, close) = (find("open")?, find("close")?);
        let can_be = self.class == MADE && self.has_receiver() && self.method < open && place.depth < 3;
        if !can_be || !self.chance(20) {
            return None;
        }
        let call = |method: usize| {
            let call = Expr::Call(Some(Box::new(Expr::This)), (MADE, method), Vec::new());
            Stmt { line: 0, kind: Kind::Eval(call, None) }
        };
        let body = self.block(place);
        Some(vec![call(open), Stmt { line: 0, kind: Kind::Finally(body, vec![call(close)]) }])
    }

    /// A statement with an atomic, some of them loops that try again.
    fn atomic(&mut self, place: Place) -> Option<Kind> {
        let held = Box::new(self.load(1, |field| field.ty == Ty::Atomic)?);
        let atomic = || held.clone();
        let get = || Expr::OfAtomic(atomic(), "get", "()I", Vec::new());
        let swap = |old: Expr, new: Expr| Expr::OfAtomic(atomic(), "compareAndSet", "(II)Z", vec![old, new]);
        let variables = self.variables(|ty| ty == Ty::Int);
        let old = *variables.first()?;
        let raised = Expr::Binary('+', Box::new(Expr::Variable(old)), Box::new(Expr::Int(1)));
        let stmt = |kind: Kind| Stmt { line: 0, kind };
        Some(match self.rng.u8(..8) {
            0 => Kind::Eval(Expr::OfAtomic(atomic(), "incrementAndGet", "()I", Vec::new()), Some(Ty::Int)),
            1 => Kind::Eval(Expr::OfAtomic(atomic(), "set", "(I)V", vec![self.int(0)]), None),
            2 => Kind::Set(old, get()),
            3 => Kind::Eval(swap(self.int(0), self.int(0)), Some(Ty::Boolean)),
            4 => {
                let body = self.block(place);
                Kind::If(Cond::Test(swap(Expr::Variable(old), raised)), body, Vec::new())
            }
            kind => {
                let mut body = vec![stmt(Kind::Set(old, get()))];
                if kind == 5 {
                    body.extend(self.block(Place { in_loop: true, depth: place.depth + 1, ..place }));
                } else if kind == 6 {
                    let test = Cond::Compare('<', Expr::Variable(old), Expr::Int(2));
                    let inner = self.block(Place { in_loop: true, depth: place.depth + 1, ..place });
                    body.push(stmt(Kind::If(test, inner, Vec::new())));
                }
                let done =
                    stmt(Kind::If(Cond::Test(swap(Expr::Variable(old), raised)), vec![stmt(Kind::Break)], Vec::new()));
                body.push(done);
                Kind::While(Cond::Test(Expr::Int(1)), body)
            }
        })
    }

    /// A class inside of `Made`, whose objects know one of it.
    fn view(&mut self) {
        let view = self.source.classes.len();
        self.source.classes.push(Class { name: "Made$View".to_string(), ..Class::default() });
        self.finally(view, "of", Ty::Class(MADE), Initial::Given);
        for number in 0..self.rng.usize(1..=2) {
            let mut method = self.signature(view, &format!("v{number}"));
            method.is_public = true;
            self.source.classes[view].methods.push(method);
        }
    }

    fn derived(&mut self) {
        let derived = self.source.classes.len();
        self.source.classes.push(Class { name: "Derived".to_string(), superclass: Some(MADE), ..Class::default() });
        if self.chance(50) {
            self.field(derived, "z", Ty::Int, Initial::Default);
        }
        let can_be: Vec<usize> = (0..self.source.classes[MADE].methods.len())
            .filter(|method| {
                let method = self.source.method((MADE, *method));
                method.is_public && !method.is_static
            })
            .collect();
        if !can_be.is_empty() {
            let overridden = self.pick(&can_be);
            let method = self.source.method((MADE, overridden)).clone();
            let fresh = self.signature(derived, &method.name);
            let is_synchronized = fresh.is_synchronized;
            self.source.classes[derived].methods.push(Method {
                body: Vec::new(),
                locals: fresh.locals,
                is_synchronized,
                ..method
            });
        }
        if self.chance(60) {
            let mut method = self.signature(derived, "d0");
            method.is_public = true;
            self.source.classes[derived].methods.push(method);
        }
    }

    fn named(&self, name: &str) -> FieldRef {
        let found = self.source.classes[MADE].fields.iter().position(|field| field.name == name);
        (MADE, found.expect("the field is there"))
    }

    fn types(&self) -> Vec<Ty> {
        let mut types = vec![Ty::Class(MADE), Ty::Class(MADE), Ty::Int, Ty::Boolean];
        types.extend((self.source.classes.len() > 1).then_some(Ty::Class(1)));
        types
    }

    fn signature(&mut self, class: usize, name: &str) -> Method {
        let types = self.types();
        let parameters = (0..self.pick(&[0, 0, 1, 1, 1, 2])).map(|_| self.pick(&types)).collect();
        let locals = (0..self.rng.usize(1..=3)).map(|_| self.pick(&types)).chain([Ty::Int]).collect();
        let result = self.chance(45).then(|| self.pick(&types));
        let is_static = if self.has_statics { self.chance(60) } else { class == MADE && self.chance(10) };
        Method {
            name: name.to_string(),
            parameters,
            locals,
            result,
            is_static,
            is_synchronized: self.discipline == Discipline::Methods || self.chance(35),
            is_public: self.chance(70),
            body: Vec::new(),
        }
    }

    fn body(&mut self, class: usize, method: usize) {
        (self.class, self.method) = (class, method);
        self.budget = self.rng.usize(2..=7);
        let place = Place { depth: 0, in_loop: false, in_lambda: false };
        let mut body = Vec::new();
        while self.budget > 0 {
            body.extend(self.statement(place));
        }
        if let Some(result) = self.source.method((class, method)).result {
            let value = self.value(result, 2);
            body.push(Stmt { line: 0, kind: Kind::Return(Some(value)) });
        }
        let method = &self.source.classes[class].methods[method];
        if self.has_statics {
            if class == MADE && method.is_public {
                body = self.disciplined(method.is_static, body);
            }
        } else if self.discipline == Discipline::Field && class == MADE && method.is_public && !method.is_static {
            let lock = Expr::Field(Box::new(Expr::This), self.named("lock"));
            body = vec![Stmt { line: 0, kind: Kind::Synchronized(lock, body) }];
        }
        self.source.classes[self.class].methods[self.method].body = body;
    }

    fn current(&self) -> &Method {
        self.source.method((self.class, self.method))
    }

    fn has_receiver(&self) -> bool {
        !self.current().is_static
    }

    /// The class and its superclasses' fields of a type.
    fn fields(&self, class: usize, is_static: bool, fits: impl Fn(&Field) -> bool) -> Vec<FieldRef> {
        let classes = self.source.superclasses(class);
        let all =
            classes.flat_map(|class| (0..self.source.classes[class].fields.len()).map(move |field| (class, field)));
        all.filter(|field| self.source.field(*field).is_static == is_static && fits(self.source.field(*field)))
            .collect()
    }

    /// An object and a field of it that fits.
    fn field_of(&mut self, depth: usize, fits: impl Fn(&Field) -> bool) -> Option<(Expr, FieldRef)> {
        let own = if self.has_receiver() { self.fields(self.class, false, &fits) } else { Vec::new() };
        // `Derived` uses fields of its receiver only.
        let mut others = Vec::new();
        if self.class == MADE || self.source.classes[self.class].name == "Made$View" {
            others.extend(self.fields(MADE, false, &fits));
            if self.source.classes.len() > 1 && self.source.classes[1].superclass.is_none() {
                others.extend(self.fields(1, false, &fits));
            }
        }
        let is_own = !own.is_empty() && (others.is_empty() || self.chance(60));
        if is_own {
            let field = self.pick(&own);
            return Some((Expr::This, field));
        }
        if others.is_empty() {
            return None;
        }
        let field = self.pick(&others);
        let object = self.object(field.0, depth);
        Some((object, field))
    }

    /// What a field that fits holds, of an object or a static one.
    fn load(&mut self, depth: usize, fits: impl Fn(&Field) -> bool) -> Option<Expr> {
        if let Some(field) = self.one_static(75, &fits) {
            return Some(Expr::Static(field));
        }
        let (object, field) = self.field_of(depth, fits)?;
        Some(Expr::Field(Box::new(object), field))
    }

    fn variables(&self, fits: impl Fn(Ty) -> bool) -> Vec<usize> {
        self.current().variables().enumerate().filter(|(_, ty)| fits(*ty)).map(|(index, _)| index).collect()
    }

    /// Whether an object of one class is one of the other.
    fn is_a(&self, class: usize, of: usize) -> bool {
        self.source.superclasses(class).any(|class| class == of)
    }

    fn value(&mut self, ty: Ty, depth: usize) -> Expr {
        match ty {
            Ty::Int => self.int(depth),
            Ty::Boolean => self.boolean(depth),
            Ty::Class(class) => self.object(class, depth),
            Ty::Object => Expr::NewObject,
            Ty::Ints => Expr::NewInts(Box::new(Expr::Int(2))),
            Ty::Lock | Ty::List | Ty::Atomic | Ty::Objects | Ty::Array(_) => Expr::Null,
        }
    }

    fn int(&mut self, depth: usize) -> Expr {
        if let Some(field) = self.one_static(40, |field| field.ty == Ty::Int) {
            return Expr::Static(field);
        }
        let choice = if depth == 0 { self.rng.u8(..5) } else { self.rng.u8(..14) };
        match choice {
            0 | 1 => Expr::Int(self.rng.i32(0..3)),
            2 => match self.variables(|ty| ty == Ty::Int).first() {
                Some(variable) => Expr::Variable(*variable),
                None => Expr::Int(1),
            },
            3..=8 => match self.field_of(depth.saturating_sub(1), |field| field.ty == Ty::Int) {
                Some((object, field)) if self.rng.u8(..5) == 0 => Expr::Increment(Box::new(object), field),
                Some((object, field)) => Expr::Field(Box::new(object), field),
                None => Expr::Int(2),
            },
            9 => {
                let operator = self.pick(&['+', '+', '-', '*', '/']);
                Expr::Binary(operator, Box::new(self.int(depth - 1)), Box::new(self.int(depth - 1)))
            }
            10 if self.rng.bool() => match self.list(depth - 1) {
                Some(list) => Expr::OfList(Box::new(list), "size", "()I", false),
                None => Expr::Int(1),
            },
            10 => match self.array(depth - 1) {
                Some(array) if self.rng.bool() => Expr::Length(Box::new(array)),
                Some(array) => Expr::Element(Box::new(array), Box::new(self.int(0))),
                None => Expr::Int(0),
            },
            11 => {
                let fields = self.fields(MADE, true, |field| field.ty == Ty::Int);
                if fields.is_empty() || self.class != MADE { Expr::Int(1) } else { Expr::Static(self.pick(&fields)) }
            }
            12 => {
                let cond = self.cond(depth - 1);
                Expr::Choice(Box::new(cond), Box::new(self.int(depth - 1)), Box::new(self.int(depth - 1)))
            }
            _ => self.call(|result| result == Some(Ty::Int), depth - 1).unwrap_or(Expr::Int(0)),
        }
    }

    fn boolean(&mut self, depth: usize) -> Expr {
        let variables = self.variables(|ty| ty == Ty::Boolean);
        if !variables.is_empty() && self.rng.bool() {
            return Expr::Variable(self.pick(&variables));
        }
        if depth == 0 || self.rng.bool() {
            return Expr::Int(self.rng.i32(0..2));
        }
        match self.call(|result| result == Some(Ty::Boolean), depth - 1) {
            Some(call) => call,
            None => {
                let cond = self.cond(depth - 1);
                Expr::Choice(Box::new(cond), Box::new(Expr::Int(1)), Box::new(Expr::Int(0)))
            }
        }
    }

    fn array(&mut self, depth: usize) -> Option<Expr> {
        self.load(depth, |field| field.ty == Ty::Ints)
    }

    fn list(&mut self, depth: usize) -> Option<Expr> {
        self.load(depth, |field| field.ty == Ty::List)
    }

    /// An object of a class, mostly.
    fn object(&mut self, class: usize, depth: usize) -> Expr {
        if let Some(field) = self.one_static(20, |field| field.ty == Ty::Class(class)) {
            return Expr::Static(field);
        }
        let is_this = self.has_receiver() && self.is_a(self.class, class);
        let choice = if depth == 0 { self.rng.u8(..8) } else { self.rng.u8(..16) };
        match choice {
            0..=3 if is_this => Expr::This,
            0..=7 => {
                let fits: Vec<usize> = self
                    .variables(|ty| matches!(ty, Ty::Class(it) if self.source.superclasses(it).any(|it| it == class)));
                match (fits.is_empty(), is_this) {
                    (false, _) => Expr::Variable(self.pick(&fits)),
                    (true, true) => Expr::This,
                    (true, false) => self.new_or_held(class, depth),
                }
            }
            8..=11 => match self.field_of(depth.saturating_sub(1), |field| field.ty == Ty::Class(class)) {
                Some((object, field)) => Expr::Field(Box::new(object), field),
                None => self.object(class, 0),
            },
            12 => {
                let fields = self.fields(MADE, true, |field| field.ty == Ty::Class(class));
                if fields.is_empty() || self.class != MADE {
                    self.object(class, 0)
                } else {
                    Expr::Static(self.pick(&fields))
                }
            }
            13 => {
                let cond = self.cond(depth - 1);
                Expr::Choice(
                    Box::new(cond),
                    Box::new(self.object(class, depth - 1)),
                    Box::new(self.object(class, depth - 1)),
                )
            }
            14 => self.call(|result| result == Some(Ty::Class(class)), depth - 1).unwrap_or(Expr::Null),
            _ => {
                let derived = (0..self.source.classes.len()).find(|it| *it != class && self.is_a(*it, class));
                match derived {
                    Some(derived) if self.rng.bool() => Expr::Cast(derived, Box::new(self.object(class, 0))),
                    _ => self.new_or_held(class, depth),
                }
            }
        }
    }

    fn new_or_held(&mut self, class: usize, depth: usize) -> Expr {
        if depth > 0
            && self.chance(60)
            && let Some((object, field)) = self.field_of(depth - 1, |field| field.ty == Ty::Class(class))
        {
            return Expr::Field(Box::new(object), field);
        }
        if self.chance(30) { Expr::Null } else { Expr::New(class) }
    }

    /// A call of a method with a result that fits.
    fn call(&mut self, fits: impl Fn(Option<Ty>) -> bool, depth: usize) -> Option<Expr> {
        let here = (self.class, self.method);
        let mut can_be: Vec<MethodRef> = Vec::new();
        for (class, declared) in self.source.classes.iter().enumerate() {
            for (index, method) in declared.methods.iter().enumerate() {
                let is_visible = method.is_public || class == self.class;
                let is_later = self.recursion || (class, index) > here;
                if fits(method.result) && is_visible && is_later {
                    can_be.push((class, index));
                }
            }
        }
        if can_be.is_empty() {
            return None;
        }
        let called = self.pick(&can_be);
        let method = self.source.method(called).clone();
        let arguments = method.parameters.iter().map(|ty| self.value(*ty, depth.min(1))).collect();
        if method.is_static {
            return Some(Expr::Call(None, called, arguments));
        }
        let is_above = self.has_receiver() && called.0 != self.class && self.is_a(self.class, called.0);
        if is_above && self.rng.u8(..3) == 0 {
            return Some(Expr::Super(called, arguments));
        }
        let receiver = self.object(called.0, depth);
        // A cast receiver of a private method would not be of its class.
        Some(Expr::Call(Some(Box::new(receiver)), called, arguments))
    }

    fn cond(&mut self, depth: usize) -> Cond {
        if self.has_elements && self.chance(60) {
            return self.repeated();
        }
        match self.rng.u8(..11) {
            0..=2 => Cond::Compare(self.pick(&['<', '=']), self.int(depth.min(1)), self.int(0)),
            3 | 4 => Cond::Same(self.object(MADE, depth.min(1)), self.object(MADE, 0)),
            5 | 6 => Cond::IsNull(self.object(MADE, depth.min(1))),
            7 if self.rng.bool() => match self.list(depth.min(1)) {
                Some(list) => Cond::Test(Expr::OfList(Box::new(list), "isEmpty", "()Z", false)),
                None => Cond::Test(self.boolean(0)),
            },
            7 => {
                let class = self.rng.usize(..self.source.classes.len());
                Cond::IsA(self.object(MADE, depth.min(1)), class)
            }
            8 if depth > 0 => Cond::Not(Box::new(self.cond(depth - 1))),
            9 if depth > 0 => Cond::And(Box::new(self.cond(depth - 1)), Box::new(self.cond(depth - 1))),
            _ => Cond::Test(self.boolean(depth.min(1))),
        }
    }

    /// An object whose monitor is taken.
    fn monitor(&mut self) -> Expr {
        if self.has_statics && self.chance(70) {
            let lock = self.one_static(60, |field| field.ty == Ty::Object);
            return lock.map_or(Expr::ClassObject(MADE), Expr::Static);
        }
        match self.rng.u8(..10) {
            0..=3 if self.has_receiver() => Expr::This,
            4 => Expr::ClassObject(MADE),
            5 => {
                let fields = self.fields(MADE, true, |field| field.ty == Ty::Object);
                if fields.is_empty() { Expr::ClassObject(MADE) } else { Expr::Static(self.pick(&fields)) }
            }
            6 | 7 => match self.field_of(1, |field| field.ty == Ty::Object) {
                Some((object, field)) => Expr::Field(Box::new(object), field),
                None => self.object(MADE, 1),
            },
            8 if self.source.classes.len() > 1 => self.object(1, 2),
            _ => self.object(MADE, 1),
        }
    }

    fn block(&mut self, place: Place) -> Vec<Stmt> {
        let place = Place { depth: place.depth + 1, ..place };
        (0..self.rng.usize(1..=2)).flat_map(|_| self.statement(place)).collect()
    }

    fn statement(&mut self, place: Place) -> Vec<Stmt> {
        self.budget = self.budget.saturating_sub(1);
        if self.has_more
            && let Some(bracketed) = self.bracketed(place)
        {
            return bracketed;
        }
        if self.has_elements
            && let Some(kind) = self.element_statement(place)
        {
            return vec![Stmt { line: 0, kind }];
        }
        let more = if self.has_more && self.chance(25) { self.atomic(place) } else { None };
        let kind = more.unwrap_or_else(|| self.kind(place));
        vec![Stmt { line: 0, kind }]
    }

    fn kind(&mut self, place: Place) -> Kind {
        let choice = if place.depth >= 3 { self.rng.u8(..40) } else { self.rng.u8(..70) };
        match choice {
            0..=15 => self.assignment(),
            16..=21 => self.links(),
            22..=25 => self.local(),
            26 => match self.list(1) {
                Some(list) if self.rng.bool() => {
                    Kind::Eval(Expr::OfList(Box::new(list), "add", "(Ljava/lang/Object;)Z", true), Some(Ty::Boolean))
                }
                Some(list) => Kind::Eval(Expr::OfList(Box::new(list), "clear", "()V", false), None),
                None => self.assignment(),
            },
            27 | 28 => match self.array(1) {
                Some(array) => Kind::SetElement(array, self.int(0), self.int(1)),
                None => self.assignment(),
            },
            29..=33 => {
                let call = self.call(|_| true, 2);
                match call {
                    Some(call) => {
                        let method = match &call {
                            Expr::Call(_, method, _) | Expr::Super(method, _) => *method,
                            _ => unreachable!("it is a call"),
                        };
                        Kind::Eval(call, self.source.method(method).result)
                    }
                    None => self.assignment(),
                }
            }
            34 => {
                let value = self.int(2);
                Kind::Eval(value, Some(Ty::Int))
            }
            35 if place.depth > 0 => Kind::Throw,
            36 if place.depth > 0 && !place.in_lambda => {
                let result = self.current().result;
                Kind::Return(result.map(|ty| self.value(ty, 1)))
            }
            37 if place.in_loop => Kind::Break,
            38 => match self.fields(MADE, true, |field| !field.is_final) {
                fields if self.class == MADE && !fields.is_empty() => {
                    let field = self.pick(&fields);
                    let value = self.value(self.source.field(field).ty, 1);
                    Kind::SetStatic(field, value)
                }
                _ => self.assignment(),
            },
            35..=39 => self.assignment(),
            40..=50 => {
                let lock = self.monitor();
                let mut body = self.block(place);
                if self.rng.u8(..12) == 0 {
                    body.push(Stmt { line: 0, kind: Kind::Wait(lock.clone()) });
                    body.extend(self.statement(place));
                }
                Kind::Synchronized(lock, body)
            }
            51..=53 => match self.load(1, |field| field.ty == Ty::Lock) {
                Some(lock) => {
                    if self.rng.u8(..4) == 0 {
                        Kind::TryLocked(lock, self.block(place), self.block(place))
                    } else {
                        Kind::Locked(lock, self.block(place))
                    }
                }
                None => Kind::Synchronized(self.monitor(), self.block(place)),
            },
            54..=58 => {
                let other = if self.rng.bool() { self.block(place) } else { Vec::new() };
                Kind::If(self.cond(2), self.block(place), other)
            }
            59 => Kind::While(self.cond(1), self.block(Place { in_loop: !place.in_lambda, ..place })),
            60 | 61 => {
                let variable = self.current().variables().count() - 1;
                Kind::Twice(variable, self.block(Place { in_loop: true, ..place }))
            }
            62 => Kind::Switch(self.int(1), [self.block(place), self.block(place), self.block(place)]),
            63 | 64 => Kind::Try(self.block(place), self.block(place)),
            65 | 66 => Kind::Finally(self.block(place), self.block(Place { in_loop: false, in_lambda: true, ..place })),
            69 if self.has_statics => Kind::Run(self.object(statics::OTHER, 1)),
            67 | 68 if self.has_statics || self.is_a(self.class, MADE) => {
                Kind::Lambda(self.block(Place { depth: place.depth.max(1), in_loop: false, in_lambda: true }))
            }
            _ => self.assignment(),
        }
    }

    /// Stores an int.
    fn assignment(&mut self) -> Kind {
        if let Some(field) = self.one_static(80, |field| field.ty == Ty::Int) {
            return Kind::SetStatic(field, self.int(2));
        }
        match self.field_of(1, |field| field.ty == Ty::Int) {
            Some((object, field)) => {
                let value = self.int(2);
                Kind::SetField(object, field, value)
            }
            None => self.local(),
        }
    }

    /// Stores a reference, if there is a field for one.
    fn links(&mut self) -> Kind {
        let is_reference = |field: &Field| matches!(field.ty, Ty::Class(_) | Ty::Object | Ty::Ints) && !field.is_final;
        if let Some(field) = self.one_static(80, is_reference) {
            let value = self.value(self.source.field(field).ty, 1);
            return Kind::SetStatic(field, value);
        }
        match self.field_of(1, is_reference) {
            Some((object, field)) => {
                let value = self.value(self.source.field(field).ty, 1);
                Kind::SetField(object, field, value)
            }
            None => self.assignment(),
        }
    }

    fn local(&mut self) -> Kind {
        let count = self.current().variables().count();
        let variable = self.rng.usize(..count);
        let ty = self.current().variables().nth(variable).expect("it is there");
        let value = self.value(ty, 2);
        Kind::Set(variable, value)
    }
}
