"""Charts made ready for pictures: their letters grow with the size that is asked for."""

from __future__ import annotations

import pytest
from PySide6.QtWidgets import QApplication

from gemmviz.catalogue.examples import load_examples
from gemmviz.domain.session.session import load_session
from gemmviz.gui.charts.chart import LARGE_WIDTH, Chart
from gemmviz.gui.charts.plot_table import Plot
from gemmviz.gui.export.pictures.charts import PictureMaker
from gemmviz.gui.export.pictures.still_choice import EVERY_BLOCK
from gemmviz.gui.export.targets import wanted_pictures
from gemmviz.gui.looks.theme import LIGHT


@pytest.mark.parametrize("example", ["cpu-four", "cpu-sweep"])
@pytest.mark.usefixtures("qapp")
def test_that_letters_are_as_large_as_all_rows_and_notes_leave_room_for(example: str) -> None:
    session = load_session(next(each.path for each in load_examples() if each.id == example))
    charts = [one for one in wanted_pictures(session, None, EVERY_BLOCK) if one.plot is not Plot.MEMORY]
    maker = PictureMaker(session, LIGHT, (1920, 1080))
    assert len(charts) > 3
    for one in charts:
        widget = maker.widget_for(one)
        width, height = (round(side * maker.magnification) for side in (widget.width(), widget.height()))
        assert (width, height) == (1920, 1080), one.name
        assert LARGE_WIDTH <= widget.width() < 1300, one.name
        if isinstance(widget, Chart):
            assert widget.words.startswith(f"{widget.title}: "), "the title of a drawing says size, device and day"
    maker.close()
    QApplication.processEvents()


@pytest.mark.usefixtures("qapp")
def test_that_many_rows_have_one_line_each_before_a_picture_is_higher_than_was_asked_for() -> None:
    session = load_session(next(each.path for each in load_examples() if each.id == "gpu-ladder"))
    one = next(each for each in wanted_pictures(session, None, EVERY_BLOCK) if each.plot is Plot.RATE)
    maker = PictureMaker(session, LIGHT, (1920, 1080))
    widget = maker.widget_for(one)
    assert isinstance(widget, Chart)
    assert round(widget.height() * maker.magnification) == 1080
    assert widget.plot.plot_layout().dense
    assert widget.plot.plot_layout().overflow == 0
    maker.close()
    QApplication.processEvents()
