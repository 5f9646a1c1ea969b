//! Subroutines: the targets of `ret`.
//!
//! Code with `jsr` and `ret` is copied, such that the return addresses in local variables are known in each copy: a
//! copy is an instruction with [`Addresses`]. Each `ret` then has one target. Copies differ only in addresses that a
//! `ret` may still use; therefore, if a subroutine is left without a `ret` (by a `break` out of a `finally`), the code
//! after it is not copied.
//!
//! **Why it is enough.** Only `astore` moves an address from the stack to a local variable, and no instruction moves it
//! back (JVMS 4.9.2, 4.10.2.5). Any other use of an address is an error.

use super::budget::Budget;
use super::covering_handlers::can_throw;
use super::error::Stop;
use super::graph::{Graph, number};
use crate::bytecode::{Code, Instruction, InstructionIndex, Local};
use crate::class_file::Kind;
use rustc_hash::{FxHashMap, FxHashSet};

/// The index of a set of return addresses, which maps local variables to the `jsr` whose return address they hold.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) struct Addresses(u32);

impl Addresses {
    /// The empty set.
    pub(super) const NONE: Self = Self(0);
}

/// A set of return addresses, sorted.
type AddressList = Box<[(Local, InstructionIndex)]>;

/// The return addresses of a method.
pub(super) struct Subroutines {
    lists: Vec<AddressList>,
    known: FxHashMap<AddressList, Addresses>,
    needed: Needed,
}

impl Subroutines {
    /// Prepares the analysis of a method. Nearly linear.
    pub(super) fn new(code: &Code, budget: &Budget<'_>) -> Result<Self, Stop> {
        let none = AddressList::default();
        let needed = Needed::new(code, budget)?;
        Ok(Self { lists: vec![none.clone()], known: [(none, Addresses::NONE)].into_iter().collect(), needed })
    }

    /// The return address in a local variable.
    pub(super) fn address(&self, addresses: Addresses, local: Local) -> Option<InstructionIndex> {
        let list = &self.lists[addresses.0 as usize];
        list.iter().find(|entry| entry.0 == local).map(|entry| entry.1)
    }

    /// The number of addresses in a set.
    pub(super) fn count(&self, addresses: Addresses) -> usize {
        self.lists[addresses.0 as usize].len()
    }

    /// The subset of addresses that are needed at an instruction.
    pub(super) fn at(&mut self, addresses: Addresses, at: InstructionIndex) -> Addresses {
        if addresses == Addresses::NONE {
            return addresses;
        }
        let list = &self.lists[addresses.0 as usize];
        let left: AddressList = list.iter().copied().filter(|entry| self.needed.is_needed(at, entry.0)).collect();
        self.intern(left)
    }

    /// The set after a store of an address, or of another value, to a local variable.
    pub(super) fn store(
        &mut self,
        addresses: Addresses,
        (kind, local): (Kind, Local),
        address: Option<InstructionIndex>,
    ) -> Addresses {
        if addresses == Addresses::NONE && address.is_none() {
            return addresses;
        }
        let list = self.lists[addresses.0 as usize].iter().copied();
        let kept = list.filter(|entry| !overwrites(kind, local, entry.0));
        let mut left: Vec<_> = kept.chain(address.map(|address| (local, address))).collect();
        left.sort_unstable();
        self.intern(left.into())
    }

    fn intern(&mut self, list: AddressList) -> Addresses {
        let next = Addresses(number(self.lists.len()));
        *self.known.entry(list).or_insert_with_key(|list| {
            self.lists.push(list.clone());
            next
        })
    }
}

/// Whether a store changes a local variable.
fn overwrites(kind: Kind, stored: Local, local: Local) -> bool {
    let end = stored.index() + kind.slots();
    (stored.index()..end).contains(&local.index())
}

/// For each local variable, the instructions at which a return address in it is needed: some path leads from there to a
/// `ret` that uses it.
#[derive(Default)]
struct Needed(FxHashMap<Local, FxHashSet<InstructionIndex>>);

impl Needed {
    fn new(code: &Code, budget: &Budget<'_>) -> Result<Self, Stop> {
        let mut rets: FxHashMap<Local, Vec<InstructionIndex>> = FxHashMap::default();
        let mut has_call = false;
        for (at, instruction) in code.instructions() {
            match instruction {
                Instruction::Ret(local) => rets.entry(local).or_default().push(at),
                Instruction::Jsr(_) => has_call = true,
                _ => {}
            }
        }
        if !has_call || rets.is_empty() {
            return Ok(Self::default());
        }
        let backwards = Backwards::new(code, &rets);
        let before = |local: &Local| Ok((*local, backwards.before(*local, budget)?));
        Ok(Self(rets.keys().map(before).collect::<Result<_, Stop>>()?))
    }

    fn is_needed(&self, at: InstructionIndex, local: Local) -> bool {
        self.0.get(&local).is_some_and(|before| before.contains(&at))
    }
}

/// The cost of a hash table access in steps of a search.
pub(super) const HASHED: usize = 8;

/// The reversed control flow, in which a `ret` may return to each `jsr` whose address it may hold.
struct Backwards<'c> {
    code: &'c Code,
    before: Graph,
    rets: &'c FxHashMap<Local, Vec<InstructionIndex>>,
    /// The return points, with the local variable of the `ret` that may return there; none for any `ret`.
    returns: FxHashMap<InstructionIndex, Option<Local>>,
    /// The ranges that are covered by handlers that begin at an instruction.
    covered: FxHashMap<InstructionIndex, Vec<std::ops::Range<usize>>>,
}

impl<'c> Backwards<'c> {
    fn new(code: &'c Code, rets: &'c FxHashMap<Local, Vec<InstructionIndex>>) -> Self {
        let mut edges = Vec::new();
        let mut returns = FxHashMap::default();
        for (at, instruction) in code.instructions() {
            if let Instruction::Jsr(target) = instruction {
                edges.push((number(target.index()), number(at.index())));
                let local = match code.instruction(target) {
                    Instruction::Store(Kind::Reference, local) => Some(local),
                    _ => None,
                };
                returns.insert(code.next(at), local);
                continue;
            }
            let successors = code.successors(at);
            edges.extend(successors.iter().map(|next| (number(next.index()), number(at.index()))));
        }
        let mut covered: FxHashMap<_, Vec<_>> = FxHashMap::default();
        for handler in code.handlers() {
            covered.entry(handler.target).or_default().push(handler.covers.clone());
        }
        Self { code, before: Graph::new(code.len(), &edges), rets, returns, covered }
    }

    /// The instructions from which a path without a store to a local variable leads to a `ret` of it.
    fn before(&self, local: Local, budget: &Budget<'_>) -> Result<FxHashSet<InstructionIndex>, Stop> {
        let mut open = self.rets[&local].clone();
        let mut found: FxHashSet<_> = open.iter().copied().collect();
        let mut returned: FxHashSet<Option<Local>> = FxHashSet::default();
        while let Some(at) = open.pop() {
            let mut earlier: Vec<InstructionIndex> =
                self.before.successors(at.index()).iter().map(|at| index(*at as usize)).collect();
            if let Some(from) = self.returns.get(&at)
                && returned.insert(*from)
            {
                match from {
                    Some(from) => earlier.extend(self.rets.get(from).into_iter().flatten()),
                    None => earlier.extend(self.rets.values().flatten()),
                }
            }
            for range in self.covered.get(&at).into_iter().flatten() {
                budget.search(range.len())?;
                earlier.extend(range.clone().map(index).filter(|at| can_throw(self.code.instruction(*at))));
            }
            budget.search(HASHED * earlier.len())?;
            let is_kept = |at: &InstructionIndex| match self.code.instruction(*at) {
                Instruction::Store(kind, stored) => !overwrites(kind, stored, local),
                _ => true,
            };
            open.extend(earlier.into_iter().filter(|at| is_kept(at) && found.insert(*at)));
        }
        Ok(found)
    }
}

fn index(at: usize) -> InstructionIndex {
    InstructionIndex(u16::try_from(at).expect("there are fewer instructions than bytes"))
}
