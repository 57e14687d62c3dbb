"""Programs of the CUDA toolkit: where they are, and the disassembler."""

from __future__ import annotations

import hashlib
import importlib.util
import os
import shutil
import sys
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

from gemmviz.compiler.code_cache import CodeCache
from gemmviz.compiler.nvidia.wheels import wheel_folders
from gemmviz.domain.files.leftovers import temporary_folder
from gemmviz.domain.processes import child_process
from gemmviz.resources import cache_folder

_DISASSEMBLY_LIMIT_S = 60.0


def find_tool(name: str) -> Path | None:
    """A program of the CUDA toolkit: on PATH, in CUDA_HOME or CUDA_PATH, where the toolkit or pip puts it."""
    on_path = shutil.which(name)
    if on_path is not None:
        return Path(on_path)
    return next((found for folder in _folders() if (found := _in(folder, name)) is not None), None)


def ptxas_choices() -> list[Path]:
    """NVIDIA's assemblers of PTX: the toolkit's, pip's, and those that Triton brings."""
    triton = importlib.util.find_spec("triton")
    places = triton.submodule_search_locations if triton is not None else None
    folders = [Path(place) / "backends" / "nvidia" / "bin" for place in places or ()]
    found = [find_tool("ptxas"), *(_in(folder / "bin", "ptxas") for folder in wheel_folders())]
    found += [_in(folder, name) for folder in folders for name in ("ptxas-blackwell", "ptxas")]
    return list(dict.fromkeys(path for path in found if path is not None))


def _folders() -> Iterator[Path]:
    for variable in ("CUDA_HOME", "CUDA_PATH"):
        if os.environ.get(variable):
            yield Path(os.environ[variable]) / "bin"
    yield from (Path("/usr/local/cuda/bin"), Path("/opt/cuda/bin"))
    yield from (folder / "bin" for folder in wheel_folders())


def _in(folder: Path, name: str) -> Path | None:
    path = folder / (f"{name}.exe" if sys.platform == "win32" else name)
    return path if path.is_file() else None


def disassemble(cubin: bytes) -> str | None:
    """The machine code as text (SASS) with the source line of each instruction; None without nvdisasm or cuobjdump.
    It is remembered on disk: nvdisasm takes most of a second.
    """
    memory = CodeCache(cache_folder("sass"))
    key = hashlib.sha256(b"\0".join((b"sass with inlined lines", cubin))).hexdigest()[:40]
    known = memory.recall(key)
    if known is not None:
        return known[2]
    sass = _disassembled(cubin)
    if sass is not None:
        memory.remember(key, (b"", "", sass))
    return sass


def _disassembled(cubin: bytes) -> str | None:
    ours = (_in(folder / "bin", "nvdisasm") for folder in wheel_folders())
    of_wheel = next((path for path in ours if path is not None), None)
    tools = ((of_wheel, ["-c", "-gi"]), (find_tool("nvdisasm"), ["-c", "-gi"]), (find_tool("cuobjdump"), ["-sass"]))
    for path, options in tools:
        if path is None:
            continue
        with temporary_folder() as folder:
            file = folder / "kernel.cubin"
            file.write_bytes(cubin)
            with suppress(OSError):
                done = child_process.run([str(path), *options, str(file)], _DISASSEMBLY_LIMIT_S, leftovers=[folder])
                if done.returncode == 0 and done.stdout:
                    return done.stdout
    return None
