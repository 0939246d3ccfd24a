//! Subscriptions: who is to hear of which change.
//!
//! A signal names the Session and the domain and carries no content; who hears it reads anew. The
//! registry maps Sessions to the mailboxes of the connections that asked for them.

use std::collections::{BTreeMap, HashMap};
use std::sync::{Arc, Mutex, PoisonError};

use maka_core::SessionId;
use maka_host_protocol::{Domain, SubscriptionId};

use super::mailbox::{Mailbox, SubscriptionKey};

/// The most subscriptions that a connection may hold open.
pub(crate) const MAX_SUBSCRIPTIONS: usize = 256;

/// A change could not be signalled.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("signal a change: the registry of subscriptions is broken")]
pub struct SignalFault;

/// Where committed changes are announced.
pub trait ChangeSignal: Send + Sync {
    /// Tells every subscriber of `session` that `domain` of it changed. Called after the commit
    /// and outside the Session's lane; never waits for a subscriber.
    ///
    /// # Errors
    /// [`SignalFault`]; subscribers may have missed the change, so the Host drains and they read
    /// anew when they have reconnected.
    fn publish(&self, session: &SessionId, domain: Domain) -> Result<(), SignalFault>;
}

/// The registry.
#[derive(Debug, Default)]
pub(crate) struct Subscriptions {
    registry: Mutex<Registry>,
}

#[derive(Debug, Default)]
struct Registry {
    last_key: u64,
    all: HashMap<SubscriptionKey, Arc<Mailbox>>,
    by_session: HashMap<SessionId, Vec<(SubscriptionKey, Arc<Mailbox>)>>,
}

impl ChangeSignal for Subscriptions {
    fn publish(&self, session: &SessionId, domain: Domain) -> Result<(), SignalFault> {
        let registry = self.registry.lock().map_err(|_| SignalFault)?;
        let one = registry.by_session.get(session);
        if one.is_none() && registry.all.is_empty() {
            return Ok(());
        }
        let session = Arc::new(session.clone());
        for (key, mailbox) in one.into_iter().flatten() {
            mailbox.changed(*key, &session, domain);
        }
        for (key, mailbox) in &registry.all {
            mailbox.changed(*key, &session, domain);
        }
        Ok(())
    }
}

/// What one connection subscribes through. Dropping it ends its subscriptions.
#[derive(Debug)]
pub(crate) struct Subscriber {
    subscriptions: Arc<Subscriptions>,
    mailbox: Arc<Mailbox>,
    /// The open ones; `None` is all Sessions.
    open: Mutex<BTreeMap<SubscriptionKey, Option<SessionId>>>,
}

/// The connection holds [`MAX_SUBSCRIPTIONS`] already.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct TooManySubscriptions;

impl Subscriber {
    pub(crate) fn new(subscriptions: Arc<Subscriptions>, mailbox: Arc<Mailbox>) -> Self {
        Self { subscriptions, mailbox, open: Mutex::default() }
    }

    pub(crate) fn mailbox(&self) -> &Arc<Mailbox> {
        &self.mailbox
    }

    /// Subscribes to one Session or to all. Every change from here on is signalled.
    pub(crate) fn open(
        &self,
        session: Option<SessionId>,
    ) -> Result<SubscriptionId, TooManySubscriptions> {
        let mut open = self.open.lock().unwrap_or_else(PoisonError::into_inner);
        if open.len() >= MAX_SUBSCRIPTIONS {
            return Err(TooManySubscriptions);
        }
        let mut registry =
            self.subscriptions.registry.lock().unwrap_or_else(PoisonError::into_inner);
        registry.last_key += 1;
        let key = SubscriptionKey(registry.last_key);
        self.mailbox.open(key);
        match &session {
            None => {
                registry.all.insert(key, Arc::clone(&self.mailbox));
            }
            Some(session) => {
                let listeners = registry.by_session.entry(session.clone()).or_default();
                listeners.push((key, Arc::clone(&self.mailbox)));
            }
        }
        open.insert(key, session);
        Ok(key.wire())
    }

    /// Ends a subscription of this connection. Tells whether there was one of that name.
    pub(crate) fn close(&self, id: &SubscriptionId) -> bool {
        let mut open = self.open.lock().unwrap_or_else(PoisonError::into_inner);
        let Some(key) = open.keys().copied().find(|key| key.wire() == *id) else {
            return false;
        };
        let session = open.remove(&key).flatten();
        self.forget(key, session.as_ref());
        true
    }

    fn forget(&self, key: SubscriptionKey, session: Option<&SessionId>) {
        let mut registry =
            self.subscriptions.registry.lock().unwrap_or_else(PoisonError::into_inner);
        match session {
            None => {
                registry.all.remove(&key);
            }
            Some(session) => {
                if let Some(listeners) = registry.by_session.get_mut(session) {
                    listeners.retain(|(listener, _)| *listener != key);
                    if listeners.is_empty() {
                        registry.by_session.remove(session);
                    }
                }
            }
        }
        self.mailbox.close(key);
    }
}

impl Drop for Subscriber {
    fn drop(&mut self) {
        let open = std::mem::take(self.open.get_mut().unwrap_or_else(PoisonError::into_inner));
        for (key, session) in open {
            self.forget(key, session.as_ref());
        }
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;
    use std::task::{Context, Waker};

    use maka_core::SessionId;
    use maka_host_protocol::{Domain, Notification};

    use super::{ChangeSignal, MAX_SUBSCRIPTIONS, Subscriber, Subscriptions, TooManySubscriptions};
    use crate::server::mailbox::{Mail, Mailbox};

    fn session(text: &str) -> SessionId {
        SessionId::parse(text).expect("valid")
    }

    fn subscriber(subscriptions: &Arc<Subscriptions>) -> Subscriber {
        Subscriber::new(Arc::clone(subscriptions), Arc::new(Mailbox::new("epoch".into())))
    }

    fn told(subscriber: &Subscriber) -> Vec<(String, u64, String, Domain)> {
        let cx = Context::from_waker(Waker::noop());
        std::iter::from_fn(|| match subscriber.mailbox().poll_take(&cx)? {
            Mail::Tell(Notification::Invalidated(signal)) => Some((
                signal.subscription_id.0,
                signal.sequence,
                signal.session_id.to_string(),
                signal.domain,
            )),
            mail @ (Mail::Tell(_) | Mail::Overflow) => panic!("unexpected {mail:?}"),
        })
        .collect()
    }

    #[test]
    fn signals_are_coalesced_for_each_session_and_domain_and_numbered() {
        let hub = Arc::new(Subscriptions::default());
        let subscriber = subscriber(&hub);
        let all = subscriber.open(None).expect("opens").0;
        for _ in 0..3 {
            hub.publish(&session("a"), Domain::Todo).expect("publishes");
            hub.publish(&session("b"), Domain::Todo).expect("publishes");
            hub.publish(&session("a"), Domain::Session).expect("publishes");
        }
        let told_now = told(&subscriber);
        assert_eq!(
            told_now,
            [
                (all.clone(), 1, "a".to_owned(), Domain::Todo),
                (all.clone(), 2, "b".to_owned(), Domain::Todo),
                (all.clone(), 3, "a".to_owned(), Domain::Session),
            ]
        );
        hub.publish(&session("a"), Domain::Todo).expect("publishes");
        assert_eq!(told(&subscriber), [(all, 4, "a".to_owned(), Domain::Todo)]);
    }

    #[test]
    fn a_subscription_to_one_session_hears_no_other_and_ends_when_closed() {
        let hub = Arc::new(Subscriptions::default());
        let subscriber = subscriber(&hub);
        let one = subscriber.open(Some(session("a"))).expect("opens");
        hub.publish(&session("b"), Domain::Todo).expect("publishes");
        assert_eq!(told(&subscriber), []);
        hub.publish(&session("a"), Domain::Todo).expect("publishes");
        assert!(subscriber.close(&one));
        assert!(!subscriber.close(&one));
        assert_eq!(told(&subscriber), [], "what waited for a closed subscription is forgotten");
    }

    #[test]
    fn a_dropped_subscriber_leaves_nothing_in_the_registry() {
        let hub = Arc::new(Subscriptions::default());
        let subscriber = subscriber(&hub);
        for _ in 0..MAX_SUBSCRIPTIONS - 1 {
            subscriber.open(Some(session("a"))).expect("opens");
        }
        subscriber.open(None).expect("opens");
        assert_eq!(subscriber.open(None), Err(TooManySubscriptions));
        drop(subscriber);
        let registry = hub.registry.lock().expect("not poisoned");
        assert!(registry.all.is_empty() && registry.by_session.is_empty());
    }

    #[test]
    fn a_mailbox_that_is_never_emptied_overflows_instead_of_growing() {
        let hub = Arc::new(Subscriptions::default());
        let subscriber = subscriber(&hub);
        subscriber.open(None).expect("opens");
        for number in 0..20_000 {
            hub.publish(&session(&number.to_string()), Domain::Todo).expect("publishes");
        }
        let cx = Context::from_waker(Waker::noop());
        assert!(matches!(subscriber.mailbox().poll_take(&cx), Some(Mail::Overflow)));
    }
}
