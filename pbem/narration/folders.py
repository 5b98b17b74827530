"""Where the templates lie, and which file is read where a language lacks one."""

import tomllib
from functools import cache
from pathlib import Path
from typing import Any

from engine.kernel.languages import Language, external_folders, fallback_chain


@cache
def template_root() -> Path:
    """Where letters and names lie: inside the package when installed, beside it in a checkout."""
    inside = Path(__file__).resolve().parent.parent / "mail_templates"
    return inside if inside.is_dir() else inside.parent.parent / "mail_templates"


_FURTHER: list[Path] = []


def template_folders() -> tuple[Path, ...]:
    """Every folder of templates, in the order in which they are searched: ours, those of languages, those of games.

    All are laid out alike, each kind by language: `letters`, `narration`, `names`, `effects`, `texts`, `boards`,
    `pages`, `channels`, `grammar`.
    """
    return template_root(), *external_folders(), *_FURTHER


def add_folder(folder: Path) -> None:
    """Search one more folder of templates; to be called before anything is told."""
    if folder not in _FURTHER:
        _FURTHER.append(folder)


def _find_file(path: str) -> Path | None:
    return next((folder / path for folder in template_folders() if (folder / path).is_file()), None)


def find_path(kind: str, language: Language, name: str) -> str:
    """Where a template of a kind lies: in this language, or in the first of its fallbacks that has it.

    Where none has, the path in this language.
    """
    paths = [f"{kind}/{tag}/{name}" for tag in fallback_chain(language)]
    return next((path for path in paths if has_template(path)), paths[0])


def has_template(path: str) -> bool:
    """Return True if one of the folders has this file."""
    return _find_file(path) is not None


def load_table(path: str) -> dict[str, Any]:
    """A TOML file of the templates, from the first folder that has it; empty where none has."""
    found = _find_file(path)
    return tomllib.loads(found.read_text(encoding="utf-8")) if found is not None else {}


def load_about(game: str, language: Language) -> dict[str, Any]:
    """What a game says of itself to who does not know it: `what`, `length`, `weight`, `special`, and the first turn."""
    return load_table(find_path("about", language, f"{game}.toml"))
