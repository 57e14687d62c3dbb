"""The error for CUDA C that is valid, and that gemmviz does not translate to OpenCL C."""

from __future__ import annotations

from gemmviz.backends.base import CompileError
from gemmviz.backends.dialect.tree import Node, SourceTree

_BEYOND = "beyond the CUDA C that gemmviz translates to OpenCL C"
_ELSEWHERE = "choose the PTX machine or an NVIDIA GPU as the device"


class BeyondDialectError(CompileError):
    """A kernel uses what only CUDA has; `use` says what, and on which line: "line 18 uses __shfl_down_sync"."""

    def __init__(self, message: str, use: str) -> None:
        super().__init__(message)
        self.use = use


def beyond(tree: SourceTree, node: Node, what: str, instead: str = "", *, are: bool = False) -> BeyondDialectError:
    """The error for `what`, with its place; `instead` says how OpenCL C does the same."""
    words = f"{what} {'are' if are else 'is'} {_BEYOND}: {instead or _ELSEWHERE}"
    use = f"line {tree.place(node)[0]} uses {what}"
    return BeyondDialectError(str(tree.fault(node, words)), f"{use} ({instead})" if instead else use)
