"""What every test shares."""

from __future__ import annotations

import gc
import os
import shutil
import sys
import tempfile
from collections import Counter
from collections.abc import Generator, Iterator
from contextlib import nullcontext
from pathlib import Path

# Before NumPy comes. The tests share the cores: threads that wait for each other in small products waste them.
os.environ["OPENBLAS_NUM_THREADS"] = "1"

import compiled_first
import pytest
from hidden_gpu import gpus_shown, hide_gpus
from hypothesis import settings
from late_checksums import note_checksums, note_no_checksums
from no_constants import draw_no_constants
from short_warm_ups import warm_up_little
from small_flushes import flush_little
from thorough import mark_slow
from unoptimised import is_plain_run, optimise_nothing
from warm_compiler import warm_compilers
from warm_process import warm_children

from gemmviz.backends.machine.device import MachineDevice
from gemmviz.backends.machine.recent_programs import PROGRAMS
from gemmviz.backends.opencl.device import OpenClDevice
from gemmviz.backends.registry import backend_of, devices_for
from gemmviz.catalogue.gpus import emulated
from gemmviz.compiler.nvidia.wheels import find_nvrtc
from gemmviz.compiler.source import CompilerMissingError
from gemmviz.domain.terms import Language

pytest_plugins = ["block_recordings", "chart_runs"]
"""Recordings and runs that tests of several folders share; the modules lie in tests/support."""

# No deadline: the first call of a compiled function includes its compilation.
settings.register_profile("plain", deadline=None, max_examples=30)
settings.register_profile("thorough", deadline=None)  # `.ci/thorough` names it
settings.load_profile("plain")

os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
sys.dont_write_bytecode = False
"""Each process of pytest-xdist, and each of the hundreds that tests start, would compile gemmviz and the tests anew."""

os.environ.pop("COLUMNS", None)
"""pytest-xdist tells its processes the width of the terminal; reports that go to none have a width of their own."""

os.environ["GEMMVIZ_STATE_DIR"] = str(Path(tempfile.gettempdir()) / f"gemmviz-tests-{os.getpid()}" / "state")
"""No test writes to a person's own folder of recovery data, nor do the processes that tests start."""

hide_gpus()

MOST_PROCESSES = 4
"""The longest file takes as long as a fourth of all tests; and a process with a window takes a gigabyte."""


@pytest.hookimpl(optionalhook=True)  # the tests for a GPU run without pytest-xdist as well
def pytest_xdist_auto_num_workers(config: pytest.Config) -> int:
    """All tests share the cores, a file in one process; of some tests, named or chosen, none is worth a process.

    One process more than there are cores, because tests wait for processes that they start.
    """
    cores = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    return min(cores + 1, MOST_PROCESSES) if _is_whole(config) and cores > 1 else 0


def _is_whole(config: pytest.Config) -> bool:
    return config.args_source is pytest.Config.ArgsSource.TESTPATHS and not config.option.keyword


TESTS = Path(__file__).parent
START = Path("cli") / "test_window.py"
"""Starts the program as a person does. It runs first: where the window does not open, all its other tests fail too."""


LONG = {
    "adopt/host/test_constant_grids.py": 0.6,
    "adopt/host/test_host_expressions.py": 2.3,
    "adopt/host/test_host_launches.py": 1.2,
    "adopt/host/test_other_instances.py": 0.5,
    "adopt/host/test_otherwise.py": 2.2,
    "adopt/host": 0.03,
    "adopt/parameters/test_parameter_reach.py": 2.7,
    "adopt/parameters/test_parameters.py": 1.4,
    "adopt/parameters/test_renamed.py": 1.3,
    "adopt/parameters/test_settings.py": 0.5,
    "adopt/propose/test_strides.py": 1.7,
    "adopt/propose": 0.04,
    "adopt/recordings/test_races.py": 0.6,
    "adopt/resemblance/test_resemblance.py": 0.5,
    "adopt/resemblance": 0.1,
    "adopt/source": 0.02,
    "adopt/test_proofs.py": 0.6,
    "adopt": 0.25,
    "backends/opencl": 0.2,
    "cli/adopt": 0.6,
    "cli/guarded": 1.2,
    "cli/run/test_experiment.py": 1.1,
    "cli/run": 0.15,
    "cli/test_bad_input.py": 0.02,
    "cli/test_compile.py": 0.1,
    "cli/trace": 0.35,
    "cli": 0.4,
    "compiler/opencl": 0.2,
    "engine/test_client_": 0.8,
    "engine": 0.2,
    "gui/control/test_start_control.py": 1.1,
    "gui/control": 0.5,
    "gui/editor/test_editing.py": 1.7,
    "gui/editor": 0.1,
    "gui/export/test_exporting.py": 1.8,
    "gui/export/test_view_dialog.py": 1.0,
    "gui/export": 0.15,
    "gui/files/test_recovery.py": 2.5,
    "gui/lessons/test_lesson_ends.py": 1.1,
    "gui/lessons/test_lesson_run.py": 1.5,
    "gui/lessons/test_lessons_story.py": 0.7,
    "gui/lessons": 0.2,
    "gui/memory_view/paint/test_readable_names.py": 0.01,
    "gui/memory_view/places": 0.005,
    "gui/memory_view": 0.05,
    "gui/memory": 0.3,
    "gui/presentation/test_following.py": 1.3,
    "gui/presentation": 0.2,
    "gui/stages/test_bank_stage.py": 0.25,
    "gui/test_story.py": 6.0,
    "gui/test_window_faults.py": 1.5,
    "gui/window/test_first_size.py": 0.01,
    "gui/window/test_object_names.py": 3.5,
    "gui/window/test_window_size.py": 2.5,
    "gui/window": 0.8,
    "kernels": 0.4,
    "machine/test_printf.py": 0.003,
    "machine": 0.1,
    "measure/test_roofs.py": 0.2,
    "referee/test_broken_kernels.py": 2.7,
    "referee/test_broken_order.py": 0.8,
    "referee/test_right_where.py": 0.01,
    "referee/test_tied_sizes.py": 0.15,
    "referee": 0.5,
    "test_house.py": 0.8,
    "trace/ptx/decoding": 0.01,
    "trace/ptx/probing/test_strong_accesses.py": 0.3,
    "trace/ptx/probing": 0.01,
    "trace/ptx": 0.2,
    "gpu": 0.0,
}
"""Seconds that a test takes on an average, in folders and files of which that is known; the first that fits counts."""

USUAL_S = 0.03


def pytest_configure(config: pytest.Config) -> None:
    if hasattr(config.option, "loadscopereorder"):  # pytest-xdist 3.8 keeps the order below when it is told to
        config.option.loadscopereorder = False
    if _is_whole(config) and not config.option.collectonly and not hasattr(config, "workerinput"):
        compiling = compiled_first.begin()
        if compiling is not None:
            config.add_cleanup(lambda: compiled_first.end(compiling))


@pytest.hookimpl(wrapper=True)
def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> Generator[None, object, object]:
    """Mark what a plain run leaves out, before pytest looks at markers; of what is left the start of the program goes
    first, then the longest files: a long one at the end would leave other cores idle. All processes need one order.
    """
    if not config.getoption("lf", False):  # of a test's parameters those that failed are collected alone
        mark_slow(items)
    made = yield
    seconds = {path: count * _seconds_per_test(path) for path, count in Counter(item.path for item in items).items()}
    begin = TESTS / START
    order = sorted(seconds, key=lambda path: (path != begin, -seconds[path], path))
    places = {path: place for place, path in enumerate(order)}
    items.sort(key=lambda item: places[item.path])
    return made


@pytest.hookimpl(wrapper=True)
def pytest_make_collect_report(
    collector: pytest.Collector,
) -> Generator[None, pytest.CollectReport, pytest.CollectReport]:
    """Collect the tests of a folder from another place on in each process of pytest-xdist. Where no bytecode of the
    tests is kept yet, each then writes a part, and finds what the others wrote, where all would write all of it.
    """
    report = yield
    worker = getattr(collector.config, "workerinput", None)
    if worker is not None and isinstance(collector, pytest.Dir) and report.result:
        begin = len(report.result) * int(worker["workerid"].removeprefix("gw")) // worker["workercount"]
        report.result = report.result[begin:] + report.result[:begin]
    return report


def _seconds_per_test(path: Path) -> float:
    return next((seconds for part, seconds in LONG.items() if f"/tests/{part}" in path.as_posix()), USUAL_S)


@pytest.hookimpl(wrapper=True)
def pytest_collection(session: pytest.Session) -> Generator[None, object, object]:
    """What is collected stays to the end: to look through it for garbage time and again takes seconds. Hypothesis looks
    for constants as soon as all is collected.
    """
    if is_plain_run():
        patch = pytest.MonkeyPatch()
        draw_no_constants(patch)
        session.config.add_cleanup(patch.undo)
    gc.disable()
    try:
        return (yield)
    finally:
        compiled_first.wait()
        gc.enable()
        gc.collect()
        gc.freeze()
        gc.set_threshold(10_000, 20, 20)  # Python's own looks through all objects too often for what tests leave


@pytest.hookimpl(wrapper=True)
def pytest_runtest_protocol(item: pytest.Item) -> Generator[None, object, object]:
    """Fixtures of every scope are made in here as well: for a test with the marker `gpu` they see the GPU, too."""
    with gpus_shown() if item.get_closest_marker("gpu") is not None else nullcontext():
        return (yield)


def pytest_unconfigure() -> None:
    shutil.rmtree(Path(os.environ["GEMMVIZ_STATE_DIR"]).parent, ignore_errors=True)


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """Tests that need a GPU leave only dots without one; a line tells why. The processes of pytest-xdist know no
    conftest.py further down when it is printed.
    """
    skipped = [report for report in terminalreporter.stats.get("skipped", ()) if "gpu" in report.keywords]
    reasons = dict.fromkeys(str(report.longrepr[2]).removeprefix("Skipped: ") for report in skipped)
    if skipped:
        terminalreporter.write_line(f"{len(skipped)} tests for an NVIDIA GPU were skipped: {'; '.join(reasons)}")


WARM, COLD = ("adopt", "cli", "gui", "referee"), "cli/guarded"
"""Folders of tests whose confined processes begin warm, and the one that tests how they start."""


@pytest.fixture(scope="module", autouse=True)
def _warm(request: pytest.FixtureRequest) -> Iterator[None]:
    folder = request.path.parent.relative_to(TESTS).as_posix()
    with warm_children() if folder.startswith(WARM) and folder != COLD else nullcontext():
        yield


OWN_COMPILER = "compiler/nvidia"
"""The folder of the tests of how NVIDIA's compiler starts and ends."""


@pytest.fixture(scope="module", autouse=True)
def _warm_compiler(request: pytest.FixtureRequest) -> Iterator[None]:
    folder = request.path.parent.relative_to(TESTS).as_posix()
    with pytest.MonkeyPatch.context() as patch:
        if folder != OWN_COMPILER:
            warm_compilers(patch)
        yield


@pytest.fixture(scope="session", autouse=True)
def _small_flushes() -> Iterator[None]:
    with pytest.MonkeyPatch.context() as patch:
        if is_plain_run():
            flush_little(patch)
        yield


@pytest.fixture(scope="session", autouse=True)
def _late_checksums() -> Iterator[None]:
    with pytest.MonkeyPatch.context() as patch:
        if is_plain_run():
            note_no_checksums(patch)
        yield
    note_checksums()


@pytest.fixture(scope="module", autouse=True)
def _short_warm_ups(request: pytest.FixtureRequest) -> Iterator[None]:
    """`tests/measure` tests how long a warm-up takes."""
    with pytest.MonkeyPatch.context() as patch:
        if is_plain_run() and request.path.parent != TESTS / "measure":
            warm_up_little(patch)
        yield


OPTIMISED = (
    "machine/test_conformance.py",
    "machine/test_floats.py",
    "trace/ptx/test_kernels.py",
)
"""Files of tests for which LLVM optimises what the PTX machine runs, as in the program: they compare results bit by
bit,
"""


@pytest.fixture(scope="module", autouse=True)
def _unoptimised(request: pytest.FixtureRequest) -> Iterator[None]:
    """LLVM optimises no code of the PTX machine: that takes longer than to run it once. `.ci/thorough` optimises."""
    path = request.path.relative_to(TESTS).as_posix()
    PROGRAMS.forget()  # those of the file before this one may be optimised, or not
    with pytest.MonkeyPatch.context() as patch:
        if path not in OPTIMISED and is_plain_run():
            optimise_nothing(patch)
        yield


@pytest.fixture(scope="session")
def nvrtc() -> None:
    """Skips the tests that need NVIDIA's compiler where it is not installed."""
    try:
        find_nvrtc()
    except CompilerMissingError as error:
        pytest.skip(str(error))


@pytest.fixture(scope="module")
def machine(nvrtc: None) -> MachineDevice:
    """The PTX machine as an H200."""
    del nvrtc
    return MachineDevice(emulated("H200"), "sm_90a")


@pytest.fixture(scope="module")
def embedded() -> Iterator[OpenClDevice]:
    """The OpenCL device that comes with the installation, opened; skips tests where there is none."""
    device = next((device for device in devices_for(Language.CUDA) if device.embedded), None)
    if device is None:
        pytest.skip("no embedded device")
    opened = backend_of(device).open(device)
    assert isinstance(opened, OpenClDevice)
    yield opened
    opened.release()
