//! `resources/subscribe`, up to revision 2025-11-25.

use serde_json::json;

use super::client::{Client, URI};

#[tokio::test]
async fn a_subscriber_hears_each_change_once_until_it_unsubscribes() {
    let (mut client, _) = Client::initialized().await;
    client.door.change();
    client.hears_nothing().await;

    for _ in 0..2 {
        client.request("resources/subscribe", json!({ "uri": URI })).await;
    }
    client.hears_nothing().await;
    for _ in 0..3 {
        client.door.change();
        let heard = client.notification().await;
        assert_eq!(heard["method"], "notifications/resources/updated");
        assert_eq!(heard["params"]["uri"], URI);
        client.hears_nothing().await;
    }

    client.request("resources/unsubscribe", json!({ "uri": URI })).await;
    client.door.change();
    client.hears_nothing().await;
}

#[tokio::test]
async fn the_present_form_is_no_method_of_the_older_revision() {
    let (mut client, _) = Client::initialized().await;
    let listen = json!({ "notifications": { "resourceSubscriptions": [URI] } });
    let reply = client.request("subscriptions/listen", listen).await;
    assert_eq!(reply["error"]["code"], -32601);
}
