//! The choice of the calls that the interpreter enters.

/// The calls of program methods that the interpreter enters.
///
/// A call that is not entered has no effect in the model, returns any value and may throw. So this choice is a pruning,
/// and an error in it would make proofs wrong. `tests/suite/java_entering.rs` and `bench/src/bin/entering.rs` compare
/// it with all calls.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Entering {
    /// The calls that may touch a followed object.
    #[default]
    Relevant,
    /// All calls: slow, for comparison.
    All,
}
