//! Values, conditions, and objects whose monitors are taken.

use super::{MADE, Maker};
use crate::jvm::source::{Cond, Expr, Field, FieldRef, MethodRef, Ty};

impl Maker {
    /// An object and a field of it that fits.
    pub(super) fn field_of(&mut self, depth: usize, fits: impl Fn(&Field) -> bool) -> Option<(Expr, FieldRef)> {
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
    pub(super) fn load(&mut self, depth: usize, fits: impl Fn(&Field) -> bool) -> Option<Expr> {
        if let Some(field) = self.one_static(75, &fits) {
            return Some(Expr::Static(field));
        }
        let (object, field) = self.field_of(depth, fits)?;
        Some(Expr::Field(Box::new(object), field))
    }

    /// A value of a type.
    pub(super) fn value(&mut self, ty: Ty, depth: usize) -> Expr {
        match ty {
            Ty::Int => self.int(depth),
            Ty::Boolean => self.boolean(depth),
            Ty::Class(class) => self.object(class, depth),
            Ty::Object => Expr::NewObject,
            Ty::Ints => Expr::NewInts(Box::new(Expr::Int(2))),
            Ty::Lock | Ty::List | Ty::Atomic | Ty::Objects | Ty::Array(_) => Expr::Null,
        }
    }

    /// An int.
    pub(super) fn int(&mut self, depth: usize) -> Expr {
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

    /// An array of ints, if there is one.
    pub(super) fn array(&mut self, depth: usize) -> Option<Expr> {
        self.load(depth, |field| field.ty == Ty::Ints)
    }

    /// A list, if there is one.
    pub(super) fn list(&mut self, depth: usize) -> Option<Expr> {
        self.load(depth, |field| field.ty == Ty::List)
    }

    /// An object of a class, mostly.
    pub(super) fn object(&mut self, class: usize, depth: usize) -> Expr {
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
    pub(super) fn call(&mut self, fits: impl Fn(Option<Ty>) -> bool, depth: usize) -> Option<Expr> {
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

    /// A condition.
    pub(super) fn cond(&mut self, depth: usize) -> Cond {
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
    pub(super) fn monitor(&mut self) -> Expr {
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
}
