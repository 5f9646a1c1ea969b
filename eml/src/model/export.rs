//! Export of models as EML text.
//!
//! **Why the text has the same meaning.** Each procedure becomes a procedure of the same name and kind, in the same
//! order. Each node becomes one statement, that of its operation. Control goes from a statement to the statements of
//! the node's successors: the next statement, the target of a `goto`, or the blocks of a `choose`. In addition the text
//! has `skip`s at labels and choices, and it omits nodes that skip. So its graph has the same paths up to skips. Locks
//! are acquired and released, and units begun and ended, by statements without blocks, so a `goto` closes nothing; the
//! same locks and units are open at a node in both, so the text is nested like the model. A release has no mode in the
//! text: it releases the last acquisition, as the node does in a nested model. `Wait` and the following `Resume` are
//! one statement. Locks, locations, sets and processes are declared in the same order, so both have the same queries in
//! the same order. Only names may differ: a name that the language does not allow is changed, and the original is
//! written in a comment. A process whose `start` nodes are all unreachable is started after its own `return`.
//!
//! Automata that count steps (`forbid T step`) may distinguish skips; patterns, races and deadlocks do not.

use super::Model;
use super::declarations::LockKind;
use super::graph::{Node, Operation};
use super::ids::{NodeId, ProcedureId, ProcessId};
use crate::syntax::ast::{
    Block, Comment, Comments, Item, ItemKind, LockUse, Mode, Name, Program, Statement, StatementKind,
};
use crate::syntax::{Position, Span, is_name, print};
use std::collections::{BTreeMap, BTreeSet, HashSet};

/// Maximal nesting depth of blocks; deeper nodes are reached by a `goto`.
const DEPTH: usize = 6;

const NOWHERE: Span = Span::at(Position::START);

impl Model {
    /// Returns the model as EML text in canonical form. `header` has the lines of a comment at its start; `comment`
    /// returns the comment after a statement from its position. Linear in the size of the model.
    ///
    /// ```
    /// use eml::model::from_text;
    ///
    /// let model = from_text("a.eml", "lock l; shared x; process P * 2 { loop { sync l { write x; } } }")?.model;
    /// let text = model.to_eml(&["again"], &|_| None);
    /// assert!(text.starts_with("// again\nlock l;"));
    /// assert_eq!(from_text("again.eml", &text)?.model.processes().len(), 1);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn to_eml(&self, header: &[&str], comment: &dyn Fn(Position) -> Option<String>) -> String {
        let mut items = declarations(self);
        let names = Names::of(self);
        let started: HashSet<ProcessId> = self.nodes().filter_map(|(_, node)| started(&node.operation)).collect();
        for (id, procedure) in self.procedures.iter().enumerate() {
            let mut body = Exporter { model: self, names: &names, comment, bodies: Body::default() }
                .body(ProcedureId::new(id), procedure.entry());
            let waits = procedure.process().filter(|id| self.process(*id).is_started() && !started.contains(id));
            if waits.is_some() {
                // A `start` statement is needed so that the process has no initial instance; this one is never
                // executed.
                let start = StatementKind::Start(name(&names.procedures[id]));
                body.extend([StatementKind::Return, start].map(plain));
            }
            let body = Block { statements: body, trailing_comments: Vec::new(), span: NOWHERE, close: NOWHERE };
            let text = &names.procedures[id];
            let before = renamed(procedure.name(), text);
            let name = name(text);
            let kind = match procedure.process() {
                None => ItemKind::Function { name, body },
                Some(process) => {
                    let multiplicity = self.process(process).multiplicity();
                    ItemKind::Process { name, multiplicity, body }
                }
            };
            items.push(item(kind, before, Vec::new()));
        }
        let header = header.iter().map(|line| remark(line));
        if let Some(first) = items.first_mut() {
            first.comments.before.splice(0..0, header);
        }
        print(&Program { items, trailing_comments: Vec::new() })
    }
}

/// Returns the process that a node starts.
fn started(operation: &Operation) -> Option<ProcessId> {
    if let Operation::Start(process) = operation { Some(*process) } else { None }
}

/// Creates a statement without comments.
fn plain(kind: StatementKind) -> Statement {
    Statement { kind, span: NOWHERE, comments: Comments::default() }
}

/// Returns the declarations of locks, locations and atomic sets, one a line.
fn declarations(model: &Model) -> Vec<Item> {
    let names = Names::of(model);
    let mut items = Vec::new();
    for (lock, text) in model.locks.iter().zip(&names.locks) {
        let kind = match lock.kind() {
            LockKind::Plain => ItemKind::Locks(vec![name(text)]),
            LockKind::ReadWrite => ItemKind::RwLocks(vec![name(text)]),
        };
        items.push(item(kind, Vec::new(), renamed(lock.name(), text)));
        if lock.may_overlap {
            items.push(item(ItemKind::Overlap(vec![name(text)]), Vec::new(), Vec::new()));
        }
    }
    for (location, text) in model.locations.iter().zip(&names.locations) {
        items.push(item(ItemKind::Shared(vec![name(text)]), Vec::new(), renamed(location.name(), text)));
    }
    let mut taken = BTreeSet::new();
    for set in model.atomic_sets() {
        // Sets without a name follow from the other declarations.
        let Some(own) = set.name() else { continue };
        let text = distinct(own, &mut taken);
        let members = set.members().iter().map(|id| name(&names.locations[id.index()])).collect();
        let kind = ItemKind::AtomicSet { name: name(&text), members };
        items.push(item(kind, Vec::new(), renamed(own, &text)));
    }
    items
}

/// The names of the text.
struct Names {
    locks: Vec<String>,
    locations: Vec<String>,
    /// The names of functions and processes, by procedure.
    procedures: Vec<String>,
}

impl Names {
    fn of(model: &Model) -> Self {
        let all = |names: Vec<&str>| {
            let mut taken = BTreeSet::new();
            names.into_iter().map(|name| distinct(name, &mut taken)).collect::<Vec<_>>()
        };
        let (mut functions, mut processes) = (BTreeSet::new(), BTreeSet::new());
        let procedure = |procedure: &super::Procedure| {
            let taken = if procedure.is_process_body() { &mut processes } else { &mut functions };
            distinct(procedure.name(), taken)
        };
        Self {
            locks: all(model.locks.iter().map(|lock| lock.name()).collect()),
            locations: all(model.locations.iter().map(|location| location.name()).collect()),
            procedures: model.procedures.iter().map(procedure).collect(),
        }
    }
}

/// Returns a name that is valid in the language and not taken: `text` itself if possible, otherwise a similar one.
fn distinct(text: &str, taken: &mut BTreeSet<String>) -> String {
    let mut plain = String::new();
    for c in text.chars() {
        let is_part = c.is_alphanumeric() || ['.', '$', '_'].contains(&c);
        if is_part {
            plain.push(c);
        } else if !plain.is_empty() && !plain.ends_with('_') {
            plain.push('_');
        }
    }
    let plain = if is_name(text) { text } else { plain.trim_end_matches('_') };
    let plain = if is_name(plain) { plain.to_string() } else { format!("_{plain}") };
    let mut name = plain.clone();
    let mut number = 1;
    while !taken.insert(name.clone()) {
        number += 1;
        name = format!("{plain}_{number}");
    }
    name
}

fn name(text: &str) -> Name {
    Name { text: text.to_string(), span: NOWHERE }
}

/// Creates a comment up to the end of a line.
fn remark(text: &str) -> Comment {
    Comment {
        text: format!("// {}", text.replace(|c: char| c.is_control(), " ")).trim_end().to_string(),
        span: NOWHERE,
    }
}

/// Returns a comment with the name in the model, if the name in the text differs.
fn renamed(own: &str, text: &str) -> Vec<Comment> {
    if own == text { Vec::new() } else { vec![remark(own)] }
}

fn item(kind: ItemKind, before: Vec<Comment>, after: Vec<Comment>) -> Item {
    Item { kind, span: NOWHERE, comments: Comments { before, after, closing: Vec::new() } }
}

/// The state of the export of a procedure.
#[derive(Default)]
struct Body {
    /// Nodes with a label: they have several predecessors, or are too deep inside choices.
    labelled: HashSet<NodeId>,
    /// Nodes whose label is the target of a jump and not written yet, the next one last.
    open: Vec<NodeId>,
}

struct Exporter<'a> {
    model: &'a Model,
    names: &'a Names,
    comment: &'a dyn Fn(Position) -> Option<String>,
    bodies: Body,
}

impl Exporter<'_> {
    /// Returns the statements of a procedure.
    fn body(mut self, procedure: ProcedureId, entry: NodeId) -> Vec<Statement> {
        let nodes: Vec<NodeId> = self.model.procedure(procedure).nodes().collect();
        let mut leading: BTreeMap<NodeId, usize> = BTreeMap::from([(entry, 1)]);
        nodes
            .iter()
            .flat_map(|node| self.model.successors(*node))
            .for_each(|next| *leading.entry(*next).or_default() += 1);
        self.bodies.labelled = leading.into_iter().filter(|(_, count)| *count > 1).map(|(node, _)| node).collect();
        let mut statements = Vec::new();
        let mut written = HashSet::new();
        self.bodies.open.push(entry);
        while let Some(node) = self.bodies.open.pop() {
            if written.insert(node) {
                if self.bodies.labelled.contains(&node) {
                    statements.push(plain(StatementKind::Label(label(node))));
                }
                self.chain(node, 0, &mut statements);
            }
        }
        without_needless_jumps(statements)
    }

    /// Adds the statements from a node on, up to a choice, a jump or a return.
    fn chain(&mut self, mut node: NodeId, depth: usize, statements: &mut Vec<Statement>) {
        loop {
            let this = self.model.node(node);
            statements.extend(self.statement(this));
            if matches!(this.operation, Operation::Wait(_)) {
                // Its successor is the second half of the statement.
                node = self.model.successors(node)[0];
            }
            match self.model.successors(node) {
                [] if this.operation == Operation::Return => return,
                [] => {
                    // Control never leaves the node.
                    let end = Name { text: format!("n{}_end", node.index()), span: NOWHERE };
                    statements.push(plain(StatementKind::Label(end.clone())));
                    statements.push(plain(StatementKind::Goto(end)));
                    return;
                }
                [next] if self.bodies.labelled.contains(next) => return statements.push(self.jump(*next)),
                [next] => node = *next,
                several => {
                    let several = several.to_vec();
                    let blocks = several.into_iter().map(|next| self.block(next, depth)).collect();
                    return statements.push(plain(StatementKind::Choose(blocks)));
                }
            }
        }
    }

    /// Returns the block of a choice that begins at a node.
    fn block(&mut self, node: NodeId, depth: usize) -> Block {
        let mut statements = Vec::new();
        if depth == DEPTH {
            self.bodies.labelled.insert(node);
        }
        if self.bodies.labelled.contains(&node) {
            statements.push(self.jump(node));
        } else {
            self.chain(node, depth + 1, &mut statements);
        }
        Block { statements, trailing_comments: Vec::new(), span: NOWHERE, close: NOWHERE }
    }

    fn jump(&mut self, node: NodeId) -> Statement {
        self.bodies.open.push(node);
        plain(StatementKind::Goto(label(node)))
    }

    /// Returns the statement of a node; `None` for a node that skips.
    fn statement(&self, node: &Node) -> Option<Statement> {
        let Names { locks, locations, procedures } = self.names;
        let kind = match node.operation {
            Operation::Skip | Operation::Resume(_) => return None,
            Operation::Read(id) => StatementKind::Read(name(&locations[id.index()])),
            Operation::Write(id) => StatementKind::Write(name(&locations[id.index()])),
            Operation::Acquire(id, mode) => {
                let mode: Option<Mode> = (self.model.lock(id).kind() == LockKind::ReadWrite).then_some(mode);
                StatementKind::Acquire(LockUse { mode, name: name(&locks[id.index()]) })
            }
            Operation::Release(id, _) => StatementKind::Release(name(&locks[id.index()])),
            Operation::Wait(id) => StatementKind::Wait(name(&locks[id.index()])),
            Operation::Begin => StatementKind::Begin,
            Operation::End => StatementKind::End,
            Operation::Call(id) => StatementKind::Call(name(&procedures[id.index()])),
            Operation::Start(id) => StatementKind::Start(name(&procedures[self.model.process(id).body().index()])),
            Operation::Return => StatementKind::Return,
        };
        let mut statement = plain(kind);
        statement.comments.after.extend((self.comment)(node.position).map(|text| remark(&text)));
        Some(statement)
    }
}

fn label(node: NodeId) -> Name {
    name(&format!("n{}", node.index()))
}

/// Removes jumps to the next statement, labels that are no target of a jump, and a return at the end.
fn without_needless_jumps(statements: Vec<Statement>) -> Vec<Statement> {
    let mut kept: Vec<Statement> = Vec::new();
    for statement in statements {
        if let StatementKind::Label(name) = &statement.kind {
            strip(&mut kept, &name.text);
        }
        kept.push(statement);
    }
    if kept.last().is_some_and(|last| last.kind == StatementKind::Return && last.comments.after.is_empty()) {
        kept.pop();
    }
    let mut used = HashSet::new();
    targets(&kept, &mut used);
    kept.retain(|statement| !matches!(&statement.kind, StatementKind::Label(name) if !used.contains(&name.text)));
    kept
}

/// Removes a jump to this label at the end of statements. Recursive: blocks are at most `DEPTH` deep.
fn strip(statements: &mut Vec<Statement>, label: &str) {
    match statements.last_mut().map(|last| &mut last.kind) {
        Some(StatementKind::Goto(name)) if name.text == label => drop(statements.pop()),
        Some(StatementKind::Choose(blocks)) => blocks.iter_mut().for_each(|block| strip(&mut block.statements, label)),
        _ => {}
    }
}

/// Collects the targets of jumps. Recursive: blocks are at most `DEPTH` deep.
fn targets(statements: &[Statement], used: &mut HashSet<String>) {
    for statement in statements {
        match &statement.kind {
            StatementKind::Goto(name) => drop(used.insert(name.text.clone())),
            StatementKind::Choose(blocks) => blocks.iter().for_each(|block| targets(&block.statements, used)),
            _ => {}
        }
    }
}

#[cfg(test)]
mod tests {
    use super::distinct;
    use crate::syntax::is_name;
    use std::collections::BTreeSet;

    #[test]
    fn distinct_names_are_valid() {
        let mut taken = BTreeSet::new();
        let expected = [
            ("x", "x"),
            ("x", "x_2"),
            ("this.append(CharSequence)", "this.append_CharSequence"),
            ("value[]", "value"),
            ("value[] ", "value_2"),
            ("7up", "_7up"),
            ("lock", "_lock"),
            ("()", "_"),
            ("Pool.take(int, Object) (2)", "Pool.take_int_Object_2"),
        ];
        for (own, text) in expected {
            assert_eq!(distinct(own, &mut taken), text);
            assert!(is_name(text), "{text}");
        }
    }
}
