//! The role of a class in a program.

/// As what a class was given.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Role {
    /// As part of the program.
    Given,
    /// In an archive inside of an archive of the program, such as `WEB-INF/lib/x.jar` of a war: most likely a library.
    Bundled,
    /// As part of a library.
    Library,
}

impl Role {
    /// That of an archive inside of an archive with this role.
    pub(crate) fn inside(self) -> Self {
        match self {
            Self::Given | Self::Bundled => Self::Bundled,
            Self::Library => Self::Library,
        }
    }
}
