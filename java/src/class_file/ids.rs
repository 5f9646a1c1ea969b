//! Index types of classes, fields, methods and origins. Each kind is numbered from 0 within a program.

macro_rules! id {
    ($(#[$doc:meta])* $name:ident) => {
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub struct $name(pub(crate) u32);

        impl $name {
            /// The index, from 0.
            pub fn index(self) -> usize {
                self.0 as usize
            }

            pub(crate) fn new(index: usize) -> Self {
                Self(u32::try_from(index).expect("a program has fewer than 2^32 of everything"))
            }
        }
    };
}

id!(
    /// The index of a class of a program.
    ClassId
);
id!(
    /// The index of a field of a program.
    FieldId
);
id!(
    /// The index of a method of a program.
    MethodId
);
id!(
    /// The index of an [`Origin`](crate::Origin): the place of a class file.
    OriginId
);
