"""What is written down of each instruction, and to which variable it is counted."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from gemmviz.machine.ptx.parse import Statement, parse
from gemmviz.machine.ptx.variables import variable_name
from gemmviz.trace.ptx.probing.accesses import Found, Unseen, What, find
from gemmviz.trace.ptx.probing.instrument import instrument_ptx
from gemmviz.trace.ptx.probing.sites import Sites, sites_of

Module = Callable[[str], str]


def sites(text: str) -> Sites:
    return sites_of(instrument_ptx(text, "kernel", "kernel.cu").probed)


def words(found: Sites) -> list[str]:
    return [f"{s.kind.value} {s.space.value} {s.width_bytes} {s.array} {s.path.value}" for s in found.sites]


def last(text: str) -> Statement:
    return parse(text, "kernel.cu").functions[0].statements[-2]


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        ("ld.global.f32 %f2, [%rd4];", ["load global 4 C load/store"]),
        ("ld.global.nc.v4.f32 {%f2, %f3, %f4, %f5}, [%rd4+16];", ["load global 16 C load/store"]),
        ("st.global.cs.v2.f32 [%rd4+-8], {%f1, %f1};", ["store global 8 C load/store"]),
        ("st.shared.u8 [%r3+3], %rs1;", ["store shared 1 As load/store"]),
        ("ld.volatile.shared.f32 %f2, [_ZZ6kernelE2As+8];", ["load shared 4 As load/store"]),
        ("ld.f32 %f2, [%rd1];", ["load global 4 A load/store"]),
        ("cvt.u64.u32 %rd5, %r2; cvta.shared.u64 %rd6, %rd5; st.f32 [%rd6], %f1;", ["store shared 4 tiles load/store"]),
        (
            "cp.async.cg.shared.global [%r2], [%rd1], 16;",
            ["load global 16 A asynchronous copy", "store shared 16 tiles asynchronous copy"],
        ),
        ("ldmatrix.sync.aligned.m8n8.x2.shared.b16 {%r4, %r5}, [%r2];", ["load shared 16 tiles load/store"]),
        (
            "wmma.load.a.sync.aligned.row.m16n16k8.shared.tf32 {%r4, %r5, %r6, %r7}, [%r2], %r1;",
            ["load shared 16 tiles warp tile"],
        ),
        ("atom.global.add.u32 %r4, [%rd4], 1;", ["store global 4 C atomic"]),
        ("red.shared.add.f32 [%r3], %f1;", ["store shared 4 As atomic"]),
        (
            "cp.async.bulk.tensor.2d.shared::cluster.global.mbarrier::complete_tx::bytes "
            "[%r2], [%rd2, {%r4, 0}], [%r3];",
            ["load global 16 B copy engine", "store shared 16 tiles copy engine"],
        ),
    ],
)
def test_that_an_access_has_its_kind_width_variable_and_way(module: Module, body: str, expected: list[str]) -> None:
    assert words(sites(module(body))) == expected


@pytest.mark.parametrize(
    "body",
    [
        "ld.param.u32 %r4, [kernel_param_3];",
        "ld.local.f32 %f2, [%rd4];",
        "ld.const.f32 %f2, [%rd4];",
        "fence.proxy.async.shared::cta;",
        "add.s32 %r4, %r1, 1;",
        "mbarrier.init.shared::cta.b64 [%r3], 1;",
        "wgmma.fence.sync.aligned;",
    ],
)
def test_that_what_touches_no_recorded_memory_is_left_alone(module: Module, body: str) -> None:
    assert find(last(module(body))) is None


@pytest.mark.parametrize(
    ("body", "what"),
    [
        ("bar.sync 0;", What.BARRIER),
        ("barrier.sync.aligned 0;", What.BARRIER),
        ("bar.sync 2, 128;", What.NAMED_BARRIER),
        ("bar.warp.sync -1;", What.WARP_BARRIER),
        ("barrier.cluster.wait.aligned;", What.BARRIER),
        ("barrier.red.popc.u32 %r4, 0, %p1;", What.BARRIER),
        ("mbarrier.arrive.expect_tx.shared::cta.b64 _, [%r3], 64;", What.ARRIVE),
        ("mbarrier.arrive.shared::cluster.b64 _, [%r3];", What.ARRIVE),
    ],
)
def test_that_steps_at_barriers_are_told_apart(module: Module, body: str, what: What) -> None:
    found = find(last(module(body)))
    assert isinstance(found, Found)
    assert (found.what, found.after) == (what, False)


def test_that_a_wait_is_written_down_when_it_is_over(module: Module) -> None:
    found = find(last(module("mbarrier.try_wait.parity.shared::cta.b64 %p2, [%r3], %r1;")))
    assert isinstance(found, Found)
    assert (found.what, found.after, found.guard) == (What.WAIT, True, "%p2")
    assert [value.operand for value in found.values] == ["[%r3]", "%r1"]


def test_that_an_operand_in_registers_is_no_access(module: Module) -> None:
    opcode = "wgmma.mma_async.sync.aligned.m64n8k8.f32.tf32.tf32 {%f1,%f2,%f3,%f4}"
    in_memory, in_registers = (
        find(last(module(f"{opcode}, {a}, %rd6, %p1, 1, 1;"))) for a in ("%rd5", "{%r4,%r5,%r6,%r7}")
    )
    assert isinstance(in_memory, Found)
    assert isinstance(in_registers, Found)
    assert [value.operand for value in in_memory.values] == ["%rd5", "%rd6"]
    assert in_memory.shape == (0, 64, 4, 0, 1, 8, 4, 0)
    assert [value.operand for value in in_registers.values] == ["%rd6"]


@pytest.mark.parametrize(
    "body",
    [
        "cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%r2], [%rd4], 64, [%r3];",
        "cp.async.bulk.tensor.2d.global.shared::cta.bulk_group [%rd2, {%r4, %r5}], [%r2];",
        "ld.shared::cluster.u32 %r4, [%r3];",
    ],
)
def test_that_what_cannot_be_recorded_is_named(module: Module, body: str) -> None:
    assert isinstance(find(last(module(body))), Unseen)
    (skipped,) = sites(module(body)).skipped
    assert (skipped.line, skipped.text) == (7, body.split()[0])


def test_that_a_generic_address_of_unknown_space_has_a_site_in_each(module: Module) -> None:
    found = sites(module("ld.global.u64 %rd5, [%rd4];\nld.f32 %f2, [%rd5];"))
    assert words(found) == ["load global 8 C load/store", "load shared 4  load/store", "load global 4  load/store"]
    assert (found.skipped, found.in_global) == ((), {1: 2})


def test_that_a_pointer_chosen_among_two_has_no_name(module: Module) -> None:
    assert words(sites(module("selp.b64 %rd5, %rd1, %rd4, %p1;\nld.global.f32 %f2, [%rd5];"))) == [
        "load global 4  load/store"
    ]


def test_that_inlined_calls_are_at_the_innermost_line_of_the_kernels_own_file(module: Module) -> None:
    body = """\
.loc 1 30 5
.loc 1 12 4, function_name $L__info_string0, inlined_at 1 30 5
.loc 2 99 1, function_name $L__info_string1, inlined_at 1 12 4
ld.global.f32 %f2, [%rd4];
.loc 1 0 4
st.global.f32 [%rd4], %f2;
.loc 1 31 2
st.global.f32 [%rd4], %f2;"""
    assert [(site.line, site.column, site.kind.value) for site in sites(module(body)).sites] == [
        (12, 4, "load"),
        (12, 4, "store"),
        (31, 2, "store"),
    ]


def test_that_registers_in_braces_hide_those_outside(module: Module) -> None:
    """Two pieces of inline assembly use one name for pointers to different arrays."""
    body = "\n".join(
        f"{{ .reg .u64 to; add.s64 to, {base}, 4; st.global.f32 [to], %f1; }}" for base in ("%rd1", "%rd4")
    )
    assert [site.array for site in sites(module(body)).sites] == ["A", "C"]


@pytest.mark.parametrize(
    ("symbol", "name"),
    [("_ZZ11sgemm_tiledE2As", "As"), ("tiles", "tiles"), ("_ZZN2ns1kEPfE4sums_0", "sums"), ("_ZN2ns5tableE", "table")],
)
def test_that_a_shared_variable_has_the_name_of_the_source(symbol: str, name: str) -> None:
    assert variable_name(symbol) == name
