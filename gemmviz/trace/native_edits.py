"""The edits that make one function of a CUDA source record itself where it runs as it is, with real threads."""

from __future__ import annotations

from gemmviz.backends.dialect.functions import Function
from gemmviz.backends.dialect.opencl_c import Translation
from gemmviz.backends.dialect.spaces import PointerSpaces
from gemmviz.backends.dialect.symbols import Variable
from gemmviz.backends.dialect.tree import Edits, Node, find_all
from gemmviz.domain.spec import Launch
from gemmviz.trace import native_text as native
from gemmviz.trace.function_edits import FunctionEdits, Recorded


class NativeEdits(FunctionEdits):
    """The same sites, numbers and slots as on OpenCL; barriers stay barriers, and shared arrays what they are."""

    def __init__(
        self, translation: Translation, function: Function, spaces: PointerSpaces, edits: Edits, launch: Launch,
        into: Recorded,
    ) -> None:  # fmt: skip
        super().__init__(translation, function, spaces, edits, launch, into, native.NATIVE)

    def write_kernel(self, name: str) -> None:
        """Edit the kernel, which is called `name` among the functions."""
        function, edits = self._function, self._edits
        self._into.shared = tuple(self._shared_array(i, v) for i, v in enumerate(self._shared))
        self._instrument(name, joint_loops_too=True)
        self.edit_barriers()
        returns = find_all(function.body, lambda node: node.type == "return_statement")
        for number, variable in enumerate(self._shared):
            self._declare(number, variable, returns)
        threads = self._launch.threads_per_block
        for place, node in enumerate(returns):
            edits.replace(node.children[0], native.leave(place, threads))  # what a loop added around it stays
        edits.append(function.parameters[-1], native.PARAMETERS)
        for child in function.node.children:
            if child.text == b"__global__":
                edits.replace(child, f"__global__ __launch_bounds__({threads})")
        edits.append(function.body.children[0], native.prologue())
        edits.insert(function.body.end_byte - 1, native.epilogue(threads))

    def edit_barriers(self) -> None:
        """Let each barrier be recorded, and wait."""
        for entry in self._barriers:
            self._edits.replace(entry.node, native.barrier(self._slot(entry.index)))

    def _declare(self, number: int, variable: Variable, returns: list[Node]) -> None:
        """Only what stands in the function's outermost block is filled: there all threads come by, once."""
        where = variable.declaration
        fill = None
        if where.parent is not None and where.parent.start_byte == self._function.body.start_byte:
            some_left = any(node.start_byte < where.start_byte for node in returns)
            fill = ("0u", "1u") if some_left else (f"{native.RECORDING}.thread", f"{self._launch.threads_per_block}u")
        array = ("" if variable.is_array else "&") + variable.name
        nbytes = str(self._launch.dynamic_shared_bytes) if variable.is_external else f"sizeof({variable.name})"
        self._edits.append(where, native.declared(number, array, nbytes, self._shape(variable), fill))
