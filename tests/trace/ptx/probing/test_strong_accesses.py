"""Locks, tickets and flags: what fences and strong accesses put in order is no race, and what they do not is one."""

from __future__ import annotations

import time
from collections.abc import Iterator
from itertools import product
from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray

from gemmviz.backends.machine.device import MachineDevice
from gemmviz.backends.machine.recorder_factory import machine_recorder_for
from gemmviz.catalogue.loader import load_user_kernel
from gemmviz.domain.operands import make_operands
from gemmviz.domain.recordings.access import Space
from gemmviz.domain.recordings.hazard import Hazard, HazardKind
from gemmviz.domain.shape import Shape
from gemmviz.domain.terms import CodeForm, Fill
from gemmviz.trace.analyse import Analysis, analyse
from gemmviz.trace.counts.site_table import site_table
from gemmviz.trace.hazards.bounds import check_bounds
from gemmviz.trace.hazards.missing_fences import Orders
from gemmviz.trace.hazards.races.touches import Touches
from gemmviz.trace.hazards.races.warp_order import happen_before, pairs, point_of
from gemmviz.trace.recorder import Recorder

SHAPE = Shape(4, 32, 6)
TEXT = (Path(__file__).parents[3] / "data" / "c_begins" / "split_k.cu").read_text(encoding="utf-8")
ADD = "atomicAdd(&C[row * N + col], sum);"
FENCE, OF_BLOCK = "__threadfence();", "__threadfence_block();"
FIRST = "threadIdx.x + threadIdx.y == 0"
LOCK = f"""if ({FIRST}) {{ while (atomicCAS(&lock, 0, 1) != 0) {{}} ACQUIRE }}
    __syncthreads();
    C[row * N + col] += sum;
    __syncthreads();
    if ({FIRST}) {{ RELEASE atomicExch(&lock, 0); }}"""
EACH = """for (bool done = false; !done;)
        if (atomicCAS(&lock, 0, 1) == 0) { ACQUIRE C[0] += sum; RELEASE atomicExch(&lock, 0); done = true; }"""
TICKET = f"""if ({FIRST}) {{
        const int mine = atomicAdd(&lock, 1);
        while (*(volatile int *)&turn != mine) {{}}
        ACQUIRE
    }}
    __syncthreads();
    C[row * N + col] += sum;
    __syncthreads();
    if ({FIRST}) {{ RELEASE *(volatile int *)&turn = turn + 1; }}"""
LAST = f"""if (blockIdx.z == 0) C[row * N + col] = sum;
    __syncthreads();
    if ({FIRST}) {{ RELEASE is_last = atomicAdd(&lock, 1) == 1; ACQUIRE }}
    __syncthreads();
    if (is_last) C[row * N + col] += 1.0f;"""
FLAG = """__shared__ int ready;
    __shared__ float data[32];
    if (threadIdx.y == 0 && threadIdx.x == 0) ready = 0;
    __syncthreads();
    if (threadIdx.y == 1) {
        data[threadIdx.x] = sum;
        __syncwarp();
        if (threadIdx.x == 0) { STORE }
    }
    if (threadIdx.y == 0 && blockIdx.z == 0) {
        int seen = 0;
        while (seen == 0) { LOAD }
        C[col] = data[threadIdx.x];
    }"""


@pytest.fixture
def recorder_of(machine: MachineDevice, tmp_path: Path):
    def make(body: str, form: CodeForm = CodeForm.AS_COMPILED, blocks: int = 2, given: str = TEXT) -> Recorder:
        text = given.replace('extern "C"', '__device__ int lock, turn, other;\nextern "C"').replace(ADD, body)
        text = text.replace('"2"]', f'"{blocks}"]').replace(
            "    const int row", "    __shared__ bool is_last;\n    const int row"
        )
        path = tmp_path / "own.cu"
        path.write_text(text, encoding="utf-8")
        kernel = load_user_kernel(path)
        plan = kernel.plan(SHAPE, (), machine.device)
        operands = make_operands(SHAPE, Fill.INTEGERS, 3)
        return machine_recorder_for(machine, kernel, plan, SHAPE, operands, 60.0, form)

    return make


@pytest.fixture
def analysis_of(recorder_of):
    def find(body: str, form: CodeForm = CodeForm.AS_COMPILED, blocks: int = 2) -> Analysis:
        return analyse(recorder_of(body, form, blocks), np.arange(blocks, dtype=np.int32), SHAPE)

    return find


def fenced(body: str, acquire: str = FENCE, release: str = FENCE) -> str:
    return body.replace("ACQUIRE", acquire).replace("RELEASE", release)


def kinds(hazards: tuple[Hazard, ...]) -> set[HazardKind]:
    return {hazard.kind for hazard in hazards}


@pytest.mark.parametrize("form", list(CodeForm))
@pytest.mark.parametrize("body", [LOCK, EACH, TICKET, LAST])
def test_that_what_a_lock_a_ticket_or_a_count_puts_in_order_is_no_race(analysis_of, body: str, form: CodeForm) -> None:
    assert analysis_of(fenced(body), form).hazards == ()


@pytest.mark.parametrize(("looks", "expected"), [(True, set()), (False, {HazardKind.BLOCK_RACE})])
def test_that_a_strong_write_is_in_order_with_what_follows_a_read_of_it(
    analysis_of, looks: bool, expected: set[HazardKind]
) -> None:
    """Without any fence, since only the write itself is handed over."""
    wait = "while (*(volatile int *)&turn == 0) {}" if looks else ""
    body = f"""if ({FIRST} && blockIdx.z == 0) *(volatile int *)&turn = 1;
    if ({FIRST} && blockIdx.z == 1) {{ {wait} C[0] = turn; }}"""
    assert kinds(analysis_of(body).hazards) == expected


def test_that_many_blocks_that_take_a_lock_in_turn_add_up_all_their_parts(recorder_of) -> None:
    recorder = recorder_of(fenced(LOCK), blocks=6)
    assert analyse(recorder, np.arange(6, dtype=np.int32), SHAPE).hazards == ()
    operands = make_operands(SHAPE, Fill.INTEGERS, 3)
    np.testing.assert_array_equal(recorder.c[0], operands.a @ operands.b)


@pytest.mark.parametrize(
    ("acquire", "release", "words"),
    [
        (FENCE, "", "a __threadfence() is missing before atom.global.exch.b32 (line 25), by the thread"),
        ("", FENCE, "a __threadfence() is missing after atom.global.cas.b32 (line 21)"),
        (OF_BLOCK, OF_BLOCK, "before atom.global.exch.b32 (line 25), by the thread that executes it, and one after"),
    ],
)
def test_that_a_lock_without_a_fence_names_the_fence_that_is_missing(
    analysis_of, acquire: str, release: str, words: str
) -> None:
    hazards = analysis_of(fenced(LOCK, acquire, release)).hazards
    assert kinds(hazards) == {HazardKind.BLOCK_RACE}
    assert all(words in hazard.detail for hazard in hazards)
    assert {(hazard.array, hazard.elements) for hazard in hazards} == {("C", (0, 128))}


def test_that_a_fence_of_another_thread_makes_a_race_possible_only(analysis_of) -> None:
    body = (
        LAST.replace("RELEASE", "")
        .replace("ACQUIRE", "")
        .replace("    __syncthreads();\n    if (th", f"{FENCE} __syncthreads();\n    if (th")
    )
    body = body.replace("if (is_last)", f"{FENCE} if (is_last)")
    hazards = analysis_of(body).hazards
    assert kinds(hazards) == {HazardKind.POSSIBLE_RACE}
    assert all("fences of other threads order nothing" in hazard.detail for hazard in hazards)


def test_that_a_read_of_what_the_block_before_wrote_under_the_lock_is_no_uninitialised_read(recorder_of) -> None:
    undefined = TEXT.replace('c_begins = "zero"\n', "")
    assert analyse(recorder_of(fenced(LAST), given=undefined), np.arange(2, dtype=np.int32), SHAPE).hazards == ()


def test_that_a_lock_that_only_one_block_takes_orders_nothing(analysis_of) -> None:
    body = fenced(LOCK).replace("&lock", "(blockIdx.z ? &lock : &other)")
    hazards = analysis_of(body).hazards
    assert kinds(hazards) == {HazardKind.BLOCK_RACE}
    assert all("nothing makes one of the two blocks wait for the other" in hazard.detail for hazard in hazards)


def test_that_an_update_outside_the_lock_races_with_those_inside(analysis_of) -> None:
    body = fenced(LOCK) + " if (blockIdx.z == 0) C[row * N + col] += 1.0f;"
    hazards = analysis_of(body).hazards
    assert kinds(hazards) == {HazardKind.BLOCK_RACE}
    assert {hazard.line for hazard in hazards} <= {23, 25}


def test_that_a_lock_opened_by_a_plain_store_orders_nothing(analysis_of) -> None:
    body = fenced(LOCK).replace("atomicExch(&lock, 0)", "lock = 0")
    assert kinds(analysis_of(body).hazards) == {HazardKind.BLOCK_RACE}


def test_that_threads_of_a_block_race_where_their_lock_lacks_a_fence(analysis_of) -> None:
    races = [hazard for hazard in analysis_of(fenced(EACH, release="")).hazards if hazard.kind is HazardKind.RACE]
    assert races
    assert all("or a __threadfence_block() is missing before atom.global.exch.b32" in race.detail for race in races)


def inline(store: str, load: str) -> str:
    address = '"l"(&ready)'
    to = f'asm volatile("{store} [%0], %1;" :: {address}, "r"(1) : "memory");'
    of = f'asm volatile("{load} %0, [%1];" : "=r"(seen) : {address} : "memory");'
    return FLAG.replace("STORE", to).replace("LOAD", of)


@pytest.mark.parametrize("form", list(CodeForm))
def test_that_data_published_by_release_and_acquire_in_shared_memory_is_no_race(analysis_of, form: CodeForm) -> None:
    body = inline("st.release.cta.u32", "ld.acquire.cta.u32")
    assert analysis_of(body, form, blocks=1).hazards == ()


def test_that_data_published_by_relaxed_accesses_races_and_the_flag_does_not(analysis_of) -> None:
    (race,) = analysis_of(inline("st.relaxed.cta.u32", "ld.relaxed.cta.u32"), blocks=1).hazards
    assert race.kind is HazardKind.RACE
    assert "data[0]" in race.detail
    assert "a __threadfence_block() is missing before st.relaxed.cta.u32" in race.detail
    assert "and one after ld.relaxed.cta.u32" in race.detail


def test_that_a_volatile_flag_with_fences_publishes_data(analysis_of) -> None:
    store = f"{OF_BLOCK} *(volatile int *)&ready = 1;"
    load = "seen = *(volatile int *)&ready;"
    body = FLAG.replace("STORE", store).replace("LOAD", load).replace("C[col] =", f"{OF_BLOCK} C[col] =")
    assert analysis_of(body, blocks=1).hazards == ()


@pytest.mark.parametrize("form", list(CodeForm))
def test_that_a_race_names_and_counts_only_what_the_signalling_thread_has_not_put_in_order(
    analysis_of, form: CodeForm
) -> None:
    """Each thread has a fence before __syncwarp, but only that of thread 32, which signals, counts."""
    body = FLAG.replace("= sum;\n        __sync", f"= sum;\n        {OF_BLOCK} __sync").replace(
        "C[col] =", f"{OF_BLOCK} C[col] ="
    )
    body = body.replace("STORE", "*(volatile int *)&ready = 1;").replace("LOAD", "seen = *(volatile int *)&ready;")
    (race,) = analysis_of(body, form, blocks=1).hazards
    assert (race.kind, race.count, race.threads) == (HazardKind.RACE, 31, (1, 33))
    assert "thread 33 writes data[1]" in race.detail
    assert "a __threadfence_block() is missing before st.volatile" in race.detail


VOLATILE = "seen = *(volatile int *)&ready;"
WAITS = {
    "a loop": VOLATILE,
    "a fence behind": f"{VOLATILE} {OF_BLOCK}",
    "a fence before": f"{OF_BLOCK} {VOLATILE}",
    "a pause": f"{VOLATILE} if (seen == 0) __nanosleep(20); {FENCE}",
    "an atomicCAS": f"seen = atomicCAS(&ready, 1, 1); {OF_BLOCK}",
    "an atomicAdd": f"seen = atomicAdd(&ready, 0); {OF_BLOCK}",
    "an atomicOr": f"seen = atomicOr(&ready, 0); {OF_BLOCK}",
    "an atomicAnd": f"seen = atomicAnd(&ready, -1); {OF_BLOCK}",
    "an atomicMax": f"seen = atomicMax(&ready, -1); {OF_BLOCK}",
    "an atomicMin": f"seen = atomicMin((unsigned *)&ready, ~0u); {OF_BLOCK}",
    "two looks": f"seen = *(volatile int *)&ready * *((volatile int *)&ready); {OF_BLOCK}",
}


@pytest.mark.parametrize("form", list(CodeForm))
@pytest.mark.parametrize("load", WAITS.values(), ids=WAITS)
def test_that_a_loop_that_waits_is_written_down_once(recorder_of, load: str, form: CodeForm) -> None:
    """Warp 0 has its turn first, and looks thousands of times before warp 1 has written the flag."""
    body = FLAG.replace("STORE", f"{OF_BLOCK} *(volatile int *)&ready = 1;").replace("LOAD", load)
    body = body.replace("C[col] =", f"{OF_BLOCK} C[col] =")
    recorder = recorder_of(body, form, blocks=1)
    found = analyse(recorder, np.zeros(1, np.int32), SHAPE)
    assert found.hazards == ()
    (trace,) = recorder.blocks(np.zeros(1, np.int32))
    (line,) = {one.line for one in recorder.repeated_waits}
    looks = [site.index for site in trace.sites if site.line == line and site.space is Space.SHARED]
    written_down = int(np.isin(trace.slot_site, looks).sum())
    assert 1 <= written_down <= 6
    kinds_of_looks = ("shared loads", "generic loads", "atomics")
    ran = sum(one.instructions for one in recorder.executed if one.line == line and one.kind in kinds_of_looks)
    left_out = sum(one.requests for one in recorder.repeated_waits)
    assert left_out > 3000
    assert written_down + left_out == ran


def test_that_rounds_of_a_loop_that_see_or_write_something_else_are_all_written_down(recorder_of) -> None:
    """Each round of the first loop changes the flag, each of the second reads another element, too."""
    body = """__shared__ int flag;
    __shared__ float data[32];
    if (threadIdx.y == 0) data[threadIdx.x] = sum;
    flag = 0;
    __syncthreads();
    if (threadIdx.x + threadIdx.y == 0)
        for (int i = 0; i < 8; ++i) {
            atomicAdd(&flag, 1);
            __threadfence_block();
        }
    __syncthreads();
    if (threadIdx.y == 0)
        for (int i = 0; i < 8; ++i) {
            if (*(volatile int *)&flag == 8) sum += ((volatile float *)data)[i ^ threadIdx.x];
            __threadfence_block();
        }
    C[row * N + col] = sum;"""
    recorder = recorder_of(body, CodeForm.AS_WRITTEN, blocks=1)
    found = analyse(recorder, np.zeros(1, np.int32), SHAPE)
    assert recorder.repeated_waits == ()
    assert found.totals.shared_atomic_requests == 8
    assert found.totals.shared_load_requests == 16


@pytest.mark.parametrize(
    ("operation", "rounds"),
    [
        ("atomicInc(&flag, 0)", 2),
        ("atomicDec(&flag, 0)", 2),
        ("atomicExch(&flag, 0)", 2),
        ("atomicCAS(&flag, 0, 0)", 2),
        ("atomicMin((int *)&flag, 5)", 2),
        ("atomicInc(&flag, 100)", 8),
        ("atomicDec(&flag, 100)", 8),
        ("atomicXor(&flag, 1)", 8),
        ("atomicMin((int *)&flag, -i)", 8),
        ("atomicMax(&flag, ~i)", 3),
        ("atomicAdd((float *)&flag, 0.0f)", 8),
    ],
)
def test_that_an_atomic_operation_that_changes_nothing_is_a_round_of_waiting(recorder_of, operation, rounds) -> None:
    """The first and the last of such rounds stay, and any that changes the flag."""
    body = f"""__shared__ unsigned flag;
    flag = 0;
    __syncthreads();
    if (threadIdx.x + threadIdx.y == 0)
        for (int i = 0; i < 8; ++i) {{
            sum += {operation};
            __threadfence_block();
        }}
    C[row * N + col] = sum;"""
    recorder = recorder_of(body, CodeForm.AS_WRITTEN, blocks=1)
    assert analyse(recorder, np.zeros(1, np.int32), SHAPE).totals.shared_atomic_requests == rounds


def test_that_thousands_of_rounds_that_each_change_something_are_followed_to_the_end(analysis_of) -> None:
    """A lane of warp 0 counts its looks in the flag itself, above the bit that warp 1 sets."""
    body = FLAG.replace("STORE", f"{OF_BLOCK} atomicOr(&ready, 1);").replace("C[col] =", f"{OF_BLOCK} C[col] =")
    found = analysis_of(body.replace("LOAD", "seen = atomicAdd(&ready, threadIdx.x ? 0 : 2) & 1;"), blocks=1)
    assert found.hazards == ()
    assert found.totals.shared_atomic_requests > 3000


@pytest.mark.parametrize("form", list(CodeForm))
def test_that_a_loop_that_waits_and_fills_its_log_leaves_the_others_their_turn(analysis_of, form: CodeForm) -> None:
    """Each round of warp 0 loads eight elements of C, too, until warp 1 has written the flag."""
    reads = " ".join(f"sum += *(volatile float *)&C[{i}];" for i in range(8))
    load = f"seen = *(volatile int *)&ready; {reads}"
    store = f"{OF_BLOCK} *(volatile int *)&ready = 1;"
    body = FLAG.replace("STORE", store).replace("LOAD", load).replace("C[col] =", f"{OF_BLOCK} C[col + N] = sum +")
    assert analysis_of(body, form, blocks=1).hazards == ()


SUMS = """__shared__ float total;
    if (threadIdx.x + threadIdx.y == 0) total = 0.0f;
    __syncthreads();
    float old, next;
    do {
        old = total;
        next = old + sum;
        FENCE
    } while (atomicCAS((int *)&total, __float_as_int(old), __float_as_int(next)) != __float_as_int(old));"""


@pytest.mark.parametrize(("fence", "orders_some"), [(OF_BLOCK, True), ("", False)])
def test_that_all_pairs_at_once_are_ordered_as_each_pair_by_itself(recorder_of, fence: str, orders_some: bool) -> None:
    recorder = recorder_of(SUMS.replace("FENCE", fence))
    trace = next(recorder.blocks(np.array([0], np.int32)))
    addresses, _ = check_bounds(trace, site_table(trace))
    orders = Orders([trace.strong])
    slots = np.arange(trace.slot_site.size)
    sites = [site for site in trace.sites if site.space is Space.SHARED]
    touches = [Touches.of(trace, site, addresses, slots, 2) for site in sites]
    compared, ordered = 0, 0
    for one, other in product(touches, touches):
        for mine, their in random_pairs(one, other):
            found = happen_before(trace, orders, one, other, mine, their)
            for at, (left, right) in enumerate(zip(mine.tolist(), their.tolist(), strict=True)):
                epoch = int(trace.slot_epoch[one.slot[left]])
                points = point_of(one.step_of(left), epoch), point_of(other.step_of(right), epoch)
                assert found[at] == orders.strict.is_before(*points)
                ordered += bool(found[at])
            compared += mine.size
    assert compared > 1000
    assert (ordered > 0) is orders_some
    assert ordered < compared


def random_pairs(one: Touches, other: Touches) -> Iterator[tuple[NDArray[np.intp], NDArray[np.intp]]]:
    """Some pairs of touches of one cell within an epoch by two threads."""
    chance = np.random.default_rng(7)
    for mine, their in pairs(one, other):
        apart = np.flatnonzero(one.thread[mine] != other.thread[their])
        chosen = chance.permutation(apart)[:800]
        yield mine[chosen], their[chosen]


def test_that_a_loop_of_many_threads_is_searched_within_seconds(analysis_of) -> None:
    begin = time.thread_time()
    hazards = analysis_of(SUMS.replace("FENCE", ""), blocks=1).hazards
    assert HazardKind.RACE in kinds(hazards)
    assert time.thread_time() - begin < 20
