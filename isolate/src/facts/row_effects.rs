//! Effects of library methods on contents, as their rows say for all objects of a region.

use crate::value::RegionId;
use java::library::Guard;
use std::collections::BTreeSet;

/// The effect of methods of a name on the content of a region.
#[derive(Clone, Copy, Debug)]
pub(crate) struct ContentEffect {
    pub(crate) region: RegionId,
    pub(crate) reads: bool,
    pub(crate) writes: bool,
}

/// The effect of the methods of one name on any object of a region.
#[derive(Debug)]
pub(crate) struct RegionEffect {
    pub(crate) reads: bool,
    pub(crate) writes: bool,
    /// The guard common to all objects of the region; none if it has no library object.
    pub(crate) guard: Option<Guard>,
    /// The names of the methods that are called on the elements of the content.
    pub(crate) called: BTreeSet<Box<str>>,
}
