"""The OpenCL C that a recording adds to a kernel: where events go, and how an address is made harmless.

Everything a recording is told comes in one buffer of 64-bit numbers, `gv_told`; HEADER says what lies where. The
recorded address is virtual (domain/access.py): real address - start of the array + virtual base of the array.
An address outside its array is recorded and then replaced by one nobody else uses, so that the kernel cannot crash.
"""

from __future__ import annotations

SLOTS, GRID_X, GRID_Y, GRID_Z, A_BYTES, B_BYTES, C_BYTES, WANT_SNAPSHOTS, HEADER = range(9)
"""Places in `gv_told`; from HEADER on, the offsets, then the strides."""

MATRIX_BASE = 1 << 40
"""A begins at MATRIX_BASE, B at twice, C at three times that."""

SHARED_BASE = 1 << 32
"""The i-th shared array begins at (16 + i) times that; multiples of 128 bytes, so that banks are as on hardware."""

UNWRITTEN_BITS = 0xFFC0DEAD
"""A NaN that shared memory is filled with before a tagged run."""

PARAMETERS = (
    ", __global const char *gv_a, __global const char *gv_b, __global const char *gv_c, "
    "__global const long *restrict gv_told, __global long *restrict gv_log_all, __global const int *gv_blocks, "
    "__global int *gv_trips, __global uint *gv_snapshots, __global char *gv_nowhere"
)
"""What the kernel takes besides its own arguments."""

PRELUDE = """\
#undef blockIdx
#undef gridDim
#define blockIdx ((uint3)(gv_block_x, gv_block_y, gv_block_z))
#define gridDim ((uint3)((uint)gv_told[1], (uint)gv_told[2], (uint)gv_told[3]))
#define GV_WARPS ((GV_THREADS + 31) / 32)
#define GV_OFFSET(i) gv_told[9 - 1 + (i)]
#ifdef GV_COUNTING
#define GV_EVENT(slot, address)
#define GV_SNAPSHOT
#else
#define GV_EVENT(slot, address) gv_log[((GV_THREAD / 32) * gv_told[0] + (slot)) * 32 + GV_THREAD % 32] = (address)
#define GV_SNAPSHOT
#endif
#define GV_INSIDE(p, start, nbytes) ((ulong)(p) - (ulong)(start) < (ulong)(nbytes) && \\
    (ulong)(p) - (ulong)(start) + sizeof(*(p)) <= (ulong)(nbytes))
#define GV_VIRTUAL(p, start, base) ((long)((ulong)(p) - (ulong)(start)) + (base))
#define GV_LOAD(slot, start, nbytes, base, offset, nowhere, lvalue) (*({ \\
    __typeof__(&(lvalue)) gv_p = &(lvalue); \\
    GV_EVENT(slot, GV_VIRTUAL(gv_p, start, base) + (offset)); \\
    GV_INSIDE(gv_p, start, nbytes) ? gv_p : (__typeof__(gv_p))(nowhere); }))
#define GV_BOTH(slot, again, start, nbytes, base, offset, nowhere, lvalue) (*({ \\
    __typeof__(&(lvalue)) gv_p = &(lvalue); \\
    GV_EVENT(slot, GV_VIRTUAL(gv_p, start, base) + (offset)); \\
    GV_EVENT(again, GV_VIRTUAL(gv_p, start, base) + (offset)); \\
    GV_INSIDE(gv_p, start, nbytes) ? gv_p : (__typeof__(gv_p))(nowhere); }))
""".replace("9 - 1", str(HEADER))


def prologue(loops: int, warps: int) -> str:
    """At the beginning of the kernel: which block this is, where its events go, how often its loops ran."""
    trips = "".join(f"int gv_trips_{loop} = 0; " for loop in range(loops))
    return (
        "const uint gv_block = gv_blocks[get_group_id(0)];\n"
        "const uint gv_block_x = gv_block % (uint)gv_told[1];\n"
        "const uint gv_block_y = gv_block / (uint)gv_told[1] % (uint)gv_told[2];\n"
        "const uint gv_block_z = gv_block / (uint)gv_told[1] / (uint)gv_told[2];\n"
        f"__global long *restrict gv_log = gv_log_all + (long)get_group_id(0) * {warps} * gv_told[0] * 32;\n"
        "char gv_nowhere_shared[16] __attribute__((aligned(16))) = {0};\n"
        "int gv_epoch = 0;\n"
        f"{trips}\n"
    )


def epilogue(loops: int) -> str:
    """At the end of the kernel: the last snapshot, and the longest run of each loop."""
    kept = "".join(f"atomic_max(gv_trips + {loop}, gv_trips_{loop});\n" for loop in range(loops))
    return f"\nGV_SNAPSHOT\n#ifdef GV_COUNTING\n{kept}#endif\n"


def iteration(loop: int) -> str:
    """At the start of a loop's body."""
    return f" ++gv_i_{loop}; if (gv_i_{loop} >= gv_trips_{loop}) gv_trips_{loop} = gv_i_{loop} + 1; "
