//! Weighted pushdown systems over idempotent semirings.
//!
//! A pushdown system has control states, a stack alphabet and rules that rewrite a control state and the topmost stack
//! symbol. Every rule has a weight; the weight of a run is the product (*extend*) of its rules' weights, and the weight
//! of a set of configurations is the sum (*combine*) over all runs that lead to it. [`PostStar`] computes, from
//! starting configurations, a finite automaton with the weight of every reachable configuration; [`PreStar`] does the
//! same backwards. [`Summary`] sums over all configurations of a control state. Each of them reconstructs a run for an
//! element of a weight. Ordered weights, as in [`MinPlus`], are processed in Dijkstra's order. A saturation with an aim
//! ([`PostStar::aim_at`], [`PreStar::aim_at`]) ends as soon as it is reached; [`Dual`] saturates from both ends until
//! they meet. [`text`] reads systems from files, and the command `wpds` saturates them.
//!
//! Source: T. Reps, S. Schwoon, S. Jha, D. Melski, *Weighted pushdown systems and their application to interprocedural
//! dataflow analysis*, Science of Computer Programming 58 (2005).
//!
//! # Example
//!
//! The shortest run, counted in rules, of a program that calls a function.
//!
//! ```
//! use wpds::{Control, MinPlus, PostStar, Progress, Summary, Symbol, System};
//!
//! let (p, q) = (Control::new(0), Control::new(1));
//! let (main, back, body) = (Symbol::new(0), Symbol::new(1), Symbol::new(2));
//! let mut system = System::builder();
//! system.push(p, main, p, body, back, Some(1)); // main calls a function with this body
//! system.pop(p, body, p, Some(1)); // which returns
//! system.step(p, back, q, back, Some(1)); // and main goes on in control state q
//!
//! let mut distances = MinPlus;
//! let mut post = PostStar::new(&distances, system.build());
//! post.start(&mut distances, p, main).unwrap();
//! assert_eq!(post.advance(&mut distances, usize::MAX), Ok(Progress::Saturated));
//! let saturated = post.saturated().expect("it has finished");
//! let summary = Summary::of(&mut distances, saturated, &mut || Ok(())).unwrap();
//! let total = summary.total(&mut distances, &post, q).unwrap();
//! assert_eq!(total, Some(3));
//! let run = summary.run(&mut distances, &post, q, &3, &mut || Ok(())).unwrap().expect("3 is the weight of a run");
//! assert_eq!(run.rules().count(), 3);
//! ```

mod automaton;
mod boolean;
mod by_right;
mod changing;
mod components;
mod dual;
mod heads;
mod index;
mod link;
mod log;
mod longest;
mod meeting;
mod min_plus;
#[cfg(feature = "json")]
pub mod pdaaal;
mod post_star;
mod pre_star;
mod pre_witness;
mod queue;
mod run;
mod saturation;
mod semiring;
mod settling;
mod summary;
mod system;
pub mod text;
mod transition_table;
mod transitions;
mod weight_heap;
mod witness;
mod worklist;

pub use automaton::{Automaton, Goal, Origin, Place};
pub use boolean::Boolean;
pub use dual::{Dual, DualRun};
pub use index::{Control, Inner, RuleId, Symbol};
pub use longest::Longest;
pub use min_plus::MinPlus;
pub use post_star::{PostStar, Saturated};
pub use pre_star::PreStar;
pub use run::{Callee, Run, RunStep, SubrunId};
pub use saturation::Progress;
pub use semiring::{Semiring, Traceable};
pub use summary::{Ending, Summand, Summary};
pub use system::{Builder, Loaded, Rank, Rule, RuleSink, Rules, System};
