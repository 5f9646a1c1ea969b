//! Escape of objects that a unit has made: from then on they may be followed objects.
//!
//! An object that a unit makes is no followed object as long as the unit alone has it: nobody else observes accesses to
//! it. Once it is stored in another object or a static field, kept by the library, thrown, or passed to clients or to a
//! method that stores it, others may find it, and it may be the followed object of its alias class. So all variables
//! that may hold it become unresolved.
//!
//! **Definition.** A variable *reaches* an object if it holds it, or if it holds an object that a call has made around
//! it: the list of `List.of(c)`, an iterator, a view, an `Optional` ([`Origins::reached`](super::origins::Origins)). A
//! use of a variable *stores* the objects that it reaches, unless the operation, the row or the callee's code excludes
//! it ([`ArgumentFlow`]).
//!
//! **Invariant.** If a variable of a frame has a value that says that it is no followed object (`Value::Any` and the
//! like) because the unit has made the object, then no use before this point has stored a variable that reaches the
//! object. *Why it suffices.* A new object is reached by others only through something that holds it. A store into a
//! field, an element or a container stores the object at once, even if the holder is new as well. So an unstored object
//! is held only by variables, and by objects that calls have made around it; these are held only by variables in turn,
//! and the results of such calls reach their arguments unless the row excludes it. A load from an object that is made
//! around others reaches them, too; its value comes from the points-to set.
//!
//! A method *stores* a parameter if a use of a variable that reaches the parameter stores it there.

use super::argument_flows::{ArgumentFlow, Extent};
use super::origins::{loaded_from, returned_variables};
use super::subject_facts::SubjectFacts;
use java::ir::{Block, BlockId, Body, Definition, End, Operation, StatementId, Variable};
use java::points_to::ObjectId;
use java::{CallSiteAction, InvokeKind, Lookup, Member, MethodId};
use rustc_hash::FxHashSet;
use std::rc::Rc;

/// Maximum call depth in the search for stores of a parameter.
const DEEPEST: usize = 6;

/// A parameter in the search for its stores.
#[derive(Clone, Copy)]
struct Sought {
    variable: Variable,
    /// Whether other objects are sought as well, which calls have put into the parameter's content.
    has_content: bool,
}

/// The variables that reach a sought object.
struct Reaching {
    all: FxHashSet<Variable>,
    /// Those that may hold it themselves.
    direct: FxHashSet<Variable>,
}

impl SubjectFacts<'_> {
    /// The variables that may hold the same new object as a variable, or one that it reaches, if it may be a followed
    /// one; computed once.
    pub(crate) fn escaping_aliases(&self, method: MethodId, (variable, stored): (Variable, Extent)) -> Rc<[Variable]> {
        if let Some(known) = self.known.escapes.escaping_aliases.get(&(method, variable, stored)) {
            return known.clone();
        }
        let origins = self.origins_of(method);
        let mut made = match stored {
            Extent::Reached => origins.reached(variable),
            Extent::Content => origins.contained(variable),
        };
        made.retain(|origin| self.may_be_new(method, *origin));
        let mut found = origins.sharing(&made);
        found.retain(|alias| self.may_hold_followed(method, *alias));
        let found: Rc<[Variable]> = found.into();
        self.known.escapes.escaping_aliases.insert((method, variable, stored), found.clone());
        found
    }

    fn may_hold_followed(&self, method: MethodId, variable: Variable) -> bool {
        self.heap.variable(method, variable).into_iter().any(|object| self.may_be_followed(object))
    }

    /// The arguments that a call stores; computed once for each statement.
    pub(crate) fn stored_arguments(
        &self,
        (method, site): (MethodId, StatementId),
        operation: &Operation,
    ) -> Rc<[(Variable, Extent)]> {
        let Operation::Invoke { kind, member, arguments } = operation else { return Rc::default() };
        if let Some(known) = self.known.escapes.stored_arguments.get(&(method, site)) {
            return known.clone();
        }
        let mut found = Vec::new();
        let flows = self.argument_flows(method, site, (*kind, *member), arguments);
        for ((place, argument), flow) in (0..).zip(arguments.iter()).zip(flows) {
            let has_content = !self.escaping_aliases(method, (*argument, Extent::Content)).is_empty();
            if !has_content && self.escaping_aliases(method, (*argument, Extent::Reached)).is_empty() {
                continue;
            }
            if self.is_stored_by((method, site), (*kind, *member), (place, flow, has_content), DEEPEST) {
                found.push((*argument, Extent::Reached));
            } else if has_content && flow.stores_content {
                found.push((*argument, Extent::Content));
            }
        }
        let found: Rc<[(Variable, Extent)]> = found.into();
        self.known.escapes.stored_arguments.insert((method, site), found.clone());
        found
    }

    /// Whether a call stores its argument at this position, which has these flows by the call's rows. Content that
    /// calls have put into the argument counts only where code of the program stores it.
    fn is_stored_by(
        &self,
        (method, site): (MethodId, StatementId),
        (kind, member): (InvokeKind, Member),
        (place, flow, has_content): (usize, ArgumentFlow, bool),
        depth: usize,
    ) -> bool {
        let Some(depth) = depth.checked_sub(1) else { return true };
        let points = self.heap.points;
        let callees = points.callees(method, site);
        // Clients may keep their arguments, and those of functions that the library runs.
        let is_client = callees.is_some_and(|callees| callees.client);
        let is_passed = flow.is_passed || (has_content && flow.passes_content);
        if flow.stores_itself || (is_client && (place > 0 || is_passed)) {
            return true;
        }
        let given: Vec<MethodId> = match (kind, self.heap.program.resolve_method(member)) {
            (InvokeKind::Static | InvokeKind::Special, Lookup::Found(found)) => vec![found],
            _ => callees.iter().flat_map(|it| it.methods.iter().copied()).collect(),
        };
        let sought = (place, has_content);
        given.into_iter().any(|callee| !self.has_only_row(callee) && self.stores_parameter(callee, sought, depth))
            || (is_passed && self.functions_store((method, site), place, depth))
    }

    /// Whether the row of a program method stands for its missing code.
    fn has_only_row(&self, method: MethodId) -> bool {
        !self.heap.program.method(method).has_code() && {
            let declared = self.heap.program.method(method);
            let class = self.heap.program.class(declared.class).name;
            let member = Member { class, name: declared.name, descriptor: declared.descriptor };
            self.heap.row_of_member(member).is_some()
        }
    }

    /// Whether a function that the library runs because of a call stores a parameter that may hold what an argument
    /// reaches.
    fn functions_store(&self, (method, site): (MethodId, StatementId), place: usize, depth: usize) -> bool {
        let points = self.heap.points;
        let Some(callees) = points.callees(method, site) else { return true };
        let Some(body) = self.heap.body(method) else { return true };
        let Operation::Invoke { arguments, .. } = &body.statement(site).operation else { return true };
        let Some(argument) = arguments.get(place).copied() else { return true };
        let reached = self.origins_of(method).reached(argument);
        let objects: FxHashSet<ObjectId> =
            reached.into_iter().flat_map(|origin| self.heap.variable(method, origin)).collect();
        let functions: Vec<MethodId> = callees.functions.to_vec();
        functions.into_iter().any(|function| {
            let Some(body) = self.heap.body(function) else { return true };
            (0..body.parameters.len()).any(|place| {
                let given = self.heap.variable(function, body.parameters[place]);
                let held = self.heap.library_closure(given);
                held.iter().any(|object| objects.contains(object))
                    && self.stores_parameter(function, (place, true), depth)
            })
        })
    }

    /// Whether a method stores a parameter; computed once.
    fn stores_parameter(&self, method: MethodId, (place, has_content): (usize, bool), depth: usize) -> bool {
        if let Some(known) = self.known.escapes.stores_parameter.get(&(method, place, has_content)) {
            return known;
        }
        let Some(body) = self.heap.body(method) else { return true };
        let Some(variable) = body.parameters.get(place).copied() else { return true };
        let found = self.stores_variable((method, &body), Sought { variable, has_content }, &|_| false, depth);
        self.known.escapes.stores_parameter.insert((method, place, has_content), found);
        found
    }

    /// Whether a method lets a parameter escape that may hold a new object: from then on it may be a followed one.
    pub(super) fn escapes_via_parameter(&self, method: MethodId, body: &Body) -> bool {
        (0..).zip(&*body.parameters).any(|(place, parameter)| {
            body.variable(*parameter).of.is_some_and(java::Type::is_reference)
                && self.may_hold_followed(method, *parameter)
                && self.stores_parameter(method, (place, false), DEEPEST)
                && self.may_be_new(method, *parameter)
        })
    }

    /// Whether a method lets its own allocation escape. A store into another object that it has made, or that it
    /// constructs, does not count.
    pub(super) fn allocation_escapes(&self, method: MethodId, body: &Body, made: Variable) -> bool {
        let constructed = body.parameters.first().filter(|_| self.heap.program.is_constructor(method)).copied();
        let mut private: FxHashSet<Variable> = constructed.into_iter().collect();
        for statement in body.blocks().flat_map(|(_, block)| &*block.statements) {
            if let Operation::PutField { object, .. } = &statement.operation
                && self.is_new(body, *object)
            {
                private.insert(*object);
            }
        }
        let sought = Sought { variable: made, has_content: false };
        self.stores_variable((method, body), sought, &|object| private.contains(&object), DEEPEST)
    }

    fn stores_variable(
        &self,
        (method, body): (MethodId, &Body),
        sought: Sought,
        is_private: &dyn Fn(Variable) -> bool,
        depth: usize,
    ) -> bool {
        let reaching = self.reaching(method, body, sought);
        body.blocks().any(|(id, block)| {
            matches!(block.end, End::Throw(value) if reaching.all.contains(&value))
                || self.block_stores((method, body), (id, block), (sought, &reaching), (is_private, depth))
        })
    }

    /// Whether a statement of a block stores a sought object.
    fn block_stores(
        &self,
        (method, body): (MethodId, &Body),
        (id, block): (BlockId, &Block),
        (sought, reaching): (Sought, &Reaching),
        (is_private, depth): (&dyn Fn(Variable) -> bool, usize),
    ) -> bool {
        let is_sought = |variable: &Variable| reaching.all.contains(variable);
        (0..).zip(&*block.statements).any(|(index, statement)| match &statement.operation {
            Operation::PutField { object, value, .. } => is_sought(value) && !is_private(*object),
            Operation::PutStatic(_, value) | Operation::StoreElement { value, .. } => is_sought(value),
            Operation::InvokeDynamic { site, arguments } => {
                arguments.iter().any(is_sought) && keeps_arguments(body.call_site(*site).action)
            }
            Operation::Invoke { kind, member, arguments } => {
                if !arguments.iter().any(is_sought) {
                    return false;
                }
                let site = StatementId { block: id, index };
                let flows = self.argument_flows(method, site, (*kind, *member), arguments);
                (0..).zip(arguments.iter()).zip(flows).any(|((place, argument), flow)| {
                    let has_content = sought.has_content || !reaching.direct.contains(argument);
                    is_sought(argument)
                        && ((has_content && flow.stores_content)
                            || self.is_stored_by((method, site), (*kind, *member), (place, flow, has_content), depth))
                })
            }
            _ => false,
        })
    }

    /// The variables of a method that reach a sought object.
    fn reaching(&self, method: MethodId, body: &Body, sought: Sought) -> Reaching {
        let origins = self.origins_of(method);
        let mut all: FxHashSet<Variable> = FxHashSet::from_iter([sought.variable]);
        loop {
            let seeds: Vec<Variable> = all.iter().copied().collect();
            let before = all.len();
            all.extend(origins.holding(&seeds));
            if sought.has_content {
                let loads = body.blocks().flat_map(|(_, block)| &*block.statements).filter_map(|statement| {
                    let base = loaded_from(&statement.operation)?;
                    let to = statement.to.filter(|to| body.variable(*to).of.is_some_and(java::Type::is_reference))?;
                    all.contains(&base).then_some(to)
                });
                let loads: Vec<Variable> = loads.collect();
                all.extend(loads);
            }
            if all.len() == before {
                break;
            }
        }
        let direct = origins.sharing(&[sought.variable]).into_iter().chain([sought.variable]).collect();
        Reaching { all, direct }
    }

    /// Whether a constructor lets others have the object that it constructs before it returns. For other methods,
    /// always.
    pub(crate) fn leaks_constructed(&self, method: MethodId) -> bool {
        !self.heap.program.is_constructor(method) || self.leaks(method, 0, DEEPEST)
    }

    /// Whether a constructor lets others have what a parameter reaches, other than by the object that it constructs and
    /// by objects that it makes and lets nobody have: inner objects and functions. Computed once.
    fn leaks(&self, constructor: MethodId, place: usize, depth: usize) -> bool {
        if let Some(known) = self.known.escapes.leaks.get(&(constructor, place)) {
            return known;
        }
        let Some(depth) = depth.checked_sub(1) else { return true };
        let Some(body) = self.heap.body(constructor) else { return true };
        let Some(variable) = body.parameters.get(place).copied() else { return true };
        let group = self.group(&body, variable);
        let found = body.blocks().any(|(id, block)| {
            matches!(block.end, End::Throw(value) if group.contains(&value))
                || (0..).zip(&*block.statements).any(|(index, statement)| {
                    let site = StatementId { block: id, index };
                    self.leaks_at((&body, site), &statement.operation, (&group, depth))
                })
        });
        self.known.escapes.leaks.insert((constructor, place), found);
        found
    }

    /// The variables of a constructor that reach a parameter, and the objects of its own that hold one of these.
    fn group(&self, body: &Body, parameter: Variable) -> FxHashSet<Variable> {
        let mut group: FxHashSet<Variable> = FxHashSet::from_iter([parameter]);
        loop {
            let before = group.len();
            for one in group.clone() {
                group.extend(self.reaching(body.method, body, Sought { variable: one, has_content: true }).all);
            }
            for statement in body.blocks().flat_map(|(_, block)| &*block.statements) {
                let holder = match &statement.operation {
                    Operation::PutField { object, value, .. } if group.contains(value) => Some(*object),
                    Operation::InvokeDynamic { arguments, .. } if arguments.iter().any(|it| group.contains(it)) => {
                        statement.to
                    }
                    Operation::Invoke { arguments, member, .. }
                        if self.heap.program.is_constructor_name(member.name)
                            && arguments.iter().any(|it| group.contains(it)) =>
                    {
                        arguments.first().copied()
                    }
                    _ => None,
                };
                group.extend(holder.filter(|holder| is_own(body, *holder)));
                // A method of an inner object may return what the object holds.
                if let (Operation::Invoke { arguments, .. }, Some(to)) = (&statement.operation, statement.to)
                    && body.variable(to).of.is_some_and(java::Type::is_reference)
                    && arguments.iter().any(|it| group.contains(it))
                {
                    group.insert(to);
                }
            }
            if group.len() == before {
                return group;
            }
        }
    }

    /// Whether a statement of a constructor lets others have one of these variables.
    fn leaks_at(
        &self,
        (body, site): (&Body, StatementId),
        operation: &Operation,
        (group, depth): (&FxHashSet<Variable>, usize),
    ) -> bool {
        match operation {
            Operation::PutField { object, value, .. } => group.contains(value) && !is_own(body, *object),
            Operation::PutStatic(_, value) | Operation::StoreElement { value, .. } => group.contains(value),
            Operation::InvokeDynamic { site, arguments } => {
                matches!(body.call_site(*site).action, CallSiteAction::Other(_))
                    && arguments.iter().any(|it| group.contains(it))
            }
            Operation::Invoke { kind, member, arguments } => {
                let constructor = self.heap.program.resolve_method(*member).found().filter(|method| {
                    self.heap.program.is_constructor(*method) && arguments.first().is_some_and(|it| is_own(body, *it))
                });
                let flows = self.argument_flows(body.method, site, (*kind, *member), arguments);
                (0..).zip(arguments.iter()).zip(flows).filter(|((_, it), _)| group.contains(it)).any(
                    |((place, _), flow)| match constructor {
                        Some(constructor) => self.leaks(constructor, place, depth),
                        None => {
                            flow.stores_content
                                || self.is_stored_by((body.method, site), (*kind, *member), (place, flow, true), depth)
                        }
                    },
                )
            }
            _ => false,
        }
    }

    /// Whether a variable certainly holds a new object, allocated by the method or by a method that it calls.
    fn is_new(&self, body: &Body, variable: Variable) -> bool {
        let Definition::Statement(id) = body.variable(variable).definition else { return false };
        match &body.statement(id).operation {
            Operation::New(_) | Operation::NewArray(..) => true,
            Operation::CheckCast(_, value) => self.is_new(body, *value),
            Operation::Invoke { kind: InvokeKind::Static | InvokeKind::Special, member, .. } => {
                let found = self.heap.program.resolve_method(*member).found();
                found.and_then(|method| self.heap.body(method)).is_some_and(|body| gives_new(&body))
            }
            _ => false,
        }
    }
}

/// Whether a variable of a constructor is the object that it constructs, or an object or function that it makes.
fn is_own(body: &Body, variable: Variable) -> bool {
    match body.variable(variable).definition {
        Definition::Parameter(place) => place == 0,
        Definition::Statement(id) => {
            matches!(body.statement(id).operation, Operation::New(_) | Operation::InvokeDynamic { .. })
        }
        Definition::Joined(..) | Definition::Caught(_) => false,
    }
}

/// Whether a call site may keep its arguments.
fn keeps_arguments(action: CallSiteAction) -> bool {
    match action {
        CallSiteAction::Lambda { .. } | CallSiteAction::Other(_) => true,
        CallSiteAction::Concatenation | CallSiteAction::RecordMethod | CallSiteAction::PatternSwitch => false,
    }
}

/// Whether a method returns only objects that it has allocated.
fn gives_new(body: &Body) -> bool {
    let is_new = |variable: Variable| match body.variable(variable).definition {
        Definition::Statement(id) => {
            matches!(body.statement(id).operation, Operation::New(_) | Operation::NewArray(..))
        }
        _ => false,
    };
    returned_variables(body).all(is_new)
}
