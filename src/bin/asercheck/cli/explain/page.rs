//! Markdown on a terminal: what only a browser can use is left out, all else is shown as it is written.

use std::fmt::Write;

/// Columns of filled text.
const WIDTH: usize = 100;

/// The text without comments, pictures and targets of links within the book; headings are bold if there are colors.
pub(super) fn render(text: &str, colors: bool) -> String {
    let bold = anstyle::Style::new().bold();
    let (mut shown, mut is_code, mut was_empty) = (String::new(), false, true);
    for line in text.lines() {
        is_code ^= line.starts_with("```");
        if !is_code && (line.starts_with("<!--") || line.starts_with("![")) {
            continue;
        }
        // Two empty lines are left where a picture was.
        let is_empty = line.is_empty();
        if is_empty && was_empty && !is_code {
            continue;
        }
        was_empty = is_empty;
        let line = if is_code { line.to_string() } else { without_targets(line) };
        match colors && !is_code && line.starts_with('#') {
            true => writeln!(shown, "{bold}{line}{bold:#}"),
            false => writeln!(shown, "{line}"),
        }
        .expect("strings can be written");
    }
    shown
}

/// `[words](page.md#section)` becomes `words`; addresses on the web stay.
fn without_targets(line: &str) -> String {
    let mut shown = String::with_capacity(line.len());
    let mut rest = line;
    while let Some((before, behind)) = rest.split_once("](") {
        let link = before.rsplit_once('[').zip(behind.split_once(')'));
        match link {
            Some(((before, words), (target, behind))) if !target.contains("://") => {
                shown.push_str(before);
                shown.push_str(words);
                rest = behind;
            }
            _ => {
                shown.push_str(before);
                shown.push_str("](");
                rest = behind;
            }
        }
    }
    shown + rest
}

/// Items in lines of about the same length, with commas between them, each line behind an indentation.
pub(super) fn filled(items: &[String], indentation: &str) -> String {
    let mut text = String::new();
    let mut column = 0;
    for (number, item) in items.iter().enumerate() {
        let comma = if number + 1 < items.len() { "," } else { "\n" };
        if column > 0 && column + 2 + item.len() > WIDTH {
            text.push('\n');
            column = 0;
        }
        let before = if column == 0 { indentation } else { " " };
        column += before.len() + item.len() + 1;
        text.extend([before, item, comma]);
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn links_comments_and_pictures() {
        let text = "# A [b](c.md)\n\n<!-- file: x -->\n![picture](p.svg)\n\nSee [d](e.md#f), [g](https://h.i) and a[0](1.\n```\n![](x)\n```\n";
        let shown = "# A b\n\nSee d, [g](https://h.i) and a[0](1.\n```\n![](x)\n```\n";
        assert_eq!(render(text, false), shown);
        assert!(render(text, true).starts_with("\u{1b}[1m# A b\u{1b}[0m\n"));
    }

    #[test]
    fn long_lists_are_broken_between_items() {
        let text = filled(&vec!["two words".to_string(); 30], "  ");
        assert!(text.lines().all(|line| line.len() <= WIDTH && line.starts_with("  two words")));
        assert_eq!((text.lines().count(), text.matches("two words,").count()), (4, 29));
        assert!(text.ends_with("two words\n"));
    }
}
