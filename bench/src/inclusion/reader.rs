//! Reads the output of the recorder: one event a line, parts separated by tabs.

use super::graph::Graph;
use super::trace::{Done, Effect, Event, Hold, Kind, Object, ObjectId, Run, Session, Unit};
use anyhow::{Context, bail};
use std::collections::BTreeMap;
use std::rc::Rc;

/// Reads the sessions of a text. An incomplete last line is ignored: threads of the last subject may still run and
/// write when the recorder ends.
///
/// # Errors
/// If a line is none of the recorder's.
pub fn sessions(text: &str) -> anyhow::Result<Vec<Session>> {
    let mut reader = Reader::default();
    let whole = text.rsplit_once('\n').map_or("", |(whole, _)| whole);
    for (number, line) in whole.lines().enumerate() {
        reader.line(line).with_context(|| format!("line {}: {line}", number + 1))?;
    }
    Ok(reader.sessions)
}

#[derive(Default)]
struct Reader {
    sessions: Vec<Session>,
    /// The references of the last heap in the text.
    graph: Rc<Graph>,
    /// The unit of each thread.
    units: BTreeMap<u32, usize>,
    /// By thread: the beginnings of optimistic reads.
    optimistic: BTreeMap<u32, Vec<Optimistic>>,
}

/// An optimistic read: a thread has a stamp of a lock that it does not hold. If the stamp is valid later, no thread has
/// written in between, as if the thread had held the lock for reading. The text does not identify stamps; the last one
/// is validated, which claims least.
struct Optimistic {
    lock: ObjectId,
    /// The number of the next event.
    at: usize,
}

impl Reader {
    fn line(&mut self, line: &str) -> anyhow::Result<()> {
        let parts: Vec<&str> = line.split('\t').collect();
        match parts[..] {
            ["F", folder, class] => {
                self.units.clear();
                self.sessions.push(Session { folder: folder.into(), class: class.into(), ..Session::default() });
            }
            ["failed", why] => self.session()?.failure = Some(why.to_string()),
            ["R", seed] => self.begins_run(seed.parse()?)?,
            ["H"] => self.graph = Rc::default(),
            // Units that other threads begin in between get the references so far.
            ["e", from, label, to] => Rc::make_mut(&mut self.graph).add(from.parse()?, label, to.parse()?),
            // Threads of the previous class may still begin units.
            ["U" | "o", ..] if self.session()?.runs.is_empty() => {}
            ["o", number, class, kind] => {
                let object = Object { class: class.into(), kind: kind_of(kind)? };
                self.run()?.objects.insert(number.parse()?, object);
            }
            ["U", thread, method, receiver, arguments] => self.begins_unit(thread, method, receiver, arguments)?,
            ["E", thread, _] => {
                self.units.remove(&thread.parse()?);
            }
            // The class initializers have not ended.
            ["T", method] if self.session()?.runs.is_empty() => {
                self.session()?.failure = Some(format!("{method} has not ended"));
            }
            ["T", method] => self.gives_up(method)?,
            ["I" | "#", ..] => {}
            ["O", thread, lock] => self.reads_optimistically(thread.parse()?, lock.parse()?)?,
            ["V", thread, lock] => self.validates(thread.parse()?, lock.parse()?)?,
            [kind, thread, ..] => {
                let event = event(kind, &parts[2..])?;
                if let Some(unit) = self.units.get(&thread.parse()?).copied() {
                    self.run()?.units[unit].events.push(event);
                }
            }
            _ => bail!("this is no event"),
        }
        Ok(())
    }

    fn session(&mut self) -> anyhow::Result<&mut Session> {
        self.sessions.last_mut().context("there is no class")
    }

    fn run(&mut self) -> anyhow::Result<&mut Run> {
        self.session()?.runs.last_mut().context("there is no run")
    }

    fn begins_run(&mut self, seed: u64) -> anyhow::Result<()> {
        self.units.clear();
        self.graph = Rc::default();
        self.session()?.runs.push(Run { seed, ..Run::default() });
        Ok(())
    }

    fn begins_unit(&mut self, thread: &str, method: &str, receiver: &str, arguments: &str) -> anyhow::Result<()> {
        let unit = Unit {
            method: method.into(),
            receiver: numbers(receiver)?.first().copied(),
            arguments: numbers(arguments)?,
            graph: self.graph.clone(),
            events: Vec::new(),
            known: self.run()?.objects.keys().next_back().map_or(0, |last| last + 1),
            is_given_up: false,
        };
        let run = self.run()?;
        run.units.push(unit);
        let place = run.units.len() - 1;
        let thread = thread.parse()?;
        self.optimistic.remove(&thread);
        self.units.insert(thread, place);
        Ok(())
    }

    fn reads_optimistically(&mut self, thread: u32, lock: ObjectId) -> anyhow::Result<()> {
        if let Some(unit) = self.units.get(&thread).copied() {
            let at = self.run()?.units[unit].events.len();
            self.optimistic.entry(thread).or_default().push(Optimistic { lock, at });
        }
        Ok(())
    }

    fn validates(&mut self, thread: u32, lock: ObjectId) -> anyhow::Result<()> {
        let Some(unit) = self.units.get(&thread).copied() else { return Ok(()) };
        let open = self.optimistic.entry(thread).or_default();
        let Some(at) = open.iter().rev().find(|one| one.lock == lock).map(|one| one.at) else { return Ok(()) };
        open.iter_mut().filter(|one| one.at > at).for_each(|one| one.at += 1);
        let events = &mut self.run()?.units[unit].events;
        events.insert(at, Event::Take(lock, Hold::Shared));
        events.push(Event::Give(lock, Hold::Shared));
        Ok(())
    }

    /// Records that the driver no longer waits for a call.
    fn gives_up(&mut self, method: &str) -> anyhow::Result<()> {
        let run = self.run()?;
        run.timeouts += 1;
        if let Some(unit) = run.units.iter_mut().rfind(|unit| unit.method == method) {
            unit.is_given_up = true;
        }
        Ok(())
    }
}

fn kind_of(kind: &str) -> anyhow::Result<Kind> {
    Ok(match kind {
        "class" => Kind::Class,
        "array" => Kind::Array,
        "given" => Kind::Given,
        "library" => Kind::Library,
        _ => bail!("there is no such kind of objects"),
    })
}

fn numbers(list: &str) -> anyhow::Result<Vec<ObjectId>> {
    list.split(',').filter(|number| !number.is_empty()).map(|number| Ok(number.parse()?)).collect()
}

fn hold(mode: &str) -> Hold {
    if mode == "r" { Hold::Shared } else { Hold::Alone }
}

fn event(kind: &str, parts: &[&str]) -> anyhow::Result<Event> {
    Ok(match (kind, parts) {
        ("G", [object, field]) => Event::Get(object.parse()?, (*field).into()),
        ("P", [object, field]) => Event::Put(object.parse()?, (*field).into(), None),
        ("P", [object, field, value]) => Event::Put(object.parse()?, (*field).into(), numbers(value)?.first().copied()),
        ("SG", [field]) => Event::GetStatic((*field).into()),
        ("SP", [field]) => Event::PutStatic((*field).into()),
        ("A", [array, index]) => Event::Load(array.parse()?, index.parse::<i64>()?.try_into().unwrap_or(u32::MAX)),
        ("B", [array, index]) => Event::Store(array.parse()?, index.parse::<i64>()?.try_into().unwrap_or(u32::MAX)),
        ("M", [object]) => Event::Take(object.parse()?, Hold::Alone),
        ("X", [object]) => Event::Give(object.parse()?, Hold::Alone),
        ("K", [object, mode]) => Event::Take(object.parse()?, hold(mode)),
        ("k", [object, "all"]) => Event::GiveAll(object.parse()?),
        ("k", [object, mode]) => Event::Give(object.parse()?, hold(mode)),
        ("L", [method, containers]) => Event::Begin((*method).into(), numbers(containers)?),
        ("l", [method, done]) => {
            let done = done.split(',').filter(|one| !one.is_empty()).map(done_of);
            Event::End((*method).into(), done.collect::<anyhow::Result<_>>()?)
        }
        _ => bail!("there is no such event"),
    })
}

/// `12:w` or `12:w:features.Cell.v`.
fn done_of(text: &str) -> anyhow::Result<Done> {
    let parts: Vec<&str> = text.splitn(3, ':').collect();
    let [object, effect, ..] = parts[..] else { bail!("an effect has two parts") };
    let effect = match effect {
        "n" => Effect::Nothing,
        "r" => Effect::Read,
        "w" => Effect::Write,
        _ => bail!("there is no such effect"),
    };
    Ok(Done { object: object.parse()?, effect, field: parts.get(2).map(|field| (*field).to_string()) })
}

#[cfg(test)]
mod tests {
    use super::sessions;
    use crate::inclusion::trace::{Done, Effect, Event, Hold};

    #[test]
    fn reads_with_a_valid_stamp_hold_the_lock() {
        let text = "F\tdir\tC\nR\t7\nU\t4\tC.f()V\t0\t\nG\t4\t0\tC.m\n\
            O\t4\t1\nG\t4\t0\tC.n\nO\t4\t2\nG\t4\t0\tC.o\nV\t4\t1\nV\t5\t2\n";
        let sessions = sessions(text).expect("these are events");
        let get = |field: &str| Event::Get(0, field.into());
        let take = Event::Take(1, Hold::Shared);
        let expected = [get("C.m"), take, get("C.n"), get("C.o"), Event::Give(1, Hold::Shared)];
        assert_eq!(sessions[0].runs[0].units[0].events, expected);
    }

    #[test]
    fn events_belong_to_threads() {
        let text = "F\tdir\tC\nR\t7\no\t0\tC\tgiven\nH\ne\t0\tm\t1\nU\t4\tC.f()V\t0\t,1\n\
            M\t4\t0\nG\t4\t0\tC.m\nU\t5\tC.g()V\t\t\n\
            L\t4\tput\t1\nSG\t5\tC.s\nl\t4\tput\t1:w,0:w:C.n\nE\t4\treturns\nG\t4\t0\tC.m\n";
        let sessions = sessions(text).expect("these are events");
        let run = &sessions[0].runs[0];
        assert_eq!((run.seed, run.units.len(), run.objects[&0].class.as_str()), (7, 2, "C"));
        let unit = &run.units[0];
        assert_eq!((unit.receiver, &unit.arguments[..], unit.known), (Some(0), &[1][..], 1));
        assert!(unit.graph.at(0, "m").contains(&1));
        let done = |object, effect, field: Option<&str>| Done { object, effect, field: field.map(Into::into) };
        let expected = [
            Event::Take(0, Hold::Alone),
            Event::Get(0, "C.m".into()),
            Event::Begin("put".into(), vec![1]),
            Event::End("put".into(), vec![done(1, Effect::Write, None), done(0, Effect::Write, Some("C.n"))]),
        ];
        assert_eq!(unit.events, expected);
        assert_eq!(run.units[1].events, [Event::GetStatic("C.s".into())]);
        assert!(super::sessions("F\tdir\tC\nR\t1\nG\tx").is_ok());
        assert!(super::sessions("F\tdir\tC\nR\t1\nG\tx\t0\tC.m\n").is_err());
    }
}
