"""The list of versions behind the switcher, made from the headings of CHANGELOG.md.

A release is a heading `## 1.2.3 (day)` there; nothing else has to be kept up to date. The address of the
documentation is known only on Read the Docs (READTHEDOCS_CANONICAL_URL): elsewhere there is no switcher.
"""

import json
import os
import re
from pathlib import Path
from typing import Any

from written import write_if_changed

RELEASE = re.compile(r"^## (\d+\.\d+\.\d+)", re.M)


def address() -> str | None:
    """Return the address above all versions, such as https://host/en, or None if it is not known."""
    canonical = os.environ.get("READTHEDOCS_CANONICAL_URL", "").rstrip("/")
    return canonical.rpartition("/")[0] or None


def entries(changelog: str, base: str) -> list[dict[str, Any]]:
    """Return what pydata-sphinx-theme wants to know of every version, the newest first."""
    listed = [{"name": "dev", "version": "latest", "url": f"{base}/latest/"}]
    for place, number in enumerate(RELEASE.findall(changelog)):
        released = {"name": number, "version": f"v{number}", "url": f"{base}/v{number}/"}
        if place == 0:
            # Old pages warn their readers by a banner that leads here.
            released.update(name=f"{number} (stable)", preferred=True)
        listed.append(released)
    return listed


def theme_options() -> dict[str, Any]:
    """Return the options of the theme that show the switcher, none where no address is known."""
    base = address()
    if base is None:
        return {}
    return {
        # All versions read the newest list.
        "switcher": {
            "json_url": f"{base}/latest/versions.json",
            "version_match": os.environ.get("READTHEDOCS_VERSION", "latest"),
        },
        "check_switcher": False,
        "show_version_warning_banner": True,
        "navbar_end": ["version-switcher", "theme-switcher", "navbar-icon-links"],
    }


def write_versions(app: Any, _: Any) -> None:
    """Write versions.json at the top of the pages."""
    base = address()
    if base is None:
        return
    changelog = (Path(app.srcdir).parent / "CHANGELOG.md").read_text(encoding="utf-8")
    text = json.dumps(entries(changelog, base), indent=1) + "\n"
    write_if_changed(Path(app.srcdir) / "_extra/versions.json", text)


def setup(app: Any) -> dict[str, bool]:
    """Tell Sphinx."""
    app.connect("config-inited", write_versions)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
