"""What an export makes of a session, without Qt."""

from __future__ import annotations

import csv
import io
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import pytest
from gpu_runs import GPU, gpu_run

from gemmviz.catalogue.examples import load_examples
from gemmviz.domain.runs.baselines import Baseline
from gemmviz.domain.runs.result import Session
from gemmviz.domain.session.session import load_session
from gemmviz.domain.spec import Launch
from gemmviz.explain.figures.figure import PlotTable
from gemmviz.gui.charts.mapped_runs import MOST_MAPS, left_out
from gemmviz.gui.charts.plot_table import Plot
from gemmviz.gui.export.items import title_of
from gemmviz.gui.export.plan import planned, planned_tables, plots_of
from gemmviz.gui.export.tables import as_csv, as_tsv
from gemmviz.gui.pages.pages import charted_in_window
from gemmviz.gui.pages.table import PAGES


@pytest.fixture(scope="module")
def session(real_session: Session) -> Session:
    """`tiled` and `cpu_blas`, really run."""
    return replace(real_session, runs=real_session.runs[1::2])


def test_that_only_what_has_something_to_show_is_planned(session: Session) -> None:
    of_runs = {plot for page in PAGES if page.compares_chosen for chart in page.charts for plot in chart.plots}
    assert of_runs > {Plot.KERNEL_TIME, Plot.ERROR_MAP}
    assert plots_of(session) == tuple(plot for plot in Plot if plot in of_runs)
    assert plots_of(replace(session, runs=())) == ()
    assert Plot.SPEEDUP not in plots_of(replace(session, runs=session.runs[:1]))
    swept = replace(session, runs=(replace(session.runs[0], sweep=4),))
    assert [one.name for one in planned(swept, ["sweep"])] == ["sweep_4"]


def test_that_speed_ups_against_a_library_are_exported_too() -> None:
    library = replace(gpu_run("any_fp32", registers=0), launch=Launch((1, 1, 1), (1, 1, 1)), build="anyBLAS 13.1.0")
    session = Session("", "", GPU, 0.0, runs=(gpu_run(ms=(4.0,) * 4), library))
    assert Plot.SPEEDUP in plots_of(session)
    (table,) = [one.make() for one in planned_tables(session, ["speedup"])]
    assert table.rows[0]["speedup"] == pytest.approx(0.25)
    assert table.rows[0]["baseline"] == "any_fp32 TILE=16"


def test_that_tables_and_titles_follow_the_charts_where_those_show_a_part_of_many_runs() -> None:
    ladder = load_session(next(one.path for one in load_examples() if one.id == "gpu-ladder"))
    charted = charted_in_window(ladder, ())
    (table,) = [one.make() for one in planned_tables(ladder, ["kernel_time"], charted)]
    assert len(table.rows) == 15
    assert title_of(Plot.KERNEL_TIME, ladder, charted) == "Kernel time: 12 of 27 runs not shown"
    assert title_of(Plot.ERROR_BOUND, ladder, charted) == "Error against its bound", "which shows all"
    with_all = replace(charted, folds=False, baseline=Baseline("sgemm_best", is_device_kernel=True))
    (table,) = [one.make() for one in planned_tables(ladder, ["speedup"], with_all)]
    assert (len(table.rows), table.rows[0]["baseline"]) == (27, "sgemm_best")
    assert title_of(Plot.KERNEL_TIME, ladder, with_all) == "Kernel time"
    chosen = charted_in_window(ladder, ladder.runs[:20])
    (table,) = [one.make() for one in planned_tables(ladder, ["rate"], chosen)]
    assert len(table.rows) == 20, "what a person chose is shown"
    assert chosen.others == ladder.runs[20:]
    small = gpu_run(size="64x64x64")
    assert charted_in_window(replace(ladder, runs=(small, *ladder.runs)), (small,)).others == (), "of another size"


def test_that_files_have_different_names(session: Session) -> None:
    hostile = replace(session.runs[0], spec=replace(session.runs[0].spec, kernel="../é/mine"))
    names = [one.name for one in planned(replace(session, runs=(hostile, *session.runs, hostile)))]
    assert len(set(names)) == len(names)
    assert all("/" not in name and "." not in name for name in names)


def test_that_error_maps_are_not_too_many_and_wrong_runs_come_first(session: Session) -> None:
    sound = session.runs[0]
    wrong = replace(sound, accuracy=replace(sound.accuracy, passed=False))
    maps = planned(replace(session, runs=(wrong, *[sound] * 30)), ["error_map"])
    assert len(maps) == MOST_MAPS
    assert [one.number for one in maps] == [0, *range(24, 31)]


def test_that_tables_have_every_error_map_and_what_is_left_out_of_the_pictures_is_told(session: Session) -> None:
    sound = session.runs[0]
    wrong = replace(sound, accuracy=replace(sound.accuracy, passed=False))
    many = replace(session, runs=(*[sound] * 12, wrong))
    cells = [table for table in planned_tables(many, ["error_map"]) if table.name.endswith("_cells")]
    assert [table.name for table in cells] == [f"error_map_{number}_tiled_cells" for number in range(1, 14)]
    assert [{row["run"] for row in table.make().rows} for table in cells] == [{number} for number in range(1, 14)]
    assert left_out(many) == "8 of 13, the wrong and the newest"
    assert left_out(replace(many, runs=(sound,) * 13)) == "8 of 13, the newest"
    assert left_out(replace(many, runs=(wrong,) * 13)) == "8 of 13, the first wrong ones"
    assert left_out(session) == ""


def test_that_an_unknown_chart_is_named(session: Session) -> None:
    with pytest.raises(ValueError, match="no chart 'pie'"):
        planned(session, ["pie"])


def test_that_both_accuracy_charts_share_a_table(session: Session) -> None:
    names = [table.name for table in planned_tables(session, ["error_bound", "relative_error"])]
    assert names == ["accuracy"]


def test_that_text_for_the_clipboard_keeps_its_cells() -> None:
    table = PlotTable("t", ("name", "x"), ({"name": 'a\tb\n"c"', "x": 0.1 + 0.2}, {"name": "d, e", "x": 5e-324}))
    lines = [line.split("\t") for line in as_tsv([table]).splitlines()]
    assert lines == [["name", "x"], ['a b "c"', "0.30000000000000004"], ["d, e", "5e-324"]]
    rows = list(csv.reader(io.StringIO(as_csv([table]), newline="")))
    assert rows == [["name", "x"], ['a\tb\n"c"', "0.30000000000000004"], ["d, e", "5e-324"]]


def test_that_planning_and_tables_need_no_qt() -> None:
    code = "import sys, gemmviz.gui.export.tables; print(*(m for m in sys.modules if m in ('PySide6', 'pyqtgraph')))"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == ""


def test_that_charts_import_nothing_of_the_worker() -> None:
    code = (
        "import sys, gemmviz.gui.export.steps; "
        "print(*(m for m in sys.modules if m.partition('.')[0] in ('pyopencl', 'numba', 'tree_sitter')"
        " or m.startswith('gemmviz.backends') or m == 'gemmviz.measure.bench'))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == ""


def test_that_names_of_files_stay_short(session: Session, tmp_path: Path) -> None:
    long = replace(session.runs[0], spec=replace(session.runs[0].spec, kernel="k" * 300))
    for one in planned(replace(session, runs=(long,))):
        (tmp_path / f"{one.name}.png").touch()


def test_that_error_maps_of_variants_of_one_kernel_have_their_parameters_in_their_names(session: Session) -> None:
    mapped = next(run for run in session.runs if run.error_map.values.size)
    small, large = (replace(mapped, spec=replace(mapped.spec, params=(("TILE", edge),))) for edge in (8, 16))
    names = [one.name for one in planned(replace(session, runs=(small, large)), ["error_map"])]
    assert names == [f"error_map_{at}_{mapped.spec.kernel}_TILE_{edge}" for at, edge in ((1, 8), (2, 16))]
    assert [one.name for one in planned(replace(session, runs=(small,)), ["error_map"])] == [
        f"error_map_1_{mapped.spec.kernel}"
    ]
