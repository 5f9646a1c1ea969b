//! Task definitions for BenchExec, one for each query.

use super::error::BatchError;
use super::plan::Plan;
use super::record::QueryKey;
use serde_json::json;
use std::fs;
use std::io;
use std::path::Path;

/// The file with the names of all task definitions.
const SET: &str = "asercheck.set";

/// Writes a task definition for each query of the plan, which asks patterns only, and a set of them. BenchExec chooses
/// engines and limits.
///
/// # Errors
/// If they cannot be written.
pub fn write_tasks(plan: &Plan, folder: &Path) -> Result<(), BatchError> {
    let fail = |path: &Path, error| BatchError::io("write", path, error);
    fs::create_dir_all(folder).map_err(|error| fail(folder, error))?;
    let mut names = Vec::new();
    let first = plan.engines.first();
    for group in plan.groups().iter().filter(|group| Some(&group.engine) == first) {
        let model = fs::canonicalize(&plan.models[group.model].path).map_err(|error| fail(folder, error))?;
        for key in &group.keys {
            let name = format!("{}.yml", file_name(names.len(), key));
            let path = folder.join(&name);
            fs::write(&path, definition(&model, key).map_err(|error| fail(&path, error))?)
                .map_err(|error| fail(&path, error))?;
            names.push(name);
        }
    }
    let set = folder.join(SET);
    fs::write(&set, names.join("\n") + "\n").map_err(|error| fail(&set, error))
}

/// Returns a name that is unique, valid in every file system, and helps people to find the query.
fn file_name(number: usize, key: &QueryKey) -> String {
    let stem = Path::new(&key.model).file_stem().unwrap_or_default().to_string_lossy().into_owned();
    let parts = [&[stem, key.units.clone(), key.automaton.clone()], &key.locations[..], &key.processes[..]].concat();
    let name: String = parts.join("-").chars().map(|c| if c.is_ascii_alphanumeric() { c } else { '-' }).collect();
    format!("{:05}-{}", number + 1, name.chars().take(100).collect::<String>())
}

/// JSON, which is YAML too.
fn definition(model: &Path, key: &QueryKey) -> io::Result<String> {
    let definition = json!({
        "format_version": "2.0",
        "input_files": [model],
        "properties": [],
        "options": {
            "pattern": key.automaton,
            "units": key.units,
            "locations": key.locations,
            "processes": key.processes,
        },
    });
    Ok(serde_json::to_string_pretty(&definition)? + "\n")
}
