"""What programs get, searched for leaks like the pages: every call that looks, with the token of every visitor."""

import json
from collections.abc import Callable, Iterator
from typing import Any

from flask import Flask

from pbem.service.access import api_tokens
from pbem.service.base.services import Services
from pbem.web.api import OPERATIONS, PREFIX

LISTS = "vocabularies"


def tokens(services: Services, users: dict[str, int]) -> dict[str, str]:
    """A token for each of some people, and none for nobody."""
    made = {
        who: api_tokens.create_token(services, user, name="canary", scope="play", days=30)
        for who, user in users.items()
    }
    return {**made, "": ""}


def responses(
    app: Flask, token: str, game: str, language: str, whole: Callable[[str], bool]
) -> Iterator[tuple[str, int, str]]:
    """Path, status and text of every call that looks; lists for which `whole` holds are left out.

    A list to choose from that names all the cards of a kind tells nothing, nor does such an example.
    """
    client = app.test_client()
    headers = {"Accept-Language": language, **({"Authorization": f"Bearer {token}"} if token else {})}
    for operation in OPERATIONS:
        if operation.method == "GET":
            path = operation.path.replace("<game>", game).replace("<int:entry>", "1").replace("<viewer>", "public")
            answer = client.get(PREFIX + path, headers=headers)
            head = "\n".join(f"{name}: {value}" for name, value in answer.headers)
            text = answer.get_data(as_text=True)
            if operation.name == "list_questions" and answer.status_code == 200:
                text = _without_lists(answer.json, whole)
            if operation.name == "get_help" and answer.status_code == 200:
                text = _explained(answer.json, whole)
            yield f"{PREFIX}{path}", answer.status_code, f"{head}\n{text}"
    written = {"entry": 999_999_999, "lines": ["PASS", "LUCK x"]}
    answer = client.post(f"{PREFIX}/games/{game}/preview", json=written, headers=headers)
    yield f"{PREFIX}/games/{game}/preview", answer.status_code, answer.get_data(as_text=True)
    answer = client.post(f"{PREFIX}/games/{game}/moves", json={"question": "s0"}, headers=headers)
    text = _without_words(answer.json, whole) if answer.status_code == 200 else answer.get_data(as_text=True)
    yield f"{PREFIX}/games/{game}/moves", answer.status_code, text


def _without_lists(body: Any, whole: Callable[[str], bool]) -> str:
    """The questions without those lists and examples that name all of a kind."""
    kept = {name: words for name, words in body[LISTS].items() if not whole(json.dumps(words, ensure_ascii=False))}
    for question in body["questions"]:
        question["forms"] = _without_examples(question["forms"], whole)
    return json.dumps({**body, LISTS: kept}, ensure_ascii=False)


def _without_words(body: Any, whole: Callable[[str], bool]) -> str:
    """The legal moves without lists of values that name all of a kind, as before a question is asked."""
    for form in body["forms"]:
        if form["slot"] is not None and whole(json.dumps(form["slot"]["legal"], ensure_ascii=False)):
            form["slot"]["legal"] = []
    return json.dumps(body, ensure_ascii=False)


def _explained(body: Any, whole: Callable[[str], bool]) -> str:
    parts = [{**part, "rows": _without_examples(part["rows"], whole)} for part in body["parts"]]
    return json.dumps({**body, "parts": parts}, ensure_ascii=False)


def _without_examples(rows: list[Any], whole: Callable[[str], bool]) -> list[Any]:
    return [{**row, "example": ""} if whole(row["example"]) else row for row in rows]
