"""The calls of host code that launch a kernel, with its grid, block, shared memory and arguments."""

from __future__ import annotations

import ast
import re
from dataclasses import dataclass

from gemmviz.adopt.source.arithmetic import expression_of
from gemmviz.adopt.source.flow import CONFIG_FIELDS
from gemmviz.adopt.source.tree import Node, line_of, text_of, walk
from gemmviz.domain.kernels.mangled_names import plain_name

_WITH_ARRAY = ("cudaLaunchKernel", "cudaLaunchCooperativeKernel", "hipLaunchKernel", "hipLaunchCooperativeKernel")
"""Functions that take a kernel, its grid, its block, an array of pointers to its arguments, and its shared memory."""
_WITH_CONFIG = {"cudaLaunchKernelEx": False, "cudaLaunchKernelExC": True, "hipLaunchKernelExC": True}
"""Those that take a `cudaLaunchConfig_t`, and whether they take an array of arguments."""
_OF_DRIVER = ("cuLaunchKernel", "cuLaunchCooperativeKernel", "hipModuleLaunchKernel")
"""Those of the driver, with a handle, three numbers each for grid and block, shared memory, stream and arguments."""
_DRIVER_ARGUMENTS = 10
_OF_RUNTIME = re.compile(r"(?:::)?(?:cuda|cu|hip)[A-Z]")

Part = Node | str | tuple[Node, ...]
"""A part of a launch: an expression, the name of a variable or of a field of one, or one expression for each axis."""


@dataclass(frozen=True, slots=True)
class LaunchCall:
    """A launch: the kernel that is `called`, grid, block and bytes of shared memory, and the list that holds the
    kernel's arguments from `first_argument` on. `unread` says what keeps it from being read; "" for nothing.
    """

    node: Node
    called: Node | str
    geometry: tuple[Part, ...]
    given: Node
    first_argument: int = 0
    unread: str = ""


def launch_call(node: Node, text: str) -> LaunchCall | None:
    """The launch that a call is, None for another call. `text` is the file, in which handles of kernels are made."""
    sign = next((one for one in node.children if one.type == "kernel_call_syntax"), None)
    if sign is not None:
        geometry = tuple(one for one in sign.named_children if one.type != "comment")
        return LaunchCall(node, node.children[0], geometry, node.children[-1])
    given = node.child_by_field_name("arguments")
    function = text_of(node.child_by_field_name("function")).removeprefix("::")
    inside = [one for one in given.named_children if one.type != "comment"] if given is not None else []
    if given is None:
        return None
    if function in _WITH_ARRAY and len(inside) > 3:
        return LaunchCall(node, inside[0], (*inside[1:3], *inside[4:5]), inside[3])
    if function == "hipLaunchKernelGGL" and len(inside) > 5:
        return LaunchCall(node, inside[0], tuple(inside[1:4]), given, 5)
    if function in _WITH_CONFIG and len(inside) > 1:
        config = text_of(inside[0]).replace(" ", "").lstrip("&")
        fields = tuple(f"{config}.{field}" for field in CONFIG_FIELDS)
        has_array = _WITH_CONFIG[function] and len(inside) > 2
        return LaunchCall(node, inside[1], fields, inside[2] if has_array else given, 0 if has_array else 2)
    if function in _OF_DRIVER and len(inside) >= _DRIVER_ARGUMENTS:
        handle = text_of(inside[0])
        name = _kernel_of_handle(handle, text)
        unread = "" if name else f"it launches `{handle}`, and which kernel that is could not be read"
        return LaunchCall(node, name, (tuple(inside[1:4]), tuple(inside[4:7]), inside[7]), inside[9], unread=unread)
    return None


def handed_on(root: Node, kernel: str) -> list[tuple[int, str]]:
    """The calls that hand a kernel to a function which may launch it: their lines, and the names of the functions. What
    the runtime is asked about a kernel is none.
    """
    found = []
    for node in walk(root):
        given = node.child_by_field_name("arguments") if node.type == "call_expression" else None
        function = text_of(node.child_by_field_name("function")).partition("<")[0]
        if (
            given is None
            or _OF_RUNTIME.match(function)
            or any(one.type == "kernel_call_syntax" for one in node.children)
        ):
            continue
        words = {text_of(one).lstrip("&").partition("<")[0].rpartition("::")[2] for one in given.named_children}
        found += [(line_of(node), function)] if kernel in words else []
    return found


def _kernel_of_handle(handle: str, text: str) -> str:
    """The name that the file gets a handle of the driver for; "" where it gets it elsewhere, or for several names."""
    found = re.findall(rf'ModuleGetFunction\s*\(\s*&\s*{re.escape(handle)}\s*,[^,;]*,\s*"(\w+)"', text)
    names = {plain_name(name) for name in found}
    return names.pop() if len(names) == 1 else ""


def template_arguments(called: Node) -> list[tuple[str, ast.expr | None]]:
    """The arguments of the template that is called: their text, and what they are as arithmetic."""
    lists = (node for node in walk(called) if node.type == "template_argument_list")
    found: list[tuple[str, ast.expr | None]] = []
    for one in next((node.named_children for node in lists), []):
        words = " ".join(text_of(one).split())
        is_name = one.type == "type_descriptor" and words.isidentifier()
        found.append((words, ast.Name(words) if is_name else expression_of(one)))
    return found
