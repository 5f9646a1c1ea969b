//! The results for the locations, from the answers to queries about data races.

use crate::locking::{Protected, Protection};
use crate::query::{QuerySet, max_instances};
use eml::model::{LocationId, Model, ProcessId};
use limits::{Limits, Meter};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// Whether there is a race on a location, and if not, the reason.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum LocationStatus {
    /// One instance can write it while another one accesses it.
    Race,
    /// Some query about a race was not decided, and no lock protects the location.
    Unknown,
    /// At least one lock is held at every access.
    Protected,
    /// No race is possible, although no lock is held at every access.
    #[serde(rename = "never at the same time")]
    Apart,
    /// Several instances read it and none writes it.
    #[serde(rename = "read only")]
    ReadOnly,
    /// At most one instance accesses it.
    Unshared,
}

/// The result for a location.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct LocationRecord {
    /// The name of the location.
    pub location: String,
    /// Whether there is a race, and if not, the reason.
    pub status: LocationStatus,
    /// The locks that protect it.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub locks: Vec<String>,
    /// The processes that write it.
    pub writers: Vec<String>,
    /// The processes that read it.
    pub readers: Vec<String>,
}

/// An internal error: a race was found on a location that a lock protects.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RaceUnderLock {
    /// The location.
    pub location: String,
}

impl std::fmt::Display for RaceUnderLock {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "internal error: `{}` is protected by a lock, and a race was found", self.location)
    }
}

impl std::error::Error for RaceUnderLock {}

/// For each location, the number of safe, violated and unknown queries about races, without trivial ones.
pub(super) type Races = BTreeMap<LocationId, [usize; 3]>;

/// Returns the results for the locations of the queries, in the order of their declarations.
///
/// # Errors
/// If an engine has found a race on a location that a lock protects at every access.
pub(super) fn location_records(
    asked: &QuerySet<'_>,
    races: &Races,
    is_complete: bool,
    limits: &Limits,
) -> Result<Vec<LocationRecord>, RaceUnderLock> {
    let model = asked.model();
    // If a limit ends the analysis, no location is known to be protected.
    let protection = Protection::new(model, &Meter::start(limits)).ok();
    let all: Vec<_> = (0..model.locations().len()).map(LocationId::new).collect();
    let record = |location: &LocationId| {
        let own = protection.as_ref().map(|protection| protection.of(*location)).unwrap_or_default();
        let [_, violations, unknown] = races.get(location).copied().unwrap_or_default();
        let name = model.location(*location).name().to_string();
        if violations > 0 && !own.locks.is_empty() {
            return Err(RaceUnderLock { location: name });
        }
        let status = match (violations, &protection) {
            (0, Some(_)) => status(model, &own, unknown > 0 || !is_complete),
            (0, None) => LocationStatus::Unknown,
            _ => LocationStatus::Race,
        };
        let is_told = status == LocationStatus::Protected;
        let locks = own.locks.iter().filter(|_| is_told).map(|lock| model.lock(*lock).name().to_string());
        let [writers, readers] = [&own.writers, &own.readers]
            .map(|processes| processes.iter().map(|id| model.process(*id).name().to_string()).collect());
        Ok(LocationRecord { location: name, status, locks: locks.collect(), writers, readers })
    };
    asked.named_locations().unwrap_or(&all).iter().map(record).collect()
}

/// Returns the status of a location on which no race was found. `is_open`: some query about it was not decided.
fn status(model: &Model, own: &Protected, is_open: bool) -> LocationStatus {
    let mut processes: Vec<ProcessId> = own.writers.iter().chain(&own.readers).copied().collect();
    processes.sort_unstable();
    processes.dedup();
    let instances = processes.iter().map(|process| max_instances(model, *process).unwrap_or(usize::MAX));
    let is_shared = instances.fold(0, usize::saturating_add) > 1;
    if !is_shared {
        LocationStatus::Unshared
    } else if own.writers.is_empty() {
        LocationStatus::ReadOnly
    } else if !own.locks.is_empty() {
        LocationStatus::Protected
    } else if is_open {
        LocationStatus::Unknown
    } else {
        LocationStatus::Apart
    }
}
