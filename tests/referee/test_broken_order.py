"""Kernels whose result depends on an order or on launches before, or that change what they read."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from broken_kernels import SUM, changed, failed_of, findings_on, kernel_of, ruling_on

from gemmviz.backends.registry import find_device
from gemmviz.domain.figures import counted
from gemmviz.referee import recordings
from gemmviz.referee.examinations import answers, computes_in
from gemmviz.referee.examinations.answers import Answers
from gemmviz.referee.examinations.computes_in import ComputesIn
from gemmviz.referee.examinations.determinism import Determinism
from gemmviz.referee.examinations.ends import Ends
from gemmviz.referee.examinations.hazards import Hazards
from gemmviz.referee.examinations.initialised import Initialised
from gemmviz.referee.examinations.plain_inputs import PlainInputs
from gemmviz.referee.examinations.sizes import ClaimedSizes
from gemmviz.referee.examinations.stale_c import StaleC
from gemmviz.referee.finding import Case, Judgement, Outcome
from gemmviz.referee.judge import judge
from gemmviz.referee.subject import Subject
from gemmviz.referee.words import summary_words, verdict_words

UNINITIALISED = "Reads no uninitialised memory"
RACES, SAME_BITS = "Free of races and barrier errors", "Gives the same bits each time"


@pytest.mark.parametrize(
    ("statement", "words"),
    [("if (row == 0) __trap();", "the kernel ended itself by a trap"), ("assert(row < 0);", "row < 0")],
    ids=["trap", "assertion"],
)
def test_that_a_kernel_that_ends_itself_at_every_size_is_named_and_nothing_else_is_said(
    tmp_path: Path, statement: str, words: str
) -> None:
    ruling = ruling_on(tmp_path, f"    {statement}\n{SUM}", head="#include <cassert>")
    found = failed_of(ruling)
    assert list(found) == ["Runs to its end"]
    assert words in found["Runs to its end"]
    others = [one.reason for one in ruling.not_examined if one.name not in (RACES, UNINITIALISED)]
    assert all(reason.endswith("which “Runs to its end” names.") for reason in others)


def test_that_a_kernel_that_ends_itself_at_one_size_is_examined_at_the_others(tmp_path: Path) -> None:
    body = f"    if (K == 1 && N == 1) __trap();\n{changed('+= A[row * K + k]', '+= -A[row * K + k]')}"
    found = failed_of(ruling_on(tmp_path, body))
    assert {"Runs to its end", "Right at the sizes it claims", "Exact for plain inputs"} <= set(found)


def test_that_nothing_is_launched_behind_one_that_a_time_limit_ended(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(recordings, "LARGE_S", 0.0)  # a recording would end at its time limit, too
    kernel = kernel_of(
        tmp_path, f"    while (M == 256 && ((volatile float *)C)[0] != 7.0f) {{ if (K) C[1] += 1.0f; }}\n{SUM}"
    )
    ruling = judge(kernel, kernel.params({}), find_device("machine"), limit_s=0.5)
    assert "Runs to its end" in failed_of(ruling)
    told = "Not tried: a time limit ended a launch (see “Runs to its end”), and others may take as long."
    assert sum(one.reason == told for one in ruling.not_examined) == 12


def test_that_an_uninitialised_read_is_no_race_and_has_an_examination_of_its_own(tmp_path: Path) -> None:
    shared = "    __shared__ volatile float one[16];\n"
    body = shared + changed("= acc;", "= acc + 0.0f * one[threadIdx.x];")
    races, initialised = findings_on(tmp_path, body, Hazards(), Initialised())
    assert (races.outcome, initialised.outcome) == (Outcome.HELD, Outcome.FAILED)
    assert {fault.kind for fault in initialised.faults} == {"uninitialised read"}


def test_that_a_race_is_named_by_its_line(tmp_path: Path) -> None:
    shared = "    __shared__ volatile float one[16];\n    one[threadIdx.x] = 1.0f;\n"
    (found,) = findings_on(tmp_path, shared + changed("= acc;", "= acc * one[threadIdx.x];"), Hazards())
    text = (tmp_path / "mine.cu").read_text().splitlines()
    assert found.outcome is Outcome.FAILED
    assert found.reason.startswith("Recording as written, ")
    assert f": {counted(len(found.faults), 'hazard')}." in f"{found.reason}."
    assert {fault.kind for fault in found.faults} == {"race"}
    assert all("one[threadIdx.x]" in text[fault.line - 1] for fault in found.faults)
    assert found.faults[0].words in next(case.found for case in found.cases if case.failed)


ATOMIC_SUM = changed("k = 0; k < K; ++k", "k = blockIdx.z; k < K; k += 4").replace(
    "C[row * N + col] = acc;", "atomicAdd(&C[row * N + col], acc);"
)
SMALL_SUMS = 'c_begins = "zero"\nconstraints = ["M <= 64", "N <= 64", "K <= 64"]'
FOUR_PARTS = '["ceil_div(N, 16)", "ceil_div(M, 16)", "4"]'


def test_that_an_atomic_sum_is_right_within_the_bound_and_named_with_its_line(tmp_path: Path) -> None:
    ruling = ruling_on(tmp_path, ATOMIC_SUM, keys=SMALL_SUMS, grid=FOUR_PARTS)
    assert (failed_of(ruling), ruling.judgement) == ({}, Judgement.RIGHT)
    said = verdict_words(ruling)
    assert re.match(r"mine is right within the bound at all \d\d sizes tried, with M, N and K up to 64; ", said)
    assert "sums vary from run to run by their rounding, but denormal results are not kept (they may become 0)" in said
    assert ruling.claims.startswith("C = A·B + C (C begins as zeros), fp32, M, N and K at most 64")
    (adds,) = [one for one in ruling.held if one.name == "Adds to what C held before"]
    assert adds.reason.endswith("ones in C the result is A·B + C.")
    (found,) = ruling.varying
    line = next(n for n, text in enumerate((tmp_path / "mine.cu").read_text().splitlines(), 1) if "atomicAdd" in text)
    assert (found.name, found.outcome) == (SAME_BITS, Outcome.VARIES)
    assert f"Atomic operations (line {line})" in found.reason
    assert not any(case.failed for case in found.cases)
    assert "15 held" not in summary_words(ruling)
    assert "1 varies" in summary_words(ruling)


def test_that_atomic_operations_excuse_no_result_that_an_order_of_blocks_changes(tmp_path: Path) -> None:
    """The last part of each sum that comes is doubled."""
    head = "__device__ int parts[1 << 20];"
    once = "atomicAdd(&C[row * N + col], acc);"
    twice = "atomicAdd(&C[row * N + col], atomicAdd(&parts[row * N + col], 1) % 4 == 3 ? 2 * acc : acc);"
    body = ATOMIC_SUM.replace(once, twice)
    (found,) = findings_on(tmp_path, body, Determinism(), head=head, keys='c_begins = "zero"', grid=FOUR_PARTS)
    assert found.outcome is Outcome.FAILED


def test_that_a_block_that_waits_for_another_one_is_named_though_an_earlier_launch_has_set_its_flag(
    tmp_path: Path,
) -> None:
    waits = "if (blockIdx.x + blockIdx.y == 0) flag = 1;\n    while (flag == 0);\n"
    head = "__device__ volatile int flag;"
    *_, found = findings_on(tmp_path, f"    {waits}{SUM}", Ends(), Answers(), Determinism(), head=head)
    assert found.outcome is Outcome.FAILED
    assert found.reason.startswith("It depends on the order in which blocks start, which a GPU does not promise.")
    assert "the block waits for a value that a block which starts later may set: threads 0 to " in found.reason


def test_that_what_differs_by_a_race_is_no_memory_of_the_kernel_and_no_arithmetic(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    kernel = kernel_of(tmp_path, SUM)
    subject = Subject(kernel, kernel.params({}), find_device("machine"))
    race = "race between blocks in line 4"
    for module in (answers, computes_in, recordings):
        monkeypatch.setattr(module, "race_words", lambda _: race)
    monkeypatch.setattr(answers, "_beside_anew", lambda *_: Case("a launch behind others", "3 differ: x", failed=True))
    coarse = computes_in._Growth([Case("K = 64", "", failed=True)], "", "", are_rounded_once=False)
    monkeypatch.setattr(computes_in, "_growth", lambda *_: coarse)
    for finding in (Answers().examine(subject), ComputesIn().examine(subject)):
        assert finding.outcome is Outcome.NOT_EXAMINED
        assert finding.reason.startswith(f"Not judged: results follow from the {race}.")
        assert not any(case.failed for case in finding.cases)


def test_that_a_race_does_not_excuse_a_result_that_is_constant(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    kernel = kernel_of(tmp_path, changed("= acc;", "= 1.0f;"))
    monkeypatch.setattr(answers, "race_words", lambda _: "race between blocks in line 4")
    finding = Answers().examine(Subject(kernel, kernel.params({}), find_device("machine")))
    assert finding.outcome is Outcome.FAILED


def test_that_a_race_is_named_in_few_words(tmp_path: Path) -> None:
    head = "__device__ float parts[16];"
    body = changed("C[row * N + col] = acc;", "parts[threadIdx.x] = acc; C[row * N + col] = parts[threadIdx.x];")
    kernel = kernel_of(tmp_path, body, head=head)
    words = recordings.race_words(Subject(kernel, kernel.params({}), find_device("machine")))
    assert words.startswith("race")
    assert " in line " in words


def test_that_a_remembered_result_is_named(tmp_path: Path) -> None:
    head = "__device__ int launches; __device__ float kept[1 << 20];"
    body = (
        changed(
            "C[row * N + col] = acc;",
            "const int at = row * N + col;\n        if (launches == 0) kept[at] = acc;\n        C[at] = kept[at];",
        )
        + "\n    if (row == 0 && col == 0) launches = 1;"
    )
    (found,) = findings_on(tmp_path, body, Answers(), head=head)
    assert found.outcome is Outcome.FAILED


def test_that_an_order_that_a_counter_fixes_varies_and_that_no_counter_is_called_a_sum_of_floats(
    tmp_path: Path,
) -> None:
    ticket = "    __shared__ int ticket;\n    if (threadIdx.x + threadIdx.y == 0) ticket = atomicAdd(&next, 1);\n"
    body = changed("A[row * K + k] * B[k * N + col]", "A[row * K + (k + ticket) % K] * B[(k + ticket) % K * N + col]")
    ruling = ruling_on(tmp_path, f"{ticket}    __syncthreads();\n{body}", head="__device__ int next;")
    assert (failed_of(ruling), ruling.judgement) == ({}, Judgement.RIGHT)
    (found,) = ruling.varying
    assert found.reason.endswith("No atomic operation on floats explains it.")


def test_that_a_sum_by_a_loop_around_a_comparison_is_not_wrong_though_its_first_read_is_plain(tmp_path: Path) -> None:
    """As NVIDIA's guide adds doubles. The line of the read and that of atomicCAS are one."""
    loop = "int old = *(int *)to, seen; do { seen = old; old = atomicCAS((int *)to, seen, __float_as_int(more + "
    head = f"__device__ void add(float *to, float more) {{ {loop}__int_as_float(seen))); }} while (seen != old); }}"
    body = ATOMIC_SUM.replace("atomicAdd(", "add(")
    zeros = 'c_begins = "zero"'
    races, order = findings_on(tmp_path, body, Hazards(), Determinism(), head=head, keys=zeros, grid=FOUR_PARTS)
    assert (races.outcome, races.caveat) == (Outcome.NOT_EXAMINED, "blocks may race")
    assert order.outcome is Outcome.VARIES
    assert "Atomic operations (line " in order.reason


def test_that_a_result_that_is_no_number_is_not_called_that_of_other_inputs(tmp_path: Path) -> None:
    body = changed("= acc;", "= acc + __uint_as_float(0x7fc00000u);")
    follows, exact = findings_on(tmp_path, body, Answers(), PlainInputs())
    assert follows.reason == "No result shows whether it follows the inputs: no element is a finite number."
    assert (follows.outcome, exact.outcome) == (Outcome.NOT_EXAMINED, Outcome.FAILED)


def test_that_what_a_variable_keeps_is_not_put_down_to_c_or_to_atomic_operations(tmp_path: Path) -> None:
    body = changed("= acc;", "= acc + 0.001f * total[row * N + col];\n        total[row * N + col] = acc;")
    head = "__device__ float total[1 << 20];"
    stale, follows, order = findings_on(tmp_path, body, StaleC(), Answers(), Determinism(), head=head)
    assert follows.outcome is Outcome.FAILED
    assert stale.outcome is order.outcome is Outcome.NOT_EXAMINED
    assert stale.reason.startswith("Not judged: two launches with C full of zeros differ")
    assert order.reason.startswith("Not judged: the kernel keeps something from launch to launch")


ADDS_UP = changed("C[row * N + col] = acc;", "C[row * N + col] = total[row * N + col] += acc;")
FIRST_ROW_KEPT = changed("* B[k * N + col]", "* (k ? B[k * N + col] : kept(B, col))")
LAST_RESULT = changed("= acc;", "= acc + (col % 2 ? 0.0f : total[row * N + col]);\n        total[row * N + col] = acc;")


@pytest.mark.parametrize("body", [ADDS_UP, FIRST_ROW_KEPT, LAST_RESULT], ids=["sums", "a row of B", "the last result"])
def test_that_what_a_variable_keeps_from_launch_to_launch_is_named(tmp_path: Path, body: str) -> None:
    kept = "float kept(const float *B, int at) { return total[at] = total[at] == 0.0f ? B[at] : total[at]; }"
    (found,) = findings_on(tmp_path, body, Answers(), head=f"__device__ float total[1 << 20];\n__device__ {kept}")
    assert found.outcome is Outcome.FAILED
    assert "the kernel keeps something from launch to launch" in found.reason


def test_that_a_variable_that_each_launch_sets_anew_is_no_memory(tmp_path: Path) -> None:
    head = "__device__ float scratch[1 << 20];"
    body = changed(
        "C[row * N + col] = acc;", "scratch[row * N + col] = acc;\n        C[row * N + col] = scratch[row * N + col];"
    )
    found = findings_on(tmp_path, body, StaleC(), Answers(), Determinism(), head=head)
    assert {one.outcome for one in found} == {Outcome.HELD}


def test_that_a_block_that_writes_an_input_that_another_block_reads_races(tmp_path: Path) -> None:
    """Each row of A is written back, as it is, by one block, and read by others."""
    head = "__device__ float back(const float *A, int at) { return ((float *)A)[at] = A[at]; }"
    body = SUM.replace("acc += A", "acc += (col == 0 ? back(A, row * K + k) : A").replace("] * B", "]) * B")
    (found,) = ruling_on(tmp_path, body, head=head).failed
    assert found.name == RACES
    assert "race between blocks" in {fault.kind for fault in found.faults}
    assert any(" A[0,0] (line " in fault.detail for fault in found.faults)


def test_that_a_changed_input_is_named(tmp_path: Path) -> None:
    body = """    for (int j = threadIdx.x; j < N; j += 32) {
        float acc = 0.0f;
        for (int k = 0; k < K; ++k) acc += A[blockIdx.x * K + k] * B[k * N + j];
        C[blockIdx.x * N + j] = acc;
    }
    __syncthreads();
    if (threadIdx.x == 0) ((float *)A)[blockIdx.x * K] = 7.0f;"""
    found = failed_of(ruling_on(tmp_path, body, block='["32"]', grid='["M"]'))
    assert list(found) == ["Leaves its inputs as they are"]
    assert "A changed" in found["Leaves its inputs as they are"]


def test_that_a_claimed_size_that_does_not_compile_is_named(tmp_path: Path) -> None:
    body = '    static_assert(DEPTH % 64 == 0, "only whole tiles");\n' + SUM
    ends, sizes = findings_on(tmp_path, body, Ends(), ClaimedSizes(), keys='[defines]\nDEPTH = "K"')
    assert ends.outcome is sizes.outcome is Outcome.FAILED
    assert "only whole tiles" in ends.reason
