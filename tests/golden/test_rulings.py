"""The kept letters of rulings: what a table reads of them, word for word, in two games and both languages."""

from tests.golden.rulings import LETTERS, make_letters
from tests.golden.test_golden import EACH_READING


@EACH_READING
def test_letters_of_rulings_are_those_that_were_read_and_kept(languages: tuple[str, str]) -> None:
    """Any change of a word is seen; `python -m tests.golden.rulings` writes them anew."""
    letters = make_letters([languages])
    readers = zip(("s1", "s2", "master"), (*languages, languages[0]), strict=True)
    folders = {f"{who}.{language}" for who, language in readers}
    known = {
        path.relative_to(LETTERS).as_posix(): path.read_text("utf-8")
        for path in LETTERS.rglob("*.txt")
        if path.parent.name in folders
    }
    assert set(letters) == set(known)
    for path, text in letters.items():
        assert text == known[path], path
