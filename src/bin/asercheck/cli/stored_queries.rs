//! Queries with their answers in files that other commands wrote: a report of `check`, reports of several models, one
//! query, or the lines of a batch.

use super::Failure;
use super::check::is_standard_input;
use anyhow::{Context, bail};
use asercheck::answers::{QueryRecord, units_named};
use asercheck::phases::UnitMode;
use asercheck::records::{CheckReport, VERSION};
use serde::Deserialize;
use serde_json::Value;
use std::path::{Path, PathBuf};

/// A query, or a line of a batch.
#[derive(Debug, Deserialize)]
pub(crate) struct Line {
    pub(crate) model: Option<PathBuf>,
    pub(crate) units: Option<String>,
    #[serde(flatten)]
    pub(crate) record: QueryRecord,
}

impl Line {
    /// Returns the unit mode of the query, if the line has it.
    pub(crate) fn units(&self) -> Option<UnitMode> {
        self.units.as_deref().and_then(units_named)
    }
}

/// Reads the queries in a file, or in standard input.
pub(crate) fn stored_lines(path: &Path) -> Result<Vec<Line>, Failure> {
    let text = read_text(path)?;
    lines(&text).with_context(|| format!("{} holds no queries with witnesses", path.display())).map_err(Failure::input)
}

/// Parses the queries. The first value determines the kind of the file, so that a mistake is reported as one in a file
/// of that kind.
fn lines(text: &str) -> anyhow::Result<Vec<Line>> {
    let mut values = serde_json::Deserializer::from_str(text).into_iter::<Value>();
    let lines = match (values.next(), values.next()) {
        (None, _) => bail!("the file is empty"),
        (Some(Err(error)), _) => bail!("it is not JSON: {error}"),
        (Some(Ok(value)), None) if value.get("queries").is_some() => {
            check_version(&value)?;
            of_report(serde_json::from_str(text).context("as a report of `check`")?)
        }
        (Some(Ok(value)), None) if value.get("reports").is_some() => {
            check_version(&value)?;
            #[derive(Deserialize)]
            struct Reports {
                reports: Vec<CheckReport>,
            }
            let all: Reports = serde_json::from_str(text).context("as reports of `check`")?;
            all.reports.into_iter().flat_map(of_report).collect()
        }
        (Some(Ok(value)), None) => {
            is_query(&value)?;
            vec![serde_json::from_str(text).context("as a query")?]
        }
        (Some(Ok(_)), Some(_)) => one_a_line(text)?,
    };
    lines.iter().try_for_each(check_units)?;
    Ok(lines)
}

fn of_report(report: CheckReport) -> Vec<Line> {
    let CheckReport { model, units, queries, .. } = report;
    let line = |record| Line { model: Some(model.clone().into()), units: Some(units.clone()), record };
    queries.into_iter().map(line).collect()
}

/// Checks that the file does not have a later version than this program knows.
fn check_version(value: &Value) -> anyhow::Result<()> {
    match value.get("version").and_then(Value::as_u64) {
        Some(version) if version > u64::from(VERSION) => {
            bail!("it has version {version}, and this program knows {VERSION} only")
        }
        _ => Ok(()),
    }
}

/// Parses the lines of a batch.
fn one_a_line(text: &str) -> anyhow::Result<Vec<Line>> {
    let lines = text.lines().enumerate().filter(|(_, line)| !line.trim().is_empty());
    let one = |line: &str| -> anyhow::Result<Line> {
        is_query(&serde_json::from_str(line).context("it is not JSON")?)?;
        Ok(serde_json::from_str(line)?)
    };
    lines.map(|(number, line)| one(line).with_context(|| format!("line {}", number + 1))).collect()
}

/// Checks that a value may be a query.
fn is_query(value: &Value) -> anyhow::Result<()> {
    if value.get("automaton").is_none() && value.get("verdict").is_none() {
        bail!("it has neither `queries`, as a report of `check`, nor `automaton` and `verdict`, as a query");
    }
    Ok(())
}

fn check_units(line: &Line) -> anyhow::Result<()> {
    match &line.units {
        Some(units) if units_named(units).is_none() => bail!("the units `{units}` are neither `both` nor `first`"),
        _ => Ok(()),
    }
}

/// Reads the text of a file, or of standard input.
pub(crate) fn read_text(path: &Path) -> Result<String, Failure> {
    if is_standard_input(path) {
        return std::io::read_to_string(std::io::stdin().lock())
            .context("cannot read standard input")
            .map_err(Failure::input);
    }
    std::fs::read_to_string(path).with_context(|| format!("cannot read {}", path.display())).map_err(Failure::input)
}
