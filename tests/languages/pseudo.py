"""A language that nobody speaks, made from the English files: every word accented and longer, with a mark of its own.

`write` makes the folder as a translator would: a line in a registry, and a file for each that English has.
"""

import json
import re
import tomllib
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any, Final

from jinja2 import Environment

TAG: Final = "qps-ploc"
MARK: Final = "ž"
ROOT: Final = Path(__file__).parents[2]
_ACCENTS: Final = str.maketrans("aeiouAEIOU", "áéíóúÁÉÍÓÚ")
_WORD: Final = re.compile(
    r"\{[^{}]*\}|<[^<>]*>|https?://\S+|\\\w|@(?:lead|h2|img|small|rule|go|tap|o1|[hpao])\b|[^\W\d_]+"
)
PROPER: Final = frozenset(("province", "provinces", "city", "cities", "nation", "nations", "artist"))
"""The kinds of names that every language takes as they are."""
TEXTS: Final = frozenset(("v", "possessive", "n", "agree", "join", "default", "replace", "if", "else", "and", "or"))
"""What may stand before a bracket whose strings players read: functions of templates, else words that join."""


def _proper() -> frozenset[str]:
    """The words of the names that stay as they are."""
    tables = [_table(file) for file in sorted(ROOT.glob("engine/*/words/en.toml"))]
    names = [said for table in tables for kind in PROPER for said in table.get(kind, {}).values()]
    return frozenset(word for said in names for word in re.findall(r"[^\W\d_]+", said) if word[0].isupper())


def _table(file: Path) -> dict[str, Any]:
    return tomllib.loads(file.read_text(encoding="utf-8"))


KEPT: Final = _proper()


def pseudo_translate(text: str) -> str:
    """A text in the language: its words made longer; places to fill, tags, addresses and proper names untouched."""
    return _WORD.sub(lambda found: _word(found[0]), text)


def _word(word: str) -> str:
    if not word[0].isalpha() or word.startswith("http") or word in KEPT:
        return word
    return word.translate(_ACCENTS) + (MARK.upper() if len(word) > 1 and word.isupper() else MARK)


# --- files


def write(folder: Path) -> None:
    """Make `folder`/pbem_languages, which is all that the program needs on its path."""
    made = folder / "pbem_languages"
    _put(made / "languages.toml", f'[languages]\n{TAG} = "{pseudo_translate("Pseudo")}"\n')
    for part, kind in (("engine/*", "words"), ("pbem/service", "words")):
        for file in sorted(ROOT.glob(f"{part}/words/en.toml")):
            _put(made / kind / TAG / f"{file.parts[-3]}.toml", _toml(_table(file), _keyed))
    for file in sorted((ROOT / "pbem/web/words/en").glob("*.toml")):
        _put(made / "pages" / TAG / file.name, _toml(_table(file), _always))
    _put(made / "channels" / f"{TAG}.toml", _toml(_table(ROOT / "pbem/discord/words/en.toml"), _always))
    ours = ROOT / "mail_templates"
    _put(made / "grammar" / f"{TAG}.toml", _toml(_table(ours / "grammar/en.toml"), _grammar))
    for kind in ("about", "boards", "effects"):
        for file in sorted((ours / kind / "en").glob("*.toml")):
            _put(made / kind / TAG / file.name, _toml(_table(file), _always))
    for file in sorted((ours / "names/en").glob("*.toml")):
        _put(made / "names" / TAG / file.name, _toml(_table(file), _named))
    for kind in ("letters", "narration"):
        for file in sorted((ours / kind / "en").glob("*.j2")):
            _put(made / kind / TAG / file.name, template(file.read_text(encoding="utf-8")))


def _put(path: Path, text: str) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")


Translate = Callable[[tuple[str, ...], str], str]


def _always(path: tuple[str, ...], text: str) -> str:
    return pseudo_translate(text)


def _keyed(path: tuple[str, ...], text: str) -> str:
    """Words of a catalogue: what is a proper name stays."""
    return text if path[0] in PROPER else pseudo_translate(text)


def _grammar(path: tuple[str, ...], text: str) -> str:
    """What says how the language is written, and what says which rules it takes."""
    return text if path[0] in ("grammar", "locale", "moment") else pseudo_translate(text)


def _named(path: tuple[str, ...], text: str) -> str:
    """`article Name; marks; preposition`: the marks are none of its words, and a proper name keeps all but these."""
    name, *rest = text.split(";")
    if path[0] in PROPER:
        article, space, own = name.partition(" ") if name.startswith("the ") else ("", "", name)
        name = pseudo_translate(article) + space + own
    else:
        name = pseudo_translate(name)
    return ";".join((name, *rest[:1], *map(pseudo_translate, rest[1:])))


def _toml(table: Mapping[str, Any], translate: Translate) -> str:
    """A table with its texts translated."""
    return "\n".join(_lines(table, (), translate)) + "\n"


def _lines(table: Mapping[str, Any], path: tuple[str, ...], translate: Translate) -> Iterator[str]:
    for key, value in table.items():
        if not isinstance(value, Mapping):
            yield f"{json.dumps(key)} = {_value(value, (*path, key), translate)}"
    for key, value in table.items():
        if isinstance(value, Mapping):
            yield f"[{'.'.join(json.dumps(part) for part in (*path, key))}]"
            yield from _lines(value, (*path, key), translate)


def _value(value: Any, path: tuple[str, ...], translate: Translate) -> str:
    if isinstance(value, list):
        return "[" + ", ".join(_value(one, path, translate) for one in value) + "]"
    return json.dumps(translate(path, value) if isinstance(value, str) else value, ensure_ascii=False)


# --- templates


def template(source: str) -> str:
    """A template in the language: its text, and those strings in its tags that players read."""
    tokens = [(kind, value) for _, kind, value in Environment(keep_trailing_newline=True).lex(source)]
    made = [_token(tokens, at) for at in range(len(tokens))]
    return "".join(made)


def _token(tokens: list[tuple[str, str]], at: int) -> str:
    kind, value = tokens[at]
    if kind == "data":
        return pseudo_translate(value)
    if kind != "string":
        return value
    if _names_a_file(tokens, at):
        return value.replace("/en/", f"/{TAG}/")
    return pseudo_translate(value) if _is_read(tokens, at) else value


def _names_a_file(tokens: list[tuple[str, str]], at: int) -> bool:
    before = next((value for kind, value in reversed(tokens[:at]) if kind != "whitespace"), "")
    return before in ("include", "import", "from", "extends")


def _is_read(tokens: list[tuple[str, str]], at: int) -> bool:
    """Return True if a string in a tag is text: not compared, no key, and in no call but of those that take text."""
    before = [value for kind, value in tokens[:at] if kind != "whitespace"]
    after = [value for kind, value in tokens[at + 1 :] if kind != "whitespace"]
    if before[-1] in ("==", "!=", "in", "[") or after[0] in ("==", "!=", "in", ":", "]", "not"):
        return False
    depth = 0
    for place in range(len(before) - 1, -1, -1):
        if before[place] in (")", "]", "}"):
            depth += 1
        elif before[place] in ("(", "[", "{"):
            if depth == 0:
                return _takes_text(before, place)
            depth -= 1
        elif before[place] in ("{{", "{%", "{%-", "{{-"):
            break
    return True


def _takes_text(before: list[str], place: int) -> bool:
    """Return True if what opens here (a call, a group, a list) holds text."""
    head = before[place - 1]
    if head in ("in", "==", "!="):
        return False
    return before[place] == "{" or not re.fullmatch(r"\w+", head) or head in TEXTS
