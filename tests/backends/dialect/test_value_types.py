"""Types of expressions, by the declarations of a file."""

from __future__ import annotations

from pathlib import Path

import pytest

from gemmviz.backends.dialect.functions import functions_of
from gemmviz.backends.dialect.plain_form import in_plain_form
from gemmviz.backends.dialect.tree import find_all, parse
from gemmviz.backends.dialect.value_types import (
    Address,
    Items,
    Number,
    Structure,
    ValueType,
    ValueTypes,
    Vector,
    layout_of,
    number_or_vector,
)

FLOAT, FLOAT4 = Number(4), Vector(Number(4), 4)
BEFORE = """struct P { float x, y[3]; float4 v; };
typedef struct { char c; double d; short s; } Mixed;
typedef float real; typedef real *reals;
"""
DECLARED = (
    "float t[2][3]; P p; P ps[4]; const float4 *q; reals r; auto a = t[0]; auto n = 1; unsigned long long u; Mixed m;"
)


def type_of(expression: str) -> ValueType:
    text = f"{BEFORE}__global__ void k(const float *A, float (*rows)[8], float grid[2][8], int M) {{\n{DECLARED}\n"
    tree = in_plain_form(parse(Path("mine.cu"), f"{text}{expression};\n}}\n"))
    statements = find_all(tree.root, lambda node: node.type == "expression_statement")
    return ValueTypes(tree, functions_of(tree)["k"].symbols).of(statements[-1].named_children[0])


@pytest.mark.parametrize(
    ("expression", "expected"),
    [
        ("t", Items(Items(FLOAT))),
        ("t[1]", Items(FLOAT)),
        ("t[1][2]", FLOAT),
        ("*t[1]", FLOAT),
        ("**t", FLOAT),
        ("A[1]", FLOAT),
        ("A + M", Address(FLOAT)),
        ("M + A", Address(FLOAT)),
        ("A - A", None),
        ("&A[1]", Address(FLOAT)),
        ("rows[1]", Items(FLOAT)),
        ("(*rows)[1]", FLOAT),
        ("grid", Address(Items(FLOAT))),
        ("grid[1][2]", FLOAT),
        ("p.x", FLOAT),
        ("p.y", Items(FLOAT)),
        ("p.y[2]", FLOAT),
        ("p.v", FLOAT4),
        ("p.v.x", FLOAT),
        ("p.none", None),
        ("(ps + 1)->v", FLOAT4),
        ("ps[1].y[M]", FLOAT),
        ("q[1]", FLOAT4),
        ("q[1].w", FLOAT),
        ("r[1]", None),
        ("a[1]", FLOAT),
        ("n", None),
        ("u", Number(8)),
        ("((const float4 *)A)[1]", FLOAT4),
        ("reinterpret_cast<const float4 *>(&A[4])[1]", FLOAT4),
        ("((float (*)[8])A)[1]", Items(FLOAT)),
        ("((P *)A)[1].v", FLOAT4),
        ("__ldg(&A[1])", FLOAT),
        ("__ldg(q)", FLOAT4),
        ("(M ? A : A + 1)[0]", FLOAT),
        ("make_float4(1, 2, 3, 4)", FLOAT4),
        ("unknown[1]", None),
        ("A == 0", None),
    ],
)
def test_that_an_expression_has_the_type_of_its_declarations(expression: str, expected: ValueType) -> None:
    """`reals r` hides that r is a pointer, and which memory it points into: that it is not known, says so."""
    assert type_of(expression) == expected


def test_that_a_structure_is_laid_out_as_in_c() -> None:
    mixed = type_of("m")
    assert isinstance(mixed, Structure)
    assert layout_of(mixed) == (24, 8)
    assert layout_of(type_of("p")) is None  # how long y is, the compiler knows
    union = Structure("", {"a": Number(4), "b": Vector(Number(4), 2)}, is_union=True)
    assert layout_of(union) == (8, 8)
    assert layout_of(Structure("", {"a": Number(4)}, is_union=False, is_plain=False)) is None


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("unsigned", Number(4)),
        ("unsigned char", Number(1)),
        ("long long int", Number(8)),
        ("short int", Number(2)),
        ("float2", Vector(Number(4), 2)),
        ("uchar4", Vector(Number(1), 4)),
        ("double2", Vector(Number(8), 2)),
        ("uint8_t", Number(1)),
        ("int64_t", Number(8)),
        ("float3", Vector(Number(4), 4)),
        ("float5", None),
        ("P", None),
        ("size_t", Number(8)),
        ("const", None),
    ],
)
def test_that_a_name_is_a_number_a_vector_or_neither(name: str, expected: ValueType) -> None:
    assert number_or_vector(name) == expected
