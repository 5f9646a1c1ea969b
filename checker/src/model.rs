//! Models: declarations, and bodies as instructions.

use crate::code::{Code, Kind, Labels, Writer};
use crate::ops::{BodyId, LocationId, LockId, Op, SomeUse, Use};
use crate::text::{Tokens, Unread};
use std::collections::HashMap;

/// A function or process.
pub(crate) struct Body<'t> {
    pub name: &'t str,
    /// For a process the number of its instances; the largest number means any.
    pub instances: Option<usize>,
    pub code: Code,
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
    /// The number of instructions that were read.
    count: usize,
}

/// The most instructions of a model.
const MOST_INSTRUCTIONS: usize = 1 << 22;

const RESERVED: &str = "lock rwlock overlap shared atomicset fn process many read write sync acquire release wait \
                        atomic begin end call return skip choose or loop break continue start goto";

impl<'t> Model<'t> {
    /// Reads a model.
    pub fn new(text: &'t str) -> Result<Model<'t>, Unread> {
        let mut tokens = Tokens::new(text, RESERVED)?;
        let mut model = Model::default();
        let mut labels = model.declare_bodies(&tokens)?.into_iter();
        while !tokens.peek().text.is_empty() {
            let keyword = tokens.take();
            match keyword.text {
                // `overlap` and atomic sets have no effect on the meaning of the model.
                "lock" | "rwlock" | "shared" | "overlap" => {
                    for name in tokens.names()? {
                        match keyword.text {
                            "overlap" => {}
                            "shared" => name.declare(&mut model.locations, LocationId)?,
                            kind => {
                                name.declare(&mut model.locks, LockId)?;
                                model.has_modes.push(kind == "rwlock");
                            }
                        }
                    }
                    tokens.expect(";")?;
                }
                "atomicset" => {
                    tokens.name()?;
                    tokens.expect("{")?;
                    tokens.names()?;
                    tokens.expect("}")?;
                }
                "fn" | "process" => {
                    let labels = labels.next().unwrap_or_default();
                    model.body(&mut tokens, keyword.text == "process", labels)?;
                }
                _ => return keyword.error("expected a declaration"),
            }
        }
        Ok(model)
    }

    /// Gives each body its number, and finds its labels. The words `fn` and `process` stand before nothing else, and
    /// signs `:` after nothing else.
    fn declare_bodies(&mut self, tokens: &Tokens<'t>) -> Result<Vec<Labels<'t>>, Unread> {
        let mut labels: Vec<Labels<'t>> = Vec::new();
        let mut braces = Vec::new();
        for (number, pair) in tokens.all.windows(2).enumerate() {
            match (pair[0].text, labels.last_mut(), braces.last()) {
                ("fn" | "process", ..) => {
                    let names = if pair[0].text == "fn" { &mut self.functions } else { &mut self.processes };
                    pair[1].declare(names, |_| BodyId(labels.len()))?;
                    labels.push(Labels::new());
                }
                ("{", ..) => braces.push(number),
                ("}", ..) => drop(braces.pop()),
                (_, Some(labels), Some(brace)) if pair[1].text == ":" => pair[0].declare(labels, |_| *brace)?,
                _ => {}
            }
        }
        Ok(labels)
    }

    fn body(&mut self, tokens: &mut Tokens<'t>, is_process: bool, labels: Labels<'t>) -> Result<(), Unread> {
        let name = tokens.name()?.text;
        let mut instances = is_process.then_some(1);
        if !is_process {
            tokens.expect("( )")?;
        } else if tokens.accept("*") {
            let number = tokens.take();
            instances = if number.text == "many" { Some(usize::MAX) } else { number.text.parse().ok() };
            if instances.is_none() {
                return number.error("expected a number of instances");
            }
        }
        let mut writer = Writer::new(labels, MOST_INSTRUCTIONS - self.count);
        writer.open(Kind::Closed(Op::Return), tokens.next);
        tokens.expect("{")?;
        while writer.is_open() {
            self.statement(tokens, &mut writer)?;
        }
        let code = writer.finish().map_err(|(place, reason)| (place, format!("{reason}, in `{name}`")))?;
        self.count += code.instructions.len();
        self.bodies.push(Body { name, instances, code });
        Ok(())
    }

    /// Reads a simple statement, the head of a block, or the end of one.
    fn statement(&self, tokens: &mut Tokens<'t>, writer: &mut Writer<'t>) -> Result<(), Unread> {
        let token = tokens.take();
        let mut block = None;
        let instructions = match token.text {
            "}" => {
                let another = (tokens.peek().text == "or").then_some(tokens.next + 1);
                return if writer.end(token.place, another)? { tokens.expect("or {") } else { Ok(()) };
            }
            "read" => vec![Op::Read(tokens.name()?.known(&self.locations, "location")?)],
            "write" => vec![Op::Write(tokens.name()?.known(&self.locations, "location")?)],
            "sync" | "acquire" => {
                let one = self.moded(tokens)?;
                let closer = Op::Release(SomeUse { lock: one.lock, is_read: Some(one.is_read) });
                block = (token.text == "sync").then_some(Kind::Closed(closer));
                vec![Op::Want(one), Op::Acquire(one)]
            }
            "release" => {
                vec![Op::Release(SomeUse { lock: tokens.name()?.known(&self.locks, "lock")?, is_read: None })]
            }
            "wait" => {
                let lock = tokens.name()?.known(&self.locks, "lock")?;
                if self.has_modes[lock.0] {
                    return token.error("`wait` needs a plain lock");
                }
                let one = Use { lock, is_read: false };
                vec![Op::Wait(lock), Op::WantBack(one), Op::Resume(one)]
            }
            "call" => vec![Op::Call(tokens.name()?.known(&self.functions, "function")?)],
            "start" => vec![Op::Start(tokens.name()?.known(&self.processes, "process")?)],
            "begin" => vec![Op::Begin],
            "end" => vec![Op::End],
            "skip" => vec![Op::Skip],
            "atomic" => {
                block = Some(Kind::Closed(Op::End));
                vec![Op::Begin]
            }
            "loop" | "choose" => {
                let head = writer.count();
                block = Some(if token.text == "loop" { Kind::Loop(head) } else { Kind::Choice(head) });
                vec![Op::Skip]
            }
            "return" => {
                writer.close(0, token.place)?;
                vec![]
            }
            "break" | "continue" | "goto" => {
                let label = if token.text == "goto" { Some(tokens.name()?) } else { None };
                writer.leave(token, label)?;
                vec![]
            }
            name if tokens.is_name(name) => {
                writer.label(token)?;
                return tokens.expect(":");
            }
            _ => return token.error("expected a statement"),
        };
        instructions.into_iter().try_for_each(|op| writer.write(op, token.place))?;
        let Some(kind) = block else { return tokens.expect(";") };
        writer.open(kind, tokens.next);
        tokens.expect("{")
    }

    /// A lock with the mode in front of it.
    fn moded(&self, tokens: &mut Tokens<'t>) -> Result<Use, Unread> {
        let first = tokens.peek();
        let mode = tokens.mode();
        let lock = tokens.name()?.known(&self.locks, "lock")?;
        if self.has_modes[lock.0] != mode.is_some() {
            return first.error("a mode stands before read-write locks and nowhere else");
        }
        Ok(Use { lock, is_read: mode == Some(true) })
    }
}
