//! Random syntax trees as the parser makes them, without positions.
//!
//! Their names come from small sets, so that many of them resolve, but most trees are no models.

use asercheck::syntax::ast::{
    Block, Comment, Comments, Item, ItemKind, LockUse, Mode, Multiplicity, Name, Program, Statement, StatementKind,
};
use asercheck::syntax::{Position, Span};
use proptest::collection::vec;
use proptest::prelude::*;
use proptest::sample::select;

const NOWHERE: Span = Span::at(Position::START);

/// The maximal depth of blocks.
const DEPTH: u32 = 5;

/// Generates a program with or without comments.
pub fn program() -> impl Strategy<Value = Program> {
    (vec(item(), 0..8), comment_lines()).prop_map(|(items, trailing_comments)| Program { items, trailing_comments })
}

/// Generates a block with every kind of statement.
pub fn block() -> impl Strategy<Value = Block> {
    let leaf = vec(simple_statement().boxed(), 0..4);
    let inner = (leaf, comment_lines()).prop_map(to_block);
    inner.prop_recursive(DEPTH, 48, 4, |block| {
        let statement = prop_oneof![
            2 => simple_statement(),
            3 => statement_with(block),
        ];
        (vec(statement, 0..5), comment_lines()).prop_map(to_block)
    })
}

fn to_block((statements, trailing_comments): (Vec<Statement>, Vec<Comment>)) -> Block {
    Block { statements, trailing_comments, span: NOWHERE, close: NOWHERE }
}

fn item() -> impl Strategy<Value = Item> {
    let declaration = prop_oneof![
        names().prop_map(ItemKind::Locks),
        names().prop_map(ItemKind::RwLocks),
        names().prop_map(ItemKind::Overlap),
        names().prop_map(ItemKind::Shared),
        (name(), names()).prop_map(|(name, members)| ItemKind::AtomicSet { name, members }),
    ];
    let multiplicity =
        prop_oneof![Just(Multiplicity::Single), any::<u32>().prop_map(Multiplicity::Times), Just(Multiplicity::Many),];
    let procedure = prop_oneof![
        (name(), block()).prop_map(|(name, body)| ItemKind::Function { name, body }),
        (name(), multiplicity, block())
            .prop_map(|(name, multiplicity, body)| { ItemKind::Process { name, multiplicity, body } }),
    ];
    let item = |(kind, comments)| Item { kind, span: NOWHERE, comments };
    prop_oneof![(declaration, line_comments()).prop_map(item), (procedure, block_comments()).prop_map(item),]
}

fn simple_statement() -> impl Strategy<Value = Statement> {
    let with_name = select(vec![
        StatementKind::Read as fn(Name) -> StatementKind,
        StatementKind::Write,
        StatementKind::Release,
        StatementKind::Wait,
        StatementKind::Call,
        StatementKind::Start,
        StatementKind::Label,
        StatementKind::Goto,
    ]);
    let alone = select(vec![
        StatementKind::Begin,
        StatementKind::End,
        StatementKind::Return,
        StatementKind::Skip,
        StatementKind::Break,
        StatementKind::Continue,
    ]);
    let kind = prop_oneof![
        3 => (with_name, name()).prop_map(|(kind, name)| kind(name)),
        1 => lock_use().prop_map(StatementKind::Acquire),
        1 => alone,
    ];
    (kind, line_comments()).prop_map(to_statement)
}

fn statement_with(block: impl Strategy<Value = Block> + Clone + 'static) -> impl Strategy<Value = Statement> {
    let kind = prop_oneof![
        (lock_use(), block.clone()).prop_map(|(lock, block)| StatementKind::Sync(lock, block)),
        block.clone().prop_map(StatementKind::Atomic),
        block.clone().prop_map(StatementKind::Loop),
        vec(block, 1..4).prop_map(StatementKind::Choose),
    ];
    (kind, block_comments()).prop_map(to_statement)
}

fn to_statement((kind, comments): (StatementKind, Comments)) -> Statement {
    Statement { kind, span: NOWHERE, comments }
}

fn lock_use() -> impl Strategy<Value = LockUse> {
    let mode = select(vec![None, Some(Mode::Read), Some(Mode::Write)]);
    (mode, name()).prop_map(|(mode, name)| LockUse { mode, name })
}

fn names() -> impl Strategy<Value = Vec<Name>> {
    vec(name(), 1..20)
}

fn name() -> impl Strategy<Value = Name> {
    let text = prop_oneof![
        8 => select(vec!["a", "b", "c", "x", "y", "f", "P"]).prop_map(str::to_string),
        1 => "[a-zäλ_][a-z0-9_.$ß]{5,40}".prop_filter("no keyword", |name| asercheck::syntax::is_name(name)),
    ];
    text.prop_map(|text| Name { text, span: NOWHERE })
}

/// The comments of a construct that has no block.
fn line_comments() -> impl Strategy<Value = Comments> {
    (comment_lines(), same_line_comments()).prop_map(|(before, after)| Comments { before, after, closing: Vec::new() })
}

/// The comments of a construct that has one.
fn block_comments() -> impl Strategy<Value = Comments> {
    (comment_lines(), same_line_comments(), same_line_comments()).prop_map(|(before, after, closing)| Comments {
        before,
        after,
        closing,
    })
}

/// Comments that may stand on lines of their own.
fn comment_lines() -> impl Strategy<Value = Vec<Comment>> {
    prop_oneof![
        5 => Just(Vec::new()),
        1 => vec(prop_oneof![line_comment(), enclosed_comment()], 1..3),
    ]
}

/// Comments after a token: only the last one may take the rest of the line.
fn same_line_comments() -> impl Strategy<Value = Vec<Comment>> {
    let some = (vec(enclosed_comment(), 0..2), vec(line_comment(), 0..2)).prop_map(|(mut comments, last)| {
        comments.extend(last.into_iter().take(1));
        comments
    });
    prop_oneof![5 => Just(Vec::new()), 1 => some]
}

fn line_comment() -> impl Strategy<Value = Comment> {
    "//( [a-z{};*/é]{1,8}){0,3}".prop_map(to_comment)
}

fn enclosed_comment() -> impl Strategy<Value = Comment> {
    "/\\*( [a-z{};é]{1,8}|\n  [a-z]{1,8}){0,3} \\*/".prop_map(to_comment)
}

fn to_comment(text: String) -> Comment {
    Comment { text, span: NOWHERE }
}
