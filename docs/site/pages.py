"""A hook of MkDocs: the pages of the site that are no files in docs/.

These are the README, the changelog and CONTRIBUTING.md, which lie above docs/, and the reference: a page for each
package of PACKAGES, made from its docstrings.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from mkdocs.config.defaults import MkDocsConfig
from mkdocs.structure.files import File, Files
from mkdocs.structure.pages import Page

ROOT = Path(__file__).parents[2]
ABOVE = {"README.md": "start.md", "CHANGELOG.md": "CHANGELOG.md", "CONTRIBUTING.md": "CONTRIBUTING.md"}
"""Pages above docs/, and what the site calls them."""
PACKAGES = (
    "gemmviz.catalogue",
    "gemmviz.backends",
    "gemmviz.domain",
    "gemmviz.domain.kernels",
    "gemmviz.domain.recordings",
    "gemmviz.domain.runs",
    "gemmviz.domain.session",
    "gemmviz.trace.model",
    "gemmviz.trace.hazards",
    "gemmviz.machine",
)
_LINK = re.compile(r"\]\((?![a-z]+:)(?P<path>[^)#]+)")


def on_config(config: MkDocsConfig) -> MkDocsConfig:
    """Add the pages of the reference to the navigation."""
    reference = next(section["Reference"] for section in config.nav or [] if "Reference" in section)
    reference.append({"Docstrings": [{package: _page(package)} for package in PACKAGES]})
    return config


def on_files(files: Files, config: MkDocsConfig) -> Files:
    """Add the pages that are no files in docs/."""
    for name, page in ABOVE.items():
        text = _LINK.sub(_below, (ROOT / name).read_text(encoding="utf-8"))
        files.append(File.generated(config, page, content=text))
    for package in PACKAGES:
        files.append(File.generated(config, _page(package), content="\n".join(_reference(package))))
    return files


def on_page_markdown(markdown: str, page: Page, **_: Any) -> str:
    """Let links to pages above docs/ lead to the site's."""
    up = "../" * page.file.src_uri.count("/")
    for name, to in ABOVE.items():
        markdown = markdown.replace(f"]({up}../{name}", f"]({up}{to}")
    return markdown


def _below(link: re.Match[str]) -> str:
    """A link of a page above docs/, as it is from within docs/."""
    path = link["path"]
    return f"]({ABOVE.get(path, path.removeprefix('docs/'))}"


def _page(package: str) -> str:
    return f"reference/{package.removeprefix('gemmviz.')}.md"


def _reference(package: str) -> Iterator[str]:
    """The page of a package: the modules of its folder."""
    folder = ROOT.joinpath(*package.split("."))
    yield f"# `{package}`\n"
    yield from (f"::: {package}.{path.stem}\n" for path in sorted(folder.glob("*.py")) if path.stem != "__init__")
