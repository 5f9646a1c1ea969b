//! Evidence: facts about the program that make a violation more or less likely to be repaired.
//!
//! Evidence orders reports, and never changes a verdict. Each [`Kind`] is a condition on the witness, on the code of
//! the torn section and of the interfering method, or on the class. The weights of the kinds that hold are added to a
//! bias that depends on the group of the violation; the logistic function of the sum is the rank, which orders findings
//! of one likelihood. A violation is *likely* by its effect, if no kind makes it doubtful (see `is_likely`): of judged
//! findings (`bench/precision`), sums of weights alone do not separate those to repair from the others.

mod callers;
mod calls;
mod code;
mod collections;
mod constants;
mod effect;
mod kind;
mod names;
mod nulls;
mod own_lock;
mod paths;
mod retest;
mod sentence;
mod weak_reads;

pub use effect::Effect;
pub use kind::Kind;

use crate::violations::section::{AccessLines, access_lines, is_access, own_accesses};
use crate::violations::witness_locks::{holds_lock, locked};
use callers::{Callers, is_internal};
use code::{AccessSite, Flows};
use decide::findings::Group;
use decide::witness::{Action, Step, Witness};
use effect::Failure;
use isolate::{Claim, Facts, Meanings, printable};
use java::ir::{Bodies, Body};
use java::{ClassId, FieldId, MethodId, Program};
use sentence::Shown;
use serde::{Deserialize, Serialize};
use std::borrow::Cow;
use std::collections::{BTreeSet, HashMap};
use std::sync::{Arc, OnceLock};

/// A kind of evidence that holds, with its weight.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Evidence {
    /// The name of the [`Kind`].
    pub name: Cow<'static, str>,
    /// The addend to the logarithm of the odds.
    pub weight: f64,
}

/// How likely a violation should be repaired.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Likelihood {
    /// Nothing makes it doubtful, and the code shows an exception or a loss.
    Likely,
    /// The others.
    #[default]
    Possible,
    /// Possibly benign: there is a reason why it may be accepted.
    Benign,
}

impl Likelihood {
    /// Its name in reports.
    pub fn name(self) -> &'static str {
        match self {
            Self::Likely => "likely",
            Self::Possible => "possible",
            Self::Benign => "benign",
        }
    }
}

/// The violations of a unit on a set of locations: the facts on which evidence depends.
#[derive(Clone, Copy, Debug)]
pub struct Case<'a> {
    /// The subject's class.
    pub class: ClassId,
    /// The reason why it is a subject.
    pub claim: Claim,
    /// Whether the units are threads of a whole program.
    pub is_program: bool,
    /// The full name of the violated unit.
    pub unit: &'a str,
    /// The short name of the unit.
    pub unit_label: &'a str,
    /// The full names of the interfering calls, that of the witness first.
    pub by: &'a [String],
    /// The short name of the interfering call of the witness.
    pub by_label: &'a str,
    /// The short names of the other interfering calls.
    pub other_by_labels: &'a [String],
    /// The short names of the locations.
    pub locations: &'a [String],
    /// The full name of the method with the torn section.
    pub torn: &'a str,
    /// The first and the last line of the section.
    pub lines: [u32; 2],
    /// One interleaving.
    pub witness: &'a Witness,
    /// Whether the unit holds a lock throughout each violation.
    pub is_victim: bool,
    /// The group of the shown violation.
    pub group: Group,
    /// Whether there is a reason why it is possibly benign.
    pub is_benign: bool,
    /// The meanings of names of the model.
    pub meanings: &'a Meanings,
}

/// The result of judging a violation.
#[derive(Clone, Debug, PartialEq)]
pub struct Judgement {
    /// The class of the likelihood.
    pub likelihood: Likelihood,
    /// The likelihood as a number from 0 to 1.
    pub rank: f64,
    /// The evidence that holds.
    pub evidence: Vec<Evidence>,
    /// The effect for a caller.
    pub effect: Effect,
    /// A reason why it is possibly benign, if the code shows one.
    pub benign: Option<String>,
    /// A sentence that describes the violation to a caller.
    pub says: String,
}

/// Judges violations of a program. Shared by threads.
#[derive(Debug)]
pub struct Judge<'p> {
    program: &'p Program,
    bodies: &'p Bodies<'p>,
    facts: &'p Facts,
    /// Call sites; built at the first use.
    callers: OnceLock<Callers>,
    /// Methods by full name; built at the first use.
    methods: OnceLock<HashMap<String, MethodId>>,
}

impl<'p> Judge<'p> {
    /// A judge of the violations of a program.
    pub fn new(program: &'p Program, bodies: &'p Bodies<'p>, facts: &'p Facts) -> Self {
        Self { program, bodies, facts, callers: OnceLock::new(), methods: OnceLock::new() }
    }

    /// Judges a violation. Linear in the witness and in the code of the methods that it names.
    pub fn judge(&self, case: &Case<'_>) -> Judgement {
        let flows = self.flows_of_unit(case);
        let mut kinds = self.kinds(case, flows);
        let is_nulled = kinds.contains(&Kind::SetToNull).then_some(Failure::Null);
        let failure = is_nulled.or_else(|| self.failure(case, flows));
        let effect = self.effect(case, flows, failure);
        kinds.extend((effect == Effect::Exception).then_some(Kind::Throws));
        kinds.extend((effect == Effect::Loss).then_some(Kind::Loses));
        let score = bias(case.group) + kinds.iter().map(|kind| kind.weight()).sum::<f64>();
        let rank = (1000.0 / (1.0 + (-score).exp())).round() / 1000.0;
        let benign = self.weak_read(case).or_else(|| made_once(case, &kinds)).or_else(|| self.same_constants(case));
        let benign = benign.filter(|_| !case.is_benign);
        let likelihood = match is_likely(&kinds, effect) {
            _ if case.is_benign || benign.is_some() => Likelihood::Benign,
            true => Likelihood::Likely,
            false => Likelihood::Possible,
        };
        let evidence = |kind: Kind| Evidence { name: kind.name().into(), weight: kind.weight() };
        let (replaces, keeps) = (self.replaces(case), self.loses_nothing(case));
        let says = sentence::sentence(case, Shown { flows, failure, replaces, keeps });
        Judgement { likelihood, rank, evidence: kinds.into_iter().map(evidence).collect(), effect, benign, says }
    }

    fn kinds(&self, case: &Case<'_>, flows: Flows) -> BTreeSet<Kind> {
        let mut kinds = BTreeSet::new();
        let mut note = |kind: Kind, holds: bool| {
            if holds {
                kinds.insert(kind);
            }
        };
        let [own, others] = [0, 1].map(|thread| locked(case.witness, thread));
        let is_locked = |accesses: &[bool]| !accesses.is_empty() && accesses.iter().all(|locked| *locked);
        note(Kind::LockReleased, is_locked(&own) && !case.is_victim);
        let some = own.iter().chain(&others).any(|locked| *locked);
        let all = own.iter().chain(&others).all(|locked| *locked);
        note(Kind::LockedElsewhere, some && !all);
        self.note_fields(case, &mut note);
        self.note_class(case, &mut note);
        self.note_methods(case, &mut note);
        self.note_calls(case, &mut note);
        note(Kind::Recursive, self.is_recursive(case.witness, case.meanings));
        note(Kind::CalledBack, self.is_called_back(case.witness, case.meanings));
        note(Kind::OtherObject, self.is_of_another_object(case));
        let is_read_again = only_reads(case.witness);
        note(Kind::OnlyReads, is_read_again);
        note(Kind::ReadAfterWait, is_read_again && waits_between(case.witness));
        self.note_replacement(case, flows, &mut note);
        note(Kind::StaleUpdate, flows.is_known && flows.to_later && !is_read_again);
        note(Kind::StaleDecision, flows.is_known && flows.to_condition && !is_read_again);
        note(Kind::ValueUnused, flows.is_known && !(flows.to_later || flows.to_condition || flows.to_result));
        note(Kind::Retested, self.is_retested(case.witness, case.meanings));
        note(Kind::WritesTogether, case.group == Group::InconsistentValues);
        note(Kind::Benign, case.is_benign);
        kinds
    }

    fn note_fields(&self, case: &Case<'_>, note: &mut dyn FnMut(Kind, bool)) {
        let full: Vec<&str> = case.locations.iter().map(|name| case.meanings.location(name)).collect();
        let types: Vec<Option<String>> = full.iter().map(|name| self.field_type(name)).collect();
        let is_plain = |(name, of): (&&str, &Option<String>)| {
            name.ends_with(']') && of.as_ref().is_some_and(|of| is_plain_structure(of))
        };
        let changes = case.witness.steps.iter().any(|step| is_access(step) && step.action == Action::Write);
        note(Kind::PlainStructure, changes && full.iter().zip(&types).any(is_plain));
        note(Kind::Content, full.iter().any(|name| name.ends_with(']')));
        note(Kind::Deep, full.iter().any(|name| name.matches('[').count() > 1));
        let is_flag = |of: &Option<String>| {
            of.as_deref().is_some_and(|of| of == "Z" || of == "Ljava/util/concurrent/atomic/AtomicBoolean;")
        };
        note(Kind::Flag, !types.is_empty() && types.iter().all(is_flag));
        let is_opaque = |(name, of): (&&str, &Option<String>)| is_opaque(name, of.as_deref());
        let is_merged = |name: &&str| name.ends_with(Meanings::DEEP);
        let is_guessed = case.locations.iter().any(|name| case.meanings.guessed.contains(name));
        note(Kind::Guessed, is_guessed || full.iter().zip(&types).any(is_opaque) || full.iter().any(is_merged));
        let is_made_once = |name: &&str| {
            self.field(name).is_some_and(|field| self.facts.is_lazily_initialized(field) && !name.ends_with(']'))
        };
        note(Kind::LazilyInitialized, only_reads(case.witness) && !full.is_empty() && full.iter().all(is_made_once));
        let fields: Vec<FieldId> = full.iter().filter_map(|name| self.field(name)).collect();
        let is_bare = |field: &FieldId| {
            !self.program.field(*field).flags.is_volatile() && !self.callers().is_ever_guarded(self.program, *field)
        };
        let is_concurrent =
            |of: &Option<String>| of.as_ref().is_some_and(|of| of.starts_with("Ljava/util/concurrent/"));
        let are_bare = !fields.is_empty() && fields.len() == full.len() && fields.iter().all(is_bare);
        note(Kind::NeverGuarded, are_bare && !types.iter().any(is_concurrent) && !holds_lock(case.witness));
        let is_lazy = |name: &&str| {
            !name.ends_with(']') && self.field(name).is_some_and(|field| self.facts.is_lazily_initialized(field))
        };
        note(Kind::Lazy, !only_reads(case.witness) && full.iter().all(is_lazy));
        note(Kind::StaticField, !full.is_empty() && full.iter().all(|name| self.is_static_field(name)));
        note(Kind::Statistics, full.iter().all(|name| names::is_statistics(simple_field(name))));
    }

    fn note_class(&self, case: &Case<'_>, note: &mut dyn FnMut(Kind, bool)) {
        let name = self.program.class_name(case.class);
        let above: Vec<String> = self.above(case.class);
        let is_any = |known: &[&str]| above.iter().any(|name| known.contains(&name.as_str()));
        note(Kind::Documented, case.claim == Claim::Annotation || names::is_for_threads(&name));
        note(Kind::Concurrent, is_any(&["java/lang/Runnable", "java/lang/Thread", "java/util/concurrent/Callable"]));
        const CARRIERS: [&str; 2] = ["java/lang/Throwable", "java/util/EventObject"];
        const USED_BY_ONE: [&str; 8] = [
            "java/util/Iterator",
            "java/util/Enumeration",
            "java/io/InputStream",
            "java/io/OutputStream",
            "java/io/Reader",
            "java/io/Writer",
            "java/awt/Component",
            "org/xml/sax/ContentHandler",
        ];
        note(Kind::Carrier, names::is_carrier(&name) || is_any(&CARRIERS));
        note(Kind::OneUser, names::has_one_user(&name) || is_any(&USED_BY_ONE));
        note(Kind::WeakClaim, matches!(case.claim, Claim::VolatileField | Claim::ConcurrentField));
    }

    fn note_methods(&self, case: &Case<'_>, note: &mut dyn FnMut(Kind, bool)) {
        let unit = self.method(case.unit);
        if let Some(unit) = unit {
            let declared = self.program.method(unit);
            let is_public = declared.flags.is_public() && self.program.class(declared.class).flags.is_public();
            note(Kind::PublicMethod, is_public);
            note(Kind::LibraryOverride, self.overrides_library(unit));
            note(Kind::Lifecycle, names::is_lifecycle(code::simple_name(self.program, unit)));
            // Threads of a program are always outside the class.
            note(Kind::Outside, !case.is_program && self.is_outside(declared.class, case.class));
        }
        note(Kind::OwnArgument, case.unit.contains(" [argument"));
        note(Kind::OnlyItself, case.by.iter().all(|by| by == case.unit));
        let first = case.by.first();
        let is_constructor = |name: &str| name.contains(".<init>(") || name.contains(".<clinit>(");
        note(Kind::ByConstructor, is_constructor(case.unit) || first.is_some_and(|by| is_constructor(by)));
        let by = first.and_then(|by| self.method(by)).and_then(|method| self.body(method));
        let fields: Vec<&str> = case.locations.iter().map(|name| simple_field(case.meanings.location(name))).collect();
        if let Some(by) = by {
            note(Kind::ConstantWrite, fields.iter().all(|field| code::stores_constants(self.program, &by, field)));
        }
        let is_of_argument = |name: &str| name.contains(" [argument");
        let has_argument = is_of_argument(case.unit) || first.is_some_and(|by| is_of_argument(by));
        note(Kind::LocksItsObject, !has_argument && self.locks_its_object(case.witness, case.meanings));
        if let Some(torn) = self.method(case.torn).and_then(|method| self.body(method)) {
            let is_there = code::is_atomic(self.program, &torn, case.lines);
            note(Kind::AtomicOperation, is_there || self.writes_atomically(case.witness, case.meanings));
        }
    }

    /// Whether the method of the first interfering access only stores its arguments in the locations.
    fn interferes_by_setter(&self, case: &Case<'_>) -> bool {
        let fields: Vec<&str> = case.locations.iter().map(|name| simple_field(case.meanings.location(name))).collect();
        self.at_interference(case.witness, case.meanings).is_some_and(|method| {
            let is_static = self.program.method(method).flags.is_static();
            self.body(method).is_some_and(|body| code::is_setter(self.program, &body, &fields, is_static))
        })
    }

    /// Notes the evidence of the callers of the unit, and of those of all interfering calls.
    fn note_calls(&self, case: &Case<'_>, note: &mut dyn FnMut(Kind, bool)) {
        let program = self.program;
        let callers = self.callers();
        let unit = self.method(case.unit);
        let by: Vec<MethodId> = case.by.iter().filter_map(|by| self.method(by)).collect();
        let is_of_one_side = |holds: &dyn Fn(MethodId) -> bool| {
            let are_all = !by.is_empty() && by.len() == case.by.len() && by.iter().all(|by| holds(*by));
            unit.is_some_and(holds) || are_all
        };
        let is_guarded =
            |method: MethodId| is_internal(program, method) && callers.is_called_under_lock(program, method);
        note(Kind::CallersLock, is_of_one_side(&is_guarded));
        let is_test = |method: MethodId| names::is_test(&program.class_name(program.method(method).class));
        note(Kind::TestCode, !names::is_test(&program.class_name(case.class)) && is_of_one_side(&is_test));
        note(
            Kind::CalledInside,
            !case.is_program && is_of_one_side(&|method| callers.is_called_internally(program, method)),
        );
        let is_set_up = |method: MethodId| {
            let is_it =
                !program.method(method).flags.is_public() || names::is_lifecycle(code::simple_name(program, method));
            is_main(program, method)
                || is_it && !program.is_constructor(method) && callers.is_set_up_only(program, self.bodies, method)
        };
        note(Kind::SetUp, !case.is_program && is_of_one_side(&is_set_up));
        let first = case.by.first().and_then(|by| self.method(by));
        let starts = |one: MethodId, other: MethodId| {
            let is_run = ["run", "call"].contains(&code::simple_name(program, other));
            is_run && self.body(one).is_some_and(|body| callers::starts_itself(program, &body))
        };
        let pair = unit.zip(first);
        note(Kind::StartsOtherSide, pair.is_some_and(|(unit, by)| starts(unit, by) || starts(by, unit)));
        let fields = || case.locations.iter().filter_map(|name| self.field(case.meanings.location(name)));
        let is_free = (0..case.witness.threads.len()).any(|thread| locked(case.witness, thread).contains(&false));
        note(Kind::GuardedElsewhere, is_free && fields().any(|field| callers.is_guarded_elsewhere(program, field)));
    }

    /// The call sites, computed once.
    fn callers(&self) -> &Callers {
        self.callers.get_or_init(|| Callers::of(self.program))
    }

    /// The method of the first interfering access.
    fn at_interference(&self, witness: &Witness, meanings: &Meanings) -> Option<MethodId> {
        let step = witness.steps.iter().find(|step| step.thread != 0 && is_access(step))?;
        self.method_of(&step.function, meanings)
    }

    /// Whether the last access of the unit is a write by an atomic operation, also in a called method.
    fn writes_atomically(&self, witness: &Witness, meanings: &Meanings) -> bool {
        let Some(step) = own_accesses(witness).last().map(|place| &witness.steps[*place]) else { return false };
        let method = self.method_of(&step.function, meanings);
        step.action == Action::Write
            && method
                .and_then(|method| self.body(method))
                .is_some_and(|body| code::is_atomic(self.program, &body, [step.line; 2]))
    }

    /// Whether two classes are not in one nest, and neither inherits from the other.
    fn is_outside(&self, one: ClassId, other: ClassId) -> bool {
        let program = self.program;
        let name = |class: ClassId| program.class(class).name;
        // Class files name the nest since Java 11; before, the name of an inner class begins with that of the outer
        // one.
        let outermost = |class: ClassId| program.class_name(class).split('$').next().map(str::to_string);
        outermost(one) != outermost(other) && !program.extends(one, name(other)) && !program.extends(other, name(one))
    }

    /// Whether the unit reads the location again under a lock before it writes it, and branches on that value.
    fn is_retested(&self, witness: &Witness, meanings: &Meanings) -> bool {
        let flows = retest::repeated_read(witness).map(|places| self.flows(witness, &places, meanings));
        flows.is_some_and(|flows| flows.is_known && flows.to_condition)
    }

    /// The flows of the values that the violated unit has read before the interference. The pattern has the last read,
    /// but the written value may depend on an earlier read of the same location: in `list = copy(names); synchronized
    /// (names) { names = list; }` the last read is for the lock, and the copy is stale as well.
    fn flows_of_unit(&self, case: &Case<'_>) -> Flows {
        const MOST: usize = 8;
        let (witness, accesses) = (case.witness, own_accesses(case.witness));
        let mut flows = self.flows(witness, &accesses, case.meanings);
        let [first, later @ ..] = &*accesses else { return flows };
        let Some(last) = later.last() else { return flows };
        let [read, written] = [*first, *last].map(|place| &witness.steps[place]);
        let is_update = read.action == Action::Read && written.action == Action::Write && read.object == written.object;
        if !is_update || flows.to_later {
            return flows;
        }
        let is_before = |place: &usize| {
            let step = &witness.steps[*place];
            step.thread == read.thread && step.action == Action::Read && step.object == read.object
        };
        flows.to_later = (0..*first).rev().filter(is_before).take(MOST).any(|place| {
            let accesses: Vec<usize> = [place].into_iter().chain(later.iter().copied()).collect();
            self.flows(witness, &accesses, case.meanings).to_later
        });
        flows
    }

    /// The flows of the value that the first of some accesses reads. Accesses are places of steps in the witness.
    fn flows(&self, witness: &Witness, accesses: &[usize], meanings: &Meanings) -> Flows {
        let Some(AccessLines { function, lines }) = access_lines(witness, accesses) else { return Flows::default() };
        let method = self.method_of(&function, meanings);
        let Some(body) = method.and_then(|method| self.body(method)) else { return Flows::default() };
        let steps: Vec<&Step> = accesses.iter().map(|place| &witness.steps[*place]).collect();
        let full: Vec<&str> =
            steps.iter().map(|step| meanings.location(step.object.as_deref().unwrap_or_default())).collect();
        let called = |place: usize| lines[place].1.as_ref().and_then(|called| self.method_of(called, meanings));
        let standing = |place: usize| AccessSite {
            line: lines[place].0,
            is_direct: lines[place].1.is_none(),
            called: called(place).map(|called| self.program.method(called).name),
            action: steps[place].action,
            field: simple_field(full[place]),
            is_content: full[place].ends_with(']'),
        };
        let accesses: Vec<AccessSite<'_>> = (0..steps.len()).map(standing).collect();
        code::flows(self.program, &body, &accesses)
    }

    /// The method of a function of the model.
    fn method_of(&self, function: &str, meanings: &Meanings) -> Option<MethodId> {
        self.method(&meanings.method(function).name)
    }

    /// A method by its full name. The first call is linear in the number of methods.
    fn method(&self, name: &str) -> Option<MethodId> {
        let named = |(id, _): (MethodId, _)| (printable(&self.program.method_name(id)).into_owned(), id);
        let methods = self.methods.get_or_init(|| self.program.methods().map(named).collect());
        methods.get(name.split(" [argument").next().unwrap_or(name)).copied()
    }

    fn body(&self, method: MethodId) -> Option<Arc<Body>> {
        self.bodies.get(method, &|| false).ok().flatten()
    }

    /// The descriptor of a field's type, by the full name of a location.
    fn field_type(&self, location: &str) -> Option<String> {
        let field = self.program.field(self.field(location)?);
        Some(self.program.text(field.descriptor).to_string())
    }

    /// The field of a location, by its full name; for a content (`[]`), the field that holds the object.
    fn field(&self, location: &str) -> Option<FieldId> {
        let path = location.trim_end_matches("[]");
        let name = path.rsplit('.').next()?;
        let mut class = path;
        while let Some((outer, _)) = class.rsplit_once('.') {
            class = outer;
            let Some(found) = self.program.find(class) else { continue };
            let mut fields = self.program.superclasses(found).flat_map(|class| self.program.class(class).fields());
            return fields.find(|field| self.program.text(self.program.field(*field).name) == name);
        }
        None
    }

    /// Whether a location is a static field, or the content of the object that it holds.
    fn is_static_field(&self, location: &str) -> bool {
        let class = location.rsplit_once('.').map_or("", |(class, _)| class);
        let is_of_class = self.program.find(class).is_some();
        is_of_class && self.field(location).is_some_and(|field| self.program.field(field).flags.is_static())
    }

    /// The names of all known superclasses and interfaces of a class.
    fn above(&self, class: ClassId) -> Vec<String> {
        let mut names = Vec::new();
        let mut seen: BTreeSet<ClassId> = [class].into();
        let mut open = vec![class];
        while let Some(class) = open.pop() {
            let declared = self.program.class(class);
            for name in declared.superclass.iter().chain(&declared.interfaces) {
                names.push(self.program.text(*name).to_string());
                open.extend(self.program.named(*name).filter(|above| seen.insert(*above)));
            }
        }
        names
    }

    /// Whether a synchronized method's class extends a library class other than `Object`.
    fn overrides_library(&self, method: MethodId) -> bool {
        let declared = self.program.method(method);
        let class = self.program.class(declared.class);
        let Some(superclass) = class.superclass.map(|name| self.program.text(name)) else { return false };
        let is_outside = class.superclass.is_some_and(|name| self.program.named(name).is_none());
        is_outside && superclass != "java/lang/Object" && declared.flags.is_synchronized()
    }
}

/// The reason why a violation is possibly benign if the unit only reads values that are made at their first use.
fn made_once(case: &Case<'_>, kinds: &BTreeSet<Kind>) -> Option<String> {
    let reason = "is made once, when it is first needed, and stays (double-checked initialization)";
    kinds.contains(&Kind::LazilyInitialized).then(|| format!("{} {reason}", case.locations.join(" and ")))
}

/// Whether a violation is likely: nothing makes it doubtful, and a caller gets an exception, or loses a change of a
/// field at most accesses of which the program holds a lock, or of a static field that it protects elsewhere. Changes
/// of other fields are lost in the model far more often than in use: whether threads share an object, and whether one
/// thread at a time changes it, shows in the code of others. An element that is put in twice was mostly computed twice.
fn is_likely(kinds: &BTreeSet<Kind>, effect: Effect) -> bool {
    let harms = match effect {
        Effect::Exception => true,
        Effect::Loss => {
            let is_static = kinds.contains(&Kind::StaticField) && kinds.iter().any(|kind| kind.shows_protection());
            kinds.contains(&Kind::StaleUpdate) && (is_static || kinds.contains(&Kind::GuardedElsewhere))
        }
        Effect::WrongResult | Effect::ChangedValue => false,
    };
    harms && !kinds.iter().any(|kind| kind.is_doubt())
}

/// Whether a method is a program's `main`.
fn is_main(program: &Program, method: MethodId) -> bool {
    let declared = program.method(method);
    declared.flags.is_static()
        && program.text(declared.name) == "main"
        && program.text(declared.descriptor) == "([Ljava/lang/String;)V"
}

/// The logarithm of the odds by the group alone.
fn bias(group: Group) -> f64 {
    match group {
        Group::Deadlock | Group::Observed => 1.0,
        Group::LostUpdate | Group::Race | Group::Automaton => -0.6,
        Group::UnrepeatableRead | Group::InconsistentReads => -0.7,
        Group::InconsistentValues => -1.0,
        Group::IntermediateRead => -1.4,
    }
}

/// Whether the unit's accesses are reads.
fn only_reads(witness: &Witness) -> bool {
    own_accesses(witness).into_iter().all(|place| witness.steps[place].action == Action::Read)
}

/// Whether the unit waits for a signal between its first access and its last.
fn waits_between(witness: &Witness) -> bool {
    let own = own_accesses(witness);
    let (Some(first), Some(last)) = (own.first(), own.last()) else { return false };
    witness.steps[*first..*last].iter().any(|step| step.thread == 0 && step.action == Action::Wait)
}

/// The simple name of the field of a location.
fn simple_field(location: &str) -> &str {
    let path = location.split('[').next().unwrap_or(location);
    path.rsplit('.').next().unwrap_or(path)
}

/// Whether a location is the content of an object of an unknown class: the object is none of the library's collections,
/// atomics and locks, or it is an element of a collection. Then all calls on it count as accesses of one location.
fn is_opaque(location: &str, descriptor: Option<&str>) -> bool {
    let depth = location.matches("[]").count();
    match (location.ends_with("[]"), descriptor) {
        (false, _) => false,
        (true, Some(of)) if of.starts_with('[') => depth > of.bytes().take_while(|letter| *letter == b'[').count(),
        (true, Some(of)) => depth > 1 || !(of.starts_with("Ljava/util/") || of.starts_with("Ljava/lang/String")),
        (true, None) => true,
    }
}

/// Whether a type is an array, or a collection that is not thread-safe.
fn is_plain_structure(descriptor: &str) -> bool {
    let is_of_util = descriptor.starts_with("Ljava/util/") && !descriptor.starts_with("Ljava/util/concurrent/");
    descriptor.starts_with('[') || is_of_util || descriptor == "Ljava/lang/StringBuilder;"
}
