"""The `mcp` package of the protocol's own authors against `maka mcp`, in both protocol forms."""

import asyncio
import io
import json
import sys
import tempfile
from contextlib import asynccontextmanager

from mcp import Client
from mcp.client.stdio import stdio_client
from mcp.shared.exceptions import MCPError
from mcp.types import ResourceUpdatedNotification

from checks import Checks, equal, within
from workspace import Workspace, document_cases

THREE = [
    {"content": "inspect the owner", "status": "completed"},
    {"content": "run the tests “twice” — 二度", "status": "in_progress"},
    {"content": "write it down", "status": "pending"},
]
OTHER = [{"content": "from another client", "status": "pending"}]
LARGEST = [{"content": "\U00020000" * 200, "status": "in_progress"} for _ in range(200)]
REMOVED = [
    "task_create", "task_update", "task_list", "task_get",
    "TaskCreate", "TaskUpdate", "TaskList", "TaskGet",
]
SECRET_WORD = "zyxwvut-only-in-a-list"


class Connection:
    """A connected client and what it was notified of."""

    def __init__(self, client: Client, notified: asyncio.Queue) -> None:
        self.client = client
        self.notified = notified
        self.uri = ""
        self.session = ""

    async def begin(self) -> None:
        resources = (await self.client.list_resources()).resources
        equal(len(resources), 1)
        self.uri = str(resources[0].uri)
        self.session = self.uri.split("/")[3]

    async def write(self, items):
        return await self.client.call_tool("todo_write", {"todos": items})

    async def read(self) -> list:
        result = await self.client.call_tool("todo_read", {})
        equal(bool(result.is_error), False)
        equal(result.structured_content["schema"], "maka.todo.v1")
        equal(result.structured_content["sessionId"], self.session)
        return result.structured_content["items"]

    async def read_resource(self) -> list:
        contents = (await self.client.read_resource(self.uri)).contents
        equal(contents[0].mime_type, "application/json")
        view = json.loads(contents[0].text)
        equal(view["schema"], "maka.todo.v1")
        return view["items"]

    @asynccontextmanager
    async def subscribed(self):
        """Hears of changes, in the form that the connection's revision has."""
        if self.client.protocol_version < "2026-07-28":
            await self.client.subscribe_resource(self.uri)
            yield
            await self.client.unsubscribe_resource(self.uri)
            return
        async with self.client.listen(resource_subscriptions=[self.uri]) as subscription:
            equal([str(uri) for uri in subscription.honored.resource_subscriptions], [self.uri])
            hearing = asyncio.create_task(self.hear(subscription))
            yield
            hearing.cancel()

    async def hear(self, subscription) -> None:
        async for event in subscription:
            self.notified.put_nowait(str(event.uri))

    async def one_update(self, what: str) -> None:
        """One notification within a second, and no second one in the second after it."""
        equal(await within(1.0, f"notification of {what}", self.notified.get()), self.uri)
        await asyncio.sleep(1.0)
        equal(self.notified.qsize(), 0)


@asynccontextmanager
async def connect(workspace: Workspace, mode: str, errors, *arguments: str):
    """A client process of its own, connected to a server process of its own."""
    notified: asyncio.Queue = asyncio.Queue()

    async def on_message(message) -> None:
        if isinstance(message, ResourceUpdatedNotification) and mode == "legacy":
            notified.put_nowait(str(message.params.uri))

    transport = stdio_client(workspace.server(*arguments), errlog=errors)
    async with Client(
        transport, mode=mode, message_handler=on_message, read_timeout_seconds=20, cache=None
    ) as client:
        connection = Connection(client, notified)
        await connection.begin()
        yield connection


async def offers(checks: Checks, connection: Connection) -> None:
    client = connection.client
    with checks.check("tools have schemas and annotations"):
        tools = {tool.name: tool for tool in (await client.list_tools()).tools}
        equal(sorted(tools), ["todo_read", "todo_write"])
        for tool in tools.values():
            equal(tool.input_schema["type"], "object")
            equal(tool.output_schema["type"], "object")
            equal(tool.annotations.open_world_hint, False)
            equal(tool.annotations.idempotent_hint, True)
        equal(tools["todo_read"].annotations.read_only_hint, True)
        equal(tools["todo_write"].annotations.read_only_hint, False)
        equal(tools["todo_write"].annotations.destructive_hint, True)
    with checks.check("another resource is not found"):
        try:
            await client.read_resource("maka://session/nobody/todo")
        except MCPError as error:
            assert "no such resource" in str(error), error
        else:
            raise AssertionError("it was read")


async def writes(checks: Checks, workspace: Workspace, connection: Connection) -> None:
    with checks.check("a list never written reads as empty"):
        equal(await connection.read(), [])
    with checks.check("three items are stored as raw SQL finds them"):
        result = await connection.write(THREE)
        equal(bool(result.is_error), False)
        equal(result.structured_content["items"], THREE)
        equal(workspace.stored(connection.session), THREE)
        equal(await connection.read(), THREE)
        equal(await connection.read_resource(), THREE)
    with checks.check("a write by another client brings one notification within a second"):
        async with connection.subscribed():
            workspace.write_as_another(connection.session, OTHER)
            await connection.one_update("another client's write")
            equal(await connection.read_resource(), OTHER)
    with checks.check("no notification after the subscription's end"):
        workspace.write_as_another(connection.session, THREE)
        await asyncio.sleep(0.5)
        equal(connection.notified.qsize(), 0)


async def projects(checks: Checks, workspace: Workspace, connection: Connection) -> None:
    with checks.check("a terminal escape is stored as it is and shown without its power"):
        items = [{"content": "red \x1b[31malert", "status": "pending"}]
        result = await connection.write(items)
        equal(workspace.stored(connection.session), items)
        equal(result.structured_content["items"], await connection.read_resource())
        for shown in (result.content[0].text, str(result.structured_content)):
            assert "alert" in shown, shown
            assert "\x1b" not in shown and "x1b" not in shown and "u001b" not in shown, shown


async def survives(checks: Checks, workspace: Workspace, connection: Connection) -> None:
    await connection.write(THREE)
    with checks.check("after SIGKILL of the Host the same client reads the same list"):
        before = workspace.kill_host()
        equal(await connection.read(), THREE)
        assert workspace.host_pid() != before
    # The server looks for a lost Host at least once a second: let it find this one.
    await asyncio.sleep(1.2)
    with checks.check("a subscription that comes back after SIGKILL says so, and hears again"):
        async with connection.subscribed():
            workspace.kill_host()
            equal(await connection.read_resource(), THREE)
            await connection.one_update("the recovered subscription")
            workspace.write_as_another(connection.session, OTHER)
            await connection.one_update("a write after the restart")
    with checks.check("a write right after SIGKILL is stored"):
        workspace.kill_host()
        equal(bool((await connection.write(THREE)).is_error), False)
        equal(workspace.stored(connection.session), THREE)


async def bounds(checks: Checks, workspace: Workspace, connection: Connection) -> None:
    with checks.check("the largest list passes both ways"):
        result = await connection.write(LARGEST)
        equal(bool(result.is_error), False)
        equal(workspace.stored(connection.session), LARGEST)
        equal(await connection.read(), LARGEST)
        equal(await connection.read_resource(), LARGEST)
    await connection.write(THREE)
    for name, items, expected in document_cases():
        try:
            json.dumps(items, ensure_ascii=False).encode()
        except UnicodeEncodeError:
            continue  # This client cannot send half of a surrogate pair; the Node client does.
        with checks.check(f"document case {name}"):
            result = await connection.write(items)
            equal(bool(result.is_error), "error" in expected)
            if "error" in expected:
                mendable(result, expected)
                equal(workspace.stored(connection.session), THREE)
            else:
                if "items" in expected.get("ok", {}):
                    equal(workspace.stored(connection.session), expected["ok"]["items"])
                await connection.write(THREE)


def mendable(result, expected: dict) -> None:
    """The text names the item and says what to do."""
    text = result.content[0].text
    if "item" in expected:
        assert f"item {expected['item']}" in text, text
    assert any(word in text for word in ("send", "use", "must", "say", "remove")), text
    equal(result.structured_content, None)


async def wrong_calls(checks: Checks, workspace: Workspace, connection: Connection) -> None:
    habits = {
        "id": [{"content": "x", "status": "pending", "id": "1"}],
        "priority": [{"content": "x", "status": "pending", "priority": "high"}],
        "activeForm": [{"content": "x", "status": "pending", "activeForm": "Doing x"}],
        "done": [{"content": "x", "status": "done"}],
        "PENDING": [{"content": "x", "status": "PENDING"}],
        "string": json.dumps(THREE),
        "item alone": THREE[0],
    }
    for name, items in habits.items():
        with checks.check(f"a list with {name} can be mended"):
            result = await connection.write(items)
            equal(bool(result.is_error), True)
            mendable(result, {})
            if name in ("id", "priority", "activeForm"):
                assert name in result.content[0].text, result.content[0].text
    for name, arguments in {"no arguments": None, "another key": {"items": THREE}}.items():
        with checks.check(f"todo_write with {name} can be mended"):
            result = await connection.client.call_tool("todo_write", arguments)
            equal(bool(result.is_error), True)
            assert "todos" in result.content[0].text, result.content[0].text
    for name in REMOVED:
        with checks.check(f"{name} is answered as removed"):
            result = await connection.client.call_tool(name, {})
            equal(bool(result.is_error), True)
            text = result.content[0].text
            assert "removed" in text and "todo_" in text, text
    with checks.check("nothing of all this changed the list"):
        equal(workspace.stored(connection.session), THREE)


async def conversation(checks: Checks, workspace: Workspace, mode: str, errors) -> None:
    async with connect(workspace, mode, errors, "--session-name", f"in {mode}") as connection:
        checks.report(f"speaks {connection.client.protocol_version}")
        await offers(checks, connection)
        await writes(checks, workspace, connection)
        await projects(checks, workspace, connection)
        await survives(checks, workspace, connection)
        await bounds(checks, workspace, connection)
        await wrong_calls(checks, workspace, connection)
        await connection.write([{"content": SECRET_WORD, "status": "pending"}])
        session = connection.session
    async with connect(workspace, mode, errors, "--session-name", f"in {mode}") as again:
        with checks.check("a later server of the same name serves the same Session"):
            equal(again.session, session)
            equal((await again.read())[0]["content"], SECRET_WORD)
    async with connect(workspace, mode, errors, "--session", session) as again:
        with checks.check("a server started with --session serves that Session"):
            equal(again.session, session)
    async with connect(workspace, mode, errors, "--new") as new:
        with checks.check("a server started with --new serves a Session of its own"):
            assert new.session != session
            equal(await new.read(), [])


def silent_on_content(checks: Checks, errors: io.TextIOBase) -> None:
    errors.seek(0)
    text = errors.read()
    with checks.check("standard error names the Session, found or made, and nothing of a list"):
        assert "found" in text and "made" in text, text
        for word in (SECRET_WORD, "inspect the owner", "\U00020000"):
            assert word not in text, text


async def main(maka: str) -> None:
    for mode in ("legacy", "2026-07-28", "auto"):
        checks = Checks(f"python mcp, {mode}")
        with Workspace(maka) as workspace, tempfile.TemporaryFile("w+", encoding="utf-8") as errors:
            try:
                await conversation(checks, workspace, mode, errors)
            except BaseException as error:
                checks.report("the conversation", repr(error))
                raise
            finally:
                errors.flush()
                silent_on_content(checks, errors)


if __name__ == "__main__":
    asyncio.run(main(sys.argv[1]))
