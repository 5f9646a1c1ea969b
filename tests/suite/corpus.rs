//! The corpus of models with known answers, on every engine.

use crate::suite::support::{describe, model, path, pattern_queries, violations};
use asercheck::Engine;
use asercheck::phases::UnitMode;
use std::collections::BTreeSet;

/// Checks every model of the corpus with an engine.
fn check_corpus(engine: Engine) {
    let mut models: Vec<_> = std::fs::read_dir(path("corpus"))
        .expect("the corpus is there")
        .map(|entry| entry.expect("the folder can be read").path())
        .filter(|path| path.extension().is_some_and(|extension| extension == "eml"))
        .collect();
    models.sort();
    assert!(models.len() >= 40, "the corpus is complete");
    for file in models {
        let model = model(&file);
        for (units, extension) in [(UnitMode::Both, "both"), (UnitMode::First, "first")] {
            let expected = std::fs::read_to_string(file.with_extension(extension)).expect("the answers are there");
            let expected: BTreeSet<_> = expected.lines().map(str::to_string).collect();
            let queries = pattern_queries(&model, units);
            let asked: BTreeSet<_> = queries.iter().map(|query| describe(&model, query)).collect();
            assert!(expected.is_subset(&asked), "{}: every violated query is asked", file.display());
            let found: BTreeSet<_> = violations(&model, &queries, engine).into_iter().collect();
            assert_eq!(found, expected, "{} with {engine}, {extension}", file.display());
        }
    }
}

#[test]
fn symbolic() {
    check_corpus(Engine::Symbolic);
}

#[test]
fn explicit() {
    check_corpus(Engine::Explicit);
}

#[test]
fn kahlon_gupta() {
    check_corpus(Engine::KahlonGupta);
}

#[test]
fn interleave() {
    check_corpus(Engine::Interleave);
}
