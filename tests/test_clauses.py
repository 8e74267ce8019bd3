"""Every numbered clause of a rule book is cited in its rules and has a test."""

import re
from pathlib import Path

import pytest

import karty

TOP = Path(__file__).resolve().parent.parent
GAMES = TOP / "envs" / "games"
TESTS = TOP / "tests" / "games"

WORDS, CASES = "Words", "Worked cases"  # sections without rules, if a book has them
CITED = re.compile(r"§(\d+(?:\.\d+)?)")


def at(folder, name):
    """A file of a game, or of a mini game in the folder `mini` inside."""
    return folder / name if (folder / name).is_file() else folder / "mini" / name


def book(game):
    """A rule book by section: {number: (title, text)}."""
    parts = re.split(r"^## (\d+) (.*)$", at(GAMES, f"{game}.md").read_text(encoding="utf-8"), flags=re.MULTILINE)
    return {number: (title, text) for number, title, text in zip(parts[1::3], parts[2::3], parts[3::3], strict=True)}


def sections(game):
    """The sections of a book that hold rules: {number: text}."""
    return {number: text for number, (title, text) in book(game).items() if not title.startswith((WORDS, CASES))}


def cases(game):
    """The numbers of a book's worked cases."""
    text = next(text for title, text in book(game).values() if title.startswith(CASES))
    return {int(number) for number in re.findall(r"^(\d+)\. ", text, flags=re.MULTILINE)}


def clauses(game):
    """The numbered clauses of a book, and the sections that have none."""
    found = set()
    for section, text in sections(game).items():
        found |= set(re.findall(r"^- (\d+\.\d+) ", text, flags=re.MULTILINE)) or {section}
    return found


def texts(*paths):
    return "\n".join(path.read_text(encoding="utf-8") for path in paths)


def cited_in_rules(game):
    """By the rules file and its neighbours, `{game}_….py`."""
    return set(CITED.findall(texts(at(GAMES, f"{game}.py"), *GAMES.glob(f"{game}_*.py"))))


def names_of_tests(game):
    """In the file of the game and those of its tables, `test_{game}_tables….py`."""
    source = texts(at(TESTS, f"test_{game}.py"), *TESTS.glob(f"test_{game}_tables*.py"))
    return re.findall(rf"^def test_{game}_(\w+)\(", source, flags=re.MULTILINE)


def clauses_tested(game):
    """The clauses that names of tests cite: `5_2_must_beat` is 5.2."""
    found = set()
    for name in names_of_tests(game):
        match = re.match(r"(\d+)(?:_(\d+))?_", name)
        if match:
            found.add(".".join(part for part in match.groups() if part))
    return found


def cases_tested(game):
    return {int(name.split("_")[1]) for name in names_of_tests(game) if name.startswith("case_")}


@pytest.fixture(params=[*karty.GAMES, *karty.MINIS])
def name(request):
    return request.param


def test_the_book_was_read(name):
    assert set(sections(name)) >= {"1", "2"}
    assert len(clauses(name)) > 10
    assert len(cases(name)) > (10 if name in karty.GAMES else 7)


def test_every_clause_is_cited_in_the_rules(name):
    assert clauses(name) - cited_in_rules(name) == set()


def test_the_rules_cite_no_clause_that_is_not_in_the_book(name):
    assert cited_in_rules(name) - clauses(name) - set(sections(name)) == set()


def test_every_clause_has_a_test(name):
    """A worked case counts for its clause only where the name says so: 3.1's opener is tested under 3.1 too."""
    assert clauses(name) - clauses_tested(name) == set()


def test_every_test_cites_a_clause_or_a_case(name):
    assert clauses_tested(name) - clauses(name) - set(sections(name)) == set()
    assert [its for its in names_of_tests(name) if not re.match(r"\d+_|case_\d+_", its)] == []


def test_every_worked_case_is_a_test(name):
    assert cases(name) == set(range(1, len(cases(name)) + 1))
    assert cases_tested(name) == cases(name)
