//! The library model is compared with observations: the Java program in `tests/differential` calls library methods with
//! instrumented arguments and prints facts, each of which the rows must allow.
//!
//! Observations are a lower bound of the behaviour. A row that states too much is therefore not detected. A row that
//! states too little is: it lacks an observed change, call, flow, exception or view.

use crate::temporary::Folder;
use java::library::{
    Action, Attribute, Call, Guard, Library, MadeClass, Making, Outcome, Part, Row, Source, Subject, TRAVERSAL, Target,
    Thread,
};
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::process::Command;

/// An observation of a method: its class, name and descriptor, and the words of the fact.
struct Fact<'t> {
    method: [&'t str; 3],
    words: Vec<&'t str>,
}

/// The possible roles of an object in a call: `this`, `1[]`, `yielded`.
type Roles<'t> = BTreeSet<&'t str>;

fn roles(text: &str) -> Roles<'_> {
    text.split(',').collect()
}

fn name(subject: Subject) -> String {
    match subject {
        Subject::This => "this".into(),
        Subject::Argument(argument) => (argument.index() + 1).to_string(),
    }
}

/// Whether a source includes objects with these roles.
fn is_meant(source: Source, roles: &Roles<'_>) -> bool {
    match source {
        Source::Any => true,
        Source::Value => false,
        Source::Yielded => roles.contains("yielded"),
        Source::Itself(subject) => roles.contains(&*name(subject)),
        Source::Content(subject) => is_in(subject, roles),
    }
}

/// Whether an object is in the content of the subject, or in nested contents.
fn is_in(subject: Subject, roles: &Roles<'_>) -> bool {
    let content = name(subject) + "[]";
    roles.iter().any(|role| role.starts_with(&content))
}

/// Whether these are roles of nested objects, which no row can name.
fn is_deep(roles: &Roles<'_>) -> bool {
    roles.contains("any") || roles.iter().all(|role| role.contains("[][]"))
}

/// A row, and whether it is the row of a constructor.
struct Rule<'l> {
    row: Row<'l>,
    is_constructor: bool,
}

impl<'l> Rule<'l> {
    fn find(library: &'l Library, class: &str, name: &str, descriptor: &str) -> Option<Self> {
        let row = library.find(class, name, descriptor)?;
        Some(Self { row, is_constructor: name == "<init>" })
    }
}

impl<'l> std::ops::Deref for Rule<'l> {
    type Target = Row<'l>;

    fn deref(&self) -> &Row<'l> {
        &self.row
    }
}

/// The methods that containers forward to their elements.
const DEEP: [&str; 4] = ["equals", "hashCode", "compareTo", "toString"];

/// Whether a call of a method of a container leads to a call of a method of an element.
fn leads_to(whom: Source, of_container: &str, method: &str, roles: &Roles<'_>) -> bool {
    let is_held = match whom {
        Source::Itself(subject) | Source::Content(subject) => is_in(subject, roles),
        Source::Any | Source::Yielded | Source::Value => true,
    };
    DEEP.contains(&of_container) && DEEP.contains(&method) && is_held
}

/// The threads on which a row may call a method of an object, and whether it does so at most once.
fn callers(row: &Rule<'_>, method: &str, roles: &Roles<'_>) -> Vec<(Thread, bool)> {
    let of_action = |action: &Action| match action {
        Action::Calls(Call { whom, method: named, thread, once }) => {
            let is_named = named.as_deref().is_none_or(|named| named == method);
            let leads = named.as_deref().is_some_and(|named| leads_to(*whom, named, method, roles));
            (is_named && is_meant(*whom, roles) || leads).then_some((*thread, *once))
        }
        Action::Runs(run) => {
            (is_in(run.whom, roles) || roles.contains("yielded") || is_deep(roles)).then_some((run.thread, run.once))
        }
        Action::Traverses { whom, method: named, .. } => {
            let is_named = TRAVERSAL.contains(&method) || named.as_deref() == Some(method);
            (is_named && is_meant(Source::Itself(*whom), roles)).then_some((Thread::Caller, false))
        }
        Action::UpdatesBy(function) => {
            is_meant(Source::Itself(Subject::Argument(*function)), roles).then_some((Thread::Caller, false))
        }
        _ => None,
    };
    row.actions.iter().filter_map(of_action).collect()
}

/// Whether a row allows a call.
fn may_call(row: &Rule<'_>, method: &str, roles: &Roles<'_>, is_other: bool) -> bool {
    callers(row, method, roles).iter().any(|(thread, _)| (*thread != Thread::Caller) == is_other)
}

/// Whether a row starts a method of the receiver that may perform the observed call.
fn may_start(library: &Library, class: &str, row: &Rule<'_>, words: &[&str]) -> bool {
    let ["calls", method, of, "other"] = *words else { return false };
    let is_started = |action: &Action| match action {
        Action::Calls(Call { whom: Source::Itself(Subject::This), method: Some(started), thread, .. }) => {
            let started = Rule::find(library, class, started, "()V");
            *thread != Thread::Caller && started.is_some_and(|row| may_call(&row, method, &roles(of), false))
        }
        _ => false,
    };
    row.actions.iter().any(is_started)
}

/// Whether objects with these roles may be in the content of a new object.
fn holds(making: &Making, roles: &Roles<'_>) -> bool {
    making.holds.iter().any(|source| is_meant(*source, roles)) || roles.contains("yielded") || roles.contains("new")
}

/// Whether the result of a row may be an object with these roles.
fn may_be(row: &Rule<'_>, roles: &Roles<'_>) -> bool {
    if roles.contains("null") {
        return true;
    }
    let is_new = roles.contains("new");
    let fits = |part: Part<'_>| match part {
        Part::Is(subject) => is_meant(Source::Itself(subject), roles),
        Part::From(subject) => is_in(subject, roles),
        Part::Yielded => roles.contains("yielded"),
        Part::Anything => true,
        Part::View(_) | Part::New(_) | Part::OfLock | Part::Handle | Part::CloneOf(_) | Part::ClassOf(_) => {
            is_new || roles.contains("value")
        }
    };
    match row.outcome() {
        Outcome::Soup => true,
        Outcome::Value => roles.contains("value"),
        // A value can be created from nothing.
        Outcome::OneOf(parts) => parts.into_iter().any(fits) || roles.contains("value"),
    }
}

/// Whether the result of a row may hold an object with these roles.
fn may_hold(row: &Rule<'_>, roles: &Roles<'_>) -> bool {
    let fits = |part: Part<'_>| match part {
        Part::Is(subject) | Part::CloneOf(subject) => is_in(subject, roles),
        Part::View(view) => is_in(view.of, roles) || may_keep(row, roles, view.of),
        Part::From(_) | Part::Anything => true,
        Part::Yielded => row.actions.iter().any(|action| match action {
            Action::Keeps { what, target: Target::Yielded } => is_meant(*what, roles),
            Action::Calls(_) | Action::Runs(_) => true,
            _ => false,
        }),
        Part::New(making) => holds(making, roles) || making.class == MadeClass::Any && is_deep(roles),
        Part::OfLock | Part::Handle | Part::ClassOf(_) => false,
    };
    match row.outcome() {
        Outcome::Soup => true,
        Outcome::Value => false,
        Outcome::OneOf(parts) => parts.into_iter().any(fits),
    }
}

/// Whether a row allows a flow of objects with these roles into a content.
fn may_keep(row: &Rule<'_>, roles: &Roles<'_>, into: Subject) -> bool {
    let keeps = row.actions.iter().any(|action| match action {
        Action::Keeps { what, target: Target::Of(target) } => *target == into && is_meant(*what, roles),
        Action::Later { whom, .. } => into == Subject::This && is_meant(*whom, roles),
        Action::Sets(argument) | Action::GetsAndSets(argument) => {
            into == Subject::This && is_meant(Source::Itself(Subject::Argument(*argument)), roles)
        }
        Action::Holds(_) => roles.contains("new"),
        _ => false,
    });
    let takes_all = into == Subject::This && row.takes_all(row.is_constructor);
    keeps || takes_all || (row.takes_results(into) && roles.contains("yielded"))
}

/// The subject of this name.
fn subject(name: &str) -> Subject {
    match name.parse::<usize>() {
        Ok(number) => Subject::Argument(java::library::Argument::new(number - 1).expect("an argument")),
        Err(_) => Subject::This,
    }
}

/// Whether a result or a written content may keep a function that runs later.
fn may_run_later(row: &Rule<'_>, roles: &Roles<'_>) -> bool {
    let is_later = |action: &Action| match action {
        Action::Later { whom, .. } => is_meant(*whom, roles),
        Action::Calls(call) => call.thread != Thread::Caller && is_meant(call.whom, roles),
        Action::Returns(subject) => is_meant(Source::Itself(*subject), roles),
        _ => false,
    };
    let is_viewed = row.actions.iter().any(|action| {
        matches!(action, Action::Views(view) if is_meant(Source::Itself(view.of), roles))
            || matches!(action, Action::Makes(making) if making.holds.iter().any(|held| is_meant(*held, roles)))
    });
    row.outcome() == Outcome::Soup
        || row.actions.iter().any(is_later)
        || is_viewed
        || may_keep(row, roles, Subject::This)
}

/// Whether a row allows a fact.
fn allows(row: &Rule<'_>, words: &[&str]) -> bool {
    let is_fixed = row.attributes.has(Attribute::Unchanging) || row.attributes.has(Attribute::Immutable);
    match *words {
        ["called"] => true,
        ["calls", method, of, thread] => may_call(row, method, &roles(of), thread == "other"),
        // A later run is one whenever it happens.
        ["often", method, of] => {
            let callers = callers(row, method, &roles(of));
            callers.is_empty() || !callers.iter().all(|(_, once)| *once)
        }
        ["later", method, of] => may_run_later(row, &roles(of)) || may_call(row, method, &roles(of), false),
        ["writes", of] => row.actions.iter().any(|action| action.written() == Some(subject(of))),
        ["reads", "this"] => is_fixed || row.actions.iter().any(|action| action.read() == Some(Subject::This)),
        ["keeps", of, into] => of == "new" || may_keep(row, &roles(of), subject(into)),
        // The identity of a value is irrelevant.
        ["result", "this"] if row.attributes.has(Attribute::Value) => true,
        ["result", of] => may_be(row, &roles(of)),
        ["holds", of] => may_hold(row, &roles(of)),
        ["views", of] => {
            let is_view = |part: Part<'_>| match part {
                Part::View(view) => view.of == subject(of),
                Part::Is(it) => it == subject(of),
                Part::From(_) | Part::Anything | Part::Yielded => true,
                // An object that holds it can show it.
                Part::New(making) => making.holds.iter().any(|held| *held == Source::Itself(subject(of))),
                Part::OfLock | Part::Handle | Part::CloneOf(_) | Part::ClassOf(_) => false,
            };
            match row.outcome() {
                Outcome::Soup => true,
                Outcome::Value => false,
                Outcome::OneOf(parts) => parts.into_iter().any(is_view),
            }
        }
        // The method made a call without the monitor of the receiver.
        ["unlocked", _] => row.guard() != Guard::Monitor,
        ["throws"] => row.traits.throws,
        _ => panic!("unknown kind of fact: {words:?}"),
    }
}

fn parse(text: &str) -> Vec<Fact<'_>> {
    let fact = |line| -> Option<Fact<'_>> {
        let words: Vec<&str> = str::split(line, '\t').collect();
        let (method, words) = words.split_first_chunk::<3>()?;
        Some(Fact { method: *method, words: words.to_vec() })
    };
    text.lines().map(|line| fact(line).unwrap_or_else(|| panic!("not a fact: {line}"))).collect()
}

/// Runs a command of the JDK; returns none if it is not installed.
fn run(command: &mut Command) -> Option<Vec<u8>> {
    let output = command.output().ok()?;
    let error = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{command:?}: {error}");
    Some(output.stdout)
}

/// The output of the observing program, with at most `tries` argument lists per method.
fn observed(tries: usize) -> Option<String> {
    let sources = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/differential");
    let files = std::fs::read_dir(&sources).expect("the sources").flatten().map(|file| file.path());
    let files: Vec<PathBuf> = files.filter(|path| path.extension().is_some_and(|end| end == "java")).collect();
    let classes = Folder::new();
    run(Command::new("javac").arg("-nowarn").arg("-Xlint:none").arg("-d").arg(classes.path()).args(files))?;
    let output =
        run(Command::new("java").arg("-cp").arg(classes.path()).args(["differential.Facts", &tries.to_string()]))?;
    Some(String::from_utf8(output).expect("facts are text"))
}

/// Fails with a list of all facts that the rows do not allow.
fn check(tries: usize) {
    let Some(text) = observed(tries) else {
        eprintln!("skipped: no javac and java on the PATH");
        return;
    };
    let library = Library::builtin();
    let facts = parse(&text);
    assert!(facts.len() > 10_000, "{}", facts.len());
    let mut wrong = BTreeSet::new();
    for Fact { method: [class, name, descriptor], words } in &facts {
        let row = Rule::find(&library, class, name, descriptor);
        if !row.is_some_and(|row| allows(&row, words) || may_start(&library, class, &row, words)) {
            wrong.insert(format!("{class}.{name}{descriptor}: {}", words.join(" ")));
        }
    }
    let wrong: Vec<String> = wrong.into_iter().collect();
    assert!(wrong.is_empty(), "not allowed: {} of {}\n{}", wrong.len(), facts.len(), wrong.join("\n"));
}

#[test]
fn rows_allow_all_observations() {
    check(3);
}

/// `cargo test --release -p asercheck-java -- --ignored many_observations`
#[test]
#[ignore = "a minute: calls each method often"]
fn rows_allow_many_observations() {
    check(25);
}

/// Incomplete rows do not allow facts that complete rows allow.
#[test]
fn incomplete_rows_are_detected() {
    let facts = [
        ("updates, keeps 1", "reads, keeps 1", vec!["writes", "this"]),
        ("updates, keeps 1", "updates, keeps nothing", vec!["keeps", "1", "this"]),
        ("reads, calls 1", "reads", vec!["calls", "accept", "1", "now"]),
        ("starts 1.run", "calls 1.run", vec!["calls", "run", "1", "other"]),
        ("hashes 1", "calls 1.equals", vec!["calls", "hashCode", "1", "now"]),
        ("calls this[].compare", "calls 1.compare", vec!["calls", "compare", "this[]", "now"]),
        ("traverses 1", "reads 1", vec!["calls", "iterator", "1", "now"]),
        ("calls 1", "once calls 1", vec!["often", "get", "1"]),
        ("later 1, makes 1", "reads, makes", vec!["later", "get", "1"]),
        ("reads, gives", "reads, returns 1", vec!["result", "this[]"]),
        ("reads, makes this[]", "reads, makes 1", vec!["holds", "this[]"]),
        ("views", "makes this[]", vec!["views", "this"]),
        ("reads, throws", "reads", vec!["throws"]),
        ("reads", "blocks", vec!["reads", "this"]),
        ("unguarded, calls 1", "calls 1", vec!["unlocked", "get"]),
    ];
    for (right, wrong, words) in facts {
        let mut library = Library::new();
        let text = format!("synchronized class A\n  right: {right}\n  wrong: {wrong}");
        library.add(&text).unwrap_or_else(|errors| panic!("{text}: {errors:?}"));
        let is_allowed = |name| allows(&Rule::find(&library, "A", name, "()V").expect("a row"), &words);
        assert_eq!([is_allowed("right"), is_allowed("wrong")], [true, false], "{right} or {wrong}: {words:?}");
    }
}
