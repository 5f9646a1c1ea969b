//! From a syntax tree to a model: names, bodies, nesting, instances.

use std::collections::HashMap;
use std::collections::hash_map::Entry;
use std::sync::Arc;

use super::Model;
use super::assembly::{Graphs, Parts};
use super::declarations::{AtomicSet, InstanceBound, Location, Lock, Process};
use super::error::{ModelError, NameSpace};
use super::errors::Errors;
use super::ids::ProcessId;
use super::lower::lower;
use super::names::Names;
use super::nesting::{self, LockNames};
use super::survey::Survey;
use super::warning::Warning;
use crate::syntax::Span;
use crate::syntax::ast::{Block, ItemKind, Multiplicity, Name, Program};

impl Model {
    /// Resolves the names of a syntax tree, builds its graphs and checks their nesting.
    ///
    /// # Errors
    ///
    /// All errors in the order of their places. The nesting of a function is checked only if its names and jumps are
    /// correct.
    ///
    /// # Examples
    ///
    /// ```
    /// use eml::{model::Model, syntax};
    ///
    /// let program = syntax::parse("shared x; process P * 2 { atomic { read x; write x; } }").unwrap();
    /// let (model, warnings) = Model::from_program(&program).unwrap();
    /// assert_eq!(model.processes()[0].name(), "P");
    /// assert!(warnings.is_empty());
    /// ```
    pub fn from_program(program: &Program) -> Result<(Model, Vec<Warning>), Errors<ModelError>> {
        Self::with_files(program, Vec::new())
    }

    /// Makes a model like [`from_program`](Self::from_program) from a tree whose positions are in these files.
    pub(super) fn with_files(
        program: &Program,
        files: Vec<String>,
    ) -> Result<(Model, Vec<Warning>), Errors<ModelError>> {
        let mut resolution = Resolution {
            names: Names::collect(program),
            warnings: Vec::new(),
            sets: Vec::new(),
            started: HashMap::new(),
            first_unit: None,
        };
        let bodies = resolution.survey(program);
        resolution.multiplicities(&bodies);
        let graphs = resolution.translate(program, &bodies);
        resolution.finish(&bodies, graphs, files)
    }
}

/// A function or a process of the tree.
struct Body<'p> {
    name: &'p Name,
    block: &'p Block,
    /// For a process, its id and its number of instances as written.
    process: Option<(ProcessId, Multiplicity)>,
    survey: Survey<'p>,
}

struct Resolution<'p> {
    names: Names<'p>,
    warnings: Vec<Warning>,
    sets: Vec<AtomicSet>,
    /// The first `start` of each process.
    started: HashMap<ProcessId, Span>,
    first_unit: Option<Span>,
}

impl<'p> Resolution<'p> {
    /// Surveys all functions and processes.
    fn survey(&mut self, program: &'p Program) -> Vec<Body<'p>> {
        let mut bodies = Vec::new();
        let mut processes = 0;
        for item in &program.items {
            let (name, block, process) = match &item.kind {
                ItemKind::Function { name, body } => (name, body, None),
                ItemKind::Process { name, multiplicity, body } => {
                    processes += 1;
                    let id = ProcessId::new(processes - 1);
                    (name, body, Some((id, *multiplicity)))
                }
                _ => continue,
            };
            let survey = Survey::of(block, &mut self.names);
            self.note_survey(&survey);
            bodies.push(Body { name, block, process, survey });
        }
        bodies
    }

    fn note_survey(&mut self, survey: &Survey<'p>) {
        self.first_unit = self.first_unit.or(survey.first_unit);
        for name in &survey.starts {
            if let Some(process) = self.names.process(name) {
                self.started.entry(process).or_insert(name.span);
            }
        }
    }

    /// Checks the numbers of instances.
    fn multiplicities(&mut self, bodies: &[Body<'p>]) {
        for body in bodies {
            let Some((process, multiplicity)) = body.process else {
                continue;
            };
            let name = || body.name.clone();
            if multiplicity == Multiplicity::Times(0) {
                self.names.error(ModelError::NoInstances { name: name() });
            } else if multiplicity != Multiplicity::Single
                && let Some(&start) = self.started.get(&process)
            {
                self.names.error(ModelError::StartedWithMultiplicity { name: name(), start });
            }
        }
    }

    /// Looks up all names in the order of the text, translates the bodies and checks them.
    fn translate(&mut self, program: &'p Program, bodies: &[Body<'p>]) -> Graphs {
        let mut graphs = Graphs::default();
        for (index, item) in program.items.iter().enumerate() {
            if let ItemKind::Overlap(names) = &item.kind {
                self.names.let_overlap(names, index);
            }
        }
        let locks = self.names.declared(NameSpace::Lock).iter();
        let locks = locks.map(|name| Arc::from(name.text.as_str()));
        let locks = LockNames::new(locks, self.names.lock_kinds().to_vec(), self.names.overlap().to_vec());
        let mut bodies = bodies.iter();
        for (index, item) in program.items.iter().enumerate() {
            match &item.kind {
                ItemKind::Locks(_) | ItemKind::RwLocks(_) | ItemKind::Overlap(_) | ItemKind::Shared(_) => {}
                ItemKind::AtomicSet { name, members } => {
                    let set = self.atomic_set(index, name, members);
                    self.sets.push(set);
                }
                ItemKind::Function { .. } | ItemKind::Process { .. } => {
                    if let Some(body) = bodies.next() {
                        self.translate_body(index, body, &locks, &mut graphs);
                    }
                }
            }
        }
        graphs
    }

    /// Looks up the members of an atomic set.
    fn atomic_set(&mut self, item: usize, name: &'p Name, members: &'p [Name]) -> AtomicSet {
        if members.is_empty() {
            self.names.error(ModelError::EmptyAtomicSet { name: name.clone() });
        }
        let mut known = HashMap::new();
        let mut locations = Vec::new();
        for member in members {
            let Some(location) = self.names.location(member, item) else {
                continue;
            };
            match known.entry(location) {
                Entry::Vacant(entry) => {
                    entry.insert(member.span);
                    locations.push(location);
                }
                Entry::Occupied(first) => self.warnings.push(Warning::DuplicateMember {
                    set: name.text.clone(),
                    name: member.clone(),
                    first: *first.get(),
                }),
            }
        }
        AtomicSet { name: Some(name.text.clone()), members: locations }
    }

    /// Translates the body of an item and checks it, unless it has other errors.
    fn translate_body(&mut self, item: usize, body: &Body<'p>, locks: &LockNames, graphs: &mut Graphs) {
        let errors_before = self.names.error_count();
        let flow = lower(body.block, &body.survey, &mut self.names, item);
        if self.names.error_count() > errors_before {
            return;
        }
        let nesting = nesting::check(&flow, &body.name.text, locks, &mut graphs.opened);
        let process = body.process.map(|(process, _)| process);
        graphs.add(&body.name.text, body.name.span.start, process, &flow, &nesting);
        for error in nesting.errors {
            self.names.error(ModelError::Nesting(error));
        }
    }

    /// Assembles the model if there was no error.
    fn finish(
        self,
        bodies: &[Body<'p>],
        graphs: Graphs,
        files: Vec<String>,
    ) -> Result<(Model, Vec<Warning>), Errors<ModelError>> {
        if self.names.error_count() > 0 {
            return Err(Errors::new(self.names.into_errors()));
        }
        let locks = self.names.declared(NameSpace::Lock).iter();
        let locations = self.names.declared(NameSpace::Location).iter();
        let locks = locks.zip(self.names.lock_kinds()).zip(self.names.overlap());
        let locks = locks.map(|((name, kind), overlap)| Lock {
            name: name.text.clone(),
            kind: *kind,
            position: name.span.start,
            may_overlap: *overlap,
        });
        let locations = locations.map(|name| Location { name: name.text.clone(), position: name.span.start });
        let parts = Parts {
            files,
            locks: locks.collect(),
            locations: locations.collect(),
            sets: self.sets,
            processes: processes(&self.names, &self.started, bodies),
            graphs,
            first_unit: self.first_unit,
        };
        let (model, others) = parts.finish();
        let mut warnings = self.warnings;
        warnings.extend(others);
        Ok((model, warnings))
    }
}

/// Returns the processes of the model; their bounds are not computed yet.
fn processes(names: &Names<'_>, started: &HashMap<ProcessId, Span>, bodies: &[Body<'_>]) -> Vec<Process> {
    let mut processes = Vec::new();
    for body in bodies {
        if let Some((id, multiplicity)) = body.process {
            processes.push(Process {
                name: body.name.text.clone(),
                position: body.name.span.start,
                body: names.body(id),
                multiplicity,
                is_started: started.contains_key(&id),
                bound: InstanceBound::Zero,
            });
        }
    }
    processes
}

#[cfg(test)]
mod tests {
    use super::super::test_support::{errors, line_and_column, model};
    use super::super::{JumpError, ModelBuilder, Warning};
    use super::*;

    #[test]
    fn the_five_name_spaces_are_separate() {
        let model = model(
            "lock n; shared n; atomicset n { n } fn n() { read n; }
             process n { n: sync n { call n; start n; goto n; } }",
        );
        assert_eq!(model.processes()[0].name(), "n");
        assert_eq!(model.procedures().len(), 2);
    }

    #[test]
    fn names_are_declared_once() {
        let errors = errors(
            "lock n, n; shared n, n; atomicset n { n } atomicset n { n }
             fn n() { } fn n() { } process n { } process n { n: n: }",
        );
        let duplicates = errors.iter().filter(|error| matches!(error, ModelError::Duplicate { .. }));
        assert_eq!(duplicates.count(), 5);
        assert!(matches!(errors.last(), Some(ModelError::Jump(JumpError::DuplicateLabel { .. }))));
    }

    #[test]
    fn locks_and_locations_are_declared_before_their_use() {
        let errors = errors("process P { sync l { read x; } call f; } fn f() { } atomicset S { x } lock l; shared x;");
        let places: Vec<(u32, u32)> = errors.iter().map(|error| line_and_column(error.span())).collect();
        assert_eq!(places, [(1, 18), (1, 27)]);
        assert!(errors.iter().all(|error| matches!(error, ModelError::UsedBeforeDeclaration { .. })));
    }

    #[test]
    fn an_undeclared_name_is_reported_once_with_advice() {
        let errors = errors(
            "lock stack; shared item; process Main {
               read itme; read itme; sync item { } call Main; start Man; start zzz;
             }",
        );
        let advice: Vec<(Option<&str>, Option<NameSpace>)> = errors
            .iter()
            .map(|error| match error {
                ModelError::Undeclared { closest, elsewhere, .. } => (closest.as_deref(), *elsewhere),
                other => panic!("{other}"),
            })
            .collect();
        assert_eq!(
            advice,
            [
                (Some("item"), None),
                (None, Some(NameSpace::Location)),
                (None, Some(NameSpace::Process)),
                (Some("Main"), None),
                (None, None),
            ]
        );
    }

    #[test]
    fn a_started_process_has_no_number() {
        for text in [
            "process P * 2 { } process Q { start P; }",
            "process P * 1 { } process Q { return; start P; }",
            "process P * many { start P; }",
        ] {
            assert!(matches!(errors(text)[..], [ModelError::StartedWithMultiplicity { .. }]));
        }
        assert!(matches!(errors("process P * 0 { }")[..], [ModelError::NoInstances { .. }]));
    }

    #[test]
    fn jumps_stay_in_their_function_and_enter_no_block() {
        let kinds: Vec<bool> = errors(
            "fn f() { l: } process P { goto l; goto m; choose { m: } or { goto m; }
             break; choose { continue; } loop { goto n; } n: }",
        )
        .iter()
        .map(|error| match error {
            ModelError::Jump(JumpError::UndeclaredLabel { .. } | JumpError::OutsideLoop { .. }) => true,
            ModelError::Jump(JumpError::IntoBlock { .. }) => false,
            other => panic!("{other}"),
        })
        .collect();
        assert_eq!(kinds, [true, false, false, true, true]);
    }

    #[test]
    fn a_location_listed_twice_is_a_warning() {
        let program = crate::syntax::parse("shared x, y; atomicset S { x, y, x }").unwrap();
        let (model, warnings) = Model::from_program(&program).unwrap();
        assert_eq!(model.atomic_sets()[0].members().len(), 2);
        assert!(matches!(
            &warnings[0],
            Warning::DuplicateMember { name, .. } if name.span.start.column == 34
        ));
    }

    #[test]
    fn trees_without_a_text_are_refused() {
        let mut builder = ModelBuilder::new();
        builder.lock("not a name").location("end");
        builder.atomic_set("S", Vec::<String>::new());
        builder.process("P", Multiplicity::Single, |body| {
            body.choose(|_| {}).label("1");
        });
        let errors = builder.build().unwrap_err();
        let count = |wanted: fn(&ModelError) -> bool| errors.iter().filter(|&error| wanted(error)).count();
        assert_eq!(errors.len(), 5);
        assert_eq!(count(|error| matches!(error, ModelError::InvalidName { .. })), 3);
        assert_eq!(count(|error| matches!(error, ModelError::EmptyAtomicSet { .. })), 1);
        assert_eq!(count(|error| matches!(error, ModelError::EmptyChoose { .. })), 1);
    }

    /// On a thread with little stack: read, printed, read again, translated, and dropped.
    #[test]
    fn blocks_of_any_depth_are_models() {
        use crate::syntax;
        fn deep(open: &str) {
            let (times, closing) = (30_000, open.matches('{').count() - open.matches('}').count());
            let (open, close) = (open.repeat(times), "}".repeat(closing * times));
            let text = format!("lock l, m; shared x; process P {{ {open} read x; {close} }}");
            let program = syntax::parse(&text).expect("no syntax error");
            let printed = syntax::print(&program);
            assert!(printed.len() < 500 * closing * times + text.len());
            let again = syntax::parse(&printed).expect("what is printed is a program").without_positions();
            assert_eq!(syntax::print(&again), printed);
            let (model, _) = Model::from_program(&program).expect("a model");
            assert!(model.nodes().len() >= times);
        }
        let all = || {
            for open in ["atomic {", "sync l {", "loop {", "choose { skip; } or {", "atomic { loop { sync m {"] {
                deep(open);
            }
        };
        std::thread::Builder::new().stack_size(1 << 18).spawn(all).expect("a thread").join().expect("no overflow");
    }
}
