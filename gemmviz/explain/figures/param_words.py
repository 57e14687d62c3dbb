"""The parameters in which runs differ, in few words: names of several runs beside each other need no others. No Qt."""

from __future__ import annotations

from collections.abc import Sequence

from gemmviz.domain.spec import Params, format_params

BETWEEN = "·"
_MOST_NAMED = 3
"""Of more parameters the values stand alone, as names with values would be long."""


def varied_params(several: Sequence[Params]) -> tuple[str, ...]:
    """The names of the parameters that differ, in the order of the kernel's header."""
    names = dict.fromkeys(name for params in several for name, _ in params)
    return tuple(name for name in names if len({dict(params).get(name) for params in several}) > 1)


def telling_params(several: Sequence[Params], swept: Sequence[str] = ()) -> tuple[str, ...]:
    """The names of the parameters that tell several apart: those that are `swept` while not all are there yet, else
    `varied_params`.
    """
    return tuple(swept) or varied_params(several)


def are_values_alone(names: Sequence[str]) -> bool:
    """Whether `varied_words` of so many parameters are values without names."""
    return len(names) > _MOST_NAMED


def names_together(names: Sequence[str]) -> str:
    """ "BM·BN·TM·TN": what the values of `varied_words` are."""
    return BETWEEN.join(names)


def values_together(params: Params, names: Sequence[str]) -> str:
    """ "128·256·8·16"; nothing for a parameter that these params lack."""
    values = dict(params)
    return BETWEEN.join(str(values.get(name, "")) for name in names)


def varied_words(params: Params, names: Sequence[str]) -> str:
    """ "BM=64 TM=8", of more than three parameters "128·256·8·16"; "" for none."""
    if are_values_alone(names):
        return values_together(params, names)
    return format_params(tuple((name, value) for name, value in params if name in names))
