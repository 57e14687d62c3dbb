"""Translations of short texts; `body` stands in a kernel whose first line of its own is line 3."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from gemmviz.backends.dialect.opencl_c import to_work_items
from gemmviz.backends.dialect.thread_loops import to_thread_loops
from gemmviz.backends.dialect.tree import parse
from gemmviz.domain.spec import Launch

PATH = Path("mine.cu")


def _kernel(body: str, before: str) -> str:
    head = before or "// nothing before the kernel"
    return f"{head}\n__global__ void k(const float *A, const float *B, float *C, int M, int N, int K) {{\n{body}\n}}\n"


def _without_prelude(text: str) -> str:
    return text.partition('#line 1 "mine.cu"\n')[2]


@pytest.fixture
def work_items() -> Callable[..., str]:
    """The kernel around `body` with a work-item per thread, without the dialect header."""
    return lambda body, before="": _without_prelude(to_work_items(parse(PATH, _kernel(body, before)), "k"))


@pytest.fixture
def thread_loops() -> Callable[..., str]:
    """The kernel around `body` with its threads as loops, without the dialect header."""
    launch = Launch((1, 1, 1), (4, 2, 1))
    return lambda body, before="": _without_prelude(to_thread_loops(parse(PATH, _kernel(body, before)), "k", launch))


@pytest.fixture
def translate_file() -> Callable[..., str]:
    """A whole file with a work-item per thread."""
    return lambda text, entry="k": _without_prelude(to_work_items(parse(PATH, text), entry))
