//! The types of all descriptors of a program. Each descriptor is parsed once.

use super::descriptor::{MethodType, NoType, Type, field_type, method_type};
use super::names::{Full, Name, Names};
use rustc_hash::FxHashMap;
use std::collections::hash_map::Entry;

/// Types by descriptor. An invalid descriptor has no type.
#[derive(Clone, Debug, Default)]
pub(crate) struct TypeTable {
    fields: FxHashMap<Name, Option<Type>>,
    methods: FxHashMap<Name, Option<MethodType>>,
}

impl TypeTable {
    /// Adds the type of a field.
    pub(crate) fn add_field(&mut self, descriptor: Name, names: &mut Names) -> Result<(), Full> {
        if let Entry::Vacant(vacant) = self.fields.entry(descriptor) {
            vacant.insert(known(field_type(names, descriptor))?);
        }
        Ok(())
    }

    /// Adds the types of a method.
    pub(crate) fn add_method(&mut self, descriptor: Name, names: &mut Names) -> Result<(), Full> {
        if let Entry::Vacant(vacant) = self.methods.entry(descriptor) {
            vacant.insert(known(method_type(names, descriptor))?);
        }
        Ok(())
    }

    /// The type of a field or of an array class.
    pub(crate) fn field(&self, descriptor: Name) -> Option<Type> {
        self.fields.get(&descriptor).copied().flatten()
    }

    /// The types of a method.
    pub(crate) fn method(&self, descriptor: Name) -> Option<&MethodType> {
        self.methods.get(&descriptor)?.as_ref()
    }
}

fn known<T>(found: Result<T, NoType>) -> Result<Option<T>, Full> {
    match found {
        Ok(found) => Ok(Some(found)),
        Err(NoType::Wrong) => Ok(None),
        Err(NoType::Full) => Err(Full),
    }
}
