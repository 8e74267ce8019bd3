"""The site: `sphinx-build -W docs docs/_build`. Its generated pages are written anew by every build (docs/pages)."""

import os
import sys
from pathlib import Path

# Rules as plain Python functions: nothing is compiled for a page, and signatures are those of the source.
os.environ["NUMBA_DISABLE_JIT"] = "1"

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE))

import docstrings  # noqa: E402
import pages  # noqa: E402
from pages.links import turned  # noqa: E402

import karty  # noqa: E402

project = "karty"
author = "karty authors"
copyright = "2026, karty authors"
version = release = karty.__version__

extensions = ["myst_nb", "sphinx.ext.autodoc", "sphinx.ext.viewcode"]
exclude_patterns = ["_build"]

nb_execution_mode = "off"
myst_enable_extensions = ["attrs_inline", "deflist"]
myst_heading_anchors = 3

autodoc_member_order = "bysource"
autodoc_typehints = "signature"
autodoc_default_options = {"members": True, "show-inheritance": True}
python_use_unqualified_type_names = True
python_maximum_signature_line_length = 88

html_theme = "furo"
html_title = f"karty {release}"
html_static_path = ["_static"]
html_css_files = ["karty.css"]
html_show_sphinx = False
html_copy_source = False

pages.write_pages(HERE)


def turn_links(app, docname, source):
    """Links of the files in docs/ to files outside lead to the pages that these became."""
    if not docname.startswith(pages.GENERATED):
        source[0] = turned(source[0], f"docs/{docname}.md", docname)


def setup(app):
    """Hook in."""
    app.connect("source-read", turn_links)
    app.connect("autodoc-process-docstring", docstrings.process)
