import pytest

from gemmviz.measure import transfers as transfers_module
from gemmviz.measure.cancel import CancelledError, never
from gemmviz.measure.transfers import TransferRule, time_transfers

A_IN, B_IN, C_OUT = "upload (17, 5) A", "upload (5, 33) B", "download C (17, 33)"


def test_that_in_out_and_the_whole_way_are_timed_apart(launcher, operands) -> None:
    transfers = time_transfers(launcher, operands, TransferRule(), never)
    assert transfers.h2d_ms == pytest.approx(6.0)
    assert transfers.d2h_ms == pytest.approx(2.0)
    assert transfers.end_to_end_ms == pytest.approx(6.0 + 2.004 + 2.0)


def test_that_the_whole_way_is_in_one_launch_and_out(launcher, operands, device) -> None:
    time_transfers(launcher, operands, TransferRule(repeats=1), never)
    assert device.log == [A_IN, B_IN, C_OUT, A_IN, B_IN, "launch 1", C_OUT]
    assert device.limits == [7.0]


def test_that_each_figure_is_the_median_of_its_repeats(launcher, operands, device) -> None:
    device.launch_ms = lambda index: (100.0, 1.0, 2.0, 3.0, 50.0)[index]
    transfers = time_transfers(launcher, operands, TransferRule(repeats=5), never)
    assert transfers.end_to_end_ms == pytest.approx(8.0 + 3.004)
    assert device.launched == 5


def test_that_slow_transfers_are_repeated_less_but_made_once(launcher, operands, device) -> None:
    device.launch_ms = lambda _: 3000.0
    transfers = time_transfers(launcher, operands, TransferRule(repeats=5, limit_seconds=0.0), never)
    assert transfers.end_to_end_ms == pytest.approx(3008.004)
    assert device.log.count(C_OUT) == 2


def test_that_transfers_can_be_cancelled_between_repeats(launcher, operands, device) -> None:
    with pytest.raises(CancelledError):
        time_transfers(launcher, operands, TransferRule(), lambda: C_OUT in device.log)
    assert device.log.count(C_OUT) == 1


def test_that_page_locked_memory_is_timed_apart_where_there_is_some(launcher, operands, device) -> None:
    device.pins = True
    transfers = time_transfers(launcher, operands, TransferRule(), never)
    assert (transfers.h2d_ms, transfers.d2h_ms) == (pytest.approx(6.0), pytest.approx(2.0))
    assert (transfers.h2d_pinned_ms, transfers.d2h_pinned_ms) == (pytest.approx(3.0), pytest.approx(1.0))


def test_that_operands_too_large_to_lock_are_not_copied(launcher, operands, device, monkeypatch) -> None:
    device.pins = True
    monkeypatch.setattr(transfers_module, "PINNED_BYTES", operands.a.nbytes)
    transfers = time_transfers(launcher, operands, TransferRule(), never)
    assert (transfers.h2d_pinned_ms, transfers.d2h_pinned_ms) == (0.0, 0.0)
