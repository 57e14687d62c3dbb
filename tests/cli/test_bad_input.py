"""Bad input: exit code 2, one line that names the option, the value and what would be right, no traceback."""

from __future__ import annotations

import errno
import sys
import tempfile
from pathlib import Path
from typing import Any

import pytest

from gemmviz.catalogue.header import HeaderError
from gemmviz.catalogue.loader import load_user_kernel
from gemmviz.measure import bench


@pytest.mark.parametrize(
    ("size", "expected"),
    [
        ("0x1x1", "M is 0"),
        ("-3x4x5", "M is -3"),
        ("axbxc", "write MxNxK"),
        ("1e3x2x2", "write MxNxK"),
        ("1.5x2x2", "write MxNxK"),
        ("4x4", "write MxNxK"),
        ("4x4x4x4", "write MxNxK"),
        ("", "write MxNxK"),
        ("99999999x1x1", "from 1 to 16777216"),
        ("9" * 50 + "x1x1", "50 digits"),
        ("70000x70000x1", "32-bit"),
        ("+5x5x5", "write MxNxK"),
        (" 5x5x5", "write MxNxK"),
        ("5x5x5\n", "write MxNxK"),
        ("1_000x5x5", "write MxNxK"),
        ("\u0661x5x5", "write MxNxK"),
        ("0x5x5x5", "write MxNxK"),
    ],
)
def test_that_a_size_is_refused_in_words(gemmviz: Any, size: str, expected: str) -> None:
    answer = gemmviz("run", "--kernel", "tiled", f"--size={size}", "--json")
    assert (answer.code, answer.out) == (2, "")
    assert "--size" in answer.complaint
    assert expected in answer.complaint


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        (["--kernel", "tyled", "--size", "4x4x4"], "did you mean 'tiled'"),
        (["--kernel", "", "--size", "4x4x4"], "there is no kernel"),
        (["--size", "4x4x4"], "no kernel: name one or several"),
        (["--kernel", "tiled"], "--size is missing"),
        (["--kernel", "tiled", "--size", "4x4x4", "--param", "TILEE=4"], "did you mean TILE"),
        (["--kernel", "tiled", "--size", "4x4x4", "--param", "TILE=5"], "choose from 2, 4, 8, 16, 32"),
        (["--kernel", "tiled", "--size", "4x4x4", "--param", "TILE=x"], "NAME=VALUE"),
        (["--kernel", "tiled", "--size", "4x4x4", "--param", "TILE"], "NAME=VALUE"),
        (["--kernel", "tiled", "--size", "4x4x4", "--param", "TILE=4", "--param", "TILE=8"], "is given twice"),
        (["--kernel", "naive,tiled", "--size", "4x4x4", "--param", "NOPE=8"], "no kernel of this run"),
        (["--kernel", "tiled", "--size", "4x4x4", "--fill", "zeros"], "uniform, normal"),
        (["--kernel", "tiled", "--size", "4x4x4", "--mode", "warm"], "cold, hot"),
        (["--kernel", "tiled", "--size", "4x4x4", "--seed", "-1"], "--seed"),
        (["--kernel", "tiled", "--size", "4x4x4", "--seed", "x"], "--seed"),
        (["--kernel", "tiled", "--size", "4x4x4", "--budget", "0"], "--budget"),
        (["--kernel", "tiled", "--size", "4x4x4", "--budget", "nan"], "--budget"),
        (["--kernel", "tiled", "--size", "4x4x4", "--time-limit", "-1"], "--time-limit"),
        (["--kernel", "tiled", "--size", "4x4x4", "--device", "moon"], "available devices: "),
        (["--kernel", "tiled", "--size", "4x4x4", "--device", "host"], "no kernel of this run"),
        (["--kernel", "tiled", "--size", "4x4x4", "--time-limit", "abc"], "--time-limit 'abc': not a number"),
        (["--kernel", "tiled", "--size", "4x4x4", "--seed", "1.5"], "--seed '1.5': not a whole number"),
        (["--preset", "od"], "did you mean 'odd'"),
        (["--nope"], "No such option"),
        (["--kernel-file", "nope.cu", "--size", "4x4x4"], "there is no such file. Check the name"),
        (["--kernel-file", "nope.txt", "--size", "4x4x4"], "ends in .cu"),
    ],
)
def test_that_an_option_is_refused_in_words(gemmviz: Any, words: list[str], expected: str) -> None:
    answer = gemmviz("run", *words, "--json")
    assert (answer.code, answer.out) == (2, "")
    assert expected in answer.complaint


def test_that_an_unknown_command_suggests_the_nearest(gemmviz: Any) -> None:
    answer = gemmviz("rum")
    assert answer.code == 2
    assert "run" in answer.complaint


def test_that_all_commands_are_named_where_none_is_like_an_unknown_one(gemmviz: Any) -> None:
    answer = gemmviz("list")
    assert answer.code == 2
    assert "No such command 'list'. Choose from devices, kernels, run, trace" in answer.complaint


def test_that_a_refusal_names_the_limit_and_the_numbers(gemmviz: Any) -> None:
    answer = gemmviz("run", "--kernel", "row_shared", "--size", "1x1x10000000", "--json")
    assert answer.code == 2
    assert "10000000" in answer.complaint
    assert "shared memory" in answer.complaint
    assert answer.document["errors"][0]["kernel"] == "row_shared"


def test_that_inputs_too_large_for_memory_are_refused_before_they_are_made(
    gemmviz: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    def never(*_: object) -> None:
        raise AssertionError("made the inputs all the same")

    monkeypatch.setattr(bench, "make_operands", never)
    monkeypatch.setattr(bench, "available_memory_bytes", lambda: 100 * 2**20)
    answer = gemmviz("run", "--kernel", "tiled", "--size", "4000x4000x4000")
    assert answer.code == 2
    assert "4000x4000x4000" in answer.complaint
    assert "MiB" in answer.complaint


def test_that_an_output_in_no_folder_is_refused_before_anything_runs(gemmviz: Any, tmp_path: Path) -> None:
    answer = gemmviz("run", "--kernel", "tiled", "--size", "4x4x4", "--out", str(tmp_path / "no" / "s.gemmviz"))
    assert (answer.code, answer.out) == (2, "")
    assert "does not exist. Create it first" in answer.complaint


def test_that_an_output_that_is_a_folder_is_refused(gemmviz: Any, tmp_path: Path) -> None:
    answer = gemmviz("run", "--kernel", "tiled", "--size", "4x4x4", "--out", str(tmp_path))
    assert answer.code == 2
    assert "this is a folder" in answer.complaint


def test_that_an_output_in_a_folder_that_cannot_be_written_is_refused(
    gemmviz: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(*_: object, **__: object) -> None:
        raise PermissionError(errno.EACCES, "Permission denied")

    monkeypatch.setattr(tempfile, "NamedTemporaryFile", refuse)
    answer = gemmviz("run", "--kernel", "tiled", "--size", "4x4x4", "--out", str(tmp_path / "s.gemmviz"))
    assert answer.code == 2
    assert "cannot write to the folder" in answer.complaint


@pytest.mark.skipif(not Path("/proc/self").exists(), reason="no /proc here")
@pytest.mark.parametrize("command", ["run", "trace"])
def test_that_a_folder_that_takes_no_files_is_refused_before_anything_runs(gemmviz: Any, command: str) -> None:
    answer = gemmviz(command, "--kernel", "tiled", "--size", "4x4x4", "--out", "/proc/s.gemmviz")
    assert (answer.code, answer.out) == (2, "")
    assert "--out /proc/s.gemmviz: cannot write to the folder /proc" in answer.complaint


@pytest.mark.skipif(sys.platform == "win32", reason="no /dev/null as a path")
def test_that_a_device_in_the_place_of_the_output_is_refused(gemmviz: Any) -> None:
    answer = gemmviz("run", "--kernel", "tiled", "--size", "4x4x4", "--out", "/dev/null")
    assert answer.code == 2
    assert "not an ordinary file" in answer.complaint


def test_that_a_folder_in_the_place_of_a_kernel_file_is_named(gemmviz: Any, tmp_path: Path) -> None:
    for name in ("kernels", "kernels.cu"):
        (tmp_path / name).mkdir()
        answer = gemmviz("run", "--kernel-file", str(tmp_path / name), "--size", "4x4x4")
        assert answer.code == 2
        assert f"{name}: it is a folder. Give an ordinary file" in answer.complaint


def test_that_a_byte_that_is_not_utf_8_is_told_with_its_line(gemmviz: Any, kernel_file: Any) -> None:
    path = kernel_file()
    lines = len(path.read_bytes().splitlines())
    path.write_bytes(path.read_bytes() + b"// caf\xe9\n")
    answer = gemmviz("run", "--kernel-file", str(path), "--size", "4x4x4")
    assert answer.code == 2
    assert f"mine.cu:{lines + 1}: the byte 0xE9 is not UTF-8" in answer.complaint


def test_that_export_refuses_what_is_no_session(gemmviz: Any, tmp_path: Path) -> None:
    foreign = tmp_path / "foreign.gemmviz"
    foreign.write_bytes(b"PK nothing of ours")
    for path, expected in ((foreign, "foreign.gemmviz"), (tmp_path / "none.gemmviz", "none.gemmviz")):
        answer = gemmviz("export", str(path), "--out", str(tmp_path / "out"))
        assert answer.code == 2
        assert expected in answer.complaint
    assert not (tmp_path / "out").exists()


def test_that_export_refuses_a_format_it_does_not_have(gemmviz: Any, tmp_path: Path) -> None:
    answer = gemmviz("export", str(tmp_path / "s.gemmviz"), "--out", str(tmp_path), "--format", "bmp")
    assert answer.code == 2
    assert "choose from png, svg, pdf, csv" in answer.complaint


@pytest.mark.parametrize(
    ("old", "new", "line", "expected"),
    [
        ("---*/", "", 1, "never ends"),
        ('title = "Mine"', "title = Mine", 2, "not TOML"),
        ('entry = "mine"', "", 1, "no 'entry'"),
        ('"ceil_div(N, 16)"', '"ceil_dib(N, 16)"', 6, "ceil_dib"),
        ('["16", "16"]', "16", 5, "'block' must be"),
    ],
)
def test_that_a_header_fault_names_file_line_and_reason(
    gemmviz: Any, kernel_file: Any, old: str, new: str, line: int, expected: str
) -> None:
    path = kernel_file(old, new)
    answer = gemmviz("run", "--kernel-file", str(path), "--size", "4x4x4")
    assert answer.code == 2
    assert f"mine.cu:{line}: " in answer.complaint
    assert expected in answer.complaint


def test_that_a_file_without_a_header_says_how_its_description_is_found_out(gemmviz: Any, kernel_file: Any) -> None:
    path = kernel_file("/*---", "//")
    answer = gemmviz("run", "--kernel-file", str(path), "--size", "4x4x4")
    assert answer.code == 2
    assert "mine.cu:1: no header" in answer.complaint
    assert answer.complaint.endswith(f"`gemmviz adopt {path} --write` finds out what it computes.")


@pytest.mark.parametrize(
    "text",
    [
        "import triton\n@triton.jit\ndef k(a, b, c, M, N, K):\n    pass\n",
        "from numba import cuda\n@cuda.jit\ndef k(a, b, c):\n    pass\n",
        "print(1)\n",
    ],
)
def test_that_what_cannot_be_found_out_is_not_advised(gemmviz: Any, tmp_path: Any, text: str) -> None:
    path = tmp_path / "mine.py"
    path.write_text(text, encoding="utf-8")
    answer = gemmviz("run", "--kernel-file", str(path), "--size", "4x4x4")
    assert answer.code == 2
    assert answer.complaint.endswith("or mine.py.toml must lie beside it")


TILED = ("--kernel", "tiled", "--size", "4x4x4")
NO_NUMBERS = ("", " 1", "1 ", "+1", "1_0", "\u0661", "\uff11", "0x10", "nan", "inf", "1,5", "1\n", "--1")


@pytest.mark.parametrize("text", NO_NUMBERS)
@pytest.mark.parametrize(
    "option",
    [
        "run --budget",
        "run --time-limit",
        "trace --time-limit",
        "schedule --time-limit",
        "roofs --time-limit",
        "run --seed",
        "trace --seed",
        "schedule --seed",
    ],
)
def test_that_a_number_is_read_in_one_spelling(gemmviz: Any, option: str, text: str) -> None:
    command, name = option.split()
    answer = gemmviz(command, *(TILED if command != "roofs" else ()), f"{name}={text}")
    assert (answer.code, answer.out) == (2, "")
    assert f"{name} '" in answer.complaint
    assert "number; use the digits 0 to 9" in answer.complaint


@pytest.mark.parametrize("text", NO_NUMBERS)
@pytest.mark.parametrize("option", ["--scale", "--speed", "--fps"])
def test_that_numbers_of_exports_are_read_alike(gemmviz: Any, option: str, text: str, tmp_path: Path) -> None:
    answer = gemmviz("export", str(tmp_path / "no.gemmviz"), "--out", str(tmp_path), f"{option}={text}")
    assert (answer.code, answer.out) == (2, "")
    assert f"{option} " in answer.complaint
    assert "use the digits 0 to 9" in answer.complaint


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        (["--time-limit", "0"], "--time-limit 0: give a time from 0.001 to 86400 seconds"),
        (["--time-limit", "1e-9"], "--time-limit 1e-09: give a time from 0.001 to 86400 seconds"),
        (["--time-limit", "1e999"], "--time-limit 1e999: the number is too large"),
        (["--budget", "-0.5"], "--budget -0.5: give a time from 0.001 to 3600 seconds"),
        (["--budget", "3601"], "--budget 3601: give a time from 0.001 to 3600 seconds"),
        (["--seed", "9" * 500], "the number has 500 digits; give at most 20"),
        (["--seed", "9" * 20], "give a whole number from 0 to"),
        (["--param", "TILE=\u0661"], "NAME=VALUE"),
        (["--param", "TILE=+8"], "NAME=VALUE"),
        (["--param", f"TILE={'9' * 5000}"], "the number has 5000 digits; give at most 20"),
    ],
)
def test_that_a_number_out_of_range_is_refused_in_one_short_line(gemmviz: Any, words: list[str], expected: str) -> None:
    answer = gemmviz("run", *TILED, *words)
    assert (answer.code, answer.out) == (2, "")
    assert expected in answer.complaint
    assert len(answer.complaint) < 250


def test_that_time_limits_have_one_range_in_all_commands(gemmviz: Any) -> None:
    for command in (["trace", *TILED], ["schedule", *TILED], ["roofs"]):
        answer = gemmviz(*command, "--time-limit", "0")
        assert answer.code == 2, command
        assert "--time-limit 0: give a time from 0.001 to 86400 seconds" in answer.complaint


@pytest.mark.parametrize("block", ["", "\u0661", "+1,0", " 1", "1,"])
def test_that_a_block_is_read_like_a_number(gemmviz: Any, block: str) -> None:
    answer = gemmviz("trace", *TILED, f"--block={block}")
    assert answer.code == 2
    assert "write BX,BY with whole numbers" in answer.complaint
    assert len(answer.complaint) < 200


@pytest.mark.parametrize("option", ["--block=0,", "--thread=", "--param=TILE="])
def test_that_a_number_which_is_too_long_is_told_how_long_it_may_be(gemmviz: Any, option: str) -> None:
    answer = gemmviz("trace", *TILED, "--values", f"{option}{'9' * 5000}")
    assert answer.code == 2
    assert "the number has 5000 digits; give at most 20" in answer.complaint
    assert len(answer.complaint) < 200


@pytest.mark.parametrize("name", ["a\nb", "a\tb", "a\x1b[31mb", "a\u2028b", "a\x7f"])
def test_that_a_name_with_control_characters_is_refused(gemmviz: Any, name: str, tmp_path: Path) -> None:
    (tmp_path / f"{name}.cu").write_text("")
    for words in (
        ["run", "--kernel-file", str(tmp_path / f"{name}.cu"), "--size", "4x4x4"],
        ["run", *TILED, "--out", str(tmp_path / f"{name}.gemmviz")],
        ["roofs", "--into", str(tmp_path / f"{name}.gemmviz")],
        ["report", str(tmp_path / f"{name}.gemmviz")],
        ["export", "x.gemmviz", "--out", str(tmp_path / name)],
        [str(tmp_path / f"{name}.cu")],
    ):
        answer = gemmviz(*words)
        assert (answer.code, answer.out) == (2, ""), words
        assert "control character; rename it" in answer.complaint, words
        assert not any(sign in answer.complaint for sign in "\t\x1b\u2028\x7f")
    with pytest.raises(HeaderError, match="control character; rename the file"):
        load_user_kernel(tmp_path / f"{name}.cu")


def test_that_more_runs_than_a_session_keeps_are_refused_before_the_first(gemmviz: Any, tmp_path: Path) -> None:
    params = "".join(f"[params.P{number}]\nchoices = [1, 2, 3, 4, 5, 6, 7, 8]\n" for number in range(6))
    head = f'/*---\ntitle = "x"\nentry = "k"\n[launch]\nblock = ["1"]\ngrid = ["1"]\n{params}---*/\n'
    (tmp_path / "many.cu").write_text(f"{head}__global__ void k() {{}}\n", encoding="utf-8")
    words = [word for number in range(6) for word in ("--param", f"P{number}=1,2,3,4,5,6,7,8")]
    answer = gemmviz("run", "--kernel-file", str(tmp_path / "many.cu"), "--size", "4x4x4", *words)
    assert (answer.code, answer.out) == (2, "")
    assert (
        "--param: these are more than 50000 combinations, and a session holds no more; give fewer values"
        in answer.complaint
    )
