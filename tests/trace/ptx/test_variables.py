"""Values of variables that the PTX machine records, against the same sums made by NumPy."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from gemmviz.backends.machine.device import MachineDevice
from gemmviz.backends.machine.recorder import MachineRecorder
from gemmviz.backends.machine.recorder_factory import machine_recorder_for
from gemmviz.catalogue.kernel import Kernel
from gemmviz.catalogue.loader import load_catalogue, load_user_kernel
from gemmviz.domain.operands import Operands, make_operands
from gemmviz.domain.recordings.access import BARRIER_SITE, INACTIVE, BlockTrace
from gemmviz.domain.recordings.variables import AS_WRITTEN_ONLY, VariableValues
from gemmviz.domain.recordings.warp import LANES
from gemmviz.domain.shape import Shape
from gemmviz.domain.terms import CodeForm, Fill
from gemmviz.machine.debug_info.variables import OPTIMISED_OUT
from gemmviz.trace.accumulators import Accumulators
from gemmviz.trace.frames.frames import Frames
from gemmviz.trace.frames.plan import FrameMode
from gemmviz.trace.frames.thread_variables import ThreadVariables
from gemmviz.trace.ptx import variable_recorder
from gemmviz.trace.ptx.decoding import variable_values
from gemmviz.trace.ptx.probing import variable_plan

CATALOGUE = load_catalogue()
SHAPE = Shape(33, 37, 41)
Held = dict[str, Any]


def recorder_of(
    machine: MachineDevice, kernel: Kernel, shape: Shape, form: CodeForm = CodeForm.AS_WRITTEN, **params: int
) -> tuple[MachineRecorder, Operands, tuple[int, int, int]]:
    plan = kernel.plan(shape, kernel.params(params), machine.device)
    operands = make_operands(shape, Fill.UNIFORM, 3)
    made = machine_recorder_for(machine, kernel, plan, shape, operands, 60.0, form)
    assert isinstance(made, MachineRecorder)
    return made, operands, plan.launch.block


def held_at(found: ThreadVariables, slot: int) -> Held:
    """The variables known there: a number, an array, or why there is no value."""
    made: Held = {}
    for one in found.at(slot):
        name = f"{one.variable.function}.{one.variable.name}" if one.variable.function else one.variable.name
        if one.variable.why_not:
            made[name] = one.variable.why_not
        else:
            made[name] = one.numbers.reshape(one.variable.shape) if one.variable.shape else one.numbers[0].item()
    return made


def at_barriers(trace: BlockTrace, values: VariableValues, thread: int) -> list[Held]:
    """What is known of a thread at each of its barriers and at its end."""
    found = ThreadVariables(trace, values, thread)
    return [held_at(found, slot) for slot in [*found.barriers.tolist(), found.end]]


def summed(a: NDArray[np.float32], b: NDArray[np.float32], upto: int) -> np.float32:
    """A sum of products in their order, each operation rounded, as code for a debugger computes it."""
    total = np.float32(0)
    for left, right in zip(a[:upto], b[:upto], strict=True):
        total = np.float32(total + np.float32(left * right))
    return total


@pytest.mark.parametrize("thread", [0, 37, 255])
def test_that_the_accumulator_is_right_after_each_barrier_interval(machine: MachineDevice, thread: int) -> None:
    recorder, operands, _ = recorder_of(machine, CATALOGUE.get("tiled"), SHAPE)
    trace, values = recorder.with_variables(0)
    row, column = divmod(thread, 16)
    a, b = operands.a[row], operands.b[:, column]
    found = at_barriers(trace, values, thread)
    assert values.note == ""
    assert len(found) == 2 * 3 + 1
    for number, held in enumerate(found[:-1]):
        k0, has_added = 16 * (number // 2), number % 2
        assert (held["tx"], held["ty"], held["row"], held["col"], held["k0"]) == (column, row, row, column, k0)
        assert held["acc"] == summed(a, b, min(k0 + 16 * has_added, 41))
        assert (held["M"], held["N"], held["K"]) == (33, 37, 41)
        assert "k" not in held  # it lives in the loop between two barriers only
    assert "k0" not in found[-1]
    assert found[-1]["acc"] == summed(a, b, 41)


def test_that_loop_counters_are_those_of_each_access(machine: MachineDevice) -> None:
    recorder, operands, _ = recorder_of(machine, CATALOGUE.get("tiled"), SHAPE)
    trace, values = recorder.with_variables(0)
    found = ThreadVariables(trace, values, 37)
    inner = next(site.line for site in trace.sites if "As[ty][k]" in site.text)
    slots = [slot for slot in found.points.tolist() if trace.slot_site[slot] != BARRIER_SITE]
    inside = [held_at(found, slot) for slot in slots if trace.sites[trace.slot_site[slot]].line == inner]
    counted = [(held["k0"], held["k"]) for held in inside]
    assert counted == [(k0, k) for k0 in (0, 16, 32) for k in range(16) for _ in range(2)]
    a, b = operands.a[2], operands.b[:, 5]
    assert [held["acc"] for held in inside[:32:2]] == [summed(a, b, k) for k in range(16)]


def test_that_an_array_of_sums_holds_every_sum_of_a_thread(machine: MachineDevice) -> None:
    sizes: dict[str, Any] = {"BM": 32, "BN": 32, "BK": 8, "TM": 4, "TN": 2}
    recorder, operands, block = recorder_of(machine, CATALOGUE.get("register_2d"), SHAPE, **sizes)
    trace, values = recorder.with_variables(0)
    thread = 21
    ty, tx = divmod(thread, block[0])
    found = at_barriers(trace, values, thread)
    assert len(found) == 2 * 6 + 1
    for number, held in enumerate(found):
        upto = min(8 * ((number + 1) // 2), 41)
        wanted = [
            [summed(operands.a[4 * ty + i], operands.b[:, tx + 16 * j], upto) for j in range(2)] for i in range(4)
        ]
        assert np.array_equal(held["acc"], np.array(wanted, np.float32))
    assert next(one for one in values.variables if one.name == "acc").type == "float[4][2]"


def test_that_a_dot_product_tells_the_share_of_each_thread(machine: MachineDevice) -> None:
    shape = Shape(1, 1, 3000)
    recorder, operands, (threads, _, _) = recorder_of(machine, CATALOGUE.get("dot"), shape)
    trace, values = recorder.with_variables(0)
    grid = recorder.grid[0]
    for thread in (0, 33, threads - 1):
        mine = slice(thread, None, threads * grid)
        found = at_barriers(trace, values, thread)
        assert found[0]["acc"] == summed(operands.a[0, mine], operands.b[mine, 0], 3000)
        assert [held["stride"] for held in found[1:-1]] == [threads >> n + 1 for n in range(len(found) - 2)]
        assert "k" not in found[0]


OWN = """/*---
title = "Helpers, structures, and what the compiler drops"
entry = "mine<16>"
requires = ["cuda"]
[launch]
block = ["16", "16"]
grid = ["ceil_div(N, 16)", "ceil_div(M, 16)"]
---*/
#include <cuda_fp16.h>
struct Sum { float total; int terms; float2 last; };
union Bits { float f; int i; };
__device__ __forceinline__ float product(const float *a, const float *b, int k)
{
    const float left = a[k];
    const float right = b[k * 16];
    return left * right;
}
__device__ __noinline__ float scaled(const float *from, int scale)
{
    const int twice = 2 * scale;
    return from[0] * twice;
}
template <int T> __global__ void mine(const float *A, const float *B, float *C, int M, int N, int K)
{
    __shared__ float As[T][T], Bs[T][T];
    const int tx = threadIdx.x, ty = threadIdx.y;
    const bool is_far = threadIdx.x > 3;
    const unsigned char small = 200 + tx;
    const short negative = -3 - ty;
    const double precise = 0.1 * tx;
    const __half half = __float2half(1.5f);
    Bits bits;
    bits.i = tx;
    Sum sum{0.0f, 0, make_float2(-1.0f, -2.0f)};
    float unset[3];
    unset[1] = 4.5f;
    As[ty][tx] = A[ty * K + tx];
    Bs[ty][tx] = B[ty * N + tx];
    __syncthreads();
    for (int k = 0; k < T; ++k) {
        const float term = product(As[ty], &Bs[0][tx], k);
        sum.total += term;
        sum.terms++;
        sum.last.y = term;
    }
    const float *where = &As[ty][tx];
    const float twice = scaled(where, ty) + scaled(where, tx);
    __syncthreads();
    C[ty * N + tx] = sum.total + bits.f + small + negative + precise + __half2float(half)
        + unset[tx % 3] + twice + is_far;
}
"""


@pytest.fixture
def own(machine: MachineDevice, tmp_path: Path) -> tuple[BlockTrace, VariableValues, Operands]:
    """Block 0 of a template with helpers and structures, as recorded."""
    (tmp_path / "mine.cu").write_text(OWN, encoding="utf-8")
    recorder, operands, _ = recorder_of(machine, load_user_kernel(tmp_path / "mine.cu"), Shape(16, 16, 16))
    return *recorder.with_variables(0), operands


def test_that_members_types_and_what_is_dropped_are_told(
    own: tuple[BlockTrace, VariableValues, Operands],
) -> None:
    trace, values, operands = own
    thread, ty, tx = 37, 2, 5
    first, second, _ = at_barriers(trace, values, thread)
    a, b = operands.a[ty], operands.b[:, tx]
    assert (first["sum.total"], first["sum.terms"], first["sum.last.x"], first["sum.last.y"]) == (0.0, 0, -1.0, -2.0)
    assert (second["sum.total"], second["sum.terms"], second["sum.last.x"]) == (summed(a, b, 16), 16, -1.0)
    assert second["sum.last.y"] == np.float32(a[15] * b[15])
    assert (first["small"], first["negative"], first["precise"], first["half"]) == (205, -5, 0.1 * 5, 1.5)
    assert first["is_far"] == OPTIMISED_OUT
    assert first["bits"] == "a union"
    assert "where" not in first  # it has no value yet
    assert second["where"] == next(one for one in trace.arrays if one.name == "As").base + 4 * (16 * ty + tx)


def test_that_elements_that_nothing_was_assigned_to_have_no_value(
    own: tuple[BlockTrace, VariableValues, Operands],
) -> None:
    trace, values, _ = own
    found = ThreadVariables(trace, values, 37)
    unset = next(one for one in found.at(int(found.barriers[0])) if one.variable.name == "unset")
    assert unset.is_assigned.tolist() == [False, True, False]
    assert unset.numbers[1] == 4.5


def test_that_an_inlined_helper_and_a_called_one_show_their_variables_with_those_of_the_kernel(
    own: tuple[BlockTrace, VariableValues, Operands],
) -> None:
    trace, values, operands = own
    thread, ty, tx = 37, 2, 5
    found = ThreadVariables(trace, values, thread)
    helper = [held_at(found, slot) for slot in found.points.tolist()]
    inlined = [held for held in helper if "product.left" in held]
    assert [held["k"] for held in inlined] == list(range(16))
    assert [held["product.left"] for held in inlined] == operands.a[ty].tolist()
    assert [held["sum.total"] for held in inlined] == [summed(operands.a[ty], operands.b[:, tx], k) for k in range(16)]
    called = [(held["scaled.scale"], held["scaled.twice"], held["ty"]) for held in helper if "scaled.twice" in held]
    assert called == [(ty, 2 * ty, ty), (tx, 2 * tx, ty)]


def test_that_frames_have_the_values_at_their_end(machine: MachineDevice) -> None:
    recorder, operands, _ = recorder_of(machine, CATALOGUE.get("tiled"), SHAPE)
    trace, values = recorder.with_variables(0)
    found = ThreadVariables(trace, values, 37)
    a, b = operands.a[2], operands.b[:, 5]

    def at_frames(mode: FrameMode) -> list[tuple[int | None, Held]]:
        frames = Frames(trace, mode)
        points = [found.point_of(frames.span(index)) for index in range(len(frames))]
        return [(point, held_at(found, point) if point is not None else {}) for point in points]

    phases = at_frames(FrameMode.PHASE)
    assert [held["acc"] for _, held in phases] == [summed(a, b, min(n, 41)) for n in (0, 16, 16, 32, 32, 48, 48)]
    assert phases[-1][0] == found.end
    steps = Frames(trace, FrameMode.STEP)
    for index, (point, held) in enumerate(at_frames(FrameMode.STEP)):
        last = steps.span(index).slots[1]
        mine = found.points[found.points < last]
        texts = [trace.sites[site].text for site in trace.slot_site[mine].tolist() if site != BARRIER_SITE]
        products = sum("Bs[k][tx]" in text for text in texts)
        assert held["acc"] == summed(a, b, min(products, 41))
        assert point is None or point >= last - 1
    requests = Frames(trace, FrameMode.REQUEST)
    for index in (0, len(requests) // 2, len(requests) - 1):
        (slot, _), (warp, _) = requests.span(index).slots, requests.span(index).warps
        point = found.point_of(requests.span(index))
        own = [s for s in found.points.tolist() if s < slot or (s == slot and warp >= 37 // LANES)]
        assert point == (own[-1] if own else None)


def test_that_threads_that_return_early_keep_what_they_had(machine: MachineDevice) -> None:
    naive = CATALOGUE.get("naive")
    kernel = replace(naive, text=naive.text.replace("float acc", "if (row == 1) return;\n            float acc", 1))
    assert kernel.text != naive.text
    recorder, _, _ = recorder_of(machine, kernel, Shape(20, 20, 9))
    trace, values = recorder.with_variables(0)
    gone, stayed = (ThreadVariables(trace, values, thread) for thread in (1 * 16 + 3, 2 * 16 + 3))
    assert (gone.points.size, stayed.points.size) == (0, 2 * 9 + 1)
    assert held_at(gone, gone.end)["first_row"] == 1
    assert held_at(stayed, stayed.end)["first_row"] == 2


def test_that_the_trace_is_that_of_the_recording_without_values(machine: MachineDevice) -> None:
    recorder, _, _ = recorder_of(machine, CATALOGUE.get("register_1d"), SHAPE)
    trace, _ = recorder.with_variables(0)
    plain = next(recorder.blocks(np.zeros(1, np.int32)))
    assert np.array_equal(trace.slot_site, plain.slot_site)
    assert np.array_equal(trace.addresses, plain.addresses)
    assert np.array_equal(trace.slot_epoch, plain.slot_epoch)


def test_that_compiled_code_says_that_it_has_no_variables(machine: MachineDevice) -> None:
    recorder, _, _ = recorder_of(machine, CATALOGUE.get("tiled"), SHAPE, CodeForm.AS_COMPILED)
    trace, values = recorder.with_variables(0)
    assert (values.are_known, values.note) == (False, AS_WRITTEN_ONLY)
    assert ThreadVariables(trace, values, 3).at(0) == ()


def test_that_a_block_with_too_many_changes_keeps_its_first_warps_and_says_so(
    machine: MachineDevice, monkeypatch: pytest.MonkeyPatch
) -> None:
    recorder, operands, _ = recorder_of(machine, CATALOGUE.get("tiled"), SHAPE)
    whole = recorder.with_variables(0)[1]
    in_first = int((whole.warp == 0).sum())
    monkeypatch.setattr(variable_values, "MOST_ROWS", 2 * in_first + 1)
    trace, values = recorder.with_variables(0)
    assert values.warps == 2
    assert values.note == "Values of warps 0 to 1 of 8 are recorded, because those of all take too much memory."
    assert at_barriers(trace, values, 37)[-1]["acc"] == summed(operands.a[2], operands.b[:, 5], 41)
    assert not ThreadVariables(trace, values, 64).are_known
    monkeypatch.setattr(variable_values, "MOST_ROWS", in_first - 1)  # then at barriers only, which change less
    trace, values = recorder.with_variables(0)
    found = ThreadVariables(trace, values, 5)
    assert set(trace.slot_site[found.points].tolist()) == {BARRIER_SITE}
    assert values.note.startswith(variable_recorder.FEWER_PLACES)
    monkeypatch.setattr(variable_values, "MOST_ROWS", 0)
    assert recorder.with_variables(0)[1].note == variable_recorder.TOO_LARGE


def test_that_too_many_places_are_recorded_at_barriers_alone(
    machine: MachineDevice, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(variable_plan, "MOST_WATCHED", 60)
    recorder, operands, _ = recorder_of(machine, CATALOGUE.get("tiled"), SHAPE)
    trace, values = recorder.with_variables(0)
    assert values.note == variable_plan.AT_BARRIERS
    found = ThreadVariables(trace, values, 37)
    assert set(trace.slot_site[found.points].tolist()) == {BARRIER_SITE}
    assert held_at(found, int(found.barriers[-1]))["acc"] == summed(operands.a[2], operands.b[:, 5], 41)
    monkeypatch.setattr(variable_plan, "MOST_WATCHED", 10)
    recorder, _, _ = recorder_of(machine, CATALOGUE.get("tiled"), SHAPE)
    assert "more than 10 values" in recorder.with_variables(0)[1].note


def test_that_points_of_a_thread_are_its_own_accesses(machine: MachineDevice) -> None:
    recorder, _, _ = recorder_of(machine, CATALOGUE.get("tiled"), SHAPE)
    trace, values = recorder.with_variables(0)
    found = ThreadVariables(trace, values, 37)
    own = np.flatnonzero(trace.addresses[37 // LANES, :, 37 % LANES] != INACTIVE)
    assert found.points.tolist() == own.tolist()
    with pytest.raises(IndexError, match="threads 0 to 255"):
        ThreadVariables(trace, values, 256)


def test_that_the_accumulator_of_an_element_of_c_is_the_variable_that_became_it(machine: MachineDevice) -> None:
    sizes: dict[str, Any] = {"BM": 16, "BN": 16, "BK": 8, "TM": 2, "TN": 2}
    recorder, operands, _ = recorder_of(machine, CATALOGUE.get("register_2d"), SHAPE, **sizes)
    trace, values = recorder.with_variables(0)
    c = np.zeros((33, 37), np.float32)
    for row, column in ((3, 5), (2, 5)):
        c[row, column] = summed(operands.a[row], operands.b[:, column], 41)
    found = Accumulators(trace, values, c)
    frames = Frames(trace, FrameMode.PHASE)
    sums = [found.value_after(3, 5, frames.span(index)) for index in range(len(frames))]
    wanted = [summed(operands.a[3], operands.b[:, 5], min(8 * ((index + 1) // 2), 41)) for index in range(len(frames))]
    assert sums == wanted
    one, other = found.of(3, 5), found.of(2, 5)
    assert one is not None
    assert other is not None
    assert (one.thread, other.thread) == (1 * 8 + 5, 1 * 8 + 5)
    assert one.number != other.number
    assert found.of(3, 6) is None  # no variable holds a zero there
    assert found.of(20, 20) is None  # another block's
    assert Accumulators(trace, VariableValues(), c).value_after(3, 5, frames.span(0)) is None


def test_that_of_two_variables_with_the_value_of_c_none_is_its_accumulator(machine: MachineDevice) -> None:
    tiled = CATALOGUE.get("tiled")
    text = tiled.text.replace("C[row * N + col] = acc;", "float copy = acc; C[row * N + col] = copy;")
    recorder, operands, _ = recorder_of(machine, replace(tiled, text=text), SHAPE)
    trace, values = recorder.with_variables(0)
    assert {"acc", "copy"} <= {one.name for one in values.variables if one.count}
    c = np.full((33, 37), summed(operands.a[2], operands.b[:, 5], 41), np.float32)
    assert Accumulators(trace, values, c).of(2, 5) is None
