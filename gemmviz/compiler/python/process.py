"""The process that a Python file runs in: `python -m gemmviz.compiler.python.process FOLDER`, started by `run.py`.

FOLDER holds request.json and the file; what comes of it goes there too: kernel.ptx and facts.json, or fault.json.
"""

from __future__ import annotations

import contextlib
import importlib.util
import json
import sys
import traceback
from collections.abc import Callable
from pathlib import Path
from types import ModuleType
from typing import Any

from gemmviz.compiler.nvidia.nvrtc_process import limit_memory
from gemmviz.compiler.python.kernel_error import KernelError

Compile = Callable[[ModuleType, dict[str, Any]], tuple[str, dict[str, Any]]]
"""From the module and the request to PTX, and what is said of it: its maker's `release`, at least."""
FAULT, FACTS, CODE = "fault.json", "facts.json", "kernel.ptx"
MODULE = "gemmviz_kernel"


def main(folder: Path) -> None:
    """Compile the kernel that the request in a folder names."""
    request = json.loads((folder / "request.json").read_text(encoding="utf-8"))
    limit_memory(request["memory_bytes"])
    file = folder / request["file"]
    try:
        compile_kernel = _compiler(request["language"])
        ptx, facts = compile_kernel(_module(file), request)
    except BaseException as error:  # noqa: BLE001 - whatever the file or the compiler raises is told, SystemExit as well
        fault = {"words": _words(error), "line": _line(error, file), "missing": _missing(error)}
        (folder / FAULT).write_text(json.dumps(fault), encoding="utf-8")
        return
    (folder / CODE).write_text(ptx, encoding="utf-8")
    (folder / FACTS).write_text(json.dumps(facts), encoding="utf-8")


def _compiler(language: str) -> Compile:
    if language == "triton":
        from gemmviz.compiler.python.triton_code import compile_triton

        return compile_triton
    if language == "cupy":
        from gemmviz.compiler.python.cupy_calls import source_given, stand_in_for_cupy

        stand_in_for_cupy()
        return source_given
    from gemmviz.compiler.python.numba_code import compile_numba

    return compile_numba


def _module(file: Path) -> ModuleType:
    """The file as a module; it has what the kernel needs and nothing else."""
    spec = importlib.util.spec_from_file_location(MODULE, file)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[MODULE] = module
    spec.loader.exec_module(module)
    return module


def _words(error: BaseException) -> str:
    words = str(error).strip()
    if not isinstance(error, Exception):
        return f"it ends the process that runs it ({type(error).__name__}): take that out, or put it under __main__"
    if isinstance(error, KernelError):
        return words
    return f"{type(error).__name__}: {words}" if words else type(error).__name__


def _line(error: BaseException, file: Path) -> int:
    """The line of the file that an error comes from, 0 for none."""
    if isinstance(error, KernelError) and error.line:
        return error.line
    if isinstance(error, SyntaxError):
        return error.lineno or 0
    frames = [frame for frame in traceback.extract_tb(error.__traceback__) if frame.filename == str(file)]
    return (frames[-1].lineno or 0) if frames else 0


def _missing(error: BaseException) -> str:
    """The module that is not installed, "" where something else is wrong."""
    return (error.name or "") if isinstance(error, ModuleNotFoundError) else ""


if __name__ == "__main__":
    with contextlib.suppress(BrokenPipeError):
        main(Path(sys.argv[1]))
