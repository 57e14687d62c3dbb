"""The experiment panel, as its tests want it."""

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest
from heard_panel import HeardPanel
from some_devices import GPU, HOST

from gemmviz.catalogue.loader import Catalogue, load_catalogue, load_user_kernel
from gemmviz.catalogue.presets import find_preset, load_presets
from gemmviz.gui.looks.theme import LIGHT
from gemmviz.gui.work.experiment import default_experiment

CATALOGUE, PRESETS = load_catalogue(), load_presets()
START = replace(default_experiment(CATALOGUE, (find_preset("odd"),)), is_quick=False)


@pytest.fixture
def make_panel(qtbot) -> Callable[..., HeardPanel]:
    """A panel with 16 GiB of main memory that writes down every experiment it tells of in `told`."""

    def make(catalogue: Catalogue = CATALOGUE, devices=(GPU, HOST), experiment=START, theme=LIGHT) -> HeardPanel:
        made = HeardPanel(catalogue, PRESETS, experiment, theme, available_bytes=lambda: 2**34)
        qtbot.addWidget(made)
        made.resize(290, 700)
        if devices is not None:
            made.set_devices(devices, "install a driver")
        made.told = []
        made.experiment_changed.connect(made.told.append)
        made.show()
        qtbot.waitExposed(made)
        return made

    return make


@pytest.fixture
def panel(make_panel) -> HeardPanel:
    return make_panel()


@pytest.fixture
def mine(tmp_path: Path) -> Catalogue:
    """The catalogue and one kernel of a person's own."""
    path = tmp_path / "mine.cu"
    path.write_text(CATALOGUE.get("tiled").text.replace("Shared-memory tiles", "My tiles"), encoding="utf-8")
    return CATALOGUE.with_kernel(load_user_kernel(path))
