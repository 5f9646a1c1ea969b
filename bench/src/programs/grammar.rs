//! The grammar of random Java programs: a text that is read once.
//!
//! Each line of `grammar.txt` that is not empty and does not begin with `#` is one of
//!
//! ```text
//! KIND WEIGHT CONSTRUCT | TEMPLATE      a production
//! field KIND MODIFIERS TYPE = INITIAL   a field of this kind, which is made when one is wanted
//! class NAME HOW | TEXT                 a class that is written if its name is used
//! type TYPE KIND                        which expressions are of a type that methods take and give
//! of CLASS KIND                         which expressions are objects of a class
//! ```
//!
//! Templates are Java with these marks:
//!
//! | mark | is |
//! |---|---|
//! | `$kind` | what a production of this kind gives |
//! | `$let(T)` | the name of a new local variable, which is there behind this production, to the end of its block |
//! | `$for(T)` | the same, which is there in the rest of this production only |
//! | `$mut(T)` | as `$for`, of a variable that is assigned to: functions do not see it |
//! | `$1` | the name that this production has made first |
//! | `$local(T)` | a variable of this type, or an object of it that the method has anyway |
//! | `$var(T)` | a variable of this type that may be assigned to |
//! | `$field(kind)` | a field of this kind of some object of the class `Made` |
//! | `$static(kind)` | the same, static |
//! | `$fresh`, `$named` | a new name; the second one can be used by its number |
//! | `$label` | the same, which `$loop` finds within this production |
//! | `#x` | the name `x` with a number: the same within a production |
//! | `$(` and `$)` | around what is run by a function object: what leaves a method or a loop is not there |
//! | `$top` | nothing; the production is only there outside of functions, in methods that functions do not call |
//! | `$call(T)` | a call of a method that gives this |
//! | `$result`, `$parameters`, `$name`, `$body` | in methods: what belongs there |
//! | `$methods` | in classes: their methods |

use std::collections::BTreeMap;

/// A part of a template.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Part {
    /// As it is.
    Text(String),
    /// A mark with its argument.
    Mark(String, String),
}

/// A production.
#[derive(Clone, Debug)]
pub struct Production {
    /// How often it is taken, compared with the others.
    pub weight: u32,
    /// What it is counted as.
    pub construct: String,
    /// What it gives.
    pub parts: Vec<Part>,
    /// Whether it needs no other production that could go on without an end.
    pub is_leaf: bool,
}

/// A field that can be made.
#[derive(Clone, Debug)]
pub struct FieldForm {
    /// `final`, `volatile` and so on.
    pub modifiers: String,
    /// The type.
    pub of: String,
    /// What it holds at the beginning.
    pub initial: Vec<Part>,
}

/// Where a class is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Nesting {
    /// Beside `Made`.
    Top,
    /// In it, static.
    Nested,
    /// In it, with an object of it.
    Inner,
}

/// A class that is written if it is used.
#[derive(Clone, Debug)]
pub struct ClassForm {
    /// Its name.
    pub name: String,
    /// Where it is written.
    pub nesting: Nesting,
    /// The class.
    pub parts: Vec<Part>,
}

/// All that programs are made of.
#[derive(Clone, Debug, Default)]
pub struct Grammar {
    /// By kind.
    pub productions: BTreeMap<String, Vec<Production>>,
    /// By kind.
    pub fields: BTreeMap<String, Vec<FieldForm>>,
    /// In the order of the text.
    pub classes: Vec<ClassForm>,
    /// The kind of expressions of a type.
    pub types: BTreeMap<String, String>,
    /// The kind of objects of a class.
    pub receivers: BTreeMap<String, String>,
}

impl Grammar {
    /// The one of this crate.
    ///
    /// # Panics
    /// If a line of it cannot be read.
    pub fn builtin() -> Self {
        let mut grammar = Self::default();
        for line in include_str!("grammar.txt").lines().map(str::trim) {
            if !line.is_empty() && !line.starts_with('#') {
                grammar.line(line).unwrap_or_else(|| panic!("the grammar has a wrong line: {line}"));
            }
        }
        grammar
    }

    /// The names of all constructs.
    pub fn constructs(&self) -> impl Iterator<Item = &str> {
        self.productions.values().flatten().map(|production| &*production.construct)
    }

    fn line(&mut self, line: &str) -> Option<()> {
        let (head, rest) = line.split_once(' ')?;
        match head {
            "field" => {
                let (declared, initial) = rest.split_once(" = ")?;
                let (kind, declared) = declared.split_once(' ')?;
                let (modifiers, of) = modifiers(declared.trim());
                let form = FieldForm { modifiers, of, initial: parts(initial) };
                self.fields.entry(kind.to_string()).or_default().push(form);
            }
            "class" => {
                let (declared, text) = rest.split_once(" | ")?;
                let (name, how) = declared.trim().split_once(' ')?;
                let nesting = match how {
                    "top" => Nesting::Top,
                    "nested" => Nesting::Nested,
                    "inner" => Nesting::Inner,
                    _ => return None,
                };
                self.classes.push(ClassForm { name: name.to_string(), nesting, parts: parts(text) });
            }
            "type" => {
                let (of, kind) = rest.rsplit_once(' ')?;
                self.types.insert(of.to_string(), kind.to_string());
            }
            "of" => {
                let (class, kind) = rest.split_once(' ')?;
                self.receivers.insert(class.to_string(), kind.to_string());
            }
            kind => {
                let (declared, template) = rest.split_once(" | ")?;
                let (weight, construct) = declared.trim().split_once(' ')?;
                let parts = parts(template);
                let is_leaf = parts.iter().all(is_leaf);
                let (weight, construct) = (weight.parse().ok()?, construct.to_string());
                let production = Production { weight, construct, parts, is_leaf };
                self.productions.entry(kind.to_string()).or_default().push(production);
            }
        }
        Some(())
    }
}

/// The modifiers before a type, and the type.
fn modifiers(declared: &str) -> (String, String) {
    let is_modifier = |word: &&str| ["final", "volatile", "static", "private", "protected", "public"].contains(word);
    let count = declared.split(' ').take_while(is_modifier).count();
    let words: Vec<&str> = declared.split(' ').collect();
    (words[..count].join(" "), words[count..].join(" "))
}

/// Whether a part ends the growth of a program.
fn is_leaf(part: &Part) -> bool {
    match part {
        Part::Text(_) => true,
        Part::Mark(mark, _) => {
            let ends = [
                "let", "for", "mut", "local", "var", "field", "static", "fresh", "named", "label", "loop", "lit", "top",
            ];
            ends.contains(&&**mark)
                || mark.starts_with(|first: char| first.is_ascii_digit())
                || mark == "("
                || mark == ")"
        }
    }
}

/// Reads a template.
pub fn parts(template: &str) -> Vec<Part> {
    let mut parts = Vec::new();
    let mut rest = template;
    while let Some(at) = rest.find('$') {
        if at > 0 {
            parts.push(Part::Text(rest[..at].to_string()));
        }
        rest = &rest[at + 1..];
        if let Some(mark) = rest.chars().next().filter(|first| "()".contains(*first)) {
            parts.push(Part::Mark(mark.to_string(), String::new()));
            rest = &rest[1..];
            continue;
        }
        let end = rest.find(|c: char| !c.is_ascii_alphanumeric()).unwrap_or(rest.len());
        let mark = rest[..end].to_string();
        rest = &rest[end..];
        let takes = ["let", "for", "mut", "local", "var", "field", "static", "call"].contains(&&*mark);
        let mut argument = String::new();
        if takes && let Some((inside, after)) = rest.strip_prefix('(').and_then(|rest| rest.split_once(')')) {
            argument = inside.to_string();
            rest = after;
        }
        parts.push(Part::Mark(mark, argument));
    }
    if !rest.is_empty() {
        parts.push(Part::Text(rest.to_string()));
    }
    parts
}

#[cfg(test)]
mod tests {
    use super::{Part, parts};

    #[test]
    fn marks_are_read() {
        let mark = |name: &str, argument: &str| Part::Mark(name.into(), argument.into());
        let text = |text: &str| Part::Text(text.into());
        let expected =
            vec![text("if ("), mark("cond", ""), text(") "), mark("let", "List<Cell>"), mark("(", ""), text(";")];
        assert_eq!(parts("if ($cond) $let(List<Cell>)$(;"), expected);
        assert_eq!(parts("$1++"), vec![mark("1", ""), text("++")]);
    }
}
