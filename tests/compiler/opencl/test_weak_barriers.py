"""Barriers of OpenCL C that do not order local memory are named with their lines."""

from __future__ import annotations

from gemmviz.compiler.opencl.weak_barriers import weak_barriers

KERNEL = """__kernel void first(__global float *C) { barrier(CLK_GLOBAL_MEM_FENCE); C[0] = 1.0f; }
__kernel void tiles(__global const float *A, __global float *C) {
    __local float tile[16];
    tile[get_local_id(0)] = A[get_local_id(0)];
    FIRST;  // barrier(CLK_GLOBAL_MEM_FENCE)
    C[get_local_id(0)] = tile[15 - get_local_id(0)];
    SECOND;
}
"""


def found(first: str, second: str, entry: str = "tiles") -> str:
    return weak_barriers(KERNEL.replace("FIRST", first).replace("SECOND", second), entry)


def test_that_a_barrier_that_orders_global_memory_alone_is_named_beside_local_arrays() -> None:
    right, weak = "barrier(CLK_LOCAL_MEM_FENCE)", "barrier( CLK_GLOBAL_MEM_FENCE )"
    more = "global memory alone, and local arrays need CLK_LOCAL_MEM_FENCE"
    assert found(weak, right) == f"the barrier in line 5 orders {more}"
    assert found(weak, "work_group_barrier(CLK_GLOBAL_MEM_FENCE, s)") == f"barriers in lines 5 and 7 order {more}"


def test_that_nothing_is_said_of_barriers_that_order_local_memory_or_of_a_kernel_without_such() -> None:
    both = "barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE)"
    assert found("barrier(CLK_LOCAL_MEM_FENCE)", both) == ""
    assert found("barrier(CLK_GLOBAL_MEM_FENCE)", both, "first") == ""
