//! The library model is compared with the class library of an installed JDK, if there is one.

use java::library::{Action, Attribute, Library, Outcome, Part, Row, Source, Subject, Target};
use java::{Limits, MethodId, Program};
use std::path::PathBuf;

/// The packages whose public methods must all have a row.
const PACKAGES: [&str; 23] = [
    "java/io",
    "java/lang",
    "java/lang/invoke",
    "java/lang/ref",
    "java/math",
    "java/nio",
    "java/nio/channels",
    "java/nio/charset",
    "java/nio/file",
    "java/text",
    "java/time",
    "java/time/chrono",
    "java/time/format",
    "java/time/temporal",
    "java/time/zone",
    "java/util",
    "java/util/concurrent",
    "java/util/concurrent/atomic",
    "java/util/concurrent/locks",
    "java/util/function",
    "java/util/random",
    "java/util/regex",
    "java/util/stream",
];

/// The class library of the first JDK in `JAVA_HOME` or on the `PATH`, if it is an archive.
pub(super) fn jdk() -> Option<Program> {
    let home = std::env::var_os("JAVA_HOME").map(PathBuf::from);
    let path = std::env::var_os("PATH").unwrap_or_default();
    let on_path = std::env::split_paths(&path).filter_map(|folder| folder.join("java").canonicalize().ok());
    let homes = on_path.filter_map(|java| java.parent()?.parent().map(PathBuf::from));
    let archive =
        home.into_iter().chain(homes).map(|home| home.join("jmods/java.base.jmod")).find(|path| path.is_file());
    let Some(archive) = archive else {
        eprintln!("skipped: no JDK with jmods in JAVA_HOME or on the PATH");
        return None;
    };
    Some(Program::load(&[archive], &[], &Limits::default()).0)
}

/// The methods of these packages that programs can call.
fn methods(program: &Program) -> Vec<MethodId> {
    let is_visible = |flags: java::Flags| flags.is_public() || flags.is_protected();
    let is_meant = |id: &MethodId| {
        let method = program.method(*id);
        let class = program.class(method.class);
        let name = program.text(class.name);
        let package = name.rsplit_once('/').map_or("", |(package, _)| package);
        // All enclosing classes must be visible as well.
        let mut outer = name;
        let mut all_visible = is_visible(class.flags);
        while let Some((next, _)) = outer.rsplit_once('$') {
            outer = next;
            let found = program.name(outer).and_then(|name| program.named(name));
            all_visible &= found.is_some_and(|class| is_visible(program.class(class).flags));
        }
        PACKAGES.contains(&package) && all_visible && is_visible(method.flags) && !method.flags.is_synthetic()
    };
    program.methods().map(|(id, _)| id).filter(is_meant).collect()
}

fn find<'l>(library: &'l Library, program: &Program, id: MethodId) -> Option<Row<'l>> {
    let method = program.method(id);
    let class = program.text(program.class(method.class).name);
    library.find(class, program.text(method.name), program.text(method.descriptor))
}

/// Fails with a list of all problems.
pub(super) fn expect_none(title: &str, found: &[String]) {
    assert!(found.is_empty(), "{title}: {}\n{}", found.len(), found.join("\n"));
}

#[test]
fn public_methods_have_rows() {
    let Some(program) = jdk() else { return };
    let library = Library::builtin();
    let methods = methods(&program);
    assert!(methods.len() > 8_000, "{}", methods.len());
    let missing = methods.into_iter().filter(|id| find(&library, &program, *id).is_none());
    let missing: Vec<String> = missing.map(|id| described(&program, id)).collect();
    expect_none("methods without a row", &missing);
}

fn described(program: &Program, id: MethodId) -> String {
    program.method_name(id) + program.text(program.method(id).descriptor)
}

/// The receivers and arguments to which an action refers.
fn subjects(action: &Action) -> Vec<Subject> {
    let of = |source: &Source| source.subject().into_iter().collect::<Vec<_>>();
    let argument = |argument: &java::library::Argument| Subject::Argument(*argument);
    match action {
        Action::Reads(it) | Action::ReadsAll(it) | Action::Writes(it) | Action::Replaces(it) => vec![*it],
        Action::ReadsPosition(it) | Action::WritesPosition(it) | Action::Enumerates(it) => vec![*it],
        Action::Returns(it) | Action::Gives(it) | Action::Clones(it) | Action::ClassOf(it) => vec![*it],
        Action::Traverses { whom, .. } => vec![*whom],
        Action::Views(view) => vec![view.of],
        Action::Makes(making) => making.holds.iter().flat_map(of).collect(),
        Action::Keeps { what, target } => {
            let target = match target {
                Target::Of(target) => Some(*target),
                Target::Yielded => None,
            };
            what.subject().into_iter().chain(target).collect()
        }
        Action::Waits { whom, .. } => vec![*whom],
        Action::Calls(call) => of(&call.whom),
        Action::Later { whom, .. } | Action::Joins { whom, .. } => of(whom),
        Action::Runs(run) => vec![run.whom],
        Action::Names { class, name, .. } => [class].into_iter().chain(name).map(argument).collect(),
        Action::Sets(it) | Action::GetsAndSets(it) | Action::UpdatesBy(it) => vec![Subject::This, argument(it)],
        Action::ComparesAndSets(pairs) => pairs.iter().flat_map(|(old, new)| [argument(old), argument(new)]).collect(),
        Action::Yields | Action::Finds | Action::KeepsNothing | Action::JoinsStarted | Action::Blocks => Vec::new(),
        Action::Holds(_)
        | Action::Becomes(_)
        | Action::Acquires(_)
        | Action::Tries { .. }
        | Action::Releases(_)
        | Action::Converts(_)
        | Action::ReadLock
        | Action::WriteLock
        | Action::Condition
        | Action::Awaits
        | Action::Optimistic
        | Action::Validates
        | Action::Permit(_)
        | Action::CountsDown
        | Action::AwaitsLatch { .. }
        | Action::AwaitsBarrier { .. }
        | Action::Gets => vec![Subject::This],
    }
}

/// Rows refer to existing receivers and arguments, and to references.
#[test]
fn rows_fit_their_methods() {
    let Some(program) = jdk() else { return };
    let library = Library::builtin();
    let mut wrong = Vec::new();
    for id in methods(&program) {
        let Some(row) = find(&library, &program, id) else { continue };
        let method = program.method(id);
        let types = program.method_type(method.descriptor).expect("a descriptor");
        // The coordinates of a handle are further arguments.
        let is_handle = row.attributes.has(Attribute::Handle);
        for subject in row.actions.iter().flat_map(subjects) {
            let fits = match subject {
                Subject::This => !method.flags.is_static(),
                Subject::Argument(argument) => {
                    let parameter = types.parameters.get(argument.index());
                    is_handle || parameter.is_some()
                }
            };
            if !fits {
                wrong.push(format!("{}: {subject:?} does not exist", described(&program, id)));
            }
        }
        let is_reference = types.result.is_some_and(|result| result.is_reference());
        let has_parts =
            matches!(row.outcome(), Outcome::OneOf(parts) if !parts.iter().all(|part| *part == Part::Yielded));
        if has_parts && !is_reference && !is_handle {
            wrong.push(format!("{}: the result is not a reference", described(&program, id)));
        }
    }
    wrong.dedup();
    expect_none("rows that do not fit", &wrong);
}

/// Each object of a library class has state, unless its class is immutable, unchanging or stateless. So each method of
/// another class accesses its receiver, or says that it does not.
#[test]
fn methods_of_classes_with_state_have_effects() {
    const WITHOUT_STATE: [Attribute; 4] =
        [Attribute::Immutable, Attribute::Unchanging, Attribute::Stateless, Attribute::Handle];
    let Some(program) = jdk() else { return };
    let library = Library::builtin();
    let has_effect = |row: &Row<'_>| {
        let is_exempt = WITHOUT_STATE.iter().any(|attribute| row.attributes.has(*attribute));
        is_exempt || row.traits.stateless || row.traits.pure || row.concerns_receiver()
    };
    let mut wrong = Vec::new();
    for name in library.classes() {
        let Some(class) = program.find(name) else { continue };
        for id in program.class(class).methods() {
            let method = program.method(id);
            let is_visible = method.flags.is_public() || method.flags.is_protected();
            let is_static = method.flags.is_static() || program.text(method.name).starts_with('<');
            if !is_visible || is_static || method.flags.is_synthetic() {
                continue;
            }
            let row = library.find(name, program.text(method.name), program.text(method.descriptor));
            if row.is_some_and(|row| !has_effect(&row)) {
                wrong.push(described(&program, id));
            }
        }
    }
    // The methods of loggers are no static ones.
    let loggers = library.classes().filter(|name| program.find(name).is_none() && name.to_lowercase().contains("log"));
    for name in loggers {
        let without = library.rows(name).filter(|(method, row)| !method.starts_with('<') && !has_effect(row));
        wrong.extend(without.map(|(method, _)| format!("{name}.{method}")));
    }
    expect_none("methods of classes with state that neither access it nor are stateless", &wrong);
}

/// Supertypes of executors since Java 19 and 25.
const NEWER: [&str; 2] = ["java/lang/AutoCloseable", "java/util/concurrent/ScheduledExecutorService"];

/// The supertypes in the table agree with the library, as far as the table contains them.
#[test]
fn supertypes_are_those_of_the_library() {
    let Some(program) = jdk() else { return };
    let library = Library::builtin();
    let mut wrong = Vec::new();
    for name in library.classes() {
        let Some(class) = program.find(name) else { continue };
        let actual: Vec<&str> =
            program.supertypes(class).into_iter().map(|class| program.text(program.class(class).name)).collect();
        let stated: Vec<&str> = library.supertypes(name).collect();
        let missing =
            actual.iter().filter(|is| library.has_class(is) && **is != "java/lang/Record" && !stated.contains(is));
        wrong.extend(missing.map(|is| format!("{name} extends {is}")));
        let is_newer = |is: &str| NEWER.contains(&is) && name.starts_with("java/util/concurrent/");
        let surplus = stated.iter().filter(|is| program.find(is).is_some() && !actual.contains(is) && !is_newer(is));
        wrong.extend(surplus.map(|is| format!("{name} does not extend {is}")));
        if program.class(class).flags.is_interface() != library.is_interface(name) {
            wrong.push(format!("{name} is an interface or is none"));
        }
    }
    expect_none("supertypes", &wrong);
}

/// Rows call existing methods. An argument that is called as a function has a functional interface.
#[test]
fn calls_are_of_methods_that_there_are() {
    let Some(program) = jdk() else { return };
    let library = Library::builtin();
    let named = |name: &str| program.name(name).is_some();
    let mut wrong = Vec::new();
    for id in methods(&program) {
        let Some(row) = find(&library, &program, id) else { continue };
        let types = program.method_type(program.method(id).descriptor).expect("a descriptor");
        let calls = row.actions.iter().filter_map(|action| match action {
            Action::Calls(call) => Some((call.whom, call.method.as_deref())),
            Action::Later { whom, method } => Some((*whom, method.as_deref())),
            Action::UpdatesBy(function) => Some((Source::Itself(Subject::Argument(*function)), None)),
            _ => None,
        });
        let is_handle = row.attributes.has(Attribute::Handle);
        for (whom, method) in calls {
            let is_right = match (whom, method) {
                (_, Some(method)) => named(method),
                (Source::Itself(Subject::Argument(argument)), None) => {
                    let class = match types.parameters.get(argument.index()) {
                        Some(java::Type::Class(class)) => library.function(program.text(*class)),
                        _ => None,
                    };
                    is_handle || class.is_some()
                }
                (_, None) => false,
            };
            if !is_right {
                wrong.push(format!("{}: {whom:?} {method:?}", described(&program, id)));
            }
        }
    }
    expect_none("calls of missing methods", &wrong);
}
