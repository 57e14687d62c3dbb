"""Where the program keeps what must outlive a process and is no setting: recovery data, marks of what it started."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

import platformdirs

FOLDER_VARIABLE = "GEMMVIZ_STATE_DIR"


def state_folder(environment: Mapping[str, str]) -> Path:
    """GEMMVIZ_STATE_DIR, else the platform's place for a user's state. The folder need not exist."""
    given = environment.get(FOLDER_VARIABLE, "")
    return Path(given) if given else Path(platformdirs.user_state_dir("gemmviz", appauthor=False))
