from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from gemmviz.catalogue.kernel import Kernel
from gemmviz.catalogue.launch.launch_rule import LaunchRule
from gemmviz.catalogue.loader import Catalogue, UnknownKernelError, load_catalogue, load_user_kernel
from gemmviz.catalogue.presets import UnknownPresetError, find_preset, load_presets
from gemmviz.domain.terms import Fill, Language

# In lesson order.
TUTORIAL_KERNELS = {
    "cpu_ijk",
    "cpu_ikj",
    "cpu_transposed",
    "cpu_blocked",
    "cpu_blas",
    "naive",
    "naive_uncoalesced",
    "naive_1d",
    "row_per_block",
    "row_shared",
    "tiled",
    "tiled_transposed",
    "tiled_padded",
    "tiled_wide",
    "global_accumulate",
    "tiled_global_accumulate",
    "dot",
    "dot_serial",
    "cl_naive",
    "cl_row_private",
    "cl_row_private_grouped",
}
FURTHER_RUNGS = {"register_1d", "register_2d", "vectorized"}
TITLE_CHARACTERS = 40


@pytest.fixture(scope="module")
def catalogue() -> Catalogue:
    return load_catalogue()


def test_that_every_kernel_of_the_tutorials_is_there(catalogue: Catalogue) -> None:
    assert {kernel.id for kernel in catalogue.kernels} >= TUTORIAL_KERNELS | FURTHER_RUNGS


def test_that_kernels_come_in_lesson_order_and_no_two_share_a_place(catalogue: Catalogue) -> None:
    orders = [kernel.order for kernel in catalogue.kernels]
    assert orders == sorted(orders)
    assert len(set(orders)) == len(orders)


def test_that_every_kernel_says_what_it_teaches_and_where_it_comes_from(catalogue: Catalogue) -> None:
    for kernel in catalogue.kernels:
        assert 0 < len(kernel.title) <= TITLE_CHARACTERS, kernel.id
        assert kernel.teaches.endswith("."), kernel.id
        assert kernel.origin, kernel.id
        for parameter in kernel.parameters:
            assert parameter.label != parameter.name, kernel.id


def test_that_titles_are_not_used_twice(catalogue: Catalogue) -> None:
    titles = [kernel.title for kernel in catalogue.kernels]
    assert len(set(titles)) == len(titles)


def test_that_the_language_follows_from_the_files_name(catalogue: Catalogue) -> None:
    for kernel in catalogue.kernels:
        expected = Language.PYTHON if kernel.id.startswith("cpu_") else Language.CUDA
        expected = Language.OPENCL if kernel.id.startswith("cl_") else expected
        expected = Language.LIBRARY if kernel.library else expected
        assert kernel.language is expected
        assert kernel.runs_on_host == (expected is Language.PYTHON)


@pytest.mark.parametrize(("typed", "meant"), [("tield", "tiled"), ("cpu_blass", "cpu_blas"), ("Naive", "naive")])
def test_that_an_unknown_kernel_is_answered_with_the_nearest(catalogue: Catalogue, typed: str, meant: str) -> None:
    with pytest.raises(UnknownKernelError, match=f"there is no kernel '{typed}'; did you mean '{meant}'"):
        catalogue.get(typed)


def test_that_an_unknown_kernel_with_nothing_near_is_answered_with_the_list(catalogue: Catalogue) -> None:
    for typed in ("", "nonesuch"):
        with pytest.raises(UnknownKernelError, match="`gemmviz kernels` lists them"):
            catalogue.get(typed)


def test_that_a_persons_own_files_join_the_catalogue(catalogue: Catalogue, write_kernel: Callable[..., Path]) -> None:
    for name in ("mine.cu", "yours.cl"):
        kernel = load_user_kernel(write_kernel(name=name))
        joined = catalogue.with_kernel(kernel)
        assert joined.get(Path(name).stem) is kernel
        assert joined.kernels[-1] is kernel
        assert len(joined.kernels) == len(catalogue.kernels) + 1


def test_that_a_persons_own_file_takes_the_place_of_a_kernel_of_its_name(
    catalogue: Catalogue, write_kernel: Callable[..., Path]
) -> None:
    kernel = load_user_kernel(write_kernel(name="tiled.cu"))
    joined = catalogue.with_kernel(kernel)
    assert joined.get("tiled") is kernel
    assert len(joined.kernels) == len(catalogue.kernels)


def test_that_an_empty_folder_is_an_empty_catalogue(tmp_path: Path) -> None:
    assert load_catalogue(tmp_path).kernels == ()


def test_that_every_preset_can_be_run(catalogue: Catalogue) -> None:
    presets = load_presets()
    assert [preset.id for preset in presets][:2] == ["tiling", "odd"]
    for preset in presets:
        assert preset.kernels
        offered = set()
        for name in preset.kernels:
            kernel = catalogue.get(name)
            names = {parameter.name for parameter in kernel.parameters}
            offered |= names
            kernel.params({name: value for name, value in preset.params if name in names})
        assert {name for name, _ in preset.params} <= offered, preset.id


def test_that_the_presets_are_those_of_the_first_lesson_and_the_tutorials() -> None:
    sizes = {preset.id: (str(preset.shape), preset.fill) for preset in load_presets()}
    assert sizes["tiling"] == ("64x64x64", Fill.UNIFORM)
    assert sizes["odd"] == ("1037x1031x1055", Fill.UNIFORM)
    assert sizes["four"] == ("4x4x4", Fill.COUNTING)
    assert sizes["dot-1024"] == ("1x1x1024", Fill.INDEX_TWOS)
    assert sizes["small-opencl"] == ("3x4x5", Fill.COUNTING)
    assert sizes["thousand"] == ("1000x1000x1000", Fill.COUNTING)
    assert sizes["512"] == ("512x512x256", Fill.INTEGERS_2147)
    assert find_preset("512").params == (("THREADS", 64), ("TILE", 32))


def test_that_an_unknown_preset_is_answered_with_the_known_ones() -> None:
    with pytest.raises(UnknownPresetError, match=r"no preset 'thousnd': there are tiling, .*; did you mean 'thousand'"):
        find_preset("thousnd")


def test_that_whole_numbers_of_a_launch_need_no_quotes(make_kernel: Callable[..., Kernel]) -> None:
    kernel = make_kernel(
        'block = ["TILE"]\ngrid  = ["ceil_div(N, TILE)", "M"]',
        'block = [16, 16]\ngrid = [1, "ceil_div(N, 16)"]\n'
        "shared_bytes = 0\nstatic_shared_bytes = 2048\npartial_sums = 2",
    )
    assert kernel.rule == LaunchRule(("16", "16"), ("1", "ceil_div(N, 16)"), "0", "2048", "2")


def test_that_a_kernel_beside_another_has_the_values_of_its_parameters_that_it_offers() -> None:
    catalogue = load_catalogue()
    padded, naive = catalogue.get("tiled_padded"), catalogue.get("naive")
    own = padded.params({})
    assert padded.params_beside(own, (("TILE", 4), ("WORK", 9))) == (("TILE", 4),)
    assert padded.params_beside(own, (("TILE", 5),)) == own, "a value that it does not offer"
    assert naive.params_beside(naive.params({}), (("TILE", 4),)) == naive.params({})
