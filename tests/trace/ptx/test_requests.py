"""What a recorded block looks like: a slot for each request of a warp, lanes that take no part, sites and arrays."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest
from own_recordings import FOUR_THREADS, HEAD, block_0, recorder_of_text

from gemmviz.backends.machine.device import MachineDevice
from gemmviz.backends.machine.recorder import MachineRecorder
from gemmviz.domain.recordings.access import BARRIER_SITE, INACTIVE, UNWRITTEN, AccessKind, BlockTrace
from gemmviz.domain.spec import Launch
from gemmviz.domain.terms import Language
from gemmviz.trace.hazards.hazards import HazardKind, find_hazards

NO = None
"""A inactive lane."""
Make = Callable[..., MachineRecorder]


@pytest.fixture(scope="module")
def recorder(machine: MachineDevice) -> Make:
    """A recorder of the kernel around `body`, as written; the number of a thread in x is t."""

    def make(body: str, before: str = "", launch: Launch = FOUR_THREADS) -> MachineRecorder:
        return recorder_of_text(machine, f"{before}{HEAD}int t = threadIdx.x;\n{body}\n}}\n", launch)

    return make


def elements(trace: BlockTrace, array: str, kind: AccessKind = AccessKind.LOAD) -> list[list[int | None]]:
    """Of each request of an array, in order, the element that each of the first four lanes touches."""
    (there,) = [each for each in trace.arrays if each.name == array]
    found = []
    for slot in np.flatnonzero(trace.slot_site >= 0):
        row = trace.addresses[0, slot]
        is_there = ((there.base <= row) & (row < there.base + there.nbytes)).any()
        if trace.sites[trace.slot_site[slot]].kind is kind and is_there:
            found.append([NO if x == INACTIVE else int(x - there.base) // there.element_bytes for x in row[:4]])
    return found


@pytest.mark.parametrize(
    ("body", "requests"),
    [
        ("C[t] = A[t];", [[0, 1, 2, 3]]),
        ("if (t != 2) C[t] = A[t];", [[0, 1, NO, 3]]),
        ("if (t < 2) return;\nC[t] = A[t];", [[NO, NO, 2, 3]]),
        ("float x = t % 2 ? A[t] : 0.0f; C[t] = x;", [[NO, 1, NO, 3]]),
        ("for (int i = 0; i < 3; ++i) if (i != 1) C[t] = A[8 * i + t];", [[0, 1, 2, 3], [16, 17, 18, 19]]),
        (
            "for (int i = 0; i < 3; ++i) if (i != t) C[t] = A[8 * i + t];",
            [[NO, 1, 2, 3], [8, NO, 10, 11], [16, 17, NO, 19]],
        ),
        ("for (int i = 0; i < t; ++i) C[t] = A[8 * i];", [[NO, 0, 0, 0], [NO, NO, 8, 8], [NO, NO, NO, 16]]),
        ("for (int i = 0; i < 2; ++i) for (int j = i; j < 2; ++j) C[t] = A[8 * i + j];", [[0] * 4, [1] * 4, [9] * 4]),
        (
            "for (int i = 0; i < 2; ++i) for (int j = 0; j < t - 1; ++j) C[t] = A[8 * i + j];",
            [[NO, NO, 0, 0], [NO, NO, NO, 1], [NO, NO, 8, 8], [NO, NO, NO, 9]],
        ),
        ("int i = t; while (i < 3) { C[t] = A[i]; ++i; }", [[0, 1, 2, NO], [1, 2, NO, NO], [2, NO, NO, NO]]),
        ("int i = t; do { C[t] = A[i]; ++i; } while (i < 3);", [[0, 1, 2, 3], [1, 2, NO, NO], [2, NO, NO, NO]]),
        (
            "for (int i = 0; i < 4; ++i) { if (i == t) break; C[t] = A[8 * i + t]; }",
            [[NO, 1, 2, 3], [NO, NO, 10, 11], [NO, NO, NO, 19]],
        ),
        (
            "for (int i = 0; i < 3; ++i) { if (i == t) continue; C[t] = A[8 * i + t]; }",
            [[NO, 1, 2, 3], [8, NO, 10, 11], [16, 17, NO, 19]],
        ),
        (
            "for (int i = 0; i < 3; ++i) { if (i == t) return; C[t] = A[8 * i + t]; }",
            [[NO, 1, 2, 3], [NO, NO, 10, 11], [NO, NO, NO, 19]],
        ),
        ("const float *p = A; p += t; C[t] = *p;", [[0, 1, 2, 3]]),
        ("switch (t) { case 1: C[t] = A[t]; break; default: C[t] = 0.0f; }", [[NO, 1, NO, NO]]),
        (
            "int i = 0;\nwhile (A[i] < 2.0f && i < 2 + t % 2) { C[t] = B[i]; ++i; }",
            [[0] * 4, [1] * 4, [2] * 4, [NO, 3, NO, 3]],
        ),
        ("int i = 0;\ndo { C[t] = B[i]; ++i; } while (A[i] > -1.0f && i < 2);", [[1] * 4, [2] * 4]),
    ],
)
def test_that_lanes_that_go_apart_come_together_again(
    recorder: Make, body: str, requests: list[list[int | None]]
) -> None:
    assert elements(block_0(recorder(body)), "A") == requests


def test_that_the_size_of_a_warp_is_known(recorder: Make) -> None:
    body = "for (int i = t; i < 2 * warpSize; i += warpSize) C[i] = A[i];"
    assert elements(block_0(recorder(body)), "A") == [[0, 1, 2, 3], [32, 33, 34, 35]]


def test_that_requests_stand_in_the_order_of_execution(recorder: Make) -> None:
    trace = block_0(recorder("for (int i = 0; i < 2; ++i) { C[t] = A[i] + B[i]; C[t] += 1.0f; }"))
    once = [("A", "load"), ("B", "load"), ("C", "store"), ("C", "load"), ("C", "store")]
    assert [(trace.sites[s].array, str(trace.sites[s].kind)) for s in trace.slot_site] == once * 2


def test_that_barriers_separate_intervals_and_all_threads_arrive(recorder: Make) -> None:
    body = """__shared__ float s[4];
    for (int i = 0; i < 2; ++i) { s[t] = A[t]; __syncthreads(); C[t] = s[3 - t]; __syncthreads(); }"""
    trace = block_0(recorder(body))
    at_barrier = trace.slot_site == BARRIER_SITE
    assert trace.slot_epoch[at_barrier].tolist() == [0, 1, 2, 3]
    assert trace.slot_epoch.tolist() == [0, 0, 0, 1, 1, 1, 2, 2, 2, 3, 3, 3]
    assert (trace.addresses[0][at_barrier][:, :4] == 0).all()
    assert (trace.addresses[0][at_barrier][:, 4:] == INACTIVE).all()
    assert elements(trace, "s") == [[3, 2, 1, 0]] * 2


def test_that_shared_memory_without_any_barrier_is_recorded_too(recorder: Make) -> None:
    found = recorder("__shared__ float s[4], q[2];\ns[t] = A[t];\nC[t] = s[3 - t]; if (M < 0) q[0] = C[1];")
    trace = block_0(found)
    assert elements(trace, "s") == [[3, 2, 1, 0]]
    assert [h.kind for h in find_hazards(trace)] == [HazardKind.RACE]
    shots = {snapshot.array: snapshot.origin.tolist() for snapshot in found.snapshots(0)}
    assert shots == {"s": [[0, 1, 2, 3]], "q": [[UNWRITTEN, UNWRITTEN]]}


def test_that_threads_fill_warps_in_the_order_x_y_z(recorder: Make) -> None:
    launch = Launch((1, 1, 1), (4, 3, 3))
    trace = block_0(recorder("C[threadIdx.x + 4 * (threadIdx.y + 3 * threadIdx.z)] = 0.0f;", launch=launch))
    c = next(array for array in trace.arrays if array.name == "C")
    assert trace.addresses.shape == (2, 1, 32)
    assert ((trace.addresses.ravel()[:36] - c.base) // 4).tolist() == list(range(36))
    assert (trace.addresses.ravel()[36:] == INACTIVE).all()


def test_that_blocks_are_told_apart(recorder: Make) -> None:
    found = recorder("C[t] = A[gridDim.x * blockIdx.y + blockIdx.x];", launch=Launch((3, 2, 1), (4, 1, 1)))
    blocks = [(trace.block, elements(trace, "A")[0][0]) for trace in found.blocks(np.array([5, 0, 4], np.int32))]
    assert blocks == [((2, 1, 0), 5), ((0, 0, 0), 0), ((1, 1, 0), 4)]


def test_that_a_helper_is_recorded_at_each_of_its_calls(recorder: Make) -> None:
    before = """__device__ float twice(const float *p, int i) { return p[i] + p[i]; }
__device__ float sum(const float *p, int n) { float s = 0.0f; for (int i = 0; i < n; ++i) s += twice(p, i); return s; }
"""
    trace = block_0(recorder("C[t] = sum(A, t) + sum(B + 8, 1);", before))
    assert {site.line for site in trace.sites if site.kind is AccessKind.LOAD} == {1}
    once = [[NO, 0, 0, 0], [NO, NO, 1, 1], [NO, NO, NO, 2]]
    assert elements(trace, "A") == [row for row in once for _ in range(2)]
    assert elements(trace, "B") == [[8] * 4] * 2


def test_that_a_helper_may_be_given_shared_memory_or_private_memory(recorder: Make) -> None:
    before = "__device__ void put(float *to, const float *from) { *to = *from; }\n"
    body = "__shared__ float s[4]; float own[2]; put(&s[t], A + t); put(own, &s[t]); put(C + t, own);"
    trace = block_0(recorder(body, before))
    whole = [[0, 1, 2, 3]]
    assert elements(trace, "A") == elements(trace, "s") == whole
    assert elements(trace, "s", AccessKind.STORE) == elements(trace, "C", AccessKind.STORE) == whole


def test_that_a_pointer_into_one_of_two_arrays_is_measured_against_the_right_one(recorder: Make) -> None:
    trace = block_0(recorder("const float *p = t < 2 ? A : B; C[t] = p[t];"))
    a, b = (array.base for array in trace.arrays[:2])
    (site,) = [site for site in trace.sites if site.kind is AccessKind.LOAD]
    (row,) = trace.addresses[0, trace.slot_site == site.index][:, :4]
    assert row.tolist() == [a, a + 4, b + 8, b + 12]


def test_that_components_and_vectors_have_the_address_of_their_first_byte(recorder: Make) -> None:
    trace = block_0(
        recorder("const float4 *p = (const float4 *)A; float4 v = p[t];\nC[t] = p[t + 1].z + v.x + v.y + v.z + v.w;")
    )
    assert elements(trace, "A") == [[0, 4, 8, 12], [6, 10, 14, 18]]
    assert {site.width_bytes for site in trace.sites if site.array == "A"} == {16, 4}


def test_that_dynamic_and_padded_and_byte_wide_shared_arrays_have_their_shapes(recorder: Make) -> None:
    body = """__shared__ float pad[3][5]; __shared__ float deep[2][3][4]; __shared__ unsigned char bytes[2][2];
    __shared__ float alone; __shared__ double wide[6]; __shared__ float4 fours[2]; extern __shared__ float rest[];
    pad[t % 3][t] = deep[0][0][t] = 1.0f; bytes[0][1] = 1; alone = 1.0f; wide[t] = 1.0; rest[t] = 1.0f;
    fours[1].y = 2.0f;"""
    found = recorder(body, launch=Launch((1, 1, 1), (4, 1, 1), 64))
    trace = block_0(found)
    shapes = {array.name: (array.rows, array.columns, array.element_bytes) for array in trace.arrays[3:]}
    assert shapes == {
        "pad": (3, 5, 4),
        "deep": (6, 4, 4),
        "bytes": (2, 2, 1),
        "alone": (1, 1, 4),
        "wide": (1, 6, 8),
        "fours": (1, 8, 4),
        "rest": (1, 16, 4),
    }
    assert elements(trace, "pad", AccessKind.STORE) == [[0, 6, 12, 3]]
    assert elements(trace, "bytes", AccessKind.STORE) == [[1] * 4]
    assert elements(trace, "wide", AccessKind.STORE) == [[0, 1, 2, 3]]
    shot = {snapshot.array: snapshot.origin for snapshot in found.snapshots(0)}
    assert {name: origin.shape for name, origin in shot.items()} == {
        name: (rows, columns) for name, (rows, columns, _) in shapes.items()
    }
    assert (shot["pad"][2, :2] == UNWRITTEN).all()


def test_that_shadowed_names_are_told_apart(recorder: Make) -> None:
    body = "for (int i = 0; i < 1; ++i) { const float *B = A + 3; C[t] = B[t]; }\nC[t] = B[t + 1];"
    trace = block_0(recorder(body))
    assert elements(trace, "A") == [[3, 4, 5, 6]]
    assert elements(trace, "B") == [[1, 2, 3, 4]]


def test_that_sites_are_called_as_the_source_writes_them(recorder: Make) -> None:
    found = recorder("    C[t] = A[t * K + 1] + B[0];")
    sites = {(site.text, site.line, site.array) for site in found.instrumented.sites}
    assert sites == {("A[t * K + 1]", 3, "A"), ("B[0]", 3, "B"), ("C[t]", 3, "C")}


def test_that_an_opencl_kernel_is_recorded_with_its_vectors(machine: MachineDevice) -> None:
    text = """__kernel void k(
    __global const float *A, __global const float *B, __global float *C, int M, int N, int K) {
int t = get_local_id(0);
__local float s[4];
s[t] = A[get_global_id(0)];
barrier(CLK_LOCAL_MEM_FENCE);
float4 v = ((__global const float4 *)B)[t];
C[t] = s[3 - t] + v.x + v.y + v.z + v.w;
}
"""
    trace = block_0(recorder_of_text(machine, text, language=Language.OPENCL))
    assert elements(trace, "A") == [[0, 1, 2, 3]]
    assert elements(trace, "s") == [[3, 2, 1, 0]]
    assert elements(trace, "B") == [[0, 4, 8, 12]]
    assert (trace.slot_site == BARRIER_SITE).sum() == 1
    assert {site.array: site.line for site in trace.sites if site.kind is AccessKind.LOAD} == {"A": 5, "B": 7, "s": 8}
    assert [place.line for place in trace.ended_by] == [6]


def test_that_a_recording_is_deterministic(recorder: Make) -> None:
    found = recorder("for (int i = 0; i < t; ++i) C[t] = A[i];")
    assert (block_0(found).addresses == block_0(found).addresses).all()


def test_that_out_of_bounds_accesses_are_recorded_and_harmless(recorder: Make) -> None:
    body = "C[t] = 1.0f;\nC[t - 1000000000] = 2.0f;\nC[0] += A[1000000000 + t];"
    found = recorder(body)
    trace = block_0(found)
    c = next(array for array in trace.arrays if array.name == "C")
    (site,) = [site for site in trace.sites if site.line == 4]
    (row,) = trace.addresses[0, trace.slot_site == site.index][:, :4]
    assert row.tolist() == [c.base + 4 * (t - 1000000000) for t in range(4)]
    list(found.blocks(np.zeros(1, np.int32)))
    assert found.c[0, 0, 1:4].tolist() == [1.0, 1.0, 1.0]
