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
mod made;
mod statements;
mod statics;
mod values;

use super::source::{Expr, Field, FieldRef, Initial, Kind, Method, Source, Stmt, Ty};
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

    fn variables(&self, fits: impl Fn(Ty) -> bool) -> Vec<usize> {
        self.current().variables().enumerate().filter(|(_, ty)| fits(*ty)).map(|(index, _)| index).collect()
    }

    /// Whether an object of one class is one of the other.
    fn is_a(&self, class: usize, of: usize) -> bool {
        self.source.superclasses(class).any(|class| class == of)
    }
}
