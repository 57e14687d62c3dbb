"""Recordings of kernels that call functions by pointer."""

from __future__ import annotations

import pytest
from own_recordings import HEAD, block_0, recorder_of_text, touched

from gemmviz.backends.machine.device import MachineDevice
from gemmviz.domain.terms import CodeForm

TEXT = f"""
typedef float (*Read)(const float *, int);
__device__ __noinline__ float own(const float *p, int t) {{ return p[t]; }}
__device__ __noinline__ float eight_behind(const float *p, int t) {{ return p[t + 8]; }}
__device__ Read reads[] = {{own, eight_behind}};
{HEAD}    __shared__ float q[32];
    int t = threadIdx.x;
    q[t] = B[t];
    q[t + 8] = 1;
    __syncthreads();
    C[t] = reads[t & 1](A, t) + reads[!(t & 1)](q, t);
}}
"""


OWN, EIGHT_BEHIND, COPY, ONES, READS = 3, 4, 9, 10, 12
"""Lines."""


@pytest.mark.parametrize("form", CodeForm)
def test_that_accesses_in_functions_called_by_pointer_are_recorded(machine: MachineDevice, form: CodeForm) -> None:
    recorder = recorder_of_text(machine, TEXT, form=form)
    trace = block_0(recorder)
    wanted = [
        entry
        for t in range(4)
        for entry in (
            ("load B", t, t, 4),
            ("store q", t, t, 4),
            ("store q", t, t + 8, 4),
            ("load A", t, t + 8 * (t & 1), 4),
            ("load q", t, t + 8 * (1 - (t & 1)), 4),
            ("load reads", t, 0, 8),
            ("load reads", t, 1, 8),
            ("store C", t, t, 4),
        )
    ]
    assert touched(trace) == sorted(wanted)
    lines = {trace.sites[site].line for site in trace.slot_site.tolist() if site >= 0}
    assert lines == {OWN, EIGHT_BEHIND, COPY, ONES, READS}


def test_that_a_function_called_by_pointer_shows_its_own_variables(machine: MachineDevice) -> None:
    trace, values = recorder_of_text(machine, TEXT).with_variables(0)
    shown = {}
    for slot, site in enumerate(trace.slot_site.tolist()):
        if site >= 0:
            known = int(values.known[slot]) - 1
            members = values.members[values.first_members[known] : values.first_members[known + 1]]
            shown[trace.sites[site].line] = {values.variables[one].name for one in members}
    assert shown[OWN] == shown[EIGHT_BEHIND] == {"p", "t"}
    assert shown[READS] >= {"A", "B", "C", "t"}
