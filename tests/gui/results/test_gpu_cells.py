"""A GPU's figures in the cells of a row; of runs made by hand."""

from collections.abc import Callable

from gpu_runs import gauges, gpu_run

from gemmviz.domain.runs.result import RunResult
from gemmviz.explain.runs.cells import NOTHING
from gemmviz.explain.runs.columns import Key
from gemmviz.explain.runs.gpu_cells import gpu_cells
from gemmviz.explain.runs.rows import row_of

GPU_KEYS = (Key.REGISTERS, Key.SPILLS, Key.OCCUPANCY, Key.CLOCK, Key.POWER)


def test_that_a_row_has_what_the_gpu_told() -> None:
    row = row_of(gpu_run(registers=128, spilled=24, told=gauges([1980.0, 1605.0, 1755.0, 1755.0], held=(1,))))
    assert [row.cell(key).text for key in GPU_KEYS] == ["128", "24 B", "25 %", "!1\u202f755 MHz", "640 W"]
    assert [row.cell(key).value for key in GPU_KEYS] == [128, 24, 25.0, 1755.0, 640.0]
    assert "16 of 64 warps, 2 blocks per multiprocessor; limited by registers" in row.cell(Key.OCCUPANCY).tip
    assert "throttled in 1 of 4 samples: power limit" in row.cell(Key.CLOCK).tip


def test_that_nothing_stands_where_nobody_told(make_result: Callable[..., RunResult]) -> None:
    assert all(cell is NOTHING for cell in gpu_cells(make_result()).values())
    only_gauges = gpu_cells(gpu_run(registers=0, told=gauges([1500.0] * 4)))
    assert only_gauges[Key.REGISTERS] is NOTHING
    assert only_gauges[Key.OCCUPANCY] is NOTHING
    assert only_gauges[Key.CLOCK].text == "1\u202f500 MHz"


def test_that_no_spills_sort_before_some() -> None:
    none, some = (gpu_cells(gpu_run(spilled=spilled))[Key.SPILLS] for spilled in (0, 8))
    assert none.text == "none"
    assert none.order is not None
    assert some.order is not None
    assert none.order < some.order
