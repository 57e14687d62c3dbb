"""A launch in host code that cannot be compared leaves a kernel in doubt, whatever keeps it from that."""

from __future__ import annotations

import pytest

from gemmviz.adopt.description import Description
from gemmviz.adopt.finding import KernelFinding
from gemmviz.adopt.host_launch import OpenKind, OpenLaunch, open_words
from gemmviz.adopt.outcome import AdoptOutcome
from gemmviz.adopt.prove.check import Checked
from gemmviz.adopt.prove.host.host_launches import HostLaunches
from gemmviz.adopt.prove.host.launch_terms import terms_of
from gemmviz.adopt.prove.host.shared_limit import asks_for_more_shared
from gemmviz.adopt.source.read import read_source
from gemmviz.domain.figures import count
from gemmviz.domain.kernels.call import Storage
from gemmviz.domain.shape import Shape
from gemmviz.domain.terms import Language

SIZES = (Shape(64, 72, 100), Shape(64, 96, 128), Shape(100, 64, 72))
FILE = """__global__ void mm(int m, int n, int k, const float *A, const float *B, float *C) {{}}
void h(float *a, float *b, float *c, int M, int N, int K) {{
    dim3 t(16, 16);
    {}
}}
"""
GRID = ("ceil_div(N, 16)", "ceil_div(M, 16)")
STORAGE = Storage()
STORAGES = (STORAGE, STORAGE, STORAGE, STORAGE)
DESCRIPTION = Description("mm", (), (), ("M", "N", "K", "A", "B", "C"), STORAGES, ("16", "16"), GRID)
NOT_COMPARED = "the launch in line 4 was not compared with the one described here: "


def judged(code: str, *, is_handed: bool = False, asks_for_more: bool = True) -> KernelFinding:
    """What is found of a kernel that is right however it is launched."""
    source = read_source(FILE.format(code), Language.CUDA)
    terms = tuple(terms_of(one, DESCRIPTION.arguments, {}) for one in source.launches)
    handed = tuple((line, name) for _, line, name in source.handed) if is_handed else ()
    found = KernelFinding("mm", 1, DESCRIPTION, right_sizes=SIZES)
    return HostLaunches(terms, handed=handed, asks_for_more_shared=asks_for_more).beside(
        found, lambda *_: Checked(""), is_free=False
    )


def launch(given: str, rows: str = "M") -> str:
    return f"mm<<<dim3((N + 15) / 16, ({rows} + 15) / 16), t>>>({given}, a, b, c);"


@pytest.mark.parametrize(
    ("code", "given"),
    [
        (launch("M, N, K / 2"), "`K / 2` for K"),
        ("int half = K / 2;" + launch("M, N, half"), "`half` for K"),
        ("int rows = M / 4;" + launch("rows, N - 1, K", "rows"), "`rows` for M and `N - 1` for N"),
    ],
)
def test_that_a_part_of_a_size_is_a_doubt(code: str, given: str) -> None:
    found = judged(code)
    assert found.left_out == (f"{NOT_COMPARED}it gives the kernel {given}, so it may compute a part of a product",)
    assert found.outcome is AdoptOutcome.RIGHT_WITH_DOUBTS


@pytest.mark.parametrize(
    "code",
    [
        launch("M, N, K"),
        "int depth = (K + 31) / 32 * 32;" + launch("M, N, depth"),
        launch("M, N, (K + 3) / 4 * 4"),
    ],
)
def test_that_a_size_that_is_rounded_up_is_none(code: str) -> None:
    assert (judged(code).outcome, judged(code).left_out) == (AdoptOutcome.VERIFIED, ())


def test_that_a_kernel_that_is_handed_to_a_function_is_in_doubt_and_the_function_is_named() -> None:
    code = "cudaFuncSetAttribute(mm, x, 1); start(mm, dim3((M + 15) / 16, (N + 15) / 16), t, a, b);"
    found = judged(code, is_handed=True)
    words = "the kernel is handed to `start`, and how that launches it could not be read"
    assert found.left_out == (f"{NOT_COMPARED}{words}",)
    assert found.outcome is AdoptOutcome.RIGHT_WITH_DOUBTS


def test_that_a_launch_of_an_unknown_handle_is_a_doubt() -> None:
    found = judged("void *args[] = {&M, &N, &K, &a, &b, &c}; cuLaunchKernel(f, N, M, 1, 16, 16, 1, 0, 0, args, 0);")
    assert found.left_out == (f"{NOT_COMPARED}it launches `f`, and which kernel that is could not be read",)
    assert found.outcome is AdoptOutcome.RIGHT_WITH_DOUBTS


def test_that_launches_of_one_line_are_told_once_and_those_not_tried_apart() -> None:
    late = OpenLaunch(9, "within the time limit", "mm<8>", kind=OpenKind.UNTRIED)
    launches = (OpenLaunch(4, "its grid"), OpenLaunch(4, "its block"), late)
    assert open_words(launches) == (
        "the launch in line 9 was not tried, and the launch in line 4 was not compared with this one"
    )
    assert late.words == "the launch of mm<8> in line 9 was not tried within the time limit"


def with_shared(nbytes: str) -> str:
    return f"mm<<<dim3((N + 15) / 16, (M + 15) / 16), t, {nbytes}>>>(M, N, K, a, b, c);"


def test_that_more_dynamic_shared_memory_than_a_kernel_gets_unasked_is_a_doubt() -> None:
    found = judged(with_shared("2 * 32 * 256 * sizeof(float)"), asks_for_more=False)
    assert found.outcome is AdoptOutcome.RIGHT_WITH_DOUBTS
    assert found.description is not None
    (words,) = found.left_out
    assert words.startswith(
        f"the launch in line 4 needs {count(65536)} bytes of dynamic shared memory, and a GPU refuses more"
    )
    assert (
        open_words(found.description.open_launches)
        == "the launch in line 4 needs more dynamic shared memory than its file allows"
    )


def test_that_bytes_that_grow_with_a_size_are_told_at_the_first_size_that_needs_too_many() -> None:
    (words,) = judged(with_shared("512 * K"), asks_for_more=False).left_out
    assert f"needs {count(51200)} bytes of dynamic shared memory at 64x72x100," in words


@pytest.mark.parametrize(("nbytes", "asks_for_more"), [("48 * 1024", False), ("64 * 1024", True)])
def test_that_no_more_than_a_kernel_gets_or_host_code_asks_for_is_no_doubt(nbytes: str, *, asks_for_more: bool) -> None:
    assert judged(with_shared(nbytes), asks_for_more=asks_for_more).outcome is AdoptOutcome.VERIFIED


@pytest.mark.parametrize(
    ("text", "asks"),
    [
        ("cudaFuncSetAttribute(mm, cudaFuncAttributeMaxDynamicSharedMemorySize, 65536);", True),
        ("cuFuncSetAttribute(f, CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES, 65536);", True),
        ("hipLaunchKernelGGL(mm, g, b, 65536, 0, a, b, c);", True),
        ("cudaFuncSetCacheConfig(mm, cudaFuncCachePreferShared);", False),
    ],
)
def test_which_files_ask_for_more_dynamic_shared_memory(text: str, *, asks: bool) -> None:
    assert asks_for_more_shared(text) is asks


@pytest.mark.parametrize(("rows", "grid"), [("ra", GRID), ("ra / 2", ("ceil_div(N, 16)", ""))])
def test_that_a_copy_of_a_size_that_the_kernel_is_given_twice_is_that_size(rows: str, grid: tuple[str, ...]) -> None:
    text = f"""__global__ void mm(float *A, float *B, float *C, int p, int q, int r, int s, int t, int u) {{}}
void h(float *a, float *b, float *c, int ra, int ca, int rb, int cb) {{
    int rc, cc;
    rc = {rows};
    cc = cb;
    mm<<<dim3((cc + 15) / 16, (rc + 15) / 16), dim3(16, 16)>>>(a, b, c, ra, ca, rb, cb, rc, cc);
}}
"""
    (found,) = read_source(text, Language.CUDA).launches
    assert terms_of(found, ("A", "B", "C", "M", "K", "K", "N", "M", "N"), {}).grid == grid
