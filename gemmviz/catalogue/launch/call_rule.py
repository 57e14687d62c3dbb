"""How a kernel is called, as its description says: arguments, matrices, template arguments, alpha and beta."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass

from gemmviz.catalogue.expressions import ExpressionError, check_names, evaluate, evaluate_whole
from gemmviz.domain.kernels.call import (
    OPERANDS,
    USUAL_ARGUMENTS,
    Call,
    CallArgument,
    Factor,
    LocalArgument,
    MatrixArgument,
    NullArgument,
    NumberArgument,
    Storage,
    leading_dimension,
)
from gemmviz.domain.shape import Shape
from gemmviz.domain.terms import Arithmetic, Element, InitialC

LEADING_DIMENSIONS = tuple(f"ld{name.lower()}" for name in OPERANDS)
"""lda, ldb, ldc, ldd: elements from one row of a matrix to the next, or from one column to the next."""
RESERVED = frozenset((*OPERANDS, *LEADING_DIMENSIONS, *Factor, "null", "local"))
"""Words of 'args' that stand for something, so that no parameter is called so."""
MOST_ARGUMENTS = 64
_FACTORS: dict[str, Factor] = {one.value: one for one in Factor}

_LOCAL = re.compile(r"local\s*\((?P<bytes>.*)\)", re.DOTALL)
_TYPE = re.compile(
    r"(?:const\s+|unsigned\s+|signed\s+|long\s+)*[A-Za-z_]\w*(?:::[A-Za-z_]\w*)*(?:\s*<[\w\s:,<>*]*>)?(?:\s*\*)*"
)
"""A type as a template argument: "float", "unsigned int", "half", "mine::policy<4>"."""


_COARSEST_FIRST = (Element.BFLOAT16, Element.HALF, Element.FLOAT32, Element.DOUBLE)
_ARITHMETIC = {
    Element.BFLOAT16: Arithmetic.BF16,
    Element.HALF: Arithmetic.FP16,
    Element.FLOAT32: Arithmetic.FP32,
    Element.DOUBLE: Arithmetic.FP64,
}


@dataclass(frozen=True, slots=True)
class CallRule:
    """What a launch is given, before size and parameters are known.

    `arguments` are texts, one for each parameter of the kernel: a matrix (A, B, C, D), `null`, `local(BYTES)`, `alpha`,
    `beta`, or arithmetic over M, N, K, the parameters and lda, ldb, ldc, ldd. `template` are the arguments of a
    template: arithmetic, or types. `alpha` and `beta` are None where the description says nothing of them.
    """

    arguments: tuple[str, ...] = USUAL_ARGUMENTS
    template: tuple[str, ...] = ()
    storages: tuple[Storage, Storage, Storage, Storage] = (Storage(), Storage(), Storage(), Storage())
    alpha: float | None = None
    beta: float | None = None
    c_begins: InitialC | None = None
    """None where the description says nothing: random where C is read, else undefined."""

    @property
    def beyond_opencl(self) -> str:
        """Why a kernel in CUDA C runs by CUDA alone, as its description says; "" where it does not."""
        has_usual_ones = sorted(self.arguments) == sorted(USUAL_ARGUMENTS)
        reasons = {
            "it takes A, B, C, M, N and K in another order": has_usual_ones and self.arguments != USUAL_ARGUMENTS,
            "it takes other parameters than A, B, C, M, N and K": not has_usual_ones,
            "it is a C++ template": bool(self.template),
            "its matrices have another type or order than row-major float32": any(
                storage != Storage() for storage in self.storages
            ),
        }
        return next((reason for reason, is_there in reasons.items() if is_there), "")

    @property
    def gives_local_memory(self) -> bool:
        """Whether a parameter is given local memory."""
        return any(_LOCAL.fullmatch(text) for text in self.arguments)

    @property
    def usual_arithmetic(self) -> Arithmetic:
        """The arithmetic of a kernel that names none: the coarsest that A and B are stored in."""
        stored = {self.storage(name).element for name in ("A", "B")}
        return next(_ARITHMETIC[one] for one in _COARSEST_FIRST if one in stored)

    @property
    def reads_c(self) -> bool:
        """Whether C is read: it is scaled by beta, or the result is another matrix."""
        return bool(self.beta) or Factor.BETA in self.arguments or "D" in self.arguments

    @property
    def factors_not_given(self) -> tuple[Factor, ...]:
        """alpha and beta where the description gives one a value that no parameter takes: a kernel may have it in its
        code.
        """
        asked = {Factor.ALPHA: self.alpha not in (None, 1.0), Factor.BETA: bool(self.beta)}
        return tuple(factor for factor, is_asked in asked.items() if is_asked and factor not in self.arguments)

    @property
    def start(self) -> InitialC:
        """What C holds when a launch begins."""
        return self.c_begins or (InitialC.RANDOM if self.reads_c else InitialC.UNDEFINED)

    def storage(self, name: str) -> Storage:
        """How A, B, C or D lies in memory."""
        return self.storages[OPERANDS.index(name)]

    def call(self, shape: Shape, names: Mapping[str, int]) -> Call:
        """The call at a size; `names` are M, N, K, parameters and limits.

        Raises:
            ExpressionError: an argument cannot be computed.
        """
        alpha, beta = self.alpha if self.alpha is not None else 1.0, self.beta or 0.0
        known = {**names, **self._leading(shape)}
        arguments = tuple(_argument(text, known, alpha, beta) for text in self.arguments)
        return Call(arguments, self.storages, alpha, beta, self.start)

    def entry(self, entry: str, names: Mapping[str, int]) -> str:
        """The name of the kernel with its template's arguments: "sgemm<64, 64, float>".

        Raises:
            ExpressionError: one of them cannot be computed.
        """
        if not self.template:
            return entry
        return f"{entry}<{', '.join(_template_argument(text, names) for text in self.template)}>"

    def parameters_in_template(self, parameters: set[str]) -> frozenset[str]:
        """The parameters that reach the kernel as arguments of its template, and so not as macros."""
        words = {word for text in self.template for word in re.findall(r"[A-Za-z_]\w*", text)}
        return frozenset(words & parameters)

    def _leading(self, shape: Shape) -> dict[str, int]:
        return {
            word: leading_dimension(name, shape, self.storage(name).layout)
            for word, name in zip(LEADING_DIMENSIONS, OPERANDS, strict=True)
        }


def check_argument(text: str, names: set[str]) -> None:
    """See that an argument of 'args' means something.

    Raises:
        ExpressionError: it does not.
    """
    if text in OPERANDS or text == "null" or text in _FACTORS:
        return
    local = _LOCAL.fullmatch(text)
    check_names(local["bytes"] if local else text, {*names, *LEADING_DIMENSIONS})


def check_template_argument(text: str, names: set[str]) -> None:
    """See that an argument of a template is arithmetic or reads like a type.

    Raises:
        ExpressionError: it is neither.
    """
    try:
        check_names(text, names)
    except ExpressionError as error:
        if not _TYPE.fullmatch(text.strip()):
            raise ExpressionError(f"{error}; nor does it read like a type") from error


def _argument(text: str, names: Mapping[str, int], alpha: float, beta: float) -> CallArgument:
    if text in OPERANDS:
        return MatrixArgument(text)
    if text == "null":
        return NullArgument()
    if (factor := _FACTORS.get(text)) is not None:
        return NumberArgument(alpha if factor is Factor.ALPHA else beta, text, factor)
    if (local := _LOCAL.fullmatch(text)) is not None:
        nbytes = evaluate_whole(local["bytes"], names)
        if nbytes < 1:
            raise ExpressionError(f"{text!r} gives {nbytes} bytes of local memory; a block needs at least 1")
        return LocalArgument(nbytes)
    return NumberArgument(_number(text, names), text)


def _number(text: str, names: Mapping[str, int]) -> int | float:
    value = evaluate(text, names)
    if isinstance(value, bool):
        return int(value)
    if not isinstance(value, int | float):
        raise ExpressionError(f"{text!r} gives {value!r}, not a number")
    return value


def _template_argument(text: str, names: Mapping[str, int]) -> str:
    try:
        check_names(text, set(names))
    except ExpressionError:
        return text.strip()
    value = evaluate(text, names)
    if isinstance(value, bool):
        return str(value).lower()
    return str(evaluate_whole(text, names))
