//! Tables of text with aligned columns.

use super::style::{Role, Style};
use std::fmt::Write;
use unicode_width::{UnicodeWidthChar, UnicodeWidthStr};

/// The side to which the cells of a column are aligned.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Align {
    Left,
    Right,
}

/// A cell: its text and its decoration.
#[derive(Clone, Debug)]
pub(crate) struct Cell {
    text: String,
    role: Option<Role>,
}

impl Cell {
    pub(crate) fn new(text: impl Into<String>) -> Self {
        Self { text: text.into(), role: None }
    }

    pub(crate) fn painted(role: Role, text: impl Into<String>) -> Self {
        Self { text: text.into(), role: Some(role) }
    }
}

/// A table with a header.
#[derive(Clone, Debug)]
pub(crate) struct Table {
    columns: Vec<(String, Align)>,
    rows: Vec<Vec<Cell>>,
}

impl Table {
    pub(crate) fn new(columns: Vec<(String, Align)>) -> Self {
        Self { columns, rows: Vec::new() }
    }

    /// Adds a row with a cell for each column.
    pub(crate) fn row(&mut self, cells: Vec<Cell>) {
        debug_assert_eq!(cells.len(), self.columns.len());
        self.rows.push(cells);
    }

    /// Adds a column after all others, with a cell for each row; returns its number.
    pub(crate) fn add_column(&mut self, name: &str, cells: Vec<Cell>) -> usize {
        debug_assert_eq!(cells.len(), self.rows.len());
        self.columns.push((name.to_string(), Align::Left));
        self.rows.iter_mut().zip(cells).for_each(|(row, cell)| row.push(cell));
        self.columns.len() - 1
    }

    /// Removes the first column.
    pub(crate) fn remove_first_column(&mut self) {
        self.columns.remove(0);
        self.rows.iter_mut().for_each(|row| drop(row.remove(0)));
    }

    /// Shortens the cells of a column to a number of terminal columns.
    pub(crate) fn clip(&mut self, column: usize, most: usize, style: Style) {
        for row in &mut self.rows {
            row[column].text = clipped(&row[column].text, most, style);
        }
    }

    /// Shortens the cells of a column, and keeps the end of each, which says most: the line of a file, the name of a
    /// nested class.
    pub(crate) fn clip_beginnings(&mut self, column: usize, most: usize, style: Style) {
        for row in &mut self.rows {
            row[column].text = ending(&row[column].text, most, style);
        }
    }

    /// Returns the width of a column, in terminal columns.
    pub(crate) fn column_width(&self, column: usize) -> usize {
        let cells = self.rows.iter().map(|row| row[column].text.width());
        cells.chain([self.columns[column].0.width()]).max().unwrap_or(0)
    }

    /// Returns the width of the longest line, in terminal columns.
    pub(crate) fn width(&self) -> usize {
        (0..self.columns.len()).map(|column| self.column_width(column) + 2).sum()
    }

    /// Returns the lines of the table, each indented by two spaces and without spaces at its end.
    pub(crate) fn render(&self, style: Style) -> String {
        let widths: Vec<_> = (0..self.columns.len()).map(|column| self.column_width(column)).collect();
        let mut text = String::new();
        let header: Vec<_> = self.columns.iter().map(|(name, _)| Cell::painted(Role::Heading, name.clone())).collect();
        self.line(&mut text, &header, &widths, style);
        let rule = style.pick("─", "-");
        let rules: Vec<_> = widths.iter().map(|width| Cell::painted(Role::Faint, rule.repeat(*width))).collect();
        self.line(&mut text, &rules, &widths, style);
        for row in &self.rows {
            self.line(&mut text, row, &widths, style);
        }
        text
    }

    fn line(&self, text: &mut String, cells: &[Cell], widths: &[usize], style: Style) {
        let last = cells.iter().rposition(|cell| !cell.text.is_empty());
        text.push(' ');
        for (place, cell) in cells.iter().enumerate().take(last.map_or(0, |last| last + 1)) {
            let gap = widths[place] - cell.text.width();
            let (before, after) = if self.columns[place].1 == Align::Right { (gap, 0) } else { (0, gap) };
            // Not with the width of a format, whose limit names may exceed.
            text.push_str(&" ".repeat(1 + before));
            match cell.role {
                Some(role) => drop(write!(text, "{}", style.paint(role, &cell.text))),
                None => text.push_str(&cell.text),
            }
            if Some(place) != last {
                text.push_str(&" ".repeat(after + 1));
            }
        }
        text.push('\n');
    }
}

/// Returns the beginning of a text that takes at most `most` terminal columns, with dots where it was cut.
pub(crate) fn clipped(text: &str, most: usize, style: Style) -> String {
    if text.width() <= most {
        return text.to_string();
    }
    let dots = style.pick("…", "...");
    let short: String = fitting(text.chars(), most.saturating_sub(dots.width())).collect();
    short + dots
}

/// Returns the end of a text that takes at most `most` terminal columns, with dots where it was cut.
fn ending(text: &str, most: usize, style: Style) -> String {
    if text.width() <= most {
        return text.to_string();
    }
    let dots = style.pick("…", "...");
    let mut short: Vec<char> = fitting(text.chars().rev(), most.saturating_sub(dots.width())).collect();
    short.reverse();
    dots.to_string() + &String::from_iter(short)
}

/// Returns the first characters that fit in `room` terminal columns.
fn fitting(characters: impl Iterator<Item = char>, mut room: usize) -> impl Iterator<Item = char> {
    characters.take_while(move |character| {
        let width = character.width().unwrap_or(0);
        let fits = width <= room;
        room = room.saturating_sub(width);
        fits
    })
}
