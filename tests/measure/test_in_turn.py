"""Series that are taken in turn, with samplers whose times are written down."""

from collections.abc import Callable

import numpy as np
import pytest

from gemmviz.domain.terms import StopReason
from gemmviz.measure.cancel import CancelledError, never, unheard
from gemmviz.measure.sampling import Sample, Sampler
from gemmviz.measure.series import collect_in_turn
from gemmviz.measure.stopping import StoppingRule

RULE = StoppingRule(min_samples=10, min_seconds=0.05, limit_seconds=1.0, max_samples=500)


@pytest.fixture
def taking(clock) -> Callable[[str, Callable[[int], float], list[str]], Sampler]:
    def taking(name: str, ms: Callable[[int], float], log: list[str]) -> Sampler:
        count = iter(range(10**6))

        def take() -> Sample:
            log.append(name)
            time_ms = ms(next(count))
            clock.advance_ms(time_ms)
            return Sample(time_ms, time_ms + 1, 0.5)

        return take

    return taking


def test_that_each_round_has_all_of_them_and_every_second_reverses_the_one_before(taking, clock) -> None:
    log: list[str] = []
    takes = [taking(name, lambda _: 10.0, log) for name in "abc"]
    series = collect_in_turn(takes, RULE, clock, never, unheard, np.random.default_rng(7))
    rounds = ["".join(log[begin : begin + 3]) for begin in range(0, len(log), 3)]
    assert len(rounds) == 10
    assert all(sorted(one) == ["a", "b", "c"] for one in rounds)
    assert rounds[1::2] == [one[::-1] for one in rounds[0::2]]
    assert len(set(rounds[0::2])) > 1, "drawn anew each time"
    assert [one.stopped_by for one in series] == [StopReason.STEADY] * 3
    assert series[0].host_ms.tolist() == [11.0] * 10
    assert series[1].unsynchronised_ms.tolist() == [0.5] * 10


def test_that_a_steady_loser_leaves_and_the_noisy_best_goes_on(taking, clock) -> None:
    log: list[str] = []
    noisy = taking("noisy", lambda i: (5.0, 7.0, 6.0)[i % 3], log)
    best, loser = collect_in_turn([noisy, taking("slow", lambda _: 20.0, log)], RULE, clock, never, unheard)
    assert loser.kernel_ms.size == 10
    assert best.kernel_ms.size > 10
    assert (best.stopped_by, loser.stopped_by) == (StopReason.STEADY_NOISE, StopReason.STEADY)
    assert log[20:] == ["noisy"] * (best.kernel_ms.size - 10)


def test_that_a_steady_choice_goes_on_beside_one_it_overlaps_with(taking, clock) -> None:
    log: list[str] = []
    noisy = taking("noisy", lambda i: (5.0, 7.0, 6.0)[i % 3], log)
    first, second = collect_in_turn([noisy, taking("steady", lambda _: 6.0, log)], RULE, clock, never, unheard)
    assert first.kernel_ms.size == second.kernel_ms.size > 10


def test_that_the_time_limit_is_each_choices_own(taking, clock) -> None:
    log: list[str] = []
    fast, slow = collect_in_turn(
        [taking("fast", lambda i: 1.0 + i % 2, log), taking("slow", lambda i: 400.0 * (1 + i % 2), log)],
        RULE,
        clock,
        never,
        unheard,
    )
    assert slow.stopped_by is StopReason.TIME_LIMIT
    assert slow.kernel_ms.size == 2
    assert fast.kernel_ms.size >= 10


def test_that_a_cancel_ends_all_after_the_round(taking, clock) -> None:
    log: list[str] = []
    series = collect_in_turn(
        [taking("a", lambda i: 1.0 + i % 5, log), taking("b", lambda i: 2.0 + i % 5, log)],
        RULE,
        clock,
        lambda: len(log) >= 7,
        unheard,
    )
    assert [one.kernel_ms.size for one in series] == [4, 4]
    assert [one.stopped_by for one in series] == [StopReason.CANCELLED] * 2


def test_that_a_cancel_before_the_first_sample_leaves_nothing(clock) -> None:
    with pytest.raises(CancelledError):
        collect_in_turn([], RULE, clock, lambda: True, unheard)


def test_that_progress_never_falls_and_ends_at_one(taking, clock) -> None:
    told: list[float] = []
    log: list[str] = []
    collect_in_turn(
        [taking("a", lambda i: 1.0 + i % 3, log), taking("b", lambda _: 9.0, log)], RULE, clock, never, told.append
    )
    assert told == sorted(told)
    assert told[-1] == 1.0
