"""One line a check, for run.sh to count."""

import asyncio
import contextlib
import sys
import traceback


class Checks:
    """Counts what held and what did not."""

    def __init__(self, client: str) -> None:
        self.client = client

    def report(self, name: str, fault: str | None = None) -> None:
        if fault is None:
            print(f"ok      {self.client}: {name}", flush=True)
        else:
            print(f"FAILED  {self.client}: {name}: {fault}", flush=True)

    @contextlib.contextmanager
    def check(self, name: str):
        """Holds if the block ends without an exception."""
        try:
            yield
        except Exception as error:
            traceback.print_exc(file=sys.stderr)
            self.report(name, f"{type(error).__name__}: {error}"[:600])
        else:
            self.report(name)


def equal(found, expected) -> None:
    """Fails with both sides named."""
    if found != expected:
        raise AssertionError(f"found {str(found)[:250]}, expected {str(expected)[:250]}")


async def within(seconds: float, what: str, awaitable):
    """Awaits, and names what did not come in time."""
    try:
        return await asyncio.wait_for(awaitable, seconds)
    except TimeoutError:
        raise AssertionError(f"no {what} within {seconds} s") from None
