//! A slow and obvious check of what becomes of Java programs: small classes are made ([`random`]), written as class
//! files ([`compile`]) and executed with a real heap, real monitors and all schedules up to a bound ([`machine`],
//! [`schedules`]). What two threads do to one object, or to the static fields of a class ([`statics`]), is compared
//! with the fourteen patterns by their definition ([`watch`]), and what is found must be a violation of the model that
//! `asercheck::isolate` makes of the class ([`compare`]). [`sparing`] compares what is found with and without the
//! queries that are spared.
//!
//! Nothing here is shared with the translation, but for the reader of class files.

pub mod assemble;
pub mod compare;
pub mod compile;
pub mod driver;
pub mod entering;
pub mod machine;
pub mod random;
pub mod schedules;
pub mod shrink;
pub mod source;
pub mod sparing;
pub mod statics;
pub mod watch;
