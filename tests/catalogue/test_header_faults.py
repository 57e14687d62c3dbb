"""A wrong header is answered with file, line and reason."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path

import pytest

from gemmviz.catalogue.header import HeaderError
from gemmviz.catalogue.loader import WHAT_KERNEL_FILES_END_IN, load_catalogue, load_kernel, load_user_kernel

FAULTS = {
    "unknown key": ("title ", 'titel = "x"\ntitle ', 2, "unknown key 'titel'; did you mean title?"),
    "unknown key, nothing near": ("title ", "zzz = 1\ntitle ", 2, "unknown key 'zzz'"),
    "no title": ('title   = "A kernel of this test"\n', "", 1, "the header has no 'title'"),
    "empty title": ('"A kernel of this test"', '"  "', 2, "'title' must be a text"),
    "title of another type": ('"A kernel of this test"', "7", 2, "'title' must be a text, not 7"),
    "no entry": ('entry   = "sgemm"\n', "", 1, "the header has no 'entry'"),
    "entry of another type": ('"sgemm"', "[1]", 3, "'entry' must be a text"),
    "no launch": ('[launch]\nblock = ["TILE"]\ngrid  = ["ceil_div(N, TILE)", "M"]\n', "", 1, "no [launch]"),
    "launch of another type": (
        '[launch]\nblock = ["TILE"]\ngrid  = ["ceil_div(N, TILE)", "M"]\n',
        "[host]\n",
        1,
        "no [launch]",
    ),
    "defines of another type": ("[params.TILE]", "defines = 3\n[params.TILE]", 4, "'defines' must be a table"),
    "order of another type": ("[params.TILE]", 'order = "first"\n[params.TILE]', 4, "'order' must be a number"),
    "order is true": ("[params.TILE]", "order = true\n[params.TILE]", 4, "'order' must be a number"),
    "order is no number": ("[params.TILE]", "order = nan\n[params.TILE]", 4, "'order' must be a number up to"),
    "order is endless": ("[params.TILE]", "order = inf\n[params.TILE]", 4, "'order' must be a number up to"),
    "order is enormous": ("[params.TILE]", f"order = {10**400}\n[params.TILE]", 4, "'order' must be a number up to"),
    "a number of too many digits": ("[params.TILE]", f"order = {'9' * 900}\n[params.TILE]", 4, "'order' must be"),
    "an enormous choice": ("[2, 4, 3]", "[4, 0x1ffffffffffffffff]", 6, "a choice of TILE has more than 64 bits"),
    "too many choices": ("[2, 4, 3]", str([*range(65)]), 6, "TILE has 65 choices: at most 64"),
    "too many parameters": (
        "[params.TILE]",
        "".join(f"[params.P{n}]\nchoices = [1]\n" for n in range(16)) + "[params.TILE]",
        1,
        "17 parameters: a kernel has at most 16",
    ),
    "a long line": ("[params.TILE]", f"[a{'.a' * 500}]\n[params.TILE]", 4, "has more than 1000 characters"),
    "too many keys": (
        "[params.TILE]",
        "".join(f"k{n} = 1\n" for n in range(5000)) + "[params.TILE]",
        1,
        "at most 32768 are read",
    ),
    "a huge list": ("[params.TILE]", "choices = [" + "1,\n" * 20000 + "]\n[params.TILE]", 1, "at most 32768 are read"),
    "lists within each other": (
        "[params.TILE]",
        f"constraints = {chr(10).join('[' * 8000)}\n[params.TILE]",
        1,
        "is nested too deeply",
    ),
    "a constraint within itself": (
        "[params.TILE]",
        f"constraints = ['{'-' * 500}M > 1']\n[params.TILE]",
        4,
        "is nested deeper than 100 levels",
    ),
    "requires of another type": ("[params.TILE]", 'requires = "x"\n[params.TILE]', 4, "list of texts"),
    "arithmetic": ("[params.TILE]", 'arithmetic = "fp31"\n[params.TILE]', 4, "unknown arithmetic 'fp31'"),
    "c_begins": ("[params.TILE]", 'c_begins = "one"\n[params.TILE]', 4, "'c_begins' is one of undefined, zero, random"),
    "c_begins of another type": ("[params.TILE]", "c_begins = 0\n[params.TILE]", 4, "zero, random, not 0"),
    "constraints of another type": ("[params.TILE]", "constraints = 1\n[params.TILE]", 4, "must be a list"),
    "constraint of another type": ("[params.TILE]", "constraints = [1]\n[params.TILE]", 4, "not 1"),
    "constraint with an unknown key": (
        "[params.TILE]",
        'constraints = [{rule = "M > 1", why = "x"}]\n[params.TILE]',
        4,
        "a constraint is",
    ),
    "constraint whose reason is no text": (
        "[params.TILE]",
        'constraints = [{rule = "M > 1", because = 2}]\n[params.TILE]',
        4,
        "must be texts",
    ),
    "constraint with an unknown name": (
        "[params.TILE]",
        'constraints = ["TILES <= 4"]\n[params.TILE]',
        4,
        "there is no 'TILES'",
    ),
    "a parameter that is no table": ('[params.TILE]\nlabel   = "Tile edge"', "[params]\nTILE = 4", 5, "table"),
    "a parameter named K": ("[params.TILE]", "[params.K]", 4, "'K' cannot be a #define"),
    "a parameter in small letters": ("[params.TILE]", "[params.tile]", 4, "'tile' cannot be a #define"),
    "unknown key of a parameter": ('label   = "Tile edge"', 'lable = "x"', 5, "unknown key 'lable'"),
    "label of another type": ('"Tile edge"', "3", 5, "'label' of TILE must be a text"),
    "choices of another type": ("[2, 4, 3]", "[2, 4.5]", 6, "'choices' of TILE must be a list of whole numbers"),
    "choices with truth values": ("[2, 4, 3]", "[true]", 6, "list of whole numbers"),
    "no choices": ("[2, 4, 3]", "[]", 6, "'choices' of TILE"),
    "default not among the choices": ("default = 4", "default = 5", 7, "the default 5 of TILE is not among"),
    "default of another type": ("default = 4", 'default = "4"', 7, "is not among its choices"),
    "unknown key of launch": ("grid  =", 'gird = ["1"]\ngrid  =', 10, "unknown key 'gird' in [launch]"),
    "no grid": ('grid  = ["ceil_div(N, TILE)", "M"]\n', "", 8, "'grid' must be a list of one to three"),
    "block of another type": ('["TILE"]', '"TILE"', 9, "'block' must be a list of one to three expressions"),
    "four axes": ('["TILE"]', '["1", "1", "1", "1"]', 9, "'block' must be a list of one to three expressions"),
    "a broken number as an axis": ('["TILE"]', "[1.5]", 9, "'block' must be a list of one to three expressions"),
    "a truth value as an axis": ('["TILE"]', '["TILE", true]', 9, "expressions in quotes or whole numbers"),
    "an enormous number as an axis": ('["TILE"]', f"[0x{'f' * 900}]", 9, "a number of 'block' is too large: "),
    "no axes": ('["TILE"]', "[]", 9, "'block' must be a list of one to three expressions"),
    "an unknown name": ('"M"]', '"W"]', 10, "there is no 'W'; known are K, M, N, TILE"),
    "a forbidden call": ('"M"]', "\"__import__('os')\"]", 10, "calls something other than"),
    "a call of something unknown": ('"M"]', '"eval(M)"]', 10, "calls something other than ceil_div"),
    "no expression": ('"M"]', '"M +"]', 10, "'M +' is not an expression: write one such as M % 16 == 0"),
    "shared bytes of another type": ("grid  =", "shared_bytes = 4.5\ngrid  =", 10, "in quotes or a whole number"),
    "shared bytes with a truth value": ("grid  =", "shared_bytes = true\ngrid  =", 10, "in quotes or a whole number"),
    "a define named like a parameter": ("[launch]", '[defines]\nTILE = "4"\n[launch]', 9, "cannot be a #define here"),
    "a define with an unknown name": ("[launch]", '[defines]\nX = "Y"\n[launch]', 9, "there is no 'Y'"),
    "operands": ("[params.TILE]", 'operands = "float64"\n[params.TILE]', 4, "unknown type 'float64'"),
    "a cluster of another type": ("grid  =", 'cluster = "2"\ngrid  =', 10, "'cluster' must be a list of one to three"),
    "a tensor map of nothing": ("[launch]", '[tensor_maps.X]\nbox = ["1", "1"]\n[launch]', 8, "not 'X'"),
    "a tensor map that is no table": ("[launch]", "[tensor_maps]\nA = 3\n[launch]", 9, "a tensor map is a table"),
    "a tensor map without a box": ("[launch]", "[tensor_maps.A]\n[launch]", 8, "'box' must be a list of two"),
    "a box of one side": ("[launch]", '[tensor_maps.B]\nbox = ["4"]\n[launch]', 9, "'box' must be a list of two"),
    "a box with an unknown name": ("[launch]", '[tensor_maps.B]\nbox = ["4", "BK"]\n[launch]', 9, "there is no 'BK'"),
    "a swizzle there is not": (
        "[launch]",
        '[tensor_maps.A]\nbox = ["4", "4"]\nswizzle = 48\n[launch]',
        10,
        "one of 0, 32, 64, 128 bytes, not 48",
    ),
    "an unknown key of a tensor map": (
        "[launch]",
        '[tensor_maps.A]\nbox = ["4", "4"]\nboxes = 1\n[launch]',
        10,
        "unknown key 'boxes' in [tensor_maps.A]",
    ),
    "TOML that breaks off": ("choices = [2, 4, 3]", "choices = [2, 4", 7, "the header is not TOML"),
    "the same key twice": ('entry   = "sgemm"', 'entry = "a"\nentry = "b"', 4, "the header is not TOML"),
    "a value without quotes": ('"sgemm"', "sgemm", 3, "the header is not TOML"),
}


@pytest.mark.parametrize(("old", "new", "line", "reason"), FAULTS.values(), ids=FAULTS.keys())
def test_that_a_fault_is_named_with_file_line_and_reason(
    write_kernel: Callable[..., Path], old: str, new: str, line: int, reason: str
) -> None:
    path = write_kernel(old, new)
    with pytest.raises(HeaderError) as caught:
        load_kernel(path)
    assert str(caught.value).startswith(f"{path}:{line}: ")
    assert reason in caught.value.reason
    assert caught.value.line == line


def test_that_the_header_these_faults_are_made_from_is_right(write_kernel: Callable[..., Path]) -> None:
    kernel = load_kernel(write_kernel())
    assert (kernel.id, kernel.title, kernel.entry) == ("mine", "A kernel of this test", "sgemm")
    assert kernel.parameters[0].choices == (2, 4, 3)


@pytest.mark.parametrize(
    ("text", "line", "reason"),
    [
        ("", 1, "no header"),
        ("int x;\n", 1, "no header: the file must begin with /*---"),
        ("\n\n  // hello\n", 3, "no header"),
        ("/* an ordinary comment */\n", 1, "no header"),
        ("\n/*---\ntitle = 'x'\n", 2, "never ends: ---*/ is missing"),
        ("/*---\ntitle = 'x'\n*/", 1, "never ends"),
    ],
)
def test_that_a_missing_or_open_header_is_named(tmp_path: Path, text: str, line: int, reason: str) -> None:
    path = tmp_path / "x.cu"
    path.write_text(text)
    with pytest.raises(HeaderError, match=re.escape(reason)) as caught:
        load_kernel(path)
    assert caught.value.line == line


def test_that_lines_are_counted_from_the_file_and_not_from_the_header(tmp_path: Path, header: str) -> None:
    path = tmp_path / "x.cu"
    path.write_text("\n\n\n" + header.replace("default = 4", "default = 9"))
    with pytest.raises(HeaderError, match=rf"{re.escape(str(path))}:10: the default 9"):
        load_kernel(path)


def test_that_host_keys_are_checked(tmp_path: Path) -> None:
    path = tmp_path / "x.py"
    for host, reason in (('threads = "two"', "'threads' is"), ("reference = 1", "'reference' is true or false")):
        path.write_text(f'"""---\ntitle = "x"\nentry = "f"\n[host]\n{host}\n---"""\n')
        with pytest.raises(HeaderError, match=reason) as caught:
            load_kernel(path)
        assert caught.value.line == 5


def test_that_two_files_with_one_id_are_refused(write_kernel: Callable[..., Path], tmp_path: Path) -> None:
    write_kernel()
    second = tmp_path / "sub" / "mine.cl"
    second.parent.mkdir()
    write_kernel(name="sub/mine.cl")
    with pytest.raises(HeaderError, match=r"the id 'mine' is taken by .*mine\.cu") as caught:
        load_catalogue(tmp_path)
    assert caught.value.path == second


@pytest.mark.parametrize("bom", [b"", b"\xef\xbb\xbf"])
def test_that_a_byte_that_is_no_text_is_named_with_its_line(tmp_path: Path, header: str, bom: bytes) -> None:
    path = tmp_path / "x.cu"
    path.write_bytes(bom + header.encode() + b"// caf\xe9\n// more\n")
    line = header.count("\n") + 1
    with pytest.raises(HeaderError) as caught:
        load_user_kernel(path)
    assert str(caught.value) == f"{path}:{line}: the byte 0xE9 is not UTF-8. Save the file as UTF-8"
    assert caught.value.line == line


def test_that_a_fault_of_the_file_itself_has_no_line(tmp_path: Path) -> None:
    folder = tmp_path / "folder.cu"
    folder.mkdir()
    for path, reason in (
        (folder, "it is a folder. Give an ordinary file"),
        (tmp_path / "none.cl", "there is no such file. Check the name"),
        (
            tmp_path / "kernel.txt",
            f"a kernel file ends in {WHAT_KERNEL_FILES_END_IN}",
        ),
    ):
        with pytest.raises(HeaderError) as caught:
            load_user_kernel(path)
        assert str(caught.value) == f"{path}: {reason}"


def test_that_a_huge_file_is_refused_before_it_is_read(tmp_path: Path) -> None:
    path = tmp_path / "x.cu"
    with path.open("wb") as file:
        file.truncate(2**21 + 1)
    with pytest.raises(HeaderError, match="more than 2097152 bytes"):
        load_kernel(path)


@pytest.mark.parametrize("bom", [b"", b"\xef\xbb\xbf"])
@pytest.mark.parametrize("ending", [b"\n", b"\r\n"])
def test_that_byte_order_marks_and_windows_line_ends_are_no_fault(
    write_kernel: Callable[..., Path], bom: bytes, ending: bytes
) -> None:
    path = write_kernel()
    path.write_bytes(bom + path.read_bytes().replace(b"\n", ending))
    kernel = load_user_kernel(path)
    assert kernel.title == "A kernel of this test"
    assert kernel.text.startswith("/*---\n")


def test_that_windows_line_ends_do_not_move_the_line_of_a_fault(write_kernel: Callable[..., Path]) -> None:
    for old, new, line in (("default = 4", "default = 7", 7), ("[2, 4, 3]", "[2, 4, 3", 7)):
        path = write_kernel(old, new)
        path.write_bytes(b"\xef\xbb\xbf" + path.read_bytes().replace(b"\n", b"\r\n"))
        with pytest.raises(HeaderError) as caught:
            load_kernel(path)
        assert caught.value.line == line
