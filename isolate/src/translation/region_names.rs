//! Names of regions and locations in reports.

use crate::exec::interpreter::Interpreter;
use crate::facts::objects::ObjectKind;
use crate::graph::Naming;
use crate::value::{AliasId, Location, RegionId};
use java::points_to::ObjectId;

/// The classes of locks that their holder may acquire again.
const REENTRANT: [&str; 2] =
    ["java/util/concurrent/locks/ReentrantLock", "java/util/concurrent/locks/ReentrantReadWriteLock"];

impl Naming for Interpreter<'_> {
    fn region(&self, region: RegionId) -> String {
        self.regions.regions[region.index()].name.clone()
    }

    fn alias(&self, alias: AliasId) -> String {
        let path = &self.regions.aliases[alias.index()].path;
        if path.is_empty() { "this".into() } else { format!("this.{path}") }
    }

    fn is_reentrant(&self, region: RegionId) -> bool {
        let kind = |object: ObjectId| match self.heap.kind_of(object) {
            ObjectKind::View(of, _) => self.heap.kind_of(of),
            kind => kind,
        };
        let is_one = |object: &ObjectId| match kind(*object) {
            ObjectKind::Library(class) => REENTRANT.contains(&class),
            _ => false,
        };
        let objects = &self.regions.regions[region.index()].objects;
        !objects.is_empty() && objects.iter().all(is_one)
    }

    fn full_location(&self, location: Location) -> String {
        let program = self.heap.program;
        let class = self.mode.class;
        match location {
            Location::Field(alias, field) => self.regions.full_path(program, class, alias, Some(field)),
            Location::Content(alias) | Location::Element(alias, _) => {
                format!("{}[]", self.regions.full_path(program, class, alias, None))
            }
            Location::Static(field) => {
                let declared = program.field(field);
                format!("{}.{}", program.class_name(declared.class), program.text(declared.name))
            }
            Location::Deep => format!("{}.*", program.class_name(class)),
        }
    }

    fn is_guessed(&self, location: Location) -> bool {
        self.notes.guessed.contains(&location)
    }

    fn is_synchronized(&self, location: Location) -> bool {
        match location {
            Location::Field(_, field) | Location::Static(field) => self.heap.program.field(field).flags.is_volatile(),
            Location::Content(alias) => {
                let alias = &self.regions.aliases[alias.index()];
                alias.root.is_none() && alias.objects.iter().all(|object| self.heap.is_concurrent(*object))
            }
            Location::Element(..) | Location::Deep => false,
        }
    }
}
