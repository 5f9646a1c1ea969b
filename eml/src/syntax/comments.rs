//! The comments between two tokens.

use nom::Parser;
use nom::branch::alt;

use super::ast::Comment;
use super::lexer::{Input, comment, white_space};

/// The white space and comments between two tokens.
#[derive(Debug, Default)]
pub(super) struct Gap {
    /// The comments that begin on the line on which the token before the gap ends.
    pub(super) same_line: Vec<Comment>,
    /// The other comments.
    pub(super) following: Vec<Comment>,
    /// Whether the token after the gap is the first one of its line.
    pub(super) ends_line: bool,
}

/// Reads the white space and the comments at the start of the input; returns the input after them.
pub(super) fn gap(mut input: Input<'_>) -> (Input<'_>, Gap) {
    let mut gap = Gap::default();
    loop {
        if let Ok((rest, space)) = white_space(input) {
            gap.ends_line |= space.fragment().contains('\n');
            input = rest;
        } else if let Ok((rest, text)) = comment(input) {
            if gap.ends_line {
                gap.following.push(to_comment(text));
            } else {
                gap.same_line.push(to_comment(text));
            }
            input = rest;
        } else {
            return (input, gap);
        }
    }
}

/// Returns all comments in a text whose tokens are known to be correct. No token contains a slash, so each slash begins
/// a comment.
pub(super) fn comments_within(text: Input<'_>) -> Vec<Comment> {
    let mut comments = Vec::new();
    let mut rest = text;
    while let Some(slash) = rest.fragment().find('/') {
        let at_slash = nom::Input::take_from(&rest, slash);
        let Ok((after, text)) = comment(at_slash) else {
            break;
        };
        comments.push(to_comment(text));
        rest = after;
    }
    comments
}

/// Reads one run of white space or one comment, if there is one.
pub(super) fn blank(input: Input<'_>) -> Option<Input<'_>> {
    let (rest, _) = alt((white_space, comment)).parse(input).ok()?;
    Some(rest)
}

/// Makes a comment of the tree: its lines end in `\n`, without white space before it.
fn to_comment(text: Input<'_>) -> Comment {
    let lines: Vec<&str> = text.fragment().split('\n').map(str::trim_end).collect();
    let start = text.location_offset();
    Comment { text: lines.join("\n"), span: text.extra.span(start..start + text.fragment().trim_end().len()) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::syntax::lines::LineIndex;

    fn texts(comments: &[Comment]) -> Vec<&str> {
        comments.iter().map(|comment| comment.text.as_str()).collect()
    }

    #[test]
    fn a_gap_knows_which_comments_share_the_line() {
        let text = " /* a */ // b \r\n /* c\r\nd */ lock";
        let lines = LineIndex::new(text);
        let (rest, gap) = gap(Input::new_extra(text, &lines));
        assert_eq!(*rest.fragment(), "lock");
        assert_eq!(texts(&gap.same_line), ["/* a */", "// b"]);
        assert_eq!(texts(&gap.following), ["/* c\nd */"]);
        assert!(gap.ends_line);
    }

    #[test]
    fn a_newline_inside_a_comment_does_not_end_the_line() {
        let text = " /* a\n */ /* b */ x";
        let lines = LineIndex::new(text);
        let (_, gap) = gap(Input::new_extra(text, &lines));
        assert_eq!(texts(&gap.same_line), ["/* a\n */", "/* b */"]);
        assert!(!gap.ends_line);
    }

    #[test]
    fn comments_are_found_between_tokens() {
        let text = "lock a, // one / two\n b /* three */ ;";
        let lines = LineIndex::new(text);
        let found = comments_within(Input::new_extra(text, &lines));
        assert_eq!(texts(&found), ["// one / two", "/* three */"]);
    }
}
