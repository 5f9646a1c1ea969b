//! What methods of the class library do: of locks, monitors, collections and atomics.

use super::world::{ObjectId, Origin, Sort, Value, World, acquire, from, int, release};
use super::{Access, Cell, End, Machine, NO_MONITOR, OUT_OF_BOUNDS, Observer, Result};
use asercheck::java::Member;

impl Machine<'_> {
    /// Methods of the library; `arguments` are on top of the stack.
    pub(super) fn library(
        &self,
        world: &mut World,
        thread: usize,
        member: Member,
        arguments: &[Value],
        observer: &mut impl Observer,
    ) -> Result<End> {
        let [class, name, descriptor] = [member.class, member.name, member.descriptor].map(|name| self.text(name));
        let Some(Value::Object(receiver, origin)) = arguments.first().copied() else {
            return Err(self.unknown(member));
        };
        let is_lock = class.starts_with("java/util/concurrent/locks/");
        if let Sort::Library(sort) = world.sort(receiver) {
            let whose = (thread, receiver, origin);
            if COLLECTIONS.contains(&&**sort) {
                return self.call_of_collection(world, whose, member, arguments, observer);
            }
            if &**sort == ATOMIC {
                return self.call_of_atomic(world, whose, member, arguments, observer);
            }
        }
        observer.does_something(thread);
        let result = match (name, descriptor) {
            ("<init>", _) if class == "java/lang/Object" || superclass(class).is_some() || is_lock => None,
            ("lock", "()V") if is_lock => {
                if !acquire(&mut world.object(receiver).lock, thread) {
                    return Ok(End::Blocked);
                }
                None
            }
            ("unlock", "()V") if is_lock => {
                if !release(&mut world.object(receiver).lock, thread) {
                    return Ok(self.fail(world, thread, arguments.len(), NO_MONITOR));
                }
                None
            }
            ("tryLock", "()Z") if is_lock => Some(Value::Int(acquire(&mut world.object(receiver).lock, thread).into())),
            ("wait", "()V") => {
                let monitor = &mut world.object(receiver).monitor;
                let Some((owner, times)) = *monitor else {
                    return Ok(self.fail(world, thread, arguments.len(), NO_MONITOR));
                };
                if owner != thread {
                    return Ok(self.fail(world, thread, arguments.len(), NO_MONITOR));
                }
                // It may wake up by itself.
                *monitor = None;
                world.take(thread, arguments.len());
                world.threads[thread].waiting = Some((receiver, times));
                return Ok(End::Elsewhere);
            }
            ("notify" | "notifyAll", "()V") => None,
            _ => return Err(self.unknown(member)),
        };
        world.take(thread, arguments.len());
        if let Some(result) = result {
            world.push(thread, result);
        }
        Ok(End::Next)
    }

    /// A method of a collection; `arguments` are on top of the stack.
    fn call_of_collection(
        &self,
        world: &mut World,
        (thread, receiver, origin): (usize, ObjectId, Origin),
        member: Member,
        arguments: &[Value],
        observer: &mut impl Observer,
    ) -> Result<End> {
        let [name, descriptor] = [member.name, member.descriptor].map(|name| self.text(name));
        let Some(content) = content(world, receiver, name, &arguments[1..]) else {
            return Err(self.unknown(member));
        };
        for is_write in content.accesses.iter().copied() {
            observer.accesses(Access { thread, cell: Cell::Element(receiver, 0), origin, is_write });
        }
        world.take(thread, arguments.len());
        if let Some(exception) = content.throws {
            return Ok(End::Throws(exception));
        }
        if !descriptor.ends_with('V') {
            world.push(thread, content.result);
        }
        Ok(End::Next)
    }

    /// A method of an atomic; `arguments` are on top of the stack.
    fn call_of_atomic(
        &self,
        world: &mut World,
        (thread, receiver, origin): (usize, ObjectId, Origin),
        member: Member,
        arguments: &[Value],
        observer: &mut impl Observer,
    ) -> Result<End> {
        let [name, descriptor] = [member.name, member.descriptor].map(|name| self.text(name));
        let end = atomic(world, (thread, receiver, origin), name, &arguments[1..], observer);
        let Some(result) = end else { return Err(self.unknown(member)) };
        world.take(thread, arguments.len());
        if !descriptor.ends_with('V') {
            world.push(thread, Value::Int(result));
        }
        Ok(End::Next)
    }
}

const ATOMIC: &str = "java/util/concurrent/atomic/AtomicInteger";

/// Executes a method of an atomic, and gives its result.
fn atomic(
    world: &mut World,
    (thread, object, origin): (usize, ObjectId, Origin),
    name: &str,
    arguments: &[Value],
    observer: &mut impl Observer,
) -> Option<i32> {
    let elements = &mut world.object(object).elements;
    let before = elements.first().copied().and_then(int).unwrap_or(0);
    let cell = Cell::Element(object, 0);
    let mut accesses = |is_write: bool| observer.accesses(Access { thread, cell, origin, is_write });
    let ints: Vec<i32> = arguments.iter().map(|value| int(*value)).collect::<Option<_>>()?;
    let (after, result) = match (name, &ints[..]) {
        ("<init>", []) => (0, 0),
        ("get", []) => {
            observer.reads_atomic(thread);
            observer.accesses(Access { thread, cell, origin, is_write: false });
            return Some(before);
        }
        ("set", [value]) => {
            accesses(true);
            (*value, 0)
        }
        ("incrementAndGet", []) => {
            accesses(false);
            accesses(true);
            (before.wrapping_add(1), before.wrapping_add(1))
        }
        ("compareAndSet", [old, new]) => {
            let found = *old == before;
            observer.swaps(Access { thread, cell, origin, is_write: false }, found);
            observer.accesses(Access { thread, cell, origin, is_write: false });
            if !found {
                return Some(0);
            }
            observer.accesses(Access { thread, cell, origin, is_write: true });
            (*new, 1)
        }
        _ => return None,
    };
    *elements = vec![Value::Int(after)];
    Some(result)
}

/// Collections that are executed, with one step for each call.
const COLLECTIONS: [&str; 3] = ["java/util/ArrayList", "java/util/concurrent/ConcurrentHashMap", "java/util/HashMap"];

/// What a method of a collection does.
struct Content {
    /// Whether what it holds is read (false) or written (true), in this order.
    accesses: &'static [bool],
    result: Value,
    throws: Option<&'static str>,
}

/// Executes a method of a collection; of a map, only the keys are kept.
fn content(world: &mut World, collection: ObjectId, name: &str, arguments: &[Value]) -> Option<Content> {
    let plain: Vec<Value> = arguments.iter().map(|value| from(*value, Origin::Elsewhere)).collect();
    let elements = &mut world.object(collection).elements;
    let found = plain.first().and_then(|value| elements.iter().position(|element| element == value));
    let truth = |holds: bool| Value::Int(holds.into());
    let (accesses, result): (&'static [bool], Value) = match (name, &plain[..]) {
        ("<init>", []) => (&[], Value::Null),
        ("size", []) => (&[false], Value::Int(i32::try_from(elements.len()).expect("collections are small"))),
        ("isEmpty", []) => (&[false], truth(elements.is_empty())),
        ("contains" | "containsKey", [_]) => (&[false], truth(found.is_some())),
        ("add", [value]) => {
            elements.push(*value);
            (&[false, true], truth(true))
        }
        // Nothing that is done later depends on what was there before.
        ("clear", []) => {
            elements.clear();
            (&[true], Value::Null)
        }
        ("put" | "putIfAbsent", [key, _]) => {
            if found.is_none() {
                elements.push(*key);
            }
            (&[false, true], found.map_or(Value::Null, |index| elements[index]))
        }
        ("get", [Value::Int(index)]) => match usize::try_from(*index).ok().and_then(|index| elements.get(index)) {
            Some(value) => (&[false], *value),
            None => return Some(Content { accesses: &[false], result: Value::Null, throws: Some(OUT_OF_BOUNDS) }),
        },
        _ => return None,
    };
    Some(Content { accesses, result, throws: None })
}

/// The superclass of an exception of the library.
pub(super) fn superclass(class: &str) -> Option<&'static str> {
    match class.strip_prefix("java/lang/")? {
        "NullPointerException"
        | "ArithmeticException"
        | "IllegalArgumentException"
        | "IllegalStateException"
        | "ClassCastException"
        | "NegativeArraySizeException"
        | "IllegalMonitorStateException"
        | "IndexOutOfBoundsException" => Some("java/lang/RuntimeException"),
        "ArrayIndexOutOfBoundsException" => Some("java/lang/IndexOutOfBoundsException"),
        "RuntimeException" => Some("java/lang/Exception"),
        "Exception" => Some("java/lang/Throwable"),
        "Throwable" => Some("java/lang/Object"),
        _ => None,
    }
}
