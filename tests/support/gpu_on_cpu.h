// CUDA C++ as far as recorded kernels need it, for g++: the threads of a block are fibers that wait at barriers, blocks
// run one after the other, and shared memory is memory that stays. Threads that have ended are not waited for.

#pragma once

// Few headers: each is read again for every kernel.
#include <cstdlib>
#include <cstring>
#include <ucontext.h>

extern "C" float fmaf(float, float, float);

#define __global__
#define __device__
#define __forceinline__ inline
#define __launch_bounds__(...)
#define __shared__ static __attribute__((aligned(64)))
#define __constant__ static
#define __align__(bytes) __attribute__((aligned(bytes)))

struct uint3 { unsigned x, y, z; };
struct __align__(8) float2 { float x, y; };
struct __align__(16) float4 { float x, y, z, w; };
struct __align__(8) int2 { int x, y; };
struct __align__(16) int4 { int x, y, z, w; };
inline uint3 make_uint3(unsigned x, unsigned y, unsigned z) { return {x, y, z}; }
inline float2 make_float2(float x, float y) { return {x, y}; }
inline float4 make_float4(float x, float y, float z, float w) { return {x, y, z, w}; }

uint3 threadIdx, blockIdx, blockDim, gridDim;

namespace gpu {

constexpr std::size_t STACK_BYTES = 1 << 17;

struct Thread {
    ucontext_t context;
    uint3 index;
    bool is_done;
};

Thread *threads;
unsigned count;
char *stacks;
ucontext_t scheduler;
Thread *current;
void (*body)();

void begin()
{
    body();
    current->is_done = true;
    swapcontext(&current->context, &scheduler);
}

void wait()
{
    swapcontext(&current->context, &scheduler);
}

// All threads of a block, each from one barrier to the next, in an order that `backwards` turns round.
void run_block(bool backwards)
{
    for (unsigned t = 0; t < count; ++t) {
        Thread &thread = threads[t];
        thread.is_done = false;
        thread.index = {t % blockDim.x, t / blockDim.x % blockDim.y, t / blockDim.x / blockDim.y};
        getcontext(&thread.context);
        thread.context.uc_stack.ss_sp = stacks + t * STACK_BYTES;
        thread.context.uc_stack.ss_size = STACK_BYTES;
        thread.context.uc_link = &scheduler;
        makecontext(&thread.context, begin, 0);
    }
    for (bool is_left = true; is_left;) {
        is_left = false;
        for (unsigned i = 0; i < count; ++i) {
            current = &threads[backwards ? count - 1 - i : i];
            if (current->is_done) {
                continue;
            }
            threadIdx = current->index;
            swapcontext(&scheduler, &current->context);
            is_left = is_left || !current->is_done;
        }
    }
}

void run(unsigned blocks, uint3 block, void (*entry)(), bool backwards)
{
    body = entry;
    blockDim = block;
    gridDim = {blocks, 1, 1};
    count = block.x * block.y * block.z;
    threads = static_cast<Thread *>(std::calloc(count, sizeof(Thread)));
    stacks = static_cast<char *>(std::malloc(count * STACK_BYTES));
    for (unsigned b = 0; b < blocks; ++b) {
        blockIdx = {b, 0, 0};
        run_block(backwards);
    }
    std::free(stacks);
    std::free(threads);
}

}  // namespace gpu

inline void __syncthreads() { gpu::wait(); }
inline void __threadfence() {}
template <class T> T __ldg(const T *at) { return *at; }
inline int atomicAdd(int *at, int value) { const int old = *at; *at += value; return old; }
inline int atomicMax(int *at, int value) { const int old = *at; *at = old > value ? old : value; return old; }

template <class A, class B> auto min(A a, B b) { return a < b ? a : b; }
template <class A, class B> auto max(A a, B b) { return a < b ? b : a; }
inline int __float_as_int(float x) { int i; std::memcpy(&i, &x, 4); return i; }
inline float __int_as_float(int i) { float x; std::memcpy(&x, &i, 4); return x; }
inline float __fmaf_rn(float x, float y, float z) { return fmaf(x, y, z); }
