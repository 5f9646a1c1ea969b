//! Cactus plots: the number of queries that each engine decides within a time, or within an amount of memory.

use super::axis::{CountAxis, LogAxis};
use super::data::{Answer, Data};
use super::figure::{Figure, at, line_style};
use super::frame::{Frame, Scale};
use maud::{Markup, html};

const SIZE: (u32, u32) = (720, 440);
const FRAME: Frame = Frame { left: 90.0, right: 560.0, bottom: 380.0, top: 40.0 };

/// Draws the times of the queries that each engine decides.
pub(super) fn time(data: &Data) -> Figure {
    let curves = curves(data, |answer| Some(answer.seconds));
    let axis = LogAxis::of_seconds(curves.iter().flatten().copied().chain(data.timeout));
    figure(data, "time", axis, &curves)
}

/// Draws the memory of the queries that each engine decides, where it was measured.
pub(super) fn memory(data: &Data) -> Figure {
    let curves = curves(data, |answer| answer.memory.map(|memory| memory as f64 / f64::from(1 << 20)));
    figure(data, "memory", LogAxis::of_mebibytes(curves.iter().flatten().copied()), &curves)
}

/// Returns for each engine the values of its decided queries, in ascending order.
fn curves(data: &Data, value: impl Fn(&Answer) -> Option<f64>) -> Vec<Vec<f64>> {
    let curve = |engine| {
        let decided = data.answers(engine).filter(Answer::is_decided);
        let mut values: Vec<_> = decided.filter_map(|answer| value(&answer)).collect();
        values.sort_by(f64::total_cmp);
        values
    };
    (0..data.engines.len()).map(curve).collect()
}

fn figure(data: &Data, what: &str, axis: LogAxis, curves: &[Vec<f64>]) -> Figure {
    let counts = data.engines.iter().zip(curves).map(|(engine, curve)| format!("{engine} {}", curve.len()));
    let counts = counts.collect::<Vec<_>>().join(", ");
    Figure {
        name: format!("all-{what}"),
        title: format!("Queries decided, by {what}"),
        description: format!("Queries that each engine decides, of {}: {counts}.", data.rows.len()),
        size: SIZE,
        drawing: drawing(data, what, axis.between(FRAME.bottom, FRAME.top), curves),
    }
}

fn drawing(data: &Data, what: &str, up: LogAxis, curves: &[Vec<f64>]) -> Markup {
    let Frame { left, right, top, .. } = FRAME;
    let across = CountAxis::new(data.rows.len(), left, right);
    let name = format!("{what} for each");
    html! {
        (FRAME.grid(
            &Scale { ticks: across.ticks(), name: "queries decided" },
            &Scale { ticks: up.ticks(), name: &name },
        ))
        @for (engine, curve) in curves.iter().enumerate() {
            @let (class, dashes) = line_style(engine);
            @let y = top + 14.0 + 22.0 * engine as f64;
            polyline class=(class) stroke-dasharray=(dashes) points=(steps(&across, &up, curve)) {}
            line class=(class) stroke-dasharray=(dashes) x1=(right + 14.0) x2=(right + 44.0) y1=(y) y2=(y) {}
            text x=(right + 52.0) y=(y + 4.0) { (data.engines[engine]) }
        }
    }
}

/// Returns the corners of a curve, as far as they differ in the drawing.
fn steps(across: &CountAxis, up: &LogAxis, curve: &[f64]) -> String {
    let mut corners: Vec<String> = Vec::new();
    for (decided, time) in curve.iter().enumerate() {
        let y = at(up.place(*time));
        for x in [across.place(decided), across.place(decided + 1)] {
            let corner = format!("{},{y}", at(x));
            if corners.last() != Some(&corner) {
                corners.push(corner);
            }
        }
    }
    corners.join(" ")
}
