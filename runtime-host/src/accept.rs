//! The accept loop: takes connections of the same user, and notices when nobody is there.

use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::Duration;

use tokio::net::{UnixListener, UnixStream};
use tokio::task::JoinSet;
use tokio::time::{sleep, timeout};
use tracing::instrument::WithSubscriber;

use crate::connection::{self, ConnectionLimits};
use crate::server::{Phase, StopReason};
use crate::services::Services;

/// The most connections at once; over it, the next ones wait in the socket's queue.
const MAX_CONNECTIONS: usize = 4_096;
/// How long to wait when a connection cannot be taken, for example without file handles.
const ACCEPT_PAUSE: Duration = Duration::from_millis(100);
/// How long closing connections may take before they are cut.
const CLOSE_GRACE: Duration = Duration::from_millis(500);

/// Takes connections until the Host closes, then ends them.
pub(crate) async fn run(
    listener: UnixListener,
    services: Arc<Services>,
    limits: ConnectionLimits,
    idle_exit: Option<Duration>,
) {
    let mut connections = JoinSet::new();
    let draining = services.draining.clone();
    let closing = draining.reached(Phase::Released);
    tokio::pin!(closing);
    loop {
        let count = u32::try_from(connections.len()).unwrap_or(u32::MAX);
        services.facts.connections.store(count, Ordering::Relaxed);
        // A new wait each time: it counts from the moment at which the last connection ended.
        let idle = async {
            match idle_exit {
                Some(patience) if count == 0 => sleep(patience).await,
                _ => std::future::pending().await,
            }
        };
        tokio::select! {
            biased;
            () = &mut closing => break,
            Some(_) = connections.join_next() => {}
            accepted = listener.accept(), if connections.len() < MAX_CONNECTIONS => {
                match accepted {
                    Ok((stream, _)) if is_ours(&stream) => {
                        let served = connection::serve(stream, Arc::clone(&services), limits);
                        connections.spawn(served.with_current_subscriber());
                    }
                    Ok(_) => tracing::warn!("a connection of another user was refused"),
                    Err(fault) => {
                        tracing::error!(%fault, "a connection could not be taken");
                        sleep(ACCEPT_PAUSE).await;
                    }
                }
            }
            () = idle => {
                draining.begin(StopReason::Idle);
                closing.as_mut().await;
                break;
            }
        }
    }
    drop(listener);
    let ended = async { while connections.join_next().await.is_some() {} };
    if timeout(CLOSE_GRACE, ended).await.is_err() {
        connections.shutdown().await;
    }
}

fn is_ours(stream: &UnixStream) -> bool {
    let own = rustix::process::geteuid().as_raw();
    stream.peer_cred().is_ok_and(|peer| peer.uid() == own)
}
