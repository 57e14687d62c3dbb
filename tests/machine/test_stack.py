"""`alloca`: where memory lies, what is given back, and a stack that is full, against what an NVIDIA H100 did."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from ptx_instructions import kernel, run_kernel

from gemmviz.compiler.nvidia.nvrtc import compile_cuda
from gemmviz.compiler.source import Source
from gemmviz.domain.terms import CodeForm, Language
from gemmviz.machine.faults import KernelFaultError, NotImplementedInMachineError
from gemmviz.machine.launch import MachineLaunch
from gemmviz.machine.memory import Array
from gemmviz.machine.program import compile_ptx

SOURCE = Path(__file__).with_name("stack.cu")
H100 = (16776560, 16776608, 16776560, 16776560, 16776528, 16776512, 16776528, 16776528, 16776496, 16776464)
"""What `places` wrote there with 0, 20 and 33 bytes, compiled by nvcc 13.0 with the host's alloca.h."""
THREADS = 64
HEAD = ".reg .b64 %out, %at, %rd<9>; ld.param.u64 %out, [p_out];"


def run(entry: str, form: CodeForm, columns: int, *numbers: int, blocks: int = 1) -> np.ndarray:
    """What the threads of a kernel of SOURCE store, a row for each thread of a block."""
    source = Source(SOURCE, SOURCE.read_text(), entry, Language.CUDA)
    code = compile_cuda(source, "sm_90a", form)
    out = Array(4 * THREADS * columns, "out")
    program = compile_ptx(code.ptx, code.symbol, "kernel.cu")
    MachineLaunch(program, (blocks, 1, 1), (THREADS, 1, 1), [out, *numbers]).run(60)
    return out.view(np.int32).reshape(THREADS, columns)


@pytest.mark.parametrize("form", CodeForm)
@pytest.mark.usefixtures("nvrtc")
def test_that_memory_has_the_distances_that_it_has_on_a_gpu(form: CodeForm) -> None:
    """There the stack grows towards lower addresses, here towards higher ones."""
    found = run("places", form, 10, 0, 20, 33, blocks=3)
    assert (found == found[0]).all()
    first, second, third, none, *inner, one, two, three = found[0].tolist()
    assert none - first == 32 + 48 == H100[1] + 32 - H100[2]
    assert second == first
    assert third - second == 32 == H100[4] - H100[8]
    assert inner == [none, none, none]
    assert (two - one, three - two) == (32, 32) == (H100[7] - H100[8], H100[8] - H100[9])
    assert one == none


@pytest.mark.parametrize("form", CodeForm)
@pytest.mark.usefixtures("nvrtc")
def test_that_each_thread_has_memory_of_its_own_size(form: CodeForm) -> None:
    found = run("sums", form, 1, 3, 7, 0)
    wanted = [sum(thread * 1000 + i for i in range(thread % 7 * 4 + 3)) for thread in range(THREADS)]
    assert found[:, 0].tolist() == wanted


@pytest.mark.parametrize("form", CodeForm)
@pytest.mark.usefixtures("nvrtc")
def test_that_a_full_stack_is_told_where_a_gpu_faults(form: CodeForm) -> None:
    """On the H100 1,024 bytes are fine, and 1,152 an illegal address."""
    run("sums", form, 1, 256 - 24, 0, 0)
    words = r"alloca of 1\u202f028 bytes: a thread's stack has 1\u202f024 bytes"
    with pytest.raises(KernelFaultError, match=words) as found:
        run("sums", form, 1, 256 - 23, 0, 0)
    assert (found.value.place.line, found.value.thread) == (32, (6, 0, 0))


def test_that_a_saved_stack_is_restored() -> None:
    body = """
    alloca.u64 %rd1, 40, 16; stacksave.u64 %rd2; alloca.u64 %rd3, 8; stackrestore.u64 %rd2; alloca.u64 %rd4, 8;
    sub.u64 %rd5, %rd3, %rd1; sub.u64 %rd6, %rd4, %rd1; st.global.u64 [%out], %rd5; st.global.u64 [%out+8], %rd6;
    """
    out = Array(16, "out")
    run_kernel(kernel(HEAD + body, ".param .u64 p_out"), [out], block=(1, 1, 1))
    assert out.view(np.int64).tolist() == [48, 48]


def test_that_a_loop_that_takes_more_and_more_comes_to_an_end() -> None:
    body = "again: alloca.u64 %rd1, 64; st.local.u64 [%rd1], %out; bra again;"
    with pytest.raises(KernelFaultError, match="alloca of 64 bytes"):
        run_kernel(kernel(HEAD + body, ".param .u64 p_out"), [Array(16, "out")], limit_s=20)


def test_that_a_wide_alignment_is_refused() -> None:
    with pytest.raises(NotImplementedInMachineError, match="aligned to more than 16 bytes"):
        run_kernel(kernel(HEAD + "alloca.u64 %rd1, 64, 64;", ".param .u64 p_out"), [Array(16, "out")])
