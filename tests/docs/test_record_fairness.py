"""The script that compares kernels with themselves, with a clock that reads one launch in four 1 µs long."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import pytest
import record_fairness
from record_fairness import LEAST_SHARE, Held, Subject, against_itself, count_of, in_fixed_order, row

from gemmviz.backends.registry import NoDeviceError
from gemmviz.measure.sampling import Sample


@dataclass
class OneInFour:
    """Launches of 5.7 µs, one in four 1 µs longer."""

    rng: np.random.Generator
    launched: int = 0

    def cold(self) -> Sample:
        self.launched += 1
        ms = 5.7e-3 + (1e-3 if self.launched % 4 == 1 else 0.0) + float(self.rng.normal(0.0, 2e-5))
        return Sample(ms, ms, ms)


@pytest.fixture
def subject() -> Subject:
    launcher: Any = OneInFour(np.random.default_rng(2))
    return Subject("`made` 1x1x1", launcher, 0.0057)


def test_that_the_procedure_holds_where_the_fixed_order_did_not(subject: Subject) -> None:
    found = against_itself(subject, 40, 96, np.random.default_rng(1))
    earlier = in_fixed_order(subject, 40, 96)
    held = Held(subject, found, earlier)
    assert held.is_good
    assert count_of(found) >= LEAST_SHARE * 40 > count_of(earlier)
    cells = row(held, 96)
    assert cells[:4] == ("`made` 1x1x1", "5.70 µs", "96", f"{count_of(found)} of 40")
    assert cells[5:] == ("yes", f"{count_of(earlier)} of 40")


def test_that_too_few_intervals_are_said_to_be_too_few(subject: Subject) -> None:
    held = Held(subject, in_fixed_order(subject, 10, 96))
    assert not held.is_good
    assert row(held, 96)[5] == "NO"


def test_that_without_a_device_it_says_why_and_fails(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def none(_: str) -> Any:
        raise NoDeviceError("no NVIDIA GPU here")

    monkeypatch.setattr(record_fairness, "the_gpu", none)
    assert record_fairness.main(["--on", "gpu"]) == 1
    said = capsys.readouterr()
    assert (said.out, said.err) == ("", "nothing was measured: no NVIDIA GPU here\n")
