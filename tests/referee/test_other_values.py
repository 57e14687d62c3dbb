"""Every value that a kernel offers of its parameters is judged, and what was not judged is part of the verdict."""

from __future__ import annotations

import time
from dataclasses import replace
from functools import partial
from pathlib import Path

import pytest
from broken_kernels import SUM, changed, kernel_of

from gemmviz.backends.registry import find_device
from gemmviz.catalogue.claims.claims import Claims
from gemmviz.catalogue.kernel import Kernel
from gemmviz.domain.kernels.kernel_version import Compilation
from gemmviz.domain.kernels.resources import Occupancy, Resources
from gemmviz.domain.shape import Shape
from gemmviz.domain.terms import InitialC
from gemmviz.engine.messages import Job
from gemmviz.engine.own_kernel_file import load_own_kernel
from gemmviz.referee import emulated_gpu, other_values
from gemmviz.referee.examinations import sizes
from gemmviz.referee.examinations.ends import Ends
from gemmviz.referee.examinations.hazards import Hazards
from gemmviz.referee.examinations.sizes import ClaimedSizes
from gemmviz.referee.finding import Case, Finding, Judgement, Outcome, Ruling
from gemmviz.referee.given_constants import GivenConstants, given_constants
from gemmviz.referee.judge import judge
from gemmviz.referee.other_values import OtherValues, factor_pairs, of_other_values, other_factors, other_parameters
from gemmviz.referee.subject import Subject
from gemmviz.referee.words import reach_words, verdict_words

KEYS = "[params]\nSTEP = { choices = [1, 2, 3], default = 1 }"
ONE_SIZE = 'constraints = ["M == 17", "N == 19", "K == 23"]'
"""What is asked of other values is asked at each size anew."""
MACHINE = find_device("machine")
RACES = "__shared__ volatile float one[16]; if (STEP == 2) { one[threadIdx.x] = 1.0f; acc *= one[threadIdx.x]; }\n"


def stepped(folder: Path, start: str = "0.0f", rules: str = "") -> Kernel:
    """A kernel with the parameter STEP, whose sums begin with `start`."""
    return kernel_of(folder, changed("acc = 0.0f", f"acc = {start}"), keys=f"{rules}\n{KEYS}")


def subject_of(kernel: Kernel, **given: int) -> Subject:
    return Subject(kernel, kernel.params(given), MACHINE)


def test_that_a_value_that_is_wrong_is_named_with_its_case(tmp_path: Path) -> None:
    finding = ClaimedSizes().examine(subject_of(stepped(tmp_path, "STEP == 3 ? 1.0f : 0.0f", ONE_SIZE)))
    assert finding.outcome is Outcome.FAILED
    assert all("STEP = 3" in case.tried for case in finding.cases if case.failed)


def test_that_values_that_are_right_are_named(tmp_path: Path) -> None:
    finding = ClaimedSizes().examine(subject_of(stepped(tmp_path)))
    assert (finding.outcome, finding.caveat) == (Outcome.HELD, "")
    assert finding.reason.endswith(
        " Right also with STEP = 2 and STEP = 3, each at 16 sizes, with M, N and K up to 4160, not all at once."
    )


def test_that_a_value_that_is_wrong_at_large_sizes_alone_is_named(tmp_path: Path) -> None:
    """Blocks of 16 columns that a value puts farther apart leave columns out, which no small size shows."""
    body = SUM.replace("if (row < M && col < N)", "for (int at = threadIdx.x; row < M && at < N; at += 16 * STEP)")
    kernel = kernel_of(tmp_path, body.replace("col", "at"), keys=KEYS, grid='["1", "ceil_div(M, 16)"]')
    finding = ClaimedSizes().examine(subject_of(kernel))
    assert finding.outcome is Outcome.FAILED
    wrong = {(case.tried.rpartition(", ")[2], case.shape) for case in finding.cases if case.failed}
    assert {("STEP = 2", "32x4160x32"), ("STEP = 3", "32x4160x32")} <= wrong
    assert "2x2x2" not in {shape for _, shape in wrong}


def test_that_the_time_of_one_value_is_not_taken_from_the_next(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(other_values, "OTHERS_S", 1e-3)
    found = of_other_values(
        subject := subject_of(stepped(tmp_path)),
        other_parameters(subject),
        lambda _: [partial(one_case, one) for one in range(1000)],
    )
    assert found.judged == {}
    assert [*found.cut, *found.left_out] == ["STEP = 2", "STEP = 3"]
    assert all(0 < done < every == 1000 for done, every in found.cut.values())


def one_case(number: int) -> list[Case]:
    """A case of its own size, after a ten-thousandth of a second."""
    time.sleep(1e-4)
    return [Case("x", "exact", f"{number + 1}x1x1")]


OTHER_BETAS = {f"(alpha, beta) = ({alpha}, {beta})" for alpha in (0, 1, -1, 1.5) for beta in (0, 1, -1)}
"""Edge cases, of which none has the beta of 0.5 that a kernel may have written down."""
OTHER_ALPHAS = {f"(alpha, beta) = ({alpha}, 0.5)" for alpha in (0, -1)}
SQUARED = {f"(alpha, beta) = ({alpha}, {beta})" for alpha in (-1, 1.5) for beta in (0, 1, -1)} | {
    "(alpha, beta) = (-1, 0.5)"
}
"""Those whose alpha is not its own square; 1.5 is tried with no beta of 0.5."""


@pytest.mark.parametrize(
    ("result", "wrong"),
    [
        ("alpha * acc + beta * C[row * N + col]", set()),
        ("acc + 0.5f * C[row * N + col]", {"alpha = -0.75", "beta = -0.75", *OTHER_BETAS, *OTHER_ALPHAS}),
        ("alpha * alpha * acc + beta * C[row * N + col]", {"alpha = -0.75", *SQUARED}),
        ("alpha * acc + 0.5f * C[row * N + col]", {"beta = -0.75", *OTHER_BETAS}),
    ],
    ids=("right", "both ignored", "alpha squared", "beta ignored"),
)
def test_that_another_alpha_and_another_beta_are_tried(tmp_path: Path, result: str, wrong: set[str]) -> None:
    args = 'args = ["A", "B", "C", "M", "N", "K", "alpha", "beta"]\nalpha = 1.0\nbeta = 0.5'
    path = kernel_of(tmp_path, changed("= acc;", f"= {result};"), keys=args).path
    text = path.read_text(encoding="utf-8")
    path.write_text(text.replace("int K)", "int K, float alpha, float beta)"), encoding="utf-8")
    finding = ClaimedSizes().examine(subject_of(load_own_kernel(path)))
    assert {case.other_value for case in finding.cases if case.failed} - {""} == wrong
    assert wrong or "Right also with alpha = -0.75 and beta = -0.75, one at a time, each at 16 " in finding.reason


def test_that_the_values_that_somebody_chose_are_judged_alone(tmp_path: Path) -> None:
    finding = ClaimedSizes().examine(subject_of(stepped(tmp_path, "STEP == 3 ? 1.0f : 0.0f", ONE_SIZE), STEP=2))
    assert (finding.outcome, finding.caveat) == (Outcome.HELD, "")
    assert "STEP" not in finding.reason


def test_that_a_value_that_races_is_named(tmp_path: Path) -> None:
    body = changed("C[row * N + col] = acc;", f"{RACES}C[row * N + col] = acc;")
    finding = Hazards().examine(subject_of(kernel_of(tmp_path, body, keys=KEYS.replace("2, 3", "2"))))
    assert finding.outcome is Outcome.FAILED
    assert {case.tried.rpartition(", ")[2] for case in finding.cases if case.failed} == {"STEP = 2"}


def test_that_the_verdict_names_values_for_which_there_was_no_time(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(other_values, "OTHERS_S", -1.0)
    finding = ClaimedSizes().examine(subject_of(stepped(tmp_path, rules=ONE_SIZE)))
    assert finding.caveat == "STEP = 2 and STEP = 3 were not judged"
    held = Finding(
        "Free of races and barrier errors", "?", Outcome.HELD, "", caveat="races between blocks were not looked for"
    )
    ruling = Ruling("mine", (), "machine", "", (finding, held))
    assert ruling.judgement is Judgement.RIGHT
    assert verdict_words(ruling) == (
        "mine is right, but STEP = 2 and STEP = 3 were not judged and races between blocks were not looked for"
    )
    assert verdict_words(replace(ruling, findings=(held, replace(held, outcome=Outcome.FAILED)))) == "mine is wrong"


def test_that_a_verdict_without_recordings_says_that_races_were_not_looked_for(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("gemmviz.referee.recordings.MOST_PRODUCTS", 1)
    finding = Hazards().examine(subject_of(kernel_of(tmp_path, SUM)))
    assert (finding.outcome, finding.caveat) == (Outcome.NOT_EXAMINED, "races were not looked for")


def code_of(job: Job, *_given: object) -> Compilation:
    """Code with which an A100 launches no block where STEP is 3."""
    blocks = 0 if dict(job.params)["STEP"] == 3 else 1
    return Compilation("NVIDIA A100", "sm_80", "NVRTC", Resources(72), 0, Occupancy(blocks, blocks, 64, ("registers",)))


def test_that_a_value_that_the_target_cannot_launch_is_named_and_not_called_the_same(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(emulated_gpu, "compiled", code_of)
    finding = ClaimedSizes().examine(subject_of(stepped(tmp_path)))
    assert " Right also with STEP = 2 at 16 sizes, " in finding.reason
    assert finding.caveat == (
        "A100 (sm_80) cannot launch it with STEP = 3 (a multiprocessor has too few registers for one block)"
    )
    assert Ends().examine(subject_of(stepped(tmp_path))).caveat == ""
    chosen = Ends().examine(subject_of(stepped(tmp_path), STEP=3)).caveat
    assert chosen == "A100 (sm_80) cannot launch it (a multiprocessor has too few registers for one block)"


def test_that_values_of_several_parameters_are_not_called_judged_together() -> None:
    two = OtherValues(judged={"BM = 128": ("8x8x8",), "BN = 128": ("8x8x8",)})
    assert two.words == "BM = 128 and BN = 128, one at a time, each at 8x8x8"
    one = OtherValues(judged={"BM = 64": ("8x8x8",), "BM = 128": ("8x8x8", "9x9x9")})
    assert one.words == "BM = 64 at 1 size and BM = 128 at 2 sizes"


def test_that_a_value_whose_time_ended_is_not_called_right(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """It has time for one size: the first one that nothing divides."""

    def cases(subject: Subject, shape: Shape) -> list[Case]:
        time.sleep(0.12 if dict(subject.params)["STEP"] == 2 else 0.0)
        return [Case("ones", "exact", str(shape))]

    monkeypatch.setattr(other_values, "OTHERS_S", 0.1)
    monkeypatch.setattr(sizes, "_cases", cases)
    subject = subject_of(stepped(tmp_path))
    monkeypatch.setattr(sizes, "other_parameters", lambda _: other_parameters(subject)[:1])
    finding = ClaimedSizes().examine(subject)
    assert (finding.outcome, "Right also with" in finding.reason) == (Outcome.HELD, False)
    assert finding.caveat == "time ended the examination of STEP = 2 (after 1 of 16 sizes)"
    assert finding.reason.endswith(" Time ended the examination of STEP = 2 (after 1 of 16 sizes).")
    assert {case.shape for case in finding.cases if case.other_value} == {"17x19x23"}


def test_that_the_headline_names_the_value_that_is_wrong() -> None:
    right, wrong = Case("x", "exact"), Case("x", "3 differ", failed=True, other_value="STEP = 3")
    failed = Finding("Right at sizes", "?", Outcome.FAILED, "", (right, wrong))
    ruling = Ruling("mine", (("STEP", 1),), "machine", "", (failed,), version=2)
    assert verdict_words(ruling) == "mine, version 2 is wrong with STEP = 3; nothing failed with STEP = 1"
    also = replace(failed, cases=(*failed.cases, replace(wrong, other_value="")))
    assert verdict_words(replace(ruling, findings=(failed, also))) == "mine STEP=1, version 2 is wrong"
    factor = replace(failed, cases=(replace(wrong, other_value="alpha = -0.75"),))
    assert verdict_words(replace(ruling, findings=(failed, factor))) == (
        "mine, version 2 is wrong with STEP = 3 and alpha = -0.75, one at a time; nothing failed with STEP = 1"
    )


def test_that_a_failure_without_a_case_is_not_put_down_to_other_values() -> None:
    failed = Finding("Stays inside", "?", Outcome.FAILED, "The device was lost.", (Case("x", ""),))
    assert verdict_words(Ruling("mine", (("STEP", 1),), "machine", "", (failed,))) == "mine STEP=1 is wrong"


def test_that_a_default_that_somebody_asks_for_is_judged_alone(tmp_path: Path) -> None:
    subject = subject_of(stepped(tmp_path))
    assert len(other_parameters(subject)) == 2
    subject.is_judged_alone = True
    assert other_parameters(subject) == []


TAKES_TWO = 'args = ["A", "B", "C", "M", "N", "K", {given}]'
AT_ONE_SIZE = f"]\n{ONE_SIZE[:-1]}"
"""Behind the last argument."""


def with_scalars(folder: Path, result: str, given: str) -> Kernel:
    """A kernel with two further parameters, scale and rest, that stores `result`."""
    path = kernel_of(folder, changed("= acc;", f"= {result};"), keys=TAKES_TWO.format(given=given)).path
    text = path.read_text(encoding="utf-8")
    path.write_text(text.replace("int K)", "int K, float scale, float rest)"), encoding="utf-8")
    return load_own_kernel(path)


@pytest.mark.parametrize(
    ("result", "given", "caveat"),
    [
        ("rest == 0.0f ? scale * acc : acc + rest * C[row * N + col]", '"1.0", "beta"', "with -0.75 and beta = 1.5"),
        ("scale * scale * acc + rest * C[row * N + col]", '"1.0", "beta"', "with -0.75"),
        ("scale * acc + rest * C[row * N + col]", '"1.0", "beta"', ""),
        ("acc + 0.0f * rest", '"1.0", "beta"', ""),
    ],
    ids=("alpha where beta is 0", "alpha squared", "alpha", "both ignored"),
)
def test_that_the_verdict_names_a_constant_with_whose_other_values_results_are_wrong(
    tmp_path: Path, result: str, given: str, caveat: str
) -> None:
    found = given_constants(subject_of(with_scalars(tmp_path, result, given)), sizes._case_of_random_numbers)
    assert found.caveat == (f"scale is given 1.0; {caveat}, results are wrong" if caveat else "")
    assert found.right == (() if caveat else ("scale",))


@pytest.mark.parametrize(
    ("result", "caveat"),
    [("scale * acc", ""), ("scale * scale * acc", "scale is given 1; with -0.75, results are wrong")],
)
def test_that_a_whole_constant_of_a_floating_point_parameter_is_tried_with_others(
    tmp_path: Path, result: str, caveat: str
) -> None:
    found = given_constants(subject_of(with_scalars(tmp_path, result, '"1", "0"')), sizes._case_of_random_numbers)
    assert found.caveat == caveat
    assert found.right == (("rest",) if caveat else ("scale", "rest"))


def test_that_a_whole_number_that_is_given_as_a_constant_is_said_to_be_judged_with_no_other(tmp_path: Path) -> None:
    kernel = with_scalars(tmp_path, "acc", f'"0", "0.0"{AT_ONE_SIZE}')  # of `int mode` and `float rest`
    path = kernel.path
    path.write_text(path.read_text(encoding="utf-8").replace("float scale", "int mode"), encoding="utf-8")
    finding = ClaimedSizes().examine(subject_of(load_own_kernel(path)))
    assert (finding.outcome, finding.caveat) == (Outcome.HELD, "mode is given 0, and other values were not judged")
    assert " Right also with another value of rest. Mode is given 0, and " in finding.reason


def test_that_a_beta_that_changes_nothing_is_said_to_have_no_effect(tmp_path: Path) -> None:
    path = with_scalars(tmp_path, "scale * acc", '"alpha", "0.0"').path
    path.write_text(path.read_text(encoding="utf-8").replace("rest", "beta"), encoding="utf-8")
    found = given_constants(subject_of(load_own_kernel(path)), sizes._case_of_random_numbers)
    assert found == GivenConstants("beta has no effect, with another value the result is the same")


def test_that_a_constant_that_is_a_size_by_a_rule_is_no_number_with_other_values(tmp_path: Path) -> None:
    keys = 'args = ["A", "B", "C", "M", "N", "48"]\nconstraints = ["K == 48"]'
    found = given_constants(subject_of(kernel_of(tmp_path, SUM, keys=keys)), lambda _: pytest.fail("it was launched"))
    assert found == GivenConstants()


def test_that_alpha_is_judged_where_beta_is_not_0(tmp_path: Path) -> None:
    result = "rest == 0.0f ? scale * acc : acc + rest * C[row * N + col]"
    subject = subject_of(with_scalars(tmp_path, result, '"alpha", "beta"'))
    others = other_factors(subject)
    assert [words for _, _, words in others] == ["alpha = -0.75", "beta = -0.75", "(alpha, beta) = (-0.75, 1.5)"]
    found = of_other_values(subject, others, lambda other: [lambda: [sizes._case_of_random_numbers(other)]])
    assert [case.other_value for case in found.cases if case.failed] == ["(alpha, beta) = (-0.75, 1.5)"]


def test_that_alpha_and_beta_of_0_and_1_are_judged_together(tmp_path: Path) -> None:
    result = "scale * (scale == 1.0f && rest == 1.0f ? 2.0f : 1.0f) * acc + rest * C[row * N + col]"
    finding = ClaimedSizes().examine(subject_of(with_scalars(tmp_path, result, f'"alpha", "beta"{AT_ONE_SIZE}')))
    assert {case.other_value for case in finding.cases if case.failed} == {"(alpha, beta) = (1, 1)"}


@pytest.mark.parametrize(
    ("result", "wrong"),
    [
        (
            "scale == -1.0f ? acc + rest * C[row * N + col] : scale * acc + rest * C[row * N + col]",
            "(alpha, beta) = (-1, ",
        ),
        ("rest == -1.0f ? C[row * N + col] - scale * acc : scale * acc + rest * C[row * N + col]", ", -1)"),
    ],
    ids=("alpha", "beta"),
)
def test_that_an_alpha_and_a_beta_of_minus_1_are_tried(tmp_path: Path, result: str, wrong: str) -> None:
    finding = ClaimedSizes().examine(subject_of(with_scalars(tmp_path, result, f'"alpha", "beta"{AT_ONE_SIZE}')))
    failed = {case.other_value for case in finding.cases if case.failed}
    assert failed
    assert all(wrong in one for one in failed)


def test_that_an_alpha_alone_is_tried_with_0_and_minus_1(tmp_path: Path) -> None:
    subject = subject_of(with_scalars(tmp_path, "scale == -1.0f ? acc : scale * acc", f'"alpha", "0.0"{AT_ONE_SIZE}'))
    finding = ClaimedSizes().examine(subject)
    assert {case.other_value for case in finding.cases if case.failed} == {"alpha = -1"}
    assert [*subject.right_with] == [(1.0, 0.0), (-0.75, 0.0), (0.0, 0.0), (1.5, 0.0)]


def test_that_sizes_are_looked_for_once_whatever_alpha_is_and_anew_for_another_parameter(tmp_path: Path) -> None:
    subject = subject_of(with_scalars(tmp_path, "scale * acc", '"alpha", "0.0"'))
    found: list[Claims] = []
    of_other_values(subject, factor_pairs(subject), lambda other: found.append(other.claims) or [])
    assert found
    assert all(claims is subject.claims for claims in found)
    assert subject.anew().claims is subject.claims
    subject = subject_of(stepped(tmp_path))
    of_other_values(subject, other_parameters(subject)[:1], lambda other: found.append(other.claims) or [])
    assert found[-1].params == (("STEP", 2),)


def test_that_the_verdict_says_which_alpha_and_beta_were_tried(tmp_path: Path) -> None:
    kernel = with_scalars(tmp_path, "scale * acc", f'"alpha", "0.0"{AT_ONE_SIZE}')
    ruling = judge(kernel, kernel.params({}), MACHINE)
    assert "Values of alpha: 1, -0.75, 0, -1 and 1.5." in reach_words(ruling)
    assert ruling.reach is not None
    assert all(0.0 <= one.error <= 1.0 for one in ruling.reach.factors)
    assert any(one.error for one in ruling.reach.factors)


def test_that_a_c_that_holds_no_numbers_is_not_multiplied(tmp_path: Path) -> None:
    read = with_scalars(tmp_path, "scale * acc", '"alpha", "beta"')
    kernel = replace(read, call=replace(read.call, c_begins=InitialC.ZERO))
    found = [words for _, _, words in factor_pairs(subject_of(kernel))]
    assert found == ["(alpha, beta) = (0, 0)", "(alpha, beta) = (-1, 0)", "(alpha, beta) = (1.5, 0)"]
