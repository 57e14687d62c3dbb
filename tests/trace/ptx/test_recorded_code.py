"""What is known of code that records itself: the sorts of its barriers, and what no trace of it holds."""

from __future__ import annotations

from collections.abc import Callable

from own_recordings import block_0

from gemmviz.backends.machine.recorder import MachineRecorder
from gemmviz.domain.recordings.access import BarrierSort

S = "__shared__ float q[32];\n"

Make = Callable[..., MachineRecorder]


def test_that_a_barrier_that_gives_a_result_is_told_from_one_that_only_waits(recorder: Make) -> None:
    trace = block_0(recorder(S + "q[t] = A[t]; __syncthreads(); C[t] = q[3 - t] + __syncthreads_count(t);"))
    assert [place.sort for place in trace.ended_by] == [BarrierSort.WAITS, BarrierSort.REDUCES]


def test_that_code_says_whether_it_has_mbarriers(recorder: Make) -> None:
    plain = "q[t] = A[t]; C[t] = q[t];"
    begin = (
        '__shared__ unsigned long long gate; if (t == 0) asm volatile("mbarrier.init.shared.b64 [%0], 4;" :: '
        '"r"((unsigned)__cvta_generic_to_shared(&gate))); '
    )
    found = [recorder(S + text).instrumented for text in (plain, begin + plain)]
    assert [(one.has_mbarriers, one.works_asynchronously, one.skips_accesses) for one in found] == [
        (False, False, False),
        (True, False, False),
    ]
