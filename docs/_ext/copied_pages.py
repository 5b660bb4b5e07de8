"""Pages that the benchmarks and the experiments write, taken into the documentation as they are.

Figures exist once, in benchmarks/README.md, benchmarks/peers/results/README.md and
experiments/<paper>/results/README.md; the copies under docs/benchmarks and docs/experiments are made at
every build, with the pictures beside them.
"""

import re
import shutil
from pathlib import Path
from typing import Any

from sphinx.errors import ConfigError
from written import write_if_changed

# Sections of benchmarks/README.md about quality; all others are about speed and memory.
QUALITY = ("Quality", "Choice of k")

PERFORMANCE_HEAD = """# Performance

How long it takes, and how much memory. The figures are those of `make bench`.

"""
QUALITY_HEAD = """# Quality

Which function is best, and how often the number of clusters is right. The figures are those of
`make quality` and `make referee`.

"""
NOT_YET = """# {title}

Not measured yet: `{source}` does not exist.
"""
EXPERIMENTS_HEAD = """# Experiments of the papers, run again

Five papers on cluster ensembles printed tables; `make reproduce` runs their experiments with this
library and judges every line by a rule that stands beside the figures: reproduced, partly, or not.
[The headlines](headlines.md) show printed figures beside ours; [line by line](audit.md) has every table,
figure and claim of the papers.

| paper | lines judged | verdict |
| --- | --- | --- |
"""
LINK = re.compile(r"(!?)\[([^\]]*)\]\(([^)\s#]+)(#[^)]*)?\)")


def write_pages(app: Any, config: Any) -> None:
    """Copy what exists; fail if an experiment is missing that should be there."""
    docs = Path(app.srcdir)
    write_benchmarks(docs)
    write_experiments(docs, config.experiment_papers, required=config.experiments_required)


def write_benchmarks(docs: Path) -> None:
    """Divide benchmarks/README.md into two pages, and copy the comparison with other packages."""
    source = docs.parent / "benchmarks" / "README.md"
    first, *rest = re.split(r"^(?=## )", source.read_text(encoding="utf-8"), flags=re.MULTILINE)
    quality = [part for part in rest if part.removeprefix("## ").startswith(QUALITY)]
    speed = [part for part in rest if part not in quality]
    if not quality:
        raise ConfigError(f"{source} has no section that begins with {' or '.join(QUALITY)}.")
    about = first.partition("\n")[2].strip("\n")
    out = docs / "benchmarks"
    body = PERFORMANCE_HEAD + about + "\n\n" + "".join(speed)
    write_if_changed(out / "performance.md", with_links(body, source, out))
    write_if_changed(out / "quality.md", with_links(QUALITY_HEAD + "".join(quality), source, out))
    peers = docs.parent / "benchmarks" / "peers" / "results" / "README.md"
    copy_page(peers, out / "peers.md", "Other packages", docs.parent)


def write_experiments(docs: Path, papers: list[str], *, required: bool) -> None:
    """Copy the page of every paper, and write the index with their verdicts."""
    lines = []
    missing = []
    for key in papers:
        source = docs.parent / "experiments" / key / "results" / "README.md"
        if not source.exists():
            missing.append(f"experiments/{key}/results/README.md")
        copy_page(source, docs / "experiments" / f"{key}.md", key, docs.parent)
        lines.append(verdict_line(key, source))
    if missing and required:
        raise ConfigError(
            f"The documentation needs a page for every paper; missing: {', '.join(missing)}. Run "
            "`make reproduce`, or take the paper out of experiment_papers in docs/conf.py."
        )
    for name, title in (
        ("headlines", "The headlines"),
        ("audit", "The five papers, line by line"),
    ):
        source = docs.parent / "experiments" / f"{name.upper()}.md"
        copy_page(source, docs / "experiments" / f"{name}.md", title, docs.parent)
    toctree = "\n```{toctree}\n:hidden:\n\nheadlines\naudit\n" + "\n".join(papers) + "\n```\n"
    write_if_changed(
        docs / "experiments" / "index.md", EXPERIMENTS_HEAD + "\n".join(lines) + "\n" + toctree
    )


def verdict_line(key: str, source: Path) -> str:
    """Return a row of the index: how many claims there are, and how many hold."""
    if not source.exists():
        return f"| [{key}]({key}.md) {{paper}}`{key}` | | not run yet |"
    verdicts = re.findall(
        r"^\|.*\| \*\*(reproduced|partly|not)\*\* \|", source.read_text("utf-8"), re.MULTILINE
    )
    if not verdicts:
        raise ConfigError(f"{source} states no verdict, `| **reproduced** |` or the like.")
    words = {"reproduced": "reproduced", "partly": "partly reproduced", "not": "not reproduced"}
    said = [f"{verdicts.count(kind)} {words[kind]}" for kind in words if kind in verdicts]
    return (
        f"| [{title_of(source)}]({key}.md) {{paper}}`{key}` | {len(verdicts)} | {', '.join(said)} |"
    )


def title_of(page: Path) -> str:
    """Return the first heading of a page."""
    return page.read_text(encoding="utf-8").partition("\n")[0].removeprefix("# ").strip()


def copy_page(source: Path, target: Path, title: str, root: Path) -> None:
    """Copy a page and its pictures, or write that it is not there yet."""
    if not source.exists():
        note = NOT_YET.format(title=title, source=source.relative_to(root).as_posix())
        write_if_changed(target, note)
        return
    write_if_changed(
        target, with_links(source.read_text(encoding="utf-8"), source, target.parent, target.stem)
    )


def with_links(text: str, source: Path, folder: Path, prefix: str = "") -> str:
    """Copy linked pictures into the folder, and turn links to other files into their names."""

    def replaced(found: re.Match[str]) -> str:
        bang, words, target = found[1], found[2], found[3]
        if re.match(r"[a-z]+:", target):
            return found[0]
        path = (source.parent / target).resolve()
        if not path.exists():
            raise ConfigError(f"{source} links to {target}, which does not exist.")
        if bang:
            name = f"{prefix}_{path.name}" if prefix else path.name
            folder.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(path, folder / name)
            return f"![{words}]({name})"
        return words if words.startswith("`") else f"`{words}`"

    return LINK.sub(replaced, text)


def setup(app: Any) -> dict[str, bool]:
    """Tell Sphinx."""
    app.add_config_value("experiment_papers", [], "env")
    app.add_config_value("experiments_required", default=False, rebuild="env")
    app.connect("config-inited", write_pages)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
