//! Answers MCP requests out of a [`Door`].

use std::sync::Arc;

use rmcp::model::{
    CallToolRequestParams, CallToolResponse, CustomRequest, CustomResult, ErrorCode, ErrorData,
    Implementation, ListResourcesResult, ListToolsResult, PaginatedRequestParams,
    ReadResourceRequestParams, ReadResourceResponse, ServerCapabilities, ServerConfig,
    SubscribeRequestParams, SubscriptionFilter, UnsubscribeRequestParams,
};
use rmcp::service::{RequestContext, SubscriptionContext};
use rmcp::{RoleServer, ServerHandler};
use tokio::sync::watch;

use super::door::{Door, DoorFault};
use super::resource::TodoResource;
use super::tools;
use super::transport::{LiftedCall, RawCall};
use super::updates::Updates;

const INSTRUCTIONS: &str = "Keeps this session's one Todo list, which lasts across restarts and \
    which the user watches. todo_read returns the whole list; todo_write replaces the whole list. \
    Use it for work of several steps, not for single easy ones.";

/// Requests that this server knows, for a clear answer to parameters that it cannot read.
const KNOWN_METHODS: [&str; 7] = [
    "initialize",
    "tools/call",
    "tools/list",
    "resources/read",
    "resources/subscribe",
    "resources/unsubscribe",
    "subscriptions/listen",
];

/// The server's behaviour for one client.
#[derive(Debug)]
pub(super) struct Handler<D> {
    door: Arc<D>,
    resource: TodoResource,
    updates: Updates,
    input_ended: watch::Receiver<bool>,
}

impl<D: Door> Handler<D> {
    pub(super) fn new(
        door: Arc<D>,
        resource: TodoResource,
        input_ended: watch::Receiver<bool>,
    ) -> Self {
        Self { door, resource, updates: Updates::default(), input_ended }
    }
}

fn unavailable(fault: &DoorFault) -> ErrorData {
    ErrorData::internal_error(fault.text(), None)
}

impl<D: Door> ServerHandler for Handler<D> {
    fn get_info(&self) -> ServerConfig {
        let capabilities = ServerCapabilities::builder()
            .enable_tools()
            .enable_resources()
            .enable_resources_subscribe()
            .build();
        let maka = Implementation::new("maka", env!("CARGO_PKG_VERSION")).with_title("Maka Todo");
        ServerConfig::new(capabilities).with_server_info(maka).with_instructions(INSTRUCTIONS)
    }

    async fn list_tools(
        &self,
        _page: Option<PaginatedRequestParams>,
        context: RequestContext<RoleServer>,
    ) -> Result<ListToolsResult, ErrorData> {
        let client = context.client_info().map(|client| client.name);
        let tools =
            self.door.tools(client.as_deref()).await.map_err(|fault| unavailable(&fault))?;
        Ok(ListToolsResult::with_all_items(tools.into_iter().map(tools::describe).collect()))
    }

    async fn call_tool(
        &self,
        call: CallToolRequestParams,
        context: RequestContext<RoleServer>,
    ) -> Result<CallToolResponse, ErrorData> {
        let Some(LiftedCall { arguments, mut place }) =
            context.extensions.get().and_then(RawCall::take)
        else {
            return Err(ErrorData::internal_error("failed to find the arguments", None));
        };
        place.reached().await;
        let client = context.client_info().map(|client| client.name);
        let settled = self.door.call(client.as_deref(), call.name.into_owned(), arguments).await;
        let result = match settled {
            Ok(settled) => tools::result(settled),
            Err(fault) => tools::fault(&fault),
        };
        Ok(result.into())
    }

    async fn list_resources(
        &self,
        _page: Option<PaginatedRequestParams>,
        _context: RequestContext<RoleServer>,
    ) -> Result<ListResourcesResult, ErrorData> {
        Ok(ListResourcesResult::with_all_items(vec![self.resource.listed()]))
    }

    async fn read_resource(
        &self,
        read: ReadResourceRequestParams,
        _context: RequestContext<RoleServer>,
    ) -> Result<ReadResourceResponse, ErrorData> {
        self.resource.check(&read.uri)?;
        let view = self.door.todo().await.map_err(|fault| unavailable(&fault))?;
        Ok(self.resource.contents(&view)?.into())
    }

    fn accepted_subscription_filter(
        &self,
        _requested: &SubscriptionFilter,
    ) -> Option<SubscriptionFilter> {
        // What was not requested is taken out of this by the caller.
        Some(SubscriptionFilter::builder().resource_subscription(self.resource.uri()).build())
    }

    async fn listen(&self, subscription: SubscriptionContext) -> Result<(), ErrorData> {
        let mut changes = self.door.changes();
        let mut input_ended = self.input_ended.clone();
        let hears = subscription.accepted().resource_subscriptions.is_some();
        loop {
            tokio::select! {
                changed = changes.changed(), if hears => if changed.is_err() { return Ok(()) },
                () = subscription.cancelled() => return Ok(()),
                // Without this the server would wait for us before it ends.
                _ = input_ended.wait_for(|ended| *ended) => return Ok(()),
            }
            if subscription.sink().notify_resource_updated(self.resource.uri()).await.is_err() {
                return Ok(());
            }
        }
    }

    async fn subscribe(
        &self,
        subscribe: SubscribeRequestParams,
        context: RequestContext<RoleServer>,
    ) -> Result<(), ErrorData> {
        self.resource.check(&subscribe.uri)?;
        self.updates.start(context.peer, subscribe.uri, self.door.changes());
        Ok(())
    }

    async fn unsubscribe(
        &self,
        unsubscribe: UnsubscribeRequestParams,
        _context: RequestContext<RoleServer>,
    ) -> Result<(), ErrorData> {
        self.resource.check(&unsubscribe.uri)?;
        self.updates.stop();
        Ok(())
    }

    async fn on_custom_request(
        &self,
        request: CustomRequest,
        _context: RequestContext<RoleServer>,
    ) -> Result<CustomResult, ErrorData> {
        // A known request lands here when its parameters have the wrong shape.
        if KNOWN_METHODS.contains(&request.method.as_str()) {
            let message = format!("the params of {} are not what MCP asks for", request.method);
            return Err(ErrorData::invalid_params(message, None));
        }
        let message = format!("there is no method {:?} here", request.method);
        Err(ErrorData::new(ErrorCode::METHOD_NOT_FOUND, message, None))
    }
}
