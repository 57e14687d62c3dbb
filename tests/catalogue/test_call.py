"""How a kernel is called, as its header says: arguments, templates, matrices, alpha and beta."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from gemmviz.catalogue.header import HeaderError
from gemmviz.catalogue.kernel import Kernel, Plan, Refusal
from gemmviz.catalogue.launch.call_rule import CallRule
from gemmviz.domain.device import CUDA, Device
from gemmviz.domain.kernels.call import Factor, LocalArgument, MatrixArgument, NullArgument, NumberArgument, Storage
from gemmviz.domain.shape import Shape
from gemmviz.domain.terms import Arithmetic, Element, InitialC, Layout
from tests.catalogue.conftest import SMALL

MakeKernel = Callable[..., Kernel]
SHAPE = Shape(33, 17, 5)
BLAS = 'args = ["M", "N", "K", "alpha", "A", "lda", "B", "ldb", "beta", "C", "ldc"]\n'


def plan_of(kernel: Kernel, **params: int) -> Plan:
    device = Device(**{name: getattr(SMALL, name) for name in SMALL.__slots__} | {"capabilities": (CUDA,)})
    return kernel.plan(SHAPE, kernel.params(params), device)


def described(make_kernel: MakeKernel, words: str) -> Kernel:
    return make_kernel("[params.TILE]", f"{words}\n[params.TILE]")


def test_that_a_kernel_takes_a_b_c_m_n_k_if_its_header_says_nothing(make_kernel: MakeKernel) -> None:
    kernel = make_kernel()
    call = plan_of(kernel).call
    assert call.arguments == (
        MatrixArgument("A"),
        MatrixArgument("B"),
        MatrixArgument("C"),
        NumberArgument(33, "M"),
        NumberArgument(17, "N"),
        NumberArgument(5, "K"),
    )
    assert (call.formula, call.c_begins, kernel.requires) == ("C = A·B", InitialC.UNDEFINED, ())


def test_that_arguments_are_matrices_and_numbers_in_the_order_of_the_header(make_kernel: MakeKernel) -> None:
    words = 'args = ["null", "2 * K + TILE", "1.0", "A", 3, "B", 0.5, "C"]'
    found = plan_of(described(make_kernel, words), TILE=2).call.arguments
    assert found[:3] == (NullArgument(), NumberArgument(12, "2 * K + TILE"), NumberArgument(1.0, "1.0"))
    assert found[3:] == (
        MatrixArgument("A"),
        NumberArgument(3, "3"),
        MatrixArgument("B"),
        NumberArgument(0.5, "0.5"),
        MatrixArgument("C"),
    )


def test_that_local_memory_is_computed_for_opencl_c_and_refused_for_cuda_c(make_kernel: MakeKernel) -> None:
    words = 'args = ["A", "B", "C", "local(4 * TILE)"]'
    with pytest.raises(HeaderError, match=r"mine\.cu:\d+: local\(BYTES\) is for `__local` parameters of OpenCL C; .*"):
        described(make_kernel, words)
    rule = CallRule(("A", "B", "C", "local(4 * TILE)"))
    assert rule.call(SHAPE, {"TILE": 2}).arguments[3] == LocalArgument(8)
    assert rule.call(SHAPE, {"TILE": 2}).local_bytes == {4: 8}


def test_that_leading_dimensions_follow_the_layout(make_kernel: MakeKernel) -> None:
    kernel = described(make_kernel, f'{BLAS}[operands.B]\nlayout = "column"')
    numbers = [one for one in plan_of(kernel).call.arguments if isinstance(one, NumberArgument)]
    assert [(one.text, one.value) for one in numbers if one.text.startswith("ld")] == [
        ("lda", 5),
        ("ldb", 5),
        ("ldc", 17),
    ]
    assert kernel.call.storage("B") == Storage(Element.FLOAT32, Layout.COLUMN)


def test_that_alpha_and_beta_have_the_values_of_the_header(make_kernel: MakeKernel) -> None:
    call = plan_of(described(make_kernel, f"alpha = 1.5\nbeta = 0.5\n{BLAS}")).call
    factors = [one for one in call.arguments if isinstance(one, NumberArgument) and one.factor is not None]
    assert factors == [NumberArgument(1.5, "alpha", Factor.ALPHA), NumberArgument(0.5, "beta", Factor.BETA)]
    assert (call.formula, call.c_begins) == ("C = 1.5·A·B + 0.5·C", InitialC.RANDOM)


def test_that_c_is_random_where_it_is_read_and_else_undefined(make_kernel: MakeKernel) -> None:
    assert plan_of(described(make_kernel, BLAS)).call.c_begins is InitialC.RANDOM
    assert plan_of(described(make_kernel, f'{BLAS}[operands.C]\nstart = "zero"')).call.c_begins is InitialC.ZERO
    zeros = described(make_kernel, 'args = ["A", "B", "0.0", "C"]')
    assert plan_of(zeros).call.c_begins is InitialC.UNDEFINED


def test_that_a_template_takes_numbers_and_types(make_kernel: MakeKernel) -> None:
    words = 'template = ["TILE", "2 * TILE", "float", "TILE > 2", "mine::policy<4>", "const unsigned int *"]'
    kernel = described(make_kernel, words)
    assert plan_of(kernel, TILE=4).entry == "sgemm<4, 8, float, true, mine::policy<4>, const unsigned int *>"
    assert plan_of(kernel, TILE=2).entry.startswith("sgemm<2, 4, float, false,")


def test_that_a_parameter_of_a_template_is_no_macro(make_kernel: MakeKernel) -> None:
    assert plan_of(described(make_kernel, 'template = ["float"]')).defines == (("TILE", 4),)
    assert plan_of(described(make_kernel, 'template = ["TILE"]')).defines == ()


@pytest.mark.parametrize(
    ("types", "arithmetic"),
    [
        ({}, Arithmetic.FP32),
        ({"A": "half", "B": "half"}, Arithmetic.FP16),
        ({"A": "bf16", "B": "half"}, Arithmetic.BF16),
        ({"A": "double", "B": "double", "C": "double"}, Arithmetic.FP64),
        ({"C": "half"}, Arithmetic.FP32),
    ],
)
def test_that_the_arithmetic_follows_the_types_of_the_operands(
    make_kernel: MakeKernel, types: dict[str, str], arithmetic: Arithmetic
) -> None:
    words = "\n".join(f'[operands.{name}]\ntype = "{word}"' for name, word in types.items())
    assert described(make_kernel, words).arithmetic is arithmetic
    if types:
        assert described(make_kernel, f'arithmetic = "tf32"\n{words}').arithmetic is Arithmetic.TF32


def test_that_d_is_stored_as_c_if_nothing_else_is_said(make_kernel: MakeKernel) -> None:
    words = 'args = ["A", "B", "C", "D"]\n[operands.C]\ntype = "half"\nlayout = "column"'
    call = plan_of(described(make_kernel, words)).call
    assert call.storage("D") == Storage(Element.HALF, Layout.COLUMN)
    assert (call.result, call.c_begins) == ("D", InitialC.RANDOM)


@pytest.mark.parametrize("words", ['args = ["A", "B", "C"]', 'template = ["float"]', '[operands.A]\ntype = "half"'])
def test_that_such_kernels_run_by_cuda_alone(make_kernel: MakeKernel, words: str) -> None:
    kernel = described(make_kernel, words)
    assert kernel.requires == (CUDA,)
    with pytest.raises(Refusal, match=r"it\w* [^'()]*, which gemmviz does not translate to OpenCL C"):
        kernel.plan(SHAPE, kernel.params({}), SMALL)


@pytest.mark.parametrize(
    ("words", "fault"),
    [
        ('args = ["A", "B"]', "'args' gives the result, C or D, to no parameter"),
        ('args = ["A", "C"]', "'args' gives B to no parameter"),
        ('args = "A"', "'args' must be a list of texts or numbers"),
        ('args = ["A", "B", "C", true]', "'args' must be a list of texts or numbers"),
        ('args = ["A", "B", "C", "P"]', "there is no 'P'; known are"),
        ('args = ["A", "B", "C", "open(M)"]', "calls something other than"),
        ('args = ["A", "B", "C", "local(P)"]', "there is no 'P'"),
        (f"args = {['A', 'B', 'C'] * 30}", "'args' has 90 parts: at most 64 are read"),
        ('template = ["1; }"]', "nor does it read like a type"),
        ('template = ["float>()"]', "nor does it read like a type"),
        ('alpha = "1.5"', "'alpha' must be a number"),
        ("beta = inf", "'beta' must be a number up to 1e\\+06, not inf"),
        ('beta = 0.5\nargs = ["A", "B", "D"]', "beta scales C, but 'args' gives C to no parameter"),
        ("[operands.E]", "a matrix is a table"),
        ("[operands.D]", "'args' gives D to no parameter"),
        ('[operands.A]\nstart = "zero"', "unknown key 'start' in"),
        ('[operands.A]\nlayout = "diagonal"', "'operands.A.layout' is one of row, column, not 'diagonal'"),
        ('[operands.B]\ntype = "int8"', "unknown type 'int8': one of float32, half, bf16, double"),
        (f'{BLAS}[operands.C]\nstart = "undefined"', 'C is read, so it begins as "zero" or "random"'),
        ('c_begins = "zero"\n[operands.C]\nstart = "zero"', "say the same; keep one"),
        ('operands = "half"', r"write \[operands.A\] and \[operands.B\]"),
    ],
)
def test_that_what_is_wrong_is_named(make_kernel: MakeKernel, words: str, fault: str) -> None:
    with pytest.raises(HeaderError, match=fault):
        described(make_kernel, words)


def test_that_a_parameter_cannot_be_called_like_a_matrix(make_kernel: MakeKernel) -> None:
    with pytest.raises(HeaderError, match="a parameter cannot be called A"):
        make_kernel("[params.TILE]", 'args = ["A", "B", "C"]\n[params.A]\nchoices = [1]\n[params.TILE]')


def test_that_a_launch_that_cannot_be_computed_is_refused(make_kernel: MakeKernel) -> None:
    with pytest.raises(Refusal, match="no launch geometry for 33x17x5"):
        plan_of(described(make_kernel, 'args = ["A", "B", "C", "M // (TILE - 4)"]'), TILE=4)
