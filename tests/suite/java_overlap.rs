//! Java classes whose locks do not nest: their models have overlapping locks and are decided nevertheless.

use asercheck::audit::decide;
use asercheck::isolate::{Analysis, Claim, Entering, Isolated, Modality, Shared, Subject, isolate_client};
use asercheck::java::ir::Bodies;
use asercheck::java::library::Library;
use asercheck::java::points_to::{Clients, Mode, PointsTo};
use asercheck::java::{Limits, Program};
use asercheck::phases::UnitMode;
use asercheck::query::Property;
use asercheck::{Engine, Options};
use std::path::Path;

/// Returns the models of the classes, with their names.
fn models() -> Vec<(String, Isolated)> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("models/java/overlap/classes");
    let (program, diagnostics) = Program::load(&[path], &[], &Limits::default());
    assert!(diagnostics.is_empty(), "{diagnostics:?}");
    let (library, bodies) = (Library::builtin(), Bodies::new(&program));
    let points = PointsTo::new(&program, &library, Mode::Client(Clients::default()), &|| false).expect("no limit");
    let shared = Shared::default();
    let (program_of, library_of) = (&program, &library);
    let analysis = Analysis {
        program: program_of,
        library: library_of,
        bodies: &bodies,
        points: &points,
        shared: &shared,
        entering: Entering::default(),
        modality: Modality::Possible,
    };
    let model = |(class, _)| {
        let subject = Subject { class, claim: Claim::Named };
        let name = program.class_name(class);
        let isolated = isolate_client(analysis, &subject, &|| false);
        (name.clone(), isolated.unwrap_or_else(|why| panic!("{name}: {why:?}")))
    };
    program.classes().filter(|(_, class)| !class.is_library).map(model).collect()
}

#[test]
fn classes_whose_locks_do_not_nest_are_decided() {
    let models = models();
    assert_eq!(models.len(), 4);
    for (name, isolated) in models {
        assert!(isolated.partial.is_none(), "{name}: {:?}", isolated.partial);
        assert!(isolated.model.locks().iter().all(|lock| lock.may_overlap()), "{name}");
        let patterns = Property::all_patterns(UnitMode::Both);
        let violated_units = |engine| {
            let options = Options::default().with_engine(engine).with_jobs(1);
            let found = decide(&isolated, &patterns, &options).expect("the program is not at fault");
            (found.unknown, found.violated.into_iter().map(|broken| broken.unit).collect::<Vec<_>>())
        };
        let (unknown, units) = violated_units(Engine::Auto);
        assert_eq!(unknown, None, "{name}");
        assert_eq!(units.is_empty(), name.ends_with("Repaired"), "{name}: {units:?}");
        assert_eq!(violated_units(Engine::Search), (None, units), "{name}");
    }
}
