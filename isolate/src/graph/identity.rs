//! Stable identities of units of work for fingerprints: they do not change when other parts of the program change.
//!
//! The identity of most units is the full name. Compilers number lambdas and anonymous classes, so their names change
//! when another one is inserted before them. Their identity is the name without its numbers, the supertypes of the
//! anonymous class, and the methods that the code calls and the fields that it accesses, in the order of the code.
//!
//! *Invariant.* The units of one model have different identities: if several would have the same, all but the first one
//! get an ordinal.

use super::names::{full_name, printable};
use crate::value::Value;
use java::{Instruction, Member, MethodId, Program};
use std::collections::BTreeMap;
use std::fmt::Write;

/// Returns the identities of units, given as methods with their arguments, in the same order.
pub(super) fn identities(program: &Program, units: &[(MethodId, &[Value])]) -> Vec<String> {
    let mut order: Vec<usize> = (0..units.len()).collect();
    // The compiler numbers lambdas in the order of the source, and so do the ordinals.
    order.sort_by_key(|place| units[*place].0);
    let mut known: BTreeMap<String, usize> = BTreeMap::new();
    let mut identities = vec![String::new(); units.len()];
    for place in order {
        let (method, arguments) = units[place];
        let mut identity = identity(program, method, arguments);
        let count = known.entry(identity.clone()).or_default();
        *count += 1;
        if *count > 1 {
            let _ = write!(identity, " #{count}");
        }
        identities[place] = identity;
    }
    identities
}

/// Returns the identity of a method for any arguments.
pub(super) fn method_identity(program: &Program, method: MethodId) -> String {
    identity_of(program, method, printable(&program.method_name(method)).into_owned())
}

fn identity(program: &Program, method: MethodId, arguments: &[Value]) -> String {
    identity_of(program, method, full_name(program, method, arguments))
}

/// Returns the identity of a unit with this full name and the code of a method.
fn identity_of(program: &Program, method: MethodId, full: String) -> String {
    let declared = program.method(method);
    let class = program.class(declared.class);
    if !(is_lambda(program, method) || class.is_anonymous) {
        return full;
    }
    let mut identity = without_numbers(&full);
    if class.is_anonymous {
        let supertypes = class.superclass.iter().chain(&class.interfaces);
        supertypes.for_each(|name| identity.push_str(&format!(" {}", program.text(*name))));
    }
    for access in member_accesses(program, method) {
        let _ = write!(identity, " {}", without_numbers(&access));
    }
    identity
}

/// Whether a method is the compiled body of a lambda: `lambda$main$1` in Java, `main$lambda$1` in Kotlin,
/// `$anonfun$main$1` in Scala.
fn is_lambda(program: &Program, method: MethodId) -> bool {
    let declared = program.method(method);
    let name = program.text(declared.name);
    declared.flags.is_synthetic() && ["lambda", "anonfun"].iter().any(|known| name.contains(known))
}

/// Returns the methods that the code of a method calls and the fields that it accesses; none if the code is damaged.
fn member_accesses(program: &Program, method: MethodId) -> Vec<String> {
    let Ok(Some(code)) = program.code(method) else { return Vec::new() };
    let member = |member: Member| format!("{}.{}", program.text(member.class), program.text(member.name));
    let access = |(_, instruction)| match instruction {
        Instruction::Invoke(_, called) => Some(format!("call {}", member(called))),
        Instruction::GetField(field) | Instruction::GetStatic(field) => Some(format!("read {}", member(field))),
        Instruction::PutField(field) | Instruction::PutStatic(field) => Some(format!("write {}", member(field))),
        _ => None,
    };
    code.instructions().filter_map(access).collect()
}

/// Removes the numbers after a `$` from a name: `lambda$main$1` becomes `lambda$main$`.
fn without_numbers(name: &str) -> String {
    let mut plain = String::with_capacity(name.len());
    let mut is_number = false;
    for letter in name.chars() {
        is_number = (is_number || plain.ends_with('$')) && letter.is_ascii_digit();
        if !is_number {
            plain.push(letter);
        }
    }
    plain
}

#[cfg(test)]
mod tests {
    use super::without_numbers;

    #[test]
    fn compiler_numbers_are_removed() {
        for (name, plain) in [
            ("a.B.lambda$main$12(I)V", "a.B.lambda$main$(I)V"),
            ("B$1.run()V", "B$.run()V"),
            ("B$2Local.x1()V", "B$Local.x1()V"),
            ("main$lambda$3$lambda$4", "main$lambda$$lambda$"),
            ("plain7.name2", "plain7.name2"),
        ] {
            assert_eq!(without_numbers(name), plain);
        }
    }
}
