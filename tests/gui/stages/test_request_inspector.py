"""The request of a frame, or one of its many."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest
from PySide6.QtWidgets import QComboBox, QLabel, QSpinBox, QWidget
from pytestqt.qtbot import QtBot

from gemmviz.domain.recordings.access import INACTIVE, AccessKind, BlockTrace, Space
from gemmviz.domain.recordings.trace_run import TraceRun
from gemmviz.explain.requests.request_choice import RequestChoices
from gemmviz.gui.stages.request_inspector import NOTHING, RequestInspector
from gemmviz.trace.frames.frames import Frames
from gemmviz.trace.frames.plan import FrameMode
from gemmviz.trace.model.sectors import global_cost
from gemmviz.trace.model.wavefronts import shared_cost


@pytest.fixture(scope="module")
def block(recorded: Callable[..., TraceRun]) -> BlockTrace:
    run = recorded("tiled_transposed", "17x33x20", TILE=8)
    return run.blocks[0].trace(run.sites, run.arrays)


@pytest.fixture(scope="module")
def corner(recorded: Callable[..., TraceRun]) -> BlockTrace:
    """A block at the end of C, of which most threads have nothing to load or store."""
    run = recorded("naive", "17x33x5", ((2, 1, 0),))
    return run.blocks[0].trace(run.sites, run.arrays)


@pytest.fixture
def inspector(qtbot: QtBot) -> RequestInspector:
    made = RequestInspector()
    qtbot.addWidget(made)
    made.resize(288, 260)
    made.show()
    return made


def part(inspector: RequestInspector, kind: type, name: str):
    return inspector.findChild(kind, name)


def choose(inspector: RequestInspector, text: str) -> None:
    sites = part(inspector, QComboBox, "requestSite")
    sites.setCurrentIndex(next(at for at in range(sites.count()) if text in sites.itemText(at)))


def test_that_the_requests_of_a_phase_are_all_its_lanes(block: BlockTrace) -> None:
    frame = Frames(block).frame(0)
    choices = RequestChoices(frame, block)
    lanes = {site.index: 0 for site in choices.sites}
    for place, site in enumerate(choices.sites):
        for warp in choices.warps:
            for iteration in range(choices.iterations(place)):
                found = choices.request(place, warp, iteration)
                assert found.site is site
                lanes[site.index] += found.lanes
    sites = block.slot_site[: frame.slots[1]]
    active = block.addresses[:, : frame.slots[1]] != INACTIVE
    expected = {index: int(active[:, sites == index].sum()) for index in lanes}
    assert lanes == expected
    assert sum(lanes.values()) > 0
    with pytest.raises(IndexError):
        choices.request(0, 0, choices.iterations(0))


def test_that_an_address_is_told_as_the_element_it_is(block: BlockTrace) -> None:
    choices = RequestChoices(Frames(block).frame(0), block)
    place = next(at for at, site in enumerate(choices.sites) if site.space is Space.GLOBAL and site.array == "A")
    request = choices.request(place, 0, 0)
    assert [request.element_at(int(address)) for address in request.addresses[:9]] == [
        *(f"A[0,{column}]" for column in range(8)),
        "A[1,0]",
    ]


def test_that_a_single_request_is_shown_without_a_choice(inspector: RequestInspector, block: BlockTrace) -> None:
    frames = Frames(block, FrameMode.REQUEST)
    for index in range(0, len(frames), 37):
        frame = frames.frame(index)
        inspector.show_frame(frame, block)
        shown = inspector.request
        assert shown is not None
        assert frame.request is not None
        assert (shown.warp, shown.slot, shown.site) == (frame.request.warp, frame.request.slot, frame.request.site)
        assert not part(inspector, QComboBox, "requestSite").isVisible()


def test_that_shared_requests_show_banks_and_global_ones_sectors(
    inspector: RequestInspector, block: BlockTrace
) -> None:
    inspector.show_frame(Frames(block).frame(0), block)
    choose(inspector, "store As")
    request = inspector.request
    assert request is not None
    expected = shared_cost(request.addresses, 4, AccessKind.STORE)
    assert inspector.banks.isVisible()
    assert not inspector.coalescing.isVisible()
    assert inspector.banks.cost == expected
    assert expected.excess > 0  # this kernel stores its tile of A down a column
    choose(inspector, "load B")
    request = inspector.request
    assert request is not None
    assert inspector.coalescing.isVisible()
    assert inspector.coalescing.cost == global_cost(request.addresses, 4)
    assert part(inspector, QLabel, "requestSentence").text() == inspector.coalescing.accessibleName()


def test_that_warp_and_iteration_are_chosen(qtbot: QtBot, inspector: RequestInspector, block: BlockTrace) -> None:
    frame = Frames(block).frame(1)
    inspector.show_frame(frame, block)
    choose(inspector, "load As")
    warps, times = part(inspector, QSpinBox, "requestWarp"), part(inspector, QSpinBox, "requestIteration")
    assert ((warps.minimum(), warps.maximum()), (times.minimum(), times.maximum())) == ((0, 1), (1, 8))
    with qtbot.waitSignal(inspector.request_shown) as told:
        warps.setValue(1)
    assert told.args[0].warp == 1
    with qtbot.waitSignal(inspector.request_shown) as told:
        times.setValue(8)
    slots = np.flatnonzero(block.slot_site == told.args[0].site.index)
    assert told.args[0].slot == slots[(slots >= frame.slots[0]) & (slots < frame.slots[1])][7]
    assert np.array_equal(told.args[0].addresses, block.addresses[1, told.args[0].slot])


def test_that_a_choice_is_kept_from_frame_to_frame(inspector: RequestInspector, block: BlockTrace) -> None:
    frames = Frames(block)
    inspector.show_frame(frames.frame(1), block)
    choose(inspector, "load Bs")
    part(inspector, QSpinBox, "requestWarp").setValue(1)
    part(inspector, QSpinBox, "requestIteration").setValue(3)
    inspector.show_frame(frames.frame(2), block)  # it loads tiles and does not read them
    assert inspector.request is not None
    assert inspector.request.site.space is Space.GLOBAL or inspector.request.site.kind is AccessKind.STORE
    inspector.show_frame(frames.frame(3), block)
    assert (inspector.request.site.array, inspector.request.warp) == ("Bs", 1)
    assert part(inspector, QSpinBox, "requestIteration").value() == 3


def test_that_the_first_request_with_an_active_lane_is_shown(inspector: RequestInspector, corner: BlockTrace) -> None:
    frame = Frames(corner).frame(0)
    inspector.show_frame(frame, corner)
    assert inspector.request is not None
    assert inspector.request.lanes > 0
    idle = [w for w in range(corner.addresses.shape[0]) if np.all(corner.addresses[w] == INACTIVE)]
    assert idle
    part(inspector, QSpinBox, "requestWarp").setValue(idle[0])
    assert part(inspector, QLabel, "requestSentence").text() == "No lane of this warp is active in this request."


def test_that_nothing_is_told_as_nothing(inspector: RequestInspector, block: BlockTrace) -> None:
    inspector.show_frame(Frames(block).frame(0), block)
    inspector.clear()
    assert inspector.request is None
    assert NOTHING in {label.text() for label in inspector.findChildren(QLabel) if label.isVisible()}
    assert not part(inspector, QComboBox, "requestSite").isVisible()


def test_that_what_is_below_stays_in_its_place(inspector: RequestInspector, block: BlockTrace) -> None:
    heights = set()
    for index in range(4):
        inspector.show_frame(Frames(block).frame(index), block)
        heights.add((inspector.banks.parentWidget().height(), inspector.sizeHint().height()))
    assert len(heights) == 1


def test_that_every_control_is_named(inspector: RequestInspector) -> None:
    for name in ("requestSite", "requestWarp", "requestIteration"):
        control = part(inspector, QWidget, name)
        assert control.toolTip()
        assert control.accessibleName()
