//! Statements, and what is open around them.

use super::super::assemble::Label;
use super::super::source::{Cond, Expr, Kind, Stmt, Ty};
use super::{
    ALOAD, ASTORE, ATHROW, Compiler, DUP, EXCEPTION, GOTO, INVOKE_VIRTUAL, LOCK, OBJECT, RUNNABLE, lambda_name, name,
};

const MONITOR_ENTER: u8 = 194;
const MONITOR_EXIT: u8 = 195;

/// What is open around a statement and has to be done when it is left.
enum Open<'s> {
    Monitor(u16),
    Lock(u16),
    Finally(&'s [Stmt]),
    Loop(Label),
}

/// Something open, with the ranges in which its handler does not hold as what it does has been written out.
pub(super) struct Level<'s> {
    open: Open<'s>,
    gaps: Vec<(Label, Label)>,
}

impl<'s> Compiler<'s> {
    /// Statements, one after the other.
    pub(super) fn block(&mut self, block: &'s [Stmt]) {
        block.iter().for_each(|statement| self.statement(statement));
    }

    fn statement(&mut self, statement: &'s Stmt) {
        self.code.line(statement.line);
        match &statement.kind {
            Kind::SetField(object, field, value) => {
                self.expr(object);
                self.expr(value);
                self.put(*field);
            }
            Kind::SetStatic(field, value) => {
                self.expr(value);
                self.put(*field);
            }
            Kind::Set(variable, value) => {
                self.expr(value);
                self.store(*variable);
            }
            Kind::SetElement(array, index, value) => {
                [array, index, value].into_iter().for_each(|part| self.expr(part));
                self.code.op(79);
            }
            Kind::SetItem(array, index, value) => {
                [array, index, value].into_iter().for_each(|part| self.expr(part));
                self.code.op(83);
            }
            Kind::Eval(value, ty) => {
                self.expr(value);
                if ty.is_some() {
                    self.code.op(87);
                }
            }
            Kind::Synchronized(lock, body) => self.synchronized(lock, body),
            Kind::Lock(lock) => {
                self.expr(lock);
                self.lock_method("lock", "()V");
            }
            Kind::Unlock(lock) => {
                self.expr(lock);
                self.lock_method("unlock", "()V");
            }
            Kind::Locked(lock, body) => self.locked(lock, body),
            Kind::TryLocked(lock, body, other) => self.try_locked(lock, body, other),
            Kind::Finally(body, last) => self.guarded(Open::Finally(last), body),
            Kind::If(cond, body, other) => self.choice(cond, body, other),
            Kind::While(cond, body) => self.repeated(cond, body),
            Kind::Twice(variable, body) => self.twice(*variable, body),
            Kind::Switch(value, cases) => self.switch(value, cases),
            Kind::Break => self.break_loop(),
            Kind::Try(body, handler) => self.catching(body, handler),
            Kind::Throw => {
                self.library(EXCEPTION);
                self.code.op(ATHROW);
            }
            Kind::Return(None) => self.leave(0, |compiler| compiler.code.op(177)),
            Kind::Return(Some(value)) => self.return_value(value),
            Kind::Lambda(body) => self.lambda(body),
            Kind::Run(task) => {
                self.expr(task);
                self.run();
            }
            Kind::Wait(object) => {
                self.expr(object);
                let wait = self.file.method_reference(OBJECT, "wait", "()V");
                self.code.pool(INVOKE_VIRTUAL, wait);
            }
        }
    }

    /// A body with the monitor of an object.
    fn synchronized(&mut self, lock: &Expr, body: &'s [Stmt]) {
        self.expr(lock);
        self.code.op(DUP);
        let slot = self.code.slot();
        self.code.local(ASTORE, slot);
        self.code.op(MONITOR_ENTER);
        self.guarded(Open::Monitor(slot), body);
    }

    /// A body with a lock.
    fn locked(&mut self, lock: &Expr, body: &'s [Stmt]) {
        let slot = self.code.slot();
        self.expr(lock);
        self.code.local(ASTORE, slot);
        self.code.local(ALOAD, slot);
        self.lock_method("lock", "()V");
        self.guarded(Open::Lock(slot), body);
    }

    /// A body with a lock, if that is free, or another one.
    fn try_locked(&mut self, lock: &Expr, body: &'s [Stmt], other: &'s [Stmt]) {
        let slot = self.code.slot();
        self.expr(lock);
        self.code.local(ASTORE, slot);
        self.code.local(ALOAD, slot);
        self.lock_method("tryLock", "()Z");
        let (refused, end) = (self.code.label(), self.code.label());
        self.code.jump(153, refused);
        self.guarded(Open::Lock(slot), body);
        self.code.jump(GOTO, end);
        self.code.place(refused);
        self.block(other);
        self.code.place(end);
    }

    /// A body if a condition holds, or another one.
    fn choice(&mut self, cond: &Cond, body: &'s [Stmt], other: &'s [Stmt]) {
        let (otherwise, end) = (self.code.label(), self.code.label());
        self.unless(cond, otherwise);
        self.block(body);
        if !other.is_empty() {
            self.code.jump(GOTO, end);
        }
        self.code.place(otherwise);
        self.block(other);
        self.code.place(end);
    }

    /// A body as long as a condition holds.
    fn repeated(&mut self, cond: &Cond, body: &'s [Stmt]) {
        let end = self.code.label();
        let begin = self.code.here();
        self.unless(cond, end);
        self.looped(body, end);
        self.code.jump(GOTO, begin);
        self.code.place(end);
    }

    /// A body two times, counted by a variable.
    fn twice(&mut self, variable: usize, body: &'s [Stmt]) {
        let end = self.code.label();
        self.code.int(0);
        self.store(variable);
        let begin = self.code.here();
        self.load(variable);
        self.code.int(2);
        self.code.jump(162, end);
        self.looped(body, end);
        self.code.increment(self.slot(variable));
        self.code.jump(GOTO, begin);
        self.code.place(end);
    }

    /// One of three bodies.
    fn switch(&mut self, value: &Expr, cases: &'s [Vec<Stmt>; 3]) {
        self.expr(value);
        let labels = cases.each_ref().map(|_| self.code.label());
        let end = self.code.label();
        self.code.switch(&labels[..2], labels[2]);
        for (label, case) in labels.into_iter().zip(cases) {
            self.code.place(label);
            self.block(case);
            self.code.jump(GOTO, end);
        }
        self.code.place(end);
    }

    /// Leaves the innermost loop.
    fn break_loop(&mut self) {
        let found = self.levels.iter().rposition(|level| matches!(level.open, Open::Loop(_)));
        let level = found.expect("only loops are left");
        let Open::Loop(end) = self.levels[level].open else { unreachable!("this was looked for") };
        self.leave(level + 1, |compiler| compiler.code.jump(GOTO, end));
    }

    /// A body whose exceptions are caught.
    fn catching(&mut self, body: &'s [Stmt], handler: &'s [Stmt]) {
        let (target, end) = (self.code.label(), self.code.label());
        let from = self.code.here();
        self.block(body);
        let to = self.code.here();
        self.code.jump(GOTO, end);
        self.code.place(target);
        let slot = self.code.slot();
        self.code.local(ASTORE, slot);
        self.block(handler);
        self.code.place(end);
        self.code.handler(from, to, target, Some(EXCEPTION));
    }

    /// Leaves the method with a value.
    fn return_value(&mut self, value: &Expr) {
        self.expr(value);
        let is_number = matches!(self.method.result, Some(Ty::Int | Ty::Boolean));
        let slot = self.code.slot();
        self.code.local(if is_number { 54 } else { ASTORE }, slot);
        self.leave(0, |compiler| {
            compiler.code.local(if is_number { 21 } else { ALOAD }, slot);
            compiler.code.op(if is_number { 172 } else { 176 });
        });
    }

    /// Makes a lambda of a body, and runs it.
    fn lambda(&mut self, body: &'s [Stmt]) {
        let this = if self.method.is_static { String::new() } else { format!("L{};", name(self.source, self.class)) };
        let method = lambda_name(self.method, self.lambdas.len());
        self.lambdas.push(body);
        let variables = self.variables();
        if !self.method.is_static {
            self.code.local(ALOAD, 0);
        }
        (0..self.method.variables().count()).for_each(|variable| self.load(variable));
        let class = name(self.source, self.class);
        let descriptor = format!("({variables})V");
        let taken = format!("{this}{variables}");
        let site = self.file.runnable(&class, &method, &descriptor, &taken, self.method.is_static);
        self.code.pool_and(186, site, [0, 0]);
        self.run();
    }

    /// Runs what is on top.
    fn run(&mut self) {
        let run = self.file.interface_method(RUNNABLE, "run", "()V");
        self.code.pool_and(185, run, [1, 0]);
    }

    fn lock_method(&mut self, name: &str, descriptor: &str) {
        let method = self.file.method_reference(LOCK, name, descriptor);
        self.code.pool(INVOKE_VIRTUAL, method);
    }

    fn looped(&mut self, body: &'s [Stmt], end: Label) {
        self.levels.push(Level { open: Open::Loop(end), gaps: Vec::new() });
        self.block(body);
        self.levels.pop();
    }

    /// Closes what is open.
    fn close(&mut self, open: &Open<'s>) {
        match open {
            Open::Monitor(slot) => {
                self.code.local(ALOAD, *slot);
                self.code.op(MONITOR_EXIT);
            }
            Open::Lock(slot) => {
                self.code.local(ALOAD, *slot);
                self.lock_method("unlock", "()V");
            }
            Open::Finally(last) => self.block(last),
            Open::Loop(_) => {}
        }
    }

    /// A body, with what is done when it ends or something is thrown.
    fn guarded(&mut self, open: Open<'s>, body: &'s [Stmt]) {
        let is_monitor = matches!(open, Open::Monitor(_));
        let (target, end) = (self.code.label(), self.code.label());
        let mut from = self.code.here();
        self.levels.push(Level { open, gaps: Vec::new() });
        self.block(body);
        let Level { open, gaps } = self.levels.pop().expect("it was pushed");
        let mut to = self.code.here();
        self.close(&open);
        if is_monitor {
            to = self.code.here();
        }
        self.code.jump(GOTO, end);
        self.code.place(target);
        let slot = self.code.slot();
        self.code.local(ASTORE, slot);
        self.close(&open);
        let closed = self.code.here();
        self.code.local(ALOAD, slot);
        self.code.op(ATHROW);
        self.code.place(end);
        for (begin, after) in gaps {
            self.code.handler(from, begin, target, None);
            from = after;
        }
        self.code.handler(from, to, target, None);
        if is_monitor {
            self.code.handler(target, closed, target, None);
        }
    }

    /// Leaves everything from a level on, and then goes somewhere.
    fn leave(&mut self, level: usize, go: impl FnOnce(&mut Self)) {
        let after = self.code.label();
        let mut open = self.levels.split_off(level);
        let mut left = Vec::new();
        while let Some(mut innermost) = open.pop() {
            let before = self.code.here();
            // What is done is done outside of this level, and inside of the others.
            let kept = self.levels.len();
            self.levels.append(&mut open);
            self.close(&innermost.open);
            open = self.levels.split_off(kept);
            let begin = if let Open::Monitor(_) = innermost.open { self.code.here() } else { before };
            innermost.gaps.push((begin, after));
            left.push(innermost);
        }
        go(self);
        self.code.place(after);
        self.levels.extend(left.into_iter().rev());
    }
}
