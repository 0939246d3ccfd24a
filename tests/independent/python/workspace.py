"""A throwaway state root, the maka command in it, and its database read by another SQLite."""

import json
import os
import shutil
import signal
import sqlite3
import subprocess
import tempfile
from pathlib import Path

from mcp.client.stdio import StdioServerParameters

CASES = Path(__file__).resolve().parents[2] / "cases"


class Workspace:
    """A state root of its own; its Host is stopped and the folder removed at the end."""

    def __init__(self, maka: str) -> None:
        self.maka = maka
        self.root = Path(tempfile.mkdtemp(prefix="maka-independent-"))

    def __enter__(self) -> "Workspace":
        return self

    def __exit__(self, *_error) -> None:
        self.run("host", "stop", check=False)
        shutil.rmtree(self.root, ignore_errors=True)

    def run(self, *arguments: str, text: str | None = None, check: bool = True):
        """Runs one maka command to its end."""
        done = subprocess.run(
            [self.maka, "--root", str(self.root), *arguments],
            input=text, stdin=subprocess.DEVNULL if text is None else None,
            capture_output=True, encoding="utf-8", timeout=30, check=False,
        )
        if check and done.returncode != 0:
            raise AssertionError(f"maka {arguments[0]} ended with {done.returncode}: {done.stderr}")
        return done

    def server(self, *arguments: str) -> StdioServerParameters:
        """How a client starts `maka mcp` here."""
        return StdioServerParameters(
            command=self.maka, args=["--root", str(self.root), "mcp", *arguments], cwd=self.root
        )

    def stored(self, session: str) -> list:
        """The stored list, by raw SQL on the live file, which is not written."""
        uri = f"file:{self.root}/runtime.sqlite?mode=ro"
        with sqlite3.connect(uri, uri=True) as connection:
            row = connection.execute(
                "SELECT record_json FROM workflow_session_todo_documents WHERE session_id = ?",
                (session,),
            ).fetchone()
        connection.close()
        return None if row is None else json.loads(row[0])["items"]

    def write_as_another(self, session: str, items: list) -> None:
        """Replaces the list through a client of its own."""
        arguments = json.dumps({"todos": items})
        self.run("tool", "call", "todo_write", "--session", session, "--input", "-", text=arguments)

    def host_pid(self) -> int:
        return json.loads(self.run("host", "status", "--json").stdout)["pid"]

    def kill_host(self) -> int:
        """SIGKILLs the Host and gives the process id it had."""
        pid = self.host_pid()
        os.kill(pid, signal.SIGKILL)
        return pid


def build(value):
    """Makes the input of a case out of its generators."""
    if isinstance(value, list):
        return [build(item) for item in value]
    if not isinstance(value, dict):
        return value
    if "$repeat" in value:
        return build(value["$repeat"]) * value["times"]
    if "$concat" in value:
        return "".join(build(part) for part in value["$concat"])
    if "$items" in value:
        return [build(value["$items"]) for _ in range(value["times"])]
    return {key: build(inner) for key, inner in value.items()}


def document_cases() -> list:
    """The cases of the document, as (id, list, expectation)."""
    cases = json.loads((CASES / "document.json").read_text("utf-8"))["cases"]
    return [
        (
            case["id"],
            json.loads(case["input_json_text"]) if "input_json_text" in case else build(case["input"]),
            case["expect"],
        )
        for case in cases
    ]
