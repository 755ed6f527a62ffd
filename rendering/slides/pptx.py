# ruff: noqa: PLC0415 - python-pptx is an extra
"""A deck as a presentation for PowerPoint and LibreOffice: clips, stills and notes inside.

The times of a slide are written as PowerPoint writes them: its main sequence calls a movie, which
then holds its last frame.
"""

from __future__ import annotations

import io
from importlib.util import find_spec
from typing import TYPE_CHECKING

from model.errors import Unusable
from rendering.slides.deck import Clip, Deck, Slide, template

if TYPE_CHECKING:
    from pptx.dml.color import RGBColor
    from pptx.presentation import Presentation as Pptx
    from pptx.slide import Slide as Page

SHORT_SIDE = 6_858_000  # of a page: 7.5 inches, in the format's units
TITLE_ONLY, BLANK = 5, 6  # layouts of python-pptx's own template
TITLE_SIZE, LINE_SIZE = 0.09, 0.045  # of text, in short sides
MARGIN = 0.09  # beside text, in short sides
MOVIE = "video/mp4"


def refuse_without_library() -> None:
    """Raise `Unusable` where python-pptx is not installed."""
    if find_spec("pptx") is None:
        raise Unusable(
            "Slides of pptx need python-pptx: install it with `pip install "
            "'transformer-films[deck]'`, or `pip install python-pptx`."
        )


def presentation(deck: Deck, *, on_click: bool = False) -> bytes:
    """Return the presentation; its clips start with their slides, or `on_click`."""
    from pptx import Presentation

    made = Presentation()
    _resize(made, deck)
    made.core_properties.title, made.core_properties.author = deck.title, ""
    background = made.slide_master.background.fill
    background.solid()
    background.fore_color.rgb = _color(deck.colors.background)
    for slide in deck.slides:
        if slide.clip:
            page = made.slides.add_slide(made.slide_layouts[BLANK])
            _add_clip(made, page, slide, slide.clip, on_click=on_click)
        else:
            page = made.slides.add_slide(made.slide_layouts[TITLE_ONLY])
            _add_title(made, page, slide, deck)
        notes = page.notes_slide.notes_text_frame
        assert notes is not None
        notes.text = "\n".join(slide.notes)
    content = io.BytesIO()
    made.save(content)
    return content.getvalue()


def _resize(made: Pptx, deck: Deck) -> None:
    """Give pages the shape of the clips, and move what stands in the template with them."""
    assert made.slide_width
    assert made.slide_height
    unit = SHORT_SIDE / min(deck.width, deck.height)
    width, height = round(deck.width * unit), round(deck.height * unit)
    across, down = width / made.slide_width, height / made.slide_height
    for page in (made.slide_master, *made.slide_layouts):
        own = [each for each in page.shapes if each.element.xpath("./p:spPr/a:xfrm")]
        for shape in own:
            shape.left, shape.width = round(shape.left * across), round(shape.width * across)
            shape.top, shape.height = round(shape.top * down), round(shape.height * down)
    made.slide_width, made.slide_height = width, height  # type: ignore[assignment] # lengths


def _add_clip(made: Pptx, page: Page, slide: Slide, clip: Clip, *, on_click: bool) -> None:
    from pptx.oxml import parse_xml

    size = made.slide_width, made.slide_height
    movie = page.shapes.add_movie(str(clip.file), 0, 0, *size, str(clip.first), MOVIE)  # type: ignore[arg-type]
    movie.name = slide.title
    movie.element.xpath("./p:nvPicPr/p:cNvPr")[0].set("descr", " ".join(slide.notes))
    new = template("timing.xml.jinja").render(
        shape=movie.shape_id, milliseconds=round(clip.seconds * 1000), loop=clip.loop,
        on_click=on_click,
    )  # fmt: skip
    timing = page.element.find("{*}timing")
    timing.getparent().replace(timing, parse_xml(new))


def _add_title(made: Pptx, page: Page, slide: Slide, deck: Deck) -> None:
    """Set a film's title and the lines under it, flush left, in the middle of the page."""
    from pptx.enum.text import MSO_ANCHOR, PP_ALIGN
    from pptx.util import Emu

    assert made.slide_width
    assert made.slide_height
    margin, middle = round(MARGIN * SHORT_SIDE), made.slide_height // 2
    title = page.shapes.title
    assert title is not None
    about = page.shapes.add_textbox(Emu(0), Emu(0), Emu(0), Emu(0))
    about.name = "About"
    texts = (title, (slide.title,), TITLE_SIZE, 0), (about, slide.about, LINE_SIZE, middle)
    for shape, lines, size, top in texts:
        shape.left, shape.top = Emu(margin), Emu(top)
        shape.width, shape.height = Emu(made.slide_width - 2 * margin), Emu(middle)
        frame = shape.text_frame
        frame.word_wrap = True
        frame.text = "\n".join(lines)
        frame.vertical_anchor = MSO_ANCHOR.BOTTOM if shape is title else MSO_ANCHOR.TOP
        for number, paragraph in enumerate(frame.paragraphs):
            paragraph.alignment = PP_ALIGN.LEFT
            paragraph.font.size = Emu(round(size * SHORT_SIDE))
            paragraph.font.bold = shape is title
            role = deck.colors.quiet if number else deck.colors.ink
            paragraph.font.color.rgb = _color(role)


def _color(code: str) -> RGBColor:
    from pptx.dml.color import RGBColor

    return RGBColor(*bytes.fromhex(code.removeprefix("#")))  # type: ignore[no-untyped-call]
