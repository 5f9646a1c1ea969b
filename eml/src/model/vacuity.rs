//! Vacuity: simple reasons why no pattern can be violated in a model.

use super::Model;
use super::declarations::{InstanceBound, Process};
use super::graph::Operation;
use super::ids::ProcedureId;
use super::warning::Warning;
use crate::syntax::Span;

/// Returns the reasons that hold, without those that follow from others. `first_unit` is the first unit in the text.
pub(super) fn reasons(model: &Model, first_unit: Option<Span>) -> Vec<Warning> {
    if model.processes().is_empty() {
        return vec![Warning::NoProcess];
    }
    let executed = Executed::of(model);
    let mut warnings = Vec::new();
    if executed.instances < 2 {
        warnings.push(Warning::TooFewInstances);
    }
    if model.locations().is_empty() {
        warnings.push(Warning::NoLocation);
    } else if !executed.writes {
        warnings.push(Warning::NothingWritten);
    }
    match first_unit {
        None => warnings.push(Warning::NoUnit),
        Some(first) if !executed.units => warnings.push(Warning::UnreachableUnits { first }),
        Some(_) => {}
    }
    warnings
}

/// A summary of the operations of the processes that can run.
#[derive(Default)]
struct Executed {
    /// An upper bound of the number of instances; several instances of a process count as two.
    instances: usize,
    writes: bool,
    units: bool,
}

impl Executed {
    /// Summarizes a model.
    fn of(model: &Model) -> Self {
        let running = model.processes().iter().filter(|process| process.instance_bound() != InstanceBound::Zero);
        let instances = running.clone().map(|process| process.instance_bound() as usize).sum();
        let mut executed = Self { instances, ..Self::default() };
        for procedure in model.call_graph().reachable(running.map(Process::body)) {
            executed.add(model, procedure);
        }
        executed
    }

    /// Adds the operations of a procedure.
    fn add(&mut self, model: &Model, procedure: ProcedureId) {
        for node in model.procedure(procedure).nodes() {
            match model.node(node).operation {
                Operation::Write(_) => self.writes = true,
                Operation::Begin => self.units = true,
                Operation::Skip
                | Operation::Read(_)
                | Operation::Acquire(..)
                | Operation::Release(..)
                | Operation::Wait(_)
                | Operation::Resume(_)
                | Operation::End
                | Operation::Call(_)
                | Operation::Start(_)
                | Operation::Return => {}
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::syntax;

    fn warnings(text: &str) -> Vec<Warning> {
        let program = syntax::parse(text).unwrap();
        Model::from_program(&program).unwrap().1
    }

    #[test]
    fn a_model_that_may_be_violated_has_no_warning() {
        for text in [
            "shared x; process P * 2 { atomic { write x; } }",
            "shared x; fn f() { begin; write x; end; } process P { start Q; } process Q { call f; }",
        ] {
            assert_eq!(warnings(text), [], "{text}");
        }
    }

    #[test]
    fn each_reason_is_found() {
        assert_eq!(warnings(""), [Warning::NoProcess]);
        assert_eq!(warnings("fn f() { atomic { } }"), [Warning::NoProcess]);
        assert_eq!(warnings("process P { }"), [Warning::TooFewInstances, Warning::NoLocation, Warning::NoUnit]);
        assert_eq!(warnings("shared x; process P * 2 { read x; } process Q { start Q; atomic { write x; } }").len(), 2);
        assert!(matches!(
            warnings("shared x; process P * 2 { write x; return; atomic { } }")[..],
            [Warning::UnreachableUnits { first }] if first.start.column == 44
        ));
        assert_eq!(
            warnings("shared x; fn f() { write x; } process P * 2 { atomic { read x; } }"),
            [Warning::NothingWritten]
        );
    }
}
