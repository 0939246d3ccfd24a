// The protocol's TypeScript SDK against `maka mcp`, in both of its generations: the first speaks
// the revisions with a handshake, the second the present one.

import assert from "node:assert/strict";
import * as second from "@modelcontextprotocol/client";
import { StdioClientTransport as SecondTransport } from "@modelcontextprotocol/client/stdio";
import { Client as FirstClient } from "@modelcontextprotocol/sdk/client/index.js";
import { StdioClientTransport as FirstTransport } from "@modelcontextprotocol/sdk/client/stdio.js";
import { ResourceUpdatedNotificationSchema } from "@modelcontextprotocol/sdk/types.js";
import { Checks } from "./checks.mjs";
import { Workspace } from "./workspace.mjs";

const INFO = { name: "typescript-probe", version: "1" };

const GENERATIONS = [
  {
    name: "typescript sdk",
    Transport: FirstTransport,
    make: () => new FirstClient(INFO),
    onUpdate: (client, hear) => client.setNotificationHandler(ResourceUpdatedNotificationSchema, hear),
    subscribe: async (client, uri) => {
      await client.subscribeResource({ uri });
      return () => client.unsubscribeResource({ uri });
    },
  },
  {
    name: "typescript client 2",
    Transport: SecondTransport,
    make: () => new second.Client(INFO, { versionNegotiation: { mode: { pin: "2026-07-28" } } }),
    onUpdate: (client, hear) => client.setNotificationHandler("notifications/resources/updated", hear),
    subscribe: async (client, uri) => {
      const subscription = await client.listen({ resourceSubscriptions: [uri] });
      assert.deepEqual(subscription.honoredFilter, { resourceSubscriptions: [uri] });
      return () => subscription.close();
    },
  },
];

const THREE = [
  { content: "inspect the owner", status: "completed" },
  { content: "run the tests — 二度", status: "in_progress" },
  { content: "write it down", status: "pending" },
];
const OTHER = [{ content: "from another client", status: "pending" }];
const LARGEST = Array.from({ length: 200 }, () => ({
  content: "\u{20000}".repeat(200),
  status: "in_progress",
}));
const pause = (ms) => new Promise((resolve) => setTimeout(resolve, ms));

async function converse(generation) {
  const checks = new Checks(generation.name);
  const workspace = await Workspace.make(process.argv[2]);
  const errors = [];

  const transport = new generation.Transport({
    command: workspace.maka,
    args: ["--root", workspace.root, "mcp", "--session-name", "typescript"],
    stderr: "pipe",
  });
  transport.stderr?.on("data", (chunk) => errors.push(chunk.toString()));
  const client = generation.make();
  const complaints = [];
  client.onerror = (error) => complaints.push(String(error));
  const updated = [];
  generation.onUpdate(client, (notification) => {
    updated.push(notification.params.uri);
  });

  const call = (name, args) => client.callTool({ name, arguments: args });
  const write = (todos) => call("todo_write", { todos });
  const text = (result) => result.content[0].text;

  async function mendable(result, pattern) {
    assert.equal(result.isError, true);
    assert.match(text(result), pattern);
    assert.equal(result.structuredContent, undefined);
    assert.deepEqual((await call("todo_read", {})).structuredContent.items, THREE);
  }

  try {
    await client.connect(transport);
    let uri;
    let session;

    await checks.check("the server says who it is and what it offers", () => {
      assert.equal(client.getServerVersion().name, "maka");
      assert.deepEqual(client.getServerCapabilities(), { tools: {}, resources: { subscribe: true } });
    });

    await checks.check("the tools are listed with schemas that the SDK can compile", async () => {
      const { tools } = await client.listTools();
      assert.deepEqual(tools.map((tool) => tool.name).sort(), ["todo_read", "todo_write"]);
      for (const tool of tools) {
        assert.equal(tool.inputSchema.type, "object");
        assert.equal(tool.outputSchema.type, "object");
        assert.equal(tool.annotations.openWorldHint, false);
      }
    });

    await checks.check("the resource is listed with name, title and type", async () => {
      const { resources } = await client.listResources();
      assert.equal(resources.length, 1);
      [{ uri }] = resources;
      session = uri.split("/")[3];
      assert.equal(uri, `maka://session/${session}/todo`);
      assert.equal(resources[0].name, "todo");
      assert.equal(resources[0].title, "Todo of typescript");
      assert.equal(resources[0].mimeType, "application/json");
    });

    await checks.check("a written list comes back, valid by its output schema", async () => {
      const written = await write(THREE);
      assert.ok(!written.isError, text(written));
      assert.deepEqual(written.structuredContent.items, THREE);
      const read = await call("todo_read", {});
      assert.deepEqual(read.structuredContent.counts, { pending: 1, in_progress: 1, completed: 1 });
      const { contents } = await client.readResource({ uri });
      assert.deepEqual(JSON.parse(contents[0].text), read.structuredContent);
    });

    await checks.check("a subscriber hears once of another client's write within a second", async () => {
      const unsubscribe = await generation.subscribe(client, uri);
      await workspace.writeAsAnother(session, OTHER);
      const limit = Date.now() + 1000;
      while (updated.length === 0 && Date.now() < limit) await pause(5);
      assert.deepEqual(updated, [uri]);
      await pause(500);
      assert.deepEqual(updated, [uri]);
      await unsubscribe();
      await workspace.writeAsAnother(session, THREE);
      await pause(300);
      assert.deepEqual(updated, [uri]);
    });

    await checks.check("the largest list passes both ways", async () => {
      assert.deepEqual((await write(LARGEST)).structuredContent.items, LARGEST);
      assert.deepEqual((await call("todo_read", {})).structuredContent.items, LARGEST);
      await write(THREE);
    });

    await checks.check("half of a surrogate pair is refused so that a model can mend it", async () => {
      await mendable(await write([{ content: "a\ud800b", status: "pending" }]), /surrogate/);
    });
    await checks.check("a list as a string is refused so that a model can mend it", async () => {
      await mendable(await call("todo_write", { todos: JSON.stringify(THREE) }), /array/);
    });
    await checks.check("201 items are refused so that a model can mend it", async () => {
      const todos = Array.from({ length: 201 }, () => THREE[0]);
      await mendable(await call("todo_write", { todos }), /200/);
    });
    await checks.check("a removed tool names its successor", async () => {
      await mendable(await call("task_create", { subject: "x" }), /removed.*todo_write/);
    });
    await checks.check("another resource is refused by its name", async () => {
      await assert.rejects(client.readResource({ uri: "maka://session/nobody/todo" }), /no such resource/);
    });
    await checks.check("the SDK had nothing to complain of", () => assert.deepEqual(complaints, []));
  } finally {
    const begun = Date.now();
    await client.close();
    await checks.check("the server ends by itself when its input ends", () => {
      assert.ok(Date.now() - begun < 1500, `it took ${Date.now() - begun} ms`);
    });
    await checks.check("standard error holds nothing of a list", () => {
      const said = errors.join("");
      assert.match(said, /typescript/);
      for (const { content } of THREE) assert.ok(!said.includes(content), said);
    });
    await workspace.remove();
  }
}

for (const generation of GENERATIONS) await converse(generation);
