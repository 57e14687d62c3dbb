"""A launch that ends at a fault has no result: no examination counts it as exact, as equal or as ended by itself."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from broken_kernels import SUM, kernel_of, ruling_on

from gemmviz.backends.base import CompilerStuckError, DeviceLostError, KernelTimeoutError
from gemmviz.backends.machine.device import MachineCompiled
from gemmviz.backends.registry import find_device
from gemmviz.domain.shape import Shape
from gemmviz.referee.examination import Examination
from gemmviz.referee.examinations import speed
from gemmviz.referee.examinations.answers import Answers
from gemmviz.referee.examinations.bounds import Bounds
from gemmviz.referee.examinations.computes_in import ComputesIn
from gemmviz.referee.examinations.determinism import Determinism
from gemmviz.referee.examinations.ends import Ends
from gemmviz.referee.examinations.hazards import Hazards
from gemmviz.referee.examinations.inputs_kept import InputsKept
from gemmviz.referee.examinations.not_finite import NotFinite
from gemmviz.referee.examinations.plain_inputs import PlainInputs, SingleElements
from gemmviz.referee.examinations.random_inputs import RandomInputs
from gemmviz.referee.examinations.sizes import ClaimedSizes, OddSizes
from gemmviz.referee.examinations.stale_c import StaleC
from gemmviz.referee.finding import Finding, Judgement, Outcome
from gemmviz.referee.inputs import SEED, whole_numbers
from gemmviz.referee.subject import KernelFaultedError, Subject
from gemmviz.referee.words import summary_words

HOME = Shape(32, 32, 32)
SMALL = 'constraints = ["M <= 32", "N <= 32", "K <= 128"]'
BEYOND, TRAP = "C[M * N] = 0.0f;", "__trap();"
IS_RANDOM = "A[0] != rintf(A[0])"


def faulting(condition: str, statement: str = BEYOND) -> str:
    """The right body, behind a statement of one thread."""
    return f"    if (row == 0 && col == 0 && ({condition})) {statement}\n{SUM}"


def subject_of(folder: Path, body: str, head: str = "") -> Subject:
    kernel = kernel_of(folder, body, head=head, keys=SMALL)
    return Subject(kernel, kernel.params({}), find_device("machine"))


def found_by(examination: Examination, folder: Path, condition: str, statement: str = BEYOND) -> Finding:
    """The finding on a kernel, after the examination of how its launches end."""
    subject = subject_of(folder, faulting(condition, statement))
    Ends().examine(subject)
    return examination.examine(subject)


def only_in_the_second_a() -> str:
    """A condition that holds of the A that `Answers` gives second."""
    first, second = (whole_numbers(HOME, SEED + n).operands.a.ravel() for n in (0, 1))
    place = int(np.flatnonzero(first != second)[0])
    return f"A[{place}] == {second[place]}f"


def test_that_where_every_launch_ends_at_a_fault_no_result_is_examined(tmp_path: Path) -> None:
    ruling = ruling_on(tmp_path, faulting("true"), keys=SMALL)
    assert [finding.name for finding in ruling.failed] == ["Stays inside its arrays"]
    assert [finding.name for finding in ruling.held] == [
        "Free of races and barrier errors",
        "Reads no uninitialised memory",
    ]
    told = ", which “Stays inside its arrays” names."
    assert all(finding.reason.endswith(told) for finding in ruling.not_examined)
    assert summary_words(ruling) == "16 examinations: 1 failed, 2 held, 13 not examined."
    ends = next(finding for finding in ruling.not_examined if finding.name == "Runs to its end")
    assert all(case.faulted for case in ends.cases)


def test_that_a_launch_at_one_size_is_enough_not_to_run_to_the_end(tmp_path: Path) -> None:
    finding = Ends().examine(subject_of(tmp_path, faulting("M == 17", TRAP)))
    assert finding.outcome is Outcome.FAILED
    assert finding.reason.startswith("A launch at 17x19x23: ")
    failed = [case.shape for case in finding.cases if case.failed]
    assert failed[0] == "17x19x23"
    assert all(shape.startswith("17x") for shape in failed), "and the sizes that the code singles out"
    assert {case.found for case in finding.cases if not case.failed} == {"ended by itself"}


def test_that_an_access_outside_the_arrays_fails_one_examination_and_the_other_is_not_examined(tmp_path: Path) -> None:
    subject = subject_of(tmp_path, faulting("M == 17"))
    ends, bounds = Ends().examine(subject), Bounds().examine(subject)
    assert (ends.outcome, bounds.outcome) == (Outcome.NOT_EXAMINED, Outcome.FAILED)
    assert ends.reason == (
        "At 17x19x23 and 6 other sizes an invalid access to memory ended the launch, which “Stays inside its arrays” "
        "names. All other launches ended by themselves."
    )


@pytest.mark.parametrize(
    ("examination", "condition", "words"),
    [
        (StaleC(), "isnan(C[0])", "C full of NaNs at 32x32x32: the launch ended at a fault"),
        (
            Answers(),
            only_in_the_second_a(),
            "Another A on the same buffers at 32x32x32: the launch ended at a fault",
        ),
        (ComputesIn(), "K == 128", "K = 128 at 32x32x128: the launch ended at a fault"),
        (ClaimedSizes(), "K == 128", "4 of 24 cases left no result to compare. Small whole numbers at 32x32x128"),
        (OddSizes(), "M == 17", "2 of 4 cases left no result to compare. Small whole numbers at 17x19x23: "),
        (PlainInputs(), "A[0] + A[1] + A[2] + B[0] + B[1] + B[2] == 6.0f", "Ones at 32x32x32: the launch ended"),
        (SingleElements(), "A[0] == 3.0f", "Only A[0,0] not zero at 32x32x32: the launch ended at a fault"),
        (RandomInputs(), IS_RANDOM, "Uniform random numbers at 32x32x32: the launch ended at a fault"),
        (NotFinite(), "isnan(A[M / 2 * K + K / 2])", "NaN in A[16,16] at 32x32x32: the launch ended at a fault"),
        (InputsKept(), IS_RANDOM, "Normal random numbers at 32x32x32: the launch ended at a fault"),
    ],
    ids=lambda value: type(value).__name__ if hasattr(value, "examine") else "",
)
def test_that_a_fault_of_some_launches_fails(
    tmp_path: Path, examination: Examination, condition: str, words: str
) -> None:
    finding = found_by(examination, tmp_path, condition)
    assert finding.outcome is Outcome.FAILED
    assert words in finding.reason
    assert any(case.faulted for case in finding.cases)
    assert not any(case.faulted and case.found in ("exact", "unchanged") for case in finding.cases)


def test_that_a_fault_at_probes_alone_fails(tmp_path: Path) -> None:
    ruling = ruling_on(tmp_path, faulting("B[0] > 1000.0f"), keys=SMALL)
    found = {finding.name: finding.reason for finding in ruling.failed}
    assert found["Computes in the arithmetic it claims"].endswith("With other inputs or sizes it did not.")


def test_that_a_run_that_ends_at_a_fault_unlike_the_first_fails(tmp_path: Path) -> None:
    body = faulting("++launches == 3")
    finding = Determinism().examine(subject_of(tmp_path, body, head="__device__ int launches;"))
    assert finding.outcome is Outcome.FAILED
    assert finding.reason.startswith("Run 3 at 32x32x32: the launch ended at a fault")
    assert finding.reason.endswith("which run 1 did not.")


def test_that_bits_are_compared_at_sizes_that_have_results(tmp_path: Path) -> None:
    finding = found_by(Determinism(), tmp_path, "M == 17")
    assert finding.outcome is Outcome.HELD
    assert finding.reason.endswith("Nothing could be compared at 17x19x23, where the launch ended at a fault.")


@pytest.mark.parametrize(
    ("condition", "outcome", "words"),
    [
        ("true", Outcome.NOT_EXAMINED, "Every launch ended at a fault, which “Runs to its end” names."),
        (
            "M == 17",
            Outcome.HELD,
            "every access was checked. At 17x19x23 and at 6 others the launch ended at another fault.",
        ),
    ],
)
def test_that_launches_that_end_at_a_trap_are_not_counted_as_inside_the_arrays(
    tmp_path: Path, condition: str, outcome: Outcome, words: str
) -> None:
    finding = found_by(Bounds(), tmp_path, condition, TRAP)
    assert finding.outcome is outcome
    assert finding.reason.endswith(words)


def test_that_races_are_looked_for_behind_a_fault_and_that_this_is_said(tmp_path: Path) -> None:
    finding = found_by(Hazards(), tmp_path, "true")
    assert finding.outcome is Outcome.HELD
    assert finding.reason.endswith("Recordings continue after accesses at which a launch ends.")
    assert not any(case.faulted for case in finding.cases)


def test_that_a_fault_on_the_gpu_fails_and_that_a_slow_kernel_does_not(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    subject = subject_of(tmp_path, SUM)
    errors = iter((DeviceLostError("an illegal access"), KernelTimeoutError("it took too long")))

    def compared(*arguments: object) -> None:
        del arguments
        raise next(errors)

    monkeypatch.setattr(speed, "_gpu_for", lambda subject: subject.device)
    monkeypatch.setattr(speed, "_compared", compared)
    with pytest.raises(KernelFaultedError, match="an illegal access"):
        speed.Speed().examine(subject)
    slow = speed.Speed().examine(subject)
    assert slow.outcome is Outcome.NOT_EXAMINED
    assert slow.reason.endswith("it took too long")


def test_that_an_instruction_that_the_machine_lacks_says_nothing_against_the_kernel(tmp_path: Path) -> None:
    body = f'    asm volatile("wgmma.fence.sync.aligned;");\n{SUM}'
    ruling = ruling_on(tmp_path, body, keys=SMALL)
    assert ruling.judgement is Judgement.NOT_EXAMINED
    assert ruling.findings == ()
    assert "it uses tensor cores (wgmma.fence.sync), which the PTX machine does not execute" in summary_words(ruling)


def test_that_a_compiler_that_does_not_end_says_nothing_against_the_kernel(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def ready(compiled: MachineCompiled) -> None:
        del compiled
        raise CompilerStuckError("the compiler did not end in time")

    monkeypatch.setattr(MachineCompiled, "ready", ready)
    ruling = ruling_on(tmp_path, SUM, keys=SMALL)
    assert ruling.judgement is Judgement.NOT_EXAMINED
    assert summary_words(ruling) == "the compiler did not end in time."
