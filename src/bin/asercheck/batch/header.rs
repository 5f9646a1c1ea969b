//! The header of a batch: its models, queries and limits.

use serde::{Deserialize, Serialize};

/// The form of header and results that this version writes.
const FORMAT: u32 = 1;

/// Everything on which the results of a batch depend. The number of workers, for example, is left out.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Header {
    /// The form of the header and of the results.
    pub format: u32,
    /// The version of the program.
    pub version: String,
    /// Names of the engines, in the order in which they were named.
    pub engines: Vec<String>,
    /// The unit modes: `both`, `first`, or both of them.
    pub units: Vec<String>,
    /// Numbers of the patterns that are asked.
    pub patterns: Vec<usize>,
    /// Whether data races are asked for.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub races: bool,
    /// Whether deadlocks are asked for.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub deadlocks: bool,
    /// The files of automata that are asked.
    pub automata: Vec<AutomatonEntry>,
    /// The locations that parameters are bound to, if not all.
    pub locations: Option<Vec<String>>,
    /// The locks that parameters are bound to, if not all.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub locks: Option<Vec<String>>,
    /// The processes that parameters are bound to, if not all.
    pub processes: Option<Vec<String>>,
    /// Wall-clock seconds for each query.
    pub timeout: Option<f64>,
    /// Bytes of memory for each query.
    pub memory: Option<u64>,
    /// Whether each query is decided on its own.
    pub separate: bool,
    /// The reductions that are switched off.
    pub no_reduce: Vec<String>,
    /// The part of all queries, if the batch is a shard.
    pub shard: Option<String>,
    /// The models.
    pub models: Vec<ModelEntry>,
}

/// A file of automata.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct AutomatonEntry {
    /// The file, as it was named.
    pub path: String,
    /// The hash of its text.
    pub sha256: String,
}

/// A model.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ModelEntry {
    /// The file, as it was named.
    pub path: String,
    /// The hash of its text.
    pub sha256: String,
    /// The number of queries that each engine is asked about it, in all shards together.
    pub queries: usize,
    /// The number of further queries that nothing in the model can violate; they are safe, and too many for a record
    /// each.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub unlisted: usize,
    /// The reason why nothing that is asked can be violated in it, if that is so: then `safe` says nothing.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub vacuous: Option<String>,
}

fn is_zero(number: &usize) -> bool {
    *number == 0
}

impl Header {
    /// Returns an empty header of this version.
    pub fn empty() -> Self {
        Self {
            format: FORMAT,
            version: env!("CARGO_PKG_VERSION").to_string(),
            engines: Vec::new(),
            units: Vec::new(),
            patterns: Vec::new(),
            races: false,
            deadlocks: false,
            automata: Vec::new(),
            locations: None,
            locks: None,
            processes: None,
            timeout: None,
            memory: None,
            separate: false,
            no_reduce: Vec::new(),
            shard: None,
            models: Vec::new(),
        }
    }

    pub(super) fn is_readable(&self) -> bool {
        self.format == FORMAT
    }

    /// Returns the number of results of the complete batch, with all its shards.
    pub fn expected(&self) -> usize {
        self.engines.len() * self.models.iter().map(|model| model.queries).sum::<usize>()
    }

    /// Returns the differences between the batch in a folder and the requested one, a line for each.
    pub(super) fn differences(&self, wanted: &Self) -> Vec<String> {
        let mut found = self.option_differences(wanted);
        differ(&mut found, "engines", &self.engines, &wanted.engines);
        differ(&mut found, "shard", &self.shard, &wanted.shard);
        found.extend(self.changed_models(wanted));
        let paths = |header: &Self| header.models.iter().map(|model| model.path.clone()).collect::<Vec<_>>();
        differ(&mut found, "models", &paths(self), &paths(wanted));
        found
    }

    /// Returns the differences that make results incomparable: in all options but engines, shard and models.
    pub(super) fn option_differences(&self, wanted: &Self) -> Vec<String> {
        let mut found = Vec::new();
        differ(&mut found, "version", &self.version, &wanted.version);
        differ(&mut found, "units", &self.units, &wanted.units);
        differ(&mut found, "patterns", &self.patterns, &wanted.patterns);
        differ(&mut found, "races", &self.races, &wanted.races);
        differ(&mut found, "deadlocks", &self.deadlocks, &wanted.deadlocks);
        differ(&mut found, "automata", &self.automata, &wanted.automata);
        differ(&mut found, "locations", &self.locations, &wanted.locations);
        differ(&mut found, "locks", &self.locks, &wanted.locks);
        differ(&mut found, "processes", &self.processes, &wanted.processes);
        differ(&mut found, "timeout", &self.timeout, &wanted.timeout);
        differ(&mut found, "memory", &self.memory, &wanted.memory);
        differ(&mut found, "separate", &self.separate, &wanted.separate);
        differ(&mut found, "no-reduce", &self.no_reduce, &wanted.no_reduce);
        found
    }

    /// Returns the models that both headers have under one path, with different contents.
    pub(super) fn changed_models(&self, wanted: &Self) -> Vec<String> {
        let changed = self
            .models
            .iter()
            .filter(|own| wanted.models.iter().any(|other| other.path == own.path && other.sha256 != own.sha256));
        changed.map(|model| format!("model {}: its text has changed", model.path)).collect()
    }
}

fn differ<T: PartialEq + Serialize>(found: &mut Vec<String>, what: &str, there: &T, wanted: &T) {
    if there != wanted {
        let [there, wanted] = [there, wanted].map(|value| serde_json::to_string(value).unwrap_or_default());
        found.push(format!("{what}: there {there}, wanted {wanted}"));
    }
}
