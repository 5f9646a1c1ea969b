//! The numbers of classes, fields, methods and origins.

macro_rules! id {
    ($(#[$doc:meta])* $name:ident) => {
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub struct $name(pub(crate) u32);

        impl $name {
            /// Its number; they are numbered from 0.
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
    /// The number of a class of a program.
    ClassId
);
id!(
    /// The number of a field of a program.
    FieldId
);
id!(
    /// The number of a method of a program.
    MethodId
);
id!(
    /// The number of a class file's place: a file, or an entry of an archive.
    OriginId
);
