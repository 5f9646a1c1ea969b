//! Syntactic facts about the fields of the whole program, from single instructions. They select the subjects and the
//! possibly benign findings; no proof depends on them.

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
    /// For each field the class of its objects.
    classes: Vec<FieldClass>,
    /// For each field, whether it is written without a check for null before.
    written_unchecked: Vec<bool>,
    /// For each field, whether null is written to it.
    may_be_null: Vec<bool>,
    /// The fields that are accessed through handles.
    handle_targets: FxHashSet<FieldId>,
    /// For each class the methods that allocate objects of it.
    allocators: FxHashMap<Name, FxHashSet<MethodId>>,
    /// For each class the number of instructions that allocate objects of it; an instruction in a loop counts twice.
    allocations: FxHashMap<Name, u32>,
    /// The classes of each nest, by its outermost class.
    nests: FxHashMap<String, Vec<ClassId>>,
    /// The methods with an instruction that enters a monitor.
    monitor_methods: FxHashSet<MethodId>,
    /// The methods that write a static field of their class, without initializers.
    writing_statics: FxHashSet<MethodId>,
    /// The static fields used by methods of other classes of the nest that lock a class or the object in a static
    /// field.
    locked_from_nest: FxHashSet<FieldId>,
}

impl Facts {
    /// Collects the facts from all code; linear in the program. Damaged code is ignored.
    pub fn new(program: &Program) -> Self {
        Self::new_within(program, &|| false).unwrap_or_else(|| unreachable!("it is never cancelled"))
    }

    /// Collects the facts like [`new`](Self::new); `None` if it is cancelled.
    pub fn new_within(program: &Program, is_cancelled: &dyn Fn() -> bool) -> Option<Self> {
        let fields = program.classes().map(|(_, class)| class.fields().len()).sum();
        let mut facts = Self {
            changes: vec![false; fields],
            classes: vec![FieldClass::None; fields],
            written_unchecked: vec![false; fields],
            may_be_null: vec![false; fields],
            handle_targets: FxHashSet::default(),
            allocators: FxHashMap::default(),
            allocations: FxHashMap::default(),
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
            self.classes[written.field.index()].add(written.value);
            self.may_be_null[written.field.index()] |= written.value == ValueSource::Null;
        });
        field_handles::handle_targets(program, &code, |target| {
            self.handle_targets.insert(target);
            self.changes[target.index()] = true;
            self.written_unchecked[target.index()] = true;
            self.classes[target.index()].add(ValueSource::Unknown);
        });
        let receivers = program.is_constructor(id).then(|| ConstructorReceivers::of(program, id, &code));
        let loops = LoopRanges::of(&code);
        let mut null_checks = NullChecks::default();
        let mut statics: Vec<FieldId> = Vec::new();
        let mut locks_statics = method.flags.is_static() && method.flags.is_synchronized();
        // The last instruction, apart from those that javac puts between a lock and its block: `dup`, `astore`.
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
                    // A constructor of a subclass writes it before other threads have the object.
                    let is_initializer = match &receivers {
                        Some(receivers) => !is_static && receivers.is_own(program, at, field),
                        None => is_static && name == "<clinit>",
                    };
                    // The initializer of another class, even of a subclass, may run after the first use of the field.
                    let declaring = program.field(field).class;
                    let is_own =
                        if is_static { method.class == declaring } else { program.is_subtype(method.class, declaring) };
                    let is_initial = is_initializer && is_own || initializes_lazy_value(program, id, field);
                    self.changes[field.index()] |= !is_initial;
                    if is_static && is_own && !is_initial {
                        self.writing_statics.insert(id);
                    }
                    let is_unchecked = self.written_unchecked[field.index()];
                    self.written_unchecked[field.index()] =
                        is_unchecked || !is_initial && !null_checks.is_checked(field);
                }
                Instruction::New(class) => {
                    self.allocators.entry(class).or_default().insert(id);
                    *self.allocations.entry(class).or_default() += 1 + u32::from(loops.contains(at));
                }
                Instruction::InvokeDynamic(site) => {
                    if let CallSiteAction::Lambda { implementation, .. } = code.call_site(site).action
                        && implementation.kind == HandleKind::NewInvokeSpecial
                    {
                        *self.allocations.entry(implementation.member.class).or_default() += 2;
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

    /// Whether the value of a field may change. The value of another field is the same at every read, provided that
    /// constructors do not publish their object.
    pub fn changes(&self, field: FieldId, program: &Program) -> bool {
        !program.field(field).flags.is_final() && self.changes[field.index()]
    }

    /// Whether a field is written outside of constructors only after a check that it is null, and never with null.
    pub fn is_lazily_initialized(&self, field: FieldId) -> bool {
        !(self.written_unchecked[field.index()] || self.may_be_null[field.index()])
    }

    /// Whether a field is accessed through a handle.
    pub(super) fn has_handle(&self, field: FieldId) -> bool {
        self.handle_targets.contains(&field)
    }

    /// Whether a method has an instruction that enters a monitor.
    pub(super) fn enters_monitor(&self, method: MethodId) -> bool {
        self.monitor_methods.contains(&method)
    }

    /// Whether a method writes a static field of its class other than to initialize it.
    pub(super) fn writes_statics(&self, method: MethodId) -> bool {
        self.writing_statics.contains(&method)
    }

    /// Whether a static field is used by a method of another class of its nest that locks a class or the object in a
    /// static field.
    pub(super) fn is_locked_from_nest(&self, field: FieldId) -> bool {
        self.locked_from_nest.contains(&field)
    }

    /// Returns the exact class of the objects in a field, such as `java/util/HashMap`, if it is unique.
    pub fn exact_class<'p>(&self, field: FieldId, program: &'p Program) -> Option<&'p str> {
        self.classes[field.index()].class(program)
    }

    /// Returns the methods that allocate objects of a class.
    pub(super) fn allocators(&self, program: &Program, class: ClassId) -> impl Iterator<Item = MethodId> + '_ {
        self.allocators.get(&program.class(class).name).into_iter().flatten().copied()
    }

    /// Returns the static field that holds the only object of a class: a singleton or companion object of Kotlin.
    ///
    /// The program has one instruction that allocates objects of the class, in no loop and in a static initializer,
    /// which runs once. Other code cannot allocate any, since the constructors are private, apart from those that the
    /// compiler adds for its own use. The class has no subclasses. So a static final field of its type holds this
    /// object after static initialization, and every method of the class is called on it.
    pub(super) fn singleton_field(&self, program: &Program, class: ClassId) -> Option<FieldId> {
        let declared = program.class(class);
        let is_hidden = |method: MethodId| {
            let flags = program.method(method).flags;
            !program.is_constructor(method) || flags.is_private() || flags.is_synthetic()
        };
        if self.allocations.get(&declared.name) != Some(&1)
            || declared.flags.is_abstract()
            || !declared.methods().all(is_hidden)
            || program.subtypes(class).len() != 1
        {
            return None;
        }
        let allocator = self.allocators(program, class).next()?;
        let allocator = Some(program.method(allocator)).filter(|method| program.text(method.name) == "<clinit>")?;
        let mut fields = program.class(allocator.class).fields().filter(|field| {
            let field = program.field(*field);
            let is_it =
                matches!(program.field_type(field.descriptor), Some(Type::Class(name)) if name == declared.name);
            is_it && field.flags.is_static() && field.flags.is_final()
        });
        fields.next()
    }

    /// Returns the classes that can use the private members of a class.
    pub fn nest(&self, program: &Program, class: ClassId) -> &[ClassId] {
        self.nests.get(outermost(program.text(program.class(class).name))).map_or(&[], Vec::as_slice)
    }
}

/// Whether a method initializes a lazy value of Scala. It does so once, under a lock; every reader first checks whether
/// the value is initialized. So no reader sees the field change.
fn initializes_lazy_value(program: &Program, method: MethodId, field: FieldId) -> bool {
    let [method, field] = [
        (program.method(method).class, program.method(method).name),
        (program.field(field).class, program.field(field).name),
    ];
    method.0 == field.0 && program.text(method.1).strip_suffix("$lzycompute") == Some(program.text(field.1))
}

/// Returns the name of the outermost class: the part before the first `$` that does not begin the simple name.
fn outermost(name: &str) -> &str {
    let simple = name.rfind('/').map_or(0, |slash| slash + 1);
    let dollar = name[simple..].char_indices().skip(1).find(|(_, one)| *one == '$');
    dollar.map_or(name, |(at, _)| &name[..simple + at])
}
