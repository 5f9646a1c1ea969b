//! The page: tables and plots in one file that needs no other file.

use super::super::merge::Merged;
use super::data::Data;
use super::figure::{Figure, STYLE};
use super::findings::{self, Part};
use super::success::Success;
use super::totals::Totals;
use super::units::{mebibytes, seconds};
use crate::report::in_threes;
use asercheck::answers::VerdictKind;
use maud::{Markup, html};

/// Largest number of undecided queries that are listed; the sheet of queries has all of them.
const LISTED: usize = 200;

/// Returns the text of the page.
pub(super) fn page(batch: &Merged, data: &Data, figures: &[Figure], parts: &[Part]) -> String {
    let has_findings = parts.iter().any(|part| !part.report.findings.is_empty());
    let plots = |prefix: &str| figures.iter().filter(|figure| figure.name.starts_with(prefix)).collect::<Vec<_>>();
    let body = html! {
        h1 { "Report of a batch" }
        (summary(batch, data))
        (disagreements(batch))
        h2 { "Totals" }
        (totals(data))
        @if data.engines.len() > 1 { (comparisons(data, &plots("scatter"))) }
        h2 { "Time and memory" }
        .plots { @for figure in plots("all-") { (figure.inline()) } }
        h2 { "Models" }
        (verdicts(parts))
        @if has_findings {
            p { "What is wrong in them, with interleavings: " a href=(findings::PAGE) { (findings::PAGE) } "." }
        }
        (models(batch, data))
        (undecided(data))
        h2 { "Files" }
        p { "The same as files beside this page: " (files(figures, has_findings)) "." }
    };
    crate::report::page("asercheck: report of a batch", &[STYLE], &body, &html! {})
}

fn count(number: usize) -> String {
    in_threes(&number.to_string())
}

/// Writes a summary: the queries that were asked, and the number of answers.
fn summary(batch: &Merged, data: &Data) -> Markup {
    let header = &batch.header;
    let of = |verdict| data.rows.iter().filter(|row| row.verdict() == verdict).count();
    let missing = header.expected().saturating_sub(batch.records.len());
    let unlisted: usize = header.models.iter().map(|model| model.unlisted).sum();
    html! {
        p {
            (count(data.rows.len())) " queries on " (header.models.len()) " models, units "
            (header.units.join(" and ")) ", decided by " (header.engines.join(", ")) ": "
            (count(of(VerdictKind::Safe))) " safe, " (count(of(VerdictKind::Violation))) " violations, "
            (count(of(VerdictKind::Unknown))) " decided by no engine."
            @if unlisted > 0 { " " (count(unlisted)) " more are safe since nothing in the models can violate them." }
        }
        p {
            "Each query may take " (header.timeout.map_or("any time".to_string(), |time| format!("{time} s")))
            " and " (header.memory.map_or("any memory".to_string(), |memory| format!("{} MiB", mebibytes(memory))))
            @if header.separate { "; each was decided on its own" }
            @else { "; the queries of one model share work, which counts for the first that needs it" }
            ". asercheck " (header.version) "."
        }
        @if let Some(shard) = &header.shard { p { "This is part " (shard) " of a batch." } }
        @if missing > 0 && header.shard.is_none() {
            p.wrong { "The batch is not complete: " (count(missing)) " results are missing." }
        }
    }
}

fn disagreements(batch: &Merged) -> Markup {
    html! {
        @if !batch.disagreements.is_empty() {
            .wrong {
                h2 { "Engines disagree" }
                ul { @for disagreement in &batch.disagreements { li { (disagreement) } } }
            }
        }
    }
}

fn totals(data: &Data) -> Markup {
    html! {
        .wide { table {
            caption { "Each engine over all queries" }
            thead { tr {
                @for name in ["engine", "queries", "safe", "violation", "timeout", "out of memory", "other", "seconds",
                              "longest (s)", "peak (MiB)"] { th scope="col" { (name) } }
            } }
            tbody { @for (engine, name) in data.engines.iter().enumerate() {
                @let own = Totals::new(data, engine, None);
                tr {
                    th scope="row" { (name) }
                    @for number in [own.queries, own.safe, own.violation, own.timeout, own.memory, own.other] {
                        td { (count(number)) }
                    }
                    td { (seconds(own.seconds)) }
                    td { (seconds(own.longest)) }
                    td { (own.peak.map_or("not measured".to_string(), mebibytes)) }
                }
            } }
        } }
    }
}

/// Writes the tables of successful engines, for each pair and for all together, and the plots of the pairs.
fn comparisons(data: &Data, plots: &[&Figure]) -> Markup {
    html! {
        h2 { "Engines compared" }
        p {
            "Total seconds, by which engine succeeded. A query that is not decided counts with the time after which the \
             engine gave up. In the plots, points below the dashed line are queries on which the engine of the vertical \
             axis is faster."
        }
        @for (first, second) in data.pairs() {
            @let pair = Success::new(data, vec![first, second]);
            (success_table(data, &pair))
            (factor(data, &pair))
        }
        @if data.engines.len() > 2 { (success_table(data, &Success::new(data, (0..data.engines.len()).collect()))) }
        .plots { @for figure in plots { (figure.inline()) } }
    }
}

/// Writes a table as in the paper's Fig. 5.
fn success_table(data: &Data, success: &Success) -> Markup {
    let all = success.queries();
    let names = success.engines.iter().map(|engine| data.engines[*engine].as_str()).collect::<Vec<_>>().join(", ");
    html! {
        .wide { table {
            caption { (names) ": seconds, by who succeeded" }
            thead { tr {
                th scope="col" { "engine" }
                @for category in &success.categories {
                    th scope="col" {
                        (success.title(data, category)) br; "(" (count(category.queries)) " of " (count(all)) ")"
                    }
                }
                th scope="col" { "all" br; "(" (count(all)) ")" }
            } }
            tbody { @for (place, (engine, total)) in success.engines.iter().zip(success.seconds()).enumerate() { tr {
                th scope="row" { (data.engines[*engine]) }
                @for category in &success.categories { td { (seconds(category.seconds[place])) } }
                td { (seconds(total)) }
            } } }
        } }
    }
}

/// Writes by which factor one engine of a pair is faster.
fn factor(data: &Data, pair: &Success) -> Markup {
    let (total, engines) = (pair.seconds(), &pair.engines);
    let (fast, slow) = if total[0] <= total[1] { (0, 1) } else { (1, 0) };
    html! {
        @if total[fast] > 0.0 {
            p {
                (data.engines[engines[fast]]) " takes less time for all queries than " (data.engines[engines[slow]])
                ", by a factor of " (format!("{:.1}", total[slow] / total[fast])) "."
            }
        }
    }
}

/// Writes the verdicts of all engines together about each model.
fn verdicts(parts: &[Part]) -> Markup {
    html! {
        .wide { table {
            caption { "Verdicts by model" }
            thead { tr {
                @for name in ["model", "units", "verdict", "findings", "queries", "safe", "violations", "unknown"] {
                    th scope="col" { (name) }
                }
            } }
            tbody { @for Part { report, .. } in parts {
                @let summary = &report.summary;
                tr {
                    th scope="row" { (report.model) }
                    td { (report.units) }
                    td class={ "verdict-" (report.verdict()) } { (report.verdict()) }
                    @for number in [report.findings.len(), summary.queries, summary.safe, summary.violation, summary.unknown] {
                        td { (count(number)) }
                    }
                }
            } }
        } }
    }
}

fn models(batch: &Merged, data: &Data) -> Markup {
    html! {
        .wide { table {
            caption { "Queries decided, and seconds for all, by model" }
            thead { tr {
                th scope="col" { "model" }
                @for engine in &data.engines { th scope="col" { (engine) } th scope="col" { "seconds" } }
            } }
            tbody { @for model in &batch.header.models { tr {
                th scope="row" { (model.path) }
                @for engine in 0..data.engines.len() {
                    @let own = Totals::new(data, engine, Some(&model.path));
                    td { (count(own.decided())) " of " (count(own.queries)) }
                    td { (seconds(own.seconds)) }
                }
            } } }
        } }
    }
}

/// Lists the queries that no engine decided.
fn undecided(data: &Data) -> Markup {
    let open: Vec<_> = data.rows.iter().filter(|row| row.verdict() == VerdictKind::Unknown).collect();
    html! {
        @if !open.is_empty() {
            h2 { "Decided by no engine" }
            ul { @for row in open.iter().take(LISTED) { li { (row.key) } } }
            @if open.len() > LISTED { p { "and " (count(open.len() - LISTED)) " more." } }
        }
    }
}

fn files(figures: &[Figure], has_findings: bool) -> Markup {
    let plots = figures.iter().map(|figure| format!("{}.svg", figure.name));
    let sheets = super::sheets::ALL.iter().map(|sheet| format!("{}.csv", sheet.name));
    let names: Vec<_> =
        has_findings.then(|| findings::PAGE.to_string()).into_iter().chain(sheets).chain(plots).collect();
    html! {
        @for (place, name) in names.iter().enumerate() {
            @if place > 0 { ", " }
            a href=(name) { (name) }
        }
    }
}
