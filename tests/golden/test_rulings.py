"""The kept letters of rulings: what a table reads of them, word for word, in two games and both languages."""

from tests.golden.rulings import LETTERS, made


def test_letters_of_rulings_are_those_that_were_read_and_kept() -> None:
    """Any change of a word is seen; `python -m tests.golden.rulings` writes them anew."""
    letters = made()
    known = {str(path.relative_to(LETTERS)): path.read_text(encoding="utf-8") for path in LETTERS.rglob("*.txt")}
    assert set(letters) == set(known)
    for path, text in letters.items():
        assert text == known[path], path
