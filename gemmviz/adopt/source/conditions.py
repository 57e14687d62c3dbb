"""What holds where a launch stands."""

from __future__ import annotations

import ast
import re
from collections.abc import Sequence

_RUNTIME_CALL = re.compile(
    r"(?:cuda|hip)(?:Malloc|Memcpy|Memset|Free|Stream|Event|DeviceSynchronize|GetLastError|PeekAtLastError)\w*"
)
"""What host code calls and then leaves where it failed, which says nothing of sizes: `CHECK(cudaMalloc(…))`."""


def conditions_among(guards: Sequence[ast.expr]) -> list[ast.expr]:
    """What must hold for a launch, but for that calls of the runtime before it succeeded."""
    return [one for guard in guards for one in _conjuncts(guard) if not _is_runtime_check(one)]


def _is_runtime_check(node: ast.expr) -> bool:
    """Whether a condition is whether a call of the runtime succeeded; a tuple begins with what is called."""
    called = node.func if isinstance(node, ast.Call) else node.elts[0] if isinstance(node, ast.Tuple) else None
    return isinstance(called, ast.Name) and _RUNTIME_CALL.fullmatch(called.id) is not None


def _conjuncts(node: ast.expr) -> list[ast.expr]:
    """The conditions that hold where all of them do."""
    if isinstance(node, ast.BoolOp) and isinstance(node.op, ast.And):
        return [each for one in node.values for each in _conjuncts(one)]
    return [node]
