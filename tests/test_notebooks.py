"""The notebooks are what their sources say, and hold the outputs of one clean run of full size."""

import json
import re
from pathlib import Path

import pytest

FOLDER = Path(__file__).resolve().parent.parent / "notebooks"
SOURCES = sorted(FOLDER.glob("[0-9]*.py"))
PATH_OF_A_MACHINE = re.compile(r"(?<![\w/.])/(home|root|tmp|work|Users|usr|opt|var|mnt)/|[A-Z]:\\")


def cells_of(source):
    """The cells of a source in jupytext's percent format, as pairs of type and text."""
    text = source.read_text(encoding="utf-8").removeprefix("# ---\n").partition("\n# ---\n")[2]
    cells = []
    for part in re.split(r"^# %%", text, flags=re.MULTILINE)[1:]:
        mark, _, body = part.partition("\n")
        if mark.strip() == "[markdown]":
            cells.append(("markdown", re.sub(r"^# ?", "", body.strip("\n"), flags=re.MULTILINE)))
        else:
            cells.append(("code", body.strip("\n")))
    return cells


def notebook_of(source):
    """The notebook beside a source."""
    return json.loads(source.with_suffix(".ipynb").read_text(encoding="utf-8"))


def texts(cell):
    """All that a cell has put out, but for pixels, as pairs of the stream's or type's name and the text."""
    for output in cell.get("outputs", []):
        if output["output_type"] == "error":
            yield "error", "".join(output["traceback"])
        elif output["output_type"] == "stream":
            yield output["name"], "".join(output["text"])
        else:
            for kind, data in output["data"].items():
                if kind != "image/png":
                    yield kind, "".join(data)


def test_every_source_has_its_notebook():
    assert len(SOURCES) == 5
    assert [source.stem for source in SOURCES] == sorted(path.stem for path in FOLDER.glob("*.ipynb"))


@pytest.mark.parametrize("source", SOURCES, ids=lambda source: source.stem)
def test_notebook_is_what_its_source_says(source):
    found = [(cell["cell_type"], "".join(cell["source"])) for cell in notebook_of(source)["cells"]]
    assert found == cells_of(source)
    assert found[0][1].startswith("# ")
    assert found[-1][1].startswith("## Try it\n")


@pytest.mark.parametrize("source", SOURCES, ids=lambda source: source.stem)
def test_notebook_holds_a_clean_run(source):
    cells = [cell for cell in notebook_of(source)["cells"] if cell["cell_type"] == "code"]
    assert [cell["execution_count"] for cell in cells] == list(range(1, len(cells) + 1))
    said = [text for cell in cells for text in texts(cell)]
    assert [text for name, text in said if name in ("error", "stderr")] == []
    assert [text for _, text in said if PATH_OF_A_MACHINE.search(text)] == []
    assert not any("size: small" in text for _, text in said), "made by KARTY_NOTEBOOK=small"
    kinds = {kind for cell in cells for output in cell["outputs"] for kind in output.get("data", ())}
    assert kinds & {"image/png", "image/svg+xml"}
