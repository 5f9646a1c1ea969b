//! Columns of text that line up.

use super::style::{Role, Style};
use std::fmt::Write;
use unicode_width::{UnicodeWidthChar, UnicodeWidthStr};

/// To which side a column's cells are set.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Align {
    Left,
    Right,
}

/// A cell: text, and how it is decorated.
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

    /// Adds a column behind all others, with a cell for each row; gives its number.
    pub(crate) fn add_column(&mut self, name: &str, cells: Vec<Cell>) -> usize {
        debug_assert_eq!(cells.len(), self.rows.len());
        self.columns.push((name.to_string(), Align::Left));
        self.rows.iter_mut().zip(cells).for_each(|(row, cell)| row.push(cell));
        self.columns.len() - 1
    }

    /// Shortens the cells of a column to so many terminal columns.
    pub(crate) fn clip(&mut self, column: usize, most: usize, style: Style) {
        for row in &mut self.rows {
            row[column].text = clipped(&row[column].text, most, style);
        }
    }

    /// The same, but of each cell the end is kept, as it says most: the line of a file, the name of a nested class.
    pub(crate) fn clip_beginnings(&mut self, column: usize, most: usize, style: Style) {
        for row in &mut self.rows {
            row[column].text = ending(&row[column].text, most, style);
        }
    }

    /// How many terminal columns a column takes.
    pub(crate) fn column_width(&self, column: usize) -> usize {
        let cells = self.rows.iter().map(|row| row[column].text.width());
        cells.chain([self.columns[column].0.width()]).max().unwrap_or(0)
    }

    /// How many terminal columns the longest line takes.
    pub(crate) fn width(&self) -> usize {
        (0..self.columns.len()).map(|column| self.column_width(column) + 2).sum()
    }

    /// The lines of the table, each indented by two spaces and without spaces at its end.
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
            // Not by a format's width, which has a limit that names may exceed.
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

/// The beginning of a text that takes no more than so many terminal columns, with dots where it was cut.
pub(crate) fn clipped(text: &str, most: usize, style: Style) -> String {
    if text.width() <= most {
        return text.to_string();
    }
    let dots = style.pick("…", "...");
    let short: String = fitting(text.chars(), most.saturating_sub(dots.width())).collect();
    short + dots
}

/// The end of a text that takes no more than so many terminal columns, with dots where it was cut.
fn ending(text: &str, most: usize, style: Style) -> String {
    if text.width() <= most {
        return text.to_string();
    }
    let dots = style.pick("…", "...");
    let mut short: Vec<char> = fitting(text.chars().rev(), most.saturating_sub(dots.width())).collect();
    short.reverse();
    dots.to_string() + &String::from_iter(short)
}

/// The first characters, as long as they take no more than so many terminal columns.
fn fitting(characters: impl Iterator<Item = char>, mut room: usize) -> impl Iterator<Item = char> {
    characters.take_while(move |character| {
        let width = character.width().unwrap_or(0);
        let fits = width <= room;
        room = room.saturating_sub(width);
        fits
    })
}
