"""Constants of a kernel's file whose values can be replaced: which they are, and what a description says of them."""

from __future__ import annotations

from pathlib import Path

import pytest

from gemmviz.backends.kernel_source import kernel_source
from gemmviz.catalogue.gpus import emulated
from gemmviz.catalogue.header import HeaderError
from gemmviz.catalogue.languages.file_constants import file_constants, with_values
from gemmviz.catalogue.loader import described_kernel
from gemmviz.domain.shape import Shape

TEXT = """// #define TILE 8
#define TILE 16  // the edge
static const int BM = 16, BN = 4u;
namespace sizes { constexpr unsigned int BK = 8; }
__global__ void mm(const float *A, const float *B, float *C, int M, int N, int K) { C[TILE + BM] = A[0] * B[0]; }
"""
TOML = """entry = "mm"
replaces = ["#define TILE", "static const int BM"]
[defines]
BM = "TILE"
[params.TILE]
choices = [8, 16]
[launch]
block = ["TILE", "TILE"]
grid = ["1"]
"""


def test_that_a_constant_that_is_defined_once_and_for_good_is_found_with_its_line() -> None:
    found = {name: (one.words, one.value, one.line) for name, one in file_constants(TEXT).items()}
    assert found == {
        "TILE": ("#define TILE", 16, 2),
        "BM": ("static const int BM", 16, 3),
        "BN": ("static const int BN", 4, 3),
        "BK": ("constexpr unsigned int BK", 8, 4),
    }


@pytest.mark.parametrize(
    "text",
    [
        "#ifndef TILE\n#define TILE 16\n#endif\n",
        "#define TILE 16\n#undef TILE\n#define TILE 32\n",
        "#define TILE (BM * 2)\n",
        "#define TILE(x) 16\n",
        '"#define TILE 16\\n\\\n#define TILE 16"',
        "__global__ void mm() { const int TILE = 16; }\n",
        "const int TILE = 16;\ntemplate <int TILE> __global__ void mm() {}\n",
        "struct Sizes { static const int TILE = 16; };\n",
        "int TILE = 16;\n",
        "const int TILE = 16 * 2;\n",
    ],
)
def test_that_what_something_else_may_define_is_none(text: str) -> None:
    assert file_constants(text) == {}


def test_that_only_the_literal_changes_so_that_lines_stay() -> None:
    changed = with_values(TEXT, {"TILE": 32, "BN": 128, "NONE": 1})
    assert changed == TEXT.replace("TILE 16", "TILE 32").replace("BN = 4u", "BN = 128u")
    assert with_values(TEXT, {}) == TEXT


def test_that_a_parameter_takes_the_place_of_the_constant_and_of_those_that_follow_it() -> None:
    kernel = described_kernel(Path("mm.cu"), TEXT, TOML)
    assert [(one.name, one.default) for one in kernel.parameters] == [("TILE", 16)], "the value in the file"
    plan = kernel.plan(Shape(8, 8, 8), (("TILE", 8),), emulated())
    source = kernel_source(kernel, plan)
    assert source.text == TEXT.replace("TILE 16", "TILE 8").replace("BM = 16", "BM = 8")
    assert source.defines == ()
    assert plan.launch.block == (8, 8, 1)
    assert kernel.file_text == TEXT, "the file stays as it is"


@pytest.mark.parametrize(
    ("text", "toml", "why"),
    [
        (TEXT.replace("TILE 16 ", "TILE 64 "), TOML, "line 2 gives TILE the value 64, and its choices are 8, 16"),
        (TEXT.replace("BM = 16", "BM = 8"), TOML, "line 3 gives BM the value 8, but it has that of TILE always, 16"),
        (TEXT.replace("#define TILE 16", "#define TILE (8 + 8)"), TOML, "does not define '#define TILE' once"),
        (TEXT, TOML.replace("static const", "const"), "it has 'static const int BM'"),
        (TEXT, TOML.replace('BM"]', 'BM", "static const int BN"]'), r"add \[params.BN\], or leave it out"),
    ],
)
def test_that_a_description_that_the_file_has_outgrown_is_refused(text: str, toml: str, why: str) -> None:
    with pytest.raises(HeaderError, match=why):
        described_kernel(Path("mm.cu"), text, toml)
