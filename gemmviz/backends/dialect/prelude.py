"""The dialect header: CUDA's built-in names spelled in OpenCL C, in front of every translated kernel."""

from __future__ import annotations

_COMMON = """\
#define __syncthreads() GV_BARRIER
#define __restrict__ restrict
#define __restrict restrict
#define warpSize 32
#define global gv_global
#define local gv_local
#define private gv_private
#define constant gv_constant
#define kernel gv_kernel
#define generic gv_generic
#define uniform gv_uniform
#define pipe gv_pipe
#define half gv_half
#define make_float2(x, y) ((float2)((x), (y)))
#define make_float4(x, y, z, w) ((float4)((x), (y), (z), (w)))
#define make_uint2(x, y) ((uint2)((x), (y)))
#define make_uint4(x, y, z, w) ((uint4)((x), (y), (z), (w)))
#define make_int2(x, y) ((int2)((x), (y)))
#define make_int4(x, y, z, w) ((int4)((x), (y), (z), (w)))
#define __ldg(address) (*(address))
#define __ldca(address) (*(address))
#define __ldcg(address) (*(address))
#define __ldcs(address) (*(address))
#define __ldcv(address) (*(address))
#define __ldlu(address) (*(address))
#define fmaf(x, y, z) fma((float)(x), (float)(y), (float)(z))
#define __fmaf_rn(x, y, z) fma((float)(x), (float)(y), (float)(z))
#define fabsf(x) fabs((float)(x))
#define sqrtf(x) sqrt((float)(x))
#define expf(x) exp((float)(x))
#define logf(x) log((float)(x))
#define powf(x, y) pow((float)(x), (float)(y))
#define rsqrtf(x) rsqrt((float)(x))
#define __expf(x) native_exp((float)(x))
#define __logf(x) native_log((float)(x))
#define __fdividef(x, y) native_divide((float)(x), (float)(y))
#define fminf(x, y) fmin((float)(x), (float)(y))
#define fmaxf(x, y) fmax((float)(x), (float)(y))
#define __int_as_float(x) as_float((int)(x))
#define __uint_as_float(x) as_float((uint)(x))
#define __float_as_int(x) as_int((float)(x))
#define __float_as_uint(x) as_uint((float)(x))
#define __int2float_rn(x) convert_float((int)(x))
#define __float2int_rn(x) convert_int_rte((float)(x))
#define __float2int_rz(x) convert_int_rtz((float)(x))
#define __popc(x) popcount((uint)(x))
#define __clz(x) clz((int)(x))
#define __mul24(x, y) mul24((int)(x), (int)(y))
#define assert(condition) ((void)0)
#define gridDim ((uint3)((uint)get_num_groups(0), (uint)get_num_groups(1), (uint)get_num_groups(2)))
#define blockIdx ((uint3)((uint)get_group_id(0), (uint)get_group_id(1), (uint)get_group_id(2)))
"""

_WORK_ITEMS = """\
#define GV_SHARED __local
#define GV_SHARED_ARRAY __local
#define GV_BARRIER barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE)
#define threadIdx ((uint3)((uint)get_local_id(0), (uint)get_local_id(1), (uint)get_local_id(2)))
#define blockDim ((uint3)((uint)get_local_size(0), (uint)get_local_size(1), (uint)get_local_size(2)))
"""

_THREAD_LOOPS = """\
#define GV_SHARED
#define GV_SHARED_ARRAY __attribute__((aligned(64)))
#define GV_BARRIER
#define threadIdx ((uint3)((uint)gv_x, (uint)gv_y, (uint)gv_z))
#define blockDim ((uint3)({x}u, {y}u, {z}u))
#define GV_THREADS {threads}
#define GV_THREAD (({y} * gv_z + gv_y) * {x} + gv_x)
#define GV_FOR_EACH_THREAD \\
    for (int gv_z = 0; gv_z < {z}; ++gv_z) \\
    for (int gv_y = 0; gv_y < {y}; ++gv_y) \\
    for (int gv_x = 0; gv_x < {x}; ++gv_x)
"""


def work_item_prelude() -> str:
    """For kernels whose threads are OpenCL work-items."""
    return _WORK_ITEMS + _COMMON


def thread_loop_prelude(block: tuple[int, int, int]) -> str:
    """For kernels whose threads are loops inside one work-item per block."""
    x, y, z = block
    return _THREAD_LOOPS.format(x=x, y=y, z=z, threads=x * y * z) + _COMMON
