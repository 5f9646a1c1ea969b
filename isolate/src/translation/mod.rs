//! The contexts of the fixpoint as control-flow graphs, and names of locations, locks and methods.

pub(crate) mod flows;
pub(crate) mod inherited_methods;
pub(crate) mod inherited_units;
pub(crate) mod region_names;
pub(crate) mod representatives;
