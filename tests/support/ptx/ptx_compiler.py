"""nvcc as far as PTX: no assembler, so it takes a second."""

from __future__ import annotations

import subprocess
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory

from gemmviz.backends.base import Source
from gemmviz.backends.cuda.nvcc import Nvcc, options_for
from gemmviz.compiler.source import SOURCE_NAME


@cache
def compiled_to_ptx(nvcc: Nvcc, source: Source, target: str) -> str:
    """The PTX of a source, with the options of the CUDA backend."""
    virtual = target.replace("sm_", "compute_")
    kept = [word for word in options_for(source, target) if not word.startswith(("-cubin", "-gencode", "-Xptxas"))]
    command = [str(nvcc.path), "-ptx", f"-arch={virtual}", *kept, "-o", "kernel.ptx", SOURCE_NAME]
    with TemporaryDirectory() as name:
        folder = Path(name)
        (folder / SOURCE_NAME).write_text(source.text, encoding="utf-8")
        done = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)
        assert done.returncode == 0, done.stderr
        return (folder / "kernel.ptx").read_text(encoding="utf-8")
