//! Many queries with limits, progress and an end after the first violation.
//!
//! `cargo run --example limits -- models/shop2-buy.eml`

use asercheck::model;
use asercheck::phases::UnitMode;
use asercheck::query::{Property, Selection};
use asercheck::{Engine, Limits, Options, Verdict, check_all};
use std::path::PathBuf;
use std::time::Duration;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let path = std::env::args_os().nth(1).map_or_else(|| PathBuf::from("models/shop2-buy.eml"), PathBuf::from);
    let loaded = model::load(&path).map_err(|rejected| rejected.render(false))?;
    let queries = Selection::default().queries(&loaded.model, &Property::all_patterns(UnitMode::First))?;
    // One after the other, so that the first violation is the first in the order of queries.
    let options = Options::default()
        .with_engine(Engine::Auto)
        .with_limits(Limits::default().with_timeout(Duration::from_secs(10)).with_memory(1 << 30))
        .with_jobs(1);
    let cancellation = options.limits.cancellation.clone();
    let outcomes = check_all(&loaded.model, &queries, &options, |number, outcome| {
        if number % 100 == 0 && !matches!(outcome.verdict, Verdict::Unknown(_)) {
            eprintln!("{number} of {} queries", queries.len());
        }
        if matches!(outcome.verdict, Verdict::Violation(_)) {
            cancellation.cancel();
        }
    })?;
    let first = queries.iter().zip(&outcomes).find_map(|(query, outcome)| match &outcome.verdict {
        Verdict::Violation(witness) => Some((query, witness)),
        _ => None,
    });
    match first {
        Some((query, witness)) => {
            println!("pattern {} is violated, by {} steps:", query.property().label(), witness.steps.len());
            println!("{}", serde_json::to_string_pretty(witness)?);
        }
        None => println!("no violation found in {} queries", queries.len()),
    }
    Ok(())
}
