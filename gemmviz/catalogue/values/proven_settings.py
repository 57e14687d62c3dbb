"""The settings of a kernel's parameters in which it was proven when it was described, in its description."""

from __future__ import annotations

from collections.abc import Mapping

from gemmviz.catalogue.complaints import must_be
from gemmviz.catalogue.header import Header
from gemmviz.domain.spec import Params

KEY = "proven_settings"
MOST_SETTINGS = 1024


def read_proven_settings(header: Header) -> tuple[Params, ...]:
    """The settings that a description calls proven: of each the values that are no defaults.

    Raises:
        HeaderError: it is no list of tables of whole numbers, or too long.
    """
    listed = header.values.get(KEY, [])
    kind = "a list of tables of whole numbers"
    if not isinstance(listed, list) or len(listed) > MOST_SETTINGS:
        raise header.fault(KEY, must_be(KEY, f"{kind}, at most {MOST_SETTINGS}", listed, "[{BM = 64, TM = 4}]"))
    for one in listed:
        if not isinstance(one, Mapping) or not all(type(value) is int for value in one.values()):
            raise header.fault(KEY, must_be(KEY, kind, one, "[{BM = 64, TM = 4}]"))
    return tuple(tuple(sorted(one.items())) for one in listed)
