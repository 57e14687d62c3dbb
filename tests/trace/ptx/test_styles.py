"""C++ as people write it: recorded right, counted against what the threads do by hand, or named in words."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from own_recordings import HEAD, Touched, block_0, recorder_of_text, touched

from gemmviz.backends.base import BackendError, CompileError, LaunchError
from gemmviz.backends.machine.device import MachineDevice
from gemmviz.backends.machine.recorder import MachineRecorder
from gemmviz.domain.recordings.access import BARRIER_SITE
from gemmviz.domain.terms import CodeForm
from gemmviz.trace.hazards.hazards import find_hazards

S = "__shared__ float s[4][8], q[32];\n"
THREADS = range(4)

Make = Callable[..., MachineRecorder]


def each(what: str, element: Callable[[int], int] | int, width: int = 4, threads: range = THREADS) -> Touched:
    """Every thread touches one element, its own or the same."""
    return [(what, t, element if isinstance(element, int) else element(t), width) for t in threads]


def whole(*parts: Touched) -> Touched:
    return sorted(entry for part in parts for entry in part)


COPY = whole(each("load A", lambda t: t), each("store C", lambda t: t))
STYLES = {
    "volatile": (
        S + "volatile float *p = q; p[t] = A[t]; C[t] = p[t];",
        "",
        whole(COPY, each("store q", lambda t: t), each("load q", lambda t: t)),
    ),
    "read-only loads": (
        "C[t] = __ldg(&A[t]) + __ldg(B + t) * __ldcg(A + t);",
        "",
        whole(COPY, each("load A", lambda t: t), each("load B", lambda t: t)),
    ),
    "wide read-only loads": (
        "float4 v = __ldg((const float4 *)A + t); C[t] = v.x;",
        "",
        whole(each("load A", lambda t: 4 * t, 16), each("store C", lambda t: t)),
    ),
    "restricted pointers": (
        "const float* __restrict__ p = A + 8; C[t] = p[t];",
        "",
        whole(each("load A", lambda t: t + 8), each("store C", lambda t: t)),
    ),
    "deduced pointers": (
        S + "auto p = A + 8; auto *r = q; r[t] = p[t]; __syncthreads(); C[t] = r[t] + p[1];",
        "",
        whole(
            each("load A", lambda t: t + 8),
            each("store q", lambda t: t),
            each("load q", lambda t: t),
            each("load A", 9),
            each("store C", lambda t: t),
        ),
    ),
    "a moved parameter": (
        "B = A + 8; C += 4; C[t] = B[t];",
        "",
        whole(each("load A", lambda t: t + 8), each("store C", lambda t: t + 4)),
    ),
    "a pointer to rows": (
        "const float (*row)[8] = (const float (*)[8])A; C[t] = row[t][1];",
        "",
        whole(each("load A", lambda t: 8 * t + 1), each("store C", lambda t: t)),
    ),
    "rows of shared memory": (
        S + "float (*const row)[8] = s; row[t][1] = A[t]; C[t] = (*row)[1];",
        "",
        whole(COPY, each("store s", lambda t: 8 * t + 1), each("load s", 1)),
    ),
    "rows given to helpers": (
        S + "put(s, A, t); __syncthreads(); C[t] = at(s, 3 - t);",
        "__device__ void put(float (*s)[8], const float *g, int i) { s[i][1] = g[i]; }\n"
        "__device__ float at(float s[][8], int i) { return s[i][1]; }\n",
        whole(COPY, each("store s", lambda t: 8 * t + 1), each("load s", lambda t: 8 * (3 - t) + 1)),
    ),
    "arithmetic on rows": (
        S + "*(*(s + t) + 1) = A[t]; C[t] = *(s[t] + 1) + (*s)[t];",
        "",
        whole(
            COPY, each("store s", lambda t: 8 * t + 1), each("load s", lambda t: 8 * t + 1), each("load s", lambda t: t)
        ),
    ),
    "do while": (
        "int i = 0; do { C[t] = A[8 * i + t]; } while (++i < t);",
        "",
        sorted(
            (what, t, 8 * i * (what == "load A") + t, 4)
            for what in ("load A", "store C")
            for t in THREADS
            for i in range(max(t, 1))
        ),
    ),
    "falling through a switch": (
        "switch (t) { case 0: C[0] = A[0]; case 1: C[1] = A[1]; break; case 2: C[2] = A[2]; default: C[3] = A[3]; }",
        "",
        sorted(
            (what, t, i, 4)
            for what in ("load A", "store C")
            for t, cases in enumerate(((0, 1), (1,), (2, 3), (3,)))
            for i in cases
        ),
    ),
    "a jump ahead": ("if (t == 1) goto end; C[t] = A[t];\nend: ;", "", [e for e in COPY if e[1] != 1]),
    "a break in nested loops": (
        "for (int i = 0; i < 3; ++i) for (int j = 0; j < 3; ++j) { if (j == t) break; float x = A[8 * i + j]; }",
        "",
        sorted(("load A", t, 8 * i + j, 4) for t in THREADS for i in range(3) for j in range(min(t, 3))),
    ),
    "a continue in nested loops": (
        "for (int i = 0; i < 3; ++i) { if (i == t) continue;\n"
        "for (int j = 0; j < 3; ++j) { if (j == t) continue; float x = A[8 * i + j]; } }",
        "",
        sorted(("load A", t, 8 * i + j, 4) for t in THREADS for i in range(3) for j in range(3) if t not in (i, j)),
    ),
    "commas": (
        "int i; for (i = 0, C[t] = 0.0f; i < 2; C[t + 4] = A[i], ++i) ;",
        "",
        whole(
            each("store C", lambda t: t), *([*each("store C", lambda t: t + 4), *each("load A", i)] for i in range(2))
        ),
    ),
    "a choice of pointers": (
        "const float *p = t < 2 ? A + 1 : A + 8; C[t] = p[t] + *(t < 2 ? &A[0] : &B[t]);",
        "",
        whole(
            each("load A", lambda t: t + (1 if t < 2 else 8)),
            each("store C", lambda t: t),
            each("load A", 0, threads=range(2)),
            each("load B", lambda t: t, threads=range(2, 4)),
        ),
    ),
    "a pointer that counts": (
        "const float *p = A + t; float x = *p++; C[t] = x + *++p;",
        "",
        whole(COPY, each("load A", lambda t: t + 2)),
    ),
    "names for types": (
        "__shared__ wide w[4]; w[t] = A[t]; C[t] = w[t];",
        "typedef double real; typedef real wide;\n",
        whole(COPY, each("store w", lambda t: t, 8), each("load w", lambda t: t, 8)),
    ),
    "an index before its array": (
        "C[t] = t[A]; (t + 4)[C] = (1 + t)[A + 1];",
        "",
        whole(COPY, each("load A", lambda t: t + 2), each("store C", lambda t: t + 4)),
    ),
    "members behind pointers": (
        "__shared__ P p[4]; P *r = p + t; r->y = A[t]; r->x = 1; C[t] = p[t].y;",
        "struct P { float x, y; };\n",
        whole(
            COPY,
            each("store p", lambda t: 2 * t),
            each("store p", lambda t: 2 * t + 1),
            each("load p", lambda t: 2 * t + 1),
        ),
    ),
    "members of vectors behind pointers": (
        "float4 *p = (float4 *)C + t; const float4 *q = (const float4 *)A; p->z = (q + t)->x;",
        "",
        whole(each("store C", lambda t: 4 * t + 2), each("load A", lambda t: 4 * t)),
    ),
    "structures in structures": (
        "__shared__ Q q[4]; q[t].p[1].y = A[t]; C[t] = (&q[t])->p[1].y;",
        "struct P { float x, y; };\nstruct Q { float n; P p[2]; };\n",
        whole(COPY, each("store q", lambda t: 5 * t + 4), each("load q", lambda t: 5 * t + 4)),
    ),
    "small structures copied whole": (
        "__shared__ P p[4]; P own; own.x = A[t]; p[t] = own; P again = p[3 - t]; C[t] = again.y;",
        "typedef struct { float x, y; } P;\n",
        whole(
            COPY,
            each("store p", lambda t: 2 * t),
            each("store p", lambda t: 2 * t + 1),
            each("load p", lambda t: 6 - 2 * t),
            each("load p", lambda t: 7 - 2 * t),
        ),
    ),
    "structures of global memory": ("((struct F *)C)[t].v = ((const F *)A)[t].v;", "struct F { float v; };\n", COPY),
    "a member that counts": (
        "__shared__ P p; if (t == 0) p.n = 1; p.n += 2; C[t] = A[t];",
        "struct P { int n; };\n",
        whole(COPY, each("store p", 0, threads=range(1)), each("load p", 0), each("store p", 0)),
    ),
    "macros": (
        "for (int i = 0; i < 2; ++i) C(i, t) = A(t, i);",
        "#define A(i, j) A[(i) * K + (j)]\n#define C(i, j) C[(i) * N + (j)]\n",
        sorted(
            (what, t, 8 * i + t if what == "store C" else 8 * t + i, 4)
            for what in ("load A", "store C")
            for t in THREADS
            for i in range(2)
        ),
    ),
}


BEYOND_OPENCL = {
    "references": (
        S + "float &x = s[t][1]; x = A[t]; C[t] = x;",
        "",
        whole(COPY, each("store s", lambda t: 8 * t + 1), each("load s", lambda t: 8 * t + 1)),
    ),
    "pointers in structures": ("P p; p.x = A; C[t] = p.x[t];", "struct P { const float *x; };\n", COPY),
    "structures with functions": (
        "P p; p.x = A; C[t] = p.at(t);",
        "struct P { const float *x; __device__ float at(int i) { return x[i]; } };\n",
        COPY,
    ),
    "templates": (
        "C[t] = at<2>(A, t);",
        "template <int N> __device__ float at(const float *p, int i) { return p[N * i]; }\n",
        whole(each("load A", lambda t: 2 * t), each("store C", lambda t: t)),
    ),
    "lambda functions": (
        "auto at = [&](int i) { return A[i]; }; C[t] = at(3 - t);",
        "",
        whole(each("load A", lambda t: 3 - t), each("store C", lambda t: t)),
    ),
    "vectors of three": (
        "__shared__ float3 p[4]; p[t].z = A[t]; C[t] = p[t].z;",
        "",
        whole(COPY, each("store p", lambda t: 3 * t + 2), each("load p", lambda t: 3 * t + 2)),
    ),
    "jumps back": (
        "int i = 0;\nagain: C[t] = A[i]; if (++i < 3) goto again;",
        "",
        sorted(
            (what, t, i if what == "load A" else t, 4)
            for what in ("load A", "store C")
            for t in THREADS
            for i in range(3)
        ),
    ),
    "a shuffle": ("float x = __shfl_down_sync(15, A[t], 1); C[t] = x;", "", COPY),
    "a barrier that votes": ("if (__syncthreads_or(t == 2)) C[t] = A[t];", "", COPY),
    "addresses from others' stores": (
        S + "q[t] = t; if (t > 9) return; __syncthreads(); int i = (int)q[3 - t]; C[t] = A[i];",
        "",
        whole(
            each("store q", lambda t: t),
            each("load q", lambda t: 3 - t),
            each("load A", lambda t: 3 - t),
            each("store C", lambda t: t),
        ),
    ),
    "what others' stores decide about": (
        S + "q[t] = t; if (t > 9) return; __syncthreads(); if (q[3 - t] > 1.5f) C[t] = 0.0f;",
        "",
        whole(
            each("store q", lambda t: t),
            each("load q", lambda t: 3 - t),
            each("store C", lambda t: t, threads=range(2)),
        ),
    ),
    "barriers from others' stores": (
        S + "q[t] = t; __syncthreads(); for (int i = 0; i < q[2]; ++i) __syncthreads(); C[t] = A[t];",
        "",
        whole(COPY, each("store q", lambda t: t), *[each("load q", 2)] * 3),
    ),
}
STYLES |= BEYOND_OPENCL


@pytest.mark.parametrize("style", STYLES)
def test_that_a_style_is_recorded_as_its_threads_run(recorder: Make, style: str) -> None:
    body, before, expected = STYLES[style]
    found = recorder(body, before)
    assert touched(block_0(found)) == expected
    assert found.instrumented.skipped == ()


@pytest.mark.parametrize("form", CodeForm)
def test_that_reads_of_constant_memory_are_named_and_the_rest_recorded(machine: MachineDevice, form: CodeForm) -> None:
    text = f"__constant__ float f[4] = {{1, 2, 3, 4}};\n{HEAD}int t = threadIdx.x;\nC[t] = f[t] * A[t];\n}}\n"
    found = recorder_of_text(machine, text, form=form)
    (skipped,) = found.instrumented.skipped
    assert skipped.line == 4
    assert skipped.reason.startswith("it reads constant memory (`__constant__`)")
    assert touched(block_0(found)) == COPY


@pytest.mark.parametrize(
    "body",
    [
        "float own[4]; for (int i = 0; i < 4; ++i) own[(i + t) % 4] = i; C[t] = A[t] + 0 * own[M % 4];",
        "float x; float *p = &x; *p = A[t]; C[t] = x;",
        "float4 v = make_float4(1, 2, 3, 4); C[t] = A[t] * v.x;",
    ],
)
def test_that_private_memory_is_left_out_and_not_named(recorder: Make, body: str) -> None:
    found = recorder(body)
    assert found.instrumented.skipped == ()
    assert touched(block_0(found)) == COPY


def test_that_an_assertion_is_part_of_the_kernel(recorder: Make) -> None:
    found = recorder("assert(B[t] > -9.0f); C[t] = A[t];", "#include <assert.h>\n")
    assert touched(block_0(found)) == whole(COPY, each("load B", lambda t: t))


def test_that_a_failed_assertion_is_told_with_its_line_once(recorder: Make) -> None:
    with pytest.raises(LaunchError) as caught:
        block_0(recorder("assert(B[t] > 9.0f);\nC[t] = A[t];", "#include <assert.h>\n"))
    assert str(caught.value) == (
        "the kernel failed: line 4: the assertion B[t] > 9.0f failed in k (thread (0, 0, 0) of block (0, 0, 0))"
    )


LOCK = "__device__ int lock;\n"


def test_that_what_a_function_of_a_header_does_is_in_the_line_that_calls_it(recorder: Make) -> None:
    found = recorder("C[t] = fmaf(A[t], 2.0f, 1.0f);\natomicCAS(&lock, 0, 1);", LOCK)
    (site,) = [one for one in found.instrumented.sites if one.array == "lock"]
    assert (site.line, site.text[:8]) == (5, "atom.cas")
    block_0(found)
    assert min(one.line for one in found.executed) > 0


def test_that_an_atomic_operation_of_a_header_is_recorded_in_the_line_that_calls_it(recorder: Make) -> None:
    found = recorder("C[t] = A[t];\natomicCAS((int *)C + t, 0, 1);")
    assert {(site.array, site.line) for site in found.instrumented.sites if site.is_atomic} == {("C", 4)}


def test_that_accesses_through_pointers_of_one_line_are_named_apart(recorder: Make) -> None:
    body = "float (*a)[2] = (float(*)[2])q, (*b)[2] = a + 4;\n"
    body += "a[t][0] = A[t]; b[t][1] = B[t];\nC[t] = a[t][0] * b[t][1];"
    sites = recorder(S + body).instrumented.sites
    assert {"a[t][0]", "b[t][1]"} <= {site.text for site in sites}
    assert not {site.text for site in sites if site.text.startswith(("ld.", "st."))}


def test_that_a_function_that_calls_itself_is_refused(recorder: Make) -> None:
    before = "__device__ float sum(const float *p, int i) { return i < 0 ? 0 : p[i] + sum(p, i - 1); }\n"
    told = "sum comes to call itself, which is not implemented: write it as a loop. The PTX machine does not run it"
    with pytest.raises(BackendError, match=told):
        block_0(recorder("C[t] = sum(A, t);", before))


STEERED = {
    "a loop by global memory": ("while (i < 2 && A[i] > -5.0f) { ++i; q[t] = i; __syncthreads(); }", "A", [0, 1]),
    "a branch": ("if (A[3] > -5.0f) { q[t] = 2; __syncthreads(); }", "A", [3]),
    "a second branch": ("if (M < 0) __syncthreads(); else if (A[3] > -5.0f) { q[t] = 2; __syncthreads(); }", "A", [3]),
    "a helper": ("while (more(A, i)) { ++i; q[t] = i; __syncthreads(); }", "A", [0, 1]),
    "a loop that counts": ("while (i++ < 2 && A[i] > -5.0f) { q[t] = i; __syncthreads(); }", "A", [1, 2]),
}


@pytest.mark.parametrize("name", STEERED)
def test_that_every_thread_loads_what_steers_a_statement_with_barriers(recorder: Make, name: str) -> None:
    body, array, elements = STEERED[name]
    helper = "__device__ int more(const float *p, int i) { return i < 2 && p[i] > -5.0f; }\n"
    found = recorder(S + "int i = 0; q[t] = 0.0f; __syncthreads();\n" + body, helper)
    trace = block_0(found)
    loads = [entry for entry in touched(trace) if entry[0].startswith("load")]
    assert loads == whole(*(each(f"load {array}", e) for e in elements))
    assert found.instrumented.skipped == ()
    assert find_hazards(trace) == ()


def test_that_a_barrier_in_a_helper_is_known(recorder: Make) -> None:
    before = "__device__ void wait() { __syncthreads(); }\n"
    trace = block_0(recorder(S + "q[t] = A[t]; wait(); C[t] = q[3 - t];", before))
    assert [place.line for place in trace.ended_by] == [1]
    assert find_hazards(trace) == ()
    assert (trace.addresses[0, trace.slot_site == BARRIER_SITE, :4] == 0).all()


def test_that_a_helper_may_ask_which_thread_it_is(recorder: Make) -> None:
    before = "__device__ void put(float (*s)[8], const float *p) { s[threadIdx.x][1] = p[threadIdx.x]; }\n"
    before += "__device__ int me() { return threadIdx.x; }\n"
    trace = block_0(recorder(S + "put(s, A); __syncthreads(); C[me()] = s[3 - me()][1];", before))
    loads = each("load s", lambda t: 8 * (3 - t) + 1)
    assert touched(trace) == whole(COPY, each("store s", lambda t: 8 * t + 1), loads)
    assert find_hazards(trace) == ()


def test_that_what_is_wrong_is_told_with_its_place(recorder: Make) -> None:
    with pytest.raises(CompileError, match=r"^mine\.cu:3\b.*nothing"):
        recorder("C[t] = nothing;")
