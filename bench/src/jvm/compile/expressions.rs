//! Expressions and conditions.

use super::super::assemble::Label;
use super::super::source::{Cond, Expr, FieldRef, MethodRef};
use super::{ALOAD, ATOMIC, Compiler, DUP, GOTO, INVOKE_SPECIAL, INVOKE_VIRTUAL, LIST, OBJECT, method_type, name};

const IADD: u8 = 96;
const INVOKE_STATIC: u8 = 184;

impl Compiler<'_> {
    /// Leaves the value on top.
    pub(super) fn expr(&mut self, expr: &Expr) {
        match expr {
            Expr::Int(value) => self.code.int(*value),
            Expr::Null => self.code.op(1),
            Expr::This => self.code.local(ALOAD, 0),
            Expr::Variable(variable) => self.load(*variable),
            Expr::Field(object, field) => {
                self.expr(object);
                let index = self.field_reference(*field);
                self.code.pool(180, index);
            }
            Expr::Static(field) => {
                let index = self.field_reference(*field);
                self.code.pool(178, index);
            }
            Expr::Increment(object, field) => self.increment(object, *field),
            Expr::Binary(operator, one, other) => self.binary(*operator, one, other),
            Expr::Element(array, index) => {
                self.expr(array);
                self.expr(index);
                self.code.op(46);
            }
            Expr::Item(array, index) => {
                self.expr(array);
                self.expr(index);
                self.code.op(50);
            }
            Expr::Length(array) => {
                self.expr(array);
                self.code.op(190);
            }
            Expr::OfList(list, name, descriptor, takes) => {
                self.expr(list);
                if *takes {
                    self.library(OBJECT);
                }
                let method = self.file.method_reference(LIST, name, descriptor);
                self.code.pool(INVOKE_VIRTUAL, method);
            }
            Expr::OfAtomic(atomic, name, descriptor, arguments) => {
                self.expr(atomic);
                arguments.iter().for_each(|argument| self.expr(argument));
                let method = self.file.method_reference(ATOMIC, name, descriptor);
                self.code.pool(INVOKE_VIRTUAL, method);
            }
            Expr::Call(receiver, method, arguments) => {
                let opcode = match receiver {
                    None => INVOKE_STATIC,
                    // As javac does it for the receiver's own private methods in old classes.
                    Some(_) if !self.source.method(*method).is_public => INVOKE_SPECIAL,
                    Some(_) => INVOKE_VIRTUAL,
                };
                receiver.iter().for_each(|receiver| self.expr(receiver));
                self.call(opcode, *method, arguments);
            }
            Expr::Super(method, arguments) => {
                self.code.local(ALOAD, 0);
                self.call(INVOKE_SPECIAL, *method, arguments);
            }
            Expr::New(class) => self.new_object(*class),
            Expr::NewObject => self.library(OBJECT),
            Expr::NewInts(length) => {
                self.expr(length);
                self.code.op(188);
                self.code.op(10);
            }
            Expr::Choice(cond, one, other) => self.value_of_choice(cond, one, other),
            Expr::Cast(class, object) => {
                self.expr(object);
                let index = self.file.class(&name(self.source, *class));
                self.code.pool(192, index);
            }
            Expr::ClassObject(class) => {
                let index = self.file.class(&name(self.source, *class));
                self.code.pool(19, index);
            }
        }
    }

    /// Adds one to a field, and gives what it held.
    fn increment(&mut self, object: &Expr, field: FieldRef) {
        self.expr(object);
        self.code.op(DUP);
        let index = self.field_reference(field);
        self.code.pool(180, index);
        self.code.op(90);
        self.code.int(1);
        self.code.op(IADD);
        self.code.pool(181, index);
    }

    /// An operation on two ints.
    fn binary(&mut self, operator: char, one: &Expr, other: &Expr) {
        self.expr(one);
        self.expr(other);
        self.code.op(match operator {
            '+' => IADD,
            '-' => 100,
            '*' => 104,
            '%' => 112,
            _ => 108,
        });
    }

    /// One value if a condition holds, or another one.
    fn value_of_choice(&mut self, cond: &Cond, one: &Expr, other: &Expr) {
        let (otherwise, end) = (self.code.label(), self.code.label());
        self.unless(cond, otherwise);
        self.expr(one);
        self.code.jump(GOTO, end);
        self.code.place(otherwise);
        self.expr(other);
        self.code.place(end);
    }

    /// Calls a method, whose receiver is on top if it has one.
    fn call(&mut self, opcode: u8, method: MethodRef, arguments: &[Expr]) {
        arguments.iter().for_each(|argument| self.expr(argument));
        let declared = self.source.method(method);
        let class = if opcode == INVOKE_STATIC { self.heir(method.0) } else { method.0 };
        let index =
            self.file.method_reference(&name(self.source, class), &declared.name, &method_type(self.source, declared));
        self.code.pool(opcode, index);
    }

    /// Goes to a label unless a condition holds.
    pub(super) fn unless(&mut self, cond: &Cond, label: Label) {
        match cond {
            Cond::Not(cond) => self.branch(cond, label, true),
            Cond::And(one, other) => {
                self.unless(one, label);
                self.unless(other, label);
            }
            cond => self.branch(cond, label, false),
        }
    }

    /// Goes to a label if a condition holds, or if it does not.
    fn branch(&mut self, cond: &Cond, label: Label, if_it_holds: bool) {
        let choose = |holds: u8, holds_not: u8| if if_it_holds { holds } else { holds_not };
        match cond {
            Cond::Test(value) => {
                self.expr(value);
                self.code.jump(choose(154, 153), label);
            }
            Cond::Compare(how, one, other) => {
                self.expr(one);
                self.expr(other);
                self.code.jump(if *how == '=' { choose(159, 160) } else { choose(161, 162) }, label);
            }
            Cond::Same(one, other) => {
                self.expr(one);
                self.expr(other);
                self.code.jump(choose(165, 166), label);
            }
            Cond::IsNull(object) => {
                self.expr(object);
                self.code.jump(choose(198, 199), label);
            }
            Cond::IsA(object, class) => {
                self.expr(object);
                let index = self.file.class(&name(self.source, *class));
                self.code.pool(193, index);
                self.code.jump(choose(154, 153), label);
            }
            Cond::Not(cond) => self.branch(cond, label, !if_it_holds),
            Cond::And(one, other) => {
                if if_it_holds {
                    let end = self.code.label();
                    self.unless(one, end);
                    self.branch(other, label, true);
                    self.code.place(end);
                } else {
                    self.unless(one, label);
                    self.unless(other, label);
                }
            }
        }
    }
}
