//! Arrays of locks and of objects, and conditions that are tested more than once.

use super::{Kind, MADE, Maker, Place};
use crate::jvm::source::{Cond, Expr, FieldRef, Initial, Method, Stmt, Ty};

/// The method that picks a lock.
const LOCK: &str = "lock";

impl Maker {
    /// The fields that hold arrays.
    pub(super) fn arrays(&mut self, held: Option<usize>) {
        if self.chance(85) {
            self.array_field("locks", Ty::Objects);
        }
        if let Some(held) = held
            && self.chance(70)
        {
            self.array_field("buckets", Ty::Array(held));
        }
        if self.chance(60) {
            self.array_field("cells", Ty::Ints);
        }
        if self.source.classes[MADE].fields.iter().any(|field| field.name == "locks") && self.chance(40) {
            self.lock_method();
        }
        if self.chance(70) {
            self.finally(MADE, "rank", Ty::Int, Initial::Given);
        }
    }

    /// `Object lock(int v0) { return locks[v0 % 2]; }`
    fn lock_method(&mut self) {
        let mut index = Expr::Variable(0);
        if self.chance(60) {
            index = Expr::Binary('%', Box::new(index), Box::new(Expr::Int(2)));
        }
        let locks = Expr::Field(Box::new(Expr::This), self.named("locks"));
        let mut body = vec![Kind::Return(Some(Expr::Item(Box::new(locks), Box::new(index))))];
        if self.chance(20) {
            let next = Expr::Binary('+', Box::new(Expr::Variable(0)), Box::new(Expr::Int(1)));
            body.insert(0, Kind::Set(0, next));
        }
        let is_public = self.chance(15);
        self.source.classes[MADE].methods.push(Method {
            name: LOCK.to_string(),
            parameters: vec![Ty::Int],
            locals: Vec::new(),
            result: Some(Ty::Object),
            is_static: false,
            is_synchronized: false,
            is_public,
            body: body.into_iter().map(|kind| Stmt { line: 0, kind }).collect(),
        });
    }

    /// A call of it.
    fn lock_of(&mut self, index: &Expr) -> Option<Expr> {
        let method = self.source.classes[MADE].methods.iter().position(|method| method.name == LOCK)?;
        let object = self.object(MADE, 0);
        Some(Expr::Call(Some(Box::new(object)), (MADE, method), vec![index.clone()]))
    }

    fn array_field(&mut self, name: &str, ty: Ty) {
        if self.chance(85) {
            self.finally(MADE, name, ty, Initial::New);
        } else {
            self.field(MADE, name, ty, Initial::New);
        }
    }

    /// The array of a field of the receiver, mostly.
    fn array_named(&mut self, name: &str) -> Option<Expr> {
        let field = self.source.classes[MADE].fields.iter().position(|field| field.name == name)?;
        let object = if self.class == MADE { self.object(MADE, 0) } else { return None };
        Some(Expr::Field(Box::new(object), (MADE, field)))
    }

    /// An index: few of them, so that many are the same.
    fn index(&mut self) -> Expr {
        let variables = self.variables(|ty| ty == Ty::Int);
        let variable = match self.rng.u8(..4) {
            0 => variables.last(),
            _ => variables.first(),
        };
        let variable = variable.map_or(Expr::Int(1), |variable| Expr::Variable(*variable));
        match self.rng.u8(..10) {
            0 => Expr::Int(self.rng.i32(0..2)),
            1 | 2 => Expr::Binary('%', Box::new(variable), Box::new(Expr::Int(2))),
            3 => match self.array_named("locks") {
                Some(locks) => Expr::Binary('%', Box::new(variable), Box::new(Expr::Length(Box::new(locks)))),
                None => variable,
            },
            _ => variable,
        }
    }

    fn item(&mut self, name: &str, index: &Expr) -> Option<Expr> {
        Some(Expr::Item(Box::new(self.array_named(name)?), Box::new(index.clone())))
    }

    /// A field of the objects in `buckets`.
    fn item_field(&mut self) -> Option<FieldRef> {
        let class = self.source.classes[MADE].fields.iter().find_map(|field| match field.ty {
            Ty::Array(class) => Some(class),
            _ => None,
        })?;
        Some((class, self.rng.usize(..self.source.classes[class].fields.len())))
    }

    /// A statement that uses elements.
    pub(super) fn element_statement(&mut self, place: Place) -> Option<Kind> {
        if self.class != MADE || !self.chance(45) {
            return None;
        }
        let index = self.index();
        let is_deep = place.depth >= 3;
        match self.rng.u8(..12) {
            0..=4 if !is_deep => {
                let name = self.pick(&["locks", "locks", "buckets"]);
                let called = if self.chance(40) { self.lock_of(&index) } else { None };
                let lock = called.or_else(|| self.item(name, &index))?;
                let mut body = Vec::new();
                for _ in 0..self.rng.usize(1..=2) {
                    let inner = if self.chance(75) { index.clone() } else { self.index() };
                    body.extend(self.access(&inner).map(|kind| Stmt { line: 0, kind }));
                }
                if body.is_empty() || self.chance(40) {
                    body.extend(self.block(place));
                }
                Some(Kind::Synchronized(lock, body))
            }
            5 if self.chance(30) => {
                let name = self.pick(&["locks", "buckets"]);
                let array = self.array_named(name)?;
                let value = match name {
                    "locks" => Expr::NewObject,
                    _ => Expr::New(self.item_field()?.0),
                };
                Some(Kind::SetItem(array, index, value))
            }
            6 => {
                let variable = *self.variables(|ty| ty == Ty::Int).first()?;
                let by = self.pick(&['+', '-', '%']);
                let number = if by == '%' { 2 } else { 1 };
                let value = Expr::Binary(by, Box::new(Expr::Variable(variable)), Box::new(Expr::Int(number)));
                Some(Kind::Set(variable, value))
            }
            _ => self.access(&index),
        }
    }

    /// A read or a write of an element, or of what it holds.
    fn access(&mut self, index: &Expr) -> Option<Kind> {
        let cells = self.pick(&["cells", "items"]);
        Some(match self.rng.u8(..6) {
            0 | 1 => Kind::SetElement(self.array_named(cells)?, index.clone(), self.int(1)),
            2 => {
                let element = Expr::Element(Box::new(self.array_named(cells)?), Box::new(index.clone()));
                Kind::Eval(element, Some(Ty::Int))
            }
            3 | 4 => {
                let field = self.item_field()?;
                let bucket = self.item("buckets", index)?;
                Kind::SetField(bucket, field, self.int(1))
            }
            _ => {
                let field = self.item_field()?;
                let bucket = self.item("buckets", index)?;
                Kind::Eval(Expr::Increment(Box::new(bucket), field), Some(Ty::Int))
            }
        })
    }

    /// One of few conditions.
    pub(super) fn repeated(&mut self) -> Cond {
        let int = self.variables(|ty| ty == Ty::Int).first().map_or(Expr::Int(0), |it| Expr::Variable(*it));
        let object = self.variables(|ty| ty == Ty::Class(MADE)).first().copied();
        let flag = self.variables(|ty| ty == Ty::Boolean).first().copied();
        let rank = self.source.classes[MADE].fields.iter().position(|field| field.name == "rank");
        let can_have_rank = self.class == MADE && self.has_receiver();
        match (self.rng.u8(..8), object, flag, rank) {
            (0 | 1, Some(object), _, _) => Cond::IsNull(Expr::Variable(object)),
            (2 | 3, Some(object), _, Some(rank)) if can_have_rank => {
                let of = |object: Expr| Expr::Field(Box::new(object), (MADE, rank));
                let (one, other) = (of(Expr::This), of(Expr::Variable(object)));
                let how = self.pick(&['<', '=']);
                if self.rng.bool() { Cond::Compare(how, one, other) } else { Cond::Compare(how, other, one) }
            }
            (4, _, Some(flag), _) => Cond::Test(Expr::Variable(flag)),
            (5, Some(object), _, _) if can_have_rank => Cond::Same(Expr::This, Expr::Variable(object)),
            (kind, ..) => Cond::Compare(if kind % 2 == 0 { '<' } else { '=' }, int, Expr::Int(1)),
        }
    }
}
