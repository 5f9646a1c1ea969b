//! EML, the modelling language of asercheck: [`syntax`] is the language as text, [`model`] a program with resolved
//! names and control-flow graphs.
//!
//! Invariant: a [`model::Model`] has passed every check of the language. Names are resolved, locks and units nest in
//! every procedure, and each node is reachable from the entry of its procedure. So no later stage reports an error in
//! a model.

pub mod model;
pub mod syntax;
