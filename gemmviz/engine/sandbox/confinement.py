"""What a process that runs a kernel of the user's may still do: which files, how much memory and processor time.

Nothing here imports NumPy, which starts threads: the sandbox is to be entered before.
"""

from __future__ import annotations

import os
import re
import shutil
import sys
from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from itertools import product
from pathlib import Path

from platformdirs import user_cache_path

from gemmviz.domain.device import EMULATOR, Device, DeviceKind
from gemmviz.domain.files.bounded_read import ReadError, read_bytes
from gemmviz.domain.files.header_folders import header_folders
from gemmviz.domain.processes.host_memory import available_memory_bytes
from gemmviz.engine.sandbox.landlock import DEVICE, READ, WRITE, Access, Grant
from gemmviz.resources import resource_folder

_SYSTEM = (
    "/usr",
    "/lib",
    "/lib32",
    "/lib64",
    "/libx32",
    "/bin",
    "/sbin",
    "/opt",
    "/nix",
    "/gnu",
    "/run/opengl-driver",
    "/sys",
    "/proc/self",
    "/proc/cpuinfo",
    "/proc/meminfo",
    "/proc/stat",
    "/proc/version",
    "/proc/filesystems",
    "/proc/sys/kernel",
    "/proc/sys/vm",
    "/etc/ld.so.cache",
    "/etc/ld.so.conf",
    "/etc/ld.so.conf.d",
    "/etc/ld.so.preload",
    "/etc/OpenCL",
    "/etc/alternatives",
    "/etc/localtime",
    "/etc/nsswitch.conf",
    "/etc/passwd",
    "/etc/os-release",
    "/etc/ssl/openssl.cnf",
    "/etc/debian_version",
    "/etc/locale.alias",
)
"""What programs read everywhere; nobody's own files."""

_OF_DRIVERS = (
    "/proc/driver",
    "/proc/devices",
    "/proc/modules",
    "/proc/mounts",
    "/etc/nvidia",
    "/etc/group",
    "/dev",
    "/run/nvidia-persistenced",
)
_DEVICES = ("/dev/null", "/dev/zero", "/dev/full", "/dev/random", "/dev/urandom")
_GPUS = ("nvidia*", "nvidia-caps/*", "dri/*", "kfd")
_THREADS = "/proc/self/task"
_NAME_OF_A_THREAD = re.compile(r"/proc/\d+/task/\d+/comm")
"""CUDA names its threads, and does not start where it cannot; the kernel lets a process name none but its own."""
_INCLUDE = re.compile(r'^[ \t]*#[ \t]*include[ \t]*["<]([^">\n]+)[">]', re.MULTILINE)
_COMPILED_FROM = re.compile(r'^[ \t]*\.file[ \t]+\d+[ \t]+"(?:[^"\n]*[/\\])?([^"/\\\n]+)"', re.MULTILINE)
"""Of PTX: a source that it was compiled from, without its folder."""
_READ_BY_PYTHON = re.compile(r"""["']([^"'\n]+\.(?:cu|cuh|h|hpp|inc|txt))["']""")
"""Of a Python file: what may be the name of a file with its kernel's source."""
_MOST_SOURCES = 200
_LONGEST_SOURCE = 1 << 24
_LONGEST_LINKER = 1 << 28
_LINKERS = ("ld", "ld.bfd", "ld.gold", "ld.lld", "ld.mold")
_INTERPRETER = re.compile(rb"/[\w./+-]*ld[\w./+-]*\.so[\w.]*\x00")

_CORES = os.cpu_count() or 1
_WORKING_BYTES = (6 << 30) + _CORES * (64 << 20)
"""What compilers take, libraries for each of their threads, and a recording while it is analysed."""
_LEAST_BYTES = 2 << 30
_STEP_BYTES = 1 << 30
_MAPPED_BYTES = (4 << 30) + _CORES * (192 << 20)
"""What libraries map without using it: code, stacks, heaps of threads."""
_FILE_BYTES = 4 << 30
_LONGEST_LIFE_S = 6 * 3600
"""Processor time for each core: what is left running by some accident ends."""


@dataclass(frozen=True, slots=True)
class Confinement:
    """The bounds of a process.

    `sources` are the files it may read besides the system's and Python's, `cache` and `scratch` the folders that it may
    write to, `memory_bytes` what it may take for data, `processor_s` the processor time of all its threads together.
    With `starts_compilers` it may start any program of the system. With `uses_gpu` it may open GPUs, and its memory is
    not bounded, since CUDA maps all of a GPU's.
    """

    sources: frozenset[Path]
    cache: Path
    scratch: Path
    memory_bytes: int
    processor_s: int
    starts_compilers: bool = False
    uses_gpu: bool = False

    def covers(self, wanted: Confinement) -> bool:
        """Whether a worker confined so can take on what another one is wanted for."""
        return (
            self.sources >= wanted.sources
            and self.memory_bytes >= wanted.memory_bytes
            and (self.starts_compilers, self.uses_gpu) == (wanted.starts_compilers, wanted.uses_gpu)
        )

    @property
    def mapped_bytes(self) -> int:
        """Address space, used or not."""
        return self.memory_bytes + _MAPPED_BYTES

    @property
    def file_bytes(self) -> int:
        """The largest file."""
        return _FILE_BYTES

    def may_change(self, path: Path) -> bool:
        """Whether a file of that name may be written to; `path` is absolute and has no links in it."""
        is_of_driver = self.uses_gpu and (
            any(path.match(f"/dev/{pattern}") for pattern in _GPUS) or bool(_NAME_OF_A_THREAD.fullmatch(str(path)))
        )
        return (
            is_of_driver
            or str(path) in _DEVICES
            or any(path.is_relative_to(os.path.realpath(folder)) for folder in (self.cache, self.scratch))
        )

    def grants(self) -> Iterator[Grant]:
        """What may be opened, and how."""
        everything = [*map(Path, _SYSTEM), *python_folders(), *sorted(self.sources)]
        yield from (Grant(path, READ) for path in everything)
        yield from (Grant(Path(name), DEVICE) for name in _DEVICES)
        yield from (Grant(folder, WRITE) for folder in (self.cache, self.scratch))
        programs = [path for path in everything if path.is_dir()] if self.starts_compilers else linkers()
        yield from (Grant(path, READ | Access.EXECUTE) for path in programs)
        if self.uses_gpu:
            yield from (Grant(Path(name), READ) for name in _OF_DRIVERS)
            yield from (Grant(path, DEVICE) for pattern in _GPUS for path in Path("/dev").glob(pattern))
            yield Grant(Path(_THREADS), READ | Access.WRITE_FILE | Access.TRUNCATE)


def confinement_of(
    sources: frozenset[Path], need_bytes: int, scratch: Path, *, starts_compilers: bool, uses_gpu: bool
) -> Confinement:
    """The bounds for a request whose matrices need so many bytes; `sources` are the files of its kernels.

    `scratch` is a folder of its own.
    """
    memory_bytes, life_s = memory_for(need_bytes, available_memory_bytes()), _CORES * _LONGEST_LIFE_S
    return Confinement(sources, cache_folder(scratch), scratch, memory_bytes, life_s, starts_compilers, uses_gpu)


def may_use_gpu(wanted: str, devices: Sequence[Device]) -> bool:
    """Whether a request for a device, "" for the preferred one, may use a GPU."""
    if _is_machine(wanted):
        return False
    named = [device for device in devices if device.id == wanted]
    return any(device.kind is not DeviceKind.CPU for device in named or devices)


def may_start_compilers(wanted: str, devices: Sequence[Device]) -> bool:
    """Whether a request for a device may start the compilers of a GPU, which the PTX machine needs too."""
    return _is_machine(wanted) or may_use_gpu(wanted, devices)


def _is_machine(wanted: str) -> bool:
    return wanted.partition(":")[0] == EMULATOR


def memory_for(need_bytes: int, available_bytes: int | None) -> int:
    """Bytes of data a process may take for a request that needs `need_bytes`: that twice, in whole GiB, and what is
    needed to work with it, but no more than there is.
    """
    wanted = _WORKING_BYTES + -(-2 * need_bytes // _STEP_BYTES) * _STEP_BYTES
    return wanted if available_bytes is None else min(wanted, max(_LEAST_BYTES, available_bytes))


def cache_folder(scratch: Path) -> Path:
    """Where confined processes keep what they compile, made where it is missing; `scratch` where it cannot be made.

    Nobody else reads it, since a kernel may have written what lies there.
    """
    folder = user_cache_path("gemmviz", appauthor=False) / "confined"
    with suppress(OSError):
        folder.mkdir(parents=True, exist_ok=True)
        if os.access(folder, os.W_OK):
            return folder
    return scratch


def linkers() -> tuple[Path, ...]:
    """The linkers that PoCL's compiler may start, and the programs that load them, without links in their names."""
    folders = [*os.get_exec_path(), "/usr/bin", "/bin", "/usr/local/bin"]
    found = {Path(os.path.realpath(Path(folder) / name)) for folder in folders if folder for name in _LINKERS}
    there = {path for path in found if path.is_file()}
    return (*sorted(there), *sorted({loader for path in there for loader in _loader_of(path)}))


def python_folders() -> Iterator[Path]:
    """The folders of the Python installation, its packages and gemmviz."""
    yield from {Path(sys.prefix), Path(sys.base_prefix), Path(sys.exec_prefix), Path(__file__).parents[2]}
    yield from (resource_folder(name) for name in ("kernels", "assets"))
    yield from (Path(each) for each in sys.path if _holds_only_modules(Path(each)))
    for variable in ("OCL_ICD_VENDORS", "OPENCL_VENDOR_PATH", "CUDA_HOME", "CUDA_PATH"):
        if os.environ.get(variable, "").startswith("/"):
            yield Path(os.environ[variable])
    compiler = shutil.which("nvcc")
    if compiler is not None:
        yield Path(os.path.realpath(compiler)).parents[1]


def _holds_only_modules(folder: Path) -> bool:
    """Whether a folder that Python looks for modules in may be read: any but one above the person's own files."""
    try:
        return folder.is_absolute() and not Path.home().is_relative_to(folder)
    except RuntimeError:  # nobody's
        return folder.is_absolute()


def sources_of(kernel: Path, text: str) -> frozenset[Path]:
    """A kernel's file and those in its folder and below, or in a folder for headers beside it, that it includes,
    and they include in turn; of PTX those beside it that it was compiled from; of Python sources that it names.
    """
    headers = header_folders(kernel.parent)
    allowed = (Path(os.path.realpath(kernel.parent)), *headers)
    found: dict[Path, None] = {kernel: None}
    waiting = [(kernel, text)]
    while waiting and len(found) < _MOST_SOURCES:
        source, words = waiting.pop()
        named = _COMPILED_FROM.findall(words) if source.suffix == ".ptx" else _INCLUDE.findall(words)
        named += _READ_BY_PYTHON.findall(words) if source.suffix == ".py" else []
        folders = (source.parent, *(headers if source.suffix not in (".ptx", ".py") else ()))
        for folder, name in product(folders, named):
            path = Path(os.path.realpath(folder / name))
            if path not in found and any(path.is_relative_to(one) for one in allowed) and path.is_file():
                found[path] = None
                waiting.append((path, beginning_of(path)))
    return frozenset(found)


def beginning_of(path: Path) -> str:
    """A source as far as anybody reads it, "" where it cannot be read."""
    try:
        return read_bytes(path, _LONGEST_SOURCE).decode(errors="replace")
    except ReadError:
        return ""


def _loader_of(program: Path) -> list[Path]:
    with suppress(ReadError):
        found = _INTERPRETER.search(read_bytes(program, _LONGEST_LINKER))
        if found is not None:
            return [Path(os.path.realpath(found[0][:-1].decode()))]
    return []
