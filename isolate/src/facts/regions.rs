//! Regions and alias classes: the followed objects besides the subject's.
//!
//! The objects reachable from the subject's object `o` are divided into *alias classes* along the points-to graph: an
//! abstract object is in one class, and two objects of different classes are different. A *region* is one object of a
//! class that is followed exactly:
//!
//! - the subject's object;
//! - an *anchored* object: the value of an unchanging field of a region. It is known wherever it is loaded from there;
//! - the *representative* of a class: an arbitrary object of it. A reference into the class is split once for each
//!   value: the representative, or another object.
//!
//! Locations belong to alias classes, locks to regions.
//!
//! **Invariant.** If an execution accesses a field of a followed object, then the model accesses the location of the
//! object's class; if two regions are one object, they are of one class. *Why it suffices.* The representative of a
//! class represents each of its objects in turn, so a proof for it holds for each of them. Merging two classes merges
//! their locations and only adds conflicts. Two names of one lock only add interleavings.
//!
//! If there are more classes than [`MOST`], the deepest objects form one class with one location,
//! [`Location::Deep`](crate::value::Location::Deep), without locks. So no object in it is anchored: a region there
//! would only name a lock.

mod lookup;

use super::heap::Heap;
use super::narrowed::{narrowed, nest};
use super::objects::ObjectKind;
use crate::value::{AliasId, RegionId};
use crate::{Rule, Stuck};
use java::points_to::{Field, ObjectId, SetKey, TypeId};
use java::{ClassId, FieldId, Program};
use rustc_hash::FxHashMap;
use std::cell::RefCell;
use std::collections::hash_map::Entry;
use std::collections::{BTreeSet, VecDeque};
use std::rc::Rc;

/// Maximum number of distinct alias classes.
const MOST: usize = 48;

/// An alias class: objects that may be the same.
#[derive(Clone, Debug)]
pub(crate) struct Alias {
    /// The first path to it, for reports: empty for the subject, `cells[]`.
    pub(crate) path: String,
    /// The class that declares the first field of the path.
    pub(crate) declaring: Option<ClassId>,
    /// The abstract objects.
    pub(crate) objects: Vec<ObjectId>,
    /// The topmost program class, if it has external objects.
    pub(crate) root: Option<ClassId>,
    /// Its representative, once created.
    pub(crate) representative: Option<RegionId>,
    /// The classes and fields from which it is reached.
    sources: BTreeSet<(AliasId, Field)>,
    /// Its distance from the subject when it was found, in fields.
    depth: usize,
}

/// A followed object.
#[derive(Clone, Debug)]
pub(crate) struct Region {
    pub(crate) alias: AliasId,
    /// The region and its unchanging field that hold it.
    pub(crate) anchor: Option<(RegionId, FieldId)>,
    /// Its name in reports.
    pub(crate) name: String,
    /// Its class, if there is only one.
    pub(crate) class: Option<ClassId>,
    /// The abstract objects that it may be.
    pub(crate) objects: Vec<ObjectId>,
}

/// The points-to sets of the fields of an alias class, without duplicates.
#[derive(Clone, Debug, Default)]
struct HeldSets {
    /// Number of objects of the class that are explored.
    explored: usize,
    /// For each field, its sets, each with one object that holds it.
    sets: FxHashMap<Field, FxHashMap<SetKey, ObjectId>>,
}

/// Points-to sets of fields, by alias class.
type Held = FxHashMap<(AliasId, Field), Rc<[ObjectId]>>;

/// The followed objects of a subject.
#[derive(Clone, Debug)]
pub(crate) struct Regions {
    pub(crate) aliases: Vec<Alias>,
    pub(crate) regions: Vec<Region>,
    alias_of_object: FxHashMap<ObjectId, AliasId>,
    alias_of_root: FxHashMap<ClassId, AliasId>,
    /// For types queried so far, the alias classes whose root may have an object of the type. Queried only after
    /// [`Self::explore`], which adds roots; [`Self::merge`] keeps them up to date.
    aliases_of_type: RefCell<FxHashMap<TypeId, Rc<[AliasId]>>>,
    /// Whether objects may be of a class, as far as queried: after [`Self::explore`]. [`Self::merge`] forgets it.
    is_followed: RefCell<FxHashMap<ObjectId, bool>>,
    /// The points-to sets of fields of classes, as far as queried: after [`Self::explore`], and forgotten by
    /// [`Self::merge`].
    held: RefCell<Held>,
    /// The classes of the objects of a set, as far as queried: after [`Self::explore`].
    aliases_of_set: FxHashMap<SetKey, Rc<[AliasId]>>,
    /// The sets that objects of classes hold. Objects are only appended to a class; a class that is merged into another
    /// has none.
    held_sets: FxHashMap<AliasId, HeldSets>,
    anchored: FxHashMap<(RegionId, FieldId), RegionId>,
    /// The regions that unchanging static fields hold.
    static_regions: FxHashMap<FieldId, RegionId>,
    deep: Option<AliasId>,
    /// The paths of holders of objects that clients pass by a universal type, which are not followed.
    universal_paths: BTreeSet<String>,
    /// The objects of the program that contents of clients hold, by the types to which the code narrows them.
    narrowed: Vec<ObjectId>,
    /// Whether objects of the subjects of the run are not followed.
    stops_at_subjects: bool,
    /// Whether such an object is not followed.
    pub(crate) omits_subjects: bool,
}

/// Whether an object is a container. Program objects have no content of their own.
fn has_content(heap: &Heap<'_>, object: ObjectId) -> bool {
    match heap.kind_of(object) {
        ObjectKind::Library(_) | ObjectKind::Array => true,
        ObjectKind::External(of) => heap.points.class_of(of).is_none(),
        _ => false,
    }
}

/// Whether an object of clients is of a class that they cannot name, and no subclass is public: clients have none, by
/// [`ProgramCallers`](Rule::ProgramCallers). Not if it is an exception: code that is not given may throw it again.
fn is_of_no_client(heap: &Heap<'_>, object: ObjectId) -> bool {
    let ObjectKind::External(of) = heap.kind_of(object) else { return false };
    let is_public = |class: ClassId| heap.program.class(class).flags.is_public();
    let is_hidden = |class| !heap.program.subtypes(class).into_iter().any(is_public);
    let throwable = heap.points.type_named("java/lang/Throwable");
    let is_thrown = || throwable.is_some_and(|throwable| heap.points.is_subtype(of, throwable));
    heap.modality.omits(Rule::ProgramCallers) && heap.points.class_of(of).is_some_and(is_hidden) && !is_thrown()
}

/// Fails if the computation is cancelled.
fn check_cancelled(is_cancelled: &dyn Fn() -> bool) -> Result<(), Stuck> {
    if is_cancelled() { Err(Stuck::Cancelled) } else { Ok(()) }
}

impl Regions {
    /// The objects of a class, and the objects reached from them. Linear in the points-to graph that is reached.
    ///
    /// # Errors
    /// If it is cancelled.
    pub(crate) fn of_class(heap: &Heap<'_>, class: ClassId, is_cancelled: &dyn Fn() -> bool) -> Result<Self, Stuck> {
        let mut found = Self::of_nest(heap, class);
        let root = heap.root(class);
        let subject = found.add(String::new(), None, 0, Some(root));
        for object in heap.objects_of(class) {
            found.put(subject, object);
        }
        found.regions.push(Region {
            alias: subject,
            anchor: None,
            name: "this".into(),
            class: Some(class),
            objects: Vec::new(),
        });
        found.aliases[subject.index()].representative = Some(RegionId::SUBJECT);
        found.alias_of_root.insert(root, subject);
        found.explore(heap, VecDeque::from([subject]), is_cancelled)?;
        found.anchor_all(heap, is_cancelled)?;
        Ok(found)
    }

    /// The objects reached from static fields: from those that the class declares, and from others. The subject's
    /// region represents no object.
    ///
    /// An object that only other fields lead to, and not directly, is not followed if its class is a subject of the
    /// run: its state is asked about there, and is not part of each class that finds it in a registry.
    ///
    /// # Errors
    /// If it is cancelled.
    pub(crate) fn of_statics(
        heap: &Heap<'_>,
        class: ClassId,
        fields: &[FieldId],
        is_cancelled: &dyn Fn() -> bool,
    ) -> Result<Self, Stuck> {
        let mut found = Self::of_nest(heap, class);
        let none = found.add(String::new(), None, 0, None);
        found.regions.push(Region { alias: none, anchor: None, name: "this".into(), class: None, objects: Vec::new() });
        found.aliases[none.index()].representative = Some(RegionId::SUBJECT);
        let program = heap.program;
        for is_own in [true, false] {
            let mut open = VecDeque::new();
            found.stops_at_subjects = false;
            for field in fields.iter().filter(|field| (program.field(**field).class == class) == is_own) {
                let declared = program.field(*field);
                let path = (program.text(declared.name), Some(declared.class), 1);
                found.enter(heap, heap.static_field(*field), path, (AliasId(0), Field::Declared(*field)), &mut open);
            }
            found.stops_at_subjects = !is_own;
            found.explore(heap, open, is_cancelled)?;
        }
        for field in fields.iter().filter(|field| heap.is_unchanging(**field)) {
            found.anchor_static(heap, *field);
        }
        found.anchor_all(heap, is_cancelled)?;
        Ok(found)
    }

    /// Creates the region that an unchanging static field holds, if it is followed; merges the classes of its possible
    /// values.
    fn anchor_static(&mut self, heap: &Heap<'_>, field: FieldId) {
        let held = heap.static_field(field);
        let classes = self.classes_of(heap, held.iter().copied());
        let is_deep = classes.iter().any(|class| self.is_deep(*class));
        let Some(alias) = classes.first().copied().filter(|_| !is_deep) else { return };
        classes.iter().skip(1).for_each(|other| self.merge(alias, *other));
        let name = format!("this.{}", heap.program.text(heap.program.field(field).name));
        let class = heap.only_class(&held);
        let region = self.push(Region { alias, anchor: None, name, class, objects: held });
        self.static_regions.insert(field, region);
        let alias = &mut self.aliases[alias.index()];
        if alias.sources.len() == 1 && alias.representative.is_none() {
            alias.representative = Some(region);
        }
    }

    /// The region that an unchanging static field always holds.
    pub(crate) fn static_region(&self, field: FieldId) -> Option<RegionId> {
        self.static_regions.get(&field).copied()
    }

    /// Creates the representatives of all classes, and the regions of all unchanging fields of regions. All merges of
    /// classes happen here, before anything is interpreted.
    fn anchor_all(&mut self, heap: &Heap<'_>, is_cancelled: &dyn Fn() -> bool) -> Result<(), Stuck> {
        let mut done = 0;
        loop {
            while let Some(region) = self.regions.get(done) {
                let objects = self.aliases[region.alias.index()].objects.clone();
                let fields = match (region.class, done) {
                    (Some(class), _) => heap.unchanging_fields(class),
                    (None, _) => heap.unchanging_fields_of(&objects),
                };
                let id = RegionId(u16::try_from(done).expect("their number is bounded"));
                for field in fields {
                    check_cancelled(is_cancelled)?;
                    self.anchored(heap, id, field, heap.is_owned(field));
                }
                done += 1;
            }
            // Merged classes have lost their representatives. Each round has one class less or one representative more.
            let lacks = |alias: &Alias| alias.representative.is_none() && !alias.objects.is_empty();
            let Some(alias) = self.aliases.iter().position(lacks) else { return Ok(()) };
            self.make_representative(heap, AliasId(u16::try_from(alias).expect("their number is bounded")));
        }
    }

    /// No objects yet, for a subject of this class.
    fn of_nest(heap: &Heap<'_>, class: ClassId) -> Self {
        let superclasses = heap.program.superclasses(class).collect();
        let narrowed = narrowed(heap, &nest(heap.program, &superclasses));
        Self { narrowed, ..Self::empty() }
    }

    fn empty() -> Self {
        Self {
            aliases: Vec::new(),
            regions: Vec::new(),
            alias_of_object: FxHashMap::default(),
            alias_of_root: FxHashMap::default(),
            aliases_of_type: RefCell::default(),
            is_followed: RefCell::default(),
            held: RefCell::default(),
            aliases_of_set: FxHashMap::default(),
            held_sets: FxHashMap::default(),
            anchored: FxHashMap::default(),
            static_regions: FxHashMap::default(),
            deep: None,
            universal_paths: BTreeSet::new(),
            narrowed: Vec::new(),
            stops_at_subjects: false,
            omits_subjects: false,
        }
    }

    fn add(&mut self, path: String, declaring: Option<ClassId>, depth: usize, root: Option<ClassId>) -> AliasId {
        let id = AliasId(u16::try_from(self.aliases.len()).expect("their number is bounded"));
        self.aliases.push(Alias {
            path,
            declaring,
            objects: Vec::new(),
            root,
            representative: None,
            sources: BTreeSet::new(),
            depth,
        });
        id
    }

    fn put(&mut self, alias: AliasId, object: ObjectId) {
        if self.alias_of_object.insert(object, alias).is_none() {
            self.aliases[alias.index()].objects.push(object);
        }
    }

    /// Explores the points-to graph breadth first: nearer objects get classes of their own first.
    ///
    /// A class is queued again when it gets a new object. Only its unexplored objects are explored: the fields of an
    /// object do not depend on other objects, and a second visit would find everything known, from the same sources.
    /// Escaped objects share one set for each field, so for each class and field each set is entered once, for the same
    /// reason. So the time is linear in the fields of all objects reached, and in the sets.
    fn explore(
        &mut self,
        heap: &Heap<'_>,
        mut open: VecDeque<AliasId>,
        is_cancelled: &dyn Fn() -> bool,
    ) -> Result<(), Stuck> {
        while let Some(alias) = open.pop_front() {
            let Alias { path, declaring, depth, .. } = &self.aliases[alias.index()];
            let (path, declaring, depth) = (path.clone(), *declaring, *depth);
            for (object, field) in self.new_held_sets(heap, alias) {
                check_cancelled(is_cancelled)?;
                let name = heap.field_name(&path, field);
                let declaring = declaring.or_else(|| match field {
                    Field::Declared(field) => Some(heap.program.field(field).class),
                    Field::Content | Field::Captured(_) => None,
                });
                let is_omitted =
                    field == Field::Content && (heap.is_thread_local(object) || heap.omits_content(object));
                if is_omitted || alias == AliasId(0) && self.is_of_subclass(heap, field) {
                    continue;
                }
                let mut held = heap.field(object, field);
                let is_content = matches!(field, Field::Content);
                let is_one = !is_content || has_content(heap, object);
                if is_one && held.iter().any(|object| heap.is_universal(*object)) {
                    self.universal_paths.insert(name.clone());
                    held.extend(is_content.then_some(&self.narrowed).into_iter().flatten());
                }
                self.omit_parts_of_others(heap, field, &mut held);
                self.enter(heap, held, (&name, declaring, depth + 1), (alias, field), &mut open);
            }
        }
        Ok(())
    }

    /// Omits the parts of objects that are not followed, by [`NewParts`](Rule::NewParts): if a field may hold a part
    /// that a followed object owns, it holds none that a field of another class owns. Such sets arise where one class,
    /// like an iterator, is used with the parts of several classes.
    fn omit_parts_of_others(&self, heap: &Heap<'_>, field: Field, held: &mut Vec<ObjectId>) {
        if held.len() < 2 || !heap.modality.omits(Rule::NewParts) {
            return;
        }
        let is_own = |object: &ObjectId, owner: FieldId| {
            let alias = self.alias_of_object.get(object).map(|alias| &self.aliases[alias.index()]);
            alias.is_some_and(|alias| alias.sources.iter().any(|(_, by)| *by == Field::Declared(owner)))
        };
        let owners: Vec<Option<FieldId>> = held.iter().map(|object| heap.owner(*object)).collect();
        if held.iter().zip(&owners).any(|(object, owner)| owner.is_some_and(|owner| is_own(object, owner))) {
            let mut owners = owners.into_iter();
            held.retain(|object| {
                let is_kept = |owner| field == Field::Declared(owner) || is_own(object, owner);
                owners.next().flatten().is_none_or(is_kept)
            });
        }
    }

    /// Adds the objects that a field holds to alias classes.
    fn enter(
        &mut self,
        heap: &Heap<'_>,
        held: Vec<ObjectId>,
        (name, declaring, depth): (&str, Option<ClassId>, usize),
        source: (AliasId, Field),
        open: &mut VecDeque<AliasId>,
    ) {
        for object in held {
            for followed in heap.followed(object) {
                let by_root = followed.root.and_then(|root| self.alias_of_root.get(&root).copied());
                if by_root.is_some_and(|alias| {
                    source.1 != heap.owner(object).map_or(source.1, Field::Declared)
                        && self.is_part_of_others(heap, alias, object)
                }) {
                    continue;
                }
                let known = self.alias_of_object.get(&followed.object).copied().or(by_root);
                if let Some(known) = known {
                    self.aliases[known.index()].sources.insert(source);
                }
                let is_known = self.alias_of_object.contains_key(&followed.object);
                if is_known || self.is_of_sibling(heap, known, object) || is_of_no_client(heap, object) {
                    continue;
                }
                if known.is_none() && self.stops_at_subjects && heap.is_of_subject(object, followed.root) {
                    self.omits_subjects = true;
                    continue;
                }
                let alias = known.or(self.deep).unwrap_or_else(|| {
                    let alias = self.add(name.to_string(), declaring, depth, followed.root);
                    if self.aliases.len() > MOST {
                        self.deep = Some(alias);
                    }
                    alias
                });
                if let Some(root) = followed.root {
                    self.alias_of_root.entry(root).or_insert(alias);
                }
                self.aliases[alias.index()].sources.insert(source);
                self.put(alias, followed.object);
                // A new object of a known class may hold further objects.
                open.push_back(alias);
            }
        }
    }

    /// Whether a field belongs to no object of the subject's class, but to some of its superclasses' objects, by
    /// [`OtherObjects`](Rule::OtherObjects).
    fn is_of_subclass(&self, heap: &Heap<'_>, field: Field) -> bool {
        let Field::Declared(field) = field else { return false };
        let declaring = heap.program.field(field).class;
        let is_inherited = |class: ClassId| heap.program.superclasses(class).any(|above| above == declaring);
        heap.modality.omits(Rule::OtherObjects) && self.regions[0].class.is_some_and(|class| !is_inherited(class))
    }

    /// Whether an object is in the subject's alias class and of another class than the subject, so that its parts are
    /// none of the subject's by [`OtherObjects`](Rule::OtherObjects): a field of a superclass leads to the objects of
    /// all its subclasses.
    fn is_of_sibling(&self, heap: &Heap<'_>, known: Option<AliasId>, object: ObjectId) -> bool {
        let is_other = |class: ClassId| match heap.kind_of(object) {
            ObjectKind::External(of) => !heap.fits(class, of),
            _ => heap.only_class(&[object]).is_some_and(|of| of != class),
        };
        known == Some(AliasId(0))
            && heap.modality.omits(Rule::OtherObjects)
            && self.regions[0].class.is_some_and(is_other)
    }

    /// The followed objects.
    pub(crate) fn objects(&self) -> impl Iterator<Item = ObjectId> {
        self.alias_of_object.keys().copied()
    }

    /// The paths of holders of objects that clients pass by a universal type.
    pub(crate) fn universal_paths(&self) -> impl Iterator<Item = &str> {
        self.universal_paths.iter().map(String::as_str)
    }

    /// The number of objects in the class of the deepest objects.
    pub(crate) fn count_deep(&self) -> usize {
        self.deep.map_or(0, |deep| self.alias_of_object.values().filter(|alias| **alias == deep).count())
    }

    /// The classes and fields from which the objects of a class are reached.
    pub(crate) fn sources(&self, alias: AliasId) -> impl Iterator<Item = &(AliasId, Field)> {
        self.aliases[alias.index()].sources.iter()
    }

    /// The representative of a class with objects.
    pub(crate) fn representative(&self, alias: AliasId) -> RegionId {
        self.aliases[alias.index()].representative.expect("each class with objects has one")
    }

    /// Creates the representative of a class.
    fn make_representative(&mut self, heap: &Heap<'_>, alias: AliasId) {
        let path = &self.aliases[alias.index()].path;
        let name = format!("this.{path}");
        let class = heap.only_class(&self.aliases[alias.index()].objects);
        let objects = self.aliases[alias.index()].objects.clone();
        let region = self.push(Region { alias, anchor: None, name, class, objects });
        self.aliases[alias.index()].representative = Some(region);
    }

    fn push(&mut self, region: Region) -> RegionId {
        let id = RegionId(u16::try_from(self.regions.len()).expect("their number is bounded"));
        self.regions.push(region);
        id
    }

    /// The region that an unchanging field of a region holds, created on first use, if it is followed; merges the
    /// classes of its possible values.
    fn anchored(&mut self, heap: &Heap<'_>, holder: RegionId, field: FieldId, owned: bool) -> Option<RegionId> {
        if let Some(known) = self.anchored.get(&(holder, field)) {
            return Some(*known);
        }
        let of_holder = self.regions[holder.index()].alias;
        if self.is_deep(of_holder) {
            return None;
        }
        if self.regions.len() > 4 * MOST {
            return None;
        }
        let sets = self.sets_of(heap, of_holder, Field::Declared(field));
        let mut classes: Vec<AliasId> = Vec::new();
        for (set, object) in &sets {
            classes.extend(self.aliases_of_set(heap, *set, (*object, Field::Declared(field))).iter());
        }
        classes.sort_unstable();
        classes.dedup();
        let first = match classes.first() {
            Some(first) => *first,
            // An object that is not followed has an identity all the same: it may be a lock.
            None if self.aliases.len() < 4 * MOST => {
                let path =
                    self.regions[holder.index()].name.trim_start_matches("this").trim_start_matches('.').to_string();
                let name = heap.field_name(&path, Field::Declared(field));
                self.add(name, Some(heap.program.field(field).class), 0, None)
            }
            None => return None,
        };
        // Merging would unite all deep objects with near ones.
        if classes.iter().any(|class| self.is_deep(*class) || *class == AliasId(0)) {
            return None;
        }
        for other in classes.iter().skip(1) {
            self.merge(first, *other);
        }
        let parent = &self.regions[holder.index()].name;
        let name = format!("{parent}.{}", heap.program.text(heap.program.field(field).name));
        let mut held: Vec<ObjectId> =
            sets.iter().flat_map(|(_, object)| heap.field(*object, Field::Declared(field))).collect();
        held.sort_unstable();
        held.dedup();
        if let Some(part) = self.only_part(heap, first, &held) {
            self.anchored.insert((holder, field), part);
            return Some(part);
        }
        let class = heap.only_class(&held);
        let region = self.push(Region { alias: first, anchor: Some((holder, field)), name, class, objects: held });
        self.anchored.insert((holder, field), region);
        let is_part = owned && self.is_part_of_representative(heap, (of_holder, holder), (first, field));
        let alias = &mut self.aliases[first.index()];
        // If the class is reached on other paths, too, the representative may be another object than the one in the
        // field, so it must not always have the field's lock.
        let is_only_path = alias.sources.len() == 1 && (owned || self.regions[holder.index()].anchor.is_none());
        if (is_only_path || is_part) && alias.representative.is_none() {
            alias.representative = Some(region);
        }
        Some(region)
    }

    /// Whether all objects of a class are parts that one field owns, and the region that holds the field represents its
    /// class: by [`NewParts`](Rule::NewParts), each path to such an object leads to the part of this region.
    fn is_part_of_representative(
        &self,
        heap: &Heap<'_>,
        (of_holder, holder): (AliasId, RegionId),
        (of_part, field): (AliasId, FieldId),
    ) -> bool {
        heap.modality.omits(Rule::NewParts)
            && self.aliases[of_holder.index()].representative == Some(holder)
            && self.aliases[of_part.index()].objects.iter().all(|object| heap.owner(*object) == Some(field))
    }

    /// The region to which a field leads that holds objects of a class and no views of them, if each path leads to it
    /// by [`NewParts`](Rule::NewParts).
    fn only_part(&self, heap: &Heap<'_>, alias: AliasId, held: &[ObjectId]) -> Option<RegionId> {
        if held.iter().any(|object| matches!(heap.kind_of(*object), ObjectKind::View(..))) {
            return None;
        }
        let part = self.aliases[alias.index()].representative?;
        let (holder, field) = self.regions[part.index()].anchor?;
        let of_holder = self.regions[holder.index()].alias;
        self.is_part_of_representative(heap, (of_holder, holder), (alias, field)).then_some(part)
    }

    /// Explores the unexplored objects of a class: returns each set newly found in a field, as an object that holds it
    /// and the field. Linear in the fields of these objects.
    fn new_held_sets(&mut self, heap: &Heap<'_>, alias: AliasId) -> Vec<(ObjectId, Field)> {
        let known = self.held_sets.entry(alias).or_default();
        let new = &self.aliases[alias.index()].objects[known.explored..];
        known.explored += new.len();
        let mut found = heap.fields_of(new);
        found.retain(|(object, field)| {
            let of_field = known.sets.entry(*field).or_default();
            match of_field.entry(heap.points.field(*object, *field).key()) {
                Entry::Vacant(entry) => {
                    entry.insert(*object);
                    true
                }
                Entry::Occupied(_) => false,
            }
        });
        found
    }

    /// The sets that a field of a class may hold, each with an object that holds it.
    fn sets_of(&mut self, heap: &Heap<'_>, alias: AliasId, field: Field) -> Vec<(SetKey, ObjectId)> {
        self.new_held_sets(heap, alias);
        let of_field = self.held_sets.get(&alias).and_then(|known| known.sets.get(&field));
        let mut sets: Vec<(SetKey, ObjectId)> =
            of_field.into_iter().flatten().map(|(set, object)| (*set, *object)).collect();
        sets.sort_unstable_by_key(|(_, object)| *object);
        sets
    }

    /// The classes of the objects of a set, which is the value of this field of this object.
    fn aliases_of_set(&mut self, heap: &Heap<'_>, set: SetKey, (object, field): (ObjectId, Field)) -> Rc<[AliasId]> {
        if let Some(known) = self.aliases_of_set.get(&set) {
            return known.clone();
        }
        let found: Rc<[AliasId]> = self.classes_of(heap, heap.field(object, field).into_iter()).into();
        self.aliases_of_set.insert(set, found.clone());
        found
    }

    /// The classes of some objects.
    fn classes_of(&self, heap: &Heap<'_>, objects: impl Iterator<Item = ObjectId>) -> Vec<AliasId> {
        let mut found: Vec<AliasId> = objects.flat_map(|object| self.alias_of(heap, object)).map(|it| it.0).collect();
        found.sort_unstable();
        found.dedup();
        found
    }

    /// Merges two classes. Their representatives lose this role: one of them may be the value of a field, or of a class
    /// to which not all objects belong. The subject's object keeps it, as its class distinguishes it.
    fn merge(&mut self, into: AliasId, from: AliasId) {
        self.is_followed.get_mut().clear();
        self.held.get_mut().clear();
        let moved = std::mem::take(&mut self.aliases[from.index()].objects);
        for object in &moved {
            self.alias_of_object.insert(*object, into);
        }
        self.aliases[into.index()].objects.extend(moved);
        let sources = std::mem::take(&mut self.aliases[from.index()].sources);
        self.aliases[into.index()].sources.extend(sources);
        let of_from = self.aliases[from.index()].representative.take();
        let known = self.aliases[into.index()].representative.into_iter().chain(of_from);
        self.aliases[into.index()].representative = known.into_iter().find(|region| *region == RegionId::SUBJECT);
        self.alias_of_root.values_mut().filter(|alias| **alias == from).for_each(|alias| *alias = into);
        self.held_sets.remove(&from);
        let of_types = self.aliases_of_type.get_mut().values_mut();
        for known in of_types.chain(self.aliases_of_set.values_mut()).filter(|known| known.contains(&from)) {
            let mut merged: Vec<AliasId> =
                known.iter().map(|alias| if *alias == from { into } else { *alias }).collect();
            merged.sort_unstable();
            merged.dedup();
            *known = merged.into();
        }
        self.regions.iter_mut().filter(|region| region.alias == from).for_each(|region| region.alias = into);
    }

    /// Whether a region is the only object of its kind that the subject's object reaches: unchanging fields lead to it
    /// from the subject or from a static field.
    pub(crate) fn is_unique(&self, region: RegionId) -> bool {
        let mut at = region;
        while let Some((holder, _)) = self.regions[at.index()].anchor {
            at = holder;
        }
        at == RegionId::SUBJECT || self.static_regions.values().any(|held| *held == at)
    }

    /// The existing region anchored at a field.
    pub(crate) fn known_anchor(&self, holder: RegionId, field: FieldId) -> Option<RegionId> {
        self.anchored.get(&(holder, field)).copied()
    }

    /// The class of a region.
    pub(crate) fn alias(&self, region: RegionId) -> AliasId {
        self.regions[region.index()].alias
    }

    /// Whether this is the class of the deepest objects.
    pub(crate) fn is_deep(&self, alias: AliasId) -> bool {
        self.deep == Some(alias)
    }

    /// The full name of a location of a class.
    pub(crate) fn full_path(
        &self,
        program: &Program,
        class: ClassId,
        alias: AliasId,
        field: Option<FieldId>,
    ) -> String {
        let Alias { path, declaring, .. } = &self.aliases[alias.index()];
        let declaring = declaring.or(field.map(|field| program.field(field).class)).unwrap_or(class);
        let rest = field.map(|field| program.text(program.field(field).name));
        let parts = [
            Some(program.class_name(declaring)),
            Some(path.clone()).filter(|path| !path.is_empty()),
            rest.map(str::to_string),
        ];
        parts.into_iter().flatten().collect::<Vec<_>>().join(".")
    }
}
