//! Printing and parsing are inverse to each other, up to positions.

use crate::common::syntax as generated;
use asercheck::model::{self, Model, Opened, Operation};
use asercheck::syntax::ast::Program;
use asercheck::syntax::{self, SyntaxError};
use proptest::prelude::*;

fn parse(text: &str) -> Program {
    let failed = |errors: Vec<SyntaxError>| panic!("{errors:?} in\n{text}");
    syntax::parse(text).unwrap_or_else(failed)
}

/// Checks the laws for one tree without positions; returns its text.
fn check(program: &Program) -> String {
    let text = syntax::print(program);
    let again = parse(&text);
    assert_eq!(&again.clone().without_positions(), program, "{text}");
    assert_eq!(syntax::print(&again), text);
    text
}

/// Checks the invariants of every model about the sequences of open locks and units.
fn check_nesting(model: &Model) {
    for procedure in model.procedures() {
        assert!(model.opened(procedure.entry()).is_empty());
    }
    for (id, node) in model.nodes() {
        let mut after: Vec<Opened> = model.opened(id).iter().collect();
        match node.operation {
            Operation::Acquire(lock, mode) => after.insert(0, Opened::Lock(lock, mode)),
            Operation::Begin => after.insert(0, Opened::Unit),
            Operation::Release(lock, mode) => assert_eq!(after.remove(0), Opened::Lock(lock, mode)),
            Operation::End => assert_eq!(after.remove(0), Opened::Unit),
            Operation::Return => assert!(after.is_empty()),
            _ => {}
        }
        let is_return = node.operation == Operation::Return;
        assert_eq!(model.successors(id).is_empty(), is_return);
        for &successor in model.successors(id) {
            assert!(model.opened(successor).iter().eq(after.iter().copied()));
            assert_eq!(model.node(successor).procedure, node.procedure);
        }
    }
}

proptest! {
    #[test]
    fn printed_programs_parse_to_the_same_tree(program in generated::program()) {
        check(&program);
    }

    #[test]
    fn white_space_does_not_matter(program in generated::program()) {
        let text = syntax::print(&program);
        let windows = text.replace('\n', "\r\n");
        prop_assert_eq!(parse(&windows).without_positions(), program);
    }

    #[test]
    fn any_text_is_parsed_or_refused(text in "(read|sync|fn|process|or|x|[{};,:*()]|//|/\\*|\\*/|[ \n]){0,60}") {
        match syntax::parse(&text) {
            Ok(program) => {
                check(&program.without_positions());
            }
            Err(errors) => prop_assert!(!errors.is_empty()),
        }
    }

    #[test]
    fn any_bytes_are_read_or_refused(bytes in proptest::collection::vec(any::<u8>(), 0..200)) {
        if let Err(error) = syntax::Source::from_bytes("bytes", bytes) {
            let rendered = error.diagnostic().render(error.source(), false);
            prop_assert!(!rendered.contains(char::from(27)));
        }
    }

    #[test]
    fn random_programs_resolve_or_have_located_errors(program in generated::program()) {
        let text = syntax::print(&program);
        match model::from_text("random.eml", &text) {
            Ok(loaded) => check_nesting(&loaded.model),
            Err(rejected) => {
                for diagnostic in rejected.diagnostics() {
                    prop_assert!(diagnostic.primary().is_some(), "{}", diagnostic);
                }
                prop_assert!(rejected.render(false).contains("random.eml:"));
            }
        }
    }
}

#[test]
fn the_corpus_round_trips() {
    let files = crate::common::eml_files("corpus");
    assert!(files.len() >= 40);
    for path in files {
        let loaded = model::load(&path).unwrap_or_else(|rejected| panic!("{rejected}"));
        check_nesting(&loaded.model);
        let text = loaded.source.text().expect("the model has a text");
        let printed = check(&parse(text).without_positions());
        let again = model::from_text("printed.eml", &printed).expect("the printed text is a model");
        let operations = |model: &Model| -> Vec<Operation> { model.nodes().map(|(_, node)| node.operation).collect() };
        assert_eq!(operations(&loaded.model), operations(&again.model));
    }
}
