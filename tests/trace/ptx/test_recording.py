"""PTX that records itself, run by the PTX machine: C is right, and what is recorded is what the source touches."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Sequence
from functools import cache
from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray
from quick_machine import QuickMachine

from gemmviz.backends.base import Argument, Compiled, Pending
from gemmviz.backends.cuda import recorder as cuda_recorder
from gemmviz.backends.cuda.recorder import cuda_recorder_for
from gemmviz.backends.machine.device import MachineDevice
from gemmviz.backends.machine.recorder_factory import machine_recorder_for
from gemmviz.backends.ptx_recorder import PtxRecorder, source_of
from gemmviz.catalogue.gpus import PREFERRED, find_gpu
from gemmviz.catalogue.kernel import Kernel, Plan
from gemmviz.catalogue.loader import load_catalogue, load_user_kernel
from gemmviz.domain.operands import make_operands
from gemmviz.domain.recordings.access import BARRIER_SITE, INACTIVE
from gemmviz.domain.shape import Shape
from gemmviz.domain.spec import Launch
from gemmviz.domain.terms import CodeForm, Fill, Language
from gemmviz.trace.analyse import Analysis, analyse
from gemmviz.trace.ptx.decoding.totals import totals_of
from gemmviz.trace.recorder import Recorder
from gemmviz.trace.refusal import RecordingRefusal
from gemmviz.trace.repeats import Recorded, whole_trace

DATA = Path(__file__).parents[2] / "data" / "ptx"
FOREIGN = DATA.parent / "foreign"
CATALOGUE = load_catalogue()
KERNELS = {
    "naive": {"THREAD": 4},
    "tiled": {"TILE": 8},
    "tiled_padded": {"TILE": 8},
    "warp_tiled": {"BM": 64, "BN": 64, "TM": 4, "TN": 4},
}
"""The parameters that the PTX in DATA was compiled with: nvcc 13.0 -arch=compute_90 -std=c++17 -O3 -lineinfo."""
ODD = Shape(13, 17, 9)
Multiset = Counter[tuple[str, str, int]]
"""Of kind, array, and byte from the array's start."""


def planned(name: str, shape: Shape) -> Plan:
    kernel = CATALOGUE.get(name)
    return kernel.plan(shape, kernel.params(KERNELS[name]), find_gpu(PREFERRED))


def text_of(name: str) -> str:
    return (DATA / f"{name}.ptx").read_text()


def compiled(name: str, shape: Shape, change: Callable[[str], str] = str) -> tuple[PtxRecorder, QuickMachine]:
    """A recorder of a kernel's PTX, changed."""
    device = QuickMachine(change(text_of(name)))
    operands = make_operands(shape, Fill.INTEGERS, 3)
    plan, form = planned(name, shape), CodeForm.AS_COMPILED
    return cuda_recorder_for(device, CATALOGUE.get(name), plan, shape, operands, 60.0, form), device


def as_written(machine: MachineDevice, name: str, shape: Shape) -> Recorder:
    operands = make_operands(shape, Fill.INTEGERS, 3)
    plan = planned(name, shape)
    return machine_recorder_for(machine, CATALOGUE.get(name), plan, shape, operands, 60.0, CodeForm.AS_WRITTEN)


def whole_grid(recorder: Recorder) -> NDArray[np.int32]:
    return np.arange(int(np.prod(recorder.grid)), dtype=np.int32)


def touched(recorder: Recorder) -> Multiset:
    found: Multiset = Counter()
    for trace in recorder.blocks(whole_grid(recorder)):
        for site in trace.sites:
            lanes = trace.addresses[:, trace.slot_site == site.index]
            for address in lanes[lanes != INACTIVE].tolist():
                (array,) = (array for array in trace.arrays if 0 <= address - array.base < array.nbytes)
                for word in range(0, site.width_bytes, 4):
                    found[site.kind.value, array.name, address - array.base + word] += 1
    return found


@pytest.fixture(scope="module")
def together() -> Callable[[str, Shape], Multiset]:
    """What compiled code touches whose lanes stay together, recorded once for each size."""

    @cache
    def make(name: str, shape: Shape) -> Multiset:
        return touched(compiled(name, shape)[0])

    return make


@pytest.mark.parametrize("name", KERNELS)
def test_that_a_recorded_kernel_computes_what_it_always_does(name: str) -> None:
    recorder, _ = compiled(name, ODD)
    for _ in recorder.batches(np.array([0], np.int32)):
        pass
    operands = make_operands(ODD, Fill.INTEGERS, 3)
    assert np.array_equal(recorder.c[0], operands.a @ operands.b)


@pytest.mark.parametrize("name", KERNELS)
@pytest.mark.parametrize("shape", [ODD, Shape(1, 1, 1), Shape(5, 3, 21)], ids=str)
def test_that_compiled_code_touches_what_its_source_does(
    machine: MachineDevice, together: Callable[[str, Shape], Multiset], name: str, shape: Shape
) -> None:
    seen = together(name, shape)
    assert seen.total() > 0
    assert seen == touched(as_written(machine, name, shape))


@pytest.mark.parametrize("name", KERNELS)
def test_that_scalar_accesses_make_the_requests_of_the_source(machine: MachineDevice, name: str) -> None:
    """nvcc leaves the merging of these kernels' scalar accesses to the assembler, so figures are the source's."""
    recorder, _ = compiled(name, ODD)
    ours: Analysis = analyse(recorder, whole_grid(recorder), ODD)
    source = as_written(machine, name, ODD)
    theirs = analyse(source, whole_grid(source), ODD)
    assert ours.totals == theirs.totals
    assert ours.hazards == theirs.hazards == ()
    assert np.array_equal(ours.reuse.a, theirs.reuse.a)
    assert np.array_equal(ours.reuse.b, theirs.reuse.b)


def test_that_barriers_divide_a_block_as_in_the_source(machine: MachineDevice) -> None:
    recorder, _ = compiled("tiled", ODD)
    (trace,) = recorder.blocks(np.array([3], np.int32))
    (source,) = as_written(machine, "tiled", ODD).blocks(np.array([3], np.int32))
    assert trace.block == source.block == (0, 1, 0)
    assert np.count_nonzero(trace.slot_site == BARRIER_SITE) == np.count_nonzero(source.slot_site == BARRIER_SITE) == 4
    assert trace.slot_epoch.max() == source.slot_epoch.max()
    assert [place.line for place in trace.ended_by] == [place.line for place in source.ended_by]
    assert {place.text for place in trace.ended_by} == {"bar.sync 0"}


def test_that_sites_are_at_the_lines_of_the_source() -> None:
    recorder, _ = compiled("tiled", ODD)
    lines = CATALOGUE.get("tiled").text.splitlines()
    for site in recorder.instrumented.sites:
        assert site.array in lines[site.line - 1], site
    assert {array.name: (array.rows, array.columns) for array in arrays_of(recorder)} == {
        "A": (13, 9),
        "B": (9, 17),
        "C": (13, 17),
        "As": (8, 8),
        "Bs": (8, 8),
    }


def arrays_of(recorder: PtxRecorder) -> tuple:
    next(recorder.blocks(np.array([0], np.int32)))
    return recorder.arrays


GROUPS = 4
ENTRY = """
.visible .entry kernel(PARAMETERS)
{
	.reg .pred %p;
	.reg .b32 %lane, %group;
	.reg .b64 %at, %offset;
	mov.u32 %lane, %laneid;
	cvt.u64.u32 %offset, %lane;
	mov.u64 %at, groups;
	add.s64 %at, %at, %offset;
	ld.const.u8 %group, [%at];
BRANCHES
$end:
	ret;
}
"""
CALL = """\
	setp.ne.u32 %p, %group, GROUP;
	@%p bra $not_GROUP;
	{ ARGUMENTS call.uni NAME, (NAMES); }
	bra $end;
$not_GROUP:"""


def apart(text: str, seed: int) -> str:
    """PTX in which the lanes of a group go through the whole kernel by themselves; the groups are drawn by `seed`."""
    found = re.fullmatch(r"(.*?)\.visible \.entry (\w+)\((.*?)\)(.*?\n}\n)(.*)", text, re.DOTALL)
    assert found is not None
    head, name, parameters, body, files = found.groups()
    own = re.compile(r"^\t\.shared .*\n", re.MULTILINE)
    head += "".join(own.findall(body))
    head += f".const .b8 groups[32] = {{{', '.join(map(str, np.random.default_rng(seed).integers(0, GROUPS, 32)))}}};\n"
    given = [
        f".reg .b{bits} %v{i}; ld.param.b{bits} %v{i}, [{parameter}]; "
        f".param .b{bits} p{i}; st.param.b{bits} [p{i}], %v{i};"
        for i, (bits, parameter) in enumerate(re.findall(r"\.param \.\w(\d+) (\w+)", parameters))
    ]
    call = CALL.replace("ARGUMENTS", " ".join(given)).replace("NAMES", ", ".join(f"p{i}" for i in range(len(given))))
    calls = (call.replace("NAME", name).replace("GROUP", str(group)) for group in range(GROUPS))
    entry = ENTRY.replace("PARAMETERS", parameters).replace("BRANCHES", "\n".join(calls))
    return f"{head}.func {name}({parameters}){own.sub('', body)}{entry}{files}"


@pytest.mark.parametrize("seed", range(2))
@pytest.mark.parametrize("name", ["naive", "tiled"])
def test_that_lanes_that_went_apart_are_recorded_each_once(
    together: Callable[[str, Shape], Multiset], name: str, seed: int
) -> None:
    recorder, _ = compiled(name, ODD, lambda text: apart(text, seed))
    assert touched(recorder) == together(name, ODD)
    operands = make_operands(ODD, Fill.INTEGERS, 3)
    assert np.array_equal(recorder.c[0], operands.a @ operands.b)


def test_that_lanes_apart_make_more_requests() -> None:
    """`naive` at an odd size: each group of a warp's lanes asks by itself."""
    parted, _ = compiled("naive", ODD, lambda text: apart(text, 0))
    together, _ = compiled("naive", ODD)
    one, other = (totals_of(recorder, whole_grid(recorder), ODD).totals for recorder in (parted, together))
    assert one.global_load_requests > 2 * other.global_load_requests
    assert one.bytes_asked >= other.bytes_asked


def test_that_chosen_blocks_alone_are_recorded() -> None:
    recorder, _ = compiled("naive", ODD)
    all_ = {trace.block: trace for trace in recorder.blocks(whole_grid(recorder))}
    chosen = list(recorder.blocks(np.array([5, 2], np.int32)))
    assert [trace.block for trace in chosen] == [recorder.block_of(5), recorder.block_of(2)]
    for trace in chosen:
        assert np.array_equal(trace.addresses, all_[trace.block].addresses)
        assert np.array_equal(trace.slot_site, all_[trace.block].slot_site)


def test_that_batches_do_not_change_what_is_recorded(monkeypatch: pytest.MonkeyPatch) -> None:
    recorder, device = compiled("tiled", ODD)
    whole = list(recorder.batches(whole_grid(recorder)))
    launches = device.launches
    monkeypatch.setattr(cuda_recorder, "BATCH_BYTES", 1)
    single = list(recorder.batches(whole_grid(recorder)))
    assert (len(whole), len(single)) == (1, 6)
    assert (launches, device.launches - launches) == (2, 7)
    assert [same(a, b) for a, b in zip(whole[0], [trace for batch in single for trace in batch], strict=True)] == [
        True
    ] * 6


def same(one: Recorded, other: Recorded) -> bool:
    a, b = whole_trace(one), whole_trace(other)
    same_addresses = np.array_equal(a.addresses, b.addresses)
    return a.block == b.block and same_addresses and np.array_equal(a.slot_epoch, b.slot_epoch)


def test_that_a_block_with_too_many_events_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    recorder, _ = compiled("tiled", ODD)
    monkeypatch.setattr(cuda_recorder, "MAX_BYTES", 1000)
    with pytest.raises(RecordingRefusal, match="choose a smaller K"):
        next(recorder.batches(np.array([0], np.int32)))


class Growing(QuickMachine):
    """Runs with a K that is three times as much each time: many more accesses than were counted before."""

    def launch(self, compiled: Compiled, launch: Launch, arguments: Sequence[Argument], count: int = 1) -> Pending:
        *others, k = arguments
        assert isinstance(k, int)
        return super().launch(compiled, launch, [*others, k * 3**self.launches // 9], count)


def test_that_a_kernel_that_makes_other_accesses_each_time_gets_more_room_and_in_the_end_is_refused(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    shape = Shape(1, 1, 27)
    plan, operands = planned("naive", shape), make_operands(shape, Fill.ONES, 0)

    def recorder(device: QuickMachine) -> PtxRecorder:
        return cuda_recorder_for(device, CATALOGUE.get("naive"), plan, shape, operands, 60.0, CodeForm.AS_COMPILED)

    device = Growing(text_of("naive"))
    (trace,) = recorder(device).blocks(np.array([0], np.int32))
    assert device.launches == 3
    assert np.count_nonzero(trace.addresses != INACTIVE) == 2 * 27 + 1
    monkeypatch.setattr(cuda_recorder, "_TRIES", 1)
    with pytest.raises(RecordingRefusal, match="a different number of accesses each time"):
        next(recorder(Growing(text_of("naive"))).batches(np.array([0], np.int32)))


PORTABLE = [kernel.id for kernel in CATALOGUE.kernels if kernel.language is Language.CUDA and not kernel.needs_cuda]


@pytest.mark.parametrize("name", PORTABLE)
def test_that_a_kernel_as_written_that_records_itself_makes_the_recording_of_the_machine(
    machine: MachineDevice, name: str
) -> None:
    check_that_both_recordings_are_the_same(machine, CATALOGUE.get(name), name)


@pytest.mark.usefixtures("nvrtc")
@pytest.mark.parametrize("name", ["column_major", "half_inputs"])
def test_that_an_unedited_file_that_records_itself_makes_the_recording_of_the_machine(
    machine: MachineDevice, name: str
) -> None:
    check_that_both_recordings_are_the_same(machine, load_user_kernel(FOREIGN / f"{name}.cu"), name)


def check_that_both_recordings_are_the_same(machine: MachineDevice, kernel: Kernel, name: str) -> None:
    shape = Shape(1, 1, 75) if name.startswith("dot") else Shape(33, 17, 20)
    plan, operands = kernel.plan(shape, kernel.params({}), machine.device), make_operands(shape, Fill.INTEGERS, 3)
    source = source_of(kernel, plan, 60.0)
    forms = (CodeForm.AS_COMPILED, CodeForm.AS_WRITTEN)
    made = [machine.compile_as(source, form, plan.launch) for form in forms]
    quick = QuickMachine(made[0].ptx, made[1].ptx, made[0].signature)
    ours = cuda_recorder_for(quick, kernel, plan, shape, operands, 60.0, CodeForm.AS_WRITTEN)
    theirs = machine_recorder_for(machine, kernel, plan, shape, operands, 60.0, CodeForm.AS_WRITTEN)
    assert ours.call == theirs.call
    assert ours.instrumented.sites == theirs.instrumented.sites
    blocks = whole_grid(ours)[-3:]
    for our, their in zip(ours.blocks(blocks), theirs.blocks(blocks), strict=True):
        assert (our.block, our.arrays, our.ended_by) == (their.block, their.arrays, their.ended_by)
        assert np.array_equal(our.slot_site, their.slot_site)
        assert np.array_equal(our.slot_epoch, their.slot_epoch)
        assert np.array_equal(our.addresses, their.addresses)
    for our_held, their_held in zip(ours.snapshots(0), theirs.snapshots(0), strict=True):
        assert (our_held.epoch, our_held.array) == (their_held.epoch, their_held.array)
        assert np.array_equal(our_held.origin, their_held.origin)


def test_that_a_gpu_records_a_block_without_variables() -> None:
    recorder, _ = compiled("tiled", ODD)
    trace, values = recorder.with_variables(1)
    assert trace.block == (1, 0, 0)
    assert values.variables == ()
    assert values.note == "The values of variables were not recorded. The PTX machine records them, as written."
