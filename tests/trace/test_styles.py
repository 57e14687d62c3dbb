"""C++ as people write it: recorded right, counted against what the threads do by hand, or named or refused in words."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

from gemmviz.backends.base import CompileError, Source
from gemmviz.backends.opencl import OpenClDevice
from gemmviz.domain.access import INACTIVE, BlockTrace, Space
from gemmviz.domain.operands import make_operands
from gemmviz.domain.shape import Shape
from gemmviz.domain.spec import Launch
from gemmviz.domain.terms import Fill, Language
from gemmviz.trace.findings import ANY
from gemmviz.trace.hazards import find_hazards
from gemmviz.trace.instrument import instrument
from gemmviz.trace.opencl_recording import OpenClRecording
from gemmviz.trace.record import Recorder

SHAPE = Shape(8, 8, 8)
S = "__shared__ float s[4][8], q[32];\n"
THREADS = range(4)

Touched = list[tuple[str, str, int, int]]
Make = Callable[..., Recorder]


@pytest.fixture(scope="module")
def recorder(embedded: OpenClDevice) -> Make:
    """A recorder of the kernel around `body`; four threads, their number is t."""

    def make(body: str, before: str = "") -> Recorder:
        head = 'extern "C" __global__ void k(const float *A, const float *B, float *C, int M, int N, int K) {\n'
        text = f"{before}{head}int t = threadIdx.x;\n{body}\n}}\n"
        source = Source(Path("mine.cu"), text, "k", Language.CUDA, ())
        launch, operands = Launch((1, 1, 1), (4, 1, 1)), make_operands(SHAPE, Fill.UNIFORM, 0)
        return Recorder(OpenClRecording(embedded), source, launch, SHAPE, operands)

    return make


def block_0(recorder: Recorder) -> BlockTrace:
    return next(recorder.blocks(np.zeros(1, np.int32)))


def touched(trace: BlockTrace) -> Touched:
    """What every thread touches, sorted: kind and array, as "load A", thread, element, bytes."""
    found = []
    for slot in np.flatnonzero(trace.slot_site >= 0):
        site = trace.sites[trace.slot_site[slot]]
        for thread, address in enumerate(trace.addresses[0, slot].tolist()):
            if address != INACTIVE:
                (array,) = [a for a in trace.arrays if a.base <= address < a.base + a.nbytes]
                element, rest = divmod(address - array.base, array.element_bytes)
                assert rest == 0 or site.width_bytes < array.element_bytes
                found.append((f"{site.kind} {array.name}", thread, element, site.width_bytes))
    return sorted(found)


def each(what: str, element: Callable[[int], int] | int, width: int = 4, threads: range = THREADS) -> Touched:
    """Every thread touches one element, its own or the same."""
    return [(what, t, element if isinstance(element, int) else element(t), width) for t in threads]


def whole(*parts: Touched) -> Touched:
    return sorted(entry for part in parts for entry in part)


COPY = whole(each("load A", lambda t: t), each("store C", lambda t: t))
STYLES = {
    "volatile": (S + "volatile float *p = q; p[t] = A[t]; C[t] = p[t];", "",
                 whole(COPY, each("store q", lambda t: t), each("load q", lambda t: t))),
    "read-only loads": ("C[t] = __ldg(&A[t]) + __ldg(B + t) * __ldcg(A + t);", "",
                        whole(COPY, each("load A", lambda t: t), each("load B", lambda t: t))),
    "wide read-only loads": ("float4 v = __ldg((const float4 *)A + t); C[t] = v.x;", "",
                             whole(each("load A", lambda t: 4 * t, 16), each("store C", lambda t: t))),
    "restricted pointers": ("const float* __restrict__ p = A + 8; C[t] = p[t];", "",
                            whole(each("load A", lambda t: t + 8), each("store C", lambda t: t))),
    "deduced pointers": (S + "auto p = A + 8; auto *r = q; r[t] = p[t]; __syncthreads(); C[t] = r[t] + p[1];", "",
                         whole(each("load A", lambda t: t + 8), each("store q", lambda t: t),
                               each("load q", lambda t: t), each("load A", 9), each("store C", lambda t: t))),
    "a moved parameter": ("B = A + 8; C += 4; C[t] = B[t];", "",
                          whole(each("load A", lambda t: t + 8), each("store C", lambda t: t + 4))),
    "a pointer to rows": ("const float (*row)[8] = (const float (*)[8])A; C[t] = row[t][1];", "",
                          whole(each("load A", lambda t: 8 * t + 1), each("store C", lambda t: t))),
    "rows of shared memory": (S + "float (*const row)[8] = s; row[t][1] = A[t]; C[t] = (*row)[1];", "",
                              whole(COPY, each("store s", lambda t: 8 * t + 1), each("load s", 1))),
    "rows given to helpers": (
        S + "put(s, A, t); __syncthreads(); C[t] = at(s, 3 - t);",
        "__device__ void put(float (*s)[8], const float *g, int i) { s[i][1] = g[i]; }\n"
        "__device__ float at(float s[][8], int i) { return s[i][1]; }\n",
        whole(COPY, each("store s", lambda t: 8 * t + 1), each("load s", lambda t: 8 * (3 - t) + 1)),
    ),
    "arithmetic on rows": (S + "*(*(s + t) + 1) = A[t]; C[t] = *(s[t] + 1) + (*s)[t];", "",
                           whole(COPY, each("store s", lambda t: 8 * t + 1), each("load s", lambda t: 8 * t + 1),
                                 each("load s", lambda t: t))),
    "do while": ("int i = 0; do { C[t] = A[8 * i + t]; } while (++i < t);", "",
                 sorted((what, t, 8 * i * (what == "load A") + t, 4)
                        for what in ("load A", "store C") for t in THREADS for i in range(max(t, 1)))),
    "falling through a switch": (
        "switch (t) { case 0: C[0] = A[0]; case 1: C[1] = A[1]; break; case 2: C[2] = A[2]; default: C[3] = A[3]; }",
        "", sorted((what, t, i, 4) for what in ("load A", "store C")
                   for t, cases in enumerate(((0, 1), (1,), (2, 3), (3,))) for i in cases),
    ),
    "a jump ahead": ("if (t == 1) goto end; C[t] = A[t];\nend: ;", "", [e for e in COPY if e[1] != 1]),
    "a break in nested loops": (
        "for (int i = 0; i < 3; ++i) for (int j = 0; j < 3; ++j) { if (j == t) break; float x = A[8 * i + j]; }", "",
        sorted(("load A", t, 8 * i + j, 4) for t in THREADS for i in range(3) for j in range(min(t, 3))),
    ),
    "a continue in nested loops": (
        "for (int i = 0; i < 3; ++i) { if (i == t) continue;\n"
        "for (int j = 0; j < 3; ++j) { if (j == t) continue; float x = A[8 * i + j]; } }", "",
        sorted(("load A", t, 8 * i + j, 4) for t in THREADS for i in range(3) for j in range(3) if t not in (i, j)),
    ),
    "commas": ("int i; for (i = 0, C[t] = 0.0f; i < 2; C[t + 4] = A[i], ++i) ;", "",
               whole(each("store C", lambda t: t), *([*each("store C", lambda t: t + 4), *each("load A", i)]
                     for i in range(2)))),
    "a choice of pointers": ("const float *p = t < 2 ? A + 1 : A + 8; C[t] = p[t] + *(t < 2 ? &A[0] : &B[t]);", "",
                             whole(each("load A", lambda t: t + (1 if t < 2 else 8)), each("store C", lambda t: t),
                                   each("load A", 0, threads=range(2)),
                                   each("load B", lambda t: t, threads=range(2, 4)))),
    "a pointer that counts": ("const float *p = A + t; float x = *p++; C[t] = x + *++p;", "",
                              whole(COPY, each("load A", lambda t: t + 2))),
    "names for types": ("__shared__ wide w[4]; w[t] = A[t]; C[t] = w[t];", "typedef double real; typedef real wide;\n",
                        whole(COPY, each("store w", lambda t: t, 8), each("load w", lambda t: t, 8))),
    "an index before its array": ("C[t] = t[A]; (t + 4)[C] = (1 + t)[A + 1];", "",
                                  whole(COPY, each("load A", lambda t: t + 2), each("store C", lambda t: t + 4))),
    "members behind pointers": (
        "__shared__ P p[4]; P *r = p + t; r->y = A[t]; r->x = 1; C[t] = p[t].y;", "struct P { float x, y; };\n",
        whole(COPY, *[[(f"{what} p", t, t, 4) for t in THREADS] for what in ("store", "store", "load")])),
    "members of vectors behind pointers": (
        "float4 *p = (float4 *)C + t; const float4 *q = (const float4 *)A; p->z = (q + t)->x;", "",
        whole(each("store C", lambda t: 4 * t + 2), each("load A", lambda t: 4 * t))),
    "structures in structures": (
        "__shared__ Q q[4]; q[t].p[1].y = A[t]; C[t] = (&q[t])->p[1].y;",
        "struct P { float x, y; };\nstruct Q { float n; P p[2]; };\n",
        whole(COPY, *[[(f"{what} q", t, t, 4) for t in THREADS] for what in ("store", "load")])),
    "small structures copied whole": (
        "__shared__ P p[4]; P own; own.x = A[t]; p[t] = own; P again = p[3 - t]; C[t] = again.y;",
        "typedef struct { float x, y; } P;\n",
        whole(COPY, each("store p", lambda t: t, 8), each("load p", lambda t: 3 - t, 8))),
    "structures of global memory": ("((struct F *)C)[t].v = ((const F *)A)[t].v;", "struct F { float v; };\n", COPY),
    "a member that counts": ("__shared__ P p; if (t == 0) p.n = 1; p.n += 2; C[t] = A[t];", "struct P { int n; };\n",
                             whole(COPY, each("store p", 0, threads=range(1)), each("load p", 0),
                                   each("store p", 0))),
    "macros": ("for (int i = 0; i < 2; ++i) C(i, t) = A(t, i);",
               "#define A(i, j) A[(i) * K + (j)]\n#define C(i, j) C[(i) * N + (j)]\n",
               sorted((what, t, 8 * i + t if what == "store C" else 8 * t + i, 4)
                      for what in ("load A", "store C") for t in THREADS for i in range(2))),
}  # fmt: skip


@pytest.mark.parametrize("style", STYLES)
def test_that_a_style_is_recorded_as_its_threads_run(recorder: Make, style: str) -> None:
    body, before, expected = STYLES[style]
    found = recorder(body, before)
    assert touched(block_0(found)) == expected
    assert found.instrumented.skipped == []


REFUSED = {
    "references": (S + "float &x = s[t][1]; x = A[t];", "", "references are beyond"),
    "pointers in structures": ("P p; p.x = A; C[t] = p.x[t];", "struct P { const float *x; };\n",
                               "which memory a pointer inside a structure points into is not followed"),
    "structures with functions": ("P p; C[t] = p.f();", "struct P { float f() { return 1; } };\n", "with functions"),
    "bit-fields": ("P p; p.n = 1; C[t] = p.n;", "struct P { int n : 3; };\n", "bit-fields are not recorded"),
    "large structures copied whole": (
        "__shared__ P p[4]; P q; p[t] = q;", "struct P { float4 x; float y; };\n", "a whole structure of more than 16",
    ),
    "recursion": ("C[t] = sum(A, t);", "__device__ float sum(const float *p, int i) {\n"
                  "return i < 0 ? 0 : p[i] + sum(p, i - 1); }\n", "sum calls itself here"),
    "vectors of three": ("__shared__ float3 p[4]; p[t].z = A[t];", "", "float3 takes more room in OpenCL C"),
    "vectors too wide": ("__shared__ double4 p[4]; p[t].z = A[t];", "", "32 bytes at once"),
    "jumps back": ("int i = 0;\nagain: C[t] = A[i]; if (++i < 3) goto again;", "", "a backward jump makes a loop"),
    "addresses from others' stores": (
        S + "q[t] = t; if (t > 9) return; __syncthreads(); int i = (int)q[3 - t]; int j = i + 1; C[t] = A[j];", "",
        "this address depends on memory that other threads write",
    ),
    "barriers from others' stores": (
        S + "q[t] = t; if (t > 9) return; __syncthreads(); for (int i = 0; i < q[0]; ++i) __syncthreads();", "",
        "whether all threads come to a barrier depends on memory that other threads write",
    ),
    "helpers told by others' stores": (
        S + "q[t] = t; if (t > 9) return; __syncthreads(); C[t] = at(A, q[3 - t]);",
        "__device__ float at(const float *p, int i) { return p[i]; }\n", "what this helper does depends",
    ),
}  # fmt: skip


@pytest.mark.parametrize("style", REFUSED)
def test_that_what_cannot_be_recorded_is_refused_in_words(recorder: Make, style: str) -> None:
    body, before, words = REFUSED[style]
    with pytest.raises(CompileError, match=rf"^mine\.cu:\d+:\d+: .*{words}"):
        recorder(body, before)


NAMED = {
    "constant memory": ("C[t] = f[t] * A[t];", "__constant__ float f[4] = {1, 2, 3, 4};\n", "f[t]", "neither an"),
    "an assertion": ("assert(B[t] > 0.0f); C[t] = A[t];", "", "assert(B[t] > 0.0f)", "left out"),
}


@pytest.mark.parametrize("style", NAMED)
def test_that_what_is_not_seen_is_named_and_the_rest_recorded(recorder: Make, style: str) -> None:
    body, before, text, words = NAMED[style]
    found = recorder(body, before)
    assert [skipped.text for skipped in found.instrumented.skipped] == [text]
    assert words in found.instrumented.skipped[0].reason
    assert touched(block_0(found)) == COPY


PAST = S + "q[t] = A[t]; if (t > 9) return; __syncthreads(); "
"""The threads run past the barrier, as some might leave before it."""


def test_that_a_condition_decided_past_the_barriers_is_named(recorder: Make) -> None:
    found = recorder(PAST + "if (q[3 - t] > 1.0f) C[t] = 0.0f;").instrumented
    assert found.past_barriers == "in line 4, 't' may differ between threads and decides whether they come to a barrier"
    assert [(skipped.line, skipped.text) for skipped in found.skipped] == [(4, "(q[3 - t] > 1.0f)")]
    assert {found.sites[number].text for number in found.unsure} == {"C[t]"}
    sums = "float acc = 0; for (int i = 0; i < 4; ++i) acc += q[i]; C[t] = acc > 0 ? acc : 0;"
    assert recorder(PAST + sums).instrumented.skipped == []


@pytest.mark.parametrize("jump", ["while (t == 1) return;", "for (int i = 0; t == 1; ++i) return;"])
def test_that_a_loop_with_nothing_but_a_return_is_left_past_the_barriers(recorder: Make, jump: str) -> None:
    found = recorder(PAST + f"{jump} C[t] = q[t];")
    assert not found.instrumented.keeps_barriers
    stores = [entry for entry in touched(block_0(found)) if entry[0] == "store C"]
    assert stores == [("store C", t, t, 4) for t in THREADS if t != 1]


UNSURE = {
    "what a condition leads to": ("if (q[0] > 1) C[0] = 1; C[t] = A[t];", {"C[0]"}),
    "what a variable decides": ("int big = q[0] > 1; if (big) C[0] = 1; C[t] = A[t];", {"C[0]"}),
    "what a variable of a branch decides": (
        "int n = 0; if (q[0] > 1) n = B[t]; if (n == 1) C[0] = 1; C[t] = A[t];",
        {"B[t]", "C[0]"},
    ),
    "how often a loop runs": ("for (int i = 0; i < q[0]; ++i) C[0] = 1; C[t] = A[t];", {"q[0]", "C[0]"}),
    "what a break leaves out": (
        "for (int i = 0; i < 4; ++i) { if (q[i] > 1) break; C[i] = 1; } C[t] = A[t];",
        {"C[i]"},
    ),
    "what a return leaves out": ("if (q[t] > 1) return; C[t] = A[t];", {"C[t]", "A[t]"}),
    "what is behind &&": ("if (q[t] > 1 && B[t] > 1) C[0] = 1; C[t] = A[t];", {"B[t]", "C[0]"}),
    "what global memory decides that is stored to": ("if (C[0] > 1) C[1] = 1; C[t] = A[t];", {"C[1]"}),
}


@pytest.mark.parametrize("name", UNSURE)
def test_that_what_is_not_yet_written_decides_about_is_unsure(recorder: Make, name: str) -> None:
    body, texts = UNSURE[name]
    found = recorder(PAST + body).instrumented
    assert {found.sites[number].text for number in found.unsure} == texts
    assert found.skipped


STEERED = {
    "a loop by global memory": ("while (i < 2 && A[i] > -5.0f) { ++i; q[t] = i; __syncthreads(); }", "A", [0, 1]),
    "a loop by shared memory": ("for (; q[i] < 1.0f && i < 2; ++i) { q[t + 8] = i; __syncthreads(); }", "q", [0, 1]),
    "a branch": ("if (A[3] > -5.0f) { q[t] = 2; __syncthreads(); }", "A", [3]),
    "a second branch": ("if (M < 0) __syncthreads(); else if (A[3] > -5.0f) { q[t] = 2; __syncthreads(); }", "A", [3]),
    "a helper": ("while (more(A, i)) { ++i; q[t] = i; __syncthreads(); }", "A", [0, 1]),
}


@pytest.mark.parametrize("name", STEERED)
def test_that_every_thread_loads_what_steers_a_statement_with_barriers(recorder: Make, name: str) -> None:
    body, array, elements = STEERED[name]
    helper = "__device__ int more(const float *p, int i) { return i < 2 && p[i] > -5.0f; }\n"
    start = S + "int i = 0; q[t] = 0.0f; __syncthreads();\n"
    found = recorder(start + body, helper)
    trace = block_0(found)
    last = [(f"load {array}", t, 2, 4) for t in THREADS] if "shared" in name else []  # q[2] before i < 2 ends it
    loads = [entry for entry in touched(trace) if entry[0].startswith("load")]
    assert loads == whole(*(each(f"load {array}", e) for e in elements), last)
    assert found.instrumented.keeps_barriers
    assert found.instrumented.skipped == []
    assert find_hazards(trace) == ()


HIDDEN = {
    "a macro that is not plain": ("PUT(t); C[t] = q[t];", "#if 1\n#define PUT(i) q[i] = A[i]\n#endif\n", {ANY}),
    "a function that is given the array": ("prefetch(q + t); C[t] = q[t];", "", {"q"}),
    "a function that is given a pointer to it": ("float *p = q + 1; prefetch(p); C[t] = q[t];", "", {"q"}),
    "a function that is given another": ("prefetch(A + t); C[t] = q[t];", "", set()),
}


@pytest.mark.parametrize("name", HIDDEN)
def test_that_what_may_store_unseen_to_shared_memory_is_known(name: str) -> None:
    body, before, hidden = HIDDEN[name]
    head = "__global__ void k(const float *A, const float *B, float *C, int M, int N, int K) {\nint t = threadIdx.x;\n"
    found = instrument(Path("mine.cu"), f"{before}{head}{S}{body}\n}}\n", "k", Launch((1, 1, 1), (4, 1, 1)))
    assert found.hidden == hidden
    (skipped,) = found.skipped
    assert ("uninitialised reads are not searched" in skipped.reason) == (hidden == {"q"})


def test_that_a_helper_may_ask_which_thread_it_is(recorder: Make) -> None:
    before = "__device__ void put(float (*s)[8], const float *p) { s[threadIdx.x][1] = p[threadIdx.x]; }\n"
    before += "__device__ int me() { return threadIdx.x; }\n"
    found = recorder(S + "put(s, A); __syncthreads(); C[me()] = s[3 - me()][1];", before)
    assert found.instrumented.keeps_barriers
    trace = block_0(found)
    loads = each("load s", lambda t: 8 * (3 - t) + 1)
    assert touched(trace) == whole(COPY, each("store s", lambda t: 8 * t + 1), loads)
    assert find_hazards(trace) == ()
    differs = recorder(S + "if (me() > 1) __syncthreads();", before).instrumented
    assert differs.past_barriers.startswith("in line 6, 'me' may differ between threads")


def test_that_a_condition_that_changes_something_is_named(recorder: Make) -> None:
    found = recorder(S + "int i = 0;\nwhile (i++ < 2 && A[i] > -5.0f) { q[t] = i; __syncthreads(); }").instrumented
    assert [(skipped.line, skipped.text) for skipped in found.skipped] == [(5, "(i++ < 2 && A[i] > -5.0f)")]
    assert "one thread only" in found.skipped[0].reason
    assert [site.space for site in found.sites].count(Space.GLOBAL) == 1


def test_that_a_barrier_in_a_helper_is_known(recorder: Make) -> None:
    before = "__device__ void wait() { __syncthreads(); }\n"
    trace = block_0(recorder(S + "q[t] = A[t]; wait(); C[t] = q[3 - t];", before))
    assert [(place.line, place.text) for place in trace.ended_by] == [(1, "__syncthreads()")]
    assert find_hazards(trace) == ()
    assert (trace.addresses[0, trace.slot_site == -1, :4] == 0).all()
