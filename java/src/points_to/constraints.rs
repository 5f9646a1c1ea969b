//! Constraints: rules that apply to each object in the set of a node.
//!
//! An edge is the constraint whose effect does not depend on the object; see [`graph`](super::graph).

use super::types::TypeId;
use crate::class_file::FieldId;

/// A field of an abstract object: a part that holds other objects.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Field {
    /// A field that the program declares.
    Declared(FieldId),
    /// The content of an array or of an object of the library: all its elements.
    Content,
    /// A captured value of a lambda, by its position among the captured values.
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
    /// The number of a callback.
    CallbackId
);
number!(
    /// The number of an access through a handle.
    HandleAccessId
);
number!(
    /// The number of a statement that copies objects.
    CopySiteId
);

/// A rule that applies to each object of a node.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Constraint {
    /// The field of the object flows to a node.
    Load {
        /// The field.
        field: Field,
        /// The target.
        to: NodeId,
    },
    /// The content of the object, and transitively the contents of the objects in it, flow to a node.
    LoadAll(NodeId),
    /// A node flows into the field of the object.
    Store {
        /// The field.
        field: Field,
        /// The source.
        from: NodeId,
    },
    /// The call runs the method that it selects for the object.
    Call(CallId),
    /// The library calls methods of the object.
    Callback(CallbackId),
    /// The object is the handle of an access.
    HandleAccess(HandleAccessId),
    /// A view of the object, of this type, flows to a node.
    View {
        /// The type of the view.
        of: TypeId,
        /// The target.
        to: NodeId,
    },
    /// The content of the object holds a view of the object, of this type.
    HoldsView(TypeId),
    /// The constants of an enum class flow to a node: the object is its class object, or an instance of it.
    Enumerates(NodeId),
    /// A copy of the object, allocated by this statement, flows to a node.
    Clone {
        /// The statement.
        site: CopySiteId,
        /// The target.
        to: NodeId,
    },
    /// The class object of the object flows to a node.
    ClassOf(NodeId),
    /// The object escapes.
    Escapes,
}
