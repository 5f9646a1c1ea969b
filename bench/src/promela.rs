//! Models as text for SPIN, to compare the systematic search with it.
//!
//! Each process is a `proctype`, a function an `inline`, a lock its owner and how often it was acquired; an access, the
//! beginning and the end of a unit are steps without effect. Constructs without a counterpart of the same size are
//! refused: jumps, returns, waiting, read-write locks, and unbounded numbers of instances. Functions must not be
//! recursive, which SPIN itself checks.

use asercheck::syntax::ast::{Block, ItemKind, Multiplicity, Program, Statement, StatementKind};
use std::fmt::Write;

/// A construct without translation.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Unsupported(pub &'static str);

/// A part of the output that is not written yet.
enum Part<'p> {
    Text(String),
    Block(&'p Block),
    Statement(&'p Statement),
}

/// Returns the text for SPIN.
///
/// # Errors
/// If a construct has no translation.
pub fn promela(program: &Program) -> Result<String, Unsupported> {
    let mut text = String::from(
        "#define ACQUIRE(o, d) d_step { (o == 0 || o == _pid + 1) -> o = _pid + 1; d++ }\n\
         #define RELEASE(o, d) d_step { d--; if :: d == 0 -> o = 0 :: else fi }\n",
    );
    for item in &program.items {
        match &item.kind {
            ItemKind::Locks(names) => {
                for name in names {
                    let _ = writeln!(text, "byte o_{0}, d_{0};", name.text);
                }
            }
            ItemKind::Shared(_) | ItemKind::AtomicSet { .. } | ItemKind::Overlap(_) => {}
            ItemKind::RwLocks(_) => return Err(Unsupported("read-write locks")),
            ItemKind::Function { name, body } => {
                let _ = write!(text, "inline f_{}() {{ ", name.text);
                write_body(&mut text, body)?;
            }
            ItemKind::Process { name, multiplicity, body } => {
                let count = match multiplicity {
                    Multiplicity::Single => 1,
                    Multiplicity::Times(count) => *count,
                    Multiplicity::Many => return Err(Unsupported("any number of instances")),
                };
                let _ = write!(text, "active [{count}] proctype p_{}() {{ ", name.text);
                write_body(&mut text, body)?;
            }
        }
    }
    Ok(text)
}

fn write_body(text: &mut String, body: &Block) -> Result<(), Unsupported> {
    let mut parts = vec![Part::Block(body)];
    while let Some(part) = parts.pop() {
        match part {
            Part::Text(own) => text.push_str(&own),
            Part::Block(block) => {
                let statements = block.statements.iter().rev().map(Part::Statement);
                parts.push(Part::Text("skip".to_string()).filter_empty(block));
                parts.extend(statements);
            }
            Part::Statement(statement) => write_statement(text, &statement.kind, &mut parts)?,
        }
    }
    text.push_str(" }\n");
    Ok(())
}

impl Part<'_> {
    /// Returns this part if the block is empty, for SPIN requires a statement; else an empty text.
    fn filter_empty(self, block: &Block) -> Self {
        if block.statements.is_empty() { self } else { Self::Text(String::new()) }
    }
}

fn write_statement<'p>(
    text: &mut String,
    kind: &'p StatementKind,
    parts: &mut Vec<Part<'p>>,
) -> Result<(), Unsupported> {
    let around = |parts: &mut Vec<Part<'p>>, open: String, block: &'p Block, close: String| {
        parts.extend([Part::Text(close), Part::Block(block), Part::Text(open)]);
    };
    match kind {
        StatementKind::Read(_) | StatementKind::Write(_) | StatementKind::Begin | StatementKind::End => {
            text.push_str("skip; ");
        }
        StatementKind::Skip => {}
        StatementKind::Sync(used, block) => {
            let lock = &used.name.text;
            let (open, close) = (format!("ACQUIRE(o_{lock}, d_{lock}); "), format!("; RELEASE(o_{lock}, d_{lock}); "));
            around(parts, open, block, close);
        }
        StatementKind::Acquire(used) => {
            let _ = write!(text, "ACQUIRE(o_{0}, d_{0}); ", used.name.text);
        }
        StatementKind::Release(name) => {
            let _ = write!(text, "RELEASE(o_{0}, d_{0}); ", name.text);
        }
        StatementKind::Atomic(block) => around(parts, "skip; ".to_string(), block, "; skip; ".to_string()),
        StatementKind::Call(name) => {
            let _ = write!(text, "f_{}(); ", name.text);
        }
        StatementKind::Loop(block) => around(parts, "do :: break :: ".to_string(), block, " od; ".to_string()),
        StatementKind::Choose(blocks) => {
            parts.push(Part::Text(" fi; ".to_string()));
            for block in blocks.iter().rev() {
                parts.extend([Part::Block(block), Part::Text(" :: ".to_string())]);
            }
            parts.push(Part::Text("if".to_string()));
        }
        StatementKind::Break => text.push_str("break; "),
        StatementKind::Wait(_) => return Err(Unsupported("waiting")),
        StatementKind::Start(_) => return Err(Unsupported("starts")),
        StatementKind::Return | StatementKind::Continue | StatementKind::Label(_) | StatementKind::Goto(_) => {
            return Err(Unsupported("jumps and returns"));
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_has_a_counterpart_is_translated() {
        let text =
            "lock a; shared x; fn f() { read x; } process P * 2 { loop { sync a { choose { call f; } or { } } } }";
        let program = asercheck::syntax::parse(text).expect("a program");
        let found = promela(&program).expect("it has a counterpart");
        assert!(
            found.contains("active [2] proctype p_P() { do :: break :: ACQUIRE(o_a, d_a); if :: f_f();  :: skip fi; "),
            "{found}"
        );
        let refused = |text| promela(&asercheck::syntax::parse(text).expect("a program"));
        assert_eq!(refused("lock a; process P { wait a; }"), Err(Unsupported("waiting")));
        assert_eq!(refused("process P * many { }"), Err(Unsupported("any number of instances")));
    }
}
