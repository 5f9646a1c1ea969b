//! Programs of `Made`, and of classes that it holds, that extend it, or that are inside of it.

use super::{Discipline, MADE, Maker};
use crate::jvm::source::{Class, Cond, Expr, Initial, Kind, Method, Stmt, Ty};

impl Maker {
    /// `Made`, and the classes around it.
    pub(super) fn classes(&mut self) {
        self.source.classes.push(Class { name: "Made".to_string(), ..Class::default() });
        let held = (self.chance(40) || self.has_elements).then(|| {
            self.source.classes.push(Class { name: "Held".to_string(), ..Class::default() });
            1
        });
        let linked = self.references(held);
        let brackets = self.locks();
        self.contents(held);
        self.few_statics();
        if linked {
            self.link();
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

    /// The fields that hold ints and objects of the classes. Gives whether objects of `Made` are linked.
    fn references(&mut self, held: Option<usize>) -> bool {
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
        linked
    }

    /// The fields that hold locks. Gives whether one of them is opened and closed in methods of their own.
    fn locks(&mut self) -> bool {
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
        brackets
    }

    /// The fields that hold atomics, arrays and lists.
    fn contents(&mut self, held: Option<usize>) {
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
    }

    /// Some static fields of `Made`.
    fn few_statics(&mut self) {
        if self.chance(20) {
            self.finally(MADE, "GLOBAL", Ty::Object, Initial::New).is_static = true;
        }
        if self.chance(20) {
            self.field(MADE, "shared", Ty::Class(MADE), Initial::Default).is_static = true;
        }
        if self.chance(10) {
            self.field(MADE, "total", Ty::Int, Initial::Default).is_static = true;
        }
    }

    /// A method that links an object to another one.
    fn link(&mut self) {
        let body = Kind::SetField(Expr::This, self.named("next"), Expr::Variable(0));
        let mut link = self.signature(MADE, "link");
        (link.parameters, link.result, link.is_static, link.is_public) = (vec![Ty::Class(MADE)], None, false, true);
        link.locals.clear();
        link.body = vec![Stmt { line: 0, kind: body }];
        self.source.classes[MADE].methods.push(link);
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

    /// A class inside of `Made`, whose objects know one of it.
    pub(super) fn view(&mut self) {
        let view = self.source.classes.len();
        self.source.classes.push(Class { name: "Made$View".to_string(), ..Class::default() });
        self.finally(view, "of", Ty::Class(MADE), Initial::Given);
        for number in 0..self.rng.usize(1..=2) {
            let mut method = self.signature(view, &format!("v{number}"));
            method.is_public = true;
            self.source.classes[view].methods.push(method);
        }
    }

    /// A class that extends `Made`.
    pub(super) fn derived(&mut self) {
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
}
