"""Runs the notebooks' sources and writes each as .ipynb, outputs included: `python notebooks/execute.py [NAME …]`.

A name is that of a source without its ending; left out: all. `KARTY_NOTEBOOK=small` runs them at the size of CI,
which is for trying out only: what is committed is of full size. Needs the extra `notebook`.
"""

import sys
from pathlib import Path

import jupytext
import nbformat
from nbclient import NotebookClient

HERE = Path(__file__).resolve().parent


def execute(source: Path) -> Path:
    """Run one source and write the notebook beside it."""
    notebook = jupytext.read(source)
    # Names by place: random ones would make every cell differ from the last time.
    for place, cell in enumerate(notebook.cells):
        cell["id"] = f"cell-{place:02d}"
    NotebookClient(notebook, timeout=3600, record_timing=False, resources={"metadata": {"path": str(HERE)}}).execute()
    for cell in notebook.cells:
        if cell.cell_type == "code":
            cell.outputs = [output for output in cell.outputs if not is_notice(output)]
    # The kernel would add its patch version, and jupytext what it was read from: neither is worth a change.
    kernel = {"display_name": "Python 3", "language": "python", "name": "python3"}
    notebook.metadata = nbformat.from_dict({"kernelspec": kernel, "language_info": {"name": "python"}})
    target = source.with_suffix(".ipynb")
    nbformat.write(notebook, target)
    return target


def is_notice(output: nbformat.NotebookNode) -> bool:
    """Does it only say that a game is being compiled? That is about this machine, not a result."""
    return output.get("name") == "stderr" and output.text.startswith("karty: compiling")


if __name__ == "__main__":
    wanted = sys.argv[1:] or sorted(path.stem for path in HERE.glob("[0-9]*.py"))
    for name in wanted:
        print(execute(HERE / f"{name}.py").name, flush=True)
