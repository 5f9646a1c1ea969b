//! A witness as a table: time downwards, a column for each thread if there is room, otherwise one column for all.

use super::narrative::{NarratedStep, Row, Steps, place, rows, shown};
use super::sources::Sources;
use super::style::{Role, Style};
use super::table::{Align, Cell, Table};
use asercheck::witness::Witness;

/// Width up to which the source is added if there is no terminal.
const PAGE_WIDTH: usize = 100;

/// Columns for the source: fewer are useless, and more are not needed.
const SOURCE: std::ops::RangeInclusive<usize> = 20..=60;

/// Least width of the actions in a table that is too wide.
const LEAST_WORDS: usize = 16;

/// Least width of the names of threads.
const LEAST_NAME: usize = 16;

/// Least width of the held locks.
const LEAST_HELD: usize = 8;

/// Least width of the places.
const LEAST_PLACE: usize = 12;

/// Largest number of open calls that are drawn; deeper calls are counted.
const DRAWN_CALLS: usize = 5;

/// The view of a witness.
#[derive(Clone, Copy, Debug)]
pub struct View<'a> {
    /// The colors, the characters and the width.
    pub style: Style,
    /// The texts of the sources.
    pub sources: &'a Sources,
    /// The steps that are shown.
    pub steps: Steps,
}

/// Writes the steps of a witness, numbered. Steps that take a transition of the automaton are marked with the number of
/// the transition, and calls are indented. Each step is followed by the locks that its thread then holds, the place of
/// the statement, and the source line.
pub fn witness_table(witness: &Witness, view: &View<'_>) -> String {
    let rows = rows(witness, view.steps);
    let limit = view.style.width;
    let mut table = side_by_side(witness, &rows, view.style);
    if limit.is_some_and(|limit| table.width() > limit) {
        table = stacked(witness, &rows, view.style);
        // The least important column is cut first. The end of names of threads, of places and of locks, which are in
        // the order of their acquisition, says more than the beginning.
        for (column, least) in [(1, LEAST_NAME), (4, LEAST_PLACE), (3, LEAST_HELD), (2, LEAST_WORDS)] {
            let beyond = table.width().saturating_sub(limit.unwrap_or_default());
            let most = table.column_width(column).saturating_sub(beyond).max(least);
            match column {
                1 | 3 | 4 => table.clip_beginnings(column, most, view.style),
                _ => table.clip(column, most, view.style),
            }
        }
    }
    with_source(table, &rows, view)
}

/// Writes the steps of a witness one by one: the thread, its action, the locks that it then holds, the number of its
/// open units, and the place.
pub fn step_table(witness: &Witness, view: &View<'_>) -> String {
    let left = |name: &str| (name.to_string(), Align::Left);
    let columns = vec![step_column(), left("thread"), left("does"), left("holds"), left("unit"), left("at")];
    let mut table = Table::new(columns);
    let rows = rows(witness, view.steps);
    for row in &rows {
        let narrated = row.narrated();
        let name = Cell::painted(Role::Heading, witness.threads[narrated.step.thread].as_str());
        let unit = match narrated.units {
            0 => String::new(),
            1 => "open".to_string(),
            depth => format!("open, {depth} deep"),
        };
        let [holds, at] = behind(row);
        table.row(vec![number(row), name, words(row, view.style), holds, Cell::new(unit), at]);
    }
    with_source(table, &rows, view)
}

fn step_column() -> (String, Align) {
    ("step".to_string(), Align::Right)
}

fn last_columns() -> [(String, Align); 2] {
    [("holds".into(), Align::Left), ("at".into(), Align::Left)]
}

/// Returns the table with a column for each thread.
fn side_by_side(witness: &Witness, rows: &[Row<'_>], style: Style) -> Table {
    let threads = witness.threads.iter().map(|thread| (thread.clone(), Align::Left));
    let mut table = Table::new([step_column()].into_iter().chain(threads).chain(last_columns()).collect());
    for row in rows {
        let own = row.narrated().step.thread;
        let mut cells = vec![number(row)];
        cells.extend(
            (0..witness.threads.len()).map(|thread| if thread == own { words(row, style) } else { Cell::new("") }),
        );
        cells.extend(behind(row));
        table.row(cells);
    }
    table
}

/// Returns the table with one column for the names of threads and one for the actions.
fn stacked(witness: &Witness, rows: &[Row<'_>], style: Style) -> Table {
    let columns = [("thread".to_string(), Align::Left), ("does".to_string(), Align::Left)];
    let mut table = Table::new([step_column()].into_iter().chain(columns).chain(last_columns()).collect());
    let mut before = None;
    for row in rows {
        let thread = row.narrated().step.thread;
        // The name is written where a thread continues, so that context switches stand out.
        let name = if before == Some(thread) { "" } else { witness.threads[thread].as_str() };
        before = Some(thread);
        let mut cells = vec![number(row), Cell::painted(Role::Heading, name), words(row, style)];
        cells.extend(behind(row));
        table.row(cells);
    }
    table
}

fn number(row: &Row<'_>) -> Cell {
    match row {
        Row::Step(narrated) => Cell::painted(Role::Faint, narrated.number.to_string()),
        Row::Folded(..) => Cell::new(""),
    }
}

/// Returns the cell with the action of a row.
fn words(row: &Row<'_>, style: Style) -> Cell {
    match row {
        Row::Folded(steps, narrated) => {
            let rest = style.pick("…", "...");
            let steps = super::narrative::grouped(*steps);
            Cell::painted(Role::Faint, format!("    {}{rest} {steps} steps", indent(narrated.depth, style)))
        }
        Row::Step(narrated) => {
            let NarratedStep { step, words, depth, .. } = narrated;
            let mark = step.event.map_or_else(|| "    ".into(), |event| format!("{event:>2}{} ", style.pick("▶", ">")));
            let text = format!("{mark}{}{}", indent(*depth, style), shown(words, style));
            if step.event.is_some() { Cell::painted(Role::Marked, text) } else { Cell::new(text) }
        }
    }
}

/// Returns a bar for each open call; deep calls are counted.
fn indent(depth: usize, style: Style) -> String {
    let bar = style.pick("│ ", "| ");
    if depth <= DRAWN_CALLS {
        return bar.repeat(depth);
    }
    format!("{}+{} {bar}", bar.repeat(DRAWN_CALLS - 1), depth - DRAWN_CALLS)
}

/// Returns the cells after the action: the held locks, and the place of the statement.
fn behind(row: &Row<'_>) -> [Cell; 2] {
    match row {
        Row::Step(narrated) => [Cell::new(narrated.holds.join(" ")), Cell::painted(Role::Faint, place(narrated.step))],
        Row::Folded(_, narrated) => [Cell::new(narrated.holds.join(" ")), Cell::new("")],
    }
}

/// Writes the table, with the source in a last column if it is available and there is room.
fn with_source(mut table: Table, rows: &[Row<'_>], view: &View<'_>) -> String {
    if view.steps == Steps::Marked {
        // The marks have the same numbers.
        table.remove_first_column();
    }
    let room = view.style.width.unwrap_or(PAGE_WIDTH).saturating_sub(table.width() + 2);
    if !view.sources.is_empty() && room >= *SOURCE.start() {
        add_source(&mut table, rows, room.min(*SOURCE.end()), view);
    }
    table.render(view.style)
}

fn add_source(table: &mut Table, rows: &[Row<'_>], room: usize, view: &View<'_>) {
    let line = |row: &Row<'_>| match row {
        Row::Step(narrated) => view.sources.excerpt(narrated.step, room).unwrap_or_default(),
        Row::Folded(..) => String::new(),
    };
    let last = table.add_column("source", rows.iter().map(|row| Cell::painted(Role::Faint, line(row))).collect());
    table.clip(last, room, view.style);
}

#[cfg(test)]
mod tests {
    use super::super::style::Charset;
    use super::*;
    use asercheck::witness::{Action, Statement, Step};

    fn step(thread: usize, action: Action, object: &str, line: u32) -> Step {
        let (object, function) = (Some(object.to_string()), "f".to_string());
        Step::new(thread, Statement { function, file: None, line, column: 1, action, object, mode: None })
    }

    fn shown_in(witness: &Witness, width: Option<usize>, steps: Steps) -> String {
        let style = Style { charset: Charset::Ascii, colors: false, width };
        witness_table(witness, &View { style, sources: &Sources::of_text("one\ntwo\nthree"), steps })
    }

    /// Returns a witness of two threads, the first of them deep in calls.
    fn witness(calls: usize) -> Witness {
        let mut steps = vec![step(0, Action::Acquire, "l", 1)];
        steps.extend((0..calls).map(|_| step(0, Action::Call, "f", 2)));
        steps.push(Step { event: Some(1), ..step(0, Action::Write, "x", 3) });
        steps.push(Step { event: Some(2), ..step(1, Action::Read, "x", 1) });
        Witness { threads: vec!["First".into(), "Second".into()], steps }
    }

    #[test]
    fn tables_fit_the_terminal() {
        for (calls, width) in [(2, 120), (2, 80), (2, 60), (30, 60), (3, 50), (9, 60)] {
            let text = shown_in(&witness(calls), Some(width), Steps::Folded);
            assert!(text.lines().all(|line| line.chars().count() <= width), "{width}\n{text}");
            assert!(text.contains("1> ") && text.contains("2> "), "{text}");
        }
        let (wide, narrow) =
            (shown_in(&witness(2), Some(120), Steps::Folded), shown_in(&witness(2), Some(44), Steps::Folded));
        assert!(wide.contains("First") && wide.contains("source") && !wide.contains("thread"));
        assert!(narrow.contains("thread") && narrow.contains("does"));
    }

    #[test]
    fn what_is_essential_stays() {
        let mut steps = vec![
            step(0, Action::Begin, "", 1),
            step(0, Action::Call, "f", 1),
            step(0, Action::Acquire, "l", 2),
            step(0, Action::Call, "unneeded", 2),
            step(0, Action::Acquire, "m", 3),
            step(0, Action::Read, "x", 3),
            step(0, Action::Release, "m", 3),
            step(0, Action::Return, "unneeded", 3),
            step(0, Action::Read, "y", 3),
            step(0, Action::Call, "g", 3),
            Step { event: Some(1), ..step(0, Action::Write, "x", 3) },
            step(1, Action::Call, "h", 1),
            Step { event: Some(2), ..step(1, Action::Write, "x", 3) },
            step(0, Action::Return, "g", 3),
            step(0, Action::Call, "open", 3),
            step(0, Action::Acquire, "m", 3),
        ];
        steps.push(step(1, Action::Release, "n", 2));
        let witness = Witness { threads: vec!["First".into(), "Second".into()], steps };
        let rows = rows(&witness, Steps::Essential);
        let narrated: Vec<_> = rows.iter().map(|row| (row.narrated().words.as_str(), row.narrated().depth)).collect();
        let expected = [
            ("call f", 0),
            ("acquire l", 1),
            ("call g", 1),
            ("write x", 2),
            ("call h", 0),
            ("write x", 1),
            ("release n", 1),
        ];
        assert_eq!(narrated, expected);
    }

    #[test]
    fn long_runs_are_folded_and_deep_calls_counted() {
        let all = shown_in(&witness(300), None, Steps::All);
        assert_eq!(all.lines().count(), 2 + 303);
        let folded = shown_in(&witness(300), None, Steps::Folded);
        assert_eq!(folded.lines().count(), 2 + 3 + 1 + 3 + 2, "{folded}");
        assert!(folded.contains("... 295 steps") && folded.contains("| +295 | write x"), "{folded}");
        assert!(folded.lines().all(|line| line.chars().count() <= PAGE_WIDTH), "{folded}");
    }
}
