"""The experiment panel with what it told."""

from __future__ import annotations

from typing import Any

from gemmviz.gui.experiment.panel import ExperimentPanel


class HeardPanel(ExperimentPanel):
    """Its maker connects `told` to the experiments that it tells of."""

    told: list[Any]
