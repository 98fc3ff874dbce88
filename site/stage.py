"""stage.py ROOT OUT: the pages that mkdocs reads, in the folders of the tree: those that are there (docs/**/*.md and
the pages of the root), and those that are made: the man page, the list of papers, a page for each example. Links
between pages stay as they are. A link to a file that is no page leads to a copy of the file."""
import json
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

ROOT, OUT = Path(sys.argv[1]), Path(sys.argv[2])
LINK = re.compile(r"\]\(([^)#\s]+)((?:#[^)\s]*)?)\)")
FENCE = re.compile(r"^```(\w+) (.+)$")
EDITOR = {"pram": "text", "h": "c"}


def write(path, text):
    (OUT / path).parent.mkdir(parents=True, exist_ok=True)
    (OUT / path).write_text(text, encoding="utf-8")


def title_fence(line):
    """```c own.c is a block of language c with the title own.c; a session with a debugger is text."""
    match = FENCE.match(line)
    if not match:
        return line
    language = "text" if match[1] == "session" else match[1]
    return f'```{language} title="{match[2]}"'


def page_for(target):
    """The page of a file of the tree; None: it has none."""
    if target.suffix == ".md":
        return target.with_name("index.md") if target.name == "README.md" else target
    if target.parent.name == "examples" and target.suffix in (".c", ".pram"):
        return target.with_name(target.name + ".md")
    if target.parent == Path("include/netpram"):
        return Path("api") / (target.name + ".md")
    if target == Path("docs/netpram.1"):
        return Path("docs/command.md")
    if target == Path("docs/references.bib"):
        return Path("docs/references.md")
    if target in (Path("examples"), Path("examples/course"), Path("include/netpram")):
        return Path("api/index.md") if target.name == "netpram" else target / "index.md"
    return None


def copy(target):
    """A file as it is; texts get a name by which browsers show them."""
    goal = target if target.suffix in (".svg", ".png", ".html") else target.with_name(target.name + ".txt")
    (OUT / goal).parent.mkdir(parents=True, exist_ok=True)
    shutil.copyfile(ROOT / target, OUT / goal)
    return goal


def folder(target):
    """A page that lists the files of a folder."""
    names = [copy(path.relative_to(ROOT)).name for path in sorted((ROOT / target).iterdir()) if path.is_file()]
    links = "\n".join(f"- [{name.removesuffix('.txt')}]({name})" for name in names)
    write(target / "index.md", f"# {target}\n\n" + links + "\n")
    return target / "index.md"


def redirect(page, to, match):
    """The link of a page of the tree, as the staged page `to` has it."""
    if re.match(r"[a-z]+:", match[1]):
        return match[0]
    target = (ROOT / page).parent.joinpath(match[1]).resolve().relative_to(ROOT.resolve())
    goal = page_for(target)
    if goal is None and (ROOT / target).is_dir():
        goal = folder(target)
    elif goal is None:
        if not (ROOT / target).is_file():
            sys.exit(f"{page}: no page and no file for the link to {match[1]}")
        goal = copy(target)
    up = Path(*[".."] * len(to.parent.parts))
    return f"]({(up / goal).as_posix()}{match[2]})"


def stage(page, to=None):
    lines, fenced = [], False
    for line in (ROOT / page).read_text(encoding="utf-8").split("\n"):
        if line.startswith("```"):
            line = line if fenced else title_fence(line)
            fenced = not fenced
        elif not fenced and not line.startswith("    "):
            line = LINK.sub(lambda match: redirect(page, to or page, match), line)
        lines.append(line)
    heading = next((line[2:] for line in lines if line.startswith("# ")), "")
    if "`" in heading: # the navigation shows plain text
        lines[:0] = ["---", f"title: '{heading.replace('`', '')}'", "---"]
    write(to or page, "\n".join(lines))


def manual():
    text = subprocess.run(["mandoc", "-T", "markdown", ROOT / "docs/netpram.1"], check=True, capture_output=True,
                          text=True).stdout
    body = text.split("\n", 1)[1].rsplit("\n", 2)[0]
    body = re.sub(r"^(#+) (.+)$", lambda m: f"#{m[1]} {m[2].capitalize() if m[2].isupper() else m[2]}", body,
                  flags=re.M)
    write("docs/command.md", "# The command: manual\n\nThis is the page that `man netpram` shows.\n" + body)


def papers():
    entry = re.compile(r"@\w+\{(\w+),\n(.*?)\n\}", re.S)
    field = re.compile(r"(\w+)\s*=\s*\{(.*?)\}(?=,?\n|$)", re.S)
    items = []
    for key, body in entry.findall((ROOT / "docs/references.bib").read_text(encoding="utf-8")):
        have = {k: re.sub(r"[{}]|\\", "", re.sub(r"\s+", " ", v)).replace("--", "–") for k, v in field.findall(body)}
        where = have.get("journal") or have.get("booktitle") or have.get("institution") or have.get("publisher") or ""
        parts = [have.get("author", have.get("editor", "")), f"*{have.get('title', '')}*", where,
                 " ".join(filter(None, [have.get("volume"), have.get("number")])), have.get("pages", ""),
                 have.get("year", "")]
        line = ". ".join(part for part in parts if part)
        if "doi" in have:
            line += f". [doi:{have['doi']}](https://doi.org/{have['doi']})"
        items.append((have.get("author", ""), have.get("year", ""), f'- <a id="{key}"></a>{line}'))
    write("docs/references.md", "# Papers\n\nThe papers that pages and code cite.\n\n" +
          "\n".join(item[2] for item in sorted(items)) + "\n")


def examples():
    told = dict(re.findall(r"^\| \[([\w.]+)\]\([\w.]+\) \| (.+) \|$",
                           (ROOT / "examples/README.md").read_text(encoding="utf-8"), re.M))
    rows = []
    for path in sorted([*(ROOT / "examples").glob("*.c"), *(ROOT / "examples").glob("*.pram")]):
        what = told.get(path.name, "a PRAM program as text" if path.suffix == ".pram" else "")
        rows.append(f"| [{path.name}]({path.name}.md) | {what} |")
        language = EDITOR.get(path.suffix[1:], path.suffix[1:])
        write(f"examples/{path.name}.md",
              f"# {path.name}\n\n{what[:1].upper() + what[1:]}.\n\n"
              f"````{language}\n{path.read_text(encoding='utf-8')}````\n")
    write("examples/index.md", "# Examples\n\nEach program shows one thing. The tests compile and run all of them.\n\n"
          "| example | what it shows |\n|---|---|\n" + "\n".join(rows) + "\n")


def course():
    """The course: its texts, and below each what examples/course/build makes of its programs."""
    stage(Path("examples/course/README.md"), Path("examples/course/index.md"))
    netpram = Path(os.environ.get("NETPRAM", ROOT / "build/netpram")).resolve()
    subprocess.run([ROOT / "examples/course/build", netpram, OUT / "examples/course"], check=True)
    links = OUT / "examples/course/links.json"
    weeks = json.loads(links.read_text(encoding="utf-8"))
    links.unlink()
    for name, week in weeks.items():
        page = Path("examples/course") / name
        stage(page / "README.md", page / "index.md")
        with (OUT / page / "index.md").open("a", encoding="utf-8") as file:
            file.write(below(page, week))


def below(page, week):
    """What stands below the text of a week."""
    parts = ["", "## See it run", ""]
    for name, title in (("solution", "The solution"), ("wrong", f"The wrong solution (`{week['says']}`)")):
        program = page / f"{name}.pram"
        if (ROOT / "web/dist/index.html").is_file():
            place = f"../../../playground/index.html{week[name]}"
            parts += [f"[{title.split(' (')[0]} in the page]({place}){{ .md-button }}", ""]
        parts += [f"{title}:", "", f"![Accesses of {name}.pram, step by step]({name}.svg)", "",
                  f'```text title="{name}.pram"', (ROOT / program).read_text(encoding="utf-8").rstrip(), "```", ""]
    task = (ROOT / page / "task.toml").read_text(encoding="utf-8").rstrip()
    python = "[netpram from Python](../../../docs/python.md)"
    parts += [f"[The notebook of this week](notebook.ipynb) runs both with {python}.", "",
              "## The task, as it is graded", "", '```toml title="task.toml"', task, "```", ""]
    return "\n".join(parts)


def playground():
    """The page that runs netpram in the browser, if it was built (web/dist), and a button to it."""
    if (ROOT / "web/dist/index.html").is_file():
        shutil.copytree(ROOT / "web/dist", OUT / "playground")
        home = (OUT / "index.md").read_text(encoding="utf-8")
        button = "[Play in the browser](playground/index.html){ .md-button .md-button--primary } "
        write("index.md", home.replace("[Install it]", button + "[Install it]", 1))


def main():
    for page in [*sorted(ROOT.glob("*.md")), *sorted((ROOT / "docs").rglob("*.md"))]:
        if page.name != "README.md":
            stage(page.relative_to(ROOT))
    stage(Path("site/index.md"), Path("index.md"))
    playground()
    examples()
    course()
    manual()
    papers()
    shutil.copytree(ROOT / "site/assets", OUT / "assets")


main()
