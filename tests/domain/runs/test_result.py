"""What a run found out, as charts and tables ask for it."""

from __future__ import annotations

import numpy as np

from gemmviz.catalogue.examples import examples_folder
from gemmviz.domain.session.session import load_session


def test_that_samples_are_summarised_once() -> None:
    timing = load_session(examples_folder() / "cpu-four.gemmviz").runs[0].timing
    assert timing.kernel_ms is timing.kernel_ms
    assert timing.host_clock_ms is timing.host_clock_ms
    assert timing.kernel_ms.median == float(np.median(timing.kernel_samples_ms))
