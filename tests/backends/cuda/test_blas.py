"""cuBLAS as a kernel of the catalogue, with bindings that note what they are asked."""

from __future__ import annotations

import ctypes
import sys
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from gemmviz.backends.base import BackendError, CompileError, LaunchError, Source
from gemmviz.backends.cuda.blas import Blas, cublas
from gemmviz.backends.cuda.buffer import CudaBuffer
from gemmviz.backends.cuda.library_call import call_of
from gemmviz.catalogue.kernel import Kernel
from gemmviz.catalogue.loader import load_catalogue
from gemmviz.domain.terms import Arithmetic, Element, Language

STREAM = SimpleNamespace(handle=77)
CATALOGUE = load_catalogue()


class FakeBlas:
    """nvmath.bindings.cublas; `refuses` is the error of the next product."""

    def __init__(self) -> None:
        self.asked: list[tuple[str, tuple[Any, ...]]] = []
        self.refuses: Exception | None = None

    def create(self) -> int:
        return 5

    def get_version(self, handle: int) -> int:
        assert handle == 5
        return 130100

    def gemm_ex(self, *given: Any) -> None:
        if self.refuses is not None:
            raise self.refuses
        self.asked.append(("gemm", given))

    def __getattr__(self, name: str) -> Any:
        return lambda *given: self.asked.append((name, given))


@pytest.fixture
def bindings(monkeypatch: pytest.MonkeyPatch) -> FakeBlas:
    fake = FakeBlas()
    monkeypatch.setitem(sys.modules, "nvmath", SimpleNamespace())
    monkeypatch.setitem(sys.modules, "nvmath.bindings", SimpleNamespace(cublas=fake))
    return fake


def source_of(kernel: Kernel) -> Source:
    return Source(kernel.path, kernel.text, kernel.entry, kernel.language, (), kernel.requires)


def number_at(address: int) -> float:
    return float(ctypes.c_float.from_address(address).value)


@pytest.mark.parametrize(
    ("arithmetic", "element", "kind", "compute"),
    [
        (Arithmetic.FP32, Element.FLOAT32, 0, 68),
        (Arithmetic.TF32, Element.FLOAT32, 0, 77),
        (Arithmetic.BF16, Element.BFLOAT16, 14, 68),
    ],
)
def test_that_row_major_matrices_are_asked_for_as_their_transposes(
    bindings: FakeBlas, arithmetic: Arithmetic, element: Element, kind: int, compute: int
) -> None:
    blas = cublas(77, arithmetic, element)
    assert bindings.asked == [("set_stream", (5, 77)), ("set_math_mode", (5, 0))]
    blas(1000, 2000, 3000, 17, 33, 5)
    name, given = bindings.asked[-1]
    assert name == "gemm"
    handle, no, no_either, m, n, k, one, a, a_kind, lda, b, b_kind, ldb, zero, c, c_kind, ldc, how, algorithm = given
    assert (handle, no, no_either, algorithm) == (5, 0, 0, -1)
    assert (m, n, k) == (33, 17, 5)
    assert (a, lda, b, ldb, c, ldc) == (2000, 33, 1000, 5, 3000, 33)
    assert (a_kind, b_kind, c_kind, how) == (kind, kind, 0, compute)
    assert (number_at(one), number_at(zero)) == (1.0, 0.0)


def test_that_it_says_which_library_it_is_and_gives_it_back(bindings: FakeBlas) -> None:
    blas = cublas(77, Arithmetic.FP32)
    assert isinstance(blas, Blas)
    assert blas.words == "cuBLAS 13.1.0"
    blas.close()
    assert bindings.asked[-1] == ("destroy", (5,))


@pytest.mark.parametrize("name", ["cublas_fp32", "cublas_tf32", "cublas_bf16"])
def test_that_a_kernel_of_the_catalogue_is_a_call(bindings: FakeBlas, name: str) -> None:
    kernel = CATALOGUE.get(name)
    assert kernel.language is Language.LIBRARY
    assert not kernel.runs_on_host
    call = call_of(source_of(kernel), STREAM)
    assert call.build == "cuBLAS 13.1.0"
    buffers = [CudaBuffer(at, 64, lambda _: None) for at in (0, 8192, 16384)]
    call.run([*buffers, 17, 33, 5])
    given = bindings.asked[-1][1]
    assert (given[7], given[10], given[14]) == tuple(buffers[i].address for i in (1, 0, 2))
    bindings.refuses = RuntimeError("CUBLAS_STATUS_NOT_SUPPORTED")
    with pytest.raises(LaunchError, match=r"cuBLAS 13\.1\.0 refuses the product: CUBLAS_STATUS_NOT_SUPPORTED"):
        call.run([*buffers, 17, 33, 5])


def test_that_the_arithmetics_of_the_headers_are_those_that_are_asked_for(bindings: FakeBlas) -> None:
    buffers = [CudaBuffer(at, 64, lambda _: None) for at in (0, 8192, 16384)]
    for kernel in (kernel for kernel in CATALOGUE.kernels if kernel.library):
        call_of(source_of(kernel), STREAM).run([*buffers, 17, 33, 5])
        given = bindings.asked[-1][1]
        assert given[17] == (77 if kernel.arithmetic is Arithmetic.TF32 else 68)
        assert given[8] == (14 if kernel.call.storage("A").element is Element.BFLOAT16 else 0)


def test_that_missing_bindings_are_told_with_how_to_get_them(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "nvmath", None)
    monkeypatch.setitem(sys.modules, "nvmath.bindings", None)
    with pytest.raises(BackendError, match=r"through nvmath-python, which cannot be imported .*pip install nvmath"):
        call_of(source_of(CATALOGUE.get("cublas_fp32")), STREAM)


def test_that_a_library_that_cannot_be_loaded_is_told(monkeypatch: pytest.MonkeyPatch, bindings: FakeBlas) -> None:
    def create() -> int:
        raise RuntimeError("libcublas.so.13 was not found")

    monkeypatch.setattr(bindings, "create", create)
    with pytest.raises(BackendError, match=r"cuBLAS cannot be used: libcublas\.so\.13 was not found"):
        cublas(77, Arithmetic.FP32)


def test_that_a_file_without_its_function_is_named(bindings: FakeBlas, tmp_path: Path) -> None:
    assert bindings.asked == []
    path = tmp_path / "mine.py"
    path.write_text("x = 3\n", encoding="utf-8")
    with pytest.raises(CompileError, match=r"mine\.py: the entry 'mine' is not a function of the file"):
        call_of(Source(path, "x = 3\n", "mine", Language.LIBRARY), STREAM)


def test_that_a_bfloat16_operand_is_half_as_large() -> None:
    assert Element.BFLOAT16.nbytes * 2 == Element.FLOAT32.nbytes == np.dtype(np.float32).itemsize
