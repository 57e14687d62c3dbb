"""Where the machine's arrays and the variables of a module lie, and what is said of an access outside them."""

from __future__ import annotations

import numpy as np
import pytest
from ptx_instructions import kernel, run_kernel

from gemmviz.machine.faults import KernelFaultError
from gemmviz.machine.memory import ALIGNMENT, GAP, Array
from gemmviz.machine.program import compile_ptx
from gemmviz.trace.ptx.decoding.expand import FAR


def test_that_every_array_lies_above_the_addresses_of_shared_memory_and_may_be_written() -> None:
    for nbytes in (0, 4, 1000, 1 << 22):
        made = Array(nbytes, "A")
        assert made.address - GAP >= FAR
        assert made.address % ALIGNMENT == 0
        made.bytes[:] = 7
        assert int(made.bytes.sum()) == 7 * nbytes


_VARIABLES = """
.file 1 "k.cu"
.const .align 4 .f32 weights[8] = {1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0};
.global .align 4 .b8 _ZZ1kE5table[24];
"""


@pytest.mark.parametrize(
    ("address", "first", "access", "told"),
    [
        ("weights", 0, "ld.const.f32", r"line 7: ld.const.f32 of weights\[8\], but weights has 8 elements of 4 bytes"),
        ("weights", -1, "ld.const.f32", r"of weights\[-1\], but weights has 8 elements"),
        ("_ZZ1kE5table", 0, "ld.global.f32", r"ld.global.f32 of table\[6\], but table has 6 elements of 4 bytes"),
        ("_ZZ1kE5table", 0, "ld.f32", r"ld.f32 of table\[6\], but table has 6 elements"),
    ],
)
def test_that_an_access_outside_a_variable_of_the_module_names_it_and_the_index(
    address: str, first: int, access: str, told: str
) -> None:
    convert = "const" if address == "weights" else "global"
    body = f"""
    .reg .b32 %i; .reg .b64 %at, %x; .reg .f32 %f;
    mov.u32 %i, %tid.x; mov.u64 %at, {address};
    {"" if access != "ld.f32" else f"cvta.{convert}.u64 %at, %at;"}
    mad.wide.s32 %x, %i, 4, %at; add.s64 %x, %x, {4 * first};
    .loc 1 7 0
    {access} %f, [%x];
    """
    with pytest.raises(KernelFaultError, match=told) as found:
        run_kernel(kernel(body, "", _VARIABLES), [])
    assert found.value.thread is not None
    assert found.value.thread[0] == (0 if first < 0 else 8 if convert == "const" else 6)


@pytest.mark.parametrize("access", ["ld.local.f32", "ld.f32"])
def test_that_an_access_beyond_the_memory_of_a_thread_says_where_that_ends(access: str) -> None:
    """The last thread of the block reads 64 bytes from the beginning of its own, which are 32."""
    body = f"""
    .local .align 16 .b8 own[32]; .reg .b32 %i; .reg .b64 %at; .reg .f32 %f; .reg .pred %p;
    mov.u32 %i, %tid.x; setp.ne.u32 %p, %i, 31; @%p bra ends; mov.u64 %at, own;
    {"cvta.local.u64 %at, %at;" if access == "ld.f32" else ""} add.u64 %at, %at, 64;
    {access} %f, [%at];
    ends: ret;
    """
    with pytest.raises(KernelFaultError) as found:
        run_kernel(kernel(body, ""), [])
    assert found.value.words == f"{access} at byte 64 of the thread's local memory, which has 32"
    assert found.value.thread == (31, 0, 0)


def test_that_the_shared_memory_of_the_system_is_shared_and_apart_from_the_blocks_own() -> None:
    body = """
    .reg .b32 %i, %r, %s; .reg .b64 %at, %out, %big; .reg .pred %p;
    ld.param.u64 %out, [p_out]; mov.u32 %i, %tid.x; mov.u32 %r, %reserved_smem_offset_1;
    cvt.u64.u32 %at, %r; cvta.shared.u64 %at, %at; mad.wide.u32 %at, %i, 4, %at; st.u32 [%at], %i;
    bar.sync 0; isspacep.shared %p, %at; selp.u32 %s, 100, 0, %p;
    xor.b32 %r, %i, 1; mul.wide.u32 %big, %i, 4; sub.u64 %at, %at, %big; mad.wide.u32 %at, %r, 4, %at;
    ld.u32 %r, [%at]; add.u32 %r, %r, %s; mad.wide.u32 %out, %i, 4, %out; st.global.u32 [%out], %r;
    """
    out = Array(4 * 64, "out")
    run_kernel(kernel(body, ".param .u64 p_out", ".shared .align 4 .b8 own[100];"), [out], block=(64, 1, 1))
    assert out.view(np.uint32).tolist() == [100 + (thread ^ 1) for thread in range(64)]


def test_that_a_full_address_is_in_the_window_of_its_space_only() -> None:
    """Parameters are in that of global memory as well: PTX ISA, "Generic Addressing"."""
    spaces = ("const", "global", "local", "shared", "shared::cta", "shared::cluster", "param::entry")
    asked = "\n".join(
        f"isspacep.{space} %p, %at; selp.u32 %s, {1 << bit}, 0, %p; or.b32 %found, %found, %s;"
        for bit, space in enumerate(spaces)
    )
    looked = "\n".join(
        f"mov.u32 %found, 0;\n{given}\n{asked}\nst.global.u32 [%out+{4 * place}], %found;"
        for place, given in enumerate(
            (
                "mov.u64 %at, weights; cvta.const.u64 %at, %at; add.u64 %at, %at, 28;",
                "mov.u64 %at, table; cvta.global.u64 %at, %at;",
                "mov.u64 %at, %out;",
                "mov.u64 %at, mine; cvta.local.u64 %at, %at;",
                "mov.u64 %at, ours; cvta.shared.u64 %at, %at;",
                "mov.u64 %at, p_out; cvta.param.u64 %at, %at; add.u64 %at, %at, 7;",
                "mov.u64 %at, 0;",
            )
        )
    )
    body = f"""
    .reg .b32 %s, %found; .reg .b64 %at, %out; .reg .pred %p; .local .align 4 .b8 mine[4];
    ld.param.u64 %out, [p_out];
    {looked}
    """
    variables = """.const .align 4 .b8 first[4]; .global .align 4 .b8 table[4]; .const .align 4 .b8 weights[32];
    .shared .align 4 .b8 ours[4];"""
    out = Array(4 * 7, "out")
    run_kernel(kernel(body, ".param .u64 p_out", variables), [out], block=(1, 1, 1))
    is_const, is_global, is_local, is_shared, is_param = 1, 2, 4, 8 + 16 + 32, 64
    expected = [is_const, is_global, is_global, is_local, is_shared, is_global + is_param, is_global]
    assert out.view(np.uint32).tolist() == expected


OF_TWO_KERNELS = """.version 8.0
.target sm_80
.address_size 64
.shared .align 4 .b8 _ZZ2mmILi8EEvvE2As[256];
.shared .align 4 .b8 _ZZ2mmILi16EEvvE2As[1024];
.func fill8() { .reg .b64 %d; mov.u64 %d, _ZZ2mmILi8EEvvE2As; st.shared.u32 [%d], 1; ret; }
.func fill16() { .reg .b64 %d; mov.u64 %d, _ZZ2mmILi16EEvvE2As; st.shared.u32 [%d+4], 1; ret; }
.visible .entry k8() { call.uni fill8, (); ret; }
.visible .entry k16() { call.uni fill16, (); ret; }
"""


@pytest.mark.parametrize(("entry", "symbol", "nbytes"), [("k8", "ILi8", 256), ("k16", "ILi16", 1024)])
def test_that_a_kernel_has_the_shared_arrays_that_it_uses_and_not_those_of_another_one(
    entry: str, symbol: str, nbytes: int
) -> None:
    program = compile_ptx(OF_TWO_KERNELS, entry, "two.cu", None, level=0)
    assert program.static_shared_bytes == nbytes
    ((name, place),) = program.shared_places.items()
    assert (symbol in name, place) == (True, 0)
