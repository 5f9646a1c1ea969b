//! Models: declarations, and bodies as instructions.

use crate::code::{Code, Kind, Writer};
use crate::ops::{BodyId, LocationId, LockId, Op, SomeUse, Use};
use crate::text::{Token, Tokens, Unread};
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

/// The labels of a body, with the number of the block of each, in the order in which blocks are opened.
type Labels<'t> = HashMap<&'t str, usize>;

impl<'t> Model<'t> {
    /// Reads a model.
    pub fn new(text: &'t str) -> Result<Model<'t>, Unread> {
        let mut tokens = Tokens::new(text, RESERVED)?;
        let mut model = Model::default();
        let mut labels = model.declare_bodies(&tokens)?.into_iter();
        while !tokens.peek().text.is_empty() {
            let keyword = tokens.take();
            match keyword.text {
                "lock" | "rwlock" | "shared" => {
                    for name in tokens.names()? {
                        model.declare(keyword.text, name)?;
                    }
                    tokens.expect(";")?;
                }
                // No effect on the meaning of the model.
                "overlap" => {
                    tokens.names()?;
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

    /// Declares a lock or location.
    fn declare(&mut self, keyword: &str, name: Token<'t>) -> Result<(), Unread> {
        if keyword == "shared" {
            let location = LocationId(self.locations.len());
            return is_new(self.locations.insert(name.text, location).is_none(), name);
        }
        self.has_modes.push(keyword == "rwlock");
        is_new(self.locks.insert(name.text, LockId(self.has_modes.len() - 1)).is_none(), name)
    }

    /// Gives each body its number, and finds its labels. The words `fn` and `process` stand before nothing else, and
    /// signs `:` after nothing else.
    fn declare_bodies(&mut self, tokens: &Tokens<'t>) -> Result<Vec<Labels<'t>>, Unread> {
        let mut labels: Vec<Labels<'t>> = Vec::new();
        let (mut open, mut count) = (Vec::new(), 0);
        for pair in tokens.all.windows(2) {
            match (pair[0].text, pair[1].text) {
                (kind @ ("fn" | "process"), name) => {
                    let names = if kind == "fn" { &mut self.functions } else { &mut self.processes };
                    is_new(names.insert(name, BodyId(self.bodies.len())).is_none(), pair[1])?;
                    self.bodies.push(Body { name, instances: None, code: Code::default() });
                    labels.push(Labels::new());
                    (open, count) = (Vec::new(), 0);
                }
                ("{", _) => {
                    open.push(count);
                    count += 1;
                }
                ("}", _) => drop(open.pop()),
                (name, ":") => {
                    if let (Some(labels), Some(block)) = (labels.last_mut(), open.last()) {
                        is_new(labels.insert(name, *block).is_none(), pair[0])?;
                    }
                }
                _ => {}
            }
        }
        Ok(labels)
    }

    fn body(&mut self, tokens: &mut Tokens<'t>, is_process: bool, labels: Labels<'t>) -> Result<(), Unread> {
        let name = tokens.name()?;
        let instances = if !is_process {
            tokens.expect("( )")?;
            None
        } else if !tokens.accept("*") {
            Some(1)
        } else if tokens.accept("many") {
            Some(usize::MAX)
        } else {
            let number = tokens.take();
            let parsed = number.text.parse().or_else(|_| number.error("expected a number of instances"));
            Some(parsed?)
        };
        tokens.expect("{")?;
        let mut writer = Writer::new(labels, MOST_INSTRUCTIONS - self.count);
        while writer.is_open() {
            self.statement(tokens, &mut writer)?;
        }
        let id = name.known(if is_process { &self.processes } else { &self.functions }, "body")?;
        let code = writer.finish(name.text)?;
        self.count += code.instructions.len();
        self.bodies[id.0] = Body { name: name.text, instances, code };
        Ok(())
    }

    /// Reads a simple statement, the head of a block, or the end of one.
    fn statement(&self, tokens: &mut Tokens<'t>, writer: &mut Writer<'t>) -> Result<(), Unread> {
        let token = tokens.take();
        let place = token.place;
        let simple = match token.text {
            "}" => {
                let another = writer.leave(place, tokens.peek().text == "or")?;
                return if another { tokens.expect("or {") } else { Ok(()) };
            }
            "read" => Op::Read(tokens.name()?.known(&self.locations, "location")?),
            "write" => Op::Write(tokens.name()?.known(&self.locations, "location")?),
            "acquire" => {
                let one = self.moded(tokens)?;
                writer.write(Op::Want(one), place)?;
                Op::Acquire(one)
            }
            "release" => Op::Release(SomeUse { lock: tokens.name()?.known(&self.locks, "lock")?, is_read: None }),
            "wait" => {
                let name = tokens.name()?;
                let lock = name.known(&self.locks, "lock")?;
                if self.has_modes[lock.0] {
                    return name.error("`wait` needs a plain lock");
                }
                let one = Use { lock, is_read: false };
                writer.write(Op::Wait(lock), place)?;
                writer.write(Op::WantBack(one), place)?;
                Op::Resume(one)
            }
            "call" => Op::Call(tokens.name()?.known(&self.functions, "function")?),
            "start" => Op::Start(tokens.name()?.known(&self.processes, "process")?),
            "begin" => Op::Begin,
            "end" => Op::End,
            "skip" => Op::Skip,
            "return" => {
                writer.close(0, place)?;
                Op::Return
            }
            "sync" => {
                let one = self.moded(tokens)?;
                writer.write(Op::Want(one), place)?;
                writer.write(Op::Acquire(one), place)?;
                let closer = Op::Release(SomeUse { lock: one.lock, is_read: Some(one.is_read) });
                writer.open(Kind::Closed(closer), Vec::new());
                return tokens.expect("{");
            }
            "atomic" => {
                writer.write(Op::Begin, place)?;
                writer.open(Kind::Closed(Op::End), Vec::new());
                return tokens.expect("{");
            }
            "loop" | "choose" => {
                let skip = writer.write(Op::Skip, place)?;
                let kind = if token.text == "loop" { Kind::Loop(skip) } else { Kind::Choice(skip) };
                writer.open(kind, Vec::new());
                return tokens.expect("{");
            }
            "break" | "continue" => {
                writer.leave_loop(token)?;
                return tokens.expect(";");
            }
            "goto" => {
                writer.jump(tokens.name()?, place)?;
                return tokens.expect(";");
            }
            name if tokens.is_name(name) => {
                writer.label(name, place)?;
                return tokens.expect(":");
            }
            _ => return token.error("expected a statement"),
        };
        writer.write(simple, place)?;
        tokens.expect(";")
    }

    /// A lock with the mode in front of it.
    fn moded(&self, tokens: &mut Tokens<'t>) -> Result<Use, Unread> {
        let first = tokens.peek();
        let is_read = tokens.accept("read");
        let has_mode = is_read || tokens.accept("write");
        let lock = tokens.name()?.known(&self.locks, "lock")?;
        if self.has_modes[lock.0] != has_mode {
            return first.error("a mode stands before read-write locks and nowhere else");
        }
        Ok(Use { lock, is_read })
    }
}

fn is_new(is_new: bool, name: Token<'_>) -> Result<(), Unread> {
    if is_new { Ok(()) } else { name.error(format!("`{}` is there already", name.text)) }
}
