"""The report of a recording: which blocks it is of, a margin that fits its figures and the width."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from gemmviz.cli.trace.report import print_trace
from gemmviz.domain.session.session import load_session
from gemmviz.domain.terms import CodeForm


def head_of(out: str) -> str:
    return " ".join(out.split("\n\n")[0].split())


@pytest.mark.parametrize(
    ("words", "which"),
    [
        (("--size", "64x48x8", "--block", "2,1"), "block 2,1 in a grid of 3 x 4"),
        (("--size", "64x48x8"), "block 0,0 in a grid of 3 x 4"),
        (("--size", "64x48x8", "--all-blocks"), "all 12 blocks"),
        (("--size", "4x4x4"), "its only block"),
    ],
)
def test_that_the_head_names_the_blocks(gemmviz: Any, words: tuple[str, ...], which: str) -> None:
    out = gemmviz("trace", "--kernel", "tiled", *words).out
    assert f", {which}, " in head_of(out)
    assert f"Totals of {which}" in out


def test_that_one_block_is_not_held_against_the_whole_product(gemmviz: Any) -> None:
    one = gemmviz("trace", "--kernel", "tiled", "--size", "64x48x8").out
    assert "bytes ideal" not in one
    assert "bytes ideal" in gemmviz("trace", "--kernel", "tiled", "--size", "64x48x8", "--all-blocks").out


def test_that_loads_are_told_of_the_elements_that_are_loaded(gemmviz: Any) -> None:
    out = " ".join(gemmviz("trace", "--kernel", "tiled", "--size", "64x48x8").out.split())
    # One block of 16 x 16 loads 16 rows of A once.
    assert "loads per element of A 1 median; 1 to 1; of 128 of 512 elements" in out
    whole = gemmviz("trace", "--kernel", "tiled", "--size", "64x48x8", "--all-blocks").out
    assert "loads per element of A 3 median; 3 to 3" in " ".join(whole.split())
    assert "elements" not in whole


def test_that_the_margin_has_only_columns_with_figures(gemmviz: Any) -> None:
    naive = gemmviz("trace", "--kernel", "naive", "--size", "64x64x64").out
    heads = naive.splitlines()[3:5]
    assert heads[0].split() == ["global"]
    assert heads[1].split() == ["req", "sect/req", "line"]
    assert "bank conflicts" not in naive
    tiled = gemmviz("trace", "--kernel", "tiled", "--size", "64x64x64").out
    assert tiled.splitlines()[4].split() == ["req", "sect/req", "req", "excess", "line"]
    assert "req: warp requests" in tiled


def test_that_most_of_80_columns_is_source(gemmviz: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "80")
    for kernel, least in (("naive", 52), ("tiled", 38)):
        out = gemmviz("trace", "--kernel", kernel, "--size", "256x256x64", "--all-blocks").out
        lines = out.splitlines()
        assert max(map(len, lines)) <= 80
        margin = next(line.index("extern") for line in lines if "extern" in line)
        assert 80 - margin >= least


def test_that_shared_memory_is_what_the_source_declares(gemmviz: Any, kernel_file: Any) -> None:
    path = kernel_file("float acc = 0.0f;", "__shared__ float S[64]; S[threadIdx.x] = A[0]; float acc = 0.0f;")
    document = gemmviz("trace", "--kernel-file", str(path), "--size", "4x4x4", "--json").document
    assert document["launch"]["shared_bytes"] == 256


def test_that_figures_of_ptx_say_that_the_assembler_may_merge(
    gemmviz: Any, tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "t.gemmviz"
    gemmviz("trace", "--kernel", "tiled", "--size", "16x16x16", "--out", str(path))
    (run,) = load_session(path).traces
    capfd.readouterr()
    print_trace(run)
    assert "ptxas" not in capfd.readouterr().out
    print_trace(replace(run, instrumented_text=".target sm_90a"))
    assert CodeForm.AS_COMPILED.meaning in " ".join(capfd.readouterr().out.split())


@pytest.mark.usefixtures("nvrtc")
def test_that_a_line_says_what_machine_code_has_otherwise_and_a_session_keeps_it(gemmviz: Any, tmp_path: Path) -> None:
    path = tmp_path / "t.gemmviz"
    words = ("trace", "tiled", "--size", "16x16x16", "--as", "compiled", "--device", "machine")
    out = " ".join(gemmviz(*words, "--out", str(path)).out.split())
    (run,) = load_session(path).traces
    assert run.machine is not None
    (one,), (cost,) = run.machine.differing, run.machine.merged
    assert f"some 128-bit {one.line} " in out
    assert f"line {one.line}: The PTX code has " in out
    assert f"Derived for SASS: {cost.requests} requests, {cost.wavefronts} wavefronts, " in out
    entry = gemmviz(*words, "--json").document["machine"]
    assert (entry["target"], entry["merged"][0]["wavefronts"]) == ("sm_90a", cost.wavefronts)
    changed = [line for line in entry["lines"] if line["change"] != "none"]
    assert [(line["line"], line["accesses"]) for line in changed] == [(one.line, "shared loads")]
    assert [width["width_bytes"] for width in changed[0]["sass"]] == [4, 16]


def test_that_accesses_in_an_included_file_have_the_line_that_calls_them_and_their_own(
    gemmviz: Any, kernel_file: Any, tmp_path: Path
) -> None:
    path = kernel_file("float acc = 0.0f;", "float acc = load(A, 0) - load(A, 0);")
    (path.parent / "load.cuh").write_text("__device__ float load(const float *p, int i) { return p[i]; }\n", "utf-8")
    path.write_text(path.read_text("utf-8").replace("---*/", '---*/\n#include "load.cuh"', 1), encoding="utf-8")
    line = 1 + path.read_text("utf-8").partition("load(A")[0].count("\n")
    saved = tmp_path / "saved.gemmviz"
    told = gemmviz("trace", "--kernel-file", str(path), "--size", "4x4x4", "--device", "machine", "--out", str(saved))
    words = f"line {line} calls code of an included file: load.cuh:1 reads A"
    assert words in told.out
    (run,) = load_session(saved).traces
    assert {site.header for site in run.sites if site.line == line and site.array == "A"} == {"load.cuh:1"}
    document = gemmviz("trace", "--kernel-file", str(path), "--size", "4x4x4", "--device", "machine", "--json").document
    assert {"load.cuh:1", ""} == {site["header"] for site in document["sites"]}


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (("--size", "64x48x8"), "No hazards found in 1 of 12 blocks; --all-blocks searches the rest."),
        (("--size", "64x48x8", "--all-blocks"), "No hazards found in any of the 12 blocks."),
        (("--size", "4x4x4"), "No hazards found in the only block."),
    ],
)
def test_that_no_hazards_are_claimed_only_of_the_blocks_that_were_searched(
    gemmviz: Any, words: tuple[str, ...], told: str
) -> None:
    assert told in gemmviz("trace", "--kernel", "tiled", *words).out.splitlines()


@pytest.mark.usefixtures("nvrtc")
def test_that_the_figures_of_asynchronous_copies_are_explained(gemmviz: Any) -> None:
    sized = "--size", "64x64x16", "--device", "machine"
    report = gemmviz("trace", "--kernel", "cp_async", *sized).out
    assert "requests are reads of global memory, wavefronts are writes to shared memory" in " ".join(report.split())
    assert "requests are reads" not in gemmviz("trace", "--kernel", "tiled", *sized).out
