"""Run a CUDA kernel of the catalogue under Oclgrind, which interprets OpenCL C and checks every access.

J. Price and S. McIntosh-Smith, "Oclgrind: An Extensible OpenCL Device Simulator", IWOCL 2015.
"""

from __future__ import annotations

import shutil
import subprocess
import tempfile
from collections.abc import Sequence
from pathlib import Path

from gemmviz.backends.dialect.opencl_c import to_work_items
from gemmviz.backends.dialect.tree import parse
from gemmviz.catalogue.kernel import Kernel, Plan
from gemmviz.domain.shape import Shape

COMMAND = "oclgrind-kernel"
CHECKS = ("--data-races",)
"""Accesses out of bounds and barriers that threads miss are always told."""


class OclgrindError(Exception):
    """Oclgrind refused the kernel, or told an error in it."""


def version() -> str:
    """Oclgrind's version; "" where it is not installed."""
    if shutil.which(COMMAND) is None:
        return ""
    done = subprocess.run([COMMAND, "--version"], capture_output=True, text=True, check=True)
    return next(line for line in done.stdout.splitlines() if line.strip()).strip()


def run_all_blocks(kernel: Kernel, plan: Plan, shape: Shape, checks: Sequence[str] = CHECKS) -> None:
    """Interpret the whole grid of a kernel with parameters A, B, C, M, N, K in a process of its own.

    Raises:
        OclgrindError: it refuses the kernel, or tells an error in it.
    """
    text = to_work_items(parse(kernel.path, kernel.text), kernel.entry)
    options = " ".join(["-cl-std=CL1.2", *(f"-D{name}={value}" for name, value in plan.defines)])
    with tempfile.TemporaryDirectory() as folder:
        Path(folder, "kernel.cl").write_text(text, encoding="utf-8")
        Path(folder, "launch.sim").write_text(_launch(kernel, plan, shape), encoding="utf-8")
        command = [COMMAND, *checks, "--build-options", options, "launch.sim"]
        done = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)
    if done.returncode or done.stdout.strip() or done.stderr.strip():
        raise OclgrindError((done.stdout + done.stderr).strip()[:2000] or f"exit code {done.returncode}")


def _launch(kernel: Kernel, plan: Plan, shape: Shape) -> str:
    """The launch in Oclgrind's own notation; A and B are filled with ones."""
    block = plan.launch.block
    threads = [blocks * size for blocks, size in zip(plan.launch.grid, block, strict=True)]
    matrices = ((shape.m * shape.k, "1"), (shape.k * shape.n, "1"), (shape.m * shape.n, "0"))
    lines = ["kernel.cl", kernel.entry, " ".join(map(str, threads)), " ".join(map(str, block))]
    lines += [f"<size={4 * elements} float fill={value}>" for elements, value in matrices]
    for size in (shape.m, shape.n, shape.k):
        lines += ["<size=4 int>", str(size)]
    return "\n".join([*lines, ""])
