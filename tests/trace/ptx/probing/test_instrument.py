"""The text that records itself: what was there stays, what is added assembles."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path

import pytest

from gemmviz.backends.cuda.ptx import AssemblyError, assemble
from gemmviz.compiler.nvidia.tools import find_tool
from gemmviz.trace.ptx.probing.instrument import InstrumentedPtx, instrument_ptx
from gemmviz.trace.ptx.probing.sites import sites_of

DATA = Path(__file__).parents[3] / "data" / "ptx"
Module = Callable[[str], str]

EVERYTHING = """\
@%p1 ld.global.v4.f32 {%f2, %f3, %f4, %f5}, [%rd4+16];
@!%p1 st.shared.f32 [%r3+4], %f1;
cp.async.ca.shared.global [%r2], [%rd1], 4, %r1;
cp.async.ca.shared.global [%r2], [%rd1], 4, 0;
cp.async.cg.shared.global [%r2], [%rd1], 16, 16;
{ .reg .pred p; setp.eq.s32 p, %r1, 0; cp.async.ca.shared.global [%r2], [%rd1], 8, p; }
ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%r4, %r5, %r6, %r7}, [%r2];
wmma.load.a.sync.aligned.row.m16n16k8.shared.tf32 {%r4, %r5, %r6, %r7}, [%r2], 36;
wmma.load.a.sync.aligned.row.m16n16k8.tf32 {%r4, %r5, %r6, %r7}, [%rd4+64], %r1;
st.f32 [%rd1+-4], %f1;
cp.async.bulk.tensor.2d.shared::cluster.global.mbarrier::complete_tx::bytes [%r2], [%rd2, {%r4, -8}], [%r3];
cp.async.bulk.tensor.2d.shared::cluster.global.mbarrier::complete_tx::bytes.multicast::cluster [%r2], [%rd2, {%r4, %r5}], [%r3], %rs1;
{
.reg .pred over;
again:
mbarrier.try_wait.parity.shared::cta.b64 over, [%r3], %r1;
@!over bra again;
}
mbarrier.arrive.expect_tx.shared::cta.b64 _, [%r3], 64;
{
.reg .b32 there;
mapa.shared::cluster.u32 there, %r3, %r1;
mbarrier.arrive.shared::cluster.b64 _, [there];
}
atom.global.add.u32 %r4, [%rd4], 1;
bar.sync 0;
bar.sync 1, 64;
barrier.cluster.arrive.aligned;
barrier.cluster.wait.aligned;"""  # noqa: E501


def made(text: str, symbol: str = "kernel") -> InstrumentedPtx:
    return instrument_ptx(text, symbol, "kernel.cu")


def without_what_was_added(text: str) -> str:
    text = re.sub(r"\n(?:\.visible \.global \.align 8 \.u64 gv_\w+;\n)+", "", text)
    text = re.sub(r"\n\.reg \.b64 %gv_cell;\n\{ [^}]*\}\n", "", text)
    return re.sub(r"\{ \.reg \.pred %gv_[^{}]*(?:\{[^{}]*\}[^{}]*)*\n\}\n", "", text)


@pytest.mark.parametrize("name", ["naive", "tiled", "tiled_padded", "warp_tiled"])
def test_that_every_byte_of_the_kernel_stays(name: str) -> None:
    text = (DATA / f"{name}.ptx").read_text()
    changed = made(text, f"sgemm_{name}").text
    assert len(changed) > 2 * len(text)
    assert without_what_was_added(changed) == text


def test_that_every_value_has_a_number_of_its_own(module: Module) -> None:
    found = made(module(EVERYTHING))
    numbers = [probe.first + i for probe in found.probed.probes for i in range(len(probe.found.values))]
    assert numbers == list(range(len(numbers)))
    assert [f"mov.u32 %gv_word, {number};" in found.text for number in numbers] == [True] * len(numbers)


def test_that_recording_adds_no_branch(module: Module) -> None:
    text = module(EVERYTHING)
    assert made(text).text.count("bra ") == text.count("bra ")


@pytest.fixture
def ptxas() -> None:
    if find_tool("ptxas") is None:
        pytest.skip("ptxas is not installed")


@pytest.mark.usefixtures("ptxas")
def test_that_the_assembler_takes_every_kind_of_access(module: Module) -> None:
    cubin, _, log = assemble(made(module(EVERYTHING)).text, "sm_90a")
    assert cubin[:4] == b"\x7fELF"
    assert "warning" not in log


@pytest.mark.usefixtures("ptxas")
@pytest.mark.parametrize("name", ["naive", "tiled", "tiled_padded", "warp_tiled"])
@pytest.mark.parametrize("target", ["sm_75", "sm_80", "sm_90"])
def test_that_the_assembler_takes_it_for_old_and_new_gpus(name: str, target: str) -> None:
    text = (DATA / f"{name}.ptx").read_text().replace(".target sm_90", f".target {target}")
    if target == "sm_75":
        assert target not in made(text, f"sgemm_{name}").text.replace(f".target {target}", "")
    assert assemble(made(text, f"sgemm_{name}").text, target)[0][:4] == b"\x7fELF"


@pytest.mark.usefixtures("ptxas")
def test_that_what_the_assembler_says_is_told(module: Module) -> None:
    with pytest.raises(AssemblyError, match=r"ptxas does not take .*instruction: 'nothing'"):
        assemble(module("nothing.known %r1;"), "sm_90a")


@pytest.mark.usefixtures("ptxas")
def test_that_a_function_that_was_not_inlined_records_too(module: Module) -> None:
    """Its parameter points where the caller's argument does."""
    function = """\
.func (.param .b32 func_retval0) fetch(
\t.param .b64 fetch_param_0
)
{
\t.reg .f32 %f<3>;
\t.reg .b64 %rd<3>;
\tld.param.u64 %rd1, [fetch_param_0];
\tld.global.f32 %f1, [%rd1+4];
\tst.param.f32 [func_retval0+0], %f1;
\tret;
}

.visible .entry kernel("""
    call = """\
{ // callseq 0, 0
\t.param .b64 param0;
\tst.param.b64 [param0+0], %rd4;
\t.param .b32 retval0;
\tcall.uni (retval0), fetch, (param0);
\tld.param.f32 %f2, [retval0+0];
}
st.global.f32 [%rd1], %f2;"""
    text = module(call).replace(".visible .entry kernel(", function)
    found = made(text)
    assert assemble(found.text, "sm_90a")[0][:4] == b"\x7fELF"
    sites = {(site.kind.value, site.array) for site in sites_of(found.probed).sites}
    assert sites == {("load", "C"), ("store", "A")}
