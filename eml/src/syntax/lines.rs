//! Lines and columns of byte offsets, in constant time.
//!
//! Columns count characters, so they cannot be computed from the offset alone; counting from the start of the line
//! would be quadratic on a text that is one long line. The index keeps the position of every `STEP`-th byte and counts
//! from there.

use std::ops::Range;

use super::span::{Position, Span};

/// The mark that some editors write at the start of a UTF-8 file.
pub(super) const BYTE_ORDER_MARK: char = '\u{feff}';

/// Distance in bytes between stored positions. The table takes 9 % of the size of the text; a look-up reads half this
/// distance on average.
const STEP: usize = 128;

/// Returns the span of a byte range of a text. Linear in the length of the text.
pub fn span_in(text: &str, range: Range<usize>) -> Span {
    LineIndex::new(text).span(range)
}

/// Translates byte offsets of one text to positions.
pub(super) struct LineIndex<'t> {
    text: &'t str,
    /// The position of byte `i * STEP`; for a byte inside a character, that of the next character.
    checkpoints: Vec<Position>,
    /// Length of the byte order mark: it takes no column.
    mark: usize,
}

impl<'t> LineIndex<'t> {
    /// Builds the index of a text by reading it once.
    pub(super) fn new(text: &'t str) -> Self {
        let mark = if text.starts_with(BYTE_ORDER_MARK) { BYTE_ORDER_MARK.len_utf8() } else { 0 };
        let mut index = Self { text, checkpoints: vec![Position::START], mark };
        for checkpoint in 1..=text.len() / STEP {
            let position = index.position(checkpoint * STEP);
            index.checkpoints.push(position);
        }
        index
    }

    /// Returns the length of the byte order mark at the start of the text, 0 where there is none.
    pub(super) fn mark_length(&self) -> usize {
        self.mark
    }

    /// Returns the position of the character at a byte offset, which may be the end of the text.
    pub(super) fn position(&self, offset: usize) -> Position {
        let offset = offset.min(self.text.len());
        let checkpoint = (offset / STEP).min(self.checkpoints.len() - 1);
        let from = (checkpoint * STEP).max(self.mark).min(offset);
        let mut position = self.checkpoints[checkpoint];
        for &byte in &self.text.as_bytes()[from..offset] {
            if byte == b'\n' {
                position.line += 1;
                position.column = 1;
            } else if starts_character(byte) {
                position.column += 1;
            }
        }
        position
    }

    /// Returns the span of a range of bytes.
    pub(super) fn span(&self, range: Range<usize>) -> Span {
        Span { offset: small(range.start), length: small(range.len()), start: self.position(range.start) }
    }
}

/// Whether a byte of UTF-8 is the first one of a character.
fn starts_character(byte: u8) -> bool {
    byte & 0b1100_0000 != 0b1000_0000
}

/// Converts a length or an offset to the type that spans use. Texts of 4 GiB and more are refused earlier.
fn small(number: usize) -> u32 {
    u32::try_from(number).unwrap_or(u32::MAX)
}

#[cfg(test)]
mod tests {
    use super::super::span::FileId;
    use super::*;

    /// Counts from the start of the text.
    fn slow_position(text: &str, offset: usize) -> Position {
        let before = text[..offset].trim_start_matches(BYTE_ORDER_MARK);
        let line_start = before.rfind('\n').map_or(0, |newline| newline + 1);
        let line = before.matches('\n').count() as u32 + 1;
        FileId::UNNAMED.at(line, before[line_start..].chars().count() as u32 + 1)
    }

    fn check_all_offsets(text: &str) {
        let index = LineIndex::new(text);
        for (offset, _) in text.char_indices() {
            assert_eq!(index.position(offset), slow_position(text, offset));
        }
        assert_eq!(index.position(text.len()), slow_position(text, text.len()));
    }

    #[test]
    fn agrees_with_counting_from_the_start() {
        check_all_offsets("");
        check_all_offsets("\n\nlock a;\r\n");
        check_all_offsets(&"äö𝒳\n".repeat(200));
        check_all_offsets(&"𝒳".repeat(400));
        check_all_offsets(&"x".repeat(2 * STEP));
        check_all_offsets(&format!("\u{feff}{}", "é;".repeat(300)));
    }
}
