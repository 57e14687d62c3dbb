"""Calls by pointer: tables, virtual functions, results, and lanes that call different functions."""

from __future__ import annotations

import ctypes
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
from ptx_instructions import kernel, run_kernel

from gemmviz.compiler.nvidia.nvrtc import compile_cuda
from gemmviz.compiler.source import Source
from gemmviz.domain.terms import CodeForm, Language
from gemmviz.machine.faults import KernelFaultError
from gemmviz.machine.launch import MachineLaunch
from gemmviz.machine.memory import Array
from gemmviz.machine.program import compile_ptx

SOURCE = Path(__file__).with_name("calls_by_pointer.cu")
FORMS = pytest.mark.parametrize("form", CodeForm)
THREADS = 64


def _run(entry: str, form: CodeForm, result: type[np.generic], *numbers: int, per_thread: int = 1) -> np.ndarray:
    """What the threads of one block of a kernel of SOURCE store, a row for each."""
    source = Source(SOURCE, SOURCE.read_text(), entry, Language.CUDA)
    code = compile_cuda(source, "sm_90a", form)
    assert ".callprototype" in code.ptx
    out = Array(np.dtype(result).itemsize * THREADS * per_thread, "out")
    MachineLaunch(compile_ptx(code.ptx, code.symbol, "kernel.cu"), (1, 1, 1), (THREADS, 1, 1), [out, *numbers]).run(60)
    return out.view(result).reshape(THREADS, per_thread)


@FORMS
@pytest.mark.usefixtures("nvrtc")
def test_that_lanes_call_the_functions_of_a_table_in_a_loop(form: CodeForm) -> None:
    table = (lambda a, b: a + b, lambda a, b: a * b, lambda a, b: a - b)

    def wanted(thread: int) -> np.float32:
        value = np.float32(thread)
        for step in range(7):
            value = np.float32(table[(thread + step) % 3](value, np.float32(2)))
        return value

    assert _run("loop", form, np.float32, 7)[:, 0].tolist() == [wanted(thread) for thread in range(THREADS)]


@FORMS
@pytest.mark.usefixtures("nvrtc")
def test_that_results_of_every_width_come_back(form: CodeForm) -> None:
    found = _run("widths", form, np.int64, 1, per_thread=7)
    threads = np.arange(THREADS)
    signs = np.where(threads % 2 == 1, -1, 1)
    columns = [
        (signs * threads).astype(np.int8),
        (signs * threads * 300).astype(np.int16),
        signs * threads * 70_000,
        signs * threads * 2**40,
        signs * threads * 0.5 * 4,
        threads + signs,
        threads - 3 * signs,
    ]
    assert found.tolist() == np.stack([np.asarray(one, np.int64) for one in columns], axis=1).tolist()


@FORMS
@pytest.mark.usefixtures("nvrtc")
def test_that_virtual_functions_and_pointers_in_structures_are_called(form: CodeForm) -> None:
    threads = np.arange(THREADS)
    wanted = np.where(threads % 3 == 1, 3 * threads, threads + 1) + np.where(threads % 2 == 1, threads * 2, threads + 2)
    wanted = wanted + 1000 * np.where(threads % 2 == 1, threads + 1, threads - 1)
    assert _run("tables", form, np.float64, 1)[:, 0].tolist() == wanted.tolist()


@FORMS
@pytest.mark.usefixtures("nvrtc")
def test_that_functions_called_by_pointer_call_others_by_pointer_and_meet_in_shuffles(form: CodeForm) -> None:
    threads = np.arange(THREADS)
    sums = np.add.reduceat(threads, range(0, THREADS, 32)).repeat(32)
    wanted = np.where(threads % 2 == 1, 2 * (threads + sums), threads + sums)
    assert _run("nested", form, np.int32, 2)[:, 0].tolist() == wanted.tolist()


@FORMS
@pytest.mark.usefixtures("nvrtc")
def test_that_a_thread_that_comes_to_call_the_function_it_is_in_is_told(form: CodeForm) -> None:
    line = next(i for i, text in enumerate(SOURCE.read_text().split("\n"), 1) if "// calls itself" in text)
    with pytest.raises(KernelFaultError, match=r"countdown.* comes to call itself, which is not implemented") as found:
        _run("itself", form, np.int32, 3)
    assert found.value.place.line == line


_TWICE = """
.file 1 "k.cu"
.func (.param .b32 result) twice(.param .b32 given)
{ .reg .b32 %r<3>; ld.param.u32 %r1, [given]; add.u32 %r2, %r1, %r1; st.param.b32 [result], %r2; ret; }
.func (.param .b32 result) thrice(.param .b32 given)
{ .reg .b32 %r<3>; ld.param.u32 %r1, [given]; mul.lo.u32 %r2, %r1, 3; st.param.b32 [result], %r2; ret; }
.func (.param .b32 result) ends(.param .b32 given) { exit; }
.func nothing(.param .b64 given) { ret; }
"""
_UNTOUCHED = 77
_CALL = """
.reg .b32 %i, %r<9>; .reg .b64 %out, %at, %f, %g; .reg .pred %p;
ld.param.u64 %out, [p_out]; mov.u32 %i, %tid.x; mad.wide.u32 %at, %i, 4, %out; mov.u64 %f, twice;
{pointer}
.loc 1 7 0
{{ .param .b32 one; .param .b32 back; st.param.b32 [one], %i;
   {list} call (back), %f, (one), list; ld.param.b32 %r1, [back]; }}
activemask.b32 %r2; popc.b32 %r2, %r2; mad.lo.u32 %r1, %r2, 1000, %r1; st.global.u32 [%at], %r1;
"""
_PROTOTYPE = "list: .callprototype (.param .b32 _) _ (.param .b32 _);"


def _call(pointer: str, words: str = _PROTOTYPE, blocks: int = 1) -> list[int]:
    out = Array(4 * 32, "out")
    out.view(np.uint32)[:] = _UNTOUCHED
    text = kernel(_CALL.format(pointer=pointer, list=words), ".param .u64 p_out", _TWICE)
    run_kernel(text, [out], grid=(blocks, 1, 1))
    found: list[int] = out.view(np.uint32).tolist()
    return found


def test_that_lanes_meet_behind_a_call_of_different_functions() -> None:
    choice = "mov.u64 %g, thrice; and.b32 %r3, %i, 4; setp.eq.u32 %p, %r3, 0; selp.b64 %f, %f, %g, %p;"
    assert _call(choice) == [32_000 + lane * (3 if lane & 4 else 2) for lane in range(32)]
    assert _call(choice, "list: .calltargets twice, thrice;") == _call(choice)


@pytest.mark.parametrize(
    ("pointer", "words", "told"),
    [
        (
            "add.u64 %f, %f, 8;",
            _PROTOTYPE,
            r"line 7: a call by a pointer that holds 0xf00000000000\w+, which is the "
            r"address of no function \(thread \(0, 0, 0\) of block \(0, 0, 0\)\)",
        ),
        (
            "mov.u64 %f, 0;",
            _PROTOTYPE,
            "line 7: a call by a pointer that holds 0x0, which is the address of no function",
        ),
        (
            "mov.u64 %f, nothing;",
            _PROTOTYPE,
            "line 7: .* the address of nothing, whose parameters or results are not those of the call",
        ),
        ("mov.u64 %g, thrice;", "list: .calltargets thrice;", "line 7: .* the address of twice, whose"),
        (
            "@!%p bra behind; mov.u64 %f, 0; behind: setp.eq.u32 %p, %i, 3; @!%p bra joined; mov.u64 %f, 5; joined:",
            _PROTOTYPE,
            r"line 7: .* holds 0x5, .* \(thread \(3, 0, 0\)",
        ),
    ],
)
def test_that_a_pointer_to_no_function_of_the_type_is_a_fault(pointer: str, words: str, told: str) -> None:
    with pytest.raises(KernelFaultError, match=told):
        _call("setp.eq.u32 %p, %i, 99; " + pointer, words)


def test_that_threads_that_end_in_a_function_do_not_end_those_of_the_next_block() -> None:
    choice = "mov.u64 %g, ends; setp.lt.u32 %p, %i, 20; selp.b64 %f, %f, %g, %p;"
    assert _call(choice, blocks=16) == [20_000 + 2 * lane if lane < 20 else _UNTOUCHED for lane in range(32)]


@pytest.mark.parametrize(("guard", "called"), [("@%p", lambda lane: lane < 5), ("@!%p", lambda lane: lane >= 5)])
@pytest.mark.parametrize("function", ["%f", "twice"])
def test_that_only_the_lanes_call_whose_predicate_says_so(
    guard: str, called: Callable[[int], bool], function: str
) -> None:
    condition = "setp.lt.u32 %p, %i, 5;"
    text = kernel(_CALL.format(pointer=condition, list=_PROTOTYPE), ".param .u64 p_out", _TWICE)
    before = "st.param.b32 [one], %i;"
    text = text.replace(before, f"{before} st.param.b32 [back], 7;")
    text = text.replace("call (back), %f,", f"{guard} call (back), {function},")
    text = text if function == "%f" else text.replace("(one), list;", "(one);")
    out = Array(4 * 32, "out")
    run_kernel(text, [out])
    wanted = [32_000 + (2 * lane if called(lane) else 7) for lane in range(32)]
    assert out.view(np.uint32).tolist() == wanted


def test_that_lanes_that_meet_in_one_function_return_to_where_each_was_called() -> None:
    """A shuffle in the function makes the two splits one."""
    function = """
    .func (.param .b32 result) other(.param .b32 given)
    { .reg .b32 %r<3>; ld.param.u32 %r1, [given]; shfl.sync.bfly.b32 %r2, %r1, 1, 31, -1;
      st.param.b32 [result], %r2; ret; }
    """
    call = (
        "{{ .param .b32 one; .param .b32 back; st.param.b32 [one], %i; call.uni (back), other, (one); "
        "ld.param.b32 %r1, [back]; }} add.u32 %r1, %r1, {0};"
    )
    body = f"""
    .reg .b32 %i, %r<9>; .reg .b64 %out, %at; .reg .pred %p;
    ld.param.u64 %out, [p_out]; mov.u32 %i, %tid.x; mad.wide.u32 %at, %i, 4, %out;
    and.b32 %r3, %i, 1; setp.eq.u32 %p, %r3, 0; @%p bra even;
    {call.format(100)} bra joined;
    even: {call.format(200)}
    joined: st.global.u32 [%at], %r1;
    """
    out = Array(4 * 32, "out")
    run_kernel(kernel(body, ".param .u64 p_out", function), [out])
    assert out.view(np.uint32).tolist() == [(lane ^ 1) + (100 if lane % 2 else 200) for lane in range(32)]


def test_that_addresses_of_functions_are_no_memory() -> None:
    text = kernel(
        ".reg .b64 %rd<2>; .reg .b32 %r<2>; mov.u64 %rd1, twice; ld.u32 %r1, [%rd1];", ".param .u64 p_out", _TWICE
    )
    with pytest.raises(KernelFaultError, match="outside every array"):
        run_kernel(text, [Array(ctypes.sizeof(ctypes.c_uint32), "out")])
