"""Nsight Compute's tables are read as it prints them, and counters stand beside what was recorded."""

from __future__ import annotations

import json
import sys
from pathlib import Path

import pytest
import record_counters
from gpu_record.counter_tables import global_rows, shared_rows
from gpu_record.counters import (
    FIGURES,
    as_counted,
    available_metrics,
    chosen_metrics,
    comparison_rows,
    figures_of,
    matched,
)
from gpu_record.ncu_csv import Counted, NcuError, number_in, read_ncu

from gemmviz.domain.figures import count

LOADS, STORES = "l1tex__t_requests_pipe_lsu_mem_global_op_ld.sum", "l1tex__t_requests_pipe_lsu_mem_global_op_st.sum"

RAW = f"""==PROF== Connected to process 4711 (/usr/bin/python3.12)
{{"kernel": "naive", "size": "128x128x64"}}
==PROF== Profiling "sgemm_naive" - 0: 0%....50%....100% - 3 passes
==PROF== Disconnected from process 4711
"ID","Process ID","Process Name","Host Name","Kernel Name","Context","Stream","Block Size","Grid Size","Device","CC","{LOADS}","{STORES}","dram__bytes_read.sum"
"","","","","","","","","","","","request","request","byte"
"0","4711","python3.12","127.0.0.1","sgemm_naive(const float *, float *, int)","1","7","(16, 16, 1)","(8, 8, 1)","0","9.0","4,457,310","512","65,536"
"1","4711","python3.12","127.0.0.1","sgemm_tiled","1","7","(16, 16, 1)","(8, 8, 1)","0","9.0","4096","n/a","1.5"
"""  # noqa: E501

DETAILS = f"""==PROF== Connected to process 4711
"ID","Process ID","Process Name","Host Name","Kernel Name","Context","Stream","Block Size","Grid Size","Device","CC","Section Name","Metric Name","Metric Unit","Metric Value"
"0","4711","python","127.0.0.1","sgemm_naive","1","7","(16, 16, 1)","(8, 8, 1)","0","9.0","Command line profiler metrics","{LOADS}","request","4,457,310"
"0","4711","python","127.0.0.1","sgemm_naive","1","7","(16, 16, 1)","(8, 8, 1)","0","9.0","Command line profiler metrics","dram__bytes_read.sum","Kbyte","65.54"
"1","4711","python","127.0.0.1","sgemm_tiled","1","7","(16, 16, 1)","(8, 8, 1)","0","9.0","Command line profiler metrics","{LOADS}","request","4096"
"""  # noqa: E501


def test_that_a_launch_a_line_is_read_with_its_units() -> None:
    first, second = read_ncu(RAW)
    assert (first.number, first.kernel) == (0, "sgemm_naive(const float *, float *, int)")
    assert first.metrics == {LOADS: 4457310.0, STORES: 512.0, "dram__bytes_read.sum": 65536.0}
    assert (second.kernel, second.metrics[LOADS]) == ("sgemm_tiled", 4096.0)
    assert STORES not in second.metrics


def test_that_a_metric_a_line_is_read_too() -> None:
    first, second = read_ncu(DETAILS)
    assert first.metrics == {LOADS: 4457310.0, "dram__bytes_read.sum": 65540.0}
    assert second == Counted(1, "sgemm_tiled", {LOADS: 4096.0})


@pytest.mark.parametrize(
    ("text", "unit", "value"),
    [
        ("1,024", "request", 1024.0),
        ("1.5", "Mbyte", 1.5e6),
        ("7", "", 7.0),
        ("n/a", "byte", None),
        ("(1, 1)", "", None),
    ],
)
def test_that_a_number_is_read_in_the_base_of_its_unit(text: str, unit: str, value: float | None) -> None:
    assert number_in(text, unit) == value


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("==ERROR== ERR_NVGPUCTRPERM - The user does not have permission\n", "ERR_NVGPUCTRPERM"),
        ("==PROF== Connected\n==WARNING== No kernels were profiled.\n", "No kernels were profiled"),
        ("", "it printed nothing"),
    ],
)
def test_that_a_profiler_that_counted_nothing_says_why(text: str, words: str) -> None:
    with pytest.raises(NcuError, match=words):
        read_ncu(text)


def test_that_a_figure_is_counted_by_the_first_metrics_that_the_gpu_has() -> None:
    split = FIGURES["async_copy_requests"][1]
    query = "Device NVIDIA H200 (GH100)\n\n" + "\n".join(f"{name}   Counter  request  # of requests" for name in split)
    available = available_metrics(query)
    assert available == frozenset(split)
    assert chosen_metrics(available) == {"async_copy_requests": split}
    assert chosen_metrics(()) == {name: candidates[0] for name, candidates in FIGURES.items()}


def test_that_parts_of_a_figure_are_added_up_and_a_missing_part_leaves_it_out() -> None:
    chosen = {"both": ("a", "b"), "lacking": ("a", "c")}
    assert figures_of(Counted(0, "k", {"a.sum": 2.0, "b.sum": 3.0}), chosen) == {"both": 5}


def test_that_launches_and_counts_must_be_of_the_same_kernels() -> None:
    launched = [{"entry": "sgemm_naive"}, {"entry": "sgemm_tiled"}]
    assert [launch["entry"] for launch, _ in matched(launched, read_ncu(RAW))] == ["sgemm_naive", "sgemm_tiled"]
    with pytest.raises(ValueError, match="counted as"):
        matched(launched[::-1], read_ncu(RAW))
    with pytest.raises(ValueError, match="1 launches were made and 2 counted"):
        matched(launched[:1], read_ncu(RAW))


def test_that_the_table_sets_three_figures_side_by_side() -> None:
    entry = {
        "kernel": "tiled",
        "size": "8x8x8",
        "counters": {"shared_load_wavefronts": 75, "global_load_requests": 8, "global_store_requests": 0},
        "written": {"shared_load_wavefronts": 100, "global_load_requests": 8},
        "compiled": {"shared_load_wavefronts": 75, "global_load_requests": 9},
    }
    assert comparison_rows([entry]) == [
        ("`tiled`", "8x8x8", "global load requests", "8", "9", "8", "equal"),
        ("`tiled`", "8x8x8", "shared load wavefronts", "100", "75", "75", "equal"),
    ]
    (row,) = comparison_rows([{**entry, "counters": {"shared_load_wavefronts": 80}, "compiled": {}}])[1:]
    assert row[-1] == "+25 %"


def test_that_loads_as_the_hardware_counts_them_have_asynchronous_copies_in_them() -> None:
    told = {"global_load_requests": 3, "async_copy_requests": 4, "global_store_requests": 5}
    assert as_counted(told) == {"global_load_requests": 7, "async_copy_requests": 4, "global_store_requests": 5}
    assert as_counted({"global_load_sectors": 3}) == {"global_load_sectors": 3}


def test_that_tables_say_where_a_recording_is_what_was_counted_and_where_not() -> None:
    loads = {"global_load_requests": 4096, "global_load_sectors": 16384}
    stores = {"global_store_requests": 512, "global_store_sectors": 2048}
    shared = {"shared_load_wavefronts": 100, "shared_store_wavefronts": 0}
    entry = {
        "kernel": "tiled",
        "size": "8x8x8",
        "occupancy": 100.0,
        "achieved_occupancy": 91.27,
        "written": {**loads, **stores, **shared},
        "compiled": {**loads, **stores, "global_load_sectors": 16000},
        "counters": {**loads, **stores, "shared_load_wavefronts": 75, "shared_store_wavefronts": 0},
    }
    (row,) = global_rows([entry, {**entry, "counters": {}}])
    assert row == (
        "`tiled`",
        f"{count(4096)} requests, {count(16384)} sectors",
        f"512, {count(2048)}",
        f"equal as written, as compiled: global load sectors {count(16000)}",
        "",
        "100 %, 91.3 %",
    )
    assert shared_rows([entry]) == [("`tiled`", "100, –, 75", "0, –, 0")]
    assert shared_rows([{**entry, "written": {}, "compiled": {}, "counters": stores}]) == []


FAKE = """#!{python}
import subprocess, sys
metrics = [word for word in sys.argv if ".sum" in word]
if "--query-metrics" in sys.argv:
    print({names!r})
    sys.exit()
begin = sys.argv.index({python!r})
launches = subprocess.run(sys.argv[begin:], capture_output=True, text=True, check=True).stdout
print("==PROF== Connected to process 1\\n" + launches)
names = metrics[0].split(",")
print(",".join('"%s"' % name for name in ["ID", "Kernel Name", *names]))
print(",".join('""' for _ in range(len(names) + 2)))
for number, line in enumerate(launches.splitlines()):
    entry = line.split('"entry": "')[1].split('"')[0]
    print(",".join('"%s"' % value for value in [number, entry, *["1,234"] * len(names)]))
"""


def test_that_kernels_are_launched_counted_recorded_and_kept(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    names = "\n".join(metric for candidates in FIGURES.values() for metric in candidates[0])
    ncu = tmp_path / "ncu"
    ncu.write_text(FAKE.format(python=sys.executable, names=names), encoding="utf-8")
    ncu.chmod(0o755)
    monkeypatch.setenv("PATH", str(tmp_path), prepend=":")
    monkeypatch.setattr(record_counters, "why_no_gpu", str)
    file, log = tmp_path / "golden.json", tmp_path / "ncu.log"
    words = ["--kernels", "naive,tiled", "--sizes", "17x9x5", "--steps", "count,written", "--file", str(file)]
    assert record_counters.main([*words, "--log", str(log)]) == 0
    naive, tiled = json.loads(file.read_text(encoding="utf-8"))["kernels"]
    assert (naive["kernel"], naive["params"], tiled["params"]) == ("naive", "THREAD=16", "TILE=16")
    assert naive["counters"] == dict.fromkeys(FIGURES, 1234)
    assert naive["written"]["global_store_requests"] > 0
    printed = capsys.readouterr().out
    assert (
        f"| `naive` | 17x9x5 | global load requests | {naive['written']['global_load_requests']} |  | 1,234 |"
        in printed
    )
    assert "==PROF==" in log.read_text(encoding="utf-8")


def test_that_without_a_profiler_the_script_says_so(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(record_counters, "find_tool", lambda _: None)
    monkeypatch.setattr(record_counters, "why_no_gpu", str)
    assert record_counters.main(["--kernels", "naive"]) == 1
    assert "ncu (Nsight Compute) is not found" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("content", "why"),
    [
        (None, "No such file or directory; the step count makes it"),
        ("{", "was not made by the step count"),
        ("[]", "was not made by the step count"),
        ("{}", "was not made by the step count"),
    ],
)
def test_that_golden_data_that_cannot_be_read_is_told_in_one_line(
    content: str | None, why: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "counters.json"
    if content is not None:
        file.write_text(content, encoding="utf-8")
    assert record_counters.main(["--steps", "compiled", "--file", str(file)]) == 1
    (line,) = capsys.readouterr().err.splitlines()
    assert line.startswith("nothing was recorded: ")
    assert line.endswith(why)


def test_that_without_a_gpu_nothing_counts_as_recorded_as_compiled(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(record_counters, "why_no_gpu", lambda: "no driver")
    file = tmp_path / "counters.json"
    file.write_text('{"about": "", "kernels": []}', encoding="utf-8")
    assert record_counters.main(["--steps", "compiled", "--file", str(file)]) == 1
    assert capsys.readouterr().err == "nothing was recorded as compiled: no driver\n"
