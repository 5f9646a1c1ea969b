//! Access flags.

/// The access flags of a class, field or method.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Flags(pub u16);

macro_rules! flag {
    ($(#[$doc:meta])* $name:ident, $bit:literal) => {
        $(#[$doc])*
        pub fn $name(self) -> bool {
            self.0 & $bit != 0
        }
    };
}

impl Flags {
    flag!(
        /// `public`.
        is_public, 0x0001
    );
    flag!(
        /// `private`.
        is_private, 0x0002
    );
    flag!(
        /// `protected`.
        is_protected, 0x0004
    );
    flag!(
        /// `static`.
        is_static, 0x0008
    );
    flag!(
        /// `final`.
        is_final, 0x0010
    );
    flag!(
        /// Of a method: `synchronized`.
        is_synchronized, 0x0020
    );
    flag!(
        /// Of a field: `volatile`.
        is_volatile, 0x0040
    );
    flag!(
        /// Of a field: `transient`.
        is_transient, 0x0080
    );
    flag!(
        /// Of a method: a bridge that the compiler made, which calls the method with the more exact types.
        is_bridge, 0x0040
    );
    flag!(
        /// Of a method: `native`.
        is_native, 0x0100
    );
    flag!(
        /// Of a class: an interface.
        is_interface, 0x0200
    );
    flag!(
        /// `abstract`.
        is_abstract, 0x0400
    );
    flag!(
        /// Made by the compiler.
        is_synthetic, 0x1000
    );
    flag!(
        /// Of a class: an enumeration; of a field: one of its constants.
        is_enum, 0x4000
    );
    flag!(
        /// Of a class file: it describes a module and no class.
        is_module, 0x8000
    );
}
