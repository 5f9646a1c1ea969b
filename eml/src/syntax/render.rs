//! Diagnostics as text for terminals: message, file, line, column, source line, carets, notes and help.

use std::borrow::Cow;

use annotate_snippets::{Annotation, AnnotationKind, Element, Group, Level, Origin, Renderer, Snippet};

use super::diagnostic::{Diagnostic, Label, Severity, visible};
use super::lines::BYTE_ORDER_MARK;
use super::source::Source;
use super::span::Span;

/// Maximal distance in lines between the labels of one snippet; labels further apart get a snippet of their own.
const SNIPPET_LINES: u32 = 1000;

/// Maximal length of an underline.
const UNDERLINED_BYTES: usize = 120;

impl Diagnostic {
    /// Returns the diagnostic as text that ends in a newline; with `colors`, it has ANSI escape sequences.
    ///
    /// Control characters of the source or of its name never reach the output. Long lines are cut to a part around
    /// the caret.
    pub fn render(&self, source: &Source, colors: bool) -> String {
        let renderer = if colors { Renderer::styled() } else { Renderer::plain() };
        let mut text = renderer.render(&[report(self, source)]);
        text.push('\n');
        text
    }
}

/// Converts the whole diagnostic for the rendering library.
fn report<'a>(diagnostic: &'a Diagnostic, source: &'a Source) -> Group<'a> {
    let level = match diagnostic.severity() {
        Severity::Error => Level::ERROR,
        Severity::Warning => Level::WARNING,
    };
    let mut group = level.primary_title(diagnostic.message()).elements(places(diagnostic, source));
    for note in diagnostic.notes() {
        group = group.element(Level::NOTE.message(note));
    }
    // Help explains how to write the text; it does not help if the model was built from code.
    let helps = if source.text().is_some() { diagnostic.helps() } else { &[] };
    for help in helps {
        group = group.element(Level::HELP.message(help));
    }
    group
}

/// Returns the places of a diagnostic: source lines if there is a text, otherwise positions.
fn places<'a>(diagnostic: &'a Diagnostic, source: &'a Source) -> Vec<Element<'a>> {
    let name = visible(source.name());
    match (diagnostic.primary(), source.text()) {
        (Some(primary), Some(text)) => {
            let mut snippets = vec![PartOfText::new(primary.span, text)];
            snippets[0].add(AnnotationKind::Primary, primary);
            for label in diagnostic.secondary() {
                add_context(&mut snippets, label, text);
            }
            snippets.into_iter().map(|snippet| snippet.finish(&name).into()).collect()
        }
        (Some(primary), None) => vec![
            Origin::path(name)
                .line(primary.span.start.line as usize)
                .char_column(primary.span.start.column as usize)
                .into(),
        ],
        (None, Some(_)) => vec![Origin::path(name).into()],
        (None, None) => Vec::new(),
    }
}

/// Adds a secondary label to the lines that are shown already, or to lines of its own if it is far from them.
fn add_context<'a>(snippets: &mut Vec<PartOfText<'a>>, label: &'a Label, text: &'a str) {
    let near = snippets.iter_mut().find(|snippet| snippet.is_near(label.span));
    if let Some(snippet) = near {
        snippet.add(AnnotationKind::Context, label);
    } else {
        let mut snippet = PartOfText::new(label.span, text);
        snippet.add(AnnotationKind::Context, label);
        snippets.push(snippet);
    }
}

/// Some consecutive lines of the source with the labels on them.
struct PartOfText<'a> {
    whole: &'a str,
    /// First line.
    line: u32,
    /// Bytes shown, whole lines.
    start: usize,
    end: usize,
    labels: Vec<(AnnotationKind, &'a Label)>,
}

impl<'a> PartOfText<'a> {
    /// Creates the line of one place.
    fn new(span: Span, whole: &'a str) -> Self {
        let (start, end) = line_around(whole, span.offset as usize);
        Self { whole, line: span.start.line, start, end, labels: Vec::new() }
    }

    /// Whether another place can be shown together with these lines.
    fn is_near(&self, span: Span) -> bool {
        self.line.abs_diff(span.start.line) <= SNIPPET_LINES
    }

    /// Adds a label, and the lines up to it.
    fn add(&mut self, kind: AnnotationKind, label: &'a Label) {
        let (start, end) = line_around(self.whole, label.span.offset as usize);
        self.line = self.line.min(label.span.start.line);
        self.start = self.start.min(start);
        self.end = self.end.max(end);
        self.labels.push((kind, label));
    }

    fn finish(self, name: &str) -> Snippet<'a, Annotation<'a>> {
        let text = &self.whole[self.start..self.end];
        let annotations = self.labels.iter().map(|(kind, label)| {
            let range = underlined(text, self.start, label.span);
            let text = (!label.text.is_empty()).then_some(label.text.as_str());
            kind.span(range).label(text)
        });
        Snippet::source(without_c1_controls(text))
            .path(name.to_string())
            .line_start(self.line as usize)
            .annotations(annotations)
    }
}

/// Returns the start and end of the line with this offset, without its line end and without a byte order mark.
fn line_around(text: &str, offset: usize) -> (usize, usize) {
    let offset = boundary(text, offset);
    let mut start = text[..offset].rfind('\n').map_or(0, |newline| newline + 1);
    if start == 0 && text.starts_with(BYTE_ORDER_MARK) {
        start = BYTE_ORDER_MARK.len_utf8();
    }
    let newline = text[offset..].find('\n');
    let line = &text[..newline.map_or(text.len(), |newline| offset + newline)];
    let end = line.strip_suffix('\r').unwrap_or(line).len();
    (start, end.max(start))
}

/// Returns the bytes to underline, relative to the part shown: on one line, not too many.
fn underlined(text: &str, shift: usize, span: Span) -> std::ops::Range<usize> {
    let start = boundary(text, (span.offset as usize).saturating_sub(shift));
    let length = (span.length as usize).min(UNDERLINED_BYTES);
    let end = boundary(text, start + length);
    let line = text[start..end].lines().next().unwrap_or_default();
    start..start + line.len()
}

/// Replaces the control characters U+0080 to U+009F, some of which begin escape sequences, by `¿`. The rendering
/// library handles all others. `¿` has the same length in bytes, so offsets stay valid.
fn without_c1_controls(text: &str) -> Cow<'_, str> {
    let is_c1 = |character: char| ('\u{80}'..='\u{9f}').contains(&character);
    if text.contains(is_c1) { text.replace(is_c1, "¿").into() } else { text.into() }
}

/// Returns the last character boundary at or before an offset.
fn boundary(text: &str, offset: usize) -> usize {
    let mut offset = offset.min(text.len());
    while !text.is_char_boundary(offset) {
        offset -= 1;
    }
    offset
}
