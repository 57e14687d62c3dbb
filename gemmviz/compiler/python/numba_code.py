"""PTX of a Numba kernel, by numba-cuda's own compiler; no GPU is needed."""

from __future__ import annotations

import re
from importlib import import_module, metadata
from types import ModuleType
from typing import Any

from gemmviz.compiler.python.process import KernelError

_ARRAY = re.compile(r"array\((?P<element>\w+), (?P<order>[CF])\)")


def compile_numba(module: ModuleType, request: dict[str, Any]) -> tuple[str, dict[str, Any]]:
    """The PTX of the kernel that a request names, for the types that it gives.

    Raises:
        KernelError: the kernel is at fault; with its line.
    """
    from numba.core.errors import NumbaError

    compile_ptx = import_module("numba.cuda").compile_ptx
    kernel = getattr(module, request["entry"])
    types = tuple(_type(words) for words in request["types"])
    options = {name: value for name, value in kernel.targetoptions.items() if name in ("fastmath", "opt")}
    capability = divmod(request["capability"], 10)
    try:
        ptx, _ = compile_ptx(kernel.py_func, types, cc=capability, lineinfo=True, **options)
    except NumbaError as error:
        raise KernelError(_said(error), _line_of(error)) from error
    return ptx, {"maker": "numba-cuda", "release": metadata.version("numba-cuda"), "symbol": "", "shared_bytes": 0}


def _type(words: str) -> Any:
    """A type by its name: "int64", or "array(float32, C)" for a matrix and the order of its axes in memory."""
    from numba.core import types

    array = _ARRAY.fullmatch(words)
    return (
        types.Array(getattr(types, array["element"]), 2, "C" if array["order"] == "C" else "F")
        if array
        else getattr(types, words)
    )


def _said(error: Any) -> str:
    """The first sentences of what Numba says, which repeats itself, and the source, at length."""
    lines = [line.strip() for line in str(error).splitlines() if line.strip()]
    wanted = [line for line in lines if not line.startswith(("Failed in", "During:", "File ", "def ", "<source", "-"))]
    return " ".join(wanted[:2]) or str(error)


def _line_of(error: Any) -> int:
    place = getattr(error, "loc", None)
    return int(place.line) if place is not None else 0
