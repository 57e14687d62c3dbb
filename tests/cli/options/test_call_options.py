"""An unedited kernel file with neither header nor description: options say how it is called."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest

from gemmviz.cli.faults import BAD_INPUT, FAILED, BadInputError
from gemmviz.cli.options.call_options import description_of
from gemmviz.domain.recordings.access import Space
from gemmviz.domain.session.session import load_session
from gemmviz.domain.terms import Layout

FOLDER = Path(__file__).parents[2] / "data" / "foreign"
COLUMNS = (
    "--size",
    "33x17x40",
    "--args",
    "M,N,K,alpha,A,B,beta,C",
    "--alpha",
    "2",
    "--beta",
    "-0.25",
    "--grid",
    "ceil_div(M, 16),ceil_div(N, 16)",
    "--layout",
    "A=column,B=column,C=column",
)


@pytest.fixture
def bare(tmp_path: Path) -> Path:
    """A column-major kernel with no description beside it."""
    path = tmp_path / "mine.cu"
    path.write_text((FOLDER / "column_major.cu").read_text(encoding="utf-8"), encoding="utf-8")
    return path


def options(**given: str) -> dict[str, Any]:
    names = (
        "entry",
        "template",
        "args",
        "block",
        "grid",
        "shared_bytes",
        "layout",
        "element_type",
        "alpha",
        "beta",
        "start",
    )
    return description_of(**{name: given.get(name) for name in names})


def test_that_options_are_the_tables_of_a_description() -> None:
    assert options() == {}
    assert options(entry="mine::k", template="BM, 8,mine::policy<4, 2>", args="M,local(4 * max(M, N)),A,B,C") == {
        "entry": "mine::k",
        "template": ["BM", "8", "mine::policy<4, 2>"],
        "args": ["M", "local(4 * max(M, N))", "A", "B", "C"],
    }
    assert options(block="16, 16", grid="ceil_div(N, 16),M", shared_bytes="4 * K", alpha="1.5", beta="-2") == {
        "alpha": 1.5,
        "beta": -2.0,
        "launch": {"block": ["16", "16"], "grid": ["ceil_div(N, 16)", "M"], "shared_bytes": "4 * K"},
    }
    assert options(layout="A=column, B = row", element_type="A=half", start="zero")["operands"] == {
        "A": {"layout": "column", "type": "half"},
        "B": {"layout": "row"},
        "C": {"start": "zero"},
    }


@pytest.mark.parametrize(
    ("given", "words"),
    [
        ({"args": "A,,B"}, "--args A,,B: a part between two commas is empty"),
        ({"args": "A" * 5000}, "at most 4000 characters are read"),
        ({"layout": "column"}, "--layout column: write MATRIX=WORD"),
        ({"alpha": "one"}, "--alpha 'one': not a number"),
        ({"beta": "1e999"}, "--beta 1e999: the number is too large"),
    ],
)
def test_that_an_option_of_another_form_is_refused(given: dict[str, str], words: str) -> None:
    with pytest.raises(BadInputError, match=words):
        options(**given)


@pytest.mark.usefixtures("nvrtc")
def test_that_an_unedited_file_runs_and_its_session_opens_without_it(gemmviz: Any, bare: Path, tmp_path: Path) -> None:
    saved = tmp_path / "run.gemmviz"
    answer = gemmviz(
        "run",
        "--kernel-file",
        str(bare),
        "--device",
        "machine",
        *COLUMNS,
        "--launch-block",
        "16,16",
        "--out",
        str(saved),
        "--json",
    )
    assert answer.code == 0, answer.err
    (run,) = answer.document["runs"]
    words = "C = 2·A·B - 0.25·C; A column by column; B column by column; C column by column"
    assert (run["computes"], run["accuracy"]["passed"]) == (words, True)
    bare.unlink()
    (kept,) = load_session(saved).runs
    assert (kept.spec.computes, 'layout = "column"' in kept.spec.description) == (words, True)
    report = " ".join(gemmviz("report", str(saved)).out.split())
    assert f"mine: computes {words}" in report
    assert "· B[40,17]; A column by column; B column by column; C column by column" in report


@pytest.mark.usefixtures("nvrtc")
def test_that_an_unedited_file_is_recorded(gemmviz: Any, bare: Path, tmp_path: Path) -> None:
    saved = tmp_path / "trace.gemmviz"
    given = ("--kernel-file", str(bare), *COLUMNS, "--launch-block", "16,16", "--block", "2,1", "--out", str(saved))
    answer = gemmviz("trace", *given)
    assert answer.code == 0, answer.err
    assert "computes C = 2·A·B - 0.25·C; A column by column" in answer.out
    bare.unlink()
    (trace,) = load_session(saved).traces
    matrices = [array for array in trace.arrays if array.space is Space.GLOBAL]
    assert [array.layout for array in matrices] == [Layout.COLUMN] * 3
    shown = gemmviz("report", str(saved))
    assert (shown.code, "computes C = 2·A·B - 0.25·C" in shown.out) == (0, True)


@pytest.mark.usefixtures("nvrtc")
@pytest.mark.parametrize(
    ("changed", "words"),
    [
        (
            ("--args", "M,N,K,alpha,A,B,C,beta"),
            r"mine.cu:12: parameter 7 of column_product, `float`, is no pointer, but 'args' gives it the matrix C",
        ),
        (("--type", "A=double"), r"points to float32, but the elements of A are double"),
        (("--entry", "other"), "the entry 'other' is not in the file; it defines column_product"),
        (("--template", "16"), "column_product"),
        (("--layout", "A=diagonal"), r"--layout: 'operands.A.layout' is one of row, column, not 'diagonal'"),
        (("--args", "M,N,K,alpha,A,B,beta,X"), "--args: there is no 'X'"),
        (("--grid", "nn"), "--grid: there is no 'nn'"),
        (("--alpha", "1e30"), "--alpha: 'alpha' must be a number up to"),
        (("--type", "E=half"), "--type: a matrix is a table"),
    ],
)
def test_that_what_does_not_fit_is_named(gemmviz: Any, bare: Path, changed: tuple[str, str], words: str) -> None:
    answer = gemmviz(
        "run", "--kernel-file", str(bare), "--device", "machine", *COLUMNS, "--launch-block", "16,16", *changed
    )
    assert answer.code != 0
    assert " ".join(answer.err.split()).find("Traceback") < 0
    assert re.search(words, " ".join(answer.err.split())), answer.err


def test_that_options_describe_one_file(gemmviz: Any, bare: Path) -> None:
    answer = gemmviz("run", "--kernel", "tiled", "--size", "8x8x8", "--alpha", "2")
    assert "--alpha: it describes a kernel file of your own; give one with --kernel-file" in answer.err
    for option, value in (
        ("--launch-block", "8,8"),
        ("--grid", "1"),
        ("--shared-bytes", "9"),
        ("--layout", "A=column"),
    ):
        answer = gemmviz("run", "--kernel", "tiled", "--size", "8x8x8", option, value)
        assert f"{option}: it describes a kernel file of your own" in answer.err
    answer = gemmviz("run", "--kernel-file", str(bare), "--size", "8x8x8", "--alpha", "2")
    assert "the description has no [launch] with block and grid" in " ".join(answer.err.split())
    assert "; give --launch-block and --grid" in " ".join(answer.err.split())


@pytest.mark.usefixtures("nvrtc")
@pytest.mark.parametrize("command", ["run", "trace"])
def test_that_a_template_that_does_not_fit_is_told_with_its_line_of_the_description(
    gemmviz: Any, tmp_path: Path, command: str
) -> None:
    path = tmp_path / "mine.cu"
    path.write_text("template <int X> __global__ void tile(float *A, float *B, float *C) { C[X] = 1; }\n", "utf-8")
    beside = tmp_path / "mine.cu.toml"
    description = (
        'entry = "tile"\ntemplate = ["8", "8"]\nargs = ["A", "B", "C"]\n[launch]\nblock = ["8"]\ngrid = ["1"]\n'
    )
    beside.write_text(description, "utf-8")
    device = ("--device", "machine") if command == "run" else ()
    answer = gemmviz(command, "--kernel-file", str(path), "--size", "8x8x8", *device)
    assert answer.code == BAD_INPUT, answer.err
    words = "the entry 'tile<8, 8>': tile does not take <8, 8>: give one argument for each parameter of its template"
    assert f"mine.cu.toml:2: {words}; correct 'template'" in " ".join(answer.err.split())


@pytest.mark.usefixtures("nvrtc")
@pytest.mark.parametrize("command", ["run", "trace"])
@pytest.mark.parametrize(
    ("entry", "template", "words"),
    [
        ("nope", (), "the entry 'nope' is not in the file; it defines "),
        ("tile", (), "the entry 'tile' is a template: give its arguments as 'template'"),
        (
            "tile",
            ("--template", "4"),
            "tile does not take <4>: give one argument for each parameter of its template",
        ),
        ("inner", (), "the entry 'inner' is in a namespace: name it far::near::inner, and give the arguments of a"),
        ("inner", ("--template", "4"), "the entry 'inner<4>' is not in the file; did you mean far::near::inner?"),
        ("near::outer", (), "the entry 'near::outer' is not in the file; did you mean far::near::outer?"),
        ("plain", ("--template", "4"), "plain is no template, so it takes no 'template': check 'entry' and 'template'"),
    ],
)
def test_that_a_name_or_template_that_does_not_fit_is_wrong_input(
    gemmviz: Any, tmp_path: Path, command: str, entry: str, template: tuple[str, ...], words: str
) -> None:
    path = tmp_path / "mine.cu"
    parameters = "const float *A, const float *B, float *C, int M, int N, int K"
    path.write_text(
        f"template <int X, int Y> __global__ void tile({parameters}) {{ C[X] = Y; }}\n"
        f"__global__ void plain({parameters}) {{}}\n"
        f"namespace far {{ namespace near {{ template <int X> __global__ void inner({parameters}) {{ C[X] = X; }}\n"
        f"__global__ void outer({parameters}) {{}} }} }}\n",
        encoding="utf-8",
    )
    options = ("--entry", entry, *template, "--launch-block", "16,16", "--grid", "1")
    device = ("--device", "machine") if command == "run" else ()
    answer = gemmviz(command, "--kernel-file", str(path), "--size", "8x8x8", *device, *options)
    assert answer.code == BAD_INPUT, answer.err
    assert words in " ".join(answer.err.split())


@pytest.mark.usefixtures("nvrtc")
def test_that_alpha_that_no_parameter_takes_is_named_where_the_result_is_wrong(gemmviz: Any, tmp_path: Path) -> None:
    path = tmp_path / "mine.cu"
    body = "int row = threadIdx.y, col = threadIdx.x; if (row >= M || col >= N) return;"
    total = "float s = 0; for (int k = 0; k < K; ++k) s += A[row * K + k] * B[k * N + col];"
    head = "__global__ void mine(const float *A, const float *B, float *C, int M, int N, int K)"
    options = ("--launch-block", "16,16", "--grid", "1", "--alpha", "2", "--entry", "mine")
    asked = ("run", "--kernel-file", str(path), "--size", "8x8x8", "--device", "machine", *options)
    hint = "The description has alpha, but 'args' gives it to no parameter: leave alpha out"
    path.write_text(f"{head} {{ {body} {total} C[row * N + col] = s; }}", encoding="utf-8")
    answer = gemmviz(*asked)
    assert (answer.code, hint in " ".join(answer.err.split())) == (FAILED, True), answer.err
    path.write_text(f"{head} {{ {body} {total} C[row * N + col] = 2.0f * s; }}", encoding="utf-8")
    answer = gemmviz(*asked)
    assert (answer.code, answer.err) == (0, "")


@pytest.mark.usefixtures("nvrtc")
def test_that_constraints_are_those_of_the_described_kernel_alone(gemmviz: Any, tmp_path: Path) -> None:
    path = tmp_path / "mine.cu"
    body = "(const float *A, const float *B, float *C, int M, int N, int K) { C[0] = A[0] * B[0]; }\n"
    path.write_text(f"__global__ void one{body}__global__ void other{body}", encoding="utf-8")
    (tmp_path / "mine.cu.toml").write_text(
        'entry = "one"\nconstraints = ["M == 7"]\n[launch]\nblock = [1]\ngrid = [1]\n', encoding="utf-8"
    )
    asked = ("run", "--kernel-file", str(path), "--size", "1x1x1", "--device", "machine")
    said = "--entry other: the constraints in the description are those of one and do not apply"
    refused = gemmviz(*asked, "--entry", "one")
    assert (refused.code, "needs M = 7" in refused.err, said in refused.err) == (BAD_INPUT, True, False)
    answer = gemmviz(*asked, "--entry", "other")
    assert (answer.code, said in " ".join(answer.err.split())) == (0, True), answer.err


@pytest.mark.usefixtures("nvrtc")
@pytest.mark.parametrize(("arithmetic", "type_name"), [("fp16", "half"), ("bf16", "bf16")])
def test_that_an_arithmetic_of_tensor_cores_keeps_no_plain_kernel_from_the_machine(
    gemmviz: Any, tmp_path: Path, arithmetic: str, type_name: str
) -> None:
    path = tmp_path / "mine.cu"
    element = {"half": "__half", "bf16": "__nv_bfloat16"}[type_name]
    path.write_text(
        f"#include <cuda_fp16.h>\n#include <cuda_bf16.h>\n"
        f"__global__ void mine(const {element} *A, const {element} *B, float *C, int M, int N, int K) {{\n"
        "    int row = threadIdx.y, col = threadIdx.x; if (row >= M || col >= N) return; float s = 0;\n"
        "    for (int k = 0; k < K; ++k) s += float(A[row * K + k]) * float(B[k * N + col]); C[row * N + col] = s; }",
        encoding="utf-8",
    )
    operands = "".join(f'[operands.{name}]\ntype = "{type_name}"\n' for name in "AB")
    (tmp_path / "mine.cu.toml").write_text(
        f'arithmetic = "{arithmetic}"\n{operands}[launch]\nblock = [16, 16]\ngrid = [1]\n', encoding="utf-8"
    )
    given = ("--kernel-file", str(path), "--size", "9x7x5")
    for command in (("run", "--device", "machine"), ("trace",)):
        answer = gemmviz(*command, *given)
        assert (answer.code, answer.err) == (0, "")


def test_that_a_block_of_threads_has_one_name_and_the_former_one_says_so(gemmviz: Any) -> None:
    given = ("run", "--kernel", "tiled", "--size", "8x8x8", "--block", "8,8")
    answer = gemmviz(*given)
    first, second = answer.err.splitlines()[:2]
    assert first.startswith("gemmviz: --block of `run` is deprecated: write --launch-block")
    assert "--launch-block: it describes a kernel file of your own" in second
    assert "exclude each other" in gemmviz(*given, "--launch-block", "8,8").err
    assert "--block " not in gemmviz("run", "--help").out
