//! The net under proofs notices accesses that a model lacks: one access after the other is removed from the record of
//! small classes; and without any record, it finds exactly the marked lines of two classes.

use asercheck::isolate::{
    Claim, Covered, NotIsolated, Subject, Uncovered, changes_of_process, isolate_client, uncovered,
};
use asercheck::java::{ClassId, Program};
use asercheck_bench::analysis::{load, with_clients};
use std::path::{Path, PathBuf};

/// Number of removed accesses for each class, at most.
const MOST_REMOVED: usize = 12;

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("models/java/features")
}

#[derive(Debug, Default)]
struct Count {
    subjects: usize,
    removed: usize,
    /// Removed accesses that the net justifies without the record.
    justified: Vec<String>,
    /// Classes whose complete record the net calls incomplete.
    holes: Vec<String>,
}

fn remove_accesses(program: &Program, random: &mut fastrand::Rng) -> Count {
    let mut count = Count::default();
    let classes: Vec<ClassId> = program.classes().map(|(id, _)| id).collect();
    with_clients(program, |analysis| {
        for class in classes {
            let subject = Subject { class, claim: Claim::Named };
            let Ok(isolated) = isolate_client(analysis, &subject, &|| false) else { continue };
            let covered = isolated.covered.expect("clients use it");
            let name = program.class_name(class);
            let before = uncovered(analysis, &subject, &covered);
            count.subjects += 1;
            count.holes.extend((!before.is_empty()).then(|| format!("{name}: {before:?}")));
            let mut places: Vec<usize> = (0..covered.len()).collect();
            random.shuffle(&mut places);
            for place in places.into_iter().take(MOST_REMOVED) {
                count.removed += 1;
                if uncovered(analysis, &subject, &covered.without(place)) == before {
                    count.justified.push(format!("{name}: {}", covered.place(program, place)));
                }
            }
        }
    });
    count
}

#[test]
fn removed_accesses_are_noticed() {
    let count = remove_accesses(&load(folder().join("classes")), &mut fastrand::Rng::with_seed(53));
    let (justified, holes) = (count.justified.len(), count.holes.len());
    println!("{count:#?}, {justified} justified, {holes} with holes");
    assert!(count.subjects > 300 && count.removed > 1_000, "{count:#?}");
    assert!(justified * 25 < count.removed && holes * 6 < count.subjects, "{count:#?}");
}

/// Returns the uncovered accesses of a class whose record has no accesses, or all of them.
fn of_class(name: &str, change: impl Fn(Covered) -> Covered) -> Vec<Uncovered> {
    let files = [folder().join(format!("classes/features/{name}.class"))];
    let (program, _) = Program::load(&files, &[], &asercheck::java::Limits::default());
    let class = program.find(&format!("features.{name}")).expect("the class is there");
    let subject = Subject { class, claim: Claim::Named };
    with_clients(&program, |analysis| {
        let isolated = isolate_client(analysis, &subject, &|| false).expect("it has a model");
        uncovered(analysis, &subject, &change(isolated.covered.expect("clients use it")))
    })
}

#[test]
fn units_that_are_not_queried_are_noticed() {
    let found = of_class("AgreeFinalS", |covered| covered.without_queried());
    assert!(!found.is_empty());
    assert!(found.iter().all(|unit| unit.what.contains("a call by clients")), "{found:#?}");
}

#[test]
fn changes_of_the_process_are_noticed() {
    let found = |name: &str| {
        let files = [folder().join(format!("classes/features/{name}.class"))];
        let (program, _) = Program::load(&files, &[], &asercheck::java::Limits::default());
        let class = program.find(&format!("features.{name}")).expect("the class is there");
        let subject = Subject { class, claim: Claim::Named };
        with_clients(&program, |analysis| changes_of_process(analysis, &subject))
    };
    let broken = found("ProcessStateB");
    assert!(matches!(&broken[..], [one] if one.what.contains("`System.setProperty`")), "{broken:#?}");
    assert!(found("ProcessStateS").is_empty());
}

#[test]
fn objects_that_clients_give_back_are_noticed() {
    let files = [folder().join("classes/features/GivenBackB.class")];
    let (program, _) = Program::load(&files, &[], &asercheck::java::Limits::default());
    let subject = Subject { class: program.find("features.GivenBackB").expect("the class"), claim: Claim::Named };
    let found = with_clients(&program, |analysis| match isolate_client(analysis, &subject, &|| false) {
        Ok(isolated) => uncovered(analysis, &subject, &isolated.covered.expect("clients use it")),
        Err(NotIsolated::NothingToViolate(_, covered)) => {
            uncovered(analysis, &subject, &covered.expect("clients use it"))
        }
        Err(why) => panic!("{why:?}"),
    });
    assert!(found.iter().any(|access| access.what.contains("`List.add`")), "{found:#?}");
    assert!(of_class("GivenBackS", |covered| covered).is_empty());
}
