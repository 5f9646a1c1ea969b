//! The shapes of operand stacks: the kind of each value, with the return addresses of subroutines.
//!
//! Shapes are hash-consed lists, as in [`Stacks`](crate::Stacks): a shape is a slot on top of another shape, and equal
//! shapes have equal indices. The space is linear in the number of pushed values.

use super::graph::number;
use crate::bytecode::InstructionIndex;
use crate::class_file::Kind;
use rustc_hash::FxHashMap;
use std::collections::hash_map::Entry;

/// The index of a shape.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) struct Shape(u32);

impl Shape {
    /// The empty stack.
    pub(super) const EMPTY: Self = Self(0);
}

/// An entry of a stack.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum Slot {
    /// A value.
    Value(Kind),
    /// The address after a `jsr`.
    Return(InstructionIndex),
}

impl Slot {
    /// The kind of the entry. A return address counts as a reference.
    pub(super) fn kind(self) -> Kind {
        match self {
            Self::Value(kind) => kind,
            Self::Return(_) => Kind::Reference,
        }
    }
}

#[derive(Clone, Copy, Debug)]
struct Node {
    top: Slot,
    below: Shape,
    height: u32,
    has_return: bool,
}

/// All shapes of a method.
#[derive(Debug, Default)]
pub(super) struct Shapes {
    nodes: Vec<Node>,
    known: FxHashMap<(Slot, Shape), Shape>,
}

impl Shapes {
    fn node(&self, shape: Shape) -> Option<&Node> {
        (shape.0 as usize).checked_sub(1).map(|index| &self.nodes[index])
    }

    /// The shape with one more entry on top.
    pub(super) fn push(&mut self, top: Slot, below: Shape) -> Shape {
        let height = number(self.height(below) + 1);
        let has_return = matches!(top, Slot::Return(_)) || self.has_return(below);
        match self.known.entry((top, below)) {
            Entry::Occupied(known) => *known.get(),
            Entry::Vacant(vacant) => {
                self.nodes.push(Node { top, below, height, has_return });
                *vacant.insert(Shape(number(self.nodes.len())))
            }
        }
    }

    /// The top entry and the shape below.
    pub(super) fn top(&self, shape: Shape) -> Option<(Slot, Shape)> {
        self.node(shape).map(|node| (node.top, node.below))
    }

    /// The entries from the top down.
    pub(super) fn slots(&self, shape: Shape) -> impl Iterator<Item = Slot> {
        let mut rest = shape;
        std::iter::from_fn(move || {
            let (top, below) = self.top(rest)?;
            rest = below;
            Some(top)
        })
    }

    /// The number of entries.
    pub(super) fn height(&self, shape: Shape) -> usize {
        self.node(shape).map_or(0, |node| node.height as usize)
    }

    /// Whether an entry is a return address.
    pub(super) fn has_return(&self, shape: Shape) -> bool {
        self.node(shape).is_some_and(|node| node.has_return)
    }
}
