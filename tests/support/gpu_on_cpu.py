"""A GPU that is the CPU: what a recording makes of a CUDA source, compiled by g++ and run thread by thread."""

from __future__ import annotations

import ctypes
import re
import shutil
import subprocess
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import numpy as np
from numpy.typing import NDArray

from gemmviz.backends.base import Source
from gemmviz.backends.cuda_log import CudaLog
from gemmviz.domain.spec import Launch
from gemmviz.trace.native_instrument import instrument_native
from gemmviz.trace.recording_device import Prepared

HEADER = Path(__file__).with_name("gpu_on_cpu.h")
_DYNAMIC = re.compile(r"extern\s+__shared__\s+(?P<type>[\w ]+?)\s+(?P<name>\w+)\s*\[\s*\]")
_KINDS = ("const float *", "const float *", "float *", *(["int"] * 3), *(["const char *"] * 3), "const long long *",
          "long long *", "const int *", "int *", "unsigned *", "char *")  # fmt: skip
"""The parameters of a kernel that records itself."""

_LAUNCHER = """
#undef blockIdx
#undef gridDim
static void **gpu_arguments;
static void gpu_entry() {{ {entry}({arguments}); }}
extern "C" void gpu_launch(unsigned blocks, unsigned x, unsigned y, unsigned z, void **arguments, int backwards)
{{
    gpu_arguments = arguments;
    gpu::run(blocks, {{x, y, z}}, gpu_entry, backwards != 0);
}}
"""


def has_compiler() -> bool:
    return shutil.which("g++") is not None


@dataclass(eq=False)
class CpuBuffer:
    """Memory by its address; released is what nobody asks for any more."""

    array: NDArray[np.uint8]
    is_released: bool = False

    @property
    def nbytes(self) -> int:
        return self.array.nbytes

    def release(self) -> None:
        self.is_released = True


@dataclass
class Done:
    """A launch that has ended."""

    def wait(self, limit_s: float | None = None) -> float:
        del limit_s
        return 1.0


def compiled_by_gpp(text: str, entry: str, launch: Launch, defines: Sequence[tuple[str, int]], folder: Path) -> Any:
    """A library with `gpu_launch`; its arguments are pointers to the kernel's own. Its shared memory is its own.

    Raises:
        AssertionError: g++ refuses the text; what it says.
    """
    nbytes = max(launch.dynamic_shared_bytes, 16)
    text = _DYNAMIC.sub(rf"__shared__ \g<type> \g<name>[{nbytes} / sizeof(\g<type>)]", text)
    given = (f"*(({kind.replace('const ', '')} *)gpu_arguments[{i}])" for i, kind in enumerate(_KINDS))
    text += _LAUNCHER.format(entry=entry, arguments=", ".join(given))
    library = folder / f"kernel_{len(list(folder.glob('*.so')))}.so"
    library.write_bytes(_library(text, tuple(defines)))  # a copy has memory of its own
    return ctypes.CDLL(str(library))


@cache
def _library(text: str, defines: tuple[tuple[str, int], ...]) -> bytes:
    """What g++ makes of a text; the text is the same at each size."""
    with TemporaryDirectory() as name:
        folder = Path(name)
        source, library = folder / "kernel.cpp", folder / "kernel.so"
        source.write_text(text, encoding="utf-8")
        (folder / "cuda_runtime.h").write_text("", encoding="utf-8")
        command = [
            "g++", "-std=c++17", "-O1", "-march=native", "-ffp-contract=fast", "-fno-strict-aliasing", "-w", "-fPIC",
            "-shared", f"-I{folder}", "-include", str(HEADER), *(f"-D{name}={value}" for name, value in defines),
            "-o", str(library), str(source),
        ]  # fmt: skip
        done = subprocess.run(command, capture_output=True, text=True, check=False)
        assert done.returncode == 0, done.stderr
        return library.read_bytes()


class GpuOnCpu:
    """Device and recording device at once. With `backwards` the last thread runs first."""

    batch_bytes = 2**16

    def __init__(self, folder: Path, backwards: bool = False) -> None:
        self._folder = folder
        self._backwards = backwards
        self.buffers: list[CpuBuffer] = []

    @property
    def opened(self) -> Any:
        return self

    def prepare(self, source: Source, launch: Launch) -> Prepared:
        made = instrument_native(source.path, source.text, source.entry, launch)
        library: Any = compiled_by_gpp(made.text, source.entry, launch, source.defines, self._folder)
        return Prepared(made, library, library)

    def log(self, shape: tuple[int, int, int, int]) -> CudaLog:
        return CudaLog(self, shape)  # type: ignore[arg-type]

    def allocate(self, nbytes: int) -> CpuBuffer:
        self.buffers.append(CpuBuffer(np.full(nbytes, 0x5A, np.uint8)))
        return self.buffers[-1]

    def upload(self, host: NDArray[Any], into: CpuBuffer) -> None:
        into.array[: host.nbytes] = host.reshape(-1).view(np.uint8)

    def download(self, buffer: CpuBuffer, into: NDArray[Any]) -> None:
        assert not buffer.is_released
        into.reshape(-1).view(np.uint8)[:] = buffer.array[: into.nbytes]

    def fill_with_ones(self, buffer: CpuBuffer, nbytes: int) -> None:
        buffer.array[:nbytes] = 0xFF

    def locked(self, shape: tuple[int, ...], kind: object) -> None:
        """No memory is page-locked."""

    def launch(self, compiled: Any, launch: Launch, arguments: Sequence[Any], count: int = 1) -> Done:
        assert launch.grid[1:] == (1, 1)
        assert count == 1
        assert not any(isinstance(one, CpuBuffer) and one.is_released for one in arguments)
        values = [
            ctypes.c_int(one) if isinstance(one, int) else ctypes.c_void_p(one.array.ctypes.data) for one in arguments
        ]
        pointers = (ctypes.c_void_p * len(values))(*(ctypes.addressof(value) for value in values))
        compiled.gpu_launch(launch.grid[0], *launch.block, pointers, int(self._backwards))
        return Done()
