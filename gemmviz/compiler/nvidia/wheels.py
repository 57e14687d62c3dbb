"""Where pip put NVIDIA's compiler: its library and its headers."""

from __future__ import annotations

import importlib.util
import re
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from importlib import metadata
from pathlib import Path

from gemmviz.compiler.source import CompilerMissingError

_LIBRARIES = ("lib/libnvrtc.so.*", "bin/x86_64/nvrtc64_*_0.dll", "bin/nvrtc64_*_0.dll")
_OF_CUDA = re.compile(r"cu\d+")
"""The folder that the wheels of a CUDA release share, from 13 on; older ones have one each, and their headers apart."""
_PACKAGES = {
    "nvrtc": "nvidia-cuda-nvrtc",
    "cuda_fp16.h": "nvidia-cuda-runtime",
    "crt": "nvidia-cuda-crt",
    "cccl": "nvidia-cuda-cccl",
}
NO_WHEEL = "NVIDIA's compiler (NVRTC) exists for Linux and Windows only: this system cannot compile for a GPU"


@dataclass(frozen=True, slots=True)
class Nvrtc:
    """NVIDIA's run-time compiler: the library, folders of headers.

    `version` is that of the wheel ("13.5.37"), `release` its first two numbers ("13.5").
    """

    library: Path
    headers: tuple[Path, ...]
    version: str

    @property
    def release(self) -> str:
        return ".".join(self.version.split(".")[:2])


def find_nvrtc() -> Nvrtc:
    """The compiler that pip installed.

    Raises:
        CompilerMissingError: a part of it is missing; which, and how to get it.
    """
    folder = next((each for each in wheel_folders() if _OF_CUDA.fullmatch(each.name) and any(_libraries(each))), None)
    include = folder / "include" if folder is not None else Path()
    missing = [
        name
        for name, is_there in (
            (_PACKAGES["nvrtc"], folder is not None),
            (_PACKAGES["cuda_fp16.h"], (include / "cuda_fp16.h").is_file()),
            (_PACKAGES["crt"], (include / "crt").is_dir()),
            (_PACKAGES["cccl"], (include / "cccl").is_dir()),
        )
        if not is_there
    ]
    if sys.platform not in ("linux", "win32") and missing:
        raise CompilerMissingError(NO_WHEEL)
    if folder is None or missing:
        raise CompilerMissingError(
            f"NVIDIA's compiler is not installed whole: install what is missing with `pip install {' '.join(missing)}`"
        )
    library = max(_libraries(folder))
    version = _version_of(_PACKAGES["nvrtc"], library, library.stat().st_mtime_ns)
    return Nvrtc(library, (include, include / "cccl"), version)


def wheel_folders() -> Iterator[Path]:
    """The folders of NVIDIA's wheels ("…/nvidia/cu13"), the newest first."""
    spec = importlib.util.find_spec("nvidia")
    places = list(spec.submodule_search_locations or ()) if spec is not None else []
    yield from sorted((folder for place in places for folder in Path(place).glob("*") if folder.is_dir()), reverse=True)


def _libraries(folder: Path) -> Iterator[Path]:
    """NVRTC's library, without its builtins and its other forms."""
    for pattern in _LIBRARIES:
        yield from (path for path in folder.glob(pattern) if "builtins" not in path.name and "alt" not in path.name)


@lru_cache(maxsize=1)  # every kernel that is compiled asks for it, and the answer is read from a file
def _version_of(package: str, library: Path, written_ns: int) -> str:
    """The version of a package for as long as its library stays the one written then."""
    del library, written_ns
    try:
        return metadata.version(package)
    except metadata.PackageNotFoundError:
        return "0.0"
