"""`gemmviz trace --as both`: two recordings of one kernel, one listing, one document, one file."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from form_kernel import FORMS, SIZE

from gemmviz.domain.session.session import load_session
from gemmviz.domain.terms import CodeForm

pytestmark = pytest.mark.usefixtures("nvrtc")


@pytest.fixture
def own(tmp_path: Path) -> str:
    """The file of the small kernel, which is recorded in a process of its own."""
    path = tmp_path / "own.cu"
    path.write_text(FORMS, encoding="utf-8")
    return str(path)


def test_that_both_forms_stand_beside_each_other_in_one_listing(gemmviz: Any, own: str, tmp_path: Path) -> None:
    saved = tmp_path / "both.gemmviz"
    answer = gemmviz("trace", "--kernel-file", own, "--size", SIZE, "--as", "both", "--out", str(saved))
    assert answer.code == 0, answer.err
    lines = answer.out.splitlines()
    heads = next(line for line in lines if "written  compiled" in line).split()
    assert heads == ["written", "compiled"] * 3 + ["line"]
    (merged,) = [line for line in lines if "sum += rows[31 - t][k];" in line]
    assert merged.split()[:5] == ["0", "1", "4", "1", "52"]
    (loop,) = [line for line in lines if "for (int i = 0; i < 4; ++i)" in line]
    assert loop.split()[:3] == ["54", "0", "19"]
    told = " ".join(answer.out.split())
    assert "Per warp, the compiler turned 10 load requests to global memory into 6, 4 load" in told
    assert "Line 14: the compiler merged stores to rows into wider ones: 4 requests per warp as written, 1" in told
    (row,) = [line.split() for line in lines if line.startswith("global load requests")]
    assert row == ["global", "load", "requests", "10", "6"]
    assert "No hazards found in either form in 1 of 2 blocks; --all-blocks searches the rest." in told

    session = load_session(saved)
    assert [trace.form for trace in session.traces] == [CodeForm.AS_WRITTEN, CodeForm.AS_COMPILED]
    assert {trace.spec.kernel for trace in session.traces} == {"own"}
    shown = gemmviz("report", str(saved))
    assert shown.code == 0
    assert "Totals of block 0,0 in a grid of 2 x 1, recorded as written" in shown.out
    assert "Totals of block 0,0 in a grid of 2 x 1, recorded as compiled" in shown.out


def test_that_the_document_has_both_and_what_changed(gemmviz: Any) -> None:
    answer = gemmviz("trace", "--kernel", "global_accumulate", "--size", "33x40x17", "--as", "both", "--json")
    assert answer.code == 0, answer.err
    document = answer.document
    assert (document["format"], document["comparison"]["warps"]) == (2, 8)
    loads = [document[form]["totals"]["global_load_requests"] for form in ("as_written", "as_compiled")]
    assert loads == [408, 272]
    totals = document["comparison"]["totals"]
    assert [totals[form]["global_loads"] for form in ("as_written", "as_compiled")] == loads
    (change,) = document["comparison"]["changes"]
    assert (change["line"], change["array"], change["kind"], change["change"]) == (35, "C", "load", "dropped")
    assert change["as_written"] == {"requests": 136, "accesses": 4352, "nbytes": 17408}
    assert change["as_compiled"] == {"requests": 0, "accesses": 0, "nbytes": 0}
    (line,) = [one for one in document["comparison"]["lines"] if one["line"] == 35]
    assert line["as_written"]["global_loads"] - line["as_compiled"]["global_loads"] == 136


def test_that_hazards_of_both_forms_are_printed_once(gemmviz: Any, tmp_path: Path) -> None:
    path = tmp_path / "far.cu"
    path.write_text(FORMS.replace("] = sum;", " + 4096] = sum;"), encoding="utf-8")
    answer = gemmviz("trace", "--kernel-file", str(path), "--size", SIZE, "--as", "both")
    assert answer.code == 3, answer.err
    told = [line for line in answer.out.splitlines() if line.startswith("out of bounds")]
    assert len(told) == 1
    assert "line 25" in told[0]
    assert "(as " not in told[0], "it is in both forms"


@pytest.mark.parametrize(
    ("given", "words"),
    [
        (("--kernel", "naive", "--as", "nothing"), "--as nothing: choose compiled, written or both"),
        (("--kernel", "naive", "--as", "both", "--device", "pocl"), "runs kernels but cannot record them"),
        (("--kernel", "wgmma_bf16", "--as", "both"), "PTX machine"),
        (("--kernel", "cpu_ijk", "--as", "both"), "runs on the CPU as Python"),
    ],
)
def test_that_what_is_not_recorded_in_both_forms_is_refused(gemmviz: Any, given: tuple[str, ...], words: str) -> None:
    answer = gemmviz("trace", *given, "--size", "64x128x64")
    assert answer.code == 2
    assert words in answer.complaint


def test_that_compile_has_no_both(gemmviz: Any) -> None:
    answer = gemmviz("compile", "naive", "--as", "both")
    assert answer.code == 2
    assert "--as both: choose compiled or written" in answer.complaint
