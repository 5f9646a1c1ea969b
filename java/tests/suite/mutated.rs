//! Mutated class files and archives: nothing panics, and all derived bodies and facts are correct.

use crate::builder::archive;
use crate::models;
use crate::temporary::Folder;
use java::{Limits, Member, Program};
use std::time::{Duration, Instant};

/// Calls all queries of a program.
pub fn exercise(program: &Program) {
    for (id, class) in program.classes() {
        let _ = (program.supertypes(id), program.subtypes(id), program.missing_supertype(id), program.class_name(id));
        let _ = (program.nest_host(id), program.origin(class.origin).to_string(), program.extends(id, class.name));
        for field in class.fields().map(|field| program.field(field)) {
            let member = Member { class: class.name, name: field.name, descriptor: field.descriptor };
            let _ = (program.resolve_field(member), program.field_type(field.descriptor));
        }
        for id in class.methods() {
            let method = program.method(id);
            let member = Member { class: class.name, name: method.name, descriptor: method.descriptor };
            let _ = (program.resolve_method(member), program.overriders(id));
            if let Ok(Some(body)) = program.body(id, &|| false) {
                java::ir::verify(&body).unwrap_or_else(|flaw| panic!("{flaw}\n{}", body.display(program)));
                crate::facts::check(&body);
            }
            let Ok(Some(code)) = program.code(id) else { continue };
            let stacks = program.stacks(&code);
            let _ = program.declared_stacks(id, &code);
            for (index, instruction) in code.instructions() {
                let _ = (code.successors(index), code.line(index), program.effect(&code, instruction));
                let _ = (
                    code.handlers_at(index).count(),
                    stacks.as_ref().map(|stacks| stacks.before(index).map(Iterator::count)),
                );
            }
        }
    }
    let _ = program.instantiated();
}

/// Changes, removes or duplicates some bytes.
fn mutate(bytes: &mut Vec<u8>, random: &mut fastrand::Rng) {
    for _ in 0..random.usize(1..=4) {
        if bytes.is_empty() {
            return;
        }
        let at = random.usize(..bytes.len());
        let end = bytes.len().min(at + random.usize(1..=8));
        match random.u8(..8) {
            0..=2 => bytes[at] = random.u8(..),
            3 => bytes[at] ^= 1 << random.u8(..8),
            4 => bytes[at] = *random.choice(&[0, 1, 0x7F, 0x80, 0xFE, 0xFF]).expect("the list is not empty"),
            5 => bytes.truncate(at),
            6 => {
                bytes.drain(at..end);
            }
            _ => {
                let doubled = bytes[at..end].to_vec();
                bytes.splice(at..at, doubled);
            }
        }
    }
}

fn class_files() -> Vec<Vec<u8>> {
    let mut open = vec![models()];
    let mut found = Vec::new();
    while let Some(path) = open.pop() {
        if path.is_dir() {
            open.extend(std::fs::read_dir(path).expect("it can be read").map(|entry| entry.expect("it exists").path()));
        } else if path.extension().is_some_and(|extension| extension == "class") {
            found.push(std::fs::read(path).expect("it can be read"));
        }
    }
    assert!(found.len() > 10);
    found.sort();
    // Random code with subroutines is mutated as well.
    let mut random = fastrand::Rng::with_seed(7);
    found.extend((0..40).map(|_| crate::machine::random::class(&mut random).build()));
    found
}

/// Loads mutated class files and archives. Nothing may panic or take long.
fn fuzz(seed: u64, count: usize) {
    let mut random = fastrand::Rng::with_seed(seed);
    let folder = Folder::new();
    let classes = class_files();
    let names: Vec<String> = (0..4).map(|number| format!("some/folder/{number}.class")).collect();
    let (mut read, mut damaged) = (0, 0);
    for number in 0..count {
        let is_archive = number % 2 == 1;
        let mut bytes = match is_archive {
            false => random.choice(&classes).expect("the list is not empty").clone(),
            true => {
                let entries = names
                    .iter()
                    .map(|name| (name.as_str(), &**random.choice(&classes).expect("the list is not empty")));
                archive(&entries.collect::<Vec<_>>())
            }
        };
        mutate(&mut bytes, &mut random);
        let path = folder.write(if is_archive { "a.jar" } else { "a.class" }, &bytes);
        let start = Instant::now();
        let (program, diagnostics) = Program::load(&[path], &[], &Limits::default());
        exercise(&program);
        assert!(start.elapsed() < Duration::from_secs(10), "seed {seed}, number {number}");
        read += usize::from(program.classes().len() > 0);
        damaged += usize::from(!diagnostics.is_empty());
    }
    eprintln!("seed {seed}: {count} mutated files, {read} with a readable class, {damaged} with a diagnostic");
    assert!(read > count / 4 && damaged > count / 4);
}

#[test]
fn mutated_files_cause_no_panic() {
    fuzz(1, 3000);
}

/// `cargo test --release -p asercheck-java -- --ignored mutated`
#[test]
#[ignore = "minutes"]
fn many_mutated_files_cause_no_panic() {
    (100..120).for_each(|seed| fuzz(seed, 10_000));
}
