"""Record what each float32 kernel computes, bit for bit: `python docs/record_products.py --on gpu --out FILE`.

The file holds a digest of C for each kernel and size; tests/machine/test_products.py compares the PTX machine with it.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import sys
from collections.abc import Iterator, Sequence
from datetime import UTC, datetime
from pathlib import Path

import numpy as np
from gpu_record.which_gpu import the_gpu

from gemmviz.backends.base import OpenDevice, Source, TrialRun
from gemmviz.backends.registry import NoDeviceError, backend_of
from gemmviz.catalogue.kernel import Kernel, Refusal
from gemmviz.catalogue.loader import load_catalogue
from gemmviz.domain.operands import make_operands
from gemmviz.domain.shape import Shape
from gemmviz.domain.terms import Fill, Language

SIZES = ("130x129x67", "256x128x96", "1x1x1000")
"""One at which nothing divides evenly, one at which all does, and one for dot products."""
SEED = 7
LIMIT_S = 60.0


def wanted() -> Iterator[tuple[Kernel, Shape]]:
    """Every CUDA kernel that the PTX machine runs, with each size that it takes."""
    for kernel in load_catalogue().kernels:
        if kernel.language is Language.CUDA and kernel.has_accesses and not kernel.not_emulated:
            yield from ((kernel, Shape.parse(size)) for size in SIZES)


def digest_of(opened: OpenDevice, kernel: Kernel, shape: Shape) -> str:
    """SHA-256 of C as the device leaves it, partial sums and all, in hexadecimal.

    Raises:
        Refusal: the kernel does not take that size.
        BackendError: it failed.
    """
    plan = kernel.plan(shape, kernel.params({}), opened.device)
    source = Source(kernel.path, kernel.text, kernel.entry, kernel.language, plan.defines, kernel.requires)
    count = plan.partial_sums * shape.m * shape.n
    compiled = opened.compile(source, plan.launch, TrialRun(shape, plan.launch, count, LIMIT_S), lambda _: None)
    operands = make_operands(shape, Fill.NORMAL, SEED)
    c = np.full(count, np.nan, np.float32)
    buffers = [opened.allocate(array.nbytes) for array in (operands.a, operands.b, c)]
    try:
        for array, buffer in zip((operands.a, operands.b, c), buffers, strict=True):
            opened.upload(array, buffer)
        opened.launch(compiled, plan.launch, [*buffers, shape.m, shape.n, shape.k]).wait(LIMIT_S)
        opened.download(buffers[2], c)
    finally:
        for buffer in buffers:
            buffer.release()
    return hashlib.sha256(c.tobytes()).hexdigest()


def digests(opened: OpenDevice) -> dict[str, str]:
    """The digest of every kernel and size that can be had, by "kernel size"."""
    found: dict[str, str] = {}
    for kernel, shape in wanted():
        try:
            found[f"{kernel.id} {shape}"] = digest_of(opened, kernel, shape)
        except Refusal:
            continue
    return found


def main(words: Sequence[str] | None = None) -> int:
    """Record; 1 where there is no such device."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--on", choices=("gpu", "machine"), default="gpu", help="which device computes")
    parser.add_argument("--out", type=Path, required=True, help="the file to write")
    options = parser.parse_args(words)
    try:
        device = the_gpu("" if options.on == "gpu" else "machine")
    except NoDeviceError as error:
        print(f"nothing was recorded: {error}", file=sys.stderr)
        return 1
    opened = backend_of(device).open(device)
    made = {"device": device.name, "driver": device.driver, "date": datetime.now(UTC).date().isoformat()}
    text = json.dumps({**made, "products": digests(opened)}, indent=1)
    options.out.write_text(text + "\n", encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
