//! Flags whose every use in the program is a step of the protocol of a spin lock.
//!
//! **Definition.** A *flag* is an `AtomicBoolean` or `AtomicInteger` that the program makes with the value 0, and that
//! neither clients nor the library get. Every call on it in the program is one of these, with constants as arguments:
//!
//! - a compare-and-set of 0 to another number;
//! - a get-and-set of a number other than 0;
//! - a set to 0.
//!
//! For findings, by rule [`SameLock`], a call may read it as well: a look before the compare-and-set is no use of data.
//!
//! These other numbers are its *taken values*. So its value is always 0 or a taken value. A call that fails to change
//! it from 0 finds *any* taken value, not only its own: a get-and-set that fails returns it and leaves its own. All
//! methods are searched, because the interpreter does not execute those that only constructors call.

use super::heap::Heap;
use super::objects::ObjectKind;
use super::stored::Stored;
use crate::Rule::SameLock;
use java::ir::{Body, Operation, Variable};
use java::library::{Action, Argument, Row};
use java::points_to::{Object, ObjectId};
use java::{InvokeKind, Member, MethodId};
use rustc_hash::FxHashMap;
use std::collections::BTreeSet;

const FLAGS: [&str; 2] = ["java/util/concurrent/atomic/AtomicBoolean", "java/util/concurrent/atomic/AtomicInteger"];

/// Maximum number of taken values of a flag.
const MOST_VALUES: usize = 4;

/// The taken values of objects that may be flags; none of those that are used in another way.
type Candidates = FxHashMap<ObjectId, Option<BTreeSet<i32>>>;

/// A use of a flag.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Use {
    Frees,
    /// Reads it.
    Looks,
    /// Takes it with this value.
    Takes(i32),
    Other,
}

impl Heap<'_> {
    /// The taken values of these objects, if all are flags.
    pub(crate) fn taken_values(&self, objects: &[ObjectId]) -> Option<BTreeSet<i32>> {
        let [exact, with_looks] = &self.shared.flags;
        let flags = match self.modality.omits(SameLock) {
            true => with_looks.get_or_init(|| self.find_flags()),
            false => exact.get_or_init(|| self.find_flags()),
        };
        let mut values = BTreeSet::new();
        for object in objects {
            values.extend(flags.get(object)?);
        }
        (!objects.is_empty()).then_some(values)
    }

    /// All flags with their taken values. Linear in the program if it makes an object that may be a flag.
    fn find_flags(&self) -> FxHashMap<ObjectId, BTreeSet<i32>> {
        let is_candidate = |object: &ObjectId| match self.kind_of(*object) {
            ObjectKind::Library(class) => {
                FLAGS.contains(&class) && !self.points.escapes(*object) && self.starts_free(*object)
            }
            _ => false,
        };
        let candidates = self.points.objects().map(|(object, _)| object).filter(is_candidate);
        let mut flags: Candidates = candidates.map(|object| (object, Some(BTreeSet::new()))).collect();
        if flags.is_empty() {
            return FxHashMap::default();
        }
        let methods = self.program.methods().map(|(method, _)| method);
        for method in methods.filter(|method| self.points.is_reached(*method)) {
            self.note_uses(method, &mut flags);
        }
        flags.into_iter().filter_map(|(object, values)| Some((object, values?))).collect()
    }

    /// Notes the calls on flags in a method, and the calls that give them to the library.
    fn note_uses(&self, method: MethodId, flags: &mut Candidates) {
        let Some(body) = self.body(method) else { return };
        let mut note = |variable: Variable, used: Use| {
            for object in self.variable(method, variable) {
                let Some(values) = flags.get_mut(&object) else { continue };
                match (used, &mut *values) {
                    (Use::Takes(value), Some(known)) => drop(known.insert(value)),
                    (Use::Frees | Use::Looks, _) | (_, None) => {}
                    (Use::Other, Some(_)) => *values = None,
                }
                *values = values.take().filter(|values| values.len() <= MOST_VALUES);
            }
        };
        for statement in body.blocks().flat_map(|(_, block)| &*block.statements) {
            let Operation::Invoke { kind, member, arguments } = &statement.operation else { continue };
            let is_of_program = self.program.resolve_method(*member).found().is_some();
            let is_construction = self.program.is_constructor_name(member.name);
            let receivers = usize::from(*kind != InvokeKind::Static);
            if let (1, Some(receiver)) = (receivers, arguments.first())
                && !is_of_program
                && !is_construction
            {
                note(*receiver, self.use_of_flag(&body, method, *member, arguments));
            }
            if !is_of_program {
                arguments.iter().skip(receivers).for_each(|given| note(*given, Use::Other));
            }
        }
    }

    /// The use of a flag by a call on it.
    fn use_of_flag(&self, body: &Body, method: MethodId, member: Member, arguments: &[Variable]) -> Use {
        let Some(row) = self.row_of_member(member) else { return Use::Other };
        let constant = |argument: &Argument| {
            let given = arguments.get(argument.index() + 1)?;
            match self.evaluate(body, method, *given, None, 3) {
                Stored::Int(number) => Some(number),
                _ => None,
            }
        };
        self.use_by_row(&row, constant)
    }

    /// The use of a flag by a row with these constants as arguments.
    pub(crate) fn use_by_row(&self, row: &Row<'_>, constant: impl Fn(&Argument) -> Option<i32>) -> Use {
        let takes = |new: &Argument| constant(new).filter(|new| *new != 0).map_or(Use::Other, Use::Takes);
        match row.actions {
            [Action::Gets] if self.modality.omits(SameLock) => Use::Looks,
            [Action::Sets(new)] if constant(new) == Some(0) => Use::Frees,
            [Action::GetsAndSets(new)] => takes(new),
            [Action::ComparesAndSets(pairs)] => match &pairs[..] {
                [(expected, new)] if constant(expected) == Some(0) => takes(new),
                _ => Use::Other,
            },
            _ => Use::Other,
        }
    }

    /// Whether all constructors of an object set it to 0.
    fn starts_free(&self, object: ObjectId) -> bool {
        let Object::Made { site, .. } = self.points.object(object) else { return false };
        let Some(body) = self.body(site.method) else { return false };
        let made = body.statement(site.statement).to;
        let statements = body.blocks().flat_map(|(_, block)| &*block.statements);
        let constructions = statements.filter_map(|statement| match &statement.operation {
            Operation::Invoke { kind: InvokeKind::Special, arguments, .. } => {
                Some(&**arguments).filter(|arguments| made.is_some() && arguments.first().copied() == made)
            }
            _ => None,
        });
        let is_zero = |arguments: &[Variable]| match arguments {
            [_] => true,
            [_, initial] => self.evaluate(&body, site.method, *initial, None, 3) == Stored::Int(0),
            _ => false,
        };
        let mut constructions = constructions.peekable();
        constructions.peek().is_some() && constructions.all(is_zero)
    }
}
