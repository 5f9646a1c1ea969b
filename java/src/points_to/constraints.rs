//! Constraints: what is added to the graph for each object that a node is found to hold.
//!
//! An edge says the same of all objects; see [`graph`](super::graph).

use super::types::TypeId;
use crate::class_file::FieldId;

/// A part of an object that holds other objects.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Field {
    /// A field that the program declares.
    Declared(FieldId),
    /// What an array or an object of the library holds.
    Content,
    /// What a lambda has captured, by its place among the captured values.
    Captured(u16),
}

macro_rules! number {
    ($(#[$doc:meta])* $name:ident) => {
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub(super) struct $name(pub(super) u32);

        impl $name {
            pub(super) fn index(self) -> usize {
                self.0 as usize
            }
        }
    };
}

number!(
    /// The number of a node of the constraint graph.
    NodeId
);
number!(
    /// The number of a call.
    CallId
);
number!(
    /// The number of a call of functions by the library.
    CallbackId
);
number!(
    /// The number of an access by a handle.
    HandleAccessId
);
number!(
    /// The number of a statement that copies objects.
    CopySiteId
);

/// What is done for each object of a node.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Constraint {
    /// What its field holds flows to a node.
    Load {
        /// The field.
        field: Field,
        /// Where it flows.
        to: NodeId,
    },
    /// What its content holds, and the contents of what is found there, flows to a node.
    LoadAll(NodeId),
    /// What a node holds flows into its field.
    Store {
        /// The field.
        field: Field,
        /// From where it flows.
        from: NodeId,
    },
    /// The call runs the method that it selects for the object.
    Call(CallId),
    /// The library calls methods of the object.
    Callback(CallbackId),
    /// The object is a handle that is used.
    HandleAccess(HandleAccessId),
    /// A view of the object, of this type, flows to a node.
    View {
        /// The type of the view.
        of: TypeId,
        /// Where it flows.
        to: NodeId,
    },
    /// Its content holds a view of it.
    HoldsView(TypeId),
    /// The constants of the enum class that it is, or is an object of, flow to a node.
    Enumerates(NodeId),
    /// A copy of the object, made by this statement, flows to a node.
    Clone {
        /// The statement.
        site: CopySiteId,
        /// Where it flows.
        to: NodeId,
    },
    /// The class object of the object flows to a node.
    ClassOf(NodeId),
    /// The object escapes.
    Escapes,
}
