"""Compile what counts and checks accesses before a recording asks for it.

Started as `python -m gemmviz.engine.analysis.ahead STAGE`, with "awaited" behind it where somebody waits. Numba takes
up to a minute, once, and keeps the code on disk. A stage is one of two caches: the ordinary one, and one that confined
processes get a copy of, since what these have written themselves nobody else may read. The second begins as a copy of
the first.
"""

from __future__ import annotations

import os
import shutil
import sys
from contextlib import suppress
from importlib.metadata import version
from pathlib import Path

from platformdirs import user_cache_path

import gemmviz
from gemmviz.domain.files.atomic import WriteError, write_atomically
from gemmviz.domain.files.bounded_read import ReadError, read_text
from gemmviz.domain.files.leftovers import temporary_folder
from gemmviz.engine.worker_start import end_with_parent
from gemmviz.resources import cache_folder

ORDINARY, CONFINED = STAGES = ("ordinary", "confined")

AWAITED = "awaited"
"""The word for a process that somebody waits for, and that leaves the processor to nobody."""

_COPIED_FROM = ".copied-from"
_MOST_BYTES = 4096
_LOWEST_NICE, _IDLE_PRIORITY_CLASS = 19, 0x40
_RECORDED = {"tiled": (48, 48, 16), "cp_async": (128, 128, 16)}
"""Sizes of kernels whose recordings call most compiled functions: one with blocks that repeat each other, one with
asynchronous copies.
"""
_FAULTY = """/*---
title = "A race of blocks beside atomic operations, a read of what nothing wrote, and one out of bounds"
entry = "faulty"
[launch]
block = ["32"]
grid = ["2"]
---*/
extern "C" __global__ void faulty(const float *A, const float *B, float *C, int M, int N, int K)
{
    __shared__ volatile float unwritten[32];
    C[40] = 1.0f;
    __threadfence();
    atomicAdd(&C[threadIdx.x], *(volatile float *)&C[40] + unwritten[threadIdx.x ^ 1] + A[M * K + threadIdx.x]);
}
"""
"""A kernel whose recording calls the others."""


def missing_stage(folder: Path | None = None) -> str | None:
    """The first stage whose cache does not have everything yet, None where nothing is missing.

    `folder` is where it is remembered what was compiled, by default the user's.
    """
    return next((stage for stage in STAGES if not is_done(stage, folder)), None)


def is_done(stage: str, folder: Path | None = None) -> bool:
    """Whether everything was compiled for a stage, by this Numba and for these files."""
    return _remembered(_memory(folder) / stage) == _fingerprint()


def environment_of(stage: str) -> dict[str, str]:
    """The variables of the environment that a process which compiles for a stage needs beside those of this one."""
    return {"NUMBA_CACHE_DIR": str(_memory() / "numba")} if stage == CONFINED else {}


def copy_for_confined(numba_folder: Path, folder: Path | None = None) -> None:
    """Copy what was compiled for confined processes to where one of them looks, unless it is there or not made yet."""
    made_of = _remembered(_memory(folder) / CONFINED)
    if not made_of or _remembered(numba_folder / _COPIED_FROM) == made_of:
        return
    with suppress(OSError, WriteError):  # a kernel may have left links there, which are not followed
        if numba_folder.exists() or numba_folder.is_symlink():
            shutil.rmtree(numba_folder)
        shutil.copytree(_memory(folder) / "numba", numba_folder)
        _remember(numba_folder / _COPIED_FROM, made_of)


def copy_ordinary(numba_folder: Path) -> None:
    """Copy what the ordinary cache has to a folder that NUMBA_CACHE_DIR will name, but for what is there."""
    from numba.core.caching import _CacheLocator  # names the folders in it

    package, of_user = Path(gemmviz.__file__).parent, user_cache_path("numba", appauthor=False)
    for source in {path.parent for path in package.rglob("*.py")}:
        place = _CacheLocator.get_suitable_cache_subpath(source / "any.py")  # type: ignore[no-untyped-call]
        ordinary = [source / "__pycache__", of_user / place]
        for path in (path for suffix in ("nbc", "nbi") for kept in ordinary for path in kept.glob(f"*.{suffix}")):
            copy = numba_folder / place / path.name
            if not copy.exists():
                copy.parent.mkdir(parents=True, exist_ok=True)
                shutil.copy2(path, copy)


def compile_all() -> None:
    """Record small kernels on the PTX machine, so that all functions are compiled or found on disk.

    Raises:
        BackendError, RecordingRefusal: the machine or its compiler is missing here.
    """
    from gemmviz.backends.registry import find_device
    from gemmviz.catalogue.loader import load_catalogue, load_user_kernel
    from gemmviz.domain.shape import Shape
    from gemmviz.engine.messages import Conditions, Job
    from gemmviz.engine.recording import record
    from gemmviz.measure.bench import Watch

    catalogue, device = load_catalogue(), find_device("machine")
    with temporary_folder() as folder:
        path = folder / "faulty.cu"
        path.write_text(_FAULTY, encoding="utf-8")
        kernels = [(catalogue.get(name), size) for name, size in _RECORDED.items()]
        for kernel, size in (*kernels, (load_user_kernel(path), (8, 8, 8))):
            record(Job(kernel, kernel.params({})), Conditions(Shape(*size)), device, (), Watch())


def main(stage: str, *words: str) -> None:
    """Compile for a stage, at the lowest priority unless it is AWAITED, and remember that it is done."""
    end_with_parent(os.getppid())
    if AWAITED not in words:
        _step_back()
    made_of = _fingerprint()
    if stage == CONFINED:
        with suppress(ImportError, AttributeError, OSError):  # without the copy Numba compiles all of it again
            copy_ordinary(_memory() / "numba")
    compile_all()
    _remember(_memory() / stage, made_of)


def _step_back() -> None:
    """Leave the processor to whatever else wants it."""
    if sys.platform == "win32":
        import ctypes

        kernel = ctypes.windll.kernel32
        kernel.SetPriorityClass(kernel.GetCurrentProcess(), _IDLE_PRIORITY_CLASS)
    else:
        os.nice(_LOWEST_NICE)


def _fingerprint() -> str:
    """What the compiled code depends on: the interpreter, Numba, and the files that hold the functions."""
    package = Path(gemmviz.__file__).parent
    files = [path.stat() for path in (package / "trace").rglob("*.py")]
    newest = max((one.st_mtime_ns for one in files), default=0)
    words = (sys.executable, sys.version, version("numba"), gemmviz.__version__, package, len(files), newest)
    return "\n".join(str(word) for word in words)


def _memory(folder: Path | None = None) -> Path:
    return folder or cache_folder("analysis")


def _remembered(path: Path) -> str:
    try:
        return read_text(path, _MOST_BYTES)
    except ReadError:
        return ""


def _remember(path: Path, words: str) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    write_atomically(path, lambda file: file.write(words.encode()), sync=False)


if __name__ == "__main__":
    main(*sys.argv[1:])
