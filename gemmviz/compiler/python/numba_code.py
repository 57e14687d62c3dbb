"""PTX of a Numba kernel, by numba-cuda's own compiler; no GPU is needed."""

from __future__ import annotations

import re
from importlib import import_module, metadata
from pathlib import Path
from types import ModuleType, SimpleNamespace
from typing import Any

from gemmviz.compiler.python.kernel_error import KernelError

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
    _prepare_device_functions(module, capability)
    try:
        ptx, _ = compile_ptx(kernel.py_func, types, cc=capability, lineinfo=True, **options)
    except Exception as error:
        line = line_of(error, str(module.__file__))
        if isinstance(error, NumbaError) or line:
            raise KernelError(said(str(error)), line) from error
        raise
    return ptx, {"maker": "numba-cuda", "release": metadata.version("numba-cuda"), "symbol": "", "shared_bytes": 0}


def _prepare_device_functions(module: ModuleType, capability: tuple[int, int]) -> None:
    """Let functions that the kernel calls be compiled as the kernel is: with their lines, for the same capability.

    Numba compiles them for the current GPU, and there may be none.
    """
    dispatcher: Any = import_module("numba.cuda.dispatcher")
    dispatcher.get_current_device = lambda: SimpleNamespace(compute_capability=capability)
    for one in vars(module).values():
        if isinstance(one, dispatcher.CUDADispatcher):
            one.targetoptions["lineinfo"] = True


def _type(words: str) -> Any:
    """A type by its name: "int64", or "array(float32, C)" for a matrix and the order of its axes in memory."""
    from numba.core import types

    array = _ARRAY.fullmatch(words)
    return (
        types.Array(getattr(types, array["element"]), 2, "C" if array["order"] == "C" else "F")
        if array
        else getattr(types, words)
    )


def said(words: str) -> str:
    """The first sentence of what Numba says, which repeats itself, and the source, at length; with the call that it
    found no implementation for.
    """
    lines = [line.strip() for line in words.splitlines() if line.strip()]
    wanted = [line for line in lines if not line.startswith(("Failed in", "During:", "File ", "def ", "<source", "-"))]
    first = wanted[0].removeprefix("NameError: ") if wanted else words
    call = next((line.removeprefix(">>> ") for line in wanted if line.startswith(">>> ")), "")
    return f"{first} {call}" if first.endswith(":") else first


def line_of(error: BaseException, file: str) -> int:
    """The line of the file that Numba was at when it raised an error, else the first that its message names; 0 for
    none. Its own functions hold the place in the source (`Loc`) that they work on; the innermost one counts.
    """
    at = 0
    trace = error.__traceback__
    while trace is not None:
        for one in tuple(trace.tb_frame.f_locals.values()):
            loc: Any = one if type(one).__name__ == "Loc" else getattr(one, "loc", None)
            if type(loc).__name__ == "Loc" and str(loc.filename) == file:
                at = loc.line
        trace = trace.tb_next
    if at:
        return at
    words = str(error)
    named = re.findall(rf'File "{re.escape(file)}", line (\d+)', words)
    named += re.findall(rf"\b{re.escape(Path(file).name)}\s*\((\d+)\)", words)
    return int(named[0]) if named else 0
