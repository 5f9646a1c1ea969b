//! Long lines of prose, broken at words for a terminal.

use unicode_width::UnicodeWidthChar;

/// Continuation lines are indented by this many columns more than the first one.
const INDENTATION: usize = 2;

/// Breaks each line that is longer than this many columns between words. Without a terminal (`None`), and in tables,
/// lines stay as they are: a row of a table has two spaces between its cells.
pub(crate) fn wrapped(text: &str, columns: Option<usize>) -> String {
    wrapped_with(text, columns, INDENTATION)
}

/// Does the same as [`wrapped`], with continuation lines indented by this many columns more than the first one.
pub(crate) fn wrapped_with(text: &str, columns: Option<usize>, further: usize) -> String {
    let Some(columns) = columns else { return text.to_string() };
    let mut wrapped = String::with_capacity(text.len());
    for line in text.split_inclusive('\n') {
        let (content, end) = line.strip_suffix('\n').map_or((line, ""), |content| (content, "\n"));
        let is_prose = !content.trim().contains("  ");
        if width(content) <= columns || !is_prose {
            wrapped.push_str(content);
        } else {
            break_line(&mut wrapped, content, columns, further);
        }
        wrapped.push_str(end);
    }
    wrapped
}

/// Writes a line as several lines, each but the first indented further. A word that is longer than a line stays whole.
fn break_line(wrapped: &mut String, line: &str, columns: usize, further: usize) {
    let indentation = line.len() - line.trim_start_matches(' ').len();
    let further = " ".repeat(indentation + further);
    wrapped.push_str(&line[..indentation]);
    let mut column = indentation;
    for (place, word) in line.trim_matches(' ').split(' ').enumerate() {
        if place > 0 && column + 1 + width(word) > columns {
            wrapped.push('\n');
            wrapped.push_str(&further);
            column = further.len();
        } else if place > 0 {
            wrapped.push(' ');
            column += 1;
        }
        wrapped.push_str(word);
        column += width(word);
    }
}

/// Returns the number of terminal columns of a text. Escape sequences for colors take none: each begins with an escape
/// and `[`, and ends with a letter.
fn width(text: &str) -> usize {
    let mut is_escape = false;
    let visible = text.chars().filter(|letter| {
        let is_hidden = is_escape || *letter == '\u{1b}';
        is_escape = is_hidden && !letter.is_ascii_alphabetic();
        !is_hidden
    });
    visible.map(|letter| letter.width().unwrap_or(0)).sum()
}

#[cfg(test)]
mod tests {
    use super::wrapped;

    #[test]
    fn lines_are_broken_between_words() {
        let text = "  one two three four\nfive\n\n  a  table  with  many  columns\n";
        let expected = "  one two\n    three\n    four\nfive\n\n  a  table  with  many  columns\n";
        assert_eq!(wrapped(text, Some(11)), expected);
        assert_eq!(wrapped(text, None), text);
        assert_eq!(wrapped("a verylongword b", Some(6)), "a\n  verylongword\n  b");
    }

    #[test]
    fn colors_take_no_room() {
        let text = "\u{1b}[1m\u{1b}[31mone\u{1b}[0m two";
        assert_eq!(wrapped(text, Some(7)), text);
        assert_eq!(wrapped(text, Some(6)), "\u{1b}[1m\u{1b}[31mone\u{1b}[0m\n  two");
    }
}
