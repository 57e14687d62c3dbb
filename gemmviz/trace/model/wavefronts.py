"""How shared memory serves warp requests: lanes in groups, one word of each bank at a time.

A group takes as many wavefronts as its busiest bank has distinct words; lanes that want the same word get it together.
Counts, heat and the lanes of each wavefront all come from `BankUse`.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from gemmviz.domain.recordings.access import INACTIVE, AccessKind
from gemmviz.trace.model.pieces import NOTHING, Pieces, in_order, is_first, pieces_of
from gemmviz.trace.model.rules import (
    BANKS,
    LANES,
    WORD_BYTES,
    Counts,
    Lanes,
    Requests,
    bank_of,
    banks_of_words,
    lanes_together,
)


@dataclass(frozen=True, slots=True)
class Word:
    """A word served from its bank in one wavefront to all `lanes` that want it."""

    bank: int
    word: int
    lanes: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Wavefront:
    """One pass through shared memory: at most one word of each bank, banks ascending.

    `group` counts from 0: the lanes `first_lane` to `last_lane` are served together.
    """

    group: int
    first_lane: int
    last_lane: int
    words: tuple[Word, ...]


@dataclass(frozen=True, slots=True)
class SharedCost:
    """The wavefronts of one request; `ideal` is how many it would take if no two words met in a bank.

    `merges`: a load whose lanes agree in pairs, so that twice as many lanes are served together as usual.
    """

    lanes_together: int
    wavefronts: tuple[Wavefront, ...]
    ideal: int
    merges: bool = False

    @property
    def lanes(self) -> tuple[int, ...]:
        """Those that take part, ascending."""
        return tuple(sorted({lane for each in self.wavefronts for word in each.words for lane in word.lanes}))

    @property
    def excess(self) -> int:
        """Wavefronts that bank conflicts add."""
        return len(self.wavefronts) - self.ideal


NO_SHARED_COST = SharedCost(LANES, (), 0)
"""What no request costs."""


@dataclass(frozen=True, slots=True, eq=False)
class BankUse:
    """What n requests want of the banks.

    `words`: the words of each lane. `together`, shape (n,): how many lanes of each request are served together; lanes
    0 to `together` - 1 are its group 0, and so on. `words_in_bank`, shape (n, groups, 32): how many distinct words a
    group wants of each bank.
    """

    words: Pieces
    together: Counts
    words_in_bank: NDArray[np.int64]

    @property
    def wavefronts(self) -> Counts:
        """Passes of each request through shared memory."""
        total: Counts = self.words_in_bank.max(axis=2).sum(axis=1)
        return total

    @property
    def ideal(self) -> Counts:
        """Passes of each request if no two words met in a bank: the groups that have an active lane."""
        busy: Counts = np.count_nonzero(self.words_in_bank.any(axis=2), axis=1)
        return busy

    @property
    def words_at_lanes(self) -> NDArray[np.int64]:
        """For each lane, shape (n, 32): the most words its group wants of a bank that the lane wants something of; 1 is
        no conflict, 0 a lane that takes no part.
        """
        request = np.arange(len(self.words))[:, None, None]
        found = self.words_in_bank[request, groups(self.together)[:, :, None], banks_of_words(self.words)]
        most: NDArray[np.int64] = np.where(self.words != NOTHING, found, 0).max(axis=2)
        return most


def bank_use(addresses: Requests, width_bytes: int, kind: AccessKind) -> BankUse:
    """What requests of one width and kind want of the banks.

    Raises:
        ValueError: as `check_requests`.
    """
    words = pieces_of(addresses, width_bytes, WORD_BYTES)
    merges = merging(addresses, width_bytes, kind)
    together = np.full(len(words), lanes_together(width_bytes, merges=False))
    in_bank = np.zeros((len(words), LANES // lanes_together(width_bytes, merges=False), BANKS), np.int64)
    for these, merged in ((~merges, False), (merges, True)):
        if these.any():
            lanes = lanes_together(width_bytes, merged)
            together[these] = lanes
            in_bank[these, : LANES // lanes] = _distinct_in_banks(words[these], lanes)
    return BankUse(words, together, in_bank)


def shared_cost(addresses: Lanes, width_bytes: int, kind: AccessKind) -> SharedCost:
    """The wavefronts of one request, group by group.

    Which of several words that meet in a bank goes first is not known and does not change the count: they go in the
    order of their lanes.

    Raises:
        ValueError: as `check_requests`.
    """
    use = bank_use(addresses[None], width_bytes, kind)
    together = int(use.together[0])
    wavefronts: list[Wavefront] = []
    for group, passes in enumerate(use.words_in_bank[0].max(axis=1).tolist()):
        first = group * together
        words = _words_by_pass(use.words[0, first : first + together], first, passes)
        number = len({wavefront.first_lane for wavefront in wavefronts})
        wavefronts += [Wavefront(number, first, first + together - 1, each) for each in words]
    merges = together > lanes_together(width_bytes, merges=False)
    return SharedCost(together, tuple(wavefronts), int(use.ideal[0]), merges)


def words_at_banks(cost: SharedCost) -> Counter[tuple[int, int]]:
    """How many different words each group of lanes wants of each bank, by the numbers of group and bank."""
    return Counter((wavefront.group, word.bank) for wavefront in cost.wavefronts for word in wavefront.words)


def busiest_bank(cost: SharedCost) -> int:
    """The bank of which a group of lanes wants the most words, the first of several; 0 where nothing is wanted."""
    words = words_at_banks(cost)
    most = max(words.values(), default=0)
    return min((bank for (_, bank), count in words.items() if count == most), default=0)


def conflicted_banks(cost: SharedCost) -> frozenset[int]:
    """The banks of which a group of lanes wants several words."""
    return frozenset(bank for (_, bank), count in words_at_banks(cost).items() if count > 1)


def merging(addresses: Requests, width_bytes: int, kind: AccessKind) -> NDArray[np.bool_]:
    """Whether lanes of each request agree in pairs, shape (n,), so that its groups are twice as large."""
    agree = np.zeros(len(addresses), np.bool_)
    if kind is AccessKind.LOAD and width_bytes > WORD_BYTES:
        for distance in (1, 2):
            other = addresses[:, np.arange(LANES) ^ distance]
            agree |= np.all((addresses == other) | (addresses == INACTIVE) | (other == INACTIVE), axis=1)
    return agree


def groups(together: Counts) -> NDArray[np.int64]:
    """The group each lane is served in, shape (n, 32)."""
    found: NDArray[np.int64] = np.arange(LANES) // together[:, None]
    return found


def _distinct_in_banks(words: Pieces, together: int) -> NDArray[np.int64]:
    """How many distinct words each group of `together` lanes wants of each bank, shape (n, 32 / together, 32)."""
    count = LANES // together
    ordered = in_order(words.reshape(len(words) * count, together, words.shape[2]))
    row, place = np.nonzero(is_first(ordered))
    cell = row * BANKS + banks_of_words(ordered[row, place])
    return np.bincount(cell, minlength=len(ordered) * BANKS).reshape(len(words), count, BANKS)


def _words_by_pass(words: NDArray[np.int64], first_lane: int, passes: int) -> list[tuple[Word, ...]]:
    """The words of each pass of one group; `words` are those of its lanes, shape (lanes, most)."""
    wanted: dict[int, list[int]] = {}
    for lane, of_lane in enumerate(words.tolist(), first_lane):
        for word in of_lane:
            if word != NOTHING:
                wanted.setdefault(word, []).append(lane)
    served: list[list[Word]] = [[] for _ in range(passes)]
    taken = [0] * BANKS
    for word, lanes in wanted.items():  # in the order in which lanes ask first
        bank = bank_of(word * WORD_BYTES)
        served[taken[bank]].append(Word(bank, word, tuple(lanes)))
        taken[bank] += 1
    return [tuple(sorted(each, key=lambda one: one.bank)) for each in served]
