//! Method contexts: a method with abstract arguments, its states, and its exits.
//!
//! A method is interpreted once for each combination of abstract arguments. A state belongs to a *point*: a statement
//! of a block, or the block's end. The steps from one state to its successors form a [`StepTree`]: inner branches carry
//! steps, in order, and the last branch of each path names a successor.
//!
//! **Invariant.** For every execution of the method whose arguments agree with the context, there is a path through the
//! trees of its states with the same accesses to followed locations in the same order; at each access it holds only
//! locks that the execution holds.

use super::lock_effects::LockEffect;
use super::state::State;
use crate::facts::method::Method;
use crate::graph::{Exit, Step};
use crate::value::{Lock, Value};
use java::MethodId;
use rustc_hash::{FxHashMap, FxHashSet};
use std::collections::BTreeSet;
use std::rc::Rc;

pub(crate) use crate::facts::method::Point;
pub(crate) use crate::graph::ContextId;

/// The number of a state in its context.
pub(crate) type StateIndex = usize;

/// Steps of a branch.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Steps {
    /// Exactly this step.
    One(Step),
    /// Any of these steps, any number of times.
    Repeated(Vec<Step>),
    /// At most one of these steps.
    Optional(Vec<Step>),
}

/// The successor of a path.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Successor {
    /// Another state of the context.
    State(StateIndex),
    /// The method's exit, with the index of the lock effect.
    Exit(usize, Exit),
}

/// A node of a step tree.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Branch {
    /// The preceding branch; none at the state.
    pub(crate) after: Option<usize>,
    pub(crate) steps: Option<Steps>,
    pub(crate) line: u32,
    /// The point in the method.
    pub(crate) at: Point,
    pub(crate) successor: Option<Successor>,
}

/// The steps from a state to its successors.
pub(crate) type StepTree = Vec<Branch>;

/// A method with abstract arguments.
pub(crate) struct Context {
    pub(crate) method: MethodId,
    pub(crate) arguments: Vec<Value>,
    /// The code of the method.
    pub(crate) code: Rc<Method>,
    pub(crate) states: Vec<(Point, Rc<State>)>,
    pub(crate) numbers: FxHashMap<(Point, Rc<State>), StateIndex>,
    pub(crate) trees: Vec<StepTree>,
    /// The states of other contexts that call this one.
    pub(crate) callers: FxHashSet<(ContextId, StateIndex)>,
    /// The lock effects with which control leaves; the first is empty.
    pub(crate) effects: Vec<LockEffect>,
    /// The exits: the index of the lock effect and the result; no result if the method throws.
    pub(crate) exits: BTreeSet<(usize, Option<Value>)>,
    /// The lock of a synchronized method.
    pub(crate) own_lock: Option<Lock>,
    /// Whether it accesses the subject depending on data read from it; program mode.
    pub(crate) is_dependent: bool,
    /// The contexts that it calls depending on data read from the subject; program mode.
    pub(crate) dependent_calls: BTreeSet<ContextId>,
}

impl Context {
    pub(crate) fn new(method: MethodId, arguments: Vec<Value>, code: Rc<Method>, own_lock: Option<Lock>) -> Self {
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
