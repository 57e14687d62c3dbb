"""Accesses outside an array of a thread's own, of a kernel recorded as written; NVIDIA's sanitizer finds none."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from own_recordings import block_0

from gemmviz.backends.base import LaunchError
from gemmviz.backends.machine.recorder import MachineRecorder

Make = Callable[..., MachineRecorder]
HELD = "float a[4], b[4]; for (int i = 0; i < 4; ++i) { a[i] = A[t]; b[i] = B[t]; }\n"
FILL = "__device__ __forceinline__ void fill(float (&d)[4], const float *p) { %s }\n"
PAIR = "struct Pair { float v[4], w[4]; };\n"

BEYOND = {
    "behind the end": (
        HELD + "for (int i = 0; i <= 4; ++i) a[i] = 1.0f;\nC[t] = a[0] + b[0];",
        "",
        "past the end of a",
    ),
    "before the start": (
        HELD + "float s = 0; for (int i = 3; i >= -1; --i) s += a[i];\nC[t] = s + b[0];",
        "",
        "before the start of a",
    ),
    "through a pointer": (
        HELD + "float s = 0; for (float *p = a; p <= a + 4; ++p) s += *p;\nC[t] = s + b[0];",
        "",
        "past the end of a",
    ),
    "by a reference": (
        HELD + "fill(a, A);\nC[t] = a[t] + b[t];",
        FILL % "for (int i = 0; i <= 4; ++i) d[i] = p[i];",
        "past the end of a",
    ),
    "of two dimensions": (
        "float a[2][3], b[4]; for (int i = 0; i < 4; ++i) b[i] = B[t];\n"
        "for (int i = 0; i <= 2; ++i) for (int j = 0; j < 3; ++j) a[i][j] = A[t];\nC[t] = a[0][0] + b[0];",
        "",
        "past the end of a, which has 6 elements",
    ),
    "a wide access of a small variable": (
        "float a[1] = {A[t]}; float b[4]; for (int i = 0; i < 4; ++i) b[i] = B[t];\n"
        "float *p = a; double d = *(double *)p;\nC[t] = (float)d + b[t];",
        "",
        "past the end of a, which has",
    ),
    "a large array": (
        "float a[300], b[300]; for (int i = 0; i < 300; ++i) b[i] = B[t];\n"
        "for (int i = 0; i <= 300; ++i) a[i] = A[t];\nC[t] = a[0] + b[0];",
        "",
        "past the end of a, which has 300 elements",
    ),
}
WITHIN = {
    "to the end": (HELD + "float s = 0; for (int i = 0; i < 4; ++i) s += a[i] * b[i];\nC[t] = s;", ""),
    "backwards from the end": (
        HELD + "float s = 0; for (float *p = b + 4; p != b;) s += *--p;\nC[t] = s + a[0];",
        "",
    ),
    "one pointer to two arrays": (
        HELD
        + "float s = 0; for (int i = 0; i < 2; ++i) { float *p = i ? a : b; for (int j = 0; j < 4; ++j) s += p[j]; }\n"
        "C[t] = s;",
        "",
    ),
    "a pointer that changes": (
        HELD + "float *p = a, **q = &p; *q = b; float s = 0; for (int j = 0; j < 4; ++j) s += p[j];\nC[t] = s + a[0];",
        "",
    ),
    "a vector by its elements": (
        "float4 v = *(const float4 *)A; float s = 0; for (int i = 0; i < 4; ++i) s += (&v.x)[i];\nC[t] = s;",
        "",
    ),
    "a structure as an array": (
        "Pair p; for (int i = 0; i < 8; ++i) p.v[i] = A[t];\nC[t] = p.w[t];",
        PAIR,
    ),
    "two calls of a function": (
        HELD + "fill(a, A); fill(b, B);\nC[t] = a[t] + b[t];",
        FILL % "for (int i = 0; i < 4; ++i) d[i] = p[i];",
    ),
}


@pytest.mark.parametrize(("body", "before", "told"), BEYOND.values(), ids=BEYOND)
def test_that_an_access_outside_an_array_of_a_thread_is_told(recorder: Make, body: str, before: str, told: str) -> None:
    with pytest.raises(LaunchError, match=told):
        block_0(recorder(body, before))


@pytest.mark.parametrize(("body", "before"), WITHIN.values(), ids=WITHIN)
def test_that_accesses_within_what_they_are_meant_for_are_no_fault(recorder: Make, body: str, before: str) -> None:
    assert block_0(recorder(body, before)).addresses.size
