"""What the host code gives a kernel for a number is tried before anything else."""

from __future__ import annotations

from pathlib import Path

import pytest

from gemmviz.adopt.description import Description
from gemmviz.adopt.finding import AdoptionStep
from gemmviz.adopt.propose.geometry import blocks_of
from gemmviz.adopt.propose.instances import instances_of
from gemmviz.adopt.prove.grounds import because
from gemmviz.adopt.prove.host.launch_numbers import numbers_or_none
from gemmviz.adopt.prove.host.launch_terms import terms_of
from gemmviz.adopt.prove.launcher import BlockGeometry
from gemmviz.adopt.prove.machine import KernelBuild, compiled
from gemmviz.adopt.prove.readings import ArgumentReading, readings_of, roles_of, whole_places
from gemmviz.adopt.prove.search import Search
from gemmviz.adopt.prove.search_log import SearchLog
from gemmviz.adopt.prove.searched_kernel import SearchedKernel
from gemmviz.adopt.prove.trial import Trial
from gemmviz.adopt.prove.types import parameter_type
from gemmviz.adopt.resemblance.observation import Observation
from gemmviz.adopt.resemblance.resemblance import resemblance_of
from gemmviz.adopt.source.body.flattened_index import flattened_sizes
from gemmviz.adopt.source.launches import FoundLaunch
from gemmviz.adopt.source.read import read_source
from gemmviz.domain.kernels.call import Storage
from gemmviz.domain.shape import Shape
from gemmviz.domain.terms import Element, Language, Layout

SPLIT = """__global__ void mm(const float *A, const float *B, float *C, int M, int N, int K, int each) {
    for (int k = blockIdx.z * each; k < min(K, (blockIdx.z + 1) * each); ++k) { C[k] = 0; }
}
void run(float *a, float *b, float *c, int m, int n, int k) {
    const int parts = k >= 1024 ? 8 : 1;
    const int each = LENGTH;
    mm<<<dim3(n, m, parts), 16>>>(a, b, c, m, n, k, each);
}
"""
COUNTED = """__global__ void fc(int count, const float *x, const float *w, float *y, int N, int K) {
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < count; i += blockDim.x * gridDim.x) {
        float sum = 0;
        for (int k = 0; k < K; ++k) sum += x[i / N * K + k] * w[i % N * K + k];
        y[i] = sum;
    }
}
"""
COUNTS = "void run(float *x, float *w, float *y, int rows, int n, int k) { fc<<<9, 64>>>(rows * n, x, w, y, n, k); }"


def first_reading(text: str) -> tuple[ArgumentReading, FoundLaunch | None]:
    source = read_source(text, Language.CUDA)
    (kernel,) = source.kernels
    launch = next(iter(source.launches_of(kernel)), None)
    types = [parameter_type(one, {}) for one in kernel.parameters]
    roles, guess = roles_of(kernel.parameters, whole_places(types)), blocks_of(kernel, launch, {}, source.names)[0]
    return next(readings_of(types, roles, launch, guess, flattened=dict(kernel.flattened))), launch


@pytest.mark.parametrize(
    ("length", "given"), [("(k + parts - 1) / parts", "ceil_div({5}, 8 if {5} >= 1024 else 1)"), ("128", "128")]
)
def test_that_a_length_of_parts_is_what_the_host_code_computes(length: str, given: str) -> None:
    reading, _ = first_reading(SPLIT.replace("LENGTH", length))
    assert reading.derived == {6: given}


@pytest.mark.parametrize(("length", "each"), [("(k + parts - 1) / parts", 256), ("128", 128)])
def test_that_a_length_that_is_k_is_not_the_one_of_the_host_code(length: str, each: int) -> None:
    _, launch = first_reading(SPLIT.replace("LENGTH", length))
    assert launch is not None
    words = ("A", "B", "C", "M", "N", "K", "K")
    row = Storage(Element.FLOAT32, Layout.ROW)
    described = Description("mm", (), (), words, (row,) * 4, ("16",), ("N", "M", "8 if K >= 1024 else 1"))
    both = numbers_or_none(terms_of(launch, words, {}), described, Shape(3, 5, 2048))
    assert both is not None
    proven, host = both
    assert (proven.given[6], host.given[6]) == (2048, each)
    assert proven.grid == host.grid


@pytest.mark.parametrize("text", [COUNTED + COUNTS, COUNTED])
def test_that_a_number_of_elements_is_a_product_of_sizes(text: str) -> None:
    reading, _ = first_reading(text)
    assert reading.forms == {0: "{} * {4}"}
    assert reading.given[0] == reading.numbers[0] * reading.numbers[4]
    assert reading.in_forms({0: "M", 4: "N", 5: "K"})[0] == "M * N"


def test_that_an_index_is_flattened_only_where_both_parts_of_it_are_taken() -> None:
    places = {"count": 0, "N": 4}
    assert flattened_sizes(places, "if (i >= count) return; a = i / N + i % N;") == {0: 4}
    assert flattened_sizes(places, "LOOP(i, count) { a = i / N + i % N; }") == {0: 4}
    assert flattened_sizes(places, "if (i >= count) return; a = i / N + i % 32;") == {}
    assert flattened_sizes(places, "if (i < count * N) a = i / N + i % N;") == {}


@pytest.mark.usefixtures("nvrtc")
def test_that_one_row_of_a_product_is_no_product_with_a_vector() -> None:
    (kernel,) = read_source(COUNTED, Language.CUDA).kernels
    types = tuple(parameter_type(one, {}) for one in kernel.parameters)
    made = compiled(Path("fc.cu"), COUNTED, Language.CUDA, KernelBuild("fc", (), ()), types, 60.0)
    numbers = {0: 512, 4: 768, 5: 640}  # fewer elements than a row has
    trial = Trial(made, numbers, 10.0, sizes=frozenset(numbers.values()))
    seen = Observation(trial, BlockGeometry((64, 1, 1)), [one.name for one in kernel.parameters])
    found = resemblance_of([seen])
    assert found is None or "vector" not in found.words


@pytest.mark.usefixtures("nvrtc")
def test_that_null_that_was_not_tried_is_told_where_the_time_ended() -> None:
    text = COUNTED.replace("float *y", "float *y, const float *bias").replace("sum = 0", "sum = bias ? bias[0] : 0")
    source = read_source(text, Language.CUDA)
    (kernel,) = source.kernels
    times = [0.0]

    def end(step: AdoptionStep) -> None:
        times.append(80.0 if step.words.startswith("running") else 0.0)

    log = SearchLog(end, 100.0, clock=lambda: max(times))
    (reason,) = Search(SearchedKernel(Path("fc.cu"), text, Language.CUDA, source, kernel), log).find().reasons
    assert reason.startswith("the kernel asks whether bias is null, and the time limit of 100 s ended before")


@pytest.mark.usefixtures("nvrtc")
def test_that_a_constant_of_a_parameters_type_is_used_by_the_kernel() -> None:
    text = """constexpr int HEIGHT = 96, WIDTH = 80;
__global__ void mm(const float *a, const float *b, float (*c)[WIDTH]) { c[blockIdx.x][threadIdx.x] = a[0] * b[0]; }
void run() { float *a, *b; float (*c)[WIDTH]; mm<<<HEIGHT, WIDTH>>>(a, b, c); }
"""
    source = read_source(text, Language.CUDA)
    (kernel,) = source.kernels
    searched = SearchedKernel(Path("mm.cu"), text, Language.CUDA, source, kernel)
    (instance,) = instances_of(kernel, searched.launches, (), source.names)
    guess, types = blocks_of(kernel, instance.launch, {}, source.names)[0], searched.types()
    made = compiled(Path("mm.cu"), text, Language.CUDA, KernelBuild("mm"), types, 60.0)
    row = Storage(Element.FLOAT32, Layout.ROW)
    described = Description("mm", (), (), ("A", "B", "C"), (row,) * 4, ("80",), ("M",))
    grounds = " ".join(because(searched, made, described, instance, guess, ArgumentReading({}, {})))
    assert "HEIGHT = 96: host code computes the grid of the launch in line 3 with it" in grounds
    assert "WIDTH" not in grounds
