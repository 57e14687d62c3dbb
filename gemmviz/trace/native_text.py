"""The CUDA C++ that a recording adds to a kernel which runs as it is: real threads, real barriers, shared memory.

What a recording is told lies in one buffer of 64-bit numbers, as on OpenCL (recording_text.py), with a negative number
of slots where loops are to be counted, and behind the strides the words of each shared array. What belongs to a thread
is a `GvRecording`; the kernel has one, and hands it to its helpers.

C++ only, no extension of a compiler: an access is a lambda that is called with the address of its lvalue.
"""

from __future__ import annotations

from gemmviz.trace.recording_text import (
    GRID_X,
    GRID_Y,
    GRID_Z,
    HEADER,
    SLOTS,
    UNWRITTEN_BITS,
    WANT_SNAPSHOTS,
    Words,
)

RECORDING = "gv_recording"
"""The name of a thread's GvRecording."""

PARAMETERS = (
    ", const char *gv_given_a, const char *gv_given_b, const char *gv_given_c, const long long *gv_given_told, "
    "long long *gv_given_log, const int *gv_given_blocks, int *gv_given_trips, unsigned *gv_given_snapshots, "
    "char *gv_given_nowhere"
)
"""What the kernel takes besides its own arguments: the same, in the same order, as on OpenCL."""


NATIVE = Words(
    helper_parameters=f", GvRecording &{RECORDING}, long long gv_base",
    helper_arguments=f", {RECORDING}, {{slot}}",
    unsigned="unsigned long long",
    signed="long long",
    before_loop='_Pragma("unroll 1") ',
)
"""A loop that is unrolled is compiled for a long time, and a recording is not meant to be fast."""

PRELUDE = f"""
struct GvRecording {{
    const char *a, *b, *c;
    const long long *told;
    long long *log;
    int *trips;
    unsigned *snapshots;
    char *nowhere;
    unsigned thread, turn;
    uint3 block, grid;
    volatile unsigned *shared[GV_ARRAYS + 1];
}};
__device__ __forceinline__ long long gv_word(const GvRecording &of, int place) {{ return __ldg(of.told + place); }}
__device__ __forceinline__ GvRecording gv_begin(
    const char *a, const char *b, const char *c, const long long *told, long long *log, const int *blocks, int *trips,
    unsigned *snapshots, char *nowhere)
{{
    const unsigned block = (unsigned)blocks[blockIdx.x];
    const unsigned x = (unsigned)told[{GRID_X}], y = (unsigned)told[{GRID_Y}];
    const unsigned thread = (blockDim.y * threadIdx.z + threadIdx.y) * blockDim.x + threadIdx.x;
    GvRecording found = {{a, b, c, told, log, trips, snapshots, nowhere, thread, 0u}};
    found.log += (long long)blockIdx.x * GV_WARPS * told[{SLOTS}] * 32;
    found.block = make_uint3(block % x, block / x % y, block / x / y);
    found.grid = make_uint3(x, y, (unsigned)told[{GRID_Z}]);
    return found;
}}
__device__ __forceinline__ void gv_event(const GvRecording &to, long long slot, long long address)
{{
    const long long slots = gv_word(to, {SLOTS});
    if (slots >= 0) to.log[((to.thread / 32) * slots + slot) * 32 + to.thread % 32] = address;
}}
__device__ __forceinline__ void gv_ran(const GvRecording &of, int loop, int times)
{{
    if (gv_word(of, {SLOTS}) < 0 && times > *(volatile int *)(of.trips + loop)) atomicMax(of.trips + loop, times);
}}
__device__ __forceinline__ void gv_array(
    GvRecording &of, int array, unsigned long long start, unsigned long long elements, unsigned long long columns,
    unsigned long long bytes)
{{
    of.shared[array] = start % 4 ? 0 : (volatile unsigned *)start;
    if (gv_word(of, {SLOTS}) >= 0) return;
    of.trips[GV_LOOPS + 3 * array] = (int)elements;
    of.trips[GV_LOOPS + 3 * array + 1] = (int)columns;
    of.trips[GV_LOOPS + 3 * array + 2] = (int)bytes;
}}
__device__ __forceinline__ void gv_fill(
    const GvRecording &of, int array, unsigned long long words, unsigned first, unsigned step)
{{
    const unsigned with = gv_word(of, {WANT_SNAPSHOTS}) ? {UNWRITTEN_BITS}u : 0u;
    if (of.shared[array])
        for (unsigned long long i = first; i < words; i += step) of.shared[array][i] = with;
    __syncthreads();
}}
__device__ inline void gv_copy(const GvRecording &of, unsigned turn)
{{
    const int words = {HEADER} + GV_OFFSETS + GV_LOOPS;
    long long all = 0;
    for (int i = 0; i < GV_ARRAYS; ++i) all += gv_word(of, words + i);
    unsigned *to = of.snapshots + turn * all;
    for (int i = 0; i < GV_ARRAYS; ++i)
        for (long long j = 0; j < gv_word(of, words + i); ++j)
            *to++ = of.shared[i] ? of.shared[i][j] : {UNWRITTEN_BITS}u;
}}
__device__ __forceinline__ void gv_wait(GvRecording &of, long long slot)
{{
    gv_event(of, slot, 0);
    __syncthreads();
    if (gv_word(of, {WANT_SNAPSHOTS})) {{
        gv_copy(of, of.turn++);
        __syncthreads();
    }}
}}
__device__ __forceinline__ void gv_finish(const GvRecording &of, unsigned threads)
{{
    if (!gv_word(of, {WANT_SNAPSHOTS})) return;
    atomicMax(of.trips + 1, (int)of.turn);
    __threadfence();
    if (atomicAdd(of.trips, 1) != (int)threads - 1) return;
    __threadfence();
    gv_copy(of, (unsigned)atomicMax(of.trips + 1, 0));
}}
#ifdef __CUDA_ARCH__
#define GV_LEAVE(place, threads) \\
    do {{ gv_finish({RECORDING}, threads); asm volatile("exit; // " #place); return; }} while (0)
#else
#define GV_LEAVE(place, threads) do {{ gv_finish({RECORDING}, threads); return; }} while (0)
#endif
#undef assert
#define assert(condition) ((void)0)
#define blockIdx {RECORDING}.block
#define gridDim {RECORDING}.grid
#define GV_OFFSET(i) gv_word({RECORDING}, {HEADER} + (i))
#define GV_STRIDE(i) gv_word({RECORDING}, {HEADER} + GV_OFFSETS + (i))
#define GV_RAN(loop, times) gv_ran({RECORDING}, loop, times);
#define GV_OF(p, start) ((unsigned long long)(p) - (unsigned long long)(start))
#define GV_INSIDE(p, start, nbytes) (GV_OF(p, start) < (unsigned long long)(nbytes) && \\
    GV_OF(p, start) + sizeof(*(p)) <= (unsigned long long)(nbytes) && \\
    (unsigned long long)(p) % alignof(decltype(*(p))) == 0)
#define GV_LOAD(slot, start, nbytes, base, offset, nowhere, lvalue) (*[&](auto gv_p) {{ \\
    gv_event({RECORDING}, slot, (long long)GV_OF(gv_p, start) + (base) + (offset)); \\
    return GV_INSIDE(gv_p, start, nbytes) ? gv_p : (decltype(gv_p))(nowhere); }}(&(lvalue)))
#define GV_BOTH(slot, again, start, nbytes, base, offset, nowhere, lvalue) (*[&](auto gv_p) {{ \\
    gv_event({RECORDING}, slot, (long long)GV_OF(gv_p, start) + (base) + (offset)); \\
    gv_event({RECORDING}, again, (long long)GV_OF(gv_p, start) + (base) + (offset)); \\
    return GV_INSIDE(gv_p, start, nbytes) ? gv_p : (decltype(gv_p))(nowhere); }}(&(lvalue)))
#define gv_a {RECORDING}.a
#define gv_b {RECORDING}.b
#define gv_c {RECORDING}.c
#define gv_told {RECORDING}.told
#define gv_nowhere {RECORDING}.nowhere
#define gv_nowhere_shared {RECORDING}.nowhere
"""
"""Where GV_ARRAYS, GV_LOOPS, GV_OFFSETS and GV_WARPS are defined.

The last thread of a block to end makes the last snapshot: two words at `trips` count the threads and the snapshots
before it. A thread that leaves early really ends there: were it to wait for the others of its warp at a common end, a
barrier of theirs would wait for it. Each place that a thread leaves at is another piece of assembly, so that the
compiler makes no common end of them.
"""


def prologue() -> str:
    """At the beginning of the kernel; its own body follows in braces of its own."""
    names = ("a", "b", "c", "told", "log", "blocks", "trips", "snapshots", "nowhere")
    given = ", ".join(f"gv_given_{name}" for name in names)
    return f" GvRecording {RECORDING} = gv_begin({given}); const long long gv_base = 0; (void)gv_base; {{"


def leave(place: int, threads: int) -> str:
    """In place of the word `return` in the kernel, the `place`-th of them."""
    return f"GV_LEAVE({place}, {threads}u)"


def epilogue(threads: int) -> str:
    """At the end of the kernel."""
    return f"}} gv_finish({RECORDING}, {threads}u); "


def barrier(slot: str) -> str:
    """In place of a barrier."""
    return f"gv_wait({RECORDING}, {slot})"


def declared(number: int, array: str, nbytes: str, shape: tuple[str, str, str], fill: tuple[str, str] | None) -> str:
    """Behind the declaration of a shared array: what it is; and its first contents where all threads come by.

    `shape` are elements, columns and bytes of an element; `fill` the first word and the step of a thread.
    """
    text = f" gv_array({RECORDING}, {number}, (unsigned long long)({array}), {', '.join(shape)});"
    if fill is None:
        return text
    return f"{text} gv_fill({RECORDING}, {number}, {nbytes} / 4, {fill[0]}, {fill[1]});"
