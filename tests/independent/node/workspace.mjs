// A throwaway state root and the maka command in it.

import { execFile, spawn } from "node:child_process";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";

const run = promisify(execFile);

export class Workspace {
  static async make(maka) {
    return new Workspace(maka, await mkdtemp(join(tmpdir(), "maka-independent-")));
  }

  constructor(maka, root) {
    this.maka = maka;
    this.root = root;
  }

  /** Runs one maka command to its end and gives its standard output. */
  async run(...args) {
    const { stdout } = await run(this.maka, ["--root", this.root, ...args], { timeout: 30_000 });
    return stdout;
  }

  /** Replaces the list through a client of its own. */
  async writeAsAnother(session, todos) {
    const args = ["--root", this.root, "tool", "call", "todo_write", "--session", session];
    const child = spawn(this.maka, [...args, "--input", "-"], { stdio: ["pipe", "ignore", "inherit"] });
    child.stdin.end(JSON.stringify({ todos }));
    const code = await new Promise((resolve) => child.on("exit", resolve));
    if (code !== 0) throw new Error(`maka tool call ended with ${code}`);
  }

  async remove() {
    await this.run("host", "stop").catch(() => {});
    await rm(this.root, { recursive: true, force: true });
  }
}
