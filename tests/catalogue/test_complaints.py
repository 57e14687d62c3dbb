"""A wrong description is answered with what is possible instead."""

from __future__ import annotations

from pathlib import Path

import pytest

from gemmviz.catalogue.header import HeaderError
from gemmviz.catalogue.loader import load_user_kernel

SOURCE = """#define TILE 16
__global__ void mm(const float *A, const float *B, float *C, int M, int N, int K) {}
"""
LAUNCH = '[launch]\nblock = [16, 16]\ngrid = ["ceil_div(N, 16)", "ceil_div(M, 16)"]\n'


def fault_of(folder: Path, description: str) -> str:
    """The complaint about a description, behind the name of its file."""
    (folder / "mm.cu").write_text(SOURCE)
    (folder / "mm.cu.toml").write_text(description)
    with pytest.raises(HeaderError) as caught:
        load_user_kernel(folder / "mm.cu")
    return str(caught.value).removeprefix(str(folder / "mm.cu.toml"))


@pytest.mark.parametrize(
    ("description", "complaint"),
    [
        (
            "",
            ":1: the description is empty, so it has no [launch] with block and grid: add it, for instance with",
        ),
        ('entry = "mm"\n', "or delete the file and run `gemmviz adopt mm.cu --write`"),
        (
            '[project]\nname = "x"\n[tool.a]\n',
            ":1: unknown key 'project': it seems to be another file's, since project or",
        ),
        ("grid = [1]\n", ":1: unknown key 'grid'; it belongs in [launch]"),
        (f"zzz = 1\n{LAUNCH}", ":1: unknown key 'zzz'; there are alpha, args,"),
        (f"[operands.A]\ndtype = 1\n{LAUNCH}", ":2: unknown key 'dtype' in [operands.A]; did you mean type?"),
        (f"{LAUNCH}blocks = [1]\n", ":4: unknown key 'blocks' in [launch]; did you mean grid?"),
        (f"alpha = {'9' * 900}\n{LAUNCH}", ":1: 'alpha' must be a number up to 1e+06, not 999999"),
        (f"beta = nan\n{LAUNCH}", ":1: 'beta' must be a number up to 1e+06, not nan"),
        (f"[params.T]\nchoices = [1979-05-27]\n{LAUNCH}", "a list of whole numbers, not [1979-05-27]"),
        (f"title = 3\n{LAUNCH}", ":1: 'title' must be a text, not 3; write title = \"3\""),
        (f'requires = ["rocm"]\n{LAUNCH}', "ROCm and HIP are not supported: leave it out"),
        (f'requires = ["sm80"]\n{LAUNCH}', 'an architecture, as "sm_80" or "sm_90a"; did you mean sm_80?'),
        (f'requires = ["sm_9999"]\n{LAUNCH}', ":1: 'requires' does not know 'sm_9999'"),
        (f'requires = ["sm_9999"]\n{LAUNCH}', "; no NVIDIA GPU has compute capability 999.9"),
        (f'requires = [\n"cuda",\n"CUDA"\n]\n{LAUNCH}', ":3: 'requires' does not know 'CUDA'"),
        (f'requires = "cuda"\n{LAUNCH}', 'not "cuda"; write requires = ["cuda"]'),
        (
            f"[params.TILE]\nchoices = []\n{LAUNCH}",
            ":2: 'choices' of TILE must be a list of whole numbers; the list is",
        ),
        (
            f"[params.TILE]\ndefault = 8\n{LAUNCH}",
            ":1: 'choices' of TILE must be a list of whole numbers; [params.TILE] has",
        ),
        (f"[params.TILE]\nchoices = [16, 16]\n{LAUNCH}", ":2: 16 stands twice among the choices of TILE"),
        (
            f"[params]\nTILE = [8, 16]\n{LAUNCH}",
            ":2: a parameter is a table: write [params.TILE] and, below it, choices =",
        ),
        (f"[params.tile]\nchoices = [16]\n{LAUNCH}", "; write [params.TILE]"),
        (f'arithmetic = "FP32"\n{LAUNCH}', "; did you mean fp32?"),
        (f'[operands.A]\nlayout = "col"\n{LAUNCH}', "; did you mean column?"),
        (f'[operands.A]\ntype = "fp16"\n{LAUNCH}', "; did you mean half?"),
        (
            f'[operands]\nA = "half"\n{LAUNCH}',
            ":2: a matrix is a table, [operands.A] to [operands.D], not 'A': write [operands.A]",
        ),
        (f'constraints = "M > 1"\n{LAUNCH}', '; write constraints = ["M > 1"]'),
        (
            f'constraints = ["M % 16"]\n{LAUNCH}',
            "'M % 16' is a number, and no condition: compare it, as in M % 16 == 0",
        ),
        (f'constraints = [\n"M > 1",\n"m > 2",\n]\n{LAUNCH}', ":3: 'm > 2': there is no 'm'; known are K, M, N,"),
        (f'constraints = ["M > 1 && N > 1"]\n{LAUNCH}', "is not an expression: write and instead of &&"),
        (f'constraints = ["M = 16"]\n{LAUNCH}', "is not an expression: write == instead of ="),
        (
            "[launch]\nblock = 16\ngrid = [1]\n",
            ":2: 'block' must be a list of one to three expressions in quotes or whole",
        ),
        ("[launch]\nblock = 16\ngrid = [1]\n", "not 16; write for instance block = [16, 16]"),
        ('[launch]\nblock = [16]\ngrid = ["cdiv(N, 16)"]\n', "; did you mean ceil_div?"),
        (f'[host]\nthreads = "all"\n{LAUNCH}', ":1: [host] is for CPU kernels in Python: leave it out"),
        ("entry = mm\n", 'Texts stand in quotes: entry = "mm"'),
        ("entry: mm\n", "Write entry = mm, with texts in quotes"),
        ('{"entry": "mm"}\n', "It looks like JSON"),
        (
            'entry = "a"\nentry = "b"\n',
            ":2: the description is not TOML: Cannot overwrite a value. A key or a table stands",
        ),
        ('/*---\nentry = "mm"\n---*/\n', "TOML stands without /*--- and ---*/"),
    ],
)
def test_that_a_complaint_says_where_what_and_what_to_write(tmp_path: Path, description: str, complaint: str) -> None:
    assert complaint in fault_of(tmp_path, description)


@pytest.mark.parametrize(
    "rule", ["not M > 1", "is_power_of_two(M)", "M > 1 if K > 2 else N > 1", "M > 1 or N % 2 == 0"]
)
def test_that_rules_that_ask_something_are_taken(tmp_path: Path, rule: str) -> None:
    (tmp_path / "mm.cu").write_text(SOURCE)
    (tmp_path / "mm.cu.toml").write_text(f'constraints = ["{rule}"]\n{LAUNCH}')
    assert load_user_kernel(tmp_path / "mm.cu").constraints[0].rule == rule


def test_that_an_entry_that_is_nowhere_in_the_file_is_named_with_its_line(tmp_path: Path) -> None:
    why = fault_of(tmp_path, f'title = "x"\nentry = "mn"\n{LAUNCH}')
    assert why == ":2: the entry 'mn' is not in the file; it defines mm; did you mean mm?"


@pytest.mark.parametrize(
    "text",
    [
        '#include "kernels.cuh"\n',
        "#define KERNEL(x) __global__ void m##x()\nKERNEL(n) {}\n",
        "#define mn_kernel __global__ void mn()\nmn_kernel {}\n",
    ],
)
def test_that_an_entry_that_macros_or_other_files_may_bring_is_left_to_the_compiler(tmp_path: Path, text: str) -> None:
    (tmp_path / "mm.cu").write_text(text)
    (tmp_path / "mm.cu.toml").write_text(f'entry = "mn"\n{LAUNCH}')
    assert load_user_kernel(tmp_path / "mm.cu").entry == "mn"


def test_that_what_options_give_is_told_apart_from_what_the_file_says(tmp_path: Path) -> None:
    path = tmp_path / "mm.cu"
    path.write_text(SOURCE)
    (tmp_path / "mm.cu.toml").write_text(f'constraints = [\n"M > 1",\n"m > 1",\n]\n{LAUNCH}')
    with pytest.raises(HeaderError) as caught:
        load_user_kernel(path, {"launch": {"grid": ["nn"]}})
    assert (caught.value.path, caught.value.line, caught.value.is_of_options) == (tmp_path / "mm.cu.toml", 3, False)
    (tmp_path / "mm.cu.toml").write_text(LAUNCH)
    with pytest.raises(HeaderError, match="there is no 'nn'") as caught:
        load_user_kernel(path, {"launch": {"grid": ["nn"]}})
    assert (caught.value.key, caught.value.is_of_options) == ("launch.grid", True)


def test_that_a_description_given_for_a_kernel_names_the_kernel(tmp_path: Path) -> None:
    with pytest.raises(HeaderError, match=r"; it describes mm\.cu: give that file"):
        load_user_kernel(tmp_path / "mm.cu.toml")


def test_that_a_link_to_a_description_that_is_not_there_is_named(tmp_path: Path) -> None:
    (tmp_path / "mm.cu").write_text(SOURCE)
    (tmp_path / "mm.cu.toml").symlink_to(tmp_path / "nowhere.toml")
    with pytest.raises(HeaderError, match=r"mm\.cu\.toml: it is a link to a file that is not there\. Correct the link"):
        load_user_kernel(tmp_path / "mm.cu")
