//! Names in class files of Scala, where the access flags do not tell: members and classes that only compiler-generated
//! code uses are public there.

use java::{ClassId, MethodId, Program};

/// The separator between a class and a private member that others have to reach: `package$Class$$member`.
const EXPANDED: &str = "$$";

/// The part of a class name that marks closures, up to Scala 2.11.
const CLOSURE: &str = "$$anonfun$";

/// Whether a method is private in the source: in its class, or in a trait whose state its class holds.
pub(crate) fn is_private_method(program: &Program, method: MethodId) -> bool {
    let declared = program.method(method);
    let name = program.text(declared.name);
    let is_of = |class: ClassId| is_private_member(name, program.text(program.class(class).name));
    name.contains(EXPANDED) && (is_of(declared.class) || program.supertypes(declared.class).into_iter().any(is_of))
}

/// Whether a name marks a member as private in a class of this name, with `/` between packages.
fn is_private_member(name: &str, class: &str) -> bool {
    let rest = class.split('/').enumerate().try_fold(name, |name, (index, part)| {
        let name = if index > 0 { name.strip_prefix('$')? } else { name };
        name.strip_prefix(part)
    });
    rest.and_then(|rest| rest.strip_prefix(EXPANDED)).is_some_and(|member| !member.is_empty())
}

/// Whether a class is that of a closure, which has no name in the source.
pub(super) fn is_closure(class: &str) -> bool {
    class.contains(CLOSURE)
}

#[cfg(test)]
mod tests {
    use super::{is_closure, is_private_member};

    #[test]
    fn names_of_members_have_their_class_in_front() {
        assert!(is_private_member("sc$Tally$$sum", "sc/Tally"));
        assert!(is_private_member("a$b$C$D$$x_$eq", "a/b/C$D"));
        for other in ["sum", "sc$Tally$sum", "sc$Tally$$", "sc$Other$$sum", "$$sum"] {
            assert!(!is_private_member(other, "sc/Tally"), "{other}");
        }
    }

    #[test]
    fn closures_have_no_name() {
        assert!(is_closure("sc/Tally$$anonfun$add$1") && !is_closure("sc/Tally"));
    }
}
