//! Programs of class files, and their analysis before that of any subject.

use asercheck::isolate::{Analysis, Entering, Modality, Shared};
use asercheck::java::ir::Bodies;
use asercheck::java::library::Library;
use asercheck::java::points_to::{Clients, Mode, PointsTo};
use asercheck::java::{Limits, Program};
use std::path::PathBuf;

/// Reads a folder of class files.
///
/// # Panics
/// If one of them is damaged.
pub fn load(folder: PathBuf) -> Program {
    let (program, diagnostics) = Program::load(&[folder], &[], &Limits::default());
    assert!(diagnostics.is_empty(), "{diagnostics:?}");
    program
}

/// Calls a function with the analysis of a program that any clients use.
///
/// # Panics
/// If the program is too large for the pointer analysis.
pub fn with_clients<T>(program: &Program, function: impl FnOnce(Analysis<'_>) -> T) -> T {
    with_analysis(program, Mode::Client(Clients::default()), function)
}

/// Calls a function with the analysis of a program.
///
/// # Panics
/// If the program is too large for the pointer analysis.
pub fn with_analysis<T>(program: &Program, mode: Mode<'_>, function: impl FnOnce(Analysis<'_>) -> T) -> T {
    let (library, bodies) = (Library::builtin(), Bodies::new(program));
    let points = PointsTo::new(program, &library, mode, &|| false);
    let points = points.unwrap_or_else(|error| panic!("the pointer analysis of a small program: {error}"));
    let shared = Shared::default();
    function(Analysis {
        program,
        library: &library,
        bodies: &bodies,
        points: &points,
        shared: &shared,
        entering: Entering::default(),
        modality: Modality::Possible,
    })
}

/// Returns the same analysis for findings: with the steps that the code shows.
pub fn firm(analysis: Analysis<'_>) -> Analysis<'_> {
    Analysis { modality: Modality::firm(), ..analysis }
}
