//! Affine relations between the variables of a recursive program, as an example of interprocedural data flow.
//!
//! An assignment such as `x := 2 x + y + 3` is a linear map of `(1, x, y, ...)`, a matrix. What a set of runs does to
//! the variables is represented by the linear span of its matrices: an affine relation holds after all these runs if
//! and only if it holds after the maps of the span. So the weights are spans: combine is the sum of spans, extend the
//! span of the products. A chain of spans has at most as many members as a matrix has entries, so saturation
//! terminates. The numbers are those modulo a prime, to avoid large ones; a relation that holds for the integers holds
//! for these, too.
//!
//! Source: M. Müller-Olm, H. Seidl, *Precise interprocedural analysis through linear algebra*, POPL 2004.
//!
//! `cargo run -p wpds --example affine`

use std::convert::Infallible;
use wpds::{Control, PostStar, Semiring, Summary, Symbol, System};

/// A prime below 2^31.
const PRIME: u64 = 2_147_483_647;

/// The variables `x` and `y`, and a first entry that is always 1.
const SIZE: usize = 3;

/// A matrix by rows; row `i` has the factors of the new value of entry `i`.
type Matrix = Vec<u64>;

/// Vectors in reduced row echelon form: a basis, which only depends on the span.
type Basis = Vec<Vec<u64>>;

/// Spans of matrices.
struct AffineMaps;

fn power(base: u64, exponent: u64) -> u64 {
    (0..64).rev().fold(1, |result, bit| {
        let square = result * result % PRIME;
        if exponent >> bit & 1 == 1 { square * base % PRIME } else { square }
    })
}

/// The basis of the span of these vectors.
fn basis(mut rows: Vec<Vec<u64>>) -> Basis {
    let mut done = 0;
    for column in 0..rows.first().map_or(0, Vec::len) {
        let Some(pivot) = (done..rows.len()).find(|row| rows[*row][column] != 0) else { continue };
        rows.swap(done, pivot);
        let inverse = power(rows[done][column], PRIME - 2);
        rows[done].iter_mut().for_each(|entry| *entry = *entry * inverse % PRIME);
        let first = rows[done].clone();
        for row in (0..rows.len()).filter(|row| *row != done) {
            let factor = PRIME - rows[row][column];
            rows[row].iter_mut().zip(&first).for_each(|(entry, one)| *entry = (*entry + factor * one) % PRIME);
        }
        done += 1;
    }
    rows.truncate(done);
    rows
}

/// First `left`, then `right`.
fn product(left: &Matrix, right: &Matrix) -> Matrix {
    let entry = |row: usize, column: usize| {
        (0..SIZE).fold(0, |sum, place| (sum + right[row * SIZE + place] * left[place * SIZE + column]) % PRIME)
    };
    (0..SIZE * SIZE).map(|place| entry(place / SIZE, place % SIZE)).collect()
}

impl Semiring for AffineMaps {
    type Weight = Basis;
    type Stop = Infallible;

    fn zero(&self) -> Basis {
        Vec::new()
    }

    fn one(&self) -> Basis {
        basis(vec![(0..SIZE * SIZE).map(|place| u64::from(place % SIZE == place / SIZE)).collect()])
    }

    fn extend(&mut self, left: &Basis, right: &Basis) -> Result<Basis, Infallible> {
        Ok(basis(left.iter().flat_map(|first| right.iter().map(|second| product(first, second))).collect()))
    }

    fn combine_into(&mut self, into: &mut Basis, with: &Basis) -> Result<Option<Basis>, Infallible> {
        let sum = basis([&into[..], with].concat());
        let has_changed = sum.len() > into.len();
        *into = sum;
        Ok(has_changed.then(|| with.clone()))
    }
}

/// The weight of an assignment: the new values of `x` and `y` by their factors of 1, `x` and `y`.
fn assign(x: [i64; SIZE], y: [i64; SIZE]) -> Basis {
    let entries = [[1, 0, 0], x, y].concat();
    basis(vec![entries.into_iter().map(|entry| entry.rem_euclid(PRIME as i64) as u64).collect()])
}

/// The affine relations `a + b x + c y = 0` after runs from `x = 0`, `y = 0`, as `(a, b, c)`: a basis.
fn relations(maps: &Basis) -> Basis {
    let reached = basis(maps.iter().map(|map| (0..SIZE).map(|row| map[row * SIZE]).collect()).collect());
    let pivots: Vec<usize> =
        reached.iter().map(|row| row.iter().position(|entry| *entry != 0).expect("a pivot")).collect();
    let free = (0..SIZE).filter(|column| !pivots.contains(column));
    let solution = |column: usize| {
        let mut solution = vec![0; SIZE];
        solution[column] = 1;
        for (row, pivot) in reached.iter().zip(&pivots) {
            solution[*pivot] = (PRIME - row[column]) % PRIME;
        }
        solution
    };
    free.map(solution).collect()
}

/// ```text
/// main() { call double; done: }          double() { if (*) { x := x + 1; call double; y := y + 2; } }
/// ```
fn program() -> System<Basis> {
    let (control, skip) = (Control::new(0), assign([0, 1, 0], [0, 0, 1]));
    let [main, done, double, before, call, after, end] = [0, 1, 2, 3, 4, 5, 6].map(Symbol::new);
    let mut system = System::builder();
    system.push(control, main, control, double, done, skip.clone());
    system.step(control, double, control, before, skip.clone());
    system.step(control, double, control, end, skip.clone());
    system.step(control, before, control, call, assign([1, 1, 0], [0, 0, 1]));
    system.push(control, call, control, double, after, skip.clone());
    system.step(control, after, control, end, assign([0, 1, 0], [2, 0, 1]));
    system.pop(control, end, control, skip.clone());
    // The last control state is that of `done`.
    system.step(control, done, Control::new(1), done, skip);
    system.build()
}

fn main() {
    let mut maps = AffineMaps;
    let mut post = PostStar::new(&maps, program());
    let Ok(()) = post.start(&mut maps, Control::new(0), Symbol::new(0));
    let Ok(_) = post.advance(&mut maps, usize::MAX);
    let Ok(summary) = Summary::of(&mut maps, post.saturated().expect("it has finished"), &mut || Ok(()));
    let Ok(total) = summary.total(&mut maps, &post, Control::new(1));
    let found = relations(&total);
    for relation in &found {
        let signed = |entry: u64| if entry > PRIME / 2 { entry as i64 - PRIME as i64 } else { entry as i64 };
        let [one, x, y] = [0, 1, 2].map(|place| signed(relation[place]));
        println!("at the end, {one} + {x} x + {y} y = 0");
    }
    assert_eq!(found, [[0, PRIME - 2, 1]], "y = 2 x, and nothing else");
}
