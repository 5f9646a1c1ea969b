//! A pass over a body before its statements are translated: labels, jumps, starts and the first unit.

use std::collections::HashMap;

use super::error::ModelError;
use super::jump_error::JumpError;
use super::names::Names;
use crate::syntax::Span;
use crate::syntax::ast::{Block, Name, Statement, StatementKind};

/// The number of a block within its body, counted in the order of their opening braces; the body itself has 0.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct BlockNumber(usize);

/// Numbers the blocks of a body.
#[derive(Debug, Default)]
pub(super) struct BlockCounter(usize);

impl BlockCounter {
    /// Returns the number of the next block.
    pub(super) fn next(&mut self) -> BlockNumber {
        self.0 += 1;
        BlockNumber(self.0 - 1)
    }
}

/// A label of a body.
#[derive(Clone, Copy, Debug)]
pub(super) struct Label {
    /// Its place.
    pub(super) span: Span,
    /// The block that contains it.
    pub(super) block: BlockNumber,
    /// Whether some `goto` names it.
    pub(super) is_used: bool,
}

/// The results of the pass over a body.
#[derive(Debug, Default)]
pub(super) struct Survey<'p> {
    labels: HashMap<&'p str, Label>,
    label_names: Vec<&'p str>,
    /// The names in its `start` statements, reachable or not.
    pub(super) starts: Vec<&'p Name>,
    /// Its first unit of work.
    pub(super) first_unit: Option<Span>,
    gotos: Vec<&'p str>,
    blocks: BlockCounter,
}

impl<'p> Survey<'p> {
    /// Surveys a body.
    pub(super) fn of(body: &'p Block, names: &mut Names<'p>) -> Self {
        let mut survey = Self::default();
        survey.blocks(body, names);
        for name in std::mem::take(&mut survey.gotos) {
            if let Some(label) = survey.labels.get_mut(name) {
                label.is_used = true;
            }
        }
        survey
    }

    /// Returns a label by its name.
    pub(super) fn label(&self, name: &Name) -> Option<&Label> {
        self.labels.get(name.text.as_str())
    }

    /// Returns the names of all labels in the order of the text.
    pub(super) fn labels_in_order(&self) -> &[&'p str] {
        &self.label_names
    }

    /// Visits a body and all blocks inside, statement by statement in the order of the text.
    fn blocks(&mut self, body: &'p Block, names: &mut Names<'p>) {
        /// A part still to be visited.
        enum Rest<'p> {
            Block(&'p Block),
            Statements(BlockNumber, std::slice::Iter<'p, Statement>),
        }
        let mut stack = vec![Rest::Block(body)];
        while let Some(rest) = stack.pop() {
            let (number, mut statements) = match rest {
                Rest::Block(block) => (self.blocks.next(), block.statements.iter()),
                Rest::Statements(number, statements) => (number, statements),
            };
            let Some(statement) = statements.next() else { continue };
            self.statement(statement, number, names);
            stack.push(Rest::Statements(number, statements));
            stack.extend(statement.kind.blocks().iter().rev().map(Rest::Block));
        }
    }

    fn statement(&mut self, statement: &'p Statement, block: BlockNumber, names: &mut Names<'p>) {
        match &statement.kind {
            StatementKind::Label(name) => self.note_label(name, block, names),
            StatementKind::Goto(name) => self.gotos.push(&name.text),
            StatementKind::Start(name) => self.starts.push(name),
            StatementKind::Atomic(_) | StatementKind::Begin => {
                self.first_unit.get_or_insert(statement.span);
            }
            StatementKind::Choose(blocks) if blocks.is_empty() => {
                names.error(ModelError::EmptyChoose { span: statement.span });
            }
            _ => {}
        }
    }

    fn note_label(&mut self, name: &'p Name, block: BlockNumber, names: &mut Names<'p>) {
        names.check_form(name);
        if let Some(first) = self.labels.get(name.text.as_str()) {
            names.error(ModelError::Jump(JumpError::DuplicateLabel { name: name.clone(), first: first.span }));
            return;
        }
        let label = Label { span: name.span, block, is_used: false };
        self.labels.insert(&name.text, label);
        self.label_names.push(&name.text);
    }
}
