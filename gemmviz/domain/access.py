"""What a memory access is: its kind, its space, the place in the source it comes from."""

from __future__ import annotations

from enum import Enum, StrEnum


class Space(Enum):
    """The memory a variable lives in or a pointer points to."""

    GLOBAL = "global"
    SHARED = "shared"
    PRIVATE = "private"


class AccessKind(StrEnum):
    """What an access does; a compound assignment is a load and a store."""

    LOAD = "load"
    STORE = "store"
