//! The report of a batch: the tables of the paper's Fig. 5 and the plots of its Fig. 4 for every pair of engines, the
//! number of queries that each engine decides within a time, totals, limits and memory.
//!
//! The report is a page that needs no other file, with each plot as a separate file and the data as CSV. It depends on
//! the records alone: equal records give equal bytes. Only the page of the findings also has source lines, if the
//! models still exist.

mod axis;
mod cactus;
mod data;
mod figure;
mod findings;
mod frame;
mod page;
mod scatter;
mod sheets;
mod success;
mod totals;
mod units;

use super::error::BatchError;
use super::merge::Merged;
use data::Data;
use figure::Figure;
use std::fs;
use std::io;
use std::path::Path;

/// The file with the page.
pub const PAGE: &str = "index.html";

/// Writes the report into a folder, which is made if it does not exist.
///
/// # Errors
/// If it cannot be written.
pub fn write(batch: &Merged, folder: &Path) -> Result<(), BatchError> {
    fs::create_dir_all(folder).map_err(|error| BatchError::io("make", folder, error))?;
    let write = |name: &str, bytes: &[u8]| {
        let path = folder.join(name);
        fs::write(&path, bytes).map_err(|error| BatchError::io("write", &path, error))
    };
    let data = Data::new(batch);
    let figures = figures(&data);
    for figure in &figures {
        write(&format!("{}.svg", figure.name), figure.file().as_bytes())?;
    }
    for sheet in sheets::ALL {
        let text = sheet.text(&data).map_err(|error| BatchError::io("write", folder, io::Error::other(error)))?;
        write(&format!("{}.csv", sheet.name), &text)?;
    }
    let parts = findings::parts(batch);
    let found = findings::page(&parts);
    match &found {
        Some(text) => write(findings::PAGE, text.as_bytes())?,
        // The page of an earlier report, if there is one.
        None => drop(fs::remove_file(folder.join(findings::PAGE))),
    }
    write(PAGE, page::page(batch, &data, &figures, &parts).as_bytes())
}

/// Returns all plots: two for each pair of engines, and one of time and one of memory for all.
fn figures(data: &Data) -> Vec<Figure> {
    let mut figures: Vec<_> = data.pairs().into_iter().flat_map(|pair| scatter::figures(data, pair)).collect();
    figures.extend([cactus::time(data), cactus::memory(data)]);
    figures
}
