//! Scatter plots as in the paper's Fig. 4: a point for each query, the times of two engines, both axes logarithmic.
//! Queries that an engine did not decide are in a band at the edge.

use super::axis::LogAxis;
use super::data::{Answer, Data, Row};
use super::figure::{Figure, at, slug};
use super::frame::{Frame, Scale};
use super::units;
use asercheck::answers::VerdictKind;
use maud::{Markup, html};
use std::collections::BTreeMap;

const SIZE: (u32, u32) = (500, 470);

/// The square between the axes.
const FRAME: Frame = Frame { left: 78.0, right: 446.0, bottom: 418.0, top: 66.0 };

/// The width of the bands beyond it.
const BAND: f64 = 26.0;

/// Returns the plots of a pair: the violations and the safe queries.
pub(super) fn figures(data: &Data, pair: (usize, usize)) -> Vec<Figure> {
    [VerdictKind::Violation, VerdictKind::Safe].map(|verdict| figure(data, pair, verdict)).into()
}

/// Draws a plot. The first engine has the vertical axis, as Alg. 2 has in the paper.
fn figure(data: &Data, (vertical, horizontal): (usize, usize), verdict: VerdictKind) -> Figure {
    let what = if verdict == VerdictKind::Violation { "violations" } else { "safe queries" };
    let (first, second) = (&data.engines[vertical], &data.engines[horizontal]);
    let rows = data.rows.iter().filter(|row| row.verdict() == verdict);
    let pairs: Vec<_> = rows.filter_map(|row| Some((row, row.answers[vertical]?, row.answers[horizontal]?))).collect();
    let faster = pairs.iter().filter(|(_, own, other)| is_faster(own, other)).count();
    let open = |engine: usize| pairs.iter().filter(|(row, ..)| !row.is_decided_by(engine)).count();
    // Both plots of a pair have the same axes, so that they can be compared.
    let times = data.rows.iter().flat_map(|row| [row.answers[vertical], row.answers[horizontal]]).flatten();
    let axis = LogAxis::of_seconds(times.filter(Answer::is_decided).map(|answer| answer.seconds).chain(data.timeout));
    Figure {
        name: slug(&format!("scatter-{first}-{second}-{}", what.split(' ').next().unwrap_or_default())),
        title: format!("{first} against {second}: {} {what}", pairs.len()),
        description: format!(
            "Times, logarithmic. {first} is faster on {faster} of {} {what}. Not decided: {} by {first}, {} \
             by {second}.",
            pairs.len(),
            open(vertical),
            open(horizontal)
        ),
        size: SIZE,
        drawing: drawing(&axis, first, second, &pairs),
    }
}

fn is_faster(own: &Answer, other: &Answer) -> bool {
    own.is_decided() && (!other.is_decided() || own.seconds < other.seconds)
}

fn drawing(axis: &LogAxis, first: &str, second: &str, pairs: &[(&Row, Answer, Answer)]) -> Markup {
    let Frame { left, right, bottom, top } = FRAME;
    let (across, up) = (axis.between(left, right), axis.between(bottom, top));
    html! {
        (bands())
        (FRAME.grid(
            &Scale { ticks: across.ticks(), name: second },
            &Scale { ticks: up.ticks(), name: first },
        ))
        line.equal x1=(left) y1=(bottom) x2=(right) y2=(top) {}
        (points(&across, &up, pairs))
    }
}

/// Draws the bands for queries that one engine did not decide.
fn bands() -> Markup {
    let Frame { left, right, bottom, top } = FRAME;
    let label = "not decided";
    html! {
        rect.band x=(right) y=(top - BAND) width=(BAND) height=(bottom - top + BAND) {}
        rect.band x=(left) y=(top - BAND) width=(right - left) height=(BAND) {}
        text x=(left + 6.0) y=(top - BAND - 5.0) { (label) }
        text transform={ "translate(" (right + BAND + 13.0) " " (bottom - 6.0) ") rotate(-90)" } { (label) }
    }
}

/// Draws the points. Queries at the same position are one point, which names their number: plots stay small.
fn points(across: &LogAxis, up: &LogAxis, pairs: &[(&Row, Answer, Answer)]) -> Markup {
    let mut places: BTreeMap<(String, String), Vec<String>> = BTreeMap::new();
    for (row, own, other) in pairs {
        let x = if other.is_decided() { across.place(other.seconds) } else { FRAME.right + BAND / 2.0 };
        let y = if own.is_decided() { up.place(own.seconds) } else { FRAME.top - BAND / 2.0 };
        let name = format!("{}: {} against {}", row.key, told(own), told(other));
        places.entry((at(x), at(y))).or_default().push(name);
    }
    html! {
        @for ((x, y), names) in &places {
            circle.point cx=(x) cy=(y) r="3" {
                title { (names[0]) @if names.len() > 1 { " and " (names.len() - 1) " more" } }
            }
        }
    }
}

fn told(answer: &Answer) -> String {
    match answer.reason {
        Some(reason) if reason.is_unsupported() => "unsupported".to_string(),
        Some(reason) => reason.to_string(),
        None => format!("{} s", units::seconds(answer.seconds)),
    }
}
