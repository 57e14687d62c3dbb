"""What a recorded block looks like: one slot for a site in an iteration, whatever the control flow of its threads."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

from gemmviz.backends.base import Source
from gemmviz.backends.opencl import OpenClDevice
from gemmviz.domain.access import BARRIER_SITE, INACTIVE, UNWRITTEN, AccessKind, BlockTrace
from gemmviz.domain.operands import make_operands
from gemmviz.domain.shape import Shape
from gemmviz.domain.spec import Launch
from gemmviz.domain.terms import Fill, Language
from gemmviz.trace.hazards import HazardKind, find_hazards
from gemmviz.trace.opencl_recording import OpenClRecording
from gemmviz.trace.record import Recorder

SHAPE = Shape(8, 8, 8)
HEAD = "(const float *A, const float *B, float *C, int M, int N, int K) {\nint t = threadIdx.x;\n"
NO = None
"""A lane that takes no part."""

Make = Callable[..., Recorder]


@pytest.fixture(scope="module")
def recorder(embedded: OpenClDevice) -> Make:
    """A recorder of the kernel around `body`, four threads a block unless told otherwise."""

    def make(body: str, before: str = "", block: tuple[int, int, int] = (4, 1, 1), opencl: bool = False) -> Recorder:
        head = 'extern "C" __global__ void k' + HEAD
        language = Language.CUDA
        if opencl:
            language = Language.OPENCL
            head = f"__kernel void k{HEAD}".replace("const float *", "__global const float *")
            head = head.replace(" float *C", " __global float *C").replace("threadIdx.x", "get_local_id(0)")
        source = Source(Path("mine.cu"), f"{before}{head}{body}\n}}\n", "k", language, ())
        launch = Launch((3, 2, 1), block, 64, 64 if "extern __shared__" in body else 0)
        return Recorder(OpenClRecording(embedded), source, launch, SHAPE, make_operands(SHAPE, Fill.UNIFORM, 0))

    return make


def block_0(recorder: Recorder) -> BlockTrace:
    return next(recorder.blocks(np.zeros(1, np.int32)))


def elements(trace: BlockTrace, text: str, kind: AccessKind = AccessKind.LOAD) -> list[list[int | None]]:
    """Per slot of a site, the element each of the first four lanes touches; all others take no part."""
    (site,) = [site for site in trace.sites if site.text == text and site.kind is kind]
    rows = trace.addresses[0, trace.slot_site == site.index]
    assert (rows[:, trace.threads :] == INACTIVE).all()
    bases = [(array.base, array.element_bytes) for array in trace.arrays]
    return [[_element(int(address), bases) for address in row[:4]] for row in rows]


def _element(address: int, bases: list[tuple[int, int]]) -> int | None:
    if address == INACTIVE:
        return NO
    base, nbytes = max((base, nbytes) for base, nbytes in bases if base <= address)
    return (address - base) // nbytes


@pytest.mark.parametrize(
    ("body", "slots"),
    [
        ("C[t] = A[t];", [[0, 1, 2, 3]]),
        ("if (t != 2) C[t] = A[t];", [[0, 1, NO, 3]]),
        ("if (t < 2) return;\nC[t] = A[t];", [[NO, NO, 2, 3]]),
        ("float x = t % 2 ? A[t] : 0.0f; C[t] = x;", [[NO, 1, NO, 3]]),
        ("for (int i = 0; i < 3; ++i) if (i != 1) C[t] = A[8 * i + t];",
         [[0, 1, 2, 3], [NO] * 4, [16, 17, 18, 19]]),
        ("for (int i = 0; i < 3; ++i) if (i != t) C[t] = A[8 * i + t];",
         [[NO, 1, 2, 3], [8, NO, 10, 11], [16, 17, NO, 19]]),
        ("for (int i = 0; i < t; ++i) C[t] = A[8 * i];",
         [[NO, 0, 0, 0], [NO, NO, 8, 8], [NO, NO, NO, 16]]),
        ("for (int i = 0; i < 2; ++i) for (int j = i; j < 2; ++j) C[t] = A[8 * i + j];",
         [[0] * 4, [1] * 4, [9] * 4, [NO] * 4]),
        ("for (int i = 0; i < 2; ++i) for (int j = 0; j < t - 1; ++j) C[t] = A[8 * i + j];",
         [[NO, NO, 0, 0], [NO, NO, NO, 1], [NO, NO, 8, 8], [NO, NO, NO, 9]]),
        ("int i = t; while (i < 3) { C[t] = A[i]; ++i; }", [[0, 1, 2, NO], [1, 2, NO, NO], [2, NO, NO, NO]]),
        ("int i = t; do { C[t] = A[i]; ++i; } while (i < 3);", [[0, 1, 2, 3], [1, 2, NO, NO], [2, NO, NO, NO]]),
        ("for (int i = 0; i < 4; ++i) { if (i == t) break; C[t] = A[8 * i + t]; }",
         [[NO, 1, 2, 3], [NO, NO, 10, 11], [NO, NO, NO, 19], [NO] * 4]),
        ("for (int i = 0; i < 3; ++i) { if (i == t) continue; C[t] = A[8 * i + t]; }",
         [[NO, 1, 2, 3], [8, NO, 10, 11], [16, 17, NO, 19]]),
        ("for (int i = 0; i < 3; ++i) { if (i == t) return; C[t] = A[8 * i + t]; }",
         [[NO, 1, 2, 3], [NO, NO, 10, 11], [NO, NO, NO, 19]]),
        ("for (int i = 0; i < 0; ++i) C[t] = A[t];\n#pragma unroll\nfor (int i = 0; i < 1; ++i) C[t] = 0.0f;", []),
        ("const float *p = A; p += t; C[t] = *p;", None),
        ("switch (t) { case 1: C[t] = A[t]; break; default: C[t] = 0.0f; }", [[NO, 1, NO, NO]]),
    ],
)  # fmt: skip
def test_that_lanes_stay_aligned(recorder: Make, body: str, slots: list[list[int | None]] | None) -> None:
    trace = block_0(recorder(body))
    if slots is None:
        assert elements(trace, "*p") == [[0, 1, 2, 3]]
        return
    (text,) = [site.text for site in trace.sites if site.array == "A"]
    assert elements(trace, text) == slots


def test_that_a_condition_is_evaluated_once_more_than_the_body(recorder: Make) -> None:
    body = "int i = 0;\nwhile (A[i] < 2.0f && i < 2 + t % 2) { C[t] = B[i]; ++i; }"
    trace = block_0(recorder(body))
    assert elements(trace, "A[i]") == [[0] * 4, [1] * 4, [2] * 4, [NO, 3, NO, 3]]
    assert elements(trace, "B[i]") == [[0] * 4, [1] * 4, [NO, 2, NO, 2]]


def test_that_the_condition_behind_a_body_comes_after_it(recorder: Make) -> None:
    trace = block_0(recorder("int i = 0;\ndo { C[t] = B[i]; ++i; } while (A[i] > -1.0f && i < 2);"))
    assert elements(trace, "A[i]") == [[NO] * 4, [1] * 4, [2] * 4]
    assert elements(trace, "B[i]") == [[0] * 4, [1] * 4]


def test_that_slots_stand_in_the_order_of_execution(recorder: Make) -> None:
    trace = block_0(recorder("for (int i = 0; i < 2; ++i) { C[t] = A[i] + B[i]; C[t] += 1.0f; }"))
    once = [("A[i]", "load"), ("B[i]", "load"), ("C[t]", "store"), ("C[t]", "load"), ("C[t]", "store")]
    assert [(trace.sites[s].text, str(trace.sites[s].kind)) for s in trace.slot_site] == once * 2


def test_that_barriers_separate_epochs_and_all_threads_arrive(recorder: Make) -> None:
    body = """__shared__ float s[4];
    for (int i = 0; i < 2; ++i) { s[t] = A[t]; __syncthreads(); C[t] = s[3 - t]; __syncthreads(); }"""
    trace = block_0(recorder(body))
    at_barrier = trace.slot_site == BARRIER_SITE
    assert trace.slot_epoch[at_barrier].tolist() == [0, 1, 2, 3]
    assert trace.slot_epoch.tolist() == [0, 0, 0, 1, 1, 1, 2, 2, 2, 3, 3, 3]
    assert (trace.addresses[0][at_barrier][:, :4] == 0).all()
    assert (trace.addresses[0][at_barrier][:, 4:] == INACTIVE).all()
    assert elements(trace, "s[3 - t]") == [[3, 2, 1, 0]] * 2


def test_that_shared_memory_without_any_barrier_is_recorded_too(recorder: Make) -> None:
    found = recorder("__shared__ float s[4], q[2];\ns[t] = A[t];\nC[t] = s[3 - t];")
    trace = block_0(found)
    assert found.instrumented.keeps_barriers
    assert elements(trace, "s[3 - t]") == [[3, 2, 1, 0]]
    assert [h.kind for h in find_hazards(trace)] == [HazardKind.RACE]
    shots = {snapshot.array: snapshot.origin.tolist() for snapshot in found.snapshots(0)}
    assert shots == {"s": [[0, 1, 2, 3]], "q": [[UNWRITTEN, UNWRITTEN]]}


def test_that_threads_fill_warps_in_the_order_x_y_z(recorder: Make) -> None:
    trace = block_0(recorder("C[threadIdx.x + 4 * (threadIdx.y + 3 * threadIdx.z)] = 0.0f;", block=(4, 3, 3)))
    c = next(array for array in trace.arrays if array.name == "C")
    assert trace.addresses.shape == (2, 1, 32)
    assert ((trace.addresses.ravel()[:36] - c.base) // 4).tolist() == list(range(36))
    assert (trace.addresses.ravel()[36:] == INACTIVE).all()


def test_that_blocks_are_told_apart(recorder: Make) -> None:
    found = recorder("C[t] = A[gridDim.x * blockIdx.y + blockIdx.x];")
    blocks = [(trace.block, elements(trace, "A[gridDim.x * blockIdx.y + blockIdx.x]")[0][0])
              for trace in found.blocks(np.array([5, 0, 4], np.int32))]  # fmt: skip
    assert blocks == [((2, 1, 0), 5), ((0, 0, 0), 0), ((1, 1, 0), 4)]


def test_that_a_helper_is_recorded_at_each_of_its_calls(recorder: Make) -> None:
    before = """__device__ float twice(const float *p, int i) { return p[i] + p[i]; }
__device__ float sum(const float *p, int n) { float s = 0.0f; for (int i = 0; i < n; ++i) s += twice(p, i); return s; }
"""
    trace = block_0(recorder("C[t] = sum(A, t) + sum(B + 8, 1);", before))
    first, second = (site for site in trace.sites if site.text == "p[i]")
    assert (first.line, second.line, first.array) == (1, 1, "")
    found = elements_of(trace, first.index)
    assert found[:3] == [("A", [NO, 0, 0, 0]), ("A", [NO, NO, 1, 1]), ("A", [NO, NO, NO, 2])]
    assert ("B", [8, 8, 8, 8]) in found[3:]
    assert {name for name, lanes in found if set(lanes) != {NO}} == {"A", "B"}


def elements_of(trace: BlockTrace, site: int) -> list[tuple[str, list[int | None]]]:
    """Per slot of a site, the array that was touched and the element each of the first four lanes touched."""
    found = []
    for row in trace.addresses[0, trace.slot_site == site][:, :4]:
        names = {a.name for a in trace.arrays for x in row if a.base <= x < a.base + a.nbytes}
        base = next((a.base for a in trace.arrays if a.name in names), 0)
        lanes = [NO if x == INACTIVE else int(x - base) // 4 for x in row]
        found.append((",".join(sorted(names)), lanes))
    return found


def test_that_a_helper_may_be_given_shared_memory_or_private_memory(recorder: Make) -> None:
    before = "__device__ void put(float *to, const float *from) { *to = *from; }\n"
    body = "__shared__ float s[4]; float own[2]; put(&s[t], A + t); put(own, &s[t]); put(C + t, own);"
    trace = block_0(recorder(body, before))
    touched = [
        (name, lanes) for site in trace.sites for name, lanes in elements_of(trace, site.index) if set(lanes) != {NO}
    ]
    whole = [0, 1, 2, 3]
    assert sorted(touched) == [("A", whole), ("C", whole), ("s", whole), ("s", whole)]


def test_that_a_pointer_into_one_of_two_arrays_is_measured_against_the_right_one(recorder: Make) -> None:
    trace = block_0(recorder("const float *p = t < 2 ? A : B; C[t] = p[t];"))
    a, b = (array.base for array in trace.arrays[:2])
    site = next(site for site in trace.sites if site.text == "p[t]")
    (row,) = trace.addresses[0, trace.slot_site == site.index][:, :4]
    assert row.tolist() == [a, a + 4, b + 8, b + 12]


def test_that_components_and_vectors_have_the_address_of_their_first_byte(recorder: Make) -> None:
    body = "const float4 *p = (const float4 *)A; float4 v = p[t]; C[t] = p[t + 1].z + v.x;"
    trace = block_0(recorder(body))
    assert elements(trace, "p[t]") == [[0, 4, 8, 12]]
    (part,) = [site for site in trace.sites if site.text.startswith("p[t + 1]")]
    assert part.width_bytes == 4
    assert elements(trace, part.text) == [[6, 10, 14, 18]]


def test_that_dynamic_and_padded_and_byte_wide_shared_arrays_have_their_shapes(recorder: Make) -> None:
    body = """__shared__ float pad[3][5]; __shared__ float deep[2][3][4]; __shared__ unsigned char bytes[2][2];
    __shared__ float alone; __shared__ double wide[6]; extern __shared__ float rest[];
    pad[t % 3][t] = deep[0][0][t] = 1.0f; bytes[0][1] = 1; alone = 1.0f; wide[t] = 1.0; rest[t] = 1.0f;"""
    found = recorder(body)
    trace = block_0(found)
    shapes = {array.name: (array.rows, array.columns, array.element_bytes) for array in trace.arrays[3:]}
    assert shapes == {"pad": (3, 5, 4), "deep": (6, 4, 4), "bytes": (2, 2, 1), "alone": (1, 1, 4), "wide": (1, 6, 8),
                      "rest": (1, 16, 4)}  # fmt: skip
    assert elements(trace, "pad[t % 3][t]", AccessKind.STORE) == [[0, 6, 12, 3]]
    assert elements(trace, "bytes[0][1]", AccessKind.STORE) == [[1] * 4]
    assert elements(trace, "wide[t]", AccessKind.STORE) == [[0, 1, 2, 3]]
    shot = {snapshot.array: snapshot.origin for snapshot in found.snapshots(0)}
    assert shot["deep"].shape == (6, 4)
    assert (shot["pad"][2, :2] == UNWRITTEN).all()
    assert shot["bytes"].shape == (2, 2)
    assert shot["wide"].shape == (1, 6)


def test_that_shadowed_names_are_told_apart(recorder: Make) -> None:
    body = "for (int i = 0; i < 1; ++i) { const float *B = A + 3; C[t] = B[t]; }\nC[t] = B[t + 1];"
    trace = block_0(recorder(body))
    arrays = {site.text: site.array for site in trace.sites}
    assert (arrays["B[t]"], arrays["B[t + 1]"]) == ("A", "B")
    assert elements(trace, "B[t]") == [[3, 4, 5, 6]]


def test_that_an_opencl_kernel_is_recorded_with_its_vectors(recorder: Make) -> None:
    body = """__local float s[4];
s[t] = A[t];
barrier(CLK_LOCAL_MEM_FENCE);
float4 v = vload4(t, B + 1); vstore2(v.xy, t, C); ((__global float4 *)C)[t].hi = v.lo;
((__global float4 *)C)[t].xz = v.lo; C[t] = s[3-t] + v.s1;"""
    found = recorder(body, opencl=True)
    trace = block_0(found)
    assert elements(trace, "A[t]") == [[0, 1, 2, 3]]
    assert elements(trace, "s[3-t]") == [[3, 2, 1, 0]]
    assert (trace.slot_site == BARRIER_SITE).sum() == 1
    assert elements(trace, "vload4(t, B + 1)") == [[1, 5, 9, 13]]
    assert elements(trace, "vstore2(v.xy, t, C)", AccessKind.STORE) == [[0, 2, 4, 6]]
    assert elements(trace, "((__global float4 *)C)[t].hi", AccessKind.STORE) == [[2, 6, 10, 14]]
    widths = {site.text: (site.width_bytes, site.aligned_bytes) for site in trace.sites}
    assert widths["vload4(t, B + 1)"] == (16, 4)
    assert widths["((__global float4 *)C)[t].hi"] == (8, 16)
    (skipped,) = found.instrumented.skipped
    assert (skipped.line, skipped.text) == (7, "((__global float4 *)C)[t].xz")
    assert "do not follow each other" in skipped.reason


def test_that_an_opencl_kernel_has_the_places_and_words_of_its_own_file(recorder: Make) -> None:
    body = """__local float s[4];
/* ü */ s[get_local_id(0)] = A[get_global_id(0)]; barrier(CLK_LOCAL_MEM_FENCE); C[get_local_id(0)] = s[t];"""
    found = recorder(body, opencl=True)
    line = body.splitlines()[1].encode()
    for site in found.instrumented.sites:
        assert site.line == 4
        assert line[site.column - 1 :].startswith(site.text.encode())
    assert {site.text for site in found.instrumented.sites} == {
        "s[get_local_id(0)]", "A[get_global_id(0)]", "C[get_local_id(0)]", "s[t]",
    }  # fmt: skip
    (place,) = block_0(found).ended_by
    assert (place.line, place.text) == (4, "barrier(CLK_LOCAL_MEM_FENCE)")


def test_that_a_recording_is_deterministic(recorder: Make) -> None:
    found = recorder("for (int i = 0; i < t; ++i) C[t] = A[i];")
    assert (block_0(found).addresses == block_0(found).addresses).all()


def test_that_out_of_bounds_accesses_are_recorded_and_harmless(recorder: Make) -> None:
    body = "C[t] = 1.0f; C[t - 1000000000] = 2.0f; C[0] += A[1000000000 + t];"
    found = recorder(body)
    trace = block_0(found)
    c = next(array for array in trace.arrays if array.name == "C")
    site = next(site for site in trace.sites if "t - 1000000000" in site.text)
    (row,) = trace.addresses[0, trace.slot_site == site.index][:, :4]
    assert row.tolist() == [c.base + 4 * (t - 1000000000) for t in range(4)]
    list(found.blocks(np.zeros(1, np.int32)))
    assert found.c[0, 0, 1:4].tolist() == [1.0, 1.0, 1.0]
