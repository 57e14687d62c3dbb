"""What runs thread by thread between the barriers, what once for all, and what cannot be run so."""

from __future__ import annotations

import re
from collections.abc import Callable

import pytest

from gemmviz.backends.base import CompileError
from gemmviz.backends.dialect.regions import NotLoopableError

Translate = Callable[..., str]

S = "__shared__ float s[8]; int t = threadIdx.x;\n"
USE = "s[t] = A[t]; __syncthreads(); C[t] = s[t];\n"

REFUSED = {
    "a return before a barrier": S + "if (t > M) return; __syncthreads();",
    "a return between barriers": S + "__syncthreads(); if (t > M) return; __syncthreads();",
    "a break that differs": S + "for (int k = 0; k < K; ++k) { if (k > t) break; __syncthreads(); }",
    "a continue that differs": S + "while (K-- > 0) { if (K == t) continue; __syncthreads(); }",
    "a break decided by a private value": S
    + "float x = A[t]; while (1) { if (x > 3) break; x += 1; __syncthreads(); }",
    "an end of a do loop that differs": S + "int k = 0; do { __syncthreads(); } while (k++ < t);",
    "a continue inside a switch": S + "while (K-- > 0) { switch (K) { case 1: continue; } __syncthreads(); }",
    "a bound that differs": S + "for (int k = 0; k < t; ++k) { __syncthreads(); }",
    "a bound with the index itself": S + "for (int k = 0; k < threadIdx.x; ++k) { __syncthreads(); }",
    "a start that differs": S + "for (int k = threadIdx.x; k < 9; ++k) { __syncthreads(); }",
    "a step that differs": S + "for (int k = 0; k < 9; k += t) { __syncthreads(); }",
    "a condition that differs": S + "if (threadIdx.x < 4) { __syncthreads(); }",
    "a condition from a private sum": S + "float x = A[t]; while (x > 0) { __syncthreads(); x -= 1; }",
    "a moved parameter that differs": S + "K -= t; for (int k = 0; k < K; ++k) { __syncthreads(); }",
    "a bound changed for some": S + "int n = 4; if (t == 1) n = 5; for (int k = 0; k < n; ++k) { __syncthreads(); }",
    "a barrier in a switch": S + "switch (K) { case 1: __syncthreads(); }",
    "a barrier under #if": S + "#if 1\n__syncthreads();\n#endif\n" + USE,
    "a declaration under #if": S + "#ifdef X\nfloat v = 1;\n#else\nfloat v = 2;\n#endif\n" + USE + "C[t] = v;",
    "a barrier inside an expression": S + "int n = __syncthreads_count(t > 3); C[t] = n;",
    "a jump": S + "goto end; end: ; __syncthreads();",
    "auto kept between barriers": S + "auto x = A[t]; __syncthreads(); C[t] = x;",
    "an array without size kept between barriers": S + "float x[] = {A[t], 1}; __syncthreads(); C[t] = x[0];",
}


@pytest.mark.parametrize("body", REFUSED.values(), ids=REFUSED.keys())
def test_that_control_flow_that_threads_do_not_share_is_refused(thread_loops: Translate, body: str) -> None:
    with pytest.raises(NotLoopableError):
        thread_loops(body)


HIDDEN = {
    "a helper with the index": ("__device__ int me() { return threadIdx.x; }", S + "C[me()] = 1;"),
    "a helper with a barrier": ("__device__ void wait() { __syncthreads(); }", S + "s[t] = 1; wait(); C[t] = s[0];"),
    "a macro with a local variable": ("#define NEXT acc += 1", S + "float acc = 0; NEXT; __syncthreads(); C[t] = acc;"),
    "a macro with a parameter": ("#define FIRST A[0]", S + USE + "C[0] = FIRST;"),
    "a macro with a barrier": ("#define SYNC() __syncthreads()", S + "SYNC(); C[t] = s[0];"),
    "a macro with the index": ("#define ME threadIdx.x", S + "int me = ME; __syncthreads(); C[me] = 1;"),
    "a macro that exchanges": (
        "#define SWAP(x, y) { int z = x; x = y; y = z; }",
        S + "int now = 0, next = 1; __syncthreads(); SWAP(now, next); C[t] = now;",
    ),
    "a macro that counts": ("#define UP(x) x++", S + "int n = 0; __syncthreads(); UP(n); C[t] = n;"),
    "a macro that takes an address": ("#define AT(x) (&(x))", S + "int n = 0; __syncthreads(); *AT(n) = 1; C[t] = n;"),
}


@pytest.mark.parametrize(("before", "body"), HIDDEN.values(), ids=HIDDEN.keys())
def test_that_what_a_macro_or_a_helper_hides_is_refused(thread_loops: Translate, before: str, body: str) -> None:
    with pytest.raises(NotLoopableError):
        thread_loops(body, before.replace("#define", "#if 1\n#define") + "\n#endif" * ("#define" in before))


@pytest.mark.parametrize("name", [name for name in HIDDEN if "macro" in name])
def test_that_a_plain_macro_hides_nothing(thread_loops: Translate, name: str) -> None:
    before, body = HIDDEN[name]
    text = thread_loops(body, before)
    assert "#define" not in text
    assert regions(text) == 2


REASONS = {
    "in line 5, 't' may differ between threads": S + "__syncthreads();\nif (t > 3) return;\n__syncthreads();",
    "line 5 has a barrier, or a jump past one, inside a switch": S + "\nswitch (K) { case 1: __syncthreads(); }",
    "line 4 jumps with goto": S + "goto end; end: ; __syncthreads();",
    "line 5 chooses between statements with #if": S + "s[t] = 1;\n#if 1\n__syncthreads();\n#endif\n",
}


@pytest.mark.parametrize("reason", REASONS)
def test_that_a_reason_names_the_line(thread_loops: Translate, reason: str) -> None:
    with pytest.raises(NotLoopableError, match=re.escape(reason)):
        thread_loops(REASONS[reason])


JOINT = {
    "a do loop": ("do { __syncthreads(); } while (K-- > 0);", "do {", " while (K-- > 0);"),
    "a break": ("while (1) { if (K > 3) break; __syncthreads(); }", "if (K > 3)", "break;"),
    "a continue": ("for (;; ++K) { if (K > 3) { continue; } __syncthreads(); }", "if (K > 3)", "continue;"),
    "a return": ("if (blockIdx.x > 3) return; __syncthreads();", "if ((blockIdx.x > 3))", "goto gv_done;"),
}


@pytest.mark.parametrize("name", JOINT)
def test_that_a_jump_that_all_threads_take_stands_outside_their_loops(thread_loops: Translate, name: str) -> None:
    body, *expected = JOINT[name]
    text = thread_loops("__shared__ float s[8];\n" + body)
    for line in expected:
        assert line.replace("((", "(").replace("))", ")") in text
    assert regions(text) == 0
    assert text.count("gv_done:;") == (name == "a return")


def test_that_each_thread_may_leave_after_the_last_barrier(thread_loops: Translate) -> None:
    text = thread_loops(S + USE + "int row = t * 2, half = K / 2; if (row > half) return; half += 1; C[row] = half;")
    assert text.count("goto gv_next;") == text.count("gv_next:;") == 1
    assert "gv_done" not in text
    assert regions(text) == 2


def regions(text: str) -> int:
    return text.count("GV_FOR_EACH_THREAD {")


def test_that_every_barrier_ends_a_loop_over_the_threads(thread_loops: Translate) -> None:
    assert regions(thread_loops("C[threadIdx.x] = 1;")) == 1
    assert regions(thread_loops(S + USE)) == 2
    assert regions(thread_loops(S + USE + "__syncthreads();" + USE)) == 4


def test_that_a_uniform_variable_stays_one(thread_loops: Translate) -> None:
    text = thread_loops(S + "int base = 0; s[t] = base; __syncthreads(); base += K; C[base] = s[t];")
    assert "\nint base = 0;\n" in text
    assert "\nbase += K;\n" in text
    assert "base_" not in text


def test_that_an_index_is_computed_again_and_not_stored(thread_loops: Translate) -> None:
    text = thread_loops(S + "const int row = 4 * t + M; s[t] = row; __syncthreads(); C[row] = s[t];")
    assert text.count("row = 4 * t + M;") == 2
    assert "GV_THREADS]" not in text


def test_that_a_sum_has_a_place_for_each_thread(thread_loops: Translate) -> None:
    text = thread_loops(S + "float acc = 0, other = 1; acc += A[t] * other; __syncthreads(); C[t] = acc;")
    assert text.count("[GV_THREADS];") == 1
    assert "other = 1;" in text


def test_that_what_is_given_a_loaded_value_is_not_uniform(thread_loops: Translate) -> None:
    text = thread_loops(S + "int n = A[0]; __syncthreads(); C[t] = n;")
    assert "[GV_THREADS]" in text


def test_that_a_pointer_to_a_private_array_keeps_the_array(thread_loops: Translate) -> None:
    text = thread_loops(S + "float x[2] = {1, 2}; float *p = x; __syncthreads(); C[t] = p[1];")
    assert text.count("[GV_THREADS]") == 2


def test_that_returns_go_to_the_next_thread_where_there_is_no_barrier(thread_loops: Translate) -> None:
    text = thread_loops("for (;;) { if (threadIdx.x > M) return; return; }")
    assert text.count("goto gv_next;") == 2
    assert text.count("gv_next:;") == 1


def test_that_the_body_of_a_commented_else_is_kept(thread_loops: Translate) -> None:
    text = thread_loops(S + "if (K > 1) { __syncthreads(); } else /* why */ { s[t] = 7; __syncthreads(); }")
    assert "s[t] = 7;" in text


def test_that_a_value_from_a_cast_keeps_its_parentheses(thread_loops: Translate) -> None:
    text = thread_loops(
        S + "float4 v = *reinterpret_cast<const float4 *>(&A[4 * t]), w = v; __syncthreads(); C[t] = v.x + w.y;"
    )
    assert "*((__global const float4 *)(&A[4 * t]));" in text


def test_that_an_element_taken_by_itself_is_the_threads_own(thread_loops: Translate) -> None:
    text = thread_loops(
        S + "float r[2] = {1, 2}; __syncthreads(); float x = r[1], y = 2; __syncthreads(); C[t] = x + r[0];"
    )
    assert "[1][GV_THREAD]" in text
    assert "[0][GV_THREAD]" in text


def test_that_an_array_whose_address_is_taken_lies_in_one_piece(thread_loops: Translate) -> None:
    text = thread_loops(S + "float r[2] = {1, 2}; float *p = &(r[0]); __syncthreads(); C[t] = p[1];")
    assert "[GV_THREADS][2];" in text


def test_that_dynamic_shared_memory_of_the_file_is_an_array_of_the_block(thread_loops: Translate) -> None:
    text = thread_loops("row[threadIdx.x] = A[0]; __syncthreads(); C[0] = row[1];", "extern __shared__ float row[];")
    assert "GV_SHARED_ARRAY float row[16 / sizeof(float)];" in text
    assert "extern" not in text


def test_that_a_function_of_cuda_alone_is_named_with_its_line(thread_loops: Translate) -> None:
    with pytest.raises(CompileError, match=r"^mine\.cu:4:\d+: atomicAdd is beyond the CUDA C"):
        thread_loops("\natomicAdd(&C[0], 1.0f);")
