"""Where a load is written that a compiler attributes to the line of a store."""

from __future__ import annotations

import pytest

from gemmviz.compiler.written_line import line_of_load

ONE = """float4 va = *reinterpret_cast<const float4*>(&A[ar * K + ac]);
*reinterpret_cast<float4*>(&As[ar][ac]) = va;
"""


@pytest.mark.parametrize(
    ("text", "line", "written"),
    [
        (ONE, 2, 1),
        (ONE, 1, 1),
        (ONE.replace("va = *", "va =\n  *"), 3, 2),
        (ONE.replace("= va;", "= va; // to shared memory"), 2, 1),
        (f"{ONE}va = other;\n", 2, 2),
        (f"{ONE}va.x = 0;\n", 2, 2),
        ("float4 va = make_float4(x, x, x, x);\nC[i] = va;\n", 2, 2),
        ("float v = A[i];\nC[index[i]] = v;\n", 2, 2),
        ("float v = A[i];\nC[i] += v;\n", 2, 2),
        ("C[i] = v;\nfloat v = A[i];\n", 1, 1),
        (ONE, 0, 0),
        (ONE, 9, 9),
    ],
)
def test_that_a_copy_through_a_variable_is_written_where_the_variable_is_loaded(
    text: str, line: int, written: int
) -> None:
    assert line_of_load(text, line) == written
