"""The package as its users meet it: versions, imports without torch, the README's examples."""

import importlib.metadata
import importlib.resources
import os
import re
import shlex
import subprocess
import sys
from pathlib import Path

import pytest

import karty

TOP = Path(__file__).resolve().parent.parent
README = (TOP / "README.md").read_text(encoding="utf-8")

# Runs in front of a program: as on a machine where the extras are not installed.
WITHOUT_EXTRAS = """
import sys
class Absent:
    def find_spec(self, name, path=None, target=None):
        if name.partition(".")[0] in {"torch", "safetensors", "tensorboard", "matplotlib"}:
            raise ModuleNotFoundError(f"No module named {name!r}", name=name)
sys.meta_path.insert(0, Absent())
"""


def blocks(language):
    """The README's code blocks in one language, as pairs of the number of lines above and the text."""
    found = re.finditer(rf"^```{language}\n(.*?)^```$", README, flags=re.MULTILINE | re.DOTALL)
    return [(README[: match.start(1)].count("\n"), match[1]) for match in found]


def run(program, *arguments):
    """Run a program without the extras in a process of its own."""
    return subprocess.run(
        [sys.executable, "-c", WITHOUT_EXTRAS + program, *arguments], capture_output=True, text=True, timeout=300
    )


def test_the_version_is_the_same_everywhere():
    assert importlib.metadata.version("karty") == karty.__version__
    assert f"\nversion: {karty.__version__}\n" in (TOP / "CITATION.cff").read_text(encoding="utf-8")
    assert f"\n## [{karty.__version__}]" in (TOP / "CHANGELOG.md").read_text(encoding="utf-8")
    assert f"Version {karty.__version__}" in README


def test_the_package_is_typed():
    assert importlib.resources.files("karty").joinpath("py.typed").is_file()


def test_the_public_names_exist():
    assert all(hasattr(karty, name) for name in karty.__all__)
    with pytest.raises(AttributeError, match="no attribute 'make_bach'"):
        _ = karty.make_bach


def test_importing_needs_no_extra():
    done = run("import karty; print(*karty.GAMES)")
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.split() == list(karty.GAMES)


def test_importing_loads_no_network():
    program = "import karty, sys; print([m for m in sys.modules if m.partition('.')[0] in ('torch', 'matplotlib')])"
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, timeout=300)
    assert (done.returncode, done.stdout.strip()) == (0, "[]"), done.stderr


@pytest.mark.parametrize(
    "arguments", ["games", "games tysiac --json", "evaluate tysiac --agents rule random --deals 20"]
)
def test_commands_without_networks_need_no_extra(arguments):
    done = run("from karty.training.cli import main; sys.exit(main())", *arguments.split())
    assert done.returncode == 0, done.stderr
    assert "tysiac" in done.stdout.lower()


def test_training_without_torch_says_what_to_install(tmp_path):
    done = run(
        "from karty.training.cli import main; sys.exit(main())", "train", "tysiac", "--out", str(tmp_path / "run")
    )
    assert done.returncode == 2
    assert "karty[train]" in done.stderr
    assert done.stderr.count("\n") == 1


def test_the_module_is_the_command():
    done = subprocess.run([sys.executable, "-m", "karty", "games"], capture_output=True, text=True, timeout=300)
    assert done.returncode == 0, done.stderr
    assert "tysiac" in done.stdout.lower()


@pytest.mark.parametrize(
    ("above", "source"), [pytest.param(*block, id=f"line {block[0]}") for block in blocks("python")]
)
def test_readme_example_runs(above, source, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    exec(compile("\n" * above + source, TOP / "README.md", "exec"), {"__name__": "__main__"})


def test_readme_names_every_command():
    lines = [shlex.split(line, comments=True) for _, block in blocks("sh") for line in block.splitlines()]
    named = {words[1] for words in lines if words[:1] == ["karty"]}
    assert named == {"games", "train", "evaluate", "arena", "probe", "exploit", "record", "replay", "play", "bench"}


def test_readme_links_lead_somewhere():
    targets = re.findall(r"\]\(([^)#:]+)\)", README)
    assert len(targets) >= 4
    assert [target for target in targets if not (TOP / target).exists()] == []
    assert os.access(TOP / ".ci" / "run", os.X_OK)
