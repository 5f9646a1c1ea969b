//! The folder of a batch: its header and its results.

use super::error::BatchError;
use super::header::Header;
use super::log::{self, Log};
use super::record::BatchRecord;
use std::fs::{self, File};
use std::io::{self, Write};
use std::path::Path;

/// The file with the header.
pub const HEADER: &str = "header.json";

/// The file with the results, one a line.
pub const RESULTS: &str = "results.jsonl";

/// The header before it is complete.
const UNFINISHED_HEADER: &str = "header.json.new";

/// The folder of a batch, open for adding results.
#[derive(Debug)]
pub struct Folder {
    log: Log,
}

impl Folder {
    /// Begins a batch in a new folder.
    ///
    /// # Errors
    /// If the folder exists, or cannot be made.
    pub fn create(path: &Path, header: &Header) -> Result<Self, BatchError> {
        if let Some(parent) = path.parent() {
            fs::create_dir_all(parent).map_err(|error| BatchError::io("make", parent, error))?;
        }
        match fs::create_dir(path) {
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => Err(BatchError::Exists(path.to_path_buf())),
            Err(error) => Err(BatchError::io("make", path, error)),
            Ok(()) => Self::begin(path, header),
        }
    }

    /// Continues the batch in a folder, or begins it if there is none. Returns the records in the folder.
    ///
    /// # Errors
    /// If the folder holds something else, or cannot be used.
    pub fn resume(path: &Path, header: &Header) -> Result<(Self, Vec<BatchRecord>), BatchError> {
        if !path.try_exists().map_err(|error| BatchError::io("read", path, error))? {
            return Self::create(path, header).map(|folder| (folder, Vec::new()));
        }
        match read_header(path) {
            Ok(there) => {
                let differences = there.differences(header);
                if !differences.is_empty() {
                    return Err(BatchError::Differs(path.to_path_buf(), differences));
                }
            }
            // The program ended before the header was complete.
            Err(BatchError::NoBatch(_)) if holds_nothing(path)? => {
                return Self::begin(path, header).map(|folder| (folder, Vec::new()));
            }
            Err(BatchError::NoBatch(_)) => return Err(BatchError::Foreign(path.to_path_buf())),
            Err(error) => return Err(error),
        }
        let (log, records) = Log::open(&path.join(RESULTS))?;
        Ok((Self { log }, records))
    }

    fn begin(path: &Path, header: &Header) -> Result<Self, BatchError> {
        write_header(path, header).map_err(|error| BatchError::io("write", &path.join(HEADER), error))?;
        let (log, _) = Log::open(&path.join(RESULTS))?;
        Ok(Self { log })
    }

    /// Adds a record.
    ///
    /// # Errors
    /// If it cannot be written.
    pub fn append(&mut self, record: &BatchRecord) -> Result<(), BatchError> {
        self.log.append(record)
    }

    /// Writes records to the disk within a second; it has to be called several times a second.
    ///
    /// # Errors
    /// If they cannot be written.
    pub fn tick(&mut self) -> Result<(), BatchError> {
        self.log.tick()
    }

    /// Writes all records to the disk.
    ///
    /// # Errors
    /// If they cannot be written.
    pub fn sync(&mut self) -> Result<(), BatchError> {
        self.log.sync()
    }

    /// Returns the header and the records of a batch, which may still be running.
    ///
    /// # Errors
    /// If the folder holds no batch, or cannot be read.
    pub fn read(path: &Path) -> Result<(Header, Vec<BatchRecord>), BatchError> {
        let header = read_header(path)?;
        let results = path.join(RESULTS);
        // The program ended between the header and the first result.
        let records = if results.exists() { log::read(&results)? } else { Vec::new() };
        Ok((header, records))
    }
}

fn read_header(folder: &Path) -> Result<Header, BatchError> {
    let path = folder.join(HEADER);
    let text = match fs::read_to_string(&path) {
        Err(error) if matches!(error.kind(), io::ErrorKind::NotFound | io::ErrorKind::NotADirectory) => {
            return Err(BatchError::NoBatch(folder.to_path_buf()));
        }
        text => text.map_err(|error| BatchError::io("read", &path, error))?,
    };
    let header: Header = serde_json::from_str(&text)
        .map_err(|error| BatchError::Header(path.clone(), format!("not a header: {error}")))?;
    if !header.is_readable() {
        return Err(BatchError::Header(path, format!("form {} is not known to this version", header.format)));
    }
    Ok(header)
}

/// Writes the header completely or not at all.
fn write_header(folder: &Path, header: &Header) -> io::Result<()> {
    let unfinished = folder.join(UNFINISHED_HEADER);
    let mut file = File::create(&unfinished)?;
    file.write_all((serde_json::to_string_pretty(header)? + "\n").as_bytes())?;
    file.sync_all()?;
    fs::rename(&unfinished, folder.join(HEADER))?;
    // So that the new name is on the disk, too. Some systems cannot open folders; they do not need it.
    if let Ok(folder) = File::open(folder) {
        let _ = folder.sync_all();
    }
    Ok(())
}

/// Whether a folder is empty except for the remains of an interrupted beginning.
fn holds_nothing(path: &Path) -> Result<bool, BatchError> {
    let fail = |error| BatchError::io("read", path, error);
    for entry in fs::read_dir(path).map_err(fail)? {
        if entry.map_err(fail)?.file_name() != UNFINISHED_HEADER {
            return Ok(false);
        }
    }
    Ok(true)
}
