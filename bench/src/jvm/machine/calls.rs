//! How methods begin and end: calls, returns and exceptions.

use super::library::superclass;
use super::world::{Frame, ObjectId, Origin, Sort, Value, World, acquire, release};
use super::{End, Machine, NULL, Observer, Result, Unsupported};
use asercheck::java::{HandleKind, InvokeKind, Member, MethodId, Name};

/// So many methods of a thread may be open.
const DEEPEST: usize = 10;

impl Machine<'_> {
    /// A method begins, or waits for its monitor.
    pub(super) fn enter(
        &self,
        world: &mut World,
        thread: usize,
        method: MethodId,
        arguments: Vec<Value>,
        observer: &mut impl Observer,
    ) -> Result<End> {
        let depth = world.threads[thread].frames.len();
        if depth >= DEEPEST {
            return Ok(End::TooDeep);
        }
        let code = self.code(method)?;
        let declared = self.program.method(method);
        let locked = match (declared.flags.is_synchronized(), declared.flags.is_static(), arguments.first()) {
            (false, ..) => None,
            (true, true, _) => Some(world.class_object(self.program.class(declared.class).name)),
            (true, false, Some(Value::Object(receiver, _))) => Some(*receiver),
            (true, false, _) => return Err(Unsupported("a method without a receiver".into())),
        };
        if let Some(locked) = locked
            && !acquire(&mut world.object(locked).monitor, thread)
        {
            return Ok(End::Blocked);
        }
        observer.enters(thread, depth, method, &arguments);
        let mut locals = Vec::new();
        for value in arguments {
            locals.push(value);
            locals.extend(matches!(value, Value::Long(_)).then_some(Value::Int(0)));
        }
        locals.resize(usize::from(code.max_locals).max(locals.len()), Value::Int(0));
        let (at, _) = code.instructions().next().expect("code is not empty");
        world.threads[thread].frames.push(Frame { method, code, at, locals, stack: Vec::new(), locked });
        self.arrives(world, thread, at, observer);
        Ok(End::Elsewhere)
    }

    /// The innermost method ends.
    pub(super) fn leave(&self, world: &mut World, thread: usize, observer: &mut impl Observer) {
        let frame = world.threads[thread].frames.pop().expect("a method is open");
        if let Some(locked) = frame.locked {
            release(&mut world.object(locked).monitor, thread);
        }
        observer.leaves(thread, world.threads[thread].frames.len());
    }

    /// An exception goes to the innermost handler that catches it.
    pub(super) fn throw(&self, world: &mut World, thread: usize, exception: ObjectId, observer: &mut impl Observer) {
        while let Some(frame) = world.threads[thread].frames.last() {
            let at = frame.at.index();
            let catches = |name: Option<Name>| name.is_none_or(|name| self.is_a(world, exception, name));
            let mut handlers = frame.code.handlers().iter();
            let found = handlers.find(|handler| handler.covers.contains(&at) && catches(handler.catches));
            if let Some(target) = found.map(|handler| handler.target) {
                let frame = world.frame(thread);
                frame.stack = vec![Value::Object(exception, Origin::Elsewhere)];
                self.arrives(world, thread, target, observer);
                return;
            }
            self.leave(world, thread, observer);
        }
    }

    /// Whether an object is of a class or interface of this name.
    pub(super) fn is_a(&self, world: &World, object: ObjectId, name: Name) -> bool {
        let wanted = self.text(name);
        match &world.objects[object.0 as usize].sort {
            Sort::Given(class) => self.program.extends(*class, name) || wanted == "java/lang/Object",
            Sort::Library(class) => {
                std::iter::successors(Some(&**class), |class| superclass(class)).any(|class| class == wanted)
            }
            Sort::Array | Sort::Class | Sort::Text => wanted == "java/lang/Object",
            Sort::Lambda(..) => true,
        }
    }

    /// Calls a method with what is on top of the stack.
    pub(super) fn invoke(
        &self,
        world: &mut World,
        thread: usize,
        (kind, member): (InvokeKind, Member),
        observer: &mut impl Observer,
    ) -> Result<End> {
        let types = self.program.method_type(member.descriptor).ok_or_else(|| self.unknown(member))?;
        let has_receiver = kind != InvokeKind::Static;
        let count = types.parameters.len() + usize::from(has_receiver);
        // If the call has to wait, it finds its arguments again.
        let arguments = world.top(thread, count);
        let named = self.program.named(member.class);
        let declared = named.and_then(|class| self.method(class, member.name, member.descriptor));
        let is_private = declared.is_some_and(|method| self.program.method(method).flags.is_private());
        let mut arguments = arguments.to_vec();
        let method = match (kind, arguments.first()) {
            (InvokeKind::Static, _) => declared,
            (_, Some(Value::Object(..))) if kind == InvokeKind::Special || is_private => declared,
            (_, Some(Value::Object(receiver, _))) => match world.objects[receiver.0 as usize].sort.clone() {
                Sort::Given(class) => self.method(class, member.name, member.descriptor),
                Sort::Lambda(kind, [class, name, descriptor], captured) => {
                    if kind == HandleKind::NewInvokeSpecial {
                        return Err(self.unknown(member));
                    }
                    arguments.remove(0);
                    arguments = captured.into_iter().chain(arguments).collect();
                    let class = match (kind, arguments.first()) {
                        (HandleKind::InvokeVirtual | HandleKind::InvokeInterface, Some(Value::Object(receiver, _))) => {
                            world.objects[receiver.0 as usize].sort.clone()
                        }
                        _ => Sort::Given(self.program.named(class).ok_or_else(|| self.unknown(member))?),
                    };
                    let Sort::Given(class) = class else { return Err(self.unknown(member)) };
                    self.method(class, name, descriptor)
                }
                _ => None,
            },
            _ => return Ok(self.fail(world, thread, count, NULL)),
        };
        let Some(method) = method else { return self.library(world, thread, member, &arguments, observer) };
        let before = world.threads[thread].frames.len();
        let end = self.enter(world, thread, method, arguments, observer)?;
        if let End::Elsewhere = end {
            let stack = &mut world.threads[thread].frames[before - 1].stack;
            stack.truncate(stack.len() - count);
        }
        Ok(end)
    }

    /// The call of a method with so many arguments throws an exception.
    pub(super) fn fail(&self, world: &mut World, thread: usize, count: usize, class: &'static str) -> End {
        world.take(thread, count);
        End::Throws(class)
    }
}
