"""Stands in for CuPy in the process that a Python file runs in: it keeps what RawKernel and RawModule are given.

CuPy itself needs a GPU. Whatever else of it a file names is NumPy's, or does nothing.
"""

from __future__ import annotations

import json
import sys
from dataclasses import dataclass, field
from types import ModuleType
from typing import Any

import numpy as np

from gemmviz.compiler.python.kernel_error import KernelError


@dataclass(slots=True)
class CuPyArguments:
    """What calls of RawKernel and RawModule were given: sources, options, and the name of a RawKernel's function."""

    calls: list[tuple[str, tuple[str, ...], str]] = field(default_factory=list)


_GIVEN = CuPyArguments()


class Nothing:
    """Does nothing, whatever is asked of it."""

    def __getattr__(self, name: str) -> Nothing:
        if name.startswith("__"):
            raise AttributeError(name)
        return self

    def __call__(self, *given: Any, **named: Any) -> Nothing:
        del given, named
        return self


class RawKernel(Nothing):
    """Keeps what it is given."""

    def __init__(self, code: str, name: str, options: Any = (), *more: Any, **named: Any) -> None:
        del more, named
        _GIVEN.calls.append((code, tuple(options or ()), name))


class RawModule(Nothing):
    """Keeps what it is given."""

    def __init__(self, code: str | None = None, options: Any = (), *more: Any, **named: Any) -> None:
        del more, named
        if code is not None:
            _GIVEN.calls.append((code, tuple(options or ()), ""))


class _CuPy(ModuleType):
    def __getattr__(self, name: str) -> Any:
        if name.startswith("__"):
            raise AttributeError(name)
        return getattr(np, name, Nothing())


def stand_in_for_cupy() -> None:
    """Let `import cupy` give the module that stands in for it."""
    module = _CuPy("cupy")
    vars(module).update(RawKernel=RawKernel, RawModule=RawModule)
    sys.modules["cupy"] = module


def source_given(module: ModuleType, request: dict[str, Any]) -> tuple[str, dict[str, Any]]:
    """The CUDA C that defines the kernel which a request names, and as `options` what its compiler is told.

    Raises:
        KernelError: the file gives CuPy no such source, or several.
    """
    from gemmviz.catalogue.kernel_functions import kernel_functions

    del module
    entry = request["entry"].partition("<")[0]
    found = [
        (code, options)
        for code, options, name in _GIVEN.calls
        if isinstance(code, str) and entry in ((name,) if name else kernel_functions(code))
    ]
    different = list(dict.fromkeys(found))
    if not different:
        raise KernelError(f"no source that the file gives to RawKernel or RawModule when it runs defines {entry!r}")
    if len(different) > 1:
        raise KernelError(
            f"the file gives {len(different)} different sources of {entry!r} to RawKernel or RawModule when it runs: "
            "leave one of them, or give their kernels different names"
        )
    code, options = different[0]
    return code, {"options": json.loads(json.dumps(options))}
