//! The test of this crate generates `capi/include/asercheck.h` and compares it with the committed one.
