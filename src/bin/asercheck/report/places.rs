//! Positions of steps as reports print them. In Java code that was compiled without line numbers, these are byte
//! offsets in the code of a method ([`code_offset`]).

use asercheck::java::code_offset;
use asercheck::witness::Step;

/// Returns the byte offset of a step in the code of its method, if it has no line; for Java code only.
pub(crate) fn offset(step: &Step) -> Option<u32> {
    step.file.as_ref().and_then(|_| code_offset(step.line))
}

/// Names the position of a step: `line 12`, `byte 4`.
pub(crate) fn at(step: &Step) -> String {
    offset(step).map_or_else(|| format!("line {}", step.line), |byte| format!("byte {byte}"))
}

/// Names a range of lines or bytes: `lines 12 to 14`, `bytes 4 to 20`; nothing if they are unknown.
pub(crate) fn section([first, last]: [u32; 2]) -> Option<String> {
    match (code_offset(first), code_offset(last)) {
        (Some(first), Some(last)) => Some(format!("bytes {first} to {last}")),
        (None, Some(_)) => None,
        _ => (last > 1).then(|| format!("lines {first} to {last}")),
    }
}
