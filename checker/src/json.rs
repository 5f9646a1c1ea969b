//! JSON as a certificate has it: objects, lists, texts and numbers, without recursion.

use crate::error::{Place, Unread};

/// The number of a value in its line.
pub(crate) type Id = usize;

enum Value {
    Number(u128),
    Text(String),
    List(Vec<Id>),
    Object(Vec<(String, Id)>),
}

/// The values of one line; the first one is the outermost.
pub(crate) struct Json {
    line: u32,
    values: Vec<(Value, u32)>,
}

/// A reader of the text of a line.
struct Reader<'t> {
    line: u32,
    column: u32,
    rest: std::iter::Peekable<std::str::Chars<'t>>,
}

impl Reader<'_> {
    fn error<T>(&self, reason: &str) -> Result<T, Unread> {
        Err((Place { line: self.line, column: self.column }, reason.into()))
    }

    fn take(&mut self) -> Option<char> {
        self.column = self.column.saturating_add(1);
        self.rest.next()
    }

    /// The next character that is no space, without taking it.
    fn peek(&mut self) -> Option<char> {
        while self.rest.next_if(|c| " \t\r".contains(*c)).is_some() {
            self.column = self.column.saturating_add(1);
        }
        self.rest.peek().copied()
    }

    fn accept(&mut self, sign: char) -> bool {
        let is = self.peek() == Some(sign);
        if is {
            self.take();
        }
        is
    }

    fn expect(&mut self, sign: char) -> Result<(), Unread> {
        if self.accept(sign) { Ok(()) } else { self.error(&format!("expected `{sign}`")) }
    }

    fn number(&mut self) -> Result<u128, Unread> {
        let (mut number, mut digits): (u128, u32) = (0, 0);
        while let Some(digit) = self.rest.peek().and_then(|c| c.to_digit(10)) {
            if digits > 0 && number == 0 {
                return self.error("a number begins with 0");
            }
            let longer = number.checked_mul(10).and_then(|number| number.checked_add(u128::from(digit)));
            let Some(longer) = longer else { return self.error("this number is too large") };
            (number, digits) = (longer, digits + 1);
            self.take();
        }
        Ok(number)
    }

    /// A text after its opening quotation mark.
    fn text(&mut self) -> Result<String, Unread> {
        let mut text = String::new();
        loop {
            match self.take() {
                None => return self.error("this text has no end"),
                Some('"') => return Ok(text),
                Some('\\') => text.push(self.escape()?),
                Some(c) if c < ' ' => return self.error("a control character in a text"),
                Some(c) => text.push(c),
            }
        }
    }

    fn escape(&mut self) -> Result<char, Unread> {
        Ok(match self.take() {
            Some(c @ ('"' | '\\' | '/')) => c,
            Some('b') => '\u{8}',
            Some('f') => '\u{c}',
            Some('n') => '\n',
            Some('r') => '\r',
            Some('t') => '\t',
            Some('u') => {
                let mut units = vec![self.unit()?];
                if (0xd800..0xdc00).contains(&units[0]) && self.take() == Some('\\') && self.take() == Some('u') {
                    units.push(self.unit()?);
                }
                match String::from_utf16(&units).ok().and_then(|text| text.chars().next()) {
                    Some(c) => c,
                    None => return self.error("half of a character"),
                }
            }
            _ => return self.error("an unknown escape"),
        })
    }

    /// Four hexadecimal digits.
    fn unit(&mut self) -> Result<u16, Unread> {
        let mut unit = 0;
        for _ in 0..4 {
            let Some(digit) = self.take().and_then(|c| c.to_digit(16)) else { return self.error("expected a digit") };
            unit = unit * 16 + digit as u16;
        }
        Ok(unit)
    }
}

impl Json {
    /// Reads a line.
    pub fn new(text: &str, line: u32) -> Result<Json, Unread> {
        let mut reader = Reader { line, column: 1, rest: text.chars().peekable() };
        let mut json = Json { line, values: Vec::new() };
        // The lists and objects that are open.
        let mut open: Vec<Id> = Vec::new();
        loop {
            let first = reader.peek();
            let (id, column) = (json.values.len(), reader.column);
            if first.is_some_and(|c| c.is_ascii_digit()) {
                let number = reader.number()?;
                json.values.push((Value::Number(number), column));
            } else if reader.accept('"') {
                let text = reader.text()?;
                json.values.push((Value::Text(text), column));
            } else if reader.accept('[') {
                json.values.push((Value::List(Vec::new()), column));
                open.push(id);
            } else if reader.accept('{') {
                json.values.push((Value::Object(Vec::new()), column));
                open.push(id);
            } else {
                return reader.error("expected a number, a text, a list or an object");
            }
            // The value is complete, or a list or object with a first member, or without one.
            let mut is_first = open.last() == Some(&id);
            loop {
                let Some(&of) = open.last() else {
                    return if reader.peek().is_none() { Ok(json) } else { reader.error("more after the value") };
                };
                let is_list = matches!(json.values[of].0, Value::List(_));
                if reader.accept(if is_list { ']' } else { '}' }) {
                    open.pop();
                    is_first = false;
                    continue;
                }
                if !is_first {
                    reader.expect(',')?;
                }
                break;
            }
            if let Some(&of) = open.last() {
                json.member(&mut reader, of)?;
            }
        }
    }

    /// Announces the next value as a member of a list or object; reads its name.
    fn member(&mut self, reader: &mut Reader<'_>, of: Id) -> Result<(), Unread> {
        let id = self.values.len();
        match &mut self.values[of].0 {
            Value::Object(members) => {
                reader.expect('"')?;
                let name = reader.text()?;
                reader.expect(':')?;
                // F1: none twice. Objects have few members, since unknown ones are refused here.
                if members.len() > 16 || members.iter().any(|(other, _)| *other == name) {
                    return reader.error(&format!("F1: member `{name}` is there twice, or there are too many"));
                }
                members.push((name, id));
            }
            Value::List(members) => members.push(id),
            _ => {}
        }
        Ok(())
    }

    pub fn error<T>(&self, id: Id, reason: impl Into<String>) -> Result<T, Unread> {
        Err((Place { line: self.line, column: self.values[id].1 }, reason.into()))
    }

    /// F1: The members of an object, in the order of their names here; a name with `?` may be left out.
    pub fn members<const N: usize>(&self, id: Id, names: [&str; N]) -> Result<[Option<Id>; N], Unread> {
        let Value::Object(members) = &self.values[id].0 else { return self.error(id, "expected an object") };
        let mut found = [None; N];
        for (name, member) in members {
            match names.iter().position(|known| known.trim_end_matches('?') == name) {
                Some(at) => found[at] = Some(*member),
                None => return self.error(*member, format!("F1: unknown member `{name}`")),
            }
        }
        match names.iter().zip(found).find(|(name, found)| found.is_none() && !name.ends_with('?')) {
            Some((name, _)) => self.error(id, format!("F1: member `{name}` is missing")),
            None => Ok(found),
        }
    }

    /// Whether an object has a member.
    pub fn has(&self, id: Id, name: &str) -> bool {
        matches!(&self.values[id].0, Value::Object(members) if members.iter().any(|(member, _)| member == name))
    }

    pub fn list(&self, id: Id) -> Result<&[Id], Unread> {
        let Value::List(members) = &self.values[id].0 else { return self.error(id, "expected a list") };
        Ok(members)
    }

    /// The members of a list; none if the list is left out.
    pub fn optional(&self, id: Option<Id>) -> Result<&[Id], Unread> {
        id.map_or(Ok(&[]), |id| self.list(id))
    }

    pub fn text(&self, id: Id) -> Result<&str, Unread> {
        let Value::Text(text) = &self.values[id].0 else { return self.error(id, "expected a text") };
        Ok(text)
    }

    pub fn large(&self, id: Id) -> Result<u128, Unread> {
        let Value::Number(number) = self.values[id].0 else { return self.error(id, "expected a number") };
        Ok(number)
    }

    /// A number below a bound.
    pub fn number(&self, id: Id, bound: usize) -> Result<usize, Unread> {
        let number = usize::try_from(self.large(id)?).ok().filter(|number| *number < bound);
        number.map_or_else(|| self.error(id, format!("F1: expected a number below {bound}")), Ok)
    }
}
