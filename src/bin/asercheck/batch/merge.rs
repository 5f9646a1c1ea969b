//! The union of batches: shards of one, or runs of different engines or models under the same options.

use super::agreement::{Agreement, Disagreement};
use super::error::BatchError;
use super::folder::Folder;
use super::header::Header;
use super::record::{BatchRecord, QueryKey};
use asercheck::answers::VerdictKind;
use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

/// Several batches as one.
#[derive(Clone, Debug)]
pub struct Merged {
    /// The header of all queries.
    pub header: Header,
    /// One record for each query and engine, sorted.
    pub records: Vec<BatchRecord>,
    /// Queries about which engines disagree.
    pub disagreements: Vec<Disagreement>,
}

impl Merged {
    /// Writes the batch into a new folder, completely or not at all.
    ///
    /// # Errors
    /// If the folder exists, or cannot be written.
    pub fn write(&self, path: &Path) -> Result<(), BatchError> {
        if path.exists() {
            return Err(BatchError::Exists(path.to_path_buf()));
        }
        let mut name = path.file_name().unwrap_or_default().to_os_string();
        name.push(".unfinished");
        let unfinished = path.with_file_name(name);
        if unfinished.exists() {
            // Left by an interrupted merge; no other program gives folders such names.
            fs::remove_dir_all(&unfinished).map_err(|error| BatchError::io("remove", &unfinished, error))?;
        }
        let mut folder = Folder::create(&unfinished, &self.header)?;
        self.records.iter().try_for_each(|record| folder.append(record))?;
        folder.sync()?;
        fs::rename(&unfinished, path).map_err(|error| BatchError::io("make", path, error))
    }
}

/// Reads batches and unites them. Among several records of one query and engine, one that decides the query is
/// preferred, then the one in the folder that is named first.
///
/// # Errors
/// If a folder cannot be read, options or models do not fit, or one engine has two verdicts for a query.
pub fn merge(folders: &[PathBuf]) -> Result<Merged, BatchError> {
    let mut header: Option<Header> = None;
    let mut united: BTreeMap<(QueryKey, String), BatchRecord> = BTreeMap::new();
    for folder in folders {
        let (own, records) = Folder::read(folder)?;
        header = Some(match header {
            None => Header { shard: own.shard.clone().filter(|_| folders.len() == 1), ..own },
            Some(header) => unite_headers(header, own, folder)?,
        });
        for record in records {
            unite(&mut united, record)?;
        }
    }
    let records: Vec<_> = united.into_values().collect();
    let mut agreement = Agreement::default();
    let disagreements = records.iter().filter_map(|record| agreement.add(record)).collect();
    Ok(Merged { header: header.unwrap_or_else(Header::empty), records, disagreements })
}

fn unite(united: &mut BTreeMap<(QueryKey, String), BatchRecord>, record: BatchRecord) -> Result<(), BatchError> {
    let key = (record.key(), record.engine.clone());
    let Some(other) = united.get(&key) else {
        united.insert(key, record);
        return Ok(());
    };
    let mut agreement = Agreement::default();
    agreement.add(other);
    if let Some(disagreement) = agreement.add(&record) {
        return Err(BatchError::Conflict(Box::new(disagreement)));
    }
    if wins(&record, other) {
        united.insert(key, record);
    }
    Ok(())
}

/// Whether a record replaces an earlier one of the same query and engine: only if it alone decides the query.
fn wins(record: &BatchRecord, earlier: &BatchRecord) -> bool {
    let is_open = |record: &BatchRecord| record.query.verdict == VerdictKind::Unknown;
    is_open(earlier) && !is_open(record)
}

/// Returns one record for each query and engine, sorted, by the rule of [`merge`].
pub fn one_each(records: impl IntoIterator<Item = BatchRecord>) -> Vec<BatchRecord> {
    let mut chosen: BTreeMap<(QueryKey, String), BatchRecord> = BTreeMap::new();
    for record in records {
        let key = (record.key(), record.engine.clone());
        if chosen.get(&key).is_none_or(|earlier| wins(&record, earlier)) {
            chosen.insert(key, record);
        }
    }
    chosen.into_values().collect()
}

fn unite_headers(mut header: Header, other: Header, folder: &Path) -> Result<Header, BatchError> {
    let mut differences = other.option_differences(&header);
    differences.extend(other.changed_models(&header));
    if !differences.is_empty() {
        return Err(BatchError::Differs(folder.to_path_buf(), differences));
    }
    let new = other.engines.into_iter().filter(|engine| !header.engines.contains(engine)).collect::<Vec<_>>();
    header.engines.extend(new);
    for model in other.models {
        if !header.models.iter().any(|own| own.path == model.path) {
            header.models.push(model);
        }
    }
    Ok(header)
}
