"""Links and sections of the repository's own texts, on the site and in it."""

import re
from pathlib import Path

import pytest
from pages import game_page, links, places, repository

import karty

TOP = Path(__file__).resolve().parents[2]
DOCS = TOP / "docs"
README = (TOP / "README.md").read_text(encoding="utf-8")


def test_every_link_between_pages_leads_to_one(made):
    texts = {**made, **{path.stem: path.read_text(encoding="utf-8") for path in DOCS.glob("*.md")}}
    for document, text in texts.items():
        if "/" not in document:
            text = links.turned(text, f"docs/{document}.md", document)
        found = set()
        links.outside_code(
            text, lambda part, found=found: found.update(re.findall(r"\]\(([^()#:]+\.md)", part)) or part
        )
        for target in found:
            path = (DOCS / document).parent / target
            assert str(path.resolve().relative_to(DOCS).with_suffix("")) in texts, f"{document}: {target}"


def test_every_section_of_the_readme_has_a_page(made):
    assert set(repository.readme()) - {""} == set(places.README_SECTIONS)
    assert {
        page for page in places.README_SECTIONS.values() if page not in made and not (DOCS / f"{page}.md").exists()
    } == set()


def test_links_by_hand():
    turned = links.turned
    at = "generated/agents/index"
    assert turned("see [it](docs/training.md#switches)!", "README.md", at) == "see [it](../../training.md#switches)!"
    assert turned("[book](envs/games/pan.md)", "README.md", at) == "[book](../games/pan.md)"
    assert turned("[card](../agents/weights/pan/ppo.md)", "docs/training.md", "training") == (
        "[card](generated/agents/pan-ppo.md)"
    )
    assert turned("[speed](../README.md#speed)", "docs/training.md", "training") == "[speed](generated/speed.md)"
    assert turned("[the CI](.ci/run) runs", "README.md", at) == "the CI runs"
    assert turned("![T](docs/table.svg)", "README.md", at) == "![T](../../table.svg)"
    untouched = "[a](https://x.org) [b](#c) `[c](nowhere)`\n```\n[d](nowhere)\n```\n"
    assert turned(untouched, "README.md", at) == untouched
    for gone in ("[x](nowhere.md)", "[x](README.md#nowhere)"):
        with pytest.raises(links.BrokenLinkError, match="nowhere"):
            turned(gone, "README.md", at)


def test_the_readme_has_the_games_as_they_are():
    rows = re.findall(r"^\| \*\*(\w+)\*\*[^|]*\| ([\d–]+) \|.*\]\(envs/games/(\w+)\.md\) \|$", README, re.MULTILINE)
    assert rows == [(game.title, game_page.seats(game), game.name) for game in karty.GAMES.values()]


ELSEWHERE = {
    "evaluation.md",
    "exploitability.md",
}  # tests of the arena run the one, those of exact play do what the other does


def examples():
    for path in sorted(path for path in DOCS.glob("*.md") if path.name not in ELSEWHERE):
        text = path.read_text(encoding="utf-8")
        for found in re.finditer(r"^```python\n(.*?)^```$", text, flags=re.MULTILINE | re.DOTALL):
            line = text[: found.start(1)].count("\n")
            yield pytest.param(path, line, found[1], id=f"{path.name} line {line}")


@pytest.mark.parametrize(("path", "above", "source"), tuple(examples()))
def test_an_example_runs(path, above, source, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    exec(compile("\n" * above + source, path, "exec"), {"__name__": "__main__"})
