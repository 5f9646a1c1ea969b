//! Standard output and standard error: their abilities, and readers that close them.

use crate::report::{Charset, Style, wrapped};
use clap::ColorChoice;
use std::io::{self, IsTerminal, Write};

/// The terminal of the program.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Terminal {
    color: ColorChoice,
}

impl Terminal {
    pub(crate) fn new(color: ColorChoice) -> Self {
        Self { color }
    }

    /// Returns the style of text on standard output.
    pub(crate) fn style(self) -> Style {
        let charset = if speaks_unicode() { Charset::Unicode } else { Charset::Ascii };
        Style { charset, colors: self.colors(&io::stdout()), width: width() }
    }

    /// Whether messages on standard error are colored.
    pub(crate) fn colors_messages(self) -> bool {
        self.colors(&io::stderr())
    }

    fn colors(self, stream: &impl IsTerminal) -> bool {
        let wanted = || stream.is_terminal() && std::env::var_os("NO_COLOR").is_none_or(|value| value.is_empty());
        match self.color {
            ColorChoice::Always => true,
            ColorChoice::Never => false,
            ColorChoice::Auto => wanted() && std::env::var_os("TERM").is_none_or(|term| term != "dumb"),
        }
    }

    /// Writes to standard output. It is no error if the reader has closed it.
    pub(crate) fn print(self, text: &str) -> io::Result<()> {
        let mut out = io::stdout().lock();
        match out.write_all(text.as_bytes()).and_then(|()| out.flush()) {
            Err(error) if error.kind() == io::ErrorKind::BrokenPipe => Ok(()),
            result => result,
        }
    }

    /// Writes to standard error; errors in doing so cannot be reported.
    pub(crate) fn tell(self, text: &str) {
        let _ = io::stderr().lock().write_all(text.as_bytes());
    }

    /// Writes an error to standard error.
    pub(crate) fn complain(self, error: &anyhow::Error) {
        // Messages that are rendered with their source text have the label, at the beginning of a line.
        let text = message(error);
        let has_label = text.lines().any(|line| line.starts_with("error: ")) || text.contains("error\u{1b}");
        let label = if has_label { "" } else { "error: " };
        let text = format!("{label}{}\n", text.trim_end());
        // Rendered messages contain lines of the source, which stay as they are.
        let columns = terminal_size::terminal_size_of(io::stderr()).map(|(width, _)| usize::from(width.0));
        self.tell(&wrapped(&text, columns.filter(|_| !label.is_empty())));
    }
}

/// Returns the message of an error with its causes, each once: some messages end with that of their cause.
fn message(error: &anyhow::Error) -> String {
    error.chain().map(ToString::to_string).fold(String::new(), |text, cause| {
        if text.is_empty() {
            return cause;
        }
        if text.ends_with(&cause) { text } else { format!("{text}: {cause}") }
    })
}

/// Removes escape sequences for colors: each begins with an escape and `[`, and ends with a letter.
pub(crate) fn plain(text: &str) -> String {
    let mut pieces = text.split("\u{1b}[");
    let first = pieces.next().unwrap_or_default().to_string();
    pieces.fold(first, |plain, piece| {
        let end = piece.find(|letter: char| letter.is_ascii_alphabetic());
        plain + end.map_or("", |end| &piece[end + 1..])
    })
}

/// Whether the locale's encoding is UTF-8.
fn speaks_unicode() -> bool {
    let set = ["LC_ALL", "LC_CTYPE", "LANG"].into_iter().filter_map(|name| std::env::var(name).ok());
    let locale = set.into_iter().find(|value| !value.is_empty()).unwrap_or_default().to_lowercase();
    locale.contains("utf-8") || locale.contains("utf8")
}

/// Returns the number of columns: that of the environment, or that of the terminal; none without a terminal.
fn width() -> Option<usize> {
    let said = std::env::var("COLUMNS").ok().and_then(|columns| columns.parse().ok()).filter(|columns| *columns > 0);
    said.or_else(|| terminal_size::terminal_size_of(io::stdout()).map(|(width, _)| usize::from(width.0)))
}
