"""`gemmviz referee`: what it says, its exit codes, its page."""

from __future__ import annotations

import csv
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from gemmviz.catalogue.kernel import Kernel
from gemmviz.cli.faults import BAD_INPUT, FAILED, NOT_PROVEN
from gemmviz.cli.referee import report
from gemmviz.domain.spec import Params
from gemmviz.referee.finding import Ruling

pytestmark = pytest.mark.usefixtures("nvrtc")
KernelFile = Callable[[str, str], Path]


def test_that_a_right_kernel_is_told_with_a_line_for_each_examination(gemmviz: Any, tmp_path: Path) -> None:
    page = tmp_path / "cpu_ikj.png"
    answer = gemmviz("referee", "cpu_ikj", "--page", str(page))
    assert answer.code == 0, answer.out + answer.err
    lines = answer.out.splitlines()
    text = " ".join(answer.out.split())
    assert text.startswith("cpu_ikj is right at all 35 sizes tried, with M, N and K up to 4160, not all at once.")
    assert "random numbers, also small and widely spread ones; NaN and infinity. Races were not looked for." in text
    assert "16 examinations: 13 held, 3 not examined." in lines
    held = [line.split() for line in lines if line.startswith("  ") and line.endswith(" held")]
    assert len(held) == 13
    assert "Free of races and barrier errors: Only GPU kernels can be recorded" in answer.out
    assert page.read_bytes().startswith(b"\x89PNG")
    assert lines[-1] == f"Written to {page}."


def test_that_a_wrong_kernel_is_told_with_its_reason_and_every_case(
    gemmviz: Any, kernel_file: KernelFile, tmp_path: Path
) -> None:
    page = tmp_path / "verdict.csv"
    answer = gemmviz(
        "referee",
        "--kernel-file",
        str(kernel_file("C[row * N + col] = acc;", "C[row * N + col] = 1.0f;")),
        "--page",
        str(page),
        "--json",
    )
    assert answer.code == FAILED
    document = answer.document
    assert (document["kernel"], document["verdict"]) == ("mine", "wrong")
    failed = [one for one in document["examinations"] if one["outcome"] == "failed"]
    assert [one["name"] for one in failed] == ["Follows its inputs"]
    assert failed[0]["cases"][0]["failed"] is True
    with page.open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    assert [row["outcome"] for row in rows if row["examination"] == "Verdict"] == ["wrong"]
    assert sum(row["failed"] == "True" for row in rows) == sum(
        case["failed"] for one in document["examinations"] for case in one["cases"]
    )


def test_that_a_kernel_that_does_not_compile_could_not_be_examined(gemmviz: Any, kernel_file: KernelFile) -> None:
    answer = gemmviz("referee", "--kernel-file", str(kernel_file("acc += A", "acc += nowhere")))
    assert answer.code == NOT_PROVEN
    assert answer.out.splitlines()[0] == "mine could not be examined."
    assert "nowhere" in answer.out


def test_that_a_kernel_that_needs_tensor_cores_could_not_be_examined_on_the_machine(gemmviz: Any) -> None:
    answer = gemmviz("referee", "wmma_tf32", "--device", "machine")
    assert answer.code == NOT_PROVEN
    assert "needs tensor cores, which the PTX machine does not execute" in " ".join(answer.out.split())


@pytest.mark.parametrize(
    ("words", "complaint"),
    [
        ((), "name one kernel"),
        (("tiled", "--kernel-file", "mine.cu"), "name one kernel"),
        (("tield",), "tiled"),
        (("tiled", "--param", "TILE=8,16"), "one kernel with one set of parameters is judged at a time"),
        (("tiled", "--page", "verdict.gif"), "ends in .png, .svg, .pdf or .csv"),
        (("tiled", "--time-limit", "0"), "--time-limit"),
        (("tiled", "--device", "abacus"), "--device 'abacus' is not a device"),
        (("tiled", "--block", "16"), "No such option"),
    ],
)
def test_that_bad_input_is_named(gemmviz: Any, words: tuple[str, ...], complaint: str) -> None:
    answer = gemmviz("referee", *words)
    assert answer.code == BAD_INPUT
    assert complaint in answer.complaint


@pytest.mark.parametrize(("param", "is_alone"), [([], False), (["TILE=16"], True), (["TILE=8"], True)])
def test_that_values_that_are_asked_for_are_judged_alone(
    gemmviz: Any, monkeypatch: pytest.MonkeyPatch, param: list[str], is_alone: bool
) -> None:
    """16 is the default."""
    asked = []

    def judge(kernel: Kernel, params: Params, *_: object, is_alone: bool) -> Ruling:
        asked.append(is_alone)
        return Ruling(kernel.id, params, "machine", "")

    monkeypatch.setattr(report, "judge_confined", judge)
    gemmviz("referee", "tiled", *(word for one in param for word in ("--param", one)))
    assert asked == [is_alone]


def test_that_no_page_is_replaced_without_force(gemmviz: Any, tmp_path: Path) -> None:
    page = tmp_path / "verdict.svg"
    page.write_text("mine")
    answer = gemmviz("referee", "tiled", "--page", str(page))
    assert (answer.code, page.read_text()) == (BAD_INPUT, "mine")
    assert "already exists" in answer.complaint


def test_that_a_size_without_a_launch_is_named_with_file_and_line_of_the_description(
    gemmviz: Any, kernel_file: KernelFile, tmp_path: Path
) -> None:
    path = tmp_path / "plain.cu"
    path.write_text(kernel_file("acc", "acc").read_text(encoding="utf-8").partition("---*/")[2], encoding="utf-8")
    described = 'entry = "mine"\n[launch]\nblock = ["16", "16"]\ngrid = ["ceil_div(N, 16)", "M // 0"]\n'
    (tmp_path / "plain.cu.toml").write_text(described, encoding="utf-8")
    answer = gemmviz("referee", "--kernel-file", str(path))
    assert answer.code == NOT_PROVEN
    assert "plain.cu.toml:4:nolaunchgeometry" in "".join(answer.out.split()), "its path may be broken anywhere"
