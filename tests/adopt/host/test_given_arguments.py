"""A launch is compared as it stands: with its own bytes of shared memory, sizes, parts of sums and matrices."""

from __future__ import annotations

from dataclasses import replace

import pytest

from gemmviz.adopt.description import Description
from gemmviz.adopt.finding import KernelFinding
from gemmviz.adopt.prove.check import Checked
from gemmviz.adopt.prove.host.host_launches import HostLaunches, IsRight
from gemmviz.adopt.prove.host.launch_terms import terms_of
from gemmviz.adopt.source.read import read_source
from gemmviz.domain.kernels.call import Storage
from gemmviz.domain.shape import Shape
from gemmviz.domain.terms import Element, Language, Layout

ROWS = Storage(layout=Layout.ROW, element=Element.FLOAT32)
SIZES = (Shape(64, 96, 128), Shape(100, 72, 84), Shape(70, 130, 100))
GRID, BLOCK = "dim3((N + 15) / 16, (M + 15) / 16)", "dim3(16, 16)"
MM = Description(
    entry="mm",
    template=(),
    defines=(),
    arguments=("A", "B", "C", "M", "N", "K"),
    storages=(ROWS, ROWS, ROWS, ROWS),
    block=("16", "16"),
    grid=("ceil_div(N, 16)", "ceil_div(M, 16)"),
)
IN_SHARED = replace(MM, shared_bytes="2048")


def two_tiles(description: Description, _shape: Shape) -> Checked:
    """What comes of a kernel that keeps two tiles of its block in dynamic shared memory."""
    edge, held = int(description.block[0]), int(description.shared_bytes)
    return Checked("" if held >= 8 * edge * edge else f"st.shared.f32 behind {held} bytes")


def judged(
    launch: str, described: Description, is_right: IsRight, parameters: str = "int M, int N, int K"
) -> KernelFinding:
    text = f"""__global__ void mm(const float *A, const float *B, float *C, {parameters}) {{}}
void right(float *A, float *B, float *C, int M, int N, int K) {{ mm<<<{GRID}, {BLOCK}>>>(A, B, C, M, N, K); }}
void other(float *A, float *B, float *C, int M, int N, int K, int bytes) {{ {launch}; }}
"""
    source = read_source(text, Language.CUDA)
    terms = tuple(terms_of(one, described.arguments, {}) for one in source.launches[1:])
    names = tuple(one.name for one in source.kernels[0].parameters)
    found = KernelFinding("mm", 1, described, right_sizes=SIZES)
    return HostLaunches(terms, names).beside(found, is_right, is_free=False)


@pytest.mark.parametrize(
    ("block", "nbytes", "otherwise", "left_out"),
    [
        (32, "2 * 32 * 32 * sizeof(float)", "", ()),
        (16, "2048", "", ()),
        (32, "4096", "line 3 launches blocks of 32 × 32 threads and a grid of ceil_div(N, 32) × ceil_div(M, 32) blocks"
         ", with 4096 bytes of dynamic shared memory. With", ()),
        (16, "1024", "line 3 launches it with 1024 bytes of dynamic shared memory. With that launch the result", ()),
        (32, "bytes", "", ("its shared memory (`bytes`) could not be read",)),
    ],
)  # fmt: skip
def test_that_a_launch_is_run_with_its_own_bytes_of_shared_memory(
    block: int, nbytes: str, otherwise: str, left_out: tuple[str, ...]
) -> None:
    launch = f"mm<<<dim3((N + {block - 1}) / {block}, (M + {block - 1}) / {block}), dim3({block}, {block}), {nbytes}>>>"
    found = judged(f"{launch}(A, B, C, M, N, K)", IN_SHARED, two_tiles)
    assert found.description is not None
    told = found.description.otherwise
    assert told.startswith(otherwise) if otherwise else not told
    assert len(found.left_out) == len(left_out)
    assert all(words in one for words, one in zip(left_out, found.left_out, strict=True))
    other = found.description.launched
    assert (other.shared_bytes if other else "") == ("8192" if block == 32 and not otherwise and not left_out else "")
