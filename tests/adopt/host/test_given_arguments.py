"""A launch is compared as it stands: with its own bytes of shared memory, sizes, parts of sums and matrices."""

from __future__ import annotations

from dataclasses import replace

import pytest

from gemmviz.adopt.description import Description
from gemmviz.adopt.finding import KernelFinding
from gemmviz.adopt.prove.check import Checked
from gemmviz.adopt.prove.host.host_launches import HostLaunches, IsRight
from gemmviz.adopt.prove.host.launch_numbers import sizes_of
from gemmviz.adopt.prove.host.launch_terms import terms_of
from gemmviz.adopt.source.read import read_source
from gemmviz.catalogue.expressions import evaluate_whole
from gemmviz.domain.kernels.call import Storage
from gemmviz.domain.shape import Shape
from gemmviz.domain.terms import Element, Language, Layout

ROWS = Storage(layout=Layout.ROW, element=Element.FLOAT32)
SIZES = (Shape(64, 96, 128), Shape(96, 64, 160), Shape(128, 80, 96))
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
    terms = tuple(terms_of(one, described.arguments, {}, (), source.launches[0]) for one in source.launches[1:])
    names = tuple(one.name for one in source.kernels[0].parameters)
    found = KernelFinding("mm", 1, described, right_sizes=SIZES)
    return HostLaunches(terms, names, proven=source.launches[0]).beside(found, is_right, is_free=False)


@pytest.mark.parametrize(
    ("block", "nbytes", "otherwise", "left_out"),
    [
        (32, "2 * 32 * 32 * sizeof(float)", "", ()),
        (16, "2048", "", ()),
        (
            32,
            "4096",
            "line 3 launches blocks of 32 × 32 threads and a grid of ceil_div(N, 32) × ceil_div(M, 32) blocks"
            ", with 4096 bytes of dynamic shared memory. With",
            (),
        ),
        (16, "1024", "line 3 launches it with 1024 bytes of dynamic shared memory. With that launch the result", ()),
        (32, "bytes", "", ("its shared memory (`bytes`) could not be read",)),
    ],
)
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
    others = [one.shared_bytes for one in found.description.launched]
    assert others == (["8192"] if block == 32 and not otherwise and not left_out else [])


def takes(*given: str) -> IsRight:
    """What comes of a kernel that is right only with these numbers at each size."""

    def is_right(description: Description, shape: Shape) -> Checked:
        sizes = sizes_of(shape)
        has, needs = ([evaluate_whole(one, sizes) for one in of] for of in (description.arguments[3:], given))
        return Checked("" if has == needs else "elements are wrong")

    return is_right


def test_that_a_size_less_than_that_of_the_proven_launch_is_run_as_it_stands() -> None:
    wrong = judged(f"mm<<<{GRID}, {BLOCK}>>>(A, B, C, M, N, K - 1)", MM, takes("M", "N", "K")).description
    assert wrong is not None
    assert wrong.otherwise == (
        "line 3 gives the kernel K - 1 for K. With that launch the result is wrong at 64x96x128: elements are wrong"
    )


@pytest.mark.parametrize("given", ["M, N, depth / 2", "M, L - 1, K", "M, N, rows - 1"])
def test_that_a_size_of_another_name_or_a_part_of_one_is_taken_for_the_size_that_it_stands_for(given: str) -> None:
    found = judged(f"mm<<<{GRID}, {BLOCK}>>>(A, B, C, {given})", MM, takes("M", "N", "K")).description
    assert found is not None
    assert found.otherwise == ""


@pytest.mark.parametrize(
    ("part", "wrong"),
    [
        ("K / 16", "64x96x128"),
        ("K / 8", "17x33x65"),
        ("(K + 7) / 8", ""),
    ],
)
def test_that_another_number_of_parts_is_run_also_at_sizes_that_it_does_not_divide(part: str, wrong: str) -> None:
    """Each of a launch's blocks along z adds `part` products to each sum."""
    described = replace(MM, arguments=(*MM.arguments, "ceil_div(K, 2)"), grid=(*MM.grid, "2"))

    def is_right(description: Description, shape: Shape) -> Checked:
        sizes = sizes_of(shape)
        parts, length = (evaluate_whole(one, sizes) for one in (description.grid[2], description.arguments[6]))
        return Checked("" if parts * length >= shape.k else "products are left out")

    grid = GRID.replace("/ 16)", "/ 16, 8)").replace("/ 16, 8),", "/ 16,")
    launch = f"mm<<<{grid}, {BLOCK}>>>(A, B, C, M, N, K, {part})"
    found = judged(launch, described, is_right, "int M, int N, int K, int part").description
    assert found is not None
    told = f"line 3 gives the kernel {part} for part, and launches a grid of ceil_div(N, 16) × ceil_div(M, 16) × 8"
    assert found.otherwise.startswith(told if wrong else "")
    assert f"the result is wrong at {wrong}: " in found.otherwise if wrong else not found.otherwise
    assert bool(found.launched) == (not wrong)


def test_that_constant_sizes_that_are_exchanged_for_the_same_matrices_are_not_compared() -> None:
    text = f"""__global__ void mm(const float *A, const float *B, float *C, int M, int N, int K) {{}}
int main() {{
    int M = 512, N = 384, K = 256;
    float *A, *B, *C, *D;
    mm<<<{GRID}, {BLOCK}>>>(A, B, C, M, N, K);
    mm<<<{GRID}, {BLOCK}>>>(A, B, C, M, K, N);
    mm<<<{GRID}, {BLOCK}>>>(A, C, D, M, K, N);
}}
"""
    source = read_source(text, Language.CUDA)
    terms = tuple(terms_of(one, MM.arguments, {}) for one in source.launches)
    found = KernelFinding("mm", 1, MM, right_sizes=SIZES)
    launches = HostLaunches(terms, proven=source.launches[0])
    beside = launches.beside(found, lambda *_: Checked(""), is_free=False)
    words = "it gives the kernel K for N and N for K, with the same matrices as line 5"
    assert beside.left_out == (f"the launch in line 6 was not compared with the one described here: {words}",)


@pytest.mark.parametrize(
    ("given", "is_wrong"), [("B, A, C, M, N, K", True), ("B, A, C, N, M, K", False), ("B, A, C, M, M, M", False)]
)
def test_that_matrices_exchanged_for_the_same_sizes_are_run_so(given: str, is_wrong: bool) -> None:
    """A product of equal sizes may be B·A, and with M and N exchanged, too, it is that of transposed matrices."""

    def is_right(description: Description, _shape: Shape) -> Checked:
        return Checked("" if description.arguments[:2] == ("A", "B") else "elements are wrong")

    found = judged(f"mm<<<{GRID}, {BLOCK}>>>({given})", MM, is_right)
    doubt = "line 3 gives the kernel B for A and A for B: by their names they are exchanged"
    told = f"{doubt}. With that launch the result is wrong at 64x96x128: elements are wrong"
    assert found.description is not None
    assert (found.description.otherwise, found.notes) == ((told, ()) if is_wrong else ("", (doubt,)))


@pytest.mark.parametrize(
    ("given", "is_wrong"), [("B, A, C, M, N, K", True), ("B, A, C, N, M, K", False), ("B, A, C, rows, N, K", False)]
)
def test_that_the_proven_launch_is_wrong_where_it_exchanges_matrices_for_sizes_of_their_names(
    given: str, is_wrong: bool
) -> None:
    """The only launch of a file is the one that was proven, with its names for the sizes."""

    def is_right(description: Description, _shape: Shape) -> Checked:
        return Checked("" if description.arguments[:2] == ("A", "B") else "elements are wrong")

    text = f"""__global__ void mm(const float *A, const float *B, float *C, int M, int N, int K) {{}}
void run(float *A, float *B, float *C, int M, int N, int K, int rows) {{ mm<<<{GRID}, {BLOCK}>>>({given}); }}
"""
    source = read_source(text, Language.CUDA)
    (launch,) = source.launches
    launches = HostLaunches((terms_of(launch, MM.arguments, {}, (), launch),), tuple("ABCMNK"), proven=launch)
    found = launches.beside(KernelFinding("mm", 1, MM, right_sizes=SIZES), is_right, is_free=False).description
    assert found is not None
    told = "line 2 gives the kernel B for A and A for B: by their names they are exchanged. With that launch the result"
    assert found.otherwise == (f"{told} is wrong at 64x96x128: elements are wrong" if is_wrong else "")
