//! A process as a pushdown system whose control states are the sets of locks that it holds.
//!
//! So configurations say which locks are held, as the algorithm needs for its sets. Only the pairs of a node and a lock
//! set that some run reaches are included. They are found by a search in which every call returns, with the locks with
//! which it was made: a call that gives up a lock of its caller in order to wait takes it again before it returns.

use super::segments::SegmentSets;
use crate::encode::{Allowed, Executed, FlowNode, Instants, Label, LocalAction, ReducedProcess};
use indexmap::IndexSet;
use limits::{Meter, StopReason};
use lockhist::{LockSet, Operation, Segment};
use rustc_hash::{FxBuildHasher, FxHashMap};
use wpds::{Control, Symbol, System};

/// A control state: the number of a set of locks that the process can hold.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) struct ControlState(u32);

impl ControlState {
    pub(super) fn control(self) -> Control {
        Control::new(self.0)
    }

    pub(super) fn of_control(control: Control) -> Self {
        Self(control.index() as u32)
    }
}

/// A configuration: the locks held and the stack, whose topmost node is last.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Configuration {
    pub(super) held: ControlState,
    pub(super) stack: Vec<FlowNode>,
}

/// One move from a node.
#[derive(Clone, Copy, Debug)]
pub(super) struct Move {
    pub(super) executed: Executed,
    pub(super) label: Label,
    /// The locks held after the move.
    pub(super) held: ControlState,
    /// The node after the move; `None` for a return.
    pub(super) target: Option<FlowNode>,
}

/// A process with the lock sets that it can hold at each node.
#[derive(Debug)]
pub(super) struct LockingProcess {
    reduced: ReducedProcess,
    held: IndexSet<LockSet, FxBuildHasher>,
    /// The reachable heads.
    heads: Vec<(ControlState, FlowNode)>,
    /// The nodes of these heads, by control state.
    nodes: Vec<Vec<FlowNode>>,
    /// The moves from each head.
    moves: FxHashMap<(ControlState, FlowNode), Vec<Move>>,
}

impl LockingProcess {
    /// Explores the heads of a process. Linear in the size of the process times the number of lock sets that it can
    /// hold, which is exponential in the number of locks at worst.
    ///
    /// # Errors
    /// If a limit is reached.
    pub(super) fn new(reduced: ReducedProcess, meter: &Meter) -> Result<Self, StopReason> {
        let mut process = Self {
            reduced,
            held: IndexSet::default(),
            heads: Vec::new(),
            nodes: Vec::new(),
            moves: FxHashMap::default(),
        };
        let nothing = process.intern(LockSet::EMPTY);
        let entry = process.reduced.graph().entry();
        let mut waiting = vec![(nothing, entry)];
        while let Some((held, node)) = waiting.pop() {
            if process.moves.contains_key(&(held, node)) {
                continue;
            }
            let moves = process.find_moves(held, node);
            meter.work_of(1 + moves.len())?;
            for found in &moves {
                waiting.extend(found.target.map(|target| (found.held, target)));
                if let Label::Call(entry) = found.label {
                    waiting.push((held, entry));
                }
            }
            process.moves.insert((held, node), moves);
            process.heads.push((held, node));
        }
        process.nodes = vec![Vec::new(); process.held.len()];
        for (held, node) in &process.heads {
            process.nodes[held.0 as usize].push(*node);
        }
        Ok(process)
    }

    fn intern(&mut self, locks: LockSet) -> ControlState {
        ControlState(self.held.insert_full(locks).0 as u32)
    }

    /// Returns the moves at a node with these locks held, without regard to phases.
    fn find_moves(&mut self, held: ControlState, node: FlowNode) -> Vec<Move> {
        let graph = self.reduced.graph().clone();
        let mut moves = Vec::new();
        for (id, edge) in graph.edge_ids(node).zip(graph.edges(node)) {
            let locks = self.locks(held);
            let after = match edge.label {
                Label::Lock(Operation::Acquire(lock)) => locks | LockSet::of(lock),
                Label::Lock(Operation::Release(lock)) => locks - LockSet::of(lock),
                _ => locks,
            };
            let (executed, label) = (Executed::Edge(id), edge.label);
            moves.push(Move { executed, label, held: self.intern(after), target: Some(edge.target) });
        }
        if graph.returns(node) {
            moves.push(Move { executed: Executed::Return, label: Label::Return, held, target: None });
        }
        moves
    }

    fn instants(&self) -> &Instants {
        self.reduced.original().instants()
    }

    pub(super) fn reduced(&self) -> &ReducedProcess {
        &self.reduced
    }

    /// Returns the locks of a control state.
    pub(super) fn locks(&self, held: ControlState) -> LockSet {
        *self.held.get_index(held.0 as usize).expect("every control state is a set of locks")
    }

    /// Returns all control states.
    pub(super) fn all_held(&self) -> impl Iterator<Item = ControlState> + use<> {
        (0..self.held.len() as u32).map(ControlState)
    }

    /// Returns the nodes at which the process can be with these locks held.
    pub(super) fn nodes(&self, held: ControlState) -> &[FlowNode] {
        &self.nodes[held.0 as usize]
    }

    /// Returns the nodes after calls that return.
    pub(super) fn returns_of_calls(&self) -> Vec<FlowNode> {
        let calls = self.moves.values().flatten().filter(|found| matches!(found.label, Label::Call(_)));
        let mut nodes: Vec<_> = calls.filter_map(|found| found.target).collect();
        nodes.sort_unstable();
        nodes.dedup();
        nodes
    }

    /// Returns the initial configuration.
    pub(super) fn initial(&self) -> Configuration {
        Configuration { held: ControlState(0), stack: vec![self.reduced.graph().entry()] }
    }

    /// Returns the moves from a head that a phase allows.
    pub(super) fn allowed_moves<'a>(
        &'a self,
        allowed: &'a Allowed,
        head: (ControlState, FlowNode),
    ) -> impl Iterator<Item = &'a Move> {
        self.moves.get(&head).into_iter().flatten().filter(|found| allowed.allows_label(&found.label, self.instants()))
    }

    /// Returns the moves from a head that end a phase by an action.
    pub(super) fn own_moves<'a>(
        &'a self,
        action: &'a LocalAction,
        head: (ControlState, FlowNode),
    ) -> impl Iterator<Item = &'a Move> {
        self.moves.get(&head).into_iter().flatten().filter(|found| action.is_done_by(&found.label, self.instants()))
    }

    /// Returns the pushdown system of a phase. The rules of a head are its allowed moves, in order.
    ///
    /// # Errors
    /// If a limit is reached.
    pub(super) fn system(
        &self,
        allowed: &Allowed,
        sets: &mut SegmentSets,
        meter: &Meter,
    ) -> Result<System<super::Weight>, StopReason> {
        let mut builder = System::builder();
        for head in &self.heads {
            let (control, symbol) = (head.0.control(), symbol(head.1));
            for found in self.allowed_moves(allowed, *head) {
                meter.work_of(1)?;
                let to = found.held.control();
                let weight = match found.label {
                    Label::Lock(operation) => sets.singleton(Segment::of(operation)),
                    _ => sets.singleton(Segment::empty()),
                };
                match (found.label, found.target) {
                    (_, None) => builder.pop(control, symbol, to, weight),
                    (Label::Call(entry), Some(target)) => {
                        builder.push(control, symbol, to, self::symbol(entry), self::symbol(target), weight);
                    }
                    (_, Some(target)) => builder.step(control, symbol, to, self::symbol(target), weight),
                }
            }
        }
        Ok(builder.build())
    }

    /// Applies a move to a configuration that has its head.
    pub(super) fn apply(found: &Move, at: &mut Configuration) {
        at.stack.pop();
        at.held = found.held;
        at.stack.extend(found.target);
        if let Label::Call(entry) = found.label {
            at.stack.push(entry);
        }
    }
}

/// Returns the stack symbol of a node.
pub(super) fn symbol(node: FlowNode) -> Symbol {
    Symbol::new(node.index() as u32)
}

/// Returns the node of a stack symbol.
pub(super) fn node(symbol: Symbol) -> FlowNode {
    FlowNode::new(symbol.index())
}
