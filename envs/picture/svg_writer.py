"""A picture as an SVG document."""

import re
from collections.abc import Sequence
from xml.sax.saxutils import escape, quoteattr

from .faces import SUIT_PATHS, TALL, face
from .names import called
from .shapes import BACK, RATIO, ROSE, Box, Card, Face, Outline, Shape, Words, extent, upon

SANS = "DejaVu Sans, Segoe UI, Helvetica, Arial, sans-serif"
SERIF = "Georgia, DejaVu Serif, Times New Roman, serif"


def as_svg(shapes: Sequence[Shape], title: str = "a card table") -> str:
    """A scene as an SVG document.

    A card that is seen is <use class="card" id="card-QH">, one that is known but lies face down has the class "card
    down", a back is <use class="back">.
    """
    width, height = extent(shapes)
    used = dict.fromkeys(shape.name for shape in shapes if isinstance(shape, Card))
    return "\n".join(
        [
            f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height}"'
            f' viewBox="0 0 {width} {height}" role="img">',
            f"<title>{escape(title)}</title>",
            "<defs>",
            *(f'<path id="suit-{suit}" d="{path}"/>' for suit, path in SUIT_PATHS.items()),
            *(as_symbol(name) for name in used),
            "</defs>",
            *(svg_element(shape) for shape in shapes),
            "</svg>\n",
        ]
    )


def as_symbol(name: Face) -> str:
    """The definition of a card's face or back."""
    drawn = "".join(svg_element(shape) for shape in face(name))
    return f'<symbol id="face-{escape(name or "back")}" viewBox="0 0 100 {TALL}" overflow="visible">{drawn}</symbol>'


def svg_element(shape: Shape) -> str:
    """One shape as an SVG element."""
    if isinstance(shape, Box):
        faded = "" if shape.opacity == 1 else f' opacity="{shape.opacity:g}"'
        border = "" if shape.stroke == "none" else f' stroke="{shape.stroke}" stroke-width="{shape.line:g}"'
        return (
            f'<rect x="{shape.x:g}" y="{shape.y:g}" width="{shape.width:g}" height="{shape.height:g}"'
            f' rx="{shape.radius:g}" fill="{shape.fill}"{border}{faded}/>'
        )
    if isinstance(shape, Outline):
        moved = f"translate({shape.x:g} {shape.y:g}) scale({-shape.size if shape.turned else shape.size:g})"
        suit = next((suit for suit, path in SUIT_PATHS.items() if path == shape.path), None)
        if suit:
            return f'<use href="#suit-{suit}" transform="{moved}" fill="{shape.fill}"/>'
        border = "" if shape.stroke == "none" else f' stroke="{shape.stroke}" stroke-width="{shape.line:g}"'
        border += ' stroke-linejoin="round" stroke-linecap="round"' if border and shape.fill == "none" else ""
        return f'<path d="{shape.path}" transform="{moved}" fill="{shape.fill}"{border}/>'
    if isinstance(shape, Words):
        turn = f' transform="rotate(180 {shape.x:g} {shape.y:g})"' if shape.turned else ""
        weight = ' font-weight="bold"' if shape.bold else ""
        family = quoteattr(SERIF if shape.serif else SANS)
        words = re.sub("[♦♥]", lambda sign: f'<tspan fill="{ROSE}">{sign[0]}</tspan>', escape(shape.text))
        return (
            f'<text x="{shape.x:g}" y="{shape.y:g}" font-size="{shape.size:g}" font-family={family}{weight}'
            f' fill="{shape.fill}" text-anchor="{shape.anchor}"{turn}>{words}</text>'
        )
    width, height = shape.width, round(shape.width * RATIO, 2)
    place = f'x="{shape.x:g}" y="{shape.y:g}" width="{width:g}" height="{height:g}"'
    more = "".join(svg_element(part) for part in upon(shape))
    if shape.name is BACK:
        return f'<use class="back" href="#face-back" {place}/>{more}'
    name, kind = escape(shape.name), "card down" if shape.down else "card"
    title = f"{called(shape.name)}, face down" if shape.down else called(shape.name)
    return f'<use class="{kind}" id="card-{name}" href="#face-{name}" {place}><title>{title}</title></use>{more}'
