//! Equal expressions of a method, and relations between them: branch correlation.
//!
//! A *term* is an expression over variables: a constant, arithmetic, the length of an array, an unchanging field of a
//! term. Variables that are assigned the same expression have the same term (value numbering; B. Alpern, M. Wegman, F.
//! Zadeck, *Detecting equality of variables in programs*, POPL 1988). A *relation* is the set of possible outcomes of
//! comparing two terms: less, equal, greater; for references only equal and not equal are distinguished.
//!
//! **Invariant.** A relation in a state holds for the values that the terms' variables have there. A term evaluates to
//! the same value twice as long as no variable in it is assigned in between: every assignment drops the relations of
//! all terms with that variable. Unchanging fields have one value for ever, so a load of such a field is a term of the
//! object. Machine arithmetic is used as it is: equal expressions give equal numbers, and no arithmetic law is applied.
//! Floating-point comparisons are left out, as NaN is neither less, equal nor greater.

use java::ir::{Body, Definition, Operation, Variable};
use java::{Comparison, Condition, Constant, FieldId, Kind, Member, Name, Operator};
use rustc_hash::FxHashMap;

/// The number of a term in its method.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct TermId(u32);

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
enum Term {
    Variable(Variable),
    Null,
    Int(i32),
    Long(i64),
    Literal(Name),
    Binary(Operator, Kind, [TermId; 2]),
    Unary(u8, TermId),
    Compare([TermId; 2]),
    Length(TermId),
    Field(TermId, FieldId),
    Static(FieldId),
}

/// The set of possible results of a comparison: less, equal, greater.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct Relation(u8);

impl Relation {
    const LESS: u8 = 1;
    const EQUAL: u8 = 2;
    const GREATER: u8 = 4;
    /// All results are possible.
    pub(crate) const ANY: Self = Self(7);
    /// The terms are equal.
    pub(crate) const SAME: Self = Self(Self::EQUAL);
    /// The terms are not equal.
    pub(crate) const DIFFERENT: Self = Self(Self::LESS | Self::GREATER);

    fn of(comparison: Comparison) -> Self {
        Self(match comparison {
            Comparison::Equal => Self::EQUAL,
            Comparison::NotEqual => Self::LESS | Self::GREATER,
            Comparison::Less => Self::LESS,
            Comparison::GreaterOrEqual => Self::EQUAL | Self::GREATER,
            Comparison::Greater => Self::GREATER,
            Comparison::LessOrEqual => Self::LESS | Self::EQUAL,
        })
    }

    fn flipped(self) -> Self {
        let bit = |from: u8, to: u8| if self.0 & from == 0 { 0 } else { to };
        Self(bit(Self::LESS, Self::GREATER) | bit(Self::EQUAL, Self::EQUAL) | bit(Self::GREATER, Self::LESS))
    }

    /// The conjunction of two relations.
    pub(crate) fn and(self, other: Self) -> Self {
        Self(self.0 & other.0)
    }

    /// Whether no result is possible.
    pub(crate) fn is_impossible(self) -> bool {
        self.0 == 0
    }

    fn negated(self) -> Self {
        Self(!self.0 & 7)
    }
}

/// A pair of terms, the smaller one first.
pub(crate) type Pair = (TermId, TermId);

/// The test of a branch: two terms, and the relation that holds if it is taken.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Test {
    pub(crate) pair: Pair,
    pub(crate) holds: Relation,
}

impl Test {
    /// The relation after the branch, by whether it is taken.
    pub(crate) fn after(self, is_taken: bool) -> Relation {
        if is_taken { self.holds } else { self.holds.negated() }
    }
}

/// The terms of a method.
#[derive(Debug)]
pub(crate) struct Terms {
    terms: Vec<Term>,
    ids: FxHashMap<Term, TermId>,
    of: Vec<TermId>,
    /// The terms that contain a variable.
    with: FxHashMap<Variable, Vec<TermId>>,
    roots: Vec<Box<[Variable]>>,
    /// Pairs that more than one branch tests; others are never queried, so they are not stored.
    repeated: FxHashMap<Pair, usize>,
}

/// Maximum number of variables in a term; larger expressions count as variables of their own.
const MOST_ROOTS: usize = 8;

impl Terms {
    /// The terms of a method; `unchanging` returns the field that a member resolves to, if it never changes after
    /// construction. Linear.
    pub(crate) fn new(body: &Body, unchanging: &dyn Fn(Member) -> Option<FieldId>) -> Self {
        let mut terms = Self {
            terms: Vec::new(),
            ids: FxHashMap::default(),
            of: Vec::new(),
            with: FxHashMap::default(),
            roots: Vec::new(),
            repeated: FxHashMap::default(),
        };
        terms.of = vec![TermId(u32::MAX); body.variables()];
        terms.name_all(body, unchanging);
        terms.count_tests(body);
        terms
    }

    /// Assigns terms to all variables. Definitions dominate uses, but blocks are in no such order: operands without a
    /// term yet are variables.
    fn name_all(&mut self, body: &Body, unchanging: &dyn Fn(Member) -> Option<FieldId>) {
        for parameter in &body.parameters {
            self.name(*parameter, Term::Variable(*parameter));
        }
        for (_, block) in body.blocks() {
            for variable in block.caught.iter().chain(&*block.parameters) {
                self.name(*variable, Term::Variable(*variable));
            }
        }
        for (_, block) in body.blocks() {
            for statement in &*block.statements {
                let Some(to) = statement.to else { continue };
                let term = self.term(body, &statement.operation, unchanging).unwrap_or(Term::Variable(to));
                self.name(to, term);
            }
        }
    }

    fn name(&mut self, variable: Variable, term: Term) {
        let term = if self.roots_of(&term).is_some() { term } else { Term::Variable(variable) };
        self.of[variable.index()] = self.id(term);
    }

    fn operand(&mut self, body: &Body, variable: Variable) -> TermId {
        if self.of[variable.index()] == TermId(u32::MAX) {
            debug_assert!(matches!(body.variable(variable).definition, Definition::Statement(_)));
            let id = self.id(Term::Variable(variable));
            return id;
        }
        self.of[variable.index()]
    }

    fn term(
        &mut self,
        body: &Body,
        operation: &Operation,
        unchanging: &dyn Fn(Member) -> Option<FieldId>,
    ) -> Option<Term> {
        Some(match operation {
            Operation::Constant(Constant::Null) => Term::Null,
            Operation::Constant(Constant::Int(number)) => Term::Int(*number),
            Operation::Constant(Constant::Long(number)) => Term::Long(*number),
            Operation::Constant(Constant::String(text)) => Term::Literal(*text),
            Operation::Binary(operator, kind @ (Kind::Int | Kind::Long), pair) => {
                Term::Binary(*operator, *kind, pair.map(|one| self.operand(body, one)))
            }
            Operation::Compare(Kind::Long, pair) => Term::Compare(pair.map(|one| self.operand(body, one))),
            Operation::Negate(Kind::Int, value) => Term::Unary(0, self.operand(body, *value)),
            Operation::Negate(Kind::Long, value) => Term::Unary(1, self.operand(body, *value)),
            Operation::Convert(Kind::Int, Kind::Long, value) => Term::Unary(2, self.operand(body, *value)),
            Operation::Convert(Kind::Long, Kind::Int, value) => Term::Unary(3, self.operand(body, *value)),
            Operation::Narrow(java::Element::Byte, value) => Term::Unary(4, self.operand(body, *value)),
            Operation::Narrow(java::Element::Char, value) => Term::Unary(5, self.operand(body, *value)),
            Operation::Narrow(java::Element::Short, value) => Term::Unary(6, self.operand(body, *value)),
            Operation::ArrayLength(array) => Term::Length(self.operand(body, *array)),
            Operation::CheckCast(_, value) => {
                let same = self.operand(body, *value);
                self.terms[same.0 as usize].clone()
            }
            Operation::GetField { object, field } => {
                let field = unchanging(*field)?;
                Term::Field(self.operand(body, *object), field)
            }
            Operation::GetStatic(field) => Term::Static(unchanging(*field)?),
            _ => return None,
        })
    }

    /// The variables of a term; none if there are too many.
    fn roots_of(&self, term: &Term) -> Option<Box<[Variable]>> {
        let of = |id: &TermId| self.roots[id.0 as usize].iter().copied();
        let mut roots: Vec<Variable> = match term {
            Term::Variable(variable) => vec![*variable],
            Term::Null | Term::Int(_) | Term::Long(_) | Term::Literal(_) | Term::Static(_) => Vec::new(),
            Term::Binary(_, _, pair) | Term::Compare(pair) => pair.iter().flat_map(of).collect(),
            Term::Unary(_, one) | Term::Length(one) | Term::Field(one, _) => of(one).collect(),
        };
        roots.sort_unstable();
        roots.dedup();
        (roots.len() <= MOST_ROOTS).then(|| roots.into())
    }

    fn id(&mut self, term: Term) -> TermId {
        if let Some(known) = self.ids.get(&term) {
            return *known;
        }
        let id = TermId(u32::try_from(self.terms.len()).expect("there are fewer terms than bytes of code"));
        let roots = self.roots_of(&term).expect("it was looked at before");
        for root in &roots {
            self.with.entry(*root).or_default().push(id);
        }
        self.roots.push(roots);
        self.terms.push(term.clone());
        self.ids.insert(term, id);
        id
    }

    fn count_tests(&mut self, body: &Body) {
        self.id(Term::Null);
        self.id(Term::Int(0));
        for (_, block) in body.blocks() {
            if let java::ir::End::Branch { condition, values, .. } = &block.end
                && let Some(test) = self.test(*condition, values)
            {
                *self.repeated.entry(test.pair).or_default() += 1;
            }
        }
        self.repeated.retain(|_, count| *count > 1);
    }

    /// The test of a branch.
    pub(crate) fn test(&self, condition: Condition, values: &[Variable]) -> Option<Test> {
        let of = |place: usize| self.of[values[place].index()];
        let constant = |term: Term| self.ids.get(&term).copied();
        let (one, other, holds) = match condition {
            Condition::Zero(comparison) => match self.terms.get(of(0).0 as usize)? {
                Term::Compare([one, other]) => (*one, *other, Relation::of(comparison)),
                _ => (of(0), constant(Term::Int(0))?, Relation::of(comparison)),
            },
            Condition::Ints(comparison) => (of(0), of(1), Relation::of(comparison)),
            Condition::Same => (of(0), of(1), Relation::SAME),
            Condition::Different => (of(0), of(1), Relation::DIFFERENT),
            Condition::Null => (of(0), constant(Term::Null)?, Relation::SAME),
            Condition::NotNull => (of(0), constant(Term::Null)?, Relation::DIFFERENT),
        };
        Some(match one <= other {
            true => Test { pair: (one, other), holds },
            false => Test { pair: (other, one), holds: holds.flipped() },
        })
    }

    /// Whether a pair is tested more than once, so that its relation is worth storing.
    pub(crate) fn is_repeated(&self, pair: Pair) -> bool {
        self.repeated.contains_key(&pair)
    }

    /// The relation of two terms in every state: the same term, or two constants.
    pub(crate) fn always(&self, (one, other): Pair) -> Relation {
        match [one, other].map(|id| &self.terms[id.0 as usize]) {
            _ if one == other => Relation::SAME,
            [Term::Int(one), Term::Int(other)] => Self::compared(one.cmp(other)),
            [Term::Long(one), Term::Long(other)] => Self::compared(one.cmp(other)),
            _ => Relation::ANY,
        }
    }

    fn compared(order: std::cmp::Ordering) -> Relation {
        Relation(match order {
            std::cmp::Ordering::Less => Relation::LESS,
            std::cmp::Ordering::Equal => Relation::EQUAL,
            std::cmp::Ordering::Greater => Relation::GREATER,
        })
    }

    /// The term of a variable.
    pub(crate) fn of(&self, variable: Variable) -> TermId {
        self.of[variable.index()]
    }

    /// Whether a term is an expression that several variables are assigned.
    pub(crate) fn is_shared(&self, term: TermId) -> bool {
        let is_expression = !matches!(self.terms[term.0 as usize], Term::Variable(_));
        is_expression && self.of.iter().filter(|of| **of == term).nth(1).is_some()
    }

    /// Whether the variables of a pair are live, so that its relation may be queried.
    pub(crate) fn is_live(&self, (one, other): Pair, live: &[Variable]) -> bool {
        let all_live = |id: TermId| self.roots[id.0 as usize].iter().all(|root| live.binary_search(root).is_ok());
        all_live(one) && all_live(other)
    }

    /// Whether a term contains a variable.
    pub(crate) fn has(&self, term: TermId, variable: Variable) -> bool {
        self.roots[term.0 as usize].binary_search(&variable).is_ok()
    }
}
