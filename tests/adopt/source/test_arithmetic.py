"""C expressions over whole numbers become expressions of a header."""

from __future__ import annotations

import pytest

from gemmviz.adopt.source.arithmetic import constant_of, expression_in, written
from gemmviz.adopt.source.names import Names, names_of
from gemmviz.adopt.source.tree import parse

FILE = """
#define CEIL_DIV(a, b) (((a) + (b) - 1) / (b))
#define TILE 32
#define EDGE (TILE / 2)
#define ROUND(x) CEIL_DIV(x, EDGE) * EDGE
const int WARPS = 4;
constexpr unsigned THREADS = WARPS * 32;
static const int ITSELF = ITSELF + 1;
enum { FIRST = 3, SECOND = FIRST + 1 };
inline unsigned int cdiv(unsigned int a, unsigned int b) { return (a + b - 1) / b; }
typedef __nv_bfloat16 bf16;
using number = bf16;
#define FLOAT float
"""


@pytest.fixture
def names() -> Names:
    return names_of(parse(FILE))


@pytest.mark.parametrize(
    ("c", "header"),
    [
        ("N", "N"),
        ("M / TILE", "M // 32"),
        ("CEIL_DIV(M, 32)", "ceil_div(M, 32)"),
        ("(N + TILE - 1) / TILE", "ceil_div(N, 32)"),
        ("(n + 127) / 128", "ceil_div(n, 128)"),
        ("(N - 1 + BN) / BN", "ceil_div(N, BN)"),
        ("(N + 30) / 32", "(N + 30) // 32"),
        ("cdiv(N, EDGE)", "ceil_div(N, 16)"),
        ("div_up(N, 8)", "ceil_div(N, 8)"),
        ("ROUND(M)", "ceil_div(M, 16) * 16"),
        ("THREADS", "128"),
        ("SECOND", "4"),
        ("1 << 5", "32"),
        ("2 * TILE * TILE * sizeof(float)", "8192"),
        ("static_cast<int>(K)", "K"),
        ("(size_t)K * 0x10u", "K * 16"),
        ("ceil((float)N / TILE)", "ceil_div(N, 32)"),
        ("ceil(((float)N / TILE) / 2)", "ceil_div(N, 64)"),
        ("ceil(N / TILE)", "N // 32"),
        ("TILE > 16 ? N : M", "N"),
        ("'N'", "78"),
    ],
)
def test_that_an_expression_is_said_as_a_header_says_it(names: Names, c: str, header: str) -> None:
    tree = expression_in(c)
    assert tree is not None
    found = names.resolved(tree)
    assert found is not None
    assert written(found) == header


@pytest.mark.parametrize("c", ["f(x)", "a[3]", '"text"', "x = 3", "sizeof(mystery)", "", "1.5f", "p->", "ITSELF()"])
def test_that_what_is_no_arithmetic_is_left_alone(names: Names, c: str) -> None:
    tree = expression_in(c)
    assert tree is None or names.resolved(tree) is None


def test_that_a_name_that_stands_for_itself_ends(names: Names) -> None:
    tree = expression_in("ITSELF")
    assert tree is not None
    assert constant_of(names.resolved(tree)) is None


def test_that_names_that_double_at_every_step_end() -> None:
    lines = ["#define A0 1", *(f"#define A{n + 1} (A{n} + A{n})" for n in range(50))]
    assert names_of(parse("\n".join(lines))).value_of("A50") is None


@pytest.mark.parametrize(
    ("written_type", "plain"),
    [
        ("const FLOAT", "float"),
        ("number", "__nv_bfloat16"),
        ("unsigned int", "unsigned int"),
        ("std::size_t", "size_t"),
    ],
)
def test_that_types_are_followed_to_their_names(names: Names, written_type: str, plain: str) -> None:
    assert names.plain_type(written_type) == plain
