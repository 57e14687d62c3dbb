"""Run every CUDA kernel under compute-sanitizer: `PYTHONPATH=docs python -m gpu_record.sanitized memcheck 37x29x23 …`.

All kernels in one process first, since starting costs more than the kernels; where that finds a fault, each by itself.
"""

from __future__ import annotations

import re
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

from gemmviz.backends.registry import devices_for
from gemmviz.catalogue.loader import load_catalogue
from gemmviz.compiler.nvidia.tools import find_tool
from gemmviz.domain.shape import Shape
from gemmviz.domain.terms import Language
from gpu_record.compiled_ahead import compile_ahead

LAUNCH = Path(__file__).with_name("launch_once.py")
FOUND = 86
"""The exit code that stands for faults found."""
ALONE_LIMIT_S = 120.0
_ERRORS = re.compile(r"(?:ERROR SUMMARY: (\d+) error|RACECHECK SUMMARY: (\d+) hazard)")


def errors_in(said: str) -> int | None:
    """How many faults the tool counted; None where it did not come to its summary."""
    found = [first or second for first, second in _ERRORS.findall(said)]
    return sum(map(int, found)) if found else None


def check(
    tool: Path, kind: str, sizes: Sequence[str], kernels: Sequence[str], limit_s: float | None
) -> tuple[int, str]:
    """The exit code and what was said."""
    command = [
        str(tool),
        "--tool",
        kind,
        "--error-exitcode",
        str(FOUND),
        sys.executable,
        str(LAUNCH),
        *(word for size in sizes for word in ("--size", size)),
        *kernels,
    ]
    try:
        done = subprocess.run(
            command,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            errors="replace",
            timeout=limit_s,
            check=False,
        )
    except subprocess.TimeoutExpired:
        return 124, "it did not end in time"
    return done.returncode, done.stdout


def main(words: Sequence[str]) -> int:
    """0 where no kernel has a fault."""
    kind, *sizes = words
    tool = find_tool("compute-sanitizer")
    if tool is None:
        print("compute-sanitizer is not found: left out")
        return 1
    kernels = [kernel for kernel in load_catalogue().kernels if kernel.language is Language.CUDA]
    compile_ahead(
        ((kernel, Shape.parse(size), kernel.params({})) for kernel in kernels for size in sizes),
        devices_for(Language.CUDA)[0],
    )
    code, said = check(tool, kind, sizes, (), None)
    print(said)
    if code == 0:
        print(f"{kind}: every kernel at {', '.join(sizes)} without a fault")
        return 0
    worst = 0
    for kernel in kernels:
        code, said = check(tool, kind, sizes, (kernel.id,), ALONE_LIMIT_S)
        found = "no fault" if code == 0 else f"exit code {code}, {errors_in(said)} faults\n{said}"
        print(f"{kind} {kernel.id}: {found}", flush=True)
        worst = max(worst, code)
    return worst


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
