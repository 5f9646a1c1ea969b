//! The verdict about a subject: which of its traces the model includes.

use super::acceptor::{Acceptor, Beginning, Support, Symbol, Verdict};
use super::flags::is_flag;
use super::names::{Locations, Part, function_name, without_number};
use super::projection::{Other, Projected, View};
use super::sharing::{Key, Root, Sharing};
use super::trace::{Event, Kind, Object, ObjectId, Run, Unit};
use asercheck::isolate::{Assumption, Isolated};
use asercheck::model::{Model, ProcedureId, ProcessId};
use std::cell::{Cell, RefCell};
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;

/// Number of objects of the subject's class that are the subject in turn.
const MOST_ROOTS: usize = 3;

/// Limit of visited places for a run seen from one object.
const MOST_ITEMS: usize = 1_000_000;

/// The subject of a judgement.
#[derive(Clone, Copy, Debug)]
pub struct Subject<'a> {
    /// The name of the class.
    pub class: &'a str,
    /// Whether the subject are the static fields of the class.
    pub is_static: bool,
    /// Its final fields.
    pub finals: &'a BTreeSet<String>,
    /// The model; none if the analysis found no access.
    pub isolated: Option<&'a Isolated>,
}

/// A trace that is not included.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Missing {
    /// The class, or its static fields.
    pub subject: String,
    /// The unit's method.
    pub unit: String,
    /// The first event that no path of the model can do.
    pub event: String,
    /// The seed of the run, and the number of the unit in it.
    pub place: (u64, usize),
    /// The event's number.
    pub number: usize,
    /// The projection of the trace up to it.
    pub trace: Vec<String>,
}

/// Result for a subject.
#[derive(Clone, Debug, Default)]
pub struct Judged {
    /// Number of traces: units seen from one object of the subject's class.
    pub units: usize,
    /// Number of included traces.
    pub included: usize,
    /// Methods of the traces.
    pub methods: BTreeSet<String>,
    /// Number of traces with too many paths.
    pub too_large: usize,
    /// Number of missing traces of subjects that are analysed in part; such subjects are undecided.
    pub in_part: usize,
    /// Number of missing traces that break a printed assumption of the subject.
    pub assumed: usize,
    /// Missing traces, one for each unit and event.
    pub missing: Vec<Missing>,
}

impl Judged {
    /// Adds the result for another subject.
    pub fn add(&mut self, other: Self) {
        self.units += other.units;
        self.included += other.included;
        self.methods.extend(other.methods);
        self.too_large += other.too_large;
        self.in_part += other.in_part;
        self.assumed += other.assumed;
        self.missing.extend(other.missing);
    }
}

/// Compares a run with the model of a subject.
pub fn judge(subject: Subject<'_>, run: &Run) -> Judged {
    let mut judged = Judged::default();
    for root in roots(subject, run) {
        let peers = peers(subject, run, &root);
        let sharing = Sharing::of(run, &root, &peers);
        let locations = subject.isolated.map(|isolated| Locations::of(&isolated.model)).unwrap_or_default();
        let view = View { run, root: &root, sharing: &sharing, locations: &locations, finals: subject.finals };
        Judge { subject, view, peers, budget: Cell::new(MOST_ITEMS), known: RefCell::default() }.run(&mut judged);
    }
    judged.missing.sort();
    judged.missing.dedup_by(|one, other| (&one.unit, &one.event) == (&other.unit, &other.event));
    judged
}

/// Returns the objects that are the subject in turn.
fn roots(subject: Subject<'_>, run: &Run) -> Vec<Root> {
    let of_kind =
        |kind| run.objects.iter().filter(move |(_, object)| object.kind == kind && object.class == subject.class);
    if subject.is_static {
        let class = of_kind(Kind::Class).map(|(id, _)| *id).next();
        return vec![Root::Statics(subject.class.to_string(), class)];
    }
    of_kind(Kind::Given).map(|(id, _)| Root::Object(*id)).take(MOST_ROOTS).collect()
}

/// Returns the other objects of the subject's class.
fn peers(subject: Subject<'_>, run: &Run, root: &Root) -> BTreeSet<ObjectId> {
    let is_of_class = |object: &Object| object.kind == Kind::Given && object.class == subject.class;
    let is_peer = |id: &ObjectId| !subject.is_static && *root != Root::Object(*id);
    let objects = run.objects.iter().filter(|(_, object)| is_of_class(object));
    objects.map(|(id, _)| *id).filter(is_peer).collect()
}

struct Judge<'a> {
    subject: Subject<'a>,
    view: View<'a>,
    peers: BTreeSet<ObjectId>,
    /// Number of places that may still be visited.
    budget: Cell<usize>,
    /// The verdicts of each unit: most objects K occur in few units, and the others look the same for all of them.
    known: RefCell<BTreeMap<usize, Vec<Known>>>,
}

/// A projected trace with the objects of the locks, and its verdict.
struct Known {
    symbols: Vec<Symbol>,
    supports: Vec<Support>,
    verdict: Verdict,
}

/// The units that are not included if one object K is of one alias class: verdict and missing event.
type Wrong = Vec<(usize, Verdict, Option<usize>)>;

impl Judge<'_> {
    fn run(&self, judged: &mut Judged) {
        let mut wrong: Vec<(Other, Wrong)> = vec![(Other::default(), self.wrong(&Other::default()))];
        wrong.extend(self.others().into_iter().map(|object| self.best(object)));
        for (number, unit) in self.view.run.units.iter().enumerate() {
            if !self.is_judged(number, unit) {
                continue;
            }
            judged.units += 1;
            judged.methods.insert(unit.method.clone());
            let here = |(other, wrong): &(Other, Wrong)| {
                let found = wrong.iter().find(|(unit, ..)| *unit == number);
                found.map(|(_, verdict, event)| (other.clone(), *verdict, *event))
            };
            let found: Vec<_> = wrong.iter().filter_map(here).collect();
            let missing = || found.iter().filter(|(_, verdict, _)| *verdict != Verdict::TooLarge);
            let is_in_part = self.subject.isolated.is_some_and(|isolated| isolated.partial.is_some());
            match missing().find(|(other, ..)| !self.is_among_any(unit, other) && !self.is_of_any_type(unit, other)) {
                Some(_) if is_in_part => judged.in_part += 1,
                Some((other, _, event)) => judged.missing.push(self.missing(number, other, *event)),
                None if missing().next().is_some() => judged.assumed += 1,
                None if found.is_empty() => judged.included += 1,
                None => judged.too_large += 1,
            }
        }
    }

    /// Whether a unit accesses the subject.
    fn is_judged(&self, number: usize, unit: &Unit) -> bool {
        let is_made = matches!(self.view.root, Root::Object(object) if unit.makes(*object));
        // A call that timed out may be a loop that retries; models have only the last round of such a loop.
        !is_made && !unit.is_given_up && !self.view.sharing.touches[number].is_empty()
    }

    /// Whether a client passes K, or an object reachable from the subject that leads to K, to another object of the
    /// class, against the assumption.
    fn is_given_twice(&self, unit: &Unit, other: &Other) -> bool {
        let is_peer = unit.receiver.is_some_and(|receiver| self.peers.contains(&receiver));
        let (Some(object), true) = (other.object, is_peer && self.assumes(&Assumption::GivenOnce.to_string())) else {
            return false;
        };
        let held = self.view.root.object().map(|root| unit.graph.reached(root)).unwrap_or_default();
        let leads = |argument: &ObjectId| {
            *argument == object || held.contains(argument) && unit.graph.reached(*argument).contains(&object)
        };
        unit.arguments.iter().any(leads)
    }

    /// Whether the subject has a printed assumption with this end.
    fn assumes(&self, end: &str) -> bool {
        let assumptions = self.subject.isolated.map(|isolated| &isolated.assumptions);
        assumptions.is_some_and(|all| all.iter().any(|one| one.ends_with(end)))
    }

    /// Whether a client passes the subject or K in a container on whose elements the subject's class calls methods,
    /// against the assumption. (Elements that the code casts are analysed, so such a trace proves nothing about them.)
    fn is_among_any(&self, unit: &Unit, other: &Other) -> bool {
        // The text of the assumption begins with the methods.
        let named = Assumption::NotAmongAny("\n".to_string()).to_string();
        if !named.split('\n').next_back().is_some_and(|end| self.assumes(end)) {
            return false;
        }
        let root = if let Root::Object(root) = self.view.root { Some(*root) } else { None };
        let is_meant = |object: ObjectId| root == Some(object) || other.object == Some(object);
        let is_container = |object: &&ObjectId| self.view.run.objects[*object].kind == Kind::Library;
        let containers = unit.arguments.iter().filter(is_container);
        let mut elements = containers.flat_map(|container| unit.graph.held(*container));
        elements.any(|(_, object)| is_meant(*object))
    }

    /// Whether K is reachable from objects of universal types that clients pass to the subject, which are not analysed.
    fn is_of_any_type(&self, unit: &Unit, other: &Other) -> bool {
        let named = Assumption::OfAnyType("\n".to_string()).to_string();
        let end = named.split('\n').next_back().unwrap_or_default();
        let (Some(root), Some(object), Some(isolated)) = (self.view.root.object(), other.object, self.subject.isolated)
        else {
            return false;
        };
        let fitting = isolated.assumptions.iter().filter(|one| one.ends_with(end));
        // The paths are between backquotes.
        let paths = fitting.flat_map(|one| one.split('`').skip(1).step_by(2));
        let mut given = paths.flat_map(|path| unit.graph.at(root, path.trim_start_matches("this.")));
        given.any(|given| unit.graph.reached(given).contains(&object))
    }

    /// Returns the shared objects other than the subject.
    fn others(&self) -> BTreeSet<ObjectId> {
        let sharing = self.view.sharing;
        let is_root = |object: &ObjectId| *self.view.root == Root::Object(*object);
        let shared = sharing.shared().filter_map(Key::object);
        let is_state = |object: &ObjectId| is_flag(self.view.run, *object) && self.is_lock(*object);
        shared.filter(|object| !is_root(object) && sharing.is_own(*object) && !is_state(object)).collect()
    }

    /// Whether a lock of the model stands for an object at the beginning of some unit.
    fn is_lock(&self, object: ObjectId) -> bool {
        let Some(isolated) = self.subject.isolated else { return false };
        let is_it = |support: &Support| matches!(support, Support::Objects(objects) if objects.contains(&object));
        let units = 0..self.view.run.units.len();
        let mut supports = units.flat_map(|unit| self.view.supports(&isolated.model, unit, &Other::default()));
        supports.any(|support| is_it(&support))
    }

    /// Returns the alias class of an object with the fewest missing traces. If none is missing but some are too large,
    /// the class may be the right one; then these traces count as too large, not as missing.
    fn best(&self, object: ObjectId) -> (Other, Wrong) {
        let mut best: Option<(Other, Wrong)> = None;
        for alias in self.view.locations.aliases().filter(|alias| self.may_be_of(object, alias)) {
            let found = self.taken_for(object, alias);
            if found.1.is_empty() {
                return found;
            }
            if best.as_ref().is_none_or(|(_, wrong)| badness(&found.1) < badness(wrong)) {
                best = Some(found);
            }
        }
        best.unwrap_or_else(|| {
            let other = Other { object: Some(object), index: None, alias: None };
            let wrong = self.wrong(&other);
            (other, wrong)
        })
    }

    /// Whether an alias class has a location for a shared part of an object.
    fn may_be_of(&self, object: ObjectId, alias: &str) -> bool {
        let is_there = |key: &Key| {
            let part = match key {
                Key::Field(_, field) | Key::Static(field) => Part::Field(field.clone()),
                Key::Content(_) => Part::Content,
                Key::Element(..) => Part::Element,
            };
            let is_apart = part == Part::Content && self.view.locations.has_elements(alias);
            is_apart || !self.view.locations.at(alias, &part).is_empty()
        };
        let mut shared = self.view.sharing.shared().filter(|key| key.object() == Some(object));
        !alias.is_empty() && shared.any(is_there)
    }

    /// Returns the missing traces if an object is of an alias class. If the model distinguishes the elements of an
    /// array, each element is K in turn.
    fn taken_for(&self, object: ObjectId, alias: &str) -> (Other, Wrong) {
        let other = |index| Other { object: Some(object), index, alias: Some(alias.to_string()) };
        if !self.view.locations.has_elements(alias) {
            return (other(None), self.wrong(&other(None)));
        }
        let mut found = (other(None), Wrong::new());
        let is_own = |key: &&Key| key.object() == Some(object);
        for key in self.view.sharing.shared().filter(is_own) {
            let index = if let Key::Element(_, index) = key { Some(*index) } else { None };
            let wrong = self.wrong(&other(index));
            if badness(&wrong) > badness(&found.1) {
                found = (other(index), wrong);
            }
        }
        found
    }

    /// Returns the units whose projections are not included, with the missing event.
    fn wrong(&self, other: &Other) -> Wrong {
        let mut found = Vec::new();
        for (number, unit) in self.view.run.units.iter().enumerate() {
            if !self.is_judged(number, unit) || self.is_given_twice(unit, other) {
                continue;
            }
            let trace = self.view.project(number, other);
            match self.verdict(number, &trace, other) {
                Verdict::Included => {}
                Verdict::Missing(symbol) => found.push((number, Verdict::Missing(symbol), Some(trace[symbol].1))),
                Verdict::TooLarge => found.push((number, Verdict::TooLarge, None)),
            }
        }
        found
    }

    fn verdict(&self, unit: usize, trace: &Projected, other: &Other) -> Verdict {
        let first = trace.iter().position(|(symbol, _)| has_access(symbol));
        let Some(first) = first else { return Verdict::Included };
        let Some(isolated) = self.subject.isolated else { return Verdict::Missing(first) };
        let symbols: Vec<Symbol> = trace.iter().map(|(symbol, _)| symbol.clone()).collect();
        let mut supports = self.view.supports(&isolated.model, unit, other);
        leave_out_others(&mut supports, &symbols);
        let is_it = |known: &&Known| known.symbols == symbols && known.supports == supports;
        if let Some(known) = self.known.borrow().get(&unit).and_then(|all| all.iter().find(is_it)) {
            return known.verdict;
        }
        let verdict = self.simulated(isolated, unit, (&symbols, &supports), first);
        self.known.borrow_mut().entry(unit).or_default().push(Known { symbols, supports, verdict });
        verdict
    }

    /// The verdict of a trace by the paths from all beginnings.
    fn simulated(
        &self,
        isolated: &Isolated,
        unit: usize,
        (symbols, supports): (&[Symbol], &[Support]),
        first: usize,
    ) -> Verdict {
        let mut worst = Verdict::Missing(first);
        for beginning in self.beginnings(isolated, &self.view.run.units[unit]) {
            match (Acceptor::new(&isolated.model, supports, &self.budget).accepts(beginning, symbols), worst) {
                (Verdict::Included, _) => return Verdict::Included,
                (Verdict::Missing(one), Verdict::Missing(known)) => worst = Verdict::Missing(one.max(known)),
                (Verdict::TooLarge, _) => worst = Verdict::TooLarge,
                (Verdict::Missing(_), _) => {}
            }
        }
        worst
    }

    /// Returns the beginnings of paths that run a unit's method. A method of another class may be no entry of the model
    /// but consist of calls of entries; then any sequence of entries in one thread may include it.
    fn beginnings(&self, isolated: &Isolated, unit: &Unit) -> Vec<Beginning> {
        let is_receiver = matches!((self.view.root, unit.receiver), (Root::Object(root), Some(of)) if *root == of);
        let model = &isolated.model;
        let runs = |process: &ProcessId| {
            let name = model.process(*process).name();
            let full = isolated.meanings.unit(name).split(" [argument").next().unwrap_or_default();
            let is_of_receiver = name.starts_with("this.");
            full == unit.method && (self.subject.is_static || is_receiver == is_of_receiver || !is_of_receiver)
        };
        let own: Vec<Beginning> = isolated
            .entries
            .iter()
            .filter(|process| runs(process))
            .map(|process| (model.process(*process).body(), false))
            .collect();
        let interfering = interfering(isolated, model, &unit.method);
        if !own.is_empty() {
            // On another object, with or without the subject as an argument: without it the unit only interferes.
            let others = interfering.into_iter().filter(|_| !is_receiver);
            return own.into_iter().chain(others).collect();
        }
        match interfering.is_empty() && self.is_of_others(unit) {
            true => {
                // A single entry often suffices and has fewer paths.
                let each = isolated.entries.iter().chain([&isolated.others]);
                each.map(|process| (model.process(*process).body(), true)).collect()
            }
            false => interfering,
        }
    }

    /// Whether a unit can only interfere, possibly as several units: its method belongs to another class, which is a
    /// subject of its own.
    fn is_of_others(&self, unit: &Unit) -> bool {
        let receiver = unit.receiver.map(|receiver| outermost(&self.view.run.objects[&receiver].class));
        let class = unit.method.split('(').next().and_then(|name| name.rsplit_once('.')).map(|(class, _)| class);
        let own = outermost(self.subject.class);
        receiver != Some(own) && class.is_some_and(|class| outermost(class) != own)
    }

    fn missing(&self, number: usize, other: &Other, event: Option<usize>) -> Missing {
        let unit = &self.view.run.units[number];
        let number_of_event = event.unwrap_or_default();
        let mut text = unit.events.get(number_of_event).map(|event| self.described(event)).unwrap_or_default();
        if let Some(object) = other.object {
            let class = &self.view.run.objects[&object].class;
            let alias = other.alias.as_deref().unwrap_or("no location");
            write!(text, ", with {class} taken for {alias}").expect("texts can be written");
        }
        let is_other = matches!((self.view.root, unit.receiver), (Root::Object(root), Some(of)) if *root != of);
        if is_other {
            text.push_str(", called on another object");
        }
        let kind = if self.subject.is_static { " (static fields)" } else { "" };
        Missing {
            subject: format!("{}{kind}", self.subject.class),
            unit: unit.method.clone(),
            event: text,
            place: (self.view.run.seed, number),
            number: number_of_event,
            trace: self.described_trace(number, other, number_of_event),
        }
    }

    /// Describes the projection of a trace up to an event.
    fn described_trace(&self, unit: usize, other: &Other, last: usize) -> Vec<String> {
        let events = &self.view.run.units[unit].events;
        let projected = self.view.project(unit, other).into_iter();
        let described = |(symbol, number): (Symbol, usize)| {
            let accesses = if has_access(&symbol) { "must" } else { "" };
            format!("{number:5} {accesses:4} {}", self.described(&events[number]))
        };
        projected.take_while(|(_, number)| *number <= last).map(described).collect()
    }

    fn described(&self, event: &Event) -> String {
        let class = |object: &ObjectId| &*self.view.run.objects[object].class;
        match event {
            Event::Get(_, field) | Event::GetStatic(field) => format!("read {field}"),
            Event::Put(_, field, _) | Event::PutStatic(field) => format!("write {field}"),
            Event::Load(array, _) => format!("read an element of {}", class(array)),
            Event::Store(array, _) => format!("write an element of {}", class(array)),
            Event::Take(object, _) => format!("take {} {object}", class(object)),
            Event::Give(object, _) | Event::GiveAll(object) => format!("give back {} {object}", class(object)),
            Event::Begin(method, on) => {
                let on: Vec<&str> = on.iter().map(class).collect();
                format!("begin of {method} on {}", on.join(", "))
            }
            Event::End(method, _) => format!("end of {method}"),
        }
    }
}

/// Replaces the objects of locks that do not occur in a trace with one that stands for all of them: the thread neither
/// holds them nor calls their methods.
fn leave_out_others(supports: &mut [Support], symbols: &[Symbol]) {
    const OTHER: ObjectId = ObjectId::MAX;
    let mut known: BTreeSet<ObjectId> = BTreeSet::new();
    for symbol in symbols {
        match symbol {
            Symbol::Take(object, _) | Symbol::Give(object, _) | Symbol::GiveAll(object) => drop(known.insert(*object)),
            Symbol::Begin(containers, _) => known.extend(containers),
            Symbol::Access(_) | Symbol::End => {}
        }
    }
    for support in supports {
        let (Support::Objects(objects) | Support::Monitors(objects) | Support::Operations(objects)) = support else {
            continue;
        };
        *objects = objects.iter().map(|object| if known.contains(object) { *object } else { OTHER }).collect();
    }
}

fn has_access(symbol: &Symbol) -> bool {
    match symbol {
        Symbol::Access(_) => true,
        Symbol::Begin(_, accesses) => !accesses.is_empty(),
        Symbol::Take(..) | Symbol::Give(..) | Symbol::GiveAll(_) | Symbol::End => false,
    }
}

/// Returns the number of missing traces and of those that are too large.
fn badness(wrong: &Wrong) -> (usize, usize) {
    let missing = wrong.iter().filter(|(_, verdict, _)| matches!(verdict, Verdict::Missing(_))).count();
    (missing, wrong.len() - missing)
}

/// Returns the outermost class around a class.
fn outermost(class: &str) -> &str {
    class.split('$').next().unwrap_or(class)
}

/// Returns the functions of a method that only interferes, each as a unit.
fn interfering(isolated: &Isolated, model: &Model, method: &str) -> Vec<Beginning> {
    let Some(wanted) = function_name(method) else { return Vec::new() };
    let is_run = |name: &str| isolated.meanings.processes.contains_key(name) && without_number(name) == wanted;
    let procedures = model.procedures().iter().enumerate();
    procedures.filter(|(_, it)| is_run(it.name())).map(|(number, _)| (ProcedureId::new(number), true)).collect()
}
