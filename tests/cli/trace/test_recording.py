"""`gemmviz trace`: the document, the report, sessions, and what it refuses."""

from __future__ import annotations

import json
import re
import subprocess
import sys
import time
import zipfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from gemmviz.domain.session.arrays import pack_array, unpack_array
from gemmviz.domain.session.session import SessionError, load_session
from gemmviz.trace.explain import totals_of

FAULTY = Path(__file__).parents[2] / "data" / "faulty"
FIELDS = {
    "format",
    "kernel",
    "params",
    "device",
    "shape",
    "launch",
    "blocks_recorded",
    "blocks",
    "accesses",
    "seconds",
    "totals",
    "sites",
    "hazards",
    "multiply_adds",
}
TOTALS = {
    "global_load_requests",
    "global_load_sectors",
    "global_store_requests",
    "global_store_sectors",
    "shared_load_requests",
    "shared_load_wavefronts",
    "shared_load_ideal_wavefronts",
    "shared_store_requests",
    "shared_store_wavefronts",
    "shared_store_ideal_wavefronts",
    "bytes_asked",
    "bytes_moved",
    "bytes_ideal",
    "async_copy_requests",
    "async_copy_sectors",
    "async_copy_wavefronts",
    "async_copy_ideal_wavefronts",
    "copy_engine_bytes",
    "tensor_core_bytes",
    "copy_engine_written_bytes",
    "global_atomic_requests",
    "global_atomic_sectors",
    "shared_atomic_requests",
    "shared_atomic_wavefronts",
    "shared_atomic_ideal_wavefronts",
}
SITE = {
    "line",
    "column",
    "text",
    "space",
    "kind",
    "width_bytes",
    "requests",
    "sectors",
    "wavefronts",
    "ideal_wavefronts",
    "bytes_asked",
    "bytes_moved",
}
HAZARD = {"kind", "line", "text", "block", "threads", "epoch", "detail"}
TILED = ("trace", "--kernel", "tiled", "--size", "33x37x29", "--all-blocks")


def test_that_the_document_has_every_field_of_format_1(gemmviz: Any) -> None:
    answer = gemmviz(*TILED, "--json")
    assert (answer.code, answer.err) == (0, "")
    document = answer.document
    assert document.keys() >= FIELDS
    assert document["totals"].keys() == TOTALS
    assert all(site.keys() >= SITE for site in document["sites"])
    assert (document["format"], document["kernel"], document["params"]) == (1, "tiled", {"TILE": 16})
    assert document["shape"] == {"m": 33, "n": 37, "k": 29}
    assert document["launch"]["grid"] == [3, 3, 1]
    assert (document["blocks_recorded"], document["blocks"]) == (9, 9)
    assert document["seconds"] > 0
    assert document["hazards"] == []


def test_that_totals_are_the_sums_of_the_sites(gemmviz: Any) -> None:
    document = gemmviz(*TILED, "--json").document
    totals, sites = document["totals"], document["sites"]
    assert totals["global_load_requests"] > 0
    for space in ("global", "shared"):
        for kind in ("load", "store"):
            some = [site for site in sites if (site["space"], site["kind"]) == (space, kind)]
            figures = ("requests", "sectors") if space == "global" else ("requests", "wavefronts", "ideal_wavefronts")
            for figure in figures:
                assert totals[f"{space}_{kind}_{figure}"] == sum(site[figure] for site in some)
    in_global = [site for site in sites if site["space"] == "global"]
    assert totals["bytes_asked"] == sum(site["bytes_asked"] for site in in_global)
    assert totals["bytes_moved"] == sum(site["bytes_moved"] for site in in_global)
    assert totals["bytes_moved"] == 32 * (totals["global_load_sectors"] + totals["global_store_sectors"])
    assert totals["bytes_ideal"] == 4 * (33 * 29 + 29 * 37 + 33 * 37)
    assert document["accesses"] == sum(site["accesses"] for site in sites)


def test_that_some_blocks_are_not_held_against_the_ideal_of_all(gemmviz: Any) -> None:
    totals = gemmviz("trace", "--kernel", "tiled", "--size", "33x37x29", "--block", "1,1", "--json").document["totals"]
    assert totals["bytes_ideal"] is None
    assert totals["bytes_moved"] > 0


def test_that_sites_name_the_place_in_the_source(gemmviz: Any) -> None:
    source = (Path(__file__).parents[3] / "kernels" / "cuda" / "tiled.cu").read_text(encoding="utf-8").splitlines()
    sites = gemmviz(*TILED, "--json").document["sites"]
    assert len(sites) == 7
    for site in sites:
        assert source[site["line"] - 1][site["column"] - 1 :].startswith(site["text"])


def test_that_one_block_is_recorded_by_default_and_any_by_name(gemmviz: Any) -> None:
    words = ("trace", "--kernel", "tiled", "--size", "33x37x29", "--json")
    first, corner = gemmviz(*words).document, gemmviz(*words, "--block", "2,2").document
    assert (first["blocks_recorded"], first["blocks"]) == (1, 9)
    stored = [
        next(site["accesses"] for site in document["sites"] if site["array"] == "C") for document in (first, corner)
    ]
    assert stored == [16 * 16, 5 * 1]


def test_that_hazards_have_an_exit_code_of_their_own(gemmviz: Any) -> None:
    path = FAULTY / "no_second_barrier.cu"
    answer = gemmviz("trace", "--kernel-file", str(path), "--size", "20x19x21", "--all-blocks", "--json")
    assert (answer.code, answer.err) == (3, "")
    assert "exit code 3" in gemmviz("trace", "--help").out.replace("\n", " ")
    hazard = answer.document["hazards"][0]
    assert hazard.keys() >= HAZARD
    assert (hazard["kind"], hazard["text"]) == ("race", "As[ty][tx]")
    assert path.read_text(encoding="utf-8").splitlines()[hazard["line"] - 1].strip().startswith("As[ty][tx] =")
    assert (hazard["block"], hazard["threads"], hazard["epoch"]) == ([0, 0, 0], [1, 0], 1)


@pytest.mark.parametrize(("kernel", "is_marked"), [("no_second_barrier", True), ("naive", False)])
def test_that_the_legend_explains_the_mark_of_a_line_with_a_hazard(gemmviz: Any, kernel: str, is_marked: bool) -> None:
    which = ("--kernel-file", str(FAULTY / f"{kernel}.cu")) if is_marked else ("--kernel", kernel)
    out = gemmviz("trace", *which, "--size", "20x19x21", "--all-blocks").out
    assert ("!: a line with a hazard" in " ".join(out.split())) is is_marked
    assert any(" ! " in line for line in out.splitlines()) is is_marked


def test_that_the_report_shows_the_source_with_its_figures(gemmviz: Any) -> None:
    answer = gemmviz("trace", "--kernel", "tiled", "--size", "128x128x64", "--all-blocks")
    assert answer.code == 0
    line = next(line for line in answer.out.splitlines() if "As[ty][tx] =" in line)
    # 4096 loads and stores of tiles, half of them of A; four sectors each: two rows of 64 bytes.
    assert re.sub(r"\D", "", line.split("4.00")[0]) == "2048"
    assert "No hazards found in any of the 64 blocks." in answer.out
    for word in ("global loads", "shared stores", "bytes ideal", "loads per element of A", "Totals"):
        assert word in answer.out
    assert "title" not in answer.out.split("requests", 1)[1].split("extern", 1)[0]


def test_that_the_report_marks_the_lines_at_fault(gemmviz: Any) -> None:
    path = FAULTY / "guard_one_too_far.cu"
    answer = gemmviz("trace", "--kernel-file", str(path), "--size", "20x19x21", "--all-blocks")
    assert answer.code == 3
    assert "out of bounds line 19, 63 times in 3 blocks, first in block 0,2: thread 32 reads" in " ".join(
        answer.out.split()
    )
    (marked,) = [line for line in answer.out.splitlines() if " ! " in line]
    assert "row <= M" in marked


def test_that_what_was_not_recorded_is_named(gemmviz: Any, kernel_file: Callable[[str, str], Path]) -> None:
    text = kernel_file("float acc = 0.0f;", "float acc = 0.0f;\n    acc += zeros[K % 4];").read_text()
    path = kernel_file("", "")
    path.write_text(text.replace('extern "C"', '__constant__ float zeros[4];\nextern "C"', 1))
    line = path.read_text().splitlines().index("    acc += zeros[K % 4];") + 1
    words = ("trace", "--kernel-file", str(path), "--size", "4x4x4")
    answer = gemmviz(*words)
    assert answer.code == 0
    assert f"not recorded: line {line}, " in answer.out
    assert "it reads constant memory (`__constant__`)" in " ".join(answer.out.split())
    assert "No hazards found in the only block; 1 place was not recorded" in " ".join(answer.out.split())
    assert gemmviz(*words, "--json").document["skipped"][0]["line"] == line


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (
            ("--kernel", "tiled", "--size", "33x37x29", "--block", "3,0"),
            "--block 3,0,0: the grid is 3 x 3 x 1 blocks, so x is 0 to 2",
        ),
        (("--kernel", "tiled", "--size", "33x37x29", "--block", "0,3"), "so y is 0 to 2"),
        (("--kernel", "tiled", "--size", "33x37x29", "--block", "0,0,1"), "so z is 0 to 0"),
        (("--kernel", "tiled", "--size", "4x4x4", "--block", "one"), "--block one: write BX,BY"),
        (("--kernel", "tiled", "--size", "4x4x4", "--block", "1,-1"), "--block 1,-1: write BX,BY"),
        (("--kernel", "tiled", "--size", "4x4x4", "--block", "0,0,0,0"), "write BX,BY"),
        (("--kernel", "tiled", "--size", "4x4x4", "--block", "0,0", "--all-blocks"), "exclude each other"),
        (("--kernel", "tiled,naive", "--size", "4x4x4"), "one kernel with one set of parameters"),
        (("--kernel", "tiled", "--param", "TILE=4,8", "--size", "4x4x4"), "--param: one kernel with one set"),
        (
            ("--kernel", "tiled", "--kernel-file", "mine.cu", "--size", "4x4x4"),
            "--kernel tiled and --kernel-file mine.cu: one kernel is recorded at a time",
        ),
        (("--kernel", "cpu_ijk", "--size", "4x4x4"), "cpu_ijk: runs on the CPU as Python"),
        (("--kernel", "tiled", "--size", "4x4x4", "--device", "host:0"), "--device"),
        (("--kernel", "dot", "--size", "4x4x4"), "needs M = 1, but M is 4"),
        (("--kernel", "tiled"), "--size is missing"),
        (("--kernel", "nobody", "--size", "4x4x4"), "nobody"),
    ],
)
def test_that_bad_input_is_refused_in_a_sentence(gemmviz: Any, words: tuple[str, ...], told: str) -> None:
    answer = gemmviz("trace", *words)
    assert (answer.code, answer.out) == (2, "")
    assert told in answer.complaint


def test_that_a_recording_that_is_given_up_as_endless_has_failed(gemmviz: Any) -> None:
    answer = gemmviz("trace", "--kernel", "naive", "--size", "1x1x16000000")
    assert (answer.code, answer.out) == (1, "")
    assert "line 35: the kernel may loop without end" in answer.complaint
    assert "If it does end, choose a smaller K" in answer.complaint


def test_that_a_kernel_with_nothing_to_record_is_refused(gemmviz: Any, tmp_path: Path) -> None:
    path = tmp_path / "idle.cu"
    head = '/*---\ntitle = "Idle"\nentry = "idle"\n[launch]\nblock = ["4"]\ngrid = ["1"]\n---*/\n'
    takes = "const float *A, const float *B, float *C, int M, int N, int K"
    path.write_text(f'{head}extern "C" __global__ void idle({takes})\n{{\n    int x = M;\n}}\n', encoding="utf-8")
    answer = gemmviz("trace", "--kernel-file", str(path), "--size", "4x4x4")
    assert answer.code == 2
    assert "idle has nothing to record" in answer.complaint
    assert "`gemmviz run` tells whether the kernel ends" in answer.complaint


def test_that_a_source_that_does_not_compile_is_told_with_its_line(gemmviz: Any, kernel_file: Any) -> None:
    path = kernel_file("= acc;", "= acc + nobody;")
    answer = gemmviz("trace", "--kernel-file", str(path), "--size", "4x4x4")
    assert answer.code == 1
    line = path.read_text().splitlines().index("    C[row * N + col] = acc + nobody;") + 1
    assert f"mine.cu:{line}:" in answer.complaint
    assert "nobody" in answer.complaint


def test_that_a_kernel_that_never_ends_is_told_before_its_time_limit() -> None:
    words = ("trace", "--kernel-file", str(FAULTY / "endless.cu"), "--size", "8x8x8", "--time-limit", "100")
    begin = time.monotonic()
    done = subprocess.run(
        [sys.executable, "-m", "gemmviz", *words], capture_output=True, text=True, check=False, timeout=120
    )
    assert (done.returncode, done.stdout) == (1, "")
    assert "line 17: a loop that never ends" in done.stderr
    assert "Traceback" not in done.stderr
    assert time.monotonic() - begin < 30


def test_that_a_far_write_ends_neither_the_process_nor_the_recording() -> None:
    words = ("trace", "--kernel-file", str(FAULTY / "far_write.cu"), "--size", "20x19x21", "--all-blocks", "--json")
    done = subprocess.run(
        [sys.executable, "-m", "gemmviz", *words], capture_output=True, text=True, check=False, timeout=120
    )
    assert (done.returncode, done.stderr) == (3, "")
    (hazard,) = json.loads(done.stdout)["hazards"]
    assert (hazard["kind"], hazard["count"], hazard["blocks"]) == ("out_of_bounds", 20 * 19, 9)


def test_that_a_saved_recording_opens_with_the_same_figures(gemmviz: Any, tmp_path: Path) -> None:
    path = tmp_path / "s.gemmviz"
    words = ("trace", "--kernel", "tiled", "--param", "TILE=2", "--size", "3x3x3", "--block", "1,1")
    document = gemmviz(*words, "--out", str(path), "--json").document
    (run,) = load_session(path).traces
    assert totals_of(run).as_dict() == document["totals"]
    assert (run.accesses, run.blocks_recorded, run.seconds) == (document["accesses"], 1, document["seconds"])
    (block,) = run.blocks
    trace = block.trace(run.sites, run.arrays)
    assert trace.block == (1, 1, 0)
    bases = {array.name: array.base for array in run.arrays}
    loads = next(site.index for site in run.sites if site.array == "A")
    # Thread 0 is row 2: elements 6 and then 8 of A; the others load A[2,1], or nothing at all.
    found = trace.addresses[0, trace.slot_site == loads][:, :4]
    assert (np.where(found < 0, -1, (found - bases["A"]) // 4)).tolist() == [[6, 7, -1, -1], [8, -1, -1, -1]]
    assert [s.array for s in trace.snapshots] == ["As"] * 5 + ["Bs"] * 5
    assert trace.snapshots[0].origin.tolist() == [[6, 7], [-2, -2]]
    assert run.a_loads.tolist() == [0, 0, 0, 0, 0, 0, 1, 1, 1]


def test_that_a_saved_recording_is_the_same_whether_saved_twice(gemmviz: Any, tmp_path: Path) -> None:
    blocks = []
    for name in ("one", "two"):
        path = tmp_path / f"{name}.gemmviz"
        assert gemmviz("trace", "--kernel", "naive", "--size", "5x6x7", "--out", str(path)).code == 0
        blocks.append(load_session(path).traces[0].blocks[0])
    assert (blocks[0].addresses == blocks[1].addresses).all()


@pytest.mark.parametrize(
    ("column", "change"),
    [
        ("slot_site", lambda array: np.full_like(array, 99)),
        ("slot_site", lambda array: np.full_like(array, -7)),
        ("addresses", lambda array: array[:-32]),
        ("a_loads", lambda array: array[:-1]),
    ],
)
def test_that_a_damaged_recording_is_refused(
    gemmviz: Any, tmp_path: Path, column: str, change: Callable[[np.ndarray], np.ndarray]
) -> None:
    path, hurt = tmp_path / "s.gemmviz", tmp_path / "hurt.gemmviz"
    gemmviz("trace", "--kernel", "tiled", "--param", "TILE=2", "--size", "3x3x3", "--out", str(path))
    hits = 0
    with zipfile.ZipFile(path) as old, zipfile.ZipFile(hurt, "w", zipfile.ZIP_DEFLATED) as new:
        for name in old.namelist():
            data = old.read(name)
            if column in name:
                hits += 1
                data = pack_array(change(unpack_array(data)))
            new.writestr(name, data)
    assert hits == 1
    with pytest.raises(SessionError, match=r"hurt\.gemmviz"):
        load_session(hurt)
    assert len(load_session(path).traces) == 1


@pytest.mark.parametrize(("size", "kept"), [("33x17x9", 6), ("80x80x4", 1)])
def test_that_every_block_of_a_small_grid_can_be_played(gemmviz: Any, tmp_path: Path, size: str, kept: int) -> None:
    saved = tmp_path / "all.gemmviz"
    answer = gemmviz("trace", "--kernel", "tiled", "--size", size, "--all-blocks", "--out", str(saved))
    assert answer.code == 0
    (trace,) = load_session(saved).traces
    assert trace.blocks_recorded == trace.blocks_in_grid
    assert len(trace.blocks) == kept
    told = f"All {kept} blocks are kept" if kept > 1 else "1 of 25 recorded blocks is kept"
    assert told in " ".join(answer.out.split())
