//! The place of a cache: a folder, or the URL of an object store; and its use.

use std::convert::Infallible;
use std::fmt;
use std::path::PathBuf;
use std::str::FromStr;

/// The place of a cache.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum CachePlace {
    Folder(PathBuf),
    /// A URL, such as `s3://bucket/prefix`.
    Url(String),
}

/// The uses of a cache.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum CacheUse {
    ReadWrite,
    ReadOnly,
}

impl FromStr for CachePlace {
    type Err = Infallible;

    /// A text with a scheme is a URL; every other text is a folder.
    fn from_str(text: &str) -> Result<Self, Infallible> {
        let is_scheme = |scheme: &str| {
            let is_other = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'+' | b'-' | b'.');
            scheme.as_bytes().first().is_some_and(u8::is_ascii_alphabetic) && scheme.bytes().all(is_other)
        };
        let is_url = text.split_once("://").is_some_and(|(scheme, _)| is_scheme(scheme));
        Ok(if is_url { Self::Url(text.into()) } else { Self::Folder(text.into()) })
    }
}

impl fmt::Display for CachePlace {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Folder(folder) => write!(f, "the folder {}", folder.display()),
            Self::Url(url) => f.write_str(url),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn urls_have_a_scheme() {
        for url in ["s3://bucket/cache", "gs://bucket", "az://container/cache", "https://host:8000/cache", "memory:///"]
        {
            assert_eq!(url.parse(), Ok(CachePlace::Url(url.into())));
        }
        for folder in ["cache", "./cache", "/tmp/cache", "a b://c", "1://c", "://c", ""] {
            assert_eq!(folder.parse(), Ok(CachePlace::Folder(folder.into())));
        }
    }
}
