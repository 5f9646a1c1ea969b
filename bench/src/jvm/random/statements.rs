//! Statements, with every construct in every place.

use super::{MADE, Maker, Place, statics};
use crate::jvm::source::{Cond, Expr, Field, Kind, Stmt, Ty};

impl Maker {
    /// One or two statements.
    pub(super) fn block(&mut self, place: Place) -> Vec<Stmt> {
        let place = Place { depth: place.depth + 1, ..place };
        (0..self.rng.usize(1..=2)).flat_map(|_| self.statement(place)).collect()
    }

    /// A statement; it may be written as two.
    pub(super) fn statement(&mut self, place: Place) -> Vec<Stmt> {
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
            26 => self.change_of_list(),
            27 | 28 => match self.array(1) {
                Some(array) => Kind::SetElement(array, self.int(0), self.int(1)),
                None => self.assignment(),
            },
            29..=33 => self.call_alone(),
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
            40..=50 => self.synchronized(place),
            51..=53 => self.locked(place),
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

    /// Adds to a list, or clears it.
    fn change_of_list(&mut self) -> Kind {
        match self.list(1) {
            Some(list) if self.rng.bool() => {
                Kind::Eval(Expr::OfList(Box::new(list), "add", "(Ljava/lang/Object;)Z", true), Some(Ty::Boolean))
            }
            Some(list) => Kind::Eval(Expr::OfList(Box::new(list), "clear", "()V", false), None),
            None => self.assignment(),
        }
    }

    /// A call whose result is not used.
    fn call_alone(&mut self) -> Kind {
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

    /// A block with a monitor, which is sometimes waited on.
    fn synchronized(&mut self, place: Place) -> Kind {
        let lock = self.monitor();
        let mut body = self.block(place);
        if self.rng.u8(..12) == 0 {
            body.push(Stmt { line: 0, kind: Kind::Wait(lock.clone()) });
            body.extend(self.statement(place));
        }
        Kind::Synchronized(lock, body)
    }

    /// A block with a lock, or with a monitor if there is none.
    fn locked(&mut self, place: Place) -> Kind {
        match self.load(1, |field| field.ty == Ty::Lock) {
            Some(lock) => {
                if self.rng.u8(..4) == 0 {
                    Kind::TryLocked(lock, self.block(place), self.block(place))
                } else {
                    Kind::Locked(lock, self.block(place))
                }
            }
            None => Kind::Synchronized(self.monitor(), self.block(place)),
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
}
