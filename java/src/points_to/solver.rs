//! The constraint graph and its least solution.
//!
//! A node has a set of objects and *watchers*: what is done for each object that reaches it. Copies carry objects to other nodes, through a type if they are filtered.
//! Differences are propagated: each object is handled once at each node. The time is that of the edges times the objects that pass them.

use super::objects::{Field, LibraryClass, ObjectId};
use crate::descriptor::Type;
use fixedbitset::FixedBitSet;
use rustc_hash::FxHashSet;
use std::collections::VecDeque;

/// The number of a node.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) struct Node(pub(super) u32);

/// What is done for each object that reaches a node.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum Watcher {
    /// It reaches this node, too.
    Copy(Node),
    /// It reaches this node if it may be of this type, narrowed to it.
    Filter(Type, Node),
    /// What its field holds reaches this node.
    Load(Field, Node),
    /// Its field holds what is in this node.
    Store(Field, Node),
    /// A view of it, of this class, reaches this node.
    View(Option<LibraryClass>, Node),
    /// The call of this number is made on it.
    Call(u32),
    /// The function call of this number is made on it.
    Function(u32),
    /// If it is an object of the library, its content reaches this node, too: the closure over contents.
    Contents(Node),
    /// It escapes.
    Escapes,
}

/// A set of objects: sorted while it is small.
#[derive(Clone, Debug)]
enum Set {
    Few(Vec<u32>),
    Many(FixedBitSet),
}

/// So many objects are kept sorted.
const FEW: usize = 32;

impl Set {
    fn insert(&mut self, object: u32) -> bool {
        match self {
            Self::Few(few) => {
                let Err(place) = few.binary_search(&object) else { return false };
                few.insert(place, object);
                if few.len() > FEW {
                    let mut many = FixedBitSet::with_capacity(few[few.len() - 1] as usize + 1);
                    few.iter().for_each(|object| many.insert(*object as usize));
                    *self = Self::Many(many);
                }
                true
            }
            Self::Many(many) => {
                many.grow(object as usize + 1);
                !many.put(object as usize)
            }
        }
    }

    fn all(&self) -> Vec<ObjectId> {
        match self {
            Self::Few(few) => few.iter().copied().map(ObjectId).collect(),
            Self::Many(many) => {
                many.ones().map(|object| ObjectId(u32::try_from(object).expect("it was a number"))).collect()
            }
        }
    }
}

/// The nodes with what they hold.
#[derive(Debug, Default)]
pub(super) struct Graph {
    sets: Vec<Set>,
    /// Objects that have not been handled yet.
    fresh: Vec<Vec<ObjectId>>,
    watchers: Vec<Vec<Watcher>>,
    known: FxHashSet<(Node, Watcher)>,
    open: VecDeque<Node>,
}

impl Graph {
    /// A new node.
    pub(super) fn node(&mut self) -> Node {
        self.nodes(1)
    }

    /// So many nodes in a row: the first one.
    pub(super) fn nodes(&mut self, count: usize) -> Node {
        let first = Node(u32::try_from(self.sets.len()).expect("there are fewer variables than bytes of code"));
        let all = self.sets.len() + count;
        self.sets.resize_with(all, || Set::Few(Vec::new()));
        self.fresh.resize_with(all, Vec::new);
        self.watchers.resize_with(all, Vec::new);
        first
    }

    /// An object reaches a node.
    pub(super) fn put(&mut self, node: Node, object: ObjectId) {
        if self.sets[node.0 as usize].insert(object.0) {
            let fresh = &mut self.fresh[node.0 as usize];
            if fresh.is_empty() {
                self.open.push_back(node);
            }
            fresh.push(object);
        }
    }

    /// A watcher for a node; what is there already is given back, as it has to be handled for it.
    pub(super) fn watch(&mut self, node: Node, watcher: Watcher) -> Vec<ObjectId> {
        if watcher == Watcher::Copy(node) || !self.known.insert((node, watcher)) {
            return Vec::new();
        }
        self.watchers[node.0 as usize].push(watcher);
        let fresh: FxHashSet<ObjectId> = self.fresh[node.0 as usize].iter().copied().collect();
        let mut known = self.sets[node.0 as usize].all();
        known.retain(|object| !fresh.contains(object));
        known
    }

    /// The next node with objects that have not been handled, these, and its watchers.
    pub(super) fn next(&mut self) -> Option<(Vec<ObjectId>, Vec<Watcher>)> {
        let node = self.open.pop_front()?;
        let fresh = std::mem::take(&mut self.fresh[node.0 as usize]);
        Some((fresh, self.watchers[node.0 as usize].clone()))
    }

    /// What a node holds, sorted.
    pub(super) fn objects(&self, node: Node) -> Vec<ObjectId> {
        self.sets[node.0 as usize].all()
    }

    pub(super) fn len(&self) -> usize {
        self.sets.len()
    }

    pub(super) fn edges(&self) -> usize {
        self.known.len()
    }
}
