//! Types of objects, and the subtype relation.
//!
//! Types are classes of the program, classes that only the library table knows, classes of which only the name is
//! known, and arrays. As supertypes of a class can be missing, the subtype relation has three values:
//!
//! - [`Relation::Yes`] and [`Relation::No`] are certain,
//! - [`Relation::Maybe`] is unknown.
//!
//! A program class whose supertypes are all program classes has no other supertypes. The table names all supertypes of
//! its classes that are in the table, and no class of the table extends a program class.

use crate::class_file::{ClassId, Name, Type};
use crate::library::Library;
use crate::program::Program;
use rustc_hash::{FxHashMap, FxHashSet};

/// The number of a type: a class, an interface or an array.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct TypeId(u32);

impl TypeId {
    /// The class of all objects.
    pub const OBJECT: Self = Self(0);

    /// The number.
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

/// Whether objects of one type are objects of another.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Relation {
    Yes,
    No,
    Maybe,
}

/// The completeness of a list of supertypes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Known {
    /// All supertypes are known.
    All,
    /// The table names them: other supertypes are neither in the table nor program classes.
    Table,
    /// There may be other supertypes.
    Some,
}

/// All supertypes of a class, itself included.
#[derive(Debug)]
struct Supertypes {
    all: Box<[TypeId]>,
    known: Known,
}

#[derive(Debug)]
struct Info {
    text: Box<str>,
    class: Option<ClassId>,
    is_in_table: bool,
    element: Option<TypeId>,
    supertypes: Supertypes,
}

/// All types that were used, interned.
pub(super) struct Types<'p> {
    program: &'p Program,
    library: &'p Library,
    types: Vec<Info>,
    by_text: FxHashMap<Box<str>, TypeId>,
    by_name: FxHashMap<Name, TypeId>,
}

const OBJECT: &str = "java/lang/Object";

/// Returns the element type of an array descriptor, if the elements are objects.
fn element_of(text: &str) -> Option<&str> {
    let element = text.strip_prefix('[')?;
    match element.strip_prefix('L') {
        Some(class) => class.strip_suffix(';'),
        None => element.starts_with('[').then_some(element),
    }
}

/// The supertypes of arrays that are neither arrays nor `Object`.
const OF_ARRAYS: [&str; 2] = ["java/lang/Cloneable", "java/io/Serializable"];

impl<'p> Types<'p> {
    pub(super) fn new(program: &'p Program, library: &'p Library) -> Self {
        let mut types =
            Self { program, library, types: Vec::new(), by_text: FxHashMap::default(), by_name: FxHashMap::default() };
        types.of_text(OBJECT);
        types
    }

    /// Returns the type of a class name or an array descriptor. Also adds all its supertypes and element types.
    pub(super) fn of_text(&mut self, text: &str) -> TypeId {
        if let Some(known) = self.by_text.get(text) {
            return *known;
        }
        let first = self.types.len();
        let id = self.add(text);
        let mut direct = Vec::new();
        while let Some(next) = self.types.get(first + direct.len()) {
            let (names, known) = self.direct_supertypes(next);
            let found: Vec<TypeId> = names.iter().map(|name| self.known_or_add(name)).collect();
            direct.push((found, known));
            let element = element_of(&self.types[first + direct.len() - 1].text).map(str::to_owned);
            self.types[first + direct.len() - 1].element = element.map(|element| self.known_or_add(&element));
        }
        for index in first..self.types.len() {
            self.types[index].supertypes = self.collect(index, first, &direct);
        }
        id
    }

    fn known_or_add(&mut self, text: &str) -> TypeId {
        self.by_text.get(text).copied().unwrap_or_else(|| self.add(text))
    }

    fn add(&mut self, text: &str) -> TypeId {
        let id = TypeId(u32::try_from(self.types.len()).expect("there are fewer types than names"));
        let class = self.program.name(text).and_then(|name| self.program.named(name));
        let is_in_table = !text.starts_with('[') && self.library.has_class(text);
        let supertypes = Supertypes { all: Box::default(), known: Known::All };
        self.types.push(Info { text: text.into(), class, is_in_table, element: None, supertypes });
        self.by_text.insert(text.into(), id);
        id
    }

    /// Returns all supertypes of a type. `direct` has the direct supertypes of the new types, from number `first` on.
    fn collect(&self, index: usize, first: usize, direct: &[(Vec<TypeId>, Known)]) -> Supertypes {
        let id = TypeId(u32::try_from(index).expect("it is a type's number"));
        let mut all = vec![id];
        let mut seen: FxHashSet<TypeId> = [id].into_iter().collect();
        let mut known = Known::All;
        let mut done = 0;
        while let Some(next) = all.get(done).copied() {
            done += 1;
            let (more, are) = match next.index().checked_sub(first) {
                Some(place) => (&direct[place].0[..], direct[place].1),
                None => (&*self.types[next.index()].supertypes.all, self.types[next.index()].supertypes.known),
            };
            known = known.max(are);
            all.extend(more.iter().copied().filter(|supertype| seen.insert(*supertype)));
        }
        if seen.insert(TypeId::OBJECT) {
            all.push(TypeId::OBJECT);
        }
        Supertypes { all: all.into(), known }
    }

    /// Returns the names of a type's direct supertypes.
    fn direct_supertypes(&self, info: &Info) -> (Vec<String>, Known) {
        if *info.text == *OBJECT || info.text.starts_with('[') {
            return (Vec::new(), Known::All);
        }
        if let Some(class) = info.class {
            let class = self.program.class(class);
            let names = class.superclass.iter().chain(&class.interfaces);
            return (names.map(|name| self.program.text(*name).to_owned()).collect(), Known::All);
        }
        match info.is_in_table {
            true => (self.library.like(&info.text).map(str::to_owned).collect(), Known::Table),
            false => (Vec::new(), Known::Some),
        }
    }

    /// Returns the type of a class name or an array descriptor, if it is known.
    pub(super) fn find(&self, text: &str) -> Option<TypeId> {
        self.by_text.get(text).copied()
    }

    /// Returns the type of a name.
    pub(super) fn of_name(&mut self, name: Name) -> TypeId {
        if let Some(known) = self.by_name.get(&name) {
            return *known;
        }
        let id = self.of_text(self.program.text(name));
        self.by_name.insert(name, id);
        id
    }

    /// Returns the type of a reference type; none for primitive ones.
    pub(super) fn of(&mut self, of: Type) -> Option<TypeId> {
        match of {
            Type::Class(name) | Type::Array(name) => Some(self.of_name(name)),
            Type::Boolean
            | Type::Byte
            | Type::Char
            | Type::Short
            | Type::Int
            | Type::Long
            | Type::Float
            | Type::Double => None,
        }
    }

    /// Returns the type of a class.
    pub(super) fn of_class(&mut self, class: ClassId) -> TypeId {
        self.of_name(self.program.class(class).name)
    }

    /// The name of a class, or the descriptor of an array.
    pub(super) fn text(&self, id: TypeId) -> &str {
        &self.types[id.index()].text
    }

    /// The program class, if it is one.
    pub(super) fn class(&self, id: TypeId) -> Option<ClassId> {
        self.types[id.index()].class
    }

    pub(super) fn is_array(&self, id: TypeId) -> bool {
        self.text(id).starts_with('[')
    }

    /// The type of an array's elements, if they are objects.
    pub(super) fn element(&self, id: TypeId) -> Option<TypeId> {
        self.types[id.index()].element
    }

    /// Whether a type is known to be an interface.
    pub(super) fn is_interface(&self, id: TypeId) -> bool {
        let info = &self.types[id.index()];
        match info.class {
            Some(class) => self.program.class(class).flags.is_interface(),
            None => self.library.is_interface(&info.text),
        }
    }

    /// Whether a type is known to be a class or an array.
    fn is_class(&self, id: TypeId) -> bool {
        let info = &self.types[id.index()];
        info.class.is_some() && !self.is_interface(id)
            || info.is_in_table && !self.is_interface(id)
            || self.is_array(id)
    }

    /// Whether a type is known to have no subtypes.
    fn is_final(&self, id: TypeId) -> bool {
        self.class(id).is_some_and(|class| self.program.class(class).flags.is_final())
    }

    /// Whether a type is no program class.
    pub(super) fn is_library(&self, id: TypeId) -> bool {
        self.class(id).is_none()
    }

    /// All supertypes of a type that is no array, itself first.
    pub(super) fn supertypes(&self, id: TypeId) -> &[TypeId] {
        &self.types[id.index()].supertypes.all
    }

    /// Whether the first type is a subtype of the second.
    pub(super) fn relation(&self, of: TypeId, to: TypeId) -> Relation {
        if of == to || to == TypeId::OBJECT {
            return Relation::Yes;
        }
        match (self.is_array(of), self.is_array(to)) {
            (true, true) => self.relation_of_arrays(of, to),
            (true, false) if OF_ARRAYS.contains(&self.text(to)) => Relation::Yes,
            (true, false) | (false, true) => Relation::No,
            (false, false) => self.relation_of_classes(of, to),
        }
    }

    fn relation_of_classes(&self, of: TypeId, to: TypeId) -> Relation {
        let info = &self.types[to.index()];
        let is_known = info.class.is_some() || info.is_in_table;
        let supertypes = &self.types[of.index()].supertypes;
        if supertypes.all.contains(&to) {
            return Relation::Yes;
        }
        match supertypes.known {
            Known::All => Relation::No,
            Known::Table if is_known => Relation::No,
            Known::Table | Known::Some => Relation::Maybe,
        }
    }

    /// Array types are related like their element types, if the elements are objects.
    fn relation_of_arrays(&self, of: TypeId, to: TypeId) -> Relation {
        let (mut of, mut to) = (of, to);
        loop {
            match (self.element(of), self.element(to)) {
                (Some(inner), Some(outer)) if self.is_array(inner) && self.is_array(outer) => (of, to) = (inner, outer),
                // One of them is no array, so the recursion ends there.
                (Some(inner), Some(outer)) => return self.relation(inner, outer),
                (None, None) if of == to => return Relation::Yes,
                (None | Some(_), None) | (None, Some(_)) => return Relation::No,
            }
        }
    }

    /// Whether a library object of one type can be of the other: one may be a subtype of the other, or both are
    /// interfaces.
    pub(super) fn are_in_line(&self, one: TypeId, other: TypeId) -> bool {
        self.relation(one, other) != Relation::No
            || self.relation(other, one) != Relation::No
            || self.is_interface(one) && self.is_interface(other)
    }

    /// Whether an object can be of both types.
    pub(super) fn is_compatible(&self, one: TypeId, other: TypeId) -> bool {
        let (mut one, mut other) = (one, other);
        while self.is_array(one) && self.is_array(other) {
            match (self.element(one), self.element(other)) {
                (Some(inner), Some(outer)) => (one, other) = (inner, outer),
                _ => return one == other,
            }
        }
        if self.relation(one, other) != Relation::No || self.relation(other, one) != Relation::No {
            return true;
        }
        let can_have_subclasses = |types: &Self, id| !types.is_array(id) && !types.is_final(id);
        let are_classes = self.is_class(one) && self.is_class(other);
        !are_classes && can_have_subclasses(self, one) && can_have_subclasses(self, other)
    }
}
