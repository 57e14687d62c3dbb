"""When files were looked at last, so that a look at many reads those alone that changed since."""

from __future__ import annotations

import os
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path


@contextmanager
def look(mark: Path) -> Iterator[int]:
    """While files are looked at, all whose `changed_ns` is not below what this yields: when the last look began that
    was made under this mark, 0 where there was none since the computer was started. A crash may leave files that
    differ and do not tell. Nothing is remembered of a look that raises.
    """
    begun, since_ns = mark.with_name(f"tempfile_{mark.name}-{os.getpid()}"), 0
    with suppress(OSError):
        begun.write_bytes(b"")  # `touch` makes no file in the sandbox, where setting a file's time does nothing
        marked_ns = mark.stat().st_mtime_ns
        since_ns = marked_ns if marked_ns > time.time_ns() - time.monotonic_ns() else 0
    yield since_ns
    with suppress(OSError):
        begun.replace(mark)


def changed_ns(status: os.stat_result) -> int:
    """When a file or its name was changed, as time.time_ns()."""
    return max(status.st_mtime_ns, status.st_ctime_ns)
