"""What the processes of Triton 3.9.0 and numba-cuda 0.30.4 have answered, in the place of these processes."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from gemmviz.compiler.python import run
from gemmviz.compiler.source import Source

DATA = Path(__file__).parents[2] / "data" / "languages"


def answer_from_data(monkeypatch: pytest.MonkeyPatch) -> dict[str, Any]:
    """Let every compilation be answered with the stored PTX; the dictionary has the last request."""
    asked: dict[str, Any] = {}

    def answer(source: Source, needed: str, request: dict[str, Any]) -> tuple[str, str]:
        assert needed.strip()
        asked.update(request)
        name = source.path.stem
        facts = json.loads((DATA / f"{name}.made.json").read_text(encoding="utf-8"))["facts"]
        return (DATA / f"{name}.made.ptx").read_text(encoding="utf-8"), json.dumps(facts)

    monkeypatch.setattr(run, "_run", answer)
    monkeypatch.setattr(run._Tool, "version", "stored")
    return asked
