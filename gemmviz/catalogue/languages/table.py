"""The languages besides CUDA C and OpenCL C, and which of them a kernel file is written in."""

from __future__ import annotations

from pathlib import Path

from gemmviz.catalogue.languages.cupy import COMPUTED_CUPY, CUPY
from gemmviz.catalogue.languages.numba_cuda import NUMBA_CUDA
from gemmviz.catalogue.languages.ptx import PTX
from gemmviz.catalogue.languages.row import LanguageError, LanguageRow
from gemmviz.catalogue.languages.triton import TRITON
from gemmviz.domain.terms import Language

_OF_PYTHON = (TRITON, NUMBA_CUDA, CUPY, COMPUTED_CUPY)
_ROWS = {row.language: row for row in (PTX, TRITON, NUMBA_CUDA, COMPUTED_CUPY)}
"""By the language that is compiled: a CuPy kernel whose source can be read is CUDA C."""
WHAT_PYTHON_MAY_HOLD = "a function decorated with triton.jit or numba.cuda.jit, or a call of cupy.RawKernel"


def row_of_file(path: Path, text: str, entry: str = "") -> LanguageRow | None:
    """The language of a kernel file, of a Python file that of the kernel `entry`; None for CUDA C, OpenCL C, and Python
    that has no GPU kernel in it.

    Raises:
        LanguageError: a Python file does not parse, or a file that it reads a source from cannot be read.
    """
    if path.suffix == ".ptx":
        return PTX
    if path.suffix != ".py":
        return None
    having = [(row, row.kernels(text, path)) for row in _OF_PYTHON]
    named = next((row for row, names in having if entry in names), None)
    return named or next((row for row, names in having if names), None)


def is_found_out_by_running(path: Path, text: str) -> bool:
    """Whether what the kernels of a file compute can be found out by running them: not those that Triton or Numba
    compile, nor of files without a GPU kernel, nor of empty ones.
    """
    if not text.strip():
        return False
    try:
        row = row_of_file(path, text)
    except LanguageError:
        return False
    if row is None:
        return path.suffix != ".py"
    return row.language is Language.CUPY or not row.language.is_python_to_compile


def row_of(language: Language) -> LanguageRow | None:
    """What is known of a language; None for one that gemmviz compiles itself."""
    return _ROWS.get(language)


__all__ = ["WHAT_PYTHON_MAY_HOLD", "LanguageError", "is_found_out_by_running", "row_of", "row_of_file"]
