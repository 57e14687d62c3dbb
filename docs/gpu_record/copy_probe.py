"""Launches copy_probe.cu once for each pattern, as ncu watches: `python docs/gpu_record/copy_probe.py`."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

import numpy as np

from gpu_record.copy_patterns import every_pattern

SOURCE = Path(__file__).with_suffix(".cu")
MATRIX_BYTES, TILE_BYTES = 1 << 17, 1 << 15


def main() -> int:
    """A line of JSON for each launch, in their order."""
    from pycuda import compiler
    from pycuda import driver as cuda

    cuda.init()
    context: Any = cuda.Device(0).make_context()
    try:
        module = compiler.SourceModule(SOURCE.read_text(encoding="utf-8"), no_extern_c=True)
        matrix, (table, _) = cuda.mem_alloc(MATRIX_BYTES), module.get_global("table")
        cuda.memset_d8(matrix, 0, MATRIX_BYTES)
        for pattern in every_pattern():
            cuda.memcpy_htod(table, np.concatenate([pattern.source, pattern.target, pattern.read]))
            module.get_function(pattern.entry)(matrix, block=(32, 1, 1), grid=(1, 1), shared=TILE_BYTES)
            print(json.dumps({"kernel": pattern.name, "entry": pattern.entry}), flush=True)
        context.synchronize()
    finally:
        context.pop()
    return 0


if __name__ == "__main__":
    sys.exit(main())
