import pytest

from gemmviz.measure.check.matrices import row_blocks


@pytest.mark.parametrize(("rows", "columns"), [(1, 1), (17, 33), (33, 17), (5, 1000), (100, 10)])
def test_that_blocks_cover_every_row_once_and_stay_small(rows: int, columns: int) -> None:
    blocks = list(row_blocks(rows, columns, elements=100))
    assert [row for block in blocks for row in range(rows)[block]] == list(range(rows))
    assert all((block.stop - block.start) * columns <= max(100, columns) for block in blocks)
