"""Machine code is remembered, and damaged machine code is made anew."""

from __future__ import annotations

import os
from pathlib import Path

import llvmlite.binding as llvm
import numpy as np
import pytest
from ptx_instructions import kernel

from gemmviz.machine import object_cache, program
from gemmviz.machine.launch import MachineLaunch
from gemmviz.machine.memory import Array
from gemmviz.machine.object_cache import ObjectCache

TEXT = kernel(
    ".reg .b64 %out; .reg .b32 %i; ld.param.u64 %out, [p]; mov.u32 %i, 42; st.global.u32 [%out], %i;", ".param .u64 p"
)


def result(cache: Path) -> int:
    out = Array(4)
    MachineLaunch(program.compile_ptx(TEXT, "k", "k.cu", cache), (1, 1, 1), (1, 1, 1), [out]).run(20)
    return int(out.view(np.uint32)[0])


def test_that_machine_code_is_made_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert result(tmp_path) == 42
    (file,) = tmp_path.iterdir()
    monkeypatch.setattr(llvm, "create_pass_builder", None)
    assert result(tmp_path) == 42
    file.write_bytes(file.read_bytes()[:-1])
    with pytest.raises(TypeError):
        result(tmp_path)
    monkeypatch.undo()
    assert result(tmp_path) == 42


def test_that_nothing_is_remembered_where_nothing_can_be_written(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    assert result(tmp_path / "file") == 42


def test_that_the_code_that_was_used_longest_ago_is_forgotten(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(object_cache, "_MOST_FILES", 4)
    caches = [ObjectCache(tmp_path, (str(number),)) for number in range(5)]
    for number, cache in enumerate(caches[:4]):
        cache.remember(b"code")
        os.utime(cache._path, (number, number))
    caches[0].recall()
    caches[4].remember(b"code")
    assert [cache.recall() for cache in caches] == [b"code", None, None, b"code", b"code"]
