from dataclasses import replace
from pathlib import Path

from gemmviz.catalogue.loader import load_catalogue
from gemmviz.gui.kernels.availability import NEEDS_NVIDIA, Availability
from gemmviz.gui.kernels.rows import (
    ON_CPU,
    ON_DEVICE,
    ON_TENSOR_CORES,
    OWN,
    KernelRow,
    file_words,
    matching,
    rows_of,
    title_among,
)
from gemmviz.gui.work.experiment import default_experiment

CATALOGUE = load_catalogue()
EXPERIMENT = default_experiment(CATALOGUE)


def test_that_kernels_stand_in_lesson_order_below_their_heading() -> None:
    rows = rows_of(CATALOGUE, EXPERIMENT, {})
    assert [row.title for row in rows if row.is_heading] == [ON_CPU, ON_DEVICE, ON_TENSOR_CORES]
    kernels = [row for row in rows if not row.is_heading]
    assert [row.id for row in kernels] == [kernel.id for kernel in CATALOGUE.kernels]
    assert [row.number for row in kernels] == list(range(1, len(kernels) + 1))
    assert {row.id for row in kernels if row.is_compared} == EXPERIMENT.compared


def test_that_the_library_stands_behind_the_rungs_of_its_arithmetic() -> None:
    ids = [row.id for row in rows_of(CATALOGUE, EXPERIMENT, {})]
    for rung, library in (
        ("sgemm_best", "cublas_fp32"),
        ("wgmma_tf32", "cublas_tf32"),
        ("wgmma_bf16_late", "cublas_bf16"),
    ):
        assert ids.index(library) == ids.index(rung) + 1
    last = ids.index("cublas_bf16")
    assert ids.index("cublas_tf32") < ids.index("tf32x3") < ids.index("wgmma_bf16") < last == len(ids) - 1


def test_that_missing_hardware_is_no_fault() -> None:
    rows = rows_of(CATALOGUE, EXPERIMENT, {"dot": Availability("refused"), "tiled": Availability(NEEDS_NVIDIA)})
    assert {row.id: row.lacks_hardware for row in rows if row.mark} == {"dot": False, "tiled": True}


def test_that_a_file_from_elsewhere_is_a_persons_own() -> None:
    mine = replace(CATALOGUE.get("tiled"), id="mine", path=Path("/somewhere/mine.cu"), origin="")
    rows = rows_of(CATALOGUE.with_kernel(mine), EXPERIMENT, {})
    assert [row.id for row in rows if row.is_own] == ["mine"]
    assert file_words(mine) == "File mine.cu."
    assert file_words(CATALOGUE.get("tiled")) == ""


def test_that_a_kernel_whose_title_is_its_id_says_its_name_once() -> None:
    mine = replace(CATALOGUE.get("tiled"), id="mine", title="mine", path=Path("/somewhere/mine.cu"), origin="")
    own = next(row for row in rows_of(CATALOGUE.with_kernel(mine), EXPERIMENT, {}) if row.is_own and row.id)
    assert (own.title, own.name, own.spoken) == ("", "mine", "mine, own file")


def test_that_files_with_one_title_are_told_apart_by_their_names() -> None:
    tiled = CATALOGUE.get("tiled")
    mine = replace(tiled, id="mine", path=Path("/somewhere/mine.cu"))
    assert title_among(tiled, CATALOGUE.kernels) == tiled.title
    assert title_among(mine, CATALOGUE.with_kernel(mine).kernels) == f"{tiled.title} · mine.cu"


def test_that_a_kernel_keeps_its_number_whatever_is_taken_in() -> None:
    before = {row.id: row.number for row in rows_of(CATALOGUE, EXPERIMENT, {})}
    first = replace(CATALOGUE.get("tiled"), id="first", path=Path("/somewhere/first.cu"), order=-5.0)
    amid = replace(CATALOGUE.get("tiled"), id="amid", path=Path("/somewhere/amid.cu"))
    rows = rows_of(CATALOGUE.with_kernel(amid).with_kernel(first), EXPERIMENT, {})
    assert {row.id: row.number for row in rows if row.number} == {key: n for key, n in before.items() if n}
    assert [(row.title if row.is_heading else row.id, row.number) for row in rows[-3:]] == [
        (OWN, 0),
        ("first", 0),
        ("amid", 0),
    ]
    assert rows[-1].spoken == "amid · Shared-memory tiles, own file"


def test_that_a_kernel_that_cannot_run_has_its_word_and_its_reason() -> None:
    rows = rows_of(CATALOGUE, EXPERIMENT, {"dot": Availability("refused", "Needs M = 1.")})
    refused = [row for row in rows if row.mark]
    assert [(row.id, row.mark) for row in refused] == [("dot", "refused")]
    assert refused[0].tooltip.endswith("Needs M = 1.")
    assert refused[0].spoken.endswith("refused")


def test_that_a_row_is_spoken_with_what_is_drawn() -> None:
    row = KernelRow("Tiles", "tiled", 3, is_own=True, is_compared=True, mark="needs sm_80")
    assert row.spoken == "3 tiled · Tiles, own file, compared, needs sm_80"
    assert KernelRow("On the CPU").spoken == "On the CPU"


def ids_of(rows) -> list[str]:
    return [row.id for row in rows if row.id]


def test_that_a_filter_finds_ids_titles_headings_and_topics() -> None:
    rows = rows_of(CATALOGUE, EXPERIMENT, {})
    assert matching(rows, "") == rows
    assert {"tiled_transposed", "tiled_padded"} <= set(ids_of(matching(rows, "bank conflicts")))  # ill and cured
    assert ids_of(matching(rows, "padded")) == ["tiled_padded"]
    assert "vectorized" in ids_of(matching(rows, "128-BIT"))
    assert ids_of(matching(rows, "cpu blas")) == ["cpu_blas"]
    assert ids_of(matching(rows, "no such kernel")) == []
    found = matching(rows, "warp")
    assert all(not row.is_heading or found[place + 1].id for place, row in enumerate(found)), "no empty heading"


def test_that_a_kernel_of_exactly_that_id_is_found_first() -> None:
    rows = rows_of(CATALOGUE, EXPERIMENT, {})
    for kernel in ("dot", "naive", "tiled"):
        found = matching(rows, kernel)
        assert found[0].is_heading, "no kernel stands without its heading"
        assert found[1].id == kernel


def test_that_what_cannot_run_can_be_left_out() -> None:
    rows = rows_of(CATALOGUE, EXPERIMENT, {"dot": Availability("refused", "Needs M = 1.")})
    assert "dot" not in ids_of(matching(rows, "", only_runnable=True))
    assert "dot_serial" in ids_of(matching(rows, "dot", only_runnable=True))


def test_that_a_row_says_why_it_cannot_be_recorded() -> None:
    rows = {row.id: row for row in rows_of(CATALOGUE, EXPERIMENT, {})}
    assert rows["tiled"].recording == ""
    assert "runs on the CPU" in rows["cpu_ijk"].recording
    assert "cuBLAS" in rows["cublas_fp32"].recording
