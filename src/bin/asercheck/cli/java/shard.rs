//! `--shard`: the description of a shard in its report, by which `merge` recognizes reports that belong together.
//!
//! **Invariant.** Reports of two shards have equal options if and only if both runs would give the same answers for
//! every subject and baseline. Options that end or accelerate a run (`--total-timeout`, `--jobs`, `--cache`) and the
//! places of its output are left out. Files count by their contents, not by their names, and classes by everything that
//! was read.

use crate::cli::Failure;
use crate::cli::arguments::{DecidingArguments, JavaArguments, PropertyArguments};
use crate::cli::value_hash::ValueHash;
use anyhow::Context;
use asercheck::audit::ShardPart;
use asercheck::java::Program;
use asercheck::records::Shard;
use std::collections::BTreeMap;
use std::fs;
use std::path::PathBuf;

/// Returns the description of a shard. Its subjects are not known yet.
pub(super) fn record(part: Shard, arguments: &JavaArguments, program: &Program) -> Result<ShardPart, Failure> {
    Ok(ShardPart { part, of: 0, places: Vec::new(), options: options(arguments, program)? })
}

/// Returns the options on which answers depend, except for those that every report has.
fn options(arguments: &JavaArguments, program: &Program) -> Result<BTreeMap<String, String>, Failure> {
    let JavaArguments { library, class, exclude, unit, field, main, summaries, source, question, deciding, .. } =
        arguments;
    let JavaArguments { timeout, memory, baseline, output, all_queries, keep_going, .. } = arguments;
    let PropertyArguments { all_patterns: _, races, pattern: _, automaton } = question;
    let DecidingArguments { units: _, engine: _, reduce } = deciding;
    let all = [
        ("version", env!("CARGO_PKG_VERSION").to_string()),
        ("classes", hash_of_classes(program)),
        ("library", paths(library)),
        ("class", class.join(" ")),
        ("exclude", exclude.join(" ")),
        ("unit", unit.join(" ")),
        ("field", field.join(" ")),
        ("main", main.clone().unwrap_or_default()),
        ("summaries", contents(summaries)?),
        ("source", paths(source)),
        ("pattern", question.numbers().iter().map(usize::to_string).collect::<Vec<_>>().join(" ")),
        ("races", yes(*races)),
        ("automaton", contents(automaton)?),
        ("reductions", format!("{:?}", reduce.reductions())),
        ("timeout", humantime::format_duration(*timeout).to_string()),
        ("memory", memory.map_or_else(String::new, |size| size.to_string())),
        ("baseline", contents(baseline.as_slice())?),
        ("all", yes(output.findings.all)),
        ("all-queries", yes(*all_queries)),
        ("keep-going", yes(*keep_going)),
    ];
    let given = all.into_iter().filter(|(_, text)| !text.is_empty());
    Ok(given.map(|(name, text)| (name.to_string(), text)).collect())
}

/// Returns the hash of everything that was read.
fn hash_of_classes(program: &Program) -> String {
    let mut hash = ValueHash::new();
    hash.add(program);
    hash.hexadecimal()
}

fn yes(is_given: bool) -> String {
    if is_given { "yes".to_string() } else { String::new() }
}

fn paths(paths: &[PathBuf]) -> String {
    paths.iter().map(|path| path.display().to_string()).collect::<Vec<_>>().join(" ")
}

/// Returns the hashes of the contents of some files.
fn contents(paths: &[PathBuf]) -> Result<String, Failure> {
    let read = |path: &PathBuf| {
        let bytes = fs::read(path).with_context(|| format!("cannot read {}", path.display()));
        bytes.map(|bytes| ValueHash::of_bytes(&bytes)).map_err(Failure::input)
    };
    let hashes: Result<Vec<String>, Failure> = paths.iter().map(read).collect();
    hashes.map(|hashes| hashes.join(" "))
}
