//! The texts in which the statements of a witness are, line by line.

use asercheck::witness::Step;
use std::collections::HashMap;

/// The lines of files; empty if the texts are not available.
#[derive(Clone, Debug, Default)]
pub struct Sources(HashMap<Option<String>, Vec<String>>);

impl Sources {
    /// Returns the sources of a model that is one text.
    pub fn of_text(text: &str) -> Self {
        let mut sources = Self::default();
        sources.add(None, text);
        sources
    }

    /// Adds a text: that of the file of this name, or that of all steps without a file.
    pub fn add(&mut self, file: Option<String>, text: &str) {
        let text = text.trim_start_matches('\u{feff}');
        self.0.insert(file, text.lines().map(|line| line.replace('\t', " ")).collect());
    }

    /// Whether there are no texts.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Returns a line of a file; lines are numbered from 1.
    pub fn line_of(&self, file: &str, line: u32) -> Option<&str> {
        let lines = self.0.get(&Some(file.to_string()))?;
        lines.get((line as usize).checked_sub(1)?).map(String::as_str)
    }

    /// Returns the line of a step.
    pub fn line(&self, step: &Step) -> Option<&str> {
        self.numbered(step, 0).next().map(|(_, line)| line)
    }

    /// Returns the line of a step with `context` lines before and after it; lines are numbered from 1.
    pub fn around(&self, step: &Step, context: usize) -> impl Iterator<Item = (usize, &str)> {
        self.numbered(step, context)
    }

    fn numbered(&self, step: &Step, context: usize) -> impl Iterator<Item = (usize, &str)> {
        let lines = self.0.get(&step.file).map_or(&[][..], Vec::as_slice);
        let own = (step.line as usize).saturating_sub(1);
        let is_there = own < lines.len() && step.line > 0;
        let end = if is_there { lines.len().min(own.saturating_add(context).saturating_add(1)) } else { 0 };
        let begin = own.saturating_sub(context).min(end);
        lines[begin..end].iter().enumerate().map(move |(place, line)| (begin + place + 1, line.as_str()))
    }

    /// Returns the source of a step: the line without its indentation. If that is longer than `most` characters and the
    /// column is known, the statement from that column to its end.
    pub(super) fn excerpt(&self, step: &Step, most: usize) -> Option<String> {
        let line = self.line(step)?;
        let trimmed = line.trim();
        if trimmed.chars().count() <= most || step.column <= 1 {
            return Some(trimmed.to_string());
        }
        let from_statement: String = line.chars().skip(step.column as usize - 1).collect();
        let end = from_statement.find([';', '{', '}']).map_or(from_statement.len(), |end| end + 1);
        Some(from_statement[..end].to_string())
    }

    /// Returns the line of a step without its indentation. Of a line longer than `most` characters, returns a part of
    /// that length from the step on, or up to the end of the line, with `…` where characters are left out.
    pub(super) fn window(&self, step: &Step, most: usize) -> Option<String> {
        let line = self.line(step)?;
        let trimmed = line.trim();
        let length = trimmed.chars().count();
        if length <= most {
            return Some(trimmed.to_string());
        }
        let indentation = line.chars().take_while(|letter| letter.is_whitespace()).count();
        let own = (step.column as usize).saturating_sub(1).saturating_sub(indentation);
        let begin = own.min(length - most);
        let window: String = trimmed.chars().skip(begin).take(most).collect();
        let [before, after] = [begin > 0, begin + most < length].map(|is_cut| if is_cut { "…" } else { "" });
        Some(format!("{before}{window}{after}"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use asercheck::witness::{Action, Statement};

    fn step(line: u32, column: u32) -> Step {
        let function = "f".to_string();
        let (action, object) = (Action::Read, None);
        Step::new(0, Statement { function, file: None, line, column, action, object, mode: None })
    }

    #[test]
    fn lines_around_a_step() {
        let sources = Sources::of_text("\u{feff}one\n  two\nthree\n");
        assert_eq!(sources.line(&step(2, 3)), Some("  two"));
        let around =
            |line, context| sources.around(&step(line, 1), context).map(|(number, _)| number).collect::<Vec<_>>();
        assert_eq!((around(1, 1), around(2, 1), around(3, 9)), (vec![1, 2], vec![1, 2, 3], vec![1, 2, 3]));
        assert_eq!((around(0, 2), around(4, 2), around(u32::MAX, usize::MAX)), (vec![], vec![], vec![]));
        let mut elsewhere = step(1, 1);
        elsewhere.file = Some("other".into());
        assert_eq!(sources.line(&elsewhere), None);
    }

    #[test]
    fn long_lines_begin_at_the_statement() {
        let sources = Sources::of_text("   fn f() { read x; write y; }");
        assert_eq!(sources.excerpt(&step(1, 13), 40).as_deref(), Some("fn f() { read x; write y; }"));
        assert_eq!(sources.excerpt(&step(1, 13), 10).as_deref(), Some("read x;"));
        assert_eq!(sources.excerpt(&step(1, 99), 10).as_deref(), Some(""));
    }

    #[test]
    fn lines_without_columns_are_not_cut_at_a_statement() {
        let sources = Sources::of_text("        for (int i = 0; i < n; i++) sum += cells[i];");
        let whole = "for (int i = 0; i < n; i++) sum += cells[i];";
        assert_eq!(sources.excerpt(&step(1, 1), 10).as_deref(), Some(whole));
        assert_eq!(sources.window(&step(1, 1), 80).as_deref(), Some(whole));
        assert_eq!(sources.window(&step(1, 1), 8).as_deref(), Some("for (int…"));
        assert_eq!(sources.window(&step(1, 37), 8).as_deref(), Some("…sum += c…"));
        assert_eq!(sources.window(&step(1, 99), 8).as_deref(), Some("…ells[i];"));
    }
}
