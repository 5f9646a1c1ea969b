//! Findings in the Static Analysis Results Interchange Format, SARIF 2.1.0 (OASIS, 2020).
//!
//! A log has one run for all models, since consumers accept few runs. The run has a rule for each property that was
//! asked, and a result for each finding. A result is located at the violated unit of work, and has the accesses as
//! related locations; without a unit, as for a race, it is located at the first access. It has one code flow, with a
//! thread flow for each thread that acts. `executionOrder` gives the order of the interleaving over all thread flows;
//! the held locks and the open units are the `state` of each location. `partialFingerprints` has the fingerprint, and
//! `rank` is 100 times the rank of the finding. Undecided queries and unreadable files are notifications of the
//! invocation.

use super::narrative::{Row, Steps, rows};
use super::outline::{Checked, Outline, file, not_decided, not_read};
use super::places::offset;
use asercheck::answers::{QueryRecord, Summary, VerdictKind};
use asercheck::audit::ClassVerdict;
use asercheck::findings::Group;
use asercheck::query::Property;
use asercheck::records::Unread;
use asercheck::witness::{Action, Step};
use indexmap::IndexSet;
use rustc_hash::FxBuildHasher;
use serde::{Serialize, Serializer};
use serde_json::{Map, Value, json};

/// The address of the schema of the format.
const SCHEMA: &str = "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json";

/// The name under which consumers keep fingerprints; its number changes with the definition of fingerprints.
const FINGERPRINT: &str = "asercheckCause/v1";

/// Number of steps from which on only the essential ones are written, as in tables: consumers reject very long flows.
const WRITTEN_OUT: usize = 100;

/// Returns the log of the findings of models, some of which could not be read. `exit_code` is that of the command.
/// Results are made one by one while they are written, so that thousands of them take no more memory than one.
pub fn sarif_report(models: &[Checked<'_>], unread: Unread<'_>, exit_code: u8) -> impl Serialize {
    Log { schema: SCHEMA, version: "2.1.0", runs: [run(models, unread, exit_code)] }
}

#[derive(Serialize)]
struct Log<'a> {
    #[serde(rename = "$schema")]
    schema: &'static str,
    version: &'static str,
    runs: [Run<'a>; 1],
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Run<'a> {
    tool: Value,
    column_kind: &'static str,
    artifacts: Value,
    invocations: Value,
    results: Results<'a>,
    properties: Value,
}

/// The results of all models, made while they are written.
struct Results<'a> {
    models: &'a [Checked<'a>],
    labels: Vec<&'a str>,
}

impl Serialize for Results<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let of = |model| Outline::all(model).map(move |outline| Checked::result(model, &outline, &self.labels));
        serializer.collect_seq(self.models.iter().flat_map(of))
    }
}

fn run<'a>(models: &'a [Checked<'a>], unread: Unread<'_>, exit_code: u8) -> Run<'a> {
    let labels = labels(models);
    let properties = || models.iter().flat_map(|model| model.properties);
    let rule_of = |label: &&str| {
        let property = properties().find(|property| property.label() == *label);
        property.map_or_else(|| plain_rule(label), |property| rule(property))
    };
    let rules: Vec<_> = labels.iter().map(rule_of).collect();
    let version = env!("CARGO_PKG_VERSION");
    let artifacts = models.iter().flat_map(|model| model.artifacts);
    let artifact = |path: &String| json!({ "location": { "uri": uri(path) }, "roles": ["analysisTarget"] });
    // An open class of a Java program is no error.
    let is_decided = |model: &Checked<'_>| model.counts.subjects.is_some() || model.counts.undecided.count() == 0;
    let is_decided = models.iter().all(|model| is_decided(model) && model.report.ended.is_none());
    Run {
        tool: json!({ "driver": { "name": "asercheck", "version": version, "semanticVersion": version, "rules": rules } }),
        column_kind: "unicodeCodePoints",
        artifacts: artifacts.map(artifact).collect(),
        invocations: json!([{
            "executionSuccessful": is_decided && !unread.leaves_open() && exit_code <= 1,
            "exitCode": exit_code,
            "toolExecutionNotifications": notifications(models, unread),
        }]),
        results: Results { models, labels },
        properties: properties_of(models),
    }
}

/// Returns the labels of the properties that were asked, then those of other violations: deadlocks of each number of
/// locks.
fn labels<'a>(models: &'a [Checked<'a>]) -> Vec<&'a str> {
    let asked = models.iter().flat_map(|model| model.properties).map(|property| property.label());
    let shown = |model: &'a Checked<'a>| {
        let report = model.report;
        report.findings.iter().map(move |finding| report.queries[finding.shown()].automaton.as_str())
    };
    let labels: IndexSet<&str, FxBuildHasher> = asked.chain(models.iter().flat_map(shown)).collect();
    labels.into_iter().collect()
}

/// Returns the notifications: files that could not be read, and undecided queries.
fn notifications(models: &[Checked<'_>], unread: Unread<'_>) -> Vec<Value> {
    let level = if unread.is_ignored { "warning" } else { "error" };
    let problem = |problem: &asercheck::records::ProblemRecord| {
        json!({
            "level": level,
            "message": { "text": format!("Not read: {}: {}", problem.path, problem.message) },
            "locations": [{ "physicalLocation": { "artifactLocation": { "uri": uri(&problem.path) } } }],
        })
    };
    unread.problems.iter().map(problem).chain(models.iter().flat_map(Checked::undecided)).collect()
}

/// Returns the engine and the counts of all models; for several models, also the counts of each.
fn properties_of(models: &[Checked<'_>]) -> Value {
    let mut sum = Summary::default();
    for Summary { queries, safe, violation, unknown, seconds } in models.iter().map(|model| model.report.summary) {
        sum.queries += queries;
        sum.safe += safe;
        sum.violation += violation;
        sum.unknown += unknown;
        sum.seconds += seconds;
    }
    let mut properties = json!({ "summary": sum });
    if let Some(first) = models.first() {
        properties["engine"] = json!(first.report.engine);
        properties["units"] = json!(first.report.units);
    }
    if let Some(subjects) = models.first().and_then(|model| model.counts.subjects) {
        let one = |(verdict, count): (ClassVerdict, usize)| (verdict.name().to_string(), json!(count));
        properties["classes"] = subjects.into_iter().map(one).collect::<Map<_, _>>().into();
    }
    if models.len() > 1 {
        let each = |model: &Checked<'_>| json!({ "model": model.report.model, "summary": model.report.summary });
        properties["models"] = models.iter().map(each).collect();
    }
    properties
}

impl Checked<'_> {
    /// Returns the notifications for undecided queries.
    fn undecided(&self) -> Vec<Value> {
        let level = if self.counts.subjects.is_some() { "note" } else { "warning" };
        let open = self.report.queries.iter().filter(|record| record.verdict == VerdictKind::Unknown);
        let one = |record: &QueryRecord| {
            let mut one = json!({ "level": level, "message": { "text": not_decided(self, record) } });
            // The open parts of a Java class have no rule.
            if self.counts.subjects.is_none() {
                one["associatedRule"] = json!({ "id": rule_id(&record.automaton) });
            }
            one
        };
        let unread = not_read(self.report).map(|text| json!({ "level": "warning", "message": { "text": text } }));
        unread.into_iter().chain(open.map(one)).collect()
    }

    /// Returns the result for a finding; rules are in the order of the labels.
    fn result(&self, outline: &Outline<'_>, labels: &[&str]) -> Value {
        let index = labels.iter().position(|label| *label == outline.record.automaton);
        let steps = outline.place().into_iter().chain(outline.related());
        let mut locations = steps.enumerate().map(|(place, step)| {
            let mut location = self.location(step, Some(&words_of(step)));
            location.insert("id".into(), json!(place));
            location
        });
        let first: Vec<_> = locations.next().into_iter().collect();
        let mut result = json!({
            "ruleId": rule_id(&outline.record.automaton),
            "level": if outline.is_error() { "error" } else { "warning" },
            "message": { "text": outline.message },
            "locations": first,
            "relatedLocations": locations.collect::<Vec<_>>(),
            "codeFlows": [{ "message": { "text": outline.title }, "threadFlows": self.flows(outline) }],
            "partialFingerprints": { FINGERPRINT: outline.finding.fingerprint },
            "occurrenceCount": outline.finding.queries.len(),
            "rank": outline.finding.rank * 100.0,
            "properties": {
                "group": outline.finding.group,
                "locations": outline.record.locations,
                "locks": outline.record.locks,
                "processes": outline.record.processes,
            },
        });
        if let (Some(index), Some(members)) = (index, result.as_object_mut()) {
            members.insert("ruleIndex".into(), json!(index));
        }
        result
    }

    /// Returns a thread flow for each thread that acts.
    fn flows(&self, outline: &Outline<'_>) -> Vec<Value> {
        let witness = outline.witness;
        let is_long = witness.steps.len() > WRITTEN_OUT;
        let rows = rows(witness, if is_long { Steps::Essential } else { Steps::All });
        let flow = |(thread, name): (usize, &String)| {
            let own = rows.iter().filter(|row| row.narrated().step.thread == thread);
            let locations: Vec<_> = own.map(|row| self.flow_location(row)).collect();
            // A flow has at least one location.
            (!locations.is_empty()).then(|| json!({ "id": name, "message": { "text": name }, "locations": locations }))
        };
        witness.threads.iter().enumerate().filter_map(flow).collect()
    }

    fn flow_location(&self, row: &Row<'_>) -> Value {
        let narrated = row.narrated();
        let words = match row {
            Row::Step(narrated) => narrated.words.clone(),
            Row::Folded(steps, _) => format!("… {steps} steps"),
        };
        let importance = match (narrated.step.event, narrated.step.action) {
            (Some(_), _) => "essential",
            (None, Action::Acquire | Action::Release | Action::Begin | Action::End | Action::Start | Action::Wants) => {
                "important"
            }
            (None, Action::Wait | Action::Resume) => "important",
            (None, Action::Read | Action::Write | Action::Call | Action::Return) => "unimportant",
        };
        json!({
            "location": self.location(narrated.step, Some(&words)),
            "executionOrder": narrated.number,
            "nestingLevel": narrated.depth,
            "importance": importance,
            "kinds": kinds(narrated.step.action),
            "state": { "holds": { "text": narrated.holds.join(", ") }, "units": { "text": narrated.units.to_string() } },
        })
    }

    fn location(&self, step: &Step, message: Option<&str>) -> Map<String, Value> {
        let mut physical = json!({ "artifactLocation": { "uri": uri(file(step, &self.report.model)) } });
        // Without a line there is no region.
        if offset(step).is_none() {
            let mut region = json!({ "startLine": step.line.max(1), "startColumn": step.column.max(1) });
            if let Some(line) = self.sources.line(step) {
                region["snippet"] = json!({ "text": line });
            }
            physical["region"] = region;
        }
        let mut location = Map::new();
        location.insert("physicalLocation".into(), physical);
        location
            .insert("logicalLocations".into(), json!([{ "fullyQualifiedName": step.function, "kind": "function" }]));
        if let Some(message) = message {
            location.insert("message".into(), json!({ "text": message }));
        }
        location
    }
}

/// Returns the rule of a property: a pattern, races, deadlocks, or an automaton of the user's.
fn rule(property: &Property) -> Value {
    let group = Group::of(property.label());
    let mut rule = plain_rule(property.label());
    let (name, meaning) = match property.pattern() {
        Some(pattern) => (pattern.automaton(phases::UnitMode::Both).name().to_string(), pattern.meaning().to_string()),
        None => (property.label().to_string(), group.name().to_string()),
    };
    let level = if group.severity() >= Group::Race.severity() { "error" } else { "warning" };
    let accesses = super::summary::accesses(property.automaton());
    if let Some(pattern) = property.pattern() {
        rule["help"] = help_of_pattern(pattern.number(), &accesses);
    }
    rule["name"] = json!(name);
    rule["shortDescription"]["text"] = json!(format!("{}: {meaning}", group.name()));
    rule["fullDescription"]["text"] = json!(format!("{}: {meaning} ({accesses})", group.name()));
    rule["defaultConfiguration"]["level"] = json!(level);
    rule
}

/// Returns the rule of a property of which only the label is known.
fn plain_rule(label: &str) -> Value {
    let group = Group::of(label);
    let name = group.name();
    let mut rule = json!({
        "id": rule_id(label),
        "name": label,
        "shortDescription": { "text": name },
        "fullDescription": { "text": name },
        "defaultConfiguration": { "level": "error" },
        "properties": { "tags": ["concurrency", group] },
    });
    if let Some(page) = page_about(group) {
        rule["helpUri"] = json!(page);
    }
    rule
}

/// Returns a public page about what goes wrong. The standard wants an absolute address [3.49.12]; the book, which
/// describes the patterns, has none, so that they have a [help text](help_of_pattern) instead.
fn page_about(group: Group) -> Option<&'static str> {
    match group {
        Group::Race => Some("https://cwe.mitre.org/data/definitions/362.html"),
        Group::Deadlock => Some("https://cwe.mitre.org/data/definitions/833.html"),
        _ => None,
    }
}

/// Returns a help text that names the section of the book about a pattern, and the command that shows it.
fn help_of_pattern(number: usize, accesses: &str) -> Value {
    let heading = format!("{number}: {accesses}");
    // mdBook makes anchors of headings in this way.
    let anchor = heading.to_lowercase().replace(['(', ')', ':'], "").replace(' ', "-");
    let command = format!("asercheck explain {number}");
    json!({
        "text": format!("`{command}` describes the pattern, as does the book: docs/patterns.md, section {heading}."),
        "markdown": format!("`{command}` describes the pattern, as does [the book](docs/patterns.md#{anchor})."),
    })
}

/// Returns the identifier of a rule: `pattern-12`, `race`, `automaton-skew`.
fn rule_id(label: &str) -> String {
    super::listing::kind(label).replace(' ', "-")
}

/// Describes a step without the steps of its thread before it.
fn words_of(step: &Step) -> String {
    let object = step.object.as_deref().map_or_else(String::new, |object| format!(" {object}"));
    format!("{}{object}", step.action.name())
}

/// Returns the words of the standard for the action of a step; the standard has none for some actions.
fn kinds(action: Action) -> Vec<&'static str> {
    match action {
        Action::Acquire | Action::Resume => vec!["acquire", "lock"],
        Action::Release | Action::Wait => vec!["release", "lock"],
        Action::Wants => vec!["lock"],
        Action::Read | Action::Write => vec!["memory"],
        Action::Begin => vec!["enter"],
        Action::End => vec!["exit"],
        Action::Call => vec!["call", "function"],
        Action::Return => vec!["return", "function"],
        Action::Start => vec!["call"],
    }
}

/// Converts a path to a URI reference: relative, or with the scheme `file`; other characters are percent-encoded (RFC
/// 3986).
fn uri(path: &str) -> String {
    let path = if path == "<stdin>" { "stdin" } else { path };
    let path = if cfg!(windows) { path.replace('\\', "/") } else { path.to_string() };
    let mut text = String::from(if path.starts_with('/') { "file://" } else { "" });
    for byte in path.bytes() {
        let is_plain = byte.is_ascii_alphanumeric() || b"-._~/!$&'()*+,;=@".contains(&byte);
        if is_plain {
            text.push(char::from(byte));
        } else {
            text.push_str(&format!("%{byte:02X}"));
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use super::uri;

    #[test]
    fn paths_are_references() {
        assert_eq!(uri("models/a b#1%.eml"), "models/a%20b%231%25.eml");
        assert_eq!(uri("/tmp/ü.eml"), "file:///tmp/%C3%BC.eml");
        // A first segment with a colon would be read as a scheme.
        assert_eq!(uri("c:x.eml"), "c%3Ax.eml");
        assert_eq!(uri("<stdin>"), "stdin");
    }
}
