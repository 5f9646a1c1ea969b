//! `asercheck explain`: parts of the book, in the terminal.

mod book;
mod page;

use super::arguments::{ExplainArguments, Units};
use super::output::Terminal;
use super::{Exit, Failure};
use crate::report::{explain_pattern, wrapped};
use anyhow::{Context, anyhow};
use asercheck::phases::patterns;
use asercheck::syntax::closest;
use book::{CHAPTERS, Part};
use std::fmt::Write;

/// Runs the command.
pub(crate) fn run(arguments: &ExplainArguments, terminal: &Terminal) -> Result<Exit, Failure> {
    let topic = arguments.topic.join(" ");
    let number = topic.strip_prefix("pattern ").unwrap_or(&topic).parse().ok();
    if let Some(number) = number.filter(|number| patterns::pattern(*number).is_some()) {
        return pattern(number, arguments.units, terminal);
    }
    let text = if topic.is_empty() {
        contents(terminal.style().width.map_or(page::WIDTH, |width| width.min(page::WIDTH)))
    } else {
        explained(&topic, terminal)?
    };
    terminal.print(&text).context("standard output").map_err(Failure::internal)?;
    Ok(Exit::Success)
}

/// Explains one of the patterns.
pub(super) fn pattern(number: usize, units: Units, terminal: &Terminal) -> Result<Exit, Failure> {
    let pattern = patterns::pattern(number).expect("the number is one of a pattern");
    let text = explain_pattern(pattern, units.into(), terminal.style());
    let text = wrapped(&text, terminal.style().width);
    terminal.print(&text).context("standard output").map_err(Failure::internal)?;
    Ok(Exit::Success)
}

fn explained(topic: &str, terminal: &Terminal) -> Result<String, Failure> {
    let topic = if is_exit_code(topic) { "exit codes" } else { topic };
    let text = book::find(topic).map(String::from).or_else(|| book::construct(topic)).or_else(|| book::evidence(topic));
    text.map(|text| page::render(&text, terminal.style().colors, terminal.style().width)).ok_or_else(|| unknown(topic))
}

/// Whether the topic is an exit code, `exit code 3` or `exit 3`: one table explains them all.
fn is_exit_code(topic: &str) -> bool {
    let code = topic.strip_prefix("exit ").map(|rest| rest.strip_prefix("code ").unwrap_or(rest));
    code.is_some_and(|code| code.bytes().all(|letter| letter.is_ascii_digit()))
}

/// Returns the error for an unknown topic, with a suggestion.
fn unknown(topic: &str) -> Failure {
    let anchor = book::anchor(topic);
    let parts: Vec<_> = book::parts().collect();
    let near = closest(&anchor, parts.iter().map(|part| part.anchor.as_str()));
    let meant = parts.iter().find(|part| Some(part.anchor.as_str()) == near).or_else(|| with_word(&anchor, &parts));
    let hint = match meant {
        Some(Part { name, .. }) => format!("did you mean `asercheck explain {name}`?"),
        None => "`asercheck explain` lists the topics".to_string(),
    };
    let shown: String = topic.chars().take(60).collect();
    Failure::input(anyhow!("there is no topic `{}`; {hint}", shown.escape_debug()))
}

/// Returns the part with the shortest name in which a word begins like this one, or is similar to it.
fn with_word<'p>(wanted: &str, parts: &'p [Part]) -> Option<&'p Part> {
    let shortest = |has: &dyn Fn(&str) -> bool| {
        let found = parts.iter().filter(|part| part.anchor.split('-').any(has));
        found.min_by_key(|part| part.anchor.len())
    };
    // Shorter words are similar to any other.
    if wanted.len() < 3 {
        return None;
    }
    let begins = || shortest(&|word| word.starts_with(wanted));
    let words = || parts.iter().flat_map(|part| part.anchor.split('-'));
    let is_like = || closest(wanted, words()).and_then(|near| shortest(&|word| word == near));
    begins().or_else(is_like)
}

/// Lists the topics.
fn contents(columns: usize) -> String {
    let mut text = String::from("asercheck explain TOPIC shows a chapter, a section or a term of the book:\n\n");
    let width = CHAPTERS.iter().map(|chapter| chapter.name.len()).max().unwrap_or_default();
    for chapter in &CHAPTERS {
        writeln!(text, "  {:width$}  {}", chapter.name, chapter.title()).expect("strings can be written");
    }
    let terms: Vec<_> = book::terms().map(|part| part.name.to_lowercase()).collect();
    for (name, what) in [
        ("1 to 14", "a pattern"),
        ("wait", "or another word of the language"),
        ("exit code 3", "or another one"),
        ("flag", "or another kind of evidence"),
    ] {
        writeln!(text, "  {name:width$}  {what}").expect("strings can be written");
    }
    text.push_str("\nThe title of a section is a topic, too, and so is each of these terms:\n\n");
    text.push_str(&page::filled(&terms, "  ", columns));
    text
}
