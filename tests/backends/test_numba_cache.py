"""A damaged file in Numba's cache costs a compilation and nothing else."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from gemmviz.backends.numba_cache import remove_damaged

CODE = """
from gemmviz.backends.base import Source, TrialRun
from gemmviz.backends.registry import backend_of, find_device
from gemmviz.catalogue.loader import load_catalogue
from gemmviz.domain.shape import Shape
import numpy as np

kernel, shape = load_catalogue().get("cpu_ikj"), Shape(3, 4, 5)
device = find_device("host")
opened = backend_of(device).open(device)
plan = kernel.plan(shape, kernel.params({}), device)
source = Source(kernel.path, kernel.text, kernel.entry, kernel.language, (*plan.defines, ("THREADS", 1)))
compiled = opened.compile(source, plan.launch, TrialRun(shape, plan.launch, 12), print)
buffers = [opened.allocate(4 * size) for size in (15, 20, 12)]
for buffer in buffers[:2]:
    opened.upload(np.ones(buffer.nbytes // 4, np.float32), buffer)
opened.launch(compiled, plan.launch, [*buffers, 3, 4, 5]).wait(100.0)
c = np.empty(12, np.float32)
opened.download(buffers[2], c)
assert (c == 5).all()
"""


def run_with(cache: Path) -> None:
    environment = {**os.environ, "NUMBA_CACHE_DIR": str(cache)}
    done = subprocess.run(
        [sys.executable, "-c", CODE], env=environment, capture_output=True, text=True, timeout=300, check=False
    )
    assert done.returncode == 0, done.stderr


def files_in(cache: Path) -> list[Path]:
    return sorted([*cache.rglob("*.nbi"), *cache.rglob("*.nbc")])


def test_that_cpu_kernels_survive_damaged_files(tmp_path: Path) -> None:
    run_with(tmp_path)
    whole = {path: path.read_bytes() for path in files_in(tmp_path)}
    assert {path.suffix for path in whole} == {".nbi", ".nbc"}
    folders = {path.parent for path in whole}
    assert remove_damaged(folders) == 0
    for path in whole:
        path.write_bytes(b"" if path.suffix == ".nbi" else whole[path][:-9])
    run_with(tmp_path)
    assert all(path.stat().st_size > 0 for path in files_in(tmp_path))


@pytest.mark.parametrize(
    "data", [b"", b"\x80", b"\x80\x05N.", b"\x80\x05N.\x80\x05N", b"\x80\x05N.\x80\x05N.x", b"text"]
)
def test_that_what_is_no_index_is_removed(tmp_path: Path, data: bytes) -> None:
    (tmp_path / "f.nbi").write_bytes(data)
    (tmp_path / "g.nbi").write_bytes(b"\x80\x05N.\x80\x05N.")
    (tmp_path / "g.nbc").write_bytes(b"\x80\x05N.")
    (tmp_path / "f.pyc").write_bytes(data)
    assert remove_damaged([tmp_path]) == 1
    assert {path.name for path in tmp_path.iterdir()} == {"g.nbi", "g.nbc", "f.pyc"}
