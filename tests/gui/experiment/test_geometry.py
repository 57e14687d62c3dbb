from collections.abc import Callable, Sequence
from dataclasses import replace

import pytest
from some_devices import GPU, HOST

from gemmviz.catalogue.gpus import emulated
from gemmviz.catalogue.kernel import Kernel
from gemmviz.catalogue.loader import load_catalogue
from gemmviz.catalogue.presets import load_presets
from gemmviz.domain.device import DeviceKind
from gemmviz.domain.kernels.resources import Resources
from gemmviz.domain.recordings.trace_run import TraceRun
from gemmviz.domain.runs.result import RunResult
from gemmviz.domain.shape import Shape
from gemmviz.domain.spec import RunSpec
from gemmviz.gui.experiment.geometry import Fact, Geometry, describe, geometry_of, known_resources
from gemmviz.gui.kernels.availability import availability_of
from gemmviz.gui.work.experiment import default_experiment, with_preset

CATALOGUE = load_catalogue()
ODD = Shape(1037, 1031, 1055)
PLENTY = 2**36


def lines_of(kernel_id: str, shape: Shape = ODD, **params: int) -> dict[str, str]:
    kernel = CATALOGUE.get(kernel_id)
    geometry = describe(kernel, kernel.params(params), shape, GPU, PLENTY)
    assert geometry.refusal == ""
    return {fact.name: fact.value.replace("\N{NARROW NO-BREAK SPACE}", " ") for fact in geometry.facts}


def test_the_geometry_of_a_tiled_kernel_as_computed_by_hand() -> None:
    lines = lines_of("tiled", TILE=16)
    assert lines["grid"] == "65 × 65 blocks"
    assert lines["block"] == "16 × 16 = 256 threads"
    assert lines["threads in all"] == "1 081 600"
    assert lines["shared"] == "2 048 of 49 152 bytes"
    assert lines["grid outside C"] == "1.15 %"  # 1 - 1037·1031 / 1040²
    assert lines["memory"].startswith("12.4 MiB A, B, C · ")  # 4·(1037·1055 + 1055·1031 + 1037·1031) bytes


@pytest.mark.parametrize(("kernel_id", "most"), [("tiled", "232 448"), ("cl_row_private", "49 152")])
def test_that_on_a_cpu_the_limit_is_that_of_the_target_gpu_where_there_is_one(kernel_id: str, most: str) -> None:
    cpu = replace(GPU, id="pocl", name="A processor", kind=DeviceKind.CPU)
    kernel = CATALOGUE.get(kernel_id)
    params = kernel.params({})
    available = availability_of(kernel, params, ODD, cpu, PLENTY)
    target = emulated("H100", PLENTY)
    facts = geometry_of(available, kernel, params, ODD, cpu, PLENTY, target=target).facts
    (shared,) = [one for one in facts if one.name == "shared"]
    assert shared.value.replace("\N{NARROW NO-BREAK SPACE}", " ").endswith(f" of {most} bytes")


def shared_of(kernel: Kernel, *runs: RunResult, traces: Sequence[TraceRun] = (), tile: int = 16) -> Fact:
    params = kernel.params({"TILE": tile})
    availability = availability_of(kernel, params, ODD, GPU, PLENTY)
    known = known_resources(kernel, params, runs, traces)
    facts = geometry_of(availability, kernel, params, ODD, GPU, PLENTY, known).facts
    return next(fact for fact in facts if "shared" in fact.line)


def test_that_shared_memory_that_no_header_counts_is_known_from_a_run_with_these_settings(
    make_result: Callable[..., RunResult],
) -> None:
    kernel = CATALOGUE.get("tiled")
    unknown = replace(kernel, rule=replace(kernel.rule, static_shared_bytes="0"))
    said = shared_of(unknown)
    assert said.line == "Run or record it once to see its shared memory."
    assert "its compiler tells" in said.words
    compiled = replace(make_result(), resources=Resources(32, static_shared_bytes=2048))
    assert shared_of(unknown, compiled).value.endswith("of 49\N{NARROW NO-BREAK SPACE}152 bytes")
    assert shared_of(unknown, compiled).value.startswith("2\N{NARROW NO-BREAK SPACE}048 ")
    assert shared_of(unknown, compiled, tile=8).line == said.line, "other settings"
    partly = replace(unknown, rule=replace(unknown.rule, shared_bytes="64"))
    assert shared_of(partly).line == "64 bytes shared and more: run or record it once to see its shared memory."
    assert shared_of(partly, compiled).value.startswith("2\N{NARROW NO-BREAK SPACE}112 ")
    assert lines_of("naive")["shared"] == "0 of 49 152 bytes"


def test_that_a_recording_of_the_text_as_it_is_tells_the_shared_memory_that_its_figures_have(
    make_recording: Callable[..., TraceRun],
) -> None:
    kernel = CATALOGUE.get("tiled")
    unknown = replace(kernel, rule=replace(kernel.rule, static_shared_bytes="0"))
    spec = RunSpec("tiled", Shape(4, 3, 2), (("TILE", 16),), "ptx")
    known = make_recording(source=kernel.text, spec=spec, resources=Resources(32, static_shared_bytes=2048))
    shown = shared_of(unknown, traces=[known]).value.replace("\N{NARROW NO-BREAK SPACE}", " ")
    assert shown == lines_of("tiled", TILE=16)["shared"] == "2 048 of 49 152 bytes"
    asked = "Run or record it once to see its shared memory."
    assert shared_of(unknown, traces=[replace(known, source_text="another text")]).line == asked
    assert shared_of(unknown, traces=[known], tile=8).line == asked, "other settings"


def test_that_a_line_reads_as_name_and_value() -> None:
    kernel = CATALOGUE.get("tiled")
    geometry = describe(kernel, kernel.params({}), ODD, GPU, PLENTY)
    assert geometry.lines[0] == "grid 65 × 65 blocks"
    assert geometry.launch is not None
    assert geometry.launch.grid == (65, 65, 1)


@pytest.mark.parametrize(
    ("kernel", "shape", "params", "expected"),
    [
        ("naive", ODD, {"THREAD": 16}, {"grid": "65 × 65 blocks", "shared": "0 of 49 152 bytes"}),
        ("naive_uncoalesced", Shape(17, 33, 5), {"THREAD": 16}, {"grid": "2 × 3 blocks", "grid outside C": "63.5 %"}),
        (
            "register_2d",
            ODD,
            {"BM": 64, "BN": 128, "TM": 4, "TN": 8},
            {"grid": "9 × 17 blocks", "block": "16 × 16 = 256 threads", "grid outside C": "14.7 %"},
        ),
        (
            "naive_1d",
            ODD,
            {"THREADS": 64},
            {"grid": "16 706 blocks", "block": "64 threads", "grid outside C": "< 0.1 %"},
        ),
        ("naive_1d", Shape(10, 10, 3), {"THREADS": 64}, {"grid": "2 blocks", "grid outside C": "21.9 %"}),
        (
            "cl_naive",
            Shape(3, 4, 5),
            {"GROUP_X": 16, "GROUP_Y": 2},
            {"grid": "1 × 2 blocks", "block": "16 × 2 = 32 threads", "grid outside C": "81.3 %"},
        ),
        ("cl_row_private", Shape(1000, 1000, 1000), {}, {"grid": "16 blocks", "grid outside C": "2.34 % of rows"}),
        ("cl_row_private_grouped", Shape(1000, 1000, 1000), {"GROUP": 250}, {"grid outside C": "0 % of rows"}),
        ("cl_row_private_grouped", Shape(1000, 1000, 1000), {"GROUP": 256}, {"grid outside C": "2.34 % of rows"}),
        (
            "tiled",
            Shape(1, 1, 1),
            {"TILE": 32},
            {"grid": "1 block", "threads in all": "1 024", "grid outside C": "99.9 %"},
        ),
    ],
)
def test_figures_computed_by_hand(kernel, shape, params, expected) -> None:
    assert expected.items() <= lines_of(kernel, shape, **params).items()


@pytest.mark.parametrize(
    ("kernel", "shape"), [("row_per_block", ODD), ("row_shared", ODD), ("dot", Shape(1, 1, 1000))], ids=str
)
def test_that_a_grid_that_does_not_follow_c_has_no_edge_waste(kernel: str, shape: Shape) -> None:
    assert "grid outside C" not in lines_of(kernel, shape)


def test_that_a_host_kernel_says_how_many_threads_it_has() -> None:
    one, all_cores = (describe(CATALOGUE.get(name), (), ODD, HOST, PLENTY) for name in ("cpu_ijk", "cpu_blas"))
    assert one.lines[0] == "Runs on the CPU, on one thread."
    assert all_cores.lines[0] == "Runs on the CPU, on all 8 cores."
    assert one.launch is None
    assert describe(CATALOGUE.get("cpu_blas"), (), ODD, None, None).lines[0] == "Runs on the CPU, on every core."


@pytest.mark.parametrize(
    ("kernel", "params", "device", "shape", "refusal"),
    [
        ("tiled", {"TILE": 32}, replace(GPU, max_threads_per_block=256), ODD, "<= 256 threads, but 32 * 32 = 1024"),
        ("tiled_wide", {"TILE": 32, "F": 8}, GPU, ODD, "bytes of shared memory, but 2 * 4 * 8 * 32 * 32 = 65536"),
        ("tiled", {}, None, ODD, "no device for GPU kernels"),
        ("dot", {}, GPU, ODD, "Needs M = 1, but M is 1037"),
        ("cl_naive", {}, replace(GPU, capabilities=("cuda",)), ODD, "OpenCL C, which A graphics card does not take"),
        ("tiled", {}, replace(GPU, global_bytes=2**20), ODD, "12.41 MiB on the device, which has 1 MiB"),
    ],
    ids=["threads", "shared", "no device", "size", "language", "memory"],
)
def test_that_a_refusal_is_one_sentence_with_the_numbers(kernel, params, device, shape, refusal) -> None:
    found = CATALOGUE.get(kernel)
    geometry = describe(found, found.params(params), shape, device, PLENTY)
    assert geometry.facts == ()
    assert any(words in geometry.refusal for words in refusal.split("|")), geometry.refusal
    assert geometry.refusal.endswith(".")
    assert not geometry.refusal.startswith(kernel)


@pytest.mark.parametrize("kernel", ["tiled", "cpu_blas"])
def test_that_a_size_beyond_main_memory_is_refused_with_both_numbers(kernel: str) -> None:
    found = CATALOGUE.get(kernel)
    geometry = describe(found, found.params({}), Shape(40000, 40000, 20000), GPU, 2**30)
    assert "of main memory, of which there are 1 GiB" in geometry.refusal


@pytest.mark.parametrize("preset", load_presets(), ids=lambda preset: preset.id)
@pytest.mark.parametrize("kernel", CATALOGUE.kernels, ids=lambda kernel: kernel.id)
def test_that_every_kernel_has_a_geometry_or_a_refusal_for_every_preset(kernel, preset) -> None:
    experiment = with_preset(default_experiment(CATALOGUE), preset, CATALOGUE)
    device = HOST if kernel.runs_on_host else GPU
    geometry = describe(kernel, experiment.params_of(kernel), preset.shape, device, PLENTY)
    assert bool(geometry.refusal) != bool(geometry.facts)
    if kernel.id in preset.kernels:
        assert geometry.refusal == ""
        assert geometry != Geometry()
