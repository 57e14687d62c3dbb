import pytest

from gemmviz.catalogue.recordable import MOST_KEPT_BLOCKS
from gemmviz.domain.shape import Shape
from gemmviz.gui.experiment.record_choice import InView, other_recordings, usual_recording

SMALL, LARGE = Shape(8, 8, 8), Shape(512, 512, 256)


def test_that_a_small_grid_is_recorded_whole_and_every_block_kept() -> None:
    choice = usual_recording((2, 2, 1), SMALL, None)
    assert choice.blocks == ((0, 0, 0), (1, 0, 0), (0, 1, 0), (1, 1, 0))
    assert choice.text == "Record all 4 blocks"
    assert usual_recording((1, 1, 1), SMALL, None).text == "Record the only block"


def test_that_many_blocks_or_much_work_are_not_recorded_whole() -> None:
    for grid, shape in (((MOST_KEPT_BLOCKS + 1, 1, 1), SMALL), ((4, 4, 1), LARGE)):
        assert len(usual_recording(grid, shape, None).blocks) == 1


@pytest.mark.parametrize(
    ("in_view", "block"),
    [
        (None, (0, 0, 0)),
        (InView(LARGE, (32, 31, 1), (3, 1, 0)), (3, 1, 0)),
        (InView(LARGE, (64, 31, 1), (3, 1, 0)), (0, 0, 0)),
        (InView(SMALL, (32, 31, 1), (3, 1, 0)), (0, 0, 0)),
    ],
)
def test_that_the_block_in_view_goes_before_the_first(in_view: InView | None, block) -> None:
    choice = usual_recording((32, 31, 1), LARGE, in_view)
    assert choice.blocks == (block,)
    assert choice.text == f"Record block ({block[0]}, {block[1]})"


def test_that_a_grid_of_one_block_has_one_name_on_the_button_and_in_the_menu() -> None:
    assert usual_recording((1, 1, 1), LARGE, None).text == "Record the only block"
    assert [(words, blocks) for _, words, blocks in other_recordings((1, 1, 1))] == [("The only block", ((0, 0, 0),))]
    assert [words for _, words, _ in other_recordings((2, 1, 1))] == [
        "Whole grid (2 blocks)",
        "First block (0)",
        "Last block (1)",
    ]


def test_that_the_menu_offers_a_block_away_from_all_edges_where_there_is_one() -> None:
    assert [words for _, words, _ in other_recordings((33, 33, 1))] == [
        "Whole grid (1\u202f089 blocks)",
        "First block (0, 0)",
        "Middle block (16, 16)",
        "Last block (32, 32)",
    ]
