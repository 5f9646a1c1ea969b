//! Programs whose classes share static fields.
//!
//! `Made` has static fields of all kinds, which are used by itself, by `Other`, by `Derived`, which extends it, and by
//! `Made$View` inside it. `Other` has one of its own, extends `Base`, which uses none and whose methods it overrides,
//! and is a `Runnable`.

use super::super::source::{Class, Expr, Field, FieldRef, Initial, Kind, Stmt, Ty};
use super::{Discipline, MADE, Maker};

const BASE: usize = 1;
/// It is a `Runnable`.
pub(super) const OTHER: usize = 2;

impl Maker {
    pub(super) fn static_classes(&mut self) {
        for (name, superclass) in [("Made", None), ("Base", None), ("Other", Some(BASE))] {
            self.source.classes.push(Class { name: name.to_string(), superclass, ..Class::default() });
        }
        self.source.classes[OTHER].is_task = true;
        self.field(MADE, "x", Ty::Int, Initial::Default);
        self.static_fields_of_made();
        for number in 0..self.rng.usize(2..=4) {
            let mut method = self.signature(MADE, &format!("m{number}"));
            method.is_public |= number == 0;
            self.source.classes[MADE].methods.push(method);
        }
        let mut overridden = self.signature(BASE, "b0");
        (overridden.is_public, overridden.is_static) = (true, false);
        self.source.classes[BASE].methods.push(overridden.clone());
        // What it does in `Base` does not matter, as long as it uses no static fields.
        let nothing = Kind::Eval(Expr::Int(0), Some(Ty::Int));
        self.source.classes[BASE].methods[0].body = vec![Stmt { line: 0, kind: nothing }];
        if self.chance(60) {
            overridden.body = Vec::new();
            overridden.is_synchronized = self.chance(35);
            self.source.classes[OTHER].methods.push(overridden);
        }
        let mut run = self.signature(OTHER, "run");
        (run.parameters, run.result, run.is_static, run.is_public) = (Vec::new(), None, false, true);
        self.source.classes[OTHER].methods.push(run);
        for number in 0..self.rng.usize(1..=2) {
            let method = self.signature(OTHER, &format!("o{number}"));
            self.source.classes[OTHER].methods.push(method);
        }
        let total = self.named("total");
        for class in [MADE, OTHER] {
            if self.chance(25) {
                let more = Expr::Binary('+', Box::new(Expr::Static(total)), Box::new(Expr::Int(1)));
                let set = Kind::SetStatic(total, more);
                self.source.classes[class].constructor = vec![Stmt { line: 0, kind: set }];
            }
        }
        if self.chance(50) {
            self.derived();
        }
        if self.chance(40) {
            self.view();
        }
    }

    fn static_fields_of_made(&mut self) {
        self.field(MADE, "total", Ty::Int, Initial::Default).is_static = true;
        if self.chance(50) {
            self.field(MADE, "sum", Ty::Int, Initial::Default).is_static = true;
        }
        if self.chance(30) {
            self.field(MADE, "shared", Ty::Class(MADE), Initial::New).is_static = true;
        }
        if self.chance(30) {
            let is_final = self.chance(50);
            let field = self.field(MADE, "ITEMS", Ty::Ints, Initial::New);
            field.is_static = true;
            (field.is_final, field.is_volatile) = (is_final, field.is_volatile && !is_final);
        }
        if self.discipline == Discipline::Field || self.chance(30) {
            self.finally(MADE, "GLOBAL", Ty::Object, Initial::New).is_static = true;
        }
        for (percent, name, ty) in [(30, "COUNT", Ty::Atomic), (25, "LOCK", Ty::Lock), (20, "NAMES", Ty::List)] {
            if self.chance(percent) {
                self.finally(MADE, name, ty, Initial::New).is_static = true;
            }
        }
        // A lock that changes is none.
        if self.chance(20) {
            self.field(MADE, "MUTEX", Ty::Object, Initial::New).is_static = true;
        }
        if self.chance(30) {
            self.field(OTHER, "extra", Ty::Int, Initial::Default).is_static = true;
        }
    }

    /// The static fields of all classes but for `Base`, which uses none.
    pub(super) fn statics(&self, fits: impl Fn(&Field) -> bool) -> Vec<FieldRef> {
        if !self.has_statics || self.class == BASE {
            return Vec::new();
        }
        let classes = 0..self.source.classes.len();
        let all = classes.flat_map(|class| (0..self.source.classes[class].fields.len()).map(move |it| (class, it)));
        all.filter(|field| self.source.field(*field).is_static && fits(self.source.field(*field))).collect()
    }

    /// A static field, so often if there is one that fits.
    pub(super) fn one_static(&mut self, percent: u8, fits: impl Fn(&Field) -> bool) -> Option<FieldRef> {
        let all = self.statics(fits);
        let is_wanted = !all.is_empty() && self.chance(percent);
        is_wanted.then(|| self.pick(&all))
    }

    /// The statements of a public method of `Made`, as the discipline wants them.
    pub(super) fn disciplined(&self, is_static: bool, body: Vec<Stmt>) -> Vec<Stmt> {
        let lock = match self.discipline {
            // A method that is static and synchronized has it.
            Discipline::Methods if !is_static => Expr::ClassObject(MADE),
            Discipline::Field => Expr::Static(self.named("GLOBAL")),
            Discipline::Methods | Discipline::None => return body,
        };
        vec![Stmt { line: 0, kind: Kind::Synchronized(lock, body) }]
    }
}
