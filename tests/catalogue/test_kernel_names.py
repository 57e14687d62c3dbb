from gemmviz.catalogue.kernel_names import KernelName, kernel_name
from gemmviz.catalogue.loader import load_catalogue


def test_that_a_kernel_and_its_id_have_one_name() -> None:
    for kernel in load_catalogue().kernels:
        assert kernel_name(kernel) == kernel_name(kernel.id) == KernelName(kernel.id, kernel.title)


def test_that_the_id_comes_first() -> None:
    assert kernel_name("tiled").words == "tiled · Shared-memory tiles"


def test_that_a_kernel_nobody_ships_is_called_by_its_id_alone() -> None:
    assert kernel_name("mine").words == "mine"


def test_that_a_name_shows_what_would_not_be_seen() -> None:
    assert kernel_name("m\x1b").id == "m\\x1b"
