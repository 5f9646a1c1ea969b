//! Quality of the order of Java reports: compares judged causes with reports, and fits weights of evidence to them.
//!
//! A judged cause (`bench/precision/judged.jsonl`) and a finding are the same if they are of one jar, have a field in
//! common, and the finding names the judged unit, by class and method, among its units or as the violated method. The
//! first such finding of the report counts.
//!
//! Jars are divided into two halves by a hash of their names. Weights are fitted to the first half only; figures are
//! printed for both, so those of the second half are independent of the fitting.

use anyhow::{Context, bail};
use asercheck::audit::Kind;
use asercheck::audit::{Finding, Report, VERSION};
use clap::Parser;
use serde::Deserialize;
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

/// Measures the order of Java reports against judged causes.
#[derive(Parser)]
struct Arguments {
    /// Judged causes, one JSON object a line.
    #[arg(default_value = "bench/precision/judged.jsonl")]
    judged: PathBuf,
    /// Reports of the jars, made by `asercheck java JAR --format json`: `group_artifact_version.json`.
    #[arg(long)]
    reports: PathBuf,
    /// Documented bugs, one JSON object a line, whose ranks are printed.
    #[arg(long)]
    documented: Option<PathBuf>,
    /// Fits weights to the first half of the jars, and prints them.
    #[arg(long)]
    fit: bool,
}

/// A judged cause.
#[derive(Deserialize)]
struct Judged {
    jar: String,
    fields: Vec<String>,
    unit: String,
    verdict: String,
}

/// A documented bug.
#[derive(Deserialize)]
struct Documented {
    jar: String,
    class: String,
    methods: Vec<String>,
    #[serde(default)]
    fields: Vec<String>,
    reference: String,
}

/// The findings of a jar in the order of its report.
struct Ranked {
    findings: Vec<Finding>,
}

impl Ranked {
    fn of(report: Report) -> Self {
        let findings = report.subjects.into_iter().flat_map(|subject| subject.findings);
        let mut findings: Vec<Finding> = findings.filter(Finding::stands_alone).collect();
        findings.sort_by(|a, b| b.rank.total_cmp(&a.rank));
        Self { findings }
    }

    /// Returns the place of the first finding about a method and one of these fields; any field if there are none.
    fn place(&self, class: &str, method: &str, fields: &[String]) -> Option<usize> {
        let name = format!("{class}.{method}");
        self.findings.iter().position(|finding| names(finding).contains(name.as_str()) && is_about(finding, fields))
    }

    /// Returns the place of the first finding that may be a documented bug. Either a method of the bug is a violated
    /// unit, and the finding has one of its fields; or a method of the bug interferes, and the title has one of its
    /// fields. A person has to decide whether the finding is the bug.
    fn place_of(&self, bug: &Documented) -> Option<usize> {
        let of_bug: BTreeSet<String> = bug.methods.iter().map(|method| format!("{}.{method}", bug.class)).collect();
        self.findings.iter().position(|finding| {
            let title: BTreeSet<&str> = finding.locations.iter().map(|location| simple(location)).collect();
            let is_in_title = || bug.fields.is_empty() || bug.fields.iter().any(|field| title.contains(simple(field)));
            let is_own = names(finding).iter().any(|name| of_bug.contains(*name));
            is_own && is_about(finding, &bug.fields) || of_bug.contains(plain(&finding.by)) && is_in_title()
        })
    }
}

fn plain(name: &str) -> &str {
    name.split('(').next().unwrap_or(name)
}

/// Returns the methods that a finding names as units or as violated, without their parameters.
fn names(finding: &Finding) -> BTreeSet<&str> {
    let all = finding.cause.units.iter().chain([&finding.cause.method, &finding.unit]);
    all.map(|name| plain(name)).collect()
}

/// Whether a finding concerns one of these fields, by their simple names.
fn is_about(finding: &Finding, fields: &[String]) -> bool {
    let own: BTreeSet<&str> = finding.all_locations().map(simple).collect();
    fields.is_empty() || fields.iter().any(|field| own.contains(simple(field)))
}

fn simple(location: &str) -> &str {
    let path = location.split('[').next().unwrap_or(location);
    path.rsplit('.').next().unwrap_or(path)
}

/// A judged cause that was found in a report.
struct Example {
    jar: String,
    place: usize,
    is_real: bool,
    kinds: BTreeSet<String>,
    group: String,
}

fn main() -> anyhow::Result<()> {
    let arguments = Arguments::parse();
    let judged: Vec<Judged> = lines(&arguments.judged)?;
    let mut reports: BTreeMap<String, Ranked> = BTreeMap::new();
    let mut missing: BTreeSet<&str> = BTreeSet::new();
    for one in &judged {
        match report_of(&arguments.reports, &one.jar)? {
            _ if reports.contains_key(&one.jar) => {}
            Some(report) => drop(reports.insert(one.jar.clone(), report)),
            None => drop(missing.insert(&one.jar)),
        }
    }
    if reports.is_empty() {
        bail!("no report is in {}", arguments.reports.display());
    }
    let (mut examples, mut lost) = (Vec::new(), 0);
    for one in judged.iter().filter(|one| reports.contains_key(&one.jar)) {
        match example(&reports[&one.jar], one) {
            Some(found) => examples.push(found),
            None => lost += 1,
        }
    }
    println!(
        "{} jars with a report, {} without; {} judged causes found in them, {lost} not (any more)",
        reports.len(),
        missing.len(),
        examples.len()
    );
    for (name, half) in [("fitted", true), ("measured only", false)] {
        let own: Vec<&Example> = examples.iter().filter(|example| is_first_half(&example.jar) == half).collect();
        figures(name, &own);
    }
    figures("both", &examples.iter().collect::<Vec<_>>());
    if let Some(path) = &arguments.documented {
        documented(&lines(path)?, &arguments.reports)?;
    }
    if arguments.fit {
        fit(&examples.iter().filter(|example| is_first_half(&example.jar)).collect::<Vec<_>>());
    }
    Ok(())
}

fn lines<T: for<'a> Deserialize<'a>>(path: &Path) -> anyhow::Result<Vec<T>> {
    let text = std::fs::read_to_string(path).with_context(|| format!("cannot read {}", path.display()))?;
    let numbered = text.lines().enumerate().filter(|(_, line)| !line.trim().is_empty());
    numbered
        .map(|(number, line)| serde_json::from_str(line).with_context(|| format!("{}:{}", path.display(), number + 1)))
        .collect()
}

fn report_of(folder: &Path, jar: &str) -> anyhow::Result<Option<Ranked>> {
    let path = folder.join(format!("{}.json", jar.replace(':', "_")));
    match std::fs::read_to_string(&path) {
        Ok(text) if text.is_empty() => Ok(None),
        Ok(text) => match serde_json::from_str::<Report>(&text) {
            Ok(report) if report.version == VERSION => Ok(Some(Ranked::of(report))),
            Ok(report) => bail!("{} has version {}, not {VERSION}", path.display(), report.version),
            Err(error) => bail!("{}: {error}", path.display()),
        },
        Err(_) => Ok(None),
    }
}

fn example(report: &Ranked, judged: &Judged) -> Option<Example> {
    let unit = judged.unit.split('(').next().unwrap_or(&judged.unit);
    let (class, method) = unit.rsplit_once('.')?;
    let place = report.place(class, method, &judged.fields)?;
    let finding = &report.findings[place];
    Some(Example {
        jar: judged.jar.clone(),
        place,
        is_real: judged.verdict == "real",
        kinds: finding.evidence.iter().map(|evidence| evidence.name.to_string()).collect(),
        group: finding.group.to_string(),
    })
}

/// Whether a jar is in the first half, by its name without the version: versions of one library are in one half.
fn is_first_half(jar: &str) -> bool {
    let name = jar.rsplit_once(':').map_or(jar, |(name, _)| name);
    name.bytes().fold(7_u32, |hash, byte| hash.wrapping_mul(31).wrapping_add(u32::from(byte))) % 2 == 0
}

/// Prints the share of real bugs among the judged findings at the first places of their jars, and the share in the
/// best order of the judged findings, an upper bound for any evidence.
fn figures(name: &str, examples: &[&Example]) {
    // A finding may have several judged causes: it is real if one of them is.
    let mut findings: BTreeMap<(&str, usize), bool> = BTreeMap::new();
    for example in examples {
        *findings.entry((&example.jar, example.place)).or_default() |= example.is_real;
    }
    let jars: BTreeSet<&str> = findings.keys().map(|(jar, _)| *jar).collect();
    let shares = [5, 10, 20, usize::MAX].map(|most| {
        let own: Vec<bool> =
            findings.iter().filter(|((_, place), _)| *place < most).map(|(_, is_real)| *is_real).collect();
        let real = own.iter().filter(|is_real| **is_real).count();
        let best: usize = jars
            .iter()
            .map(|jar| {
                let of_jar = || findings.iter().filter(|((of, _), _)| of == jar);
                let judged = of_jar().filter(|((_, place), _)| *place < most).count();
                judged.min(of_jar().filter(|(_, is_real)| **is_real).count())
            })
            .sum();
        let of = if most == usize::MAX { "all".to_string() } else { most.to_string() };
        let share = 100.0 * real as f64 / own.len().max(1) as f64;
        format!("{of}: {real} of {} ({share:.0} %), at best {best}", own.len())
    });
    println!("{name}: real ones among the judged of the first {}", shares.join(", "));
}

/// Prints the places of documented bugs.
fn documented(bugs: &[Documented], folder: &Path) -> anyhow::Result<()> {
    let (mut found, mut late) = (0, 0);
    for bug in bugs {
        let Some(report) = report_of(folder, &bug.jar)? else {
            println!("{}: no report of {}", bug.reference, bug.jar);
            continue;
        };
        match report.place_of(bug) {
            Some(place) => {
                found += 1;
                late += usize::from(place >= 20);
                let Ranked { findings } = &report;
                let (of, says) = (findings.len(), &findings[place].says);
                println!("{}: finding {} of {of} in {}: {says}", bug.reference, place + 1, bug.jar);
            }
            None => println!("{}: not found in {}", bug.reference, bug.jar),
        }
    }
    println!("{found} of {} documented bugs found, {late} of them after the 20th finding", bugs.len());
    Ok(())
}

/// Logistic regression with a penalty on the squares of the weights, by gradient descent. The problem is convex, so the
/// result does not depend on the initial weights.
fn fit(examples: &[&Example]) {
    const PENALTY: f64 = 0.02;
    const STEPS: usize = 20_000;
    let names: Vec<String> = Kind::ALL.iter().map(|kind| kind.name().to_string()).collect();
    let groups: Vec<String> =
        examples.iter().map(|example| example.group.clone()).collect::<BTreeSet<_>>().into_iter().collect();
    let rows: Vec<Vec<f64>> = examples
        .iter()
        .map(|example| {
            let kinds = names.iter().map(|name| f64::from(u8::from(example.kinds.contains(name))));
            let groups = groups.iter().map(|group| f64::from(u8::from(*group == example.group)));
            kinds.chain(groups).collect()
        })
        .collect();
    let width = names.len() + groups.len();
    let mut weights = vec![0.0; width];
    let count = rows.len().max(1) as f64;
    for _ in 0..STEPS {
        let mut gradient: Vec<f64> = weights.iter().map(|weight| PENALTY * weight).collect();
        for (row, example) in rows.iter().zip(examples) {
            let score: f64 = row.iter().zip(&weights).map(|(value, weight)| value * weight).sum();
            let error = 1.0 / (1.0 + (-score).exp()) - f64::from(u8::from(example.is_real));
            gradient.iter_mut().zip(row).for_each(|(slope, value)| *slope += error * value / count);
        }
        weights.iter_mut().zip(gradient).for_each(|(weight, slope)| *weight -= 0.5 * slope);
    }
    let total = |place: usize| rows.iter().filter(|row| row[place] > 0.0).count();
    let real = |place: usize| rows.iter().zip(examples).filter(|(row, it)| row[place] > 0.0 && it.is_real).count();
    for (place, name) in names.iter().chain(&groups).enumerate() {
        println!("{name}: {:+.2} ({} of {} real)", weights[place], real(place), total(place));
    }
}
