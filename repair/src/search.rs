//! The search for repairs: the cheapest changes first, each decided.
//!
//! A state is a changed text. Its queries are decided; if one is violated, the changes that may remove its witness lead
//! to further states: some lock is held over the torn section, and over the accesses that tear it where they do not
//! hold it. The lock is one of the model, or a new one. Sections may be larger than needed: the statement around them,
//! and so on up to the process.
//!
//! A change whose statements another one of the same lock has, too, is no change of its own.
//!
//! States are taken by the weight of their critical sections, then by the number of changes, then in the order in which
//! they were found. Changes only add weight, so the first state without violations and new deadlocks is the lightest of
//! all that these changes reach; but other changes are not tried: moving an access, or another order of locks.

use crate::deadlocks::Deadlocks;
use crate::edit::{Edit, Lock, declare};
use crate::place::{Run, is_within, run_with};
use crate::sections::{Section, Tear, tears};
use crate::weight::Weights;
use decide::query::Query;
use decide::witness::Witness;
use decide::{Options, Verdict, check_all};
use eml::model::{self, Model};
use eml::syntax::ast::{ItemKind, Program};
use eml::syntax::{parse, print};
use rustc_hash::FxHashSet;
use std::cmp::Reverse;
use std::collections::BinaryHeap;

/// The greatest number of sizes of a torn section, and of a section that tears it.
const TORN_SIZES: usize = 8;
const OTHER_SIZES: usize = 4;

/// The greatest number of choices of sizes for a tear.
const CHOICES: usize = 4096;

/// Returns the queries to ask of a changed model; an error if they cannot be asked.
pub type Ask<'a> = dyn Fn(&Model) -> Result<Vec<Query>, String> + 'a;

/// The bounds of the search.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Bounds {
    /// The greatest number of changes of a repair.
    pub edits: usize,
    /// The greatest number of changed models that are decided.
    pub models: usize,
    /// The number of repairs that are wanted.
    pub repairs: usize,
}

impl Default for Bounds {
    fn default() -> Self {
        Self { edits: 3, models: 1000, repairs: 3 }
    }
}

/// Changes after which every query is safe.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Repair {
    /// The changes.
    pub edits: Vec<Edit>,
    /// The canonical text of the changed model.
    pub text: String,
    /// The weight of its critical sections, and that of the original model.
    pub weight: u64,
    /// Likewise.
    pub weight_before: u64,
    /// The number of queries, all of which are safe now.
    pub queries: usize,
}

/// The result of a search.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Repairs {
    /// The number of violated queries of the model.
    pub violated: usize,
    /// The repairs, the lightest first.
    pub found: Vec<Repair>,
    /// The number of changed models that were decided.
    pub decided: usize,
    /// Whether all changed models within the bounds were made and decided.
    pub is_complete: bool,
    /// The number of models, the original one among them, with a query that was not decided; they are no repairs.
    pub undecided: usize,
}

/// An error of a search.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Error {
    /// The text is no model, or the queries cannot be asked.
    Input(String),
    /// An internal error of an engine.
    Internal(String),
}

impl std::fmt::Display for Error {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Input(message) | Self::Internal(message) => f.write_str(message),
        }
    }
}

impl std::error::Error for Error {}

/// Searches repairs of a model.
///
/// # Errors
/// If the text is no model, the queries cannot be asked of it, or an engine fails.
pub fn repairs(text: &str, ask: &Ask<'_>, options: &Options, bounds: Bounds) -> Result<Repairs, Error> {
    let program = parse(text).map_err(|_| Error::Input("the text is no model".into()))?;
    let canonical = print(&program);
    let mut search = Search {
        ask,
        options,
        bounds,
        is_cut: false,
        seen: FxHashSet::default(),
        open: BinaryHeap::new(),
        states: Vec::new(),
    };
    let first = search.decide(&canonical)?.ok_or_else(|| Error::Input("the model cannot be asked".into()))?;
    let weight_before = Weights::new(&program).of_sections(&program);
    let undecided = usize::from(first.has_unknown);
    let mut result = Repairs { violated: first.violated, found: Vec::new(), decided: 0, is_complete: true, undecided };
    let Some((_, witness)) = &first.violation else { return Ok(result) };
    let deadlocks = search.deadlocks(&canonical)?.unwrap_or_default();
    search.extend(&State { program, text: canonical, edits: Vec::new() }, witness);
    while let Some(Reverse((weight, _, number))) = search.open.pop() {
        if result.found.len() == bounds.repairs || options.limits.cancellation.is_cancelled() {
            break;
        }
        if result.decided == bounds.models {
            result.is_complete = false;
            break;
        }
        result.decided += 1;
        let Some(state) = search.states[number].take() else { continue };
        // Some changes tear the nesting of locks.
        let Some(decided) = search.decide(&state.text)? else { continue };
        result.undecided += usize::from(decided.has_unknown);
        match &decided.violation {
            Some((_, witness)) => search.extend(&state, witness),
            None if decided.has_unknown => {}
            None => {
                let after = search.deadlocks(&state.text)?;
                if after.is_some_and(|after| after.are_among(&deadlocks)) {
                    let (State { text, edits, .. }, queries) = (state, decided.queries);
                    result.found.push(Repair { edits, text, weight, weight_before, queries });
                }
            }
        }
    }
    result.is_complete &= !search.is_cut && !options.limits.cancellation.is_cancelled();
    Ok(result)
}

/// The verdicts about a changed model.
struct Decided {
    queries: usize,
    violated: usize,
    has_unknown: bool,
    /// The first violated query, with its witness.
    violation: Option<(Query, Witness)>,
}

struct Search<'a> {
    ask: &'a Ask<'a>,
    options: &'a Options,
    bounds: Bounds,
    /// Whether some changes were left out.
    is_cut: bool,
    seen: FxHashSet<String>,
    /// The states to decide: weight, number of changes, number of the state.
    open: BinaryHeap<Reverse<(u64, usize, usize)>>,
    states: Vec<Option<State>>,
}

/// A changed model.
#[derive(Clone, Debug)]
struct State {
    /// The tree with the positions of the model without changes.
    program: Program,
    /// Its text.
    text: String,
    /// The changes.
    edits: Vec<Edit>,
}

impl Search<'_> {
    /// Decides all queries of a text; `None` if it is no model.
    fn decide(&self, text: &str) -> Result<Option<Decided>, Error> {
        let Ok(loaded) = model::from_text("repair.eml", text) else { return Ok(None) };
        let model = &loaded.model;
        let queries = (self.ask)(model).map_err(Error::Input)?;
        let internal = |error: decide::Error| Error::Internal(error.to_string());
        let outcomes = check_all(model, &queries, self.options, |_, _| {}).map_err(internal)?;
        let mut decided = Decided { queries: queries.len(), violated: 0, has_unknown: false, violation: None };
        for (query, outcome) in queries.into_iter().zip(outcomes) {
            match outcome.verdict {
                Verdict::Safe => {}
                Verdict::Unknown(_) => decided.has_unknown = true,
                Verdict::Violation(witness) => {
                    decided.violated += 1;
                    decided.violation.get_or_insert((query, witness));
                }
            }
        }
        Ok(Some(decided))
    }

    /// The deadlocks of a text; `None` if it is no model.
    fn deadlocks(&self, text: &str) -> Result<Option<Deadlocks>, Error> {
        let Ok(loaded) = model::from_text("repair.eml", text) else { return Ok(None) };
        Deadlocks::of(&loaded.model, self.options).map(Some).map_err(|error| Error::Internal(error.to_string()))
    }

    /// Adds the states that changes lead to.
    fn extend(&mut self, state: &State, witness: &Witness) {
        let Ok(printed) = parse(&state.text) else { return };
        let locks = locks(&printed);
        for tear in tears(witness) {
            let (sizes, is_cut) = sizes(&tear);
            self.is_cut |= is_cut;
            for lock in &locks {
                for sizes in &sizes {
                    if self.options.limits.cancellation.is_cancelled() {
                        return;
                    }
                    let changed = Draft::changed(state, &printed, &tear, lock, sizes);
                    changed.into_iter().for_each(|changed| self.add(changed));
                }
            }
        }
    }

    fn add(&mut self, state: State) {
        if state.edits.len() <= self.bounds.edits && self.seen.insert(state.text.clone()) {
            let weight = Weights::new(&state.program).of_sections(&state.program);
            // A new lock is worth it only if no lock of the model is as good.
            let news = usize::from(state.edits.iter().any(|edit| edit.is_new));
            self.open.push(Reverse((weight, state.edits.len() + news, self.states.len())));
            self.states.push(Some(state));
        }
    }
}

/// A model that is being changed. The witness has positions of the text before the change, the report shows those of
/// the model without any change; so there are two trees of one structure.
struct Draft {
    /// The tree with the positions of the text before the change.
    printed: Program,
    /// The tree with the positions of the model without changes.
    program: Program,
    edits: Vec<Edit>,
    /// The edits that are made now.
    new: Vec<Edit>,
}

impl Draft {
    /// The state with a lock held over the sections of a tear, each of some size.
    fn changed(state: &State, printed: &Program, tear: &Tear, lock: &Lock, sizes: &[usize]) -> Option<State> {
        let State { program, edits, .. } = state.clone();
        let mut draft = Self { printed: printed.clone(), program, edits, new: Vec::new() };
        let torn = tear.torn.iter().map(|section| (section, false));
        let others = tear.others.iter().map(|section| (section, section.held.contains(&lock.name)));
        for ((section, is_held), size) in torn.chain(others).zip(sizes) {
            if is_held {
                if *size > 0 {
                    return None;
                }
                continue;
            }
            draft.hold(section, lock, *size)?;
        }
        if draft.new.is_empty() {
            return None;
        }
        if lock.is_new {
            declare(&mut draft.printed, &lock.name);
            declare(&mut draft.program, &lock.name);
        }
        let text = print(&draft.program);
        let edits = [draft.edits, draft.new].concat();
        (text == print(&draft.printed)).then_some(State { program: draft.program, text, edits })
    }

    /// Holds a lock over a section of some size; none if that is impossible.
    fn hold(&mut self, section: &Section, lock: &Lock, size: usize) -> Option<()> {
        let run = run_of_size(&self.printed, section, size)?;
        if is_within(&self.printed, &run, &lock.name) || self.new.iter().any(|edit| edit.run.has(&run)) {
            return Some(());
        }
        let mut edit = Edit::new(&self.program, lock, run)?;
        edit.apply(&mut self.printed)?;
        let replaced = edit.apply(&mut self.program)?;
        let mut is_new = lock.is_new;
        for edits in [&mut self.edits, &mut self.new] {
            edits.retain(|other| {
                let is_replaced = replaced.iter().any(|at| edit.replaces(other, *at));
                is_new |= is_replaced && other.is_new;
                !is_replaced
            });
        }
        edit.is_new = is_new;
        self.new.push(edit);
        Some(())
    }
}

/// All choices of sizes of the sections of a tear, and whether there are more than [`CHOICES`].
fn sizes(tear: &Tear) -> (Vec<Vec<usize>>, bool) {
    let counts = tear.torn.iter().map(|_| TORN_SIZES).chain(tear.others.iter().map(|_| OTHER_SIZES));
    let mut choices = vec![Vec::new()];
    let mut is_cut = false;
    for count in counts {
        let longer =
            choices.iter().flat_map(|choice: &Vec<usize>| (0..count).map(move |size| [&choice[..], &[size]].concat()));
        choices = longer.take(CHOICES + 1).collect();
        is_cut |= choices.len() > CHOICES;
        choices.truncate(CHOICES);
    }
    (choices, is_cut)
}

/// The run of a section of this size: 0 is the smallest one.
fn run_of_size(program: &Program, section: &Section, size: usize) -> Option<Run> {
    let mut left = size;
    for (body, positions) in &section.bodies {
        let mut run = run_with(program, body, positions)?;
        loop {
            if left == 0 {
                return Some(run);
            }
            left -= 1;
            match run.outer() {
                Some(outer) => run = outer,
                None => break,
            }
        }
    }
    None
}

/// The locks of a program, and a new one.
fn locks(program: &Program) -> Vec<Lock> {
    let declared = program.items.iter().flat_map(|item| {
        let (names, is_read_write) = match &item.kind {
            ItemKind::Locks(names) => (&names[..], false),
            ItemKind::RwLocks(names) => (&names[..], true),
            _ => (&[][..], false),
        };
        names.iter().map(move |name| Lock { name: name.text.clone(), is_new: false, is_read_write })
    });
    let mut locks: Vec<_> = declared.collect();
    let is_free = |name: &String| locks.iter().all(|lock| lock.name != *name);
    let name = ["unit".to_string()].into_iter().chain((2..).map(|number| format!("unit{number}"))).find(is_free);
    locks.extend(name.map(|name| Lock { name, is_new: true, is_read_write: false }));
    locks
}
