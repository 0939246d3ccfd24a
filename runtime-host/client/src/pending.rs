//! The calls in flight on one connection.

use std::collections::HashMap;
use std::sync::Arc;

use maka_host_protocol::{ErrorBody, Progress, SubscriptionOpenResult};
use serde_json::value::RawValue;
use tokio::sync::{OwnedSemaphorePermit, oneshot, watch};

use crate::subscription::SignalQueue;

/// What comes back for a call that the Host answered.
pub(crate) type Answer = Result<Box<RawValue>, ErrorBody>;

/// One call in flight.
#[derive(Debug)]
pub(crate) struct Pending {
    /// Takes the answer; dropped unused when the connection closes.
    pub(crate) answer: oneshot::Sender<Answer>,
    /// Takes the newest progress.
    pub(crate) progress: Option<watch::Sender<Option<Progress>>>,
    /// Takes the signals of the subscription that the call opens.
    pub(crate) signals: Option<Arc<SignalQueue>>,
    /// Its place among the requests in flight, kept until the Host has answered even where the
    /// caller has gone.
    pub(crate) permit: OwnedSemaphorePermit,
}

/// The calls in flight, and the subscriptions that are open.
#[derive(Debug, Default)]
pub(crate) struct Table {
    next_id: u64,
    calls: HashMap<u64, Pending>,
    subscriptions: HashMap<String, Arc<SignalQueue>>,
}

impl Table {
    /// Enters a call and names it.
    pub(crate) fn enter(&mut self, pending: Pending) -> u64 {
        self.next_id += 1;
        self.calls.insert(self.next_id, pending);
        self.next_id
    }

    /// Takes a call back out.
    pub(crate) fn leave(&mut self, id: u64) {
        self.calls.remove(&id);
    }

    /// Settles the call that `request_id` names; false where there is none. The signals of a
    /// subscription may stand right behind the reply that opens it, so it is entered here and not
    /// by its caller.
    pub(crate) fn settle(&mut self, request_id: &str, answer: Answer) -> bool {
        let Some(pending) = request_id.parse().ok().and_then(|id: u64| self.calls.remove(&id))
        else {
            return false;
        };
        if let (Some(signals), Ok(result)) = (pending.signals, &answer)
            && !pending.answer.is_closed()
            && let Ok(opened) = serde_json::from_str::<SubscriptionOpenResult>(result.get())
        {
            self.subscriptions.insert(opened.subscription_id.0, signals);
        }
        drop(pending.permit);
        // A caller that went away does not want the answer.
        let _ = pending.answer.send(answer);
        true
    }

    /// Hands progress to the call that it is of.
    pub(crate) fn progress(&self, progress: Progress) {
        let id = progress.request_id.0.parse().ok();
        if let Some(sender) =
            id.and_then(|id: u64| self.calls.get(&id)).and_then(|pending| pending.progress.as_ref())
        {
            sender.send_replace(Some(progress));
        }
    }

    /// The queue of a subscription.
    pub(crate) fn signals(&self, subscription: &str) -> Option<&Arc<SignalQueue>> {
        self.subscriptions.get(subscription)
    }

    /// Forgets a subscription.
    pub(crate) fn unsubscribe(&mut self, subscription: &str) {
        self.subscriptions.remove(subscription);
    }

    /// Ends everything: callers see their sender dropped, subscriptions their end.
    pub(crate) fn close(&mut self) {
        self.calls.clear();
        for (_, signals) in self.subscriptions.drain() {
            signals.end();
        }
    }
}
