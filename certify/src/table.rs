//! An invariant as it is written: only blocks that are entered, and everything numbered without gaps.

use crate::clauses::{End, NamedUse};
use crate::code::Code;
use crate::fixpoint::{Entry, Invariant, Question};
use crate::instructions::Lock;
use crate::pieces::{Pairs, Piece, PieceId, SegmentId, Uses};
use eml::syntax::ast::Mode;
use indexmap::IndexSet;
use rustc_hash::FxBuildHasher;

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

    /// The lines of the invariant.
    pub(crate) fn lines(&self, code: &Code) -> String {
        let locks: Vec<_> = self.locks.iter().map(|lock| format!(" {}", code.names.lock_name(*lock))).collect();
        let pieces: String = self.pieces.iter().map(piece).collect();
        let blocks: String = self.blocks.iter().map(|block| block_line(block, code)).collect();
        let (segments, sets) = (lists(&self.segments), lists(&self.sets));
        format!("invariant{}\n{pieces}segments {segments}\nsets {sets}\n{blocks}", locks.concat())
    }

    /// The number of a use, if the lock is one of the invariant.
    pub(crate) fn number_of(&self, (lock, mode): NamedUse) -> Option<usize> {
        let index = self.locks.iter().position(|own| *own == lock)?;
        Some(2 * index + usize::from(mode == Mode::Read))
    }
}

fn block_line(block: &TableBlock, code: &Code) -> String {
    let TableBlock { entry, at, ends } = block;
    let body = code.body(entry.body);
    let kind = if body.is_process() { "process" } else { "function" };
    let (unit, phase) = (u8::from(entry.in_unit), entry.phase + 1);
    format!("{kind} {},{},{unit} {phase} {ends},{}\n", body.name, uses(entry.holds), list(at))
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
    let Piece { through, used, acquired, released, held } = piece;
    let lists = [uses(*through), uses(*used), pair_list(acquired), pair_list(released), uses(*held)];
    format!("piece {}\n", lists.join(","))
}

fn uses(uses: Uses) -> String {
    list(&uses.iter().map(usize::from).collect::<Vec<_>>())
}

fn pair_list(pairs: &Pairs) -> String {
    list(&pairs.iter().flat_map(|(first, second)| [*first, *second].map(usize::from)).collect::<Vec<_>>())
}

/// Numbers with spaces in between.
pub(crate) fn list(numbers: &[usize]) -> String {
    numbers.iter().map(usize::to_string).collect::<Vec<_>>().join(" ")
}

/// Lists with commas in between.
fn lists<'a>(of: impl IntoIterator<Item = &'a Vec<usize>>) -> String {
    of.into_iter().map(|numbers| list(numbers)).collect::<Vec<_>>().join(",")
}
