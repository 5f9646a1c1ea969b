//! Conditions that are tested more than once.
//!
//! Two tests of one condition go the same way if what is tested stays the same: `if (shared) lock.lock(); .. if (shared) lock.unlock();`,
//! `this.id < to.id`. A *pair* is two expressions whose values are compared; see `expression`. What a state knows of a pair is which of the
//! relations less, equal and greater are possible: a test leaves those for which it goes the way that is taken, and a way for which none is left is not taken. An assignment
//! to a local variable of a pair forgets it. So a state says nothing that is not so in all executions that come there, and no
//! execution is lost.
//!
//! Only pairs that are tested in several places of a method are looked at, and of these the [`MOST`] that were tested last: knowing less only adds executions.
//! The index of an element is compared with the one that is followed in the same way; see `element`.

use super::expression::{Computation, Expression, walk};
use super::facts::Facts;
use super::frame::{Frame, Liveness};
use java::{Code, Comparison, Condition, Instruction, InstructionIndex, InvokeKind, MethodId, Program, Type};
use rustc_hash::FxHashMap;

/// A state knows something of so many pairs.
pub(super) const MOST: usize = 4;

/// The number of a pair of a method.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) struct PairId(u16);

/// Which relations are possible between the two of a pair; of references, all but `EQUAL` mean that they differ.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) struct Relation(u8);

impl Relation {
    pub(super) const LESS: Self = Self(1);
    pub(super) const EQUAL: Self = Self(2);
    pub(super) const GREATER: Self = Self(4);
    /// Nothing is known.
    pub(super) const ALL: Self = Self(7);

    pub(super) fn and(self, other: Self) -> Self {
        Self(self.0 & other.0)
    }

    pub(super) fn or(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }

    pub(super) fn not(self) -> Self {
        Self(Self::ALL.0 & !self.0)
    }

    pub(super) fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// The one that holds of the pair the other way round.
    fn swapped(self) -> Self {
        let less = if self.and(Self::GREATER).is_empty() { 0 } else { Self::LESS.0 };
        let greater = if self.and(Self::LESS).is_empty() { 0 } else { Self::GREATER.0 };
        Self(less | self.0 & Self::EQUAL.0 | greater)
    }

    fn of(comparison: Comparison) -> Self {
        match comparison {
            Comparison::Equal => Self::EQUAL,
            Comparison::NotEqual => Self::EQUAL.not(),
            Comparison::Less => Self::LESS,
            Comparison::GreaterOrEqual => Self::LESS.not(),
            Comparison::Greater => Self::GREATER,
            Comparison::LessOrEqual => Self::GREATER.not(),
        }
    }

    /// What is possible when something was added to the first of the two.
    fn moved(self, by: i16) -> Self {
        let up = match by {
            0 => return self,
            1 | -1 => Self::LESS.or(Self::EQUAL),
            _ => Self::ALL,
        };
        let is = |relation: Self| !self.and(relation).is_empty();
        let before = if by > 0 { self } else { self.swapped() };
        let is_before = |relation: Self| !before.and(relation).is_empty();
        let mut after = if is(Self::EQUAL) || is_before(Self::GREATER) { Self::GREATER } else { Self(0) };
        after = if is_before(Self::LESS) { after.or(up) } else { after };
        if by > 0 { after } else { after.swapped() }
    }
}

/// Two expressions that are compared, the lesser one first.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) struct Pair {
    one: Expression,
    other: Expression,
}

impl Pair {
    /// The pair, and whether the two were exchanged.
    fn new(one: Expression, other: Expression) -> (Self, bool) {
        if one <= other { (Self { one, other }, false) } else { (Self { one: other, other: one }, true) }
    }

    fn has_local(&self, slot: usize) -> bool {
        self.one.has_local(slot) || self.other.has_local(slot)
    }
}

/// Where a method uses an element of an array.
#[derive(Clone, Debug)]
pub(super) struct Access {
    /// The index.
    pub(super) index: Expression,
    /// A part of it that is itself used as an index by the method.
    pub(super) part: Option<Expression>,
    /// The local variables in it, of which callers may know something.
    pub(super) locals: Vec<Expression>,
}

/// The pairs of a method.
#[derive(Debug, Default)]
pub(super) struct Pairs {
    pairs: Vec<Pair>,
    ids: FxHashMap<Pair, PairId>,
    /// The pair that is tested, whether the two are exchanged, and when the branch is taken.
    branches: FxHashMap<InstructionIndex, (PairId, Relation)>,
    /// The indices that are known expressions.
    pub(super) accesses: FxHashMap<InstructionIndex, Access>,
    /// The arguments of calls that are used as indices, too: which ones, the receiver first.
    pub(super) arguments: FxHashMap<InstructionIndex, Vec<(usize, PairId)>>,
    /// The local variables of these pairs, indices and arguments. They are on the stack there.
    locals: FxHashMap<InstructionIndex, Vec<u16>>,
}

impl Pairs {
    /// The pairs that a method tests in several places, and its indices. Linear in the code, but for its indices, of which it looks at a few.
    pub(super) fn of(program: &Program, facts: &Facts, (method, code): (MethodId, &Code)) -> Self {
        let is_access = |instruction| matches!(instruction, Instruction::ArrayLoad(_) | Instruction::ArrayStore(_));
        let mut instructions = code.instructions().map(|(_, instruction)| instruction);
        let tests = code.instructions().filter(|(_, one)| matches!(one, Instruction::Branch(..))).count();
        if tests < 2 && !instructions.any(is_access) {
            return Self::default();
        }
        let mut tests: FxHashMap<Pair, Vec<(InstructionIndex, Relation)>> = FxHashMap::default();
        let mut indices = Vec::new();
        let mut arguments = Vec::new();
        let mut visit = |at: InstructionIndex, instruction: Instruction, taken: &[Option<Expression>]| match instruction
        {
            Instruction::Branch(condition, _) => {
                let Some((one, other, relation)) = tested(condition, taken) else { return };
                let (pair, is_swapped) = Pair::new(one, other);
                let relation = if is_swapped { relation.swapped() } else { relation };
                tests.entry(pair).or_default().push((at, relation));
            }
            Instruction::ArrayLoad(_) | Instruction::ArrayStore(_) => {
                if let Some(index) = taken.get(1).cloned().flatten() {
                    indices.push((at, index));
                }
            }
            Instruction::Invoke(kind, member) => {
                let receiver = usize::from(kind != InvokeKind::Static);
                let types = program.method_type(member.descriptor);
                let types = types.iter().flat_map(|types| types.parameters.iter());
                let known = (receiver..).zip(types.zip(taken.iter().skip(receiver)));
                let ints = known.filter(|(_, (of, _))| **of == Type::Int);
                arguments.extend(ints.filter_map(|(place, (_, one))| Some((at, place, one.clone()?))));
            }
            _ => {}
        };
        walk(program, facts, (method, code), &mut visit);
        let mut pairs = Self::default();
        let mut tests: Vec<_> = tests.into_iter().filter(|(_, tests)| tests.len() > 1).collect();
        tests.sort_unstable_by_key(|(_, tests)| tests[0].0);
        for (pair, tests) in tests {
            let locals = [&pair.one, &pair.other].into_iter().flat_map(Expression::locals).collect::<Vec<_>>();
            pairs.locals.extend(tests.iter().map(|(at, _)| (*at, locals.clone())));
            let id = pairs.id(pair);
            pairs.branches.extend(tests.into_iter().map(|(at, relation)| (at, (id, relation))));
        }
        pairs.add_indices(indices);
        pairs.add_arguments(arguments);
        pairs
    }

    fn add_indices(&mut self, indices: Vec<(InstructionIndex, Expression)>) {
        /// More indices of a method are not compared with each other.
        const FEW: usize = 64;
        let mut known: Vec<Expression> = indices.iter().map(|(_, index)| index.clone()).collect();
        known.sort_unstable();
        known.dedup();
        known.truncate(FEW);
        for index in &known {
            self.id(Pair::new(index.clone(), Expression::Index).0);
        }
        for (at, index) in indices {
            let locals: Vec<_> = index.locals().into_iter().map(Expression::Local).collect();
            for local in &locals {
                self.id(Pair::new(local.clone(), Expression::Index).0);
            }
            let is_part = |part: &&Expression| **part != index && index.any(&|inner| inner == *part);
            let part = known.iter().find(is_part).cloned();
            self.locals.insert(at, index.locals());
            self.accesses.insert(at, Access { index, part, locals });
        }
    }

    fn add_arguments(&mut self, arguments: Vec<(InstructionIndex, usize, Expression)>) {
        for (at, place, argument) in arguments {
            let Some(pair) = self.of_index(&argument) else { continue };
            self.arguments.entry(at).or_default().push((place, pair));
            self.locals.entry(at).or_default().extend(argument.locals());
        }
    }

    fn id(&mut self, pair: Pair) -> PairId {
        let next = PairId(u16::try_from(self.pairs.len()).expect("code has fewer than 2^16 instructions"));
        let pairs = &mut self.pairs;
        *self.ids.entry(pair).or_insert_with_key(|pair| {
            pairs.push(pair.clone());
            next
        })
    }

    /// The local variables that are parts of what an instruction compares, or of its index.
    pub(super) fn locals_at(&self, at: InstructionIndex) -> &[u16] {
        self.locals.get(&at).map_or(&[], Vec::as_slice)
    }

    /// The pair of an index and the one that is followed.
    pub(super) fn of_index(&self, index: &Expression) -> Option<PairId> {
        self.ids.get(&Pair::new(index.clone(), Expression::Index).0).copied()
    }

    fn pair(&self, id: PairId) -> &Pair {
        &self.pairs[usize::from(id.0)]
    }
}

/// What a branch compares, and when it is taken.
fn tested(condition: Condition, taken: &[Option<Expression>]) -> Option<(Expression, Expression, Relation)> {
    let mut taken = taken.iter().cloned().collect::<Option<Vec<_>>>()?;
    if let (Condition::Zero(comparison), [Expression::Computed(Computation::Order, longs)]) = (condition, &taken[..]) {
        // Two longs, of which the order was computed first.
        let [one, other] = <[Expression; 2]>::try_from(longs.clone()).ok()?;
        return Some((one, other, Relation::of(comparison)));
    }
    let (relation, other) = match condition {
        Condition::Zero(comparison) => (Relation::of(comparison), Some(Expression::Int(0))),
        Condition::Ints(comparison) => (Relation::of(comparison), None),
        Condition::Same => (Relation::EQUAL, None),
        Condition::Different => (Relation::EQUAL.not(), None),
        Condition::Null => (Relation::EQUAL, Some(Expression::Null)),
        Condition::NotNull => (Relation::EQUAL.not(), Some(Expression::Null)),
    };
    taken.extend(other);
    let [one, other] = <[Expression; 2]>::try_from(taken).ok()?;
    Some((one, other, relation))
}

impl Frame {
    /// Which relations are possible.
    pub(super) fn relation(&self, pair: PairId) -> Relation {
        self.known.iter().find(|(known, _)| *known == pair).map_or(Relation::ALL, |(_, relation)| *relation)
    }

    /// Only these are possible any more.
    pub(super) fn relate(&mut self, pair: PairId, relation: Relation) {
        self.known.retain(|(known, _)| *known != pair);
        if relation != Relation::ALL {
            self.known.push((pair, relation));
        }
        if self.known.len() > MOST {
            self.known.remove(0);
        }
    }

    /// The states in which a branch is not taken and in which it is, as far as they are possible. None if nothing is remembered of what it tests.
    pub(super) fn tested(&self, pairs: &Pairs) -> Option<[Option<Self>; 2]> {
        let (pair, when) = *pairs.branches.get(&self.at)?;
        let before = self.relation(pair);
        Some([when.not(), when].map(|when| {
            let after = before.and(when);
            (!after.is_empty()).then(|| {
                let mut frame = self.clone();
                frame.relate(pair, after);
                frame
            })
        }))
    }

    /// A local variable is assigned, or something is added to it.
    pub(super) fn assigns(&mut self, pairs: &Pairs, slot: usize, added: Option<i16>) {
        self.known.retain_mut(|(id, relation)| {
            let pair = pairs.pair(*id);
            let is_moved = |one: &Expression| matches!(one, Expression::Local(local) if usize::from(*local) == slot);
            let moved = match (&pair.one, &pair.other, added) {
                (one, Expression::Index, Some(by)) if is_moved(one) => relation.moved(by),
                _ if pair.has_local(slot) => Relation::ALL,
                _ => *relation,
            };
            *relation = moved;
            moved != Relation::ALL
        });
    }

    /// Forgets the pairs of local variables that are not read any more; those whose values are on the stack still are.
    pub(super) fn forget_pairs(&mut self, pairs: &Pairs, live: &Liveness) {
        let at = self.at;
        let slots = self.locals.len();
        self.known.retain(|(pair, _)| {
            let pair = pairs.pair(*pair);
            (0..slots).all(|slot| live.is_live(at, slot) || !pair.has_local(slot))
        });
    }
}

#[cfg(test)]
mod tests {
    use super::Relation;

    const LESS: Relation = Relation::LESS;
    const EQUAL: Relation = Relation::EQUAL;
    const GREATER: Relation = Relation::GREATER;

    /// Numbers around 0, by how they compare with it.
    fn numbers(relation: Relation) -> impl Iterator<Item = i32> {
        (-9..=9).filter(move |number| !relation_of(*number).and(relation).is_empty())
    }

    fn relation_of(number: i32) -> Relation {
        match number {
            ..0 => LESS,
            0 => EQUAL,
            1.. => GREATER,
        }
    }

    #[test]
    fn relations_move_as_numbers_do() {
        let all: Vec<Relation> = (0..8).map(Relation).collect();
        for before in &all {
            for by in [-3, -1, 0, 1, 3] {
                let after = before.moved(by);
                let possible = numbers(*before).map(|number| relation_of(number + i32::from(by)));
                let possible = possible.fold(Relation(0), Relation::or);
                assert_eq!(after, possible, "{before:?} {by}");
            }
            let other_way = numbers(*before).map(|number| relation_of(-number)).fold(Relation(0), Relation::or);
            assert_eq!(before.swapped(), other_way);
        }
    }
}
