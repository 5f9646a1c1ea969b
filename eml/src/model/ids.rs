//! One index type for each kind of element of a model, so that they cannot be mixed up.

macro_rules! id {
    ($(#[$doc:meta])* $name:ident) => {
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub struct $name(u32);

        impl $name {
            /// Creates the id with this index.
            pub fn new(index: usize) -> Self {
                Self(u32::try_from(index).expect("a model has fewer than 2^32 elements of one kind"))
            }

            /// Returns the index, from 0 in the order of declaration.
            pub fn index(self) -> usize {
                self.0 as usize
            }
        }
    };
}

id!(
    /// A declared lock.
    LockId
);
id!(
    /// A shared location.
    LocationId
);
id!(
    /// A procedure: a function or the body of a process.
    ProcedureId
);
id!(
    /// A declared process (not one of its instances).
    ProcessId
);
id!(
    /// A node of the control-flow graphs; unique in the whole model.
    NodeId
);
id!(
    /// A sequence of open locks and units: equal sequences of a model have equal ids.
    OpenedId
);
