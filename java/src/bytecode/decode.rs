//! The decoder of instructions (JVMS chapter 6).

use super::call_site::{self, CallSite};
use super::code::{Code, Handler, Switch};
use super::instruction::{
    CallSiteId, Comparison, Condition, Constant, Element, Instruction, InstructionIndex, InvokeKind, Local, Operator,
    StackOperation, SwitchId,
};
use super::stack_map::{self, Frame};
use crate::class_file::{Bytes, Class, Entry, Kind, Malformed, Member, Name, Names, Problem, RawCode, Type, TypeTable};

/// The parts of a method's code, as [`RawCode`] describes them.
struct Parts<'c> {
    code: &'c [u8],
    handlers: &'c [u8],
    lines: &'c [u8],
    frames: &'c [u8],
}

fn parts<'c>(raw: &RawCode, class: &'c Class) -> Result<Parts<'c>, Malformed> {
    let mut bytes = Bytes::new(class.code.get(raw.start as usize..).unwrap_or(&[]));
    Ok(Parts {
        code: bytes.take(raw.code as usize)?,
        handlers: bytes.take(raw.handlers as usize * 8)?,
        lines: bytes.take(raw.lines as usize * 4)?,
        frames: bytes.take(raw.frames as usize)?,
    })
}

/// Reads the frames of a method's attribute `StackMapTable`.
pub(crate) fn stack_map_frames(raw: &RawCode, class: &Class) -> Result<Vec<Frame>, Malformed> {
    stack_map::read(Bytes::new(parts(raw, class)?.frames))
}

/// Decodes the code of a method. Linear in its size, except for sorting the line table.
pub(crate) fn decode(raw: &RawCode, class: &Class, names: &Names, types: &TypeTable) -> Result<Code, Malformed> {
    let parts = parts(raw, class)?;
    let length = parts.code.len();
    let mut decoder = Decoder {
        code: Bytes::new(parts.code),
        length,
        class,
        names,
        types,
        switches: Vec::new(),
        call_sites: Vec::new(),
    };
    let mut instructions = Vec::with_capacity(length / 2);
    let mut bytes = Vec::with_capacity(length / 2);
    let mut starts = Starts(vec![None; length + 1]);
    while decoder.code.len() > 0 {
        let at = decoder.code.offset();
        starts.0[at] = Some(instructions.len());
        bytes.push(u16::try_from(at).expect("code has at most 65,535 bytes"));
        instructions.push(decoder.instruction(at)?);
    }
    if instructions.last().is_none_or(Instruction::falls_through) {
        return Err(Malformed { offset: length, problem: Problem::FallsOff });
    }
    for instruction in &mut instructions {
        if let Instruction::Branch(_, target) | Instruction::Goto(target) | Instruction::Jsr(target) = instruction {
            *target = starts.instruction(*target)?;
        }
    }
    let mut switches = decoder.switches;
    for switch in &mut switches {
        let targets = switch.cases.iter_mut().map(|case| &mut case.1).chain([&mut switch.default]);
        for target in targets {
            *target = starts.instruction(*target)?;
        }
    }
    let handlers = handlers(parts.handlers, class, &starts, instructions.len())?;
    Ok(Code {
        max_stack: raw.max_stack,
        max_locals: raw.max_locals,
        lines: lines(parts.lines, &bytes)?,
        instructions: instructions.into(),
        bytes: bytes.into(),
        handlers,
        switches: switches.into(),
        call_sites: decoder.call_sites.into(),
    })
}

/// The instruction that begins at each byte, if one does.
struct Starts(Vec<Option<usize>>);

impl Starts {
    /// The instruction at a byte. Before resolution, an [`InstructionIndex`] of a target holds the byte offset.
    fn instruction(&self, byte: InstructionIndex) -> Result<InstructionIndex, Malformed> {
        let byte = byte.index();
        let wrong = Malformed { offset: byte, problem: Problem::Target(byte.try_into().unwrap_or(i64::MAX)) };
        let index = self.0[byte].ok_or(wrong)?;
        Ok(InstructionIndex(u16::try_from(index).expect("there are fewer instructions than bytes")))
    }
}

fn handlers(table: &[u8], class: &Class, starts: &Starts, count: usize) -> Result<Box<[Handler]>, Malformed> {
    let mut table = Bytes::new(table);
    let mut handlers = Vec::with_capacity(table.len() / 8);
    while table.len() > 0 {
        let bound = |byte: u16| match starts.0.get(usize::from(byte)) {
            Some(Some(index)) => Ok(*index),
            // The end of the code.
            Some(None) if usize::from(byte) + 1 == starts.0.len() => Ok(count),
            Some(None) | None => Err(Malformed { offset: byte.into(), problem: Problem::Target(byte.into()) }),
        };
        let covers = bound(table.u2()?)?..bound(table.u2()?)?;
        let target = bound(table.u2()?)?;
        let catches = class.pool.optional_class(table.u2()?).map_err(|problem| table.problem(problem))?;
        if target == count {
            return Err(Malformed { offset: starts.0.len() - 1, problem: Problem::FallsOff });
        }
        let target = InstructionIndex(u16::try_from(target).expect("there are fewer instructions than bytes"));
        handlers.push(Handler { covers, target, catches });
    }
    Ok(handlers.into())
}

/// The line of each instruction: the line of the last entry at or before it.
fn lines(table: &[u8], bytes: &[u16]) -> Result<Box<[u16]>, Malformed> {
    let mut table = Bytes::new(table);
    let mut entries = Vec::with_capacity(table.len() / 4);
    while table.len() > 0 {
        entries.push((table.u2()?, table.u2()?));
    }
    // Entries may have any order; the last of several entries for one byte counts.
    entries.sort_by_key(|(byte, _)| *byte);
    let mut next = entries.iter().peekable();
    let mut line = 0;
    let line_of = bytes.iter().map(|byte| {
        while let Some((_, new)) = next.next_if(|(start, _)| start <= byte) {
            line = *new;
        }
        line
    });
    Ok(line_of.collect())
}

struct Decoder<'d> {
    code: Bytes<'d>,
    length: usize,
    class: &'d Class,
    names: &'d Names,
    types: &'d TypeTable,
    switches: Vec<Switch>,
    call_sites: Vec<CallSite>,
}

const KINDS: [Kind; 5] = [Kind::Int, Kind::Long, Kind::Float, Kind::Double, Kind::Reference];

const ELEMENTS: [Element; 8] = [
    Element::Int,
    Element::Long,
    Element::Float,
    Element::Double,
    Element::Reference,
    Element::Byte,
    Element::Char,
    Element::Short,
];

const COMPARISONS: [Comparison; 6] = [
    Comparison::Equal,
    Comparison::NotEqual,
    Comparison::Less,
    Comparison::GreaterOrEqual,
    Comparison::Greater,
    Comparison::LessOrEqual,
];

const STACK_OPERATIONS: [StackOperation; 9] = [
    StackOperation::Pop,
    StackOperation::Pop2,
    StackOperation::Dup,
    StackOperation::DupX1,
    StackOperation::DupX2,
    StackOperation::Dup2,
    StackOperation::Dup2X1,
    StackOperation::Dup2X2,
    StackOperation::Swap,
];

/// The operators of the opcodes 96 to 115, with four kinds each.
const ARITHMETIC: [Operator; 5] =
    [Operator::Add, Operator::Subtract, Operator::Multiply, Operator::Divide, Operator::Remainder];

/// The operators of the opcodes 120 to 131, with two kinds each.
const BITS: [Operator; 6] = [
    Operator::ShiftLeft,
    Operator::ShiftRight,
    Operator::ShiftRightUnsigned,
    Operator::And,
    Operator::Or,
    Operator::Xor,
];

impl Decoder<'_> {
    fn problem(&self, problem: Problem) -> Malformed {
        self.code.problem(problem)
    }

    /// The target of a branch at byte `at`: a byte offset in the place of an instruction index.
    fn target(&self, at: usize, offset: i32) -> Result<InstructionIndex, Malformed> {
        let byte = i64::try_from(at).expect("code has at most 65,535 bytes") + i64::from(offset);
        match u16::try_from(byte) {
            Ok(target) if usize::from(target) < self.length => Ok(InstructionIndex(target)),
            _ => Err(self.problem(Problem::Target(byte))),
        }
    }

    fn near(&mut self, at: usize) -> Result<InstructionIndex, Malformed> {
        let offset = self.code.u2()?.cast_signed();
        self.target(at, offset.into())
    }

    fn far(&mut self, at: usize) -> Result<InstructionIndex, Malformed> {
        let offset = self.code.u4()?.cast_signed();
        self.target(at, offset)
    }

    fn local(&mut self) -> Result<Local, Malformed> {
        Ok(Local(self.code.u1()?.into()))
    }

    fn instruction(&mut self, at: usize) -> Result<Instruction, Malformed> {
        let opcode = self.code.u1()?;
        match opcode {
            0..=20 => self.constant(opcode),
            21..=95 => self.transfer(opcode),
            96..=152 => self.calculation(opcode),
            153..=177 | 198..=201 => self.control(opcode, at),
            196 => self.wide(),
            _ => self.use_of_objects(opcode),
        }
    }

    /// Decodes constants and `nop`.
    fn constant(&mut self, opcode: u8) -> Result<Instruction, Malformed> {
        use Instruction as I;
        let int = |value: u8, zero: u8| I::Constant(Constant::Int(i32::from(value) - i32::from(zero)));
        Ok(match opcode {
            0 => I::Nop,
            1 => I::Constant(Constant::Null),
            2..=8 => int(opcode, 3),
            9 => I::Constant(Constant::Long(0)),
            10 => I::Constant(Constant::Long(1)),
            11..=13 => I::Constant(Constant::Float(f32::from(opcode - 11))),
            14..=15 => I::Constant(Constant::Double(f64::from(opcode - 14))),
            16 => I::Constant(Constant::Int(self.code.u1()?.cast_signed().into())),
            17 => I::Constant(Constant::Int(self.code.u2()?.cast_signed().into())),
            18 => {
                let index = self.code.u1()?;
                self.loaded(index.into(), 1)?
            }
            19 => {
                let index = self.code.u2()?;
                self.loaded(index, 1)?
            }
            20 => {
                let index = self.code.u2()?;
                self.loaded(index, 2)?
            }
            _ => return Err(self.problem(Problem::Opcode(opcode))),
        })
    }

    /// Decodes moves between variables, arrays and the stack.
    fn transfer(&mut self, opcode: u8) -> Result<Instruction, Malformed> {
        use Instruction as I;
        let nth = |first: u8| usize::from(opcode - first);
        Ok(match opcode {
            21..=25 => I::Load(KINDS[nth(21)], self.local()?),
            26..=45 => I::Load(KINDS[nth(26) / 4], Local(u16::from((opcode - 26) % 4))),
            46..=53 => I::ArrayLoad(ELEMENTS[nth(46)]),
            54..=58 => I::Store(KINDS[nth(54)], self.local()?),
            59..=78 => I::Store(KINDS[nth(59) / 4], Local(u16::from((opcode - 59) % 4))),
            79..=86 => I::ArrayStore(ELEMENTS[nth(79)]),
            87..=95 => I::Stack(STACK_OPERATIONS[nth(87)]),
            _ => return Err(self.problem(Problem::Opcode(opcode))),
        })
    }

    /// Decodes arithmetic, conversions and comparisons.
    fn calculation(&mut self, opcode: u8) -> Result<Instruction, Malformed> {
        use Instruction as I;
        let nth = |first: u8| usize::from(opcode - first);
        Ok(match opcode {
            96..=115 => I::Binary(ARITHMETIC[nth(96) / 4], KINDS[nth(96) % 4]),
            116..=119 => I::Negate(KINDS[nth(116)]),
            120..=131 => I::Binary(BITS[nth(120) / 2], KINDS[nth(120) % 2]),
            132 => I::Increment(self.local()?, self.code.u1()?.cast_signed().into()),
            133..=144 => {
                let from = nth(133) / 3;
                // The three other numeric kinds in order.
                let to = nth(133) % 3;
                I::Convert(KINDS[from], KINDS[to + usize::from(to >= from)])
            }
            145..=147 => I::Narrow(ELEMENTS[5 + nth(145)]),
            148 => I::Compare(Kind::Long),
            149..=150 => I::Compare(Kind::Float),
            151..=152 => I::Compare(Kind::Double),
            _ => return Err(self.problem(Problem::Opcode(opcode))),
        })
    }

    /// Decodes branches, jumps, switches and returns.
    fn control(&mut self, opcode: u8, at: usize) -> Result<Instruction, Malformed> {
        use Instruction as I;
        let nth = |first: u8| usize::from(opcode - first);
        Ok(match opcode {
            153..=158 => I::Branch(Condition::Zero(COMPARISONS[nth(153)]), self.near(at)?),
            159..=164 => I::Branch(Condition::Ints(COMPARISONS[nth(159)]), self.near(at)?),
            165 => I::Branch(Condition::Same, self.near(at)?),
            166 => I::Branch(Condition::Different, self.near(at)?),
            167 => I::Goto(self.near(at)?),
            168 => I::Jsr(self.near(at)?),
            169 => I::Ret(self.local()?),
            170 => self.table_switch(at)?,
            171 => self.lookup_switch(at)?,
            172..=176 => I::Return(Some(KINDS[nth(172)])),
            177 => I::Return(None),
            198 => I::Branch(Condition::Null, self.near(at)?),
            199 => I::Branch(Condition::NotNull, self.near(at)?),
            200 => I::Goto(self.far(at)?),
            201 => I::Jsr(self.far(at)?),
            _ => return Err(self.problem(Problem::Opcode(opcode))),
        })
    }

    /// Decodes instructions for fields, calls, objects, arrays, exceptions and monitors.
    fn use_of_objects(&mut self, opcode: u8) -> Result<Instruction, Malformed> {
        use Instruction as I;
        Ok(match opcode {
            178 => I::GetStatic(self.field()?),
            179 => I::PutStatic(self.field()?),
            180 => I::GetField(self.field()?),
            181 => I::PutField(self.field()?),
            182 => I::Invoke(InvokeKind::Virtual, self.method()?),
            183 => I::Invoke(InvokeKind::Special, self.method()?),
            184 => I::Invoke(InvokeKind::Static, self.method()?),
            185 => {
                let method = self.method()?;
                self.code.u2()?;
                I::Invoke(InvokeKind::Interface, method)
            }
            186 => {
                let site = self.call_site()?;
                self.code.u2()?;
                site
            }
            187 => I::New(self.class()?),
            188 => self.primitive_array()?,
            189 => {
                let element = self.class()?;
                I::NewArray(self.type_of(element)?)
            }
            190 => I::ArrayLength,
            191 => I::Throw,
            192 => {
                let class = self.class()?;
                I::CheckCast(self.type_of(class)?)
            }
            193 => {
                let class = self.class()?;
                I::InstanceOf(self.type_of(class)?)
            }
            194 => I::MonitorEnter,
            195 => I::MonitorExit,
            197 => {
                let class = self.class()?;
                let of = self.type_of(class)?;
                let lengths = self.code.u1()?;
                let dimensions = self.names.text(class).bytes().take_while(|byte| *byte == b'[').count();
                if lengths == 0 || usize::from(lengths) > dimensions {
                    return Err(self.problem(Problem::Array));
                }
                I::NewMultiArray(of, lengths)
            }
            _ => return Err(self.problem(Problem::Opcode(opcode))),
        })
    }

    fn wide(&mut self) -> Result<Instruction, Malformed> {
        let opcode = self.code.u1()?;
        let local = Local(self.code.u2()?);
        Ok(match opcode {
            21..=25 => Instruction::Load(KINDS[usize::from(opcode - 21)], local),
            54..=58 => Instruction::Store(KINDS[usize::from(opcode - 54)], local),
            132 => Instruction::Increment(local, self.code.u2()?.cast_signed()),
            169 => Instruction::Ret(local),
            _ => return Err(self.problem(Problem::Opcode(opcode))),
        })
    }

    /// Decodes the operand of `ldc`, `ldc_w` and `ldc2_w`: a constant that takes this number of slots.
    fn loaded(&self, index: u16, slots: usize) -> Result<Instruction, Malformed> {
        let expected = if slots == 1 { "a constant of one slot" } else { "a constant of two slots" };
        let wrong = Problem::PoolEntry { index, expected };
        let constant = match self.class.pool.get(index) {
            Entry::Integer(value) => Constant::Int(value),
            Entry::Float(value) => Constant::Float(value),
            Entry::Long(value) => Constant::Long(value),
            Entry::Double(value) => Constant::Double(value),
            Entry::String(text) => Constant::String(text),
            Entry::Class(class) => Constant::Class(class),
            Entry::MethodType(descriptor) => Constant::MethodType(descriptor),
            Entry::Handle(handle) => Constant::Handle(handle),
            Entry::Dynamic(_, _, descriptor) => Constant::Dynamic(self.field_type(descriptor)?),
            Entry::None | Entry::Field(_) | Entry::Method(_) | Entry::InterfaceMethod(_) | Entry::InvokeDynamic(..) => {
                return Err(self.problem(wrong));
            }
        };
        if constant.kind().slots() != slots {
            return Err(self.problem(wrong));
        }
        Ok(Instruction::Constant(constant))
    }

    fn field(&mut self) -> Result<Member, Malformed> {
        let index = self.code.u2()?;
        let member = self.class.pool.field(index).map_err(|problem| self.problem(problem))?;
        self.field_type(member.descriptor)?;
        Ok(member)
    }

    fn method(&mut self) -> Result<Member, Malformed> {
        let index = self.code.u2()?;
        match self.class.pool.get(index) {
            Entry::Method(member) | Entry::InterfaceMethod(member) => {
                self.method_type(member.descriptor)?;
                Ok(member)
            }
            _ => Err(self.problem(Problem::PoolEntry { index, expected: "a method" })),
        }
    }

    fn class(&mut self) -> Result<Name, Malformed> {
        let index = self.code.u2()?;
        self.class.pool.class(index).map_err(|problem| self.problem(problem))
    }

    fn no_descriptor(&self, descriptor: Name) -> Malformed {
        self.problem(Problem::Descriptor(self.names.text(descriptor).to_string()))
    }

    fn field_type(&self, descriptor: Name) -> Result<Type, Malformed> {
        self.types.field(descriptor).ok_or_else(|| self.no_descriptor(descriptor))
    }

    fn method_type(&self, descriptor: Name) -> Result<(), Malformed> {
        self.types.method(descriptor).map(|_| ()).ok_or_else(|| self.no_descriptor(descriptor))
    }

    /// The type of a class entry. The entry of an array type is its descriptor.
    fn type_of(&self, class: Name) -> Result<Type, Malformed> {
        if self.names.text(class).starts_with('[') { self.field_type(class) } else { Ok(Type::Class(class)) }
    }

    fn primitive_array(&mut self) -> Result<Instruction, Malformed> {
        let element = match self.code.u1()? {
            4 => Type::Boolean,
            5 => Type::Char,
            6 => Type::Float,
            7 => Type::Double,
            8 => Type::Byte,
            9 => Type::Short,
            10 => Type::Int,
            11 => Type::Long,
            _ => return Err(self.problem(Problem::Array)),
        };
        Ok(Instruction::NewArray(element))
    }

    fn call_site(&mut self) -> Result<Instruction, Malformed> {
        let index = self.code.u2()?;
        let wrong = |expected| self.problem(Problem::PoolEntry { index, expected });
        let Entry::InvokeDynamic(bootstrap, name, descriptor) = self.class.pool.get(index) else {
            return Err(wrong("a call site"));
        };
        self.method_type(descriptor)?;
        let bootstrap = self.class.bootstraps.get(usize::from(bootstrap));
        let bootstrap = bootstrap.ok_or_else(|| wrong("a call site with a bootstrap method"))?;
        let action = call_site::action(self.names, &self.class.pool, bootstrap);
        let id = u16::try_from(self.call_sites.len()).expect("there are fewer call sites than bytes");
        self.call_sites.push(CallSite { name, descriptor, action });
        Ok(Instruction::InvokeDynamic(CallSiteId(id)))
    }

    /// Skips the padding to a multiple of four bytes and reads the default target.
    fn switch_start(&mut self, at: usize) -> Result<InstructionIndex, Malformed> {
        let padding = (4 - self.code.offset() % 4) % 4;
        self.code.take(padding)?;
        self.far(at)
    }

    fn add_switch(&mut self, cases: Vec<(i32, InstructionIndex)>, default: InstructionIndex) -> Instruction {
        let id = u16::try_from(self.switches.len()).expect("there are fewer switches than bytes");
        self.switches.push(Switch { cases: cases.into(), default });
        Instruction::Switch(SwitchId(id))
    }

    fn table_switch(&mut self, at: usize) -> Result<Instruction, Malformed> {
        let default = self.switch_start(at)?;
        let (low, high) = (self.code.u4()?.cast_signed(), self.code.u4()?.cast_signed());
        let count = i64::from(high) - i64::from(low) + 1;
        let count = usize::try_from(count).ok().filter(|count| *count > 0);
        let Some(count) = count.filter(|count| *count <= self.code.len() / 4) else {
            return Err(self.problem(Problem::Switch));
        };
        let mut cases = Vec::with_capacity(count);
        for value in (low..=high).take(count) {
            cases.push((value, self.far(at)?));
        }
        Ok(self.add_switch(cases, default))
    }

    fn lookup_switch(&mut self, at: usize) -> Result<Instruction, Malformed> {
        let default = self.switch_start(at)?;
        let count = usize::try_from(self.code.u4()?.cast_signed()).ok();
        let Some(count) = count.filter(|count| *count <= self.code.len() / 8) else {
            return Err(self.problem(Problem::Switch));
        };
        let mut cases = Vec::with_capacity(count);
        for _ in 0..count {
            cases.push((self.code.u4()?.cast_signed(), self.far(at)?));
        }
        Ok(self.add_switch(cases, default))
    }
}
