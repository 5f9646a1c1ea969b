//! Whether points-to sets and call graphs have what was seen on a virtual machine.

use java::ir::{Operation, StatementId};
use java::points_to::{Field, Object, ObjectId, ObjectSet, PointsTo, Site};
use java::{ClassId, MethodId, Program};

/// An object that was seen: of this class, made by code that is not given, by a method, or who knows where.
struct Seen<'t> {
    class: String,
    maker: Maker<'t>,
}

/// Who made an object.
enum Maker<'t> {
    /// A client.
    Client,
    /// This method of this class.
    Method(String, &'t str),
    /// It is an object of the library or an array, or was not seen when it was made.
    Unknown,
}

/// The facts that an analysis does not have, as they were seen.
pub fn missing(program: &Program, found: &PointsTo<'_>, facts: &str) -> Vec<String> {
    let checker = Checker { program, found };
    facts.lines().filter(|fact| checker.has(fact) == Some(false)).map(str::to_owned).collect()
}

/// How many facts are understood.
pub fn understood(program: &Program, found: &PointsTo<'_>, facts: &str) -> usize {
    let checker = Checker { program, found };
    facts.lines().filter(|fact| checker.has(fact).is_some()).count()
}

struct Checker<'a, 'p> {
    program: &'a Program,
    found: &'a PointsTo<'p>,
}

impl Checker<'_, '_> {
    /// Whether the analysis has a fact; none if it is about nothing that was given.
    fn has(&self, fact: &str) -> Option<bool> {
        let words: Vec<&str> = fact.split(' ').collect();
        match *words.as_slice() {
            ["entered", class, method, ref caller @ ..] => {
                let id = self.method(class, method)?;
                Some(self.found.is_reached(id) && self.is_called(id, caller))
            }
            ["given", class, method, place, ref object @ ..] => {
                let set = self.found.parameter(self.method(class, method)?, place.parse().ok()?);
                Some(self.holds(set, &seen(object)?))
            }
            ["returned", class, method, ref object @ ..] => {
                let set = self.found.result(self.method(class, method)?);
                Some(self.holds(set, &seen(object)?))
            }
            ["field", class, name, ref objects @ ..] => {
                let (holder, value) = two(objects)?;
                let field = Field::Declared(self.field(class, name)?);
                Some(self.objects(&holder).iter().any(|holder| self.holds(self.found.field(*holder, field), &value)))
            }
            ["static", class, name, ref object @ ..] => {
                Some(self.holds(self.found.static_field(self.field(class, name)?), &seen(object)?))
            }
            ["content", "of", "field", class, name, ref objects @ ..] => {
                let (holder, value) = two(objects)?;
                let field = Field::Declared(self.field(class, name)?);
                let mut sets = self.objects(&holder).into_iter().map(|holder| self.found.field(holder, field));
                Some(sets.any(|set| self.content_holds(set, &value)))
            }
            ["content", "of", "static", class, name, ref object @ ..] => {
                let set = self.found.static_field(self.field(class, name)?);
                Some(self.content_holds(set, &seen(object)?))
            }
            _ => None,
        }
    }

    fn class(&self, name: &str) -> Option<ClassId> {
        self.program.find(name)
    }

    fn method(&self, class: &str, method: &str) -> Option<MethodId> {
        let (name, descriptor) = method.split_at(method.find('(')?);
        let [name, descriptor] = [name, descriptor].map(|text| self.program.name(text));
        self.program.declared_method(self.class(class)?, name?, descriptor?)
    }

    fn field(&self, class: &str, name: &str) -> Option<java::FieldId> {
        let mut fields = self.program.class(self.class(class)?).fields();
        fields.find(|field| self.program.text(self.program.field(*field).name) == name)
    }

    /// Whether a caller that was seen calls a method; one that was not given may call what it likes.
    fn is_called(&self, method: MethodId, caller: &[&str]) -> bool {
        let [class, caller, line] = caller else { return true };
        let Some(caller) = self.method(class, caller) else { return true };
        if self.program.text(self.program.method(method).name) == "<clinit>" {
            return true;
        }
        let Ok(Some(body)) = self.program.body(caller, &|| false) else { return false };
        let line: u32 = line.parse().unwrap_or(0);
        let calls = body.blocks().flat_map(|(block, content)| {
            (0..).zip(&content.statements).map(move |(index, statement)| (StatementId { block, index }, statement.line))
        });
        let mut calls = calls.filter(|(_, at)| *at == line);
        calls.any(|(at, _)| {
            self.found.callees(caller, at).is_some_and(|callees| {
                callees.client
                    || callees.unknown
                    || callees.methods.contains(&method)
                    || callees.functions.contains(&method)
            })
        })
    }

    /// The abstract objects that stand for one that was seen.
    fn objects(&self, seen: &Seen<'_>) -> Vec<ObjectId> {
        self.found.objects().map(|(id, _)| id).filter(|id| self.stands_for(*id, seen)).collect()
    }

    fn holds(&self, set: ObjectSet<'_>, seen: &Seen<'_>) -> bool {
        set.iter().any(|object| self.stands_for(object, seen))
    }

    fn content_holds(&self, set: ObjectSet<'_>, seen: &Seen<'_>) -> bool {
        set.iter().any(|object| self.holds(self.found.field(object, Field::Content), seen))
    }

    /// Whether an abstract object stands for one that was seen.
    fn stands_for(&self, object: ObjectId, seen: &Seen<'_>) -> bool {
        let is_of_class = self.is_of(object, &seen.class);
        let (class, method) = match &seen.maker {
            Maker::Method(class, method) => (class, method),
            Maker::Unknown => return is_of_class,
            Maker::Client => return is_of_class && self.found.object(object).is_external(),
        };
        let Some(maker) = self.method(class, method) else { return is_of_class };
        match self.found.object(object) {
            // What a reference to a constructor makes is seen where the reference is used.
            Object::Made { site, .. } => is_of_class && (site.method == maker || self.is_reference(*site)),
            Object::Lambda { site, .. } => site.method == maker && is_of_class,
            Object::External(_) => is_of_class && self.has_escaped(maker, &seen.class),
            Object::Value(_) => is_of_class,
            Object::Literal(_) | Object::Class(_) | Object::Handle { .. } | Object::View { .. } => false,
        }
    }

    fn is_reference(&self, site: Site) -> bool {
        let body = self.program.body(site.method, &|| false);
        let Ok(Some(body)) = body else { return false };
        matches!(body.statement(site.statement).operation, Operation::InvokeDynamic { .. })
    }

    fn has_escaped(&self, maker: MethodId, class: &str) -> bool {
        self.found.objects().any(|(id, object)| {
            object.site().is_some_and(|site| site.method == maker || self.is_reference(site)) && self.is_of(id, class) && self.found.escapes(id)
        })
    }

    fn is_of(&self, object: ObjectId, class: &str) -> bool {
        match self.found.type_named(&class.replace('.', "/")) {
            Some(of) => {
                self.found.may_be(object, of) || self.found.is_subtype(of, self.found.type_of_object(object))
            }
            // A class of which the analysis has never heard can only be that of an external object.
            None => true,
        }
    }
}

/// An object as it was printed.
fn seen<'t>(words: &[&'t str]) -> Option<Seen<'t>> {
    match *words {
        [class, "-"] => Some(Seen { class: class.into(), maker: Maker::Client }),
        [class, "?" | "*"] => Some(Seen { class: class.into(), maker: Maker::Unknown }),
        [class, maker, method] => Some(Seen { class: class.into(), maker: Maker::Method(maker.into(), method) }),
        _ => None,
    }
}

/// Two objects, one after the other.
fn two<'t>(words: &[&'t str]) -> Option<(Seen<'t>, Seen<'t>)> {
    let first = if words.get(1) == Some(&"-") { 2 } else { 3 };
    Some((seen(words.get(..first)?)?, seen(words.get(first..)?)?))
}
