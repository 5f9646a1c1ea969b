//! An invariant as it is written: only blocks that are entered, and everything numbered without gaps.

use crate::clauses::End;
use crate::code::Code;
use crate::fixpoint::{Entry, Invariant, Question};
use crate::instructions::Lock;
use crate::pieces::{Pairs, Piece, PieceId, SegmentId, Uses};
use eml::syntax::ast::Mode;
use indexmap::IndexSet;
use rustc_hash::FxBuildHasher;
use std::fmt::Write;

/// Lists of numbers, each once, by their own numbers.
type Lists = IndexSet<Vec<usize>, FxBuildHasher>;

/// An invariant in the form of the format.
#[derive(Clone, Debug)]
pub(crate) struct Table {
    locks: Vec<Lock>,
    pieces: Vec<Piece>,
    segments: Vec<Vec<usize>>,
    sets: Lists,
    blocks: Vec<TableBlock>,
    /// The number of phases before the first piece of the ends of the process.
    absent: usize,
}

#[derive(Clone, Debug)]
struct TableBlock {
    entry: Entry,
    /// The number of a set for each instruction.
    at: Vec<usize>,
    /// The number of a set.
    ends: usize,
}

impl Table {
    pub(crate) fn new(invariant: &Invariant, question: Question<'_>) -> Self {
        let mut numbering = Numbering { invariant, pieces: IndexSet::default(), segments: IndexSet::default() };
        let mut sets = Lists::default();
        let mut set = |of: &[SegmentId]| {
            let mut numbers: Vec<_> = of.iter().map(|segment| numbering.segment(*segment)).collect();
            numbers.sort_unstable();
            sets.insert_full(numbers).0
        };
        let entered = invariant.entered_blocks(question);
        let blocks =
            entered.into_iter().filter_map(|number| invariant.blocks.get_index(number)).map(|(entry, block)| {
                let at = block.at.iter().map(|at| set(at)).collect();
                TableBlock { entry: *entry, at, ends: set(&block.ends) }
            });
        let blocks = blocks.collect();
        let segments = numbering.segments.clone().into_iter().map(|segment| {
            let pieces = invariant.segments.pieces_of(segment);
            pieces.iter().map(|piece| numbering.pieces.insert_full(*piece).0).collect()
        });
        let segments = segments.collect();
        let pieces = numbering.pieces.iter().map(|piece| invariant.segments.piece_of(*piece).clone());
        let pieces = pieces.collect();
        Self { locks: invariant.locks.clone(), pieces, segments, sets, blocks, absent: question.role.absent }
    }

    /// The number of ends of the process.
    pub(crate) fn end_count(&self) -> usize {
        self.end_set().len()
    }

    fn end_set(&self) -> &[usize] {
        &self.sets[self.blocks[0].ends]
    }

    /// The ends of the process, in the order of the format. `nothing` stands for phases in which it is absent.
    pub(crate) fn ends<'a>(&'a self, nothing: &'a Piece) -> Vec<End<'a>> {
        let ends = self.end_set().iter().map(|segment| {
            let absent = std::iter::repeat_n(nothing, self.absent);
            let pieces = self.segments[*segment].iter().map(|piece| &self.pieces[*piece]);
            End { locks: &self.locks, pieces: absent.chain(pieces).collect() }
        });
        ends.collect()
    }

    /// The line of the invariant with this number.
    pub(crate) fn line(&self, number: usize, code: &Code) -> String {
        let locks: Vec<_> = self.locks.iter().map(|lock| quoted(code.names.lock_name(*lock))).collect();
        let pieces: Vec<_> = self.pieces.iter().map(piece).collect();
        let blocks: Vec<_> = self.blocks.iter().map(|block| self.block(block, code)).collect();
        format!(
            "{{\"invariant\":{number},\"locks\":[{}],\"pieces\":[{}],\"segments\":{},\"sets\":{},\"blocks\":[{}]}}",
            locks.join(","),
            pieces.join(","),
            lists(&self.segments),
            lists(&self.sets),
            blocks.join(",")
        )
    }

    fn block(&self, block: &TableBlock, code: &Code) -> String {
        let TableBlock { entry, at, ends } = block;
        let body = code.body(entry.body);
        let kind = if body.is_process() { "process" } else { "function" };
        let mut text = format!("{{\"{kind}\":{}", quoted(&body.name));
        if !entry.holds.is_empty() {
            let _ = write!(text, ",\"holds\":{}", uses(entry.holds));
        }
        if entry.in_unit {
            text.push_str(",\"unit\":1");
        }
        let _ = write!(text, ",\"phase\":{},\"at\":{},\"ends\":{ends}}}", entry.phase + 1, list(at));
        text
    }
}

/// Numbers for the segments and pieces that are written.
struct Numbering<'a> {
    invariant: &'a Invariant,
    pieces: IndexSet<PieceId, FxBuildHasher>,
    segments: IndexSet<SegmentId, FxBuildHasher>,
}

impl Numbering<'_> {
    fn segment(&mut self, id: SegmentId) -> usize {
        let (number, is_new) = self.segments.insert_full(id);
        if is_new {
            self.pieces.extend(self.invariant.segments.pieces_of(id));
        }
        number
    }
}

fn piece(piece: &Piece) -> String {
    let sets = [("through", piece.through), ("used", piece.used), ("held", piece.held)];
    let pairs = [("acquired", &piece.acquired), ("released", &piece.released)];
    let sets = sets.iter().filter(|(_, set)| !set.is_empty()).map(|(name, set)| format!("\"{name}\":{}", uses(*set)));
    let pairs = pairs.iter().filter(|(_, pairs)| !pairs.is_empty());
    let pairs = pairs.map(|(name, pairs)| format!("\"{name}\":{}", pair_list(pairs)));
    format!("{{{}}}", sets.chain(pairs).collect::<Vec<_>>().join(","))
}

fn uses(uses: Uses) -> String {
    list(&uses.iter().map(usize::from).collect::<Vec<_>>())
}

fn pair_list(pairs: &Pairs) -> String {
    let pairs: Vec<_> = pairs.iter().map(|(first, second)| format!("[{first},{second}]")).collect();
    format!("[{}]", pairs.join(","))
}

fn list(numbers: &[usize]) -> String {
    let numbers: Vec<_> = numbers.iter().map(usize::to_string).collect();
    format!("[{}]", numbers.join(","))
}

fn lists<'a>(of: impl IntoIterator<Item = &'a Vec<usize>>) -> String {
    let lists: Vec<_> = of.into_iter().map(|numbers| list(numbers)).collect();
    format!("[{}]", lists.join(","))
}

/// A name as a JSON string. Names have letters, digits and the characters `_`, `.` and `$` only.
pub(crate) fn quoted(name: &str) -> String {
    format!("\"{name}\"")
}

/// The name of a lock with its mode, as clauses write it.
pub(crate) fn named_use(code: &Code, lock: Lock, mode: Mode) -> String {
    let read = if mode == Mode::Read { "read " } else { "" };
    format!("\"{read}{}\"", code.names.lock_name(lock))
}
