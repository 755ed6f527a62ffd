"""Clips: a still is stored once, every time shows the right picture, and the colours are right."""

from collections.abc import Iterator
from dataclasses import replace
from fractions import Fraction
from pathlib import Path

import av
import numpy as np
import pytest
from manim import CairoRenderer, Circle, Square, Star, tempconfig
from manim._config.video_encoder import VideoEncoderSpec
from manim.constants import DOWN, LEFT, RIGHT, UP
from numpy.lib.stride_tricks import sliding_window_view
from PIL import Image
from small_films import ShortFilm, SmallFilm

from benchmarks.likeness import frames, luma, ssim, worst_ssim
from rendering import clips, playing
from rendering.encoder import FLAT, PLANES, ClipEncoder, Frames, _converted
from rendering.job import Subject, variant
from rendering.pictures import (
    ANIMATED,
    ASPECTS,
    FORMATS,
    H264,
    SOUND_RATE,
    Picture,
    picture,
)
from scenes import theme
from scenes.film import Film, Request, Said, Shown, beat
from scenes.mobjects.attention_grid import AttentionGrid
from scenes.mobjects.text import Formula, Number, Words
from scenes.provenance import count
from scenes.theme import KEY, QUERY
from scenes.verbs import (
    Appear,
    ComeFrom,
    Count,
    Dim,
    Disappear,
    Draw,
    Flow,
    Shift,
    Together,
    TurnInto,
)

SMALL = Picture(width=426, height=240, fps=10)
ALIKE = 0.98  # the least SSIM of any frame with manim's own


class EveryNoun(Film):
    """What films are made of moves, fades, counts, stands behind things and is zoomed into."""

    title = "Every noun"
    prompt = "a dog"
    seconds = 6
    poster_beat = "it-stands"

    def cast(self) -> None:
        dots = self.tensor("dot_products")[self.layer, self.head]
        left, right = self.under_title.columns(0.5)
        self.board = AttentionGrid(self.tokens, left)
        self.fills, self.dots = self.board.fills(dots), self.board.dots(dots)
        self.number = Number(count(7, "a count")).move_to(right.center)
        self.formula = Formula("$query(q) dot key(k)$").next_to(self.number, DOWN)
        self.star = Star(fill_opacity=0.5, stroke_width=10).set_color(["#ff0000", "#0000ff"])
        self.circle = Circle(sheen_factor=0.4, sheen_direction=UP, fill_opacity=1, z_index=-1)
        self.square = Square(fill_opacity=0.4, color=theme.color(KEY)).shift(2 * DOWN)
        self.word = Words("{}", "a word", role=QUERY).set_background_stroke(width=4)
        self.word.next_to(self.number, UP)
        nouns = self.board, self.fills, self.dots, self.number, self.formula, self.star
        self.stand(*nouns, self.circle, self.square, self.word)

    @beat("It comes, | and some of it is large.")
    def it_comes(self) -> Shown:
        yield Flow(Appear(each) for each in (self.circle, self.star, self.board)), Draw(self.square)
        yield self.zoom_into(self.star, 0.5), Appear(self.formula), ComeFrom(self.number, self.star)

    @beat("It stands.")
    def it_stands(self) -> Shown:
        yield self.pull_back(), Dim(self.star), Appear(self.fills), Appear(self.word)

    @beat("It goes.")
    def it_goes(self) -> Shown:
        yield Together(
            Count(self.number, count(123, "a count")),
            Shift(self.square, by=RIGHT),
            Disappear(self.word),
            Flow(TurnInto(*pair) for pair in zip(self.fills.all(), self.dots.all(), strict=True)),
        )


def drawn(
    film: type[Film], folder: Path, picture: Picture, request: Request
) -> tuple[dict[str, Path], dict[str, Said]]:
    """Draw every beat of a film; return the clips, and how the beats were played."""
    paths = {each.name: folder / f"{each.name}{picture.clip_suffix}" for each in film.beats()}
    return paths, playing.draw(film, request, picture, paths)


def by_manim(film: type[Film], folder: Path, picture: Picture, request: Request) -> Path:
    """Let manim itself render a film, with its own renderer, camera, writer and encoder."""
    settings = picture.settings(str(folder)) | {"video_encoder_options": {}}
    with tempconfig(settings | {"background_color": request.theme.background}):
        scene = film(renderer=CairoRenderer())
        scene.request = request
        scene.render()
        return Path(scene.renderer.file_writer.movie_file_path)


@pytest.fixture(scope="module")
def request_(tiny_checkpoint: Path) -> Request:
    return Request(checkpoint=tiny_checkpoint)


def test_a_film_looks_as_manim_itself_renders_it(request_: Request, tmp_path: Path) -> None:
    paths, _ = drawn(EveryNoun, tmp_path, SMALL, request_)
    clips.join([*paths.values()], tmp_path / "ours.mp4")
    manims = by_manim(EveryNoun, tmp_path, SMALL, request_)
    assert worst_ssim(tmp_path / "ours.mp4", manims, SMALL.fps) >= ALIKE


@pytest.mark.parametrize("form", ["mp4", "webm"])
def test_nothing_is_left_of_what_has_gone_once_a_picture_stands(
    request_: Request, tmp_path: Path, form: str
) -> None:
    paths, _ = drawn(SmallFilm, tmp_path, replace(SMALL, format=form), request_)
    with av.open(paths["it-goes"]) as clip:
        *_, last = clip.decode(video=0)
    seen = last.to_ndarray(format="rgb24").astype(int)
    assert np.abs(seen - seen[0, 0]).max() <= 2  # one level of what tells the hue


def test_a_transparent_film_looks_as_manim_itself_renders_it(
    request_: Request, tmp_path: Path
) -> None:
    clear = replace(SMALL, width=160, height=90, fps=5, format="mov", transparent=True)
    paths, _ = drawn(EveryNoun, tmp_path, clear, request_)
    clips.join([*paths.values()], tmp_path / "ours.mov")
    manims = by_manim(EveryNoun, tmp_path, clear, request_)
    assert worst_ssim(tmp_path / "ours.mov", manims, clear.fps) >= ALIKE
    for ours, theirs in zip(alphas(tmp_path / "ours.mov"), alphas(manims), strict=True):
        assert ssim(ours, theirs) >= ALIKE


def alphas(clip: Path) -> Iterator[np.ndarray]:
    """Yield the opacity of a clip's pixels at whole seconds."""
    with av.open(clip) as film:
        shown, second = None, 0
        for frame in film.decode(video=0):
            while shown is not None and second <= frame.time - 1e-6:
                yield shown
                second += 1
            shown = frame.to_ndarray(format="rgba")[..., 3].astype(np.float32)


def test_a_still_is_two_samples_and_lasts_as_long_as_it_was_played(
    request_: Request, tmp_path: Path
) -> None:
    picture = replace(SMALL, fps=60)
    paths, said = drawn(SmallFilm, tmp_path, picture, request_)
    for name, path in paths.items():
        with av.open(path) as clip:
            samples = [each for each in clip.demux(video=0) if each.pts is not None]
            ends = (samples[-1].pts + samples[-1].duration) * samples[-1].time_base
            assert clip.duration == pytest.approx(float(ends) * av.time_base, abs=1)
            assert sum(each.duration * each.time_base for each in samples) == ends
            assert clips.duration(path) == ends
            assert float(ends * picture.fps) == round(said[name].duration * picture.fps)
            if name == "it-waits":
                assert len(samples) == 2


@pytest.mark.parametrize("file_format", [each for each in FORMATS if each != "png"])
def test_nothing_is_said_while_a_clip_is_made(
    file_format: str, request_: Request, tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    drawn(ShortFilm, tmp_path, replace(SMALL, format=file_format), request_)
    assert capfd.readouterr() == ("", "")


@pytest.mark.parametrize("file_format", ["mp4", "mov"])
def test_a_clip_ends_with_a_short_sample_and_begins_with_its_index(
    file_format: str, request_: Request, tmp_path: Path
) -> None:
    """A browser takes a seek into the last sample for the end, and wants the index first."""
    picture = replace(SMALL, format=file_format)
    for path in drawn(SmallFilm, tmp_path, picture, request_)[0].values():
        with av.open(path) as clip:
            samples = [each for each in clip.demux(video=0) if each.pts is not None]
            assert samples[-1].duration * samples[-1].time_base == Fraction(1, SMALL.fps)
        content = path.read_bytes()
        assert content.index(b"moov") < content.index(b"mdat")


def test_every_frame_has_the_quantiser_that_we_ask_for(request_: Request, tmp_path: Path) -> None:
    """manim's own choice once came beside ours, and won: films were twice as large. x264 tells."""
    for path in drawn(SmallFilm, tmp_path, SMALL, request_)[0].values():
        assert f"rc=cqp mbtree=0 qp={H264['qp']} ".encode() in path.read_bytes()


def test_the_first_and_the_last_frame_stand_beside_a_clip(
    request_: Request, tmp_path: Path
) -> None:
    paths, _ = drawn(SmallFilm, tmp_path, SMALL, request_)
    for path in paths.values():
        shown = [*frames(path, SMALL.fps)]
        for ending, frame in ((".first.png", shown[0]), (".png", shown[-1])):
            with Image.open(path.with_suffix(ending)) as still:
                assert ssim(luma(np.asarray(still)), luma(frame)) >= ALIKE


@pytest.mark.parametrize("file_format", ["mp4", "mov", "webm"])
def test_an_uneven_film_shows_at_every_time_what_the_constant_one_shows(
    file_format: str, request_: Request, tmp_path: Path
) -> None:
    films = []
    for constant in (False, True):
        folder = tmp_path / str(constant)
        folder.mkdir()
        picture = replace(SMALL, width=160, height=90, format=file_format, constant=constant)
        paths, _ = drawn(SmallFilm, folder, picture, request_)
        films.append(folder / f"film.{file_format}")
        clips.join([*paths.values()], films[-1])
    assert clips.duration(films[0]) == pytest.approx(clips.duration(films[1]), abs=1e-3)
    assert worst_ssim(films[0], films[1], SMALL.fps) >= ALIKE


@pytest.mark.parametrize("file_format", ["mp4", "webm"])
def test_a_sound_of_fewer_samples_a_second_is_the_same_sound_however_it_is_cut(
    file_format: str, request_: Request, tmp_path: Path
) -> None:
    paths, _ = drawn(ShortFilm, tmp_path, replace(SMALL, format=file_format), request_)
    seconds = np.arange(SOUND_RATE) / SOUND_RATE
    tone = (0.5 * np.sin(2 * np.pi * 5000 * seconds)).astype(np.float32)
    parts = np.split(tone, [1, 1000, 4801, 20_000, 20_003])
    sound = clips.Sound(parts, SOUND_RATE // 2)
    clips.join([*paths.values()], tmp_path / f"film.{file_format}", sound=sound)
    with av.open(tmp_path / f"film.{file_format}") as film:
        # Opus always says 48 kHz, whatever was encoded
        heard_at = film.streams.audio[0].rate
        heard = np.concatenate([each.to_ndarray()[0] for each in film.decode(audio=0)])
    assert file_format == "webm" or heard_at == SOUND_RATE // 2
    heard = heard[:: heard_at // (SOUND_RATE // 2)]
    said, windows = tone[::2][8_000:16_000], sliding_window_view(heard[6_000:18_000], 8_000)
    alike = windows @ said / np.linalg.norm(windows, axis=1) / np.linalg.norm(said)
    assert alike.max() > 0.99


def test_a_gif_lasts_as_long_as_its_film(request_: Request, tmp_path: Path) -> None:
    paths, said = drawn(SmallFilm, tmp_path, replace(SMALL, format="gif"), request_)
    clips.make_gif([*paths.values()], tmp_path / "film.gif")
    with Image.open(tmp_path / "film.gif") as gif:
        lasts = []
        for number in range(gif.n_frames):
            gif.seek(number)
            lasts.append(gif.info["duration"])
    assert sum(lasts) == pytest.approx(1000 * sum(each.duration for each in said.values()), abs=20)


@pytest.mark.parametrize("loop", [0, 1])
@pytest.mark.parametrize("file_format", ANIMATED)
def test_an_animated_image_plays_once_or_for_ever(
    file_format: str, loop: int, request_: Request, tmp_path: Path
) -> None:
    paths, said = drawn(ShortFilm, tmp_path, replace(SMALL, format=file_format), request_)
    clips.make_image([*paths.values()], tmp_path / f"film.{file_format}", loop)
    with Image.open(tmp_path / f"film.{file_format}") as image:
        often = image.info.get("loop", 1)  # a GIF that is played once does not say so
        lasts = [_lasts(image, number) for number in range(image.n_frames)]
    assert often == loop
    assert sum(lasts) == pytest.approx(1000 * said["it-says-so"].duration, abs=20)


def _lasts(image: Image.Image, number: int) -> int:
    """How many milliseconds a frame of an image is shown."""
    image.seek(number)
    image.load()
    return int(image.info["duration"])


def test_a_transparent_webp_has_no_background(request_: Request, tmp_path: Path) -> None:
    clear = replace(SMALL, format="webp", transparent=True)
    paths, _ = drawn(ShortFilm, tmp_path, clear, request_)
    clips.make_image([*paths.values()], tmp_path / "film.webp")
    with Image.open(tmp_path / "film.webp") as image:
        image.seek(image.n_frames - 1)
        alpha = image.convert("RGBA").getchannel("A")
    assert alpha.getpixel((0, 0)) == 0
    assert alpha.getextrema()[1] == 255


def test_a_film_says_its_colours_and_keeps_them(request_: Request, tmp_path: Path) -> None:
    paths, _ = drawn(SmallFilm, tmp_path, SMALL, request_)
    with av.open(paths["it-waits"]) as clip:
        codec = clip.streams.video[0].codec_context
        assert (codec.colorspace, codec.color_range, codec.color_primaries, codec.color_trc) == (
            1,
            1,
            1,
            1,
        )  # BT.709 in all, limited range
    shown = next(frames(paths["it-waits"], SMALL.fps))
    ground = bytes.fromhex(request_.theme.background[1:])
    assert np.abs(shown[0, 0].astype(int) - np.frombuffer(ground, np.uint8)).max() <= 3


SIZES = [picture(quality, aspect=aspect) for quality in "lmh" for aspect in ASPECTS]


@pytest.mark.parametrize(
    "size",
    [Picture(width=160, height=90), *SIZES],
    ids=lambda size: f"{size.width} by {size.height}",
)
def test_a_frame_of_every_size_reaches_the_encoder_as_it_was_converted(size: Picture) -> None:
    """PyAV takes numbers in one array for a frame of another height, unless it is in fours."""
    random = np.random.default_rng(0)
    pixels = random.integers(0, 256, (size.height, size.width, 4), dtype=np.uint8)
    frames = Frames(size.width, size.height, PLANES)
    frame = frames.frame(frames.converted(pixels, [(0, 0, size.width, size.height)]))
    assert (frame.width, frame.height) == (size.width, size.height)
    expected = _converted(pixels, PLANES)
    np.testing.assert_array_equal(frame.to_ndarray(), expected.to_ndarray())


def test_parts_are_converted_as_the_whole_would_be() -> None:
    random = np.random.default_rng(0)
    pixels = random.integers(0, 256, (90, 160, 4), dtype=np.uint8)
    whole = (0, 0, 160, 90)
    kept, afresh = Frames(160, 90, PLANES), Frames(160, 90, PLANES)
    before = kept.frame(kept.converted(pixels, [whole])).to_ndarray()
    pixels[32:64, 32:96] = 255 - pixels[32:64, 32:96]
    pixels[64:90, 128:160] = 7
    parts = kept.converted(pixels, [(32, 32, 96, 64), (128, 64, 160, 90)])
    after = kept.frame(parts).to_ndarray()
    expected = afresh.frame(afresh.converted(pixels, [whole])).to_ndarray()
    np.testing.assert_array_equal(after, expected)
    assert (before != after).any()


def test_what_fades_leaves_no_trace_while_something_else_goes_on_moving(tmp_path: Path) -> None:
    """One quantiser for all frames leaves up to 10 levels of what fades in the dark."""
    size, clip, ground = picture("m"), tmp_path / "clip.mp4", 16
    options, rate = tuple(H264.items()), Fraction(size.fps)
    spec = VideoEncoderSpec("mp4", "libx264", PLANES, size.width, size.height, rate, options)
    encoder = ClipEncoder(target=clip, spec=spec, is_constant=False)
    texture = np.random.default_rng(0).integers(0, 2, (48, 160)).repeat(2, 0).repeat(2, 1)
    for number in range(80):
        pixels = np.full((size.height, size.width, 4), ground, np.uint8)
        faded = min(1.0, number / 30)
        brightness = 200 * (1 - faded**2 * (3 - 2 * faded))  # it ends as gently as it begins
        pixels[96:192, 96:416] += np.uint8(brightness * texture)[..., None]
        pixels[600:650, 8 * number : 8 * number + 50] = 250
        encoder.write_frame(encoder.frames.converted(pixels, [(0, 0, size.width, size.height)]))
    encoder.finish()
    *_, last = frames(clip, size.fps)
    assert np.ptp(luma(last)[96:192, 96:416]) <= FLAT


def test_the_similarity_of_a_picture_is_full_with_itself_and_less_with_any_other() -> None:
    random = np.random.default_rng(0)
    picture = random.integers(0, 256, (90, 160, 3), dtype=np.uint8)
    assert ssim(luma(picture), luma(picture)) == pytest.approx(1)
    assert ssim(luma(picture), luma(255 - picture)) < 0
    moved = np.roll(picture, 1, axis=1)
    assert ssim(luma(picture), luma(moved)) < 0.1


class NothingToSee(Film):
    """Things happen that nobody can see."""

    title = "Nothing to see"
    prompt = "a dog"
    seconds = 3
    poster_beat = "it-stands"

    def cast(self) -> None:
        self.hidden, self.far = Square(), Square().shift(100 * RIGHT)
        self.stand(self.hidden, self.far)

    @beat("It stands.")
    def it_stands(self) -> Shown:
        yield Shift(self.hidden, by=RIGHT), Shift(self.far, by=LEFT)


def test_a_move_that_nobody_sees_is_part_of_the_still(request_: Request, tmp_path: Path) -> None:
    paths, said = drawn(NothingToSee, tmp_path, SMALL, request_)
    with av.open(paths["it-stands"]) as clip:
        assert sum(1 for _ in clip.decode(video=0)) == 2
    assert float(clips.duration(paths["it-stands"])) == pytest.approx(said["it-stands"].duration)


class HalfClear(Film):
    """What is half clear stands still."""

    title = "Half clear"
    prompt = "a dog"
    seconds = 1
    poster_beat = "it-stands"

    def cast(self) -> None:
        self.square = Square(side_length=2, fill_opacity=0.5, stroke_width=0).center()
        self.stand(self.square)

    @beat("It stands.")
    def it_stands(self) -> Shown:
        yield Appear(self.square)


def test_the_plain_manim_command_draws_a_still_once(request_: Request, tmp_path: Path) -> None:
    settings = SMALL.settings(str(tmp_path)) | {"dry_run": True}
    with tempconfig(settings | {"background_color": request_.theme.background}):
        film = HalfClear(renderer=CairoRenderer())
        film.request = request_
        film.render()
        middle = film.renderer.camera.pixel_array[120, 213, 0]
    ground = int(request_.theme.background[1:3], 16)
    assert middle == pytest.approx((255 + ground) / 2, abs=2)


def test_the_plain_manim_command_makes_waits_of_whole_frames(
    request_: Request, tmp_path: Path
) -> None:
    with tempconfig(SMALL.settings(str(tmp_path)) | {"dry_run": True}):
        film = HalfClear(renderer=CairoRenderer())
        film.request = request_
        film.render()
        for seconds, frames in ((0.3, 3), (0.29, 3), (0.31, 3), (0.01, 1), (1, 10)):
            before = film.time
            film.wait(seconds)
            assert round((film.time - before) * SMALL.fps, 6) == frames


def test_a_film_at_a_constant_rate_stands_in_a_folder_of_its_own() -> None:
    assert picture(constant=True) != picture()
    assert variant("a dog", Subject(), picture(constant=True)) == "constant-frame-rate"
