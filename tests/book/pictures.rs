//! The pictures of the book, drawn from the program's description of its patterns.
//!
//! All colors can be read on light and on dark pages.

use crate::book::page::{root, updates};
use crate::book::pattern::{Access, Pattern, patterns};
use std::fmt::Write;
use std::fs;

/// The colors of thread 1 and thread 2.
const COLORS: [&str; 2] = ["#3b7be6", "#cf6426"];
const GRAY: &str = "#808790";
/// The approximate width of a letter of the font.
const LETTER: i32 = 8;

/// A drawing.
struct Svg {
    width: i32,
    height: i32,
    title: String,
    body: String,
}

impl Svg {
    fn new(title: impl Into<String>, width: i32, height: i32) -> Self {
        Self { width, height, title: title.into(), body: String::new() }
    }

    fn add(&mut self, element: String) {
        writeln!(self.body, "{element}").expect("a string takes all");
    }

    /// Adds text around a point, or from it on.
    fn text(&mut self, (x, y): (i32, i32), text: &str, color: &str, anchor: &str) {
        self.add(format!(r#"<text x="{x}" y="{y}" fill="{color}" text-anchor="{anchor}">{text}</text>"#));
    }

    /// Adds a line, dashed or not.
    fn line(&mut self, (x1, y1): (i32, i32), (x2, y2): (i32, i32), dashed: bool) {
        let dashes = if dashed { r#" stroke-dasharray="2 4""# } else { "" };
        self.add(format!(r#"<path d="M{x1} {y1}L{x2} {y2}" stroke="{GRAY}"{dashes}/>"#));
    }

    /// Adds a line with an arrowhead, bent so that it leaves and arrives sideways.
    fn arrow(&mut self, (x1, y1): (i32, i32), (x2, y2): (i32, i32)) {
        let middle = (x1 + x2) / 2;
        let path = format!("M{x1} {y1}C{middle} {y1} {middle} {y2} {x2} {y2}");
        self.add(format!(r#"<path d="{path}" fill="none" stroke="{GRAY}" stroke-width="1.5"/>"#));
        self.add(format!(r#"<path d="M{x2} {y2}l-7 -4v8z" fill="{GRAY}"/>"#));
    }

    /// Adds a box with white text; returns its width.
    fn mark(&mut self, (x, y): (i32, i32), text: &str, color: &str) -> i32 {
        let width = box_width(text);
        let (left, top) = (x - width / 2, y - 13);
        self.add(format!(r#"<rect x="{left}" y="{top}" width="{width}" height="26" rx="6" fill="{color}"/>"#));
        self.text((x, y + 5), text, "#fff", "middle");
        width
    }

    /// Adds a band in the background of a unit of work.
    fn unit(&mut self, (left, right): (i32, i32), y: i32, color: &str) {
        let (top, width) = (y - 20, right - left);
        let look = format!(r#"fill="{color}" fill-opacity=".16" stroke="{color}" stroke-opacity=".5""#);
        self.add(format!(r#"<rect x="{left}" y="{top}" width="{width}" height="40" rx="10" {look}/>"#));
    }

    fn render(&self) -> String {
        let Self { width, height, title, body } = self;
        let font = r#"font-family="ui-sans-serif, system-ui, sans-serif" font-size="14""#;
        format!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{width}\" height=\"{height}\" viewBox=\"0 0 {width} {height}\" \
             {font} role=\"img\">\n<title>{title}</title>\n{body}</svg>\n"
        )
    }
}

fn box_width(text: &str) -> i32 {
    18 + LETTER * i32::try_from(text.chars().count()).expect("a short text")
}

/// Returns the position of a thread's lane.
fn lane(thread: usize) -> i32 {
    if thread == 1 { 28 } else { 82 }
}

/// Draws the accesses of a pattern from left to right, a lane for each thread; bands are units of work.
fn draw_pattern(pattern: &Pattern) -> Svg {
    const FIRST: i32 = 130;
    const STEP: i32 = 74;
    let place = |index: usize| FIRST + STEP * i32::try_from(index).expect("a short pattern");
    let title = format!("Pattern {}: {}, {}", pattern.number, pattern.notation, pattern.meaning);
    let mut svg = Svg::new(title, 410, 110);
    for thread in [1, 2] {
        let color = COLORS[thread - 1];
        svg.text((4, lane(thread) + 5), &format!("thread {thread}"), color, "start");
        svg.line((72, lane(thread)), (404, lane(thread)), false);
        let own: Vec<_> = (0..pattern.accesses.len()).filter(|i| pattern.accesses[*i].thread == thread).collect();
        if own.len() > 1 {
            svg.unit((place(own[0]) - 34, place(own[own.len() - 1]) + 34), lane(thread), color);
        }
    }
    for (index, pair) in pattern.accesses.windows(2).enumerate() {
        if pair[0].thread != pair[1].thread {
            let from = (place(index) + box_width("R a") / 2, lane(pair[0].thread));
            svg.arrow(from, (place(index + 1) - box_width("R a") / 2, lane(pair[1].thread)));
        }
    }
    for (index, Access { verb, thread, location }) in pattern.accesses.iter().enumerate() {
        svg.mark((place(index), lane(*thread)), &format!("{verb} {location}"), COLORS[thread - 1]);
    }
    svg
}

/// An interleaving of two threads, from left to right.
struct Interleaving<'a> {
    title: &'a str,
    width: i32,
    /// The beginnings of phases and the end of the last; none if no phases are shown.
    phases: &'a [i32],
    /// The extent of the unit of work of each thread.
    units: [(i32, i32); 2],
    /// The threads that hold the lock, with the extents.
    holds: &'a [(usize, i32, i32)],
    /// The acts of threads, with their positions.
    accesses: &'a [(usize, i32, &'a str)],
}

/// Draws the threads of the stack of Fig. 1 of the paper, and the times at which they hold its lock.
fn draw_interleaving(of: &Interleaving) -> Svg {
    let top = if of.phases.is_empty() { 30 } else { 62 };
    let lanes = [top, top + 76];
    let mut svg = Svg::new(of.title, of.width, top + 128);
    for (number, pair) in of.phases.windows(2).enumerate() {
        svg.text(((pair[0] + pair[1]) / 2, 18), &format!("phase {}", number + 1), GRAY, "middle");
        if number > 0 {
            svg.line((pair[0], 6), (pair[0], top + 122), true);
        }
    }
    for (thread, unit) in of.units.into_iter().enumerate() {
        svg.text((4, lanes[thread] + 5), &format!("thread {}", thread + 1), COLORS[thread], "start");
        svg.line((72, lanes[thread]), (of.width - 4, lanes[thread]), false);
        svg.unit(unit, lanes[thread], COLORS[thread]);
    }
    for &(thread, left, right) in of.holds {
        let (y, color, width) = (lanes[thread] + 22, COLORS[thread], right - left);
        let look = format!(r#"fill="{color}" fill-opacity=".45""#);
        svg.add(format!(r#"<rect x="{left}" y="{y}" width="{width}" height="16" rx="3" {look}/>"#));
        let (x, y) = ((left + right) / 2, y + 28);
        let look = format!(r#"fill="{GRAY}" font-size="12" text-anchor="middle""#);
        svg.add(format!(r#"<text x="{x}" y="{y}" {look}>holds stack</text>"#));
    }
    for &(thread, x, text) in of.accesses {
        svg.mark((x, lanes[thread]), text, COLORS[thread]);
    }
    svg
}

/// Returns the violation of pattern 2.
const STALE: Interleaving = Interleaving {
    title: "Thread 1 holds stack, reads item and releases stack. Thread 2 acquires stack, reads and writes item and releases stack. \
            Thread 1 acquires stack again and reads item. The unit of work of thread 1 lasts from its first read to its last.",
    width: 640,
    phases: &[],
    units: [(88, 632), (252, 456)],
    holds: &[(0, 104, 208), (1, 268, 440), (0, 500, 632)],
    accesses: &[(0, 156, "R item"), (1, 312, "R item"), (1, 396, "W item"), (0, 564, "R item")],
};

/// Returns the violation of pattern 12.
const INCONSISTENT: Interleaving = Interleaving {
    title: "Two threads and the lock stack. In phase 1 thread 1 acquires stack and reads item; in phase 2 it releases stack, and \
            thread 2 acquires it and writes storage; in phase 3 thread 2 writes item; in phase 4 thread 2 releases stack, and thread 1 \
            acquires it and reads storage.",
    width: 760,
    phases: &[82, 200, 460, 584, 756],
    units: [(88, 756), (300, 660)],
    holds: &[(0, 106, 238), (1, 318, 612), (0, 668, 756)],
    accesses: &[(0, 158, "R item"), (1, 404, "W storage"), (1, 536, "W item"), (0, 704, "R storage")],
};

/// Draws the automaton of pattern 12: states in a row, with the events that lead on and those that keep the state.
fn draw_automaton() -> Svg {
    let events = ["T1 begin", "T1 R a", "T2 W b", "T2 W a", "T1 R b"];
    let forbidden = ["", "no T1 end", "no T1 end", "no T1 end, no T2 end", "no T1 end"];
    let mut svg = Svg::new(
        "Six states in a row, q1 to q6. The steps between them are: T1 begins a unit, T1 reads a, T2 writes b in a unit, T2 writes a, T1 reads b. From q2 on \
         the end of T1's unit is forbidden, in q4 also that of T2's.",
        760,
        96,
    );
    let place = |index: usize| 34 + 138 * i32::try_from(index).expect("few states");
    for index in 0..6 {
        let x = place(index);
        svg.add(format!(r#"<circle cx="{x}" cy="45" r="20" fill="none" stroke="{GRAY}" stroke-width="1.5"/>"#));
        svg.text((x, 50), &format!("q{}", index + 1), GRAY, "middle");
        if index == 5 {
            svg.add(format!(r#"<circle cx="{x}" cy="45" r="16" fill="none" stroke="{GRAY}"/>"#));
            break;
        }
        svg.add(format!(
            r#"<path d="M{} 28c-8 -26 28 -26 20 0" fill="none" stroke="{GRAY}"/><path d="M{} 28l-1 -9 6 5z" fill="{GRAY}"/>"#,
            x - 10,
            x + 10
        ));
        svg.text((x, 88), forbidden[index], GRAY, "middle");
        svg.arrow((x + 20, 45), (place(index + 1) - 20, 45));
        svg.text((x + 69, 37), events[index], COLORS[usize::from(events[index].starts_with("T2"))], "middle");
    }
    svg
}

#[test]
fn pictures_show_what_the_program_says() {
    let folder = root().join("docs/pictures");
    let mut pictures: Vec<_> =
        patterns().iter().map(|pattern| (format!("pattern-{}.svg", pattern.number), draw_pattern(pattern))).collect();
    pictures.push(("stale.svg".into(), draw_interleaving(&STALE)));
    pictures.push(("interleaving.svg".into(), draw_interleaving(&INCONSISTENT)));
    pictures.push(("automaton.svg".into(), draw_automaton()));
    let mut wrong = Vec::new();
    for (name, svg) in &pictures {
        let (path, text) = (folder.join(name), svg.render());
        if updates() {
            fs::create_dir_all(&folder).expect("the folder can be made");
            fs::write(&path, &text).expect("the picture can be written");
        }
        if fs::read_to_string(&path).ok().as_ref() != Some(&text) {
            wrong.push(name);
        }
    }
    assert!(wrong.is_empty(), "these pictures are not up to date: {wrong:?}; UPDATE_BOOK=1 draws them");
    let files = fs::read_dir(&folder).expect("the folder can be read").count();
    assert_eq!(files, pictures.len(), "every picture is drawn here");
}
