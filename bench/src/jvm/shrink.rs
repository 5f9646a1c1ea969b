//! Makes a program smaller as long as something holds of it.

use super::source::{Cond, Expr, Kind, Source, Stmt};

/// A smaller program of which the condition holds, as it does of the given one.
pub fn shrink(source: &Source, mut holds: impl FnMut(&Source) -> bool) -> Source {
    let mut smallest = source.clone();
    loop {
        let before = size(&smallest);
        let mut number = 0;
        loop {
            let mut candidate = smallest.clone();
            if !edit(&mut candidate, number) {
                break;
            }
            if holds(&candidate) {
                smallest = candidate;
            } else {
                number += 1;
            }
        }
        if size(&smallest) >= before {
            return smallest;
        }
    }
}

fn size(source: &Source) -> usize {
    source.to_string().len()
}

/// Makes the edit of a number; false if there are fewer.
fn edit(source: &mut Source, number: usize) -> bool {
    let mut left = number;
    let mut is_next = move || {
        left = left.wrapping_sub(1);
        left == usize::MAX
    };
    for method in source.classes.iter_mut().flat_map(|class| &mut class.methods) {
        if !method.body.is_empty() && is_next() {
            method.body.clear();
            return true;
        }
        if method.is_public && is_next() {
            method.is_public = false;
            return true;
        }
        if method.is_synchronized && is_next() {
            method.is_synchronized = false;
            return true;
        }
        if edit_block(&mut method.body, &mut is_next) {
            return true;
        }
    }
    false
}

fn edit_block(block: &mut Vec<Stmt>, is_next: &mut impl FnMut() -> bool) -> bool {
    for index in 0..block.len() {
        if is_next() {
            block.remove(index);
            return true;
        }
        let mut inner: Vec<Stmt> = Vec::new();
        block[index].kind.blocks().into_iter().for_each(|block| inner.extend(block.iter().cloned()));
        if matches!(block[index].kind, Kind::While(..) | Kind::Twice(..)) {
            inner.retain_mut(|stmt| !leaves_loop(stmt));
        }
        if !inner.is_empty() && is_next() {
            block.splice(index..=index, inner);
            return true;
        }
        if edit_kind(&mut block[index].kind, is_next) {
            return true;
        }
        for inner in block[index].kind.blocks() {
            if edit_block(inner, is_next) {
                return true;
            }
        }
    }
    false
}

/// Whether a statement has a `break` of a loop around it.
fn leaves_loop(stmt: &mut Stmt) -> bool {
    match &mut stmt.kind {
        Kind::Break => true,
        Kind::While(..) | Kind::Twice(..) => false,
        kind => kind.blocks().into_iter().flatten().any(leaves_loop),
    }
}

fn edit_kind(kind: &mut Kind, is_next: &mut impl FnMut() -> bool) -> bool {
    match kind {
        Kind::SetField(object, _, value) => edit_expr(object, is_next) || edit_expr(value, is_next),
        Kind::SetElement(_, index, value) | Kind::SetItem(_, index, value) => {
            edit_expr(index, is_next) || edit_expr(value, is_next)
        }
        Kind::SetStatic(_, value) | Kind::Set(_, value) | Kind::Eval(value, _) | Kind::Return(Some(value)) => {
            edit_expr(value, is_next)
        }
        Kind::Synchronized(lock, _) | Kind::Run(lock) => edit_expr(lock, is_next),
        Kind::If(cond, ..) | Kind::While(cond, _) => edit_cond(cond, is_next),
        _ => false,
    }
}

fn edit_cond(cond: &mut Cond, is_next: &mut impl FnMut() -> bool) -> bool {
    if matches!(cond, Cond::Test(Expr::Int(_))) {
        return false;
    }
    if is_next() {
        *cond = Cond::Test(Expr::Int(1));
        return true;
    }
    if is_next() {
        *cond = Cond::Test(Expr::Int(0));
        return true;
    }
    match cond {
        Cond::And(one, other) => edit_cond(one, is_next) || edit_cond(other, is_next),
        Cond::Not(cond) => edit_cond(cond, is_next),
        Cond::Compare(_, one, other) | Cond::Same(one, other) => edit_expr(one, is_next) || edit_expr(other, is_next),
        Cond::IsNull(one) | Cond::Test(one) | Cond::IsA(one, _) => edit_expr(one, is_next),
    }
}

fn edit_expr(expr: &mut Expr, is_next: &mut impl FnMut() -> bool) -> bool {
    match expr {
        Expr::Choice(_, one, other) => {
            if is_next() {
                *expr = (**one).clone();
                return true;
            }
            if is_next() {
                *expr = (**other).clone();
                return true;
            }
            let Expr::Choice(cond, one, other) = expr else { return false };
            edit_cond(cond, is_next) || edit_expr(one, is_next) || edit_expr(other, is_next)
        }
        Expr::Binary(_, one, other) => {
            if is_next() {
                *expr = (**one).clone();
                return true;
            }
            if is_next() {
                *expr = (**other).clone();
                return true;
            }
            let Expr::Binary(_, one, other) = expr else { return false };
            edit_expr(one, is_next) || edit_expr(other, is_next)
        }
        Expr::Field(object, _) | Expr::Increment(object, _) | Expr::Cast(_, object) | Expr::OfList(object, ..) => {
            edit_expr(object, is_next)
        }
        Expr::Element(array, index) | Expr::Item(array, index) => {
            edit_expr(array, is_next) || edit_expr(index, is_next)
        }
        Expr::Call(receiver, _, arguments) => {
            receiver.as_mut().is_some_and(|receiver| edit_expr(receiver, is_next))
                || arguments.iter_mut().any(|argument| edit_expr(argument, is_next))
        }
        Expr::OfAtomic(atomic, _, _, arguments) => {
            edit_expr(atomic, is_next) || arguments.iter_mut().any(|argument| edit_expr(argument, is_next))
        }
        Expr::Super(_, arguments) => arguments.iter_mut().any(|argument| edit_expr(argument, is_next)),
        Expr::Int(_)
        | Expr::Null
        | Expr::This
        | Expr::Variable(_)
        | Expr::Static(_)
        | Expr::Length(_)
        | Expr::New(_)
        | Expr::NewObject
        | Expr::NewInts(_)
        | Expr::ClassObject(_) => false,
    }
}
