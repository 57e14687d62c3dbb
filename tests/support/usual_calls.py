"""The call of a kernel whose description says nothing of it."""

from __future__ import annotations

from gemmviz.catalogue.call_rule import CallRule
from gemmviz.domain.call import Call
from gemmviz.domain.shape import Shape
from gemmviz.domain.terms import InitialC


def usual_call(shape: Shape, c_begins: InitialC = InitialC.UNDEFINED) -> Call:
    """(A, B, C, M, N, K), float32, row by row."""
    return CallRule(c_begins=c_begins).call(shape, {"M": shape.m, "N": shape.n, "K": shape.k})
