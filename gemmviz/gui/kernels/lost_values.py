"""What the choice of another kernel changed besides, told with an offer to take the former values over. No Qt."""

from __future__ import annotations

from collections.abc import Callable
from typing import Protocol

from gemmviz.catalogue.loader import Catalogue
from gemmviz.domain.spec import format_params
from gemmviz.gui.kernels.availability import Devices
from gemmviz.gui.kernels.choice import lost_words, values_to_offer
from gemmviz.gui.work.experiment import Experiment, with_param


class ExperimentHolder(Protocol):
    """What is set up, and how it is changed."""

    @property
    def experiment(self) -> Experiment: ...

    @property
    def catalogue(self) -> Catalogue: ...

    def set_experiment(self, experiment: Experiment) -> None: ...


def told_loss(
    set_up: ExperimentHolder, before: Experiment, after: Experiment, devices: Devices
) -> tuple[str, str, Callable[[], None]] | None:
    """A sentence, what a button beside it says, "" for none, and what it does; None where nothing is to be told."""
    words = lost_words(before, after, set_up.catalogue, devices)
    if not words:
        return None
    offered, kernel = values_to_offer(before, after, set_up.catalogue), set_up.catalogue.get(after.kernel)

    def take_over() -> None:
        now = set_up.experiment
        for name, value in offered:
            now = with_param(now, kernel, name, value)
        set_up.set_experiment(now)

    return words, f"Use {format_params(offered)}" if offered else "", take_over
