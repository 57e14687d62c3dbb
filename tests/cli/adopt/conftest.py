"""What the tests of `gemmviz adopt` share: a file is looked at once, however often the command is called for it and for
copies of it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from gemmviz.adopt.confined import look_confined
from gemmviz.adopt.finding import Findings
from gemmviz.cli.adopt import report


@pytest.fixture(scope="module", autouse=True)
def _looked_at_once() -> Iterator[None]:
    known: dict[object, Findings] = {}

    def look_once(file: Path, entry: str, limit_s: float, heard: Callable[..., None], **named: Any) -> Findings:
        options = tuple(sorted((name, one) for name, one in named.items() if name not in ("on_part", "began_at")))
        asked = (file.name, file.read_bytes() if file.is_file() else b"", entry, limit_s, options)
        if asked not in known:
            known[asked] = look_confined(file, entry, limit_s, heard, **named)
        return known[asked]

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(report, "look_confined", look_once)
        yield
