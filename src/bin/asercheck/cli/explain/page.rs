//! Markdown on a terminal. Pictures, comments and targets of links are left out; the rest is shown as it is written. If
//! the width of the terminal is known, paragraphs are filled.

use crate::report::wrapped_with;

/// Largest width of filled lists.
pub(super) const WIDTH: usize = 100;

/// Returns the text without comments, pictures and targets of links within the book. Headings are bold if there are
/// colors. If the number of columns is known, paragraphs and items of lists are broken at words to fit in.
pub(super) fn render(text: &str, colors: bool, columns: Option<usize>) -> String {
    let bold = anstyle::Style::new().bold();
    let (mut shown, mut is_code, mut was_empty) = (String::new(), false, true);
    let mut paragraph = String::new();
    let flush = |paragraph: &mut String, shown: &mut String| {
        if !paragraph.is_empty() {
            let further = if begins_block(paragraph) { 2 } else { 0 };
            shown.push_str(&wrapped_with(&(std::mem::take(paragraph) + "\n"), columns, further));
        }
    };
    for line in text.lines() {
        is_code ^= line.starts_with("```");
        if !is_code && (line.starts_with("<!--") || line.starts_with("![")) {
            continue;
        }
        // A picture leaves two empty lines.
        let is_empty = line.is_empty();
        if is_empty && was_empty && !is_code {
            continue;
        }
        was_empty = is_empty;
        if is_code || line.starts_with("```") {
            flush(&mut paragraph, &mut shown);
            shown += &format!("{line}\n");
            continue;
        }
        let line = without_targets(line);
        let is_continued = columns.is_some() && !paragraph.is_empty() && !begins_block(&line);
        if is_continued {
            paragraph += &format!(" {}", line.trim_start());
            continue;
        }
        flush(&mut paragraph, &mut shown);
        match line.starts_with('#') || is_empty {
            true if colors && !is_empty => shown += &format!("{bold}{line}{bold:#}\n"),
            true => shown += &format!("{line}\n"),
            false => paragraph = line,
        }
    }
    flush(&mut paragraph, &mut shown);
    shown
}

/// Whether a line is empty or begins something else than a paragraph's next line: a heading, a row of a table, an item
/// of a list, a quotation.
fn begins_block(line: &str) -> bool {
    let line = line.trim_start();
    let digits = line.len() - line.trim_start_matches(|letter: char| letter.is_ascii_digit()).len();
    let is_numbered = digits > 0 && line[digits..].starts_with(". ");
    line.is_empty() || is_numbered || ["#", "|", "- ", "* ", ">"].iter().any(|begin| line.starts_with(begin))
}

/// Removes the targets of links: `[words](page.md#section)` becomes `words`. Addresses on the web stay.
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

/// Writes items with commas between them in lines of at most this many columns, each after an indentation.
pub(super) fn filled(items: &[String], indentation: &str, columns: usize) -> String {
    let mut text = String::new();
    let mut column = 0;
    for (number, item) in items.iter().enumerate() {
        let comma = if number + 1 < items.len() { "," } else { "\n" };
        if column > 0 && column + 2 + item.len() > columns {
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
        assert_eq!(render(text, false, None), shown);
        assert!(render(text, true, None).starts_with("\u{1b}[1m# A b\u{1b}[0m\n"));
    }

    #[test]
    fn paragraphs_are_filled() {
        let text = "# A heading\n\none two three\nfour five\n\n- item one two\n  three\n- b\n\n```\nlong line of code\n```\n| a | b c d e f |\n";
        let shown = "# A heading\n\none two\nthree\nfour five\n\n- item\n  one two\n  three\n- b\n\n```\nlong line of code\n```\n| a | b c\n  d e f |\n";
        assert_eq!(render(text, false, Some(9)), shown);
    }

    #[test]
    fn long_lists_are_broken_between_items() {
        let text = filled(&vec!["two words".to_string(); 30], "  ", WIDTH);
        assert!(text.lines().all(|line| line.len() <= WIDTH && line.starts_with("  two words")));
        assert_eq!((text.lines().count(), text.matches("two words,").count()), (4, 29));
        assert!(text.ends_with("two words\n"));
    }
}
