"""The members of a structure that a file defines."""

from __future__ import annotations

from dataclasses import dataclass

from gemmviz.adopt.source.tree import SourceError, declared_name, line_of, parse, text_of, walk
from gemmviz.domain.terms import Language


@dataclass(frozen=True, slots=True)
class FoundStructure:
    """A structure by the line in which its definition begins, and the names of its members."""

    line: int
    members: tuple[str, ...]


def structure_called(name: str, text: str, language: Language = Language.CUDA) -> FoundStructure | None:
    """The structure of that name, also one that a `typedef` gives it; None where the file defines none with members."""
    try:
        nodes = [*walk(parse(text, language))]
    except SourceError:
        return None
    for node in nodes:
        of_type = node.child_by_field_name("type") if node.type == "type_definition" else None
        given = text_of(node.child_by_field_name("declarator")) if of_type is not None else ""
        node = of_type if of_type is not None and given == name else node
        body = node.child_by_field_name("body") if node.type == "struct_specifier" else None
        if body is None or name not in (given, text_of(node.child_by_field_name("name"))):
            continue
        fields = [one for one in body.named_children if one.type == "field_declaration"]
        members = tuple(declared_name(each) for one in fields for each in one.children_by_field_name("declarator"))
        return FoundStructure(line_of(node), members) if members else None
    return None
