"""Where the compiled code of a kernel keeps the state of warps and blocks: offsets in bytes, and what numbers mean.

The state of a warp holds its *splits*: groups of lanes that run apart since a branch divided them. A split runs until
it comes to the block at which it meets the others, and its parent goes on when its last child has come there.
"""

from __future__ import annotations

from enum import IntEnum

import numpy as np
from numpy.typing import NDArray

# The state of a warp
CURRENT = 0
"""i32: the split that runs."""
ALIVE = 4
"""i32: a mask of the lanes that have not ended."""
USED_SPLITS = 8
"""i32: splits behind this number have never been used."""
FAULT = 12
"""i32: a `Fault`."""
FAULT_SITE = 16
"""i32: the number of the statement at fault."""
FAULT_LANES = 20
"""i32: a mask of the lanes at fault."""
FAULT_ADDRESS = 24
"""i64: the address of the first of these lanes."""
BUDGET = 32
"""i32: backward branches that the warp may take before it gives way; NOT_STARTED before its first turn."""
WARP_NUMBER = 36
"""i32: the warp's number in its block."""
INSTRUCTIONS = 40
"""i64: instructions issued."""
CARRY = 48
"""i32: a mask of the lanes whose condition code says carry."""
LOG_NEXT = 56
"""ptr: where the warp's next slot goes."""
LOG_END = 64
"""ptr: where its room ends."""
LOG_SLOTS = 72
"""i32: slots that a warp without room needs."""
RELEASED = 76
"""i32: splits that may run the `*.sync` instruction at which they waited, before all others."""
WAITING = 80
"""i32: splits that wait for lanes in a `*.sync` instruction."""
LOG_CHANGED = 88
"""i64: not 0 where the warp's slots differ from what lay in their places, but for the numbers of values that vary."""
LOG_BEGIN = 96
"""ptr: where the room begins into which the warp writes its slots now."""
SPLITS = 128
SPLIT_BYTES = 40
MOST_SPLITS = 128
TIDS = SPLITS + SPLIT_BYTES * MOST_SPLITS
"""Three vectors of i32: threadIdx.x, y and z of each lane."""
EXCHANGE = TIDS + 3 * 128
"""A vector of i64: what each lane gave to the others in the `*.sync` instruction at which it waits."""
LANE_MASKS = EXCHANGE + 256
"""A vector of i32: the mask that each lane named there."""
AWAITED = LANE_MASKS + 128
"""A vector of i64: the address of the mbarrier that each lane tested last."""
REGISTERS = AWAITED + 256

STACK_BYTES = 1024
"""What `alloca` can take of a thread's local memory: what CUDA gives a thread's stack where the host does not ask for
more by cudaDeviceSetLimit(cudaLimitStackSize, ...); an H100 faults behind it.
"""
STACK_ALIGNMENT = 16
"""Of what `alloca` takes, in bytes, and its size is a multiple of that: so it is on an H100."""

COUNTER_BYTES = 16
"""Of each piece of code, where they are counted: how often a warp ran it, and the sum of the lanes that did; both i64.
"""

# A split
PC = 0
MEETS = 4
MASK = 8
PARENT = 12
CHILDREN = 16
CONDITION = 20
BARRIER = 24
WANTED = 28
"""i32: the lanes that a split waits for in a `*.sync` instruction, its own among them."""
KIND = 32
"""i32: which instruction that is; others of that number meet with it."""
ARRIVED_LANES = 36
"""i32: the lanes of the split that take part in it."""


class SplitCondition(IntEnum):
    """What a split does."""

    FREE = 0
    RUNS = 1
    WAITS_FOR_CHILDREN = 2
    WAITS_AT_BARRIER = 3
    WAITS_FOR_LANES = 4
    RELEASED = 5


class Status(IntEnum):
    """What a warp or a block returns to who runs it."""

    ENDED = 0
    WAITS = 1
    GAVE_WAY = 2
    FAULT = 3
    IDLE = 4
    DEADLOCK = 5
    CANCELLED = 6
    PAUSED = 7
    LOOKED_AT = 8


class Fault(IntEnum):
    """Why a launch ended."""

    NONE = 0
    OUT_OF_BOUNDS = 1
    MISALIGNED = 2
    TRAP = 3
    TOO_MANY_SPLITS = 4
    SHARED_OUT_OF_BOUNDS = 6
    LOCAL_OUT_OF_BOUNDS = 7
    HOST_CALL = 8
    BAD_BARRIER = 9
    LOG_FULL = 10
    NOT_NAMED = 11
    NO_MBARRIER = 12
    TOO_MANY_ARRIVALS = 13
    COMPLETES_PHASE = 14
    UNRECORDED_OUT_OF_BOUNDS = 15
    """Of a statement that a recording leaves out."""
    NO_FUNCTION = 16
    CALLS_ITSELF = 17
    LOCAL_ARRAY_OUT_OF_BOUNDS = 18
    STACK_OVERFLOW = 19

    @property
    def is_access(self) -> bool:
        """Whether memory was touched that may not be touched, or at an address that is not aligned."""
        return self is Fault.MISALIGNED or self.name.endswith("OUT_OF_BOUNDS")


# A block, with what belongs to its launch
SHARED_MEMORY = 0
"""ptr"""
PARAMETERS = 8
"""ptr"""
RANGES = 16
"""ptr: for each array its first address and its bytes, both i64."""
RANGE_COUNT = 24
"""i64"""
CANCEL = 32
"""ptr: an i32 that is not 0 once the launch is to end."""
LOCAL_MEMORY = 40
"""i64: the local memory of the block's first thread."""
MODULE_MEMORY = 48
"""ptr: the module's global and constant variables."""
BLOCK_INDEX = 64
"""Three i32."""
BLOCK_SHAPE = 76
GRID_SHAPE = 88
WARPS = 100
ALIVE_THREADS = 104
DYNAMIC_SHARED_BYTES = 108
SHARED_BYTES = 112
"""i32: static and dynamic together."""
FAULT_WARP = 116
"""i32: the warp that ended the block or asks the host; -1 once another turn has begun."""
PAUSES = 120
"""i32: not 0 where the host looks at the block each time that a barrier lets threads go on."""
WATCHED_WARPS = 124
"""i32: the warps before this one write down the values that the program watches."""
LOCAL_BYTES = 56
"""i64: local memory of a thread, a multiple of 16."""
BARRIERS = 128
"""Sixteen of these: threads that have arrived, threads expected (0: all that live), votes, and the last result."""
BARRIER_BYTES = 16
BARRIER_COUNT = 16
ARRIVED = 0
EXPECTED = 4
VOTES = 8
RESULT = 12
VOTES_AGAINST = 16
"""Of both: the bit from which on votes against are counted, those for it below. A block has at most 1,024 threads."""
ORDER = 384
"""ptr: of all blocks of a launch a lock for sequenced accesses (0: free) and the next number, both i64."""
LOOKS = 392
"""i32: not 0 while the host wants to look at the block each time that every warp has had a turn."""
SINK = 448
"""64 bytes that recorded accesses outside the memory read and write instead."""
SINK_BYTES = 64
SHARED_GUARD = 1 << 16
"""Bytes around a block's shared memory that belong to nobody: a full address there was meant for shared memory."""
RESERVED_BYTES = 1024
"""Bytes of shared memory that the system keeps of each block, behind the guard of the block's own. cooperative_groups
has its barriers of several warps there.
"""
SITE_RANGES = 512
"""For each statement that reads or writes by a full address, the range it found last: first address and bytes."""
NOT_STARTED = -(2**31)
"""What BUDGET says of a warp before its first turn; no turn leaves so little."""
BUDGET_OF_A_TURN = 4000
"""Backward branches of a warp before the others have their turn."""


def word_at(row: NDArray[np.uint8], offset: int) -> int:
    """The 32 bits at an offset of a state, as a number that is not negative."""
    return int(row[offset : offset + 4].view(np.uint32)[0])
