//! Random expansion of the grammar.

use super::Counts;
use super::grammar::{ClassForm, FieldForm, Grammar, Nesting, Part, Production};
use fastrand::Rng;
use std::collections::{BTreeMap, BTreeSet};

/// Nesting depth of productions after which only leaves are chosen.
const DEEPEST: usize = 4;

/// Nesting depth at which the expansion fails.
const ABYSS: usize = 9;

/// A program.
#[derive(Clone, Debug)]
pub struct Written {
    /// The text of its classes.
    pub text: String,
    /// The number of each construct in it.
    pub counts: Counts,
}

/// Returns the program of a seed, in a package.
pub fn program(grammar: &Grammar, seed: u64, package: &str) -> Written {
    let mut writer = Writer::new(grammar, seed);
    let body = writer.program();
    let mut counts = Counts::new();
    for construct in writer.used {
        *counts.entry(construct).or_default() += 1;
    }
    Written { text: format!("package {package};\nimport {package}.Made.*;\n{body}"), counts }
}

/// A variable, or another object in scope.
#[derive(Clone, Debug)]
struct Local {
    name: String,
    of: String,
    /// For a variable with assignments, the level of the function that may assign it.
    level: Option<usize>,
}

/// Signature of a method that can be called.
#[derive(Clone, Debug)]
struct Signature {
    class: String,
    name: String,
    result: String,
    parameters: Vec<String>,
    is_static: bool,
    is_private: bool,
    number: usize,
}

/// A declared field of `Made`.
#[derive(Clone, Debug)]
struct Field {
    kind: String,
    name: String,
    form: FieldForm,
    initial: String,
}

struct Writer<'g> {
    grammar: &'g Grammar,
    rng: Rng,
    used: Vec<String>,
    names: usize,
    locals: Vec<Local>,
    labels: Vec<(String, usize)>,
    /// Number of the current function; 0 is the method itself.
    level: usize,
    functions: usize,
    depth: usize,
    fields: Vec<Field>,
    methods: Vec<Signature>,
    /// The methods of classes, with their numbers.
    forms: BTreeMap<String, Vec<(Production, usize)>>,
    /// The current class, and whether it is a top-level class beside `Made`.
    class: (String, bool),
    /// Number of the current method.
    method: usize,
    /// Result type of the current method.
    result: String,
}

impl<'g> Writer<'g> {
    fn new(grammar: &'g Grammar, seed: u64) -> Self {
        Self {
            grammar,
            rng: Rng::with_seed(seed),
            used: Vec::new(),
            names: 0,
            locals: Vec::new(),
            labels: Vec::new(),
            level: 0,
            functions: 1,
            depth: 0,
            fields: Vec::new(),
            methods: Vec::new(),
            forms: BTreeMap::new(),
            class: ("Made".into(), false),
            method: 0,
            result: "void".into(),
        }
    }

    fn fresh(&mut self, start: &str) -> String {
        self.names += 1;
        format!("{start}{}", self.names)
    }

    /// Writes the whole program: `Made`, and the classes with used names.
    fn program(&mut self) -> String {
        self.declares();
        let parts = self.grammar.productions["program"].clone();
        let program = parts[self.rng.usize(..parts.len())].clone();
        self.used.push(program.construct.clone());
        let marks = program.parts.iter();
        let mut pieces: Vec<String> = Vec::new();
        let mut place = [0; 3];
        for part in marks {
            match part {
                Part::Text(text) => pieces.push(text.clone()),
                Part::Mark(mark, _) => {
                    let kind = ["fields", "nested", "classes"].iter().position(|kind| kind == mark);
                    match kind {
                        Some(kind) => {
                            place[kind] = pieces.len();
                            pieces.push(String::new());
                        }
                        None if mark == "methods" => pieces.push(self.methods_of("Made", None)),
                        None => pieces.push(self.constructor(mark)),
                    }
                }
            }
        }
        let mut written: BTreeSet<String> = BTreeSet::new();
        loop {
            let text = pieces.concat() + &self.declared_fields();
            let is_wanted = |class: &&ClassForm| !written.contains(&class.name) && has_word(&text, &class.name);
            let Some(class) = self.grammar.classes.iter().find(is_wanted) else { break };
            written.insert(class.name.clone());
            let (number, text) = (if class.nesting == Nesting::Top { 2 } else { 1 }, self.class(class));
            pieces[place[number]].push_str(&text);
        }
        pieces[place[0]] = self.declared_fields();
        pieces.concat()
    }

    fn declared_fields(&self) -> String {
        let declared = |field: &Field| {
            let FieldForm { modifiers, of, .. } = &field.form;
            format!("    {modifiers} {of} {}{};\n", field.name, field.initial)
        };
        self.fields.iter().map(declared).collect()
    }

    /// Writes the body of the constructor.
    fn constructor(&mut self, kind: &str) -> String {
        self.locals = vec![Local { name: "Made.this".into(), of: "Made".into(), level: None }];
        (self.method, self.result) = (usize::MAX, "void".into());
        self.kind(kind).unwrap_or_default()
    }

    /// Writes a class with its methods.
    fn class(&mut self, form: &ClassForm) -> String {
        self.used.push(format!("class {}", form.name));
        let mut text = String::new();
        for part in &form.parts {
            match part {
                Part::Text(part) => text.push_str(part),
                Part::Mark(mark, _) if mark == "methods" || mark == "defaults" => {
                    let methods = self.methods_of(&form.name, Some(form.nesting));
                    text.push_str(&methods);
                }
                Part::Mark(mark, _) => {
                    self.locals =
                        vec![Local { name: format!("{}.this", form.name), of: form.name.clone(), level: None }];
                    (self.method, self.result) = (usize::MAX, "void".into());
                    text.push_str(&self.kind(mark).unwrap_or_default());
                }
            }
        }
        text + "\n"
    }

    /// Chooses the signatures of all methods, before any body: methods call each other.
    fn declares(&mut self) {
        let count = self.rng.usize(3..=6);
        self.declares_of("Made", "method", count);
        let grammar = self.grammar;
        for class in &grammar.classes {
            let kind = class.parts.iter().find_map(|part| match part {
                Part::Mark(mark, _) if mark == "methods" => Some("member"),
                Part::Mark(mark, _) if mark == "defaults" => Some("default"),
                _ => None,
            });
            if let Some(kind) = kind {
                let count = self.rng.usize(0..=2);
                self.declares_of(&class.name, kind, count);
            }
        }
    }

    fn declares_of(&mut self, class: &str, kind: &str, count: usize) {
        let types: Vec<String> = self.grammar.types.keys().cloned().collect();
        for _ in 0..count {
            let form = self.picked(kind, |_| true).expect("there are methods");
            let has =
                |word: &str| form.parts.iter().any(|part| matches!(part, Part::Text(text) if text.contains(word)));
            let result = if self.rng.u8(..3) == 0 { "void" } else { &types[self.rng.usize(..types.len())] };
            let mut parameters: Vec<String> =
                (0..self.rng.usize(..3)).map(|_| types[self.rng.usize(..types.len())].clone()).collect();
            if has("static ") || class != "Made" && self.rng.u8(..3) == 0 {
                parameters.push("Made".into());
            }
            let number = self.methods.len();
            self.methods.push(Signature {
                class: class.to_string(),
                name: format!("m{number}"),
                result: result.to_string(),
                parameters,
                is_static: has("static "),
                is_private: has("private "),
                number,
            });
            self.forms.entry(class.to_string()).or_default().push((form, number));
        }
    }

    /// Writes the methods of a class.
    fn methods_of(&mut self, class: &str, nesting: Option<Nesting>) -> String {
        let mut text = String::new();
        for (form, number) in self.forms.remove(class).unwrap_or_default() {
            self.used.push(form.construct.clone());
            self.class = (class.to_string(), nesting == Some(Nesting::Top));
            text.push_str(&self.method(&form, number, (class, nesting == Some(Nesting::Inner))));
            text.push('\n');
        }
        text
    }

    fn method(&mut self, form: &Production, number: usize, (class, is_inner): (&str, bool)) -> String {
        let signature = self.methods[number].clone();
        (self.method, self.level, self.depth) = (number, 0, 0);
        self.result.clone_from(&signature.result);
        self.locals.clear();
        self.labels.clear();
        if !signature.is_static {
            self.locals.push(Local { name: format!("{class}.this"), of: class.to_string(), level: None });
            if is_inner {
                self.locals.push(Local { name: "Made.this".into(), of: "Made".into(), level: None });
            }
        }
        let mut text = String::from("    ");
        let mut made = Vec::new();
        for part in &form.parts {
            match part {
                Part::Text(part) => text.push_str(part),
                Part::Mark(mark, argument) => match &**mark {
                    "result" => text.push_str(&signature.result),
                    "name" => text.push_str(&signature.name),
                    "parameters" => {
                        let declared: Vec<String> =
                            signature.parameters.iter().map(|of| format!("{of} {}", self.declared(of))).collect();
                        text.push_str(&declared.join(", "));
                    }
                    "body" => text.push_str(&self.body()),
                    _ => {
                        let (mut pending, mut declared) = (Vec::new(), Vec::new());
                        let part = self.part(mark, argument, &mut made, [&mut pending, &mut declared]);
                        text.push_str(&part.unwrap_or_else(|| panic!("methods have ${mark} always")));
                    }
                },
            }
        }
        text
    }

    fn declared(&mut self, of: &str) -> String {
        let name = self.fresh("v");
        self.locals.push(Local { name: name.clone(), of: of.to_string(), level: None });
        name
    }

    /// Writes statements and a result.
    fn body(&mut self) -> String {
        let count = self.rng.usize(1..=3);
        let mut text = String::new();
        for _ in 0..count {
            text.push_str("\n        ");
            text.push_str(&self.kind("stmt").unwrap_or_default());
        }
        if self.result != "void" {
            let result = self.value(&self.result.clone());
            text.push_str(&format!("\n        return {};\n    ", result.expect("there are values of all types")));
        }
        text
    }

    /// Writes an expression of a type.
    fn value(&mut self, of: &str) -> Option<String> {
        let kind = self.grammar.types.get(of)?.clone();
        self.kind(&kind)
    }

    /// Chooses a production of a kind at random, by weight.
    fn picked(&mut self, kind: &str, is_it: impl Fn(&Production) -> bool) -> Option<Production> {
        let grammar = self.grammar;
        let all = grammar.productions.get(kind).unwrap_or_else(|| panic!("the grammar has no {kind}"));
        let total: u32 = all.iter().filter(|it| is_it(it)).map(|it| it.weight).sum();
        let mut at = if total == 0 { return None } else { self.rng.u32(..total) };
        for production in all.iter().filter(|it| is_it(it)) {
            if at < production.weight {
                return Some(production.clone());
            }
            at -= production.weight;
        }
        None
    }

    /// Expands some production of a kind; none if none is possible here.
    fn kind(&mut self, kind: &str) -> Option<String> {
        if self.depth > ABYSS {
            return self.text_of(kind);
        }
        let is_deep = self.depth > DEEPEST;
        let has_leaf = self.grammar.productions.get(kind).is_some_and(|all| all.iter().any(|it| it.is_leaf));
        for attempt in 0..12 {
            let ends = is_deep && has_leaf && attempt < 10;
            let production = self.picked(kind, |it| !ends || it.is_leaf)?;
            self.depth += 1;
            let text = self.expanded(&production);
            self.depth -= 1;
            if text.is_some() {
                return text;
            }
        }
        self.text_of(kind)
    }

    /// Returns a production that is possible anywhere, if the kind has one.
    fn text_of(&mut self, kind: &str) -> Option<String> {
        let is_text = |part: &Part| matches!(part, Part::Text(_)) || *part == Part::Mark("lit".into(), String::new());
        let production = self.picked(kind, |production| production.parts.iter().all(is_text))?;
        self.expanded(&production)
    }

    fn expanded(&mut self, production: &Production) -> Option<String> {
        let (used, locals, labels, level) = (self.used.len(), self.locals.len(), self.labels.len(), self.level);
        self.used.push(production.construct.clone());
        self.names += 1;
        let number = self.names;
        let mut made = Vec::new();
        let (mut pending, mut declared) = (Vec::new(), Vec::new());
        let mut text = String::new();
        for part in &production.parts {
            let part = match part {
                Part::Text(part) => {
                    // The scope of the variable begins after its declaration.
                    if part.contains([';', '{']) {
                        self.locals.append(&mut declared);
                    }
                    Some(numbered(part, number))
                }
                Part::Mark(mark, _) if mark == ")" => {
                    self.level = level;
                    Some(String::new())
                }
                Part::Mark(mark, argument) => self.part(mark, argument, &mut made, [&mut pending, &mut declared]),
            };
            match part {
                Some(part) => text.push_str(&part),
                None => {
                    self.used.truncate(used);
                    self.locals.truncate(locals);
                    self.labels.truncate(labels);
                    self.level = level;
                    return None;
                }
            }
        }
        self.locals.truncate(locals);
        self.labels.truncate(labels);
        self.level = level;
        self.locals.append(&mut pending);
        Some(text)
    }

    fn part(
        &mut self,
        mark: &str,
        argument: &str,
        made: &mut Vec<String>,
        [behind, here]: [&mut Vec<Local>; 2],
    ) -> Option<String> {
        if let Ok(number) = mark.parse::<usize>() {
            return made.get(number - 1).cloned();
        }
        match mark {
            "let" | "for" | "mut" => {
                let name = self.fresh("v");
                made.push(name.clone());
                let level = (mark == "mut").then_some(self.level);
                let local = Local { name: name.clone(), of: argument.to_string(), level };
                if mark == "let" {
                    behind.push(local)
                } else {
                    here.push(local)
                }
                Some(name)
            }
            "local" => self.local(argument, false),
            "var" => self.local(argument, true),
            "field" => self.field(argument),
            "static" => Some(format!("Made.{}", self.field_named(argument)?)),
            "call" => self.call(argument),
            "fresh" => Some(self.fresh("n")),
            "label" | "named" => {
                let name = self.fresh("L");
                made.push(name.clone());
                if mark == "label" {
                    self.labels.push((name.clone(), self.level));
                }
                Some(name)
            }
            "loop" => {
                let level = self.level;
                let all: Vec<String> = self.labels.iter().filter(|it| it.1 == level).map(|it| it.0.clone()).collect();
                self.rng.choice(&all).cloned()
            }
            "lit" => Some(self.rng.u8(..4).to_string()),
            "(" => {
                self.functions += 1;
                self.level = self.functions;
                Some(String::new())
            }
            "top" => self.runs_functions().then(String::new),
            "return" => self.returned(),
            "block" => self.block(),
            kind => self.kind(kind),
        }
    }

    /// Writes a block of one or two statements.
    fn block(&mut self) -> Option<String> {
        let locals = self.locals.len();
        let mut text = self.kind("stmt")?;
        if self.rng.u8(..3) == 0 {
            text.push(' ');
            text.push_str(&self.kind("stmt").unwrap_or_default());
        }
        self.locals.truncate(locals);
        Some(text)
    }

    /// Writes a return from the method, unless inside a function.
    fn returned(&mut self) -> Option<String> {
        if self.level > 0 || self.method == usize::MAX {
            return None;
        }
        let of = self.result.clone();
        if of == "void" { Some("return;".into()) } else { Some(format!("return {};", self.value(&of)?)) }
    }

    fn local(&mut self, of: &str, is_assigned: bool) -> Option<String> {
        let level = self.level;
        let fits = |local: &&Local| {
            local.of == of
                && if is_assigned { local.level == Some(level) } else { local.level.is_none_or(|it| it == level) }
        };
        let all: Vec<String> = self.locals.iter().filter(fits).map(|local| local.name.clone()).collect();
        self.rng.choice(&all).cloned()
    }

    /// Writes a field of some object of `Made`.
    fn field(&mut self, kind: &str) -> Option<String> {
        let objects: Vec<String> =
            self.locals.iter().filter(|local| local.of == "Made").map(|local| local.name.clone()).collect();
        // Mostly a field of the same object.
        let object = if self.rng.u8(..8) > 0 { objects.first()?.clone() } else { self.rng.choice(&objects)?.clone() };
        Some(format!("{object}.{}", self.field_named(kind)?))
    }

    fn field_named(&mut self, kind: &str) -> Option<String> {
        let is_visible = |form: &FieldForm| !self.class.1 || !form.modifiers.contains("private");
        let fits = |field: &&Field| field.kind == kind && is_visible(&field.form);
        let known: Vec<String> = self.fields.iter().filter(fits).map(|it| it.name.clone()).collect();
        if !known.is_empty() && (known.len() > 1 || self.rng.u8(..5) > 0) {
            return self.rng.choice(&known).cloned();
        }
        let grammar = self.grammar;
        let forms = grammar.fields.get(kind).unwrap_or_else(|| panic!("the grammar has no field {kind}"));
        let form = forms[self.rng.usize(..forms.len())].clone();
        if !is_visible(&form) {
            return None;
        }
        let name = self.fresh("f");
        // Only the object is in scope of the initial value.
        let is_static = form.modifiers.contains("static");
        let this = Local { name: "Made.this".into(), of: "Made".into(), level: None };
        let inner = if is_static { Vec::new() } else { vec![this] };
        let locals = std::mem::replace(&mut self.locals, inner);
        let (level, method, depth) = (self.level, self.method, self.depth);
        let class = std::mem::replace(&mut self.class, ("Made".into(), false));
        let labels = std::mem::take(&mut self.labels);
        (self.level, self.method) = (1, usize::MAX);
        self.depth = self.depth.max(DEEPEST - 2);
        let initial: Option<String> = self.initial(&form.initial);
        (self.locals, self.level, self.method, self.depth) = (locals, level, method, depth);
        (self.class, self.labels) = (class, labels);
        let initial = initial.map(|initial| if initial.is_empty() { initial } else { format!(" = {initial}") })?;
        self.used.push(format!("field {kind}"));
        self.fields.push(Field { kind: kind.to_string(), name: name.clone(), form, initial });
        Some(name)
    }

    fn initial(&mut self, parts: &[Part]) -> Option<String> {
        let production =
            Production { weight: 1, construct: "initial value".into(), parts: parts.to_vec(), is_leaf: false };
        self.depth += 1;
        let text = self.expanded(&production);
        self.depth -= 1;
        text
    }

    /// Writes a call of a method with a greater number.
    fn call(&mut self, result: &str) -> Option<String> {
        let first = if self.method == usize::MAX { 0 } else { self.method + 1 };
        let calls_all = self.runs_functions();
        let fits = |method: &&Signature| {
            let is_visible = !method.is_private || method.class == self.class.0;
            let can_be = calls_all || !runs_functions(method.number);
            method.result == result && method.number >= first && can_be && is_visible
        };
        let all: Vec<Signature> = self.methods.iter().filter(fits).cloned().collect();
        let method = self.rng.choice(&all)?.clone();
        let receiver = if method.is_static { method.class.clone() } else { self.receiver(&method.class)? };
        let mut arguments = Vec::new();
        for of in &method.parameters {
            arguments.push(self.value(of)?);
        }
        Some(format!("{receiver}.{}({})", method.name, arguments.join(", ")))
    }

    /// Whether stored functions may run here.
    fn runs_functions(&self) -> bool {
        self.level == 0 && self.method != usize::MAX && runs_functions(self.method)
    }

    fn receiver(&mut self, class: &str) -> Option<String> {
        if let Some(local) = self.local(class, false) {
            return Some(local);
        }
        let grammar = self.grammar;
        let kind = grammar.receivers.get(class).or_else(|| grammar.types.get(class))?;
        self.kind(kind)
    }
}

/// Whether a method may run stored functions. Functions call none of these methods, so there is no recursion.
fn runs_functions(method: usize) -> bool {
    method % 10 < 4
}

/// Appends a number to each marked name of a text.
fn numbered(text: &str, number: usize) -> String {
    let mut found = String::new();
    let mut rest = text;
    while let Some((before, after)) = rest.split_once('#') {
        let end = after.find(|c: char| !c.is_ascii_alphanumeric()).unwrap_or(after.len());
        found.push_str(before);
        found.push_str(&format!("{}{number}", &after[..end]));
        rest = &after[end..];
    }
    found + rest
}

/// Whether a text contains a name.
fn has_word(text: &str, word: &str) -> bool {
    let is_part = |c: Option<char>| c.is_some_and(|c| c.is_ascii_alphanumeric());
    text.match_indices(word)
        .any(|(at, _)| !is_part(text[..at].chars().next_back()) && !is_part(text[at + word.len()..].chars().next()))
}
