"""Each launch in host code is compared with what was proven: the same, or wrong with a reason, or left out, and why."""

from __future__ import annotations

from dataclasses import replace
from itertools import product

import pytest

from gemmviz.adopt.description import Description, SizeRule
from gemmviz.adopt.finding import KernelFinding
from gemmviz.adopt.outcome import AdoptOutcome
from gemmviz.adopt.prove.check import Checked
from gemmviz.adopt.prove.host.host_launches import HostLaunches
from gemmviz.adopt.prove.host.launch_numbers import described_numbers
from gemmviz.adopt.prove.host.launch_terms import terms_of
from gemmviz.adopt.reasons import FaultKind
from gemmviz.adopt.source.read import read_source
from gemmviz.domain.kernels.call import Storage
from gemmviz.domain.shape import Shape
from gemmviz.domain.terms import Element, Language, Layout

ROWS = Storage(layout=Layout.ROW, element=Element.FLOAT32)
SIZES = (*(Shape(*one) for one in product((64, 72, 100), repeat=3)), Shape(64, 96, 128))
FILE = """__global__ void mm(int m, int n, int k, const float *A, int lda, const float *B, float *C) {{}}
void h(float *a, float *b, float *c, int M, int N, int K) {{
    dim3 t(16, 16);
    {}
}}
"""
NOT_COMPARED = "the launch in line 4 was not compared with the one described here: "
IN_LINE_3 = NOT_COMPARED.replace("4", "3")
WRONG = "With that launch the result is wrong"
WRITE = "write it with numbers and the sizes that the kernel takes"
GRID = "dim3((N + 15) / 16, (M + 15) / 16)"
DESCRIPTION = Description(
    entry="mm",
    template=(),
    defines=(),
    arguments=("M", "N", "K", "A", "lda", "B", "C"),
    storages=(ROWS, ROWS, ROWS, ROWS),
    block=("16", "16"),
    grid=("ceil_div(N, 16)", "ceil_div(M, 16)"),
)


def right_with_enough(description: Description, shape: Shape) -> Checked:
    """What comes of a kernel that needs its blocks and its distance between lines."""
    has, needs = described_numbers(description, shape), described_numbers(DESCRIPTION, shape)
    blocks = zip((*has.grid, 1, 1), (*needs.grid, 1, 1), strict=False)
    is_enough = all(one >= two for one, two in blocks) and has.given == needs.given and has.block == needs.block
    return Checked("" if is_enough else "elements are wrong")


def judged(code: str, description: Description = DESCRIPTION, sizes: tuple[tuple[str, int], ...] = ()) -> KernelFinding:
    source = read_source(FILE.format(code), Language.CUDA)
    terms = tuple(terms_of(one, description.arguments, {}) for one in source.launches)
    found = KernelFinding("mm", 1, description, right_sizes=SIZES)
    names = tuple(one.name for one in source.kernels[0].parameters)
    return HostLaunches(terms, names, sizes=sizes).beside(found, right_with_enough, is_free=False)


def wrong(code: str) -> str:
    found = judged(code).description
    assert found is not None
    return found.otherwise


def launch(grid: str = GRID, given: str = "M, N, K, a, K, b, c") -> str:
    return f"mm<<<{grid}, t>>>({given});"


@pytest.mark.parametrize(
    "grid",
    [
        GRID,
        "dim3((N - 1) / 16 + 1, std::ceil(M / 16.0))",
        "dim3(N % 16 ? N / 16 + 1 : N / 16, M / 16 + (M % 16 != 0))",
        "dim3(N / 16 + !!(N % 16), (M + 15) >> 4)",
    ],
)
def test_that_a_launch_with_the_same_numbers_at_all_sizes_is_called_the_same(grid: str) -> None:
    found = judged(launch(grid))
    assert (found.because, found.left_out) == (("the grid: line 4 launches it so",), ())
    assert wrong(launch(grid)) == ""


@pytest.mark.parametrize(
    "pointers", ["0, K, 0, 0", "nullptr, K, NULL, 0", "(float *)0, K, 0, (float *)0", "0, K, b, 0"]
)
def test_that_a_launch_with_null_pointers_is_not_compared(pointers: str) -> None:
    found = judged(launch("dim3(1, 1)", f"M, N, K, {pointers}"))
    assert found.description is not None
    assert found.description.otherwise == ""
    assert found.outcome is AdoptOutcome.RIGHT_WITH_DOUBTS
    names = "A and C" if "b" in pointers else "A, B and C"
    assert found.left_out == (f"{NOT_COMPARED}it gives the kernel null for {names}",)


def test_that_a_function_that_is_taken_by_its_name_is_named() -> None:
    found = judged(launch("dim3(div_up(N, 16), div_up(M, 16))"))
    assert found.because == ("the grid: line 4 launches it so (div_up taken to round up, as its name says)",)


@pytest.mark.parametrize(
    ("code", "words"),
    [
        (launch("dim3(N / 16, (M + 15) / 16)"), "line 4 launches a grid of N // 16 × ceil_div(M, 16) blocks. With"),
        (launch("dim3((M + 15) / 16, (N + 15) / 16)"), "line 4 launches a grid of ceil_div(M, 16) × ceil_div(N, 16)"),
        (launch() + "\n" + launch("dim3(M, N / 64)"), f"line 5 launches a grid of M × N // 64 blocks. {WRONG}"),
        (launch(given="M, N, K, a, M, b, c"), f"line 4 gives the kernel M for lda. {WRONG} at "),
        ("int lda = M;" + launch(given="M, N, K, a, lda, b, c"), f"line 4 gives the kernel M for lda. {WRONG} at "),
        (launch(given="M, N, K, a, K, b, a"), "line 4 gives the kernel a for both A and C, and a product keeps"),
        ("t = dim3(8, 8);" + launch(), "line 4 launches blocks of 8 × 8 threads and a grid of ceil_div(N, 16) ×"),
        (
            launch("dim3(4, 4)", "1024, 1024, 1024, a, 1024, b, c"),
            "line 4 launches a grid of 4 × 4 blocks for 1024x1024x1024, which needs 64 × 64 blocks. With 1 × 1 in "
            "place of 4 × 4 blocks the result is wrong at 64x64x64: ",
        ),
        ("for (int i = 0; i < 9; ++i) " + launch("dim3(M, N / 64)"), "line 4 launches a grid of M × N // 64 blocks"),
    ],
)
def test_that_a_wrong_launch_is_named(code: str, words: str) -> None:
    assert wrong(code).startswith(words)


@pytest.mark.parametrize(
    ("code", "words"),
    [
        ("dim3 g = made(M);" + launch("g"), f"its grid (`g = made(M)`) could not be read; {WRITE}"),
        (launch("dim3(blocks(N), 4)"), f"its grid (`dim3(blocks(N), 4)`) could not be read; {WRITE}"),
        (
            "for (int r = 0; r < M; r += 16) " + launch("dim3(N, 1)", "16, N, K, a + r * K, K, b, c + r * N"),
            "it stands in a loop that changes what it gives the kernel",
        ),
        (
            launch(given="M, N, K, a + 4, K, b, c"),
            "it gives the kernel the computed pointer `a + 4`, so it may compute a part of a product",
        ),
        (
            launch(given="M, N, K, a, f(K), b, c"),
            f"its argument `f(K)` could not be read; {WRITE}",
        ),
        ("if (fits(N)) " + launch(), f"it stands under a condition that could not be read; {WRITE}"),
        ("if (N == 7) " + launch("dim3(1, 1)"), "it is for sizes that were not proven"),
    ],
)
def test_that_a_launch_that_cannot_be_compared_is_said_to_be_not_compared(code: str, words: str) -> None:
    found = judged(code)
    assert found.left_out == (f"{NOT_COMPARED}{words}",)
    assert found.because == ("the grid: what one and two blocks along each axis wrote",)
    assert found.outcome is AdoptOutcome.RIGHT_WITH_DOUBTS
    assert wrong(code) == ""


@pytest.mark.parametrize(
    "code",
    [
        "if (N % 16 == 0 && M % 16 == 0) " + launch("dim3(N / 16, M / 16)"),
        "if (N % 16 || M % 16) return;" + launch("dim3(N / 16, M / 16)"),
        launch(given="M, N, K, &a[0], K, (float *)b, c"),
        "int lda = (K + 31) / 32 * 32;" + launch(given="M, N, K, a, lda, b, c"),
        launch(given="M, N, K, a, pitch, b, c"),
        "for (int n = 1; n < 9; ++n) " + launch("dim3((n + 15) / 16, (M + 15) / 16)", "M, n, K, a, K, b, c"),
        "for (int i = 0; i < 9; ++i) " + launch(),
    ],
)
def test_that_a_launch_that_is_right_where_it_is_made_is_not_called_wrong(code: str) -> None:
    found = judged(code)
    assert (wrong(code), found.left_out) == ("", ())


def test_that_a_grid_with_more_blocks_than_needed_is_not_called_the_same() -> None:
    found = judged(launch("dim3(N / 16 + 1, M / 16 + 1)"))
    assert found.because == (
        "the grid: what one and two blocks along each axis wrote; line 4 launches N // 16 + 1 × M // 16 + 1 blocks",
    )


def test_that_matrices_that_are_exchanged_by_their_names_are_a_doubt() -> None:
    code = launch(given="M, N, K, d_B, K, d_A, d_C")
    assert judged(code).notes == ("line 4 gives the kernel d_B for A and d_A for B: by their names they are exchanged",)
    assert wrong(code) == ""


def test_that_a_product_of_exchanged_matrices_is_wrong_for_its_distance_between_lines_and_not_for_its_sizes() -> None:
    code = launch("dim3((M + 15) / 16, (N + 15) / 16)", "N, M, K, d_B, M, d_A, d_C")
    assert wrong(code).startswith("line 4 gives the kernel M for lda. With that launch the result is wrong at ")


def test_that_a_grid_that_leaves_rows_out_of_wide_results_alone_is_wrong() -> None:
    rows = "(N > 1000 ? M / 16 : (M + 15) / 16)"
    assert "the result is wrong at 61x1021x13: elements are wrong" in wrong(launch(f"dim3((N + 15) / 16, {rows})"))


def test_that_a_number_of_blocks_that_no_size_has_is_not_called_that_of_constants() -> None:
    fixed = replace(
        DESCRIPTION,
        arguments=("N", "N", "K", "A", "lda", "B", "C"),
        grid=("ceil_div(M * N, 256)",),
        fixed=(("N", 96), ("K", 64)),
        rules=(SizeRule("M", 8),),
    )
    code = launch("29", "96, 96, 64, a, 64, b, c")
    no_size = "it launches 29 blocks, and no size that the kernel takes needs so many"
    assert judged(code, fixed).left_out == (NOT_COMPARED + no_size,)
    told = judged(code, fixed, (("M", 80),)).description
    assert told is not None
    assert told.otherwise == f"line 4 launches a grid of 29 blocks. {WRONG} at 80x96x64: elements are wrong"
    assert judged(code, fixed, (("M", 81),)).left_out  # which the rules do not allow


def test_that_what_the_host_calls_sizes_is_what_it_gives_for_them() -> None:
    """A variable that happens to be called N is no N of the product."""
    code = "int R = bs * seq;" + launch("dim3((N + 15) / 16, (R + 15) / 16)", "R, t.n, K, a, K, b, c")
    assert judged(code).left_out[0] == f"{NOT_COMPARED}its grid depends on N, which is not passed to the kernel"
    code = launch("dim3((b.c + 15) / 16, (bs * seq + 15) / 16)", "bs * seq, b.c, K, a, K, b, c")
    assert judged(code).because == ("the grid: line 4 launches it so",)


TENSORS = """__global__ void mm(int m, int n, int k, const float *A, int lda, const float *B, float *C) {{}}
torch::Tensor h(torch::Tensor x, torch::Tensor w) {{
    TORCH_CHECK(x.is_cuda() && x.size(1) == w.size(0), "shapes");
    auto out = torch::zeros({{x.size(0), w.size(1)}}, x.options());
    int rows = x.size(0), depth = x.sizes()[1], columns = w.size(-1);
    {}
}}
"""
POINTERS = "x.data_ptr<float>(), depth, w.data_ptr<float>(), reinterpret_cast<float *>(out.data_ptr())"


def judged_tensors(code: str, description: Description = DESCRIPTION, file: str = TENSORS) -> KernelFinding:
    source = read_source(file.format(code), Language.CUDA)
    words, storages = description.arguments, description.storages
    terms = tuple(terms_of(one, words, {}, storages) for one in source.launches)
    found = KernelFinding("mm", 1, description, right_sizes=SIZES)
    names = tuple(one.name for one in source.kernels[0].parameters)
    return HostLaunches(terms, names).beside(found, right_with_enough, is_free=False)


@pytest.mark.parametrize(
    ("grid", "given"),
    [
        ("dim3((columns + 15) / 16, (rows + 15) / 16)", "rows, columns, depth"),
        ("dim3((w.size(1) + 15) / 16, (x.size(0) + 15) / 16)", "x.size(0), w.size(1), x.size(1)"),
        ("dim3((w->shape[1] + 15) / 16, (out.size(-2) + 15) / 16)", "x.size(0), static_cast<int>(w.size(1)), depth"),
    ],
)
def test_that_sizes_of_tensors_are_those_of_the_matrices_they_hold(grid: str, given: str) -> None:
    found = judged_tensors(f"mm<<<{grid}, dim3(16, 16)>>>({given}, {POINTERS});")
    assert (found.because, found.left_out) == (("the grid: line 6 launches it so",), ())
    assert found.description is not None
    assert found.description.otherwise == ""


def test_that_a_size_of_a_tensor_for_another_dimension_is_wrong() -> None:
    """B by columns lies in a tensor as N rows of K."""
    by_columns = replace(ROWS, layout=Layout.COLUMN)
    description = replace(DESCRIPTION, storages=(ROWS, by_columns, ROWS, ROWS))
    code = f"mm<<<dim3((columns + 15) / 16, (rows + 15) / 16), dim3(16, 16)>>>(rows, columns, depth, {POINTERS});"
    found = judged_tensors(code, description, TENSORS.replace("w.size(0)", "w.size(1)", 1))
    assert found.description is not None
    assert found.description.otherwise.startswith("line 6 gives the kernel w.size(-1) for n, and launches a grid of ")


def test_that_tensors_with_a_third_dimension_are_no_matrices() -> None:
    code = "int batch = x.size(2); mm<<<dim3((columns + 15) / 16, (rows + 15) / 16), dim3(16, 16)>>>"
    found = judged_tensors(f"{code}(x.size(1), columns, x.size(0), {POINTERS});")
    assert found.description is not None
    assert found.description.otherwise == ""


def test_that_a_launch_that_rounds_down_is_not_called_the_same() -> None:
    rules = (SizeRule("M", 16), SizeRule("N", 16))
    sizes = tuple(Shape(*one) for one in ((64, 96, 128), (32, 48, 16), (128, 64, 96)))
    source = read_source(FILE.format(launch("dim3(N / 16, M / 16)")), Language.CUDA)
    terms = terms_of(source.launches[0], DESCRIPTION.arguments, {})
    found = KernelFinding("mm", 1, replace(DESCRIPTION, rules=rules), right_sizes=sizes)
    names = tuple(one.name for one in source.kernels[0].parameters)
    compared = HostLaunches((terms,), names).beside(found, right_with_enough, is_free=False)
    words = "the grid: line 4 launches N // 16 × M // 16 blocks, as many at the sizes that it takes"
    assert compared.because == (words,)


def test_that_a_launch_of_parts_for_another_kernel_to_add_up_is_not_called_wrong() -> None:
    text = """__global__ void part(const float *A, const float *B, float *W, int M, int N, int K, int splits) {}
void h(float *a, float *b, float *w, int M, int N, int K) {
    dim3 g((N + 15) / 16, (M + 15) / 16, 4);
    part<<<g, dim3(16, 16)>>>(a, b, w, M, N, K, 4);
}
"""
    described = replace(DESCRIPTION, entry="part", arguments=("A", "B", "C", "M", "N", "K", "1"))
    source = read_source(text, Language.CUDA)
    launches = HostLaunches(tuple(terms_of(one, described.arguments, {}) for one in source.launches), ("a",) * 7)

    def beside(fault: Checked) -> KernelFinding:
        found = KernelFinding("part", 1, described, right_sizes=SIZES)
        return launches.beside(found, lambda *_: fault, is_free=False)

    words = "each of its 4 blocks along z computes a part of every sum, for another kernel to add up"
    past_end = Checked("4 bytes past the end of C", FaultKind.PAST_END)
    assert beside(past_end).left_out == (f"{NOT_COMPARED}{words}",)
    wrong_sums = beside(Checked("elements are wrong, as past the end of C"))
    assert wrong_sums.description is not None
    assert "the result is wrong at" in wrong_sums.description.otherwise


@pytest.mark.parametrize(
    ("grid", "because", "left_out"),
    [
        (
            "dim3((n + 15) / 16, (m + 15) / 16)",
            "the grid: line 3 launches it so (m and n taken for M and N, as their names say)",
            (),
        ),
        (
            "dim3((m + 15) / 16, (n + 15) / 16)",
            "the grid: what one and two blocks along each axis wrote",
            ("its grid depends on m and n, which are not passed to the kernel",),
        ),
        (
            "dim3((n + 15) / 16, tiles)",
            "the grid: what one and two blocks along each axis wrote",
            ("its grid depends on n and tiles, which are not passed to the kernel",),
        ),
    ],
)
def test_that_a_grid_over_variables_that_the_kernel_is_not_given_is_believed_where_it_fits(
    grid: str, because: str, left_out: tuple[str, ...]
) -> None:
    text = f"""__global__ void mm(const float *A, int lda, const float *B, int ldb, float *C, int ldc, int k) {{}}
void h(float *a, int lda, float *b, int ldb, float *c, int ldc, int m, int n, int k, int tiles) {{
    mm<<<{grid}, dim3(16, 16)>>>(a, lda, b, ldb, c, ldc, k);
}}
"""
    described = replace(DESCRIPTION, arguments=("A", "lda", "B", "ldb", "C", "ldc", "K"))
    source = read_source(text, Language.CUDA)
    terms = tuple(terms_of(one, described.arguments, {}) for one in source.launches)
    found = HostLaunches(terms, described.arguments).beside(
        KernelFinding("mm", 1, described, right_sizes=SIZES), right_with_enough, is_free=False
    )
    assert (found.because, found.left_out) == ((because,), tuple(IN_LINE_3 + one for one in left_out))


@pytest.mark.parametrize(
    ("grid", "because", "left_out"),
    [
        ("batch", "the grid: line 3 launches it so (batch taken for M, which the kernel is not given)", ()),
        (
            "batch * heads",
            "the grid: what one and two blocks along each axis wrote",
            ("its grid depends on batch and heads, which are not passed to the kernel",),
        ),
        (
            "(batch + 1) / 2",
            "the grid: what one and two blocks along each axis wrote",
            ("its grid depends on batch, which is not passed to the kernel",),
        ),
    ],
)
def test_that_a_number_of_rows_is_taken_for_the_only_size_that_the_kernel_is_not_given(
    grid: str, because: str, left_out: tuple[str, ...]
) -> None:
    text = f"""__global__ void mm(const float *A, const float *B, float *C, int n, int k) {{}}
void h(float *a, float *b, float *c, int batch, int heads, int n, int k) {{
    mm<<<{grid}, 128>>>(a, b, c, n, k);
}}
"""
    described = replace(DESCRIPTION, arguments=("A", "B", "C", "N", "K"), block=("128",), grid=("M",))
    source = read_source(text, Language.CUDA)
    terms = tuple(terms_of(one, described.arguments, {}) for one in source.launches)
    found = HostLaunches(terms, described.arguments).beside(
        KernelFinding("mm", 1, described, right_sizes=SIZES), lambda *_: Checked("elements are wrong"), is_free=False
    )
    assert (found.because, found.left_out) == ((because,), tuple(IN_LINE_3 + one for one in left_out))


def test_that_every_wrong_launch_is_named() -> None:
    found = judged("\n".join((launch("dim3(M, N / 64)"), launch(), launch("dim3(N / 16, (M + 15) / 16)"))))
    assert found.description is not None
    assert found.description.otherwise.startswith(f"line 4 launches a grid of M × N // 64 blocks. {WRONG}")
    assert [one.partition(" blocks")[0] for one in found.notes] == [
        "line 6 launches a grid of N // 16 × ceil_div(M, 16)"
    ]


def test_that_a_launch_of_too_many_blocks_for_a_size_too_large_to_run_is_tried_at_smaller_ones() -> None:
    code = f"int M = 4096, N = 4096, K = 4096; {launch('dim3(N / 16, M / 8)')}"
    terms = (terms_of(read_source(FILE.format(code), Language.CUDA).launches[0], DESCRIPTION.arguments, {}),)
    found = KernelFinding("mm", 1, DESCRIPTION, right_sizes=SIZES)

    def said(done: Checked) -> str:
        new = HostLaunches(terms, ("m",)).beside(found, lambda *_: done, is_free=False)
        return f"{new.description and new.description.otherwise}{' '.join(new.left_out)}"

    tried = said(Checked("it reads past the end of A"))
    assert "for 4096x4096x4096. With the same expressions the result is wrong at 64x64x64: it reads past" in tried
    untold = said(Checked("it did not end", FaultKind.TOO_SLOW, is_untold=True))
    assert untold.endswith("for 4096x4096x4096, which took too long to be run")
    assert said(Checked("")) == ""
