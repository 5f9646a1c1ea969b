//! Lines as reports tell them. Of Java code that was compiled without lines there are bytes of a method's code instead
//! ([`code_offset`]); other lines are as they are.

use asercheck::java::code_offset;
use asercheck::witness::Step;

/// The byte of a method's code at which a step stands, if it has no line: of Java code only.
pub(crate) fn offset(step: &Step) -> Option<u32> {
    step.file.as_ref().and_then(|_| code_offset(step.line))
}

/// `line 12`, `byte 4`.
pub(crate) fn at(step: &Step) -> String {
    offset(step).map_or_else(|| format!("line {}", step.line), |byte| format!("byte {byte}"))
}

/// `lines 12 to 14`, `bytes 4 to 20`; nothing if they are not known.
pub(crate) fn section([first, last]: [u32; 2]) -> Option<String> {
    match (code_offset(first), code_offset(last)) {
        (Some(first), Some(last)) => Some(format!("bytes {first} to {last}")),
        (None, Some(_)) => None,
        _ => (last > 1).then(|| format!("lines {first} to {last}")),
    }
}
