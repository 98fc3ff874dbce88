"""api.py XML INCLUDE OUT: pages of the C library, one for each public header, of what Doxygen has read."""
import re
import sys
import xml.etree.ElementTree as ElementTree
from pathlib import Path

XML, INCLUDE, OUT = (Path(argument) for argument in sys.argv[1:4])
SECTIONS = [("typedef", "Types"), ("enum", "Types"), ("define", "Macros"), ("var", "Tables"), ("func", "Functions")]


def parse(name):
    return ElementTree.parse(XML / f"{name}.xml").getroot().find("compounddef")


index = ElementTree.parse(XML / "index.xml").getroot()
structs = {c.find("name").text: parse(c.get("refid")) for c in index.findall("compound")
           if c.get("kind") in ("struct", "union")}
files = {c.find("name").text: parse(c.get("refid")) for c in index.findall("compound") if c.get("kind") == "file"}
home = {}  # a name: its page and its place there


def plain(e):
    return re.sub(r"\s+", " ", "".join(e.itertext())).strip() if e is not None else ""


def escape(text):
    return re.sub(r"([\\`*_\[\]<>|#])", r"\\\1", text)


def link(name, page):
    where, place = home[name]
    return f"[`{name}`]({'' if where == page else where}#{place})"


def named(text, page):
    """Plain text; names of the library become links."""
    out, at = [], 0
    for match in re.finditer(r"\b(?:np|NP)_\w+(?:\(\))?", text):
        name = match[0].removesuffix("()")
        out += [escape(text[at:match.start()]), link(name, page) if name in home else f"`{match[0]}`"]
        at = match.end()
    return "".join(out) + escape(text[at:])


def inline(e, page):
    parts = [named(e.text or "", page)]
    for child in e:
        if child.tag == "computeroutput":
            parts.append(f"`{plain(child)}`")
        elif child.tag == "emphasis":
            parts.append(f"*{escape(plain(child))}*")
        elif child.tag == "parameterlist" or (child.tag == "simplesect" and child.get("kind") == "return"):
            pass  # shown below
        elif child.tag in ("itemizedlist", "orderedlist"):
            items = "\n".join("- " + inline(item.find("para"), page) for item in child.findall("listitem"))
            parts.append("\n\n" + items + "\n\n")
        elif child.tag in ("verbatim", "preformatted", "programlisting"):
            lines = child.findall("codeline")
            code = "\n".join(code_of(line) for line in lines) if lines else "".join(child.itertext()).strip("\n")
            parts.append(f"\n\n```c\n{code}\n```\n\n")
        elif child.tag in ("ndash", "mdash"):
            parts.append("–")
        else:
            parts.append(inline(child, page))
        parts.append(named(child.tail or "", page))
    return "".join(parts)


def code_of(e):
    text = e.text or ""
    for child in e:
        text += (" " if child.tag == "sp" else code_of(child)) + (child.tail or "")
    return text


def tidy(text):
    """Spaces as in a sentence, but not in blocks of code."""
    blocks = re.split(r"(```c\n.*?\n```)", text, flags=re.S)
    return "".join(
        b if b.startswith("```") else re.sub(r" *\n *", "\n", re.sub(r"[ \t]+", " ", b)) for b in blocks).strip()


def paragraphs(e, page):
    out = []
    for tag in ("briefdescription", "detaileddescription", "inbodydescription"):
        part = e.find(tag)
        if part is None:
            continue
        for child in part:
            if child.tag in ("para", "sect1"):
                text = tidy(inline(child, page))
                if text:
                    out.append(text)
    return "\n\n".join(out)


def cell(e, page):
    return re.sub(r"\s*\n\s*", " ", paragraphs(e, page)).replace("|", "\\|").replace("\\\\|", "\\|")


def parameters(e, page):
    out = []
    for item in e.iter("parameteritem"):
        names = ", ".join(f"`{plain(n)}`" for n in item.iter("parametername"))
        out.append(f"- {names}: {re.sub(chr(10), ' ', tidy(inline(item.find('parameterdescription'), page)))}")
    for section in e.iter("simplesect"):
        if section.get("kind") == "return":
            out.append(f"- returns {re.sub(chr(10), ' ', tidy(inline(section, page)))}")
    return "\n".join(out)


def heading(name):
    return f"### {name} {{#{name}}}\n"


def function(e, page):
    arguments = plain(e.find("argsstring"))
    text = f"{plain(e.find('type'))} {e.find('name').text}{arguments}".replace("* ", "*")
    if len(text) > 90:
        text = text.replace("(", "(\n    ", 1).replace(", ", ",\n    ")
    return "\n".join([heading(e.find("name").text), f"```c\n{text};\n```\n", paragraphs(e, page), "",
                      parameters(e, page), ""])


def variable(e, page):
    return "\n".join([heading(e.find("name").text), f"```c\n{plain(e.find('definition'))};\n```\n",
                      paragraphs(e, page), ""])


def define(e, page):
    initial = plain(e.find("initializer"))
    shown = f"#define {e.find('name').text}" + (f" {initial}" if initial and len(initial) < 100 else "")
    return "\n".join([heading(e.find("name").text), f"```c\n{shown}\n```\n", paragraphs(e, page), ""])


def enum(e, page):
    name = e.find("name").text
    values = e.findall("enumvalue")
    top = heading(name) if name and not name.startswith("@") else heading(values[0].find("name").text)
    rows = [f"| `{v.find('name').text}` | {escape(plain(v.find('initializer')).lstrip('= '))} | {cell(v, page)} |"
            for v in values]
    return "\n".join([top, paragraphs(e, page), "", "| constant | value | |", "|---|---|---|", *rows, ""])


def struct(name, page):
    e = structs[name]
    rows = []
    for member in e.iter("memberdef"):
        kind = plain(member.find("type")) + plain(member.find("argsstring"))
        rows.append(f"| `{member.find('name').text}` | `{kind}` | {cell(member, page)} |")
    table = ["| member | type | |", "|---|---|---|", *rows] if rows else []
    return "\n".join([heading(name), f"`{e.get('kind')}`\n", paragraphs(e, page), "", *table, ""])


def typedef(e, page):
    name = e.find("name").text
    if name in structs:
        return struct(name, page)
    return "\n".join([heading(name), f"```c\n{plain(e.find('definition'))}{plain(e.find('argsstring'))};\n```\n",
                      paragraphs(e, page), ""])


SHOW = {"typedef": typedef, "enum": enum, "define": define, "var": variable, "func": function}
KIND = {"typedef": "typedef", "enum": "enum", "define": "define", "variable": "var", "function": "func"}


def members(file):
    """The definitions of a header in the order of its lines. A typedef of an enumeration is that."""
    defs = [m for m in file.iter("memberdef")
            if m.find("location").get("file").endswith(file.find("compoundname").text)]
    enums = {m.find("name").text for m in defs if m.get("kind") == "enum"}
    for m in defs:
        name = m.find("name").text or ""
        kind = KIND.get(m.get("kind"))
        if (not kind or (kind == "typedef" and name in enums)
                or (kind == "define" and (name.endswith("_H") or name == "NP_CHECKED"))):
            continue
        yield kind, int(m.find("location").get("line")), m


def head_comment(name):
    """The first comment of the header is plain text of ours, with code indented by four."""
    text = (INCLUDE / "netpram" / name).read_text(encoding="utf-8")
    match = re.match(r"/\*\n(.*?)\n \*/", text, re.S)
    lines = [re.sub(r"^ \* ?", "", line) for line in match[1].split("\n")] if match else []
    return "\n".join(line if line.startswith("    ") else re.sub(r"([*_<|])", r"\\\1", line) for line in lines)


def main():
    OUT.mkdir(parents=True, exist_ok=True)
    headers = sorted(name for name in files if name.endswith(".h"))
    for name in headers:
        for kind, _, m in members(files[name]):
            own = m.find("name").text or ""
            values = [v.find("name").text for v in m.findall("enumvalue")]
            place = values[0] if own.startswith("@") or not own else own
            home.update({n: (f"{name}.md", place) for n in [place, *values]})
    rows = []
    for name in headers:
        page = f"{name}.md"
        told = head_comment(name)
        parts = [f"# {name}\n", f"    #include <netpram/{name}>\n", told, ""]
        found = sorted(members(files[name]), key=lambda item: item[1])
        for title, kinds in (("Types", ("typedef", "enum")), ("Macros", ("define",)), ("Tables", ("var",)),
                             ("Functions", ("func",))):
            shown = [SHOW[kind](m, page) for kind, _, m in found if kind in kinds]
            if shown:
                parts += [f"## {title}\n", *shown]
        (OUT / page).write_text("\n".join(parts), encoding="utf-8")
        first = re.split(r"(?<=\.)\s", " ".join(told.split("\n\n")[0].split()) or "All of the first library.")[0]
        rows.append(f"| [{name}]({page}) | {first} |")
    (OUT / "index.md").write_text(
        "# The C library\n\nEvery function that the command calls is public. `netpram/netpram.h` includes all headers "
        "but `report.h`, which belongs to the second library, `libnetpram-report`. [Examples](../examples/index.md) "
        "show how they are used.\n\n"
        "    cc -o own_traffic own_traffic.c $(pkg-config --cflags --libs netpram)\n\n"
        "| header | what it is |\n|---|---|\n" + "\n".join(rows) + "\n", encoding="utf-8")


main()
