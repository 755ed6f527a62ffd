"""Decks for PowerPoint: their parts fit together, clips start, LibreOffice opens them."""

import io
import os
import posixpath
import shutil
import subprocess
import zipfile
from pathlib import Path

import numpy as np
import pytest
from answers import Ask, refused
from lxml import etree
from PIL import Image
from played import SMALL
from pptx import Presentation
from small_decks import small_jobs

from benchmarks.likeness import luma, ssim
from rendering import slides
from rendering.job import Job
from rendering.slides import Wanted, pptx
from rendering.slides.deck import Deck

P = "{http://schemas.openxmlformats.org/presentationml/2006/main}"
R = "{http://schemas.openxmlformats.org/officeDocument/2006/relationships}"
ORDER = ["cSld", "clrMapOvr", "transition", "timing", "extLst"]  # of a slide's parts


@pytest.fixture(scope="module")
def jobs(tiny_checkpoint: Path, tmp_path_factory: pytest.TempPathFactory) -> list[Job]:
    return small_jobs(tiny_checkpoint, tmp_path_factory.mktemp("media"))


@pytest.fixture(scope="module")
def content(jobs: list[Job]) -> bytes:
    return pptx.presentation(Deck.of(jobs))


def pages(content: bytes) -> list[etree._Element]:
    """The slides of a presentation, in their order."""
    return [slide.element for slide in Presentation(io.BytesIO(content)).slides]


def test_a_page_a_beat_with_its_title_its_clip_and_what_is_said(
    content: bytes, jobs: list[Job]
) -> None:
    made = Presentation(io.BytesIO(content))
    assert made.slide_width / made.slide_height == pytest.approx(SMALL.width / SMALL.height, 1e-3)
    deck = Deck.of(jobs)
    assert len(made.slides) == len(deck.slides)
    for page, slide in zip(made.slides, deck.slides, strict=True):
        assert page.notes_slide.notes_text_frame.text == "\n".join(slide.notes)
        if slide.clip is None:
            assert page.shapes.title.text == slide.title
            continue
        (movie,) = page.shapes
        assert (movie.left, movie.top) == (0, 0)
        assert (movie.width, movie.height) == (made.slide_width, made.slide_height)
        clip = movie.part.related_part(movie.element.xpath(".//a:videoFile/@r:link")[0])
        assert clip.blob == slide.clip.file.read_bytes()
        assert movie.poster_frame.blob == slide.clip.first.read_bytes()


def test_every_part_is_there_that_another_one_names(content: bytes) -> None:
    """PowerPoint repairs, or refuses, a file with a relationship that leads nowhere."""
    with zipfile.ZipFile(io.BytesIO(content)) as parts:
        names = {*parts.namelist()}
        types = etree.fromstring(parts.read("[Content_Types].xml"))
        known = {each.get("Extension") for each in types} | {each.get("PartName") for each in types}
        for name in names - {"[Content_Types].xml"}:
            assert f"/{name}" in known or name.rpartition(".")[2] in known
            folder, file = posixpath.split(name)
            lists = f"{folder}/_rels/{file}.rels" if folder else f"_rels/{file}.rels"
            related = etree.fromstring(parts.read(lists)) if lists in names else ()
            for each in related:
                assert each.get("TargetMode") is None  # nothing lies outside
                target = posixpath.normpath(posixpath.join("/", folder, each.get("Target")))
                assert target.lstrip("/") in names
            ids = [each.get("Id") for each in related]
            assert len(ids) == len({*ids})
            if name.endswith(".xml"):
                used = {value for node in etree.fromstring(parts.read(name)).iter()
                        for key, value in node.attrib.items() if key.startswith(R)}  # fmt: skip
                assert used - {""} <= {*ids}  # a click on a movie has a link to nothing


@pytest.mark.parametrize("on_click", [False, True])
def test_a_clip_starts_with_its_slide_or_on_click_and_loops_where_marked(
    jobs: list[Job],
    on_click: bool,  # noqa: FBT001 - of the cases
) -> None:
    deck = Deck.of(jobs)
    for page, slide in zip(
        pages(pptx.presentation(deck, on_click=on_click)), deck.slides, strict=True
    ):
        assert [ORDER.index(etree.QName(part).localname) for part in page] == sorted(
            ORDER.index(etree.QName(part).localname) for part in page
        )
        if slide.clip is None:
            continue
        nodes = [*page.iter(f"{P}cTn")]
        ids = [int(node.get("id")) for node in nodes]
        assert ids == [*range(1, len(ids) + 1)]
        shapes = {each.get("id") for each in page.iter(f"{P}cNvPr")}
        assert {each.get("spid") for each in page.iter(f"{P}spTgt")} <= shapes
        (effect,) = [node for node in nodes if node.get("presetClass") == "mediacall"]
        assert effect.get("nodeType") == ("clickEffect" if on_click else "afterEffect")
        begins = [each.get("evt") for each in nodes[2].find(f"{P}stCondLst")]
        assert begins == ([None] if on_click else [None, "onBegin"])
        (call,) = page.iter(f"{P}cmd")
        assert call.get("cmd") == "playFrom(0.0)"
        assert int(nodes[5].get("dur")) == pytest.approx(1000 * slide.clip.seconds, abs=1)
        (movie,) = page.iter(f"{P}cMediaNode")
        assert movie[0].get("repeatCount") == ("indefinite" if slide.clip.loop else None)
        assert movie[0].get("fill") == "hold"


@pytest.mark.skipif(
    not (shutil.which("soffice") and shutil.which("pdftoppm")) and not os.environ.get("CI"),
    reason="no LibreOffice here: apt-get install libreoffice-impress poppler-utils",
)
def test_libreoffice_opens_it_and_shows_every_page(
    content: bytes, jobs: list[Job], tmp_path: Path
) -> None:
    (tmp_path / "talk.pptx").write_bytes(content)
    office = f"-env:UserInstallation={(tmp_path / 'office').as_uri()}", "--headless"
    for command in (
        ["soffice", *office, "--convert-to", "pdf", "talk.pptx"],
        ["pdftoppm", "-scale-to-x", str(SMALL.width), "-scale-to-y", str(SMALL.height), "-png",
         "talk.pdf", "page"],
    ):  # fmt: skip
        subprocess.run(command, cwd=tmp_path, check=True, capture_output=True, timeout=120)
    shown = sorted(tmp_path.glob("page-*.png"))
    deck = Deck.of(jobs)
    assert len(shown) == len(deck.slides)
    for page, slide in zip(shown, deck.slides, strict=True):
        with Image.open(page) as image:
            pixels = np.asarray(image.convert("RGB"))
        if slide.clip:
            with Image.open(slide.clip.first) as still:
                first = np.asarray(still.convert("RGB"))
            assert ssim(luma(pixels), luma(first)) > 0.9
        else:
            assert pixels.max() > 200  # the title
        ground = bytes.fromhex(deck.colors.background[1:])
        assert np.abs(pixels[2, 2].astype(int) - [*ground]).max() <= 3


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["-o", "talk"], ["talk is no name of a .pptx file", "talk.pptx"]),
        (["-o", "folder.pptx"], ["folder.pptx is a folder"]),
        (["-o", "talk.pptx", "--format", "webm"], ["cannot play webm", "mp4"]),
        (["-o", "talk.pptx", "-t"], ["cannot play webm", "mp4"]),
        (["-o", "talk.pptx", "--embed"], ["for html, not pptx"]),
        (["-o", "talk", "--to", "html", "--on-click"], ["--on-click is for pptx"]),
    ],
)
def test_what_cannot_be_a_presentation_is_refused(
    ask: Ask, arguments: list[str], words: list[str]
) -> None:
    Path("folder.pptx").mkdir()
    refused(ask("deck", "no-peeking", "--to", "pptx", *arguments), *words)
    assert [path.name for path in Path().iterdir()] == ["folder.pptx"]


def test_without_its_library_one_sentence_says_how_to_install_it(
    ask: Ask, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(pptx, "find_spec", lambda _: None)
    refused(ask("deck", "no-peeking", "--to", "pptx", "-o", "x.pptx"), "transformer-films[deck]")


def test_it_is_written_whole_or_not_at_all(jobs: list[Job], tmp_path: Path) -> None:
    slides.write(jobs, Wanted("pptx", tmp_path / "talk.pptx"))
    assert [path.name for path in tmp_path.iterdir()] == ["talk.pptx"]
