"""Single examinations of kernels with alpha and beta, of sums in few bits, and of sizes that are claimed in part."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from broken_kernels import SUM, changed, kernel_of

from gemmviz.backends.registry import find_device
from gemmviz.catalogue.claims import recorded_size
from gemmviz.catalogue.kernel import Kernel
from gemmviz.catalogue.loader import load_catalogue
from gemmviz.domain.shape import Shape
from gemmviz.engine.own_kernel_file import load_own_kernel
from gemmviz.referee import other_values, recordings
from gemmviz.referee.examinations.answers import Answers
from gemmviz.referee.examinations.computes_in import ComputesIn
from gemmviz.referee.examinations.determinism import Determinism
from gemmviz.referee.examinations.hazards import Hazards
from gemmviz.referee.examinations.plain_inputs import PlainInputs
from gemmviz.referee.examinations.sizes import ClaimedSizes, OddSizes
from gemmviz.referee.examinations.stale_c import StaleC
from gemmviz.referee.finding import Outcome
from gemmviz.referee.subject import Subject

_SCALED = """/*---
entry = "mine"
args = ["A", "B", "C", "M", "N", "K", "alpha", "beta"]
alpha = 1.5
beta = 0.5
title = "scaled"
[launch]
block = ["16", "16"]
grid = ["ceil_div(N, 16)", "ceil_div(M, 16)"]
---*/
__global__ void mine(const float *A, const float *B, float *C, int M, int N, int K, float alpha, float beta)
{
    const int row = blockIdx.y * 16 + threadIdx.y, col = blockIdx.x * 16 + threadIdx.x;
    if (row < M && col < N) {
        float acc = 0.0f;
        for (int k = 0; k < K; ++k) acc += A[row * K + k] * B[k * N + col];
        C[row * N + col] = RESULT;
    }
}
"""
READS_C = "alpha * acc + beta * C[row * N + col]"


def subject_of(kernel: Kernel) -> Subject:
    return Subject(kernel, kernel.params({}), find_device("machine"))


def scaled(folder: Path, result: str) -> Subject:
    path = folder / "scaled.cu"
    path.write_text(_SCALED.replace("RESULT", result), encoding="utf-8")
    return subject_of(load_own_kernel(path))


@pytest.mark.parametrize(
    ("result", "outcome", "words"),
    [
        (READS_C, Outcome.NOT_EXAMINED, "With beta = 0 it reads C too, where the BLAS does not: NaNs stay."),
        (f"beta == 0.0f ? alpha * acc : {READS_C}", Outcome.HELD, "With beta = 0 it does not read C"),
    ],
    ids=["multiplies by 0", "as the BLAS"],
)
def test_that_beta_0_with_nans_in_c_is_tried(tmp_path: Path, result: str, outcome: Outcome, words: str) -> None:
    finding = StaleC().examine(scaled(tmp_path, result))
    assert finding.outcome is outcome
    assert words in finding.reason


def test_that_the_verdict_says_where_a_nan_in_c_stays_with_beta_0(tmp_path: Path) -> None:
    finding = StaleC().examine(scaled(tmp_path, READS_C))
    assert finding.caveat == "with beta = 0 a NaN in C stays, where the BLAS does not read C"
    assert StaleC().examine(scaled(tmp_path, f"beta == 0.0f ? alpha * acc : {READS_C}")).caveat == ""


@pytest.mark.parametrize(
    ("old", "new", "caveat"),
    [
        ("= acc;", "= fabsf(acc) < 1.17549435e-38f ? 0.0f : acc;", "denormal results are not kept (they may become 0)"),
        ("A[row * K + k]", "(fabsf(A[row * K + k]) < 1.17549435e-38f ? 0.0f : A[row * K + k])", "denormal inputs are"),
        ("= acc;", "= acc == 0.0f ? -0.0f : acc;", ""),
    ],
)
def test_that_denormal_numbers_that_are_lost_are_told_and_the_sign_of_a_zero_is_no_fault(
    tmp_path: Path, old: str, new: str, caveat: str
) -> None:
    finding = PlainInputs().examine(subject_of(kernel_of(tmp_path, changed(old, new))))
    assert finding.outcome is Outcome.HELD
    assert finding.caveat.startswith(caveat)
    assert bool(finding.caveat) == bool(caveat)
    assert [case.tried for case in finding.cases[-2:]] == ["denormal results", "denormal inputs"]
    assert not any(case.failed for case in finding.cases)


def test_that_a_block_far_from_all_borders_is_compared(tmp_path: Path) -> None:
    """It drops the last product of long sums in one block of 16 × 16 elements."""
    one = "k < K - (row / 16 == 13 && col / 16 == 9 && K > 100)"
    finding = ClaimedSizes().examine(subject_of(kernel_of(tmp_path, changed("k < K", one))))
    assert finding.outcome is Outcome.FAILED
    assert [case.shape for case in finding.cases if case.failed] == ["301x309x307", "520x528x516"]


@pytest.mark.parametrize("small", ["A[row * K + k]", "B[k * N + col]"])
def test_that_tiny_numbers_that_are_taken_for_zeros_are_a_fault(tmp_path: Path, small: str) -> None:
    finding = PlainInputs().examine(
        subject_of(kernel_of(tmp_path, changed(small, f"(fabsf({small}) < 1e-12f ? 0.0f : {small})")))
    )
    assert finding.outcome is Outcome.FAILED
    (failed,) = (case for case in finding.cases if case.failed)
    assert failed.tried.startswith("A of whole numbers times 2^")
    assert finding.caveat == ""


@pytest.mark.parametrize(
    ("stored", "words"),
    [
        ("blockIdx.x == 7 && blockIdx.y == 3 ? 0.0f : acc", "256 of 32768 elements never change though their products"),
        ("row == 5 && col == 9 ? 2.0f : acc", "1 of 32768 elements never change though their products do; C[5,9] is"),
        ("fmaxf(acc, 0.0f)", ""),
        ("acc", ""),
    ],
    ids=["a block", "an element", "cut off", "right"],
)
def test_that_elements_that_are_constant_do_not_follow_the_inputs(tmp_path: Path, stored: str, words: str) -> None:
    subject = subject_of(kernel_of(tmp_path, changed("= acc;", f"= {stored};")))
    finding = Answers().examine(subject)
    assert (finding.outcome, subject.follows_in_part) == ((Outcome.FAILED, True) if words else (Outcome.HELD, False))
    assert words in finding.reason


def test_that_a_negative_half_alone_shows(tmp_path: Path) -> None:
    wrong = changed("+= A[row * K + k]", "+= (A[row * K + k] == -1.5f ? 1.5f : A[row * K + k])")
    finding = PlainInputs().examine(subject_of(kernel_of(tmp_path, wrong)))
    assert [case.tried for case in finding.cases if case.failed] == ["halves and negative halves"]


def test_that_arithmetic_is_told_behind_alpha(tmp_path: Path) -> None:
    subject = scaled(tmp_path, READS_C)
    finding = ComputesIn().examine(subject)
    assert (finding.outcome, finding.reason) == (
        Outcome.HELD,
        "Claimed: fp32. The probes tell inputs as float32, sums in float32.",
    )


@pytest.mark.parametrize(
    ("declared", "line", "words"),
    [
        (
            "double acc = 0.0",
            "acc += (double)A[row * K + k] * B[k * N + col]",
            "more exact than float32, as in float64",
        ),
        (
            "float acc = 0.0f, lost = 0.0f",
            "{ float y = A[row * K + k] * B[k * N + col] - lost, t = acc + y; lost = (t - acc) - y; acc = t; }",
            "at least as exact as float32",
        ),
    ],
    ids=["double", "compensated"],
)
def test_that_sums_more_exact_than_float32_are_not_called_float32(
    tmp_path: Path, declared: str, line: str, words: str
) -> None:
    body = SUM.replace("float acc = 0.0f", declared).replace("acc += A[row * K + k] * B[k * N + col]", line)
    subject = subject_of(kernel_of(tmp_path, body))
    assert ComputesIn().examine(subject).outcome is Outcome.HELD
    assert subject.found_arithmetic == f"inputs as float32, sums {words}"


def test_that_the_verdict_says_up_to_which_sizes_it_was_tried(tmp_path: Path) -> None:
    finding = ClaimedSizes().examine(subject_of(kernel_of(tmp_path, SUM, keys='constraints = ["K % 16 == 0"]')))
    assert finding.outcome is Outcome.HELD
    assert "sizes, with M, N and K up to 4160, not all at once; " in finding.reason


def test_that_growth_names_the_least_bound_that_holds(tmp_path: Path) -> None:
    half_sums = changed("acc += A", "acc = __half2float(__float2half(acc)) + A")
    finding = ComputesIn().examine(subject_of(kernel_of(tmp_path, half_sums, head="#include <cuda_fp16.h>")))
    assert finding.outcome is Outcome.FAILED
    grown = [case for case in finding.cases if case.tried.startswith("K = ")]
    assert [case.tried for case in grown] == ["K = 64", "K = 256", "K = 1024"]
    assert all(case.failed for case in grown)
    assert finding.reason.endswith("The least bound that holds as K grows is that of sums in half.")


def test_that_an_error_at_one_k_alone_is_not_put_down_to_an_arithmetic(tmp_path: Path) -> None:
    finding = ComputesIn().examine(subject_of(kernel_of(tmp_path, changed("k < K", "k < (K == 1024 ? 9 : K)"))))
    assert finding.outcome is Outcome.FAILED
    assert finding.reason.startswith("The error does not grow with K as that of any arithmetic does. At 256x128x1024: ")


@pytest.mark.parametrize(
    ("condition", "shape"),
    [
        ("M == N && N == K && M > 64 && M < 128", "72x72x72"),
        ("M % 16 == 8", "24x37x19"),
        ("row > 700 && col > 700", "720x720x4"),
    ],
)
def test_that_sizes_of_many_forms_are_examined(tmp_path: Path, condition: str, shape: str) -> None:
    body = changed("k < K", f"k < ({condition} ? K - 1 : K)")
    claimed = ClaimedSizes().examine(subject_of(kernel_of(tmp_path, body)))
    assert claimed.outcome is Outcome.FAILED
    assert shape in {case.shape for case in claimed.cases if case.failed}


def test_that_the_cases_that_failed_and_those_that_were_refused_are_all(tmp_path: Path) -> None:
    body = changed("k < K", "k < K - 1")
    finding = ClaimedSizes().examine(subject_of(kernel_of(tmp_path, body, keys='constraints = ["K == 32"]')))
    (wrong, tried, refused) = map(int, re.findall(r"(\d+) of (\d+) cases failed; (\d+) other", finding.reason)[0])
    assert finding.reason.endswith(f"; {refused} other sizes are refused.")
    assert (wrong, tried + refused) == (sum(case.failed for case in finding.cases), len(finding.cases))


def test_that_sizes_outside_the_claims_are_refused_and_odd_ones_within_them_tried(tmp_path: Path) -> None:
    whole_tiles = changed("k < K", "k < K / 16 * 16")
    subject = subject_of(kernel_of(tmp_path, whole_tiles, keys='constraints = ["K % 16 == 0"]'))
    claimed, odd = ClaimedSizes().examine(subject), OddSizes().examine(subject)
    assert (claimed.outcome, odd.outcome) == (Outcome.HELD, Outcome.HELD)
    assert "Claimed: K in multiples of 16." in claimed.reason
    assert "2 sizes just outside are refused" in claimed.reason
    assert "17x19x32" in {case.shape for case in odd.cases}
    all_restricted = subject_of(
        kernel_of(tmp_path, SUM, keys='constraints = ["K % 16 == 0", "M % 8 == 0", "N % 8 == 0"]')
    )
    odd = OddSizes().examine(all_restricted)
    assert odd.outcome is Outcome.NOT_EXAMINED
    assert odd.reason.startswith("Not claimed: it takes K in multiples of 16, M and N in multiples of 8.")


def test_that_a_kernel_for_squares_is_examined_at_several(tmp_path: Path) -> None:
    squares = 'constraints = ["M == N", "N == K"]'
    subject = subject_of(kernel_of(tmp_path, changed("k < K", "k < (K > 60 ? K - 1 : K)"), keys=squares))
    claimed = ClaimedSizes().examine(subject)
    assert claimed.outcome is Outcome.FAILED
    assert {"61x61x61", "256x256x256"} <= {case.shape for case in claimed.cases if case.failed}
    assert {"17x17x17", "1x1x1"} <= {case.shape for case in claimed.cases if not case.failed}


def test_that_growth_is_not_judged_by_a_single_k(tmp_path: Path) -> None:
    rounded = changed("A[row * K + k] * B", "__half2float(__float2half(A[row * K + k])) * B")
    kernel = kernel_of(tmp_path, rounded, head="#include <cuda_fp16.h>", keys='constraints = ["K == 64"]')
    finding = ComputesIn().examine(subject_of(kernel))
    assert finding.outcome is Outcome.FAILED
    assert "holds as K grows" not in finding.reason
    assert "How the error grows with K was not examined: no size but 256x128x64 could be tried." in finding.reason


def test_that_one_size_is_not_called_sizes(tmp_path: Path) -> None:
    keys = 'constraints = ["M == 16", "N == 16", "K == 16"]'
    finding = ClaimedSizes().examine(subject_of(kernel_of(tmp_path, SUM, keys=keys)))
    assert finding.reason == "Claimed: M = N = K = 16. Right at 1 size; 6 sizes just outside are refused."


@pytest.mark.parametrize(
    ("types", "words"),
    [
        (("half", "half"), "inputs as half, sums in float32"),
        (("bf16", "bf16"), "inputs as bfloat16, sums in float32"),
        (("half", "float32"), "inputs as they are stored, sums in float32"),
    ],
)
def test_that_inputs_are_called_by_the_type_they_are_stored_in(
    tmp_path: Path, types: tuple[str, str], words: str
) -> None:
    names = {"half": "__half", "bf16": "__nv_bfloat16", "float32": "float"}
    stored = dict(zip("AB", types, strict=True))
    operands = "".join(f'[operands.{name}]\ntype = "{one}"\n' for name, one in stored.items())
    body = changed("A[row * K + k] * B[k * N + col]", "float(A[row * K + k]) * float(B[k * N + col])")
    path = kernel_of(tmp_path, body, head="#include <cuda_fp16.h>\n#include <cuda_bf16.h>", keys=operands).path
    text = path.read_text(encoding="utf-8")
    for name, one in stored.items():
        text = text.replace(f"const float *{name}", f"const {names[one]} *{name}")
    path.write_text(text, encoding="utf-8")
    subject = subject_of(load_own_kernel(path))
    finding = ComputesIn().examine(subject)
    assert (finding.outcome, subject.found_arithmetic) == (Outcome.HELD, words)
    assert finding.reason.endswith(f"The probes tell {words}.")


def test_that_races_that_were_not_found_say_where_they_were_looked_for(tmp_path: Path) -> None:
    finding = Hazards().examine(scaled(tmp_path, "acc"))
    assert finding.outcome is Outcome.HELD
    assert finding.reason.startswith("None among 256 threads of a block and 9 blocks (3×3) at 37x41x67, in ")
    assert [case.tried for case in finding.cases[:3]] == [
        "recording as written, 9 blocks (3×3)",
        "recording as compiled, 9 blocks (3×3)",
        "recording as compiled, 81 blocks (9×9)",
    ]
    for place in ("A (line 16)", "B (line 16)", "C (line 17)"):
        assert place in finding.reason
    assert "accesses of 2 recordings were compared, between blocks those to what the kernel writes." in finding.reason
    assert "None at 134x138x226, 448x492x19, 4161x19x19, " in finding.reason
    assert finding.reason.endswith(
        " either, as compiled, with up to 868 blocks: races were looked for at no other size."
    )


@pytest.mark.parametrize(
    ("edge", "shape"),
    [
        ("K == 64", "256x128x64"),
        ("blockIdx.x > 7", "448x492x19"),
        ("blockIdx.y > 40", "4161x19x19"),
        ("K > 2000", "17x19x4161"),
    ],
)
def test_that_a_race_at_one_of_the_large_sizes_alone_is_found(tmp_path: Path, edge: str, shape: str) -> None:
    shared = f"C[row * N + col] = acc; if ({edge} && row % 16 == 0 && row > 0) C[(row - 1) * N + col] = acc;"
    finding = Hazards().examine(subject_of(kernel_of(tmp_path, changed("C[row * N + col] = acc;", shared))))
    assert finding.outcome is Outcome.FAILED
    assert shape in {case.shape for case in finding.cases if case.failed}
    assert "37x41x67" not in {case.shape for case in finding.cases if case.failed}


def test_that_an_access_outside_arrays_at_the_largest_size_alone_fails(tmp_path: Path) -> None:
    outside = changed("acc += A[row * K + k]", "acc += A[row * K + k + (K > 4160 && row == M - 1)]")
    keys = 'constraints = ["M == 17", "N == 19"]'
    finding = Hazards().examine(subject_of(kernel_of(tmp_path, outside, keys=keys)))
    assert finding.outcome is Outcome.FAILED
    assert finding.reason.startswith("Recording as compiled, ")
    assert "at 17x19x4161: 1 hazard" in finding.reason


def test_that_a_recording_that_takes_too_long_is_named_and_the_others_count(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(recordings, "LARGE_S", 0.0)
    monkeypatch.setattr(recordings, "LONG_SUM_S", 0.0)
    subject = subject_of(kernel_of(tmp_path, SUM))
    subject.right_at = {Shape(4160, 32, 32): None, Shape(32, 32, 4160): None}
    finding = Hazards().examine(subject)
    assert finding.outcome is Outcome.HELD
    assert "134x138x226: every block takes longer than the 0 s for one size; " in finding.reason
    assert finding.caveat == "races were looked for with M up to 37 and K up to 67 only"


@pytest.fixture
def chosen_values_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    """No other value of a parameter is judged; tests/referee/test_other_values.py has those."""
    monkeypatch.setattr(other_values, "OTHERS_S", 0.0)


@pytest.mark.usefixtures("chosen_values_alone", "short_recordings")
def test_that_blocks_are_compared_along_m_and_n_also_where_tiles_are_large() -> None:
    finding = Hazards().examine(subject_of(load_catalogue().get("register_2d")))
    assert finding.outcome is Outcome.HELD
    assert finding.reason.startswith("None among 256 threads of a block and 4 blocks (2×2) at 73x73x67, in As ")
    assert "not looked for" not in finding.reason


@pytest.mark.usefixtures("short_recordings")
def test_that_one_block_says_nothing_about_races_between_blocks(tmp_path: Path) -> None:
    path = tmp_path / "one_block.cu"
    path.write_text(
        _SCALED.replace("RESULT", "acc")
        .replace('"ceil_div(N, 16)", "ceil_div(M, 16)"', '"1", "1"')
        .replace('title = "scaled"', 'title = "scaled"\nconstraints = [{ rule = "M <= 16" }, { rule = "N <= 16" }]'),
        encoding="utf-8",
    )
    finding = Hazards().examine(subject_of(load_own_kernel(path)))
    assert finding.outcome is Outcome.HELD
    assert finding.reason.startswith("None among 256 threads of a block and 1 block at 13x11x67, in ")
    assert finding.reason.endswith(
        "Only one block ran, and the kernel has no more at any size that was looked at: "
        "races between blocks were not looked for."
    )


@pytest.mark.usefixtures("chosen_values_alone", "short_recordings")
def test_that_a_dimension_with_one_block_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(recorded_size, "MOST_PRODUCTS", 60**3)
    finding = Hazards().examine(subject_of(load_catalogue().get("register_2d")))
    assert "and 2 blocks (1×2) at 73x41x67, in " in finding.reason
    assert finding.reason.endswith("Along N only one block ran: races between blocks there were not looked for.")


def test_that_orders_of_blocks_say_how_many_blocks_there_were(tmp_path: Path) -> None:
    finding = Determinism().examine(scaled(tmp_path, "acc"))
    assert finding.reason.startswith("Bitwise equal in 3 runs and in three orders of 128 blocks at 256x128x64; ")


def test_that_a_register_that_differs_on_another_gpu_is_named_behind_the_verdict(tmp_path: Path) -> None:
    reads = Determinism().examine(scaled(tmp_path, f"{READS_C} + (clock64() < 0 ? 1.0f : 0.0f)"))
    assert reads.outcome is Outcome.HELD
    assert "The kernel reads %clock64 (line 17): on another GPU its results may differ; not judged." in reads.reason
    assert "reads %" not in Determinism().examine(scaled(tmp_path, READS_C)).reason
