"""nvcc: where it is, which it is, and how it is asked for one kernel."""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path

from gemmviz.compiler.nvidia.tools import find_tool
from gemmviz.compiler.source import (
    COMPILE_LIMIT_S,
    SOURCE_NAME,
    CompilerMissingError,
    CompileTimeoutError,
    Source,
    compile_limit_words,
)
from gemmviz.domain.processes import child_process
from gemmviz.domain.terms import CodeForm

HOW_TO_GET_NVCC = (
    "nvcc, CUDA's compiler, is not found. Install the CUDA toolkit (https://developer.nvidia.com/cuda-downloads), and "
    "put its bin folder on PATH or set CUDA_HOME"
)
HOW_TO_GET_A_HOST_COMPILER = (
    "nvcc finds no C++ compiler that it can work with, which it needs even for kernels. Install g++ (on Windows Visual "
    "Studio's cl.exe)"
)

_FIRST_WITH_OWN_TARGETS = 12
"""The major release of nvcc that was the first to know targets such as sm_90a."""
_RELEASE = re.compile(r"release (\d+\.\d+), V(\S+)")


@dataclass(frozen=True, slots=True)
class Nvcc:
    """The compiler: its path, "13.0", and its whole version for the key of what it made."""

    path: Path
    release: str
    version: str

    def known_target(self, target: str, requires: tuple[str, ...]) -> str:
        """The target, or "sm_90" for "sm_90a" where this nvcc is too old for it and the kernel does not require it."""
        is_known = int(self.release.partition(".")[0]) >= _FIRST_WITH_OWN_TARGETS
        return target if is_known or target in requires else target.removesuffix("a")


def find_nvcc() -> Nvcc:
    """The compiler.

    Raises:
        CompilerMissingError: there is none, or it does not run; how to get one.
    """
    path = find_tool("nvcc")
    if path is None:
        raise CompilerMissingError(HOW_TO_GET_NVCC)
    try:
        said = child_process.run([str(path), "--version"], 60.0).stdout
    except OSError as error:
        raise CompilerMissingError(f"{path} does not run: {error}") from error
    match = _RELEASE.search(said)
    if match is None:
        raise CompilerMissingError(f"{path} does not report its version. Install the CUDA toolkit again")
    return Nvcc(path, match[1], match[2])


def options_for(source: Source, target: str, form: CodeForm = CodeForm.AS_COMPILED) -> list[str]:
    """What nvcc is told besides the files. Parameters reach the source as -D; nothing else is defined."""
    virtual = target.replace("sm_", "compute_")
    return [
        "-cubin",
        f"-gencode=arch={virtual},code={target}",
        "-std=c++17",
        "-O3",
        "-G" if form is CodeForm.AS_WRITTEN else "-lineinfo",
        "-Xptxas=-v",
        *(f"-D{name}={value}" for name, value in source.defines),
        "-I.",  # the folder that holds the source and copies of what it may include
    ]


def run_nvcc(nvcc: Nvcc, options: list[str], folder: Path, limit_s: float = COMPILE_LIMIT_S) -> tuple[bool, str]:
    """Compile SOURCE_NAME in `folder`, where PTX and cubin stay; whether it worked, and what nvcc said.

    Raises:
        CompilerMissingError: it cannot be started.
        CompileTimeoutError: it had not ended after `limit_s`, and was ended with all that it had started.
    """
    command = [str(nvcc.path), *options, "--keep", "--keep-dir", str(folder), "-o", "kernel.cubin", SOURCE_NAME]
    try:
        done = child_process.run(command, limit_s, folder, leftovers=[folder])
    except TimeoutError as error:
        raise CompileTimeoutError(compile_limit_words(limit_s)) from error
    except OSError as error:
        raise CompilerMissingError(f"{nvcc.path} does not run: {error}") from error
    return done.returncode == 0, f"{done.stderr}\n{done.stdout}"
