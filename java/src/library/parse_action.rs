//! The parser of the right sides of rows.

use super::action::{
    Action, Argument, Call, MadeClass, Making, Named, Permit, Run, Side, Source, Subject, Target, Thread, View,
    ViewGuard,
};
use super::error::TableProblem;
use super::row::Traits;
use super::syntax::{ARRAY, LocatedProblem, class_name, is_method_name, list_items};
use super::table::Body;

/// Parses a line from after the colon.
pub(super) fn body(line: &str, start: usize) -> Result<Body, LocatedProblem> {
    if line[start..].trim().is_empty() {
        return Err((start, TableProblem::NoActions));
    }
    let mut body = Reader::default();
    for (at, text) in list_items(line, start, line.len()).map_err(|problem| (start, problem))? {
        body.item(text).map_err(|problem| (at, problem))?;
        if text == "nothing" {
            body.nothing = Some(at);
        }
    }
    match body.nothing {
        Some(at) if !body.actions.is_empty() => Err((at, TableProblem::NothingAndMore)),
        _ => Ok(Body { actions: body.actions.into(), traits: body.traits }),
    }
}

#[derive(Default)]
struct Reader<'t> {
    actions: Vec<Action>,
    traits: Traits,
    nothing: Option<usize>,
    /// The verb of the previous item: `reads 1, 2` is `reads 1, reads 2`.
    verb: &'t str,
}

/// Actions whose operand may name a method.
const CALLS: [&str; 4] = ["calls", "starts", "later", "traverses"];

type Actions = Result<Vec<Action>, TableProblem>;

impl<'t> Reader<'t> {
    fn item(&mut self, text: &'t str) -> Result<(), TableProblem> {
        if let Some(flag) = self.flag(text) {
            *flag = true;
            return Ok(());
        }
        if let Some(number) = text.strip_prefix("inside key ") {
            self.traits.inside = true;
            let number = number.trim().parse().map_err(|_| TableProblem::UnknownAction(text.to_string()))?;
            self.traits.values_of_key = Some(number);
            return Ok(());
        }
        if text == "nothing" {
            return Ok(());
        }
        let is_function = CALLS.contains(&self.verb) && function(text).is_ok();
        let is_more = is_function || (!self.verb.is_empty() && source(text).is_ok());
        if let (true, Some(Action::Makes(making))) = (is_more, self.actions.last_mut()) {
            let mut holds = making.holds.to_vec();
            holds.push(source(text)?);
            making.holds = holds.into();
            return Ok(());
        }
        let (verb, object) = match is_more {
            true => (self.verb, text),
            false => text.split_once(char::is_whitespace).unwrap_or((text, "")),
        };
        self.actions.extend(action(verb, object.trim())?);
        self.verb = verb;
        Ok(())
    }

    fn flag(&mut self, text: &str) -> Option<&mut bool> {
        match text {
            "several" => Some(&mut self.traits.several),
            "inside" => Some(&mut self.traits.inside),
            "throws" => Some(&mut self.traits.throws),
            "never-throws" => Some(&mut self.traits.never_throws),
            "unguarded" => Some(&mut self.traits.unguarded),
            "pure" => Some(&mut self.traits.pure),
            "reflects" => Some(&mut self.traits.reflects),
            "stateless" => Some(&mut self.traits.stateless),
            "commutes" => Some(&mut self.traits.commutes),
            "global" => Some(&mut self.traits.global),
            _ => None,
        }
    }
}

fn action(verb: &str, object: &str) -> Actions {
    let one = |action: Action| Ok(vec![action]);
    match verb {
        "reads" | "writes" | "moves" if verb == "moves" || object.split_whitespace().next() == Some("position") => {
            position(verb, object)
        }
        "reads" if object.split_whitespace().next() == Some("all") => {
            one(Action::ReadsAll(subject_or_this(object[3..].trim_start())?))
        }
        "reads" => one(Action::Reads(subject_or_this(object)?)),
        "writes" => one(Action::Writes(subject_or_this(object)?)),
        "replaces" => one(Action::Replaces(subject_or_this(object)?)),
        "updates" if object.starts_with("by ") => one(Action::UpdatesBy(argument(&object[3..])?)),
        "updates" => subject_or_this(object).map(|subject| vec![Action::Reads(subject), Action::Writes(subject)]),
        "traverses" => traverses(object),
        "returns" => one(Action::Returns(subject(object)?)),
        "views" => views(object),
        "gives" => one(Action::Gives(subject_or_this(object)?)),
        "makes" => makes(object),
        "holds" => one(Action::Holds(class_name(object)?)),
        "enumerates" => one(Action::Enumerates(subject(object)?)),
        "clones" => one(Action::Clones(subject_or_this(object)?)),
        "class" if object.starts_with("of ") => one(Action::ClassOf(subject(object[3..].trim_start())?)),
        "becomes" => one(Action::Becomes(class_name(object)?)),
        "keeps" if object == "nothing" => one(Action::KeepsNothing),
        "keeps" => keeps(object, Source::Itself),
        "copies" => keeps(object, Source::Content),
        "once" => once(object),
        "calls" => call(object, Thread::Caller),
        "hashes" => methods(source(object)?, &["hashCode", "equals", "compareTo"]),
        "orders" => {
            let content = Source::Content(Subject::This);
            let actions = [methods(source(object)?, &["compareTo"])?, methods(content, &["compareTo", "compare"])?];
            Ok(actions.concat())
        }
        "starts" => starts(object),
        "later" => function(object).map(|(whom, method)| vec![Action::Later { whom, method }]),
        "runs" => one(Action::Runs(Run { whom: subject_or_this(object)?, thread: Thread::Caller, once: false })),
        "joins" if object == "started" => one(Action::JoinsStarted),
        "joins" => waits_for(object, |whom, certain| Ok(Action::Joins { whom, certain })),
        _ => lock_action(verb, object),
    }
}

/// Parses actions on locks, conditions, latches and barriers.
fn lock_action(verb: &str, object: &str) -> Actions {
    let one = |action: Action| Ok(vec![action]);
    match verb {
        "acquires" => one(Action::Acquires(side(object)?)),
        "tries" => {
            let (timed, object) = match object.strip_suffix("timed") {
                Some(object) => (true, object.trim_end()),
                None => (false, object),
            };
            one(Action::Tries { side: side(object)?, timed })
        }
        "releases" => match object {
            "any" => one(Action::Releases(Side::Either)),
            _ => one(Action::Releases(side(object)?)),
        },
        "converts" => one(Action::Converts(side(object)?)),
        "permit" => match object {
            "acquires" => one(Action::Permit(Permit::Acquires)),
            "tries" => one(Action::Permit(Permit::Tries)),
            "releases" => one(Action::Permit(Permit::Releases)),
            _ => Err(TableProblem::UnknownAction(format!("permit {object}"))),
        },
        "awaits" => match object.split_once(' ').unwrap_or((object, "")) {
            ("", "") => one(Action::Awaits),
            ("latch", rest) => one(Action::AwaitsLatch { certain: certain(rest)? }),
            ("barrier", rest) => one(Action::AwaitsBarrier { certain: certain(rest)? }),
            _ => Err(TableProblem::Surplus(object.into())),
        },
        "waits" => {
            let (entered, object) = match object.strip_prefix("entered") {
                Some(object) => (true, object.trim_start()),
                None => (false, object),
            };
            one(Action::Waits { whom: subject_or_this(object)?, entered })
        }
        "counts" if object == "down" => one(Action::CountsDown),
        _ => atomic_action(verb, object),
    }
}

/// Parses actions on atomics and handles.
fn atomic_action(verb: &str, object: &str) -> Actions {
    match verb {
        "sets" => Ok(vec![Action::Sets(argument(object)?)]),
        "gets-and-sets" => Ok(vec![Action::GetsAndSets(argument(object)?)]),
        "compares-and-sets" => {
            let pairs = object.split(" and ").map(pair).collect::<Result<Vec<_>, _>>()?;
            Ok(vec![Action::ComparesAndSets(pairs.into())])
        }
        "names" => names(object),
        _ => alone(verb, object),
    }
}

/// Parses actions without an operand.
fn alone(verb: &str, object: &str) -> Actions {
    let action = match verb {
        "yields" => Action::Yields,
        "finds" => Action::Finds,
        "blocks" => Action::Blocks,
        "read-lock" => Action::ReadLock,
        "write-lock" => Action::WriteLock,
        "condition" => Action::Condition,
        "optimistic" => Action::Optimistic,
        "validates" => Action::Validates,
        "gets" => Action::Gets,
        _ => return Err(TableProblem::UnknownAction(verb.into())),
    };
    if object.is_empty() { Ok(vec![action]) } else { Err(TableProblem::Surplus(object.into())) }
}

fn traverses(object: &str) -> Actions {
    let (object, at_once) = match object.strip_suffix(" at once") {
        Some(object) => (object, true),
        None => (object, false),
    };
    let (whom, method) = function(object)?;
    match whom {
        Source::Itself(whom) => Ok(vec![Action::Traverses { whom, method, at_once }]),
        _ => Err(TableProblem::NoSubject(object.into())),
    }
}

/// `views 1 as java.util.Vector$Itr`, `views locked`.
fn views(object: &str) -> Actions {
    let (object, guard) = match object.strip_suffix("locked") {
        Some(object) => (object.trim_end(), ViewGuard::Shared),
        None => (object, ViewGuard::OfClass),
    };
    let (of, class) = match object.split_once("as ") {
        Some((of, class)) => (of.trim_end(), Some(class_name(class)?)),
        None => (object, None),
    };
    Ok(vec![Action::Views(View { of: subject_or_this(of)?, class, guard })])
}

/// `makes`, `makes 1`, `makes java.util.ArrayList`, `makes java.util.ArrayList(1[], 2)`, `makes any(1)`.
fn makes(object: &str) -> Actions {
    let is_one = object.is_empty() || source(object).is_ok();
    let (class, holds) = match object.split_once('(') {
        _ if is_one => (MadeClass::Declared, object),
        Some((class, holds)) => (made_class(class)?, holds.strip_suffix(')').ok_or(TableProblem::Parenthesis)?),
        None if object.contains('.') || object.ends_with(ARRAY) => (made_class(object)?, ""),
        None => return Err(TableProblem::NoSubject(object.into())),
    };
    let holds = match holds.trim() {
        "" => Vec::new(),
        holds => holds.split(',').map(|text| source(text.trim())).collect::<Result<_, _>>()?,
    };
    Ok(vec![Action::Makes(Making { class, holds: holds.into() })])
}

/// `any`, `java.util.ArrayList`, `java.lang.Object[]`, `int[]`.
fn made_class(text: &str) -> Result<MadeClass, TableProblem> {
    let text = text.trim();
    let element = text.trim_end_matches(ARRAY);
    let dimensions = (text.len() - element.len()) / ARRAY.len();
    match element {
        "any" if dimensions == 0 => return Ok(MadeClass::Any),
        _ if dimensions == 0 => return class_name(element).map(MadeClass::Exact),
        _ => {}
    }
    let descriptor = match PRIMITIVES.iter().find(|(name, _)| *name == element) {
        Some((_, letter)) => (*letter).into(),
        None => format!("L{};", class_name(element)?),
    };
    Ok(MadeClass::Exact(("[".repeat(dimensions) + &descriptor).into()))
}

/// Primitive types and their descriptors.
const PRIMITIVES: [(&str, &str); 8] = [
    ("boolean", "Z"),
    ("byte", "B"),
    ("char", "C"),
    ("short", "S"),
    ("int", "I"),
    ("long", "J"),
    ("float", "F"),
    ("double", "D"),
];

/// `keeps 1`, `keeps 1 in 2`, `keeps any in yielded`; the receiver cannot be kept in itself.
fn keeps(object: &str, as_source: impl FnOnce(Subject) -> Source) -> Actions {
    let (what, target) = match object.split_once(" in ") {
        Some((what, "yielded")) => (what, Target::Yielded),
        Some((what, target)) => (what, Target::Of(subject(target.trim_start())?)),
        None => (object, Target::Of(Subject::This)),
    };
    let what = match what.trim_end() {
        "any" => Source::Any,
        "yielded" => Source::Yielded,
        "value" => Source::Value,
        what => match subject(what)? {
            Subject::This if target == Target::Of(Subject::This) => {
                return Err(TableProblem::NoSubject(object.into()));
            }
            what => as_source(what),
        },
    };
    Ok(vec![Action::Keeps { what, target }])
}

/// `once calls 1`, `once starts 1`, `once runs this`, `once starts runs this`.
fn once(object: &str) -> Actions {
    let (verb, rest) = object.split_once(char::is_whitespace).unwrap_or((object, ""));
    let mut actions = match verb {
        "calls" | "starts" | "runs" => action(verb, rest.trim())?,
        _ => return Err(TableProblem::UnknownAction(format!("once {object}"))),
    };
    for action in &mut actions {
        match action {
            Action::Calls(call) => call.once = true,
            Action::Runs(run) => run.once = true,
            _ => {}
        }
    }
    Ok(actions)
}

/// `starts 1.run`, `starts one 1.run`, `starts runs this`, `starts one runs this`.
fn starts(object: &str) -> Actions {
    let (thread, object) = match object.strip_prefix("one ") {
        Some(object) => (Thread::Serial, object.trim_start()),
        None => (Thread::Other, object),
    };
    match object.split_once(char::is_whitespace).unwrap_or((object, "")) {
        ("runs", whom) => Ok(vec![Action::Runs(Run { whom: subject_or_this(whom.trim())?, thread, once: false })]),
        _ => call(object, thread),
    }
}

/// Calls of several methods of an object.
fn methods(whom: Source, names: &[&str]) -> Actions {
    let call = |name: &&str| Call { whom, method: Some((*name).into()), thread: Thread::Caller, once: false };
    Ok(names.iter().map(call).map(Action::Calls).collect())
}

/// `reads position`, `writes position 1`, `moves 1`.
fn position(verb: &str, object: &str) -> Actions {
    let whom = subject_or_this(object.strip_prefix("position").unwrap_or(object).trim_start())?;
    let [reads, writes] = [Action::ReadsPosition(whom), Action::WritesPosition(whom)];
    match verb {
        "reads" => Ok(vec![reads]),
        "writes" => Ok(vec![writes]),
        _ => Ok(vec![reads, writes]),
    }
}

fn call(object: &str, thread: Thread) -> Actions {
    let (whom, method) = function(object)?;
    Ok(vec![Action::Calls(Call { whom, method, thread, once: false })])
}

/// `1`, `1.run`, `this[].compare`.
fn function(object: &str) -> Result<(Source, Option<Box<str>>), TableProblem> {
    match object.split_once('.') {
        Some((whom, method)) if is_method_name(method) => Ok((source(whom)?, Some(method.into()))),
        Some((_, method)) => Err(TableProblem::NoName(method.into())),
        None => Ok((source(object)?, None)),
    }
}

/// `joins`, `joins 1[]`, `joins maybe`, `joins 1 maybe`.
fn waits_for(object: &str, action: impl FnOnce(Source, bool) -> Result<Action, TableProblem>) -> Actions {
    let (object, is_certain) = match object.strip_suffix("maybe") {
        Some(object) => (object.trim_end(), false),
        None => (object, true),
    };
    let whom = if object.is_empty() { Source::Itself(Subject::This) } else { source(object)? };
    Ok(vec![action(whom, is_certain)?])
}

fn certain(rest: &str) -> Result<bool, TableProblem> {
    match rest {
        "" => Ok(true),
        "maybe" => Ok(false),
        _ => Err(TableProblem::Surplus(rest.into())),
    }
}

fn side(object: &str) -> Result<Side, TableProblem> {
    match object {
        "" => Ok(Side::Own),
        "read" => Ok(Side::Read),
        "write" => Ok(Side::Write),
        _ => Err(TableProblem::Surplus(object.into())),
    }
}

fn pair(text: &str) -> Result<(Argument, Argument), TableProblem> {
    let (expected, new) = text.trim().split_once(' ').ok_or_else(|| TableProblem::NoSubject(text.into()))?;
    Ok((argument(expected)?, argument(new)?))
}

fn names(object: &str) -> Actions {
    let mut words = object.split_whitespace();
    let what = match words.next() {
        Some("field") => Named::Field,
        Some("method") => Named::Method,
        Some("elements") => Named::Elements,
        other => return Err(TableProblem::UnknownAction(format!("names {}", other.unwrap_or_default()))),
    };
    let class = argument(words.next().unwrap_or_default())?;
    let name = words.next().map(argument).transpose()?;
    match words.next() {
        Some(more) => Err(TableProblem::Surplus(more.into())),
        None => Ok(vec![Action::Names { what, class, name }]),
    }
}

fn source(text: &str) -> Result<Source, TableProblem> {
    match text.strip_suffix(ARRAY) {
        _ if text == "any" => Ok(Source::Any),
        _ if text == "value" => Ok(Source::Value),
        _ if text == "yielded" => Ok(Source::Yielded),
        Some(content) => Ok(Source::Content(subject(content)?)),
        None => Ok(Source::Itself(subject(text)?)),
    }
}

fn subject_or_this(text: &str) -> Result<Subject, TableProblem> {
    if text.is_empty() { Ok(Subject::This) } else { subject(text) }
}

fn subject(text: &str) -> Result<Subject, TableProblem> {
    match text {
        "this" => Ok(Subject::This),
        _ => argument(text).map(Subject::Argument),
    }
}

fn argument(text: &str) -> Result<Argument, TableProblem> {
    let number = || text.trim().parse::<usize>().ok()?.checked_sub(1).and_then(Argument::new);
    number().ok_or_else(|| TableProblem::NoSubject(text.into()))
}
