//! Traces seen from one object of the subject and one other object.

use super::acceptor::{Access, Support, Symbol};
use super::names::{Locations, LockName, Part, lock};
use super::sharing::{Key, Root, Sharing, Touch};
use super::trace::{Event, Kind, ObjectId, Run, Unit};
use asercheck::model::Model;
use std::collections::BTreeSet;

/// The object K of a projection beside the subject, and its assumed alias class.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Other {
    /// The object; none for a projection to the subject alone.
    pub object: Option<ObjectId>,
    /// The element of an array whose elements the model distinguishes.
    pub index: Option<u32>,
    /// The path of the alias class; none if the model has no such class.
    pub alias: Option<String>,
}

/// Data of all projections of a run.
#[derive(Clone, Copy, Debug)]
pub struct View<'a> {
    /// The recorded run.
    pub run: &'a Run,
    /// The object of the subject.
    pub root: &'a Root,
    /// The accesses of the units.
    pub sharing: &'a Sharing,
    /// The locations of the model.
    pub locations: &'a Locations,
    /// The subject's final fields.
    pub finals: &'a BTreeSet<String>,
}

/// A projected trace, each symbol with the number of its event.
pub type Projected = Vec<(Symbol, usize)>;

impl View<'_> {
    /// Returns the projected trace of a unit.
    pub fn project(&self, unit: usize, other: &Other) -> Projected {
        let touches = &self.sharing.touches[unit];
        let mut found = Vec::new();
        for (number, event) in self.run.units[unit].events.iter().enumerate() {
            let here = touches.iter().filter(|touch| touch.event == number);
            let accesses: Vec<Access> = here.filter_map(|touch| self.required(touch, other)).collect();
            match event {
                Event::Take(object, hold) => found.push((Symbol::Take(*object, *hold), number)),
                Event::Give(object, hold) => found.push((Symbol::Give(*object, *hold), number)),
                Event::GiveAll(object) => found.push((Symbol::GiveAll(*object), number)),
                Event::Begin(_, containers) => found.push((Symbol::Begin(containers.clone(), accesses), number)),
                Event::End(..) => found.push((Symbol::End, number)),
                _ => found.extend(accesses.into_iter().map(|access| (Symbol::Access(access), number))),
            }
        }
        found
    }

    /// Returns the access that the model must have for a real one.
    fn required(&self, touch: &Touch, other: &Other) -> Option<Access> {
        if touch.is_optional {
            return None;
        }
        let is_root = match touch.key.object() {
            Some(object) => *self.root == Root::Object(object),
            None => true,
        };
        let alias = match touch.key.object() {
            _ if is_root => Some(""),
            Some(object) if other.object == Some(object) => other.alias.as_deref(),
            _ => return None,
        };
        let has_elements = alias.is_some_and(|alias| self.locations.has_elements(alias));
        let part = match &touch.key {
            Key::Field(_, field) | Key::Static(field) => Part::Field(field.clone()),
            Key::Content(_) if !has_elements => Part::Content,
            Key::Element(_, index) if has_elements && other.index == Some(*index) => Part::Element,
            Key::Content(_) | Key::Element(..) => return None,
        };
        let locations = alias.map(|alias| self.locations.at(alias, &part)).unwrap_or_default();
        let is_final = matches!(&part, Part::Field(name) if self.finals.contains(name));
        let is_known = is_root && !is_final && self.locations.are_written(&locations);
        let is_required = is_known || self.sharing.is_shared(&touch.key);
        is_required.then_some(Access { locations, allowed: touch.allowed })
    }

    /// Returns the objects of the model's locks at the beginning of a unit.
    pub fn supports(&self, model: &Model, unit: usize, other: &Other) -> Vec<Support> {
        let unit = &self.run.units[unit];
        model.locks().iter().map(|of| self.support(&lock(of.name()), unit, other)).collect()
    }

    fn support(&self, name: &LockName, unit: &Unit, other: &Other) -> Support {
        let known = |objects: BTreeSet<ObjectId>| match objects.is_empty() {
            true => Support::Anything,
            false if objects.iter().any(|object| self.run.objects[object].is_synchronized()) => {
                // A call on a wrapper works on the container inside, which may be K.
                let inside = objects.iter().flat_map(|object| unit.graph.held(*object)).map(|(_, held)| *held);
                Support::Monitors(inside.chain(objects.iter().copied()).collect())
            }
            false => Support::Objects(objects),
        };
        match name {
            LockName::Path(path) if path.is_empty() => {
                let object = if let Root::Object(object) = self.root { Some(*object) } else { None };
                Support::Objects(object.into_iter().collect())
            }
            LockName::Path(path) => known(self.at(path, unit, other)),
            LockName::Class(class) => Support::Objects(self.class(class).into_iter().collect()),
            LockName::Static(class, field) => {
                let held = self.class(class).map(|class| unit.graph.at(class, field));
                known(held.unwrap_or_default())
            }
            LockName::Operations(path) => {
                let path = path.as_deref();
                Support::Operations(path.map(|path| self.at(path, unit, other)).unwrap_or_default())
            }
            LockName::Literal => Support::Anything,
        }
    }

    /// The objects at the end of a path, and K, if it is one of them.
    fn at(&self, path: &str, unit: &Unit, other: &Other) -> BTreeSet<ObjectId> {
        let from = self.root.object();
        let mut found = from.map(|from| unit.graph.at(from, path)).unwrap_or_default();
        found.extend(other.object.filter(|_| other.alias.as_deref() == Some(path)));
        found
    }

    /// The class object of a class with this simple name.
    fn class(&self, simple: &str) -> Option<ObjectId> {
        let is_it = |class: &str| class.rsplit('.').next() == Some(simple);
        let mut objects = self.run.objects.iter();
        objects.find(|(_, object)| object.kind == Kind::Class && is_it(&object.class)).map(|(id, _)| *id)
    }
}
