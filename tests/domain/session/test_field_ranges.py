"""Every figure of a session has a range: a file in which one lies outside is refused, and the field is named."""

from __future__ import annotations

import math
import typing
from collections.abc import Callable, Iterator
from dataclasses import fields, is_dataclass
from pathlib import Path
from typing import Annotated, Any, get_args, get_origin, get_type_hints

import numpy as np
import pytest

from gemmviz.domain.runs.result import Session
from gemmviz.domain.session.field_ranges import Length, Moment, Range
from gemmviz.domain.session.session import SessionError, load_session

Forge = Callable[..., Path]
LIMITS = Range | Moment | Length


def classes_of(kind: Any, seen: set[type]) -> Iterator[type]:
    """Every dataclass that a type is made of."""
    if isinstance(kind, type) and is_dataclass(kind):
        if kind not in seen:
            seen.add(kind)
            yield kind
            for hint in get_type_hints(kind, include_extras=True).values():
                yield from classes_of(hint, seen)
        return
    for part in get_args(kind):
        yield from classes_of(part, seen)


def unlimited(hint: Any) -> bool:
    """Whether a type holds numbers that no range is given for."""
    if get_origin(hint) is Annotated:
        return not any(isinstance(mark, LIMITS) for mark in get_args(hint)[1:])
    if hint in (int, float) or get_origin(hint) is np.ndarray:
        return True
    return any(unlimited(part) for part in get_args(hint) if part is not Ellipsis)


def test_that_every_number_of_a_session_has_a_range() -> None:
    classes = list(classes_of(Session, set()))
    assert {"Timing", "Accuracy", "Gauges", "Roof", "BlockSchedule", "TraceRun", "Site", "Hazard", "Device"} <= {
        kind.__name__ for kind in classes
    }
    without = {
        f"{kind.__name__}.{field.name}"
        for kind in classes
        for field in fields(kind)
        if unlimited(typing.get_type_hints(kind, include_extras=True)[field.name])
    }
    assert without == set()


def fault_of(path: Path) -> str:
    with pytest.raises(SessionError) as caught:
        load_session(path)
    assert "\n" not in str(caught.value)
    return str(caught.value)


RUN = "session.runs[0]"


@pytest.mark.parametrize(
    ("part", "field", "value", "words"),
    [
        (
            "timing",
            "compile_ms",
            1e308,
            f"1e+308 is not a valid time in ms from 0 to 3.16224e+10 @ {RUN}.timing.compile_ms",
        ),
        (
            "timing",
            "compile_ms",
            -1.0,
            f"-1.0 is not a valid time in ms from 0 to 3.16224e+10 @ {RUN}.timing.compile_ms",
        ),
        (
            "timing",
            "compile_ms",
            "nan",
            f"nan is not a valid time in ms from 0 to 3.16224e+10 @ {RUN}.timing.compile_ms",
        ),
        (
            "timing",
            "first_launch_ms",
            "inf",
            f"inf is not a valid time in ms from 0 to 3.16224e+10 @ {RUN}.timing.first_laun",
        ),
        ("timing", "launches_per_sample", 0, "0 is not a valid count from 1 to"),
        ("timing", "discarded", -1, "-1 is not a valid count from 0 to"),
        ("timing", "discarded", 10**400, "a number of 1329 bits is not a valid count"),
        ("accuracy", "bound", -1.0, f"-1.0 is not a valid bound of an error from 0 to 1e+30 @ {RUN}.accuracy.bound"),
        ("accuracy", "bound", "nan", "nan is not a valid bound of an error"),
        ("accuracy", "max_error_over_ug", 1e308, "1e+308 is not a valid error from 0 to 1e+100"),
        ("accuracy", "max_ulp", "-inf", "-inf is not a valid error from 0 to 1e+100"),
        ("accuracy", "exact_matches", 600, "run 1 ('tiled') claims 600 equal elements of 561, but C has 561"),
        ("accuracy", "elements", 562, "claims 560 equal elements of 562, but C has 561"),
        ("accuracy", "elements", 0, "claims 560 equal elements of 0"),
        ("accuracy", "passed", True, "claims to have passed, but its error and bound say otherwise"),
        ("accuracy", "unwritten", -3, "-3 is not a valid count"),
        ("error_map", "rows", 2**40, "is not a valid dimension from 0 to"),
        ("error_map", "cell_rows", 5, "has an error map of 2 cells of 5 where C has 33 elements"),
        ("launch", "grid", [0, 1, 1], "0 is not a valid size from 1 to"),
        ("launch", "static_shared_bytes", -4, "-4 is not a valid number of bytes"),
        ("spec", "seed", -1, "-1 is not a valid seed"),
        ("spec", "params", [["TILE", 2**70]], "is not a valid value of a parameter"),
        ("spec", "kernel", "x" * 70_000, "a text of 70000 characters: at most 65536 are allowed"),
        ("device", "compute_units", -1, "-1 is not a valid limit of a device"),
        ("", "sweep", -1, f"-1 is not a valid count from 0 to 9.0072e+15 @ {RUN}.sweep"),
        ("", "finished", "9999-99-99", f"'9999-99-99' is not a time in ISO 8601 @ {RUN}.finished"),
        ("", "finished", "9999-12-31", "'9999-12-31' is not a time from 1970 to 2200"),
        ("", "finished", "0001-01-01", "'0001-01-01' is not a time from 1970 to 2200"),
        ("", "finished", "yesterday", "'yesterday' is not a time in ISO 8601"),
    ],
)
def test_that_a_figure_that_cannot_be_is_refused_with_its_field(
    forge: Forge, part: str, field: str, value: Any, words: str
) -> None:
    def change(manifest: dict[str, Any]) -> None:
        run = manifest["session"]["runs"][0]
        (run[part] if part else run)[field] = value

    assert words in fault_of(forge(change))


@pytest.mark.parametrize(
    ("limit", "inside", "outside"),
    [
        (Range("x", 0, 10), (0, 10, 0.0, 10.0), (-1, 11, -1e-9, math.nan, math.inf, -math.inf)),
        (Range("x", 0, 10, may_be_nan=True), (math.nan,), (math.inf,)),
        (Range("x", 0, 10, may_be_infinite=True), (math.inf,), (-math.inf, math.nan)),
        (Range("x", -1, 1, may_be_infinite=True), (math.inf, -math.inf), (2,)),
        (
            Moment(),
            ("", "2025-01-02", "2025-01-02T03:04:05Z", "2025-01-02T03:04:05+01:00"),
            ("2025-13-01", "1800-01-01"),
        ),
        (Length(3), ("", "abc"), ("abcd",)),
    ],
)
def test_that_a_limit_takes_what_lies_within_it(limit: Any, inside: tuple[Any, ...], outside: tuple[Any, ...]) -> None:
    assert [limit.fault(value) for value in inside] == [""] * len(inside)
    assert all(limit.fault(value) for value in outside)
    if isinstance(limit, Range):
        for dtype in (np.float64, np.float32):
            assert limit.fault(np.array(inside, dtype)) == ""
            assert all(limit.fault(np.array([inside[0], value], dtype)) for value in outside if abs(value) != 1e-9)


def test_that_a_column_is_judged_element_by_element() -> None:
    column = np.array([1, 2, -3, 4, -5])
    assert Range("count", 0, 9).fault(column) == "element 2 is -3, not a valid count from 0 to 9"
    assert Range("count", 0, 9).fault(column[:2]) == ""
    assert Range("error", 0, 1e100, may_be_infinite=True).fault(np.array([np.inf, 3e38], np.float32)) == ""
