"""What the PTX machine does not have yet: clusters, mbarriers that the copy engine tells, the TMA, wgmma.

Copies and products are done at once. Warps run in any order, each by itself and its lanes together, so that warps of
different trades wait for each other as they do on a GPU. Meanings and layouts: NVIDIA, PTX ISA.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray
from ptx_machine import RANK_BIT, Bits, Block

from gemmviz.domain.recordings.access import INACTIVE
from gemmviz.domain.spec import TensorMap
from gemmviz.machine.ptx.parse import Statement
from gemmviz.trace.ptx.decoding.rows import box_pieces, operand_pieces

_NOTHING = ("fence", "setmaxnreg")
_TF32 = np.uint32(0xFFFFE000)
"""The bits that tensor cores see of a float32."""
_IN_BLOCK = np.uint64(0xFFFFFF)


@dataclass(slots=True)
class Mbarrier:
    """Turns round when all have arrived and no bytes are owed; `turn` counts how often."""

    arrivals: int
    left: int = 0
    owed: int = 0
    turn: int = 0

    def settle(self) -> None:
        if self.left == 0 and self.owed == 0:
            self.turn, self.left = self.turn + 1, self.arrivals


def run_cluster(blocks: list[HopperBlock], random: np.random.Generator) -> None:
    """Run the blocks of a cluster beside each other."""
    left = list(blocks)
    for block in blocks:
        block.cluster = blocks
    while left:
        block = left[int(random.integers(len(left)))]
        if not block.advance():
            left = [one for one in left if one is not block]


@dataclass(slots=True)
class HopperBlock(Block):
    """`maps` are the tensor maps by the address of their parameter, with that of their matrix."""

    maps: dict[int, tuple[TensorMap, int]] = field(default_factory=dict)
    random: np.random.Generator = field(default_factory=lambda: np.random.default_rng(0))
    barriers: dict[int, Mbarrier] = field(default_factory=dict)
    cluster: list[HopperBlock] = field(default_factory=list)
    """The blocks of the cluster by rank."""
    is_at_cluster_barrier: bool = False

    def pick(self, at: NDArray[np.int64], ready: NDArray[np.bool_]) -> NDArray[np.int64]:
        warp = int(self.random.choice(np.unique(np.flatnonzero(ready) // 32)))
        here = ready & (np.arange(self.threads) // 32 == warp)
        found: NDArray[np.int64] = np.flatnonzero(here & (at == at[here].min()))
        return found

    def waits_for_all(self, statement: Statement) -> bool:
        words = statement.words
        is_of_cluster = words[:3] == ("barrier", "cluster", "wait")
        self.is_at_cluster_barrier |= is_of_cluster
        return is_of_cluster or (words[0] == "bar" and "warp" not in words)

    def release(self) -> None:
        if not self.is_at_cluster_barrier:
            self.waits[:] = self.is_at_cluster_barrier = False
        elif all(one.is_at_cluster_barrier and not one.ready.any() for one in self.cluster):
            for one in self.cluster:
                one.waits[:] = one.is_at_cluster_barrier = False

    def step(self, statement: Statement, lanes: NDArray[np.int64]) -> None:
        words = statement.words
        if words[0] in _NOTHING or words[:2] == ("bar", "warp") or words[:2] == ("barrier", "cluster"):
            return
        if words[0] == "mbarrier":
            self._mbarrier(statement, lanes)
        elif words[0] == "mapa":  # symbols have their block's rank
            self._write(
                statement, statement.operands[0], self._read(statement, statement.operands[1], "u32", lanes), lanes
            )
        elif words[:3] == ("cp", "async", "bulk"):
            self._bulk_copy(statement, lanes)
        elif words[:2] == ("wgmma", "mma_async"):
            self._multiply(statement, lanes)
        elif words[0] != "wgmma":
            Block.step(self, statement, lanes)

    def _mbarrier(self, statement: Statement, lanes: NDArray[np.int64]) -> None:
        words, operands = statement.words, statement.operands
        pointer = next(operand for operand in operands if operand.startswith("["))
        addresses = self._address(statement, pointer, lanes).tolist()
        if words[1] == "init":
            for address in addresses:
                self.barriers[address & int(_IN_BLOCK)] = Mbarrier(int(operands[1]), int(operands[1]))
        elif words[1] == "arrive":
            for address in addresses:
                block = self.cluster[address >> RANK_BIT] if "cluster" in words else self
                one = block.barriers[address & int(_IN_BLOCK)]
                one.owed += int(operands[-1]) if "expect_tx" in words else 0
                one.left -= 1
                assert one.left >= 0, "more have arrived than were expected"
                one.settle()
        else:
            parity = self._read(statement, operands[2], "u32", lanes).tolist()
            over = [self.barriers[a & int(_IN_BLOCK)].turn % 2 != p for a, p in zip(addresses, parity, strict=True)]
            self._write(statement, operands[0], np.array(over, np.uint64), lanes)

    def _bulk_copy(self, statement: Statement, lanes: NDArray[np.int64]) -> None:
        to, source, mbarrier, *mask = statement.operands
        words = re.findall(r"[\w%$]+", source)
        for lane in lanes:
            one = np.array([lane])
            map_, column, row = (int(self._read(statement, word, "b64", one)[0]) for word in words)
            what, matrix = self.maps[map_]
            place, told = (int(self._address(statement, pointer, one)[0] & _IN_BLOCK) for pointer in (to, mbarrier))
            read, written = box_pieces(what, _signed(column), _signed(row), place)
            ranks = int(self._read(statement, mask[0], "u16", one)[0]) if mask else 0
            for block in [block for rank, block in enumerate(self.cluster) if ranks >> rank & 1] or [self]:
                block.receive(read, written, matrix - self.memory.base, told)

    def receive(self, read: NDArray[np.int64], written: NDArray[np.int64], matrix: int, told: int) -> None:
        """A copy arrives: pieces of global memory, from byte `matrix` on, and a message to the mbarrier at `told`."""
        for from_, into in zip(read.reshape(-1).tolist(), written.reshape(-1).tolist(), strict=True):
            if into != INACTIVE:
                piece = self.memory.data[matrix + from_ :][:16] if from_ != INACTIVE else np.zeros(16, np.uint8)
                self.shared.data[into : into + 16] = piece
        self.barriers[told].owed -= 16 * int(np.count_nonzero(written != INACTIVE))
        self.barriers[told].settle()

    def _multiply(self, statement: Statement, lanes: NDArray[np.int64]) -> None:
        """A warp's 16 rows of D by all columns. Lane 4 g + t has rows g and g + 8 and columns 8 i + 2 t + 0 or 1."""
        assert lanes.size == 32, "lanes went apart"
        size = re.search(r"m64n(\d+)k(\d+)", statement.opcode)
        assert size is not None
        columns, depth, element_bytes = int(size[1]), int(size[2]), 32 // int(size[2])
        first, second, more, *rest = statement.operands[1:]
        transposed = [word != "0" for word in rest[2:]]
        sums = [name.strip() for name in statement.operands[0].strip("{}").split(",")]
        g, t = np.arange(32) // 4, np.arange(32) % 4
        if first.startswith("{"):
            a = np.zeros((16, depth), np.float32)
            for i, name in enumerate(first.strip("{}").split(",")):
                bits = self._read(statement, name.strip(), "b32", lanes).astype(np.uint32)
                a[g + i % 2 * 8, t + i // 2 * 4] = (bits & _TF32).view(np.float32)
        else:
            quarter = int(lanes[0]) // 32 % 4
            down = len(transposed) > 1 and transposed[0]
            a = self._operand(statement, first, 64, element_bytes, down, lanes)[16 * quarter : 16 * quarter + 16]
        b = self._operand(statement, second, columns, element_bytes, bool(transposed) and transposed[-1], lanes)
        product = (a @ b.T).astype(np.float32)
        keeps = self._read(statement, more, "pred", lanes) != 0
        for i, name in enumerate(sums):
            found = product[g + i // 2 % 2 * 8, i // 4 * 8 + 2 * t + i % 2]
            before = _floats(self._read(statement, name, "b32", lanes))
            self._write(statement, name, (np.where(keeps, before, 0) + found).astype(np.float32).view(np.uint32), lanes)

    def _operand(
        self, statement: Statement, name: str, rows: int, element_bytes: int, down: bool, lanes: NDArray[np.int64]
    ) -> NDArray[np.float32]:
        """Rows of A or columns of B, each of what is summed over."""
        descriptor = int(self._read(statement, name, "b64", lanes)[0])
        pieces = operand_pieces(descriptor, rows, element_bytes, down)
        assert pieces is not None
        first = pieces[pieces != INACTIVE]
        if not down:  # core matrices of 8 rows, 16 bytes each, two beside each other
            first = first.reshape(-1, 2, 8).swapaxes(1, 2).reshape(-1)
        where = first[:, None] + np.arange(16)
        raw = self.shared.data[where].reshape(-1)
        bits = (
            raw.view(np.uint32) & _TF32
            if element_bytes == 4
            else raw.view(np.uint16).astype(np.uint32) << np.uint32(16)
        )
        values: NDArray[np.float32] = bits.view(np.float32)
        return values.reshape(-1, rows).T if down else values.reshape(rows, -1)


def _floats(bits: Bits) -> NDArray[np.float32]:
    return bits.astype(np.uint32).view(np.float32)


def _signed(word: int) -> int:
    return (word & 0xFFFFFFFF) - (word >> 31 & 1) * 2**32
