"""Runs forms on an NVIDIA GPU, by ptxas and PyCUDA. Imports nothing of gemmviz."""

from __future__ import annotations

import os
import shutil
import subprocess
import tempfile
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

from conformance_record.form import Form
from conformance_record.kernels import BLOCK, ENTRY, GRID, contents, module_text, split_results
from conformance_record.results import Results

BATCH = 40
"""Forms of one kernel."""


def ptxas() -> str:
    """The path of NVIDIA's assembler.

    Raises:
        FileNotFoundError: there is none.
    """
    found = shutil.which("ptxas") or shutil.which("ptxas", path="/usr/local/cuda/bin:/usr/local/cuda-13.0/bin")
    if found is None:
        raise FileNotFoundError("ptxas is not on the PATH; it is part of the CUDA toolkit")
    return found


def ptxas_version() -> str:
    """The assembler's release."""
    words = subprocess.run([ptxas(), "--version"], capture_output=True, text=True, check=True).stdout
    return next(line for line in words.splitlines() if "release" in line).strip()


def assembled(forms: Sequence[Form], target: str) -> bytes:
    """The cubin of a kernel that runs some forms.

    Raises:
        RuntimeError: ptxas refuses it; the message has ptxas's words.
    """
    with tempfile.TemporaryDirectory() as folder:
        text, cubin = Path(folder, "k.ptx"), Path(folder, "k.cubin")
        text.write_text(module_text(forms))
        done = subprocess.run(
            [ptxas(), f"-arch={target}", str(text), "-o", str(cubin)], capture_output=True, text=True, check=False
        )
        if done.returncode:
            raise RuntimeError(f"ptxas refuses {forms[0].name} to {forms[-1].name}: {done.stdout}{done.stderr}")
        return cubin.read_bytes()


def batches(forms: Sequence[Form]) -> list[Sequence[Form]]:
    """The forms in parts of BATCH."""
    return [forms[begin : begin + BATCH] for begin in range(0, len(forms), BATCH)]


def assemble_all(forms: Sequence[Form], target: str) -> list[bytes]:
    """The cubins of all batches, made on all cores."""
    with ThreadPoolExecutor(os.cpu_count()) as pool:
        return list(pool.map(lambda part: assembled(part, target), batches(forms)))


def run_on_gpu(forms: Sequence[Form], target: str) -> tuple[dict[str, Results], dict[str, str]]:
    """The results of all forms on the first GPU, and which GPU that is."""
    import pycuda.driver as cuda

    cubins = assemble_all(forms, target)
    cuda.init()
    device = cuda.Device(0)
    context = device.make_context()
    try:
        results = _launch_all(cuda, forms, cubins)
    finally:
        context.pop()
        context.detach()
    major, minor = device.compute_capability()
    about = {"gpu": device.name(), "compute capability": f"{major}.{minor}", "target": target}
    return results, {**about, "driver": str(cuda.get_driver_version()), "ptxas": ptxas_version()}


def _launch_all(cuda: Any, forms: Sequence[Form], cubins: Sequence[bytes]) -> dict[str, Results]:
    results: dict[str, Results] = {}
    for part, cubin in zip(batches(forms), cubins, strict=True):
        module = cuda.module_from_buffer(cubin)
        _, output, _ = given = contents(part)
        arrays = [cuda.to_device(one) for one in given]
        try:
            module.get_function(ENTRY)(*arrays, block=BLOCK, grid=GRID)
            cuda.Context.synchronize()
        except cuda.Error:
            print(f"the kernel of {part[0].name} to {part[-1].name} failed")
            raise
        cuda.memcpy_dtoh(output, arrays[1])
        results |= split_results(part, output)
    return results
