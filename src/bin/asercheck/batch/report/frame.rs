//! The rectangle of a plot's axes: grid, names of the ticks, border, names of the axes.

use super::figure::at;
use maud::{Markup, html};

/// The positions of the edges. The vertical axis grows upwards, so that `bottom` is the greater number.
#[derive(Clone, Copy, Debug)]
pub(super) struct Frame {
    pub(super) left: f64,
    pub(super) right: f64,
    pub(super) bottom: f64,
    pub(super) top: f64,
}

/// A drawn axis: the positions and names of its ticks, and its own name.
#[derive(Clone, Debug)]
pub(super) struct Scale<'a> {
    pub(super) ticks: Vec<(f64, String)>,
    pub(super) name: &'a str,
}

impl Frame {
    /// Draws grid lines with names, to be covered by the rest of the drawing.
    pub(super) fn grid(&self, across: &Scale<'_>, up: &Scale<'_>) -> Markup {
        let Self { left, right, bottom, top } = *self;
        html! {
            @for (place, name) in &across.ticks {
                line.grid x1=(at(*place)) x2=(at(*place)) y1=(bottom) y2=(top) {}
                text x=(at(*place)) y=(bottom + 18.0) text-anchor="middle" { (name) }
            }
            @for (place, name) in &up.ticks {
                line.grid x1=(left) x2=(right) y1=(at(*place)) y2=(at(*place)) {}
                text x=(left - 8.0) y=(at(place + 4.0)) text-anchor="end" { (name) }
            }
            rect.frame x=(left) y=(top) width=(right - left) height=(bottom - top) {}
            text x=((left + right) / 2.0) y=(bottom + 42.0) text-anchor="middle" { (across.name) }
            text transform={ "translate(14 " ((bottom + top) / 2.0) ") rotate(-90)" } text-anchor="middle" {
                (up.name)
            }
        }
    }
}
