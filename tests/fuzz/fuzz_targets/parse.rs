//! Any bytes are refused with a message, or they are a program that prints, parses back and resolves.
//!
//! `cargo +nightly fuzz run --fuzz-dir tests/fuzz parse`
#![no_main]

use asercheck::syntax::ast::Program;
use asercheck::syntax::{self, Source};
use asercheck::model::Model;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| {
    let source = match Source::from_bytes("fuzz.eml", bytes.to_vec()) {
        Ok(source) => source,
        Err(error) => {
            check_rendering(&error.diagnostic().render(error.source(), false));
            return;
        }
    };
    match syntax::parse(source.text().unwrap_or_default()) {
        Ok(program) => {
            check_printing(&program);
            check_model(&program, &source);
        }
        Err(errors) => {
            assert!(!errors.is_empty());
            let diagnostics: Vec<_> = errors.iter().map(|error| error.diagnostic()).collect();
            assert!(
                diagnostics
                    .iter()
                    .all(|diagnostic| diagnostic.primary().is_some())
            );
            check_rendering(&syntax::render_all(&diagnostics, &source, false));
        }
    }
});

/// Printing and parsing again changes nothing but positions, and printing again changes nothing.
fn check_printing(program: &Program) {
    let text = syntax::print(program);
    let again = syntax::parse(&text).expect("the printed text parses");
    assert_eq!(syntax::print(&again), text);
    assert_eq!(
        again.without_positions(),
        program.clone().without_positions()
    );
}

/// The program is a model, or has errors with places; its printed text is a model exactly if it is one.
fn check_model(program: &Program, source: &Source) {
    let printed = syntax::parse(&syntax::print(program)).expect("the printed text parses");
    let again = Model::from_program(&printed);
    match Model::from_program(program) {
        Ok((model, warnings)) => {
            let (again, _) = again.expect("the printed text is a model");
            let operations = |model: &Model| -> Vec<_> {
                model.nodes().map(|(_, node)| node.operation).collect()
            };
            assert_eq!(operations(&model), operations(&again));
            let diagnostics: Vec<_> = warnings
                .iter()
                .map(|warning| warning.diagnostic())
                .collect();
            check_rendering(&syntax::render_all(&diagnostics, source, false));
        }
        Err(errors) => {
            assert_eq!(
                again.expect_err("the printed text is no model").len(),
                errors.len()
            );
            let diagnostics: Vec<_> = errors.iter().map(|error| error.diagnostic()).collect();
            check_rendering(&syntax::render_all(&diagnostics, source, true));
        }
    }
}

/// Nothing that steers a terminal gets through, but colors.
fn check_rendering(rendered: &str) {
    let is_harmless =
        |character: char| matches!(character, '\n' | '\u{1b}') || !character.is_control();
    assert!(rendered.chars().all(is_harmless), "{rendered:?}");
}
