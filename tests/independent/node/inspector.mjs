// The inspector's command line against `maka mcp`: one process a question.

import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { Checks } from "./checks.mjs";
import { Workspace } from "./workspace.mjs";

const run = promisify(execFile);
const inspector = fileURLToPath(new URL("node_modules/.bin/mcp-inspector-cli", import.meta.url));
const checks = new Checks("inspector cli");
const workspace = await Workspace.make(process.argv[2]);

async function ask(...question) {
  const server = [workspace.maka, "mcp", "-e", `MAKA_ROOT=${workspace.root}`];
  const { stdout } = await run(process.execPath, [inspector, "--cli", ...server, ...question], {
    cwd: workspace.root,
    timeout: 60_000,
  });
  return JSON.parse(stdout);
}

const called = (name, ...args) =>
  ask("--method", "tools/call", "--tool-name", name, ...args.flatMap((arg) => ["--tool-arg", arg]));

try {
  await checks.check("tools/list", async () => {
    const { tools } = await ask("--method", "tools/list");
    assert.deepEqual(tools.map((tool) => tool.name).sort(), ["todo_read", "todo_write"]);
  });
  const todos = [{ content: "look at it", status: "pending" }];
  await checks.check("tools/call todo_write", async () => {
    const result = await called("todo_write", `todos=${JSON.stringify(todos)}`);
    assert.ok(!result.isError, JSON.stringify(result));
    assert.deepEqual(result.structuredContent.items, todos);
  });
  await checks.check("tools/call todo_read, by another server of the same folder's name", async () => {
    assert.deepEqual((await called("todo_read")).structuredContent.items, todos);
  });
  await checks.check("resources/list and resources/read", async () => {
    const { resources } = await ask("--method", "resources/list");
    const { contents } = await ask("--method", "resources/read", "--uri", resources[0].uri);
    assert.deepEqual(JSON.parse(contents[0].text).items, todos);
  });
} finally {
  await workspace.remove();
}
