"""The call of a kernel whose description says nothing of it."""

from __future__ import annotations

from dataclasses import replace

from gemmviz.domain.kernels import call
from gemmviz.domain.shape import Shape
from gemmviz.domain.terms import InitialC


def usual_call(shape: Shape, c_begins: InitialC = InitialC.UNDEFINED) -> call.Call:
    """(A, B, C, M, N, K), float32, row by row."""
    return replace(call.usual_call(shape), c_begins=c_begins)
