//! Method contexts: a method with the values of its arguments, its states, and how control comes out of it.
//!
//! A method is interpreted once for each combination of values of its arguments. A state stands at a *point*: a
//! statement of a block, or the block's end. What happens from one state to the next ones is a [`StepTree`]: its twigs are
//! what is done, one after the other, and its leaves are where control goes.
//!
//! **Invariant.** For every execution of the method whose arguments agree with the context, there is a path through the
//! trees of its states with the same accesses to followed locations in the same order, that holds at each access only
//! locks that the execution holds.

use super::super::graph::{Exit, Step};
use super::locks::LockEffect;
use super::method::Method;
use super::state::State;
use crate::value::{Lock, Value};
use java::MethodId;
use java::ir::BlockId;
use rustc_hash::{FxHashMap, FxHashSet};
use std::collections::BTreeSet;
use std::rc::Rc;

pub(crate) use super::super::graph::ContextId;

/// A statement by its place in its block; behind the last one, the block's end.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct Point {
    pub(crate) block: BlockId,
    pub(crate) index: u32,
}

/// The number of a state in its context.
pub(super) type StateIndex = usize;

/// What is done.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Steps {
    /// This.
    One(Step),
    /// Any of these, any number of times.
    Repeated(Vec<Step>),
    /// One of these, or none.
    Optional(Vec<Step>),
}

/// Where control goes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum Successor {
    /// To a state.
    State(StateIndex),
    /// Out of the method, by this lock effect and exit.
    Exit(usize, Exit),
}

/// A part of what happens from a state on.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Branch {
    /// The twig before it; none at the state.
    pub(super) after: Option<usize>,
    pub(super) steps: Option<Steps>,
    pub(super) line: u32,
    /// Where in the method.
    pub(super) at: Point,
    pub(super) successor: Option<Successor>,
}

/// What happens from a state on, until the next ones.
pub(super) type StepTree = Vec<Branch>;

/// A method with the values of its arguments.
pub(super) struct Context {
    pub(super) method: MethodId,
    pub(super) arguments: Vec<Value>,
    /// Its code; none if it is damaged, so that it cannot be followed.
    pub(super) code: Rc<Method>,
    pub(super) states: Vec<(Point, Rc<State>)>,
    pub(super) numbers: FxHashMap<(Point, Rc<State>), StateIndex>,
    pub(super) trees: Vec<StepTree>,
    /// The states that call it.
    pub(super) callers: FxHashSet<(ContextId, StateIndex)>,
    /// What it does to locks when control leaves it; the first one is nothing.
    pub(super) effects: Vec<LockEffect>,
    /// By which effect and with what it leaves; without a value if it throws.
    pub(super) exits: BTreeSet<(usize, Option<Value>)>,
    /// What it locks as a synchronized method.
    pub(super) own_lock: Option<Lock>,
    /// Whether it does something to the subject that depends on what it found there; program mode.
    pub(super) is_dependent: bool,
    /// Contexts that it calls, depending on what it found; program mode.
    pub(super) dependent_calls: BTreeSet<ContextId>,
}

impl Context {
    pub(super) fn new(method: MethodId, arguments: Vec<Value>, code: Rc<Method>, own_lock: Option<Lock>) -> Self {
        Self {
            method,
            arguments,
            code,
            states: Vec::new(),
            numbers: FxHashMap::default(),
            trees: Vec::new(),
            callers: FxHashSet::default(),
            effects: vec![LockEffect::default()],
            exits: BTreeSet::new(),
            own_lock,
            is_dependent: false,
            dependent_calls: BTreeSet::new(),
        }
    }
}
