//! Mutation checks: leaves out one condition after the other and runs the tests, each of which must then fail.
//!
//! `cargo run --release -p asercheck-bench --bin mutants` copies the files under version control to a folder of its own,
//! changes one place at a time there, runs the tests that should notice, and ends with an error if some change survives.
//! `-- --list` names the mutants, `-- NAME...` runs only those whose names contain one of the words.
//!
//! Some places look like conditions but have no mutant, since without them every verdict stays the same:
//!
//! - choose.rs, `after`: that a segment releases only what is held. The sequences of a whole path begin without locks, so
//!   each of their segments does, whatever comes before it in a diagram.
//! - choose.rs, `begin`: that the locks held at the end are disjoint; Compatible asks the same of the last phase.
//! - scenario.rs, `extend`: that a thread takes no transition before its start. Until then its word has `Allowed::Nothing`.
//! - sets.rs, `minimal_node` and the second `remainder` of `union`: sets that are not antichains have the same minimal
//!   elements and take more memory.
//! - merge.rs: that the exits of the node that is known are still the same. They change only when nodes are merged, and
//!   that keeps the future.
//! - kahlon_gupta, that covered tuples and those of no use to the phase before are left out, and the look at sketches before
//!   inclusion is decided: without them more tuples are kept and more time is needed.
//! - compatible.rs, that the locks acquired by a path are not held throughout by another: condition 2 asks the same of its end.
//! - product.rs, the condition `is_late`: for steps that change no history it leaves out ticks that come again later.
//! - search, `both_start` of sleep.rs and persistent.rs: a thread can always be started as one that plays no thread of the
//!   automaton, so two that start one process have the same ends in both orders. The condition only makes sets larger.
//! - must.rs, that a lock is not held where it is taken again after a wait: whoever holds it keeps the thread from that
//!   in any case.
//! - stored.rs, that a state is looked at again where fewer steps sleep: of 15,000 random models (seeds from 7,000,000 and
//!   8,000,000, `search --variant sleep`) none has another verdict without it. Whether it is needed is not known.
//! - dynamic, that an event which cannot be swapped hides none before it, and that a step meets others if the automaton could
//!   have noticed it in an earlier phase: of 1,500 and 4,500 random models (seeds from 9,000,000, `search --variant dynamic`)
//!   none shows a difference. What such a search exhausts is confirmed by another one in any case.
//! - dynamic, that within a bound on context switches a thread is added at two states for each race: such a search is no
//!   proof, with it or without.
//! - dynamic, that a stack is too deep: what is exhausted is searched once more with persistent sets, which say so, and a
//!   search that is bounded is no proof. The line only spares that second search.
//! - schedule.rs, `gives_back` of a call: a call keeps no lock that it takes, and what follows it in the same chunk needs no
//!   lock and is allowed in the same phases, so whatever others do in between can come right behind the chunk as well.

use anyhow::{Context, bail};
use clap::Parser;
use std::collections::BTreeSet;
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

/// How long the tests of a mutant may take.
const PATIENCE: Duration = Duration::from_secs(1200);

/// A change that makes the program wrong.
struct Mutant {
    name: &'static str,
    file: &'static str,
    /// This text, which stands in the file once,
    from: &'static str,
    /// becomes this.
    to: &'static str,
    /// The package whose tests notice, and arguments of `cargo test` that choose among them.
    tests: &'static str,
}

const fn mutant(
    name: &'static str,
    tests: &'static str,
    file: &'static str,
    from: &'static str,
    to: &'static str,
) -> Mutant {
    Mutant { name, file, from, to, tests }
}

const COMPATIBLE: &str = "lockhist/src/compatible.rs";
const SEGMENT: &str = "lockhist/src/segment.rs";
const HISTORY: &str = "lockhist/src/history.rs";
const RELATION: &str = "lockhist/src/symbolic/relation.rs";
const COMPATIBILITY: &str = "lockhist/src/symbolic/compatibility.rs";
const EXPORT: &str = "src/model/export.rs";
const CALL_GRAPH: &str = "src/model/call_graph.rs";
const CLONE: &str = "src/encode/clone.rs";
const PRODUCT: &str = "src/encode/product.rs";
const WORD: &str = "src/encode/word.rs";
const NUMBERS: &str = "src/encode/numbers.rs";
const CONTENTION: &str = "src/encode/contention.rs";
const MATRICES: &str = "src/encode/matrices.rs";
const PARTICIPANTS: &str = "src/encode/participants.rs";
const SCENARIO: &str = "src/encode/scenario.rs";
const SOLO: &str = "src/encode/solo.rs";
const CHOOSE: &str = "src/encode/choose.rs";
const SETS: &str = "src/encode/diagram/sets.rs";
const QUIET: &str = "src/encode/reduce/quiet.rs";
const REPLAY: &str = "src/witness/replay.rs";
const COMPLETION: &str = "src/witness/completion.rs";
const SCHEDULE: &str = "src/witness/schedule.rs";
const INSIDE: &str = "src/witness/inside.rs";

/// Random models, patterns on one of the engines.
const RANDOM: &str = "asercheck --test suite -- explicit_against_interleaving";
/// Random models and random automata, on all engines.
const AUTOMATA: &str = "asercheck --test suite -- automata_against explicit_against_interleaving";
/// Random models with starts, and the example models.
const STARTS: &str = "asercheck --test suite -- starts:: starts_against forests:: explicit_decides";
/// Models made for what reductions leave out.
const REDUCTIONS: &str = "asercheck --test suite -- reductions::";
/// What is below what in the call graph.
const CALL_GRAPH_TESTS: &str = "asercheck --lib -- call_graph::";
/// Witnesses with calls that are one step, and their replay.
const CALLS: &str = "asercheck --test suite -- long_calls::";
/// In which phases the steps of a local path are. The order of an interleaving is mostly found without that.
const LOCAL_PATHS: &str = "asercheck --lib -- worked_example";
/// The example models.
const MODELS: &str = "asercheck --test suite -- explicit_decides";
/// Automata with threads that stay where they are.
const STOPPING: &str = "asercheck --test suite -- stopping::";
/// Read-write locks.
const READ_WRITE: &str = "asercheck --test suite -- read_write:: modes::";
/// Waiting.
const WAITING: &str = "asercheck --test suite -- waiting:: modes::";
/// Models with starts, read-write locks and waiting.
const MODES: &str = "asercheck --test suite -- read_write:: waiting:: lock_events::";
/// Automata with events of locks.
const EVENTS: &str = "asercheck --test suite -- lock_events:: modes::";
const TRANSLATION: &str = "asercheck --test suite -- translation:: isolate::";
const ORDER: &str = "asercheck --test cli -- what_is_perhaps_harmless";
const BROKEN: &str = "src/verdict/broken.rs";
const SPARED: &str = "asercheck --lib verdict::broken";
/// Limits and what engines cannot decide.
const LIMITS: &str = "asercheck --test suite -- limits::";

const MUTANTS: &[Mutant] = &[
    mutant("compatible: condition 1", "lockhist", COMPATIBLE, "held.meets(*other_held)", "false"),
    mutant(
        "compatible: condition 2",
        "lockhist",
        COMPATIBLE,
        "(throughout | segment.acquired()).meets(other_throughout | other.acquired())",
        "false",
    ),
    mutant("compatible: condition 3", "lockhist", COMPATIBLE, "acyclic(threads, Segment::acquisitions)", "true"),
    mutant("compatible: condition 4", "lockhist", COMPATIBLE, "acyclic(threads, Segment::releases)", "true"),
    mutant("compatible: condition 5a", "lockhist", COMPATIBLE, "touched.meets(other_throughout)", "false"),
    mutant(
        "compatible: condition 5b",
        "lockhist",
        COMPATIBLE,
        "(other.used() | other.acquired()).meets(throughout)",
        "false",
    ),
    mutant(
        "compatible: cycles of two only",
        "lockhist",
        COMPATIBLE,
        "        if last.is_empty() {\n            return rest.is_empty();",
        "        if last.is_empty() {\n            return threads.len() > 2 || rest.is_empty();",
    ),
    mutant(
        "segment: update of AH",
        "lockhist",
        SEGMENT,
        "s.acquisitions.of(lock) | used_after",
        "s.acquisitions.of(lock)",
    ),
    mutant("segment: update of RH", "lockhist", SEGMENT, "t.releases.of(lock) | used_before", "t.releases.of(lock)"),
    mutant(
        "segment: used locks",
        "lockhist",
        SEGMENT,
        "s.used | t.used | (s.acquired() & t.released())",
        "s.used | t.used",
    ),
    mutant(
        "post: update of AH",
        "lockhist",
        HISTORY,
        "|other| acquired.of(other) | lock)",
        "|other| if lock.contains(other) { lock } else { acquired.of(other) })",
    ),
    mutant(
        "post: update of RH",
        "lockhist",
        HISTORY,
        "released.get(other).unwrap_or(own | before)",
        "released.get(other).unwrap_or(own)",
    ),
    mutant(
        "ptrans: locks held",
        "lockhist",
        HISTORY,
        "Self::start(self.finally_held())",
        "Self::start(self.held_throughout)",
    ),
    mutant(
        "symbolic: condition 1",
        "lockhist",
        COMPATIBILITY,
        "(held, released), (released, held), (released, released)]",
        "(held, released), (released, held)]",
    ),
    mutant(
        "symbolic: condition 2",
        "lockhist",
        COMPATIBILITY,
        "(acquired, held), (acquired, acquired)]",
        "(acquired, held)]",
    ),
    mutant(
        "symbolic: condition 5",
        "lockhist",
        COMPATIBILITY,
        "[(held, used), (used, held)]",
        "[(held, used), (held, used)]",
    ),
    mutant(
        "symbolic: condition 3",
        "lockhist",
        COMPATIBILITY,
        "for edge in [Bit::Acquisitions, Bit::Releases]",
        "for edge in [Bit::Releases]",
    ),
    mutant(
        "symbolic: condition 4",
        "lockhist",
        COMPATIBILITY,
        "for edge in [Bit::Acquisitions, Bit::Releases]",
        "for edge in [Bit::Acquisitions]",
    ),
    mutant(
        "symbolic: pairwise only",
        "lockhist",
        COMPATIBILITY,
        "2..=(thread + 1).min(self.layout.locks())",
        "2..=2_usize.min(thread + 1).min(self.layout.locks())",
    ),
    mutant(
        "symbolic: update of AH",
        "lockhist",
        RELATION,
        "Bit::Acquisitions(i, j) if j == lock =>",
        "Bit::Acquisitions(i, j) if j == lock && i == j =>",
    ),
    mutant(
        "symbolic: update of RH",
        "lockhist",
        RELATION,
        "self.read(phase, Bit::Used(j)).or(&self.read(phase, Bit::Releases(j, j)))",
        "self.constant(false)",
    ),
    mutant(
        "post*: joins of calls with returns",
        "wpds",
        "wpds/src/post_star.rs",
        "None => self.join_leaving(semiring, id, source, symbol, target, delta),",
        "None => Ok(()),",
    ),
    mutant(
        "post*: what is new",
        "wpds",
        "wpds/src/transitions.rs",
        "        semiring.combine_into(pending, &delta)?;\n",
        "        let _ = &delta;\n",
    ),
    mutant(
        "post*: transitions are found by head and target",
        "wpds",
        "wpds/src/by_head.rs",
        "            if ends[id.index()].1 == target {\n",
        "            if ends[id.index()].0 == head {\n",
    ),
    mutant(
        "post*: the lowest rank first",
        "wpds",
        "wpds/src/worklist.rs",
        "Entry { rank, stage, number: *count, id, is_first }",
        "Entry { rank: Rank::default(), stage, number: *count, id, is_first }",
    ),
    mutant(
        "post*: what is left for later stages",
        RANDOM,
        "wpds/src/transitions.rs",
        "                    self.pending[id.index()] = rest;\n",
        "                    let _ = rest;\n",
    ),
    mutant(
        "phases: fusing asks for the end of the unit",
        "phases",
        "phases/src/fuse.rs",
        "if !waits || !stays ||",
        "if !waits ||",
    ),
    mutant(
        "phases: fusing asks that nothing is forbidden",
        "phases",
        "phases/src/fuse.rs",
        "first.forbidden.is_empty() && ",
        "",
    ),
    mutant(
        "phases: what any thread must not do",
        "phases",
        "phases/src/view.rs",
        "one.thread.is_none() || one.thread == thread",
        "one.thread == thread",
    ),
    mutant(
        "phases: what is forbidden on the way to an event",
        "phases",
        "phases/src/run.rs",
        "reached[place + 1][state] |= stays(place, state);",
        "reached[place + 1][state] |= true;",
    ),
    mutant(
        "queries: locations of one set",
        "asercheck --test suite -- queries::",
        "src/query/asked.rs",
        "chosen.iter().all(|one| self.model.sets_of(*one)",
        "chosen.last().iter().all(|one| self.model.sets_of(**one)",
    ),
    mutant(
        "queries: trivial for one thread only",
        "asercheck --test suite -- queries::",
        "src/query/asked.rs",
        "threads.all(|(needs, process)| self.abilities.are_met_by(*process, &needs, bound))",
        "threads.any(|(needs, process)| self.abilities.are_met_by(*process, &needs, bound))",
    ),
    mutant(
        "queries: trivial if one automaton is",
        "asercheck --test suite -- queries::",
        "src/query/asked.rs",
        "!query.property.automata().any(is_possible)",
        "!query.property.automata().all(is_possible)",
    ),
    mutant(
        "queries: reads count as writes",
        "asercheck --test suite -- queries::",
        "src/query/abilities.rs",
        "Operation::Read(location) => &mut self.readers[location.index()],",
        "Operation::Read(location) => &mut self.writers[location.index()],",
    ),
    mutant(
        "locking: readers get to write",
        "asercheck --lib -- locking::",
        "src/locking/walk.rs",
        "modes.may_be_free() || modes.may_be(Mode::Write)",
        "modes.may_be_free() || !modes.may_be_free()",
    ),
    mutant(
        "locking: waits for what is not held go on",
        "asercheck --lib -- locking::",
        "src/locking/walk.rs",
        "if self.held(clone, node, meter)?.is_some_and(|held| held.of(lock).may_be(Mode::Write)) {",
        "if self.held(clone, node, meter)?.is_some() {",
    ),
    mutant(
        "locking: calls that do not return go on",
        "asercheck --lib -- locking::",
        "src/locking/walk.rs",
        "                if state.returns {",
        "                if true {",
    ),
    mutant(
        "locking: what a caller holds is forgotten",
        "asercheck --lib -- locking::",
        "src/locking/walk.rs",
        "let entered = self.enter(callee, held);",
        "let entered = self.enter(callee, if held.len() > 9 { held } else { Held::default() });",
    ),
    mutant(
        "locking: who writes and reads only reads",
        "asercheck --lib -- locking::",
        "src/locking/held.rs",
        "        if self.has(Self::WRITE) {\n            after |= Self::WRITE.0;",
        "        if self.has(Self::WRITE) {\n            after |= Self::of(mode).0;",
    ),
    mutant(
        "locking: writes protected in read mode",
        "asercheck --test suite -- lock_queries::",
        "src/locking/protection.rs",
        "held.get(lock).is_some_and(|mode| *mode == Mode::Write)",
        "held.contains_key(lock)",
    ),
    mutant(
        "locking: reads need no lock",
        "asercheck --test suite -- lock_queries::",
        "src/locking/protection.rs",
        "let some = reads.as_ref().or(writes.as_ref());",
        "let some = writes.as_ref().or(reads.as_ref());",
    ),
    mutant(
        "locking: the first access decides",
        "asercheck --lib -- locking::",
        "src/locking/walk.rs",
        "                    None => false,",
        "                    None => true,",
    ),
    mutant(
        "cycles: more threads than instances",
        "asercheck --lib -- locking::",
        "src/locking/cycles.rs",
        "users().count() < count",
        "users().count() <= count",
    ),
    mutant(
        "cycles: only from the first lock",
        "asercheck --lib -- locking:: query::",
        "src/locking/cycles.rs",
        "let Some(root) = self.roots.pop() else",
        "let Some(root) = std::mem::take(&mut self.roots).pop() else",
    ),
    mutant(
        "deadlocks: readers keep readers waiting",
        "asercheck --lib -- query::",
        "src/query/exclusions.rs",
        "if !is_held(Mode::Read) || !is_wanted(Mode::Read) {",
        "if true {",
    ),
    mutant(
        "deadlocks: one combination of modes",
        "asercheck --test suite -- lock_queries::",
        "src/query/property.rs",
        "combinations(pairs).take(COMBINATIONS)",
        "combinations(pairs).take(1)",
    ),
    mutant(
        "queries: safe though one automaton is not decided",
        "asercheck --test cli -- locks::",
        "src/check.rs",
        "unknown @ Verdict::Unknown(_) => verdict = unknown,",
        "Verdict::Unknown(_) => {}",
    ),
    mutant("dominance: used locks", "lockhist", SEGMENT, "self.used.is_subset(other.used)\n            && ", ""),
    mutant(
        "dominance: release histories",
        "lockhist",
        SEGMENT,
        "            && self.releases.within(&other.releases)\n",
        "            && self.releases.keys() == other.releases.keys()\n",
    ),
    mutant(
        "dominance: acquisition histories",
        "lockhist",
        SEGMENT,
        "            && self.acquisitions.within(&other.acquisitions)",
        "            && self.acquisitions.keys() == other.acquisitions.keys()",
    ),
    mutant(
        "dominance: the locks that have histories",
        "lockhist",
        "lockhist/src/histories.rs",
        "self.keys == other.keys && self.sets",
        "self.sets",
    ),
    mutant(
        "encoding: unit of an access",
        RANDOM,
        CLONE,
        "location, in_unit: now.in_unit }",
        "location, in_unit: true }",
    ),
    mutant(
        "encoding: unit of the caller",
        RANDOM,
        CLONE,
        "in_unit: context.in_unit && self.effects.acts(procedure),",
        "in_unit: false,",
    ),
    mutant(
        "encoding: beginnings of inner units",
        AUTOMATA,
        CLONE,
        "Operation::Begin if now.in_unit => Label::Plain,\n",
        "",
    ),
    mutant(
        "encoding: ends of inner units",
        AUTOMATA,
        CLONE,
        "Operation::End if self.is_inner_unit(clone, node) => Label::Plain,\n",
        "",
    ),
    mutant(
        "encoding: reentrant locks",
        RANDOM,
        CLONE,
        "(Some(_), _) => Way::One(Label::Plain),",
        "(Some(_), mode) => self.taking(lock, mode, held),",
    ),
    mutant(
        "encoding: locks of the caller",
        RANDOM,
        CLONE,
        "held: context.held & self.effects.slots(procedure),",
        "held: LockSet::EMPTY,",
    ),
    mutant(
        "encoding: locks of callees",
        RANDOM,
        CALL_GRAPH,
        "for callee in component.iter().flat_map(|member| self.callees(*member)) {",
        "for callee in component {",
    ),
    mutant(
        "call graph: what the members of a component have",
        CALL_GRAPH_TESTS,
        CALL_GRAPH,
        "            for member in others {\n                join(&mut all, &own[member.index()])?;\n            }\n",
        "",
    ),
    mutant(
        "query: a location twice",
        "asercheck --lib -- query::",
        "src/query/mod.rs",
        "if locations[..place].contains(location) {",
        "if false {",
    ),
    mutant(
        "query: more parameters than instances",
        "asercheck --lib -- query::",
        "src/query/mod.rs",
        "if !has_instances(model, &processes, *process) {",
        "if false {",
    ),
    mutant(
        "a write of the model is a read in the text",
        "asercheck --test suite -- export::",
        EXPORT,
        "Operation::Write(id) => StatementKind::Write(",
        "Operation::Write(id) => StatementKind::Read(",
    ),
    mutant(
        "a lock is acquired for reading in the text that is acquired for writing in the model",
        "asercheck --test suite -- export::",
        EXPORT,
        "(self.model.lock(id).kind() == LockKind::ReadWrite).then_some(mode)",
        "(self.model.lock(id).kind() == LockKind::ReadWrite).then_some(Mode::Read)",
    ),
    mutant(
        "jumps to another label than the one behind are left out",
        "asercheck --test suite -- export::",
        EXPORT,
        "Some(StatementKind::Goto(name)) if name.text == label =>",
        "Some(StatementKind::Goto(name)) if !name.text.is_empty() =>",
    ),
    mutant(
        "built graphs: nesting",
        "asercheck --lib -- graph_builder::",
        "src/model/graph_builder.rs",
        "self.errors.extend(nesting.errors.into_iter().map(|error| self.places.nesting(error)));",
        "drop(nesting);",
    ),
    mutant(
        "built graphs: processes are not called",
        "asercheck --lib -- graph_builder::",
        "src/model/graph_builder.rs",
        "Some(draft) => draft.process.map(|_| GraphProblem::CallsProcess(draft.name.clone())),",
        "Some(_) => None,",
    ),
    mutant(
        "call graph: starts in called functions",
        CALL_GRAPH_TESTS,
        CALL_GRAPH,
        "let reached = self.reachable([process.body()]);",
        "let reached = [process.body()];",
    ),
    mutant("encoding: contended locks", RANDOM, "src/encode/contention.rs", "{ 2 } else { 1 }", "{ 3 } else { 1 }"),
    mutant(
        "encoding: locks of called functions",
        RANDOM,
        "src/encode/contention.rs",
        "all.writes.union_with(&other.writes);",
        "",
    ),
    mutant(
        "encoding: forbidden actions",
        RANDOM,
        PRODUCT,
        "if tree.allows(at, label, instants) && !is_late",
        "if tree.allowed(at).is_some() && !is_late",
    ),
    mutant(
        "encoding: stops before the last phase",
        AUTOMATA,
        "src/encode/solve.rs",
        "else { own_phases..word.len() };",
        "else { word.len() - 1..word.len() };",
    ),
    mutant(
        "ticks: none",
        RANDOM,
        PRODUCT,
        "by_ticks.truncate(if self.late_ticks { by_ticks.len() } else { 1 });",
        "by_ticks.truncate(1);",
    ),
    mutant(
        "ticks: before lock operations",
        RANDOM,
        PRODUCT,
        "let is_late = own == Own::Nothing && is_done[from];",
        "let is_late = is_done[from];",
    ),
    mutant(
        "ticks: before own transitions",
        RANDOM,
        PRODUCT,
        ".filter(|branch| branch.takes(label, instants))",
        ".filter(|branch| place == 0 && branch.takes(label, instants))",
    ),
    mutant(
        "ticks: one at a time",
        AUTOMATA,
        "src/encode/tree.rs",
        "        while let Some(Reached { position, ticks, .. }) = all.get(next).copied() {",
        "        while let Some(Reached { position, ticks, .. }) = all.get(next).copied().filter(|_| next == 0) {",
    ),
    mutant(
        "steps: in which phase",
        LOCAL_PATHS,
        PRODUCT,
        "if from == to || tree.is_after_tick(to) => {",
        "if from == to => {",
    ),
    mutant(
        "order: what was held on the way",
        "asercheck --lib -- order::",
        "src/witness/order.rs",
        "least.intersect_with(&held[place + 1]);",
        "",
    ),
    mutant(
        "order: what others take before a run goes on",
        "asercheck --lib -- order::",
        "src/witness/order.rs",
        ".find(|place| held[*place].is_disjoint(&taken))",
        ".next()",
    ),
    mutant(
        "order: the bound on switches",
        "asercheck --lib -- order::",
        "src/witness/order.rs",
        "usize::from(owners[phase - 1] != owners[phase]);",
        "1;",
    ),
    mutant(
        "listed: a list in which a limit was reached is made again",
        "asercheck --lib -- listed::",
        "src/encode/listed.rs",
        "List::begin(&mut list);",
        "",
    ),
    mutant(
        "order: what is left for the next run can be done then",
        "asercheck --lib -- order::",
        "src/witness/order.rs",
        "if !can_wait {",
        "if !can_wait && false {",
    ),
    mutant(
        "matrices: sums of products",
        RANDOM,
        MATRICES,
        "_ => self.entries.combine_all(alike.iter().map(|(_, weight)| *weight).collect())?,",
        "_ => alike[0].1,",
    ),
    mutant(
        "matrices: what is new in a row",
        RANDOM,
        MATRICES,
        "new.extend(delta.map(|delta| (column, delta)));",
        "let _ = delta;",
    ),
    mutant(
        "matrices: positions that are entered",
        RANDOM,
        MATRICES,
        "        columns.dedup();\n",
        "        columns.truncate(1);\n",
    ),
    mutant(
        "matrices: rows that only one of many has",
        RANDOM,
        MATRICES,
        "                Err(place) => {\n                    sum.insert(place, (position, row));",
        "                Err(_) if !new.is_empty() => {}\n                Err(place) => {\n                    sum.insert(place, (position, row));",
    ),
    mutant(
        "matrices: how much room there is",
        "asercheck --lib -- explicit::",
        MATRICES,
        "self.is_crowded() || self.size() > self.room",
        "self.is_crowded()",
    ),
    mutant(
        "stops: where paths may stop",
        AUTOMATA,
        "src/encode/tree.rs",
        "for stop in &path[word.own_phases()..] {",
        "for stop in path.last() {",
    ),
    mutant("ticks: switched off", AUTOMATA, PRODUCT, "if is_absent || !self.late_ticks {", "if is_absent {"),
    mutant(
        "idling: with locks held",
        RANDOM,
        PRODUCT,
        "usize::from(self.shape.free.get(node.index()).copied().unwrap_or(false))",
        "usize::from(!self.shape.free.is_empty())",
    ),
    mutant("idling: locks of the caller", RANDOM, CLONE, "is_locked: context.is_locked,", "is_locked: false,"),
    mutant(
        "idling: locks around those that are left out",
        REDUCTIONS,
        CLONE,
        "self.is_locked |= locks.is_contended(lock);",
        "self.is_locked = locks.is_contended(lock);",
    ),
    mutant(
        "idling: merged nodes",
        AUTOMATA,
        "src/encode/reduce/mod.rs",
        "free[self.class(node).index()] &= self",
        "free[self.class(node).index()] |= self",
    ),
    mutant(
        "idling: before the last own transition",
        RANDOM,
        "src/encode/tree.rs",
        "branch.turn == Turn::Tick && self.is_idle(branch.target)",
        "branch.turn == Turn::Tick",
    ),
    mutant(
        "reduction: accesses that are forbidden",
        RANDOM,
        "src/encode/tree.rs",
        "takes || (allows(&Label::Plain) && !allows(label))",
        "takes",
    ),
    mutant(
        "reduction: steps that do something",
        RANDOM,
        "src/encode/reduce/merge.rs",
        "&& Some(exits.edges[0].label) == self.steps {",
        "&& (Some(exits.edges[0].label) == self.steps || matches!(exits.edges[0].label, Label::Lock(_))) {",
    ),
    mutant(
        "reduction: nodes that return",
        RANDOM,
        "src/encode/reduce/merge.rs",
        "Exits { edges: edges.collect(), returns: exits.returns }",
        "Exits { edges: edges.collect(), returns: false }",
    ),
    mutant(
        "reduction: functions that never return",
        REDUCTIONS,
        QUIET,
        ".is_some_and(|callee| self.entries.contains(&callee) && !self.returning.contains_key(&callee))",
        ".is_some_and(|callee| self.entries.is_empty() && self.returning.contains_key(&callee))",
    ),
    mutant(
        "reduction: functions that call others",
        REDUCTIONS,
        QUIET,
        "self.owners[call.index()].filter(|caller| quiet.remove(caller))",
        "self.owners[call.index()].filter(|caller| quiet.contains(caller) && entry == *caller)",
    ),
    mutant(
        "starts: what comes before a start",
        STARTS,
        SCENARIO,
        "if present { Allowed::AllBut(forbidden) } else { Allowed::Nothing }",
        "Allowed::AllBut(forbidden)",
    ),
    mutant(
        "starts: starts of other processes",
        STARTS,
        "src/encode/tree.rs",
        "wanted == started,",
        "wanted.index() + started.index() > 0,",
    ),
    mutant(
        "starts: in called functions",
        STARTS,
        "src/model/call_graph.rs",
        "let reached = self.reachable([process.body()]);",
        "let reached = [process.body()];",
    ),
    mutant(
        "starts: early creators end without locks",
        STARTS,
        SCENARIO,
        "avoided: Vec::new(), ends_free: true, never_stays: true }",
        "avoided: Vec::new(), ends_free: false, never_stays: true }",
    ),
    mutant(
        "starts: early creators obey the first state",
        STARTS,
        SCENARIO,
        "[1, unbound.len()].map(restraint)",
        "[0, unbound.len()].map(restraint)",
    ),
    mutant(
        "starts: quick creators obey every state",
        STARTS,
        SCENARIO,
        "[1, unbound.len()].map(restraint)",
        "[1, 1].map(restraint)",
    ),
    mutant(
        "starts: all above an early creator is early",
        STARTS,
        PARTICIPANTS,
        "delivering.retain(|process| !model.process(*process).is_started());",
        "delivering.retain(|process| process.index() < model.processes().len());",
    ),
    mutant(
        "starts: initial instances",
        STARTS,
        PARTICIPANTS,
        ".is_none_or(|most| *taken < most);",
        ".is_none_or(|most| *taken < most.max(9));",
    ),
    mutant(
        "starts: threads have initial instances",
        STARTS,
        PARTICIPANTS,
        "if !available.iter().all(|(process, _)| left.take(*process)) {",
        "if !available.iter().all(|(process, _)| left.clone().take(*process)) {",
    ),
    mutant(
        "starts: a thread is no link of a repetition",
        STARTS,
        PARTICIPANTS,
        "let (Root::Creator(_), [(_, next)]) = (root, &starts[..])",
        "let (_, [(_, next)]) = (root, &starts[..])",
    ),
    mutant(
        "starts: a creator with two starts is no link of a repetition",
        STARTS,
        PARTICIPANTS,
        "let (Root::Creator(_), [(_, next)]) = (root, &starts[..])",
        "let (Root::Creator(_), [(_, next), ..]) = (root, &starts[..])",
    ),
    mutant(
        "starts: a creator of several is no link of a repetition",
        STARTS,
        PARTICIPANTS,
        "let repeats = blocks.len() == 1 && (",
        "let repeats = (",
    ),
    mutant(
        "starts: quick creators acquire no locks of the threads",
        STARTS,
        PARTICIPANTS,
        "forests.share(threads);",
        "forests.share(&threads[..0]);",
    ),
    mutant(
        "starts: quick creators acquire no locks of creators that take part",
        STARTS,
        PARTICIPANTS,
        "if self.quick.avoided.len() > before {",
        "if self.quick.avoided.len() < before {",
    ),
    mutant(
        "starts: only threads alone are enough",
        STARTS,
        PARTICIPANTS,
        "if available.is_some() && is_bare {",
        "if available.is_some() {",
    ),
    mutant(
        "starts: threads that start others",
        STARTS,
        PARTICIPANTS,
        "&& roots.iter().all(starts_nothing)",
        "&& roots.iter().any(starts_nothing)",
    ),
    mutant("starts: locks of callers", STARTS, SOLO, "(callers.lock, usize::from(", "(false, usize::from("),
    mutant(
        "starts: units of callers",
        STARTS,
        SOLO,
        "usize::from(callers.unit));",
        "usize::from(callers.unit && callers.lock));",
    ),
    mutant(
        "interleave: the bound of instances",
        STARTS,
        "src/engine/interleave.rs",
        "self.met_bound = true;\n                continue;",
        "continue;",
    ),
    mutant(
        "explicit: dead ends",
        RANDOM,
        CHOOSE,
        "if self.dead.contains(walkers) {",
        "if self.dead.iter().any(|dead| dead.iter().zip(walkers).all(|(one, other)| one.set == other.set)) {",
    ),
    mutant(
        "explicit: locks held between phases",
        RANDOM,
        CHOOSE,
        "(held - segment.released()) | segment.acquired()",
        "segment.acquired()",
    ),
    mutant(
        "explicit: locks held after a phase",
        AUTOMATA,
        CHOOSE,
        "if after(held, segment) != Some(walker.held) {",
        "if after(held, segment).is_none() {",
    ),
    mutant(
        "explicit: all locks that can be held",
        RANDOM,
        CHOOSE,
        "held.iter().filter_map(|held|",
        "held.iter().take(1).filter_map(|held|",
    ),
    mutant(
        "explicit: pairwise only",
        MODELS,
        CHOOSE,
        "        compatible_segments(&taken)\n",
        "        let pair = |one: usize, two: usize| compatible_segments(&[taken[one], taken[two]]);\n        (0..taken.len()).all(|two| (0..two).all(|one| pair(one, two)))\n",
    ),
    mutant(
        "explicit: what comes after the last phase",
        RANDOM,
        CHOOSE,
        "let wanted = self.locations[place][locations - 1];",
        "let wanted = self.locations[place][0];",
    ),
    mutant(
        "diagrams: dominance within a class",
        "asercheck --test suite -- dominance::",
        SETS,
        "if before != DiagramId::EMPTY && self.dominates(dominant, item) {",
        "if before != DiagramId::EMPTY && dominant.class() == item.class() {",
    ),
    mutant(
        "diagrams: a class is skipped",
        "asercheck --lib diagram",
        SETS,
        "take_while(|(item, _)| item.class() < class)",
        "take_while(|(item, _)| item.class() <= class)",
    ),
    mutant(
        "diagrams: order of composition",
        RANDOM,
        SETS,
        "edges.push((self.join(end, item), rest));",
        "edges.push((self.join(item, end), rest));",
    ),
    mutant(
        "diagrams: unions with what is new",
        "asercheck --lib diagram",
        SETS,
        "if union == a { DiagramId::EMPTY } else { new }",
        "if union == a { DiagramId::EMPTY } else { b }",
    ),
    mutant(
        "diagrams: forgetting",
        "asercheck --lib diagram",
        SETS,
        "            cache.forget_since(mark);\n",
        "            let _ = &cache;\n",
    ),
    mutant("replay: forbidden actions", CALLS, REPLAY, "} else if phase.forbids(performed) {", "} else if false {"),
    mutant("replay: number of instances", CALLS, REPLAY, "if wanted <= instances {", "if wanted <= usize::MAX {"),
    mutant(
        "replay: steps of a call",
        CALLS,
        REPLAY,
        "Some(expected) if expected != steps => Err(ReplayErrorKind::WrongSteps { expected }),",
        "",
    ),
    mutant(
        "replay: calls that cannot return",
        CALLS,
        REPLAY,
        "None => Err(ReplayErrorKind::CannotReturn),",
        "None => Ok(()),",
    ),
    mutant(
        "replay: forbidden actions in calls",
        CALLS,
        REPLAY,
        "!subject.automaton.phases()[phase].forbids(&performed(subject, step.thread, act))",
        "{ let _: Act = act; true }",
    ),
    mutant(
        "replay: locks of others in calls",
        CALLS,
        "src/witness/ownership.rs",
        "let taken = |holders: &Vec<Holder>| holders.iter().any(|holder| holder.thread != thread && !holder.waits);",
        "let taken = |_: &Vec<Holder>| false;",
    ),
    mutant(
        "replay: a transition in a call",
        CALLS,
        REPLAY,
        "self.advance(&performed(subject, step.thread, Act::Other), step.event)?;",
        "",
    ),
    mutant(
        "completion: calls in calls",
        CALLS,
        COMPLETION,
        "self.go_on(place, place.2, before.saturating_add(whole))",
        "self.go_on(place, place.2, before)",
    ),
    mutant(
        "completion: shortest first",
        CALLS,
        COMPLETION,
        "if self.known.contains_key(&called) {\n            return;",
        "if false {\n            return;",
    ),
    mutant(
        "schedule: locks of a call",
        CALLS,
        SCHEDULE,
        "Needs { locks: inside.takes.clone(), allowed, gives_back: !inside.takes.is_clear() }",
        "Needs { locks: FixedBitSet::new(), allowed, gives_back: !inside.takes.is_clear() }",
    ),
    mutant(
        "inside: forbidden actions",
        CALLS,
        INSIDE,
        "inside.allowed.intersect_with(&self.phases_for(&open.act(operation)));",
        "let _ = action;",
    ),
];

/// Backward saturation, and the engines that are built on finite sets.
const BASELINES: &[Mutant] = &[
    mutant(
        "pre*: halves of pushes",
        "wpds",
        "wpds/src/pre_star.rs",
        "        let mut next = self.lists[head.index()].halves;\n",
        "        let mut next = self.lists[head.index()].halves.filter(|_| false);\n",
    ),
    mutant(
        "pre*: order of extend",
        "wpds",
        "wpds/src/pre_star.rs",
        "semiring.extend(self.system.weight(rule), &next.delta)?",
        "semiring.extend(&next.delta, self.system.weight(rule))?",
    ),
    mutant(
        "engines: what they cannot decide",
        "asercheck --lib engine",
        "src/engine/mod.rs",
        "unsupported @ Finding::Unsupported(_) => together = unsupported,",
        "Finding::Unsupported(_) => {}",
    ),
    mutant(
        "engines: more locks than fit",
        LIMITS,
        "src/engine/nesting.rs",
        "arrangement(scenario, &[], meter)? else {\n        return Ok(Finding::Unsupported(Unsupported::ManyLocks));",
        "arrangement(scenario, &[], meter)? else {\n        return Ok(Finding::Safe);",
    ),
    mutant(
        "symbolic: more variables than fit",
        LIMITS,
        "src/engine/symbolic.rs",
        "return Ok(Attempt::Unsupported(Unsupported::ManyVariables));",
        "return Ok(Attempt::IMPOSSIBLE);",
    ),
    mutant(
        "cpds: more locks than fit",
        LIMITS,
        "src/engine/cpds/mod.rs",
        "return Ok(Finding::Unsupported(Unsupported::ManyLocks));",
        "return Ok(Finding::Safe);",
    ),
    mutant(
        "cpds: scenarios that are open",
        "asercheck --test suite baselines",
        "src/engine/cpds/mod.rs",
        "search.open.push_back((refinement, length + 1));",
        "",
    ),
    mutant(
        "explicit: whom an attempt serves",
        "asercheck --lib engine",
        "src/engine/explicit/mod.rs",
        "group.serves_others |= of_another && positions > 0;",
        "group.serves_others = true;",
    ),
    mutant(
        "explicit: an attempt that ends by memory",
        "asercheck --lib engine",
        "src/engine/explicit/mod.rs",
        "if !matches!(attempt, Err(Failure::Stopped(StopReason::Timeout | StopReason::Memory))) {",
        "if !matches!(attempt, Err(Failure::Stopped(StopReason::Timeout))) {",
    ),
    mutant(
        "explicit: safe by the lightest weights",
        "asercheck --lib explicit",
        "src/engine/explicit/group.rs",
        "if let Attempt::Paths(_) = attempt {",
        "if true {",
    ),
    mutant(
        "diagrams: the heaviest weights",
        "asercheck --lib diagram",
        "src/encode/diagram/lightest.rs",
        "items.min_by_key(",
        "items.max_by_key(",
    ),
    mutant(
        "diagrams: what is new in the lightest weights",
        "asercheck --lib diagram",
        SETS,
        "if union == a { DiagramId::EMPTY } else { new }",
        "new",
    ),
    mutant(
        "limits: memory once",
        "asercheck --lib meter",
        "src/limits/meter.rs",
        "self.next_memory_check.set(now + MEMORY_INTERVAL);",
        "self.next_memory_check.set(now + Duration::from_secs(3600));",
    ),
    mutant(
        "limits: no room for tables that double",
        "asercheck --lib meter",
        "src/limits/meter.rs",
        "resident.saturating_add(room) > limit",
        "resident > limit",
    ),
    mutant(
        "limits: no room in any case",
        "asercheck --lib meter",
        "src/limits/meter.rs",
        "let room = (limit / ROOM_PART).min(MOST_ROOM).max(",
        "let room = 0.max(",
    ),
    mutant(
        "limits: time that is given back",
        "asercheck --lib meter",
        "src/limits/meter.rs",
        "deadline.checked_add(spent)",
        "deadline.checked_sub(spent)",
    ),
    mutant(
        "limits: time that began before the first query only",
        LIMITS,
        "src/check.rs",
        "self.options.limits.since = None;",
        "",
    ),
    mutant("limits: cloning", LIMITS, CLONE, "meter.work_of(1 + made.edges.len())?;", ""),
    mutant(
        "kahlon-gupta: compatible split",
        "asercheck --test suite baselines",
        "src/engine/kahlon_gupta/split.rs",
        "if compatible_segments(&self.taken)",
        "if !self.taken.is_empty() || compatible_segments(&self.taken)",
    ),
    mutant(
        "kahlon-gupta: update of histories",
        "asercheck --test suite baselines",
        "src/engine/kahlon_gupta/process.rs",
        "Label::Lock(operation) => sets.singleton(Segment::of(operation)),",
        "Label::Lock(Operation::Acquire(lock)) => sets.singleton(Segment::of(Operation::Acquire(lock))),",
    ),
    mutant(
        "kahlon-gupta: classes by configurations",
        "asercheck --test suite baselines",
        "src/engine/kahlon_gupta/backward.rs",
        "if is_better && self.includes(by.configurations, class.configurations, meter)? {",
        "if is_better {",
    ),
    mutant(
        "kahlon-gupta: start of participants",
        "asercheck --test suite baselines",
        "src/engine/kahlon_gupta/mod.rs",
        "let is_start = backward.accepts(before, &backward.process().initial());",
        "let is_start = true;",
    ),
    mutant(
        "kahlon-gupta: tuples that cover others",
        "asercheck --test suite baselines",
        "src/engine/kahlon_gupta/tuples.rs",
        "if includes(place, *own, *set)? {",
        "if includes(place, *set, *own)? {",
    ),
    mutant(
        "kahlon-gupta: inclusion of sets",
        "asercheck --test suite baselines",
        "src/engine/kahlon_gupta/configurations.rs",
        "if other_state.accepts && !own.accepts {",
        "if false {",
    ),
    mutant(
        "kahlon-gupta: a tuple covers itself",
        "asercheck --test suite baselines",
        "src/engine/kahlon_gupta/tuples.rs",
        "differs || own != set",
        "true",
    ),
    mutant(
        "cpds: cut words",
        "asercheck --test suite baselines",
        "src/engine/cpds/words.rs",
        "right.is_cut || letters.len() > self.length",
        "right.is_cut",
    ),
    mutant(
        "cpds: locks",
        "asercheck --test suite baselines",
        "src/engine/cpds/intersection.rs",
        "(!is_held(*lock)).then(|| ",
        "(!is_held(*lock) || true).then(|| ",
    ),
    mutant(
        "cpds: forbidden actions",
        "asercheck --test suite baselines",
        "src/engine/cpds/intersection.rs",
        "local.allowed.allows_label(label, instants).then_some(phase)",
        "(local.allowed.allows_label(label, instants) || matches!(label, Label::Act(_))).then_some(phase)",
    ),
    mutant(
        "steps: returns are steps",
        STOPPING,
        WORD,
        "Label::Start(_) | Label::Call(_) | Label::Return => self.allows(None),",
        "Label::Start(_) | Label::Call(_) => self.allows(None),\n            Label::Return => *self != Self::Nothing,",
    ),
    mutant(
        "steps: calls are steps",
        STOPPING,
        WORD,
        "Label::Start(_) | Label::Call(_) | Label::Return => self.allows(None),",
        "Label::Start(_) | Label::Return => self.allows(None),\n            Label::Call(_) => *self != Self::Nothing,",
    ),
    mutant(
        "steps: whoever stays where it is starts nobody",
        STOPPING,
        SCENARIO,
        "is_present(creator) && may_step(creator)",
        "is_present(creator)",
    ),
    mutant(
        "steps: a transition where all steps are forbidden",
        STOPPING,
        "src/encode/tree.rs",
        "phase.allowed.stops() && phase.turn != Turn::Tick",
        "phase.allowed.stops() && phase.turn == Turn::Tick",
    ),
    mutant(
        "steps: branching is none",
        STOPPING,
        "src/encode/reduce/mod.rs",
        "Label::Silent if !self.counts_steps => Label::Plain,",
        "Label::Silent => Label::Plain,",
    ),
    mutant(
        "steps: seen by cpds",
        STOPPING,
        "src/engine/cpds/language.rs",
        "process.counts_steps().then_some(Label::Plain)",
        "None",
    ),
    mutant(
        "read-write locks: no reader becomes a writer",
        READ_WRITE,
        CLONE,
        "(Some(Mode::Read), Mode::Write) => Way::Nowhere,\n",
        "",
    ),
    mutant(
        "read-write locks: nor of a lock that only one participant uses",
        READ_WRITE,
        NUMBERS,
        "&& modes != [true, true] &&",
        "&&",
    ),
    mutant(
        "read-write locks: one plain lock for each reader",
        READ_WRITE,
        CONTENTION,
        "parts: readers.max(1)",
        "parts: 1",
    ),
    mutant(
        "read-write locks: writers take all",
        READ_WRITE,
        NUMBERS,
        "[own..own + 1, first..first + contended.parts]",
        "[own..own + 1, first..first + 1]",
    ),
    mutant(
        "read-write locks: each reader has a number of its own",
        READ_WRITE,
        CONTENTION,
        "filter(|other| rank(*other) < rank(place))",
        "filter(|_| false)",
    ),
    mutant(
        "read-write locks: those that nobody writes",
        READ_WRITE,
        CONTENTION,
        "contended.extend((writers > 0).then(",
        "contended.extend((writers > 1).then(",
    ),
    mutant(
        "read-write locks: what is read below a write",
        READ_WRITE,
        NUMBERS,
        "[Mode::Write, Mode::Read].into_iter().find(is_held)",
        "[Mode::Read, Mode::Write].into_iter().find(is_held)",
    ),
    mutant(
        "read-write locks: in interleavings",
        READ_WRITE,
        INSIDE,
        "Mode::Read => BITS * lock + 1,",
        "Mode::Read => BITS * lock,",
    ),
    mutant(
        "waiting: only who holds the lock goes on",
        WAITING,
        CLONE,
        "let Some(mode) = self.locks.held(lock, held) else { return Way::Nowhere };",
        "let Some(mode) = self.locks.held(lock, held) else { return Way::One(Label::Plain) };",
    ),
    mutant(
        "waiting: also for a lock that only one participant uses",
        WAITING,
        NUMBERS,
        "lock.parts.is_none() && !waits &&",
        "lock.parts.is_none() &&",
    ),
    mutant("waiting: what is buried", WAITING, CLONE, "                buried |= held & waited;\n", ""),
    mutant(
        "waiting: what callers have buried",
        WAITING,
        CLONE,
        "let mut buried = clone.buried;",
        "let mut buried = LockSet::EMPTY;",
    ),
    mutant(
        "waiting: a lock that is acquired again buries nothing",
        WAITING,
        CLONE,
        "if self.locks.is_contended(lock) && self.locks.held(lock, held).is_none() {",
        "if self.locks.is_contended(lock) {",
    ),
    mutant(
        "waiting: what is left out is no proof",
        WAITING,
        CLONE,
        "                buried.push((exits.len(), lock));\n",
        "",
    ),
    mutant(
        "waiting: calls that never return are left behind",
        WAITING,
        "src/encode/reached.rs",
        "if returning.contains(callee.index()) {",
        "if true {",
    ),
    mutant(
        "waiting: interleavings with too few locks are none",
        WAITING,
        "src/engine/nesting.rs",
        "Attempt::Nothing(_) | Attempt::Paths(_) | Attempt::Unsupported(_) => {\n                    Ok(Finding::Unsupported(Unsupported::Nesting))",
        "Attempt::Nothing(_) | Attempt::Paths(_) | Attempt::Unsupported(_) => {\n                    Ok(Finding::Safe)",
    ),
    mutant(
        "waiting: calls that give up locks of their callers",
        STOPPING,
        "src/encode/solve.rs",
        "from == to && !gives_up(callee.piece)",
        "from == to",
    ),
    mutant(
        "starts: a creator that waits may start others all the same",
        MODES,
        SOLO,
        "ends_free: false, never_stays: false }",
        "ends_free: false, never_stays: true }",
    ),
    mutant(
        "starts: a creator that might wait for ever is not early",
        MODES,
        SCENARIO,
        "ends_free: true, never_stays: true }",
        "ends_free: true, never_stays: false }",
    ),
    mutant(
        "starts: creators that want what is forbidden",
        EVENTS,
        SOLO,
        "!matches!(operation, Operation::Acquire(lock, _) if lock == wanted.lock)",
        "true",
    ),
    mutant(
        "events: instants of locks that are spoken of",
        EVENTS,
        CLONE,
        "let holding = self.locks.mentions.holding(lock)?;",
        "let holding = self.locks.mentions.holding(lock).filter(|_| mode == Mode::Read)?;",
    ),
    mutant(
        "events: what is held where a function wants a lock",
        EVENTS,
        NUMBERS,
        "holding.iter().fold(self.slots(lock), |all, other| all | self.slots(*other))",
        "holding.iter().fold(self.slots(lock), |all, _| all)",
    ),
    mutant(
        "events: locks that only one participant uses",
        EVENTS,
        NUMBERS,
        "modes != [true, true] && !is_mentioned() {",
        "modes != [true, true] {",
    ),
    mutant(
        "events: what is forbidden",
        EVENTS,
        WORD,
        "Label::Wants(id) => self.permits(instants.get(*id)),",
        "Label::Wants(_) => self.allows(None),",
    ),
    mutant(
        "events: instants in witnesses",
        EVENTS,
        "src/encode/expand.rs",
        "(Label::Wants(_), Some(Label::Wants(_))) => self.process.original().step(*node),",
        "(Label::Wants(_), Some(Label::Wants(_))) => None,",
    ),
    mutant(
        "sparing: patterns that were not found",
        SPARED,
        BROKEN,
        "if !self.tears.values().any(|tear| tear.patterns.contains(&pattern.number())) {",
        "if pattern.number() == 0 {",
    ),
    mutant(
        "sparing: locations that were not found",
        "asercheck --test suite -- java_spared::",
        BROKEN,
        "names.iter().all(is_known)",
        "names.iter().any(is_known)",
    ),
    mutant(
        "threads: tasks that several threads run",
        "asercheck --test suite -- isolate::where_a_lock_is_unlocked",
        "src/isolate/interpret/threads.rs",
        "if is_any || !self.is_run_once(&body, point, given) {",
        "if is_any {",
    ),
    mutant(
        "in part: what handles locks in other classes is left out",
        "asercheck --test suite -- isolate::in_part_",
        "src/isolate/interpret/mode.rs",
        "reached.len() > most && !handles_locks()",
        "reached.len() > most",
    ),
    mutant("sparing: what may be shown", SPARED, BROKEN, "&& tear.hides(severity);", ";"),
    mutant(
        "sparing: units that are not at fault",
        SPARED,
        BROKEN,
        "return tear.is_settled && !tear.is_victim && tear",
        "return tear.is_settled && tear",
    ),
    mutant(
        "sparing: what is possibly benign",
        SPARED,
        BROKEN,
        "return tear.is_settled && !tear.is_victim && tear",
        "return !tear.is_victim && tear",
    ),
    mutant(
        "replay: all calls that look alike",
        "asercheck --lib -- interpreter::",
        "src/witness/interpreter.rs",
        "self.calls.push(fitting);",
        "self.calls.push(vec![fitting[0]]);",
    ),
    mutant(
        "origins: local variables where control comes together",
        TRANSLATION,
        "src/isolate/claims/origin.rs",
        "if joined {",
        "if joined && false {",
    ),
    mutant(
        "origins: where control comes together before values are moved",
        TRANSLATION,
        "src/isolate/claims/straight.rs",
        "&mut stack, effect.takes.len(), std::mem::take(&mut joined)",
        "&mut stack, effect.takes.len(), std::mem::take(&mut joined) && joins.contains(&at)",
    ),
    mutant(
        "harmless: caches of what changes",
        ORDER,
        "src/verdict/bookkeeping.rs",
        "is_known && instance_fields(program, class).all(|field| !facts.changes(field, program) || is_cache(field))",
        "is_known",
    ),
    mutant(
        "harmless: tasks that others break",
        ORDER,
        "src/verdict/harmless.rs",
        "!tear.is_written_by_others && is_broken_by_itself(unit, tear)",
        "is_broken_by_itself(unit, tear)",
    ),
    mutant(
        "handles: what they access changes",
        TRANSLATION,
        "src/isolate/claims/facts.rs",
        "self.changes[target.index()] = true;",
        "",
    ),
];

/// The systematic search.
const SEARCH: &str = "asercheck --test suite -- search::";
const DYNAMIC: &str = "src/engine/search/dynamic/mod.rs";

/// What the systematic search must not leave out.
const SEARCH_MUTANTS: &[Mutant] = &[
    mutant(
        "sleep: a step sleeps on although its lock changed hands",
        SEARCH,
        "src/engine/search/sleep.rs",
        "!hands_over && !both_start",
        "!both_start",
    ),
    mutant(
        "sleep: a step sleeps on although it does not pass what was done to the automaton",
        SEARCH,
        "src/engine/search/sleep.rs",
        "&& !self.locals.effects.conflicts(effect, done, phase, edge.phase)",
        "&& (true || !self.locals.effects.conflicts(effect, done, phase, edge.phase))",
    ),
    mutant(
        "persistent: whoever may take the lock is left out",
        SEARCH,
        "src/engine/search/persistent.rs",
        "        contends\n            || both_start",
        "        both_start",
    ),
    mutant(
        "persistent: whoever holds the lock is left out",
        SEARCH,
        "src/engine/search/persistent.rs",
        "Some((!is_in).then_some(first))",
        "Some((!is_in && false).then_some(first))",
    ),
    mutant(
        "persistent: accesses that do not pass are left out",
        SEARCH,
        "src/engine/search/persistent.rs",
        "|| op.effects.iter().any(|other| self.locals.effects.conflicts(effect, *other, first, last))",
        "|| (false && op.effects.iter().any(|other| self.locals.effects.conflicts(effect, *other, first, last)))",
    ),
    mutant(
        "invisible: a step that a phase forbids (NonBlockInvis)",
        SEARCH,
        "src/engine/search/visibility.rs",
        "step.starts.is_some() || !locals.effects.is_allowed(step.effect, phase..=last)",
        "step.starts.is_some()",
    ),
    mutant(
        "invisible: an acquisition for which others contend",
        SEARCH,
        "src/engine/search/visibility.rs",
        "if contends || (!is_assumed && meets()) {",
        "if !contends && !is_assumed && meets() {",
    ),
    mutant(
        "invisible: protected by a lock that others need not hold",
        SEARCH,
        "src/engine/search/visibility.rs",
        "is_protected &= op.is_kept_off(&held);",
        "is_protected &= op.is_kept_off(&held) || true;",
    ),
    mutant(
        "discipline: an object that violates it stays assumed",
        SEARCH,
        "src/engine/search/discipline.rs",
        "if left.is_empty() {",
        "if left.is_empty() && false {",
    ),
    mutant(
        "composed: a loop without an end is no end",
        SEARCH,
        "src/engine/search/compose.rs",
        "ends.push(loops);",
        "let _ = loops;",
    ),
    mutant(
        "idle: a thread that holds a lock rests",
        SEARCH,
        "src/engine/search/system.rs",
        "is_awaited || !self.locals.held(id).is_empty() ||",
        "is_awaited ||",
    ),
    mutant(
        "dead ends: what callers do after a return is forgotten",
        SEARCH,
        "src/engine/search/futures.rs",
        "for call in &running.thread.calls {",
        "for call in running.thread.calls.iter().take(0) {",
    ),
    mutant(
        "invisible: a start (001, 4.1)",
        SEARCH,
        "src/engine/search/visibility.rs",
        "if step.starts.is_some() || !locals",
        "if !locals",
    ),
    mutant(
        "invisible: an acquisition under a lock although locks overlap or threads wait (001, 4.3)",
        SEARCH,
        "src/engine/search/visibility.rs",
        "takes.is_none() || self.nests",
        "takes.is_none() || self.nests || true",
    ),
    mutant(
        "invisible: only the phase of now is looked at",
        SEARCH,
        "src/engine/search/visibility.rs",
        "if takes.is_none() && locals.effects.is_unnoticed(step.effect, phase..=last) {",
        "if takes.is_none() && locals.effects.is_unnoticed(step.effect, phase..=phase.min(last)) {",
    ),
    mutant(
        "persistent: phases that others can reach are left out",
        SEARCH,
        "src/engine/search/persistent.rs",
        "self.interferes(step, state.threads[other], state.phase, last)",
        "self.interferes(step, state.threads[other], state.phase, last.min(state.phase))",
    ),
    mutant(
        "persistent: what others may do first is kept off by a lock that the thread need not hold",
        SEARCH,
        "src/engine/search/persistent.rs",
        "if op.is_kept_off(self.locals.held(step.from)) {",
        "if op.is_kept_off(self.locals.held(step.from)) || !op.must.is_empty() {",
    ),
    mutant(
        "idle: a thread rests that the automaton waits for",
        SEARCH,
        "src/engine/search/system.rs",
        "if is_awaited || !self.locals",
        "if (is_awaited && false) || !self.locals",
    ),
    mutant(
        "idle: a thread rests that can start others",
        SEARCH,
        "src/engine/search/system.rs",
        "|| self.futures.can_start(&self.locals, id, None) {",
        "|| (self.futures.can_start(&self.locals, id, None) && false) {",
    ),
    mutant(
        "discipline: a lock counts that is held in read mode",
        SEARCH,
        "src/engine/search/discipline.rs",
        "filter(|(_, mode)| *mode == Mode::Write)",
        "filter(|(_, mode)| *mode == Mode::Write || true)",
    ),
    mutant(
        "discipline: reductions stay on that follow the automaton only",
        SEARCH,
        "src/engine/search/system.rs",
        "(keeps_all || !self.options.optimistic)",
        "(keeps_all || !self.options.optimistic || true)",
    ),
    mutant(
        "bounds: a stack that is too deep is not said",
        SEARCH,
        "src/engine/search/stored.rs",
        "self.system.met_bound |= self.system.locals.is_cut(thread);",
        "self.system.met_bound |= self.system.locals.is_cut(thread) && false;",
    ),
    mutant(
        "bounds: too many context switches are not said",
        SEARCH,
        "src/engine/search/stored.rs",
        "            self.system.met_bound = true;\n            return Ok(None);",
        "            return Ok(None);",
    ),
    mutant(
        "dynamic: steps that are not possible at the end have no races",
        SEARCH,
        DYNAMIC,
        "            for place in places {\n                self.find_races(place)?;\n            }",
        "            drop(places);",
    ),
    mutant(
        "dynamic: a thread sleeps on although what happened depends on it",
        SEARCH,
        DYNAMIC,
        ".all(|(_, own)| !own.depends(&label.access, &mut self.system.locals));",
        ".all(|(_, own)| !own.depends(&label.access, &mut self.system.locals) || true);",
    ),
    mutant("dynamic: an execution that does not end is cut", SEARCH, DYNAMIC, "return Ok(Ended::Cyclic);", "continue;"),
    mutant(
        "dynamic: a thread that sleeps is a weak initial",
        SEARCH,
        DYNAMIC,
        "node.asleep.iter().any(|thread| initial(sequence, *thread, &mut self.system.locals).is_some())",
        "node.asleep.iter().any(|thread| sequence.iter().all(|label| label.thread != *thread) || initial(sequence, *thread, &mut self.system.locals).is_some())",
    ),
    mutant(
        "dynamic: independence in one phase is enough",
        SEARCH,
        "src/engine/search/effects.rs",
        "(0..=self.accepting()).all(|phase| self.commutes_in(a, b, phase))",
        "(0..=self.accepting()).any(|phase| self.commutes_in(a, b, phase))",
    ),
    mutant(
        "dynamic: a lock that changes hands orders nothing",
        SEARCH,
        "src/engine/search/dynamic/access.rs",
        "excludes(self.gives, other.takes) || excludes(other.gives, self.takes) ||",
        "(excludes(self.gives, other.takes) || excludes(other.gives, self.takes)) && false ||",
    ),
    mutant(
        "invisible-first: a loop without an end is followed alone (BoundedInvis)",
        SEARCH,
        "src/engine/search/compose.rs",
        "Ok((!self.stuck.contains(&place)).then_some(needed))",
        "Ok(Some(needed))",
    ),
    mutant(
        "invisible: a state at which the bound on stacks is met",
        SEARCH,
        "src/engine/search/visibility.rs",
        "_ if locals.is_cut(id) => None,",
        "_ if locals.is_cut(id) && false => None,",
    ),
    mutant(
        "invisible: what instances do that play no thread is left out",
        SEARCH,
        "src/engine/search/visibility.rs",
        "bound.chain(of_others.iter().copied())",
        "bound.chain(of_others.iter().copied().take(0))",
    ),
    mutant(
        "invisible: what others do in later phases is left out",
        SEARCH,
        "src/engine/search/visibility.rs",
        "locals.effects.conflicts(step.effect, *other, phase, last)",
        "locals.effects.conflicts(step.effect, *other, phase, phase.min(last))",
    ),
    mutant(
        "invisible: another thread goes alone while context switches are counted",
        SEARCH,
        "src/engine/search/persistent.rs",
        "let may_go = !self.options.counts_switches() || state.active == Some(*thread);",
        "let may_go = self.options.counts_switches() || !self.options.counts_switches() || state.active == Some(*thread);",
    ),
    mutant(
        "persistent: a set need not contain a thread for which the automaton waits (the ignoring problem)",
        SEARCH,
        "src/engine/search/persistent.rs",
        "let seed = self.who_has_to_move(state, role);",
        "let mut seed = self.who_has_to_move(state, role);\n            seed.splice(.., (0..state.threads.len()).take(1));",
    ),
    mutant(
        "persistent: of those that can start the awaited thread one is enough",
        SEARCH,
        "src/engine/search/persistent.rs",
        "places.filter(|(_, thread)| starts(thread)).map(|(place, _)| place).collect()",
        "places.filter(|(_, thread)| starts(thread)).map(|(place, _)| place).take(1).collect()",
    ),
    mutant(
        "persistent: on while context switches are counted",
        SEARCH,
        "src/engine/search/persistent.rs",
        "!self.has(SearchReduction::Persistent) || self.options.counts_switches()",
        "!self.has(SearchReduction::Persistent)",
    ),
    mutant(
        "sleep: on while context switches are counted",
        SEARCH,
        "src/engine/search/stored.rs",
        "system.has(SearchReduction::Sleep) && !system.options.counts_switches()",
        "system.has(SearchReduction::Sleep)",
    ),
    mutant(
        "sleep: steps of the thread that acted sleep on",
        SEARCH,
        "src/engine/search/sleep.rs",
        "let is_other = thread != edge.mover || count(before, thread) > 1;",
        "let is_other = thread == edge.mover || thread != edge.mover || count(before, thread) > 1;",
    ),
    mutant(
        "futures: what a called function does is forgotten",
        SEARCH,
        "src/engine/search/futures.rs",
        "all.union_with(&self.from[role][model.procedure(callee).entry().index()]);",
        "let _ = callee;",
    ),
    mutant(
        "futures: what a started thread does is forgotten",
        SEARCH,
        "src/engine/search/futures.rs",
        "all.union_with(&self.from[started][entry]);",
        "let _ = (started, entry);",
    ),
    mutant(
        "futures: wanting a lock is nothing that the automaton sees",
        SEARCH,
        "src/engine/search/futures.rs",
        "all.extend(sets.into_iter().map(want));",
        "let _ = sets.into_iter().map(want).count();",
    ),
    mutant(
        "discipline: accesses in composed transitions are not looked at",
        SEARCH,
        "src/engine/search/compose.rs",
        "self.visibility.note(locals, local, effect);\n                for",
        "for",
    ),
    mutant(
        "discipline: accesses that are transitions of their own are not looked at",
        SEARCH,
        "src/engine/search/system.rs",
        "self.composer.note(&self.locals, mover, effect);",
        "let _ = mover;",
    ),
    mutant(
        "discipline: what the automaton forbids is not looked at",
        SEARCH,
        "src/engine/search/system.rs",
        "self.composer.note(&self.locals, mover, effect);",
        "if self.locals.effects.after(effect, state.phase).next().is_some() {
            self.composer.note(&self.locals, mover, effect);
        }",
    ),
    mutant(
        "discipline: effects that do not pass each other are objects of their own",
        SEARCH,
        "src/engine/search/discipline.rs",
        "classes.union(place, other_place);",
        "",
    ),
    mutant(
        "bounds: too many threads are not said",
        SEARCH,
        "src/engine/search/system.rs",
        "self.met_bound = true;\n                continue;",
        "continue;",
    ),
    mutant(
        "bounds: too many states are not said",
        SEARCH,
        "src/engine/search/mod.rs",
        "Ended::Full => Finding::Bound,",
        "Ended::Full => Finding::Safe,",
    ),
    mutant(
        "bounds: a stack that is too deep is not said without stored states",
        SEARCH,
        "src/engine/search/stateless.rs",
        "self.system.met_bound |= self.system.locals.is_cut(thread);",
        "",
    ),
    mutant(
        "bounds: a dynamic search with a bound on context switches is a proof",
        SEARCH,
        "src/engine/search/mod.rs",
        "Ended::Exhausted if options.dynamic && options.switches.is_some() => Finding::Bound,",
        "Ended::Exhausted if options.dynamic && options.switches.is_some() && false => Finding::Bound,",
    ),
    mutant(
        "dynamic: of the choices of a thread only one is explored (threads are deterministic)",
        SEARCH,
        DYNAMIC,
        "for edge in edges {",
        "for edge in edges.into_iter().take(1) {",
    ),
    mutant(
        "dynamic: two that take a lock do not race",
        SEARCH,
        "src/engine/search/dynamic/access.rs",
        "contend || both_start || !locals",
        "both_start || (contend && false) || !locals",
    ),
    mutant(
        "dynamic: two that start a process do not race",
        SEARCH,
        "src/engine/search/dynamic/access.rs",
        "let both_start = self.starts.is_some() && self.starts == other.starts;",
        "let both_start = self.starts.is_some() && self.starts == other.starts && false;",
    ),
    mutant(
        "dynamic: two that the automaton notices do not race",
        SEARCH,
        "src/engine/search/dynamic/access.rs",
        "contend || both_start || !locals.effects.commutes(self.effect, other.effect)",
        "contend || both_start",
    ),
    mutant(
        "dynamic: a choice that is not possible waits for nobody",
        SEARCH,
        "src/engine/search/dynamic/access.rs",
        "excludes(self.gives, other.takes) || !locals.effects.commutes(self.effect, other.effect)",
        "false && (excludes(self.gives, other.takes) || !locals.effects.commutes(self.effect, other.effect))",
    ),
    mutant(
        "dynamic: a step that takes or gives a lock meets nobody",
        SEARCH,
        DYNAMIC,
        "pending.iter().all(|(_, access)| *access == Access::NOTHING)",
        "pending.iter().all(|(step, _)| is_unnoticed(&mut self.system.locals, *step, node.state.phase))",
    ),
    mutant(
        "dynamic: of several readers only one is made to wait",
        SEARCH,
        DYNAMIC,
        "let is_possible = fewer.len() < all.len() &&",
        "let is_possible = fewer.len() > all.len() &&",
    ),
    mutant(
        "persistent: a closed set without a step is no bound where a stack is too deep",
        SEARCH,
        "src/engine/search/persistent.rs",
        "self.met_bound |= closed.iter().any(|place| self.locals.is_cut(state.threads[*place]));",
        "",
    ),
    mutant(
        "held: callees give locks back that they do not",
        "asercheck --test suite -- differential::",
        "src/encode/held.rs",
        "                    reach(entry, value);\n",
        "                    reach(entry, Held { may_be_free: value.may_be_free | value.may_be_held, may_be_held: LockSet::EMPTY });\n",
    ),
    mutant(
        "overlap in Java: a lock that is released from below a monitor stays held",
        "asercheck --test suite -- java_overlap::",
        "src/isolate/interpret/locks.rs",
        "if overlaps { known.filter(is_explicit).count() }",
        "if overlaps { known.take_while(is_explicit).count() }",
    ),
    mutant(
        "overlap: a lock is followed that is released under another one",
        SEARCH,
        "src/encode/clone.rs",
        "if is_real && self.is_around(lock, place) {",
        "if is_real && self.is_around(lock, place) && false {",
    ),
];

/// Traces of the real Java machine.
const INCLUSION: &str = "asercheck-bench --lib -- inclusion::";
const ACCEPTOR: &str = "bench/src/inclusion/acceptor.rs";
const SHARING: &str = "bench/src/inclusion/sharing.rs";

const INCLUSION_MUTANTS: &[Mutant] = &[
    mutant(
        "inclusion: what a path holds, the thread holds",
        INCLUSION,
        ACCEPTOR,
        "_ => item.waiting == Some(lock) || self.is_allowed(lock, mode),",
        "_ => item.waiting == Some(lock) || true,",
    ),
    mutant(
        "inclusion: a lock that is held by readers is not held alone",
        INCLUSION,
        ACCEPTOR,
        "alone > 0 || (mode == Mode::Read && shared > 0)",
        "alone > 0 || (mode == mode && shared > 0)",
    ),
    mutant(
        "inclusion: a trace is in one unit",
        INCLUSION,
        ACCEPTOR,
        "item.units > 0 && item.progress.unit != Unit::Over",
        "item.units > 0",
    ),
    mutant(
        "inclusion: reads are no writes",
        INCLUSION,
        ACCEPTOR,
        "Operation::Write(location) => self.allowed[1] && self.locations.contains(&location),",
        "Operation::Write(location) => self.locations.contains(&location),",
    ),
    mutant(
        "inclusion: library calls do their accesses before they end",
        INCLUSION,
        ACCEPTOR,
        "items.retain(|item| !item.progress.due.iter().any(|due| numbers.contains(due)));",
        "items.retain(|item| !item.progress.due.iter().any(|due| numbers.contains(due) && false));",
    ),
    mutant(
        "inclusion: what makes an operation one step is held during one step",
        INCLUSION,
        ACCEPTOR,
        "Support::Operations(objects) => !is_used || self.world.is_in_call_on(objects),",
        "Support::Operations(objects) => !is_used || !is_used || self.world.is_in_call_on(objects) || true,",
    ),
    mutant(
        "inclusion: what is never written is not shared",
        INCLUSION,
        SHARING,
        "users.len() > 1 && !writers.is_empty()",
        "users.len() > 1 || !writers.is_empty()",
    ),
    mutant(
        "inclusion: what nobody else can reach is not shared",
        INCLUSION,
        SHARING,
        "key.object().is_none_or(|object| self.reached.contains(&object))",
        "key.object().is_none_or(|object| self.reached.contains(&object) || true)",
    ),
    mutant(
        "inclusion: who makes an object has it alone",
        INCLUSION,
        SHARING,
        "if !is_made {",
        "if !is_made || is_made {",
    ),
];

/// All of them.
fn all_mutants() -> impl Iterator<Item = &'static Mutant> {
    MUTANTS.iter().chain(BASELINES).chain(SEARCH_MUTANTS).chain(INCLUSION_MUTANTS)
}

#[derive(Parser)]
#[command(about = "Checks that the tests notice broken conditions")]
struct Arguments {
    /// Only names the mutants.
    #[arg(long)]
    list: bool,
    /// Only mutants whose names contain one of these.
    names: Vec<String>,
}

fn main() -> anyhow::Result<()> {
    let arguments = Arguments::parse();
    let wanted = |mutant: &&Mutant| {
        arguments.names.is_empty() || arguments.names.iter().any(|name| mutant.name.contains(name.as_str()))
    };
    let mutants: Vec<_> = all_mutants().filter(wanted).collect();
    if arguments.list {
        mutants.iter().for_each(|mutant| println!("{} ({})", mutant.name, mutant.tests));
        return Ok(());
    }
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).parent().context("the workspace")?.to_path_buf();
    let target = std::env::var_os("CARGO_TARGET_DIR").map_or_else(|| root.join("target"), PathBuf::from);
    let copy = target.join("mutants");
    copy_tree(&root, &copy)?;
    for mutant in &mutants {
        place(&copy, mutant)?;
    }
    let mut survivors = Vec::new();
    let mut passed = BTreeSet::new();
    for mutant in mutants {
        if passed.insert(mutant.tests) && cargo_test(&copy, mutant, &[])? != Ending::Success {
            bail!("without any change these tests do not pass: {}", mutant.tests);
        }
        let begin = Instant::now();
        let path = copy.join(mutant.file);
        let text = place(&copy, mutant)?;
        std::fs::write(&path, text.replacen(mutant.from, mutant.to, 1))?;
        let builds = cargo_test(&copy, mutant, &["--no-run"])? == Ending::Success;
        let ending = if builds { cargo_test(&copy, mutant, &[])? } else { Ending::Failure };
        let survives = ending == Ending::Success;
        std::fs::write(&path, text)?;
        let verdict = match (builds, ending) {
            (false, _) => "does not build",
            (true, Ending::Success) => "SURVIVES",
            (true, Ending::Failure) => "noticed",
            (true, Ending::Late) => "noticed (does not end)",
        };
        println!("{verdict}: {} ({:.0} s)", mutant.name, begin.elapsed().as_secs_f64());
        if !builds || survives {
            survivors.push(mutant.name);
        }
    }
    if !survivors.is_empty() {
        bail!("not noticed by the tests: {}", survivors.join("; "));
    }
    Ok(())
}

/// The text of the mutant's file, in which the place to change stands once.
fn place(root: &Path, mutant: &Mutant) -> anyhow::Result<String> {
    let path = root.join(mutant.file);
    let text = std::fs::read_to_string(&path).with_context(|| path.display().to_string())?;
    match text.matches(mutant.from).count() {
        1 => Ok(text),
        count => bail!("{}: the place to change stands in {} {count} times", mutant.name, mutant.file),
    }
}

/// Copies what is under version control; files that are the same already stay as they are, and what an older copy had besides
/// is removed, but for what was built.
fn copy_tree(root: &Path, copy: &Path) -> anyhow::Result<()> {
    let output = Command::new("git").args(["ls-files", "-z"]).current_dir(root).output().context("git ls-files")?;
    let names = String::from_utf8(output.stdout)?;
    let names: BTreeSet<_> = names.split('\0').filter(|name| !name.is_empty()).collect();
    let wanted: BTreeSet<_> = names.iter().map(|name| copy.join(name)).collect();
    let built = copy.join("target");
    let mut folders = vec![copy.to_path_buf()];
    while let Some(folder) = folders.pop().filter(|folder| folder.is_dir()) {
        for entry in std::fs::read_dir(folder)? {
            let path = entry?.path();
            if path.is_dir() && path != built {
                folders.push(path);
            } else if path.is_file() && !wanted.contains(&path) {
                std::fs::remove_file(path)?;
            }
        }
    }
    for name in names {
        let (from, to): (PathBuf, PathBuf) = (root.join(name), copy.join(name));
        let Ok(content) = std::fs::read(&from) else { continue };
        if std::fs::read(&to).is_ok_and(|old| old == content) {
            continue;
        }
        std::fs::create_dir_all(to.parent().context("a folder")?)?;
        std::fs::write(to, content)?;
    }
    Ok(())
}

/// How a command ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Ending {
    Success,
    Failure,
    /// It was ended.
    Late,
}

/// Runs the tests of a mutant in the copy. Without debug information of what is built again and again, which takes time.
fn cargo_test(copy: &Path, mutant: &Mutant, arguments: &[&str]) -> anyhow::Result<Ending> {
    let (cargo, names) = mutant.tests.split_once(" -- ").unwrap_or((mutant.tests, ""));
    let mut command = Command::new("cargo");
    for package in ["asercheck", "asercheck-bench"] {
        command.arg("--config").arg(format!("profile.dev.package.{package}.debug=0"));
    }
    command.args(["test", "-q", "-p"]).args(cargo.split_whitespace()).args(arguments);
    command.arg("--").args(names.split_whitespace());
    // A folder of its own, so that nobody takes what is built here for the program.
    command.env("CARGO_TARGET_DIR", copy.join("target"));
    command.current_dir(copy).stdout(Stdio::null()).stderr(Stdio::null());
    let mut child = command.process_group(0).spawn().context("cargo")?;
    let begin = Instant::now();
    loop {
        match child.try_wait()? {
            Some(status) => return Ok(if status.success() { Ending::Success } else { Ending::Failure }),
            None if begin.elapsed() < PATIENCE => std::thread::sleep(Duration::from_millis(200)),
            None => {
                // The tests are in cargo's process group.
                Command::new("kill").args(["-KILL", "--", &format!("-{}", child.id())]).status().context("kill")?;
                child.wait()?;
                return Ok(Ending::Late);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_mutant_has_its_place() {
        let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
        let misplaced: Vec<String> =
            all_mutants().filter_map(|mutant| place(&root, mutant).err().map(|error| error.to_string())).collect();
        assert!(misplaced.is_empty(), "the table of mutants does not fit the code: {}", misplaced.join("\n"));
    }
}
