//! Cactus plots: how many queries each engine decides if each may take so much time, or memory.

use super::axis::{CountAxis, LogAxis};
use super::data::{Answer, Data};
use super::figure::{Figure, at, line_style};
use maud::{Markup, html};

const SIZE: (u32, u32) = (720, 440);
const LEFT: f64 = 90.0;
const RIGHT: f64 = 560.0;
const BOTTOM: f64 = 380.0;
const TOP: f64 = 40.0;

/// The times of the queries that each engine decides.
pub(super) fn time(data: &Data) -> Figure {
    let curves = curves(data, |answer| Some(answer.seconds));
    let axis = LogAxis::of_seconds(curves.iter().flatten().copied().chain(data.timeout));
    figure(data, "time", axis, &curves)
}

/// The memory of the queries that each engine decides, where it was measured.
pub(super) fn memory(data: &Data) -> Figure {
    let curves = curves(data, |answer| answer.memory.map(|memory| memory as f64 / f64::from(1 << 20)));
    figure(data, "memory", LogAxis::of_mebibytes(curves.iter().flatten().copied()), &curves)
}

/// By engine: the values of what it decides, the least first.
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
        drawing: drawing(data, what, axis.between(BOTTOM, TOP), curves),
    }
}

fn drawing(data: &Data, what: &str, up: LogAxis, curves: &[Vec<f64>]) -> Markup {
    let across = CountAxis::new(data.rows.len(), LEFT, RIGHT);
    html! {
        @for (place, name) in across.ticks() {
            line.grid x1=(at(place)) x2=(at(place)) y1=(BOTTOM) y2=(TOP) {}
            text x=(at(place)) y=(BOTTOM + 18.0) text-anchor="middle" { (name) }
        }
        @for (place, name) in up.ticks() {
            line.grid x1=(LEFT) x2=(RIGHT) y1=(at(place)) y2=(at(place)) {}
            text x=(LEFT - 8.0) y=(at(place + 4.0)) text-anchor="end" { (name) }
        }
        rect.frame x=(LEFT) y=(TOP) width=(RIGHT - LEFT) height=(BOTTOM - TOP) {}
        text x=((LEFT + RIGHT) / 2.0) y=(BOTTOM + 42.0) text-anchor="middle" { "queries decided" }
        text transform={ "translate(14 " ((BOTTOM + TOP) / 2.0) ") rotate(-90)" } text-anchor="middle" {
            (what) " for each"
        }
        @for (engine, curve) in curves.iter().enumerate() {
            @let (class, dashes) = line_style(engine);
            @let y = TOP + 14.0 + 22.0 * engine as f64;
            polyline class=(class) stroke-dasharray=(dashes) points=(steps(&across, &up, curve)) {}
            line class=(class) stroke-dasharray=(dashes) x1=(RIGHT + 14.0) x2=(RIGHT + 44.0) y1=(y) y2=(y) {}
            text x=(RIGHT + 52.0) y=(y + 4.0) { (data.engines[engine]) }
        }
    }
}

/// A corner for each time that differs on the drawing.
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
