"""Results as notebooks show them: tables of HTML. What shows more than tables is a row of PARTS."""

from __future__ import annotations

from html import escape
from typing import Any, Callable, Iterable, List, Mapping

SUMMARY = ("mean", "min", "p50", "p99", "max", "ci95")
MOST_ROWS = 20


def _number(value: Any) -> str:
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, float):
        return f"{value:,.4g}" if abs(value) < 1e4 else f"{value:,.0f}"
    return f"{value:,}" if isinstance(value, int) else str(value)


def _row(cells: Iterable[str], tag: str = "td") -> str:
    return "<tr>" + "".join(f"<{tag}>{cell}</{tag}>" for cell in cells) + "</tr>"


def _table(head: Iterable[str], rows: Iterable[Iterable[Any]], caption: str = "") -> str:
    body = "".join(
        _row([f"<b>{escape(str(first))}</b>", *(escape(_number(value)) for value in rest)]) for first, *rest in rows)
    title = f"<caption style='text-align: left'>{escape(caption)}</caption>" if caption else ""
    top = f"<thead>{_row(map(escape, head), 'th')}</thead>" if any(head) else ""
    return f"<table>{title}{top}<tbody>{body}</tbody></table>"


def _is_summary(value: Any) -> bool:
    return isinstance(value, dict) and {"mean", "ci95"} <= value.keys()


def _plain(members: Mapping[str, Any], before: str = "") -> list[Any]:
    """Names and values of what is neither a summary nor a list; objects by dots."""
    found: list[Any] = []
    for name, value in members.items():
        if isinstance(value, dict) and not _is_summary(value):
            found += _plain(value, f"{before}{name}.")
        elif not isinstance(value, (dict, list)) and value not in (None, ""):
            found.append((before + name, value))
    return found


def _tables(members: Mapping[str, Any], caption: str = "") -> str:
    plain = _plain(members)
    summaries = [(name, *(value[key] for key in SUMMARY)) for name, value in members.items() if _is_summary(value)]
    parts = [_table(("", ""), plain, caption)] if plain else []
    if summaries:
        parts.append(_table(("over all runs", *SUMMARY), summaries, "" if plain else caption))
    for name, value in members.items():
        if isinstance(value, list) and value and all(isinstance(item, dict) for item in value):
            parts.append(_list(name, value))
    return "".join(parts)


def _list(name: str, items: list[Any]) -> str:
    """Objects without objects in them are the rows of one table; others have tables of their own."""
    if any(isinstance(value, (dict, list)) for item in items for value in item.values()):
        return "".join(_tables(item, f"{name}: {item.get('name') or item.get('phase') or i}")
                       for i, item in enumerate(items))
    head = list(dict.fromkeys(key for item in items for key in item))
    rows = [[i, *(item.get(key, "") for key in head)] for i, item in enumerate(items[:MOST_ROWS])]
    more = f" ({MOST_ROWS} of {len(items)})" if len(items) > MOST_ROWS else ""
    return _table(("", *head), rows, name + more)


def tables(result: Mapping[str, Any]) -> str:
    """All of a result but its lists of numbers."""
    return _tables(result)


PARTS: List[Callable[[Mapping[str, Any]], str]] = [tables]


def page(result: Mapping[str, Any]) -> str:
    return "".join(part(result) for part in PARTS)
