"""What a kernel is given is held against the types of its parameters before anything runs."""

from __future__ import annotations

from dataclasses import replace

import pytest
from usual_calls import usual_call

from gemmviz.domain.kernels import parameter_types as types
from gemmviz.domain.kernels.call import (
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
from gemmviz.domain.kernels.call_types import CallTypeError, fitted
from gemmviz.domain.kernels.parameter_types import ParameterType, Signature
from gemmviz.domain.shape import Shape
from gemmviz.domain.terms import Element, Layout

SHAPE = Shape(33, 17, 5)
IN, OUT, INT = ParameterType(types.FLOAT, 1, True), ParameterType(types.FLOAT, 1), ParameterType(types.INT)
USUAL: Signature = (IN, IN, OUT, INT, INT, INT)


def with_first(argument: CallArgument, parameter: ParameterType) -> tuple[Call, Signature]:
    """The usual call and signature with one argument and its parameter in front."""
    call = usual_call(SHAPE)
    return replace(call, arguments=(argument, *call.arguments)), (parameter, *USUAL)


def test_that_the_usual_call_fits_the_usual_signature() -> None:
    assert fitted(usual_call(SHAPE), USUAL, "k") == usual_call(SHAPE)


def test_that_a_pointer_to_anything_may_point_to_a_matrix() -> None:
    anything = ParameterType(types.VOID, 1)
    assert fitted(usual_call(SHAPE), (anything, anything, anything, INT, INT, INT), "k").matrices == ("A", "B", "C")


def test_that_vectors_hold_elements_of_their_components() -> None:
    vectors = ParameterType(types.other_type("float4"), 1, True)
    assert fitted(usual_call(SHAPE), (vectors, IN, OUT, INT, INT, INT), "k")


@pytest.mark.parametrize(
    ("place", "parameter", "words"),
    [
        (
            0,
            ParameterType(types.DOUBLE, 1, True),
            r"parameter 1 of k, `const double \*`, points to double, but the elements of A are float32: say type = "
            r'"double" in \[operands.A\]',
        ),
        (1, ParameterType(types.HALF, 1), r'say type = "half" in \[operands.B\]'),
        (0, INT, "parameter 1 of k, `int`, is no pointer, but 'args' gives it the matrix A"),
        (0, ParameterType(types.INT, 1), "points to something else than the elements of a matrix"),
        (0, ParameterType(types.FLOAT, 2), "points to something else"),
        (2, IN, "points to what it may not change, but 'args' gives it C, the result"),
        (3, OUT, r"parameter 4 of k, `float \*`, is a pointer, but 'args' gives it M = 33"),
        *(
            (
                0,
                ParameterType(types.other_type(name)),
                f"parameter 1 of k, `{name}`: images, samplers, pipes and queues",
            )
            for name in ("image2d_t", "image1d_buffer_t", "sampler_t")
        ),
        (3, ParameterType(types.other_type("dim3")), "is of a type that gemmviz gives no values of"),
    ],
)
def test_that_what_does_not_fit_is_named(place: int, parameter: ParameterType, words: str) -> None:
    signature = list(USUAL)
    signature[place] = parameter
    with pytest.raises(CallTypeError, match=words):
        fitted(usual_call(SHAPE), tuple(signature), "k")


def test_that_the_number_of_arguments_is_compared() -> None:
    with pytest.raises(CallTypeError, match=r"k takes 2 parameters \(const float \*, int\), but 'args' gives it 6"):
        fitted(usual_call(SHAPE), (IN, INT), "k")


@pytest.mark.parametrize(
    ("value", "scalar", "held"),
    [
        (1, types.FLOAT, 1.0),
        (0.1, types.FLOAT, 0.10000000149011612),
        (0.1, types.DOUBLE, 0.1),
        (0.1, types.HALF, 0.0999755859375),
        (0.1, types.BFLOAT16, 0.10009765625),
        (7, types.UNSIGNED_LONG, 7),
        (-1, types.LONG_LONG, -1),
        (1, types.BOOL, 1),
    ],
)
def test_that_a_number_becomes_what_its_parameter_holds(value: float, scalar: types.ScalarType, held: float) -> None:
    call = fitted(*with_first(NumberArgument(value, "x"), ParameterType(scalar)), "k")
    assert call.arguments[0] == NumberArgument(held, "x")
    assert type(call.arguments[0].value) is type(held)


@pytest.mark.parametrize(
    ("value", "scalar", "words"),
    [
        (1.0, types.INT, "is a whole number, but 'args' gives it x = 1.0"),
        (2**31, types.INT, "holds -2147483648 to 2147483647, but 'args' gives it x = 2147483648: correct 'args'"),
        (-1, types.UNSIGNED, "holds 0 to 4294967295"),
        (2, types.BOOL, "holds 0 to 1"),
        (1e30, types.HALF, "it is too large"),
        (1e39, types.FLOAT, "it is too large"),
    ],
)
def test_that_a_number_that_does_not_fit_is_refused(value: float, scalar: types.ScalarType, words: str) -> None:
    with pytest.raises(CallTypeError, match=words):
        fitted(*with_first(NumberArgument(value, "x"), ParameterType(scalar)), "k")


def test_that_alpha_and_beta_are_what_the_kernel_is_given() -> None:
    call, signature = with_first(NumberArgument(0.1, "alpha", Factor.ALPHA), ParameterType(types.HALF))
    given = fitted(replace(call, alpha=0.1, beta=0.25), signature, "k")
    assert (given.alpha, given.beta) == (0.0999755859375, 0.25)


@pytest.mark.parametrize("argument", [NullArgument(), LocalArgument(64)])
def test_that_nothing_and_local_memory_go_to_pointers_only(argument: CallArgument) -> None:
    assert fitted(*with_first(argument, OUT), "k").arguments[0] == argument
    with pytest.raises(CallTypeError, match="is no pointer"):
        fitted(*with_first(argument, INT), "k")


def test_that_a_call_says_what_it_computes() -> None:
    call = usual_call(SHAPE)
    assert call.formula == "C = A·B"
    to_d = replace(call, arguments=(*call.arguments, MatrixArgument("D")), alpha=1.5, beta=1.0)
    assert (to_d.formula, to_d.result, to_d.matrices) == ("D = 1.5·A·B + C", "D", ("A", "B", "C", "D"))


def test_that_a_leading_dimension_follows_from_the_layout() -> None:
    assert [leading_dimension(name, SHAPE, Layout.ROW) for name in "ABCD"] == [5, 17, 17, 17]
    assert [leading_dimension(name, SHAPE, Layout.COLUMN) for name in "ABCD"] == [33, 5, 33, 33]


def test_that_a_parameter_says_its_type_as_cpp_does() -> None:
    assert [one.words for one in (IN, INT, ParameterType(types.HALF, 2))] == ["const float *", "int", "half **"]
    assert types.other_type("half2").element is Element.HALF
    assert Storage().element is Element.FLOAT32
