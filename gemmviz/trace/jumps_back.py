"""Jumps that make loops: how often what lies between runs is not counted."""

from __future__ import annotations

from gemmviz.backends.dialect.functions import Function
from gemmviz.backends.dialect.tree import SourceTree, text_of, walk


def refuse_jumps_back(tree: SourceTree, function: Function) -> None:
    """Refuse a `goto` to a label before it: how often what lies between runs is not counted.

    Raises:
        CompileError: there is one.
    """
    labels = {
        text_of(label): node.start_byte
        for node in walk(function.body)
        if node.type == "labeled_statement" and (label := node.child_by_field_name("label")) is not None
    }
    for node in walk(function.body):
        label = node.child_by_field_name("label") if node.type == "goto_statement" else None
        if label is not None and labels.get(text_of(label), node.start_byte) < node.start_byte:
            raise tree.fault(node, "a backward jump makes a loop whose iterations are not recorded; write it as a loop")
