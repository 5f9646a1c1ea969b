//! What the whole program does with its fields, and who calls what is not public.

use super::handles;
use super::held::{self, Held};
use super::initial::Receivers;
use super::origin::Origin;
use super::outer;
use super::reach::Reach;
use super::rounds::{Asked, Rounds};
use java::{
    CallSiteAction, ClassId, Code, FieldId, HandleKind, Instruction, InvokeKind, Member, MethodId, Name, Program,
    Summaries, Type,
};
use rustc_hash::{FxHashMap, FxHashSet};
use std::sync::OnceLock;

/// Facts about a program that all its subjects need.
#[derive(Debug)]
pub struct Facts {
    /// For each field, whether it is written outside of constructors.
    changes: Vec<bool>,
    /// For each field, whether it is assigned outside of initializers at one place only, which stands in `main` and in no loop.
    assigned: Vec<Assigned>,
    /// For each field, how many instructions write it; in a loop one counts twice.
    writes: Vec<u32>,
    /// For each field, of which class the objects are that it holds.
    held: Vec<Held>,
    /// For each field, whether it is written where it was not found to be null.
    written_unasked: Vec<bool>,
    /// By field: whether null is written to it.
    may_be_null: Vec<bool>,
    /// By field: whether code writes it to another object than its own `this`.
    written_by_others: Vec<bool>,
    /// The inner classes of which objects are made with another object outside than the one that makes them.
    made_by_others: FxHashSet<Name>,
    /// For static fields that hold handles, which field these access; none if it is not known.
    handles: FxHashMap<FieldId, Option<FieldId>>,
    targets: FxHashSet<FieldId>,
    /// For each field, whether an object may hold itself in it.
    may_be_own: Vec<bool>,
    /// The methods that only give what an instance field holds, and that field.
    getters: FxHashMap<MethodId, FieldId>,
    /// The methods that call a method that is not public, by its name and descriptor, with the class of the receiver as the call
    /// names it.
    callers: FxHashMap<(Name, Name), FxHashSet<(MethodId, Name)>>,
    /// The methods that use a field of a class, or a method of it that is not public, by the class as they name it.
    users: FxHashMap<Name, FxHashSet<MethodId>>,
    /// The methods of other classes that use static fields of a class, by the class that declares them: a subclass names them as its own.
    static_users: FxHashMap<Name, FxHashSet<MethodId>>,
    /// The methods that make objects of a class.
    makers: FxHashMap<Name, FxHashSet<MethodId>>,
    /// For each class, how many instructions make objects of it; in a loop one counts twice.
    made: FxHashMap<Name, u32>,
    /// The methods that call a method whose name says that it is private in the source, by its name and descriptor; see [`is_expanded`].
    expanded_callers: FxHashMap<(Name, Name), FxHashSet<MethodId>>,
    /// The classes of each nest, by its outermost class.
    nests: FxHashMap<String, Vec<ClassId>>,
    /// Who reaches what, when it was asked for.
    reach: OnceLock<Reach>,
    /// The methods that enter a monitor by an instruction.
    entering: FxHashSet<MethodId>,
}

impl Facts {
    /// Looks at all code once; linear in the program. Code that is damaged does nothing.
    pub fn new(program: &Program) -> Self {
        Self::new_within(program, &|| false).unwrap_or_else(|| unreachable!("nobody cancels it"))
    }

    /// The same; none if it is cancelled.
    pub fn new_within(program: &Program, is_cancelled: &dyn Fn() -> bool) -> Option<Self> {
        let fields = program.classes().map(|(_, class)| class.fields().len()).sum();
        let mut facts = Self {
            changes: vec![false; fields],
            assigned: vec![Assigned::Never; fields],
            writes: vec![0; fields],
            held: vec![Held::Nothing; fields],
            written_unasked: vec![false; fields],
            may_be_null: vec![false; fields],
            written_by_others: vec![false; fields],
            made_by_others: FxHashSet::default(),
            handles: FxHashMap::default(),
            targets: FxHashSet::default(),
            may_be_own: vec![false; fields],
            getters: FxHashMap::default(),
            callers: FxHashMap::default(),
            users: FxHashMap::default(),
            static_users: FxHashMap::default(),
            makers: FxHashMap::default(),
            made: FxHashMap::default(),
            expanded_callers: FxHashMap::default(),
            nests: FxHashMap::default(),
            reach: OnceLock::new(),
            entering: FxHashSet::default(),
        };
        for (id, class) in program.classes() {
            facts.nests.entry(outermost(program.text(class.name)).to_string()).or_default().push(id);
        }
        for (id, _) in program.methods() {
            if is_cancelled() {
                return None;
            }
            facts.add(program, id);
        }
        Some(facts)
    }

    fn add(&mut self, program: &Program, id: MethodId) {
        let Ok(Some(code)) = program.code(id) else { return };
        let method = program.method(id);
        let name = program.text(method.name);
        held::written(program, &code, |written| {
            self.held[written.field.index()].add(written.value);
            self.may_be_null[written.field.index()] |= written.value == Origin::Null;
            self.written_by_others[written.field.index()] |= !written.is_own;
            self.may_be_own[written.field.index()] |= !(program.is_constructor(id) && written.is_other());
        });
        outer::others(program, &code, |class| {
            self.made_by_others.insert(class);
        });
        handles::made(program, &code, |handle, target| {
            let known = *self.handles.entry(handle).or_insert(target);
            self.handles.insert(handle, target.filter(|_| known == target));
            if let Some(target) = target {
                self.targets.insert(target);
                self.changes[target.index()] = true;
                self.written_unasked[target.index()] = true;
                self.may_be_own[target.index()] = true;
                self.held[target.index()].add(Origin::Unknown);
            }
        });
        self.getters.extend(getter(program, id, &code).map(|field| (id, field)));
        let receivers = program.is_constructor(id).then(|| Receivers::of(program, id, &code));
        let rounds = Rounds::of(&code);
        let mut asked = Asked::default();
        for (at, instruction) in code.instructions() {
            asked.step(program, at, instruction);
            if instruction == Instruction::MonitorEnter {
                self.entering.insert(id);
            }
            if let Instruction::GetField(member) | Instruction::PutField(member) = instruction
                && member.class != program.class(method.class).name
            {
                self.users.entry(member.class).or_default().insert(id);
            }
            if let Instruction::GetStatic(member) | Instruction::PutStatic(member) = instruction {
                let declaring = program.resolve_field(member).found().map(|field| program.field(field).class);
                let declaring = declaring.map_or(member.class, |class| program.class(class).name);
                if declaring != program.class(method.class).name {
                    self.static_users.entry(declaring).or_default().insert(id);
                }
            }
            match instruction {
                Instruction::PutField(member) | Instruction::PutStatic(member) => {
                    let is_static = matches!(instruction, Instruction::PutStatic(_));
                    let Some(field) = program.resolve_field(member).found() else { continue };
                    self.writes[field.index()] += 1 + u32::from(rounds.is_in_loop(at));
                    // A subclass's constructor writes it before anybody else has the object.
                    let is_initializer = match &receivers {
                        Some(receivers) => !is_static && receivers.is_own(program, at, field),
                        None => is_static && name == "<clinit>",
                    };
                    // The initializer of another class, a subclass among them, runs when the field has long been used.
                    let declaring = program.field(field).class;
                    let is_own =
                        if is_static { method.class == declaring } else { program.is_subtype(method.class, declaring) };
                    let is_initial = is_initializer && is_own || is_made_lazily(program, id, field);
                    self.changes[field.index()] |= !is_initial;
                    let is_unasked = self.written_unasked[field.index()];
                    self.written_unasked[field.index()] = is_unasked || !is_initial && !asked.is_asked(field);
                    if !is_initial {
                        let is_main = name == "main" && method.flags.is_static() && is_static;
                        let assigned = &mut self.assigned[field.index()];
                        let is_once = *assigned == Assigned::Never && is_main && !rounds.is_in_loop(at);
                        *assigned = if is_once { Assigned::Once } else { Assigned::Often };
                    }
                }
                Instruction::Invoke(kind, member) => self.called(program, id, member, kind != InvokeKind::Special),
                Instruction::New(class) => {
                    self.makers.entry(class).or_default().insert(id);
                    *self.made.entry(class).or_default() += 1 + u32::from(rounds.is_in_loop(at));
                }
                Instruction::InvokeDynamic(site) => {
                    if let CallSiteAction::Lambda { implementation, .. } = code.call_site(site).action {
                        self.called(program, id, implementation.member, true);
                        if implementation.kind == HandleKind::NewInvokeSpecial {
                            *self.made.entry(implementation.member.class).or_default() += 2;
                        }
                    }
                }
                _ => {}
            }
        }
    }

    /// A call; one of exactly a method (`super.close()`) is on an object of the caller's class.
    fn called(&mut self, program: &Program, caller: MethodId, member: Member, is_by_others: bool) {
        if program.text(member.name).contains(EXPANDED) {
            self.expanded_callers.entry((member.name, member.descriptor)).or_default().insert(caller);
        }
        let Some(called) = program.resolve_method(member).found() else { return };
        if !program.method(called).flags.is_public() {
            self.callers.entry((member.name, member.descriptor)).or_default().insert((caller, member.class));
            if is_by_others && member.class != program.class(program.method(caller).class).name {
                self.users.entry(member.class).or_default().insert(caller);
            }
        }
    }

    /// Whether a field holds different values in the course of time. A field that does not is the same whenever it is read, as
    /// far as constructors do not publish their object.
    pub fn changes(&self, field: FieldId, program: &Program) -> bool {
        !program.field(field).flags.is_final() && self.changes[field.index()]
    }

    /// Whether a field is written outside of constructors only where it was found to be null, and never to be null.
    pub(super) fn is_made_once_asked(&self, field: FieldId) -> bool {
        !(self.written_unasked[field.index()] || self.may_be_null[field.index()])
    }

    /// Whether a field is written at most once in each object: it is final, or there is one instruction, in no loop, that writes it in constructors.
    pub(super) fn is_written_once(&self, field: FieldId, program: &Program) -> bool {
        program.field(field).flags.is_final() || !self.changes[field.index()] && self.writes[field.index()] == 1
    }

    /// The field that the handle in a static field accesses.
    pub(super) fn target(&self, handle: FieldId) -> Option<FieldId> {
        self.handles.get(&handle).copied().flatten()
    }

    /// Whether a field is accessed by a handle.
    pub(super) fn is_target(&self, field: FieldId) -> bool {
        self.targets.contains(&field)
    }

    /// Whether a method enters a monitor by an instruction.
    pub(super) fn enters(&self, method: MethodId) -> bool {
        self.entering.contains(&method)
    }

    /// Whether an object may hold itself in a field.
    pub(super) fn may_be_own(&self, field: FieldId) -> bool {
        self.may_be_own[field.index()]
    }

    /// The class of what a field holds, `java/util/HashMap`, if all of it is made of exactly this class.
    pub(super) fn held<'p>(&self, field: FieldId, program: &'p Program) -> Option<&'p str> {
        self.held[field.index()].class(program)
    }

    /// Whether a field of an object that is made always holds one: it is final, so that all constructors assign it (compilers see to it), and what
    /// is written to it is made there. One that is not kept when its object is written to a file is null when that is read.
    pub(super) fn always_holds(&self, field: FieldId, program: &Program) -> bool {
        let flags = program.field(field).flags;
        let is_made = !matches!(self.holds(field), Held::Nothing | Held::Anything);
        flags.is_final() && !flags.is_transient() && is_made && !self.may_be_null[field.index()]
    }

    /// Whether all code that writes a field writes it to its own `this`.
    pub(super) fn holds_own(&self, field: FieldId) -> bool {
        !self.written_by_others[field.index()]
    }

    /// Whether objects of an inner class may be made with another object outside than the one that makes them.
    pub(super) fn is_made_by_others(&self, inner: Name) -> bool {
        self.made_by_others.contains(&inner)
    }

    /// What a field holds, as far as all code says it.
    pub(super) fn holds(&self, field: FieldId) -> Held {
        self.held[field.index()]
    }

    /// The instance field whose content is all that a method gives.
    pub(super) fn getter(&self, method: MethodId) -> Option<FieldId> {
        self.getters.get(&method).copied()
    }

    /// Whether a static field is assigned once besides its initial value, by `main`.
    pub(super) fn is_assigned_once(&self, field: FieldId) -> bool {
        self.assigned[field.index()] == Assigned::Once
    }

    /// The methods of other classes that use fields of these classes, or methods that are not public.
    pub(super) fn users<'f>(
        &'f self,
        program: &'f Program,
        classes: &'f FxHashSet<ClassId>,
    ) -> impl Iterator<Item = MethodId> + 'f {
        let users = classes.iter().flat_map(|class| self.users.get(&program.class(*class).name).into_iter().flatten());
        users.copied().filter(|user| !classes.contains(&program.method(*user).class))
    }

    /// The methods of other classes that use static fields of a class.
    pub(super) fn static_users(&self, program: &Program, class: ClassId) -> impl Iterator<Item = MethodId> + '_ {
        self.static_users.get(&program.class(class).name).into_iter().flatten().copied()
    }

    /// The methods that may call a method that is not public: those that call one of its name and types, of a class that is
    /// a supertype or a subtype of its own.
    pub(super) fn callers<'f>(&'f self, program: &'f Program, method: MethodId) -> impl Iterator<Item = MethodId> + 'f {
        let declared = program.method(method);
        let callers = self.callers.get(&(declared.name, declared.descriptor)).into_iter().flatten();
        let is_related = move |receiver: Name| {
            program.named(receiver).is_some_and(|class| {
                program.is_subtype(class, declared.class) || program.is_subtype(declared.class, class)
            })
        };
        callers.filter(move |(_, receiver)| is_related(*receiver)).map(|(caller, _)| *caller)
    }

    /// The methods that make objects of a class.
    pub(super) fn makers(&self, program: &Program, class: ClassId) -> impl Iterator<Item = MethodId> + '_ {
        self.makers.get(&program.class(class).name).into_iter().flatten().copied()
    }

    /// The methods that call one of this name and types, if its name is one for which that is remembered.
    pub(super) fn expanded_callers(&self, called: (Name, Name)) -> impl Iterator<Item = MethodId> + '_ {
        self.expanded_callers.get(&called).into_iter().flatten().copied()
    }

    /// The static field that holds the only object of a class: a singleton of Kotlin, a companion object.
    ///
    /// One instruction of the program makes objects of the class, in no loop and in a static initializer, which runs once; others cannot make any, as
    /// its constructors are private, but for those that the compiler adds for its own use; and it has no subclasses. So what a static final
    /// field of its type holds is this object, once static initializers have run, and a method of the class is called on it.
    pub(super) fn single(&self, program: &Program, class: ClassId) -> Option<FieldId> {
        let declared = program.class(class);
        let is_hidden = |method: MethodId| {
            let flags = program.method(method).flags;
            !program.is_constructor(method) || flags.is_private() || flags.is_synthetic()
        };
        if self.made.get(&declared.name) != Some(&1)
            || declared.flags.is_abstract()
            || !declared.methods().all(is_hidden)
            || program.subtypes(class).len() != 1
        {
            return None;
        }
        let maker = self.makers(program, class).next()?;
        let maker = Some(program.method(maker)).filter(|maker| program.text(maker.name) == "<clinit>")?;
        let mut fields = program.class(maker.class).fields().filter(|field| {
            let field = program.field(*field);
            let is_it =
                matches!(program.field_type(field.descriptor), Some(Type::Class(name)) if name == declared.name);
            is_it && field.flags.is_static() && field.flags.is_final()
        });
        fields.next()
    }

    /// From which methods what is reached. The summaries are the same for all subjects.
    pub(super) fn reach(&self, program: &Program, summaries: &Summaries) -> &Reach {
        self.reach.get_or_init(|| Reach::new(program, summaries))
    }

    /// The classes that can use the private members of a class.
    pub(super) fn nest(&self, program: &Program, class: ClassId) -> &[ClassId] {
        self.nests.get(outermost(program.text(program.class(class).name))).map_or(&[], Vec::as_slice)
    }
}

/// How often a field is assigned outside of initializers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Assigned {
    Never,
    Once,
    Often,
}

/// What stands in names of Scala between a class and a private member of it that others have to reach, so that the class file says that it is public:
/// `package$Class$$member`.
const EXPANDED: &str = "$$";

/// Whether a name says that a member is private in the source, of a class of this name, with `/` between packages.
pub(super) fn is_expanded(name: &str, class: &str) -> bool {
    let rest = class.split('/').enumerate().try_fold(name, |name, (index, part)| {
        let name = if index > 0 { name.strip_prefix('$')? } else { name };
        name.strip_prefix(part)
    });
    rest.and_then(|rest| rest.strip_prefix(EXPANDED)).is_some_and(|member| !member.is_empty())
}

/// Whether a method of Scala makes what a lazy value is. It does so once, under a lock; before, nobody reads the field, as everybody tests
/// first whether it was made. So the field is never seen to change.
fn is_made_lazily(program: &Program, method: MethodId, field: FieldId) -> bool {
    let [method, field] = [
        (program.method(method).class, program.method(method).name),
        (program.field(field).class, program.field(field).name),
    ];
    method.0 == field.0 && program.text(method.1).strip_suffix("$lzycompute") == Some(program.text(field.1))
}

/// The field of its own object that a method loads and gives back, and nothing else.
fn getter(program: &Program, method: MethodId, code: &Code) -> Option<FieldId> {
    let mut instructions = code.instructions().map(|(_, instruction)| instruction);
    let loads_this = |instruction| matches!(instruction, Instruction::Load(_, local) if local.index() == 0);
    match [instructions.next()?, instructions.next()?, instructions.next()?] {
        [load, Instruction::GetField(member), Instruction::Return(Some(_))]
            if loads_this(load) && !program.method(method).flags.is_static() =>
        {
            program.resolve_field(member).found()
        }
        _ => None,
    }
}

/// The outermost class of a name: what stands before the first `$`, but for one at the start of a simple name.
fn outermost(name: &str) -> &str {
    let simple = name.rfind('/').map_or(0, |slash| slash + 1);
    let dollar = name[simple..].char_indices().skip(1).find(|(_, one)| *one == '$');
    dollar.map_or(name, |(at, _)| &name[..simple + at])
}
