"""Which threads hold the matrices of an mma instruction: as the recording of a kernel that uses it shows."""

from __future__ import annotations

import numpy as np
import pytest

from gemmviz.catalogue.examples import examples_folder
from gemmviz.domain.recordings.access import AccessKind, BlockTrace
from gemmviz.domain.session.session import load_session
from gemmviz.trace.model.fragments import SHAPES, held_by, holders, needed_for


@pytest.fixture(scope="module")
def block() -> BlockTrace:
    """A block of mma_tf32, recorded on an H200."""
    traces = load_session(examples_folder() / "gpu-feeding.gemmviz").traces
    run = next(each for each in traces if each.spec.kernel == "mma_tf32")
    return run.blocks[0].trace(run.sites, run.arrays)


def test_that_each_thread_stores_the_elements_of_c_that_it_holds(block: BlockTrace) -> None:
    array = next(each for each in block.arrays if each.name == "C")
    stores = [site.index for site in block.sites if site.array == "C" and site.kind is AccessKind.STORE]
    slots = np.flatnonzero(np.isin(block.slot_site, stores))[:2]  # rows 0 to 7 of a piece, and 8 to 15
    places = block.addresses[0, slots].astype(np.int64) // 4
    rows, columns = np.divmod(places - places.min(), array.columns)
    for lane in range(32):
        pairs = zip(rows[:, lane].tolist(), columns[:, lane].tolist(), strict=True)
        assert [(r, c + more) for r, c in pairs for more in (0, 1)] == held_by(lane, "C")


def test_that_the_threads_of_a_warp_share_each_matrix_evenly() -> None:
    for name, (rows, columns) in SHAPES.items():
        counts = np.bincount(holders(name).ravel(), minlength=32)
        assert counts.tolist() == [rows * columns // 32] * 32


def test_that_a_sum_needs_what_eight_threads_hold() -> None:
    row, column = held_by(5, "C")[0]
    assert (row, column) == (1, 2)
    assert needed_for(row, column) == (4, 5, 6, 7, 8, 9, 10, 11)
