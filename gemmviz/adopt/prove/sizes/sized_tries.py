"""Tries with other sizes than the usual ones, and the blocks that they have."""

from __future__ import annotations

from collections.abc import Sequence
from math import prod

from gemmviz.adopt.propose.geometry import MOST_THREADS, BlockGuess
from gemmviz.adopt.prove.readings import ArgumentReading, value_of

MOST_GLANCES = 4
"""Tries with other sizes, and of a kernel that cannot be a product."""


def _with_powers(
    tries: Sequence[tuple[BlockGuess, ArgumentReading]],
) -> list[tuple[BlockGuess, ArgumentReading]]:
    """The best of the tries with a power of two for N, then for K."""
    found: list[tuple[BlockGuess, ArgumentReading]] = []
    for name in "NK":
        read = ((guess, one.with_power(name)) for guess, one in tries)
        sized = [(in_sizes(guess, one), one) for guess, one in read if one is not None][:MOST_GLANCES]
        found += [(guess, one) for guess, one in sized if 0 < prod(guess.block) <= MOST_THREADS]
    return found


def in_sizes(guess: BlockGuess, reading: ArgumentReading) -> BlockGuess:
    """The guess with the block that it is at the sizes of a reading."""
    given = reading.given
    return guess.with_block([value_of(text, given) or 0 for text in guess.block_words]) if guess.block_words else guess


def with_powers_first(
    tries: Sequence[tuple[BlockGuess, ArgumentReading]],
) -> list[tuple[BlockGuess, ArgumentReading]]:
    """The tries, and those with powers of two before the ones with all sizes equal, which say less and take longer."""
    squares = [one for one in tries if one[1].is_square]
    others = [one for one in tries if not one[1].is_square]
    return [*others, *_with_powers(others), *squares]
