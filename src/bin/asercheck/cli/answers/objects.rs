//! Answers in an object store, each in an object: S3, Google Cloud Storage, Azure, WebDAV (crate `object_store`).
//!
//! An object is written with the condition that there is none of its name (`PutMode::Create`), so the first of several
//! writers wins; a store without such a condition takes the last one, whose text answers the same question. A damaged
//! object is replaced.
//!
//! **No run waits for long.** A request ends after [`LONGEST`], and within [`LOOK`] after a cancellation. After a first
//! failure that is not about one object, no more requests are made: each would take as long. The answers are missing
//! then, and the caller warns.

use super::texts::{LARGEST, Removed, Texts, is_answer};
use anyhow::{Context, anyhow};
use asercheck::Cancellation;
use futures_util::TryStreamExt;
use object_store::path::Path;
use object_store::{Error, ObjectStore, ObjectStoreExt, PutMode, PutOptions, PutPayload, parse_url_opts};
use std::future::Future;
use std::io;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, SystemTime};
use tokio::runtime::{Builder, Runtime};
use url::Url;

/// The longest time of a request, with its retries.
const LONGEST: Duration = Duration::from_secs(30);

/// Interval between two checks of the cancellation.
const LOOK: Duration = Duration::from_millis(50);

/// Beginnings of the names of environment variables that configure a store.
const VARIABLES: [&str; 3] = ["AWS_", "GOOGLE_", "AZURE_"];

/// The objects below a URL.
pub(super) struct Objects {
    store: Box<dyn ObjectStore>,
    prefix: Path,
    runtime: Runtime,
    cancellation: Cancellation,
    /// Whether a request has failed, so that no more are made.
    is_lost: AtomicBool,
}

impl Objects {
    /// The objects below a URL. Credentials and other options are the usual environment variables of the store, such as
    /// `AWS_ACCESS_KEY_ID`.
    pub(super) fn open(url: &str, cancellation: &Cancellation) -> anyhow::Result<Self> {
        // Without a provider no connection can be encrypted. One that is set already is as good.
        let _ = rustls::crypto::ring::default_provider().install_default();
        let parsed = Url::parse(url).map_err(|error| anyhow!("cannot use {url}: {error}"))?;
        let is_option = |(name, _): &(String, String)| VARIABLES.iter().any(|start| name.starts_with(start));
        let (store, prefix) = parse_url_opts(&parsed, std::env::vars().filter(is_option))
            .map_err(|error| anyhow!("cannot use {url}: {error}"))?;
        let runtime = Builder::new_multi_thread().worker_threads(1).enable_all().build();
        let runtime = runtime.context("cannot start the thread of requests")?;
        Ok(Self { store, prefix, runtime, cancellation: cancellation.clone(), is_lost: AtomicBool::new(false) })
    }

    fn path(&self, name: &str) -> Path {
        self.prefix.clone().join(name)
    }

    /// Makes a request, for [`LONGEST`] at most.
    fn request<T>(&self, request: impl Future<Output = Result<T, Error>>) -> io::Result<T> {
        self.request_within(LONGEST, request)
    }

    fn request_within<T>(&self, time: Duration, request: impl Future<Output = Result<T, Error>>) -> io::Result<T> {
        if self.is_lost.load(Ordering::Relaxed) {
            return Err(io::Error::other("an earlier request has failed"));
        }
        let cancelled = async {
            while !self.cancellation.is_cancelled() {
                tokio::time::sleep(LOOK).await;
            }
        };
        let limited = async {
            tokio::select! {
                result = request => result.map_err(into_io),
                () = cancelled => Err(io::Error::other("the run was ended")),
                () = tokio::time::sleep(time) => {
                    Err(io::Error::new(io::ErrorKind::TimedOut, format!("no answer after {} seconds", time.as_secs())))
                }
            }
        };
        let result = self.runtime.block_on(limited);
        let is_of_object = |error: &io::Error| {
            matches!(error.kind(), io::ErrorKind::NotFound | io::ErrorKind::AlreadyExists | io::ErrorKind::Unsupported)
        };
        if result.as_ref().is_err_and(|error| !is_of_object(error)) {
            self.is_lost.store(true, Ordering::Relaxed);
        }
        result
    }

    fn put(&self, name: &str, bytes: &[u8], mode: PutMode) -> io::Result<()> {
        let options = PutOptions { mode, ..PutOptions::default() };
        let path = self.path(name);
        self.request(self.store.put_opts(&path, PutPayload::from(bytes.to_vec()), options)).map(drop)
    }
}

impl Texts for Objects {
    fn probe(&self) -> Result<(), (io::Error, bool)> {
        // Its time says when the place was last used.
        let probed = self.put("probe", b"", PutMode::Overwrite);
        let has_answers = |error: &io::Error| {
            let is_forbidden = error.kind() == io::ErrorKind::PermissionDenied;
            is_forbidden && {
                self.is_lost.store(false, Ordering::Relaxed);
                let first = self.request(async { self.store.list(Some(&self.prefix)).try_next().await });
                first.is_ok_and(|first| first.is_some())
            }
        };
        probed.map_err(|error| {
            let has_answers = has_answers(&error);
            (error, has_answers)
        })
    }

    fn read(&self, name: &str) -> io::Result<Option<String>> {
        let path = self.path(name);
        let text = self.request(async {
            let found = self.store.get(&path).await?;
            if found.meta.size > LARGEST {
                return Ok(String::new());
            }
            Ok(String::from_utf8(found.bytes().await?.to_vec()).unwrap_or_default())
        });
        match text {
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
            text => text.map(Some),
        }
    }

    fn write(&self, name: &str, text: &str, is_damaged: bool) -> io::Result<()> {
        let mode = if is_damaged { PutMode::Overwrite } else { PutMode::Create };
        match self.put(name, text.as_bytes(), mode) {
            // Another run has stored the answer.
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => Ok(()),
            Err(error) if error.kind() == io::ErrorKind::Unsupported => {
                self.put(name, text.as_bytes(), PutMode::Overwrite)
            }
            result => result,
        }
    }

    fn remove_before(&self, time: SystemTime) -> io::Result<Removed> {
        let mut counts = Removed::default();
        let all = self.request_within(Duration::MAX, async {
            self.store.list(Some(&self.prefix)).try_collect::<Vec<_>>().await
        })?;
        for object in all {
            if !object.location.filename().is_some_and(is_answer) {
                continue;
            }
            if SystemTime::from(object.last_modified) >= time {
                counts.left += 1;
                continue;
            }
            match self.request(self.store.delete(&object.location)) {
                Ok(()) => (counts.removed, counts.bytes) = (counts.removed + 1, counts.bytes + object.size),
                Err(error) if error.kind() == io::ErrorKind::NotFound => {}
                Err(error) => return Err(error),
            }
        }
        Ok(counts)
    }
}

/// An error of a store with the kinds that this module distinguishes.
fn into_io(error: Error) -> io::Error {
    let kind = match &error {
        Error::NotFound { .. } => io::ErrorKind::NotFound,
        Error::AlreadyExists { .. } | Error::Precondition { .. } => io::ErrorKind::AlreadyExists,
        Error::NotImplemented { .. } | Error::NotSupported { .. } => io::ErrorKind::Unsupported,
        Error::PermissionDenied { .. } | Error::Unauthenticated { .. } => io::ErrorKind::PermissionDenied,
        _ => io::ErrorKind::Other,
    };
    io::Error::new(kind, error)
}
