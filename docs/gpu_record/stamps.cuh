// What a stamped copy of a kernel uses: lane 0 of every warp of a block on SM 0 reads the clock four times per step.
#pragma once
__device__ unsigned long long *probe_stamps;    // [block on SM 0][warp][step][4]
__device__ int probe_taken, probe_owner[32];

__device__ __forceinline__ unsigned long long probe_now()
{
    unsigned long long t;
    asm volatile("mov.u64 %0, %%clock64;" : "=l"(t) :: "memory");
    return t;
}

// A barrier holds a warp only at the next instruction that needs what it guards: read a shared word behind it, and use it.
__device__ __forceinline__ void probe_settle(const float *word)
{
    const float v = *(const volatile float *)word;
    asm volatile("{ .reg .pred p; setp.eq.f32 p, %0, 0f7149F2CA; @p trap; }" :: "f"(v) : "memory");
}

#define PROBE_BEGIN                                                                                              \
    __shared__ int probe_slot;                                                                                   \
    if (threadIdx.x == 0) {                                                                                      \
        unsigned sm;                                                                                             \
        asm volatile("mov.u32 %0, %%smid;" : "=r"(sm));                                                          \
        probe_slot = sm == 0 ? atomicAdd(&probe_taken, 1) : -1;                                                  \
        if (probe_slot >= 0 && probe_slot < 32) probe_owner[probe_slot] = blockIdx.y * gridDim.x + blockIdx.x;   \
    }                                                                                                            \
    __syncthreads();                                                                                             \
    unsigned long long *probe_mine = nullptr;                                                                    \
    if (probe_slot >= 0 && probe_slot < 32 && threadIdx.x % 32 == 0) {                                           \
        probe_mine = probe_stamps + ((long long)probe_slot * (THREADS / 32) + threadIdx.x / 32) * (K / BK) * 4;  \
    }                                                                                                            \
    unsigned long long probe_load = probe_now(), probe_arrive = 0, probe_start = 0;

// The products of a step are issued before the clock is read.
#define PROBE_DONE                                                                                               \
    _Pragma("unroll") for (int i = 0; i < TM; ++i) {                                                             \
        _Pragma("unroll") for (int j = 0; j < TN; ++j) {                                                         \
            asm volatile("" : "+f"(acc[i][j]) :: "memory");                                                      \
        }                                                                                                        \
    }

#define PROBE_KEEP(step, stop)                                                                                   \
    if (probe_mine) {                                                                                            \
        unsigned long long *to = probe_mine + (step) * 4;                                                        \
        to[0] = probe_load; to[1] = probe_arrive; to[2] = probe_start; to[3] = stop;                             \
    }
