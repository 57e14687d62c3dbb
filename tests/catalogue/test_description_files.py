"""A description beside a kernel file, `mine.cu.toml`, in the place of a header."""

from __future__ import annotations

import tomllib
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gemmviz.catalogue.gpus import emulated
from gemmviz.catalogue.header import HeaderError
from gemmviz.catalogue.kernel import Refusal
from gemmviz.catalogue.kernel_functions import kernel_functions, line_of_kernel, line_of_signature, parameter_names
from gemmviz.catalogue.loader import load_catalogue, load_user_kernel
from gemmviz.catalogue.toml_text import toml_text
from gemmviz.domain.shape import Shape
from gemmviz.domain.terms import Language
from tests.catalogue.conftest import BODY, HEADER

TOML = HEADER.removeprefix("/*---\n").removesuffix("---*/\n")
LAUNCH = '[launch]\nblock = [16]\ngrid = ["M"]\n'
TWO = (
    "// __global__ void none(int a) {}\n"
    "template <int N>\n__global__ void __launch_bounds__(N * 2)\nfirst(float *C, int (*f)(int)) { C[0] = 1; }\n"
    'extern "C" {\n__global__ static void second(const float *A) {}\n}\n__global__ void declared(int);\n'
)


@pytest.fixture
def file(tmp_path: Path) -> Path:
    """A kernel file without a header."""
    path = tmp_path / "mine.cu"
    path.write_text(BODY, encoding="utf-8")
    return path


def beside(path: Path, toml: str) -> Path:
    """A description beside a kernel file."""
    found = path.with_name(f"{path.name}.toml")
    found.write_text(toml, encoding="utf-8")
    return found


def test_that_a_description_beside_says_what_a_header_says(file: Path, write_kernel) -> None:
    beside(file, TOML)
    kernel = load_user_kernel(file)
    of_header = load_user_kernel(write_kernel(name="other.cu"))
    assert (kernel.title, kernel.entry, kernel.rule) == (of_header.title, of_header.entry, of_header.rule)
    assert (kernel.parameters, kernel.call) == (of_header.parameters, of_header.call)
    assert (kernel.id, kernel.path, kernel.text) == ("mine", file, BODY)
    assert (kernel.description, of_header.description) == (TOML, "")


def test_that_a_cuh_file_is_cuda_as_well(file: Path) -> None:
    path = file.rename(file.with_suffix(".cuh"))
    beside(path, LAUNCH)
    assert (load_user_kernel(path).id, load_user_kernel(path).language) == ("mine", Language.CUDA)


def test_that_title_and_entry_may_be_missing_beside_a_file_with_one_kernel(file: Path) -> None:
    beside(file, LAUNCH)
    assert (load_user_kernel(file).title, load_user_kernel(file).entry) == ("mine", "sgemm")


def test_that_several_kernels_are_offered_by_name(file: Path) -> None:
    file.write_text(TWO, encoding="utf-8")
    beside(file, LAUNCH)
    with pytest.raises(
        HeaderError, match=r"which kernel is meant\? mine.cu defines first, second: name one as 'entry'"
    ):
        load_user_kernel(file)


def test_that_a_file_has_a_header_or_a_description_beside_it(write_kernel) -> None:
    beside(write_kernel(), TOML)
    with pytest.raises(HeaderError, match=r"mine.cu.toml: mine.cu has a header, too: keep one of them"):
        load_user_kernel(write_kernel())


def test_that_a_file_without_either_says_what_can_be_there(file: Path) -> None:
    with pytest.raises(HeaderError, match=r"no header: .* or mine.cu.toml must lie beside it") as caught:
        load_user_kernel(file)
    assert caught.value.is_adoptable


@pytest.mark.parametrize(
    ("toml", "words"),
    [
        (f"title = 1\n{LAUNCH}", r"mine.cu.toml:1: 'title' must be a text"),
        (f"{LAUNCH}depth = 3\n", r"mine.cu.toml:4: unknown key 'depth' in \[launch\]"),
        ("entry = 'sgemm'\n", r"mine.cu.toml:1: the description has no \[launch\] with block and grid"),
        ("a = [\n", "mine.cu.toml:1: the description is not TOML"),
        ("a = 1" + "0" * 5000, "the description has|a line of the description has more than 1000 characters"),
        ("#" * 900 + "\n" * 40_000, "the description has 40900 characters: at most 32768 are read"),
        ("a = " + "[" * 900 + "\n", "the description is not TOML|nested too deeply"),
        ("a" + ".a" * 400 + " = 1\n", "unknown key 'a'"),
        ("\0", "mine.cu.toml"),
    ],
)
def test_that_what_is_wrong_in_a_description_is_named_with_its_file(file: Path, toml: str, words: str) -> None:
    beside(file, toml)
    with pytest.raises(HeaderError, match=words):
        load_user_kernel(file)


def test_that_a_description_is_read_no_further_than_a_kernel_file(file: Path) -> None:
    beside(file, "#" * (2**20 + 1))
    with pytest.raises(HeaderError, match=r"mine.cu.toml: it has more than 1048576 bytes"):
        load_user_kernel(file)
    beside(file, "").write_bytes(b"\xff\xfe")
    with pytest.raises(HeaderError, match=r"mine.cu.toml"):
        load_user_kernel(file)
    beside(file, "").unlink()
    file.with_name("mine.cu.toml").mkdir()
    with pytest.raises(HeaderError, match=r"mine.cu.toml"):
        load_user_kernel(file)


def test_that_options_describe_a_file_alone(file: Path) -> None:
    launch = {"block": ["TILE", "TILE"], "grid": ["ceil_div(N, TILE)"]}
    kernel = load_user_kernel(file, {"alpha": 2.0, "launch": launch}, {"TILE": (8, 16)})
    assert (kernel.entry, kernel.call.alpha, kernel.rule.block) == ("sgemm", 2.0, ("TILE", "TILE"))
    assert [(one.name, one.choices) for one in kernel.parameters] == [("TILE", (8, 16))]
    assert tomllib.loads(kernel.description) == {
        "alpha": 2.0,
        "launch": launch,
        "params": {"TILE": {"choices": [8, 16]}},
    }
    with pytest.raises(HeaderError, match=r"mine.cu: the description has no \[launch\] with block and grid"):
        load_user_kernel(file, {"alpha": 2.0})


def test_that_options_replace_what_header_or_description_say(file: Path, write_kernel) -> None:
    beside(file, TOML)
    for path in (file, write_kernel(name="other.cu")):
        kernel = load_user_kernel(path, {"launch": {"grid": ["7"]}, "title": "Another"}, {"TILE": (99,), "EDGE": (1,)})
        assert (kernel.title, kernel.rule.grid, kernel.rule.block) == ("Another", ("7",), ("TILE",))
        assert [(one.name, one.choices) for one in kernel.parameters] == [("TILE", (2, 4, 3)), ("EDGE", (1,))]


def test_that_kernels_are_found_by_name() -> None:
    assert kernel_functions(TWO) == ("first", "second")
    assert kernel_functions("__kernel void mine(__global float *a) {}\nkernel void other(int a) {}") == (
        "mine",
        "other",
    )
    assert [line_of_kernel(TWO, entry) for entry in ("mine::first<4>", "second", "third")] == [4, 6, 0]
    for kernel in load_catalogue().kernels:
        if kernel.path.suffix in (".cu", ".cl"):
            assert kernel.entry in kernel_functions(kernel.text), kernel.id


values = st.recursive(
    st.text() | st.booleans() | st.integers(-(2**63), 2**63 - 1) | st.floats(allow_nan=False, allow_infinity=False),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(min_size=1), inner, max_size=4),
    max_leaves=12,
)


@given(st.dictionaries(st.text(), values, max_size=5))
def test_that_tables_written_as_toml_are_read_back(tables: dict[str, object]) -> None:
    text = toml_text(tables)
    assert tomllib.loads(text) == tables
    assert "\r" not in text


def test_that_what_toml_cannot_say_is_refused() -> None:
    for value in (float("nan"), float("inf"), None, object()):
        with pytest.raises(ValueError, match="cannot be written as TOML"):
            toml_text({"a": value})


def test_that_parameters_are_found_by_name() -> None:
    assert parameter_names(TWO, "first<4>") == ("C", "int")  # a pointer to a function has its name within brackets
    assert parameter_names(TWO, "second") == ("A",)
    text = "__global__ void k(const half *__restrict__ a, pair<int, int> b, float c[4], int d = f(1, 2)) {}"
    assert parameter_names(text, "mine::k") == ("a", "b", "c", "d")
    assert parameter_names(text, "other") == ()


@pytest.mark.parametrize(
    ("toml", "line", "key"),
    [
        ('[launch]\nblock = ["16"]\ngrid = ["N // (M - M)"]\n', 3, "grid"),
        ('[launch]\nblock = [\n  "64", "64",\n]\ngrid = [1]\n', 2, "block"),
        ('launch.grid = [1]\nlaunch.block = ["-16"]\n', 2, "block"),
        ('[launch]\nblock = [16]\ngrid = [1]\nshared_bytes = "10**12"\n', 4, "shared_bytes"),
        ("[launch]\nblock = [16]\ngrid = [1]\nstatic_shared_bytes = 1000000000\n", 4, "static_shared_bytes"),
        ("[launch]\nblock = [16]\ngrid = [1]\npartial_sums = -1\n", 4, "partial_sums"),
        ('# first\nconstraints = ["N * 10**400 > 1"]\n[launch]\nblock = [16]\ngrid = [1]\n', 2, "constraints"),
    ],
)
def test_that_what_a_size_does_not_suit_is_named_with_its_line_and_its_key(
    file: Path, make_device, toml: str, line: int, key: str
) -> None:
    described = beside(file, toml)
    kernel = load_user_kernel(file)
    with pytest.raises(Refusal) as raised:
        kernel.plan(Shape(3, 4, 5), kernel.params({}), make_device())
    assert str(raised.value).startswith(f"mine: {described}:{line}: ")
    assert str(raised.value).endswith(f"; correct '{key}'")


TEMPLATE = (
    'entry = "gemm"\ntemplate = ["float", "TILE"]\n[params.TILE]\nchoices = [4, 8, 16]\ndefault = 16\n'
    '[launch]\nblock = ["TILE", "TILE"]\ngrid = ["ceil_div(N, TILE)", "ceil_div(M, TILE)"]\n'
)


@pytest.mark.parametrize(
    ("template", "choices"), [(["float", "8"], (8,)), (["half", "TILE"], (4, 8, 16)), (["float", "EDGE"], (4, 8, 16))]
)
def test_that_a_template_of_options_takes_the_parameters_place_and_is_no_macro(
    tmp_path: Path, template: list[str], choices: tuple[int, ...]
) -> None:
    path = tmp_path / "mine.cu"
    path.write_text(
        "template <typename T, int TILE>\n__global__ void gemm(const T *A, const T *B, T *C, int M, int N, int K) {}\n",
        encoding="utf-8",
    )
    beside(path, TEMPLATE)
    kernel = load_user_kernel(path, {"template": template})
    assert [one.choices for one in kernel.parameters] == [choices]
    if template[1] != "EDGE":
        plan = kernel.plan(Shape(64, 32, 16), kernel.params({}), emulated())
        assert plan.launch.block[:2] == (choices[-1], choices[-1])
        assert plan.defines == ()


def test_that_a_signature_begins_with_its_template_and_not_with_what_stands_before() -> None:
    heads = ("#define BK 8 \\\n + 1", "// a comment", "template <int BM,\n          int BN>", "__global__ void")
    others = "__launch_bounds__(64) tiled(float *C) {", "}", 'extern "C" __global__', "void other() {}"
    text = "\n".join((*heads, *others))
    assert (line_of_kernel(text, "tiled"), line_of_signature(text, "tiled")) == (7, 4)
    assert (line_of_kernel(text, "other"), line_of_signature(text, "other")) == (10, 9)
    assert line_of_signature(text, "third") == 0
