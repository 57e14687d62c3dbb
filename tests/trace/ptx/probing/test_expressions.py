"""Accesses of code as written are called by what the source writes."""

from __future__ import annotations

import pytest

from gemmviz.domain.recordings.access import AccessKind, Site, Space
from gemmviz.trace.ptx.probing.expressions import barrier_in, expression_of, expressions_of

LOAD, STORE = AccessKind.LOAD, AccessKind.STORE


@pytest.mark.parametrize(
    ("line", "array", "kind", "expected"),
    [
        ("acc += As[ty][k] * Bs[k][tx]; // As[0]", "As", LOAD, "As[ty][k]"),
        ("As[ty][tx] = A[row * K + idx[k]];", "A", LOAD, "A[row * K + idx[k]]"),
        ("As[ty][tx] = A[row * K + idx[k]];", "As", STORE, "As[ty][tx]"),
        ("As[ty][tx] = A[row * K + idx[k]];", "As", LOAD, ""),
        ("C[i]  += x;", "C", LOAD, "C[i]"),
        ("C[i]  += x;", "C", STORE, "C[i]"),
        ("C[i]++;", "C", STORE, "C[i]"),
        ("if (C[i] == x) y();", "C", STORE, ""),
        ("x = As [ i ]  [j] + 1;", "As", LOAD, "As [ i ] [j]"),
        ("x = As[i] + As[j];", "As", LOAD, ""),
        ("As[i] = As[j];", "As", LOAD, "As[j]"),
        ("x = As[i", "As", LOAD, ""),
        ("x = *p;", "As", LOAD, "*p"),
        ("x = As[i];", "", LOAD, ""),
        ("x = B[i] * p[i];", "As", LOAD, "p[i]"),
        ("x = q[i] * p[i];", "As", LOAD, ""),
        ("x = 2 * y;", "As", LOAD, ""),
        ("own->b = other->a;", "pairs", LOAD, "other->a"),
        ("own->b = other->a;", "pairs", STORE, "own->b"),
        ("q[t].p[1].y = own.x;", "q", STORE, "q[t].p[1].y"),
        ("q[t].p[1].y = own.x;", "q", LOAD, ""),
        ("v = *(const float4 *)(A + 1);", "A", LOAD, "*(const float4 *)(A + 1)"),
        ("*(float4 *)(s + t) = v;", "s", STORE, "*(float4 *)(s + t)"),
        ("int* p=(int*)0x1234560; if(t==3) *p=5;", "", STORE, "*p"),
        ("if (f(t) == 3) *p = 5; else *q = 6;", "", STORE, ""),
        ("if (t == 3) x = 2; else *q = 6;", "", STORE, "*q"),
        ("y = (x) * p;", "", LOAD, ""),
        ("if (t == 0) (cell + 9)->value = x;", "C", STORE, "(cell + 9)->value"),
    ],
)
def test_that_an_access_is_called_by_its_expression(line: str, array: str, kind: AccessKind, expected: str) -> None:
    site = Site(0, 2, 1, "ld.f32", Space.SHARED, kind, 4, array)
    text, column = expression_of(site, ["", line], ("A", "B", "C", "As"))
    assert text == expected
    assert column == (line.index(expected) + 1 if expected and " [ i ]" not in line else column)


def test_that_a_line_that_is_not_there_has_none() -> None:
    for number in (0, 3):
        site = Site(0, number, 7, "ld.f32", Space.SHARED, LOAD, 4, "As")
        assert expression_of(site, ["As[0]"]) == ("", 7)


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("    __syncthreads(); // barrier(1)", "__syncthreads()"),
        ("if (__syncthreads_or(t == 2)) return;", "__syncthreads_or(t == 2)"),
        ("barrier(CLK_LOCAL_MEM_FENCE); x();", "barrier(CLK_LOCAL_MEM_FENCE)"),
        ("wait();", ""),
        ("__syncthreads(); __syncthreads();", ""),
    ],
)
def test_that_a_barrier_is_called_as_the_source_writes_it(line: str, expected: str) -> None:
    assert barrier_in(2, ["", line]) == expected
    assert barrier_in(3, ["", line]) == ""


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("    As[i] += As[j] * As[k];", ("As[j]", "As[k]", "As[i]")),
        ("    x = As[As[i]] + As[j]; y = As[k];", ("As[i]", "As[As[i]]", "As[j]", "As[k]")),
        ("    for (int i = As[0]; i < As[1]; i += As[2]) {", ("As[0]", "As[1]", "As[2]")),
        ("    for (int i = 0; i < 4; ++i) x += As[i] * As[j];", ("As[i]", "As[j]")),
        ("    for (int i = 0; i < 4; i += As[0]) x += As[i];", ()),
        ("x=As[0];", ()),
    ],
)
def test_that_accesses_of_a_line_come_in_the_order_of_the_code(line: str, expected: tuple[str, ...]) -> None:
    site = Site(0, 1, 5, "ld.f32", Space.SHARED, LOAD, 4, "As")
    found = expressions_of(site, [line], ("A", "As"))
    assert tuple(text for text, _ in found) == expected
    assert all(line[column - 1 :].startswith(text) for text, column in found)
