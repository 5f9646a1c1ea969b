//! Checks that locks and units are nested properly in one procedure.
//!
//! A forward walk assigns to every reachable node the sequence of locks and units opened in the procedure and not yet
//! closed just before the node executes. The sequence has to be the same along all paths; a release or an end has to
//! close its innermost entry; at a return, which leaves all blocks before, it has to be empty.
//!
//! After a violation the walk continues as if there were none, with the sequence of the path found first, so that each
//! violation is reported once. Locks and units left open by a misplaced release or end cause further errors, which are
//! not reported. Paths are lists with shared tails, so the walk is linear and each error takes constant time.

use std::collections::{BTreeMap, HashSet, VecDeque};
use std::sync::Arc;

use super::chain::{Chains, Link};
use super::declarations::LockKind;
use super::flow::{Choice, Flow, FlowNode, Point};
use super::graph::{Opened, Operation};
use super::ids::{LockId, OpenedId};
use super::nesting_error::{NestingError, NestingProblem, OpenedName, OpenedPlace, Path};
use super::opened::OpenedInterner;
use crate::syntax::Span;
use phases::Mode;

/// Maximal number of locks and units, and of choices, that an error lists for one path.
const SHOWN: usize = 8;

/// Maximal number of entries in which a misplaced release or end searches for the entry that it closes.
const SEARCHED: usize = 64;

/// The names of locks for messages, and their properties.
pub(super) struct LockNames {
    names: Vec<Arc<str>>,
    kinds: Vec<LockKind>,
    /// For each lock whether it need not nest with others.
    overlap: Vec<bool>,
}

impl LockNames {
    pub(super) fn new(names: impl Iterator<Item = Arc<str>>, kinds: Vec<LockKind>, overlap: Vec<bool>) -> Self {
        Self { names: names.collect(), kinds, overlap }
    }

    fn any_overlap(&self) -> bool {
        self.overlap.contains(&true)
    }

    /// Whether an open lock or unit need not nest with others.
    fn may_overlap(&self, opened: Opened) -> bool {
        matches!(opened, Opened::Lock(lock, _) if self.overlap[lock.index()])
    }

    fn name(&self, lock: LockId, mode: Mode) -> OpenedName {
        let name = self.names[lock.index()].clone();
        match self.kinds[lock.index()] {
            LockKind::Plain => OpenedName::Lock(name),
            LockKind::ReadWrite => OpenedName::ReadWriteLock(name, mode),
        }
    }
}

/// The sequences of all reachable nodes, and all errors in the order of the nodes.
pub(super) struct Nesting {
    /// The locks and units open before each node; `None` for an unreachable node.
    pub(super) opened: Vec<Option<OpenedId>>,
    /// The errors.
    pub(super) errors: Vec<NestingError>,
    /// Whether paths with the same locks and units in different orders join; the first order is kept.
    pub(super) order_varies: bool,
}

/// Checks a procedure.
pub(super) fn check(flow: &Flow, procedure: &str, locks: &LockNames, interner: &mut OpenedInterner) -> Nesting {
    let mut walk = Walk {
        flow,
        procedure: procedure.into(),
        locks,
        interner,
        entries: Chains::new(),
        choices: Chains::new(),
        states: Vec::new(),
        blamed: HashSet::new(),
        compared: HashSet::new(),
        errors: BTreeMap::new(),
        order_varies: false,
    };
    walk.run();
    Nesting {
        order_varies: walk.order_varies,
        opened: walk.states.iter().map(|state| state.map(|state| state.opened)).collect(),
        errors: walk.errors.into_values().collect(),
    }
}

/// An open lock or unit, and the node that opened it.
#[derive(Clone, Copy)]
struct Entry {
    opened: Opened,
    opener: Point,
}

/// The state at the end of a path.
#[derive(Clone, Copy)]
struct State {
    /// The open locks and units.
    opened: OpenedId,
    /// The open locks and units, with the nodes that opened them.
    entries: Link,
    /// The choices on the path.
    choices: Link,
}

struct Walk<'a> {
    flow: &'a Flow,
    procedure: Arc<str>,
    locks: &'a LockNames,
    interner: &'a mut OpenedInterner,
    entries: Chains<Entry>,
    choices: Chains<Choice>,
    /// The state before each node along the path found first.
    states: Vec<Option<State>>,
    /// The nodes whose lock or unit was still open when one around it was closed.
    blamed: HashSet<Point>,
    /// The nodes at which paths with different sequences join.
    compared: HashSet<Point>,
    errors: BTreeMap<Point, NestingError>,
    order_varies: bool,
}

impl Walk<'_> {
    /// Visits nodes breadth first, so that the paths in messages are short.
    fn run(&mut self) {
        let flow = self.flow;
        self.states = flow.points().map(|_| None).collect();
        self.states[flow.entry().index()] = Some(State { opened: self.interner.empty(), entries: None, choices: None });
        let mut queue = VecDeque::from([flow.entry()]);
        while let Some(point) = queue.pop_front() {
            let Some(before) = self.states[point.index()] else {
                continue;
            };
            let after = self.execute(point, before);
            for (successor, choice) in flow.successors(point) {
                match self.states[successor.index()] {
                    None => {
                        self.states[successor.index()] = Some(self.choose(after, choice));
                        queue.push_back(successor);
                    }
                    Some(known) if !self.is_same(known, after) => {
                        let other = self.choose(after, choice);
                        self.report_difference(successor, known, other);
                    }
                    Some(known) => self.order_varies |= known.opened != after.opened,
                }
            }
        }
    }

    /// Whether the same locks and units are open, those that may overlap in any order.
    fn is_same(&self, known: State, other: State) -> bool {
        if known.opened == other.opened {
            return true;
        }
        let in_order = |state: State, overlap: bool| {
            let opened = self.entries.iter(state.entries).map(|entry| entry.opened);
            opened.filter(|opened| self.locks.may_overlap(*opened) == overlap).collect::<Vec<_>>()
        };
        let [mut own, mut others] = [known, other].map(|state| in_order(state, true));
        own.sort_unstable();
        others.sort_unstable();
        own == others && in_order(known, false) == in_order(other, false)
    }

    /// Returns the state after a node.
    fn execute(&mut self, point: Point, before: State) -> State {
        let node = self.flow.node(point);
        let closed = match self.locks.any_overlap() {
            true => self.interner.closed_by(before.opened, node.operation),
            false => self.interner.pop(before.opened).map(|(innermost, _)| innermost),
        };
        match node.operation_in(closed) {
            Operation::Acquire(lock, mode) => self.open(before, Opened::Lock(lock, mode), point),
            Operation::Begin => self.open(before, Opened::Unit, point),
            Operation::Release(lock, mode) => self.close(point, before, Opened::Lock(lock, mode)),
            Operation::End => self.close(point, before, Opened::Unit),
            Operation::Return => {
                if self.interner.pop(before.opened).is_some() && !self.is_blamed(before) {
                    let path = self.path(before);
                    self.report(point, NestingProblem::OpenAtReturn { path });
                }
                before
            }
            Operation::Skip
            | Operation::Read(_)
            | Operation::Write(_)
            | Operation::Wait(_)
            | Operation::Resume(_)
            | Operation::Call(_)
            | Operation::Start(_) => before,
        }
    }

    fn open(&mut self, before: State, opened: Opened, opener: Point) -> State {
        State {
            opened: self.interner.push(before.opened, opened),
            entries: self.entries.push(before.entries, Entry { opened, opener }),
            ..before
        }
    }

    /// Returns the state without its innermost entry.
    fn without_innermost(&self, state: State) -> Option<(Opened, State)> {
        let (innermost, outer) = self.interner.pop(state.opened)?;
        let outer = State { opened: outer, entries: self.entries.without_last(state.entries), ..state };
        Some((innermost, outer))
    }

    fn close(&mut self, point: Point, before: State, closed: Opened) -> State {
        match self.without_innermost(before) {
            Some((innermost, outer)) if innermost == closed => outer,
            _ if self.may_close_inside(before, closed) => self.close_inside(point, before, closed, false),
            _ => {
                let problem = NestingProblem::WrongClose {
                    closes: self.closed_name(point, closed),
                    block: left_block(self.flow.node(point)),
                    path: self.path(before),
                };
                self.report(point, problem);
                self.close_inside(point, before, closed, true)
            }
        }
    }

    /// Whether a lock or unit is open and may be closed before those opened after it.
    fn may_close_inside(&self, before: State, closed: Opened) -> bool {
        let mut inner = self.entries.iter(before.entries).map(|entry| entry.opened);
        let mut all_overlap = true;
        let is_open = inner.any(|opened| {
            all_overlap &= opened == closed || self.locks.may_overlap(opened);
            opened == closed
        });
        is_open && (all_overlap || self.locks.may_overlap(closed))
    }

    /// Closes an entry that is not the innermost one. If that is an error, entries that stay open are marked as the
    /// cause of further errors.
    fn close_inside(&mut self, point: Point, before: State, closed: Opened, is_error: bool) -> State {
        let node = self.flow.node(point);
        let is_other =
            |opened: Opened| opened != closed && (!is_error || node.operation_in(Some(opened)) == node.operation);
        let searched = if is_error { SEARCHED } else { usize::MAX };
        let inner = self.entries.iter(before.entries).take(searched);
        let inner: Vec<Entry> = inner.take_while(|entry| is_other(entry.opened)).copied().collect();
        let mut state = before;
        for _ in 0..=inner.len() {
            match self.without_innermost(state) {
                Some((_, outer)) => state = outer,
                // The lock or unit is not open at all.
                None => return before,
            }
        }
        for entry in inner.into_iter().rev() {
            if is_error {
                self.blamed.insert(entry.opener);
            }
            state = self.open(state, entry.opened, entry.opener);
        }
        state
    }

    /// Whether an error about one of the entries that a message would show was reported already.
    fn is_blamed(&self, state: State) -> bool {
        let mut shown = self.entries.iter(state.entries).take(SHOWN);
        shown.any(|entry| self.blamed.contains(&entry.opener))
    }

    /// Returns the state after an edge.
    fn choose(&mut self, state: State, choice: Option<Choice>) -> State {
        match choice {
            None => state,
            Some(choice) => State { choices: self.choices.push(state.choices, choice), ..state },
        }
    }

    /// Reports that paths with different sequences join at a node; this error replaces other errors at the node.
    fn report_difference(&mut self, point: Point, first: State, second: State) {
        if !self.compared.insert(point) {
            return;
        }
        self.errors.remove(&point);
        if !self.is_blamed(first) && !self.is_blamed(second) {
            let problem = NestingProblem::Differs { first: self.path(first), second: self.path(second) };
            self.insert(point, problem);
        }
    }

    /// Reports an error at a node, unless it has one or paths with different sequences join there.
    fn report(&mut self, point: Point, problem: NestingProblem) {
        if !self.compared.contains(&point) && !self.errors.contains_key(&point) {
            self.insert(point, problem);
        }
    }

    fn insert(&mut self, point: Point, problem: NestingProblem) {
        let error = NestingError { procedure: self.procedure.clone(), place: self.flow.node(point).place, problem };
        self.errors.insert(point, error);
    }

    /// Returns the path to a state, as far as messages show it.
    fn path(&self, state: State) -> Path {
        let (opened, opened_is_cut) = last_entries(&self.entries, state.entries);
        let (choices, choices_are_cut) = last_entries(&self.choices, state.choices);
        let opened = opened
            .into_iter()
            .map(|entry| OpenedPlace { name: self.name(entry.opened), span: self.flow.node(entry.opener).statement });
        Path { opened: opened.collect(), opened_is_cut, choices, choices_are_cut }
    }

    /// Returns the name of the lock or unit that a node closes; with the mode only if the node has one.
    fn closed_name(&self, point: Point, closed: Opened) -> OpenedName {
        match self.name(closed) {
            OpenedName::ReadWriteLock(name, _) if self.flow.node(point).in_any_mode => OpenedName::Lock(name),
            name => name,
        }
    }

    fn name(&self, opened: Opened) -> OpenedName {
        match opened {
            Opened::Lock(lock, mode) => self.locks.name(lock, mode),
            Opened::Unit => OpenedName::Unit,
        }
    }
}

/// Returns the statement whose block is left by a release or an end that is no statement of its own.
fn left_block(node: &FlowNode) -> Option<Span> {
    (node.statement != node.place).then_some(node.statement)
}

/// Returns the last entries of a list in order, and whether there are more.
fn last_entries<T: Copy>(chains: &Chains<T>, list: Link) -> (Vec<T>, bool) {
    let mut entries: Vec<T> = chains.iter(list).take(SHOWN + 1).copied().collect();
    let is_cut = entries.len() > SHOWN;
    entries.truncate(SHOWN);
    entries.reverse();
    (entries, is_cut)
}

#[cfg(test)]
mod tests {
    use super::super::test_support::{errors, line_and_column, model};
    use super::super::{ModelError, NestingError, NestingProblem, Node, OpenedName, Operation, Path};
    use phases::Mode;

    fn nesting_errors(text: &str) -> Vec<NestingError> {
        let nesting = |error| match error {
            ModelError::Nesting(error) => error,
            other => panic!("{other}"),
        };
        errors(text).into_iter().map(nesting).collect()
    }

    fn only_error(body: &str) -> NestingError {
        let mut errors = nesting_errors(&format!("lock a, b;\nprocess P {{\n{body}\n}}"));
        assert_eq!(errors.len(), 1, "{errors:?}");
        errors.remove(0)
    }

    /// Lists the locks and units open at the end of a path, as "a:3" for lock a opened in line 3.
    fn opened(path: &Path) -> Vec<String> {
        let name = |name: &OpenedName| match name {
            OpenedName::Lock(lock) | OpenedName::ReadWriteLock(lock, _) => lock.to_string(),
            OpenedName::Unit => "unit".to_string(),
        };
        path.opened.iter().map(|opened| format!("{}:{}", name(&opened.name), opened.span.start.line)).collect()
    }

    fn choice_lines(path: &Path) -> Vec<u32> {
        path.choices.iter().map(|choice| choice.span.start.line).collect()
    }

    #[test]
    fn proper_nesting_is_accepted() {
        for body in [
            "acquire a; begin; release_later: end; release a;",
            "sync a { release a; acquire a; }",
            "sync a { sync a { acquire a; release a; } }",
            "choose { acquire a; } or { acquire a; } release a;",
            "loop { acquire a; choose { release a; break; } or { } release a; }",
            "acquire a; l: choose { goto l; } or { } release a;",
            "loop { sync a { choose { break; } or { continue; } or { return; } } }",
            "l: sync a { atomic { goto l; } }",
            "return; release a; end;",
            "begin; l: goto l;",
        ] {
            model(&format!("lock a; process P {{ {body} }}"));
        }
    }

    #[test]
    fn both_paths_to_a_difference_are_reported() {
        let error = only_error("choose {\n} or {\nacquire a;\n}\nskip;");
        assert_eq!(line_and_column(error.place), (7, 1));
        let NestingProblem::Differs { first, second } = error.problem else {
            panic!("{error:?}");
        };
        assert!(opened(&first).is_empty());
        assert_eq!(choice_lines(&first), [3]);
        assert_eq!(opened(&second), ["a:5"]);
        assert_eq!(choice_lines(&second), [4]);
    }

    #[test]
    fn the_order_of_opening_matters() {
        let error = only_error("choose {\nacquire a; begin;\n} or {\nbegin; acquire a;\n}\nl: goto l;");
        let NestingProblem::Differs { first, second } = error.problem else {
            panic!("{error:?}");
        };
        assert_eq!(opened(&first), ["a:4", "unit:4"]);
        assert_eq!(opened(&second), ["unit:6", "a:6"]);
    }

    #[test]
    fn a_loop_has_to_close_what_it_opens() {
        let error = only_error("loop {\nbegin;\n}");
        assert_eq!(line_and_column(error.place), (3, 1));
        assert!(matches!(error.problem, NestingProblem::Differs { .. }));
    }

    #[test]
    fn jumps_are_choices() {
        let error = only_error("choose {\nacquire a;\ngoto out;\n} or {\n}\nskip;\nout:\nl: goto l;");
        assert_eq!(line_and_column(error.place), (9, 1));
        let NestingProblem::Differs { first, second } = error.problem else {
            panic!("{error:?}");
        };
        let lines = [choice_lines(&first), choice_lines(&second)];
        assert!(lines.contains(&vec![6]) && lines.contains(&vec![3, 5]), "{lines:?}");
    }

    #[test]
    fn the_innermost_is_closed_first() {
        let error = only_error("acquire a;\nbegin;\nrelease a;\nend;");
        assert_eq!(line_and_column(error.place), (5, 1));
        let NestingProblem::WrongClose { closes, block, path } = error.problem else {
            panic!("{error:?}");
        };
        assert_eq!(closes, OpenedName::Lock("a".into()));
        assert_eq!(block, None);
        assert_eq!(opened(&path), ["a:3", "unit:4"]);
    }

    #[test]
    fn a_block_does_not_close_what_it_did_not_open() {
        for (body, place) in [
            ("sync a {\nacquire b;\n}\nrelease b;", (5, 1)),
            ("loop { sync a {\nacquire b; break;\n} }\nrelease b;", (4, 12)),
            ("sync a {\nbegin; return;\n}", (4, 8)),
        ] {
            let error = only_error(body);
            assert_eq!(line_and_column(error.place), place, "{body}");
            let NestingProblem::WrongClose { block, .. } = error.problem else {
                panic!("{error:?}");
            };
            assert_eq!(block.map(|block| block.start.line), Some(3));
        }
    }

    #[test]
    fn nothing_is_closed_that_is_not_open() {
        for body in ["end;", "release a;", "sync a { release a; }", "atomic { end; }"] {
            let error = only_error(body);
            assert!(matches!(error.problem, NestingProblem::WrongClose { .. }));
        }
        assert_eq!(nesting_errors("lock a; fn f() { release a; end; }").len(), 2);
    }

    #[test]
    fn nothing_is_open_at_a_return() {
        for (body, place) in [
            ("acquire a;\nchoose { return; } or { release a; }", (4, 10)),
            ("sync b {\nacquire a; release a; }\nbegin;", (6, 1)),
        ] {
            let error = only_error(body);
            assert_eq!(line_and_column(error.place), place);
            assert!(matches!(error.problem, NestingProblem::OpenAtReturn { .. }));
        }
    }

    #[test]
    fn a_release_is_in_the_mode_opened_last() {
        let text = "rwlock r; process P { acquire write r; acquire read r; release r; choose { release r; } or { release r; } }";
        let released = |(_, node): (_, &Node)| match node.operation {
            Operation::Release(_, mode) => Some(mode),
            _ => None,
        };
        let modes: Vec<Mode> = model(text).nodes().filter_map(released).collect();
        assert_eq!(modes, [Mode::Read, Mode::Write, Mode::Write]);
        let differs = "rwlock r; process P { choose { acquire write r; } or { acquire read r; } release r; }";
        assert!(matches!(&nesting_errors(differs)[..], [NestingError { problem: NestingProblem::Differs { .. }, .. }]));
    }

    #[test]
    fn long_paths_are_cut() {
        let error = only_error(&"choose { acquire a; } or { acquire a; }".repeat(100));
        let NestingProblem::OpenAtReturn { path } = error.problem else {
            panic!("{error:?}");
        };
        assert!(path.opened_is_cut && path.choices_are_cut);
        assert_eq!((path.opened.len(), path.choices.len()), (8, 8));
    }
}
