"""A kernel file that is Python, as a module."""

from __future__ import annotations

import importlib.util
import sys
from importlib.abc import SourceLoader
from types import ModuleType

from gemmviz.backends.base import CompileError, Source


class _TextLoader(SourceLoader):
    """Loads the text that was read already: what runs is what the catalogue has seen."""

    def __init__(self, source: Source) -> None:
        self._source = source

    def get_filename(self, fullname: str) -> str:
        del fullname
        return str(self._source.path)

    def get_data(self, path: str | bytes) -> bytes:
        del path
        return self._source.text.encode()


def load_module(source: Source) -> ModuleType:
    """The source as a new module.

    Raises:
        CompileError: it cannot be imported.
    """
    name = f"gemmviz_kernel_{source.path.stem}"
    loader = _TextLoader(source)
    spec = importlib.util.spec_from_file_location(name, source.path, loader=loader)
    if spec is None:
        raise CompileError(f"{source.path}: is not a Python file")
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module  # Numba's cache finds a function again by the name of its module
    try:
        loader.exec_module(module)
    except Exception as error:
        del sys.modules[name]
        raise CompileError(f"{source.path}: cannot be imported: {error}") from error
    return module
