"""What mkdocs is told beside mkdocs.yml: folders in the navigation, and a search that works from a disk."""
import json
from pathlib import Path


def expand(entry, pages):
    """A name that ends in / stands for the pages of the folder; one that ends in */ for those of its folders."""
    if isinstance(entry, dict):
        return [{title: [e for item in value for e in expand(item, pages)] if isinstance(value, list) else value}
                for title, value in entry.items()]
    if not entry.endswith("/"):
        return [entry]
    if entry.endswith("*/"):
        return sorted(path.relative_to(pages).as_posix() for path in pages.glob(f"{entry}index.md"))
    index = [entry + "index.md"] if entry != "api/" else []
    return index + sorted(f"{entry}{path.name}" for path in (pages / entry).glob("*.md") if path.name != "index.md")


def on_config(config):
    pages = Path(config["docs_dir"])
    nav = [e for entry in config["nav"] for e in expand(entry, pages)]
    config["nav"] = nav
    return config


def on_post_build(config):
    """From a disk a page may neither fetch the index of the search nor start its worker: it has both as a script."""
    out = Path(config["site_dir"])
    index = (out / "search/search_index.json").read_text(encoding="utf-8")
    worker = next((out / "assets/javascripts/workers").glob("search.*.js")).read_text(encoding="utf-8")
    (out / "search/offline.js").write_text(
        f"var __search = {{index: Promise.resolve({index}), "
        f"worker: URL.createObjectURL(new Blob([{json.dumps(worker)}]))}};\n",
        encoding="utf-8")
