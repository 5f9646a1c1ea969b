//! Class files of several compilers: of Java 8 to 25, of Kotlin, Scala and Groovy; each source is faulty and repaired.

use asercheck::Options;
use asercheck::audit::decide;
use asercheck::isolate::{Facts, Isolated, Main, NotIsolated, Stuck, Subject, isolate_client, isolate_main};
use asercheck::java::points_to::Mode;
use asercheck::java::{Limits, Program};
use asercheck::phases::UnitMode;
use asercheck::query::Property;
use asercheck_bench::analysis::{firm, with_analysis, with_clients};
use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

fn program(archive: &str) -> Program {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("models/java/languages").join(archive);
    let (program, diagnostics) = Program::load(&[path], &[], &Limits::default());
    assert!(diagnostics.is_empty(), "{archive}: {diagnostics:?}");
    program
}

/// Returns the units that can be violated, each with a location: `this.next() on version`.
fn violated_units(name: &str, isolated: &Isolated) -> Vec<String> {
    let options = Options::default().with_jobs(1);
    let decided = decide(isolated, &Property::all_patterns(UnitMode::Both), &options);
    let decided = decided.expect("the program is not at fault");
    assert_eq!(decided.unknown, None, "{name}");
    let texts = decided.violated.iter().flat_map(|broken| {
        assert!(
            broken.by_locations.values().all(|violations| violations.witness.steps.iter().all(|step| step.line > 0)),
            "{name}"
        );
        // One method may be several units: with and without the first assignment of a field, for example.
        let unit = broken.unit.split(" (").next().unwrap_or_default();
        broken.locations().into_iter().map(|location| format!("{unit} on {location}")).collect::<Vec<_>>()
    });
    // Groovy adds a field that is filled at its first use.
    let texts = texts.filter(|text| !text.ends_with(" on metaClass"));
    texts.collect()
}

/// Returns the violated units of each class that appears thread-safe, for its objects and its static fields; `None` for
/// classes that cannot be analysed, as they call methods that are looked up at run time.
fn verdicts(archive: &str) -> BTreeMap<String, Option<Vec<String>>> {
    let program = program(archive);
    let facts = Facts::new(&program);
    let mut found = BTreeMap::new();
    for (class, _) in program.classes() {
        let name = program.class_name(class);
        let subjects =
            [Subject::of(&program, &facts, class), Subject::of_shared_statics(&program, &facts, class, false)];
        for subject in subjects.into_iter().flatten() {
            let isolated = with_clients(&program, |analysis| isolate_client(firm(analysis), &subject, &|| false));
            let verdict = match isolated {
                Ok(isolated) => Some(violated_units(&name, &isolated)),
                Err(NotIsolated::NothingToViolate(..) | NotIsolated::NotReached) => Some(Vec::new()),
                Err(NotIsolated::Stuck(Stuck::Dynamic { .. })) => None,
                Err(other) => panic!("{archive}: {name}: {other:?}"),
            };
            match (found.entry(name.clone()).or_insert_with(|| Some(Vec::new())), verdict) {
                (Some(all), Some(new)) => all.extend(new),
                (all, _) => *all = None,
            }
        }
    }
    found
}

/// Checks that these are all faulty classes of an archive, each with this unit and location among others, and that
/// these are safe.
fn assert_verdicts(archive: &str, broken: &[(&str, &str)], safe: &[&str]) {
    let found = verdicts(archive);
    println!("{archive}: {found:#?}");
    let is_broken = |verdict: &Option<Vec<String>>| verdict.as_ref().is_some_and(|units| !units.is_empty());
    let classes: BTreeSet<_> =
        found.iter().filter(|(_, units)| is_broken(units)).map(|(class, _)| class.as_str()).collect();
    assert_eq!(classes, broken.iter().map(|(class, _)| *class).collect(), "{archive}");
    for (class, unit) in broken {
        let units = found[*class].as_ref().expect("it is broken");
        assert!(units.iter().any(|found| found == unit), "{archive}: {class}: {unit}, but {units:?}");
    }
    for class in safe {
        assert_eq!(found.get(*class), Some(&Some(Vec::new())), "{archive}: {class}");
    }
}

#[test]
fn one_source_has_the_same_verdicts_in_all_versions_of_class_files() {
    for release in [8, 9, 11, 17, 21, 25] {
        let archive = format!("java/same-{release}.jar");
        let version = program(&archive).classes().map(|(_, class)| class.version).max();
        assert_eq!(version, Some(44 + release));
        assert_verdicts(
            &archive,
            &[
                ("same.Applied", "this.add(int) on value"),
                ("same.Ledger", "this.book(Ledger$Kind, int) on count"),
                ("same.Ledger", "this.book(Ledger$Kind, int) on total"),
                ("same.Ledger$Entry", "Ledger.book(Ledger$Kind, int) on this$0.total"),
            ],
            &["same.AppliedRepaired", "same.LedgerRepaired", "same.LedgerRepaired$Entry"],
        );
    }
}

#[test]
fn features_of_later_java_versions_are_followed() {
    assert_verdicts(
        "java/since17.jar",
        &[
            ("since17.Held", "this.add(String, String) on parts[]"),
            ("since17.Shapes", "this.grow(Shapes$Size) on shape"),
        ],
        &["since17.HeldRepaired", "since17.ShapesRepaired"],
    );
    assert_verdicts(
        "java/since21.jar",
        &[
            ("since21.Events", "this.handle(Events$Event) on total"),
            ("since21.SequencedEntry", "this.first() on all[]"),
            ("since21.SequencedFirst", "this.first() on all[]"),
            ("since21.SequencedRemove", "this.next() on all[]"),
            ("since21.SequencedView", "this.first() on all[]"),
            ("since21.Workers$Done", "Workers.lambda$main$1(Workers$Done) on another thread on done"),
        ],
        &["since21.EventsRepaired", "since21.SequencedEntryRepaired"],
    );
    assert_verdicts("java/since25.jar", &[("since25.Scoped", "this.step() on value")], &["since25.ScopedRepaired"]);
}

#[test]
fn virtual_threads_are_threads() {
    let program = program("java/since21.jar");
    let facts = Facts::new(&program);
    let found = |name: &str| {
        let main = Main::of(&program, program.find(name).expect("the class is given")).expect("it has a main method");
        let subjects = main.subjects(&program, &facts);
        let mut found = Vec::new();
        for subject in subjects {
            let models = with_analysis(&program, Mode::Main(main.method()), |analysis| {
                isolate_main(analysis, &subject, main, &|| false)
            });
            match models {
                Ok(models) => models.iter().for_each(|isolated| found.extend(violated_units(name, isolated))),
                Err(NotIsolated::NothingToViolate(..) | NotIsolated::NotReached) => {}
                Err(other) => panic!("{name}: {other:?}"),
            }
        }
        found
    };
    let broken: BTreeSet<_> = found("since21.Workers").into_iter().collect();
    // A thread that another one waits for may be distinguished from one that no thread waits for.
    let threads: BTreeSet<String> = broken.iter().map(|unit| unit.replace(" (2)", "")).collect();
    assert_eq!(threads.len(), 3, "{broken:?}");
    assert_eq!(found("since21.WorkersRepaired"), Vec::<String>::new());
}

#[test]
fn class_files_with_features_for_preview_are_read() {
    assert_verdicts(
        "java/preview.jar",
        &[("preview.Preview", "this.add(long) on value")],
        &["preview.PreviewRepaired"],
    );
}

#[test]
fn multi_release_archives_use_the_first_version() {
    let program = program("java/many.jar");
    assert_eq!(program.classes().map(|(_, class)| class.version).collect::<Vec<_>>(), [52]);
    assert_verdicts("java/many.jar", &[("many.Chosen", "this.add(int) on value")], &[]);
}

#[test]
fn kotlin() {
    for version in ["1.3", "2.4"] {
        assert_verdicts(
            &format!("kotlin/classes-{version}.jar"),
            &[
                ("kt.Cached", "this.next() on used"),
                ("kt.Changed", "this.change(Function1) on value"),
                ("kt.Changed", "this.twice() on value"),
                ("kt.Counter", "this.increment() on count"),
                ("kt.Ids", "Ids$Companion.take() on next"),
                ("kt.Interval", "this.widen(int) on low"),
                ("kt.Late", "this.nameOnce(String) on owner"),
                ("kt.Marks", "Marks$Companion.advance() on mark"),
                ("kt.Names", "Names.addOnce(String) on names[]"),
                ("kt.Span", "this.equals(Object) on high"),
                ("kt.Stock", "this.take() on items"),
                ("kt.Tally", "this.add(int) on sum"),
                ("kt.Version", "this.next() on version"),
                ("kt.Window", "this.width() on bounds"),
            ],
            &[
                "kt.CachedRepaired",
                "kt.ChangedRepaired",
                "kt.CounterRepaired",
                "kt.IdsRepaired",
                "kt.IntervalRepaired",
                "kt.LateRepaired",
                "kt.MarksRepaired",
                "kt.NamesRepaired",
                "kt.StockRepaired",
                "kt.TallyRepaired",
                "kt.VersionRepaired",
                "kt.WindowRepaired",
            ],
        );
    }
}

#[test]
fn scala() {
    assert_verdicts(
        "scala/classes-2.11.jar",
        &[
            ("sc.Cached", "this.next() on used"),
            // A false alarm: a lazy value is checked again under the lock.
            ("sc.CachedRepaired", "this.prefix() on bitmap$0"),
            ("sc.Counter", "this.increment() on count"),
            ("sc.Label", "this.retag() on sc$Tagged$$tag"),
            ("sc.Names$", "this.addOnce(String) on names"),
            ("sc.Span", "this.equals(Object) on high"),
            ("sc.Tally", "this.add(int) on sc$Tally$$sum"),
            ("sc.Window", "this.width() on bounds"),
        ],
        &["sc.CounterRepaired", "sc.LabelRepaired", "sc.NamesRepaired$", "sc.WindowRepaired"],
    );
}

#[test]
fn groovy() {
    for (version, dynamic) in [("2.4", &[("gr.Dynamic", "this.increment() on count")][..]), ("4.0", &[])] {
        let archive = format!("groovy/classes-{version}.jar");
        let counted = [("gr.Counter", "this.increment() on count"), ("gr.Interval", "this.widen(int) on low")];
        assert_verdicts(&archive, &[&counted, dynamic].concat(), &["gr.CounterRepaired", "gr.IntervalRepaired"]);
        // The methods that dynamic code calls are not in the class file: a call may do anything to its arguments.
        let found = verdicts(&archive);
        let is_found = |units: &Vec<String>| units.iter().any(|unit| unit == "this.increment() on count");
        assert!(found["gr.Dynamic"].as_ref().is_none_or(is_found), "{found:?}");
    }
}
