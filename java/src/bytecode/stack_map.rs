//! The reader of the attribute `StackMapTable`: the operand stacks at joins, as the compiler declares them (JVMS
//! 4.7.4).

use crate::class_file::{Bytes, Kind, Malformed, Problem};

/// A byte offset and the stack before the instruction there, the lowest value first.
pub(crate) type Frame = (usize, Vec<Kind>);

/// Reads the frames from the content of the attribute. Empty content stands for a missing attribute.
pub(crate) fn read(mut bytes: Bytes<'_>) -> Result<Vec<Frame>, Malformed> {
    let mut frames: Vec<Frame> = Vec::new();
    if bytes.len() == 0 {
        return Ok(frames);
    }
    for _ in 0..bytes.u2()? {
        let tag = bytes.u1()?;
        let (delta, stack) = match tag {
            0..=63 => (tag.into(), Vec::new()),
            64..=127 => (u16::from(tag) - 64, kinds(&mut bytes, 1)?),
            247 => (bytes.u2()?, kinds(&mut bytes, 1)?),
            248..=251 => (bytes.u2()?, Vec::new()),
            252..=254 => {
                let delta = bytes.u2()?;
                kinds_of_locals(&mut bytes, u16::from(tag) - 251)?;
                (delta, Vec::new())
            }
            255 => {
                let delta = bytes.u2()?;
                let locals = bytes.u2()?;
                kinds_of_locals(&mut bytes, locals)?;
                let count = bytes.u2()?;
                (delta, kinds(&mut bytes, count)?)
            }
            128..=246 => return Err(bytes.problem(Problem::Attribute("StackMapTable".into()))),
        };
        let at = frames.last().map_or(0, |frame| frame.0 + 1) + usize::from(delta);
        frames.push((at, stack));
    }
    Ok(frames)
}

/// Reads one verification type; returns none for `Top`, an unusable local variable.
fn kind(bytes: &mut Bytes<'_>) -> Result<Option<Kind>, Malformed> {
    Ok(Some(match bytes.u1()? {
        0 => return Ok(None),
        1 => Kind::Int,
        2 => Kind::Float,
        3 => Kind::Double,
        4 => Kind::Long,
        5 | 6 => Kind::Reference,
        7 | 8 => {
            bytes.u2()?;
            Kind::Reference
        }
        _ => return Err(bytes.problem(Problem::Attribute("StackMapTable".into()))),
    }))
}

fn kinds(bytes: &mut Bytes<'_>, count: u16) -> Result<Vec<Kind>, Malformed> {
    let wrong = bytes.problem(Problem::Attribute("StackMapTable".into()));
    (0..count).map(|_| kind(bytes)?.ok_or_else(|| wrong.clone())).collect()
}

fn kinds_of_locals(bytes: &mut Bytes<'_>, count: u16) -> Result<(), Malformed> {
    (0..count).try_for_each(|_| kind(bytes).map(|_| ()))
}
