//! `backup.create`: a verified backup of the live database, with progress, off the hot path.

use std::path::PathBuf;
use std::sync::Arc;
use std::time::{Duration, Instant};

use maka_host_protocol::{BackupCreateInput, BackupCreateResult, Progress, RequestId};

use crate::errors::{Failure, defect, invalid_request};
use crate::server::Mailbox;
use crate::services::Caller;

/// The least time between two progress notifications.
const PROGRESS_EVERY: Duration = Duration::from_millis(250);

pub(super) async fn run(
    caller: &Arc<Caller>,
    request: &RequestId,
    input: BackupCreateInput,
) -> Result<BackupCreateResult, Failure> {
    let target = PathBuf::from(&input.path);
    if !target.is_absolute() {
        return Err(
            invalid_request("path must be absolute: the Host has another folder than you").into()
        );
    }
    let database = caller.services.database.clone();
    let now = caller.services.clock.now();
    let mailbox = Arc::clone(caller.subscriber.mailbox());
    let mut ticker = Ticker { mailbox: Arc::clone(&mailbox), request: request.clone(), told: None };
    let made = tokio::task::spawn_blocking(move || {
        maka_storage::backup::create(&database, &target, now, &mut |done, total| {
            ticker.tell(done, total);
        })
    });
    let made = made.await.map_err(|fault| defect("end the backup", fault))?;
    mailbox.ended(request);
    let info = made?;
    tracing::info!(bytes = info.bytes, "a backup was made");
    Ok(BackupCreateResult {
        path: info.path.display().to_string(),
        bytes: info.bytes,
        sha256: info.sha256,
    })
}

/// Tells the caller how far the backup is, a few times a second.
struct Ticker {
    mailbox: Arc<Mailbox>,
    request: RequestId,
    told: Option<Instant>,
}

impl Ticker {
    fn tell(&mut self, done: u64, total: u64) {
        let now = Instant::now();
        if self.told.is_some_and(|told| now.duration_since(told) < PROGRESS_EVERY) {
            return;
        }
        self.told = Some(now);
        let request_id = self.request.clone();
        self.mailbox.progressed(Progress { request_id, done, total });
    }
}
