//! Keeps tool calls in the order in which they came. The server answers each request in a task of
//! its own, and a model that sends a write and a read together expects the read to see the write.

use tokio::sync::oneshot;

/// Gives out places in the queue.
#[derive(Debug, Default)]
pub(super) struct CallQueue {
    last: Option<oneshot::Receiver<()>>,
}

/// A place in the queue; dropping it lets the next one through.
#[derive(Debug)]
pub(super) struct Place {
    before: Option<oneshot::Receiver<()>>,
    _done: oneshot::Sender<()>,
}

impl CallQueue {
    /// Takes the next place.
    pub(super) fn enter(&mut self) -> Place {
        let (done, finished) = oneshot::channel();
        Place { before: self.last.replace(finished), _done: done }
    }
}

impl Place {
    /// Waits until every earlier place was dropped.
    pub(super) async fn reached(&mut self) {
        if let Some(before) = self.before.take() {
            // Nothing is ever sent: the error says that the one before has gone.
            let _ = before.await;
        }
    }
}

#[cfg(test)]
mod tests {
    use std::sync::{Arc, Mutex};

    use super::CallQueue;

    #[tokio::test]
    async fn places_are_reached_in_the_order_they_were_taken_in() {
        let mut queue = CallQueue::default();
        let order = Arc::new(Mutex::new(Vec::new()));
        let mut places: Vec<_> = (0..5).map(|number| (number, queue.enter())).collect();
        places.reverse();
        let tasks = places.into_iter().map(|(number, mut place)| {
            let order = Arc::clone(&order);
            tokio::spawn(async move {
                place.reached().await;
                order.lock().unwrap().push(number);
            })
        });
        for task in tasks.collect::<Vec<_>>() {
            task.await.unwrap();
        }
        assert_eq!(*order.lock().unwrap(), [0, 1, 2, 3, 4]);
    }

    #[tokio::test]
    async fn a_place_that_is_given_up_holds_nobody() {
        let mut queue = CallQueue::default();
        drop(queue.enter());
        let mut first = queue.enter();
        first.reached().await;
        let mut second = queue.enter();
        drop(first);
        second.reached().await;
    }
}
