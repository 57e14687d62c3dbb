"""The OpenCL C that a recording adds to a kernel: where events go, and how an address is made harmless.

Everything a recording is told comes in one buffer of 64-bit numbers, `gv_told`; HEADER says what lies where. The
recorded address is virtual (domain/access.py): real address - start of the array + virtual base of the array.
An address outside its array, or one that its type must not have, is recorded and then replaced by one nobody else
uses, so that the kernel cannot crash.
"""

from __future__ import annotations

from dataclasses import dataclass

SLOTS, GRID_X, GRID_Y, GRID_Z, A_BYTES, B_BYTES, C_BYTES, WANT_SNAPSHOTS, HEADER = range(9)
"""Places in `gv_told`; from HEADER on, the offsets, then the strides, then the words of each shared array."""

COUNTING = -1
"""In the place of SLOTS: loops are counted, and no events are written."""

MATRIX_BASE = 1 << 40
"""A begins at MATRIX_BASE, B at twice, C at three times that."""

SHARED_BASE = 1 << 32
"""The i-th shared array begins at (16 + i) times that; multiples of 128 bytes, so that banks are as on hardware."""

UNWRITTEN_BITS = 0xFFC0DEAD
"""A NaN that shared memory is filled with before a tagged run; before any other with zeros, so that what a faulty
kernel does with memory that nobody wrote is the same each time."""

PARAMETERS = (
    ", __global const char *gv_a, __global const char *gv_b, __global const char *gv_c, "
    "__global const long *restrict gv_told, __global long *restrict gv_log_all, __global const int *gv_blocks, "
    "__global int *gv_trips, __global uint *gv_snapshots, __global char *gv_nowhere"
)
"""What the kernel takes besides its own arguments."""

_HELPER_PARAMETERS = (
    ", __global const long *restrict gv_told, __global long *restrict gv_log, int gv_x, int gv_y, int gv_z, "
    "long gv_base, int *gv_ran, __global char *gv_nowhere, char *gv_nowhere_shared"
)
"""What a helper function takes besides; for each of its pointers `p` also gv_start_p, gv_bytes_p, gv_virtual_p."""

_HELPER_ARGUMENTS = ", gv_told, gv_log, gv_x, gv_y, gv_z, {slot}, gv_ran, gv_nowhere, gv_nowhere_shared"


@dataclass(frozen=True, slots=True)
class Words:
    """How a recording is spelled in a language: what helpers take and are given, 64-bit numbers, what stands in front
    of a loop."""

    helper_parameters: str
    helper_arguments: str
    unsigned: str
    signed: str
    before_loop: str = ""


OPENCL = Words(_HELPER_PARAMETERS, _HELPER_ARGUMENTS, "ulong", "long")

PRELUDE = f"""\
#undef blockIdx
#undef gridDim
#define blockIdx ((uint3)(gv_block_x, gv_block_y, gv_block_z))
#define gridDim ((uint3)((uint)gv_told[{GRID_X}], (uint)gv_told[{GRID_Y}], (uint)gv_told[{GRID_Z}]))
#define GV_OFFSET(i) gv_told[{HEADER} + (i)]
#define GV_STRIDE(i) gv_told[{HEADER} + GV_OFFSETS + (i)]
#ifdef GV_COUNTING
#define GV_EVENT(slot, address)
#define GV_RAN(loop, times) if ((times) > gv_ran[loop]) gv_ran[loop] = (times);
#else
#define GV_EVENT(slot, address) \\
    gv_log[((GV_THREAD / 32) * gv_told[{SLOTS}] + (slot)) * 32 + GV_THREAD % 32] = (address)
#define GV_RAN(loop, times)
#endif
#define GV_INSIDE(p, start, nbytes) ((ulong)(p) - (ulong)(start) < (ulong)(nbytes) && \\
    (ulong)(p) - (ulong)(start) + sizeof(*(p)) <= (ulong)(nbytes) && (ulong)(p) % __alignof__(*(p)) == 0)
#define GV_VIRTUAL(p, start, base) ((long)((ulong)(p) - (ulong)(start)) + (base))
#define GV_LOAD(slot, start, nbytes, base, offset, nowhere, lvalue) (*({{ \\
    __typeof__(&(lvalue)) gv_p = &(lvalue); \\
    GV_EVENT(slot, GV_VIRTUAL(gv_p, start, base) + (offset)); \\
    GV_INSIDE(gv_p, start, nbytes) ? gv_p : (__typeof__(gv_p))(nowhere); }}))
#define GV_BOTH(slot, again, start, nbytes, base, offset, nowhere, lvalue) (*({{ \\
    __typeof__(&(lvalue)) gv_p = &(lvalue); \\
    GV_EVENT(slot, GV_VIRTUAL(gv_p, start, base) + (offset)); \\
    GV_EVENT(again, GV_VIRTUAL(gv_p, start, base) + (offset)); \\
    GV_INSIDE(gv_p, start, nbytes) ? gv_p : (__typeof__(gv_p))(nowhere); }}))
#define GV_NUMBERS(n, slot, start, nbytes, base, nowhere, offset, p) \\
    __typeof__((p) + 0) gv_p = (p) + (n) * (offset); \\
    GV_EVENT(slot, GV_VIRTUAL(gv_p, start, base)); \\
    if (!GV_INSIDE(gv_p, start, nbytes) || !GV_INSIDE(gv_p + ((n) - 1), start, nbytes)) \\
        gv_p = (__typeof__(gv_p))(nowhere);
#define GV_VLOAD(n, slot, start, nbytes, base, nowhere, offset, p) ({{ \\
    GV_NUMBERS(n, slot, start, nbytes, base, nowhere, offset, p) vload##n(0, gv_p); }})
#define GV_VSTORE(n, slot, start, nbytes, base, nowhere, value, offset, p) ({{ \\
    GV_NUMBERS(n, slot, start, nbytes, base, nowhere, offset, p) vstore##n(value, 0, gv_p); }})
#define GV_FILL(array, words) \\
    for (ulong gv_j = 0; gv_j < (words); ++gv_j) \\
        ((uint *)(array))[gv_j] = gv_told[{WANT_SNAPSHOTS}] ? {UNWRITTEN_BITS}u : 0u;
#define GV_COPY(array, words) \\
    for (ulong gv_j = 0; gv_j < (words); ++gv_j) *gv_copy++ = ((uint *)(array))[gv_j];
"""


def prologue(warps: int) -> str:
    """At the beginning of the kernel: which block this is, where its events go, how often its loops ran."""
    return (
        "const uint gv_block = gv_blocks[get_group_id(0)];\n"
        f"const uint gv_block_x = gv_block % (uint)gv_told[{GRID_X}];\n"
        f"const uint gv_block_y = gv_block / (uint)gv_told[{GRID_X}] % (uint)gv_told[{GRID_Y}];\n"
        f"const uint gv_block_z = gv_block / (uint)gv_told[{GRID_X}] / (uint)gv_told[{GRID_Y}];\n"
        f"__global long *restrict gv_log = gv_log_all + (long)get_group_id(0) * {warps} * gv_told[{SLOTS}] * 32;\n"
        "char gv_nowhere_shared[16] __attribute__((aligned(16))) = {0};\n"
        "__global uint *gv_copy = gv_snapshots;\n"
        "const int gv_x = 0, gv_y = 0, gv_z = 0;\n"  # for what all threads evaluate together
        "const long gv_base = 0;\nint gv_ran[GV_LOOPS + 1] = {0};\n"
    )


def epilogue(last_snapshot: str, shapes: list[tuple[str, str, str]]) -> str:
    """At the end of the kernel: the last snapshot, the longest run of each loop, and the shapes of shared arrays.

    `shapes` are elements, columns and bytes of an element of each shared array, as C expressions.
    """
    kept = "for (int gv_j = 0; gv_j < GV_LOOPS; ++gv_j) atomic_max(gv_trips + gv_j, gv_ran[gv_j]);"
    sizes = "".join(
        f"gv_trips[GV_LOOPS + {3 * i + place}] = {fact};\n"
        for i, facts in enumerate(shapes)
        for place, fact in enumerate(facts)
    )
    return f"{last_snapshot}\n#ifdef GV_COUNTING\n{kept}\n{sizes}#endif\n"


def iteration(loop: int) -> str:
    """At the start of a loop's body."""
    return f" ++gv_i_{loop}; GV_RAN({loop}, gv_i_{loop} + 1) "


def snapshot(arrays: list[tuple[str, str]]) -> str:
    """At a barrier: copy the shared arrays, given by name and size in words, one behind the other."""
    copies = "".join(f"GV_COPY({name}, {words}) " for name, words in arrays)
    return f"\nif (gv_told[{WANT_SNAPSHOTS}]) {{ {copies}}}\n" if arrays else ""
