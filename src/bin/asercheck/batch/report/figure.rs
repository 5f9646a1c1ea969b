//! The frame of all plots: a drawing with a title and a description, in colors that suit light and dark pages.
//!
//! Markup is written with `maud`, which escapes the inserted texts. A drawing library would fix its colors in the
//! drawing, and could not name points or describe the drawing for people who do not see it.

use maud::{Markup, PreEscaped, html};

/// The style of plots, for pages and for files. It has no variables, which many programs that draw SVG do not know.
pub(super) const STYLE: &str = "\
.plot text{font:12px system-ui,sans-serif;fill:#1f2328}\
.plot .name{font-weight:600;font-size:14px}\
.plot .paper{fill:#fff}\
.plot .frame{fill:none;stroke:#57606a}\
.plot .grid{stroke:#d8dee4}\
.plot .band{fill:#f3e6cf}\
.plot .equal{stroke:#57606a;stroke-dasharray:5 4}\
.plot .point{fill:#0b5cad;fill-opacity:.55;stroke:#0b5cad}\
.plot .line{fill:none;stroke-width:2}\
.plot .e0{stroke:#0b5cad}.plot .e1{stroke:#b8400e}.plot .e2{stroke:#1a7f37}.plot .e3{stroke:#8250df}\
.plot .e4{stroke:#57606a}\
@media (prefers-color-scheme:dark){\
.plot text{fill:#e6edf3}\
.plot .paper{fill:#0d1117}\
.plot .frame{stroke:#9198a1}\
.plot .grid{stroke:#30363d}\
.plot .band{fill:#3a2f1b}\
.plot .equal{stroke:#9198a1}\
.plot .point{fill:#6cb6ff;stroke:#6cb6ff}\
.plot .e0{stroke:#6cb6ff}.plot .e1{stroke:#f0883e}.plot .e2{stroke:#56d364}.plot .e3{stroke:#bc8cff}\
.plot .e4{stroke:#9198a1}}";

/// The dashes of lines of different engines, besides their colors.
const DASHES: [&str; 5] = ["none", "8 4", "2 3", "10 3 2 3", "5 2"];

/// Returns the class and the dashes of an engine's line.
pub(super) fn line_style(engine: usize) -> (String, &'static str) {
    (format!("line e{}", engine % DASHES.len()), DASHES[engine % DASHES.len()])
}

/// A plot.
#[derive(Clone, Debug)]
pub(super) struct Figure {
    /// The name of its file, without the ending; unique.
    pub(super) name: String,
    /// A short title.
    pub(super) title: String,
    /// A description for people who cannot see the plot.
    pub(super) description: String,
    /// The width and height.
    pub(super) size: (u32, u32),
    /// The content.
    pub(super) drawing: Markup,
}

impl Figure {
    /// Returns the plot as part of a page that has the [`STYLE`].
    pub(super) fn inline(&self) -> Markup {
        self.svg(&html! {})
    }

    /// Returns the plot as a file.
    pub(super) fn file(&self) -> String {
        let style = html! { style { (PreEscaped(STYLE)) } };
        format!("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n{}\n", self.svg(&style).into_string())
    }

    fn svg(&self, style: &Markup) -> Markup {
        let (width, height) = self.size;
        let (title, description) = (format!("{}-title", self.name), format!("{}-desc", self.name));
        html! {
            svg xmlns="http://www.w3.org/2000/svg" class="plot" role="img" width=(width) height=(height)
                viewBox={ "0 0 " (width) " " (height) } aria-labelledby={ (title) " " (description) } {
                title id=(title) { (self.title) }
                desc id=(description) { (self.description) }
                (style)
                rect.paper width=(width) height=(height) {}
                text.name x=(width / 2) y="20" text-anchor="middle" { (self.title) }
                (self.drawing)
            }
        }
    }
}

/// Formats a coordinate, to a tenth.
pub(super) fn at(place: f64) -> String {
    format!("{place:.1}")
}

/// Converts a name to a part of the name of a file.
pub(super) fn slug(name: &str) -> String {
    name.chars().map(|c| if c.is_ascii_alphanumeric() { c } else { '-' }).collect()
}
