"""Names that OpenCL C has taken for functions of its own, where CUDA leaves them to the programmer."""

from __future__ import annotations

FUNCTIONS = frozenset(
    ["all", "any", "as_float", "as_int", "as_uint", "async_work_group_copy", "barrier", "bitselect", "clamp", "clz", "convert_float", "convert_int", "cross", "degrees", "distance", "dot", "fast_distance", "fast_length", "fast_normalize", "fract", "get_global_id", "get_group_id", "get_local_id", "get_local_size", "hadd", "half_cos", "half_divide", "half_exp", "half_log", "half_powr", "half_recip", "half_rsqrt", "half_sin", "half_sqrt", "half_tan", "isequal", "isgreater", "isless", "isordered", "length", "mad", "mad24", "mad_hi", "mad_sat", "maxmag", "mem_fence", "minmag", "mix", "mul24", "mul_hi", "native_cos", "native_divide", "native_exp", "native_log", "native_powr", "native_recip", "native_rsqrt", "native_sin", "native_sqrt", "native_tan", "normalize", "pown", "powr", "prefetch", "radians", "rhadd", "rootn", "rotate", "select", "shuffle", "shuffle2", "sign", "smoothstep", "step", "sub_sat", "add_sat", "upsample", "vload2", "vload3", "vload4", "vload8", "vload16", "vstore2", "vstore3", "vstore4", "vstore8", "vstore16", "wait_group_events"]
)
