//! From which methods something is done to objects of a class, or some methods are called; and which methods start threads.
//!
//! Code is looked at once for all subjects; what is told of one subject is linear in what is found for it.

use java::{Action, CallSiteAction, Instruction, MethodId, Name, Program, Summaries, When};
use rustc_hash::{FxHashMap, FxHashSet};

/// The name and descriptor of a method.
pub(super) type Signature = (Name, Name);

/// Which methods do what, by their names and descriptors.
#[derive(Debug, Default)]
pub(super) struct Reach {
    /// The methods that use fields or methods of a class, or make objects of it, by the class as they name it.
    users: FxHashMap<Name, Vec<Signature>>,
    /// The methods that start threads.
    starting: Vec<Signature>,
    /// The methods that name a method in a call or a lambda.
    callers: FxHashMap<Signature, Vec<Signature>>,
}

impl Reach {
    /// Looks at all code that is not of libraries.
    pub(super) fn new(program: &Program, summaries: &Summaries) -> Self {
        let mut reach = Self::default();
        for (id, method) in program.methods() {
            if !program.class(method.class).is_library {
                reach.add(program, summaries, id);
            }
        }
        reach
    }

    fn add(&mut self, program: &Program, summaries: &Summaries, id: MethodId) {
        let Ok(Some(code)) = program.code(id) else { return };
        let own = (program.method(id).name, program.method(id).descriptor);
        let mut uses: FxHashSet<Name> = FxHashSet::default();
        let mut calls: FxHashSet<Signature> = FxHashSet::default();
        let mut starts = false;
        for (_, instruction) in code.instructions() {
            match instruction {
                Instruction::GetField(member) | Instruction::PutField(member) => drop(uses.insert(member.class)),
                Instruction::New(class) => drop(uses.insert(class)),
                Instruction::Invoke(_, member) => {
                    let [class, name, descriptor] =
                        [member.class, member.name, member.descriptor].map(|name| program.text(name));
                    let is_start = |action: &Action| matches!(action, Action::Calls { when: When::OtherThread, .. });
                    let told = summaries.find(class, name, descriptor);
                    starts |= name == "start" || told.is_some_and(|told| told.actions.iter().any(is_start));
                    uses.insert(member.class);
                    calls.insert((member.name, member.descriptor));
                }
                Instruction::InvokeDynamic(site) => {
                    if let CallSiteAction::Lambda { implementation, .. } = code.call_site(site).action {
                        calls.insert((implementation.member.name, implementation.member.descriptor));
                    }
                }
                _ => {}
            }
        }
        uses.into_iter().for_each(|class| self.users.entry(class).or_default().push(own));
        calls.into_iter().for_each(|callee| self.callers.entry(callee).or_default().push(own));
        self.starting.extend(starts.then_some(own));
    }

    /// The methods from which something is done to an object that has one of these types, or one of these methods is called, or a thread is
    /// started.
    pub(super) fn reaching(
        &self,
        program: &Program,
        types: &FxHashSet<Name>,
        methods: impl Iterator<Item = MethodId>,
    ) -> FxHashSet<Signature> {
        let of_types = types.iter().flat_map(|name| self.users.get(name).into_iter().flatten());
        let own = methods.map(|method| program.method(method)).filter(|method| method.has_code());
        let own = own.map(|method| (method.name, method.descriptor));
        let mut open: Vec<Signature> = of_types.chain(&self.starting).copied().chain(own).collect();
        let mut found = FxHashSet::default();
        while let Some(one) = open.pop() {
            if found.insert(one) {
                open.extend(self.callers.get(&one).into_iter().flatten());
            }
        }
        found
    }
}
