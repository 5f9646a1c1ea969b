//! Pushdown systems: rules by head, given beforehand or made when a head is first reached.

use crate::heads::Heads;
use crate::index::{Control, Head, RuleId, State, Symbol};

/// What a rule does, with its symbols spelled out.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Rule {
    /// `<p, g> -> <control, >`
    Pop {
        /// The new control state.
        control: Control,
    },
    /// `<p, g> -> <control, symbol>`
    Step {
        /// The new control state.
        control: Control,
        /// The new topmost symbol.
        symbol: Symbol,
    },
    /// `<p, g> -> <control, symbol below>`
    Push {
        /// The new control state.
        control: Control,
        /// The new topmost symbol.
        symbol: Symbol,
        /// The symbol under it.
        below: Symbol,
    },
}

/// The right-hand side of a rule, ready for saturation: two words.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Right {
    /// To a head that reads nothing.
    Pop(Head),
    Step(Head),
    /// The upper head, and the head of the lower symbol under the state in the middle.
    Push(Head, Head),
}

/// When a forward saturation processes a head.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct Rank {
    /// Lower numbers first.
    pub number: u64,
    /// Whether the head is on a circle of heads with this number.
    pub is_circular: bool,
}

/// Makes the rules of a head when it is first reached. A system whose rules are all known needs none: [`Loaded`].
pub trait Rules<W> {
    /// Puts every rule whose left-hand side is `<control, symbol>` into the sink. Called once for each reached head.
    fn rules(&mut self, control: Control, symbol: Symbol, sink: &mut RuleSink<'_, W>);

    /// How many control states and symbols there are, numbered from 0, if that is known. Heads are then found faster;
    /// what is kept for that grows with the heads.
    fn size(&self) -> Option<(usize, usize)> {
        None
    }

    /// Whether [`rank`](Self::rank) tells heads apart.
    const IS_RANKED: bool = false;

    /// When a forward saturation processes `<control, symbol>`, or the empty stack, in runs that began at the symbol
    /// `entry`, to which a push led, or at a start: lower ranks first.
    ///
    /// Also whether the head is on a circle of heads of this rank: there weights are processed stage by stage
    /// ([`Semiring::stage`](crate::Semiring::stage)).
    ///
    /// The sums are the same with any ranks. A head should have a greater rank than those that lead to it, and the
    /// return site of a push a greater one than what is pushed on it; heads that lead to each other in a circle should
    /// have equal ranks.
    fn rank(&self, _control: Control, _symbol: Option<Symbol>, _entry: Option<Symbol>) -> Rank {
        Rank::default()
    }
}

/// The rules were all given beforehand.
#[derive(Clone, Copy, Debug, Default)]
pub struct Loaded;

impl<W> Rules<W> for Loaded {
    fn rules(&mut self, _: Control, _: Symbol, _: &mut RuleSink<'_, W>) {}
}

/// The rules of one head; `W` are weights, `R` makes the rules of heads that are reached for the first time.
///
/// Invariant: once a head is expanded its rules are the slice `ranges[head]` of `rules` and never change.
#[derive(Clone, Debug)]
pub struct System<W, R = Loaded> {
    pub(crate) heads: Heads,
    rules: Vec<(Right, W)>,
    /// Per rule, its left-hand side.
    lefts: Vec<Head>,
    /// Per head, the first of its rules and the end; `UNKNOWN` where it has not been expanded.
    ranges: Vec<(u32, u32)>,
    source: R,
}

const UNKNOWN: (u32, u32) = (u32::MAX, u32::MAX);

impl<W: Clone> System<W> {
    /// A builder for systems whose rules are all known.
    pub fn builder() -> Builder<W> {
        Builder { heads: Heads::default(), lefts: Vec::new(), rights: Vec::new() }
    }
}

impl<W: Clone, R: Rules<W>> System<W, R> {
    /// A system whose rules are made by `source` when they are needed.
    pub fn lazy(source: R) -> Self {
        let heads =
            source.size().map_or_else(Heads::default, |(controls, symbols)| Heads::with_size(controls, symbols));
        Self { heads, rules: Vec::new(), lefts: Vec::new(), ranges: Vec::new(), source }
    }

    /// The rank of a transition of a forward saturation. That from a state in the middle is the rank of where its
    /// callees return to.
    pub(crate) fn rank(&self, head: Head, target: State) -> Rank {
        if !R::IS_RANKED {
            return Rank::default();
        }
        let entry_of = |state: State| {
            let (state, symbol) = self.heads.pair(state.as_middle()?);
            state.as_control().map(|control| (control, symbol))
        };
        let (source, symbol) = self.heads.pair(head);
        let control = source.as_control().or_else(|| entry_of(source).map(|(control, _)| control));
        let Some(control) = control else { return Rank::default() };
        let symbol = (symbol != Symbol::EPSILON).then_some(symbol);
        self.source.rank(control, symbol, entry_of(target).map(|(_, entry)| entry))
    }

    /// How many rules there are (of a lazy system: have been made).
    pub fn rule_count(&self) -> usize {
        self.rules.len()
    }

    /// What makes the rules.
    pub fn source(&self) -> &R {
        &self.source
    }

    /// The left-hand side of a rule.
    pub fn left(&self, rule: RuleId) -> (Control, Symbol) {
        let (state, symbol) = self.heads.pair(self.lefts[rule.index()]);
        (state.as_control().expect("rules leave control states"), symbol)
    }

    /// The right-hand side of a rule.
    pub fn rule(&self, rule: RuleId) -> Rule {
        let symbol_of = |head| self.heads.pair(head).1;
        let control_of = |head| self.heads.pair(head).0.as_control().expect("rules lead to control states");
        match self.rules[rule.index()].0 {
            Right::Pop(to) => Rule::Pop { control: control_of(to) },
            Right::Step(to) => Rule::Step { control: control_of(to), symbol: symbol_of(to) },
            Right::Push(to, below) => {
                Rule::Push { control: control_of(to), symbol: symbol_of(to), below: symbol_of(below) }
            }
        }
    }

    /// The rules of a head, in the order in which they were given; none if the head was not expanded.
    pub fn rules_of(&self, control: Control, symbol: Symbol) -> impl Iterator<Item = RuleId> + use<W, R> {
        let head = self.heads.find(State::control(control), symbol);
        let range = head.and_then(|head| self.ranges.get(head.index()));
        let (first, end) = range.copied().unwrap_or((0, 0));
        (first..end).map(RuleId::new)
    }

    /// All rules.
    pub(crate) fn rule_ids(&self) -> impl Iterator<Item = RuleId> + use<W, R> {
        (0..self.rules.len() as u32).map(RuleId::new)
    }

    pub(crate) fn left_head(&self, rule: RuleId) -> Head {
        self.lefts[rule.index()]
    }

    pub(crate) fn right(&self, rule: RuleId) -> Right {
        self.rules[rule.index()].0
    }

    /// The weight of a rule.
    pub fn weight(&self, rule: RuleId) -> &W {
        &self.rules[rule.index()].1
    }

    /// The rules of a head, which are made now if they were not yet.
    pub(crate) fn expand(&mut self, head: Head) -> impl Iterator<Item = RuleId> + use<W, R> {
        if self.ranges.len() < self.heads.len() {
            self.ranges.resize(self.heads.len(), UNKNOWN);
        }
        if self.ranges[head.index()] == UNKNOWN {
            let first = self.rules.len() as u32;
            let (state, symbol) = self.heads.pair(head);
            if let (Some(control), true) = (state.as_control(), symbol != Symbol::EPSILON) {
                let mut sink = RuleSink { heads: &mut self.heads, rules: &mut self.rules };
                self.source.rules(control, symbol, &mut sink);
            }
            let end = u32::try_from(self.rules.len()).expect("fewer than 2^32 rules");
            self.lefts.resize(self.rules.len(), head);
            self.ranges[head.index()] = (first, end);
        }
        let (first, end) = self.ranges[head.index()];
        (first..end).map(RuleId::new)
    }
}

/// Takes the rules of one head.
#[derive(Debug)]
pub struct RuleSink<'a, W> {
    heads: &'a mut Heads,
    rules: &'a mut Vec<(Right, W)>,
}

impl<W> RuleSink<'_, W> {
    /// To control state `to`, without the symbol.
    pub fn pop(&mut self, to: Control, weight: W) {
        self.rules.push((Right::Pop(self.heads.intern(State::control(to), Symbol::EPSILON)), weight));
    }

    /// To control state `to`, with `symbol` in place of the old one.
    pub fn step(&mut self, to: Control, symbol: Symbol, weight: W) {
        self.rules.push((Right::Step(self.heads.intern(State::control(to), symbol)), weight));
    }

    /// To control state `to`, with `symbol` on top of `below` in place of the old one.
    pub fn push(&mut self, to: Control, symbol: Symbol, below: Symbol, weight: W) {
        let upper = self.heads.intern(State::control(to), symbol);
        let lower = self.heads.intern(State::middle(upper), below);
        self.rules.push((Right::Push(upper, lower), weight));
    }
}

/// Collects the rules of a system in any order.
#[derive(Clone, Debug)]
pub struct Builder<W> {
    heads: Heads,
    lefts: Vec<Head>,
    rights: Vec<(Right, W)>,
}

impl<W: Clone> Builder<W> {
    /// The sink for one rule with this left-hand side.
    fn rule(&mut self, control: Control, symbol: Symbol) -> RuleSink<'_, W> {
        self.lefts.push(self.heads.intern(State::control(control), symbol));
        RuleSink { heads: &mut self.heads, rules: &mut self.rights }
    }

    /// `<control, symbol> -> <to, >`
    pub fn pop(&mut self, control: Control, symbol: Symbol, to: Control, weight: W) {
        self.rule(control, symbol).pop(to, weight);
    }

    /// `<control, symbol> -> <to, by>`
    pub fn step(&mut self, control: Control, symbol: Symbol, to: Control, by: Symbol, weight: W) {
        self.rule(control, symbol).step(to, by, weight);
    }

    /// `<control, symbol> -> <to, by below>`
    pub fn push(&mut self, control: Control, symbol: Symbol, to: Control, by: Symbol, below: Symbol, weight: W) {
        self.rule(control, symbol).push(to, by, below, weight);
    }

    /// The system. Rules are numbered by the first use of their head, then in the order in which they came. Linear.
    pub fn build(self) -> System<W> {
        let Self { heads, lefts, rights } = self;
        let mut ranges = vec![(0, 0); heads.len()];
        for head in &lefts {
            ranges[head.index()].1 += 1;
        }
        let mut next = 0;
        for range in &mut ranges {
            let count = range.1;
            *range = (next, next);
            next += count;
        }
        let mut order = vec![0; lefts.len()];
        for (position, head) in lefts.iter().enumerate() {
            let end = &mut ranges[head.index()].1;
            order[*end as usize] = position;
            *end += 1;
        }
        let rules = order.iter().map(|&position| rights[position].clone()).collect();
        let lefts = order.iter().map(|&position| lefts[position]).collect();
        System { heads, rules, lefts, ranges, source: Loaded }
    }
}
