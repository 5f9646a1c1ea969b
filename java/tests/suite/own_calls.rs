//! The list of calls that library methods make on their own object is compared with the code of an installed JDK.

use super::library::{expect_none, jdk};
use java::ir::{Bodies, Body, End, Loops, Operation, Variable};
use java::library::{MethodWithOwnCalls, classes_with_own_calls, own_calls};
use java::{CallSiteAction, ClassId, HandleKind, InvokeKind, Lookup, Member, MethodId, Program, Type};
use std::collections::{BTreeMap, BTreeSet};

/// The maximal number of methods that get the receiver one from another.
const MOST_NESTED: usize = 6;

/// Results whose functions run later.
const LATER: [&str; 7] = ["Stream", "Spliterator", "Iterator", "Optional", "Function", "Comparator", "Predicate"];

/// Methods that every array and object has.
const OF_ALL: [&str; 2] = ["getClass()", "toArray().clone()"];

/// Each call of the code is in the list, in a class of the list; one that may be repeated, as a repeated one.
#[test]
fn calls_of_the_code_are_listed() {
    let Some(program) = jdk() else { return };
    let bodies = Bodies::new(&program);
    let mut missing = Vec::new();
    for name in classes_with_own_calls() {
        let Some(class) = program.find(name) else { continue };
        for method in visible_methods(&program, class) {
            let signature = signature(&program, program.method(method).name, program.method(method).descriptor);
            let listed = own_calls(name).unwrap_or_default().iter().find(|method| *method.signature == *signature);
            for (call, count) in calls(&program, &bodies, method) {
                if !is_listed(listed, &call, count > 1) {
                    missing.push(format!("{name}.{signature}: {call}{}", if count > 1 { "*" } else { "" }));
                }
            }
        }
    }
    expect_none("calls that are not in the list", &missing);
}

fn is_listed(method: Option<&MethodWithOwnCalls>, call: &str, is_repeated: bool) -> bool {
    let mut calls = method.into_iter().flat_map(|method| &method.calls);
    let is_known = calls.any(|known| known.path.join(".") == call && (known.is_repeated || !is_repeated));
    is_known || OF_ALL.iter().any(|of_all| call.contains(of_all))
}

fn visible_methods(program: &Program, class: ClassId) -> Vec<MethodId> {
    let is_meant = |id: &MethodId| {
        let method = program.method(*id);
        let is_visible = method.flags.is_public() || method.flags.is_protected();
        let is_static = method.flags.is_static() || program.is_constructor(*id);
        is_visible && !is_static && !method.flags.is_synthetic() && method.has_code()
    };
    program.class(class).methods().filter(is_meant).collect()
}

fn signature(program: &Program, name: java::Name, descriptor: java::Name) -> String {
    let parameters = program.text(descriptor).split_inclusive(')').next().unwrap_or_default();
    format!("{}{parameters}", program.text(name))
}

/// The calls of a method on its receiver and on results of such calls, with their number; 2 stands for many.
fn calls(program: &Program, bodies: &Bodies<'_>, method: MethodId) -> Vec<(String, usize)> {
    let types = program.method_type(program.method(method).descriptor).expect("a descriptor");
    let is_later = match types.result {
        Some(Type::Class(class)) => LATER.iter().any(|end| program.text(class).ends_with(end)),
        _ => false,
    };
    let mut search = Search { program, bodies, found: Vec::new(), known: BTreeSet::new(), runs_lambdas: !is_later };
    search.walk(method, vec![Some(String::new())], false, 0);
    search.found
}

/// A search for calls. A path is the calls whose result a variable holds; it is empty for the receiver.
struct Search<'p> {
    program: &'p Program,
    bodies: &'p Bodies<'p>,
    found: Vec<(String, usize)>,
    known: BTreeSet<(MethodId, Vec<Option<String>>)>,
    runs_lambdas: bool,
}

impl Search<'_> {
    fn walk(&mut self, method: MethodId, arguments: Vec<Option<String>>, is_repeated: bool, depth: usize) {
        if depth > MOST_NESTED || !self.known.insert((method, arguments.clone())) {
            return;
        }
        let Ok(Some(body)) = self.bodies.get(method, &|| false) else { return };
        let loops = Loops::new(&body, &|| false).expect("not cancelled");
        let paths = self.paths(&body, &arguments);
        for (id, block) in body.blocks() {
            // The text of an exception.
            if matches!(block.end, End::Throw(..)) {
                continue;
            }
            let is_repeated = is_repeated || loops.innermost(id).is_some();
            for statement in &*block.statements {
                match &statement.operation {
                    Operation::Invoke { kind, member, arguments } => {
                        let arguments: Vec<_> = arguments.iter().map(|it| paths.get(it).cloned()).collect();
                        self.invoke(*kind, *member, arguments, is_repeated, depth);
                    }
                    Operation::InvokeDynamic { site, arguments } if self.runs_lambdas => {
                        let arguments: Vec<_> = arguments.iter().map(|it| paths.get(it).cloned()).collect();
                        if let CallSiteAction::Lambda { implementation, .. } = body.call_site(*site).action {
                            let kind = match implementation.kind {
                                HandleKind::InvokeVirtual | HandleKind::InvokeInterface => InvokeKind::Virtual,
                                _ => InvokeKind::Static,
                            };
                            self.invoke(kind, implementation.member, arguments, true, depth);
                        }
                    }
                    _ => {}
                }
            }
        }
    }

    fn invoke(
        &mut self,
        kind: InvokeKind,
        member: Member,
        arguments: Vec<Option<String>>,
        is_repeated: bool,
        depth: usize,
    ) {
        if arguments.iter().all(Option::is_none) {
            return;
        }
        let receiver = arguments.first().cloned().flatten().filter(|_| kind != InvokeKind::Static);
        if let Some(path) = receiver.as_deref().filter(|path| !self.is_fixed(kind, member, path)) {
            if self.program.text(member.name) == "<init>" {
                return;
            }
            let call = self.extended(path, member);
            let count = if is_repeated { 2 } else { 1 };
            match self.found.iter_mut().find(|(known, _)| *known == call) {
                Some((_, known)) => *known += count,
                None => self.found.push((call, count)),
            }
            return;
        }
        let Lookup::Found(target) = self.program.resolve_method(member) else { return };
        let declared = self.program.method(target);
        let class = self.program.text(self.program.class(declared.class).name);
        let is_inside = class.starts_with("jdk/") || class.starts_with("sun/");
        let is_fixed = matches!(kind, InvokeKind::Static | InvokeKind::Special) || declared.flags.is_final();
        if !is_inside && (is_fixed || receiver.is_some()) {
            self.walk(target, arguments, is_repeated, depth + 1);
        }
    }

    /// The paths of variables.
    fn paths(&self, body: &Body, arguments: &[Option<String>]) -> BTreeMap<Variable, String> {
        let known = body.parameters.iter().zip(arguments);
        let mut found: BTreeMap<Variable, String> =
            known.filter_map(|(variable, path)| Some((*variable, path.clone()?))).collect();
        loop {
            let before = found.len();
            for (_, block) in body.blocks() {
                for statement in &*block.statements {
                    let Some(to) = statement.to.filter(|to| !found.contains_key(to)) else { continue };
                    let path = match &statement.operation {
                        Operation::CheckCast(_, from) => found.get(from).cloned(),
                        Operation::Invoke { kind, member, arguments } if *kind != InvokeKind::Static => {
                            let base = found
                                .get(&arguments[0])
                                .filter(|base| base.matches('.').count() < 2 && !self.is_fixed(*kind, *member, base));
                            base.map(|base| self.extended(base, *member))
                        }
                        _ => None,
                    };
                    found.extend(path.map(|path| (to, path)));
                }
                for edge in block.end.edges() {
                    for (from, to) in edge.arguments.iter().zip(&*body.block(edge.target).parameters) {
                        if let Some(path) = found.get(from).cloned() {
                            found.entry(*to).or_insert(path);
                        }
                    }
                }
            }
            if found.len() == before {
                return found;
            }
        }
    }

    fn extended(&self, path: &str, member: Member) -> String {
        let signature = signature(self.program, member.name, member.descriptor);
        if path.is_empty() { signature } else { format!("{path}.{signature}") }
    }

    /// Whether a call on the receiver runs exactly this method, whatever subclasses override.
    fn is_fixed(&self, kind: InvokeKind, member: Member, path: &str) -> bool {
        let Lookup::Found(target) = self.program.resolve_method(member) else { return false };
        let method = self.program.method(target);
        let is_visible = method.flags.is_public() || method.flags.is_protected();
        let is_final = method.flags.is_final() || self.program.class(method.class).flags.is_final();
        path.is_empty() && (!is_visible || is_final || kind == InvokeKind::Special)
    }
}
