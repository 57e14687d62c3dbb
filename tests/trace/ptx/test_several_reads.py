"""Reads of one array in one line, which the compiler gives one place, are told apart by the source."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from gemmviz.catalogue.loader import load_user_kernel
from gemmviz.domain.recordings.access import AccessKind, Space
from gemmviz.domain.recordings.trace_run import TraceRun
from gemmviz.domain.shape import Shape
from gemmviz.engine.messages import Conditions, Job
from gemmviz.engine.recording import device_for_recording, record
from gemmviz.measure.bench import Watch

STATEMENTS = (
    "s[t] += s[t + 32];",
    "x = s[t] * s[t + 32] + s[t + 64];",
    "x += s[t + 64] - (s[t] + s[t + 32]) * s[t + 96];",
    "s[t + 64] *= s[t] + s[t + 32];",
    "for (int i = 0; i < s[t + 1] - s[t]; ++i) x += 1.0f;",
    "x = fmaf(s[t + 64], s[t], s[t + 32]);",
    "x = s[(int)s[t]] + s[t + 32];",
    "x = s[t]; x += s[t + 32] * s[t + 64];",
    "x += s[t] * s[t];",
    "if (s[t] < s[t + 32]) s[t + 64] += s[t + 96];",
)
SOURCE = """/*---
title = "Several reads"
entry = "reads"
[launch]
block = ["32"]
grid = ["1"]
static_shared_bytes = "1024"
---*/
extern "C" __global__ void reads(const float *A, const float *B, float *C, int M, int N, int K)
{
    __shared__ float s[256];
    const int t = threadIdx.x;
    float x = 0.0f;
    for (int i = t; i < 256; i += 32) s[i] = i;
    __syncthreads();
    STATEMENT
    C[t] = x;
}
"""


def recorded(statement: str, tmp_path: Path) -> TraceRun:
    path = tmp_path / "reads.cu"
    path.write_text(SOURCE.replace("STATEMENT", statement), encoding="utf-8")
    kernel = load_user_kernel(path)
    job = Job(kernel, kernel.params({}))
    return record(job, Conditions(Shape(32, 32, 32)), device_for_recording(kernel), [(0, 0, 0)], Watch())


@pytest.mark.parametrize("statement", STATEMENTS)
def test_that_each_read_has_the_words_of_the_address_it_reads(statement: str, tmp_path: Path) -> None:
    run = recorded(statement, tmp_path)
    trace = run.blocks[0].trace(run.sites, run.arrays)
    base = next(array for array in run.arrays if array.name == "s").base
    read = []
    for slot, number in enumerate(trace.slot_site.tolist()):
        site = trace.sites[number] if number >= 0 and trace.slot_epoch[slot] > 0 else None
        if site is None or site.space is not Space.SHARED or site.kind is not AccessKind.LOAD:
            continue
        read.append(site)
        index = site.text.removeprefix("s[").removesuffix("]").replace("(int)s[t]", "t")
        for lane in range(32):
            assert (int(trace.addresses[0, slot, lane]) - base) // 4 == eval(index, {"t": lane}), site.text
    written = re.findall(r"s\[", statement)
    stored = re.findall(r"(?:^|;) *s\[[^]]*\] = ", statement)
    assert len({site.index for site in read}) == len(written) - len(stored)
    line = f"    {statement}"
    assert all(line[site.column - 1 :].startswith(site.text) for site in read)
