//! The syntax that both sides of a row share: names, and lists with commas.

use super::error::TableProblem;

/// The name of the class of all arrays in the table.
pub(super) const ARRAY: &str = "[]";

/// A problem at a byte of the line.
pub(super) type LocatedProblem = (usize, TableProblem);

/// The name of a class as in class files: dots become slashes. Nested classes must be written with `$`.
pub(super) fn class_name(text: &str) -> Result<Box<str>, TableProblem> {
    let text = text.trim();
    let is_name =
        |part: &str| !part.is_empty() && !part.contains(|one: char| one.is_whitespace() || "()[];/<>:,".contains(one));
    match text == ARRAY || text.split('.').all(is_name) {
        true => Ok(text.replace('.', "/").into()),
        false => Err(TableProblem::NoName(text.into())),
    }
}

pub(super) fn is_method_name(name: &str) -> bool {
    !name.is_empty() && !name.contains(|one: char| one.is_whitespace() || ".;[/()".contains(one))
}

/// The items of a line between commas outside of parentheses, with their first bytes.
pub(super) fn list_items(line: &str, start: usize, end: usize) -> Result<Vec<(usize, &str)>, TableProblem> {
    let mut items = Vec::new();
    let mut depth = 0_usize;
    let mut begin = start;
    let mut add = |begin: usize, end: usize| {
        let item = &line[begin..end];
        items.push((begin + item.len() - item.trim_start().len(), item.trim()));
    };
    for (at, byte) in line.bytes().enumerate().take(end).skip(start) {
        match byte {
            b'(' => depth += 1,
            b')' => depth = depth.checked_sub(1).ok_or(TableProblem::Parenthesis)?,
            b',' if depth == 0 => {
                add(begin, at);
                begin = at + 1;
            }
            _ => {}
        }
    }
    if depth > 0 {
        return Err(TableProblem::Parenthesis);
    }
    add(begin, end);
    Ok(items)
}
