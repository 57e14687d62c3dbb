"""A kernel file that is Python, as a module."""

from __future__ import annotations

import importlib.util
import sys
from types import ModuleType

from gemmviz.backends.base import CompileError, Source


def load_module(source: Source) -> ModuleType:
    """Import the file anew.

    Raises:
        CompileError: it cannot be imported.
    """
    name = f"gemmviz_kernel_{source.path.stem}"
    spec = importlib.util.spec_from_file_location(name, source.path)
    if spec is None or spec.loader is None:
        raise CompileError(f"{source.path}: is not a Python file")
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module  # Numba's cache finds a function again by the name of its module
    try:
        spec.loader.exec_module(module)
    except Exception as error:
        del sys.modules[name]
        raise CompileError(f"{source.path}: cannot be imported: {error}") from error
    return module
