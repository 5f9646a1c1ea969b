//! A first look at a body: what has to be known before its statements are translated.

use std::collections::HashMap;

use super::error::ModelError;
use super::jump_error::JumpError;
use super::names::Names;
use crate::eml::ast::{Block, Name, Statement, StatementKind};
use crate::eml::{MAX_DEPTH, Span};

/// The number of a block within its body, counted in the order of their opening braces; the body itself has 0.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct BlockNumber(usize);

/// Numbers the blocks of a body.
#[derive(Debug, Default)]
pub(super) struct BlockCounter(usize);

impl BlockCounter {
    /// The number of the next block.
    pub(super) fn next(&mut self) -> BlockNumber {
        self.0 += 1;
        BlockNumber(self.0 - 1)
    }
}

/// A label of a body.
#[derive(Clone, Copy, Debug)]
pub(super) struct Label {
    /// Where it stands.
    pub(super) span: Span,
    /// The block that it stands in.
    pub(super) block: BlockNumber,
    /// Whether some `goto` names it.
    pub(super) is_used: bool,
}

/// What was found in a body.
#[derive(Debug, Default)]
pub(super) struct Survey<'p> {
    labels: HashMap<&'p str, Label>,
    label_names: Vec<&'p str>,
    /// The processes that it starts, wherever.
    pub(super) starts: Vec<&'p Name>,
    /// Its first unit of work.
    pub(super) first_unit: Option<Span>,
    gotos: Vec<&'p str>,
    blocks: BlockCounter,
}

impl<'p> Survey<'p> {
    /// Looks through a body. Nothing, if blocks are nested so deeply that recursion over them is not safe.
    pub(super) fn of(body: &'p Block, names: &mut Names<'p>) -> Option<Self> {
        let mut survey = Self::default();
        survey.block(body, 1, names)?;
        for name in std::mem::take(&mut survey.gotos) {
            if let Some(label) = survey.labels.get_mut(name) {
                label.is_used = true;
            }
        }
        Some(survey)
    }

    /// A label by its name.
    pub(super) fn label(&self, name: &Name) -> Option<&Label> {
        self.labels.get(name.text.as_str())
    }

    /// The names of all labels.
    pub(super) fn labels_in_order(&self) -> &[&'p str] {
        &self.label_names
    }

    fn block(&mut self, block: &'p Block, depth: usize, names: &mut Names<'p>) -> Option<()> {
        if depth > MAX_DEPTH {
            names.error(ModelError::TooDeep { span: block.span });
            return None;
        }
        let number = self.blocks.next();
        for statement in &block.statements {
            self.statement(statement, number, names);
            for inner in blocks_of(&statement.kind) {
                self.block(inner, depth + 1, names)?;
            }
        }
        Some(())
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

/// The blocks of a statement.
fn blocks_of(kind: &StatementKind) -> &[Block] {
    match kind {
        StatementKind::Sync(_, block) | StatementKind::Atomic(block) | StatementKind::Loop(block) => {
            std::slice::from_ref(block)
        }
        StatementKind::Choose(blocks) => blocks,
        _ => &[],
    }
}
