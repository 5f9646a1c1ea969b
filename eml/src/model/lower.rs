//! Translation of the statements of a body to its control-flow graph.
//!
//! `exits` are the edges to the next node. Where control cannot continue there are none, and the next nodes are
//! unreachable. Leaving blocks adds one `Release` or `End` for each `sync` or `atomic` block, innermost first. Only
//! branches, loops and targets of jumps add a node that skips.

use std::collections::HashMap;

use super::error::ModelError;
use super::flow::{Choice, ChoiceKind, Exit, Flow, FlowBuilder, FlowNode, Point};
use super::graph::Operation;
use super::jump_error::JumpError;
use super::names::Names;
use super::survey::{BlockCounter, BlockNumber, Survey};
use crate::syntax::Span;
use crate::syntax::ast::{Block, Name, Statement, StatementKind};
use phases::Mode;

/// Translates the body of a function or a process, which is part of an item of the program.
///
/// If a name is not declared or a jump is wrong, the error is reported and the result must not be used.
pub(super) fn lower<'p>(body: &'p Block, survey: &Survey<'p>, names: &mut Names<'p>, item: usize) -> Flow {
    let mut lowering = Lowering {
        names,
        item,
        survey,
        flow: FlowBuilder::default(),
        exits: vec![Exit { from: None, choice: None, rank: 0 }],
        frames: Vec::new(),
        blocks: BlockCounter::default(),
        targets: HashMap::new(),
    };
    lowering.body(body);
    lowering.add(Operation::Return, body.close, body.close);
    lowering.flow.finish()
}

/// A block that is being translated.
struct Frame<'p> {
    kind: FrameKind<'p>,
    number: BlockNumber,
    block: &'p Block,
    /// The statements still to be translated.
    rest: std::slice::Iter<'p, Statement>,
    /// The statement that the block belongs to.
    statement: Span,
}

/// The effect of leaving a block.
enum FrameKind<'p> {
    /// None.
    Plain,
    /// The next block of the choice follows, or, after the last one, the statement after the choice.
    Choice {
        /// The branching node.
        branch: Point,
        /// All blocks of the choice.
        blocks: &'p [Block],
        /// The index of this block.
        rank: usize,
        /// The exits of the blocks before it.
        exits: Vec<Exit>,
    },
    /// An operation closes the block.
    Closing(Operation),
    /// The next iteration of a loop follows.
    Loop {
        /// The node at the start of an iteration.
        head: Point,
        /// The exits by `break`.
        breaks: Vec<Exit>,
    },
}

/// A label that is the target of a jump.
#[derive(Default)]
struct Target {
    /// Its node, once the label has been translated.
    point: Option<Point>,
    /// The jumps that were translated before it.
    waiting: Vec<Exit>,
}

struct Lowering<'a, 'p> {
    names: &'a mut Names<'p>,
    item: usize,
    survey: &'a Survey<'p>,
    flow: FlowBuilder,
    exits: Vec<Exit>,
    frames: Vec<Frame<'p>>,
    blocks: BlockCounter,
    targets: HashMap<&'p str, Target>,
}

impl<'p> Lowering<'_, 'p> {
    /// Adds a node that control reaches next.
    fn add(&mut self, operation: Operation, statement: Span, place: Span) -> Point {
        self.add_node(FlowNode { operation, in_any_mode: false, statement, place })
    }

    fn add_node(&mut self, node: FlowNode) -> Point {
        let point = self.flow.add(node, &self.exits);
        self.exits.clear();
        self.exits.push(Exit { from: Some(point), choice: None, rank: 0 });
        point
    }

    /// Translates the statements of a body and of all blocks inside.
    fn body(&mut self, body: &'p Block) {
        self.enter(FrameKind::Plain, body.span, body);
        while let Some(innermost) = self.frames.last_mut() {
            match innermost.rest.next() {
                Some(statement) => self.statement(statement),
                None => {
                    let frame = self.frames.pop().expect("it is the innermost");
                    self.leave(frame);
                }
            }
        }
    }

    /// Enters a block.
    fn enter(&mut self, kind: FrameKind<'p>, statement: Span, block: &'p Block) {
        let number = self.blocks.next();
        self.frames.push(Frame { kind, number, block, rest: block.statements.iter(), statement });
    }

    /// Leaves a block after its last statement.
    fn leave(&mut self, frame: Frame<'p>) {
        let Frame { kind, block, statement, .. } = frame;
        match kind {
            FrameKind::Plain => {}
            FrameKind::Closing(operation) => {
                self.add(operation, statement, block.close);
            }
            FrameKind::Choice { branch, blocks, rank, mut exits } => {
                // The order does not matter. The shorter list is moved, so that deep choices do not move their exits
                // once for each level.
                if exits.len() < self.exits.len() {
                    std::mem::swap(&mut exits, &mut self.exits);
                }
                exits.append(&mut self.exits);
                if rank + 1 < blocks.len() {
                    self.alternative(branch, blocks, rank + 1, exits, statement);
                } else {
                    self.exits = exits;
                }
            }
            FrameKind::Loop { head, breaks } => {
                self.flow.connect(&self.exits, head);
                self.exits = vec![exit_by(head, 1, ChoiceKind::Leave, statement)];
                self.exits.extend(breaks);
            }
        }
    }

    /// Translates a statement; enters the first of its blocks, if it has blocks.
    fn statement(&mut self, statement: &'p Statement) {
        let span = head(statement);
        if let Some(operation) = self.simple(&statement.kind) {
            self.add(operation, span, span);
            return;
        }
        match &statement.kind {
            StatementKind::Sync(lock, block) => {
                let lock = self.names.lock(lock, self.item);
                let operations =
                    lock.map(|(lock, mode)| (Operation::Acquire(lock, mode), Operation::Release(lock, mode)));
                let (open, close) = operations.unwrap_or((Operation::Skip, Operation::Skip));
                self.enclosed(open, close, span, block);
            }
            StatementKind::Atomic(block) => {
                self.enclosed(Operation::Begin, Operation::End, span, block);
            }
            StatementKind::Release(lock) => {
                if let Some(lock) = self.names.released_lock(lock, self.item) {
                    let operation = Operation::Release(lock, Mode::Write);
                    self.add_node(FlowNode { operation, in_any_mode: true, statement: span, place: span });
                }
            }
            StatementKind::Wait(lock) => {
                if let Some(lock) = self.names.waited_lock(lock, self.item) {
                    self.add(Operation::Wait(lock), span, span);
                    self.add(Operation::Resume(lock), span, span);
                }
            }
            StatementKind::Choose(blocks) => self.choose(span, blocks),
            StatementKind::Loop(block) => self.repeat(span, block),
            StatementKind::Break => self.leave_loop("break", span),
            StatementKind::Continue => self.leave_loop("continue", span),
            StatementKind::Label(name) => self.label(name),
            StatementKind::Goto(name) => self.goto(name, span),
            StatementKind::Return => {
                self.leave_frames(0, span);
                self.add(Operation::Return, span, span);
                self.exits.clear();
            }
            _ => {}
        }
    }

    /// Returns the operation of a statement that is a single operation.
    fn simple(&mut self, kind: &'p StatementKind) -> Option<Operation> {
        let operation = match kind {
            StatementKind::Read(name) => self.names.location(name, self.item).map(Operation::Read),
            StatementKind::Write(name) => self.names.location(name, self.item).map(Operation::Write),
            StatementKind::Acquire(lock) => {
                self.names.lock(lock, self.item).map(|(lock, mode)| Operation::Acquire(lock, mode))
            }
            StatementKind::Call(name) => self.names.function(name).map(Operation::Call),
            StatementKind::Start(name) => self.names.process(name).map(Operation::Start),
            StatementKind::Begin => Some(Operation::Begin),
            StatementKind::End => Some(Operation::End),
            StatementKind::Skip => Some(Operation::Skip),
            _ => return None,
        };
        // An error has been reported for a name that is not declared.
        Some(operation.unwrap_or(Operation::Skip))
    }

    /// Translates a block with an operation before it and one after it.
    fn enclosed(&mut self, open: Operation, close: Operation, span: Span, block: &'p Block) {
        self.add(open, span, span);
        self.enter(FrameKind::Closing(close), span, block);
    }

    fn choose(&mut self, span: Span, blocks: &'p [Block]) {
        match blocks {
            [block] => self.enter(FrameKind::Plain, span, block),
            [] => self.exits.clear(),
            _ => {
                let branch = self.add(Operation::Skip, span, span);
                self.alternative(branch, blocks, 0, Vec::new(), span);
            }
        }
    }

    /// Enters a block of a choice; `exits` are the exits of the blocks before it.
    fn alternative(&mut self, branch: Point, blocks: &'p [Block], rank: usize, exits: Vec<Exit>, span: Span) {
        let block = &blocks[rank];
        let opening = Span { length: block.span.length.min(1), ..block.span };
        self.exits = vec![exit_by(branch, rank, ChoiceKind::Block, opening)];
        self.enter(FrameKind::Choice { branch, blocks, rank, exits }, span, block);
    }

    fn repeat(&mut self, span: Span, block: &'p Block) {
        let head = self.add(Operation::Skip, span, span);
        self.exits = vec![exit_by(head, 0, ChoiceKind::Enter, span)];
        self.enter(FrameKind::Loop { head, breaks: Vec::new() }, span, block);
    }

    /// Translates `break` or `continue`.
    fn leave_loop(&mut self, keyword: &'static str, span: Span) {
        let is_loop = |frame: &Frame<'_>| matches!(frame.kind, FrameKind::Loop { .. });
        let Some(index) = self.frames.iter().rposition(is_loop) else {
            let error = JumpError::OutsideLoop { keyword, span };
            self.names.error(ModelError::Jump(error));
            return;
        };
        let exits = self.jump(index + 1, span);
        if let FrameKind::Loop { head, breaks } = &mut self.frames[index].kind {
            if keyword == "break" {
                breaks.extend(exits);
            } else {
                self.flow.connect(&exits, *head);
            }
        }
    }

    fn label(&mut self, name: &'p Name) {
        let is_used = self.survey.label(name).is_some_and(|label| label.is_used);
        if !is_used {
            return;
        }
        let target = self.targets.entry(&name.text).or_default();
        self.exits.append(&mut target.waiting);
        let point = self.add(Operation::Skip, name.span, name.span);
        self.targets.entry(&name.text).or_default().point = Some(point);
    }

    fn goto(&mut self, name: &'p Name, span: Span) {
        let Some(label) = self.survey.label(name) else {
            let error = JumpError::UndeclaredLabel {
                name: name.clone(),
                closest: self.names.suggest(&name.text, self.survey.labels_in_order()),
            };
            self.names.error(ModelError::Jump(error));
            return;
        };
        let holds_label = |frame: &Frame<'_>| frame.number == label.block;
        let Some(index) = self.frames.iter().position(holds_label) else {
            let error = JumpError::IntoBlock { name: name.clone(), label: label.span };
            self.names.error(ModelError::Jump(error));
            return;
        };
        let exits = self.jump(index + 1, span);
        let target = self.targets.entry(&name.text).or_default();
        match target.point {
            Some(point) => self.flow.connect(&exits, point),
            None => target.waiting.extend(exits),
        }
    }

    /// Leaves all frames from this index on; returns the edges to the target of the jump.
    fn jump(&mut self, first_left: usize, span: Span) -> Vec<Exit> {
        self.leave_frames(first_left, span);
        let choice = Choice { kind: ChoiceKind::Jump, span };
        let mut exits = std::mem::take(&mut self.exits);
        for exit in &mut exits {
            exit.choice = Some(choice);
        }
        exits
    }

    /// Adds the closing operations of the frames from this index on, innermost first.
    fn leave_frames(&mut self, first_left: usize, jump: Span) {
        for index in (first_left..self.frames.len()).rev() {
            let frame = &self.frames[index];
            if let FrameKind::Closing(operation) = frame.kind {
                self.add(operation, frame.statement, jump);
            }
        }
    }
}

/// Returns an edge from a branching node.
fn exit_by(from: Point, rank: usize, kind: ChoiceKind, span: Span) -> Exit {
    Exit { from: Some(from), choice: Some(Choice { kind, span }), rank }
}

/// Returns the part of a statement that messages point to: up to its opening brace, if it has a block.
fn head(statement: &Statement) -> Span {
    let span = statement.span;
    match statement.kind.blocks().first() {
        Some(block) => Span { length: block.span.offset.saturating_sub(span.offset), ..span },
        None => span,
    }
}

#[cfg(test)]
mod tests {
    use super::super::test_support::{listing, model};

    /// Compares the graph of a process body with the lines expected: number, operation, position, successors.
    fn check(body: &str, expected: &[&str]) {
        let text = format!("lock a, b; shared x; fn f() {{ }}\nprocess P {{\n{body}\n}}");
        let model = model(&text);
        let listing = listing(&model, 1);
        assert_eq!(listing.lines().collect::<Vec<_>>(), expected, "{body}");
    }

    #[test]
    fn statements_follow_each_other() {
        check(
            "read x; write x; call f;\nacquire a; release a; begin; end; skip;",
            &[
                "0 read x @3:1 1",
                "1 write x @3:9 2",
                "2 call f @3:18 3",
                "3 acquire a @4:1 4",
                "4 release a @4:12 5",
                "5 begin @4:23 6",
                "6 end @4:30 7",
                "7 skip @4:35 8",
                "8 return @5:1",
            ],
        );
        check("", &["0 return @4:1"]);
    }

    #[test]
    fn blocks_close_where_they_begin() {
        check(
            "sync a { atomic { read x; } }",
            &[
                "0 acquire a @3:1 1",
                "1 begin @3:10 2",
                "2 read x @3:19 3",
                "3 end @3:10 4",
                "4 release a @3:1 5",
                "5 return @4:1",
            ],
        );
    }

    #[test]
    fn a_choice_branches_and_joins() {
        check(
            "choose { read x; } or { } or { write x; }",
            &["0 skip @3:1 1 3 2", "1 read x @3:10 3", "2 write x @3:32 3", "3 return @4:1"],
        );
        check("choose { } or { }", &["0 skip @3:1 1", "1 return @4:1"]);
        check("choose { read x; }", &["0 read x @3:10 1", "1 return @4:1"]);
    }

    #[test]
    fn a_loop_returns_to_its_head() {
        check("loop { read x; }", &["0 skip @3:1 1 2", "1 read x @3:8 0", "2 return @4:1"]);
        check("loop { }", &["0 skip @3:1 0 1", "1 return @4:1"]);
        check(
            "loop { choose { break; } or { continue; } write x; }",
            &["0 skip @3:1 1 2", "1 skip @3:8 2 0", "2 return @4:1"],
        );
    }

    #[test]
    fn leaving_blocks_closes_them_innermost_first() {
        check(
            "sync a { loop { sync b { atomic { break; } } } }",
            &[
                "0 acquire a @3:1 1",
                "1 skip @3:10 2 6",
                "2 acquire b @3:17 3",
                "3 begin @3:26 4",
                "4 end @3:26 5",
                "5 release b @3:17 6",
                "6 release a @3:1 7",
                "7 return @4:1",
            ],
        );
        check(
            "sync a { atomic { return; } }",
            &["0 acquire a @3:1 1", "1 begin @3:10 2", "2 end @3:10 3", "3 release a @3:1 4", "4 return @3:19"],
        );
    }

    #[test]
    fn jumps_lead_to_their_labels() {
        check(
            "sync a { goto out; }\nunused: out: read x; goto out;",
            &["0 acquire a @3:1 1", "1 release a @3:1 2", "2 skip @4:9 3", "3 read x @4:14 2"],
        );
        check("l: goto l;", &["0 skip @3:1 0"]);
        check("goto l; l:", &["0 skip @3:9 1", "1 return @4:1"]);
        check(
            "goto a; b: write x; return; a: goto b;",
            &["0 skip @3:9 1", "1 write x @3:12 2", "2 return @3:21", "3 skip @3:29 0"],
        );
    }

    #[test]
    fn unreachable_nodes_are_dropped() {
        check("return; read x; l: goto l;", &["0 return @3:1"]);
        check("loop { return; read x; }", &["0 skip @3:1 1 2", "1 return @3:8", "2 return @4:1"]);
    }

    #[test]
    fn the_entry_need_not_be_the_first_node() {
        let model = model("process P { goto a; b: return; a: goto b; }");
        assert_eq!(model.procedures()[0].entry().index(), 2);
    }
}
