//! The frame of pages: one file that needs no other file, in light and dark, on wide and narrow screens.

use maud::{DOCTYPE, Markup, PreEscaped, html};

/// The style that all pages share.
const STYLE: &str = include_str!("page/base.css");

/// Returns a page with its styles, its body, and the scripts that follow the body.
pub(crate) fn page(title: &str, styles: &[&str], body: &Markup, behind: &Markup) -> String {
    let page = html! {
        (DOCTYPE)
        html lang="en" {
            head {
                meta charset="utf-8";
                meta name="viewport" content="width=device-width, initial-scale=1";
                meta name="color-scheme" content="light dark";
                title { (title) }
                style { (PreEscaped(STYLE)) @for style in styles { (PreEscaped(style)) } }
            }
            body {
                main { (body) }
                (behind)
            }
        }
    };
    page.into_string()
}
