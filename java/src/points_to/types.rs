//! Types of abstract objects: which of them may be of a type.

use super::objects::{Object, ObjectId, Objects};
use crate::class::ClassId;
use crate::descriptor::Type;
use crate::library::Library;
use crate::names::Name;
use crate::program::Program;

/// Whether an object may be of a type: itself narrowed to it, if it is external.
pub(super) fn narrowed(
    program: &Program,
    library: &Library,
    objects: &mut Objects,
    object: ObjectId,
    to: Type,
) -> Option<ObjectId> {
    let is_root = |of: Type| matches!(of, Type::Class(name) if program.text(name) == "java/lang/Object");
    if is_root(to) {
        return Some(object);
    }
    match *objects.get(object) {
        Object::External(of) => match narrower(program, library, of, to)? {
            narrow if narrow == of => Some(object),
            narrow => Some(objects.id(Object::External(narrow))),
        },
        Object::Site(site) => may_be(program, library, site.class, to, site.lambda.is_none()).then_some(object),
        Object::ClassObject(_) => {
            is_named(program, to, &["java/lang/Class", "java/lang/reflect/Type"]).then_some(object)
        }
        Object::Literal(_) => may_be_text(program, to).then_some(object),
        Object::View(..) => Some(object),
    }
}

fn may_be_text(program: &Program, to: Type) -> bool {
    is_named(
        program,
        to,
        &["java/lang/String", "java/lang/CharSequence", "java/lang/Comparable", "java/io/Serializable"],
    )
}

fn is_named(program: &Program, of: Type, names: &[&str]) -> bool {
    matches!(of, Type::Class(name) if names.contains(&program.text(name)))
}

/// The more exact one of two types that an external object has; none if no object has both.
fn narrower(program: &Program, library: &Library, of: Type, to: Type) -> Option<Type> {
    match (of, to) {
        (Type::Class(one), Type::Class(other)) => {
            if is_below(program, library, one, other) {
                return Some(of);
            }
            if is_below(program, library, other, one)
                || is_interface(program, library, other)
                || is_interface(program, library, one)
            {
                return can_have_both(program, one, other).then_some(to);
            }
            // Two classes of which it is not known how they are related.
            (program.named(one).is_none() || program.named(other).is_none()).then_some(to)
        }
        (Type::Array(_), Type::Array(_)) => Some(to),
        (Type::Class(name), Type::Array(_)) => is_supertype_of_arrays(program, name).then_some(to),
        (Type::Array(_), Type::Class(name)) => is_supertype_of_arrays(program, name).then_some(of),
        _ => None,
    }
}

/// Whether a final class rules out that an object is of an interface, too.
fn can_have_both(program: &Program, one: Name, other: Name) -> bool {
    let is_final = |name: Name| program.named(name).is_some_and(|class| program.class(class).flags.is_final());
    let extends = |sub: Name, sup: Name| {
        program.named(sub).is_some_and(|class| program.extends(class, sup) || !program.is_complete(class))
    };
    (!is_final(one) || extends(one, other)) && (!is_final(other) || extends(other, one))
}

fn is_supertype_of_arrays(program: &Program, name: Name) -> bool {
    ["java/lang/Object", "java/lang/Cloneable", "java/io/Serializable"].contains(&program.text(name))
}

fn is_interface(program: &Program, library: &Library, name: Name) -> bool {
    match program.named(name) {
        Some(class) => program.class(class).flags.is_interface(),
        None => library.is_interface(program.text(name)) || !library.has_class(program.text(name)),
    }
}

/// Whether all objects of one class are of another one, as far as that is known.
pub(super) fn is_below(program: &Program, library: &Library, one: Name, other: Name) -> bool {
    if one == other || program.text(other) == "java/lang/Object" {
        return true;
    }
    match program.named(one) {
        Some(class) => program.extends(class, other) || inherited_outside(program, library, class, other),
        None => library.is_subtype(program.text(one), program.text(other)),
    }
}

/// Whether a given class is a subtype by way of classes that are not given.
fn inherited_outside(program: &Program, library: &Library, class: ClassId, other: Name) -> bool {
    program.supertypes(class).into_iter().any(|class| {
        let class = program.class(class);
        let parents = class.superclass.iter().chain(&class.interfaces);
        let mut outside = parents.copied().filter(|name| program.named(*name).is_none());
        outside.any(|name| library.is_subtype(program.text(name), program.text(other)))
    })
}

/// Whether an object that is made as this class may be of a type; of a library's class, a subclass of which nothing is known may be meant.
fn may_be(program: &Program, library: &Library, class: Type, to: Type, is_exact: bool) -> bool {
    match (class, to) {
        (Type::Class(one), Type::Class(other)) => match program.named(one) {
            Some(given) if is_exact => {
                is_below(program, library, one, other)
                    || program.missing_supertype(given).is_some_and(|missing| !library.has_class(program.text(missing)))
            }
            _ => {
                is_below(program, library, one, other)
                    || is_below(program, library, other, one)
                    || is_interface(program, library, other)
                    || is_interface(program, library, one)
            }
        },
        (Type::Array(one), Type::Array(other)) => {
            let depth = |name: Name| program.text(name).bytes().take_while(|byte| *byte == b'[').count();
            let is_reference = |name: Name| program.text(name).trim_start_matches('[').starts_with('L');
            one == other || (is_reference(other) && depth(other) <= depth(one)) || is_reference(one)
        }
        (Type::Array(_), Type::Class(name)) => is_supertype_of_arrays(program, name),
        (Type::Class(_), Type::Array(_)) => false,
        _ => false,
    }
}
