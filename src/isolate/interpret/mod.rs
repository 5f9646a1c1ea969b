//! Abstract interpretation of methods for one subject.

pub(in crate::isolate) mod value;
