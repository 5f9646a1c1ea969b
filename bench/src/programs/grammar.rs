//! The grammar of random Java programs: a text that is read once.
//!
//! Each line of `grammar.txt` that is not empty and does not begin with `#` is one of
//!
//! ```text
//! KIND WEIGHT CONSTRUCT | TEMPLATE      a production
//! field KIND MODIFIERS TYPE = INITIAL   a field of this kind, declared if it is needed
//! class NAME HOW | TEXT                 a class, declared if its name is used
//! type TYPE KIND                        the kind of expressions of a type of parameters and results
//! of CLASS KIND                         the kind of expressions for objects of a class
//! ```
//!
//! Templates are Java with these marks:
//!
//! | mark | is |
//! |---|---|
//! | `$kind` | the expansion of a production of this kind |
//! | `$let(T)` | the name of a new local variable, in scope after this production to the end of its block |
//! | `$for(T)` | the same, in scope in the rest of this production only |
//! | `$mut(T)` | as `$for`, for a variable with assignments: it is not in scope in functions |
//! | `$1` | the first new name of this production |
//! | `$local(T)` | a variable of this type, or another object of it in scope, such as `this` |
//! | `$var(T)` | a variable of this type that may be assigned to |
//! | `$field(kind)` | a field of this kind of some object of the class `Made` |
//! | `$static(kind)` | the same, static |
//! | `$fresh`, `$named` | a new name; a later mark can refer to the second one by its number |
//! | `$label` | a new label, for `$loop` within this production |
//! | `#x` | the name `x` with a number, the same one within a production |
//! | `$(` and `$)` | around the body of a function object, which cannot leave the method or a loop |
//! | `$top` | nothing; restricts the production to code outside of functions, in methods that functions do not call |
//! | `$call(T)` | a call of a method with this result |
//! | `$result`, `$parameters`, `$name`, `$body` | in methods: the result type, parameters, name and body |
//! | `$methods` | in classes: their methods |

use std::collections::BTreeMap;

/// A part of a template.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Part {
    /// Literal text.
    Text(String),
    /// A mark with its argument.
    Mark(String, String),
}

/// A production.
#[derive(Clone, Debug)]
pub struct Production {
    /// Relative frequency among the productions of its kind.
    pub weight: u32,
    /// The name of the construct, for counts.
    pub construct: String,
    /// The template.
    pub parts: Vec<Part>,
    /// Whether it contains no production that could grow without end.
    pub is_leaf: bool,
}

/// A form of fields.
#[derive(Clone, Debug)]
pub struct FieldForm {
    /// `final`, `volatile` and so on.
    pub modifiers: String,
    /// The type.
    pub of: String,
    /// The initial value.
    pub initial: Vec<Part>,
}

/// Nesting of a class.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Nesting {
    /// Beside `Made`.
    Top,
    /// A static class in `Made`.
    Nested,
    /// An inner class of `Made`.
    Inner,
}

/// A class that is declared if its name is used.
#[derive(Clone, Debug)]
pub struct ClassForm {
    /// The name.
    pub name: String,
    /// Its nesting.
    pub nesting: Nesting,
    /// Its text.
    pub parts: Vec<Part>,
}

/// The grammar.
#[derive(Clone, Debug, Default)]
pub struct Grammar {
    /// The productions by kind.
    pub productions: BTreeMap<String, Vec<Production>>,
    /// The forms of fields by kind.
    pub fields: BTreeMap<String, Vec<FieldForm>>,
    /// The classes in the order of the text.
    pub classes: Vec<ClassForm>,
    /// The kind of expressions of a type.
    pub types: BTreeMap<String, String>,
    /// The kind of objects of a class.
    pub receivers: BTreeMap<String, String>,
}

impl Grammar {
    /// Returns the grammar of this crate.
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

    /// Iterates over the names of all constructs.
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

/// Splits a declaration into modifiers and type.
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
