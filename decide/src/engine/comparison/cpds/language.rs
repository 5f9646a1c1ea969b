//! The path language of one process, by prefixes: a pushdown system whose weights are sets of words.

use super::words::{Letter, Word, WordSets, Words};
use crate::encode::{EdgeId, Executed, FlowNode, Label, ReducedProcess, Trace, TracedRule};
use crate::engine::comparison::finite_sets::FiniteSets;
use indexmap::IndexSet;
use limits::{Meter, StopReason};
use rustc_hash::FxBuildHasher;
use wpds::{Callee, Control, PostStar, Progress, RuleId, Semiring, Summary, Symbol, System};

/// The number of saturation steps between two checks of the limits.
const STEPS: usize = 256;

/// The only control state.
const CONTROL: Control = Control::new(0);

/// The visible labels of a process: locks, instants, actions of the automaton, starts. If steps that have no other
/// effect are counted (see `encode/reduce`), these, calls and returns are visible, too.
pub(super) type Alphabet = IndexSet<Label, FxBuildHasher>;

/// Returns the alphabet of a process.
///
/// # Errors
/// If a limit is reached.
pub(super) fn alphabet(process: &ReducedProcess, meter: &Meter) -> Result<Alphabet, StopReason> {
    let graph = process.graph();
    let labels = graph.nodes().flat_map(|node| graph.edges(node)).map(|edge| edge.label).chain([Label::Return]);
    let mut alphabet = Alphabet::default();
    for label in labels {
        meter.work_of(1)?;
        alphabet.extend(visible(process, &label));
    }
    Ok(alphabet)
}

/// Returns the letter of a label, if it is visible.
pub(super) fn visible(process: &ReducedProcess, label: &Label) -> Option<Label> {
    match label {
        Label::Lock(_) | Label::Wants(_) | Label::Act(_) | Label::Start(_) => Some(*label),
        Label::Plain | Label::Call(_) | Label::Return => process.counts_steps().then_some(Label::Plain),
        Label::Silent => None,
    }
}

/// Returns the letter of an executed move, if it is visible.
pub(super) fn letter(process: &ReducedProcess, executed: Executed) -> Option<Label> {
    match executed {
        Executed::Edge(edge) | Executed::Call(edge, _) => visible(process, &process.graph().edge(edge).label),
        Executed::Return => visible(process, &Label::Return),
        Executed::Nothing => None,
    }
}

/// The words of all paths of a process from its beginning, cut to prefixes of one length.
#[derive(Debug)]
pub(super) struct Language {
    sets: WordSets,
    post: PostStar<WordSets>,
    summary: Summary<WordSets>,
    /// Whether no word is cut.
    is_exact: bool,
    words: Vec<Word>,
}

impl Language {
    /// Computes the prefixes of this length and the shorter words.
    ///
    /// # Errors
    /// If a limit is reached.
    pub(super) fn new(
        process: &ReducedProcess,
        alphabet: &Alphabet,
        length: usize,
        meter: &Meter,
    ) -> Result<Self, StopReason> {
        let mut sets = FiniteSets::new(Words { length });
        sets.set_meter(meter.clone());
        let system = system(process, alphabet, &mut sets, meter)?;
        let mut post = PostStar::new(&sets, system);
        post.start(&mut sets, CONTROL, symbol(process.graph().entry()))?;
        while post.advance(&mut sets, STEPS)? == Progress::Paused {
            meter.check()?;
        }
        let saturated = post.saturated().expect("nothing is left to do");
        let summary = Summary::of(&mut sets, saturated, &mut || meter.check())?;
        let total = summary.total(&mut sets, &post, CONTROL)?;
        let mut words = Vec::new();
        for word in sets.elements(total) {
            meter.work_of(1 + length)?;
            words.push(sets.element(*word).clone());
        }
        let is_exact = words.iter().all(|word| !word.is_cut);
        Ok(Self { sets, post, summary, is_exact, words })
    }

    pub(super) fn is_exact(&self) -> bool {
        self.is_exact
    }

    pub(super) fn words(&self) -> &[Word] {
        &self.words
    }

    /// Returns the trace of a path with this complete word; `None` if there is none. Calls without visible steps are
    /// one step of it. The phases of the steps are still to be set.
    ///
    /// # Errors
    /// If a limit is reached.
    pub(super) fn trace(
        &mut self,
        process: &ReducedProcess,
        word: Vec<Letter>,
        meter: &Meter,
    ) -> Result<Option<Trace>, StopReason> {
        let Some(element) = self.sets.find(&Word { letters: word, is_cut: false }) else { return Ok(None) };
        let run = self.summary.run(&mut self.sets, &self.post, CONTROL, &element, &mut || meter.check())?;
        let Some(run) = run else { return Ok(None) };
        let is_seen = |rule| self.executed(process, rule).is_some_and(|executed| letter(process, executed).is_some());
        let seen = run.subruns_with(is_seen);
        let folds = |callee: &Callee| !seen[callee.subrun.index()];
        let mut trace = Trace::default();
        let traced = |rule, _| Some(TracedRule { phase: 0, executed: self.executed(process, rule)? });
        let steps = trace.read(&run, folds, traced, meter)?;
        Ok(steps.map(|steps| {
            trace.steps = steps.into_iter().map(|(_, traced)| traced).collect();
            trace
        }))
    }

    fn executed(&self, process: &ReducedProcess, rule: RuleId) -> Option<Executed> {
        let system = self.post.system();
        let (control, symbol) = system.left(rule);
        let place = system.rules_of(control, symbol).position(|own| own == rule)?;
        let mut moves = moves(process, FlowNode::new(symbol.index()));
        moves.nth(place)
    }
}

fn symbol(node: FlowNode) -> Symbol {
    Symbol::new(node.index() as u32)
}

/// Returns the moves at a node, in the order of its rules.
fn moves(process: &ReducedProcess, node: FlowNode) -> impl Iterator<Item = Executed> + use<> {
    let edges: Vec<EdgeId> = process.graph().edge_ids(node).collect();
    let returns = process.graph().returns(node).then_some(Executed::Return);
    edges.into_iter().map(Executed::Edge).chain(returns)
}

fn system(
    process: &ReducedProcess,
    alphabet: &Alphabet,
    sets: &mut WordSets,
    meter: &Meter,
) -> Result<System<<WordSets as Semiring>::Weight>, StopReason> {
    let mut builder = System::builder();
    let graph = process.graph();
    for node in graph.nodes() {
        for executed in moves(process, node) {
            meter.work_of(1)?;
            let letters = letter(process, executed).and_then(|letter| alphabet.get_index_of(&letter));
            let letters = letters.map(Letter::new).into_iter().collect();
            let weight = sets.singleton(Word { letters, is_cut: false });
            let Executed::Edge(edge) = executed else {
                builder.pop(CONTROL, symbol(node), CONTROL, weight);
                continue;
            };
            let edge = graph.edge(edge);
            match edge.label {
                Label::Call(entry) => {
                    builder.push(CONTROL, symbol(node), CONTROL, symbol(entry), symbol(edge.target), weight);
                }
                _ => builder.step(CONTROL, symbol(node), CONTROL, symbol(edge.target), weight),
            }
        }
    }
    Ok(builder.build())
}
