//! Models as lists of statements.

use crate::error::{Place, Unread};
use crate::lexer::{Token, Tokens};
use std::collections::{HashMap, HashSet};

/// A lock, by its place in the order of declarations.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) struct LockId(pub usize);
/// A shared location.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) struct LocationId(pub usize);
/// A function or process.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) struct BodyId(pub usize);

/// How a lock is held; a plain lock in write mode.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) enum Mode {
    Read,
    Write,
}

/// An instruction without its successors.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Op {
    Skip,
    /// A read, or with `true` a write.
    Access(bool, LocationId),
    Begin,
    End,
    Acquire(LockId, Mode),
    /// Releases the last entry of the lock; with a mode the last one in this mode.
    Release(LockId, Option<Mode>),
    Wait(LockId),
    Resume(LockId),
    Call(BodyId),
    Start(BodyId),
    Return,
}

/// A statement, or the boundary of a block. Blocks are no trees, so that no depth of nesting needs recursion.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Statement<'t> {
    Simple(Op),
    /// Opens a `sync` or `atomic` block: its first instruction, and the one that closes it.
    Closed(Op, Op),
    Loop,
    /// Opens the first block of a choice.
    Choose,
    /// Closes a block of a choice and opens the next one.
    Or,
    /// Closes the innermost open block.
    Close,
    Break,
    Continue,
    Label(&'t str),
    Goto(&'t str),
}

/// A function or process.
pub(crate) struct Body<'t> {
    pub name: &'t str,
    /// For a process the number of its instances; the largest number means any.
    pub instances: Option<u64>,
    pub statements: Vec<(Statement<'t>, Place)>,
    pub end: Place,
}

/// The declarations of a model.
#[derive(Default)]
pub(crate) struct Model<'t> {
    pub locks: HashMap<&'t str, LockId>,
    /// Whether each lock is a read-write lock.
    pub has_modes: Vec<bool>,
    pub locations: HashMap<&'t str, LocationId>,
    pub functions: HashMap<&'t str, BodyId>,
    pub processes: HashMap<&'t str, BodyId>,
    pub bodies: Vec<Body<'t>>,
}

const RESERVED: &[&str] = &[
    "lock",
    "rwlock",
    "overlap",
    "shared",
    "atomicset",
    "fn",
    "process",
    "many",
    "read",
    "write",
    "sync",
    "acquire",
    "release",
    "wait",
    "atomic",
    "begin",
    "end",
    "call",
    "return",
    "skip",
    "choose",
    "or",
    "loop",
    "break",
    "continue",
    "start",
    "goto",
];

impl<'t> Model<'t> {
    /// Reads a model.
    pub fn new(text: &'t str) -> Result<Model<'t>, Unread> {
        let mut tokens = Tokens::new(text, RESERVED)?;
        let mut model = Model::default();
        model.declare_bodies(&tokens)?;
        let (mut sets, mut grouped) = (HashSet::new(), HashSet::new());
        while !tokens.peek().text.is_empty() {
            let keyword = tokens.take();
            match keyword.text {
                "lock" | "rwlock" => {
                    for name in tokens.names()? {
                        let lock = LockId(model.has_modes.len());
                        is_new(model.locks.insert(name.text, lock).is_none(), name)?;
                        model.has_modes.push(keyword.text == "rwlock");
                    }
                    tokens.expect(";")?;
                }
                "overlap" => {
                    for name in tokens.names()? {
                        known(&model.locks, name, "lock")?;
                    }
                    tokens.expect(";")?;
                }
                "shared" => {
                    for name in tokens.names()? {
                        let location = LocationId(model.locations.len());
                        is_new(model.locations.insert(name.text, location).is_none(), name)?;
                    }
                    tokens.expect(";")?;
                }
                "atomicset" => {
                    let name = tokens.name()?;
                    is_new(sets.insert(name.text), name)?;
                    tokens.expect("{")?;
                    for name in tokens.names()? {
                        is_new(grouped.insert(known(&model.locations, name, "location")?), name)?;
                    }
                    tokens.expect("}")?;
                }
                "fn" | "process" => model.body(&mut tokens, keyword.text == "process")?,
                _ => return Err((keyword.place, "expected a declaration".into())),
            }
        }
        Ok(model)
    }

    /// Gives each body its number. The words `fn` and `process` stand before nothing else.
    fn declare_bodies(&mut self, tokens: &Tokens<'t>) -> Result<(), Unread> {
        for pair in tokens.all.windows(2) {
            let names = match pair[0].text {
                "fn" => &mut self.functions,
                "process" => &mut self.processes,
                _ => continue,
            };
            is_new(names.insert(pair[1].text, BodyId(self.bodies.len())).is_none(), pair[1])?;
            let body = Body { name: pair[1].text, instances: None, statements: Vec::new(), end: pair[1].place };
            self.bodies.push(body);
        }
        Ok(())
    }

    fn body(&mut self, tokens: &mut Tokens<'t>, is_process: bool) -> Result<(), Unread> {
        let name = tokens.name()?;
        let mut instances = None;
        if is_process {
            instances = Some(if tokens.accept("*") { instances_of(tokens.take())? } else { 1 });
        } else {
            tokens.expect("(")?;
            tokens.expect(")")?;
        }
        tokens.expect("{")?;
        let (statements, end) = self.statements(tokens)?;
        let id = if is_process { self.processes[name.text] } else { self.functions[name.text] };
        self.bodies[id.0] = Body { name: name.text, instances, statements, end };
        Ok(())
    }

    /// The statements up to the end of the body, and the place of this end.
    fn statements(&self, tokens: &mut Tokens<'t>) -> Result<(Vec<(Statement<'t>, Place)>, Place), Unread> {
        let mut statements = Vec::new();
        // For each open block whether it belongs to a choice.
        let mut open: Vec<bool> = Vec::new();
        loop {
            let token = tokens.peek();
            if token.text == "}" {
                tokens.take();
                let Some(is_choice) = open.pop() else { return Ok((statements, token.place)) };
                let another = is_choice && tokens.accept("or");
                if another {
                    tokens.expect("{")?;
                    open.push(true);
                }
                statements.push((if another { Statement::Or } else { Statement::Close }, token.place));
                continue;
            }
            let statement = self.statement(tokens)?;
            if matches!(statement, Statement::Closed(..) | Statement::Loop | Statement::Choose) {
                tokens.expect("{")?;
                open.push(statement == Statement::Choose);
            } else if !matches!(statement, Statement::Label(_)) {
                tokens.expect(";")?;
            }
            statements.push((statement, token.place));
        }
    }

    /// A statement without its `;`, or the head of a block.
    fn statement(&self, tokens: &mut Tokens<'t>) -> Result<Statement<'t>, Unread> {
        let token = tokens.take();
        Ok(Statement::Simple(match token.text {
            "read" | "write" => Op::Access(token.text == "write", known(&self.locations, tokens.name()?, "location")?),
            "acquire" => self.moded(tokens).map(|(lock, mode)| Op::Acquire(lock, mode))?,
            "release" => Op::Release(known(&self.locks, tokens.name()?, "lock")?, None),
            "wait" => {
                let name = tokens.name()?;
                let lock = known(&self.locks, name, "lock")?;
                if self.has_modes[lock.0] {
                    return Err((name.place, "`wait` needs a plain lock".into()));
                }
                Op::Wait(lock)
            }
            "call" => Op::Call(known(&self.functions, tokens.name()?, "function")?),
            "start" => Op::Start(known(&self.processes, tokens.name()?, "process")?),
            "begin" => Op::Begin,
            "end" => Op::End,
            "skip" => Op::Skip,
            "return" => Op::Return,
            "sync" => {
                let (lock, mode) = self.moded(tokens)?;
                return Ok(Statement::Closed(Op::Acquire(lock, mode), Op::Release(lock, Some(mode))));
            }
            "atomic" => return Ok(Statement::Closed(Op::Begin, Op::End)),
            "loop" => return Ok(Statement::Loop),
            "choose" => return Ok(Statement::Choose),
            "break" => return Ok(Statement::Break),
            "continue" => return Ok(Statement::Continue),
            "goto" => return Ok(Statement::Goto(tokens.name()?.text)),
            name if token.is_name && !RESERVED.contains(&name) => {
                tokens.expect(":")?;
                return Ok(Statement::Label(name));
            }
            _ => return Err((token.place, "expected a statement".into())),
        }))
    }

    /// A lock with the mode in front of it.
    fn moded(&self, tokens: &mut Tokens<'t>) -> Result<(LockId, Mode), Unread> {
        let place = tokens.peek().place;
        let mode = if tokens.accept("read") { Some(Mode::Read) } else { tokens.accept("write").then_some(Mode::Write) };
        let lock = known(&self.locks, tokens.name()?, "lock")?;
        match (mode, self.has_modes[lock.0]) {
            (Some(mode), true) => Ok((lock, mode)),
            (None, false) => Ok((lock, Mode::Write)),
            _ => Err((place, "a mode stands before read-write locks and nowhere else".into())),
        }
    }
}

fn instances_of(token: Token<'_>) -> Result<u64, Unread> {
    let number = token.text.parse::<u32>().ok().filter(|number| *number > 0).map(u64::from);
    let any = (token.text == "many").then_some(u64::MAX);
    number.or(any).ok_or_else(|| (token.place, "expected a number of instances, from 1 to 4294967295".into()))
}

fn is_new(is_new: bool, name: Token<'_>) -> Result<(), Unread> {
    if is_new { Ok(()) } else { Err((name.place, format!("`{}` is there already", name.text))) }
}

fn known<T: Copy>(names: &HashMap<&str, T>, name: Token<'_>, kind: &str) -> Result<T, Unread> {
    names.get(name.text).copied().ok_or_else(|| (name.place, format!("there is no {kind} `{}`", name.text)))
}
