//! Certificates against the engines, and attacks on their checker.
//!
//! `cargo run --release -p asercheck-bench --bin certificates -- --models 1000` asks for certificates of all queries of
//! 1,000 random models, and lets `asercheck-verify` check them. A certificate that is accepted although an engine or
//! the execution of the model finds a violation is an error. A model is executed for the queries that no engine finds
//! violated; of those that no statement can violate, for one of sixteen. The last line has the times.
//!
//! With `--mutants 100000` and `--forgeries 1000` there are at least so many of these; one is *wrong* if it is accepted
//! with a claim that is violated. `--files` takes models from files instead.

use anyhow::{Context, bail};
use asercheck::certify::{Asked, Certificates, Claim, Unproved};
use asercheck::claim::claim;
use asercheck::model::{self, Model};
use asercheck::phases::{self, UnitMode};
use asercheck::query::Query;
use asercheck::{Bounds, Engine, Limits, Options, Verdict, check_all, syntax};
use asercheck_bench::certificates::{Donors, Lines, forgeries, lines, mutants, sealed, tidy};
use asercheck_bench::compare::{automaton_queries, lock_queries, pattern_queries};
use clap::Parser;
use generate::automata::{automata, lock_automata};
use generate::random::{self, Shape};
use generate::starts;
use limits::Meter;
use std::collections::HashMap;
use std::path::PathBuf;
use std::rc::Rc;
use std::time::{Duration, Instant};

#[derive(Parser)]
#[command(about = "Checks certificates, mutants of them and forgeries")]
struct Arguments {
    /// Number of random models.
    #[arg(long, default_value_t = 100)]
    models: u64,
    /// The first seed; the models have consecutive ones.
    #[arg(long, default_value_t = 0)]
    seed: u64,
    /// Small models: two processes, two locks, one location, few statements. Those with starts are small anyway.
    #[arg(long)]
    small: bool,
    /// Models from these files, instead of random ones.
    #[arg(long, num_args = 1..)]
    files: Vec<PathBuf>,
    /// Number of mutants.
    #[arg(long, default_value_t = 0)]
    mutants: usize,
    /// Number of forgeries.
    #[arg(long, default_value_t = 0)]
    forgeries: usize,
    /// The most states of an execution.
    #[arg(long, default_value_t = 20_000)]
    states: usize,
    /// Seconds for a query.
    #[arg(long, default_value_t = 5)]
    timeout: u64,
}

/// The name of a query: its automaton, units, locations, locks, processes.
type Name = (String, bool, Vec<String>, Vec<String>, Vec<String>);

#[derive(Debug, Default)]
struct Counts {
    models: usize,
    queries: usize,
    safe: usize,
    accepted: usize,
    missing: usize,
    executed: usize,
    mutants: usize,
    mutants_accepted: usize,
    other_claims: usize,
    forgeries: usize,
    wrong: Vec<String>,
    times: Times,
}

/// The time of the engines, of executions, of proofs, and of the checker.
#[derive(Debug, Default)]
struct Times {
    engines: Duration,
    executions: Duration,
    proofs: Duration,
    checker: Duration,
}

/// Runs something and adds its time.
fn timed<T>(time: &mut Duration, run: impl FnOnce() -> T) -> T {
    let begin = Instant::now();
    let result = run();
    *time += begin.elapsed();
    result
}

/// A model with its queries, verdicts and certificates of one query each.
struct Subject {
    text: String,
    automata: String,
    /// Whether a query is safe; queries without a verdict are left out.
    safe: HashMap<Name, bool>,
    certificates: Vec<(Name, Lines)>,
}

fn main() -> anyhow::Result<()> {
    let arguments = Arguments::parse();
    fastrand::seed(arguments.seed);
    let mut counts = Counts::default();
    let mut donors = Donors::default();
    let mut number = 0;
    while let Some((name, text)) = text(&arguments, number)? {
        let subject = subject(&name, &text, arguments.seed + number, &arguments, &mut counts)?;
        counts.models += 1;
        number += 1;
        if arguments.mutants > 0 {
            mutate(&name, &subject, &mut donors, &arguments, &mut counts);
        }
        if arguments.forgeries > 0 {
            forge(&name, &subject, arguments.seed + number, &mut counts)?;
        }
        if number % 50 == 0 {
            eprintln!("{number}: {}", summary(&counts));
        }
        if !counts.wrong.is_empty() {
            break;
        }
    }
    println!("{}", summary(&counts));
    println!("{:.1?}", counts.times);
    match counts.wrong.first() {
        Some(wrong) => bail!("{wrong}"),
        None => Ok(()),
    }
}

fn summary(counts: &Counts) -> String {
    format!(
        "{} models, {} queries, {} safe, {} certificates accepted, {} safe without, {} executed; {} mutants, {} \
         accepted with a claim of the original, {} with another true claim; {} forgeries; {} wrong",
        counts.models,
        counts.queries,
        counts.safe,
        counts.accepted,
        counts.missing,
        counts.executed,
        counts.mutants,
        counts.mutants_accepted,
        counts.other_claims,
        counts.forgeries,
        counts.wrong.len()
    )
}

/// The next model; none after the last one.
fn text(arguments: &Arguments, number: u64) -> anyhow::Result<Option<(String, String)>> {
    if !arguments.files.is_empty() {
        let Some(file) = arguments.files.get(number as usize) else { return Ok(None) };
        let text = std::fs::read_to_string(file).with_context(|| file.display().to_string())?;
        return Ok(Some((file.display().to_string(), text)));
    }
    let seed = arguments.seed + number;
    Ok((number < arguments.models).then(|| (format!("seed {seed}"), random_model(seed, arguments.small))))
}

/// A random model with any of the constructs; a small one has few queries, so that many models take little time.
fn random_model(seed: u64, is_small: bool) -> String {
    let shape = match seed % 5 {
        0 => Shape::of_seed(seed),
        1 => Shape::with_modes(seed),
        2 => Shape::with_overlap(seed),
        3 => Shape::with_recursion(seed),
        _ => return starts::model(seed),
    };
    let small = Shape {
        processes: 2,
        functions: shape.functions.min(2),
        locks: shape.locks.min(2),
        locations: 1,
        statements: shape.statements.min(5),
        ..shape
    };
    random::model(seed, if is_small { &small } else { &shape })
}

fn name(claim: &Claim, units: UnitMode) -> Name {
    let name = match &claim.question {
        Asked::Pattern(number) => number.to_string(),
        Asked::Race => "race".into(),
        Asked::Deadlock => format!("deadlock{}", claim.locks.len()),
        Asked::Automaton(automaton) => automaton.name().to_string(),
    };
    (name, units == UnitMode::Both, claim.locations.clone(), claim.locks.clone(), claim.processes.clone())
}

/// Decides all queries of a model, and has their certificates checked.
fn subject(name: &str, text: &str, seed: u64, arguments: &Arguments, counts: &mut Counts) -> anyhow::Result<Subject> {
    let loaded = model::from_text(name, text).map_err(|error| anyhow::anyhow!("{name}: {error}"))?.model;
    let asked = if seed.is_multiple_of(2) { automata(seed) } else { lock_automata(seed) };
    let automata: String = asked.iter().map(ToString::to_string).collect();
    let mut subject = Subject { text: text.into(), automata, safe: HashMap::new(), certificates: Vec::new() };
    let own = lock_queries(&loaded).into_iter().chain(automaton_queries(&loaded, asked)).collect();
    for (units, queries) in [
        (UnitMode::Both, pattern_queries(&loaded, UnitMode::Both)),
        (UnitMode::First, pattern_queries(&loaded, UnitMode::First)),
        (UnitMode::Both, own),
    ] {
        decide(name, &mut subject, &loaded, &queries, units, arguments, counts)?;
    }
    Ok(subject)
}

fn decide(
    name: &str,
    subject: &mut Subject,
    model: &Model,
    queries: &[Query],
    units: UnitMode,
    arguments: &Arguments,
    counts: &mut Counts,
) -> anyhow::Result<()> {
    let limits = Limits::default().with_timeout(Duration::from_secs(arguments.timeout));
    let options = Options::default().with_limits(limits.clone());
    let outcomes = timed(&mut counts.times.engines, || check_all(model, queries, &options, |_, _| {}))?;
    let claims: Vec<Claim> = queries.iter().map(|query| claim(model, query)).collect();
    // Attacks change certificates of one query each.
    let size = if arguments.mutants + arguments.forgeries > 0 { 1 } else { claims.len().max(1) };
    let proved = claims.chunks(size).map(|claims| prove(subject, claims, units, &limits, &mut counts.times));
    let proved = proved.collect::<anyhow::Result<Vec<_>>>()?.into_iter().flatten();
    let answers = claims.iter().zip(outcomes).zip(proved).map(|((claim, outcome), proved)| Answer {
        key: self::name(claim, units),
        outcome: outcome.verdict,
        proved,
        is_same_in_both: units == UnitMode::First && is_same(&claim.question),
    });
    let answers: Vec<Answer> = answers.collect();
    let is_executed: Vec<bool> = answers.iter().map(is_executed).collect();
    let some = |all: &[Query]| -> Vec<Query> {
        all.iter().zip(&is_executed).filter(|(_, is)| **is).map(|(query, _)| query.clone()).collect()
    };
    let executed = options.with_engine(Engine::Interleave);
    let executed = executed.with_bounds(Bounds { states: arguments.states, instances: 8, ..Bounds::default() });
    let executions = timed(&mut counts.times.executions, || check_all(model, &some(queries), &executed, |_, _| {}))?;
    let mut executions = executions.into_iter().map(|outcome| outcome.verdict);
    let before = counts.missing;
    for (answer, is_executed) in answers.into_iter().zip(is_executed) {
        let execution = if is_executed { executions.next() } else { None };
        judge_answer(name, subject, answer, execution, counts);
    }
    if counts.missing > before {
        eprintln!("{}{}", subject.text, subject.automata);
    }
    Ok(())
}

/// The verdict of the engines, and the certificate.
struct Answer {
    key: Name,
    outcome: Verdict,
    proved: Result<Proof, Unproved>,
    /// Whether the mode of units makes no difference, and the other mode was asked before.
    is_same_in_both: bool,
}

/// The proof of a query in a certificate.
struct Proof {
    certificate: Rc<String>,
    /// Whether it is the only one of the certificate.
    is_alone: bool,
    /// Whether some case is refuted by invariants.
    has_invariants: bool,
    /// What the checker says about the query.
    checked: String,
}

/// Proves claims with one certificate, as the command does, and has it checked.
fn prove(
    subject: &Subject,
    claims: &[Claim],
    units: UnitMode,
    limits: &Limits,
    times: &mut Times,
) -> anyhow::Result<Vec<Result<Proof, Unproved>>> {
    let program = syntax::parse(&subject.text).ok().context("the model was read before")?;
    let mut certificates = Certificates::new(&program, units);
    let mut add = |claim| certificates.add(claim, &Meter::start(limits));
    let proved: Vec<_> = timed(&mut times.proofs, || claims.iter().map(&mut add).collect());
    let certificate = Rc::new(certificates.finish());
    let verify = || verify::verify(&subject.text, &certificate, &[&subject.automata]);
    let answers = match timed(&mut times.checker, verify) {
        Ok(answers) => answers.iter().map(ToString::to_string).collect(),
        Err(error) => vec![format!("{error:?}"); claims.len()],
    };
    // The lines of a query, and of the invariants of the next one.
    let has_invariants: Vec<bool> =
        certificate.split("\nquery ").skip(1).map(|lines| lines.contains("\nrefuted")).collect();
    let mut queries = has_invariants.into_iter().zip(answers);
    let mut proof = |()| {
        let (has_invariants, checked) = queries.next().unwrap_or((true, "no answer".into()));
        Proof { certificate: certificate.clone(), is_alone: claims.len() == 1, has_invariants, checked }
    };
    Ok(proved.into_iter().map(|proved| proved.map(&mut proof)).collect())
}

/// Whether the second thread has no unit in either mode.
fn is_same(question: &Asked) -> bool {
    let Asked::Pattern(number) = question else { return false };
    let automaton = |units| phases::patterns::pattern(*number).map(|pattern| pattern.automaton(units).clone());
    automaton(UnitMode::Both) == automaton(UnitMode::First)
}

/// Whether the model is executed for a query. It is not if the engines found a violation, which refutes a certificate
/// as well, nor if the other mode of units asks the same. If no statement can perform an event, and the certificate
/// says so (A), one of sixteen is executed.
fn is_executed(answer: &Answer) -> bool {
    if matches!(answer.outcome, Verdict::Violation(_)) || answer.is_same_in_both {
        return false;
    }
    let is_plain = answer.proved.as_ref().is_ok_and(|proof| !proof.has_invariants);
    !is_plain || fastrand::u8(..16) == 0
}

/// Counts the answer to a query, and has its certificate checked.
fn judge_answer(name: &str, subject: &mut Subject, answer: Answer, execution: Option<Verdict>, counts: &mut Counts) {
    let Answer { key, outcome, proved, .. } = answer;
    let is_found = matches!(execution, Some(Verdict::Violation(_)));
    let is_violated = is_found || matches!(outcome, Verdict::Violation(_));
    let is_safe = matches!(outcome, Verdict::Safe);
    counts.queries += 1;
    counts.safe += usize::from(is_safe);
    counts.executed += usize::from(execution.is_some_and(|verdict| !matches!(verdict, Verdict::Unknown(_))));
    if is_safe && is_found {
        eprintln!("{name}: an engine says safe, and the execution shows a violation: {key:?}\n{}", subject.text);
    }
    match proved {
        Err(reason) if is_safe => {
            counts.missing += 1;
            eprintln!("{name}: safe without a certificate: {key:?}: {reason}");
        }
        Err(_) => {}
        Ok(Proof { certificate, is_alone, checked: answer, .. }) => {
            let text = &subject.text;
            if !answer.ends_with(": accepted") {
                counts.wrong.push(format!("{name}: a certificate is refused: {answer}\n{certificate}\n{text}"));
            } else if is_violated {
                counts.wrong.push(format!("{name}: a violated query is accepted: {answer}\n{certificate}\n{text}"));
            } else {
                counts.accepted += 1;
                if is_alone {
                    subject.certificates.push((key.clone(), lines(&certificate)));
                }
            }
        }
    }
    if is_safe || is_violated {
        subject.safe.insert(key, !is_violated);
    }
}

/// The names of the queries that are accepted.
fn accepted(subject: &Subject, certificate: &str) -> Vec<Name> {
    let answers = verify::verify(&subject.text, certificate, &[&subject.automata]).unwrap_or_default();
    let answers = answers.into_iter().filter(|answer| answer.refusal.is_none());
    answers.map(|it| (it.query, it.both, it.locations, it.locks, it.processes)).collect()
}

/// Checks mutants of some certificates of a subject.
fn mutate(name: &str, subject: &Subject, donors: &mut Donors, arguments: &Arguments, counts: &mut Counts) {
    let share = arguments.mutants / (arguments.models as usize).max(arguments.files.len()).max(1) + 1;
    subject.certificates.iter().for_each(|(_, lines)| donors.add(lines));
    let goal = counts.mutants + share;
    for _ in 0..subject.certificates.len() {
        if counts.mutants >= goal {
            break;
        }
        let (claim, original) = &subject.certificates[fastrand::usize(..subject.certificates.len())];
        // Else the attacks would be refused for a reason that has nothing to do with the conditions.
        if !accepted(subject, &sealed(original)).contains(claim) {
            counts.wrong.push(format!("{name}: a certificate is refused as it is written again: {claim:?}"));
            break;
        }
        let mut all = mutants(original, donors, 2);
        fastrand::shuffle(&mut all);
        for mut mutant in all.into_iter().take(share.div_ceil(6).max(20)) {
            for repaired in [false, true] {
                if repaired {
                    let before = mutant.clone();
                    tidy(&mut mutant);
                    if mutant == before {
                        continue;
                    }
                }
                let certificate = sealed(&mutant);
                counts.mutants += 1;
                for found in accepted(subject, &certificate) {
                    match subject.safe.get(&found) {
                        _ if found == *claim => counts.mutants_accepted += 1,
                        Some(true) => counts.other_claims += 1,
                        Some(false) => {
                            counts
                                .wrong
                                .push(format!("{name}: a mutant proves {found:?}\n{certificate}\n{}", subject.text));
                        }
                        None => eprintln!("{name}: a mutant proves a query that is not asked: {found:?}"),
                    }
                }
            }
        }
    }
}

/// Checks forgeries for the violated queries of a subject.
fn forge(name: &str, subject: &Subject, seed: u64, counts: &mut Counts) -> anyhow::Result<()> {
    let true_ones: Vec<Lines> = subject.certificates.iter().map(|(_, lines)| lines.clone()).collect();
    let violated: Vec<&Name> = subject.safe.iter().filter(|(_, safe)| !**safe).map(|(name, _)| name).collect();
    for claim in violated.iter().take(40) {
        for forgery in forgeries(&query_line(claim), &true_ones) {
            judge(name, subject, &sealed(&forgery), counts);
        }
        // The certificate of a similar safe query, with the names of this one.
        for (similar, lines) in subject.certificates.iter().filter(|(other, _)| is_similar(other, claim)).take(10) {
            let mut lines = lines.clone();
            let cases = lines.last().map(|line| line["cases"].clone());
            let both = similar.1 || claim.1;
            lines[0]["units"] = serde_json::json!(if both { "both" } else { "first" });
            if let (Some(last), Some(cases)) = (lines.last_mut(), cases) {
                *last = query_line(claim);
                last["cases"] = cases;
            }
            judge(name, subject, &sealed(&lines), counts);
            for line in lines.iter_mut().filter(|line| line.get("invariant").is_some()) {
                let blocks = line["blocks"].as_array_mut().into_iter().flatten();
                for block in blocks.filter(|block| block.get("process").is_some()) {
                    if let Some((_, new)) = similar.4.iter().zip(&claim.4).find(|(old, _)| block["process"] == ***old) {
                        block["process"] = serde_json::json!(new);
                    }
                }
            }
            judge(name, subject, &sealed(&lines), counts);
        }
    }
    // Certificates of models that differ in a word.
    for _ in 0..10 {
        let Some(twin) = twin(&subject.text) else { continue };
        let Ok(loaded) = model::from_text("twin", &twin) else { continue };
        let program = syntax::parse(&twin).ok().context("the model was read before")?;
        let asked = if (seed - 1).is_multiple_of(2) { automata(seed - 1) } else { lock_automata(seed - 1) };
        let own = lock_queries(&loaded.model).into_iter().chain(automaton_queries(&loaded.model, asked));
        let queries = pattern_queries(&loaded.model, UnitMode::Both).into_iter().chain(own);
        for query in queries {
            let claim = claim(&loaded.model, &query);
            let key = self::name(&claim, UnitMode::Both);
            if subject.safe.get(&key) != Some(&false) {
                continue;
            }
            let mut certificates = Certificates::new(&program, UnitMode::Both);
            if certificates.add(&claim, &Meter::start(&Limits::default())).is_ok() {
                judge(name, subject, &certificates.finish(), counts);
            }
        }
    }
    Ok(())
}

/// The same numbers of parameters.
fn is_similar(one: &Name, other: &Name) -> bool {
    one != other && (one.2.len(), one.3.len(), one.4.len()) == (other.2.len(), other.3.len(), other.4.len())
}

fn query_line(claim: &Name) -> serde_json::Value {
    let (query, _, locations, locks, processes) = claim;
    serde_json::json!({"query": query, "processes": processes, "locations": locations, "locks": locks, "cases": []})
}

fn judge(name: &str, subject: &Subject, certificate: &str, counts: &mut Counts) {
    counts.forgeries += 1;
    for found in accepted(subject, certificate) {
        if subject.safe.get(&found) == Some(&false) {
            counts.wrong.push(format!("{name}: a forgery proves {found:?}\n{certificate}\n{}", subject.text));
        }
    }
}

/// The model with one word of a statement exchanged with another word of the same kind.
fn twin(text: &str) -> Option<String> {
    let words: Vec<&str> = text.split_inclusive([' ', '\n']).collect();
    let kind = |word: &str| match word.trim_matches(|c: char| c.is_whitespace() || c == ';') {
        "read" | "write" => Some('a'),
        name => name.chars().next().filter(|_| name.len() > 1 && name[1..].bytes().all(|byte| byte.is_ascii_digit())),
    };
    let first = text.find('{').map_or(0, |at| text[..at].split_inclusive([' ', '\n']).count());
    let some: Vec<usize> = (first..words.len()).filter(|at| kind(words[*at]).is_some()).collect();
    let at = some.get(fastrand::usize(..some.len().max(1)))?;
    let others: Vec<&usize> =
        some.iter().filter(|other| kind(words[**other]) == kind(words[*at]) && words[**other] != words[*at]).collect();
    let other = others.get(fastrand::usize(..others.len().max(1)))?;
    let mut twin = words.clone();
    twin[*at] = words[**other];
    Some(twin.concat())
}
