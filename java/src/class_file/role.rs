//! The roles of classes.

/// The role of a class in a program.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Role {
    /// Part of the program.
    Given,
    /// From an archive inside of an archive of the program, such as `WEB-INF/lib/x.jar` of a war: most likely a
    /// library.
    Bundled,
    /// Part of a library.
    Library,
}

impl Role {
    /// The role of an archive inside of an archive with this role.
    pub(crate) fn inside(self) -> Self {
        match self {
            Self::Given | Self::Bundled => Self::Bundled,
            Self::Library => Self::Library,
        }
    }
}
