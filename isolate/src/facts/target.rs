//! Targets of calls.

use crate::value::Value;
use java::{Handle, Member, MethodId, Name};

/// A target of a call.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Target {
    /// A program method with code.
    Method(MethodId),
    /// A lambda with its captured values.
    Lambda(LambdaTarget),
    /// A library method, as the table describes it for an object of this class.
    Library(String),
    /// Unknown code.
    Unknown,
    /// Code of clients.
    Client,
}

/// A lambda as a call target.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct LambdaTarget {
    pub(crate) kind: java::HandleKind,
    pub(crate) class: Name,
    pub(crate) name: Name,
    pub(crate) descriptor: Name,
    pub(crate) is_interface: bool,
    pub(crate) captured: Vec<Value>,
}

impl LambdaTarget {
    /// The method that it calls.
    pub(crate) fn member(&self) -> Member {
        Member { class: self.class, name: self.name, descriptor: self.descriptor }
    }
}

pub(crate) fn lambda_target(handle: Handle, captured: Vec<Value>) -> Target {
    Target::Lambda(LambdaTarget {
        kind: handle.kind,
        class: handle.member.class,
        name: handle.member.name,
        descriptor: handle.member.descriptor,
        is_interface: false,
        captured,
    })
}
