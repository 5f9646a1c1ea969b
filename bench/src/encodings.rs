//! Two encodings of weights on the same pushdown systems: the paper's power series, and Schwoon's relations on control
//! states (section 7).

use lockhist::symbolic::{Budget, Exhausted, Layout, Orientation, Relation, Relations, StateRelation, StateRelations};
use lockhist::{Lock, Operation};
use std::collections::HashMap;
use std::fmt::Debug;
use std::hash::Hash;
use std::sync::Arc;
use std::time::Instant;
use wpds::{Control, PostStar, Progress, Semiring, Summary, Symbol, System};

/// A weight; equal weights are equal relations.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Weight<R> {
    /// No path.
    Zero,
    /// The empty path.
    One,
    /// Paths with this relation.
    Relation(Arc<R>),
}

/// Relations as weights.
pub trait Encoding {
    /// The relations.
    type Relation: Clone + Eq + Hash + Debug;
    /// Composes two relations.
    fn compose(
        &self,
        left: &Self::Relation,
        right: &Self::Relation,
        budget: &Budget<'_>,
    ) -> Result<Self::Relation, Exhausted>;
    /// Unites two relations.
    fn union(
        &self,
        left: &Self::Relation,
        right: &Self::Relation,
        budget: &Budget<'_>,
    ) -> Result<Self::Relation, Exhausted>;
    /// Returns the relation of the empty path, in the form of `other`, so that they can be united.
    fn identity(&self, other: &Self::Relation, budget: &Budget<'_>) -> Result<Self::Relation, Exhausted>;
    /// Returns the number of nodes of a relation.
    fn size(relation: &Self::Relation) -> usize;
    /// Whether a relation is empty.
    fn is_empty(relation: &Self::Relation) -> bool;
}

/// Cached products of pairs of relations.
type Products<R> = HashMap<(Arc<R>, Arc<R>), Weight<R>>;

/// The semiring of an encoding, with a cache of compositions.
pub struct Weights<E: Encoding> {
    encoding: E,
    deadline: Instant,
    products: Products<E::Relation>,
    most_nodes: usize,
}

impl<E: Encoding> Weights<E> {
    fn over(encoding: E, deadline: Instant) -> Self {
        Self { encoding, deadline, products: HashMap::new(), most_nodes: 0 }
    }

    /// Largest number of nodes of a weight so far.
    pub fn most_nodes(&self) -> usize {
        self.most_nodes
    }

    /// The relations.
    pub fn relations(&self) -> &E {
        &self.encoding
    }

    fn within<T>(&self, operation: impl FnOnce(&E, &Budget<'_>) -> Result<T, Exhausted>) -> Result<T, Exhausted> {
        let deadline = self.deadline;
        operation(&self.encoding, &Budget::new(move || Instant::now() < deadline))
    }

    fn weight(&mut self, relation: E::Relation) -> Weight<E::Relation> {
        self.most_nodes = self.most_nodes.max(E::size(&relation));
        if E::is_empty(&relation) { Weight::Zero } else { Weight::Relation(Arc::new(relation)) }
    }
}

impl<E: Encoding> Semiring for Weights<E> {
    type Weight = Weight<E::Relation>;
    type Stop = Exhausted;

    fn zero(&self) -> Self::Weight {
        Weight::Zero
    }

    fn one(&self) -> Self::Weight {
        Weight::One
    }

    fn extend(&mut self, left: &Self::Weight, right: &Self::Weight) -> Result<Self::Weight, Exhausted> {
        match (left, right) {
            (Weight::Zero, _) | (_, Weight::Zero) => Ok(Weight::Zero),
            (Weight::One, other) | (other, Weight::One) => Ok(other.clone()),
            (Weight::Relation(first), Weight::Relation(then)) => {
                let key = (first.clone(), then.clone());
                if let Some(known) = self.products.get(&key) {
                    return Ok(known.clone());
                }
                let product = self.within(|encoding, budget| encoding.compose(first, then, budget))?;
                let product = self.weight(product);
                self.products.insert(key, product.clone());
                Ok(product)
            }
        }
    }

    fn combine_into(
        &mut self,
        into: &mut Self::Weight,
        with: &Self::Weight,
    ) -> Result<Option<Self::Weight>, Exhausted> {
        let sum = match (&*into, with) {
            (own, other) if own == other => return Ok(None),
            (own, Weight::Zero) => own.clone(),
            (Weight::Zero, other) => other.clone(),
            (Weight::Relation(own), Weight::Relation(other)) => {
                let union = self.within(|encoding, budget| encoding.union(own, other, budget))?;
                self.weight(union)
            }
            (Weight::Relation(known), Weight::One) | (Weight::One, Weight::Relation(known)) => {
                let union =
                    self.within(|encoding, budget| encoding.union(known, &encoding.identity(known, budget)?, budget))?;
                self.weight(union)
            }
            (Weight::One, Weight::One) => Weight::One,
        };
        let is_new = sum != *into;
        *into = sum;
        Ok(is_new.then(|| with.clone()))
    }
}

impl Encoding for Relations {
    type Relation = Relation;

    fn compose(&self, left: &Relation, right: &Relation, budget: &Budget<'_>) -> Result<Relation, Exhausted> {
        Relations::compose(self, left, right, budget)
    }

    fn union(&self, left: &Relation, right: &Relation, budget: &Budget<'_>) -> Result<Relation, Exhausted> {
        Relations::union(self, left, right, budget)
    }

    fn identity(&self, other: &Relation, _: &Budget<'_>) -> Result<Relation, Exhausted> {
        Ok(Relations::identity(self, other.first_phase()))
    }

    fn size(relation: &Relation) -> usize {
        relation.size()
    }

    fn is_empty(relation: &Relation) -> bool {
        relation.is_empty()
    }
}

impl Encoding for StateRelations {
    type Relation = StateRelation;

    fn compose(
        &self,
        left: &StateRelation,
        right: &StateRelation,
        budget: &Budget<'_>,
    ) -> Result<StateRelation, Exhausted> {
        StateRelations::compose(self, left, right, budget)
    }

    fn union(
        &self,
        left: &StateRelation,
        right: &StateRelation,
        budget: &Budget<'_>,
    ) -> Result<StateRelation, Exhausted> {
        StateRelations::union(self, left, right, budget)
    }

    fn identity(&self, _: &StateRelation, budget: &Budget<'_>) -> Result<StateRelation, Exhausted> {
        StateRelations::identity(self, budget)
    }

    fn size(relation: &StateRelation) -> usize {
        relation.size()
    }

    fn is_empty(relation: &StateRelation) -> bool {
        relation.is_empty()
    }
}

/// The paper's weights.
pub type Series = Weights<Relations>;

/// Schwoon's weights.
pub type Flat = Weights<StateRelations>;

impl Series {
    /// Creates the weights over the phases from 1 on of a layout.
    pub fn new(layout: Arc<Layout>, deadline: Instant) -> Self {
        Self::over(Relations::new(layout, Orientation::Straight), deadline)
    }
}

impl Flat {
    /// Creates the weights over a layout.
    pub fn new(layout: Arc<Layout>, deadline: Instant) -> Self {
        Self::over(StateRelations::new(layout), deadline)
    }
}

/// A step of a program.
#[derive(Clone, Copy, Debug)]
enum Step {
    /// A step without effect.
    Skip,
    /// An operation on a lock.
    Lock(Operation),
    /// An access, at which a phase can end.
    Access,
    /// A call of the procedure that begins here.
    Call(usize),
}

/// A program: edges between nodes, of which the first is the beginning.
#[derive(Clone, Debug, Default)]
pub struct Program {
    nodes: usize,
    edges: Vec<(usize, Step, usize)>,
    /// Nodes at which procedures return.
    returns: Vec<usize>,
}

impl Program {
    /// Returns a random program with this number of statements in three procedures, each of which may call later ones,
    /// and with nested critical sections of these locks.
    pub fn random(seed: u64, locks: usize, statements: usize) -> Self {
        let mut rng = fastrand::Rng::with_seed(seed);
        let mut program = Self::default();
        let entries: Vec<usize> = (0..3).map(|_| program.node()).collect();
        for procedure in 0..3 {
            let mut at = entries[procedure];
            let mut open: Vec<usize> = Vec::new();
            for _ in 0..statements / 3 {
                at = program.statement(&mut rng, at, &mut open, &entries[procedure + 1..], (procedure, locks));
            }
            while let Some(lock) = open.pop() {
                at = program.step(at, Step::Lock(Operation::Release(Lock::new(lock))));
            }
            program.returns.push(at);
        }
        program
    }

    fn node(&mut self) -> usize {
        self.nodes += 1;
        self.nodes - 1
    }

    fn step(&mut self, from: usize, step: Step) -> usize {
        let to = self.node();
        self.edges.push((from, step, to));
        to
    }

    /// Adds a statement. Each procedure has every third lock for itself, so that locks nest across calls.
    fn statement(
        &mut self,
        rng: &mut fastrand::Rng,
        at: usize,
        open: &mut Vec<usize>,
        callees: &[usize],
        (procedure, locks): (usize, usize),
    ) -> usize {
        let own: Vec<usize> = (0..locks).filter(|lock| lock % 3 == procedure && !open.contains(lock)).collect();
        match rng.u32(0..8) {
            0 | 1 if !own.is_empty() => {
                let lock = own[rng.usize(..own.len())];
                open.push(lock);
                self.step(at, Step::Lock(Operation::Acquire(Lock::new(lock))))
            }
            2 | 3 if !open.is_empty() => {
                let lock = open.pop().expect("one is open");
                self.step(at, Step::Lock(Operation::Release(Lock::new(lock))))
            }
            4 if !callees.is_empty() => self.step(at, Step::Call(callees[rng.usize(..callees.len())])),
            5 => {
                // The statement may be skipped.
                let to = self.step(at, Step::Access);
                self.edges.push((at, Step::Skip, to));
                to
            }
            6 => {
                // The statement may be repeated.
                let to = self.step(at, Step::Access);
                self.edges.push((to, Step::Skip, at));
                to
            }
            _ => self.step(at, Step::Access),
        }
    }

    /// Returns the product of the program with phases as control states.
    ///
    /// # Errors
    /// If time is up.
    pub fn in_phases(&self, weights: &mut Series, phases: usize) -> Result<System<Weight<Relation>>, Exhausted> {
        let mut system = System::builder();
        for phase in 0..phases {
            let here = Control::new(phase as u32);
            let boundary = weights.within(|relations, budget| match phase + 1 < phases {
                true => relations.boundary(phase + 1, budget).map(Some),
                false => Ok(None),
            })?;
            for (from, step, to) in &self.edges {
                let (from, to) = (Symbol::new(*from as u32), Symbol::new(*to as u32));
                match step {
                    Step::Skip => system.step(here, from, here, to, Weight::One),
                    Step::Lock(operation) => {
                        let relation = weights.encoding.operation(phase + 1, *operation);
                        system.step(here, from, here, to, weights.weight(relation));
                    }
                    Step::Access => {
                        system.step(here, from, here, to, Weight::One);
                        if let Some(boundary) = &boundary {
                            let next = Control::new(phase as u32 + 1);
                            system.step(here, from, next, to, weights.weight(boundary.clone()));
                        }
                    }
                    Step::Call(entry) => {
                        system.push(here, from, here, Symbol::new(*entry as u32), to, Weight::One);
                    }
                }
            }
            for end in &self.returns[1..] {
                system.pop(here, Symbol::new(*end as u32), here, Weight::One);
            }
        }
        Ok(system.build())
    }

    /// Returns the program with phases in its weights.
    ///
    /// # Errors
    /// If time is up.
    pub fn in_one_state(&self, weights: &mut Flat) -> Result<System<Weight<StateRelation>>, Exhausted> {
        let mut system = System::builder();
        let here = Control::new(0);
        let boundary = weights.within(StateRelations::boundary)?;
        for (from, step, to) in &self.edges {
            let (from, to) = (Symbol::new(*from as u32), Symbol::new(*to as u32));
            match step {
                Step::Skip => system.step(here, from, here, to, Weight::One),
                Step::Lock(operation) => {
                    let relation = weights.within(|relations, budget| relations.operation(*operation, budget))?;
                    system.step(here, from, here, to, weights.weight(relation));
                }
                Step::Access => {
                    system.step(here, from, here, to, Weight::One);
                    system.step(here, from, here, to, weights.weight(boundary.clone()));
                }
                Step::Call(entry) => {
                    system.push(here, from, here, Symbol::new(*entry as u32), to, Weight::One);
                }
            }
        }
        for end in &self.returns[1..] {
            system.pop(here, Symbol::new(*end as u32), here, Weight::One);
        }
        Ok(system.build())
    }
}

/// Returns the sum of all paths from the beginning that end in a control state; none if time is up.
pub fn sum<E: Encoding>(
    weights: &mut Weights<E>,
    system: System<Weight<E::Relation>>,
    control: usize,
) -> Option<Option<E::Relation>> {
    let mut post = PostStar::new(weights, system);
    post.start(weights, Control::new(0), Symbol::new(0)).ok()?;
    while post.advance(weights, 1000).ok()? != Progress::Saturated {}
    let summary = Summary::of(weights, post.saturated()?, &mut || Ok(())).ok()?;
    match summary.total(weights, &post, Control::new(control as u32)).ok()? {
        Weight::Relation(relation) => Some(Some(relation.as_ref().clone())),
        Weight::Zero | Weight::One => Some(None),
    }
}
