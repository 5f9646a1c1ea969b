//! Text: tables for people.

use super::{Form, How, Program, Run};
use crate::report::java::{Listings, java_text};
use crate::report::{Checked, Detail, Steps, Style, View, text_report, wrapped};
use asercheck::answers::Tally;
use asercheck::audit::Listed;

/// Width of tables without a terminal; names of methods are long.
const WIDTH: usize = 140;

/// The form `text`.
#[derive(Debug)]
pub struct Text;

impl Form for Text {
    fn name(&self) -> &'static str {
        "text"
    }

    fn help(&self) -> &'static str {
        "Tables for people"
    }

    fn listed(&self, _is_all: bool, detail: Detail) -> Listed {
        if detail == Detail::All { Listed::Violations } else { Listed::None }
    }

    fn is_written_last(&self) -> bool {
        false
    }

    fn model(&self, model: &Checked<'_>, tally: &Tally, how: &How) -> String {
        let view = View { style: how.style, sources: model.sources, steps: how.detail.steps() };
        wrapped(&text_report(model.report, model.properties, tally, view, how.detail), how.style.width)
    }

    fn models(&self, _run: &Run<'_>) -> serde_json::Result<String> {
        Ok(String::new())
    }

    fn java(&self, program: &Program<'_>) -> serde_json::Result<String> {
        let How { style, detail, is_verbose, lists_open, wanted, .. } = program.how;
        let steps = match detail {
            Detail::All => Steps::All,
            _ if is_verbose => Steps::Essential,
            _ => Steps::Marked,
        };
        let is_wide = style.width.is_none() && matches!(detail, Detail::Findings(_));
        let columns = style.width;
        let style = if is_wide { Style { width: Some(WIDTH), ..style } } else { style };
        let view = View { style, sources: program.together.sources, steps };
        Ok(wrapped(
            &java_text(program.report, view, detail, Listings { is_verbose, lists_open, most: wanted }),
            columns,
        ))
    }
}
