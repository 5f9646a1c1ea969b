//! What the whole program does with its fields, as far as instructions say it by themselves. Which classes are looked
//! at, and which findings are possibly benign, rests on it; no proof does.

use super::constructor_writes::ConstructorReceivers;
use super::field_classes::{self, FieldClass};
use super::field_handles;
use super::loop_ranges::LoopRanges;
use super::null_checks::NullChecks;
use super::value_sources::ValueSource;
use java::{CallSiteAction, ClassId, Constant, FieldId, HandleKind, Instruction, MethodId, Name, Program, Type};
use rustc_hash::{FxHashMap, FxHashSet};

/// Facts about a program that all its subjects need.
#[derive(Debug)]
pub struct Facts {
    /// For each field, whether it is written outside of constructors.
    changes: Vec<bool>,
    /// For each field, of which class the objects are that it holds.
    held: Vec<FieldClass>,
    /// For each field, whether it is written where it was not found to be null.
    written_unchecked: Vec<bool>,
    /// For each field, whether null is written to it.
    may_be_null: Vec<bool>,
    /// The fields that handles access.
    handle_targets: FxHashSet<FieldId>,
    /// The methods that make objects of a class.
    makers: FxHashMap<Name, FxHashSet<MethodId>>,
    /// For each class, how many instructions make objects of it; in a loop one counts twice.
    made: FxHashMap<Name, u32>,
    /// The classes of each nest, by its outermost class.
    nests: FxHashMap<String, Vec<ClassId>>,
    /// The methods that enter a monitor by an instruction.
    monitor_methods: FxHashSet<MethodId>,
    /// The methods that write a static field of their class, but for initializers.
    writing_statics: FxHashSet<MethodId>,
    /// The static fields that methods of other classes of the nest use which lock a class, or what a static field holds.
    locked_from_nest: FxHashSet<FieldId>,
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
            held: vec![FieldClass::None; fields],
            written_unchecked: vec![false; fields],
            may_be_null: vec![false; fields],
            handle_targets: FxHashSet::default(),
            makers: FxHashMap::default(),
            made: FxHashMap::default(),
            nests: FxHashMap::default(),
            monitor_methods: FxHashSet::default(),
            writing_statics: FxHashSet::default(),
            locked_from_nest: FxHashSet::default(),
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
        field_classes::field_writes(program, &code, |written| {
            self.held[written.field.index()].add(written.value);
            self.may_be_null[written.field.index()] |= written.value == ValueSource::Null;
        });
        field_handles::handle_targets(program, &code, |target| {
            self.handle_targets.insert(target);
            self.changes[target.index()] = true;
            self.written_unchecked[target.index()] = true;
            self.held[target.index()].add(ValueSource::Unknown);
        });
        let receivers = program.is_constructor(id).then(|| ConstructorReceivers::of(program, id, &code));
        let loops = LoopRanges::of(&code);
        let mut null_checks = NullChecks::default();
        let mut statics: Vec<FieldId> = Vec::new();
        let mut locks_statics = method.flags.is_static() && method.flags.is_synchronized();
        // The last instruction but those that javac puts between a lock and the block: `dup`, `astore`.
        let mut locked: Option<Instruction> = None;
        for (at, instruction) in code.instructions() {
            null_checks.step(program, at, instruction);
            if instruction == Instruction::MonitorEnter {
                self.monitor_methods.insert(id);
            }
            if let Instruction::GetStatic(member) | Instruction::PutStatic(member) = instruction {
                statics.extend(program.resolve_field(member).found());
            }
            let is_global = |instruction: Option<Instruction>| {
                matches!(instruction, Some(Instruction::GetStatic(_) | Instruction::Constant(Constant::Class(_))))
            };
            locks_statics |= instruction == Instruction::MonitorEnter && is_global(locked);
            if !matches!(instruction, Instruction::Stack(_) | Instruction::Store(..)) {
                locked = Some(instruction);
            }
            match instruction {
                Instruction::PutField(member) | Instruction::PutStatic(member) => {
                    let is_static = matches!(instruction, Instruction::PutStatic(_));
                    let Some(field) = program.resolve_field(member).found() else { continue };
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
                    if is_static && is_own && !is_initial {
                        self.writing_statics.insert(id);
                    }
                    let is_unchecked = self.written_unchecked[field.index()];
                    self.written_unchecked[field.index()] =
                        is_unchecked || !is_initial && !null_checks.is_checked(field);
                }
                Instruction::New(class) => {
                    self.makers.entry(class).or_default().insert(id);
                    *self.made.entry(class).or_default() += 1 + u32::from(loops.contains(at));
                }
                Instruction::InvokeDynamic(site) => {
                    if let CallSiteAction::Lambda { implementation, .. } = code.call_site(site).action
                        && implementation.kind == HandleKind::NewInvokeSpecial
                    {
                        *self.made.entry(implementation.member.class).or_default() += 2;
                    }
                }
                _ => {}
            }
        }
        if locks_statics {
            let nest = |class: ClassId| outermost(program.text(program.class(class).name));
            statics.retain(|field| {
                let declaring = program.field(*field).class;
                declaring != method.class && nest(declaring) == nest(method.class)
            });
            self.locked_from_nest.extend(statics);
        }
    }

    /// Whether a field holds different values in the course of time. A field that does not is the same whenever it is
    /// read, as far as constructors do not publish their object.
    pub fn changes(&self, field: FieldId, program: &Program) -> bool {
        !program.field(field).flags.is_final() && self.changes[field.index()]
    }

    /// Whether a field is written outside of constructors only where it was found to be null, and never to be null.
    pub fn is_lazily_initialized(&self, field: FieldId) -> bool {
        !(self.written_unchecked[field.index()] || self.may_be_null[field.index()])
    }

    /// Whether a field is accessed by a handle.
    pub(super) fn has_handle(&self, field: FieldId) -> bool {
        self.handle_targets.contains(&field)
    }

    /// Whether a method enters a monitor by an instruction.
    pub(super) fn enters_monitor(&self, method: MethodId) -> bool {
        self.monitor_methods.contains(&method)
    }

    /// Whether a method writes a static field of its class, not to initialize it.
    pub(super) fn writes_statics(&self, method: MethodId) -> bool {
        self.writing_statics.contains(&method)
    }

    /// Whether a static field is used by a method of another class of its nest that enters the monitor of a class, or of
    /// what a static field holds.
    pub(super) fn is_locked_from_nest(&self, field: FieldId) -> bool {
        self.locked_from_nest.contains(&field)
    }

    /// The class of what a field holds, `java/util/HashMap`, if all of it is made of exactly this class.
    pub fn held<'p>(&self, field: FieldId, program: &'p Program) -> Option<&'p str> {
        self.held[field.index()].class(program)
    }

    /// The methods that make objects of a class.
    pub(super) fn makers(&self, program: &Program, class: ClassId) -> impl Iterator<Item = MethodId> + '_ {
        self.makers.get(&program.class(class).name).into_iter().flatten().copied()
    }

    /// The static field that holds the only object of a class: a singleton of Kotlin, a companion object.
    ///
    /// One instruction of the program makes objects of the class, in no loop and in a static initializer, which runs
    /// once; others cannot make any, as its constructors are private, but for those that the compiler adds for its own
    /// use; and it has no subclasses. So what a static final field of its type holds is this object, once static
    /// initializers have run, and a method of the class is called on it.
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

    /// The classes that can use the private members of a class.
    pub fn nest(&self, program: &Program, class: ClassId) -> &[ClassId] {
        self.nests.get(outermost(program.text(program.class(class).name))).map_or(&[], Vec::as_slice)
    }
}

/// Whether a method of Scala makes what a lazy value is. It does so once, under a lock; before, nobody reads the field,
/// as everybody tests first whether it was made. So the field is never seen to change.
fn is_made_lazily(program: &Program, method: MethodId, field: FieldId) -> bool {
    let [method, field] = [
        (program.method(method).class, program.method(method).name),
        (program.field(field).class, program.field(field).name),
    ];
    method.0 == field.0 && program.text(method.1).strip_suffix("$lzycompute") == Some(program.text(field.1))
}

/// The outermost class of a name: what stands before the first `$`, but for one at the start of a simple name.
fn outermost(name: &str) -> &str {
    let simple = name.rfind('/').map_or(0, |slash| slash + 1);
    let dollar = name[simple..].char_indices().skip(1).find(|(_, one)| *one == '$');
    dollar.map_or(name, |(at, _)| &name[..simple + at])
}
